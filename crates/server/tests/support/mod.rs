//! A real server on a port of this machine, and clients that speak to it.
#![allow(dead_code)]

pub mod toy;

use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream};
use tricorne_game::AnySystem;
use tricorne_server::{Server, ServerConfig};

pub static SYSTEMS: &[&dyn AnySystem] = &[
    &toy::Toy,
    &tricorne_rules_would_be_kings::WouldBeKings,
    &tricorne_rules_seven_years_war::SevenYearsWar,
];

/// A server in this process, on a database of its own.
pub struct Serving {
    pub address: SocketAddr,
    pub url: String,
    pub instruments: Option<SocketAddr>,
    _folder: tempfile::TempDir,
    task: tokio::task::JoinHandle<()>,
}

impl Serving {
    pub async fn start() -> Self {
        Self::with(|_| {}).await
    }

    pub async fn with(change: impl FnOnce(&mut ServerConfig)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("games.db").display());
        let mut config = ServerConfig::local(SYSTEMS, url.clone());
        change(&mut config);
        let server = Server::bind(config).await.unwrap();
        let (address, instruments) = (server.address().unwrap(), server.instruments());
        let task = tokio::spawn(async move { server.run(std::future::pending()).await.unwrap() });
        Self { address, url, instruments, _folder: folder, task }
    }

    pub async fn get(&self, path: &str) -> Answer {
        http(self.address, "GET", path, &[], None).await
    }

    pub async fn post(&self, path: &str, body: Value) -> Answer {
        http(
            self.address,
            "POST",
            path,
            &[("content-type", "application/json")],
            Some(body.to_string().into_bytes()),
        )
        .await
    }

    pub async fn new_game(&self, seats: &[&str]) -> Made {
        self.new_game_of("toy", "hill", seats).await
    }

    pub async fn new_game_of(&self, ruleset: &str, scenario: &str, seats: &[&str]) -> Made {
        new_game(self.address, ruleset, scenario, seats).await
    }

    /// What one of its instruments reads.
    pub async fn reads(&self, name: &str) -> f64 {
        let at = self.instruments.expect("instruments are asked for");
        let text = http(at, "GET", "/metrics", &[], None).await.text();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap();
        line.parse().unwrap()
    }

    pub async fn connect(&self, game: &str) -> Client {
        Client::connect(self.address, game).await
    }

    /// A client that has said hello with a token and heard where the battle stands.
    pub async fn join(&self, game: &str, token: Option<&str>) -> Client {
        let mut client = self.connect(game).await;
        client.hello(token).await;
        client
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub struct Made {
    pub id: String,
    pub tokens: Vec<Option<String>>,
}

impl Made {
    pub fn token(&self, seat: usize) -> &str {
        self.tokens[seat].as_deref().unwrap()
    }
}

pub async fn new_game(address: SocketAddr, ruleset: &str, scenario: &str, seats: &[&str]) -> Made {
    let seats: Vec<Value> = seats.iter().map(|k| json!({"kind": k})).collect();
    let body = json!({"ruleset": ruleset, "scenario": scenario, "seats": seats});
    let answer = http(
        address,
        "POST",
        "/api/games",
        &[("content-type", "application/json")],
        Some(body.to_string().into_bytes()),
    )
    .await;
    assert_eq!(answer.status, 201, "{}", answer.text());
    let made = answer.json();
    Made {
        id: made["id"].as_str().unwrap().into(),
        tokens: made["seats"]
            .as_array()
            .unwrap()
            .iter()
            .map(|s| s["token"].as_str().map(Into::into))
            .collect(),
    }
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|e| panic!("{e}: {}", self.text()))
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn kind(&self) -> String {
        self.json()["error"]["kind"].as_str().unwrap_or_default().into()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }
}

/// One request over a connection of its own.
pub async fn http(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<Vec<u8>>,
) -> Answer {
    try_http(address, method, path, headers, body).await.unwrap()
}

pub async fn try_http(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: Option<Vec<u8>>,
) -> std::io::Result<Answer> {
    let mut stream = TcpStream::connect(address).await?;
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n");
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    let body = body.unwrap_or_default();
    head.push_str(&format!("content-length: {}\r\n\r\n", body.len()));
    stream.write_all(head.as_bytes()).await?;
    // A server that has read enough may close before it has read all.
    let _ = stream.write_all(&body).await;
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes).await;
    let split = bytes.windows(4).position(|w| w == b"\r\n\r\n");
    let split = split.ok_or_else(|| std::io::Error::other("no answer"))?;
    let head = String::from_utf8_lossy(&bytes[..split]).into_owned();
    let mut body = bytes[split + 4..].to_vec();
    if head.to_lowercase().contains("transfer-encoding: chunked") {
        body = unchunk(&body);
    }
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or_default();
    Ok(Answer { status, head, body })
}

fn unchunk(mut bytes: &[u8]) -> Vec<u8> {
    let mut whole = Vec::new();
    while let Some(end) = bytes.windows(2).position(|w| w == b"\r\n") {
        let size = usize::from_str_radix(std::str::from_utf8(&bytes[..end]).unwrap().trim(), 16).unwrap();
        if size == 0 {
            break;
        }
        whole.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[end + 4 + size..];
    }
    whole
}

pub type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// A player, a spectator, or somebody who means no good.
pub struct Client {
    pub socket: Socket,
    /// The last state heard.
    pub state: Value,
    /// Every text heard, for tests of secrets.
    pub heard: Vec<String>,
    pub over: Option<Value>,
}

impl Client {
    pub async fn connect(address: SocketAddr, game: &str) -> Self {
        Self::try_connect(address, game).await.unwrap()
    }

    pub async fn try_connect(address: SocketAddr, game: &str) -> Option<Self> {
        let url = format!("ws://{address}/api/games/{game}/live");
        let (socket, _) = tokio_tungstenite::connect_async(url).await.ok()?;
        Some(Self { socket, state: Value::Null, heard: Vec::new(), over: None })
    }

    pub async fn say(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).await.unwrap();
    }

    pub async fn try_say(&mut self, message: Value) -> bool {
        self.socket.send(Message::text(message.to_string())).await.is_ok()
    }

    /// The next message; none if the connection is closed.
    pub async fn hear(&mut self) -> Option<Value> {
        loop {
            let next = patient(self.socket.next()).await;
            match next {
                Some(Ok(Message::Text(text))) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    self.heard.push(text.to_string());
                    if value.get("state").is_some() {
                        self.state = value["state"].clone();
                    }
                    if value.get("over").is_some() {
                        self.over = Some(value["over"].clone());
                    }
                    return Some(value);
                }
                Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                Some(Ok(_)) => {}
            }
        }
    }

    /// Hears until a message of that kind comes.
    pub async fn until(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().await.unwrap_or_else(|| panic!("closed while waiting for {kind}"));
            if let Some(inner) = message.get(kind) {
                return inner.clone();
            }
        }
    }

    /// The answer to a request of that number.
    pub async fn answer(&mut self, id: u64) -> Value {
        loop {
            let message = self.hear().await.expect("closed while waiting for an answer");
            if message["id"] == id {
                return message;
            }
        }
    }

    pub async fn ask(&mut self, id: u64, mut message: Value) -> Value {
        message["id"] = id.into();
        self.say(message).await;
        self.answer(id).await
    }

    pub async fn hello(&mut self, token: Option<&str>) {
        self.say(json!({"hello": {"token": token}})).await;
        self.until("state").await;
    }

    pub fn n(&self) -> u64 {
        self.state["n"].as_u64().unwrap()
    }

    pub fn yours(&self) -> bool {
        self.state["yours"].as_bool().unwrap()
    }

    pub fn pending_seat(&self) -> Option<u64> {
        self.state["pending"]["decision"]["seat"].as_u64()
    }

    /// Takes an action and hears the state that follows.
    pub async fn act(&mut self, action: Value) -> Value {
        let n = self.n();
        let answer = self.ask(n + 1_000_000, json!({"act": {"n": n, "action": action}})).await;
        if answer.get("acted").is_some() {
            self.until("state").await;
        }
        answer
    }

    /// Any legal answer, as the server offers them.
    pub async fn candidate(&mut self, pick: usize) -> Value {
        let answer = self.ask(7_000_000, json!({"candidates": {"n": 30}})).await;
        let list = answer["candidates"]["list"].as_array().unwrap_or_else(|| panic!("{answer}")).clone();
        list[pick % list.len()].clone()
    }
}

/// Nothing in these tests takes so long.
pub async fn patient<T>(future: impl Future<Output = T>) -> T {
    timeout(Duration::from_mins(1), future).await.expect("nothing came for a minute")
}

/// Waits until something holds.
pub async fn until(holds: impl AsyncFn() -> bool) {
    patient(async {
        while !holds().await {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
}

/// A number that jumps about, the same each time.
pub struct Jumps(pub u64);

impl Jumps {
    pub fn next(&mut self) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize
    }
}
