//! The ground: what it costs (SYW-TERR), what it hides (SYW-LOS), what cover it gives (SYW-MODEL-24, -25).

use tricorne_table::{Area, Bounds, Crest, Line, Point, Rect, Shape, sight};

use crate::model::state::{Fixed, OPEN, UnitInfo};
use crate::options::{LightTerrainDisorder, Minus6d4Line};
use crate::points::Work;
use crate::rulebook::{Arm, Class, Cover, cm};

/// What a piece of ground is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    Hill,
    Wood,
    Scrub,
    Marsh,
    Town,
    Earthwork,
    Crossing,
    River,
    Stream,
    Hedge,
    Wall,
    Barricade,
    Abatis,
    Road,
}

impl PieceKind {
    /// Names in scenario files and what they mean, with the type of ground where the name itself says it.
    pub const NAMES: [(&'static str, PieceKind, Option<u8>); 19] = [
        ("hill", Self::Hill, None),
        ("wood", Self::Wood, None),
        ("open_wood", Self::Wood, Some(1)),
        ("dense_wood", Self::Wood, Some(4)),
        ("scrub", Self::Scrub, None),
        ("brush", Self::Scrub, None),
        ("marsh", Self::Marsh, None),
        ("town", Self::Town, None),
        ("village", Self::Town, None),
        ("earthwork", Self::Earthwork, None),
        ("crossing", Self::Crossing, None),
        ("river", Self::River, None),
        ("lake", Self::River, None),
        ("stream", Self::Stream, None),
        ("hedge", Self::Hedge, None),
        ("wall", Self::Wall, None),
        ("barricade", Self::Barricade, None),
        ("abatis", Self::Abatis, None),
        ("road", Self::Road, None),
    ];

    /// The key in `terrain.toml`.
    pub fn key(self) -> &'static str {
        match self {
            Self::Hill => "hill",
            Self::Wood => "wood",
            Self::Scrub => "scrub",
            Self::Marsh => "marsh",
            Self::Town => "town",
            Self::Earthwork => "earthwork",
            Self::Crossing => "crossing",
            Self::River => "river",
            Self::Stream => "stream",
            Self::Hedge => "hedge",
            Self::Wall => "wall",
            Self::Barricade => "barricade",
            Self::Abatis => "abatis",
            Self::Road => "road",
        }
    }

    /// The work it is, if it is one that is bought (SYW-POINTS-05).
    pub fn bought(self) -> Option<Work> {
        match self {
            Self::Abatis => Some(Work::Abatis),
            Self::Barricade => Some(Work::Barricade),
            _ => None,
        }
    }

    /// A line on the table and not an area.
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Stream | Self::Hedge | Self::Wall | Self::Barricade | Self::Abatis | Self::Road)
    }
}

/// The shape of a piece.
#[derive(Clone, Debug)]
pub enum Lie {
    Area(Area),
    Line(Line),
}

/// A piece of ground.
#[derive(Clone, Debug)]
pub struct Piece {
    pub id: String,
    pub kind: PieceKind,
    pub level: u8,
    pub cover: Cover,
    pub conceals: bool,
    pub defences: bool,
    pub infantry_only: bool,
    pub impassable: bool,
    pub lump_dice: Option<[u8; 2]>,
    pub lie: Lie,
    /// The edge all round an earthwork or a town (SYW-TERR-18, -19).
    pub edge: Option<Line>,
    pub crest: Option<Crest>,
    pub bounds: Bounds,
    pub middle: Point,
}

impl Piece {
    pub fn area(&self) -> Option<&Area> {
        match &self.lie {
            Lie::Area(area) => Some(area),
            Lie::Line(_) => None,
        }
    }

    pub fn line(&self) -> Option<&Line> {
        match &self.lie {
            Lie::Line(line) => Some(line),
            Lie::Area(_) => None,
        }
    }

    /// The line that is an obstacle to cross: that of a linear feature, or the edge that an earthwork is (SYW-TERR-18).
    pub fn obstacle(&self) -> Option<&Line> {
        match self.kind {
            PieceKind::Road => None,
            PieceKind::Earthwork => self.edge.as_ref(),
            _ => self.line(),
        }
    }

    /// Whether its line runs through a stand, more than 0.05 from the stand's edges (SYW-TERR-17).
    pub fn runs_through(&self, rect: &Rect) -> bool {
        self.obstacle().is_some_and(|line| {
            self.bounds.grown(0.1).meets(&Shape::Rect(*rect).bounds())
                && line.crossed_by(&Shape::Rect(core_of(rect)))
        })
    }

    /// Whether a stand lines an edge or a linear feature against an enemy (SYW-MODEL-24): near it, not on it, and with it
    /// between the two.
    pub fn lined_by(&self, line: &Line, rect: &Rect, enemy: Point, near: f64) -> bool {
        let shape = Shape::Rect(*rect);
        self.bounds.grown(near + 0.1).meets(&shape.bounds())
            && crate::model::state::within(line.gap(&shape), near)
            && !line.crossed_by(&Shape::Rect(core_of(rect)))
            && line.meets_segment(rect.centre(), enemy)
    }

    /// Whether a stand is in it by more than 0.05 (SYW-MODEL-24).
    pub fn holds_part_of(&self, rect: &Rect) -> bool {
        let Some(area) = self.area() else { return false };
        if !area.bounds().meets(&Shape::Rect(*rect).bounds()) {
            return false;
        }
        if area.contains_strictly(rect.centre()) {
            return true;
        }
        area.overlaps(&Shape::Rect(core_of(rect)))
    }
}

/// A stand shrunk by the depth that does not count yet (SYW-MODEL-24, SYW-TERR-17).
fn core_of(rect: &Rect) -> Rect {
    let deep = 0.05;
    let (w, d) = (rect.width() - 2.0 * deep, rect.depth() - 2.0 * deep);
    Rect::centred(rect.pose(), w.max(0.1), d.max(0.1))
}

/// What a unit meets in a piece of ground.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Going {
    /// Centimetres of move for a centimetre of path.
    Factor(f64),
    /// It may not enter.
    Barred,
}

impl Fixed {
    /// The type of ground as this unit feels it (SYW-TERR-08); `OPEN` when that is none.
    pub fn felt(&self, level: u8, info: &UnitInfo) -> u8 {
        if level == OPEN {
            return OPEN;
        }
        if info.class == Class::Light {
            return if level == 0 { OPEN } else { level - 1 };
        }
        level
    }

    /// Impassable to everybody, crossings apart (SYW-TERR-05, -13).
    pub fn shut(&self, piece: &Piece) -> bool {
        piece.impassable || (piece.level == 4 && self.options.minus_6d4_line == Minus6d4Line::Ignore)
    }

    /// What it costs this unit to move in ground of a type (SYW-TERR-01 to -06).
    pub fn going(&self, piece: &Piece, info: &UnitInfo) -> Going {
        if self.shut(piece) {
            return Going::Barred;
        }
        if piece.kind == PieceKind::Crossing && self.options.minus_6d4_line == Minus6d4Line::RiverCrossing {
            return if info.arm == Arm::Artillery { Going::Barred } else { Going::Factor(1.0) };
        }
        // SYW-TERR-18: open ground inside its edge.
        let level = self.felt(piece.level, info);
        if level == OPEN || piece.kind == PieceKind::Earthwork {
            return Going::Factor(1.0);
        }
        let row = self.book.ground_type(level);
        let fraction = if info.arm == Arm::Artillery { row.artillery } else { Some(row.factor) };
        fraction.map_or(Going::Barred, |[n, d]| Going::Factor(n / d))
    }

    /// Dice that come off the move on entering or starting in it (SYW-TERR-05).
    pub fn area_lump(&self, piece: &Piece, info: &UnitInfo) -> Option<[u8; 2]> {
        if piece.line().is_some() || matches!(piece.kind, PieceKind::Road | PieceKind::Earthwork) {
            return None;
        }
        let river = self.options.minus_6d4_line == Minus6d4Line::RiverCrossing;
        if river && piece.kind == PieceKind::Crossing {
            return self.book.ground_type(4).lump_dice;
        }
        let level = self.felt(piece.level, info);
        if level == OPEN || (river && level == 4) {
            return None;
        }
        self.book.ground_type(level).lump_dice
    }

    /// Whether ground of this type disorders this unit while it is in it (SYW-TERR-09, -10).
    pub fn disorders(&self, level: u8, info: &UnitInfo) -> bool {
        if level == OPEN {
            return false;
        }
        match info.class {
            Class::Massed => level >= 1,
            Class::Light => match self.options.light_terrain_disorder {
                LightTerrainDisorder::Never => false,
                LightTerrainDisorder::ByLoweredType => level >= 2,
            },
        }
    }

    /// Worst type of ground some stands are in; `OPEN` outside all of it.
    pub fn ground_under(&self, rects: &[Rect], bounds: &Bounds) -> u8 {
        self.ground_but(rects, bounds, None)
    }

    /// The same with one piece left out of account.
    pub fn ground_but(&self, rects: &[Rect], bounds: &Bounds, but: Option<usize>) -> u8 {
        let mut worst = OPEN;
        for (k, piece) in self.pieces.iter().enumerate() {
            if piece.impassable || but == Some(k) || !piece.bounds.grown(0.1).meets(bounds) {
                continue;
            }
            // SYW-TERR-17: a line counts as its type, and abatis as type 1.
            let level = if piece.obstacle().is_some() { piece.level.max(1) } else { piece.level };
            if worst != OPEN && level <= worst {
                continue;
            }
            let inside = if piece.obstacle().is_some() {
                rects.iter().any(|r| piece.runs_through(r))
            } else {
                piece.kind != PieceKind::Road && rects.iter().any(|r| piece.holds_part_of(r))
            };
            if inside {
                worst = level;
            }
        }
        worst
    }

    /// Whether the ground lets a line of sight through (SYW-LOS-02 to -06).
    pub fn clear(&self, from: Point, to: Point, ends: Ends) -> bool {
        self.hidden_by(from, to, ends).is_none()
    }

    /// The piece of ground that stands in a line of sight, by its number, and the clause that says so.
    pub fn hidden_by(&self, from: Point, to: Point, ends: Ends) -> Option<(usize, &'static str)> {
        if self.pieces.is_empty() {
            return None;
        }
        let chart = &self.book.charts.distances;
        let length = from.distance(to);
        let bounds = Bounds::of_pair(from, to);
        for (k, piece) in self.pieces.iter().enumerate() {
            if !matches!(piece.kind, PieceKind::Wood | PieceKind::Town | PieceKind::Hill)
                || !piece.bounds.meets(&bounds)
            {
                continue;
            }
            let Some(area) = piece.area() else { continue };
            match piece.kind {
                PieceKind::Wood => {
                    let inside = (area.contains_strictly(from), area.contains_strictly(to));
                    let depth = area.length_inside(from, to);
                    let open = match inside {
                        (true, true) => crate::model::state::within(length, self.options.wood_sight),
                        (false, false) => depth <= crate::model::state::SLACK,
                        _ => crate::model::state::within(depth, cm(chart.into_wood)),
                    };
                    if !open {
                        let clause = match inside {
                            (true, true) => "SYW-LOS-02",
                            (false, false) => "SYW-LOS-04",
                            _ => "SYW-LOS-03",
                        };
                        return Some((k, clause));
                    }
                }
                PieceKind::Town => {
                    // A stand with its front on the very edge is in the town all the same.
                    let a = ends.viewer_town == Some(k) || area.contains_strictly(from);
                    let b = ends.seen_town == Some(k) || area.contains_strictly(to);
                    if !a && !b {
                        if area.length_inside(from, to) > crate::model::state::SLACK {
                            return Some((k, "SYW-LOS-05"));
                        }
                    } else if !crate::model::state::within(length, cm(chart.in_town)) {
                        let viewer = !a || ends.viewer_at_edge;
                        let seen = !b || ends.seen_at_edge;
                        if !(viewer && seen) {
                            return Some((k, "SYW-LOS-05"));
                        }
                    }
                }
                _ => {
                    if !crate::model::state::within(length, cm(chart.over_ridge))
                        && sight::crest_between(from, to, area, piece.crest.as_ref()).is_some()
                    {
                        return Some((k, "SYW-LOS-06"));
                    }
                }
            }
        }
        None
    }

    /// Whether a stand touches the edge of a town it is in (SYW-LOS-05).
    pub fn at_town_edge(&self, rect: &Rect) -> bool {
        let shape = Shape::Rect(*rect);
        let bounds = shape.bounds();
        self.pieces.iter().any(|piece| {
            piece.kind == PieceKind::Town
                && piece.bounds.grown(0.1).meets(&bounds)
                && piece.area().is_some_and(|area| {
                    area.edges().any(|e| Line::new(vec![e.a, e.b]).is_ok_and(|l| l.is_within(&shape, 0.05)))
                })
        })
    }

    /// The town a stand's centre is in.
    pub fn town_of(&self, rect: &Rect) -> Option<usize> {
        self.pieces.iter().position(|p| {
            p.kind == PieceKind::Town
                && p.bounds.contains(rect.centre())
                && p.area().is_some_and(|a| a.contains(rect.centre()))
        })
    }

    /// The cover a stand has against an enemy somewhere (SYW-MODEL-24), of the lines those that count for it.
    pub fn cover_of(&self, rect: &Rect, enemy: Point, counts: impl Fn(usize) -> bool) -> Cover {
        let mut best = Cover::None;
        let centre = rect.centre();
        for (k, piece) in self.pieces.iter().enumerate() {
            if piece.cover == Cover::None {
                continue;
            }
            let covered = match &piece.lie {
                Lie::Area(area) => {
                    piece.bounds.contains(centre)
                        && area.contains(centre)
                        // SYW-TERR-18: an earthwork covers against those outside it.
                        && (piece.kind != PieceKind::Earthwork || !area.contains_strictly(enemy))
                }
                Lie::Line(line) => piece.lined_by(line, rect, enemy, self.lines_within()) && counts(k),
            };
            if covered {
                if piece.cover == Cover::Hard {
                    return Cover::Hard;
                }
                best = Cover::Soft;
            }
        }
        best
    }

    /// How near a line those who line it stand (SYW-MODEL-24).
    pub fn lines_within(&self) -> f64 {
        cm(self.book.charts.distances.lines)
    }

    /// Whether a place is uphill of another (SYW-MODEL-25).
    pub fn uphill(&self, a: Point, b: Point) -> bool {
        let nearer = cm(self.book.charts.distances.uphill);
        self.pieces.iter().any(|piece| {
            piece.kind == PieceKind::Hill
                && piece.bounds.contains(a)
                && piece.area().is_some_and(|hill| {
                    hill.contains(a)
                        && (!hill.contains(b)
                            || crate::model::state::within(
                                a.distance(piece.middle) + nearer,
                                b.distance(piece.middle),
                            ))
                })
        })
    }

    /// Whether a place is on a hill (SYW-SHOOT-39).
    pub fn on_hill(&self, a: Point) -> bool {
        self.pieces.iter().any(|piece| {
            piece.kind == PieceKind::Hill
                && piece.bounds.contains(a)
                && piece.area().is_some_and(|hill| hill.contains(a))
        })
    }
}

/// What is known of the two ends of a sight line besides their places (SYW-LOS-05).
#[derive(Clone, Copy, Debug, Default)]
pub struct Ends {
    pub viewer_at_edge: bool,
    /// The seen stand touches the edge of its town and fired in this or the preceding phase.
    pub seen_at_edge: bool,
    /// The towns the two stands are in, by their number among the pieces.
    pub viewer_town: Option<usize>,
    pub seen_town: Option<usize>,
}
