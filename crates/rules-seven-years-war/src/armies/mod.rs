//! Armies of one's own: the lists as a builder shows them, the army file, what is wrong with it, and an army picked by
//! chance. Prices, limits and objections are those of [`crate::points`]; nothing is said twice here.
//!
//! An army file's units are entries of the list; sub-generals and field works are picked like units. What a unit may
//! have beyond its upgrades stands under `set`: `command`, the number of its sub-general in the file from 1 (0 leaves
//! it un-commanded, left out it is assigned when the army is pitched), and `group`, the name of its group. The counters
//! of generals are not in the file: they are drawn when the battle begins (SYW-GEN-01, -02).

mod drafting;
mod lists;
mod pitch;
mod reference;
mod roster;
#[cfg(test)]
mod tests;

use tricorne_chance::Chance;
use tricorne_drill::armies::{self, Form, Objections, picked};
use tricorne_game::army::{Army, ArmyReport, ArmyUnit, MusterCall};
use tricorne_game::view::Arm as Figure;

use crate::points::{Army as Bought, Enlisted, Market, Nation, Points, Work};
use crate::rulebook::{Arm, Class, Profile, Rulebook};

pub(crate) use drafting::drafting;
pub(crate) use lists::army_lists;
pub(crate) use pitch::{TABLE, pitch};
pub(crate) use reference::reference;
pub(crate) use roster::roster;

/// The rule system.
const RULESET: &str = "seven-years-war";
/// The points a battle is fought at unless somebody says otherwise.
pub(crate) const USUAL: i32 = 200;
/// The entry of a sub-general.
pub(crate) const GENERAL: &str = "sub-general";
/// Militia brought up to normal drill, and to shooting at short range (SYW-POINTS-03).
pub(crate) const DRILLED: &str = "normal-drill";
pub(crate) const SHOOTS: &str = "short-range";
/// What an upgrade to another number of stands begins with.
pub(crate) const STANDS: &str = "stands-";
/// A piece of a work is this long (SYW-POINTS-05).
pub(crate) const PIECE: f64 = 4.0;

/// Prices, lists and kinds of the rulebook.
pub(crate) fn market() -> &'static Market {
    &Rulebook::own().market
}

/// The work an entry is, if it is one.
pub(crate) fn work_of(entry: &str) -> Option<Work> {
    match entry {
        "abatis" => Some(Work::Abatis),
        "barricade" => Some(Work::Barricade),
        _ => None,
    }
}

/// An army file read as an army that is bought: the units in their order with their places in the file.
pub(crate) struct Read {
    pub bought: Bought,
    /// The place in the file of each unit of `bought`.
    pub places: Vec<usize>,
    pub wrong: Objections,
    /// Units that say themselves that they are un-commanded.
    pub left_alone: Vec<usize>,
}

/// Reads an army file; what can't be read at all is a broken limit.
pub(crate) fn read(army: &Army) -> Read {
    let mut read = Read {
        bought: Bought { nation: army.list.clone(), ..Bought::default() },
        places: Vec::new(),
        wrong: Objections::default(),
        left_alone: Vec::new(),
    };
    let mut pieces: [u32; 2] = [0, 0];
    for (i, unit) in army.units.iter().enumerate() {
        let mut object = |clause: &str, why: String| read.wrong.unit(i, clause, why);
        let work = work_of(&unit.entry);
        if unit.entry == GENERAL || work.is_some() {
            for upgrade in &unit.with {
                object("SYW-POINTS-03", format!("`{upgrade}` does not apply to {}; take it off", unit.entry));
            }
            if let Some(key) = unit.set.keys().next() {
                object("SYW-ARMY-21", format!("`{key}` is not known for {}; take it out", unit.entry));
            }
            match work {
                Some(Work::Abatis) => pieces[0] += 1,
                Some(Work::Barricade) => pieces[1] += 1,
                None => read.bought.sub_generals = read.bought.sub_generals.saturating_add(1),
            }
            continue;
        }
        let mut one = Enlisted { code: unit.entry.clone(), ..Enlisted::default() };
        for upgrade in &unit.with {
            let stands = upgrade.strip_prefix(STANDS).and_then(|n| n.parse::<u8>().ok());
            match (upgrade.as_str(), stands) {
                (DRILLED, _) => one.upgraded_drill = true,
                (SHOOTS, _) => one.upgraded_shots = true,
                (_, Some(n)) if one.stands.is_none() => one.stands = Some(n),
                (_, Some(_)) => {
                    object("SYW-ARMY-09", "a unit has one number of stands; name one only".into());
                }
                _ => object(
                    "SYW-POINTS-02",
                    format!("there is no upgrade `{upgrade}`; there is {DRILLED}, {SHOOTS} and {STANDS}N"),
                ),
            }
        }
        for (key, value) in &unit.set {
            match key.as_str() {
                "command" => match value.as_u64().and_then(|n| u8::try_from(n).ok()) {
                    Some(0) => read.left_alone.push(i),
                    Some(n) => one.command = Some(n),
                    None => object("SYW-ARMY-21", "`command` is the number of a sub-general, from 1".into()),
                },
                "group" => match value.as_str() {
                    Some(name) => one.group = Some(name.to_owned()),
                    None => object("SYW-GROUP-01", "`group` is a name".into()),
                },
                _ => object("SYW-GROUP-01", format!("`{key}` is not known; there is `command` and `group`")),
            }
        }
        read.bought.units.push(one);
        read.places.push(i);
    }
    for (kind, n) in [(Work::Abatis, pieces[0]), (Work::Barricade, pieces[1])] {
        if n > 0 {
            read.bought.works.push((kind, f64::from(n) * PIECE));
        }
    }
    read
}

/// Points as they are kept: quarters, rounded down.
pub(crate) fn quarters(points: f64) -> Points {
    let quarters = libm::floor(points.clamp(-1e6, 1e6) * 4.0 + 1e-6);
    Points::quarters(if quarters.is_finite() { quarters as i32 } else { 0 })
}

/// What an army costs and what is wrong with it.
pub(crate) fn check_army(army: &Army) -> ArmyReport {
    let market = market();
    let Read { bought, places, mut wrong, .. } = read(army);
    let each = army
        .units
        .iter()
        .enumerate()
        .map(|(i, unit)| {
            let price = match work_of(&unit.entry) {
                Some(kind) => Some(market.prices.work(kind, PIECE)),
                None if unit.entry == GENERAL => Some(market.prices.generals.sub_general),
                None => places.iter().position(|&p| p == i).and_then(|k| market.unit(&bought.units[k])),
            };
            f64::from(price.unwrap_or(Points::ZERO))
        })
        .collect();
    let form = Form {
        ruleset: RULESET,
        lists: &list_ids(market),
        listed: market.lists.nation(&army.list).is_some(),
        clause: "SYW-ARMY-02",
        of_list: "SYW-ARMY-02",
        of_points: "SYW-POINTS-01",
    };
    wrong.0.extend(form.objections(army).0);
    if market.lists.nation(&army.list).is_none() {
        return wrong.report(army, each);
    }
    for o in market.objections(&bought, quarters(army.points)) {
        wrong.add(o.unit.and_then(|u| places.get(u).copied()), o.clause, o.why);
    }
    ArmyReport { points: market.army(&bought).into(), ..wrong.report(army, each) }
}

fn list_ids(market: &Market) -> Vec<String> {
    market.lists.nations.iter().map(|n| n.id.clone()).collect()
}

/// A legal army by chance.
pub(crate) fn muster(call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
    let market = market();
    let nations = &market.lists.nations;
    armies::muster(call, &list_ids(market), chance, &|at, chance| {
        muster_of(market, &nations[at], call, chance)
    })
}

fn muster_of(
    market: &Market,
    nation: &Nation,
    call: &MusterCall,
    chance: &mut dyn Chance,
) -> Result<Army, String> {
    let points = armies::points(call, f64::from(USUAL), 1.0, 4000.0)?;
    let bought = market
        .muster_at_random(&nation.id, quarters(points), chance)
        .ok_or_else(|| format!("nothing can be picked from `{}`", nation.id))?;
    if bought.units.is_empty() {
        return Err(format!("no unit of {} costs {points} points or less; allow more", nation.name));
    }
    let mut units: Vec<ArmyUnit> = Vec::new();
    for _ in 0..bought.sub_generals {
        units.push(picked(GENERAL));
    }
    let book = Rulebook::own();
    for (k, unit) in bought.units.iter().enumerate() {
        let mut one = picked(&unit.code);
        // Horse under a general of its own, if there are two: training counts by arm (SYW-GEN-04).
        let arm = book.entry(&unit.code).map(|e| book.profile(e.kind).arm);
        if let Some(n) = arm.and_then(|arm| pitch::deal(bought.sub_generals, arm, k)) {
            one.set.insert("command".into(), n.into());
        }
        units.push(one);
    }
    Ok(armies::army(RULESET, &nation.id, &format!("{} army", nation.name), points, units))
}

/// How troops of a kind are drawn.
pub(crate) fn figure(p: &Profile) -> Figure {
    match (p.arm, p.class) {
        (Arm::Infantry, Class::Light) => Figure::Skirmishers,
        (Arm::Infantry, Class::Massed) => Figure::Infantry,
        (Arm::Cavalry, _) => Figure::Cavalry,
        (Arm::Artillery, _) => Figure::Artillery,
    }
}
