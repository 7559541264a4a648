//! Free deployment (WBK-SCEN-04).

use tricorne_chance::{Chance, Whim};
use tricorne_game::{Event, Illegal, Log, Side};
use tricorne_table::{Bounds, Edge, Point};

use crate::action::Place;
use crate::base::TOLERANCE;
use crate::battle::WbkBattle;
use crate::state::{Fate, IMPERIAL, Layout, NATIVE, Places, Spot, Stage};
use crate::turn::side_name;

impl WbkBattle {
    /// After the leaders are rolled: free deployment if the scenario wants it, else the first round.
    pub(crate) fn deploy(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        if self.field.strips.is_none() {
            self.begin_rounds(chance, log);
            return;
        }
        let dice = [chance.d6("deploy"), chance.d6("deploy")];
        // The lower places first, the native side on a tie; the other side moves first.
        let places_first = if dice[0] < dice[1] { IMPERIAL } else { NATIVE };
        self.state.first = places_first.enemy();
        log.say(|| {
            Event::new("deploy", "WBK-SCEN-04")
                .faces(&dice)
                .outcome("order")
                .with("first", side_name(places_first))
        });
        self.ask_to_place(places_first, chance, log);
    }

    /// The next unit is to be placed by `side`, or by the other if it has none left.
    pub(crate) fn ask_to_place(&mut self, side: Side, chance: &mut dyn Chance, log: &mut Log) {
        for side in [side, side.enemy()] {
            // The program's units wait in the pool (WBK-SOLO-01).
            if self.field.program() == Some(side) {
                continue;
            }
            for u in 0..self.state.units.len() {
                if !self.waits_for_place(u, side) {
                    continue;
                }
                if self.some_place(u).is_some() {
                    self.state.stage = Stage::Deploy(side);
                    return;
                }
                self.state.units[u].fate = Fate::LeftOut;
                let who = self.id(u);
                log.say(|| Event::new("deploy", "WBK-SCEN-04").who(who).outcome("no room"));
            }
        }
        self.begin_rounds(chance, log);
    }

    /// Whether a unit of a side is still to be placed.
    pub(crate) fn waits_for_place(&self, u: usize, side: Side) -> bool {
        self.unit(u).side == side && self.unit(u).fate == Fate::ToCome
    }

    /// The strip of a side.
    pub(crate) fn strip(&self, side: Side) -> Bounds {
        let (w, h) = (self.field.width, self.field.height);
        let Some(strips) = &self.field.strips else {
            return Bounds::of_pair(Point::ORIGIN, Point::new(w, h));
        };
        let d = strips.depth;
        let (min, max) = match strips.edges[side.index()] {
            Edge::West => (Point::ORIGIN, Point::new(d, h)),
            Edge::East => (Point::new(w - d, 0.0), Point::new(w, h)),
            Edge::South => (Point::ORIGIN, Point::new(w, d)),
            Edge::North => (Point::new(0.0, h - d), Point::new(w, h)),
        };
        Bounds { min, max }
    }

    /// Judges a placing: whole bases inside the strip, and room.
    pub(crate) fn judge_place(
        &self,
        side: Side,
        place: &Place,
    ) -> Result<(usize, Spot, u16, Layout, Places), Illegal> {
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
            let depth = self.field.strips.as_ref().map_or(0.0, |s| s.depth);
            return refuse(format!("{} must stand wholly in its {depth}\" strip", card.called()));
        }
        Ok((u, spot, facing, layout, places))
    }

    /// Some legal place for a unit, found on a grid.
    pub(crate) fn some_place(&self, u: usize) -> Option<Place> {
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
    pub(crate) fn random_place(&self, u: usize, whim: &mut Whim) -> Option<Place> {
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
