//! The body of a request, read with errors that say what was expected.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;

use crate::App;
use crate::error::ApiError;

/// A JSON body.
pub(crate) struct Posted<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Arc<App>> for Posted<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &Arc<App>) -> Result<Self, ApiError> {
        let kind =
            request.headers().get(header::CONTENT_TYPE).and_then(|v| v.to_str().ok()).unwrap_or_default();
        // A form of another site can't send this type, so this is a fence as well as a courtesy.
        if !kind.starts_with("application/json") {
            return Err(ApiError::bad("send JSON, with the header content-type: application/json"));
        }
        let bytes = body(request, state).await?;
        serde_json::from_slice(&bytes).map(Posted).map_err(|e| ApiError::bad(e.to_string()))
    }
}

/// The bytes of a body, as far as they are allowed and while they are waited for.
pub(crate) async fn body(request: Request, state: &Arc<App>) -> Result<Bytes, ApiError> {
    let arrived = tokio::time::timeout(state.config.limits.request, Bytes::from_request(request, state));
    let Ok(arrived) = arrived.await else {
        return Err(ApiError::new(
            StatusCode::REQUEST_TIMEOUT,
            "too_slow",
            "the rest of the request did not come",
        ));
    };
    arrived.map_err(|e| {
        if e.status() == StatusCode::PAYLOAD_TOO_LARGE {
            ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "too_big", "the body of the request is too big")
        } else {
            ApiError::bad(e.body_text())
        }
    })
}
