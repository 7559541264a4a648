//! Commanders: where they ride, whom they join, and which group a card should wake.

use tricorne_game::{Proposal, Side};
use tricorne_table::{Point, angle};

use super::answers::say;
use super::promise;
use crate::action::{Action, Leg};
use crate::field::{Field, bit};
use crate::model::formation::Body;
use crate::model::measure::Decimal;
use crate::model::{Cr, Kind, Level, Nr};
use crate::state::RED;
use tricorne_drill::Rules;

impl Field {
    /// The middle of a commander's people, and the place behind each that nobody else commands.
    pub(crate) fn seats_behind(&self, c: Cr) -> Vec<Point> {
        let spec = self.chief(c);
        let back = angle::forward(Self::home_bearing(spec.side)) * 5.0;
        let own: Vec<Nr> = self
            .present_of(spec.side)
            .filter(|&u| spec.is_over(self.spec(u)) && self.kind(u) != Kind::Wagon)
            .collect();
        if own.is_empty() {
            return Vec::new();
        }
        let sum = own.iter().fold(Point::ORIGIN, |sum, &u| sum + self.unit(u).body.centroid());
        let middle = sum * (1.0 / own.len() as f64) + back;
        std::iter::once(middle)
            .chain(own.iter().map(|&u| self.unit(u).body.centroid() + back))
            .take(9)
            .collect()
    }

    /// How much of what a commander is over would be out of his reach from a place.
    pub(crate) fn uncommanded(&self, c: Cr, at: Point) -> f64 {
        let spec = self.chief(c);
        let body = Body::of_commander(at, spec.level.base(self.p()));
        let reach = f64::from(self.p().distance.command);
        let others = |u: Nr| {
            self.chiefs().any(|o| {
                o != c
                    && self.chief(o).is_over(self.spec(u))
                    && (self.commander(o).host.is_some_and(|h| self.group_of(h) & bit(u) != 0)
                        || self.commander(o).host.is_none()
                            && self.commander_body(o).gap(&self.unit(u).body) <= reach)
            })
        };
        self.present_of(spec.side)
            .filter(|&u| spec.is_over(self.spec(u)) && self.kind(u) != Kind::Wagon)
            .filter(|&u| body.gap(&self.unit(u).body) > reach - 1.0)
            .map(|u| if others(u) { 0.15 } else { 1.0 })
            .sum()
    }

    /// How safe a place is for a commander: enemies near it are a danger.
    pub(super) fn exposure(&self, side: Side, at: Point) -> f64 {
        let near = self
            .present_of(side.enemy())
            .map(|e| self.unit(e).body.centroid().distance(at))
            .fold(f64::INFINITY, f64::min);
        ((11.0 - near) / 4.0).max(0.0)
    }

    /// Where a commander might ride: behind his people, or where he is.
    pub(crate) fn propose_rides(&self, c: Cr, escape: bool) -> Vec<Proposal<Action>> {
        let spec = self.chief(c);
        let here = self.commander(c).at();
        let own: Vec<Nr> = self
            .present_of(spec.side)
            .filter(|&u| spec.is_over(self.spec(u)) && self.kind(u) != Kind::Wagon)
            .collect();
        let home = Self::home_bearing(spec.side);
        let mut places: Vec<Point> = Vec::new();
        if !own.is_empty() {
            let sum = own.iter().fold(Point::ORIGIN, |sum, &u| sum + self.unit(u).body.centroid());
            let middle = sum * (1.0 / own.len() as f64);
            places.push(middle + angle::forward(home) * 5.0);
            places.push(middle + angle::forward(home) * 8.0);
            if spec.level != Level::Regimental {
                // Behind each unit that nobody else commands.
                let lone = own.iter().filter(|&&u| self.spec(u).regiment.is_none());
                places.extend(lone.map(|&u| self.unit(u).body.centroid() + angle::forward(home) * 5.0));
            }
        }
        if escape {
            places.extend((0..8).map(|i| here + angle::forward(f64::from(i) * 45.0) * 12.0));
        }
        let score = |at: Point| -2.0 * self.uncommanded(c, at) - 3.0 * self.exposure(spec.side, at);
        let mut all = Vec::new();
        let mut keep = |action: Action| {
            if let Ok(Some(end)) = self.end_pose(&action) {
                all.push(Proposal::new(action, promise(score(end.at))));
            }
        };
        keep(Action::Path(vec![]));
        for place in places.into_iter().take(12) {
            let place =
                Point::new(place.x.clamp(1.0, self.b.width - 1.0), place.y.clamp(1.0, self.b.height - 1.0));
            let straight = Action::Path(vec![Leg::To(Decimal::of(place.x), Decimal::of(place.y))]);
            if self.check(&straight).is_ok() {
                keep(straight);
            } else if let Ok(steer) = self.steer_ride(c, &super::answers::wish_for(place))
                && let Some(action) = steer.action
            {
                keep(action);
            }
        }
        if escape {
            all.push(Proposal::new(Action::Pass, 0.01));
        }
        all
    }

    /// Whether a commander who went with a unit would leave others of his without command.
    fn would_leave(&self, c: Cr, u: Nr) -> bool {
        let spec = self.chief(c);
        let group = self.group_of(u);
        self.present_of(spec.side)
            .any(|o| spec.is_over(self.spec(o)) && group & bit(o) == 0 && self.kind(o) != Kind::Wagon)
    }

    /// Whether a unit is sound enough for somebody to trust himself to it: what leaves the table takes him along, and he
    /// costs army morale (VF-CMD-26).
    fn trusty(&self, u: Nr) -> bool {
        let unit = self.unit(u);
        let y = unit.body.centroid().y;
        let edge = if self.side(u) == RED { y } else { self.b.height - y };
        !unit.shaken && !unit.routed && edge > 4.0 && !self.past_threshold(u, self.lost(u) + 2)
    }

    /// Whom a commander might join. Attached he keeps up with his people, spends no card on it and is not ridden down
    /// (VF-CAPTURE-06); the army commander steadies his host (VF-MORALE-05) and commands nobody else.
    pub(crate) fn propose_attachments(&self, c: Cr, group: bool) -> Vec<Proposal<Action>> {
        let w = self.weighs();
        let spec = self.chief(c);
        let mut all = vec![say(Action::Pass, promise(0.0))];
        for u in self.present_of(spec.side).filter(|&u| self.may_host(c, group, u)) {
            let unit = self.unit(u);
            let mut worth = if self.trusty(u) { 0.0 } else { -4.0 };
            if spec.level != Level::Regimental && self.would_leave(c, u) {
                worth -= w.leave;
            }
            let danger = || {
                let outlook = self.survey(u).outlook(self, unit.place.pose(), unit.formation);
                outlook.danger[0]
            };
            worth += match spec.level {
                Level::Army => w.general * danger(),
                Level::Wing => 0.5 * w.colonel,
                Level::Regimental => w.colonel,
            };
            // The one with more men left is the safer to ride with.
            worth += 0.2 * f64::from(unit.strength) / f64::from(self.spec(u).start.max(1));
            all.push(say(Action::Attach(self.spec(u).id), promise(worth)));
        }
        all
    }

    /// Who leaves his unit at the start of a turn: whoever rides with one that is going to pieces, and an army commander
    /// who is not wanted there (VF-TURN-24).
    pub(crate) fn propose_release(&self, side: Side) -> Vec<Proposal<Action>> {
        let w = self.weighs();
        let leaves = |c: &Cr| {
            let Some(host) = self.commander(*c).host else { return false };
            if !self.trusty(host) {
                return true;
            }
            let unit = self.unit(host);
            self.chief(*c).level != Level::Regimental && self.would_leave(*c, host) && {
                let outlook = self.survey(host).outlook(self, unit.place.pose(), unit.formation);
                w.general * outlook.danger[0] < w.leave
            }
        };
        let some = self.attached(side).filter(leaves).map(|c| self.chief(c).id).collect();
        vec![say(Action::Release(some), 0.6), say(Action::Release(vec![]), 0.4)]
    }
}
