//! The rulebook's data: profiles, charts, terrain and period lists, compiled in and replaceable by file name.

mod checks;
mod share;
mod tables;

use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use tricorne_game::{Choices, Fault, ScenarioText, Source};

pub(crate) use self::checks::most_privates;
pub(crate) use self::share::Share;
pub(crate) use self::tables::*;
use crate::JsonSchema;
use crate::movement::terrain::GroundBook;
use crate::options::Options;

macro_rules! file {
    ($name:literal) => {
        const { tricorne_drill::page(tricorne_rulebook_all_the_kings_men::FILES, $name) }
    };
}

static PROFILES: &str = file!("profiles.toml");
static CHARTS: &str = file!("charts.toml");
static TERRAIN: &str = file!("terrain.toml");
static ARMIES: &str = file!("armies.toml");
/// What goes on paper, and what an editor needs to know.
pub(crate) static SHEET: &str = file!("sheet.toml");
pub(crate) static DRAFTING: &str = file!("drafting.toml");
/// What programs weigh, and how much.
pub(crate) static JUDGEMENT: &str = file!("judgement.toml");

tricorne_drill::books! { tricorne_rulebook_all_the_kings_men::FILES, "uniforms.toml" }

/// The scenarios of T12, two fights that were fought, one with forces rolled for, and a mirrored one for matches between
/// programs.
pub static SCENARIOS: [ScenarioText; 7] = [
    ScenarioText::new("kessel-crossroads", file!("scenarios/kessel-crossroads.toml")),
    ScenarioText::new("the-walled-farm", file!("scenarios/the-walled-farm.toml")),
    ScenarioText::new("stony-ridge", file!("scenarios/stony-ridge.toml")),
    ScenarioText::new("the-parade-ground", file!("scenarios/the-parade-ground.toml")),
    ScenarioText::new("a-meeting-at-dawn", file!("scenarios/a-meeting-at-dawn.toml")),
    // Fights that were fought; their briefings are in fights/.
    ScenarioText::new("cowpens", file!("scenarios/cowpens.toml")),
    ScenarioText::new("lobositz", file!("scenarios/lobositz.toml")),
];
/// The rulebook as it comes.
static OWN: LazyLock<Arc<Rulebook>> =
    LazyLock::new(|| Arc::new(Rulebook::read(&Choices::default()).unwrap_or_else(|e| panic!("{e}"))));

/// A type of unit (M4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Line infantry.
    #[serde(alias = "I")]
    Infantry,
    /// Skirmishers.
    #[serde(alias = "S", alias = "skirmishers")]
    Skirmisher,
    /// Cavalry.
    #[serde(alias = "K")]
    Cavalry,
    /// A foot battery.
    #[serde(alias = "F")]
    FootArtillery,
    /// A horse battery.
    #[serde(alias = "H")]
    HorseArtillery,
}

impl Kind {
    /// All five.
    pub const ALL: [Kind; 5] =
        [Kind::Infantry, Kind::Skirmisher, Kind::Cavalry, Kind::FootArtillery, Kind::HorseArtillery];

    /// Its name in files and facts.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Infantry => "infantry",
            Kind::Skirmisher => "skirmisher",
            Kind::Cavalry => "cavalry",
            Kind::FootArtillery => "foot_artillery",
            Kind::HorseArtillery => "horse_artillery",
        }
    }

    /// Foot or horse artillery.
    pub fn is_artillery(self) -> bool {
        matches!(self, Kind::FootArtillery | Kind::HorseArtillery)
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// Which column of T5 or T6 a target is read in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    SteadyInfantry,
    Infantry,
    Cavalry,
    Skirmisher,
    Artillery,
    Mob,
}

/// A period list of T11.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PeriodList {
    /// `Napoleonic: France`.
    pub name: String,
    /// Least and most of as many units as the lists are for.
    pub infantry: [u32; 2],
    /// Least and most of as many units as the lists are for.
    pub skirmisher: [u32; 2],
    /// Least and most of as many units as the lists are for.
    pub cavalry: [u32; 2],
    /// Least and most of as many units as the lists are for.
    pub foot_artillery: [u32; 2],
    /// Least and most of as many units as the lists are for.
    pub horse_artillery: [u32; 2],
    /// For how many units those are.
    #[serde(skip)]
    pub of: u32,
    /// Lowest and highest rating of a general.
    pub ratings: [u8; 2],
    /// Advanced options that suit it.
    pub suits: Vec<String>,
}

impl PeriodList {
    /// Least and most of a kind, for as many units as the lists are.
    pub fn share(&self, kind: Kind) -> [u32; 2] {
        match kind {
            Kind::Infantry => self.infantry,
            Kind::Skirmisher => self.skirmisher,
            Kind::Cavalry => self.cavalry,
            Kind::FootArtillery => self.foot_artillery,
            Kind::HorseArtillery => self.horse_artillery,
        }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ArmiesFile {
    format: u32,
    of: u32,
    list: Vec<PeriodList>,
}

/// All numbers of the game.
#[derive(Clone, Debug)]
pub struct Rulebook {
    pub(crate) base: Bases,
    pub(crate) layout: Layout,
    pub(crate) march: March,
    pub(crate) loose: LooseOrder,
    pub(crate) breaking: Breaking,
    pub(crate) general: GeneralProfile,
    profiles: [Profile; 5],
    pub(crate) advanced: Advanced,
    needs: [i32; 3],
    pub(crate) volley: Volleys,
    /// Sine and cosine of half the arc of fire.
    pub(crate) arc: (f64, f64),
    pub(crate) tires: Tires,
    pub(crate) price: Prices,
    pub(crate) cards: Cards,
    pub(crate) retreat: Retreats,
    pub(crate) room: Room,
    fire: [Vec<ChartRow>; 5],
    melee: [Option<ChartRow>; 5],
    pub(crate) cover: CoverDice,
    pub(crate) worse: WorseIn,
    pub(crate) dice: DiceTables,
    pub(crate) score: Scoring,
    pub(crate) ground: GroundBook,
    /// The period lists.
    pub lists: Vec<PeriodList>,
}

/// The names of the data files that a player may replace.
pub const DATA_FILES: [&str; 5] =
    ["profiles.toml", "charts.toml", "terrain.toml", "armies.toml", JUDGEMENT_FILE];
/// The one that programs judge by; no rule reads it.
pub(crate) const JUDGEMENT_FILE: &str = "judgement.toml";

/// Those files as compiled in.
pub fn data_files() -> Vec<(&'static str, &'static str)> {
    DATA_FILES.into_iter().zip([PROFILES, CHARTS, TERRAIN, ARMIES, JUDGEMENT]).collect()
}

fn source(choices: &Choices, name: &str, own: &str) -> Source {
    Source::new(name, choices.data.get(name).map_or(own, String::as_str))
}

fn format_is(file: &Source, format: u32) -> Result<(), Fault> {
    if format == 1 {
        Ok(())
    } else {
        Err(file.fault(&["format".into()], format!("is {format}; this program reads format 1")))
    }
}

impl Rulebook {
    /// The rulebook as it comes.
    pub(crate) fn own() -> Arc<Self> {
        Arc::clone(&OWN)
    }

    /// The rulebook with a player's own files in place of ours; the shared one when there are none.
    pub(crate) fn with(choices: &Choices) -> Result<Arc<Self>, Fault> {
        if choices.data.is_empty() {
            return Ok(Self::own());
        }
        for name in choices.data.keys() {
            if !DATA_FILES.contains(&name.as_str()) {
                return Err(Source::new(name.as_str(), "").fault(
                    &[],
                    format!("is no data file of this rulebook; it has {}", DATA_FILES.join(", ")),
                ));
            }
        }
        Self::read(choices).map(Arc::new)
    }

    fn read(choices: &Choices) -> Result<Self, Fault> {
        let profiles_source = source(choices, "profiles.toml", PROFILES);
        let profiles: ProfilesFile = profiles_source.parse()?;
        format_is(&profiles_source, profiles.format)?;
        checks::check_profiles(&profiles_source, &profiles)?;
        let charts_source = source(choices, "charts.toml", CHARTS);
        let charts: ChartsFile = charts_source.parse()?;
        format_is(&charts_source, charts.format)?;
        checks::check_charts(&charts_source, &charts)?;
        let ground = GroundBook::read(&source(choices, "terrain.toml", TERRAIN))?;
        let armies_source = source(choices, "armies.toml", ARMIES);
        let mut armies: ArmiesFile = armies_source.parse()?;
        format_is(&armies_source, armies.format)?;
        checks::check_lists(&armies_source, &armies)?;
        for list in &mut armies.list {
            list.of = armies.of;
        }
        Ok(Self {
            base: profiles.base,
            layout: profiles.layout,
            march: profiles.march,
            loose: profiles.loose,
            breaking: profiles.breaking,
            general: profiles.general,
            profiles: [
                profiles.infantry,
                profiles.skirmisher,
                profiles.cavalry,
                profiles.foot_artillery,
                profiles.horse_artillery,
            ],
            advanced: profiles.advanced,
            needs: [charts.colour.green, charts.colour.yellow, charts.colour.red].map(i32::from),
            arc: tricorne_table::angle::sin_cos(charts.volley.arc / 2.0),
            volley: charts.volley,
            tires: charts.tires,
            price: charts.price,
            cards: charts.cards,
            retreat: charts.retreat,
            room: charts.room,
            fire: [
                charts.fire.infantry,
                charts.fire.skirmisher,
                charts.fire.cavalry,
                charts.fire.foot_artillery,
                charts.fire.horse_artillery,
            ],
            melee: [
                Some(charts.melee.infantry),
                Some(charts.melee.skirmisher),
                Some(charts.melee.cavalry),
                None,
                None,
            ],
            cover: charts.cover,
            worse: charts.worse,
            dice: charts.dice,
            score: charts.score,
            ground,
            lists: armies.list,
        })
    }

    pub(crate) fn profile(&self, kind: Kind) -> &Profile {
        &self.profiles[kind.index()]
    }

    /// What a die of that colour needs (ATKM-DICE-02).
    pub(crate) fn needs(&self, colour: Colour) -> i32 {
        self.needs[colour as usize]
    }

    /// T5: dice per private of firer and target at a distance.
    pub(crate) fn fire_dice(
        &self,
        firer: Kind,
        target: Target,
        distance: f64,
        options: &Options,
    ) -> Option<[Share; 2]> {
        let rows = &self.fire[firer.index()];
        let reached = |r: &ChartRow| r.upto.is_none_or(|far| tricorne_table::within(distance, far));
        self.fire_row(firer, rows.iter().position(reached)?, target, options)
    }

    /// T5: the distance within which a type fires with the dice of its first row, if there are others.
    pub(crate) fn near_fire(&self, firer: Kind) -> Option<f64> {
        self.fire[firer.index()].first().and_then(|r| r.upto)
    }

    /// T5: how far each row of a type serves.
    pub(crate) fn fire_rows(&self, firer: Kind) -> Vec<Option<f64>> {
        self.fire[firer.index()].iter().map(|r| r.upto).collect()
    }

    /// T5: a cell by the number of its row. With `skirmisher_long_dice` 2 skirmishers roll as many dice beyond 12 as
    /// within (ATKM-FIRE-16); their target's dice stay those of its row.
    pub(crate) fn fire_row(
        &self,
        firer: Kind,
        row: usize,
        target: Target,
        options: &Options,
    ) -> Option<[Share; 2]> {
        let rows = &self.fire[firer.index()];
        let [mut each, defence] = rows.get(row)?.of(target);
        if firer == Kind::Skirmisher && options.skirmisher_long_dice == 2 {
            each = rows.first()?.of(target)[0];
        }
        Some([each, defence])
    }

    /// T6: dice per private of charger and defender.
    pub(crate) fn melee_dice(&self, charger: Kind, target: Target) -> Option<[Share; 2]> {
        self.melee[charger.index()].as_ref().map(|r| r.of(target))
    }

    /// Width and depth of a private's base.
    pub(crate) fn base_of(&self, kind: Kind) -> (f64, f64) {
        let [w, d] = if self.profile(kind).mounted { self.base.horse } else { self.base.foot };
        (w, d)
    }

    /// ATKM-ROUT-02.
    pub(crate) fn break_point(&self, start: u8) -> u8 {
        (start / self.breaking.divisor.max(1)).max(self.breaking.least)
    }

    /// A type by any of its codes or names.
    pub(crate) fn kind(&self, code: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| {
            k.name().eq_ignore_ascii_case(code)
                || self.profile(*k).codes.iter().any(|c| c.eq_ignore_ascii_case(code))
        })
    }

    /// The period list of that name.
    pub fn list(&self, name: &str) -> Option<&PeriodList> {
        self.lists.iter().find(|l| l.name.eq_ignore_ascii_case(name))
    }
}

/// The colour of a counter or a roll.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Colour {
    /// Fresh.
    #[serde(alias = "g")]
    Green,
    /// Tired.
    #[serde(alias = "y")]
    Yellow,
    /// Exhausted.
    #[serde(alias = "r")]
    Red,
}

impl Colour {
    /// ATKM-DICE-10: shifts add up and stop at red.
    #[must_use]
    pub fn worse(self, by: u8) -> Self {
        [Colour::Green, Colour::Yellow, Colour::Red][(self as usize + usize::from(by)).min(2)]
    }

    /// So much better, stopping at green.
    #[must_use]
    pub fn better(self, by: u8) -> Self {
        [Colour::Green, Colour::Yellow, Colour::Red][(self as usize).saturating_sub(usize::from(by))]
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        ["green", "yellow", "red"][self as usize]
    }
}
