//! What an editor needs to know of a rulebook's scenario files, from its `drafting.toml`: the blank, the sides, the fields,
//! the features, and the grounds and troops that are the same whatever the other files say. Words that those files hold (a
//! list of weapons, the most men of a unit) are named there and given by the rulebook.

use serde::Deserialize;
use tricorne_game::drafting::{
    Belongs, DraftField, DraftSide, Drafting, Extent, FeatureKind, FieldForm, GroundKind, TroopKind,
};
use tricorne_game::view::{Arm, Look};
use tricorne_game::{Fault, Source};

use crate::words::capital;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    #[serde(rename = "format")]
    _format: u32,
    blank: String,
    /// Whether a piece of ground may be a line.
    lines: bool,
    side: Vec<DraftSide>,
    #[serde(default)]
    ground: Vec<Ground>,
    #[serde(default)]
    troop: Vec<Troop>,
    feature: Vec<Feature>,
    field: Vec<Field>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ground {
    /// Its kind, unless there are several of one kind.
    id: Option<String>,
    kind: String,
    name: String,
    look: Look,
    #[serde(default = "yes")]
    closed: bool,
    #[serde(default)]
    extra: String,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Troop {
    id: String,
    name: String,
    arm: Arm,
    #[serde(default)]
    body: String,
    #[serde(default)]
    sides: Vec<String>,
    array: Option<String>,
    place_key: Option<String>,
    #[serde(default = "yes")]
    faces: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Feature {
    id: String,
    name: String,
    path: String,
    extent: Extent,
    #[serde(default)]
    told_by: String,
    #[serde(default)]
    body: String,
    id_prefix: Option<String>,
    id_key: Option<String>,
    #[serde(default)]
    belongs: Belongs,
    clause: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Field {
    path: String,
    label: String,
    #[serde(default)]
    form: Form,
    clause: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Form {
    #[default]
    Text,
    Switch,
    Whole(i64, Most),
    Number(f64, f64),
    OneOf(Words),
    Named(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Most {
    Number(i64),
    Named(String),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Words {
    All(Vec<String>),
    Named(String),
}

/// Words of the other data files that fields name.
pub type Given<'a> = &'a [(&'a str, Vec<String>)];

/// Reads a rulebook's `drafting.toml`.
///
/// # Errors
/// A fault with its line when the file is no drafting, or names words that are not given.
pub fn read(text: &str, given: Given<'_>) -> Result<Drafting, Fault> {
    let source = Source::new("drafting.toml", text);
    let written: Written = source.parse()?;
    let fields: Result<Vec<DraftField>, Fault> = written
        .field
        .into_iter()
        .enumerate()
        .map(|(n, field)| {
            let named = |name: &str| {
                let found = given.iter().find(|(known, _)| *known == name).map(|(_, words)| words.clone());
                let place = ["field".into(), n.into(), "form".into()];
                found.ok_or_else(|| source.fault(&place, format!("nobody gives the words `{name}`")))
            };
            let form = match field.form {
                Form::Text => FieldForm::Text,
                Form::Switch => FieldForm::Switch,
                Form::Whole(least, Most::Number(most)) => FieldForm::Whole(least, most),
                Form::Whole(least, Most::Named(name)) => {
                    let most = named(&name)?.first().and_then(|n| n.parse().ok());
                    FieldForm::Whole(least, most.unwrap_or(i64::MAX))
                }
                Form::Number(least, most) => FieldForm::Number(least, most),
                Form::OneOf(Words::All(words)) => FieldForm::OneOf(words),
                Form::OneOf(Words::Named(name)) => FieldForm::OneOf(named(&name)?),
                Form::Named(array) => FieldForm::Named(array),
            };
            Ok(DraftField { path: field.path, label: field.label, form, clause: field.clause })
        })
        .collect();
    Ok(Drafting {
        blank: written.blank,
        terrain_key: "terrain".into(),
        points_key: "outline".into(),
        line_key: written.lines.then(|| "line".into()),
        grounds: written.ground.into_iter().map(piece).collect(),
        unit_key: "unit".into(),
        sides: written.side,
        sides_key: Some("side".into()),
        side_key: Some("side".into()),
        troops: written.troop.into_iter().map(body).collect(),
        features: written.feature.into_iter().map(thing).collect(),
        fields: fields?,
    })
}

fn piece(ground: Ground) -> GroundKind {
    GroundKind {
        id: ground.id.unwrap_or_else(|| ground.kind.clone()),
        kind: ground.kind,
        name: ground.name,
        look: ground.look,
        closed: ground.closed,
        extra: ground.extra,
    }
}

fn body(written: Troop) -> TroopKind {
    TroopKind {
        sides: written.sides,
        array: written.array,
        place_key: written.place_key.unwrap_or_else(|| "at".into()),
        faces: written.faces,
        ..troop(&written.id, written.name, written.arm, written.body)
    }
}

fn thing(written: Feature) -> FeatureKind {
    let mut kind = FeatureKind::new(&written.id, &written.name, &written.path, written.extent);
    kind.told_by = written.told_by;
    kind.body = written.body;
    kind.id_prefix = written.id_prefix;
    kind.id_key = written.id_key.unwrap_or(kind.id_key);
    kind.belongs = written.belongs;
    kind.clause = written.clause;
    kind
}

/// A kind of ground named as its rulebook calls it.
pub fn ground(kind: &str, look: Look, closed: bool, extra: &str) -> GroundKind {
    let name = capital(&kind.replace('_', " "));
    GroundKind { id: kind.into(), kind: kind.into(), name, look, closed, extra: extra.into() }
}

/// A unit that any side may have and that stands `at` a place with a facing.
pub fn troop(id: &str, name: impl Into<String>, arm: Arm, body: impl Into<String>) -> TroopKind {
    TroopKind {
        id: id.into(),
        name: name.into(),
        arm,
        sides: Vec::new(),
        array: None,
        body: body.into(),
        place_key: "at".into(),
        faces: true,
    }
}
