//! What is asked, and the answers that can be listed.

use tricorne_game::{Space, UnitId};

use crate::action::Action;
use crate::field::{Engagement, army_name};
use crate::formations::SHAPES;
use crate::state::{Benefit, Stage, UnitNo};

impl Engagement {
    /// The question in a sentence.
    pub(crate) fn prompt(&self, kind: &str) -> String {
        let unit = self.state.activation.map(|a| self.unit(a.unit).id);
        match kind {
            "deploy" => "Place a unit in your zone".into(),
            "place_general" => "Place your general in your zone".into(),
            "replace_general" => "Beside which unit does the new general stand?".into(),
            "give" => "Hand out command points to your Lieutenants, or keep them".into(),
            "disorder" => match self.state.stage {
                Stage::Disorder(army) => format!("Which {} unit loses its turn?", army_name(army)),
                _ => String::new(),
            },
            "benefit" => "Who has the effect of the card?".into(),
            "next" => "Who acts next?".into(),
            "choose" => match self.benefit() {
                Benefit::King => "Move your general, activate a unit, or pass".into(),
                _ => "Activate a unit, or pass".into(),
            },
            "act" => format!("What does {} do?", unit.map_or_else(String::new, |u| u.to_string())),
            "pursue" => "Ride after the mob, or let it go?".into(),
            "overrun" => "Your general is overrun: to which unit does he flee?".into(),
            "ride" => "Move your general up to 20, or stay".into(),
            _ => "The battle waits to begin".into(),
        }
    }

    /// Everything that can be listed.
    pub(crate) fn listed(&self) -> (Vec<Action>, Vec<Space>) {
        let mut out = Vec::new();
        let mut spaces = Vec::new();
        let Some((seat, kind)) = self.asked() else { return (out, spaces) };
        let id = |no: UnitNo| self.unit(no).id;
        let space = |action: &str, unit: Option<UnitId>, allowance: Option<f64>, shape: &str| Space {
            action: action.into(),
            unit,
            allowance,
            shape: shape.into(),
        };
        match kind {
            "overrun" => out.extend(self.refuges(seat).map(|no| Action::SetGeneral { beside: id(no) })),
            "deploy" => spaces.push(space("deploy", None, None, "unit, at, facing and shape in your zone")),
            "place_general" => {
                spaces.push(space("place_general", None, None, "a place in your zone"));
            }
            "replace_general" => {
                out.extend(self.joinable(seat).map(|no| Action::SetGeneral { beside: id(no) }));
            }
            "give" => {
                out.push(Action::Give(Vec::new()));
                spaces.push(space("give", None, None, "a list of {to, points} for Lieutenant Generals"));
            }
            "disorder" => {
                if let Stage::Disorder(army) = self.state.stage {
                    out.extend(self.disorderable(army).map(|no| Action::Disorder { unit: id(no) }));
                }
            }
            "benefit" | "next" => {
                let queue = self.state.play.as_ref().map(|p| p.queue.clone()).unwrap_or_default();
                out.extend(queue.into_iter().map(|seat| {
                    if kind == "benefit" { Action::Benefit { seat } } else { Action::Next { seat } }
                }));
            }
            "choose" => {
                if self.judge_pass().is_ok() {
                    out.push(Action::Pass);
                }
                let army = self.army_of(seat);
                out.extend(
                    self.of_army(army)
                        .filter(|(_, u)| self.judge_activate(seat, u.id).is_ok())
                        .map(|(_, u)| Action::Activate { unit: u.id }),
                );
                if self.benefit() == Benefit::King {
                    spaces.push(space(
                        "move_general",
                        None,
                        Some(self.rules().general.ride),
                        "a place within 20",
                    ));
                }
            }
            "act" => self.list_parts(&mut out, &mut spaces),
            "pursue" => out.extend([Action::Pursue, Action::Decline]),
            "ride" => {
                out.push(Action::Stay);
                spaces.push(space(
                    "move_general",
                    None,
                    Some(self.rules().general.ride),
                    "a place within 20",
                ));
            }
            _ => {}
        }
        out.push(Action::Concede);
        (out, spaces)
    }

    fn list_parts(&self, out: &mut Vec<Action>, spaces: &mut Vec<Space>) {
        let Some(a) = self.state.activation else { return };
        let unit = self.unit(a.unit);
        let stride = self.stride(unit);
        out.push(if a.begun() { Action::End } else { Action::Withdraw });
        if unit.is_mob() && !a.begun() {
            let way = "shape and facing".to_owned();
            spaces.push(Space { action: "reform".into(), unit: Some(unit.id), allowance: None, shape: way });
        }
        if self.judge_fire_slot(&a).is_ok() {
            out.extend(self.targets(a.unit).map(|t| Action::Fire { target: self.unit(t).id }));
        }
        out.extend(
            SHAPES
                .into_iter()
                .filter(|&s| self.judge_change(&a, s).is_ok())
                .map(|shape| Action::Change { shape }),
        );
        if self.judge_move_slot(&a).is_ok() {
            spaces.push(Space {
                action: "move".into(),
                unit: Some(unit.id),
                allowance: stride,
                shape: "path of up to 8 places, facing, spread of skirmishers".into(),
            });
        }
        if Self::judge_charge_slot(&a).is_ok() && Self::judge_charger(unit).is_ok() {
            spaces.push(Space {
                action: "charge".into(),
                unit: Some(unit.id),
                allowance: stride,
                shape: "target, path, facing".into(),
            });
        }
        if self.may_split_or_gather(&a) {
            let (action, shape) = if unit.parent.is_some() {
                ("gather", "the other parts, and line or column")
            } else {
                ("split", "parts with privates and places")
            };
            spaces.push(Space {
                action: action.into(),
                unit: Some(unit.id),
                allowance: None,
                shape: shape.into(),
            });
        }
    }
}
