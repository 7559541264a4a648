//! Systems and battles picked at run time: the same protocol with actions as JSON.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tricorne_chance::{Chance, Whim};

use crate::army::{Army, ArmyList, ArmyReport, MusterCall, ReferenceSheet, Roster};
use crate::drafting::Drafting;
use crate::view::View;
use crate::{
    About, Battle, Because, Book, Choices, Course, Effort, Ending, Fault, Forecast, Frailty, Illegal,
    Judgement, Log, OptionBook, Pending, Preview, Proposal, Prospect, Purpose, Reach, ScenarioText, School,
    Seat, SeatInfo, Side, Sight, Source, Space, StateHash, Steer, StoryBook, System, UnitId, Wish,
};

/// Why an action was not carried out. The battle is as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It is no action of this system: what was expected.
    Malformed(String),
    /// It is another seat's decision.
    NotYours {
        /// The seat that asked.
        asked: Seat,
        /// The seat that must decide.
        pending: Seat,
    },
    /// The battle is over.
    Over,
    /// The rules forbid it.
    Illegal(Illegal),
    /// The dice or cards of a script did not fit.
    Chance(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Malformed(why) => write!(f, "not an action: {why}"),
            Refusal::NotYours { asked, pending } => {
                write!(f, "seat {} asked, but seat {} must decide", asked.0, pending.0)
            }
            Refusal::Over => f.write_str("the battle is over"),
            Refusal::Illegal(illegal) => illegal.fmt(f),
            Refusal::Chance(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for Refusal {}

impl From<Illegal> for Refusal {
    fn from(illegal: Illegal) -> Self {
        Refusal::Illegal(illegal)
    }
}

/// Legal answers as JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LegalValue {
    /// Every answer that can be listed.
    pub listed: Vec<Value>,
    /// Families of answers with a place or a path in them.
    pub spaces: Vec<Space>,
}

/// An action of a battle whose type is not known: programs that try out many pass it on as it is, without writing it
/// as JSON. Only a battle of the same system can carry it out.
#[derive(Clone)]
pub struct Order(Arc<dyn Any + Send + Sync>);

/// A battle of any system.
pub trait AnyBattle: Send + Sync {
    /// See [`Battle::begin`].
    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log);
    /// See [`Battle::pending`].
    fn pending(&self) -> Pending;
    /// See [`Battle::seat`].
    fn seat(&self) -> Option<Seat>;
    /// See [`Battle::whose_turn`].
    fn whose_turn(&self) -> Option<Side>;
    /// See [`Battle::ending`].
    fn ending(&self) -> Option<Ending>;
    /// See [`Battle::legal`].
    fn legal(&self) -> LegalValue;
    /// See [`Battle::check`].
    fn check(&self, action: &Value) -> Result<(), Refusal>;
    /// See [`Battle::preview`].
    fn preview(&self, action: &Value) -> Result<Preview, Refusal>;
    /// See [`Battle::sample`].
    fn sample(&self, whim: &mut Whim) -> Value;
    /// See [`Battle::candidates`].
    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Value>;
    /// See [`Battle::apply`]. A fault of the chance counts as a refusal and changes nothing.
    fn apply(&mut self, action: &Value, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Refusal>;
    /// The battle after an action; see [`AnyBattle::apply`]. This one stays as it is.
    fn after(
        &self,
        action: &Value,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Result<Box<dyn AnyBattle>, Refusal>;
    /// See [`crate::odds()`].
    fn odds(&self, action: &Value, limit: usize) -> Result<Prospect, Refusal>;
    /// See [`crate::rolls`].
    fn rolls(&self, action: &Value, effort: Effort) -> Result<Forecast, Refusal>;
    /// See [`Battle::view`].
    fn view(&self, seat: Option<Seat>) -> View;
    /// See [`Battle::facts`].
    fn facts(&self) -> Value;
    /// See [`Battle::hash`].
    fn hash(&self) -> StateHash;
    /// See [`Battle::broken_invariants`].
    fn broken_invariants(&self) -> Vec<String>;
    /// See [`Battle::heed`].
    fn heed(&mut self, school: &School);
    /// See [`Battle::frailty`].
    fn frailty(&self, rank: &str) -> Frailty;
    /// See [`Battle::turn`].
    fn turn(&self) -> u32;
    /// See [`Battle::features`].
    fn features(&self, seat: Seat) -> Vec<(&'static str, f64)>;
    /// See [`Battle::standing`].
    fn standing(&self, seat: Seat) -> f64;
    /// See [`Battle::proposals`].
    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Value>>;
    /// See [`Battle::because`]; empty for what is no answer of this system.
    fn because(&self, action: &Value) -> Vec<Because>;
    /// The same as [`AnyBattle::proposals`], not written out; never empty while a decision is pending.
    fn orders(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Order>>;
    /// See [`Battle::first_sight`].
    fn first_order(&self, most: usize, whim: &mut Whim) -> Option<Order>;
    /// Carries out an order of a battle of the same system, like [`AnyBattle::apply`] but without a look at the
    /// chance for faults: for battles tried out in thought.
    fn obey(&mut self, order: &Order, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Refusal>;
    /// An order as JSON; null for one of another system.
    fn written(&self, order: &Order) -> Value;
    /// See [`Battle::about`]; none for an order of another system.
    fn about(&self, order: &Order) -> Option<UnitId>;
    /// See [`Battle::imagined`].
    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Box<dyn AnyBattle>;
    /// See [`Battle::as_seen`].
    fn as_seen(&self, seat: Seat) -> Box<dyn AnyBattle>;
    /// See [`Battle::steer`].
    fn steer(&self, wish: &Wish) -> Steer<Value>;
    /// The ground that a unit can reach in the pending decision, asked of [`Battle::steer`] in every direction; none where
    /// nothing takes it anywhere.
    fn reach(&self, unit: UnitId) -> Option<Reach>;
    /// See [`Battle::sight`].
    fn sight(&self, from: UnitId, to: UnitId, eye: Option<Seat>) -> Option<Sight>;
    /// See [`Battle::courses`]: each kind once, open if any typical answer of it passes the check.
    fn courses(&self, unit: UnitId) -> Vec<Course>;
    /// Who sits at the table.
    fn seats(&self) -> Vec<SeatInfo> {
        self.view(None).seats
    }
    /// Another of the same.
    fn boxed_clone(&self) -> Box<dyn AnyBattle>;
    /// For programs that know the type.
    fn as_any(&self) -> &dyn Any;
}

fn action_of<B: Battle>(action: &Value) -> Result<B::Action, Refusal> {
    B::read_action(action).map_err(Refusal::Malformed)
}

fn carried_out<B: Battle>(
    battle: &B,
    action: &Value,
    chance: &mut dyn Chance,
    log: &mut Log,
) -> Result<B, Refusal> {
    let action = action_of::<B>(action)?;
    let mut after = battle.clone();
    Battle::apply(&mut after, &action, chance, log)?;
    match chance.fault() {
        Some(fault) => Err(Refusal::Chance(fault)),
        None => Ok(after),
    }
}

impl<B: Battle> AnyBattle for B {
    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        Battle::begin(self, chance, log);
    }

    fn pending(&self) -> Pending {
        Battle::pending(self)
    }

    fn whose_turn(&self) -> Option<Side> {
        Battle::whose_turn(self)
    }

    fn seat(&self) -> Option<Seat> {
        Battle::seat(self)
    }

    fn ending(&self) -> Option<Ending> {
        Battle::ending(self)
    }

    fn legal(&self) -> LegalValue {
        let legal = Battle::legal(self);
        LegalValue { listed: legal.listed.iter().map(B::write_action).collect(), spaces: legal.spaces }
    }

    fn check(&self, action: &Value) -> Result<(), Refusal> {
        Ok(Battle::check(self, &action_of::<B>(action)?)?)
    }

    fn preview(&self, action: &Value) -> Result<Preview, Refusal> {
        Ok(Battle::preview(self, &action_of::<B>(action)?)?)
    }

    fn sample(&self, whim: &mut Whim) -> Value {
        B::write_action(&Battle::sample(self, whim))
    }

    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Value> {
        Battle::candidates(self, n, whim).iter().map(B::write_action).collect()
    }

    fn apply(&mut self, action: &Value, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Refusal> {
        *self = carried_out(self, action, chance, log)?;
        Ok(())
    }

    fn after(
        &self,
        action: &Value,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> Result<Box<dyn AnyBattle>, Refusal> {
        Ok(Box::new(carried_out(self, action, chance, log)?))
    }

    fn odds(&self, action: &Value, limit: usize) -> Result<Prospect, Refusal> {
        Ok(crate::odds(self, &action_of::<B>(action)?, limit)?)
    }

    fn rolls(&self, action: &Value, effort: Effort) -> Result<Forecast, Refusal> {
        Ok(crate::rolls(self, &action_of::<B>(action)?, effort)?)
    }

    fn view(&self, seat: Option<Seat>) -> View {
        Battle::view(self, seat)
    }

    fn facts(&self) -> Value {
        Battle::facts(self)
    }

    fn hash(&self) -> StateHash {
        Battle::hash(self)
    }

    fn broken_invariants(&self) -> Vec<String> {
        Battle::broken_invariants(self)
    }

    fn heed(&mut self, school: &School) {
        Battle::heed(self, school);
    }

    fn frailty(&self, rank: &str) -> Frailty {
        Battle::frailty(self, rank)
    }

    fn turn(&self) -> u32 {
        Battle::turn(self)
    }

    fn features(&self, seat: Seat) -> Vec<(&'static str, f64)> {
        Battle::features(self, seat)
    }

    fn standing(&self, seat: Seat) -> f64 {
        Battle::standing(self, seat)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Value>> {
        let proposals = Battle::proposals(self, most, whim);
        proposals.into_iter().map(|p| Proposal::new(B::write_action(&p.action), p.promise)).collect()
    }

    fn because(&self, action: &Value) -> Vec<Because> {
        B::read_action(action).map(|action| Battle::because(self, &action)).unwrap_or_default()
    }

    fn orders(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Order>> {
        let proposals = crate::first_sight::proposals(self, most, whim);
        proposals.into_iter().map(|p| Proposal::new(Order(Arc::new(p.action)), p.promise)).collect()
    }

    fn first_order(&self, most: usize, whim: &mut Whim) -> Option<Order> {
        self.first_sight(most, whim).map(|action| Order(Arc::new(action)))
    }

    fn obey(&mut self, order: &Order, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Refusal> {
        let action = order.0.downcast_ref::<B::Action>();
        let action = action.ok_or_else(|| Refusal::Malformed("an order of another system".into()))?;
        Ok(Battle::apply(self, action, chance, log)?)
    }

    fn written(&self, order: &Order) -> Value {
        order.0.downcast_ref::<B::Action>().map(B::write_action).unwrap_or_default()
    }

    fn about(&self, order: &Order) -> Option<UnitId> {
        order.0.downcast_ref::<B::Action>().and_then(B::about)
    }

    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Box<dyn AnyBattle> {
        Box::new(Battle::imagined(self, seat, whim))
    }

    fn as_seen(&self, seat: Seat) -> Box<dyn AnyBattle> {
        Box::new(Battle::as_seen(self, seat))
    }

    fn steer(&self, wish: &Wish) -> Steer<Value> {
        Battle::steer(self, wish).map(|action| B::write_action(&action))
    }

    fn reach(&self, unit: UnitId) -> Option<Reach> {
        crate::reach::reach(self, unit)
    }

    fn sight(&self, from: UnitId, to: UnitId, eye: Option<Seat>) -> Option<Sight> {
        Battle::sight(self, from, to, eye)
    }

    fn courses(&self, unit: UnitId) -> Vec<Course> {
        let mut courses: Vec<Course> = Vec::new();
        for (action, answer) in Battle::courses(self, unit) {
            let why = Battle::check(self, &answer).err();
            match courses.iter_mut().find(|c| c.action == action) {
                Some(course) if why.is_none() => course.why = None,
                Some(_) => {}
                None => courses.push(Course { action, why }),
            }
        }
        courses
    }

    fn boxed_clone(&self) -> Box<dyn AnyBattle> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// The system of these that a scenario file is for, by its `ruleset` line.
pub fn system_of(systems: &[&'static dyn AnySystem], file: &Source) -> Result<&'static dyn AnySystem, Fault> {
    #[derive(Deserialize)]
    struct Head {
        ruleset: Option<String>,
    }
    let head: Head = file.parse()?;
    let ids = || systems.iter().map(|s| s.about().id).collect::<Vec<_>>().join(", ");
    let Some(id) = head.ruleset else {
        return Err(file.fault(&[], format!("has no line `ruleset = \"…\"`; it is one of {}", ids())));
    };
    systems.iter().copied().find(|s| s.about().id == id).ok_or_else(|| {
        let hint =
            crate::did_you_mean(&id, systems.iter().map(|s| s.about().id), format!("it is one of {}", ids()));
        file.fault(&["ruleset".into()], format!("there is no ruleset `{id}`; {hint}"))
    })
}

/// Any rule system.
pub trait AnySystem: Send + Sync {
    /// See [`System::about`].
    fn about(&self) -> About;
    /// See [`System::book`].
    fn book(&self) -> &'static Book;
    /// See [`System::options`].
    fn options(&self) -> &'static OptionBook;
    /// See [`System::stories`].
    fn stories(&self) -> &'static StoryBook;
    /// See [`System::scenarios`].
    fn scenarios(&self) -> &'static [ScenarioText];
    /// See [`System::data_files`].
    fn data_files(&self) -> Vec<(&'static str, &'static str)>;
    /// See [`System::judgement`].
    fn judgement(&self) -> Option<Judgement>;
    /// See [`System::set_up`].
    fn set_up(&self, file: &Source, choices: &Choices, purpose: Purpose)
    -> Result<Box<dyn AnyBattle>, Fault>;
    /// See [`System::upgraded`].
    fn upgraded(&self, file: &Source) -> Result<Option<String>, Fault>;
    /// See [`System::random_terrain`].
    fn random_terrain(&self, table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String>;
    /// See [`System::secrets`].
    fn secrets(&self) -> bool;
    /// See [`System::army_lists`].
    fn army_lists(&self) -> Vec<ArmyList>;
    /// See [`System::muster`].
    fn muster(&self, call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String>;
    /// See [`System::check_army`].
    fn check_army(&self, army: &Army) -> ArmyReport;
    /// See [`System::roster`].
    fn roster(&self, army: &Army) -> Option<Roster>;
    /// See [`System::pitch`].
    fn pitch(&self, armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String>;
    /// See [`System::reference`].
    fn reference(&self, choices: &Choices) -> Option<ReferenceSheet>;
    /// See [`System::drafting`].
    fn drafting(&self) -> Option<Drafting>;
    /// See [`System::scenario_schema`].
    fn scenario_schema(&self) -> Value;
    /// See [`System::action_schema`].
    fn action_schema(&self) -> Value;
}

impl<S: System> AnySystem for S {
    fn about(&self) -> About {
        System::about(self)
    }

    fn book(&self) -> &'static Book {
        System::book(self)
    }

    fn options(&self) -> &'static OptionBook {
        System::options(self)
    }

    fn stories(&self) -> &'static StoryBook {
        System::stories(self)
    }

    fn scenarios(&self) -> &'static [ScenarioText] {
        System::scenarios(self)
    }

    fn data_files(&self) -> Vec<(&'static str, &'static str)> {
        System::data_files(self)
    }

    fn judgement(&self) -> Option<Judgement> {
        System::judgement(self)
    }

    fn set_up(
        &self,
        file: &Source,
        choices: &Choices,
        purpose: Purpose,
    ) -> Result<Box<dyn AnyBattle>, Fault> {
        Ok(Box::new(System::set_up(self, file, choices, purpose)?))
    }

    fn upgraded(&self, file: &Source) -> Result<Option<String>, Fault> {
        System::upgraded(self, file)
    }

    fn random_terrain(&self, table: Option<[f64; 2]>, chance: &mut dyn Chance) -> Result<String, String> {
        System::random_terrain(self, table, chance)
    }

    fn secrets(&self) -> bool {
        System::secrets(self)
    }

    fn army_lists(&self) -> Vec<ArmyList> {
        System::army_lists(self)
    }

    fn muster(&self, call: &MusterCall, chance: &mut dyn Chance) -> Result<Army, String> {
        System::muster(self, call, chance)
    }

    fn check_army(&self, army: &Army) -> ArmyReport {
        System::check_army(self, army)
    }

    fn roster(&self, army: &Army) -> Option<Roster> {
        System::roster(self, army)
    }

    fn pitch(&self, armies: &[Army; 2], terrain: &str, table: Option<[f64; 2]>) -> Result<String, String> {
        System::pitch(self, armies, terrain, table)
    }

    fn reference(&self, choices: &Choices) -> Option<ReferenceSheet> {
        System::reference(self, choices)
    }

    fn drafting(&self) -> Option<Drafting> {
        System::drafting(self)
    }

    fn scenario_schema(&self) -> Value {
        System::scenario_schema(self)
    }

    fn action_schema(&self) -> Value {
        System::action_schema(self)
    }
}
