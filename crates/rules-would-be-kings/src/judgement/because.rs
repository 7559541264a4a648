//! Why an answer is proposed: the strongest of the terms that its value is made of.

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
    /// What speaks loudest for an answer to the pending question and against it, in words, the strongest first.
    /// Empty where nothing was weighed term by term.
    pub fn because(&self, action: &Action) -> Vec<(String, f64)> {
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
        ideas.iter().find(|idea| same(&idea.action, action)).map(Idea::reasons).unwrap_or_default()
    }
}
