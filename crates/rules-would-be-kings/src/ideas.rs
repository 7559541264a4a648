//! Answers a player might think of where there are too many to list. Whether they are legal is judged elsewhere.

use arrayvec::ArrayVec;
use tricorne_chance::Whim;
use tricorne_table::Point;

use crate::action::{Action, Go};
use crate::battle::Fray;
use crate::state::{MAX_UNITS, No, Spot};

type Units = ArrayVec<No, MAX_UNITS>;

impl Fray {
    /// An enemy at random.
    pub(crate) fn any_enemy(&self, u: No, whim: &mut Whim) -> Option<No> {
        let enemies: Units = self.enemies(u).collect();
        whim.one_of(&enemies).copied()
    }

    /// An enemy at random, the nearer ones more often.
    pub(crate) fn likely_enemy(&self, u: No, whim: &mut Whim) -> Option<No> {
        let here = self.unit(u).anchor.point();
        let far = |v: No| self.unit(v).anchor.point().distance_squared(here);
        let (a, b) = (self.any_enemy(u, whim)?, self.any_enemy(u, whim)?);
        Some(if far(a) <= far(b) { a } else { b })
    }

    /// Attacks by waypoints: round what bars the straight way, and by the flanks.
    pub(crate) fn likely_flank_attacks(
        &self,
        u: No,
        reach: f64,
    ) -> impl Iterator<Item = (No, Vec<Point>)> + '_ {
        let may = self.may_attack_at_all(u).is_ok();
        self.enemies(u)
            .filter(move |&v| may && self.within(u, v, reach))
            .flat_map(move |v| self.attack_ways(u, v).into_iter().map(move |by| (v, by)))
    }

    /// Moves a player would think of: at each enemy, round the compass, to the markers, the exits and the cover.
    pub(crate) fn likely_moves(&self, u: No) -> Vec<Action> {
        let inches = self.inches();
        let here = self.unit(u).anchor.point();
        if self.unit(u).garrison.is_some() {
            return Vec::new();
        }
        let mut aims: Vec<(Point, f64)> = Vec::new();
        for v in self.enemies(u) {
            if let Some(aim) = (self.unit(v).anchor.point() - here).unit() {
                aims.push((aim, inches.min((self.gap(u, v) - 0.1).max(0.0))));
                aims.push((aim * -1.0, inches));
            }
        }
        let mut places: Vec<Point> = self.field.victory.markers.iter().map(|m| m.at).collect();
        for exit in self.field.victory.exits.iter().filter(|e| e.side == self.unit(u).side) {
            let along = (
                (exit.from + exit.to) * 0.5,
                here.x.clamp(exit.from, exit.to),
                here.y.clamp(exit.from, exit.to),
            );
            places.push(match exit.edge {
                tricorne_table::Edge::East => Point::new(self.field.width, along.2),
                tricorne_table::Edge::West => Point::new(0.0, along.2),
                tricorne_table::Edge::North => Point::new(along.1, self.field.height),
                tricorne_table::Edge::South => Point::new(along.1, 0.0),
            });
        }
        places.extend(
            self.field
                .land
                .covering
                .iter()
                .filter_map(|&i| self.field.land.pieces[i].area().map(tricorne_table::Area::centroid)),
        );
        for place in places {
            if let Some(aim) = (place - here).unit() {
                aims.push((aim, inches.min(place.distance(here) + 3.0)));
            }
        }
        aims.extend((0..8).map(|i| (crate::model::base::forward(i * 45), inches)));
        let point = |(aim, far): (Point, f64)| Spot::of(here + aim * far).point();
        aims.into_iter()
            .map(|aim| Action::Go(Go { path: vec![point(aim)], layout: None, facing: None }))
            .collect()
    }
}
