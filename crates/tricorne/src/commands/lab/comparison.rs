//! Studies side by side on the same seeds: what one change does, battle by battle.

use std::path::Path;

use serde::Serialize;
use serde_json::json;
use tricorne_lab::{Dot, Names, Panel, Plate, Row, Scale, Share, Spread, Study};

use super::run::StudyArgs;
use super::{Bench, draw};
use crate::commands::{json, say};
use crate::failure::{Failure, Outcome};
use crate::table::columns;

/// Studies with the same players, battles and seeds, the first being what the others are compared with.
pub struct Comparison<'a> {
    /// What is done, for people: `rounds varied`.
    pub what: String,
    /// The thing that is varied, if it is one.
    pub vary: Option<String>,
    /// What it is compared on, as the command line named it.
    pub id: String,
    /// Each with its label.
    pub studies: Vec<(String, Study, Names)>,
    /// How they are fought and told.
    pub args: &'a StudyArgs,
    /// A picture of it.
    pub plot: Option<&'a Path>,
}

/// What one of them comes to.
#[derive(Serialize)]
struct Step {
    value: String,
    /// The share of the side listed first.
    first_side: Share,
    /// How much more that is than with the first value, by battle.
    change: Spread,
    /// Battles that went any differently than with the first value.
    changed: u64,
    /// The first player's share.
    first_player: Share,
    turns: Spread,
    /// Figures or stands lost by each side.
    lost: [Spread; 2],
}

fn scored(row: &Row) -> f64 {
    row.winner.map_or(0.5, |w| if w.index() == 0 { 1.0 } else { 0.0 })
}

fn lost(row: &Row, side: usize) -> f64 {
    row.units.iter().filter(|u| u.side.index() == side).map(|u| f64::from(u.lost)).sum()
}

impl Comparison<'_> {
    /// Fights them, draws and tells.
    pub fn run(&self) -> Outcome {
        let Some((_, first, names)) = self.studies.first() else { return Ok(()) };
        let bench = Bench::new(self.args.threads, first.battles * self.studies.len() as u64)?;
        let steps = self.fight(&bench)?;
        bench.bar.finish_and_clear();
        // What came of it first: a file that can't be written takes nothing else with it.
        let told = if self.args.json {
            json(&json!({
                "id": self.id,
                "vary": self.vary,
                "players": first.players.map(|p| p.to_string()),
                "sides": names.sides,
                "battles": first.battles,
                "seed": first.seed,
                "values": steps,
            }))
        } else {
            self.tell(first, names, &steps)
        };
        if let Some(path) = self.plot {
            draw(path, &self.plate(first, names, &steps))?;
        }
        told
    }

    fn fight(&self, bench: &Bench) -> Result<Vec<Step>, Failure> {
        let mut steps: Vec<Step> = Vec::new();
        let mut base: Vec<Row> = Vec::new();
        for (value, study, _) in &self.studies {
            bench.bar.set_message(value.clone());
            let rows = bench.rows(study)?;
            if steps.is_empty() {
                base.clone_from(&rows);
            }
            let summary = tricorne_lab::summary(&rows);
            let pairs = || rows.iter().zip(&base);
            steps.push(Step {
                value: value.clone(),
                first_side: summary.first_side,
                change: Spread::of(pairs().map(|(now, then)| scored(now) - scored(then)), 1.0)
                    .within(-1.0, 1.0),
                changed: pairs().filter(|(now, then)| now != then).count() as u64,
                first_player: summary.first_player,
                turns: summary.turns,
                lost: [0, 1].map(|side| Spread::of(rows.iter().map(|r| lost(r, side)), 1.0)),
            });
        }
        Ok(steps)
    }

    fn tell(&self, first: &Study, names: &Names, steps: &[Step]) -> Outcome {
        let [a, b] = first.players;
        say(&format!("{}: {}, {a} against {b}, {} battles each", names.title, self.what, first.battles))?;
        let side = names.side(0);
        let heads = [
            "value".to_owned(),
            format!("{side} wins"),
            "change".into(),
            "battles changed".into(),
            format!("{a} wins"),
            "turns".into(),
            format!("{side} loses"),
            format!("{} loses", names.side(1)),
        ];
        let spread = |s: &Spread| format!("{:.2} ({:.2} to {:.2})", s.mean, s.low.max(0.0), s.high);
        let mut table = vec![heads.to_vec()];
        table.extend(steps.iter().enumerate().map(|(i, s)| {
            let percent = |x: f64| 100.0 * x;
            let change = format!(
                "{:+.1} % ({:+.1} to {:+.1})",
                percent(s.change.mean),
                percent(s.change.low),
                percent(s.change.high)
            );
            vec![
                s.value.clone(),
                s.first_side.to_string(),
                if i == 0 { "–".into() } else { change },
                if i == 0 { "–".into() } else { format!("{} of {}", s.changed, first.battles) },
                if a == b { "–".into() } else { s.first_player.to_string() },
                spread(&s.turns),
                spread(&s.lost[0]),
                spread(&s.lost[1]),
            ]
        }));
        say(columns(&table).trim_end())?;
        self.unchanged(first, steps)
    }

    /// Numbers that are all the same look like a result, and may only mean that nothing was varied.
    fn unchanged(&self, first: &Study, steps: &[Step]) -> Outcome {
        let same: Vec<&str> =
            steps.iter().skip(1).filter(|s| s.changed == 0).map(|s| s.value.as_str()).collect();
        if same.is_empty() {
            return Ok(());
        }
        let which = if same.len() + 1 == steps.len() {
            "No battle changed".to_owned()
        } else {
            format!("No battle changed with {}", same.join(", "))
        };
        let Some(word) = self.vary.as_ref().and_then(|v| v.rsplit([':', '.']).next()) else {
            return say(&format!("{which}: they are fought alike."));
        };
        say(&format!(
            "{which}: {word} has no say in these battles. It may be rolled for or laid down elsewhere; `tricorne rules {} \
             --search {word}` tells what the rules say of it.",
            first.ruleset
        ))
    }

    fn plate(&self, first: &Study, names: &Names, steps: &[Step]) -> Plate {
        let [a, b] = first.players;
        let shares = steps.iter().map(|s| Dot {
            label: s.value.clone(),
            value: s.first_side.share,
            low: s.first_side.low,
            high: s.first_side.high,
            text: s.first_side.to_string(),
            colour: 0,
        });
        let turns = steps.iter().map(|s| Dot {
            label: s.value.clone(),
            value: s.turns.mean,
            low: s.turns.low,
            high: s.turns.high,
            text: format!("{:.2}", s.turns.mean),
            colour: 1,
        });
        let scale = Scale::round(steps.iter().flat_map(|s| [s.turns.low, s.turns.high]));
        Plate {
            title: format!("{}: {}", names.title, self.what),
            subtitle: format!("{a} against {b}, {} battles for each, the same seeds", first.battles),
            panels: vec![
                Panel::Dots {
                    title: format!("Share of battles won by {}", names.side(0)),
                    scale: Scale::SHARE,
                    mark: Some(0.5),
                    rows: shares.collect(),
                    bars: false,
                },
                Panel::Dots { title: "Turns".into(), scale, mark: None, rows: turns.collect(), bars: false },
            ],
            foot: format!(
                "Whiskers are 95 % intervals. Tricorne, {}, seeds from {}.",
                first.ruleset, first.seed
            ),
        }
    }
}
