//! Events told in words.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::view::{UnitView, View};
use crate::{AnyBattle, DiceRead, Event, Seat, UnitId};

mod book;
mod dice;
mod words;

pub use book::StoryBook;
use dice::{aimed, faces, least, pool, quantity, sum};
use words::{begins_sentence, counted, drop_article, faceless, is_definite, number, unclaused};
pub use words::{capitalised, compass, in_words, side_in_words};

/// How much of its dice and clauses a sentence tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    /// All of it.
    Whole,
    /// What came of the dice; faces, reasons and clauses are shown beside it.
    Brief,
    /// Nothing of the dice.
    Gist,
}

impl Manner {
    /// What rules have put into an event in words, which may name clauses in brackets.
    fn said(self, text: &str) -> String {
        if self == Manner::Whole { text.to_owned() } else { unclaused(text) }
    }
}

/// An event in words, in three lengths. Names and measures are the same in each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Telling {
    /// Every die, every modifier with its clause, and the clauses applied at the end.
    pub whole: String,
    /// What came of the dice: for whoever shows faces, modifiers and clauses beside it.
    pub brief: String,
    /// Without its dice: who did what to whom, and what came of it.
    pub gist: String,
    /// It only announces what comes.
    pub heading: bool,
    /// Whoever tells of the whole battle would not leave it out.
    pub notable: bool,
    /// What its dice are, where they are more than their faces.
    pub dice: Option<DiceRead>,
}

/// Who is told.
enum Listener {
    /// The umpire, who knows everything.
    Umpire,
    /// A seat, or a spectator.
    Seat(Option<Seat>),
}

/// Tells events of one battle.
pub struct Story<'a> {
    book: &'a StoryBook,
    names: BTreeMap<UnitId, String>,
    listener: Listener,
}

/// Headings that wait for something to come under them; see [`Story::tell_on`].
#[derive(Clone, Debug, Default)]
pub struct HeldHeadings(Vec<(usize, String)>);

impl HeldHeadings {
    /// What waits, to be told now: somebody is asked under it.
    pub fn told(&mut self) -> impl Iterator<Item = String> {
        self.0.drain(..).map(|(_, line)| line)
    }
}

impl<'a> Story<'a> {
    /// Tells with the names a view gives; everything, secrets included (the umpire's story).
    pub fn new(book: &'a StoryBook, view: &View) -> Self {
        Self::over(book, std::slice::from_ref(view))
    }

    /// The same with the names of several views: what one side keeps to itself has a name too.
    pub fn over(book: &'a StoryBook, views: &[View]) -> Self {
        let units: BTreeMap<UnitId, &UnitView> =
            views.iter().flat_map(|view| &view.units).map(|u| (u.id, u)).collect();
        let names = units.values().map(|u| {
            let twin = |v: &&UnitView| v.id != u.id && v.name == u.name;
            let name = if u.name.is_empty() || u.name == u.id.as_str() {
                format!("{} {}", u.kind, u.id)
            } else if units.values().any(twin) {
                format!("{} ({})", u.name, u.id)
            } else {
                u.name.clone()
            };
            (u.id, name)
        });
        Self { book, names: names.collect(), listener: Listener::Umpire }
    }

    /// The umpire's story of a battle: everything is told, and whoever a seat knows of is told by name.
    pub fn of(book: &'a StoryBook, battle: &dyn AnyBattle) -> Self {
        let spectator = battle.view(None);
        let seats = 0..spectator.seats.len() as u8;
        let seen = seats.map(|seat| battle.view(Some(Seat(seat))));
        let views: Vec<View> = std::iter::once(spectator).chain(seen).collect();
        Self::over(book, &views)
    }

    /// Only what a seat (or a spectator) may know.
    #[must_use]
    pub fn told_to(mut self, seat: Option<Seat>) -> Self {
        self.listener = Listener::Seat(seat);
        self
    }

    /// An event in a sentence; none if the listener may not know of it.
    pub fn tell(&self, event: &Event) -> Option<String> {
        let mut text = self.sentence(event, Manner::Whole)?;
        if !event.clauses.is_empty() {
            text.push_str(&format!(" [{}]", event.clauses.join(", ")));
        }
        Some(text)
    }

    /// The same in each of its lengths.
    pub fn telling(&self, event: &Event) -> Option<Telling> {
        Some(Telling {
            whole: self.tell(event)?,
            brief: self.sentence(event, Manner::Brief)?,
            gist: self.sentence(event, Manner::Gist)?,
            heading: self.book.heading(event).is_some(),
            notable: self.book.is_notable(event),
            dice: event.dice().map(|dice| match self.book.line(event) {
                Some(line) if line.contains("{saves}") => DiceRead::Saves,
                _ => dice,
            }),
        })
    }

    fn sentence(&self, event: &Event, manner: Manner) -> Option<String> {
        if matches!(self.listener, Listener::Seat(seat) if !event.known_to(seat)) {
            return None;
        }
        let text = match self.book.line(event) {
            Some("") => return None,
            Some(line) => self.fill(line, event, manner),
            None => self.plain(event, manner),
        };
        (!text.is_empty()).then(|| capitalised(&text))
    }

    /// Events as they come, in sentences. Headings are held back until something comes under them, be it with later events:
    /// a phase in which nothing happened is not told.
    pub fn tell_on<'e>(
        &self,
        events: impl IntoIterator<Item = &'e Event>,
        held: &mut HeldHeadings,
    ) -> Vec<String> {
        let mut told = Vec::new();
        for event in events {
            let Some(line) = self.tell(event) else { continue };
            match self.book.heading(event) {
                Some(weight) => {
                    held.0.retain(|(above, _)| *above < weight);
                    held.0.push((weight, line));
                }
                None => {
                    told.extend(held.told());
                    told.push(line);
                }
            }
        }
        told
    }

    /// Events in sentences, each with the event it tells. A heading with nothing under it is left out: a phase in which
    /// nothing happened is not told.
    pub fn tell_all<'e>(&self, events: impl IntoIterator<Item = &'e Event>) -> Vec<(&'e Event, Telling)> {
        let mut told: Vec<(&Event, Telling)> = Vec::new();
        for event in events {
            let Some(line) = self.telling(event) else { continue };
            if let Some(weight) = self.book.heading(event) {
                while told
                    .last()
                    .and_then(|(last, _)| self.book.heading(last))
                    .is_some_and(|last| last >= weight)
                {
                    told.pop();
                }
            }
            told.push((event, line));
        }
        told
    }

    fn name(&self, unit: Option<UnitId>) -> String {
        unit.map_or_else(String::new, |u| self.names.get(&u).cloned().unwrap_or_else(|| u.to_string()))
    }

    fn fill(&self, line: &str, event: &Event, manner: Manner) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some((before, after)) = rest.split_once('{') {
            text.push_str(before);
            let Some(end) = closing(after) else {
                text.push('{');
                rest = after;
                continue;
            };
            rest = &after[end + 1..];
            let written = &after[..end];
            if manner == Manner::Gist && ["sum", "pool", "aimed", "saves"].contains(&written) {
                // With the dice goes the colon that led up to them.
                text.truncate(text.strip_suffix(": ").unwrap_or(&text).len());
                continue;
            }
            if manner != Manner::Whole
                && written == "faces"
                && let Some((kept, after)) = faceless(&text, rest)
            {
                text.truncate(kept);
                rest = after;
                continue;
            }
            let placed = self.placed(written, event, manner);
            if is_definite(&placed) {
                drop_article(&mut text);
            }
            match placed.strip_prefix("The ") {
                Some(name) if !begins_sentence(&text) => text.extend(["the ", name]),
                _ => text.push_str(&placed),
            }
        }
        text + rest
    }

    /// What stands for a placeholder.
    fn placed(&self, written: &str, event: &Event, manner: Manner) -> String {
        if let Some((key, inner)) = written.strip_prefix('?').and_then(|w| w.split_once(' ')) {
            return if is_something(key, event) { self.fill(inner, event, manner) } else { String::new() };
        }
        if let Some(inner) = written.strip_prefix('~') {
            return if manner == Manner::Gist { String::new() } else { self.fill(inner, event, manner) };
        }
        if let Some(key) = written.strip_suffix(" as compass") {
            return compass(quantity(key, event).unwrap_or_default()).to_owned();
        }
        match written.split_once(' ').and_then(|(key, forms)| Some((key, forms.split_once('|')?))) {
            Some((key, (one, many))) => {
                let n = quantity(key, event).unwrap_or_default();
                match one.strip_prefix('=') {
                    Some(one) => if number(n) == "1" { one } else { many }.to_owned(),
                    None => counted(n, one, many),
                }
            }
            None => self.value(written, event, manner),
        }
    }

    fn value(&self, key: &str, event: &Event, manner: Manner) -> String {
        match key {
            "who" => self.name(event.who),
            "whom" => self.name(event.whom),
            "faces" => faces(&event.faces),
            "needed" => event.needed.map_or_else(String::new, |n| number(f64::from(n))),
            "made" => event.made.map_or_else(String::new, |n| number(f64::from(n))),
            "least" => event.needed.map_or_else(String::new, least),
            "outcome" => event.outcome.clone().unwrap_or_default(),
            "sum" => sum(event, manner),
            "pool" => pool(event, ["hitting", "hit", "hits"], manner),
            "aimed" => aimed(event, manner),
            "saves" => pool(event, ["saving", "save", "saves"], manner),
            name => match event.data.get(name) {
                Some(Value::String(text)) => {
                    match text.parse::<UnitId>().ok().filter(|u| self.names.contains_key(u)) {
                        Some(unit) => self.name(Some(unit)),
                        None => manner.said(text),
                    }
                }
                Some(Value::Number(n)) => number(n.as_f64().unwrap_or_default()),
                Some(other) => other.to_string(),
                None => format!("{{{name}}}"),
            },
        }
    }

    /// An event without a sentence of its own, told from its parts.
    fn plain(&self, event: &Event, manner: Manner) -> String {
        let mut text = format!("{} {}", event.what.replace('_', " "), self.name(event.who));
        if event.whom.is_some() {
            text.push_str(&format!(" → {}", self.name(event.whom)));
        }
        if !event.faces.is_empty() && manner != Manner::Gist {
            text.push_str(&format!(": {}", sum(event, manner)));
        }
        for (name, value) in &event.data {
            text.push_str(&format!(", {} {value}", name.replace('_', " ")));
        }
        if let Some(outcome) = &event.outcome {
            text.push_str(&format!(": {outcome}"));
        }
        text
    }
}

/// Where the brace that was opened before `text` closes, those inside it apart.
fn closing(text: &str) -> Option<usize> {
    let mut deep = 0_u32;
    for (i, letter) in text.char_indices() {
        match letter {
            '{' => deep += 1,
            '}' if deep == 0 => return Some(i),
            '}' => deep -= 1,
            _ => {}
        }
    }
    None
}

/// Whether there is such a thing in the event, and it is neither nothing nor none.
fn is_something(key: &str, event: &Event) -> bool {
    match key {
        "who" => event.who.is_some(),
        "whom" => event.whom.is_some(),
        "faces" => !event.faces.is_empty(),
        "outcome" => event.outcome.is_some(),
        "made" | "needed" => quantity(key, event).is_some_and(|n| n != 0.0),
        name => match event.data.get(name) {
            None | Some(Value::Null | Value::Bool(false)) => false,
            Some(Value::String(text)) => !text.is_empty() && text != "none",
            Some(Value::Number(n)) => n.as_f64() != Some(0.0),
            Some(Value::Array(list)) => !list.is_empty(),
            Some(_) => true,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Modifier, Source};

    fn told(line: &str, event: &Event) -> String {
        let lines = BTreeMap::from([(event.what.clone(), line.to_owned())]);
        let book = StoryBook { lines, ..StoryBook::default() };
        let story = Story { book: &book, names: BTreeMap::new(), listener: Listener::Umpire };
        story.tell(event).unwrap_or_default()
    }

    #[test]
    fn a_heading_with_nothing_under_it_is_not_told() {
        let text = "headings = ['turn', 'step']\nturn = 'Turn.'\nstep = 'Step {n}.'\nshot = 'A shot.'";
        let book = StoryBook::read(&Source::new("story.toml", text)).unwrap();
        let story = Story { book: &book, names: BTreeMap::new(), listener: Listener::Umpire };
        let event = |what: &str, n: i32| Event { what: what.into(), ..Event::default() }.with("n", n);
        let told = |events: &[Event]| -> String {
            story.tell_all(events).into_iter().map(|(_, told)| told.whole).collect::<Vec<_>>().join(" ")
        };
        let day = [
            event("step", 1),
            event("step", 2),
            event("shot", 0),
            event("step", 3),
            event("turn", 0),
            event("step", 4),
        ];
        assert_eq!(told(&day), "Step 2. A shot. Turn. Step 4.");
        assert_eq!(told(&day[..1]), "Step 1.", "somebody is asked in it");
    }

    #[test]
    fn a_heading_waits_for_what_comes_under_it() {
        let text = "headings = ['turn', 'step']\nturn = 'Turn.'\nstep = 'Step {n}.'\nshot = 'A shot.'";
        let book = StoryBook::read(&Source::new("story.toml", text)).unwrap();
        let story = Story { book: &book, names: BTreeMap::new(), listener: Listener::Umpire };
        let event = |what: &str, n: i32| Event { what: what.into(), ..Event::default() }.with("n", n);
        let mut held = HeldHeadings::default();
        assert!(story.tell_on(&[event("turn", 0), event("step", 1)], &mut held).is_empty());
        assert!(story.tell_on(&[event("step", 2)], &mut held).is_empty());
        assert_eq!(story.tell_on(&[event("shot", 0)], &mut held), ["Turn.", "Step 2.", "A shot."]);
        assert!(story.tell_on(&[event("step", 3)], &mut held).is_empty());
        assert_eq!(held.told().collect::<Vec<_>>(), ["Step 3."]);
        assert_eq!(story.tell_on(&[event("shot", 0)], &mut held), ["A shot."]);
    }

    #[test]
    fn names_keep_their_own_capitals_and_articles() {
        let event = |name: &str| Event { what: "moves".into(), ..Event::default() }.with("name", name);
        for (name, text) in [
            ("24th Foot", "The 24th Foot moved."),
            ("the Buffs", "The Buffs moved."),
            ("Lawton's rifles", "Lawton's rifles moved."),
            ("uThulwana", "The uThulwana moved."),
        ] {
            assert_eq!(told("the {name} moved.", &event(name)), text);
        }
        assert_eq!(told("{name} moved.", &event("uThulwana")), "uThulwana moved.");
        assert_eq!(told("They hit the {name}.", &event("the Buffs")), "They hit the Buffs.");
        assert_eq!(told("They hit {name}.", &event("The Buffs")), "They hit the Buffs.");
        assert_eq!(told("They hit. {name} ran.", &event("The Buffs")), "They hit. The Buffs ran.");
    }

    #[test]
    fn a_bearing_is_a_point_of_the_compass() {
        for (facing, text) in [(0.0, "North."), (180.0, "South."), (232.8, "South-west."), (359.0, "North.")]
        {
            let event = Event { what: "turns".into(), ..Event::default() }.with("facing", facing);
            assert_eq!(told("{facing as compass}.", &event), text);
        }
    }

    #[test]
    fn numbers_agree_with_their_nouns() {
        let line = "{losses man|men} {losses =falls|fall}.";
        for (losses, text) in
            [(0, "No men fall."), (1, "One man falls."), (3, "Three men fall."), (14, "14 men fall.")]
        {
            let event = Event { what: "losses".into(), ..Event::default() }.with("losses", losses);
            assert_eq!(told(line, &event), text);
        }
    }

    #[test]
    fn what_is_not_there_is_not_told() {
        let line = "they move {distance} inches{?cost , at a cost of {cost}}{?whom , towards {whom}}.";
        let event = Event { what: "move".into(), ..Event::default() }.with("distance", 4.7981);
        assert_eq!(told(line, &event), "They move 4.8 inches.");
        assert_eq!(told(line, &event.clone().with("cost", 6)), "They move 4.8 inches, at a cost of 6.");
        assert_eq!(told("", &event), "");
        assert_eq!(told("{?cost It cost {cost}.}", &event), "");
    }

    #[test]
    fn hits_are_told_as_hits() {
        let event = Event { what: "fire".into(), ..Event::default() }
            .faces(&[6, 5, 1])
            .modifiers(vec![Modifier::new(3, "muskets", "TOY-01")])
            .needed(5)
            .made(2);
        assert_eq!(
            told("{pool}.", &event),
            "Three dice (+3 muskets [TOY-01]), hitting on 5+: 6 5 1, two hits."
        );
    }

    #[test]
    fn what_is_shown_beside_a_sentence_is_not_in_it() {
        let text = "notable = ['test.failed']\nfire = '{who}the Buffs fired: {aimed}{?made {~; {per hit|hits} to a man}}.'\n\
                    test = 'They tested {because}: {sum}. They ran.'\nfell = 'He fell (dice {faces}).'";
        let book = StoryBook::read(&Source::new("story.toml", text)).unwrap();
        let story = Story { book: &book, names: BTreeMap::new(), listener: Listener::Umpire };
        let fire = Event::new("fire", "TOY-FIRE-01").faces(&[6, 5, 1]).needed(5).made(2).with("per", 2);
        let fire = fire
            .modifiers(vec![Modifier::new(-1, "cover", "TOY-02-03")])
            .with("dice_why", "half [TOY-FIRE-02]");
        let told = story.telling(&fire).unwrap();
        assert_eq!(
            told.whole,
            "The Buffs fired: three dice (half [TOY-FIRE-02]), hitting on 5+ (−1 cover [TOY-02-03]): 6 5 1, two hits; \
             two hits to a man. [TOY-FIRE-01]"
        );
        assert_eq!(
            told.brief,
            "The Buffs fired: three dice (half), hitting on 5+: two hits; two hits to a man."
        );
        assert_eq!(told.gist, "The Buffs fired.");
        let test = Event::new("test", "TOY-TEST-01").faces(&[2, 3]).needed(8).made(4).outcome("failed");
        let test =
            test.modifiers(vec![Modifier::new(-1, "losses", "TOY-TEST-02")]).with("because", "under fire");
        let told = story.telling(&test).unwrap();
        assert_eq!(told.brief, "They tested under fire: 4 against 8. They ran.");
        assert_eq!((told.gist.as_str(), told.notable), ("They tested under fire. They ran.", true));
        let told = story.telling(&Event::new("fell", "TOY-GEN-01").faces(&[1, 2])).unwrap();
        assert_eq!((told.brief.as_str(), told.notable), ("He fell.", false));
        assert_eq!(told.whole, "He fell (dice 1 2). [TOY-GEN-01]");
        let shown = |line: &str| {
            let lines = BTreeMap::from([("shot".to_owned(), line.to_owned())]);
            let book = StoryBook { lines, ..StoryBook::default() };
            let story = Story { book: &book, names: BTreeMap::new(), listener: Listener::Umpire };
            story.telling(&Event::new("shot", "TOY-FIRE-01").faces(&[1, 6]).made(1)).map(|told| told.brief)
        };
        assert_eq!(shown("Shot: {faces}; {made hit|hits}.").unwrap(), "Shot: one hit.");
        assert_eq!(shown("In danger: {faces}. He fell.").unwrap(), "In danger. He fell.");
        assert_eq!(shown("They threw {faces} and ran.").unwrap(), "They threw 1 6 and ran.");
    }

    #[test]
    fn nothing_is_above_a_six() {
        let event = |needed| Event { what: "fire".into(), ..Event::default() }.faces(&[6, 2]).needed(needed);
        assert_eq!(told("{least}.", &event(5)), "5+.");
        assert_eq!(told("{least}.", &event(6)), "6.");
        assert_eq!(told("{pool}.", &event(6).made(1)), "Two dice, hitting on 6: 6 2, one hit.");
    }
}
