//! Every test of this crate in one program: compiled and linked once.

mod armies;
mod arrivals;
mod conformance;
mod deck;
mod exchange;
mod forces;
mod judgement;
mod layout;
mod properties;
mod steer;
