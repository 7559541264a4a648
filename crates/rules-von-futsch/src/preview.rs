//! What an answer would come to before any die is rolled: the way and what is measured on it, the ghost of where it
//! ends, cost and allowance, and what it would meet.

use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_game::{Log, Preview};
use tricorne_table::{Point, Pose, Shape, path};

use crate::action::{Action, ActionKind, Leg, Then};
use crate::answer::Order;
use crate::field::{Field, bit, bits};
use crate::formation::Body;
use crate::march::{Marched, Stretch, Walk};
use crate::measure::{Mils, Place, exact, mils};
use crate::model::{Cr, Formation, Nr};
use crate::options::WheelCost;
use crate::rulebook::inch;
use crate::state::{ChargePath, Step};

/// A length as it is written beside a line: `2.618"`, `9"`.
pub(crate) fn inches(length: Mils) -> String {
    let text = format!("{:.3}", exact(length));
    format!("{}\"", text.trim_end_matches('0').trim_end_matches('.'))
}

fn line(kind: &str, points: Vec<Point>, label: Option<String>) -> Overlay {
    Overlay { kind: kind.into(), shape: OverlayShape::Path(points), label }
}

/// How finely an arc is drawn: a point every so many degrees.
const FINE: f64 = 3.0;

impl Field {
    /// What a judged answer would come to.
    pub(crate) fn preview_of(&self, action: &Action, order: Order) -> Preview {
        let mut preview = Preview::default();
        let Some(ask) = self.question() else { return preview };
        match (ask, order) {
            (Step::AskPath(u), Order::March(to)) => {
                if let Action::Path(legs) = action {
                    self.preview_march(u, legs, to, &mut preview);
                }
            }
            (Step::AskManoeuvre(u) | Step::AskUnlimber(u), Order::Shape(to) | Order::Unlimber(to)) => {
                preview.overlays.push(self.ghost(u, to.place, to.formation));
                self.note_end(u, to.place, to.formation, &mut preview);
            }
            (Step::AskManoeuvre(u), Order::Slide(_)) => {
                let most = inches(self.greatest_move(u) / 2);
                preview.notes.push(format!("up to half of what is rolled, {most} at the most"));
            }
            (Step::AskDistance { unit, .. }, Order::SlideTo(place))
            | (Step::AskBearing { unit, .. }, Order::FallTo(place)) => {
                self.preview_slide(unit, place, &mut preview);
            }
            (Step::AskFace(unit), Order::Face(place)) => {
                preview.overlays.push(self.ghost(unit, place, self.unit(unit).formation));
            }
            (Step::AskReform(u), Order::Reform(then, facing)) => {
                if then != Then::Retreat
                    && let Ok(place) = self.judge_face(u, facing)
                {
                    preview.overlays.push(self.ghost(u, place, self.unit(u).formation));
                }
            }
            (Step::AskCharge(u), Order::ChargeAt { target, path, .. }) => {
                self.preview_charge(u, target, &path, &mut preview);
            }
            (Step::AskTarget { unit, face, .. }, Order::Target(target)) => {
                self.note_volley(unit, face, target, &mut preview);
            }
            (Step::AskReturn { unit, shooter }, Order::ReturnFire(face)) => {
                self.note_volley(unit, face, shooter, &mut preview);
            }
            (
                Step::AskCommanderMove { commander, allowance } | Step::AskEscape { commander, allowance },
                Order::Ride(at) | Order::Escape(at),
            ) => {
                if let Action::Path(legs) = action {
                    self.preview_ride(commander, allowance, legs, at, &mut preview);
                }
            }
            (Step::AskDeploy(_), Order::Deploy(placing)) => {
                let units = placing.units.iter();
                preview.overlays.extend(units.map(|&(u, place, formation)| self.ghost(u, place, formation)));
                if let Some((c, at)) = placing.commander {
                    preview.overlays.push(self.commander_ghost(c, at));
                }
            }
            (Step::AskSquare, Order::RegimentalSquare(anchor, place, _)) => {
                preview.overlays.push(self.ghost(anchor, place, Formation::Square));
            }
            (_, order @ (Order::Evade(_) | Order::FallBack(_) | Order::Occupy)) => {
                self.preview_outcome(ask, order, &mut preview);
            }
            _ => {}
        }
        preview
    }

    /// The bases of a unit as they would stand.
    fn ghost(&self, u: Nr, place: Place, formation: Formation) -> Overlay {
        let body = Body::new(place.pose(), formation, self.unit(u).strength);
        let bases = body.parts().into_iter().map(Shape::Rect).collect();
        Overlay { kind: "ghost".into(), shape: OverlayShape::Bases(bases), label: Some(self.name(u)) }
    }

    fn commander_ghost(&self, c: Cr, at: Point) -> Overlay {
        let body = Body::of_commander(at, self.chief(c).level.base());
        let bases = vec![Shape::Rect(body.rect)];
        let label = Some(self.chief(c).id.to_string());
        Overlay { kind: "ghost".into(), shape: OverlayShape::Bases(bases), label }
    }

    /// The battle as if a unit stood elsewhere.
    pub(crate) fn as_if(&self, u: Nr, place: Place, formation: Formation) -> Self {
        let mut after = self.clone();
        let unit = after.unit_mut(u);
        unit.place = place;
        if unit.formation != formation {
            unit.formation = formation;
            unit.square = None;
        }
        unit.settle();
        after
    }

    fn preview_march(&self, u: Nr, legs: &[Leg], to: Marched, preview: &mut Preview) {
        let Some(acting) = self.s.acting else { return };
        let unit = self.unit(u);
        let half = acting.kind != ActionKind::March;
        let limit = if half { to.allowance / 2 } else { to.allowance };
        preview.cost = Some(exact(to.cost));
        preview.allowance = Some(exact(limit));
        let Ok((walk, _)) = self.stretches(u, legs) else { return };
        let plain = self.draw_walk(u, &walk, to.road, preview);
        // Where it stands after each wheel but the last leg's: there the outer corner's way ends.
        for pair in walk.windows(2) {
            if let Stretch::Wheel { pose, side, degrees } = pair[0] {
                let at = path::wheel(&pose, unit.body.rect.width(), side, degrees);
                let corners = Body::new(at, unit.formation, unit.strength).rect.corners().to_vec();
                let shape = OverlayShape::Outline(corners);
                preview.overlays.push(Overlay { kind: "wheeled".into(), shape, label: None });
            }
        }
        let mut track = self.centre_track(u, &walk);
        track.push(Body::new(to.place.pose(), unit.formation, unit.strength).centroid());
        if to.cost > 0 {
            let label = format!("{} of {}", inches(to.cost), inches(limit));
            preview.overlays.push(line("path", track, Some(label)));
        }
        preview.overlays.push(self.ghost(u, to.place, unit.formation));
        if to.allowance > acting.allowance {
            preview.notes.push(format!("by road: {} more", inches(to.allowance - acting.allowance)));
        }
        if to.cost > plain + 1 {
            preview.notes.push(format!("slow ground costs {} more", inches(to.cost - plain)));
        }
        if to.exits {
            preview.notes.push("leaves the table by its exit".into());
            return;
        }
        self.note_end(u, to.place, unit.formation, preview);
    }

    /// The arcs of the outer front corner that wheels are measured by (VF-MODEL-40), each with its length. Comes back
    /// with the length of the whole way on open ground.
    fn draw_walk(&self, u: Nr, walk: &Walk, road: bool, preview: &mut Preview) -> Mils {
        let width = self.unit(u).body.rect.width();
        let mut plain = 0.0;
        for stretch in walk {
            match *stretch {
                Stretch::Straight { length, .. } => plain += length,
                Stretch::Wheel { pose, side, degrees } => {
                    let arc = path::wheel_cost(width, degrees, self.wheel_price());
                    plain += arc;
                    let paid = self.wheel(u, pose, side, degrees, road, bit(u)).map_or(arc, |(_, cost)| cost);
                    preview.overlays.push(self.outer_path(width, pose, side, degrees, mils(arc), mils(paid)));
                }
            }
        }
        mils(plain)
    }

    /// What the outer front corner runs in a wheel: its arc, or the straight line if that is measured.
    fn outer_path(
        &self,
        width: f64,
        pose: Pose,
        side: path::Side,
        degrees: f64,
        arc: Mils,
        paid: Mils,
    ) -> Overlay {
        let steps = match self.o().wheel_cost {
            WheelCost::Arc => (degrees / FINE).ceil().max(1.0) as u32,
            WheelCost::Chord => 1,
        };
        let corner = |i: u32| {
            let at = path::wheel(&pose, width, side, degrees * f64::from(i) / f64::from(steps));
            path::front_corner(&at, width, side.other())
        };
        let twice = if paid > arc + 1 { " x 2" } else { "" };
        line("outer path", (0..=steps).map(corner).collect(), Some(format!("{}{twice}", inches(arc))))
    }

    /// The way of the middle of a unit.
    fn centre_track(&self, u: Nr, walk: &Walk) -> Vec<Point> {
        let unit = self.unit(u);
        let width = unit.body.rect.width();
        let centre = |pose: Pose| Body::new(pose, unit.formation, unit.strength).centroid();
        let mut track = vec![unit.body.centroid()];
        for stretch in walk {
            match *stretch {
                Stretch::Straight { pose, way, length } => track.push(centre(pose) + way * length),
                Stretch::Wheel { pose, side, degrees } => {
                    let steps = (degrees / FINE).ceil().max(1.0) as u32;
                    track.extend((1..=steps).map(|i| {
                        centre(path::wheel(&pose, width, side, degrees * f64::from(i) / f64::from(steps)))
                    }));
                }
            }
        }
        track
    }

    /// A straight move that keeps the formation.
    fn preview_slide(&self, u: Nr, place: Place, preview: &mut Preview) {
        let unit = self.unit(u);
        let limit = self.s.acting.map_or(0, |a| a.allowance / 2);
        let body = Body::new(place.pose(), unit.formation, unit.strength);
        let (from, to) = (unit.body.centroid(), body.centroid());
        let step = to - from;
        let cost = step
            .unit()
            .map_or(0.0, |way| self.straight_cost(self.mover(u), &unit.body, way, step.length(), None));
        preview.cost = Some(exact(mils(cost)));
        preview.allowance = Some(exact(limit));
        if mils(cost) > 0 {
            let label = format!("{} of {}", inches(mils(cost)), inches(limit));
            preview.overlays.push(line("path", vec![from, to], Some(label)));
        }
        preview.overlays.push(self.ghost(u, place, unit.formation));
        self.note_end(u, place, unit.formation, preview);
    }

    fn preview_ride(&self, c: Cr, allowance: Mils, legs: &[Leg], at: Point, preview: &mut Preview) {
        let Ok((_, cost)) = self.judge_ride(c, allowance, legs) else { return };
        preview.cost = Some(exact(cost));
        preview.allowance = Some(exact(allowance));
        let mut track = vec![self.commander(c).at()];
        for leg in legs {
            let last = track.last().copied().unwrap_or(at);
            match *leg {
                Leg::Go(bearing, d) => {
                    track.push(last + tricorne_table::angle::forward(bearing.get()) * d.get());
                }
                Leg::To(x, y) => track.push(Point::new(x.get(), y.get())),
                _ => {}
            }
        }
        if cost > 0 {
            let label = format!("{} of {}", inches(cost), inches(allowance));
            preview.overlays.push(line("path", track, Some(label)));
        }
        preview.overlays.push(self.commander_ghost(c, at));
        let base = Body::of_commander(at, self.chief(c).level.base());
        let attach = inch(self.p().distance.attach);
        let hosts: Vec<String> = self
            .present_of(self.chief(c).side)
            .filter(|&u| self.chief(c).is_over(self.spec(u)))
            .filter(|&u| self.o().within(base.gap_mils(&self.unit(u).body), attach))
            .map(|u| self.name(u))
            .collect();
        if !hosts.is_empty() {
            preview.notes.push(format!("may attach to {}", hosts.join(", ")));
        }
    }

    fn preview_charge(&self, u: Nr, target: Nr, way: &ChargePath, preview: &mut Preview) {
        let unit = self.unit(u);
        let width = unit.body.rect.width();
        let start = unit.place.pose();
        let mut walk = Walk::new();
        let side = if way.wheel < 0 { path::Side::Left } else { path::Side::Right };
        let degrees = f64::from(way.wheel.abs());
        if way.wheel != 0 {
            walk.push(Stretch::Wheel { pose: start, side, degrees });
            let arc = mils(path::wheel_cost(width, degrees, self.wheel_price()));
            preview.overlays.push(self.outer_path(width, start, side, degrees, arc, way.wheel_cost));
        }
        let touch = self.along(u, way, way.cost);
        let mut track = self.centre_track(u, &walk);
        track.push(Body::new(touch, unit.formation, unit.strength).centroid());
        let far = self.greatest_move(u);
        preview.cost = Some(exact(way.cost));
        preview.allowance = Some(exact(far));
        let label = format!("{} of {} at the most", inches(way.cost), inches(far));
        preview.overlays.push(line("path", track, Some(label)));
        let aspect = self.aspect(target, unit.body.reference());
        let goal = self.unit(target).body;
        let place = self.conform_to(u, target, &goal, touch, aspect).unwrap_or_else(|| Place::of(touch));
        preview.overlays.push(self.ghost(u, place, unit.formation));
        let side = match aspect {
            crate::formation::Zone::Front => "in front",
            crate::formation::Zone::Rear => "in the rear",
            _ => "in the flank",
        };
        preview.notes.push(format!("meets {} {side}; needs {}", self.name(target), inches(way.cost)));
        if self.in_hard_cover(target, &unit.body) {
            preview.notes.push(format!("{} is in hard cover", self.name(target)));
        }
    }

    /// Whom an answer without dice moves, and the battle after it.
    pub(crate) fn outcome_of(&self, ask: Step, order: Order) -> Option<(Nr, Self)> {
        let mut after = self.clone();
        let mut log = Log::off();
        let u = match (ask, order) {
            (Step::AskEvade { allowance }, Order::Evade(how_far)) => {
                after.evade(how_far, allowance, &mut log);
                self.s.charge?.target
            }
            (Step::AskFallBack { .. }, Order::FallBack(d)) => {
                after.fall_back(d, &mut log);
                self.s.melee?.attacker
            }
            (Step::AskAfter { winner, .. }, Order::Occupy) => {
                after.occupy(winner, &mut log);
                winner
            }
            _ => return None,
        };
        Some((u, after))
    }

    /// Where an answer without dice leaves the unit it is about.
    fn preview_outcome(&self, ask: Step, order: Order, preview: &mut Preview) {
        match (ask, &order) {
            (Step::AskEvade { allowance }, _) => preview.allowance = Some(exact(allowance)),
            (Step::AskFallBack { allowance }, Order::FallBack(d)) => {
                preview.cost = Some(d.get());
                preview.allowance = Some(exact(allowance));
            }
            _ => {}
        }
        let Some((u, after)) = self.outcome_of(ask, order) else { return };
        let (from, to) = (self.unit(u).body.centroid(), after.unit(u).body.centroid());
        let gone = mils(from.distance(to));
        if gone > 0 {
            preview.overlays.push(line("path", vec![from, to], Some(inches(gone))));
        }
        if after.unit(u).here() {
            preview.overlays.push(self.ghost(u, after.unit(u).place, after.unit(u).formation));
        } else {
            preview.notes.push(format!("{} would be lost", self.name(u)));
        }
        for o in self.present().filter(|&o| after.unit(o).disordered && !self.unit(o).disordered) {
            preview.notes.push(format!("{} would be disordered", self.name(o)));
        }
    }

    /// What a unit would meet where it ends: the enemy, its targets, its commanders.
    fn note_end(&self, u: Nr, place: Place, formation: Formation, preview: &mut Preview) {
        let after = self.as_if(u, place, formation);
        let side = self.side(u);
        let body = &after.unit(u).body;
        if let Some((enemy, gap)) = after.nearest_enemy(side, body) {
            let near = inch(self.p().distance.near_enemy);
            if self.o().within(gap, near) && formation != Formation::Cloud {
                preview.notes.push(format!(
                    "ends {} from {}: only straight ahead or back from there",
                    inches(gap),
                    self.name(enemy)
                ));
            }
        }
        let fires = self.s.acting.is_some_and(|a| {
            matches!(
                a.kind,
                ActionKind::MarchAndFire | ActionKind::MarchUnlimberAndFire | ActionKind::UnlimberAndFire
            )
        });
        if fires {
            let mut shooter = after.clone();
            if formation == Formation::Limbered {
                shooter.unit_mut(u).formation = Formation::Unlimbered;
            }
            let targets: Vec<String> = shooter
                .present_of(side.enemy())
                .filter_map(|e| {
                    let aim = shooter.judge_target(u, 0, e).ok()?;
                    let volley = shooter.volley(u, e, aim.range);
                    Some(format!("{} ({} dice at {}+)", self.name(e), volley.dice, volley.needed))
                })
                .collect();
            preview.notes.push(if targets.is_empty() {
                "no target from there".into()
            } else {
                format!("could fire at {}", targets.join(", "))
            });
        }
        let group = self.s.group.as_ref().map_or(bit(u), |g| g.all);
        if self.in_command(group) && !after.in_command(after.group_of(u)) {
            preview.notes.push("ends out of command".into());
        }
        if bits(group).any(|o| o != u) && after.group_of(u) & group != group {
            preview.notes.push("parts from its regiment".into());
        }
    }

    fn note_volley(&self, u: Nr, face: u8, target: Nr, preview: &mut Preview) {
        let Ok(aim) = self.judge_target(u, face, target) else { return };
        let volley = self.volley(u, target, aim.range);
        let mut note = format!("{} dice at {}+, range {}", volley.dice, volley.needed, inches(aim.range));
        if volley.vulnerable {
            note.push_str("; misses are rolled again");
        }
        if volley.halvings > 0 {
            note.push_str("; kills are halved");
        }
        preview.notes.push(note);
    }
}
