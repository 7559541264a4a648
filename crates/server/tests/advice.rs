//! What a page asks while a player thinks: the end of a drag, sight, what a unit may do.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use crate::support::{Client, Serving};
use serde_json::{Value, json};

async fn hotseat() -> (Serving, Client, [&'static str; 2]) {
    let server = Serving::start().await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let client = server.join(&game.id, Some(game.token(0))).await;
    let units = if client.pending_seat() == Some(0) { ["R1", "B1"] } else { ["B1", "R1"] };
    (server, client, units)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drag_ends_at_the_nearest_legal_place_and_can_be_taken() {
    let (_server, mut client, [mine, _]) = hotseat().await;
    let near = client.ask(1, json!({"steer": {"unit": mine, "place": [12.0, 24.0]}})).await["steer"].clone();
    assert_eq!(near["why"]["clause"], "TOY-MOVE-02");
    assert_eq!(near["preview"]["allowance"], 6.0);
    assert_eq!(near["n"], 0);
    assert_eq!(near["end"]["at"], near["action"]["march"]["to"]);
    assert!(client.act(near["action"].clone()).await.get("acted").is_some());
    // One unit marches in a turn.
    let none = client.ask(2, json!({"steer": {"unit": mine, "place": [12.0, 24.0]}})).await["steer"].clone();
    assert_eq!((&none["action"], &none["preview"]), (&Value::Null, &Value::Null));
    assert_eq!(none["why"]["clause"], "TOY-MOVE-01");
    let by: Vec<_> = (0..1000).map(|i| json!([i, i])).collect();
    let long = client.ask(3, json!({"steer": {"unit": mine, "place": [1, 1], "by": by}})).await;
    assert_eq!(long["refused"]["kind"], "malformed");
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_frames_of_a_drag_the_last_is_always_answered() {
    let (_server, mut client, [mine, _]) = hotseat().await;
    let frames = 400;
    for id in 0..frames {
        let x = 10.0 + f64::from(id) / 100.0;
        client.say(json!({"id": id, "steer": {"unit": mine, "place": [x, 12.0]}})).await;
    }
    let (mut steered, mut overtaken) = (Vec::new(), 0);
    while steered.len() + overtaken < frames as usize {
        let message = client.hear().await.unwrap();
        if message.get("steer").is_some() {
            steered.push(message["id"].as_i64().unwrap());
        }
        overtaken += usize::from(message["refused"]["kind"] == "overtaken");
    }
    assert_eq!(steered.last(), Some(&i64::from(frames - 1)));
    assert!(steered.is_sorted());
    assert!(overtaken > 0, "four hundred frames sent in one go were all worked out");
}

#[tokio::test(flavor = "multi_thread")]
async fn only_whoever_decides_steers_and_asks_for_courses() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let first = server.join(&game.id, Some(game.token(0))).await;
    let other = usize::from(first.yours());
    let mut other = server.join(&game.id, Some(game.token(other))).await;
    for ask in [
        json!({"steer": {"unit": "R1", "place": [1, 1]}}),
        json!({"courses": {"unit": "R1"}}),
        json!({"reach": {"unit": "R1"}}),
    ] {
        assert_eq!(other.ask(1, ask.clone()).await["refused"]["kind"], "not_yours");
        let mut watcher = server.join(&game.id, None).await;
        assert_eq!(watcher.ask(1, ask).await["refused"]["kind"], "spectator");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sight_tells_nothing_of_a_unit_that_is_hidden() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    let mut watcher = server.join(&game.id, None).await;
    let seen = |answer: Value| answer["sight"]["sight"]["clear"] == true;
    assert!(seen(red.ask(1, json!({"sight": {"from": "R1", "to": "B1"}})).await));
    assert!(seen(watcher.ask(1, json!({"sight": {"from": "R1", "to": "B1"}})).await));
    assert!(seen(blue.ask(1, json!({"sight": {"from": "Bhidden", "to": "R1"}})).await));
    // A hidden unit and one that there is not get the same answer, but for the name.
    for client in [&mut red, &mut watcher] {
        for (from, to) in [("R1", "Bhidden"), ("Bhidden", "R1")] {
            let hidden = client.ask(2, json!({"sight": {"from": from, "to": to}})).await.to_string();
            let (from, to) = (from.replace("Bhidden", "Nothing"), to.replace("Bhidden", "Nothing"));
            let nothing = client.ask(2, json!({"sight": {"from": from, "to": to}})).await.to_string();
            assert_eq!(hidden.replace("Bhidden", "Nothing"), nothing);
            assert!(nothing.contains("unknown_unit"), "{nothing}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_unit_is_told_what_it_may_do_and_why_not_the_rest() {
    let (_server, mut client, [mine, theirs]) = hotseat().await;
    let courses = client.ask(1, json!({"courses": {"unit": mine}})).await["courses"].clone();
    assert_eq!(courses["unit"], mine);
    let list = |c: &Value| -> Vec<(String, Value)> {
        let list = c["list"].as_array().unwrap().iter();
        list.map(|c| (c["action"].as_str().unwrap().into(), c["why"]["clause"].clone())).collect()
    };
    // B1 stands far from the middle: only a unit that has room may march there.
    assert_eq!(list(&courses)[1], ("fire".into(), Value::Null));
    assert_eq!(list(&courses).len(), 2, "each kind once");
    let march = client.ask(2, json!({"steer": {"unit": mine, "place": [12.0, 24.0]}})).await["steer"].clone();
    client.act(march["action"].clone()).await;
    let courses = client.ask(3, json!({"courses": {"unit": mine}})).await["courses"].clone();
    assert_eq!(list(&courses)[0], ("march".into(), json!("TOY-MOVE-01")));
    let not_mine = client.ask(4, json!({"courses": {"unit": theirs}})).await;
    assert_eq!(not_mine["refused"]["kind"], "not_yours");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ground_a_unit_can_reach_is_told_at_once() {
    let (_server, mut client, [mine, theirs]) = hotseat().await;
    let told = client.ask(1, json!({"reach": {"unit": mine}})).await["reach"].clone();
    assert_eq!((&told["unit"], &told["reach"]["action"]), (&json!(mine), &json!("march")));
    let ends: Vec<[f64; 2]> = serde_json::from_value(told["reach"]["ends"].clone()).unwrap();
    assert_eq!(ends.len(), 24);
    // North first, then clockwise; six inches each way, and no further than the table.
    let steer =
        client.ask(2, json!({"steer": {"unit": mine, "place": [ends[6][0] + 9.0, ends[6][1]]}})).await;
    assert_eq!(steer["steer"]["end"]["at"][1], json!(ends[6][1]), "due east");
    assert!(ends[0][1] > ends[12][1] && ends[6][0] > ends[18][0]);
    let not_mine = client.ask(3, json!({"reach": {"unit": theirs}})).await;
    assert_eq!(not_mine["refused"]["kind"], "not_yours");
    let unknown = client.ask(4, json!({"reach": {"unit": "Nobody"}})).await;
    assert_eq!(unknown["refused"]["kind"], "unknown_unit");
    // One unit marches in a turn: then nobody goes anywhere.
    let march = client.ask(5, json!({"steer": {"unit": mine, "place": [12.0, 24.0]}})).await["steer"].clone();
    client.act(march["action"].clone()).await;
    let told = client.ask(6, json!({"reach": {"unit": mine}})).await["reach"].clone();
    assert!(told["reach"].is_null(), "{told}");
}
