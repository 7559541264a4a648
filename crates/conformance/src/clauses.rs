//! Every clause of the rulebook is shown by something that goes red when it is broken.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tricorne_game::case::{Case, Verdict, moment, run};
use tricorne_game::{AnyBattle, AnySystem, Source};

/// The workspace's root, from any crate's tests.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(2).unwrap_or(here).to_owned()
}

pub(crate) fn case_folder(system: &dyn AnySystem) -> PathBuf {
    root().join("rulebooks").join(system.about().id).join("cases")
}

/// The rule cases beneath a folder, in order.
pub fn case_files(folder: &Path) -> Vec<PathBuf> {
    fn gather(folder: &Path, found: &mut Vec<PathBuf>) {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        for path in entries.map(|e| e.path()) {
            if path.is_dir() {
                gather(&path, found);
            } else if path.extension().is_some_and(|e| e == "toml") && !path.ends_with("not-enforced.toml") {
                found.push(path);
            }
        }
    }
    let mut found = Vec::new();
    gather(folder, &mut found);
    found.sort();
    found
}

/// Runs every case of the system's rulebook; panics with what failed.
pub fn cases(system: &dyn AnySystem) {
    let mut failures = Vec::new();
    let files = case_files(&case_folder(system));
    assert!(!files.is_empty(), "{} has no cases", system.about().id);
    for path in &files {
        let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let source = Source::new(path.display().to_string(), text);
        match Case::read(&source) {
            Err(fault) => failures.push(fault.to_string()),
            Ok(case) => match run(system, &source, &case).verdict {
                Verdict::Passed => {}
                Verdict::Failed(wrong) => failures.push(format!("{}: {}", source.name, wrong.join("; "))),
                Verdict::Broken(why) => failures.push(why),
            },
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {} cases fail:\n{}",
        failures.len(),
        files.len(),
        failures.join("\n")
    );
}

/// Whatever is done in a case was offered: listed, or of a family of answers with a place in it. `check` alone would not
/// notice a decision that lists nothing. `free` are answers that hold a number of the player's own, of which only some are
/// listed, or none but by name among the words of another family. What leads up to a refusal is not gone through again,
/// so a case may be followed only so far.
pub fn answers_are_listed(system: &dyn AnySystem, free: &[&str]) {
    let mut followed = 0;
    let mut missing = Vec::new();
    for path in case_files(&case_folder(system)) {
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let source = Source::new(path.display().to_string(), text);
        let Ok(case) = Case::read(&source) else { continue };
        let (steps, unlisted) = follow(system, &source, &case, free);
        followed += steps;
        missing.extend(unlisted);
    }
    assert!(missing.is_empty(), "taken, but not listed:\n{}", missing.join("\n"));
    assert!(followed > 300, "only {followed} answers were followed");
}

/// Follows a case answer by answer: how many there were, and which of them were not listed.
pub fn follow(system: &dyn AnySystem, source: &Source, case: &Case, free: &[&str]) -> (usize, Vec<String>) {
    let mut missing = Vec::new();
    for n in 0.. {
        let Ok((battle, Some(action))) = moment(system, source, case, n) else { return (n, missing) };
        if battle.check(&action).is_err() {
            return (n, missing);
        }
        if !is_listed(&*battle, &action, free) {
            missing.push(format!("{}: {action}", source.name));
        }
    }
    unreachable!("a case has an end")
}

/// Whether an answer is among those a battle lists; giving up is always open and never listed.
fn is_listed(battle: &dyn AnyBattle, action: &Value, free: &[&str]) -> bool {
    fn name(action: &Value) -> Option<&str> {
        action.as_str().or_else(|| action.as_object()?.keys().next().map(String::as_str))
    }
    let legal = battle.legal();
    let named = name(action);
    named == Some("concede")
        || legal.listed.contains(action)
        || legal.spaces.iter().any(|space| Some(space.action.as_str()) == named)
        || named.filter(|n| free.contains(n)).is_some_and(|n| {
            legal.listed.iter().any(|listed| name(listed) == named)
                || legal
                    .spaces
                    .iter()
                    .any(|space| space.shape.split(|c: char| !c.is_alphabetic()).any(|word| word == n))
        })
}

/// Lists the clauses that no case and no test names and that `cases/not-enforced.toml` does not excuse with a
/// reason; panics if there are any. `tests` are the sources of the system's own tests.
pub fn clauses_shown(system: &dyn AnySystem, tests: &[&str]) {
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    for path in case_files(&case_folder(system)) {
        let text = fs::read_to_string(&path).unwrap_or_default();
        if let Ok(case) = Case::read(&Source::new(path.display().to_string(), text)) {
            for clause in case.clauses {
                *shown.entry(clause).or_default() += 1;
            }
        }
    }
    let path = root().join("rulebooks").join(system.about().id).join("cases/not-enforced.toml");
    let excused: BTreeMap<String, String> = fs::read_to_string(&path)
        .ok()
        .map(|text| toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display())))
        .unwrap_or_default();
    for (clause, reason) in &excused {
        assert!(system.book().clause(clause).is_some(), "{}: no clause {clause}", path.display());
        assert!(reason.len() > 10, "{}: {clause} is excused without a reason", path.display());
    }
    let named = |id: &str| tests.iter().any(|text| text.contains(id));
    let bare: Vec<&str> = system
        .book()
        .clauses
        .iter()
        .map(|c| c.id.as_str())
        .filter(|id| !shown.contains_key(*id) && !excused.contains_key(*id) && !named(id))
        .collect();
    assert!(
        bare.is_empty(),
        "{} clauses of {} are shown by nothing:\n{}",
        bare.len(),
        system.about().id,
        bare.join("\n")
    );
}
