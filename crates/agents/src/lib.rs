//! Players that are programs.
//!
//! A program decides from what the battle's protocol offers to anybody: [`Battle::sample`] and its kin. It has a
//! whim of its own and never sees the battle's dice.

use std::fmt;
use std::str::FromStr;

use serde_json::Value;
use tricorne_chance::{Seed, Whim};
use tricorne_game::{AnyBattle, Battle, Proposal, Seat};

/// How well a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Any legal answer.
    Random,
    /// The answer that looks best at first sight, by the system's own judgement.
    Subaltern,
}

impl Level {
    /// All levels, weakest first.
    pub const ALL: [Level; 2] = [Level::Random, Level::Subaltern];
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Level::Random => "random",
            Level::Subaltern => "subaltern",
        })
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names: Vec<String> = Level::ALL.iter().map(Level::to_string).collect();
        Level::ALL
            .into_iter()
            .find(|l| l.to_string() == text)
            .ok_or_else(|| format!("there is no player `{text}`; there is {}", names.join(", ")))
    }
}

/// A program in a seat.
#[derive(Clone, Debug)]
pub struct Player {
    level: Level,
    whim: Whim,
}

impl Player {
    /// A program for a seat. The seed is the battle's: the same battle is played the same way again.
    pub fn new(level: Level, seed: Seed, seat: Seat) -> Self {
        Self { level, whim: Whim::new(seed, u64::from(seat.0)) }
    }

    /// Its answer to the pending decision.
    pub fn choose<B: Battle>(&mut self, battle: &B) -> B::Action {
        match self.level {
            Level::Random => battle.sample(&mut self.whim),
            Level::Subaltern => best(battle.proposals(PROPOSALS, &mut self.whim))
                .unwrap_or_else(|| battle.sample(&mut self.whim)),
        }
    }

    /// Its answer, for a battle of any system.
    pub fn choose_any(&mut self, battle: &dyn AnyBattle) -> Value {
        match self.level {
            Level::Random => battle.sample(&mut self.whim),
            Level::Subaltern => best(battle.proposals(PROPOSALS, &mut self.whim))
                .unwrap_or_else(|| battle.sample(&mut self.whim)),
        }
    }
}

/// How many proposals a subaltern weighs.
const PROPOSALS: usize = 48;

/// The proposal with the most promise; the first of equals.
fn best<A>(proposals: Vec<Proposal<A>>) -> Option<A> {
    let mut best: Option<Proposal<A>> = None;
    for proposal in proposals {
        if best.as_ref().is_none_or(|b| proposal.promise > b.promise) {
            best = Some(proposal);
        }
    }
    best.map(|b| b.action)
}
