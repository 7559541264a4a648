//! The page: files the binary brings, and a plain word where it brings none.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::error::ApiError;
use crate::{App, keepsake, light};

/// Finds a file of the page by its path (`index.html`, `assets/index-3f2a.js`), without a leading slash.
pub type Page = fn(&str) -> Option<PageFile>;

/// A file of the page, as whoever brings it keeps it.
#[derive(Clone, Copy, Debug)]
pub struct PageFile {
    /// What it holds.
    pub bytes: &'static [u8],
    /// Whether that is gzip of the file. Pages with a head (`.html`) are kept as they are: a battle's card is put there.
    pub packed: bool,
}

/// No page at all: what the server says then is how to build one.
pub fn no_page(_: &str) -> Option<PageFile> {
    None
}

const MISSING: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Tricorne</title>\
<h1>Tricorne</h1><p>The server is running, but this program was built without its page.</p>\
<p>To build it: install Node 20 or newer, then <code>touch web/index.html &amp;&amp; cargo build --release</code>.</p>\
<p>What programs can ask is described at <a href=\"/api/openapi.json\">/api/openapi.json</a>.</p></html>";

/// The file of a room of the page, `game` of `game/ID`; for the others the front page's does.
fn room_file(room: &str) -> Option<&'static str> {
    match room {
        "game" => Some("game.html"),
        "replay" => Some("replay.html"),
        "after" => Some("after.html"),
        _ => None,
    }
}

/// Any path that is no request of the API: a file of the page, or the page itself, which finds its own way.
pub(crate) async fn page(State(app): State<Arc<App>>, headers: HeaderMap, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path.starts_with("api/") || path == "api" {
        return ApiError::not_found("there is no such request; see /api/openapi.json").into_response();
    }
    let name = if path.is_empty() { "index.html" } else { path };
    let file = (app.config.page)(name);
    let (name, file) = match file {
        Some(file) => (name, file),
        // A path with an ending is a file that is not there, not a place in the page.
        None if name.rsplit('/').next().is_some_and(|last| last.contains('.')) && name != "index.html" => {
            return StatusCode::NOT_FOUND.into_response();
        }
        // A place in the page: some have a head of their own, which says what they need.
        None => {
            let room = path.split('/').next().and_then(room_file);
            let own = room.and_then(|name| Some((name, (app.config.page)(name)?)));
            match own.or_else(|| Some(("index.html", (app.config.page)("index.html")?))) {
                Some(found) => found,
                None => return Html(MISSING).into_response(),
            }
        }
    };
    let headed = if file.packed { None } else { keepsake::headed(&app, path, &headers, file.bytes).await };
    // The same however it is sent: a weak one.
    let tag = format!("W/\"{}\"", &blake3::hash(headed.as_deref().unwrap_or(file.bytes)).to_hex()[..16]);
    // Files of the build carry a hash in their names and never change; the rest is asked for again each time.
    let keep = if name.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    if headers.get(header::IF_NONE_MATCH).is_some_and(|t| t.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let head = [
        (header::CONTENT_TYPE, kind(name).to_owned()),
        (header::CACHE_CONTROL, keep.to_owned()),
        (header::ETAG, tag),
    ];
    if !file.packed {
        return (head, headed.map_or(Bytes::from_static(file.bytes), Bytes::from)).into_response();
    }
    if light::unpacks(&headers) {
        let packed = [(header::CONTENT_ENCODING, "gzip"), (header::VARY, "accept-encoding")];
        return (head, packed, Bytes::from_static(file.bytes)).into_response();
    }
    match light::unpacked(file.bytes) {
        Ok(plain) => (head, plain).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        _ => "application/octet-stream",
    }
}
