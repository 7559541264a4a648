//! Steering: what a drag is offered is legal, comes near where a sampled answer would end, and says why when it can't.

use std::collections::BTreeMap;

use tricorne_chance::{Scripted, Seeded, Whim};
use tricorne_game::view::OverlayShape;
use tricorne_game::{Battle, Choices, Log, Pending, Purpose, Source, System, UnitId, Wish};
use tricorne_rules_von_futsch::{Action, Battle as Fight, Decimal, Leg, VonFutsch};
use tricorne_table::{Point, angle};

fn position(text: &str) -> Fight {
    VonFutsch
        .set_up(&Source::new("p.toml", text), &Choices::default(), Purpose::Position)
        .expect("a fair position")
}

fn wish(unit: Option<UnitId>, place: Point, facing: Option<f64>) -> Wish {
    Wish { action: None, unit, place, facing, by: vec![] }
}

/// The unit whose place an answer settles.
fn mover(battle: &Fight, action: &Action) -> Option<UnitId> {
    match (battle.pending(), action) {
        (_, Action::Deploy { units, .. }) => units.first().map(|u| u.id),
        (_, Action::RegimentalSquare { anchor, .. }) => Some(*anchor),
        (_, Action::Choose { unit, .. }) => Some(*unit),
        (Pending::Decision { unit, .. }, _) => unit,
        _ => None,
    }
}

#[test]
fn a_wish_where_a_legal_answer_ends_is_reached() {
    let mut tally: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for (scenario, seed) in VonFutsch.scenarios().iter().zip(31..) {
        let file = Source::new(scenario.id, scenario.text);
        let mut battle = VonFutsch.set_up(&file, &Choices::default(), Purpose::Scenario).expect("a scenario");
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 1), Log::off());
        battle.begin(&mut chance, &mut log);
        for n in 0..700 {
            let Pending::Decision { kind, .. } = battle.pending() else { break };
            let action = battle.sample(&mut whim);
            let spaces = !battle.legal().spaces.is_empty();
            let before = battle.clone();
            battle.apply(&action, &mut chance, &mut log).expect("a sampled answer is legal");
            if !spaces || kind == "manoeuvre" && matches!(action, Action::Slide(_)) {
                continue;
            }
            let Some(id) = mover(&before, &action) else { continue };
            // Where it ended, if nothing else has happened to it since.
            let Some(unit) = battle.view(None).units.into_iter().find(|u| u.id == id && u.on_table) else {
                continue;
            };
            let was = before.view(None).units.into_iter().find(|u| u.id == id);
            if matches!(&action, Action::Reform { .. } | Action::Pass | Action::Concede)
                || kind == "escape" && was.is_some_and(|w| w.at == unit.at)
            {
                continue;
            }
            let asked = wish(Some(id), unit.at, unit.facing);
            let steer = before.steer(&asked);
            let Some(found) = &steer.action else {
                panic!("seed {seed}, {n}: {kind} {action:?}: nothing offered for {asked:?}: {:?}", steer.why);
            };
            before.check(found).unwrap_or_else(|why| panic!("{kind}: {found:?} is refused: {why}"));
            let far = steer.end.map_or(f64::INFINITY, |pose| pose.at.distance(unit.at));
            let count = tally.entry(kind.clone()).or_default();
            count.1 += 1;
            count.0 += u32::from(far <= 0.5);
        }
    }
    for (kind, (reached, all)) in &tally {
        // At least four in five, of every kind of decision that came up often enough to tell.
        assert!(
            *all < 10 || f64::from(*reached) >= 0.8 * f64::from(*all),
            "{kind}: {reached} of {all}; {tally:?}"
        );
    }
    assert!(tally.get("path").is_some_and(|(_, all)| *all > 100), "{tally:?}");
}

#[test]
fn wishes_beyond_reason_get_the_nearest_answer_or_a_reason() {
    let mut seen = 0;
    for (scenario, seed) in VonFutsch.scenarios().iter().zip(77..) {
        let file = Source::new(scenario.id, scenario.text);
        let mut battle = VonFutsch.set_up(&file, &Choices::default(), Purpose::Scenario).expect("a scenario");
        let (mut chance, mut whim, mut log) = (Seeded::new(seed), Whim::new(seed, 1), Log::off());
        battle.begin(&mut chance, &mut log);
        for n in 0..300_u32 {
            if battle.seat().is_none() {
                break;
            }
            let places = [
                Point::new(-20.0, 70.0),
                Point::new(36.0, 24.0),
                Point::new(f64::from(n % 70), f64::from(n % 47)),
                Point::new(1e9, -1e9),
            ];
            for place in places {
                for facing in [None, Some(f64::from(n % 360))] {
                    let steer = battle.steer(&wish(None, place, facing));
                    match &steer.action {
                        Some(action) => {
                            let refused = battle.check(action).err();
                            assert!(refused.is_none(), "{action:?} for {place:?}: {refused:?}");
                            seen += 1;
                        }
                        None => assert!(steer.why.is_some_and(|why| !why.why.is_empty())),
                    }
                }
            }
            let nonsense = battle.steer(&wish(None, Point::new(f64::NAN, 0.0), None));
            assert!(nonsense.action.is_none() && nonsense.why.is_some());
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut log).expect("legal");
        }
    }
    assert!(seen > 1000, "{seen}");
}

const LINE: &str = "acting = \"R1\"\n[[unit]]\nid = \"R1\"\nkind = \"inf\"\nat = [20, 10]\nfacing = 0\n\
                    [[unit]]\nid = \"B1\"\nkind = \"inf\"\nat = [60, 40]\n";

fn marching(text: &str, die: u8) -> Fight {
    let mut battle = position(text);
    let mut chance = Scripted::new([format!("move: {die}").parse().expect("a die")]);
    battle.apply(&Action::March, &mut chance, &mut Log::off()).expect("a march");
    battle
}

#[test]
fn the_handle_wheels_and_the_drag_stops_at_the_allowance() {
    // VF-EX-18: 9 inches. A turn by the handle is a wheel; it ends where the wheel does.
    let battle = marching(LINE, 3);
    let steer = battle.steer(&wish(None, Point::new(20.0, 10.0), Some(330.0)));
    assert_eq!(steer.action, Some(Action::Path(vec![Leg::WheelLeft(Decimal::of(30.0))])));
    assert!((steer.end.expect("an end").at.x - 19.665).abs() < 0.001);
    // Too far: the march is cut at 9 and the reason says so.
    let steer = battle.steer(&wish(None, Point::new(20.0, 30.0), None));
    let end = steer.end.expect("an end").at;
    assert!((end.y - 19.0).abs() < 0.02 && (end.x - 20.0).abs() < 0.01, "{end:?}");
    let why = steer.why.expect("a reason");
    assert!(why.clause == "VF-MOVE-06" && why.why.contains("9.000"), "{why}");
    // A place with a facing within reach: two wheels and a straight.
    let steer = battle.steer(&wish(None, Point::new(21.0, 15.0), Some(10.0)));
    let end = steer.end.expect("an end");
    assert!(end.at.distance(Point::new(21.0, 15.0)) < 0.05, "{end:?}");
    assert!(angle::turn(end.facing, 10.0).abs() < 0.5 && steer.why.is_none(), "{end:?}");
}

#[test]
fn a_march_goes_round_one_obstacle() {
    // A friendly column stands in the way (VF-MOVE-12).
    let text = format!(
        "{LINE}[[unit]]\nid = \"R2\"\nkind = \"cavL\"\nformation = \"column\"\nat = [20, 24]\nfacing = 0\n"
    );
    let text = text.replacen("kind = \"inf\"", "kind = \"cavL\"\nformation = \"column\"", 1);
    let mut battle = position(&text);
    let mut chance = Scripted::new(["move: 6,6".parse().expect("dice")]);
    battle.apply(&Action::March, &mut chance, &mut Log::off()).expect("a march");
    let steer = battle.steer(&wish(None, Point::new(20.0, 28.0), None));
    let end = steer.end.expect("an end").at;
    assert!(end.y > 22.0, "it went round: {end:?}, {:?}", steer.action);
    battle.check(&steer.action.expect("an answer")).expect("legal");
}

#[test]
fn a_preview_shows_the_way_and_what_is_measured() {
    // VF-MODEL-40: the outer corner runs 2.618, the way costs 9 of 9.
    let battle = marching(LINE, 3);
    let legs = vec![Leg::WheelLeft(Decimal::of(30.0)), Leg::Forward(Decimal::of(6.382))];
    let preview = battle.preview(&Action::Path(legs)).expect("legal");
    assert_eq!((preview.cost, preview.allowance), (Some(9.0), Some(9.0)));
    let path = |kind: &str| {
        preview.overlays.iter().find(|o| o.kind == kind).map(|o| match &o.shape {
            OverlayShape::Path(points) => (points.clone(), o.label.clone().unwrap_or_default()),
            _ => (vec![], String::new()),
        })
    };
    let length = |points: &[Point]| points.windows(2).map(|p| p[0].distance(p[1])).sum::<f64>();
    let (outer, label) = path("outer path").expect("the outer corner's way");
    assert!((length(&outer) - 2.618).abs() < 0.01 && label.contains("2.618"), "{label}");
    assert_eq!(outer.first().map(|p| (p.x, p.y)), Some((22.5, 10.0)));
    let (way, label) = path("path").expect("the way of its middle");
    assert_eq!(way.first().map(|p| (p.x, p.y)), Some((20.0, 8.75)));
    assert!(label.contains("9\" of 9\""), "{label}");
    let end = way.last().copied().expect("an end");
    assert!((end.x - 17.099).abs() < 0.01 && (end.y - 15.694).abs() < 0.01, "{end:?}");
}
