//! The sheets of every system: on a page (a quick reference on both sides of it where it must), nothing over anything else, and
//! no number that is not in the data.

use std::collections::BTreeSet;

use tricorne_chance::{Seed, Seeded};
use tricorne_game::army::MusterCall;
use tricorne_game::{AnySystem, Choices};
use tricorne_paper::{Leaf, PaperSize, counters, labels, reference_pages, roster};
use tricorne_shelf::systems;

const PAPERS: [PaperSize; 2] = [PaperSize::A4, PaperSize::Letter];

fn numbers(text: &str) -> BTreeSet<String> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).map(str::to_owned).collect()
}

fn sound(leaf: &Leaf, what: &str) {
    assert!(leaf.fits(), "{what} goes over the margin");
    assert_eq!(leaf.overlapping(), None, "{what}");
    assert!(leaf.smallest_letters() >= 4.4, "{what}: letters of {} points", leaf.smallest_letters());
    let marks = ["*(", "`", "**"];
    assert!(
        leaf.lines().all(|line| marks.iter().all(|m| !line.contains(m))),
        "{what} shows Markdown's marks"
    );
}

fn printed(leaf: &Leaf) -> BTreeSet<String> {
    leaf.lines().flat_map(numbers).collect()
}

/// Everything a rulebook's folder has.
fn rulebook(system: &dyn AnySystem) -> String {
    let folder = format!("{}/../../rulebooks/{}", env!("CARGO_MANIFEST_DIR"), system.about().id);
    let mut all = String::new();
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|e| e == "toml" || e == "md") {
            all += &std::fs::read_to_string(path).unwrap();
        }
    }
    all
}

#[test]
fn quick_references_are_a_leaf_of_the_data() {
    for system in systems() {
        let id = system.about().id;
        let sheet = system.reference(&Choices::default()).unwrap();
        let data = numbers(&rulebook(*system));
        for paper in PAPERS {
            let pages = reference_pages(&sheet, paper).unwrap_or_else(|why| panic!("{id}: {why}"));
            for leaf in &pages {
                sound(leaf, id);
            }
            let strange: Vec<String> = pages
                .iter()
                .flat_map(printed)
                .filter(|n| !data.contains(n) && !system.about().title.contains(n))
                .collect();
            assert!(strange.is_empty(), "{id}: {strange:?} on the sheet and in no file");
        }
    }
}

/// Whatever is played, nothing between braces stays as the file writes it.
#[test]
fn quick_references_of_any_reading_have_no_holes() {
    for system in systems() {
        for spec in &system.options().specs {
            for value in spec.others.iter().filter(|other| *other != "number").take(3) {
                let options = [(spec.id.clone(), value.clone())].into_iter().collect();
                let sheet = system.reference(&Choices { options, ..Choices::default() }).unwrap();
                let words = sheet.charts.iter().flat_map(|c| c.rows.iter().chain([&c.head]).flatten());
                let holes: Vec<_> = words.filter(|cell| cell.contains(['{', '}'])).collect();
                assert!(holes.is_empty(), "{}, {} = {value}: {holes:?}", system.about().id, spec.id);
            }
        }
    }
}

#[test]
fn rosters_counters_and_labels_of_any_army() {
    for system in systems() {
        let id = system.about().id;
        for seed in 0..40 {
            let army = system.muster(&MusterCall::default(), &mut Seeded::new(Seed::from(seed))).unwrap();
            let on_paper = system.roster(&army).unwrap();
            let data = numbers(&format!("{on_paper:?}"));
            for paper in PAPERS {
                let what = format!("{id}, seed {seed}");
                let leaf = roster(&on_paper, paper).unwrap_or_else(|why| panic!("{what}: {why}"));
                sound(&leaf, &what);
                assert!(printed(&leaf).is_subset(&data), "{what}");
                let boxes: u32 = on_paper.units.iter().flat_map(|u| &u.boxes).map(|b| b.1).sum();
                let drawn =
                    leaf.svg().matches("fill=\"none\" stroke=\"#1d1a16\" stroke-width=\"0.70\"").count();
                assert_eq!(drawn, boxes as usize, "{what}: a box for every figure");
                let cut =
                    counters(&on_paper, system.about().unit, paper).unwrap_or_else(|w| panic!("{what}: {w}"));
                let bases: u32 = on_paper.units.iter().flat_map(|u| &u.bases).map(|b| b.count).sum();
                let drawn: usize = cut
                    .iter()
                    .map(|l| l.svg().matches("stroke=\"#1d1a16\" stroke-width=\"0.60\"").count())
                    .sum();
                assert_eq!(drawn, bases as usize, "{what}: a counter for every base");
                for leaf in cut.iter().chain(&labels(&on_paper, paper)) {
                    sound(leaf, &what);
                }
            }
        }
    }
}

/// Armies of any size are legal and printed; one that is too large for a page is told so, and not cut.
#[test]
fn armies_of_any_points() {
    for system in systems() {
        let id = system.about().id;
        let usual = system.army_lists()[0].points;
        for (n, share) in [0.5, 0.8, 1.3, 2.0, 3.5].into_iter().enumerate() {
            let points = (usual * share).round();
            let mut chance = Seeded::new(Seed::from(n as u64));
            let call = MusterCall { list: None, points: Some(points) };
            let mut army =
                || system.muster(&call, &mut chance).unwrap_or_else(|why| panic!("{id}, {points}: {why}"));
            let armies = [army(), army()];
            for army in &armies {
                let report = system.check_army(army);
                assert!(report.broken.is_empty() && report.points <= points, "{id}, {points}: {report:?}");
                match roster(&system.roster(army).unwrap(), PaperSize::A4) {
                    Ok(leaf) => sound(&leaf, id),
                    Err(why) => {
                        assert!(share > 1.0 && why.to_string().contains("split it"), "{id}, {points}: {why}");
                    }
                }
            }
            let pitched = system.pitch(&armies, "", None);
            assert!(share > 1.5 || pitched.is_ok(), "{id}, {points}: {pitched:?}");
        }
        let none = MusterCall { list: None, points: Some(0.0) };
        assert!(system.muster(&none, &mut Seeded::new(Seed::from(1))).is_err(), "{id}: nothing buys nothing");
    }
}
