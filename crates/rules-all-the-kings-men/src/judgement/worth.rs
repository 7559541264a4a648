//! How a battle stands: the features of a position and, by the weights learnt from battles, the odds of winning it.

use tricorne_drill::Terms;
use tricorne_drill::judgement::decided;
use tricorne_game::{Seat, Side};

use super::survey::Survey;
use super::terms::Worth;
use crate::field::{ARMIES, Engagement, Objective};
use crate::rulebook::{Colour, Kind};
use crate::state::Outcome;

impl Engagement {
    /// How a battle stands for a seat.
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let army = self.army_of(seat);
        if let Some(Outcome { winner, .. }) = self.state.outcome {
            return decided(winner, army);
        }
        let red = self.mind.standing(&self.worth_of());
        if army == ARMIES[0] { red } else { -red }
    }

    /// The features of a position for a seat.
    pub(crate) fn features_of(&self, seat: Seat) -> Worth {
        let red = self.worth_of();
        if self.army_of(seat) == ARMIES[0] { red } else { red.turned() }
    }

    /// The features of a position for the red army.
    fn worth_of(&self) -> Worth {
        let less = |of: &dyn Fn(Side) -> f64| of(ARMIES[0]) - of(ARMIES[1]);
        let limit = self.options().turn_limit;
        let left = if limit == 0 { 4.0 } else { f64::from(limit.saturating_sub(u32::from(self.state.turn))) };
        let late = if limit == 0 { 0.3 } else { 1.0 - left / f64::from(limit) };
        let balance = self.balance(ARMIES[0], &self.mind.weighs);
        let nerve = less(&|a| self.nerve(a));
        let score = less(&|a| f64::from(self.score(a))) / 25.0;
        let hold = less(&|a| self.field.objectives.iter().map(|o| self.hold_on(o, a, left)).sum::<f64>());
        let command = less(&|a| {
            let generals = self.seats_of(a).map(|s| &self.state.generals[s.index()]);
            generals.map(|g| if g.present() { 0.02 * f64::from(g.rating) } else { 0.0 }).sum()
        });
        let scored = 0.04 * less(&|a| f64::from(self.state.scored[a.index()]));
        let sum = 4.0 * balance + nerve + scored + hold + command;
        let was = 0.97 * sum / (1.0 + sum.abs());
        let men = |kind: fn(Kind) -> bool| {
            less(&|a| {
                let own = self.of_army(a).filter(|(_, u)| kind(u.kind));
                own.map(|(_, u)| f64::from(u.n) / f64::from(u.n0.max(1))).sum::<f64>()
            }) / 2.0
        };
        let tired = |a: Side| {
            let own = self.of_army(a).filter(|(_, u)| !u.is_mob());
            own.map(|(_, u)| match u.colour {
                _ if u.disorder => 1.0,
                Colour::Green => 0.0,
                Colour::Yellow => 0.4,
                Colour::Red => 0.8,
            })
            .sum::<f64>()
        };
        let survey = Survey::take(self, ARMIES[0]);
        let ([now, threat], [next, menace]) = survey.outlook();
        Worth {
            lead: 2.0 * libm::atanh(was),
            balance,
            nerve,
            score,
            score_late: score * late * late,
            hold,
            hold_late: hold * late * late,
            command,
            foot: men(|k| k == Kind::Infantry),
            horse: men(|k| k == Kind::Cavalry),
            light: men(|k| k == Kind::Skirmisher),
            guns: men(Kind::is_artillery),
            mobs: less(&|a| self.of_army(a).filter(|(_, u)| u.is_mob()).count() as f64) / 2.0,
            tired: (tired(ARMIES[0]) - tired(ARMIES[1])) / 3.0,
            cards: (survey.acts[0] - survey.acts[1]) / 5.0,
            now: (now - threat) / 20.0,
            next: survey.later * (next - menace) / 20.0,
        }
    }

    /// How far an army is from breaking (ATKM-ROUT-04): 0 on the brink, 1 at full strength.
    pub(super) fn nerve(&self, army: Side) -> f64 {
        let began = f64::from(self.state.began[army.index()].max(1));
        let spare = f64::from(self.units_left(army)) / began - self.rules().breaking.army_share;
        (spare / (1.0 - self.rules().breaking.army_share).max(0.01)).clamp(0.0, 1.0)
    }

    /// What an army's grip on a thing fought over is worth, the more the nearer the end.
    pub(super) fn hold_on(&self, objective: &Objective, army: Side, turns_left: f64) -> f64 {
        let late = (1.0 - turns_left / 8.0).clamp(0.2, 1.0);
        let (at, radius, weight) = match objective {
            Objective::Hold { at, radius, score } => (*at, *radius, 0.04 * f64::from(*score) * late),
            Objective::Seize { area } => {
                let b = area.bounds();
                (area.centroid(), b.width().min(b.depth()) / 2.0, 1.6 * late)
            }
            Objective::Occupy { area, from, score } => {
                let b = area.bounds();
                let wait = f64::from(from.saturating_sub(self.state.turn));
                let times = (turns_left + 1.0 - wait).max(0.0);
                (area.centroid(), b.width().min(b.depth()) / 2.0, 0.04 * f64::from(*score) * times)
            }
        };
        let rules = self.rules();
        let mut grip: f64 = 0.0;
        for (_, u) in self.of_army(army).filter(|(_, u)| !u.is_mob()) {
            let gap = (u.middle(rules).distance(at) - radius).max(0.0);
            let near = (1.0 - gap / 24.0).max(0.0);
            let men = f64::from(u.n) / f64::from(u.n0.max(1));
            // Each further unit adds half of what is still open.
            grip += (1.0 - grip) * 0.6 * near * near * men;
        }
        weight * grip
    }
}
