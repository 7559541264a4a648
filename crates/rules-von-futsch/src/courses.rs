//! What a player might think of for a unit, whether the rules allow it now or not.

use tricorne_game::UnitId;

use crate::action::{Action, ActionKind, Flight};
use crate::field::Field;
use crate::state::{Response, Step};

impl Field {
    /// One answer or several of each kind for a unit in the pending decision, with their names. Whether one is allowed, the judge says.
    pub(crate) fn courses_of(&self, id: UnitId) -> Vec<(String, Action)> {
        let Some(u) = self.b.unit_named(id) else { return Vec::new() };
        let named = |name: &str, action: Action| (name.to_owned(), action);
        let about = tricorne_game::Battle::pending(self);
        let asked = matches!(about, tricorne_game::Pending::Decision { unit: Some(unit), .. } if unit == id);
        match self.question() {
            Some(Step::AskActivate(_)) => vec![named("activate", Action::Activate(id))],
            Some(Step::AskNext) => vec![named("act next", Action::Next(id))],
            Some(Step::AskQueen(_)) => vec![named("get figures back", Action::Restore(id))],
            Some(Step::AskJack(_)) => vec![named("be forced", Action::Force(id))],
            Some(Step::AskAttach { .. }) => vec![named("take the commander", Action::Attach(id))],
            Some(Step::AskAction(_)) if asked => {
                ActionKind::ALL.into_iter().map(|kind| named(kind.name(), Action::naming(kind))).collect()
            }
            Some(Step::AskCharge(_)) if asked => {
                let here = self.unit(u).body.reference();
                let mut enemies: Vec<_> = self.present().filter(|&v| self.side(v) != self.side(u)).collect();
                let far = |v: &crate::model::Nr| self.unit(*v).body.reference().distance(here);
                enemies.sort_by(|a, b| far(a).total_cmp(&far(b)));
                let at = |v: &crate::model::Nr, fire_first| Action::ChargeAt {
                    target: self.b.units[usize::from(v.0)].id,
                    fire_first,
                };
                let mut all: Vec<_> = enemies.iter().map(|v| named("charge", at(v, false))).collect();
                all.extend(enemies.iter().map(|v| named("fire and charge", at(v, true))));
                all
            }
            Some(Step::AskResponse) => {
                let ways = [
                    ("stand", Response::Stand),
                    ("fire", Response::Fire),
                    ("countercharge", Response::Countercharge),
                    ("form square", Response::Square),
                    ("evade", Response::Evade),
                ];
                ways.into_iter().map(|(name, way)| named(name, Action::Respond(way))).collect()
            }
            Some(Step::AskEvade { .. }) => vec![
                named("go all the way", Action::Evade(Flight::Full)),
                named("go out of reach", Action::Evade(Flight::OutOfReach)),
            ],
            Some(Step::AskContinue) => {
                vec![named("charge on", Action::ChargeOn), named("stay", Action::Stay)]
            }
            Some(Step::AskAfter { .. }) => vec![
                named("stay", Action::Stay),
                named("occupy the ground", Action::Occupy),
                named("follow up", Action::FollowUp),
            ],
            Some(Step::AskReturn { .. }) => {
                vec![named("return the fire", Action::ReturnFire), named("let it be", Action::Pass)]
            }
            _ => Vec::new(),
        }
    }
}
