//! `tricorne rules`: the rule help.

use clap::Args;
use serde_json::{Value, json};
use tricorne_game::{AnySystem, Clause, OptionSpec, Tag};

use super::lists::find;
use super::{json, say};
use crate::failure::{Failure, Outcome};

/// The rule help: a system's clauses and options, one clause, or those that speak of something.
#[derive(Args)]
pub struct Rules {
    /// The rule system; with --search, all of them without it
    #[arg(required_unless_present = "search")]
    ruleset: Option<String>,
    /// A clause's id, or the beginning of several: WBK-FIRE-06, WBK-FIRE
    clause: Option<String>,
    /// The clauses and options that speak of this; of several words, those that have them all
    #[arg(long, value_name = "WORD", num_args = 1.., conflicts_with_all = ["clause", "options"])]
    search: Vec<String>,
    /// Only the options
    #[arg(long, conflicts_with = "clause")]
    options: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Rules {
    /// Prints it.
    pub fn run(self) -> Outcome {
        if !self.search.is_empty() {
            return self.search();
        }
        let ruleset = self.ruleset.as_deref().unwrap_or_default();
        let system = find(ruleset)?;
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
            let word = self.clause.as_deref().unwrap_or_default();
            let why = format!(
                "{ruleset} has no clause `{wanted}`; `tricorne rules {ruleset}` lists them, and `tricorne rules {ruleset} \
                 --search {word}` looks for the word"
            );
            return Err(Failure::wrong(why));
        }
        if self.json {
            return json(&clauses.iter().map(|c| as_json(system, c)).collect::<Vec<_>>());
        }
        print_all(system, &clauses)?;
        if self.clause.is_none() {
            say("\n# House rules to choose\n")?;
            self.print_options(system)?;
        }
        Ok(())
    }

    /// What speaks of the words asked for.
    fn search(&self) -> Outcome {
        let systems = match &self.ruleset {
            Some(id) => vec![find(id)?],
            None => tricorne_shelf::systems().to_vec(),
        };
        let words: Vec<String> =
            self.search.iter().flat_map(|w| w.split_whitespace()).map(str::to_lowercase).collect();
        let has = |text: String| {
            let text = text.to_lowercase();
            // An option is written army_break_percent, and looked for as that or in words.
            words.iter().all(|w| text.contains(w) || text.contains(&w.replace('_', " ")))
        };
        let mut found = Vec::new();
        let mut count = 0;
        for system in systems {
            let speaks = |c: &&Clause| has(format!("{} {} {}", c.id, c.section, c.plain));
            let clauses: Vec<&Clause> = system.book().clauses.iter().filter(speaks).collect();
            let named = |o: &&OptionSpec| {
                has(format!("{} {} {} {}", o.id, o.about, o.default, o.others.join(" ")))
                    || clauses.iter().any(|c| c.option.as_ref() == Some(&o.id))
            };
            let options: Vec<&OptionSpec> = system.options().specs.iter().filter(named).collect();
            count += clauses.len() + options.len();
            if !clauses.is_empty() || !options.is_empty() {
                found.push((system, clauses, options));
            }
        }
        let said = self.search.join(" ");
        if count == 0 {
            let of = self.ruleset.as_deref().unwrap_or("any rulebook");
            return Err(Failure::No(format!("no clause or option of {of} speaks of `{said}`")));
        }
        if self.json {
            let list: Vec<Value> = found
                .iter()
                .map(|(system, clauses, options)| {
                    json!({
                        "ruleset": system.about().id,
                        "clauses": clauses.iter().map(|c| as_json(*system, c)).collect::<Vec<_>>(),
                        "options": options,
                    })
                })
                .collect();
            return json(&list);
        }
        for (system, clauses, options) in &found {
            say(&format!("{} ({})", system.about().title, system.about().id))?;
            print_all(*system, clauses)?;
            if !options.is_empty() {
                say("\n# House rules to choose\n")?;
                options.iter().try_for_each(|o| print_option(o))?;
            }
            say("")?;
        }
        Ok(())
    }

    fn print_options(&self, system: &dyn AnySystem) -> Outcome {
        if self.json {
            return json(&system.options().specs);
        }
        system.options().specs.iter().try_for_each(print_option)
    }
}

fn print_option(o: &OptionSpec) -> Outcome {
    let others = o.others.join(", ");
    say(&format!("{} = {} (or {others})  {} [{}]", o.id, o.default, o.about, o.clauses.join(", ")))
}

fn as_json(system: &dyn AnySystem, c: &Clause) -> Value {
    let option = c.option.as_ref().and_then(|o| system.options().get(o));
    json!({ "id": c.id, "section": c.section, "text": c.text, "plain": c.plain, "tag": c.tag, "option": option })
}

/// Clauses under their headings.
fn print_all(system: &dyn AnySystem, clauses: &[&Clause]) -> Outcome {
    let mut section = "";
    for clause in clauses {
        if clause.section != section {
            say(&format!("\n# {}\n", clause.section))?;
            section = &clause.section;
        }
        print(system, clause)?;
    }
    Ok(())
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
