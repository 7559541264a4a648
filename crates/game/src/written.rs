//! Values out of what a person wrote. TOML is read into its own tree first and every type out of that tree, by this one
//! reader: it knows the way to what is wrong, and each type is compiled for one reader only.

use std::fmt;

use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess,
    SeqAccess, VariantAccess, Visitor,
};
use toml::Value;

use crate::source::{Place, plain};

/// Why a value could not be read: the way to the place below it, and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    /// The way, from the innermost step outwards.
    inwards: Vec<Place>,
    /// What is wrong, in plain words.
    pub problem: String,
}

impl Misread {
    /// The way from the value that was read to what is wrong in it.
    pub fn path(&self) -> impl Iterator<Item = Place> + '_ {
        self.inwards.iter().rev().cloned()
    }

    // Once, and not in every reader again: the way to what is wrong is walked seldom.
    #[cold]
    #[inline(never)]
    fn at(mut self, step: &str) -> Self {
        self.inwards.push(step.into());
        self
    }

    #[cold]
    #[inline(never)]
    fn at_nth(mut self, n: usize) -> Self {
        self.inwards.push(Place::Nth(n));
        self
    }
}

impl fmt::Display for Misread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Misread {}

impl de::Error for Misread {
    #[cold]
    fn custom<T: fmt::Display>(problem: T) -> Self {
        Self { inwards: Vec::new(), problem: plain(&problem.to_string()) }
    }

    /// The place of what is missing is the one it should have.
    #[cold]
    fn missing_field(field: &'static str) -> Self {
        Self { inwards: vec![field.into()], problem: format!("missing field `{field}`") }
    }
}

/// Reads a value out of a tree of TOML.
///
/// ```
/// let file: toml::Table = "turns = 6\nunits = [{ at = [1, 'two'] }]".parse().unwrap();
/// assert_eq!(tricorne_game::written::<u8>(&file["turns"]), Ok(6));
/// #[derive(Debug, serde::Deserialize)]
/// struct Unit { at: [f64; 2] }
/// let wrong = tricorne_game::written::<Vec<Unit>>(&file["units"]).unwrap_err();
/// assert_eq!(wrong.path().collect::<Vec<_>>(), [0.into(), "at".into(), 1.into()]);
/// ```
pub fn written<T: DeserializeOwned>(value: &Value) -> Result<T, Misread> {
    T::deserialize(Written(value))
}

/// Something written.
#[derive(Clone, Copy)]
struct Written<'a>(&'a Value);

impl<'de> Deserializer<'de> for Written<'_> {
    type Error = Misread;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        match self.0 {
            Value::String(text) => visitor.visit_str(text),
            Value::Integer(n) => visitor.visit_i64(*n),
            Value::Float(n) => visitor.visit_f64(*n),
            Value::Boolean(yes) => visitor.visit_bool(*yes),
            Value::Datetime(day) => visitor.visit_str(&said(day)),
            Value::Array(all) => visitor.visit_seq(Listed { all, next: 0 }),
            Value::Table(table) => visitor.visit_map(Tabled { all: table.iter(), here: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Misread> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Misread> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        match self.0 {
            Value::String(name) => visitor.visit_enum(Variant { name, with: None }),
            Value::Table(table) => {
                let mut all = table.iter();
                match (all.next(), all.next()) {
                    (Some((name, with)), None) => visitor.visit_enum(Variant { name, with: Some(with) }),
                    _ => Err(de::Error::custom(format!(
                        "a table with one key that names which is meant was expected; this has {}",
                        table.len()
                    ))),
                }
            }
            _ => self.deserialize_any(visitor),
        }
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier ignored_any
    }
}

/// A day as it was written.
#[cold]
fn said(day: &toml::value::Datetime) -> String {
    day.to_string()
}

/// A list, one after another.
struct Listed<'a> {
    all: &'a [Value],
    next: usize,
}

impl<'de> SeqAccess<'de> for Listed<'_> {
    type Error = Misread;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Misread> {
        let Some(value) = self.all.get(self.next) else { return Ok(None) };
        self.next += 1;
        seed.deserialize(Written(value)).map(Some).map_err(|e| e.at_nth(self.next - 1))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.all.len() - self.next)
    }
}

/// A table, key by key.
struct Tabled<'a> {
    all: toml::map::Iter<'a, String, Value>,
    here: Option<(&'a str, &'a Value)>,
}

impl<'de> MapAccess<'de> for Tabled<'_> {
    type Error = Misread;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Misread> {
        let Some((key, value)) = self.all.next() else { return Ok(None) };
        self.here = Some((key, value));
        let name: de::value::StrDeserializer<'_, Misread> = key.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|e| e.at(key))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Misread> {
        let Some((key, value)) = self.here.take() else {
            return Err(de::Error::custom("a value was asked for before its key"));
        };
        seed.deserialize(Written(value)).map_err(|e| e.at(key))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.all.len())
    }
}

/// One of several kinds, alone or with what belongs to it.
struct Variant<'a> {
    name: &'a str,
    with: Option<&'a Value>,
}

impl<'de, 'a> EnumAccess<'de> for Variant<'a> {
    type Error = Misread;
    type Variant = Content<'a>;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Content<'a>), Misread> {
        let name: de::value::StrDeserializer<'_, Misread> = self.name.into_deserializer();
        let which = seed.deserialize(name)?;
        Ok((which, Content(self)))
    }
}

/// What belongs to a kind.
struct Content<'a>(Variant<'a>);

impl Content<'_> {
    /// Reads the content, which must be there.
    fn there<T>(self, read: impl FnOnce(Written<'_>) -> Result<T, Misread>) -> Result<T, Misread> {
        match self.0.with {
            Some(value) => read(Written(value)).map_err(|e| e.at(self.0.name)),
            None => {
                let name = self.0.name;
                Err(de::Error::custom(format!("`{name}` needs what belongs to it: {name} = ...")))
            }
        }
    }
}

impl<'de> VariantAccess<'de> for Content<'_> {
    type Error = Misread;

    fn unit_variant(self) -> Result<(), Misread> {
        match self.0.with {
            None => Ok(()),
            Some(_) => Err(de::Error::custom(format!("`{}` stands alone, as a word", self.0.name))),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Misread> {
        self.there(|written| seed.deserialize(written))
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Misread> {
        self.there(|written| written.deserialize_any(visitor))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Misread> {
        self.there(|written| written.deserialize_any(visitor))
    }
}
