//! What an editor needs to draw our scenario files.

use tricorne_game::drafting::{
    Belongs, DraftField, DraftSide, Drafting, Extent, FeatureKind, FieldForm, GroundKind, TroopKind,
};
use tricorne_game::view::Arm;

use super::paper::{arm, usual};
use super::{books, kind_name};
use crate::formations::SHAPES;
use crate::movement::terrain::Outline;
use crate::rulebook::{Kind, most_privates};

const BLANK: &str = "format = 2\nruleset = \"all-the-kings-men\"\ntitle = \"A new field\"\nstory = \"\"\n\
table = { width = 72, height = 48 }\n\n[options]\n\n[[side]]\nid = \"red\"\nname = \"Red\"\n\n\
[[side]]\nid = \"black\"\nname = \"Black\"\n";

/// What may be put where.
pub(crate) fn drafting() -> Option<Drafting> {
    let (rules, _) = books()?;
    let grounds = rules
        .ground
        .kind
        .iter()
        .map(|(kind, g)| {
            let mut name = kind.replace('_', " ");
            if let Some(first) = name.get_mut(..1) {
                first.make_ascii_uppercase();
            }
            GroundKind {
                id: kind.clone(),
                kind: kind.clone(),
                name,
                look: g.look,
                closed: g.shape == Outline::Area,
                extra: String::new(),
            }
        })
        .collect();
    let mut troops: Vec<TroopKind> = Kind::ALL
        .into_iter()
        .map(|kind| TroopKind {
            id: kind.name().into(),
            name: kind_name(kind).into(),
            arm: arm(kind),
            sides: Vec::new(),
            array: None,
            body: format!("kind = \"{}\"\nshape = \"{}\"\n", kind.name(), usual(kind)),
            place_key: "at".into(),
            faces: true,
        })
        .collect();
    for army in ["red", "black"] {
        troops.push(TroopKind {
            id: format!("general-{army}"),
            name: format!("General of the {army} army"),
            arm: Arm::Command,
            sides: vec![army.into()],
            array: Some("seat".into()),
            body: format!("side = \"{army}\"\nrating = 2\n"),
            place_key: "general".into(),
            faces: false,
        });
    }
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
        grounds,
        unit_key: "unit".into(),
        sides: vec![side("red", "Red", "R"), side("black", "Black", "B")],
        sides_key: Some("side".into()),
        side_key: Some("side".into()),
        troops,
        features: features(),
        fields: fields(),
    })
}

fn features() -> Vec<FeatureKind> {
    let objective = |id: &str, name: &str, extent: Extent, body: &str| {
        FeatureKind::new(id, name, "objective.*", extent)
            .told_by(&format!("kind = \"{id}\""))
            .body(body)
            .clause("ATKM-END-08")
    };
    let area = || Extent::Area("zone.0.polygon".into());
    let mut all = vec![
        objective("hold", "Place to hold", Extent::circle("at", "within"), "within = 6\npoints = 10"),
        objective("seize", "Ground to seize", area(), ""),
        objective("occupy", "Ground to occupy", area(), "from = 3\npoints = 3"),
        FeatureKind::new("peak", "Top of a hill", "terrain.*", Extent::Point("peak".into()))
            .told_by("kind = \"hill\"")
            .belongs(Belongs::Ground)
            .clause("ATKM-TERR-13"),
    ];
    for (n, (army, name)) in [("red", "Red"), ("black", "Black")].into_iter().enumerate() {
        let path = format!("side.{n}");
        let edge = Extent::Edge("home".into());
        all.push(
            FeatureKind::new(&format!("edge-{army}"), &format!("{name}'s edge"), &path, edge)
                .clause("ATKM-SETUP-04"),
        );
        let zone = Extent::Corners("zone.0.rect".into());
        all.push(
            FeatureKind::new(&format!("zone-{army}"), &format!("{name}'s deployment zone"), &path, zone)
                .clause("ATKM-SETUP-04"),
        );
    }
    all
}

fn fields() -> Vec<DraftField> {
    let field = |path: &str, label: &str, form: FieldForm, clause: Option<&str>| DraftField {
        path: path.into(),
        label: label.into(),
        form,
        clause: clause.map(str::to_owned),
    };
    let words = |all: &[&str]| FieldForm::OneOf(all.iter().map(|&s| s.to_owned()).collect());
    let most = Kind::ALL.into_iter().map(|k| most_privates(k.name())).max().unwrap_or(1);
    let lists: Vec<String> =
        books().map(|(rules, _)| rules.lists.iter().map(|l| l.name.clone()).collect()).unwrap_or_default();
    let mut out = vec![
        field("title", "Title", FieldForm::Text, None),
        field("period", "Period", FieldForm::Text, None),
        field("table.width", "Table, west to east", FieldForm::Number(12.0, 240.0), Some("ATKM-SETUP-01")),
        field("table.height", "Table, south to north", FieldForm::Number(12.0, 240.0), Some("ATKM-SETUP-01")),
        field("turns", "Turns, none for no limit", FieldForm::Whole(1, 100), Some("ATKM-END-05")),
        field("story", "What it is about", FieldForm::Text, None),
    ];
    for (n, name) in ["Red", "Black"].into_iter().enumerate() {
        let at = |key: &str| format!("side.{n}.{key}");
        out.push(field(&at("name"), &format!("{name} is called"), FieldForm::Text, None));
        out.push(field(
            &at("list"),
            &format!("{name}'s period list"),
            FieldForm::OneOf(lists.clone()),
            Some("ATKM-FORCE-08"),
        ));
        out.push(field(
            &at("budget"),
            &format!("{name}'s points"),
            FieldForm::Whole(0, 2000),
            Some("ATKM-FORCE-07"),
        ));
        out.push(field(
            &at("rolls"),
            &format!("{name}'s units rolled for"),
            FieldForm::Whole(0, 40),
            Some("ATKM-FORCE-02"),
        ));
        out.push(field(
            &at("home"),
            &format!("{name}'s edge"),
            words(&["south", "north", "west", "east"]),
            Some("ATKM-SETUP-04"),
        ));
    }
    let shapes: Vec<String> = SHAPES.iter().map(ToString::to_string).collect();
    out.extend([
        field("unit.*.name", "Name", FieldForm::Text, None),
        field("unit.*.shape", "Formation", FieldForm::OneOf(shapes), Some("ATKM-FORM-01")),
        field("unit.*.n", "Privates", FieldForm::Whole(1, i64::from(most)), Some("ATKM-UNIT-02")),
        field(
            "unit.*.n0",
            "Privates at the start",
            FieldForm::Whole(1, i64::from(most)),
            Some("ATKM-ROUT-02"),
        ),
        field("unit.*.seat", "Seat that commands it, by its name", FieldForm::Text, Some("ATKM-TEAM-05")),
        field("unit.*.quality", "Quality", words(&["line", "elite", "militia"]), Some("ATKM-ADV-05")),
        field("unit.*.light", "Light infantry", FieldForm::Switch, Some("ATKM-ADV-02")),
        field("objective.*.points", "Score, or score a turn", FieldForm::Whole(0, 1000), Some("ATKM-END-08")),
        field("objective.*.within", "Within", FieldForm::Number(0.0, 100.0), Some("ATKM-END-08")),
        field("objective.*.from", "From turn", FieldForm::Whole(1, 100), Some("ATKM-END-08")),
        field("objective.*.name", "Name", FieldForm::Text, None),
        field("terrain.*.id", "Name", FieldForm::Text, None),
        field("terrain.*.opaque", "Can't be seen through", FieldForm::Switch, None),
        field("seat.*.name", "General's name", FieldForm::Text, Some("ATKM-GEN-01")),
        field("seat.*.rating", "General's rating", FieldForm::Whole(1, 3), Some("ATKM-GEN-02")),
        field("seat.*.commander", "Commanding General", FieldForm::Switch, Some("ATKM-TEAM-03")),
    ]);
    out
}
