//! A battle goes on by itself after the database was away, and after a restart.

use std::time::Duration;

use crate::support::{SYSTEMS, http, new_game, patient};
use serde_json::json;
use sqlx::Connection;
use tokio::sync::oneshot;
use tricorne_server::{Server, ServerConfig};

/// Lets the database refuse every action, or take them again.
async fn away(file: &std::path::Path, away: bool) {
    let mut c = sqlx::SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
    let statement = if away {
        "CREATE TRIGGER away BEFORE INSERT ON actions BEGIN SELECT RAISE(ABORT, 'away'); END"
    } else {
        "DROP TRIGGER away"
    };
    sqlx::query(statement).execute(&mut c).await.unwrap();
    c.close().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_go_on_when_the_database_is_back_and_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let url = format!("sqlite:{}", file.display());
    let mut config = ServerConfig::local(SYSTEMS, url.clone());
    config.instruments = Some(([127, 0, 0, 1], 0).into());
    let start = async || {
        let server = Server::bind(config.clone()).await.unwrap();
        let (address, instruments) = (server.address().unwrap(), server.instruments().unwrap());
        let (stop, stopped) = oneshot::channel::<()>();
        let run = tokio::spawn(server.run(async {
            let _ = stopped.await;
        }));
        (address, instruments, stop, run)
    };
    let (address, instruments, stop, run) = start().await;
    let refused = async || {
        let text = http(instruments, "GET", "/metrics", &[], None).await.text();
        let line =
            text.lines().find_map(|l| l.strip_prefix("tricorne_writes_refused_total ")).map(str::to_owned);
        line.unwrap().parse::<u64>().unwrap()
    };
    let n = async |address, game: &str| {
        http(address, "GET", &format!("/api/games/{game}"), &[], None).await.json()["n"].as_u64().unwrap()
    };
    let until = async |what: &str, game: &str, address, more_than: u64| {
        patient(async {
            while n(address, game).await <= more_than {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        })
        .await;
        println!("{what}");
    };

    away(&file, true).await;
    let first = new_game(address, "toy", "long-hill", &["program:random", "program:random"]).await;
    patient(async {
        while refused().await < 2 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    })
    .await;
    assert_eq!(n(address, &first.id).await, 0);
    assert_eq!(json!(http(address, "GET", "/api/ready", &[], None).await.status), json!(200));
    away(&file, false).await;
    until("it goes on when the database is back", &first.id, address, 0).await;

    // Stopped while a program has to decide, and started again: nobody comes to the table.
    away(&file, true).await;
    let second = new_game(address, "toy", "long-hill", &["program:random", "program:random"]).await;
    stop.send(()).unwrap();
    run.await.unwrap().unwrap();
    assert!(!folder.path().join("games.db-wal").exists(), "a clean stop leaves one file");
    away(&file, false).await;
    let (address, _, stop, run) = start().await;
    until("it goes on after a restart", &second.id, address, 0).await;
    stop.send(()).unwrap();
    run.await.unwrap().unwrap();
}
