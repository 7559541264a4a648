//! The JSON schema of a rulebook's scenario files: the common core, with the rulebook's part merged in at each place.

use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use super::read::{ArrivalWords, HeadWords, ObjectiveWords, PieceWords, SeatWords, SideWords, UnitWords};
use super::{Dialect, FORMAT, Nothing};

/// The schema of the scenario files of a dialect.
pub fn schema<D: Dialect>() -> Value
where
    D::Head: JsonSchema,
    D::Side: JsonSchema,
    D::Seat: JsonSchema,
    D::Ground: JsonSchema,
    D::Unit: JsonSchema,
    D::Objective: JsonSchema,
{
    let mut generator = SchemaGenerator::default();
    let mut head = merged::<HeadWords, D::Head>(&mut generator);
    let lists = [
        ("side", merged::<SideWords, D::Side>(&mut generator)),
        ("seat", merged::<SeatWords, D::Seat>(&mut generator)),
        ("terrain", merged::<PieceWords, D::Ground>(&mut generator)),
        ("unit", merged::<UnitWords, D::Unit>(&mut generator)),
        ("objective", merged::<ObjectiveWords, D::Objective>(&mut generator)),
        ("arrival", merged::<ArrivalWords, Nothing>(&mut generator)),
    ];
    if let Some(Value::Object(properties)) = head.get_mut("properties") {
        properties.retain(|field, _| !D::WITHOUT.contains(&field.as_str()));
        properties.insert("format".into(), json!({ "const": FORMAT }));
        properties.insert("ruleset".into(), json!({ "const": D::RULESET }));
        for (name, mut entry) in lists {
            if D::WITHOUT.contains(&name) {
                continue;
            }
            if let Some(Value::Object(fields)) = entry.get_mut("properties") {
                fields.retain(|field, _| !D::WITHOUT.contains(&format!("{name}.{field}").as_str()));
            }
            properties.insert(name.into(), json!({ "type": "array", "items": entry }));
        }
    }
    if let Some(Value::Array(required)) = head.get_mut("required") {
        required.insert(0, json!("format"));
    }
    let mut schema = Map::from_iter([
        ("$schema".to_owned(), json!("https://json-schema.org/draft/2020-12/schema")),
        ("title".to_owned(), json!(format!("A scenario of {}", D::RULESET))),
    ]);
    schema.extend(head);
    schema.insert("$defs".into(), Value::Object(generator.take_definitions(true)));
    Value::Object(schema)
}

/// The common words of an entry and the rulebook's own as one object that takes no others.
fn merged<C: JsonSchema, P: JsonSchema>(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut both = object(&C::json_schema(generator));
    let own = object(&P::json_schema(generator));
    for key in ["properties", "required"] {
        match (both.get_mut(key), own.get(key)) {
            (Some(Value::Object(all)), Some(Value::Object(more))) => all.extend(more.clone()),
            (Some(Value::Array(all)), Some(Value::Array(more))) => all.extend(more.iter().cloned()),
            (None, Some(more)) => {
                both.insert(key.into(), more.clone());
            }
            _ => {}
        }
    }
    both.remove("title");
    both.remove("description");
    both
}

fn object(schema: &schemars::Schema) -> Map<String, Value> {
    schema.as_object().cloned().unwrap_or_default()
}
