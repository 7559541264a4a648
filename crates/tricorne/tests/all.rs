//! Every test of this crate in one program: compiled and linked once.

mod book;
#[cfg(unix)]
mod bots;
mod cli;
mod help;
mod house;
mod keeping;
mod kept;
mod lab;
mod lines;
mod load;
mod newcomer;
mod sheets;
