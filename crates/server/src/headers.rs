//! What holds for every request: how much, from where, and what a browser may do with the answer.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::error::ApiError;
use crate::gate::Ration;

/// Nothing but what this server sends: no script, style, picture or connection from anywhere else, no frame round it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// Lets a request in or turns it away, and puts the headers on the answer.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let whose = whose(&app, address, request.headers());
    // Whoever asks further in counts the same address.
    request.extensions_mut().insert(ConnectInfo(SocketAddr::new(whose, address.port())));
    let api = request.uri().path().starts_with("/api/");
    let mut response = match admitted(&app, whose, &request) {
        Ok(()) => next.run(request).await,
        Err(e) => e.into_response(),
    };
    let headers = response.headers_mut();
    let mut put = |name: HeaderName, value: &'static str| {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    };
    put(header::CONTENT_SECURITY_POLICY, POLICY);
    put(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(header::X_FRAME_OPTIONS, "DENY");
    put(header::REFERRER_POLICY, "no-referrer");
    put(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    put(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    put(HeaderName::from_static("permissions-policy"), "camera=(), microphone=(), geolocation=()");
    if api {
        put(header::CACHE_CONTROL, "no-store");
    }
    response
}

fn whose(app: &App, address: SocketAddr, headers: &HeaderMap) -> IpAddr {
    let forwarded = || {
        let list = headers.get("x-forwarded-for")?.to_str().ok()?;
        // The last is what our own proxy saw; those before it anybody can write.
        list.rsplit(',').next()?.trim().parse().ok()
    };
    if app.config.behind_proxy { forwarded().unwrap_or(address.ip()) } else { address.ip() }
}

fn admitted(app: &App, whose: IpAddr, request: &Request) -> Result<(), ApiError> {
    let limits = &app.config.limits;
    if app.config.only_local_names && !local(request.headers()) {
        return Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "not_yours",
            "this table answers only on this machine, as localhost or 127.0.0.1",
        ));
    }
    let allowed = |ration, per_second, burst| app.gate.allows(whose, ration, per_second, burst);
    if !allowed(Ration::Request, limits.requests_per_second, limits.requests_burst) {
        return Err(ApiError::too_fast());
    }
    if request.method() == Method::POST {
        let password = matches!(request.uri().path(), "/api/login" | "/api/register");
        if password && !allowed(Ration::Password, 1, limits.passwords_burst)
            || !allowed(Ration::Change, limits.changes_per_second, limits.changes_burst)
        {
            return Err(ApiError::too_fast());
        }
    }
    Ok(())
}

/// Whether a request names this machine itself: a name of another site that was pointed here is not answered.
fn local(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(header::HOST).and_then(|h| h.to_str().ok()) else { return true };
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.ends_with(".localhost")
        || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}
