//! Where do troops make room for a group that comes back (SYW-OFF-10)?

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Steer, Wish};
use tricorne_table::Pose;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::questions::asks;

/// Where does it make room?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MakeRoom {
    pub unit: UnitIx,
    pub group: GroupIx,
}

impl Question<SevenYearsBattle> for MakeRoom {
    /// None: wherever is nearest.
    type Judged = Option<Pose>;

    asks!("make_room", unit unit);

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("Where does {} make room?", b.unit(self.unit).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.unit(self.unit).is_known()
            && b.crowds(self.unit, self.group)
            && b.default_room(self.unit, self.group).is_some()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        let off = b.distances().makes_room.value;
        out.space("make_room", self.unit(b), None, &format!("a place {off} cm off and a facing"));
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        match answer {
            Action::Done => Ok(None),
            Action::MakeRoom { at, facing } => b.judge_room(self.unit, self.group, *at, *facing).map(Some),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, pose: Self::Judged, now: &mut Now<'_>) {
        if let Some(pose) = pose.or_else(|| b.default_room(self.unit, self.group)) {
            b.make_room(self.unit, pose, now.log);
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn preview(&self, b: &SevenYearsBattle, pose: &Self::Judged) -> Preview {
        let mut preview = Preview::default();
        if let Some(pose) = pose {
            b.show_step(self.unit, *pose, &mut preview);
        }
        preview
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        b.steer_room(self.unit, self.group, wish)
    }
}
