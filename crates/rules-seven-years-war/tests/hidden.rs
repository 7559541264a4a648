//! Hidden deployment stays hidden: the other seat's view, log, refusals and previews are the same with a unit in the
//! wood and without it (SYW-HIDE-01, SYW-HIDE-03, SYW-LOS-09, SYW-SHOOT-58).

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle, Choices, Event, Log, Purpose, Seat, Source, System};
use tricorne_rules_seven_years_war::{Action, SevenYearsBattle, SevenYearsWar};

const FIELD: &str = r#"
now = { turn = 3, side = "a", step = "STEP" }
terrain = [{ id = "W1", kind = "wood", rect = [40, 60, 80, 90] }]
units = [
  { id = "m", side = "a", kind = "MI", at = [60, 30], facing = 0, order = "ORDER" },
  { id = "n", side = "a", kind = "MI", at = [90, 30], facing = 0, order = "ORDER" },
  { id = "c", side = "a", kind = "MC", at = [30, 30], facing = 0, stands = 4, order = "ORDER" },
  { id = "z", side = "b", kind = "MI", at = [150, 110], facing = 180 },
  HIDDEN
]
generals = [{ id = "G", side = "a", at = [60, 20], counter = "An0" }]
"#;
const AMBUSH: &str =
    r#"{ id = "e", side = "b", kind = "LI", at = [60, 70], facing = 180, hidden = true, terrain = "W1" },"#;

fn field(step: &str, order: &str, hidden: &str) -> SevenYearsBattle {
    let text = FIELD.replace("STEP", step).replace("ORDER", order).replace("HIDDEN", hidden);
    let source = Source::new("field.toml", text);
    SevenYearsWar
        .set_up(&source, &Choices::default(), Purpose::Position)
        .unwrap_or_else(|fault| panic!("{fault}"))
}

/// What the seat is shown, as JSON.
fn shown(battle: &SevenYearsBattle, seat: Option<Seat>) -> serde_json::Value {
    serde_json::to_value(battle.view(seat)).unwrap_or_default()
}

#[test]
fn the_other_seat_sees_no_sign_of_a_hidden_unit() {
    for order in ["advance", "reserve", "stand"] {
        for step in ["movement", "shooting"] {
            let (with, without) = (field(step, order, AMBUSH), field(step, order, ""));
            for seat in [None, Some(Seat(0))] {
                assert_eq!(shown(&with, seat), shown(&without, seat), "{order} {step} {seat:?}");
            }
            assert_ne!(shown(&with, Some(Seat(1))), shown(&without, Some(Seat(1))), "the owner sees it");
        }
    }
}

/// Every answer is judged alike, with the same words, whether the wood is empty or not; and so are previews.
#[test]
fn refusals_and_previews_give_no_sign() {
    let mut judged = (0, 0);
    for order in ["advance", "reserve", "stand"] {
        let (with, without) = (field("movement", order, AMBUSH), field("movement", order, ""));
        let mut whim = Whim::new(7, 0);
        let mut actions: Vec<Action> = without.candidates(40, &mut whim);
        for forward in [1.0, 9.0, 11.0, 14.0, 17.0, 20.0, 25.0, 29.0, 30.0, 31.0] {
            for group in ["m", "n", "c"] {
                for wheel in [0.0, 10.0, 40.0] {
                    let text = format!(
                        r#"{{"move":{{"group":"{group}","legs":[{{"wheel":{{"side":"left","degrees":{wheel}}}}},{{"forward":{forward}}}]}}}}"#
                    );
                    actions.push(serde_json::from_str(&text).unwrap_or_else(|e| panic!("{text}: {e}")));
                }
            }
        }
        for text in [
            r#"{"shoot":{"unit":"m","target":"e"}}"#,
            r#"{"charge":{"group":"c","targets":[{"unit":"c","target":"e"}]}}"#,
            r#"{"general":{"general":"G","to":[60,58]}}"#,
        ] {
            actions.push(serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}")));
        }
        for action in &actions {
            let (a, b) = (with.check(action), without.check(action));
            assert_eq!(
                a.as_ref().err().map(|e| &e.clause),
                b.as_ref().err().map(|e| &e.clause),
                "{action:?}"
            );
            if a.is_ok() {
                judged.0 += 1;
                assert_eq!(with.preview(action).ok(), without.preview(action).ok(), "{action:?}");
            } else {
                judged.1 += 1;
            }
        }
    }
    assert!(judged.0 > 20 && judged.1 > 20, "both kinds were tried: {judged:?}");
}

/// As long as it is hidden, nothing that is told or shown to the other seat names it.
#[test]
fn the_log_keeps_the_secret() {
    let mut watched = 0;
    for seed in 0..12 {
        let order = ["advance", "reserve", "stand"][seed as usize % 3];
        let mut battle = field("movement", order, AMBUSH);
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 0), Log::on());
        battle.begin(&mut chance, &mut log);
        for _ in 0..40 {
            if battle.ending().is_some() || !is_hidden(&battle) {
                break;
            }
            let action = battle.sample(&mut whim);
            log.take();
            battle.apply(&action, &mut chance, &mut log).unwrap_or_else(|e| panic!("{action:?}: {e}"));
            if !is_hidden(&battle) {
                break;
            }
            for event in log.events().iter().filter(|e| e.known_to(Some(Seat(0)))) {
                assert!(!names(event, "e"), "{event:?} betrays the hidden unit");
            }
            let view = battle.view(Some(Seat(0)));
            assert!(view.units.iter().all(|u| u.id.as_str() != "e"), "the view betrays the hidden unit");
            watched += 1;
        }
    }
    assert!(watched > 60, "{watched} answers were given while it was hidden");
}

fn is_hidden(battle: &SevenYearsBattle) -> bool {
    battle.facts().pointer("/units/e/hidden").and_then(serde_json::Value::as_bool) == Some(true)
}

fn names(event: &Event, id: &str) -> bool {
    event.who.is_some_and(|w| w.as_str() == id) || event.whom.is_some_and(|w| w.as_str() == id)
}
