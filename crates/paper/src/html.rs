//! Leaves as a page of HTML that prints one leaf on one sheet of paper, fonts and all.

use std::fmt::Write;

use tricorne_picture::letters::Face;

use crate::leaf::{Leaf, escape};

/// The leaves as one HTML document that needs nothing else.
pub fn html(leaves: &[Leaf]) -> String {
    let title = leaves.first().map_or("", |leaf| leaf.title.as_str());
    let paper = leaves.first().map(|leaf| leaf.paper).unwrap_or_default();
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\n<style>\n{}\
         @page{{size:{};margin:0}}\n\
         body{{margin:0;background:#777}}\n\
         svg{{display:block;margin:12px auto;max-width:100%;height:auto;box-shadow:0 1px 8px #0006}}\n\
         @media print{{body{{background:none}}svg{{margin:0;box-shadow:none;break-after:page}}svg:last-child{{break-after:auto}}}}\n\
         </style></head><body>\n",
        escape(title),
        fonts(),
        paper.css()
    );
    for leaf in leaves {
        out.push_str(&leaf.svg());
        out.push('\n');
    }
    out.push_str("</body></html>\n");
    out
}

fn fonts() -> String {
    let mut out = String::new();
    let faces = [
        ("Alegreya", 700, "normal", Face::Title),
        ("Alegreya", 500, "italic", Face::Slanted),
        ("Alegreya Sans", 500, "normal", Face::Plain),
        ("Alegreya Sans", 700, "normal", Face::Bold),
    ];
    for (family, weight, style, face) in faces {
        // Writing to a string can't fail.
        let _ = writeln!(
            out,
            "@font-face{{font-family:'{family}';font-weight:{weight};font-style:{style};\
             src:url(data:font/ttf;base64,{})}}",
            base64(face.bytes())
        );
    }
    out
}

/// Bytes in the alphabet of data URLs.
fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = three.iter().chain([&0, &0]).take(3).fold(0_usize, |w, b| w << 8 | usize::from(*b));
        for n in 0..4 {
            let letter = LETTERS[word >> (18 - 6 * n) & 63];
            out.push(if n <= three.len() { char::from(letter) } else { '=' });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::base64;

    #[test]
    fn base64_as_everybody_writes_it() {
        assert_eq!(base64(b""), "");
        assert_eq!(base64(b"f"), "Zg==");
        assert_eq!(base64(b"fo"), "Zm8=");
        assert_eq!(base64(b"foo"), "Zm9v");
        assert_eq!(base64(b"foobar"), "Zm9vYmFy");
    }
}
