//! Does the defender give up troops for ground (U7; SYW-POINTS-06 to -09)?

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Seat};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::state::Units;
use crate::questions::asks;
use crate::terrain_generation::Purchase;

/// Do you give up troops for ground?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuyGround;

/// A piece of ground, the half and the sector it goes to, and who pays for it.
pub struct Bargain {
    ground: Purchase,
    half: u8,
    sector: u8,
    price: Units,
}

impl Question<SevenYearsBattle> for BuyGround {
    type Judged = Option<Bargain>;

    asks!("ground");

    fn seat(&self, b: &SevenYearsBattle) -> Seat {
        Seat(b.defender().0)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Do you give up troops for ground?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        b.may_buy_ground()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        out.list_all(b.ground_proposals());
        out.space("buy_ground", None, None, "a piece, its size, a sector, units given up");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        match answer {
            Action::Done => Ok(None),
            Action::BuyGround { ground, half, sector, give_up } => {
                let price = b.judge_ground(*ground, *half, *sector, give_up)?;
                Ok(Some(Bargain { ground: *ground, half: *half, sector: *sector, price }))
            }
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, bargain: Self::Judged, now: &mut Now<'_>) {
        if let Some(Bargain { ground, half, sector, price }) = bargain {
            b.ask(self);
            b.buy_ground(ground, half, sector, &price, now);
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    /// Mostly none.
    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        let all = if whim.chance(0.3) { b.ground_proposals() } else { Vec::new() };
        whim.one_of(&all).cloned().unwrap_or(Action::Done)
    }
}
