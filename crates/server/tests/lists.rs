//! Names, lists of games, and the bell that says whose decision it is.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use std::time::Duration;

use crate::support::{Serving, Socket, http, patient};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

/// A connection to the bell, with a cookie or without.
async fn bell(server: &Serving, cookie: Option<&str>) -> Socket {
    let mut request = format!("ws://{}/api/live", server.address).into_client_request().unwrap();
    if let Some(cookie) = cookie {
        request.headers_mut().insert("cookie", cookie.parse().unwrap());
    }
    tokio_tungstenite::connect_async(request).await.unwrap().0
}

async fn say(socket: &mut Socket, message: Value) {
    socket.send(Message::text(message.to_string())).await.unwrap();
}

async fn hear(socket: &mut Socket) -> Value {
    loop {
        if let Message::Text(text) = patient(socket.next()).await.unwrap().unwrap() {
            return serde_json::from_str(&text).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bell_rings_for_the_seat_that_must_decide() {
    let server = Serving::start().await;
    let game = server.new_game(&["link", "link"]).await;
    let other = server.new_game(&["link", "link"]).await;
    let mut bells = Vec::new();
    for seat in 0..2 {
        let mut bell = bell(&server, None).await;
        let games = json!([{"id": game.id, "token": game.token(seat)}, {"id": "nowhere"}]);
        say(&mut bell, json!({"watch": {"games": games}})).await;
        let list = hear(&mut bell).await["games"]["list"].clone();
        assert_eq!(list.as_array().unwrap().len(), 1, "{list}");
        assert_eq!(list[0]["your_seats"], json!([seat]));
        bells.push((bell, list[0]["yours"] == true));
    }
    let first = usize::from(!bells[0].1);
    assert!(bells[first].1 && !bells[1 - first].1, "it is one seat's decision");
    // Within one seat's own decisions nothing rings, nor for a game that is not listened for.
    let mut stranger = server.join(&other.id, Some(other.token(0))).await;
    if stranger.yours() {
        stranger.act(json!({"pass": {}})).await;
    }
    let mut player = server.join(&game.id, Some(game.token(first))).await;
    player.act(json!({"scout": {}})).await;
    player.act(json!({"pass": {}})).await;
    for (seat, (bell, _)) in bells.iter_mut().enumerate() {
        let news = hear(bell).await["news"].clone();
        assert_eq!((&news["game"], &news["n"]), (&json!(game.id), &json!(2)), "{news}");
        assert_eq!(news["yours"], json!(seat != first));
        say(bell, json!({"nonsense": 1})).await;
        assert_eq!(hear(bell).await["refused"]["kind"], "malformed");
        say(bell, json!({"ping": {}})).await;
        assert!(hear(bell).await.get("pong").is_some());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn games_follow_a_name() {
    let server = Serving::start().await;
    let body = json!({"name": "Anna", "password": "correct horse"}).to_string().into_bytes();
    let json_type = ("content-type", "application/json");
    let answer = http(server.address, "POST", "/api/register", &[json_type], Some(body)).await;
    let set = answer.header("set-cookie").unwrap();
    assert!(set.contains("HttpOnly") && set.contains("SameSite=Lax"), "{set}");
    let cookie = set.split(';').next().unwrap().to_owned();
    let wish = json!({"ruleset": "toy", "scenario": "hill", "seats": [{"kind": "me"}, {"kind": "me"}]});
    let headers = [json_type, ("cookie", cookie.as_str())];
    let made = http(server.address, "POST", "/api/games", &headers, Some(wish.to_string().into_bytes()))
        .await
        .json();
    server.new_game(&["hotseat", "hotseat"]).await;

    let listed = http(server.address, "GET", "/api/games", &[("cookie", &cookie)], None).await.json();
    let mine = listed["mine"].as_array().unwrap();
    assert_eq!(mine.len(), 1);
    assert_eq!((&mine[0]["id"], &mine[0]["your_seats"]), (&made["id"], &json!([0, 1])));
    assert_eq!(mine[0]["yours"], true);
    assert_eq!(server.get("/api/games").await.json()["mine"], json!([]));
    // The bell knows them too, without any token.
    let mut bell = bell(&server, Some(&cookie)).await;
    say(&mut bell, json!({"watch": {}})).await;
    let list = hear(&mut bell).await["games"]["list"].clone();
    assert_eq!((&list[0]["game"], &list[0]["yours"]), (&made["id"], &json!(true)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_rings_when_nobody_is_there() {
    let server = Serving::with(|c| {
        c.limits.linger = Duration::from_millis(20);
        c.limits.idle = Duration::from_millis(20);
    })
    .await;
    let wish = json!({"ruleset": "toy", "scenario": "hill", "clock": {"seconds": 1}});
    let made = server.post("/api/games", wish).await.json();
    let id = made["id"].as_str().unwrap();
    let mut both = server.join(id, made["token"].as_str()).await;
    // The first decision of each is free; the third is on the clock.
    for _ in 0..2 {
        both.act(json!({"pass": {}})).await;
    }
    let waiting = both.pending_seat().unwrap();
    drop(both);
    crate::support::until(async || {
        let facts = server.get(&format!("/api/games/{id}")).await.json();
        facts["seats"][waiting as usize]["kind"] == "program:random"
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scenario_of_ones_own_is_looked_over_and_fought() {
    let server = Serving::start().await;
    let bordj = server.get("/api/scenarios/would-be-kings/the-bordj").await.json();
    let text = bordj["text"].as_str().unwrap().replacen("title = \"", "title = \"My ", 1);
    let page = server.post("/api/scenarios", json!({"name": "mine.toml", "text": text})).await;
    assert_eq!(page.status, 200, "{}", page.text());
    let page = page.json();
    assert!(page["title"].as_str().unwrap().starts_with("My "), "{}", page["title"]);
    assert_eq!(page["ruleset"], "would-be-kings");
    assert_eq!(page["seats"], bordj["seats"]);
    let game = server.post("/api/games", json!({"ruleset": page["ruleset"], "text": page["text"]})).await;
    assert_eq!(game.status, 201, "{}", game.text());
    // What is wrong is told with its place and what was expected.
    let line = text.lines().position(|line| line.contains("outline = [[")).unwrap() + 1;
    let outline = format!("mine.toml:{line}:");
    for (text, says) in [
        (
            "ruleset = \"chess\"".to_owned(),
            "mine.toml:1:1: ruleset: there is no ruleset `chess`; it is one of",
        ),
        ("title = \"no rules\"".into(), "mine.toml: has no line `ruleset"),
        ("title = ".into(), "mine.toml:1:"),
        (text.replacen("outline = [[", "outline = [[1000, ", 1), outline.as_str()),
    ] {
        let answer = server.post("/api/scenarios", json!({"name": "mine.toml", "text": text})).await;
        assert!(answer.status == 422 && answer.text().contains(says), "{says}: {}", answer.text());
    }
}
