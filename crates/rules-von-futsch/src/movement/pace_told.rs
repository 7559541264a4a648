//! A movement roll: the inches of the kind and what else is added to the dice, each with its clause, as it is reckoned and
//! as it is told (VF-MOVE-06 to -08, VF-EVENT-13, -24).

use tricorne_drill::Reasons;
use tricorne_game::Event;

use super::Roll;
use crate::field::{Field, bit};
use crate::model::measure::exact;
use crate::model::{Formation, Kind, Nr};

impl Field {
    /// Gives what is added to the dice of a unit's move, in inches, with reason and clause: its own pace first.
    pub(crate) fn pace(&self, u: Nr, retreat: bool, mut each: impl FnMut(i32, &'static str, &'static str)) {
        let (kind, unit, p) = (self.kind(u), self.unit(u), self.p());
        each(i32::from(self.spec(u).pace(p, unit.formation).inches), "its own pace", "VF-MOVE-06");
        let grounds = [
            (kind == Kind::Skirmish, "for skirmishers"),
            (kind == Kind::Light, "for light cavalry"),
            (unit.formation == Formation::Column, "in column"),
        ];
        let most = if self.o().plus3_stacks { grounds.len() } else { 1 };
        for (_, why) in grounds.into_iter().filter(|(holds, _)| *holds).take(most) {
            each(i32::from(p.moves.swift), why, "VF-MOVE-07");
        }
        if !retreat && self.s.group.as_ref().is_some_and(|g| g.forced_march && g.all & bit(u) != 0) {
            each(i32::from(p.events.forced_march), "by a forced march", "VF-EVENT-13");
        }
        if self.s.spell.clay && kind.is_cavalry() {
            each(-i32::from(p.events.clay), "for heavy clay", "VF-EVENT-24");
        }
    }

    /// How far a unit moves as it stands: `12 + 2d6`.
    pub(crate) fn move_told(&self, u: Nr) -> String {
        if self.cannot_move(u) {
            return "none".into();
        }
        let mut inches = 0;
        self.pace(u, false, |more, _, _| inches += more);
        format!("{}{}d6", base_told(inches), self.move_dice(u, false))
    }

    /// The event of a movement roll, with what was added to its dice.
    pub(crate) fn tell_move(&self, event: Event, u: Nr, roll: &Roll) -> Event {
        let event = event.faces(&roll.faces).with("inches", exact(roll.allowance));
        if self.cannot_move(u) {
            return event;
        }
        let mut reasons = Reasons::new();
        self.pace(u, roll.retreat, |value, reason, clause| reasons.note(value, reason, clause));
        let mut plus = String::new();
        for r in reasons.iter().skip(1) {
            let sign = if r.value < 0 { '−' } else { '+' };
            plus.push_str(&format!(" {sign} {} {}", r.value.abs(), r.reason));
        }
        // His die is thrown after the unit's own (VF-MODEL-08).
        if roll.general {
            plus.push_str(", the last die for the general");
        }
        let own = reasons.iter().next().map_or(0, |r| r.value);
        event.modifiers(reasons.told()).with("base", base_told(own)).with("plus", plus)
    }
}

/// The inches before the dice: `9 + `, or nothing if there are none.
pub(crate) fn base_told(inches: i32) -> String {
    if inches == 0 { String::new() } else { format!("{inches} + ") }
}
