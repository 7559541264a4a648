//! Rule cases: a position, the dice and cards to come, the actions, and what must be true afterwards.
//!
//! The format is described for people who know the rules and not Rust in `docs/rule-cases.md`.

mod expect;
mod run;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::JsonSchema;
use crate::{Fault, Source};

pub use run::{Report, Verdict, moment, run, run_with};

/// The rule-case format this program reads.
pub const FORMAT: u32 = 1;

/// A rule case, as its file says it.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The format of the file: 1.
    pub format: u32,
    /// The rule system's id.
    pub ruleset: String,
    /// What it shows, in a line.
    pub title: String,
    /// The clauses it shows.
    pub clauses: Vec<String>,
    /// The worked example of the ledger it is, if it is one.
    pub example: Option<String>,
    /// Anything worth saying.
    pub notes: Option<String>,
    /// Options that differ from the default.
    #[serde(default)]
    pub options: BTreeMap<String, Scalar>,
    /// A scenario of the rulebook to start from, by id, instead of a position.
    pub scenario: Option<String>,
    /// The position, in the system's own terms.
    #[serde(default)]
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub position: toml::Table,
    /// Whether the battle is begun (leaders rolled and so on) before the first step.
    #[serde(default)]
    pub begin: bool,
    /// Dice and cards, in the order they are drawn: `"fire: 5 6 2"`, `"card: KH"`.
    #[serde(default)]
    pub dice: Vec<String>,
    /// What must be true before the first step.
    #[serde(default)]
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub expect: toml::Table,
    /// What is done, and what must be true after each step.
    #[serde(default, rename = "step")]
    pub steps: Vec<Step>,
}

/// An option's value in a file: text, a number or a boolean.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum Scalar {
    /// `true` or `false`.
    Bool(bool),
    /// A whole number.
    Whole(i64),
    /// A number.
    Number(f64),
    /// A word.
    Text(String),
}

impl std::fmt::Display for Scalar {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Scalar::Bool(b) => b.fmt(f),
            Scalar::Whole(n) => n.fmt(f),
            Scalar::Number(n) => n.fmt(f),
            Scalar::Text(t) => f.write_str(t),
        }
    }
}

/// One step of a case.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Step {
    /// The action, or several one after another.
    #[serde(rename = "do")]
    pub action: Option<Value>,
    /// Dice and cards for this step, after those of the case.
    pub dice: Vec<String>,
    /// The action must be refused, under this clause.
    pub refused: Option<String>,
    /// The refusal must say this.
    pub why: Option<String>,
    /// The kind of decision that must be pending afterwards (`over` when the battle is).
    pub pending: Option<String>,
    /// The seat that must decide afterwards, by number or by name.
    pub seat: Option<Scalar>,
    /// Actions that must be legal afterwards.
    pub offered: Vec<Value>,
    /// Actions that must not be legal afterwards.
    pub not_offered: Vec<Value>,
    /// What must be true afterwards: paths into the facts of the position.
    #[schemars(with = "serde_json::Map<String, Value>")]
    pub expect: toml::Table,
    /// Events that must have happened in this step, in this order; each lists the fields that must agree.
    #[schemars(with = "Vec<serde_json::Map<String, Value>>")]
    pub events: Vec<toml::Table>,
    /// Events that must not have happened in this step.
    #[schemars(with = "Vec<serde_json::Map<String, Value>>")]
    pub no_events: Vec<toml::Table>,
}

impl Case {
    /// Reads a case.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        let case: Case = source.parse()?;
        if case.format != FORMAT {
            return Err(source.fault(
                &["format".into()],
                format!("is {}; this program reads format {FORMAT}", case.format),
            ));
        }
        if case.clauses.is_empty() {
            return Err(source.fault(&["clauses".into()], "is empty; name the clauses that this case shows"));
        }
        Ok(case)
    }

    /// The position as a set-up file of its own.
    pub fn position_text(&self) -> String {
        toml::to_string(&self.position).unwrap_or_default()
    }
}
