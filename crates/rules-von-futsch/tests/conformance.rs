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
fn schemas_are_fresh() {
    tricorne_conformance::schemas_are_fresh(&VonFutsch, &tricorne_rules_von_futsch::described());
}

#[test]
fn old_files_go_the_same_way() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format-1");
    tricorne_conformance::old_files_go_the_same_way(VonFutsch, &folder, 0..3);
}

#[test]
fn cases() {
    tricorne_conformance::cases(&VonFutsch);
}

#[test]
fn answers_are_listed() {
    tricorne_conformance::answers_are_listed(&VonFutsch, &["charge_at", "limber", "unlimber"]);
}

#[test]
fn every_clause_is_shown() {
    let tests = [
        include_str!("rulebook.rs"),
        include_str!("../src/model/formation.rs"),
        include_str!("../src/model/ground.rs"),
    ];
    tricorne_conformance::clauses_shown(&VonFutsch, &tests);
}

#[test]
fn charts_matter() {
    tricorne_conformance::charts_matter(&VonFutsch, &["profiles.toml"], SILENT);
}

/// Numbers of the profiles that no sheet or case shows, and why.
const SILENT: &[(&str, &str)] = &[
    ("profiles.toml: points.light.elite", "no list has elite light horse; it is for lists of one's own"),
    ("profiles.toml: points.artillery.elite", "no list has elite guns; it is for lists of one's own"),
];

#[test]
fn stories_read_well() {
    tricorne_conformance::stories_read_well(&VonFutsch, 0..40);
}

#[test]
fn battles_end_under_every_reading() {
    use tricorne_game::{Battle, Choices, System};
    for spec in &System::options(&VonFutsch).specs {
        for value in &spec.others {
            let choices = Choices {
                options: std::collections::BTreeMap::from([(spec.id.clone(), value.clone())]),
                ..Choices::default()
            };
            for (scenario, seed) in System::scenarios(&VonFutsch).iter().zip(11..) {
                tricorne_conformance::fight(VonFutsch, scenario, &choices, seed, |battle, action, n| {
                    if n % 5 == 0 {
                        let broken = battle.broken_invariants();
                        assert!(broken.is_empty(), "{} = {value}: {broken:?} before {action:?}", spec.id);
                    }
                });
            }
        }
    }
}

#[test]
fn enumerated_odds_are_the_odds_rolled() {
    tricorne_conformance::odds_match_rolls(VonFutsch, 3, 9);
}

/// For a change to the house that must not change a battle: record before it (`TRICORNE_RECORD=folder`), compare after it
/// (`TRICORNE_RECORDED=folder`).
#[test]
#[ignore = "needs a folder of battles recorded before a change"]
fn recorded_battles_go_the_same_way() {
    if let Ok(folder) = std::env::var("TRICORNE_RECORD") {
        tricorne_conformance::record(&VonFutsch, folder.as_ref(), 0..20);
    }
    if let Ok(folder) = std::env::var("TRICORNE_RECORDED") {
        println!("{} battles", tricorne_conformance::same_events(&VonFutsch, folder.as_ref()));
    }
}

#[test]
fn officers_say_why() {
    tricorne_conformance::officers_say_why(VonFutsch, 1);
}
