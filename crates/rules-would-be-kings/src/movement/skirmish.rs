//! T4 Skirmish (WBK-SKIRM-03, 04, 06): which half comes first.

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Seat, UnitId};

use crate::action::{Action, Half};
use crate::battle::Fray;
use crate::fire::shoot::Shooting;
use crate::movement::Pace;
use crate::movement::march::Marching;

/// Move or fire first, or neither.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Skirmishing;

impl Question<Fray> for Skirmishing {
    type Judged = Half;

    fn kind(&self, _: &Fray) -> &'static str {
        "skirmish"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-SKIRM-04"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        fray.chooser()
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        format!("{} skirmishes: move or fire first?", fray.actor())
    }

    fn answers(&self, _: &Fray, out: &mut Answers<Action>) {
        out.list_all([Half::Move, Half::Fire, Half::Skip].map(Action::Skirmish));
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Half, Illegal> {
        match answer {
            Action::Skirmish(half) => Ok(*half),
            _ => Err(self.other(fray)),
        }
    }

    fn carry_out(self, fray: &mut Fray, half: Half, now: &mut Now<'_>) {
        let u = fray.acting();
        match half {
            Half::Move => fray.ask(Marching { pace: Pace::Skirmish, then_fire: true }),
            Half::Fire => Shooting::in_skirmish(fray, u, true, now),
            Half::Skip => fray.end_activation(u, now),
        }
    }

    fn usual(&self, _: &Fray) -> Action {
        Action::Skirmish(Half::Skip)
    }

    fn wander(&self, _: &Fray, whim: &mut Whim) -> Action {
        Action::Skirmish([Half::Move, Half::Fire, Half::Move, Half::Fire, Half::Skip][whim.below(5)])
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        let [moves, fires] = fray.with_officer(|officer| fray.skirmish_values(officer));
        vec![
            (moves, Action::Skirmish(Half::Move)),
            (fires + 0.001, Action::Skirmish(Half::Fire)),
            (-1.0, Action::Skirmish(Half::Skip)),
        ]
    }
}
