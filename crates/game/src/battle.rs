//! A battle being fought: who decides, what is legal, what happens.

use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tricorne_chance::{Chance, Whim};

use crate::JsonSchema;
use crate::view::{Overlay, View};
use crate::{
    AnyBattle, Because, Frailty, Log, Proposal, Remarks, School, Seat, Side, Sight, StateHash, Steer, UnitId,
    Wish, first_sight,
};

/// What the battle waits for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Pending {
    /// A seat must decide.
    Decision {
        /// Whose decision it is.
        seat: Seat,
        /// The kind of decision, a short name of the system's own: `declare`, `move`, `follow_up`.
        kind: String,
        /// The unit it is about, if it is about one.
        unit: Option<UnitId>,
        /// What is being asked, in a sentence.
        prompt: String,
    },
    /// The battle is over.
    Over(Ending),
}

impl Pending {
    /// Whose decision it is, if the battle goes on.
    pub fn seat(&self) -> Option<Seat> {
        match self {
            Pending::Decision { seat, .. } => Some(*seat),
            Pending::Over(_) => None,
        }
    }

    /// The kind of decision; `over` when the battle is.
    pub fn kind(&self) -> &str {
        match self {
            Pending::Decision { kind, .. } => kind,
            Pending::Over(_) => "over",
        }
    }
}

/// How a battle ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ending {
    /// The side that won; none for a draw or a mutual defeat.
    pub winner: Option<Side>,
    /// The grade in the system's words: `victory`, `marginal victory`, `draw`.
    pub grade: String,
    /// Why, in a sentence.
    pub reason: String,
    /// Each side's score, in the order of the sides.
    pub scores: Vec<f64>,
    /// The clause that ended it.
    pub clause: String,
}

/// A refused action: the clause that forbids it and why. The battle is as it was.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Illegal {
    /// The clause of the rulebook.
    pub clause: String,
    /// Why, in words that tell what would be allowed.
    pub why: String,
}

impl Illegal {
    /// A refusal under `clause`.
    pub fn new(clause: &str, why: impl Into<String>) -> Self {
        Self { clause: clause.into(), why: why.into() }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.why, self.clause)
    }
}

impl std::error::Error for Illegal {}

/// The legal answers to the pending decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Legal<A> {
    /// Every legal answer that can be listed.
    pub listed: Vec<A>,
    /// Answers with a place or a path in them, of which there is no end. [`Battle::check`] judges each,
    /// [`Battle::sample`] and [`Battle::candidates`] find some.
    pub spaces: Vec<Space>,
}

impl<A> Legal<A> {
    /// Only listed answers.
    pub fn listed(listed: Vec<A>) -> Self {
        Self { listed, spaces: Vec::new() }
    }
}

/// A family of answers with a place or a path in them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Space {
    /// The action's name: `move`, `deploy`, `wheel`.
    pub action: String,
    /// The unit that goes.
    pub unit: Option<UnitId>,
    /// How far it may go, in the table's unit, where that is one number.
    pub allowance: Option<f64>,
    /// What the answer looks like, in words.
    pub shape: String,
}

/// What an action would come to, before it is taken: nothing in it depends on a die.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Preview {
    /// Length or cost used, in the table's unit.
    pub cost: Option<f64>,
    /// Of how much.
    pub allowance: Option<f64>,
    /// Shapes where the unit would stand, the way it would go, what it would touch.
    pub overlays: Vec<Overlay>,
    /// Remarks: halted by a fence, ends in cover, comes into charge range.
    pub notes: Remarks,
}

/// A battle of one rule system, at one moment. Small and cheap to clone: search clones it a million times.
pub trait Battle: Clone + Send + Sync + 'static {
    /// An answer to a decision. Its JSON form is what pages, bots, journals and rule cases write.
    type Action: Clone + PartialEq + fmt::Debug + Serialize + DeserializeOwned + Send + Sync;

    /// All that changes in the course of a battle; what the state hash covers.
    type State: Serialize;

    /// Rolls what is rolled before the first decision (leaders, forces, who deploys first).
    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log);

    /// Who must decide, and what; or the ending.
    fn pending(&self) -> Pending;

    /// The seat that must decide; the quick form of [`Battle::pending`] for programs.
    fn seat(&self) -> Option<Seat> {
        self.pending().seat()
    }

    /// The side whose turn it is, where sides take turns; none where cards or the like mix their actions. A program that
    /// looks ahead looks to the end of a turn.
    fn whose_turn(&self) -> Option<Side> {
        None
    }

    /// The ending, once there is one; the quick form of [`Battle::pending`] for programs.
    fn ending(&self) -> Option<Ending> {
        match self.pending() {
            Pending::Over(ending) => Some(ending),
            Pending::Decision { .. } => None,
        }
    }

    /// The legal answers to the pending decision.
    fn legal(&self) -> Legal<Self::Action>;

    /// Whether an action answers the pending decision legally.
    fn check(&self, action: &Self::Action) -> Result<(), Illegal>;

    /// What an action would come to, with the same refusals as [`Battle::check`].
    fn preview(&self, action: &Self::Action) -> Result<Preview, Illegal>;

    /// A legal answer at random. Never fails while a decision is pending.
    fn sample(&self, whim: &mut Whim) -> Self::Action;

    /// Up to `n` different legal answers worth considering: all listed ones first, then places and paths.
    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Self::Action>;

    /// Carries out an action: checks it, rolls what the rules roll, writes what happened to the log.
    /// A refused action changes nothing and draws nothing.
    fn apply(&mut self, action: &Self::Action, chance: &mut dyn Chance, log: &mut Log)
    -> Result<(), Illegal>;

    /// Answers the pending decision at random: [`Battle::sample`] and [`Battle::apply`] in one, for systems that need to
    /// judge the answer but once. The dice, the whims and what happens are the same.
    fn stray(
        &mut self,
        whim: &mut Whim,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Result<Self::Action, Illegal> {
        let action = self.sample(whim);
        self.apply(&action, chance, log)?;
        Ok(action)
    }

    /// The first part of [`Battle::apply`]: the answer itself, without what follows of itself. A system that can part them
    /// has its odds counted with equal positions met on the way made one; by default there is nothing to part.
    fn answer(
        &mut self,
        action: &Self::Action,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Result<(), Illegal> {
        self.apply(action, chance, log)
    }

    /// The rest of [`Battle::apply`], one thing at a time; says whether there may be more.
    fn step(&mut self, _chance: &mut dyn Chance, _log: &mut Log) -> bool {
        false
    }

    /// What a seat may know; `None` is a spectator, who knows what every seat knows.
    fn view(&self, seat: Option<Seat>) -> View;

    /// The same without the figures and overlays of units, which only a picture needs: a program looks at every step, and
    /// most of the time it takes to show a battle is spent on what is drawn.
    fn plain_view(&self, seat: Option<Seat>) -> View {
        self.view(seat)
    }

    /// The changing part, for hashing.
    fn state(&self) -> &Self::State;

    /// Everything about the position as readable JSON (the umpire's own view, secrets included), for rule cases
    /// and debugging. Units are under `units.ID`, lengths in the table's unit.
    fn facts(&self) -> Value;

    /// A hash of the state.
    fn hash(&self) -> StateHash {
        StateHash::of(self.state())
    }

    /// An answer out of its JSON form; otherwise what is wrong with it, in plain words.
    fn read_action(action: &Value) -> Result<Self::Action, String> {
        Self::Action::deserialize(action).map_err(|e| crate::plain(&e.to_string()))
    }

    /// An answer in its JSON form.
    fn write_action(action: &Self::Action) -> Value {
        serde_json::to_value(action).unwrap_or_default()
    }

    /// From now on [`Battle::standing`] and [`Battle::proposals`] go by this school. A battle begins with
    /// [`School::Present`], copies keep theirs; no rule and no hash depends on it.
    fn heed(&mut self, school: &School) {
        let _ = school;
    }

    /// How weak an officer of a rank is at this game, by the school it heeds; see [`Frailty`].
    fn frailty(&self, rank: &str) -> Frailty {
        Frailty::usual(rank)
    }

    /// The turn or round, from 1; 0 before the first.
    fn turn(&self) -> u32 {
        self.plain_view(None).clock.turn
    }

    /// What [`Battle::standing`] is reckoned from, by name, for a seat's side: the lead in men, what is held, how much time
    /// is left. Each is about 1 where it is much; what it is worth stands in the rulebook's `judgement.toml`. Empty
    /// where the system has none. It must depend on nothing that the seat may not know once the battle is
    /// [`Battle::imagined`].
    fn features(&self, _seat: Seat) -> Vec<(&'static str, f64)> {
        Vec::new()
    }

    /// How the position stands for a seat's side, from -1 (as good as lost) to 1 (as good as won). What programs judge
    /// by; it must depend on nothing that the seat may not know once the battle is [`Battle::imagined`].
    fn standing(&self, seat: Seat) -> f64 {
        let side = |side: Side| self.view(None).seats.iter().any(|s| s.seat == seat && s.side == side);
        match self.ending().and_then(|ending| ending.winner) {
            Some(winner) if side(winner) => 1.0,
            Some(_) => -1.0,
            None => 0.0,
        }
    }

    /// Up to `most` legal answers that a sensible officer would weigh, the best-looking first. Never empty while a
    /// decision is pending.
    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Self::Action>> {
        self.candidates(most, whim).into_iter().map(|action| Proposal::new(action, 0.5)).collect()
    }

    /// The most promising of `most` proposals, the first of equals: all that a subaltern looks at. A system that need not
    /// judge the others to know it is sooner done; the answer is the same.
    fn first_sight(&self, most: usize, whim: &mut Whim) -> Option<Self::Action> {
        first_sight::best(first_sight::proposals(self, most, whim)).map(|proposal| proposal.action)
    }

    /// What speaks most for an answer to the pending decision and against it, in the terms its proposal was weighed by, the
    /// strongest first; empty where it was not weighed term by term.
    fn because(&self, _action: &Self::Action) -> Vec<Because> {
        Vec::new()
    }

    /// The unit or group that an answer names, whom it is about: who does not think of that unit does not think of the
    /// answer either. None for what is said of nobody.
    fn about(_action: &Self::Action) -> Option<UnitId> {
        None
    }

    /// The battle as a seat may imagine it: what it can't know is drawn anew, in keeping with what it does know.
    /// Programs search in this, never in the umpire's own battle.
    #[must_use]
    fn imagined(&self, _seat: Seat, _whim: &mut Whim) -> Self {
        self.clone()
    }

    /// The battle with nothing on the table that a seat does not know of: units hidden from it are taken off. What the
    /// dice may bring is told from this, so that odds find nobody.
    #[must_use]
    fn as_seen(&self, _seat: Seat) -> Self {
        self.clone()
    }

    /// This battle as one of any system. A rulebook may say here that the form of its battles for those who do not know
    /// their type is compiled with the rulebook, once; by default it is compiled wherever it is asked for.
    fn as_any_battle(&self) -> &dyn AnyBattle {
        self
    }

    /// The legal answer that comes nearest to where a player points. What it offers passes [`Battle::check`].
    fn steer(&self, wish: &Wish) -> Steer<Self::Action> {
        let _ = wish;
        Steer::refused(Illegal::new("", "nothing can be dragged in this decision"))
    }

    /// Whether one unit sees another by the system's own rule of sight, as far as `eye` may know (none is a spectator):
    /// a unit hidden from it neither is seen nor stands in the way. `None` where the system has no such rule, or one of
    /// them is unknown to `eye` or not on the table.
    fn sight(&self, from: UnitId, to: UnitId, eye: Option<Seat>) -> Option<Sight> {
        let _ = (from, to, eye);
        None
    }

    /// A typical answer of each kind that a player might think of for this unit in the pending decision, legal or not,
    /// with its name. [`Battle::check`] says which are open and what forbids the rest.
    fn courses(&self, unit: UnitId) -> Vec<(String, Self::Action)> {
        let _ = unit;
        Vec::new()
    }

    /// Checks what must hold between any two actions (no overlap, figures conserved, …): the conformance suite
    /// asks after every action. Returns what is broken.
    fn broken_invariants(&self) -> Vec<String>;
}
