//! SYW-TERRGEN and SYW-POINTS-08.

use tricorne_chance::{Script, Scripted, Seeded};
use tricorne_game::Source;
use tricorne_table::Area;

use super::*;
use crate::points::{Points, Prices, WoodPrice};

const TABLE: [f64; 2] = [180.0, 120.0];

fn ground() -> Procedure {
    crate::rulebook::Rulebook::own().ground.clone()
}

fn prices() -> Prices {
    Prices::read(&Source::new("points.toml", crate::rulebook::POINTS)).unwrap()
}

fn scripted(lines: &[&str]) -> Scripted {
    Scripted::new(lines.iter().map(|l| l.parse::<Script>().unwrap()))
}

/// Generates from a script that must fit exactly.
fn from_script(lines: &[&str], ground: &Procedure, table: [f64; 2]) -> Country {
    let mut chance = scripted(lines);
    let country = generate(table, ground, &mut chance);
    assert_eq!(chance.fault(), None);
    assert!(chance.left_over().is_empty(), "{:?}", chance.left_over());
    country
}

fn summary(country: &Country) -> Vec<(&str, Option<u8>)> {
    country.pieces.iter().map(|p| (p.id.as_str(), p.level)).collect()
}

fn centre(piece: &Piece) -> Point {
    Area::new(piece.points.clone()).unwrap().centroid().round_to(0.01)
}

/// The order of the dice (SYW-TERRGEN-12), a D3 being a D6 halved (SYW-DICE-01), the sectors (SYW-TERRGEN-09, SYW-TERRGEN-10), the turns (SYW-TERRGEN-11).
#[test]
fn a_country_by_script() {
    let country = from_script(
        &[
            "hills: 3", // D3 2: three hills, two of level 0 and one of level 1 (SYW-TERRGEN-02)
            "sector: 1",
            "sub_sector: 1",
            "rotation: 5", //
            "sector: 3",
            "sub_sector: 6",
            "rotation: 2", //
            "sector: 5",
            "sub_sector: 2",
            "rotation: 4", //
            "woods: 2",    // one wood (SYW-TERRGEN-05)
            "sector: 4",
            "sub_sector: 3",
            "rotation: 1", //
            "marshes: 4",  // two (SYW-TERRGEN-06)
            "marsh_or_stream: 4",
            "sector: 6",
            "sub_sector: 4",
            "rotation: 3", //
            "marsh_or_stream: 5",
            "stream_side: 1",
            "stream_side: 1",
            "stream_side: 4", // SYW-TERRGEN-13
            "sector: 2",
            "sub_sector: 5", //
            "town: 6",       // SYW-TERRGEN-08
            "sector: 2",
            "sub_sector: 1",
            "rotation: 6",
            "road_side: 2",
            "road_side: 3",
        ],
        &ground(),
        TABLE,
    );
    assert_eq!(
        summary(&country),
        [
            ("H1", Some(0)),
            ("H2", Some(0)),
            ("H3", Some(1)),
            ("W1", Some(2)),
            ("M1", None),
            ("S1", None),
            ("V1", None),
            ("R1", None)
        ]
    );
    // Sub-sectors are 20 wide and 30 deep. The first hill hangs over the west edge by 8 and is cut off there.
    let [h1, h2, h3, w1, m1, s1, v1, r1] = &country.pieces[..] else { panic!() };
    let bounds = |p: &Piece| Area::new(p.points.clone()).unwrap().bounds();
    assert_eq!((bounds(h1).min, bounds(h1).max), (Point::new(0.0, 3.0), Point::new(28.0, 27.0)));
    // Turned by 90: 24 wide and 36 deep about (170, 45), cut off at the east edge.
    assert_eq!((bounds(h2).min, bounds(h2).max), (Point::new(158.0, 27.0), Point::new(180.0, 63.0)));
    assert_eq!(centre(h3), Point::new(90.0, 75.0));
    assert_eq!(h3.points.len(), 8);
    // Turned by 45 to the right: the long side runs from north-west to south-east.
    assert_eq!(centre(w1), Point::new(50.0, 75.0));
    assert!(Area::new(w1.points.clone()).unwrap().contains(Point::new(50.0 + 8.0, 75.0 - 8.0)));
    assert!(!Area::new(w1.points.clone()).unwrap().contains(Point::new(50.0 + 8.0, 75.0 + 8.0)));
    // By 45 to the left: from south-west to north-east.
    assert_eq!(centre(m1), Point::new(130.0, 105.0));
    assert!(Area::new(m1.points.clone()).unwrap().contains(Point::new(130.0 + 6.0, 105.0 + 6.0)));
    assert_eq!(s1.points, [(90.0, 0.0), (90.0, 45.0), (180.0, 60.0)].map(Point::from));
    assert_eq!(centre(v1), Point::new(70.0, 15.0));
    assert_eq!(r1.points, [(0.0, 60.0), (70.0, 15.0), (90.0, 120.0)].map(Point::from));
}

/// SYW-TERRGEN-04: the second hill is dropped, is not turned, and raises the first.
#[test]
fn a_hill_on_a_hill_raises_it() {
    let country = from_script(
        &[
            "hills: 6",
            "sector: 1",
            "sub_sector: 1",
            "rotation: 5",
            "sector: 1",
            "sub_sector: 1",
            "sector: 1",
            "sub_sector: 2",
            "rotation: 5",
            "sector: 1",
            "sub_sector: 1",
            "woods: 1",
            "marshes: 1",
            "town: 5",
        ],
        &ground(),
        TABLE,
    );
    assert_eq!(summary(&country), [("H1", Some(2)), ("H2", Some(0))]);
}

/// SYW-TERRGEN-07: a second stream becomes a marsh. SYW-TERRGEN-14: a wood, marsh or town on one of them is diced
/// again up to three times, then dropped; a hill is no hindrance.
#[test]
fn one_stream_and_no_two_pieces_in_a_sub_sector() {
    let country = from_script(
        &[
            "hills: 1",
            "sector: 1",
            "sub_sector: 1",
            "rotation: 5",
            "sector: 2",
            "sub_sector: 2",
            "rotation: 5",
            "woods: 3",
            "sector: 1",
            "sub_sector: 1",
            "rotation: 6", //
            "sector: 1",
            "sub_sector: 1",
            "sector: 1",
            "sub_sector: 2",
            "rotation: 6", //
            "marshes: 4",
            "marsh_or_stream: 6",
            "stream_side: 3",
            "stream_side: 2",
            "sector: 1",
            "sub_sector: 1",
            "marsh_or_stream: 6",
            "sector: 1",
            "sub_sector: 1",
            "sector: 1",
            "sub_sector: 2",
            "sector: 1",
            "sub_sector: 1",
            "sector: 1",
            "sub_sector: 2",
            "town: 6",
            "sector: 1",
            "sub_sector: 2",
            "sector: 3",
            "sub_sector: 2",
            "rotation: 5",
            "road_side: 1",
            "road_side: 3",
        ],
        &ground(),
        TABLE,
    );
    assert_eq!(
        summary(&country),
        [
            ("H1", Some(0)),
            ("H2", Some(0)),
            ("W1", Some(2)),
            ("W2", Some(2)),
            ("S1", None),
            ("V1", None),
            ("R1", None)
        ]
    );
}

/// SYW-TERRGEN-03: hills over 40 wide count as two; the odd one is narrow.
#[test]
fn wide_hills_count_as_two() {
    let mut wide = ground();
    wide.sizes.hill = [50.0, 24.0];
    let country = from_script(
        &[
            "hills: 4",
            "sector: 2",
            "sub_sector: 2",
            "rotation: 5",
            "sector: 5",
            "sub_sector: 5",
            "rotation: 5",
            "woods: 1",
            "marshes: 2",
            "town: 1",
        ],
        &wide,
        TABLE,
    );
    let widths: Vec<f64> =
        country.pieces.iter().map(|p| Area::new(p.points.clone()).unwrap().bounds().width()).collect();
    assert_eq!(widths, [50.0, 40.0]);
}

/// SYW-TERRGEN-01: a table over 240 wide is diced for by halves.
#[test]
fn very_large_tables_are_diced_for_by_halves() {
    let half = [
        "hills: 1",
        "sector: 2",
        "sub_sector: 2",
        "rotation: 5",
        "sector: 5",
        "sub_sector: 2",
        "rotation: 5",
    ];
    let rest = ["woods: 1", "marshes: 2", "town: 1"];
    let lines: Vec<&str> = [&half[..], &rest, &half, &rest].concat();
    let country = from_script(&lines, &ground(), [300.0, 120.0]);
    let centres: Vec<Point> = country.pieces.iter().map(centre).collect();
    assert_eq!(centres, [(75.0, 15.0), (75.0, 75.0), (225.0, 15.0), (225.0, 75.0)].map(Point::from));
    assert_eq!(Region::of_table([240.0, 150.0], 240.0).len(), 1);
}

/// Over 10,000 seeds the numbers of pieces are those of the dice. Expected counts and five standard deviations.
#[test]
fn the_numbers_of_pieces_are_those_of_the_dice() {
    const SEEDS: u64 = 10_000;
    let ground = ground();
    let mut hills = [0_i32; 5];
    let mut low_and_high = [0_i32; 2];
    let mut woods = [0_i32; 4];
    let mut wet = [0_i32; 3];
    let (mut streams, mut towns) = (0_i32, 0_i32);
    for seed in 0..SEEDS {
        let country = generate(TABLE, &ground, &mut Seeded::new(seed));
        // Hills that fell on hills are levels now: two hills on one spot show as one a level higher.
        hills[country.count(Kind::Hill)] += 1;
        for hill in country.pieces.iter().filter(|p| p.kind == Kind::Hill) {
            low_and_high[usize::from(hill.level.unwrap() > 0)] += 1;
        }
        woods[country.count(Kind::Wood)] += 1;
        wet[country.count(Kind::Marsh) + country.count(Kind::Stream)] += 1;
        streams += country.count(Kind::Stream) as i32;
        towns += country.count(Kind::Town) as i32;
        assert_eq!(country.count(Kind::Town), country.count(Kind::Road));
        assert!(country.count(Kind::Stream) <= 1);
        assert!(country.pieces.iter().all(|p| p.kind != Kind::Wood || p.level == Some(2)));
    }
    let close = |came: i32, share: f64| {
        let expected = share * SEEDS as f64;
        let deviation = (SEEDS as f64 * share * (1.0 - share)).sqrt();
        assert!((f64::from(came) - expected).abs() < 5.0 * deviation + 1.0, "{came}, expected {expected:.0}");
    };
    // D3+1 hills on 36 sub-sectors; those that fall together are one. With n hills the chance that all are apart is
    // 35/36 for two, 35*34/36^2 for three, 35*34*33/36^3 for four.
    let apart = [35.0 / 36.0, 35.0 * 34.0 / 1296.0, 35.0 * 34.0 * 33.0 / 46656.0];
    // Three hills on exactly two spots: 3 * 35/36^2. Four on exactly three: 6 * 35*34/36^3; on exactly two: 7 * 35/36^3.
    let (three_on_two, four_on_three) = (3.0 * 35.0 / 1296.0, 6.0 * 35.0 * 34.0 / 46656.0);
    let four_on_two = 7.0 * 35.0 / 46656.0;
    close(hills[0], 0.0);
    close(hills[2], (apart[0] + three_on_two + four_on_two) / 3.0);
    close(hills[3], (apart[1] + four_on_three) / 3.0);
    close(hills[4], apart[2] / 3.0);
    assert_eq!(hills.iter().sum::<i32>(), SEEDS as i32);
    assert!(low_and_high[0] > 2 * low_and_high[1], "{low_and_high:?}");
    // D4-1 woods; one that falls on woods four times in a row is dropped, which happens to fewer than one in 50,000.
    for (n, came) in woods.into_iter().enumerate() {
        assert!(n < 4);
        close(came, 0.25);
    }
    // D4-2 marshes and the like, none on 1 and 2.
    close(wet[0], 0.5);
    close(wet[1], 0.25);
    close(wet[2], 0.25);
    // A stream: a third with one piece; with two, one less the chance of none, 5/9.
    close(streams, 0.25 / 3.0 + 0.25 * 5.0 / 9.0);
    close(towns, 1.0 / 6.0);
}

/// Whatever is diced for is a sound part of a scenario file: simple polygons on the table, hills convex.
#[test]
fn what_is_diced_for_is_sound() {
    for seed in 0..500 {
        for table in [TABLE, [150.0, 100.0], [240.0, 150.0], [300.0, 120.0]] {
            let country = generate(table, &ground(), &mut Seeded::new(seed));
            let on_table = |p: &Point| (0.0..=table[0]).contains(&p.x) && (0.0..=table[1]).contains(&p.y);
            for piece in &country.pieces {
                assert!(piece.points.iter().all(on_table), "{piece:?}");
                if !matches!(piece.kind, Kind::Stream | Kind::Road) {
                    let area = Area::new(piece.points.clone()).unwrap_or_else(|e| panic!("{piece:?}: {e}"));
                    assert!(area.is_convex() && area.area() > 50.0, "{piece:?}");
                }
            }
            let mut ids: Vec<&str> = country.pieces.iter().map(|p| p.id.as_str()).collect();
            ids.sort_unstable();
            ids.dedup();
            assert_eq!(ids.len(), country.pieces.len());
            assert!(toml::from_str::<toml::Table>(&country.to_toml()).is_ok());
        }
    }
}

/// SYW-POINTS-06: what can be bought, and for what.
#[test]
fn what_a_defender_may_buy() {
    let cost = |purchase| price(purchase, &prices(), WoodPrice::default());
    let wide = [45.0, 20.0];
    assert_eq!(cost(Purchase::Hill { level: 4, size: [36.0, 24.0] }), Ok(Points::whole(25)));
    assert_eq!(cost(Purchase::Hill { level: 1, size: wide }), Ok(Points::whole(35)));
    assert_eq!(cost(Purchase::Wood { level: 2, size: wide }), Ok(Points::whole(40)));
    assert_eq!(cost(Purchase::Town { size: [40.0, 40.0] }), Ok(Points::whole(50)));
    for wrong in [
        Purchase::Town { size: [41.0, 20.0] },
        Purchase::Wood { level: 0, size: wide },
        Purchase::Hill { level: 5, size: wide },
        Purchase::Hill { level: 1, size: [f64::NAN, 3.0] },
    ] {
        assert_eq!(cost(wrong).unwrap_err().clause, "SYW-POINTS-06");
    }
}

/// SYW-POINTS-08: the sector is picked, the sub-sector diced for, the rotation die changed by one either way.
#[test]
fn bought_terrain_goes_to_its_sector() {
    let ground = ground();
    let mut country = Country { table: TABLE, pieces: Vec::new() };
    let wood = Purchase::Wood { level: 3, size: [24.0, 18.0] };
    let mut chance =
        scripted(&["sub_sector: 5", "rotation: 1", "sub_sector: 5", "sub_sector: 1", "rotation: 6"]);
    let bought = place(&country, wood, (0, 2), &ground, &mut chance).unwrap().unwrap();
    assert_eq!((bought.place.sector, bought.place.sub_sector, bought.turn), (2, 5, 1));
    assert_eq!(nudge(&mut country, bought, Nudge::Less, &ground).unwrap_err().clause, "SYW-POINTS-08");
    nudge(&mut country, bought, Nudge::More, &ground).unwrap();
    assert_eq!(centre(&country.pieces[0]), Point::new(90.0, 45.0));
    assert_eq!(country.pieces[0].level, Some(3));
    let bounds = Area::new(country.pieces[0].points.clone()).unwrap().bounds();
    assert_eq!((bounds.width(), bounds.depth()), (18.0, 24.0));
    // The next one falls on it and is diced again.
    let second = place(&country, wood, (0, 2), &ground, &mut chance).unwrap().unwrap();
    assert_eq!(second.place.sub_sector, 1);
    assert_eq!(nudge(&mut country, second, Nudge::More, &ground).unwrap_err().clause, "SYW-POINTS-08");
    nudge(&mut country, second, Nudge::Keep, &ground).unwrap();
    assert_eq!(country.count(Kind::Wood), 2);
    assert!(place(&country, wood, (0, 7), &ground, &mut chance).is_err());
    // A hill on a hill raises it.
    let hill = Purchase::Hill { level: 1, size: [36.0, 24.0] };
    let mut chance = scripted(&["sub_sector: 4", "rotation: 5", "sub_sector: 4", "rotation: 5"]);
    for _ in 0..2 {
        let bought = place(&country, hill, (0, 6), &ground, &mut chance).unwrap().unwrap();
        nudge(&mut country, bought, Nudge::Keep, &ground).unwrap();
    }
    assert_eq!(country.count(Kind::Hill), 1);
    assert_eq!(country.pieces[2].level, Some(2));
}
