//! Every test of this crate in one program: compiled and linked once.

mod sheets;
mod systems;
