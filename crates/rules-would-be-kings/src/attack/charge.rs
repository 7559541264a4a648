//! The target of an Attack that was declared without one (WBK-ACT-14).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Seat, Steer, UnitId, Wish};
use tricorne_table::Point;

use super::{Assault, Reach};
use crate::action::{Action, Charge};
use crate::battle::Fray;

/// Whom to attack.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Charging;

/// A charge at a unit by some waypoints, as an answer.
pub(crate) fn charge_at(target: UnitId, waypoints: Vec<Point>) -> Action {
    Action::Charge(Charge { target, waypoints })
}

impl Question<Fray> for Charging {
    type Judged = Assault;

    fn kind(&self, _: &Fray) -> &'static str {
        "charge"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-ACT-14"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        fray.chooser()
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        format!("Whom does {} attack?", fray.actor())
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        out.list_all(fray.enemies(fray.acting()).map(|v| charge_at(fray.id(v), Vec::new())));
        out.space("charge", Some(fray.acting_id()), Some(fray.inches()), "an Attack by up to 3 waypoints");
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Assault, Illegal> {
        let Action::Charge(charge) = answer else { return Err(self.other(fray)) };
        let u = fray.acting();
        let v = fray.enemy_named(u, charge.target)?;
        fray.assault(u, v, &charge.waypoints, Reach::attack(fray.inches()))
    }

    fn carry_out(self, fray: &mut Fray, assault: Assault, now: &mut Now<'_>) {
        fray.charge(fray.acting(), &assault, now);
    }

    fn usual(&self, fray: &Fray) -> Action {
        fray.some_attack(fray.acting()).map_or(Action::NoMove, |(v, by)| charge_at(fray.id(v), by))
    }

    fn preview(&self, fray: &Fray, assault: &Assault) -> Preview {
        fray.preview_assault(fray.acting(), assault, Some(fray.inches()))
    }

    fn wander(&self, fray: &Fray, whim: &mut Whim) -> Action {
        fray.any_enemy(fray.acting(), whim).map_or(Action::NoMove, |v| charge_at(fray.id(v), Vec::new()))
    }

    fn ways(&self, fray: &Fray, _most: usize, _whim: &mut Whim, out: &mut Vec<Action>) {
        let ways = fray.likely_flank_attacks(fray.acting(), fray.inches());
        out.extend(ways.map(|(v, by)| charge_at(fray.id(v), by)));
    }

    fn steer(&self, fray: &Fray, wish: &Wish) -> Steer<Action> {
        fray.steered(wish, &["charge"], || {
            fray.steer_attack(wish, |v, by| {
                let action = charge_at(fray.id(v), by);
                self.judge(fray, &action).map(|assault| (action, assault))
            })
        })
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.with_officer(|officer| fray.charge_values(officer))
    }
}
