//! What each order lets a unit do in its move (SYW-ORDER-24 to -45, T4).

use crate::action::{Leg, Turn};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::stands;
use crate::model::state::{Formation, Order, within};
use crate::options::{ArtilleryReserve, SquareLights, SquareUndo};
use crate::rulebook::{Arm, ChangeAndMove, cm, count};
use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::Illegal;
use tricorne_table::Point;

impl SevenYearsBattle {
    /// Which legs an order and a unit's drill allow.
    pub(crate) fn legs_allowed(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        if self.unit(u).phase.set_down {
            return refuse(
                "SYW-HIDE-08",
                format!("{} was set down elsewhere than it was marked, and has moved", self.unit(u).id),
            );
        }
        match self.order_of(u) {
            Order::Advance => self.advance_legs(u, legs),
            Order::Reserve => self.reserve_legs(u, legs),
            Order::Stand => self.stand_legs(u, legs),
            Order::Retreat | Order::Rout => refuse("SYW-SEQ-04", "it moves before the others, not now"),
        }
    }

    pub(crate) fn advance_legs(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        let id = self.unit(u).id;
        for leg in legs {
            match leg {
                Leg::Forward(_) | Leg::Wheel { .. } | Leg::Incline { .. } => {}
                Leg::Turn(_) => return refuse("SYW-ORDER-40", format!("{id} may turn on Reserve only")),
                Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_) => {
                    return refuse("SYW-ORDER-24", format!("{id} is on Advance and stays in line"));
                }
                Leg::Back(_) => {
                    return refuse("SYW-ORDER-26", format!("{id} is on Advance and does not go back"));
                }
                Leg::Shift(_) => return refuse("SYW-ORDER-42", format!("{id} may shift on Stand only")),
            }
        }
        Ok(())
    }

    pub(crate) fn reserve_legs(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let (id, info) = (unit.id, self.info_of(unit));
        // A move that came upon hidden enemies is the same move when it goes on (SYW-VIS-06).
        let mut moves = usize::from(self.group_of(u).phase.used > 0.0);
        let mut changes: SmallVec<[&Leg; 2]> = SmallVec::new();
        let mut back = false;
        let mut forth = false;
        let square = unit.formation == Formation::Square;
        if square && legs.iter().take_while(|l| !l.forms()).any(|l| !l.is_change()) {
            return refuse(
                "SYW-MOVE-10",
                format!("{id} is in square, which does not march; form line first"),
            );
        }
        for leg in legs {
            match leg {
                Leg::Forward(_) | Leg::Wheel { .. } | Leg::Incline { .. } => {
                    moves += 1;
                    forth = true;
                }
                Leg::Back(_) => {
                    moves += 1;
                    back = true;
                }
                Leg::Turn(_) | Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_) => changes.push(leg),
                Leg::Shift(_) => return refuse("SYW-ORDER-42", format!("{id} may shift on Stand only")),
            }
        }
        if back && forth {
            return refuse("SYW-ORDER-37", format!("{id} goes forward or backward in a move, not both"));
        }
        if unit.phase.rooted && legs.iter().any(|l| !l.is_change()) {
            return refuse(
                "SYW-ORDER-39",
                format!("{id} has changed its formation, which leaves it no march in this phase"),
            );
        }
        if info.arm == Arm::Artillery {
            if changes.iter().any(|c| !matches!(c, Leg::Pivot(_))) {
                return refuse("SYW-ORDER-41", format!("{id} is a battery; its only change is a pivot"));
            }
            return match self.fixed.options.artillery_reserve {
                ArtilleryReserve::MoveOrPivot if moves > 0 && !changes.is_empty() => {
                    refuse("SYW-ORDER-41", format!("{id} may move or pivot, not both"))
                }
                ArtilleryReserve::PivotOnly if moves > 0 => {
                    refuse("SYW-ORDER-41", format!("{id} may only pivot on Reserve"))
                }
                _ => Ok(()),
            };
        }
        if changes.iter().any(|c| matches!(c, Leg::Pivot(_))) {
            return refuse("SYW-ORDER-41", format!("{id} is no battery; it turns or wheels"));
        }
        if changes.len() + usize::from(unit.phase.changed) > 1 {
            return refuse("SYW-ORDER-39", format!("{id} may change its formation once in a phase"));
        }
        for change in &changes {
            if let Leg::Form(f) | Leg::FormOn { formation: f, .. } = change {
                self.may_form(u, *f)?;
            }
        }
        if changes.is_empty() {
            return Ok(());
        }
        let row = self.drill_row(u);
        if moves == 0 && !row.change_without_move {
            return refuse("SYW-ORDER-39", format!("{id} is not drilled to change its formation"));
        }
        if moves > 0 && !self.marches_after(u, &changes) {
            return refuse(
                "SYW-ORDER-39",
                format!("{id} is not drilled well enough to make this change and move; do one of them"),
            );
        }
        let in_square = |l: &&Leg| {
            matches!(l, Leg::Form(Formation::Square) | Leg::FormOn { formation: Formation::Square, .. })
        };
        if legs.iter().skip_while(|l| !in_square(l)).any(|l| !l.is_change()) {
            return refuse("SYW-MOVE-10", format!("{id} would be in square, which does not march"));
        }
        Ok(())
    }

    /// Whether changes of formation leave a unit on Reserve its march (SYW-ORDER-39, -41).
    pub(crate) fn marches_after(&self, u: UnitIx, changes: &[&Leg]) -> bool {
        if self.info(u).arm == Arm::Artillery {
            return self.fixed.options.artillery_reserve == ArtilleryReserve::MoveAndPivot;
        }
        let formation = self.unit(u).formation;
        let ranked = formation.is_line() || formation.is_column();
        let to_flank = |leg: &&Leg| ranked && matches!(leg, Leg::Turn(Turn::Left | Turn::Right));
        match self.drill_row(u).change_and_move {
            ChangeAndMove::Any => true,
            ChangeAndMove::FlankColumn => changes.iter().all(to_flank),
            ChangeAndMove::None => false,
        }
    }

    /// Whether a unit may take a formation at all, and on its order.
    pub(crate) fn may_form(&self, u: UnitIx, formation: Formation) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let (id, info) = (unit.id, self.info_of(unit));
        if info.arm == Arm::Artillery && formation != Formation::Line {
            return refuse("SYW-MOVE-08", format!("{id} is artillery, which has neither column nor square"));
        }
        match formation {
            Formation::Line => Ok(()),
            Formation::DeepLine => {
                if stands::two_ranks(info) {
                    refuse("SYW-MODEL-07", format!("{id} is massed infantry; its line is two deep as it is"))
                } else if self.fixed.options.cav_deep_line {
                    Ok(())
                } else {
                    refuse("SYW-MODEL-07", format!("{id} may not choose two ranks under these options"))
                }
            }
            Formation::Column1 | Formation::Column2 => {
                if self.order_of(u) == Order::Reserve {
                    Ok(())
                } else {
                    refuse("SYW-MOVE-09", format!("{id} may be in column on Reserve only"))
                }
            }
            Formation::Square => {
                let lights = self.fixed.options.square_lights == SquareLights::LightInfantryToo
                    && info.kind.is_light_infantry();
                if !(stands::two_ranks(info) || lights) {
                    return refuse("SYW-MOVE-11", format!("{id} is no massed infantry and has no square"));
                }
                let least = count(self.fixed.book.charts.counts.square);
                if unit.strength() < least {
                    return refuse(
                        "SYW-MODEL-11",
                        format!("{id} needs at least {least} stands for a square"),
                    );
                }
                if matches!(self.order_of(u), Order::Stand | Order::Reserve) {
                    Ok(())
                } else {
                    refuse("SYW-MOVE-09", format!("{id} may form square on Stand or Reserve only"))
                }
            }
            Formation::Turned | Formation::Routed => {
                refuse("SYW-FLANK-03", format!("{id} takes that formation only when a rule makes it"))
            }
        }
    }

    pub(crate) fn stand_legs(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let id = unit.id;
        let (mut shifts, mut abouts, mut squares) = (0, 0, 0);
        for leg in legs {
            match leg {
                Leg::Shift([x, y]) => {
                    shifts += 1;
                    let length = Point::new(*x, *y).length();
                    let most = cm(self.distances().shift);
                    if !within(length, most) || !length.is_finite() {
                        return refuse("SYW-ORDER-42", format!("{id} may shift by {most} cm at most"));
                    }
                }
                Leg::Turn(Turn::About) => abouts += 1,
                Leg::Turn(_) => {
                    return refuse("SYW-ORDER-40", format!("{id} may turn to a flank on Reserve only"));
                }
                Leg::Form(Formation::Square) | Leg::FormOn { formation: Formation::Square, .. } => {
                    squares += 1;
                    self.may_form(u, Formation::Square)?;
                }
                Leg::Form(Formation::Line) | Leg::FormOn { formation: Formation::Line, .. }
                    if unit.formation == Formation::Square =>
                {
                    if self.fixed.options.square_undo != SquareUndo::StandToo {
                        return refuse("SYW-ORDER-44", format!("{id} may leave its square on Reserve only"));
                    }
                    squares += 1;
                }
                Leg::Form(f) => {
                    self.may_form(u, *f)?;
                    return refuse("SYW-ORDER-42", format!("{id} is on Stand and may form square only"));
                }
                _ => {
                    return refuse(
                        "SYW-ORDER-42",
                        format!(
                            "{id} is on Stand: it may shift {} cm, face about and form square",
                            cm(self.distances().shift)
                        ),
                    );
                }
            }
        }
        if shifts > 1 || abouts > 1 || squares > 1 {
            return refuse("SYW-ORDER-42", format!("{id} may shift, face about and form square once each"));
        }
        Ok(())
    }
}
