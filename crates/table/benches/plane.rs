//! How fast the plane measures; `cargo bench -p tricorne-table`.

use divan::{Bencher, black_box};
use parry2d_f64::math::{Pose as Placing, Vector};
use parry2d_f64::query;
use parry2d_f64::shape::{Ball, Capsule, ConvexPolygon, Cuboid, Shape as Body, SharedShape};
use tricorne_table::sweep::{touch, travel_to};
use tricorne_table::{Area, Point, Pose, Shape};

fn main() {
    divan::main();
}

/// A thousand pairs at every distance and angle, from a plain counter.
fn pairs(make: impl Fn(Pose) -> Shape) -> Vec<(Shape, Shape)> {
    (0..1000)
        .map(|i| {
            let i = f64::from(i);
            let here = Pose::new(Point::new(20.0 + i % 7.0, 20.0), i * 37.0);
            let there = Pose::new(Point::new(20.0 + (i * 3.1) % 12.0, 20.0 + (i * 1.7) % 9.0), i * 61.0);
            (make(here), make(there))
        })
        .collect()
}

fn rect(pose: Pose) -> Shape {
    Shape::rect(pose, 5.0, 2.5).unwrap()
}

fn disc(pose: Pose) -> Shape {
    Shape::disc(pose.at, 0.5).unwrap()
}

fn pill(pose: Pose) -> Shape {
    Shape::pill_at(pose, 1.0, 0.5).unwrap()
}

fn hull(pose: Pose) -> Shape {
    let spots: Vec<Point> =
        (0..12_u8).map(|i| pose.along(f64::from(i) * 30.0, 1.5 + f64::from(i % 3)).at).collect();
    Shape::hull(&spots, 0.5).unwrap()
}

fn of(kind: &str) -> Vec<(Shape, Shape)> {
    match kind {
        "disc" => pairs(disc),
        "pill" => pairs(pill),
        "rect" => pairs(rect),
        _ => pairs(hull),
    }
}

const NAMES: [&str; 4] = ["disc", "pill", "rect", "hull"];

/// One thousand gaps.
#[divan::bench(args = NAMES, items_count = 1000_u32)]
fn gap(bencher: Bencher, kind: &str) {
    let pairs = of(kind);
    bencher.bench_local(|| pairs.iter().map(|(a, b)| black_box(a).gap(black_box(b))).sum::<f64>());
}

/// The same by parry, its shapes made beforehand.
#[divan::bench(args = NAMES, items_count = 1000_u32)]
fn gap_by_parry(bencher: Bencher, kind: &str) {
    let pairs: Vec<_> = of(kind).iter().map(|(a, b)| (to_parry(a), to_parry(b))).collect();
    bencher.bench_local(|| {
        pairs
            .iter()
            .map(|((at_a, a), (at_b, b))| {
                let (a, b): (&dyn Body, &dyn Body) = (&**a, &**b);
                query::distance(at_a, black_box(a), at_b, black_box(b)).unwrap().distance
            })
            .sum::<f64>()
    });
}

fn to_parry(shape: &Shape) -> (Placing, SharedShape) {
    let vector = |point: Point| Vector::new(point.x, point.y);
    match shape {
        Shape::Disc(disc) => {
            (Placing::translation(disc.centre.x, disc.centre.y), SharedShape::new(Ball::new(disc.radius)))
        }
        Shape::Pill(pill) => {
            (Placing::IDENTITY, SharedShape::new(Capsule::new(vector(pill.a), vector(pill.b), pill.radius)))
        }
        Shape::Rect(rect) => (
            Placing::new(vector(rect.centre()), -rect.facing().to_radians()),
            SharedShape::new(Cuboid::new(Vector::new(rect.width() / 2.0, rect.depth() / 2.0))),
        ),
        Shape::Hull(hull) => {
            let corners = hull.corners().iter().map(|&corner| vector(corner)).collect();
            (
                Placing::IDENTITY,
                SharedShape::new(ConvexPolygon::from_convex_polyline_unmodified(corners).unwrap()),
            )
        }
    }
}

/// One thousand tests of a limit, half of them far.
#[divan::bench(args = NAMES, items_count = 1000_u32)]
fn is_within(bencher: Bencher, kind: &str) {
    let pairs = of(kind);
    bencher.bench_local(|| pairs.iter().filter(|(a, b)| black_box(a).is_within(black_box(b), 1.0)).count());
}

/// One thousand tests of overlap.
#[divan::bench(args = NAMES, items_count = 1000_u32)]
fn overlaps(bencher: Bencher, kind: &str) {
    let pairs = of(kind);
    bencher.bench_local(|| pairs.iter().filter(|(a, b)| black_box(a).overlaps(black_box(b))).count());
}

/// One thousand overlap areas.
#[divan::bench(args = NAMES, items_count = 1000_u32)]
fn overlap_area(bencher: Bencher, kind: &str) {
    let pairs = of(kind);
    bencher.bench_local(|| pairs.iter().map(|(a, b)| black_box(a).overlap_area(black_box(b))).sum::<f64>());
}

/// One thousand moves of 8 east, how far each gets.
#[divan::bench(args = NAMES, items_count = 1000_u32)]
fn travel(bencher: Bencher, kind: &str) {
    let pairs = of(kind);
    let way = Point::new(8.0, 0.0);
    bencher.bench_local(|| {
        pairs.iter().filter_map(|(a, b)| travel_to(black_box(a), way, black_box(b))).sum::<f64>()
    });
}

/// One thousand moves of 8 east, with the place of the touch.
#[divan::bench(args = NAMES, items_count = 1000_u32)]
fn touches(bencher: Bencher, kind: &str) {
    let pairs = of(kind);
    let way = Point::new(8.0, 0.0);
    bencher.bench_local(|| pairs.iter().filter_map(|(a, b)| touch(black_box(a), way, black_box(b))).count());
}

/// Ten woods with eight corners each.
fn country() -> Vec<Area> {
    let wood = |i: u8| {
        let at = Pose::new(Point::new(5.0 + f64::from(i % 5) * 12.0, 10.0 + f64::from(i / 5) * 20.0), 0.0);
        let corner = |k: u8| at.along(f64::from(k) * 45.0, 3.0 + f64::from((k + i) % 3)).at;
        Area::new((0..8).map(corner).collect::<Vec<_>>()).unwrap()
    };
    (0..10).map(wood).collect()
}

/// One thousand places: which woods are they in?
#[divan::bench(items_count = 1000_u32)]
fn woods_at(bencher: Bencher) {
    let woods = country();
    let places: Vec<Point> =
        (0..1000).map(|i| Point::new(f64::from(i) % 60.0, (f64::from(i) * 0.7) % 40.0)).collect();
    bencher.bench_local(|| {
        places
            .iter()
            .map(|&place| woods.iter().filter(|w| w.contains(black_box(place))).count())
            .sum::<usize>()
    });
}

/// One thousand lines: how much wood lies on each?
#[divan::bench(items_count = 1000_u32)]
fn wood_along(bencher: Bencher) {
    let woods = country();
    bencher.bench_local(|| {
        (0..1000)
            .map(|i| {
                let i = f64::from(i);
                let (a, b) =
                    (Point::new(i % 60.0, (i * 0.7) % 40.0), Point::new((i * 1.3) % 60.0, (i * 2.9) % 40.0));
                woods.iter().map(|w| w.length_inside(a, b)).sum::<f64>()
            })
            .sum::<f64>()
    });
}

/// One thousand rectangles: which woods do they stand in?
#[divan::bench(items_count = 1000_u32)]
fn woods_entered(bencher: Bencher) {
    let woods = country();
    let shapes: Vec<Shape> = of("rect").into_iter().map(|(a, _)| a).collect();
    bencher.bench_local(|| {
        shapes
            .iter()
            .map(|shape| woods.iter().filter(|w| w.overlaps(black_box(shape))).count())
            .sum::<usize>()
    });
}
