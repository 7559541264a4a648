//! What either army could still do to the other, act by act, from where everybody stands: what an officer reckons before
//! and after each answer. Whatever an answer changes (a unit tired, shaken, moved, scattered, gone) is a [`Variant`];
//! [`Survey::value`] says how the prospects of both armies lie with it.

use smallvec::SmallVec;

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
    fn fire_dice(&self, a: &Brief, b: &Brief, far: f64, lie: Lie) -> (i32, i32, u8) {
        let men = a.musketry(self.battle);
        let pools = self.battle.volley(&a.unit, men, &b.unit, far, lie);
        (pools.dice.sum(), pools.defence.sum(), pools.worse.sum().clamp(0, 2) as u8)
    }

    fn volley_of(&self, attack: i32, ours: Colour, defence: i32, theirs: Colour, b: &Brief) -> Volley {
        let rules = self.battle.rules();
        let attack = Pool { dice: attack, need: rules.needs(ours) };
        self.memory.volley(attack, Pool { dice: defence, need: rules.needs(theirs) }, b.men())
    }

    /// What a charge promises to whoever makes it; nobody charges to his own loss.
    fn spoils(&self, a: &Brief, b: &Brief, colour: Colour, lie: Lie) -> f64 {
        if self.battle.rules().melee_dice(a.unit.kind, Engagement::target_of(&b.unit)).is_none() {
            return 0.0;
        }
        let target = Unit { colour, ..b.unit };
        let Exchange { attack, defence } =
            Exchange::of(self.battle.rules(), &self.battle.melee(&a.unit, &target, lie));
        let c = self.memory.clash(attack, defence, a.men(), b.men());
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
        let w = self.weighs;
        let ([now, danger], [next, later]) = self.lie_of(mine, yours);
        let drawn = mine.and_then(|x| Some(self.pull(x.brief.as_ref()?) - self.pull(&self.own[x.i])));
        self.drive * (w.now_own * now + self.later * w.next_own * next)
            - w.now_enemy * danger
            - self.later * w.next_enemy * later
            + drawn.unwrap_or(0.0)
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
        let ours = |i: usize, j: usize| match (mine, yours) {
            (Some(x), Some(y)) if x.i == i && y.i == j => both.map_or_else(Blow::default, |b| b[0]),
            (Some(x), _) if x.i == i => x.deals[j],
            (_, Some(y)) if y.i == j => y.takes[i],
            _ => self.ours[i * n + j],
        };
        let theirs = |j: usize, i: usize| match (mine, yours) {
            (Some(x), Some(y)) if x.i == i && y.i == j => both.map_or_else(Blow::default, |b| b[1]),
            (Some(x), _) if x.i == i => x.takes[j],
            (_, Some(y)) if y.i == j => y.deals[i],
            _ => self.theirs[j * m + i],
        };
        let (now, next) = self.prospects(self.acts[0], m, n, ours, |j| self.enemy[j].whole);
        let (danger, later) = self.prospects(self.acts[1], n, m, theirs, |i| self.own[i].whole);
        ([now, danger], [next, later])
    }

    /// The best acts an army has in the cards that are left, and what its units can do next turn.
    fn prospects(
        &self,
        acts: f64,
        attackers: usize,
        targets: usize,
        blow: impl Fn(usize, usize) -> Blow,
        whole: impl Fn(usize) -> f64,
    ) -> (f64, f64) {
        let mut table: SmallVec<[Blow; 64]> = SmallVec::with_capacity(attackers * targets);
        let mut next = 0.0;
        for a in 0..attackers {
            let mut best: f64 = 0.0;
            for b in 0..targets {
                let blow = blow(a, b);
                best = best.max(blow.fresh);
                table.push(blow);
            }
            next += best;
        }
        let mut taken: SmallVec<[usize; 16]> = smallvec::smallvec![0; attackers];
        let mut left: SmallVec<[f64; 16]> = smallvec::smallvec![1.0; targets];
        let (mut sum, mut sure) = (0.0, 1.0);
        for act in 0..ACTS {
            let share = (acts - act as f64).clamp(0.0, 1.0);
            if share <= 0.0 {
                break;
            }
            let mut best: Option<(f64, usize, usize)> = None;
            for a in 0..attackers {
                let k = taken[a];
                if k >= 3 {
                    continue;
                }
                for b in 0..targets {
                    let gain = table[a * targets + b].now[k] * left[b];
                    if gain > best.map_or(0.0, |(most, _, _)| most) {
                        best = Some((gain, a, b));
                    }
                }
            }
            let Some((gain, a, b)) = best else { break };
            sum += share * sure * gain;
            sure *= self.weighs.fade;
            taken[a] += 1;
            left[b] = (left[b] - gain / whole(b).max(1.0)).max(0.0);
        }
        (sum, next)
    }
}
