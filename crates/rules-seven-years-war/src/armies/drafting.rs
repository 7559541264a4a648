//! What an editor needs to know of the scenario files.

use tricorne_game::Choices;
use tricorne_game::drafting::{
    Belongs, DraftField, DraftSide, Drafting, Extent, FeatureKind, FieldForm, GroundKind, TroopKind,
};
use tricorne_game::view::{Arm as Figure, Look};

use super::lists::profile;
use super::market;
use crate::rulebook::{Arm, Class, Rulebook};

/// A table with two sides and nothing on it.
const BLANK: &str = r#"format = 2
ruleset = "seven-years-war"
title = "A new battle"
story = ""
table = { width = 180, height = 120 }
turns = 12
break_percent = 40
first = "blue"

[[side]]
id = "blue"
name = "Prussian"
nation = "prussian"
home = "south"

[[side]]
id = "white"
name = "Austrian"
nation = "austrian"
home = "north"
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
        points_key: "outline".into(),
        line_key: Some("line".into()),
        grounds: grounds(&book),
        unit_key: "unit".into(),
        sides: vec![side("blue", "South", "B"), side("white", "North", "W")],
        sides_key: Some("side".into()),
        side_key: Some("side".into()),
        features: features(),
        troops: troops(&book)?,
        fields: fields(),
    })
}

fn grounds(book: &Rulebook) -> Vec<GroundKind> {
    let piece = |kind: &str, name: &str, look: Look, closed: bool, extra: String| GroundKind {
        id: kind.into(),
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
            let steep = piece(kind, "Steep hill", Look::SteepHill, true, "level = 2".into());
            all.push(GroundKind { id: "steep hill".into(), ..steep });
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
                body: format!("kind = \"{}\"", e.code),
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
            array: Some("general".into()),
            body: body.into(),
            faces: true,
            place_key: "at".into(),
        });
    }
    Some(all)
}

fn features() -> Vec<FeatureKind> {
    let objective = |kind: &str, name: &str, body: &str| {
        FeatureKind::new(kind, name, "objective.*", Extent::On("terrain".into()))
            .told_by(&format!("kind = \"{kind}\""))
            .body(body)
            .clause("SYW-WIN-05")
    };
    vec![
        objective("massed_on", "Ground to have more massed troops on", "points = 20"),
        objective("more_in", "Ground to have more troops in", "points = 15"),
        objective("last_within", "Ground to be the last near", "points = 15\nwithin = 10"),
        FeatureKind::new("ridge", "Ridge of a hill", "terrain.*", Extent::Line("ridge".into()))
            .told_by("kind = \"hill\"")
            .belongs(Belongs::Ground)
            .clause("SYW-MODEL-26"),
        FeatureKind::new("edge", "Edge of a side", "side.*", Extent::Edge("home".into()))
            .belongs(Belongs::Other)
            .clause("SYW-DEPLOY-07"),
        FeatureKind::new("flank-march", "Group on a flank march", "group.*", Extent::Edge("edge".into()))
            .told_by("flank_march = true")
            .with_id("F")
            .clause("SYW-DEPLOY-16"),
        FeatureKind::new("group", "Group with an order", "group.*", Extent::Nowhere)
            .body("order = \"reserve\"")
            .with_id("G")
            .clause("SYW-GROUP-01"),
    ]
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
        field("story", "In a line", FieldForm::Text, None),
        field("table.width", "Table, west to east", FieldForm::Number(30.0, 400.0), Some("SYW-MODEL-01")),
        field("table.height", "Table, south to north", FieldForm::Number(30.0, 400.0), Some("SYW-MODEL-01")),
        field("turns", "Turns", FieldForm::Whole(1, 60), Some("SYW-WIN-01")),
        field("break_percent", "An army breaks at (percent)", FieldForm::Whole(1, 100), Some("SYW-WIN-02")),
        field("first", "Attacks and phases first", FieldForm::Named("side".into()), Some("SYW-SEQ-01")),
        field("deployment.free", "Players place their troops", FieldForm::Switch, Some("SYW-DEPLOY-08")),
        field(
            "deployment.points",
            "Points, for armies bought at the table",
            FieldForm::Whole(1, 1000),
            Some("SYW-POINTS-01"),
        ),
        field("deployment.random_terrain", "Ground is diced for", FieldForm::Switch, Some("SYW-TERRGEN-01")),
        field(
            "deployment.buy_terrain",
            "The defender may buy ground",
            FieldForm::Switch,
            Some("SYW-DEPLOY-01"),
        ),
        field("side.0.name", "First side's name", FieldForm::Text, None),
        field("side.1.name", "Second side's name", FieldForm::Text, None),
        field("side.0.nation", "First side's nation", FieldForm::OneOf(nations.clone()), Some("SYW-ARMY-02")),
        field("side.1.nation", "Second side's nation", FieldForm::OneOf(nations), Some("SYW-ARMY-02")),
        field("unit.*.name", "Name", FieldForm::Text, None),
        field("unit.*.group", "Group", FieldForm::Text, Some("SYW-GROUP-01")),
        field("unit.*.command", "General", FieldForm::Named("general".into()), Some("SYW-ARMY-22")),
        field("unit.*.hidden", "Hidden", FieldForm::Switch, Some("SYW-HIDE-01")),
        field("unit.*.terrain", "Hidden in", FieldForm::Named("terrain".into()), Some("SYW-HIDE-01")),
        field("unit.*.stands", "Stands", FieldForm::Whole(1, 10), Some("SYW-ARMY-08")),
        field("unit.*.drill", "Drill", words(&["well", "normal", "badly"]), Some("SYW-ARMY-14")),
        field("unit.*.morale", "Morale", words(&["high", "normal", "poor"]), Some("SYW-ARMY-14")),
        field("unit.*.poor_shots", "Poor shots", FieldForm::Switch, Some("SYW-SHOOT-10")),
        field("unit.*.order", "Order", words(&["stand", "reserve", "advance"]), Some("SYW-ORDER-01")),
        field(
            "unit.*.formation",
            "Formation",
            words(&["line", "deep_line", "column_1", "column_2"]),
            Some("SYW-MODEL-06"),
        ),
        field("general.*.counter", "Counter, as `Ab+`", FieldForm::Text, Some("SYW-GEN-01")),
        field("general.*.cinc", "C-in-C", FieldForm::Switch, Some("SYW-GEN-01")),
        field("terrain.*.id", "Name", FieldForm::Text, None),
        field("terrain.*.level", "Type of ground", FieldForm::Whole(0, 4), Some("SYW-TERR-01")),
        field("terrain.*.cover", "Cover", words(&["none", "soft", "hard"]), Some("SYW-SHOOT-13")),
        field("objective.*.points", "Points", FieldForm::Number(0.0, 1000.0), Some("SYW-WIN-05")),
        field("objective.*.within", "Within", FieldForm::Number(0.0, 100.0), Some("SYW-WIN-05")),
        field(
            "objective.*.kind",
            "What must be done",
            words(&["massed_on", "more_in", "last_within"]),
            Some("SYW-WIN-05"),
        ),
        field("group.*.id", "Name", FieldForm::Text, Some("SYW-GROUP-01")),
        field("group.*.order", "Order", words(&["stand", "reserve", "advance"]), Some("SYW-ORDER-01")),
        field("group.*.command", "General", FieldForm::Named("general".into()), Some("SYW-ARMY-22")),
        field("group.*.flank_march", "On a flank march", FieldForm::Switch, Some("SYW-DEPLOY-16")),
        field("unit.*.upgraded_drill", "Militia, normal drill", FieldForm::Switch, Some("SYW-POINTS-03")),
        field("unit.*.upgraded_shots", "Militia, short range", FieldForm::Switch, Some("SYW-POINTS-03")),
    ]
}
