//! Hidden deployment stays hidden: the other seat's view, log, refusals and previews are the same with a unit in the
//! wood and without it (SYW-HIDE-01, SYW-HIDE-03, SYW-LOS-09, SYW-SHOOT-58).

use tricorne_chance::{Seeded, Whim};
use tricorne_game::{Battle as _, Choices, Event, Log, Purpose, Seat, Source, System, UnitId, Wish};
use tricorne_rules_seven_years_war::{Action, Battle, SevenYearsWar};
use tricorne_table::Point;

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

fn field(step: &str, order: &str, hidden: &str) -> Battle {
    field_under(step, order, hidden, &Choices::default())
}

fn field_under(step: &str, order: &str, hidden: &str, choices: &Choices) -> Battle {
    let text = FIELD.replace("STEP", step).replace("ORDER", order).replace("HIDDEN", hidden);
    let source = Source::new("field.toml", text);
    SevenYearsWar.set_up(&source, choices, Purpose::Position).unwrap_or_else(|fault| panic!("{fault}"))
}

/// What the seat is shown, as JSON.
fn shown(battle: &Battle, seat: Option<Seat>) -> serde_json::Value {
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

/// Where a drag ends, what it says, and who sees whom are the same whether the wood is empty or not.
#[test]
fn advice_gives_no_sign() {
    let unit = |id: &str| id.parse::<UnitId>().unwrap_or_else(|e| panic!("{e}"));
    let (mut steered, mut blocked) = (0, 0);
    for (order, option) in [("advance", "shooting_only"), ("reserve", "always")] {
        let choices = Choices {
            options: [("units_block_sight".to_owned(), option.to_owned())].into(),
            ..Choices::default()
        };
        let field = |hidden: &str| field_under("movement", order, hidden, &choices);
        // One more of theirs behind the wood, so that there is something in the way of some line.
        let behind = r#"{ id = "y", side = "b", kind = "MI", at = [60, 105], facing = 180 },"#;
        let (with, without) = (field(&format!("{AMBUSH}\n{behind}")), field(behind));
        for id in ["m", "n", "c"] {
            for (x, y) in [(60.0, 45.0), (60.0, 58.0), (60.0, 70.0), (62.0, 75.0), (30.0, 66.0), (90.0, 70.0)]
            {
                for facing in [None, Some(0.0), Some(300.0)] {
                    let wish = Wish {
                        action: None,
                        unit: Some(unit(id)),
                        place: Point::new(x, y),
                        facing,
                        by: Vec::new(),
                    };
                    let (a, b) = (with.steer(&wish), without.steer(&wish));
                    assert_eq!(a, b, "{wish:?}");
                    if let Some(action) = &a.action {
                        steered += 1;
                        assert_eq!(with.preview(action).ok(), without.preview(action).ok(), "{wish:?}");
                    }
                }
            }
        }
        for eye in [None, Some(Seat(0))] {
            for from in ["m", "n", "c", "y", "z"] {
                for to in ["m", "n", "c", "y", "z", "e"] {
                    let (a, b) =
                        (with.sight(unit(from), unit(to), eye), without.sight(unit(from), unit(to), eye));
                    assert_eq!(a, b, "{from} to {to}");
                    assert_eq!(a.is_none(), from == to || to == "e", "{from} to {to}");
                    blocked += usize::from(a.is_some_and(|s| !s.clear));
                }
            }
        }
        for id in ["m", "n", "c"] {
            let courses = |battle: &Battle| tricorne_game::AnyBattle::courses(battle, unit(id));
            assert_eq!(courses(&with), courses(&without), "{id}");
            assert!(
                courses(&with).iter().any(|c| c.why.is_none()),
                "{id}: {:?} {:?}",
                with.pending(),
                courses(&with)
            );
        }
        // Its own side knows it, and knows that nobody sees it.
        let seen = with.sight(unit("m"), unit("e"), Some(Seat(1)));
        assert_eq!(seen.and_then(|s| s.why).map(|w| w.clause), Some("SYW-LOS-09".into()));
        assert!(with.sight(unit("e"), unit("m"), Some(Seat(1))).is_some());
    }
    assert!(steered > 0 && blocked > 0, "{steered} drags led somewhere, {blocked} lines were blocked");
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

/// Horse that marches round the flank dices to come on from turn 2 (SYW-DEPLOY-17, -18).
const MARCH: &str = r#"
now = { turn = 2, side = "b", step = "movement" }
units = [
  { id = "m", side = "a", kind = "MI", at = [60, 30], facing = 0 },
  { id = "z", side = "b", kind = "MI", at = [120, 110], facing = 180, order = "advance" },
  COMING
]
groups = [MARCHING]
"#;

/// Before they are set down nothing is asked, as far as the other side can tell, that would not be asked without them.
#[test]
fn nobody_is_told_that_a_flank_march_has_come() {
    let set_up = |coming: &str, marching: &str| {
        let text = MARCH.replace("COMING", coming).replace("MARCHING", marching);
        let source = Source::new("field.toml", text);
        SevenYearsWar
            .set_up(&source, &Choices::default(), Purpose::Position)
            .unwrap_or_else(|fault| panic!("{fault}"))
    };
    let horse = r#"{ id = "h", side = "b", kind = "LC", group = "H" },"#;
    let march = r#"{ id = "H", flank_march = true, edge = "east" }"#;
    let mut came = 0;
    for seed in 0..20 {
        let (mut with, mut without) = (set_up(horse, march), set_up("", ""));
        with.begin(&mut Seeded::new(seed), &mut Log::off());
        without.begin(&mut Seeded::new(seed), &mut Log::off());
        let kind = |battle: &Battle, seat| battle.view(Some(seat)).pending.kind().to_owned();
        if kind(&with, Seat(1)) != "return" {
            continue;
        }
        came += 1;
        assert_ne!(kind(&without, Seat(1)), "return");
        for seat in [None, Some(Seat(0))] {
            assert_eq!(shown(&with, seat), shown(&without, seat), "seed {seed}");
        }
        // Its owner may leave it where it is, and nobody notices that either.
        with.apply(&Action::Done, &mut Seeded::new(seed), &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(shown(&with, Some(Seat(0))), shown(&without, Some(Seat(0))), "seed {seed}");
    }
    assert!(came > 2, "{came} of 20 marches came");
}

fn is_hidden(battle: &Battle) -> bool {
    battle.facts().pointer("/units/e/hidden").and_then(serde_json::Value::as_bool) == Some(true)
}

fn names(event: &Event, id: &str) -> bool {
    event.who.is_some_and(|w| w.as_str() == id) || event.whom.is_some_and(|w| w.as_str() == id)
}
