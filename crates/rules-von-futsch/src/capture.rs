//! Commanders ridden down (VF-CAPTURE-06 to -08).

use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::Point;

use crate::action::Leg;
use crate::field::{Field, bit, bits, no};
use crate::formation::Body;
use crate::model::{Cr, Kind};
use crate::rulebook::inch;
use crate::state::{Fate, Step};

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
                body.may_reach(&other, 1.0) && self.o().within(body.gap_mils(&other), reach)
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
        self.commander_mut(c).activated = true; // VF-CAPTURE-07
        let pace = self.p().moves.commander;
        let roll = chance.sum("escape_move", usize::from(pace.dice), 6);
        let allowance = inch(pace.inches) + roll.total * 1000;
        log.say(|| {
            Event::new("escape_move", "VF-CAPTURE-07")
                .who(id)
                .faces(&roll.faces)
                .with("inches", f64::from(allowance) / 1000.0)
        });
        self.push(Step::AskEscape { commander: c, allowance });
    }

    /// Whether a path takes a commander more than 1 from every enemy unit (VF-CAPTURE-08).
    pub(crate) fn judge_escape(&self, c: Cr, allowance: i32, legs: &[Leg]) -> Result<Point, Illegal> {
        let (at, _) = self.judge_ride(c, allowance, legs)?;
        if self.threatened(c, at) {
            return no("VF-CAPTURE-08", "he must end more than 1 from every enemy unit");
        }
        Ok(at)
    }

    fn threatened(&self, c: Cr, at: Point) -> bool {
        let reach = inch(self.p().distance.capture);
        let body = Body::of_commander(at, self.chief(c).level.base());
        self.present_of(self.chief(c).side.enemy()).any(|e| {
            let other = &self.unit(e).body;
            body.may_reach(other, 1.0) && self.o().within(body.gap_mils(other), reach)
        })
    }

    /// He stays, and is taken if an enemy is within 1 (VF-CAPTURE-08).
    pub(crate) fn no_escape(&mut self, c: Cr, log: &mut Log) {
        if self.threatened(c, self.commander(c).at()) {
            self.lose_commander(c, Fate::Captured, log);
        }
    }
}
