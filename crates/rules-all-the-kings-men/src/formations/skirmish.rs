//! Loose skirmishers: how they spread (M9), and how they make way for friends (ATKM-MOVE-17).

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::{Bounds, Point, Rect, Shape, within};

use crate::field::Engagement;
use crate::formations::{self, Spot, Spots, Spread};
use crate::movement::terrain::overlap;
use crate::state::{Solids, Unit, UnitNo, base_rect};

impl Engagement {
    /// Places the figures of loose skirmishers beside everybody else (M9).
    pub(crate) fn spread_out(
        &self,
        no: UnitNo,
        end: &mut Unit,
        spread: Option<&Spread>,
    ) -> Result<(), Illegal> {
        self.spread_out_beside(no, end, spread, &[])
    }

    /// The same where others, who are not on the table yet, will have their places; `no` is out of the way.
    pub(super) fn spread_out_beside(
        &self,
        no: UnitNo,
        end: &mut Unit,
        spread: Option<&Spread>,
        others: &[Unit],
    ) -> Result<(), Illegal> {
        self.spread_out_past(end, spread, others, |other, _| other == no)
    }

    /// The same at the end of a move: friendly skirmishers will make way (ATKM-MOVE-17).
    pub(crate) fn spread_out_among_friends(
        &self,
        no: UnitNo,
        end: &mut Unit,
        spread: Option<&Spread>,
    ) -> Result<(), Illegal> {
        let army = end.army;
        let yields = move |other: UnitNo, u: &Unit| other == no || (u.army == army && u.is_skirmish_line());
        self.spread_out_past(end, spread, &[], yields)
    }

    /// Places loose skirmishers as they will stand at the end of a move, and says whether there is room for them; without it
    /// they have the places they want. Others keep theirs.
    pub(crate) fn spread_as_they_stand(
        &self,
        no: UnitNo,
        end: &mut Unit,
        spread: Option<&Spread>,
    ) -> Result<Result<(), Illegal>, Illegal> {
        if !end.is_skirmish_line() {
            return Ok(Ok(()));
        }
        end.spots = self.wanted_spots(end, spread)?;
        let mut placed = *end;
        let spread_out = self.spread_out_among_friends(no, &mut placed, spread);
        if spread_out.is_ok() {
            *end = placed;
        }
        Ok(spread_out)
    }

    /// The same, where `gone` are out of the way.
    fn spread_out_past(
        &self,
        end: &mut Unit,
        spread: Option<&Spread>,
        others: &[Unit],
        gone: impl Fn(UnitNo, &Unit) -> bool,
    ) -> Result<(), Illegal> {
        let rules = self.rules();
        let wanted = self.wanted_spots(end, spread)?;
        let custom = matches!(spread, Some(Spread::Custom(_)));
        let (w, d) = rules.base_of(end.kind);
        // Officer and ensign first, as one piece.
        let frame = end.frame();
        let pair = base_rect(frame.forward, end.facing, end.at, 2.0 * w, d);
        let mut piece = Solids::new();
        piece.push(pair);
        self.standable(&piece)?;
        let beside = others.iter().flat_map(|u| u.footprint(rules));
        let beside: SmallVec<[Rect; 16]> = beside.collect();
        let on = self.overlapped(&piece, &gone).map(|met| self.unit(met).id);
        let on = on.or_else(|| {
            let met =
                |u: &&Unit| u.footprint(rules).iter().any(|r| overlap(&Shape::Rect(pair), &Shape::Rect(*r)));
            others.iter().find(met).map(|u| u.id)
        });
        if let Some(id) = on {
            return refuse("ATKM-MOVE-22", format!("officer and ensign would stand on {id}"));
        }
        end.spots = Spots::default();
        let mut placed = piece;
        let mut near = self.neighbours(end.at, rules.loose.skirmisher_reach + 2.0, gone);
        near.extend(beside);
        for (i, &slot) in wanted.iter().enumerate().take(usize::from(end.n)) {
            let ideal = frame.to_world(slot.point());
            let fits = |at: Point, placed: &Solids| {
                let rect = base_rect(frame.forward, end.facing, at, w, d);
                self.fits(&rect, placed, &near)
            };
            let found = if !slot.is_stacked() && fits(ideal, &placed) && self.in_reach(ideal, end.at) {
                Some(ideal)
            } else if custom {
                return refuse("ATKM-FORM-11", format!("skirmisher {} has no room at his place", i + 1));
            } else {
                let from = if slot.is_stacked() { end.at } else { ideal };
                let reach = 2.0 * rules.loose.skirmisher_reach;
                self.ring_search(from, end.facing, reach, |at| self.in_reach(at, end.at) && fits(at, &placed))
            };
            if let Some(at) = found {
                end.spots[i] = Spot::of(frame.to_local(at));
                let at = frame.to_world(end.spots[i].point());
                let _ = placed.try_push(base_rect(frame.forward, end.facing, at, w, d));
            }
        }
        Ok(())
    }

    /// Where skirmishers would stand if there were room everywhere.
    pub(crate) fn wanted_spots(&self, unit: &Unit, spread: Option<&Spread>) -> Result<Spots, Illegal> {
        Ok(match spread {
            None => unit.spots,
            Some(Spread::Line) => formations::spread(self.rules(), false, unit.n),
            Some(Spread::Cloud) => formations::spread(self.rules(), true, unit.n),
            Some(Spread::Custom(places)) => self.custom_spots(unit.n, places)?,
        })
    }

    fn custom_spots(&self, n: u8, places: &[Point]) -> Result<Spots, Illegal> {
        if places.len() != usize::from(n) || places.iter().any(|p| !p.is_finite()) {
            return refuse(
                "ATKM-FORM-11",
                format!("give {n} places, one for each skirmisher, right and ahead of the centre"),
            );
        }
        let reach = self.rules().loose.skirmisher_reach;
        let mut spots = Spots::default();
        for (spot, place) in spots.iter_mut().zip(places) {
            if !within(place.length(), reach) {
                return refuse(
                    "ATKM-FORM-11",
                    format!(
                        "skirmishers stand up to {reach} from officer and ensign; [{}, {}] is farther",
                        place.x, place.y
                    ),
                );
            }
            *spot = Spot::of(*place);
        }
        Ok(spots)
    }

    fn in_reach(&self, at: Point, centre: Point) -> bool {
        within(at.distance(centre), self.rules().loose.skirmisher_reach)
    }

    /// Footprints of other units near a place.
    fn neighbours(
        &self,
        at: Point,
        reach: f64,
        gone: impl Fn(UnitNo, &Unit) -> bool,
    ) -> SmallVec<[Rect; 16]> {
        let around = Bounds::of_pair(at, at).grown(reach);
        let mut out = SmallVec::new();
        for (other, u) in self.present() {
            if u.reach(self.rules()).meets(&around) && !gone(other, u) {
                out.extend(u.footprint(self.rules()));
            }
        }
        out
    }

    fn fits(&self, rect: &Rect, placed: &Solids, near: &[Rect]) -> bool {
        let shape = Shape::Rect(*rect);
        self.land().holds(&shape)
            && !placed.iter().any(|p| overlap(&shape, &Shape::Rect(*p)))
            && !near.iter().any(|p| overlap(&shape, &Shape::Rect(*p)))
            && !self.land().forbids(&shape)
    }

    /// ATKM-MOVE-17: friendly skirmishers that a unit ended among are rearranged round it.
    pub(crate) fn make_way(&mut self, no: UnitNo, log: &mut Log) {
        let unit = *self.unit(no);
        let footprint = unit.footprint(self.rules());
        let crowded: ArrayVec<UnitNo, 8> = self
            .of_army(unit.army)
            .filter(|(other, u)| *other != no && u.is_skirmish_line())
            .filter(|(_, u)| {
                let solids = u.solids(self.rules());
                footprint.iter().any(|f| solids.iter().any(|s| overlap(&Shape::Rect(*f), &Shape::Rect(*s))))
            })
            .map(|(other, _)| other)
            .take(8)
            .collect();
        for other in crowded {
            self.rearrange(other);
            let id = self.unit(other).id;
            log.say(|| Event::new("rearranged", "ATKM-MOVE-17").who(id).whom(unit.id));
            self.displace_generals(other, log);
        }
    }

    fn rearrange(&mut self, no: UnitNo) {
        let before = *self.unit(no);
        let rules = self.rules();
        let (w, d) = rules.base_of(before.kind);
        let near = self.neighbours(before.at, 30.0, |other, _| other == no);
        let none = Solids::new();
        let far = 24.0;
        let frame = before.frame();
        let at = self.ring_search(before.at, before.facing, far, |at| {
            self.fits(&base_rect(frame.forward, before.facing, at, 2.0 * w, d), &none, &near)
        });
        let mut after = before;
        after.at = at.unwrap_or(before.at);
        let moved = after.frame();
        let mut placed = Solids::new();
        placed.push(base_rect(moved.forward, after.facing, after.at, 2.0 * w, d));
        after.spots = Spots::default();
        for i in 0..usize::from(before.n).min(after.spots.len()) {
            let old = frame.to_world(before.spots[i].point());
            let found = self.ring_search(old, before.facing, far, |place| {
                self.in_reach(place, after.at)
                    && self.fits(&base_rect(moved.forward, after.facing, place, w, d), &placed, &near)
            });
            if let Some(place) = found {
                after.spots[i] = Spot::of(moved.to_local(place));
                let place = moved.to_world(after.spots[i].point());
                let _ = placed.try_push(base_rect(moved.forward, after.facing, place, w, d));
            }
        }
        *self.unit_mut(no) = after;
    }
}
