//! D13: generals ride at the end of a turn (ATKM-GEN-05, ATKM-TURN-13); the same judge serves a King's ride (D9).

use arrayvec::ArrayVec;
use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::view::{Overlay, OverlayShape};
use tricorne_game::{Illegal, Preview, Seat, Side, Steer, Wish};
use tricorne_table::{Point, Segment, Shape, angle, within};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::movement::measured;
use crate::options::GeneralPath;
use crate::state::{MOST_SEATS, Stage};
use crate::steer::neat;

/// Where a general rides, if he does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Ride {
    pub(crate) seat: Seat,
}

impl Question<Engagement> for Ride {
    /// Where to; none to stay.
    type Judged = Option<Point>;

    fn kind(&self, _: &Engagement) -> &'static str {
        "ride"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-TURN-13"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    fn prompt(&self, battle: &Engagement) -> String {
        format!("Move your general up to {}, or stay", battle.rules().general.ride)
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.list(Action::Stay);
        battle.ride_space(out);
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<Option<Point>, Illegal> {
        match answer {
            Action::MoveGeneral { to } => battle.judge_ride(self.seat, *to).map(|_| Some(*to)),
            Action::Stay => Ok(None),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, to: Option<Point>, now: &mut Now<'_>) {
        if let Some(to) = to {
            battle.ride(self.seat, to, "ATKM-GEN-05", now.log);
        }
        if let Stage::Ride(i) = battle.state.stage {
            battle.state.stage = Stage::Ride(i + 1);
        }
    }

    fn usual(&self, _: &Engagement) -> Action {
        Action::Stay
    }

    fn preview(&self, battle: &Engagement, to: &Option<Point>) -> Preview {
        to.map(|to| battle.preview_ride(self.seat, to)).unwrap_or_default()
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        battle.some_ride(self.seat, whim).unwrap_or(Action::Stay)
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).filter_map(|_| battle.some_ride(self.seat, whim)));
    }

    fn steer(&self, battle: &Engagement, wish: &Wish) -> Steer<Action> {
        battle.steer_ride(self.seat, wish).unwrap_or_else(Steer::refused)
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_ride(self.seat)
    }
}

impl Engagement {
    pub(crate) fn ride_space(&self, out: &mut Answers<Action>) {
        let far = self.rules().general.ride;
        out.space("move_general", None, Some(far), &format!("a place within {far}"));
    }

    /// ATKM-GEN-05, ATKM-CARD-06: a ride of up to 20 in a straight line.
    pub(crate) fn judge_ride(&self, seat: Seat, to: Point) -> Result<f64, Illegal> {
        let Some(general) = self.state.generals.get(seat.index()).filter(|g| g.present()) else {
            return refuse("ATKM-GEN-11", "the general is not on the table");
        };
        if !to.is_finite() {
            return refuse("ATKM-GEN-07", "a place needs two ordinary numbers, x and y in inches");
        }
        let far = general.at.distance(to);
        let most = self.rules().general.ride;
        if !within(far, most) {
            let [far, most] = measured(far, most);
            return refuse("ATKM-GEN-05", format!("that is {far} away; a general rides {most} at most"));
        }
        if self.options().general_path == GeneralPath::Blocked {
            let crossed = self.land().bars(general.at, to);
            let met = self.of_army(general.army.enemy()).any(|(_, u)| {
                u.footprint(self.rules()).iter().any(|r| Shape::Rect(*r).cut_by(general.at, to))
            });
            if crossed || met {
                return refuse("ATKM-GEN-07", "here a general rides round enemies and impassable ground");
            }
        }
        self.judge_general_stand(seat, to)?;
        Ok(far)
    }

    pub(crate) fn preview_ride(&self, seat: Seat, to: Point) -> Preview {
        let mut preview = Preview::default();
        let ride = Segment::new(self.state.generals[seat.index()].at, to);
        preview.cost = Some(ride.length());
        preview.allowance = Some(self.rules().general.ride);
        let shape = OverlayShape::Path(vec![ride.a, ride.b]);
        preview.overlays.push(Overlay { kind: "path".into(), shape, label: None });
        self.preview_general(&mut preview, seat, to);
        preview
    }

    /// Generals in the order they ride at the end of a turn (ATKM-TURN-13).
    pub(crate) fn riding_order(&self) -> ArrayVec<Seat, MOST_SEATS> {
        let first = if self.state.turn % 2 == 1 { Side(0) } else { Side(1) };
        let mut order = ArrayVec::new();
        for army in [first, first.enemy()] {
            let commander = self.commander(army);
            if self.seats_of(army).any(|s| s == commander) {
                order.push(commander);
            }
            order.extend(self.seats_of(army).filter(|&s| s != commander));
        }
        order
    }

    /// A ride at random, if one is found.
    pub(crate) fn some_ride(&self, seat: Seat, whim: &mut Whim) -> Option<Action> {
        let general = self.state.generals[seat.index()];
        for _ in 0..3 {
            let far = whim.between(0.0, self.rules().general.ride);
            let to = neat(general.at + angle::forward(whim.below(72) as f64 * 5.0) * far);
            if self.judge_ride(seat, to).is_ok() {
                return Some(Action::MoveGeneral { to });
            }
        }
        None
    }
}
