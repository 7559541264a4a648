//! What a request over HTTP is told when it can't be met.

use std::fmt;

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tricorne_store::StoreError;

use crate::JsonSchema;

/// A kind of error and why, as the client is told.
#[derive(Clone, Debug)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) kind: &'static str,
    pub(crate) why: String,
}

/// The body of an answer that is an error.
#[derive(Serialize, JsonSchema)]
pub(crate) struct ErrorBody {
    error: ErrorText,
}

/// What went wrong.
#[derive(Serialize, JsonSchema)]
struct ErrorText {
    /// A word for programs.
    kind: String,
    /// A sentence for people.
    why: String,
    /// The request's id, as in the header `x-request-id` and in the server's log.
    request: String,
}

tokio::task_local! {
    /// The id of the request being answered.
    pub(crate) static REQUEST: String;
}

/// The id of the request being answered; none outside of one.
pub(crate) fn request() -> String {
    REQUEST.try_with(Clone::clone).unwrap_or_default()
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, kind: &'static str, why: impl Into<String>) -> Self {
        Self { status, kind, why: why.into() }
    }

    /// It is not as `/api/openapi.json` describes it.
    pub(crate) fn malformed(why: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "bad_request", why)
    }

    /// It is as described, but what it says is refused: a file the rules can't read, an army over its points, a name that
    /// is none. No schema can tell.
    pub(crate) fn bad(why: impl Into<String>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, "refused", why)
    }

    pub(crate) fn not_found(why: impl Into<String>) -> Self {
        Self::new(StatusCode::NOT_FOUND, "not_found", why)
    }

    pub(crate) fn no_game() -> Self {
        Self::not_found("there is no such game here; look at the link again")
    }

    pub(crate) fn not_finished() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            "not_finished",
            "the battle is still being fought; its journal holds the seed of the dice and is open when it is over",
        )
    }

    pub(crate) fn too_fast() -> Self {
        Self::new(StatusCode::TOO_MANY_REQUESTS, "too_fast", "too many requests; wait a little")
    }

    /// What was asked for before is not read.
    pub(crate) fn untaken() -> Self {
        Self::new(
            StatusCode::TOO_MANY_REQUESTS,
            "busy",
            "much that you asked for is still on its way to you; read that first and ask again",
        )
    }

    /// The server's own fault: the details go to its log, not to the client.
    pub(crate) fn internal(e: &dyn fmt::Display) -> Self {
        crate::log::note("a request failed", &[("request", &request()), ("why", &e)]);
        Self::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the server could not do that; nothing was changed",
        )
    }
}

impl From<StoreError> for ApiError {
    fn from(e: StoreError) -> Self {
        if let StoreError::Unfit(_) = e {
            return ApiError::bad(e.to_string());
        }
        ApiError::internal(&e)
    }
}

impl From<tokio::task::JoinError> for ApiError {
    fn from(e: tokio::task::JoinError) -> Self {
        ApiError::internal(&e)
    }
}

/// Letters of a sentence that somebody reads: what it quotes of a file may be as long as the file.
const SENTENCE: usize = 2_000;

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let why = match self.why.char_indices().nth(SENTENCE) {
            Some((end, _)) => format!("{}…", &self.why[..end]),
            None => self.why,
        };
        let body = ErrorBody { error: ErrorText { kind: self.kind.into(), why, request: request() } };
        let mut response = (self.status, Json(body)).into_response();
        // Nothing was done, and in a moment it can be: whoever asks by a program need not guess when.
        if matches!(self.kind, "busy" | "too_fast") {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}
