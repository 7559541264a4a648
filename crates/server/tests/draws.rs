//! A draw offered, accepted, declined, lapsed; and what is kept of a battle that ended so.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use crate::support::{Client, SYSTEMS, Serving};
use serde_json::{Value, json};
use tricorne_game::journal::{Agreed, Journal};

const OFFER: &str = "offered";

/// One action of whoever must decide; both have heard of it.
async fn act(red: &mut Client, blue: &mut Client) {
    let (active, other) = if red.yours() { (red, blue) } else { (blue, red) };
    let action = active.candidate(0).await;
    active.act(action).await;
    other.until("state").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn both_agree_and_the_journal_says_so() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    act(&mut red, &mut blue).await;
    red.say(json!({"draw": {"agree": true}})).await;
    for client in [&mut red, &mut blue] {
        assert_eq!(client.until("draw").await, json!({OFFER: [0], "declined": null}));
    }
    // Whoever comes later is told of it too.
    let mut late = server.connect(&game.id).await;
    late.say(json!({"hello": {"token": game.token(1)}})).await;
    assert_eq!(late.until("draw").await[OFFER], json!([0]));
    blue.say(json!({"draw": {"agree": true}})).await;
    let over = blue.until("over").await;
    assert_eq!(over["ending"]["winner"], Value::Null);
    assert_eq!(over["ending"]["grade"], "draw");
    assert!(blue.state["pending"].get("over").is_some(), "{}", blue.state);
    assert_eq!(red.until("over").await, over);
    // Nothing is done any more.
    let refused = blue.ask(9, json!({"act": {"n": blue.n(), "action": {"pass": {}}}})).await;
    assert_eq!(refused["refused"]["kind"], "over", "{refused}");
    let facts = server.get(&format!("/api/games/{}", game.id)).await.json();
    assert_eq!((&facts["status"], &facts["ending"]["grade"]), (&json!("finished"), &json!("draw")));
    let replay = server.get(&format!("/api/games/{}/replay", game.id)).await.json();
    assert_eq!(replay["ending"]["reason"], "a draw was offered and accepted");
    let text = server.get(&format!("/api/games/{}/journal", game.id)).await.text();
    let journal = Journal::read(text.as_bytes()).unwrap();
    assert_eq!((journal.agreed, journal.entries.len()), (Some(Agreed::Draw), 1));
    let system = SYSTEMS.iter().find(|s| s.about().id == journal.header.ruleset).unwrap();
    let umpire = journal.replay(*system, None).unwrap();
    assert_eq!(umpire.ending().map(|e| e.grade), Some("draw".into()));
    assert_eq!(umpire.journal().to_text(), text);
    // It is kept as such when it is brought again, and can be played on from its last moment.
    let brought = server.post("/api/journals", Value::String(text)).await;
    assert_ne!(brought.status, 201, "a journal is no JSON string");
    let on = server.post(&format!("/api/games/{}/fork", game.id), json!({"n": 1})).await;
    assert_eq!(on.status, 201, "{}", on.text());
    let id = on.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(server.get(&format!("/api/games/{id}")).await.json()["status"], "playing");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_offer_lapses_with_the_next_action_and_is_not_repeated_after_a_no() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    // Dice say who begins: the other offers, and it lapses when the first acts.
    let (seat, other) = if red.yours() { (0, 1) } else { (1, 0) };
    let (mover, waiter) = if seat == 0 { (&mut red, &mut blue) } else { (&mut blue, &mut red) };
    waiter.say(json!({"draw": {"agree": true}})).await;
    assert_eq!(mover.until("draw").await[OFFER], json!([other]));
    let first = mover.candidate(0).await;
    mover.act(first).await;
    assert_eq!(waiter.until("draw").await[OFFER], json!([other]));
    assert_eq!(waiter.until("draw").await[OFFER], json!([]), "it has lapsed");
    let late = mover.ask(5, json!({"draw": {"agree": false}})).await;
    assert_eq!(late["refused"]["kind"], "no_offer", "{late}");
    // Offered again, declined, and not to be asked again at once.
    waiter.say(json!({"draw": {"agree": true}})).await;
    while mover.until("draw").await[OFFER] != json!([other]) {}
    mover.say(json!({"draw": {"agree": false}})).await;
    assert_eq!(waiter.until("draw").await, json!({OFFER: [other], "declined": null}));
    assert_eq!(waiter.until("draw").await, json!({OFFER: [], "declined": seat}));
    let again = waiter.ask(6, json!({"draw": {"agree": true}})).await;
    assert_eq!(again["refused"]["kind"], "declined", "{again}");
    // Spectators have no say in it.
    let mut idle = server.join(&game.id, None).await;
    assert_eq!(idle.ask(7, json!({"draw": {"agree": true}})).await["refused"]["kind"], "spectator");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_is_not_ahead_agrees() {
    // The toy judges nothing before its end, so nobody is ahead.
    let server = Serving::start().await;
    let game = server.new_game(&["me", "program:random"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    red.say(json!({"draw": {"agree": true}})).await;
    assert_eq!(red.until("over").await["ending"]["grade"], "draw");
}
