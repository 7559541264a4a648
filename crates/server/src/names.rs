//! Names that cannot be mistaken for each other: by case, by letters of another script that look the same, by marks that
//! are not seen.

use unicode_security::confusable_detection::skeleton;
use unicode_security::{GeneralSecurityProfile, MixedScript};

use crate::error::ApiError;

/// Whether a character is seen where it stands: none that is empty, turns the line round, or is a command.
pub(crate) fn is_seen(c: char) -> bool {
    !c.is_control()
        && !matches!(c, '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{ffff}' | '\u{e0000}'..='\u{e0fff}')
}

/// What stands between the words of a name; two names that differ only in that look the same.
fn is_between(c: char) -> bool {
    matches!(c, ' ' | '-' | '.' | '\'' | '’' | '_')
}

/// A name to register: letters, digits and what stands between them, of one script.
pub(crate) fn of_ones_own(name: &str) -> Result<(), ApiError> {
    if name.is_empty() {
        return Err(ApiError::bad("a name has at least one character"));
    }
    if let Some(c) = name.chars().find(|c| !is_between(*c) && !c.identifier_allowed()) {
        return Err(ApiError::bad(format!(
            "`{c}` can't be in a name; use letters, digits, spaces, - . ' and _"
        )));
    }
    if !name.chars().any(char::is_alphanumeric) {
        return Err(ApiError::bad("a name has at least one letter or digit"));
    }
    if name.contains("  ") {
        return Err(ApiError::bad("one space between two words of a name is enough"));
    }
    if !name.is_single_script() {
        return Err(ApiError::bad(
            "the letters of a name are of one script; some of these look like letters of another",
        ));
    }
    Ok(())
}

/// What a name looks like: two names that could be taken for each other look the same.
pub(crate) fn looks(name: &str) -> String {
    // A capital may look like one of another script where the small letter does not, and the other way round.
    let letters = (0..2).fold(name.to_owned(), |name, _| skeleton(&name).collect::<String>().to_lowercase());
    // Capitals are the same name, and a capital i is a small l.
    letters.chars().filter(|c| !is_between(*c)).map(|c| if c == 'i' { 'l' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_could_be_taken_for_each_other_look_the_same() {
        for (a, b) in [
            ("Anna", "ANNA"),
            ("Ian", "lan"),
            ("Ian", "1an"),
            ("Bob", "B0b"),
            ("modern", "rnodern"),
            ("copa", "сора"),
            ("Anna B", "AnnaB"),
            ("Anna-B", "Anna.B"),
            ("Zoe", "Ζoe"),
        ] {
            assert_eq!(looks(a), looks(b), "{a} {b}");
        }
        for (a, b) in [("Anna", "Hanna"), ("Jürgen", "Jurgen"), ("Иван", "Ivan"), ("太郎", "次郎")] {
            assert_ne!(looks(a), looks(b), "{a} {b}");
        }
    }

    #[test]
    fn what_is_no_name_is_refused_and_names_of_the_world_are_not() {
        for bad in
            ["", " ", "...", "a\u{200b}b", "a\u{202e}b", "Аnna", "a  b", "☃", "a/b", "<b>", "a\u{1f600}"]
        {
            assert!(of_ones_own(bad.trim()).is_err(), "{bad:?}");
        }
        for good in ["Anna", "Jürgen v. d. Marwitz", "O'Brien", "Иван", "太郎", "Ελένη", "علي", "Zoë-Marie_2"]
        {
            of_ones_own(good).unwrap_or_else(|e| panic!("{good}: {}", e.why));
        }
    }
}
