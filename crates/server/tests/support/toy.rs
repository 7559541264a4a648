//! A rule system just large enough to have everything a server must handle: dice, cards that only one seat knows, hidden
//! units, actions that draw nothing, places that can't be listed.

use std::sync::LazyLock;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tricorne_chance::{Bins, Chance, Whim};
use tricorne_game::view::{Arm, CardView, Clock, Livery, SideView, TableView, UnitView, View};
use tricorne_game::{
    About, Battle, Book, Choices, Ending, Event, Fault, Illegal, Legal, Log, OptionBook, Pending, Preview,
    Purpose, ScenarioText, Seat, SeatInfo, Side, Sight, Source, Space, Steer, StoryBook, System, UnitId,
    Wish,
};
use tricorne_table::{LengthUnit, Point, Pose};

/// The secret card's name starts so; no other seat's message may ever contain it.
pub const SECRET_CARD: &str = "stratagem-";

#[derive(Clone, Copy, Debug)]
pub struct Toy;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Act {
    March { unit: UnitId, to: (f64, f64) },
    Fire { unit: UnitId, at: UnitId },
    Draw {},
    Scout {},
    Pass {},
}

#[derive(Clone, Debug, Serialize)]
struct Piece {
    id: UnitId,
    side: u8,
    x: f64,
    y: f64,
    strength: u32,
    hidden: bool,
}

#[derive(Clone, Debug, Serialize)]
pub struct Field {
    turns: u32,
    turn: u32,
    seat: u8,
    marched: bool,
    pieces: Vec<Piece>,
    hands: [Vec<u8>; 2],
}

impl Field {
    fn next(&mut self) {
        self.marched = false;
        self.seat = 1 - self.seat;
        self.turn += 1;
    }

    fn piece(&self, id: UnitId) -> Option<&Piece> {
        self.pieces.iter().find(|p| p.id == id && p.strength > 0)
    }

    fn left(&self, side: u8) -> u32 {
        self.pieces.iter().filter(|p| p.side == side).map(|p| p.strength).sum()
    }

    fn targets(&self) -> Vec<Act> {
        let mine = self.pieces.iter().filter(|p| p.side == self.seat && p.strength > 0);
        mine.flat_map(|m| {
            let theirs = self.pieces.iter().filter(|p| p.side != self.seat && p.strength > 0 && !p.hidden);
            theirs.map(|t| Act::Fire { unit: m.id, at: t.id })
        })
        .collect()
    }
}

impl Battle for Field {
    type Action = Act;
    type State = Field;

    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let face = chance.d6("initiative");
        self.seat = u8::from(face > 3);
        log.say(|| Event::new("initiative", "TOY-TURN-01").faces(&[face]));
    }

    fn pending(&self) -> Pending {
        let (red, blue) = (self.left(0), self.left(1));
        if self.turn >= self.turns || red == 0 || blue == 0 {
            return Pending::Over(Ending {
                winner: (red != blue).then_some(Side(u8::from(blue > red))),
                grade: if red == blue { "draw" } else { "victory" }.into(),
                reason: format!("{red} against {blue}"),
                scores: vec![f64::from(red), f64::from(blue)],
                clause: "TOY-WIN-01".into(),
            });
        }
        Pending::Decision {
            seat: Seat(self.seat),
            kind: "act".into(),
            unit: None,
            prompt: "March, fire, draw, scout or pass.".into(),
        }
    }

    fn legal(&self) -> Legal<Act> {
        let mut listed = self.targets();
        listed.extend([Act::Draw {}, Act::Scout {}, Act::Pass {}]);
        let mut legal = Legal::listed(listed);
        if !self.marched {
            for p in self.pieces.iter().filter(|p| p.side == self.seat && p.strength > 0) {
                legal.spaces.push(Space {
                    action: "march".into(),
                    unit: Some(p.id),
                    allowance: Some(6.0),
                    shape: "{\"march\": {\"unit\", \"to\": [x, y]}}".into(),
                });
            }
        }
        legal
    }

    fn check(&self, action: &Act) -> Result<(), Illegal> {
        let own = |unit: &UnitId| match self.piece(*unit) {
            Some(p) if p.side == self.seat => Ok(p),
            _ => Err(Illegal::new("TOY-TURN-02", format!("{unit} is no unit of yours"))),
        };
        match action {
            Act::March { unit, to } => {
                let p = own(unit)?;
                if self.marched {
                    return Err(Illegal::new("TOY-MOVE-01", "one unit marches in a turn"));
                }
                let far = (to.0 - p.x).powi(2) + (to.1 - p.y).powi(2);
                let on_table = (0.0..=48.0).contains(&to.0) && (0.0..=48.0).contains(&to.1);
                if far <= 36.0 && on_table {
                    Ok(())
                } else {
                    Err(Illegal::new("TOY-MOVE-02", "a unit marches at most 6\" and stays on the table"))
                }
            }
            Act::Fire { unit, at } => {
                own(unit)?;
                match self.piece(*at) {
                    Some(p) if p.side != self.seat && !p.hidden => Ok(()),
                    _ => Err(Illegal::new("TOY-FIRE-01", "fire is at an enemy that is seen")),
                }
            }
            Act::Draw {} | Act::Scout {} | Act::Pass {} => Ok(()),
        }
    }

    fn preview(&self, action: &Act) -> Result<Preview, Illegal> {
        self.check(action)?;
        Ok(Preview { allowance: Some(6.0), ..Preview::default() })
    }

    fn sample(&self, whim: &mut Whim) -> Act {
        let some = self.candidates(32, whim);
        whim.one_of(&some).cloned().unwrap_or(Act::Pass {})
    }

    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Act> {
        let mut list = self.legal().listed;
        for p in self.pieces.iter().filter(|p| p.side == self.seat && p.strength > 0) {
            let to = (p.x + whim.between(-4.0, 4.0), p.y + whim.between(-4.0, 4.0));
            list.push(Act::March { unit: p.id, to });
        }
        list.retain(|a| self.check(a).is_ok());
        list.truncate(n);
        list
    }

    fn apply(&mut self, action: &Act, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Illegal> {
        self.check(action)?;
        let me = Seat(self.seat);
        match action {
            Act::March { unit, to } => {
                if let Some(p) = self.pieces.iter_mut().find(|p| p.id == *unit) {
                    (p.x, p.y) = *to;
                }
                self.marched = true;
                log.say(|| Event::new("march", "TOY-MOVE-01").who(*unit));
            }
            Act::Fire { unit, at } => {
                let tally = chance.pool("fire", 3, &Bins::at_least(5));
                let hits = u32::try_from(tally.hits()).unwrap_or_default();
                if let Some(p) = self.pieces.iter_mut().find(|p| p.id == *at) {
                    p.strength = p.strength.saturating_sub(hits);
                }
                log.say(|| {
                    Event::new("fire", "TOY-FIRE-01")
                        .who(*unit)
                        .whom(*at)
                        .faces(&tally.faces)
                        .made(hits as i32)
                });
                self.next();
            }
            Act::Draw {} => {
                let card =
                    chance.pick("stratagem", 10, &|i| format!("{SECRET_CARD}{i}")).unwrap_or_default() as u8;
                self.hands[usize::from(self.seat)].push(card);
                log.say(|| Event::new("draws", "TOY-CARD-01"));
                log.say(|| {
                    Event::new("holds", "TOY-CARD-01")
                        .with("card", format!("{SECRET_CARD}{card}"))
                        .only(&[me])
                });
                self.next();
            }
            Act::Scout {} => {
                let enemy = 1 - self.seat;
                self.pieces.iter_mut().filter(|p| p.side == enemy).for_each(|p| p.hidden = false);
                log.say(|| Event::new("scouts", "TOY-SEE-01"));
            }
            Act::Pass {} => {
                log.say(|| Event::new("passes", "TOY-TURN-01"));
                self.next();
            }
        }
        Ok(())
    }

    fn view(&self, seat: Option<Seat>) -> View {
        let side = |name: &str, livery| SideView {
            name: name.into(),
            livery,
            flag: None,
            score: None,
            tallies: Vec::new(),
        };
        let seats = ["Red", "Blue"].into_iter().zip(0..).map(|(name, i)| SeatInfo {
            seat: Seat(i),
            side: Side(i),
            name: name.into(),
        });
        let units =
            self.pieces.iter().filter(|p| !p.hidden || seat == Some(Seat(p.side))).map(|p| UnitView {
                id: p.id,
                name: String::new(),
                kind: "foot".into(),
                side: Side(p.side),
                seat: Seat(p.side),
                arm: Arm::Infantry,
                on_table: p.strength > 0,
                at: Point { x: p.x, y: p.y },
                facing: None,
                figures: Vec::new(),
                outline: Vec::new(),
                strength: (p.strength, 6),
                markers: Vec::new(),
                notes: Vec::new(),
                overlays: Vec::new(),
                group: None,
                facings: None,
                flag: None,
            });
        let cards = self.hands.iter().zip(0..).map(|(hand, i)| {
            let mine = seat == Some(Seat(i));
            CardView {
                pile: format!("hand {i}"),
                up: if mine {
                    hand.iter().map(|c| format!("{SECRET_CARD}{c}")).collect()
                } else {
                    Vec::new()
                },
                down: if mine { 0 } else { hand.len() },
            }
        });
        View {
            ruleset: "toy".into(),
            title: "The Hill".into(),
            seat,
            sides: vec![side("Red", Livery::Red), side("Blue", Livery::Blue)],
            seats: seats.collect(),
            table: TableView { width: 48.0, height: 48.0, unit: LengthUnit::Inch },
            terrain: Vec::new(),
            units: units.collect(),
            tokens: Vec::new(),
            clock: Clock {
                turn: self.turn,
                of: Some(self.turns),
                phase: "acts".into(),
                active: Some(Side(self.seat)),
            },
            cards: cards.collect(),
            pending: self.pending(),
        }
    }

    fn steer(&self, wish: &Wish) -> Steer<Act> {
        let unit = wish.unit.and_then(|u| self.piece(u)).filter(|p| p.side == self.seat);
        let Some(p) = unit else {
            return Steer::refused(Illegal::new("TOY-TURN-02", "that is no unit of yours"));
        };
        let (dx, dy) = (wish.place.x - p.x, wish.place.y - p.y);
        let far = (dx * dx + dy * dy).sqrt();
        let part = if far > 6.0 { 5.999 / far } else { 1.0 };
        let to = ((p.x + dx * part).clamp(0.0, 48.0), (p.y + dy * part).clamp(0.0, 48.0));
        let action = Act::March { unit: p.id, to };
        match self.check(&action) {
            Ok(()) => Steer {
                action: Some(action),
                end: Some(Pose { at: Point { x: to.0, y: to.1 }, facing: 0.0 }),
                why: (part < 1.0).then(|| Illegal::new("TOY-MOVE-02", "a unit marches at most 6\"")),
            },
            Err(why) => Steer::refused(why),
        }
    }

    fn sight(&self, from: UnitId, to: UnitId, _: Option<Seat>) -> Option<Sight> {
        let at = |id| self.piece(id).map(|p| Point { x: p.x, y: p.y });
        Some(Sight { clear: true, line: [at(from)?, at(to)?], why: None })
    }

    fn courses(&self, unit: UnitId) -> Vec<(String, Act)> {
        let mut courses = vec![("march".into(), Act::March { unit, to: (10.0, 10.0) })];
        let targets = self.pieces.iter().filter(|p| p.side != self.seat);
        courses.extend(targets.map(|p| ("fire".into(), Act::Fire { unit, at: p.id })));
        courses
    }

    fn state(&self) -> &Field {
        self
    }

    fn facts(&self) -> Value {
        json!({"turn": self.turn})
    }

    fn broken_invariants(&self) -> Vec<String> {
        Vec::new()
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Scenario {
    turns: u32,
}

impl System for Toy {
    type Battle = Field;

    fn about(&self) -> About {
        About { id: "toy", title: "Toy", blurb: "For tests.", unit: LengthUnit::Inch, revision: 1 }
    }

    fn secrets(&self) -> bool {
        true
    }

    fn book(&self) -> &'static Book {
        static BOOK: LazyLock<Book> =
            LazyLock::new(|| Book::read("## Fire\n- **TOY-FIRE-01** Three dice. *(src)*\n").unwrap());
        &BOOK
    }

    fn options(&self) -> &'static OptionBook {
        static OPTIONS: LazyLock<OptionBook> = LazyLock::new(|| {
            let text =
                "[fog]\ndefault = \"off\"\nothers = [\"on\"]\nclauses = [\"TOY-SEE-01\"]\nabout = \"Fog.\"\n";
            OptionBook::read(&Source::new("options.toml", text)).unwrap()
        });
        &OPTIONS
    }

    fn stories(&self) -> &'static StoryBook {
        static STORIES: LazyLock<StoryBook> = LazyLock::new(StoryBook::default);
        &STORIES
    }

    fn scenarios(&self) -> &'static [ScenarioText] {
        const HILLS: &[ScenarioText] =
            &[ScenarioText::new("hill", "turns = 60\n"), ScenarioText::new("long-hill", "turns = 100000\n")];
        HILLS
    }

    fn set_up(&self, file: &Source, _: &Choices, _: Purpose) -> Result<Field, Fault> {
        let scenario: Scenario = file.parse()?;
        let long = scenario.turns > 1000;
        let piece = |id: &str, side, x, y, hidden| Piece {
            id: id.parse().unwrap(),
            side,
            x,
            y,
            strength: if long { 1_000_000 } else { 6 },
            hidden,
        };
        Ok(Field {
            turns: scenario.turns,
            turn: 0,
            seat: 0,
            marched: false,
            pieces: vec![
                piece("R1", 0, 10.0, 10.0, false),
                piece("R2", 0, 20.0, 10.0, false),
                piece("Rhidden", 0, 5.0, 5.0, true),
                piece("B1", 1, 10.0, 40.0, false),
                piece("B2", 1, 20.0, 40.0, false),
                piece("Bhidden", 1, 30.0, 45.0, true),
            ],
            hands: [Vec::new(), Vec::new()],
        })
    }

    fn action_schema(&self) -> Value {
        schemars::schema_for!(<Self::Battle as tricorne_game::Battle>::Action).to_value()
    }

    fn scenario_schema(&self) -> Value {
        json!({"type": "object"})
    }
}
