//! The search of the first school: what `brigadier` thinks with, as it was in November 2026. It is frozen with that
//! school's judgement, so that a better search can be measured against it; see `general.rs` for the present one and for
//! what is meant by each part.

use std::time::Duration;

use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_game::{InOrder, Proposal, Seat, Side};

use crate::field::Field;
use crate::level::Budget;
use crate::stopwatch::{Stopwatch, Timing};
use crate::subaltern;
use crate::verdict::{Verdict, Weighed};

/// Answers weighed at the decision itself, and at decisions further down.
const AT_ROOT: usize = 40;
const BELOW: usize = 12;

/// Answers a subaltern weighs while it plays on in thought.
const IN_PLAY: usize = 6;

/// Decisions that are played on before the position is judged: at least, and at most.
struct Horizon {
    least: u32,
    most: u32,
    /// The position is judged on the way each time so many have been played; 0 for never.
    look: u32,
}

/// Where cards or the like mix what the sides do.
const MIXED: Horizon = Horizon { least: 60, most: 120, look: 15 };

/// Where sides take turns: the last one is played to its end.
const BY_TURNS: Horizon = Horizon { least: 120, most: 300, look: 0 };

/// The weight of how a position ends, where each look on the way has a weight of 1.
const LAST: f64 = 2.0;

/// As many decisions as the clock may cut it to.
const NEAREST: u32 = 16;

/// Tries that there should be time for.
const ENOUGH: f64 = 16.0;

/// The weight of promise against value in choosing a branch. Few tries are mostly luck, so a subaltern's first choice is
/// left only for a reason.
const EXPLORE: f64 = 4.0;

/// How sharply promise is trusted: this much less promise makes an answer e times less likely to be tried.
const TRUST: f64 = 0.1;

/// Tries before a general may be sure enough to stop.
const SURE_AFTER: u32 = 64;

/// Weighs the pending decision of `seat`. With one answer there is nothing to think about.
pub fn think<F: Field>(
    field: &F,
    seat: Seat,
    budget: Budget,
    timing: Timing,
    whim: &mut Whim,
) -> Verdict<F::Order> {
    let clock = Clock::start(budget, timing);
    let sides = field.seats();
    let side = |seat: Seat| sides.iter().find(|s| s.seat == seat).map_or(Side(seat.0), |s| s.side);
    // The proposals themselves come from an imagined battle: nothing hidden shapes them.
    let mut tree = Tree { nodes: vec![Node::default()] };
    tree.open(0, field.imagined(seat, whim).proposals(AT_ROOT, whim), seat);
    let mut search = Search {
        field,
        seat,
        mine: sides.iter().filter(|s| s.side == side(seat)).map(|s| s.seat).collect(),
        side: side(seat),
        seed: whim.seed(),
        tree,
        clock,
        decisions: 0,
    };
    if search.tree.nodes[0].edges.len() > 1 {
        search.run();
    }
    search.verdict()
}

/// The budget as it runs down.
struct Clock {
    /// When it began and how long it runs; none where tries are counted.
    time: Option<(Stopwatch, Duration)>,
    tries: u32,
}

impl Clock {
    fn start(budget: Budget, timing: Timing) -> Self {
        match budget {
            // A little is kept back for the step under way when time is up.
            Budget::Time(time) => {
                Self { time: Some((Stopwatch::start(timing), time.mul_f64(0.98))), tries: u32::MAX }
            }
            Budget::Tries(tries) => Self { time: None, tries },
        }
    }

    fn up(&self) -> bool {
        self.time.as_ref().is_some_and(|(begun, time)| begun.reached(*time))
    }

    /// How far to play on at most, after so many decisions in thought: by the clock, as far as leaves time for enough
    /// tries.
    fn horizon(&self, decisions: u64, most: u32) -> u32 {
        let Some((begun, time)) = &self.time else { return most };
        if decisions == 0 {
            return NEAREST;
        }
        let each = begun.elapsed().as_secs_f64() / decisions as f64;
        ((time.as_secs_f64() / each / ENOUGH) as u32).clamp(NEAREST, most)
    }
}

struct Tree<O> {
    nodes: Vec<Node<O>>,
}

/// A decision somewhere in thought.
struct Node<O> {
    /// Whose it is; none while nobody has looked.
    seat: Option<Seat>,
    visits: u32,
    edges: Vec<Edge<O>>,
}

impl<O> Default for Node<O> {
    fn default() -> Self {
        Self { seat: None, visits: 0, edges: Vec::new() }
    }
}

/// An answer to it.
struct Edge<O> {
    order: O,
    promise: f64,
    /// The share of tries that promise alone would give it.
    prior: f64,
    visits: u32,
    total: f64,
    squares: f64,
    to: Option<usize>,
}

impl<O> Edge<O> {
    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits.max(1))
    }

    /// The standard error of the mean, with a little doubt left where all came out alike.
    fn error(&self) -> f64 {
        let n = f64::from(self.visits.max(1));
        let mean = self.mean();
        (((self.squares / n - mean * mean).max(0.0) + 1e-4) / n).sqrt()
    }
}

impl<O> Tree<O> {
    /// Gives a node its answers.
    fn open(&mut self, node: usize, mut proposals: Vec<Proposal<O>>, seat: Seat) {
        proposals.put_in_order(|a, b| b.promise.total_cmp(&a.promise));
        let top = proposals.first().map_or(0.0, |p| p.promise);
        let weight = |promise: f64| libm::exp(((promise - top) / TRUST).max(-30.0));
        let sum: f64 = proposals.iter().map(|p| weight(p.promise)).sum();
        let edges = proposals.into_iter().map(|p| Edge {
            prior: weight(p.promise) / sum,
            order: p.action,
            promise: p.promise,
            visits: 0,
            total: 0.0,
            squares: 0.0,
            to: None,
        });
        self.nodes[node].edges = edges.collect();
        self.nodes[node].seat = Some(seat);
    }

    /// The answer to try next at a node, leaving out those in `refused`; `sign` is 1 where the decision is ours.
    fn pick(&self, node: usize, sign: f64, refused: &[usize]) -> Option<usize> {
        let node = &self.nodes[node];
        let n = f64::from(node.visits);
        let open = (3.0 + 0.5 * n.sqrt()) as usize;
        let tried = || node.edges.iter().filter(|e| e.visits > 0);
        // Values are stretched to the range met here, so that one weight of exploring fits every system.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for edge in tried() {
            low = low.min(sign * edge.mean());
            high = high.max(sign * edge.mean());
        }
        let spread = (high - low).max(0.05);
        let mut best: Option<(f64, usize)> = None;
        for (i, edge) in node.edges.iter().enumerate().take(open) {
            if refused.contains(&i) {
                continue;
            }
            // What was not tried yet is taken for middling.
            let value = if edge.visits > 0 { (sign * edge.mean() - low) / spread } else { 0.5 };
            let bonus = EXPLORE * edge.prior.max(0.02) * n.sqrt() / (1.0 + f64::from(edge.visits));
            let score = value + bonus;
            if best.is_none_or(|(b, _)| score > b) {
                best = Some((score, i));
            }
        }
        best.map(|(_, i)| i)
    }
}

struct Search<'a, F: Field> {
    field: &'a F,
    seat: Seat,
    side: Side,
    /// The seats on our side.
    mine: Vec<Seat>,
    seed: Seed,
    tree: Tree<F::Order>,
    clock: Clock,
    decisions: u64,
}

impl<F: Field> Search<'_, F> {
    fn run(&mut self) {
        for n in 0..self.clock.tries {
            // Cut off in the middle a try says nothing; the first one is let finish its descent, so that every
            // general has tried something.
            if self.clock.up() || !self.attempt() || self.sure(n) {
                break;
            }
        }
    }

    fn sign(&self, seat: Seat) -> f64 {
        if self.mine.contains(&seat) { 1.0 } else { -1.0 }
    }

    /// One try: down the tree, on with subalterns, back up with what came of it. `false` if time ran out in it.
    fn attempt(&mut self) -> bool {
        let Some(first) = self.tree.pick(0, 1.0, &[]) else { return false };
        let nth = u64::from(self.tree.nodes[0].edges[first].visits);
        let mut whim = Whim::new(self.seed, nth);
        let mut chance = Seeded::new(whim.seed());
        let mut state = self.field.imagined(self.seat, &mut whim);
        let mut path: Vec<(usize, usize)> = Vec::new();
        let mut at = 0;
        let mut next = Some(first);
        while let Some(seat) = state.seat() {
            if self.clock.up() {
                return false;
            }
            if self.tree.nodes[at].seat.is_none() {
                if self.tree.nodes[at].visits == 0 {
                    break;
                }
                self.tree.open(at, state.proposals(BELOW, &mut whim), seat);
            } else if self.tree.nodes[at].seat != Some(seat) {
                // The dice led to somebody else's decision this time.
                break;
            }
            let sign = self.sign(seat);
            let mut refused = Vec::new();
            let taken = loop {
                let Some(i) = next.take().or_else(|| self.tree.pick(at, sign, &refused)) else { break None };
                if state.obey(&self.tree.nodes[at].edges[i].order, &mut chance) {
                    break Some(i);
                }
                // What other dice or other hidden troops allowed may be refused now.
                refused.push(i);
            };
            let Some(i) = taken else { break };
            self.decisions += 1;
            path.push((at, i));
            at = match self.tree.nodes[at].edges[i].to {
                Some(to) => to,
                None => {
                    self.tree.nodes.push(Node::default());
                    let to = self.tree.nodes.len() - 1;
                    self.tree.nodes[at].edges[i].to = Some(to);
                    to
                }
            };
        }
        let Some(value) = self.play_on(&mut state, &mut chance, &mut whim) else { return false };
        self.tree.nodes[at].visits += 1;
        for (node, edge) in path {
            let node = &mut self.tree.nodes[node];
            node.visits += 1;
            let edge = &mut node.edges[edge];
            edge.visits += 1;
            edge.total += value;
            edge.squares += value * value;
        }
        true
    }

    /// Subalterns play on: how it went, from -1 (lost) to 1 (won); none if time ran out.
    fn play_on(&mut self, state: &mut F, chance: &mut Seeded, whim: &mut Whim) -> Option<f64> {
        let horizon = if state.whose_turn().is_some() { BY_TURNS } else { MIXED };
        let most = self.clock.horizon(self.decisions, horizon.most);
        let (mut seen, mut looks) = (0.0, 0.0);
        // Whether the enemy has had his answer: a turn of his, or a decision where nobody has turns.
        let mut answered = false;
        for played in 0..most {
            let Some(seat) = state.seat() else { break };
            let ours = match state.whose_turn() {
                Some(side) => side == self.side,
                None => self.mine.contains(&seat),
            };
            answered |= !ours;
            // Judged when it is our turn again, not in the middle of what the enemy does.
            if answered && ours && played >= horizon.least.min(most) {
                break;
            }
            if self.clock.up() {
                return None;
            }
            if played > 0 && horizon.look > 0 && played.is_multiple_of(horizon.look) {
                seen += self.judge(state);
                looks += 1.0;
            }
            let Some(order) = subaltern::choose(state, IN_PLAY, whim) else { break };
            if !state.obey(&order, chance) {
                break;
            }
            self.decisions += 1;
        }
        Some((seen + LAST * self.judge(state)) / (looks + LAST))
    }

    /// From -1 (lost) to 1 (won) for our side.
    fn judge(&self, state: &F) -> f64 {
        match state.seat() {
            Some(_) => state.standing(self.seat).clamp(-1.0, 1.0),
            None => match state.ending().and_then(|e| e.winner) {
                Some(winner) if winner == self.side => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            },
        }
    }

    /// Whether the best answer is beyond doubt better than every other that has been open.
    fn sure(&self, tries: u32) -> bool {
        if tries < SURE_AFTER || !tries.is_multiple_of(16) {
            return false;
        }
        let edges = &self.tree.nodes[0].edges;
        let Some(best) = edges.iter().max_by_key(|e| e.visits) else { return false };
        let low = best.mean() - 4.0 * best.error();
        edges
            .iter()
            .filter(|e| !std::ptr::eq(*e, best))
            .all(|e| e.visits > 7 && e.mean() + 4.0 * e.error() < low)
    }

    /// The answers, best first: by value where both were tried often enough to tell, otherwise by how often.
    fn verdict(mut self) -> Verdict<F::Order> {
        let tries = self.tree.nodes[0].visits;
        let edges = std::mem::take(&mut self.tree.nodes[0].edges);
        let mut weighed: Vec<Weighed<F::Order>> = edges
            .into_iter()
            .map(|e| Weighed { order: e.order, promise: e.promise, visits: e.visits, total: e.total })
            .collect();
        weighed.put_in_order(|a, b| {
            let key = |w: &Weighed<F::Order>| (w.visits, w.value().unwrap_or(-1.0), w.promise);
            let (a, b) = (key(a), key(b));
            b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)).then(b.2.total_cmp(&a.2))
        });
        Verdict { weighed, tries, decisions: self.decisions }
    }
}
