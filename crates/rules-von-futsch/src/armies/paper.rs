//! An army's roster on paper. Every number is read from the data.

use tricorne_game::army::{Army, Roster, RosterBase, RosterUnit};
use tricorne_game::view::{Arm, Note};

use super::sheet::needs;
use super::{Pick, called, check_army};
use crate::model::{Formation, Kind, Level, Quality};
use crate::rulebook::{Pace, Profiles, Rulebook};
use crate::scenario::purchase::cost;

pub(super) fn pace(p: Pace) -> String {
    match (p.inches, p.dice) {
        (0, dice) => format!("{dice}d6"),
        (inches, 0) => inches.to_string(),
        (inches, dice) => format!("{inches} + {dice}d6"),
    }
}

fn arm(kind: Kind) -> Arm {
    match kind {
        Kind::Infantry => Arm::Infantry,
        Kind::Heavy | Kind::Light => Arm::Cavalry,
        Kind::Artillery => Arm::Artillery,
        Kind::Skirmish => Arm::Skirmishers,
        Kind::Wagon => Arm::Train,
    }
}

/// A unit's move by kind, the bonuses in words.
fn moves(p: &Profiles, kind: Kind) -> String {
    let m = &p.moves;
    match kind {
        Kind::Infantry => format!("{}, column {:+}", pace(m.infantry), m.swift),
        Kind::Heavy => format!("{}, column {:+}", pace(m.cavalry), m.swift),
        Kind::Light => format!("{} {:+}", pace(m.cavalry), m.swift),
        Kind::Skirmish => format!("{} {:+}", pace(m.skirmish), m.swift),
        Kind::Artillery => format!("limbered {}, by hand {}", pace(m.limbered), pace(m.unlimbered)),
        Kind::Wagon => pace(m.wagon),
    }
}

fn fires(p: &Profiles, kind: Kind) -> Option<String> {
    let f = &p.fire;
    let musket =
        |m: crate::rulebook::Musket| format!("{}+ to {}, {}+ to {}", m.short, f.short, m.long, f.long);
    match kind {
        Kind::Infantry => Some(musket(f.infantry)),
        Kind::Skirmish => Some(musket(f.skirmish)),
        Kind::Artillery => {
            let a = f.artillery;
            Some(format!("{}+: {} dice to {}, {} to {}", a.hit, a.near_dice, a.near, a.far_dice, a.far))
        }
        _ => None,
    }
}

/// An army on paper.
pub(crate) fn roster(army: &Army) -> Option<Roster> {
    let book = Rulebook::own();
    let p = &book.profiles;
    let list = book.armies.get(&army.list)?;
    let report = check_army(army);
    let mut units = Vec::new();
    let mut kinds: Vec<Kind> = Vec::new();
    let mut regiments = false;
    for unit in &army.units {
        let commander = |level: Level, points: u32, name: &str| RosterUnit {
            name: if unit.name.is_empty() { name.into() } else { unit.name.clone() },
            kind: format!("{} commander", level.name()),
            points: f64::from(points),
            boxes: vec![],
            values: vec![
                Note::new("Move", pace(p.moves.commander), Some("VF-CMD-22")),
                Note::new("Commands within", p.distance.command.to_string(), Some("VF-CMD-07")),
                Note::new("Attaches within", p.distance.attach.to_string(), Some("VF-CMD-23")),
            ],
            bases: vec![RosterBase::new("", 1_u32, (level.base(p), level.base(p)))],
            arm: Arm::Command,
        };
        let id = match Pick::of(unit) {
            Pick::ArmyCommander => {
                units.push(commander(Level::Army, p.points.army_commander, "Army commander"));
                continue;
            }
            Pick::WingCommander => {
                units.push(commander(Level::Wing, p.points.wing_commander, "Wing commander"));
                continue;
            }
            Pick::Wagon => {
                units.push(troops(
                    p,
                    "Wagon",
                    Kind::Wagon,
                    Quality::Normal,
                    f64::from(p.points.wagon),
                    false,
                ));
                kinds.push(Kind::Wagon);
                continue;
            }
            Pick::Entry(id) => id,
        };
        let Some(entry) = list.entry.iter().find(|e| e.id == id) else { continue };
        let name = if unit.name.is_empty() { entry.name.clone() } else { unit.name.clone() };
        kinds.push(entry.kind);
        let mut price = f64::from(cost(&p.points, entry));
        if entry.sub_units > 1 {
            regiments = true;
            units.push(commander(
                Level::Regimental,
                p.points.regimental_commander,
                &format!("Colonel of {name}"),
            ));
            price -= f64::from(p.points.regimental_commander);
        }
        for n in 0..entry.sub_units {
            let own = if entry.sub_units > 1 { format!("{name} {}", roman(n + 1)) } else { name.clone() };
            let points = price / f64::from(entry.sub_units.max(1));
            units.push(troops(p, &own, entry.kind, entry.quality, points, entry.colours));
        }
    }
    let fighting = units.iter().filter(|u| u.arm != Arm::Command && u.arm != Arm::Train).count();
    let subtitle = format!(
        "{}, {} of {} points, break point {}",
        list.name,
        report.points,
        report.limit,
        p.break_point(fighting)
    );
    let has = |what: &str| (what == "regiments" && regiments) || kinds.iter().any(|k| k.name() == what);
    Some(Roster { title: army.name.clone(), subtitle, units, rules: needs(&has) })
}

fn roman(n: u8) -> &'static str {
    ["", "I", "II", "III", "IV", "V", "VI"].get(usize::from(n)).copied().unwrap_or("")
}

fn troops(p: &Profiles, name: &str, kind: Kind, quality: Quality, points: f64, colours: bool) -> RosterUnit {
    let start = kind.start(p);
    let figures = match kind {
        Kind::Artillery => "Crew",
        Kind::Wagon => "Drovers",
        _ => "Figures",
    };
    let [part, of] = p.shaken.of(quality);
    let shaken = (u32::from(start) * u32::from(part)).div_ceil(u32::from(of.max(1)));
    let mut values = vec![
        Note::new("Quality", quality.name(), Some("VF-MODEL-15")),
        Note::new("Move", moves(p, kind), Some("VF-MOVE-06")),
    ];
    if let Some(fire) = fires(p, kind) {
        values.push(Note::new("Fire", fire, Some("VF-FIRE-10")));
    }
    values.push(Note::new("Shaken at", format!("{shaken} lost"), Some("VF-SHAKEN-01")));
    if colours && !matches!(kind, Kind::Skirmish | Kind::Wagon) {
        let what = if kind == Kind::Artillery { "guns" } else { "colours" };
        values.push(Note::new("Trophy", format!("its {what}"), Some("VF-CAPTURE-01")));
    }
    // VF-MODEL-09 to -13.
    let own = &p.base;
    let bases = match kind {
        Kind::Infantry | Kind::Heavy | Kind::Light => RosterBase::new("", 2_u32, (own.troops, own.troops)),
        Kind::Artillery => RosterBase::new("", 1_u32, own.size(Formation::Unlimbered)),
        Kind::Skirmish => RosterBase::new("", start, (own.skirmisher, own.skirmisher)),
        Kind::Wagon => RosterBase::new("", 1_u32, own.size(Formation::Wagon)),
    };
    RosterUnit {
        name: name.into(),
        kind: format!("{} {}", quality.name(), called(kind)),
        points,
        boxes: vec![(figures.into(), u32::from(start))],
        values,
        bases: vec![bases],
        arm: arm(kind),
    }
}
