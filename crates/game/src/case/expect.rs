//! Comparing what came with what was expected.

use serde_json::Value;

/// Numbers that differ by no more than this are equal: the engine's one tolerance, and the rounding of the ledgers.
const TOLERANCE: f64 = 0.0015;

/// Compares the facts with a table of expectations; each disagreement is a line.
pub(super) fn compare(facts: &Value, expected: &toml::Table) -> Vec<String> {
    let mut wrong = Vec::new();
    walk("", facts, expected, &mut wrong);
    wrong
}

fn walk(path: &str, facts: &Value, expected: &toml::Table, wrong: &mut Vec<String>) {
    for (key, want) in expected {
        // A quoted key may hold a whole path: "units.B.models".
        let mut place = path.to_owned();
        let mut found = Some(facts);
        for step in key.split('.') {
            if !place.is_empty() {
                place.push('.');
            }
            place.push_str(step);
            found = found.and_then(|f| match f {
                Value::Array(items) => step.parse().ok().and_then(|i: usize| items.get(i)),
                other => other.get(step),
            });
        }
        match want {
            toml::Value::Table(inner) if is_test(inner) => {
                for (test, limit) in inner {
                    if let Some(problem) = fails(test, limit, inner, found) {
                        wrong.push(format!("{place}: expected {problem}, came {}", shown(found)));
                    }
                }
            }
            toml::Value::Table(inner) => match found {
                Some(found) => walk(&place, found, inner, wrong),
                None => wrong.push(format!("{place}: there is nothing of that name; {}", names(facts))),
            },
            want => match found {
                Some(found) if same(found, want, TOLERANCE) => {}
                Some(found) => wrong.push(format!("{place}: expected {want}, came {found}")),
                None => wrong.push(format!(
                    "{place}: expected {want}, but there is nothing of that name; {}",
                    names(facts)
                )),
            },
        }
    }
}

const TESTS: [&str; 8] = ["min", "max", "near", "within", "not", "absent", "one_of", "has"];

fn is_test(table: &toml::Table) -> bool {
    !table.is_empty() && table.keys().all(|k| TESTS.contains(&k.as_str()))
}

/// The expectation in words if it fails.
fn fails(test: &str, limit: &toml::Value, all: &toml::Table, found: Option<&Value>) -> Option<String> {
    let number = |v: &toml::Value| v.as_float().or_else(|| v.as_integer().map(|i| i as f64));
    let came = found.and_then(Value::as_f64);
    let ok = match test {
        "min" => came.zip(number(limit)).is_some_and(|(c, l)| c >= l - TOLERANCE),
        "max" => came.zip(number(limit)).is_some_and(|(c, l)| c <= l + TOLERANCE),
        "near" => {
            let within = all.get("within").and_then(number).unwrap_or(0.01);
            found.is_some_and(|f| same(f, limit, within))
        }
        "within" => true,
        "not" => !found.is_some_and(|f| same(f, limit, TOLERANCE)),
        "absent" => found.is_none_or(Value::is_null) == limit.as_bool().unwrap_or(true),
        "one_of" => {
            limit.as_array().is_some_and(|l| l.iter().any(|l| found.is_some_and(|f| same(f, l, TOLERANCE))))
        }
        "has" => match found {
            Some(Value::Array(items)) => items.iter().any(|i| same(i, limit, TOLERANCE)),
            Some(Value::String(text)) => limit.as_str().is_some_and(|l| text.contains(l)),
            _ => false,
        },
        _ => false,
    };
    (!ok).then(|| format!("{test} {limit}"))
}

fn same(found: &Value, want: &toml::Value, tolerance: f64) -> bool {
    match (found, want) {
        (Value::Number(n), toml::Value::Integer(i)) => {
            n.as_f64().is_some_and(|n| (n - *i as f64).abs() <= tolerance)
        }
        (Value::Number(n), toml::Value::Float(x)) => n.as_f64().is_some_and(|n| (n - x).abs() <= tolerance),
        (Value::String(a), toml::Value::String(b)) => a == b,
        (Value::Bool(a), toml::Value::Boolean(b)) => a == b,
        (Value::Array(a), toml::Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, tolerance))
        }
        (Value::Object(a), toml::Value::Table(b)) => {
            b.iter().all(|(k, want)| a.get(k).is_some_and(|found| same(found, want, tolerance)))
        }
        _ => false,
    }
}

fn shown(found: Option<&Value>) -> String {
    found.map_or_else(|| "nothing".into(), Value::to_string)
}

fn names(facts: &Value) -> String {
    match facts.as_object() {
        Some(map) => format!("there is {}", map.keys().take(24).cloned().collect::<Vec<_>>().join(", ")),
        None => format!("there is {facts}"),
    }
}

/// Whether an event has all the fields that are listed; `data` fields may be named directly.
pub(super) fn matches(event: &Value, listed: &toml::Table) -> bool {
    listed.iter().all(|(key, want)| {
        let found = event.get(key).or_else(|| event.get("data").and_then(|d| d.get(key)));
        match want {
            toml::Value::Table(inner) if is_test(inner) => {
                inner.iter().all(|(t, l)| fails(t, l, inner, found).is_none())
            }
            want => found.is_some_and(|f| same(f, want, TOLERANCE) || clause_in(key, f, want)),
        }
    })
}

/// `clause = "X-FIRE-06"` or `clauses = "X-FIRE-06"` asks that the clause be among the event's.
fn clause_in(key: &str, found: &Value, want: &toml::Value) -> bool {
    key == "clauses" && found.as_array().is_some_and(|a| a.iter().any(|c| c.as_str() == want.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn wrong(facts: &Value, expected: &str) -> Vec<String> {
        compare(facts, &expected.parse().unwrap())
    }

    #[test]
    fn paths_numbers_and_tests() {
        let facts = json!({ "units": { "B": { "models": 11, "at": [17.0004, 24.0], "flags": ["pinned"] } } });
        assert!(wrong(&facts, "\"units.B.models\" = 11\nunits.B.at = [17, 24]").is_empty());
        assert!(wrong(&facts, "units.B.models = { min = 11, max = 11 }").is_empty());
        assert!(wrong(&facts, "units.B.flags = { has = \"pinned\" }").is_empty());
        assert!(wrong(&facts, "units.C = { absent = true }").is_empty());
        assert_eq!(wrong(&facts, "units.B.models = 12").len(), 1);
        assert_eq!(wrong(&facts, "units.B.models = { not = 11 }").len(), 1);
        assert_eq!(wrong(&facts, "units.B.at = [17.01, 24]").len(), 1);
        assert!(wrong(&facts, "units.C.models = 1")[0].contains("there is B"));
    }
}
