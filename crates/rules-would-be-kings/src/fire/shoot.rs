//! A target is to be chosen: of a Skirmish, or of a Fire that was declared without one (WBK-FIRE-01, WBK-SKIRM-06).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Seat, UnitId};

use crate::action::Action;
use crate::battle::Fray;
use crate::movement::Pace;
use crate::movement::march::Marching;
use crate::state::No;

/// At whom to fire.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Shooting {
    /// Volley Fire.
    pub volley: bool,
    /// Half of a Skirmish, which may be forgone.
    pub skirmish: bool,
    /// The move of the Skirmish comes afterwards.
    pub then_move: bool,
}

impl Shooting {
    /// The fire of a Skirmish; forgone when no target is legal (WBK-SKIRM-06).
    pub(crate) fn in_skirmish(fray: &mut Fray, u: No, then_move: bool, now: &mut Now<'_>) {
        let question = Self { volley: false, skirmish: true, then_move };
        if fray.enemies(u).any(|v| fray.may_fire(u, v, false).is_ok()) {
            fray.ask(question);
        } else {
            question.after(fray, u, now);
        }
    }

    fn after(self, fray: &mut Fray, u: No, now: &mut Now<'_>) {
        if self.then_move {
            fray.ask(Marching { pace: Pace::Skirmish, then_fire: false });
        } else {
            fray.end_activation(u, now);
        }
    }
}

impl Question<Fray> for Shooting {
    /// The target; none if the fire is held.
    type Judged = Option<No>;

    fn kind(&self, _: &Fray) -> &'static str {
        "shoot"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-FIRE-01"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        fray.chooser()
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        format!("At whom does {} fire?", fray.actor())
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        out.list_all(fray.enemies(fray.acting()).map(|v| Action::Shoot(fray.id(v))));
        out.list(Action::HoldFire);
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Option<No>, Illegal> {
        match answer {
            Action::Shoot(id) => {
                let u = fray.acting();
                let v = fray.enemy_named(u, *id)?;
                fray.may_fire(u, v, self.volley).map(|_| Some(v))
            }
            Action::HoldFire if self.skirmish => Ok(None),
            _ => Err(self.other(fray)),
        }
    }

    fn carry_out(self, fray: &mut Fray, target: Option<No>, now: &mut Now<'_>) {
        let u = fray.acting();
        if let Some(v) = target {
            fray.shoot(u, v, self.volley, self.skirmish, now);
        }
        self.after(fray, u, now);
    }

    fn usual(&self, fray: &Fray) -> Action {
        let u = fray.acting();
        let target = || fray.enemies(u).find(|&v| fray.may_fire(u, v, self.volley).is_ok());
        if self.skirmish {
            return Action::HoldFire;
        }
        target().map_or(Action::HoldFire, |v| Action::Shoot(fray.id(v)))
    }

    fn preview(&self, fray: &Fray, target: &Option<No>) -> Preview {
        let mut preview = Preview::default();
        if let Some(v) = target {
            fray.note_fire(fray.acting(), *v, self.volley, self.skirmish, &mut preview);
        }
        preview
    }

    fn wander(&self, fray: &Fray, whim: &mut Whim) -> Action {
        fray.any_enemy(fray.acting(), whim).map_or(Action::HoldFire, |v| Action::Shoot(fray.id(v)))
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.with_officer(|officer| fray.shot_values(officer))
    }
}
