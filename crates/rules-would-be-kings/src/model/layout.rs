//! Laying models out (WBK-MOD-08 to 17): where each slot is, and which slots are legal.

use arrayvec::ArrayVec;
use smallvec::SmallVec;
use tricorne_game::Illegal;
use tricorne_table::{Bounds, Point};

use crate::battle::Fray;
use crate::model::base::{Base, CONTACT, GUN, TOLERANCE, forward, touches};
use crate::state::{Layout, No, Places, Spot};

/// WBK-MOD-08: slots on the lattice for foot, in thousandths.
const FOOT: [(i32, i32); 31] = [
    (0, 0),
    (1500, 0),
    (750, 1299),
    (-750, 1299),
    (-1500, 0),
    (-750, -1299),
    (750, -1299),
    (2250, 1299),
    (0, 2598),
    (-2250, 1299),
    (-2250, -1299),
    (0, -2598),
    (2250, -1299),
    (3000, 0),
    (1500, 2598),
    (-1500, 2598),
    (-3000, 0),
    (-1500, -2598),
    (1500, -2598),
    (3750, 1299),
    (3000, 2598),
    (750, 3897),
    (-750, 3897),
    (-3000, 2598),
    (-3750, 1299),
    (-3750, -1299),
    (-3000, -2598),
    (-750, -3897),
    (750, -3897),
    (3000, -2598),
    (3750, -1299),
];

/// Slots as offsets from the anchor, in order.
pub type Slots = ArrayVec<(i32, i32), 32>;

/// The slots of a layout for `n` models.
pub fn slots(layout: Layout, mounted: bool, n: usize, facing: u16) -> Slots {
    match layout {
        Layout::Cluster if mounted => FOOT[..19].iter().map(|&(x, y)| (x * 4 / 3, y * 4 / 3)).collect(),
        Layout::Cluster => FOOT.iter().copied().collect(),
        Layout::Line => line_slots(mounted, facing),
        Layout::Block => block_slots(n, facing),
        Layout::Gun => in_frame(facing, &[(1.1, -1.3), (-1.1, -1.3), (1.6, 0.0), (-1.6, 0.0)]),
        Layout::Garrison => Slots::new(),
    }
}

/// Offsets given as (right, forward) in inches, turned to the facing.
fn in_frame(facing: u16, offsets: &[(f64, f64)]) -> Slots {
    let ahead = forward(facing);
    let right = Point::new(ahead.y, -ahead.x);
    offsets
        .iter()
        .take(32)
        .map(|&(r, f)| {
            let spot = Spot::of(right * r + ahead * f);
            (spot.x, spot.y)
        })
        .collect()
}

/// WBK-MOD-09.
fn line_slots(mounted: bool, facing: u16) -> Slots {
    let (ranks, spacing, depth): (&[usize], f64, f64) =
        if mounted { (&[5, 5], 1.5, 2.5) } else { (&[7, 7, 5, 3], 1.25, 1.25) };
    let mut offsets: ArrayVec<(f64, f64), 32> = ArrayVec::new();
    for (rank, &files) in ranks.iter().enumerate() {
        for file in 0..files {
            // 0, +1, −1, +2, −2 …
            let step = file.div_ceil(2) as f64;
            let side = if file % 2 == 1 { step } else { -step };
            offsets.push((side * spacing + 0.0, -(rank as f64) * depth));
        }
    }
    in_frame(facing, &offsets)
}

/// WBK-MOD-10.
fn block_slots(n: usize, facing: u16) -> Slots {
    let mut offsets: ArrayVec<(f64, f64), 32> = ArrayVec::new();
    let front = n.div_ceil(2);
    for (count, back) in [(front, 0.0), (n - front, -1.0)] {
        // Centre outwards, right before left: with an even number the first pair straddles the middle.
        let first = if count % 2 == 1 { 0.0 } else { 0.5 };
        for file in 0..count {
            let side = if count % 2 == 1 {
                let step = file.div_ceil(2) as f64;
                if file % 2 == 1 { step } else { -step }
            } else {
                let step = (file / 2) as f64 + first;
                if file % 2 == 0 { step } else { -step }
            };
            if offsets.len() < 32 {
                offsets.push((side, back));
            }
        }
    }
    in_frame(facing, &offsets)
}

/// The corners of a block: front right, front left, rear left, rear right.
pub fn block_corners(anchor: Point, facing: u16, n: usize) -> [Point; 4] {
    let half = n.div_ceil(2) as f64 * 0.5;
    let ahead = forward(facing);
    let right = Point::new(ahead.y, -ahead.x);
    let (front, rear) = (ahead * 0.5, ahead * -1.5);
    [
        anchor + front + right * half,
        anchor + front - right * half,
        anchor + rear - right * half,
        anchor + rear + right * half,
    ]
}

/// Why a slot is no good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Over the table's edge.
    OffTable,
    /// In impassable ground or a building.
    Impassable,
    /// Across an obstacle.
    Obstacle,
    /// On a friend.
    Friend(No),
    /// On an enemy or in contact with one.
    Enemy(No),
    /// Behind an obstacle or a building, seen from the anchor.
    CutOff,
    /// Too few legal slots.
    NoRoom,
}

/// What lies near a place: all that a slot there has to be tested against.
#[derive(Clone)]
pub struct Around {
    others: SmallVec<[(No, bool); 12]>,
    obstacles: SmallVec<[usize; 4]>,
    blocks: SmallVec<[usize; 4]>,
    inside: bool,
    /// Slots may touch enemies, because they follow an Attack.
    pub(super) contact: bool,
}

impl Fray {
    /// What lies within `reach` of a place, for a unit that is to stand there.
    pub(crate) fn around(&self, u: No, at: Point, reach: f64, contact: bool) -> Around {
        let near = Bounds::of_pair(at, at).grown(reach);
        let side = self.unit(u).side;
        let others = self
            .on_table()
            .filter(|&v| v != u && near.meets(&self.bounds(v)))
            .map(|v| (v, self.unit(v).side != side))
            .collect();
        let land = &self.field.land;
        let nearby = |which: &[usize]| {
            which
                .iter()
                .copied()
                .filter(|&i| land.pieces[i].bounds.meets(&near))
                .collect::<SmallVec<[usize; 4]>>()
        };
        let inside = near.min.x >= 0.0
            && near.min.y >= 0.0
            && near.max.x <= self.field.width
            && near.max.y <= self.field.height;
        Around { others, obstacles: nearby(&land.obstacles), blocks: nearby(&land.blocks), inside, contact }
    }

    /// Whether a base may stand there (WBK-MOD-13, but for the line to the anchor).
    pub(crate) fn slot_fits(&self, base: &Base, around: &Around) -> Result<(), Unfit> {
        let bounds = base.bounds();
        if !around.inside
            && (bounds.min.x < -TOLERANCE
                || bounds.min.y < -TOLERANCE
                || bounds.max.x > self.field.width + TOLERANCE
                || bounds.max.y > self.field.height + TOLERANCE)
        {
            return Err(Unfit::OffTable);
        }
        let land = &self.field.land;
        if around.blocks.iter().any(|&i| land.pieces[i].overlaps(base)) {
            return Err(Unfit::Impassable);
        }
        if around.obstacles.iter().any(|&i| land.pieces[i].overlaps(base)) {
            return Err(Unfit::Obstacle);
        }
        for &(v, enemy) in &around.others {
            let margin = if enemy && !around.contact { CONTACT } else { -TOLERANCE };
            if !bounds.grown(margin.max(0.0) + TOLERANCE).meets(&self.bounds(v)) {
                continue;
            }
            if let Some(outline) = self.outline(v) {
                // The building itself is in the way already; only touching an enemy's needs a word.
                if enemy && !around.contact && touches(crate::model::ground::area_gap(outline, base)) {
                    return Err(Unfit::Enemy(v));
                }
                continue;
            }
            let touching = |gap: f64| if enemy && !around.contact { touches(gap) } else { gap < -TOLERANCE };
            let unit = self.unit(v);
            let hit =
                unit.places.iter().any(|s| touching(base.gap(&self.base_at(v, s.point(), unit.facing))))
                    || (unit.layout == Layout::Gun
                        && touching(base.gap(&Base::disc(unit.anchor.point(), GUN))));
            if hit {
                return Err(if enemy { Unfit::Enemy(v) } else { Unfit::Friend(v) });
            }
        }
        Ok(())
    }

    /// Whether the way from the anchor to a slot is open.
    pub(super) fn reaches(&self, anchor: Point, slot: Point, around: &Around) -> bool {
        let land = &self.field.land;
        !around.obstacles.iter().chain(&around.blocks).any(|&i| land.pieces[i].crossed_by(anchor, slot))
    }

    /// Lays a unit's models out (WBK-MOD-14).
    pub(crate) fn lay_out(
        &self,
        u: No,
        anchor: Spot,
        layout: Layout,
        facing: u16,
        n: usize,
        contact: bool,
    ) -> Result<Places, Unfit> {
        let around = self.around(u, anchor.point(), 6.0, contact);
        self.lay_out_in(u, anchor, layout, facing, n, &around)
    }

    /// The same among what is known to lie around.
    pub(crate) fn lay_out_in(
        &self,
        u: No,
        anchor: Spot,
        layout: Layout,
        facing: u16,
        n: usize,
        around: &Around,
    ) -> Result<Places, Unfit> {
        let at = anchor.point();
        let slots = slots(layout, self.card(u).mounted, n, facing);
        let mut places = Places::new();
        if layout == Layout::Gun {
            self.slot_fits(&Base::disc(at, GUN), around)?;
        }
        for (i, &(dx, dy)) in slots.iter().enumerate() {
            if places.len() == n {
                break;
            }
            let spot = anchor.shifted(dx, dy);
            let point = spot.point();
            let fits = self.slot_fits(&self.base_at(u, point, facing), around).and_then(|()| {
                if i == 0 && layout != Layout::Gun || self.reaches(at, point, around) {
                    Ok(())
                } else {
                    Err(Unfit::CutOff)
                }
            });
            match (fits, layout) {
                (Ok(()), _) => places.push(spot),
                // Loose models find another slot; the one on the anchor does not.
                (Err(_), Layout::Cluster | Layout::Line) if i > 0 => {}
                (Err(unfit), _) => return Err(unfit),
            }
        }
        if places.len() == n { Ok(places) } else { Err(Unfit::NoRoom) }
    }

    /// A refusal for a place that does not fit.
    pub(crate) fn unfit(&self, u: No, unfit: Unfit) -> Illegal {
        let name = self.card(u).called();
        let other = |v: No| self.card(v).called();
        match unfit {
            Unfit::OffTable => Illegal::new(
                "WBK-MOVE-13",
                format!("{name} would stand over the table's edge; end the move further in"),
            ),
            Unfit::Impassable => Illegal::new(
                "WBK-MOVE-13",
                format!("{name} would stand in impassable ground or a building; end the move beside it"),
            ),
            Unfit::Obstacle => Illegal::new(
                "WBK-MOVE-11",
                format!("{name} would stand across an obstacle; end the move wholly on one side of it"),
            ),
            Unfit::Friend(v) => Illegal::new(
                "WBK-MOVE-04",
                format!("{name} would stand on {}; go on until it is clear of it", other(v)),
            ),
            Unfit::Enemy(v) => Illegal::new(
                "WBK-MOVE-01",
                format!("{name} would touch {}; keep clear, or declare an Attack", other(v)),
            ),
            Unfit::CutOff | Unfit::NoRoom => Illegal::new(
                "WBK-MOD-14",
                format!("there is no room there for the {} models of {name}", self.unit(u).models),
            ),
        }
    }

    /// A block closes up on its anchor after casualties (WBK-MOD-17); where somebody stands in the way of that it closes to
    /// one end instead, so that every file stays where it was.
    pub(crate) fn close_up(&mut self, u: No) {
        let unit = self.unit(u);
        let (anchor, facing, n) = (unit.anchor, unit.facing, usize::from(unit.models));
        let ways = in_frame(facing, &[(0.0, 0.0), (0.5, 0.0), (-0.5, 0.0), (0.0, 0.0)]);
        for (dx, dy) in ways {
            let anchor = anchor.shifted(dx, dy);
            let places = slots(Layout::Block, false, n, facing)
                .into_iter()
                .map(|(dx, dy)| anchor.shifted(dx, dy))
                .collect();
            self.put(u, anchor, facing, Layout::Block, places);
            let stands_on =
                |v: No| v != u && self.unit(v).garrison.is_none() && self.gap(u, v) < -2.0 * TOLERANCE;
            if !self.on_table().any(stands_on) {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_stands_centre_outwards_right_before_left() {
        // WBK-MOD-10: facing north, right is east.
        assert_eq!(
            slots(Layout::Block, false, 5, 0).as_slice(),
            [(0, 0), (1000, 0), (-1000, 0), (500, -1000), (-500, -1000)]
        );
    }

    #[test]
    fn a_line_fills_its_ranks_in_order() {
        // WBK-MOD-09.
        let line = slots(Layout::Line, false, 16, 0);
        assert_eq!(&line[..4], [(0, 0), (1250, 0), (-1250, 0), (2500, 0)]);
        assert_eq!(line[7], (0, -1250));
        assert_eq!(line[14], (0, -2500));
        assert_eq!(line.len(), 22);
        let horse = slots(Layout::Line, true, 8, 90);
        assert_eq!(horse[1], (0, -1500));
        assert_eq!(horse[5], (-2500, 0));
    }

    #[test]
    fn mounted_slots_are_four_thirds_of_foot() {
        // WBK-MOD-08.
        let horse = slots(Layout::Cluster, true, 8, 0);
        assert_eq!(horse[7], (3000, 1732));
        assert_eq!(horse.len(), 19);
        assert_eq!(slots(Layout::Gun, false, 4, 0)[1], (-1100, -1300));
    }
}
