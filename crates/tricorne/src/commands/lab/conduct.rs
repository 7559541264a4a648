//! `tricorne lab conduct`: what programs do, not only who wins.

use std::collections::BTreeMap;
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

/// What programs do over many battles: answers taken and open, answers that did nothing, moves of nothing, friends ridden
/// through, idle units, what was announced and dropped, dice that failed, fire by range, flanks offered, ground, clauses
/// that never came up.
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
            super::mind::fits(system, &self.players)?;
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
        // What came of it first: a file that can't be written takes nothing else with it.
        let told = if self.report.json { json(&watched) } else { say(text.trim_end()) };
        if let Some(path) = &self.report.markdown {
            files::write(path, text.as_bytes())?;
        }
        if let Some(path) = &self.report.plot {
            draw(path, &plate(&watched, self.battles))?;
        }
        told
    }
}

fn share(part: u64, of: u64) -> String {
    if of == 0 { "–".into() } else { format!("{part} of {of} ({:.0} %)", 100.0 * part as f64 / of as f64) }
}

fn listed(counts: &BTreeMap<String, u64>) -> String {
    counts.iter().map(|(what, n)| format!("{} {n}", what.replace('_', " "))).collect::<Vec<_>>().join(", ")
}

/// What is counted of a player, with how much of what it is.
fn follies(c: &Deeds) -> Vec<(&'static str, u64, u64)> {
    let (still, of) = c.idle.values().fold((0, 0), |sum, turn| (sum.0 + turn.0, sum.1 + turn.1));
    let tests = c.tests.values().fold([0; 3], |sum, t| [sum[0] + t[0], sum[1] + t[1], sum[2] + t[2]]);
    vec![
        ("answers that did nothing", c.passes, c.decisions),
        ("… where a blow was open (of those looked into)", c.passes_with_a_target, c.passes_looked_into),
        ("moves of nothing", c.moves_of_nothing, c.moves),
        ("friends ridden through, a move", c.friends_ridden_through, c.moves),
        ("units idle for a turn", still, of),
        ("announced against an enemy and dropped", c.announced.1, c.announced.0),
        ("dice for oneself failed", tests[1], tests[0]),
        ("… needing a six of one die", tests[2], tests[0]),
        ("fire without effect", c.shots_without_effect, c.shots.values().sum()),
        ("blows taken in flank or rear", c.struck.1, c.struck.0),
    ]
}

fn markdown_of(watched: &Watched) -> String {
    let mut text = format!("## {} ({})\n\n", watched.title, watched.ruleset);
    let [a, b] = &watched.conducts.players;
    let _ = writeln!(text, "| | {} | {} |\n|---|---|---|", a.player, b.player);
    for ((what, part, of), (_, other, whole)) in follies(a).into_iter().zip(follies(b)) {
        let _ = writeln!(text, "| {what} | {} | {} |", share(part, of), share(other, whole));
    }
    let mut row = |what: &str, tell: &dyn Fn(&Deeds) -> String| {
        let _ = writeln!(text, "| {what} | {} | {} |", tell(a), tell(b));
    };
    row("decisions a battle", &|c| format!("{:.0}", c.decisions as f64 / c.battles.max(1) as f64));
    row("objectives and markers taken", &|c| c.tokens_taken.to_string());
    row("fire by range", &|c| {
        c.shots.iter().map(|(r, n)| format!("{r}–{}: {n}", r + 6)).collect::<Vec<_>>().join(", ")
    });
    row("done to the enemy", &|c| listed(&c.blows));
    row("dice for oneself: rolled, failed", &|c| {
        let test = |(what, t): (&String, &[u64; 3])| format!("{} {}, {}", what.replace('_', " "), t[0], t[1]);
        c.tests.iter().map(test).collect::<Vec<_>>().join("; ")
    });
    row("turns stood on each ground", &|c| listed(&c.ground));
    row("units gone, by the last word of them", &|c| listed(&c.gone));
    let _ = writeln!(
        text,
        "\nOpen and never taken: {}. {} of {} clauses never came up.\n",
        watched.conducts.never_taken().join(", ").replace('_', " "),
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

/// For each scenario: what is counted as a folly, fire by range, and how often each answer was taken when it was open.
fn plate(watched: &[Watched], battles: u64) -> Plate {
    let dot = |label: String, part: u64, of: u64, colour: usize| {
        let value = part as f64 / of.max(1) as f64;
        Dot { label, value, low: value, high: value, text: format!("{part} of {of}"), colour }
    };
    let panels = |w: &Watched| {
        let [a, b] = &w.conducts.players;
        let both = a.player != b.player;
        let mut counted = Vec::new();
        for ((what, part, of), (_, other, whole)) in follies(a).into_iter().zip(follies(b)) {
            counted.push(dot(what.to_owned(), part, of, 0));
            counted.extend(both.then(|| dot(format!("… {}", b.player), other, whole, 1)));
        }
        let bars =
            |title: String, rows| Panel::Dots { title, scale: Scale::SHARE, mark: None, rows, bars: true };
        let ranges: std::collections::BTreeSet<u32> = a.shots.keys().chain(b.shots.keys()).copied().collect();
        let shots = |c: &Deeds, range: u32| c.shots.get(&range).copied().unwrap_or(0);
        let answers = a.answers.iter().filter(|(_, t)| t.open > 0);
        vec![
            bars(w.title.clone(), counted),
            Panel::Columns {
                title: "Fire by range".into(),
                about: "in steps of six of the table's unit".into(),
                parts: vec![a.player.clone(), b.player.clone()],
                columns: ranges.into_iter().map(|r| (r / 6, vec![shots(a, r), shots(b, r)])).collect(),
            },
            bars(
                format!("How often {} took each answer when it was open", a.player),
                answers.map(|(name, t)| dot(name.replace('_', " "), t.taken, t.open, 0)).collect(),
            ),
        ]
    };
    Plate {
        title: "Conduct".into(),
        subtitle: "What programs did, not only who won".into(),
        panels: watched.iter().flat_map(panels).collect(),
        foot: format!("{battles} battles of each; tricorne lab conduct"),
    }
}
