//! What either army could still do to the other, act by act, from where everybody stands: what an officer reckons before
//! and after each answer. Whatever an answer changes (a unit tired, shaken, moved, scattered, gone) is a [`Variant`];
//! [`Survey::value`] says how the prospects of both armies lie with it.

use smallvec::SmallVec;

use super::memory::{Dice, clash_of, volley_of};
use super::pools::{Clash, Volley};
use super::survey::{Brief, Survey};
use crate::combat::exchange::{Exchange, Lie, Pool};
use crate::field::Engagement;
use crate::formations::Formation;
use crate::movement::sight::Zone;
use crate::movement::terrain::Cover;
use crate::rulebook::{Colour, Kind};
use crate::state::Unit;

/// Acts of an army that are looked ahead to.
const ACTS: usize = 6;

/// How one unit lies to another that would attack it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lay {
    /// How far it is.
    far: f64,
    /// Whether it is before the attacker's front.
    ahead: bool,
    /// Whether neither ground nor troops stand between.
    clear: bool,
    lie: Lie,
}

/// What one unit can do to another, in points of troops.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Blow {
    /// By its next act of this turn, the one after, and the last.
    pub now: [f64; 3],
    /// Next turn, when both are fresh.
    pub fresh: f64,
}

/// A unit as it would be after something, with what it could then do to each of its enemies, and each of them to it.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// Its place among its own.
    pub i: usize,
    /// The unit; none if it is gone.
    pub brief: Option<Brief>,
    deals: SmallVec<[Blow; 12]>,
    takes: SmallVec<[Blow; 12]>,
}

impl Survey<'_> {
    /// What two enemies can do to each other.
    fn blows(&self, a: &Brief, b: &Brief) -> [Blow; 2] {
        let far = a.unit.at.distance(b.unit.at);
        let clear = if far > a.reaches().max(b.reaches()) + 8.0 {
            [true; 2]
        } else if self.battle.land().hides(a.unit.at, b.middle) {
            [false; 2]
        } else {
            self.between(a, b)
        };
        [self.blow(a, b, &self.lay(a, b, clear[0])), self.blow(b, a, &self.lay(b, a, clear[1]))]
    }

    /// How a target lies to an attacker.
    fn lay(&self, a: &Brief, b: &Brief, clear: bool) -> Lay {
        let way = b.middle - a.unit.at;
        let far = (way.length() - 1.0).max(0.0);
        let all_round = a.unit.kind == Kind::Skirmisher || a.unit.formation == Formation::Square;
        let ahead = all_round || a.unit.forward.dot(way) >= -0.5;
        let lie = if far <= a.reaches() {
            self.battle.lie(&a.unit, &b.unit, false)
        } else {
            Lie { zone: Zone::Front, cover: Cover::None }
        };
        Lay { far, ahead, clear, lie }
    }

    /// Whether the way between two enemies is clear for the one and for the other (ATKM-LOS-06, ATKM-MELEE-12): an
    /// attacker's own skirmishers are no hindrance.
    fn between(&self, a: &Brief, b: &Brief) -> [bool; 2] {
        let way = b.middle - a.unit.at;
        let length = way.length();
        let mut clear = [true; 2];
        let Some(along) = way.unit() else { return clear };
        for o in self.own.iter().chain(&self.enemy) {
            let to = o.middle - a.unit.at;
            let on = to.dot(along);
            if on <= 1.0 || on >= length - 1.0 || (to.x * along.y - to.y * along.x).abs() >= 2.0 {
                continue;
            }
            if o.no == a.no || o.no == b.no {
                continue;
            }
            let light = o.unit.is_skirmish_line();
            clear[0] &= light && o.unit.army == a.unit.army;
            clear[1] &= light && o.unit.army == b.unit.army;
        }
        clear
    }

    /// What one unit can do to another that lies so.
    fn blow(&self, a: &Brief, b: &Brief, lay: &Lay) -> Blow {
        let mut out = Blow::default();
        if a.unit.is_mob() {
            return out;
        }
        let w = self.weighs;
        let acts = a.acts();
        let stride = if lay.ahead { a.stride } else { a.stride / 2.0 };
        let distant = |past: f64| w.out_of_reach * (1.0 - past / w.far_off).max(0.0);
        let seen = if lay.clear { 1.0 } else { w.screened };
        if let Some(range) = a.range {
            let here = a.fires && lay.ahead && lay.far <= range;
            let (now, fresh) = if here {
                (seen, seen)
            } else if lay.far <= range + stride {
                (seen * w.coming, seen * w.coming)
            } else {
                (0.0, distant(lay.far - range - stride))
            };
            if fresh > 0.0 {
                let (attack, defence, worse) = self.fire_dice(a, b, lay.far.min(range), lay.lie);
                let toll = |ours: Colour, theirs: Colour| {
                    self.toll(&self.volley_of(attack, ours, defence, theirs.worse(worse), b), b)
                };
                out.fresh = fresh * toll(Colour::Green, Colour::Green);
                if now > 0.0 {
                    for (k, blow) in out.now.iter_mut().enumerate().take(acts) {
                        let colour = a.unit.colour.worse(k as u8);
                        *blow = if colour == Colour::Green && b.unit.colour == Colour::Green {
                            out.fresh * now / fresh
                        } else {
                            now * toll(colour, b.unit.colour)
                        };
                    }
                }
            }
        }
        if a.charges {
            let (now, fresh) = if lay.far <= stride + 0.5 && lay.ahead {
                (seen * w.charge_now, seen * w.charge_now)
            } else {
                (0.0, seen * w.charge_next * distant(lay.far - stride))
            };
            if fresh > 0.0 {
                let rested = self.spoils(a, b, Colour::Green, lay.lie);
                out.fresh = out.fresh.max(fresh * rested);
                if now > 0.0 && acts > 0 {
                    let at_once = if b.unit.colour == Colour::Green {
                        rested
                    } else {
                        self.spoils(a, b, b.unit.colour, lay.lie)
                    };
                    for blow in out.now.iter_mut().take(acts) {
                        *blow = blow.max(now * at_once);
                    }
                }
            }
        }
        out
    }

    /// Dice of both in a volley, and by how much the target rolls worse.
    fn fire_dice(&self, a: &Brief, b: &Brief, far: f64, lie: Lie) -> Dice {
        let men = a.musketry(self.battle);
        let target = Engagement::target_of(&b.unit);
        let cell = self.battle.rules().fire_dice(a.unit.kind, target, far, self.battle.options());
        self.memory.dice(under(a, men, b, lie), cell, || {
            let pools = self.battle.volley(&a.unit, men, &b.unit, far, lie);
            (pools.dice.sum(), pools.defence.sum(), pools.worse.sum().clamp(0, 2) as u8)
        })
    }

    fn volley_of(&self, attack: i32, ours: Colour, defence: i32, theirs: Colour, b: &Brief) -> Volley {
        let rules = self.battle.rules();
        let attack = Pool { dice: attack, need: rules.needs(ours) };
        volley_of(attack, Pool { dice: defence, need: rules.needs(theirs) }, b.men())
    }

    /// What a charge promises to whoever makes it; nobody charges to his own loss.
    fn spoils(&self, a: &Brief, b: &Brief, colour: Colour, lie: Lie) -> f64 {
        if self.battle.rules().melee_dice(a.unit.kind, Engagement::target_of(&b.unit)).is_none() {
            return 0.0;
        }
        let find = || {
            let target = Unit { colour, ..b.unit };
            Exchange::of(self.battle.rules(), &self.battle.melee(&a.unit, &target, lie))
        };
        // On hills it matters where they stand (ATKM-ADV-03).
        let Exchange { attack, defence } = if self.battle.options().adv_high_ground {
            find()
        } else {
            let key = under(a, a.unit.n, b, lie) << 4 | (a.unit.colour as u64) << 2 | colour as u64;
            self.memory.melee(key, find)
        };
        let c = clash_of(attack, defence, a.men(), b.men());
        self.prize_of(&c, a, b).max(0.0)
    }

    /// What a volley takes from its target: men, the unit, and pluck.
    pub(super) fn toll(&self, v: &Volley, them: &Brief) -> f64 {
        v.fallen * them.man + v.routs * them.colours + v.any * self.weighs.shaken * them.worth
    }

    /// What a melee takes from the charged, less what it costs the charger.
    pub(super) fn prize_of(&self, c: &Clash, us: &Brief, them: &Brief) -> f64 {
        let w = self.weighs;
        let won = (c.won - c.they_rout).max(0.0);
        let lost = (c.lost - c.we_rout).max(0.0);
        let mob = |b: &Brief| if b.unit.is_mob() { 0.3 } else { 1.0 } * b.worth * w.as_mob;
        let theirs = c.their_fallen * them.man + c.they_rout * them.colours + won * mob(them);
        let ours = c.our_fallen * us.man + c.we_rout * us.colours + lost * mob(us);
        theirs - w.charger_pays * ours
    }

    /// Everything both armies can do, as they stand.
    pub(super) fn reckon(&mut self) {
        let (m, n) = (self.own.len(), self.enemy.len());
        let mut ours = Vec::with_capacity(m * n);
        let mut theirs = vec![Blow::default(); m * n];
        for (i, us) in self.own.iter().enumerate() {
            for (j, them) in self.enemy.iter().enumerate() {
                let [deals, takes] = self.blows(us, them);
                ours.push(deals);
                theirs[j * m + i] = takes;
            }
        }
        self.ours = ours;
        self.theirs = theirs;
        self.base = self.value(None, None);
    }

    /// One of ours (or of theirs) as it would be.
    pub(super) fn variant(&self, ours: bool, i: usize, brief: Option<Brief>) -> Variant {
        let others = if ours { &self.enemy } else { &self.own };
        let mut out = Variant { i, brief, deals: SmallVec::new(), takes: SmallVec::new() };
        match &out.brief {
            Some(b) => {
                for other in others {
                    let [deals, takes] = self.blows(b, other);
                    out.deals.push(deals);
                    out.takes.push(takes);
                }
            }
            None => {
                out.deals.resize(others.len(), Blow::default());
                out.takes.resize(others.len(), Blow::default());
            }
        }
        out
    }

    /// How the prospects of both armies lie, with one of ours and one of theirs otherwise than they are.
    pub(super) fn value(&self, mine: Option<&Variant>, yours: Option<&Variant>) -> f64 {
        self.look(mine, yours).sum()
    }

    /// The same, part by part.
    pub(super) fn look(&self, mine: Option<&Variant>, yours: Option<&Variant>) -> Outlook {
        let w = self.weighs;
        let ([now, danger], [next, later]) = self.lie_of(mine, yours);
        let drawn = mine.and_then(|x| Some(self.pull(x.brief.as_ref()?) - self.pull(&self.own[x.i])));
        Outlook {
            ours: self.drive * (w.now_own * now + self.later * w.next_own * next),
            theirs: -w.now_enemy * danger - self.later * w.next_enemy * later,
            ground: drawn.unwrap_or(0.0),
        }
    }

    /// What both armies can do, ours first: in the cards that are left, and next turn.
    pub(super) fn outlook(&self) -> ([f64; 2], [f64; 2]) {
        self.lie_of(None, None)
    }

    fn lie_of(&self, mine: Option<&Variant>, yours: Option<&Variant>) -> ([f64; 2], [f64; 2]) {
        let (m, n) = (self.own.len(), self.enemy.len());
        let both = match (mine, yours) {
            (Some(x), Some(y)) => match (&x.brief, &y.brief) {
                (Some(a), Some(b)) => Some(self.blows(a, b)),
                _ => Some([Blow::default(); 2]),
            },
            _ => None,
        };
        let ours = |i: usize, j: usize| match (mine, yours, &both) {
            (Some(x), Some(y), Some(both)) if x.i == i && y.i == j => &both[0],
            (Some(x), _, _) if x.i == i => &x.deals[j],
            (_, Some(y), _) if y.i == j => &y.takes[i],
            _ => &self.ours[i * n + j],
        };
        let theirs = |j: usize, i: usize| match (mine, yours, &both) {
            (Some(x), Some(y), Some(both)) if x.i == i && y.i == j => &both[1],
            (Some(x), _, _) if x.i == i => &x.takes[j],
            (_, Some(y), _) if y.i == j => &y.deals[i],
            _ => &self.theirs[j * m + i],
        };
        let (now, next) = self.prospects(self.acts[0], m, n, ours, |j| self.enemy[j].whole);
        let (danger, later) = self.prospects(self.acts[1], n, m, theirs, |i| self.own[i].whole);
        ([now, danger], [next, later])
    }

    /// The best acts an army has in the cards that are left, and what its units can do next turn.
    fn prospects<'b>(
        &self,
        acts: f64,
        attackers: usize,
        targets: usize,
        blow: impl Fn(usize, usize) -> &'b Blow,
        whole: impl Fn(usize) -> f64,
    ) -> (f64, f64) {
        let mut table: SmallVec<[&[f64; 3]; 64]> = SmallVec::with_capacity(attackers * targets);
        let mut next = 0.0;
        // What each can do best with its next act, and to whom.
        let mut tops: SmallVec<[Top; 16]> = SmallVec::new();
        for a in 0..attackers {
            let mut best: f64 = 0.0;
            let mut top = Top { gain: 0.0, target: 0, taken: 0 };
            for b in 0..targets {
                let blow = blow(a, b);
                best = best.max(blow.fresh);
                if blow.now[0] > top.gain {
                    (top.gain, top.target) = (blow.now[0], b);
                }
                table.push(&blow.now);
            }
            next += best;
            tops.push(top);
        }
        let mut left: SmallVec<[f64; 16]> = smallvec::smallvec![1.0; targets];
        let (mut sum, mut sure) = (0.0, 1.0);
        for act in 0..ACTS {
            let share = (acts - act as f64).clamp(0.0, 1.0);
            if share <= 0.0 {
                break;
            }
            let mut first: Option<usize> = None;
            for (a, top) in tops.iter().enumerate() {
                if top.gain > first.map_or(0.0, |f| tops[f].gain) {
                    first = Some(a);
                }
            }
            let Some(a) = first else { break };
            let Top { gain, target: b, .. } = tops[a];
            sum += share * sure * gain;
            sure *= self.weighs.fade;
            tops[a].taken += 1;
            left[b] = (left[b] - gain / whole(b).max(1.0)).max(0.0);
            // Whoever did not aim there still has his best mark.
            for (k, top) in tops.iter_mut().enumerate() {
                if k == a || (top.gain > 0.0 && top.target == b) {
                    top.find(&table[k * targets..(k + 1) * targets], &left);
                }
            }
        }
        (sum, next)
    }
}

/// How prospects lie, in points of troops.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// What we can do to them.
    pub ours: f64,
    /// What they can do to us, below nought.
    pub theirs: f64,
    /// What is fought over.
    pub ground: f64,
}

impl Outlook {
    pub(super) fn sum(&self) -> f64 {
        self.ours + self.theirs + self.ground
    }
}

/// What a unit can do best with its next act.
#[derive(Clone, Copy)]
struct Top {
    gain: f64,
    target: usize,
    /// Acts it has had.
    taken: usize,
}

impl Top {
    fn find(&mut self, blows: &[&[f64; 3]], left: &[f64]) {
        self.gain = 0.0;
        if self.taken >= 3 {
            return;
        }
        for (b, (now, left)) in blows.iter().zip(left).enumerate() {
            let gain = now[self.taken] * left;
            if gain > self.gain {
                (self.gain, self.target) = (gain, b);
            }
        }
    }
}

/// What a volley's dice depend on besides the chart's cell.
fn under(a: &Brief, men: u8, b: &Brief, lie: Lie) -> u64 {
    let shape = match b.unit.formation {
        Formation::Line(_) => 0,
        Formation::Column(_) => 1,
        Formation::Loose => 2,
        Formation::Mob => 3,
        Formation::Square => 4,
    };
    let mut key = a.unit.kind as u64;
    for part in
        [u64::from(men), b.unit.kind as u64, shape, u64::from(b.unit.n), lie.zone as u64, lie.cover as u64]
    {
        key = key << 8 | part;
    }
    key
}
