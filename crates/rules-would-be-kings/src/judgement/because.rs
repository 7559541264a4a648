//! Why an answer is proposed: the strongest of the terms that its value is made of.

use tricorne_game::Because;

use super::ideas::Idea;
use crate::action::{Action, Declare};
use crate::battle::{Asked, Fray};

/// Whether an idea is the one asked about; the way an attack goes round by is settled later.
fn same(idea: &Action, asked: &Action) -> bool {
    match (idea, asked) {
        (Action::Declare(a), Action::Declare(b)) => {
            Declare { waypoints: Vec::new(), ..b.clone() } == Declare { waypoints: Vec::new(), ..a.clone() }
        }
        (Action::Charge(a), Action::Charge(b)) => a.target == b.target,
        _ => idea == asked,
    }
}

impl Fray {
    /// See [`tricorne_game::Battle::because`].
    pub(crate) fn reasons_for(&self, action: &Action) -> Vec<Because> {
        let Some(question) = self.state.asked else { return Vec::new() };
        let ideas: Vec<Idea> = match question {
            Asked::Declaring(_) => self.with_officer(|o| self.order_ideas(o)),
            Asked::Marching(march) => self.with_officer(|o| {
                let mut all = self.move_ideas(o, march, super::WEIGHED);
                all.extend(self.charge_ideas(o));
                all
            }),
            Asked::Charging(_) => self.with_officer(|o| self.charge_ideas(o)),
            Asked::Shooting(_) => self.with_officer(|o| self.shot_ideas(o)),
            Asked::AfterMelee(won) => self.with_officer(|o| self.victor_ideas(o, &won)),
            _ => Vec::new(),
        };
        let idea = ideas.iter().find(|idea| same(&idea.action, action));
        idea.map(|idea| Because::strongest(idea.why.iter().copied())).unwrap_or_default()
    }
}
