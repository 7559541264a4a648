//! The suite every rule system is put through.

use tricorne_conformance as suite;
use tricorne_rules_all_the_kings_men::AllTheKingsMen;

static SYSTEM: AllTheKingsMen = AllTheKingsMen;

#[test]
fn random_battles_end_and_keep_the_protocol() {
    suite::battles(SYSTEM, 0..3);
}

#[test]
fn journals_replay_and_changed_ones_are_found_out() {
    suite::journals(&SYSTEM, 7);
}

#[test]
fn views_leak_nothing() {
    suite::views_leak_nothing(SYSTEM, 5);
}

#[test]
fn options_take_their_values() {
    suite::options_take_their_values(&SYSTEM);
}

#[test]
fn the_schemas_are_fresh() {
    suite::schemas_are_fresh(&SYSTEM, &tricorne_rules_all_the_kings_men::described());
}

#[test]
fn rule_cases_pass() {
    suite::cases(&SYSTEM);
}

#[test]
fn answers_are_listed() {
    suite::answers_are_listed(&SYSTEM, &[]);
}

#[test]
fn every_clause_is_shown() {
    suite::clauses_shown(
        &SYSTEM,
        &[include_str!("layout.rs"), include_str!("deck.rs"), include_str!("forces.rs")],
    );
}

#[test]
fn every_reading_is_fought_to_the_end() {
    suite::every_reading_is_fought(SYSTEM, &[]);
}

#[test]
fn every_number_of_the_charts_shows() {
    // Period lists are printed by `tricorne armies` and by rosters; the leaf of charts has no room for eight of them.
    let lists: Vec<String> = (0..8)
        .flat_map(|list| {
            ["infantry", "skirmisher", "cavalry", "foot_artillery", "horse_artillery", "ratings"]
                .map(|kind| [0, 1].map(|end| format!("armies.toml: list.{list}.{kind}.{end}")))
        })
        .flatten()
        .collect();
    let silent: Vec<(&str, &str)> = lists.iter().map(|name| (name.as_str(), "a period list")).collect();
    suite::charts_matter(&SYSTEM, &["charts.toml", "profiles.toml", "armies.toml"], &silent);
}

#[test]
fn stories_read_well() {
    suite::stories_read_well(&SYSTEM, 0..34);
}

#[test]
fn enumerated_odds_are_the_odds_rolled() {
    suite::odds_match_rolls(SYSTEM, 3, 9);
}

/// For a change to the house that must not change a battle: record before it (`TRICORNE_RECORD=folder`), compare after it
/// (`TRICORNE_RECORDED=folder`).
#[test]
#[ignore = "needs a folder of battles recorded before a change"]
fn recorded_battles_go_the_same_way() {
    if let Ok(folder) = std::env::var("TRICORNE_RECORD") {
        suite::record(&SYSTEM, folder.as_ref(), 0..20);
    }
    if let Ok(folder) = std::env::var("TRICORNE_RECORDED") {
        println!("{} battles", suite::same_events(&SYSTEM, folder.as_ref()));
    }
}

#[test]
fn old_files_go_the_same_way() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1");
    suite::old_files_go_the_same_way(SYSTEM, &folder, 0..3);
}

#[test]
fn officers_say_why() {
    suite::officers_say_why(SYSTEM, 1);
}
