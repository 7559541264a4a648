//! Every test of this crate in one program: compiled and linked once.

mod outposts;
mod scenario;
