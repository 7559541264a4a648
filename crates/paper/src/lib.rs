//! Paper, for people who play on a real table: an army's roster with a box for every figure, a system's charts on one
//! page, counters to cut out.
//!
//! A [`Leaf`] is one printed page, laid out here to the last line, so that the HTML and the PDF of it are the same and
//! fit. What is written on it comes from the systems' data through [`Roster`](tricorne_game::army::Roster) and
//! [`ReferenceSheet`](tricorne_game::army::ReferenceSheet); nothing is added.
//!
//! ```
//! use tricorne_game::Choices;
//! use tricorne_paper::{Leaf, PaperSize, html, pdf, reference_pages};
//!
//! let system = tricorne_shelf::system("seven-years-war").unwrap();
//! let sheet = system.reference(&Choices::default()).unwrap();
//! let leaves = reference_pages(&sheet, PaperSize::A4).unwrap();
//! assert!(leaves.iter().all(Leaf::fits));
//! assert!(html(&leaves).contains("<svg"));
//! assert!(pdf(&leaves).unwrap().starts_with(b"%PDF"));
//! ```

mod columns;
mod counters;
mod html;
mod leaf;
mod pdf;
mod reference;
mod roster;

pub use counters::{counters, labels};
pub use html::html;
pub use leaf::{Leaf, PaperSize};
pub use pdf::pdf;
pub use reference::{reference, reference_pages};
pub use roster::roster;

/// Why a sheet could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PaperError {
    /// There is more to write than one page can hold in letters that can be read.
    #[error("{0} does not fit one page in letters that can be read; split it into two")]
    TooMuch(String),
    /// A counter larger than the page.
    #[error("the counter of {0} is larger than the page; print on larger paper")]
    TooLarge(String),
    /// The PDF could not be written.
    #[error("the PDF could not be written: {0}")]
    Pdf(String),
}
