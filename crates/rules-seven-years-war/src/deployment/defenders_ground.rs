//! Ground that the defender buys with troops he gives up (U7; SYW-POINTS-06 to -09).

use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, Log, Seat, Side, UnitId};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Presence, Units};
use crate::points::{Points, WoodPrice};
use crate::questions::Rotate;
use crate::terrain_generation::{self, Bought, Country, Nudge, Purchase};

impl SevenYearsBattle {
    /// The side that may buy ground (SYW-DEPLOY-01).
    pub(crate) fn defender(&self) -> Side {
        self.s.attacker.enemy()
    }

    /// Whether the defender is asked for ground. He is, whatever army he has bought in secret: that he has nobody to give up is
    /// nobody else's to know.
    pub(crate) fn may_buy_ground(&self) -> bool {
        self.fixed.muster.as_ref().is_some_and(|muster| {
            muster.buy_terrain && (muster.points.is_some() || self.for_sale(self.defender()).len() > 1)
        })
    }

    fn ground_price(&self, ground: Purchase) -> Result<Points, Illegal> {
        let wood = match self.fixed.options.wood_price {
            crate::options::WoodPrice::PerLevelPlusWidth => WoodPrice::PerLevelPlusWidth,
            crate::options::WoodPrice::Example => WoodPrice::Example,
        };
        terrain_generation::price(ground, &self.fixed.book.market.prices, wood)
            .map_err(|e| Illegal::new(e.clause, e.why))
    }

    /// Judges a purchase: the piece, its sector, and whole units that pay for it (SYW-POINTS-06, -08, -09).
    pub(crate) fn judge_ground(
        &self,
        ground: Purchase,
        half: u8,
        sector: u8,
        give_up: &[UnitId],
    ) -> Result<Units, Illegal> {
        let price = f64::from(self.ground_price(ground)?);
        let table = [self.fixed.table.width(), self.fixed.table.depth()];
        let halves_beyond = self.fixed.book.ground.sizes.halves_beyond;
        let halves = terrain_generation::Region::of_table(table, halves_beyond).len();
        if !(1..=6).contains(&sector) || usize::from(half) >= halves {
            return refuse("SYW-TERRGEN-10", "sectors are numbered 1 to 6");
        }
        let mut units = Units::new();
        let mut worth = 0.0;
        for id in give_up {
            let found = self.known_unit(*id).filter(|&u| {
                self.unit(u).side == self.defender() && self.unit(u).presence == Presence::Waiting
            });
            let Some(u) = found.filter(|u| !units.contains(u)) else {
                return refuse(
                    "SYW-POINTS-09",
                    format!("{id} is no unit of yours that can be given up, or is named twice"),
                );
            };
            worth += f64::from(self.unit(u).started) * self.info(u).price;
            units.push(u);
        }
        if worth + 1e-9 < price {
            return refuse(
                "SYW-POINTS-06",
                format!("that costs {price}; the units named are worth {worth}: give up more"),
            );
        }
        if units.len() >= self.for_sale(self.defender()).len() {
            return refuse("SYW-POINTS-09", "somebody must be left to fight");
        }
        Ok(units)
    }

    /// The troops go, the dice for the sub-sector and the rotation fall (SYW-POINTS-08).
    pub(crate) fn buy_ground(
        &mut self,
        ground: Purchase,
        half: u8,
        sector: u8,
        units: &[UnitIx],
        now: &mut Now<'_>,
    ) {
        for &u in units {
            self.give_up(u, now.log);
        }
        if let Ok(price) = self.ground_price(ground) {
            let army = &mut self.s.armies[self.defender().index().min(1)];
            army.ground = army.ground + price;
        }
        let table = [self.fixed.table.width(), self.fixed.table.depth()];
        let country = self.s.country.get_or_insert_with(|| Country { table, pieces: Vec::new() });
        match terrain_generation::place(country, ground, (half, sector), &self.fixed.book.ground, now.chance)
        {
            Ok(Some(bought)) => self.ask(Rotate { bought }),
            _ => now.say(|| Event::new("ground_lost", "SYW-TERRGEN-14")),
        }
    }

    /// A unit given up is of this army no more, and nobody's loss (SYW-POINTS-09). The other side does not know it was there.
    fn give_up(&mut self, u: UnitIx, log: &mut Log) {
        let (side, started) = (self.unit(u).side, self.unit(u).started);
        let worth = f64::from(started) * self.info(u).price;
        let army = &mut self.s.armies[side.index().min(1)];
        army.started = army.started.saturating_sub(u16::from(started));
        army.points -= worth;
        let g = self.unit(u).group;
        self.group_mut(g).units.retain(|v| *v != u);
        let unit = self.unit_mut(u);
        unit.presence = Presence::Gone;
        unit.stands.clear();
        unit.started = 0;
        let id = unit.id;
        log.say(|| Event::new("given_up", "SYW-POINTS-09").who(id).only(&[Seat(side.0)]));
    }

    /// Judges a change of the rotation die (SYW-POINTS-08).
    pub(crate) fn judge_rotation(&self, bought: Bought, by: Nudge) -> Result<(), Illegal> {
        let Some(mut country) = self.s.country.clone() else { return Ok(()) };
        terrain_generation::nudge(&mut country, bought, by, &self.fixed.book.ground)
            .map_err(|e| Illegal::new(e.clause, e.why))
    }

    /// The piece is laid.
    pub(crate) fn turn_ground(&mut self, bought: Bought, by: Nudge, log: &mut Log) {
        if let Some(country) = &mut self.s.country
            && terrain_generation::nudge(country, bought, by, &self.fixed.book.ground).is_ok()
        {
            let what = match bought.purchase {
                Purchase::Hill { .. } => "a hill",
                Purchase::Wood { .. } => "a wood",
                Purchase::Town { .. } => "a town",
            };
            let (sector, sub) = (bought.place.sector, bought.place.sub_sector);
            log.say(|| {
                Event::new("ground_bought", "SYW-POINTS-08")
                    .with("piece", what)
                    .with("sector", sector)
                    .with("sub_sector", sub)
            });
        }
        self.relay_ground();
    }

    /// Hills the defender could have for his cheapest troops, one in each sector.
    pub(crate) fn ground_proposals(&self) -> Vec<Action> {
        let ground = Purchase::Hill { level: 1, size: [30.0, 20.0] };
        let Ok(price) = self.ground_price(ground) else { return Vec::new() };
        let for_sale = self.for_sale(self.defender());
        let mut give_up: Vec<UnitId> = Vec::new();
        let mut worth = 0.0;
        for (id, price_of) in &for_sale {
            if worth >= f64::from(price) {
                break;
            }
            worth += price_of;
            give_up.push(*id);
        }
        if worth < f64::from(price) || give_up.len() == for_sale.len() {
            return Vec::new();
        }
        (1..=6)
            .map(|sector| Action::BuyGround { ground, half: 0, sector, give_up: give_up.clone() })
            .collect()
    }
}
