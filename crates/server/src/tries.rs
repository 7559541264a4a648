//! Tries at passwords, rationed for the address they come from and for the name they are at. Servers on one PostgreSQL count
//! them together: whoever guesses has no more tries where there are more servers. Other rations are each server's own, since
//! what they keep from being used up is that server's time.

use std::net::IpAddr;

use crate::error::ApiError;
use crate::gate::{FORGIVEN, Ration};
use crate::{App, secret};

/// An address has one more try after so many milliseconds.
const OF_AN_ADDRESS: i64 = 1_000;

/// And a name.
const AT_A_NAME: i64 = (1_000.0 / FORGIVEN) as i64;

/// What is kept of a name: it may be anything that somebody typed, a password among it.
fn at(name: &str) -> String {
    secret::hash(&format!("name {}", name.chars().take(100).collect::<String>().to_lowercase()))
}

/// One more try from an address, whatever at.
pub(crate) async fn from(app: &App, address: IpAddr) -> Result<(), ApiError> {
    let most = app.config.limits.passwords_burst;
    let whose = secret::hash(&format!("address {address}"));
    let allowed = match app.others.count_try(&whose, OF_AN_ADDRESS, most).await? {
        Some(allowed) => allowed,
        None => app.gate.allows(address, Ration::Password, 1, most),
    };
    if allowed { Ok(()) } else { Err(ApiError::too_fast()) }
}

/// One more try at a name, from wherever it comes.
pub(crate) async fn at_name(app: &App, name: &str) -> Result<(), ApiError> {
    let (whose, most) = (at(name), app.config.limits.passwords_burst);
    let allowed = match app.others.count_try(&whose, AT_A_NAME, most).await? {
        Some(allowed) => allowed,
        None => app.gate.allows_try(&whose, most),
    };
    if allowed { Ok(()) } else { Err(ApiError::too_fast()) }
}

/// It was the right one: it is not counted for the name.
pub(crate) async fn right(app: &App, name: &str) -> Result<(), ApiError> {
    let whose = at(name);
    if !app.others.forgive_try(&whose, AT_A_NAME).await? {
        app.gate.right(&whose, app.config.limits.passwords_burst);
    }
    Ok(())
}
