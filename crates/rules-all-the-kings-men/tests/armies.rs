//! Armies of one's own: mustered, checked, on paper, and pitched against each other on random ground.

use std::collections::{BTreeMap, BTreeSet};

use tricorne_chance::{Seeded, Whim};
use tricorne_game::army::{Army, ArmyUnit, MusterCall};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};
use tricorne_rules_all_the_kings_men::AllTheKingsMen;

/// The full count with `TRICORNE_FULL=1`, fewer otherwise.
fn seeds(full: u64, few: u64) -> u64 {
    if std::env::var_os("TRICORNE_FULL").is_some() { full } else { few }
}

fn mustered(list: Option<&str>, points: Option<f64>, seed: u64) -> Army {
    let call = MusterCall { list: list.map(str::to_owned), points };
    AllTheKingsMen
        .muster(&call, &mut Seeded::new(seed))
        .unwrap_or_else(|e| panic!("{list:?} {points:?}: {e}"))
}

#[test]
fn every_muster_is_legal_and_within_points() {
    let lists = AllTheKingsMen.army_lists();
    assert_eq!(lists.len(), 10);
    let mut sizes = BTreeSet::new();
    for seed in 0..1000 {
        let list = &lists[seed as usize % lists.len()];
        let points = [None, Some(160.0), Some(400.0)][seed as usize / 10 % 3];
        let army = mustered(Some(&list.id), points, seed);
        let report = AllTheKingsMen.check_army(&army);
        assert!(report.broken.is_empty(), "{}: {:?}", list.id, report.broken);
        assert!(report.points <= points.unwrap_or(list.points), "{report:?}");
        assert!(army.points > 0.0 && report.each.len() == army.units.len());
        sizes.insert((list.id.clone(), army.units.len(), report.points as i64));
        let read = Army::read(&Source::new("army.toml", army.text())).unwrap_or_else(|f| panic!("{f}"));
        assert_eq!(read, army);
    }
    assert!(sizes.len() > 60, "only {} different armies", sizes.len());
    assert!(AllTheKingsMen.check_army(&mustered(None, None, 3)).broken.is_empty());
}

#[test]
fn an_army_that_cannot_be_is_refused() {
    let muster = |list: &str, points: f64| {
        AllTheKingsMen
            .muster(&MusterCall { list: Some(list.into()), points: Some(points) }, &mut Seeded::new(1))
    };
    assert!(
        muster("atlantis", 240.0)
            .is_err_and(|e| e.contains("no list `atlantis`") && e.contains("napoleonic-france"))
    );
    assert!(muster("napoleonic-france", 30.0).is_err_and(|e| e.contains("ask for more")));
    assert!(muster("points", f64::NAN).is_err());
}

fn france() -> Army {
    let army = mustered(Some("napoleonic-france"), None, 5);
    assert!(AllTheKingsMen.check_army(&army).broken.is_empty());
    army
}

fn breaks(army: &Army, clause: &str, word: &str, unit: Option<usize>) {
    let broken = AllTheKingsMen.check_army(army).broken;
    let found = broken.iter().any(|b| b.clause == clause && b.why.contains(word) && b.unit == unit);
    assert!(found, "expected {clause} \"{word}\" at {unit:?}: {broken:?}");
    assert!(AllTheKingsMen.book().clause(clause).is_some(), "{clause}");
}

#[test]
fn each_broken_limit_is_named() {
    let another = |entry: &str| ArmyUnit {
        entry: entry.into(),
        name: String::new(),
        with: Vec::new(),
        set: BTreeMap::new(),
    };
    let mut army = france();
    army.points = 100.0;
    breaks(&army, "ATKM-FORCE-07", "of a budget of 100", None);
    let mut army = france();
    army.units.retain(|u| u.entry != "cavalry");
    breaks(&army, "ATKM-FORCE-08", "has 0 cavalry", None);
    let mut army = france();
    army.points = 2000.0;
    army.units.extend((0..20).map(|_| another("skirmisher")));
    breaks(&army, "ATKM-FORCE-08", "skirmisher", None);
    let mut army = france();
    army.units.push(another("elephants"));
    breaks(&army, "ATKM-FORCE-01", "no entry `elephants`", Some(army.units.len() - 1));
    let mut army = france();
    let foot = army.units.iter().position(|u| u.entry == "infantry").unwrap_or(0);
    army.units[foot].with.push("elite".into());
    breaks(&army, "ATKM-ADV-05", "has no elite troops", Some(foot));
    army.units[foot].with[0] = "winged".into();
    breaks(&army, "ATKM-FORCE-01", "`winged`", Some(foot));
    let mut army = france();
    army.units.retain(|u| !u.entry.starts_with("general"));
    breaks(&army, "ATKM-FORCE-07", "no general", None);
    army.units.extend([another("general-2"), another("general-3")]);
    breaks(&army, "ATKM-FORCE-07", "2 generals", None);
    army.units.pop();
    army.units.pop();
    army.units.push(another("general-1"));
    breaks(&army, "ATKM-FORCE-08", "general rated 1", None);
    let mut army = france();
    army.list = "atlantis".into();
    breaks(&army, "ATKM-FORCE-08", "no list `atlantis`", None);
    let mut army = mustered(Some("points"), None, 9);
    let horse = another("cavalry");
    army.units.push(ArmyUnit { with: vec!["light".into(), "elite".into(), "militia".into()], ..horse });
    let last = Some(army.units.len() - 1);
    breaks(&army, "ATKM-ADV-02", "only infantry", last);
    breaks(&army, "ATKM-ADV-05", "elite and militia", last);
    let mut army = mustered(Some("points"), None, 9);
    army.units.truncate(2);
    breaks(&army, "ATKM-FORCE-09", "smallest army", None);
    army.ruleset = "chess".into();
    breaks(&army, "ATKM-FORCE-01", "chess", None);
}

#[test]
fn pitched_battles_are_set_up_and_fought_out() {
    let lists = AllTheKingsMen.army_lists();
    let mut grounds = BTreeSet::new();
    for seed in 0..seeds(100, 12) {
        let list = |i: u64| lists.get(((seed + i) as usize) % lists.len()).map(|l| l.id.as_str());
        let mut armies = [mustered(list(0), None, 2 * seed), mustered(list(3), None, 2 * seed + 1)];
        if seed % 4 == 0 {
            // Upgrades bring their options with them.
            armies[0] = mustered(Some("points"), Some(300.0), seed);
            if let Some(foot) = armies[0].units.iter_mut().find(|u| u.entry == "infantry") {
                foot.with = vec!["light".into(), "militia".into()];
            }
        }
        let mut chance = Seeded::new(seed);
        let terrain = AllTheKingsMen.random_terrain(None, &mut chance).unwrap_or_default();
        grounds.insert(terrain.clone());
        let text = AllTheKingsMen
            .pitch(&armies, &terrain, None)
            .unwrap_or_else(|e| panic!("{seed}: {e}\n{terrain}"));
        let mut battle = AllTheKingsMen
            .set_up(&Source::new("pitched.toml", text.as_str()), &Choices::default(), Purpose::Scenario)
            .unwrap_or_else(|f| panic!("{seed}: {f}\n{text}"));
        battle.begin(&mut chance, &mut Log::off());
        assert!(battle.broken_invariants().is_empty(), "{seed}: {:?}\n{text}", battle.broken_invariants());
        let view = battle.view(None);
        assert!(view.units.iter().all(|u| u.on_table), "{seed}: not all on the table");
        for unit in &view.units {
            let own = if unit.side.0 == 0 { unit.at.y } else { view.table.height - unit.at.y };
            assert!(own <= 24.0, "{seed}: {} stands {own} from its edge", unit.id);
        }
        let mut whim = Whim::new(seed, 1);
        for step in 0.. {
            assert!(step < 20_000, "no end");
            if battle.seat().is_none() {
                break;
            }
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        }
    }
    assert!(grounds.len() as u64 >= seeds(100, 12) - 1, "the same ground again");
}

/// Deployment lanes stay free, and nothing that must not overlaps.
#[test]
fn random_ground_leaves_room() {
    let mut kinds = BTreeSet::new();
    for seed in 0..200 {
        let text = AllTheKingsMen.random_terrain(None, &mut Seeded::new(seed)).unwrap_or_default();
        let full = format!("{text}\n[armies.red]\nrolls = 2\n[armies.black]\nrolls = 2\n");
        let battle = AllTheKingsMen
            .set_up(&Source::new("ground.toml", full), &Choices::default(), Purpose::Scenario)
            .unwrap_or_else(|f| panic!("{seed}: {f}"));
        let pieces = battle.view(None).terrain;
        let area = |t: &tricorne_game::view::TerrainView| {
            tricorne_table::Area::new(t.points.clone()).unwrap_or_else(|e| panic!("{seed}: {e}"))
        };
        for (i, t) in pieces.iter().enumerate() {
            kinds.insert(t.kind.clone());
            assert!(t.points.iter().all(|p| (0.0..=72.0).contains(&p.x) && (0.0..=48.0).contains(&p.y)));
            if t.kind != "road" {
                assert!(
                    t.points.iter().all(|p| (12.0..=36.0).contains(&p.y)),
                    "{seed}: {} in a lane",
                    t.kind
                );
            }
            if !t.closed || matches!(t.kind.as_str(), "road" | "shallow water") {
                continue;
            }
            for other in pieces[..i].iter().filter(|o| o.closed && o.kind != "shallow water") {
                let middle = area(t).centroid();
                assert!(!area(other).contains(middle), "{seed}: {} on {}", t.kind, other.kind);
                assert!(
                    t.points.iter().all(|p| !area(other).contains(*p)),
                    "{seed}: {} on {}",
                    t.kind,
                    other.kind
                );
            }
        }
    }
    assert!(kinds.len() >= 9, "{kinds:?}");
}

#[test]
fn rosters_have_a_box_for_every_man() {
    let army = france();
    let roster = AllTheKingsMen.roster(&army).unwrap_or_else(|| panic!("no roster"));
    assert_eq!(roster.units.len(), army.units.len());
    assert!(roster.subtitle.contains("Napoleonic: France"), "{}", roster.subtitle);
    for (unit, picked) in roster.units.iter().zip(&army.units) {
        let men = match picked.entry.as_str() {
            "infantry" => 12,
            "skirmisher" | "cavalry" => 6,
            "foot_artillery" | "horse_artillery" => 4,
            _ => continue,
        };
        assert_eq!(unit.boxes[0], ("Men".to_owned(), men));
        assert!(unit.bases.iter().all(|b| b.count > 0 && b.size.0 > 0.0 && b.size.1 > 0.0));
    }
    let book = AllTheKingsMen.book();
    let clauses = roster
        .rules
        .iter()
        .chain(roster.units.iter().flat_map(|u| &u.values))
        .filter_map(|n| n.clause.as_deref());
    for clause in clauses {
        assert!(book.clause(clause).is_some(), "{clause}");
    }
}

/// The numbers in a text.
fn numbers(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_digit() || (c == '.' && !word.is_empty()) {
            word.push(c);
        } else if !word.is_empty() {
            out.push(std::mem::take(&mut word).trim_end_matches('.').to_owned());
        }
    }
    out
}

#[test]
fn every_number_of_the_reference_is_in_the_data() {
    let mut known: BTreeSet<String> = BTreeSet::new();
    for (_, text) in AllTheKingsMen.data_files() {
        for line in text.lines() {
            known.extend(numbers(line.split('#').next().unwrap_or_default()));
        }
    }
    let book = AllTheKingsMen.options();
    let on: BTreeMap<String, String> = book
        .specs
        .iter()
        .filter(|s| s.id.starts_with("adv_"))
        .map(|s| (s.id.clone(), "on".to_owned()))
        .collect();
    let mut other = on.clone();
    other.insert("turn_limit".into(), "0".into());
    other.insert("skirmisher_long_dice".into(), "2".into());
    for options in [BTreeMap::new(), on, other] {
        let mut known = known.clone();
        known.extend(book.specs.iter().flat_map(|s| numbers(&s.default)));
        known.extend(options.values().flat_map(|v| numbers(v)));
        let choices = Choices { options, ..Choices::default() };
        let sheet = AllTheKingsMen.reference(&choices).unwrap_or_else(|| panic!("no sheet"));
        assert!(sheet.charts.len() >= 12);
        for chart in &sheet.charts {
            assert!(AllTheKingsMen.book().clause(&chart.clause).is_some(), "{}", chart.clause);
            for row in &chart.rows {
                assert_eq!(row.len(), chart.head.len(), "{}: {row:?}", chart.title);
                for number in row.iter().flat_map(|cell| numbers(cell)) {
                    assert!(
                        known.contains(&number),
                        "{}: {number} in {row:?} is in no data file",
                        chart.title
                    );
                }
            }
        }
    }
}

#[test]
fn the_reference_follows_options_and_files() {
    let cell = |choices: &Choices, title: &str, row: &str| {
        let sheet = AllTheKingsMen.reference(choices).unwrap_or_else(|| panic!("no sheet"));
        let chart =
            sheet.charts.iter().find(|c| c.title == title).unwrap_or_else(|| panic!("{title}")).clone();
        chart.rows.iter().find(|r| r[0] == row).unwrap_or_else(|| panic!("{row}"))[1].clone()
    };
    let plain = Choices::default();
    assert_eq!(cell(&plain, "Range", "Infantry"), "12");
    let rifles = Choices {
        options: BTreeMap::from([("adv_rifles".to_owned(), "on".to_owned())]),
        ..Choices::default()
    };
    assert_eq!(cell(&rifles, "Range", "Infantry"), "18");
    let profiles =
        AllTheKingsMen.data_files().into_iter().find(|f| f.0 == "profiles.toml").map_or("", |f| f.1);
    let changed = profiles.replace("radius = 12", "radius = 13");
    let own = Choices { data: BTreeMap::from([("profiles.toml".to_owned(), changed)]), ..Choices::default() };
    assert_eq!(cell(&own, "Generals", "command radius"), "13");
}

#[test]
fn an_editor_can_place_everything() {
    let drafting = AllTheKingsMen.drafting().unwrap_or_else(|| panic!("no drafting"));
    let blank = AllTheKingsMen
        .set_up(&Source::new("blank.toml", drafting.blank.as_str()), &Choices::default(), Purpose::Scenario)
        .map(|_| ());
    assert!(
        blank.is_err_and(|f| f.to_string().contains("smallest army")),
        "a blank wants units, and says so"
    );
    // Every kind of ground and troops in one file.
    let mut text = drafting.blank.clone();
    for (i, g) in drafting.grounds.iter().enumerate() {
        let (x, y) = (1 + 4 * (i % 16), 20 + 4 * (i / 16));
        let points = if g.closed {
            format!("[[{x}, {y}], [{}, {y}], [{}, {}], [{x}, {}]]", x + 3, x + 3, y + 3, y + 3)
        } else {
            format!("[[{x}, {y}], [{}, {y}]]", x + 3)
        };
        text += &format!(
            "[[{}]]\nid = \"T{i}\"\nkind = \"{}\"\n{} = {points}\n{}\n",
            drafting.terrain_key,
            g.kind,
            if g.closed { "outline" } else { "line" },
            g.extra
        );
    }
    for side in &drafting.sides {
        let y = if side.id == "red" { 8 } else { 40 };
        for (i, t) in drafting.troops.iter().enumerate() {
            if !t.sides.is_empty() && !t.sides.contains(&side.id) {
                continue;
            }
            let array = t.array.as_deref().unwrap_or(&drafting.unit_key);
            text += &format!("[[{array}]]\n{}{} = [{}, {y}]\n", t.body, t.place_key, 6 + 10 * i);
            if t.faces {
                let key = drafting.side_key.as_deref().unwrap_or("army");
                text += &format!("id = \"{}{i}\"\n{key} = \"{}\"\nfacing = 0\n", side.prefix, side.id);
            }
        }
    }
    AllTheKingsMen
        .set_up(&Source::new("draft.toml", text.as_str()), &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|f| panic!("{f}\n{text}"));
    for field in &drafting.fields {
        if let Some(clause) = &field.clause {
            assert!(AllTheKingsMen.book().clause(clause).is_some(), "{clause}");
        }
    }
}
