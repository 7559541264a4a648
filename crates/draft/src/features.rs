//! What a scenario has besides ground and troops, found in its file and written back: objectives, zones, exits, crests.

use serde::{Deserialize, Serialize};
use toml_edit::{ArrayOfTables, InlineTable, Item, Table, TableLike, Value};
use tricorne_game::drafting::{Belongs, Extent, FeatureKind};
use tricorne_table::Point;

use crate::JsonSchema;
use crate::draft::{Draft, DraftError, finite, put, put_under, read, shape, under, unknown};
use crate::lie::{self, Lie};
use crate::parts::{self, Part};

/// A feature as the file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Feature {
    /// Its kind, of [`tricorne_game::drafting::Drafting::features`].
    pub kind: String,
    /// The way to its table: `objective.0.hold`.
    pub path: String,
    /// Its name.
    pub name: String,
    /// The points by which it is moved and reshaped; none while it has no place.
    pub handles: Vec<Point>,
    /// What it covers, for drawing: corners of an area or points of a line.
    pub outline: Vec<Point>,
    /// Whether the outline is that of an area.
    pub closed: bool,
}

impl Draft {
    /// Every feature of the file, kind by kind, in the file's order.
    pub fn features(&self) -> Vec<Feature> {
        let mut found = Vec::new();
        for kind in &self.drafting.features {
            for path in self.ways(kind) {
                let Some(table) = self.table_at(&path) else { continue };
                // A zone has a part for each entry of its list; what has no list, or none yet, is one thing.
                let parts = parts::count(kind, table);
                for nth in 0..parts.max(1) {
                    found.extend(self.part(kind, table, Part { table: &path, nth }, parts > 1));
                }
            }
        }
        found
    }

    /// A feature, or one of its parts, as it lies on the table; none where there is nothing to show of it.
    fn part(
        &self,
        kind: &FeatureKind,
        table: &dyn TableLike,
        part: Part<'_>,
        several: bool,
    ) -> Option<Feature> {
        let lie = self.lie(&parts::drawn(kind, table, part.nth), table);
        // What has only its place is there when it has one; an entry of an array is there anyway.
        let entry = kind.path.contains('*') && kind.belongs != Belongs::Ground;
        if lie.is_none() && !entry && (kind.told_by.is_empty() || kind.belongs == Belongs::Ground) {
            return None;
        }
        let id = table.get("id").or_else(|| table.get("name")).and_then(Item::as_str);
        let mut name = id.map_or_else(|| kind.name.clone(), |id| format!("{}: {id}", kind.name));
        if several {
            name = format!("{name}, part {}", part.nth + 1);
        }
        let (outline, closed) = lie.as_ref().map(|lie| lie.outline(&self.bounds())).unwrap_or_default();
        let handles = lie.map(|lie| lie.handles(&self.bounds())).unwrap_or_default();
        Some(Feature { kind: kind.id.clone(), path: parts::way(kind, part), name, handles, outline, closed })
    }

    /// Adds a feature at these points.
    pub(crate) fn mark(&mut self, kind: &str, points: &[Point]) -> Result<(), DraftError> {
        let kind = self.feature_kind(kind)?;
        points.iter().try_for_each(|point| finite(*point))?;
        match kind.belongs {
            Belongs::Other => {
                Err(DraftError::Shape(format!("{} comes with something else; move it there", kind.name)))
            }
            Belongs::Ground => {
                let first = *points.first().ok_or_else(|| no_place(&kind))?;
                let piece = self.ground_at(first, Some(&kind)).ok_or_else(|| {
                    DraftError::Shape(format!("{}: there is none at that place", kind.name))
                })?;
                let path = format!("{}.{piece}", self.drafting.terrain_key);
                self.write_lie(&kind, &path, points)
            }
            Belongs::Itself => {
                let path = self.begin(&kind)?;
                // Drawn a second time, the zone of a side has another part.
                let nth = self.table_at(&path).map_or(0, |table| parts::count(&kind, table));
                let nth = if kind.path.contains('*') { 0 } else { nth };
                self.write_lie(&parts::fresh(&kind, points.len(), nth), &path, points)
            }
        }
    }

    /// Adds a part to a zone.
    pub(crate) fn extend(&mut self, kind: &str, path: &str, points: &[Point]) -> Result<(), DraftError> {
        let kind = self.feature_kind(kind)?;
        points.iter().try_for_each(|point| finite(*point))?;
        let part = parts::of(&kind, path);
        self.found(&kind, part.table)?;
        if parts::list(&kind).is_none() {
            return Err(DraftError::Shape(format!("{} has no parts", kind.name)));
        }
        let nth = self.table_at(part.table).map_or(0, |table| parts::count(&kind, table));
        self.write_lie(&parts::fresh(&kind, points.len(), nth), part.table, points)
    }

    /// Gives a feature other points.
    pub(crate) fn redraw(&mut self, kind: &str, path: &str, points: &[Point]) -> Result<(), DraftError> {
        let kind = self.feature_kind(kind)?;
        points.iter().try_for_each(|point| finite(*point))?;
        let part = parts::of(&kind, path);
        self.found(&kind, part.table)?;
        let table = self.table_at(part.table).ok_or_else(|| DraftError::Nothing(path.to_owned()))?;
        if part.nth > 0 && part.nth >= parts::count(&kind, table) {
            return Err(DraftError::Nothing(format!("{path} ({})", kind.name)));
        }
        let drawn = parts::drawn(&kind, table, part.nth);
        self.write_lie(&drawn, part.table, points)
    }

    /// Takes a feature away.
    pub(crate) fn erase(&mut self, kind: &str, path: &str) -> Result<(), DraftError> {
        let kind = self.feature_kind(kind)?;
        let part = parts::of(&kind, path);
        self.found(&kind, part.table)?;
        let several = self.table_at(part.table).map_or(0, |table| parts::count(&kind, table));
        if let Some(list) = parts::list(&kind).filter(|_| several > 1 || part.nth > 0) {
            let table = self.table_at_mut(part.table).and_then(|table| table.get_mut(list));
            let list = table.and_then(Item::as_array_mut).filter(|list| part.nth < list.len());
            list.ok_or_else(|| DraftError::Nothing(format!("{path} ({})", kind.name)))?.remove(part.nth);
            return Ok(());
        }
        let whole = kind.belongs == Belongs::Itself && (kind.path.contains('*') || !kind.told_by.is_empty());
        if !whole {
            let keys = lie::keys(&kind.extent);
            let table = self.table_at_mut(path).ok_or_else(|| DraftError::Nothing(path.to_owned()))?;
            for key in keys.iter().filter(|key| !key.starts_with('/')) {
                // A zone goes whole.
                table.remove(key.split('.').next().unwrap_or(key));
            }
            return Ok(());
        }
        // `objective.0.hold` goes with its entry of the array.
        let steps: Vec<&str> = path.split('.').collect();
        let nth = steps.iter().rposition(|step| step.parse::<usize>().is_ok());
        let (array, n) = match nth {
            Some(at) => (steps.get(..at).unwrap_or_default(), steps.get(at).and_then(|n| n.parse().ok())),
            None => (steps.as_slice(), None),
        };
        let (last, above) = array.split_last().ok_or_else(|| DraftError::Nothing(path.to_owned()))?;
        let holder: &mut dyn TableLike = if above.is_empty() {
            self.document.as_table_mut()
        } else {
            self.table_at_mut(&above.join(".")).ok_or_else(|| DraftError::Nothing(path.to_owned()))?
        };
        let empty = match (holder.get_mut(last), n) {
            (Some(Item::ArrayOfTables(tables)), Some(n)) => {
                tables.remove(n);
                tables.is_empty()
            }
            (Some(Item::Value(Value::Array(array))), Some(n)) => {
                array.remove(n);
                array.is_empty()
            }
            _ => true,
        };
        if empty {
            holder.remove(last);
        }
        Ok(())
    }

    /// Shifts whatever belongs to a piece of ground along with it.
    pub(crate) fn shift_parts(&mut self, piece: usize, by: Point) -> Result<(), DraftError> {
        let path = format!("{}.{piece}", self.drafting.terrain_key);
        let parts: Vec<Feature> = self.features().into_iter().filter(|f| f.path == path).collect();
        for part in parts {
            let kind = self.feature_kind(&part.kind)?;
            if kind.belongs == Belongs::Ground {
                let moved: Vec<Point> = part.handles.iter().map(|point| *point + by).collect();
                self.write_lie(&kind, &path, &moved)?;
            }
        }
        Ok(())
    }

    fn feature_kind(&self, id: &str) -> Result<FeatureKind, DraftError> {
        let kinds = &self.drafting.features;
        let known = kinds.iter().map(|kind| kind.id.clone());
        kinds.iter().find(|kind| kind.id == id).cloned().ok_or_else(|| unknown("feature", id, known))
    }

    /// Whether a kind is at a way; what is not there can't be moved.
    fn found(&self, kind: &FeatureKind, path: &str) -> Result<(), DraftError> {
        if self.ways(kind).iter().any(|way| way == path) {
            Ok(())
        } else {
            Err(DraftError::Nothing(format!("{path} ({})", kind.name)))
        }
    }

    /// The ways to every table of a kind.
    fn ways(&self, kind: &FeatureKind) -> Vec<String> {
        let steps: Vec<&str> = kind.path.split('.').collect();
        let mut ways = vec![String::new()];
        for step in &steps {
            let mut next = Vec::new();
            for way in ways {
                let on = |step: &str| if way.is_empty() { step.to_owned() } else { format!("{way}.{step}") };
                if *step != "*" {
                    next.push(on(step));
                    continue;
                }
                let count = match self.item_at(&way) {
                    Some(Item::ArrayOfTables(tables)) => tables.len(),
                    Some(Item::Value(Value::Array(array))) => array.len(),
                    _ => 0,
                };
                next.extend((0..count).map(|n| on(&n.to_string())));
            }
            ways = next;
        }
        ways.retain(|way| self.table_at(way).is_some_and(|table| self.is_told(kind, table)));
        ways
    }

    /// Whether a table has the keys that tell a kind from others, and no others tell it better.
    fn is_told(&self, kind: &FeatureKind, table: &dyn TableLike) -> bool {
        if !told(&kind.told_by, table) {
            return false;
        }
        let better = |other: &FeatureKind| {
            other.path == kind.path
                && kind.told_by.is_empty()
                && !other.told_by.is_empty()
                && told(&other.told_by, table)
        };
        !(kind.path.contains('*') && self.drafting.features.iter().any(better))
    }

    /// Where a feature lies; none while its keys are missing.
    fn lie(&self, kind: &FeatureKind, table: &dyn TableLike) -> Option<Lie> {
        let value = |key: &str| -> Option<Value> {
            match key.strip_prefix('/') {
                Some(path) => self.item_at(path)?.as_value().cloned(),
                None => under(table, key),
            }
        };
        if let Extent::On(key) = &kind.extent {
            let id = value(key)?;
            let pieces = self.tables(&self.drafting.terrain_key).into_iter().flatten();
            let piece = pieces.into_iter().find(|t| t.get("id").and_then(Item::as_str) == id.as_str())?;
            return Some(Lie::On(self.corners(piece)?, self.closed(piece)));
        }
        lie::read(&kind.extent, &value)
    }

    /// Makes the table of a new feature and tells the way to it.
    fn begin(&mut self, kind: &FeatureKind) -> Result<String, DraftError> {
        let mut body = Table::new();
        if let Some(prefix) = &kind.id_prefix {
            body.insert(&kind.id_key, Item::Value(Value::from(self.free_id(prefix))));
        }
        for part in [&kind.told_by, &kind.body] {
            for (key, item) in read(part)?.as_table() {
                body.insert(key, item.clone());
            }
        }
        let steps: Vec<&str> = kind.path.split('.').collect();
        let Some(star) = steps.iter().position(|step| *step == "*") else {
            if self.table_at(&kind.path).is_some() && kind.told_by.is_empty() {
                // It is a key of a table that is there: of the first side.
            } else if kind.told_by.is_empty() {
                // It is a key of a table that others share.
                self.make_tables(&steps)?;
            } else {
                let (last, above) = steps.split_last().ok_or_else(|| no_place(kind))?;
                let holder = self.make_tables(above)?;
                holder.remove(last);
                holder.insert(last, Item::Table(body));
            }
            return Ok(kind.path.clone());
        };
        let (above, rest) =
            (steps.get(..star).unwrap_or_default(), steps.get(star + 1..).unwrap_or_default());
        let (array, above) = above.split_last().ok_or_else(|| no_place(kind))?;
        let entry = match rest.first() {
            None => body,
            Some(key) => {
                let mut entry = Table::new();
                let inner: InlineTable = body.into_inline_table();
                entry.insert(key, Item::Value(Value::InlineTable(inner)));
                entry
            }
        };
        let holder = self.make_tables(above)?;
        let item = holder.entry(array).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let nth = match item {
            Item::ArrayOfTables(tables) => {
                tables.push(entry);
                tables.len() - 1
            }
            Item::Value(Value::Array(array)) => {
                array.push(Value::InlineTable(entry.into_inline_table()));
                array.len() - 1
            }
            _ => {
                return Err(DraftError::Shape(format!(
                    "`{array}` is no list in this file; mend it in the text"
                )));
            }
        };
        let mut way: Vec<String> = steps.iter().map(|&step| step.to_owned()).collect();
        if let Some(step) = way.get_mut(star) {
            *step = nth.to_string();
        }
        Ok(way.join("."))
    }

    /// The table at steps, made with all above it where it is missing.
    fn make_tables(&mut self, steps: &[&str]) -> Result<&mut dyn TableLike, DraftError> {
        let mut table: &mut dyn TableLike = self.document.as_table_mut();
        for step in steps {
            let fresh = || {
                let mut fresh = Table::new();
                fresh.set_implicit(true);
                Item::Table(fresh)
            };
            let under = table.entry(step).or_insert_with(fresh);
            table = under.as_table_like_mut().ok_or_else(|| {
                DraftError::Shape(format!("`{step}` is no table in this file; mend it in the text"))
            })?;
        }
        Ok(table)
    }

    /// Writes where a feature lies by the points of its handles.
    fn write_lie(&mut self, kind: &FeatureKind, path: &str, points: &[Point]) -> Result<(), DraftError> {
        let first = || points.first().copied().ok_or_else(|| no_place(kind));
        let mut changes: Vec<(String, Option<Value>)> = Vec::new();
        match &kind.extent {
            Extent::Nowhere => {}
            Extent::Area(_) => shape(points, true)?,
            Extent::Line(_) => shape(points, false)?,
            Extent::On(key) => {
                let at = first()?;
                // Where pieces lie on each other, it stays on its own.
                let own = self.table_at(path).and_then(|table| match self.lie(kind, table)? {
                    Lie::On(corners, closed) => lie::reaches(&corners, closed, at, 0.01).then_some(()),
                    _ => None,
                });
                if own.is_some() {
                    return Ok(());
                }
                let piece = self.ground_at(at, None).ok_or_else(|| {
                    DraftError::Shape(format!("{}: put it on a piece of ground", kind.name))
                })?;
                changes.push((key.clone(), Some(Value::from(self.name_piece(piece)?))));
            }
            _ => {
                first()?;
            }
        }
        if changes.is_empty() {
            let table = self.table_at(path).ok_or_else(|| DraftError::Nothing(path.to_owned()))?;
            let edge = match &kind.extent {
                Extent::Strip(key, _) => {
                    under(table, key).as_ref().and_then(Value::as_str).and_then(lie::edge)
                }
                _ => None,
            };
            changes = lie::write(&kind.extent, points, &self.bounds(), edge)
                .ok_or_else(|| DraftError::Shape(format!("{} needs two places", kind.name)))?;
        }
        for (key, value) in changes {
            match key.strip_prefix('/') {
                Some(far) => {
                    let steps: Vec<&str> = far.split('.').collect();
                    if let Some((last, above)) = steps.split_last() {
                        put(self.make_tables(above)?, last, value);
                    }
                }
                None => {
                    let table =
                        self.table_at_mut(path).ok_or_else(|| DraftError::Nothing(path.to_owned()))?;
                    put_under(table, &key, value);
                }
            }
        }
        Ok(())
    }

    /// The uppermost piece of ground at a place, of those a kind can belong to; a line counts within reach of a hand.
    fn ground_at(&self, at: Point, of: Option<&FeatureKind>) -> Option<usize> {
        let reach = self.bounds().width / 40.0;
        let near = self.tables(&self.drafting.terrain_key)?.enumerate().filter_map(|(n, table)| {
            if !of.is_none_or(|kind| told(&kind.told_by, table)) {
                return None;
            }
            lie::reaches(&self.corners(table)?, self.closed(table), at, reach).then_some(n)
        });
        near.last()
    }

    /// The id of a piece, given one if it has none.
    fn name_piece(&mut self, piece: usize) -> Result<String, DraftError> {
        let key = self.drafting.terrain_key.clone();
        let fresh = self.free_id("T");
        let table = self.nth(&key, piece)?;
        if let Some(id) = table.get("id").and_then(Item::as_str) {
            return Ok(id.to_owned());
        }
        table.insert("id", Item::Value(Value::from(fresh.clone())));
        Ok(fresh)
    }

    /// What stands at a way that leads through no array: `victory.exit`.
    fn item_at(&self, path: &str) -> Option<&Item> {
        let (above, last) = path.rsplit_once('.').unwrap_or(("", path));
        if above.is_empty() { self.document.get(last) } else { self.table_at(above)?.get(last) }
    }

    /// The table at a way.
    fn table_at(&self, path: &str) -> Option<&dyn TableLike> {
        path.split('.').try_fold(Below::Table(self.document.as_table()), Below::step)?.table()
    }

    fn table_at_mut(&mut self, path: &str) -> Option<&mut dyn TableLike> {
        let mut table: &mut dyn TableLike = self.document.as_table_mut();
        let steps: Vec<&str> = path.split('.').collect();
        let mut rest = steps.as_slice();
        loop {
            match rest {
                [] => return Some(table),
                [array, nth, more @ ..] if nth.parse::<usize>().is_ok() => {
                    let n: usize = nth.parse().ok()?;
                    table = match table.get_mut(array)? {
                        Item::ArrayOfTables(tables) => tables.get_mut(n)?,
                        Item::Value(Value::Array(array)) => array.get_mut(n)?.as_inline_table_mut()?,
                        _ => return None,
                    };
                    rest = more;
                }
                [key, more @ ..] => {
                    table = table.get_mut(key)?.as_table_like_mut()?;
                    rest = more;
                }
            }
        }
    }
}

/// A place on the way down a file.
enum Below<'a> {
    Table(&'a dyn TableLike),
    Tables(&'a ArrayOfTables),
    Values(&'a toml_edit::Array),
}

impl<'a> Below<'a> {
    fn step(self, step: &str) -> Option<Self> {
        match self {
            Self::Table(table) => match table.get(step)? {
                Item::ArrayOfTables(tables) => Some(Self::Tables(tables)),
                Item::Value(Value::Array(array)) => Some(Self::Values(array)),
                item => Some(Self::Table(item.as_table_like()?)),
            },
            Self::Tables(tables) => Some(Self::Table(tables.get(step.parse().ok()?)?)),
            Self::Values(array) => Some(Self::Table(array.get(step.parse().ok()?)?.as_inline_table()?)),
        }
    }

    fn table(self) -> Option<&'a dyn TableLike> {
        match self {
            Self::Table(table) => Some(table),
            _ => None,
        }
    }
}

/// Whether a table has these keys with these values.
fn told(by: &str, table: &dyn TableLike) -> bool {
    let Ok(wanted) = read(by) else { return false };
    wanted.iter().all(|(key, item)| {
        let plain = |item: &Item| item.as_value().map(|value| value.clone().decorated("", "").to_string());
        table.get(key).is_some_and(|there| plain(there) == plain(item))
    })
}

fn no_place(kind: &FeatureKind) -> DraftError {
    DraftError::Shape(format!("{} needs a place on the table", kind.name))
}
