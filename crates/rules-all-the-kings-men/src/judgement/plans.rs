//! What a unit might do with an activation, and what that is worth in points of troops: fire, go where it can fire or
//! charge, charge, take ground, fall back, change shape, reform.

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Point, angle};

use super::ideas::{Idea, Weighed};
use super::memory::{clash_of, volley_of};
use super::pools::{Clash, Volley};
use super::reckoning::Variant;
use super::survey::{Brief, Survey, brief};
use crate::action::Action;
use crate::combat::exchange::Exchange;
use crate::combat::fire::Shot;
use crate::formations::{Formation, SHAPES};
use crate::rulebook::{Colour, Kind};
use crate::state::{Activation, Benefit, Unit, UnitNo};
use crate::steer::{Led, Trouble, neat_facing};

/// Ideas that are thought through for a unit that acts.
const THOUGHT_THROUGH: usize = 5;

/// The same while it is still being chosen among others.
const GLANCED_AT: usize = 2;

/// Moves and turns smaller than these are nothing.
const STEP: f64 = 0.5;

/// How much of a way is tried, the whole first.
const SHARES: [f64; 5] = [1.0, 0.8, 0.6, 0.4, 0.2];
const TURN: f64 = 8.0;

/// What a march costs who has fired already, against one by itself.
pub(super) const AFTERWARDS: f64 = 0.3;

impl Survey<'_> {
    /// A unit after its activation (ATKM-RES-02, ATKM-RES-07, ATKM-CARD-05).
    pub(super) fn spent(us: &Brief, benefit: Benefit) -> Brief {
        let mut worn = *us;
        if benefit != Benefit::Queen {
            worn.unit.disorder |= us.unit.colour == Colour::Red;
            worn.unit.colour = us.unit.colour.worse(1);
        }
        worn
    }

    /// The same elsewhere.
    pub(super) fn moved(&self, us: &Brief, to: Point, facing: f64) -> Brief {
        let mut there = *us;
        there.unit.set_pose(to, facing);
        there.middle = there.unit.middle(self.battle.rules());
        there
    }

    pub(super) fn volley(&self, shot: &Shot, them: &Brief) -> Volley {
        let Exchange { attack, defence } = Exchange::of(self.battle.rules(), &shot.pools);
        volley_of(attack, defence, them.men())
    }

    /// How things lie after a volley at an enemy, with who fired as it then is; `still` is how they lie without it.
    pub(super) fn after_shot(&self, mine: &Variant, still: f64, j: usize, v: &Volley) -> f64 {
        let them = &self.enemy[j];
        let taken = v.fallen * them.man + v.routs * them.colours;
        let hit = (v.any - v.routs).max(0.0);
        let mut value = taken + v.any * self.general_near(them) + self.contested(them, v.fallen * them.man);
        value += (1.0 - v.any) * still;
        if hit > 0.0 {
            value += hit * self.value(Some(mine), Some(self.hit(j)));
        }
        if v.routs > 0.0 {
            value += v.routs * self.value(Some(mine), Some(self.routed(j)));
        }
        value
    }

    /// How things lie after a charge that meets an enemy so.
    pub(super) fn after_charge(&self, i: usize, us: &Brief, contact: &Unit, j: usize, c: &Clash) -> f64 {
        let b = self.battle;
        let (own, them) = (&self.own[i], &self.enemy[j]);
        let mob = |b: &Brief| if b.unit.is_mob() { 0.3 } else { 1.0 } * b.worth * self.weighs.as_mob;
        let (won, lost) = ((c.won - c.they_rout).max(0.0), (c.lost - c.we_rout).max(0.0));
        let tie = (1.0 - c.won - c.lost).max(0.0);
        let taken = c.their_fallen * them.man + c.they_rout * them.colours + won * mob(them);
        let paid = c.our_fallen * own.man + c.we_rout * own.colours + lost * mob(own);
        // ATKM-MELEE-07, ATKM-RES-08.
        let mut stands = *contact;
        stands.colour = Colour::Red;
        stands.disorder = us.unit.colour == Colour::Red;
        stands.n = stands.n.saturating_sub(c.our_fallen.round() as u8).max(own.breaks_at + 1).min(own.unit.n);
        let mut theirs = them.unit;
        theirs.colour = Colour::Red;
        theirs.n =
            theirs.n.saturating_sub(c.their_fallen.round() as u8).max(them.breaks_at + 1).min(them.unit.n);
        let way = (them.middle - contact.at).unit().unwrap_or(contact.forward);
        let fled = |unit: &Unit, middle: Point, way: Point| {
            let mut mob = *unit;
            let far = b.rules().profile(unit.kind).fall_back;
            let table = &b.land().table;
            let to = middle + way * far;
            mob.set_mob(Point::new(
                to.x.clamp(1.0, table.width() - 1.0),
                to.y.clamp(1.0, table.depth() - 1.0),
            ));
            mob
        };
        let ours = |unit: &Unit| self.variant(true, i, Some(brief(b, own.no, unit)));
        let enemy = |unit: &Unit| self.variant(false, j, Some(brief(b, them.no, unit)));
        let held = ours(&stands);
        let mut value = taken - paid + self.contested(them, (taken - paid).clamp(0.0, 4.0));
        value += c.they_rout * self.value(Some(&held), Some(self.routed(j)));
        if won > 0.02 {
            value += won * self.value(Some(&held), Some(&enemy(&fled(&theirs, them.middle, way))));
        }
        let red = enemy(&theirs);
        value += tie * self.value(Some(&held), Some(&red));
        if lost > 0.02 {
            let mob = ours(&fled(&stands, own.middle, -way));
            value += lost * self.value(Some(&mob), Some(&red));
        }
        if c.we_rout > 0.02 {
            value += c.we_rout * self.value(Some(&self.variant(true, i, None)), Some(&red));
        }
        value
    }

    /// Enemies on what is fought over are fired at first.
    pub(super) fn contested(&self, them: &Brief, loss: f64) -> f64 {
        let on = |p: &super::survey::Prize| them.middle.distance(p.at) <= p.radius + 2.0;
        if self.prizes.iter().any(on) { self.weighs.contested * loss } else { 0.0 }
    }

    /// ATKM-GEN-09: what a hit near the enemy's general may bring.
    pub(super) fn general_near(&self, them: &Brief) -> f64 {
        if them.has_general_near(self.battle) { self.weighs.general_near } else { 0.0 }
    }

    /// What the best of some ideas really brings; well below nought if there is none.
    pub(super) fn best_part(&self, a: &Activation, ideas: &[Weighed]) -> f64 {
        let few = &ideas[..ideas.len().min(GLANCED_AT)];
        self.realise(a, few, false).iter().map(|(_, v)| *v).fold(-5.0, f64::max)
    }

    /// Answers for a unit being activated, each judged and weighed as it would really end.
    pub(super) fn parts(&self, a: &Activation) -> Vec<(Action, f64)> {
        let Some(i) = self.place(a.unit) else { return Vec::new() };
        let ideas = if a.begun() { self.further(i, a) } else { self.ideas(i, a.benefit) };
        let mut out = self.realise(a, &ideas[..ideas.len().min(THOUGHT_THROUGH)], true);
        if a.begun() {
            out.push((Action::End, 0.0));
        }
        out
    }

    /// Ideas as answers; with `round`, by ways round what stands there too.
    fn realise(&self, a: &Activation, ideas: &[Weighed], round: bool) -> Vec<(Action, f64)> {
        let Some(i) = self.place(a.unit) else { return Vec::new() };
        let us = &self.own[i];
        let b = self.battle;
        let began = us.tinged(a.began);
        let worn = Self::spent(&began, a.benefit);
        let base =
            if a.begun() { self.value(Some(&self.variant(true, i, Some(worn))), None) } else { self.base };
        let mut out: Vec<(Action, f64)> = Vec::with_capacity(ideas.len());
        for &(value, idea) in ideas {
            match idea {
                Idea::Fire(j) => out.push((Action::Fire { target: self.enemy[j].unit.id }, value)),
                Idea::Go(to, facing, levy) => {
                    let Some(led) = self.led(a, us, to, facing, round) else { continue };
                    let end = led.marched.unit;
                    let turned = angle::turn(us.unit.facing, end.facing).abs();
                    if end.at.distance(us.unit.at) < STEP && (turned < TURN || end.is_skirmish_line()) {
                        continue;
                    }
                    let march = self.weighs.march * if a.begun() { AFTERWARDS } else { 1.0 };
                    out.push((led.action(), self.ends(i, a, &end, &worn, base) - march - levy));
                }
                Idea::Charge(j) => {
                    let them = &self.enemy[j];
                    let (Some(lunge), _) = b.lunge(a, them.no, them.middle, None, &[]) else { continue };
                    let Exchange { attack, defence } = Exchange::of(b.rules(), &lunge.charge.pools);
                    let c = clash_of(attack, defence, us.men(), them.men());
                    let after = self.after_charge(i, us, &lunge.charge.unit, j, &c);
                    out.push((lunge.action(b), after - base - self.weighs.spend));
                }
                Idea::Change(shape) => {
                    if b.judge_change(a, shape).is_ok() {
                        out.push((Action::Change { shape }, value));
                    }
                }
                Idea::Split => out.extend(self.apart(a, us).map(|split| (split, value))),
                Idea::Gather => out.extend(self.together(a, us).map(|gather| (gather, value))),
                Idea::Reform => out.extend(self.reform(us).map(|reform| (reform, value))),
            }
        }
        out
    }

    /// A way to a place: straight, as far as there is room, or round what stands there.
    fn led(&self, a: &Activation, us: &Brief, to: Point, facing: Option<f64>, round: bool) -> Option<Led> {
        let b = self.battle;
        let far = us.unit.at.distance(to);
        if far < STEP {
            return b.lead(a, to, facing, &[], Trouble::Little).0;
        }
        // A column looks where it marches.
        let column = matches!(us.unit.formation, Formation::Column(_));
        let facing = facing.or_else(|| column.then(|| angle::bearing(us.unit.at, to))).map(neat_facing);
        let straight = SHARES.into_iter().find_map(|share| {
            let place = us.unit.at.lerp(to, share).round_to(0.001);
            let marched = b.judge_move(a.unit, a.benefit, &[place], facing, None).ok()?;
            Some((share, Led { path: smallvec::smallvec![place], facing, marched }))
        });
        match straight {
            Some((share, led)) if share >= 0.5 || !round => Some(led),
            // The way asked for is barred.
            short => {
                let round = if round { b.lead(a, to, facing, &[], Trouble::Much).0 } else { None };
                round.or(short.map(|(_, led)| led))
            }
        }
    }

    /// What a move that was judged is worth, with the fire it opens.
    pub(super) fn ends(&self, i: usize, a: &Activation, end: &Unit, worn: &Brief, base: f64) -> f64 {
        let us = &self.own[i];
        let mut there = brief(self.battle, us.no, end);
        there.unit.colour = worn.unit.colour;
        there.unit.disorder = worn.unit.disorder;
        let variant = self.variant(true, i, Some(there));
        let still = self.value(Some(&variant), None);
        let mut best = still;
        if !a.fired {
            // Foot in column forms line first, limbered guns unlimber, if there is room.
            let mut as_if = *end;
            as_if.colour = a.began;
            if !a.changed && matches!(end.formation, Formation::Column(_)) {
                as_if.formation = usual_shape(end.kind);
            }
            if let Some((j, v)) = self.best_shot(us, &as_if) {
                best = best.max(self.after_shot(&variant, still, j, &v));
            }
        }
        best - base
    }

    /// The best mark of a unit that would stand so.
    pub(super) fn best_shot(&self, us: &Brief, as_if: &Unit) -> Option<(usize, Volley)> {
        let range = us.range?;
        let mut mark: Option<(f64, usize, Volley)> = None;
        for (j, e) in self.enemy.iter().enumerate() {
            if as_if.at.distance(e.middle) <= range + 8.0
                && self.battle.in_arc(as_if, &e.unit)
                && let Ok(shot) = self.battle.judge_fire_as(us.no, as_if, e.no, &e.unit)
            {
                let v = self.volley(&shot, e);
                let toll = self.toll(&v, e);
                if mark.is_none_or(|(most, ..)| toll > most) {
                    mark = Some((toll, j, v));
                }
            }
        }
        mark.map(|(_, j, v)| (j, v))
    }

    /// A mob falls in facing the enemy.
    fn reform(&self, us: &Brief) -> Option<Action> {
        let toward = self.front(us);
        let usual = usual_shape(us.unit.kind);
        let shapes = std::iter::once(usual).chain(SHAPES.into_iter().filter(|&s| s != usual));
        for shape in shapes {
            for turn in [0.0, 30.0, -30.0, 90.0, -90.0, 180.0] {
                let facing = neat_facing(toward + turn);
                if self.battle.judge_reform(us.no, shape, facing).is_ok() {
                    return Some(Action::Reform { shape, facing: Some(facing) });
                }
            }
        }
        None
    }

    /// The way to look from where a unit stands.
    pub(super) fn front(&self, us: &Brief) -> f64 {
        match us.nearest(&self.enemy) {
            Some(e) => angle::bearing(us.middle, e.middle),
            None if self.army.0 == 0 => 0.0,
            None => 180.0,
        }
    }

    /// ATKM-ADV-02: light infantry in two parts side by side.
    fn apart(&self, a: &Activation, us: &Brief) -> Option<Action> {
        let right = angle::right(us.unit.facing);
        let less = us.unit.n / 2;
        [5.0, 4.0, 6.0].into_iter().find_map(|gap| {
            let part =
                |n: u8, side: f64| crate::action::Part { n, at: (us.middle + right * side).round_to(0.001) };
            let parts = vec![part(us.unit.n - less, -gap), part(less, gap)];
            self.battle.judge_split(a, &parts).is_ok().then_some(Action::Split { parts })
        })
    }

    /// ATKM-ADV-02: its parts form again.
    fn together(&self, a: &Activation, us: &Brief) -> Option<Action> {
        let others: Vec<UnitNo> = self
            .own
            .iter()
            .filter(|o| o.no != us.no && o.unit.parent.is_some() && o.unit.parent == us.unit.parent)
            .map(|o| o.no)
            .collect();
        let with: Vec<_> = others.iter().map(|&no| self.battle.unit(no).id).collect();
        [Formation::Line(2), Formation::Column(2)].into_iter().find_map(|shape| {
            let gather = self.battle.judge_gather(a, &with, shape);
            gather.is_ok().then(|| Action::Gather { with: with.clone(), shape })
        })
    }
}

/// The shape a type fights in.
pub(super) fn usual_shape(kind: Kind) -> Formation {
    match kind {
        Kind::Infantry => Formation::Line(2),
        Kind::Cavalry => Formation::Line(1),
        _ => Formation::Loose,
    }
}

/// The best first.
pub(super) fn best_first(ideas: &mut SmallVec<[Weighed; 12]>) {
    ideas.put_in_order(|x, y| y.0.total_cmp(&x.0));
}
