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
        moments(&umpire, &journal);
        step_back(&mut umpire, &journal);
        play_on(system, &journal, seed);
        spoil(system, &journal, &text);
        older_revision(system, &journal);
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

/// Any moment can be had again, from the set-up to the end.
fn moments(umpire: &Umpire, journal: &Journal) {
    let last = journal.entries.len();
    for n in (0..=last).step_by(last / 7 + 1).chain([last - 1, last]) {
        let hash = n.checked_sub(1).map_or(journal.header.start, |i| journal.entries[i].hash);
        assert_eq!(umpire.battle_after(n).map(|b| b.hash()), Some(hash), "the moment after {n} actions");
    }
    assert!(umpire.battle_after(last + 1).is_none());
}

/// A battle goes on from the middle of another with dice of its own, twice over; its journal verifies, and without the
/// new seeds it does not.
fn play_on(system: &'static dyn AnySystem, journal: &Journal, seed: u64) {
    let half = journal.entries.len() / 2;
    let mut on = journal.replay(system, Some(half)).unwrap_or_else(|e| panic!("{e}"));
    for (after, anew) in [(half, seed + 1), (half + 40, seed + 2)] {
        let mut whim = Whim::new(anew, 3);
        // Stepping back over the place where the dice change must not lose it.
        on.reseed(anew.into());
        while let Some(seat) = on.battle().seat().filter(|_| on.turned().len() < after + 40) {
            let action = on.battle().sample(&mut whim);
            on.act(seat, &action).unwrap_or_else(|e| panic!("{action}: {e}"));
        }
        let (far, hash) = (on.turned().len(), on.battle().hash());
        let again: Vec<_> =
            on.turned()[after.min(far)..].iter().map(|t| (t.seat, t.action.clone())).collect();
        on.step_back(after).unwrap_or_else(|e| panic!("{e}"));
        for (seat, action) in &again {
            on.act(*seat, action).unwrap_or_else(|e| panic!("{action}: {e}"));
        }
        assert_eq!((on.turned().len(), on.battle().hash()), (far, hash));
    }
    let written = on.journal();
    let read = Journal::read(written.to_text().as_bytes()).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(read, written);
    let replayed = read.replay(system, None).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(replayed.battle().hash(), on.battle().hash());
    assert_eq!(replayed.journal(), written, "a replayed journal is the same journal");
    let drew = on.turned().iter().skip(half).any(|t| !t.draws.is_empty());
    let mut forged = written;
    forged.header.reseeds.clear();
    assert!(!drew || forged.replay(system, None).is_err(), "dice of another seed verify");
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

/// A journal of another revision is played without comparing hashes, and nothing else is waived.
fn older_revision(system: &'static dyn AnySystem, journal: &Journal) {
    let mut old = journal.clone();
    old.header.revision += 1000;
    for entry in &mut old.entries {
        entry.hash = old.header.start;
    }
    let replayed = old.replay(system, None).unwrap_or_else(|e| panic!("{e}"));
    assert!(!old.is_of(system) && replayed.turned().len() == old.entries.len());
    old.entries[0].action = Value::String("no such action".into());
    assert!(matches!(old.replay(system, None), Err(JournalError::Differs { action: 1, .. })));
}
