//! The legal move of a group that ends nearest to where it is wanted.

use smallvec::{SmallVec, smallvec};
use tricorne_game::Illegal;
use tricorne_game::InOrder;
use tricorne_table::{Point, Pose, angle, brink};

use crate::action::{Action, Leg, Legs, Turn, UnitMove};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Order, grain};
use crate::movement::groups::Plan;
use crate::movement::walk::{Movers, Stop};
use crate::rulebook::{Arm, cm, part};
use crate::steer::rig::{Rig, Ways, floor};

/// A degree of facing weighs as much as this many centimetres of place.
const DEGREE: f64 = 0.04;
/// An end this near to the wish is the wish.
pub(crate) const REACHED: f64 = 0.3;

/// Where a group is wanted: the unit that is steered, its place and perhaps its facing, and places on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim<'a> {
    pub group: GroupIx,
    /// The steered unit.
    pub unit: UnitIx,
    pub place: Point,
    pub facing: Option<f64>,
    pub by: &'a [Point],
    /// Only this unit moves, not its whole group.
    pub alone: bool,
    /// How many ways may be tried out before the best so far is taken.
    pub tries: u32,
}

impl Aim<'_> {
    /// How far an end is from the wish.
    pub fn off(&self, end: Pose) -> f64 {
        let turn = self.facing.map_or(0.0, |f| angle::turn(end.facing, f).abs());
        end.at.distance(self.place) + turn * DEGREE
    }
}

/// A legal move found.
#[derive(Clone, Debug)]
pub(crate) struct March {
    pub action: Action,
    pub end: Pose,
    pub off: f64,
    pub stop: Option<Stop>,
    /// Where each unit ends.
    pub ends: SmallVec<[(UnitIx, Pose); 4]>,
    /// It goes through friends of another group (SYW-INTER).
    pub through: bool,
    /// What it takes of the move.
    pub spent: f64,
}

/// Trying ways one after the other, the best legal one kept.
struct Search<'a> {
    battle: &'a SevenYearsBattle,
    aim: Aim<'a>,
    left: u32,
    best: Option<March>,
    /// Why the way that would have reached the wish was refused.
    why: Option<Illegal>,
}

impl Search<'_> {
    fn action(&self, legs: &Legs, stand: bool) -> Action {
        let group = self.battle.group(self.aim.group).id;
        if self.aim.alone {
            let unit = self.battle.unit(self.aim.unit).id;
            let units = vec![UnitMove { unit, legs: legs.clone() }];
            return Action::Move { group, legs: Legs::new(), units, stand };
        }
        Action::Move { group, legs: legs.clone(), units: Vec::new(), stand }
    }

    /// Tries an answer; whether it is legal.
    fn attempt(&mut self, action: Action) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        match self.battle.planned(&action) {
            Ok(Some(plan)) => self.take(action, &plan),
            Ok(None) => false,
            Err(why) => {
                self.why.get_or_insert(why);
                false
            }
        }
    }

    fn take(&mut self, action: Action, plan: &Plan) -> bool {
        if plan.left_table {
            self.why.get_or_insert(Illegal::new("SYW-OFF-02", "that way leads off the table"));
            return false;
        }
        let Some(m) = plan.movers.iter().find(|m| m.u == self.aim.unit) else { return false };
        let end = grain(m.new.pose());
        let off = self.aim.off(end);
        if self.best.as_ref().is_none_or(|b| off < b.off - 1e-9) {
            self.best = Some(March {
                action,
                end,
                off,
                stop: plan.stop,
                ends: plan.movers.iter().map(|m| (m.u, m.new.pose())).collect(),
                through: !plan.passed.is_empty(),
                spent: plan.movers.iter().map(|m| m.spent).fold(0.0, f64::max),
            });
        }
        true
    }

    fn reached(&self) -> bool {
        self.left == 0 || self.best.as_ref().is_some_and(|b| b.off <= REACHED)
    }

    /// A way cut to the move, and what can be made of it when it is not legal as it is.
    fn way(&mut self, rig: &Rig, legs: &Legs, order: Order, turned: Option<Turn>, thorough: bool) {
        let with =
            |legs: &Legs| -> Legs { turned.map(Leg::Turn).into_iter().chain(legs.iter().copied()).collect() };
        let cut = rig.cut(legs, rig.allowance);
        let half = self.half_move();
        let short = order == Order::Advance && rig.cost(&cut) + 0.01 < half;
        if !short && self.attempt(self.action(&with(&cut), false)) {
            return;
        }
        if order == Order::Advance && short {
            // SYW-ORDER-25, -31: half a move at least, or a halt with an enemy in range.
            let halted = self.action(&with(&cut), true);
            let long = rig.stretched(&cut, half);
            if self.attempt(halted) || self.attempt(self.action(&with(&long), false)) {
                return;
            }
        }
        if !thorough {
            return;
        }
        let whole = rig.cost(&cut);
        brink([0.0, whole], 6, 0.0, &mut |length| {
            let part = rig.cut(&cut, length);
            let stand = order == Order::Advance && rig.cost(&part) + 0.01 < half;
            part.is_empty() || !self.attempt(self.action(&with(&part), stand))
        });
    }

    /// What an Advance must spend in this move (SYW-ORDER-25).
    fn half_move(&self) -> f64 {
        let b = self.battle;
        let slowest = b.members(self.aim.group).iter().map(|&u| b.info(u).speed).fold(f64::MAX, f64::min);
        part(b.fixed.book.charts.shares.advance, slowest) - b.group(self.aim.group).phase.used
    }
}

impl SevenYearsBattle {
    /// The units that walk for an aim, and which of them is steered.
    fn marchers(&self, aim: &Aim) -> (Movers, usize) {
        if aim.alone {
            return (vec![self.mover(aim.unit)], 0);
        }
        let members = self.members(aim.group);
        let k = members.iter().position(|&u| u == aim.unit).unwrap_or(0);
        (members.iter().map(|&u| self.mover(u)).collect(), k)
    }

    /// The legal move that ends nearest to an aim, and why it is not the aim itself.
    pub(crate) fn march(&self, aim: &Aim) -> (Option<March>, Option<Illegal>) {
        let mut search = Search { battle: self, aim: *aim, left: aim.tries, best: None, why: None };
        let order = self.order_of(aim.unit);
        let (movers, k) = self.marchers(aim);
        match order {
            Order::Stand => self.shifted(&mut search),
            Order::Advance | Order::Reserve => {
                if let Some(rig) = Rig::new(self, &movers, k, self.backwards()) {
                    self.march_by(&mut search, &rig, order, None, aim.facing);
                }
                let drilled = order == Order::Reserve && !search.reached();
                if drilled && self.info(aim.unit).arm == Arm::Artillery {
                    self.pivoted(&mut search);
                } else if drilled {
                    for turn in self.worthwhile_turns(aim) {
                        let mut turned = movers.clone();
                        if self.change(&mut turned, &Leg::Turn(turn)).is_ok()
                            && let Some(rig) = Rig::new(self, &turned, k, self.backwards())
                        {
                            self.march_by(&mut search, &rig, order, Some(turn), aim.facing);
                        }
                    }
                }
            }
            Order::Retreat => self.fallen_back(&mut search, &movers, k),
            Order::Rout => {}
        }
        let Search { best, why, .. } = search;
        let why = match &best {
            Some(b) if b.off <= REACHED => None,
            Some(b) => Some(self.why_stopped(b, why)),
            None => Some(why.unwrap_or_else(|| {
                Illegal::new(
                    "SYW-ORDER-03",
                    format!("{} may not go that way on its order", self.unit(aim.unit).id),
                )
            })),
        };
        (best, why)
    }

    /// Ways of wheeling, marching and inclining, the most promising first.
    fn march_by(
        &self,
        search: &mut Search,
        rig: &Rig,
        order: Order,
        turned: Option<Turn>,
        facing: Option<f64>,
    ) {
        let aim = search.aim;
        // The rig faces as its first unit does; the wish is about the steered one.
        let lean = if turned.is_some() || aim.alone {
            0.0
        } else {
            angle::turn(rig.start.facing, self.unit(aim.unit).facing)
        };
        let facing = facing.map(|f| angle::normalise(f - lean));
        let back = order == Order::Reserve && turned.is_none();
        let mut ways = Ways::new();
        self.ways_by(rig, aim.by, aim.place, facing, back, &mut ways);
        if ways.is_empty() && order == Order::Advance {
            ways.push(Legs::new()); // It is there already; what it must do all the same is stretched from that.
        }
        let off = |legs: &Legs| {
            let end = rig.end(&rig.cut(legs, rig.allowance));
            aim.off(Pose { at: end.at, facing: end.facing + lean }) + rig.cost(legs) * 1e-4
        };
        let mut ranked: SmallVec<[(f64, Legs); 12]> = ways.into_iter().map(|l| (off(&l), l)).collect();
        ranked.put_in_order(|a, b| a.0.total_cmp(&b.0));
        if let Some((_, best)) = ranked.first()
            && rig.cost(best) > rig.allowance + 0.01
            && search.why.is_none()
        {
            search.why = Some(Illegal::new(
                "SYW-MOVE-01",
                format!(
                    "{:.1} cm are needed and {:.1} are left of the move; {} stops short",
                    rig.cost(best),
                    rig.allowance,
                    self.unit(aim.unit).id
                ),
            ));
        }
        for (k, (promise, legs)) in ranked.iter().enumerate() {
            // What can't beat the best even in the open is not worth a try.
            if search.reached() || search.best.as_ref().is_some_and(|b| b.off <= promise + 0.05) {
                break;
            }
            search.way(rig, legs, order, turned, k < 2);
        }
        if !search.reached()
            && aim.by.is_empty()
            && search.left > 6
            && search.best.as_ref().is_none_or(|b| ranked.first().is_some_and(|r| b.off > r.0 + 1.0))
        {
            self.go_round(search, rig, order, turned, facing);
        }
    }

    fn ways_by(
        &self,
        rig: &Rig,
        by: &[Point],
        place: Point,
        facing: Option<f64>,
        back: bool,
        ways: &mut Ways,
    ) {
        let mut legs = Legs::new();
        let mut from = rig.start;
        for &point in by.iter().take(6) {
            let there = rig
                .ways(from, point, None, false)
                .into_iter()
                .filter(|w| w.iter().fold(from, |p, l| rig.after(p, l)).at.distance(point) < 0.5)
                .min_by(|a, b| rig.cost(a).total_cmp(&rig.cost(b)));
            let Some(there) = there else { continue };
            from = there.iter().fold(from, |p, l| rig.after(p, l));
            legs.extend(there);
        }
        for way in rig.ways(from, place, facing, back && legs.is_empty()) {
            ways.push(legs.iter().copied().chain(way).collect());
        }
    }

    /// Round the first unit in the way, by either end of it.
    fn go_round(
        &self,
        search: &mut Search,
        rig: &Rig,
        order: Order,
        turned: Option<Turn>,
        facing: Option<f64>,
    ) {
        let aim = search.aim;
        let Some(way) = (aim.place - rig.start.at).unit() else { return };
        let heading = Pose { at: rig.start.at, facing: angle::bearing_of(way) };
        let reach = heading.to_local(aim.place).y;
        let (mine, margin) = (self.unit(aim.unit), 1.5);
        let half = mine.extent(self.info(aim.unit).depth).width() * 0.5 + margin;
        let mut first: Option<(f64, f64, f64)> = None;
        for v in self.unit_ids() {
            let other = self.unit(v);
            if !other.is_known() || other.group == aim.group {
                continue;
            }
            let (mut near, mut low, mut high) = (f64::MAX, f64::MAX, f64::MIN);
            for r in &self.rects(v) {
                for c in r.corners() {
                    let p = heading.to_local(c);
                    near = near.min(p.y);
                    low = low.min(p.x);
                    high = high.max(p.x);
                }
            }
            if near > 0.0 && near < reach && low < half && high > -half && first.is_none_or(|f| near < f.0) {
                first = Some((near, low, high));
            }
        }
        let Some((near, low, high)) = first else { return };
        for across in [low - half, high + half] {
            let mut ways = Ways::new();
            let point = heading.to_world(Point::new(across, near));
            self.ways_by(rig, &[point], aim.place, facing, false, &mut ways);
            let nearest = ways.into_iter().min_by(|a, b| {
                let off = |l: &Legs| aim.off(rig.end(&rig.cut(l, rig.allowance)));
                off(a).total_cmp(&off(b))
            });
            if let Some(legs) = nearest {
                search.way(rig, &legs, order, turned, false);
            }
        }
    }

    /// Turns on Reserve that bring the wish ahead, or make the facing that is asked for (SYW-ORDER-40).
    fn worthwhile_turns(&self, aim: &Aim) -> SmallVec<[Turn; 3]> {
        let unit = self.unit(aim.unit);
        let near = aim.place.distance(unit.at) < 1.0;
        let wanted = match aim.facing {
            Some(f) => angle::turn(unit.facing, f),
            None if near => return SmallVec::new(),
            None => angle::turn(unit.facing, angle::bearing(unit.at, aim.place)),
        };
        let mut turns: SmallVec<[Turn; 3]> = SmallVec::new();
        if wanted.abs() > 120.0 {
            turns.push(Turn::About);
        } else if wanted.abs() > 45.0 {
            turns.push(if wanted < 0.0 { Turn::Left } else { Turn::Right });
        }
        turns
    }

    /// On Stand: a shift, and a turn about when that facing is asked for (SYW-ORDER-42).
    fn shifted(&self, search: &mut Search) {
        let aim = search.aim;
        let unit = &self.mover(aim.unit).new;
        let about = aim.facing.is_some_and(|f| angle::turn(unit.facing, f).abs() > 90.0);
        let from = if about { stands::turned_about(unit, self.info(aim.unit)).at } else { unit.at };
        let way = aim.place - from;
        let shift = cm(self.distances().shift);
        let most = way.length().min(shift);
        if way.length() > shift + 0.01 {
            search.why = Some(Illegal::new(
                "SYW-ORDER-42",
                format!(
                    "{} is on Stand and may shift {:.0} cm; {:.1} were asked for",
                    unit.id,
                    shift,
                    way.length()
                ),
            ));
        }
        let legs = |length: f64| -> Legs {
            let mut legs: Legs = SmallVec::new();
            if about {
                legs.push(Leg::Turn(Turn::About));
            }
            if let Some(w) = way.unit()
                && length > 0.005
            {
                let by = (w * length).round_to(0.001);
                legs.push(Leg::Shift([by.x, by.y]));
            }
            legs
        };
        let whole = legs(floor(most));
        if whole.is_empty() {
            search.why = Some(Illegal::new("SYW-ORDER-42", format!("{} stands there already", unit.id)));
            return;
        }
        if search.attempt(search.action(&whole, false)) {
            return;
        }
        brink([0.0, most], 6, 0.0, &mut |length| !search.attempt(search.action(&legs(floor(length)), false)));
    }

    /// A battery on Reserve turned by hand (SYW-ORDER-41).
    fn pivoted(&self, search: &mut Search) {
        let aim = search.aim;
        let unit = self.unit(aim.unit);
        let facing = aim.facing.unwrap_or_else(|| angle::bearing(unit.at, aim.place));
        let turn = tricorne_table::round_to(angle::turn(unit.facing, facing), 0.1);
        if turn.abs() > 0.05 && (aim.facing.is_some() || aim.place.distance(unit.at) > 1.0) {
            let legs: Legs = smallvec![Leg::Pivot(turn)];
            search.attempt(search.action(&legs, false));
        }
    }

    /// A retreat: straight back, or by wheels of its own (SYW-ORDER-46, -47).
    fn fallen_back(&self, search: &mut Search, movers: &Movers, k: usize) {
        let aim = search.aim;
        let Some(rig) = Rig::new(self, movers, k, 1.0) else { return };
        let group = self.group(aim.group).id;
        let about = aim.facing.is_some_and(|f| angle::turn(self.unit(aim.unit).facing, f).abs() > 90.0);
        let greatest = movers.iter().map(|m| self.info(m.u).speed).fold(0.0, f64::max);
        let slowest = movers.iter().map(|m| self.info(m.u).speed).fold(f64::MAX, f64::min);
        let half = part(self.fixed.book.charts.shares.retreat, greatest);
        let straight = |d: f64| Action::Retreat {
            group,
            distance: Some(d.clamp(half, slowest.max(half))),
            about,
            legs: Legs::new(),
        };
        // Turned about at the end, its front is where its rear was (SYW-ORDER-47).
        let turns = about || movers.iter().any(|m| self.info(m.u).drill == crate::rulebook::Drill::Badly);
        let rear = self.unit(aim.unit).extent(self.info(aim.unit).depth).rear;
        let asked = (rig.start.to_local(aim.place).y - if turns { rear } else { 0.0 }).abs();
        search.attempt(straight(floor(asked)));
        let mut ways = Ways::new();
        self.ways_by(&rig, aim.by, aim.place, None, true, &mut ways);
        ways.put_in_order(|a, b| {
            let off = |l: &Legs| aim.off(rig.end(&rig.cut(l, rig.allowance)));
            off(a).total_cmp(&off(b))
        });
        for way in ways.iter().take(4) {
            if search.reached() {
                break;
            }
            let legs = rig.stretched(&rig.cut(way, rig.allowance), half);
            search.attempt(Action::Retreat { group, distance: None, about, legs });
        }
        for far in [half, slowest] {
            if search.best.is_none() {
                search.attempt(straight(far));
            }
        }
    }

    /// Why a legal move ends short of the wish.
    fn why_stopped(&self, march: &March, refused: Option<Illegal>) -> Illegal {
        let name = |u: UnitIx| self.unit(u).id;
        match march.stop {
            Some(Stop::Halt(e)) => Illegal::new(
                "SYW-ORDER-32",
                format!("it must halt in front of {}; charge it instead", name(e)),
            ),
            Some(Stop::Friends) => Illegal::new(
                "SYW-ORDER-35",
                format!("it halts {} cm behind friends", self.distances().halt_behind_friends.value),
            ),
            Some(Stop::Barred) => Illegal::new("SYW-TERR-04", "the ground ahead bars it; go round"),
            Some(Stop::Enemy(e)) => Illegal::new("SYW-MODEL-33", format!("{} stands in the way", name(e))),
            Some(Stop::Edge) => Illegal::new("SYW-OFF-01", "the table ends there"),
            Some(Stop::Spent) => Illegal::new("SYW-MODEL-32", "the ground on the way uses up its move"),
            Some(Stop::Ambush(..)) | None => refused.unwrap_or_else(|| {
                Illegal::new(
                    "SYW-MOVE-04",
                    "it marches ahead, wheels and inclines; this is the nearest it gets",
                )
            }),
        }
    }
}
