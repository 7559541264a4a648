//! What an answer would come to before any die is rolled: the way and what is measured on it, the ghost of where it
//! ends, cost and allowance, and what it would meet.

use tricorne_game::Preview;
use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_table::{Point, Pose, Shape, path};

use crate::action::ActionKind;
use crate::command::ride::Ridden;
use crate::field::{Field, bit, bits};
use crate::model::formation::Body;
use crate::model::measure::{Mils, Place, exact, mils};
use crate::model::{Cr, Formation, Nr};
use crate::morale::retreat::Flown;
use crate::movement::march::{Marched, Stretch, Walk};
use crate::movement::shape::Reshaped;
use crate::options::WheelCost;
use crate::rulebook::{Share, inch};
use crate::state::ChargePath;

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
    /// A change of facing or formation.
    pub(crate) fn preview_shape(&self, u: Nr, to: Reshaped) -> Preview {
        let mut preview = Preview::default();
        preview.overlays.push(self.ghost(u, to.place, to.formation));
        self.note_end(u, to.place, to.formation, &mut preview);
        preview
    }

    /// A turn on the spot.
    pub(crate) fn preview_turn(&self, u: Nr, place: Place) -> Preview {
        let mut preview = Preview::default();
        preview.overlays.push(self.ghost(u, place, self.unit(u).formation));
        preview
    }

    /// The bases of a unit as they would stand.
    pub(crate) fn ghost(&self, u: Nr, place: Place, formation: Formation) -> Overlay {
        let body = self.unit(u).body_as(place.pose(), formation);
        let bases = body.parts().into_iter().map(Shape::Rect).collect();
        Overlay { kind: "ghost".into(), shape: OverlayShape::Bases(bases), label: Some(self.name(u)) }
    }

    pub(crate) fn commander_ghost(&self, c: Cr, at: Point) -> Overlay {
        let body = Body::of_commander(at, self.chief(c).level.base(self.p()));
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

    /// A march: the way and what is measured on it.
    pub(crate) fn preview_march(&self, u: Nr, to: &Marched) -> Preview {
        let mut preview = Preview::default();
        let Some(acting) = self.s.acting else { return preview };
        let unit = self.unit(u);
        let half = acting.kind != ActionKind::March;
        let limit = if half { self.p().moves.short.most(to.allowance) } else { to.allowance };
        preview.cost = Some(exact(to.cost));
        preview.allowance = Some(exact(limit));
        let walk = &to.walk;
        let plain = self.draw_walk(u, walk, to.road, &mut preview);
        // Where it stands after each wheel but the last leg's: there the outer corner's way ends.
        for pair in walk.windows(2) {
            if let Stretch::Wheel { pose, side, degrees } = pair[0] {
                let at = path::wheel(&pose, unit.body.rect.width(), side, degrees);
                let corners = unit.body_at(at).rect.corners().to_vec();
                let shape = OverlayShape::Outline(corners);
                preview.overlays.push(Overlay { kind: "wheeled".into(), shape, label: None });
            }
        }
        let mut track = self.centre_track(u, walk);
        track.push(unit.body_at(to.place.pose()).centroid());
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
            preview.notes.push("leaves the table by its exit");
        } else {
            self.note_end(u, to.place, unit.formation, &mut preview);
        }
        preview
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
                    let paid = self.wheel(u, pose, (side, degrees), road, None).map_or(arc, |(_, cost)| cost);
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
        let slow = if paid > arc + 1 { format!(" x {}", self.p().moves.slow) } else { String::new() };
        line("outer path", (0..=steps).map(corner).collect(), Some(format!("{}{slow}", inches(arc))))
    }

    /// The way of the middle of a unit.
    fn centre_track(&self, u: Nr, walk: &Walk) -> Vec<Point> {
        let unit = self.unit(u);
        let width = unit.body.rect.width();
        let centre = |pose: Pose| unit.body_at(pose).centroid();
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
    pub(crate) fn preview_slide(&self, u: Nr, place: Place) -> Preview {
        let mut preview = Preview::default();
        let unit = self.unit(u);
        let limit = self.s.acting.map_or(0, |a| self.p().moves.short.most(a.allowance));
        let body = unit.body_at(place.pose());
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
        self.note_end(u, place, unit.formation, &mut preview);
        preview
    }

    /// A commander's ride.
    pub(crate) fn preview_ride(&self, c: Cr, allowance: Mils, to: &Ridden) -> Preview {
        let (at, cost) = (to.at, to.cost);
        let mut preview = Preview { cost: Some(exact(cost)), ..Preview::default() };
        preview.allowance = Some(exact(allowance));
        let track = to.track.to_vec();
        if cost > 0 {
            let label = format!("{} of {}", inches(cost), inches(allowance));
            preview.overlays.push(line("path", track, Some(label)));
        }
        preview.overlays.push(self.commander_ghost(c, at));
        let base = Body::of_commander(at, self.chief(c).level.base(self.p()));
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
        preview
    }

    /// A charge: the way to the touch, and where the charger is set.
    pub(crate) fn preview_charge(&self, u: Nr, target: Nr, way: &ChargePath) -> Preview {
        let mut preview = Preview::default();
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
        track.push(unit.body_at(touch).centroid());
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
            crate::model::formation::Zone::Front => "in front",
            crate::model::formation::Zone::Rear => "in the rear",
            _ => "in the flank",
        };
        preview.notes.push(format!("meets {} {side}; needs {}", self.name(target), inches(way.cost)));
        if self.in_hard_cover(target, &unit.body) {
            preview.notes.push(format!("{} is in hard cover", self.name(target)));
        }
        preview
    }

    /// Where a unit goes without dice.
    fn preview_way(&self, u: Nr, end: Place) -> Preview {
        let mut preview = Preview::default();
        let (from, to) = (self.unit(u).body.centroid(), self.unit(u).body_at(end.pose()).centroid());
        let gone = mils(from.distance(to));
        if gone > 0 {
            preview.overlays.push(line("path", vec![from, to], Some(inches(gone))));
        }
        preview.overlays.push(self.ghost(u, end, self.unit(u).formation));
        preview
    }

    /// Where a winner that takes the ground comes to stand.
    pub(crate) fn preview_occupation(&self, u: Nr, end: Place) -> Preview {
        self.preview_way(u, end)
    }

    /// Where an evader or an attacker that breaks off goes, and whom it throws into disorder.
    pub(crate) fn preview_flight(&self, u: Nr, flown: &Flown) -> Preview {
        let mut preview = if flown.fate.is_none() {
            self.preview_way(u, flown.end)
        } else {
            Preview {
                notes: [format!("{} would be lost", self.name(u))].into_iter().collect(),
                ..Preview::default()
            }
        };
        let through =
            self.passed_through(u, &flown.body, tricorne_table::angle::forward(flown.bearing), flown.run);
        for o in bits(through).filter(|&o| !self.unit(o).disordered) {
            preview.notes.push(format!("{} would be disordered", self.name(o)));
        }
        preview
    }

    /// What a unit would meet where it ends: the enemy, its targets, its commanders.
    fn note_end(&self, u: Nr, place: Place, formation: Formation, preview: &mut Preview) {
        let mut after = self.as_if(u, place, formation);
        let side = self.side(u);
        if let Some((enemy, gap)) = self.nearest_enemy(side, &after.unit(u).body) {
            let near = inch(self.p().distance.near_enemy);
            if self.o().within(gap, near) && formation != Formation::Cloud {
                preview.notes.push(format!(
                    "ends {} from {}: only straight ahead or back from there",
                    inches(gap),
                    self.name(enemy)
                ));
            }
        }
        let group = self.s.group.as_ref().map_or(bit(u), |g| g.all);
        let then = after.group_of(u);
        let unheard = self.in_command(group) && !after.in_command(then);
        let fires = self.s.acting.is_some_and(|a| {
            matches!(
                a.kind,
                ActionKind::MarchAndFire | ActionKind::MarchUnlimberAndFire | ActionKind::UnlimberAndFire
            )
        });
        if fires {
            if formation == Formation::Limbered {
                after.unit_mut(u).formation = Formation::Unlimbered;
            }
            let targets: Vec<String> = after
                .present_of(side.enemy())
                .filter_map(|e| {
                    let aim = after.aim_at(u, 0, e)?;
                    let volley = after.volley(u, e, aim.range);
                    Some(format!("{} ({} dice at {}+)", self.name(e), volley.dice, volley.needed))
                })
                .collect();
            preview.notes.push(if targets.is_empty() {
                "no target from there".into()
            } else {
                format!("could fire at {}", targets.join(", "))
            });
        }
        if unheard {
            preview.notes.push("ends out of command");
        }
        if then & group != group {
            preview.notes.push("parts from its regiment");
        }
    }

    /// A volley: its dice and what they need.
    pub(crate) fn preview_volley(&self, u: Nr, face: u8, target: Nr) -> Preview {
        let mut preview = Preview::default();
        let Some(aim) = self.aim_at(u, face, target) else { return preview };
        let volley = self.volley(u, target, aim.range);
        let mut note = format!("{} dice at {}+, range {}", volley.dice, volley.needed, inches(aim.range));
        if volley.vulnerable {
            note.push_str("; misses are rolled again");
        }
        if volley.halvings > 0 {
            note.push_str("; kills are halved");
        }
        preview.notes.push(note);
        preview
    }
}
