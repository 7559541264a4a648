//! Draws a view: `draw table.png < view.json`, or `draw battle.gif` from a JSON array of views.
//!
//! The end of the file's name says what is made: `svg`, `png` or `gif`. More words: `dark`, `bare` (no panel),
//! `short` (short labels), a number (the width), anything else (the id of the chosen unit).

use std::error::Error;
use std::io::Read as _;

use tricorne_game::view::View;
use tricorne_picture::{Labels, Pace, Style, Theme, gif, png, svg};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let out = words.next().ok_or("where to? give a file name that ends in svg, png or gif")?;
    let mut style = Style::default();
    for word in words {
        match word.as_str() {
            "dark" => style.theme = Theme::Dark,
            "bare" => style.panel = false,
            "short" => style.labels = Labels::Short,
            word => match word.parse() {
                Ok(width) => style.width = width,
                Err(_) => style.chosen = Some(word.parse()?),
            },
        }
    }
    let mut json = String::new();
    std::io::stdin().read_to_string(&mut json)?;
    let bytes = if out.ends_with("gif") {
        let views: Vec<View> = serde_json::from_str(&json)?;
        let frames: Vec<(View, String)> =
            views.into_iter().enumerate().map(|(index, view)| (view, format!("Move {index}"))).collect();
        gif(&frames, &style, Pace::default())?
    } else {
        let view: View = serde_json::from_str(&json)?;
        let drawing = svg(&view, &style);
        if out.ends_with("png") { png(&drawing, style.width)? } else { drawing.into_bytes() }
    };
    std::fs::write(out, bytes)?;
    Ok(())
}
