//! What an editor needs to know of the scenario files.

use tricorne_game::Choices;
use tricorne_game::drafting::{DraftField, DraftSide, Drafting, FieldForm, GroundKind, TroopKind};
use tricorne_game::view::{Arm as Figure, Look};

use super::lists::profile;
use super::market;
use crate::rulebook::{Arm, Class, Rulebook};

/// A table with two sides and nothing on it.
const BLANK: &str = r#"format = 1
ruleset = "seven-years-war"
title = "A new battle"
blurb = ""
table = [180, 120]
turns = 12
break_percent = 40
first = "blue"

[[sides]]
id = "blue"
name = "Prussian"
nation = "prussian"
edge = "south"

[[sides]]
id = "white"
name = "Austrian"
nation = "austrian"
edge = "north"
"#;

/// Grounds, troops and fields of the scenario files; none if the rulebook's files were spoilt.
pub(crate) fn drafting() -> Option<Drafting> {
    let book = Rulebook::of(&Choices::default()).ok()?;
    let side = |id: &str, name: &str, prefix: &str| DraftSide {
        id: id.into(),
        name: name.into(),
        prefix: prefix.into(),
    };
    Some(Drafting {
        blank: BLANK.into(),
        terrain_key: "terrain".into(),
        points_key: "points".into(),
        grounds: grounds(&book),
        unit_key: "units".into(),
        sides: vec![side("blue", "South", "B"), side("white", "North", "W")],
        side_key: Some("side".into()),
        troops: troops(&book)?,
        fields: fields(),
    })
}

fn grounds(book: &Rulebook) -> Vec<GroundKind> {
    let piece = |kind: &str, name: &str, look: Look, closed: bool, extra: String| GroundKind {
        kind: kind.into(),
        name: name.into(),
        look,
        closed,
        extra,
    };
    let mut all = Vec::new();
    for (kind, of) in &book.ground_kinds {
        let (name, look) = match kind.as_str() {
            "hill" => ("Hill", Look::Hill),
            "wood" => ("Wood", Look::Wood),
            "scrub" => ("Scrub", Look::Scrub),
            "marsh" => ("Marsh", Look::Marsh),
            "town" => ("Village or town", Look::Town),
            "earthwork" => ("Earthwork", Look::Earthwork),
            "crossing" => ("Crossing of a river", Look::Crossing),
            "river" => ("River", Look::Water),
            other => (other, Look::Rough),
        };
        let extra = of.level.map_or_else(String::new, |l| format!("level = {l}"));
        all.push(piece(kind, name, look, true, extra));
        if kind == "hill" {
            all.push(piece(kind, "Steep hill", Look::SteepHill, true, "level = 2".into()));
        }
    }
    for (kind, of) in &book.line_kinds {
        let (name, look) = match kind.as_str() {
            "stream" => ("Stream", Look::Stream),
            "hedge" => ("Hedge", Look::Hedge),
            "wall" => ("Wall", Look::Wall),
            "barricade" => ("Barricade", Look::Fence),
            "abatis" => ("Abatis", Look::Abatis),
            "road" => ("Road", Look::Road),
            other => (other, Look::Fence),
        };
        let extra = of.level.map_or_else(String::new, |l| format!("level = {l}"));
        all.push(piece(kind, name, look, false, extra));
    }
    all
}

fn troops(book: &Rulebook) -> Option<Vec<TroopKind>> {
    let market = market()?;
    let mut all = Vec::new();
    for nation in &market.lists.nations {
        for e in &nation.units {
            let (_, p) = profile(book, &e.kind)?;
            all.push(TroopKind {
                id: e.code.clone(),
                name: format!("{}: {}", nation.name, e.name),
                arm: match (p.arm, p.class) {
                    (Arm::Infantry, Class::Light) => Figure::Skirmishers,
                    (Arm::Infantry, Class::Massed) => Figure::Infantry,
                    (Arm::Cavalry, _) => Figure::Cavalry,
                    (Arm::Artillery, _) => Figure::Artillery,
                },
                sides: Vec::new(),
                array: None,
                body: format!("code = \"{}\"", e.code),
                faces: true,
                place_key: "at".into(),
            });
        }
    }
    for (id, name, body) in [("general", "Sub-general", ""), ("c-in-c", "C-in-C", "cinc = true")] {
        all.push(TroopKind {
            id: id.into(),
            name: name.into(),
            arm: Figure::Command,
            sides: Vec::new(),
            array: Some("generals".into()),
            body: body.into(),
            faces: true,
            place_key: "at".into(),
        });
    }
    Some(all)
}

fn fields() -> Vec<DraftField> {
    let field = |path: &str, label: &str, form: FieldForm, clause: Option<&str>| DraftField {
        path: path.into(),
        label: label.into(),
        form,
        clause: clause.map(str::to_owned),
    };
    let words = |all: &[&str]| FieldForm::OneOf(all.iter().map(|&w| w.to_owned()).collect());
    let nations: Vec<String> =
        market().map(|m| m.lists.nations.iter().map(|n| n.id.clone()).collect()).unwrap_or_default();
    vec![
        field("title", "Title", FieldForm::Text, None),
        field("blurb", "In a line", FieldForm::Text, None),
        field("turns", "Turns", FieldForm::Whole(1, 60), Some("SYW-WIN-01")),
        field("break_percent", "An army breaks at (percent)", FieldForm::Whole(1, 100), Some("SYW-WIN-02")),
        field("first", "Attacks and phases first", words(&["blue", "white"]), Some("SYW-SEQ-01")),
        field("deployment.free", "Players place their troops", FieldForm::Switch, Some("SYW-DEPLOY-08")),
        field(
            "sides.0.nation",
            "Nation in the south",
            FieldForm::OneOf(nations.clone()),
            Some("SYW-ARMY-02"),
        ),
        field("sides.1.nation", "Nation in the north", FieldForm::OneOf(nations), Some("SYW-ARMY-02")),
        field("units.*.name", "Name", FieldForm::Text, None),
        field("units.*.group", "Group", FieldForm::Text, Some("SYW-GROUP-01")),
        field("units.*.command", "General, or none", FieldForm::Text, Some("SYW-ARMY-22")),
        field("units.*.stands", "Stands", FieldForm::Whole(1, 10), Some("SYW-ARMY-08")),
        field("units.*.drill", "Drill", words(&["well", "normal", "badly"]), Some("SYW-ARMY-14")),
        field("units.*.morale", "Morale", words(&["high", "normal", "poor"]), Some("SYW-ARMY-14")),
        field("units.*.poor_shots", "Poor shots", FieldForm::Switch, Some("SYW-SHOOT-10")),
        field("units.*.order", "Order", words(&["stand", "reserve", "advance"]), Some("SYW-ORDER-01")),
        field(
            "units.*.formation",
            "Formation",
            words(&["line", "deep_line", "column_1", "column_2"]),
            Some("SYW-MODEL-06"),
        ),
        field("units.*.upgraded_drill", "Militia, normal drill", FieldForm::Switch, Some("SYW-POINTS-03")),
        field("units.*.upgraded_shots", "Militia, short range", FieldForm::Switch, Some("SYW-POINTS-03")),
    ]
}
