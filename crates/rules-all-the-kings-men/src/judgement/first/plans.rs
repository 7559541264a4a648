//! What a unit might do with an activation, and what that is worth in points of troops: fire, go where it can fire,
//! charge, take ground, fall back, change shape, reform.

use super::First;
use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Point, angle};

use super::pools::{clash, volley};
use super::survey::{AS_MOB, Brief, Survey, brief};
use crate::action::Action;
use crate::combat::exchange::Exchange;
use crate::combat::fire::Shot;
use crate::combat::melee::Charge;
use crate::formations::{Formation, SHAPES};
use crate::rulebook::{Colour, Kind};
use crate::state::{Activation, Benefit, UnitNo};
use crate::steer::{Trouble, neat_facing};

/// Something to do with a unit.
#[derive(Clone, Copy, Debug)]
pub(super) enum Idea {
    Fire(UnitNo),
    /// To a place, facing so, perhaps to fire at somebody from there.
    Go(Point, Option<f64>),
    Charge(UnitNo),
    Change(Formation),
    Reform,
}

/// An idea with what it is worth.
pub(super) type Weighed = (f64, Idea);

/// The colour a unit has after an activation (ATKM-RES-02, ATKM-CARD-05).
fn tired(colour: Colour, benefit: Benefit) -> Colour {
    if benefit == Benefit::Queen { colour } else { colour.worse(1) }
}

/// Inches to spare when a unit goes just into range.
const INSIDE: f64 = 0.4;

impl Survey<'_> {
    fn shot_worth(&self, shot: &Shot, them: &Brief) -> f64 {
        let rules = self.battle.rules();
        let Exchange { attack, defence } = Exchange::of(rules, &shot.pools);
        let v = volley(attack, defence, them.men());
        self.toll(&v, them) + v.any * self.general_near(them) + self.contested(them, v.fallen * them.man)
    }

    /// Enemies on what is fought over are fired at first.
    fn contested(&self, them: &Brief, loss: f64) -> f64 {
        let on = |p: &super::survey::Prize| them.middle.distance(p.at) <= p.radius + 2.0;
        if self.prizes.iter().any(on) { 0.3 * loss } else { 0.0 }
    }

    /// ATKM-GEN-09: what a hit near the enemy's general may bring.
    fn general_near(&self, them: &Brief) -> f64 {
        if them.has_general_near(self.battle) { 12.0 / 36.0 } else { 0.0 }
    }

    /// A unit as it would be elsewhere.
    fn moved(&self, us: &Brief, to: Point, facing: f64, colour: Colour) -> Brief {
        let mut there = *us;
        there.unit.set_pose(to, facing);
        there.unit.colour = colour;
        there.middle = there.unit.middle(self.battle.rules());
        there
    }

    fn standing_at(&self, us: &Brief) -> f64 {
        self.outlook(us) - self.peril(us)
    }

    /// Everything worth thinking of for a unit with a whole activation before it, with what it would gain.
    pub(super) fn ideas(&self, us: &Brief, benefit: Benefit) -> SmallVec<[Weighed; 12]> {
        let mut out: SmallVec<[Weighed; 12]> = SmallVec::new();
        let peril = self.peril(us);
        let base = self.outlook(us) - peril;
        if us.unit.is_mob() {
            // A mob neither fires nor holds ground; fallen in again it does both.
            out.push((us.worth * AS_MOB * 0.6, Idea::Reform));
            return out;
        }
        let after = tired(us.unit.colour, benefit);
        let mut worn = *us;
        worn.unit.colour = after;
        let cost = self.peril(&worn) - peril;
        if self.battle.judge_firer(&us.unit).is_ok() {
            for e in &self.enemy {
                if let Some(worth) = self.fire_at(us, e) {
                    out.push((worth - cost, Idea::Fire(e.no)));
                }
            }
        }
        if us.charges {
            self.charges(us, peril, &mut out);
        }
        self.moves(us, after, base, true, &mut out);
        self.changes(us, after, base, &mut out);
        for (value, idea) in &mut out {
            *value -= Self::wear(us, benefit, matches!(idea, Idea::Go(..) | Idea::Change(_)));
        }
        out
    }

    fn fire_at(&self, us: &Brief, e: &Brief) -> Option<f64> {
        let range = us.range?;
        // Cheap no: the nearest of a unit's men is never 8 nearer than its middle.
        if us.unit.at.distance(e.middle) > range + 8.0 {
            return None;
        }
        self.battle.judge_fire(us.no, e.no).ok().map(|shot| self.shot_worth(&shot, e))
    }

    /// Charges that look good from here.
    fn charges(&self, us: &Brief, peril: f64, out: &mut SmallVec<[Weighed; 12]>) {
        for e in &self.enemy {
            let far = us.unit.at.distance(e.middle);
            if far > us.stride + 7.0 {
                continue;
            }
            let ahead = us.unit.kind == Kind::Skirmisher || us.unit.forward.dot(e.middle - us.unit.at) > 0.0;
            let Some(c) = self.melee(us, e).filter(|_| ahead) else { continue };
            let prize = self.prize_of(&c, us, e);
            if prize <= 0.3 {
                continue;
            }
            let red = self.moved(us, us.unit.at.lerp(e.middle, 0.8), us.unit.facing, Colour::Red);
            let value = 0.9 * prize - (self.peril(&red) - peril) * (1.0 - c.we_rout);
            let score = value + self.contested(e, prize.min(4.0));
            if score > 0.0 {
                out.push((score, Idea::Charge(e.no)));
            }
        }
    }

    /// Places worth going to.
    fn moves(&self, us: &Brief, after: Colour, base: f64, fires: bool, out: &mut SmallVec<[Weighed; 12]>) {
        if us.stride <= 0.0 {
            return;
        }
        let mut go = |to: Point, facing: Option<f64>, mark: Option<&Brief>| {
            let there = self.moved(us, to, facing.unwrap_or(us.unit.facing), after);
            let mut value = self.standing_at(&there) - base;
            if let Some(mark) = mark.filter(|_| fires)
                && !self.battle.land().hides(to, mark.middle)
            {
                let fire = self.fire_from(us, &there, mark);
                value += fire + if fire > 0.3 { 0.6 * Self::wear(us, Benefit::None, true) } else { 0.0 };
            }
            out.push((value, Idea::Go(to, facing)));
        };
        // Towards the enemy who promises most: just into range to fire, or as far as the legs carry.
        if let Some((mark, far)) = self.mark_of(us) {
            let toward = angle::bearing(us.unit.at, mark.middle);
            let way = angle::forward(toward);
            let facing = Some(neat_facing(toward));
            let turns = us.unit.kind != Kind::Skirmisher;
            let facing = facing.filter(|_| turns);
            match us.range {
                Some(range) if far <= range => {
                    let off = angle::turn(us.unit.facing, toward).abs();
                    if off > 80.0 && turns {
                        go(us.unit.at, facing, Some(mark));
                    }
                    // Nearer guns and skirmishers hit harder.
                    let close = self.near_row(us.unit.kind);
                    if far > close && far - close < us.stride {
                        go(us.unit.at + way * (far - close + INSIDE), facing, Some(mark));
                    }
                }
                Some(range) => {
                    let need = far - range + INSIDE;
                    let fires = need <= us.stride;
                    go(us.unit.at + way * need.min(us.stride), facing, Some(mark).filter(|_| fires));
                    if let Some(reach) = Self::half_step(us, mark, far) {
                        go(us.unit.at + way * reach, facing, None);
                    }
                }
                None => {
                    // Horse stays out of musket shot until it can charge.
                    go(us.unit.at + way * us.stride.min((far - 3.0).max(0.5)), facing, None);
                    let keep = far - us.stride + 1.0;
                    if keep > 1.0 && keep < us.stride {
                        go(us.unit.at + way * keep, facing, None);
                    }
                }
            }
        }
        for prize in &self.prizes {
            let gap = us.middle.distance(prize.at) - prize.radius;
            if gap > -0.5 * prize.radius {
                let toward = angle::bearing(us.unit.at, prize.at);
                let far = us.stride.min(us.unit.at.distance(prize.at));
                go(us.unit.at + angle::forward(toward) * far, None, None);
            }
        }
        // Out of harm's way.
        if let Some(near) = us.nearest(&self.enemy) {
            let back = angle::bearing(near.middle, us.middle);
            let far = if us.unit.kind == Kind::Skirmisher { us.stride } else { us.stride / 2.0 };
            if near.middle.distance(us.middle) < 30.0 {
                go(us.unit.at + angle::forward(back) * far, None, None);
            }
        }
        if matches!(us.unit.kind, Kind::Skirmisher | Kind::Infantry)
            && let Some(cover) = us.cover_near(self.battle)
        {
            go(cover, None, None);
        }
    }

    /// What fire at a mark from another place would bring.
    fn fire_from(&self, us: &Brief, there: &Brief, mark: &Brief) -> f64 {
        let Some(range) = us.range else { return 0.0 };
        let far = mark.unit.distance(self.battle.rules(), there.unit.at);
        if far > range {
            return 0.0;
        }
        let ahead = there.unit.forward.dot(mark.middle - there.unit.at) >= 0.0;
        if !ahead && us.unit.kind != Kind::Skirmisher {
            return 0.0;
        }
        let mut firer = *there;
        firer.unit.colour = us.unit.colour;
        // A column forms line before it fires, guns unlimber.
        let men = match us.unit.kind {
            Kind::Infantry if matches!(us.unit.formation, Formation::Column(_)) => us.unit.n,
            _ => self.battle.firing_privates(&us.unit),
        };
        self.fire(&firer, men, mark, far).map_or(0.0, |v| self.toll(&v, mark))
    }

    /// The enemy who promises a unit most, and how far he is.
    fn mark_of(&self, us: &Brief) -> Option<(&Brief, f64)> {
        let mut best: Option<(f64, &Brief)> = None;
        for e in &self.enemy {
            let value = self.chance_at(us, e);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, e));
            }
        }
        best.map(|(_, e)| (e, e.unit.distance(self.battle.rules(), us.unit.at)))
    }

    /// The distance under which a type fires with more dice.
    fn near_row(&self, kind: Kind) -> f64 {
        if kind == Kind::Infantry { 0.0 } else { self.battle.rules().near_fire(kind).unwrap_or(0.0) }
    }

    /// A shorter advance that stays out of the mark's own reach.
    fn half_step(us: &Brief, mark: &Brief, far: f64) -> Option<f64> {
        let reach = mark.range.map_or(mark.stride, |r| r + mark.stride) + 0.3;
        let step = far - reach;
        (step > 0.5 && step < us.stride).then_some(step)
    }

    /// Other shapes.
    fn changes(&self, us: &Brief, after: Colour, base: f64, out: &mut SmallVec<[Weighed; 12]>) {
        if us.unit.kind == Kind::Skirmisher {
            return;
        }
        for shape in self.shapes(us) {
            if shape == us.unit.formation || self.battle.judge_shape(&us.unit, shape).is_err() {
                continue;
            }
            let there = self.shaped(us, shape, after);
            let gain = self.standing_at(&there) - base;
            // Guns fire as soon as they are unlimbered, foot as soon as it stands in line.
            let fire = self.mark_of(&there).map_or(0.0, |(mark, _)| {
                let mut firer = there;
                firer.unit.colour = us.unit.colour;
                if self.battle.land().hides(there.unit.at, mark.middle) {
                    0.0
                } else {
                    self.fire_from(&firer, &firer, mark)
                }
            });
            out.push((gain + fire, Idea::Change(shape)));
        }
    }

    fn shaped(&self, us: &Brief, shape: Formation, colour: Colour) -> Brief {
        let mut unit = us.unit;
        unit.formation = shape;
        unit.colour = colour;
        brief(self.battle, us.no, &unit)
    }

    /// The shapes an officer thinks of.
    fn shapes(&self, us: &Brief) -> SmallVec<[Formation; 3]> {
        let near = us.nearest(&self.enemy).map_or(f64::INFINITY, |e| e.middle.distance(us.middle));
        let mut out: SmallVec<[Formation; 3]> = SmallVec::new();
        match us.unit.kind {
            Kind::Infantry => {
                out.push(Formation::Line(2));
                if near > 34.0 {
                    out.push(Formation::Column(2));
                }
                if self.battle.options().adv_square && near < 24.0 {
                    out.push(Formation::Square);
                }
            }
            Kind::Cavalry => out.push(Formation::Line(1)),
            Kind::FootArtillery | Kind::HorseArtillery => out.push(Formation::Loose),
            Kind::Skirmisher => {}
        }
        out
    }

    /// The best thing to do, for choosing among units.
    pub(super) fn best_idea(&self, us: &Brief, benefit: Benefit) -> f64 {
        self.ideas(us, benefit).iter().map(|(v, _)| *v).fold(f64::NEG_INFINITY, f64::max)
    }

    /// What the best of them really brings; well below nought if there is none.
    pub(super) fn best_part(&self, a: &Activation) -> f64 {
        self.parts(a).iter().map(|(_, v)| *v).fold(-5.0, f64::max)
    }

    /// Answers for a unit being activated, each judged and weighed as it would really end.
    pub(super) fn parts(&self, a: &Activation) -> Vec<(Action, f64)> {
        let Some(us) = self.brief(a.unit) else { return Vec::new() };
        let mut out = Vec::new();
        let mut offer = |action: Action, value: f64| out.push((action, value));
        let b = self.battle;
        let after = tired(a.began, a.benefit);
        if a.begun() {
            offer(Action::End, 0.0);
        }
        let mut ideas = if a.begun() { SmallVec::new() } else { self.ideas(us, a.benefit) };
        if a.begun() {
            let mut worn = *us;
            worn.unit.colour = after;
            let base = self.standing_at(&worn);
            if b.judge_fire_slot(a).is_ok() {
                ideas
                    .extend(self.enemy.iter().filter_map(|e| Some((self.fire_at(us, e)?, Idea::Fire(e.no)))));
            }
            if b.judge_move_slot(a).is_ok() {
                self.moves(us, after, base, !a.fired, &mut ideas);
            }
            if !a.changed {
                self.changes(us, after, base, &mut ideas);
            }
        }
        ideas.put_in_order(|x, y| y.0.total_cmp(&x.0));
        for (value, idea) in ideas.into_iter().take(8) {
            match idea {
                Idea::Fire(t) => offer(Action::Fire { target: b.unit(t).id }, value),
                Idea::Go(to, facing) => {
                    let (Some(led), _) = b.lead(a, to, facing, &[], Trouble::Little) else { continue };
                    let wear = if a.begun() { 0.0 } else { Self::wear(us, a.benefit, true) };
                    offer(led.action(), self.ends(us, a, &led.marched.unit, after) - wear);
                }
                Idea::Charge(t) => {
                    let aim = b.unit(t).middle(b.rules());
                    let (Some(lunge), _) = b.lunge(a, t, aim, None, &[]) else { continue };
                    let wear = Self::wear(us, a.benefit, false);
                    offer(lunge.action(b), self.charge_worth(us, &lunge.charge, t) - wear);
                }
                Idea::Change(shape) => {
                    if b.judge_change(a, shape).is_ok() {
                        offer(Action::Change { shape }, value);
                    }
                }
                Idea::Reform => self.reforms(us, &mut offer),
            }
        }
        out
    }

    /// What a move that was judged is worth, with the fire it opens.
    fn ends(&self, us: &Brief, a: &Activation, end: &crate::state::Unit, after: Colour) -> f64 {
        let mut there = brief(self.battle, us.no, end);
        there.unit.colour = after;
        let mut now = *us;
        let base = if a.begun() {
            now.unit.colour = after;
            self.standing_at(&now)
        } else {
            self.standing_at(us)
        };
        let mut value = self.standing_at(&there) - base;
        if !a.fired && us.range.is_some() {
            // Foot in column forms line first, limbered guns unlimber, if there is room.
            let mut as_if = *end;
            if let (Kind::Infantry, Formation::Column(_)) = (end.kind, end.formation) {
                as_if.formation = Formation::Line(2);
            } else if end.kind.is_artillery() {
                as_if.formation = Formation::Loose;
            }
            let mut best: f64 = 0.0;
            for e in &self.enemy {
                if end.at.distance(e.middle) <= us.range.unwrap_or(0.0) + 8.0
                    && let Ok(shot) = self.battle.judge_fire_as(us.no, &as_if, e.no, &e.unit)
                {
                    best = best.max(self.shot_worth(&shot, e));
                }
            }
            // Who comes to fire is not marched in vain.
            let purpose = if best > 0.3 && !a.begun() { Self::wear(us, a.benefit, true) * 0.6 } else { 0.0 };
            value += best + purpose;
        }
        value
    }

    fn charge_worth(&self, us: &Brief, charge: &Charge, target: UnitNo) -> f64 {
        let rules = self.battle.rules();
        let Some(them) = self.enemy.iter().find(|e| e.no == target) else { return 0.0 };
        let Exchange { attack, defence } = Exchange::of(rules, &charge.pools);
        let c = clash(attack, defence, us.men(), them.men());
        let red = self.moved(us, charge.unit.at, charge.unit.facing, Colour::Red);
        let prize = self.prize_of(&c, us, them);
        prize - (self.peril(&red) - self.peril(us)) * (1.0 - c.we_rout)
            + self.contested(them, prize.clamp(0.0, 4.0))
    }

    /// A mob falls in facing the enemy.
    fn reforms(&self, us: &Brief, offer: &mut impl FnMut(Action, f64)) {
        let toward = match us.nearest(&self.enemy) {
            Some(e) => angle::bearing(us.middle, e.middle),
            None if self.army.0 == 0 => 0.0,
            None => 180.0,
        };
        let usual = match us.unit.kind {
            Kind::Infantry => Formation::Line(2),
            Kind::Cavalry => Formation::Line(1),
            _ => Formation::Loose,
        };
        let shapes = std::iter::once(usual).chain(SHAPES.into_iter().filter(|&s| s != usual));
        for (i, shape) in shapes.enumerate() {
            for turn in [0.0, 30.0, -30.0, 90.0, -90.0] {
                let facing = neat_facing(toward + turn);
                if self.battle.judge_reform(us.no, shape, facing).is_ok() {
                    let less = if i == 0 { 0.0 } else { 0.5 } + f64::abs(turn) / 90.0;
                    offer(Action::Reform { shape, facing: Some(facing) }, us.worth * AS_MOB * 0.6 - less);
                    return;
                }
            }
        }
    }
}

impl First<'_> {
    /// Whether a seat may take a unit, and for how much.
    pub(super) fn takes(&self, seat: tricorne_game::Seat, no: UnitNo) -> Option<u8> {
        let id = self.unit(no).id;
        self.judge_activate(seat, id).ok().map(|(_, price)| price)
    }
}
