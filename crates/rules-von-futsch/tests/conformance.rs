//! The suite every rule system is put through.

use tricorne_rules_von_futsch::VonFutsch;

#[test]
fn random_battles_end() {
    tricorne_conformance::battles(VonFutsch, 0..3);
}

#[test]
fn journals_replay() {
    tricorne_conformance::journals(&VonFutsch, 5);
}

#[test]
fn views_leak_nothing() {
    tricorne_conformance::views_leak_nothing(VonFutsch, 7);
}

#[test]
fn options_take_their_values() {
    tricorne_conformance::options_take_their_values(&VonFutsch);
}

#[test]
fn schema_is_fresh() {
    tricorne_conformance::schema_is_fresh(&VonFutsch);
}

#[test]
fn cases() {
    tricorne_conformance::cases(&VonFutsch);
}

#[test]
fn every_clause_is_shown() {
    let tests =
        [include_str!("rulebook.rs"), include_str!("../src/formation.rs"), include_str!("../src/ground.rs")];
    tricorne_conformance::clauses_shown(&VonFutsch, &tests);
}
