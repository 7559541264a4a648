//! What is steered is legal, and a wish that a legal answer fulfils is fulfilled.

use tricorne_chance::{Seeded, Whim};
use tricorne_drill::Question;
use tricorne_game::{Battle as _, Choices, Log, Purpose, Source, System, UnitId, Wish};
use tricorne_table::{Point, Pose};

use crate::action::{Action, Leg};
use crate::deployment::deploy::Placed;
use crate::model::ids::GeneralIx;
use crate::model::state::grain;
use crate::movement::next_move::Moved;
use crate::{Battle, Questions, SevenYearsBattle, SevenYearsWar};

#[path = "../../tests/free.rs"]
mod free;
use free::free;

fn begun(text: &str, seed: u64) -> (Battle, Seeded) {
    let source = Source::new("field.toml", text);
    let mut battle = SevenYearsWar
        .set_up(&source, &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|fault| panic!("{fault}"));
    let mut chance = Seeded::new(seed);
    battle.begin(&mut chance, &mut Log::off());
    (battle, chance)
}

/// Who goes where by a legal answer, if it has a place in it.
fn goes(battle: &Battle, action: &Action) -> Option<(UnitId, Pose)> {
    let plan = battle.planned(action).ok()?.filter(|plan| !plan.left_table);
    if let Some(m) = plan.as_ref().and_then(|plan| plan.movers.first()) {
        return Some((m.new.id, grain(m.new.pose())));
    }
    let rider = |i: GeneralIx, at: Point| {
        let general = battle.general(i);
        let facing = SevenYearsBattle::inwards(battle.s.armies[general.side.index()].edge);
        (general.id, Pose { at, facing: if general.placed { general.facing } else { facing } })
    };
    match battle.asking()? {
        Questions::Movement(q) => match q.judge(battle, action).ok()? {
            Moved::Ride(i, at) => Some(rider(i, at)),
            _ => None,
        },
        Questions::Deploy(q) => match q.judge(battle, action).ok()? {
            Placed::General(i, at) => Some(rider(i, at)),
            Placed::Unit(_, new, _) => Some((new.id, new.pose())),
            _ => None,
        },
        Questions::ComeBack(q) => {
            let placed = q.judge(battle, action).ok()??;
            placed.first().map(|(_, new)| (new.id, grain(new.pose())))
        }
        _ => None,
    }
}

/// Formation changes and pivots are answers without a place; they are listed or written out, not dragged.
fn marches(action: &Action) -> bool {
    match action {
        Action::Move { legs, .. } => !legs
            .iter()
            .any(|l| matches!(l, Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_) | Leg::Turn(_))),
        _ => true,
    }
}

fn wish(unit: UnitId, place: Point, facing: Option<f64>) -> Wish {
    Wish { action: None, unit: Some(unit), place, facing, by: Vec::new() }
}

fn fair(battle: &Battle, wish: &Wish) -> Option<f64> {
    let steer = battle.steer(wish);
    match (&steer.action, &steer.why) {
        (Some(action), _) => {
            assert_eq!(battle.check(action), Ok(()), "{wish:?} gave {action:?}");
            let end = steer.end.unwrap_or_else(|| panic!("{action:?} ends nowhere"));
            if let Some((unit, there)) = goes(battle, action).filter(|g| Some(g.0) == wish.unit) {
                assert!(there.at.distance(end.at) < 0.02, "{unit} ends at {there:?}, not {end:?}");
            }
            assert!(battle.preview(action).is_ok());
            let off = end.at.distance(wish.place);
            assert!(off < 0.5 || steer.why.is_some(), "{off} off and no word why: {wish:?} {action:?}");
            Some(off)
        }
        (None, Some(why)) => {
            assert!(!why.why.is_empty() && why.clause.starts_with("SYW-"), "{why:?}");
            None
        }
        (None, None) => panic!("{wish:?} got neither answer nor reason"),
    }
}

#[test]
fn a_wish_that_a_legal_answer_fulfils_is_fulfilled_nine_times_in_ten() {
    let (mut asked, mut reached) = (0, 0);
    let scenarios = SevenYearsWar.scenarios();
    let mut texts: Vec<String> = scenarios.iter().map(|s| s.text.to_owned()).collect();
    texts.push(free(scenarios[0].text));
    for (k, text) in texts.iter().enumerate() {
        let seed = 40 + k as u64;
        let (mut battle, mut chance) = begun(text, seed);
        let mut whim = Whim::new(seed, 0);
        for _ in 0..400 {
            if battle.ending().is_some() {
                break;
            }
            let action = battle.sample(&mut whim);
            if let Some((unit, there)) = goes(&battle, &action).filter(|_| marches(&action)) {
                let facing = whim.chance(0.7).then_some(there.facing);
                asked += 1;
                let off = fair(&battle, &wish(unit, there.at, facing));
                if off.is_some_and(|off| off <= 1.0) {
                    reached += 1;
                }
            }
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    assert!(asked > 200, "{asked} wishes are too few");
    assert!(reached * 10 >= asked * 9, "{reached} of {asked} wishes were reached");
}

#[test]
fn any_wish_gives_a_legal_answer_or_a_reason() {
    for (k, scenario) in SevenYearsWar.scenarios().iter().enumerate() {
        let seed = 7 + k as u64;
        let (mut battle, mut chance) = begun(scenario.text, seed);
        let mut whim = Whim::new(seed, 1);
        for n in 0..300 {
            if battle.ending().is_some() {
                break;
            }
            if n % 5 == 0 {
                let view = battle.view(battle.seat());
                let ids: Vec<UnitId> = view.units.iter().map(|u| u.id).collect();
                if let Some(&unit) = whim.one_of(&ids) {
                    // On the table, off it, and on top of an enemy.
                    let anywhere = Point::new(whim.between(-60.0, 240.0), whim.between(-60.0, 180.0));
                    let place = match whim.one_of(&view.units) {
                        Some(other) if whim.chance(0.4) => other.at,
                        _ => anywhere,
                    };
                    let facing = whim.chance(0.5).then(|| whim.between(0.0, 360.0));
                    for action in [None, Some("move"), Some("move_unit"), Some("charge"), Some("rearrange")] {
                        let mut wish = wish(unit, place, facing);
                        wish.action = action.map(str::to_owned);
                        if whim.chance(0.2) {
                            wish.by.push(anywhere);
                        }
                        fair(&battle, &wish);
                    }
                }
            }
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
}

#[test]
fn a_wish_of_numbers_that_are_none_is_refused() {
    let (battle, _) = begun(SevenYearsWar.scenarios()[0].text, 1);
    let unit = battle.view(None).units[0].id;
    let steer = battle.steer(&wish(unit, Point::new(f64::NAN, 3.0), None));
    assert!(steer.action.is_none() && steer.why.is_some());
}
