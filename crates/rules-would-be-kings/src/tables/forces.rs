//! Forces: a unit's card from its profile and upgrades, and what a field force may hold (WBK-FORCE).

use std::fmt;
use std::sync::Arc;

use tricorne_chance::{Chance, Faces};
use tricorne_game::{Side, UnitId};

use crate::field::Card;
use crate::state::Character;
use crate::tables::rulebook::{Class, Drill, Force, ForceUnit, Rulebook};

/// What is wrong with a unit, and with which part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFault {
    /// The key of the file: `kind`, `upgrades`, `weapon`.
    pub key: &'static str,
    /// What is wrong, and what to do.
    pub problem: String,
}

impl UnitFault {
    /// The clause that a unit picked like this breaks.
    pub fn clause(&self) -> &'static str {
        match self.key {
            "upgrades" => "WBK-FORCE-03",
            _ => "WBK-FORCE-02",
        }
    }
}

/// A limit that a force breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForceFault {
    /// The unit it is about, by its place among the cards; none for the whole force.
    pub unit: Option<usize>,
    /// The clause.
    pub clause: &'static str,
    /// What is wrong, and what would be right.
    pub why: String,
}

impl fmt::Display for ForceFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.why, self.clause)
    }
}

/// What the dice make of a leader (WBK-LEAD-02, 07).
#[derive(Clone, Debug, PartialEq)]
pub struct LeaderRoll {
    /// The dice of Leadership: two for a Veteran, of which the better counts.
    pub faces: Faces,
    /// Leadership by those dice.
    pub rolled: u8,
    /// The dice of the character, if characters are rolled.
    pub tens_and_units: Option<(u8, u8)>,
    /// His character.
    pub character: Character,
    /// Leadership with what the character makes of it.
    pub leadership: u8,
}

fn fault<T>(key: &'static str, problem: String) -> Result<T, UnitFault> {
    Err(UnitFault { key, problem })
}

/// A unit as it is picked.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Pick<'a> {
    pub kind: &'a str,
    pub upgrades: &'a [String],
    pub weapon: Option<&'a str>,
    /// Any weapon will do, as in the middle of a rule case.
    pub any_weapon: bool,
}

impl Rulebook {
    /// Works a unit's card out (tables 3.1 and 3.5).
    pub fn card(&self, id: UnitId, side: Side, name: &str, pick: &Pick) -> Result<Card, UnitFault> {
        let found = self.profile(pick.kind).or_else(|| {
            self.profiles
                .iter()
                .find(|p| p.code.eq_ignore_ascii_case(pick.kind) || p.name.eq_ignore_ascii_case(pick.kind))
        });
        let Some(bought) = found else {
            let all: Vec<&str> = self.profiles.iter().map(|p| p.code.as_str()).collect();
            return fault(
                "kind",
                format!("there is no troop type `{}`; there is {}", pick.kind, all.join(", ")),
            );
        };
        // An undrilled gun is another row of table 3.1, and what else is taken is asked of that row.
        let becomes = |u: &String| self.profile(self.upgrade(u)?.becomes.get(&bought.code)?);
        let profile = pick.upgrades.iter().find_map(becomes).unwrap_or(bought);
        let mut points = bought.points;
        let mut changes = [false; 6];
        let (mut firing, mut fighting, mut discipline) = (0, 0, 0);
        let (mut veteran, mut fieldcraft) = (false, false);
        let mut weapon: Option<&str> = None;
        let mut taken: Vec<String> = Vec::new();
        for asked in pick.upgrades {
            let Some(upgrade) = self.upgrade(asked) else {
                let all: Vec<&str> = self.upgrades.iter().map(|u| u.name.as_str()).collect();
                return fault(
                    "upgrades",
                    format!("there is no upgrade `{asked}`; there is {}", all.join(", ")),
                );
            };
            if taken.contains(&upgrade.name) {
                return fault("upgrades", format!("`{}` is taken twice [WBK-FORCE-03]", upgrade.name));
            }
            let row = if upgrade.becomes.is_empty() { profile } else { bought };
            if !upgrade.who.contains(&row.code) {
                let who = upgrade.who.join(", ");
                return fault("upgrades", format!("`{}` is for {who}, not for {}", upgrade.name, row.code));
            }
            if let Some(needed) = upgrade.needs.get(&bought.code)
                && !pick.upgrades.iter().any(|u| u.eq_ignore_ascii_case(needed))
            {
                return fault("upgrades", format!("`{}` needs `{needed}` as well", upgrade.name));
            }
            if upgrade.needs_firing.is_some_and(|most| row.firing > most) {
                return fault(
                    "upgrades",
                    format!("`{}` is for units that fire better than that", upgrade.name),
                );
            }
            points += upgrade.points_by.get(&bought.code).copied().unwrap_or(upgrade.points);
            // "The same change is taken once only."
            let mut change = |slot: usize, value: &mut i32, by: i32| {
                let slot = slot * 2 + usize::from(by > 0);
                if by != 0 && !changes[slot] {
                    changes[slot] = true;
                    *value += by;
                }
            };
            change(0, &mut firing, upgrade.firing);
            change(1, &mut fighting, upgrade.fighting);
            change(2, &mut discipline, upgrade.discipline);
            veteran |= upgrade.veteran;
            fieldcraft |= upgrade.fieldcraft;
            // Well-armed goes over the muskets it needs.
            if let Some(arms) = upgrade.weapon.get(&bought.code)
                && (weapon.is_none() || !upgrade.needs.is_empty())
            {
                weapon = Some(arms);
            }
            taken.push(upgrade.name.clone());
        }
        let usual = profile.weapons.first().map_or("", String::as_str);
        let named = pick.weapon;
        if let Some(named) = named
            && !pick.any_weapon
        {
            let allowed: Vec<&str> = match weapon {
                Some(weapon) => vec![weapon],
                None => profile.weapons.iter().map(String::as_str).collect(),
            };
            if !allowed.iter().any(|a| a.eq_ignore_ascii_case(named)) {
                return fault("weapon", format!("this unit carries {}, not `{named}`", allowed.join(" or ")));
            }
        }
        let carried = named.or(weapon).unwrap_or(usual);
        let Some(weapon) = self.weapon(carried) else {
            let all: Vec<&str> = self.weapons.iter().map(|w| w.name.as_str()).collect();
            return fault("weapon", format!("there is no weapon `{carried}`; there is {}", all.join(", ")));
        };
        Ok(Card {
            id,
            side,
            name: name.to_owned(),
            kind: profile.code.clone(),
            kind_name: profile.name.clone(),
            class: profile.class,
            drill: profile.drill,
            closes: profile.class == Class::Infantry && profile.drill == Drill::Regular,
            start: profile.models,
            points,
            pace: (profile.basic_move * 1000.0).round() as i32,
            firing: (profile.firing + firing).clamp(2, 7),
            fighting: (profile.fighting + fighting).clamp(2, 7),
            discipline: profile.discipline + discipline,
            weapon: Arc::clone(weapon),
            fieldcraft,
            veteran,
            upgrades: taken,
            leadership: 7,
            character: Character::Unremarkable,
            mounted: profile.class == Class::Cavalry,
        })
    }

    /// What is wrong with a force of these cards, for a limit of points (WBK-FORCE-01, 04, 12). Empty if nothing.
    pub fn force_faults(&self, cards: &[&Card], limit: i32) -> Vec<ForceFault> {
        let limits = &self.charts.forces;
        let mut wrong = Vec::new();
        let mut add = |unit: Option<usize>, clause: &'static str, why: String| {
            wrong.push(ForceFault { unit, clause, why });
        };
        let total: i32 = cards.iter().map(|c| c.points).sum();
        if total > limit {
            let why = format!(
                "the force comes to {total} points, and {limit} are allowed: leave out {}",
                total - limit
            );
            add(None, "WBK-FORCE-01", why);
        }
        for (i, card) in cards.iter().enumerate() {
            if card.points < limits.unit_least || card.points > limits.unit_most {
                let why = format!(
                    "{} comes to {} points; a unit costs {} to {}",
                    card.called(),
                    card.points,
                    limits.unit_least,
                    limits.unit_most
                );
                add(Some(i), "WBK-FORCE-04", why);
            }
        }
        if cards.len() < limits.units_least {
            let why =
                format!("the force has {} units and needs at least {}", cards.len(), limits.units_least);
            add(None, "WBK-FORCE-12", why);
        }
        for (what, n, most) in [
            ("Regular Infantry", cards.iter().filter(|c| c.closes).count(), self.most_regulars(limit)),
            ("crewed weapons", cards.iter().filter(|c| c.is_crewed()).count(), self.most_crewed(limit)),
        ] {
            if n > most {
                let why = format!("the force has {n} units of {what}, and {most} are allowed");
                add(None, "WBK-FORCE-12", why);
            }
        }
        wrong
    }

    fn times(&self, limit: i32) -> usize {
        usize::try_from((limit / self.charts.forces.points.max(1)).max(1)).unwrap_or(1)
    }

    /// The most units of Regular Infantry in a force of so many points (WBK-FORCE-12).
    pub fn most_regulars(&self, limit: i32) -> usize {
        self.charts.forces.regular_infantry_most * self.times(limit)
    }

    /// The most crewed weapons in a force of so many points (WBK-FORCE-12).
    pub fn most_crewed(&self, limit: i32) -> usize {
        self.charts.forces.crewed_most * self.times(limit)
    }

    /// Rolls a leader (tables 3.6 and 3.7).
    pub fn roll_leader(
        &self,
        drill: Drill,
        veteran: bool,
        characters: bool,
        chance: &mut dyn Chance,
    ) -> LeaderRoll {
        let dice = if veteran { self.charts.forces.veteran_dice } else { 1 };
        let faces = chance.faces("leadership", dice, 6);
        let rolled = faces.iter().map(|&f| self.leaders.value(drill, f)).min().unwrap_or(7);
        let mut roll = LeaderRoll {
            faces,
            rolled,
            tens_and_units: None,
            character: Character::Unremarkable,
            leadership: rolled,
        };
        if characters {
            let faces = chance.faces("trait", 2, 6);
            let (tens, units) = (faces.first().copied().unwrap_or(6), faces.get(1).copied().unwrap_or(6));
            roll.tens_and_units = Some((tens, units));
            roll.character = self.character(tens, units);
            if roll.character == Character::BornToCommand {
                let chart = &self.charts.characters;
                let best = chart.born_to_command_best.min(rolled);
                roll.leadership = rolled.saturating_sub(chart.born_to_command).max(best);
            }
        }
        roll
    }

    /// The field force of that id or name.
    pub fn force(&self, id: &str) -> Option<&Force> {
        self.forces.iter().find(|f| f.id.eq_ignore_ascii_case(id) || f.name.eq_ignore_ascii_case(id))
    }

    /// The cards of a field force, with ids made from a letter and a number.
    pub fn force_cards(&self, force: &Force) -> Result<Vec<Card>, UnitFault> {
        let side = force.side.side();
        let letter = if side == crate::state::IMPERIAL { 'I' } else { 'N' };
        let made = force.units.iter().enumerate().map(|(i, unit)| self.force_card(unit, side, letter, i + 1));
        made.collect()
    }

    fn force_card(&self, unit: &ForceUnit, side: Side, letter: char, n: usize) -> Result<Card, UnitFault> {
        let id: UnitId =
            format!("{letter}{n}").parse().map_err(|problem| UnitFault { key: "id", problem })?;
        let pick = Pick {
            kind: &unit.kind,
            upgrades: &unit.upgrades,
            weapon: unit.weapon.as_deref(),
            any_weapon: false,
        };
        self.card(id, side, &unit.name, &pick)
    }
}
