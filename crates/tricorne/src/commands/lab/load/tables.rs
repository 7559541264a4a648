//! The tables of `lab load`: a game with a connection for each seat, played by a battle that was fought out beforehand.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tricorne_chance::Whim;
use tricorne_game::{AnySystem, Choices, Source, Umpire};

use crate::commands::lab::hostile;
use crate::failure::Failure;

/// How long a player comes again and again to a game whose server has gone.
const PATIENCE: Duration = Duration::from_mins(1);

/// Where there are servers now; any of them will do.
#[derive(Clone, Default)]
pub struct Addresses(Arc<Mutex<Vec<SocketAddr>>>);

impl Addresses {
    /// These and no others.
    pub fn set(&self, addresses: Vec<SocketAddr>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = addresses;
    }

    /// One of them, by a number.
    pub fn one(&self, i: usize) -> Result<SocketAddr, Failure> {
        let list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.get(i % list.len().max(1)).copied().ok_or_else(|| Failure::wrong("there is no server"))
    }
}

/// A battle fought out beforehand.
pub struct Script {
    /// The rule system.
    pub ruleset: &'static str,
    /// The scenario.
    pub scenario: String,
    seed: u64,
    /// How many play.
    pub seats: usize,
    /// The seat and the action as JSON.
    pub actions: Vec<(usize, String)>,
}

impl Script {
    /// Fights one out.
    pub fn fight(system: &'static dyn AnySystem, scenario: &Source, seed: u64) -> Result<Self, Failure> {
        let mut umpire = Umpire::begin(system, scenario, &Choices::default(), seed.into())?;
        let mut whim = Whim::new(seed, 0);
        let mut actions = Vec::new();
        while let Some(seat) = umpire.battle().seat().filter(|_| actions.len() < 2000) {
            let action = umpire.battle().sample(&mut whim);
            umpire.act(seat, &action).map_err(Failure::wrong)?;
            actions.push((seat.index(), action.to_string()));
        }
        let scenario = scenario.name.trim_end_matches(".toml").to_owned();
        Ok(Self { ruleset: system.about().id, scenario, seed, seats: umpire.battle().seats().len(), actions })
    }

    /// A new game of it on a server: its id, and the token of each seat.
    async fn new_game(&self, from: Ipv4Addr, address: SocketAddr) -> Result<(String, Vec<String>), Failure> {
        let seats = vec![json!({"kind": "link"}); self.seats];
        let wish = json!({
            "ruleset": self.ruleset, "scenario": self.scenario, "seed": self.seed.to_string(), "seats": seats
        });
        let made = hostile::request(from, address, "POST", "/api/games", &wish.to_string()).await?;
        let text = |v: &Value| v.as_str().map(str::to_owned);
        let tokens =
            made["seats"].as_array().into_iter().flatten().filter_map(|s| text(&s["token"])).collect();
        match text(&made["id"]) {
            Some(id) => Ok((id, tokens)),
            None => Err(Failure::wrong(format!("no game was made: {made}"))),
        }
    }

    /// A game of it that programs play by themselves.
    pub async fn leave_to_programs(&self, i: usize, servers: &Addresses, level: &str) -> Result<(), Failure> {
        let seats = vec![json!({"kind": format!("program:{level}")}); self.seats];
        let wish = json!({"ruleset": self.ruleset, "scenario": self.scenario, "seats": seats}).to_string();
        let from = hostile::address_of(2, i);
        let made = hostile::request(from, servers.one(i)?, "POST", "/api/games", &wish).await?;
        if made["id"].is_string() { Ok(()) } else { Err(Failure::wrong(format!("no game was made: {made}"))) }
    }
}

/// The script of a battle by its number: they take turns.
pub fn script(scripts: &[Script], i: usize) -> Result<&Script, Failure> {
    scripts.get(i % scripts.len().max(1)).ok_or_else(|| Failure::wrong("there is nothing to play"))
}

type Socket = WebSocketStream<TcpStream>;

/// A game with a connection for each seat.
pub struct Table {
    i: usize,
    /// Its id.
    pub game: String,
    tokens: Vec<String>,
    views: String,
    seats: Vec<Socket>,
    /// The last action that was said to be on disk.
    pub acknowledged: usize,
}

impl Table {
    /// Lays the `i`-th table, whose players come from an address of their own.
    pub async fn lay(i: usize, servers: &Addresses, script: &Script, views: &str) -> Result<Self, Failure> {
        let address = servers.one(i)?;
        let (game, tokens) = script.new_game(hostile::address_of(1, i), address).await?;
        let mut table = Self { i, game, tokens, views: views.into(), seats: Vec::new(), acknowledged: 0 };
        table.come(address).await?;
        Ok(table)
    }

    /// The same where servers die: until it is laid.
    pub async fn lay_anyhow(
        i: usize,
        servers: &Addresses,
        script: &Script,
        views: &str,
    ) -> Result<Self, Failure> {
        let late = Instant::now() + PATIENCE;
        let mut tries = i;
        loop {
            match Self::lay(tries, servers, script, views).await {
                Ok(table) => return Ok(Self { i, ..table }),
                Err(e) if Instant::now() > late => return Err(e),
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
            tries += 1;
        }
    }

    /// Keeps one connection only.
    pub fn keep_one(&mut self) {
        self.seats.truncate(1);
    }

    /// Everybody comes to the table at a server; how many actions have been taken.
    async fn come(&mut self, address: SocketAddr) -> Result<usize, Failure> {
        self.seats.clear();
        let from = hostile::address_of(1, self.i);
        let mut taken = 0;
        for token in &self.tokens {
            let url = format!("ws://{address}/api/games/{}/live", self.game);
            let stream = hostile::connect(from, address).await?;
            let (mut socket, _) =
                tokio_tungstenite::client_async(url, stream).await.map_err(Failure::wrong)?;
            let hello =
                json!({"hello": {"token": token, "views": self.views, "since": 1_000_000_000}}).to_string();
            socket.send(Message::text(hello)).await.map_err(Failure::wrong)?;
            let state = hear(&mut socket, STATE).await?;
            let n = state.strip_prefix(STATE).and_then(|rest| rest.split(',').next());
            taken =
                n.and_then(|n| n.parse().ok()).ok_or_else(|| Failure::wrong("a state without a number"))?;
            self.seats.push(socket);
        }
        Ok(taken)
    }

    /// Comes again, to whichever server is there; how many actions have been taken. Fails if one is missing that was
    /// acknowledged.
    pub async fn come_again(&mut self, servers: &Addresses) -> Result<usize, Failure> {
        let late = Instant::now() + PATIENCE;
        for i in self.i.. {
            let come = tokio::time::timeout(Duration::from_secs(15), self.come(servers.one(i)?)).await;
            match come {
                Ok(Ok(taken)) if taken < self.acknowledged => {
                    return Err(Failure::No(format!(
                        "game {}: {} actions were acknowledged and {taken} are there",
                        self.game, self.acknowledged
                    )));
                }
                Ok(Ok(taken)) => return Ok(taken),
                _ if Instant::now() > late => break,
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
        Err(Failure::No(format!("game {}: nobody answers", self.game)))
    }

    /// Takes an action; how long until it was on disk. Then everybody hears where the battle stands.
    pub async fn act(&mut self, n: usize, seat: usize, action: &str) -> Result<Duration, Failure> {
        let sent = Instant::now();
        let socket = self.seats.get_mut(seat).ok_or_else(|| Failure::wrong("a seat too few"))?;
        let text = format!("{{\"id\":{n},\"act\":{{\"n\":{n},\"action\":{action}}}}}");
        socket.send(Message::text(text)).await.map_err(Failure::wrong)?;
        hear(socket, &format!("{{\"id\":{n},\"acted\":")).await?;
        let took = sent.elapsed();
        self.acknowledged = n + 1;
        let state = format!("{STATE}{},", n + 1);
        for socket in &mut self.seats {
            hear(socket, &state).await?;
        }
        Ok(took)
    }

    /// Asks for something that changes nothing; how long until it was answered.
    pub async fn ask(&mut self, seat: usize, ask: &str) -> Result<Duration, Failure> {
        let sent = Instant::now();
        let socket = self.seats.get_mut(seat).ok_or_else(|| Failure::wrong("a seat too few"))?;
        socket.send(Message::text(format!("{{\"id\":1000000,{ask}}}"))).await.map_err(Failure::wrong)?;
        hear(socket, "{\"id\":1000000,").await?;
        Ok(sent.elapsed())
    }
}

const STATE: &str = "{\"state\":{\"n\":";

/// Hears until a message begins so; the message.
async fn hear(socket: &mut Socket, begins: &str) -> Result<String, Failure> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) if text.starts_with(begins) => return Ok(text.as_str().into()),
            Some(Ok(Message::Text(text))) if text.contains("\"refused\":") => {
                return Err(Failure::No(format!("the server refused: {text}")));
            }
            Some(Ok(Message::Close(_)) | Err(_)) | None => {
                return Err(Failure::No("the server closed a connection".into()));
            }
            Some(Ok(_)) => {}
        }
    }
}
