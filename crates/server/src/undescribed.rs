//! Stands where the description is made from the types (`description.rs`) when nobody wants it made: the same words, and
//! nothing comes of them.

use crate::request_line::{Answer, Body, Line};

/// Every type will do.
pub(crate) trait JsonSchema {}
impl<T: ?Sized> JsonSchema for T {}

/// How JSON is made is not told.
pub(crate) struct Form;

pub(crate) struct Description;

#[allow(clippy::unused_self, reason = "the description has what is told of")]
impl Description {
    pub(crate) fn new() -> Self {
        Self
    }

    pub(crate) fn asked<T: JsonSchema>(&mut self) -> Body {
        Body::Json(Form)
    }

    pub(crate) fn told<T: JsonSchema>(&mut self) -> Answer {
        Answer::Json(Form)
    }

    pub(crate) fn add<Q: JsonSchema>(&mut self, _: Line<'_>) {}

    pub(crate) fn for_members(&mut self) {}

    pub(crate) fn socket<B: JsonSchema, A: JsonSchema>(&mut self, _path: &str, _about: &str) {}
}
