//! Where each figure of a unit stands (M5 to M11).

use tricorne_game::view::Role;
use tricorne_table::{Point, angle};

use super::{Formation, Spots, extent, files, gunner_slots, mob_files};
use crate::rulebook::{Kind, Rulebook};

/// One figure of a unit, in its own frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// Its middle.
    pub at: Point,
    /// Turned from the unit's facing, clockwise.
    pub turned: f64,
    /// Its base's width.
    pub width: f64,
    /// Its base's depth.
    pub depth: f64,
    /// What stands there.
    pub role: Role,
}

impl Figure {
    /// A private or the cannon; officer and ensign are never counted (M4).
    pub(crate) fn is_counted(&self) -> bool {
        !matches!(self.role, Role::Leader | Role::MountedLeader | Role::Ensign)
    }
}

/// Where officer and ensign stand (M8 to M11): of a line or column just clear of its flanks, of a mob touching it.
pub(crate) fn officers(rules: &Rulebook, kind: Kind, formation: Formation, n: u8) -> [Point; 2] {
    let (w, d) = rules.base_of(kind);
    let (width, _) = extent(rules, kind, formation, n);
    let (x, y) = match formation {
        Formation::Line(_) | Formation::Column(_) => {
            (width / 2.0 + w / 2.0 + rules.layout.officer_gap, -d / 2.0)
        }
        Formation::Loose if kind.is_artillery() => {
            let [aside, behind] = rules.layout.battery_officers;
            (aside, -behind)
        }
        Formation::Loose => (0.5 * w, 0.0),
        Formation::Mob => (f64::midpoint(width, w), 0.0),
        Formation::Square => (0.5 * w, -width / 2.0),
    };
    [Point::new(-x, y), Point::new(x, y)]
}

/// Every figure of a unit: privates by index, then the cannon, then officer and ensign (M5 to M11).
pub(crate) fn figures(
    rules: &Rulebook,
    kind: Kind,
    formation: Formation,
    n: u8,
    spots: &Spots,
) -> Vec<Figure> {
    let (w, d) = rules.base_of(kind);
    let (width, depth) = extent(rules, kind, formation, n);
    let private = match kind {
        Kind::Infantry | Kind::Skirmisher => Role::Foot,
        Kind::Cavalry => Role::Horse,
        Kind::FootArtillery | Kind::HorseArtillery => Role::Crew,
    };
    let leader = if kind == Kind::Cavalry { Role::MountedLeader } else { Role::Leader };
    let mut out = Vec::with_capacity(usize::from(n) + 3);
    let figure = |x: f64, y: f64, turned: f64, role: Role| Figure {
        at: Point::new(x, y),
        turned,
        width: w,
        depth: d,
        role,
    };
    let mut ranks = |files: u8, front: f64, mob: bool| {
        let files = files.max(1);
        for i in 0..n {
            let (rank, j) = (i / files, i % files);
            let k = files.min(n - rank * files);
            let x = (f64::from(j) - (f64::from(k) - 1.0) / 2.0) * w;
            let turned = if mob { angle::normalise(137.5 * f64::from(i)) } else { 0.0 };
            out.push(figure(x, front - (f64::from(rank) + 0.5) * d, turned, private));
        }
    };
    match formation {
        Formation::Line(r) => ranks(files(n, r), 0.0, false),
        Formation::Column(_) if kind.is_artillery() => ranks(if n == 1 { 1 } else { 2 }, 0.0, false),
        Formation::Column(c) => ranks(c, 0.0, false),
        Formation::Loose if kind.is_artillery() => {
            for slot in gunner_slots(rules, kind).into_iter().take(usize::from(n)) {
                out.push(figure(slot.x, slot.y, 0.0, private));
            }
        }
        Formation::Loose => {
            for spot in spots.iter().take(usize::from(n)) {
                let at = spot.point();
                out.push(figure(at.x, at.y, 0.0, private));
            }
        }
        Formation::Mob => {
            if kind.is_artillery() {
                ranks(if n == 1 { 1 } else { 2 }, depth / 2.0, true);
            } else {
                let (k, m) = mob_files(n);
                ranks(k, f64::from(m) * d / 2.0, true);
            }
        }
        Formation::Square => {
            // Four faces looking outwards; with few men the corners stay open.
            let side = (n.div_ceil(4) + 1).max(2);
            let ring = u16::from(side - 1) * 4;
            for i in 0..n {
                // Spread evenly round the ring of bases that a square of this side has.
                let step = u16::from(i) * ring / u16::from(n.max(1));
                let (face, j) = (step / u16::from(side - 1), step % u16::from(side - 1));
                let half = (f64::from(side) - 1.0) / 2.0 * w;
                let along = f64::from(j) * w - half;
                let (x, y) = match face {
                    0 => (along, half),
                    1 => (half, -along),
                    2 => (-along, -half),
                    _ => (-half, along),
                };
                out.push(figure(x, y - width / 2.0, 90.0 * f64::from(face), private));
            }
        }
    }
    if kind.is_artillery() {
        let [cw, cd] = rules.base.cannon;
        let (at, turned, role) = match formation {
            Formation::Loose => (Point::new(0.0, -cd / 2.0), 0.0, Role::Gun),
            Formation::Mob => (Point::new(0.0, -depth / 2.0 + cd / 2.0), 180.0, Role::LimberedGun),
            _ => (Point::new(0.0, -depth + cd / 2.0), 180.0, Role::LimberedGun),
        };
        out.push(Figure { at, turned, width: cw, depth: cd, role });
    }
    let [officer, ensign] = officers(rules, kind, formation, n);
    out.push(figure(officer.x, officer.y, 0.0, leader));
    out.push(figure(ensign.x, ensign.y, 0.0, Role::Ensign));
    out
}
