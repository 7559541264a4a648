//! The frozen rung: an `ensign` chooses as the first judgement did. What it answered and how it thought the battle stood
//! is recorded for every shipped scenario; and for one of each system what a `brigadier` thought of some decisions.
//!
//! Red after a change of judgement or of the search: the change reaches what the first school shares with the present one.
//! Write it beside instead. Red after a change of rules: record anew (`TRICORNE_RECORD=1`) and say the clause in the commit.

use tricorne_agents::{Budget, Level, Player};
use tricorne_chance::{Seed, Seeded};
use tricorne_game::{AnySystem, Choices, Log, School, Source, StateHash};

/// As far as each battle is followed: long enough for every kind of decision, short enough for a test.
const DECISIONS: usize = 400;

/// One decision of so many is put to a brigadier as well, who tries answers so often.
const THOUGHT: usize = 40;
const TRIES: u32 = 8;

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

/// What a brigadier thinks of decisions that ensigns come to, as a line: how often each answer was tried, and its value.
fn thought(system: &dyn AnySystem) -> String {
    let (id, scenario, seed) = (system.about().id, system.scenarios()[0], Seed::from(16));
    let file = Source::new(scenario.id, scenario.text);
    let (_, mut battle) = tricorne_game::ready(system, &file, &Choices::default()).unwrap();
    let mut chance = Seeded::new(seed);
    battle.begin(&mut chance, &mut Log::off());
    let (mut told, mut asked) = (Vec::new(), 0);
    while let Some(seat) = battle.seat().filter(|_| asked < 5 * THOUGHT) {
        asked += 1;
        if asked.is_multiple_of(THOUGHT) {
            let level = Level::Brigadier(Budget::Tries(TRIES));
            let thought = Player::new(level, seed, seat).think_any(&*battle);
            let tried = thought.candidates.iter().map(|c| (c.visits, c.value.map(|v| format!("{v:.6}"))));
            told.push(format!("{} {} {:?}", thought.action, thought.decisions, tried.collect::<Vec<_>>()));
        }
        let action = Player::new(Level::Ensign, seed, seat).choose_any(&*battle);
        battle.apply(&action, &mut chance, &mut Log::off()).unwrap();
    }
    format!("{id}/{}/brigadier {} {}", scenario.id, told.len(), StateHash::of(&told))
}

#[test]
fn an_ensign_chooses_as_the_first_judgement_did() {
    let mut lines: Vec<String> = tricorne_shelf::systems()
        .iter()
        .flat_map(|&system| system.scenarios().iter().map(move |s| line(system, s.id, s.text)))
        .collect();
    lines.extend(tricorne_shelf::systems().iter().map(|&system| thought(system)));
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
