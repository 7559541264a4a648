//! The files of a rulebook, compiled in.

/// The text of a rulebook's file, looked up when the program is compiled: a name that is not there does not compile.
///
/// ```
/// const FILES: &[(&str, &str)] = &[("clauses.md", "- **TOY-MOVE-01** Six inches."), ("options.toml", "")];
/// const CLAUSES: &str = tricorne_drill::page(FILES, "clauses.md");
/// assert!(CLAUSES.starts_with("- **TOY"));
/// ```
pub const fn page(files: &[(&'static str, &'static str)], name: &str) -> &'static str {
    let mut i = 0;
    while i < files.len() {
        if same(files[i].0.as_bytes(), name.as_bytes()) {
            return files[i].1;
        }
        i += 1;
    }
    panic!("the rulebook's lib.rs lists no file of that name")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A JSON schema that a rulebook publishes. The tests hold the file to the types (`schemas_are_fresh`), so it is one.
pub fn published(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or(serde_json::Value::Bool(true))
}
