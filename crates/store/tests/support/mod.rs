//! What several tests of the store need.

#![allow(dead_code, reason = "no test needs all of it")]

pub mod postgres;
pub mod rows;
