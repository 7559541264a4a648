//! The rulebooks in the wheel: scenarios, clauses, options, schemas.

use std::collections::BTreeMap;

use pyo3::prelude::*;
use serde_json::json;
use tricorne_chance::Seed;
use tricorne_game::{AnySystem, Choices, Source};

use crate::plain::{handed, python};
use crate::refused::{not_found, wrong};

/// Every rule system with its scenarios and options.
#[pyfunction]
pub fn rulesets(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    let all: Vec<_> = tricorne_shelf::systems()
        .iter()
        .map(|system| {
            let mut about = json!(system.about());
            about["scenarios"] = system.scenarios().iter().map(|s| s.id).collect();
            about["options"] = json!(system.options().specs);
            about
        })
        .collect();
    handed(py, &all)
}

/// The clauses of a rulebook, or one of them.
#[pyfunction]
#[pyo3(signature = (ruleset, clause = None))]
pub fn rules<'py>(py: Python<'py>, ruleset: &str, clause: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
    let book = system(py, ruleset)?.book();
    match clause {
        None => handed(py, &book.clauses),
        Some(id) => match book.clause(id) {
            Some(clause) => handed(py, &clause),
            None => Err(wrong(py, format!("there is no clause {id} in {ruleset}"))),
        },
    }
}

/// JSON schemas of a system's answers and of its scenario files.
#[pyfunction]
pub fn schema<'py>(py: Python<'py>, ruleset: &str) -> PyResult<Bound<'py, PyAny>> {
    let system = system(py, ruleset)?;
    python(py, &json!({ "action": system.action_schema(), "scenario": system.scenario_schema() }))
}

/// The text of a shipped scenario: a beginning for one's own.
#[pyfunction]
pub fn scenario_text(py: Python<'_>, scenario: &str) -> PyResult<String> {
    let (_, file) = tricorne_shelf::scenario(scenario).map_err(|e| not_found(py, e))?;
    Ok(file.text)
}

/// The system of that id.
pub fn system(py: Python<'_>, id: &str) -> PyResult<&'static dyn AnySystem> {
    tricorne_shelf::system(id).ok_or_else(|| {
        let ids: Vec<_> = tricorne_shelf::systems().iter().map(|s| s.about().id).collect();
        wrong(py, format!("there is no ruleset `{id}`; there is {}", ids.join(", ")))
    })
}

/// A scenario by its id, or from a text that the package has read.
pub fn scenario(
    py: Python<'_>,
    name: &str,
    text: Option<String>,
) -> PyResult<(&'static dyn AnySystem, Source)> {
    match text {
        None => tricorne_shelf::scenario(name).map_err(|e| not_found(py, e)),
        Some(text) => {
            let file = Source::new(name, text);
            let system = tricorne_shelf::system_of(&file).map_err(|e| not_found(py, e))?;
            Ok((system, file))
        }
    }
}

/// What players chose, each option checked.
pub fn choices(
    py: Python<'_>,
    system: &dyn AnySystem,
    options: BTreeMap<String, String>,
    data: BTreeMap<String, String>,
) -> PyResult<Choices> {
    let mut chosen = BTreeMap::new();
    for (name, value) in options {
        let fits = |word: &&str| system.options().check(&name, word).is_ok();
        // Python's yes and no are whichever words the option has for them.
        let value = match value.as_str() {
            "True" => ["on", "true", "yes", "allowed"].into_iter().find(fits).map_or(value, str::to_owned),
            "False" => ["off", "false", "no", "none"].into_iter().find(fits).map_or(value, str::to_owned),
            _ => value,
        };
        system.options().check(&name, &value).map_err(|e| wrong(py, e))?;
        chosen.insert(name, value);
    }
    Ok(Choices { options: chosen, data })
}

/// A seed as people write one: a number, or the words of a longer seed.
pub fn seed(py: Python<'_>, text: &str) -> PyResult<Seed> {
    text.parse().map_err(|e| wrong(py, e))
}
