//! Forces: a unit's card from its profile and upgrades, and what a field force may hold (WBK-FORCE).

use std::sync::Arc;

use tricorne_game::{Side, UnitId};

use crate::field::Card;
use crate::rulebook::{Class, Force, ForceUnit, Rulebook};
use crate::state::Character;

/// What is wrong with a unit, and with which part of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnitFault {
    /// The key of the file: `kind`, `upgrades`, `weapon`.
    pub key: &'static str,
    /// What is wrong, and what to do.
    pub problem: String,
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
        let mut profile = bought;
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
            if !upgrade.who.contains(&bought.code) {
                let who = upgrade.who.join(", ");
                return fault(
                    "upgrades",
                    format!("`{}` is for {who}, not for {}", upgrade.name, bought.code),
                );
            }
            if let Some(needed) = upgrade.needs.get(&bought.code)
                && !pick.upgrades.iter().any(|u| u.eq_ignore_ascii_case(needed))
            {
                return fault("upgrades", format!("`{}` needs `{needed}` as well", upgrade.name));
            }
            if upgrade.needs_firing.is_some_and(|most| bought.firing > most) {
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
            if let Some(code) = upgrade.becomes.get(&bought.code)
                && let Some(other) = self.profile(code)
            {
                profile = other;
            }
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
            closes: profile.class == Class::Infantry && profile.drill == crate::rulebook::Drill::Regular,
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
    pub fn force_faults(&self, cards: &[&Card], limit: i32) -> Vec<String> {
        let limits = &self.charts.forces;
        let mut wrong = Vec::new();
        let total: i32 = cards.iter().map(|c| c.points).sum();
        if total > limit {
            wrong.push(format!("the force comes to {total} points, and {limit} are allowed [WBK-FORCE-01]"));
        }
        for card in cards {
            if card.points < limits.unit_least || card.points > limits.unit_most {
                wrong.push(format!(
                    "{} comes to {} points; a unit costs {} to {} [WBK-FORCE-04]",
                    card.called(),
                    card.points,
                    limits.unit_least,
                    limits.unit_most
                ));
            }
        }
        if cards.len() < limits.units_least {
            let why = format!(
                "the force has {} units and needs at least {} [WBK-FORCE-12]",
                cards.len(),
                limits.units_least
            );
            wrong.push(why);
        }
        let times = usize::try_from((limit / limits.points.max(1)).max(1)).unwrap_or(1);
        let infantry = cards.iter().filter(|c| c.closes).count();
        let crewed = cards.iter().filter(|c| c.is_crewed()).count();
        for (what, n, most) in [
            ("Regular Infantry", infantry, limits.regular_infantry_most * times),
            ("crewed weapons", crewed, limits.crewed_most * times),
        ] {
            if n > most {
                wrong.push(format!(
                    "the force has {n} units of {what}, and {most} are allowed [WBK-FORCE-12]"
                ));
            }
        }
        wrong
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
