//! `docs/balance.md` says whom each shipped scenario favours; `tricorne scenarios` and the front page say the same.

use std::collections::BTreeMap;
use std::path::Path;

use tricorne_game::{Choices, Purpose, Source};
use tricorne_shelf::systems;

/// A line of the report's table.
struct Line {
    sides: Vec<String>,
    /// The share of the side listed first, in percent.
    first: f64,
    favoured: Option<String>,
}

fn report() -> BTreeMap<(String, String), Line> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/balance.md");
    let text = std::fs::read_to_string(file).unwrap();
    let mut lines = BTreeMap::new();
    for row in text.lines().filter(|l| l.starts_with("| ")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [title, ruleset, sides, _, share, _, _, favoured] = cells[..] else { continue };
        let Some(first) = share.split(' ').next().and_then(|n| n.parse().ok()) else { continue };
        lines.insert(
            (ruleset.to_owned(), title.to_owned()),
            Line {
                sides: sides.split(" v ").map(str::to_owned).collect(),
                first,
                favoured: Some(favoured).filter(|f| *f != "–").map(str::to_owned),
            },
        );
    }
    lines
}

#[test]
fn scenarios_say_whom_they_favour_as_the_report_does() {
    let report = report();
    let mut shipped = 0;
    for system in systems() {
        let ruleset = system.about().id;
        for text in system.scenarios() {
            let name = format!("{ruleset}/{}", text.id);
            let file = Source::new(text.id, text.text);
            let battle = system.set_up(&file, &Choices::default(), Purpose::Scenario).unwrap();
            let view = battle.view(None);
            let line = report
                .get(&(ruleset.to_owned(), view.title.clone()))
                .unwrap_or_else(|| panic!("{name} ({}) is not in docs/balance.md", view.title));
            shipped += 1;
            assert_eq!(line.favoured.is_some(), text.favours.is_some(), "{name}");
            let (Some(favoured), Some(says)) = (&line.favoured, text.favours) else { continue };
            let at = line.sides.iter().position(|s| s == favoured).unwrap_or_else(|| panic!("{name}"));
            let share = if at == 0 { line.first } else { 100.0 - line.first };
            let (side, count) = says.rsplit_once(", ").unwrap();
            let count: f64 = count.strip_suffix(" of 100").unwrap().parse().unwrap();
            assert_eq!(side, favoured, "{name}");
            assert!((count - share).abs() <= 0.501, "{name} says {says}, the report {share} %");
        }
    }
    assert_eq!(shipped, report.len(), "the report has scenarios that are not shipped");
}
