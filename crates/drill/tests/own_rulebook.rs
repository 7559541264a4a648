//! The rulebook of one's own that the docs walk through is put through the suite like any other.

#[path = "../examples/outposts/outposts/mod.rs"]
#[allow(dead_code)]
mod outposts;

use outposts::Outposts;
use tricorne_conformance as conformance;

#[test]
fn random_battles_end() {
    conformance::battles(Outposts, 0..8);
}

#[test]
fn journals() {
    conformance::journals(&Outposts, 7);
}

#[test]
fn views_leak_nothing() {
    conformance::views_leak_nothing(Outposts, 11);
}

#[test]
fn options_take_their_values() {
    conformance::options_take_their_values(&Outposts);
}

#[test]
fn enumerated_odds_are_the_odds_rolled() {
    conformance::odds_match_rolls(Outposts, 9, 4);
}

#[test]
fn stories_read_well() {
    conformance::stories_read_well(&Outposts, 0..20);
}

#[test]
fn every_reading_is_fought() {
    conformance::every_reading_is_fought(Outposts, &[]);
}
