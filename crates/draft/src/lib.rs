//! Scenarios being drawn.
//!
//! An editor works on the scenario file itself: each [`Edit`] changes the few lines it is about and leaves the rest,
//! comments and spacing included, byte for byte as it was. What stands where in a system's files is told by
//! [`Drafting`](tricorne_game::drafting::Drafting), so nothing here knows a system by name. Whether the result is a scenario that can be played is
//! always said by the loader, never guessed: [`Draft::fault`].

mod draft;
mod edit;
mod features;
mod lie;
mod numbers;
mod parts;

pub use draft::{Absent, Draft, DraftError, Placed};
pub use edit::Edit;
pub use features::Feature;
