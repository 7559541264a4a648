//! Leading units by the hand: what is offered is legal, ends where it says, and comes near to what was wished.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::view::OverlayShape;
use tricorne_game::{Battle, Choices, Log, Preview, Purpose, Source, Steer, System, UnitId, Wish};
use tricorne_rules_all_the_kings_men::{Action, AllTheKingsMen, Fight};
use tricorne_table::{Point, angle};

const WAITING: &str = "[armies.red]\nrolls = \"medium\"\n[armies.black]\nrolls = \"medium\"\n[[terrain]]\nkind = \"lake\"\n\
     points = [[20, 2], [30, 2], [30, 9], [20, 9]]\n[[terrain]]\nkind = \"building\"\npoints = [[30, 20], [38, 20], [38, 27], [30, 27]]\n";

fn battle(text: &str, options: &[(&str, &str)], seed: u64) -> Fight {
    let options = options.iter().map(|&(k, v)| (k.to_owned(), v.to_owned())).collect::<BTreeMap<_, _>>();
    let choices = Choices { options, ..Choices::default() };
    let source = Source::new("steer.toml", text);
    let mut battle =
        AllTheKingsMen.set_up(&source, &choices, Purpose::Scenario).unwrap_or_else(|f| panic!("{f}"));
    battle.begin(&mut Seeded::new(seed), &mut Log::off());
    battle
}

/// Every position of some random battles.
fn positions(mut each: impl FnMut(&Fight, &mut Whim)) {
    let texts: Vec<&str> = AllTheKingsMen.scenarios().iter().map(|s| s.text).chain([WAITING]).collect();
    let variants: [&[(&str, &str)]; 3] = [
        &[],
        &[("path_shape", "straight"), ("mob_move", "half")],
        &[("forward_arc", "90"), ("adv_square", "on")],
    ];
    for (i, text) in texts.iter().enumerate() {
        for (j, options) in variants.iter().enumerate() {
            let seed = (10 * i + j) as u64;
            let mut chance = Seeded::new(seed);
            let mut whim = Whim::new(seed, 3);
            let mut fight = battle(text, options, seed);
            for step in 0..500 {
                if fight.seat().is_none() {
                    break;
                }
                let placing = matches!(fight.pending().kind(), "deploy" | "place_general");
                if step % 3 == 0 || placing {
                    each(&fight, &mut whim);
                }
                let action = fight.sample(&mut whim);
                fight.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
            }
        }
    }
}

fn way(preview: &Preview) -> Option<Vec<Point>> {
    preview.overlays.iter().find(|o| o.kind == "path").and_then(|o| match &o.shape {
        OverlayShape::Path(points) => Some(points.clone()),
        _ => None,
    })
}

/// The name of a dragged answer, where it ends, and facing what.
fn end_of(fight: &Fight, action: &Action) -> Option<(&'static str, Option<UnitId>, Point, Option<f64>)> {
    let last =
        || way(&fight.preview(action).unwrap_or_else(|e| panic!("{e}"))).and_then(|w| w.last().copied());
    let view = fight.view(None);
    let active = match &view.pending {
        tricorne_game::Pending::Decision { unit, .. } => *unit,
        tricorne_game::Pending::Over(_) => None,
    };
    let stands = |id: UnitId| view.units.iter().find(|u| u.id == id).map(|u| (u.at, u.facing));
    Some(match action {
        Action::Deploy { unit, at, facing, .. } => ("deploy", Some(*unit), *at, Some(*facing)),
        Action::PlaceGeneral { at } => ("place_general", None, *at, None),
        Action::MoveGeneral { .. } => ("move_general", None, last()?, None),
        Action::Move { facing, .. } => ("move", active, last()?, facing.or(stands(active?)?.1)),
        Action::Charge { facing, .. } => ("charge", active, last()?, facing.or(stands(active?)?.1)),
        Action::Reform { facing, .. } => {
            let mut after = fight.clone();
            after.apply(action, &mut Seeded::new(0), &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
            let unit = after.view(None).units.into_iter().find(|u| Some(u.id) == active)?;
            ("reform", active, unit.at, *facing)
        }
        _ => return None,
    })
}

fn legal(fight: &Fight, wish: &Wish, steer: &Steer<Action>) {
    let Some(action) = &steer.action else {
        assert!(steer.why.as_ref().is_some_and(|w| w.why.len() > 5), "no answer and no reason: {wish:?}");
        return;
    };
    fight.check(action).unwrap_or_else(|e| panic!("{wish:?} gave {action:?}: {e}"));
    let end = steer.end.unwrap_or_else(|| panic!("no end for {action:?}"));
    if let Some((_, _, at, _)) = end_of(fight, action) {
        assert!(at.distance(end.at) < 0.01, "{action:?} ends at {at:?}, not {end:?}");
    }
    let turned = wish.facing.is_some_and(|f| angle::turn(f, end.facing).abs() > 1.0);
    let general = matches!(action, Action::MoveGeneral { .. } | Action::PlaceGeneral { .. });
    if end.at.distance(wish.place) > 0.06 || (turned && !general) {
        assert!(steer.why.is_some(), "{wish:?} ends at {end:?} without a reason");
    }
}

/// At least 95 in a hundred wishes for what a sampled answer reaches are met within half an inch.
#[test]
fn what_can_be_reached_is_reached() {
    let mut asked: BTreeMap<&str, [u32; 2]> = BTreeMap::new();
    positions(|fight, whim| {
        let action = fight.sample(whim);
        let Some((kind, unit, place, facing)) = end_of(fight, &action) else { return };
        for named in [true, false] {
            let name = named.then(|| kind.to_owned());
            let wish = Wish { action: name, unit, place, facing, by: Vec::new() };
            let steer = fight.steer(&wish);
            legal(fight, &wish, &steer);
            let near = steer.end.is_some_and(|e| e.at.distance(place) <= 0.5);
            let count = asked.entry(kind).or_default();
            count[0] += 1;
            count[1] += u32::from(near);
        }
    });
    for kind in ["deploy", "place_general", "move_general", "move", "charge", "reform"] {
        let [all, near] = asked.get(kind).copied().unwrap_or_default();
        assert!(all >= 10, "only {all} wishes for {kind}: {asked:?}");
        assert!(f64::from(near) >= 0.95 * f64::from(all), "{kind}: {near} of {all} reached: {asked:?}");
    }
}

/// Wishes anywhere, off the table and through enemies too.
#[test]
fn any_wish_has_an_answer_or_a_reason() {
    let (mut answered, mut refused) = (0, 0);
    positions(|fight, whim| {
        for _ in 0..2 {
            let place = Point::new(whim.between(-20.0, 92.0), whim.between(-20.0, 92.0));
            let facing = whim.chance(0.5).then(|| whim.between(0.0, 360.0));
            let by =
                if whim.chance(0.2) { vec![Point::new(whim.between(0.0, 72.0), 24.0)] } else { Vec::new() };
            let wish = Wish { action: None, unit: None, place, facing, by };
            let steer = fight.steer(&wish);
            legal(fight, &wish, &steer);
            if steer.action.is_some() { answered += 1 } else { refused += 1 }
        }
    });
    assert!(answered > 1000 && refused > 0, "{answered} answered, {refused} refused");
}

const OPEN: &str = "active = \"A\"\n[[unit]]\nid = \"A\"\nkind = \"I\"\narmy = \"red\"\nshape = \"L2\"\nat = [36, 20]\nfacing = 0\n\
     [[seat]]\narmy = \"red\"\ngeneral = [2, 2]\n[[seat]]\narmy = \"black\"\ngeneral = [70, 46]\n";

fn position(more: &str) -> Fight {
    let text = format!("{OPEN}{more}");
    AllTheKingsMen
        .set_up(&Source::new("steer.toml", text), &Choices::default(), Purpose::Position)
        .unwrap_or_else(|f| panic!("{f}"))
}

fn wish(x: f64, y: f64, facing: Option<f64>) -> Wish {
    Wish { action: None, unit: None, place: Point::new(x, y), facing, by: Vec::new() }
}

fn end(steer: &Steer<Action>) -> Point {
    steer.end.unwrap_or_else(|| panic!("{steer:?}")).at
}

#[test]
fn too_far_goes_as_far_as_it_may() {
    // ATKM-MOVE-01: six of ten; ATKM-MOVE-09: three back.
    let steer = position("").steer(&wish(36.0, 30.0, None));
    assert!(end(&steer).distance(Point::new(36.0, 26.0)) < 0.01, "{steer:?}");
    let why = steer.why.unwrap_or_else(|| panic!("no reason"));
    assert_eq!(why.clause, "ATKM-MOVE-01");
    assert!(why.why.contains("10 inches") && why.why.contains("6 inches"), "{why}");
    let steer = position("").steer(&wish(36.0, 10.0, None));
    assert!(end(&steer).distance(Point::new(36.0, 17.0)) < 0.01, "{steer:?}");
}

#[test]
fn a_handle_turns_on_the_spot() {
    let steer = position("").steer(&wish(36.0, 20.0, Some(70.0)));
    assert_eq!(steer.action, Some(Action::Move { path: vec![], facing: Some(70.0), spread: None }));
    assert_eq!(steer.why, None);
    // Beside a friend there is room for part of the turn only.
    let friend =
        "[[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"red\"\nshape = \"L1\"\nat = [36, 21.5]\nfacing = 0\n";
    let steer = position(friend).steer(&wish(36.0, 20.0, Some(60.0)));
    let facing = steer.end.unwrap_or_else(|| panic!("{steer:?}")).facing;
    assert!(facing > 3.0 && facing < 30.0, "{steer:?}");
    assert_eq!(steer.why.map(|w| w.clause), Some("ATKM-MOVE-22".into()));
}

#[test]
fn an_enemy_pointed_at_is_charged_and_one_out_of_reach_approached() {
    let enemy = |y: f64| {
        format!(
            "[[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"black\"\nshape = \"L2\"\nat = [37, {y}]\nfacing = 180\n"
        )
    };
    let steer = position(&enemy(25.0)).steer(&wish(37.0, 25.5, None));
    assert!(matches!(steer.action, Some(Action::Charge { .. })), "{steer:?}");
    // ATKM-MOVE-18: two inches short of contact is as near as six inches lead; one inch is the least.
    let steer = position(&enemy(28.0)).steer(&wish(37.0, 28.5, None));
    assert!(matches!(steer.action, Some(Action::Move { .. })), "{steer:?}");
    assert!(end(&steer).y > 25.5, "{steer:?}");
    let steer = position(&enemy(26.0)).steer(&Wish { action: Some("move".into()), ..wish(36.0, 26.0, None) });
    assert!((end(&steer).y - 25.0).abs() < 0.05, "{steer:?}");
    assert_eq!(steer.why.map(|w| w.clause), Some("ATKM-MOVE-18".into()));
}

#[test]
fn a_column_goes_round_a_house() {
    let house = "[[terrain]]\nkind = \"building\"\npoints = [[34, 22], [37, 22], [37, 25], [34, 25]]\n";
    let text = OPEN.replace("L2", "C1") + house;
    let fight = AllTheKingsMen
        .set_up(&Source::new("steer.toml", text), &Choices::default(), Purpose::Position)
        .unwrap_or_else(|f| panic!("{f}"));
    let steer = fight.steer(&wish(37.0, 27.5, None));
    let Some(Action::Move { path, .. }) = &steer.action else { panic!("{steer:?}") };
    assert!(path.len() > 1, "{steer:?}");
    assert!(end(&steer).distance(Point::new(37.0, 27.5)) < 0.5, "{steer:?}");
}

#[test]
fn another_unit_and_bad_numbers_are_refused() {
    let other = Wish { unit: "Q7".parse().ok(), ..wish(36.0, 22.0, None) };
    let steer = position("").steer(&other);
    assert!(steer.action.is_none() && steer.why.is_some_and(|w| w.why.contains("A is being activated")));
    let steer = position("").steer(&wish(f64::NAN, 22.0, None));
    assert!(steer.action.is_none() && steer.why.is_some());
    let steer = position("").steer(&Wish { action: Some("fly".into()), ..wish(36.0, 22.0, None) });
    assert!(steer.why.is_some_and(|w| w.why.contains("`fly`")));
}

#[test]
fn light_infantry_goes_apart_about_a_place() {
    let text = OPEN.replace("facing = 0", "facing = 0\nlight = true");
    let options = BTreeMap::from([("adv_light_infantry".to_owned(), "on".to_owned())]);
    let fight = AllTheKingsMen
        .set_up(
            &Source::new("steer.toml", text),
            &Choices { options, ..Choices::default() },
            Purpose::Position,
        )
        .unwrap_or_else(|f| panic!("{f}"));
    let steer = fight.steer(&Wish { action: Some("split".into()), ..wish(36.0, 24.0, None) });
    let Some(Action::Split { parts }) = &steer.action else { panic!("{steer:?}") };
    assert_eq!(parts.iter().map(|p| p.n).sum::<u8>(), 12);
    legal(&fight, &wish(36.0, 24.0, None), &steer);
}

#[test]
fn what_keeps_a_unit_from_a_course_is_said() {
    let fight = position(
        "[[unit]]\nid = \"B\"\nkind = \"I\"\narmy = \"black\"\nshape = \"L2\"\nat = [36, 31]\nfacing = 180\n",
    );
    let unit = "A".parse().unwrap_or_else(|e| panic!("{e}"));
    let courses = tricorne_game::AnyBattle::courses(&fight, unit);
    let why = |name: &str| {
        let course =
            courses.iter().find(|c| c.action == name).unwrap_or_else(|| panic!("no {name}: {courses:?}"));
        course.why.as_ref().map(|w| w.clause.clone())
    };
    assert_eq!(why("move"), None);
    assert_eq!(why("fire"), None);
    assert_eq!(why("charge").as_deref(), Some("ATKM-MOVE-19"));
    assert_eq!(why("end").as_deref(), Some("ATKM-ACT-10"));
}
