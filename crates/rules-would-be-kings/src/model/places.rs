//! Finding places (WBK-MOD-36 to 38): who keeps his place when a unit slides, who finds another, and how far the model
//! goes that goes furthest.

use std::cmp::Ordering;
use std::sync::LazyLock;
use tricorne_game::InOrder;

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_table::Point;

use super::base::{Base, TOLERANCE, forward};
use super::layout::{Around, Unfit, slots};
use crate::battle::Fray;
use crate::state::{Layout, MAX_MODELS, No, Places, Spot};

/// Offsets from an anchor, in thousandths of an inch.
type Offsets = SmallVec<[(i32, i32); 64]>;

/// A loose unit that has slid and now has to stand.
pub(crate) struct Slid<'a> {
    /// Which way it faces there.
    pub facing: u16,
    /// Where its models have slid to; the first is the anchor.
    pub places: &'a [Spot],
    pub why: Sliding,
}

/// What it slid for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Sliding {
    /// A move: all end within 4" of the leader (WBK-MOVE-07).
    Move,
    /// An Attack: nobody goes further than so many inches to find a place (WBK-MOD-21).
    Attack { limit: f64 },
    /// A retreat from an enemy: nobody finds a place nearer to it than the unit stood (WBK-RETREAT-13).
    Retreat { from: Option<(No, f64)> },
}

/// How it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Settled {
    pub places: Places,
    /// Whether anybody found another place than the one he slid to.
    pub moved_up: bool,
}

/// Nearest first, then by angle anticlockwise from east; all in whole thousandths, so that no machine orders them
/// otherwise.
fn by_distance_and_angle(a: &(i64, (i32, i32)), b: &(i64, (i32, i32))) -> Ordering {
    let half = |(x, y): (i32, i32)| i32::from(y < 0 || (y == 0 && x < 0));
    a.0.cmp(&b.0).then_with(|| half(a.1).cmp(&half(b.1))).then_with(|| {
        let cross = i64::from(a.1.0) * i64::from(b.1.1) - i64::from(a.1.1) * i64::from(b.1.0);
        0.cmp(&cross)
    })
}

fn in_order(mut points: Vec<(i64, (i32, i32))>) -> Offsets {
    points.put_in_order(by_distance_and_angle);
    points.into_iter().map(|(_, offset)| offset).collect()
}

/// The close places round an anchor (WBK-MOD-37), no further from it than `within`.
fn close_places(mounted: bool, facing: u16, within: f64) -> Offsets {
    static FOOT: LazyLock<Vec<(i64, (i32, i32))>> = LazyLock::new(|| {
        let mut all = Vec::new();
        for i in -8..=8_i32 {
            for j in -8..=8_i32 {
                let norm = i64::from(i * i + i * j + j * j);
                // The height of a triangle of 1.0" sides, in thousandths.
                let at = Spot::of(Point::new(f64::from(i) + f64::from(j) * 0.5, f64::from(j) * 0.866_025_4));
                all.push((norm, (at.x, at.y)));
            }
        }
        all
    });
    let most = |norm: i64| norm > 0 && norm as f64 <= within * within + TOLERANCE;
    if !mounted {
        return in_order(FOOT.iter().copied().filter(|p| most(p.0)).collect());
    }
    let ahead = forward(facing);
    let right = Point::new(ahead.y, -ahead.x);
    let mut all = Vec::new();
    for across in -4..=4_i32 {
        for deep in -2..=2_i32 {
            let at = Spot::of(right * f64::from(across) + ahead * (2.0 * f64::from(deep)));
            all.push((i64::from(across * across + 4 * deep * deep), (at.x, at.y)));
        }
    }
    in_order(all.into_iter().filter(|p| most(p.0)).collect())
}

/// B of WBK-MOD-36: the longest way from an old place to a new one, the places shared out so that it is as short as can
/// be; the first model goes to the first place unless all share.
pub(crate) fn furthest(before: &[Spot], after: &[Spot], all_share: bool) -> f64 {
    let n = before.len().min(after.len()).min(MAX_MODELS);
    if n == 0 {
        return 0.0;
    }
    let squared = |i: usize, j: usize| {
        let (dx, dy) = (i64::from(before[i].x - after[j].x), i64::from(before[i].y - after[j].y));
        dx * dx + dy * dy
    };
    let first = usize::from(!all_share);
    let floor = if all_share { 0 } else { squared(0, 0) };
    let mut ways: SmallVec<[i64; 576]> = SmallVec::new();
    for i in first..n {
        ways.extend((first..n).map(|j| squared(i, j)));
    }
    ways.sort_unstable();
    ways.dedup();
    // The least way within which everybody finds a place of his own.
    let suffices = |most: i64| {
        let mut reach: ArrayVec<u32, MAX_MODELS> = ArrayVec::new();
        for i in first..n {
            let near = (first..n).filter(|&j| squared(i, j) <= most);
            reach.push(near.fold(0, |set, j| set | 1 << (j - first)));
        }
        all_find_places(&reach)
    };
    let (mut low, mut high) = (0, ways.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        if suffices(ways[middle]) { high = middle } else { low = middle + 1 }
    }
    let most = ways.get(low).copied().unwrap_or(0).max(floor);
    (most as f64).sqrt() / 1000.0
}

/// Whether each can have one of the places in his reach.
fn all_find_places(reach: &[u32]) -> bool {
    fn seat(i: usize, reach: &[u32], tried: &mut u32, held: &mut [Option<usize>; MAX_MODELS]) -> bool {
        let mut open = reach[i] & !*tried;
        while open != 0 {
            let j = open.trailing_zeros() as usize;
            *tried |= 1 << j;
            if held[j].is_none_or(|other| seat(other, reach, tried, held)) {
                held[j] = Some(i);
                return true;
            }
            open = reach[i] & !*tried;
        }
        false
    }
    let mut held = [None; MAX_MODELS];
    (0..reach.len()).all(|i| seat(i, reach, &mut 0, &mut held))
}

/// A place being looked for.
struct Search<'a> {
    u: No,
    facing: u16,
    anchor: Point,
    around: &'a Around,
    /// Comrades who stand.
    standing: ArrayVec<Base, { 2 * MAX_MODELS }>,
}

impl Search<'_> {
    fn is_free(&self, base: &Base) -> bool {
        self.standing.iter().all(|other| other.gap(base) >= -TOLERANCE)
    }
}

impl Fray {
    fn may_stand(&self, search: &Search, base: &Base) -> bool {
        search.is_free(base) && self.slot_fits(base, search.around).is_ok()
    }

    /// The first place of the list of WBK-MOD-37 that is legal, free, and suits.
    fn find_place(&self, search: &Search, anchor: Spot, suits: impl Fn(&Base) -> bool) -> Option<Spot> {
        let (mounted, facing) = (self.card(search.u).mounted, search.facing);
        let cohesion = self.field.rulebook.charts.movement.cohesion;
        let near = |&(dx, dy): &(i32, i32)| {
            let spot = anchor.shifted(dx, dy);
            let base = self.base_at(search.u, spot.point(), facing);
            (suits(&base)
                && self.may_stand(search, &base)
                && self.reaches(search.anchor, base.centre, search.around))
            .then_some(spot)
        };
        let slots = slots(Layout::Cluster, mounted, 0, facing);
        slots.iter().find_map(near).or_else(|| close_places(mounted, facing, cohesion).iter().find_map(near))
    }

    /// Where a model stays for whom an Attack leaves no place (WBK-MOD-38).
    fn strung_out(&self, search: &Search, before: Spot) -> Spot {
        let (mounted, facing) = (self.card(search.u).mounted, search.facing);
        let around = self.around(search.u, before.point(), 8.0, true);
        let free = |spot: Spot| {
            let base = self.base_at(search.u, spot.point(), facing);
            (search.is_free(&base) && self.slot_fits(&base, &around).is_ok()).then_some(spot)
        };
        free(before)
            .or_else(|| {
                let places = close_places(mounted, facing, self.field.rulebook.charts.movement.cohesion);
                places.iter().find_map(|&(dx, dy)| free(before.shifted(dx, dy)))
            })
            .unwrap_or(before)
    }

    /// Stands a loose unit up where it slid (WBK-MOD-18, 21, 37, 38, WBK-RETREAT-13).
    pub(crate) fn settle(&self, u: No, slid: &Slid) -> Result<Settled, Unfit> {
        let Slid { facing, places, why } = *slid;
        let unit = self.unit(u);
        let before = &unit.places;
        let Some(&first) = places.first() else { return Err(Unfit::NoRoom) };
        let spread =
            places.iter().map(|s| s.point().distance_squared(first.point())).fold(36.0, f64::max).sqrt();
        let attack = matches!(why, Sliding::Attack { .. });
        let around = self.around(u, first.point(), spread + 3.0, why != Sliding::Move);
        let cohesion = self.field.rulebook.charts.movement.cohesion;
        let fits =
            |i: usize, around: &Around| self.slot_fits(&self.base_at(u, places[i].point(), facing), around);

        // The leader first: he is the anchor.
        let mut anchor = first;
        let mut giver = None;
        match (fits(0, &around), why) {
            (Ok(()), _) => {}
            (Err(_), Sliding::Attack { limit }) => {
                let reach = |i: &usize| places[*i].point().distance(before[0].point()) <= limit + TOLERANCE;
                giver = (1..places.len()).filter(reach).find(|&i| fits(i, &around).is_ok());
                anchor = giver.map_or(before[0], |i| places[i]);
            }
            (Err(unfit), _) => return Err(unfit),
        }
        let at = anchor.point();
        let turned = self.card(u).mounted && facing != unit.facing;
        // What lies about him where he stands now, which may be where he stood before.
        let around = if anchor == first { around } else { self.around(u, at, spread + 6.0, true) };
        let mut search = Search { u, facing, anchor: at, around: &around, standing: ArrayVec::new() };
        search.standing.push(self.base_at(u, at, facing));

        // Who stands where he slid to.
        let mut stands: ArrayVec<Option<Spot>, MAX_MODELS> = ArrayVec::new();
        stands.push(Some(anchor));
        for (i, place) in places.iter().enumerate().skip(1) {
            let spot = place.point();
            let base = self.base_at(u, spot, facing);
            let near = |from: Point, to: Point| from.distance(to) <= cohesion + TOLERANCE;
            let with_the_others = match why {
                // Who was cut off before keeps his place among the others.
                Sliding::Retreat { .. } => {
                    let (old, was) = (unit.anchor.point(), before[i].point());
                    !near(old, was)
                        || self.reaches(at, spot, &around)
                        || !self.reaches(old, was, &self.around(u, old, spread + 3.0, true))
                }
                _ => near(at, spot) && self.reaches(at, spot, &around),
            };
            let keeps = giver != Some(i)
                && with_the_others
                && self.slot_fits(&base, &around).is_ok()
                && (!(turned || anchor != first) || search.is_free(&base));
            stands.push(keeps.then_some(*place));
            if keeps {
                search.standing.push(base);
            }
        }
        if giver.is_none() && anchor == first && stands.iter().all(Option::is_some) {
            return Ok(Settled { places: places.iter().copied().collect(), moved_up: false });
        }
        // The others look for a place in the order of their indexes.
        let mut strict = around.clone();
        strict.contact = attack;
        for i in 1..stands.len() {
            if stands[i].is_some() {
                continue;
            }
            let waiting: ArrayVec<Base, MAX_MODELS> = (i + 1..stands.len())
                .filter(|&j| stands[j].is_none())
                .map(|j| self.base_at(u, before[j].point(), facing))
                .collect();
            let suits = |base: &Base| {
                waiting.iter().all(|old| old.gap(base) >= -TOLERANCE)
                    && match why {
                        Sliding::Move | Sliding::Retreat { from: None } => true,
                        Sliding::Attack { limit } => {
                            base.centre.distance(before[i].point()) <= limit + TOLERANCE
                        }
                        Sliding::Retreat { from: Some((v, gap)) } => {
                            self.gap_from(std::slice::from_ref(base), v) >= gap - TOLERANCE
                        }
                    }
            };
            let looking = Search { around: &strict, standing: search.standing.clone(), ..search };
            let found = self.find_place(&looking, anchor, suits);
            let spot = match found {
                Some(spot) => spot,
                None if attack => self.strung_out(&search, before[i]),
                None => return Err(Unfit::NoRoom),
            };
            search.standing.push(self.base_at(u, spot.point(), facing));
            stands[i] = Some(spot);
        }
        Ok(Settled { places: stands.into_iter().flatten().collect(), moved_up: true })
    }

    /// Lays a cluster out on slots and then close places, where each model's place must suit (WBK-MOD-35).
    pub(crate) fn gather(
        &self,
        u: No,
        anchor: Spot,
        facing: u16,
        n: usize,
        suits: impl Fn(Point) -> bool,
    ) -> Result<Places, Unfit> {
        let at = anchor.point();
        let around = self.around(u, at, 6.0, true);
        let base = self.base_at(u, at, facing);
        self.slot_fits(&base, &around)?;
        let mut search = Search { u, facing, anchor: at, around: &around, standing: ArrayVec::new() };
        search.standing.push(base);
        let mut places: Places = std::iter::once(anchor).collect();
        while places.len() < n {
            let found = self.find_place(&search, anchor, |base| suits(base.centre)).ok_or(Unfit::NoRoom)?;
            search.standing.push(self.base_at(u, found.point(), facing));
            places.push(found);
        }
        Ok(places)
    }

    /// How far the model goes that goes furthest when a unit is laid out afresh (WBK-MOD-36).
    pub(crate) fn furthest_way(&self, u: No, after: &[Spot]) -> f64 {
        match self.outline(u) {
            Some(outline) => after.iter().map(|s| outline.distance_to(s.point())).fold(0.0, f64::max),
            None => furthest(&self.unit(u).places, after, self.card(u).is_crewed()),
        }
    }
}

#[cfg(test)]
mod cohesion;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_places_go_nearest_first_and_anticlockwise_from_east() {
        let foot = close_places(false, 0, 4.0);
        assert_eq!(&foot[..4], [(1000, 0), (500, 866), (-500, 866), (-1000, 0)]);
        assert_eq!(foot.len(), 60);
        // WBK-EX-46: 4" to the west is the last ring.
        assert!(foot.contains(&(-4000, 0)) && !foot.contains(&(-5000, 0)));
        let horse = close_places(true, 90, 4.0);
        assert_eq!(&horse[..3], [(0, 1000), (0, -1000), (2000, 0)]);
    }

    #[test]
    fn the_longest_way_is_as_short_as_can_be() {
        let spot = |x, y| Spot { x, y };
        // Two change places for nothing; a third goes two inches.
        let before = [spot(0, 0), spot(1000, 0), spot(2000, 0)];
        let after = [spot(0, 0), spot(2000, 0), spot(1000, 2000)];
        assert!((furthest(&before, &after, false) - 2.0).abs() < 1e-9);
        // The leader goes to his own place whatever the others do.
        let led = [spot(2000, 0), spot(1000, 0), spot(0, 0)];
        assert!((furthest(&before, &led, false) - 2.0).abs() < 1e-9);
        assert!(furthest(&before, &led, true) < 1e-9);
    }
}
