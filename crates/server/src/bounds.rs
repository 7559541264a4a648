//! How big what a client hands in may be. Rules check a file in a time that grows with what is in it, faster for some
//! things than for others (an outline of ten thousand corners takes minutes); so the size of each is bounded before any rule
//! looks at it. Every file of the rulebooks is far below these.

use toml::Value;

/// A scenario, or a rulebook file of somebody's own.
const FILE: usize = 256 * 1024;
/// Files of one's own in one game.
const FILES: usize = 16;
/// Entries of one list: corners of an outline, units of a side, pieces of ground.
const ENTRIES: usize = 250;
/// Keys of one table, and letters of a key.
const KEYS: usize = 500;
const KEY: usize = 100;
/// Everything in a file together.
const EVERYTHING: usize = 20_000;
/// Characters of a text.
const TEXT: usize = 2_000;
/// Characters of a name or a title.
pub(crate) const NAME: usize = 100;
/// Lists and tables in each other.
const DEPTH: usize = 12;
/// Distances, turns, men.
const NUMBER: f64 = 100_000.0;

/// Actions of one battle; one that has gone on for so long goes on for ever.
pub(crate) const ACTIONS: i64 = 50_000;

/// Actions of a journal that is brought: they are written all at once, and others wait for that.
pub(crate) const BROUGHT: usize = 10_000;

/// Whether a file is of a size that rules look at. What is no TOML at all they say better themselves.
pub(crate) fn file(text: &str) -> Result<(), String> {
    if text.len() > FILE {
        return Err(format!("the file has {} KiB; at most {} are taken", text.len() / 1024, FILE / 1024));
    }
    let Ok(table) = text.parse::<toml::Table>() else { return Ok(()) };
    let mut seen = 0;
    keys("the file", &table)?;
    table.iter().try_for_each(|(key, value)| look(key, key, value, 1, &mut seen))
}

/// Rulebook files of one's own.
pub(crate) fn files<'a>(texts: impl ExactSizeIterator<Item = &'a String>) -> Result<(), String> {
    if texts.len() > FILES {
        return Err(format!("`data` has {} files; at most {FILES} are taken", texts.len()));
    }
    for text in texts {
        file(text)?;
    }
    Ok(())
}

fn look(key: &str, place: &str, value: &Value, depth: usize, seen: &mut usize) -> Result<(), String> {
    *seen += 1;
    if *seen > EVERYTHING {
        return Err(format!("the file says more than {EVERYTHING} things; leave some out"));
    }
    if depth > DEPTH {
        return Err(format!("`{place}`: lists are in each other more than {DEPTH} deep"));
    }
    match value {
        Value::String(text) => {
            let most = if matches!(key, "name" | "title" | "id") { NAME } else { TEXT };
            let length = text.chars().count();
            if length > most {
                return Err(format!("`{place}` has {length} characters; at most {most} are taken"));
            }
        }
        Value::Integer(n) => number(place, *n as f64)?,
        Value::Float(n) => number(place, *n)?,
        Value::Array(list) => {
            if list.len() > ENTRIES {
                return Err(format!("`{place}` has {} entries; at most {ENTRIES} are taken", list.len()));
            }
            for (i, value) in list.iter().enumerate() {
                look(key, &format!("{place}[{i}]"), value, depth + 1, seen)?;
            }
        }
        Value::Table(table) => {
            keys(&format!("`{place}`"), table)?;
            for (key, value) in table {
                look(key, &format!("{place}.{key}"), value, depth + 1, seen)?;
            }
        }
        Value::Boolean(_) | Value::Datetime(_) => {}
    }
    Ok(())
}

fn keys(place: &str, table: &toml::Table) -> Result<(), String> {
    if table.len() > KEYS {
        return Err(format!("{place} has {} keys; at most {KEYS} are taken", table.len()));
    }
    if let Some(long) = table.keys().find(|key| key.len() > KEY) {
        let start: String = long.chars().take(30).collect();
        return Err(format!(
            "{place} has a key `{start}…` of {} letters; at most {KEY} are taken",
            long.len()
        ));
    }
    Ok(())
}

fn number(place: &str, n: f64) -> Result<(), String> {
    // What is no number at all the rules refuse in their own words.
    if n.abs() > NUMBER && n.is_finite() {
        return Err(format!("`{place}` is {n}; numbers up to {NUMBER} are taken"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_much_of_anything_is_refused_with_its_place() {
        let corners = "[1.0, 2.0], ".repeat(10_000);
        for (text, says) in [
            (format!("[[terrain]]\noutline = [{corners}]"), "`terrain[0].outline` has 10000 entries"),
            (format!("title = \"{}\"", "x".repeat(900_000)), "KiB"),
            (format!("title = \"{}\"", "x".repeat(101)), "`title` has 101 characters"),
            (format!("about = \"{}\"", "x".repeat(2_001)), "`about` has 2001"),
            ("turns = 1_000_000_000".to_owned(), "`turns`"),
            ((0..600).fold(String::new(), |file, k| file + &format!("k{k} = 1\n")), "600 keys"),
            (format!("[a]\n{} = 1", "k".repeat(90_000)), "of 90000 letters"),
            (format!("x = {}1{}", "[".repeat(14), "]".repeat(14)), "deep"),
            (format!("a = [{}]", format!("[{}], ", "1, ".repeat(200)).repeat(200)), "20000 things"),
        ] {
            let why = file(&text).unwrap_err();
            assert!(why.contains(says), "{why}");
        }
        assert_eq!(file("no toml"), Ok(()));
        assert!(files(vec![String::new(); 17].iter()).is_err());
    }

    #[test]
    fn every_scenario_of_a_rulebook_is_far_below() {
        let scenarios = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks");
        let mut looked_at = 0;
        for rulebook in std::fs::read_dir(scenarios).unwrap() {
            let Ok(files) = std::fs::read_dir(rulebook.unwrap().path().join("scenarios")) else { continue };
            for scenario in files {
                let text = std::fs::read_to_string(scenario.unwrap().path()).unwrap();
                file(&text).unwrap();
                assert!(text.len() * 4 < FILE);
                looked_at += 1;
            }
        }
        assert!(looked_at > 20);
    }
}
