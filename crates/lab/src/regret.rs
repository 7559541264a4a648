//! Regret: what a player's answers cost it. At some of its decisions other answers are tried as well, each is fought out
//! several times on the same dice, and what the best of them would have brought more is counted by the kind of answer.
//!
//! The best of many answers looks better than it is, because luck chose it too. So it is chosen by one half of the
//! battles fought out and measured by the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::Serialize;
use serde_json::Value;
use tricorne_agents::{Player, Timing};
use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_game::view::{UnitView, View};
use tricorne_game::{Battle, Judgement, Log, School, Seat, SeatInfo, Side, System, UnitId};
use tricorne_shelf::Visitor;

use crate::lesson::each;
use crate::run::{MOST_DECISIONS, set_up};
use crate::study::{Study, StudyError};
use crate::watched::name_of;

/// Moves by less than this are no nearer and no farther.
const STEP: f64 = 1.0;

/// Legal answers among which those that nobody proposed are looked for.
const CANDIDATES: usize = 64;

/// Proposals among which another mind looks for an answer: enough that none is left out for its sake.
const EVERY: usize = 400;

/// What is looked into: the answers of the first player of a study.
#[derive(Clone, Debug)]
pub struct Inquiry {
    /// The battles.
    pub study: Study,
    /// Decisions of each battle that are looked into.
    pub decisions: usize,
    /// Proposals tried at each of them.
    pub proposals: usize,
    /// Answers tried that were not proposed, of as many kinds as are open.
    pub others: usize,
    /// How often each is fought out.
    pub tries: u32,
    /// Turns it is fought out for; what stands then is judged. To the end if none.
    pub turns: Option<u32>,
    /// What both players go by, in place of the rulebook's weights.
    pub heeding: Option<Arc<Judgement>>,
    /// Weights by which each answer's promise is asked for as well.
    pub minds: Vec<Arc<Judgement>>,
}

/// A decision looked into.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Doubt {
    /// The seed of the battle.
    pub seed: Seed,
    /// Which decision of the battle it was, from 0.
    pub decision: u64,
    /// In which turn.
    pub turn: u32,
    /// What kind of decision, and about what kind of unit.
    pub kind: String,
    /// What was tried, what was chosen first.
    pub tried: Vec<Tried>,
    /// The place among them of the one that did best in the first half of the tries.
    pub best: usize,
    /// What it brought more than what was chosen in the other half, in battles won.
    pub lost: f64,
}

/// An answer that was tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// What kind of answer.
    pub name: String,
    /// The answer.
    pub answer: Value,
    /// What it promised; none if it was not proposed.
    pub promise: Option<f64>,
    /// Battles won, from 0 to 1, in each half of the tries.
    pub won: [f64; 2],
    /// What it promised by each of the inquiry's minds; none where that mind does not propose it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub minded: Vec<Option<f64>>,
}

/// What a kind of choice cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// How often it was met.
    pub times: u64,
    /// What was lost on average, in battles won.
    pub lost: f64,
    /// Its standard error.
    pub error: f64,
}

/// Looks into the battles of a study.
pub fn regret(
    inquiry: &Inquiry,
    threads: usize,
    stop: &AtomicBool,
    fought: &(dyn Fn() + Sync),
) -> Result<Vec<Doubt>, StudyError> {
    let ruleset = &inquiry.study.ruleset;
    tricorne_shelf::visit(ruleset, Look { inquiry, threads, stop, fought })
        .unwrap_or_else(|| Err(StudyError::Ruleset(ruleset.clone())))
}

/// What kinds of choices cost: by a name for each doubt, the dearest in all first.
pub fn costs(doubts: &[Doubt], name: impl Fn(&Doubt) -> String) -> Vec<(String, Cost)> {
    let mut sums: BTreeMap<String, (u64, f64, f64)> = BTreeMap::new();
    for doubt in doubts {
        let sum = sums.entry(name(doubt)).or_default();
        *sum = (sum.0 + 1, sum.1 + doubt.lost, sum.2 + doubt.lost * doubt.lost);
    }
    let cost = |(times, sum, squares): (u64, f64, f64)| {
        let n = times as f64;
        let spread = (squares / n - sum * sum / (n * n)).max(0.0);
        Cost { times, lost: sum / n, error: (spread / (n - 1.0).max(1.0)).sqrt() }
    };
    let mut all: Vec<(String, Cost)> = sums.into_iter().map(|(name, sum)| (name, cost(sum))).collect();
    let whole = |c: &Cost| c.lost * c.times as f64;
    all.sort_by(|a, b| whole(&b.1).total_cmp(&whole(&a.1)));
    all
}

impl Doubt {
    /// What was chosen and what would have been best.
    pub fn choice(&self) -> String {
        let [chosen, best] = [0, self.best].map(|i| &self.tried[i]);
        let thought = if best.promise.is_some() { "" } else { " (not thought of)" };
        match self.best {
            0 => format!("{}: {}", self.kind, chosen.name),
            _ => format!("{}: {}, not {}{thought}", self.kind, chosen.name, best.name),
        }
    }
}

struct Look<'a> {
    inquiry: &'a Inquiry,
    threads: usize,
    stop: &'a AtomicBool,
    fought: &'a (dyn Fn() + Sync),
}

impl Visitor for Look<'_> {
    type Out = Result<Vec<Doubt>, StudyError>;

    fn visit<S: System>(self, system: S) -> Self::Out {
        let Look { inquiry, threads, stop, fought } = self;
        let fresh = set_up(system, &inquiry.study.scenario, &inquiry.study.choices)?;
        let all = each(inquiry.study.battles, threads, stop, &|battle| {
            let doubts = Case { inquiry, number: battle, stop }.doubts(fresh.clone());
            fought();
            doubts
        })?;
        Ok(all.into_iter().flatten().collect())
    }
}

/// One battle that is looked into.
struct Case<'a> {
    inquiry: &'a Inquiry,
    number: u64,
    stop: &'a AtomicBool,
}

impl Case<'_> {
    fn seed(&self) -> Seed {
        self.inquiry.study.seed_of(self.number)
    }

    fn players(&self, seats: &[SeatInfo], seed: Seed) -> Vec<Player> {
        let study = &self.inquiry.study;
        let player = |s: &SeatInfo| {
            let level = study.players[study.player_of(self.number, s.side)];
            let player = Player::new(level, seed, s.seat).timed_by(Timing::Processor);
            match &self.inquiry.heeding {
                Some(own) => player.heeding(own),
                None => player,
            }
        };
        seats.iter().map(player).collect()
    }

    /// Fights the battle and looks into some decisions, each as likely as any other (Vitter's reservoir).
    fn doubts<B: Battle>(&self, mut battle: B) -> Result<Vec<Doubt>, StudyError> {
        let seed = self.seed();
        let (mut chance, mut log) = (Seeded::new(seed), Log::off());
        battle.begin(&mut chance, &mut log);
        let seats = battle.view(None).seats;
        let study = &self.inquiry.study;
        let ours: BTreeSet<Seat> =
            seats.iter().filter(|s| study.player_of(self.number, s.side) == 0).map(|s| s.seat).collect();
        let mut players = self.players(&seats, seed);
        let mut draw = Whim::new(seed, 1 << 35);
        let mut kept: Vec<(u64, B, B::Action)> = Vec::new();
        let (mut decisions, mut met) = (0, 0);
        while let Some(seat) = battle.seat().filter(|_| decisions < MOST_DECISIONS) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(StudyError::Stopped);
            }
            let action = players[seat.index()].choose(&battle);
            if ours.contains(&seat) {
                met += 1;
                let place = draw.below(met);
                if kept.len() < self.inquiry.decisions {
                    kept.push((decisions, battle.clone(), action.clone()));
                } else if let Some(old) = kept.get_mut(place) {
                    *old = (decisions, battle.clone(), action.clone());
                }
            }
            self.obey(&mut battle, &action, &mut chance)?;
            decisions += 1;
        }
        let mut doubts = Vec::with_capacity(kept.len());
        for (decision, battle, action) in kept {
            doubts.extend(self.doubt(decision, &battle, &action)?);
        }
        Ok(doubts)
    }

    fn obey<B: Battle>(
        &self,
        battle: &mut B,
        action: &B::Action,
        chance: &mut Seeded,
    ) -> Result<(), StudyError> {
        let refused =
            |illegal| StudyError::Refused { seed: self.seed(), why: format!("{action:?}: {illegal}") };
        battle.apply(action, chance, &mut Log::off()).map_err(refused)
    }

    /// Looks into one decision; nothing where there was no other answer.
    fn doubt<B: Battle>(
        &self,
        decision: u64,
        battle: &B,
        chosen: &B::Action,
    ) -> Result<Option<Doubt>, StudyError> {
        let Some(seat) = battle.seat() else { return Ok(None) };
        let mut whim = Whim::new(self.seed(), (1 << 36) + decision);
        let view = battle.plain_view(None);
        let answers = self.answers(battle, chosen, &mut whim);
        if answers.len() < 2 {
            return Ok(None);
        }
        let minded = self.minded(battle, &answers, &mut whim);
        let mut tried: Vec<Tried> = Vec::with_capacity(answers.len());
        let seeds: Vec<Seed> = (0..self.inquiry.tries.max(2)).map(|_| whim.seed()).collect();
        for ((action, promise), minded) in answers.into_iter().zip(minded) {
            let mut won = [0.0; 2];
            let mut name = String::new();
            for (k, seed) in seeds.iter().enumerate() {
                let mut tried = battle.imagined(seat, &mut Whim::new(*seed, 1 << 32));
                let mut chance = Seeded::new(*seed);
                self.obey(&mut tried, &action, &mut chance)?;
                if k == 0 {
                    name = Self::named(&view, &tried.plain_view(None), battle, &action);
                }
                won[k % 2] += self.fight_out(tried, seat, battle.turn(), *seed, &mut chance)?;
            }
            let halves = [seeds.len().div_ceil(2), seeds.len() / 2];
            let won = [won[0] / halves[0] as f64, won[1] / halves[1] as f64];
            tried.push(Tried { name, answer: B::write_action(&action), promise, won, minded });
        }
        let best = (0..tried.len()).rev().max_by(|&a, &b| tried[a].won[0].total_cmp(&tried[b].won[0]));
        let best = best.unwrap_or(0);
        Ok(Some(Doubt {
            seed: self.seed(),
            decision,
            turn: battle.turn(),
            kind: battle.pending().kind().to_owned(),
            lost: tried[best].won[1] - tried[0].won[1],
            best,
            tried,
        }))
    }

    /// The answers that are tried: what was chosen, what was proposed, and some of each other kind that is open.
    fn answers<B: Battle>(
        &self,
        battle: &B,
        chosen: &B::Action,
        whim: &mut Whim,
    ) -> Vec<(B::Action, Option<f64>)> {
        let Inquiry { proposals, others, .. } = *self.inquiry;
        let mut field = battle.clone();
        field.heed(&self.inquiry.heeding.clone().map_or(School::Present, School::Own));
        let proposed = field.proposals(proposals, whim);
        let promise = proposed.iter().find(|p| p.action == *chosen).map_or(1.0, |p| p.promise);
        let mut out = vec![(chosen.clone(), Some(promise))];
        for p in proposed {
            if p.action != *chosen {
                out.push((p.action, Some(p.promise)));
            }
        }
        let label = |a: &B::Action| (name_of(&B::write_action(a)), B::about(a));
        let mut met: BTreeMap<(String, Option<UnitId>), usize> = BTreeMap::new();
        for (action, _) in &out {
            *met.entry(label(action)).or_default() += 1;
        }
        // Of the rarest kind first.
        let mut open: Vec<(usize, B::Action)> = Vec::new();
        for action in battle.candidates(CANDIDATES, whim) {
            if out.iter().any(|(known, _)| *known == action) {
                continue;
            }
            let times = met.entry(label(&action)).or_default();
            open.push((*times, action));
            *times += 1;
        }
        open.retain(|(_, a)| name_of(&B::write_action(a)) != "concede");
        open.sort_by_key(|(times, _)| *times);
        out.extend(open.into_iter().take(others).map(|(_, action)| (action, None)));
        out
    }

    /// What each answer promises by each of the minds, all of them by the same whim.
    fn minded<B: Battle>(
        &self,
        battle: &B,
        answers: &[(B::Action, Option<f64>)],
        whim: &mut Whim,
    ) -> Vec<Vec<Option<f64>>> {
        let seed = whim.seed();
        let mut all = vec![Vec::with_capacity(self.inquiry.minds.len()); answers.len()];
        for mind in &self.inquiry.minds {
            let mut field = battle.clone();
            field.heed(&School::Own(Arc::clone(mind)));
            let proposed = field.proposals(EVERY, &mut Whim::new(seed, 1 << 37));
            for ((action, _), promises) in answers.iter().zip(&mut all) {
                promises.push(proposed.iter().find(|p| p.action == *action).map(|p| p.promise));
            }
        }
        all
    }

    /// What comes of it: 1 if the seat's side wins, 0 if not, between if it is only judged.
    fn fight_out<B: Battle>(
        &self,
        mut battle: B,
        seat: Seat,
        turn: u32,
        seed: Seed,
        chance: &mut Seeded,
    ) -> Result<f64, StudyError> {
        let seats = battle.plain_view(None).seats;
        let side = seats.iter().find(|s| s.seat == seat).map_or(Side(0), |s| s.side);
        let mut players = self.players(&seats, seed);
        let last = self.inquiry.turns.map_or(u32::MAX, |turns| turn.saturating_add(turns));
        let mut decisions = 0;
        while let Some(seat) = battle.seat().filter(|_| decisions < MOST_DECISIONS) {
            if self.stop.load(Ordering::Relaxed) {
                return Err(StudyError::Stopped);
            }
            if battle.turn() > last {
                break;
            }
            let action = players[seat.index()].choose(&battle);
            self.obey(&mut battle, &action, chance)?;
            decisions += 1;
        }
        Ok(match battle.ending() {
            Some(ending) => ending.winner.map_or(0.5, |winner| if winner == side { 1.0 } else { 0.0 }),
            None => {
                battle.heed(&School::Present);
                f64::midpoint(battle.standing(seat).clamp(-1.0, 1.0), 1.0)
            }
        })
    }

    /// What kind of answer it is: its name, whom it is about, and whether he comes nearer to the enemy by it.
    fn named<B: Battle>(before: &View, after: &View, battle: &B, action: &B::Action) -> String {
        let mut name = name_of(&B::write_action(action));
        let asked = match battle.pending() {
            tricorne_game::Pending::Decision { unit, .. } => unit,
            tricorne_game::Pending::Over(_) => None,
        };
        let Some(unit) = B::about(action).or(asked) else { return name };
        let find = |view: &View| view.units.iter().find(|u| u.id == unit).cloned();
        let (Some(was), Some(is)) = (find(before), find(after)) else { return name };
        name.push(' ');
        name.push_str(&was.kind);
        let moved = was.at.distance(is.at);
        if moved > STEP && is.on_table && was.on_table {
            let gap = |at: &UnitView| {
                let enemies = before.units.iter().filter(|u| u.on_table && u.side != at.side);
                enemies.map(|e| e.at.distance(at.at)).fold(f64::INFINITY, f64::min)
            };
            let nearer = gap(&was) - gap(&is);
            name.push_str(match nearer {
                n if n > STEP => " nearer",
                n if n < -STEP => " farther",
                _ => " aside",
            });
        }
        name
    }
}
