//! What an editor needs to know of these scenario files, from the rulebook's own data.

use tricorne_game::drafting::{
    DraftField, DraftSide, Drafting, Extent, FeatureKind, FieldForm, GroundKind, TroopKind,
};
use tricorne_game::view::Arm;

use super::pitch::TABLE;
use crate::state::MAX_MODELS;
use crate::tables::rulebook::{Class, GroundShape, Rulebook, Sight};

fn arm(class: Class) -> Arm {
    match class {
        Class::Infantry => Arm::Infantry,
        Class::Cavalry => Arm::Cavalry,
        Class::Crewed => Arm::Artillery,
    }
}

fn field(path: &str, label: &str, form: FieldForm, clause: Option<&str>) -> DraftField {
    DraftField { path: path.into(), label: label.into(), form, clause: clause.map(str::to_owned) }
}

fn one_of(values: &[&str]) -> FieldForm {
    FieldForm::OneOf(values.iter().map(|v| (*v).to_owned()).collect())
}

fn features() -> Vec<FeatureKind> {
    let scored = |id: &str, name: &str, extent: Extent, body: &str, clause: &str| {
        FeatureKind::new(id, name, "objective.*", extent)
            .told_by(&format!("kind = \"{id}\""))
            .body(body)
            .clause(clause)
    };
    let building = || Extent::On("terrain".into());
    let nowhere = Extent::Nowhere;
    let mut all = vec![
        FeatureKind::new("arrival", "Arrival point", "arrival.*", Extent::Point("at".into()))
            .with_id("P")
            .clause("WBK-SOLO-03"),
        scored("marker", "Place to hold", Extent::circle("at", "/markers.within"), "", "WBK-SCEN-09")
            .named("M"),
        scored(
            "exit",
            "Exit over an edge",
            Extent::stretch("zone.0.edge", "zone.0.from", "zone.0.to"),
            "side = \"imperial\"",
            "WBK-SCEN-07",
        ),
        scored(
            "garrison",
            "Building to garrison",
            building(),
            "side = \"imperial\"\npoints = 6",
            "WBK-SCEN-09",
        ),
        scored("storm", "Building to storm", building(), "side = \"native\"\npoints = 10", "WBK-SCEN-09"),
        scored(
            "lost",
            "Points for enemies lost",
            nowhere.clone(),
            "side = \"imperial\"\nshare = \"full\"",
            "WBK-SCEN-06",
        ),
        scored(
            "left",
            "Points for enemies left",
            nowhere.clone(),
            "side = \"native\"\npoints = 1",
            "WBK-SCEN-08",
        ),
        scored(
            "annihilation",
            "Points when no enemy is left",
            nowhere,
            "side = \"native\"\npoints = 10",
            "WBK-SCEN-06",
        ),
    ];
    for (n, (side, name)) in [("imperial", "Imperial"), ("native", "Native")].into_iter().enumerate() {
        let path = format!("side.{n}");
        let edge = Extent::Edge("home".into());
        all.push(
            FeatureKind::new(&format!("home-{side}"), &format!("{name} edge"), &path, edge)
                .clause("WBK-RETREAT-11"),
        );
        let (id, strip) = (format!("strip-{side}"), Extent::strip("zone.0.edge", "zone.0.depth"));
        all.push(
            FeatureKind::new(&id, &format!("{name} deployment strip"), &path, strip).clause("WBK-SCEN-04"),
        );
    }
    all
}

/// What an editor needs to know.
pub(crate) fn drafting(book: &Rulebook) -> Drafting {
    let blank = format!(
        "format = 2\nruleset = \"would-be-kings\"\ntitle = \"A new skirmish\"\nturns = 12\nfirst = \"imperial\"\n\
         draw_margin = 0\n\n[table]\nwidth = {}\nheight = {}\n\n\
         [[side]]\nid = \"imperial\"\nhome = \"west\"\n\n[[side]]\nid = \"native\"\nhome = \"east\"\n\n\
         [[objective]]\nkind = \"lost\"\nside = \"imperial\"\nshare = \"full\"\n\n\
         [[objective]]\nkind = \"lost\"\nside = \"native\"\nshare = \"full\"\n",
        TABLE[0], TABLE[1]
    );
    let grounds = book
        .ground
        .iter()
        .map(|(kind, ground)| {
            let mut name = kind.clone();
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            GroundKind {
                id: kind.clone(),
                kind: kind.clone(),
                name,
                look: ground.look,
                closed: ground.shape == GroundShape::Area,
                extra: match ground.sight {
                    Sight::Hill => "level = 1".into(),
                    Sight::Building => "capacity = 12".into(),
                    Sight::Clear | Sight::Wood => String::new(),
                },
            }
        })
        .collect();
    let mut troops = Vec::new();
    for profile in &book.profiles {
        for (i, weapon) in profile.weapons.iter().enumerate() {
            let many = profile.weapons.len() > 1;
            let body = if many {
                format!("kind = \"{}\"\nweapon = \"{weapon}\"", profile.code)
            } else {
                format!("kind = \"{}\"", profile.code)
            };
            troops.push(TroopKind {
                id: if i == 0 { profile.code.clone() } else { format!("{} {weapon}", profile.code) },
                name: if many { format!("{}, {weapon}", profile.name) } else { profile.name.clone() },
                arm: arm(profile.class),
                sides: Vec::new(),
                array: None,
                body,
                place_key: "at".into(),
                faces: true,
            });
        }
    }
    let side = |id: &str, name: &str, prefix: &str| DraftSide {
        id: id.into(),
        name: name.into(),
        prefix: prefix.into(),
    };
    let weapons: Vec<&str> = book.weapons.iter().map(|w| w.name.as_str()).collect();
    let characters: Vec<&str> = book.characters.iter().map(|c| c.name.name()).collect();
    let edges = ["north", "east", "south", "west"];
    let sides = ["imperial", "native"];
    let forces: Vec<&str> = book.forces.iter().map(|f| f.id.as_str()).collect();
    let most = i64::try_from(MAX_MODELS).unwrap_or(i64::MAX);
    let fields = vec![
        field("title", "Title", FieldForm::Text, None),
        field("story", "Story", FieldForm::Text, None),
        field("turns", "Rounds", FieldForm::Whole(1, 99), Some("WBK-SCEN-05")),
        field("first", "First turn", one_of(&sides), Some("WBK-SCEN-01")),
        field("table.width", "Table width", FieldForm::Number(12.0, 240.0), None),
        field("table.height", "Table height", FieldForm::Number(12.0, 240.0), None),
        field("limits.points", "Points for each side", FieldForm::Whole(2, 200), Some("WBK-FORCE-01")),
        field("limits.enforce", "Limits hold", FieldForm::Switch, Some("WBK-FORCE-12")),
        field("draw_margin", "A lead that is a draw", FieldForm::Whole(0, 99), Some("WBK-SCEN-10")),
        field("markers.within", "Reach of a marker", FieldForm::Number(0.0, 100.0), Some("WBK-SCEN-09")),
        field(
            "markers.each_round",
            "Points a round for a marker",
            FieldForm::Whole(0, 99),
            Some("WBK-SCEN-09"),
        ),
        field("markers.from_round", "From round", FieldForm::Whole(1, 99), Some("WBK-SCEN-09")),
        field(
            "markers.at_end",
            "Points for a marker at the end",
            FieldForm::Whole(0, 99),
            Some("WBK-SCEN-09"),
        ),
        field("side.0.home", "Imperial edge", one_of(&edges), Some("WBK-RETREAT-11")),
        field("side.1.home", "Native edge", one_of(&edges), Some("WBK-RETREAT-11")),
        field("side.0.zone.0.edge", "Imperial strip along", one_of(&edges), Some("WBK-SCEN-04")),
        field("side.0.zone.0.depth", "Its depth", FieldForm::Number(2.0, 48.0), Some("WBK-SCEN-04")),
        field("side.1.zone.0.edge", "Native strip along", one_of(&edges), Some("WBK-SCEN-04")),
        field("side.1.zone.0.depth", "Its depth", FieldForm::Number(2.0, 48.0), Some("WBK-SCEN-04")),
        field("side.0.force", "Imperial field force", one_of(&forces), Some("WBK-FORCE-12")),
        field("side.1.force", "Native field force", one_of(&forces), Some("WBK-FORCE-12")),
        field("objective.*.name", "Name", FieldForm::Text, None),
        field("objective.*.side", "Who scores", one_of(&sides), Some("WBK-SCEN-06")),
        field("objective.*.points", "Points", FieldForm::Whole(0, 99), Some("WBK-SCEN-06")),
        field("objective.*.share", "Share of what it cost", one_of(&["full", "half"]), Some("WBK-SCEN-06")),
        field("objective.*.each_round", "Points a round", FieldForm::Whole(0, 99), Some("WBK-SCEN-09")),
        field("objective.*.zone.0.edge", "Edge", one_of(&edges), Some("WBK-SCEN-07")),
        field(
            "objective.*.halved_scores_half",
            "At half strength half",
            FieldForm::Switch,
            Some("WBK-SCEN-07"),
        ),
        field("objective.*.crewed_bonus", "More for a gun", FieldForm::Whole(0, 99), Some("WBK-SCEN-07")),
        field("terrain.*.id", "Name", FieldForm::Text, None),
        field("terrain.*.level", "Level of a hill", FieldForm::Whole(1, 3), Some("WBK-MOD-23")),
        field("terrain.*.steep", "Steep", FieldForm::Switch, Some("WBK-MOD-23")),
        field("terrain.*.capacity", "Models a building holds", FieldForm::Whole(1, most), Some("WBK-MOD-32")),
        field("unit.*.name", "Name", FieldForm::Text, None),
        field("unit.*.side", "Side", one_of(&sides), None),
        field("unit.*.weapon", "Weapon", one_of(&weapons), Some("WBK-FORCE-02")),
        field("unit.*.models", "Models", FieldForm::Whole(1, most), Some("WBK-FORCE-02")),
        field("unit.*.layout", "Layout", one_of(&["cluster", "line", "gun"]), Some("WBK-MOD-07")),
        field("unit.*.leadership", "Leadership", FieldForm::Whole(2, 12), Some("WBK-LEAD-02")),
        field("unit.*.character", "Character", one_of(&characters), Some("WBK-LEAD-07")),
        field("unit.*.garrison", "Garrison of", FieldForm::Named("terrain".into()), Some("WBK-MOD-32")),
    ];
    Drafting {
        blank,
        terrain_key: "terrain".into(),
        points_key: "outline".into(),
        line_key: Some("line".into()),
        grounds,
        unit_key: "unit".into(),
        sides: vec![side("imperial", "Imperial", "I"), side("native", "Native", "N")],
        sides_key: Some("side".into()),
        side_key: Some("side".into()),
        features: features(),
        troops,
        fields,
    }
}
