//! Which unit each side's one commander is in (WBK-LEAD-09).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Seat, Side, UnitId};

use crate::action::Action;
use crate::battle::Fray;
use crate::state::{IMPERIAL, NATIVE, No};
use crate::turn::side_name;

/// A side names the unit its commander is in.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Commanding(pub Side);

impl Commanding {
    pub(crate) fn units(self, fray: &Fray) -> impl Iterator<Item = No> + use<'_> {
        let side = self.0;
        fray.state.units.numbers().filter(move |&u| fray.unit(u).side == side)
    }
}

impl Question<Fray> for Commanding {
    type Judged = No;

    fn kind(&self, _: &Fray) -> &'static str {
        "commander"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-LEAD-09"
    }

    fn seat(&self, _: &Fray) -> Seat {
        Seat(self.0.0)
    }

    fn prompt(&self, _: &Fray) -> String {
        "Which unit is the commander in?".into()
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        out.list_all(self.units(fray).map(|u| Action::Command(fray.id(u))));
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<No, Illegal> {
        let Action::Command(id) = answer else { return Err(self.other(fray)) };
        match fray.find(*id).filter(|&u| fray.unit(u).side == self.0) {
            Some(u) => Ok(u),
            None => refuse("WBK-LEAD-09", format!("`{id}` is no unit of the {} side", side_name(self.0))),
        }
    }

    fn carry_out(self, fray: &mut Fray, u: No, now: &mut Now<'_>) {
        fray.state.units[u].commander = true;
        now.say(|| Event::new("commander", "WBK-LEAD-09").who(fray.id(u)));
        if self.0 == IMPERIAL && fray.field.present[1] {
            fray.ask(Commanding(NATIVE));
            return;
        }
        for side in [IMPERIAL, NATIVE] {
            for u in fray.state.units.numbers() {
                if fray.unit(u).commander && fray.unit(u).side == side {
                    fray.roll_leader(u, now);
                }
            }
        }
        fray.deploy(now);
    }

    fn usual(&self, fray: &Fray) -> Action {
        self.units(fray).next().map_or(Action::EndTurn, |u| Action::Command(fray.id(u)))
    }

    fn courses(&self, _: &Fray, unit: UnitId) -> Vec<(String, Action)> {
        vec![("command".into(), Action::Command(unit))]
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        let worth = |u: No| {
            let card = fray.card(u);
            let safe = if card.is_crewed() { -3.0 } else { 0.0 };
            (f64::from(card.points + card.discipline) + safe, Action::Command(fray.id(u)))
        };
        self.units(fray).map(worth).collect()
    }
}
