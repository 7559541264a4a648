//! Commanders: where they ride, whom they join, and which group a card should wake.

use tricorne_game::{InOrder, Proposal, Side};

use super::First;
use crate::action::Action;
use crate::field::bits;
use crate::model::{Cr, Kind, Level, Nr};
use crate::state::RED;

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
            unit.body.zone(self.unit(e).body.reference(), self.p().fire.arc.slope)
                == crate::model::formation::Zone::Front
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

    /// Whom a commander might join. On his own he commands as well and risks less.
    pub(crate) fn propose_attachments(&self, c: Cr, group: bool) -> Vec<Proposal<Action>> {
        let spec = self.chief(c);
        let mut all = vec![Proposal::new(Action::Pass, 0.5)];
        for u in self.present_of(spec.side).filter(|&u| self.may_host(c, group, u)) {
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
