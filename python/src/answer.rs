//! A proposed answer as a row of numbers, whichever rule system it belongs to: the answer writes itself, as it would
//! into JSON, and what goes by is noted. Names become a code, further words a bag, units their rows, places shares of
//! the table, other numbers a bag by the key they stand under.

use serde::Serialize;
use serde::ser::{
    self, SerializeMap, SerializeSeq, SerializeStruct, SerializeStructVariant, SerializeTuple,
    SerializeTupleStruct, SerializeTupleVariant,
};
use tricorne_table::Point;

use crate::code::{self, BAG, CODE};
use crate::rows::Roll;

/// Buckets for numbers that are no place.
const NUMBERS: usize = 8;

/// Columns of an answer.
pub const ANSWER: usize = 2 + CODE + BAG + 12 + 6 + NUMBERS;

/// The names of the columns, in order.
pub fn columns() -> Vec<String> {
    let run = |name: &str, n: usize| (0..n).map(|i| format!("{name}_{i}")).collect::<Vec<_>>();
    let mut all = vec!["present".to_owned(), "promise".to_owned()];
    all.extend(run("name", CODE));
    all.extend(run("word", BAG));
    for unit in ["unit", "target"] {
        all.extend(["row", "own", "enemy", "x", "y", "share"].map(|c| format!("{unit}_{c}")));
    }
    all.extend(["points", "x", "y", "east", "north", "length"].map(|c| format!("way_{c}")));
    all.extend(run("number", NUMBERS));
    all
}

/// Writes an answer's row.
pub fn write<A: Serialize>(answer: &A, promise: f32, about: Option<usize>, roll: &Roll, row: &mut [f32]) {
    row.fill(0.0);
    let mut ear = Ear::new(roll);
    // Nothing in an answer can't be written; a type that refuses is heard as far as it came.
    let _ = answer.serialize(&mut ear);
    row[0] = 1.0;
    row[1] = promise;
    row[2..2 + CODE].copy_from_slice(&ear.name);
    let at = 2 + CODE;
    row[at..at + BAG].copy_from_slice(&ear.words);
    let mut at = at + BAG;
    // An answer to a question about a unit goes without naming it.
    let mut units = ear.units;
    if let Some(about) = about.filter(|about| !units.contains(&Some(*about))) {
        units = [Some(about), units[0]];
    }
    for unit in units {
        row[at] = -1.0;
        if let Some((n, known)) = unit.and_then(|n| Some((n, roll.unit(n)?))) {
            let (x, y) = roll.place(known.at);
            let own = f32::from(u8::from(known.own));
            row[at..at + 6].copy_from_slice(&[n as f32, own, 1.0 - own, x, y, known.share]);
        }
        at += 6;
    }
    if let Some(last) = ear.last {
        let from = units[0].and_then(|n| roll.unit(n)).map_or(ear.first.unwrap_or(last), |u| u.at);
        let (x, y) = roll.place(last);
        let (was_x, was_y) = roll.place(from);
        let (length, _) =
            roll.place(Point::new(ear.length + ear.first.map_or(0.0, |p| from.distance(p)), 0.0));
        let points = f32::from(ear.points) / 4.0;
        row[at..at + 6].copy_from_slice(&[points, x, y, x - was_x, y - was_y, length]);
    }
    at += 6;
    row[at..at + NUMBERS].copy_from_slice(&ear.numbers);
}

/// Who listens while an answer writes itself.
struct Ear<'a> {
    roll: &'a Roll,
    named: bool,
    key: &'static str,
    name: [f32; CODE],
    words: [f32; BAG],
    units: [Option<usize>; 2],
    first: Option<Point>,
    last: Option<Point>,
    points: u8,
    length: f64,
    numbers: [f32; NUMBERS],
    /// Numbers of a list that may turn out to be a place.
    pair: [f64; 2],
    /// How many of them; more than two, or anything else in the list, and it is none.
    paired: Option<u8>,
}

impl<'a> Ear<'a> {
    fn new(roll: &'a Roll) -> Self {
        Self {
            roll,
            named: false,
            key: "",
            name: [0.0; CODE],
            words: [0.0; BAG],
            units: [None; 2],
            first: None,
            last: None,
            points: 0,
            length: 0.0,
            numbers: [0.0; NUMBERS],
            pair: [0.0; 2],
            paired: None,
        }
    }

    fn word(&mut self, word: &str) {
        if self.named {
            code::count(word, 1.0, &mut self.words);
        } else {
            code::sign(word, &mut self.name);
            self.named = true;
        }
    }

    fn number(&mut self, n: f64) {
        match self.paired {
            Some(held @ 0..=1) => {
                self.pair[usize::from(held)] = n;
                self.paired = Some(held + 1);
            }
            Some(held) => {
                if held == 2 {
                    self.spill();
                }
                self.paired = Some(3);
                self.plain(n);
            }
            None => self.plain(n),
        }
    }

    fn plain(&mut self, n: f64) {
        self.numbers[code::hash(self.key) as usize % NUMBERS] += (n / 10.0) as f32;
    }

    fn spill(&mut self) {
        let held = self.paired.map_or(0, |n| n.min(2));
        for n in 0..usize::from(held) {
            self.plain(self.pair[n]);
        }
    }

    fn open(&mut self) -> Option<u8> {
        self.spill_if_open();
        self.paired.replace(0)
    }

    /// A list inside a list: what stood loose before it is no place.
    fn spill_if_open(&mut self) {
        if matches!(self.paired, Some(1..=2)) {
            self.spill();
            self.paired = Some(3);
        }
    }

    fn close(&mut self, outer: Option<u8>) {
        match self.paired {
            Some(2) => {
                let place = Point::new(self.pair[0], self.pair[1]);
                if let Some(last) = self.last {
                    self.length += last.distance(place);
                }
                self.first.get_or_insert(place);
                self.last = Some(place);
                self.points = self.points.saturating_add(1);
            }
            Some(1) => self.spill(),
            _ => {}
        }
        self.paired = outer.map(|_| 3);
    }
}

/// An answer that can't be written; there is none.
#[derive(Debug)]
struct Mute;

impl std::fmt::Display for Mute {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an answer that can't be written")
    }
}

impl std::error::Error for Mute {}

impl ser::Error for Mute {
    fn custom<T: std::fmt::Display>(_: T) -> Self {
        Mute
    }
}

type Heard = Result<(), Mute>;

/// A list or table that is being heard.
struct Inside<'e, 'a> {
    ear: &'e mut Ear<'a>,
    outer: Option<u8>,
    key: &'static str,
}

impl<'e, 'a> Inside<'e, 'a> {
    fn list(ear: &'e mut Ear<'a>) -> Self {
        let outer = ear.open();
        let key = ear.key;
        Self { ear, outer, key }
    }

    fn table(ear: &'e mut Ear<'a>) -> Self {
        ear.spill_if_open();
        let outer = ear.paired.take();
        let key = ear.key;
        Self { ear, outer, key }
    }

    fn one<T: Serialize + ?Sized>(&mut self, value: &T) -> Heard {
        value.serialize(&mut *self.ear)
    }

    fn field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Heard {
        self.ear.key = key;
        let heard = value.serialize(&mut *self.ear);
        self.ear.key = self.key;
        heard
    }

    fn end_list(self) {
        self.ear.close(self.outer);
    }

    fn end_table(self) {
        self.ear.paired = self.outer.map(|_| 3);
    }
}

macro_rules! numbers {
    ($($name:ident: $kind:ty),*) => {
        $(fn $name(self, n: $kind) -> Heard {
            self.number(n as f64);
            Ok(())
        })*
    };
}

#[expect(clippy::cast_lossless, reason = "one line for every kind of number")]
impl<'e, 'a> ser::Serializer for &'e mut Ear<'a> {
    type Ok = ();
    type Error = Mute;
    type SerializeSeq = Inside<'e, 'a>;
    type SerializeTuple = Inside<'e, 'a>;
    type SerializeTupleStruct = Inside<'e, 'a>;
    type SerializeTupleVariant = Inside<'e, 'a>;
    type SerializeMap = Inside<'e, 'a>;
    type SerializeStruct = Inside<'e, 'a>;
    type SerializeStructVariant = Inside<'e, 'a>;

    numbers!(
        serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64, serialize_u8: u8,
        serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32, serialize_f64: f64
    );

    fn serialize_bool(self, yes: bool) -> Heard {
        self.number(f64::from(u8::from(yes)) * 20.0 - 10.0);
        Ok(())
    }

    fn serialize_char(self, letter: char) -> Heard {
        self.word(letter.encode_utf8(&mut [0; 4]));
        Ok(())
    }

    fn serialize_str(self, text: &str) -> Heard {
        self.paired = self.paired.map(|_| 3);
        match self.roll.row(text) {
            Some(row) => {
                if let Some(free) = self.units.iter_mut().find(|u| u.is_none() || **u == Some(row)) {
                    *free = Some(row);
                }
            }
            None => self.word(text),
        }
        Ok(())
    }

    fn serialize_bytes(self, _: &[u8]) -> Heard {
        Ok(())
    }

    fn serialize_none(self) -> Heard {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Heard {
        value.serialize(self)
    }

    fn serialize_unit(self) -> Heard {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Heard {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Heard {
        self.word(variant);
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Heard {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Heard {
        self.word(variant);
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Inside<'e, 'a>, Mute> {
        Ok(Inside::list(self))
    }

    fn serialize_tuple(self, _: usize) -> Result<Inside<'e, 'a>, Mute> {
        Ok(Inside::list(self))
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Inside<'e, 'a>, Mute> {
        Ok(Inside::list(self))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside<'e, 'a>, Mute> {
        self.word(variant);
        Ok(Inside::list(self))
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Inside<'e, 'a>, Mute> {
        Ok(Inside::table(self))
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Inside<'e, 'a>, Mute> {
        Ok(Inside::table(self))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Inside<'e, 'a>, Mute> {
        self.word(variant);
        Ok(Inside::table(self))
    }
}

impl SerializeSeq for Inside<'_, '_> {
    type Ok = ();
    type Error = Mute;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Heard {
        self.one(value)
    }

    fn end(self) -> Heard {
        self.end_list();
        Ok(())
    }
}

impl SerializeTuple for Inside<'_, '_> {
    type Ok = ();
    type Error = Mute;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Heard {
        self.one(value)
    }

    fn end(self) -> Heard {
        self.end_list();
        Ok(())
    }
}

impl SerializeTupleStruct for Inside<'_, '_> {
    type Ok = ();
    type Error = Mute;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Heard {
        self.one(value)
    }

    fn end(self) -> Heard {
        self.end_list();
        Ok(())
    }
}

impl SerializeTupleVariant for Inside<'_, '_> {
    type Ok = ();
    type Error = Mute;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, value: &T) -> Heard {
        self.one(value)
    }

    fn end(self) -> Heard {
        self.end_list();
        Ok(())
    }
}

impl SerializeMap for Inside<'_, '_> {
    type Ok = ();
    type Error = Mute;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Heard {
        self.one(key)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Heard {
        self.one(value)
    }

    fn end(self) -> Heard {
        self.end_table();
        Ok(())
    }
}

impl SerializeStruct for Inside<'_, '_> {
    type Ok = ();
    type Error = Mute;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Heard {
        self.field(key, value)
    }

    fn end(self) -> Heard {
        self.end_table();
        Ok(())
    }
}

impl SerializeStructVariant for Inside<'_, '_> {
    type Ok = ();
    type Error = Mute;

    fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Heard {
        self.field(key, value)
    }

    fn end(self) -> Heard {
        self.end_table();
        Ok(())
    }
}
