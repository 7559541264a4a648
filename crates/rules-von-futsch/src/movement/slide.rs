//! How far a slide goes (VF-MOVE-13).

use crate::action::ActionKind;
use crate::model::Formation;
use crate::state::Initiative;
use serde::Serialize;
use tricorne_chance::Chance;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::Log;
use tricorne_game::{Event, Illegal, Preview};
use tricorne_table::{Point, Pose};

use super::march::Stretch;
use super::{Minding, first_within};
use crate::action::Action;
use crate::field::Field;
use crate::model::Nr;
use crate::model::measure::{Decimal, Mils, Place, exact, mils};
use crate::options::ProximityCheck;
use crate::questions::asks;
use crate::rulebook::{Share, inch};
use crate::state::Slide;

/// How far?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Distance {
    /// Which unit.
    pub unit: Nr,
    /// Which way.
    pub way: Slide,
}

/// Where a slide ends.
#[derive(Clone, Copy, Debug)]
pub struct Slid {
    place: Place,
    /// Out by a scenario's exit (VF-MOVE-28).
    exits: bool,
}

impl Question<Field> for Distance {
    type Judged = Slid;

    asks!("distance", "activation", "How far?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.space("distance", self.unit(field), field.half_a_move(), "inches");
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Slid, Illegal> {
        match answer {
            Action::Distance(d) => field.judge_distance(self.unit, self.way, *d),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, Slid { place, exits }: Slid, now: &mut Now<'_>) {
        if exits {
            return field.leave_by_exit(self.unit, now.log);
        }
        let from = field.unit(self.unit).place;
        let moved = from != place;
        field.put(self.unit, place);
        let id = field.spec(self.unit).id;
        now.say(|| {
            let event = Event::new("slides", "VF-MOVE-13").who(id);
            let event = if moved { event } else { event.outcome("stays") };
            event.with("distance", from.gap(place)).with("x", exact(place.x)).with("y", exact(place.y))
        });
        field.manoeuvred(self.unit);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Distance(Decimal(0))
    }

    fn end(&self, _: &Field, to: &Slid) -> Option<Pose> {
        Some(to.place.pose())
    }

    fn preview(&self, field: &Field, to: &Slid) -> Preview {
        field.preview_slide(self.unit, to.place)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        Action::Distance(field.any_half(whim))
    }

    crate::questions::guessed!();
}

impl Field {
    /// That a way costs more than a half move, for a refusal.
    pub(crate) fn more_than_half(&self, cost: Mils, allowance: Mils) -> String {
        let half = self.p().moves.short.told();
        format!("that costs {:.3}; {half} of {:.3} is the limit", exact(cost), exact(allowance))
    }

    /// Half of what the acting unit has rolled.
    pub(crate) fn half_a_move(&self) -> Option<f64> {
        let [some, of] = self.p().moves.short.map(f64::from);
        self.s.acting.map(|a| exact(a.allowance) * some / of)
    }

    /// A distance at random up to half of what was rolled.
    pub(crate) fn any_half(&self, whim: &mut Whim) -> Decimal {
        let half = self.s.acting.map_or(0, |a| self.p().moves.short.most(a.allowance));
        Decimal((whim.unit() * f64::from(half)) as i32)
    }
}

impl Field {
    /// Whether a unit may move at all (VF-MOVE-23, VF-EVENT-24).
    pub(crate) fn judge_movable(&self, u: Nr) -> Result<(), Illegal> {
        if self.unit(u).formation == Formation::Square {
            return refuse("VF-MOVE-23", format!("{} is in square and does not move", self.name(u)));
        }
        if self.cannot_move(u) {
            return refuse("VF-EVENT-24", format!("{} is stuck in the clay", self.name(u)));
        }
        Ok(())
    }

    /// Whether a slide may be named at all (VF-MOVE-01, -13, VF-CMD-12).
    pub(crate) fn judge_slide(&self, u: Nr, way: Slide) -> Result<(), Illegal> {
        self.judge_movable(u)?;
        if way == Slide::Back {
            if self.initiative() == Initiative::AdvanceOnly {
                return refuse(
                    "VF-CMD-12",
                    format!("{} may advance only and so not move back", self.name(u)),
                );
            }
        } else if self.near_enemy(self.side(u), &self.unit(u).body) {
            return refuse("VF-MOVE-01", format!("{}; only straight back", self.too_near(u)));
        }
        Ok(())
    }

    /// Rolls for a slide.
    pub(crate) fn start_slide(&mut self, u: Nr, way: Slide, chance: &mut dyn Chance, log: &mut Log) {
        let kind = self.s.acting.map_or(ActionKind::Manoeuvre, |a| a.kind);
        self.roll_for(u, kind, chance, log);
        self.ask(Distance { unit: u, way });
    }

    /// Whether a move to the side goes on after it has come near an enemy; ending just so near is allowed (VF-MOVE-02).
    fn slides_on_near(&self, u: Nr, along: Point, length: f64) -> bool {
        let near = self.o().most_within(inch(self.p().distance.near_enemy));
        self.o().proximity_check == ProximityCheck::Continuous
            && self.present_of(self.side(u).enemy()).any(|e| {
                first_within(&self.unit(u).body, along, length, &self.unit(e).body, exact(near))
                    .is_some_and(|at| mils(at) < mils(length))
            })
    }

    /// Judges how far a slide goes: half the allowance at most (VF-MOVE-13).
    pub(crate) fn judge_distance(&self, u: Nr, way: Slide, distance: Decimal) -> Result<Slid, Illegal> {
        let Some(acting) = self.s.acting else { return refuse("VF-MOVE-13", "no manoeuvre is under way") };
        let unit = self.unit(u);
        if distance.0 < 0 {
            return refuse("VF-MOVE-13", "a distance can't be less than 0");
        }
        let frame = unit.body.rect.frame();
        let along = match way {
            Slide::Left => -frame.right(),
            Slide::Right => frame.right(),
            Slide::Back => -frame.forward,
        };
        let length = distance.get();
        let (side, mover) = (self.side(u), self.mover(u));
        let pose = unit.place.pose();
        let place = Place::of(pose.slid(along * length));
        let body = unit.body_at(place.pose());
        let exits = self.exits(u, &body, &[Stretch::Straight { pose, way: along, length }]);
        let minding = Minding { edge: !exits, ..Minding::all(u) };
        let (run, bar) = self.free_run(side, mover, &unit.body, along, length, minding);
        if let Some(bar) = bar.filter(|_| run + 0.000_5 < length) {
            return self.barred(u, bar, run);
        }
        if way != Slide::Back && self.slides_on_near(u, along, length) {
            let near = self.p().distance.near_enemy;
            let why = format!("it would go on to the side within {near} of the enemy; stop it at {near}");
            return refuse("VF-MOVE-02", why);
        }
        let cost = mils(self.straight_cost(mover, &unit.body, along, length, None));
        if !self.p().moves.short.allows(cost, acting.allowance) {
            return refuse("VF-MOVE-13", self.more_than_half(cost, acting.allowance));
        }
        let blocked = self.present().find(|&o| o != u && body.ends_on(&self.unit(o).body));
        if let Some(o) = blocked.filter(|_| place != unit.place) {
            return refuse("VF-MODEL-44", format!("that ends on top of {}", self.name(o)));
        }
        self.judge_ground(u, place, &body)?;
        self.judge_initiative(u, &unit.body, &body, acting.nearest)?;
        Ok(Slid { place, exits })
    }
}
