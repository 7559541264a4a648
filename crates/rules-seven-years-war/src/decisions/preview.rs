//! What an answer would come to before any die: cost, allowance, the way as a line, ghosts of the bases, remarks.

use smallvec::SmallVec;
use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_game::{Illegal, Preview};
use tricorne_table::{Point, Pose, Shape, round_to};

use crate::decisions::action::{Action, Hand, Leg};
use crate::decisions::battle::Judged;
use crate::model::field::{SevenYearsBattle, join_bounds};
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::{Aim, Order, Unit, grain};
use crate::movement::groups::Plan;
use crate::movement::walk::{Dice, Heed, Movers, Stop};
use crate::points::{Army, Work};
use crate::shooting::shots::Mark;

/// A wheel is drawn in steps of this many degrees.
const FACET: f64 = 5.0;

fn line(kind: &str, points: Vec<Point>, label: Option<String>) -> Overlay {
    Overlay { kind: kind.into(), shape: OverlayShape::Path(points), label }
}

impl SevenYearsBattle {
    /// What an answer would come to.
    pub(crate) fn previewed(&self, action: &Action) -> Result<Preview, Illegal> {
        let judged = self.judge(action)?;
        let mut preview = Preview::default();
        match judged {
            Judged::Move(plan) | Judged::Retreat(plan) => self.preview_plan(action, &plan, &mut preview),
            Judged::Charge(_, aims) => {
                for aim in &aims {
                    self.preview_aim(aim, &mut preview);
                }
            }
            Judged::Shot(shot) => {
                preview.notes.push(format!("range {:.1} cm, {} stands", shot.range, shot.stands.len()));
                let to = match shot.mark {
                    Mark::Unit(t) => self.centre_of(&[t]),
                    Mark::General(g) => self.s.generals[usize::from(g)].at,
                };
                preview.overlays.push(line("aim", vec![self.unit(shot.unit).at, to], None));
            }
            Judged::Layout(_, new) | Judged::Ranks(_, new) => self.preview_place(&new, &mut preview),
            Judged::Hide(_, new, _) => self.preview_place(&new, &mut preview),
            Judged::Reveal(_, new, elsewhere) => {
                self.preview_place(&new, &mut preview);
                if elsewhere {
                    preview.notes.push("counts as moved in this phase".into());
                }
            }
            Judged::Steal(u, piece, pose) => {
                let from = self.unit(u).at;
                preview.cost = Some(round_to(from.distance(pose.at), 0.01));
                preview.allowance = Some(self.speed(u));
                preview.overlays.push(line("path", vec![from, pose.at], None));
                preview.overlays.push(self.ghost(self.unit(u), pose));
                preview.notes.push(format!("lies in {} from then on", self.fixed.pieces[piece].id));
            }
            Judged::Place(placed) => {
                for (_, new) in placed.iter() {
                    self.preview_place(new, &mut preview);
                }
            }
            Judged::Pose(pose) => {
                if let Some(crate::sequence::turn::Task::MakeRoom { unit, .. }) = self.s.tasks.last() {
                    preview.overlays.push(line("path", vec![self.unit(*unit).at, pose.at], None));
                    preview.overlays.push(self.ghost(self.unit(*unit), pose));
                }
            }
            Judged::General(i, at) => {
                let general = &self.s.generals[usize::from(i)];
                if general.placed {
                    preview.cost = Some(round_to(general.at.distance(at), 0.01));
                    preview.allowance = Some(self.fixed.book.general.speed);
                    preview.overlays.push(line("path", vec![general.at, at], None));
                }
                preview.overlays.push(self.general_ghost(i, at));
                self.note_general(i, at, &mut preview);
            }
            Judged::Point(at) => {
                if let Some(crate::sequence::turn::Task::NewGeneral { general }) = self.s.tasks.last() {
                    preview.overlays.push(self.general_ghost(*general, at));
                }
            }
            _ => {}
        }
        if let Action::Enlist(army) = action {
            preview.notes.push(self.muster_roll(army));
        }
        Ok(preview)
    }

    /// An army in a line: how many of what, under how many generals, and what it costs.
    fn muster_roll(&self, army: &Army) -> String {
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

    fn general_ghost(&self, i: GeneralIx, at: Point) -> Overlay {
        let mut general = self.s.generals[usize::from(i)].clone();
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

    fn preview_place(&self, new: &Unit, preview: &mut Preview) {
        preview.overlays.push(self.ghost(new, new.pose()));
        self.note_ground(new, preview);
    }

    fn preview_plan(&self, action: &Action, plan: &Plan, preview: &mut Preview) {
        preview.cost = plan.movers.iter().map(|m| round_to(m.spent, 0.01)).reduce(f64::max);
        preview.allowance = plan.movers.iter().map(|m| m.allowance).reduce(f64::min);
        let group = self.group(plan.group);
        match action {
            Action::Move { legs, units, .. } if units.is_empty() => {
                let heed = Heed {
                    halts: group.order == Order::Advance,
                    yielding: self.yielding_to(plan.group),
                    blind: true,
                    ..Heed::default()
                };
                let movers: Movers = plan.movers.iter().map(|m| self.mover(m.u)).collect();
                self.draw_legs(movers, legs, &heed, preview);
            }
            Action::Move { units, .. } => {
                let heed = Heed {
                    halts: group.order == Order::Advance,
                    yielding: self.yielding_to(plan.group),
                    blind: true,
                    ..Heed::default()
                };
                for m in units {
                    if let Some(u) = self.find_unit(m.unit) {
                        self.draw_legs(vec![self.mover(u)], &m.legs, &heed, preview);
                    }
                }
            }
            _ => {
                let heed = Heed { back: 1.0, stop_at_enemies: true, blind: true, ..Heed::default() };
                let movers: Movers = plan.movers.iter().map(|m| self.mover(m.u)).collect();
                self.draw_legs(movers, &plan.path, &heed, preview);
            }
        }
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
            preview.notes.push("leaves the table".into());
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

    fn preview_aim(&self, aim: &Aim, preview: &mut Preview) {
        let id = self.unit(aim.unit).id;
        let target = self.unit(aim.target).id;
        if let Some(a) = self.preview_charge(aim) {
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
        let general = &self.s.generals[usize::from(i)];
        let near = self
            .known_enemies(general.side)
            .map(|e| (self.centre_of(&[e]).distance(at), e))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((far, e)) = near.filter(|n| n.0 < 20.0) {
            preview.notes.push(format!("{far:.0} cm from {}", self.unit(e).id));
        }
    }
}
