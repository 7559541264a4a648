//! The rulebook as data: compiled in, each file replaceable by one of the user's own.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use tricorne_drill::Line;
use tricorne_game::{Choices, Fault, InOrder, Judgement, ScenarioText, Source};

use crate::JsonSchema;
use crate::events::EventCard;
use crate::judgement::weights::Wits;
use crate::model::{Kind, Quality};

/// A file of the rulebook.
macro_rules! page {
    ($path:literal) => {
        const { tricorne_drill::page(tricorne_rulebook_von_futsch::FILES, $path) }
    };
}

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
    }
    /// What a musket needs at either range.
    Musket { short: u8, long: u8 }
    /// Guns.
    Cannon { near: u8, far: u8, near_dice: u8, far_dice: u8, hit: u8 }
    /// Section 3.2.
    Fire { figures_per_die: u8, short: u8, long: u8, infantry: Musket, skirmish: Musket, artillery: Cannon }
    /// How many figures stand in one rank.
    Ranks { line: u8, column: u8 }
    /// Section 3.3.
    Figures {
        battalion: u8, squadron: u8, skirmish: u8, artillery: u8, wagon: u8,
        infantry_rank: Ranks, cavalry_rank: Ranks,
    }
    /// The morale test (VF-MORALE-05 to -08).
    Morale {
        quarter: [u8; 2], half: [u8; 2], steady: i32, waver: i32, elite: Line, poor: Line,
        army_commander: Line, half_lost: Line, shaken: Line,
    }
    /// The initiative check (VF-CMD-09, VF-CMD-10).
    Initiative { advance: i32, free: i32, elite: Line, poor: Line }
    /// Melee (VF-MELEE-03 to -13).
    Melee {
        kill: i32, charge: Line, elite_or_heavy: Line, against_square: Line, figures_per_die: u8,
        commander_saves: u8, commander_falls: u8,
    }
    /// Distances in whole inches.
    Distances {
        command: u8, cohesion: u8, attach: u8, near_enemy: u8, clear: u8, capture: u8,
        woods_inside: u8, woods_edge: u8, cover: u8,
    }
    /// Trophies.
    Capture { trophy: u8 }
    /// The numbers of the events (VF-EVENT-11 to -25).
    EventNumbers {
        forced_march: u8, stragglers_clear: u8, cloudburst: u8, smoke: u8, mark_range: u8, mark_dazes: u8,
        mark_wounds: u8, dinner_clear: u8, gout: u8, clay: u8, burst_crew: u8, burst_silent: u8,
    }
    /// Section 3.5.
    Points {
        battalion: ByQuality<u32>, heavy: ByQuality<u32>, light: ByQuality<u32>, skirmish: ByQuality<u32>,
        artillery: ByQuality<u32>, wagon: u32, regimental_commander: u32, wing_commander: u32,
        army_commander: u32, budget: u32,
    }
    /// The table of a points game.
    TableSize { width: u32, height: u32, turns: u32, deployment: u8 }
}

impl EventNumbers {
    /// A card's text with its numbers in their places.
    fn told(&self, text: &str) -> String {
        let numbers = [
            ("{forced_march}", self.forced_march),
            ("{stragglers_clear}", self.stragglers_clear),
            ("{cloudburst}", self.cloudburst),
            ("{smoke}", self.smoke),
            ("{mark_range}", self.mark_range),
            ("{mark_dazes}", self.mark_dazes),
            ("{mark_wounds}", self.mark_wounds),
            ("{dinner_clear}", self.dinner_clear),
            ("{gout}", self.gout),
            ("{clay}", self.clay),
            ("{burst_crew}", self.burst_crew),
            ("{burst_silent}", self.burst_silent),
        ];
        numbers.iter().fold(text.to_owned(), |text, (name, n)| text.replace(name, &n.to_string()))
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
    pub shaken: ByQuality<[u8; 2]>,
    pub morale: Morale,
    pub initiative: Initiative,
    pub melee: Melee,
    pub distance: Distances,
    pub capture: Capture,
    pub events: EventNumbers,
    pub points: Points,
    pub table: TableSize,
}

/// Inches as thousandths.
pub fn inch(n: u8) -> i32 {
    i32::from(n) * 1000
}

/// A card of the events deck, as `events.toml` has it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventText {
    /// Its name.
    pub title: String,
    /// Its clause.
    pub clause: String,
    /// How many are in the deck.
    pub count: usize,
    /// What it does.
    pub text: String,
    /// Why it did nothing, if nobody fits it.
    #[serde(default)]
    pub nobody: String,
}

/// An entry of an army list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// `FR3`.
    pub id: String,
    /// `Line regiment`.
    pub name: String,
    /// The kind of its sub-units.
    pub kind: Kind,
    /// How many; two or more make a regiment with a commander.
    pub sub_units: u8,
    /// Their quality.
    pub quality: Quality,
    /// Points, a regimental commander included.
    pub price: u32,
    /// At least so many of this entry.
    pub min: u8,
    /// At most so many.
    pub max: u8,
    /// Whether its units carry colours.
    #[serde(default = "yes")]
    pub colours: bool,
    /// Names to give to regiments of this entry.
    #[serde(default)]
    pub regiments: Vec<String>,
}

fn yes() -> bool {
    true
}

/// An army list.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ArmyList {
    /// `French`.
    pub name: String,
    /// What it may have.
    pub entry: Vec<Entry>,
}

/// The data files in force for a battle.
#[derive(Clone, Debug)]
pub struct Rulebook {
    /// `profiles.toml`.
    pub profiles: Profiles,
    /// `events.toml`, by card.
    pub events: Vec<(EventCard, EventText)>,
    /// `armies.toml`, by code.
    pub armies: BTreeMap<String, ArmyList>,
    /// `judgement.toml`: what programs go by.
    pub(crate) mind: Arc<Wits>,
}

const PROFILES: &str = page!("profiles.toml");
const EVENTS: &str = page!("events.toml");
const ARMIES: &str = page!("armies.toml");
const JUDGEMENT: &str = page!("judgement.toml");
/// What goes on paper.
pub const SHEET: &str = page!("sheet.toml");
/// What an editor needs to know of the scenario files.
pub const DRAFTING: &str = page!("drafting.toml");

/// The numbers of `profiles.toml` as played.
pub fn profiles_table(choices: &Choices) -> toml::Table {
    let text = choices.data.get("profiles.toml").map_or(PROFILES, String::as_str);
    toml::from_str(&filled(Source::new("profiles.toml", text)).text).unwrap_or_default()
}

/// The data files that a player may replace.
pub fn data_files() -> Vec<(&'static str, &'static str)> {
    vec![
        ("profiles.toml", PROFILES),
        ("events.toml", EVENTS),
        ("armies.toml", ARMIES),
        ("judgement.toml", JUDGEMENT),
    ]
}

/// The weights that programs judge by, as compiled in.
pub fn judgement() -> &'static Judgement {
    static OWN: LazyLock<Judgement> = LazyLock::new(|| {
        tricorne_drill::judgement::read(JUDGEMENT).unwrap_or_else(|fault| panic!("{fault}"))
    });
    &OWN
}

impl Rulebook {
    /// The compiled-in files, with the user's own in their place where there are any.
    pub fn read(choices: &Choices) -> Result<Self, Fault> {
        for name in choices.data.keys() {
            if !["profiles.toml", "events.toml", "armies.toml", "judgement.toml"].contains(&name.as_str()) {
                return Err(Source::new(name.as_str(), "").fault(
                    &[],
                    "is no file of this rulebook; there is profiles.toml, events.toml, armies.toml and judgement.toml",
                ));
            }
        }
        let file =
            |name: &str, own: &str| Source::new(name, choices.data.get(name).map_or(own, String::as_str));
        let source = filled(file("profiles.toml", PROFILES));
        let profiles: Profiles = source.parse()?;
        check_profiles(&source, &profiles)?;
        let events = read_events(&file("events.toml", EVENTS), &profiles.events)?;
        let weights = file("judgement.toml", JUDGEMENT);
        let mind =
            Wits::of(&Judgement::read(&weights, judgement())?).map_err(|why| weights.fault(&[], why))?;
        let armies = read_armies(&file("armies.toml", ARMIES))?;
        Ok(Self { profiles, events, armies, mind: Arc::new(mind) })
    }

    /// The files as compiled in.
    pub fn own() -> &'static Rulebook {
        static OWN: LazyLock<Rulebook> =
            LazyLock::new(|| Rulebook::read(&Choices::default()).unwrap_or_else(|fault| panic!("{fault}")));
        &OWN
    }

    /// What a card says.
    pub fn event(&self, card: EventCard) -> Option<&EventText> {
        self.events.iter().find(|(c, _)| *c == card).map(|(_, text)| text)
    }
}

fn check_profiles(source: &Source, p: &Profiles) -> Result<(), Fault> {
    let wrong =
        |place: [&str; 2], problem: &str| Err(source.fault(&[place[0].into(), place[1].into()], problem));
    if p.format != 1 {
        return Err(source.fault(&["format".into()], "must be 1"));
    }
    for (name, [share, of]) in
        [("elite", p.shaken.elite), ("normal", p.shaken.normal), ("poor", p.shaken.poor)]
    {
        if share == 0 || of == 0 || share > of {
            return wrong(["shaken", name], "must be a share such as [1, 2]");
        }
    }
    for (name, [share, of]) in [("quarter", p.morale.quarter), ("half", p.morale.half)] {
        if share == 0 || of == 0 || share > of {
            return wrong(["morale", name], "must be a share such as [1, 4]");
        }
    }
    if p.fire.figures_per_die == 0 {
        return wrong(["fire", "figures_per_die"], "must be at least 1");
    }
    if p.melee.figures_per_die == 0 {
        return wrong(["melee", "figures_per_die"], "must be at least 1");
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

fn read_events(source: &Source, numbers: &EventNumbers) -> Result<Vec<(EventCard, EventText)>, Fault> {
    #[derive(Deserialize)]
    struct File {
        format: u32,
        #[serde(flatten)]
        cards: BTreeMap<String, EventText>,
    }
    let file: File = source.parse()?;
    if file.format != 1 {
        return Err(source.fault(&["format".into()], "must be 1"));
    }
    let mut events = Vec::new();
    for (name, text) in file.cards {
        let Some(card) = EventCard::ALL.into_iter().find(|c| c.name() == name) else {
            let all: Vec<_> = EventCard::ALL.into_iter().map(EventCard::name).collect();
            let problem = format!("is no event of this rulebook; there is {}", all.join(", "));
            return Err(source.fault(&[name.as_str().into()], problem));
        };
        if text.count > 8 {
            return Err(source.fault(&[name.as_str().into(), "count".into()], "at most 8 of a card"));
        }
        let text = EventText { text: numbers.told(&text.text), ..text };
        events.push((card, text));
    }
    events.put_in_order_of(|(card, _)| *card);
    Ok(events)
}

fn read_armies(source: &Source) -> Result<BTreeMap<String, ArmyList>, Fault> {
    #[derive(Deserialize)]
    struct File {
        format: u32,
        #[serde(flatten)]
        lists: BTreeMap<String, ArmyList>,
    }
    let file: File = source.parse()?;
    if file.format != 1 {
        return Err(source.fault(&["format".into()], "must be 1"));
    }
    for (code, list) in &file.lists {
        for (i, entry) in list.entry.iter().enumerate() {
            let place = [code.as_str().into(), "entry".into(), i.into()];
            if entry.sub_units == 0 || entry.sub_units > 6 {
                return Err(source.fault(&place, "sub_units must be 1 to 6"));
            }
            if entry.min > entry.max {
                return Err(source.fault(&place, "min is more than max"));
            }
        }
    }
    Ok(file.lists)
}

tricorne_drill::books! { tricorne_rulebook_von_futsch::FILES, "uniforms.toml" }

/// The scenarios.
pub const SCENARIOS: &[ScenarioText] = &[
    ScenarioText::new("the-ford", page!("scenarios/the-ford.toml")),
    ScenarioText::new("san-pietro", page!("scenarios/san-pietro.toml")),
    ScenarioText::new("convoy-to-danzig", page!("scenarios/convoy-to-danzig.toml"))
        .favouring("Russians, 61 of 100"),
    ScenarioText::new("the-two-millers", page!("scenarios/the-two-millers.toml")),
    ScenarioText::new("encounter", page!("scenarios/encounter.toml")),
];
