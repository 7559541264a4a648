//! Part 2: places and bases, layouts, bodies, the ground, sight.

pub mod base;
pub mod body;
pub mod ground;
pub mod layout;
pub mod places;
mod sight;
