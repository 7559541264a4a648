//! `tricorne rules`: the rule help.

use clap::Args;
use serde_json::json;
use tricorne_game::{AnySystem, Clause, Tag};

use super::lists::find;
use super::{json, say};
use crate::failure::{Failure, Outcome};

/// The rule help: a system's clauses and options, or one clause.
#[derive(Args)]
pub struct Rules {
    /// The rule system
    ruleset: String,
    /// A clause's id, or the beginning of several: WBK-FIRE-06, WBK-FIRE
    clause: Option<String>,
    /// Only the options
    #[arg(long)]
    options: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Rules {
    /// Prints it.
    pub fn run(self) -> Outcome {
        let system = find(&self.ruleset)?;
        if self.options {
            return self.print_options(system);
        }
        let wanted = self.clause.as_deref().unwrap_or_default().to_ascii_uppercase();
        let exact = system.book().clause(&wanted);
        let clauses: Vec<&Clause> = match exact {
            Some(clause) => vec![clause],
            None => system.book().clauses.iter().filter(|c| c.id.starts_with(&wanted)).collect(),
        };
        if clauses.is_empty() {
            let why = format!(
                "{} has no clause `{wanted}`; `tricorne rules {}` lists them",
                self.ruleset, self.ruleset
            );
            return Err(Failure::wrong(why));
        }
        if self.json {
            let list: Vec<_> = clauses
                .iter()
                .map(|c| {
                    let option = c.option.as_ref().and_then(|o| system.options().get(o));
                    json!({ "id": c.id, "section": c.section, "text": c.text, "plain": c.plain, "tag": c.tag, "option": option })
                })
                .collect();
            return json(&list);
        }
        let mut section = "";
        for clause in clauses {
            if clause.section != section {
                say(&format!("\n# {}\n", clause.section))?;
                section = &clause.section;
            }
            print(system, clause)?;
        }
        if self.clause.is_none() {
            say("\n# House rules to choose\n")?;
            self.print_options(system)?;
        }
        Ok(())
    }

    fn print_options(&self, system: &dyn AnySystem) -> Outcome {
        if self.json {
            return json(&system.options().specs);
        }
        for o in &system.options().specs {
            say(&format!(
                "{} = {} (or {})  {} [{}]",
                o.id,
                o.default,
                o.others.join(", "),
                o.about,
                o.clauses.join(", ")
            ))?;
        }
        Ok(())
    }
}

/// One clause, with its switch.
fn print(system: &dyn AnySystem, clause: &Clause) -> Outcome {
    let mark = match clause.tag {
        Tag::Source => String::new(),
        tag => format!(" ({tag})"),
    };
    say(&format!("{}{mark}  {}", clause.id, clause.plain))?;
    if let Some(option) = clause.option.as_ref().and_then(|o| system.options().get(o)) {
        say(&format!("    option {} = {} (or {})", option.id, option.default, option.others.join(", ")))?;
    }
    Ok(())
}
