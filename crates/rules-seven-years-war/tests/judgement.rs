//! What an officer does in a position, one position each; and that what he weighs stands in the rulebook under its name.

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle as _, Choices, Log, Purpose, Seat, Source, System};
use tricorne_rules_seven_years_war::{Action, Battle, SevenYearsWar};

/// A position with two generals, a low hill that is worth points in the middle, and some units.
fn field(now: &str, units: &str) -> Battle {
    let text = format!(
        r#"
now = {{ turn = 4, {now} }}
terrain = [{{ id = "H1", kind = "hill", level = 0, rect = [78, 52, 104, 68] }}]
objectives = [{{ kind = "massed_on", terrain = "H1", points = 80 }}]
generals = [
  {{ id = "GA", side = "a", at = [90, 20], counter = "An+" }},
  {{ id = "GB", side = "b", at = [90, 110], facing = 180, counter = "An+" }},
]
units = [{units}]
"#
    );
    bare(&text)
}

fn bare(text: &str) -> Battle {
    by_weights(text, "")
}

/// A position of officers with weights of their own.
fn by_weights(text: &str, weights: &str) -> Battle {
    let mut choices = Choices::default();
    if !weights.is_empty() {
        choices.data.insert("judgement.toml".into(), weights.into());
    }
    let mut battle = SevenYearsWar
        .set_up(&Source::new("field.toml", text), &choices, Purpose::Position)
        .unwrap_or_else(|fault| panic!("{fault}"));
    battle.begin(&mut Seeded::new(1), &mut Log::off());
    battle
}

fn best(battle: &Battle) -> Action {
    battle.proposals(48, &mut Whim::new(1, 1)).swap_remove(0).action
}

/// Takes the best answers of one side until its movement is over.
fn moved(battle: &mut Battle, seat: Seat) {
    let (mut chance, mut log) = (Seeded::new(2), Log::off());
    for _ in 0..60 {
        if battle.seat() != Some(seat) || battle.pending().kind() == "shooting" {
            break;
        }
        let action = best(battle);
        battle.apply(&action, &mut chance, &mut log).unwrap_or_else(|e| panic!("{action:?}: {e}"));
        if action == Action::Done {
            break;
        }
    }
}

fn unit(battle: &Battle, id: &str) -> (f64, f64) {
    let view = battle.view(None);
    let found = view.units.iter().find(|u| u.id.as_str() == id && u.on_table);
    found.map_or((0.0, 0.0), |u| (u.at.x, u.at.y))
}

#[test]
fn horse_takes_the_open_flank() {
    let battle = field(
        r#"side = "a", step = "movement""#,
        r#"{ id = "k", side = "a", kind = "MC", stands = 5, at = [118, 80], facing = 300, order = "advance", command = "GA" },
           { id = "m", side = "b", kind = "MI", at = [96, 84], facing = 180, order = "stand", command = "GB" },"#,
    );
    match best(&battle) {
        Action::Charge { targets, .. } => assert_eq!(targets[0].target.as_str(), "m"),
        other => panic!("{other:?}"),
    }
    let why = battle.because(&best(&battle));
    assert!(why[0].why.contains("flank"), "{why:?}");
}

#[test]
fn foot_goes_to_ground_that_is_worth_points_and_stays_there() {
    let units = |order: &str, y: u32| {
        format!(
            r#"{{ id = "m", side = "a", kind = "MI", at = [91, {y}], facing = 0, order = "{order}", command = "GA" }},
               {{ id = "z", side = "b", kind = "MI", at = [150, 112], facing = 180, order = "stand", command = "GB" }},"#
        )
    };
    let mut battle = field(r#"side = "a", step = "movement""#, &units("advance", 42));
    moved(&mut battle, Seat(0));
    let (x, y) = unit(&battle, "m");
    assert!((78.0..104.0).contains(&x) && y > 54.0 && y < 68.0, "{x} {y}");
    // There it is not sent on.
    let battle = field(r#"side = "a", step = "command""#, &units("stand", 61));
    for p in battle.proposals(48, &mut Whim::new(1, 1)) {
        assert!(p.action == Action::Done || p.promise < 0.52, "{p:?}");
    }
}

#[test]
fn an_order_that_needs_a_six_is_not_tried() {
    let battle = bare(
        r#"
now = { turn = 2, side = "a", step = "command" }
generals = [{ id = "GA", side = "a", at = [10, 10], counter = "An+" }]
units = [
  { id = "m", side = "a", kind = "MI", at = [150, 40], facing = 0, order = "stand", command = "GA" },
  { id = "z", side = "b", kind = "MI", at = [150, 100], facing = 180, order = "stand" },
]
"#,
    );
    for p in battle.proposals(48, &mut Whim::new(1, 1)) {
        assert!(!matches!(p.action, Action::Change { .. }), "{p:?}");
    }
}

#[test]
fn nobody_marches_off_the_table() {
    let mut battle = bare(
        r#"
now = { turn = 2, side = "a", step = "movement" }
units = [
  { id = "k", side = "a", kind = "MC", stands = 4, at = [60, 112], facing = 0, order = "advance" },
  { id = "z", side = "b", kind = "MI", at = [140, 30], facing = 180, order = "stand" },
]
generals = [{ id = "GA", side = "a", at = [60, 60], counter = "An0" }]
"#,
    );
    moved(&mut battle, Seat(0));
    assert!(unit(&battle, "k").1 > 1.0, "it is still on the table");
}

#[test]
fn nobody_rides_through_his_own_guns() {
    for order in ["advance", "reserve"] {
        let mut battle = bare(&format!(
            r#"
now = {{ turn = 2, side = "a", step = "movement" }}
units = [
  {{ id = "k", side = "a", kind = "MC", stands = 5, at = [60, 30], facing = 0, order = "{order}", command = "GA" }},
  {{ id = "g", side = "a", kind = "MA", stands = 1, at = [52, 46], facing = 0, order = "stand", command = "GA" }},
  {{ id = "z", side = "b", kind = "MI", at = [60, 100], facing = 180, order = "stand" }},
]
generals = [{{ id = "GA", side = "a", at = [60, 20], counter = "An0" }}]
"#
        ));
        let mut log = Log::on();
        for _ in 0..8 {
            if battle.seat() != Some(Seat(0)) || battle.pending().kind() != "movement" {
                break;
            }
            let action = best(&battle);
            battle
                .apply(&action, &mut Seeded::new(2), &mut log)
                .unwrap_or_else(|e| panic!("{action:?}: {e}"));
        }
        assert!(log.events().iter().all(|e| e.what != "passed_through"), "{order}");
    }
}

#[test]
fn officers_with_weights_of_their_own_answer_by_them() {
    let text = r#"
now = { turn = 4, side = "a", step = "movement" }
generals = [{ id = "GA", side = "a", at = [90, 20], counter = "An+" }]
units = [
  { id = "k", side = "a", kind = "MC", stands = 5, at = [118, 80], facing = 300, order = "advance", command = "GA" },
  { id = "m", side = "b", kind = "MI", at = [96, 84], facing = 180, order = "stand" },
]
"#;
    assert!(matches!(best(&bare(text)), Action::Charge { .. }));
    let timid = by_weights(text, "[weighs]\nleast_charge = 500.0\n");
    assert!(!matches!(best(&timid), Action::Charge { .. }));
}

#[test]
fn horse_does_not_stay_under_muskets() {
    // Cuirassiers on Stand before a battalion that has them in its strip: they are called back.
    let text = |order: &str, step: &str| {
        format!(
            r#"
now = {{ turn = 3, side = "a", step = "{step}" }}
generals = [{{ id = "GA", side = "a", at = [90, 40], counter = "An+" }}]
units = [
  {{ id = "k", side = "a", kind = "MC", stands = 4, at = [90, 60], facing = 0, order = "{order}", command = "GA" }},
  {{ id = "m", side = "b", kind = "MI", at = [90, 69], facing = 180, order = "stand" }},
  {{ id = "n", side = "b", kind = "MI", at = [107, 69], facing = 180, order = "stand" }},
  {{ id = "l", side = "b", kind = "MI", at = [73, 69], facing = 180, order = "stand" }},
]
"#
        )
    };
    let battle = bare(&text("stand", "command"));
    match best(&battle) {
        Action::Change { .. } => {}
        other => panic!("{other:?}"),
    }
    let mut battle = bare(&text("reserve", "movement"));
    let before = unit(&battle, "k");
    moved(&mut battle, Seat(0));
    let after = unit(&battle, "k");
    assert!((before.0 - after.0).abs() + (before.1 - after.1).abs() > 4.0, "{before:?} {after:?}");
}

#[test]
fn what_is_weighed_stands_in_the_rulebook() {
    let standard = SevenYearsWar.judgement().unwrap_or_else(|| panic!("no weights"));
    assert!(standard.worth.contains_key("ground") && standard.weighs.contains_key("danger"));
    let set_up = |text: &str| {
        let scenario = SevenYearsWar.scenarios()[1];
        let mut choices = Choices::default();
        choices.data.insert("judgement.toml".into(), text.into());
        SevenYearsWar.set_up(&Source::new(scenario.id, scenario.text), &choices, Purpose::Scenario)
    };
    assert!(set_up("[weighs]\ndanger = 0.1\n").is_ok(), "what is left out is as in the rulebook");
    let fault = set_up("[weighs]\ndangr = 0.1\n").err().map(|f| f.to_string()).unwrap_or_default();
    assert!(fault.contains("judgement.toml") && fault.contains("danger"), "{fault}");
}

#[test]
fn a_position_is_worth_to_one_what_it_costs_the_other() {
    for scenario in SevenYearsWar.scenarios() {
        let mut battle = SevenYearsWar
            .set_up(&Source::new(scenario.id, scenario.text), &Choices::default(), Purpose::Scenario)
            .unwrap_or_else(|fault| panic!("{fault}"));
        let mut chance = Seeded::new(3);
        battle.begin(&mut chance, &mut Log::off());
        for _ in 0..120 {
            if battle.ending().is_some() {
                break;
            }
            let (a, b) = (battle.features(Seat(0)), battle.features(Seat(1)));
            for (x, y) in a.iter().zip(&b) {
                assert!(x.0 == y.0 && (x.1 + y.1).abs() < 1e-6 && x.1.is_finite(), "{x:?} {y:?}");
            }
            let action = best(&battle);
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}
