//! Words with numbers of the charts in them: `{close_order.minimum} models`, `{signed characters.bully} to Rally`.

use toml::Table;

/// Fills the braces of a text; what nobody knows stays as it is written.
pub fn filled(text: &str, told: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, beyond) = after.split_once('}').unwrap_or((after, ""));
        out.push_str(before);
        out.push_str(&told(inside).unwrap_or_else(|| format!("{{{inside}}}")));
        rest = beyond;
    }
    out + rest
}

/// The number at a place of the charts: `close_order.minimum`, or the value of a line there.
pub fn number(charts: &Table, place: &str) -> Option<f64> {
    let (table, key) = place.split_once('.')?;
    let found = charts.get(table)?.get(key)?;
    let value = found.get("value").unwrap_or(found);
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64))
}

/// What stands between braces: a number, or one with its sign.
pub fn told(charts: &Table, inside: &str) -> Option<String> {
    match inside.strip_prefix("signed ") {
        Some(place) => number(charts, place).map(|n| {
            let sign = if n < 0.0 { '−' } else { '+' };
            format!("{sign}{}", n.abs())
        }),
        None => number(charts, inside).map(|n| n.to_string()),
    }
}
