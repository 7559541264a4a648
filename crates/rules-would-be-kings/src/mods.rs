//! Modifiers before they are told: no allocation until somebody listens.

use arrayvec::ArrayVec;
use tricorne_game::Modifier;

/// A list of modifiers, summed once.
#[derive(Clone, Debug, Default)]
pub struct Mods(ArrayVec<(i32, &'static str, &'static str), 8>);

impl Mods {
    /// Adds a modifier if it is worth anything.
    pub fn add(&mut self, value: i32, reason: &'static str, clause: &'static str) {
        if value != 0 && !self.0.is_full() {
            self.0.push((value, reason, clause));
        }
    }

    /// Their sum.
    pub fn total(&self) -> i32 {
        self.0.iter().map(|m| m.0).sum()
    }

    /// As an event holds them.
    pub fn listed(&self) -> Vec<Modifier> {
        self.0.iter().map(|&(value, reason, clause)| Modifier::new(value, reason, clause)).collect()
    }
}
