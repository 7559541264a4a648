//! Command points (CMD) and teams (TEAM): what an activation costs, and who may pay.

use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log, Side};
use tricorne_table::within;

use crate::action::Gift;
use crate::field::{ARMIES, Engagement, army_name, refuse};
use crate::options::{AlliedDistanceCost, AlliedSkirmishers, DistantGreen, MobRecovery, RadiusOf};
use crate::rulebook::{Colour, Kind};
use crate::state::{Quality, SeatNo, Unit, UnitNo};

impl Engagement {
    /// ATKM-CMD-08, ATKM-CMD-13: whether a unit is inside the radius that counts for a seat.
    pub(crate) fn in_command(&self, seat: SeatNo, unit: &Unit) -> bool {
        let radius = self.rules().general.radius;
        let any = self.options().radius_of == RadiusOf::AnyAllied;
        self.state.generals.iter().enumerate().any(|(i, g)| {
            let counts = if any { g.army == unit.army } else { i == usize::from(seat) };
            counts && g.present() && within(unit.command_distance(self.rules(), g.at), radius)
        })
    }

    /// The command points a seat pays to activate a unit (ATKM-CMD-09..12, ATKM-TEAM-09..11).
    pub(crate) fn price(&self, seat: SeatNo, unit: &Unit) -> u8 {
        let skirmisher = unit.kind == Kind::Skirmisher;
        let free_colour = unit.colour == Colour::Green && self.options().distant_green == DistantGreen::Free;
        let distance = || u8::from(!skirmisher && !free_colour && !self.in_command(seat, unit));
        if unit.owner == seat {
            return distance();
        }
        if skirmisher && self.options().allied_skirmishers == AlliedSkirmishers::Free {
            return 0;
        }
        match self.options().allied_distance_cost {
            AlliedDistanceCost::None => 1,
            AlliedDistanceCost::Extra => 1 + distance(),
        }
    }

    /// Whether a seat can pay for a unit (ATKM-CMD-16).
    pub(crate) fn judge_price(&self, seat: SeatNo, no: UnitNo) -> Result<u8, Illegal> {
        let unit = self.unit(no);
        let price = self.price(seat, unit);
        let purse = self.state.generals.get(usize::from(seat)).map_or(0, |g| g.points);
        if price > purse {
            return refuse(
                "ATKM-CMD-16",
                format!(
                    "{} costs {price} command point{}; {purse} are left",
                    unit.id,
                    if price == 1 { "" } else { "s" }
                ),
            );
        }
        Ok(price)
    }

    /// 6: command dice, counters and markers of a new turn (ATKM-TURN-02).
    pub(crate) fn roll_command(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        for army in ARMIES {
            let commander = self.commander(army);
            for seat in 0..self.state.generals.len() as SeatNo {
                let g = self.state.generals[usize::from(seat)];
                if g.army != army {
                    continue;
                }
                if seat == commander {
                    let faces = chance.faces("command", usize::from(g.rating), 6);
                    let best = faces.iter().copied().max().unwrap_or(0);
                    self.state.generals[usize::from(seat)].points = best;
                    log.say(|| {
                        Event::new("command", "ATKM-CMD-01")
                            .faces(&faces)
                            .made(i32::from(best))
                            .with("army", army_name(army))
                            .with("seat", seat)
                    });
                } else {
                    // ATKM-CMD-03.
                    self.state.generals[usize::from(seat)].points = g.rating;
                }
            }
        }
        let yellow_mobs = self.options().mob_recovery == MobRecovery::Yellow;
        let quality = self.options().adv_quality.is_on();
        for unit in &mut self.state.units {
            let tired = (yellow_mobs && unit.is_mob()) || (quality && unit.quality == Quality::Militia);
            unit.colour = if tired { Colour::Yellow } else { Colour::Green };
            unit.shrugged = false;
        }
    }

    /// Whether an army's Commanding General has anything to hand out, and anybody to give it to.
    pub(crate) fn has_gifts(&self, army: Side) -> bool {
        let commander = self.commander(army);
        let most = self.rules().general.most_points;
        self.state.generals[usize::from(commander)].points > 0
            && self
                .seats_of(army)
                .any(|s| s != commander && self.state.generals[usize::from(s)].points < most)
    }

    /// ATKM-CMD-04, ATKM-CMD-05, ATKM-CMD-07.
    pub(crate) fn judge_gifts(&self, army: Side, gifts: &[Gift]) -> Result<(), Illegal> {
        let commander = self.commander(army);
        let purse = u32::from(self.state.generals[usize::from(commander)].points);
        let mut given = 0;
        for (i, gift) in gifts.iter().enumerate() {
            let lieutenant = self.state.generals.get(usize::from(gift.to));
            let Some(lieutenant) = lieutenant.filter(|g| g.army == army && gift.to != commander) else {
                return refuse(
                    "ATKM-CMD-07",
                    format!("seat {} is no Lieutenant General of this army", gift.to),
                );
            };
            if gifts[..i].iter().any(|g| g.to == gift.to) {
                return refuse("ATKM-CMD-04", format!("seat {} stands twice in the list", gift.to));
            }
            let most = self.rules().general.most_points;
            if u32::from(lieutenant.points) + u32::from(gift.points) > u32::from(most) {
                return refuse(
                    "ATKM-CMD-05",
                    format!(
                        "seat {} holds {} and may hold {most} at most; give {} or less",
                        gift.to,
                        lieutenant.points,
                        most.saturating_sub(lieutenant.points)
                    ),
                );
            }
            given += u32::from(gift.points);
        }
        if given > purse {
            return refuse("ATKM-CMD-04", format!("{given} points are more than the {purse} rolled"));
        }
        Ok(())
    }

    pub(crate) fn do_give(&mut self, army: Side, gifts: &[Gift], log: &mut Log) {
        let commander = self.commander(army);
        for gift in gifts.iter().filter(|g| g.points > 0) {
            self.state.generals[usize::from(commander)].points -= gift.points;
            self.state.generals[usize::from(gift.to)].points += gift.points;
            log.say(|| {
                Event::new("gift", "ATKM-CMD-04")
                    .with("army", army_name(army))
                    .with("seat", gift.to)
                    .with("points", gift.points)
            });
        }
    }

    /// Names Commanding Generals where the scenario did not (ATKM-TEAM-02, ATKM-TEAM-04).
    pub(crate) fn name_commanders(&mut self) {
        for army in ARMIES {
            if self.seats_of(army).any(|s| self.state.generals[usize::from(s)].commander) {
                continue;
            }
            let mut best: Option<SeatNo> = None;
            for seat in self.seats_of(army) {
                let rating = self.state.generals[usize::from(seat)].rating;
                if best.is_none_or(|b| rating > self.state.generals[usize::from(b)].rating) {
                    best = Some(seat);
                }
            }
            if let Some(best) = best {
                self.state.generals[usize::from(best)].commander = true;
            }
        }
    }
}
