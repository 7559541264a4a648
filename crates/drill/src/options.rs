//! Options: one line a reading. `options.toml` holds each with its clause, values and default; this gives it a type.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use tricorne_game::case::Scalar;
use tricorne_game::{Choices, Fault, OptionBook, Source};

/// Declares a rulebook's readings: an enum for each that has named values, and the struct that holds them all. Values
/// are named in files as their variants are (`OneAtATime` is `one_at_a_time`), or as the text after `=` says.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use tricorne_drill::options;
/// use tricorne_game::{OptionBook, Source};
///
/// options! {
///     /// The readings of a toy rulebook.
///     pub struct Options {
///         /// TOY-SIGHT-03.
///         blocked_by: BlockedBy { Everybody, FriendsOnly, Nobody },
///         /// TOY-FIRE-02.
///         arc: Arc { Narrow = "45_total", Wide = "45_each_side" },
///         /// TOY-CARD-01.
///         jokers: u8,
///         /// TOY-MELEE-09.
///         halving_stacks: bool,
///     }
/// }
///
/// let book = OptionBook::read(&Source::new("options.toml", r#"
///     blocked_by = { default = "everybody", others = ["friends_only", "nobody"], clauses = ["TOY-SIGHT-03"], about = "who hides whom" }
///     arc = { default = "45_total", others = ["45_each_side"], clauses = ["TOY-FIRE-02"], about = "the arc of fire" }
///     jokers = { default = "2", others = ["number"], clauses = ["TOY-CARD-01"], about = "jokers in the deck" }
///     halving_stacks = { default = "no", others = ["yes"], clauses = ["TOY-MELEE-09"], about = "halved twice" }
/// "#)).unwrap();
/// let mine = BTreeMap::from([("arc".to_owned(), "45_each_side".to_owned())]);
/// let options: Options = book.resolve(&mine).unwrap();
/// assert_eq!((options.arc, options.jokers, options.halving_stacks), (Arc::Wide, 2, false));
/// ```
#[macro_export]
macro_rules! options {
    (
        $(#[$doc:meta])*
        $vis:vis struct $Options:ident {
            $($(#[$said:meta])* $name:ident : $Type:ident $({ $($Value:ident $(= $written:literal)?),+ $(,)? })? ),+ $(,)?
        }
    ) => {
        $($crate::reading! { $(#[$said])* $vis $Type $({ $($Value $(= $written)?),+ })? })+

        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, $crate::__serde::Deserialize)]
        #[serde(crate = "tricorne_drill::__serde", deny_unknown_fields)]
        $vis struct $Options {
            $($(#[$said])* #[serde(deserialize_with = "tricorne_drill::read_option")] $vis $name: $Type,)+
        }
    };
}

/// One reading with named values; [`options!`] writes these.
#[macro_export]
macro_rules! reading {
    // A number, a switch, or a type that another option has declared.
    ($(#[$said:meta])* $vis:vis $Type:ident) => {};
    ($(#[$said:meta])* $vis:vis $Type:ident { $($Value:ident $(= $written:literal)?),+ }) => {
        $(#[$said])*
        #[allow(missing_docs, reason = "options.toml says what each value means")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $vis enum $Type { $($Value),+ }

        impl $crate::OptionValue for $Type {
            fn of(text: &str) -> Option<Self> {
                $(if $crate::names(text, stringify!($Value), None $(.or(Some($written)))?) {
                    return Some($Type::$Value);
                })+
                None
            }
        }
    };
}

/// The readings a battle is fought by: those of its scenario file, over them what the players chose, and the defaults for
/// the rest. What is no option, or no value of one, is a fault at its place; a player's choice stands in no file, and is told
/// by its name.
pub fn readings<O: DeserializeOwned>(
    book: &OptionBook,
    file: &Source,
    written: &BTreeMap<String, Scalar>,
    choices: &Choices,
) -> Result<O, Fault> {
    let mut chosen = BTreeMap::new();
    for (name, value) in written {
        let value = value.to_string();
        let place = ["options".into(), name.as_str().into()];
        book.check(name, &value).map_err(|why| file.fault(&place, why))?;
        chosen.insert(name.clone(), value);
    }
    for (name, value) in &choices.options {
        book.check(name, value).map_err(|problem| Fault {
            file: file.name.clone(),
            at: None,
            path: vec!["options".into(), name.as_str().into()],
            problem,
        })?;
        chosen.insert(name.clone(), value.clone());
    }
    book.resolve(&chosen).map_err(|why| file.fault(&["options".into()], why))
}

/// A value of an option, out of the text that `options.toml` and players write.
pub trait OptionValue: Sized {
    /// The value of that text, if it is one.
    fn of(text: &str) -> Option<Self>;
}

impl OptionValue for bool {
    fn of(text: &str) -> Option<Self> {
        match text {
            "true" | "yes" | "on" | "allowed" => Some(true),
            "false" | "no" | "off" | "not_allowed" => Some(false),
            _ => None,
        }
    }
}

macro_rules! numbers {
    ($($Type:ty)+) => {$(
        impl OptionValue for $Type {
            fn of(text: &str) -> Option<Self> {
                text.parse().ok()
            }
        }
    )+};
}

numbers! { u8 u16 u32 i32 f64 }

/// Reads an option's value; [`options!`] names this for each field.
#[doc(hidden)]
pub fn read_option<'de, D: serde::Deserializer<'de>, T: OptionValue>(d: D) -> Result<T, D::Error> {
    let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(d)?;
    T::of(&text).ok_or_else(|| serde::de::Error::custom(format!("`{text}` is no value of this option")))
}

/// Whether `text` names the variant: as written where that is said, otherwise in snake case.
#[doc(hidden)]
pub fn names(text: &str, variant: &str, written: Option<&str>) -> bool {
    if let Some(written) = written {
        return text == written;
    }
    let mut left = text.chars();
    for (i, letter) in variant.chars().enumerate() {
        if letter.is_uppercase() && i > 0 && left.next() != Some('_') {
            return false;
        }
        if left.next() != Some(letter.to_ascii_lowercase()) {
            return false;
        }
    }
    left.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_are_named_in_snake_case() {
        assert!(names("one_at_a_time", "OneAtATime", None));
        assert!(!names("one_at_a_tim", "OneAtATime", None));
        assert!(!names("oneatatime", "OneAtATime", None));
        assert!(
            names("front_90", "Front90", Some("front_90")) && !names("front90", "Front90", Some("front_90"))
        );
    }
}
