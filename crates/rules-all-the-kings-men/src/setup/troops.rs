//! The troops of a file: players and their generals, units, and where they stand.

use arrayvec::ArrayVec;
use tricorne_drill::scenario::UnitEntry;
use tricorne_game::{Fault, InOrder, Place, Purpose, Seat, Side};
use tricorne_table::{Point, Shape};

use crate::field::{Engagement, SeatText, army_name};
use crate::formations::{Formation, Spread};
use crate::movement::terrain::Land;
use crate::options::Options;
use crate::rulebook::{Colour, Kind, most_privates};
use crate::setup::Clerk;
use crate::setup::forces::recruit;
use crate::setup::scenario::{BattleFile, Phase, Rating, SeatFile, UnitFile};
use crate::state::{General, MOST_SEATS, Presence, Solids, Unit, UnitNo, base_at};

impl Clerk<'_> {
    pub(super) fn seats(
        &self,
        written: &BattleFile,
        land: &Land,
    ) -> Result<(Vec<SeatText>, ArrayVec<General, MOST_SEATS>), Fault> {
        let seats = &written.seats;
        let named = seats.iter().any(|seat| seat.own.is_some());
        if let Some(nobodys) = seats.iter().find(|seat| seat.own.is_none())
            && self.purpose == Purpose::Scenario
            && named
        {
            return self.fault(&["seat".into()], format!("nobody plays {}", army_name(nobodys.side)));
        }
        if seats.len() > MOST_SEATS {
            return self.fault(&["seat".into()], format!("has {} players; two to six can play", seats.len()));
        }
        let mut texts = Vec::new();
        let mut generals = ArrayVec::new();
        for (i, seat) in seats.iter().enumerate() {
            let place = |field: &str| [Place::from("seat"), i.into(), field.into()];
            let (army, s) = (seat.side, seat.own.clone().unwrap_or_default());
            let (rating, roll_rating) = match &s.rating {
                None => (self.rules.general.usual_rating, false),
                Some(Rating::Fixed(r @ 1..=3)) => (*r, false),
                Some(Rating::Word(w)) if w == "roll" => (self.rules.general.usual_rating, true),
                Some(_) => return self.fault(&place("rating"), "expected 1, 2, 3 or \"roll\""),
            };
            let same = seats[..i].iter().filter(|o| o.side == army).count();
            let teammates = seats.iter().filter(|o| o.side == army).count();
            let starting = matches!(written.own.phase, Some(Phase::Muster | Phase::Deploy));
            let position = self.purpose == Purpose::Position && !starting;
            let corner = || {
                // In a position a general nobody mentions waits in his side's corner, out of the way.
                let x = 1.0 + 3.0 * same as f64;
                if army == Side(0) {
                    Point::new(x, 1.5)
                } else {
                    Point::new(land.table.width() - x, land.table.depth() - 1.5)
                }
            };
            if s.general.is_some_and(|p| !p.is_finite()) {
                return self.fault(&place("general"), "has a number that is none");
            }
            let at = s.general.or_else(|| position.then(corner));
            let commands = |own: Option<&SeatFile>| own.is_some_and(|own| own.commander == Some(true));
            if s.commander == Some(true)
                && seats[..i].iter().any(|o| o.side == army && commands(o.own.as_ref()))
            {
                return self.fault(&place("commander"), "an army has one Commanding General");
            }
            let colour = if army == Side(0) { "Red" } else { "Black" };
            let number = if teammates > 1 { format!(" {}", same + 1) } else { String::new() };
            texts.push(SeatText {
                name: if seat.own.is_some() { seat.name.clone() } else { format!("{colour}{number}") },
                roll_rating,
            });
            generals.push(General {
                army,
                rating,
                at: at.unwrap_or(Point::ORIGIN),
                placed: at.is_some(),
                killed: s.killed,
                commander: s.commander.unwrap_or(teammates == 1),
                points: s.points.unwrap_or(if position { 3 } else { 0 }),
            });
        }
        Ok((texts, generals))
    }

    pub(super) fn units(
        &self,
        written: &BattleFile,
        options: &Options,
        generals: &[General],
    ) -> Result<Vec<Unit>, Fault> {
        let mut units: Vec<Unit> = Vec::new();
        if written.units.len() > 100 {
            return self.fault(&["unit".into()], "has more than 100 units");
        }
        let mut dealt = [0_usize; 2];
        for (i, entry) in written.units.iter().enumerate() {
            let (id, u) = (entry.id, &entry.own);
            let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
            if units.iter().any(|o| o.id == id) {
                return self.fault(&place("id"), format!("two units are called `{id}`"));
            }
            let Some(kind) = self.rules.kind(&entry.kind) else {
                return self.fault(
                    &place("kind"),
                    format!("`{}` is no type of unit; expected I (infantry), S (skirmisher), K (cavalry), F (foot artillery) or H (horse artillery)", entry.kind),
                );
            };
            let (army, owner) = self.owner(entry, i, generals, &mut dealt)?;
            let mut unit = recruit(&self.rules, id, kind, army, owner);
            let most = most_privates(kind);
            let least = u8::from(!u.routed);
            unit.n = u.n.unwrap_or(if u.routed { 0 } else { unit.n });
            unit.n0 = u.n0.unwrap_or(unit.n0.max(unit.n));
            if unit.n < least || unit.n > unit.n0 || unit.n0 > most {
                return self.fault(
                    &place("n"),
                    format!(
                        "has {} of {} privates; expected 1 to {most} and no more than at the start",
                        unit.n, unit.n0
                    ),
                );
            }
            if let Some(shape) = &u.shape {
                unit.formation = shape.parse().map_err(|e: String| self.file.fault(&place("shape"), e))?;
            }
            let shape_ok =
                crate::formations::allowed(&self.rules, options, kind, unit.formation, unit.n.max(1));
            let mob_at_start = unit.formation == Formation::Mob && self.purpose == Purpose::Scenario;
            if let Err((clause, why)) = shape_ok
                && !u.routed
            {
                return self.fault(&place("shape"), format!("{why} [{clause}]"));
            }
            if mob_at_start {
                return self.fault(&place("shape"), "a unit does not start as a mob [ATKM-FORM-14]");
            }
            unit.colour = u.colour.unwrap_or(Colour::Green);
            unit.disorder = u.disorder;
            unit.quality = u.quality;
            unit.shrugged = u.shrugged;
            unit.light = u.light;
            if u.light && kind != Kind::Infantry {
                return self.fault(&place("light"), "only infantry is named as light infantry [ATKM-ADV-02]");
            }
            if self.purpose == Purpose::Scenario
                && (unit.colour != Colour::Green || unit.disorder || u.routed)
            {
                return self.fault(
                    &[Place::from("unit"), i.into()],
                    "all units begin green, unmarked and on the table [ATKM-SETUP-09]",
                );
            }
            if let Some(parent) = &u.part_of {
                match units.iter().position(|o| o.id == *parent.as_str()) {
                    Some(no) => unit.parent = Some(UnitNo::at(no)),
                    None => {
                        return self.fault(
                            &place("part_of"),
                            format!("there is no unit `{parent}` before this one"),
                        );
                    }
                }
            }
            let facing = entry.facing.unwrap_or(unit.facing);
            if !facing.is_finite() || entry.at.is_some_and(|p| !p.is_finite()) {
                return self.fault(&place("at"), "has a number that is none");
            }
            unit.set_pose(entry.at.unwrap_or(Point::ORIGIN), facing);
            if unit.is_mob() {
                unit.set_mob(unit.at);
            }
            unit.presence = match (u.routed, u.split, entry.at) {
                (true, _, _) => Presence::Routed,
                (_, true, _) => Presence::Split,
                (_, _, Some(_)) => Presence::Present,
                (_, _, None) if entry.arrives.is_some() => Presence::Due,
                (_, _, None) => Presence::Waiting,
            };
            units.push(unit);
        }
        Ok(units)
    }

    pub(super) fn owner(
        &self,
        u: &UnitEntry<UnitFile>,
        i: usize,
        generals: &[General],
        dealt: &mut [usize; 2],
    ) -> Result<(Side, Seat), Fault> {
        let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
        match (u.seat, u.side) {
            (Some(seat), army) => {
                let Some(general) = generals.get(seat.index()) else {
                    return self.fault(
                        &place("seat"),
                        format!("there is no seat {}; seats are 0 to {}", seat.0, generals.len() - 1),
                    );
                };
                if army != general.army {
                    return self.fault(&place("side"), "is not the army of its seat");
                }
                Ok((general.army, seat))
            }
            (None, army) => {
                let seats: Vec<Seat> = (0..generals.len())
                    .filter(|&s| generals[s].army == army)
                    .map(|s| Seat(s as u8))
                    .collect();
                // ATKM-TEAM-06: without a word from the scenario units are dealt to seats in turn.
                let seat =
                    seats.get(dealt[army.index()] % seats.len().max(1)).copied().unwrap_or(Seat(army.0));
                dealt[army.index()] += 1;
                Ok((army, seat))
            }
        }
    }

    /// Units the file places: on the table, off forbidden ground, on nobody (ATKM-SETUP-08).
    pub(super) fn place_units(&self, written: &BattleFile, battle: &mut Engagement) -> Result<(), Fault> {
        // Skirmishers first come off the table, so that each spreads round those already placed.
        let present: Vec<usize> =
            (0..battle.state.units.len()).filter(|&i| battle.state.units[i].present()).collect();
        for &i in &present {
            battle.state.units[i].presence = Presence::Waiting;
        }
        let formed_first = |i: &usize| battle.state.units[*i].is_skirmish_line();
        let mut order = present.clone();
        order.put_in_order_of(formed_first);
        for i in order {
            let place = |field: &str| [Place::from("unit"), i.into(), field.into()];
            let mut unit = battle.state.units[i];
            unit.presence = Presence::Present;
            if unit.is_skirmish_line() {
                let spread = written.units[i].own.spread.clone().unwrap_or(Spread::Line);
                battle
                    .spread_out(UnitNo::at(i), &mut unit, Some(&spread))
                    .map_err(|e| self.file.fault(&place("at"), e.to_string()))?;
            } else if written.units[i].own.spread.is_some() {
                return self.fault(&place("spread"), "only loose skirmishers spread [ATKM-FORM-23]");
            }
            let footprint = unit.footprint(battle.rules());
            battle.standable(&footprint).map_err(|e| self.file.fault(&place("at"), e.to_string()))?;
            if let Some(met) = battle.overlapped(&footprint, |o, _| o.index() == i) {
                let other = battle.unit(met).id;
                return self.fault(
                    &place("at"),
                    format!("{} would stand on {other}; move one of them [ATKM-SETUP-08]", unit.id),
                );
            }
            battle.state.units[i] = unit;
        }
        Ok(())
    }

    /// Generals nobody mentioned step aside for the units of a position.
    pub(super) fn clear_corners(written: &BattleFile, battle: &mut Engagement) {
        for seat in 0..battle.state.generals.len() {
            let mentioned =
                written.seats.get(seat).and_then(|s| s.own.as_ref()).is_some_and(|s| s.general.is_some());
            let general = battle.state.generals[seat];
            if mentioned || !general.present() {
                continue;
            }
            let free = battle.ring_search(general.at, 0.0, 60.0, |at| {
                battle.judge_general_stand(Seat(seat as u8), at).is_ok()
            });
            battle.state.generals[seat].at = free.unwrap_or(general.at);
        }
    }

    pub(super) fn check_generals(&self, battle: &Engagement) -> Result<(), Fault> {
        for (i, g) in battle.state.generals.iter().enumerate() {
            if !g.present() {
                continue;
            }
            let mut base = Solids::new();
            base.push(base_at(battle.rules(), g.at));
            let place = [Place::from("seat"), i.into(), "general".into()];
            battle.standable(&base).map_err(|e| self.file.fault(&place, format!("the general: {e}")))?;
            let on = battle.overlapped(&base, |_, u| {
                // The box of loose skirmishers is wider than they are; only their bases count.
                !u.solids(battle.rules())
                    .iter()
                    .any(|r| crate::movement::terrain::overlap(&Shape::Rect(*r), &Shape::Rect(base[0])))
            });
            if let Some(met) = on {
                return self.fault(&place, format!("the general stands on {}", battle.unit(met).id));
            }
        }
        Ok(())
    }
}
