//! An army on paper.

use tricorne_game::army::{Army, Roster, RosterBase, RosterUnit};
use tricorne_game::view::{Arm as Figure, Note};

use super::lists::values;
use super::reference::needs;
use super::{GENERAL, PIECE, check_army, figure, market, read, work_of};
use crate::model::stands::WIDTH;
use crate::points::Entry;
use crate::rulebook::{Arm, Class, Drill, Grade, Kind, Profile, Rulebook, Weapon};

/// The army on paper; none if its list is not known.
pub(crate) fn roster(army: &Army) -> Option<Roster> {
    let (market, book) = (market(), Rulebook::own());
    let nation = market.lists.nation(&army.list)?;
    let report = check_army(army);
    let read = read(army);
    let mut units = vec![commander("C-in-C", "C-in-C", 0.0, book)];
    let mut met: Vec<(&Entry, &Profile)> = Vec::new();
    let mut works = false;
    let mut generals = 0;
    for (i, unit) in army.units.iter().enumerate() {
        let points = report.each.get(i).copied().unwrap_or_default();
        let own = |usual: &str| if unit.name.is_empty() { usual.to_owned() } else { unit.name.clone() };
        if unit.entry == GENERAL {
            generals += 1;
            units.push(commander(&own(&format!("Sub-general {generals}")), "Sub-general", points, book));
            continue;
        }
        if work_of(&unit.entry).is_some() {
            units.push(RosterUnit {
                name: own(&unit.entry),
                kind: "Field work".into(),
                points,
                boxes: Vec::new(),
                values: vec![Note::new("Length", format!("{PIECE} cm"), Some("SYW-POINTS-05"))],
                bases: vec![RosterBase::new("", 1_u32, (PIECE, 1.0))],
                arm: Figure::Train,
            });
            works = true;
            continue;
        }
        let Some((_, entry)) = market.lists.entry(&unit.entry) else { continue };
        let p = book.profile(entry.kind);
        let bought = read.places.iter().position(|&k| k == i).map(|k| &read.bought.units[k]);
        let stands = bought.and_then(|b| b.stands).unwrap_or(entry.stands);
        let mut notes = values(book, entry);
        if let Some(b) = bought {
            if b.upgraded_drill {
                notes.push(Note::new("Upgraded", "normal drill", Some("SYW-POINTS-03")));
            }
            if b.upgraded_shots {
                notes.push(Note::new("Upgraded", "short range", Some("SYW-POINTS-03")));
            }
            if let Some(n) = b.command {
                notes.push(Note::new("General", format!("Sub-general {n}"), Some("SYW-ARMY-22")));
            }
            if let Some(group) = &b.group {
                notes.push(Note::new("Group", group.clone(), Some("SYW-GROUP-01")));
            }
        }
        met.push((entry, p));
        units.push(RosterUnit {
            name: own(&entry.name),
            kind: p.name.clone(),
            points,
            boxes: vec![("Stands".into(), u32::from(stands)), ("Disordered".into(), 1)],
            values: notes,
            bases: vec![RosterBase::new("", stands, (WIDTH, p.depth))],
            arm: figure(p),
        });
    }
    Some(Roster {
        title: army.name.clone(),
        subtitle: format!("{}, {} of {} points", nation.name, report.points, army.points),
        units,
        rules: needs(&|what| (works && what == "works") || met.iter().any(|(e, p)| is(e, p, what)))?,
    })
}

fn commander(name: &str, kind: &str, points: f64, book: &Rulebook) -> RosterUnit {
    RosterUnit {
        name: name.into(),
        kind: kind.into(),
        points,
        boxes: vec![("Lost".into(), 1)],
        values: vec![
            Note::new("Move", format!("{} cm", book.general.speed), Some("SYW-GEN-15")),
            Note::new("Counter", "____", Some("SYW-GEN-01")),
        ],
        bases: vec![RosterBase::new("", 1_u32, (WIDTH, book.general.depth))],
        arm: Figure::Command,
    }
}

/// What the rules that a roster reminds of ask about a unit.
fn is(entry: &Entry, p: &Profile, what: &str) -> bool {
    let grades = entry.grades();
    match what {
        "lights" => p.class == Class::Light && entry.kind != Kind::LCa,
        "guns" => p.arm == Arm::Artillery,
        "horse" => p.arm == Arm::Cavalry,
        "high" => grades.morale == Grade::High,
        "poor" => grades.morale == Grade::Poor,
        "well" => grades.drill == Drill::Well,
        "badly" => grades.drill == Drill::Badly,
        "poor shots" => entry.poor_shots,
        "mounted_bow" => entry.weapon == Some(Weapon::MountedBow),
        _ => entry.kind.code() == what,
    }
}
