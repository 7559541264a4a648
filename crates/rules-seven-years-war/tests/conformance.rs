//! The suite every rule system is put through.

use tricorne_rules_seven_years_war::SevenYearsWar;

const SYSTEM: SevenYearsWar = SevenYearsWar;

#[test]
fn random_battles_end_and_keep_the_protocol() {
    tricorne_conformance::battles(SYSTEM, 0..2);
}

#[test]
fn journals_survive() {
    tricorne_conformance::journals(&SYSTEM, 5);
}

#[test]
fn views_leak_nothing() {
    tricorne_conformance::views_leak_nothing(SYSTEM, 3);
}

#[test]
fn options_take_their_values() {
    tricorne_conformance::options_take_their_values(&SYSTEM);
}

#[test]
fn schema_is_fresh() {
    tricorne_conformance::schema_is_fresh(&SYSTEM);
}

#[test]
fn cases() {
    tricorne_conformance::cases(&SYSTEM);
}

#[test]
fn every_clause_is_shown() {
    tricorne_conformance::clauses_shown(
        &SYSTEM,
        &[
            include_str!("../src/points/tests.rs"),
            include_str!("../src/terrain_generation/tests.rs"),
            include_str!("hidden.rs"),
        ],
    );
}

#[test]
fn enumerated_odds_are_the_odds_rolled() {
    tricorne_conformance::odds_match_rolls(SYSTEM, 3, 9);
}
