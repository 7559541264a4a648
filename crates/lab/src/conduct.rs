//! Conduct: what programs do over many battles, not only who wins.
//!
//! Everything is read off what any seat could see: the question asked, the answers open, the answer taken, the events told
//! and the table before and after. An answer is known by what came of it, not by its name. So it is the same for every
//! rulebook, and knows none by name.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tricorne_game::System;
use tricorne_shelf::Visitor;

use crate::lesson::each;
use crate::study::{Study, StudyError};
use crate::watched::{Seen, watched};

/// What a player did in the battles of a study.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Conduct {
    /// The player.
    pub player: String,
    /// Battles.
    pub battles: u64,
    /// Decisions taken.
    pub decisions: u64,
    /// By the kind of decision and the name of the answer, how often it was open and taken.
    pub answers: BTreeMap<String, Taken>,
    /// Answers after which nothing had changed and nothing was rolled, though others were open.
    pub passes: u64,
    /// Of some of them (every fifth) it was tried what else could have been done …
    pub passes_looked_into: u64,
    /// … and so many times another answer would have struck the enemy at once.
    pub passes_with_a_target: u64,
    /// Answers that moved or turned a unit of one's own.
    pub moves: u64,
    /// Those that moved it by less than a quarter of the table's unit, and did not turn it.
    pub moves_of_nothing: u64,
    /// Friends that stood in the straight way of a move.
    pub friends_ridden_through: u64,
    /// Units that stood a whole turn on the table and did nothing, of all that stood one, by turn from 1.
    pub idle: BTreeMap<u32, (u64, u64)>,
    /// How units came to leave the table, by the last thing told of them.
    pub gone: BTreeMap<String, u64>,
    /// Where units stood at the end of a turn, by the kind of ground; what lies in none of it is not counted.
    pub ground: BTreeMap<String, u64>,
    /// Dice for oneself (orders, nerve, command), by what they were for: rolled, failed, and needing a six of one die.
    pub tests: BTreeMap<String, [u64; 3]>,
    /// What was announced against an enemy and, in the same turn, either came to dice or was dropped: all, and dropped.
    pub announced: (u64, u64),
    /// What was done to the enemy, by the names of the events: charges, fire, melees.
    pub blows: BTreeMap<String, u64>,
    /// Blows taken, and those of them from beyond 60 degrees of the front.
    pub struck: (u64, u64),
    /// Dice at an enemy further off than two of the table's unit, by distance in steps of six.
    pub shots: BTreeMap<u32, u64>,
    /// Those after which the enemy was as he had been.
    pub shots_without_effect: u64,
    /// Objectives and markers taken.
    pub tokens_taken: u64,
    /// Every event, by its name.
    pub events: BTreeMap<String, u64>,
}

/// How often an answer was open, and how often it was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Taken {
    /// Decisions in which it was among the answers.
    pub open: u64,
    /// Decisions in which it was the answer.
    pub taken: u64,
}

/// What a study's battles looked like.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Conducts {
    /// For each of the two players.
    pub players: [Conduct; 2],
    /// Clauses that no event of any battle named.
    pub silent_clauses: Vec<String>,
    /// Clauses in the rulebook.
    pub clauses: usize,
}

impl Conducts {
    /// Answers that were open to somebody and that nobody ever took.
    pub fn never_taken(&self) -> Vec<&str> {
        let [a, b] = &self.players;
        let names: BTreeSet<&String> = a.answers.keys().chain(b.answers.keys()).collect();
        let taken = |name: &String| [a, b].iter().any(|c| c.answers.get(name).is_some_and(|t| t.taken > 0));
        names.into_iter().filter(|name| !taken(name)).map(String::as_str).collect()
    }
}

/// Watches the battles of a study.
pub fn conduct(
    study: &Study,
    threads: usize,
    stop: &AtomicBool,
    fought: &(dyn Fn() + Sync),
) -> Result<Conducts, StudyError> {
    tricorne_shelf::visit(&study.ruleset, Watch { study, threads, stop, fought })
        .unwrap_or_else(|| Err(StudyError::Ruleset(study.ruleset.clone())))
}

struct Watch<'a> {
    study: &'a Study,
    threads: usize,
    stop: &'a AtomicBool,
    fought: &'a (dyn Fn() + Sync),
}

impl Visitor for Watch<'_> {
    type Out = Result<Conducts, StudyError>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let Watch { study, threads, stop, fought } = self;
        let fresh = crate::run::set_up(system, &study.scenario, &study.choices)?;
        let seen = each(study.battles, threads, stop, &|battle| {
            let seen = watched(study, fresh.clone(), battle, stop);
            fought();
            seen
        })?;
        let mut all = Conducts::default();
        let mut named: BTreeSet<String> = BTreeSet::new();
        for Seen { players, clauses, .. } in seen {
            named.extend(clauses);
            for (sum, one) in all.players.iter_mut().zip(players) {
                sum.add(one);
            }
        }
        let book = system.book();
        all.clauses = book.clauses.len();
        all.silent_clauses =
            book.clauses.iter().map(|c| c.id.clone()).filter(|id| !named.contains(id)).collect();
        for (conduct, level) in all.players.iter_mut().zip(study.players) {
            conduct.player = level.to_string();
        }
        Ok(all)
    }
}

/// Adds up counts by name.
fn sum<K: Ord>(into: &mut BTreeMap<K, u64>, from: BTreeMap<K, u64>) {
    for (name, n) in from {
        *into.entry(name).or_default() += n;
    }
}

impl Conduct {
    /// Adds what was seen in another battle.
    fn add(&mut self, one: Self) {
        self.battles += one.battles;
        self.decisions += one.decisions;
        self.passes += one.passes;
        self.passes_looked_into += one.passes_looked_into;
        self.passes_with_a_target += one.passes_with_a_target;
        self.moves += one.moves;
        self.moves_of_nothing += one.moves_of_nothing;
        self.friends_ridden_through += one.friends_ridden_through;
        self.announced = (self.announced.0 + one.announced.0, self.announced.1 + one.announced.1);
        self.struck = (self.struck.0 + one.struck.0, self.struck.1 + one.struck.1);
        self.shots_without_effect += one.shots_without_effect;
        self.tokens_taken += one.tokens_taken;
        for (name, taken) in one.answers {
            let entry = self.answers.entry(name).or_default();
            entry.open += taken.open;
            entry.taken += taken.taken;
        }
        for (turn, (still, of)) in one.idle {
            let entry = self.idle.entry(turn).or_default();
            *entry = (entry.0 + still, entry.1 + of);
        }
        for (what, counts) in one.tests {
            let entry = self.tests.entry(what).or_default();
            for (sum, n) in entry.iter_mut().zip(counts) {
                *sum += n;
            }
        }
        sum(&mut self.gone, one.gone);
        sum(&mut self.ground, one.ground);
        sum(&mut self.blows, one.blows);
        sum(&mut self.events, one.events);
        sum(&mut self.shots, one.shots);
    }
}
