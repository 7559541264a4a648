//! The rulebook as data: compiled in, each file replaceable by one of the user's own.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

use serde::{Deserialize, Serialize};
use tricorne_drill::words::{Numbers, filled};
use tricorne_game::{Choices, Fault, InOrder, Judgement, ScenarioText, Source};

use crate::JsonSchema;
use crate::charts::PROFILES;
pub use crate::charts::{Musket, Pace, Profiles, Share, inch};
use crate::events::EventCard;
use crate::judgement::weights::Wits;
use crate::model::{Kind, Quality};

/// A file of the rulebook.
macro_rules! page {
    ($path:literal) => {
        const { tricorne_drill::page(tricorne_rulebook_von_futsch::FILES, $path) }
    };
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
    /// Points, a regimental commander included, where it is not what its units cost (VF-SCEN-04).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<u32>,
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

const EVENTS: &str = page!("events.toml");
const ARMIES: &str = page!("armies.toml");
const JUDGEMENT: &str = page!("judgement.toml");
/// What goes on paper.
pub const SHEET: &str = page!("sheet.toml");
/// What an editor needs to know of the scenario files.
pub const DRAFTING: &str = page!("drafting.toml");

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
        let known = data_files().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        if let Some(name) = choices.data.keys().find(|name| !known.contains(&name.as_str())) {
            let why = format!("is no file of this rulebook; there is {}", known.join(", "));
            return Err(Source::new(name.as_str(), "").fault(&[], why));
        }
        let file =
            |name: &str, own: &str| Source::new(name, choices.data.get(name).map_or(own, String::as_str));
        let (profiles, numbers) = crate::charts::read(choices)?;
        let numbers = Numbers::default().with("profiles", numbers);
        let events = read_events(&file("events.toml", EVENTS), &numbers)?;
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

fn read_events(source: &Source, numbers: &Numbers) -> Result<Vec<(EventCard, EventText)>, Fault> {
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
        let Some(card) = EventCard::named(&name) else {
            let all: Vec<_> = EventCard::ALL.into_iter().map(EventCard::name).collect();
            let problem = format!("is no event of this rulebook; there is {}", all.join(", "));
            return Err(source.fault(&[name.as_str().into()], problem));
        };
        if text.count > 8 {
            return Err(source.fault(&[name.as_str().into(), "count".into()], "at most 8 of a card"));
        }
        let told = filled(&text.text, &|inside| numbers.told(&format!("events.{inside}"), None));
        if told.contains('{') {
            let why = format!("names a number that is not in [events] of profiles.toml: {told}");
            return Err(source.fault(&[name.as_str().into(), "text".into()], why));
        }
        let text = EventText { text: told, ..text };
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
            if list.entry[..i].iter().any(|other| other.id == entry.id) {
                return Err(source.fault(&place, format!("`{}` stands twice in its list", entry.id)));
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
