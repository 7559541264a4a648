//! A proof-reader: the stories of many battles are read as a person would, line by line and action by action, against a
//! list of faults.

mod course;
mod line;

use std::collections::BTreeSet;
use std::ops::Range;

use tricorne_chance::{Draw, Drawn, Whim};
use tricorne_game::view::View;
use tricorne_game::{AnySystem, Choices, Event, Seat, Source, Story, Umpire};

use course::Course;

/// Fights every scenario once for each seed, at random, reads what was told, and panics with the faults found and an
/// example of each.
pub fn stories_read_well(system: &'static dyn AnySystem, seeds: Range<u64>) {
    let mut found: Vec<String> = Vec::new();
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    for scenario in system.scenarios() {
        for seed in seeds.clone() {
            let source = Source::new(scenario.id, scenario.text);
            let mut umpire = Umpire::begin(system, &source, &Choices::default(), seed.into())
                .unwrap_or_else(|f| panic!("{f}"));
            let mut whim = Whim::new(seed, 4);
            let mut reader = Reader { codes: ids(scenario.text), ..Reader::default() };
            let mut read = |umpire: &Umpire| {
                for (fault, line) in reader.read(umpire) {
                    if kinds.insert(fault.clone()) {
                        found.push(format!("{fault}\n    {} {seed}: {line}", scenario.id));
                    }
                }
            };
            read(&umpire);
            while let Some(seat) = umpire.battle().seat() {
                let action = umpire.battle().sample(&mut whim);
                umpire.act(seat, &action).unwrap_or_else(|e| panic!("{} {action}: {e}", scenario.id));
                read(&umpire);
            }
        }
    }
    assert!(
        found.is_empty(),
        "{} faults in the stories of {}:\n{}",
        found.len(),
        system.about().id,
        found.join("\n")
    );
}

/// Somebody who reads one battle from its first line to its last.
#[derive(Default)]
struct Reader {
    /// Ids of the scenario and of whoever was seen in the battle: names of the program, not of the field.
    codes: BTreeSet<String>,
    /// What the seats saw of each other's secrets when last looked at, for the names.
    seats: Vec<View>,
    /// How many actions have been read.
    read: usize,
    course: Course,
}

/// Armies are bought and hidden in the first actions: until then every seat is looked at, and later now and then.
const SETTING_UP: usize = 60;

/// Words of an ending.
const ENDINGS: [&str; 6] =
    [" won", "drawn:", "ictory", "day went to", "battle was over", "gave the battle up"];

impl Reader {
    /// Reads what the last action brought; gives the faults, each with its line.
    fn read(&mut self, umpire: &Umpire) -> Vec<(String, String)> {
        let battle = umpire.battle();
        let events = umpire.turned().last().map_or(umpire.prologue(), |t| &t.events);
        self.read += 1;
        if events.is_empty() {
            return Vec::new();
        }
        let spectator = battle.view(None);
        if self.read <= SETTING_UP || self.read.is_multiple_of(SETTING_UP) {
            let seats = 0..spectator.seats.len() as u8;
            self.seats = seats.map(|seat| battle.view(Some(Seat(seat)))).collect();
        }
        let names: Vec<View> = self.seats.iter().cloned().chain([spectator.clone()]).collect();
        let units = || names.iter().flat_map(|view| &view.units);
        self.codes.extend(units().filter(|u| !u.name.is_empty()).map(|u| u.id.to_string()));
        let many: BTreeSet<String> = units()
            .filter(|u| !u.kind.contains("eneral") && !u.kind.contains("ommander"))
            .map(|u| u.name.clone())
            .collect();
        let foot: BTreeSet<String> =
            units().filter(|u| on_foot(&u.kind)).map(|u| u.name.clone()).filter(|n| !n.is_empty()).collect();
        let sides: Vec<String> = spectator.sides.iter().map(|side| side.name.clone()).collect();
        let story = Story::over(umpire.system().stories(), &names);
        let told: Vec<(&Event, String)> =
            events.iter().filter_map(|event| story.tell(event).map(|line| (event, line))).collect();
        let mut faults = Vec::new();
        for (event, line) in &told {
            let mut codes = self.codes.clone();
            codes.extend(event.who.iter().chain(&event.whom).map(ToString::to_string));
            let of_line = line::faults(line, &codes).into_iter();
            let of_line =
                of_line.chain(line::disagreement(line, &many)).chain(line::against_measure(event, line));
            let of_line = of_line.chain(line::against_count(event, line));
            let of_line = of_line.chain(line::rides_on_foot(line, &foot));
            let of_line = of_line.chain(line::against_half(event, line));
            let of_line = of_line.chain(line::without_article(line, &sides, &many));
            faults.extend(of_line.map(|fault| (fault, line.clone())));
        }
        faults.extend(self.course.read(&told, &spectator.units));
        let draws = umpire.turned().last().map_or([].as_slice(), |t| &t.draws);
        // The dice of setting up, for ground and armies, are told by what they came to.
        if spectator.clock.turn > 0 {
            faults.extend(untold(draws, events).map(|fault| (fault, String::new())));
        }
        if battle.seat().is_none()
            && !told.iter().any(|(_, line)| ENDINGS.iter().any(|end| line.contains(end)))
        {
            let last = told.last().map(|(_, line)| line.clone()).unwrap_or_default();
            faults.push(("a battle that ends without a word".into(), last));
        }
        faults
    }
}

/// A die that was thrown and stands in no event: nobody can tell it. The prologue's dice are not kept.
fn untold(draws: &[Draw], events: &[Event]) -> Option<String> {
    let mut told: Vec<u8> = events.iter().flat_map(|event| event.faces.iter().copied()).collect();
    draws.iter().filter(|draw| !draw.hidden()).find_map(|draw| {
        let Drawn::Dice(faces) = &draw.came else { return None };
        let kept = |face: &u8| told.iter().position(|t| t == face).map(|at| told.swap_remove(at)).is_some();
        (!faces.iter().all(kept)).then(|| format!("a die that no event tells: `{}`", draw.purpose))
    })
}

/// Whether troops of a kind go on foot.
fn on_foot(kind: &str) -> bool {
    let kind = kind.to_lowercase();
    ["infantry", "skirmish", "foot"].iter().any(|word| kind.contains(word)) && !kind.contains("mounted")
}

/// Every id that a scenario file gives, but for those that are words: of a name in it, or plain ones (`red`).
fn ids(text: &str) -> BTreeSet<String> {
    fn gather(value: &toml::Value, ids: &mut BTreeSet<String>, words: &mut BTreeSet<String>) {
        match value {
            toml::Value::Table(table) => {
                for (key, value) in table {
                    match (key.as_str(), value.as_str()) {
                        ("id", Some(id)) => drop(ids.insert(id.to_owned())),
                        ("name" | "title", Some(name)) => words.extend(name.split(' ').map(str::to_owned)),
                        _ => gather(value, ids, words),
                    }
                }
            }
            toml::Value::Array(list) => list.iter().for_each(|value| gather(value, ids, words)),
            _ => {}
        }
    }
    let (mut ids, mut words) = (BTreeSet::new(), BTreeSet::new());
    let file: toml::Table = toml::from_str(text).unwrap_or_else(|e| panic!("{e}"));
    gather(&toml::Value::Table(file), &mut ids, &mut words);
    let is_code = |id: &String| id.chars().any(|c| c.is_uppercase() || c.is_numeric());
    ids.difference(&words).filter(|id| is_code(id)).cloned().collect()
}
