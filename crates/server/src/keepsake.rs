//! What is shown of a battle elsewhere: a card for the link (title, sentence, picture), and the battle as a short film.

use std::sync::Arc;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tricorne_game::Ending;
use tricorne_game::view::View;
use tricorne_game::ways::Scene;
use tricorne_store::{Game, Status};

use crate::App;
use crate::error::ApiError;
use crate::lobby::kept;
use crate::replay::replayed;
use crate::turn::Who;

/// Draws a view as PNG, for a card; none where it cannot be drawn.
pub type Plate = fn(&View) -> Option<Vec<u8>>;

/// Films scenes as GIF, everybody going along his way from one to the next; none where it cannot be done.
pub type Film = fn(&[Scene]) -> Option<Vec<u8>>;

/// Scenes of a film at most: more would be long to make and to send, and nobody looks on so long.
pub(crate) const SCENES: usize = 40;

fn not_here(what: &str) -> ApiError {
    ApiError::new(StatusCode::NOT_FOUND, "not_found", format!("this server makes no {what}"))
}

/// Pictures of a battle that is over are the same for ever; of others, for a moment.
fn keep(game: &Game) -> &'static str {
    if game.status == Status::Playing { "public, max-age=60" } else { "public, max-age=86400" }
}

/// The table as it stands, as PNG: for the cards of forums, which take no SVG.
pub(crate) async fn card(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let plate = app.config.plate.ok_or_else(|| not_here("pictures"))?;
    let (game, replayed) = replayed(&app, who, &id).await?;
    let drawn = app.long(who, move || replayed.view(None, None).map(|view| plate(&view))).await??;
    let drawn = drawn.ok_or_else(|| not_here("pictures"))?;
    Ok(([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, keep(&game))], drawn).into_response())
}

/// The battle as a film, once it is over.
pub(crate) async fn film(
    State(app): State<Arc<App>>,
    who: Who,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let film = app.config.film.ok_or_else(|| not_here("films"))?;
    let (game, replayed) = replayed(&app, who, &id).await?;
    if game.status == Status::Playing {
        return Err(ApiError::not_finished());
    }
    let made = app.long(who, move || replayed.film(film)).await?;
    let made = made.ok_or_else(|| not_here("films"))?;
    Ok(([(header::CONTENT_TYPE, "image/gif"), (header::CACHE_CONTROL, keep(&game))], made).into_response())
}

/// Puts the card of a game's page into the head of the page, if the path is one of a game that may be seen.
pub(crate) async fn headed(app: &App, path: &str, headers: &HeaderMap, page: &[u8]) -> Option<Vec<u8>> {
    let (room, id) = path.split_once('/')?;
    let verb = match room {
        "after" | "replay" | "game" if id.chars().all(|c| c.is_ascii_alphanumeric()) => room,
        _ => return None,
    };
    let game = kept(app, id).await.ok()?;
    if game.status == Status::Playing && !game.watch {
        return None;
    }
    let ending = game.ending.as_deref().and_then(|e| serde_json::from_str::<Ending>(e).ok());
    let seats = app.store.seats(id).await.ok()?;
    let names: Vec<&str> = seats.iter().map(|s| s.seat_name.as_str()).collect();
    let told = match ending {
        Some(ending) => sentence(&ending),
        None => format!("{} at the table. Look on, or play it again from any moment.", names.join(" and ")),
    };
    let what = match verb {
        "game" => "a battle on Tricorne",
        _ => "a battle fought on Tricorne",
    };
    let host = headers.get(header::HOST).and_then(|h| h.to_str().ok()).unwrap_or("localhost");
    let scheme = if app.config.secure_cookies { "https" } else { "http" };
    let here = format!("{scheme}://{host}");
    let mut head = card_head(&game.title, what, &told, &here, id, verb);
    if verb == "replay" && game.status != Status::Playing {
        head.push_str(&ahead(id));
    }
    let page = std::str::from_utf8(page).ok()?;
    let (before, after) = page.split_once("<title>Tricorne</title>")?;
    Some(format!("{before}{head}{after}").into_bytes())
}

fn sentence(ending: &Ending) -> String {
    let reason = ending.reason.trim_end_matches('.');
    let mut letters = reason.chars();
    let first = letters.next().map(|c| c.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

fn card_head(title: &str, what: &str, told: &str, here: &str, id: &str, room: &str) -> String {
    let [title, what, told, here] = [title, what, told, here].map(escaped);
    format!(
        "<title>{title} – Tricorne</title>\n    <meta name=\"description\" content=\"{told}\" />\n    \
         <meta property=\"og:site_name\" content=\"Tricorne\" />\n    <meta property=\"og:type\" content=\"article\" />\n    \
         <meta property=\"og:title\" content=\"{title}: {what}\" />\n    <meta property=\"og:description\" content=\"{told}\" />\n    \
         <meta property=\"og:url\" content=\"{here}/{room}/{id}\" />\n    <meta property=\"og:image\" content=\"{here}/api/games/{id}/card.png\" />\n    \
         <meta name=\"twitter:card\" content=\"summary_large_image\" />"
    )
}

/// What a replay asks for first, named to the browser before the page's own code is there to ask.
fn ahead(id: &str) -> String {
    let battle =
        [format!("/api/games/{id}/replay"), format!("/api/games/{id}/view?n=0"), "/api/about".into()];
    let battle = battle.map(|path| (path, String::new()));
    let ground = ["light", "dark"].map(|light| {
        let path = format!("/api/games/{id}/picture.svg?n=0&amp;ground=true&amp;light={light}");
        (path, format!(" media=\"(prefers-color-scheme: {light})\""))
    });
    let preload = |(path, when): &(String, String)| {
        format!("\n    <link rel=\"preload\" as=\"fetch\" crossorigin href=\"{path}\"{when} />")
    };
    battle.iter().chain(&ground).map(preload).collect()
}

/// As it stands in HTML: players choose titles.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_leave_its_quotes() {
        let head = card_head(
            "\"><script>alert(1)</script>",
            "a battle",
            "It's <over>",
            "http://a\"b",
            "x1",
            "after",
        );
        assert!(!head.contains("<script"), "{head}");
        assert!(head.contains("&quot;&gt;&lt;script&gt;"), "{head}");
        assert!(head.contains("http://a&quot;b/after/x1"), "{head}");
    }
}
