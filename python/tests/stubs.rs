//! What Python is told of the types (`tricorne/_tricorne.pyi`) names every class, method and function that the extension
//! has, and none that it has not. (That this test is here also makes cargo build the extension along with the other
//! tests, so that `scripts/python-tests` finds it compiled.)

use std::collections::BTreeSet;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The word after `mark` on a line.
fn word<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let rest = line.trim_start().strip_prefix(mark)?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|w| !w.is_empty())
}

/// `Battle.legal`, `rulesets`: what a source file hands to Python.
fn exported(text: &str, all: &mut BTreeSet<String>) {
    let (mut class, mut methods, mut function, mut named) = (None, false, false, None);
    for line in text.lines() {
        match line.trim_start() {
            "#[pymethods]" => methods = true,
            "#[pyfunction]" => function = true,
            "#[new]" => named = Some("__init__".to_owned()),
            attribute if attribute.starts_with("#[getter(") => {
                named = word(attribute, "#[getter(").map(str::to_owned);
            }
            attribute if attribute.starts_with("#[pyo3(name = \"") => {
                named = word(attribute, "#[pyo3(name = \"").map(str::to_owned);
            }
            _ => {}
        }
        if methods && let Some(name) = word(line, "impl ") {
            (class, methods) = (Some(name.to_owned()), false);
        }
        if line == "}" {
            class = None;
        }
        let Some(name) = word(line, "pub fn ").or_else(|| word(line, "fn ")) else { continue };
        let name = named.take().unwrap_or_else(|| name.to_owned());
        if let Some(class) = class.as_ref().filter(|_| line.starts_with("    fn ")) {
            all.insert(format!("{class}.{name}"));
        } else if function {
            all.insert(name);
            function = false;
        }
    }
}

/// What the stub file says there is.
fn stubbed(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut class = None;
    for line in text.lines() {
        if line.starts_with("class ") {
            // A dict's form is no class of ours.
            class = word(line, "class ").filter(|_| !line.contains("TypedDict")).map(str::to_owned);
        } else if let Some(name) = word(line, "def ") {
            match &class {
                Some(class) if line.starts_with("    ") => all.insert(format!("{class}.{name}")),
                _ => all.insert(name.to_owned()),
            };
        }
    }
    all
}

#[test]
fn the_stubs_name_what_there_is() {
    let mut there = BTreeSet::new();
    for file in ["battle", "field", "rulebooks", "study", "tuning"] {
        exported(&read(&format!("src/{file}.rs")), &mut there);
    }
    assert!(there.len() > 60, "only {} things are handed to Python: {there:?}", there.len());
    // What Python itself calls needs no stub.
    let quiet = |name: &String| name.ends_with(".__reduce__") || name.ends_with(".__repr__");
    there.retain(|name| !quiet(name));
    let told = stubbed(&read("tricorne/_tricorne.pyi"));
    let missing: Vec<_> = there.difference(&told).collect();
    let made_up: Vec<_> = told.difference(&there).collect();
    assert!(missing.is_empty(), "not in the stubs: {missing:?}");
    assert!(made_up.is_empty(), "only in the stubs: {made_up:?}");
}
