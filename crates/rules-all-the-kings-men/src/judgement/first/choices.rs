//! All other decisions: which unit, who loses its turn, who acts next, whether to pursue.

use smallvec::SmallVec;
use tricorne_chance::Bins;
use tricorne_game::{InOrder, Seat, Side};

use super::First;
use super::survey::{Survey, brief};
use crate::action::Action;
use crate::judgement::choices::offered;
use crate::rulebook::Colour;
use crate::state::{Activation, Benefit, Unit, UnitNo};

/// What an activation must bring at least to be worth its card.
const LEAST: f64 = 0.05;
/// What a command point is worth.
const POINT: f64 = 0.15;

impl First<'_> {
    /// D8: the unit with the best thing to do; the general by a King; or nobody.
    pub(crate) fn propose_unit(&self, seat: Seat) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.army_of(seat));
        let benefit = self.benefit();
        let mut units: SmallVec<[(f64, UnitNo, f64); 16]> = SmallVec::new();
        for us in &survey.own {
            let Some(price) = self.takes(seat, us.no) else { continue };
            let price = POINT * f64::from(price);
            units.push((survey.best_idea(us, benefit) - price, us.no, price));
        }
        // The best-looking are thought through: what can really be done there, until one stays the best.
        for _ in 0..4 {
            let Some(i) = (0..units.len()).max_by(|&a, &b| units[a].0.total_cmp(&units[b].0)) else { break };
            let (value, no, price) = units[i];
            // A price below nought marks what has been thought through.
            if value <= LEAST || price < 0.0 {
                break;
            }
            let mut a = self.fresh(no, benefit);
            a.seat = seat;
            let real = survey.best_part(&a) - price;
            units[i] = (real, no, -1.0);
        }
        let mut out: Vec<(f64, Action)> = units
            .iter()
            .map(|&(value, no, _)| offered(Action::Activate { unit: self.unit(no).id }, value))
            .collect();
        if benefit == Benefit::King {
            out.extend(self.rides(seat, 0.6));
        }
        if self.judge_pass().is_ok() {
            out.push(offered(Action::Pass, LEAST));
        }
        out
    }

    /// D10.
    pub(crate) fn propose_part(&self, a: &Activation) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.unit(a.unit).army);
        let parts = survey.parts(a);
        let mut out: Vec<(f64, Action)> = parts.into_iter().map(|(action, v)| offered(action, v)).collect();
        if out.is_empty() {
            // Nothing good: the smallest part there is, since a program never takes its choice back.
            out.extend(self.some_part(a.unit, a.benefit).map(|p| offered(p, -1.0)));
        }
        out
    }

    /// D5, D6: the enemy who could hurt us most, or of our own the one we can spare.
    pub(crate) fn propose_disorder(&self, seat: Seat, army: Side) -> Vec<(f64, Action)> {
        let chooser = self.army_of(seat);
        let survey = Survey::take(self, army);
        let acts = |u: &Unit| match u.colour {
            Colour::Green => 3.0,
            Colour::Yellow => 2.0,
            Colour::Red => 1.0,
        };
        self.disorderable(army)
            .map(|no| {
                let unit = self.unit(no);
                let idea = survey.brief(no).map_or(0.0, |us| survey.best_idea(us, Benefit::None));
                let use_of_it = if unit.disorder { 0.0 } else { (idea + 1.0).max(0.2) * acts(unit) };
                let value = if army == chooser { -use_of_it } else { use_of_it };
                offered(Action::Disorder { unit: unit.id }, value)
            })
            .collect()
    }

    /// D7 and who acts next: whoever has the best use for it.
    pub(crate) fn propose_seat(&self, benefit: bool) -> Vec<(f64, Action)> {
        let Some(play) = &self.state.play else { return Vec::new() };
        let survey = Survey::take(self, play.army);
        let card = crate::turn::cards::benefit_of(play.card);
        play.queue
            .iter()
            .map(|&seat| {
                let mut values: SmallVec<[f64; 16]> = survey
                    .own
                    .iter()
                    .filter(|u| u.unit.owner == seat && self.judge_choice(seat, u.no).is_ok())
                    .map(|u| survey.best_idea(u, if benefit { card } else { Benefit::None }))
                    .collect();
                values.put_in_order(|a, b| b.total_cmp(a));
                let best = values.first().copied().unwrap_or(-1.0);
                let second = values.get(1).copied().unwrap_or(0.0).max(0.0);
                let value = if benefit && card == Benefit::Ace { best + second } else { best };
                let action = if benefit { Action::Benefit { seat } } else { Action::Next { seat } };
                offered(action, value)
            })
            .collect()
    }

    /// D12: dice for the troopers left against a marker.
    pub(crate) fn propose_pursuit(&self, unit: UnitNo, mob: UnitNo) -> Vec<(f64, Action)> {
        let them = brief(self, mob, self.unit(mob));
        let us = self.unit(unit);
        let need = Bins::at_least(self.rules().dice.pursuit);
        let share = f64::from(need.width(0)) / 6.0;
        let fallen = f64::from(us.n) * share;
        let spare = f64::from(them.unit.n.saturating_sub(them.breaks_at)).max(1.0);
        let value = fallen * them.man + (fallen / spare).min(1.0) * 0.5 * them.colours;
        // The marker only costs the one activation that a red unit has left.
        vec![offered(Action::Pursue, value), offered(Action::Decline, 0.8)]
    }
}
