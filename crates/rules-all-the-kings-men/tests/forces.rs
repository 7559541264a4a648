//! Forces by scenario, points, period list and dice; teams of two to six; data files that can be changed.

use std::collections::BTreeMap;

use tricorne_conformance::fight;
use tricorne_game::{Battle, Choices, Purpose, ScenarioText, Source, System};
use tricorne_rules_all_the_kings_men::{AllTheKingsMen, Kind, share};

fn set_up(text: &str, choices: &Choices) -> Result<(), String> {
    let source = Source::new("battle.toml", text);
    AllTheKingsMen.set_up(&source, choices, Purpose::Scenario).map(|_| ()).map_err(|f| f.to_string())
}

fn refused(text: &str, why: &str) {
    match set_up(text, &Choices::default()) {
        Ok(()) => panic!("set up, though expected: {why}\n{text}"),
        Err(fault) => assert!(fault.contains(why), "expected \"{why}\", came \"{fault}\""),
    }
}

/// An army of so many of each kind, in the order of `Kind::ALL`, waiting to be deployed.
fn army(colour: &str, counts: [usize; 5]) -> String {
    let letter = colour.chars().next().unwrap_or('x');
    let mut text = String::new();
    let mut i = 0;
    for (kind, n) in Kind::ALL.into_iter().zip(counts) {
        for _ in 0..n {
            i += 1;
            text +=
                &format!("[[unit]]\nid = \"{letter}{i}\"\nkind = \"{}\"\narmy = \"{colour}\"\n", kind.name());
        }
    }
    text
}

#[test]
fn period_lists_limit_the_share_of_each_type() {
    // ATKM-FORCE-05, ATKM-FORCE-08: horse artillery belongs to Napoleonic times, and shares scale with the army.
    let list = |name: &str| format!("[armies.red]\nlist = \"{name}\"\n");
    let black = army("black", [2, 0, 0, 0, 0]);
    let good = list("Napoleonic: France") + &army("red", [5, 1, 2, 1, 1]) + &black;
    set_up(&good, &Choices::default()).unwrap_or_else(|e| panic!("{e}"));
    refused(
        &(list("Seven Years War: Austria") + &army("red", [5, 1, 2, 1, 1]) + &black),
        "has 1 horse artillery; Seven Years War: Austria allows 0 to 0 of 10 units [ATKM-FORCE-08]",
    );
    refused(&(list("Napoleonic: Franse") + &black), "there is no list `Napoleonic: Franse`");
    let rated = "[armies.red]\nlist = \"Seven Years War: Prussia\"\n[[seat]]\narmy = \"red\"\nrating = 1\n[[seat]]\narmy = \"black\"\n";
    refused(&(rated.to_owned() + &army("red", [6, 0, 3, 1, 0]) + &black), "general rated 1");
    let book = AllTheKingsMen.rulebook(&Choices::default()).unwrap_or_else(|f| panic!("{f}"));
    let crown = book.list("american revolution: crown").unwrap_or_else(|| panic!("no list"));
    assert_eq!(share(crown, Kind::Infantry, 10), [5, 8]);
    assert_eq!(share(crown, Kind::Infantry, 5), [3, 4], "halves are rounded up");
    assert_eq!(share(crown, Kind::Cavalry, 5), [0, 1]);
}

#[test]
fn skirmishers_are_never_meant_by_infantry() {
    // ATKM-UNIT-07, ATKM-FORCE-08, ATKM-EX-52: ten units of Prussia need four of infantry; three and a skirmisher are short.
    let text = "[armies.red]\nlist = \"Seven Years War: Prussia\"\n".to_owned()
        + &army("red", [3, 1, 4, 2, 0])
        + &army("black", [2, 0, 0, 0, 0]);
    refused(&text, "has 3 infantry");
    // The option is withdrawn: a file that says what holds anyway is still read, one that asks for more is told.
    let with = |value: &str| {
        let options = BTreeMap::from([("skirmisher_is_infantry".to_owned(), value.to_owned())]);
        let text = army("red", [2, 0, 0, 0, 0]) + &army("black", [2, 0, 0, 0, 0]);
        set_up(&text, &Choices { options, ..Choices::default() })
    };
    assert!(with("no").is_ok());
    assert!(with("yes").is_err_and(|f| f.contains("ATKM-UNIT-07")));
}

#[test]
fn points_buy_units_and_a_general() {
    // ATKM-FORCE-07: 8 infantry (192) and a general rated 2 (10) are 202, rated 3 (25) 217, with two more units too many.
    let with = |budget: &str, n: usize| {
        format!("[armies.red]\nbudget = {budget}\n")
            + &army("red", [n, 0, 0, 0, 0])
            + &army("black", [2, 0, 0, 0, 0])
    };
    set_up(&with("\"medium\"", 9), &Choices::default()).unwrap_or_else(|e| panic!("{e}"));
    refused(&with("\"medium\"", 10), "costs 250 points of a budget of 240 [ATKM-FORCE-07]");
    set_up(&with("250", 10), &Choices::default()).unwrap_or_else(|e| panic!("{e}"));
    refused(&with("249", 10), "costs 250 points");
}

#[test]
fn two_units_are_the_smallest_army() {
    refused(&(army("red", [1, 0, 0, 0, 0]) + &army("black", [2, 0, 0, 0, 0])), "ATKM-FORCE-09");
    refused(&army("red", [2, 0, 0, 0, 0]), "ATKM-FORCE-09");
}

/// ATKM-FORCE-01, ATKM-FORCE-02, ATKM-TEAM-01: forces by dice, and two to six players, to the end.
#[test]
fn two_to_six_seats_fight_to_the_end() {
    for seats in 2..=6 {
        let mut text = "title = \"Teams\"\n[options]\nturn_limit = 3\n[armies.red]\nrolls = \"medium\"\n[armies.black]\nrolls = 7\n".to_owned();
        for seat in 0..seats {
            let army = if seat % 2 == 0 { "red" } else { "black" };
            text += &format!("[[seat]]\narmy = \"{army}\"\nrating = \"roll\"\n");
        }
        let text: &'static str = Box::leak(text.into_boxed_str());
        for seed in 0..4 {
            let scenario = ScenarioText::new("teams", text);
            let mut deciders = std::collections::BTreeSet::new();
            let fought = fight(AllTheKingsMen, &scenario, &Choices::default(), seed, |battle, _, _| {
                let broken = battle.broken_invariants();
                assert!(broken.is_empty(), "{seats} seats, seed {seed}: {broken:?}");
                deciders.insert(battle.seat());
            });
            assert_eq!(deciders.len(), seats, "every seat decides");
            assert!(fought.battle.ending().is_some());
        }
    }
}

/// Men never come back, moves never exceed what the kind could ever go, and the advanced options all play.
#[test]
fn losses_only_grow_under_every_option_at_once() {
    let mut options: BTreeMap<String, String> = BTreeMap::new();
    for spec in &AllTheKingsMen.options().specs {
        if let Some(other) = spec.others.first().filter(|o| *o != "number") {
            options.insert(spec.id.clone(), other.clone());
        }
    }
    for choices in [Choices::default(), Choices { options, ..Choices::default() }] {
        for scenario in AllTheKingsMen.scenarios() {
            for seed in 0..3 {
                let mut men = [u64::MAX; 2];
                fight(AllTheKingsMen, scenario, &choices, seed, |battle, action, n| {
                    let broken = battle.broken_invariants();
                    assert!(broken.is_empty(), "{} seed {seed} decision {n}: {broken:?}", scenario.id);
                    let facts = battle.facts();
                    for (i, colour) in ["red", "black"].into_iter().enumerate() {
                        let left = facts["privates_left"][colour].as_u64().unwrap_or(0);
                        assert!(left <= men[i], "{} seed {seed}: {colour} grows", scenario.id);
                        men[i] = left;
                    }
                    let preview = battle.preview(action).unwrap_or_else(|e| panic!("{e}"));
                    if let (Some(cost), Some(allowance)) = (preview.cost, preview.allowance) {
                        assert!(cost <= allowance + 0.001, "{action:?} costs {cost} of {allowance}");
                    }
                });
            }
        }
    }
}

#[test]
fn each_option_plays_to_the_end_with_each_value() {
    let scenario = &AllTheKingsMen.scenarios()[2];
    for spec in &AllTheKingsMen.options().specs {
        for value in spec.others.iter().filter(|o| *o != "number") {
            let options = BTreeMap::from([(spec.id.clone(), value.clone())]);
            let fought =
                fight(AllTheKingsMen, scenario, &Choices { options, ..Choices::default() }, 1, |_, _, _| {});
            assert!(fought.battle.ending().is_some(), "{} = {value}", spec.id);
        }
    }
}

fn with_data(file: &str, from: &str, to: &str) -> Choices {
    let own = match file {
        "profiles.toml" => include_str!("../../../rulebooks/all-the-kings-men/profiles.toml"),
        "charts.toml" => include_str!("../../../rulebooks/all-the-kings-men/charts.toml"),
        "terrain.toml" => include_str!("../../../rulebooks/all-the-kings-men/terrain.toml"),
        _ => include_str!("../../../rulebooks/all-the-kings-men/armies.toml"),
    };
    assert!(own.contains(from), "{file} has no `{from}`");
    Choices { data: BTreeMap::from([(file.to_owned(), own.replacen(from, to, 1))]), ..Choices::default() }
}

#[test]
fn a_changed_number_changes_the_game() {
    let text = "active = \"A\"\n[[unit]]\nid = \"A\"\nkind = \"I\"\narmy = \"red\"\nat = [36, 12]\n[[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"black\"\nat = [36, 25]\n";
    let source = Source::new("position.toml", text);
    let allowed = |choices: &Choices, action: serde_json::Value| {
        let battle =
            AllTheKingsMen.set_up(&source, choices, Purpose::Position).unwrap_or_else(|f| panic!("{f}"));
        battle.check(&serde_json::from_value(action).unwrap_or_else(|e| panic!("{e}"))).is_ok()
    };
    let march = serde_json::json!({ "move": { "path": [[36, 19]] } });
    let volley = serde_json::json!({ "fire": { "target": "B" } });
    assert!(!allowed(&Choices::default(), march.clone()) && !allowed(&Choices::default(), volley.clone()));
    assert!(allowed(&with_data("profiles.toml", "line = 6", "line = 7"), march));
    assert!(allowed(&with_data("profiles.toml", "range = 12", "range = 13"), volley));
}

#[test]
fn a_wrong_file_gets_a_clear_error() {
    let scenario = AllTheKingsMen.scenarios()[0].text;
    for (file, from, to, says) in [
        ("profiles.toml", "privates = 12", "privates = 40", "infantry.privates: is 40; expected 2 to 24"),
        (
            "profiles.toml",
            "fall_back = 10",
            "fall_back = -1",
            "infantry.fall_back: is -1; expected a number above 0",
        ),
        ("profiles.toml", "radius = 12", "radios = 12", "unknown field `radios`"),
        ("charts.toml", "green = 4", "green = 9", "colour.green: is 9; expected 1 to 6"),
        ("charts.toml", "infantry = [1, 1]", "infantry = [1, 0.3]", "dice per private are 0 to 6"),
        ("terrain.toml", "woods_depth = 2", "woods_depth = -2", "woods_depth: expected a number from 0"),
        ("armies.toml", "infantry = [4, 7]", "infantry = [7, 4]", "list[0].infantry: [7, 4]"),
    ] {
        let fault = set_up(scenario, &with_data(file, from, to))
            .err()
            .unwrap_or_else(|| panic!("{file}: {to} is taken"));
        assert!(fault.contains(says) && fault.starts_with(file), "expected \"{says}\", came \"{fault}\"");
    }
    let unknown =
        Choices { data: BTreeMap::from([("heroes.toml".into(), String::new())]), ..Choices::default() };
    assert!(set_up(scenario, &unknown).is_err_and(|f| f.contains("no data file of this rulebook")));
}

#[test]
fn faults_of_a_scenario_name_the_place() {
    let unit = |rest: &str| {
        "[[unit]]\nid = \"A\"\narmy = \"red\"\nkind = \"I\"\nat = [36, 10]\n[[unit]]\nid = \"B\"\narmy = \"red\"\n".to_owned()
            + rest
            + &army("black", [2, 0, 0, 0, 0])
    };
    refused(&unit("kind = \"X\"\nat = [9, 9]\n"), "unit[1].kind: `X` is no type of unit");
    refused(&unit("kind = \"I\"\nat = [37, 10]\n"), "unit[1].at: B would stand on A");
    refused(&unit("kind = \"I\"\nat = [1, 10]\n"), "unit[1].at: that would hang over the edge");
    refused(&unit("kind = \"K\"\nshape = \"C3\"\nat = [20, 10]\n"), "unit[1].shape");
    refused(&unit("kind = \"I\"\nn = 13\nn0 = 12\nat = [20, 10]\n"), "unit[1].n");
    refused(&unit("kind = \"I\"\nshape = \"mob\"\nat = [20, 10]\n"), "ATKM-FORM-14");
    refused(&unit("kind = \"I\"\ncolour = \"red\"\nat = [20, 10]\n"), "ATKM-SETUP-09");
    refused(&unit("kind = \"I\"\nat = [nan, 10]\n"), "unit[1].at: is not on the table");
    refused("[[unit]]\nid = \"A\"\nkind = \"I\"\nat = [9, 9]\n", "unit[0].side: missing field `side`");
    refused(
        "[[terrain]]\nkind = \"bog\"\npoints = [[1, 1], [2, 2]]\n",
        "terrain[0].kind: `bog` is no kind of ground",
    );
    refused(
        "[[terrain]]\nkind = \"woods\"\npoints = [[1, 1], [9, 9], [9, 1], [1, 9]]\n",
        "terrain[0].points",
    );
    refused("table = [5, 5]\n", "table: is 5 by 5");
    refused("card = \"QH\"\n", "card: belongs to the position of a rule case");
    refused("[options]\nturn_limit = \"soon\"\n", "option `turn_limit` has no value `soon`");
    refused("[[seat]]\narmy = \"red\"\n", "nobody plays black");
    refused("[armies.red]\nsuit = \"clubs\"\n", "the red army takes hearts or diamonds");
}
