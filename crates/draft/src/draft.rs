//! A scenario file open in an editor.

use serde::{Deserialize, Serialize};
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};
use tricorne_game::drafting::{DraftSide, Drafting, TroopKind};
use tricorne_game::view::View;
use tricorne_game::{AnySystem, Choices, Fault, Purpose, Source};
use tricorne_table::Point;

use crate::Edit;
use crate::JsonSchema;
use crate::lie::{self, Size};
use crate::numbers;

/// Why an edit was not made. The draft is as it was.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DraftError {
    /// The text is no TOML.
    #[error("line {line}: {problem}")]
    Unreadable {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        problem: String,
    },
    /// The system's files can't be drawn yet.
    #[error("scenarios of {0} can't be drawn here")]
    NoDrafting(String),
    /// There is no such kind.
    #[error("there is no {what} `{asked}`; there is {known}")]
    Unknown {
        /// Ground, troop, side.
        what: &'static str,
        /// What was asked for.
        asked: String,
        /// What there is.
        known: String,
    },
    /// There is no such piece.
    #[error("there is nothing at {0}; it may have been taken away")]
    Nothing(String),
    /// A shape that can't be laid.
    #[error("{0}")]
    Shape(String),
}

/// Something placed on the table, as the file has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Placed {
    /// The array it is in.
    pub array: String,
    /// Which of it, from 0.
    pub nth: usize,
    /// Its id, if it has one.
    pub id: Option<String>,
    /// Where it is.
    pub at: Point,
    /// Which way it faces, if the file says.
    pub facing: Option<f64>,
}

/// Something that could stand on the table and does not: it is to be placed by a player, or is in a building.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Absent {
    /// The array it is in.
    pub array: String,
    /// Which of it, from 0.
    pub nth: usize,
    /// Its id, if it has one.
    pub id: Option<String>,
}

/// A scenario file open in an editor.
#[derive(Clone, Debug)]
pub struct Draft {
    pub(crate) document: DocumentMut,
    pub(crate) drafting: Drafting,
    anew: bool,
}

impl Draft {
    /// Opens a file of a system's. One of an older format is written anew first: [`Draft::is_written_anew`].
    pub fn open(system: &dyn AnySystem, text: &str) -> Result<Self, DraftError> {
        let drafting =
            system.drafting().ok_or_else(|| DraftError::NoDrafting(system.about().title.to_owned()))?;
        let mut document = read(text)?;
        let mut anew = false;
        if let Ok(Some(text)) = system.upgraded(&Source::new("this scenario", text)) {
            document = read(&text)?;
            anew = true;
        }
        Ok(Self { document, drafting, anew })
    }

    /// Whether the file was of an older format, and the draft is it in the present one.
    pub fn is_written_anew(&self) -> bool {
        self.anew
    }

    /// A new scenario: an empty table.
    pub fn blank(system: &dyn AnySystem) -> Result<Self, DraftError> {
        let drafting =
            system.drafting().ok_or_else(|| DraftError::NoDrafting(system.about().title.to_owned()))?;
        Ok(Self { document: read(&drafting.blank)?, drafting, anew: false })
    }

    /// The file's text.
    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// What the file says, for forms that show it.
    pub fn values(&self) -> serde_json::Value {
        Source::new("this scenario", self.text()).parse().unwrap_or_default()
    }

    /// What the loader says against it; none when it can be played.
    pub fn fault(&self, system: &dyn AnySystem) -> Option<Fault> {
        let file = Source::new("this scenario", self.text());
        tricorne_game::ready(system, &file, &Choices::default()).err()
    }

    /// The table as the file has it so far, for drawing: also of a scenario that can't be played yet, as long as it
    /// can be read at all.
    pub fn view(&self, system: &dyn AnySystem) -> Result<View, Fault> {
        let file = Source::new("this scenario", self.text());
        let battle = system
            .set_up(&file, &Choices::default(), Purpose::Scenario)
            .or_else(|_| system.set_up(&file, &Choices::default(), Purpose::Position))?;
        Ok(battle.view(None))
    }

    /// Everything placed on the table, array by array, in the file's order.
    pub fn placed(&self) -> Vec<Placed> {
        let mut found = Vec::new();
        for (array, key) in self.arrays() {
            for (nth, table) in self.tables(&array).into_iter().flatten().enumerate() {
                let Some(at) = table.get(&key).and_then(Item::as_value).and_then(numbers::read_point) else {
                    continue;
                };
                let facing = table.get("facing").and_then(Item::as_value).and_then(numbers::read);
                let id = table.get("id").and_then(Item::as_str).map(str::to_owned);
                found.push(Placed { array: array.clone(), nth, id, at, facing });
            }
        }
        found
    }

    /// What could stand on the table and has no place in the file.
    pub fn absent(&self) -> Vec<Absent> {
        let placed = self.placed();
        let mut found = Vec::new();
        for (array, _) in self.arrays() {
            for (nth, table) in self.tables(&array).into_iter().flatten().enumerate() {
                if !placed.iter().any(|p| p.array == array && p.nth == nth) {
                    let id = table.get("id").and_then(Item::as_str).map(str::to_owned);
                    found.push(Absent { array: array.clone(), nth, id });
                }
            }
        }
        found
    }

    /// The sides as this file names them.
    pub fn sides(&self) -> Vec<DraftSide> {
        let own = self.drafting.sides_key.as_ref().and_then(|key| self.tables(key));
        let named: Vec<DraftSide> = own
            .into_iter()
            .flatten()
            .filter_map(|table| {
                let id = table.get("id").and_then(Item::as_str)?.to_owned();
                let name = table.get("name").and_then(Item::as_str).unwrap_or(&id).to_owned();
                let prefix = id.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
                Some(DraftSide { id, name, prefix })
            })
            .collect();
        if named.is_empty() { self.drafting.sides.clone() } else { named }
    }

    /// Width and depth of the table, as the file has it or, where it does not say, as a new one has it.
    pub fn table(&self) -> (f64, f64) {
        let size = self.bounds();
        (size.width, size.depth)
    }

    pub(crate) fn bounds(&self) -> Size {
        lie::size(&self.document)
            .or_else(|| lie::size(&read(&self.drafting.blank).ok()?))
            .unwrap_or(Size { width: 72.0, depth: 48.0 })
    }

    /// The corners of each piece of ground, in the file's order; none for a piece written in a way of its own.
    pub fn ground(&self) -> Vec<Option<Vec<Point>>> {
        let pieces = self.tables(&self.drafting.terrain_key);
        pieces.into_iter().flatten().map(|table| self.corners(table)).collect()
    }

    /// Makes an edit. One that can't be made changes nothing.
    pub fn make(&mut self, edit: &Edit) -> Result<(), DraftError> {
        let before = self.document.clone();
        let made = self.try_make(edit);
        if made.is_err() {
            self.document = before;
        }
        made
    }

    fn try_make(&mut self, edit: &Edit) -> Result<(), DraftError> {
        match edit {
            Edit::Lay { kind, points } => self.lay(kind, points),
            Edit::Reshape { piece, points } => self.reshape(*piece, points),
            Edit::Shift { piece, by } => self.shift(*piece, *by),
            Edit::Lift { piece } => {
                let key = self.drafting.terrain_key.clone();
                self.remove(&key, *piece)
            }
            Edit::Reground { terrain } => self.reground(terrain),
            Edit::Place { troop, side, at, facing } => self.place(troop, side, *at, *facing),
            Edit::Move { array, nth, at, facing } => self.shift_unit(array, *nth, *at, *facing),
            Edit::Remove { array, nth } => {
                if !self.arrays().iter().any(|(known, _)| known == array) {
                    return Err(unknown("array", array, self.arrays().into_iter().map(|(a, _)| a)));
                }
                self.remove(array, *nth)
            }
            Edit::Mark { feature, points } => self.mark(feature, points),
            Edit::Extend { feature, path, points } => self.extend(feature, path, points),
            Edit::Redraw { feature, path, points } => self.redraw(feature, path, points),
            Edit::Erase { feature, path } => self.erase(feature, path),
            Edit::Set { path, value } => self.set(path, value.as_deref()),
        }
    }

    fn lay(&mut self, kind: &str, points: &[Point]) -> Result<(), DraftError> {
        let kinds = &self.drafting.grounds;
        let ground = kinds
            .iter()
            .find(|g| g.id == kind)
            .ok_or_else(|| unknown("ground", kind, kinds.iter().map(|g| g.id.clone())))?;
        shape(points, ground.closed)?;
        let mut table = read(&ground.extra)?.as_table().clone();
        let mut fresh = Table::new();
        fresh.insert("id", Item::Value(Value::from(self.free_id("T"))));
        fresh.insert("kind", Item::Value(Value::from(ground.kind.as_str())));
        fresh.insert(self.points_key(ground.closed), Item::Value(numbers::points(points)));
        for (key, item) in std::mem::take(&mut table) {
            fresh.insert(&key, item);
        }
        let key = self.drafting.terrain_key.clone();
        self.array(&key).push(fresh);
        Ok(())
    }

    fn reshape(&mut self, piece: usize, points: &[Point]) -> Result<(), DraftError> {
        let terrain = self.drafting.terrain_key.clone();
        let closed = self.is_area(piece)?;
        shape(points, closed)?;
        let key = self.points_key(closed).to_owned();
        let table = self.nth(&terrain, piece)?;
        table.remove("rect");
        write_value(table, &key, numbers::points(points));
        Ok(())
    }

    fn shift(&mut self, piece: usize, by: Point) -> Result<(), DraftError> {
        let terrain = self.drafting.terrain_key.clone();
        let closed = self.is_area(piece)?;
        let key = self.points_key(closed).to_owned();
        let table = self.nth(&terrain, piece)?;
        let moved_rect = |[left, bottom, right, top]: [f64; 4]| {
            let moved = [left + by.x, bottom + by.y, right + by.x, top + by.y];
            Value::Array(moved.into_iter().map(numbers::number).collect())
        };
        let moved_points =
            |points: Vec<Point>| numbers::points(&points.into_iter().map(|p| p + by).collect::<Vec<Point>>());
        if let Some(rect) = table.get("rect").and_then(numbers::read_rect) {
            write_value(table, "rect", moved_rect(rect));
        } else if let Some(points) = table.get(&key).and_then(numbers::read_points) {
            write_value(table, &key, moved_points(points));
        } else if let Some(outline) = table.get_mut(&key).and_then(Item::as_table_like_mut)
            && let Some((form, moved)) = outline
                .get("rect")
                .and_then(numbers::read_rect)
                .map(|rect| ("rect", moved_rect(rect)))
                .or_else(|| {
                    let points = outline.get("polygon").and_then(numbers::read_points)?;
                    Some(("polygon", moved_points(points)))
                })
        {
            put(outline, form, Some(moved));
        } else {
            let why = format!(
                "{terrain} {} is written in a way of its own; shift it in the text",
                piece.saturating_add(1)
            );
            return Err(DraftError::Shape(why));
        }
        self.shift_parts(piece, by)
    }

    /// The key of an area's corners, or of a line's points.
    fn points_key(&self, closed: bool) -> &str {
        let line = self.drafting.line_key.as_ref().filter(|_| !closed);
        line.unwrap_or(&self.drafting.points_key)
    }

    fn reground(&mut self, terrain: &str) -> Result<(), DraftError> {
        let key = self.drafting.terrain_key.clone();
        let other = read(terrain)?;
        let pieces: Vec<Table> = match other.get(&key).and_then(Item::as_array_of_tables) {
            Some(pieces) => pieces.iter().cloned().collect(),
            None => Vec::new(),
        };
        let array = self.array(&key);
        array.clear();
        for mut piece in pieces {
            piece.set_position(None);
            array.push(piece);
        }
        if self.tables(&key).is_some_and(|mut tables| tables.next().is_none()) {
            self.document.remove(&key);
        }
        Ok(())
    }

    fn place(&mut self, troop: &str, side: &str, at: Point, facing: Option<f64>) -> Result<(), DraftError> {
        finite(at)?;
        let troops = &self.drafting.troops;
        let kind: TroopKind = troops
            .iter()
            .find(|t| t.id == troop)
            .cloned()
            .ok_or_else(|| unknown("troop", troop, troops.iter().map(|t| t.id.clone())))?;
        let sides = self.sides();
        let of = sides
            .iter()
            .find(|s| s.id == side)
            .cloned()
            .ok_or_else(|| unknown("side", side, sides.iter().map(|s| s.id.clone())))?;
        if !kind.sides.is_empty() && !kind.sides.contains(&of.id) {
            return Err(DraftError::Shape(format!(
                "{} belongs to {}, not to {}",
                kind.name,
                kind.sides.join(" or "),
                of.id
            )));
        }
        let is_unit = kind.array.is_none() || kind.faces;
        let mut table = Table::new();
        if is_unit {
            table.insert("id", Item::Value(Value::from(self.free_id(&of.prefix))));
            if let Some(key) = &self.drafting.side_key {
                table.insert(key, Item::Value(Value::from(of.id.clone())));
            }
        }
        for (key, item) in read(&kind.body)?.as_table() {
            table.insert(key, item.clone());
        }
        // A kind that leaves its id open has one all the same: commanders are no units, and are known by theirs.
        if table.get("id").and_then(Item::as_str).is_some_and(str::is_empty) {
            table.insert("id", Item::Value(Value::from(self.free_id(&of.prefix))));
        }
        table.insert(&kind.place_key, Item::Value(numbers::point(at)));
        if kind.faces {
            table.insert("facing", Item::Value(numbers::number(bearing(facing.unwrap_or(0.0))?)));
        }
        let array = kind.array.unwrap_or_else(|| self.drafting.unit_key.clone());
        self.array(&array).push(table);
        Ok(())
    }

    fn shift_unit(
        &mut self,
        array: &str,
        nth: usize,
        at: Option<Point>,
        facing: Option<f64>,
    ) -> Result<(), DraftError> {
        let arrays = self.arrays();
        let (_, key) = arrays
            .iter()
            .find(|(known, _)| known == array)
            .ok_or_else(|| unknown("array", array, arrays.iter().map(|(a, _)| a.clone())))?;
        let table = self.nth(array, nth)?;
        if let Some(at) = at {
            finite(at)?;
            write_value(table, key, numbers::point(at));
        }
        if let Some(facing) = facing {
            write_value(table, "facing", numbers::number(bearing(facing)?));
        }
        Ok(())
    }

    fn remove(&mut self, array: &str, nth: usize) -> Result<(), DraftError> {
        self.nth(array, nth)?;
        let tables = self.array(array);
        tables.remove(nth);
        if tables.is_empty() {
            self.document.remove(array);
        }
        Ok(())
    }

    fn set(&mut self, path: &str, value: Option<&str>) -> Result<(), DraftError> {
        let parsed: Option<Value> = match value {
            None => None,
            Some(text) => Some(text.parse().map_err(|_| {
                DraftError::Shape(format!(
                    "`{text}` is no TOML value; write a number, true, false or \"words\""
                ))
            })?),
        };
        let steps: Vec<&str> = path.split('.').collect();
        set_under(self.document.as_table_mut(), &steps, parsed)
            .ok_or_else(|| DraftError::Nothing(path.to_owned()))
    }

    /// The arrays things are placed in, with the key of their place.
    fn arrays(&self) -> Vec<(String, String)> {
        let mut arrays = vec![(self.drafting.unit_key.clone(), "at".to_owned())];
        for troop in &self.drafting.troops {
            if let Some(array) = &troop.array
                && !arrays.iter().any(|(known, _)| known == array)
            {
                arrays.push((array.clone(), troop.place_key.clone()));
            }
        }
        arrays
    }

    pub(crate) fn tables(&self, key: &str) -> Option<impl Iterator<Item = &Table>> {
        Some(self.document.get(key)?.as_array_of_tables()?.iter())
    }

    /// The array of that name; made if there is none.
    fn array(&mut self, key: &str) -> &mut ArrayOfTables {
        let fresh = || Item::ArrayOfTables(ArrayOfTables::new());
        let item = self.document.entry(key).or_insert_with(fresh);
        if item.as_array_of_tables().is_none() {
            *item = fresh();
        }
        match item {
            Item::ArrayOfTables(array) => array,
            _ => unreachable!("it was made an array of tables above"),
        }
    }

    pub(crate) fn nth(&mut self, array: &str, nth: usize) -> Result<&mut Table, DraftError> {
        let there = self.document.get_mut(array).and_then(Item::as_array_of_tables_mut);
        there
            .and_then(|tables| tables.get_mut(nth))
            .ok_or_else(|| DraftError::Nothing(format!("{array} {}", nth.saturating_add(1))))
    }

    fn is_area(&mut self, piece: usize) -> Result<bool, DraftError> {
        let terrain = self.drafting.terrain_key.clone();
        let table = self.nth(&terrain, piece)?.clone();
        Ok(self.closed(&table))
    }

    /// Whether a piece of ground is an area.
    pub(crate) fn closed(&self, piece: &Table) -> bool {
        let kind = piece.get("kind").and_then(Item::as_str);
        self.drafting.grounds.iter().find(|g| Some(g.kind.as_str()) == kind).is_none_or(|g| g.closed)
    }

    pub(crate) fn corners(&self, table: &Table) -> Option<Vec<Point>> {
        let corner = |x, y| Point { x, y };
        let four = |[left, bottom, right, top]: [f64; 4]| {
            vec![corner(left, bottom), corner(right, bottom), corner(right, top), corner(left, top)]
        };
        if let Some(rect) = table.get("rect").and_then(numbers::read_rect) {
            return Some(four(rect));
        }
        let written = table.get(self.points_key(self.closed(table)))?;
        if let Some(points) = numbers::read_points(written) {
            return Some(points);
        }
        let outline = written.as_table_like()?;
        let rect = outline.get("rect").and_then(numbers::read_rect).map(four);
        rect.or_else(|| outline.get("polygon").and_then(numbers::read_points))
    }

    /// The first id of that beginning that nothing has.
    pub(crate) fn free_id(&self, prefix: &str) -> String {
        let taken: Vec<&str> = self
            .document
            .iter()
            .flat_map(|(_, item)| match item.as_table() {
                // One table down: `[[victory.marker]]`.
                Some(table) => table.iter().map(|(_, item)| item).collect(),
                None => vec![item],
            })
            .filter_map(Item::as_array_of_tables)
            .flat_map(ArrayOfTables::iter)
            .flat_map(|table| ["id", "name"].map(|key| table.get(key).and_then(Item::as_str)))
            .flatten()
            .collect();
        let mut n = 1;
        while taken.contains(&format!("{prefix}{n}").as_str()) {
            n += 1;
        }
        format!("{prefix}{n}")
    }
}

/// Sets a key somewhere under a table; none when the way leads nowhere.
fn set_under(table: &mut dyn TableLike, steps: &[&str], value: Option<Value>) -> Option<()> {
    match steps {
        [] | [""] => None,
        [last] => {
            put(table, last, value);
            Some(())
        }
        [array, nth, rest @ ..] if table.get(array).is_some_and(Item::is_array_of_tables) => {
            let tables = table.get_mut(array)?.as_array_of_tables_mut()?;
            set_under(tables.get_mut(nth.parse().ok()?)?, rest, value)
        }
        [list, nth, key] if table.get(list).is_none_or(|there| entry_of(there, nth).is_some()) => {
            put_under(table, &format!("{list}.{nth}.{key}"), value);
            Some(())
        }
        [array, nth] if table.get(array).is_some_and(Item::is_array) => {
            let values = table.get_mut(array)?.as_array_mut()?;
            let there = values.get_mut(nth.parse().ok()?)?;
            let decor = there.decor().clone();
            *there = value?;
            *there.decor_mut() = decor;
            Some(())
        }
        [key, rest @ ..] => {
            let under = table.entry(key).or_insert_with(|| Item::Table(Table::new()));
            set_under(under.as_table_like_mut()?, rest, value)
        }
    }
}

/// The n-th table of a list that is written in one line: `zone = [{ edge = "west" }]`.
fn entry_of<'a>(list: &'a Item, nth: &str) -> Option<&'a toml_edit::InlineTable> {
    list.as_array()?.get(nth.parse().ok()?)?.as_inline_table()
}

/// What stands under a key, or under `list.n.key` for a list that is written in one line.
pub(crate) fn under(table: &dyn TableLike, key: &str) -> Option<Value> {
    let mut steps = key.splitn(3, '.');
    let first = table.get(steps.next()?)?;
    match (steps.next(), steps.next()) {
        (Some(nth), Some(key)) => entry_of(first, nth)?.get(key).cloned(),
        _ => first.as_value().cloned(),
    }
}

/// Sets what stands under a key, or under `list.n.key`; a list that is not there is made.
pub(crate) fn put_under(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    let steps: Vec<&str> = key.splitn(3, '.').collect();
    let [list, nth, key] = steps.as_slice() else { return put(table, key, value) };
    if value.is_none() && table.get(list).is_none() {
        return;
    }
    let item = table.entry(list).or_insert_with(|| Item::Value(Value::Array(Array::new())));
    let (Some(array), Ok(nth)) = (item.as_array_mut(), nth.parse::<usize>()) else { return };
    if array.len() == nth {
        array.push(Value::InlineTable(InlineTable::new()));
    }
    if let Some(entry) = array.get_mut(nth).and_then(Value::as_inline_table_mut) {
        put(entry, key, value);
        if entry.is_empty() {
            array.remove(nth);
        }
    }
    if table.get(list).and_then(Item::as_array).is_some_and(Array::is_empty) {
        table.remove(list);
    }
}

/// Sets a key, keeping the spacing and the comment of the line it replaces; or takes it away.
pub(crate) fn put(table: &mut dyn TableLike, key: &str, value: Option<Value>) {
    match value {
        None => {
            table.remove(key);
        }
        Some(mut value) => {
            if let Some(old) = table.get(key).and_then(Item::as_value) {
                *value.decor_mut() = old.decor().clone();
            }
            table.insert(key, Item::Value(value));
        }
    }
}

fn write_value(table: &mut Table, key: &str, value: Value) {
    put(table, key, Some(value));
}

pub(crate) fn read(text: &str) -> Result<DocumentMut, DraftError> {
    text.parse().map_err(|error: toml_edit::TomlError| {
        let byte = error.span().map_or(0, |span| span.start).min(text.len());
        DraftError::Unreadable {
            line: text.get(..byte).map_or(1, |before| before.matches('\n').count() + 1),
            problem: error.message().to_owned(),
        }
    })
}

pub(crate) fn unknown(what: &'static str, asked: &str, known: impl Iterator<Item = String>) -> DraftError {
    DraftError::Unknown { what, asked: asked.to_owned(), known: known.collect::<Vec<_>>().join(", ") }
}

pub(crate) fn finite(point: Point) -> Result<(), DraftError> {
    if point.is_finite() { Ok(()) } else { Err(DraftError::Shape("a place needs two numbers".into())) }
}

fn bearing(degrees: f64) -> Result<f64, DraftError> {
    if degrees.is_finite() {
        Ok(degrees.rem_euclid(360.0))
    } else {
        Err(DraftError::Shape("a facing is a number of degrees, clockwise from north".into()))
    }
}

/// Whether points make an area or a line.
pub(crate) fn shape(points: &[Point], closed: bool) -> Result<(), DraftError> {
    points.iter().try_for_each(|point| finite(*point))?;
    let (least, what) =
        if closed { (3, "an area needs three corners") } else { (2, "a line needs two points") };
    if points.len() < least {
        return Err(DraftError::Shape(format!("{what} at least; this has {}", points.len())));
    }
    Ok(())
}
