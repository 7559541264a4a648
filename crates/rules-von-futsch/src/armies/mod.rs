//! Armies of one's own: the lists, a force by chance, what is wrong with one (VF-ARMY-01, -02, VF-SCEN-02, -04).
//!
//! An army file names entries of its list, and besides them `army_commander`, `wing_commander` and `wagon`. An entry
//! may be put under a wing commander with `set = { wing = 1 }`.

mod draft;
mod paper;
mod pitch;
mod sheet;

use std::collections::BTreeMap;

use tricorne_chance::Chance;
use tricorne_drill::armies::{self, Form, picked};
use tricorne_game::army::{Army, ArmyEntry, ArmyReport, ArmyUnit, MusterCall};
use tricorne_game::view::Note;

use crate::model::Kind;
use crate::rulebook::{ArmyList, Entry, Rulebook};
use crate::scenario::file::SideFile;
use crate::scenario::purchase::{broken_limits, cost, wing_of};

pub(crate) use draft::drafting;
pub(crate) use paper::roster;
pub(crate) use pitch::pitch;
pub(crate) use sheet::reference;

/// The rule system.
const RULESET: &str = "von-futsch";
/// The id of the army commander in army files.
pub(crate) const ARMY_COMMANDER: &str = "army_commander";
/// The id of a wing commander.
pub(crate) const WING_COMMANDER: &str = "wing_commander";
/// The id of a wagon.
pub(crate) const WAGON: &str = "wagon";

/// What a line of an army file picks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick<'a> {
    ArmyCommander,
    WingCommander,
    Wagon,
    /// Of the list, by its id.
    Entry(&'a str),
}

impl<'a> Pick<'a> {
    pub(crate) fn of(unit: &'a ArmyUnit) -> Self {
        match unit.entry.as_str() {
            ARMY_COMMANDER => Self::ArmyCommander,
            WING_COMMANDER => Self::WingCommander,
            WAGON => Self::Wagon,
            id => Self::Entry(id),
        }
    }
}

/// The most sub-units one side may have, so that two armies fit into a battle.
const MOST_UNITS: usize = crate::state::UNITS / 2;
/// The most commanders of one side.
const MOST_COMMANDERS: usize = crate::state::COMMANDERS / 2;

/// The heading an entry is shown under.
fn heading(kind: Kind) -> &'static str {
    match kind {
        Kind::Infantry => "Foot",
        Kind::Heavy | Kind::Light => "Horse",
        Kind::Skirmish => "Skirmishers",
        Kind::Artillery => "Artillery",
        Kind::Wagon => "Train",
    }
}

/// What a kind is called, one of it.
pub(crate) fn called(kind: Kind) -> &'static str {
    match kind {
        Kind::Infantry => "battalion",
        Kind::Heavy => "heavy squadron",
        Kind::Light => "light squadron",
        Kind::Skirmish => "skirmish unit",
        Kind::Artillery => "artillery unit",
        Kind::Wagon => "wagon",
    }
}

/// The lists, as players pick from them.
pub(crate) fn army_lists() -> Vec<tricorne_game::army::ArmyList> {
    let book = Rulebook::own();
    let p = &book.profiles;
    let lists = book.armies.iter().map(|(id, list)| {
        let everybody = Note::new("Commands", "everybody", Some("VF-ARMY-05"));
        let mut entries = vec![ArmyEntry {
            least: 1,
            most: Some(1),
            notes: vec![everybody],
            ..armies::entry(ARMY_COMMANDER, "Army commander", "Commanders", p.points.army_commander)
        }];
        entries.extend(list.entry.iter().map(|e| entry(book, e)));
        let wing = Note::new("Commands", "the entries put under him", Some("VF-ARMY-04"));
        entries.push(ArmyEntry {
            most: Some(u32::from(p.points.most_wing_commanders)),
            notes: vec![wing],
            ..armies::entry(WING_COMMANDER, "Wing commander", "Commanders", p.points.wing_commander)
        });
        let drovers = Note::new("Drovers", p.figures.wagon.to_string(), Some("VF-MODEL-13"));
        entries.push(ArmyEntry {
            most: Some(u32::from(p.points.most_wagons)),
            notes: vec![drovers],
            ..armies::entry(WAGON, "Wagon", "Train", p.points.wagon)
        });
        tricorne_game::army::ArmyList {
            id: id.clone(),
            name: list.name.clone(),
            points: f64::from(p.points.budget),
            limits: vec![
                Note::new("Commander", "exactly one army commander", Some("VF-ARMY-02")),
                Note::new("Wagons", format!("at most {}", p.points.most_wagons), Some("VF-ARMY-02")),
                Note::new(
                    "Wing commanders",
                    format!("at most {}", p.points.most_wing_commanders),
                    Some("VF-ARMY-02"),
                ),
                Note::new("Points", "no more than were agreed", Some("VF-SCEN-02")),
            ],
            entries,
        }
    });
    lists.collect()
}

fn entry(book: &Rulebook, e: &Entry) -> ArmyEntry {
    let p = &book.profiles;
    let units = if e.sub_units > 1 {
        format!("{} x {} under a commander", e.sub_units, called(e.kind))
    } else {
        format!("an independent {}", called(e.kind))
    };
    let mut notes = vec![
        Note::new("Units", units, Some("VF-ARMY-03")),
        Note::new("Quality", e.quality.name(), Some("VF-MODEL-15")),
        Note::new("Figures", e.kind.start(p).to_string(), Some("VF-MODEL-09")),
    ];
    if !e.colours {
        notes.push(Note::new("Colours", "none to lose", Some("VF-CAPTURE-05")));
    }
    ArmyEntry {
        least: u32::from(e.min),
        most: Some(u32::from(e.max)),
        notes,
        ..armies::entry(&e.id, &e.name, heading(e.kind), cost(&p.points, e))
    }
}

/// An army's picks as a side of a points game has them, with the place in the army of each entry.
pub(crate) fn bought(army: &Army) -> (SideFile, Vec<usize>) {
    let mut side = SideFile { list: Some(army.list.clone()), ..SideFile::default() };
    let mut places = Vec::new();
    for (i, unit) in army.units.iter().enumerate() {
        match Pick::of(unit) {
            Pick::ArmyCommander => {}
            Pick::WingCommander => side.wing_commanders = side.wing_commanders.saturating_add(1),
            Pick::Wagon => side.wagons = side.wagons.saturating_add(1),
            Pick::Entry(id) => {
                let wing = unit.set.get("wing").and_then(serde_json::Value::as_u64);
                side.entries.push(wing.map_or_else(|| id.to_owned(), |w| format!("{id}@{w}")));
                places.push(i);
            }
        }
    }
    (side, places)
}

/// What an army costs and which limits it breaks.
pub(crate) fn check_army(army: &Army) -> ArmyReport {
    let book = Rulebook::own();
    let p = &book.profiles.points;
    let form = Form {
        ruleset: RULESET,
        lists: &list_ids(),
        listed: book.armies.contains_key(&army.list),
        clause: "VF-ARMY-01",
        of_list: "VF-ARMY-01",
        of_points: "VF-SCEN-02",
    };
    let mut wrong = form.objections(army);
    let Some(list) = book.armies.get(&army.list) else {
        return wrong.report(army, vec![0.0; army.units.len()]);
    };
    let of = |unit: &ArmyUnit| match Pick::of(unit) {
        Pick::ArmyCommander => p.army_commander,
        Pick::WingCommander => p.wing_commander,
        Pick::Wagon => p.wagon,
        Pick::Entry(id) => list.entry.iter().find(|e| e.id == id).map_or(0, |e| cost(p, e)),
    };
    let each: Vec<f64> = army.units.iter().map(|u| f64::from(of(u))).collect();
    let generals = army.units.iter().filter(|u| Pick::of(u) == Pick::ArmyCommander).count();
    if generals != 1 {
        wrong.whole("VF-ARMY-02", format!("an army has exactly one {ARMY_COMMANDER}, not {generals}"));
    }
    for (i, unit) in army.units.iter().enumerate() {
        if let Some(with) = unit.with.first() {
            let why =
                format!("`{with}` does not apply to {}: the lists have no upgrades; take it off", unit.entry);
            wrong.unit(i, "VF-ARMY-01", why);
        }
        let winged = matches!(Pick::of(unit), Pick::Entry(_));
        for (key, value) in &unit.set {
            if key != "wing" || !winged || value.as_u64().is_none() {
                let why = format!(
                    "`{key} = {value}` means nothing to {}; an entry takes wing = 1 to {}",
                    unit.entry, p.most_wing_commanders
                );
                wrong.unit(i, "VF-ARMY-04", why);
            }
        }
    }
    let (side, places) = bought(army);
    // The army's own budget, not the usual one: points are what the players agreed on.
    let budget = if army.points.is_finite() { army.points.clamp(0.0, 1e6) as u32 } else { 0 };
    let missing = if generals == 0 { p.army_commander } else { 0 };
    for b in broken_limits(book, list, &side, budget + missing) {
        wrong.add(b.entry.and_then(|e| places.get(e).copied()), b.clause, b.why);
    }
    let (units, chiefs) = size(list, &side);
    if units > MOST_UNITS || chiefs > MOST_COMMANDERS {
        let why = format!(
            "{units} units and {chiefs} commanders; a battle takes {MOST_UNITS} and {MOST_COMMANDERS} a side"
        );
        wrong.whole("VF-ARMY-02", why);
    }
    wrong.report(army, each)
}

/// How many sub-units and commanders a force has.
fn size(list: &ArmyList, side: &SideFile) -> (usize, usize) {
    let taken = side.entries.iter().filter_map(|id| list.entry.iter().find(|e| e.id == wing_of(id).0));
    let (mut units, mut chiefs) = (usize::from(side.wagons), usize::from(side.wing_commanders) + 1);
    for entry in taken {
        units += usize::from(entry.sub_units);
        chiefs += usize::from(entry.sub_units > 1);
    }
    (units, chiefs)
}

fn list_ids() -> Vec<String> {
    Rulebook::own().armies.keys().cloned().collect()
}

/// A legal army by chance.
pub(crate) fn muster(call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
    let lists = list_ids();
    armies::muster(call, &lists, chance, &|at, chance| muster_of(&lists[at], call, chance))
}

/// What the list demands, then entries picked until the points are spent.
fn muster_of(id: &str, call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
    let book = Rulebook::own();
    let p = &book.profiles.points;
    let Some(list) = book.armies.get(id) else { return Err(format!("there is no list `{id}`")) };
    let points = armies::points(call, f64::from(p.budget), 0.0, 100_000.0)?;
    let mut counts: BTreeMap<&str, u8> = list.entry.iter().map(|e| (e.id.as_str(), e.min)).collect();
    let mut left = points
        - f64::from(p.army_commander)
        - list.entry.iter().map(|e| f64::from(cost(p, e)) * f64::from(e.min)).sum::<f64>();
    if left < 0.0 {
        return Err(format!("{} needs {:.0} points at the least", list.name, points - left));
    }
    let mut wings = 0_u8;
    loop {
        let units: usize =
            list.entry.iter().map(|e| usize::from(e.sub_units) * usize::from(counts[e.id.as_str()])).sum();
        // Foot makes up most of an army; the rest is a matter of taste.
        let mut bag: Vec<Option<&Entry>> = Vec::new();
        for e in &list.entry {
            let open = counts[e.id.as_str()] < e.max
                && f64::from(cost(p, e)) <= left
                && units + usize::from(e.sub_units) <= MOST_UNITS - 2;
            if open {
                let weight = match e.kind {
                    Kind::Infantry if e.sub_units > 1 => 4,
                    Kind::Infantry | Kind::Heavy | Kind::Light | Kind::Skirmish => 2,
                    Kind::Artillery | Kind::Wagon => 1,
                };
                bag.extend(std::iter::repeat_n(Some(e), weight));
            }
        }
        let horse = list.entry.iter().any(|e| e.kind.is_cavalry() && counts[e.id.as_str()] > 0);
        if wings == 0 && horse && f64::from(p.wing_commander) <= left {
            bag.push(None);
        }
        let label = |i: usize| bag.get(i).copied().flatten().map_or(WING_COMMANDER.into(), |e| e.id.clone());
        let Some(n) = chance.pick("muster", bag.len(), &label) else { break };
        match bag.get(n).copied().flatten() {
            Some(e) => {
                *counts.entry(e.id.as_str()).or_default() += 1;
                left -= f64::from(cost(p, e));
            }
            None => {
                wings += 1;
                left -= f64::from(p.wing_commander);
            }
        }
    }
    let mut units = vec![picked(ARMY_COMMANDER)];
    units.extend((0..wings).map(|_| picked(WING_COMMANDER)));
    for e in &list.entry {
        for nth in 0..counts[e.id.as_str()] {
            let mut unit = picked(&e.id);
            unit.name = e.regiments.get(usize::from(nth)).cloned().unwrap_or_default();
            if wings > 0 && e.kind.is_cavalry() {
                unit.set.insert("wing".into(), 1.into());
            }
            units.push(unit);
        }
    }
    Ok(armies::army(RULESET, id, &list.name, points, units))
}
