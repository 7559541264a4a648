//! The lists as an army builder shows them (T11, T5).

use tricorne_drill::armies;
use tricorne_game::army::{ArmyEntry, ArmyList, ArmyUpgrade};
use tricorne_game::view::Note;

use super::{DRILLED, GENERAL, PIECE, SHOOTS, STANDS, USUAL, market};
use crate::points::{Enlisted, Entry, Market, Points, Work};
use crate::rulebook::{Arm, Kind, Rulebook};

/// All lists.
pub(crate) fn army_lists() -> Vec<ArmyList> {
    let (market, book) = (market(), Rulebook::own());
    market
        .lists
        .nations
        .iter()
        .map(|nation| {
            let mut entries: Vec<ArmyEntry> = nation.units.iter().map(|e| entry(market, book, e)).collect();
            entries.extend(staff_and_works(market));
            ArmyList {
                id: nation.id.clone(),
                name: nation.name.clone(),
                points: f64::from(USUAL),
                limits: limits(),
                entries,
            }
        })
        .collect()
}

fn limits() -> Vec<Note> {
    vec![
        Note::new("Points", "No more than were agreed on.", Some("SYW-POINTS-01")),
        Note::new("Generals", "One C-in-C, free of charge; sub-generals are bought.", Some("SYW-ARMY-19")),
        Note::new("Groups", "A group is of one arm and of one tag.", Some("SYW-GROUP-03")),
    ]
}

/// Values of a unit of an entry, in words.
pub(crate) fn values(book: &Rulebook, entry: &Entry) -> Vec<Note> {
    let p = book.profile(entry.kind);
    let grades = entry.grades();
    let mut notes = vec![
        Note::new("Type", p.name.clone(), Some("SYW-ARMY-12")),
        Note::new("Move", format!("{} cm", p.speed), Some("SYW-MOVE-01")),
    ];
    let melee = match p.melee_against_infantry {
        Some(m) => format!("{} ({m} against infantry)", p.melee),
        None => p.melee.to_string(),
    };
    notes.push(Note::new("Melee", melee, Some("SYW-MELEE-29")));
    notes.push(Note::new("Drill", grades.drill.name(), Some("SYW-ARMY-14")));
    notes.push(Note::new("Morale", grades.morale.name(), Some("SYW-ARMY-14")));
    if let Some(range) = book.ranges(entry.weapon.unwrap_or(p.weapon)).told() {
        notes.push(Note::new("Range", range, Some("SYW-SHOOT-01")));
    }
    if entry.poor_shots {
        notes.push(Note::new("Shots", "poor", Some("SYW-SHOOT-10")));
    }
    notes.push(Note::new("Tag", entry.tag.clone(), Some("SYW-GROUP-06")));
    notes
}

fn entry(market: &Market, book: &Rulebook, e: &Entry) -> ArmyEntry {
    let heading = match book.profile(e.kind).arm {
        Arm::Infantry => "Infantry",
        Arm::Cavalry => "Cavalry",
        Arm::Artillery => "Artillery",
    };
    let mut notes = vec![Note::new("Stands", e.stands.to_string(), Some("SYW-ARMY-09"))];
    notes.extend(values(book, e));
    ArmyEntry {
        most: e.most.map(u32::from),
        notes,
        upgrades: upgrades(market, e),
        ..armies::entry(&e.code, &e.name, heading, e.points)
    }
}

/// Militia's upgrades, and other numbers of stands.
fn upgrades(market: &Market, e: &Entry) -> Vec<ArmyUpgrade> {
    let usual = Enlisted { code: e.code.clone(), ..Enlisted::default() };
    let more = |unit: &Enlisted| {
        let price = market.unit(unit).unwrap_or(Points::ZERO) - market.unit(&usual).unwrap_or(Points::ZERO);
        f64::from(price)
    };
    let mut all = Vec::new();
    if e.kind == Kind::Mil {
        let drilled = Enlisted { upgraded_drill: true, ..usual.clone() };
        all.push(upgrade(DRILLED, "Normal drill", more(&drilled), "SYW-POINTS-03"));
        if e.weapon.is_none() {
            let shoots = Enlisted { upgraded_shots: true, ..usual.clone() };
            all.push(upgrade(SHOOTS, "Shoots at short range", more(&shoots), "SYW-POINTS-03"));
        }
    }
    let (sizes, clause) = market.sizes(e.kind);
    for &n in sizes {
        if n != e.stands {
            let sized = Enlisted { stands: Some(n), ..usual.clone() };
            let name = if n == 1 { "1 stand".to_owned() } else { format!("{n} stands") };
            all.push(upgrade(&format!("{STANDS}{n}"), &name, more(&sized), clause));
        }
    }
    all
}

fn upgrade(id: &str, name: &str, points: f64, clause: &str) -> ArmyUpgrade {
    ArmyUpgrade { id: id.into(), name: name.into(), points, clause: Some(clause.into()) }
}

fn staff_and_works(market: &Market) -> Vec<ArmyEntry> {
    let plain = |id: &str, name: &str, group: &str, points: Points, note: Note| ArmyEntry {
        notes: vec![note],
        ..armies::entry(id, name, group, points)
    };
    let work = |id: &str, name: &str, kind: Work, what: &str| {
        let long = Note::new("Length", format!("{PIECE} cm. {what}"), Some("SYW-POINTS-05"));
        plain(id, name, "Works", market.prices.work(kind, PIECE), long)
    };
    let brigade =
        Note::new("Command", "He commands the units that are assigned to him.", Some("SYW-ARMY-21"));
    vec![
        plain(GENERAL, "Sub-general", "Generals", market.prices.generals.sub_general, brigade),
        work("abatis", "Abatis", Work::Abatis, "Only infantry may cross it."),
        work("barricade", "Barricade", Work::Barricade, "Soft cover for those behind it."),
    ]
}
