//! What programs and pages ask of a battle beyond what is legal: which answers are worth weighing, how the position
//! stands, which answer comes nearest to where a player points, whether one unit sees another, and what keeps a unit
//! from the rest.

use serde::{Deserialize, Serialize};
use tricorne_table::{Point, Pose};

use crate::JsonSchema;
use crate::{Illegal, InOrder, UnitId};

/// A legal answer worth weighing, and how well it looks at first sight.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal<A> {
    /// The answer.
    pub action: A,
    /// How well it looks before anything is tried out: about 0 for a wasted chance, about 1 for the best one.
    /// Only the comparison with the other proposals of the same decision matters.
    pub promise: f64,
}

impl<A> Proposal<A> {
    /// An answer with its promise.
    pub fn new(action: A, promise: f64) -> Self {
        Self { action, promise }
    }
}

/// What speaks for an answer, or against it, in an officer's judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Because {
    /// In words that go on from *for it:* or *against it:*, as `the ground to be held`.
    pub why: String,
    /// How much: above 0 it speaks for the answer, below against it. Only the comparison with the other reasons of the
    /// same decision matters.
    pub weight: f64,
    /// The clause that makes it so, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

impl Because {
    /// Reasons told at most.
    pub const MOST: usize = 3;

    /// The strongest of many terms, those that hardly weigh left out.
    pub fn strongest(all: impl IntoIterator<Item = impl Into<Term>>) -> Vec<Self> {
        let mut all: Vec<Term> = all.into_iter().map(Into::into).filter(|t| t.weight.abs() > 0.01).collect();
        all.put_in_order(|a, b| b.weight.abs().total_cmp(&a.weight.abs()));
        all.truncate(Self::MOST);
        let told = all.into_iter().map(|Term { why, weight, clause }| Self {
            why: why.to_owned(),
            weight,
            clause: clause.map(str::to_owned),
        });
        told.collect()
    }
}

/// A part of what an officer makes of an answer, under its name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// In words, as in [`Because::why`].
    pub why: &'static str,
    /// How much.
    pub weight: f64,
    /// The clause that makes it count, where one does.
    pub clause: Option<&'static str>,
}

impl Term {
    /// A term by no clause.
    pub fn new(why: &'static str, weight: f64) -> Self {
        Self { why, weight, clause: None }
    }

    /// The same by a clause.
    #[must_use]
    pub fn by(self, clause: &'static str) -> Self {
        Self { clause: Some(clause), ..self }
    }
}

impl From<(&'static str, f64)> for Term {
    fn from((why, weight): (&'static str, f64)) -> Self {
        Self::new(why, weight)
    }
}

/// Where a player would like to have a unit: the end of a drag, or of a turn by the handle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Wish {
    /// The name of the space of answers (see [`crate::Space::action`]); none lets the system choose.
    #[serde(default)]
    pub action: Option<String>,
    /// The unit to go; none where the decision is about one unit anyway.
    #[serde(default)]
    pub unit: Option<UnitId>,
    /// Where the place it is measured from ([`crate::view::UnitView::at`]) should be.
    pub place: Point,
    /// Which way it should face, in degrees clockwise from north; none leaves it to the way it goes.
    #[serde(default)]
    pub facing: Option<f64>,
    /// Places to pass on the way, in order.
    #[serde(default)]
    pub by: Vec<Point>,
}

/// The legal answer nearest to a wish.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Steer<A> {
    /// The answer; none when nothing of the kind is legal now.
    pub action: Option<A>,
    /// Where the unit would stand after it.
    pub end: Option<Pose>,
    /// Why it does not end as wished; none when it does.
    pub why: Option<Illegal>,
}

impl<A> Steer<A> {
    /// Nothing of the kind is legal.
    pub fn refused(why: Illegal) -> Self {
        Self { action: None, end: None, why: Some(why) }
    }

    /// The same with the answer in another form.
    pub fn map<B>(self, form: impl FnOnce(A) -> B) -> Steer<B> {
        Steer { action: self.action.map(form), end: self.end, why: self.why }
    }
}

/// Whether one unit sees another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sight {
    /// Whether it does.
    pub clear: bool,
    /// The line that shows it: the clear one, or the one that comes nearest to being clear.
    pub line: [Point; 2],
    /// What is in the way, and the clause that says so; none when it is clear.
    pub why: Option<Illegal>,
}

/// A kind of answer that a unit might give in this decision, and what keeps it from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Course {
    /// The answer's name: `fire`, `charge`, `rally`.
    pub action: String,
    /// Why it is not open to the unit now; none when it is.
    pub why: Option<Illegal>,
}
