//! What an editor needs to draw our scenario files.

use tricorne_game::drafting::{DraftField, DraftSide, Drafting, FieldForm, GroundKind, TroopKind};
use tricorne_game::view::Arm;

use super::paper::{arm, usual};
use super::{books, kind_name};
use crate::formations::SHAPES;
use crate::rulebook::{Kind, OPTIONS, most_privates};
use crate::terrain::Outline;

const BLANK: &str = "format = 1\nruleset = \"all-the-kings-men\"\ntitle = \"A new field\"\nblurb = \"\"\ntable = [72, 48]\n\n\
[options]\n\n[armies.red]\nname = \"Red\"\n\n[armies.black]\nname = \"Black\"\n";

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
            body: format!("army = \"{army}\"\nrating = 2\n"),
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
        points_key: "points".into(),
        grounds,
        unit_key: "unit".into(),
        sides: vec![side("red", "Red", "R"), side("black", "Black", "B")],
        side_key: Some("army".into()),
        troops,
        fields: fields(),
    })
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
        field("blurb", "What it is about", FieldForm::Text, None),
    ];
    for army in ["red", "black"] {
        let name = if army == "red" { "Red" } else { "Black" };
        let at = |key: &str| format!("armies.{army}.{key}");
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
            &at("edge"),
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
        field("unit.*.seat", "Seat that commands it", FieldForm::Whole(0, 5), Some("ATKM-TEAM-05")),
        field("unit.*.quality", "Quality", words(&["line", "elite", "militia"]), Some("ATKM-ADV-05")),
        field("unit.*.light", "Light infantry", FieldForm::Switch, Some("ATKM-ADV-02")),
        field("seat.*.name", "General's name", FieldForm::Text, Some("ATKM-GEN-01")),
        field("seat.*.rating", "General's rating", FieldForm::Whole(1, 3), Some("ATKM-GEN-02")),
        field("seat.*.commander", "Commanding General", FieldForm::Switch, Some("ATKM-TEAM-03")),
    ]);
    for spec in &OPTIONS.specs {
        let form = if spec.others.iter().any(|o| o == "number") {
            FieldForm::Whole(0, 1000)
        } else {
            FieldForm::OneOf(
                std::iter::once(spec.default.clone()).chain(spec.others.iter().cloned()).collect(),
            )
        };
        out.push(field(
            &format!("options.{}", spec.id),
            &spec.about,
            form,
            spec.clauses.first().map(String::as_str),
        ));
    }
    out
}
