//! Every draw, with its purpose, as it happened.

use serde::{Deserialize, Serialize};

use crate::{Bins, Chance, Faces, Purpose, Sum, Tally};

/// One draw: what for, and what came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// What the rules asked for it for.
    pub purpose: String,
    /// What came.
    pub came: Drawn,
}

impl Draw {
    /// Whether it was drawn for somebody who is hidden. Such draws have purposes of their own, `hidden_…`, and with them
    /// streams of their own: they shift nobody else's dice, and are told only to those who may know all that happened.
    pub fn hidden(&self) -> bool {
        self.purpose.starts_with("hidden_")
    }
}

/// What a draw brought.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Drawn {
    /// Faces of dice, in order.
    Dice(Faces),
    /// A card, or any other thing picked.
    Card(String),
}

/// Chance that passes every request on and writes the answer down.
pub struct Witness<'a> {
    inner: &'a mut dyn Chance,
    /// The draws so far, in order.
    pub draws: Vec<Draw>,
}

impl<'a> Witness<'a> {
    /// Watches `inner`.
    pub fn new(inner: &'a mut dyn Chance) -> Self {
        Self { inner, draws: Vec::new() }
    }

    fn note(&mut self, purpose: Purpose, faces: &Faces) {
        if !faces.is_empty() {
            self.draws.push(Draw { purpose: purpose.into(), came: Drawn::Dice(faces.clone()) });
        }
    }
}

impl Chance for Witness<'_> {
    fn faces(&mut self, purpose: Purpose, count: usize, sides: u8) -> Faces {
        let faces = self.inner.faces(purpose, count, sides);
        self.note(purpose, &faces);
        faces
    }

    fn sum(&mut self, purpose: Purpose, count: usize, sides: u8) -> Sum {
        let sum = self.inner.sum(purpose, count, sides);
        self.note(purpose, &sum.faces);
        sum
    }

    fn pool(&mut self, purpose: Purpose, count: usize, bins: &Bins) -> Tally {
        let tally = self.inner.pool(purpose, count, bins);
        self.note(purpose, &tally.faces);
        tally
    }

    fn pick(&mut self, purpose: Purpose, count: usize, label: &dyn Fn(usize) -> String) -> Option<usize> {
        let picked = self.inner.pick(purpose, count, label)?;
        self.draws.push(Draw { purpose: purpose.into(), came: Drawn::Card(label(picked)) });
        Some(picked)
    }

    fn fault(&self) -> Option<String> {
        self.inner.fault()
    }
}
