//! Steering an Attack: at the enemy pointed at, straight or round by waypoints.

use smallvec::SmallVec;
use tricorne_game::{Illegal, InOrder, Steer, Wish};
use tricorne_table::{Point, Pose};

use super::Found;
use crate::action::Action;
use crate::attack::{Assault, MOST_WAYPOINTS};
use crate::battle::{Fray, Tried};
use crate::state::No;

/// An enemy is pointed at within this of its box.
const FINGER: f64 = 0.75;
/// How far from the wish an enemy may be and still be meant.
const NEAR: f64 = 8.0;

impl Fray {
    /// The enemy of the acting unit that a place lies on.
    pub(crate) fn pointed_at(&self, place: Point) -> Option<No> {
        let off = |v: No| self.unit(v).anchor.point().distance_squared(place);
        self.enemies(self.acting())
            .filter(|&v| self.bounds(v).grown(FINGER).contains(place))
            .min_by(|&a, &b| off(a).total_cmp(&off(b)))
    }

    /// Where an attack ends.
    pub(crate) fn attack_found(&self, action: Action, assault: &Assault, wish: Point) -> Found {
        // The models that stand badly move up and may take the anchor with them (WBK-MOD-21).
        let at = self.closed(self.acting(), assault).0.point();
        Found { action, end: Pose::new(at, f64::from(assault.facing)), off: at.distance(wish) }
    }

    /// Waypoints by which an Attack might go round what bars the straight way, and by the flanks.
    pub(crate) fn attack_ways(&self, u: No, v: No) -> Vec<Vec<Point>> {
        if self.unit(u).close_order || self.unit(u).garrison.is_some() {
            return Vec::new(); // straight ahead only, WBK-ATT-40; a sally has no waypoints
        }
        let to = self.unit(v).anchor.point();
        let from = self.unit(u).anchor.point();
        let mut ways: Vec<Vec<Point>> = self
            .ways(u, to, Some(v))
            .filter(|w| w.len() <= MOST_WAYPOINTS + 1)
            .map(|mut w| {
                w.pop();
                w
            })
            .take(6)
            .collect();
        // Round the flanks: abreast of the target, clear of its box.
        let berth = self.spread(u) + self.spread(v) + 0.2;
        if let Some(ahead) = (to - from).unit() {
            for side in [1.0, -1.0] {
                ways.push(vec![(to + ahead.quarter_left() * (side * berth)).round_to(0.001)]);
            }
        }
        ways
    }

    /// An Attack on the enemy pointed at, or on one beside the place.
    pub(crate) fn steer_attack(
        &self,
        wish: &Wish,
        judge: impl Fn(No, Vec<Point>) -> Tried<Assault>,
    ) -> Steer<Action> {
        let u = self.acting();
        let tried = |v: No, by: Vec<Point>| {
            judge(v, by).map(|(action, assault)| self.attack_found(action, &assault, wish.place))
        };
        let pointed = self.pointed_at(wish.place);
        let mut near: SmallVec<[(f64, No); 8]> = self
            .enemies(u)
            .map(|v| (self.bounds(v).distance_squared(wish.place), v))
            .filter(|&(d, _)| d <= NEAR * NEAR)
            .collect();
        near.put_in_order(|a, b| a.0.total_cmp(&b.0));
        let meant: SmallVec<[No; 3]> = match pointed {
            Some(v) => std::iter::once(v).collect(),
            None => near.iter().map(|n| n.1).take(3).collect(),
        };
        if meant.is_empty() {
            let why = "point at an enemy to attack it; to go elsewhere declare a Move";
            return Steer::refused(Illegal::new("WBK-ATT-01", why));
        }
        let mut best: Option<Found> = None;
        let mut refusal: Option<Illegal> = None;
        for &v in &meant {
            let mut first = wish.by.clone();
            first.truncate(MOST_WAYPOINTS + 1); // one too many still gets its refusal
            match tried(v, first) {
                Ok(found) => best = Found::nearer(best, Some(found)),
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
        let close = |best: &Option<Found>| best.as_ref().is_some_and(|b| b.off <= 0.1);
        if wish.by.is_empty() && !close(&best) {
            for &v in &meant {
                if pointed.is_none() {
                    // A place beside the enemy: come in by it.
                    let to = self.unit(v).anchor.point();
                    let back = (wish.place - to).unit().unwrap_or_default();
                    for berth in [0.1, 0.5, 1.0] {
                        let by = vec![(wish.place + back * berth).round_to(0.001)];
                        let found = tried(v, by).ok();
                        best = Found::nearer(best, found);
                    }
                }
                if best.is_none() {
                    for by in self.attack_ways(u, v) {
                        let found = tried(v, by).ok();
                        best = Found::nearer(best, found);
                    }
                }
            }
        }
        Self::attack_answer(wish, pointed.is_some(), best, refusal)
    }

    fn attack_answer(
        wish: &Wish,
        pointed: bool,
        best: Option<Found>,
        refusal: Option<Illegal>,
    ) -> Steer<Action> {
        let Some(best) = best else {
            return Steer::refused(
                refusal.unwrap_or_else(|| Illegal::new("WBK-ACT-15", "there is no enemy to attack there")),
            );
        };
        let why = if pointed || best.end.at.distance(wish.place) <= 0.1 {
            None
        } else {
            refusal.or_else(|| {
                let why = "an Attack ends in contact; this is where it touches";
                Some(Illegal::new("WBK-ATT-04", why))
            })
        };
        Steer { action: Some(best.action), end: Some(best.end), why }
    }
}
