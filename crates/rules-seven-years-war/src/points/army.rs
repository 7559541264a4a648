//! Armies as they are bought: their price, and what the rules have against them.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use tricorne_chance::Chance;
use tricorne_game::{Fault, Source};

use super::{Entry, Grades, Kinds, Lists, Points, Prices};
use crate::JsonSchema;
use crate::rulebook::{Arm, Kind};

/// Field works that are bought by the length (SYW-POINTS-05).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Felled trees; only infantry may cross.
    Abatis,
    /// Soft cover and a linear obstacle.
    Barricade,
}

/// An army as it is bought (state U2).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Army {
    /// The id of its nation.
    pub nation: String,
    /// How many sub-generals it has; its C-in-C is free.
    pub sub_generals: u8,
    /// Its units.
    pub units: Vec<Enlisted>,
    /// Works, each with its length.
    pub works: Vec<(Work, f64)>,
}

/// One unit of an army.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Enlisted {
    /// The code of its list entry.
    pub code: String,
    /// Its stands, if they are not the usual number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stands: Option<u8>,
    /// The sub-general who commands it, from 1; un-commanded if left out (SYW-ARMY-23).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<u8>,
    /// The name of its group; left out, it is a group of its own (SYW-GROUP-01).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Militia brought up to normal drill.
    pub upgraded_drill: bool,
    /// Militia that shoots at short range.
    pub upgraded_shots: bool,
}

/// What is wrong with an army.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The unit it is about, by its place in the army from 0; none for the whole army.
    pub unit: Option<usize>,
    /// The clause.
    pub clause: &'static str,
    /// What is wrong, and the remedy.
    pub why: String,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.why, self.clause)
    }
}

/// Prices, lists and kinds together: everything an army is bought by.
#[derive(Clone, Debug)]
pub struct Market {
    /// `points.toml`.
    pub prices: Prices,
    /// `armies.toml`.
    pub lists: Lists,
    /// `profiles.toml`.
    pub kinds: Kinds,
}

impl Market {
    /// From the files of prices and lists, and the rows of T1.
    pub fn read(points: &Source, armies: &Source, kinds: Kinds) -> Result<Self, Fault> {
        let prices = Prices::read(points)?;
        let lists = Lists::read(armies, &kinds, &prices)?;
        Ok(Self { prices, lists, kinds })
    }

    /// What a unit costs; none if its entry is unknown.
    pub fn unit(&self, unit: &Enlisted) -> Option<Points> {
        let (_, entry) = self.lists.entry(&unit.code)?;
        let grades = Grades {
            upgraded_drill: unit.upgraded_drill,
            upgraded_shots: unit.upgraded_shots,
            ..entry.grades()
        };
        let stands = unit.stands.unwrap_or(entry.stands);
        Some(self.prices.stand(grades) * i32::from(stands))
    }

    /// The arm of a kind.
    pub fn arm(&self, kind: Kind) -> Option<Arm> {
        self.kinds.get(&kind).map(|profile| profile.arm)
    }

    /// The numbers of stands a unit of a kind may have, and the clause that says so (SYW-ARMY-05, -08 to -10).
    pub fn sizes(&self, kind: Kind) -> (&[u8], &'static str) {
        let clause = match self.arm(kind) {
            Some(Arm::Artillery) => "SYW-ARMY-05",
            Some(Arm::Cavalry) => "SYW-ARMY-08",
            _ if kind.is_light_infantry() => "SYW-ARMY-10",
            _ => "SYW-ARMY-09",
        };
        (self.kinds.get(&kind).map_or(&[], |profile| &profile.sizes), clause)
    }

    /// What an army costs: troops, sub-generals and works. Unknown units cost nothing here; [`Market::objections`]
    /// names them.
    pub fn army(&self, army: &Army) -> Points {
        let troops: Points = army.units.iter().filter_map(|u| self.unit(u)).sum();
        let generals = self.prices.generals.sub_general * i32::from(army.sub_generals)
            + self.prices.generals.commander_in_chief;
        let works: Points = army.works.iter().map(|&(kind, length)| self.prices.work(kind, length)).sum();
        troops + generals + works
    }

    /// Everything the rules have against an army of at most `limit` points.
    pub fn objections(&self, army: &Army, limit: Points) -> Vec<Objection> {
        let mut found = Vec::new();
        let mut object = |unit, clause, why: String| found.push(Objection { unit, clause, why });
        let Some(nation) = self.lists.nation(&army.nation) else {
            let all: Vec<&str> = self.lists.nations.iter().map(|n| n.id.as_str()).collect();
            object(
                None,
                "SYW-ARMY-02",
                format!("there is no nation `{}`; choose one of {}", army.nation, all.join(", ")),
            );
            return found;
        };
        let mut numbers: BTreeMap<&str, u8> = BTreeMap::new();
        let mut groups: BTreeMap<&str, &Entry> = BTreeMap::new();
        for (i, unit) in army.units.iter().enumerate() {
            let Some(entry) = nation.units.iter().find(|e| e.code == unit.code) else {
                object(Some(i), "SYW-ARMY-02", format!("`{}` is not in the {} list", unit.code, nation.name));
                continue;
            };
            let number = numbers.entry(&entry.code).or_default();
            *number += 1;
            if entry.most.is_some_and(|most| *number == most + 1) {
                let most = entry.most.unwrap_or_default();
                object(
                    Some(i),
                    "SYW-ARMY-02",
                    format!("an army has at most {most} of {} ({})", entry.name, entry.code),
                );
            }
            let (sizes, clause) = self.sizes(entry.kind);
            if unit.stands.is_some_and(|s| !sizes.contains(&s)) {
                object(
                    Some(i),
                    clause,
                    format!("{} ({}) may have one of {sizes:?} stands", entry.name, entry.code),
                );
            }
            if (unit.upgraded_drill || unit.upgraded_shots) && entry.kind != Kind::Mil {
                object(
                    Some(i),
                    "SYW-POINTS-03",
                    format!("{} is no Militia; only Militia is upgraded", entry.code),
                );
            }
            if unit.upgraded_shots && entry.weapon.is_some() {
                object(
                    Some(i),
                    "SYW-POINTS-03",
                    format!("{} has no muskets to shoot at short range with", entry.code),
                );
            }
            if unit.command.is_some_and(|c| c == 0 || c > army.sub_generals) {
                let have = army.sub_generals;
                object(
                    Some(i),
                    "SYW-ARMY-21",
                    format!("{} names a sub-general that is not there; there are {have}", entry.code),
                );
            }
            let Some(group) = unit.group.as_deref() else { continue };
            let first = *groups.entry(group).or_insert(entry);
            if self.arm(first.kind) != self.arm(entry.kind) {
                object(
                    Some(i),
                    "SYW-GROUP-03",
                    format!("group {group} mixes arms: {} and {}", first.code, entry.code),
                );
            } else if first.tag != entry.tag {
                object(
                    Some(i),
                    "SYW-GROUP-06",
                    format!("{} and {} may not share a group ({group})", first.code, entry.code),
                );
            }
        }
        if army.units.is_empty() {
            object(None, "SYW-ARMY-02", "the army has no units; buy at least one".into());
        }
        let price = self.army(army);
        if price > limit {
            object(
                None,
                "SYW-POINTS-01",
                format!("the army costs {price} of {limit}; give up {} or more", price - limit),
            );
        }
        found
    }

    /// The army that state U2 falls back on: one sub-general, then the list's entries in order, one each within their
    /// limits, and again from the top until the points are spent. The sub-general commands everything.
    pub fn muster(&self, nation: &str, limit: Points) -> Option<Army> {
        let nation = self.lists.nation(nation)?;
        let mut army = Army { nation: nation.id.clone(), ..Army::default() };
        army.sub_generals = u8::from(self.prices.generals.sub_general <= limit);
        loop {
            let before = army.units.len();
            for entry in &nation.units {
                self.enlist(&mut army, entry, limit);
            }
            if army.units.len() == before {
                return Some(army);
            }
        }
    }

    /// A random army: a sub-general for every 80 points, then entries picked at random while one fits. A D6 gives the
    /// arm of each, foot on 1 to 3, horse on 4 and 5, guns on 6, so that armies look like armies; *(house)*.
    pub fn muster_at_random(&self, nation: &str, limit: Points, chance: &mut dyn Chance) -> Option<Army> {
        let nation = self.lists.nation(nation)?;
        let mut army = Army { nation: nation.id.clone(), ..Army::default() };
        army.sub_generals = u8::try_from(limit.in_quarters() / 320).unwrap_or(u8::MAX);
        self.fill_at_random(&mut army, limit, chance);
        Some(army)
    }

    /// The same for an army that has some of its units already.
    pub fn fill_at_random(&self, army: &mut Army, limit: Points, chance: &mut dyn Chance) {
        let Some(nation) = self.lists.nation(&army.nation) else { return };
        loop {
            let fitting: Vec<&Entry> =
                nation.units.iter().filter(|e| self.enlist(&mut army.clone(), e, limit)).collect();
            if fitting.is_empty() {
                return;
            }
            let wanted = match chance.d6("muster_arm") {
                1..=3 => Arm::Infantry,
                4 | 5 => Arm::Cavalry,
                _ => Arm::Artillery,
            };
            let of_arm: Vec<&Entry> =
                fitting.iter().copied().filter(|e| self.arm(e.kind) == Some(wanted)).collect();
            let fitting = if of_arm.is_empty() { fitting } else { of_arm };
            let Some(i) = chance.pick("muster", fitting.len(), &|i| fitting[i].code.clone()) else {
                return;
            };
            self.enlist(army, fitting[i], limit);
            if army.sub_generals > 0
                && let Some(last) = army.units.len().checked_sub(1)
            {
                army.units[last].command = Some((last % usize::from(army.sub_generals)) as u8 + 1);
            }
        }
    }

    /// Adds a unit of an entry if it stays within its limit and the points.
    fn enlist(&self, army: &mut Army, entry: &Entry, limit: Points) -> bool {
        let have = army.units.iter().filter(|u| u.code == entry.code).count();
        let room = entry.most.is_none_or(|most| have < usize::from(most));
        // A battle holds 250 units at most, so that a limit of a million points does not.
        if !room || army.units.len() >= 250 || self.army(army) + entry.points > limit {
            return false;
        }
        let command = (army.sub_generals > 0).then_some(1);
        army.units.push(Enlisted { code: entry.code.clone(), command, ..Enlisted::default() });
        true
    }
}
