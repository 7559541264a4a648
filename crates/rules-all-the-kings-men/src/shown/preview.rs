//! What an action would come to before it is taken: the way, the ghost, the measure, and what it would touch.

use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_game::{Preview, Remark, Seat};
use tricorne_table::{Point, Shape};

use crate::combat::fire::Shot;
use crate::combat::melee::Charge;
use crate::field::Engagement;
use crate::movement::Marched;
use crate::movement::terrain::{CONTACT, Cover, overlap};
use crate::state::{Unit, UnitNo, base_at};

fn line(kind: &str, points: Vec<Point>, label: Option<String>) -> Overlay {
    Overlay { kind: kind.into(), shape: OverlayShape::Path(points), label }
}

fn bases(shapes: Vec<Shape>) -> Overlay {
    Overlay { kind: "ghost".into(), shape: OverlayShape::Bases(shapes), label: None }
}

impl Engagement {
    pub(crate) fn ghost(&self, unit: &Unit) -> Overlay {
        bases(unit.solids(self.rules()).iter().map(|r| Shape::Rect(*r)).collect())
    }

    pub(crate) fn preview_move(&self, preview: &mut Preview, legs: &[Point], no: UnitNo, marched: &Marched) {
        preview.cost = Some(marched.length);
        preview.allowance = Some(marched.allowance);
        preview.overlays.push(self.ghost(&marched.unit));
        let points = std::iter::once(self.unit(no).at).chain(legs.iter().copied()).collect();
        let label = format!("{:.1} of {:.1}", marched.length, marched.allowance);
        preview.overlays.push(line("path", points, Some(label)));
        if let Some((why, clause)) = marched.halved {
            preview.notes.push(Remark::by(clause, format!("halved: {why}")));
        }
        if marched.road {
            preview.notes.push(Remark::by("ATKM-TERR-09", "by road"));
        }
        self.note_ground(preview, &marched.unit);
        self.note_displaced(preview, no, &marched.unit);
        self.note_fire(preview, no, &marched.unit);
    }

    pub(crate) fn preview_charge(
        &self,
        preview: &mut Preview,
        legs: &[Point],
        no: UnitNo,
        target: UnitNo,
        charge: &Charge,
    ) {
        preview.cost = Some(charge.length);
        preview.allowance = Some(charge.allowance);
        preview.overlays.push(self.ghost(&charge.unit));
        // The last leg ends at contact, not where it was led to (M21).
        let mut points = vec![self.unit(no).at];
        points.extend(legs.iter().take(legs.len().saturating_sub(1)));
        points.push(charge.unit.at);
        let label = format!("{:.1} of {:.1}", charge.length, charge.allowance);
        preview.overlays.push(line("path", points, Some(label)));
        charge.pools.notes(self.unit(target).id, &mut preview.notes);
        let solids = charge.unit.solids(self.rules());
        for (other, u) in self.of_army(charge.unit.army.enemy()).filter(|(o, _)| *o != target) {
            if crate::state::gap(&solids, &u.solids(self.rules())) <= CONTACT {
                preview.notes.push(Remark::by(
                    "ATKM-MELEE-12",
                    format!("touches {} without effect", self.unit(other).id),
                ));
            }
        }
        self.note_displaced(preview, no, &charge.unit);
    }

    pub(crate) fn preview_fire(&self, preview: &mut Preview, no: UnitNo, target: UnitNo, shot: &Shot) {
        let (us, them) = (self.unit(no), self.unit(target));
        preview.cost = Some(shot.distance);
        preview.allowance = self.range(us.kind);
        let label = format!("{:.1}", shot.distance);
        preview.overlays.push(line("line of fire", vec![us.at, them.centre(self.rules())], Some(label)));
        shot.pools.notes(them.id, &mut preview.notes);
    }

    pub(crate) fn preview_general(&self, preview: &mut Preview, seat: Seat, at: Point) {
        preview.overlays.push(bases(vec![Shape::Rect(base_at(self.rules(), at))]));
        let radius = self.rules().general.radius;
        preview.overlays.push(Overlay {
            kind: "command radius".into(),
            shape: OverlayShape::Circle { centre: at, radius },
            label: Some(radius.to_string()),
        });
        let army = self.army_of(seat);
        let reached = self
            .of_army(army)
            .filter(|(_, u)| tricorne_table::within(u.command_distance(self.rules(), at), radius))
            .count();
        let units = if reached == 1 { "unit" } else { "units" };
        preview.notes.push(Remark::by("ATKM-CMD-08", format!("{reached} {units} within {radius}")));
        let risk = self.rules().general.risk_radius;
        let near = |u: &Unit| tricorne_table::within(u.distance(self.rules(), at), risk);
        for (_, u) in self.of_army(army).filter(|(_, u)| near(u)) {
            preview.notes.push(Remark::by("ATKM-GEN-09", format!("shares the danger of {}", u.id)));
        }
    }

    /// Cover, command and slow ground where a unit would stand.
    pub(crate) fn note_ground(&self, preview: &mut Preview, end: &Unit) {
        let rules = self.rules();
        let centre = end.centre(rules);
        let cover = self.cover_of(end, false, &[centre]);
        if cover != Cover::None {
            let word = if cover == Cover::Hard { "hard" } else { "soft" };
            preview.notes.push(Remark::by("ATKM-TERR-17", format!("ends in {word} cover")));
        }
        if !end.is_mob() && end.footprint(rules).iter().any(|r| self.land().slows(&Shape::Rect(*r))) {
            preview.notes.push(Remark::by("ATKM-TERR-04", "ends in contact with slow ground"));
        }
        if !self.in_command(end) {
            preview.notes.push(Remark::by("ATKM-CMD-10", "ends outside its general's radius"));
        }
    }

    /// Friends and generals who would have to make way.
    fn note_displaced(&self, preview: &mut Preview, no: UnitNo, end: &Unit) {
        let rules = self.rules();
        let solids = end.solids(rules);
        for (other, u) in self.of_army(end.army).filter(|(o, u)| *o != no && u.is_skirmish_line()) {
            let theirs = u.solids(rules);
            if solids.iter().any(|a| theirs.iter().any(|b| overlap(&Shape::Rect(*a), &Shape::Rect(*b)))) {
                preview.notes.push(Remark::by("ATKM-MOVE-17", format!("{} makes way", self.unit(other).id)));
            }
        }
        for (i, g) in self.state.generals.iter().enumerate().filter(|(_, g)| g.present()) {
            let base = Shape::Rect(g.base(rules));
            if solids.iter().any(|r| overlap(&base, &Shape::Rect(*r))) {
                let name = self.general_called(Seat(i as u8));
                let what = if g.army == end.army { "makes way" } else { "is overrun" };
                preview.notes.push(Remark::by("ATKM-GEN-10", format!("{name} {what}")));
            }
        }
    }

    /// Whom a unit could fire at from where it would stand, and who could fire at it.
    pub(crate) fn note_fire(&self, preview: &mut Preview, no: UnitNo, end: &Unit) {
        let names = |all: Vec<UnitNo>| {
            all.into_iter().map(|o| self.unit(o).id.to_string()).collect::<Vec<_>>().join(", ")
        };
        let enemies = || self.of_army(end.army.enemy());
        let targets: Vec<UnitNo> =
            enemies().filter(|(o, u)| self.judge_fire_as(no, end, *o, u).is_ok()).map(|(o, _)| o).collect();
        for &t in &targets {
            let way = vec![end.at, self.unit(t).centre(self.rules())];
            preview.overlays.push(line("could fire at", way, None));
        }
        if !targets.is_empty() {
            preview.notes.push(Remark::by("ATKM-FIRE-20", format!("could fire at {}", names(targets))));
        }
        let under: Vec<UnitNo> =
            enemies().filter(|(o, u)| self.judge_fire_as(*o, u, no, end).is_ok()).map(|(o, _)| o).collect();
        if !under.is_empty() {
            preview
                .notes
                .push(Remark::by("ATKM-FIRE-20", format!("under the guns and muskets of {}", names(under))));
        }
    }
}
