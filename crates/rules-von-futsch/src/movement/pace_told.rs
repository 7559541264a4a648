//! A movement roll as it is told: the inches of the kind, the dice, and what else was added, each with its clause
//! (VF-MOVE-06, -07, VF-EVENT-13, -24).

use tricorne_game::{Event, Modifier};

use crate::field::{Field, bit};
use crate::model::{Formation, Kind, Nr};

impl Field {
    /// The event of a movement roll, with what was added to its dice.
    pub(crate) fn tell_pace(&self, event: Event, u: Nr, retreat: bool) -> Event {
        if self.cannot_move(u) {
            return event;
        }
        let kind = self.kind(u);
        let own = i32::from(self.spec(u).pace(self.p(), self.unit(u).formation).inches);
        let swift = i32::from(self.p().moves.swift);
        let mut more = Vec::new();
        let column = self.unit(u).formation == Formation::Column;
        let grounds = [
            (kind == Kind::Skirmish, "for skirmishers"),
            (kind == Kind::Light, "for light cavalry"),
            (column, "in column"),
        ];
        let most = if self.o().plus3_stacks { 3 } else { 1 };
        for (_, why) in grounds.into_iter().filter(|(holds, _)| *holds).take(most) {
            more.push(Modifier::new(swift, why, "VF-MOVE-07"));
        }
        if !retreat && self.s.group.as_ref().is_some_and(|g| g.forced_march && g.all & bit(u) != 0) {
            more.push(Modifier::new(
                i32::from(self.p().events.forced_march),
                "by a forced march",
                "VF-EVENT-13",
            ));
        }
        if self.s.spell.clay && kind.is_cavalry() {
            more.push(Modifier::new(-i32::from(self.p().events.clay), "for heavy clay", "VF-EVENT-24"));
        }
        let signed =
            |m: &Modifier| format!(" {} {} {}", if m.value < 0 { '−' } else { '+' }, m.value.abs(), m.reason);
        let mut plus: String = more.iter().map(signed).collect();
        // The general's die is thrown after the unit's own (VF-MODEL-08).
        if self.general_rides(u, retreat) && event.faces.len() > 1 {
            plus.push_str(", the last die for the general");
        }
        more.insert(0, Modifier::new(own, "its own pace", "VF-MOVE-06"));
        event.modifiers(more).with("base", base_told(own)).with("plus", plus)
    }
}

/// The inches before the dice: `9 + `, or nothing if there are none.
pub(crate) fn base_told(inches: i32) -> String {
    if inches == 0 { String::new() } else { format!("{inches} + ") }
}
