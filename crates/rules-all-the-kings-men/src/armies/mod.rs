//! Armies of one's own (ATKM-FORCE): picked from a period list, by points, or by dice; on paper; on a field.

mod draft;
mod ground;
mod paper;
mod pitch;
mod reference;

pub(crate) use draft::drafting;
pub(crate) use ground::random_terrain;
pub(crate) use paper::roster;
pub(crate) use pitch::pitch;
pub(crate) use reference::reference;

use tricorne_chance::Chance;
use tricorne_drill::armies::{self, Form};
use tricorne_drill::words::slug;
use tricorne_game::army::{Army, ArmyEntry, ArmyList, ArmyReport, ArmyUnit, ArmyUpgrade, MusterCall};
use tricorne_game::view::Note;

use crate::rulebook::{Kind, PeriodList, Rulebook};
use crate::setup::forces::{Muster, roll_kind, roll_rating, share};

/// Any units for the points (ATKM-FORCE-07).
const BY_POINTS: &str = "points";
/// Units as the dice have it (ATKM-FORCE-02).
const BY_DICE: &str = "dice";
/// More units than this are never mustered.
const MOST_UNITS: u32 = 40;

/// What can be added to a unit.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Upgrade {
    Elite,
    Militia,
    Light,
}

impl Upgrade {
    const ALL: [Upgrade; 3] = [Upgrade::Elite, Upgrade::Militia, Upgrade::Light];

    fn id(self) -> &'static str {
        match self {
            Upgrade::Elite => "elite",
            Upgrade::Militia => "militia",
            Upgrade::Light => "light",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Upgrade::Elite => "Elite",
            Upgrade::Militia => "Militia",
            Upgrade::Light => "Light infantry",
        }
    }

    fn points(self, rules: &Rulebook) -> i32 {
        match self {
            Upgrade::Elite => rules.advanced.elite_points,
            Upgrade::Militia => rules.advanced.militia_points,
            Upgrade::Light => 0,
        }
    }

    /// The option it is played with.
    fn option(self) -> &'static str {
        match self {
            Upgrade::Elite | Upgrade::Militia => "adv_quality",
            Upgrade::Light => "adv_light_infantry",
        }
    }

    fn clause(self) -> &'static str {
        match self {
            Upgrade::Elite | Upgrade::Militia => "ATKM-ADV-05",
            Upgrade::Light => "ATKM-ADV-02",
        }
    }

    /// Why a unit may not have it.
    fn refused(self, kind: Kind, list: Option<&PeriodList>) -> Option<String> {
        if self == Upgrade::Light && kind != Kind::Infantry {
            return Some("only infantry is named as light infantry; leave it out".into());
        }
        match list {
            Some(list) if !list.suits.iter().any(|s| s == self.option()) => {
                Some(format!("{} has no {} troops; leave it out", list.name, self.id()))
            }
            _ => None,
        }
    }
}

/// Something that was picked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pick {
    Troops(Kind),
    General(u8),
}

fn kind_name(kind: Kind) -> &'static str {
    match kind {
        Kind::Infantry => "Infantry",
        Kind::Skirmisher => "Skirmishers",
        Kind::Cavalry => "Cavalry",
        Kind::FootArtillery => "Foot artillery",
        Kind::HorseArtillery => "Horse artillery",
    }
}

fn picked(rules: &Rulebook, entry: &str) -> Option<Pick> {
    if let Some(rating) = entry.strip_prefix("general-") {
        let rating: u8 = rating.parse().ok()?;
        return (1..=rules.general.points.len())
            .contains(&usize::from(rating))
            .then_some(Pick::General(rating));
    }
    rules.kind(entry).map(Pick::Troops)
}

/// The entries of generals, in words.
fn generals(rules: &Rulebook) -> String {
    format!("general-1 to general-{}", rules.general.points.len())
}

/// The ids of all lists: the periods', then points and dice.
fn list_ids(rules: &Rulebook) -> Vec<String> {
    let periods = rules.lists.iter().map(|l| slug(&l.name));
    periods.chain([BY_POINTS.to_owned(), BY_DICE.to_owned()]).collect()
}

/// The period list of an id; none for points and dice.
fn list_of<'a>(rules: &'a Rulebook, id: &str) -> Option<&'a PeriodList> {
    rules.lists.iter().find(|l| slug(&l.name) == slug(id))
}

/// All lists.
pub(crate) fn army_lists() -> Vec<ArmyList> {
    let rules = &*Rulebook::own();
    let points = f64::from(rules.score.budget);
    let budget = Note::new(
        "Points",
        "units and one general for the same points on both sides; what is left is lost",
        Some("ATKM-FORCE-07"),
    );
    let smallest =
        Note::new("Size", format!("at least {} units", rules.score.smallest_army), Some("ATKM-FORCE-09"));
    let mut out: Vec<ArmyList> = rules
        .lists
        .iter()
        .map(|list| {
            let shares = Note::new(
                "Shares",
                format!(
                    "least and most of each type are for {} units; other sizes scale, halves up",
                    list.of
                ),
                Some("ATKM-FORCE-08"),
            );
            let suits = Note::new("Suits", suits(list), Some("ATKM-FORCE-08"));
            ArmyList {
                id: slug(&list.name),
                name: list.name.clone(),
                points,
                limits: vec![budget.clone(), smallest.clone(), shares, suits],
                entries: entries(rules, Some(list)),
            }
        })
        .collect();
    out.push(ArmyList {
        id: BY_POINTS.into(),
        name: "Any units for the points".into(),
        points,
        limits: vec![budget.clone(), smallest.clone()],
        entries: entries(rules, None),
    });
    let rolls = format!(
        "two dice for each unit: {} units are a small game, {} a medium one, {} or more a large one",
        rules.score.small_game, rules.score.medium_game, rules.score.large_game
    );
    out.push(ArmyList {
        id: BY_DICE.into(),
        name: "Units by the dice".into(),
        points,
        limits: vec![Note::new("Dice", rolls, Some("ATKM-FORCE-02")), budget, smallest],
        entries: entries(rules, None),
    });
    out
}

fn suits(list: &PeriodList) -> String {
    if list.suits.is_empty() { "no advanced option".into() } else { list.suits.join(", ") }
}

fn entries(rules: &Rulebook, list: Option<&PeriodList>) -> Vec<ArmyEntry> {
    let mut out = Vec::new();
    for kind in Kind::ALL {
        let (least, most) = match list.map(|l| share(l, kind, l.of)) {
            Some([_, 0]) => continue,
            Some([least, most]) => (least, Some(most)),
            None => (0, None),
        };
        let upgrades = Upgrade::ALL
            .into_iter()
            .filter(|u| u.refused(kind, list).is_none())
            .map(|u| ArmyUpgrade {
                id: u.id().into(),
                name: u.name().into(),
                points: f64::from(u.points(rules)),
                clause: Some(u.clause().into()),
            })
            .collect();
        let group = if kind.is_artillery() { "Artillery" } else { kind_name(kind) };
        out.push(ArmyEntry {
            least,
            most,
            notes: paper::values(rules, kind),
            upgrades,
            ..armies::entry(kind.name(), kind_name(kind), group, rules.profile(kind).points)
        });
    }
    for (i, points) in rules.general.points.iter().enumerate() {
        let rating = i as u8 + 1;
        if list.is_some_and(|l| !(l.ratings[0]..=l.ratings[1]).contains(&rating)) {
            continue;
        }
        let (id, name) = (format!("general-{rating}"), format!("General rated {rating}"));
        out.push(ArmyEntry {
            most: Some(1),
            notes: vec![Note::new("Command dice", rating.to_string(), Some("ATKM-CMD-01"))],
            ..armies::entry(&id, &name, "Generals", *points)
        });
    }
    out
}

/// A whole number below `n`, by chance.
fn below(chance: &mut dyn Chance, n: usize) -> usize {
    chance.pick("muster", n, &|i| (i + 1).to_string()).unwrap_or(0)
}

/// A legal army by chance.
pub(crate) fn muster(call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
    let rules = Rulebook::own();
    let lists = list_ids(&rules);
    // Points and dice are asked for; what is picked by chance is a period.
    let open = if call.list.is_some() { &lists[..] } else { &lists[..rules.lists.len()] };
    armies::muster(call, open, chance, &|at, chance| muster_of(&rules, &open[at], call, chance))
}

fn muster_of(rules: &Rulebook, id: &str, call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
    let list = list_of(rules, id);
    let points = armies::points(call, f64::from(rules.score.budget), 0.0, 2000.0)?;
    let budget = points.floor() as i32;
    // ATKM-GEN-03: one die for the rating, as far as the list and the purse allow.
    let (rolled, _) = roll_rating(rules, chance);
    let (low, high) = list.map_or((1, 3), |l| (l.ratings[0], l.ratings[1]));
    let mut rating = rolled.clamp(low, high);
    let mut counts = None;
    while counts.is_none() {
        let general = Muster { units: [0; 5], ratings: vec![rating], extra: 0 };
        let left = budget - general.cost(rules);
        counts =
            if id == BY_DICE { by_dice(rules, left, chance) } else { by_share(rules, list, left, chance) };
        if counts.is_none() {
            if rating <= low {
                return Err(format!(
                    "{budget} points buy no army of this list; ask for more [ATKM-FORCE-07]"
                ));
            }
            rating -= 1;
        }
    }
    let counts = counts.unwrap_or_default();
    let name = list.map_or("An army", |l| &l.name);
    let general = armies::picked(&format!("general-{rating}"));
    let mut army = armies::army("all-the-kings-men", id, name, points, vec![general]);
    for kind in Kind::ALL {
        for i in 1..=counts[kind as usize] {
            army.units.push(ArmyUnit { name: named(kind, i), ..armies::picked(kind.name()) });
        }
    }
    if list.is_some_and(|l| Upgrade::Elite.refused(Kind::Infantry, Some(l)).is_none()) {
        // What is left may make the best of them elite (ATKM-ADV-05).
        let spare = budget - check_army(&army).points as i32;
        let foot = army.units.iter_mut().find(|u| u.entry == Kind::Infantry.name());
        if let Some(foot) = foot.filter(|_| spare >= rules.advanced.elite_points && below(chance, 2) == 0) {
            foot.with.push(Upgrade::Elite.id().into());
        }
    }
    Ok(army)
}

fn named(kind: Kind, number: u32) -> String {
    let nth = match number {
        1 => "1st".to_owned(),
        2 => "2nd".to_owned(),
        3 => "3rd".to_owned(),
        n => format!("{n}th"),
    };
    match kind {
        Kind::Infantry => format!("{nth} Foot"),
        Kind::Skirmisher => format!("{nth} Skirmishers"),
        Kind::Cavalry => format!("{nth} Horse"),
        Kind::FootArtillery => format!("{nth} Foot Battery"),
        Kind::HorseArtillery => format!("{nth} Horse Battery"),
    }
}

fn cost(rules: &Rulebook, units: [u32; 5]) -> i32 {
    Muster { units, ratings: Vec::new(), extra: 0 }.cost(rules)
}

/// ATKM-FORCE-02: rolls of a medium game, as many as the points pay for.
fn by_dice(rules: &Rulebook, left: i32, chance: &mut dyn Chance) -> Option<[u32; 5]> {
    let mut units = [0; 5];
    for _ in 0..rules.score.medium_game.min(MOST_UNITS) {
        let (kind, _, _) = roll_kind(rules, chance);
        let mut more = units;
        more[kind as usize] += 1;
        if cost(rules, more) > left {
            break;
        }
        units = more;
    }
    (units.iter().sum::<u32>() >= rules.score.smallest_army).then_some(units)
}

/// The largest army that the points pay for, its free places filled by chance within the list's shares.
fn by_share(
    rules: &Rulebook,
    list: Option<&PeriodList>,
    left: i32,
    chance: &mut dyn Chance,
) -> Option<[u32; 5]> {
    let cheapest = Kind::ALL.into_iter().map(|k| rules.profile(k).points).min().unwrap_or(1).max(1);
    let largest = (left.max(0) / cheapest).min(MOST_UNITS as i32) as u32;
    for size in (rules.score.smallest_army..=largest).rev() {
        let limits = Kind::ALL.map(|k| list.map_or([0, size], |l| share(l, k, size)));
        let least = limits.map(|l| l[0]);
        if least.iter().sum::<u32>() > size || limits.iter().map(|l| l[1]).sum::<u32>() < size {
            continue;
        }
        for attempt in 0..6 {
            let mut units = least;
            while units.iter().sum::<u32>() < size {
                let open: Vec<usize> = (0..5).filter(|&k| units[k] < limits[k][1]).collect();
                // The last attempt takes the cheapest, so that a size that can be paid for is found.
                let k = if attempt == 5 {
                    open.iter().copied().min_by_key(|&k| rules.profile(Kind::ALL[k]).points)
                } else {
                    // Foot is common: it has a second lot.
                    let mut lots = open.clone();
                    lots.extend(open.iter().filter(|&&k| k == Kind::Infantry as usize));
                    lots.get(below(chance, lots.len())).copied()
                };
                units[k?] += 1;
            }
            let muster = Muster { units, ratings: Vec::new(), extra: 0 };
            if muster.cost(rules) <= left && muster.faults(rules, list, None).is_empty() {
                return Some(units);
            }
        }
    }
    None
}

/// What an army costs and which limits it breaks.
pub(crate) fn check_army(army: &Army) -> ArmyReport {
    let rules = &*Rulebook::own();
    let form = Form {
        ruleset: "all-the-kings-men",
        lists: &list_ids(rules),
        listed: list_ids(rules).iter().any(|id| slug(id) == slug(&army.list)),
        clause: "ATKM-FORCE-01",
        of_list: "ATKM-FORCE-08",
        of_points: "ATKM-FORCE-07",
    };
    let mut wrong = form.objections(army);
    let list = list_of(rules, &army.list);
    let mut muster = Muster::default();
    let mut each = Vec::new();
    for (i, u) in army.units.iter().enumerate() {
        if let Some(key) = u.set.keys().next() {
            wrong.unit(i, "ATKM-FORCE-01", format!("sets `{key}`, which means nothing here; leave it out"));
        }
        let pick = picked(rules, &u.entry);
        let mut extra = 0;
        for (n, id) in u.with.iter().enumerate() {
            let upgrade = Upgrade::ALL.into_iter().find(|up| up.id() == id);
            let refused = match (upgrade, pick) {
                (None, _) => Some((
                    "ATKM-FORCE-01",
                    "there is no such upgrade; elite, militia and light are".to_owned(),
                )),
                (Some(up), Some(Pick::Troops(kind))) => up.refused(kind, list).map(|why| (up.clause(), why)),
                (Some(up), _) => Some((up.clause(), "only units have upgrades; leave it out".to_owned())),
            };
            if let Some((clause, why)) = refused {
                wrong.unit(i, clause, format!("`{id}`: {why}"));
            }
            if u.with[..n].contains(id) {
                wrong.unit(i, "ATKM-ADV-05", format!("`{id}` is named twice; once is enough"));
            } else {
                extra += upgrade.map_or(0, |up| up.points(rules));
            }
        }
        let both = [Upgrade::Elite, Upgrade::Militia].iter().all(|up| u.with.iter().any(|id| id == up.id()));
        if both {
            wrong.unit(i, "ATKM-ADV-05", "is elite and militia at once; choose one");
        }
        let own = match pick {
            Some(Pick::Troops(kind)) => {
                muster.units[kind as usize] += 1;
                rules.profile(kind).points
            }
            Some(Pick::General(rating)) => {
                muster.ratings.push(rating);
                rules.general.points.get(usize::from(rating) - 1).copied().unwrap_or(0)
            }
            None => {
                let all: Vec<&str> = Kind::ALL.into_iter().map(Kind::name).collect();
                wrong.unit(
                    i,
                    "ATKM-FORCE-01",
                    format!(
                        "there is no entry `{}`; there is {}, {}",
                        u.entry,
                        all.join(", "),
                        generals(rules)
                    ),
                );
                0
            }
        };
        muster.extra += extra;
        each.push(f64::from(own + extra));
    }
    match muster.ratings.len() {
        1 => {}
        0 => wrong.whole("ATKM-FORCE-07", format!("has no general; pick one, {}", generals(rules))),
        n => wrong.whole("ATKM-FORCE-07", format!("has {n} generals; the points pay for one")),
    }
    let budget = if army.points.is_finite() { army.points.clamp(0.0, 1e6).floor() as i32 } else { 0 };
    for breach in muster.faults(rules, list, Some(budget)) {
        wrong.whole(breach.clause, breach.why);
    }
    wrong.report(army, each)
}
