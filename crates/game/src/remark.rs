//! Remarks on what an action would come to.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::JsonSchema;

/// A remark, and the clause that makes it so where one does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// In a few words: `halted by a fence`.
    pub text: String,
    /// The clause.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
}

impl Remark {
    /// A remark by a clause.
    pub fn by(clause: &str, text: impl Into<String>) -> Self {
        Self { text: text.into(), clause: Some(clause.into()) }
    }
}

impl From<String> for Remark {
    fn from(text: String) -> Self {
        Self { text, clause: None }
    }
}

impl From<&str> for Remark {
    fn from(text: &str) -> Self {
        Self { text: text.into(), clause: None }
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.clause {
            Some(clause) => write!(f, "{} [{clause}]", self.text),
            None => f.write_str(&self.text),
        }
    }
}

/// Remarks in the order they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Remarks(Vec<Remark>);

impl Remarks {
    /// One more.
    pub fn push(&mut self, remark: impl Into<Remark>) {
        self.0.push(remark.into());
    }

    /// Each, in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Remark> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a Remarks {
    type Item = &'a Remark;
    type IntoIter = std::slice::Iter<'a, Remark>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<R: Into<Remark>> Extend<R> for Remarks {
    fn extend<I: IntoIterator<Item = R>>(&mut self, remarks: I) {
        self.0.extend(remarks.into_iter().map(Into::into));
    }
}

impl<R: Into<Remark>> FromIterator<R> for Remarks {
    fn from_iter<I: IntoIterator<Item = R>>(remarks: I) -> Self {
        Self(remarks.into_iter().map(Into::into).collect())
    }
}
