//! Free deployment (WBK-SCEN-04).

use arrayvec::ArrayVec;
use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Event, Illegal, Preview, Seat, Side, Steer, UnitId, Wish};
use tricorne_table::{Bounds, Edge, Point};

use crate::action::{Action, Place};
use crate::battle::{Asked, Fray};
use crate::model::base::TOLERANCE;
use crate::state::{Fate, IMPERIAL, Layout, MAX_UNITS, NATIVE, No, Places, Spot};
use crate::turn::side_name;

/// A side places one of its units in its strip.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Placing(pub Side);

/// A unit about to stand in its strip.
pub type Posted = (No, Spot, u16, Layout, Places);

impl Question<Fray> for Placing {
    type Judged = Posted;

    fn kind(&self, _: &Fray) -> &'static str {
        "place"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-SCEN-04"
    }

    fn seat(&self, _: &Fray) -> Seat {
        Seat(self.0.0)
    }

    fn prompt(&self, _: &Fray) -> String {
        "Place a unit in your strip.".into()
    }

    fn answers(&self, _: &Fray, out: &mut Answers<Action>) {
        out.space("place", None, None, "a unit and a place in your strip");
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Posted, Illegal> {
        match answer {
            Action::Place(place) => fray.judge_place(self.0, place),
            _ => Err(self.other(fray)),
        }
    }

    fn carry_out(self, fray: &mut Fray, posted: Posted, now: &mut Now<'_>) {
        let (u, at) = (posted.0, <[f64; 2]>::from(posted.1.point()));
        fray.post(posted);
        now.say(|| {
            Event::new("deploy", "WBK-SCEN-04")
                .who(fray.id(u))
                .outcome("placed")
                .with("to", serde_json::json!(at))
        });
        fray.ask_to_place(self.0.enemy(), now);
    }

    fn usual(&self, fray: &Fray) -> Action {
        let mut waiting = fray.waiting(self.0);
        waiting.find_map(|u| fray.some_place(u)).map_or(Action::EndTurn, Action::Place)
    }

    fn preview(&self, fray: &Fray, (u, spot, facing, _, places): &Posted) -> Preview {
        fray.preview_post(*u, places, *spot, *facing)
    }

    fn wander(&self, fray: &Fray, whim: &mut Whim) -> Action {
        let waiting: ArrayVec<No, MAX_UNITS> = fray.waiting(self.0).collect();
        let found = whim.one_of(&waiting).and_then(|&u| fray.random_place(u, whim));
        found.map_or_else(|| self.usual(fray), Action::Place)
    }

    fn ways(&self, fray: &Fray, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).map(|_| self.wander(fray, whim)));
    }

    fn steer(&self, fray: &Fray, wish: &Wish) -> Steer<Action> {
        fray.steered(wish, &["place"], || fray.steer_place(self.0, wish))
    }

    fn courses(&self, fray: &Fray, unit: UnitId) -> Vec<(String, Action)> {
        let place = fray.find(unit).and_then(|u| fray.some_place(u));
        place.map(|place| ("place".to_owned(), Action::Place(place))).into_iter().collect()
    }

    fn weigh(&self, fray: &Fray, _most: usize, whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.weigh_places(self.0, whim)
    }
}

impl Fray {
    /// After the leaders are rolled: free deployment if the scenario wants it, else the first round.
    pub(crate) fn deploy(&mut self, now: &mut Now<'_>) {
        if self.field.strips.is_none() {
            self.begin_rounds(now);
            return;
        }
        let dice = [now.chance.d6("deploy"), now.chance.d6("deploy")];
        // The lower places first, the native side on a tie; the other side moves first.
        let places_first = if dice[0] < dice[1] { IMPERIAL } else { NATIVE };
        self.state.first = places_first.enemy();
        now.say(|| {
            Event::new("deploy", "WBK-SCEN-04")
                .faces(&dice)
                .outcome("order")
                .with("first", side_name(places_first))
        });
        self.ask_to_place(places_first, now);
    }

    /// The next unit is to be placed by `side`, or by the other if it has none left.
    pub(crate) fn ask_to_place(&mut self, side: Side, now: &mut Now<'_>) {
        for side in [side, side.enemy()] {
            // The program's units wait in the pool (WBK-SOLO-01).
            if self.field.program() == Some(side) {
                continue;
            }
            for u in self.state.units.numbers() {
                if !self.waits_for_place(u, side) {
                    continue;
                }
                if self.some_place(u).is_some() {
                    self.ask(Placing(side));
                    return;
                }
                self.state.units[u].fate = Fate::LeftOut;
                let who = self.id(u);
                now.say(|| Event::new("deploy", "WBK-SCEN-04").who(who).outcome("no room"));
            }
        }
        self.begin_rounds(now);
    }

    /// Whether a unit of a side is still to be placed.
    pub(crate) fn waits_for_place(&self, u: No, side: Side) -> bool {
        self.unit(u).side == side && self.unit(u).fate == Fate::ToCome
    }

    /// Whether a unit waits for its place while the sides set up.
    pub(crate) fn is_being_placed(&self, u: No) -> bool {
        matches!(self.state.asked, Some(Asked::Placing(_))) && self.waits_for_place(u, self.unit(u).side)
    }

    /// The units of a side that are still to be placed.
    pub(crate) fn waiting(&self, side: Side) -> impl Iterator<Item = No> + '_ {
        self.state.units.numbers().filter(move |&u| self.waits_for_place(u, side))
    }

    /// A unit stands where it was placed.
    pub(crate) fn post(&mut self, (u, spot, facing, layout, places): Posted) {
        self.state.units[u].fate = Fate::OnTable;
        self.put(u, spot, facing, layout, places);
    }

    /// The strip of a side.
    pub(crate) fn strip(&self, side: Side) -> Bounds {
        let (w, h) = (self.field.width, self.field.height);
        let Some(strips) = &self.field.strips else {
            return Bounds::of_pair(Point::ORIGIN, Point::new(w, h));
        };
        let d = strips.depth[side.index()];
        let (min, max) = match strips.edges[side.index()] {
            Edge::West => (Point::ORIGIN, Point::new(d, h)),
            Edge::East => (Point::new(w - d, 0.0), Point::new(w, h)),
            Edge::South => (Point::ORIGIN, Point::new(w, d)),
            Edge::North => (Point::new(0.0, h - d), Point::new(w, h)),
        };
        Bounds { min, max }
    }

    /// Judges a placing: whole bases inside the strip, and room.
    pub(crate) fn judge_place(&self, side: Side, place: &Place) -> Result<Posted, Illegal> {
        let refuse = |why: String| Err(Illegal::new("WBK-SCEN-04", why));
        let Some(u) = self.find(place.unit).filter(|&u| self.waits_for_place(u, side)) else {
            return refuse(format!("`{}` is no unit of yours still to be placed", place.unit));
        };
        let card = self.card(u);
        let usual = if card.is_crewed() { Layout::Gun } else { Layout::Cluster };
        let layout = place.layout.unwrap_or(usual);
        if matches!(layout, Layout::Block) {
            return Err(Illegal::new("WBK-CLOSE-11", "no unit begins in Close Order"));
        }
        let fits = if card.is_crewed() {
            layout == Layout::Gun
        } else {
            matches!(layout, Layout::Cluster | Layout::Line)
        };
        if !fits {
            return refuse(format!("{} is placed as {}", card.called(), usual.name()));
        }
        if !place.at.is_finite() || place.facing.is_some_and(|f| f >= 360) {
            return refuse("a place needs ordinary numbers, and a facing of 0 to 359".into());
        }
        let facing = place.facing.unwrap_or(self.unit(u).facing);
        let spot = Spot::of(place.at);
        let n = usize::from(self.unit(u).models);
        let places = self
            .lay_out(u, spot, layout, facing, n, false)
            .map_err(|unfit| Illegal::new("WBK-SCEN-04", self.unfit(u, unfit).why))?;
        let room = self.strip(side).grown(TOLERANCE);
        let inside = places.iter().all(|s| {
            let bounds = self.base_at(u, s.point(), facing).bounds();
            room.contains(bounds.min) && room.contains(bounds.max)
        });
        let gun = layout != Layout::Gun || {
            let at = spot.point();
            room.contains(at - Point::new(1.0, 1.0)) && room.contains(at + Point::new(1.0, 1.0))
        };
        if !inside || !gun {
            let depth = self.field.strips.as_ref().map_or(0.0, |s| s.depth[side.index()]);
            return refuse(format!("{} must stand wholly in its {depth}\" strip", card.called()));
        }
        Ok((u, spot, facing, layout, places))
    }

    /// Some legal place for a unit, found on a grid.
    pub(crate) fn some_place(&self, u: No) -> Option<Place> {
        let side = self.unit(u).side;
        let strip = self.strip(side);
        let unit = self.id(u);
        let layouts: &[Option<Layout>] =
            if self.card(u).is_crewed() { &[None] } else { &[None, Some(Layout::Line)] };
        for &layout in layouts {
            let mut y = strip.min.y + 0.5;
            while y < strip.max.y {
                let mut x = strip.min.x + 0.5;
                while x < strip.max.x {
                    for facing in [self.unit(u).facing, 0, 90] {
                        let place = Place { unit, at: Point::new(x, y), layout, facing: Some(facing) };
                        if self.judge_place(side, &place).is_ok() {
                            return Some(place);
                        }
                    }
                    x += 0.5;
                }
                y += 0.5;
            }
        }
        None
    }

    /// A place at random, if a few tries find one.
    pub(crate) fn random_place(&self, u: No, whim: &mut Whim) -> Option<Place> {
        let side = self.unit(u).side;
        let strip = self.strip(side);
        for _ in 0..12 {
            let at = Point::new(
                whim.between(strip.min.x + 0.5, strip.max.x - 0.5),
                whim.between(strip.min.y + 0.5, strip.max.y - 0.5),
            )
            .round_to(0.001);
            let place = Place { unit: self.id(u), at, layout: None, facing: None };
            if self.judge_place(side, &place).is_ok() {
                return Some(place);
            }
        }
        None
    }
}
