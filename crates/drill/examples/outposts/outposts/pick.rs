//! Which company gets its order next? (OUT-TURN-02)

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Seat};

use super::battle::{Action, Skirmish};
use super::order::Order;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pick;

impl Question<Skirmish> for Pick {
    /// The company, or none to end the turn.
    type Judged = Option<usize>;

    fn kind(&self, _: &Skirmish) -> &'static str {
        "pick"
    }

    fn clause(&self, _: &Skirmish) -> &'static str {
        "OUT-TURN-02"
    }

    fn seat(&self, b: &Skirmish) -> Seat {
        Seat(b.s.active)
    }

    fn prompt(&self, _: &Skirmish) -> String {
        "Which company gets an order?".into()
    }

    fn answers(&self, b: &Skirmish, out: &mut Answers<Action>) {
        out.list_all(b.standing_of(b.s.active).map(|u| Action::Pick(b.s.units[u].id)));
        out.list(Action::EndTurn);
    }

    fn judge(&self, b: &Skirmish, answer: &Action) -> Result<Option<usize>, Illegal> {
        match answer {
            Action::EndTurn => Ok(None),
            Action::Pick(id) => {
                let u = b.find(*id, "OUT-TURN-02")?;
                if b.s.units[u].side != b.s.active {
                    return refuse("OUT-TURN-01", format!("it is not the turn of {id}"));
                }
                if b.s.units[u].done {
                    return refuse("OUT-TURN-02", format!("{id} has had its order this turn"));
                }
                Ok(Some(u))
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut Skirmish, judged: Option<usize>, _: &mut Now<'_>) {
        b.s.asked = judged.map(|unit| Order { unit }.into());
        if judged.is_none() {
            let side = b.s.active;
            b.s.units.iter_mut().filter(|u| u.side == side).for_each(|u| u.done = true);
        }
    }

    fn usual(&self, _: &Skirmish) -> Action {
        Action::EndTurn
    }
}
