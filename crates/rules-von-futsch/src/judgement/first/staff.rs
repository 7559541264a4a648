//! Commanders: where they ride, whom they join, and which group a card should wake.

use super::First;
use tricorne_game::{InOrder, Proposal, Side};
use tricorne_table::{Point, angle};

use super::promise;
use crate::action::{Action, Leg};
use crate::field::{Field, bit, bits};
use crate::model::formation::Body;
use crate::model::measure::Decimal;
use crate::model::{Cr, Kind, Level, Nr};
use crate::state::RED;
use tricorne_drill::Rules;

impl First<'_> {
    /// What waking a unit now promises, at a glance: who can hurt somebody or mend himself comes first.
    fn urgency(&self, u: Nr) -> f64 {
        let unit = self.unit(u);
        let side = self.side(u);
        let gap = self.nearest_enemy(side, &unit.body).map_or(60.0, |(_, g)| f64::from(g) / 1000.0);
        let worth = self.left_of(u) / 30.0;
        if unit.shaken {
            return 0.8 * worth;
        }
        if unit.disordered {
            return worth * if gap < 16.0 { 2.2 } else { 1.6 };
        }
        let ahead = self.present_of(side.enemy()).any(|e| {
            unit.body.zone(self.unit(e).body.reference()) == crate::model::formation::Zone::Front
                && unit.body.may_reach(&self.unit(e).body, 14.0)
        });
        let strikes = match self.kind(u) {
            Kind::Artillery if gap <= 12.0 => 3.0,
            Kind::Artillery => 2.2,
            Kind::Infantry if gap <= 11.0 => 4.0,
            Kind::Skirmish if gap <= 12.0 => 2.5,
            Kind::Heavy | Kind::Light if gap <= 18.0 => 3.0,
            Kind::Wagon => match self.b.objective {
                crate::brief::Objective::Convoy { wagon, .. } if wagon == u => 6.0,
                _ => 0.2,
            },
            _ => 1.2,
        };
        worth * strikes * if ahead { 1.25 } else { 1.0 }
    }

    /// Which group or commander to wake.
    pub(crate) fn propose_activations(&self, side: Side) -> Vec<Proposal<Action>> {
        let mut all = vec![Proposal::new(Action::Pass, 0.05)];
        let mut groups: Vec<(u64, f64)> = self
            .open_groups(side)
            .into_iter()
            .map(|group| {
                let sum: f64 = bits(self.fresh(group)).map(|u| self.urgency(u)).sum();
                let ordered = if self.in_command(group) { 1.0 } else { 0.55 };
                (group, sum * ordered)
            })
            .collect();
        groups.put_in_order(|a, b| b.1.total_cmp(&a.1));
        for (group, urgency) in groups {
            if let Some(first) = bits(self.fresh(group)).next() {
                let action = Action::Activate(self.spec(first).id);
                all.push(Proposal::new(action, 0.2 + 0.7 * urgency / (urgency + 8.0)));
            }
        }
        for c in self.loose_chiefs(side).filter(|&c| !self.commander(c).turn.activated) {
            let away = self.uncommanded(c, self.commander(c).at());
            // A ride is worth a card when it brings troops back into command, or the last cards are spare.
            let worth = if away > 0.0 { 0.22 + 0.25 * away / (away + 2.0) } else { 0.08 };
            all.push(Proposal::new(Action::Activate(self.chief(c).id), worth));
        }
        all
    }

    /// How much of what a commander is over would be out of his reach from a place.
    fn uncommanded(&self, c: Cr, at: Point) -> f64 {
        let spec = self.chief(c);
        let body = Body::of_commander(at, spec.level.base());
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
    fn exposure(&self, side: Side, at: Point) -> f64 {
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
        let home = Field::home_bearing(spec.side);
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

    /// Whom a commander might join. On his own he commands as well and risks less.
    pub(crate) fn propose_attachments(&self, c: Cr, group: bool) -> Vec<Proposal<Action>> {
        let spec = self.chief(c);
        let mut all = vec![Proposal::new(Action::Pass, 0.5)];
        for u in self.present_of(spec.side).filter(|&u| self.judge_attach(c, group, u).is_ok()) {
            let unit = self.unit(u);
            let edge = if spec.side == RED {
                unit.body.centroid().y
            } else {
                self.b.height - unit.body.centroid().y
            };
            let sound =
                if unit.shaken || unit.routed || edge < 5.0 { -0.3 } else { 0.05 * self.left_of(u) / 40.0 };
            let host = match spec.level {
                // Lost with his host he costs army morale (VF-CMD-26), so he rides behind it if he can keep up.
                Level::Regimental => 0.4 + sound,
                Level::Wing => 0.35 + sound,
                Level::Army => {
                    let alone = self.uncommanded(c, self.commander(c).at()) <= 0.0;
                    let lone = self.present_of(spec.side).any(|o| self.spec(o).regiment.is_none());
                    if alone && lone { 0.35 } else { 0.42 }
                }
            };
            all.push(Proposal::new(Action::Attach(self.spec(u).id), host));
        }
        all
    }
}
