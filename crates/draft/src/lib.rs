//! Scenarios being drawn.
//!
//! An editor works on the scenario file itself: each [`Edit`] changes the few lines it is about and leaves the rest,
//! comments and spacing included, byte for byte as it was. What stands where in a system's files is told by
//! [`Drafting`](tricorne_game::drafting::Drafting), so nothing here knows a system by name. Whether the result is a scenario that can be played is
//! always said by the loader, never guessed: [`Draft::fault`].
//!
//! ```
//! use tricorne_draft::{Draft, Edit};
//! use tricorne_table::Point;
//!
//! let (system, file) = tricorne_shelf::scenario("crossing-the-veld").unwrap();
//! let mut draft = Draft::open(system, &file.text).unwrap();
//! let first = draft.placed().into_iter().next().unwrap();
//! let at = Point::new(first.at.x + 0.25, first.at.y);
//! draft.make(&Edit::Move { array: first.array, nth: first.nth, at: Some(at), facing: None }).unwrap();
//! let text = draft.text();
//! let changed = text.lines().zip(file.text.lines()).filter(|(new, old)| new != old).count();
//! assert_eq!(changed, 1); // everything else is as it was
//! assert_eq!(draft.fault(system), None); // and it can be played
//! ```

mod draft;
mod edit;
mod features;
mod lie;
mod numbers;
mod parts;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

pub use draft::{Absent, Draft, DraftError, Placed};
pub use edit::Edit;
pub use features::Feature;
