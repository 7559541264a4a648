//! The umpire: one battle driven from its seed, with everything that happened remembered.

use serde_json::Value;
use tricorne_chance::{Draw, Seed, Seeded, Witness};

use crate::journal::{Agreed, Entry, Header, Journal, Reseed};
use crate::{
    AnyBattle, AnySystem, Choices, Ending, Event, Fault, Log, Pending, Purpose, Refusal, Seat, Source,
    StateHash, ready,
};

/// Every so many actions the battle is remembered as it was, so that no step back plays more than these again.
const MARKED: usize = 32;

/// The event that tells of somebody who answered for a player: of the house, not of any rulebook.
pub(crate) const STOOD_IN: &str = "stood_in";

/// One action and what came of it.
#[derive(Clone, Debug)]
pub struct Turned {
    /// Who decided.
    pub seat: Seat,
    /// What.
    pub action: Value,
    /// What happened.
    pub events: Vec<Event>,
    /// Every die and card drawn, in order.
    pub draws: Vec<Draw>,
    /// The state afterwards.
    pub hash: StateHash,
    /// Why somebody else answered for the player, if so.
    pub note: Option<String>,
}

/// The battle as it was after some actions.
struct Mark {
    actions: usize,
    battle: Box<dyn AnyBattle>,
    chance: Seeded,
}

impl Clone for Mark {
    fn clone(&self) -> Self {
        Self { actions: self.actions, battle: self.battle.boxed_clone(), chance: self.chance.clone() }
    }
}

/// Drives a battle: rolls from the seed, keeps events and the journal, steps back.
pub struct Umpire {
    system: &'static dyn AnySystem,
    header: Header,
    battle: Box<dyn AnyBattle>,
    chance: Seeded,
    prologue: Vec<Event>,
    turned: Vec<Turned>,
    /// What the players have agreed on, after which nothing is done any more.
    agreed: Option<Agreed>,
    /// Every thirty-second moment, and the one before the last action.
    marks: Vec<Mark>,
}

/// The same battle a second time, dice to come included: what is done in one does not touch the other.
impl Clone for Umpire {
    fn clone(&self) -> Self {
        Self {
            system: self.system,
            header: self.header.clone(),
            battle: self.battle.boxed_clone(),
            chance: self.chance.clone(),
            prologue: self.prologue.clone(),
            turned: self.turned.clone(),
            agreed: self.agreed,
            marks: self.marks.clone(),
        }
    }
}

impl Umpire {
    /// Makes a scenario [ready](crate::ready()) and rolls what is rolled before the first decision.
    pub fn begin(
        system: &'static dyn AnySystem,
        scenario: &Source,
        choices: &Choices,
        seed: Seed,
    ) -> Result<Self, Fault> {
        let (scenario, battle) = ready(system, scenario, choices)?;
        Ok(Self::open(system, &scenario, choices, seed, battle))
    }

    fn open(
        system: &'static dyn AnySystem,
        scenario: &Source,
        choices: &Choices,
        seed: Seed,
        mut battle: Box<dyn AnyBattle>,
    ) -> Self {
        let mut chance = Seeded::new(seed);
        let mut log = Log::on();
        battle.begin(&mut chance, &mut log);
        let header = Header::new(system.about(), scenario, choices, seed, battle.hash());
        let (turned, marks) = (Vec::new(), Vec::new());
        Self { system, header, battle, chance, prologue: log.take(), turned, agreed: None, marks }
    }

    /// Begins a battle that was fought before: its seed, its players, and the seeds that its dice were taken from later,
    /// each in its place.
    pub fn begin_again(system: &'static dyn AnySystem, header: &Header) -> Result<Self, Fault> {
        let scenario = header.scenario();
        let battle = system.set_up(&scenario, &header.choices, Purpose::Scenario)?;
        let mut umpire = Self::open(system, &scenario, &header.choices, header.seed, battle);
        umpire.header.players.clone_from(&header.players);
        umpire.header.reseeds.clone_from(&header.reseeds);
        Ok(umpire)
    }

    /// The rule system.
    pub fn system(&self) -> &'static dyn AnySystem {
        self.system
    }

    /// The battle as it stands.
    pub fn battle(&self) -> &dyn AnyBattle {
        &*self.battle
    }

    /// What was rolled before the first decision.
    pub fn prologue(&self) -> &[Event] {
        &self.prologue
    }

    /// What was done, in order.
    pub fn turned(&self) -> &[Turned] {
        &self.turned
    }

    /// The seed, the scenario and the choices.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Ends the battle by what the players have agreed on; refused once it is over.
    pub fn agree(&mut self, how: Agreed) -> Result<(), Refusal> {
        if self.ending().is_some() {
            return Err(Refusal::Over);
        }
        self.agreed = Some(how);
        Ok(())
    }

    /// What the players have agreed on, if that ended the battle.
    pub fn agreed(&self) -> Option<Agreed> {
        self.agreed
    }

    /// How the battle ended, by its rules or by agreement.
    pub fn ending(&self) -> Option<Ending> {
        self.battle.ending().or_else(|| self.agreed.map(Agreed::ending))
    }

    /// What is being waited for; the ending where there is one, by agreement too.
    pub fn pending(&self) -> Pending {
        match self.agreed {
            Some(agreed) => Pending::Over(agreed.ending()),
            None => self.battle.pending(),
        }
    }

    /// Carries out a seat's action. A refusal changes nothing: not the battle, not the dice to come.
    pub fn act(&mut self, seat: Seat, action: &Value) -> Result<&Turned, Refusal> {
        self.carry_out(seat, action, None)
    }

    /// Carries out an action that somebody else answers for a seat's player, and says why: the journal keeps it, and it is
    /// told before what came of the action.
    pub fn act_for(&mut self, seat: Seat, action: &Value, why: &str) -> Result<&Turned, Refusal> {
        self.carry_out(seat, action, Some(why))
    }

    fn carry_out(&mut self, seat: Seat, action: &Value, note: Option<&str>) -> Result<&Turned, Refusal> {
        let pending = self.battle.seat().filter(|_| self.agreed.is_none()).ok_or(Refusal::Over)?;
        if pending != seat {
            return Err(Refusal::NotYours { asked: seat, pending });
        }
        let actions = self.turned.len();
        let mut chance = self.header.chance_after(actions).unwrap_or_else(|| self.chance.clone());
        let mut log = Log::on();
        if let Some(why) = note {
            // The words may quote the player's own answer, which is no business of the enemy's.
            let event = Event { what: STOOD_IN.into(), ..Event::default() };
            log.say(|| event.with("why", why).only(&[seat]));
        }
        let mut witness = Witness::new(&mut chance);
        let after = self.battle.after(action, &mut witness, &mut log)?;
        let draws = witness.draws;
        let mark = Mark {
            actions,
            battle: std::mem::replace(&mut self.battle, after),
            chance: std::mem::replace(&mut self.chance, chance),
        };
        self.marks.pop_if(|last| !last.actions.is_multiple_of(MARKED));
        self.marks.push(mark);
        self.turned.push(Turned {
            seat,
            action: action.clone(),
            events: log.take(),
            draws,
            hash: self.battle.hash(),
            note: note.map(str::to_owned),
        });
        Ok(&self.turned[actions])
    }

    /// Takes the dice and cards to come from another seed: for a battle that goes on where another, whose seed is
    /// known by now, was left.
    pub fn reseed(&mut self, seed: Seed) {
        let after = self.turned.len();
        self.header.reseeds.retain(|r| r.after < after);
        self.header.reseeds.push(Reseed { after, seed });
    }

    /// Steps back so that only the first `actions` actions have been taken.
    pub fn step_back(&mut self, actions: usize) -> Result<(), Fault> {
        self.agreed = None;
        if actions >= self.turned.len() {
            return Ok(());
        }
        while self.marks.pop_if(|mark| mark.actions > actions).is_some() {}
        // The first mark is of the set-up, so there is always one.
        let Some(mark) = self.marks.pop() else { return Ok(()) };
        let again: Vec<Turned> = self.turned.drain(mark.actions..).take(actions - mark.actions).collect();
        (self.battle, self.chance) = (mark.battle, mark.chance);
        self.header.reseeds.retain(|r| r.after <= actions);
        for turned in again {
            let done = self.carry_out(turned.seat, &turned.action, turned.note.as_deref()).map(|_| ());
            done.map_err(|e| self.header.scenario().fault(&[], e.to_string()))?;
        }
        Ok(())
    }

    /// The battle as it was after `actions` actions; none if there were not so many.
    pub fn battle_after(&self, actions: usize) -> Option<Box<dyn AnyBattle>> {
        if actions >= self.turned.len() {
            return (actions == self.turned.len()).then(|| self.battle.boxed_clone());
        }
        let mark = self.marks.iter().rfind(|mark| mark.actions <= actions)?;
        let (mut battle, mut chance) = (mark.battle.boxed_clone(), mark.chance.clone());
        for i in mark.actions..actions {
            self.follow(i, &mut battle, &mut chance)?;
        }
        Some(battle)
    }

    /// The battle after each action in turn, the set-up first.
    pub fn walk(&self) -> impl Iterator<Item = Box<dyn AnyBattle>> + '_ {
        // The first mark is of the set-up; there is none before the first action.
        let start = self.marks.first();
        let battle = start.map_or(&self.battle, |mark| &mark.battle).boxed_clone();
        let mut chance = start.map_or(&self.chance, |mark| &mark.chance).clone();
        let later = (0..self.turned.len()).map_while({
            let mut battle = battle.boxed_clone();
            move |i| {
                self.follow(i, &mut battle, &mut chance)?;
                Some(battle.boxed_clone())
            }
        });
        std::iter::once(battle).chain(later)
    }

    /// Carries out again what was done as action `i`, from 0.
    fn follow(&self, i: usize, battle: &mut Box<dyn AnyBattle>, chance: &mut Seeded) -> Option<()> {
        let turned = self.turned.get(i)?;
        if let Some(anew) = self.header.chance_after(i) {
            *chance = anew;
        }
        *battle = battle.after(&turned.action, chance, &mut Log::off()).ok()?;
        Some(())
    }

    /// Names the players in the journal.
    pub fn set_players(&mut self, players: Vec<String>) {
        self.header.players = players;
    }

    /// The journal so far.
    pub fn journal(&self) -> Journal {
        let entries = self
            .turned
            .iter()
            .map(|t| Entry { seat: t.seat, action: t.action.clone(), hash: t.hash, note: t.note.clone() })
            .collect();
        Journal { header: self.header.clone(), entries, agreed: self.agreed }
    }
}
