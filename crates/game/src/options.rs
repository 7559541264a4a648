//! House rules: every reading of a rulebook by name, with its values and its default.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::{Fault, Source, written};

/// One option of a rulebook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct OptionSpec {
    /// Its name.
    #[serde(skip_deserializing)]
    pub id: String,
    /// The value when nobody says otherwise.
    pub default: String,
    /// The other values. The single value `number` stands for any whole number from 0.
    pub others: Vec<String>,
    /// The clause or clauses it switches.
    pub clauses: Vec<String>,
    /// What it is about, in a line.
    pub about: String,
    /// Keys of a scenario file that say the same for that scenario: `break_percent`. A value that players choose goes
    /// over them.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub instead_of: Vec<String>,
    /// Keys of a scenario file that leave the option nothing to say: `table`. To choose it all the same is refused.
    #[serde(default, skip_serializing)]
    #[schemars(skip)]
    pub unless: Vec<String>,
}

impl OptionSpec {
    fn takes(&self, value: &str) -> bool {
        value == self.default
            || self.others.iter().any(|o| o == value)
            || (self.others.iter().any(|o| o == "number") && value.parse::<u32>().is_ok())
    }

    fn values(&self) -> String {
        let others = self.others.iter().map(|o| match o.as_str() {
            "number" => "any whole number".to_owned(),
            other => format!("`{other}`"),
        });
        std::iter::once(format!("`{}` (default)", self.default)).chain(others).collect::<Vec<_>>().join(", ")
    }
}

/// All options of a rulebook, from its `options.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OptionBook {
    /// In the order of the file.
    pub specs: Vec<OptionSpec>,
}

impl OptionBook {
    /// Reads `options.toml`: a table for each option.
    pub fn read(source: &Source) -> Result<Self, Fault> {
        let mut specs = Vec::new();
        for (id, value) in source.table()? {
            let mut spec: OptionSpec =
                written(&value).map_err(|e| source.misread(&[id.as_str().into()], &e))?;
            spec.id = id;
            specs.push(spec);
        }
        Ok(Self { specs })
    }

    /// The option of that name.
    pub fn get(&self, id: &str) -> Option<&OptionSpec> {
        self.specs.iter().find(|s| s.id == id)
    }

    /// Whether a choice is one of the option's values; otherwise what it takes.
    pub fn check(&self, id: &str, value: &str) -> Result<(), String> {
        let Some(spec) = self.get(id) else {
            let names = self.specs.iter().map(|s| s.id.as_str());
            let hint = crate::did_you_mean(id, names, "`tricorne rules RULESET --options` lists them");
            return Err(format!("there is no option `{id}`; {hint}"));
        };
        if spec.takes(value) {
            Ok(())
        } else {
            Err(format!(
                "option `{id}` has no value `{value}`; it takes {} [{}]",
                spec.values(),
                spec.clauses.join(", ")
            ))
        }
    }

    /// Turns choices into a system's own typed options: defaults first, then the choices.
    /// The choices must have passed [`OptionBook::check`].
    pub fn resolve<T: DeserializeOwned>(&self, choices: &BTreeMap<String, String>) -> Result<T, String> {
        let chosen = |s: &OptionSpec| choices.get(&s.id).unwrap_or(&s.default).as_str().into();
        let all: toml::Table = self.specs.iter().map(|s| (s.id.clone(), chosen(s))).collect();
        written(&all.into()).map_err(|e| e.problem)
    }
}

/// What a player chose for a battle besides the scenario: options, and rulebook data files of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Choices {
    /// Option by name.
    pub options: BTreeMap<String, String>,
    /// Text by file name (`profiles.toml`), used in place of the rulebook's own.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub data: BTreeMap<String, String>,
}
