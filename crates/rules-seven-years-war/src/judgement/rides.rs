//! Where generals ride: within hearing of those they may have to order, beside those who fight, out of harm's way.

use smallvec::SmallVec;
use tricorne_table::{Point, angle};

use crate::judgement::Weighed;
use crate::judgement::survey::{Friend, Survey};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::model::state::Order;

/// How far behind the middle of a group its general rides: near enough to steady it (SYW-MORALE-13), too far to be hit
/// with it (SYW-GEN-19).
const BEHIND: f64 = 6.0;
/// No nearer to the enemy than this, unless friends are between.
const AWAY: f64 = 16.0;

impl SevenYearsBattle {
    pub(crate) fn weigh_rides(&self, survey: &Survey, all: &mut Weighed) {
        let reach = self.fixed.book.general.speed;
        for i in GeneralIx::first(self.s.generals.len()) {
            let general = &self.s.generals[usize::from(i)];
            if general.side != survey.side || general.moved || !general.is_present() {
                continue;
            }
            let brigade: SmallVec<[&Friend; 16]> = survey
                .friends
                .iter()
                .filter(|f| general.cinc || self.group(f.g).command == Some(i))
                .collect();
            let here = self.post_worth(survey, &brigade, general.at);
            let mut best: Option<(f64, Point)> = None;
            let behind = |f: &Friend| f.at - angle::forward(f.facing) * BEHIND;
            let mut places: SmallVec<[Point; 16]> = brigade.iter().map(|f| behind(f)).collect();
            let weight: f64 = brigade.iter().map(|f| f.worth.max(1.0)).sum();
            if weight > 0.0 {
                let sum = brigade.iter().fold(Point::ORIGIN, |s, f| s + behind(f) * f.worth.max(1.0));
                places.push(sum * (1.0 / weight));
            }
            for place in places {
                let far = place.distance(general.at);
                let place = if far > reach { general.at.lerp(place, (reach - 0.1) / far) } else { place };
                let worth = self.post_worth(survey, &brigade, place);
                if best.is_none_or(|b| worth > b.0) {
                    best = Some((worth, place));
                }
            }
            let Some((worth, place)) = best else { continue };
            if worth < here + 0.3 || place.distance(general.at) < 3.0 {
                continue;
            }
            let wish = tricorne_game::Wish {
                action: Some("general".into()),
                unit: Some(general.id),
                place,
                facing: None,
                by: Vec::new(),
            };
            let steer = self.steer_ride(i, &wish);
            let there = steer.end.map_or(general.at, |e| e.at);
            if let Some(action) = steer.action
                && there.distance(general.at) > 2.0
            {
                all.push(action, 1.0, ("within hearing of his brigade", "SYW-ORDER-09"));
                return;
            }
        }
    }

    /// What a place is worth to a general: whom he can reach from there with an order, and whom he steadies.
    fn post_worth(&self, survey: &Survey, brigade: &[&Friend], place: Point) -> f64 {
        let w = &self.mind.weighs;
        let mut sum = 0.0;
        for f in brigade {
            let near = f.nearest.map_or(100.0, |n| n.1);
            let urgent = 0.5 + 20.0 / (10.0 + near) + if f.order == Order::Rout { 1.0 } else { 0.0 };
            let far = (place.distance(f.at) - 2.0).max(0.0);
            let faces = (2..=5).filter(|&face| far <= f64::from(face) * 10.0).count();
            sum += w.ride * f.worth.max(2.0) * urgent * (faces as f64 + 1.0) / 6.0;
            // SYW-MORALE-13: five times a D4.
            if near < 14.0 && f.order != Order::Rout {
                let gap = (far - 4.0).max(0.0);
                let helps = (1..=4).filter(|&face| gap <= f64::from(face) * 5.0).count();
                sum += w.ride_to_fight * f.worth * helps as f64 / 4.0;
            }
        }
        for foe in survey.foes.iter().filter(|e| !e.running) {
            let far = foe.bounds.distance_squared(place).sqrt();
            if far < AWAY {
                let screened = survey
                    .friends
                    .iter()
                    .any(|f| f.bounds.distance_squared(place.lerp(foe.at, 0.5)) < 4.0 * 4.0);
                if !screened {
                    sum -= (AWAY - far) * 0.3;
                }
            }
        }
        sum
    }
}
