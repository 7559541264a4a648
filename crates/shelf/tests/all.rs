//! Every test of this crate in one program: compiled and linked once.

mod about;
mod balance;
mod hover;
