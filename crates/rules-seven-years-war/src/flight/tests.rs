//! Nobody surrenders with room behind (SYW-ROUT-10, -11, -18), in any battle: the way home is looked for again, from the
//! places of the stands and not by the rule's own search.

use tricorne_conformance as conformance;
use tricorne_game::{Battle as _, Choices, Event, Log, Purpose, Source, System};
use tricorne_table::{Pill, Point, Shape};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::{Order, Units};
use crate::{Battle, SevenYearsWar};

/// Half of the corridor that routers need (SYW-ROUT-10).
const CORRIDOR: f64 = 5.0;

/// A way to their own half that nobody bars: a place on the centre line to which a strip as wide as the corridor is free of
/// enemies that neither run nor retreat. Troops in their own half are there.
fn way_home(b: &SevenYearsBattle, g: GroupIx) -> Option<Point> {
    let side = b.group(g).side;
    let centre = b.centre_of(&b.members(g));
    if b.in_own_half(side, centre) {
        return Some(centre);
    }
    let enemies: Units = b
        .unit_ids()
        .filter(|&e| b.unit(e).side != side && b.unit(e).is_known() && !b.unit(e).surrendered)
        .filter(|&e| !matches!(b.order_of(e), Order::Retreat | Order::Rout))
        .collect();
    let middle = b.fixed.table.depth() * 0.5;
    let places = (0..=(b.fixed.table.width() * 2.0) as u32).map(|k| Point::new(f64::from(k) * 0.5, middle));
    places.into_iter().find(|&end| {
        let way = Shape::Pill(Pill { a: centre, b: end, radius: 0.0 });
        enemies.iter().all(|&e| b.rects(e).iter().all(|r| way.gap(&Shape::Rect(*r)) > CORRIDOR + 0.1))
    })
}

/// Whether pursuers touch routers who are no faster than they (SYW-ROUT-11), as it was before they laid down their arms.
fn run_down(before: &SevenYearsBattle, after: &SevenYearsBattle, g: GroupIx) -> bool {
    let slowest = after.members(g).iter().map(|&u| after.info(u).speed).fold(f64::MAX, f64::min);
    let pace = slowest + after.fixed.book.charts.rout.later_extra;
    after.unit_ids().any(|e| {
        let touches = after.members(g).iter().any(|&u| after.gap(u, e) <= 0.1 || before.gap(u, e) <= 0.1);
        before.group_of(e).pursuing == Some(g) && touches && after.info(e).speed >= pace - 0.02
    })
}

/// Looks at every surrender of an action; how many there were.
fn look(at: &str, before: &SevenYearsBattle, events: &[Event], after: &SevenYearsBattle) -> usize {
    let surrenders = events.iter().filter(|e| e.what == "surrender");
    surrenders
        .map(|event| {
            let id = event.data.get("group").and_then(|g| g.as_str()).unwrap_or_default();
            let found = after.group_ids().find(|&g| after.group(g).id.as_str() == id);
            let g = found.unwrap_or_else(|| panic!("{at}: {id} is nobody"));
            if event.clauses.iter().any(|c| c == "SYW-ROUT-11") {
                assert!(run_down(before, after, g), "{at}: {id} surrenders to nobody who is upon it");
            } else if let (Some(way), Some(_)) = (way_home(before, g), way_home(after, g)) {
                panic!("{at}: {id} surrenders with a way home by {way:?}");
            }
        })
        .count()
}

#[test]
fn nobody_surrenders_with_room_behind() {
    conformance::actions(SevenYearsWar, 0..6, |at, before, events, after| {
        look(at, before, events, after);
    });
}

/// A routing unit of b in the enemy's half, and two regiments of horse in its way, or out of it.
fn cornered(e1: [f64; 2], e2: [f64; 2]) -> (Battle, Battle, Vec<Event>) {
    let text = format!(
        r#"
now = {{ turn = 3, side = "a", step = "movement" }}
units = [
  {{ id = "r", side = "b", kind = "MI", at = [10, 5], facing = 0, stands = 3, started = 4, order = "rout", formation = "column_2" }},
  {{ id = "e1", side = "a", kind = "MC", at = {e1:?}, facing = 180, stands = 10 }},
  {{ id = "e2", side = "a", kind = "MC", at = {e2:?}, facing = 270, stands = 10 }},
  {{ id = "z", side = "b", kind = "MI", at = [172, 116], facing = 180 }},
  {{ id = "y", side = "a", kind = "MI", at = [172, 4], facing = 0 }},
]
"#
    );
    let source = Source::new("cornered.toml", text);
    let set_up = SevenYearsWar.set_up(&source, &Choices::default(), Purpose::Position);
    let mut battle = set_up.unwrap_or_else(|f| panic!("{f}"));
    let before = battle.clone();
    let mut log = Log::on();
    battle.begin(&mut tricorne_chance::Seeded::new(1), &mut log);
    (before, battle, log.events().to_vec())
}

#[test]
fn routers_with_every_way_barred_surrender_and_others_do_not() {
    let (before, after, events) = cornered([25.0, 20.0], [50.0, 25.0]);
    assert_eq!(look("cornered", &before, &events, &after), 1);
    let (before, after, events) = cornered([125.0, 20.0], [150.0, 25.0]);
    assert_eq!(look("in the open", &before, &events, &after), 0);
    // Straight ahead is barred, and round about the horse there is a way.
    let (aside, open, told) = cornered([25.0, 40.0], [150.0, 25.0]);
    assert_eq!(look("round about", &aside, &told, &open), 0);
    // The check itself tells the two apart: the surrender of the first would be a fault in the place of the second.
    let r = after.group_ids().find(|&g| after.group(g).id.as_str() == "r").expect("r is there");
    assert!(way_home(&after, r).is_some());
}
