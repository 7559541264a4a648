//! Searching ahead: Monte-Carlo tree search over what the seat may know.
//!
//! Each try imagines the battle anew as the seat may know it, takes decisions down the tree, lets subalterns play on
//! for a while, and judges where that leads. The tree is keyed by decisions only: dice and what is hidden are drawn
//! anew each time, so a branch holds the average over them (information-set search with chance by sampling).
//!
//! * How far: far. A decision shows its worth only when both sides have made something of it, so subalterns play on for
//!   some turns of each side, and the position is judged when the enemy has had his answer: where sides take turns,
//!   at the end of his turn. By the clock the horizon is as far as leaves time for enough tries, so a slow system is
//!   searched less far rather than less often.
//! * Where cards mix what the sides do, how the way there looked counts as well: the position is judged on the way, and
//!   the end of it weighs most. Far ahead everything hangs on dice, near by little has come of it yet; both together
//!   waver less than either. Where sides take turns that was not found to help, and only the end counts.
//! * Which branch: the value so far, plus a bonus that falls with visits and rises with promise (PUCT).
//! * Places and paths have no end, so a branch opens for the next proposal only as visits grow (progressive widening).
//! * The n-th try of every answer meets the same dice: what is compared is the answers, not their luck. Each purpose has
//!   a stream of dice of its own, so this holds well beyond the first roll.
//! * Values are of the seat's side; whoever fights for another side wants the opposite.
//!
//! Both schools think with this, each by habits of its own. The frozen search (`first.rs`) has to go on answering as it
//! did, so nothing may be changed here that changes it: what a better search does otherwise is a habit that the first
//! school does not have, or is written beside (`crates/lab/tests/frozen.rs` has what a brigadier answered).

use std::time::Duration;

use tricorne_chance::{Seed, Seeded, Whim};
use tricorne_game::{InOrder, Proposal, Seat, Side};

use crate::field::Field;
use crate::level::Budget;
use crate::stopwatch::Stopwatch;
use crate::subaltern;
use crate::verdict::{Verdict, Weighed};

/// Decisions that are played on before the position is judged: at least, and at most.
pub(crate) struct Horizon {
    pub least: u32,
    pub most: u32,
    /// The position is judged on the way each time so many have been played; 0 for never.
    pub look: u32,
}

/// The numbers that a school searches by.
pub(crate) struct Habits {
    /// Answers weighed at the decision itself, and at decisions further down.
    pub at_root: usize,
    pub below: usize,
    /// Answers a subaltern weighs while it plays on in thought.
    pub in_play: usize,
    /// How far it is played on where cards or the like mix what the sides do.
    pub mixed: Horizon,
    /// Where sides take turns: the last one is played to its end.
    pub by_turns: Horizon,
    /// The weight of how a position ends, where each look on the way has a weight of 1.
    pub last: f64,
    /// As many decisions as the clock may cut it to.
    pub nearest: u32,
    /// Tries that there should be time for.
    pub enough: f64,
    /// The weight of promise against value in choosing a branch. Few tries are mostly luck, so a subaltern's first choice
    /// is left only for a reason.
    pub explore: f64,
    /// How sharply promise is trusted: this much less promise makes an answer e times less likely to be tried.
    pub trust: f64,
    /// Tries before a general may be sure enough to stop.
    pub sure_after: u32,
}

/// The budget as it runs down.
pub(crate) struct Clock {
    /// When it began and how long it runs; none where tries are counted.
    time: Option<(Stopwatch, Duration)>,
    tries: u32,
    /// Whether somebody waits: then no step is begun that is not likely to end in time.
    awaited: bool,
    last: Duration,
    /// About the longest step so far.
    longest: Duration,
}

impl Clock {
    pub(crate) fn start(budget: Budget, watch: Stopwatch, awaited: bool) -> Self {
        let (time, tries) = match budget {
            // A little is kept back for what comes after the last step.
            Budget::Time(time) => (Some((watch, time.mul_f64(0.98))), u32::MAX),
            Budget::Tries(tries) => (None, tries),
        };
        Self { time, tries, awaited, last: Duration::ZERO, longest: Duration::ZERO }
    }

    fn up(&mut self) -> bool {
        let Some((begun, time)) = &self.time else { return false };
        if !self.awaited {
            return begun.reached(*time);
        }
        let now = begun.elapsed();
        // One long step is not held against all that follow.
        self.longest = now.saturating_sub(self.last).max(self.longest.mul_f64(0.98));
        self.last = now;
        now + self.longest.min(*time / 4) >= *time
    }

    /// How far to play on at most, after so many decisions in thought: by the clock, as far as leaves time for enough
    /// tries.
    fn horizon(&self, decisions: u64, habits: &Habits, most: u32) -> u32 {
        let Some((begun, time)) = &self.time else { return most };
        if decisions == 0 {
            return habits.nearest;
        }
        let each = begun.elapsed().as_secs_f64() / decisions as f64;
        ((time.as_secs_f64() / each / habits.enough) as u32).clamp(habits.nearest, most)
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
    fn open(&mut self, node: usize, mut proposals: Vec<Proposal<O>>, seat: Seat, habits: &Habits) {
        proposals.put_in_order(|a, b| b.promise.total_cmp(&a.promise));
        let top = proposals.first().map_or(0.0, |p| p.promise);
        let weight = |promise: f64| libm::exp(((promise - top) / habits.trust).max(-30.0));
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
    fn pick(&self, node: usize, sign: f64, refused: &[usize], habits: &Habits) -> Option<usize> {
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
            let bonus = habits.explore * edge.prior.max(0.02) * n.sqrt() / (1.0 + f64::from(edge.visits));
            let score = value + bonus;
            if best.is_none_or(|(b, _)| score > b) {
                best = Some((score, i));
            }
        }
        best.map(|(_, i)| i)
    }
}

/// Whose decision it is.
#[derive(Clone)]
pub(crate) struct Whose {
    seat: Seat,
    side: Side,
    /// The seats on our side.
    mine: Vec<Seat>,
}

impl Whose {
    pub(crate) fn of<F: Field>(field: &F, seat: Seat) -> Self {
        let sides = field.seats();
        let side = sides.iter().find(|s| s.seat == seat).map_or(Side(seat.0), |s| s.side);
        Self { seat, side, mine: sides.iter().filter(|s| s.side == side).map(|s| s.seat).collect() }
    }
}

/// The answers that a decision is searched for. They come from an imagined battle: nothing hidden shapes them.
pub(crate) fn proposals<F: Field>(
    field: &F,
    seat: Seat,
    habits: &Habits,
    whim: &mut Whim,
) -> Vec<Proposal<F::Order>> {
    field.imagined(seat, whim).proposals(habits.at_root, whim)
}

pub(crate) struct Search<'a, F: Field> {
    habits: &'a Habits,
    field: &'a F,
    whose: Whose,
    seed: Seed,
    tree: Tree<F::Order>,
    clock: Clock,
    decisions: u64,
    daring: f64,
}

impl<'a, F: Field> Search<'a, F> {
    /// About to think of these answers, on dice from this seed. `daring` is what an even chance is worth beyond itself.
    pub(crate) fn new(
        habits: &'a Habits,
        (field, whose): (&'a F, Whose),
        proposals: Vec<Proposal<F::Order>>,
        (clock, seed): (Clock, Seed),
        daring: f64,
    ) -> Self {
        let mut tree = Tree { nodes: vec![Node::default()] };
        tree.open(0, proposals, whose.seat, habits);
        Self { habits, field, whose, seed, tree, clock, decisions: 0, daring }
    }

    /// The answers and what they came to, in the order they were proposed. With one answer there is nothing to think about.
    pub(crate) fn done(mut self) -> Verdict<F::Order> {
        if self.tree.nodes[0].edges.len() > 1 {
            self.run();
        }
        self.verdict()
    }

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
        if self.whose.mine.contains(&seat) { 1.0 } else { -1.0 }
    }

    /// One try: down the tree, on with subalterns, back up with what came of it. `false` if time ran out in it.
    fn attempt(&mut self) -> bool {
        let Some(first) = self.tree.pick(0, 1.0, &[], self.habits) else { return false };
        let nth = u64::from(self.tree.nodes[0].edges[first].visits);
        let mut whim = Whim::new(self.seed, nth);
        let mut chance = Seeded::new(whim.seed());
        let mut state = self.field.imagined(self.whose.seat, &mut whim);
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
                self.tree.open(at, state.proposals(self.habits.below, &mut whim), seat, self.habits);
            } else if self.tree.nodes[at].seat != Some(seat) {
                // The dice led to somebody else's decision this time.
                break;
            }
            let sign = self.sign(seat);
            let mut refused = Vec::new();
            let taken = loop {
                let Some(i) = next.take().or_else(|| self.tree.pick(at, sign, &refused, self.habits)) else {
                    break None;
                };
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
        let habits = self.habits;
        let horizon = if state.whose_turn().is_some() { &habits.by_turns } else { &habits.mixed };
        let most = self.clock.horizon(self.decisions, habits, horizon.most);
        let (mut seen, mut looks) = (0.0, 0.0);
        // Whether the enemy has had his answer: a turn of his, or a decision where nobody has turns.
        let mut answered = false;
        for played in 0..most {
            let Some(seat) = state.seat() else { break };
            let ours = match state.whose_turn() {
                Some(side) => side == self.whose.side,
                None => self.whose.mine.contains(&seat),
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
            let Some(order) = subaltern::choose(state, habits.in_play, whim) else { break };
            if !state.obey(&order, chance) {
                break;
            }
            self.decisions += 1;
        }
        Some((seen + habits.last * self.judge(state)) / (looks + habits.last))
    }

    /// From -1 (lost) to 1 (won) for our side.
    fn judge(&self, state: &F) -> f64 {
        match state.seat() {
            Some(_) => {
                let standing = state.standing(self.whose.seat).clamp(-1.0, 1.0);
                standing + self.daring * (1.0 - standing * standing)
            }
            None => match state.ending().and_then(|e| e.winner) {
                Some(winner) if winner == self.whose.side => 1.0,
                Some(_) => -1.0,
                None => 0.0,
            },
        }
    }

    /// Whether the best answer is beyond doubt better than every other that has been open.
    fn sure(&self, tries: u32) -> bool {
        if tries < self.habits.sure_after || !tries.is_multiple_of(16) {
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

    fn verdict(mut self) -> Verdict<F::Order> {
        let tries = self.tree.nodes[0].visits;
        let edges = std::mem::take(&mut self.tree.nodes[0].edges);
        let weighed = edges
            .into_iter()
            .map(|e| Weighed { order: e.order, promise: e.promise, visits: e.visits, total: e.total })
            .collect();
        Verdict { weighed, tries, decisions: self.decisions }
    }
}
