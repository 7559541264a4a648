//! Every test of this crate in one program: compiled and linked once.

mod labels;
#[cfg(feature = "png")]
mod pictures;
