//! `tricorne lab conduct`: what programs do, not only who wins.

use std::fmt::Write as _;

use clap::Args;
use serde::Serialize;
use tricorne_agents::Level;
use tricorne_chance::Seed;
use tricorne_lab::{Conduct as Deeds, Conducts, Dot, Panel, Plate, Scale, Study, conduct};

use super::{Bench, ReportArgs, draw, ending, failed, names};
use crate::commands::{json, ready_players, say};
use crate::failure::{Failure, Outcome};
use crate::{files, load};

/// What programs do over many battles: answers taken and open, passes, idle units, fire by range, clauses that never came up.
#[derive(Args)]
pub struct Conduct {
    /// Scenarios to fight
    #[arg(required = true)]
    scenarios: Vec<String>,
    /// The two players
    #[arg(long, value_delimiter = ',', default_value = "subaltern,subaltern", value_name = "A,B", value_parser = Level::anybody)]
    players: Vec<Level>,
    /// Battles of each scenario, sides swapped every other battle
    #[arg(long, default_value_t = 40)]
    battles: u64,
    #[command(flatten)]
    report: ReportArgs,
}

/// The conduct on one scenario.
#[derive(Serialize)]
struct Watched {
    id: String,
    ruleset: String,
    title: String,
    #[serde(flatten)]
    conducts: Conducts,
}

impl Conduct {
    /// Watches them.
    pub fn run(self) -> Outcome {
        let players = ready_players(&self.players, self.report.clock, false)?;
        let [a, b] = players[..] else {
            return Err(Failure::wrong("--players takes two, as in subaltern,general:100ms"));
        };
        if self.battles == 0 {
            return Err(Failure::wrong("--battles 0: watch at least one"));
        }
        self.report.outputs()?;
        self.report.plot.as_deref().map(|p| ending(p, &["svg", "png"])).transpose()?;
        let seed: Seed = self.report.seed.parse().map_err(Failure::wrong)?;
        let bench = Bench::new(self.report.threads, self.battles * self.scenarios.len() as u64)?;
        let mut watched = Vec::new();
        for name in &self.scenarios {
            let (system, scenario) = load::scenario(name)?;
            let choices = self.report.choices.choices(system)?;
            let title = names(system, &scenario, &choices)?.title;
            bench.bar.set_message(scenario.name.clone());
            let study = Study {
                ruleset: system.about().id.into(),
                scenario: scenario.clone(),
                muster: None,
                choices,
                players: [a, b],
                battles: self.battles,
                seed,
            };
            let conducts =
                conduct(&study, bench.threads, &bench.stop, &|| bench.bar.inc(1)).map_err(failed)?;
            watched.push(Watched { id: scenario.name, ruleset: study.ruleset, title, conducts });
        }
        bench.bar.finish_and_clear();
        let text: String = watched.iter().map(markdown_of).collect();
        if let Some(path) = &self.report.markdown {
            files::write(path, text.as_bytes())?;
        }
        if let Some(path) = &self.report.plot {
            draw(path, &plate(&watched, self.battles))?;
        }
        if self.report.json { json(&watched) } else { say(text.trim_end()) }
    }
}

fn share(part: u64, of: u64) -> String {
    if of == 0 { "–".into() } else { format!("{part} of {of} ({:.0} %)", 100.0 * part as f64 / of as f64) }
}

fn markdown_of(watched: &Watched) -> String {
    let mut text = format!("## {} ({})\n\n", watched.title, watched.ruleset);
    let [a, b] = &watched.conducts.players;
    let mut row = |what: &str, tell: &dyn Fn(&Deeds) -> String| {
        let _ = writeln!(text, "| {what} | {} | {} |", tell(a), tell(b));
    };
    row("", &|c| c.player.clone());
    row("---", &|_| "---".into());
    row("decisions a battle", &|c| format!("{:.0}", c.decisions as f64 / c.battles.max(1) as f64));
    row("chances let go", &|c| share(c.passes, c.decisions));
    row("… with a target open", &|c| share(c.passes_with_a_target, c.passes));
    row("moves of nothing", &|c| share(c.moves_of_nothing, c.moves));
    row("units idle for a turn", &|c| {
        let (still, of) = c.idle.values().fold((0, 0), |sum, turn| (sum.0 + turn.0, sum.1 + turn.1));
        share(still, of)
    });
    row("fire without effect", &|c| share(c.shots_without_effect, c.shots.values().sum()));
    row("fire by range", &|c| {
        c.shots.iter().map(|(r, n)| format!("{r}–{}: {n}", r + 6)).collect::<Vec<_>>().join(", ")
    });
    row("units gone, by the last word of them", &|c| {
        c.gone.iter().map(|(how, n)| format!("{} {n}", how.replace('_', " "))).collect::<Vec<_>>().join(", ")
    });
    let _ = writeln!(
        text,
        "\nObjectives and markers changed hands {} times. {} of {} clauses never came up.\n",
        watched.conducts.tokens_taken,
        watched.conducts.silent_clauses.len(),
        watched.conducts.clauses
    );
    let _ = writeln!(text, "| answer | {} took it | {} took it |\n|---|---|---|", a.player, b.player);
    let names: std::collections::BTreeSet<&String> = a.answers.keys().chain(b.answers.keys()).collect();
    for name in names {
        let of = |c: &Deeds| c.answers.get(name).map_or_else(|| "–".into(), |t| share(t.taken, t.open));
        let _ = writeln!(text, "| {} | {} | {} |", name.replace('_', " "), of(a), of(b));
    }
    text.push('\n');
    text
}

/// How often each answer was taken when it was open.
fn plate(watched: &[Watched], battles: u64) -> Plate {
    let panel = |w: &Watched| {
        let rows = w.conducts.players[0].answers.iter().filter(|(_, t)| t.open > 0).map(|(name, t)| {
            let value = t.taken as f64 / t.open as f64;
            Dot {
                label: name.replace('_', " "),
                value,
                low: value,
                high: value,
                text: format!("{} of {}", t.taken, t.open),
                colour: 0,
            }
        });
        Panel::Dots {
            title: w.title.clone(),
            scale: Scale::SHARE,
            mark: None,
            rows: rows.collect(),
            bars: true,
        }
    };
    Plate {
        title: "Conduct".into(),
        subtitle: "How often each answer was taken when it was open".into(),
        panels: watched.iter().map(panel).collect(),
        foot: format!("{battles} battles of each; tricorne lab conduct"),
    }
}
