//! Those who mean no good get a clear answer and change nothing; nobody hears another's secrets.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use std::time::Duration;

use crate::support::toy::SECRET_CARD;
use crate::support::{Client, Serving, http, patient};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tricorne_server::PageFile;
use tricorne_store::Store;

#[tokio::test(flavor = "multi_thread")]
async fn a_message_too_big_is_refused_clearly() {
    let server = Serving::start().await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    for size in [70 * 1024, 10 * 1024 * 1024] {
        let client = server.join(&game.id, Some(game.token(0))).await;
        let big = json!({"chat": {"text": "x".repeat(size)}}).to_string();
        // The server answers before it has read all of it.
        let (mut sink, mut stream) = client.socket.split();
        let sending = tokio::spawn(async move {
            let _ = sink.send(Message::text(big)).await;
        });
        let mut kinds = Vec::new();
        let code = loop {
            match patient(stream.next()).await {
                Some(Ok(Message::Text(text))) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    if let Some(refused) = value.get("refused") {
                        kinds.push(refused["kind"].as_str().unwrap().to_owned());
                    }
                }
                Some(Ok(Message::Close(frame))) => break frame.unwrap().code,
                Some(Ok(_)) => {}
                other => panic!("{size}: {other:?} after {kinds:?}"),
            }
        };
        assert_eq!((kinds, code), (vec!["too_big".to_owned()], CloseCode::Size));
        sending.abort();
    }
    // Just below the limit it is only a line of chat that is too long.
    let mut client = server.join(&game.id, Some(game.token(0))).await;
    let answer = client.ask(1, json!({"chat": {"text": "x".repeat(60 * 1024)}})).await;
    assert_eq!(answer["refused"]["kind"], "malformed");
    let answer = client.ask(2, json!({"legal": {}})).await;
    assert!(answer.get("legal").is_some());
    assert_eq!(client.n(), 0);

    // The same over HTTP.
    let body = vec![b' '; 10 * 1024 * 1024];
    let headers = [("content-type", "application/json")];
    let answer = http(server.address, "POST", "/api/games", &headers, Some(body)).await;
    assert_eq!((answer.status, answer.kind().as_str()), (413, "too_big"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_is_dammed_and_others_play_on() {
    let server = Serving::with(|c| {
        c.limits.messages_per_second = 20;
        c.limits.messages_burst = 50;
    })
    .await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut flood = server.join(&game.id, Some(game.token(0))).await;
    let mut other = server.join(&game.id, Some(game.token(0))).await;
    assert!(flood.ask(1, json!({"legal": {}})).await.get("legal").is_some());
    let flooding = tokio::spawn(async move {
        for _ in 0..20_000 {
            if !flood.try_say(json!({"legal": {}})).await {
                break;
            }
        }
        let (mut too_fast, mut answered) = (0, 0);
        while let Some(message) = flood.hear().await {
            too_fast += usize::from(message["refused"]["kind"] == "too_fast");
            answered += usize::from(message.get("legal").is_some());
        }
        (too_fast, answered)
    });
    let action = other.candidate(0).await;
    assert!(other.act(action).await.get("acted").is_some());
    let (too_fast, answered) = flooding.await.unwrap();
    assert!(too_fast >= 1, "nobody said it was too fast");
    assert!(answered < 200, "{answered} answers");
    // Whoever comes back is let in again.
    let again = server.join(&game.id, Some(game.token(0))).await;
    assert_eq!(again.n(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_who_reads_nothing_is_let_go_and_the_others_are_told() {
    let server = Serving::start().await;
    let game = server.new_game_of("toy", "long-hill", &["hotseat", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let blue = server.join(&game.id, Some(game.token(1))).await;
    while red.until("presence").await["seats"][1]["here"] != true {}
    // What is said to blue piles up: first in the pipe, then at the table, whose patience has an end.
    let mut here = true;
    let line = "\u{1F409}".repeat(500);
    for _ in 0..20_000 {
        if !here {
            break;
        }
        red.say(json!({"chat": {"text": line}})).await;
        loop {
            let message = red.hear().await.unwrap();
            if let Some(presence) = message.get("presence") {
                here = presence["seats"][1]["here"] == true;
            }
            if message.get("chat").is_some() || !here {
                break;
            }
        }
    }
    assert!(!here, "blue reads nothing and is still said to be here");
    drop(blue);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_requests_is_dammed() {
    let server = Serving::with(|c| {
        c.limits.requests_per_second = 1;
        c.limits.requests_burst = 20;
        c.limits.passwords_burst = 3;
    })
    .await;
    let mut kinds = Vec::new();
    for _ in 0..5 {
        let answer = server.post("/api/login", json!({"name": "anna", "password": "wrong wrong"})).await;
        kinds.push(answer.kind());
    }
    assert_eq!(kinds[..3], ["unauthorised", "unauthorised", "unauthorised"]);
    assert_eq!(kinds[4], "too_fast");
    let mut turned_away = 0;
    for _ in 0..30 {
        let answer = server.get("/api/nothing").await;
        if answer.kind() == "too_fast" {
            turned_away += 1;
            // Whoever asks on and on does not do so on one connection.
            assert_eq!(answer.header("connection").as_deref(), Some("close"));
        }
    }
    assert!(turned_away > 5, "{turned_away} of 30 were turned away");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_request_is_counted_like_one_and_talk_is_rationed() {
    let server = Serving::with(|c| {
        c.limits.messages_per_second = 20;
        c.limits.messages_burst = 50;
        c.limits.lines_per_second = 1;
        c.limits.lines_burst = 3;
        c.limits.hello = Duration::from_mins(1);
    })
    .await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut talker = server.join(&game.id, Some(game.token(0))).await;
    let mut refused = 0;
    for k in 0..10 {
        talker.say(json!({"id": 40, "chat": {"text": format!("line {k}")}})).await;
        talker.say(json!({"id": 41, "ping": {}})).await;
        loop {
            let message = talker.hear().await.unwrap();
            refused += usize::from(message["id"] == 40 && message["refused"]["kind"] == "too_fast");
            if message["id"] == 41 {
                break;
            }
        }
    }
    assert!((1..=7).contains(&refused), "{refused} lines were refused");
    // Neither frames that are no text nor pings go on for ever: the server ends it, and for no other reason.
    for frame in [Message::Binary(vec![1; 10].into()), Message::Ping(Vec::new().into())] {
        let url = format!("ws://{}/api/games/{}/live", server.address, game.id);
        let (mut socket, _) = tokio_tungstenite::connect_async(url).await.unwrap();
        for _ in 0..5_000 {
            if socket.send(frame.clone()).await.is_err() {
                break;
            }
        }
        while let Some(Ok(heard)) = socket.next().await {
            if let Message::Close(Some(end)) = heard {
                assert_eq!(end.reason.as_str(), "too many messages", "nobody minds {frame:?}");
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_seat_hears_anothers_secrets() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "link"]).await;
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let mut blue = server.join(&game.id, Some(game.token(1))).await;
    let mut watcher = server.join(&game.id, None).await;
    // Each draws cards and marches what is hidden.
    for round in 0..8 {
        let (active, other) = if red.yours() { (&mut red, &mut blue) } else { (&mut blue, &mut red) };
        let seat = active.state["seat"].as_u64().unwrap();
        let (unit, y) = if seat == 0 { ("Rhidden", 5.0) } else { ("Bhidden", 45.0) };
        if round % 2 == 0 {
            assert!(active.state["view"].to_string().contains(unit), "one's own hidden unit is not seen");
            active.act(json!({"march": {"unit": unit, "to": [if seat == 0 { 6.0 } else { 31.0 }, y]}})).await;
        }
        active.act(json!({"draw": {}})).await;
        let n = active.n();
        while other.n() < n {
            other.until("state").await;
        }
        while watcher.n() < n {
            watcher.until("state").await;
        }
    }
    // Who comes late, who comes back, who asks for the facts or the picture.
    let late = server.join(&game.id, None).await;
    let back = server.join(&game.id, Some(game.token(1))).await;
    let facts = server.get(&format!("/api/games/{}", game.id)).await.text();
    let listed = server.get("/api/games").await.text();
    // The replay of a battle that is not over tells what a spectator may know, at every moment of it.
    let replay = server.get(&format!("/api/games/{}/replay", game.id)).await;
    assert_eq!((replay.status, &replay.json()["seed"]), (200, &Value::Null));
    let mut looked_back = vec![replay.text()];
    for n in 0..=red.n() {
        let view = server.get(&format!("/api/games/{}/view?n={n}", game.id)).await;
        assert_eq!(view.status, 200);
        looked_back.push(view.text());
    }

    let store = Store::open(&server.url).await.unwrap();
    let seed = store.game(&game.id).await.unwrap().unwrap().seed;
    let own: Vec<String> = red.heard.iter().flat_map(|t| cards(t)).collect();
    assert!(!own.is_empty(), "red never heard of its own cards");
    for (who, heard) in [("watcher", &watcher.heard), ("late watcher", &late.heard), ("replay", &looked_back)]
    {
        for text in heard {
            assert!(!text.contains(SECRET_CARD), "{who} heard of a card: {text}");
            assert!(!text.contains("\"id\":\"Rhidden\""), "{who} saw what is hidden: {text}");
            assert!(!text.contains("\"id\":\"Bhidden\""), "{who} saw what is hidden: {text}");
        }
    }
    for (who, heard) in [("blue", &blue.heard), ("blue again", &back.heard)] {
        for text in heard {
            assert!(!text.contains("\"id\":\"Rhidden\""), "{who} saw what is hidden: {text}");
            let message: Value = serde_json::from_str(text).unwrap();
            for turned in message["events"]["turned"].as_array().into_iter().flatten() {
                if turned["seat"] == 0 {
                    assert!(!turned.to_string().contains(SECRET_CARD), "{who} heard of red's card: {turned}");
                }
            }
            let red_hand = &message["state"]["view"]["cards"][0]["up"];
            assert!(red_hand.is_null() || *red_hand == json!([]), "{who} sees red's hand");
        }
    }
    let everything = [&red.heard, &blue.heard, &watcher.heard, &late.heard, &back.heard, &looked_back];
    for text in everything.into_iter().flatten().chain([&facts, &listed]) {
        assert!(!text.contains(&seed), "the seed is out: {text}");
        assert!(!text.contains(game.token(0)) && !text.contains(game.token(1)), "a token is out: {text}");
    }
    // Only hashes of tokens are kept.
    for row in store.seats(&game.id).await.unwrap() {
        assert_eq!(row.token_hash.unwrap().len(), 64);
    }
    let folder = server.url.trim_start_matches("sqlite:");
    for file in [folder.to_owned(), format!("{folder}-wal")] {
        let bytes = std::fs::read(&file).unwrap_or_default();
        for token in [game.token(0), game.token(1)] {
            assert!(!bytes.windows(43).any(|w| w == token.as_bytes()), "a token is in {file}");
        }
    }
}

fn cards(text: &str) -> Vec<String> {
    text.match_indices(SECRET_CARD).map(|(i, _)| text[i..].chars().take(12).collect()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_at_one_screen_are_told_what_is_whose() {
    let server = Serving::start().await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut both = server.join(&game.id, Some(game.token(0))).await;
    assert_eq!(both.state["hidden"], true, "each side has a unit that the other does not know");
    let first = both.pending_seat().unwrap();
    both.act(json!({"draw": {}})).await;
    assert_eq!(both.state["seat"], 1 - first, "the table is seen from the seat that must decide");
    let drawn = both.heard.iter().find(|t| t.contains("\"holds\"")).expect("the card is told");
    let turned = serde_json::from_str::<Value>(drawn).unwrap()["events"]["turned"][0].clone();
    assert!(turned["draws"].to_string().contains(SECRET_CARD));
    assert_eq!(turned["draws_only"], json!([first]), "the card is for the eyes of who drew it");
    let holds = turned["events"].as_array().unwrap().iter().find(|e| e["what"] == "holds").unwrap().clone();
    assert_eq!(holds["only"], json!([first]));
    // While a program decides, the one who looked last looks on.
    let game = server.new_game_of("toy", "hill", &["hotseat", "hotseat"]).await;
    let mut both = server.join(&game.id, Some(game.token(0))).await;
    while both.pending_seat() != Some(1) {
        both.act(json!({"pass": {}})).await;
    }
    both.act(json!({"scout": {}})).await;
    assert_eq!(both.state["seat"], 1);
    // What is hidden from nobody at the screen is no reason to look away.
    both.act(json!({"pass": {}})).await;
    both.act(json!({"scout": {}})).await;
    assert_eq!(both.state["hidden"], false, "all is uncovered and nobody holds a card");
    let game = server.new_game_of("would-be-kings", "the-bordj", &["hotseat", "hotseat"]).await;
    let open = server.join(&game.id, Some(game.token(0))).await;
    assert_eq!(open.state["hidden"], false, "nothing is hidden under these rules");
    // One who holds one seat is told nothing about it.
    let game = server.new_game(&["me", "link"]).await;
    let one = server.join(&game.id, Some(game.token(0))).await;
    assert_eq!(one.state["hidden"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_open_their_own_seat_only() {
    let server = Serving::start().await;
    let one = server.new_game(&["me", "link"]).await;
    let two = server.new_game(&["me", "link"]).await;
    assert_ne!(one.token(0), one.token(1));
    // Another game's token, a token cut short, somebody's guess.
    for wrong in [two.token(0), &one.token(0)[..42], "guess"] {
        let mut client = server.connect(&one.id).await;
        client.say(json!({"hello": {"token": wrong}})).await;
        assert_eq!(client.until("refused").await["kind"], "unknown_token");
        // And still nothing is answered.
        client.say(json!({"legal": {}})).await;
        assert_eq!(client.until("refused").await["kind"], "hello_first");
    }
    let mut client = server.connect(&one.id).await;
    client.say(json!({"act": {"n": 0, "action": {"pass": {}}}})).await;
    assert_eq!(client.until("refused").await["kind"], "hello_first");
    client.hello(Some(one.token(1))).await;
    assert_eq!(client.state["your_seats"], json!([1]));
    let other = client.ask(1, json!({"look": {"seat": 0}})).await;
    assert_eq!(other["refused"]["kind"], "not_yours");
    // Two tokens on one connection are two seats.
    let mut both = server.connect(&one.id).await;
    both.say(json!({"hello": {"tokens": [one.token(0), one.token(1)]}})).await;
    both.until("state").await;
    assert_eq!(both.state["your_seats"], json!([0, 1]));
    both.say(json!({"look": {"seat": null}})).await;
    both.until("state").await;
    assert_eq!(both.state["view"]["seat"], Value::Null);
    // No such game.
    let mut lost = server.connect("nosuchgame").await;
    lost.say(json!({"hello": {}})).await;
    assert_eq!(lost.until("refused").await["kind"], "gone");
    assert_eq!(server.get("/api/games/nosuchgame").await.status, 404);
    // A battle behind closed doors.
    let body = json!({"ruleset": "toy", "scenario": "hill", "watch": false});
    let closed = server.post("/api/games", body).await.json();
    let mut watcher = server.connect(closed["id"].as_str().unwrap()).await;
    watcher.say(json!({"hello": {}})).await;
    assert_eq!(watcher.until("refused").await["kind"], "unknown_token");
}

#[tokio::test(flavor = "multi_thread")]
async fn open_seats_names_and_own_games() {
    let server = Serving::start().await;
    let game = server.new_game(&["me", "open"]).await;
    let listed = server.get("/api/games").await.json();
    assert_eq!(listed["open"][0]["id"], game.id.as_str());
    let mut red = server.join(&game.id, Some(game.token(0))).await;
    let path = format!("/api/games/{}/join", game.id);
    let joined = server.post(&path, json!({"seat": 1, "name": "Berta"})).await;
    assert_eq!(joined.status, 200, "{}", joined.text());
    assert_eq!(server.post(&path, json!({"seat": 1})).await.kind(), "taken");
    assert_eq!(server.post(&path, json!({"seat": 0})).await.kind(), "taken");
    assert_eq!(server.post(&path, json!({"seat": 9})).await.kind(), "not_found");
    while red.until("presence").await["seats"][1]["name"] != "Berta" {}
    let token = joined.json()["token"].as_str().unwrap().to_owned();
    let mut blue = server.join(&game.id, Some(&token)).await;
    blue.say(json!({"chat": {"text": "Good evening"}})).await;
    let said = red.until("chat").await;
    assert_eq!(
        (&said["lines"][0]["name"], &said["lines"][0]["text"]),
        (&json!("Berta"), &json!("Good evening"))
    );

    // A name and a password.
    let made = server.post("/api/register", json!({"name": "Anna", "password": "correct horse"})).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let cookie = made.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap().to_owned();
    assert_eq!(
        server.post("/api/register", json!({"name": "ANNA", "password": "other horse"})).await.kind(),
        "taken"
    );
    assert_eq!(
        server.post("/api/register", json!({"name": "Bo", "password": "short"})).await.kind(),
        "refused"
    );
    assert_eq!(
        server.post("/api/login", json!({"name": "Anna", "password": "wrong horse"})).await.status,
        401
    );
    assert_eq!(
        server.post("/api/login", json!({"name": "nobody", "password": "wrong horse"})).await.status,
        401
    );
    assert_eq!(
        server.post("/api/login", json!({"name": "anna", "password": "correct horse"})).await.status,
        200
    );
    let json_type = ("content-type", "application/json");
    let claim = |cookie: String, token: String| {
        let (address, id) = (server.address, game.id.clone());
        async move {
            let body = json!({"token": token}).to_string().into_bytes();
            let headers = [json_type, ("cookie", cookie.as_str())];
            http(address, "POST", &format!("/api/games/{id}/claim"), &headers, Some(body)).await
        }
    };
    assert_eq!(claim(cookie.clone(), "guess".into()).await.kind(), "not_yours");
    assert_eq!(claim("a=b".into(), game.token(0).into()).await.kind(), "unauthorised");
    assert_eq!(claim(cookie.clone(), game.token(0).into()).await.json()["seats"], json!([0]));
    // Whoever sits down at the same browser after her, or was sent her link, does not get her seat by it.
    let made = server.post("/api/register", json!({"name": "Berta", "password": "correct horse"})).await;
    let other = made.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(claim(other.clone(), game.token(0).into()).await.kind(), "not_yours");
    let hers = http(server.address, "GET", "/api/games", &[("cookie", &other)], None).await.json();
    assert_eq!(hers["mine"], json!([]));
    let mine = http(server.address, "GET", "/api/games", &[("cookie", &cookie)], None).await.json();
    assert_eq!(mine["mine"][0]["id"], game.id.as_str());

    // The cookie alone opens the seat.
    let url = format!("ws://{}/api/games/{}/live", server.address, game.id);
    let mut request = url.clone().into_client_request().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    let (socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    let mut anna = Client { socket, state: Value::Null, heard: Vec::new(), over: None };
    anna.hello(None).await;
    assert_eq!(anna.state["your_seats"], json!([0]));
    // But not from a page of another site.
    let mut request = url.into_client_request().unwrap();
    request.headers_mut().insert("cookie", cookie.parse().unwrap());
    request.headers_mut().insert("origin", "https://evil.example".parse().unwrap());
    assert!(tokio_tungstenite::connect_async(request).await.is_err());

    http(server.address, "POST", "/api/logout", &[("cookie", &cookie)], None).await;
    let about = http(server.address, "GET", "/api/about", &[("cookie", &cookie)], None).await.json();
    assert_eq!(about["user"], Value::Null);
    // The password is kept as its argon2 hash.
    let store = Store::open(&server.url).await.unwrap();
    assert!(store.user("anna").await.unwrap().unwrap().password.starts_with("$argon2id$"));
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_wishes_are_explained() {
    let server = Serving::start().await;
    for (body, says) in [
        (json!({}), "no rules"),
        (json!({"ruleset": "chess"}), "no rules `chess`"),
        (json!({"ruleset": "toy"}), "either `scenario`"),
        (json!({"ruleset": "toy", "scenario": "x"}), "no scenario `x`"),
        (json!({"ruleset": "toy", "text": "turns = \"many\""}), "scenario.toml:1"),
        (json!({"ruleset": "toy", "scenario": "hill", "options": {"fogg": "on"}}), "did you mean `fog`"),
        (json!({"ruleset": "toy", "scenario": "hill", "seats": [{"kind": "me"}]}), "2 seats (Red, Blue)"),
        (json!({"ruleset": "toy", "scenario": "hill", "seats": [{"kind": "me"}, {"kind": "cat"}]}), "`cat`"),
        (
            json!({"ruleset": "toy", "scenario": "hill", "seats": [{"kind": "me"}, {"kind": "program:god"}]}),
            "`god`",
        ),
        (json!({"ruleset": "toy", "scenario": "hill", "seatz": []}), "seatz"),
        (json!({"ruleset": "toy", "scenario": "hill", "clock": {"seconds": 0}}), "clock"),
        (json!({"ruleset": "toy", "scenario": "hill", "seed": "abc"}), "seed"),
    ] {
        let answer = server.post("/api/games", body.clone()).await;
        assert!((400..500).contains(&answer.status), "{body}: {}", answer.status);
        assert!(answer.text().contains(says), "{body}: {}", answer.text());
    }
    // No form of another site gets in.
    let answer =
        http(server.address, "POST", "/api/games", &[("content-type", "text/plain")], Some(b"{}".to_vec()))
            .await;
    assert_eq!(answer.status, 400);
    // A name pointed here from outside does not either.
    let evil = http_host(server.address, "evil.example").await;
    assert!(evil.contains("403"), "{evil}");
}

async fn http_host(address: std::net::SocketAddr, host: &str) -> String {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let head = format!("GET /api/about HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rest_of_the_house() {
    // `march();`, packed.
    const SCRIPT: &[u8] = &[
        31, 139, 8, 0, 0, 0, 0, 0, 2, 255, 203, 77, 44, 74, 206, 208, 208, 180, 6, 0, 126, 50, 244, 166, 8,
        0, 0, 0,
    ];
    let server = Serving::with(|c| {
        c.page = |path| match path {
            "index.html" => Some(PageFile { bytes: b"<!doctype html><title>page</title>", packed: false }),
            "assets/a.js" => Some(PageFile { bytes: SCRIPT, packed: true }),
            _ => None,
        };
        c.picture = Some(|view, _| {
            format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><title>{}</title></svg>", view.title)
        });
    })
    .await;
    let page = server.get("/game/abc").await;
    assert!(page.text().contains("<title>page"));
    assert!(page.header("content-security-policy").unwrap().contains("default-src 'none'"));
    assert!(!page.header("content-security-policy").unwrap().contains("unsafe"));
    assert_eq!(page.header("x-content-type-options").unwrap(), "nosniff");
    let script = server.get("/assets/a.js").await;
    assert!(script.header("cache-control").unwrap().contains("immutable"));
    assert_eq!((script.text(), script.header("content-encoding")), ("march();".to_owned(), None));
    let packed = http(server.address, "GET", "/assets/a.js", &[("accept-encoding", "gzip")], None).await;
    assert_eq!((&packed.body[..], packed.header("content-encoding").as_deref()), (SCRIPT, Some("gzip")));
    assert_eq!(packed.header("etag"), script.header("etag"));
    assert_eq!(server.get("/assets/b.js").await.status, 404);
    assert_eq!(server.get("/api/nothing").await.kind(), "not_found");

    let rulesets = server.get("/api/rulesets").await.json();
    assert_eq!((&rulesets[0]["id"], &rulesets[0]["options"][0]["id"]), (&json!("toy"), &json!("fog")));
    let scenarios = server.get("/api/scenarios?ruleset=toy").await.json();
    assert_eq!(scenarios.as_array().unwrap().len(), 2);
    assert_eq!(server.get("/api/scenarios?ruleset=none").await.json(), json!([]));
    assert_eq!(server.get("/api/scenarios/toy/hill").await.json()["view"]["title"], "The Hill");
    assert!(server.get("/api/scenarios/toy/hill/picture.svg").await.text().contains("<svg"));
    assert_eq!(server.get("/api/rules/toy/toy-fire-01").await.json()["id"], "TOY-FIRE-01");
    assert_eq!(server.get("/api/rules/toy/TOY-X-9").await.status, 404);
    assert!(server.get("/api/schema/toy").await.json()["action"].to_string().contains("march"));
    let schema = server.get("/api/schema").await.json();
    for word in ["take_back", "candidates", "hello"] {
        assert!(schema["client"].to_string().contains(word));
    }
    assert!(schema["server"].to_string().contains("UnitView"));
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let picture = server.get(&format!("/api/games/{}/picture.svg", game.id)).await;
    assert_eq!(picture.header("content-type").unwrap(), "image/svg+xml");

    // The description names every request and leaves no reference open.
    let api = server.get("/api/openapi.json").await.json();
    assert_eq!(api["openapi"], "3.1.0");
    assert!(api["paths"].as_object().unwrap().len() >= 20);
    let text = api.to_string();
    for (i, _) in text.match_indices("\"$ref\":\"#/components/schemas/") {
        let name = text[i + 29..].split('"').next().unwrap();
        assert!(api["components"]["schemas"].get(name).is_some(), "{name} is not described");
    }

    let bare = Serving::start().await;
    assert!(bare.get("/").await.text().contains("built without its page"));
}
