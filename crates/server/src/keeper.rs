//! For whoever keeps a server running: is it alive, can it serve, and what do its instruments read.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Serialize;

use crate::JsonSchema;
use crate::error::ApiError;
use crate::{App, metrics};

/// How a server is.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Health {
    /// The version of the program.
    version: String,
}

/// Answers as long as the program runs: one that does not should be started again.
pub(crate) async fn health() -> Json<Health> {
    Json(Health { version: env!("CARGO_PKG_VERSION").into() })
}

/// Answers well if a change would be kept: one that does not should be sent no players for now.
pub(crate) async fn ready(State(app): State<Arc<App>>) -> Result<Json<Health>, ApiError> {
    app.store.probe().await.map_err(|e| {
        crate::log::note("the database does not keep anything", &[("why", &e)]);
        let why = "the database does not keep anything now";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "not_ready", why)
    })?;
    Ok(health().await)
}

async fn metrics(State(app): State<Arc<App>>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], metrics::text(&app))
        .into_response()
}

/// What is answered at the keeper's own address, which players need not reach.
pub(crate) fn router(app: Arc<App>) -> Router {
    Router::new()
        .route("/metrics", get(metrics))
        .route("/health", get(health))
        .route("/ready", get(ready))
        .with_state(app)
}
