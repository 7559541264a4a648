//! An army on paper: a box for every man, what each unit can do, and the rules it needs.

use tricorne_game::army::{Army, Roster, RosterBase, RosterUnit};
use tricorne_game::view::{Arm, Note};

use super::reference::needs;
use super::{Pick, Upgrade, check_army, kind_name, list_of, picked};
use crate::formations::Formation;
use crate::rulebook::{Kind, Rulebook};

pub(super) fn arm(kind: Kind) -> Arm {
    match kind {
        Kind::Infantry => Arm::Infantry,
        Kind::Skirmisher => Arm::Skirmishers,
        Kind::Cavalry => Arm::Cavalry,
        Kind::FootArtillery | Kind::HorseArtillery => Arm::Artillery,
    }
}

/// The shape a type usually fights in.
pub(super) fn usual(kind: Kind) -> Formation {
    match kind {
        Kind::Infantry => Formation::Line(2),
        Kind::Cavalry => Formation::Line(1),
        _ => Formation::Loose,
    }
}

/// What one of a type comes with.
pub(super) fn values(rules: &Rulebook, kind: Kind) -> Vec<Note> {
    let p = rules.profile(kind);
    let mut moves = Vec::new();
    for (name, far) in [("line", p.line), ("column", p.column), ("loose", p.loose)] {
        if let Some(far) = far {
            moves.push(format!("{name} {far}"));
        }
    }
    let men = match kind {
        Kind::Cavalry => "troopers",
        Kind::FootArtillery | Kind::HorseArtillery => "gunners and a cannon",
        _ => "privates",
    };
    let mut out = vec![
        Note::new("Men", format!("{} {men}, officer and ensign", p.privates), Some("ATKM-UNIT-02")),
        Note::new("Moves", moves.join(", "), Some("ATKM-MOVE-01")),
        Note::new("Falls back", p.fall_back.to_string(), Some("ATKM-MOB-07")),
        Note::new("Breaks at", rules.break_point(p.privates).to_string(), Some("ATKM-ROUT-02")),
    ];
    match p.range {
        Some(range) => out.push(Note::new("Range", range.to_string(), Some("ATKM-FIRE-04"))),
        None => out.push(Note::new("Range", "does not fire", Some("ATKM-FIRE-01"))),
    }
    out
}

/// An army on paper.
pub(crate) fn roster(army: &Army) -> Roster {
    let rules = &*Rulebook::own();
    let report = check_army(army);
    let list = list_of(rules, &army.list);
    let mut units = Vec::new();
    let mut kinds: Vec<Kind> = Vec::new();
    let mut upgrades: Vec<Upgrade> = Vec::new();
    for (i, u) in army.units.iter().enumerate() {
        let points = report.each.get(i).copied().unwrap_or(0.0);
        let name = |own: &str| if u.name.is_empty() { own.to_owned() } else { u.name.clone() };
        match picked(rules, &u.entry) {
            Some(Pick::Troops(kind)) => {
                kinds.push(kind);
                let mut notes = values(rules, kind);
                for up in Upgrade::ALL.into_iter().filter(|up| u.with.iter().any(|id| id == up.id())) {
                    notes.push(Note::new(up.name(), "yes", Some(up.clause())));
                    upgrades.push(up);
                }
                let men = rules.profile(kind).privates;
                let mut boxes = vec![("Men".to_owned(), u32::from(men))];
                if kind.is_artillery() {
                    boxes.push(("Cannon".to_owned(), 1));
                }
                let base = rules.base_of(kind);
                let mut bases = vec![
                    RosterBase::new("Officer", 1_u32, base),
                    RosterBase::new("Ensign", 1_u32, base),
                    RosterBase::new("", men, base),
                ];
                if kind.is_artillery() {
                    bases.push(RosterBase::new("Cannon", 1_u32, rules.base.cannon.into()));
                }
                units.push(RosterUnit {
                    name: name(kind_name(kind)),
                    kind: kind_name(kind).into(),
                    points,
                    boxes,
                    values: notes,
                    bases,
                    arm: arm(kind),
                });
            }
            Some(Pick::General(rating)) => {
                units.push(RosterUnit {
                    name: name("Commanding General"),
                    kind: "General".into(),
                    points,
                    boxes: vec![("Command points".into(), u32::from(rules.general.most_points))],
                    values: vec![
                        Note::new("Rating", rating.to_string(), Some("ATKM-GEN-02")),
                        Note::new("Command dice", format!("best of {rating}"), Some("ATKM-CMD-01")),
                        Note::new("Radius", rules.general.radius.to_string(), Some("ATKM-CMD-08")),
                        Note::new("Rides", rules.general.ride.to_string(), Some("ATKM-GEN-05")),
                    ],
                    bases: vec![RosterBase::new("", 1_u32, rules.base.general.into())],
                    arm: Arm::Command,
                });
            }
            None => {}
        }
    }
    let from = list.map_or_else(|| "picked by points or dice".to_owned(), |l| l.name.clone());
    Roster {
        title: army.name.clone(),
        subtitle: format!("{from}: {} of {} points", report.points, army.points),
        units,
        rules: needs(&|what| {
            kinds.iter().any(|k| k.name() == what) || upgrades.iter().any(|up| up.id() == what)
        }),
    }
}
