//! The log: one line for each thing worth telling the keeper of a server, on the error output, for people or for programs.
//!
//! What is told is named field by field. No request's path, body or header is ever among them: tokens travel there.

use std::fmt::{Display, Write as _};
use std::io::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

static FOR_PROGRAMS: AtomicBool = AtomicBool::new(false);

/// From now on each line is a JSON object.
pub fn log_json() {
    FOR_PROGRAMS.store(true, Ordering::Relaxed);
}

/// Tells something: what, and its fields by name.
pub(crate) fn note(what: &str, fields: &[(&str, &dyn Display)]) {
    let line = if FOR_PROGRAMS.load(Ordering::Relaxed) { json(what, fields) } else { text(what, fields) };
    // Nobody may listen; that stops no server.
    let _ = writeln!(std::io::stderr().lock(), "{line}");
}

fn json(what: &str, fields: &[(&str, &dyn Display)]) -> String {
    let mut line = Map::new();
    line.insert("at".into(), crate::now().into());
    line.insert("what".into(), what.into());
    for (name, value) in fields {
        line.insert((*name).into(), Value::String(value.to_string()));
    }
    Value::Object(line).to_string()
}

fn text(what: &str, fields: &[(&str, &dyn Display)]) -> String {
    let mut line = format!("tricorne: {what}");
    for (name, value) in fields {
        // In one line, whatever is in it.
        let value = value.to_string().replace(|c: char| c.is_control(), " ");
        let _ = write!(line, " {name}={value}");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_line_whatever_is_in_it() {
        let fields: &[(&str, &dyn Display)] = &[("why", &"first\nsecond"), ("n", &3)];
        assert_eq!(text("it failed", fields), "tricorne: it failed why=first second n=3");
        let line = json("it failed", fields);
        assert!(!line.contains('\n'));
        let line: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(line["why"], "first\nsecond");
    }
}
