//! `tricorne army` and `tricorne armies`: armies of one's own, mustered, checked, printed, pitched against each other.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use tricorne_chance::{Seed, Seeded};
use tricorne_game::army::{Army, ArmyReport, MusterCall};
use tricorne_game::{AnySystem, Source};
use tricorne_paper::{PaperSize, counters, labels, roster};

use super::lists::find;
use super::{json, say, sheet};
use crate::failure::{Failure, Outcome};
use crate::table::columns;
use crate::{files, load};

/// List the army lists.
#[derive(Args)]
pub struct Armies {
    /// Only those of one rule system
    #[arg(long, value_name = "R")]
    ruleset: Option<String>,
    /// What one list has: entries, points, limits
    #[arg(long, value_name = "ID")]
    show: Option<String>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Armies {
    /// Lists them.
    pub fn run(self) -> Outcome {
        let systems: Vec<&'static dyn AnySystem> = match &self.ruleset {
            None => tricorne_shelf::systems().to_vec(),
            Some(id) => vec![find(id)?],
        };
        let mut lists = Vec::new();
        for system in systems {
            lists.extend(system.army_lists().into_iter().map(|list| (system, list)));
        }
        if let Some(id) = &self.show {
            let Some((_, list)) = lists.iter().find(|(_, list)| list.id == *id) else {
                let ids: Vec<&str> = lists.iter().map(|(_, list)| list.id.as_str()).collect();
                let there = format!("there is {}", ids.join(", "));
                let hint = tricorne_game::did_you_mean(id, ids.iter().copied(), there);
                return Err(Failure::wrong(format!("there is no army list `{id}`; {hint}")));
            };
            if self.json {
                return json(list);
            }
            say(&format!("{} ({} points)", list.name, list.points))?;
            list.limits.iter().try_for_each(|limit| {
                say(&format!(
                    "  {}: {} [{}]",
                    limit.label,
                    limit.text,
                    limit.clause.as_deref().unwrap_or("-")
                ))
            })?;
            let mut rows = vec![
                ["id", "group", "name", "points", "least", "most", "upgrades"].map(String::from).to_vec(),
            ];
            rows.extend(list.entries.iter().map(|e| {
                let upgrades: Vec<String> =
                    e.upgrades.iter().map(|u| format!("{} {:+}", u.id, u.points)).collect();
                let most = e.most.map_or_else(|| "-".to_owned(), |m| m.to_string());
                [
                    &e.id,
                    &e.group,
                    &e.name,
                    &e.points.to_string(),
                    &e.least.to_string(),
                    &most,
                    &upgrades.join(", "),
                ]
                .map(Clone::clone)
                .to_vec()
            }));
            return say(columns(&rows).trim_end());
        }
        if self.json {
            let all: Vec<Value> = lists
                .iter()
                .map(|(system, list)| {
                    let mut value = serde_json::to_value(list).unwrap_or_default();
                    value["ruleset"] = system.about().id.into();
                    value
                })
                .collect();
            return json(&all);
        }
        let mut rows = vec![["id", "ruleset", "name", "points", "entries"].map(String::from).to_vec()];
        rows.extend(lists.iter().map(|(system, list)| {
            vec![
                list.id.clone(),
                system.about().id.to_owned(),
                list.name.clone(),
                list.points.to_string(),
                list.entries.len().to_string(),
            ]
        }));
        say(columns(&rows).trim_end())
    }
}

/// Armies of your own: muster one, check one, print one, pitch two against each other.
#[derive(Args)]
pub struct ArmyArgs {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Muster a legal army by chance
    New(New),
    /// What an army costs and which limits it breaks
    Check(Check),
    /// A roster, or counters to cut out: .html or .pdf
    Print(Print),
    /// A scenario of two armies against each other on random ground
    Pitch(Pitch),
}

impl ArmyArgs {
    /// Does it.
    pub fn run(self) -> Outcome {
        match self.job {
            Job::New(args) => args.run(),
            Job::Check(args) => args.run(),
            Job::Print(args) => args.run(),
            Job::Pitch(args) => args.run(),
        }
    }
}

#[derive(Args)]
struct New {
    /// The rule system
    #[arg(long, value_name = "R")]
    ruleset: String,
    /// The army list (`tricorne armies` lists them); by chance without it
    #[arg(long)]
    list: Option<String>,
    /// The points; the list's own without it
    #[arg(long)]
    points: Option<f64>,
    /// The seed of the dice
    #[arg(long, default_value = "1")]
    seed: String,
    /// The file to write; printed without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl New {
    fn run(self) -> Outcome {
        files::outputs(self.json, [self.output.as_deref()])?;
        let system = find(&self.ruleset)?;
        let seed: Seed = self.seed.parse().map_err(Failure::wrong)?;
        let call = MusterCall { list: self.list, points: self.points };
        let army = system.muster(&call, &mut Seeded::new(seed)).map_err(Failure::wrong)?;
        let report = system.check_army(&army);
        if !report.broken.is_empty() {
            return Err(Failure::No(told(&army.name, &report)));
        }
        if let Some(path) = &self.output {
            files::write(path, army.text().as_bytes())?;
        }
        match (self.json, &self.output) {
            (true, _) => json(&json!({ "army": army, "report": report })),
            (false, Some(_)) => say(&format!("{}: {} of {} points", army.name, report.points, report.limit)),
            (false, None) => say(army.text().trim_end()),
        }
    }
}

#[derive(Args)]
struct Check {
    /// An army file (`-` reads it from standard input)
    file: PathBuf,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    fn run(self) -> Outcome {
        let (system, army) = read(&self.file)?;
        let report = system.check_army(&army);
        if self.json {
            json(&report)?;
        } else if report.broken.is_empty() {
            say(&format!("{}: legal, {} of {} points", army.name, report.points, report.limit))?;
        }
        if report.broken.is_empty() {
            Ok(())
        } else {
            Err(Failure::No(told(&files::name(&self.file), &report)))
        }
    }
}

/// What is wrong with an army, a line each.
fn told(name: &str, report: &ArmyReport) -> String {
    let lines = report.broken.iter().map(|broken| {
        let place = broken.unit.map_or_else(String::new, |n| format!("unit {}: ", n + 1));
        format!("  {place}{} [{}]", broken.why, broken.clause)
    });
    let lines: Vec<String> = lines.collect();
    format!("{name}: {} of {} points, not legal\n{}", report.points, report.limit, lines.join("\n"))
}

#[derive(Args)]
struct Print {
    /// An army file (`-` reads it from standard input)
    file: PathBuf,
    /// What to write: .html or .pdf (`-`: standard output)
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Write this, whatever the file's name ends in
    #[arg(long, value_parser = ["html", "pdf"])]
    format: Option<String>,
    /// Counters to cut out, true to size, instead of the roster
    #[arg(long)]
    counters: bool,
    /// Labels to lay beside the units, instead of the roster
    #[arg(long, conflicts_with = "counters")]
    labels: bool,
    /// The paper in the printer: a4 or letter
    #[arg(long, default_value = "a4")]
    paper: PaperSize,
}

impl Print {
    fn run(self) -> Outcome {
        files::outputs(false, [Some(self.output.as_path())])?;
        let (system, army) = read(&self.file)?;
        let report = system.check_army(&army);
        if !report.broken.is_empty() {
            return Err(Failure::No(told(&files::name(&self.file), &report)));
        }
        let on_paper = system
            .roster(&army)
            .ok_or_else(|| Failure::wrong(format!("{} has no rosters", system.about().title)))?;
        let leaves = if self.counters {
            counters(&on_paper, system.about().unit, self.paper)
        } else if self.labels {
            Ok(labels(&on_paper, self.paper))
        } else {
            roster(&on_paper, self.paper).map(|leaf| vec![leaf])
        };
        sheet::write(&leaves.map_err(Failure::wrong)?, &self.output, self.format.as_deref())
    }
}

#[derive(Args)]
struct Pitch {
    /// The first army file
    first: PathBuf,
    /// The second army file, of the same rule system
    second: PathBuf,
    /// The seed of the ground; an open table without it
    #[arg(long, value_name = "SEED")]
    terrain: Option<String>,
    /// The table's width and depth; the usual ones without it
    #[arg(long, value_name = "WxH", value_parser = load::table_size)]
    table: Option<[f64; 2]>,
    /// The scenario file to write; printed without it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Pitch {
    fn run(self) -> Outcome {
        let (system, first) = read(&self.first)?;
        let (other, second) = read(&self.second)?;
        if system.about().id != other.about().id {
            return Err(Failure::wrong(format!(
                "{} is of {}, {} of {}; both must be of one rule system",
                files::name(&self.first),
                system.about().id,
                files::name(&self.second),
                other.about().id
            )));
        }
        let table = self.table;
        let ground = match &self.terrain {
            None => String::new(),
            Some(seed) => {
                let seed: Seed = seed.parse().map_err(Failure::wrong)?;
                system.random_terrain(table, &mut Seeded::new(seed)).map_err(Failure::wrong)?
            }
        };
        let text = system.pitch(&[first, second], &ground, table).map_err(Failure::wrong)?;
        match &self.output {
            None => say(text.trim_end()),
            Some(path) => files::write(path, text.as_bytes()),
        }
    }
}

/// An army file and its rule system.
fn read(path: &Path) -> Result<(&'static dyn AnySystem, Army), Failure> {
    let file = Source::new(files::name(path), files::read_text(path)?);
    let army = Army::read(&file)?;
    let system = find(&army.ruleset).map_err(|failure| match failure {
        Failure::Wrong(why) => file.fault(&["ruleset".into()], why).into(),
        other => other,
    })?;
    Ok((system, army))
}
