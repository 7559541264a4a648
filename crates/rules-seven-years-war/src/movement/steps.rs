//! A leg walked step by step: what lies near it, what each step costs, what ends it (SYW-MODEL-32, -33).

use smallvec::SmallVec;
use tricorne_game::Illegal;
use tricorne_table::{Bounds, Frame, Point, Pose, Shape, brink};

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{Rects, bounds_of, overlapping};
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::{SLACK, Unit, Units};
use crate::model::unit::Extent;
use crate::movement::course::Course;
use crate::movement::obstacles::{CONTACT, Hit, Stride};
use crate::movement::walk::{Dice, Heed, Mover, Movers, Stop, Walked};
use crate::options::TerrainCost;
use crate::rulebook::cm;
use crate::terrain::ground::{Going, Piece, PieceKind};

/// A path is walked in steps of this length (SYW-MODEL-32).
pub const STEP: f64 = 0.5;

/// Ground so near ahead is asked about before a step is taken.
const AHEAD: f64 = 0.06;

/// Things near enough to a leg to matter.
pub(crate) struct Near {
    pub(crate) pieces: SmallVec<[u8; 8]>,
    pub(crate) enemies: Units,
    pub(crate) hidden: Units,
    pub(crate) friends: Units,
    /// Of the enemy, whom nobody sees as an obstacle (SYW-GEN-25).
    pub(crate) generals: SmallVec<[GeneralIx; 4]>,
}

/// Lanes of movers, in their order.
pub(crate) type Lanes = SmallVec<[Lane; 4]>;

/// The part of a leg's ground that one mover can come over: what steps need not ask of all that lies near the leg.
pub(crate) struct Lane {
    extent: Extent,
    /// Ground he can come to that costs him anything, or bars him.
    pub(crate) pieces: SmallVec<[u8; 8]>,
    /// He can neither leave the table nor come to anybody.
    pub(crate) clear: bool,
}

impl Lane {
    /// The box round the mover at a pose.
    pub(crate) fn bounds_at(&self, unit: &Unit, pose: Pose) -> Bounds {
        bounds_of_extent(&self.extent, &frame_of(unit, pose))
    }
}

impl SevenYearsBattle {
    /// Whether nothing can happen to any of them on so much of a leg: no ground, nobody in the way, no edge.
    fn plain_sailing(
        &self,
        movers: &[Mover],
        course: &Course,
        length: f64,
        heed: &Heed,
        near: &Near,
    ) -> bool {
        let table = self.fixed.table.bounds();
        near.pieces.is_empty()
            && near.hidden.is_empty()
            && near.generals.is_empty()
            && heed.keep <= 0.0
            && self.fixed.options.terrain_cost != TerrainCost::WholeMove
            && movers.iter().all(|m| {
                let swept = self.swept(m, course, length).grown(CONTACT);
                let mut others = near.enemies.iter().chain(&near.friends);
                table.contains(swept.min)
                    && table.contains(swept.max)
                    && !others.any(|&v| self.unit(v).frame.bounds.meets(&swept))
            })
    }

    pub(crate) fn bounds_at(&self, unit: &Unit, pose: Pose) -> Bounds {
        self.bounds_in(unit, &frame_of(unit, pose))
    }

    pub(crate) fn bounds_in(&self, unit: &Unit, frame: &Frame) -> Bounds {
        bounds_of_extent(&unit.extent(self.info_of(unit).depth), frame)
    }

    /// What each mover can come to on a leg. A step asks only whether boxes meet and looks closer where they do, and here
    /// none is left out that any box of his could meet; ground that neither costs nor bars alters no step.
    fn lanes(&self, movers: &[Mover], course: &Course, length: f64, heed: &Heed, near: &Near) -> Lanes {
        const MARGIN: f64 = 0.2;
        let table = self.fixed.table.bounds();
        let lane = |m: &Mover| {
            let extent = m.new.extent(self.info_of(&m.new).depth);
            let way = self.swept(m, course, length + AHEAD).grown(MARGIN);
            let pieces = near.pieces.iter().copied().filter(|&p| {
                let piece = &self.fixed.pieces[usize::from(p)];
                piece.bounds.meets(&way) && self.is_felt(m.u, piece)
            });
            let wide = way.grown(heed.keep);
            let mut others = near.enemies.iter().chain(&near.friends);
            let clear = table.contains(way.min)
                && table.contains(way.max)
                && !others.any(|&v| self.unit(v).frame.bounds.meets(&wide));
            Lane { extent, pieces: pieces.collect(), clear }
        };
        movers.iter().map(lane).collect()
    }

    /// Whether a piece of ground can cost a unit anything, or bar it: open ground by any name does not.
    fn is_felt(&self, u: UnitIx, piece: &Piece) -> bool {
        let info = self.info(u);
        let open = matches!(self.fixed.going(piece, info), Going::Factor(factor) if factor <= 1.0);
        !open || piece.obstacle().is_some() || self.fixed.area_lump(piece, info).is_some()
    }

    /// A box round everything a mover passes over in a leg.
    pub(crate) fn swept(&self, m: &Mover, course: &Course, length: f64) -> Bounds {
        let here = self.bounds_at(&m.new, m.new.pose());
        match course {
            Course::Straight(way) => {
                let there = Bounds { min: here.min + *way * length, max: here.max + *way * length };
                here.join(&there)
            }
            // No corner goes further than the farthest from the pivot, which need not be one of the front: a column's rear
            // swings out.
            Course::Wheel { pivot, degrees, arc } => {
                let share = if *arc > 0.0 { (length / arc).min(1.0) } else { 0.0 };
                let swing = here.corners().map(|corner| corner.distance(*pivot));
                here.grown(swing.into_iter().fold(0.0, f64::max) * (degrees * share).abs().to_radians())
            }
        }
    }

    pub(crate) fn near_leg(&self, movers: &[Mover], course: &Course, length: f64, heed: &Heed) -> Near {
        let mut near = Near {
            pieces: SmallVec::new(),
            enemies: Units::new(),
            hidden: Units::new(),
            friends: Units::new(),
            generals: SmallVec::new(),
        };
        let side = movers[0].new.side;
        let mut swept = self.swept(&movers[0], course, length);
        for m in &movers[1..] {
            swept = swept.join(&self.swept(m, course, length));
        }
        for (i, piece) in self.fixed.pieces.iter().enumerate() {
            if piece.kind != PieceKind::Road && piece.bounds.grown(0.1).meets(&swept) {
                near.pieces.push(i as u8);
            }
        }
        let reach = if heed.halts {
            movers.iter().map(|m| self.halting_distance(m.u)).fold(0.0, f64::max)
        } else {
            heed.keep
        };
        let touched = swept.grown(CONTACT);
        let wide = swept.grown(reach + 0.2);
        let close = swept.grown(cm(self.distances().ambush) + 0.1);
        for v in self.unit_ids() {
            let unit = self.unit(v);
            if !unit.is_present() {
                continue;
            }
            if unit.side == side {
                if unit.is_known() && !movers.iter().any(|m| m.u == v) && unit.frame.bounds.meets(&touched) {
                    near.friends.push(v);
                }
            } else if unit.is_known() {
                if unit.frame.bounds.meets(&wide) && !heed.yielding.contains(&unit.group) {
                    near.enemies.push(v);
                }
            } else if !heed.blind && unit.frame.bounds.meets(&close) {
                near.hidden.push(v);
            }
        }
        near.generals.extend(GeneralIx::first(self.s.generals.len()).filter(|&i| {
            let general = self.general(i);
            general.is_present() && general.side != side && bounds_of(&general.rect()).meets(&touched)
        }));
        near
    }

    /// Whom of the enemy's generals movers go over, so much of a leg done (SYW-GEN-25).
    fn ride_over(
        &self,
        movers: &mut [Mover],
        start: &[Pose],
        course: &Course,
        [done, length]: [f64; 2],
        near: &Near,
    ) {
        for &i in &near.generals {
            let general = self.general(i).rect();
            for (m, start) in movers.iter_mut().zip(start) {
                let rects = self.rects_at(&m.new, course.at(*start, done, length));
                if !m.new.phase.overrun.contains(&i) && rects.iter().any(|r| overlapping(r, &general)) {
                    m.new.phase.overrun.push(i);
                }
            }
        }
    }

    /// How much of a step is walked before a line is crossed that is not paid for, or ground is entered that bars the way:
    /// just short of it, where the next step asks (SYW-TERR-07, -11, -13).
    fn up_to_ground(
        &self,
        movers: &[Mover],
        start: &[Pose],
        course: &Course,
        [done, step, length]: [f64; 3],
        lanes: &[Lane],
        started_in: &[(UnitIx, u8)],
    ) -> f64 {
        let mut step = step;
        for ((m, start), lane) in movers.iter().zip(start).zip(lanes) {
            if lane.pieces.is_empty() {
                continue;
            }
            let meets =
                |far: f64| self.meets_ground(m, course.at(*start, done + far, length), lane, started_in);
            if step <= AHEAD || !meets(step) || meets(AHEAD) {
                continue;
            }
            [step, _] = brink([AHEAD, step], 64, 0.0005, &mut |far| meets(far));
        }
        step
    }

    /// Whether a mover would stand across a line that it has not paid for, or stand on ground it may not enter.
    fn meets_ground(&self, m: &Mover, pose: Pose, lane: &Lane, started_in: &[(UnitIx, u8)]) -> bool {
        let bounds = lane.bounds_at(&m.new, pose);
        let mut rects: Option<Rects> = None;
        lane.pieces.iter().any(|&p| {
            let piece = &self.fixed.pieces[usize::from(p)];
            let paid = piece.obstacle().is_some() && (m.paid.contains(&p) || started_in.contains(&(m.u, p)));
            if paid || !piece.bounds.grown(0.05).meets(&bounds) {
                return false;
            }
            let rects = rects.get_or_insert_with(|| self.rects_at(&m.new, pose));
            match piece.obstacle() {
                Some(line) => rects.iter().any(|r| line.crossed_by(&Shape::Rect(*r))),
                None => {
                    self.fixed.going(piece, self.info(m.u)) == Going::Barred
                        && rects.iter().any(|r| piece.holds_part_of(r))
                        && !self.crossing_over(piece, rects)
                }
            }
        })
    }

    #[allow(clippy::too_many_arguments)]
    pub(crate) fn step_by_step(
        &self,
        movers: &mut Movers,
        course: &Course,
        length: f64,
        prices: &[f64],
        heed: &Heed,
        dice: &mut Dice,
        walked: &mut Walked,
        near: &Near,
    ) -> Result<(), Illegal> {
        let start: SmallVec<[Pose; 4]> = movers.iter().map(|m| m.new.pose()).collect();
        // How far it may go before it has to halt; exact for straight legs.
        let mut limit = length;
        let mut halt = None;
        if heed.halts {
            self.halts_on(movers, course, near, &mut limit, &mut halt);
        }
        self.bars_on(movers, course, near, &mut limit, &mut halt);
        let mut done = 0.0;
        let mut factors: SmallVec<[f64; 4]> = SmallVec::from_elem(1.0, movers.len());
        let affordable = movers.iter().zip(prices).all(|(m, price)| price * limit <= m.left() + 1e-9);
        if affordable && self.plain_sailing(movers, course, limit, heed, near) {
            self.pay(movers, prices, &factors, limit);
            done = limit;
        }
        let started_in = self.straddled(movers, near);
        let lanes =
            if done + 1e-9 < limit { self.lanes(movers, course, length, heed, near) } else { Lanes::new() };
        while done + 1e-9 < limit {
            let mut step = STEP.min(limit - done);
            // Price of this step for each, by the worst ground it is in now or is about to enter.
            let mut stop = None;
            for (k, m) in movers.iter_mut().enumerate() {
                let poses = [done, done + AHEAD].map(|gone| course.at(start[k], gone, length));
                let (factor, barred) = self.going_at(m, poses, &lanes[k], &started_in, dice);
                if barred {
                    step = 0.0;
                    stop = Some(Stop::Barred);
                    break;
                }
                factors[k] = factor;
                let mut per = prices[k] * factor;
                if self.fixed.options.terrain_cost == TerrainCost::WholeMove {
                    m.worst = m.worst.max(factor);
                    // The whole path is priced at the worst ground touched.
                    m.spent = m.spent.max(m.bare * m.worst);
                    per = prices[k] * m.worst;
                }
                let left = m.left();
                if per * step > left + 1e-9 {
                    let shorter = if per > 0.0 { (left / per).max(0.0) } else { step };
                    if shorter < step {
                        step = shorter;
                        stop = Some(Stop::Spent);
                    }
                }
            }
            let reached =
                self.up_to_ground(movers, &start, course, [done, step, length], &lanes, &started_in);
            if reached < step {
                step = reached;
                stop = None;
            }
            if step > 1e-9 {
                let next = done + step;
                let (start, lanes, factors) = (&start, &lanes, &factors);
                let stride = Stride { course, start, lanes, length, done, next, prices, factors };
                if let Some(found) = self.obstructed(movers, &stride, heed, near, walked)? {
                    match found {
                        Hit::Off => {
                            walked.left_table = !heed.halt_at_edge;
                            if heed.halt_at_edge {
                                walked.stop = Some(Stop::Edge);
                                limit = done;
                            }
                            if walked.left_table {
                                done = next;
                            }
                            break;
                        }
                        Hit::Short(at) => {
                            for m in movers.iter_mut() {
                                m.spent = (m.spent - (done - at).max(0.0)).max(0.0);
                            }
                            done = at;
                            walked.stop = Some(Stop::Friends);
                            break;
                        }
                        Hit::Stop(why, at) => {
                            let at = at.clamp(done, next);
                            self.pay(movers, prices, factors, at - done);
                            done = at;
                            walked.stop = Some(why);
                            break;
                        }
                    }
                }
                self.pay(movers, prices, factors, step);
                done = next;
                self.ride_over(movers, start, course, [done, length], near);
            }
            if stop.is_some() {
                walked.stop = stop;
                break;
            }
        }
        for (k, m) in movers.iter_mut().enumerate() {
            let pose = course.at(start[k], done, length);
            m.new.at = pose.at;
            m.new.facing = pose.facing;
            m.new.reframe();
            m.gone += done;
        }
        if walked.stop.is_none()
            && !walked.left_table
            && done + 1e-6 >= limit
            && halt.is_some()
            && limit < length + SLACK
        {
            walked.stop = halt;
        }
        Ok(())
    }
}

/// The box round an outline in a frame.
fn bounds_of_extent(e: &Extent, frame: &Frame) -> Bounds {
    let corner = |x: f64, y: f64| frame.to_world(Point::new(x, y));
    Bounds::of_points(&[
        corner(e.left, e.front),
        corner(e.right, e.front),
        corner(e.left, e.rear),
        corner(e.right, e.rear),
    ])
}

/// The frame of a unit at a pose; its own when it only slides, so that no sine is needed.
pub fn frame_of(unit: &Unit, pose: Pose) -> Frame {
    if pose.facing == unit.frame.facing {
        Frame { at: pose.at, forward: unit.frame.frame.forward }
    } else {
        pose.frame()
    }
}
