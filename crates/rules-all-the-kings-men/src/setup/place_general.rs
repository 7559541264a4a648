//! D2: a general is placed (ATKM-GEN-04).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Side, Steer, Wish};
use tricorne_table::Point;

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::options::GeneralStart;
use crate::state::Solids;
use crate::steer::neat;

/// Where a seat's general starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PlaceGeneral {
    pub(crate) seat: Seat,
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

    fn prompt(&self, _: &Engagement) -> String {
        "Place your general in your zone".into()
    }

    fn answers(&self, _: &Engagement, out: &mut Answers<Action>) {
        out.space("place_general", None, None, "a place in your zone");
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

    fn usual(&self, battle: &Engagement) -> Action {
        let at = battle.some_general_place(self.seat).or_else(|| {
            // The zone is full: anywhere on the table.
            let table = battle.land().table;
            let (across, up) = (table.width() as u32, table.depth() as u32);
            (1..up)
                .flat_map(|y| (1..across).map(move |x| Point::new(f64::from(x), f64::from(y))))
                .find(|&at| battle.judge_place_general(self.seat, at).is_ok())
        });
        at.map_or(Action::Concede, |at| Action::PlaceGeneral { at })
    }

    fn preview(&self, battle: &Engagement, at: &Point) -> Preview {
        let mut preview = Preview::default();
        battle.preview_general(&mut preview, self.seat, *at);
        preview
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        let zone = battle.zone_of(battle.army_of(self.seat));
        for _ in 0..24 {
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
        let more_black = self.state.units.iter().filter(|u| u.army == Side(1)).count()
            > self.state.units.iter().filter(|u| u.army == Side(0)).count();
        let first = if more_black { Side(1) } else { Side(0) };
        let left = |army: Side| {
            self.seats_of(army)
                .filter(|&s| {
                    let g = &self.state.generals[s.index()];
                    !g.placed && !g.killed
                })
                .collect::<smallvec::SmallVec<[Seat; 6]>>()
        };
        let (a, b) = (left(first), left(first.enemy()));
        // The army with more generals still to place goes next, so that they alternate.
        if a.len() >= b.len() { a.first().or(b.first()).copied() } else { b.first().copied() }
    }

    /// ATKM-GEN-04.
    pub(crate) fn judge_place_general(&self, seat: Seat, at: Point) -> Result<(), Illegal> {
        self.judge_general_stand(seat, at)?;
        let mut base = Solids::new();
        base.push(crate::state::base_at(self.rules(), at));
        if self.options().general_start == GeneralStart::Zone && !self.in_zone(self.army_of(seat), &base) {
            let full = self.zone_is_full(seat);
            if !full {
                return refuse("ATKM-GEN-04", "a general starts in his side's deployment zone");
            }
        }
        Ok(())
    }

    /// Some place in the zone for a general.
    pub(crate) fn some_general_place(&self, seat: Seat) -> Option<Point> {
        let zone = self.zone_of(self.army_of(seat));
        let mut y = zone.min.y + 1.0;
        while y < zone.max.y {
            let mut x = zone.min.x + 1.0;
            while x < zone.max.x {
                let at = Point::new(x, y).round_to(0.001);
                if self.judge_general_stand(seat, at).is_ok() && self.zone_holds_general(seat, at) {
                    return Some(at);
                }
                x += 0.5;
            }
            y += 0.5;
        }
        None
    }

    fn zone_holds_general(&self, seat: Seat, at: Point) -> bool {
        let mut base = Solids::new();
        base.push(crate::state::base_at(self.rules(), at));
        self.in_zone(self.army_of(seat), &base)
    }

    /// Whether there is no room for a general in his zone at all.
    fn zone_is_full(&self, seat: Seat) -> bool {
        self.some_general_place(seat).is_none()
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
