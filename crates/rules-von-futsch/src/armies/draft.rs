//! What an editor needs to know of the scenario files.

use tricorne_game::drafting::{
    Belongs, DraftField, DraftSide, Drafting, Extent, FeatureKind, FieldForm, GroundKind, TroopKind,
};
use tricorne_game::view::{Arm, Look};

use crate::model::{Kind, Quality};

const BLANK: &str = "format = 2\nruleset = \"von-futsch\"\ntitle = \"A field of one's own\"\nstory = \"\"\nturns = 8\n\
                     table = { width = 72, height = 48 }\n\n[[side]]\nid = \"red\"\nname = \"Red\"\n\n\
                     [[side]]\nid = \"black\"\nname = \"Black\"\n";

/// Where things stand in a scenario file, and what may be put there.
pub(crate) fn drafting() -> Drafting {
    let ground = |kind: &str, name: &str, look: Look, extra: &str| GroundKind {
        id: kind.into(),
        kind: kind.into(),
        name: name.into(),
        look,
        closed: true,
        extra: extra.into(),
    };
    let troop = |id: &str, name: &str, arm: Arm, body: &str| TroopKind {
        id: id.into(),
        name: name.into(),
        arm,
        sides: vec![],
        array: None,
        body: body.into(),
        place_key: "at".into(),
        faces: true,
    };
    let chief = |id: &str, name: &str, body: &str| TroopKind {
        array: Some("commander".into()),
        faces: false,
        ..troop(id, name, Arm::Command, body)
    };
    let field = |path: &str, label: &str, form: FieldForm, clause: Option<&str>| DraftField {
        path: path.into(),
        label: label.into(),
        form,
        clause: clause.map(Into::into),
    };
    let qualities = [Quality::Elite, Quality::Normal, Quality::Poor].map(|q| q.name().to_owned()).to_vec();
    let mut formations: Vec<String> = Vec::new();
    for kind in [Kind::Infantry, Kind::Heavy, Kind::Artillery, Kind::Skirmish, Kind::Wagon] {
        for formation in kind.formations() {
            if !formations.iter().any(|f| f == formation.name()) {
                formations.push(formation.name().into());
            }
        }
    }
    let side = |id: &str, name: &str, prefix: &str| DraftSide {
        id: id.into(),
        name: name.into(),
        prefix: prefix.into(),
    };
    Drafting {
        blank: BLANK.into(),
        terrain_key: "terrain".into(),
        points_key: "outline".into(),
        line_key: None,
        grounds: vec![
            ground("broken", "Broken ground", Look::Rough, ""),
            ground("difficult", "Marsh", Look::Marsh, ""),
            ground("woods", "Woods", Look::Wood, ""),
            ground("town", "Town", Look::Town, ""),
            ground("hill", "Hill", Look::Hill, ""),
            ground("river", "River", Look::Water, ""),
            ground("road", "Road", Look::Road, ""),
            ground("crossing", "Bridge or ford", Look::Crossing, ""),
            ground("obstacle", "Hedge", Look::Hedge, ""),
        ],
        unit_key: "unit".into(),
        sides: vec![side("red", "Red", "R"), side("black", "Black", "B")],
        sides_key: Some("side".into()),
        side_key: Some("side".into()),
        features: features(),
        troops: vec![
            troop("battalion", "Battalion", Arm::Infantry, "kind = \"infantry\"\nformation = \"line\""),
            troop("heavy", "Heavy squadron", Arm::Cavalry, "kind = \"heavy\"\nformation = \"line\""),
            troop("light", "Light squadron", Arm::Cavalry, "kind = \"light\"\nformation = \"line\""),
            troop("gun", "Artillery", Arm::Artillery, "kind = \"artillery\"\nformation = \"unlimbered\""),
            troop("skirmishers", "Skirmishers", Arm::Skirmishers, "kind = \"skirmish\""),
            troop("wagon", "Wagon", Arm::Train, "kind = \"wagon\""),
            chief("army", "Army commander", "id = \"\"\nlevel = \"army\""),
            chief("regimental", "Regimental commander", "id = \"\"\nlevel = \"regimental\"\nregiment = \"\""),
            chief("wing", "Wing commander", "id = \"\"\nlevel = \"wing\"\nwing = \"\""),
        ],
        fields: vec![
            field("title", "Title", FieldForm::Text, None),
            field("story", "Story", FieldForm::Text, None),
            field("turns", "Turns", FieldForm::Whole(1, 100), Some("VF-SCEN-07")),
            field("table.width", "Table, west to east", FieldForm::Number(6.0, 400.0), Some("VF-SCEN-01")),
            field("table.height", "Table, south to north", FieldForm::Number(6.0, 400.0), Some("VF-SCEN-01")),
            field("side.0.name", "Red's name", FieldForm::Text, None),
            field("side.1.name", "Black's name", FieldForm::Text, None),
            field(
                "side.0.break_point",
                "Red's break point",
                FieldForm::Whole(1, 32),
                Some("VF-ARMYMORALE-01"),
            ),
            field(
                "side.1.break_point",
                "Black's break point",
                FieldForm::Whole(1, 32),
                Some("VF-ARMYMORALE-01"),
            ),
            field("points_game", "Forces and ground of a points game", FieldForm::Switch, Some("VF-SCEN-02")),
            field("objective.*.name", "What it is called", FieldForm::Text, None),
            field("objective.*.within", "Within", FieldForm::Number(0.0, 100.0), Some("VF-SCEN-11")),
            field(
                "objective.*.side",
                "Attacker",
                FieldForm::OneOf(vec!["red".into(), "black".into()]),
                Some("VF-SCEN-12"),
            ),
            field("objective.*.units", "Units past the line", FieldForm::Whole(1, 40), Some("VF-SCEN-12")),
            field("objective.*.wagon", "Wagon", FieldForm::Named("unit".into()), Some("VF-SCEN-13")),
            field("terrain.*.id", "Name", FieldForm::Text, None),
            field("terrain.*.hard", "Hard cover", FieldForm::Switch, Some("VF-MODEL-33")),
            field("unit.*.name", "Name", FieldForm::Text, None),
            field("unit.*.quality", "Quality", FieldForm::OneOf(qualities), Some("VF-MODEL-15")),
            field("unit.*.formation", "Formation", FieldForm::OneOf(formations), Some("VF-MODEL-18")),
            field("unit.*.regiment", "Regiment", FieldForm::Text, Some("VF-ARMY-03")),
            field("unit.*.wing", "Wing", FieldForm::Text, Some("VF-ARMY-04")),
            field("unit.*.colours", "Has colours", FieldForm::Switch, Some("VF-CAPTURE-05")),
            field("commander.*.name", "Name", FieldForm::Text, None),
            field("commander.*.regiment", "Regiment", FieldForm::Text, Some("VF-ARMY-03")),
            field("commander.*.wing", "Wing", FieldForm::Text, Some("VF-ARMY-04")),
        ],
    }
}

/// A scenario has one objective at most; the loader says so of a second.
fn features() -> Vec<FeatureKind> {
    let objective = |kind: &str, id: &str, name: &str, extent: Extent, clause: &str| {
        FeatureKind::new(id, name, "objective.*", extent)
            .told_by(&format!("kind = \"{kind}\""))
            .clause(clause)
    };
    vec![
        objective("hold", "hold", "Place to hold", Extent::circle("at", "within"), "VF-SCEN-11")
            .body("within = 3"),
        objective("storm", "storm", "Ground to storm", Extent::On("terrain".into()), "VF-SCEN-12")
            .body("side = \"red\"\nunits = 3\nbeyond = 24"),
        objective("storm", "line", "Line to pass", Extent::Level("beyond".into()), "VF-SCEN-12")
            .belongs(Belongs::Other),
        objective(
            "convoy",
            "convoy",
            "Exit of a wagon",
            Extent::stretch("=north", "zone.0.from", "zone.0.to"),
            "VF-SCEN-13",
        )
        .body("side = \"red\"\nwagon = \"\"\nzone = [{ edge = \"north\" }]"),
    ]
}
