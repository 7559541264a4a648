//! One's own password and sessions: changed, listed, ended.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};

use crate::JsonSchema;
use crate::accounts::{self, Person};
use crate::error::ApiError;
use crate::posted::Posted;
use crate::routes::Done;
use crate::{App, now, secret};

/// The name and the session of whoever asks.
async fn myself(app: &App, headers: &HeaderMap) -> Result<(String, String), ApiError> {
    let name = accounts::user(app, headers).await?;
    let token = accounts::session(headers).map(secret::hash);
    name.zip(token).ok_or_else(|| ApiError::new(StatusCode::UNAUTHORIZED, "unauthorised", "log in first"))
}

/// A new password in place of the old.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPassword {
    /// The password so far.
    old: String,
    /// The password from now on, 8 to 200 characters.
    #[schemars(length(min = 8, max = 200))]
    new: String,
}

/// Changes one's password; every other session is ended.
pub(crate) async fn password(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Posted(wish): Posted<NewPassword>,
) -> Result<Json<Person>, ApiError> {
    let (name, session) = myself(&app, &headers).await?;
    accounts::fits(&app, &name, wish.old).await?;
    let hash = accounts::hashed(&app, wish.new).await?;
    app.store.set_password(&name, &hash, Some(&session)).await?;
    Ok(Json(Person { name }))
}

/// A session of one's own.
#[derive(Serialize, JsonSchema)]
pub(crate) struct SessionFacts {
    /// What it is called when it is to be ended.
    id: String,
    /// When it began, in milliseconds since 1970, where that was kept.
    began: Option<i64>,
    /// When it ends by itself.
    ends: i64,
    /// Whether it is the one that asks.
    here: bool,
}

pub(crate) async fn sessions(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
) -> Result<Json<Vec<SessionFacts>>, ApiError> {
    let (name, here) = myself(&app, &headers).await?;
    let list = app.store.sessions_of(&name, now()).await?;
    let facts = list.into_iter().map(|row| SessionFacts {
        here: here.starts_with(&row.id),
        id: row.id,
        began: row.created,
        ends: row.expires,
    });
    Ok(Json(facts.collect()))
}

/// Which sessions to end.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EndSessions {
    /// One by its id; without it, all but the one that asks.
    #[serde(default)]
    id: Option<String>,
}

pub(crate) async fn end(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Posted(wish): Posted<EndSessions>,
) -> Result<Json<Done>, ApiError> {
    let (name, here) = myself(&app, &headers).await?;
    match wish.id {
        Some(id) => app.store.end_session(&name, &id).await?,
        None => app.store.end_sessions(&name, Some(&here)).await?,
    }
    Ok(Json(Done {}))
}

/// A wish for a token.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    /// For how many days; a year at most.
    #[schemars(range(min = 1, max = 366))]
    days: u32,
}

/// A token, told here and never again. It is one of one's sessions, and ends with them.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Token {
    /// The token.
    token: String,
    /// When it ends, in milliseconds since 1970.
    ends: i64,
}

/// A token for a program that plays under one's name.
pub(crate) async fn token(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Posted(wish): Posted<NewToken>,
) -> Result<(StatusCode, Json<Token>), ApiError> {
    let (name, _) = myself(&app, &headers).await?;
    if !(1..=366).contains(&wish.days) {
        return Err(ApiError::bad("a token lasts for 1 to 366 days"));
    }
    let (token, now) = (secret::token()?, now());
    let ends = now + i64::from(wish.days) * 24 * 3600 * 1000;
    app.store.add_session(&secret::hash(&token), &name, ends, now).await?;
    Ok((StatusCode::CREATED, Json(Token { token, ends })))
}
