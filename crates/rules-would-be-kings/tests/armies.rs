//! Armies of one's own: mustered, checked, printed, pitched; random ground; the editor's knowledge.

use std::collections::BTreeMap;

use serde_json::json;
use tricorne_chance::{Seeded, Whim};
use tricorne_game::army::{Army, ArmyUnit, MusterCall};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_would_be_kings::{WbkBattle, WouldBeKings};

/// Few in a quick run, all with `TRICORNE_FULL=1`.
fn seeds(quick: u64, full: u64) -> std::ops::Range<u64> {
    0..if std::env::var_os("TRICORNE_FULL").is_some() { full } else { quick }
}

fn set_up(text: &str) -> Result<WbkBattle, tricorne_game::Fault> {
    WouldBeKings.set_up(&Source::new("pitch.toml", text), &Choices::default(), Purpose::Scenario)
}

#[test]
fn every_muster_is_legal_and_within_its_points() {
    let lists = WouldBeKings.army_lists();
    assert_eq!(lists.len(), 9);
    for list in &lists {
        for (i, entry) in list.entries.iter().enumerate() {
            assert!(!list.entries[..i].iter().any(|e| e.id == entry.id), "{} twice in {}", entry.id, list.id);
        }
    }
    let (mut units, mut spent) = (0, 0.0);
    for seed in 0..1000_u64 {
        let list = &lists[seed as usize % lists.len()];
        let points = if seed % 3 == 0 { None } else { Some(20.0 + (seed % 5) as f64 * 8.0) };
        let call = MusterCall { list: Some(list.id.clone()), points };
        let army =
            WouldBeKings.muster(&call, &mut Seeded::new(seed)).unwrap_or_else(|why| panic!("{seed}: {why}"));
        let report = WouldBeKings.check_army(&army);
        assert_eq!(report.broken, [], "{} seed {seed}", list.id);
        assert!(report.points <= points.unwrap_or(list.points), "{report:?}");
        assert_eq!(report.each.len(), army.units.len());
        assert_eq!(report.points, report.each.iter().sum::<f64>());
        spent += report.points / report.limit;
        units += army.units.len();
        // What is kept in a file is read back the same.
        assert_eq!(Army::read(&Source::new("army.toml", army.text())).unwrap(), army);
    }
    assert!(spent / 1000.0 > 0.93, "musters spend {spent} of 1000");
    assert!(units > 3000);
    let any = WouldBeKings.muster(&MusterCall::default(), &mut Seeded::new(5)).unwrap();
    assert!(lists.iter().any(|l| l.id == any.list));
}

#[test]
fn a_field_force_of_the_book_is_mustered_as_it_stands() {
    for list in WouldBeKings.army_lists().iter().filter(|l| l.id.starts_with('L')) {
        let call = MusterCall { list: Some(list.id.clone()), points: None };
        let army = WouldBeKings.muster(&call, &mut Seeded::new(3)).unwrap();
        assert_eq!(WouldBeKings.check_army(&army).points, 24.0, "{}", list.id);
        assert!(army.units.iter().all(|u| u.with.is_empty() && u.set.contains_key("leadership")));
    }
}

#[test]
fn a_muster_that_can_t_be_says_what_is_wanting() {
    let call = |list: &str, points: f64| MusterCall { list: Some(list.into()), points: Some(points) };
    for (list, points, word) in [
        ("L99", 24.0, "there is L1, L2"),
        ("field-force", 3.0, "need 6"),
        ("field-force", f64::NAN, "no army"),
        ("field-force", 9000.0, "fielded"),
        ("L5", 8.0, "more points"),
    ] {
        let why = WouldBeKings.muster(&call(list, points), &mut Seeded::new(1)).unwrap_err();
        assert!(why.contains(word) || why.contains("there is field-force, L1"), "{list} {points}: {why}");
    }
}

fn unit(entry: &str, with: &[&str]) -> ArmyUnit {
    ArmyUnit {
        entry: entry.into(),
        name: String::new(),
        with: with.iter().map(|w| (*w).to_owned()).collect(),
        set: BTreeMap::new(),
    }
}

fn army(units: Vec<ArmyUnit>) -> Army {
    Army {
        format: 1,
        ruleset: "would-be-kings".into(),
        list: "field-force".into(),
        name: "Test".into(),
        points: 24.0,
        set: BTreeMap::new(),
        units,
    }
}

#[test]
fn a_wrong_list_names_the_limit_it_breaks() {
    let ti = || unit("TI", &[]);
    let mut odd = ti();
    odd.set.insert("leadership".into(), json!(1));
    let mut named = ti();
    named.set.insert("colour".into(), json!("red"));
    let cases: Vec<(Vec<ArmyUnit>, &str, Option<usize>, &str)> = vec![
        ((0..9).map(|_| ti()).collect(), "WBK-FORCE-01", None, "27 points, and 24 are allowed: leave out 3"),
        (vec![ti(), ti()], "WBK-FORCE-12", None, "needs at least 3"),
        (vec![unit("RI", &[]); 3], "WBK-FORCE-12", None, "3 units of Regular Infantry, and 2"),
        (vec![unit("FGu", &[]); 3], "WBK-FORCE-12", None, "3 units of crewed weapons, and 2"),
        (
            vec![ti(), unit("dragoons", &[]), ti(), ti()],
            "WBK-FORCE-02",
            Some(1),
            "no entry `dragoons`; it has FG",
        ),
        (vec![ti(), ti(), unit("FG", &["Fierce"])], "WBK-FORCE-03", Some(2), "`Fierce` is for RI"),
        (
            vec![ti(), ti(), unit("TI", &["Winged"])],
            "WBK-FORCE-03",
            Some(2),
            "no upgrade `Winged`; there is Fierce",
        ),
        (vec![ti(), ti(), unit("TI", &["Fierce", "Fierce"])], "WBK-FORCE-03", Some(2), "taken twice"),
        (
            vec![ti(), ti(), unit("TI", &["Well-armed"])],
            "WBK-FORCE-03",
            Some(2),
            "needs `Antiquated muskets`",
        ),
        (
            vec![
                ti(),
                ti(),
                unit("RC", &["Fierce", "Elite", "Veteran", "Unenthusiastic"]),
                unit("RI", &["Fierce", "Elite", "Veteran", "Sharpshooters"]),
            ],
            "WBK-FORCE-04",
            Some(3),
            "a unit costs 2 to 9",
        ),
        (vec![ti(), ti(), odd], "WBK-LEAD-02", Some(2), "2 to 12"),
        (vec![ti(), ti(), named], "WBK-LEAD-02", Some(2), "`colour`"),
    ];
    for (units, clause, at, word) in cases {
        let report = WouldBeKings.check_army(&army(units));
        let found = report.broken.iter().any(|b| b.clause == clause && b.unit == at && b.why.contains(word));
        assert!(found, "{clause} {word}: {:?}", report.broken);
    }
    let other = Army { list: "L77".into(), ..army(vec![ti(), ti(), ti()]) };
    assert!(WouldBeKings.check_army(&other).broken[0].why.contains("there is field-force, L1"));
    let other = Army { ruleset: "chess".into(), ..army(vec![ti(), ti(), ti()]) };
    assert!(WouldBeKings.check_army(&other).broken[0].why.contains("chess"));
    assert_eq!(WouldBeKings.check_army(&army(vec![ti(), ti(), ti()])).broken, []);
}

#[test]
fn two_armies_on_random_ground_are_a_scenario_that_plays_to_its_end() {
    for seed in seeds(8, 100) {
        let mut chance = Seeded::new(seed);
        let call = MusterCall { list: None, points: (seed % 4 == 3).then_some(36.0) };
        let armies = [(); 2]
            .map(|()| WouldBeKings.muster(&call, &mut chance).unwrap_or_else(|why| panic!("{seed}: {why}")));
        let ground = WouldBeKings.random_terrain(None, &mut chance).unwrap();
        assert!(ground.matches("[[terrain]]").count() >= 4, "{ground}");
        let text = WouldBeKings
            .pitch(&armies, &ground, None)
            .unwrap_or_else(|why| panic!("{seed}: {why}\n{ground}"));
        let mut battle = set_up(&text).unwrap_or_else(|fault| panic!("{seed}: {fault}\n{text}"));
        let view = battle.view(None);
        let placed = view.units.iter().filter(|u| u.on_table).count();
        assert_eq!(placed, armies[0].units.len() + armies[1].units.len());
        // Each host at its own end, a good way from the other.
        for u in &view.units {
            let home = if u.side.0 == 0 { u.at.x } else { view.table.width - u.at.x };
            assert!(home <= 20.0, "{} stands {home} from its edge", u.id);
        }
        let mut whim = Whim::new(seed, 1);
        battle.begin(&mut chance, &mut Log::off());
        // The leaders are those that were rolled with the army.
        let facts = battle.facts();
        for (i, unit) in armies[0].units.iter().enumerate() {
            let there = &facts["units"][format!("I{}", i + 1)];
            assert_eq!(there["character"], unit.set["character"], "{text}");
            // A Drunkard's is rolled again at the start of his turn.
            assert!(
                there["character"] == "Drunkard" || there["leadership"] == unit.set["leadership"],
                "{text}"
            );
        }
        let mut steps = 0;
        while battle.seat().is_some() {
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap();
            steps += 1;
            if steps % 50 == 0 {
                assert_eq!(battle.broken_invariants(), Vec::<String>::new());
            }
        }
    }
}

#[test]
fn a_pitch_of_wrong_armies_says_which_is_wrong() {
    let good = army(vec![unit("TI", &[]), unit("TI", &[]), unit("IC", &[])]);
    let bad = Army { name: "The Rabble".into(), ..army(vec![unit("TI", &[])]) };
    let why = WouldBeKings.pitch(&[good.clone(), bad], "", None).unwrap_err();
    assert!(why.contains("The Rabble") && why.contains("WBK-FORCE-12"), "{why}");
    let why = WouldBeKings
        .pitch(
            &[good.clone(), good.clone()],
            "[[terrain]]\nid = \"x\"\nkind = \"lava\"\nline = [[1, 1], [2, 2]]",
            None,
        )
        .unwrap_err();
    assert!(why.contains("lava"), "{why}");
    // Without leaders of their own they are rolled when the battle begins.
    let text = WouldBeKings.pitch(&[good.clone(), good], "", None).unwrap();
    assert!(!text.contains("leadership"), "{text}");
    assert!(set_up(&text).is_ok());
}

#[test]
fn random_ground_is_apart_and_leaves_both_ends_free() {
    let mut kinds = BTreeMap::new();
    for seed in seeds(60, 1000) {
        let ground = WouldBeKings.random_terrain(None, &mut Seeded::new(seed)).unwrap();
        let text = format!(
            "format = 1\nruleset = \"would-be-kings\"\n{ground}\n[forces]\nimperial = \"L1\"\nnative = \"L2\"\n"
        );
        let view = set_up(&text).unwrap_or_else(|fault| panic!("{seed}: {fault}\n{ground}")).view(None);
        let boxes: Vec<_> = view
            .terrain
            .iter()
            .map(|t| (t.kind.as_str(), tricorne_table::Bounds::of_points(&t.points)))
            .collect();
        for (i, (kind, bounds)) in boxes.iter().enumerate() {
            *kinds.entry((*kind).to_owned()).or_insert(0) += 1;
            assert!(bounds.min.x >= 8.0 && bounds.max.x <= 64.0, "{kind} of seed {seed} stands in a strip");
            for (other, with) in &boxes[..i] {
                let river = |k: &str| k == "river" || k == "ford";
                assert!(
                    !bounds.meets(with) || (river(kind) && river(other)),
                    "{kind} on {other}, seed {seed}"
                );
            }
        }
    }
    assert!(kinds.len() >= 10, "too little variety: {kinds:?}");
}

#[test]
fn a_roster_has_a_box_for_every_model_and_the_rules_it_needs() {
    let call = MusterCall { list: Some("L3".into()), points: None };
    let army = WouldBeKings.muster(&call, &mut Seeded::new(8)).unwrap();
    let roster = WouldBeKings.roster(&army).unwrap();
    let boxes: Vec<u32> = roster.units.iter().map(|u| u.boxes.iter().map(|b| b.1).sum()).collect();
    assert_eq!(boxes, [12, 12, 8, 4]);
    let has = |clause: &str| {
        roster
            .rules
            .iter()
            .any(|r| r.clause.as_deref() == Some(clause) && !r.text.is_empty() && !r.text.contains("*("))
    };
    assert!(has("WBK-VOLLEY-04") && has("WBK-FIRE-26") && has("WBK-ATT-30"), "{:?}", roster.rules);
    assert!(!has("WBK-GTG-04"), "nobody here goes to ground");
    assert!(roster.units.iter().all(|u| u.bases.iter().all(|b| b.size.0 >= 1.0 && b.size.1 >= 1.0)));
    let leaders = roster.units.iter().filter_map(|u| u.values.iter().find(|v| v.label == "Leadership"));
    assert_eq!(leaders.count(), 4);
    for rule in &roster.rules {
        let clause = rule.clause.as_deref().unwrap();
        assert!(WouldBeKings.book().clause(clause).is_some(), "{clause}");
    }
}

/// The whole numbers in a text.
fn numbers(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_digit() && c != '.')
        .map(|n| n.trim_matches('.').to_owned())
        .filter(|n| !n.is_empty())
        .collect()
}

#[test]
fn every_number_of_the_reference_stands_in_the_data() {
    let data: Vec<String> = WouldBeKings.data_files().iter().flat_map(|(_, text)| numbers(text)).collect();
    let sets: [&[(&str, &str)]; 3] = [
        &[],
        &[("solo", "on"), ("one_leader_only", "on")],
        &[
            ("cover_long_combine", "multiply"),
            ("value_plus_one", "harder"),
            ("hits_required_mode", "flat_deduction"),
        ],
    ];
    for options in sets {
        let choices = Choices {
            options: options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
            ..Choices::default()
        };
        let sheet = WouldBeKings.reference(&choices).unwrap();
        assert!(sheet.charts.len() >= 10);
        for chart in &sheet.charts {
            assert!(WouldBeKings.book().clause(&chart.clause).is_some(), "{}", chart.clause);
            for row in &chart.rows {
                assert!(chart.head.is_empty() || chart.head.len() == row.len(), "{}: {row:?}", chart.title);
                if chart.title == "Played otherwise" {
                    continue; // its numbers are clauses
                }
                for number in numbers(&row.join(" ")) {
                    assert!(data.contains(&number), "{number} in {}: {row:?}", chart.title);
                }
            }
        }
        let otherwise = sheet.charts.iter().any(|c| c.title == "Played otherwise");
        assert_eq!(otherwise, !options.is_empty());
    }
}

#[test]
fn the_reference_follows_the_data_it_is_played_with() {
    let (name, text) =
        WouldBeKings.data_files().into_iter().find(|(name, _)| *name == "charts.toml").unwrap();
    let own = text.replacen("minimum = 6", "minimum = 9", 1);
    let choices = Choices { data: BTreeMap::from([(name.to_owned(), own)]), ..Choices::default() };
    let sheet = WouldBeKings.reference(&choices).unwrap();
    let close = sheet.charts.iter().find(|c| c.title == "Close Order").unwrap();
    assert!(close.rows[0][1].starts_with("9 models or more"), "{:?}", close.rows[0]);
}

/// The clauses that WBK-SHEET-02 wants under each heading: its table, read out of the ledger.
fn wanted() -> Vec<(String, Vec<String>)> {
    let ledger = include_str!("../../../rulebooks/would-be-kings/clauses.md");
    let table = ledger.split("| heading | what it says at least |").nth(1).unwrap();
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (mut clauses, mut section) = (Vec::new(), String::new());
        for part in cells[3].split(", ") {
            let last = part.rsplit_once(' ').map_or(part, |(_, last)| last);
            let first = part.split(' ').next().unwrap();
            let number = |text: &str| text.rsplit('-').next().unwrap().parse::<u32>().unwrap();
            if let Some((name, _)) = first.split_once('-') {
                name.clone_into(&mut section);
            }
            clauses.extend((number(first)..=number(last)).map(|n| format!("{section}-{n:02}")));
        }
        (cells[1].to_owned(), clauses)
    })
    .collect()
}

#[test]
fn the_sheet_says_what_the_source_sheet_says() {
    // WBK-SHEET-01, WBK-SHEET-02: heading by heading, every clause named, under any reading.
    let readings: [&[(&str, &str)]; 3] =
        [&[], &[("crewed_attack", "forbidden"), ("mg_jam", "hits_count")], &[("rally_rout_on", "natural")]];
    let wanted = wanted();
    assert_eq!(wanted.len(), 19);
    for options in readings {
        let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let sheet = WouldBeKings.reference(&Choices { options, ..Choices::default() }).unwrap();
        for (heading, clauses) in &wanted {
            let chart = sheet.charts.iter().find(|c| c.title == *heading);
            let rows = &chart.unwrap_or_else(|| panic!("no heading {heading}")).rows;
            for clause in clauses {
                let named =
                    |row: &Vec<String>| row.iter().any(|cell| cell.split([' ', ',']).any(|w| w == clause));
                assert!(rows.iter().any(named), "{heading}: {clause}");
            }
        }
    }
}

#[test]
fn the_sheet_has_the_signs_of_the_source() {
    // WBK-SHEET-03, WBK-SHEET-04: the words of WBK-EX-61.
    let sheet = |options: &[(&str, &str)]| {
        let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let sheet = WouldBeKings.reference(&Choices { options, ..Choices::default() }).unwrap();
        move |title: &str, what: &str| {
            let chart = sheet.charts.iter().find(|c| c.title == title).unwrap();
            chart.rows.iter().find(|row| row[0] == what).unwrap().last().unwrap().clone()
        }
    };
    let usual = sheet(&[]);
    assert_eq!(usual("Close Order", "In melee"), "Fighting +1 (5+ becomes 4+) CLOSE-08");
    assert_eq!(usual("Upgrades", "Fierce"), "Fighting +1 (5+ becomes 4+)");
    assert_eq!(usual("Upgrades", "Poor shots"), "Firing −1 (5+ becomes 6+)");
    assert!(usual("Fire", "Charge range").ends_with("FIRE-06 FIRE-07 FIRE-08 FIRE-09"));
    let harder = sheet(&[("value_plus_one", "harder"), ("mg_jam", "hits_count")]);
    let in_melee = "Fighting +1 (5+ becomes 6+) CLOSE-08 CONV-05 (value plus one: harder)";
    assert_eq!(harder("Close Order", "In melee"), in_melee);
    assert!(harder("Fire", "Machine guns").ends_with("(mg jam: hits count)"));
    assert!(usual("Follow-up and storming", "After a follow-up").ends_with("ATT-44 (house)"));
}

#[test]
fn the_editor_knows_every_ground_and_troop_type() {
    let drafting = WouldBeKings.drafting().unwrap();
    let book = tricorne_rules_would_be_kings::Rulebook::standard();
    assert_eq!(drafting.grounds.len(), book.ground.len());
    for profile in &book.profiles {
        assert!(drafting.troops.iter().any(|t| t.id == profile.code), "{}", profile.code);
    }
    let fault = set_up(&drafting.blank).expect_err("a blank has no units");
    assert!(fault.problem.contains("no unit"), "{fault}");
    // Every troop and every ground, put down far apart, makes a file the loader takes.
    let mut text = drafting.blank.replace("width = 72", "width = 240").replace("height = 48", "height = 120");
    text.push_str("[limits]\nenforce = false\n");
    for (i, ground) in drafting.grounds.iter().enumerate() {
        let x = 2.0 + 8.0 * i as f64;
        let points = format!("[[{x}, 2], [{}, 2], [{}, 6], [{x}, 6]]", x + 4.0, x + 4.0);
        text.push_str(&format!(
            "[[terrain]]\nid = \"T{i}\"\nkind = \"{}\"\n{} = {points}\n{}\n",
            ground.kind,
            if ground.closed { "outline" } else { "line" },
            ground.extra
        ));
    }
    for (i, troop) in drafting.troops.iter().enumerate() {
        let place = format!("{} = [{}, {}]", troop.place_key, 10.0 + 15.0 * i as f64, 60.0);
        if let Some(array) = &troop.array {
            text.push_str(&format!("[[{array}]]\n{}\n{place}\n", troop.body));
            continue;
        }
        let side = &drafting.sides[i % 2];
        text.push_str(&format!(
            "[[{}]]\nid = \"{}{i}\"\n{} = \"{}\"\n{}\n{place}\nfacing = 90\n",
            drafting.unit_key,
            side.prefix,
            drafting.side_key.as_deref().unwrap(),
            side.id,
            troop.body
        ));
    }
    if let Err(fault) = set_up(&text) {
        panic!("{fault}\n{text}");
    }
}
