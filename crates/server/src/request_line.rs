//! One request as the list of them has it (`routes.rs`): what the description is made from (`description.rs`), or nothing is
//! (`undescribed.rs`).
#![cfg_attr(not(feature = "schemas"), allow(dead_code, reason = "said for the description"))]

use crate::description::Form;

/// How a request has its body.
pub(crate) enum Body {
    /// None.
    Nothing,
    /// As JSON.
    Json(Form),
    /// As text of one of these types.
    Text(&'static [&'static str]),
}

/// What a request answers with when it is met.
pub(crate) enum Answer {
    /// JSON.
    Json(Form),
    /// A document of one of these types.
    Document(&'static [&'static str]),
}

/// One request.
pub(crate) struct Line<'a> {
    pub(crate) method: &'a str,
    pub(crate) path: &'a str,
    pub(crate) about: &'a str,
    pub(crate) body: Body,
    pub(crate) status: &'a str,
    pub(crate) answer: Answer,
}
