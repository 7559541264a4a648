//! Every test of this crate in one program: compiled and linked once.

mod frozen;
mod minds;
mod studies;
