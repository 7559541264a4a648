//! Commanders ridden down (VF-CAPTURE-06 to -08).

pub(crate) mod escape;
use tricorne_chance::Chance;
use tricorne_game::{Event, Log};

use crate::field::{Field, bit, bits};
use crate::model::{Cr, Kind};
use crate::movement::pace_told::base_told;
use crate::questions::Escape;
use crate::rulebook::inch;
use crate::state::Fate;

impl Field {
    /// Looks into whom the last moves brought near enemy commanders (S-CAPTURE). True if it did something.
    pub(crate) fn look_for_captures(&mut self, chance: &mut dyn Chance, log: &mut Log) -> bool {
        if self.s.moved_commanders != 0 {
            // Left behind when his unit was cut down in melee (VF-CMD-26).
            let i = self.s.moved_commanders.trailing_zeros();
            self.s.moved_commanders &= self.s.moved_commanders - 1;
            let c = Cr(i as u8);
            if self.commander(c).gone.is_none() {
                self.try_to_take(c, chance, log);
            }
            return true;
        }
        let reach = inch(self.p().distance.capture);
        let Some(u) = bits(self.s.moved).next() else { return false };
        let body = self.unit(u).body;
        let found = if !self.unit(u).here() || self.kind(u) == Kind::Wagon {
            None
        } else {
            self.loose_chiefs(self.side(u).enemy()).find(|&c| {
                let other = self.commander_body(c);
                body.may_reach(&other, f64::from(self.p().distance.capture))
                    && self.o().within(body.gap_mils(&other), reach)
            })
        };
        match found {
            Some(c) => self.try_to_take(c, chance, log),
            None => self.s.moved &= !bit(u),
        }
        true
    }

    /// Two dice: the commander's owner's first (VF-CAPTURE-06).
    fn try_to_take(&mut self, c: Cr, chance: &mut dyn Chance, log: &mut Log) {
        let dice = chance.faces("capture", 2, 6);
        let (his, theirs) = (dice.first().copied().unwrap_or(1), dice.get(1).copied().unwrap_or(1));
        let taken = his < theirs;
        let id = self.chief(c).id;
        log.say(|| {
            Event::new("capture", "VF-CAPTURE-06").who(id).faces(&dice).outcome(if taken {
                "taken"
            } else {
                "gets_away"
            })
        });
        if taken {
            self.lose_commander(c, Fate::Captured, log);
            return;
        }
        self.commander_mut(c).turn.activated = true; // VF-CAPTURE-07
        let pace = self.p().moves.commander;
        let roll = chance.sum("escape_move", usize::from(pace.dice), 6);
        let allowance = inch(pace.inches) + roll.total * 1000;
        log.say(|| {
            Event::new("escape_move", "VF-CAPTURE-07")
                .who(id)
                .faces(&roll.faces)
                .with("base", base_told(i32::from(pace.inches)))
                .with("inches", f64::from(allowance) / 1000.0)
        });
        self.ask(Escape { commander: c, allowance });
    }
}
