//! What holds for every request: how much, from where, and what a browser may do with the answer.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::body::to_bytes;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::App;
use crate::door::network;
use crate::error::{ApiError, REQUEST};
use crate::gate::Ration;
use crate::metrics::Metrics;
use crate::{log, passing, secret, tries};

/// Nothing but what this server sends: no script, style, picture or connection from anywhere else, no frame round it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// How long whoever is over his ration waits to hear so.
const TURNED_AWAY: Duration = Duration::from_millis(300);

/// Lets a request in or turns it away, and puts the headers on the answer.
pub(crate) async fn guard(
    State(app): State<Arc<App>>,
    ConnectInfo(address): ConnectInfo<SocketAddr>,
    mut request: Request,
    next: Next,
) -> Response {
    let whose = whose(&app, address, request.headers());
    let method = request.method().clone();
    // Whoever asks further in counts the same address.
    request.extensions_mut().insert(ConnectInfo(SocketAddr::new(whose, address.port())));
    let api = request.uri().path().starts_with("/api/");
    let began = Instant::now();
    let id = secret::game_id().unwrap_or_default();
    let answer = async {
        let at_a_password = at_a_password(&request);
        let admitted = match admitted(&app, whose, &request) {
            Ok(()) if at_a_password => tries::from(&app, whose).await,
            other => other,
        };
        let response = match admitted {
            Ok(()) => next.run(request).await,
            Err(e) => {
                let too_fast = e.status == StatusCode::TOO_MANY_REQUESTS;
                let mut response = e.into_response();
                if too_fast {
                    Metrics::one_more(&app.metrics.turned_away);
                    // Being turned away costs us something too. Whoever asks on and on waits for each, and comes anew.
                    tokio::time::sleep(TURNED_AWAY).await;
                    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
                }
                response
            }
        };
        // The page's own files stand in memory anyway.
        if api {
            // What was done is said to be done, however much waits: only a question can be asked again.
            let only_asked = method == Method::GET;
            app.untaken.counted(whose, only_asked, in_json(response).await).await
        } else {
            response
        }
    };
    let mut response = REQUEST.scope(id.clone(), answer).await;
    let status = response.status();
    app.metrics.answered(status.as_u16(), began.elapsed());
    if status.is_server_error() || app.config.log_requests {
        let took = began.elapsed().as_millis();
        log::note(
            "answered",
            &[("request", &id), ("method", &method), ("status", &status.as_u16()), ("ms", &took)],
        );
    }
    let headers = response.headers_mut();
    if let Ok(id) = HeaderValue::from_str(&id) {
        headers.insert("x-request-id", id);
    }
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
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    // A fellow has settled it already.
    if let (Some(secret), Some(of)) = (text(passing::FELLOW), text(passing::FOR))
        && app.others.any()
        && app.is_ours(secret)
        && let Ok(of) = of.parse()
    {
        return of;
    }
    let forwarded = || {
        // The last of the last line is what our own proxy saw; those before it anybody can write.
        let list = headers.get_all("x-forwarded-for").iter().next_back()?.to_str().ok()?;
        let last = list.rsplit(',').next()?.trim();
        // Some write the port too, and then an address of IPv6 in brackets.
        last.parse().ok().or_else(|| last.parse::<SocketAddr>().ok().map(|a| a.ip()))
    };
    network(if app.config.behind_proxy { forwarded().unwrap_or(address.ip()) } else { address.ip() })
}

/// An error in the form all have, whoever was the first to notice it: a path, a query or a method that does not fit is
/// refused before a request of ours is asked.
async fn in_json(response: Response) -> Response {
    let status = response.status();
    let is_json = |kind: &HeaderValue| kind.as_bytes().starts_with(b"application/json");
    if !(status.is_client_error() || status.is_server_error())
        || response.headers().get(header::CONTENT_TYPE).is_some_and(is_json)
    {
        return response;
    }
    let (parts, body) = response.into_parts();
    let said =
        to_bytes(body, 4096).await.map(|b| String::from_utf8_lossy(&b).into_owned()).unwrap_or_default();
    let (kind, why) = match status {
        StatusCode::NOT_FOUND => ("not_found", "there is no such request; see /api/openapi.json"),
        StatusCode::METHOD_NOT_ALLOWED => ("bad_method", "not by that method; see /api/openapi.json"),
        StatusCode::PAYLOAD_TOO_LARGE => ("too_big", "the body of the request is too big"),
        _ if status.is_server_error() => ("internal", "the server could not do that; nothing was changed"),
        _ => ("bad_request", "the request does not fit; see /api/openapi.json"),
    };
    let why = if said.trim().is_empty() || status.is_server_error() { why.to_owned() } else { said };
    // What one could not read is not called unprocessable in one place and bad in another.
    let status = match status {
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::UNSUPPORTED_MEDIA_TYPE => StatusCode::BAD_REQUEST,
        other => other,
    };
    let mut response = ApiError::new(status, kind, why).into_response();
    if let Some(allow) = parts.headers.get(header::ALLOW) {
        response.headers_mut().insert(header::ALLOW, allow.clone());
    }
    response
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
    if request.method() == Method::POST
        && !allowed(Ration::Change, limits.changes_per_second, limits.changes_burst)
    {
        return Err(ApiError::too_fast());
    }
    Ok(())
}

/// Whether a request has a password in it.
fn at_a_password(request: &Request) -> bool {
    request.method() == Method::POST
        && matches!(request.uri().path(), "/api/login" | "/api/register" | "/api/password")
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
