//! All other decisions: which unit, who loses its turn, who gets the card or the points, whether to pursue.

use smallvec::SmallVec;
use tricorne_chance::Bins;
use tricorne_game::{InOrder, Seat, Side};

use super::ideas::{Idea, Ideas};
use super::survey::{Survey, brief};
use crate::action::{Action, Gift};
use crate::field::Engagement;
use crate::rulebook::Kind;
use crate::state::{Activation, Benefit, UnitNo};

/// Units whose best ideas are thought through before one is chosen.
const CONSIDERED: usize = 3;

pub(super) fn offered(action: Action, value: f64) -> (f64, Action) {
    (value, action)
}

impl Engagement {
    /// D8: the unit with the best thing to do; the general by a King; or nobody.
    pub(crate) fn propose_unit(&self, seat: Seat) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.army_of(seat));
        let weighs = survey.weighs;
        let benefit = self.benefit();
        let mut units: SmallVec<[(f64, UnitNo, f64, Ideas); 12]> = SmallVec::new();
        for (i, us) in survey.own.iter().enumerate() {
            let Ok(price) = self.judge_choice(seat, us.no) else { continue };
            let price = weighs.point * f64::from(price);
            let ideas = survey.ideas(i, benefit);
            // Who has a mark has something to do; of others that is judged.
            let marked = ideas.iter().any(|(_, idea)| matches!(idea, Idea::Fire(_)));
            if !marked && self.judge_activate(seat, us.unit.id).is_err() {
                continue;
            }
            let best = ideas.first().map_or(f64::NEG_INFINITY, |(value, _)| *value);
            units.push((best - price, us.no, price, ideas));
        }
        // The best-looking are thought through: what can really be done there, until one stays the best.
        for _ in 0..CONSIDERED {
            let Some(i) = (0..units.len()).max_by(|&a, &b| units[a].0.total_cmp(&units[b].0)) else { break };
            let (value, no, price, ideas) = &units[i];
            // A price below nought marks what has been thought through.
            if *value <= weighs.least || *price < 0.0 {
                break;
            }
            let mut a = self.fresh(*no, benefit);
            a.seat = seat;
            let real = survey.best_part(&a, ideas) - price;
            (units[i].0, units[i].2) = (real, -1.0);
        }
        let mut out: Vec<(f64, Action)> = units
            .iter()
            .map(|(value, no, ..)| offered(Action::Activate { unit: self.unit(*no).id }, *value))
            .collect();
        if benefit == Benefit::King {
            // ATKM-CARD-06: a King is an act as well; nobody spends one to ride a yard.
            let from = self.state.generals[seat.index()].at;
            let rides = self.rides(seat, weighs.kings_ride).into_iter();
            out.extend(rides.filter(|(value, ride)| {
                *value > weighs.kings_least
                    && !matches!(ride, Action::MoveGeneral { to } if to.distance(from) < weighs.kings_way)
            }));
        }
        if self.judge_pass().is_ok() {
            out.push(offered(Action::Pass, weighs.least));
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

    /// D5, D6: the enemy whose acts we fear most, or of our own the one we can spare.
    pub(crate) fn propose_disorder(&self, seat: Seat, army: Side) -> Vec<(f64, Action)> {
        let survey = Survey::take(self, self.army_of(seat));
        let own = army == survey.army;
        self.disorderable(army)
            .map(|no| {
                let side = if own { &survey.own } else { &survey.enemy };
                let value = side.iter().position(|b| b.no == no).map_or(0.0, |i| {
                    let mut halted = side[i];
                    let acts = halted.acts() as f64;
                    halted.unit.disorder = true;
                    let variant = survey.variant(own, i, Some(halted));
                    let after = if own {
                        survey.value(Some(&variant), None)
                    } else {
                        survey.value(None, Some(&variant))
                    };
                    // Acts that bring nothing now may bring something later.
                    let idle = 0.01 * acts * side[i].worth;
                    after - survey.base + if own { -idle } else { idle }
                });
                offered(Action::Disorder { unit: self.unit(no).id }, value)
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
                let mut values: SmallVec<[f64; 16]> = (0..survey.own.len())
                    .filter(|&i| survey.own[i].unit.owner == seat)
                    .filter(|&i| self.judge_choice(seat, survey.own[i].no).is_ok())
                    .map(|i| survey.best_idea(i, if benefit { card } else { Benefit::None }))
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

    /// D4: points go where units stand out of their general's reach.
    pub(crate) fn propose_gifts(&self, seat: Seat) -> Vec<(f64, Action)> {
        let army = self.army_of(seat);
        let distant = |s: Seat| {
            self.of_army(army)
                .filter(|(_, u)| u.owner == s && u.kind != Kind::Skirmisher && !self.in_command(u))
                .count() as i32
        };
        let most = self.rules().general.most_points;
        let mut purse = i32::from(self.state.generals[seat.index()].points);
        let mut gifts: Vec<Gift> = Vec::new();
        let own = distant(seat);
        let mut held: Vec<(Seat, i32, i32)> = self
            .seats_of(army)
            .filter(|&s| s != seat)
            .map(|s| (s, distant(s), i32::from(self.state.generals[s.index()].points)))
            .collect();
        // One by one to whoever lacks most, as long as he lacks more than the giver.
        while purse > 0 {
            let Some((to, need, has)) = held
                .iter_mut()
                .filter(|(_, _, has)| *has < i32::from(most))
                .max_by_key(|(_, need, has)| *need - *has)
                .map(|(to, need, has)| (*to, *need, has))
            else {
                break;
            };
            if need - *has <= own - purse + 1 || need <= *has {
                break;
            }
            *has += 1;
            purse -= 1;
            match gifts.iter_mut().find(|g| g.to == to) {
                Some(gift) => gift.points += 1,
                None => gifts.push(Gift { to, points: 1 }),
            }
        }
        let mut out = vec![offered(Action::Give(Vec::new()), 0.0)];
        if !gifts.is_empty() && self.judge_gifts(army, &gifts).is_ok() {
            out.push(offered(Action::Give(gifts), 1.0));
        }
        out
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

impl Survey<'_> {
    /// The best thing to do, for choosing among units.
    fn best_idea(&self, i: usize, benefit: Benefit) -> f64 {
        self.ideas(i, benefit).first().map_or(f64::NEG_INFINITY, |(value, _)| *value)
    }
}
