//! Light on the wire: what is worth packing is packed for those who can unpack it.
//!
//! Only answers to `GET` are packed, and nothing that holds a seat's key: how well a text packs says something of what is
//! in it.

use std::io::{self, Read, Write};
use std::sync::Arc;

use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;

use crate::App;
use crate::error::ApiError;
use crate::turn::Who;

/// Below this a packed message is hardly smaller than a plain one.
pub(crate) const WORTH: usize = 1024;

/// From here on packing is work.
const LONG: usize = 16 * 1024;

/// The most an answer may have to be packed as a whole; what is longer goes as it is.
const MOST: usize = 32 * 1024 * 1024;

/// Packed as gzip, where that makes it smaller.
fn gzip(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), level);
    packer.write_all(bytes).ok()?;
    packer.finish().ok().filter(|packed| packed.len() < bytes.len())
}

/// A message of live play, packed; none where it is not worth it.
pub(crate) fn message(text: &str) -> Option<Bytes> {
    if text.len() < WORTH {
        return None;
    }
    gzip(text.as_bytes(), Compression::new(5)).map(Bytes::from)
}

/// Whether the asker unpacks gzip.
pub(crate) fn unpacks(headers: &HeaderMap) -> bool {
    headers
        .get_all(header::ACCEPT_ENCODING)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(','))
        .any(|one| {
            let mut parts = one.split(';').map(str::trim);
            let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip") || name == "*");
            named && !parts.any(|q| matches!(q, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
        })
}

/// What was packed, for those who do not unpack it themselves.
pub(crate) fn unpacked(packed: &[u8]) -> io::Result<Vec<u8>> {
    let mut plain = Vec::new();
    GzDecoder::new(packed).read_to_end(&mut plain)?;
    Ok(plain)
}

/// Whether things of a kind are text of some sort, which packs well.
fn packs(kind: &str) -> bool {
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.starts_with("text/")
        || matches!(
            kind,
            "application/json" | "application/manifest+json" | "application/x-ndjson" | "image/svg+xml"
        )
}

/// Packs answers of the API. What is long is packed in the asker's own share of the machine: it takes longer than making it.
pub(crate) async fn lighten(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let wanted = request.method() == Method::GET && unpacks(request.headers());
    let who = Who::of(request.extensions());
    let response = next.run(request).await;
    let head = response.headers();
    let kind = head.get(header::CONTENT_TYPE).and_then(|k| k.to_str().ok()).unwrap_or_default();
    if !packs(kind) || head.contains_key(header::CONTENT_ENCODING) || response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    if !wanted {
        return Response::from_parts(parts, body);
    }
    let Ok(bytes) = to_bytes(body, MOST).await else {
        return ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the answer is too long to be sent",
        )
        .into_response();
    };
    let packed = match bytes.len() {
        0..WORTH => None,
        WORTH..LONG => gzip(&bytes, Compression::new(6)),
        _ => {
            let whole = bytes.clone();
            // Whoever has too much waiting has it as it is.
            app.soon(who, move || gzip(&whole, Compression::new(6))).await.ok().flatten()
        }
    };
    match packed {
        Some(packed) => {
            parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            parts.headers.remove(header::CONTENT_LENGTH);
            Response::from_parts(parts, Body::from(packed))
        }
        None => Response::from_parts(parts, Body::from(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(encodings: &str) -> HeaderMap {
        HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_str(encodings).unwrap())])
    }

    #[test]
    fn who_does_not_unpack_gets_it_plain() {
        assert!(unpacks(&asked("gzip, deflate, br")));
        assert!(unpacks(&asked("br;q=1.0, GZIP;q=0.5")));
        assert!(unpacks(&asked("*")));
        assert!(!unpacks(&asked("br, identity")));
        assert!(!unpacks(&asked("gzip;q=0, br")));
        assert!(!unpacks(&HeaderMap::new()));
    }

    #[test]
    fn a_message_comes_out_as_it_went_in() {
        let text = "the Buffs fire at the Levy; ".repeat(400);
        let packed = message(&text).unwrap();
        assert!(packed.len() * 10 < text.len(), "{}", packed.len());
        assert_eq!(unpacked(&packed).unwrap(), text.as_bytes());
        assert_eq!(message("short"), None);
    }

    #[test]
    fn a_picture_of_dots_is_not_packed_again() {
        assert!(packs("image/svg+xml") && packs("text/javascript; charset=utf-8"));
        assert!(!packs("image/png") && !packs("font/woff2"));
    }
}
