//! A battle under a rulebook, as the kit sees it.

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tricorne_chance::Whim;
use tricorne_game::view::{Detail, View};
use tricorne_game::{
    Because, Ending, Frailty, Illegal, Pending, Proposal, School, Seat, Side, Sight, Steer, UnitId, Wish,
    first_sight,
};

use crate::asks::Asks;
use crate::question::Now;

/// A battle under a rulebook: what is asked now, what goes on between questions, and what can be seen of it.
pub trait Rules: Clone + Send + Sync + 'static {
    /// An answer to a question. Its JSON form is what pages, bots, journals and rule cases write.
    type Action: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;

    /// All that changes in the course of a battle; what the state hash covers.
    type State: Serialize;

    /// Its questions, as [`questions!`](crate::questions) writes them.
    type Questions: Asks<Self>;

    /// Rolls what is rolled before the first question and goes on to it.
    fn begin(&mut self, now: &mut Now<'_>);

    /// The question that waits for an answer; none once the battle is over.
    fn question(&self) -> Option<Self::Questions>;

    /// The waiting question has a legal answer and waits no longer; what the answer does comes next. Rulebooks that
    /// keep their questions on a stack take it off here.
    fn answered(&mut self) {}

    /// Goes on after an answer until somebody must decide or the battle is over.
    fn proceed(&mut self, now: &mut Now<'_>) {
        while self.step(now) {}
    }

    /// One thing of all that goes on between two questions; says whether there may be more. Where a rulebook can stop
    /// between two of them, what the dice may bring is counted with equal positions made one on the way; one that cannot
    /// does everything at once.
    fn step(&mut self, now: &mut Now<'_>) -> bool;

    /// The ending, once there is one.
    fn ending(&self) -> Option<Ending>;

    /// Whether an action gives the battle up. That is legal whenever a seat is asked, and never listed, so that no
    /// program picks it.
    fn gives_up(_action: &Self::Action) -> bool {
        false
    }

    /// A seat gives the battle up.
    fn concede(&mut self, _seat: Seat, _now: &mut Now<'_>) {}

    /// The clause that says the battle is over, for whoever wants to go on.
    const OVER: &'static str;

    /// The side whose turn it is, where sides take turns.
    fn whose_turn(&self) -> Option<Side> {
        None
    }

    /// What a seat may know: as it is drawn, or plain, without figures and overlays (see
    /// [`tricorne_game::Battle::plain_view`]).
    fn seen(&self, seat: Option<Seat>, detail: Detail) -> View;

    /// The changing part.
    fn state(&self) -> &Self::State;

    /// Everything about the position as readable JSON.
    fn facts(&self) -> Value;

    /// From now on programs' judgement goes by this school; see [`tricorne_game::Battle::heed`].
    fn heed(&mut self, _school: &School) {}

    /// How weak an officer of a rank is; see [`tricorne_game::Battle::frailty`].
    fn frailty(&self, rank: &str) -> Frailty {
        Frailty::usual(rank)
    }

    /// What [`Rules::standing`] is reckoned from, by name; see [`tricorne_game::Battle::features`].
    fn features(&self, _seat: Seat) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// How the position stands for a seat's side, from -1 to 1.
    fn standing(&self, seat: Seat) -> f64;

    /// Up to `most` legal answers that a sensible officer would weigh, the best-looking first.
    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Self::Action>>;

    /// The most promising of them, the first of equals; see [`tricorne_game::Battle::first_sight`]. A rulebook that need not
    /// judge the others says it sooner.
    fn foremost(&self, most: usize, whim: &mut Whim) -> Option<Self::Action> {
        first_sight::best(self.proposals(most, whim)).map(|proposal| proposal.action)
    }

    /// See [`tricorne_game::Battle::because`].
    fn because(&self, _action: &Self::Action) -> Vec<Because> {
        Vec::new()
    }

    /// The unit or group that an answer names; see [`tricorne_game::Battle::about`].
    fn about(_action: &Self::Action) -> Option<UnitId> {
        None
    }

    /// The battle as a seat may imagine it.
    #[must_use]
    fn imagined(&self, _seat: Seat, _whim: &mut Whim) -> Self {
        self.clone()
    }

    /// The battle with nothing on the table that a seat does not know of.
    #[must_use]
    fn as_seen(&self, _seat: Seat) -> Self {
        self.clone()
    }

    /// The legal answer nearest to where a player points.
    fn steer(&self, wish: &Wish) -> Steer<Self::Action> {
        match self.question() {
            Some(question) => question.steer(self, wish),
            None => Steer::refused(Illegal::new(Self::OVER, "the battle is over")),
        }
    }

    /// Whether one unit sees another.
    fn sight(&self, _from: UnitId, _to: UnitId, _eye: Option<Seat>) -> Option<Sight> {
        None
    }

    /// What kind of course a listed answer is, in a word or two; none for those that are no course of a unit.
    fn course(_action: &Self::Action) -> Option<&'static str> {
        None
    }

    /// A typical answer of each kind that a player might think of for this unit.
    fn courses(&self, unit: UnitId) -> Vec<(String, Self::Action)> {
        self.question().map(|question| question.courses(self, unit)).unwrap_or_default()
    }

    /// What must hold between any two actions and does not.
    fn broken_invariants(&self) -> Vec<String>;

    /// Who must decide what, or the ending; a view shows it too. Written once; not to be replaced.
    fn pending(&self) -> Pending {
        match (self.ending(), self.question()) {
            (None, Some(question)) => Pending::Decision {
                seat: question.seat(self),
                kind: question.kind(self).into(),
                unit: question.unit(self),
                prompt: question.prompt(self),
            },
            (Some(ending), _) => Pending::Over(ending),
            // A rulebook that neither asks nor has ended has lost its way; nobody wins by that.
            (None, None) => Pending::Over(Ending {
                winner: None,
                grade: "draw".into(),
                reason: "nothing is left to decide".into(),
                scores: Vec::new(),
                clause: Self::OVER.into(),
            }),
        }
    }

    /// Whether an action answers the waiting question legally. Written once; not to be replaced.
    fn check(&self, action: &Self::Action) -> Result<(), Illegal> {
        match self.question() {
            Some(_) if Self::gives_up(action) => Ok(()),
            Some(question) => question.check(self, action),
            None => Err(Illegal::new(Self::OVER, "the battle is over")),
        }
    }
}
