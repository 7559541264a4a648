//! Every test of this crate in one program: compiled and linked once.

mod conformance;
mod free;
mod growth;
mod hidden;
mod hidden_battles;
mod judgement;
mod properties;
