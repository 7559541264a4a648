//! The rulebook as data: troop types, weapons, drill, ground, charts, counters and army lists, compiled in and
//! replaceable by files of the user's.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use tricorne_game::{Choices, Fault, ScenarioText, Source, written};

pub use crate::charts::{
    Charts, Counts, Distances, MoraleLine, MoraleResult, RandomGround, Throw, cm, count, degrees, in_words,
    makes_up, part,
};
pub use crate::model::kinds::{Arm, Class, Drill, Grade, Kind, Weapon};
use crate::points::{Entry, Grades, Market, Nation};
use crate::terrain_generation::{Procedure, Sizes};

macro_rules! rulebook {
    ($file:literal) => {
        const { tricorne_drill::page(tricorne_rulebook_seven_years_war::FILES, $file) }
    };
}

/// `points.toml`, as compiled in.
pub const POINTS: &str = rulebook!("points.toml");
/// `armies.toml`, as compiled in.
pub const ARMIES: &str = rulebook!("armies.toml");

/// What goes on paper.
pub const SHEET: &str = rulebook!("sheet.toml");
/// What an editor needs to know of the scenario files.
pub const DRAFTING: &str = rulebook!("drafting.toml");

/// `judgement.toml`, as compiled in: what programs weigh, and how much.
pub const JUDGEMENT: &str = rulebook!("judgement.toml");

/// A row of T1.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    pub name: String,
    pub arm: Arm,
    pub class: Class,
    pub tests_as: Class,
    #[serde(rename = "move")]
    pub speed: f64,
    pub march: Option<f64>,
    pub melee: i32,
    pub melee_against_infantry: Option<i32>,
    pub weapon: Weapon,
    pub depth: f64,
    pub sizes: Vec<u8>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StandSize {
    pub width: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GeneralProfile {
    #[serde(rename = "move")]
    pub speed: f64,
    pub depth: f64,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ProfilesFile {
    #[serde(rename = "format")]
    _format: u32,
    kinds: BTreeMap<Kind, Profile>,
    stand: StandSize,
    general: GeneralProfile,
}

/// A row of T2.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ranges {
    #[serde(default)]
    pub name: String,
    pub short: Option<f64>,
    pub long: Option<f64>,
    pub extreme: Option<f64>,
}

impl Ranges {
    /// The greatest range.
    pub fn greatest(&self) -> f64 {
        self.extreme.or(self.long).or(self.short).unwrap_or(0.0)
    }

    /// As a card has them: `rifle: short 8, long 15, extreme 20 cm`; none for those who do not shoot.
    pub fn told(&self) -> Option<String> {
        let bands = [("short", self.short), ("long", self.long), ("extreme", self.extreme)];
        let told: Vec<String> =
            bands.iter().filter_map(|(band, to)| Some(format!("{band} {}", (*to)?))).collect();
        (!told.is_empty()).then(|| format!("{}: {} cm", self.name, told.join(", ")))
    }
}

/// Which formation changes on Reserve leave the move (SYW-ORDER-39).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeAndMove {
    Any,
    FlankColumn,
    None,
}

/// A row of T4.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrillRow {
    pub change_and_move: ChangeAndMove,
    pub change_without_move: bool,
    pub wheel: f64,
    pub incline: Option<f64>,
    pub turn: u8,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrillFile {
    #[serde(rename = "format")]
    _format: u32,
    pub well: DrillRow,
    pub normal: DrillRow,
    pub badly: DrillRow,
    pub militia: DrillRow,
    pub artillery: DrillRow,
}

/// A row of T3; fractions as numerator and denominator.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundType {
    pub level: u8,
    pub factor: [f64; 2],
    pub artillery: Option<[f64; 2]>,
    pub lump: Option<[f64; 2]>,
    pub artillery_lump: Option<[f64; 2]>,
    pub lump_dice: Option<[u8; 2]>,
}

/// Cover (SYW-TERR-14).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cover {
    #[default]
    None,
    Soft,
    Hard,
}

/// What a kind of ground is unless the scenario says otherwise.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroundKind {
    #[serde(default)]
    pub level: Option<u8>,
    #[serde(default)]
    pub impassable: bool,
    #[serde(default)]
    pub cover: Cover,
    #[serde(default)]
    pub conceals: bool,
    #[serde(default)]
    pub defences: bool,
    #[serde(default)]
    pub infantry_only: bool,
    #[serde(default)]
    pub lump_dice: Option<[u8; 2]>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TerrainFile {
    #[serde(rename = "format")]
    _format: u32,
    types: Vec<GroundType>,
    kinds: BTreeMap<String, GroundKind>,
    lines: BTreeMap<String, GroundKind>,
    /// Sizes for random terrain.
    generation: Sizes,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct GeneralsFile {
    #[serde(rename = "format")]
    _format: u32,
    counters: BTreeMap<String, Vec<String>>,
}

/// Every number of part 3.
#[derive(Clone, Debug)]
pub struct Rulebook {
    profiles: Vec<(Kind, Profile)>,
    pub general: GeneralProfile,
    pub(crate) weapons: Vec<(Weapon, Ranges)>,
    pub drill: DrillFile,
    pub(crate) ground_types: Vec<GroundType>,
    pub ground_kinds: BTreeMap<String, GroundKind>,
    pub line_kinds: BTreeMap<String, GroundKind>,
    /// How random ground is diced for.
    pub ground: Procedure,
    pub charts: Charts,
    counters: BTreeMap<String, Vec<String>>,
    /// What everything costs, and the army lists.
    pub market: Market,
    /// What programs judge by; no rule looks at it.
    pub mind: Arc<crate::judgement::OfficersMind>,
}

/// The data files that a player may replace.
pub fn data_files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("profiles.toml", rulebook!("profiles.toml")),
        ("weapons.toml", rulebook!("weapons.toml")),
        ("terrain.toml", rulebook!("terrain.toml")),
        ("generals.toml", rulebook!("generals.toml")),
        ("armies.toml", rulebook!("armies.toml")),
        ("drill.toml", rulebook!("drill.toml")),
        ("charts.toml", rulebook!("charts.toml")),
        ("points.toml", rulebook!("points.toml")),
        ("judgement.toml", JUDGEMENT),
    ]
}

/// Text by file name, the user's own before the rulebook's.
fn text(name: &'static str, own: &'static str, choices: &Choices) -> Source {
    match choices.data.get(name) {
        Some(theirs) => Source::new(name, theirs.clone()),
        None => Source::new(name, own),
    }
}

impl Rulebook {
    /// The rulebook with a user's files in place of its own.
    pub fn read(choices: &Choices) -> Result<Self, Fault> {
        let profiles_source = text("profiles.toml", rulebook!("profiles.toml"), choices);
        let profiles: ProfilesFile = profiles_source.parse()?;
        for kind in Kind::ALL {
            if !profiles.kinds.contains_key(&kind) {
                return Err(profiles_source.fault(
                    &["kinds".into()],
                    format!("has no table for {}; add [kinds.{}]", kind.code(), kind.code()),
                ));
            }
        }
        if let Some((kind, _)) = profiles.kinds.iter().find(|(_, p)| !(p.speed > 0.0 && p.depth > 0.0)) {
            return Err(profiles_source
                .fault(&["kinds".into(), kind.code().into()], "needs a move and a depth greater than 0"));
        }
        // SYW-ARMY-03
        if (profiles.stand.width - crate::model::stands::WIDTH).abs() > 1e-9 {
            return Err(profiles_source.fault(
                &["stand".into(), "width".into()],
                "must be 4.0; only the default frontage is offered [SYW-ARMY-03]",
            ));
        }
        let weapons_source = text("weapons.toml", rulebook!("weapons.toml"), choices);
        let mut table = weapons_source.table()?;
        table.remove("format");
        let mut weapons = vec![(Weapon::None, Ranges::default())];
        for (name, value) in table {
            let place = [name.as_str().into()];
            let weapon: Weapon = written(&name.as_str().into())
                .map_err(|_| weapons_source.fault(&place, "is no weapon of these rules; see T2"))?;
            let ranges: Ranges = written(&value).map_err(|e| weapons_source.misread(&place, &e))?;
            weapons.push((weapon, ranges));
        }
        let terrain_source = text("terrain.toml", rulebook!("terrain.toml"), choices);
        let terrain: TerrainFile = terrain_source.parse()?;
        for level in 0..=4u8 {
            if !terrain.types.iter().any(|t| t.level == level) {
                return Err(
                    terrain_source.fault(&["types".into()], format!("has no ground of level {level}"))
                );
            }
        }
        let generals_source = text("generals.toml", rulebook!("generals.toml"), choices);
        let generals: GeneralsFile = generals_source.parse()?;
        for (nation, counters) in &generals.counters {
            for (i, code) in counters.iter().enumerate() {
                if crate::generals::counters::Counter::parse(code).is_none() {
                    return Err(generals_source.fault(
                        &["counters".into(), nation.as_str().into(), i.into()],
                        format!("`{code}` is no counter; write for example Ab+, Cn0 or Ic-"),
                    ));
                }
            }
        }
        let armies_source = text("armies.toml", ARMIES, choices);
        let points_source = text("points.toml", POINTS, choices);
        let market = Market::read(&points_source, &armies_source, profiles.kinds.clone())?;
        for nation in &market.lists.nations {
            if generals.counters.get(&nation.name).is_none_or(Vec::is_empty) {
                return Err(generals_source
                    .fault(&["counters".into()], format!("has no counters for `{}`", nation.name)));
            }
        }
        let charts_source = text("charts.toml", rulebook!("charts.toml"), choices);
        let charts: Charts = charts_source.parse()?;
        if let Some((chart, name, wrong)) = charts.objection() {
            return Err(charts_source.fault(&[chart.into(), name.into()], wrong));
        }
        if let Err((name, wrong)) = terrain.generation.check(&charts.random_ground) {
            return Err(terrain_source.fault(&["generation".into(), name.into()], wrong));
        }
        Ok(Self {
            profiles: profiles.kinds.into_iter().collect(),
            general: profiles.general,
            weapons,
            drill: text("drill.toml", rulebook!("drill.toml"), choices).parse()?,
            ground_types: terrain.types,
            ground_kinds: terrain.kinds,
            line_kinds: terrain.lines,
            ground: Procedure { sizes: terrain.generation, dice: charts.random_ground },
            charts,
            counters: generals.counters,
            market,
            mind: Arc::new(crate::judgement::mind(&text("judgement.toml", JUDGEMENT, choices))?),
        })
    }

    /// The rulebook as it comes, parsed once.
    pub fn own() -> &'static Arc<Self> {
        static OWN: LazyLock<Arc<Rulebook>> = LazyLock::new(|| {
            Arc::new(Rulebook::read(&Choices::default()).expect("the files compiled in are sound"))
        });
        &OWN
    }

    /// The rulebook for these choices.
    pub fn of(choices: &Choices) -> Result<Arc<Self>, Fault> {
        if choices.data.is_empty() { Ok(Arc::clone(Self::own())) } else { Self::read(choices).map(Arc::new) }
    }

    /// The row of T1. `read` has seen to it that there is one for every type.
    pub fn profile(&self, kind: Kind) -> &Profile {
        let found = self.profiles.iter().find(|(k, _)| *k == kind);
        &found.unwrap_or(&self.profiles[0]).1
    }

    /// The row of T2.
    pub fn ranges(&self, weapon: Weapon) -> &Ranges {
        let found = self.weapons.iter().find(|(w, _)| *w == weapon);
        &found.unwrap_or(&self.weapons[0]).1
    }

    /// The row of T3.
    pub fn ground_type(&self, level: u8) -> &GroundType {
        let found = self.ground_types.iter().find(|t| t.level == level);
        found.unwrap_or(&self.ground_types[0])
    }

    /// The nations, in the order of the lists.
    pub fn nations(&self) -> &[Nation] {
        &self.market.lists.nations
    }

    /// The list entry of that code, whatever the nation.
    pub fn entry(&self, code: &str) -> Option<&Entry> {
        self.nations().iter().flat_map(|n| &n.units).find(|e| e.code.eq_ignore_ascii_case(code))
    }

    /// The counters of a nation (T9).
    pub fn counters(&self, nation: &Nation) -> &[String] {
        self.counters.get(&nation.name).map_or(&[], Vec::as_slice)
    }

    /// Points of one stand with its grades (SYW-POINTS-02).
    pub fn stand_price(&self, unit: &crate::model::state::UnitInfo) -> f64 {
        f64::from(self.market.prices.stand(Grades {
            kind: unit.kind,
            rifles: unit.weapon == Weapon::Rifle,
            drill: unit.drill,
            morale: unit.morale,
            poor_shots: unit.poor_shots,
            upgraded_drill: unit.upgraded_drill,
            upgraded_shots: unit.upgraded_shots,
        }))
    }
}

tricorne_drill::books! { tricorne_rulebook_seven_years_war::FILES, "uniforms.toml" }

/// The scenarios of T12.
pub const SCENARIOS: &[ScenarioText] = &[
    ScenarioText::new("kettle-brook", rulebook!("scenarios/kettle-brook.toml")),
    ScenarioText::new("manoeuvres-at-spandau", rulebook!("scenarios/manoeuvres-at-spandau.toml")),
    ScenarioText::new("the-heath-before-thalheim", rulebook!("scenarios/the-heath-before-thalheim.toml")),
    ScenarioText::new("the-redoubt-at-kagul-brook", rulebook!("scenarios/the-redoubt-at-kagul-brook.toml")),
    ScenarioText::new("a-chance-encounter", rulebook!("scenarios/a-chance-encounter.toml")),
    // Fights that were fought; their briefings are in fights/.
    ScenarioText::new("rossbach", rulebook!("scenarios/rossbach.toml")),
    ScenarioText::new("minden", rulebook!("scenarios/minden.toml")).favouring("Allied, 62 of 100"),
];
