//! `tricorne case`: rule cases.

use std::path::{Path, PathBuf};

use clap::Args;
use serde_json::json;
use tricorne_game::Source;
use tricorne_game::case::{Case, Report, Verdict, run};

use super::{json, say};
use crate::failure::{Failure, Outcome};
use crate::files;

/// Run rule cases.
#[derive(Args)]
pub struct CaseArgs {
    /// Case files, or folders of them (`-` reads one from standard input)
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Tell the story of every case, not only of those that fail
    #[arg(long)]
    story: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl CaseArgs {
    /// Runs them; the last line is 'N passed, N failed'.
    pub fn run(self) -> Outcome {
        let mut found = Vec::new();
        for path in &self.paths {
            let before = found.len();
            gather(path, &mut found)?;
            if found.len() == before {
                // Nothing failed, but nothing was shown either.
                return Err(Failure::wrong(format!(
                    "{}: there are no rule cases in this folder; they are files that end in .toml (docs/rule-cases.md)",
                    path.display()
                )));
            }
        }
        let mut passed = 0;
        let mut failed = 0;
        let mut broken = 0;
        let mut list = Vec::new();
        for path in found {
            let (title, report) = judge(&path)?;
            let name = files::name(&path);
            let (word, problems): (&str, Vec<String>) = match &report.verdict {
                Verdict::Passed => ("passed", Vec::new()),
                Verdict::Failed(wrong) => ("failed", wrong.clone()),
                Verdict::Broken(why) => ("broken", vec![why.clone()]),
            };
            match report.verdict {
                Verdict::Passed => passed += 1,
                Verdict::Failed(_) => failed += 1,
                Verdict::Broken(_) => broken += 1,
            }
            if self.json {
                list.push(json!({ "id": name, "title": title, "verdict": word, "problems": problems, "story": report.story }));
            } else if self.story || word != "passed" {
                let title = if title.is_empty() { String::new() } else { format!(": {title}") };
                say(&format!("{word}: {name}{title}"))?;
                problems.iter().try_for_each(|p| say(&format!("  {p}")))?;
                if !report.story.is_empty() {
                    say("  the story so far:")?;
                    report.story.iter().try_for_each(|line| say(&format!("    {line}")))?;
                }
            }
        }
        let count = format!("{passed} passed, {} failed", failed + broken);
        if self.json {
            json(&list)?;
        } else {
            say(&count)?;
        }
        match (broken, failed) {
            (0, 0) => Ok(()),
            (0, 1) => Err(Failure::No("1 rule case failed".into())),
            (0, n) => Err(Failure::No(format!("{n} rule cases failed"))),
            (1, _) => Err(Failure::wrong("1 rule case is broken: the file is wrong, so it shows nothing")),
            (n, _) => Err(Failure::Wrong(format!(
                "{n} rule cases are broken: the files are wrong, so they show nothing"
            ))),
        }
    }
}

fn judge(path: &Path) -> Result<(String, Report), Failure> {
    let source = Source::new(files::name(path), files::read_text(path)?);
    let broken =
        |why: String| Report { verdict: Verdict::Broken(why), story: Vec::new(), events: Vec::new() };
    let case = match Case::read(&source) {
        Ok(case) => case,
        Err(fault) => return Ok((String::new(), broken(fault.to_string()))),
    };
    let report = match tricorne_shelf::system(&case.ruleset) {
        Some(system) => run(system, &source, &case),
        None => {
            let ids: Vec<&str> = tricorne_shelf::systems().iter().map(|s| s.about().id).collect();
            let there = format!("there is {}", ids.join(", "));
            let hint = tricorne_game::did_you_mean(&case.ruleset, ids.iter().copied(), there);
            let why = format!("there is no ruleset `{}`; {hint}", case.ruleset);
            broken(source.fault(&["ruleset".into()], why).to_string())
        }
    };
    Ok((case.title, report))
}

/// Case files under a path, in order; `not-enforced.toml` is no case. A link to a folder may lead round in a circle, so
/// one that was not named is not gone into.
fn gather(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        if !path.exists() && !files::is_standard(path) {
            return Err(Failure::wrong(format!("{}: there is no such file or folder", path.display())));
        }
        found.push(path.to_owned());
        return Ok(());
    }
    let named = |e: std::io::Error| Failure::wrong(format!("{}: {e}", path.display()));
    let mut entries: Vec<PathBuf> =
        std::fs::read_dir(path).map_err(named)?.filter_map(|e| Some(e.ok()?.path())).collect();
    entries.sort();
    for entry in entries {
        let is_case = entry.extension().is_some_and(|e| e == "toml") && !entry.ends_with("not-enforced.toml");
        if (entry.is_dir() && !entry.is_symlink()) || (is_case && !entry.is_dir()) {
            gather(&entry, found)?;
        }
    }
    Ok(())
}
