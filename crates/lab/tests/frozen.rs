//! The frozen rung: an `ensign` chooses as the first judgement did. What it answered and how it thought the battle stood
//! is recorded for every shipped scenario.
//!
//! Red after a change of judgement: the change reaches what the first school shares with the present one. Write it beside
//! instead. Red after a change of rules: record anew (`TRICORNE_RECORD=1`) and say the clause in the commit.

use tricorne_agents::{Level, Player};
use tricorne_chance::{Seed, Seeded};
use tricorne_game::{AnySystem, Choices, Log, School, Source, StateHash};

/// As far as each battle is followed: long enough for every kind of decision, short enough for a test.
const DECISIONS: usize = 400;

const RECORD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/frozen.txt");

/// A battle between ensigns, as a line: the scenario, how far it went, a hash of all answers and standings.
fn line(system: &dyn AnySystem, scenario: &str, text: &str) -> String {
    let (id, seed) = (system.about().id, Seed::from(16));
    let file = Source::new(scenario, text);
    let choices = Choices::default();
    let (_, mut battle) = tricorne_game::ready(system, &file, &choices).unwrap();
    let mut chance = Seeded::new(seed);
    battle.begin(&mut chance, &mut Log::off());
    let mut players: Vec<Player> =
        battle.seats().iter().map(|s| Player::new(Level::Ensign, seed, s.seat)).collect();
    let mut told = Vec::new();
    while let Some(seat) = battle.seat().filter(|_| told.len() < DECISIONS) {
        let action = players[seat.index()].choose_any(&*battle);
        let mut judge = battle.boxed_clone();
        judge.heed(&School::First);
        told.push(format!("{action} {:.6}", judge.standing(seat)));
        battle.apply(&action, &mut chance, &mut Log::off()).unwrap();
    }
    format!("{id}/{scenario} {} {}", told.len(), StateHash::of(&told))
}

#[test]
fn an_ensign_chooses_as_the_first_judgement_did() {
    let lines: Vec<String> = tricorne_shelf::systems()
        .iter()
        .flat_map(|&system| system.scenarios().iter().map(move |s| line(system, s.id, s.text)))
        .collect();
    if std::env::var_os("TRICORNE_RECORD").is_some() {
        std::fs::write(RECORD, lines.join("\n") + "\n").unwrap();
    }
    let recorded = std::fs::read_to_string(RECORD).unwrap();
    let name = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    // A scenario that has come since is not recorded yet; one that is recorded must play as it did.
    for then in recorded.lines() {
        let now = lines.iter().find(|now| name(now) == name(then));
        assert_eq!(now.map(String::as_str), Some(then), "the frozen rung has moved");
    }
    for system in tricorne_shelf::systems() {
        assert!(recorded.lines().any(|then| then.starts_with(system.about().id)), "{}", system.about().id);
    }
}
