//! The charts: every number of `profiles.toml`, read, checked and, where a player's file leaves one out, as compiled in.

use serde::Deserialize;
use tricorne_drill::Line;
use tricorne_game::{Choices, Fault, Source};

use crate::model::Quality;
use crate::model::formation::Bases;
use crate::model::ground::GroundKind;
use crate::model::measure::{Decimal, Mils};

/// The file as it comes with the rulebook.
pub(crate) const PROFILES: &str =
    const { tricorne_drill::page(tricorne_rulebook_von_futsch::FILES, "profiles.toml") };

/// A move: so many inches and so many dice (section 3.1).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Inches.
    pub inches: u8,
    /// Dice.
    pub dice: u8,
}

/// A value for each quality.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ByQuality<T> {
    /// Poor troops.
    pub poor: T,
    /// Everybody else.
    pub normal: T,
    /// Picked troops.
    pub elite: T,
}

impl<T: Copy> ByQuality<T> {
    /// The value for a quality.
    pub fn of(&self, quality: Quality) -> T {
        match quality {
            Quality::Poor => self.poor,
            Quality::Normal => self.normal,
            Quality::Elite => self.elite,
        }
    }
}

/// A share of something, as a chart has it: `[1, 4]`.
pub trait Share {
    /// Whether a part is at least this share of a whole.
    fn reached(&self, part: impl Into<i64>, whole: impl Into<i64>) -> bool;
    /// Whether a part is no more than this share of a whole.
    fn allows(&self, part: impl Into<i64>, whole: impl Into<i64>) -> bool;
    /// The most that is no more than this share of a length.
    fn most(&self, whole: Mils) -> Mils;
    /// The least that is no less than this share of a length or a number.
    fn least(&self, whole: Mils) -> Mils;
    /// The share of a number of dice, hits or figures, rounded up (VF-MODEL-04).
    fn up(&self, n: u32) -> u32;
    /// The same, rounded down.
    fn down(&self, n: u32) -> u32;
    /// In words: `half`, `a third`, `2/3`.
    fn told(&self) -> String;
}

impl Share for [u8; 2] {
    fn reached(&self, part: impl Into<i64>, whole: impl Into<i64>) -> bool {
        part.into() * i64::from(self[1]) >= whole.into() * i64::from(self[0])
    }

    fn allows(&self, part: impl Into<i64>, whole: impl Into<i64>) -> bool {
        part.into() * i64::from(self[1]) <= whole.into() * i64::from(self[0])
    }

    fn most(&self, whole: Mils) -> Mils {
        whole * i32::from(self[0]) / i32::from(self[1])
    }

    fn least(&self, whole: Mils) -> Mils {
        let over = whole * i32::from(self[0]);
        over / i32::from(self[1]) + i32::from(over % i32::from(self[1]) > 0)
    }

    fn up(&self, n: u32) -> u32 {
        (n * u32::from(self[0])).div_ceil(u32::from(self[1]))
    }

    fn down(&self, n: u32) -> u32 {
        n * u32::from(self[0]) / u32::from(self[1])
    }

    fn told(&self) -> String {
        match self {
            [1, 1] => "all".into(),
            [1, 2] => "half".into(),
            [1, 3] => "a third".into(),
            [1, 4] => "a quarter".into(),
            [some, of] => format!("{some}/{of}"),
        }
    }
}

/// How far a front looks to either side (VF-MODEL-27).
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(from = "u8")]
pub struct Arc {
    /// In degrees.
    pub degrees: u8,
    /// How far its rays go aside for each inch ahead.
    pub slope: f64,
}

impl From<u8> for Arc {
    fn from(degrees: u8) -> Self {
        // Rounded, so that the ray of 45 degrees is exactly that.
        let slope = libm::tan(tricorne_table::angle::radians(f64::from(degrees)));
        Self { degrees, slope: (slope * 1e9).round() / 1e9 }
    }
}

macro_rules! chart {
    ($($(#[$doc:meta])* $name:ident { $($field:ident: $kind:ty),+ $(,)? })+) => {
        $($(#[$doc])*
        #[allow(missing_docs, reason = "profiles.toml says what each number is")]
        #[derive(Clone, Copy, Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name { $(pub $field: $kind),+ })+
    };
}

chart! {
    /// Section 3.1.
    Moves {
        infantry: Pace, skirmish: Pace, cavalry: Pace, limbered: Pace, unlimbered: Pace, wagon: Pace,
        commander: Pace, swift: u8, road: u8, army_commander_dice: u8, charge_wheel: u8,
        short: [u8; 2], slow: u8,
    }
    /// What a musket needs at either range.
    Musket { short: u8, long: u8 }
    /// Guns.
    Cannon { near: u8, far: u8, near_dice: u8, far_dice: u8, hit: u8 }
    /// Section 3.2.
    Fire {
        figures_per_die: u8, shaken: [u8; 2], difficult: [u8; 2], short: u8, long: u8, arc: Arc,
        infantry: Musket, skirmish: Musket, artillery: Cannon,
    }
    /// The sides of commanders' bases (VF-MODEL-14).
    CommanderBase { regimental: Decimal, wing: Decimal, army: Decimal }
    /// How many figures stand in one rank.
    Ranks { line: u8, column: u8 }
    /// Section 3.3.
    Figures {
        battalion: u8, squadron: u8, skirmish: u8, artillery: u8, wagon: u8,
        infantry_rank: Ranks, cavalry_rank: Ranks, faces: u8, ranks: u8,
    }
    /// The morale test (VF-MORALE-05 to -08).
    Morale {
        quarter: [u8; 2], half: [u8; 2], steady: i32, waver: i32, elite: Line, poor: Line,
        army_commander: Line, half_lost: Line, shaken: Line, rout: u8, rout_open: [u8; 2],
        aside: u8, furthest_aside: u8,
    }
    /// The initiative check (VF-CMD-09, VF-CMD-10).
    Initiative { advance: i32, free: i32, elite: Line, poor: Line }
    /// Melee (VF-MELEE-03 to -13).
    Melee {
        kill: i32, charge: Line, elite_or_heavy: Line, against_square: Line, figures_per_die: u8,
        shaken: [u8; 2], halved: [u8; 2],
        commander_saves: u8, commander_falls: u8, never: u8, always: u8, rounds: u8, fall_back: [u8; 2],
    }
    /// Distances in inches.
    Distances {
        command: u8, cohesion: u8, attach: u8, near_enemy: u8, clear: u8, capture: u8,
        woods_inside: u8, woods_edge: u8, cover: u8, out_of_reach: Decimal, contact: Decimal, set_back: u8,
    }
    /// Trophies.
    Capture { trophy: u8 }
    /// Army morale (VF-ARMYMORALE-01).
    ArmyMorale { share: [u8; 2] }
    /// The numbers of the events (VF-EVENT-11 to -25).
    EventNumbers {
        forced_march: u8, stragglers_clear: u8, cloudburst: u8, smoke: u8, mark_range: u8, mark_dazes: u8,
        mark_wounds: u8, dinner_clear: u8, gout: u8, clay: u8, burst_crew: u8, burst_silent: u8,
    }
    /// Section 3.5.
    Points {
        battalion: ByQuality<u32>, heavy: ByQuality<u32>, light: ByQuality<u32>, skirmish: ByQuality<u32>,
        artillery: ByQuality<u32>, wagon: u32, regimental_commander: u32, wing_commander: u32,
        army_commander: u32, budget: u32, most_wagons: u8, most_wing_commanders: u8,
    }
    /// The table of a points game.
    TableSize { width: u32, height: u32, turns: u32, deployment: u8 }
}

/// Ground that is laid by chance (VF-SCEN-03).
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RandomGround {
    /// How wide the road is.
    pub road: Decimal,
    /// What a die brings; nothing, where none is of its number.
    pub sector: Vec<SectorPiece>,
}

/// A piece that a die of random ground brings.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectorPiece {
    /// The die.
    pub die: u8,
    /// What it is.
    pub kind: GroundKind,
    /// How far it reaches from west to east, and from south to north.
    pub size: [u8; 2],
}

impl RandomGround {
    /// The piece of a die.
    pub fn piece(&self, die: u8) -> Option<&SectorPiece> {
        self.sector.iter().find(|piece| piece.die == die)
    }

    /// The largest extent of any piece, either way.
    pub fn largest(&self) -> [u8; 2] {
        [0, 1].map(|way| self.sector.iter().map(|piece| piece.size[way]).max().unwrap_or(0))
    }
}

/// `profiles.toml`.
#[allow(missing_docs, reason = "one field for each table of the file")]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profiles {
    pub format: u32,
    #[serde(rename = "move")]
    pub moves: Moves,
    pub fire: Fire,
    pub figures: Figures,
    pub base: Bases,
    pub commander_base: CommanderBase,
    pub shaken: ByQuality<[u8; 2]>,
    pub morale: Morale,
    pub initiative: Initiative,
    pub melee: Melee,
    pub distance: Distances,
    pub capture: Capture,
    pub army_morale: ArmyMorale,
    pub events: EventNumbers,
    pub points: Points,
    pub table: TableSize,
    pub ground: RandomGround,
}

impl Profiles {
    /// The break point of so many units that count (VF-ARMYMORALE-01).
    pub fn break_point(&self, units: usize) -> u8 {
        u8::try_from(self.army_morale.share.least(units as i32)).unwrap_or(u8::MAX)
    }

    /// Whether each of the six sectors of a table holds a piece of that size (VF-SCEN-03).
    pub fn sectors_hold([width, height]: [f64; 2], [w, h]: [u8; 2]) -> bool {
        f64::from(w) * 3.0 <= width && f64::from(h) * 2.0 <= height
    }

    /// The table of a points game (VF-SCEN-01).
    pub fn usual_table(&self) -> [f64; 2] {
        [f64::from(self.table.width), f64::from(self.table.height)]
    }
}

/// Inches as thousandths.
pub fn inch(n: u8) -> i32 {
    i32::from(n) * 1000
}

/// The numbers as played: for the rules, and as the file has them for what is printed.
pub(crate) fn read(choices: &Choices) -> Result<(Profiles, toml::Table), Fault> {
    let own = choices.data.get("profiles.toml").map_or(PROFILES, String::as_str);
    let source = filled(Source::new("profiles.toml", own));
    let profiles: Profiles = source.parse()?;
    check(&source, &profiles)?;
    Ok((profiles, source.parse()?))
}

fn check(source: &Source, p: &Profiles) -> Result<(), Fault> {
    let wrong =
        |place: [&str; 2], problem: &str| Err(source.fault(&[place[0].into(), place[1].into()], problem));
    if p.format != 1 {
        return Err(source.fault(&["format".into()], "must be 1"));
    }
    for (place, share) in [
        (["shaken", "elite"], p.shaken.elite),
        (["shaken", "normal"], p.shaken.normal),
        (["shaken", "poor"], p.shaken.poor),
        (["fire", "shaken"], p.fire.shaken),
        (["fire", "difficult"], p.fire.difficult),
        (["melee", "shaken"], p.melee.shaken),
        (["melee", "halved"], p.melee.halved),
        (["morale", "quarter"], p.morale.quarter),
        (["morale", "half"], p.morale.half),
        (["morale", "rout_open"], p.morale.rout_open),
        (["move", "short"], p.moves.short),
        (["melee", "fall_back"], p.melee.fall_back),
        (["army_morale", "share"], p.army_morale.share),
    ] {
        if share[0] == 0 || share[0] > share[1] {
            return wrong(place, "must be a share such as [1, 2]");
        }
    }
    for (place, n) in [
        (["fire", "figures_per_die"], p.fire.figures_per_die),
        (["melee", "figures_per_die"], p.melee.figures_per_die),
        (["figures", "faces"], p.figures.faces),
        (["figures", "ranks"], p.figures.ranks),
        (["move", "slow"], p.moves.slow),
        (["morale", "rout"], p.morale.rout),
        (["morale", "aside"], p.morale.aside),
        (["melee", "rounds"], p.melee.rounds),
    ] {
        if n == 0 {
            return wrong(place, "must be at least 1");
        }
    }
    if p.melee.never >= p.melee.always {
        return wrong(["melee", "never"], "must be less than `always`");
    }
    for (i, piece) in p.ground.sector.iter().enumerate() {
        let place = ["ground".into(), "sector".into(), i.into()];
        if piece.size.contains(&0) || !Profiles::sectors_hold(p.usual_table(), piece.size) {
            return Err(
                source.fault(&place, "must be at least 1 either way, and fit into a sixth of the table")
            );
        }
    }
    let f = &p.figures;
    for (name, n, most) in [
        ("battalion", f.battalion, 200),
        ("squadron", f.squadron, 200),
        ("artillery", f.artillery, 200),
        ("wagon", f.wagon, 200),
        ("skirmish", f.skirmish, 6),
    ] {
        if n == 0 || n > most {
            return wrong(["figures", name], &format!("must be 1 to {most}"));
        }
    }
    let m = &p.moves;
    for (name, pace) in [
        ("infantry", m.infantry),
        ("skirmish", m.skirmish),
        ("cavalry", m.cavalry),
        ("limbered", m.limbered),
        ("unlimbered", m.unlimbered),
        ("wagon", m.wagon),
        ("commander", m.commander),
    ] {
        if pace.dice > 4 {
            return wrong(["move", name], "has too many dice; at most 4");
        }
    }
    if !(1..=80).contains(&p.fire.arc.degrees) {
        return wrong(["fire", "arc"], "must be 1 to 80 degrees");
    }
    let b = &p.commander_base;
    for (name, side) in [("regimental", b.regimental), ("wing", b.wing), ("army", b.army)] {
        if !(500..=4000).contains(&side.0) {
            return wrong(["commander_base", name], "must be 0.5 to 4 inches");
        }
    }
    let b = &p.base;
    for (name, side) in [("troops", b.troops), ("skirmisher", b.skirmisher), ("wagon", b.wagon)] {
        if !(0.5..=8.0).contains(&side) {
            return wrong(["base", name], "must be 0.5 to 8 inches");
        }
    }
    if !(0.0..=2.0).contains(&b.apart) {
        return wrong(["base", "apart"], "must be 0 to 2 inches");
    }
    if m.charge_wheel > 90 {
        return wrong(["move", "charge_wheel"], "must be 0 to 90 degrees");
    }
    if p.fire.short > p.fire.long || p.fire.artillery.near > p.fire.artillery.far {
        return wrong(["fire", "short"], "the nearer range must not be the longer one");
    }
    if !(12..=400).contains(&p.table.width) || !(12..=400).contains(&p.table.height) {
        return wrong(["table", "width"], "the table must be 12 to 400 inches either way");
    }
    if p.table.turns == 0 {
        return wrong(["table", "turns"], "must be at least 1");
    }
    Ok(())
}

/// A player's profiles with what they leave out put in: a modifier may be given by its number alone, and a table or a line
/// that is not there is as compiled in. A file that says everything is read as it is, so that faults have their lines.
fn filled(source: Source) -> Source {
    fn fill(given: &mut toml::Table, own: &toml::Table) -> bool {
        let mut changed = false;
        for (key, own) in own {
            match (given.get_mut(key), own) {
                (Some(toml::Value::Table(given)), toml::Value::Table(own)) => changed |= fill(given, own),
                (Some(given @ toml::Value::Integer(_)), toml::Value::Table(own))
                    if own.contains_key("clause") =>
                {
                    let mut line = own.clone();
                    line.insert("value".into(), given.clone());
                    *given = toml::Value::Table(line);
                    changed = true;
                }
                (None, own) if key != "format" => {
                    given.insert(key.clone(), own.clone());
                    changed = true;
                }
                _ => {}
            }
        }
        changed
    }
    let (Ok(mut given), Ok(own)) = (toml::from_str(&source.text), toml::from_str(PROFILES)) else {
        return source;
    };
    if !fill(&mut given, &own) {
        return source;
    }
    match toml::to_string(&given) {
        Ok(text) => Source::new(source.name.as_str(), text),
        Err(_) => source,
    }
}
