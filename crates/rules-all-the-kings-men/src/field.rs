//! What stays the same all battle long, and questions about who stands where.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrayvec::ArrayVec;
use tricorne_chance::Suit;
use tricorne_drill::refuse;
use tricorne_game::{Illegal, Seat, Side, UnitId, side_in_words};
use tricorne_table::{Area, Bounds, Point, Shape};

use crate::judgement::terms::OwnMind;
use crate::movement::terrain::{Land, overlap};
use crate::options::Options;
use crate::rulebook::Rulebook;
use crate::setup::arrive::Arrival;
use crate::setup::zone::Zone;
use crate::state::{Presence, Solids, State, Unit, UnitNo};

/// The two armies, red first.
pub(crate) const ARMIES: [Side; 2] = [Side(0), Side(1)];

/// `Red` or `Black`.
pub(crate) fn army_name(army: Side) -> &'static str {
    if army == Side(0) { "red" } else { "black" }
}

/// What is fought over (T12).
#[derive(Clone, Debug)]
pub(crate) enum Objective {
    /// The only army with a formed unit within `radius` of `at` at the end adds `score`.
    Hold { at: Point, radius: f64, score: i32 },
    /// The army whose formed units alone have privates inside at the end wins.
    Seize { area: Area },
    /// From turn `from` on, the army that alone has a formed unit with a private inside scores each turn.
    Occupy { area: Area, from: u16, score: i32 },
}

/// A seat's standing data.
#[derive(Clone, Debug)]
pub(crate) struct SeatText {
    pub name: String,
    pub roll_rating: bool,
}

/// Forces still to be made by dice (ATKM-FORCE-02).
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RandomForces {
    pub rolls: [u32; 2],
}

/// Everything about a battle that never changes.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub rules: Arc<Rulebook>,
    pub options: Options,
    pub land: Land,
    pub title: String,
    pub army_names: [String; 2],
    pub seats: Vec<SeatText>,
    pub names: BTreeMap<UnitId, String>,
    pub objectives: Vec<Objective>,
    pub zones: [Zone; 2],
    /// Units that are held back, by their place in the list.
    pub arrivals: Vec<Option<Arrival>>,
    pub forces: RandomForces,
    pub suits: [Suit; 2],
}

/// A battle of All the King's Men.
#[derive(Clone, Debug)]
pub struct Engagement {
    pub(crate) field: Arc<Field>,
    pub(crate) state: State,
    /// What the judgement of programs goes by; no rule looks at it.
    pub(crate) mind: Arc<OwnMind>,
}

impl Engagement {
    pub(crate) fn rules(&self) -> &Rulebook {
        &self.field.rules
    }

    pub(crate) fn options(&self) -> &Options {
        &self.field.options
    }

    pub(crate) fn land(&self) -> &Land {
        &self.field.land
    }

    pub(crate) fn unit(&self, no: UnitNo) -> &Unit {
        &self.state.units[no.index()]
    }

    pub(crate) fn unit_mut(&mut self, no: UnitNo) -> &mut Unit {
        &mut self.state.units[no.index()]
    }

    pub(crate) fn find(&self, id: UnitId) -> Option<UnitNo> {
        self.state.units.iter().position(|u| u.id == id).map(UnitNo::at)
    }

    /// A unit named by an action that must be on the table.
    pub(crate) fn named(&self, id: UnitId, clause: &str) -> Result<UnitNo, Illegal> {
        match self.find(id) {
            Some(no) if self.unit(no).present() => Ok(no),
            Some(no) if self.unit(no).presence == Presence::Due => {
                refuse("ATKM-SETUP-15", format!("{id} is still to come"))
            }
            Some(_) => refuse(clause, format!("{id} is not on the table")),
            None => refuse(clause, format!("there is no unit {id}; see the units of the view")),
        }
    }

    /// Units on the table, with their numbers.
    pub(crate) fn present(&self) -> impl Iterator<Item = (UnitNo, &Unit)> {
        self.state.units.iter().enumerate().filter(|(_, u)| u.present()).map(|(i, u)| (UnitNo::at(i), u))
    }

    /// Units of an army on the table.
    pub(crate) fn of_army(&self, army: Side) -> impl Iterator<Item = (UnitNo, &Unit)> {
        self.present().filter(move |(_, u)| u.army == army)
    }

    /// Seats of an army, in order.
    pub(crate) fn seats_of(&self, army: Side) -> impl Iterator<Item = Seat> + '_ {
        self.state
            .generals
            .iter()
            .enumerate()
            .filter(move |(_, g)| g.army == army)
            .map(|(i, _)| Seat(i as u8))
    }

    /// The Commanding General of an army (ATKM-TEAM-15: a lone player is his own).
    pub(crate) fn commander(&self, army: Side) -> Seat {
        let mut seats = self.seats_of(army);
        let first = seats.next().unwrap_or(Seat(army.0));
        self.seats_of(army).find(|&s| self.state.generals[s.index()].commander).unwrap_or(first)
    }

    /// What an army is called in this battle, for stories.
    pub(crate) fn called(&self, army: Side) -> String {
        side_in_words(&self.field.army_names[army.index()])
    }

    /// What a general is called in this battle, for stories.
    pub(crate) fn general_called(&self, seat: Seat) -> String {
        let name = self.field.seats.get(seat.index()).map_or("", |s| s.name.as_str());
        name.strip_prefix("The ").map_or_else(|| name.to_owned(), |rest| format!("the {rest}"))
    }

    pub(crate) fn army_of(&self, seat: Seat) -> Side {
        self.state.generals.get(seat.index()).map_or(Side(0), |g| g.army)
    }

    /// The first unit that some rectangles overlap, leaving out those `ignored` says.
    pub(crate) fn overlapped(
        &self,
        solids: &Solids,
        ignored: impl Fn(UnitNo, &Unit) -> bool,
    ) -> Option<UnitNo> {
        let mut all = Bounds::NOTHING;
        let shapes: ArrayVec<(Shape, Bounds), 14> = solids
            .iter()
            .map(|r| {
                let shape = Shape::Rect(*r);
                let bounds = shape.bounds();
                all = all.join(&bounds);
                (shape, bounds)
            })
            .collect();
        self.present()
            .find(|(no, u)| {
                if !u.reach(self.rules()).meets(&all) || ignored(*no, u) {
                    return false;
                }
                u.footprint(self.rules()).iter().any(|r| {
                    let other = Shape::Rect(*r);
                    shapes.iter().any(|(shape, _)| overlap(shape, &other))
                })
            })
            .map(|(no, _)| no)
    }

    /// The first unit that a swept shape meets, leaving out those `ignored` says.
    pub(crate) fn met(&self, swept: &Shape, ignored: impl Fn(UnitNo, &Unit) -> bool) -> Option<UnitNo> {
        let bounds = swept.bounds();
        self.present()
            .find(|(no, u)| {
                u.reach(self.rules()).meets(&bounds)
                    && !ignored(*no, u)
                    && u.footprint(self.rules()).iter().any(|r| overlap(swept, &Shape::Rect(*r)))
            })
            .map(|(no, _)| no)
    }

    /// The gap to the nearest figure of an army.
    pub(crate) fn gap_to(&self, solids: &Solids, army: Side, within: f64) -> Option<(UnitNo, f64)> {
        let mut bounds = Bounds::NOTHING;
        for r in solids {
            bounds = bounds.join(&Shape::Rect(*r).bounds());
        }
        let bounds = bounds.grown(within);
        let mut best: Option<(UnitNo, f64)> = None;
        for (no, u) in self.of_army(army) {
            if !u.reach(self.rules()).meets(&bounds) {
                continue;
            }
            let gap = crate::state::gap(solids, &u.solids(self.rules()));
            if gap < within - 0.001 && best.is_none_or(|(_, least)| gap < least) {
                best = Some((no, gap));
            }
        }
        best
    }

    /// Whether some rectangles stand on the table and in no ground that cannot be entered.
    pub(crate) fn standable(&self, solids: &Solids) -> Result<(), Illegal> {
        for r in solids {
            let shape = Shape::Rect(*r);
            if !self.land().holds(&shape) {
                return refuse(
                    "ATKM-SETUP-11",
                    "that would hang over the edge of the table; stop short of it",
                );
            }
            if self.land().forbids(&shape) {
                return refuse("ATKM-TERR-08", "that ground cannot be entered; go round it");
            }
        }
        Ok(())
    }

    /// The nearest place that suits, from the place itself outwards in rings (M9, ATKM-MOVE-17).
    pub(crate) fn ring_search(
        &self,
        from: Point,
        facing: f64,
        reach: f64,
        mut suits: impl FnMut(Point) -> bool,
    ) -> Option<Point> {
        if suits(from) {
            return Some(from);
        }
        let room = &self.rules().room;
        let apart = 360.0 / f64::from(room.directions);
        let rings = (reach / room.ring).floor() as i32;
        (1..=rings).find_map(|ring| {
            (0..room.directions).find_map(|k| {
                let way = tricorne_table::angle::forward(facing + apart * f64::from(k));
                let place = from + way * (room.ring * f64::from(ring));
                suits(place).then_some(place)
            })
        })
    }
}
