//! The umpire: one battle driven from its seed, with everything that happened remembered.

use serde_json::Value;
use tricorne_chance::{Draw, Seed, Seeded, Witness};

use crate::journal::{Entry, Header, Journal};
use crate::{AnyBattle, AnySystem, Choices, Event, Fault, Log, Purpose, Refusal, Seat, Source, StateHash};

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
}

/// Drives a battle: rolls from the seed, keeps events and the journal, steps back.
pub struct Umpire {
    system: &'static dyn AnySystem,
    header: Header,
    battle: Box<dyn AnyBattle>,
    chance: Seeded,
    prologue: Vec<Event>,
    turned: Vec<Turned>,
}

impl Umpire {
    /// Sets up a scenario and rolls what is rolled before the first decision.
    pub fn begin(
        system: &'static dyn AnySystem,
        scenario: &Source,
        choices: &Choices,
        seed: Seed,
    ) -> Result<Self, Fault> {
        let mut battle = system.set_up(scenario, choices, Purpose::Scenario)?;
        let mut chance = Seeded::new(seed);
        let mut log = Log::on();
        battle.begin(&mut chance, &mut log);
        let header = Header::new(system.about(), scenario, choices, seed, battle.hash());
        Ok(Self { system, header, battle, chance, prologue: log.take(), turned: Vec::new() })
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

    /// Carries out a seat's action. A refusal changes nothing: not the battle, not the dice to come.
    pub fn act(&mut self, seat: Seat, action: &Value) -> Result<&Turned, Refusal> {
        let pending = self.battle.seat().ok_or(Refusal::Over)?;
        if pending != seat {
            return Err(Refusal::NotYours { asked: seat, pending });
        }
        let mut chance = self.chance.clone();
        let mut log = Log::on();
        let mut witness = Witness::new(&mut chance);
        self.battle.apply(action, &mut witness, &mut log)?;
        let draws = witness.draws;
        self.chance = chance;
        self.turned.push(Turned {
            seat,
            action: action.clone(),
            events: log.take(),
            draws,
            hash: self.battle.hash(),
        });
        Ok(&self.turned[self.turned.len() - 1])
    }

    /// Steps back so that only the first `actions` actions have been taken.
    pub fn step_back(&mut self, actions: usize) -> Result<(), Fault> {
        let keep: Vec<(Seat, Value)> =
            self.turned.iter().take(actions).map(|t| (t.seat, t.action.clone())).collect();
        let scenario = self.header.scenario();
        let mut again = Umpire::begin(self.system, &scenario, &self.header.choices, self.header.seed)?;
        for (seat, action) in keep {
            again.act(seat, &action).map_err(|e| scenario.fault(&[], e.to_string()))?;
        }
        *self = again;
        Ok(())
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
            .map(|t| Entry { seat: t.seat, action: t.action.clone(), hash: t.hash })
            .collect();
        Journal { header: self.header.clone(), entries }
    }
}
