//! Setting up by hand: a lot put down where a player points, or as near as can be.

use tricorne_drill::{Rules, refuse};
use tricorne_game::{Illegal, Steer, Wish};
use tricorne_table::{Point, Pose, angle};

use crate::action::{Action, PutDown};
use crate::field::Field;
use crate::model::measure::Decimal;
use crate::model::{Formation, Nr};
use crate::scenario::deployment::Lot;
use crate::state::RED;

impl Field {
    /// Puts down the lot that a unit or commander belongs to, with that one where the wish is or as near as can be.
    pub(crate) fn steer_deploy(
        &self,
        side: tricorne_game::Side,
        wish: &Wish,
        facing: Option<f64>,
    ) -> Result<Steer<Action>, Illegal> {
        let mut lots = self.lots(side);
        let lot = match wish.unit {
            None => lots.next(),
            Some(id) => lots.find(|&lot| {
                let (members, chief) = self.lot_members(lot);
                members.iter().any(|&u| self.spec(u).id == id)
                    || chief.is_some_and(|c| self.chief(c).id == id)
            }),
        };
        let Some(lot) = lot else {
            return refuse("VF-SCEN-05", "that is nothing of yours still to be placed");
        };
        let facing = facing.unwrap_or(if side == RED { 0.0 } else { 180.0 });
        let mut why = None;
        // The wish itself, then rings round it.
        for ring in 0..40_u32 {
            let spokes = if ring == 0 { 1 } else { 12 };
            for (spoke, column, chief) in
                (0..spokes).flat_map(|s| [(s, false, 0), (s, false, 1), (s, true, 0), (s, true, 1)])
            {
                let half = if side == RED { 0.0 } else { 180.0 };
                let way = angle::forward(f64::from(spoke) * 30.0 + f64::from(ring % 2) * 15.0 + half);
                let at = wish.place + way * (0.5 * f64::from(ring));
                let (action, end) = self.placing_about(lot, wish.unit, at, facing, (column, chief));
                match self.check(&action) {
                    Ok(()) => return Ok(Steer { action: Some(action), end: Some(end), why }),
                    Err(refused) => why = why.or(Some(refused)),
                }
            }
        }
        // Too far off: slide straight into the zone and try again along it.
        let depth = f64::from(self.p().table.deployment);
        for back in 0..20_u32 {
            let y = depth - 0.5 * f64::from(back);
            let y = if side == RED { y } else { self.b.height - y };
            for i in 0..(self.b.width * 2.0) as u32 {
                let step =
                    f64::from(i.div_ceil(2)) * 0.5 * if (i % 2 == 0) == (side == RED) { 1.0 } else { -1.0 };
                let at = Point::new(wish.place.x.clamp(0.0, self.b.width) + step, y);
                let (action, end) = self.placing_about(lot, wish.unit, at, facing, (false, 0));
                if self.check(&action).is_ok() {
                    return Ok(Steer { action: Some(action), end: Some(end), why });
                }
            }
        }
        match (self.first_placing(side, lot), why) {
            (Some(action), why) => Ok(Steer { action: Some(action), end: None, why }),
            (None, Some(why)) => Err(why),
            (None, None) => refuse("VF-SCEN-05", "there is no room left for it"),
        }
    }

    /// A lot with one of it at a place and the rest beside and behind it: in columns if asked, its commander behind the
    /// middle (0) or beside the right end (1).
    fn placing_about(
        &self,
        lot: Lot,
        who: Option<tricorne_game::UnitId>,
        at: Point,
        facing: f64,
        (columns, chief_at): (bool, u8),
    ) -> (Action, Pose) {
        let (members, chief) = self.lot_members(lot);
        let (right, forward) = (angle::right(facing), angle::forward(facing));
        let lead = members.iter().position(|&u| Some(self.spec(u).id) == who).unwrap_or(0);
        let formation_of = |u: Nr| {
            let all = self.kind(u).formations();
            if columns && all.contains(&Formation::Column) { Formation::Column } else { all[0] }
        };
        let width_of = |u: Nr| self.p().base.size(formation_of(u)).0;
        // Middles of the members along the line, from the leader's.
        let mut offsets = vec![0.0; members.len()];
        for (i, pair) in members.windows(2).enumerate() {
            offsets[i + 1] = offsets[i] + (width_of(pair[0]) + width_of(pair[1])) * 0.5 + 0.5;
        }
        let origin = offsets.get(lead).copied().unwrap_or(0.0);
        let middle = right * (offsets.last().copied().unwrap_or(0.0) * 0.5 - origin);
        let deep =
            if columns { 5.5 } else { 3.0 } + chief.map_or(0.0, |c| self.chief(c).level.base(self.p()) * 0.5);
        // A colonel who is put down has his regiment before him.
        let leads = chief.is_some_and(|c| Some(self.chief(c).id) == who);
        let line = if leads { at + forward * deep - middle } else { at };
        let units: Vec<PutDown> = members
            .iter()
            .zip(&offsets)
            .map(|(&u, offset)| {
                let p = line + right * (offset - origin);
                PutDown {
                    id: self.spec(u).id,
                    at: [Decimal::of(p.x), Decimal::of(p.y)],
                    facing: Decimal::of(facing),
                    formation: formation_of(u),
                }
            })
            .collect();
        let commander = chief.map(|_| {
            let end = offsets.last().copied().unwrap_or(0.0) - origin;
            let p = if members.is_empty() {
                at
            } else if chief_at == 0 || leads {
                line + middle - forward * deep
            } else {
                line + right * (end + 4.0) - forward * 1.0
            };
            [Decimal::of(p.x), Decimal::of(p.y)]
        });
        (Action::Deploy { piece: self.lot_name(lot).to_owned(), units, commander }, Pose::new(at, facing))
    }
}
