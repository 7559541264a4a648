//! Command points (CMD), teams (TEAM) and generals (GEN): what an activation costs, and who may pay.

mod beside;
mod generals;
pub(crate) mod gifts;
pub(crate) mod refuge;
pub(crate) mod ride;
pub(crate) mod successor;

use tricorne_chance::Chance;
use tricorne_drill::{Reasons, refuse};
use tricorne_game::{Event, Illegal, Log, Seat};
use tricorne_table::within;

use crate::field::{ARMIES, Engagement, army_name};
use crate::options::{AlliedDistanceCost, AlliedSkirmishers, DistantGreen, MobRecovery, RadiusOf};
use crate::rulebook::{Colour, Kind};
use crate::state::{Quality, Unit, UnitNo};

impl Engagement {
    /// ATKM-CMD-08, ATKM-CMD-13: whether a unit is inside the radius that counts: its owner's, whoever activates it.
    pub(crate) fn in_command(&self, unit: &Unit) -> bool {
        let radius = self.rules().general.radius;
        let any = self.options().radius_of == RadiusOf::AnyAllied;
        self.state.generals.iter().enumerate().any(|(i, g)| {
            let counts = if any { g.army == unit.army } else { i == unit.owner.index() };
            counts && g.present() && within(unit.command_distance(self.rules(), g.at), radius)
        })
    }

    /// The command points a seat pays to activate a unit (ATKM-CMD-09..12, ATKM-TEAM-09..11).
    pub(crate) fn price(&self, seat: Seat, unit: &Unit) -> u8 {
        self.price_by_reasons(seat, unit).sum().clamp(0, i32::from(u8::MAX)) as u8
    }

    /// What makes up that price.
    pub(crate) fn price_by_reasons(&self, seat: Seat, unit: &Unit) -> Reasons {
        let prices = &self.rules().price;
        let mut price = Reasons::new();
        let skirmisher = unit.kind == Kind::Skirmisher;
        let free_colour = unit.colour == Colour::Green && self.options().distant_green == DistantGreen::Free;
        let allied = unit.owner != seat;
        if allied && skirmisher && self.options().allied_skirmishers == AlliedSkirmishers::Free {
            return price;
        }
        price.line_if(allied, &prices.allied);
        let by_distance = !allied || self.options().allied_distance_cost == AlliedDistanceCost::Extra;
        let distant = by_distance && !skirmisher && !free_colour && !self.in_command(unit);
        price.line_if(distant, &prices.distant);
        price
    }

    /// Whether a seat can pay for a unit (ATKM-CMD-16).
    pub(crate) fn judge_price(&self, seat: Seat, no: UnitNo) -> Result<u8, Illegal> {
        let unit = self.unit(no);
        let reasons = self.price_by_reasons(seat, unit);
        let price = reasons.sum().clamp(0, i32::from(u8::MAX)) as u8;
        let purse = self.state.generals.get(seat.index()).map_or(0, |g| g.points);
        if price > purse {
            return refuse(
                "ATKM-CMD-16",
                format!(
                    "{} costs {price} command point{} ({}); {purse} {} left",
                    unit.id,
                    if price == 1 { "" } else { "s" },
                    reasons.iter().map(|r| r.reason).collect::<Vec<_>>().join(", "),
                    if purse == 1 { "is" } else { "are" }
                ),
            );
        }
        Ok(price)
    }

    /// 6: command dice, counters and markers of a new turn (ATKM-TURN-02).
    pub(crate) fn roll_command(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        for army in ARMIES {
            let commander = self.commander(army);
            for seat in (0..self.state.generals.len() as u8).map(Seat) {
                let g = self.state.generals[seat.index()];
                if g.army != army {
                    continue;
                }
                if seat == commander {
                    let faces = chance.faces("command", usize::from(g.rating), 6);
                    let best = faces.iter().copied().max().unwrap_or(0);
                    self.state.generals[seat.index()].points = best;
                    log.say(|| {
                        Event::new("command", "ATKM-CMD-01")
                            .faces(&faces)
                            .made(i32::from(best))
                            .with("army", army_name(army))
                            .with("side", self.called(army))
                            .with("seat", seat.0)
                    });
                } else {
                    // ATKM-CMD-03.
                    self.state.generals[seat.index()].points = g.rating;
                }
            }
        }
        let yellow_mobs = self.options().mob_recovery == MobRecovery::Yellow;
        let quality = self.options().adv_quality;
        for unit in &mut self.state.units {
            let tired = (yellow_mobs && unit.is_mob()) || (quality && unit.quality == Quality::Militia);
            unit.colour = if tired { Colour::Yellow } else { Colour::Green };
            unit.shrugged = false;
        }
    }

    /// Names Commanding Generals where the scenario did not (ATKM-TEAM-02, ATKM-TEAM-04).
    pub(crate) fn name_commanders(&mut self) {
        for army in ARMIES {
            if self.seats_of(army).any(|s| self.state.generals[s.index()].commander) {
                continue;
            }
            let mut best: Option<Seat> = None;
            for seat in self.seats_of(army) {
                let rating = self.state.generals[seat.index()].rating;
                if best.is_none_or(|b| rating > self.state.generals[b.index()].rating) {
                    best = Some(seat);
                }
            }
            if let Some(best) = best {
                self.state.generals[best.index()].commander = true;
            }
        }
    }
}
