//! Battles looked back on, journals brought, battles gone on with.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use crate::support::toy::{SECRET_CARD, Toy};
use crate::support::{Client, Jumps, Made, Serving};
use serde_json::{Value, json};
use tricorne_game::journal::Journal;

/// One client plays both sides to the end.
async fn fight_out(client: &mut Client, seed: u64) {
    let mut jumps = Jumps(seed);
    while client.state["pending"].get("over").is_none() {
        let action = client.candidate(jumps.next()).await;
        let answer = client.act(action).await;
        assert!(answer.get("acted").is_some(), "{answer}");
    }
}

async fn fought(server: &Serving) -> Made {
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut client = server.join(&game.id, Some(game.token(0))).await;
    fight_out(&mut client, 3).await;
    game
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battle_that_is_over_shows_everything_and_where_it_turned() {
    let server = Serving::start().await;
    let game = fought(&server).await;
    let replay = server.get(&format!("/api/games/{}/replay", game.id)).await.json();
    assert_eq!((&replay["over"], &replay["seed_fits"]), (&json!(true), &json!(true)));
    assert_eq!(replay["link"], format!("/replay/{}", game.id));
    assert_eq!(replay["seeds"].as_array().unwrap().len(), 1);
    let moments = replay["moments"].as_array().unwrap();
    // What is lost is never found again, and is what the strength lacks.
    for pair in moments.windows(2) {
        for side in 0..2 {
            let lost = |m: &Value| m["lost"][side].as_u64().unwrap();
            assert!(lost(&pair[0]) <= lost(&pair[1]));
            assert_eq!(18 - lost(&pair[1]), pair[1]["strength"][side][0].as_u64().unwrap());
        }
    }
    let last = moments.last().unwrap();
    assert!(last["lost"][0].as_u64().unwrap() + last["lost"][1].as_u64().unwrap() > 0, "nobody was hit");
    assert!(moments[1]["action"].is_object());
    let decisive = replay["decisive"].as_array().unwrap();
    assert!(!decisive.is_empty() && decisive.len() <= 6);
    for turn in decisive {
        let n = turn["n"].as_u64().unwrap() as usize;
        let side = turn["against"].as_u64().unwrap() as usize;
        let fell =
            moments[n]["lost"][side].as_u64().unwrap() - moments[n - 1]["lost"][side].as_u64().unwrap();
        let name = ["Red", "Blue"][side];
        assert!(turn["text"].as_str().unwrap().contains(&format!("{name} lost {fell} of 18")), "{turn}");
    }
    // Nothing is hidden any more: units and cards of both sides are in one view.
    let whole = server.get(&format!("/api/games/{}/view?n=0", game.id)).await.text();
    assert!(whole.contains("Rhidden") && whole.contains("Bhidden"), "{whole}");
    let end = server.get(&format!("/api/games/{}/view", game.id)).await.text();
    assert_eq!(end.contains(SECRET_CARD), replay.to_string().contains(SECRET_CARD));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battle_not_to_be_watched_is_not_looked_back_on_before_its_end() {
    let server = Serving::start().await;
    let wish = json!({"ruleset": "toy", "scenario": "hill", "watch": false});
    let made = server.post("/api/games", wish).await.json();
    for path in ["replay", "view?n=0", "picture.svg?n=0"] {
        let answer = server.get(&format!("/api/games/{}/{path}", made["id"].as_str().unwrap())).await;
        assert_eq!((answer.status, answer.kind().as_str()), (403, "not_yours"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battle_gone_on_with_has_fair_dice_and_a_journal_that_verifies_everywhere() {
    let server = Serving::start().await;
    let first = fought(&server).await;
    let seed = server.get(&format!("/api/games/{}", first.id)).await.json()["seed"].clone();
    let go_on = async |id: &str, n: u64| -> (String, Client) {
        let made = server.post(&format!("/api/games/{id}/fork"), json!({"n": n})).await;
        assert_eq!(made.status, 201, "{}", made.text());
        let made = made.json();
        let id = made["id"].as_str().unwrap().to_owned();
        let client = server.join(&id, made["token"].as_str()).await;
        (id, client)
    };
    let (second, mut client) = go_on(&first.id, 2).await;
    // Its own seed is a secret, like any other's.
    let facts = server.get(&format!("/api/games/{second}")).await.json();
    assert_eq!(facts["seed"], Value::Null);
    assert_eq!(server.get(&format!("/api/games/{second}/journal")).await.kind(), "not_finished");
    fight_out(&mut client, 4).await;
    // And on from that one, beyond the place where it went its own way.
    let (third, mut client) = go_on(&second, 5).await;
    fight_out(&mut client, 5).await;

    let replay = server.get(&format!("/api/games/{third}/replay")).await.json();
    assert_eq!(replay["seed_fits"], true);
    let seeds = replay["seeds"].as_array().unwrap();
    assert_eq!(seeds.iter().map(|s| s["after"].as_u64().unwrap()).collect::<Vec<_>>(), [0, 2, 5]);
    assert_eq!(seeds[0]["seed"], seed);
    assert!(seeds[1]["seed"] != seed && seeds[2]["seed"] != seeds[1]["seed"]);
    assert_eq!(seeds[2]["seed"], replay["seed"]);

    let text = server.get(&format!("/api/games/{third}/journal")).await;
    let journal = Journal::read(&text.body).unwrap();
    journal.replay(&Toy, None).unwrap();
    let up =
        crate::support::http(server.address, "POST", "/api/journals", &[], Some(text.body.clone())).await;
    assert_eq!(up.status, 201, "{}", up.text());
    let id = up.json()["id"].as_str().unwrap().to_owned();
    let again = server.get(&format!("/api/games/{id}/journal")).await;
    assert_eq!(Journal::read(&again.body).unwrap().entries, journal.entries);
    // With the seeds taken out it is found out.
    let mut forged = journal.clone();
    forged.header.reseeds.clear();
    let forged = forged.to_text().into_bytes();
    let answer = crate::support::http(server.address, "POST", "/api/journals", &[], Some(forged)).await;
    assert_eq!((answer.status, answer.kind().as_str()), (422, "unverified"), "{}", answer.text());
}

/// The actions and hashes of a battle that two programs fight out.
async fn fought_by_programs(server: &Serving, body: Value) -> Vec<(String, String)> {
    let made = server.post("/api/games", body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["id"].as_str().unwrap().to_owned();
    let mut watcher = server.join(&id, None).await;
    while watcher.over.is_none() {
        watcher.hear().await.unwrap();
    }
    let text = server.get(&format!("/api/games/{id}/journal")).await;
    let entries = Journal::read(&text.body).unwrap().entries;
    entries.iter().map(|e| (e.action.to_string(), e.hash.to_string())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_seed_brings_the_same_battle_and_strangers_choose_none() {
    let server = Serving::start().await;
    let body = |seed: &str, level: &str| {
        json!({"ruleset": "toy", "scenario": "hill", "seed": seed,
            "seats": [{"kind": "program:random"}, {"kind": level}]})
    };
    for level in ["program:random", "program:subaltern", "program:general:3it"] {
        let one = fought_by_programs(&server, body("7", level)).await;
        assert_eq!(one, fought_by_programs(&server, body("7", level)).await, "{level}");
        assert_ne!(one, fought_by_programs(&server, body("8", level)).await, "{level}");
    }
    // What is suggested is the same for whoever asks again.
    let wish = json!({"ruleset": "toy", "scenario": "hill", "seed": "5"});
    let mut suggested = Vec::new();
    for _ in 0..2 {
        let made = server.post("/api/games", wish.clone()).await.json();
        let mut both = server.join(made["id"].as_str().unwrap(), made["token"].as_str()).await;
        for id in 0..2 {
            suggested.push(both.ask(id, json!({"candidates": {"n": 30}})).await["candidates"].clone());
        }
    }
    assert!(suggested.iter().all(|s| *s == suggested[0] && s["list"].as_array().unwrap().len() > 3));
    // The dice of a battle that is gone on with.
    let first = fought(&server).await;
    let mut rolled = Vec::new();
    for seed in ["3", "3", "4"] {
        let path = format!("/api/games/{}/fork", first.id);
        let made = server.post(&path, json!({"n": 0, "seed": seed})).await.json();
        let id = made["id"].as_str().unwrap().to_owned();
        let mut client = server.join(&id, made["token"].as_str()).await;
        fight_out(&mut client, 4).await;
        let facts = server.get(&format!("/api/games/{id}")).await.json();
        assert_eq!(facts["seed_chosen"], true);
        rolled.push((facts["seed"].clone(), facts["ending"].clone(), facts["n"].clone()));
    }
    assert_eq!(rolled[0], rolled[1]);
    assert_ne!(rolled[0].0, rolled[2].0);

    // A server for strangers rolls its own dice, and its generals keep to the clock.
    let public = Serving::with(|c| c.chosen_seeds = false).await;
    let refused = public.post("/api/games", body("7", "program:random")).await;
    assert!(refused.text().contains("rolls its own dice"), "{}", refused.text());
    let tries = json!({"ruleset": "toy", "scenario": "hill",
        "seats": [{"kind": "me"}, {"kind": "program:general:3it"}]});
    let refused = public.post("/api/games", tries).await;
    assert!(refused.status == 422 && refused.text().contains("by the clock"), "{}", refused.text());
}
