//! Journals survive save and load, and a changed one is found out.

use serde_json::Value;
use tricorne_chance::Whim;
use tricorne_game::journal::{Journal, JournalError};
use tricorne_game::{AnySystem, Choices, Source, Umpire};

/// Fights the first scenarios through the umpire, saves, loads, replays; then spoils the file in every way.
pub fn journals(system: &'static dyn AnySystem, seed: u64) {
    for scenario in system.scenarios() {
        let source = Source::new(scenario.id, scenario.text);
        let mut umpire = Umpire::begin(system, &source, &Choices::default(), seed.into())
            .unwrap_or_else(|f| panic!("{f}"));
        let mut whim = Whim::new(seed, 2);
        while let Some(seat) = umpire.battle().seat() {
            let action = umpire.battle().sample(&mut whim);
            umpire.act(seat, &action).unwrap_or_else(|e| panic!("{} {action}: {e}", scenario.id));
        }
        let journal = umpire.journal();
        let text = journal.to_text();
        assert_eq!(Journal::read(text.as_bytes()).as_ref(), Ok(&journal), "{}", scenario.id);
        let replayed = journal.replay(system, None).unwrap_or_else(|e| panic!("{}: {e}", scenario.id));
        assert_eq!(replayed.battle().hash(), umpire.battle().hash());
        step_back(&mut umpire, &journal);
        spoil(system, &journal, &text);
    }
}

fn step_back(umpire: &mut Umpire, journal: &Journal) {
    let half = journal.entries.len() / 2;
    umpire.step_back(half).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(umpire.turned().len(), half);
    assert_eq!(umpire.battle().hash(), journal.entries[half - 1].hash);
    for entry in &journal.entries[half..] {
        let turned = umpire.act(entry.seat, &entry.action).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(turned.hash, entry.hash, "play goes on the same after stepping back");
    }
}

fn spoil(system: &'static dyn AnySystem, journal: &Journal, text: &str) {
    let bytes = text.as_bytes();
    for i in (0..bytes.len()).step_by(bytes.len() / 97 + 1).chain([bytes.len() - 1, bytes.len() - 2]) {
        let mut flipped = bytes.to_vec();
        flipped[i] ^= 1;
        match Journal::read(&flipped) {
            Err(JournalError::Altered(_)) => {}
            other => panic!("byte {i} flipped: {other:?}"),
        }
        if i + 1 < bytes.len() {
            match Journal::read(&bytes[..i]) {
                Err(JournalError::Truncated { .. } | JournalError::Unreadable(_)) => {}
                other => panic!("cut at byte {i}: {other:?}"),
            }
        }
    }
    // A journal written again with a wrong action has a good digest and is found out by the rules or the hashes.
    let mut forged = journal.clone();
    let middle = forged.entries.len() / 2;
    let other = forged.entries[middle - 1].action.clone();
    if other != forged.entries[middle].action {
        forged.entries[middle].action = other;
        assert!(forged.replay(system, None).is_err(), "a forged action verifies");
    }
    let mut nonsense = journal.clone();
    nonsense.entries[middle].action = Value::String("no such action".into());
    assert!(matches!(nonsense.replay(system, None), Err(JournalError::Differs { .. })));
}
