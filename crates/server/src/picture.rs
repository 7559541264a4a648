//! Pictures of the table.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use tricorne_game::view::View;

use crate::error::ApiError;

/// Draws a view as SVG.
pub type Picture = fn(&View) -> String;

/// A picture as it is sent.
pub(crate) struct Svg(String);

impl Svg {
    pub(crate) fn draw(draw: Option<Picture>, view: &View) -> Result<Self, ApiError> {
        match draw {
            Some(draw) => Ok(Self(draw(view))),
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
