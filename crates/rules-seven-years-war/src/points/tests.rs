//! E29 and the lists of T11.

use tricorne_chance::Seeded;

use super::*;
use crate::rulebook::Weapon;

fn source(name: &str) -> Source {
    Source::new(name, if name == "points.toml" { crate::rulebook::POINTS } else { crate::rulebook::ARMIES })
}

fn market() -> Market {
    crate::rulebook::Rulebook::own().market.clone()
}

fn unit(code: &str) -> Enlisted {
    Enlisted { code: code.into(), ..Enlisted::default() }
}

fn points(points: f64) -> Points {
    Points::try_from(points).unwrap()
}

/// SYW-EX-29: SYW-POINTS-01, SYW-POINTS-02, SYW-POINTS-03, SYW-POINTS-05, SYW-POINTS-06, SYW-POINTS-07.
#[test]
fn prices_of_the_example() {
    let market = market();
    assert_eq!(market.unit(&unit("P-GREN")), Some(points(19.0)));
    assert_eq!(market.unit(&unit("F-MUS")), Some(points(10.0)));
    let upgraded = Enlisted { upgraded_drill: true, upgraded_shots: true, ..unit("F-MIL") };
    assert_eq!(market.unit(&upgraded), Some(points(10.0)));
    assert_eq!(market.prices.work(Work::Abatis, 10.0), points(3.0));
    assert_eq!(market.prices.wood(2, 45.0, WoodPrice::PerLevelPlusWidth), points(40.0));
}

/// SYW-POINTS-05: each 4 cm or part of it.
#[test]
fn works_cost_a_point_for_each_piece_or_part() {
    let prices = market().prices;
    let cost = |length| prices.work(Work::Barricade, length);
    assert_eq!([0.0, 0.5, 4.0, 4.1, 8.0, 24.0].map(cost), [0.0, 1.0, 1.0, 2.0, 2.0, 6.0].map(points));
}

/// SYW-POINTS-06, SYW-POINTS-07, SYW-POINTS-09.
#[test]
fn terrain_prices() {
    let prices = market().prices;
    assert_eq!([36.0, 40.0, 41.0].map(|w| prices.hill(w)), [25.0, 25.0, 35.0].map(points));
    assert_eq!([1, 2, 4].map(|l| prices.wood(l, 24.0, WoodPrice::default())), [15.0, 30.0, 60.0].map(points));
    assert_eq!([2, 3, 4].map(|l| prices.wood(l, 24.0, WoodPrice::Example)), [40.0, 50.0, 60.0].map(points));
    assert_eq!(prices.town(40.0), Some(points(50.0)));
    assert_eq!(prices.town(40.5), None);
    assert!(prices.pays(&[points(19.0), points(10.0)], points(25.0)));
    assert!(!prices.pays(&[points(19.0)], points(25.0)));
}

/// SYW-POINTS-04: the C-in-C is free and each sub-general costs 25; the armies of the scenarios cost what T12 says.
#[test]
fn armies_of_the_scenarios() {
    let market = market();
    let army = |nation: &str, sub_generals, codes: &[&str]| Army {
        nation: nation.into(),
        sub_generals,
        units: codes.iter().map(|c| unit(c)).collect(),
        works: Vec::new(),
    };
    let prussian = army("prussian", 2, &["P-GREN", "P-MUS", "P-MUS", "P-MUS", "P-MART", "P-KUR", "P-HUS"]);
    assert_eq!(market.army(&prussian), points(160.5));
    let mut russian = army(
        "russian",
        2,
        &[
            "R-MUS", "R-MUS", "R-GREN", "R-MUS", "R-MUS", "R-HART", "R-HOW", "R-KUR", "R-DRAG", "R-COS",
            "R-LART",
        ],
    );
    russian.works.push((Work::Barricade, 24.0));
    assert_eq!(market.army(&russian), points(195.0));
    let french = army(
        "french",
        3,
        &[
            "F-MUS", "F-MUS", "F-MUS", "F-MUS", "F-SWISS", "F-GEND", "F-CAV", "F-CAV", "F-GREN", "F-CHASS",
            "F-HART", "F-MART",
        ],
    );
    assert_eq!(market.army(&french), points(239.5));
    for army in [&prussian, &russian, &french] {
        assert_eq!(market.objections(army, points(240.0)), []);
    }
}

/// SYW-ARMY-02, SYW-ARMY-05, SYW-ARMY-08, SYW-ARMY-09, SYW-ARMY-10, SYW-ARMY-17, SYW-ARMY-21, SYW-GROUP-03, SYW-GROUP-06,
/// SYW-POINTS-01, SYW-POINTS-03.
#[test]
fn what_is_wrong_with_an_army_is_named() {
    let market = market();
    let clauses = |nation: &str, units: Vec<Enlisted>| -> Vec<&'static str> {
        let army = Army { nation: nation.into(), sub_generals: 1, units, works: Vec::new() };
        market.objections(&army, points(120.0)).into_iter().map(|o| o.clause).collect()
    };
    let sized = |code, stands| Enlisted { stands: Some(stands), ..unit(code) };
    let grouped = |code| Enlisted { group: Some("G".into()), ..unit(code) };
    assert_eq!(clauses("prussian", vec![unit("P-MUS")]), [""; 0]);
    assert_eq!(clauses("saxon", vec![unit("P-MUS")]), ["SYW-ARMY-02"]);
    assert_eq!(clauses("prussian", vec![unit("A-MUS")]), ["SYW-ARMY-02"]);
    assert_eq!(clauses("prussian", vec![]), ["SYW-ARMY-02"]);
    assert_eq!(clauses("prussian", vec![unit("P-JAG"), unit("P-JAG"), unit("P-JAG")]), ["SYW-ARMY-02"]);
    assert_eq!(clauses("prussian", vec![sized("P-MART", 2)]), ["SYW-ARMY-05"]);
    assert_eq!(clauses("prussian", vec![sized("P-HUS", 11)]), ["SYW-ARMY-08"]);
    assert_eq!(clauses("prussian", vec![sized("P-MUS", 5)]), ["SYW-ARMY-09"]);
    assert_eq!(clauses("prussian", vec![sized("P-MUS", 6), sized("P-MUS", 3)]), [""; 0]);
    assert_eq!(clauses("austrian", vec![sized("A-GRENZ", 7)]), ["SYW-ARMY-10"]);
    assert_eq!(clauses("prussian", vec![Enlisted { command: Some(2), ..unit("P-MUS") }]), ["SYW-ARMY-21"]);
    assert_eq!(clauses("prussian", vec![grouped("P-MUS"), grouped("P-HUS")]), ["SYW-GROUP-03"]);
    assert_eq!(clauses("french", vec![grouped("F-MUS"), grouped("F-SWISS")]), ["SYW-GROUP-06"]);
    assert_eq!(clauses("prussian", vec![unit("P-KUR"); 4]), ["SYW-POINTS-01"]);
    assert_eq!(
        clauses("prussian", vec![Enlisted { upgraded_drill: true, ..unit("P-MUS") }]),
        ["SYW-POINTS-03"]
    );
    // Spears have no short range to buy.
    assert_eq!(
        clauses("ottoman", vec![Enlisted { upgraded_shots: true, ..unit("O-SPEAR") }]),
        ["SYW-POINTS-03"]
    );
}

/// SYW-ARMY-17: bows and spears cost nothing, and only the entries that name them have them.
#[test]
fn bows_and_spears_cost_nothing() {
    let market = market();
    for (_, entry) in market.lists.nations.iter().flat_map(|n| n.units.iter().map(move |e| (n, e))) {
        if let Some(weapon) = entry.weapon {
            assert!([Weapon::Bow, Weapon::MountedBow, Weapon::Spear].contains(&weapon), "{}", entry.code);
            let plain = Grades { poor_shots: false, ..entry.grades() };
            let usual = market.prices.stand(plain) * i32::from(entry.stands);
            assert_eq!(usual, entry.points, "{}", entry.code);
        }
    }
}

#[test]
fn every_nation_musters_within_its_points_and_limits() {
    let market = market();
    for nation in market.lists.nations.clone() {
        for limit in [40.0, 160.5, 400.0] {
            let army = market.muster(&nation.id, points(limit)).unwrap();
            assert!(market.army(&army) <= points(limit));
            assert_eq!(market.objections(&army, points(limit)), [], "{} {limit}", nation.id);
            let random = market.muster_at_random(&nation.id, points(limit), &mut Seeded::new(5)).unwrap();
            assert_eq!(market.objections(&random, points(limit)), [], "{} {limit}", nation.id);
            // Nothing more of the list fits.
            let left = points(limit) - market.army(&random);
            let cheapest = nation.units.iter().filter(|e| e.most.is_none()).map(|e| e.points).min().unwrap();
            assert!(left < cheapest, "{} has {left} left", nation.id);
        }
    }
    assert!(market.muster("saxon", points(100.0)).is_none());
}

#[test]
fn a_wrong_file_is_named() {
    let prices = Prices::read(&source("points.toml")).unwrap();
    let kinds = market().kinds;
    let armies = |from: &str, to: &str| {
        let text = source("armies.toml").text.replacen(from, to, 1);
        Lists::read(&Source::new("armies.toml", text), &kinds, &prices).unwrap_err().to_string()
    };
    assert!(armies("points = 13", "points = 14").contains("cost 13"));
    assert!(armies("kind = \"MI\"", "kind = \"XX\"").contains("`XX`"));
    assert!(armies("stands = 4", "stands = 5").contains("[3, 4, 6]"));
    assert!(armies("code = \"P-MUSE\"", "code = \"P-MUS\"").contains("twice"));
    assert!(armies("format = 1", "format = 2").contains("format 1"));
    let points = |from: &str, to: &str| {
        let text = source("points.toml").text.replacen(from, to, 1);
        Prices::read(&Source::new("points.toml", text)).unwrap_err().to_string()
    };
    assert!(points("HC = 5\n", "").contains("no price for HC"));
    assert!(points("HC = 5", "HC = 5.1").contains("quarters"));
    assert!(points("per = 4", "per = 0").contains("above 0"));
    assert!(points("wide = 40", "broad = 40").contains("broad"));
}
