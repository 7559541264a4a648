//! What must hold for any shapes at all, with parry and geo as oracles.

use geo::{Area as _, BooleanOps, Coord, LineString, Polygon, Validation};
use parry2d_f64::math::{Pose as Placing, Vector};
use parry2d_f64::query::{self, ShapeCastOptions};
use parry2d_f64::shape::{Ball, Capsule, ConvexPolygon, Cuboid, SharedShape};
use proptest::prelude::*;
use tricorne_table::path::{WheelPrice, front_corner, wheel, wheel_cost};
use tricorne_table::sweep::{closest_approach, swept, touch, touch_area, travel_to};
use tricorne_table::{Arc, Area, AreaError, Line, Point, Pose, Rect, Shape, Side, TOLERANCE};

fn point() -> impl Strategy<Value = Point> {
    (0.0..30.0f64, 0.0..30.0f64).prop_map(|(x, y)| Point::new(x, y))
}

/// Facings that are often square to one another, where degenerate cases live.
fn facing() -> impl Strategy<Value = f64> {
    prop_oneof![0.0..360.0f64, (0..8u8).prop_map(|eighth| f64::from(eighth) * 45.0)]
}

/// Places that are often on a grid, for the same reason.
fn place() -> impl Strategy<Value = Point> {
    prop_oneof![point(), (0..30u8, 0..30u8).prop_map(|(x, y)| Point::new(f64::from(x), f64::from(y)))]
}

/// Corners so close to a small grid that outlines often touch themselves, and often just do not.
fn outline_corner() -> impl Strategy<Value = Point> {
    let near = || {
        (0..5u8, prop_oneof![4 => Just(0.0), 1 => -1e-12..1e-12f64]).prop_map(|(at, off)| f64::from(at) + off)
    };
    prop_oneof![1 => point(), 4 => (near(), near()).prop_map(|(x, y)| Point::new(x, y))]
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        (place(), 0.1..3.0f64).prop_map(|(centre, radius)| Shape::disc(centre, radius).unwrap()),
        (place(), facing(), 0.0..4.0f64, 0.1..2.0f64).prop_map(|(at, facing, long, radius)| Shape::pill_at(
            Pose::new(at, facing),
            long,
            radius
        )
        .unwrap()),
        (place(), facing(), 0.5..8.0f64, 0.5..4.0f64).prop_map(|(at, facing, width, depth)| Shape::rect(
            Pose::new(at, facing),
            width,
            depth
        )
        .unwrap()),
        (place(), facing(), 1..9u8, 1..5u8).prop_map(|(at, facing, width, depth)| {
            Shape::Rect(Rect::fronted(Pose::new(at, facing), f64::from(width), f64::from(depth)))
        }),
        hull(),
    ]
}

fn hull() -> impl Strategy<Value = Shape> {
    (point(), prop::collection::vec((-4.0..4.0f64, -4.0..4.0f64), 3..14), prop_oneof![Just(0.0), 0.1..1.0f64])
        .prop_map(|(at, corners, radius)| {
            let corners: Vec<Point> = corners.into_iter().map(|(x, y)| at + Point::new(x, y)).collect();
            Shape::hull(&corners, radius).unwrap()
        })
}

fn vector(point: Point) -> Vector {
    Vector::new(point.x, point.y)
}

/// The same shape in parry's hands, with the swelling that parry's shape leaves out.
fn to_parry(shape: &Shape) -> (Placing, SharedShape, f64) {
    let still = Placing::IDENTITY;
    match shape {
        Shape::Disc(disc) => (
            Placing::translation(disc.centre.x, disc.centre.y),
            SharedShape::new(Ball::new(disc.radius)),
            0.0,
        ),
        Shape::Pill(pill) => {
            (still, SharedShape::new(Capsule::new(vector(pill.a), vector(pill.b), pill.radius)), 0.0)
        }
        Shape::Rect(rect) => {
            let turned = Placing::new(vector(rect.centre()), -rect.facing().to_radians());
            (turned, SharedShape::new(Cuboid::new(Vector::new(rect.width() / 2.0, rect.depth() / 2.0))), 0.0)
        }
        Shape::Hull(hull) => {
            let corners = hull.corners().iter().map(|&corner| vector(corner)).collect();
            let polygon = ConvexPolygon::from_convex_polyline_unmodified(corners).unwrap();
            (still, SharedShape::new(polygon), hull.radius())
        }
    }
}

fn parry_gap(a: &Shape, b: &Shape) -> f64 {
    let ((at_a, a, more_a), (at_b, b, more_b)) = (to_parry(a), to_parry(b));
    let distance = query::distance(&at_a, &*a, &at_b, &*b).unwrap().distance;
    (distance - more_a - more_b).max(0.0)
}

fn to_geo(corners: &[Point]) -> Polygon<f64> {
    Polygon::new(LineString::new(corners.iter().map(|c| Coord { x: c.x, y: c.y }).collect()), Vec::new())
}

/// How far inside an area a place lies; below 0 outside it.
fn depth_of(ground: &Area, place: Point) -> f64 {
    let away = ground.nearest_boundary(place).distance(place);
    if ground.distance_to(place) > 0.0 { -away } else { away }
}

/// A star round a place: simple by construction, mostly concave.
fn area() -> impl Strategy<Value = Area> {
    (point(), prop::collection::vec(1.0..8.0f64, 3..12)).prop_map(|(at, spokes)| {
        let count = spokes.len();
        let corners: Vec<Point> = spokes
            .into_iter()
            .enumerate()
            .map(|(i, far)| Pose::new(at, 0.0).along(360.0 * i as f64 / count as f64, far).at)
            .collect();
        Area::new(corners).unwrap()
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(2000),
        max_global_rejects: 1_000_000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn gap_is_parrys_gap(a in shape(), b in shape()) {
        let (ours, theirs) = (a.gap(&b), parry_gap(&a, &b));
        // GJK stops within about a millionth of the truth; by hand, ours is the right one where they differ.
        prop_assert!((ours - theirs).abs() < 5e-6, "ours {ours}, parry's {theirs}");
    }

    #[test]
    fn gap_is_the_same_both_ways(a in shape(), b in shape()) {
        prop_assert!((a.gap(&b) - b.gap(&a)).abs() < 1e-9);
        prop_assert!((a.penetration(&b) - b.penetration(&a)).abs() < 1e-9);
        prop_assert_eq!(a.overlaps(&b), b.overlaps(&a));
    }

    #[test]
    fn shapes_are_apart_or_overlap_or_touch(a in shape(), b in shape()) {
        let (gap, depth) = (a.gap(&b), a.penetration(&b));
        prop_assert!(gap == 0.0 || depth < 1e-9, "gap {gap}, depth {depth}");
        if depth > 1e-6 {
            prop_assert_eq!(gap, 0.0);
        }
        if gap > 1e-6 {
            prop_assert!(!a.overlaps(&b));
            prop_assert!(a.overlap_area(&b) < 1e-9);
        }
        prop_assert_eq!(a.overlaps(&b), depth > TOLERANCE);
    }

    #[test]
    fn within_agrees_with_gap(a in shape(), b in shape(), limit in 0.0..12.0f64) {
        prop_assert_eq!(a.is_within(&b, limit), a.gap(&b) <= limit + TOLERANCE);
    }

    #[test]
    fn nearest_places_are_a_gap_apart(a in shape(), b in shape()) {
        let nearest = a.nearest(&b);
        prop_assert!((nearest.own.distance(nearest.other) - a.gap(&b)).abs() < 1e-9);
        prop_assert!(a.distance_to(nearest.own) < 1e-9, "{} off", a.distance_to(nearest.own));
        prop_assert!(b.distance_to(nearest.other) < 1e-9);
    }

    #[test]
    fn sliding_out_by_the_penetration_ends_the_overlap(a in shape(), b in shape(), off in (-1.0..1.0f64, -1.0..1.0f64)) {
        let b = b.translated(a.centre() - b.centre() + Point::from(off));
        let depth = a.penetration(&b);
        prop_assume!(depth > 0.01);
        // Some way of that length clears them, and no way of less does.
        let mut clears = false;
        for i in 0..720 {
            let way = tricorne_table::angle::forward(f64::from(i) * 0.5);
            prop_assert!(a.translated(way * (depth * 0.98)).penetration(&b) > 0.0);
            clears |= a.translated(way * (depth * 1.02)).gap(&b) > 0.0;
        }
        prop_assert!(clears);
    }

    #[test]
    fn turning_the_table_changes_no_gap(a in shape(), b in shape(), pivot in point(), degrees in facing()) {
        let (c, d) = (a.turned_about(pivot, degrees), b.turned_about(pivot, degrees));
        prop_assert!((a.gap(&b) - c.gap(&d)).abs() < 1e-9);
        prop_assert!((a.penetration(&b) - c.penetration(&d)).abs() < 1e-9);
        prop_assert!((a.area() - c.area()).abs() < 1e-9);
        prop_assert!((a.overlap_area(&b) - c.overlap_area(&d)).abs() < 0.02);
    }

    #[test]
    fn no_overlap_is_larger_than_either(a in shape(), b in shape()) {
        let shared = a.overlap_area(&b);
        prop_assert!(shared >= 0.0);
        prop_assert!(shared <= a.area().min(b.area()) + 1e-9);
        prop_assert!((shared - b.overlap_area(&a)).abs() < 1e-9);
        if a.penetration(&b) > 0.1 {
            prop_assert!(shared > 0.0);
        }
    }

    #[test]
    fn overlap_area_is_geos(a in shape(), b in shape()) {
        let theirs = to_geo(&a.outline()).intersection(&to_geo(&b.outline())).unsigned_area();
        let ours = a.overlap_area(&b);
        // geo snaps to a grid of its own, and has our round rims only as outlines.
        prop_assert!((ours - theirs).abs() < 0.02, "ours {ours}, geo's {theirs}");
    }

    #[test]
    fn at_the_touch_there_is_no_gap_and_before_it_there_is(a in shape(), b in shape(), bearing in facing(), far in 0.5..30.0f64) {
        let way = tricorne_table::angle::forward(bearing) * far;
        prop_assume!(!a.overlaps(&b));
        if let Some(found) = touch(&a, way, &b) {
            let unit = way / far;
            let there = a.translated(unit * found.travel);
            // A move that ends within the tolerance of touching touches.
            let slack = if found.travel >= far { TOLERANCE } else { 0.0 };
            prop_assert!(there.gap(&b) <= 1e-6 + slack, "gap {} after {}", there.gap(&b), found.travel);
            prop_assert!(there.penetration(&b) <= TOLERANCE + 1e-6);
            prop_assert!(there.distance_to(found.at) < 0.002 && b.distance_to(found.at) < 0.002);
            for part in [0.2, 0.5, 0.9] {
                if found.travel > 0.1 {
                    prop_assert!(a.translated(unit * (found.travel * part)).gap(&b) > 0.0);
                }
            }
        } else {
            for step in 0..=20 {
                let there = a.translated(way * (f64::from(step) / 20.0));
                prop_assert!(there.penetration(&b) <= 2.0 * TOLERANCE, "missed it at {step}");
            }
        }
    }

    #[test]
    fn touch_is_parrys_cast(a in shape(), b in shape(), bearing in facing(), far in 0.5..30.0f64) {
        // Swollen hulls are not parry's; and where they start together or end just touching the two differ by design.
        let ((at_a, pa, more_a), (at_b, pb, more_b)) = (to_parry(&a), to_parry(&b));
        prop_assume!(more_a == 0.0 && more_b == 0.0 && a.gap(&b) > 0.01);
        let unit = tricorne_table::angle::forward(bearing);
        let options = ShapeCastOptions { target_distance: 0.0, ..ShapeCastOptions::with_max_time_of_impact(far) };
        let theirs = query::cast_shapes(&at_a, vector(unit), &*pa, &at_b, Vector::ZERO, &*pb, options).unwrap();
        let ours = travel_to(&a, unit * far, &b);
        match (ours, theirs) {
            (Some(ours), Some(theirs)) => {
                prop_assert!((ours - theirs.time_of_impact).abs() < 1e-3, "{ours} {}", theirs.time_of_impact);
            }
            (None, None) => {}
            // A graze, or a touch at the very end.
            (Some(ours), None) => prop_assert!(ours > far - 0.01 || closest_approach(&a, unit * far, &b).1 < 0.01),
            (None, Some(_)) => {
                let deep = (0..=400).map(|i| a.translated(unit * (far * f64::from(i) / 400.0)).penetration(&b)).fold(0.0, f64::max);
                prop_assert!(deep < 0.01, "parry saw a touch {deep} deep");
            }
        }
    }

    #[test]
    fn the_closest_approach_is_the_least_gap(a in shape(), b in shape(), bearing in facing(), far in 0.5..30.0f64) {
        let way = tricorne_table::angle::forward(bearing) * far;
        let (travel, gap) = closest_approach(&a, way, &b);
        prop_assert!((a.translated(way * (travel / far)).gap(&b) - gap).abs() < 1e-6);
        for step in 0..=40 {
            prop_assert!(a.translated(way * (f64::from(step) / 40.0)).gap(&b) >= gap - 1e-9);
        }
    }

    #[test]
    fn a_sweep_covers_every_position(a in shape(), bearing in facing(), far in 0.5..30.0f64, part in 0.0..1.0f64) {
        let way = tricorne_table::angle::forward(bearing) * far;
        let all = swept(&a, way);
        for corner in a.translated(way * part).outline() {
            prop_assert!(all.distance_to(corner) < 1e-6);
        }
    }

    #[test]
    fn a_wheel_keeps_its_pivot(at in point(), facing in facing(), width in 1.0..12.0f64, degrees in 0.0..180.0f64, left: bool) {
        let side = if left { Side::Left } else { Side::Right };
        let pose = Pose::new(at, facing);
        let after = wheel(&pose, width, side, degrees);
        prop_assert!(front_corner(&pose, width, side).distance(front_corner(&after, width, side)) < 1e-9);
        // The outer corner runs the arc that is paid for, and ends a chord away.
        let outer = |pose: &Pose| front_corner(pose, width, side.other());
        let chord = outer(&pose).distance(outer(&after));
        prop_assert!((chord - wheel_cost(width, degrees, WheelPrice::Chord)).abs() < 1e-9);
        let paid = wheel_cost(width, degrees, WheelPrice::Arc);
        let on_the_way = |i: u32| outer(&wheel(&pose, width, side, degrees * f64::from(i) / 2000.0));
        let run: f64 = (0..2000).map(|i| on_the_way(i).distance(on_the_way(i + 1))).sum();
        prop_assert!((run - paid).abs() < 1e-3, "ran {run}, paid {paid}");
        // The same as turning the whole pose about that corner.
        let turned = pose.turned_about(front_corner(&pose, width, side), side.sign() * degrees);
        prop_assert!(turned.at.distance(after.at) < 1e-9);
    }

    #[test]
    fn inside_and_outside_make_the_whole(ground in area(), a in place(), b in place()) {
        let pieces = ground.pieces(a, b);
        let mut last = 0.0;
        let mut outside = 0.0;
        for &(from, to) in &pieces {
            prop_assert!(last <= from && from < to && to <= 1.0);
            outside += from - last;
            last = to;
            prop_assert!(ground.contains(a.lerp(b, (from + to) * 0.5)));
        }
        outside += 1.0 - last;
        let length = a.distance(b);
        prop_assert!((outside * length + ground.length_inside(a, b) - length).abs() < 1e-9);
        prop_assert!((ground.length_inside(a, b) - ground.length_inside(b, a)).abs() < 1e-6);
        // Against many samples; those about on the boundary may count either way.
        let depths = (0..2000).map(|i| depth_of(&ground, a.lerp(b, (f64::from(i) + 0.5) / 2000.0)));
        let (mut hits, mut doubtful) = (0.0, 10.0);
        for depth in depths {
            hits += f64::from(u8::from(depth > 0.0));
            doubtful += f64::from(u8::from(depth.abs() < 2.0 * TOLERANCE));
        }
        let off = (hits / 2000.0 * length - ground.length_inside(a, b)).abs();
        prop_assert!(off <= doubtful / 2000.0 * length + 1e-9, "{off} off");
    }

    #[test]
    fn an_area_measures_like_geo(ground in area(), other in shape()) {
        let theirs = to_geo(ground.corners());
        prop_assert!((ground.area() - theirs.unsigned_area()).abs() < 1e-9);
        let shared = theirs.intersection(&to_geo(&other.outline())).unsigned_area();
        prop_assert!((ground.overlap_area(&other) - shared).abs() < 0.02);
        if shared > 0.05 {
            prop_assert!(ground.overlaps(&other));
            prop_assert_eq!(ground.gap(&other), 0.0);
        }
        if ground.gap(&other) > 1e-6 {
            prop_assert!(!ground.overlaps(&other) && shared < 1e-3);
        }
        if ground.holds(&other) {
            prop_assert!(ground.overlap_area(&other) > 0.99 * other.area());
        }
    }

    #[test]
    fn a_place_is_in_an_area_or_at_a_distance(ground in area(), place in place()) {
        let distance = ground.distance_to(place);
        prop_assert_eq!(ground.contains(place), distance <= TOLERANCE);
        prop_assert!((depth_of(&ground, place).min(0.0).abs() - distance).abs() < 1e-9);
        let rim = ground.nearest_boundary(place);
        prop_assert!((rim.distance(place) - depth_of(&ground, place).abs()).abs() < 1e-9);
        if ground.contains_strictly(place) {
            let out = ground.exit(place, 77.0).unwrap();
            prop_assert!(depth_of(&ground, out).abs() < 1e-6);
        }
    }

    #[test]
    fn areas_stop_a_move(a in shape(), ground in area(), bearing in facing(), far in 0.5..30.0f64) {
        let way = tricorne_table::angle::forward(bearing) * far;
        prop_assume!(!ground.overlaps(&a));
        if let Some(found) = touch_area(&a, way, &ground) {
            let there = a.translated(way * (found.travel / far));
            prop_assert!(ground.gap(&there) <= TOLERANCE);
            prop_assert!(ground.overlap_area(&there) < 0.02);
        } else {
            prop_assert!(ground.overlap_area(&a.translated(way)) < 0.02);
        }
    }

    #[test]
    fn a_hull_holds_its_shapes(shapes in prop::collection::vec(shape(), 1..5)) {
        let hull = Shape::hull_of(&shapes).unwrap();
        for shape in &shapes {
            for corner in shape.outline() {
                prop_assert!(hull.distance_to(corner) < 0.001);
            }
        }
    }

    #[test]
    fn a_strip_touches_what_is_ahead_of_it(blocker in shape(), at in point(), facing in facing(), width in 1.0..9.0f64, margin in 0.0..4.0f64) {
        let arc = Arc::strip(&Pose::new(at, facing), width, margin);
        let inside = |p: Point| {
            let local = Pose::new(at, facing).to_local(p);
            local.y > 0.0 && local.x.abs() < width / 2.0 + margin
        };
        let outline = blocker.outline();
        if outline.iter().any(|&corner| inside(corner)) || inside(blocker.centre()) {
            prop_assert!(arc.touches(&blocker));
        }
        if outline.iter().all(|&corner| Pose::new(at, facing).to_local(corner).y < -0.1) {
            prop_assert!(!arc.touches(&blocker));
        }
    }

    #[test]
    fn an_outline_is_simple_where_geo_says_so(corners in prop::collection::vec(outline_corner(), 3..9)) {
        let mut ring = corners.clone();
        ring.dedup();
        while ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        let polygon = Polygon::new(LineString::from(ring.iter().map(|p| (p.x, p.y)).collect::<Vec<_>>()), Vec::new());
        match Area::new(corners) {
            Ok(_) => prop_assert!(polygon.is_valid(), "{ring:?}"),
            Err(AreaError::NotSimple) => prop_assert!(!polygon.is_valid(), "{ring:?}"),
            Err(_) => {}
        }
    }

    #[test]
    fn shapes_survive_a_file(a in shape()) {
        let text = serde_json::to_string(&a).unwrap();
        let back: Shape = serde_json::from_str(&text).unwrap();
        prop_assert!(a.gap(&back) == 0.0 && (a.area() - back.area()).abs() < 1e-9);
    }
}

#[test]
fn bad_files_are_refused_and_not_panicked_at() {
    for text in [
        r#"{"shape":"disc","centre":[0,0],"radius":-1}"#,
        r#"{"shape":"hull","corners":[]}"#,
        r#"{"shape":"rect","centre":[0,0],"facing":0,"width":1}"#,
        r#"{"shape":"blob"}"#,
    ] {
        assert!(serde_json::from_str::<Shape>(text).is_err(), "{text}");
    }
    assert!(serde_json::from_str::<Area>("[[0,0],[1,1],[1,0],[0,1]]").is_err());
    assert!(serde_json::from_str::<Line>("[[0,0]]").is_err());
}
