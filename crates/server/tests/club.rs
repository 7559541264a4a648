//! What keeps a club's server up: bounds on everything that is handed in, errors of one form, and what its keeper reads.

use std::time::Duration;

use crate::support::{Serving, http, patient};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const JSON: (&str, &str) = ("content-type", "application/json");

#[tokio::test(flavor = "multi_thread")]
async fn every_error_has_one_form_and_the_requests_id() {
    let server = Serving::start().await;
    for (method, path, headers, body, status) in [
        ("GET", "/api/nothing", vec![], "", 404),
        ("GET", "/api/games/nothing", vec![], "", 404),
        ("GET", "/api/games/%00", vec![], "", 404),
        ("GET", "/api/games/%FF", vec![], "", 400),
        ("DELETE", "/api/games", vec![], "", 405),
        ("GET", "/api/games/x/view?n=many", vec![], "", 400),
        ("GET", "/api/terrain/toy", vec![], "", 400),
        ("GET", "/api/scenarios/toy/hill/picture.svg?light=blue", vec![], "", 400),
        ("GET", "/api/live", vec![], "", 400),
        ("POST", "/api/games", vec![], "{}", 400),
        ("POST", "/api/games", vec![JSON], "{", 400),
        ("POST", "/api/games", vec![JSON], "{\"ruleset\": 3}", 400),
        ("POST", "/api/armies/check", vec![JSON], "[]", 400),
        ("POST", "/api/armies/muster", vec![], "{}", 400),
        ("POST", "/api/journals", vec![], "nothing", 422),
        ("POST", "/api/login", vec![JSON], "{\"name\": \"a\\u0000b\", \"password\": \"12345678\"}", 401),
        ("POST", "/api/register", vec![JSON], "{\"name\": \"a\\u0000b\", \"password\": \"12345678\"}", 422),
    ] {
        let answer = http(server.address, method, path, &headers, Some(body.into())).await;
        let asked = format!("{method} {path} {body}: {}", answer.text());
        assert_eq!(answer.status, status, "{asked}");
        assert_eq!(answer.header("content-type").as_deref(), Some("application/json"), "{asked}");
        let error = answer.json()["error"].clone();
        assert!(error["kind"].as_str().is_some_and(|k| !k.is_empty()), "{asked}");
        assert!(error["why"].as_str().is_some_and(|w| !w.is_empty()), "{asked}");
        assert_eq!(error["request"].as_str().map(str::to_owned), answer.header("x-request-id"), "{asked}");
        assert_eq!(answer.header("x-request-id").unwrap().len(), 20, "{asked}");
    }
}

/// Hears until the server closes the connection.
async fn until_closed(stream: &mut TcpStream) -> String {
    let mut said = Vec::new();
    let _ = patient(stream.read_to_end(&mut said)).await;
    String::from_utf8_lossy(&said).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_request_is_not_waited_for() {
    let server = Serving::with(|config| config.limits.request = Duration::from_millis(50)).await;
    // Nothing at all, half a head, and a head without its body.
    let mut silent = TcpStream::connect(server.address).await.unwrap();
    let mut half = TcpStream::connect(server.address).await.unwrap();
    half.write_all(b"GET /api/about HTTP/1.1\r\nhost: loc").await.unwrap();
    let mut bodiless = TcpStream::connect(server.address).await.unwrap();
    let head = "POST /api/games HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n{";
    bodiless.write_all(head.as_bytes()).await.unwrap();
    // A connection that is kept and asks nothing more.
    let mut idle = TcpStream::connect(server.address).await.unwrap();
    idle.write_all(b"GET /api/about HTTP/1.1\r\nhost: localhost\r\n\r\n").await.unwrap();

    until_closed(&mut silent).await;
    until_closed(&mut half).await;
    assert!(until_closed(&mut bodiless).await.contains("too_slow"));
    assert!(until_closed(&mut idle).await.starts_with("HTTP/1.1 200"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_big_is_refused_before_any_rule_looks_at_it() {
    let server = Serving::start().await;
    let corners = (0..10_000).map(|i| format!("[{i}.0, {}.0]", i % 7)).collect::<Vec<_>>().join(", ");
    let outline =
        format!("ruleset = \"would-be-kings\"\n[[terrain]]\nkind = \"hill\"\noutline = [{corners}]\n");
    let long_title = format!("ruleset = \"would-be-kings\"\ntitle = \"{}\"\n", "x".repeat(101));
    for (text, says) in [(outline, "`terrain[0].outline` has 10000 entries"), (long_title, "`title` has 101")]
    {
        for (path, body) in [
            ("/api/scenarios", json!({"name": "mine.toml", "text": text})),
            ("/api/games", json!({"ruleset": "would-be-kings", "text": text})),
            (
                "/api/games",
                json!({"ruleset": "would-be-kings", "scenario": "crossing-the-veld", "data": {"profiles.toml": text}}),
            ),
            ("/api/drafts", json!({"ruleset": "would-be-kings", "text": text})),
            ("/api/drafts/picture", json!({"ruleset": "would-be-kings", "text": text})),
            ("/api/armies/check", json!({"text": text})),
        ] {
            let answer = server.post(path, body).await;
            // An army's file is so much smaller that the longer of these is not even read.
            if path == "/api/armies/check" && answer.status == 413 {
                continue;
            }
            assert_eq!(answer.status, 422, "{path}: {}", answer.text());
            assert!(answer.text().contains(says), "{path}: {}", answer.text());
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_begins_battles_without_end() {
    let server = Serving::with(|config| {
        config.limits.games = 2;
        config.behind_proxy = true;
    })
    .await;
    let begin = async |from: &str| {
        let body = json!({"ruleset": "toy", "scenario": "hill"}).to_string().into_bytes();
        http(server.address, "POST", "/api/games", &[JSON, ("x-forwarded-for", from)], Some(body)).await
    };
    for _ in 0..2 {
        assert_eq!(begin("192.0.2.1").await.status, 201);
    }
    let third = begin("192.0.2.1").await;
    assert_eq!((third.status, third.kind().as_str()), (429, "too_many"));
    assert_eq!(begin("192.0.2.2").await.status, 201, "others are counted for themselves");
    // Addresses of one IPv6 network are one.
    for from in ["2001:db8:1:2::1", "2001:db8:1:2::2"] {
        assert_eq!(begin(from).await.status, 201);
    }
    assert_eq!(begin("2001:db8:1:2::3").await.status, 429);
    assert_eq!(begin("2001:db8:1:3::1").await.status, 201);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_our_own_proxy_says_of_an_address_counts() {
    let server = Serving::with(|config| {
        config.limits.games = 1;
        config.behind_proxy = true;
    })
    .await;
    // Whoever forges lines of his own before the proxy's is still himself.
    for (forged, status) in [("198.51.100.1", 201), ("198.51.100.2", 429), ("198.51.100.3", 429)] {
        let headers = [JSON, ("x-forwarded-for", forged), ("x-forwarded-for", "10.1.1.1, 192.0.2.7")];
        let body = json!({"ruleset": "toy", "scenario": "hill"}).to_string().into_bytes();
        let answer = http(server.address, "POST", "/api/games", &headers, Some(body)).await;
        assert_eq!(answer.status, status, "{}", answer.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keeper_reads_how_it_is() {
    let server = Serving::with(|config| config.instruments = Some(([127, 0, 0, 1], 0).into())).await;
    let game = server.new_game(&["hotseat", "hotseat"]).await;
    let mut client = server.join(&game.id, Some(game.token(0))).await;
    client.act(json!({"pass": {}})).await;
    for path in ["/api/health", "/api/ready"] {
        assert_eq!(server.get(path).await.status, 200);
    }
    // Not where players come.
    assert_ne!(
        server.get("/metrics").await.header("content-type").as_deref(),
        Some("text/plain; version=0.0.4; charset=utf-8")
    );
    let instruments = server.instruments.unwrap();
    assert_eq!(http(instruments, "GET", "/ready", &[], None).await.status, 200);
    let text = http(instruments, "GET", "/metrics", &[], None).await.text();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (name, value) = line.rsplit_once(' ').unwrap();
        assert!(name.starts_with("tricorne_") && value.parse::<f64>().is_ok(), "{line}");
    }
    for says in ["tricorne_action_seconds_count 1", "tricorne_live_connections 1", "tricorne_tables 1"] {
        assert!(text.lines().any(|line| line == says), "{says} is not in\n{text}");
    }
    let answered: Value = text
        .lines()
        .find_map(|l| l.strip_prefix("tricorne_requests_total{status=\"2xx\"} "))
        .unwrap()
        .parse()
        .unwrap();
    assert!(answered.as_u64().unwrap() >= 3);
}
