//! Where does a group come back to the table (SYW-OFF-09, SYW-DEPLOY-18)?

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Steer, Wish};
use tricorne_table::Edge;

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::Formation;
use crate::off_table::Arrivals;
use crate::questions::{asks, guesses};

/// Where does it come back to the table?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComeBack {
    pub group: GroupIx,
}

impl Question<SevenYearsBattle> for ComeBack {
    /// None: it stays off for now.
    type Judged = Option<Box<Arrivals>>;

    asks!("return", group);

    fn prompt(&self, b: &SevenYearsBattle) -> String {
        format!("Where does {} come back to the table?", b.group(self.group).id)
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.group(self.group).off.is_some()
    }

    fn answers(&self, _: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        out.space("place", None, None, "a place on the edge and a formation");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        match answer {
            Action::Done => Ok(None),
            Action::Place { at, formation, edge } => {
                b.judge_place(self.group, *at, *formation, *edge).map(|placed| Some(Box::new(placed)))
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, placed: Self::Judged, _: &mut Now<'_>) {
        if let Some(placed) = placed {
            b.set_down(self.group, *placed);
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn preview(&self, b: &SevenYearsBattle, placed: &Self::Judged) -> Preview {
        let mut preview = Preview::default();
        for (_, new) in placed.iter().flat_map(|placed| placed.iter()) {
            b.show_place(new, &mut preview);
        }
        preview
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        let Some(off) = b.group(self.group).off else { return Action::Done };
        let (mut at, mut edge) = ([off.at.x, off.at.y], None);
        if off.march {
            let strip = b.deployment_bounds(b.group(self.group).side.enemy());
            at = [0.0, whim.between(strip.min.y, strip.max.y)];
            edge = Some(if whim.chance(0.5) { Edge::East } else { Edge::West });
        } else {
            at[0] += whim.between(-9.0, 9.0);
            at[1] += whim.between(-9.0, 9.0);
        }
        let formation = if whim.chance(0.7) { Formation::Line } else { Formation::Column2 };
        Action::Place { at, formation, edge }
    }

    fn ways(&self, b: &SevenYearsBattle, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        guesses(self, b, most, whim, out);
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        b.steer_return(self.group, wish)
    }
}
