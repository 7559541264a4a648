//! Two armies set up against each other: a scenario file with every unit placed in its strip, out of ground that
//! nobody enters, and something in the middle to fight for.

use tricorne_chance::Whim;
use tricorne_drill::Question;
use tricorne_drill::armies::fielded;
use tricorne_drill::scenario::Scribe;
use tricorne_game::army::Army;
use tricorne_game::{Choices, InOrder, Purpose, Side, Source};
use tricorne_table::Point;

use super::{Found, check_army, found_units, kept_leader};
use crate::battle::Fray;
use crate::scenario::deployment::Placing;
use crate::state::{IMPERIAL, MAX_UNITS, NATIVE, No};
use crate::tables::rulebook::Rulebook;
use crate::turn::side_name;

/// The table armies meet on, in inches: the usual one.
pub(crate) const TABLE: [f64; 2] = [72.0, 48.0];
/// How deep the strips may grow when a host does not fit.
const DEPTHS: [f64; 4] = [1.0, 1.5, 2.0, 2.5];

/// A scenario file of two armies on some ground.
pub(crate) fn pitch(
    book: &Rulebook,
    armies: &[Army; 2],
    terrain: &str,
    table: Option<[f64; 2]>,
) -> Result<String, String> {
    let table = table.unwrap_or(TABLE);
    let sides = [IMPERIAL, NATIVE];
    let mut found: Vec<Vec<Found>> = Vec::new();
    for (army, side) in armies.iter().zip(sides) {
        fielded(army, &check_army(book, army))?;
        found.push(found_units(book, army, side).into_iter().flatten().collect());
    }
    let count: usize = found.iter().map(Vec::len).sum();
    if count > MAX_UNITS {
        return Err(format!("the armies have {count} units together; a battle has at most {MAX_UNITS}"));
    }
    let strip = book.charts.forces.strip;
    // A second line rather than a crush: deeper strips come before units squeezed in wherever they fit.
    for squeezed in [false, true] {
        for depth in DEPTHS {
            let bare = written(armies, &found, (terrain, table), Some(strip * depth), None);
            if let Some(battle) = placed(&bare, squeezed)? {
                return Ok(written(armies, &found, (terrain, table), None, Some(&battle)));
            }
        }
    }
    Err("there is no room for both armies on this ground; take fewer units or more open ground".into())
}

/// Both armies placed in their strips by the rules of free deployment; none when a unit finds no room.
fn placed(text: &str, squeezed: bool) -> Result<Option<Fray>, String> {
    let source = Source::new("this pitch", text);
    let mut battle = crate::scenario::setup::set_up(&source, &Choices::default(), Purpose::Scenario)
        .map_err(|fault| fault.to_string())?;
    // Placing needs no chance: the same armies on the same ground stand the same way.
    let mut whim = Whim::new(1_u64, 0);
    let mut side = IMPERIAL;
    loop {
        let waits = |side: Side| battle.state.units.numbers().any(|u| battle.waits_for_place(u, side));
        if !waits(side) {
            side = side.enemy();
            if !waits(side) {
                return Ok(Some(battle));
            }
        }
        let mut places = battle.weigh_places(side, &mut whim);
        places.retain(|p| squeezed || p.0 > crate::judgement::LAST_RESORT);
        places.put_in_order(|a, b| b.0.total_cmp(&a.0));
        let posted = places.iter().find_map(|(_, action)| Placing(side).judge(&battle, action).ok());
        let Some(posted) = posted else { return Ok(None) };
        battle.post(posted);
        side = side.enemy();
    }
}

/// Places along the middle to fight for, clear of ground that nobody enters.
fn markers([width, height]: [f64; 2], battle: Option<&Fray>) -> Vec<(&'static str, Point)> {
    let clear = |at: Point| {
        battle.is_none_or(|b| {
            let land = &b.field.land;
            !land
                .blocks
                .iter()
                .any(|&i| land.pieces[i].area().is_some_and(|a| a.contains(at) || a.distance_to(at) < 1.5))
        })
    };
    let middle = width * 0.5;
    [("left", 0.2), ("centre", 0.5), ("right", 0.8)]
        .into_iter()
        .map(|(name, share)| {
            let at = Point::new(middle, height * share);
            // A step to either side, then further, until the ground can be stood on.
            let found = (0..12_u16).flat_map(|ring| {
                (0..8_u16)
                    .map(move |turn| at + crate::model::base::forward(turn * 45) * (f64::from(ring) * 1.5))
            });
            (name, found.into_iter().find(|&p| clear(p)).unwrap_or(at).round_to(0.5))
        })
        .collect()
}

/// The file: units without a place when `depth` is the strip they are to be placed in, else as they stand.
fn written(
    armies: &[Army; 2],
    found: &[Vec<Found>],
    (terrain, table): (&str, [f64; 2]),
    depth: Option<f64>,
    stands: Option<&Fray>,
) -> String {
    let mut file = Scribe::pitched("would-be-kings", armies);
    file.value("turns", 12).text("first", "imperial").value("draw_margin", 1).table(table);
    file.value("limits.points", armies[0].points.max(armies[1].points).floor());
    // Leaders that were rolled with the army are the leaders it has.
    let all_led = armies.iter().flat_map(|a| &a.units).all(|u| matches!(kept_leader(u), Ok(Some(_))));
    if all_led {
        file.text("options.leadership_source", "fixed");
    }
    file.value("markers", "{ within = 3, each_round = 1, from_round = 5, at_end = 2 }");
    for (side, edge) in [(IMPERIAL, "west"), (NATIVE, "east")] {
        file.entry("side").text("id", side_name(side)).text("home", edge);
        if let Some(depth) = depth {
            file.value("zone", format!("[{{ edge = \"{edge}\", depth = {depth} }}]"));
        }
    }
    file.with(terrain);
    let mut n = 0;
    for ((army, units), side) in armies.iter().zip(found).zip([IMPERIAL, NATIVE]) {
        for (unit, found) in army.units.iter().zip(units) {
            let (card, entry) = (&found.card, &found.entry);
            file.entry("unit").text("id", &card.id.to_string()).text("side", side_name(side));
            file.text("kind", &entry.kind).some("name", Some(&card.name));
            if !card.upgrades.is_empty() {
                file.value("upgrades", toml::Value::from(card.upgrades.clone()));
            }
            file.some("weapon", entry.weapon.as_deref());
            if let (true, Ok(Some((leadership, character)))) = (all_led, kept_leader(unit)) {
                file.value("leadership", leadership).text("character", character.name());
            }
            if let Some(battle) = stands {
                let here = battle.unit(No::of(n));
                file.place("at", here.anchor.point()).text("layout", here.layout.name());
                file.value("facing", here.facing);
            }
            n += 1;
        }
    }
    let [width, height] = table;
    let (low, high, east) = (height / 6.0, height * 5.0 / 6.0, width - 4.0);
    let points =
        [(4.0, low), (4.0, high), (east, low), (east, high), (width / 2.0, 4.0), (width / 2.0, height - 4.0)];
    for (i, (x, y)) in points.into_iter().enumerate() {
        file.entry("arrival").text("id", &format!("P{}", i + 1)).place("at", Point::new(x, y));
    }
    for (name, at) in markers(table, stands) {
        file.entry("objective").text("kind", "marker").text("name", name).place("at", at);
    }
    for side in [IMPERIAL, NATIVE] {
        file.entry("objective").text("kind", "lost").text("side", side_name(side)).text("share", "half");
    }
    file.written()
}
