//! Dragging: what `steer` offers is legal, and ends where it was asked to when it can.

use tricorne_chance::{Seeded, Whim};
use tricorne_game::view::OverlayShape;
use tricorne_game::{Battle, Choices, Illegal, Log, Purpose, Source, Steer, System, UnitId, Wish};
use tricorne_rules_would_be_kings::{Action, Order, WbkBattle, WouldBeKings};
use tricorne_table::{Point, Shape};

fn begun(text: &str, seed: u64, options: &[(&str, &str)]) -> WbkBattle {
    let choices = Choices {
        options: options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        ..Choices::default()
    };
    let mut battle =
        WouldBeKings.set_up(&Source::new("test.toml", text), &choices, Purpose::Scenario).unwrap();
    battle.begin(&mut Seeded::new(seed), &mut Log::off());
    battle
}

fn position(text: &str) -> WbkBattle {
    let battle = WouldBeKings.set_up(&Source::new("test.toml", text), &Choices::default(), Purpose::Position);
    battle.unwrap()
}

/// Takes answers in turn, with any dice.
fn after(mut battle: WbkBattle, actions: &[Action]) -> WbkBattle {
    for seed in 0..200 {
        let mut trial = battle.clone();
        let mut dice = Seeded::new(seed);
        if actions.iter().all(|a| trial.apply(a, &mut dice, &mut Log::off()).is_ok()) {
            battle = trial;
            return battle;
        }
    }
    panic!("no dice let {actions:?} happen");
}

fn wish(place: Point) -> Wish {
    Wish { action: None, unit: None, place, facing: None, by: Vec::new() }
}

fn id(name: &str) -> UnitId {
    name.parse().unwrap()
}

fn stands(battle: &WbkBattle, unit: UnitId) -> Option<Point> {
    battle.view(None).units.iter().find(|u| u.id == unit && u.on_table).map(|u| u.at)
}

fn middle(shape: &Shape) -> Point {
    let b = shape.bounds();
    b.centre()
}

/// Where a sampled answer would put the unit's anchor, and the name of its space.
fn end_of(battle: &WbkBattle, action: &Action) -> Option<(Point, &'static str)> {
    let first_base = || {
        let preview = battle.preview(action).ok()?;
        preview.overlays.iter().find_map(|o| match &o.shape {
            OverlayShape::Bases(bases) if o.kind == "ghost" => bases.first().map(middle),
            _ => None,
        })
    };
    match action {
        Action::Go(go) if !go.path.is_empty() => {
            let unit = battle.pending();
            let tricorne_game::Pending::Decision { unit: Some(unit), .. } = unit else { return None };
            let mut there = battle.clone();
            there.apply(action, &mut Seeded::new(1), &mut Log::off()).ok()?;
            stands(&there, unit).map(|at| (at, "go"))
        }
        Action::Declare(d) if d.action == Order::Attack && d.target.is_some() => {
            first_base().map(|at| (at, "declare"))
        }
        Action::Charge(_) => first_base().map(|at| (at, "charge")),
        Action::Place(place) => Some((place.at, "place")),
        _ => None,
    }
}

struct Share {
    asked: u32,
    met: u32,
}

/// Random battles; at each decision the end of a sampled answer is wished for.
fn shares(text: &str, seeds: std::ops::Range<u64>, options: &[(&str, &str)]) -> [(&'static str, Share); 4] {
    let mut shares = ["go", "declare", "charge", "place"].map(|name| (name, Share { asked: 0, met: 0 }));
    for seed in seeds {
        let mut battle = begun(text, seed, options);
        let (mut whim, mut dice) = (Whim::new(seed, 9), Seeded::new(seed));
        let mut step = 0;
        while battle.seat().is_some() {
            let action = battle.sample(&mut whim);
            step += 1;
            if (step % 3 == 0 || !matches!(action, Action::Go(_)))
                && let Some((at, name)) = end_of(&battle, &action)
            {
                let unit = if let Action::Place(place) = &action { Some(place.unit) } else { None };
                let steer = battle.steer(&Wish { action: Some(name.into()), unit, ..wish(at) });
                let share = &mut shares.iter_mut().find(|s| s.0 == name).unwrap().1;
                share.asked += 1;
                if let Some(offered) = &steer.action {
                    battle.check(offered).unwrap();
                    let end = steer.end.unwrap().at;
                    share.met += u32::from(end.distance(at) <= 0.5);
                }
                assert!(steer.action.is_some() || steer.why.is_some());
            }
            if step % 7 == 0 {
                // Anywhere, on the table or off it.
                let place = Point::new(whim.between(-20.0, 92.0), whim.between(-20.0, 68.0));
                let facing = whim.chance(0.5).then(|| whim.between(-400.0, 400.0));
                let steer = battle.steer(&Wish { facing, ..wish(place) });
                if let Some(offered) = &steer.action {
                    battle.check(offered).unwrap();
                }
                assert!(steer.action.is_some() || steer.why.is_some_and(|w| !w.why.is_empty()));
            }
            battle.apply(&action, &mut dice, &mut Log::off()).unwrap();
        }
    }
    shares
}

#[test]
fn a_legal_end_that_is_wished_for_is_reached() {
    let mut all: std::collections::BTreeMap<&str, (u32, u32)> = std::collections::BTreeMap::new();
    for scenario in WouldBeKings.scenarios() {
        for (name, share) in shares(scenario.text, 0..6, &[]) {
            let sum = all.entry(name).or_default();
            *sum = (sum.0 + share.met, sum.1 + share.asked);
            // Some scenarios have a handful of one kind: those count in the sum of all.
            assert!(
                name != "go" || share.met * 10 >= share.asked * 9,
                "{}: {} of {}",
                scenario.id,
                share.met,
                share.asked
            );
        }
    }
    for (name, (met, asked)) in all {
        let least = if name == "go" { 9 } else { 8 };
        // Nobody is placed where no scenario asks for it.
        assert!((asked > 20 || name == "place") && met * 10 >= asked * least, "{name}: {met} of {asked}");
    }
}

#[test]
fn wishes_are_met_in_free_deployment_and_under_other_readings() {
    let text = "format = 1\nruleset = \"would-be-kings\"\n[forces]\nimperial = \"L3\"\nnative = \"L8\"\n";
    let readings =
        [("declare_detail", "action_only"), ("difficult_cost", "half_total"), ("attack_reach", "straight")];
    for (name, share) in shares(text, 0..4, &readings) {
        assert!(share.met * 10 >= share.asked * 8, "{name}: {} of {}", share.met, share.asked);
        assert!(share.asked > 0 || name == "declare" || name == "charge", "{name} was never sampled");
    }
}

const HEAD: &str = "active = \"imperial\"\n[table]\nwidth = 48\nheight = 48\n";

fn unit(id: &str, side: &str, kind: &str, at: [f64; 2], more: &str) -> String {
    format!(
        "[[unit]]\nid = \"{id}\"\nside = \"{side}\"\nkind = \"{kind}\"\nat = [{}, {}]\n{more}\n",
        at[0], at[1]
    )
}

fn declare(order: Order) -> Action {
    Action::Declare(tricorne_rules_would_be_kings::Declare::plain(order))
}

/// II at (24, 10), about to Move 6".
fn about_to_move(more: &str) -> WbkBattle {
    let text = format!(
        "{HEAD}{more}\n{}{}",
        unit("I1", "imperial", "II", [24.0, 10.0], "leadership = 2"),
        unit("N1", "native", "TI", [24.0, 40.0], "")
    );
    let battle = after(position(&text), &[Action::Activate(id("I1")), declare(Order::Move)]);
    assert_eq!(battle.pending().kind(), "move");
    battle
}

fn met(steer: &Steer<Action>, at: Point) -> f64 {
    steer.end.map_or(f64::INFINITY, |end| end.at.distance(at))
}

fn clause(steer: &Steer<Action>) -> &str {
    steer.why.as_ref().map_or("", |Illegal { clause, .. }| clause)
}

#[test]
fn a_wish_too_far_ends_at_the_allowance_and_says_so() {
    let battle = about_to_move("");
    let steer = battle.steer(&wish(Point::new(24.0, 30.0)));
    assert!(met(&steer, Point::new(24.0, 16.0)) < 0.01, "{steer:?}");
    assert_eq!(clause(&steer), "WBK-MOVE-02");
    assert!(steer.why.unwrap().why.contains("6.000\""));
    // Within reach there is nothing to explain.
    let near = battle.steer(&wish(Point::new(27.0, 13.0)));
    assert!(met(&near, Point::new(27.0, 13.0)) < 0.01 && near.why.is_none(), "{near:?}");
}

#[test]
fn off_the_table_and_into_the_enemy_end_before_it() {
    let battle = about_to_move("");
    let steer = battle.steer(&wish(Point::new(24.0, -5.0)));
    assert!(steer.action.is_some() && steer.end.unwrap().at.y < 5.0, "{steer:?}");
    assert_eq!(clause(&steer), "WBK-MOVE-13");

    let text = format!(
        "{HEAD}{}{}",
        unit("I1", "imperial", "II", [24.0, 10.0], "leadership = 2"),
        unit("N1", "native", "TI", [24.0, 19.0], "")
    );
    let battle = after(position(&text), &[Action::Activate(id("I1")), declare(Order::Move)]);
    let steer = battle.steer(&Wish { action: Some("go".into()), ..wish(Point::new(24.0, 16.0)) });
    assert_eq!(clause(&steer), "WBK-MOVE-01", "{steer:?}");
    assert!(steer.why.unwrap().why.contains("N1"));
    assert!(steer.end.unwrap().at.y > 10.5);
}

#[test]
fn a_wish_goes_round_one_thing_in_the_way() {
    let river = "[[terrain]]\nid = \"R\"\nkind = \"river\"\nat = [[23.2, 12.5], [24.8, 12.5], [24.8, 13], [23.2, 13]]\n";
    let battle = about_to_move(river);
    let place = Point::new(24.0, 14.2);
    let steer = battle.steer(&wish(place));
    let Some(Action::Go(go)) = &steer.action else { panic!("{steer:?}") };
    assert!(go.path.len() > 1, "{go:?}");
    assert!(met(&steer, place) < 1.5, "{steer:?}");
}

#[test]
fn a_handle_turns_on_the_spot() {
    let here = Point::new(24.0, 10.0);
    let steer = about_to_move("").steer(&Wish { facing: Some(90.0), ..wish(here) });
    assert!(
        met(&steer, here) < 0.01 && steer.end.unwrap().facing == 90.0 && steer.why.is_none(),
        "{steer:?}"
    );

    // Horse turn by going out and back along the new facing (WBK-MOD-22).
    let text = format!(
        "{HEAD}{}{}",
        unit("I1", "imperial", "RC", [24.0, 10.0], "leadership = 2"),
        unit("N1", "native", "TI", [24.0, 40.0], "")
    );
    let battle = after(position(&text), &[Action::Activate(id("I1")), declare(Order::Move)]);
    let steer = battle.steer(&Wish { facing: Some(135.0), ..wish(here) });
    assert!(
        met(&steer, here) < 0.01 && steer.end.unwrap().facing == 135.0 && steer.why.is_none(),
        "{steer:?}"
    );

    // A block's corner may swing 4" (WBK-MOD-20): it turns as far as that.
    let text = format!(
        "{HEAD}{}{}",
        unit(
            "I1",
            "imperial",
            "RI",
            [24.0, 10.0],
            "leadership = 2\nlayout = \"block\"\nclose_order = true\nfacing = 0"
        ),
        unit("N1", "native", "TI", [24.0, 40.0], "")
    );
    let battle = after(position(&text), &[Action::Activate(id("I1")), declare(Order::Move)]);
    let steer = battle.steer(&Wish { facing: Some(90.0), ..wish(here) });
    assert_eq!(clause(&steer), "WBK-MOD-20", "{steer:?}");
    let facing = steer.end.unwrap().facing;
    assert!((60.0..90.0).contains(&facing), "turned to {facing}");
    let preview = battle.preview(&steer.action.unwrap()).unwrap();
    let kinds: Vec<&str> = preview.overlays.iter().map(|o| o.kind.as_str()).collect();
    assert_eq!(kinds, ["path", "corner path", "ghost"]);
    assert!(preview.cost.unwrap() <= 4.0 + 1e-6 && preview.cost.unwrap() > 3.7, "{preview:?}");
}

#[test]
fn an_attack_is_steered_round_a_third_unit() {
    // N2 stands before N1; straight on the attack would touch it (WBK-ATT-05).
    let text = format!(
        "{HEAD}{}{}{}",
        unit("I1", "imperial", "RC", [24.0, 10.0], "models = 3"),
        unit("N1", "native", "TI", [24.0, 17.0], "models = 3"),
        unit("N2", "native", "TI", [24.0, 13.5], "models = 1\ngone_to_ground = true")
    );
    let battle = after(position(&text), &[Action::Activate(id("I1"))]);
    let straight = Action::Declare(tricorne_rules_would_be_kings::Declare::at(Order::Attack, id("N1")));
    assert_eq!(battle.check(&straight).unwrap_err().clause, "WBK-ATT-05");
    let steer = battle.steer(&wish(Point::new(24.0, 17.0)));
    let Some(Action::Declare(declare)) = &steer.action else { panic!("{steer:?}") };
    assert!(declare.target == Some(id("N1")) && !declare.waypoints.is_empty(), "{declare:?}");
    // And the suggestions know the way round as well.
    let found = battle.candidates(40, &mut Whim::new(1, 1));
    let by = |a: &&Action| matches!(a, Action::Declare(d) if d.target == Some(id("N1")) && !d.waypoints.is_empty());
    assert!(found.iter().any(|a| by(&a)), "{found:?}");
    // Nobody there: the remedy is said.
    let nobody = battle.steer(&wish(Point::new(2.0, 46.0)));
    assert!(nobody.action.is_none() && nobody.why.unwrap().why.contains("declare a Move"));
}

#[test]
fn what_can_t_be_dragged_says_why() {
    let battle = position(&format!(
        "{HEAD}{}{}",
        unit("I1", "imperial", "II", [24.0, 10.0], ""),
        unit("N1", "native", "TI", [24.0, 40.0], "")
    ));
    let steer = battle.steer(&wish(Point::new(24.0, 12.0)));
    assert!(steer.action.is_none());
    assert_eq!(clause(&steer), "WBK-TURN-03");
    let moving = about_to_move("");
    let other = moving.steer(&Wish { unit: Some(id("N1")), ..wish(Point::new(24.0, 12.0)) });
    assert!(other.action.is_none() && other.why.unwrap().why.contains("I1"));
    let nothing = moving.steer(&wish(Point::new(f64::NAN, 12.0)));
    assert_eq!(clause(&nothing), "WBK-MOD-01");
    let unknown = moving.steer(&Wish { action: Some("wheel".into()), ..wish(Point::new(24.0, 12.0)) });
    assert!(unknown.why.unwrap().why.contains("go, enter"));
}

#[test]
fn sight_shows_its_line_or_what_is_in_the_way() {
    let wood = "[[terrain]]\nid = \"W\"\nkind = \"wood\"\nat = [[20, 20], [28, 20], [28, 26], [20, 26]]\n";
    let text = |more: &str| {
        format!(
            "{HEAD}{more}{}{}",
            unit("I1", "imperial", "II", [24.0, 10.0], "models = 1"),
            unit("N1", "native", "TI", [24.0, 40.0], "models = 1")
        )
    };
    let clear = position(&text("")).sight(id("I1"), id("N1"), None).unwrap();
    assert!(clear.clear && clear.why.is_none());
    assert_eq!(clear.line, [Point::new(24.0, 10.0), Point::new(24.0, 40.0)]);
    let barred = position(&text(wood)).sight(id("I1"), id("N1"), None).unwrap();
    assert!(!barred.clear);
    assert_eq!(barred.why.unwrap().clause, "WBK-MOD-28");
    assert!(position(&text("")).sight(id("I1"), id("I1"), None).is_none());
}

#[test]
fn courses_name_every_order_and_what_forbids_it() {
    let text = format!(
        "{HEAD}{}{}",
        unit("I1", "imperial", "FG", [24.0, 10.0], ""),
        unit("N1", "native", "TI", [24.0, 14.0], "")
    );
    let battle = position(&text);
    assert_eq!(battle.courses(id("I1")), [("activate".to_owned(), Action::Activate(id("I1")))]);
    let battle = after(battle, &[Action::Activate(id("I1"))]);
    let courses = battle.courses(id("I1"));
    assert_eq!(courses.len(), Order::ALL.len());
    let why = |name: &str| {
        let course = courses.iter().find(|c| c.0 == name).unwrap();
        battle.check(&course.1).err().map(|i| i.clause)
    };
    assert_eq!(why("attack"), None);
    assert_eq!(why("go to ground").as_deref(), Some("WBK-GTG-01"));
    assert_eq!(why("double").as_deref(), Some("WBK-DBL-02"));
    assert_eq!(why("stand to"), None);
    assert!(battle.courses(id("N1")).is_empty());
}
