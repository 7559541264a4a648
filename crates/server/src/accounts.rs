//! Names and passwords, for those who want their games to follow them.

use std::sync::Arc;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use tricorne_store::StoreError;

use crate::JsonSchema;
use crate::error::ApiError;
use crate::facts::clean_name;
use crate::posted::Posted;
use crate::routes::Done;
use crate::{App, names, now, secret, tries};

pub(crate) const COOKIE: &str = "tricorne_session";
/// A session lasts for ninety days.
const LASTS: i64 = 90 * 24 * 3600;

/// A name and a password.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Credentials {
    /// The name, 1 to 40 characters.
    #[schemars(length(min = 1))]
    name: String,
    /// The password, 8 to 200 characters.
    password: String,
}

/// Somebody logged in.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Person {
    /// The name.
    pub(crate) name: String,
}

/// The name of the person whose cookie comes with a request.
pub(crate) async fn user(app: &App, headers: &HeaderMap) -> Result<Option<String>, ApiError> {
    match session(headers) {
        Some(token) => Ok(app.store.session(&secret::hash(token), now()).await?),
        None => Ok(None),
    }
}

/// The token of a session: a browser's in its cookie, a program's as a bearer.
pub(crate) fn session(headers: &HeaderMap) -> Option<&str> {
    let bearer = headers.get(header::AUTHORIZATION).and_then(|v| v.to_str().ok());
    if let Some(token) = bearer.and_then(|v| v.strip_prefix("Bearer ")) {
        return Some(token.trim());
    }
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|v| v.to_str().ok())
        .flat_map(|v| v.split(';'))
        .filter_map(|c| c.trim().split_once('='))
        .find(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value)
}

pub(crate) async fn register(
    State(app): State<Arc<App>>,
    Posted(wish): Posted<Credentials>,
) -> Result<Response, ApiError> {
    let name = clean_name(&wish.name)?;
    names::of_ones_own(&name)?;
    let hash = hashed(&app, wish.password).await?;
    match app.store.add_user(&name, &names::looks(&name), &hash, now()).await {
        Ok(()) => welcome(&app, name).await,
        Err(StoreError::Conflict) => Err(ApiError::new(
            StatusCode::CONFLICT,
            "taken",
            "that name is taken, or one that looks like it; choose another",
        )),
        Err(e) => Err(e.into()),
    }
}

pub(crate) async fn login(
    State(app): State<Arc<App>>,
    Posted(wish): Posted<Credentials>,
) -> Result<Response, ApiError> {
    let name = fits(&app, &wish.name, wish.password).await?;
    welcome(&app, name).await
}

/// A password as it is kept.
pub(crate) async fn hashed(app: &App, password: String) -> Result<String, ApiError> {
    if !(8..=200).contains(&password.chars().count()) {
        return Err(ApiError::bad("a password has 8 to 200 characters"));
    }
    let _one = app.passwords.acquire().await;
    spawn_blocking(move || hash(&password)).await?
}

pub(crate) fn hash(password: &str) -> Result<String, ApiError> {
    let hash = Argon2::default().hash_password(password.as_bytes());
    hash.map(|h| h.to_string()).map_err(|e| ApiError::internal(&e))
}

/// The name as it was registered, if the password is its own.
pub(crate) async fn fits(app: &App, name: &str, password: String) -> Result<String, ApiError> {
    // From however many addresses they come: wrong tries at one name are rationed. Right ones cost nothing.
    tries::at_name(app, name).await?;
    let known = app.store.user(name).await?;
    // A name that nobody has takes as long as a wrong password, so that names can't be found out by the clock.
    let hash = known.as_ref().map_or_else(|| app.nobody.clone(), |u| u.password.clone());
    let fits = {
        let _one = app.passwords.acquire().await;
        spawn_blocking(move || {
            PasswordHash::new(&hash)
                .is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
        })
        .await?
    };
    match known {
        Some(user) if fits && user.banned => Err(ApiError::new(
            StatusCode::FORBIDDEN,
            "banned",
            "this name was banned here; ask the keeper of the server",
        )),
        Some(user) if fits => {
            tries::right(app, name).await?;
            Ok(user.name)
        }
        _ => Err(ApiError::new(StatusCode::UNAUTHORIZED, "unauthorised", "no such name with that password")),
    }
}

/// The hash of a password nobody knows.
pub(crate) fn nobody() -> Result<String, ApiError> {
    hash(&secret::token()?)
}

pub(crate) async fn logout(State(app): State<Arc<App>>, headers: HeaderMap) -> Result<Response, ApiError> {
    if let Some(token) = session(&headers) {
        app.store.drop_session(&secret::hash(token)).await?;
    }
    let gone = cookie(&app, "", 0);
    Ok(([(header::SET_COOKIE, gone)], Json(Done {})).into_response())
}

async fn welcome(app: &App, name: String) -> Result<Response, ApiError> {
    let token = secret::token()?;
    let now = now();
    app.store.add_session(&secret::hash(&token), &name, now + LASTS * 1000, now).await?;
    Ok(([(header::SET_COOKIE, cookie(app, &token, LASTS))], Json(Person { name })).into_response())
}

fn cookie(app: &App, token: &str, lasts: i64) -> String {
    let secure = if app.config.secure_cookies { "; Secure" } else { "" };
    format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={lasts}{secure}")
}
