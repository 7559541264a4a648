//! What is done in a case was offered: listed, or of a family of answers with a place in it. `check` alone would not notice
//! a decision that lists nothing.

use std::path::Path;

use serde_json::Value;
use tricorne_game::case::{Case, moment};
use tricorne_game::{AnyBattle, Source};
use tricorne_rules_all_the_kings_men::AllTheKingsMen;

static SYSTEM: AllTheKingsMen = AllTheKingsMen;

/// Whether an answer that a battle takes is among those it lists; giving up is always open and never listed.
fn is_listed(battle: &dyn AnyBattle, action: &Value) -> bool {
    let legal = battle.legal();
    let name = action.as_str().or_else(|| action.as_object()?.keys().next().map(String::as_str));
    name == Some("concede")
        || legal.listed.contains(action)
        || legal.spaces.iter().any(|space| Some(space.action.as_str()) == name)
}

#[test]
fn what_is_done_in_a_case_was_listed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks/all-the-kings-men/cases");
    let files = std::fs::read_dir(&folder).unwrap().map(|file| file.unwrap().path());
    let mut seen = 0;
    for path in files.filter(|path| path.extension().is_some_and(|e| e == "toml")) {
        let source = Source::new(path.display().to_string(), std::fs::read_to_string(&path).unwrap());
        let Ok(case) = Case::read(&source) else { continue };
        for n in 0.. {
            // What leads up to a refusal is not gone through again, so a case may be followed only so far.
            let Ok((battle, Some(action))) = moment(&SYSTEM, &source, &case, n) else { break };
            if battle.check(&action).is_err() {
                break;
            }
            assert!(is_listed(&*battle, &action), "{}: {action} is taken, but not listed", source.name);
            seen += 1;
        }
    }
    assert!(seen > 300, "{seen} answers");
}
