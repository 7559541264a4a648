//! What a player might think of for a unit, whether the rules allow it now or not.

use tricorne_drill::{Asks, Rules};
use tricorne_game::InOrder;
use tricorne_game::UnitId;

use crate::action::{Action, ActionKind, Flight};
use crate::field::Field;
use crate::questions::Questions;
use crate::state::Response;

impl Field {
    /// One answer or several of each kind for a unit in the pending decision, with their names. Whether one is allowed, the judge says.
    pub(crate) fn courses_of(&self, id: UnitId) -> Vec<(String, Action)> {
        let Some(u) = self.b.unit_named(id) else { return Vec::new() };
        let named = |name: &str, action: Action| (name.to_owned(), action);
        let Some(question) = self.question() else { return Vec::new() };
        let asked = question.unit(self) == Some(id);
        match question {
            Questions::Activate(_) => vec![named("activate", Action::Activate(id))],
            Questions::Next(_) => vec![named("act next", Action::Next(id))],
            Questions::Queen(_) => vec![named("get figures back", Action::Restore(id))],
            Questions::Jack(_) => vec![named("be forced", Action::Force(id))],
            Questions::Attach(_) => vec![named("take the commander", Action::Attach(id))],
            Questions::Act(_) if asked => {
                ActionKind::ALL.into_iter().map(|kind| named(kind.name(), Action::naming(kind))).collect()
            }
            Questions::Declare(_) if asked => {
                let here = self.unit(u).body.reference();
                let mut enemies: Vec<_> = self.present().filter(|&v| self.side(v) != self.side(u)).collect();
                let far = |v: &crate::model::Nr| self.unit(*v).body.reference().distance(here);
                enemies.put_in_order(|a, b| far(a).total_cmp(&far(b)));
                let at = |v: &crate::model::Nr, fire_first| Action::ChargeAt {
                    target: self.b.units[usize::from(v.0)].id,
                    fire_first,
                };
                let mut all: Vec<_> = enemies.iter().map(|v| named("charge", at(v, false))).collect();
                all.extend(enemies.iter().map(|v| named("fire and charge", at(v, true))));
                all
            }
            Questions::Respond(_) => {
                let ways = [
                    ("stand", Response::Stand),
                    ("fire", Response::Fire),
                    ("countercharge", Response::Countercharge),
                    ("form square", Response::Square),
                    ("evade", Response::Evade),
                ];
                ways.into_iter().map(|(name, way)| named(name, Action::Respond(way))).collect()
            }
            Questions::Evade(_) => vec![
                named("go all the way", Action::Evade(Flight::Full)),
                named("go out of reach", Action::Evade(Flight::OutOfReach)),
            ],
            Questions::GoOn(_) => {
                vec![named("charge on", Action::ChargeOn), named("stay", Action::Stay)]
            }
            Questions::After(_) => vec![
                named("stay", Action::Stay),
                named("occupy the ground", Action::Occupy),
                named("follow up", Action::FollowUp),
            ],
            Questions::ReturnFire(_) => {
                vec![named("return the fire", Action::ReturnFire), named("let it be", Action::Pass)]
            }
            _ => Vec::new(),
        }
    }
}
