//! Many battles at once over WebSocket, against a server in a process of its own, on a real file.
//!
//! `cargo bench -p tricorne-server --bench load -- [RULESET] [SCENARIO] [GAMES] [ACTIONS_A_SECOND] [SECONDS]`
//!
//! Each game has one connection that plays all its seats and acts at its own beat; the time from sending an action to
//! hearing that it is on disk is what is measured. Then as many games again are left idle, to weigh them.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::json;
use support::{Client, Jumps, SYSTEMS, new_game};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tricorne_server::{Server, ServerConfig};

const DATABASE: &str = "TRICORNE_LOAD_DATABASE";

async fn child(database: String) {
    let mut config = ServerConfig::local(SYSTEMS, database);
    config.limits.idle = Duration::from_secs(2);
    let server = Server::bind(config).await.unwrap();
    println!("listening {}", server.address().unwrap());
    server.run(std::future::pending()).await.unwrap();
}

async fn start(database: &str) -> (Child, SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .env(DATABASE, database)
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        let line = lines.next_line().await.unwrap().expect("the server did not start");
        if let Some((_, address)) = line.split_once("listening ") {
            return (child, address.trim().parse().unwrap());
        }
    }
}

struct Plan {
    ruleset: String,
    scenario: String,
    games: usize,
    rate: f64,
    seconds: u64,
    views: String,
}

/// Plays until `end`; how long each action took to be on disk.
async fn play(address: SocketAddr, plan: &Plan, i: usize, end: Instant) -> Vec<Duration> {
    let mut took = Vec::new();
    let beat = Duration::from_secs_f64(plan.games as f64 / plan.rate);
    let mut jumps = Jumps(i as u64);
    let mut due = Instant::now() + beat.mul_f64((jumps.next() % 1000) as f64 / 1000.0);
    while Instant::now() < end {
        let game = new_game(address, &plan.ruleset, &plan.scenario, &["hotseat", "hotseat"]).await;
        let mut client = Client::connect(address, &game.id).await;
        client.say(json!({"hello": {"token": game.token(0), "views": plan.views}})).await;
        client.until("state").await;
        while client.over.is_none() && Instant::now() < end {
            client.heard.clear();
            let action = if plan.ruleset == "toy" {
                match jumps.next() % 3 {
                    0 => json!({"draw": {}}),
                    1 => json!({"scout": {}}),
                    _ => json!({"pass": {}}),
                }
            } else {
                client.candidate(jumps.next()).await
            };
            tokio::time::sleep_until(due.into()).await;
            // A beat that was missed is not made up for: players do not hurry because the server was slow.
            due = (due + beat).max(Instant::now());
            let n = client.n();
            let sent = Instant::now();
            client.say(json!({"id": 1, "act": {"n": n, "action": action}})).await;
            loop {
                let message = client.hear().await.expect("closed");
                assert!(message.get("refused").is_none(), "{message}");
                if message.get("acted").is_some() {
                    took.push(sent.elapsed());
                }
                if message.get("state").is_some() {
                    break;
                }
            }
            if client.state["pending"].get("over").is_some() {
                break;
            }
        }
    }
    took
}

fn resident(process: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find(|l| l.starts_with("VmRSS:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|n| n.parse().ok()).unwrap_or_default()
}

#[tokio::main]
async fn main() {
    if let Ok(database) = std::env::var(DATABASE) {
        return child(database).await;
    }
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with("--")).collect();
    let word = |i: usize, default: &str| words.get(i).cloned().unwrap_or_else(|| default.into());
    let plan = Plan {
        ruleset: word(0, "toy"),
        scenario: word(1, "long-hill"),
        games: word(2, "200").parse().unwrap(),
        rate: word(3, "2500").parse().unwrap(),
        seconds: word(4, "10").parse().unwrap(),
        views: word(5, "changes"),
    };
    let folder = tempfile::tempdir().unwrap();
    let url = std::env::var("TRICORNE_POSTGRES")
        .unwrap_or_else(|_| format!("sqlite:{}", folder.path().join("games.db").display()));
    let (server, address) = start(&url).await;
    let process = server.id().unwrap_or_default();

    let begun = Instant::now();
    let end = begun + Duration::from_secs(plan.seconds);
    let plan = std::sync::Arc::new(plan);
    let players: Vec<_> = (0..plan.games)
        .map(|i| {
            let plan = std::sync::Arc::clone(&plan);
            tokio::spawn(async move { play(address, &plan, i, end).await })
        })
        .collect();
    let mut took = Vec::new();
    for player in players {
        took.extend(player.await.unwrap());
    }
    let elapsed = begun.elapsed().as_secs_f64();
    took.sort_unstable();
    let at = |p: f64| took[((took.len() - 1) as f64 * p) as usize].as_secs_f64() * 1000.0;
    println!(
        "{} {}: {} games, {} actions in {elapsed:.1} s: {:.0} a second on disk; answered within {:.1} ms (half), {:.1} ms (99 %), {:.1} ms (all)",
        plan.ruleset,
        plan.scenario,
        plan.games,
        took.len(),
        took.len() as f64 / elapsed,
        at(0.5),
        at(0.99),
        at(1.0)
    );

    // Idle games, each with a player connected.
    tokio::time::sleep(Duration::from_secs(4)).await;
    let before = resident(process);
    let idle = 1000;
    let mut clients = Vec::new();
    for _ in 0..idle {
        let game = new_game(address, &plan.ruleset, &plan.scenario, &["hotseat", "hotseat"]).await;
        let mut client = Client::connect(address, &game.id).await;
        client.hello(Some(game.token(0))).await;
        client.heard.clear();
        clients.push(client);
    }
    tokio::time::sleep(Duration::from_secs(5)).await;
    let after = resident(process);
    println!(
        "{idle} idle games with a player connected: {:.1} KiB each ({before} KiB before, {after} KiB after)",
        (after.saturating_sub(before)) as f64 / f64::from(idle)
    );
}
