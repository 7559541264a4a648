//! The OpenAPI description as the types have it that requests are read into and answers are written from, so that it
//! can't say anything else than the server does. It is made in the tests, which hold the published one to it
//! (`openapi.json`); a server serves that, and is compiled without any of this.

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::error::ErrorBody;
use crate::messages::{Request, Saying};
use crate::notices::{LobbyAsk, LobbySay};
use crate::openapi::ANY_SYSTEM;
use crate::request_line::{Answer, Body, Line};

/// How the JSON of a request or an answer is made: its schema.
pub(crate) type Form = Value;

/// The description, grown request by request. References are to `$defs`, as the generators write them; what is asked and
/// what is told are kept apart until the end.
pub(crate) struct Description {
    /// The types as they are read and as they are written, for the description and for the page.
    read: SchemaGenerator,
    written: SchemaGenerator,
    /// Path, method, what is asked and what is told.
    lines: Vec<(String, String, Value, Value)>,
    sockets: Map<String, Value>,
}

impl Description {
    pub(crate) fn new() -> Self {
        // The messages come first, so that their types keep their names if others have the same.
        let mut read = SchemaSettings::draft2020_12().for_deserialize().into_generator();
        read.subschema_for::<Request>();
        read.subschema_for::<LobbyAsk>();
        let mut written = SchemaSettings::draft2020_12().for_serialize().into_generator();
        written.subschema_for::<Saying>();
        written.subschema_for::<LobbySay>();
        Self { read, written, lines: Vec::new(), sockets: Map::new() }
    }

    /// The body of a request that is read into this type.
    pub(crate) fn asked<T: JsonSchema>(&mut self) -> Body {
        Body::Json(self.read.subschema_for::<T>().to_value())
    }

    /// An answer that is written from this type.
    pub(crate) fn told<T: JsonSchema>(&mut self) -> Answer {
        Answer::Json(self.written.subschema_for::<T>().to_value())
    }

    /// A request with a query of this type.
    pub(crate) fn add<Q: JsonSchema>(&mut self, line: Line<'_>) {
        let error = self.written.subschema_for::<ErrorBody>().to_value();
        let in_path = line.path.split('{').skip(1).filter_map(|p| p.split('}').next());
        let mut parameters: Vec<Value> = in_path
            .map(|name| {
                let schema = if name == "ruleset" {
                    json!({"type": "string", "enum": [ANY_SYSTEM]})
                } else {
                    json!({"type": "string", "minLength": 1})
                };
                json!({"name": name, "in": "path", "required": true, "schema": schema})
            })
            .collect();
        parameters.extend(in_query(&query::<Q>()));
        let mut asked = json!({"summary": line.about, "parameters": parameters});
        let content = |kinds: &[&str]| -> Value {
            kinds.iter().map(|kind| ((*kind).to_owned(), json!({"schema": {"type": "string"}}))).collect()
        };
        match line.body {
            Body::Nothing => {}
            Body::Json(schema) => {
                asked["requestBody"] =
                    json!({"required": true, "content": {"application/json": {"schema": schema}}});
            }
            Body::Text(kinds) => {
                asked["requestBody"] = json!({"required": true, "content": content(kinds)});
            }
        }
        let done = match line.answer {
            Answer::Json(schema) => json!({"application/json": {"schema": schema}}),
            Answer::Document(kinds) => content(kinds),
        };
        let mut responses = Map::new();
        responses.insert(line.status.into(), json!({"description": "Done", "content": done}));
        let not_done =
            json!({"description": "Not done, and why", "content": {"application/json": {"schema": error}}});
        responses.insert("default".into(), not_done);
        self.lines.push((line.path.into(), line.method.into(), asked, Value::Object(responses)));
    }

    /// The request that was added last is for somebody logged in.
    pub(crate) fn for_members(&mut self) {
        if let Some((_, _, asked, _)) = self.lines.last_mut() {
            asked["security"] = json!([{"session": []}, {"bot": []}]);
        }
    }

    /// A WebSocket, for which OpenAPI has no word: it stands beside the paths.
    pub(crate) fn socket<B: JsonSchema, A: JsonSchema>(&mut self, path: &str, about: &str) {
        let hears = self.read.subschema_for::<B>().to_value();
        let says = self.written.subschema_for::<A>().to_value();
        self.sockets.insert(path.into(), json!({"summary": about, "hears": hears, "says": says}));
    }

    /// The schemas of every message and body, as it is read, and of every message and answer, as it is written, by name.
    pub(crate) fn types(&mut self) -> (BTreeMap<String, Value>, BTreeMap<String, Value>) {
        let all = |types: &mut SchemaGenerator| types.take_definitions(true).into_iter().collect();
        (all(&mut self.read), all(&mut self.written))
    }

    /// The whole, with the schemas it refers to.
    pub(crate) fn text(mut self) -> Value {
        let (mut asked, mut schemas) = self.types();
        for schema in asked.values_mut() {
            // There are the rule systems that a server has and no others.
            if let Some(ruleset) = schema.pointer_mut("/properties/ruleset").and_then(Value::as_object_mut) {
                ruleset.insert("enum".into(), json!([ANY_SYSTEM]));
            }
        }
        let renamed = two_meanings(&asked, &schemas);
        let mut place = |name: &str| {
            if renamed.contains(name) { format!("Asked{name}") } else { name.to_owned() }
        };
        for (name, mut schema) in asked {
            refer(&mut schema, &mut place);
            schemas.entry(place(&name)).or_insert(schema);
        }
        let mut plain = |name: &str| name.to_owned();
        let mut paths = Map::new();
        for (path, method, mut asked, mut told) in self.lines {
            refer(&mut asked, &mut place);
            refer(&mut told, &mut plain);
            asked["responses"] = told;
            paths.entry(path).or_insert_with(|| json!({}))[method] = asked;
        }
        let mut sockets = Value::Object(self.sockets);
        for socket in sockets.as_object_mut().into_iter().flat_map(|all| all.values_mut()) {
            refer(&mut socket["hears"], &mut place);
            refer(&mut socket["says"], &mut plain);
        }
        for schema in schemas.values_mut() {
            // Those that were written have kept their names.
            refer(schema, &mut plain);
        }
        let mut whole = json!({
            "openapi": "3.1.0",
            "info": {
                "title": "Tricorne",
                "version": env!("CARGO_PKG_VERSION"),
                "description": "A digital tabletop for horse-and-musket battles. Live play is on WebSockets (`x-websockets`); \
                    see docs/server.md. 400: the request is not as described here. 422: it is, but the rules or the server \
                    refuse what it says, and tell why."
            },
            "paths": paths,
            "x-websockets": sockets,
            "components": {
                "schemas": schemas,
                "securitySchemes": {
                    "session": {"type": "apiKey", "in": "cookie", "name": crate::accounts::COOKIE},
                    "bot": {"type": "http", "scheme": "bearer"}
                }
            }
        });
        exact(&mut whole);
        whole
    }
}

/// The schemas of the WebSocket messages.
pub(crate) fn messages() -> Value {
    json!({
        "client": schemars::schema_for!(Request),
        "server": schemars::schema_for!(Saying),
        "lobby_client": schemars::schema_for!(LobbyAsk),
        "lobby_server": schemars::schema_for!(LobbySay),
    })
}

/// The parameters that a query's struct has.
fn in_query(query: &Schema) -> Vec<Value> {
    let query = query.as_value();
    let required = |name: &str| query["required"].as_array().is_some_and(|r| r.iter().any(|n| n == name));
    let fields = query["properties"].as_object();
    let parameter = |(name, schema): (&String, &Value)| {
        let mut schema = schema.clone();
        without_null(&mut schema);
        let about = schema.as_object_mut().and_then(|s| s.remove("description"));
        let mut parameter =
            json!({"name": name, "in": "query", "required": required(name), "schema": schema});
        if let Some(about) = about {
            parameter["description"] = about;
        }
        parameter
    };
    fields.into_iter().flatten().map(parameter).collect()
}

/// A query has no null: what is not there is left out.
fn without_null(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    map.remove("default");
    if let Some(Value::Array(kinds)) = map.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            map.insert("type".into(), only);
        }
    }
    if let Some(Value::Array(kinds)) = map.get_mut("anyOf") {
        kinds.retain(|kind| kind["type"] != "null");
        if let [only] = kinds.as_slice() {
            let only = only.clone();
            map.remove("anyOf");
            if let Value::Object(only) = only {
                map.extend(only);
            }
        }
    }
}

/// Types that are read otherwise than they are written (what is always told may be left out of what is asked), and those
/// that refer to one.
fn two_meanings(asked: &BTreeMap<String, Value>, told: &BTreeMap<String, Value>) -> BTreeSet<String> {
    let differs = |name: &&String| told.get(*name).is_some_and(|known| known != &asked[*name]);
    let mut renamed: BTreeSet<String> = asked.keys().filter(differs).cloned().collect();
    loop {
        let refers = |schema: &Value| {
            let mut found = false;
            let mut schema = schema.clone();
            refer(&mut schema, &mut |name: &str| {
                found |= renamed.contains(name);
                name.to_owned()
            });
            found
        };
        let more: Vec<String> = asked
            .iter()
            .filter(|(name, schema)| told.contains_key(*name) && !renamed.contains(*name) && refers(schema))
            .map(|(name, _)| name.clone())
            .collect();
        if more.is_empty() {
            return renamed;
        }
        renamed.extend(more);
    }
}

/// References to `$defs` become references to the components, under the name that `place` gives.
fn refer(schema: &mut Value, place: &mut impl FnMut(&str) -> String) {
    match schema {
        Value::Object(map) => {
            for (key, value) in map.iter_mut() {
                match value {
                    Value::String(text) if key == "$ref" => {
                        if let Some(name) = text.strip_prefix("#/$defs/") {
                            *text = format!("#/components/schemas/{}", place(name));
                        }
                    }
                    other => refer(other, place),
                }
            }
        }
        Value::Array(list) => list.iter_mut().for_each(|value| refer(value, place)),
        _ => {}
    }
}

/// Whole numbers have ends; a format is only a hint at them.
fn exact(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            let ends = match map.get("format").and_then(Value::as_str) {
                Some("uint8") => Some((json!(0), json!(u8::MAX))),
                Some("uint32") => Some((json!(0), json!(u32::MAX))),
                Some("uint64" | "uint") => Some((json!(0), json!(u64::MAX))),
                Some("int32") => Some((json!(i32::MIN), json!(i32::MAX))),
                Some("int64") => Some((json!(i64::MIN), json!(i64::MAX))),
                _ => None,
            };
            if let Some((least, most)) = ends {
                map.entry("minimum").or_insert(least);
                map.entry("maximum").or_insert(most);
            }
            map.values_mut().for_each(exact);
        }
        Value::Array(list) => list.iter_mut().for_each(exact),
        _ => {}
    }
}

/// The schema of a query's struct, with nothing referred to elsewhere.
fn query<Q: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    let settings = settings.with(|s| {
        s.inline_subschemas = true;
        s.meta_schema = None;
    });
    settings.into_generator().into_root_schema_for::<Q>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(serde::Deserialize, JsonSchema)]
    #[allow(dead_code)]
    struct Wish {
        seed: String,
        n: Option<u64>,
        light: Option<crate::picture::Light>,
    }

    #[test]
    fn a_query_is_described_as_it_is_read() {
        let mut parameters = Value::Array(in_query(&query::<Wish>()));
        exact(&mut parameters);
        let of =
            |name: &str| parameters.as_array().unwrap().iter().find(|p| p["name"] == name).cloned().unwrap();
        assert_eq!(of("seed")["required"], true);
        assert_eq!(of("n")["required"], false);
        assert_eq!(
            (&of("n")["schema"]["type"], &of("n")["schema"]["maximum"]),
            (&json!("integer"), &json!(u64::MAX))
        );
        assert!(!of("light").to_string().contains("null"), "{}", of("light"));
    }

    #[test]
    fn what_is_read_otherwise_than_written_has_two_names() {
        let of = |list: &[(&str, Value)]| list.iter().map(|(n, v)| ((*n).to_owned(), v.clone())).collect();
        let part = json!({"$ref": "#/$defs/Part"});
        let asked = of(&[("Part", json!({"type": "string"})), ("Whole", part.clone()), ("Other", json!({}))]);
        let told = of(&[("Part", json!({"type": "integer"})), ("Whole", part), ("Other", json!({}))]);
        let renamed = two_meanings(&asked, &told);
        assert_eq!(renamed.into_iter().collect::<Vec<_>>(), ["Part", "Whole"]);
    }
}
