//! What a scenario file, or the position of a rule case, may say: the words of every rulebook, and those of these rules.

use std::collections::BTreeMap;

use serde::Deserialize;
use tricorne_drill::scenario::{Dialect, Nothing, Objective, Scenario, UnitEntry, Upgrade};
use tricorne_game::case::Scalar;
use tricorne_game::{Choices, Fault, Place as Spot, Side, Source, written};
use tricorne_table::{Area, Edge, Point, Table};

use crate::JsonSchema;
use crate::model::ground::GroundKind;
use crate::model::{Formation, Kind, Level, Quality};
use crate::state::{BLACK, Fate, Initiative, RED};

/// The words of Mit von Futsch zum Rheinland-Pfalz.
#[derive(Clone, Copy, Debug)]
pub struct Words;

impl Dialect for Words {
    const RULESET: &'static str = "von-futsch";
    const SIDES: Option<[&'static str; 2]> = Some(["red", "black"]);
    const UNTITLED: &'static str = "";
    const WITHOUT: &'static [&'static str] = &[
        "first",
        "seat",
        "arrival",
        "unit.seat",
        "unit.arrives",
        "side.home",
        "side.zone",
        "side.livery",
        "side.briefing",
        "terrain.line",
        "terrain.width",
        "terrain.level",
        "objective.points",
    ];
    type Head = HeadWords;
    type Side = SideFile;
    type Seat = Nothing;
    type Ground = GroundWords;
    type Unit = UnitFile;
    type Objective = ObjectiveWords;

    fn upgrade(file: &mut Upgrade, choices: &Choices) {
        super::upgrade::upgrade(file, choices);
    }
}

/// A side's part of a file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct SideFile {
    /// What it is called; a word of every rulebook.
    #[serde(skip)]
    pub name: Option<String>,
    /// Points game: the army list's code, `FR`.
    pub list: Option<String>,
    /// Points game: the entries bought, each as often as it is bought; `FR3@1` puts one under wing commander 1.
    pub entries: Vec<String>,
    /// Points game: wagons.
    pub wagons: u8,
    /// Points game: wing commanders.
    pub wing_commanders: u8,
    /// Position: Kings held.
    pub kings: Vec<String>,
    /// Position: points of army morale already lost, besides those of units marked `mishap` or `gone`.
    pub morale_lost: u8,
    /// The break point, where it is not to be counted from the units.
    pub break_point: Option<u8>,
}

/// For a piece of ground.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GroundWords {
    /// An obstacle that is hard cover.
    pub hard: bool,
}

/// A piece of ground.
#[derive(Clone, Debug)]
pub struct TerrainFile {
    /// Its name.
    pub id: String,
    /// What it is.
    pub kind: GroundKind,
    /// An obstacle that is hard cover.
    pub hard: bool,
    /// The ground it covers.
    pub area: Area,
}

/// A unit: first the words of every rulebook, then those of these rules.
#[allow(clippy::struct_excessive_bools, reason = "each is a mark of the rulebook")]
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UnitFile {
    /// Its id.
    #[serde(skip)]
    pub id: String,
    /// Whose it is.
    #[serde(skip)]
    pub side: Option<SideName>,
    /// What it is.
    #[serde(skip, default = "battalion")]
    pub kind: Kind,
    /// What it is called.
    #[serde(skip)]
    pub name: Option<String>,
    /// The midpoint of its front edge.
    #[serde(skip)]
    pub at: [f64; 2],
    /// Degrees clockwise from north; towards the enemy's edge unless said.
    #[serde(skip)]
    pub facing: Option<f64>,
    /// Normal unless said.
    #[serde(default)]
    pub quality: Quality,
    /// Line, cloud, unlimbered or wagon unless said.
    pub formation: Option<Formation>,
    /// Its regiment.
    pub regiment: Option<String>,
    /// Its wing.
    pub wing: Option<String>,
    /// Whether it has colours; only converged grenadiers, skirmishers and wagons have none unless said.
    pub colours: Option<bool>,
    /// Figures left.
    pub strength: Option<u8>,
    /// Figures at full strength.
    pub start: Option<u8>,
    /// Position: has been activated this turn.
    #[serde(default)]
    pub activated: bool,
    /// Position: disordered.
    #[serde(default)]
    pub disordered: bool,
    /// Position: marked routed.
    #[serde(default)]
    pub routed: bool,
    /// Position: Shaken (and so disordered).
    #[serde(default)]
    pub shaken: bool,
    /// Position: holds its fire.
    #[serde(default)]
    pub held_fire: bool,
    /// Position: has already cost its army a point.
    #[serde(default)]
    pub mishap: bool,
    /// Position: its colours or guns are lost.
    #[serde(default)]
    pub colours_lost: bool,
    /// Position: trophies it has taken.
    #[serde(default)]
    pub trophies: u8,
    /// Position: a gun silenced by a burst this turn.
    #[serde(default)]
    pub silenced: bool,
    /// Position: the Lost galloper is on its group.
    #[serde(default)]
    pub lost_galloper: bool,
    /// Position: the Forced march is on its group.
    #[serde(default)]
    pub forced_march: bool,
    /// Position, under `base_removal = remove_empty`: stands on one base; by its figures unless said.
    pub one_base: Option<bool>,
    /// Position: gone, and how.
    pub gone: Option<Fate>,
    /// Position: its place in a regimental square.
    pub regimental_square: Option<InSquareFile>,
}

fn battalion() -> Kind {
    Kind::Infantry
}

/// A place in a regimental square.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InSquareFile {
    /// From the left, from 0.
    pub index: u8,
    /// Of how many battalions.
    pub of: u8,
    /// Whether the rear is open.
    #[serde(default)]
    pub open_rear: bool,
    /// The id of the battalion at the left.
    pub anchor: String,
}

/// Red or Black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SideName {
    /// Home edge y = 0.
    #[serde(alias = "Red")]
    Red,
    /// Home edge y = H.
    #[serde(alias = "Black")]
    Black,
}

impl SideName {
    pub(crate) fn side(self) -> Side {
        match self {
            SideName::Red => RED,
            SideName::Black => BLACK,
        }
    }
}

/// A commander.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CommanderFile {
    /// His id.
    pub id: String,
    /// `red` or `black`; from the first letter of the id when left out.
    pub side: Option<SideName>,
    /// What he is called.
    pub name: Option<String>,
    /// Regimental, wing or army.
    pub level: Level,
    /// His regiment.
    pub regiment: Option<String>,
    /// His wing.
    pub wing: Option<String>,
    /// The centre of his base; not needed when attached.
    pub at: Option<[f64; 2]>,
    /// The unit he is attached to.
    pub attached: Option<String>,
    /// Position: has been activated this turn.
    #[serde(default)]
    pub activated: bool,
    /// Position: commands no one this turn.
    #[serde(default)]
    pub dazed: bool,
    /// Position: has the gout this turn.
    #[serde(default)]
    pub gout: bool,
    /// Position: gone, and how.
    pub gone: Option<Fate>,
}

/// For an objective: who wins at the limit.
///
/// | kind | what |
/// |---|---|
/// | `hold` | an ordered foot or horse unit `within` so far of the place `at`, and no enemy there |
/// | `storm` | ordered infantry of `side` in the piece `terrain`, or so many ordered `units` past the line `beyond` |
/// | `convoy` | the `wagon` of `side` leaves by `zone`, a stretch of the north edge |
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ObjectiveWords {
    /// `storm`: how many units.
    pub units: Option<usize>,
    /// `storm`: the line, as a y.
    pub beyond: Option<f64>,
    /// `convoy`: which wagon.
    pub wagon: Option<String>,
}

/// Who wins at the limit.
#[derive(Clone, Debug)]
#[allow(missing_docs)]
pub enum ObjectiveFile {
    Hold { at: Point, within: f64 },
    Storm { attacker: Side, piece: usize, units: usize, beyond: f64 },
    Convoy { attacker: Side, wagon: String, from: f64, to: f64 },
}

/// Position: a melee about to be fought.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MeleeFile {
    /// The charger.
    pub attacker: String,
    /// The charged.
    pub defender: String,
    /// 1 or 2.
    #[serde(default = "one")]
    pub round: u8,
    /// The side of the defender in contact; worked out from where the attacker stands when left out.
    pub aspect: Option<AspectName>,
    /// The attacker has the benefit of charging; yes in the first round unless said.
    pub charging: Option<bool>,
    /// The defender countercharged.
    #[serde(default)]
    pub countercharged: bool,
    /// The defender is in hard cover.
    #[serde(default)]
    pub cover: bool,
}

fn one() -> u8 {
    1
}

/// A side of a unit.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AspectName {
    /// Its front.
    Front,
    /// Its left flank.
    #[serde(alias = "flank")]
    Left,
    /// Its right flank.
    Right,
    /// Its rear.
    Rear,
}

/// Position: at what moment it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moment {
    /// A side may activate something, as by a 2 to 10.
    Activate,
    /// The King window and then the next card.
    Draw,
    /// The start of a turn.
    Turn,
    /// The end of a turn.
    End,
}

/// At the head.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HeadWords {
    /// A points game: forces from the lists, terrain by dice, deployment in turns.
    pub points_game: bool,
    /// The commanders.
    pub commander: Vec<CommanderFile>,
    /// Position: the turn; 1 unless said.
    pub turn: Option<u32>,
    /// Position: at what moment; `activate` unless said.
    pub moment: Option<Moment>,
    /// Position: whose activation it is; Red's unless said.
    pub active: Option<SideName>,
    /// Position: the unit that has been named and must say what it does.
    pub acting: Option<String>,
    /// Position: the result of the initiative check of the acting group.
    pub initiative: Option<Initiative>,
    /// Position: a melee about to be fought.
    pub melee: Option<MeleeFile>,
    /// Position: the last card drawn.
    pub last_card: Option<String>,
    /// Position: cards spent this turn.
    pub spent: Vec<String>,
    /// Position: event cards discarded.
    pub events_spent: Vec<String>,
    /// Position: effects that last this turn: `cloudburst`, `bank_of_smoke`, `heavy_clay`.
    pub spells: Vec<String>,
}

/// A scenario, or the position of a rule case.
#[derive(Clone, Debug)]
pub struct File {
    /// What it is called.
    pub title: String,
    /// The last turn.
    pub turns: Option<u32>,
    /// The table.
    pub table: Table,
    /// Options that differ from the default.
    pub options: BTreeMap<String, Scalar>,
    /// Red and Black.
    pub sides: [SideFile; 2],
    /// The ground, later pieces on top.
    pub terrain: Vec<TerrainFile>,
    /// The units, in the order of their numbers.
    pub units: Vec<UnitFile>,
    /// The commanders.
    pub commanders: Vec<CommanderFile>,
    /// Who wins at the limit.
    pub objective: Option<ObjectiveFile>,
    /// What the objective is called.
    pub objective_name: String,
    /// What else the file says at its head.
    pub own: HeadWords,
}

fn at(list: &str, n: usize, field: &str) -> Vec<Spot> {
    vec![list.into(), n.into(), field.into()]
}

/// A word of these rules.
fn word<T: serde::de::DeserializeOwned>(source: &Source, place: &[Spot], word: &str) -> Result<T, Fault> {
    written(&word.into()).map_err(|e| source.fault(place, e.problem))
}

impl File {
    /// A file as the kit has read it, in the terms of these rules.
    pub(crate) fn of(source: &Source, read: Scenario<Words>) -> Result<Self, Fault> {
        let mut terrain = Vec::new();
        for (i, piece) in read.terrain.into_iter().enumerate() {
            let kind = word(source, &at("terrain", i, "kind"), &piece.kind)?;
            let Some(area) = piece.area else {
                return Err(
                    source.fault(&at("terrain", i, "outline"), "is missing; give the corners of the piece")
                );
            };
            let far = |p: &Point| p.x.abs() >= 1000.0 || p.y.abs() >= 1000.0;
            if area.corners().iter().any(far) {
                return Err(source.fault(&at("terrain", i, "outline"), "is no place on a table"));
            }
            terrain.push(TerrainFile { id: piece.id, kind, hard: piece.own.hard, area });
        }
        let units = read.units.into_iter().enumerate().map(|(i, unit)| unit_of(source, i, unit));
        let (objective, objective_name) = aim(source, &read.objectives, &terrain)?;
        let mut sides = read.sides.into_iter().map(|side| SideFile { name: Some(side.name), ..side.own });
        let mut next = || sides.next().unwrap_or_default();
        Ok(Self {
            title: read.title,
            turns: read.turns,
            table: read.table,
            options: read.options,
            sides: [next(), next()],
            terrain,
            units: units.collect::<Result<_, Fault>>()?,
            commanders: read.own.commander.clone(),
            objective,
            objective_name,
            own: read.own,
        })
    }
}

fn unit_of(source: &Source, i: usize, unit: UnitEntry<UnitFile>) -> Result<UnitFile, Fault> {
    let Some(place) = unit.at else {
        return Err(source.fault(&at("unit", i, "at"), "is missing; say where the middle of its front is"));
    };
    Ok(UnitFile {
        id: unit.id.to_string(),
        side: Some(if unit.side == RED { SideName::Red } else { SideName::Black }),
        kind: word(source, &at("unit", i, "kind"), &unit.kind)?,
        name: Some(unit.name).filter(|name| !name.is_empty()),
        at: place.into(),
        facing: unit.facing,
        ..unit.own
    })
}

/// The kinds of objective (VF-SCEN-11 to -13).
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Aim {
    Hold,
    Storm,
    Convoy,
}

/// Who wins at the limit, and what that is called.
fn aim(
    source: &Source,
    all: &[Objective<ObjectiveWords>],
    terrain: &[TerrainFile],
) -> Result<(Option<ObjectiveFile>, String), Fault> {
    let o = match all {
        [] => return Ok((None, "the place".into())),
        [one] => one,
        _ => {
            let why = "a scenario has one objective at most; take one away";
            return Err(source.fault(&["objective".into(), 1.into()], why));
        }
    };
    let fault = |key: &str, why: &str| source.fault(&at("objective", 0, key), why);
    let kind: Aim = word(source, &at("objective", 0, "kind"), &o.kind)?;
    let spare = [
        ("at", o.at.is_some(), kind == Aim::Hold),
        ("within", o.within.is_some(), kind == Aim::Hold),
        ("side", o.side.is_some(), kind != Aim::Hold),
        ("terrain", o.terrain.is_some(), kind == Aim::Storm),
        ("units", o.own.units.is_some(), kind == Aim::Storm),
        ("beyond", o.own.beyond.is_some(), kind == Aim::Storm),
        ("wagon", o.own.wagon.is_some(), kind == Aim::Convoy),
        ("zone", !o.zone.is_empty(), kind == Aim::Convoy),
    ];
    let attacker = || o.side.ok_or_else(|| fault("side", "is missing; say who attacks"));
    let named = |usual: String| if o.name.is_empty() { usual } else { o.name.clone() };
    let found = match kind {
        Aim::Hold => {
            let place = o.at.ok_or_else(|| fault("at", "is missing; say where"))?;
            let within = o.within.ok_or_else(|| fault("within", "is missing; say how near"))?;
            (ObjectiveFile::Hold { at: place, within }, named("the place".into()))
        }
        Aim::Storm => {
            let piece = o.terrain.ok_or_else(|| fault("terrain", "is missing; name a piece of ground"))?;
            let units = o.own.units.ok_or_else(|| fault("units", "is missing; say how many"))?;
            let beyond = o.own.beyond.filter(|y| y.is_finite() && y.abs() < 1000.0);
            let beyond = beyond.ok_or_else(|| fault("beyond", "is missing; give the line as a y"))?;
            let name = named(terrain.get(piece).map_or_else(String::new, |t| format!("the {}", t.id)));
            (ObjectiveFile::Storm { attacker: attacker()?, piece, units, beyond }, name)
        }
        Aim::Convoy => {
            let wagon = o.own.wagon.clone().ok_or_else(|| fault("wagon", "is missing; say which"))?;
            let exit = match o.zone.as_slice() {
                [plot] if plot.zone.edge == Some(Edge::North) && plot.zone.depth.is_none() => plot,
                _ => {
                    let why = "is a stretch of the north edge: [{ edge = \"north\", from = 27, to = 33 }] (VF-SCEN-13)";
                    return Err(fault("zone", why));
                }
            };
            let bounds = exit.area.bounds();
            let (from, to) = (bounds.min.x, bounds.max.x);
            (ObjectiveFile::Convoy { attacker: attacker()?, wagon, from, to }, named("the exit".into()))
        }
    };
    if let Some((key, ..)) = spare.iter().find(|(_, said, fits)| *said && !fits) {
        return Err(fault(key, &format!("does nothing for `{}`; leave it out", o.kind)));
    }
    Ok((Some(found.0), found.1))
}
