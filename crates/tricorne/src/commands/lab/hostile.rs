//! Clients that mean no good, for `tricorne lab load --hostile`: each comes from an address of its own and does one kind of its
//! worst without a pause, as hard as the server lets it.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpSocket, TcpStream};
use tokio::process::{Child, Command};
use tokio::time::timeout;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tricorne_game::Source;

use crate::commands::say;
use crate::failure::Outcome;

/// What they do, one kind a client in turn.
const KINDS: [Kind; 20] = [
    Kind::HugeFiles,
    Kind::FilesJustSmallEnough,
    Kind::Odds,
    Kind::Candidates,
    Kind::Replays,
    Kind::Generals,
    Kind::HalfRequests,
    Kind::Lists,
    Kind::DeafPictures,
    Kind::Passwords,
    Kind::PackedDocuments,
    Kind::SlowReaders,
    Kind::IdleConnections,
    Kind::GamesWithoutEnd,
    Kind::DeepJson,
    Kind::TinyRequests,
    Kind::Talk,
    Kind::Nonsense,
    Kind::LongNames,
    Kind::Pairings,
];

#[derive(Clone, Copy, Debug)]
enum Kind {
    /// Scenarios with outlines of ten thousand corners.
    HugeFiles,
    /// Scenarios as big as they may be, looked over and drawn.
    FilesJustSmallEnough,
    /// Odds of everything, on many connections.
    Odds,
    /// Hundreds of suggestions, again and again.
    Candidates,
    /// A battle looked back on at every moment.
    Replays,
    /// Battle after battle between generals that nobody watches.
    Generals,
    /// Requests begun and not ended.
    HalfRequests,
    /// Every list there is.
    Lists,
    /// Pictures asked for and never read.
    DeafPictures,
    /// Passwords guessed.
    Passwords,
    /// The longest documents, packed each time.
    PackedDocuments,
    /// Long answers asked for and read a byte at a time.
    SlowReaders,
    /// Connections of every kind that say nothing.
    IdleConnections,
    /// As many games of programs as it is let.
    GamesWithoutEnd,
    /// Lists in lists in lists.
    DeepJson,
    /// Nothing much, as often as can be, on connections that are kept.
    TinyRequests,
    /// Everything that may be said at a table, as long as it may be.
    Talk,
    /// Messages that are none, and actions of every form.
    Nonsense,
    /// Names, titles and texts as long as fit.
    LongNames,
    /// Evenings of two hundred who have met often.
    Pairings,
}

/// An address of this machine for the `i`-th client of a kind. Linux answers to all of 127.0.0.0/8; elsewhere they share one.
pub fn address_of(street: u8, i: usize) -> Ipv4Addr {
    if !cfg!(target_os = "linux") {
        return Ipv4Addr::LOCALHOST;
    }
    Ipv4Addr::new(127, street, (i / 250) as u8, (i % 250 + 1) as u8)
}

/// A connection from an address of one's own.
pub async fn connect(from: Ipv4Addr, to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.set_reuseaddr(true)?;
    socket.bind((from, 0).into())?;
    let stream = socket.connect(to).await?;
    stream.set_nodelay(true)?;
    Ok(stream)
}

/// Clients let loose, in a process of their own: however busy they are, those who play beside them have their own time.
pub struct Foes {
    process: Child,
    /// How many there are.
    pub clients: usize,
    asked: Arc<AtomicU64>,
}

impl Foes {
    /// Lets so many loose on a server.
    pub fn let_loose(clients: usize, server: SocketAddr, scenario: &str) -> std::io::Result<Self> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["lab", "load", scenario, "--hostile", &clients.to_string()])
            .args(["--be-hostile-to", &server.to_string()])
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let asked = Arc::new(AtomicU64::new(0));
        if let Some(out) = process.stdout.take() {
            let (mut lines, asked) = (BufReader::new(out).lines(), Arc::clone(&asked));
            tokio::spawn(async move {
                while let Ok(Some(line)) = lines.next_line().await {
                    asked.store(line.parse().unwrap_or_default(), Ordering::Relaxed);
                }
            });
        }
        Ok(Self { process, clients, asked })
    }

    /// Ends them; what they have asked for.
    pub async fn stop(mut self) -> std::io::Result<u64> {
        self.process.kill().await?;
        Ok(self.asked.load(Ordering::Relaxed))
    }
}

/// Does its worst until it is killed, or nobody hears any more how much was asked for.
pub async fn be_hostile(
    clients: usize,
    server: SocketAddr,
    ruleset: &'static str,
    scenario: &Source,
) -> Outcome {
    let asked = Arc::new(AtomicU64::new(0));
    for i in 0..clients {
        let foe = Foe {
            from: address_of(66, i),
            server,
            ruleset,
            scenario: scenario.name.trim_end_matches(".toml").to_owned(),
            text: scenario.text.clone(),
            asked: Arc::clone(&asked),
        };
        let kind = KINDS.get(i % KINDS.len()).copied().unwrap_or(Kind::Lists);
        tokio::spawn(async move { foe.go_on(kind).await });
    }
    loop {
        tokio::time::sleep(Duration::from_millis(100)).await;
        say(&asked.load(Ordering::Relaxed).to_string())?;
    }
}

struct Foe {
    from: Ipv4Addr,
    server: SocketAddr,
    ruleset: &'static str,
    scenario: String,
    text: String,
    asked: Arc<AtomicU64>,
}

type Live = WebSocketStream<TcpStream>;

impl Foe {
    async fn go_on(&self, kind: Kind) {
        loop {
            // Being refused, cut off or let go is what they expect; they come again.
            let _ = timeout(Duration::from_secs(20), self.once(kind)).await;
            tokio::task::yield_now().await;
        }
    }

    async fn once(&self, kind: Kind) -> Option<()> {
        match kind {
            Kind::HugeFiles => {
                let text =
                    format!("{}\n[[terrain]]\nkind = \"wood\"\noutline = [{}]\n", self.text, corners(10_000));
                self.post("/api/scenarios", &json!({"name": "huge.toml", "text": text})).await.map(drop)
            }
            Kind::FilesJustSmallEnough => {
                let piece = format!("[[terrain]]\nkind = \"wood\"\noutline = [{}]\n", corners(250));
                let text = format!("{}\n{}", self.text, piece.repeat(30));
                let body = json!({"ruleset": self.ruleset, "text": text});
                self.post("/api/drafts", &body).await?;
                self.post("/api/drafts/picture", &body).await.map(drop)
            }
            Kind::Odds => {
                self.flood(|list| list.iter().map(|a| json!({"odds": {"action": a}})).collect()).await
            }
            Kind::Candidates => {
                self.flood(|_| {
                    vec![json!({"candidates": {"n": 500}}), json!({"legal": {}}), json!({"picture": {}})]
                })
                .await
            }
            Kind::Replays => {
                let (game, _) = self.new_game("hotseat").await?;
                for n in 0..50 {
                    self.get(&format!("/api/games/{game}/replay")).await?;
                    self.get(&format!("/api/games/{game}/view?n={n}")).await?;
                    self.get(&format!("/api/games/{game}/picture.svg?n=0")).await?;
                }
                Some(())
            }
            Kind::Generals => self.new_game("program:general").await.map(drop),
            Kind::HalfRequests => {
                let mut held = Vec::new();
                for _ in 0..300 {
                    let mut stream = connect(self.from, self.server).await.ok()?;
                    let _ =
                        stream.write_all(b"POST /api/games HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-le").await;
                    self.count();
                    held.push(stream);
                }
                tokio::time::sleep(Duration::from_secs(5)).await;
                Some(())
            }
            Kind::Lists => {
                for path in
                    ["/api/games", "/api/scenarios", "/api/rulesets", "/api/openapi.json", "/api/schema"]
                {
                    self.get(path).await?;
                }
                self.get(&format!("/api/rules/{}", self.ruleset)).await.map(drop)
            }
            Kind::DeafPictures => {
                let (game, token) = self.new_game("hotseat").await?;
                let mut live = self.join(&game, &token).await?;
                loop {
                    self.count();
                    live.send(Message::text(json!({"picture": {}}).to_string())).await.ok()?;
                }
            }
            Kind::Passwords => {
                let guess = json!({"name": "keeper", "password": "a guess at it"});
                self.post("/api/login", &guess).await.map(drop)
            }
            Kind::PackedDocuments => {
                let rules = format!("/api/rules/{}", self.ruleset);
                let sheet = format!("/api/sheets/{}", self.ruleset);
                for path in ["/api/openapi.json", "/api/schema", &rules, &sheet] {
                    self.raw(&format!(
                        "GET {path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-encoding: gzip\r\nconnection: close\r\n\r\n"
                    ))
                    .await?
                    .read_to_end(&mut Vec::new())
                    .await
                    .ok()?;
                }
                Some(())
            }
            Kind::SlowReaders => {
                let mut held = Vec::new();
                for _ in 0..200 {
                    let ask = "GET /api/openapi.json HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n".repeat(20);
                    held.push(self.raw(&ask).await?);
                }
                for _ in 0..15 {
                    tokio::time::sleep(Duration::from_secs(1)).await;
                    for stream in &mut held {
                        let _ = stream.try_read(&mut [0]);
                    }
                }
                Some(())
            }
            Kind::IdleConnections => {
                let mut held = Vec::new();
                for k in 0..200 {
                    let ask = if k % 2 == 0 { "" } else { "GET /api/live HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n" };
                    held.push(self.raw(ask).await?);
                }
                tokio::time::sleep(Duration::from_secs(10)).await;
                Some(())
            }
            Kind::GamesWithoutEnd => self.new_game("program:subaltern").await.map(drop),
            Kind::DeepJson => {
                let deep = format!("{}{}", "[".repeat(30_000), "]".repeat(30_000));
                self.request("POST", "/api/pairings", &deep).await?;
                let toml = format!("x = {}{}", "[".repeat(100_000), "]".repeat(100_000));
                self.post("/api/scenarios", &json!({"name": "deep.toml", "text": toml})).await.map(drop)
            }
            Kind::TinyRequests => {
                let ask = "GET /api/health HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";
                let mut stream = self.raw(&ask.repeat(500)).await?;
                self.asked.fetch_add(500, Ordering::Relaxed);
                let mut some = vec![0; 64 * 1024];
                while let Ok(Ok(1..)) = timeout(Duration::from_millis(500), stream.read(&mut some)).await {}
                Some(())
            }
            Kind::Talk => {
                let long = "talk ".repeat(99);
                self.flood(|_| vec![json!({"chat": {"text": long}}), json!({"chat": {"text": "x".repeat(60_000)}})]).await
            }
            Kind::Nonsense => {
                self.flood(|list| {
                    let huge = json!({"act": {"n": u64::MAX, "action": list}});
                    let number = json!({"check": {"action": {"move": {"unit": "R1", "to": [1e308, -1e308]}}}});
                    let steer = json!({"steer": {"place": [1e300, 1e300], "unit": "R1", "by": vec![[0.0, 0.0]; 2_000]}});
                    vec![huge, number, steer, json!({"candidates": {"n": u32::MAX}}), json!({"look": {"seat": 250}})]
                })
                .await
            }
            Kind::LongNames => {
                let long = "n".repeat(50_000);
                self.post("/api/register", &json!({"name": long, "password": long})).await?;
                let wish = json!({"ruleset": self.ruleset, "scenario": self.scenario, "title": long,
                    "seats": [{"kind": "me", "name": long}, {"kind": "open"}]});
                self.post("/api/games", &wish).await.map(drop)
            }
            Kind::Pairings => {
                let players: Vec<String> = (0..200).map(|k| format!("p{k}")).collect();
                let round = |r: usize| -> Vec<Value> {
                    (0..100).map(|k| json!({"first": format!("p{k}"), "second": format!("p{}", 100 + (k + r) % 100)})).collect()
                };
                let rounds: Vec<_> = (0..12).map(round).collect();
                self.post("/api/pairings", &json!({"way": "swiss", "players": players, "rounds": rounds})).await.map(drop)
            }
        }
    }

    fn count(&self) {
        self.asked.fetch_add(1, Ordering::Relaxed);
    }

    /// Asks without a pause at a game of its own; what, follows from some legal answers.
    async fn flood(&self, asks: impl Fn(&[Value]) -> Vec<Value>) -> Option<()> {
        let (game, token) = self.new_game("hotseat").await?;
        let mut live = self.join(&game, &token).await?;
        live.send(Message::text(json!({"id": 1, "candidates": {"n": 50}}).to_string())).await.ok()?;
        let list = loop {
            if let Message::Text(text) = live.next().await?.ok()? {
                let said: Value = serde_json::from_str(&text).ok()?;
                if said["id"] == 1 {
                    break said["candidates"]["list"].as_array().cloned().unwrap_or_default();
                }
            }
        };
        let asks = asks(&list);
        for ask in asks.iter().cycle().take(3_000) {
            self.count();
            live.send(Message::text(ask.to_string())).await.ok()?;
            // It reads what is there and does not wait for it.
            while let Ok(said) = timeout(Duration::from_millis(2), live.next()).await {
                said?.ok()?;
            }
        }
        Some(())
    }

    async fn new_game(&self, kind: &str) -> Option<(String, String)> {
        let wish = json!({"ruleset": self.ruleset, "scenario": self.scenario,
            "seats": [{"kind": kind}, {"kind": kind}]});
        let made = self.post("/api/games", &wish).await?;
        let text = |v: &Value| v.as_str().map(str::to_owned);
        let id = text(&made["id"]);
        if id.is_none() {
            // Over its ration: a moment, so that this program is not the one that is kept busy.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Some((id?, text(&made["token"]).unwrap_or_default()))
    }

    async fn join(&self, game: &str, token: &str) -> Option<Live> {
        let stream = connect(self.from, self.server).await.ok()?;
        let url = format!("ws://{}/api/games/{game}/live", self.server);
        let (mut live, _) = tokio_tungstenite::client_async(url, stream).await.ok()?;
        live.send(Message::text(json!({"hello": {"token": token}}).to_string())).await.ok()?;
        Some(live)
    }

    /// A connection on which so much has been said.
    async fn raw(&self, text: &str) -> Option<TcpStream> {
        self.count();
        let mut stream = connect(self.from, self.server).await.ok()?;
        stream.write_all(text.as_bytes()).await.ok()?;
        Some(stream)
    }

    async fn get(&self, path: &str) -> Option<Value> {
        self.request("GET", path, "").await
    }

    async fn post(&self, path: &str, body: &Value) -> Option<Value> {
        self.request("POST", path, &body.to_string()).await
    }

    async fn request(&self, method: &str, path: &str, body: &str) -> Option<Value> {
        self.count();
        request(self.from, self.server, method, path, body).await.ok()
    }
}

/// One request over a connection of its own; the answer, null if it is no JSON.
pub async fn request(
    from: Ipv4Addr,
    server: SocketAddr,
    method: &str,
    path: &str,
    body: &str,
) -> std::io::Result<Value> {
    let mut stream = connect(from, server).await?;
    let head = format!(
        "{method} {path} HTTP/1.1\r\nhost: {server}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    // It may have been refused before all of it was said.
    let _ = stream.write_all(body.as_bytes()).await;
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer).await;
    let split = answer.windows(4).position(|w| w == b"\r\n\r\n").map_or(answer.len(), |at| at + 4);
    Ok(serde_json::from_slice(answer.get(split..).unwrap_or_default()).unwrap_or_default())
}

/// Corners of an outline that goes up and down without crossing itself.
fn corners(n: usize) -> String {
    let up = (0..n - 2).map(|i| format!("[{}, {}]", 1.0 + i as f64 * 0.04, 3.0 + (i % 2) as f64));
    let end = format!("[{}, 1.0]", 1.0 + n as f64 * 0.04);
    up.chain([end, "[0.5, 1.0]".to_owned()]).collect::<Vec<_>>().join(", ")
}
