//! Letters: the fonts that travel with the crate, how wide a text is, and how it is broken into lines.

use std::sync::OnceLock;

// `static`: a constant would be in the program once for every crate that asks for it.
static TITLE: &[u8] = include_bytes!("../fonts/Alegreya-Bold.ttf");
static SLANTED: &[u8] = include_bytes!("../fonts/Alegreya-MediumItalic.ttf");
static PLAIN: &[u8] = include_bytes!("../fonts/AlegreyaSans-Medium.ttf");
static BOLD: &[u8] = include_bytes!("../fonts/AlegreyaSans-Bold.ttf");

/// A cut of the type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// Headings.
    Title,
    /// Names of ground, asides.
    Slanted,
    /// Running text.
    Plain,
    /// Running text with weight.
    Bold,
}

impl Face {
    /// The font file.
    pub fn bytes(self) -> &'static [u8] {
        match self {
            Self::Title => TITLE,
            Self::Slanted => SLANTED,
            Self::Plain => PLAIN,
            Self::Bold => BOLD,
        }
    }

    /// The class that the sheet's style gives this cut.
    pub fn class(self) -> &'static str {
        match self {
            Self::Title => "ft",
            Self::Slanted => "fi",
            Self::Plain => "fp",
            Self::Bold => "fb",
        }
    }

    /// The cut of that class; running text for any other.
    #[cfg(feature = "png")]
    pub(crate) fn of_class(class: &str) -> Self {
        [Self::Title, Self::Slanted, Self::Bold]
            .into_iter()
            .find(|f| f.class() == class)
            .unwrap_or(Self::Plain)
    }
}

/// The rules for the classes of [`Face`].
pub const RULES: &str = "\
.ft{font-family:'Alegreya',Georgia,serif;font-weight:700}\
.fi{font-family:'Alegreya',Georgia,serif;font-weight:500;font-style:italic}\
.fp{font-family:'Alegreya Sans','Gill Sans',sans-serif;font-weight:500}\
.fb{font-family:'Alegreya Sans','Gill Sans',sans-serif;font-weight:700}";

/// How wide a text is at a size.
pub fn width(text: &str, face: Face, size: f64) -> f64 {
    text.chars().map(|letter| advance(letter, face)).sum::<f64>() * size
}

/// Letters up to here are looked up once; a page asks for the same few a hundred thousand times.
const COMMON: u32 = 0x250;

/// How wide a letter is, in sizes of the type.
fn advance(letter: char, face: Face) -> f64 {
    static TABLES: [OnceLock<Vec<f64>>; 4] = [const { OnceLock::new() }; 4];
    let common = || advances(face, (0..COMMON).filter_map(char::from_u32));
    match TABLES[face as usize].get_or_init(common).get(letter as usize) {
        Some(wide) => *wide,
        None => advances(face, std::iter::once(letter)).first().copied().unwrap_or(0.6),
    }
}

fn advances(face: Face, letters: impl Iterator<Item = char>) -> Vec<f64> {
    let Ok(font) = ttf_parser::Face::parse(face.bytes(), 0) else { return letters.map(|_| 0.5).collect() };
    let per_em = f64::from(font.units_per_em().max(1));
    let wide = |letter| font.glyph_index(letter).and_then(|glyph| font.glyph_hor_advance(glyph));
    letters.map(|letter| wide(letter).map_or(0.6, |wide| f64::from(wide) / per_em)).collect()
}

/// A text broken into lines no wider than `limit`; a word too long for a line stands alone.
pub fn wrap(text: &str, face: Face, size: f64, limit: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), face, size) <= limit => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// A text cut to a width, with an ellipsis where something is missing.
pub fn cut(text: &str, face: Face, size: f64, limit: f64) -> String {
    if width(text, face, size) <= limit {
        return text.to_owned();
    }
    let mut kept: String = text.to_owned();
    while kept.pop().is_some() {
        let shown = format!("{}…", kept.trim_end());
        if width(&shown, face, size) <= limit {
            return shown;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_add_up() {
        let one = width("Grenadiers", Face::Plain, 10.0);
        assert!((40.0..60.0).contains(&one), "{one}");
        assert!((width("Grenadiers", Face::Plain, 20.0) - 2.0 * one).abs() < 1e-9);
        assert!(width("iiii", Face::Bold, 10.0) < width("MMMM", Face::Bold, 10.0));
    }

    #[test]
    fn lines_fit_and_lose_nothing() {
        let text = "Blue must choose which of its three battalions will move first";
        let lines = wrap(text, Face::Plain, 12.0, 120.0);
        assert!(lines.len() > 2);
        assert!(lines.iter().all(|line| width(line, Face::Plain, 12.0) <= 120.0));
        assert_eq!(lines.join(" "), text);
    }

    #[test]
    fn a_cut_text_fits() {
        let shown = cut("The Prince of Orange’s own Regiment", Face::Plain, 12.0, 80.0);
        assert!(shown.ends_with('…') && width(&shown, Face::Plain, 12.0) <= 80.0, "{shown}");
        assert_eq!(cut("Horse", Face::Plain, 12.0, 80.0), "Horse");
    }
}
