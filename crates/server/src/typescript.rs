//! The messages as TypeScript, for the page: written from the same schemas that `/api/schema` and the OpenAPI description
//! are made of.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::routes;

/// TypeScript types of every message and of every body over HTTP.
pub fn typescript() -> String {
    let (asked, mut types) = routes::description().types();
    // What is asked may leave out what is always told, so the same name can mean two things.
    let mut renamed = BTreeMap::new();
    for (name, schema) in &asked {
        if types.get(name).is_some_and(|known| definition(name, known) != definition(name, schema)) {
            renamed.insert(format!("#/$defs/{name}"), format!("#/$defs/Asked{name}"));
        }
    }
    for (name, mut schema) in asked {
        let name =
            if renamed.contains_key(&format!("#/$defs/{name}")) { format!("Asked{name}") } else { name };
        rename(&mut schema, &renamed);
        types.entry(name).or_insert(schema);
    }
    let mut text = String::from(
        "// The server's messages. Written by `TRICORNE_WRITE=1 cargo test -p tricorne-server --test all typescript`\n\
         // from the Rust types; not to be edited.\n",
    );
    for (name, schema) in &types {
        text.push('\n');
        text.push_str(&definition(name, schema));
    }
    text
}

fn rename(schema: &mut Value, names: &BTreeMap<String, String>) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                match value {
                    Value::String(text) if key == "$ref" => {
                        if let Some(other) = names.get(text.as_str()) {
                            text.clone_from(other);
                        }
                    }
                    other => rename(other, names),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|v| rename(v, names)),
        _ => {}
    }
}

fn definition(name: &str, schema: &Value) -> String {
    format!("{}export type {name} = {};\n", comment(schema, ""), kind(schema, ""))
}

fn comment(schema: &Value, indent: &str) -> String {
    let Some(text) = schema.get("description").and_then(Value::as_str) else { return String::new() };
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    format!("{indent}/** {} */\n", lines.join(" ").replace("*/", "* /"))
}

/// A schema as a type.
fn kind(schema: &Value, indent: &str) -> String {
    let Some(map) = schema.as_object() else { return "unknown".into() };
    if let Some(name) = map.get("$ref").and_then(Value::as_str) {
        return name.rsplit('/').next().unwrap_or("unknown").into();
    }
    if let Some(value) = map.get("const") {
        return value.to_string();
    }
    if let Some(values) = map.get("enum").and_then(Value::as_array) {
        return union(values.iter().map(Value::to_string));
    }
    let mut all: Vec<String> = Vec::new();
    if map.get("properties").is_some_and(Value::is_object) || map.get("type") == Some(&"object".into()) {
        all.push(object(map, indent));
    } else if let Some(named) = map.get("type") {
        all.push(match named {
            Value::Array(names) => union(names.iter().map(|n| simple(n.as_str(), map, indent))),
            name => simple(name.as_str(), map, indent),
        });
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(ways) = map.get(key).and_then(Value::as_array) {
            let ways = union(ways.iter().map(|way| kind(way, indent)));
            // An object that may be any of several holds its own fields besides.
            if all.first().is_some_and(|a| a == "Record<string, unknown>") {
                all.clear();
            }
            all.push(if all.is_empty() { ways } else { format!("({ways})") });
        }
    }
    if let Some(parts) = map.get("allOf").and_then(Value::as_array) {
        all.extend(parts.iter().map(|part| kind(part, indent)));
    }
    if all.is_empty() { "unknown".into() } else { all.join(" & ") }
}

fn union(ways: impl Iterator<Item = String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for way in ways {
        if !seen.contains(&way) {
            seen.push(way);
        }
    }
    seen.join(" | ")
}

fn simple(name: Option<&str>, map: &Map<String, Value>, indent: &str) -> String {
    match name {
        Some("string") => "string".into(),
        Some("number" | "integer") => "number".into(),
        Some("boolean") => "boolean".into(),
        Some("null") => "null".into(),
        Some("object") => object(map, indent),
        Some("array") => array(map, indent),
        _ => "unknown".into(),
    }
}

fn array(map: &Map<String, Value>, indent: &str) -> String {
    if let Some(items) = map.get("prefixItems").and_then(Value::as_array) {
        let items: Vec<String> = items.iter().map(|i| kind(i, indent)).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = map.get("items").map_or_else(|| "unknown".into(), |i| kind(i, indent));
    let count = |key: &str| map.get(key).and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
    match (count("minItems"), count("maxItems")) {
        (Some(n), Some(m)) if n == m && n <= 4 => format!("[{}]", vec![item; n].join(", ")),
        _ if item.contains([' ', '|']) => format!("Array<{item}>"),
        _ => format!("{item}[]"),
    }
}

fn object(map: &Map<String, Value>, indent: &str) -> String {
    let Some(fields) = map.get("properties").and_then(Value::as_object) else {
        return match map.get("additionalProperties") {
            Some(Value::Bool(false)) => "Record<string, never>".into(),
            Some(values @ Value::Object(_)) => format!("Record<string, {}>", kind(values, indent)),
            _ => "Record<string, unknown>".into(),
        };
    };
    let required: Vec<&str> = map
        .get("required")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect();
    let inner = format!("{indent}  ");
    let mut text = String::from("{\n");
    for (name, schema) in fields {
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let name = if plain { name.clone() } else { format!("{name:?}") };
        let _ =
            writeln!(text, "{}{inner}{name}{optional}: {};", comment(schema, &inner), kind(schema, &inner));
    }
    format!("{text}{indent}}}")
}
