//! The rulebook as data: profiles, weapons, upgrades, leaders, terrain, charts. Compiled in, and each file
//! replaceable by one of the user's.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use tricorne_drill::Mind;
use tricorne_drill::words::{self, Numbers};
use tricorne_game::{Choices, Fault, Judgement, ScenarioText, Source, written};

use crate::judgement::mind::WbkMind;
use crate::state::{Character, MAX_MODELS, MAX_MOUNTED};
pub use crate::tables::charts::*;

macro_rules! page {
    ($name:literal) => {
        const { tricorne_drill::page(tricorne_rulebook_would_be_kings::FILES, $name) }
    };
}

macro_rules! file {
    ($name:literal) => {
        ($name, page!($name))
    };
}

const FILES: [(&str, &str); 10] = [
    file!("profiles.toml"),
    file!("weapons.toml"),
    file!("upgrades.toml"),
    file!("leaders.toml"),
    file!("characters.toml"),
    file!("terrain.toml"),
    file!("charts.toml"),
    file!("forces.toml"),
    file!("sheet.toml"),
    file!("judgement.toml"),
];

/// A data file as played: the player's own, or the rulebook's.
pub fn file<'a>(choices: &'a Choices, name: &str) -> &'a str {
    let own = choices.data.get(name).map(String::as_str);
    own.or_else(|| FILES.iter().find(|f| f.0 == name).map(|f| f.1)).unwrap_or_default()
}

/// The numbers of `charts.toml` as played; what a player's own file leaves out is the rulebook's.
pub fn charts_table(choices: &Choices) -> Result<toml::Table, Fault> {
    let read = |choices: &Choices| Source::new("charts.toml", file(choices, "charts.toml")).table();
    let mut all = read(&Choices::default())?;
    for (name, value) in read(choices)? {
        match (all.get_mut(&name), value) {
            (Some(toml::Value::Table(known)), toml::Value::Table(own)) => known.extend(own),
            (_, value) => {
                all.insert(name, value);
            }
        }
    }
    Ok(all)
}

/// The numbers of all data files as played.
pub fn numbers(choices: &Choices) -> Numbers {
    let numbers = Numbers::of(&FILES, choices);
    match charts_table(choices) {
        Ok(charts) => numbers.with("charts", charts),
        Err(_) => numbers, // which has the same fault
    }
}

/// What an editor needs to know of the scenario files.
pub const DRAFTING: &str = page!("drafting.toml");

/// The data files that a player may replace.
pub fn data_files() -> Vec<(&'static str, &'static str)> {
    FILES.to_vec()
}

/// The scenarios of part 3.9, one with the same force on both sides of the same ground, and fights that were fought.
pub const SCENARIOS: [ScenarioText; 7] = [
    ScenarioText::new("crossing-the-veld", page!("scenarios/crossing-the-veld.toml")),
    ScenarioText::new("wells-of-tamai", page!("scenarios/wells-of-tamai.toml")),
    ScenarioText::new("the-bordj", page!("scenarios/the-bordj.toml")),
    ScenarioText::new("the-high-road", page!("scenarios/the-high-road.toml")),
    ScenarioText::new("the-disputed-valley", page!("scenarios/the-disputed-valley.toml")),
    // Fights that were fought; their briefings are in fights/.
    ScenarioText::new("rorkes-drift", page!("scenarios/rorkes-drift.toml")).favouring("Imperial, 61 of 100"),
    ScenarioText::new("abu-klea", page!("scenarios/abu-klea.toml")).favouring("Imperial, 67 of 100"),
];

/// What comes with the program is right: a broken file is never an empty one.
///
/// # Panics
/// When a compiled-in file is wrong, which the tests rule out.
pub fn shipped<T, E: std::fmt::Display>(read: Result<T, E>) -> T {
    read.unwrap_or_else(|fault| panic!("{fault}"))
}

tricorne_drill::books! { tricorne_rulebook_would_be_kings::FILES, "uniforms.toml" }

/// All data of the rulebook.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub struct Rulebook {
    pub profiles: Vec<Profile>,
    pub weapons: Vec<Arc<Weapon>>,
    pub upgrades: Vec<Upgrade>,
    pub leaders: Leaders,
    pub characters: Vec<CharacterRow>,
    pub ground: BTreeMap<String, GroundKind>,
    pub woods_blind: f64,
    pub charts: Charts,
    pub forces: Vec<Force>,
    pub(crate) mind: Arc<WbkMind>,
}

impl Rulebook {
    /// The rulebook as it comes.
    ///
    /// # Panics
    /// When a compiled-in file is wrong, which the tests rule out.
    pub fn standard() -> Arc<Self> {
        static STANDARD: LazyLock<Arc<Rulebook>> =
            LazyLock::new(|| Arc::new(shipped(Rulebook::read(&Choices::default()))));
        STANDARD.clone()
    }

    /// The rulebook with the user's own files in place of its own.
    pub fn with(choices: &Choices) -> Result<Arc<Self>, Fault> {
        if choices.data.is_empty() { Ok(Self::standard()) } else { Self::read(choices).map(Arc::new) }
    }

    fn read(choices: &Choices) -> Result<Self, Fault> {
        for name in choices.data.keys() {
            if !FILES.iter().any(|(file, _)| file == name) {
                let all: Vec<&str> = FILES.iter().map(|f| f.0).collect();
                let why = format!("this rulebook has no such data file; it has {}", all.join(", "));
                return Err(Source::new(name, "").fault(&[], why));
            }
        }
        let source = |name: &str| Source::new(name, file(choices, name));
        let profiles = read_profiles(&source("profiles.toml"))?;
        let weapons = read_weapons(&source("weapons.toml"))?;
        for (i, profile) in profiles.iter().enumerate() {
            for weapon in &profile.weapons {
                if !weapons.iter().any(|w| w.name == *weapon) {
                    let place = [profiles[i].code.as_str().into(), "weapons".into()];
                    return Err(source("profiles.toml")
                        .fault(&place, format!("there is no weapon `{weapon}` in weapons.toml")));
                }
            }
        }
        let upgrades = read_upgrades(&source("upgrades.toml"), &profiles, &weapons)?;
        let (ground, woods_blind) = read_ground(&source("terrain.toml"))?;
        let leaders: Leaders = formatted(&source("leaders.toml"), |l: &Leaders| l.format)?;
        let charts = formatted(&source("charts.toml"), |c: &Charts| c.format).or_else(|fault| {
            // A file of somebody's own may hold only what it changes.
            let whole = Source::new("charts.toml", charts_table(choices)?.to_string());
            formatted(&whole, |c: &Charts| c.format).map_err(|_| fault)
        })?;
        if charts.retreat.aside < 1.0 {
            let why = format!("is {}; expected a number of degrees, 1 or more", charts.retreat.aside);
            return Err(source("charts.toml").fault(&["retreat".into(), "aside".into()], why));
        }
        let mut characters = read_characters(&source("characters.toml"))?;
        let numbers = numbers(choices);
        for row in &mut characters {
            row.effect = words::filled(&row.effect, &|inside| numbers.told(inside, None));
        }
        let forces = read_forces(&source("forces.toml"))?;
        let mind = Arc::new(read_mind(&source("judgement.toml"))?);
        Ok(Self {
            profiles,
            weapons,
            upgrades,
            leaders,
            characters,
            ground,
            woods_blind,
            charts,
            forces,
            mind,
        })
    }

    /// The profile of that code.
    pub fn profile(&self, code: &str) -> Option<&Profile> {
        self.profiles.iter().find(|p| p.code == code)
    }

    /// The weapon of that name.
    pub fn weapon(&self, name: &str) -> Option<&Arc<Weapon>> {
        self.weapons.iter().find(|w| w.name.eq_ignore_ascii_case(name))
    }

    /// The upgrade of that name.
    pub fn upgrade(&self, name: &str) -> Option<&Upgrade> {
        self.upgrades.iter().find(|u| u.name.eq_ignore_ascii_case(name))
    }

    /// The character two dice give, read as tens and units.
    pub fn character(&self, tens: u8, units: u8) -> Character {
        let roll = tens * 10 + units;
        let row = self.characters.iter().find(|c| (c.from..=c.to).contains(&roll));
        row.map_or(Character::Unremarkable, |c| c.name)
    }
}

fn check_format(source: &Source, format: u32) -> Result<(), Fault> {
    if format == 1 {
        Ok(())
    } else {
        Err(source.fault(&["format".into()], format!("is {format}; this program reads format 1")))
    }
}

fn formatted<T: DeserializeOwned>(source: &Source, format: impl Fn(&T) -> u32) -> Result<T, Fault> {
    let value: T = source.parse()?;
    check_format(source, format(&value))?;
    Ok(value)
}

/// The tables of a file whose keys are names, besides `format`.
fn keyed<T: DeserializeOwned>(source: &Source, besides: &[&str]) -> Result<Vec<(String, T)>, Fault> {
    let mut table = source.table()?;
    let format = table.remove("format").and_then(|f| f.as_integer()).unwrap_or(0);
    check_format(source, u32::try_from(format).unwrap_or(0))?;
    let mut rows = Vec::new();
    for (key, value) in table {
        if besides.contains(&key.as_str()) {
            continue;
        }
        let row = written(&value).map_err(|e| source.misread(&[key.as_str().into()], &e))?;
        rows.push((key, row));
    }
    Ok(rows)
}

fn read_profiles(source: &Source) -> Result<Vec<Profile>, Fault> {
    let mut profiles = Vec::new();
    for (code, mut profile) in keyed::<Profile>(source, &[])? {
        let fault = |key: &str, why: String| source.fault(&[code.as_str().into(), key.into()], why);
        let most = if profile.class == Class::Cavalry { MAX_MOUNTED } else { MAX_MODELS };
        let most = if profile.class == Class::Crewed { 4 } else { most };
        if profile.models == 0 || usize::from(profile.models) > most {
            return Err(fault("models", format!("is {}; use 1 to {most}", profile.models)));
        }
        if !(0.5..=36.0).contains(&profile.basic_move) {
            return Err(fault("move", format!("is {}; use 0.5 to 36 inches", profile.basic_move)));
        }
        for (key, value) in [("firing", profile.firing), ("fighting", profile.fighting)] {
            if !(2..=7).contains(&value) {
                return Err(fault(key, format!("is {value}; use 2 to 6, or 7 for never")));
            }
        }
        if !(-5..=5).contains(&profile.discipline) {
            return Err(fault("discipline", format!("is {}; use -5 to 5", profile.discipline)));
        }
        if !(0..=100).contains(&profile.points) {
            return Err(fault("points", format!("is {}; use 0 to 100", profile.points)));
        }
        if profile.weapons.is_empty() {
            return Err(fault("weapons", "is empty; name at least one weapon".into()));
        }
        profile.code.clone_from(&code);
        profiles.push(profile);
    }
    Ok(profiles)
}

fn read_weapons(source: &Source) -> Result<Vec<Arc<Weapon>>, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        format: u32,
        weapon: Vec<Weapon>,
    }
    let file: File = formatted(source, |f: &File| f.format)?;
    for (i, weapon) in file.weapon.iter().enumerate() {
        let fault = |key: &str, why: String| source.fault(&["weapon".into(), i.into(), key.into()], why);
        if !(0.0..=200.0).contains(&weapon.short) {
            return Err(fault("short", format!("is {}; use 0 to 200 inches", weapon.short)));
        }
        if weapon.long.is_some_and(|long| !(weapon.short..=200.0).contains(&long)) {
            return Err(fault("long", "must be more than `short` and no more than 200 inches".into()));
        }
        if !(1..=10).contains(&weapon.dice) {
            return Err(fault("dice", format!("is {}; use 1 to 10", weapon.dice)));
        }
        if file.weapon[..i].iter().any(|w| w.name == weapon.name) {
            return Err(fault("name", format!("`{}` stands twice", weapon.name)));
        }
    }
    Ok(file.weapon.into_iter().map(Arc::new).collect())
}

fn read_upgrades(
    source: &Source,
    profiles: &[Profile],
    weapons: &[Arc<Weapon>],
) -> Result<Vec<Upgrade>, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        format: u32,
        upgrade: Vec<Upgrade>,
    }
    let file: File = formatted(source, |f: &File| f.format)?;
    for (i, upgrade) in file.upgrade.iter().enumerate() {
        let fault = |key: &str, why: String| source.fault(&["upgrade".into(), i.into(), key.into()], why);
        for code in &upgrade.who {
            if !profiles.iter().any(|p| p.code == *code) {
                return Err(fault("who", format!("there is no troop type `{code}` in profiles.toml")));
            }
        }
        for weapon in upgrade.weapon.values() {
            if !weapons.iter().any(|w| w.name == *weapon) {
                return Err(fault("weapon", format!("there is no weapon `{weapon}` in weapons.toml")));
            }
        }
        for code in upgrade.becomes.values() {
            if !profiles.iter().any(|p| p.code == *code) {
                return Err(fault("becomes", format!("there is no troop type `{code}` in profiles.toml")));
            }
        }
    }
    Ok(file.upgrade)
}

fn read_ground(source: &Source) -> Result<(BTreeMap<String, GroundKind>, f64), Fault> {
    #[derive(Deserialize)]
    struct File {
        woods_blind: f64,
    }
    let file: File = source.parse()?;
    if !(0.0..=200.0).contains(&file.woods_blind) {
        return Err(source.fault(&["woods_blind".into()], "use 0 to 200 inches"));
    }
    let kinds = keyed::<GroundKind>(source, &["woods_blind"])?;
    Ok((kinds.into_iter().collect(), file.woods_blind))
}

fn read_characters(source: &Source) -> Result<Vec<CharacterRow>, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        format: u32,
        character: Vec<CharacterRow>,
    }
    let file: File = formatted(source, |f: &File| f.format)?;
    for tens in 1..=6 {
        for units in 1..=6 {
            let roll = tens * 10 + units;
            let rows = file.character.iter().filter(|c| (c.from..=c.to).contains(&roll)).count();
            if rows != 1 {
                let why = format!("a roll of {roll} has {rows} characters; give it one");
                return Err(source.fault(&["character".into()], why));
            }
        }
    }
    Ok(file.character)
}

/// The weights that programs judge by as the rulebook has them.
pub fn judgement() -> Judgement {
    shipped(tricorne_drill::judgement::read(page!("judgement.toml")))
}

/// The weights of programs; a file of one's own may hold only what it changes.
fn read_mind(source: &Source) -> Result<WbkMind, Fault> {
    let file = Judgement::read(source, &judgement())?;
    Mind::of(&file).map_err(|why| source.fault(&[], why))
}

fn read_forces(source: &Source) -> Result<Vec<Force>, Fault> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        format: u32,
        force: Vec<Force>,
    }
    let file: File = formatted(source, |f: &File| f.format)?;
    Ok(file.force)
}
