//! What is shown of a battle: views, facts, previews, what a player might think of, who sees whom.

mod courses;
pub(crate) mod facts;
mod preview;
mod sight_between;
mod view;
