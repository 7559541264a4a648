//! D-PATH: the way of a march (VF-MOVE-01 to -11, VF-MOVE-24).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Event, Illegal, Log, Preview};
use tricorne_table::{Point, Pose, angle};

use super::Minding;
use super::march::Marched;
use crate::action::{Action, ActionKind, Leg};
use crate::field::Field;
use crate::model::measure::{Decimal, Mils, exact};
use crate::model::{Kind, Nr};
use crate::options::ShortMarchFire;
use crate::questions::{Unlimber, asks, guesses};
use crate::rulebook::Share;
use crate::state::Fate;

/// Which way does it march?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Path {
    /// Which unit.
    pub unit: Nr,
}

impl Question<Field> for Path {
    type Judged = Marched;

    asks!("path", "activation", "Which way does it march?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        let shape = "legs: forward, wheel_left, wheel_right; a cloud: go, to, face";
        out.space("path", self.unit(field), field.s.acting.map(|a| exact(a.allowance)), shape);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Marched, Illegal> {
        match answer {
            Action::Path(legs) => field.judge_path(self.unit, legs),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, to: Marched, now: &mut Now<'_>) {
        field.marched(self.unit, &to, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Path(vec![])
    }

    fn end(&self, _: &Field, to: &Marched) -> Option<Pose> {
        Some(to.place.pose())
    }

    fn preview(&self, field: &Field, to: &Marched) -> Preview {
        field.preview_march(self.unit, to)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        Action::Path(self.any_legs(field, whim))
    }

    fn ways(&self, field: &Field, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend(self.plain_ways(field));
        guesses(self, field, most, whim, out);
    }
}

impl Path {
    /// The most it can spend on this march.
    fn limit(field: &Field) -> Option<(Mils, Option<Nr>)> {
        let acting = field.s.acting?;
        let whole = acting.kind == ActionKind::March;
        let limit = if whole { acting.allowance } else { field.p().moves.short.most(acting.allowance) };
        Some((limit, acting.nearest.map(|(e, _)| e)))
    }

    /// How far a unit can go straight that way, in thousandths.
    fn straight(self, field: &Field, way: Point, most: f64) -> Mils {
        let u = self.unit;
        let body = &field.unit(u).body;
        let (run, _) = field.free_run(field.side(u), field.mover(u), body, way, most, Minding::all(u));
        (run * 1000.0) as i32
    }

    fn any_legs(self, field: &Field, whim: &mut Whim) -> Vec<Leg> {
        let Some((limit, _)) = Self::limit(field) else { return vec![] };
        let (u, most) = (self.unit, exact(limit));
        if field.kind(u) == Kind::Skirmish {
            let forward = Field::home_bearing(field.side(u)) + 180.0;
            let bearing = angle::normalise(forward + (whim.unit() * 13.0).floor() * 15.0 - 90.0);
            return vec![Leg::Go(Decimal::of(bearing), Decimal::of(most * whim.unit()))];
        }
        let width = field.unit(u).body.rect.width();
        if whim.chance(0.35) {
            let degrees = whim.between(1.0, 40.0).floor();
            let cost = width * angle::radians(degrees);
            if cost < most {
                let wheel = Decimal::of(degrees);
                let wheel = if whim.chance(0.5) { Leg::WheelLeft(wheel) } else { Leg::WheelRight(wheel) };
                return vec![wheel, Leg::Forward(Decimal::of((most - cost) * whim.unit()))];
            }
        }
        // Short of the enemy and the edge rather than refused.
        let run = self.straight(field, field.unit(u).body.rect.frame().forward, most);
        vec![Leg::Forward(Decimal((f64::from(run) * whim.unit()) as i32))]
    }

    /// The plain ways to march: all the way, half the way, not at all; a cloud towards its nearest enemy.
    fn plain_ways(self, field: &Field) -> Vec<Action> {
        let Some((limit, nearest)) = Self::limit(field) else { return vec![] };
        let body = &field.unit(self.unit).body;
        let forward = body.rect.frame().forward;
        let way = match nearest {
            Some(e) if body.cloud > 0 => {
                (field.unit(e).body.centroid() - body.centroid()).unit().unwrap_or(forward)
            }
            _ => forward,
        };
        let far = self.straight(field, way, exact(limit));
        let leg = |d: Mils| {
            if body.cloud > 0 {
                Leg::Go(Decimal::of(angle::bearing_of(way)), Decimal(d))
            } else {
                Leg::Forward(Decimal(d))
            }
        };
        vec![Action::Path(vec![leg(far)]), Action::Path(vec![leg(far / 2)]), Action::Path(vec![])]
    }
}

impl Field {
    /// A unit is out by a scenario's exit (VF-MOVE-28, VF-SCEN-13).
    pub(crate) fn leave_by_exit(&mut self, u: Nr, log: &mut Log) {
        self.unit_mut(u).gone = Some(Fate::Exited);
        // Who rides with it goes with it, and is no loss (VF-CMD-26).
        for commander in self.s.commanders.iter_mut().filter(|c| c.host == Some(u)) {
            commander.gone = Some(Fate::Exited);
            commander.host = None;
        }
        let id = self.spec(u).id;
        log.say(|| Event::new("exits", "VF-SCEN-13").who(id));
    }

    /// A march has been walked (D-PATH).
    pub(crate) fn marched(&mut self, u: Nr, to: &Marched, log: &mut Log) {
        let id = self.spec(u).id;
        let from = self.unit(u).place;
        let moved = to.place != from;
        if to.exits {
            return self.leave_by_exit(u, log);
        }
        if moved {
            self.put(u, to.place);
        }
        log.say(|| {
            let event = Event::new("marches", "VF-MOVE-05").who(id);
            let event = if moved { event } else { event.outcome("stays") };
            event
                .with("cost", exact(to.cost))
                .with("distance", from.gap(to.place))
                .with("x", exact(to.place.x))
                .with("y", exact(to.place.y))
                .with("facing", exact(to.place.t))
        });
        let Some(acting) = self.s.acting else { return };
        let short = self.within_half(to.cost, to.allowance);
        match acting.kind {
            ActionKind::MarchAndFire => {
                self.fire_or_wait(u, true);
            }
            ActionKind::MarchAndHold => self.hold(u),
            // Too near the enemy it stays on its limber (VF-MOVE-01).
            ActionKind::MarchUnlimberAndFire if self.judge_clear_to_turn(u).is_ok() => {
                self.ask(Unlimber { unit: u });
            }
            ActionKind::MarchUnlimberAndFire => {
                log.say(|| Event::new("stays_limbered", "VF-MOVE-01").who(id));
            }
            ActionKind::March
                if self.o().short_march_fire == ShortMarchFire::ByDistance
                    && short
                    && self.can_fire(u).is_ok() =>
            {
                // To hold fire is free under every result (VF-CMD-12).
                match self.fire_limits() {
                    Ok(()) => self.fire_or_wait(u, true),
                    Err(_) => self.hold(u),
                }
            }
            _ => {}
        }
    }
}
