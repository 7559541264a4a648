//! Programs that think in processes of their own: their games go on wherever they think, and one that dies takes nothing
//! with it.

use std::process::Stdio;
use std::time::Duration;

use crate::support::{SYSTEMS, Serving, until};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tricorne_server::{ThinkerConfig, Whom, think};

const DATABASE: &str = "TRICORNE_TEST_THINK_FOR";

/// Not a test of its own: the thinker that the others start and kill is this program again.
#[test]
fn child_thinker() {
    let Ok(database) = std::env::var(DATABASE) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        println!("thinking");
        let config = ThinkerConfig { systems: SYSTEMS, whom: Whom::Database(database), places: 2 };
        think(config, std::future::pending()).await.unwrap();
    });
}

async fn start(database: &str) -> Child {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "thinking::child_thinker", "--nocapture", "--test-threads", "1"])
        .env(DATABASE, database)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    while let Some(line) = crate::support::patient(lines.next_line()).await.unwrap() {
        if line.contains("thinking") {
            return child;
        }
    }
    panic!("the thinker did not start");
}

async fn metric(server: &Serving, name: &str) -> u64 {
    let text = crate::support::http(server.instruments.unwrap(), "GET", "/metrics", &[], None).await.text();
    let line = text.lines().find(|line| line.starts_with(&format!("{name} "))).unwrap_or_default().to_owned();
    line.rsplit(' ').next().and_then(|n| n.parse().ok()).unwrap_or_default()
}

async fn serving() -> Serving {
    Serving::with(|c| c.instruments = Some(([127, 0, 0, 1], 0).into())).await
}

#[tokio::test(flavor = "multi_thread")]
async fn games_go_on_while_thinkers_come_and_die() {
    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let server = serving().await;
    let game = async || {
        let seats = json!([{"kind": "program:subaltern"}, {"kind": "program:subaltern"}]);
        let made = server
            .post("/api/games", json!({"ruleset": "toy", "scenario": "long-hill", "seats": seats}))
            .await;
        assert_eq!(made.status, 201, "{}", made.text());
        made.json()["id"].as_str().unwrap().to_owned()
    };
    let mut games = Vec::new();
    for _ in 0..4 {
        games.push(game().await);
    }
    let n = async |id: &str| {
        let facts = server.get(&format!("/api/games/{id}")).await.json();
        (facts["n"].as_u64().unwrap(), facts["status"] != "playing")
    };
    for _ in 0..3 {
        let mut thinker = start(&server.url).await;
        until(async || metric(&server, "tricorne_thinkers").await == 2).await;
        for id in &games {
            let (before, over) = n(id).await;
            until(async || over || n(id).await.0 > before + 3 || n(id).await.1).await;
        }
        // SIGKILL, in the middle of a thought as like as not.
        thinker.kill().await.unwrap();
        until(async || metric(&server, "tricorne_thinkers").await == 0).await;
        for id in &games {
            let (before, over) = n(id).await;
            until(async || over || n(id).await.0 > before || n(id).await.1).await;
        }
        games.push(game().await);
    }
    // Whatever was thought wherever, every battle comes out the same again.
    let office = tricorne_server::Office::open(&server.url).await.unwrap();
    let checked = office.verify_games(SYSTEMS).await.unwrap();
    assert_eq!(checked.len(), games.len());
    for game in checked {
        assert_eq!(game.fate, tricorne_server::Fate::GoesOn, "{game:?}");
        assert!(game.actions > 0, "{game:?}");
    }
    office.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_thinks_for_a_server_without_its_key() {
    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let server = serving().await;
    let whom = Whom::Server { address: server.address.to_string(), key: "guessed".into() };
    let config = ThinkerConfig { systems: SYSTEMS, whom, places: 2 };
    let refused = tokio::time::timeout(Duration::from_secs(30), think(config, std::future::pending())).await;
    assert!(refused.unwrap().unwrap_err().to_string().contains("403"));
    assert_eq!(metric(&server, "tricorne_thinkers").await, 0);
}
