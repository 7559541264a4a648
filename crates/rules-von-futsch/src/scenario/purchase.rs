//! Buying a force from an army list (VF-ARMY-01, -02, VF-SCEN-02, -04).

use tricorne_game::{Fault, Purpose, Source};
use tricorne_table::Point;

use crate::charts::Points;
use crate::model::{Kind, Level, Quality};
use crate::rulebook::{ArmyList, Entry, Rulebook};
use crate::scenario::file::{CommanderFile, File, SideFile, SideName, UnitFile, UnitWords};
use crate::state::Fate;

/// The price of a force.
pub fn price(rulebook: &Rulebook, list: &ArmyList, file: &SideFile) -> u32 {
    let points = &rulebook.profiles.points;
    let entries: u32 = file
        .entries
        .iter()
        .filter_map(|id| list.entry.iter().find(|e| e.id == wing_of(id).0))
        .map(|e| cost(points, e))
        .sum();
    entries
        + points.army_commander
        + u32::from(file.wagons) * points.wagon
        + u32::from(file.wing_commanders) * points.wing_commander
}

/// An entry as it is bought: `FR3`, or `FR3@1` for one that is put under the first wing commander (VF-ARMY-04).
pub(crate) fn wing_of(text: &str) -> (&str, Option<&str>) {
    text.split_once('@').map_or((text, None), |(id, wing)| (id, Some(wing)))
}

/// What an entry costs: what its list says, or else what its units and their commander do (section 3.5, VF-SCEN-04).
pub(crate) fn cost(points: &Points, entry: &Entry) -> u32 {
    if let Some(price) = entry.price {
        return price;
    }
    let each = match entry.kind {
        Kind::Infantry => points.battalion.of(entry.quality),
        Kind::Heavy => points.heavy.of(entry.quality),
        Kind::Light => points.light.of(entry.quality),
        Kind::Skirmish => points.skirmish.of(entry.quality),
        Kind::Artillery => points.artillery.of(entry.quality),
        Kind::Wagon => points.wagon,
    };
    let chief = if entry.sub_units > 1 { points.regimental_commander } else { 0 };
    each * u32::from(entry.sub_units) + chief
}

/// Fills a points game's file with the units and commanders bought, all still to be deployed.
///
/// A position may have its units on the table already: a side of it that names no list buys nothing.
pub(crate) fn buy(
    source: &Source,
    file: &mut File,
    rulebook: &Rulebook,
    purpose: Purpose,
) -> Result<(), Fault> {
    for (n, name, letter) in [(0, SideName::Red, 'R'), (1, SideName::Black, 'B')] {
        let side = file.sides[n].own.clone();
        let fault =
            |field: &str, why: String| Err(source.fault(&["side".into(), n.into(), field.into()], why));
        let Some(code) = &side.list else {
            if purpose == Purpose::Position && side.entries.is_empty() {
                continue;
            }
            return fault("list", "a points game needs an army list for each side".into());
        };
        let Some(list) = rulebook.armies.get(code) else {
            let all: Vec<&str> = rulebook.armies.keys().map(String::as_str).collect();
            return fault("list", format!("there is no list `{code}`; there is {}", all.join(", ")));
        };
        if let Some(broken) =
            broken_limits(rulebook, list, &side, rulebook.profiles.points.budget).into_iter().next()
        {
            let mut place = vec!["side".into(), n.into()];
            if let Some(field) = broken.field {
                place.push(field.into());
            }
            if let Some(i) = broken.entry {
                place.push(i.into());
            }
            return Err(source.fault(&place, format!("{} ({})", broken.why, broken.clause)));
        }
        equip(file, name, letter, &side, list, &[])
            .map_err(|why| source.fault(&["side".into(), n.into()], why))?;
    }
    Ok(())
}

/// Puts a force into a file, all of it still to be deployed. Names may be given for the entries, in their order.
pub(crate) fn equip(
    file: &mut File,
    name: SideName,
    letter: char,
    side: &SideFile,
    list: &ArmyList,
    names: &[&str],
) -> Result<(), String> {
    let mut shopper = Shopper { file, side: name, letter, units: 0, wing: None, given: Vec::new() };
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for (i, id) in side.entries.iter().enumerate() {
        let (id, wing) = wing_of(id);
        if let Some(entry) = list.entry.iter().find(|e| e.id == id) {
            let n = counts.entry(entry.id.as_str()).or_default();
            shopper.wing = wing.map(|w| format!("wing {w}"));
            shopper.take(entry, *n, names.get(i).copied().unwrap_or_default())?;
            *n += 1;
        }
    }
    shopper.wing = None;
    for n in 0..side.wagons {
        let id = format!("{letter}W{}", n + 1);
        shopper.unit(&id, Kind::Wagon, Quality::Normal, "Wagon".into(), None, false)?;
    }
    for n in 0..side.wing_commanders {
        let wing = format!("wing {}", n + 1);
        shopper.commander(format!("{letter}G{}", n + 1), Level::Wing, None, Some(wing));
    }
    shopper.commander(format!("{letter}C"), Level::Army, None, None);
    Ok(())
}

/// A limit that a force breaks.
#[derive(Clone, Debug)]
pub(crate) struct Broken {
    /// The key of the side's file it is about.
    pub field: Option<&'static str>,
    /// Which of the entries, if it is one.
    pub entry: Option<usize>,
    /// The clause.
    pub clause: &'static str,
    /// What is wrong and what would be right.
    pub why: String,
}

/// The limits of its list and of the points that a force breaks: the one place that knows them.
pub(crate) fn broken_limits(
    rulebook: &Rulebook,
    list: &ArmyList,
    side: &SideFile,
    budget: u32,
) -> Vec<Broken> {
    let mut all = Vec::new();
    for (i, id) in side.entries.iter().enumerate() {
        let (id, wing) = wing_of(id);
        let led = wing.is_none_or(|w| w.parse::<u8>().is_ok_and(|w| (1..=side.wing_commanders).contains(&w)));
        if !led {
            let why = "the wing after @ must be the number of a wing commander of the force".to_owned();
            all.push(Broken { field: Some("entries"), entry: Some(i), clause: "VF-ARMY-04", why });
        }
        if !list.entry.iter().any(|e| e.id == id) {
            let known: Vec<&str> = list.entry.iter().map(|e| e.id.as_str()).collect();
            let why = format!("`{id}` is not in the list; there is {}", known.join(", "));
            all.push(Broken { field: Some("entries"), entry: Some(i), clause: "VF-ARMY-01", why });
        }
    }
    for entry in &list.entry {
        let n = side.entries.iter().filter(|id| wing_of(id).0 == entry.id).count();
        if n < usize::from(entry.min) || n > usize::from(entry.max) {
            let why = format!("{} may be taken {} to {} times, not {n}", entry.id, entry.min, entry.max);
            all.push(Broken { field: Some("entries"), entry: None, clause: "VF-ARMY-02", why });
        }
    }
    let Points { most_wagons, most_wing_commanders, .. } = rulebook.profiles.points;
    if side.wagons > most_wagons || side.wing_commanders > most_wing_commanders {
        let why = format!("at most {most_wagons} wagons and {most_wing_commanders} wing commanders");
        all.push(Broken { field: None, entry: None, clause: "VF-ARMY-02", why });
    }
    let cost = price(rulebook, list, side);
    if cost > budget {
        let why = format!("the force costs {cost} points; at most {budget}");
        all.push(Broken { field: Some("entries"), entry: None, clause: "VF-SCEN-02", why });
    }
    all
}

struct Shopper<'a> {
    file: &'a mut File,
    side: SideName,
    letter: char,
    units: usize,
    /// The wing of what is being bought.
    wing: Option<String>,
    /// Names of regiments given so far: no two of a side are called the same.
    given: Vec<String>,
}

impl Shopper<'_> {
    fn take(&mut self, entry: &Entry, nth: usize, own: &str) -> Result<(), String> {
        let usual = || {
            entry.regiments.get(nth).cloned().unwrap_or_else(|| {
                if nth == 0 { entry.name.clone() } else { format!("{} {}", entry.name, nth + 1) }
            })
        };
        let called = if own.is_empty() { usual() } else { own.to_owned() };
        let mut name = called.clone();
        let mut again = 2;
        while self.given.contains(&name) {
            name = format!("{called} {again}");
            again += 1;
        }
        self.given.push(name.clone());
        let regiment = (entry.sub_units > 1).then(|| name.clone());
        for nth in ["I", "II", "III", "IV", "V", "VI"].into_iter().take(usize::from(entry.sub_units)) {
            self.units += 1;
            let id = format!("{}{}", self.letter, self.units);
            let name = if regiment.is_some() { format!("{name} {nth}") } else { name.clone() };
            self.unit(&id, entry.kind, entry.quality, name, regiment.clone(), entry.colours)?;
        }
        if regiment.is_some() {
            let id = format!("{}C{}", self.letter, self.units);
            self.commander(id, Level::Regimental, regiment, None);
        }
        Ok(())
    }

    fn unit(
        &mut self,
        id: &str,
        kind: Kind,
        quality: Quality,
        name: String,
        regiment: Option<String>,
        colours: bool,
    ) -> Result<(), String> {
        let colours = colours && !matches!(kind, Kind::Skirmish | Kind::Wagon);
        self.file.units.push(UnitFile {
            id: id.parse()?,
            side: self.side.side(),
            seat: None,
            kind: kind.name().to_owned(),
            name,
            at: Some(Point::ORIGIN),
            facing: None,
            arrives: None,
            own: UnitWords {
                quality,
                regiment,
                wing: self.wing.clone(),
                colours: Some(colours),
                gone: Some(Fate::Undeployed),
                ..UnitWords::default()
            },
        });
        Ok(())
    }

    fn commander(&mut self, id: String, level: Level, regiment: Option<String>, wing: Option<String>) {
        self.file.own.commander.push(CommanderFile {
            id,
            side: Some(self.side),
            name: None,
            level,
            regiment,
            wing,
            at: Some([0.0, 0.0]),
            attached: None,
            activated: false,
            dazed: false,
            gout: false,
            gone: Some(Fate::Undeployed),
        });
    }
}
