//! Whole battles over the wire, and everything that can go wrong on the way.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use crate::support::{Client, Jumps, Serving};
use serde_json::{Value, json};
use tricorne_game::journal::Journal;

/// Two clients fight it out; returns how many actions it took.
async fn fight(red: &mut Client, blue: &mut Client, seed: u64) -> u64 {
    let mut jumps = Jumps(seed);
    while red.over.is_none() {
        let (active, other) = if red.yours() { (&mut *red, &mut *blue) } else { (&mut *blue, &mut *red) };
        assert!(active.yours());
        let action = active.candidate(jumps.next()).await;
        let answer = active.act(action).await;
        assert!(answer.get("acted").is_some(), "{answer}");
        let n = active.n();
        while other.n() < n {
            other.until("state").await;
        }
        if active.state["pending"].get("over").is_some() {
            active.until("over").await;
            other.until("over").await;
        }
    }
    red.n()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_battle_by_two_clients_and_its_journal() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let facts = server.get(&format!("/api/games/{}", game.id)).await.json();
    let commitment = facts["commitment"].as_str().unwrap().to_owned();
    assert_eq!(facts["seed"], Value::Null);

    // The journal holds the seed: not before the end.
    for path in ["journal", "view?n=0&seat=0"] {
        let answer = server.get(&format!("/api/games/{}/{path}", game.id)).await;
        assert_eq!((answer.status, answer.kind().as_str()), (403, "not_finished"), "{path}");
    }
    let fork = server.post(&format!("/api/games/{}/fork", game.id), json!({"n": 0})).await;
    assert_eq!(fork.kind(), "not_finished");

    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    let actions = fight(&mut red, &mut blue, 5).await;

    // The seed is out and is what was promised.
    let over = red.over.clone().unwrap();
    assert_eq!(over["commitment"], commitment.as_str());
    let facts = server.get(&format!("/api/games/{}", game.id)).await.json();
    assert_eq!(facts["status"], "finished");
    assert_eq!(facts["seed"], over["seed"]);

    let text = server.get(&format!("/api/games/{}/journal", game.id)).await;
    assert_eq!(text.status, 200);
    let journal = Journal::read(&text.body).unwrap();
    assert_eq!(journal.entries.len() as u64, actions);
    journal.replay(&crate::support::toy::Toy, None).unwrap();

    // The replay page's facts.
    let replay = server.get(&format!("/api/games/{}/replay", game.id)).await.json();
    assert_eq!(replay["seed_fits"], true);
    let moments = replay["moments"].as_array().unwrap();
    assert_eq!(moments.len() as u64, actions + 1);
    assert_eq!(moments[0]["strength"], json!([[18, 3], [18, 3]]));
    let view = server.get(&format!("/api/games/{}/view?n=3&seat=1", game.id)).await.json();
    assert_eq!(view["seat"], 1);
    assert_eq!(server.get(&format!("/api/games/{}/view?n=99999", game.id)).await.kind(), "not_found");

    // A finished battle refuses actions.
    let answer = red.ask(1, json!({"act": {"n": actions, "action": {"pass": {}}}})).await;
    assert_eq!(answer["refused"]["kind"], "over");

    // The journal goes up again, and on from a moment of it.
    let up = crate::support::http(
        server.address,
        "POST",
        "/api/journals",
        &[("content-type", "text/plain")],
        Some(text.body.clone()),
    )
    .await;
    assert_eq!(up.status, 201, "{}", up.text());
    let brought = up.json();
    assert_eq!(brought["actions"], actions);
    let id = brought["id"].as_str().unwrap();
    let made = server.post(&format!("/api/games/{id}/fork"), json!({"n": 4})).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let made = made.json();
    let mut both = server.join(made["id"].as_str().unwrap(), made["token"].as_str()).await;
    assert_eq!(both.n(), 4);
    assert_eq!(both.state["your_seats"], json!([0, 1]));
    let action = both.candidate(1).await;
    assert!(both.act(action).await.get("acted").is_some());
    // Its dice are its own: the seed that is known by now tells nothing of them.
    let facts = server.get(&format!("/api/games/{}", made["id"].as_str().unwrap())).await.json();
    assert_ne!(facts["commitment"], commitment.as_str());
    assert_eq!(facts["forked_from"], json!({"game": id, "n": 4}));

    // A journal with one byte changed, or cut, is refused.
    let mut altered = text.body.clone();
    let place = altered.windows(6).rposition(|w| w == b"\"hash\"").unwrap() + 8;
    altered[place] = if altered[place] == b'0' { b'1' } else { b'0' };
    for bad in [altered, text.body[..text.body.len() / 2].to_vec(), b"hello".to_vec()] {
        let answer = crate::support::http(server.address, "POST", "/api/journals", &[], Some(bad)).await;
        assert_eq!(answer.kind(), "unverified", "{}", answer.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_whole_battle_under_real_rules() {
    let server = Serving::start().await;
    let scenario = server.get("/api/scenarios?ruleset=would-be-kings").await.json()[0].clone();
    let seats = vec!["link"; scenario["seats"].as_array().unwrap().len()];
    let game = server.new_game_of("would-be-kings", scenario["id"].as_str().unwrap(), &seats).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    let actions = fight(&mut red, &mut blue, 11).await;
    let text = server.get(&format!("/api/games/{}/journal", game.id)).await;
    let journal = Journal::read(&text.body).unwrap();
    assert_eq!(journal.entries.len() as u64, actions);
    journal.replay(&tricorne_rules_would_be_kings::WouldBeKings, None).unwrap();
    let replay = server.get(&format!("/api/games/{}/replay", game.id)).await.json();
    assert_eq!(replay["moments"].as_array().unwrap().len() as u64, actions + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_comes_back_to_exactly_where_it_was() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    let mut jumps = Jumps(3);
    for _ in 0..12 {
        let (active, other) = if red.yours() { (&mut red, &mut blue) } else { (&mut blue, &mut red) };
        let action = active.candidate(jumps.next()).await;
        active.act(action).await;
        let n = active.n();
        while other.n() < n {
            other.until("state").await;
        }
    }
    let before = blue.state.clone();
    drop(blue.socket);
    // The others see that blue has gone, and that blue is back.
    while red.until("presence").await["seats"][1]["here"] != false {}
    let mut again = server.connect(&game.id).await;
    again.say(json!({"hello": {"token": game.token(1), "since": 10}})).await;
    let events = again.until("events").await;
    assert_eq!((events["from"].as_u64(), events["to"].as_u64()), (Some(10), Some(12)));
    assert_eq!(events["turned"].as_array().unwrap().len(), 2);
    again.until("state").await;
    assert_eq!(again.state, before);
    while red.until("presence").await["seats"][1]["here"] != true {}
}

#[tokio::test(flavor = "multi_thread")]
async fn stale_double_foreign_and_wrong_actions_change_nothing() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut tab = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    let mut watcher = server.join(&game.id, None).await;
    if blue.yours() {
        blue.act(json!({"pass": {}})).await;
        for c in [&mut red, &mut tab, &mut watcher] {
            c.until("state").await;
        }
    }
    let n = red.n();

    // The other seat's decision.
    let answer = blue.ask(1, json!({"act": {"n": n, "action": {"pass": {}}}})).await;
    assert_eq!((&answer["refused"]["kind"], &answer["refused"]["seat"]), (&json!("not_yours"), &json!(0)));
    for ask in ["legal", "candidates", "check", "preview", "odds"] {
        let body = match ask {
            "legal" => json!({}),
            "candidates" => json!({"n": 3}),
            _ => json!({"action": {"pass": {}}}),
        };
        let answer = blue.ask(2, json!({ask: body})).await;
        assert_eq!(answer["refused"]["kind"], "not_yours", "{ask}");
    }
    // A spectator's.
    let answer = watcher.ask(1, json!({"act": {"n": n, "action": {"pass": {}}}})).await;
    assert_eq!(answer["refused"]["kind"], "spectator");
    // No action of this system; one that is not legal.
    let answer = red.ask(1, json!({"act": {"n": n, "action": {"fly": {}}}})).await;
    assert_eq!(answer["refused"]["kind"], "malformed");
    let answer =
        red.ask(2, json!({"act": {"n": n, "action": {"march": {"unit": "R1", "to": [48.0, 48.0]}}}})).await;
    assert_eq!(
        (&answer["refused"]["kind"], &answer["refused"]["clause"]),
        (&json!("illegal"), &json!("TOY-MOVE-02"))
    );
    let answer = red.ask(3, json!({"check": {"action": {"march": {"unit": "B1", "to": [1.0, 1.0]}}}})).await;
    assert_eq!(answer["refused"]["clause"], "TOY-TURN-02");
    // Words nobody understands.
    for bad in ["", "{", "[]", "{\"act\": {}}", "{\"legal\": {}, \"check\": {}}", "{\"dance\": {}}", "null"] {
        red.socket_text(bad).await;
        assert_eq!(red.until("refused").await["kind"], "malformed", "{bad}");
    }
    // A double click, and a second tab: one is taken, the rest are stale.
    let act = |id: u64| json!({"id": id, "act": {"n": n, "action": {"pass": {}}}});
    red.say(act(10)).await;
    red.say(act(11)).await;
    assert!(red.answer(10).await.get("acted").is_some());
    assert_eq!(red.answer(11).await["refused"]["kind"], "stale");
    tab.say(act(12)).await;
    assert_eq!(tab.answer(12).await["refused"]["kind"], "stale");
    // A number from the future.
    let answer = red.ask(13, json!({"act": {"n": n + 5, "action": {"pass": {}}}})).await;
    assert_eq!(answer["refused"]["kind"], "stale");
    // Everybody is where the battle is, and it went on by one.
    let facts = server.get(&format!("/api/games/{}", game.id)).await.json();
    assert_eq!(facts["n"], n + 1);
    assert_eq!(tab.n(), n + 1);
}

impl Client {
    async fn socket_text(&mut self, text: &str) {
        use futures_util::SinkExt;
        self.socket.send(tokio_tungstenite::tungstenite::Message::text(text.to_owned())).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_action_is_taken_back_until_a_die_a_card_or_a_discovery_is_out() {
    let server = Serving::start().await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut both = server.join(&game.id, Some(game.token(0))).await;
    assert_eq!(both.state["your_seats"], json!([0, 1]));
    let seat = both.pending_seat().unwrap();
    assert_eq!(both.state["seat"], seat);
    let (unit, enemy) = if seat == 0 { ("R1", "B1") } else { ("B1", "R1") };
    let before = both.state["view"].clone();

    assert_eq!(both.ask(1, json!({"take_back": {"n": 0}})).await["refused"]["kind"], "no_take_back");
    let y = if seat == 0 { 12.0 } else { 38.0 };
    both.act(json!({"march": {"unit": unit, "to": [11.0, y]}})).await;
    assert_eq!(both.state["can_take_back"], true);
    assert_ne!(both.state["view"], before);
    assert_eq!(both.ask(2, json!({"take_back": {"n": 7}})).await["refused"]["kind"], "stale");
    both.say(json!({"take_back": {"n": 1}})).await;
    assert_eq!(both.until("taken_back").await, json!({"n": 0, "seat": seat}));
    both.until("state").await;
    assert_eq!(both.state["view"], before);
    assert_eq!((both.n(), &both.state["take_backs"]), (0, &json!(1)));
    // An answer to what was before the take-back is stale if it says so.
    let late = both.ask(3, json!({"act": {"n": 0, "take_backs": 0, "action": {"pass": {}}}})).await;
    assert_eq!(late["refused"]["kind"], "stale");

    // Scouting finds what was hidden: no way back.
    both.act(json!({"scout": {}})).await;
    assert_eq!(both.ask(4, json!({"take_back": {"n": 1}})).await["refused"]["kind"], "no_take_back");
    assert_eq!(both.n(), 1);
    // A die is out.
    both.act(json!({"fire": {"unit": unit, "at": enemy}})).await;
    assert_eq!(both.state["can_take_back"], false);
    assert_eq!(both.ask(5, json!({"take_back": {"n": 2}})).await["refused"]["kind"], "no_take_back");

    // Not the other's.
    let game = server.new_game(&["me", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    let (active, other) = if red.yours() { (&mut red, &mut blue) } else { (&mut blue, &mut red) };
    active.act(json!({"pass": {}})).await;
    other.until("state").await;
    assert_eq!(other.ask(1, json!({"take_back": {"n": 1}})).await["refused"]["kind"], "no_take_back");
    // But one's own, though the other must decide already.
    let seat = active.state["your_seats"][0].clone();
    let answer = active.ask(9, json!({"take_back": {"n": 1}})).await;
    assert_eq!(
        answer,
        json!({"id": 9, "taken_back": {"n": 0, "seat": seat}}),
        "who asks with a number is answered with it"
    );
    assert_eq!(other.until("taken_back").await, json!({"n": 0, "seat": seat}));
    // It is kept like that.
    assert_eq!(server.get(&format!("/api/games/{}", game.id)).await.json()["n"], 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_add_up_to_the_whole_view() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "program:random"]).await;
    let mut full = server.join(&game.id, Some(game.token(0))).await;
    let mut lean = server.connect(&game.id).await;
    lean.say(json!({"hello": {"token": game.token(0), "views": "changes"}})).await;
    lean.until("state").await;
    let mut none = server.connect(&game.id).await;
    none.say(json!({"hello": {"token": game.token(0), "views": "none"}})).await;
    none.until("state").await;
    assert_eq!(none.state["view"], Value::Null);
    let mut view = lean.state["view"].clone();
    let mut jumps = Jumps(8);
    let mut seen = lean.n();
    while full.over.is_none() {
        if full.yours() {
            let action = full.candidate(jumps.next()).await;
            let n = full.n();
            full.say(json!({"act": {"n": n, "action": action}})).await;
        }
        full.until("state").await;
        while seen < full.n() {
            lean.until("state").await;
            seen = lean.n();
            let state = &lean.state;
            if state["view"].is_null() {
                merge(&mut view, &state["changes"]);
            } else {
                view = state["view"].clone();
            }
        }
        if seen == full.n() {
            assert_eq!(view, full.state["view"]);
        }
        if full.state["pending"].get("over").is_some() {
            full.until("over").await;
        }
    }
    assert!(full.n() > 20);
}

fn merge(view: &mut Value, changes: &Value) {
    for (key, new) in changes.as_object().unwrap() {
        match key.as_str() {
            "units" => {
                let units = view["units"].as_array_mut().unwrap();
                for unit in new.as_array().unwrap() {
                    match units.iter_mut().find(|u| u["id"] == unit["id"]) {
                        Some(old) => *old = unit.clone(),
                        None => units.push(unit.clone()),
                    }
                }
            }
            "units_order" => {}
            key => view[key] = new.clone(),
        }
    }
    if let Some(order) = changes.get("units_order").and_then(Value::as_array) {
        let units = view["units"].as_array().unwrap().clone();
        let sorted = order.iter().map(|id| units.iter().find(|u| u["id"] == *id).unwrap().clone());
        view["units"] = Value::Array(sorted.collect());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_play_each_other_to_the_end() {
    let server = Serving::start().await;
    let game = server.new_game(&["program:random", "program:random"]).await;
    let mut watcher = server.join(&game.id, None).await;
    while watcher.over.is_none() {
        watcher.hear().await.unwrap();
    }
    assert_eq!(server.get(&format!("/api/games/{}", game.id)).await.json()["status"], "finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_battle_put_away_is_taken_up_again() {
    let server = Serving::with(|c| {
        c.limits.idle = std::time::Duration::from_millis(50);
        c.limits.linger = std::time::Duration::from_millis(50);
        c.instruments = Some(([127, 0, 0, 1], 0).into());
    })
    .await;
    let put_away = async || server.reads("tricorne_battles_put_away_total").await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut before = put_away().await;
    let mut both = server.join(&game.id, Some(game.token(0))).await;
    let mut jumps = Jumps(2);
    for i in 0..10 {
        // It is put away under us every other time: some time after it was asked for last, on a slow machine at once.
        crate::support::until(async || i % 2 == 1 || put_away().await > before).await;
        before = put_away().await;
        let action = both.candidate(jumps.next()).await;
        assert!(both.act(action).await.get("acted").is_some());
    }
    let before = both.state.clone();
    drop(both);
    crate::support::until(async || server.reads("tricorne_tables").await == 0.0).await;
    let again = server.join(&game.id, Some(game.token(0))).await;
    assert_eq!(again.state, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn odds_are_counted_by_the_rules_that_roll() {
    let server = Serving::start().await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut both = server.join(&game.id, Some(game.token(0))).await;
    let (unit, enemy) = if both.pending_seat() == Some(0) { ("R1", "B1") } else { ("B1", "R1") };
    let answer = both.ask(1, json!({"odds": {"action": {"fire": {"unit": unit, "at": enemy}}}})).await;
    let line = &answer["odds"]["lines"][0];
    assert_eq!(line["what"], "fire");
    let ways = line["ways"].as_array().unwrap();
    assert_eq!(ways.len(), 4);
    assert!((ways[0]["p"].as_f64().unwrap() - 8.0 / 27.0).abs() < 1e-12);
    assert_eq!(
        (&answer["odds"]["samples"], &ways[0]["give"]),
        (&Value::Null, &json!(0.0)),
        "counted, not sampled"
    );
    // A way over the table is answered too; who is hidden on it is told by none of it.
    let march =
        json!({"march": {"unit": unit, "to": if unit == "R1" { [10.0, 11.0] } else { [10.0, 39.0] }}});
    let march = both.ask(2, json!({"odds": {"action": march}})).await;
    assert_eq!(march["odds"]["lines"][0]["what"], "march");
    assert!(!march.to_string().contains("hidden"), "{march}");
    assert_eq!(both.n(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_seat_out_of_time_is_played_on() {
    let server = Serving::start().await;
    let body = json!({"ruleset": "toy", "scenario": "hill", "seats": [{"kind": "hotseat"}, {"kind": "hotseat"}],
        "clock": {"seconds": 1, "increment": 0}});
    let made = server.post("/api/games", body).await.json();
    let mut both = server.join(made["id"].as_str().unwrap(), made["token"].as_str()).await;
    assert_eq!(both.state["clock"], json!({"left": [1000, 1000], "running": null}));
    both.act(json!({"pass": {}})).await;
    both.act(json!({"pass": {}})).await;
    assert!(!both.state["clock"]["running"].is_null());
    // Then nothing is done: first one seat and then the other is played by a program, to the end.
    while both.over.is_none() {
        both.hear().await.unwrap();
    }
}
