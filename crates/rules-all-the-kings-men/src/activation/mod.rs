//! Activations (ACT) and resolve (RES): choosing a unit, the parts it may play, and what they cost it.

pub(crate) mod act;
pub(crate) mod choose;
mod sample;

use tricorne_game::{Event, Log, Seat};

use crate::field::Engagement;
use crate::options::MeleeThenMarker;
use crate::rulebook::Colour;
use crate::state::{Activation, Benefit, UnitNo};

impl Engagement {
    /// The seat that acts on the card.
    pub(crate) fn acting(&self) -> Seat {
        self.queue().first().copied().unwrap_or(Seat(0))
    }

    /// An activation with nothing done yet.
    pub(crate) fn fresh(&self, no: UnitNo, benefit: Benefit) -> Activation {
        let unit = self.unit(no);
        Activation::new(unit.owner, no, unit.colour, 0, benefit)
    }

    /// 16: resolve at the end of an activation (ATKM-RES-02, 07, 08; ATKM-CARD-05).
    pub(crate) fn finish_activation(&mut self, log: &mut Log) {
        let Some(a) = self.state.activation.take() else {
            self.spend_activation();
            return;
        };
        if let Some(play) = &mut self.state.play
            && !play.used.contains(&(a.unit, a.seat))
        {
            let _ = play.used.try_push((a.unit, a.seat));
        }
        let units: smallvec::SmallVec<[UnitNo; 4]> = if a.split {
            // It is the first of its parts now, the others come after it; what went apart earlier had no share in this.
            let parent = self.unit(a.unit).parent;
            self.present().filter(|(no, u)| *no >= a.unit && u.parent == parent).map(|(no, _)| no).collect()
        } else {
            smallvec::smallvec![a.unit]
        };
        for no in units {
            self.tire(no, &a, log);
        }
        if !self.test_armies(false, log) {
            self.spend_activation();
        }
    }

    fn tire(&mut self, no: UnitNo, a: &Activation, log: &mut Log) {
        let marks_fresh = self.options().melee_then_marker == MeleeThenMarker::Marker;
        let acting = self.rules().tires.acting;
        let unit = self.unit_mut(no);
        if !unit.present() {
            return;
        }
        let id = unit.id;
        let red = unit.colour == Colour::Red;
        let marker = match a.began {
            // A pursuit has given it already, and there is but one (ATKM-UNIT-11).
            _ if unit.disorder => None,
            Colour::Red => Some("ATKM-RES-07"),
            _ if a.fought && red && marks_fresh => Some("ATKM-RES-08"),
            _ => None,
        };
        if a.benefit == Benefit::Queen {
            let spared = match marker {
                Some(_) => "a disorder marker",
                // What the melee took she has not spared (ATKM-CARD-20), nor is there a worse colour.
                None if red => return,
                None => "a change of colour",
            };
            log.say(|| Event::new("excused", "ATKM-CARD-05").who(id).with("spared", spared));
        } else if let Some(clause) = marker {
            unit.disorder = true;
            log.say(|| Event::new("disordered", clause).who(id));
        } else if !a.fought {
            let colour = unit.colour.worse(acting.value.clamp(0, 2) as u8);
            if colour != unit.colour {
                unit.colour = colour;
                log.say(|| {
                    let event = Event::new("worsened", acting.clause).who(id);
                    event.with("colour", colour.name()).with("because", acting.reason)
                });
            }
        }
    }
}
