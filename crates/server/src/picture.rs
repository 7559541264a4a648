//! Pictures of the table.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tricorne_game::view::View;

use crate::JsonSchema;
use crate::error::ApiError;

/// Draws a view as SVG, by day or by night.
pub type Picture = fn(&View, Light) -> String;

/// The light a picture is drawn for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Light {
    /// Ink on paper.
    #[default]
    Light,
    /// Chalk on slate.
    Dark,
}

/// The light asked for in a request's query.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
pub(crate) struct InLight {
    /// By day or by night.
    #[serde(default)]
    pub light: Light,
}

/// A picture as it is sent.
pub(crate) struct Svg(String);

impl Svg {
    pub(crate) fn draw(draw: Option<Picture>, view: &View, light: Light) -> Result<Self, ApiError> {
        match draw {
            Some(draw) => Ok(Self(draw(view, light))),
            None => Err(ApiError::new(StatusCode::NOT_FOUND, "not_found", "this server draws no pictures")),
        }
    }
}

impl IntoResponse for Svg {
    fn into_response(self) -> Response {
        (
            [
                (header::CONTENT_TYPE, "image/svg+xml"),
                // Opened by itself, a picture is a document: it may style itself and do nothing else.
                (header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; sandbox"),
            ],
            self.0,
        )
            .into_response()
    }
}
