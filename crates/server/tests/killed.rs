//! The server killed at any moment comes back with every game where it was.
//!
//! Six kills by default, `TRICORNE_KILLS=100` for the whole of it.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use std::net::SocketAddr;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::support::{Client, Jumps, Made, SYSTEMS, http, new_game};
use serde_json::json;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tricorne_game::journal::{Entry, Header, Journal};
use tricorne_game::{Seat, StateHash};
use tricorne_server::{Server, ServerConfig};
use tricorne_store::Store;

const DATABASE: &str = "TRICORNE_TEST_DATABASE";
const GAMES: usize = 8;

/// Not a test of its own: the server that the others start and kill is this program again.
#[test]
fn child_server() {
    let Ok(database) = std::env::var(DATABASE) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let server = Server::bind(ServerConfig::local(SYSTEMS, database)).await.unwrap();
        println!("listening {}", server.address().unwrap());
        server.run(std::future::pending()).await.unwrap();
    });
}

fn child(database: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "killed::child_server", "--nocapture", "--test-threads", "1"])
        .env(DATABASE, database)
        .stdout(Stdio::piped())
        .kill_on_drop(true);
    command
}

async fn address(lines: &mut Lines<BufReader<ChildStdout>>) -> SocketAddr {
    loop {
        let line = lines.next_line().await.unwrap().expect("the server did not start");
        if let Some((_, address)) = line.split_once("listening ") {
            return address.trim().parse().unwrap();
        }
    }
}

async fn start(database: &str) -> (Child, SocketAddr) {
    let mut child = child(database).spawn().unwrap();
    let address = address(&mut BufReader::new(child.stdout.take().unwrap()).lines()).await;
    (child, address)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_token_and_no_password_comes_into_a_log() {
    const PASSWORD: &str = "correct horse battery";
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("games.db").display());
    let mut child = child(&database).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let server = address(&mut lines).await;
    let game = new_game(server, "toy", "hill", &["me", "link"]).await;
    let post = async |path: String, body: serde_json::Value| {
        let headers = [("content-type", "application/json")];
        http(server, "POST", &path, &headers, Some(body.to_string().into_bytes())).await
    };
    post("/api/register".into(), json!({"name": "Anna", "password": PASSWORD})).await;
    post("/api/login".into(), json!({"name": "Berta", "password": PASSWORD})).await;
    post(format!("/api/games/{}/claim", game.id), json!({"token": game.token(0)})).await;
    for hello in [
        json!({"hello": {"token": game.token(0)}}),
        json!({"hello": {"token": game.token(1), "tokenn": 1}}),
        json!({"hello": {"token": format!("{}x", game.token(0))}}),
        json!({"act": {"token": game.token(0)}}),
    ] {
        let mut client = Client::try_connect(server, &game.id).await.unwrap();
        client.say(hello).await;
        client.hear().await;
        client.say(json!({"act": {"n": 0, "action": {"token": game.token(0)}}})).await;
        client.hear().await;
    }
    // In an address it is refused, and told to nobody either.
    http(server, "GET", &format!("/game/{}?token={}", game.id, game.token(0)), &[], None).await;
    http(server, "GET", &format!("/api/games/{}", game.token(0)), &[], None).await;
    child.start_kill().unwrap();
    let mut log = String::new();
    child.stderr.take().unwrap().read_to_string(&mut log).await.unwrap();
    while let Ok(Some(line)) = lines.next_line().await {
        log.push_str(&line);
    }
    for secret in [game.token(0), game.token(1), PASSWORD] {
        assert!(!log.contains(secret), "a secret is in the log: {log}");
    }
}

/// Plays one game with both its seats until the server goes; `acknowledged` is the last action that was said to be kept.
async fn play(
    address: SocketAddr,
    game: &Made,
    acknowledged: &AtomicU64,
    stop: &AtomicBool,
    heard: &UnboundedSender<()>,
    seed: u64,
) -> Option<()> {
    let mut jumps = Jumps(seed);
    let mut client = Client::try_connect(address, &game.id).await?;
    let hello = json!({"hello": {"token": game.token(0), "views": "none", "since": 1_000_000_000}});
    client.try_say(hello).await.then_some(())?;
    while client.state.is_null() {
        client.hear().await?;
    }
    while !stop.load(Ordering::Relaxed) {
        assert!(client.n() >= acknowledged.load(Ordering::Relaxed), "an acknowledged action is lost");
        let n = client.n();
        let action = match jumps.next() % 4 {
            0 => json!({"draw": {}}),
            1 => json!({"scout": {}}),
            2 => json!({"fire": {"unit": if client.pending_seat() == Some(0) { "R1" } else { "B1" },
                                "at": if client.pending_seat() == Some(0) { "B2" } else { "R2" }}}),
            _ => json!({"pass": {}}),
        };
        client.try_say(json!({"id": n, "act": {"n": n, "action": action}})).await.then_some(())?;
        loop {
            let message = client.hear().await?;
            assert!(message.get("refused").is_none(), "{message}");
            if let Some(acted) = message.get("acted") {
                acknowledged.store(acted["n"].as_u64().unwrap(), Ordering::Relaxed);
                let _ = heard.send(());
            }
            if message.get("state").is_some() {
                break;
            }
        }
    }
    Some(())
}

async fn kill_again_and_again(database: &str, kills: usize) {
    let (child, address) = start(database).await;
    let mut running = Some((child, address));
    let mut games = Vec::new();
    for _ in 0..GAMES {
        let made = new_game(address, "toy", "long-hill", &["hotseat", "hotseat"]).await;
        games.push((Arc::new(made), Arc::new(AtomicU64::new(0))));
    }
    let mut jumps = Jumps(kills as u64);
    for kill in 0..kills {
        let (mut child, address) = match running.take() {
            Some(running) => running,
            None => start(database).await,
        };
        let stop = Arc::new(AtomicBool::new(false));
        let (heard, mut hearing) = unbounded_channel();
        let players: Vec<_> = games
            .iter()
            .enumerate()
            .map(|(i, (game, acknowledged))| {
                let (game, acknowledged, stop) =
                    (Arc::clone(game), Arc::clone(acknowledged), Arc::clone(&stop));
                let heard = heard.clone();
                tokio::spawn(async move {
                    play(address, &game, &acknowledged, &stop, &heard, (kill * 100 + i) as u64).await
                })
            })
            .collect();
        drop(heard);
        // After some answers, however long the machine takes for them; it dies in the middle of others.
        for _ in 0..20 + jumps.next() % 120 {
            if hearing.recv().await.is_none() {
                break;
            }
        }
        // SIGKILL: nothing is put in order.
        child.start_kill().unwrap();
        child.wait().await.unwrap();
        stop.store(true, Ordering::Relaxed);
        for player in players {
            player.await.unwrap();
        }
    }
    // Every acknowledged action is there, and every journal verifies.
    let store = Store::open(database).await.unwrap();
    let mut total = 0;
    for (game, acknowledged) in &games {
        let kept = store.game(&game.id).await.unwrap().unwrap();
        let acknowledged = acknowledged.load(Ordering::Relaxed);
        assert!(kept.actions as u64 >= acknowledged, "{} kept, {acknowledged} acknowledged", kept.actions);
        assert!(kept.actions as u64 <= acknowledged + kills as u64, "more was kept than was ever asked for");
        total += acknowledged;
        let mut header: serde_json::Value = serde_json::from_str(&kept.header).unwrap();
        header["seed"] = kept.seed.clone().into();
        let header: Header = serde_json::from_value(header).unwrap();
        let entries = store.actions(&game.id).await.unwrap().into_iter().map(|row| Entry {
            seat: Seat(row.seat),
            action: serde_json::from_str(&row.action).unwrap(),
            hash: row.hash.parse::<StateHash>().unwrap(),
            note: None,
        });
        let text = Journal { header, entries: entries.collect(), agreed: None }.to_text();
        let journal = Journal::read(text.as_bytes()).unwrap();
        journal.replay(&crate::support::toy::Toy, None).unwrap_or_else(|e| panic!("{e}"));
    }
    assert!(total > kills as u64 * 10, "only {total} actions under {kills} kills is no load");
    println!("{kills} kills, {total} acknowledged actions, none lost");
}

fn kills() -> usize {
    std::env::var("TRICORNE_KILLS").ok().and_then(|k| k.parse().ok()).unwrap_or(6)
}

#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_action_is_lost_on_sqlite() {
    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    kill_again_and_again(&format!("sqlite:{}", folder.path().join("games.db").display()), kills()).await;
}

#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn no_acknowledged_action_is_lost_on_postgres() {
    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let Some(server) = crate::postgres::Server::start() else {
        eprintln!(
            "skipped: no PostgreSQL here (install postgresql, or set TRICORNE_POSTGRES to a database URL)"
        );
        return;
    };
    kill_again_and_again(&server.url(), kills()).await;
}
