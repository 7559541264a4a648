//! Games outlive a release: those that newer rules bring to the same events go on under them; the others say so, and can be
//! left at that.

use crate::support::{Made, SYSTEMS, Serving};
use serde_json::json;
use sqlx::Connection;
use tricorne_server::{Fate, Office};

/// Changes what is kept of a game behind the server's back, as if an older release had kept it.
async fn alter(server: &Serving, statements: &[&str]) {
    let mut c = sqlx::SqliteConnection::connect(&server.url).await.unwrap();
    for statement in statements {
        sqlx::query(sqlx::AssertSqlSafe((*statement).to_owned())).execute(&mut c).await.unwrap();
    }
    c.close().await.unwrap();
}

/// Everybody goes home, so that the battle is played again from what is kept.
async fn until_cleared(server: &Serving) {
    crate::support::until(async || server.reads("tricorne_tables").await == 0.0).await;
}

async fn begun(server: &Serving) -> Made {
    let game = server.new_game(&["link", "link"]).await;
    for _ in 0..2 {
        for seat in 0..2 {
            let mut client = server.join(&game.id, Some(game.token(seat))).await;
            if client.yours() {
                client.act(json!({"pass": {}})).await;
            }
        }
    }
    until_cleared(server).await;
    game
}

async fn serving() -> Serving {
    Serving::with(|c| {
        c.limits.linger = std::time::Duration::from_millis(10);
        c.instruments = Some(([127, 0, 0, 1], 0).into());
    })
    .await
}

async fn fates(server: &Serving) -> Vec<Fate> {
    let office = Office::open(&server.url).await.unwrap();
    let checked = office.check_games(SYSTEMS).await.unwrap();
    office.close().await;
    checked.into_iter().map(|game| game.fate).collect()
}

/// Of an older form of the state, and of an older revision.
const OLDER: [&str; 2] = [
    "UPDATE actions SET hash = '00000000000000000000000000000000'",
    "UPDATE games SET header = replace(header, '\"revision\":1', '\"revision\":0')",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_comes_to_the_same_events_goes_on_under_newer_rules() {
    let server = serving().await;
    let game = begun(&server).await;
    assert_eq!(fates(&server).await, [Fate::GoesOn]);
    alter(&server, &OLDER).await;
    assert_eq!(fates(&server).await, [Fate::GoesOnAnew]);
    let mut client = server.join(&game.id, Some(game.token(0))).await;
    let n = client.n();
    assert!(n > 0);
    if client.yours() {
        client.act(json!({"pass": {}})).await;
    }
    drop(client);
    until_cleared(&server).await;
    // It is a game of these rules now: whoever comes later finds nothing to take over.
    assert_eq!(fates(&server).await, [Fate::GoesOn]);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_that_does_not_says_so_and_is_left_at_that() {
    let server = serving().await;
    let game = begun(&server).await;
    alter(&server, &OLDER).await;
    alter(&server, &["UPDATE actions SET events = 'other' WHERE n = 2"]).await;
    assert_eq!(fates(&server).await, [Fate::Cannot]);
    let mut client = server.connect(&game.id).await;
    client.say(json!({"hello": {"token": game.token(0)}})).await;
    let refused = client.until("refused").await;
    assert_eq!(refused["kind"], "other_rules", "{refused}");
    let why = refused["why"].as_str().unwrap();
    for says in ["action 2", "revision 0", "revision 1", concat!("Tricorne ", env!("CARGO_PKG_VERSION"))] {
        assert!(why.contains(says), "{says}: {why}");
    }
    // Both would leave it at that; nobody else can.
    let leave = async |token: &str| {
        let path = format!("/api/games/{}/leave", game.id);
        server.post(&path, json!({"token": token})).await
    };
    assert_eq!(leave("nobody's").await.status, 403);
    assert_eq!(leave(game.token(0)).await.json(), json!({"agreed": [0], "ended": false}));
    assert_eq!(leave(game.token(0)).await.json(), json!({"agreed": [0], "ended": false}));
    assert_eq!(leave(game.token(1)).await.json(), json!({"agreed": [0, 1], "ended": true}));
    assert_eq!(server.get(&format!("/api/games/{}", game.id)).await.json()["status"], "closed");
    assert_eq!(fates(&server).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_rules_must_come_to_the_same_state() {
    let server = serving().await;
    let game = begun(&server).await;
    alter(&server, &OLDER[..1]).await;
    assert_eq!(fates(&server).await, [Fate::Cannot], "what is kept was changed");
    let mut client = server.connect(&game.id).await;
    client.say(json!({"hello": {"token": game.token(0)}})).await;
    assert_eq!(client.until("refused").await["kind"], "internal");
}
