//! Files of format 1 written anew in format 2: the document itself is changed, so that comments and order stay, and every
//! move is noted, so that what is wrong can still be told by the lines of the file as it was written.

use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Key, Table, Value};
use tricorne_game::{Choices, Fault, Place, Purpose, Source};

use super::{Dialect, FORMAT, Scenario};

/// A file of format 1 on its way to format 2.
#[derive(Debug)]
pub struct Upgrade {
    document: DocumentMut,
    trail: Trail,
    purpose: Purpose,
}

/// Where each thing was before: the way to it now, and the way to it then.
#[derive(Clone, Debug, Default)]
struct Trail(Vec<(Vec<Place>, Vec<Place>)>);

impl Trail {
    /// The way something had in the file as it was written.
    fn before(&self, path: &[Place]) -> Vec<Place> {
        let known = self.0.iter().filter(|(now, _)| path.starts_with(now)).max_by_key(|(now, _)| now.len());
        match known {
            Some((now, then)) => then.iter().chain(&path[now.len()..]).cloned().collect(),
            None => path.to_vec(),
        }
    }

    /// A fault by the places and the words of the file as it was written.
    fn told(&self, file: &Source, fault: &Fault) -> Fault {
        // A fault of another file, of the rulebook's data, is that file's.
        if fault.file != file.name {
            return fault.clone();
        }
        let path = self.before(&fault.path);
        let mut problem = fault.problem.clone();
        if let (Some(Place::Key(now)), Some(Place::Key(then))) = (fault.path.last(), path.last())
            && now != then
        {
            problem = problem.replace(&format!("`{now}`"), &format!("`{then}`"));
        }
        file.fault(&path, problem)
    }
}

/// A table of the file that is being written anew: the head, or an entry of a list.
#[derive(Debug)]
pub struct Entry<'a> {
    table: &'a mut Table,
    now: Vec<Place>,
    trail: &'a mut Trail,
}

impl Entry<'_> {
    /// Calls a key otherwise, in its place, with its comments. Nothing happens where the new name is taken already.
    pub fn rename(&mut self, old: &str, new: &str) {
        if self.table.contains_key(new) || !self.table.contains_key(old) {
            return;
        }
        let mut anew = Table::new();
        *anew.decor_mut() = self.table.decor().clone();
        anew.set_position(self.table.position());
        anew.set_implicit(self.table.is_implicit());
        anew.set_dotted(self.table.is_dotted());
        for (name, item) in &*self.table {
            let Some(key) = self.table.key(name) else { continue };
            let named = if name == old {
                Key::new(new).with_leaf_decor(key.leaf_decor().clone())
            } else {
                key.clone()
            };
            anew.insert_formatted(&named, item.clone());
        }
        *self.table = anew;
        self.came_from(new, old);
    }

    /// Notes that what stands under a key is what another key said.
    pub fn came_from(&mut self, new: &str, old: &str) {
        let now: Vec<Place> = self.now.iter().cloned().chain([new.into()]).collect();
        let then: Vec<Place> = self.trail.before(&self.now).into_iter().chain([old.into()]).collect();
        self.trail.0.push((now, then));
    }

    /// Notes that what stands under a key is what a key of a table below said.
    pub fn came_from_under(&mut self, new: &str, table: &str, old: &str) {
        let then: Vec<Place> =
            self.trail.before(&self.now).into_iter().chain([table.into(), old.into()]).collect();
        self.was(new, &then);
    }

    /// Whether it has a key.
    pub fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    /// A value that is a word.
    pub fn word(&self, key: &str) -> Option<String> {
        self.table.get(key)?.as_str().map(str::to_owned)
    }

    /// The value of an option that the file sets, if it is a word.
    pub fn options_word(&self, option: &str) -> Option<String> {
        self.table.get("options")?.as_table_like()?.get(option)?.as_str().map(str::to_owned)
    }

    /// A value as it is written.
    pub fn value(&self, key: &str) -> Option<&Value> {
        self.table.get(key)?.as_value()
    }

    /// A value as text, without the space round it.
    pub fn text(&self, key: &str) -> Option<String> {
        self.value(key).map(|value| value.clone().decorated("", "").to_string())
    }

    /// Takes a key away.
    pub fn take(&mut self, key: &str) -> Option<Item> {
        self.table.remove(key)
    }

    /// Takes a table away, however it is written: `[red]` or `red = { … }`.
    pub fn take_table(&mut self, key: &str) -> Option<Table> {
        if self.table.get(key)?.is_table_like() { self.table.remove(key)?.into_table().ok() } else { None }
    }

    /// Puts a table or value under a key, with its comments.
    pub fn put(&mut self, key: &str, item: Item) {
        self.table.insert(key, item);
    }

    /// Puts back what was left of a table that was taken; nothing where nothing was.
    pub fn keep(&mut self, key: &str, left: Table) {
        if !left.is_empty() {
            self.table.insert(key, Item::Table(left));
        }
    }

    /// Notes where in the file something stood before.
    pub fn was(&mut self, key: &str, then: &[Place]) {
        let now: Vec<Place> = self.now.iter().cloned().chain([key.into()]).collect();
        self.trail.0.push((now, then.to_vec()));
    }

    /// Takes a list of tables out of a table, however it is written; what is in it otherwise stays, for the reader to
    /// refuse.
    pub fn lists(table: &mut Table, key: &str) -> Vec<Table> {
        let is_list = match table.get(key) {
            Some(Item::ArrayOfTables(_)) => true,
            Some(Item::Value(Value::Array(list))) => list.iter().all(Value::is_inline_table),
            _ => false,
        };
        if !is_list {
            return Vec::new();
        }
        match table.remove(key).map(Item::into_array_of_tables) {
            Some(Ok(list)) => list.into_iter().collect(),
            _ => Vec::new(),
        }
    }

    /// Sets a key; the comments of what it replaces stay.
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        let mut value = value.into();
        value.decor_mut().clear();
        match self.table.get_mut(key) {
            Some(there) => {
                if let Some(old) = there.as_value() {
                    *value.decor_mut() = old.decor().clone();
                }
                *there = Item::Value(value);
            }
            None => drop(self.table.insert(key, Item::Value(value))),
        }
    }

    /// Sets a key where there is none.
    pub fn usually(&mut self, key: &str, value: impl Into<Value>) {
        if !self.has(key) {
            self.set(key, value);
        }
    }

    /// Sets a key before all others.
    pub fn set_first(&mut self, key: &str, value: impl Into<Value>) {
        self.set_at(None, key, value.into());
    }

    /// Sets a key just after another.
    pub fn set_after(&mut self, other: &str, key: &str, value: impl Into<Value>) {
        self.set_at(Some(other), key, value.into());
    }

    fn set_at(&mut self, after: Option<&str>, key: &str, mut value: Value) {
        value.decor_mut().clear();
        self.table.remove(key);
        let rest = std::mem::take(self.table);
        *self.table.decor_mut() = rest.decor().clone();
        self.table.set_position(rest.position());
        self.table.set_implicit(rest.is_implicit());
        let mut waiting = Some(Item::Value(value));
        if after.is_none_or(|after| !rest.contains_key(after)) {
            self.table.insert(key, waiting.take().unwrap_or_default());
        }
        for (name, item) in &rest {
            if let Some(key) = rest.key(name) {
                self.table.insert_formatted(key, item.clone());
            }
            if after == Some(name)
                && let Some(item) = waiting.take()
            {
                self.table.insert(key, item);
            }
        }
    }

    /// A piece of ground: what stands under one of these keys becomes its `line` or its `outline`.
    pub fn lie(&mut self, points: &[&str], is_line: bool) {
        if self.value("rect").is_some_and(Value::is_array) && !self.has("outline") {
            if let Some(rect) = self.text("rect") {
                self.rename("rect", "outline");
                self.set("outline", inline(&format!("{{ rect = {rect} }}")));
            }
            return;
        }
        // Two points can be no outline, whatever the kind is called.
        for key in points {
            let few = self.value(key).and_then(Value::as_array).is_some_and(|list| list.len() == 2);
            self.rename(key, if is_line || few { "line" } else { "outline" });
        }
    }
}

/// A value from its text; an empty table where it is none.
pub fn inline(text: &str) -> Value {
    text.parse().unwrap_or_else(|_| Value::InlineTable(InlineTable::new()))
}

impl Upgrade {
    fn of(file: &Source, purpose: Purpose) -> Result<Self, Fault> {
        let document = file.text.parse().map_err(|_| match file.parse::<toml::Table>() {
            Err(fault) => fault,
            Ok(_) => file.fault(&[], "is no TOML that can be written anew"),
        })?;
        Ok(Self { document, trail: Trail::default(), purpose })
    }

    /// Whether it is the position of a rule case, which may leave more unsaid.
    pub fn is_position(&self) -> bool {
        self.purpose == Purpose::Position
    }

    /// The head of the file.
    pub fn head(&mut self) -> Entry<'_> {
        Entry { table: self.document.as_table_mut(), now: Vec::new(), trail: &mut self.trail }
    }

    /// A list by its name in format 2, whatever format 1 called it and however it was written.
    pub fn list(&mut self, old: &[&str], new: &str) {
        let mut head = self.head();
        for name in old {
            head.rename(name, new);
        }
        let written = self.document.get(new).and_then(Item::as_array);
        if written.is_some_and(|list| list.iter().all(Value::is_inline_table))
            && let Some(Ok(tables)) = self.document.remove(new).map(Item::into_array_of_tables)
        {
            self.document.insert(new, Item::ArrayOfTables(tables));
        }
        if let Some(Item::ArrayOfTables(tables)) = self.document.get_mut(new) {
            tables.iter_mut().for_each(in_one_line);
        }
    }

    /// Every entry of a list.
    pub fn each(&mut self, list: &str, mut change: impl FnMut(usize, &mut Entry<'_>)) {
        let Some(Item::ArrayOfTables(tables)) = self.document.get_mut(list) else { return };
        for (i, table) in tables.iter_mut().enumerate() {
            let now = vec![list.into(), i.into()];
            change(i, &mut Entry { table, now, trail: &mut self.trail });
        }
    }

    /// Adds an entry to a list: one that stood somewhere else, with its comments, or a new one.
    pub fn push(
        &mut self,
        list: &str,
        table: Table,
        from: Option<&[Place]>,
        change: impl FnOnce(&mut Entry<'_>),
    ) {
        let first = self.document.iter().filter_map(|(_, item)| position(item)).min();
        let item = self.document.entry(list).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let Item::ArrayOfTables(tables) = item else { return };
        let mut table = table;
        if from.is_none() || table.position().is_none() {
            table.set_position(tables.iter().last().and_then(Table::position).or(first));
        }
        // Entries of a list are written in the order of the list, whatever order they were found in.
        let before = tables.iter().filter_map(Table::position).max();
        if before > table.position() {
            table.set_position(before);
        }
        table.set_implicit(false);
        table.set_dotted(false);
        in_one_line(&mut table);
        tables.push(table);
        let nth = tables.len() - 1;
        let now: Vec<Place> = vec![list.into(), nth.into()];
        if let Some(from) = from {
            self.trail.0.push((now.clone(), from.to_vec()));
        }
        if let Some(table) = tables.get_mut(nth) {
            change(&mut Entry { table, now, trail: &mut self.trail });
        }
    }

    /// The table's size as width and height, where it was two numbers; the usual one where nothing was said.
    pub fn table(&mut self, [width, height]: [f64; 2]) {
        let mut head = self.head();
        let pair = head.value("table").and_then(Value::as_array).filter(|pair| pair.len() == 2).cloned();
        let size = match pair {
            Some(pair) => {
                let side = |n: usize| pair.get(n).map(|v| v.clone().decorated("", "").to_string());
                let (w, h) = (side(0).unwrap_or_default(), side(1).unwrap_or_default());
                format!("{{ width = {w}, height = {h} }}")
            }
            None if head.has("table") => return,
            None => format!("{{ width = {width}, height = {height} }}"),
        };
        head.set("table", inline(&size));
    }
}

/// Writes the tables below an entry in one line each, so that they stay with it.
fn in_one_line(table: &mut Table) {
    for (_, item) in table.iter_mut() {
        if matches!(item, Item::Table(_) | Item::ArrayOfTables(_)) {
            let below = std::mem::take(item);
            *item = below.into_value().map_or_else(|item| item, Item::Value);
        }
    }
}

/// Where the first table of an item stands in the file.
fn position(item: &Item) -> Option<isize> {
    match item {
        Item::Table(table) if table.is_implicit() || table.is_dotted() => {
            table.iter().filter_map(|(_, item)| position(item)).min()
        }
        Item::Table(table) => table.position(),
        Item::ArrayOfTables(tables) => tables.iter().filter_map(Table::position).min(),
        _ => None,
    }
}

/// The format a file says it has.
fn format(file: &Source) -> Result<Option<i64>, Fault> {
    let head = file.table()?;
    match head.get("format") {
        None => Ok(None),
        Some(toml::Value::Integer(n)) => Ok(Some(*n)),
        Some(other) => Err(unknown(file, &other.to_string())),
    }
}

fn unknown(file: &Source, said: &str) -> Fault {
    file.fault(&["format".into()], format!("is {said}; this program reads format 1 and format {FORMAT}"))
}

/// A file of format 1 in the words of format 2, with what leads back.
fn translated<D: Dialect>(
    file: &Source,
    choices: &Choices,
    purpose: Purpose,
) -> Result<(Source, Trail), Fault> {
    let mut anew = Upgrade::of(file, purpose)?;
    let mut head = anew.head();
    head.usually("ruleset", D::RULESET);
    head.usually("title", D::UNTITLED);
    if head.has("format") {
        head.set("format", i64::from(FORMAT));
    } else {
        head.set_first("format", i64::from(FORMAT));
    }
    D::upgrade(&mut anew, choices);
    Ok((Source::new(file.name.clone(), anew.document.to_string()), anew.trail))
}

impl<D: Dialect> Scenario<D> {
    /// Reads a file of either format and makes a battle of it; what is wrong is told by the lines of the file as it was
    /// written. A file that does not say its format is of the first.
    pub fn open<T>(
        file: &Source,
        choices: &Choices,
        purpose: Purpose,
        build: impl FnOnce(&Source, Self) -> Result<T, Fault>,
    ) -> Result<T, Fault> {
        match format(file)? {
            Some(n) if n == i64::from(FORMAT) => build(file, Self::read(file)?),
            None | Some(1) => {
                let (anew, trail) = translated::<D>(file, choices, purpose)?;
                Self::read(&anew)
                    .and_then(|read| build(&anew, read))
                    .map_err(|fault| trail.told(file, &fault))
            }
            Some(other) => Err(unknown(file, &other.to_string())),
        }
    }

    /// A file of format 1 in format 2; none if it is of format 2 already.
    pub fn upgraded(file: &Source, choices: &Choices) -> Result<Option<String>, Fault> {
        match format(file)? {
            Some(n) if n == i64::from(FORMAT) => Ok(None),
            None | Some(1) => Ok(Some(translated::<D>(file, choices, Purpose::Scenario)?.0.text)),
            Some(other) => Err(unknown(file, &other.to_string())),
        }
    }
}
