//! D2: a general is placed (ATKM-GEN-04).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Side, Steer, Wish};
use tricorne_table::{Bounds, Point, Shape};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::options::GeneralStart;
use crate::state::{Stage, base_at};
use crate::steer::neat;

/// Where a seat's general starts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlaceGeneral {
    pub(crate) seat: Seat,
    /// A place that he has: without one nobody is asked.
    room: Point,
}

impl PlaceGeneral {
    pub(crate) fn of(battle: &Engagement, seat: Seat) -> Option<Self> {
        battle.general_room(seat).map(|room| Self { seat, room })
    }
}

impl Question<Engagement> for PlaceGeneral {
    type Judged = Point;

    fn kind(&self, _: &Engagement) -> &'static str {
        "place_general"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-GEN-04"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    fn prompt(&self, battle: &Engagement) -> String {
        format!("Place your general {}", battle.generals_start())
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.space("place_general", None, None, &format!("a place {}", battle.generals_start()));
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<Point, Illegal> {
        match answer {
            Action::PlaceGeneral { at } => battle.judge_place_general(self.seat, *at).map(|()| *at),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, at: Point, now: &mut Now<'_>) {
        battle.do_place_general(self.seat, at, now.log);
    }

    fn usual(&self, _: &Engagement) -> Action {
        Action::PlaceGeneral { at: self.room }
    }

    fn preview(&self, battle: &Engagement, at: &Point) -> Preview {
        let mut preview = Preview::default();
        battle.preview_general(&mut preview, self.seat, *at);
        preview
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        let zones = battle.zone_boxes(battle.army_of(self.seat));
        for _ in 0..24 {
            let Some(zone) = whim.one_of(&zones) else { break };
            let at =
                neat(Point::new(whim.between(zone.min.x, zone.max.x), whim.between(zone.min.y, zone.max.y)));
            if battle.judge_place_general(self.seat, at).is_ok() {
                return Action::PlaceGeneral { at };
            }
        }
        self.usual(battle)
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).map(|_| self.wander(battle, whim)));
    }

    fn steer(&self, battle: &Engagement, wish: &Wish) -> Steer<Action> {
        battle.steer_place_general(self.seat, wish).unwrap_or_else(Steer::refused)
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_general_places(self.seat)
    }
}

impl Engagement {
    /// D2: whose general is placed next, in the order of the armies' units (ATKM-SETUP-07).
    pub(crate) fn general_to_place(&self) -> Option<Seat> {
        let general = |seat: Seat| &self.state.generals[seat.index()];
        let left = |army: Side| self.seats_of(army).find(|&s| !general(s).placed && !general(s).killed);
        let placed = |army: Side| self.seats_of(army).filter(|&s| general(s).placed).count();
        // In turn, as with units, until one army has placed all of its own.
        let first = self.first_to_place();
        let other = first.enemy();
        if placed(first) <= placed(other) { left(first).or(left(other)) } else { left(other).or(left(first)) }
    }

    /// Whether all units and generals have their places.
    pub(crate) fn is_drawn_up(&self) -> bool {
        self.deployer().is_none() && self.general_to_place().is_none()
    }

    /// ATKM-GEN-04, in words.
    fn generals_start(&self) -> &'static str {
        match self.options().general_start {
            GeneralStart::Zone => "in your zone",
            GeneralStart::Anywhere => "on the table",
        }
    }

    /// ATKM-GEN-04.
    pub(crate) fn judge_place_general(&self, seat: Seat, at: Point) -> Result<(), Illegal> {
        self.judge_general_stand(seat, at)?;
        // Where the zone has no room for him at all he may stand anywhere.
        let bound = self.options().general_start == GeneralStart::Zone;
        if bound && !self.zone_holds_general(seat, at) && self.some_general_place(seat).is_some() {
            return refuse("ATKM-GEN-04", "a general starts in his side's deployment zone");
        }
        Ok(())
    }

    /// Some place in the zone for a general.
    pub(crate) fn some_general_place(&self, seat: Seat) -> Option<Point> {
        let half_inches = |from: f64, to: f64| ((to - from).max(0.0) * 2.0).ceil() as u32;
        let zones = self.zone_boxes(self.army_of(seat));
        let fits =
            |at: &Point| self.judge_general_stand(seat, *at).is_ok() && self.zone_holds_general(seat, *at);
        let by_halves = |from: u32, zone: &Bounds, off: Point| {
            let (across, up) = (half_inches(zone.min.x, zone.max.x), half_inches(zone.min.y, zone.max.y));
            let corner = zone.min + off;
            let at =
                move |i: u32, j: u32| (corner + Point::new(f64::from(i), f64::from(j)) * 0.5).round_to(0.001);
            (from..up).flat_map(move |j| (from..across).map(move |i| at(i, j))).find(fits)
        };
        // By half inches from the corners of the zone; where there is no room so, from where his base is flush with both sides.
        let base = Shape::Rect(base_at(self.rules(), Point::ORIGIN)).bounds();
        let inner = zones.iter().find_map(|zone| by_halves(2, zone, Point::ORIGIN));
        inner.or_else(|| zones.iter().find_map(|zone| by_halves(0, zone, Point::ORIGIN - base.min)))
    }

    /// Some place for a general: in the zone, or where that is full anywhere on the table.
    fn general_room(&self, seat: Seat) -> Option<Point> {
        self.some_general_place(seat).or_else(|| {
            let table = self.land().table;
            let (across, up) = (table.width() as u32, table.depth() as u32);
            (1..up)
                .flat_map(|y| (1..across).map(move |x| Point::new(f64::from(x), f64::from(y))))
                .find(|&at| self.judge_place_general(seat, at).is_ok())
        })
    }

    /// D2: goes on once all generals are placed. One for whom the whole table has no room is set beside a unit of his, as
    /// if he had been displaced (ATKM-GEN-10); with nobody there yet he comes when they do (ATKM-GEN-12).
    pub(crate) fn step_place_general(&mut self, log: &mut Log) -> bool {
        let Some(seat) = self.general_to_place() else {
            self.reckon_start();
            self.state.stage = Stage::TurnStart;
            return true;
        };
        if self.general_room(seat).is_some() {
            return false;
        }
        let beside = self.joinable(seat).next();
        match beside {
            Some(unit) => self.do_place_general(seat, self.beside(seat, unit), log),
            None => self.state.generals[seat.index()].killed = true,
        }
        true
    }

    fn zone_holds_general(&self, seat: Seat, at: Point) -> bool {
        self.zone_holds(self.army_of(seat), Shape::Rect(base_at(self.rules(), at)))
    }

    pub(crate) fn do_place_general(&mut self, seat: Seat, at: Point, log: &mut Log) {
        let g = &mut self.state.generals[seat.index()];
        g.at = at;
        g.placed = true;
        log.say(|| {
            Event::new("place_general", "ATKM-GEN-04")
                .with("seat", seat.0)
                .with("general", self.field.seats[seat.index()].name.clone())
                .with("at", serde_json::json!([at.x, at.y]))
        });
    }
}
