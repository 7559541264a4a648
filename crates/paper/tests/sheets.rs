//! Sheets fit one page, and nothing is on them that was not in the data.

use proptest::prelude::*;
use tricorne_game::army::{ReferenceChart, ReferenceSheet, Roster, RosterBase, RosterUnit};
use tricorne_game::view::{Arm, Note};
use tricorne_paper::{Leaf, PaperError, PaperSize, counters, html, pdf, reference, roster};
use tricorne_table::LengthUnit;

fn unit(n: u32, figures: u32) -> RosterUnit {
    RosterUnit {
        name: format!("Regiment No. {n} of the Line"),
        kind: "Regular infantry".into(),
        points: 6.5,
        boxes: vec![("Figures".into(), figures)],
        values: vec![
            Note::new("Leadership", "7+", None),
            Note::new("Fire", "5+ to 18 inches", None),
            Note::new("Move", "6 inches in the open", None),
        ],
        bases: vec![RosterBase::new("", 1_u32, (6.0, 1.5))],
        arm: Arm::Infantry,
    }
}

fn army(units: u32, rules: usize) -> Roster {
    let text = "Whoever stands behind a wall counts one range further when shot at, unless the shot comes from above.";
    Roster {
        title: "The Army of the Neckar".into(),
        subtitle: "List A, 24 points of 24".into(),
        units: (0..units).map(|n| unit(n, 8 + n % 9)).collect(),
        rules: (0..rules).map(|_| Note::new("Behind walls", text, Some("X-COVER-01"))).collect(),
    }
}

fn digits(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|n| !n.is_empty()).map(str::to_owned).collect()
}

/// What is printed, with words that were broken over lines side by side again.
fn printed(leaf: &Leaf) -> String {
    leaf.lines().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_roster_has_a_box_for_every_figure_and_all_its_words() {
    let army = army(8, 5);
    for paper in [PaperSize::A4, PaperSize::Letter] {
        let leaf = roster(&army, paper).unwrap();
        assert!(leaf.fits());
        let boxes = leaf.svg().matches("fill=\"none\" stroke=\"#1d1a16\" stroke-width=\"0.70\"").count();
        let figures: u32 = army.units.iter().flat_map(|u| &u.boxes).map(|b| b.1).sum();
        assert_eq!(boxes, figures as usize);
        let text = printed(&leaf);
        for unit in &army.units {
            assert!(text.contains(&unit.name), "{text}");
        }
        assert_eq!(text.matches("Leadership 7+").count(), army.units.len());
    }
}

#[test]
fn a_number_on_paper_is_a_number_of_the_data() {
    let army = army(11, 3);
    let data = digits(&format!("{army:?}"));
    let leaf = roster(&army, PaperSize::A4).unwrap();
    for number in digits(&printed(&leaf)) {
        assert!(data.contains(&number), "{number} is printed but not in the data");
    }
}

#[test]
fn too_much_is_said_and_not_cut() {
    assert!(matches!(roster(&army(400, 0), PaperSize::A4), Err(PaperError::TooMuch(_))));
    let mut giant = army(1, 0);
    giant.units[0].bases[0].size = (40.0, 2.0);
    assert!(matches!(counters(&giant, LengthUnit::Inch, PaperSize::A4), Err(PaperError::TooLarge(_))));
}

#[test]
fn counters_are_true_to_size_and_go_over_pages() {
    let army = army(60, 0);
    let leaves = counters(&army, LengthUnit::Inch, PaperSize::Letter).unwrap();
    assert!(leaves.len() > 1);
    assert!(leaves.iter().all(Leaf::fits));
    let drawn: usize =
        leaves.iter().map(|l| l.svg().matches("width=\"432.00\" height=\"108.00\"").count()).sum();
    assert_eq!(drawn, 60, "a base of 6 by 1.5 inches is 432 by 108 points");
    let centimetres = counters(&army, LengthUnit::Centimetre, PaperSize::A4).unwrap();
    assert!(centimetres[0].svg().contains("width=\"170.08\""));
}

#[test]
fn pdf_and_html_have_one_page_a_leaf() {
    let army = army(9, 4);
    let mut leaves = counters(&army, LengthUnit::Centimetre, PaperSize::A4).unwrap();
    leaves.push(roster(&army, PaperSize::A4).unwrap());
    let file = pdf(&leaves).unwrap();
    assert!(file.starts_with(b"%PDF-"));
    let text = String::from_utf8_lossy(&file);
    assert!(text.contains(&format!("/Count {}", leaves.len())), "pages of the PDF");
    let page = html(&leaves);
    assert_eq!(page.matches("<svg ").count(), leaves.len());
    assert!(page.contains("size:A4") && page.contains("font-family:'Alegreya Sans'"));
}

#[test]
fn charts_keep_every_cell() {
    let sheet = charts(12, 6);
    let leaf = reference(&sheet, PaperSize::A4).unwrap();
    assert!(leaf.fits());
    assert_eq!(leaf.overlapping(), None);
    let text = printed(&leaf);
    for chart in &sheet.charts {
        for word in chart.rows.iter().flatten().flat_map(|cell| cell.split_whitespace()) {
            assert!(text.contains(word), "{word}");
        }
    }
}

fn charts(count: usize, rows: usize) -> ReferenceSheet {
    let row =
        |n: usize| vec![format!("Behind a wall or in a village, row {n}"), "+1".into(), format!("{}", n * 3)];
    let chart = |n: usize| ReferenceChart {
        title: format!("Chart {n}"),
        head: vec!["When".into(), "Modifier".into(), "Range".into()],
        rows: (0..rows).map(row).collect(),
        clause: "X-FIRE-07".into(),
    };
    ReferenceSheet { title: "A game".into(), charts: (0..count).map(chart).collect() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_made_fits(units in 1_u32..30, rules in 0_usize..14, letter: bool) {
        let paper = if letter { PaperSize::Letter } else { PaperSize::A4 };
        if let Ok(leaf) = roster(&army(units, rules), paper) {
            prop_assert!(leaf.fits());
            prop_assert!(leaf.smallest_letters() >= 3.7, "{}", leaf.smallest_letters());
        } else {
            prop_assert!(units > 20);
        }
    }

    #[test]
    fn charts_fit(count in 1_usize..16, rows in 1_usize..12) {
        if let Ok(leaf) = reference(&charts(count, rows), PaperSize::A4) {
            prop_assert!(leaf.fits());
        }
    }
}
