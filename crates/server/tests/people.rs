//! Names, passwords, sessions, and what a keeper does to people and tables.

use crate::support::{Answer, Serving, http};
use serde_json::{Value, json};
use tricorne_server::Office;

const JSON: (&str, &str) = ("content-type", "application/json");

async fn post(server: &Serving, path: &str, headers: &[(&str, &str)], body: Value) -> Answer {
    let headers: Vec<_> = headers.iter().copied().chain([JSON]).collect();
    http(server.address, "POST", path, &headers, Some(body.to_string().into_bytes())).await
}

fn cookie(answer: &Answer) -> String {
    let cookie = answer.header("set-cookie").unwrap_or_else(|| panic!("{}", answer.text()));
    cookie.split(';').next().unwrap().to_owned()
}

async fn register(server: &Serving, name: &str, password: &str) -> Answer {
    post(server, "/api/register", &[], json!({"name": name, "password": password})).await
}

async fn login(server: &Serving, name: &str, password: &str) -> Answer {
    post(server, "/api/login", &[], json!({"name": name, "password": password})).await
}

async fn who(server: &Serving, cookie: &str) -> Value {
    let about = http(server.address, "GET", "/api/about", &[("cookie", cookie)], None).await;
    about.json()["user"]["name"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_password_ends_every_other_session() {
    let server = Serving::start().await;
    let first = cookie(&register(&server, "Anna", "correct horse").await);
    let second = cookie(&login(&server, "Anna", "correct horse").await);
    let third = cookie(&login(&server, "anna", "correct horse").await);
    let list =
        async |cookie: &str| http(server.address, "GET", "/api/sessions", &[("cookie", cookie)], None).await;
    let sessions = list(&first).await.json();
    assert_eq!(sessions.as_array().unwrap().len(), 3);
    assert_eq!(sessions.as_array().unwrap().iter().filter(|s| s["here"] == true).count(), 1);
    // One is ended by its id.
    let there = list(&third).await.json();
    let third_id = there.as_array().unwrap().iter().find(|s| s["here"] == true).unwrap()["id"].clone();
    let ended = post(&server, "/api/sessions/end", &[("cookie", &first)], json!({"id": third_id})).await;
    assert_eq!(ended.status, 200, "{}", ended.text());
    assert_eq!((who(&server, &third).await, who(&server, &second).await), (Value::Null, json!("Anna")));

    let change = |old: &str, new: &str| json!({"old": old, "new": new});
    for (old, new, status) in [("wrong", "battery staple", 401), ("correct horse", "short", 422)] {
        let refused = post(&server, "/api/password", &[("cookie", &first)], change(old, new)).await;
        assert_eq!(refused.status, status, "{}", refused.text());
    }
    assert_eq!(
        post(&server, "/api/password", &[], change("correct horse", "battery staple")).await.status,
        401
    );
    let done =
        post(&server, "/api/password", &[("cookie", &first)], change("correct horse", "battery staple"))
            .await;
    assert_eq!(done.status, 200, "{}", done.text());
    assert_eq!((who(&server, &first).await, who(&server, &second).await), (json!("Anna"), Value::Null));
    assert_eq!(login(&server, "Anna", "correct horse").await.status, 401);
    assert_eq!(login(&server, "Anna", "battery staple").await.status, 200);
    assert_eq!(list("nothing").await.status, 401);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_name_can_be_taken_for_another() {
    let server = Serving::start().await;
    assert_eq!(register(&server, "Bob Ian", "correct horse").await.status, 200);
    for (name, status) in [
        ("BOB IAN", 409),
        ("B0b lan", 409),
        ("Bob-1an", 409),
        ("Воb Ian", 422),
        ("Bob\u{200b} Ian", 422),
        ("Bob\u{202e} naI", 422),
        ("Bob Jan", 200),
    ] {
        let answer = register(&server, name, "correct horse").await;
        assert_eq!(answer.status, status, "{name:?}: {}", answer.text());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_tries_at_a_name_are_counted_from_wherever_they_come() {
    let server = Serving::with(|config| {
        config.behind_proxy = true;
        config.limits.passwords_burst = 3;
    })
    .await;
    let credentials = |name: &str, password: &str| json!({"name": name, "password": password});
    for name in ["Anna", "Berta"] {
        let made = post(
            &server,
            "/api/register",
            &[("x-forwarded-for", "192.0.2.99")],
            credentials(name, "correct horse"),
        )
        .await;
        assert_eq!(made.status, 200, "{}", made.text());
    }
    let from = async |address: String, name: &str, password: &str| {
        post(&server, "/api/login", &[("x-forwarded-for", &address)], credentials(name, password))
            .await
            .status
    };
    // Right ones are not counted, however many.
    for i in 0..6 {
        assert_eq!(from(format!("192.0.2.{i}"), "Anna", "correct horse").await, 200);
    }
    for i in 0..3 {
        assert_eq!(from(format!("198.51.100.{i}"), "ANNA", "a guess at it").await, 401);
    }
    assert_eq!(from("198.51.100.9".into(), "anna", "another guess").await, 429);
    assert_eq!(from("198.51.100.9".into(), "Berta", "correct horse").await, 200, "others are not kept out");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_keeper_bans_resets_closes_exports_and_deletes() {
    let server = Serving::start().await;
    let anna = cookie(&register(&server, "Anna", "correct horse").await);
    let body = json!({"ruleset": "toy", "scenario": "hill", "seats": [{"kind": "me"}, {"kind": "hotseat"}]});
    let made = post(&server, "/api/games", &[("cookie", &anna)], body).await.json();
    let (game, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    let mut client = server.join(game, Some(token)).await;
    client.say(json!({"chat": {"text": "to be or not to be"}})).await;
    client.until("chat").await;

    let office = Office::open(&server.url).await.unwrap();
    let kept = office.export_person("anna").await.unwrap();
    assert_eq!((&kept["name"], &kept["games"][0]["id"]), (&json!("Anna"), &json!(game)));
    assert!(kept.to_string().contains("to be or not to be") && !kept.to_string().contains("argon2"));
    assert!(office.export_person("Berta").await.unwrap_err().to_string().contains("Berta"));

    office.ban("Anna", true).await.unwrap();
    assert_eq!(who(&server, &anna).await, Value::Null);
    assert_eq!(login(&server, "Anna", "correct horse").await.status, 403);
    office.ban("Anna", false).await.unwrap();
    assert_eq!(login(&server, "Anna", "correct horse").await.status, 200);
    let password = office.reset_password("Anna").await.unwrap();
    assert_eq!(login(&server, "Anna", "correct horse").await.status, 401);
    assert_eq!(login(&server, "Anna", &password).await.status, 200);

    // A table that is closed under the players' hands: what comes next is refused, and all are told.
    office.close_game(game).await.unwrap();
    assert!(office.close_game(game).await.is_err());
    let refused = client.act(json!({"pass": {}})).await;
    assert!(refused.get("refused").is_some(), "{refused}");
    assert_eq!(server.get(&format!("/api/games/{game}")).await.json()["status"], "closed");
    let again = client.act(json!({"pass": {}})).await;
    assert_eq!(again["refused"]["kind"], "over", "{again}");

    office.delete_person("Anna").await.unwrap();
    assert_eq!(login(&server, "Anna", &password).await.status, 401);
    let facts = server.get(&format!("/api/games/{game}")).await.json();
    assert_eq!((&facts["seats"][0]["name"], &facts["seats"][0]["user"]), (&json!(""), &json!(false)));
    let mut late = server.join(game, None).await;
    late.say(json!({"ping": {}})).await;
    late.until("pong").await;
    assert!(!late.heard.iter().any(|text| text.contains("to be or not")), "what was said is gone");
    office.close().await;
}
