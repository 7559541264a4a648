//! Charts are data: change a number, and the sheet and play change with it.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use toml::{Table, Value};
use tricorne_game::case::{Case, Verdict, run_with};
use tricorne_game::{AnySystem, Choices, Source};

use crate::clauses::{case_files, case_folder, root};

/// A number of a data file: the file and the way to it.
type Leaf = (&'static str, Vec<String>);

/// Changes each number of each chart of the files named, one at a time, and sees the reference sheet change and some case
/// come out differently. With `TRICORNE_NUMBERS=retreat,room.ring` only for the numbers whose names hold one of those.
/// `silent` names numbers that no sheet or case can show, each with its reason.
///
/// Which case shows a number is looked up in `shown/SYSTEM.toml`, so that one case is run and not all of them. Where that
/// case does not show it any more, those of the number's clause are tried, then the others, which takes some seconds.
/// `TRICORNE_WRITE=1` writes down what was found.
pub fn charts_matter(system: &dyn AnySystem, files: &[&str], silent: &[(&str, &str)]) {
    // As it comes, and with every reading the other way: some rows are there for those who play it so.
    let others = system.options().specs.iter().filter_map(|spec| {
        let other = spec.others.iter().find(|value| *value != "number")?;
        Some((spec.id.clone(), other.clone()))
    });
    let readings = [BTreeMap::new(), others.collect()];
    let sheet = |data: &BTreeMap<String, String>| {
        let of = |options: &BTreeMap<String, String>| {
            system.reference(&Choices { data: data.clone(), options: options.clone() })
        };
        readings.each_ref().map(of)
    };
    let usual = sheet(&BTreeMap::new());
    let mut shown = Shown::of(system);
    let mut leaves = numbers(system, files);
    leaves.retain(|leaf| !silent.iter().any(|(name, _)| *name == named(leaf)));
    // Whoever has just added some looks at those alone.
    if let Ok(some) = std::env::var("TRICORNE_NUMBERS") {
        leaves.retain(|leaf| some.split(',').any(|part| named(leaf).contains(part)));
    }
    assert!(!leaves.is_empty(), "no numbers in {files:?}");
    let (mut off_sheet, mut off_play) = (Vec::new(), Vec::new());
    for leaf in &leaves {
        // What the rulebook itself refuses shows nothing, neither on the sheet nor in a case.
        let read = |data: BTreeMap<String, String>| {
            let sheets = sheet(&data);
            sheets.iter().all(Option::is_some).then_some((data, sheets))
        };
        let changed: Vec<_> = changes(system, leaf).into_iter().filter_map(read).collect();
        if changed.iter().all(|(_, sheets)| *sheets == usual) {
            off_sheet.push(named(leaf));
        }
        let changed: Vec<_> = changed.into_iter().map(|(data, _)| data).collect();
        match shown.by(system, leaf, &changed) {
            Some(case) => shown.note(leaf, case),
            None => off_play.push(named(leaf)),
        }
    }
    let id = system.about().id;
    assert!(
        off_sheet.is_empty() && off_play.is_empty(),
        "{id}: {} of {} numbers change nothing on the sheet: {}\n{} change no case: {}",
        off_sheet.len(),
        leaves.len(),
        off_sheet.join(", "),
        off_play.len(),
        off_play.join(", ")
    );
}

/// The cases of a system, and which of them showed a number last time.
struct Shown {
    file: PathBuf,
    writes: bool,
    hints: BTreeMap<String, String>,
    /// Each by its name in the folder of cases.
    cases: BTreeMap<String, (Source, Case)>,
}

impl Shown {
    fn of(system: &dyn AnySystem) -> Self {
        let folder = case_folder(system);
        let read = |path: &PathBuf| {
            let name = path.strip_prefix(&folder).ok()?.to_str()?.replace('\\', "/");
            let source = Source::new(path.display().to_string(), fs::read_to_string(path).ok()?);
            let case = Case::read(&source).ok()?;
            Some((name, (source, case)))
        };
        let file = root().join("crates/conformance/shown").join(format!("{}.toml", system.about().id));
        let hints = fs::read_to_string(&file).unwrap_or_default();
        let hints = toml::from_str(&hints).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let writes = std::env::var_os("TRICORNE_WRITE").is_some();
        Self {
            file,
            writes,
            hints,
            cases: case_files(&case_folder(system)).iter().filter_map(read).collect(),
        }
    }

    /// A case that comes out differently by one of the changes.
    fn by(
        &self,
        system: &dyn AnySystem,
        leaf: &Leaf,
        changed: &[BTreeMap<String, String>],
    ) -> Option<String> {
        let verdict = |(source, case): &(Source, Case), data: &BTreeMap<String, String>| {
            run_with(system, source, case, data).verdict
        };
        // A case that fails anyway shows nothing.
        let differs = |case: &(Source, Case)| {
            changed.iter().any(|data| came_out_differently(&verdict(case, data), leaf.0))
                && matches!(verdict(case, &BTreeMap::new()), Verdict::Passed)
        };
        let hint = self.hints.get(&named(leaf)).and_then(|name| self.cases.get_key_value(name));
        let clause = clause_of(system, leaf);
        let of_clause = |(_, (source, _)): &(&String, &(Source, Case))| {
            clause.as_ref().is_some_and(|clause| source.text.contains(clause))
        };
        let (first, rest): (Vec<_>, Vec<_>) = self.cases.iter().partition(of_clause);
        hint.into_iter()
            .chain(first)
            .chain(rest)
            .find(|(_, case)| differs(case))
            .map(|(name, _)| name.clone())
    }

    /// Written at once where it is wanted: whoever stops in the middle has what was found so far.
    fn note(&mut self, leaf: &Leaf, case: String) {
        if self.hints.insert(named(leaf), case.clone()) == Some(case) || !self.writes {
            return;
        }
        let text = toml::to_string(&self.hints).unwrap_or_else(|e| panic!("{e}"));
        let said =
            "# Which case shows a number of the charts, found by `charts_matter` with TRICORNE_WRITE=1.\n";
        fs::write(&self.file, format!("{said}{text}"))
            .unwrap_or_else(|e| panic!("{}: {e}", self.file.display()));
    }
}

/// The clause that stands beside a number in its file.
fn clause_of(system: &dyn AnySystem, (file, way): &Leaf) -> Option<String> {
    let (_, text) = system.data_files().into_iter().find(|(name, _)| name == file)?;
    let root: Table = toml::from_str(text).ok()?;
    let (_, parents) = way.split_last()?;
    let mut at = &Value::Table(root);
    for step in parents {
        at = match at {
            Value::Table(table) => table.get(step)?,
            Value::Array(array) => array.get(step.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(at.get("clause")?.as_str()?.to_owned())
}

/// A case that fails, whose dice are too many or too few for what is rolled now, or that can't be set up any more for
/// a reason of its own: a force too dear, say. That the changed `file` itself is refused shows nothing.
fn came_out_differently(verdict: &Verdict, file: &str) -> bool {
    match verdict {
        Verdict::Passed => false,
        Verdict::Failed(_) => true,
        Verdict::Broken(why) => !why.contains(file),
    }
}

/// `charts.toml: hits.short`.
fn named((file, way): &Leaf) -> String {
    format!("{file}: {}", way.join("."))
}

/// Every number of the files, apart from the format of the file itself.
fn numbers(system: &dyn AnySystem, files: &[&str]) -> Vec<Leaf> {
    fn walk(value: &Value, way: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
        match value {
            Value::Integer(_) | Value::Float(_) => found.push(way.clone()),
            Value::Table(table) => {
                for (key, value) in table.iter().filter(|(key, _)| *key != "format") {
                    way.push(key.clone());
                    walk(value, way, found);
                    way.pop();
                }
            }
            Value::Array(array) => {
                for (i, value) in array.iter().enumerate() {
                    way.push(i.to_string());
                    walk(value, way, found);
                    way.pop();
                }
            }
            _ => {}
        }
    }
    let mut leaves = Vec::new();
    for (file, text) in system.data_files().into_iter().filter(|(file, _)| files.contains(file)) {
        let table: Table = toml::from_str(text).unwrap_or_else(|e| panic!("{file}: {e}"));
        let mut found = Vec::new();
        walk(&Value::Table(table), &mut Vec::new(), &mut found);
        leaves.extend(found.into_iter().map(|way| (file, way)));
    }
    leaves
}

/// The data with one number made larger, smaller, or much larger.
fn changes(system: &dyn AnySystem, (file, way): &Leaf) -> Vec<BTreeMap<String, String>> {
    let Some((_, text)) = system.data_files().into_iter().find(|(name, _)| name == file) else {
        return Vec::new();
    };
    let other = |change: fn(f64) -> f64| {
        let mut root = Value::Table(toml::from_str(text).unwrap_or_default());
        let mut at = &mut root;
        for step in way {
            at = match at {
                Value::Table(table) => table.get_mut(step)?,
                Value::Array(array) => array.get_mut(step.parse::<usize>().ok()?)?,
                _ => return None,
            };
        }
        match at {
            Value::Integer(n) => *n = change(*n as f64) as i64,
            Value::Float(n) => *n = change(*n),
            _ => return None,
        }
        Some(BTreeMap::from([((*file).to_owned(), toml::to_string(&root).ok()?)]))
    };
    [|n| n + 1.0, |n| n - 1.0, |n: f64| 2.0 * n + 3.0].into_iter().filter_map(other).collect()
}
