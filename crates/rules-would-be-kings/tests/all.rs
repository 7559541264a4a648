//! Every test of this crate in one program: compiled and linked once.

mod armies;
mod conformance;
mod judgement;
mod rules;
mod steer;
