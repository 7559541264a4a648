//! Where the stands of a formation stand (SYW-MODEL-06 to -14), and the turns and changes between formations.

use arrayvec::ArrayVec;
use tricorne_table::{Point, angle};

use crate::model::state::{Direction, Formation, MOST_STANDS, Stand, Unit, UnitInfo};
use crate::rulebook::{Arm, Class};

/// Every stand is this wide (SYW-MODEL-04).
pub const WIDTH: f64 = 4.0;

pub type Layout = ArrayVec<Stand, MOST_STANDS>;

fn stand(u: f64, v: f64, rank: u8) -> Stand {
    Stand { u, v, turn: 0.0, rank }
}

/// Whether this unit's line has two ranks (SYW-MODEL-06, -07).
pub fn two_ranks(info: &UnitInfo) -> bool {
    info.arm == Arm::Infantry && info.class == Class::Massed
}

/// The stands of a formation.
pub fn layout(formation: Formation, n: usize, info: &UnitInfo) -> Layout {
    let d = info.depth;
    match formation {
        Formation::Line if two_ranks(info) => deep(n, d),
        Formation::DeepLine => deep(n, d),
        Formation::Line => {
            (0..n).map(|i| stand(WIDTH * (i as f64 - (n as f64 - 1.0) * 0.5), -d * 0.5, 0)).collect()
        }
        Formation::Column1 | Formation::Turned => {
            (0..n).map(|k| stand(0.0, -(k as f64 + 0.5) * d, k as u8)).collect()
        }
        Formation::Column2 | Formation::Routed => (0..n)
            .map(|k| {
                let row = k / 2;
                stand(if k % 2 == 0 { -2.0 } else { 2.0 }, -(row as f64 + 0.5) * d, row as u8)
            })
            .collect(),
        Formation::Square => square(n, d),
    }
}

/// Two ranks, the rear one filled from the left (SYW-MODEL-06).
fn deep(n: usize, d: f64) -> Layout {
    let front = n.div_ceil(2);
    let across = |i: usize| WIDTH * (i as f64 - (front as f64 - 1.0) * 0.5);
    let mut stands: Layout = (0..front).map(|i| stand(across(i), -d * 0.5, 0)).collect();
    stands.extend((0..n - front).map(|j| stand(across(j), -d * 1.5, 1)));
    stands
}

/// The side of a square that n stands form (SYW-MODEL-10).
fn square_side(n: usize, d: f64) -> f64 {
    WIDTH * n.div_ceil(4).max(1) as f64 + 2.0 * d
}

/// The side of a square as it stands: as it was formed, whoever has fallen since.
pub fn side_of_square(unit: &Unit, d: f64) -> f64 {
    let by = |s: &Stand| match face_of(s) {
        1 => Some(d * 0.5 - s.v),
        2 | 3 => Some(d + 2.0 * s.u.abs()),
        _ => None,
    };
    // One that is split around others (SYW-INTER-09) has stands out of their places.
    let found = if unit.split.is_some() { None } else { unit.stands.iter().find_map(by) };
    found.unwrap_or_else(|| square_side(unit.stands.len(), d))
}

/// The face of a square a stand belongs to: 0 front, 1 rear, 2 left, 3 right.
pub fn face_of(stand: &Stand) -> usize {
    match stand.turn as i32 {
        180 => 1,
        270 => 2,
        90 => 3,
        _ => 0,
    }
}

/// Stands dealt to the faces front, rear, left, right (SYW-MODEL-10).
fn square(n: usize, d: f64) -> Layout {
    let side = square_side(n, d);
    let on_face = |face: usize| (n + 3 - face) / 4;
    let mut stands = Layout::new();
    for k in 0..n {
        let (face, place) = (k % 4, k / 4);
        let along = WIDTH * (place as f64 - (on_face(face) as f64 - 1.0) * 0.5);
        let middle = -side * 0.5;
        let (u, v, turn) = match face {
            0 => (along, -d * 0.5, 0.0),
            1 => (along, -side + d * 0.5, 180.0),
            2 => (-(side * 0.5 - d * 0.5), middle + along, 270.0),
            _ => (side * 0.5 - d * 0.5, middle + along, 90.0),
        };
        stands.push(Stand { u, v, turn, rank: 0 });
    }
    stands
}

/// How many stands are left on one face of a square: 0 front, 1 rear, 2 left, 3 right.
pub fn on_face(unit: &Unit, face: usize) -> usize {
    unit.stands.iter().filter(|s| face_of(s) == face).count()
}

/// A unit in another formation on the same front (SYW-MODEL-31).
pub fn formed(unit: &Unit, formation: Formation, info: &UnitInfo) -> Unit {
    let mut new = unit.clone();
    new.formation = formation;
    new.stands = layout(formation, unit.stands.len(), info);
    new.turned = None;
    new.split = None;
    new.formed = true;
    new
}

/// Every stand turned by a right angle: a line becomes a column to the flank, and back (SYW-MODEL-30).
pub fn turned_to_flank(unit: &Unit, right: bool, info: &UnitInfo) -> Unit {
    let extent = unit.extent(info.depth);
    let edge = Point::new(if right { extent.right } else { extent.left }, (extent.front + extent.rear) * 0.5);
    let mut new = unit.clone();
    let one_deep = unit.stands.iter().all(|s| s.rank == 0);
    new.formation = match unit.formation {
        Formation::Line | Formation::DeepLine if one_deep => Formation::Column1,
        Formation::Line | Formation::DeepLine => Formation::Column2,
        Formation::Column1 => Formation::Line,
        Formation::Column2 if two_ranks(info) => Formation::Line,
        Formation::Column2 => Formation::DeepLine,
        other => other,
    };
    new.at = unit.pose().to_world(edge);
    new.facing = angle::normalise(unit.facing + if right { 90.0 } else { 270.0 });
    new.stands = layout(new.formation, unit.stands.len(), info);
    new.formed = true;
    new
}

/// Every stand turned about: the formation is kept and the ranks swap (SYW-MODEL-30).
pub fn turned_about(unit: &Unit, info: &UnitInfo) -> Unit {
    let extent = unit.extent(info.depth);
    let mut new = unit.clone();
    if unit.formation == Formation::Square {
        // A square has no front to speak of; it turns in place.
        let side = side_of_square(unit, info.depth);
        new.at = unit.pose().to_world(Point::new(0.0, -side));
        new.facing = angle::normalise(unit.facing + 180.0);
        return new;
    }
    new.at = unit.pose().to_world(Point::new(0.0, extent.rear));
    new.facing = angle::normalise(unit.facing + 180.0);
    let last = unit.stands.iter().map(|s| s.rank).max().unwrap_or(0);
    for s in &mut new.stands {
        s.u = -s.u;
        s.v = extent.rear - s.v;
        s.rank = last - s.rank;
    }
    recentre(&mut new, info.depth);
    new
}

/// Unengaged stands drawn into a one-wide column that faces the attack (SYW-MODEL-14).
pub fn turned_to_face(unit: &Unit, from: Direction, engaged: &[usize], info: &UnitInfo) -> Unit {
    let edge = unit.extent(info.depth).middle(from);
    let turn = from.turn();
    let mut new = unit.clone();
    new.formation = Formation::Turned;
    new.turned = Some(from);
    new.was = unit.formation;
    new.was_at = unit.at;
    new.was_facing = unit.facing;
    new.phase.turned_now = true;
    if engaged.is_empty() {
        new.at = unit.pose().to_world(edge);
        new.facing = angle::normalise(unit.facing + turn);
        new.stands = layout(Formation::Turned, unit.stands.len(), info);
        return new;
    }
    // Engaged stands stay where they are; the others run back from the attacked edge.
    let backward = -angle::forward(turn);
    let mut row = 0;
    for (i, s) in new.stands.iter_mut().enumerate() {
        if !engaged.contains(&i) {
            let centre = edge + backward * ((f64::from(row) + 0.5) * info.depth);
            *s = Stand { u: centre.x, v: centre.y, turn, rank: 0 };
            row += 1;
        }
    }
    new
}

/// Moves the origin back to the middle of the front rank's front edge (SYW-MODEL-05); nothing on the table moves.
pub fn recentre(unit: &mut Unit, depth: f64) {
    if matches!(unit.formation, Formation::Square | Formation::Turned) || unit.stands.is_empty() {
        return;
    }
    let front = unit.stands.iter().map(|s| s.rank).min().unwrap_or(0);
    let (mut low, mut high, mut top) = (f64::MAX, f64::MIN, f64::MIN);
    for s in unit.stands.iter().filter(|s| s.rank == front) {
        low = low.min(s.u);
        high = high.max(s.u);
        top = top.max(s.v);
    }
    let (middle, ahead) = ((low + high) * 0.5, top + depth * 0.5);
    if middle.abs() > 1e-9 || ahead.abs() > 1e-9 {
        unit.at = unit.pose().to_world(Point::new(middle, ahead));
    }
    for s in &mut unit.stands {
        s.u -= middle;
        s.v -= ahead;
        s.rank -= front;
    }
}
