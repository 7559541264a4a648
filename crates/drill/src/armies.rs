//! Armies of one's own, as far as every rulebook does it alike: which list is asked for, what is wrong with an army file
//! whatever it is made of, and the scenario file that two armies are written into. Lists, prices and limits are the
//! rulebook's.

use std::collections::BTreeMap;

use tricorne_chance::Chance;
use tricorne_game::army::{Army, ArmyEntry, ArmyReport, ArmyUnit, BrokenLimit, MusterCall};

use crate::words::slug;

/// A unit of an entry, with nothing chosen for it.
pub fn picked(entry: &str) -> ArmyUnit {
    ArmyUnit { entry: entry.into(), name: String::new(), with: Vec::new(), set: BTreeMap::new() }
}

/// An army file.
pub fn army(ruleset: &str, list: &str, name: &str, points: f64, units: Vec<ArmyUnit>) -> Army {
    Army {
        format: 1,
        ruleset: ruleset.into(),
        list: list.into(),
        name: name.into(),
        points,
        set: BTreeMap::new(),
        units,
    }
}

/// An entry that may be picked as often as one likes, without upgrades.
pub fn entry(id: &str, name: &str, group: &str, points: impl Into<f64>) -> ArmyEntry {
    ArmyEntry {
        id: id.into(),
        name: name.into(),
        group: group.into(),
        points: points.into(),
        least: 0,
        most: None,
        notes: Vec::new(),
        upgrades: Vec::new(),
    }
}

/// What an army breaks, in the order in which it is found.
#[derive(Debug, Default)]
pub struct Objections(pub Vec<BrokenLimit>);

impl Objections {
    /// An objection to the unit at a place of the file, from 0, or to the whole army.
    pub fn add(&mut self, unit: Option<usize>, clause: &str, why: impl Into<String>) {
        self.0.push(BrokenLimit { unit, clause: clause.into(), why: why.into() });
    }

    /// One to the whole army.
    pub fn whole(&mut self, clause: &str, why: impl Into<String>) {
        self.add(None, clause, why);
    }

    /// One to a unit.
    pub fn unit(&mut self, unit: usize, clause: &str, why: impl Into<String>) {
        self.add(Some(unit), clause, why);
    }

    /// The report of an army with these objections.
    pub fn report(self, army: &Army, each: Vec<f64>) -> ArmyReport {
        ArmyReport { points: each.iter().sum(), limit: army.points, each, broken: self.0 }
    }
}

/// What an army file must be whatever is picked, with the clauses that say so.
#[derive(Clone, Copy, Debug)]
pub struct Form<'a> {
    /// The rule system's id.
    pub ruleset: &'a str,
    /// The ids of its lists.
    pub lists: &'a [String],
    /// Whether the rulebook finds the army's list among them.
    pub listed: bool,
    /// The clause that an army is an army of this rulebook.
    pub clause: &'a str,
    /// The clause that it is of one of the lists.
    pub of_list: &'a str,
    /// The clause that it costs points.
    pub of_points: &'a str,
}

impl Form<'_> {
    /// What is wrong with a file before its units are looked at.
    pub fn objections(&self, army: &Army) -> Objections {
        let mut wrong = Objections::default();
        if army.ruleset != self.ruleset {
            wrong.whole(
                self.clause,
                format!("the army is for `{}`; this is `{}`", army.ruleset, self.ruleset),
            );
        }
        if army.format != 1 {
            wrong.whole(self.clause, format!("format {} is not known; write format = 1", army.format));
        }
        if !self.listed {
            wrong.whole(self.of_list, no_list(&army.list, self.lists));
        }
        if !(0.0..=1e6).contains(&army.points) {
            wrong
                .whole(self.of_points, format!("an army of {} points can't be; write a number", army.points));
        }
        if let Some(key) = army.set.keys().next() {
            wrong.whole(
                self.clause,
                format!("`{key}` means nothing to an army of this rulebook; leave it out"),
            );
        }
        wrong
    }
}

fn no_list(asked: &str, lists: &[String]) -> String {
    format!("there is no list `{asked}`; there is {}", lists.join(", "))
}

/// A legal army by chance, of the list that is asked for. Without one it is of a list by chance, and where nothing can be
/// made of that, of the first that has something for these points.
pub fn muster(
    call: &MusterCall,
    lists: &[String],
    chance: &mut dyn Chance,
    once: &dyn Fn(usize, &mut dyn Chance) -> Result<Army, String>,
) -> Result<Army, String> {
    if let Some(asked) = &call.list {
        let at = lists.iter().position(|id| slug(id) == slug(asked));
        return once(at.ok_or_else(|| no_list(asked, lists))?, chance);
    }
    let at = one_of(chance, "army list", lists.len(), &|i| lists.get(i).cloned().unwrap_or_default());
    once(at, chance).or_else(|why| (0..lists.len()).find_map(|at| once(at, chance).ok()).ok_or(why))
}

/// One of so many, by chance.
pub fn one_of(
    chance: &mut dyn Chance,
    purpose: &'static str,
    count: usize,
    label: &dyn Fn(usize) -> String,
) -> usize {
    chance.pick(purpose, count, label).unwrap_or(0).min(count.saturating_sub(1))
}

/// The points that are asked for, or the usual ones.
pub fn points(call: &MusterCall, usual: f64, least: f64, most: f64) -> Result<f64, String> {
    let points = call.points.unwrap_or(usual);
    let told = || format!("{points} points are no army; ask for {least} to {most}, such as {usual}");
    (least..=most).contains(&points).then_some(points).ok_or_else(told)
}

/// Whether an army may take the field: otherwise its name and the first limit that it breaks.
pub fn fielded(army: &Army, report: &ArmyReport) -> Result<(), String> {
    let Some(limit) = report.broken.first() else { return Ok(()) };
    let unit = limit.unit.map_or_else(String::new, |n| format!(", unit {}", n + 1));
    Err(format!("{}{unit}: {} [{}]", army.name, limit.why, limit.clause))
}
