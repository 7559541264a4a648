//! Set-up files of format 1 in the words of format 2.

use toml_edit::{Table, Value};
use tricorne_drill::scenario::Upgrade;
use tricorne_game::Choices;

use crate::terrain::ground::PieceKind;

pub(super) fn upgrade(file: &mut Upgrade, choices: &Choices) {
    let mut head = file.head();
    head.rename("blurb", "story");
    let wanted = choices.options.get("table_size").cloned();
    let own = head.options_word("table_size");
    let size = match wanted.or(own).as_deref() {
        Some("150x100") => [150.0, 100.0],
        Some("240x150") => [240.0, 150.0],
        _ => [180.0, 120.0],
    };
    file.table(size);
    file.list(&[], "terrain");
    file.each("terrain", |_, piece| {
        let kind = piece.word("kind").unwrap_or_default();
        let linear = PieceKind::NAMES.iter().find(|n| n.0 == kind).is_some_and(|n| n.1.is_linear());
        piece.lie(&["points"], linear);
    });
    let first = sides(file);
    file.list(&["units"], "unit");
    let position = file.is_position();
    file.each("unit", |_, unit| {
        if !unit.has("kind") {
            unit.rename("code", "kind");
        }
        if position && !unit.has("side") {
            unit.set_after("id", "side", first.as_str());
        }
    });
    file.list(&["generals"], "general");
    file.list(&["groups"], "group");
    file.list(&["objectives"], "objective");
    file.each("objective", |_, aim| aim.rename("distance", "within"));
}

/// The sides; those of a position where it names none. The first one's id.
fn sides(file: &mut Upgrade) -> String {
    file.list(&["sides"], "side");
    let mut first = None;
    file.each("side", |_, side| {
        side.rename("edge", "home");
        first = first.take().or_else(|| side.word("id"));
    });
    if first.is_none() && file.is_position() && !file.head().has("side") {
        for (id, nation, home) in [("a", "prussian", "south"), ("b", "austrian", "north")] {
            file.push("side", Table::new(), None, |side| {
                side.set("id", id);
                side.set("nation", Value::from(nation));
                side.set("home", home);
            });
        }
        first = Some("a".to_owned());
    }
    first.unwrap_or_default()
}
