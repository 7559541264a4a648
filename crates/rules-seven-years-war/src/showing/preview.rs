//! What an answer would come to before any die: cost, allowance, the way as a line, ghosts of the bases, remarks.

use smallvec::SmallVec;
use tricorne_game::Preview;
use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_table::{Point, Pose, Shape, round_to};

use crate::action::{Hand, Leg};
use crate::charges::charge::Approach;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::join_bounds;
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::{Aim, Order, Unit, grain};
use crate::movement::groups::Plan;
use crate::movement::next_move::March;
use crate::movement::walk::{Dice, Heed, Movers, Stop};
use crate::points::{Army, Work};
use crate::shooting::shots::{Mark, Shot};

/// A wheel is drawn in steps of this many degrees.
const FACET: f64 = 5.0;

fn line(kind: &str, points: Vec<Point>, label: Option<String>) -> Overlay {
    Overlay { kind: kind.into(), shape: OverlayShape::Path(points), label }
}

impl SevenYearsBattle {
    /// A group's move.
    pub(crate) fn preview_march(&self, march: &March) -> Preview {
        let plan = &march.plan;
        let heed = Heed {
            halts: self.group(plan.group).order == Order::Advance,
            yielding: self.yielding_to(plan.group),
            blind: true,
            ..Heed::default()
        };
        let mut preview = Preview::default();
        if march.units.is_empty() {
            self.draw_legs(self.movers_of(plan), &march.legs, &heed, &mut preview);
        }
        for m in &march.units {
            if let Some(u) = self.find_unit(m.unit) {
                self.draw_legs(vec![self.mover(u)], &m.legs, &heed, &mut preview);
            }
        }
        self.show_plan(plan, &mut preview);
        preview
    }

    /// A retreat move.
    pub(crate) fn preview_retreat(&self, plan: &Plan) -> Preview {
        let heed = Heed { back: 1.0, stop_at_enemies: true, blind: true, ..Heed::default() };
        let mut preview = Preview::default();
        self.draw_legs(self.movers_of(plan), &plan.path, &heed, &mut preview);
        self.show_plan(plan, &mut preview);
        preview
    }

    fn movers_of(&self, plan: &Plan) -> Movers {
        plan.movers.iter().map(|m| self.mover(m.u)).collect()
    }

    /// A charge, unit by unit.
    pub(crate) fn preview_charge(&self, aims: &[Aim]) -> Preview {
        let mut preview = Preview::default();
        for aim in aims {
            self.show_aim(aim, &mut preview);
        }
        preview
    }

    /// A shot.
    pub(crate) fn preview_shot(&self, shot: &Shot) -> Preview {
        let to = match shot.mark {
            Mark::Unit(t) => self.centre_of(&[t]),
            Mark::General(i) => self.general(i).at,
        };
        Preview {
            notes: [format!("range {:.1} cm, {} stands", shot.range, shot.stands.len())]
                .into_iter()
                .collect(),
            overlays: vec![line("aim", vec![self.unit(shot.unit).at, to], None)],
            ..Preview::default()
        }
    }

    /// A unit set down.
    pub(crate) fn preview_place(&self, new: &Unit) -> Preview {
        let mut preview = Preview::default();
        self.show_place(new, &mut preview);
        preview
    }

    /// A hidden unit that steals away.
    pub(crate) fn preview_steal(&self, u: UnitIx, piece: usize, pose: Pose) -> Preview {
        let mut preview = Preview {
            cost: Some(round_to(self.unit(u).at.distance(pose.at), 0.01)),
            allowance: Some(self.speed(u)),
            notes: [format!("lies in {} from then on", self.fixed.pieces[piece].id)].into_iter().collect(),
            ..Preview::default()
        };
        self.show_step(u, pose, &mut preview);
        preview
    }

    /// A general placed, or riding.
    pub(crate) fn preview_ride(&self, i: GeneralIx, at: Point) -> Preview {
        let mut preview = Preview::default();
        let general = self.general(i);
        if general.placed {
            preview.cost = Some(round_to(general.at.distance(at), 0.01));
            preview.allowance = Some(self.fixed.book.general.speed);
            preview.overlays.push(line("path", vec![general.at, at], None));
        }
        preview.overlays.push(self.general_ghost(i, at));
        self.note_general(i, at, &mut preview);
        preview
    }

    /// A unit that goes straight to a place.
    pub(crate) fn show_step(&self, u: UnitIx, pose: Pose, preview: &mut Preview) {
        preview.overlays.push(line("path", vec![self.unit(u).at, pose.at], None));
        preview.overlays.push(self.ghost(self.unit(u), pose));
    }

    /// An army in a line: how many of what, under how many generals, and what it costs.
    pub(crate) fn muster_roll(&self, army: &Army) -> String {
        let market = &self.fixed.book.market;
        let name =
            |code: &str| market.lists.entry(code).map_or_else(|| code.to_owned(), |(_, e)| e.name.clone());
        let mut kinds: Vec<(&str, usize)> = Vec::new();
        for unit in &army.units {
            match kinds.iter_mut().find(|(code, _)| *code == unit.code) {
                Some((_, n)) => *n += 1,
                None => kinds.push((&unit.code, 1)),
            }
        }
        let mut parts: Vec<String> = kinds.iter().map(|(code, n)| format!("{n} × {}", name(code))).collect();
        parts.push(format!("{} sub-generals", army.sub_generals));
        parts.extend(army.works.iter().map(|(work, length)| {
            format!("{length} cm of {}", if *work == Work::Abatis { "abatis" } else { "barricade" })
        }));
        format!("{}; {} points", parts.join(", "), market.army(army))
    }

    fn ghost(&self, unit: &Unit, pose: Pose) -> Overlay {
        Overlay {
            kind: "ghost".into(),
            shape: OverlayShape::Bases(self.rects_at(unit, pose).into_iter().map(Shape::Rect).collect()),
            label: Some(unit.id.to_string()),
        }
    }

    pub(crate) fn general_ghost(&self, i: GeneralIx, at: Point) -> Overlay {
        let mut general = self.general(i).clone();
        general.at = at;
        if !general.placed {
            general.facing = Self::inwards(self.s.armies[general.side.index().min(1)].edge);
        }
        Overlay {
            kind: "ghost".into(),
            shape: OverlayShape::Bases(vec![Shape::Rect(general.rect())]),
            label: Some(general.id.to_string()),
        }
    }

    pub(crate) fn show_place(&self, new: &Unit, preview: &mut Preview) {
        preview.overlays.push(self.ghost(new, new.pose()));
        self.note_ground(new, preview);
    }

    fn show_plan(&self, plan: &Plan, preview: &mut Preview) {
        preview.cost = plan.movers.iter().map(|m| round_to(m.spent, 0.01)).reduce(f64::max);
        preview.allowance = plan.movers.iter().map(|m| m.allowance).reduce(f64::min);
        for m in &plan.movers {
            preview.overlays.push(self.ghost(&m.new, grain(m.new.pose())));
        }
        if let Some(stop) = plan.stop {
            let name = |u: UnitIx| self.unit(u).id;
            preview.notes.extend(match stop {
                Stop::Halt(e) => {
                    Some(format!("halts in front of {}: then Stand, or a test to charge", name(e)))
                }
                Stop::Friends => Some("halts behind friends".into()),
                Stop::Spent => Some("the ground uses up the move".into()),
                Stop::Barred => Some("the ground bars the way".into()),
                Stop::Edge => Some("halts at the table edge".into()),
                Stop::Enemy(e) => Some(format!("is stopped by {}", name(e))),
                Stop::Ambush(..) => None,
            });
        }
        if plan.left_table {
            preview.notes.push("leaves the table");
            return;
        }
        let mut passed: SmallVec<[UnitIx; 4]> = plan.passed.iter().map(|p| p.1).collect();
        passed.sort_unstable();
        passed.dedup();
        for f in passed {
            preview.notes.push(format!("passes through {}", self.unit(f).id));
        }
        for m in &plan.movers {
            self.note_ground(&m.new, preview);
            self.note_range(m.u, &m.new, preview);
        }
    }

    /// The way of the first unit, leg by leg, and the outer corner's arc for each wheel (SYW-MODEL-28).
    fn draw_legs(&self, mut movers: Movers, legs: &[Leg], heed: &Heed, preview: &mut Preview) {
        let Some(first) = movers.first() else { return };
        let mut way = vec![first.new.at];
        for leg in legs {
            let before = movers[0].new.pose();
            let wheel = if let Leg::Wheel { side, .. } = leg {
                let outer = if *side == Hand::Left { Hand::Right } else { Hand::Left };
                Some((self.hinge(&movers, *side).0, self.hinge(&movers, outer).0))
            } else {
                None
            };
            let spent = movers.iter().map(|m| m.spent).fold(0.0, f64::max);
            let Ok(walked) = self.walk(&mut movers, &[*leg], heed, &mut Dice::none()) else { break };
            let after = movers[0].new.pose();
            if let Some((pivot, outer)) = wheel {
                let turn = tricorne_table::angle::turn(before.facing, after.facing);
                let steps = libm::ceil(turn.abs() / FACET).max(1.0);
                let mut arc = vec![outer];
                let mut share = 1.0;
                while share <= steps {
                    let part = turn * share / steps;
                    way.push(before.turned_about(pivot, part).at);
                    arc.push(outer.turned_about(pivot, part));
                    share += 1.0;
                }
                let cost = movers.iter().map(|m| m.spent).fold(0.0, f64::max) - spent;
                preview.overlays.push(line("outer corner", arc, Some(format!("{cost:.1} cm"))));
            } else {
                way.push(after.at);
            }
            if walked.stop.is_some() || walked.left_table {
                break;
            }
        }
        if way.len() > 1 {
            let cost = movers.iter().map(|m| m.spent).fold(0.0, f64::max);
            preview.overlays.push(line("path", way, Some(format!("{cost:.1} cm"))));
        }
    }

    fn show_aim(&self, aim: &Aim, preview: &mut Preview) {
        let id = self.unit(aim.unit).id;
        let target = self.unit(aim.target).id;
        if let Some(a) = self.approach_of(aim) {
            let mut legs: SmallVec<[Leg; 2]> = SmallVec::new();
            if aim.wheel.abs() > 1e-9 {
                let side = if aim.wheel < 0.0 { Hand::Left } else { Hand::Right };
                legs.push(Leg::Wheel { side, degrees: aim.wheel.abs() });
            }
            let start = self.mover(aim.unit);
            let wheeled = legs.first().map_or(start.new.pose(), |_| {
                let side = if aim.wheel < 0.0 { Hand::Left } else { Hand::Right };
                let (pivot, _) = self.hinge(std::slice::from_ref(&start), side);
                start.new.pose().turned_about(pivot, aim.wheel)
            });
            legs.push(Leg::Forward(wheeled.to_local(a.new.at).y.max(0.0)));
            let heed = Heed { stop_at_enemies: true, blind: true, halt_at_edge: true, ..Heed::default() };
            self.draw_legs(vec![start], &legs, &heed, preview);
            preview.overlays.push(self.ghost(&a.new, a.new.pose()));
            preview.cost = Some(preview.cost.unwrap_or(0.0).max(round_to(a.spent, 0.01)));
            preview.allowance = Some(self.charge_left(aim.unit));
            self.note_ground(&a.new, preview);
        }
        preview.notes.push(format!("{id} comes at the {} of {target}", aim.from.name()));
    }

    /// How a unit would reach its target.
    pub(crate) fn approach_of(&self, aim: &Aim) -> Option<Approach> {
        self.approach(aim.unit, aim.target, self.charge_left(aim.unit), Some(aim.wheel), true)
    }

    /// Ground that disorders, and cover.
    fn note_ground(&self, new: &Unit, preview: &mut Preview) {
        let rects = self.rects_at(new, grain(new.pose()));
        let bounds = join_bounds(&rects);
        let under = self.fixed.ground_under(&rects, &bounds);
        if self.fixed.disorders(under, self.info_of(new)) {
            preview.notes.push(format!("{} ends in ground that disorders it", new.id));
        }
        let ahead = new.pose().ahead(20.0).at;
        let covered = rects
            .iter()
            .filter(|r| self.fixed.cover_of(r, ahead, |_| true) != crate::rulebook::Cover::None)
            .count();
        if covered > 0 && covered * 2 >= rects.len() {
            preview.notes.push(format!("{} ends in cover", new.id));
        }
    }

    /// Enemies it could shoot at from there, by distance, and those who could charge it.
    fn note_range(&self, u: UnitIx, new: &Unit, preview: &mut Preview) {
        let ranges = self.fixed.book.ranges(self.info(u).weapon);
        let rects = self.rects_at(new, grain(new.pose()));
        let mut nearest: Option<(f64, UnitIx)> = None;
        for e in self.known_enemies(new.side) {
            if let Some(gap) = self.rects_gap(&rects, e, nearest.map_or(60.0, |n| n.0))
                && nearest.is_none_or(|n| gap < n.0)
            {
                nearest = Some((gap, e));
            }
        }
        let Some((gap, e)) = nearest else { return };
        let band = if ranges.short.is_some_and(|r| gap <= r) {
            "within short range of"
        } else if ranges.long.is_some_and(|r| gap <= r) {
            "within long range of"
        } else if ranges.extreme.is_some_and(|r| gap <= r) {
            "within extreme range of"
        } else if gap <= self.info(e).speed {
            "within a charge of"
        } else {
            return;
        };
        preview.notes.push(format!("{} ends {gap:.1} cm from {}, {band} it", new.id, self.unit(e).id));
    }

    /// Enemies near a general's new place (SYW-GEN-25).
    fn note_general(&self, i: GeneralIx, at: Point, preview: &mut Preview) {
        let general = self.general(i);
        let near = self
            .known_enemies(general.side)
            .map(|e| (self.centre_of(&[e]).distance(at), e))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((far, e)) = near.filter(|n| n.0 < 20.0) {
            preview.notes.push(format!("{far:.0} cm from {}", self.unit(e).id));
        }
    }
}
