//! The ground (TERR, T7): what slows, what forbids, what hides, what covers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use tricorne_game::view::Look;
use tricorne_game::{Fault, InOrder, Source};
use tricorne_table::{Area, Bounds, Ground, HalfPlane, Point, Segment, Shape, TOLERANCE, Table, within};

/// How near counts as contact (M2).
pub(crate) const CONTACT: f64 = 0.05;
/// What two things must share to overlap (M2), in square inches.
pub(crate) const OVERLAP: f64 = 0.01;

/// How a feature bears on movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Moving {
    /// Not at all.
    #[default]
    Open,
    /// Halves a move.
    Half,
    /// Halves a move that climbs.
    Uphill,
    /// Cannot be entered.
    Impassable,
    /// Speeds a column.
    Road,
}

/// How a feature bears on sight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Sight {
    /// Not at all.
    #[default]
    Clear,
    /// So much of it hides.
    Woods,
    /// Any of it hides.
    Blocks,
    /// Hides what lies beyond it.
    Hill,
}

/// What a feature gives to troops behind or in it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, crate::JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Cover {
    /// Nothing.
    #[default]
    None,
    /// Leaves and rails.
    Soft,
    /// Stone and earth.
    Hard,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Outline {
    Area,
    Line,
}

/// What T7 says of a kind of ground.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroundKind {
    pub shape: Outline,
    pub moving: Moving,
    #[serde(default)]
    pub sight: Sight,
    #[serde(default)]
    pub cover: Cover,
    #[serde(default)]
    pub melee_cover: Cover,
    pub look: Look,
}

/// T7 as a file.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GroundBook {
    format: u32,
    pub woods_depth: f64,
    pub kind: BTreeMap<String, GroundKind>,
}

impl GroundBook {
    pub(crate) fn read(file: &Source) -> Result<Self, Fault> {
        let book: Self = file.parse()?;
        if book.format != 1 {
            return Err(
                file.fault(&["format".into()], format!("is {}; this program reads format 1", book.format))
            );
        }
        if !(book.woods_depth.is_finite() && book.woods_depth >= 0.0) {
            return Err(file.fault(&["woods_depth".into()], "expected a number from 0"));
        }
        Ok(book)
    }
}

/// One feature of a table.
#[derive(Clone, Debug)]
pub(crate) struct Feature {
    pub id: String,
    pub kind: String,
    pub ground: Ground,
    pub bounds: Bounds,
    pub moving: Moving,
    pub sight: Sight,
    pub cover: Cover,
    pub melee_cover: Cover,
    pub look: Look,
    pub peak: Option<Point>,
}

impl Feature {
    fn area(&self) -> Option<&Area> {
        match &self.ground {
            Ground::Area(area) => Some(area),
            _ => None,
        }
    }

    /// Whether it is a hill, also where one is agreed to be seen over or climbed at no cost (ATKM-SETUP-05).
    fn is_hill(&self) -> bool {
        self.peak.is_some() || self.sight == Sight::Hill
    }

    /// Whether a shape overlaps it (M2).
    pub(crate) fn overlapped_by(&self, shape: &Shape) -> bool {
        self.area().is_some_and(|area| area.overlaps(shape) && area.overlap_area(shape) > OVERLAP)
    }

    /// M23 b: whether a shape, moving that way, overlaps the near part of a hill, before the line through its peak.
    pub(crate) fn near_part_overlapped_by(&self, shape: &Shape, way: Point) -> bool {
        let Some(peak) = self.peak else { return false };
        let near = [HalfPlane { at: peak, inward: -way }];
        shape.clipped(&near).is_some_and(|part| self.overlapped_by(&part))
    }

    /// Whether a shape is in contact with it.
    fn touched_by(&self, shape: &Shape, bounds: &Bounds) -> bool {
        self.bounds.grown(2.0 * CONTACT).meets(bounds) && within(self.ground.gap(shape), CONTACT)
    }
}

/// The table and what lies on it.
#[derive(Clone, Debug)]
pub(crate) struct Land {
    pub table: Table,
    pub features: Vec<Feature>,
    pub woods_depth: f64,
    pub cover_reach: f64,
}

impl Land {
    fn roads(&self) -> impl Iterator<Item = &Feature> {
        self.features.iter().filter(|f| f.moving == Moving::Road)
    }

    /// Whether a shape stands in ground nobody enters (ATKM-TERR-08), roads and bridges over it left out
    /// (ATKM-TERR-16).
    pub(crate) fn forbids(&self, shape: &Shape) -> bool {
        let bounds = shape.bounds();
        self.features.iter().any(|f| {
            f.moving == Moving::Impassable
                && f.bounds.meets(&bounds)
                && self.enters_forbidden(f, shape, &bounds)
        })
    }

    fn enters_forbidden(&self, feature: &Feature, shape: &Shape, bounds: &Bounds) -> bool {
        let Some(area) = feature.area() else { return feature.ground.entered_by(shape) };
        if !area.overlaps(shape) {
            return false;
        }
        if area.overlap_area(shape) <= OVERLAP {
            return false;
        }
        // What is left of the shape beside all bridges; one that lies over another takes nothing off twice.
        let mut beside: SmallVec<[Shape; 4]> = smallvec::smallvec![shape.clone()];
        for bridge in self.roads().filter(|road| road.bounds.meets(bounds)).filter_map(Feature::area) {
            let edges = planes(bridge);
            let mut off: SmallVec<[Shape; 4]> = SmallVec::new();
            for part in &beside {
                off.extend((0..edges.len()).filter_map(|i| {
                    let HalfPlane { at, inward } = edges[i];
                    let mut beyond: SmallVec<[HalfPlane; 4]> = edges[..i].into();
                    beyond.push(HalfPlane { at, inward: -inward });
                    part.clipped(&beyond)
                }));
            }
            beside = off;
        }
        beside.iter().map(|part| area.overlap_area(part)).sum::<f64>() > OVERLAP
    }

    /// Whether a stretch leads through ground nobody enters, but for roads and bridges over it.
    pub(crate) fn bars(&self, from: Point, to: Point) -> bool {
        let near = self.near(from, to, |f| f.moving == Moving::Impassable);
        let dry = |&(enter, leave): &(f64, f64)| self.on_road(from.lerp(to, enter), from.lerp(to, leave));
        let barred = |f: &&Feature| match f.area() {
            Some(area) => !area.pieces(from, to).iter().all(dry),
            None => f.ground.met_by(from, to),
        };
        near.iter().any(barred) || !joints(&near, from, to).iter().all(dry)
    }

    /// The features of a sort that a line may meet.
    fn near(&self, from: Point, to: Point, sort: impl Fn(&Feature) -> bool) -> SmallVec<[&Feature; 8]> {
        let bounds = Bounds::of_pair(from, to).grown(JOINT);
        self.features.iter().filter(|f| sort(f) && f.bounds.meets(&bounds)).collect()
    }

    /// Whether a shape stands wholly on the table.
    pub(crate) fn holds(&self, shape: &Shape) -> bool {
        self.table.holds(shape)
    }

    /// Whether a shape is in contact with ground that halves every move (ATKM-TERR-02, ATKM-TERR-06).
    pub(crate) fn slows(&self, shape: &Shape) -> bool {
        let bounds = shape.bounds();
        self.features.iter().any(|f| f.moving == Moving::Half && f.touched_by(shape, &bounds))
    }

    pub(crate) fn has_hills(&self) -> bool {
        self.features.iter().any(|f| f.moving == Moving::Uphill)
    }

    /// The hills whose foot a shape of these bounds may come to.
    pub(crate) fn hills(&self, within: Bounds) -> impl Iterator<Item = &Feature> {
        self.features.iter().filter(move |f| f.moving == Moving::Uphill && f.bounds.meets(&within))
    }

    /// Whether a stretch keeps to roads (ATKM-TERR-10), their edges included; where two roads meet it may pass from one to
    /// the other.
    pub(crate) fn on_road(&self, from: Point, to: Point) -> bool {
        let bounds = Bounds::of_pair(from, to).grown(TOLERANCE);
        let near = self.roads().filter(|road| road.bounds.meets(&bounds)).filter_map(Feature::area);
        let on = united(near.filter_map(|road| along(road, from, to)).collect());
        on.iter().any(|&(enter, leave)| enter <= 0.0 && leave >= 1.0)
    }

    /// Whether the ground hides `to` from `from` (M17 b to e).
    pub(crate) fn hides(&self, from: Point, to: Point) -> bool {
        self.hides_but(from, to, |_| false)
    }

    /// The same where some straight pieces of what is agreed to block sight are seen over (ATKM-ADV-03).
    pub(crate) fn hides_but(&self, from: Point, to: Point, over: impl Fn(&Segment) -> bool) -> bool {
        let all = self.near(from, to, |f| f.sight != Sight::Clear);
        if all.is_empty() {
            return false;
        }
        let of = |sight: Sight| -> SmallVec<[&Feature; 8]> {
            all.iter().copied().filter(|f| f.sight == sight).collect()
        };
        // How far it runs in a sort of ground at a time: what lies in two pieces of it counts once.
        let inside = |features: &[&Feature]| {
            let mut pieces = joints(features, from, to);
            pieces.extend(features.iter().filter_map(|f| f.area()).flat_map(|area| area.pieces(from, to)));
            let length = from.distance(to);
            united(pieces).into_iter().map(move |(enter, leave)| (leave - enter) * length)
        };
        if !within(inside(&of(Sight::Woods)).sum(), self.woods_depth) {
            return true;
        }
        let walls = of(Sight::Blocks);
        let line = Segment::new(from, to);
        let fenced = |f: &&Feature| match &f.ground {
            Ground::Line(fence) => {
                fence.segments().any(|piece| line.crossing(&piece).is_some() && !over(&piece))
            }
            Ground::Area(_) => false,
            Ground::Road(_) => f.ground.met_by(from, to),
        };
        if inside(&walls).any(|length| !within(length, CONTACT)) || walls.iter().any(fenced) {
            return true;
        }
        let beyond = |f: &&Feature| !f.ground.contains(from) && !f.ground.contains(to);
        let hills: SmallVec<[&Feature; 8]> = of(Sight::Hill).into_iter().filter(beyond).collect();
        hills.iter().any(|f| f.ground.met_by(from, to)) || !joints(&hills, from, to).is_empty()
    }

    /// Whether any of a straight piece lies on a hill.
    pub(crate) fn is_on_hill(&self, piece: &Segment) -> bool {
        let holds = |f: &Feature| f.ground.contains(piece.a) || f.ground.met_by(piece.a, piece.b);
        self.features.iter().any(|f| f.is_hill() && holds(f))
    }

    /// The hill a place is on.
    pub(crate) fn hill_at(&self, place: Point) -> Option<&Feature> {
        self.features.iter().find(|f| f.is_hill() && f.ground.contains(place))
    }

    /// ATKM-TERR-17: the best cover of a target whose centre is `centre`, attacked along a line (M24). `near` gives the
    /// distance of a place from its bases, `astride` whether it stands on a straight piece (ATKM-TERR-19).
    pub(crate) fn cover(
        &self,
        melee: bool,
        centre: Point,
        line: &[Point],
        near: impl Fn(Point) -> f64,
        astride: impl Fn(&Segment) -> bool,
    ) -> Cover {
        let bounds = line.iter().fold(Bounds::NOTHING, |all, &p| all.join(&Bounds::of_pair(p, p)));
        let bounds = bounds.grown(MEETING);
        let mut best = Cover::None;
        for f in &self.features {
            let cover = if melee { f.melee_cover } else { f.cover };
            if cover <= best {
                continue;
            }
            let covered = match &f.ground {
                Ground::Area(area) => f.bounds.contains(centre) && area.contains(centre),
                Ground::Line(wall) => {
                    f.bounds.meets(&bounds)
                        && wall.segments().any(|piece| {
                            line.windows(2)
                                .flat_map(|leg| meetings(&Segment::new(leg[0], leg[1]), &piece))
                                .any(|at| within(near(at), self.cover_reach))
                                && !astride(&piece)
                        })
                }
                Ground::Road(_) => false,
            };
            if covered {
                best = cover;
            }
        }
        best
    }
}

/// How near two lines must come to meet.
const MEETING: f64 = 0.001;

/// Where a stretch of a line of attack meets a straight piece: where they cross, or the ends that lie on the other.
fn meetings(leg: &Segment, piece: &Segment) -> SmallVec<[Point; 4]> {
    if let Some(crossing) = leg.crossing(piece) {
        return smallvec::smallvec![piece.at(crossing.u)];
    }
    let on_piece = [leg.a, leg.b].into_iter().filter(|&p| piece.distance(p) <= MEETING);
    let on_leg = [piece.a, piece.b].into_iter().filter(|&p| leg.distance(p) <= MEETING);
    on_piece.chain(on_leg).collect()
}

/// The half-planes of a convex outline.
fn planes(area: &Area) -> SmallVec<[HalfPlane; 4]> {
    area.edges()
        .filter_map(|Segment { a, b }| {
            // Corners run anticlockwise, so the inside is to the left.
            (b - a).unit().map(|way| HalfPlane { at: a, inward: way.quarter_left() })
        })
        .collect()
}

/// Stretches of a line, each from one share of its length to another.
type Stretches = SmallVec<[(f64, f64); 8]>;

/// The same in order, those that meet or overlap made one.
fn united(mut stretches: Stretches) -> Stretches {
    stretches.put_in_order(|a, b| a.0.total_cmp(&b.0));
    stretches.dedup_by(|next, last| {
        let meet = next.0 <= last.1 + 1e-9;
        if meet {
            last.1 = last.1.max(next.1);
        }
        meet
    });
    stretches
}

/// The stretch of a line that keeps to a convex outline, its edges included.
fn along(area: &Area, from: Point, to: Point) -> Option<(f64, f64)> {
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for HalfPlane { at, inward } in planes(area) {
        let [first, last] = [from, to].map(|p| (p - at).dot(inward) + TOLERANCE);
        match (first < 0.0, last < 0.0) {
            (true, true) => return None,
            (true, false) => enter = enter.max(first / (first - last)),
            (false, true) => leave = leave.min(first / (first - last)),
            (false, false) => {}
        }
    }
    (enter <= leave).then_some((enter, leave))
}

/// How far to either side of a line outlines are looked for that touch along it: they have it on their edge, and this is
/// inside them.
const JOINT: f64 = 2.0 * TOLERANCE;

/// The stretches of a line along an edge that two outlines share: there it runs inside neither, but no way leads between.
fn joints(features: &[&Feature], from: Point, to: Point) -> Stretches {
    let line = Segment::new(from, to);
    let Some(way) = line.way().unit().filter(|_| features.len() > 1) else { return Stretches::new() };
    let followed =
        |edge: Segment| way.cross(edge.way()).abs() <= 0.1 * edge.length() && within(edge.gap(&line), 0.0);
    let areas = features.iter().filter_map(|f| f.area());
    let beside: SmallVec<[&Area; 4]> = areas.filter(|area| area.edges().any(followed)).collect();
    let aside = way.quarter_left() * JOINT;
    let [left, right] = [aside, -aside].map(|aside| -> Stretches {
        beside.iter().flat_map(|area| area.pieces(from + aside, to + aside)).collect()
    });
    let shared = |&(a, b): &(f64, f64)| right.iter().map(move |&(c, d)| (a.max(c), b.min(d)));
    let long = |&(enter, leave): &(f64, f64)| !within((leave - enter) * line.length(), CONTACT);
    left.iter().flat_map(shared).filter(long).collect()
}

/// Whether two shapes overlap as M2 means it.
pub(crate) fn overlap(a: &Shape, b: &Shape) -> bool {
    // Two things that must be slid a quarter inch apart share more than that; only slight touches are worked out.
    a.overlaps(b) && (a.penetration(b) > 0.25 || a.overlap_area(b) > OVERLAP)
}
