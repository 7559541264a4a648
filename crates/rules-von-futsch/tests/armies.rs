//! Armies from the lists, set against each other and on paper.

use std::collections::{BTreeMap, BTreeSet};

use tricorne_chance::{Seeded, Whim};
use tricorne_game::army::{Army, ArmyUnit, MusterCall};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_von_futsch::VonFutsch;

/// All of it when asked, a part in an ordinary run.
fn many(part: u64, all: u64) -> u64 {
    if std::env::var_os("TRICORNE_FULL").is_some() { all } else { part }
}

fn pick(entry: &str) -> ArmyUnit {
    ArmyUnit { entry: entry.into(), name: String::new(), with: vec![], set: BTreeMap::new() }
}

fn french(entries: &[&str]) -> Army {
    Army {
        format: 1,
        ruleset: "von-futsch".into(),
        list: "FR".into(),
        name: "French".into(),
        points: 400.0,
        set: BTreeMap::new(),
        units: entries.iter().map(|e| pick(e)).collect(),
    }
}

#[test]
fn a_mustered_army_is_legal_and_within_its_points() {
    let lists = VonFutsch.army_lists();
    assert_eq!(lists.len(), 7);
    let mut seen = BTreeSet::new();
    for seed in 0..1000_u64 {
        let list = &lists[seed as usize % lists.len()];
        let points = [400.0, 250.0, 333.0, 600.0][seed as usize / lists.len() % 4];
        let call = match seed % 9 {
            0 => MusterCall::default(),
            _ => MusterCall { list: Some(list.id.clone()), points: Some(points) },
        };
        let army = VonFutsch.muster(&call, &mut Seeded::new(seed)).expect("an army");
        let report = VonFutsch.check_army(&army);
        assert!(report.broken.is_empty(), "seed {seed}: {:?}", report.broken);
        assert!(report.points <= report.limit && report.points > 0.0);
        // It spends what it can: nothing that is left would buy much.
        if army.points <= 400.0 {
            assert!(
                report.limit - report.points < 70.0,
                "seed {seed}: {} of {}",
                report.points,
                report.limit
            );
        }
        let back = Army::read(&Source::new("army.toml", army.text())).expect("its own file");
        assert_eq!(back, army);
        seen.extend(army.units.iter().map(|u| u.entry.clone()));
    }
    let entries = lists.iter().flat_map(|l| &l.entries).filter(|e| e.id != "wagon").map(|e| e.id.clone());
    let missed: Vec<String> = entries.filter(|e| !seen.contains(e)).collect();
    assert!(missed.is_empty(), "never mustered: {missed:?}");
    let poor = MusterCall { list: Some("FR".into()), points: Some(50.0) };
    assert!(VonFutsch.muster(&poor, &mut Seeded::new(1)).is_err_and(|why| why.contains("at the least")));
    let unknown = MusterCall { list: Some("XX".into()), points: None };
    assert!(VonFutsch.muster(&unknown, &mut Seeded::new(1)).is_err_and(|why| why.contains("FR")));
}

#[test]
fn a_wrong_army_names_its_limit_and_the_remedy() {
    let broken = |army: &Army| VonFutsch.check_army(army).broken;
    let fair = french(&["army_commander", "FR3", "FR10", "FR9"]);
    assert!(broken(&fair).is_empty(), "{:?}", broken(&fair));
    assert!((VonFutsch.check_army(&fair).points - 134.0).abs() < 1e-9);
    let says = |army: &Army, clause: &str, unit: Option<usize>, words: &str| {
        let all = broken(army);
        assert!(
            all.iter().any(|b| b.clause == clause && b.unit == unit && b.why.contains(words)),
            "expected {clause} {unit:?} `{words}`, came {all:?}"
        );
    };
    let mut dear = fair.clone();
    dear.points = 100.0;
    says(&dear, "VF-SCEN-02", None, "134 points; at most 100");
    says(&french(&["army_commander", "FR3"]), "VF-ARMY-02", None, "FR10 may be taken 1 to 3 times, not 0");
    says(
        &french(&["army_commander", "FR3", "FR10", "FR1", "FR1"]),
        "VF-ARMY-02",
        None,
        "FR1 may be taken 0 to 1",
    );
    says(
        &french(&["army_commander", "FR3", "FR10", "IM1"]),
        "VF-ARMY-01",
        Some(3),
        "`IM1` is not in the list",
    );
    says(&french(&["FR3", "FR10"]), "VF-ARMY-02", None, "exactly one army_commander, not 0");
    says(
        &french(&["army_commander", "FR3", "FR10", "wagon", "wagon", "wagon"]),
        "VF-ARMY-02",
        None,
        "at most 2 wagons and 2 wing commanders",
    );
    let mut upgraded = fair.clone();
    upgraded.units[1].with.push("grenadiers".into());
    says(&upgraded, "VF-ARMY-01", Some(1), "no upgrades");
    let mut winged = fair.clone();
    winged.units[1].set.insert("wing".into(), 1.into());
    says(&winged, "VF-ARMY-04", Some(1), "wing commander");
    let mut lost = fair.clone();
    lost.list = "ZZ".into();
    says(&lost, "VF-ARMY-01", None, "there is FR");
}

#[test]
fn mustered_armies_are_pitched_and_played_to_the_end() {
    for seed in 0..many(8, 100) {
        let mut chance = Seeded::new(seed);
        let call = |n: u64| MusterCall {
            list: None,
            points: Some([400.0, 300.0, 500.0][((seed + n) % 3) as usize]),
        };
        let armies = [call(0), call(1)].map(|c| VonFutsch.muster(&c, &mut chance).expect("an army"));
        let terrain = VonFutsch.random_terrain(None, &mut chance).expect("terrain by the rule");
        let text =
            VonFutsch.pitch(&armies, &terrain, None).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let file = Source::new("pitched.toml", text);
        let mut battle = VonFutsch.set_up(&file, &Choices::default(), Purpose::Scenario).expect("a scenario");
        assert!(battle.broken_invariants().is_empty(), "{:?}", battle.broken_invariants());
        let (mut whim, mut log) = (Whim::new(seed, 0), Log::off());
        battle.begin(&mut chance, &mut log);
        for _ in 0..20_000 {
            if battle.seat().is_none() {
                break;
            }
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut log).expect("legal");
        }
        assert!(battle.ending().is_some(), "seed {seed} has no end");
    }
    // An army that is not legal is not pitched.
    let fair = french(&["army_commander", "FR3", "FR10"]);
    let wrong = french(&["army_commander", "FR3"]);
    assert!(VonFutsch.pitch(&[fair.clone(), wrong], "", None).is_err_and(|why| why.contains("VF-ARMY-02")));
    // Bare ground will do, and two armies of one name are told apart.
    let text = VonFutsch.pitch(&[fair.clone(), fair], "", None).expect("a battle on bare ground");
    assert!(text.contains("French (red)") && text.contains("French (black)"));
}

/// Every whole number in a text.
fn numbers(text: &str) -> BTreeSet<u64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

#[test]
fn every_number_of_the_reference_is_in_the_data() {
    let data: String = VonFutsch.data_files().into_iter().map(|(_, text)| text).collect();
    let known = numbers(&data);
    let sheet = VonFutsch.reference(&Choices::default()).expect("a sheet");
    assert!(sheet.charts.len() >= 10);
    for chart in &sheet.charts {
        assert!(chart.rows.iter().all(|r| r.len() == chart.head.len()), "{}", chart.title);
        assert!(VonFutsch.book().clause(&chart.clause).is_some(), "{}", chart.clause);
        for cell in chart.rows.iter().flatten().chain(&chart.head) {
            for n in numbers(cell) {
                assert!(known.contains(&n), "{}: {n} in `{cell}` is in no data file", chart.title);
            }
        }
    }
    // A changed number, and a house rule, are what the sheet shows.
    let profiles = data_file("profiles.toml").replace("short = 6\n", "short = 7\n");
    let choices = Choices {
        data: BTreeMap::from([("profiles.toml".to_owned(), profiles)]),
        options: BTreeMap::from([("melee_halving".to_owned(), "inflicted".to_owned())]),
    };
    let text = format!("{:?}", VonFutsch.reference(&choices).expect("a sheet"));
    assert!(text.contains("to 7") && text.contains("1/2 of its hits kill") && text.contains("House rules"));
}

fn data_file(name: &str) -> String {
    VonFutsch
        .data_files()
        .into_iter()
        .find(|(n, _)| *n == name)
        .map(|(_, t)| t.to_owned())
        .expect("a data file")
}

#[test]
fn a_roster_has_a_box_for_every_figure() {
    let army = french(&["army_commander", "FR2", "FR9", "FR10", "wagon"]);
    let roster = VonFutsch.roster(&army).expect("a roster");
    let boxes: u32 = roster.units.iter().flat_map(|u| &u.boxes).map(|(_, n)| n).sum();
    // Three battalions, a skirmish unit, a gun's crew, the drovers.
    assert_eq!(boxes, 3 * 12 + 6 + 4 + 6);
    assert!(
        roster
            .rules
            .iter()
            .all(|n| n.clause.as_deref().is_some_and(|c| VonFutsch.book().clause(c).is_some()))
    );
    let points: f64 = roster.units.iter().map(|u| u.points).sum();
    assert!((points - VonFutsch.check_army(&army).points).abs() < 1e-9, "{points}");
    assert!(roster.subtitle.contains("break point 3"), "{}", roster.subtitle);
}

#[test]
fn random_ground_varies_and_can_be_read() {
    let mut kinds = BTreeSet::new();
    let mut texts = BTreeSet::new();
    for seed in 0..60 {
        let terrain = VonFutsch.random_terrain(None, &mut Seeded::new(seed)).expect("ground");
        for kind in ["woods", "hill", "broken", "town", "difficult", "road"] {
            if terrain.contains(&format!("kind = \"{kind}\"")) {
                kinds.insert(kind);
            }
        }
        let file = Source::new("t.toml", terrain.clone());
        VonFutsch.set_up(&file, &Choices::default(), Purpose::Position).expect("readable ground");
        texts.insert(terrain);
    }
    assert_eq!(kinds.len(), 6);
    assert!(texts.len() > 50);
}
