//! Routers drawn together, and where they are set down (SYW-MODEL-13, SYW-ROUT-21, -22).

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_table::{Point, Pose, Rect, Shape, angle, brink};

use crate::action::Leg;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{Rects, join_bounds};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Formation, Order, SLACK, Unit, within};
use crate::movement::walk::{Heed, Mover, Movers, Stop, Walked};
use crate::rulebook::{Arm, cm};

/// Packs are set down to this fineness, and no farther aside than this (SYW-ROUT-22).
const FINE: f64 = 0.05;
const ASIDE: f64 = 30.0;
/// Two stands that overlap by no more than this only touch.
const CLEAR: f64 = 0.004;

/// A group packed to run: two-wide columns side by side, their rear edges on the line that the run is measured from.
#[derive(Clone, Debug)]
pub struct Pack {
    pub units: SmallVec<[(UnitIx, Unit); 4]>,
    pub heading: f64,
    /// How far the run goes before all of it has left the old ground, and before its front leaves it.
    leaves: f64,
    begins: f64,
}

impl Pack {
    pub fn forward(&self) -> Point {
        angle::forward(self.heading)
    }

    /// The run as a leg; the units face the way they run.
    pub fn leg(&self, length: f64) -> Leg {
        Leg::Forward(length)
    }
}

impl SevenYearsBattle {
    /// Draws a group together in two-wide columns that face the way it runs, in the order in which its units stood
    /// (SYW-MODEL-13). The run is measured from its edge nearest the enemy, and the middle keeps the line of its centre
    /// (SYW-ROUT-21).
    pub(crate) fn packed(&self, members: &[UnitIx], heading: f64) -> Pack {
        let (forward, right) = (angle::forward(heading), angle::right(heading));
        let (mut near, mut far) = (f64::MAX, f64::MIN);
        let mut order: SmallVec<[(f64, UnitIx); 4]> = SmallVec::new();
        for &u in members {
            for r in &self.rects(u) {
                for c in r.corners() {
                    near = near.min(c.dot(forward));
                    far = far.max(c.dot(forward));
                }
            }
            order.push((self.centre_of(&[u]).dot(right), u));
        }
        order.put_in_order(|a, b| a.0.total_cmp(&b.0));
        let middle = self.centre_of(members).dot(right);
        // Those who run on the way they ran stay as they are.
        let running = |&u: &UnitIx| {
            let unit = self.unit(u);
            matches!(unit.formation, Formation::Routed | Formation::Column2)
                && angle::turn(unit.facing, heading).abs() < 0.05
        };
        if members.iter().all(running) {
            let units = members.iter().map(|&u| (u, self.unit(u).clone())).collect();
            return Pack { units, heading, leaves: far - near, begins: 0.0 };
        }
        let mut units: SmallVec<[(UnitIx, Unit); 4]> = SmallVec::new();
        let mut width = 0.0;
        let mut deepest = 0.0_f64;
        for &(_, u) in &order {
            let info = self.info(u);
            let mut new = stands::formed(self.unit(u), Formation::Routed, info);
            new.turned = None;
            new.split = None;
            let e = new.extent(info.depth);
            width += e.width();
            deepest = deepest.max(e.depth());
            units.push((u, new));
        }
        let mut offset = middle - width * 0.5;
        for (u, new) in &mut units {
            let e = new.extent(self.info(*u).depth);
            // An odd last stand leaves a one-wide pack off its middle.
            let across = offset + e.width() * 0.5 - (e.left + e.right) * 0.5;
            new.at = right * across + forward * (near + e.depth());
            new.facing = heading;
            new.reframe();
            offset += e.width();
        }
        Pack { units, heading, leaves: far - near, begins: (far - near - deepest).max(0.0) }
    }

    /// Those who run, as walkers that no enemy stops: whom they must keep away from is looked at apart.
    pub(crate) fn runners(&self, pack: &Pack, length: f64) -> (Movers, Heed) {
        let mut movers = Movers::new();
        for (u, new) in &pack.units {
            let mut m = Mover::new(self, *u, length);
            m.new = new.clone();
            movers.push(m);
        }
        let side = self.unit(pack.units[0].0).side;
        let heed =
            Heed { stop_at_enemies: true, through: self.known_enemies(side).collect(), ..Heed::default() };
        (movers, heed)
    }

    /// Whether an enemy stands in the way of routers: not one that runs or retreats himself, nor a prisoner
    /// (SYW-ROUT-10, -21).
    pub(crate) fn bars_routers(&self, e: UnitIx) -> bool {
        !self.unit(e).surrendered && !matches!(self.order_of(e), Order::Retreat | Order::Rout)
    }

    /// Enemies that may bar a group's run, with how near each is to it.
    pub(crate) fn foes_of_routers(&self, g: GroupIx) -> SmallVec<[(UnitIx, f64); 16]> {
        let members = self.members(g);
        self.known_enemies(self.group(g).side)
            .filter(|&e| self.bars_routers(e))
            .map(|e| (e, members.iter().map(|&u| self.gap(u, e)).fold(f64::MAX, f64::min)))
            .collect()
    }

    /// Where the stands of a pack are after so much of its run, moved aside by so much.
    fn pack_at(&self, unit: &Unit, by: Point) -> Rects {
        self.rects_at(unit, unit.pose().slid(by))
    }

    /// Where all its stands are, moved by so much.
    pub(crate) fn pack_rects(&self, pack: &Pack, by: Point) -> SmallVec<[Rect; 16]> {
        pack.units.iter().flat_map(|(_, unit)| self.pack_at(unit, by)).collect()
    }

    /// The ground a pack passes over between two lengths of its run.
    fn swept_by(&self, pack: &Pack, from: f64, to: f64) -> SmallVec<[Rect; 16]> {
        let way = pack.forward() * ((from + to) * 0.5);
        let mut swept = SmallVec::new();
        for (_, unit) in &pack.units {
            for r in &self.pack_at(unit, way) {
                swept.push(Rect::centred(
                    Pose::new(r.centre(), pack.heading),
                    r.width(),
                    r.depth() + (to - from).max(0.0),
                ));
            }
        }
        swept
    }

    /// Whether an enemy bars a first run of so much (SYW-ROUT-21): the pack would come nearer to him than 5 and nearer
    /// than the group was. Those within 5 of the old ground count only for what is beyond it.
    pub(crate) fn bars(&self, pack: &Pack, length: f64, foes: &[(UnitIx, f64)]) -> bool {
        foes.iter().any(|&(e, gap)| {
            let near = within(gap, cm(self.distances().routers_keep));
            let from = if near { pack.leaves.min(length) } else { 0.0 };
            let swept = self.swept_by(pack, from, length);
            let limit = cm(self.distances().routers_keep).min(gap);
            let nearer = self.rects_gap(&swept, e, limit).is_some_and(|d| d < limit - SLACK);
            nearer || (near && self.overlaps_unit(&swept, &join_bounds(&swept), e))
        })
    }

    /// Whether a run was stopped by ground that the pack may not enter.
    pub(crate) fn meets_barrier(&self, pack: &Pack, walked: &Walked, gone: f64) -> bool {
        // Aslant to a shore the first step leads hardly into it.
        let enters = |(u, unit): &(UnitIx, Unit), beyond: f64| {
            let ahead = self.pack_at(unit, pack.forward() * (gone + beyond));
            let bounds = join_bounds(&ahead);
            self.on_impassable(&ahead, *u)
                || (self.info(*u).arm != Arm::Infantry
                    && self.fixed.pieces.iter().any(|p| {
                        p.infantry_only
                            && p.bounds.grown(0.1).meets(&bounds)
                            && p.line().is_some_and(|l| ahead.iter().any(|r| l.touched_by(&Shape::Rect(*r))))
                    }))
        };
        walked.stop == Some(Stop::Barred)
            && pack.units.iter().any(|member| [0.3, 0.8].iter().any(|&beyond| enters(member, beyond)))
    }

    /// How far a barred run goes straight away: until 5 short of whoever bars it (SYW-ROUT-22).
    pub(crate) fn room_before(&self, pack: &Pack, length: f64, foes: &[(UnitIx, f64)]) -> f64 {
        let mut ahead = SmallVec::<[(UnitIx, f64); 4]>::new();
        for &foe in foes {
            if self.bars(pack, length, &[foe]) {
                ahead.push(foe);
            }
        }
        self.clear_of(pack, [pack.begins.min(length), length], &ahead)
    }

    /// How far later routers go straight on until they are 5 short of whoever stands there (SYW-ROUT-08, -09); those who touch
    /// them already do not hold them.
    pub(crate) fn room_to_run(&self, g: GroupIx, pack: &Pack, length: f64) -> f64 {
        let members = self.members(g);
        let foes: SmallVec<[(UnitIx, f64); 4]> = self
            .known_enemies(self.group(g).side)
            .filter(|&e| !self.unit(e).surrendered && self.order_of(e) != Order::Retreat)
            .map(|e| (e, members.iter().map(|&u| self.gap(u, e)).fold(f64::MAX, f64::min)))
            .filter(|&(_, gap)| !within(gap, 0.1))
            .collect();
        self.clear_of(pack, [0.0, length], &foes)
    }

    /// How much of its run a pack goes before it comes nearer than 5 to one of some enemies, and nearer than the group was.
    fn clear_of(&self, pack: &Pack, [from, length]: [f64; 2], foes: &[(UnitIx, f64)]) -> f64 {
        let keep = cm(self.distances().routers_keep);
        let free = |t: f64| {
            foes.iter().all(|&(e, gap)| {
                let limit = keep.min(gap);
                pack.units.iter().all(|(_, unit)| {
                    self.rects_gap(&self.pack_at(unit, pack.forward() * t), e, limit)
                        .is_none_or(|d| d >= limit - 0.001)
                })
            })
        };
        let mut reached = 0.0;
        let mut t = from;
        while t <= length + 1e-9 {
            if !free(t) {
                return if t > from { brink([reached, t], 8, 0.0, &mut |t| !free(t))[0] } else { 0.0 };
            }
            reached = t;
            t += FINE;
        }
        length
    }

    /// By how much a pack is moved from where its run begins to where it rests: on by the least that clears whoever
    /// stands there, else aside, else not so far (SYW-ROUT-22).
    pub(crate) fn resting_place(&self, pack: &Pack, gone: f64, foes: &[(UnitIx, f64)]) -> Option<Point> {
        let (forward, right) = (pack.forward(), angle::right(pack.heading));
        // Whether the pack rests on nobody, by more than so much.
        let rests = |by: Point, slack: f64| {
            pack.units.iter().all(|(u, unit)| {
                let rects = self.pack_at(unit, by);
                let bounds = join_bounds(&rects);
                self.fixed.table.holds_bounds(&bounds)
                    && !self.on_impassable(&rects, *u)
                    && !self.unit_ids().any(|v| {
                        !pack.units.iter().any(|p| p.0 == v)
                            && self.unit(v).is_known()
                            && self.unit(v).frame.bounds.meets(&bounds)
                            && self.contact_rects(v).iter().any(|o| {
                                rects.iter().any(|r| Shape::Rect(*r).penetration(&Shape::Rect(*o)) > slack)
                            })
                    })
            })
        };
        // A pack that has to give way stands clear to the grain of the table.
        let free = |by: Point| rests(by, CLEAR);
        let least = |s: f64, way: Point, from: Point| {
            (0..5).rev().map(|k| s - f64::from(k) * 0.01).find(|&s| free(from + way * s)).unwrap_or(s)
        };
        let end = forward * gone;
        if rests(end, 0.03) {
            return Some(end);
        }
        let steps = (ASIDE / FINE) as u32;
        // Nobody jumps over ground that he may not enter.
        let open =
            |by: Point| pack.units.iter().all(|(u, unit)| !self.on_impassable(&self.pack_at(unit, by), *u));
        let mut further = (1..=steps).map(|k| f64::from(k) * FINE).take_while(|&s| open(end + forward * s));
        let on = further.find(|&s| free(end + forward * s));
        if let Some(s) = on.filter(|&s| !self.bars(pack, gone + s, foes)) {
            return Some(end + forward * least(s, forward, end));
        }
        let mut ways = [Some(right), Some(-right)];
        let beside = (1..=steps).find_map(|k| {
            let s = f64::from(k) * FINE;
            ways.iter_mut().find_map(|way| {
                *way = way.filter(|&way| open(end + way * s));
                way.filter(|&way| free(end + way * s)).map(|way| end + way * least(s, way, end))
            })
        });
        beside.or_else(|| {
            let back = (gone / FINE) as u32;
            let short = (1..back).map(|k| f64::from(k) * FINE).find(|&s| free(end - forward * s))?;
            Some(end - forward * least(short, -forward, end))
        })
    }
}
