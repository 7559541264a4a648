//! Ratings, pairings, and a program that plays under a name of its own through nothing but what is described.

mod support;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use support::{Serving, http, patient};
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
