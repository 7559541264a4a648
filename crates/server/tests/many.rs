//! Three servers on one PostgreSQL: a player may come to any of them, and one that dies takes no game with it.
#![allow(clippy::doc_markdown, reason = "PostgreSQL and WebSocket are names, not code")]

use std::net::SocketAddr;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::support::{Client, Jumps, Made, SYSTEMS, http, new_game, patient};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio_tungstenite::tungstenite::Message;
use tricorne_server::{Server, ServerConfig};
use tricorne_store::Store;

const DATABASE: &str = "TRICORNE_TEST_DATABASE";

/// Not a test of its own: the servers that the others start and kill are this program again.
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

async fn start(database: &str) -> (Child, SocketAddr) {
    start_with(database, &[]).await
}

async fn start_with(database: &str, environment: &[(&str, &Path)]) -> (Child, SocketAddr) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "many::child_server", "--nocapture", "--test-threads", "1"])
        .env(DATABASE, database)
        .envs(environment.iter().copied())
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    loop {
        let line = patient(lines.next_line()).await.unwrap().expect("the server did not start");
        if let Some((_, address)) = line.split_once("listening ") {
            return (child, address.trim().parse().unwrap());
        }
    }
}

/// A client at a server, as soon as the game has a leader.
async fn come(server: SocketAddr, game: &str, token: &str) -> Client {
    patient(async {
        loop {
            if let Some(mut client) = Client::try_connect(server, game).await {
                client.say(json!({"hello": {"token": token}})).await;
                while let Some(message) = client.hear().await {
                    if message.get("state").is_some() {
                        return client;
                    }
                }
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await
}

async fn pass(client: &mut Client) -> Option<u64> {
    let n = client.n();
    client.try_say(json!({"act": {"n": n, "action": {"pass": {}}}, "id": 5})).await.then_some(())?;
    loop {
        let message = client.hear().await?;
        if message["id"] == 5 {
            return message["acted"]["n"].as_u64();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_may_come_to_any_server() {
    let Some(database) = crate::postgres::Server::start() else { return };
    let url = database.url();
    let (_one, one) = start(&url).await;
    let (_two, two) = start(&url).await;
    let (_three, three) = start(&url).await;
    let game = new_game(one, "toy", "hill", &["link", "link"]).await;
    // Each at a server of his own, and one who watches at a third.
    let mut red = come(two, &game.id, game.token(0)).await;
    let mut blue = come(three, &game.id, game.token(1)).await;
    let mut watching = Client::connect(one, &game.id).await;
    watching.hello(None).await;
    // And one who listens for the bell, on none of theirs.
    let (mut bell, _) = tokio_tungstenite::connect_async(format!("ws://{two}/api/live")).await.unwrap();
    let watch = json!({"watch": {"games": [{"id": game.id, "token": game.token(1)}]}});
    bell.send(Message::text(watch.to_string())).await.unwrap();
    let mut news = async || -> Value {
        loop {
            if let Message::Text(text) = patient(bell.next()).await.unwrap().unwrap() {
                return serde_json::from_str(&text).unwrap();
            }
        }
    };
    assert!(news().await.get("games").is_some());
    for n in 1..=6 {
        let (first, second) = if red.yours() { (&mut red, &mut blue) } else { (&mut blue, &mut red) };
        assert!(first.act(json!({"pass": {}})).await.get("acted").is_some());
        second.until("state").await;
        watching.until("state").await;
        assert_eq!((first.n(), second.n(), watching.n()), (n, n, n));
        assert_eq!(news().await["news"]["n"], n, "the bell rings on every server");
    }
    // A seat that is taken at one server is known at the leader's table.
    let open = new_game(one, "toy", "hill", &["link", "open"]).await;
    let mut host = come(one, &open.id, open.token(0)).await;
    let body = json!({"seat": 1, "name": "Guest"}).to_string().into_bytes();
    let joined = http(
        three,
        "POST",
        &format!("/api/games/{}/join", open.id),
        &[("content-type", "application/json")],
        Some(body),
    )
    .await;
    assert_eq!(joined.status, 200, "{}", joined.text());
    loop {
        let presence = host.until("presence").await;
        if presence["seats"][1]["name"] == "Guest" {
            break;
        }
    }
    for server in [one, two, three] {
        assert_eq!(http(server, "GET", &format!("/api/games/{}", open.id), &[], None).await.status, 200);
    }
}

/// The clocks of a game as somebody is told them.
async fn clocks(client: &mut Client) -> Vec<i64> {
    client.say(json!({"look": {}})).await;
    client.until("state").await;
    serde_json::from_value(client.state["clock"]["left"].clone()).unwrap()
}

/// By how many seconds a server's wall clock is ahead of ours, by the date it writes on an answer.
async fn ahead_of_us(server: SocketAddr) -> u64 {
    const DAY: u64 = 24 * 3600;
    let ours = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs() % DAY;
    let date = http(server, "GET", "/api/health", &[], None).await.header("date").unwrap();
    let time = date.split(' ').nth(4).unwrap();
    let theirs = time.split(':').fold(0, |sum, part| sum * 60 + part.parse::<u64>().unwrap());
    (theirs + DAY - ours) % DAY
}

/// Wall clocks that jump while a server runs, and that another server has set otherwise. Linux lets a library of ours tell the time.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn a_wall_clock_that_is_wrong_takes_nobodys_seat() {
    let folder = tempfile::tempdir().unwrap();
    let (library, ahead) = (folder.path().join("clock.so"), folder.path().join("ahead"));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/clock.c");
    let built =
        std::process::Command::new("cc").args(["-shared", "-fPIC", "-o"]).arg(&library).arg(source).status();
    let Ok(built) = built else {
        eprintln!("skipped: no C compiler here to build a wrong clock with");
        return;
    };
    assert!(built.success(), "the wrong clock can't be built");
    let Some(database) = crate::postgres::Server::start() else { return };
    std::fs::write(&ahead, "0").unwrap();
    let wrong: [(&str, &Path); 2] = [("LD_PRELOAD", &library), ("TRICORNE_CLOCK_AHEAD", &ahead)];
    let (mut first, at) = start_with(&database.url(), &wrong).await;
    let body = json!({"ruleset": "toy", "scenario": "long-hill", "clock": {"seconds": 3600, "increment": 0},
        "seats": [{"kind": "hotseat"}, {"kind": "hotseat"}]});
    let headers = [("content-type", "application/json")];
    let made = http(at, "POST", "/api/games", &headers, Some(body.to_string().into_bytes())).await.json();
    let (game, token) = (made["id"].as_str().unwrap(), made["token"].as_str().unwrap());
    let mut both = come(at, game, token).await;
    for _ in 0..4 {
        pass(&mut both).await.unwrap();
        both.until("state").await;
    }
    // Somebody sets the clock two hours on, and back: both have hardly used their hour.
    for seconds in ["7200", "-7200"] {
        std::fs::write(&ahead, seconds).unwrap();
        pass(&mut both).await.unwrap();
        both.until("state").await;
        let left = clocks(&mut both).await;
        assert!(left.iter().all(|ms| (3_000_000..=3_600_000).contains(ms)), "{seconds}: {left:?}");
    }
    // The server dies, and one whose clock is two hours ahead takes over.
    std::fs::write(&ahead, "7200").unwrap();
    first.kill().await.unwrap();
    let (_second, at) = start_with(&database.url(), &wrong).await;
    let two_hours = 7_200..7_800;
    assert!(two_hours.contains(&ahead_of_us(at).await), "its clock is wrong indeed");
    let mut both = come(at, game, token).await;
    let left = clocks(&mut both).await;
    assert!(left.iter().all(|ms| (3_000_000..=3_600_000).contains(ms)), "at another server: {left:?}");
    assert!(pass(&mut both).await.is_some(), "the seats are still theirs");
}

/// How often a wrong password was looked at, of many that were tried at each of three servers in turn.
async fn guesses(servers: &[SocketAddr], of: impl Fn(usize) -> (String, String)) -> usize {
    let mut looked_at = 0;
    for i in 0..15 {
        let (from, name) = of(i);
        let headers = [("content-type", "application/json"), ("x-forwarded-for", from.as_str())];
        let body = json!({"name": name, "password": "a guess at it"}).to_string().into_bytes();
        let answer = http(servers[i % 3], "POST", "/api/login", &headers, Some(body)).await;
        assert!([401, 429].contains(&answer.status), "{}", answer.text());
        looked_at += usize::from(answer.status == 401);
    }
    looked_at
}

#[tokio::test(flavor = "multi_thread")]
async fn more_servers_are_no_more_tries_at_a_password() {
    let Some(database) = crate::postgres::Server::start() else { return };
    let (mut servers, mut tasks) = (Vec::new(), tokio::task::JoinSet::new());
    for _ in 0..3 {
        let mut config = ServerConfig::local(SYSTEMS, database.url());
        config.behind_proxy = true;
        config.limits.passwords_burst = 2;
        let server = Server::bind(config).await.unwrap();
        servers.push(server.address().unwrap());
        tasks.spawn(async move { server.run(std::future::pending()).await.unwrap() });
    }
    // At one name from everywhere, and from one address at every name. What is forgiven meanwhile may be tried again.
    let began = Instant::now();
    let looked_at = guesses(&servers, |i| (format!("192.0.2.{i}"), "Anna".into())).await;
    let forgiven = 1 + began.elapsed().as_secs() as usize / 10;
    assert!((2..=2 + forgiven).contains(&looked_at), "{looked_at} tries at a name");
    let began = Instant::now();
    let looked_at = guesses(&servers, |i| ("198.51.100.1".into(), format!("nobody-{i}"))).await;
    let forgiven = 1 + began.elapsed().as_secs() as usize;
    assert!((2..=2 + forgiven).contains(&looked_at), "{looked_at} tries of an address");
}

/// Plays games through whichever servers are there, and counts what was acknowledged.
#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_a_dead_server_go_on_at_another() {
    let Some(database) = crate::postgres::Server::start() else { return };
    let url = database.url();
    let mut servers = Vec::new();
    for _ in 0..3 {
        servers.push(start(&url).await);
    }
    let kills = std::env::var("TRICORNE_KILLS").ok().and_then(|k| k.parse().ok()).unwrap_or(2);
    let mut jumps = Jumps(11);
    let mut games: Vec<(Made, u64)> = Vec::new();
    for i in 0..6 {
        let made = new_game(servers[i % 3].1, "toy", "long-hill", &["hotseat", "hotseat"]).await;
        games.push((made, 0));
    }
    // And one that programs play by themselves, with nobody there.
    let alone = new_game(servers[0].1, "toy", "long-hill", &["program:random", "program:random"]).await;
    let mut longest = Duration::ZERO;
    for _ in 0..kills {
        let mut clients = Vec::new();
        for (game, _) in &games {
            let at = servers[jumps.next() % 3].1;
            clients.push(come(at, &game.id, game.token(0)).await);
        }
        for ((_, acknowledged), client) in games.iter_mut().zip(&mut clients) {
            for _ in 0..4 {
                if let Some(n) = pass(client).await {
                    *acknowledged = n;
                    client.until("state").await;
                }
            }
        }
        let dead = jumps.next() % 3;
        servers[dead].0.kill().await.unwrap();
        let killed = Instant::now();
        let living = servers[(dead + 1) % 3].1;
        for (game, acknowledged) in &mut games {
            let mut client = come(living, &game.id, game.token(0)).await;
            assert!(client.n() >= *acknowledged, "{} of {acknowledged} acknowledged are there", client.n());
            *acknowledged = pass(&mut client).await.expect("it goes on");
        }
        longest = longest.max(killed.elapsed());
        let (child, address) = start(&url).await;
        servers[dead] = (child, address);
    }
    println!("the longest silence after a kill: {longest:?}");
    let before = http(servers[0].1, "GET", &format!("/api/games/{}", alone.id), &[], None).await.json();
    crate::support::until(async || {
        let now = http(servers[0].1, "GET", &format!("/api/games/{}", alone.id), &[], None).await.json();
        now["status"] != "playing" || now["n"].as_u64() > before["n"].as_u64()
    })
    .await;
    drop(servers);
    // Everything that was acknowledged is kept, and comes to the same state again.
    let store = Store::open(&url).await.unwrap();
    for (game, acknowledged) in &games {
        assert!(store.actions(&game.id).await.unwrap().len() as u64 >= *acknowledged);
    }
    store.close().await;
    let office = tricorne_server::Office::open(&url).await.unwrap();
    for checked in office.check_games(SYSTEMS).await.unwrap() {
        assert_eq!(checked.fate, tricorne_server::Fate::GoesOn, "{checked:?}");
    }
    office.close().await;
}
