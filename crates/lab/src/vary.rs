//! One thing varied: an option, a number in the scenario file, or a number in a data file of the rulebook.

use std::fmt;
use std::str::FromStr;

use toml_edit::{DocumentMut, Item, Table, Value};
use tricorne_game::army::MusterCall;
use tricorne_game::{AnySystem, Source};

use crate::study::Study;

/// What is varied, and over which values. Written as `NAME=V1,V2` for an option, `scenario:PATH=V1,V2` for a place in
/// the scenario file, `FILE.toml:PATH=V1,V2` for a place in a data file, and `points=24:24,30:24` for armies mustered by
/// chance at so many points a side. A path is keys with dots between; an entry
/// of a list is named by its number from 0 or by its id, code, kind or name: `unit.I1.leadership`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    /// Where.
    pub place: Place,
    /// The values, as in the file. The first is what the others are compared with.
    pub values: Vec<String>,
}

/// Where something is varied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A house-rule option.
    Option(String),
    /// A path in the scenario file.
    Scenario(Vec<String>),
    /// A path in a data file of the rulebook.
    Data(String, Vec<String>),
    /// The points of armies mustered by chance.
    Points,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Option(name) => f.write_str(name),
            Place::Points => f.write_str("points"),
            Place::Scenario(path) => write!(f, "scenario:{}", path.join(".")),
            Place::Data(file, path) => write!(f, "{file}:{}", path.join(".")),
        }
    }
}

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = "write NAME=V1,V2 for an option, scenario:PATH=V1,V2 or FILE.toml:PATH=V1,V2";
        let (place, values) = text.split_once('=').ok_or_else(|| format!("`{text}`: {form}"))?;
        let values: Vec<String> = values.split(',').map(|v| v.trim().to_owned()).collect();
        if place.is_empty() || values.iter().any(String::is_empty) {
            return Err(format!("`{text}`: {form}"));
        }
        if let Some((_, twice)) = values.iter().enumerate().find(|(n, v)| values[..*n].contains(v)) {
            return Err(format!("`{text}`: names {twice} twice; equal values show nothing"));
        }
        let path = |path: &str| path.split('.').map(str::to_owned).collect::<Vec<_>>();
        let place = match place.split_once(':') {
            None if place == "points" => Place::Points,
            None => Place::Option(place.into()),
            Some(("scenario", rest)) => Place::Scenario(path(rest)),
            Some((file, rest)) if file.strip_suffix(".toml").is_some() => {
                Place::Data(file.into(), path(rest))
            }
            Some(_) => return Err(format!("`{text}`: {form}")),
        };
        Ok(Self { place, values })
    }
}

impl Vary {
    /// The study with one of the values in its place. What is no legal value is found when the study is set up.
    pub fn with(&self, study: &Study, system: &dyn AnySystem, value: &str) -> Result<Study, String> {
        let mut varied = study.clone();
        match &self.place {
            Place::Option(name) => {
                system.options().check(name, value)?;
                varied.choices.options.insert(name.clone(), value.into());
            }
            Place::Points => {
                let (first, second) = value.split_once(':').unwrap_or((value, value));
                let call = |points: &str| match points.parse::<f64>() {
                    Ok(points) if points > 0.0 && points.is_finite() => {
                        Ok(MusterCall { points: Some(points), ..MusterCall::default() })
                    }
                    _ => {
                        Err(format!("points={value}: write points of each side, as in 24:30, or 24 for both"))
                    }
                };
                varied.muster = Some([call(first)?, call(second)?]);
            }
            Place::Scenario(path) => {
                let text = put(&study.scenario, path, value)?;
                varied.scenario = Source::new(study.scenario.name.clone(), text);
            }
            Place::Data(file, path) => {
                let own = study.choices.data.get(file).cloned();
                let own = own.or_else(|| {
                    system
                        .data_files()
                        .iter()
                        .find(|(name, _)| name == file)
                        .map(|(_, text)| (*text).to_owned())
                });
                let own = own.ok_or_else(|| {
                    let names: Vec<&str> = system.data_files().iter().map(|(name, _)| *name).collect();
                    format!("this rulebook has no file {file}; it has {}", names.join(", "))
                })?;
                let text = put(&Source::new(file.clone(), own), path, value)?;
                varied.choices.data.insert(file.clone(), text);
            }
        }
        Ok(varied)
    }
}

/// The file with a value put at a path.
fn put(file: &Source, path: &[String], value: &str) -> Result<String, String> {
    let mut document: DocumentMut =
        file.text.parse().map_err(|e: toml_edit::TomlError| format!("{}: {}", file.name, e.message()))?;
    // A word without quotes is taken for a string, so that nobody must quote twice on a command line.
    let value: Value = value.parse().unwrap_or_else(|_| Value::from(value));
    let at = |n: usize| format!("{}: `{}`", file.name, path[..=n].join("."));
    let (last, way) = path.split_last().ok_or("the path is empty")?;
    let mut here: Spot<'_> = Spot::Table(document.as_table_mut());
    for (n, step) in way.iter().enumerate() {
        here = here.step(step).ok_or_else(|| format!("{}: there is no such thing", at(n)))?;
    }
    here.set(last, value).ok_or_else(|| format!("{}: there is no such thing to set", at(path.len() - 1)))?;
    Ok(document.to_string())
}

/// A place in a file on the way to a value.
enum Spot<'a> {
    Table(&'a mut Table),
    Tables(&'a mut toml_edit::ArrayOfTables),
    Value(&'a mut Value),
}

fn called(table: &dyn toml_edit::TableLike, name: &str) -> bool {
    ["id", "code", "kind", "name"].iter().any(|key| table.get(key).and_then(Item::as_str) == Some(name))
}

impl<'a> Spot<'a> {
    fn of(item: &'a mut Item) -> Option<Self> {
        match item {
            Item::Table(table) => Some(Spot::Table(table)),
            Item::ArrayOfTables(tables) => Some(Spot::Tables(tables)),
            Item::Value(value) => Some(Spot::Value(value)),
            Item::None => None,
        }
    }

    fn step(self, step: &str) -> Option<Self> {
        match self {
            Spot::Table(table) => Spot::of(table.get_mut(step)?),
            Spot::Tables(tables) => {
                let nth =
                    step.parse::<usize>().ok().or_else(|| tables.iter().position(|t| called(t, step)))?;
                tables.get_mut(nth).map(Spot::Table)
            }
            Spot::Value(Value::InlineTable(table)) => table.get_mut(step).map(Spot::Value),
            Spot::Value(Value::Array(array)) => {
                let named = |v: &Value| v.as_inline_table().is_some_and(|t| called(t, step));
                let nth = step.parse::<usize>().ok().or_else(|| array.iter().position(named))?;
                array.get_mut(nth).map(Spot::Value)
            }
            Spot::Value(_) => None,
        }
    }

    fn set(self, key: &str, value: Value) -> Option<()> {
        match self {
            // A key that is not there yet may be one that has a default; the reader of the file knows.
            Spot::Table(table) => {
                table.insert(key, Item::Value(value));
            }
            Spot::Value(Value::InlineTable(table)) => {
                table.insert(key, value);
            }
            Spot::Value(Value::Array(array)) => *array.get_mut(key.parse().ok()?)? = value,
            Spot::Tables(_) | Spot::Value(_) => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "turns = 8\n[[unit]]\nid = \"A\"\nat = [1, 2]\n[[unit]]\nid = \"B\"\n\
                        stats = { fire = 4 }\n[kinds.RI]\nmove = 6\n";

    #[test]
    fn places_are_found_by_key_number_and_name() {
        let file = Source::new("x.toml", FILE);
        let set = |path: &str, value: &str| {
            put(&file, &path.split('.').map(str::to_owned).collect::<Vec<_>>(), value)
        };
        for (path, value, now) in [
            ("turns", "10", "turns = 10"),
            ("unit.A.at.1", "5", "at = [1, 5]"),
            ("unit.1.stats.fire", "5", "fire = 5"),
            ("unit.B.stats.fire", "3", "fire = 3"),
            ("kinds.RI.move", "8.5", "move = 8.5"),
            ("unit.A.kind", "RI", "kind = \"RI\""),
        ] {
            let text = set(path, value).unwrap();
            assert!(text.contains(now), "{path}: {text}");
        }
        assert!(set("unit.C.at", "1").unwrap_err().contains("x.toml: `unit.C`: there is no such thing"));
        assert!(set("turns.x", "1").unwrap_err().contains("`turns.x`"));
    }

    #[test]
    fn what_is_varied_is_read_from_one_word() {
        let vary: Vary = "profiles.toml:RI.fire=4,5".parse().unwrap();
        assert_eq!(vary.place, Place::Data("profiles.toml".into(), vec!["RI".into(), "fire".into()]));
        assert_eq!(vary.values, ["4", "5"]);
        assert_eq!("x=on,off".parse::<Vary>().unwrap().place.to_string(), "x");
        for wrong in ["x", "=1", "x=", "x=1,,2", "y:x=1"] {
            assert!(wrong.parse::<Vary>().unwrap_err().contains("write NAME=V1,V2"), "{wrong}");
        }
    }
}
