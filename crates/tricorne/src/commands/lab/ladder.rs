//! `tricorne lab ladder`: all players against each other.

use clap::Args;
use serde::Serialize;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_game::{AnySystem, Choices, Purpose, ScenarioText, Source};
use tricorne_lab::{Dot, Elo, Match, Panel, Plate, Scale, Study, elo, mirrored};

use super::{Bench, ReportArgs, draw, ending, names};
use crate::commands::{json, ready_players, say};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// All players against each other.
#[derive(Args)]
pub struct Ladder {
    /// Scenarios to fight; if none is named, one of each rule system, a mirrored one where there is one
    scenarios: Vec<String>,
    /// The players
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "random,subaltern,general:100ms",
        value_name = "A,B,…",
        value_parser = Level::anybody
    )]
    players: Vec<Level>,
    /// Battles for each two players, sides swapped every other battle
    #[arg(long, default_value_t = 100)]
    battles: u64,
    #[command(flatten)]
    report: ReportArgs,
}

/// The ladder of one scenario.
#[derive(Serialize)]
struct Standings {
    id: String,
    ruleset: String,
    title: String,
    players: Vec<String>,
    elo: Vec<Elo>,
    matches: Vec<Match>,
}

impl Ladder {
    /// Fights it.
    pub fn run(self) -> Outcome {
        if self.players.len() < 2 || self.battles == 0 {
            return Err(Failure::wrong("a ladder needs two players or more and at least one battle"));
        }
        if let Some(twice) = self.players.iter().enumerate().find(|(i, p)| self.players[..*i].contains(p)) {
            return Err(Failure::wrong(format!("--players names {} twice", twice.1)));
        }
        self.report.outputs()?;
        self.report.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        let seed: Seed = self.report.seed.parse().map_err(Failure::wrong)?;
        let mut fields = Vec::new();
        for name in self.named() {
            let (system, scenario) = load::scenario(&name)?;
            let choices = self.report.choices.choices(system)?;
            super::mind::fits(system, &self.players)?;
            let title = names(system, &scenario, &choices)?.title;
            fields.push((system.about().id, scenario, choices, title));
        }
        let ready = ready_players(&self.players, self.report.clock, false)?;
        let count = ready.len();
        let pairs: Vec<(usize, usize)> = (0..count).flat_map(|a| (0..a).map(move |b| (a, b))).collect();
        let all = self.battles * pairs.len() as u64 * fields.len() as u64;
        let bench = Bench::new(self.report.threads, all)?;
        let mut ladders = Vec::new();
        for (ruleset, scenario, choices, title) in fields {
            let mut matches = Vec::new();
            for &(a, b) in &pairs {
                let players = [ready[a], ready[b]];
                bench.bar.set_message(format!("{}: {} v {}", scenario.name, players[0], players[1]));
                let study = Study {
                    ruleset: ruleset.into(),
                    scenario: scenario.clone(),
                    muster: None,
                    choices: choices.clone(),
                    players,
                    battles: self.battles,
                    seed,
                };
                let score = |won: Option<usize>| won.map_or(0.5, |p| if p == 0 { 1.0 } else { 0.0 });
                let rows = bench.rows(&study)?;
                matches.push(Match::new(a, b, rows.iter().map(|r| score(r.won_by)).collect()));
            }
            ladders.push(Standings {
                id: scenario.name,
                ruleset: ruleset.into(),
                title,
                players: self.players.iter().map(Level::to_string).collect(),
                elo: elo(count, &matches),
                matches,
            });
        }
        bench.bar.finish_and_clear();
        let text: String = ladders.iter().map(Self::markdown_of).collect();
        // What came of it first: a file that can't be written takes nothing else with it.
        let told = if self.report.json { json(&ladders) } else { say(text.trim_end()) };
        if let Some(path) = &self.report.markdown {
            files::write(path, text.as_bytes())?;
        }
        if let Some(path) = &self.report.plot {
            draw(path, &self.plate(&ladders))?;
        }
        told
    }

    fn named(&self) -> Vec<String> {
        if !self.scenarios.is_empty() {
            return self.scenarios.clone();
        }
        // Sides are swapped, so any scenario is fair; a mirrored one tells most.
        let of = |system: &dyn AnySystem| {
            let even = |text: &&ScenarioText| {
                let file = Source::new(text.id, text.text);
                let battle = system.set_up(&file, &Choices::default(), Purpose::Scenario);
                battle.is_ok_and(|b| mirrored(&b.view(None)))
            };
            let all = system.scenarios();
            let best = all.iter().find(even).or(all.first());
            best.map(|text| format!("{}/{}", system.about().id, text.id))
        };
        tricorne_shelf::systems().iter().filter_map(|s| of(*s)).collect()
    }

    fn markdown_of(ladder: &Standings) -> String {
        let mut order: Vec<usize> = (0..ladder.players.len()).collect();
        order.sort_by(|a, b| ladder.elo[*b].points.total_cmp(&ladder.elo[*a].points));
        let mut text = format!("## {} ({}/{})\n\n| player | Elo |", ladder.title, ladder.ruleset, ladder.id);
        for &p in &order {
            text += &format!(" against {} |", ladder.players[p]);
        }
        text += &format!("\n|---|---|{}\n", "---|".repeat(order.len()));
        for &p in &order {
            let elo = ladder.elo[p];
            text +=
                &format!("| {} | {:.0} ({:.0} to {:.0}) |", ladder.players[p], elo.points, elo.low, elo.high);
            for &q in &order {
                let share = ladder.matches.iter().find_map(|m| match (m.first, m.second) {
                    (a, b) if (a, b) == (p, q) => Some(m.share),
                    (a, b) if (a, b) == (q, p) => Some(tricorne_lab::Share {
                        share: 1.0 - m.share.share,
                        low: 1.0 - m.share.high,
                        high: 1.0 - m.share.low,
                    }),
                    _ => None,
                });
                text += &share.map_or_else(|| " – |".into(), |s| format!(" {s} |"));
            }
            text.push('\n');
        }
        text.push('\n');
        text
    }

    fn plate(&self, ladders: &[Standings]) -> Plate {
        let scale = Scale::round(ladders.iter().flat_map(|l| l.elo.iter().flat_map(|e| [e.low, e.high])));
        let panel = |l: &Standings| Panel::Dots {
            title: format!("{} ({})", l.title, l.ruleset),
            scale,
            mark: Some(1000.0),
            bars: false,
            rows: l
                .players
                .iter()
                .zip(&l.elo)
                .map(|(player, e)| Dot {
                    label: player.clone(),
                    value: e.points,
                    low: e.low,
                    high: e.high,
                    text: format!("{:.0} ({:.0} to {:.0})", e.points, e.low, e.high),
                    colour: 0,
                })
                .collect(),
        };
        Plate {
            title: "The ladder".into(),
            subtitle: format!(
                "Elo of each player; the average is 1000, and 400 more means ten to one. {} battles for each two \
                 players, sides swapped",
                self.battles
            ),
            panels: ladders.iter().map(panel).collect(),
            foot: "Whiskers are 95 % intervals.".into(),
        }
    }
}
