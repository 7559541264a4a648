//! Which way does a rallied group face (SYW-ROUT-17)?

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Steer, Wish};
use tricorne_table::{Pose, angle, round_to};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::questions::asks;

/// It has rallied: which way does it face?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Facing {
    pub group: GroupIx,
}

impl Question<SevenYearsBattle> for Facing {
    type Judged = f64;

    asks!("rally_facing", group);

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("{} has rallied: which way does it face?", b.group(self.group).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        !b.members(self.group).is_empty()
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list_all((0..8).map(|k| Action::Face { facing: f64::from(k) * 45.0 }));
        out.space("face", None, None, "a facing in degrees");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<f64, Illegal> {
        match answer {
            Action::Face { facing } if facing.is_finite() => Ok(angle::normalise(*facing)),
            Action::Face { .. } => refuse("SYW-ROUT-17", "a facing is an ordinary number of degrees"),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, facing: f64, _: &mut Now<'_>) {
        b.reform(self.group, Some(facing));
        b.sync_contacts();
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Face { facing: 0.0 }
    }

    fn wander(&self, _: &SevenYearsBattle, whim: &mut Whim) -> Action {
        Action::Face { facing: f64::from(whim.below(8) as u32) * 45.0 }
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        let members = b.members(self.group);
        let centre = b.centre_of(&members);
        let facing = wish.facing.unwrap_or_else(|| angle::bearing(centre, wish.place));
        let facing = round_to(angle::normalise(facing), 0.1);
        let end = members.first().map(|&u| Pose { at: b.unit(u).at, facing });
        let off = end.is_some_and(|e| e.at.distance(wish.place) >= 0.5);
        let why = off.then(|| {
            Illegal::new("SYW-ROUT-17", "they have rallied where they are; only the facing is chosen")
        });
        Steer { action: Some(Action::Face { facing }), end, why }
    }
}
