//! `tricorne lab balance`: how even scenarios are.

use clap::Args;
use serde::Serialize;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::Side;
use tricorne_lab::{Dot, EVEN, Effect, Panel, Plate, Scale, Share, Study, handicaps, summary};

use super::{Bench, ReportArgs, draw, ending, names};
use crate::commands::lists::find;
use crate::commands::{json, say};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// How even scenarios are.
#[derive(Args)]
pub struct Balance {
    /// Scenarios; all that are shipped if none is named
    scenarios: Vec<String>,
    /// Only those of one rule system
    #[arg(long, value_name = "R", conflicts_with = "scenarios")]
    ruleset: Option<String>,
    /// Who plays both sides
    #[arg(long, default_value = "subaltern")]
    player: Level,
    /// Battles for each scenario
    #[arg(long, default_value_t = 400)]
    battles: u64,
    /// Where a scenario is worse than 40:60, try which unit left at home by the favoured side makes it even, with this
    /// many battles for each
    #[arg(long, value_name = "N", default_value_t = 0)]
    handicap: u64,
    #[command(flatten)]
    report: ReportArgs,
}

/// How even one scenario is.
#[derive(Serialize)]
struct Evenness {
    id: String,
    ruleset: String,
    title: String,
    sides: Vec<String>,
    battles: u64,
    drawn: u64,
    turns: f64,
    /// The share of the side listed first.
    first_side: Share,
    /// The side that wins more than three battles of five, if one does.
    favoured: Option<String>,
    /// What leaving units at home would do, the most even first.
    handicaps: Vec<Effect>,
}

impl Balance {
    /// Fights them.
    pub fn run(self) -> Outcome {
        if self.battles == 0 {
            return Err(Failure::wrong("--battles 0: fight at least one"));
        }
        self.report.outputs()?;
        self.report.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        let seed: Seed = self.report.seed.parse().map_err(Failure::wrong)?;
        let named = self.named()?;
        let bench = Bench::new(self.report.threads, self.battles * named.len() as u64)?;
        let mut all = Vec::new();
        for name in named {
            let (system, scenario) = load::scenario(&name)?;
            let choices = self.report.choices.choices(system)?;
            let names = names(system, &scenario, &choices)?;
            bench.bar.set_message(scenario.name.clone());
            let study = Study {
                ruleset: system.about().id.into(),
                scenario,
                muster: None,
                choices,
                players: [self.player; 2],
                battles: self.battles,
                seed,
            };
            let sum = summary(&bench.rows(&study)?);
            let share = sum.first_side;
            let favoured = if share.share > EVEN.1 {
                Some(Side(0))
            } else if share.share < EVEN.0 {
                Some(Side(1))
            } else {
                None
            };
            let mut effects = Vec::new();
            if let Some(side) = favoured.filter(|_| self.handicap > 0) {
                for handicap in handicaps(system, &study.scenario, &study.choices, side) {
                    bench.bar.inc_length(self.handicap);
                    bench.bar.set_message(format!(
                        "{} without {}",
                        study.scenario.name,
                        handicap.without.join(", ")
                    ));
                    let study =
                        Study { scenario: handicap.scenario, battles: self.handicap, ..study.clone() };
                    let first_side = summary(&bench.rows(&study)?).first_side;
                    effects.push(Effect { without: handicap.without, names: handicap.names, first_side });
                }
                let off = |e: &Effect| (e.first_side.share - 0.5).abs();
                effects.sort_by(|a, b| off(a).total_cmp(&off(b)));
            }
            all.push(Evenness {
                id: study.scenario.name,
                ruleset: study.ruleset,
                title: names.title.clone(),
                favoured: favoured.map(|side| names.side(side.index()).to_owned()),
                sides: names.sides,
                battles: sum.battles,
                drawn: sum.drawn,
                turns: sum.turns.mean,
                first_side: share,
                handicaps: effects,
            });
        }
        bench.bar.finish_and_clear();
        let text = Self::markdown_of(&all);
        // What came of it first: a file that can't be written takes nothing else with it.
        let told = if self.report.json { json(&all) } else { say(text.trim_end()) };
        if let Some(path) = &self.report.markdown {
            files::write(path, text.as_bytes())?;
        }
        if let Some(path) = &self.report.plot {
            draw(path, &self.plate(&all))?;
        }
        told
    }

    fn named(&self) -> Result<Vec<String>, Failure> {
        if !self.scenarios.is_empty() {
            return Ok(self.scenarios.clone());
        }
        let systems = match &self.ruleset {
            Some(id) => vec![find(id)?],
            None => tricorne_shelf::systems().to_vec(),
        };
        let ids =
            systems.iter().flat_map(|s| s.scenarios().iter().map(|t| format!("{}/{}", s.about().id, t.id)));
        Ok(ids.collect())
    }

    fn markdown_of(all: &[Evenness]) -> String {
        let mut text = String::from(
            "| scenario | ruleset | sides | battles | first side wins | drawn | turns | favoured |\n\
             |---|---|---|---|---|---|---|---|\n",
        );
        for s in all {
            text += &format!(
                "| {} | {} | {} | {} | {} | {} | {:.1} | {} |\n",
                s.title,
                s.ruleset,
                s.sides.join(" v "),
                s.battles,
                s.first_side,
                s.drawn,
                s.turns,
                s.favoured.as_deref().unwrap_or("–")
            );
        }
        for s in all.iter().filter(|s| !s.handicaps.is_empty()) {
            let side = s.favoured.as_deref().unwrap_or_default();
            text += &format!(
                "\n{}: if {side} leaves a unit at home\n\n| without | first side wins |\n|---|---|\n",
                s.title
            );
            for e in &s.handicaps {
                text +=
                    &format!("| {} ({}) | {} |\n", e.names.join(", "), e.without.join(", "), e.first_side);
            }
        }
        text
    }

    fn plate(&self, all: &[Evenness]) -> Plate {
        let dot = |s: &Evenness| Dot {
            label: format!("{}: {}", s.title, s.sides.first().map_or("", String::as_str)),
            value: s.first_side.share,
            low: s.first_side.low,
            high: s.first_side.high,
            text: s.first_side.to_string(),
            colour: usize::from(s.favoured.is_none()),
        };
        Plate {
            title: "How even are the scenarios?".into(),
            subtitle: format!(
                "Share of battles won by the side listed first, {} on both sides, {} battles each",
                self.player, self.battles
            ),
            panels: vec![Panel::Dots {
                title: "Red: worse than 40:60".into(),
                scale: Scale::SHARE,
                mark: Some(0.5),
                rows: all.iter().map(dot).collect(),
                bars: false,
            }],
            foot: "Whiskers are 95 % intervals; a draw counts as half.".into(),
        }
    }
}
