//! D-MANOEUVRE: a slide, or a change of facing or formation (VF-MOVE-13 to -19, VF-MODEL-42).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview};
use tricorne_table::{Pose, angle};

use crate::action::{Action, ActionKind, Base, OtherBase};
use crate::field::Field;
use crate::model::formation::{bases, pivoted, turned};
use crate::model::measure::{Decimal, Place, exact, turn};
use crate::model::{Formation, Kind, Nr};
use crate::page::preview::inches;
use crate::questions::asks;
use crate::rulebook::{Share, inch};
use crate::state::Slide;

/// How does it manoeuvre?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Manoeuvre {
    /// Which unit.
    pub unit: Nr,
}

/// Where a change of shape puts a unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reshaped {
    /// Where it stands.
    pub place: Place,
    /// How.
    pub formation: Formation,
}

/// A manoeuvre.
#[derive(Clone, Copy, Debug)]
pub enum Manoeuvred {
    /// To one side or back; the dice come next.
    Slides(Slide),
    /// A change of facing or formation.
    Shape(Reshaped),
}

impl Question<Field> for Manoeuvre {
    type Judged = Manoeuvred;

    asks!("manoeuvre", "activation", "How does it manoeuvre?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list_all([Slide::Left, Slide::Right, Slide::Back].map(Action::Slide));
        let shape = "pivot, facing, formation, other; or limber, unlimber with a facing";
        out.space("shape", self.unit(field), None, shape);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Manoeuvred, Illegal> {
        let u = self.unit;
        match answer {
            Action::Slide(way) => field.judge_slide(u, *way).map(|()| Manoeuvred::Slides(*way)),
            Action::Shape { pivot, facing, formation, other } => {
                field.judge_shape(u, *pivot, *facing, *formation, *other).map(Manoeuvred::Shape)
            }
            Action::Limber(facing) => field.judge_limber(u, true, *facing).map(Manoeuvred::Shape),
            Action::Unlimber(facing) => field.judge_limber(u, false, *facing).map(Manoeuvred::Shape),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, judged: Manoeuvred, now: &mut Now<'_>) {
        match judged {
            Manoeuvred::Slides(way) => field.start_slide(self.unit, way, now.chance, now.log),
            Manoeuvred::Shape(to) => {
                field.reshape(self.unit, to, now.log);
                field.manoeuvred(self.unit);
            }
        }
    }

    fn usual(&self, field: &Field) -> Action {
        let unit = field.unit(self.unit);
        let facing = Decimal(unit.place.t);
        let shape = |formation, other| Action::Shape { pivot: Base::A, facing, formation, other };
        match unit.formation {
            Formation::Line => shape(Formation::Line, OtherBase::Left),
            Formation::Column | Formation::Square => shape(Formation::Column, OtherBase::Behind),
            Formation::Limbered => Action::Unlimber(facing),
            Formation::Unlimbered => Action::Limber(facing),
            _ => Action::Slide(Slide::Left),
        }
    }

    fn only(&self, field: &Field) -> Option<Action> {
        // So near there is nothing but straight back.
        let near = field.near_enemy(field.side(self.unit), &field.unit(self.unit).body);
        near.then_some(Action::Slide(Slide::Back))
    }

    fn end(&self, _: &Field, judged: &Manoeuvred) -> Option<Pose> {
        match judged {
            Manoeuvred::Slides(_) => None,
            Manoeuvred::Shape(to) => Some(to.place.pose()),
        }
    }

    fn preview(&self, field: &Field, judged: &Manoeuvred) -> Preview {
        match judged {
            Manoeuvred::Slides(_) => {
                let short = field.p().moves.short;
                let most = inches(short.most(field.greatest_move(self.unit)));
                let mut preview = Preview::default();
                preview.notes.push(format!("up to {} of what is rolled, {most} at the most", short.told()));
                preview
            }
            Manoeuvred::Shape(to) => field.preview_shape(self.unit, *to),
        }
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let u = self.unit;
        if field.kind(u) == Kind::Artillery && whim.chance(0.8) {
            let facing = field.any_facing(u, whim);
            return if field.unit(u).formation == Formation::Limbered {
                Action::Unlimber(facing)
            } else {
                Action::Limber(facing)
            };
        }
        if whim.chance(0.4) {
            return Action::Slide([Slide::Left, Slide::Right, Slide::Back][whim.below(3)]);
        }
        let formations = field.kind(u).formations();
        let formation = formations[whim.below(formations.len())];
        let front = whim.chance(0.5);
        let other = match (formation, front) {
            (Formation::Line, true) => OtherBase::Right,
            (Formation::Line, false) => OtherBase::Left,
            (Formation::Column, true) => OtherBase::Front,
            _ => OtherBase::Behind,
        };
        let pivot = if whim.chance(0.5) { Base::A } else { Base::B };
        Action::Shape { pivot, facing: field.any_facing(u, whim), formation, other }
    }

    crate::questions::guessed!();
}

impl Field {
    /// A facing at random: as it is, towards the enemy's edge, or any.
    pub(crate) fn any_facing(&self, u: Nr, whim: &mut Whim) -> Decimal {
        match whim.below(3) {
            0 => Decimal(self.unit(u).place.t),
            1 => Decimal::of(angle::normalise(Self::home_bearing(self.side(u)) + 180.0)),
            _ => Decimal::of((whim.unit() * 24.0).floor() * 15.0),
        }
    }
}

impl Field {
    pub(crate) fn judge_clear_to_turn(&self, u: Nr) -> Result<(), Illegal> {
        if self.near_enemy(self.side(u), &self.unit(u).body) {
            return refuse("VF-MOVE-01", format!("{}; it may only go straight", self.too_near(u)));
        }
        Ok(())
    }

    /// Judges a change of facing or formation (VF-MODEL-42, VF-MOVE-13, -18, -19).
    pub(crate) fn judge_shape(
        &self,
        u: Nr,
        pivot: Base,
        facing: Decimal,
        formation: Formation,
        other: OtherBase,
    ) -> Result<Reshaped, Illegal> {
        self.judge_clear_to_turn(u)?;
        let unit = self.unit(u);
        if self.kind(u) == Kind::Wagon && formation == Formation::Wagon && pivot == Base::A {
            // It has one base, and turns on its centre.
            return self.judge_reshaped(u, turned(&unit.body, exact(turn(facing.0))), formation);
        }
        if !matches!(self.kind(u), Kind::Infantry | Kind::Heavy | Kind::Light) {
            return refuse(
                "VF-MOVE-18",
                format!("{} has no such formation; guns limber and unlimber", self.name(u)),
            );
        }
        if !self.kind(u).formations().contains(&formation) {
            return refuse(
                "VF-MOVE-18",
                format!("{} may not form {}", self.kind(u).name(), formation.name()),
            );
        }
        let before = match (formation, other) {
            (Formation::Line, OtherBase::Right) | (Formation::Column, OtherBase::Front) => true,
            (Formation::Line, OtherBase::Left)
            | (Formation::Column | Formation::Square, OtherBase::Behind) => false,
            _ => {
                let why = "the other base goes left or right in a line, front or behind in a column, behind in a square";
                return refuse("VF-MODEL-42", why);
            }
        };
        let all = bases(&unit.body, unit.formation, unit.square);
        if unit.one_base {
            // It turns on the centre of its one base.
            if formation == Formation::Square {
                return refuse(
                    "VF-MODEL-51",
                    format!("{} stands on one base and forms no square", self.name(u)),
                );
            }
            let pose = turned(&unit.body, exact(turn(facing.0)));
            return self.judge_reshaped(u, pose, formation);
        }
        let Some(&(centre, _)) = all.get(usize::from(pivot == Base::B)) else {
            return refuse("VF-MODEL-42", "there is no such base");
        };
        let pose = pivoted(centre, exact(turn(facing.0)), formation, before, unit.bases.troops);
        self.judge_reshaped(u, pose, formation)
    }

    fn judge_reshaped(&self, u: Nr, pose: Pose, formation: Formation) -> Result<Reshaped, Illegal> {
        let unit = self.unit(u);
        let place = Place::of(pose);
        let now = unit.place;
        let same = place.t == now.t && (place.x - now.x).abs() <= 2 && (place.y - now.y).abs() <= 2;
        if same && unit.body_as(place.pose(), formation).rect.width() == unit.body.rect.width() {
            // The same ground, but for rounding.
            return Ok(Reshaped { place: now, formation });
        }
        let body = unit.body_as(place.pose(), formation);
        if !self.room_for(&body, Some(u), self.mover(u)) {
            return refuse("VF-MODEL-44", "there is no room to stand so");
        }
        let clear = inch(self.p().distance.clear);
        if let Some(e) =
            self.present_of(self.side(u).enemy()).find(|&e| body.gap_mils(&self.unit(e).body) < clear)
        {
            let why = format!("that comes nearer than {} to {}", self.p().distance.clear, self.name(e));
            return refuse("VF-MODEL-45", why);
        }
        Ok(Reshaped { place, formation })
    }

    /// Judges limbering and unlimbering (VF-MOVE-15).
    pub(crate) fn judge_limber(&self, u: Nr, limber: bool, facing: Decimal) -> Result<Reshaped, Illegal> {
        let formation = if limber { Formation::Limbered } else { Formation::Unlimbered };
        if self.kind(u) != Kind::Artillery {
            return refuse("VF-MOVE-15", format!("{} is no gun", self.name(u)));
        }
        self.judge_clear_to_turn(u)?;
        let pose = turned(&self.unit(u).body, exact(turn(facing.0)));
        if Place::of(pose).t == self.unit(u).place.t {
            return Ok(Reshaped { place: self.unit(u).place, formation });
        }
        self.judge_reshaped(u, pose, formation)
    }

    /// A unit takes a new shape.
    pub(crate) fn reshape(&mut self, u: Nr, to: Reshaped, log: &mut Log) {
        self.leave_square(u);
        let unit = self.unit_mut(u);
        let (before, stood) = (unit.formation, unit.place);
        unit.formation = to.formation;
        unit.square = None;
        self.put(u, to.place);
        let id = self.spec(u).id;
        log.say(|| {
            let how = if before != to.formation {
                to.formation.name()
            } else if stood == to.place {
                "stays"
            } else {
                "faces"
            };
            Event::new("changes_formation", "VF-MODEL-42")
                .who(id)
                .outcome(how)
                .with("formation", to.formation.name())
                .with("facing", exact(to.place.t))
        });
    }

    /// After a manoeuvre: held fire if that was named (VF-MOVE-26).
    pub(crate) fn manoeuvred(&mut self, u: Nr) {
        if self.s.acting.is_some_and(|a| a.kind == ActionKind::ManoeuvreAndHold) {
            self.hold(u);
        }
    }
}
