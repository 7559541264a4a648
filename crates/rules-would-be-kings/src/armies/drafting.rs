//! What an editor needs to know of these scenario files, from the rulebook's own data.

use tricorne_game::drafting::{DraftField, DraftSide, Drafting, FieldForm, GroundKind, TroopKind};
use tricorne_game::view::Arm;

use super::pitch::TABLE;
use crate::rulebook::{Class, GroundShape, Rulebook, Sight};
use crate::state::MAX_MODELS;

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

/// What an editor needs to know.
pub(crate) fn drafting(book: &Rulebook) -> Drafting {
    let blank = format!(
        "format = 1\nruleset = \"would-be-kings\"\ntitle = \"A new skirmish\"\nrounds = 12\nfirst = \"imperial\"\n\n\
         [table]\nwidth = {}\nheight = {}\n\n[home]\nimperial = \"west\"\nnative = \"east\"\n\n\
         [victory]\ndraw_margin = 0\n\n[[victory.lost]]\nside = \"imperial\"\npoints = \"full\"\n\n\
         [[victory.lost]]\nside = \"native\"\npoints = \"full\"\n",
        TABLE.0, TABLE.1
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
    troops.push(TroopKind {
        id: "arrival".into(),
        name: "Arrival point".into(),
        arm: Arm::Command,
        sides: Vec::new(),
        array: Some("arrival".into()),
        body: String::new(),
        place_key: "at".into(),
        faces: false,
    });
    let side = |id: &str, name: &str, prefix: &str| DraftSide {
        id: id.into(),
        name: name.into(),
        prefix: prefix.into(),
    };
    let weapons: Vec<&str> = book.weapons.iter().map(|w| w.name.as_str()).collect();
    let characters: Vec<&str> = book.characters.iter().map(|c| c.name.name()).collect();
    let edges = ["north", "east", "south", "west"];
    let most = i64::try_from(MAX_MODELS).unwrap_or(i64::MAX);
    let fields = vec![
        field("title", "Title", FieldForm::Text, None),
        field("notes", "Notes", FieldForm::Text, None),
        field("rounds", "Rounds", FieldForm::Whole(1, 99), Some("WBK-SCEN-05")),
        field("first", "First turn", one_of(&["imperial", "native"]), Some("WBK-SCEN-01")),
        field("table.width", "Table width", FieldForm::Number(12.0, 240.0), None),
        field("table.height", "Table height", FieldForm::Number(12.0, 240.0), None),
        field("home.imperial", "Imperial edge", one_of(&edges), Some("WBK-RETREAT-11")),
        field("home.native", "Native edge", one_of(&edges), Some("WBK-RETREAT-11")),
        field("limits.points", "Points for each side", FieldForm::Whole(2, 200), Some("WBK-FORCE-01")),
        field("limits.enforce", "Limits hold", FieldForm::Switch, Some("WBK-FORCE-12")),
        field("deployment.depth", "Depth of the strips", FieldForm::Number(2.0, 48.0), Some("WBK-SCEN-04")),
        field("victory.draw_margin", "A lead that is a draw", FieldForm::Whole(0, 99), Some("WBK-SCEN-10")),
        field(
            "victory.markers.within",
            "Reach of a marker",
            FieldForm::Number(0.0, 100.0),
            Some("WBK-SCEN-09"),
        ),
        field(
            "victory.markers.each_round",
            "Points a round for a marker",
            FieldForm::Whole(0, 99),
            Some("WBK-SCEN-09"),
        ),
        field("victory.markers.from_round", "From round", FieldForm::Whole(1, 99), Some("WBK-SCEN-09")),
        field(
            "victory.markers.at_end",
            "Points for a marker at the end",
            FieldForm::Whole(0, 99),
            Some("WBK-SCEN-09"),
        ),
        field("unit.*.name", "Name", FieldForm::Text, None),
        field("unit.*.weapon", "Weapon", one_of(&weapons), Some("WBK-FORCE-02")),
        field("unit.*.models", "Models", FieldForm::Whole(1, most), Some("WBK-FORCE-02")),
        field("unit.*.layout", "Layout", one_of(&["cluster", "line", "gun"]), Some("WBK-MOD-07")),
        field("unit.*.leadership", "Leadership", FieldForm::Whole(2, 12), Some("WBK-LEAD-02")),
        field("unit.*.character", "Character", one_of(&characters), Some("WBK-LEAD-07")),
        field("unit.*.garrison", "Garrison of", FieldForm::Text, Some("WBK-MOD-32")),
    ];
    Drafting {
        blank,
        terrain_key: "terrain".into(),
        points_key: "at".into(),
        grounds,
        unit_key: "unit".into(),
        sides: vec![side("imperial", "Imperial", "I"), side("native", "Native", "N")],
        side_key: Some("side".into()),
        troops,
        fields,
    }
}
