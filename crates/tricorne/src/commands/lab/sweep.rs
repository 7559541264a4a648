//! `tricorne lab sweep`: one thing varied.

use std::path::PathBuf;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use tricorne_agents::Level;
use tricorne_lab::{Dot, Panel, Plate, Row, Scale, Share, Spread, Vary};

use super::run::StudyArgs;
use super::{Bench, draw, ending, names};
use crate::commands::{json, say};
use crate::failure::{Failure, Outcome};
use crate::load;
use crate::table::columns;

/// One thing varied, the same seeds for each value.
#[derive(Args)]
pub struct Sweep {
    #[command(flatten)]
    study: StudyArgs,
    /// What to vary: OPTION=V1,V2, or scenario:PATH=V1,V2 (scenario:unit.I1.leadership=5,6,7), or
    /// FILE.toml:PATH=V1,V2 for a number of the rulebook (profiles.toml:RI.firing=4,5,6), or points=24:24,30:24 for
    /// armies of so many points a side, mustered by chance in place of the scenario's. The first value is what the others
    /// are compared with
    #[arg(long, value_name = "WHAT=VALUES")]
    vary: Vary,
    /// The two players; one name stands for both
    #[arg(long, value_delimiter = ',', default_value = "subaltern", value_name = "A,B")]
    players: Vec<Level>,
    /// Draw it: .svg or .png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

/// What a value comes to.
#[derive(Serialize)]
struct Step {
    value: String,
    /// The share of the side listed first.
    first_side: Share,
    /// How much more that is than with the first value, by battle.
    change: Spread,
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

impl Sweep {
    /// Fights them.
    pub fn run(self) -> Outcome {
        let study = self.study.study(&self.players)?;
        let (system, _) = load::scenario(&self.study.scenario)?;
        self.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        let wrong = |why: String| Failure::wrong(format!("--vary: {why}"));
        let mut varied = Vec::new();
        for value in &self.vary.values {
            let study = self.vary.with(&study, system, value).map_err(wrong)?;
            // A value that can't be set up is found before the first battle.
            let names = names(system, &study.scenario, &study.choices).map_err(|failure| match failure {
                Failure::Wrong(why) => Failure::wrong(format!("--vary {}={value}: {why}", self.vary.place)),
                other => other,
            })?;
            varied.push((value, study, names));
        }
        let bench = Bench::new(self.study.threads, study.battles * varied.len() as u64)?;
        let mut steps: Vec<Step> = Vec::new();
        let mut base: Vec<f64> = Vec::new();
        for (value, study, _) in &varied {
            bench.bar.set_message(format!("{} = {value}", self.vary.place));
            let rows = bench.rows(study)?;
            let summary = tricorne_lab::summary(&rows);
            let scores: Vec<f64> = rows.iter().map(scored).collect();
            if steps.is_empty() {
                base.clone_from(&scores);
            }
            steps.push(Step {
                value: (*value).clone(),
                first_side: summary.first_side,
                change: Spread::of(scores.iter().zip(&base).map(|(now, then)| now - then)),
                first_player: summary.first_player,
                turns: summary.turns,
                lost: [0, 1].map(|side| Spread::of(rows.iter().map(|r| lost(r, side)))),
            });
        }
        bench.bar.finish_and_clear();
        let Some((_, _, names)) = varied.first() else { return Ok(()) };
        let [a, b] = study.players;
        if let Some(path) = &self.plot {
            let dots = |f: &dyn Fn(&Step) -> Dot| steps.iter().map(f).collect::<Vec<_>>();
            let shares = dots(&|s| Dot {
                label: s.value.clone(),
                value: s.first_side.share,
                low: s.first_side.low,
                high: s.first_side.high,
                text: s.first_side.to_string(),
                colour: 0,
            });
            let turns = dots(&|s| Dot {
                label: s.value.clone(),
                value: s.turns.mean,
                low: s.turns.low,
                high: s.turns.high,
                text: format!("{:.2}", s.turns.mean),
                colour: 1,
            });
            let scale = Scale::round(steps.iter().flat_map(|s| [s.turns.low, s.turns.high]));
            draw(
                path,
                &Plate {
                    title: format!("{}: {} varied", names.title, self.vary.place),
                    subtitle: format!(
                        "{a} against {b}, {} battles for each value, the same seeds",
                        study.battles
                    ),
                    panels: vec![
                        Panel::Dots {
                            title: format!("Share of battles won by {}", names.side(0)),
                            scale: Scale::SHARE,
                            mark: Some(0.5),
                            rows: shares,
                            bars: false,
                        },
                        Panel::Dots { title: "Turns".into(), scale, mark: None, rows: turns, bars: false },
                    ],
                    foot: format!(
                        "Whiskers are 95 % intervals. Tricorne, {}, seeds from {}.",
                        study.ruleset, study.seed
                    ),
                },
            )?;
        }
        if self.study.json {
            return json(&json!({
                "id": self.study.scenario,
                "vary": self.vary.place.to_string(),
                "players": study.players.map(|p| p.to_string()),
                "sides": names.sides,
                "battles": study.battles,
                "seed": study.seed,
                "values": steps,
            }));
        }
        say(&format!(
            "{}: {} varied, {a} against {b}, {} battles each",
            names.title, self.vary.place, study.battles
        ))?;
        let side = names.side(0);
        let heads = [
            "value".to_owned(),
            format!("{side} wins"),
            "change".into(),
            format!("{a} wins"),
            "turns".into(),
            format!("{side} loses"),
            format!("{} loses", names.side(1)),
        ];
        let spread = |s: &Spread| format!("{:.2} ({:.2} to {:.2})", s.mean, s.low, s.high);
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
                if a == b { "–".into() } else { s.first_player.to_string() },
                spread(&s.turns),
                spread(&s.lost[0]),
                spread(&s.lost[1]),
            ]
        }));
        say(columns(&table).trim_end())
    }
}
