//! The type a PDF is set in: which letters of each cut are used, and the fonts as the file keeps them.

use std::collections::BTreeMap;

use pdf_writer::types::{CidFontType, FontFlags, SystemInfo, UnicodeCmap};
use pdf_writer::{Filter, Finish, Name, Pdf, Rect, Ref, Str};
use ttf_parser::GlyphId;

use super::packed;
use crate::PaperError;
use crate::leaf::Face;

const FACES: [Face; 4] = [Face::Title, Face::Slanted, Face::Plain, Face::Bold];
const NAMES: [&[u8]; 4] = [b"ft", b"fi", b"fp", b"fb"];
/// Letters by their number in the font.
const SYSTEM: SystemInfo = SystemInfo { registry: Str(b"Adobe"), ordering: Str(b"Identity"), supplement: 0 };

/// The four cuts, and of each the letters that were set, by their number in the font.
pub(super) struct TypeCase {
    cuts: Vec<(ttf_parser::Face<'static>, BTreeMap<u16, char>)>,
}

/// A line of text as it is set.
pub(super) struct Line {
    /// The font's name on the page.
    pub font: &'static [u8],
    /// Two bytes a letter.
    pub glyphs: Vec<u8>,
}

/// The places of the fonts in the file: the font, its letters, its measures, its data, its meaning.
pub(super) type Ids = [[Ref; 5]; 4];

impl TypeCase {
    pub fn open() -> Result<Self, PaperError> {
        let read = |face: Face| ttf_parser::Face::parse(face.bytes(), 0).map(|font| (font, BTreeMap::new()));
        match FACES.into_iter().map(read).collect() {
            Ok(cuts) => Ok(Self { cuts }),
            Err(why) => {
                Err(PaperError::Pdf(format!("a font that came with the program can't be read: {why}")))
            }
        }
    }

    pub fn ids(next: &mut impl FnMut() -> Ref) -> Ids {
        std::array::from_fn(|_| std::array::from_fn(|_| next()))
    }

    /// Sets a text. A letter the font lacks is its box for missing letters.
    pub fn set(&mut self, face: Face, text: &str) -> Line {
        let (font, used) = &mut self.cuts[face as usize];
        let mut glyphs = Vec::with_capacity(text.len() * 2);
        for letter in text.chars() {
            let glyph = font.glyph_index(letter).unwrap_or_default().0;
            used.entry(glyph).or_insert(letter);
            glyphs.extend(glyph.to_be_bytes());
        }
        Line { font: NAMES[face as usize], glyphs }
    }

    /// The fonts that were used so far.
    pub fn used(&self, ids: &Ids) -> Vec<(&'static [u8], Ref)> {
        let used = |n: &usize| !self.cuts[*n].1.is_empty();
        (0..FACES.len()).filter(used).map(|n| (NAMES[n], ids[n][0])).collect()
    }

    /// Writes the fonts that were used.
    pub fn write(&self, file: &mut Pdf, ids: &Ids) {
        for (n, (font, used)) in self.cuts.iter().enumerate() {
            if !used.is_empty() {
                write(file, FACES[n], font, used, ids[n]);
            }
        }
    }
}

/// A font of the kind whose letters are told by their numbers in it, with its data and what the numbers mean, so that
/// text can be searched and copied.
fn write(
    file: &mut Pdf,
    face: Face,
    font: &ttf_parser::Face<'_>,
    used: &BTreeMap<u16, char>,
    [whole, letters, measures, data, meaning]: [Ref; 5],
) {
    // A PDF measures letters in thousandths of their size.
    let scale = 1000.0 / f32::from(font.units_per_em().max(1));
    let thousandths = |n: i16| f32::from(n) * scale;
    let name = font
        .names()
        .into_iter()
        .find(|n| n.name_id == ttf_parser::name_id::POST_SCRIPT_NAME && n.is_unicode())
        .and_then(|n| n.to_string())
        .unwrap_or_else(|| "Tricorne".into());
    let name = Name(name.as_bytes());
    file.type0_font(whole)
        .base_font(name)
        .encoding_predefined(Name(b"Identity-H"))
        .descendant_font(letters)
        .to_unicode(meaning);
    let mut cid = file.cid_font(letters);
    cid.subtype(CidFontType::Type2).base_font(name).system_info(SYSTEM).font_descriptor(measures);
    cid.cid_to_gid_map_predefined(Name(b"Identity"));
    let mut widths = cid.widths();
    for &glyph in used.keys() {
        let wide = f32::from(font.glyph_hor_advance(GlyphId(glyph)).unwrap_or_default()) * scale;
        widths.same(glyph, glyph, wide);
    }
    widths.finish();
    cid.finish();
    let serif = matches!(face, Face::Title | Face::Slanted);
    let mut flags = FontFlags::NON_SYMBOLIC;
    flags.set(FontFlags::SERIF, serif);
    flags.set(FontFlags::ITALIC, font.is_italic());
    let bounds = font.global_bounding_box();
    let corner = |x: i16, y: i16| (thousandths(x), thousandths(y));
    let ((left, bottom), (right, top)) =
        (corner(bounds.x_min, bounds.y_min), corner(bounds.x_max, bounds.y_max));
    file.font_descriptor(measures)
        .name(name)
        .flags(flags)
        .bbox(Rect::new(left, bottom, right, top))
        .italic_angle(font.italic_angle())
        .ascent(thousandths(font.ascender()))
        .descent(thousandths(font.descender()))
        .cap_height(thousandths(font.capital_height().unwrap_or(font.ascender())))
        // The stems are not told by the font; readers use it only where the font's data is missing.
        .stem_v(if matches!(face, Face::Title | Face::Bold) { 140.0 } else { 90.0 })
        .font_file2(data);
    file.stream(data, &packed(face.bytes()))
        .filter(Filter::FlateDecode)
        .pair(Name(b"Length1"), face.bytes().len() as i32);
    let mut means = UnicodeCmap::new(Name(b"Letters"), SYSTEM);
    for (&glyph, &letter) in used {
        means.pair(glyph, letter);
    }
    file.cmap(meaning, &means.finish());
}
