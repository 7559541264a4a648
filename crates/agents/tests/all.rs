//! Every test of this crate in one program: compiled and linked once.

mod general;
mod levels;
#[cfg(unix)]
mod outside;
mod toy;
