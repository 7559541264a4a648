//! A legal army by chance: a field force of the book as it is, or units picked within the points; leaders rolled.

use serde_json::json;
use tricorne_chance::Chance;
use tricorne_drill::armies::{self, one_of};
use tricorne_game::army::{Army, ArmyUnit, MusterCall};

use super::{Entry, FREE, check_army, upgrade_points};
use crate::field::Card;
use crate::state::{IMPERIAL, MAX_UNITS};
use crate::tables::rulebook::Rulebook;

/// How often a muster that comes to nothing is begun anew.
const TRIES: usize = 60;

/// A unit picked so far.
struct Picked {
    entry: Entry,
    with: Vec<String>,
    card: Card,
}

/// A legal army by chance.
pub(crate) fn muster(book: &Rulebook, call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
    let lists = book.list_ids();
    armies::muster(call, &lists, chance, &|at, chance| muster_once(book, &lists[at], call, chance))
}

fn muster_once(
    book: &Rulebook,
    list: &str,
    call: &MusterCall,
    chance: &mut dyn Chance,
) -> Result<Army, String> {
    let limits = &book.charts.forces;
    let usual = f64::from(limits.points);
    let points = call.points.unwrap_or(usual);
    let least = limits.unit_least * i32::try_from(limits.units_least).unwrap_or(i32::MAX);
    // Half the units of a battle at their dearest: more could not be fielded.
    let most = limits.unit_most * i32::try_from(MAX_UNITS / 2).unwrap_or(i32::MAX);
    if !points.is_finite() || points < f64::from(least) || points > f64::from(most) {
        return Err(format!(
            "{points} points are no army: {} units of at least {} points need {least}, and more than {most} can't be \
             fielded",
            limits.units_least, limits.unit_least
        ));
    }
    let limit = points.floor() as i32;
    let force = book.force(list).filter(|_| !list.eq_ignore_ascii_case(FREE));
    let name = force.map_or_else(|| "A field force".to_owned(), |f| f.name.clone());
    let entries = book.entries(list).unwrap_or_default();
    let whole = force.filter(|_| limit == limits.points);
    let picked = match whole {
        // Table 3.8 has the force as it stands.
        Some(force) => force
            .units
            .iter()
            .filter_map(|unit| {
                let entry = entries.iter().find(|e| {
                    e.kind == unit.kind
                        && e.name == unit.name
                        && e.upgrades == unit.upgrades
                        && e.weapon == unit.weapon
                })?;
                let card = book.entry_card(entry, &[], (IMPERIAL, 0), "").ok()?;
                Some(Picked { entry: entry.clone(), with: Vec::new(), card })
            })
            .collect(),
        None => (0..TRIES).find_map(|_| pick(book, &entries, limit, chance)).ok_or_else(|| {
            format!("no force of {limit} points can be made of {name}; give it more points")
        })?,
    };
    let units = picked
        .into_iter()
        .map(|p| {
            let roll = book.roll_leader(p.card.drill, p.card.veteran, true, chance);
            let mut unit = ArmyUnit { with: p.with, ..armies::picked(&p.entry.id) };
            unit.set.insert("leadership".to_owned(), json!(roll.leadership));
            unit.set.insert("character".to_owned(), json!(roll.character));
            unit
        })
        .collect();
    let army = armies::army("would-be-kings", list, &name, points, units);
    match check_army(book, &army).broken.into_iter().next() {
        None => Ok(army),
        Some(limit) => Err(format!("the muster broke a limit: {} [{}]", limit.why, limit.clause)),
    }
}

/// Units within the points; none when they come to no force.
fn pick(book: &Rulebook, entries: &[Entry], limit: i32, chance: &mut dyn Chance) -> Option<Vec<Picked>> {
    let limits = &book.charts.forces;
    let mut picked: Vec<Picked> = Vec::new();
    let cards: Vec<(&Entry, Card)> = entries
        .iter()
        .filter_map(|e| Some((e, book.entry_card(e, &[], (IMPERIAL, 0), "").ok()?)))
        .filter(|(_, c)| (limits.unit_least..=limits.unit_most).contains(&c.points))
        .collect();
    let cheapest = cards.iter().map(|c| c.1.points).min()?;
    let total = |picked: &[Picked]| picked.iter().map(|p| p.card.points).sum::<i32>();
    while picked.len() < MAX_UNITS / 2 {
        let left = limit - total(&picked);
        // Enough must be left for the units a force needs.
        let wanting = limits.units_least.saturating_sub(picked.len() + 1);
        let kept = cheapest * i32::try_from(wanting).unwrap_or(0);
        let room = |regular: bool, crewed: bool| {
            let count = |f: fn(&Card) -> bool| picked.iter().filter(|p| f(&p.card)).count();
            (!regular || count(|c| c.closes) < book.most_regulars(limit))
                && (!crewed || count(Card::is_crewed) < book.most_crewed(limit))
        };
        let open: Vec<&(&Entry, Card)> =
            cards.iter().filter(|(_, c)| c.points <= left - kept && room(c.closes, c.is_crewed())).collect();
        if open.is_empty() {
            break;
        }
        let i = one_of(chance, "muster", open.len(), &|i| open[i.min(open.len() - 1)].0.id.clone());
        let (entry, card) = open[i];
        picked.push(Picked { entry: (*entry).clone(), with: Vec::new(), card: card.clone() });
        // Some units are out of the common.
        if chance.d6("upgrade") >= 5 {
            let last = picked.len() - 1;
            upgrade(book, &mut picked, last, limit - kept, chance);
        }
    }
    // What is left over buys upgrades.
    for _ in 0..picked.len() * 2 {
        if total(&picked) >= limit || picked.is_empty() {
            break;
        }
        let i = one_of(chance, "muster", picked.len(), &|i| picked[i.min(picked.len() - 1)].entry.id.clone());
        upgrade(book, &mut picked, i, limit, chance);
    }
    (picked.len() >= limits.units_least).then_some(picked)
}

/// Gives a unit one more upgrade, if one fits.
fn upgrade(book: &Rulebook, picked: &mut [Picked], i: usize, limit: i32, chance: &mut dyn Chance) {
    let limits = &book.charts.forces;
    let total: i32 = picked.iter().map(|p| p.card.points).sum();
    let Some(unit) = picked.get(i) else { return };
    let Some(profile) = book.profile(&unit.entry.kind) else { return };
    let open: Vec<&str> = book
        .open_upgrades(&unit.entry, profile)
        .filter(|u| !unit.with.contains(&u.name) && total + upgrade_points(u, &profile.code) <= limit)
        .map(|u| u.name.as_str())
        .collect();
    if open.is_empty() {
        return;
    }
    let n = one_of(chance, "upgrade", open.len(), &|i| open[i.min(open.len() - 1)].to_owned());
    let mut with = unit.with.clone();
    with.push(open[n].to_owned());
    // What the upgrade needs, or forbids, the card itself says.
    if let Ok(card) = book.entry_card(&unit.entry, &with, (IMPERIAL, 0), "")
        && (limits.unit_least..=limits.unit_most).contains(&card.points)
        && total - unit.card.points + card.points <= limit
        && let Some(unit) = picked.get_mut(i)
    {
        unit.card = card;
        unit.with = with;
    }
}
