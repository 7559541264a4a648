//! D-CMDMOVE: where a commander rides by a card of his own (VF-CMD-22).

use crate::questions::Attach;
use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};
use tricorne_table::{Point, Pose, angle};

use crate::action::{Action, Leg};
use crate::field::Field;
use crate::model::Cr;
use crate::model::formation::{Body, ROUNDED};
use crate::model::ground::Mover;
use crate::model::measure::{Decimal, Mils, exact, mils};
use crate::movement::pace_told::base_told;
use crate::movement::{Bar, Minding};
use crate::questions::{asks, seat};
use crate::rulebook::inch;

/// Where does he ride?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ride {
    /// Who.
    pub commander: Cr,
    /// How far he may.
    pub allowance: Mils,
}

/// A ride that has been judged.
#[derive(Clone, Debug)]
pub struct Ridden {
    /// Where it ends.
    pub at: Point,
    /// What it costs.
    pub cost: Mils,
    /// The way, from where he stood.
    pub track: SmallVec<[Point; 4]>,
}

/// What the space of a ride looks like.
pub(crate) const LEGS: &str = "legs: go [bearing, inches] or to [x, y]";

impl Question<Field> for Ride {
    type Judged = Ridden;

    asks!("commander_move", "command", "Where does the commander ride?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.chief(self.commander).side)
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        Some(field.chief(self.commander).id)
    }

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.space("path", self.unit(field), Some(exact(self.allowance)), LEGS);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Ridden, Illegal> {
        match answer {
            Action::Path(legs) => {
                let to = field.judge_ride(self.commander, self.allowance, legs)?;
                field.judge_ends_clear(self.commander, &to)?;
                Ok(to)
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, to: Ridden, now: &mut Now<'_>) {
        field.rode(self.commander, to.at, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Path(vec![])
    }

    fn end(&self, _: &Field, to: &Ridden) -> Option<Pose> {
        Some(Pose::new(to.at, 0.0))
    }

    fn preview(&self, field: &Field, to: &Ridden) -> Preview {
        field.preview_ride(self.commander, self.allowance, to)
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        any_ride(self.allowance, whim)
    }

    crate::questions::guessed!();
}

/// A straight ride at random.
pub(crate) fn any_ride(allowance: Mils, whim: &mut Whim) -> Action {
    let bearing = (whim.unit() * 72.0).floor() * 5.0;
    let far = (whim.unit() * exact(allowance) * 4.0).floor() * 0.25;
    Action::Path(vec![Leg::Go(Decimal::of(bearing), Decimal::of(far))])
}

impl Field {
    /// Judges a commander's ride (D-CMDMOVE, D-ESCAPE): straight legs, clear of enemies (VF-CMD-22).
    pub(crate) fn judge_ride(&self, c: Cr, allowance: Mils, legs: &[Leg]) -> Result<Ridden, Illegal> {
        let side = self.chief(c).side;
        let base = self.chief(c).level.base(self.p());
        let mut at = self.commander(c).at();
        let mut track: SmallVec<[Point; 4]> = SmallVec::new();
        track.push(at);
        let mut cost = 0.0;
        let minding = Minding { friends: false, edge: true, except: 0, road: None, who: None };
        for leg in legs {
            let step = match *leg {
                Leg::Go(bearing, d) if d.0 >= 0 => angle::forward(angle::normalise(bearing.get())) * d.get(),
                Leg::To(x, y) => Point::new(x.get(), y.get()) - at,
                _ => {
                    return refuse(
                        "VF-CMD-22",
                        "a commander goes straight: go = [bearing, inches] or to = [x, y]",
                    );
                }
            };
            let length = step.length();
            let Some(way) = step.unit() else { continue };
            let body = Body::of_commander(at, base);
            let (run, bar) = self.free_run(side, Mover::Commander, &body, way, length, minding);
            if let Some(bar) = bar.filter(|_| run + 0.000_5 < length) {
                return match bar {
                    Bar::Enemy(o) => {
                        let clear = self.p().distance.clear;
                        refuse("VF-CMD-22", format!("that comes within {clear} of {}", self.name(o)))
                    }
                    Bar::Edge => refuse("VF-MOVE-28", "that leaves the table"),
                    Bar::Closed(ground) => refuse("VF-CMD-22", format!("he may not enter {}", ground.name())),
                    Bar::Friend(o) => refuse("VF-CMD-22", format!("{} is in the way", self.name(o))),
                };
            }
            cost += self.straight_cost(Mover::Commander, &body, way, length, None);
            at += step;
            track.push(at);
        }
        let cost = mils(cost);
        if cost > allowance {
            let why = format!("that costs {:.3} and he has {:.3}", exact(cost), exact(allowance));
            return refuse("VF-CMD-22", why);
        }
        let at = at.round_to(0.001);
        let body = Body::of_commander(at, base);
        if !body.on_table(self.b.width, self.b.height) {
            return refuse("VF-MOVE-28", "that leaves the table");
        }
        let blocked = self.present().find(|&o| body.overlaps_by(&self.unit(o).body, ROUNDED));
        if let Some(o) = blocked.filter(|_| cost > 0) {
            return refuse("VF-MODEL-44", format!("that ends on top of {}", self.name(o)));
        }
        Ok(Ridden { at, cost, track })
    }

    /// Whether a ride ends clear of the enemy; who stands too near may leave, but not stop on the way (VF-CMD-22).
    fn judge_ends_clear(&self, c: Cr, to: &Ridden) -> Result<(), Illegal> {
        let chief = self.chief(c);
        let clear = self.p().distance.clear;
        let body = Body::of_commander(to.at, chief.level.base(self.p()));
        if to.cost > 0 && self.enemy_within(chief.side, &body, inch(clear)) {
            return refuse("VF-CMD-22", format!("that ends within {clear} of the enemy"));
        }
        Ok(())
    }

    /// He has ridden.
    pub(crate) fn rode(&mut self, c: Cr, at: Point, log: &mut Log) {
        let from = self.commander(c).at();
        let moved = !from.near(at);
        let commander = self.commander_mut(c);
        commander.x = mils(at.x);
        commander.y = mils(at.y);
        let id = self.chief(c).id;
        log.say(|| {
            let event = Event::new("rides", "VF-CMD-22").who(id).with("distance", from.distance(at));
            let event = event.with("x", at.x).with("y", at.y);
            if moved { event } else { event.outcome("stays") }
        });
    }
}

impl Field {
    /// A commander rides by a card of his own (S-COMMANDER).
    pub(crate) fn start_ride(&mut self, c: Cr, chance: &mut dyn Chance, log: &mut Log) {
        self.commander_mut(c).turn.activated = true;
        let pace = self.p().moves.commander;
        let roll = chance.sum("move", usize::from(pace.dice), 6);
        let allowance = inch(pace.inches) + roll.total * 1000;
        let id = self.chief(c).id;
        log.say(|| {
            Event::new("commander_rides", "VF-CMD-22")
                .who(id)
                .faces(&roll.faces)
                .with("base", base_told(i32::from(pace.inches)))
                .with("inches", f64::from(allowance) / 1000.0)
        });
        self.ask(Attach { commander: c, group: false });
        self.ask(Ride { commander: c, allowance });
    }
}
