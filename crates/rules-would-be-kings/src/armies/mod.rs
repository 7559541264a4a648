//! Armies of one's own: the lists they are picked from, what a picked army costs and which limits it breaks
//! (WBK-FORCE). The limits themselves are said in `forces`.

mod drafting;
mod ground;
mod muster;
mod pitch;
mod reference;
mod roster;

use tricorne_drill::armies::Form;
use tricorne_drill::words::slug;
use tricorne_game::army::{Army, ArmyEntry, ArmyList, ArmyReport, ArmyUnit, ArmyUpgrade, BrokenLimit};
use tricorne_game::view::{Arm, Note};
use tricorne_game::{Side, UnitId};

use crate::field::Card;
use crate::state::{Character, IMPERIAL};
use crate::tables::forces::{Pick, UnitFault};
use crate::tables::rulebook::{Class, Force, Profile, Rulebook, Upgrade};

pub(crate) use drafting::drafting;
pub(crate) use ground::random_ground;
pub(crate) use muster::muster;
pub(crate) use pitch::pitch;
pub(crate) use reference::reference;
pub(crate) use roster::roster;

/// The list of all troop types.
pub(crate) const FREE: &str = "field-force";

/// Something that can be picked: a troop type, with what it always comes with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    pub(crate) upgrades: Vec<String>,
    pub(crate) weapon: Option<String>,
}

impl Rulebook {
    /// The entries of a list; none if there is no such list.
    pub(crate) fn entries(&self, list: &str) -> Option<Vec<Entry>> {
        if list.eq_ignore_ascii_case(FREE) {
            let mut all = Vec::new();
            for profile in &self.profiles {
                for (i, weapon) in profile.weapons.iter().enumerate() {
                    let usual = i == 0;
                    all.push(Entry {
                        id: if usual {
                            profile.code.clone()
                        } else {
                            format!("{}-{}", profile.code, slug(weapon))
                        },
                        kind: profile.code.clone(),
                        name: String::new(),
                        upgrades: Vec::new(),
                        weapon: (!usual).then(|| weapon.clone()),
                    });
                }
            }
            return Some(all);
        }
        let force: &Force = self.force(list)?;
        let mut all: Vec<Entry> = Vec::new();
        for unit in &force.units {
            let same = |e: &Entry| {
                e.kind == unit.kind
                    && e.name == unit.name
                    && e.upgrades == unit.upgrades
                    && e.weapon == unit.weapon
            };
            if all.iter().any(same) {
                continue;
            }
            let mut id = unit.kind.clone();
            if !unit.name.is_empty() {
                id = format!("{id}-{}", slug(&unit.name));
            }
            let taken = |id: &str| all.iter().any(|e| e.id == id);
            let more: Vec<String> = unit.upgrades.iter().chain(&unit.weapon).map(|m| slug(m)).collect();
            for extra in more {
                if taken(&id) {
                    id = format!("{id}-{extra}");
                }
            }
            // Alike in name and arms: a plain one beside one with upgrades.
            let stem = id.clone();
            for n in 2.. {
                if !taken(&id) {
                    break;
                }
                id = format!("{stem}-{n}");
            }
            all.push(Entry {
                id,
                kind: unit.kind.clone(),
                name: unit.name.clone(),
                upgrades: unit.upgrades.clone(),
                weapon: unit.weapon.clone(),
            });
        }
        Some(all)
    }

    /// The ids of all lists.
    pub(crate) fn list_ids(&self) -> Vec<String> {
        std::iter::once(FREE.to_owned()).chain(self.forces.iter().map(|f| f.id.clone())).collect()
    }

    /// The card of an entry with further upgrades, as the n-th unit of a side from 0.
    pub(crate) fn entry_card(
        &self,
        entry: &Entry,
        with: &[String],
        (side, n): (Side, usize),
        name: &str,
    ) -> Result<Card, UnitFault> {
        let letter = if side == IMPERIAL { 'I' } else { 'N' };
        let id: UnitId =
            format!("{letter}{}", n + 1).parse().map_err(|problem| UnitFault { key: "id", problem })?;
        let upgrades: Vec<String> = entry.upgrades.iter().chain(with).cloned().collect();
        let pick = Pick {
            kind: &entry.kind,
            upgrades: &upgrades,
            weapon: entry.weapon.as_deref(),
            any_weapon: false,
        };
        let name = if name.is_empty() { &entry.name } else { name };
        self.card(id, side, name, &pick)
    }

    /// Upgrades that an entry may take on top of its own.
    pub(crate) fn open_upgrades<'a>(
        &'a self,
        entry: &'a Entry,
        profile: &'a Profile,
    ) -> impl Iterator<Item = &'a Upgrade> + 'a {
        self.upgrades.iter().filter(move |u| {
            u.who.contains(&profile.code)
                && !entry.upgrades.iter().any(|own| own.eq_ignore_ascii_case(&u.name))
                && u.needs_firing.is_none_or(|most| profile.firing <= most)
                // A weapon named with the entry is the one it has.
                && (entry.weapon.is_none() || !u.weapon.contains_key(&profile.code))
        })
    }
}

/// What an upgrade costs a troop type.
pub(crate) fn upgrade_points(upgrade: &Upgrade, code: &str) -> i32 {
    upgrade.points_by.get(code).copied().unwrap_or(upgrade.points)
}

/// The heading a class is shown under.
fn group(class: Class) -> &'static str {
    match class {
        Class::Infantry => "Infantry",
        Class::Cavalry => "Cavalry",
        Class::Crewed => "Crewed weapons",
    }
}

/// How a class is drawn.
fn arm(class: Class) -> Arm {
    match class {
        Class::Infantry => Arm::Infantry,
        Class::Cavalry => Arm::Cavalry,
        Class::Crewed => Arm::Artillery,
    }
}

fn signed(value: i32) -> String {
    tricorne_drill::words::signed(f64::from(value))
}

fn value_text(value: i32) -> String {
    if value > 6 { "never".into() } else { format!("{value}+") }
}

fn range_text(weapon: &crate::tables::rulebook::Weapon) -> String {
    match weapon.long {
        Some(long) => format!("{} {}\"/{}\"", weapon.name, weapon.short, long),
        None => format!("{} {}\"", weapon.name, weapon.short),
    }
}

/// A unit's values in words with their clauses.
fn value_notes(card: &Card) -> Vec<Note> {
    let mut notes = vec![
        Note::new("Move", format!("{}\"", f64::from(card.pace) / 1000.0), Some("WBK-MOVE-02")),
        Note::new("Firing", value_text(card.firing), Some("WBK-FIRE-18")),
        Note::new("Fighting", value_text(card.fighting), Some("WBK-ATT-08")),
        Note::new("Discipline", signed(card.discipline), Some("WBK-PIN-07")),
        Note::new("Weapon", range_text(&card.weapon), Some(card.weapon.clause.as_str())),
    ];
    if !card.upgrades.is_empty() {
        notes.push(Note::new("With", card.upgrades.join(", "), Some("WBK-FORCE-03")));
    }
    notes
}

/// All lists: the field forces of the book, and one of all troop types.
pub(crate) fn army_lists(book: &Rulebook) -> Vec<ArmyList> {
    let limits = &book.charts.forces;
    let points = f64::from(limits.points);
    let rules = vec![
        Note::new("Points", format!("at most {}", limits.points), Some("WBK-FORCE-01")),
        Note::new(
            "Each unit",
            format!("{} to {} points with its upgrades", limits.unit_least, limits.unit_most),
            Some("WBK-FORCE-04"),
        ),
        Note::new(
            "Units",
            format!(
                "at least {}; for each full {} points at most {} of Regular Infantry and {} crewed weapons",
                limits.units_least, limits.points, limits.regular_infantry_most, limits.crewed_most
            ),
            Some("WBK-FORCE-12"),
        ),
    ];
    let side_of = |force: &Force| crate::turn::side_name(force.side.side());
    let named = std::iter::once((FREE.to_owned(), "A field force of your own".to_owned()))
        .chain(book.forces.iter().map(|f| (f.id.clone(), format!("{} ({})", f.name, side_of(f)))));
    named
        .map(|(id, name)| ArmyList {
            entries: book
                .entries(&id)
                .unwrap_or_default()
                .iter()
                .filter_map(|entry| army_entry(book, entry))
                .collect(),
            id,
            name,
            points,
            limits: rules.clone(),
        })
        .collect()
}

fn army_entry(book: &Rulebook, entry: &Entry) -> Option<ArmyEntry> {
    let profile = book.profile(&entry.kind)?;
    let card = book.entry_card(entry, &[], (IMPERIAL, 0), "").ok()?;
    let mut name = profile.name.clone();
    if !entry.name.is_empty() {
        name = format!("{} ({name})", entry.name);
    } else if let Some(weapon) = &entry.weapon {
        name = format!("{name}, {weapon}");
    }
    let mut notes = vec![Note::new("Models", card.start.to_string(), Some("WBK-FORCE-02"))];
    notes.extend(value_notes(&card));
    let upgrades = book
        .open_upgrades(entry, profile)
        .map(|u| ArmyUpgrade {
            id: u.name.clone(),
            name: u.name.clone(),
            points: f64::from(upgrade_points(u, &profile.code)),
            clause: Some("WBK-FORCE-03".into()),
        })
        .collect();
    let group = group(card.class);
    Some(ArmyEntry { notes, upgrades, ..tricorne_drill::armies::entry(&entry.id, &name, group, card.points) })
}

/// A picked unit found in its list.
pub(crate) struct Found {
    pub(crate) entry: Entry,
    pub(crate) card: Card,
}

/// Leadership and character kept with a unit.
pub(crate) fn kept_leader(unit: &ArmyUnit) -> Result<Option<(u8, Character)>, String> {
    let character = match unit.set.get("character") {
        None => Character::Unremarkable,
        Some(value) => serde_json::from_value(value.clone())
            .map_err(|_| format!("`character` is {value}; use a name of table 3.7, or leave it out"))?,
    };
    match unit.set.get("leadership") {
        None => Ok(None),
        Some(value) => match value.as_u64() {
            Some(n @ 2..=12) => Ok(Some((n as u8, character))),
            _ => Err(format!("`leadership` is {value}; use a whole number from 2 to 12")),
        },
    }
}

/// Finds each unit of an army in its list.
fn found_units(book: &Rulebook, army: &Army, side: Side) -> Vec<Result<Found, BrokenLimit>> {
    let entries = book.entries(&army.list).unwrap_or_default();
    let find = |i: usize, unit: &ArmyUnit| {
        let broken = |clause: &str, why: String| BrokenLimit { unit: Some(i), clause: clause.into(), why };
        let Some(entry) = entries.iter().find(|e| e.id.eq_ignore_ascii_case(&unit.entry)) else {
            let all: Vec<&str> = entries.iter().map(|e| e.id.as_str()).collect();
            let why = format!("the list has no entry `{}`; it has {}", unit.entry, all.join(", "));
            return Err(broken("WBK-FORCE-02", why));
        };
        if let Some(key) = unit.set.keys().find(|k| !["leadership", "character"].contains(&k.as_str())) {
            let why = format!("`{key}` is nothing kept for a unit; there is leadership and character");
            return Err(broken("WBK-LEAD-02", why));
        }
        kept_leader(unit).map_err(|why| broken("WBK-LEAD-02", why))?;
        let made = book.entry_card(entry, &unit.with, (side, i), &unit.name);
        let card = made.map_err(|fault| {
            let why = fault.problem.trim_end_matches(" [WBK-FORCE-03]").to_owned();
            broken(fault.clause(), why)
        })?;
        Ok(Found { entry: entry.clone(), card })
    };
    army.units.iter().enumerate().map(|(i, unit)| find(i, unit)).collect()
}

/// What an army costs and which limits it breaks.
pub(crate) fn check_army(book: &Rulebook, army: &Army) -> ArmyReport {
    let form = Form {
        ruleset: "would-be-kings",
        lists: &book.list_ids(),
        listed: book.entries(&army.list).is_some(),
        clause: "WBK-FORCE-01",
        of_list: "WBK-FORCE-01",
        of_points: "WBK-FORCE-01",
    };
    let mut wrong = form.objections(army);
    if book.entries(&army.list).is_none() || !(0.0..=1e6).contains(&army.points) {
        return wrong.report(army, vec![0.0; army.units.len()]);
    }
    let found = found_units(book, army, IMPERIAL);
    let each = found.iter().map(|unit| unit.as_ref().map_or(0.0, |f| f64::from(f.card.points))).collect();
    let (mut places, mut cards) = (Vec::new(), Vec::new());
    for (i, unit) in found.iter().enumerate() {
        match unit {
            Ok(found) => {
                places.push(i);
                cards.push(&found.card);
            }
            Err(limit) => wrong.0.push(limit.clone()),
        }
    }
    for fault in book.force_faults(&cards, army.points.floor() as i32) {
        wrong.add(fault.unit.and_then(|n| places.get(n).copied()), fault.clause, fault.why);
    }
    wrong.report(army, each)
}
