//! Ratings, pairings, and a program that plays under a name of its own through nothing but what is described.

use crate::support::{Serving, http, patient};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_with_a_token_plays_and_is_rated() {
    let server = Serving::start().await;
    let made = server.post("/api/register", json!({"name": "Hussar Bot", "password": "correct horse"})).await;
    let cookie = made.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    let ask = async |path: &str, headers: &[(&str, &str)], body: Value| {
        let headers: Vec<(&str, &str)> = headers.iter().copied().chain([JSON]).collect();
        http(server.address, "POST", path, &headers, Some(body.to_string().into_bytes())).await
    };
    assert_eq!(ask("/api/tokens", &[], json!({"days": 30})).await.status, 401);
    assert_eq!(ask("/api/tokens", &[("cookie", &cookie)], json!({"days": 4000})).await.status, 422);
    let token = ask("/api/tokens", &[("cookie", &cookie)], json!({"days": 30})).await.json();
    let bearer = format!("Bearer {}", token["token"].as_str().unwrap());
    let auth = [("authorization", bearer.as_str())];
    let about = http(server.address, "GET", "/api/about", &auth, None).await.json();
    assert_eq!(about["user"]["name"], "Hussar Bot");

    // It makes a game against a program and plays it to its end, without the seat's own token.
    let wish =
        json!({"ruleset": "toy", "scenario": "hill", "seats": [{"kind": "me"}, {"kind": "program:random"}]});
    let game = ask("/api/games", &auth, wish).await.json()["id"].as_str().unwrap().to_owned();
    let mut request = format!("ws://{}/api/games/{game}/live", server.address).into_client_request().unwrap();
    request.headers_mut().insert("authorization", bearer.parse().unwrap());
    let (mut socket, _) = tokio_tungstenite::connect_async(request).await.unwrap();
    socket.send(Message::text(json!({"hello": {"views": "none"}}).to_string())).await.unwrap();
    loop {
        let Message::Text(text) = patient(socket.next()).await.unwrap().unwrap() else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        if message.get("over").is_some() {
            break;
        }
        if message["state"]["yours"] == true {
            let act = json!({"act": {"n": message["state"]["n"], "action": {"pass": {}}}});
            socket.send(Message::text(act.to_string())).await.unwrap();
        }
    }
    let board = server.get("/api/ratings/toy").await.json();
    let names: Vec<&str> =
        board["list"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"hussar bot") && names.contains(&"program:random"), "{board}");
    assert_eq!(server.get("/api/ratings/toy?to=5").await.json()["list"], json!([]));
    assert_eq!(server.get("/api/ratings/chess").await.status, 404);

    // The token is one of its sessions, and ends with them.
    let ended = ask("/api/sessions/end", &[("cookie", &cookie)], json!({})).await;
    assert_eq!(ended.status, 200, "{}", ended.text());
    assert_eq!(http(server.address, "GET", "/api/about", &auth, None).await.json()["user"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_is_paired() {
    let server = Serving::start().await;
    let evening = json!({"way": "swiss", "players": ["a", "b", "c", "d", "e"]});
    let round = server.post("/api/pairings", evening).await.json();
    assert_eq!(round["pairs"].as_array().unwrap().len(), 3);
    for (rounds, says) in [
        (json!([[{"first": "a", "second": "z"}]]), "`z`"),
        (json!([[{"first": "a", "second": "b", "winner": "c"}]]), "did not play"),
    ] {
        let wish = json!({"way": "swiss", "players": ["a", "b", "c"], "rounds": rounds});
        let answer = server.post("/api/pairings", wish).await;
        assert!(answer.status == 422 && answer.text().contains(says), "{}", answer.text());
    }
    let twins = server.post("/api/pairings", json!({"way": "round_robin", "players": ["a", "a"]})).await;
    assert_eq!(twins.status, 422);
}

/// Somebody with a name, and what they ask with it.
struct Member<'a> {
    server: &'a Serving,
    cookie: String,
}

impl<'a> Member<'a> {
    async fn register(server: &'a Serving, name: &str) -> Self {
        let made = server.post("/api/register", json!({"name": name, "password": "correct horse"})).await;
        assert_eq!(made.status, 200, "{}", made.text());
        let cookie = made.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
        Self { server, cookie }
    }

    async fn post(&self, path: &str, body: Value) -> crate::support::Answer {
        let headers = [("cookie", self.cookie.as_str()), JSON];
        http(self.server.address, "POST", path, &headers, Some(body.to_string().into_bytes())).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_evening_is_kept_from_its_first_round_to_its_table() {
    let server = Serving::start().await;
    let (anna, bob) = (Member::register(&server, "Anna").await, Member::register(&server, "Bob").await);
    let office = tricorne_server::Office::open(&server.url).await.unwrap();
    let season = office.add_season("Autumn 2026", "toy", 0, i64::MAX / 2).await.unwrap();
    assert_eq!(season, "autumn-2026");
    assert!(office.add_season("Autumn, 2026!", "toy", 0, 1).await.is_err(), "it is there already");
    assert!(office.add_season("Spring", "toy", 5, 5).await.is_err());

    let wish = json!({"title": "Tuesday", "way": "swiss", "players": ["Anna", "Bob", "Carl", "Dora"], "season": season});
    let unknown = server.post("/api/evenings", wish.clone()).await;
    assert_eq!((unknown.status, unknown.json()["error"]["kind"].clone()), (401, json!("unauthorised")));
    for (wrong, says) in [
        (json!({"title": "", "way": "swiss", "players": ["a", "b"]}), "title"),
        (json!({"title": "T", "way": "swiss", "players": ["a", "a"]}), "same name"),
        (json!({"title": "T", "way": "swiss", "players": ["a", ""]}), "no name"),
        (json!({"title": "T", "way": "swiss", "players": ["a", "b"], "season": "none"}), "/api/seasons"),
    ] {
        let answer = anna.post("/api/evenings", wrong).await;
        assert!(answer.status == 422 && answer.text().contains(says), "{}", answer.text());
    }
    let made = anna.post("/api/evenings", wish).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["evening"]["id"].as_str().unwrap().to_owned();
    let at = |what: &str| format!("/api/evenings/{id}/{what}");

    // Only whoever keeps it changes it; anybody looks on.
    assert_eq!(bob.post(&at("round"), json!({})).await.status, 403);
    let first = anna.post(&at("round"), json!({})).await.json();
    let pairs = first["rounds"][0].as_array().unwrap().clone();
    assert_eq!(pairs.len(), 2);
    assert_eq!(anna.post(&at("round"), json!({})).await.status, 409, "the first round is not over");

    // One game is entered by hand, the other fought out on the server.
    let name = |pair: &Value, key: &str| pair[key].as_str().unwrap().to_owned();
    let result = json!({"round": 1, "player": name(&pairs[1], "first"), "winner": name(&pairs[1], "second")});
    assert_eq!(anna.post(&at("result"), result).await.status, 200);
    let wrong = json!({"round": 1, "player": name(&pairs[1], "first"), "winner": name(&pairs[0], "first")});
    assert_eq!(anna.post(&at("result"), wrong).await.status, 422);
    let seats = json!([{"kind": "link", "name": name(&pairs[0], "first")}, {"kind": "link", "name": name(&pairs[0], "second")}]);
    let game =
        server.post("/api/games", json!({"ruleset": "toy", "scenario": "hill", "seats": seats})).await.json();
    let link = json!({"round": 1, "player": name(&pairs[0], "first"), "game": game["id"]});
    let linked = anna.post(&at("result"), link).await;
    assert_eq!(linked.status, 200, "{}", linked.text());
    assert_eq!(linked.json()["rounds"][0][0]["over"], false);
    let strangers = json!([{"kind": "link", "name": "X"}, {"kind": "link", "name": "Y"}]);
    let other = server
        .post("/api/games", json!({"ruleset": "toy", "scenario": "hill", "seats": strangers}))
        .await
        .json();
    let link = json!({"round": 1, "player": name(&pairs[0], "first"), "game": other["id"]});
    assert_eq!(anna.post(&at("result"), link).await.status, 422, "others play there");
    let mut players = Vec::new();
    for seat in 0..2 {
        players.push(server.join(game["id"].as_str().unwrap(), game["seats"][seat]["token"].as_str()).await);
    }
    while let Some(seat) = players[0].pending_seat() {
        let seat = seat as usize;
        players[seat].act(json!({"pass": {}})).await;
        for player in &mut players {
            player.ask(9, json!({"ping": {}})).await;
        }
    }
    let seen = server.get(&format!("/api/evenings/{id}")).await.json();
    assert_eq!((&seen["rounds"][0][0]["over"], &seen["yours"]), (&json!(true), &json!(false)), "{seen}");

    // The next round, with somebody who came later and without one who has gone.
    let comings = anna.post(&at("players"), json!({"come": ["Emil"], "gone": ["Dora"]})).await;
    assert_eq!(comings.status, 200, "{}", comings.text());
    let second = anna.post(&at("round"), json!({})).await.json();
    let named = second["rounds"][1].to_string();
    assert!(named.contains("Emil") && !named.contains("Dora"), "{named}");
    assert_eq!(anna.post(&at("close"), json!({})).await.status, 200);
    assert_eq!(anna.post(&at("round"), json!({})).await.status, 409, "it is over");

    let list = server.get("/api/evenings").await.json();
    assert_eq!(
        (&list[0]["title"], &list[0]["rounds"], &list[0]["over"], &list[0]["keeper"]),
        (&json!("Tuesday"), &json!(2), &json!(true), &json!("Anna"))
    );
    let page = server.get(&format!("/api/seasons/{season}")).await.json();
    assert_eq!(page["evenings"].as_array().unwrap().len(), 1);
    assert_eq!(page["table"][0]["score"].as_f64(), Some(1.0), "{page}");
    assert_eq!(server.get("/api/seasons/none").await.status, 404);
    assert_eq!(server.get("/api/evenings/none").await.status, 404);

    // Who is deleted is in no evening any more, and what they kept is nobody's.
    let kept = office.export_person("anna").await.unwrap();
    assert_eq!(kept["evenings"][0]["title"], "Tuesday");
    office.delete_person("anna").await.unwrap();
    let seen = server.get(&format!("/api/evenings/{id}")).await.text();
    assert!(!seen.contains("Anna") && !seen.contains("anna") && seen.contains("somebody"), "{seen}");
    office.drop_season(&season).await.unwrap();
    assert_eq!(server.get("/api/seasons").await.json(), json!([]));
    assert_eq!(server.get(&format!("/api/evenings/{id}")).await.json()["evening"]["season"], Value::Null);
    office.close().await;
}
