//! A view drawn: as SVG for the page, as PNG for a blog, as an animated GIF of a whole battle.
//!
//! The picture holds no rules. It draws the shapes a [`View`] brings, in the table's own unit, and knows no system
//! by name. Nothing in it is random: trees, stones and blades of grass stand where the name of their patch puts
//! them, so the same view gives the same bytes on every machine.
//!
//! ```no_run
//! # #[cfg(feature = "png")] {
//! # fn view() -> tricorne_game::view::View { unimplemented!() }
//! use tricorne_picture::{Style, png, svg};
//! let style = Style::wide(1400);
//! let drawing = svg(&view(), &style);
//! std::fs::write("table.png", png(&drawing, style.width)?)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! PNG and GIF are in the feature `png`, whose renderer takes longer to compile than all the rest.
//!
//! In the SVG the group `table` has the table's own coordinates (its unit, `x` east, `y` north), each unit is a
//! group `unit-ID` with a `<title>`, labels carry `data-unit`, and the root says where the table lies
//! (`data-table`, in pixels), how many pixels one of its unit is (`data-scale`) and what each side's bases are painted in
//! (`data-coats`: top, rim, lace).

mod border;
mod cards;
mod compose;
mod dice;
mod figures;
#[cfg(feature = "png")]
mod film;
mod grain;
mod ground;
mod hills;
mod houses;
mod labels;
pub mod letters;
#[cfg(feature = "png")]
mod march;
mod markers;
mod names;
#[cfg(feature = "png")]
mod outlined;
mod paint;
mod panel;
mod patch;
mod pen;
mod plaques;
#[cfg(feature = "png")]
mod raster;
mod sheet;
mod smoke;
mod stones;
mod style;
mod tokens;
mod trees;
mod units;
mod water;
mod works;

#[cfg(feature = "png")]
pub use film::{Pace, film, gif};
#[cfg(feature = "png")]
pub use raster::{PictureError, png};
pub use style::{Cloth, Labels, Style, Theme};

use tricorne_game::view::View;

/// Draws a view as SVG, `style.width` pixels wide.
pub fn svg(view: &View, style: &Style) -> String {
    compose::draw(
        view,
        style,
        &compose::Layout::of(view, style, 0.0),
        compose::Part::Whole,
        &mut names::Habits::new(),
    )
}
