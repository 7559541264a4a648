//! Stands where the description is made from the types (`description.rs`) when nobody wants it made: the same words, and
//! nothing comes of them.

/// Every type will do.
pub(crate) trait JsonSchema {}
impl<T: ?Sized> JsonSchema for T {}

pub(crate) enum Body {
    Nothing,
    Json,
    Text(#[allow(dead_code, reason = "said for the description")] &'static [&'static str]),
}

pub(crate) enum Answer {
    Json,
    Document(#[allow(dead_code, reason = "said for the description")] &'static [&'static str]),
}

#[allow(dead_code, reason = "said for the description")]
pub(crate) struct Line<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) about: &'a str,
    pub(crate) body: Body,
    pub(crate) status: &'a str,
    pub(crate) answer: Answer,
}

pub(crate) struct Description;

#[allow(clippy::unused_self, reason = "the description has what is told of")]
impl Description {
    pub(crate) fn new() -> Self {
        Self
    }

    pub(crate) fn asked<T: JsonSchema>(&mut self) -> Body {
        Body::Json
    }

    pub(crate) fn told<T: JsonSchema>(&mut self) -> Answer {
        Answer::Json
    }

    pub(crate) fn add<Q: JsonSchema>(&mut self, _: Line<'_>) {}

    pub(crate) fn for_members(&mut self) {}

    pub(crate) fn socket<B: JsonSchema, A: JsonSchema>(&mut self, _path: &str, _about: &str) {}
}
