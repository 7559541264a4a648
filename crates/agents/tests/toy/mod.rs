//! Battles of a few stones, small enough that the right answer is known.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tricorne_chance::{Chance, Whim};
use tricorne_game::view::{Clock, Livery, SideView, TableView, View};
use tricorne_game::{
    Battle, Ending, Illegal, Legal, Log, Pending, Preview, Proposal, School, Seat, SeatInfo, Side,
};
use tricorne_table::LengthUnit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// So many stones from the pile. Whoever takes the last one wins.
    Take(u8),
    /// Ends it: won if the door is not the mined one.
    Door(u8),
    /// Ends it: won on so much or more on a die.
    Roll(u8),
}

#[derive(Clone, Debug, Serialize)]
pub struct Toy {
    pub pile: u8,
    /// Which of the three doors is mined; only seat 1 knows. None: there are no doors.
    pub mined: Option<u8>,
    /// What the die needs, for each gamble on offer.
    pub gambles: Vec<u8>,
    /// Seats 0 and 2 are one team.
    pub seats: u8,
    pub seat: u8,
    pub winner: Option<u8>,
    /// What an action takes.
    #[serde(skip)]
    pub pause: Duration,
    /// How well the answers look, in their order; alike if there is none.
    pub promises: Vec<f64>,
    /// How every position stands, where that is said.
    pub standing: Option<f64>,
    /// More promise for the last answer, by weights of one's own.
    pub last: f64,
}

impl Toy {
    pub fn stones(pile: u8) -> Self {
        Self {
            pile,
            mined: None,
            gambles: Vec::new(),
            seats: 2,
            seat: 0,
            winner: None,
            pause: Duration::ZERO,
            promises: Vec::new(),
            standing: None,
            last: 0.0,
        }
    }
}

impl Battle for Toy {
    type Action = Act;
    type State = Toy;

    fn begin(&mut self, _: &mut dyn Chance, _: &mut Log) {}

    fn pending(&self) -> Pending {
        match self.winner {
            Some(winner) => Pending::Over(Ending {
                winner: Some(Side(winner)),
                grade: "victory".into(),
                reason: "it is over".into(),
                scores: Vec::new(),
                clause: "TOY-1".into(),
            }),
            None => Pending::Decision {
                seat: Seat(self.seat),
                kind: "act".into(),
                unit: None,
                prompt: "Act.".into(),
            },
        }
    }

    fn legal(&self) -> Legal<Act> {
        let mut listed: Vec<Act> = (1..=self.pile.min(3)).map(Act::Take).collect();
        if self.mined.is_some() {
            listed.extend((0..3).map(Act::Door));
        }
        listed.extend(self.gambles.iter().map(|&g| Act::Roll(g)));
        Legal::listed(listed)
    }

    fn check(&self, action: &Act) -> Result<(), Illegal> {
        let legal = self.winner.is_none() && self.legal().listed.contains(action);
        if legal { Ok(()) } else { Err(Illegal::new("TOY-2", "not on offer")) }
    }

    fn preview(&self, action: &Act) -> Result<Preview, Illegal> {
        self.check(action).map(|()| Preview::default())
    }

    fn sample(&self, whim: &mut Whim) -> Act {
        whim.one_of(&self.legal().listed).cloned().unwrap_or(Act::Take(1))
    }

    fn candidates(&self, n: usize, _: &mut Whim) -> Vec<Act> {
        let mut listed = self.legal().listed;
        listed.truncate(n);
        listed
    }

    fn apply(&mut self, action: &Act, chance: &mut dyn Chance, _: &mut Log) -> Result<(), Illegal> {
        self.check(action)?;
        std::thread::sleep(self.pause);
        let (me, other) = (self.seat % 2, 1 - self.seat % 2);
        match action {
            Act::Take(n) => {
                self.pile -= n;
                self.winner = (self.pile == 0).then_some(me);
            }
            Act::Door(door) => self.winner = Some(if self.mined == Some(*door) { other } else { me }),
            Act::Roll(least) => {
                self.winner = Some(if chance.d6("gamble") >= *least { me } else { other });
            }
        }
        self.seat = (self.seat + 1) % self.seats;
        Ok(())
    }

    fn heed(&mut self, school: &School) {
        if let School::Own(own) = school {
            self.last = own.weighs.get("last").copied().unwrap_or(0.0);
        }
    }

    fn standing(&self, _: Seat) -> f64 {
        self.standing.unwrap_or(0.0)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Act>> {
        let actions = self.candidates(most, whim);
        let last = actions.len().saturating_sub(1);
        let promise =
            |i: usize| self.promises.get(i).unwrap_or(&0.5) + if i == last { self.last } else { 0.0 };
        actions.into_iter().enumerate().map(|(i, action)| Proposal::new(action, promise(i))).collect()
    }

    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Self {
        let mined = self.mined.map(|m| if seat == Seat(1) { m } else { whim.below(3) as u8 });
        Self { mined, ..self.clone() }
    }

    fn view(&self, seat: Option<Seat>) -> View {
        let side = |name: &str, livery| SideView {
            name: name.into(),
            livery,
            flag: None,
            score: None,
            tallies: Vec::new(),
        };
        View {
            ruleset: "toy".into(),
            title: "Stones".into(),
            seat,
            sides: vec![side("Red", Livery::Red), side("Blue", Livery::Blue)],
            seats: (0..self.seats)
                .map(|s| SeatInfo { seat: Seat(s), side: Side(s % 2), name: format!("Seat {s}") })
                .collect(),
            table: TableView { width: 1.0, height: 1.0, unit: LengthUnit::Inch },
            terrain: Vec::new(),
            units: Vec::new(),
            tokens: Vec::new(),
            clock: Clock::default(),
            cards: Vec::new(),
            pending: self.pending(),
        }
    }

    fn state(&self) -> &Toy {
        self
    }

    fn facts(&self) -> Value {
        json!({ "pile": self.pile })
    }

    fn broken_invariants(&self) -> Vec<String> {
        Vec::new()
    }
}
