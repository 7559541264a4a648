//! What an action may come to: every outcome with its exact probability, from the very code that resolves it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tricorne_chance::{Chance, Seeded, enumerate};

use crate::JsonSchema;
use crate::view::View;
use crate::{Battle, Illegal, InOrder, Log, StateHash, UnitId};

/// Rolls made where an exchange is too deep to enumerate.
const SAMPLES: u32 = 4_000;

/// The odds of an action.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prospect {
    /// Whether every outcome was enumerated; otherwise the odds are from sampling.
    pub exact: bool,
    /// The largest standard error of a probability below; 0 where they are exact.
    pub error: f64,
    /// Outcomes, likeliest first. Outcomes that differ in nothing a player sees of a unit are one.
    pub ways: Vec<Way>,
    /// For each unit that something may happen to, the odds of its strength afterwards and its mean loss.
    pub units: Vec<UnitProspect>,
}

/// One outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Way {
    /// How likely.
    pub chance: f64,
    /// What it does to units; empty if nothing changes for any.
    pub changes: Vec<Change>,
}

/// What an outcome does to a unit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
pub struct Change {
    /// The unit.
    pub unit: UnitId,
    /// Figures or stands before and after.
    pub strength: (u32, u32),
    /// It leaves the table.
    pub gone: bool,
    /// States it gets: `pinned`.
    pub gains: Vec<String>,
    /// States it loses.
    pub loses: Vec<String>,
}

/// The odds for one unit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UnitProspect {
    /// The unit.
    pub unit: UnitId,
    /// Strength afterwards and its probability, strongest first.
    pub strength: Vec<(u32, f64)>,
    /// Figures or stands lost, on average.
    pub mean_loss: f64,
    /// That it leaves the table.
    pub gone: f64,
    /// Each state it may be in afterwards that it is not in now, and how likely.
    pub gains: Vec<(String, f64)>,
}

/// What a player sees of a unit that an action can change.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Sighting {
    unit: UnitId,
    strength: u32,
    on_table: bool,
    markers: Vec<String>,
}

fn sightings(view: &View) -> Vec<Sighting> {
    let marked =
        |kind: &str, count: u32| if count > 1 { format!("{kind} ×{count}") } else { kind.to_owned() };
    view.units
        .iter()
        .map(|u| Sighting {
            unit: u.id,
            strength: u.strength.0,
            on_table: u.on_table,
            markers: u.markers.iter().map(|m| marked(&m.kind, m.count)).collect(),
        })
        .collect()
}

fn changes(before: &[Sighting], after: &[Sighting]) -> Vec<Change> {
    let mut all = Vec::new();
    for b in before {
        let Some(a) = after.iter().find(|a| a.unit == b.unit) else { continue };
        let fresh = |from: &Sighting, to: &Sighting| {
            to.markers.iter().filter(|m| !from.markers.contains(m)).cloned().collect::<Vec<_>>()
        };
        let gone = b.on_table && !a.on_table;
        let (gains, loses) = if gone { (Vec::new(), Vec::new()) } else { (fresh(b, a), fresh(a, b)) };
        if b.strength != a.strength || gone || !gains.is_empty() || !loses.is_empty() {
            all.push(Change { unit: b.unit, strength: (b.strength, a.strength), gone, gains, loses });
        }
    }
    all.put_in_order(Ord::cmp);
    all
}

/// The odds of an action as the seat that must decide would see them: enumerated along at most `limit` paths, or
/// sampled where there are more.
pub fn odds<B: Battle>(battle: &B, action: &B::Action, limit: usize) -> Result<Prospect, Illegal> {
    battle.check(action)?;
    let seat = battle.seat();
    let before = sightings(&battle.view(seat));
    let mut afters: BTreeMap<StateHash, B> = BTreeMap::new();
    let mut run = |chance: &mut dyn Chance| {
        let after = played(battle, action, chance, &mut Log::off());
        let hash = after.hash();
        afters.entry(hash).or_insert(after);
        hash
    };
    let enumerated = enumerate(limit, |chance| run(chance));
    let exact = enumerated.is_some();
    let weights: Vec<(StateHash, f64)> = match enumerated {
        Some(odds) => odds.ways,
        None => {
            let mut chance = Seeded::new(0);
            let share = 1.0 / f64::from(SAMPLES);
            (0..SAMPLES).map(|_| (run(&mut chance), share)).collect()
        }
    };
    let mut seen: BTreeMap<StateHash, Vec<Change>> = BTreeMap::new();
    for (hash, after) in &afters {
        seen.insert(*hash, changes(&before, &sightings(&after.view(seat))));
    }
    let mut gathered: BTreeMap<&[Change], f64> = BTreeMap::new();
    for (hash, p) in &weights {
        *gathered.entry(seen[hash].as_slice()).or_default() += p;
    }
    let mut ways: Vec<Way> =
        gathered.into_iter().map(|(changes, chance)| Way { chance, changes: changes.to_vec() }).collect();
    ways.put_in_order(|a, b| b.chance.total_cmp(&a.chance));
    let units = by_unit(&before, &ways);
    let error = if exact {
        0.0
    } else {
        let worst = |p: f64| (p * (1.0 - p) / f64::from(SAMPLES)).max(0.0).sqrt();
        let of_units = units.iter().flat_map(|u| {
            let strengths = u.strength.iter().map(|s| s.1);
            strengths.chain(u.gains.iter().map(|g| g.1)).chain([u.gone])
        });
        ways.iter().map(|w| w.chance).chain(of_units).map(worst).fold(0.0, f64::max)
    };
    Ok(Prospect { exact, error, ways, units })
}

/// The battle after an action that was checked already: the same check decides here.
fn played<B: Battle>(battle: &B, action: &B::Action, chance: &mut dyn Chance, log: &mut Log) -> B {
    let mut after = battle.clone();
    let _ = after.apply(action, chance, log);
    after
}

fn by_unit(before: &[Sighting], ways: &[Way]) -> Vec<UnitProspect> {
    let mut all = Vec::new();
    for b in before {
        if !ways.iter().any(|w| w.changes.iter().any(|c| c.unit == b.unit)) {
            continue;
        }
        let mut strengths: BTreeMap<std::cmp::Reverse<u32>, f64> = BTreeMap::new();
        let mut gains: BTreeMap<&str, f64> = BTreeMap::new();
        let (mut mean_loss, mut gone) = (0.0, 0.0);
        for way in ways {
            let change = way.changes.iter().find(|c| c.unit == b.unit);
            let after = change.map_or(b.strength, |c| c.strength.1);
            *strengths.entry(std::cmp::Reverse(after)).or_default() += way.chance;
            mean_loss += way.chance * (f64::from(b.strength) - f64::from(after));
            if let Some(change) = change {
                gone += if change.gone { way.chance } else { 0.0 };
                for gain in &change.gains {
                    *gains.entry(gain).or_default() += way.chance;
                }
            }
        }
        all.push(UnitProspect {
            unit: b.unit,
            strength: strengths.into_iter().map(|(s, p)| (s.0, p)).collect(),
            mean_loss,
            gone,
            gains: gains.into_iter().map(|(g, p)| (g.to_owned(), p)).collect(),
        });
    }
    all
}
