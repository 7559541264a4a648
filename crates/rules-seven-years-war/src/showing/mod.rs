//! What a seat may see, and everything there is for rule cases.

pub(crate) mod facts;
pub(crate) mod preview;
pub(crate) mod view;
