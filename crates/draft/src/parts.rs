//! Zones of several parts: each a strip along an edge, a rectangle or a polygon, in a list of the file. The kind of a feature
//! tells how its first part is drawn when it is new; what is there is drawn by the keys it has.

use toml_edit::{Item, TableLike};
use tricorne_game::drafting::{Extent, FeatureKind};

use crate::draft::under;

/// One part of a feature: the way to the feature's own table, and which part it is, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part<'a> {
    pub table: &'a str,
    pub nth: usize,
}

/// The list a kind is drawn in: `zone` of `zone.0.rect`; none where it is not drawn in a list.
pub(crate) fn list(kind: &FeatureKind) -> Option<&str> {
    let key = match &kind.extent {
        Extent::Area(key) | Extent::Corners(key) | Extent::Strip(key, _) => key,
        Extent::Stretch(edge, from, _) => {
            if edge.starts_with('=') {
                from
            } else {
                edge
            }
        }
        _ => return None,
    };
    key.split_once(".0.").map(|(list, _)| list)
}

/// Which part a way leads to: `side.0` to the first, `side.0.zone.2` to the third.
pub(crate) fn of<'a>(kind: &FeatureKind, path: &'a str) -> Part<'a> {
    let whole = Part { table: path, nth: 0 };
    let Some(list) = list(kind) else { return whole };
    let Some((above, nth)) = path.rsplit_once('.') else { return whole };
    match (above.strip_suffix(list).and_then(|table| table.strip_suffix('.')), nth.parse()) {
        (Some(table), Ok(nth)) => Part { table, nth },
        _ => whole,
    }
}

/// The way to a part.
pub(crate) fn way(kind: &FeatureKind, part: Part<'_>) -> String {
    match list(kind) {
        Some(list) if part.nth > 0 => format!("{}.{list}.{}", part.table, part.nth),
        _ => part.table.to_owned(),
    }
}

/// How many parts the file has.
pub(crate) fn count(kind: &FeatureKind, table: &dyn TableLike) -> usize {
    list(kind).and_then(|list| table.get(list)).and_then(Item::as_array).map_or(0, toml_edit::Array::len)
}

/// The kind as one of its parts is drawn: by the keys that are there.
pub(crate) fn drawn(kind: &FeatureKind, table: &dyn TableLike, nth: usize) -> FeatureKind {
    let Some(list) = list(kind) else { return kind.clone() };
    let key = |name: &str| format!("{list}.{nth}.{name}");
    let has = |name: &str| under(table, &key(name)).is_some();
    let extent = if has("rect") {
        Extent::Corners(key("rect"))
    } else if has("polygon") {
        Extent::Area(key("polygon"))
    } else if has("edge") && matches!(kind.extent, Extent::Area(_) | Extent::Corners(_)) {
        if has("depth") {
            Extent::Strip(key("edge"), key("depth"))
        } else {
            Extent::Stretch(key("edge"), key("from"), key("to"))
        }
    } else {
        numbered(&kind.extent, list, nth)
    };
    FeatureKind { extent, ..kind.clone() }
}

/// The kind as a new part of so many points is drawn: two opposite corners make a rectangle, more corners a polygon.
pub(crate) fn fresh(kind: &FeatureKind, points: usize, nth: usize) -> FeatureKind {
    let Some(list) = list(kind) else { return kind.clone() };
    let extent = match (&kind.extent, points) {
        (Extent::Area(_) | Extent::Corners(_) | Extent::Strip(..), 2) => {
            Extent::Corners(format!("{list}.{nth}.rect"))
        }
        (Extent::Area(_) | Extent::Corners(_) | Extent::Strip(..), 3..) => {
            Extent::Area(format!("{list}.{nth}.polygon"))
        }
        (extent, _) => numbered(extent, list, nth),
    };
    FeatureKind { extent, ..kind.clone() }
}

/// An extent of the first part as that of another.
fn numbered(extent: &Extent, list: &str, nth: usize) -> Extent {
    let first = format!("{list}.0.");
    let to = |key: &String| match key.strip_prefix(&first) {
        Some(name) => format!("{list}.{nth}.{name}"),
        None => key.clone(),
    };
    match extent {
        Extent::Area(a) => Extent::Area(to(a)),
        Extent::Corners(a) => Extent::Corners(to(a)),
        Extent::Strip(a, b) => Extent::Strip(to(a), to(b)),
        Extent::Stretch(a, b, c) => Extent::Stretch(to(a), to(b), to(c)),
        other => other.clone(),
    }
}
