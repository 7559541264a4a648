//! From a file to a battle: scenarios and positions, with faults that name the place.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrayvec::ArrayVec;
use schemars::JsonSchema;
use serde::Deserialize;
use tricorne_chance::{Playing, Suit};
use tricorne_game::case::Scalar;
use tricorne_game::{Choices, Fault, Place, Purpose, Side, Source, UnitId};
use tricorne_table::{Area, Bounds, Edge, Ground, Line, Point, Shape, Table};

use crate::cards;
use crate::field::{
    ARMIES, Engagement, Field, Objective, RandomForces, SeatText, Zone, army_name, ring_search,
};
use crate::forces::{Muster, recruit};
use crate::formations::{Formation, Spread};
use crate::options::Options;
use crate::rulebook::{Colour, Kind, OPTIONS, Rulebook, most_privates};
use crate::state::{
    Activation, General, MOST_SEATS, Presence, Quality, SeatNo, Solids, Stage, State, Unit, UnitNo, base_at,
};
use crate::terrain::{Cover, Feature, Land, Moving, Outline, Sight};

/// Red or black.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ArmyWord {
    Red,
    Black,
}

impl ArmyWord {
    fn side(self) -> Side {
        Side(self as u8)
    }
}

/// A pair of numbers, one for each army.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Pair {
    red: Option<i32>,
    black: Option<i32>,
}

impl Pair {
    fn get(&self, army: Side) -> Option<i32> {
        if army == Side(0) { self.red } else { self.black }
    }
}

/// A number or a word.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Rating {
    Fixed(u8),
    Word(String),
}

/// How many units are rolled for.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Rolls {
    Number(u32),
    Size(GameSize),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum GameSize {
    Small,
    Medium,
    Large,
}

impl Rolls {
    fn number(self, rules: &Rulebook) -> u32 {
        match self {
            Rolls::Number(n) => n,
            Rolls::Size(GameSize::Small) => rules.score.small_game,
            Rolls::Size(GameSize::Medium) => rules.score.medium_game,
            Rolls::Size(GameSize::Large) => rules.score.large_game,
        }
    }
}

/// What an army may cost.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Budget {
    Points(i32),
    Size(MediumGame),
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum MediumGame {
    Medium,
}

impl Budget {
    fn points(self, rules: &Rulebook) -> i32 {
        match self {
            Budget::Points(n) => n,
            Budget::Size(MediumGame::Medium) => rules.score.budget,
        }
    }
}

/// An army of a scenario.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ArmyFile {
    /// What it is called.
    name: Option<String>,
    /// Its suit: hearts or diamonds for red, clubs or spades for black (ATKM-SETUP-06).
    suit: Option<Suit2>,
    /// How many units are rolled for it: a number, or small, medium or large (ATKM-FORCE-02).
    rolls: Option<Rolls>,
    /// The period list it must agree with (ATKM-FORCE-08).
    list: Option<String>,
    /// The points it may cost: a number, or medium (ATKM-FORCE-07).
    budget: Option<Budget>,
    /// The edge it deploys along: south for red, north for black if left out (ATKM-SETUP-04).
    edge: Option<Edge>,
    /// Two corners of a deployment zone of its own, instead of an edge (ATKM-SETUP-04).
    zone: Option<[Point; 2]>,
}

#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Suit2 {
    Hearts,
    Diamonds,
    Clubs,
    Spades,
}

impl From<Suit2> for Suit {
    fn from(s: Suit2) -> Suit {
        match s {
            Suit2::Hearts => Suit::Hearts,
            Suit2::Diamonds => Suit::Diamonds,
            Suit2::Clubs => Suit::Clubs,
            Suit2::Spades => Suit::Spades,
        }
    }
}

/// Both armies.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct ArmiesFile {
    red: ArmyFile,
    black: ArmyFile,
}

/// A player and his general.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SeatFile {
    /// The army he plays for.
    army: ArmyWord,
    /// What the general is called.
    name: Option<String>,
    /// 1, 2 or 3, or "roll"; 2 if left out.
    rating: Option<Rating>,
    /// The centre of his base; a player places him if left out.
    #[serde(alias = "at")]
    general: Option<Point>,
    /// Whether he is Commanding General (ATKM-TEAM-03).
    commander: Option<bool>,
    /// Command points in hand.
    points: Option<u8>,
    /// Killed, and not yet replaced.
    #[serde(default)]
    killed: bool,
}

/// A unit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// What a file may say is a list of yes and no; an enum would make the file harder to write.
#[allow(clippy::struct_excessive_bools)]
struct UnitFile {
    /// Its name on the table.
    id: String,
    /// I, S, K, F or H, or the type in full.
    #[serde(alias = "type")]
    kind: String,
    /// Its army; that of its seat if left out.
    army: Option<ArmyWord>,
    /// The seat that commands it; the first of its army if left out.
    #[serde(alias = "owner")]
    seat: Option<u8>,
    /// A longer name.
    name: Option<String>,
    /// Privates left.
    #[serde(alias = "privates")]
    n: Option<u8>,
    /// Privates at the start.
    n0: Option<u8>,
    /// L1 L2 L3, C1 C2 C3, Lo, Sq, mob.
    #[serde(alias = "formation")]
    shape: Option<String>,
    /// Its origin: front centre, muzzle, or centre. A player places it if left out.
    at: Option<Point>,
    /// Degrees clockwise from north.
    facing: Option<f64>,
    /// green, yellow or red.
    #[serde(alias = "color")]
    colour: Option<Colour>,
    /// The disorder marker.
    #[serde(default, alias = "marker", alias = "marked")]
    disorder: bool,
    /// It has left the table.
    #[serde(default)]
    routed: bool,
    /// How skirmishers spread.
    spread: Option<Spread>,
    /// line, elite or militia (ATKM-ADV-05).
    #[serde(default)]
    quality: Quality,
    /// Elite troops that have shrugged off a loss this turn already.
    #[serde(default)]
    shrugged: bool,
    /// Named as light infantry (ATKM-ADV-02).
    #[serde(default)]
    light: bool,
    /// The unit it is a part of (ATKM-ADV-02).
    part_of: Option<String>,
    /// It is away, split into parts (ATKM-ADV-02).
    #[serde(default)]
    split: bool,
}

/// A piece of ground.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TerrainFile {
    /// What it is called.
    id: Option<String>,
    /// A kind of `terrain.toml`: `woods`, `heavy_forest`, `shallow_water`, `ford`, `lake`, `deep_river`, `fence`, `hedge`,
    /// `wall`, `earthwork`, `hill`, `crops`, `rough`, `building`, `road`, `bridge`.
    kind: String,
    /// Corners of an area, points of a line.
    points: Vec<Point>,
    /// The top of a hill; the middle if left out.
    peak: Option<Point>,
    /// Overrides T7.
    moving: Option<Moving>,
    /// Overrides T7.
    sight: Option<Sight>,
    /// Cannot be seen through or over (M17 e).
    #[serde(default)]
    opaque: bool,
    /// Overrides T7.
    cover: Option<Cover>,
    /// Overrides T7.
    melee_cover: Option<Cover>,
}

/// What is fought over.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum ObjectiveFile {
    /// The only army with a formed unit near a place at the end adds to its score.
    Hold {
        /// The place.
        at: Point,
        /// How near.
        radius: f64,
        /// How much.
        score: i32,
    },
    /// The army whose formed units alone have privates inside at the end wins.
    Seize {
        /// The corners.
        area: Vec<Point>,
    },
    /// Each turn from one on, the army that alone has a formed unit with a private inside scores.
    Occupy {
        /// The corners.
        area: Vec<Point>,
        /// The first turn that counts.
        from: u16,
        /// How much each turn.
        score: i32,
    },
}

/// Where a position stands in the ledger's sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Phase {
    /// Forces and ratings are rolled.
    Muster,
    /// Units are placed.
    Deploy,
    /// A turn begins.
    Turn,
    /// Command points are handed out.
    Gifts,
    /// The next card is turned.
    Card,
    /// A card is being settled.
    #[default]
    Play,
    /// The last card has been settled.
    End,
    /// Generals ride.
    Ride,
}

/// A scenario, or the position of a rule case.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
// What a file may say is a list of yes and no; an enum would make the file harder to write.
#[allow(clippy::struct_excessive_bools)]
pub(crate) struct BattleFile {
    /// The format of the file: 1.
    format: Option<u32>,
    /// all-the-kings-men.
    ruleset: Option<String>,
    /// What the battle is called.
    title: Option<String>,
    /// What it is about.
    #[serde(rename = "blurb")]
    _blurb: Option<String>,
    /// When it was.
    #[serde(rename = "period")]
    _period: Option<String>,
    /// Width and depth in inches; 72 by 48 if left out.
    table: Option<[f64; 2]>,
    /// Options that differ from the default.
    #[serde(default)]
    options: BTreeMap<String, Scalar>,
    /// The armies.
    #[serde(default)]
    armies: ArmiesFile,
    /// The players, seat 0 first; one for each army if left out.
    #[serde(default, alias = "seats", alias = "general", alias = "generals")]
    seat: Vec<SeatFile>,
    /// The units.
    #[serde(default, alias = "units")]
    unit: Vec<UnitFile>,
    /// The ground.
    #[serde(default)]
    terrain: Vec<TerrainFile>,
    /// What is fought over.
    #[serde(default, alias = "objectives")]
    objective: Vec<ObjectiveFile>,
    /// Position: the turn, 1 if left out.
    turn: Option<u16>,
    /// Position: where in the turn.
    phase: Option<Phase>,
    /// Position: the card being settled, such as QH; an ordinary one of the acting army if left out.
    card: Option<String>,
    /// Position: cards still face down; all but `card` and `drawn` if left out.
    deck: Option<Vec<String>>,
    /// Position: cards already drawn this turn.
    #[serde(default)]
    drawn: Vec<String>,
    /// Position: the seat that acts; the Commanding General of the card's army if left out.
    acting: Option<u8>,
    /// Position: who benefits of a special card in a team.
    beneficiary: Option<u8>,
    /// Position: activations left to the acting seat.
    left: Option<u8>,
    /// Position: the unit already chosen.
    #[serde(alias = "activated")]
    active: Option<String>,
    /// Position: the colour it began its activation with.
    began: Option<Colour>,
    /// Position: command points paid for it.
    #[serde(default)]
    paid: u8,
    /// Position: it has fired.
    #[serde(default)]
    fired: bool,
    /// Position: it has moved.
    #[serde(default)]
    moved: bool,
    /// Position: it has changed formation.
    #[serde(default)]
    changed: bool,
    /// Position: units each army began with; those of the file if left out.
    #[serde(default)]
    began_units: Pair,
    /// Position: privates each army began with.
    #[serde(default)]
    began_privates: Pair,
    /// Position: points in units each army began with.
    #[serde(default)]
    began_points: Pair,
    /// Position: scenario scores so far.
    #[serde(default)]
    scored: Pair,
    /// Position: turns in a row without a loss.
    #[serde(default)]
    quiet_turns: u8,
    /// Position: whether a private has fallen this turn.
    #[serde(default)]
    blood: bool,
}

/// Reads a file and the rulebook for it.
struct Clerk<'a> {
    file: &'a Source,
    rules: Arc<Rulebook>,
    purpose: Purpose,
}

/// Sets up a battle.
pub(crate) fn set_up(file: &Source, choices: &Choices, purpose: Purpose) -> Result<Engagement, Fault> {
    let written: BattleFile = file.parse()?;
    let rules = Rulebook::with(choices)?;
    let clerk = Clerk { file, rules, purpose };
    clerk.head(&written)?;
    let options = clerk.options(&written, choices)?;
    let table = clerk.table(&written)?;
    let land = clerk.land(&written, table)?;
    let (seats, generals) = clerk.seats(&written, &land)?;
    let units = clerk.units(&written, &options, &generals)?;
    let mut names = BTreeMap::new();
    for (u, unit) in written.unit.iter().zip(&units) {
        if let Some(name) = &u.name {
            names.insert(unit.id, name.clone());
        }
    }
    let suits = clerk.suits(&written)?;
    let objectives = clerk.objectives(&written)?;
    let zones = clerk.zones(&written, table, &options)?;
    let army = |a: &ArmyFile, own: &str| a.name.clone().unwrap_or_else(|| own.to_owned());
    let rolls =
        [&written.armies.red, &written.armies.black].map(|a| a.rolls.map_or(0, |r| r.number(&clerk.rules)));
    let field = Field {
        options,
        land,
        title: written.title.clone().unwrap_or_else(|| "A position".into()),
        army_names: [army(&written.armies.red, "Red"), army(&written.armies.black, "Black")],
        seats,
        names,
        objectives,
        zones,
        forces: RandomForces { rolls },
        suits,
        rules: Arc::clone(&clerk.rules),
    };
    let state = State {
        turn: 0,
        stage: Stage::Muster,
        units,
        generals,
        deck: cards::deck(suits),
        play: None,
        activation: None,
        overrun: ArrayVec::new(),
        rotation: [0, 0],
        began: [0, 0],
        began_privates: [0, 0],
        began_points: [0, 0],
        scored: [0, 0],
        quiet: 0,
        blood: false,
        loss: false,
        grown: [0, 0],
        placing: Side(0),
        outcome: None,
    };
    let mut battle = Engagement { field: Arc::new(field), state };
    clerk.check_armies(&written, &battle)?;
    clerk.place_units(&written, &mut battle)?;
    if purpose == Purpose::Position {
        clerk.clear_corners(&written, &mut battle);
    }
    clerk.check_generals(&battle)?;
    if purpose == Purpose::Position {
        clerk.position(&written, &mut battle)?;
    }
    Ok(battle)
}

impl Clerk<'_> {
    fn fault<T>(&self, place: &[Place], why: impl Into<String>) -> Result<T, Fault> {
        Err(self.file.fault(place, why))
    }

    fn head(&self, written: &BattleFile) -> Result<(), Fault> {
        match written.format {
            None | Some(1) => {}
            Some(n) => return self.fault(&["format".into()], format!("is {n}; this program reads format 1")),
        }
        match written.ruleset.as_deref() {
            None | Some("all-the-kings-men") => Ok(()),
            Some(other) => {
                self.fault(&["ruleset".into()], format!("is `{other}`; expected `all-the-kings-men`"))
            }
        }
    }

    fn options(&self, written: &BattleFile, choices: &Choices) -> Result<Options, Fault> {
        let mut all = BTreeMap::new();
        for (name, value) in &written.options {
            let value = value.to_string();
            OPTIONS
                .check(name, &value)
                .map_err(|why| self.file.fault(&["options".into(), name.as_str().into()], why))?;
            all.insert(name.clone(), value);
        }
        for (name, value) in &choices.options {
            OPTIONS.check(name, value).map_err(|why| self.file.fault(&["options".into()], why))?;
            all.insert(name.clone(), value.clone());
        }
        OPTIONS.resolve(&all).map_err(|why| self.file.fault(&["options".into()], why))
    }

    fn table(&self, written: &BattleFile) -> Result<Table, Fault> {
        let [w, d] = written.table.unwrap_or([72.0, 48.0]);
        if !(24.0..=240.0).contains(&w) || !(24.0..=240.0).contains(&d) {
            return self
                .fault(&["table".into()], format!("is {w} by {d}; expected 24 to 240 inches each way"));
        }
        Table::new(w, d).map_err(|e| self.file.fault(&["table".into()], e.to_string()))
    }

    fn land(&self, written: &BattleFile, table: Table) -> Result<Land, Fault> {
        let mut features = Vec::new();
        for (i, t) in written.terrain.iter().enumerate() {
            let place = |field: &str| [Place::from("terrain"), i.into(), field.into()];
            let Some(kind) = self.rules.ground.kind.get(&t.kind) else {
                let all: Vec<&str> = self.rules.ground.kind.keys().map(String::as_str).collect();
                return self.fault(
                    &place("kind"),
                    format!("`{}` is no kind of ground; expected one of {}", t.kind, all.join(", ")),
                );
            };
            if t.points.iter().any(|p| !p.is_finite()) {
                return self.fault(&place("points"), "has a number that is none");
            }
            let ground = match kind.shape {
                Outline::Area => Area::new(t.points.clone()).map(Ground::Area).map_err(|e| {
                    self.file.fault(&place("points"), format!("{e}; give the corners in order"))
                })?,
                Outline::Line => Line::new(t.points.clone()).map(Ground::Line).map_err(|e| {
                    self.file.fault(&place("points"), format!("{e}; give the points in order"))
                })?,
            };
            let moving = t.moving.unwrap_or(kind.moving);
            let peak = match (&ground, t.peak) {
                (_, Some(p)) if !p.is_finite() => {
                    return self.fault(&place("peak"), "has a number that is none");
                }
                (_, Some(p)) => Some(p),
                (Ground::Area(area), None) if moving == Moving::Uphill => Some(area.centroid()),
                _ => None,
            };
            if let (Ground::Area(area), Moving::Road) = (&ground, moving)
                && !area.is_convex()
            {
                return self.fault(
                    &place("points"),
                    "a piece of road must have no corner pointing inwards; lay a bent road in several pieces",
                );
            }
            features.push(Feature {
                id: t.id.clone().unwrap_or_else(|| format!("{}-{}", t.kind, i + 1)),
                kind: t.kind.clone(),
                bounds: ground.bounds(),
                ground,
                moving,
                sight: if t.opaque { Sight::Blocks } else { t.sight.unwrap_or(kind.sight) },
                cover: t.cover.unwrap_or(kind.cover),
                melee_cover: t.melee_cover.unwrap_or(kind.melee_cover),
                look: kind.look,
                peak,
            });
        }
        Ok(Land {
            table,
            features,
            woods_depth: self.rules.ground.woods_depth,
            cover_reach: self.rules.cover.reach,
        })
    }

    fn seats(
        &self,
        written: &BattleFile,
        land: &Land,
    ) -> Result<(Vec<SeatText>, ArrayVec<General, MOST_SEATS>), Fault> {
        let default = |army: ArmyWord| SeatFile {
            army,
            name: None,
            rating: None,
            general: None,
            commander: None,
            points: None,
            killed: false,
        };
        let mut files = written.seat.clone();
        for army in [ArmyWord::Red, ArmyWord::Black] {
            if !files.iter().any(|s| s.army == army) {
                if self.purpose == Purpose::Scenario && !written.seat.is_empty() {
                    return self.fault(&["seat".into()], format!("nobody plays {}", army_name(army.side())));
                }
                files.push(default(army));
            }
        }
        if files.len() > MOST_SEATS {
            return self.fault(&["seat".into()], format!("has {} players; two to six can play", files.len()));
        }
        let mut texts = Vec::new();
        let mut generals = ArrayVec::new();
        for (i, s) in files.iter().enumerate() {
            let place = |field: &str| [Place::from("seat"), i.into(), field.into()];
            let army = s.army.side();
            let (rating, roll_rating) = match &s.rating {
                None => (2, false),
                Some(Rating::Fixed(r @ 1..=3)) => (*r, false),
                Some(Rating::Word(w)) if w == "roll" => (2, true),
                Some(_) => return self.fault(&place("rating"), "expected 1, 2, 3 or \"roll\""),
            };
            let same = files[..i].iter().filter(|o| o.army == s.army).count();
            let teammates = files.iter().filter(|o| o.army == s.army).count();
            let starting = matches!(written.phase, Some(Phase::Muster | Phase::Deploy));
            let position = self.purpose == Purpose::Position && !starting;
            let corner = || {
                // In a position a general nobody mentions waits in his side's corner, out of the way.
                let x = 1.0 + 3.0 * same as f64;
                if army == Side(0) {
                    Point::new(x, 1.5)
                } else {
                    Point::new(land.table.width() - x, land.table.depth() - 1.5)
                }
            };
            if s.general.is_some_and(|p| !p.is_finite()) {
                return self.fault(&place("general"), "has a number that is none");
            }
            let at = s.general.or_else(|| position.then(corner));
            if s.commander == Some(true)
                && files[..i].iter().any(|o| o.army == s.army && o.commander == Some(true))
            {
                return self.fault(&place("commander"), "an army has one Commanding General");
            }
            let colour = if army == Side(0) { "Red" } else { "Black" };
            let number = if teammates > 1 { format!(" {}", same + 1) } else { String::new() };
            texts.push(SeatText {
                name: s.name.clone().unwrap_or_else(|| format!("{colour}{number}")),
                roll_rating,
            });
            generals.push(General {
                army,
                rating,
                at: at.unwrap_or(Point::ORIGIN),
                placed: at.is_some(),
                killed: s.killed,
                commander: s.commander.unwrap_or(teammates == 1),
                points: s.points.unwrap_or(if position { 3 } else { 0 }),
            });
        }
        Ok((texts, generals))
    }

    fn units(
        &self,
        written: &BattleFile,
        options: &Options,
        generals: &[General],
    ) -> Result<Vec<Unit>, Fault> {
        let mut units: Vec<Unit> = Vec::new();
        if written.unit.len() > 100 {
            return self.fault(&["unit".into()], "has more than 100 units");
        }
        let mut dealt = [0_usize; 2];
        for (i, u) in written.unit.iter().enumerate() {
            let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
            let id: UnitId = u.id.parse().map_err(|e: String| self.file.fault(&place("id"), e))?;
            if units.iter().any(|o| o.id == id) {
                return self.fault(&place("id"), format!("two units are called `{id}`"));
            }
            let Some(kind) = self.rules.kind(&u.kind) else {
                return self.fault(
                    &place("kind"),
                    format!("`{}` is no type of unit; expected I (infantry), S (skirmisher), K (cavalry), F (foot artillery) or H (horse artillery)", u.kind),
                );
            };
            let (army, owner) = self.owner(u, i, generals, &mut dealt)?;
            let mut unit = recruit(&self.rules, id, kind, army, owner);
            let most = most_privates(kind.name());
            let least = u8::from(!u.routed);
            unit.n = u.n.unwrap_or(if u.routed { 0 } else { unit.n });
            unit.n0 = u.n0.unwrap_or(unit.n0.max(unit.n));
            if unit.n < least || unit.n > unit.n0 || unit.n0 > most {
                return self.fault(
                    &place("n"),
                    format!(
                        "has {} of {} privates; expected 1 to {most} and no more than at the start",
                        unit.n, unit.n0
                    ),
                );
            }
            if let Some(shape) = &u.shape {
                unit.formation = shape.parse().map_err(|e: String| self.file.fault(&place("shape"), e))?;
            }
            let shape_ok =
                crate::formations::allowed(&self.rules, options, kind, unit.formation, unit.n.max(1));
            let mob_at_start = unit.formation == Formation::Mob && self.purpose == Purpose::Scenario;
            if let Err((clause, why)) = shape_ok
                && !u.routed
            {
                return self.fault(&place("shape"), format!("{why} [{clause}]"));
            }
            if mob_at_start {
                return self.fault(&place("shape"), "a unit does not start as a mob [ATKM-FORM-14]");
            }
            unit.colour = u.colour.unwrap_or(Colour::Green);
            unit.disorder = u.disorder;
            unit.quality = u.quality;
            unit.shrugged = u.shrugged;
            unit.light = u.light;
            if u.light && kind != Kind::Infantry {
                return self.fault(&place("light"), "only infantry is named as light infantry [ATKM-ADV-02]");
            }
            if self.purpose == Purpose::Scenario
                && (unit.colour != Colour::Green || unit.disorder || u.routed)
            {
                return self.fault(
                    &[Place::from("unit"), i.into()],
                    "all units begin green, unmarked and on the table [ATKM-SETUP-09]",
                );
            }
            if let Some(parent) = &u.part_of {
                match units.iter().position(|o| o.id == *parent.as_str()) {
                    Some(no) => unit.parent = Some(no as UnitNo),
                    None => {
                        return self.fault(
                            &place("part_of"),
                            format!("there is no unit `{parent}` before this one"),
                        );
                    }
                }
            }
            let facing = u.facing.unwrap_or(unit.facing);
            if !facing.is_finite() || u.at.is_some_and(|p| !p.is_finite()) {
                return self.fault(&place("at"), "has a number that is none");
            }
            unit.set_pose(u.at.unwrap_or(Point::ORIGIN), facing);
            if unit.is_mob() {
                unit.set_mob(unit.at);
            }
            unit.presence = match (u.routed, u.split, u.at) {
                (true, _, _) => Presence::Routed,
                (_, true, _) => Presence::Split,
                (_, _, Some(_)) => Presence::Present,
                (_, _, None) => Presence::Waiting,
            };
            units.push(unit);
        }
        Ok(units)
    }

    fn owner(
        &self,
        u: &UnitFile,
        i: usize,
        generals: &[General],
        dealt: &mut [usize; 2],
    ) -> Result<(Side, SeatNo), Fault> {
        let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
        match (u.seat, u.army) {
            (Some(seat), army) => {
                let Some(general) = generals.get(usize::from(seat)) else {
                    return self.fault(
                        &place("seat"),
                        format!("there is no seat {seat}; seats are 0 to {}", generals.len() - 1),
                    );
                };
                if army.is_some_and(|a| a.side() != general.army) {
                    return self.fault(&place("army"), "is not the army of its seat");
                }
                Ok((general.army, seat))
            }
            (None, Some(army)) => {
                let army = army.side();
                let seats: Vec<SeatNo> =
                    (0..generals.len()).filter(|&s| generals[s].army == army).map(|s| s as SeatNo).collect();
                // ATKM-TEAM-06: without a word from the scenario units are dealt to seats in turn.
                let seat = seats.get(dealt[army.index()] % seats.len().max(1)).copied().unwrap_or(0);
                dealt[army.index()] += 1;
                Ok((army, seat))
            }
            (None, None) => {
                self.fault(&[Place::from("unit"), i.into()], "needs `army` (\"red\" or \"black\") or `seat`")
            }
        }
    }

    fn suits(&self, written: &BattleFile) -> Result<[Suit; 2], Fault> {
        let red: Suit = written.armies.red.suit.map_or(Suit::Hearts, Into::into);
        let black: Suit = written.armies.black.suit.map_or(Suit::Clubs, Into::into);
        if red.colour() != tricorne_chance::Colour::Red {
            return self.fault(
                &["armies".into(), "red".into(), "suit".into()],
                "the red army takes hearts or diamonds [ATKM-SETUP-06]",
            );
        }
        if black.colour() != tricorne_chance::Colour::Black {
            return self.fault(
                &["armies".into(), "black".into(), "suit".into()],
                "the black army takes clubs or spades [ATKM-SETUP-06]",
            );
        }
        Ok([red, black])
    }

    fn objectives(&self, written: &BattleFile) -> Result<Vec<Objective>, Fault> {
        let mut out = Vec::new();
        for (i, o) in written.objective.iter().enumerate() {
            let area = |corners: &Vec<Point>| {
                Area::new(corners.clone())
                    .map_err(|e| self.file.fault(&["objective".into(), i.into()], format!("area: {e}")))
            };
            out.push(match o {
                ObjectiveFile::Hold { at, radius, score } => {
                    if !at.is_finite() || !radius.is_finite() || *radius < 0.0 {
                        return self.fault(&["objective".into(), i.into()], "needs a place and a radius");
                    }
                    Objective::Hold { at: *at, radius: *radius, score: *score }
                }
                ObjectiveFile::Seize { area: a } => Objective::Seize { area: area(a)? },
                ObjectiveFile::Occupy { area: a, from, score } => {
                    Objective::Occupy { area: area(a)?, from: *from, score: *score }
                }
            });
        }
        Ok(out)
    }

    fn zones(&self, written: &BattleFile, table: Table, options: &Options) -> Result<[Zone; 2], Fault> {
        let depth = f64::from(options.deploy_depth);
        let (w, d) = (table.width(), table.depth());
        let mut zones = [Zone { bounds: table.bounds(), from_edge: None }; 2];
        for (army, file, own) in
            [(0, &written.armies.red, Edge::South), (1, &written.armies.black, Edge::North)]
        {
            let key = if army == 0 { "red" } else { "black" };
            zones[army] = match file.zone {
                Some([a, b]) if a.is_finite() && b.is_finite() => {
                    Zone { bounds: Bounds::of_pair(a, b), from_edge: None }
                }
                Some(_) => {
                    return self.fault(
                        &["armies".into(), key.into(), "zone".into()],
                        "expected two corners of ordinary numbers",
                    );
                }
                None => {
                    let edge = file.edge.unwrap_or(own);
                    let (min, max) = match edge {
                        Edge::South => (Point::ORIGIN, Point::new(w, depth.min(d))),
                        Edge::North => (Point::new(0.0, (d - depth).max(0.0)), Point::new(w, d)),
                        Edge::West => (Point::ORIGIN, Point::new(depth.min(w), d)),
                        Edge::East => (Point::new((w - depth).max(0.0), 0.0), Point::new(w, d)),
                    };
                    Zone { bounds: Bounds { min, max }, from_edge: Some(edge) }
                }
            };
        }
        Ok(zones)
    }

    /// ATKM-FORCE-07..09.
    fn check_armies(&self, written: &BattleFile, battle: &Engagement) -> Result<(), Fault> {
        for (army, file, key) in
            [(Side(0), &written.armies.red, "red"), (Side(1), &written.armies.black, "black")]
        {
            let mut muster = Muster::default();
            for unit in battle.state.units.iter().filter(|u| u.army == army) {
                muster.units[unit.kind as usize] += 1;
                muster.extra += battle.worth(unit) - self.rules.profile(unit.kind).points;
            }
            muster.ratings =
                battle.state.generals.iter().filter(|g| g.army == army).map(|g| g.rating).collect();
            let list = match &file.list {
                None => None,
                Some(name) => match self.rules.list(name) {
                    Some(list) => Some(list),
                    None => {
                        let all: Vec<&str> = self.rules.lists.iter().map(|l| l.name.as_str()).collect();
                        return self.fault(
                            &["armies".into(), key.into(), "list".into()],
                            format!("there is no list `{name}`; there is {}", all.join(", ")),
                        );
                    }
                },
            };
            let rolled = file.rolls.map_or(0, |r| r.number(&self.rules));
            let budget = file.budget.map(|b| b.points(&self.rules));
            if rolled > 40 {
                return self.fault(&["armies".into(), key.into(), "rolls".into()], "is more than 40");
            }
            let mustering = written.phase == Some(Phase::Muster);
            if rolled > 0 && self.purpose == Purpose::Position && !mustering {
                return self.fault(
                    &["armies".into(), key.into(), "rolls".into()],
                    "forces are rolled with phase = \"muster\" and begin = true",
                );
            }
            if self.purpose == Purpose::Position && list.is_none() && budget.is_none() {
                continue;
            }
            let counted = if rolled > 0 { Muster { units: [rolled, 0, 0, 0, 0], ..muster } } else { muster };
            let faults = if rolled > 0 {
                counted.faults(&self.rules, battle.options(), None, None)
            } else {
                counted.faults(&self.rules, battle.options(), list, budget)
            };
            if let Some(first) = faults.first() {
                return self.fault(&["armies".into(), key.into()], format!("the {key} army {first}"));
            }
        }
        Ok(())
    }

    /// Units the file places: on the table, off forbidden ground, on nobody (ATKM-SETUP-08).
    fn place_units(&self, written: &BattleFile, battle: &mut Engagement) -> Result<(), Fault> {
        // Skirmishers first come off the table, so that each spreads round those already placed.
        let present: Vec<usize> =
            (0..battle.state.units.len()).filter(|&i| battle.state.units[i].present()).collect();
        for &i in &present {
            battle.state.units[i].presence = Presence::Waiting;
        }
        let formed_first = |i: &usize| battle.state.units[*i].is_skirmish_line();
        let mut order = present.clone();
        order.sort_by_key(formed_first);
        for i in order {
            let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
            let mut unit = battle.state.units[i];
            unit.presence = Presence::Present;
            if unit.is_skirmish_line() {
                let spread = written.unit[i].spread.clone().unwrap_or(Spread::Line);
                battle
                    .spread_out(i as UnitNo, &mut unit, Some(&spread))
                    .map_err(|e| self.file.fault(&place("at"), e.to_string()))?;
            } else if written.unit[i].spread.is_some() {
                return self.fault(&place("spread"), "only loose skirmishers spread [ATKM-FORM-23]");
            }
            let footprint = unit.footprint(battle.rules());
            battle.standable(&footprint).map_err(|e| self.file.fault(&place("at"), e.to_string()))?;
            if let Some(met) = battle.overlapped(&footprint, |o, _| usize::from(o) == i) {
                let other = battle.unit(met).id;
                return self.fault(
                    &place("at"),
                    format!("{} would stand on {other}; move one of them [ATKM-SETUP-08]", unit.id),
                );
            }
            battle.state.units[i] = unit;
        }
        Ok(())
    }

    /// Generals nobody mentioned step aside for the units of a position.
    fn clear_corners(&self, written: &BattleFile, battle: &mut Engagement) {
        for seat in 0..battle.state.generals.len() {
            let mentioned = written.seat.get(seat).is_some_and(|s| s.general.is_some());
            let general = battle.state.generals[seat];
            if mentioned || !general.present() {
                continue;
            }
            let free = ring_search(general.at, 0.0, 60.0, |at| {
                battle.judge_general_stand(seat as SeatNo, at).is_ok()
            });
            battle.state.generals[seat].at = free.unwrap_or(general.at);
        }
    }

    fn check_generals(&self, battle: &Engagement) -> Result<(), Fault> {
        for (i, g) in battle.state.generals.iter().enumerate() {
            if !g.present() {
                continue;
            }
            let mut base = Solids::new();
            base.push(base_at(battle.rules(), g.at));
            let place = [Place::from("seat"), i.into(), "general".into()];
            battle.standable(&base).map_err(|e| self.file.fault(&place, format!("the general: {e}")))?;
            let on = battle.overlapped(&base, |_, u| {
                // The box of loose skirmishers is wider than they are; only their bases count.
                !u.solids(battle.rules())
                    .iter()
                    .any(|r| crate::terrain::overlap(&Shape::Rect(*r), &Shape::Rect(base[0])))
            });
            if let Some(met) = on {
                return self.fault(&place, format!("the general stands on {}", battle.unit(met).id));
            }
        }
        Ok(())
    }

    fn card(&self, place: &[Place], text: &str, suits: [Suit; 2]) -> Result<Playing, Fault> {
        let card: Playing = text.parse().map_err(|e: String| self.file.fault(place, e))?;
        match card {
            Playing::Suited(_, suit) if !suits.contains(&suit) => self.fault(
                place,
                format!("{text} is set aside: the deck has the two armies' suits [ATKM-TURN-03]"),
            ),
            card => Ok(card),
        }
    }

    /// The middle of a battle, for a rule case.
    fn position(&self, written: &BattleFile, battle: &mut Engagement) -> Result<(), Fault> {
        if written.phase != Some(Phase::Muster) {
            battle.name_commanders();
        }
        battle.reckon_start();
        let waiting = battle.state.units.iter().position(|u| u.presence == Presence::Waiting);
        let phase = written.phase.unwrap_or_default();
        if let Some(i) = waiting.filter(|_| !matches!(phase, Phase::Deploy | Phase::Muster)) {
            return self
                .fault(&["unit".into(), i.into()], "needs `at`, or `routed = true`, or phase = \"deploy\"");
        }
        for army in ARMIES {
            let i = army.index();
            let state = &mut battle.state;
            if let Some(n) = written.began_units.get(army) {
                state.began[i] = n.clamp(0, 1000) as u16;
            }
            if let Some(n) = written.began_privates.get(army) {
                state.began_privates[i] = n.clamp(0, 10_000) as u16;
            }
            if let Some(n) = written.began_points.get(army) {
                state.began_points[i] = n;
            }
            state.scored[i] = written.scored.get(army).unwrap_or(0);
        }
        battle.state.quiet = written.quiet_turns;
        battle.state.blood = written.blood;
        let turn = written.turn.unwrap_or(1);
        battle.state.turn = if matches!(phase, Phase::Turn | Phase::Deploy | Phase::Muster) {
            turn.saturating_sub(1)
        } else {
            turn
        };
        let card = self.lay_deck(written, battle)?;
        match phase {
            Phase::Muster => battle.state.stage = Stage::Muster,
            Phase::Deploy => battle.state.stage = Stage::Deploy,
            Phase::Turn => battle.state.stage = Stage::TurnStart,
            Phase::Gifts => battle.state.stage = Stage::Gifts(Side(0)),
            Phase::Card => battle.state.stage = Stage::Draw,
            Phase::End => battle.state.stage = Stage::TurnEnd,
            Phase::Ride => battle.state.stage = Stage::Ride(0),
            Phase::Play => self.play(written, battle, card)?,
        }
        Ok(())
    }

    /// The deck less what is out of it; gives the card being settled.
    fn lay_deck(&self, written: &BattleFile, battle: &mut Engagement) -> Result<Playing, Fault> {
        let suits = battle.field.suits;
        let acting_army = match (&written.active, written.acting) {
            (Some(id), _) => battle.state.units.iter().find(|u| u.id == *id.as_str()).map(|u| u.army),
            (None, Some(seat)) => battle.state.generals.get(usize::from(seat)).map(|g| g.army),
            _ => None,
        };
        let own = acting_army.unwrap_or(Side(0));
        let in_play = written.phase.unwrap_or_default() == Phase::Play;
        let card = match &written.card {
            Some(text) => self.card(&["card".into()], text, suits)?,
            None => {
                let ordinary = Playing::suit(suits[own.index()]).filter(|c| {
                    let label = c.to_string();
                    matches!(c, Playing::Suited(r, _) if (3..=10).contains(&r.number()))
                        && !written.drawn.iter().chain(written.deck.iter().flatten()).any(|d| *d == label)
                });
                ordinary.max().unwrap_or(Playing::Joker(tricorne_chance::Colour::Red))
            }
        };
        let mut left: Vec<Playing> = battle.state.deck.left().to_vec();
        let mut spent = Vec::new();
        let take = |left: &mut Vec<Playing>, card: Playing, place: &[Place]| match left
            .iter()
            .position(|c| *c == card)
        {
            Some(i) => Ok(left.remove(i)),
            None => Err(self.file.fault(place, format!("{card} is in the deck only once [ATKM-TURN-03]"))),
        };
        if in_play || written.card.is_some() {
            take(&mut left, card, &["card".into()])?;
        }
        for (i, text) in written.drawn.iter().enumerate() {
            let place = ["drawn".into(), i.into()];
            let drawn = self.card(&place, text, suits)?;
            spent.push(take(&mut left, drawn, &place)?);
        }
        if let Some(deck) = &written.deck {
            let mut down = Vec::new();
            for (i, text) in deck.iter().enumerate() {
                let place = ["deck".into(), i.into()];
                let card = self.card(&place, text, suits)?;
                down.push(take(&mut left, card, &place)?);
            }
            spent.append(&mut left);
            left = down;
        }
        let mut deck = tricorne_chance::Deck::new(left);
        for card in spent {
            deck.spend(card);
        }
        battle.state.deck = deck;
        Ok(card)
    }

    /// A card being settled, and perhaps a unit already chosen.
    fn play(&self, written: &BattleFile, battle: &mut Engagement, card: Playing) -> Result<(), Fault> {
        battle.turn_up(card);
        let army = battle.served_by(card);
        if let Some(seat) = written.acting {
            let in_army = battle.state.generals.get(usize::from(seat)).is_some_and(|g| g.army == army);
            if !in_army {
                return self.fault(&["acting".into()], format!("seat {seat} has no part in the card {card}"));
            }
            // Seats before it have acted already.
            if let Some(play) = &mut battle.state.play
                && let Some(i) = play.queue.iter().position(|&s| s == seat)
            {
                play.queue.drain(..i);
            }
        }
        let mut quiet = tricorne_game::Log::off();
        let lone = battle.seats_of(army).count() == 1;
        let beneficiary = written.beneficiary.or_else(|| lone.then(|| battle.commander(army)));
        if battle.state.stage == Stage::Beneficiary
            && let Some(seat) = beneficiary
        {
            if battle.state.generals.get(usize::from(seat)).is_none_or(|g| g.army != army) {
                return self
                    .fault(&["beneficiary".into()], format!("seat {seat} has no part in the card {card}"));
            }
            battle.do_benefit(seat, false, &mut quiet);
        }
        if battle.state.stage == Stage::Order {
            battle.step_order();
        }
        if let (Some(left), Some(play)) = (written.left, &mut battle.state.play) {
            play.left = left;
        }
        let Some(id) = &written.active else { return Ok(()) };
        let found = battle.state.units.iter().position(|u| u.id == *id.as_str() && u.present());
        let Some(no) = found.map(|i| i as UnitNo) else {
            return self.fault(&["active".into()], format!("there is no unit `{id}` on the table"));
        };
        let unit = *battle.unit(no);
        if battle.state.stage != Stage::Choose || unit.army != army {
            return self.fault(&["active".into()], format!("the card {card} does not activate `{id}`"));
        }
        battle.state.activation = Some(Activation {
            seat: battle.acting(),
            unit: no,
            began: written.began.unwrap_or(unit.colour),
            paid: written.paid,
            benefit: battle.benefit(),
            fired: written.fired,
            moved: written.moved,
            changed: written.changed,
            dressed: false,
            fought: false,
            fired_last: written.fired && (written.moved || written.changed),
            split: false,
        });
        battle.state.stage = Stage::Act;
        Ok(())
    }
}
