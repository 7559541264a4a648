//! The suite every system is put through.

use tricorne_conformance as conformance;
use tricorne_rules_would_be_kings::WouldBeKings;

#[test]
fn random_battles_end() {
    conformance::battles(WouldBeKings, 0..4);
}

#[test]
fn journals() {
    conformance::journals(&WouldBeKings, 7);
}

#[test]
fn views_leak_nothing() {
    conformance::views_leak_nothing(WouldBeKings, 11);
}

#[test]
fn options_take_their_values() {
    conformance::options_take_their_values(&WouldBeKings);
}

#[test]
fn schema_is_fresh() {
    conformance::schema_is_fresh(&WouldBeKings);
}

#[test]
fn cases() {
    conformance::cases(&WouldBeKings);
}

#[test]
fn clauses_are_shown() {
    conformance::clauses_shown(&WouldBeKings, &[include_str!("rules.rs"), include_str!("conformance.rs")]);
}

#[test]
fn enumerated_odds_are_the_odds_rolled() {
    conformance::odds_match_rolls(WouldBeKings, 3, 9);
}
