//! The body of a request, read with errors that say what was expected.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::Value;

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
            return Err(ApiError::malformed("send JSON, with the header content-type: application/json"));
        }
        let bytes = body(request, state).await?;
        read(&bytes).map(Posted).map_err(|e| ApiError::malformed(e.to_string()))
    }
}

/// Reads JSON, in which 3.0 is as whole a number as 3.
fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    serde_json::from_slice(bytes).or_else(|why| {
        let mut value: Value = serde_json::from_slice(bytes)?;
        if whole(&mut value) { T::deserialize(value).map_err(|_| why) } else { Err(why) }
    })
}

/// Writes whole numbers as such; false if there were none that are not.
fn whole(value: &mut Value) -> bool {
    match value {
        Value::Number(n) => {
            let float = n.as_f64().filter(|x| n.is_f64() && x.fract() == 0.0 && x.abs() < 9e15);
            if let Some(x) = float {
                *value = Value::from(x as i64);
            }
            float.is_some()
        }
        Value::Array(list) => list.iter_mut().fold(false, |any, value| whole(value) | any),
        Value::Object(map) => map.values_mut().fold(false, |any, value| whole(value) | any),
        _ => false,
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
            ApiError::malformed(e.body_text())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_and_a_naught_is_three() {
        assert_eq!(read::<Vec<u64>>(b"[1, 3.0]").unwrap(), [1, 3]);
        assert_eq!(read::<Vec<f64>>(b"[1, 3.0, 0.5]").unwrap(), [1.0, 3.0, 0.5]);
        assert!(read::<Vec<u64>>(b"[3.5]").unwrap_err().to_string().contains("line 1"));
        assert!(read::<Vec<u64>>(b"[-3.0]").is_err());
    }
}
