//! Labels on whole pictures: wherever the units stand, no label lies on another and none leaves the table.

use std::fs;

use proptest::prelude::*;
use tricorne_game::view::View;
use tricorne_picture::{Style, svg};
use tricorne_table::Point;

fn fixture(name: &str) -> View {
    let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// x, y, width and height.
type Box = [f64; 4];

fn attribute(text: &str, name: &str) -> f64 {
    let start = text.find(&format!(" {name}=\"")).unwrap() + name.len() + 3;
    let end = start + text[start..].find('"').unwrap();
    text[start..end].parse().unwrap()
}

/// The boxes of the units' labels.
fn labels(drawing: &str) -> Vec<Box> {
    drawing
        .split("<g class=\"label ")
        .skip(1)
        .map(|label| {
            let rect = &label[label.find("<rect").unwrap()..];
            ["x", "y", "width", "height"].map(|name| attribute(rect, name))
        })
        .collect()
}

fn table(drawing: &str) -> Box {
    let start = drawing.find("data-table=\"").unwrap() + 12;
    let end = start + drawing[start..].find('"').unwrap();
    let numbers: Vec<f64> = drawing[start..end].split(' ').map(|number| number.parse().unwrap()).collect();
    [numbers[0], numbers[1], numbers[2], numbers[3]]
}

fn overlap(a: &Box, b: &Box) -> bool {
    a[0] < b[0] + b[2] && b[0] < a[0] + a[2] && a[1] < b[1] + b[3] && b[1] < a[1] + a[3]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn no_label_lies_on_another(
        places in prop::collection::vec((0.0..1.0f64, 0.0..1.0f64), 40),
        crowded in 0.15..1.0f64,
        width in 500..1800u32,
        metric in any::<bool>(),
    ) {
        let mut view = fixture(if metric { "centimetres" } else { "every-look" });
        for (unit, &(x, y)) in view.units.iter_mut().zip(&places) {
            // From all over the table to all in one corner of it.
            let to = Point::new(x * view.table.width, y * view.table.height) * crowded;
            let way = to - unit.at;
            unit.at = to;
            unit.outline.iter_mut().for_each(|corner| *corner += way);
            unit.figures.iter_mut().for_each(|figure| figure.shape = figure.shape.translated(way));
        }
        let drawing = svg(&view, &Style::wide(width));
        let found = labels(&drawing);
        let table = table(&drawing);
        prop_assert_eq!(found.len(), view.units.iter().filter(|unit| unit.on_table).count());
        for (index, label) in found.iter().enumerate() {
            prop_assert!(
                label[0] >= table[0]
                    && label[1] >= table[1]
                    && label[0] + label[2] <= table[0] + table[2]
                    && label[1] + label[3] <= table[1] + table[3],
                "{:?} leaves {:?}", label, table
            );
            for other in &found[..index] {
                prop_assert!(!overlap(label, other), "{:?} lies on {:?}", label, other);
            }
        }
    }
}
