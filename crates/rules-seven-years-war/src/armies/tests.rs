//! Armies picked by chance are legal, wrong ones are told why, and what is pitched can be fought.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim};
use tricorne_game::army::{Army, ArmyUnit, MusterCall};
use tricorne_game::{Battle, Choices, Log, Purpose, Source, System};

use super::{GENERAL, SHOOTS};
use crate::SevenYearsWar;

/// Many where the full count is asked for, few otherwise.
fn count(full: u64, quick: u64) -> u64 {
    if std::env::var("TRICORNE_FULL").is_ok() { full } else { quick }
}

fn unit(entry: &str, with: &[&str]) -> ArmyUnit {
    ArmyUnit {
        entry: entry.into(),
        name: String::new(),
        with: with.iter().map(|&w| w.to_owned()).collect(),
        set: BTreeMap::new(),
    }
}

fn army(list: &str, points: f64, units: Vec<ArmyUnit>) -> Army {
    Army {
        format: 1,
        ruleset: "seven-years-war".into(),
        list: list.into(),
        name: "An army".into(),
        points,
        set: BTreeMap::new(),
        units,
    }
}

fn mustered(list: Option<&str>, points: f64, seed: u64) -> Army {
    let call = MusterCall { list: list.map(str::to_owned), points: Some(points) };
    SevenYearsWar.muster(&call, &mut Seeded::new(seed)).unwrap_or_else(|why| panic!("{why}"))
}

#[test]
fn armies_by_chance_are_legal_and_within_points() {
    let lists = SevenYearsWar.army_lists();
    assert_eq!(lists.len(), 7);
    for seed in 0..count(1000, 140) {
        let list = &lists[seed as usize % lists.len()];
        let points = [60.0, 120.0, 200.0, 300.5][(seed / 7) as usize % 4];
        let army = mustered(Some(&list.id), points, seed);
        let report = SevenYearsWar.check_army(&army);
        assert_eq!(report.broken, [], "seed {seed}, {}", list.id);
        assert!(report.points <= points && report.points > points * 0.6, "{} of {points}", report.points);
        assert!((report.each.iter().sum::<f64>() - report.points).abs() < 1e-9);
        // The file says the same when it is read again.
        let again = Army::read(&Source::new("army.toml", army.text())).unwrap_or_else(|f| panic!("{f}"));
        assert_eq!(again, army);
    }
}

#[test]
fn every_wrong_army_names_the_limit_it_breaks() {
    let clauses = |army: &Army| -> Vec<(Option<usize>, String)> {
        SevenYearsWar.check_army(army).broken.into_iter().map(|b| (b.unit, b.clause)).collect()
    };
    let one = |i: usize, clause: &str| vec![(Some(i), clause.to_owned())];
    let whole = |clause: &str| vec![(None, clause.to_owned())];
    // Too many points.
    let mut dear = army("prussian", 20.0, vec![unit("P-MUS", &[]), unit("P-MUS", &[])]);
    assert_eq!(clauses(&dear), whole("SYW-POINTS-01"));
    dear.points = 26.0;
    assert_eq!(clauses(&dear), []);
    // Nobody at all, and a list that is none.
    assert_eq!(clauses(&army("prussian", 100.0, vec![])), whole("SYW-ARMY-02"));
    assert_eq!(clauses(&army("saxon", 100.0, vec![unit("P-MUS", &[])])), whole("SYW-ARMY-02"));
    // An entry of another list, one too many of a kind, a size that is none.
    assert_eq!(clauses(&army("prussian", 100.0, vec![unit("A-MUS", &[])])), one(0, "SYW-ARMY-02"));
    let jaeger = vec![unit("P-MUS", &[]), unit("P-JAG", &[]), unit("P-JAG", &[]), unit("P-JAG", &[])];
    assert_eq!(clauses(&army("prussian", 100.0, jaeger)), one(3, "SYW-ARMY-02"));
    assert_eq!(clauses(&army("prussian", 100.0, vec![unit("P-MUS", &["stands-5"])])), one(0, "SYW-ARMY-09"));
    // Upgrades that do not apply, or are none.
    assert_eq!(clauses(&army("prussian", 100.0, vec![unit("P-MUS", &[SHOOTS])])), one(0, "SYW-POINTS-03"));
    assert_eq!(clauses(&army("ottoman", 100.0, vec![unit("O-SPEAR", &[SHOOTS])])), one(0, "SYW-POINTS-03"));
    assert_eq!(clauses(&army("prussian", 100.0, vec![unit("P-MUS", &["gilded"])])), one(0, "SYW-POINTS-02"));
    assert_eq!(clauses(&army("prussian", 100.0, vec![unit("P-GARR", &[SHOOTS])])), []);
    // A sub-general who is not there, arms mixed in a group.
    let mut led = unit("P-MUS", &[]);
    led.set.insert("command".into(), 2.into());
    assert_eq!(clauses(&army("prussian", 100.0, vec![unit(GENERAL, &[]), led])), one(1, "SYW-ARMY-21"));
    let mut mixed = vec![unit("P-MUS", &[]), unit("P-HUS", &[])];
    for u in &mut mixed {
        u.set.insert("group".into(), "A".into());
    }
    assert_eq!(clauses(&army("prussian", 100.0, mixed)), one(1, "SYW-GROUP-03"));
}

#[test]
fn upgrades_cost_what_the_lists_say() {
    let lists = SevenYearsWar.army_lists();
    for list in &lists {
        for entry in &list.entries {
            let price = |with: &[&str]| {
                let report = SevenYearsWar.check_army(&army(&list.id, 500.0, vec![unit(&entry.id, with)]));
                report.each[0]
            };
            assert!((price(&[]) - entry.points).abs() < 1e-9, "{}", entry.id);
            for upgrade in &entry.upgrades {
                let more = price(&[&upgrade.id]) - entry.points;
                assert!((more - upgrade.points).abs() < 1e-9, "{} {}", entry.id, upgrade.id);
            }
        }
    }
}

#[test]
fn armies_are_pitched_and_fought_to_the_end() {
    for seed in 0..count(100, 10) {
        let points = [100.0, 200.0, 260.0][seed as usize % 3];
        let armies = [mustered(None, points, seed), mustered(None, points, seed + 1000)];
        let ground = SevenYearsWar.random_terrain(None, &mut Seeded::new(seed)).unwrap_or_default();
        let text =
            SevenYearsWar.pitch(&armies, &ground, None).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
        let mut battle = SevenYearsWar
            .set_up(&Source::new("pitched.toml", text.clone()), &Choices::default(), Purpose::Scenario)
            .unwrap_or_else(|fault| panic!("seed {seed}: {fault}\n{text}"));
        let (mut chance, mut whim) = (Seeded::new(seed), Whim::new(seed, 0));
        battle.begin(&mut chance, &mut Log::off());
        assert_eq!(battle.broken_invariants(), Vec::<String>::new(), "seed {seed}\n{text}");
        let placed = battle.view(None).units.iter().filter(|u| u.on_table && u.kind != "General").count();
        let bought = armies
            .iter()
            .flat_map(|a| &a.units)
            .filter(|u| u.entry != GENERAL && super::work_of(&u.entry).is_none())
            .count();
        assert_eq!(placed, bought);
        for _ in 0..20_000 {
            if battle.ending().is_some() {
                break;
            }
            let action = battle.sample(&mut whim);
            battle.apply(&action, &mut chance, &mut Log::off()).unwrap_or_else(|e| panic!("{e}"));
        }
        assert!(battle.ending().is_some(), "seed {seed} does not end");
    }
}

#[test]
fn works_and_odd_sizes_are_pitched_too() {
    let mut units = vec![unit(GENERAL, &[]), unit("R-MUS", &["stands-6"]), unit("R-MUS", &["stands-3"])];
    units.extend((0..5).map(|_| unit("barricade", &[])));
    units.extend((0..3).map(|_| unit("abatis", &[])));
    let russians = army("russian", 100.0, units);
    let ground =
        "[[terrain]]\nid = \"M1\"\nkind = \"marsh\"\noutline = [[60, 2], [120, 2], [120, 29], [60, 29]]\n";
    let text = SevenYearsWar
        .pitch(&[russians, mustered(Some("ottoman"), 100.0, 3)], ground, None)
        .unwrap_or_else(|why| panic!("{why}"));
    let battle = SevenYearsWar
        .set_up(&Source::new("pitched.toml", text.clone()), &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let view = battle.view(None);
    assert!(
        view.terrain.iter().any(|t| t.kind == "barricade") && view.terrain.iter().any(|t| t.kind == "abatis")
    );
    assert_eq!(view.units.iter().find(|u| u.id.as_str() == "s1").map(|u| u.strength.1), Some(6));
    // An army that can't be pitched says why.
    let wrong = army("prussian", 1.0, vec![unit("P-MUS", &[])]);
    let why = SevenYearsWar.pitch(&[wrong, mustered(None, 100.0, 1)], "", None).err().unwrap_or_default();
    assert!(why.contains("SYW-POINTS-01"), "{why}");
    let armies = [mustered(None, 100.0, 1), mustered(None, 100.0, 2)];
    assert!(SevenYearsWar.pitch(&armies, "terrain = 3", None).is_err());
}

#[test]
fn a_roster_has_a_box_for_every_stand() {
    let army = mustered(Some("british-hanoverian"), 200.0, 4);
    let roster = SevenYearsWar.roster(&army).unwrap_or_else(|| panic!("no roster"));
    let stands: u32 =
        roster.units.iter().flat_map(|u| &u.boxes).filter(|b| b.0 == "Stands").map(|b| b.1).sum();
    let text =
        SevenYearsWar.pitch(&[army.clone(), army.clone()], "", None).unwrap_or_else(|why| panic!("{why}"));
    let battle = SevenYearsWar
        .set_up(&Source::new("x", text), &Choices::default(), Purpose::Scenario)
        .unwrap_or_else(|f| panic!("{f}"));
    let on_table: u32 = battle
        .view(None)
        .units
        .iter()
        .filter(|u| u.side.0 == 0 && u.kind != "General")
        .map(|u| u.strength.1)
        .sum();
    assert_eq!(stands, on_table);
    let points: f64 = roster.units.iter().map(|u| u.points).sum();
    assert!((points - SevenYearsWar.check_army(&army).points).abs() < 1e-9);
    for rule in &roster.rules {
        let clause = rule.clause.as_deref().unwrap_or_default();
        assert!(SevenYearsWar.book().clause(clause).is_some(), "{clause}");
    }
}

#[test]
fn every_number_of_the_reference_is_in_the_data() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/seven-years-war/");
    let mut data = String::new();
    let files =
        ["profiles", "weapons", "terrain", "drill", "charts", "points", "options", "generals", "armies"];
    for name in files {
        data += &std::fs::read_to_string(format!("{folder}{name}.toml")).unwrap_or_default();
    }
    data += &std::fs::read_to_string(format!("{folder}clauses.md")).unwrap_or_default();
    let numbers =
        |text: &str| -> Vec<String> {
            text.split(|c: char| !(c.is_ascii_digit() || c == '.'))
                .map(|t| t.trim_matches('.').to_owned())
                .filter(|t| !t.is_empty())
                .map(|t| {
                    if t.contains('.') { t.trim_end_matches('0').trim_end_matches('.').to_owned() } else { t }
                })
                .collect()
        };
    let known: std::collections::BTreeSet<String> = numbers(&data).into_iter().collect();
    let sheet = SevenYearsWar.reference(&Choices::default()).unwrap_or_else(|| panic!("no sheet"));
    assert!(sheet.charts.len() >= 12);
    for chart in &sheet.charts {
        assert!(!chart.rows.is_empty(), "{} is empty", chart.title);
        assert!(SevenYearsWar.book().clause(&chart.clause).is_some(), "{}: {}", chart.title, chart.clause);
        for row in &chart.rows {
            assert!(chart.head.is_empty() || row.len() == chart.head.len(), "{}", chart.title);
            for number in row.iter().flat_map(|cell| numbers(cell)) {
                assert!(known.contains(&number), "{} is in {} and in no file", number, chart.title);
            }
        }
    }
    // A player's own data and options show.
    let mut choices = Choices::default();
    let weapons = std::fs::read_to_string(format!("{folder}weapons.toml")).unwrap_or_default();
    choices.data.insert("weapons.toml".into(), weapons.replacen("short = 5", "short = 7", 1));
    choices.options.insert("wheel_cost".into(), "chord".into());
    let other = SevenYearsWar.reference(&choices).unwrap_or_else(|| panic!("no sheet"));
    assert_ne!(other, sheet);
    assert!(other.charts.iter().flat_map(|c| &c.rows).any(|r| r.contains(&"chord".to_owned())));
}

/// The one reading without which a line of the charts is not played.
fn cured() -> Choices {
    let mut choices = Choices::default();
    choices.options.insert("uncommanded_self_cure".into(), "yes".into());
    choices
}

/// The sheet with a number of a file changed.
fn sheet_with(file: &str, place: &str, to: i64) -> tricorne_game::army::ReferenceSheet {
    let text = crate::rulebook::data_files().into_iter().find(|(name, _)| *name == file).unwrap().1;
    let mut table: toml::Table = text.parse().unwrap();
    let (last, way) =
        place.split('.').collect::<Vec<_>>().split_last().map(|(l, w)| (*l, w.to_vec())).unwrap();
    let at = way.iter().fold(&mut table, |at, step| at.get_mut(*step).unwrap().as_table_mut().unwrap());
    at.insert(last.to_owned(), toml::Value::from(to));
    let mut choices = cured();
    choices.data.insert(file.into(), toml::to_string(&table).unwrap());
    SevenYearsWar.reference(&choices).unwrap_or_else(|| panic!("no sheet with {place} = {to}"))
}

#[test]
fn every_line_of_the_charts_is_on_the_sheet() {
    let usual = SevenYearsWar.reference(&Choices::default()).unwrap();
    let charts =
        crate::rulebook::data_files().into_iter().find(|(name, _)| *name == "charts.toml").unwrap().1;
    let lines = tricorne_drill::chart::lines(&charts.parse().unwrap());
    assert!(lines.len() > 60);
    for (place, line) in lines {
        let other = sheet_with("charts.toml", &format!("{place}.value"), i64::from(line.value) + 1);
        assert_ne!(other, usual, "{place} is on no row");
    }
    for (file, place) in [
        ("profiles.toml", "kinds.HC.melee_against_infantry"),
        ("profiles.toml", "kinds.LI.march"),
        ("profiles.toml", "general.move"),
        ("points.toml", "grades.militia_short_range"),
        ("points.toml", "works.abatis.per"),
        ("points.toml", "terrain.wood_wide"),
        ("points.toml", "victory.commander_in_chief"),
        ("charts.toml", "charge.light"),
        ("charts.toml", "evade.infantry.die"),
        ("charts.toml", "charge_die.against_cover"),
        ("drill.toml", "militia.turn"),
        ("drill.toml", "badly.wheel"),
        ("terrain.toml", "kinds.marsh.level"),
        ("terrain.toml", "generation.wood_level"),
        ("weapons.toml", "rifle.extreme"),
    ] {
        assert_ne!(sheet_with(file, place, 3), usual, "{place} of {file} is on no row");
    }
}

/// As the source prints them: bands of scores, signs, what ground takes off speed, and what was chosen.
#[test]
fn the_sheet_has_the_signs_of_the_source() {
    let sheet = |options: &[(&str, &str)]| {
        let options = options.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
        let sheet = SevenYearsWar.reference(&Choices { options, ..Choices::default() }).unwrap();
        move |title: &str, row: usize| {
            sheet.charts.iter().find(|c| c.title == title).unwrap().rows[row].join(" | ")
        }
    };
    let usual = sheet(&[]);
    for (row, wanted) in
        [(0, "4 | 0 | yes"), (1, "5–6 | 1 | yes"), (2, "7–9 | 2 | yes"), (3, "10+ | 3 | yes")]
    {
        assert_eq!(usual("Score of a shot or a melee", row), wanted);
    }
    let massed = "Morale: massed, and Light Cavalry (a)";
    assert_eq!(usual(massed, 0), "6+ | keep the order, or go to Advance | –");
    assert_eq!(usual(massed, 3), "0–1 | all go to Retreat; guns are killed | 20 cm at once");
    assert_eq!(usual(massed, 4), "−1 or less | Rout, move at once; guns are killed | –");
    assert_eq!(usual("Morale: lights", 3), "1 or less | Rout, move at once | –");
    assert_eq!(usual("Modifiers of a shot", 0), "Extreme range (not long range as well) | −2");
    assert!(usual("Ground: speed", 1).contains("| −1/4 | −1/2 | −1/4 of the move | −1/2 of the move"));
    assert!(usual("Ground: speed", 4).ends_with("| full | barred | −6D4 cm | –"));
    assert_eq!(usual("Ground: lines", 4), "Abatis | infantry only, −2D4 cm | – | yes");
    assert_eq!(
        usual("Troop types: moves in centimetres", 4),
        "Heavy Infantry | massed | 20 (24) | 3 (4) | musket | 3–4, 6 | 4"
    );
    assert_eq!(usual("Points besides troops", 0), "Poor shots, a stand | −0.25");
    assert!(usual("Giving orders", 3).contains("D6 × 10 cm"));
    let other =
        sheet(&[("minus_6d4_line", "ignore"), ("cinc_orders", "d4"), ("hard_cover_small_arms", "-2")]);
    assert!(other("Ground: speed", 4).ends_with("| full | barred | – | –"));
    assert!(other("Ground: what it does", 3).ends_with("(minus 6d4 line: ignore)"));
    assert!(other("Giving orders", 1).starts_with("C-in-C | a D4 of attempts"));
    assert_eq!(other("Modifiers of a shot", 5), "Small arms at hard cover | −2");
}

/// Whatever is played, a row says something, in words that are filled in, and names clauses that there are.
#[test]
fn no_reading_leaves_a_hole_in_the_sheet() {
    for spec in &SevenYearsWar.options().specs {
        for value in spec.others.iter().chain([&spec.default]) {
            let options = [(spec.id.clone(), value.clone())].into_iter().collect();
            let sheet = SevenYearsWar.reference(&Choices { options, ..Choices::default() }).unwrap();
            for (chart, row) in sheet.charts.iter().flat_map(|c| c.rows.iter().map(move |row| (c, row))) {
                let all = row.join(" ");
                let what = format!("{} = {value}, {}: {all}", spec.id, chart.title);
                assert!(!all.contains(['{', '}']), "{what}");
                assert!(row.iter().all(|cell| cell.trim() == cell && !cell.contains("  ")), "{what}");
                let letter = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '-';
                let named = all.split([' ', ',']).filter(|w| w.contains('-') && w.chars().all(letter));
                for clause in named.filter(|w| !w.starts_with("SYW-")) {
                    let whole = format!("SYW-{clause}");
                    assert!(SevenYearsWar.book().clause(&whole).is_some(), "{what}");
                }
            }
        }
    }
}

#[test]
fn what_the_editor_offers_is_read_back() {
    let d = SevenYearsWar.drafting().unwrap_or_else(|| panic!("no drafting"));
    let set_up = |text: &str| {
        SevenYearsWar.set_up(&Source::new("draft.toml", text), &Choices::default(), Purpose::Scenario)
    };
    // The blank wants generals and troops, and says so.
    let fault = set_up(&d.blank).err().map(|f| f.to_string()).unwrap_or_default();
    assert!(fault.contains("C-in-C"), "{fault}");
    let side_key = d.side_key.clone().unwrap_or_default();
    let put = |id: &str, side: usize, at: [f64; 2]| {
        let (troop, k) = d.troops.iter().zip(0..).find(|(t, _)| t.id == id).unwrap_or_else(|| panic!("{id}"));
        let array = troop.array.as_ref().unwrap_or(&d.unit_key);
        format!(
            "\n[[{array}]]\nid = \"{}{k}\"\n{side_key} = \"{}\"\n{} = [{}, {}]\nfacing = {}\n{}\n",
            d.sides[side].prefix,
            d.sides[side].id,
            troop.place_key,
            at[0],
            at[1],
            180 * side,
            troop.body
        )
    };
    let staffed = format!("{}{}{}", d.blank, put("c-in-c", 0, [90.0, 8.0]), put("c-in-c", 1, [90.0, 112.0]));
    for troop in &d.troops {
        if troop.id == "c-in-c" {
            continue;
        }
        let mut text = format!("{staffed}{}", put(&troop.id, 0, [90.0, 28.0]));
        if troop.array.is_some() {
            text += &put("P-MUS", 0, [60.0, 28.0]);
        }
        text += &put("A-KUR", 1, [90.0, 92.0]);
        let battle = set_up(&text).unwrap_or_else(|fault| panic!("{}: {fault}\n{text}", troop.id));
        let shown =
            battle.view(None).units.into_iter().find(|u| u.at == tricorne_table::Point::new(90.0, 28.0));
        assert_eq!(shown.map(|u| u.arm), Some(troop.arm), "{}", troop.id);
    }
    for ground in &d.grounds {
        let points =
            if ground.closed { "[[40, 50], [60, 50], [60, 65], [40, 65]]" } else { "[[40, 50], [60, 65]]" };
        let text = format!(
            "{staffed}{}{}\n[[{}]]\nid = \"T1\"\nkind = \"{}\"\n{} = {points}\n{}\n",
            put("P-MUS", 0, [90.0, 28.0]),
            put("A-MUS", 1, [90.0, 92.0]),
            d.terrain_key,
            ground.kind,
            if ground.closed { "outline" } else { "line" },
            ground.extra
        );
        let battle = set_up(&text).unwrap_or_else(|fault| panic!("{}: {fault}", ground.name));
        let shown = battle.view(None).terrain;
        assert_eq!(
            shown.first().map(|t| (t.look, t.closed)),
            Some((ground.look, ground.closed)),
            "{}",
            ground.name
        );
    }
}
