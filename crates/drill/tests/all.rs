//! Every test of this crate in one program: compiled and linked once.

mod own_rulebook;
mod scenario;
