//! Cohesion holds after Attacks (WBK-MOVE-07, WBK-MOD-21, 37, 38), on every position of every battle: whatever Attack is
//! open to a unit, all its models end round their leader, and who stays behind has no place there.

use tricorne_conformance as conformance;
use tricorne_game::{Choices, Purpose, Source, System};

use super::{close_places, slots};
use crate::WouldBeKings;
use crate::attack::{Assault, Reach};
use crate::battle::Fray;
use crate::model::base::TOLERANCE;
use crate::state::{Layout, No, Places, Spot};

/// What was looked at.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    attacks: usize,
    strung_out: usize,
}

/// Models of a unit that are out of cohesion.
fn astray(fray: &Fray, places: &[Spot]) -> Vec<usize> {
    let cohesion = fray.field.rulebook.charts.movement.cohesion;
    let Some(leader) = places.first().map(|s| s.point()) else { return Vec::new() };
    let far = |s: &Spot| s.point().distance(leader) > cohesion + TOLERANCE;
    (0..places.len()).filter(|&i| far(&places[i])).collect()
}

/// A place near the leader that a model who stayed behind could have taken: on the list of WBK-MOD-37, legal, free, in his
/// reach, and not the old place of a comrade who had yet to find his own.
fn place_left(fray: &Fray, u: No, assault: &Assault, places: &Places, i: usize) -> Option<Spot> {
    let (mounted, facing) = (fray.card(u).mounted, assault.facing);
    let anchor = places[0];
    let around = fray.around(u, anchor.point(), 8.0, true);
    let old = &fray.unit(u).places;
    let cohesion = fray.field.rulebook.charts.movement.cohesion;
    let mut list = slots(Layout::Cluster, mounted, 0, facing).to_vec();
    list.extend(close_places(mounted, facing, cohesion));
    list.into_iter().map(|(dx, dy)| anchor.shifted(dx, dy)).find(|spot| {
        let base = fray.base_at(u, spot.point(), facing);
        let clear_of = |other: Spot| fray.base_at(u, other.point(), facing).gap(&base) >= -TOLERANCE;
        spot.point().distance(anchor.point()) <= cohesion + TOLERANCE
            && spot.point().distance(old[i].point()) <= assault.limit + TOLERANCE
            && fray.slot_fits(&base, &around).is_ok()
            && fray.reaches(anchor.point(), base.centre, &around)
            && (0..places.len()).all(|j| j == i || clear_of(places[j]))
            && (i + 1..places.len()).all(|j| places[j] == assault.places[j] || clear_of(old[j]))
    })
}

/// Looks at every Attack that is open to anybody now.
fn look(fray: &Fray, at: &str, seen: &mut Seen) {
    for u in fray.on_table() {
        let loose = matches!(fray.unit(u).layout, Layout::Cluster | Layout::Line);
        if !loose || fray.may_attack_at_all(u).is_err() {
            continue;
        }
        let allowance = f64::from(fray.pace(u)) / 1000.0;
        for v in fray.enemies(u) {
            let Ok(assault) = fray.assault(u, v, &[], Reach::attack(allowance)) else { continue };
            seen.attacks += 1;
            let (_, _, places) = fray.closed(u, &assault);
            for i in astray(fray, &places) {
                seen.strung_out += 1;
                let left = place_left(fray, u, &assault, &places, i);
                let (who, whom) = (fray.id(u), fray.id(v));
                assert!(
                    left.is_none(),
                    "{at}: model {i} of {who}, attacking {whom}, is left out of cohesion, but {left:?}"
                );
            }
        }
    }
}

#[test]
fn cohesion_holds_after_every_attack_of_every_position() {
    let mut seen = Seen::default();
    for scenario in WouldBeKings.scenarios() {
        for seed in 0..2 {
            conformance::fight(WouldBeKings, scenario, &Choices::default(), seed, |battle, _, n| {
                look(battle, &format!("{} seed {seed}, decision {n}", scenario.id), &mut seen);
            });
        }
    }
    assert!(seen.attacks > 1_000, "{seen:?}");
}

/// Nothing but an Attack of its own takes a unit out of cohesion, and no move leaves it so.
#[test]
fn only_an_attack_strings_a_unit_out() {
    conformance::actions(WouldBeKings, 0..2, |at, before, events, after| {
        let told = |what: &str, u: No| events.iter().any(|e| e.what == what && e.who == Some(after.id(u)));
        for u in after.on_table() {
            let out = |fray: &Fray| {
                let unit = fray.unit(u);
                unit.is_on_table() && unit.garrison.is_none() && !astray(fray, &unit.places).is_empty()
            };
            if out(after) {
                assert!(!told("move", u), "{at}: {} has moved and is out of cohesion", after.id(u));
                assert!(out(before) || told("attack", u), "{at}: {} is out of cohesion", after.id(u));
            }
        }
    });
}

/// The cleft of WBK-EX-47, and a wider one, in which all find places.
fn cleft(north: f64, south: f64) -> crate::WbkBattle {
    let text = format!(
        r#"
active = "native"
unit = [
  {{ id = "B", side = "imperial", kind = "RI", models = 1, leadership = 7, at = [31, 24] }},
  {{ id = "X", side = "imperial", kind = "RI", models = 1, at = [66, 44] }},
  {{ id = "A", side = "native", kind = "TI", leadership = 7, at = [20, 24] }},
]
terrain = [
  {{ id = "N", kind = "cliff", at = [[24, {north}], [40, {north}], [40, 34], [24, 34]] }},
  {{ id = "S", kind = "cliff", at = [[24, 14], [40, 14], [40, {south}], [24, {south}]] }},
]
"#
    );
    let source = Source::new("cleft.toml", text);
    WouldBeKings.set_up(&source, &Choices::default(), Purpose::Position).unwrap_or_else(|f| panic!("{f}"))
}

#[test]
fn who_is_strung_out_has_no_place() {
    let mut seen = Seen::default();
    look(&cleft(24.6, 23.4), "the cleft", &mut seen);
    assert_eq!(seen, Seen { attacks: 1, strung_out: 10 });
    let mut seen = Seen::default();
    look(&cleft(26.0, 22.0), "the defile", &mut seen);
    assert_eq!(seen, Seen { attacks: 1, strung_out: 0 });
}

/// A check that lets everything pass is none: the same unit, closed up badly, is found out.
#[test]
fn a_unit_left_behind_in_the_open_is_found_out() {
    let battle = cleft(26.0, 22.0);
    let numbers: Vec<No> = battle.on_table().collect();
    let u = numbers.into_iter().find(|&u| battle.id(u).as_str() == "A").expect("A is there");
    let v = battle.enemies(u).next().expect("B is there");
    let assault = battle.assault(u, v, &[], Reach::attack(8.0)).expect("in reach");
    let (_, _, mut places) = battle.closed(u, &assault);
    places[15] = battle.unit(u).places[15];
    assert_eq!(astray(&battle, &places), [15]);
    assert!(place_left(&battle, u, &assault, &places, 15).is_some());
}
