//! Battles recorded before a change to the house go the same way after it: same events, same questions, same facts.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tricorne_chance::Whim;
use tricorne_game::journal::Journal;
use tricorne_game::{AnySystem, Choices, Source, Umpire};

/// Facts are large; they are kept of every so-manieth moment.
const FACTS_EVERY: usize = 16;

/// Fights every scenario once for each seed, at random, and keeps the journals and what happened in `folder`.
pub fn record(system: &'static dyn AnySystem, folder: &Path, seeds: std::ops::Range<u64>) {
    fs::create_dir_all(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for scenario in system.scenarios() {
        for seed in seeds.clone() {
            let source = Source::new(scenario.id, scenario.text);
            let mut umpire = Umpire::begin(system, &source, &Choices::default(), seed.into())
                .unwrap_or_else(|f| panic!("{f}"));
            let mut whim = Whim::new(seed, 2);
            let mut told = vec![moment(&umpire)];
            while let Some(seat) = umpire.battle().seat() {
                let action = umpire.battle().sample(&mut whim);
                umpire.act(seat, &action).unwrap_or_else(|e| panic!("{} {action}: {e}", scenario.id));
                told.push(moment(&umpire));
            }
            let keep = |ending: &str, text: String| {
                let path = folder.join(format!("{}-{seed}.{ending}", scenario.id));
                fs::write(&path, text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            };
            keep("journal", umpire.journal().to_text());
            keep("told", told.iter().map(Value::to_string).collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Plays every recorded battle's actions again and compares. Panics with the first action that went another way.
/// Returns how many battles went the same way.
pub fn same_events(system: &'static dyn AnySystem, folder: &Path) -> usize {
    let files = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut journals: Vec<_> = files.flatten().map(|f| f.path()).collect();
    journals.retain(|path| path.extension().is_some_and(|e| e == "journal"));
    journals.sort();
    assert!(!journals.is_empty(), "no journals in {}", folder.display());
    for path in &journals {
        let name = path.display();
        let text = fs::read(path).unwrap_or_else(|e| panic!("{name}: {e}"));
        let journal = Journal::read(text.as_slice()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let told = fs::read_to_string(path.with_extension("told")).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut told = told.lines().map(|line| serde_json::from_str::<Value>(line).unwrap_or_default());
        let mut umpire =
            Umpire::begin_again(system, &journal.header).unwrap_or_else(|f| panic!("{name}: {f}"));
        assert_eq!(Some(moment(&umpire)), told.next(), "{name}: before the first action");
        for (i, entry) in journal.entries.iter().enumerate() {
            umpire
                .act(entry.seat, &entry.action)
                .unwrap_or_else(|e| panic!("{name}: action {i} {}: {e}", entry.action));
            assert_eq!(Some(moment(&umpire)), told.next(), "{name}: action {i} {}", entry.action);
        }
    }
    journals.len()
}

/// What happened last, what is asked now, and now and then how everything stands.
fn moment(umpire: &Umpire) -> Value {
    let done = umpire.turned().len();
    let events = umpire.turned().last().map_or(umpire.prologue(), |t| &t.events);
    let facts = if done.is_multiple_of(FACTS_EVERY) { umpire.battle().facts() } else { Value::Null };
    let moment = json!({ "events": events, "pending": umpire.battle().pending(), "facts": facts });
    // As a file holds it: numbers that print alike are alike.
    serde_json::from_str(&moment.to_string()).unwrap_or_default()
}
