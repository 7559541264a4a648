//! `tricorne rulesets` and `tricorne scenarios`.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::{Value, json};
use tricorne_game::{AnySystem, Choices, Purpose, Source};

use super::{json, say};
use crate::failure::{Failure, Outcome};
use crate::files;
use crate::table::columns;

/// List the rule systems.
#[derive(Args)]
pub struct Rulesets {
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Rulesets {
    /// Lists them.
    pub fn run(self) -> Outcome {
        let systems = tricorne_shelf::systems();
        if self.json {
            let list: Vec<Value> = systems
                .iter()
                .map(|s| {
                    let mut about = serde_json::to_value(s.about()).unwrap_or_default();
                    about["clauses"] = s.book().clauses.len().into();
                    about["options"] = s.options().specs.len().into();
                    about["scenarios"] = s.scenarios().iter().map(|s| s.id).collect();
                    about
                })
                .collect();
            return json(&list);
        }
        let mut rows = vec![vec!["id".into(), "title".into(), "clauses".into(), "about".into()]];
        for s in systems {
            let about = s.about();
            rows.push(vec![
                about.id.into(),
                about.title.into(),
                s.book().clauses.len().to_string(),
                about.blurb.into(),
            ]);
        }
        say(columns(&rows).trim_end())
    }
}

/// List the scenarios.
#[derive(Args)]
pub struct Scenarios {
    /// Only those of one rule system
    #[arg(long, value_name = "R")]
    ruleset: Option<String>,
    /// Print the JSON schema of the system's scenario files instead (needs --ruleset)
    #[arg(long, requires = "ruleset")]
    schema: bool,
    /// Print a scenario's file, to start one of your own from
    #[arg(long, value_name = "ID", conflicts_with_all = ["schema", "json"])]
    show: Option<String>,
    /// Write a file of an older format anew in the present one: in its place, or from standard input to standard output
    /// for `-`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["schema", "show", "json", "ruleset"])]
    upgrade: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Scenarios {
    /// Lists them.
    pub fn run(self) -> Outcome {
        if let Some(path) = &self.upgrade {
            return upgrade(path);
        }
        if let Some(id) = &self.show {
            let (system, file) = tricorne_shelf::scenario(id)?;
            if let Some(ruleset) = self.ruleset.as_ref().filter(|r| **r != system.about().id) {
                find(ruleset)?;
                let of = system.about().id;
                return Err(Failure::wrong(format!("--show {id}: is of {of}, not of {ruleset}")));
            }
            return say(file.text.trim_end());
        }
        let systems: Vec<&'static dyn AnySystem> = match &self.ruleset {
            None => tricorne_shelf::systems().to_vec(),
            Some(id) => vec![find(id)?],
        };
        if self.schema {
            return json(&systems[0].scenario_schema());
        }
        let mut list = Vec::new();
        for system in systems {
            for text in system.scenarios() {
                let battle = system.set_up(
                    &Source::new(text.id, text.text),
                    &Choices::default(),
                    Purpose::Scenario,
                )?;
                let view = battle.view(None);
                list.push(json!({
                    "id": text.id,
                    "ruleset": system.about().id,
                    "title": view.title,
                    "seats": view.seats,
                    "table": view.table,
                    "turns": view.clock.of,
                    "units": view.units.len(),
                    "favours": text.favours,
                }));
            }
        }
        if self.json {
            return json(&list);
        }
        let text = |v: &Value| match v {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let keys = ["id", "ruleset", "title", "turns", "units", "favours"];
        let mut rows = vec![keys.map(String::from).to_vec()];
        rows.extend(list.iter().map(|s| keys.map(|k| text(&s[k])).to_vec()));
        say(columns(&rows).trim_end())
    }
}

/// Writes a scenario file anew in the present format, once what is written has been read and means the same.
fn upgrade(path: &Path) -> Outcome {
    let file = Source::new(files::name(path), files::read_text(path)?);
    let system = tricorne_shelf::system_of(&file)?;
    let before = system.set_up(&file, &Choices::default(), Purpose::Scenario)?;
    let Some(text) = system.upgraded(&file)? else {
        files::remark(&format!("{} is of the present format already; nothing is changed", file.name));
        return if files::is_standard(path) { files::write(path, file.text.as_bytes()) } else { Ok(()) };
    };
    let anew = Source::new(format!("{}, written anew", file.name), text);
    let after = system.set_up(&anew, &Choices::default(), Purpose::Scenario)?;
    if before.hash() != after.hash() {
        return Err(Failure::wrong(format!(
            "{}: written anew it would not be the same battle, so it is left as it is; this is a fault of ours",
            file.name
        )));
    }
    files::write(path, anew.text.as_bytes())
}

/// The system of that id, or which there are.
pub fn find(id: &str) -> Result<&'static dyn AnySystem, Failure> {
    tricorne_shelf::system(id).ok_or_else(|| {
        let ids: Vec<&str> = tricorne_shelf::systems().iter().map(|s| s.about().id).collect();
        let there = format!("there is {}", ids.join(", "));
        let hint = tricorne_game::did_you_mean(id, ids.iter().copied(), there);
        Failure::wrong(format!("there is no ruleset `{id}`; {hint}"))
    })
}
