//! `tricorne lab load`: many battles at once over WebSocket, against a server in a process of its own, on a real file.
//!
//! Each game has a connection for every seat, and acts at its own beat. The actions are those of random battles that were
//! fought out beforehand with the same seeds, so that what is measured is the server and not the choosing. The time from
//! sending an action to hearing that it is on disk is what counts.

use std::net::{Ipv4Addr, SocketAddr};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use clap::Args;
use futures_util::{SinkExt, StreamExt};
use serde::Serialize;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;
use tricorne_chance::Whim;
use tricorne_game::{AnySystem, Choices, Source, Umpire};
use tricorne_server::{Limits, Server, ServerConfig};

use super::hostile;
use crate::commands::{json as print_json, say};
use crate::failure::{Failure, Outcome};
use crate::load;

/// How long the server under load keeps a quiet battle at hand.
const QUIET: Duration = Duration::from_secs(2);

/// In how many lots the idle games come.
const LOTS: usize = 5;

/// Battles fought out beforehand; games share them.
const SCRIPTS: u64 = 16;

/// Many battles at once against a server.
#[derive(Args, Clone)]
pub struct Load {
    /// A scenario's id
    #[arg(default_value = "crossing-the-veld")]
    scenario: String,
    /// Battles fought at the same time
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Actions a second, all battles together
    #[arg(long, default_value_t = 2500.0)]
    rate: f64,
    /// How long
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// What each connection is sent of the table: changes, full or none
    #[arg(long, default_value = "changes")]
    views: String,
    /// Games left idle afterwards, each with a player connected, to weigh them
    #[arg(long, default_value_t = 1000)]
    idle: usize,
    /// Where the games are kept; without it, a database file in the folder for temporary files
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// With so many clients beside them that do their worst (20 if no number is given), under the limits of a public server
    #[arg(long, value_name = "CLIENTS", num_args = 0..=1, default_missing_value = "20")]
    hostile: Option<usize>,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Be the server, on this database
    #[arg(long, hide = true, value_name = "URL")]
    be_the_server: Option<String>,
}

/// What was measured.
#[derive(Serialize)]
struct Report {
    scenario: String,
    games: usize,
    connections: usize,
    actions: usize,
    seconds: f64,
    actions_per_second: f64,
    /// Milliseconds from sending an action to hearing that it is on disk.
    half_ms: f64,
    ninety_ms: f64,
    ninety_nine_ms: f64,
    most_ms: f64,
    /// Clients that did their worst meanwhile, and what they asked for.
    hostile: usize,
    hostile_requests: u64,
    /// KiB the server's process grew by for each idle game with a player connected, if the system tells.
    idle_game_kib: Option<f64>,
}

impl Load {
    /// Starts the server, plays, and reports.
    pub fn run(self) -> Outcome {
        let runtime = tricorne_server::runtime()?;
        if let Some(database) = self.be_the_server {
            return runtime.block_on(be_the_server(database, self.hostile.is_some()));
        }
        if self.games == 0
            || !self.rate.is_finite()
            || self.rate <= 0.0
            || !(0.1..=3600.0).contains(&self.seconds)
        {
            return Err(Failure::wrong(
                "use --games 1 or more, --rate above 0 and --seconds from 0.1 to 3600",
            ));
        }
        if !["changes", "full", "none"].contains(&self.views.as_str()) {
            return Err(Failure::wrong(format!("--views {}: use changes, full or none", self.views)));
        }
        let (system, scenario) = load::scenario(&self.scenario)?;
        let scripts: Result<Vec<Script>, Failure> =
            (1..=SCRIPTS.min(self.games as u64)).map(|seed| Script::fight(system, &scenario, seed)).collect();
        let folder = std::env::temp_dir().join(format!("tricorne-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let database =
            self.database.clone().unwrap_or_else(|| format!("sqlite:{}", folder.join("games.db").display()));
        let measured = runtime.block_on(self.measure(&database, &scenario.text, Arc::new(scripts?)));
        std::fs::remove_dir_all(&folder)?;
        let report = measured?;
        if self.json {
            return print_json(&report);
        }
        say(&format!(
            "{}: {} battles, {} connections, {} actions in {:.1} s: {:.0} a second on disk\n\
             answered within {:.1} ms (half), {:.1} ms (90 %), {:.1} ms (99 %), {:.1} ms (all)",
            report.scenario,
            report.games,
            report.connections,
            report.actions,
            report.seconds,
            report.actions_per_second,
            report.half_ms,
            report.ninety_ms,
            report.ninety_nine_ms,
            report.most_ms
        ))?;
        if report.hostile > 0 {
            say(&format!(
                "meanwhile {} clients did their worst and asked for {} things",
                report.hostile, report.hostile_requests
            ))?;
        }
        match report.idle_game_kib {
            Some(kib) => say(&format!("an idle game with a player connected: {kib:.1} KiB")),
            None => Ok(()),
        }
    }

    async fn measure(
        &self,
        database: &str,
        text: &str,
        scripts: Arc<Vec<Script>>,
    ) -> Result<Report, Failure> {
        let (server, address) = start(database, self.hostile.is_some()).await?;
        let seats = scripts.first().map_or(2, |s| s.seats);
        // All tables are laid before the clock starts.
        let laying: Vec<_> = (0..self.games)
            .map(|i| {
                let (views, scripts) = (self.views.clone(), Arc::clone(&scripts));
                tokio::spawn(async move { Table::lay(i, address, script(&scripts, i)?, &views).await })
            })
            .collect();
        let mut tables = Vec::new();
        for table in laying {
            tables.push(table.await.map_err(Failure::wrong)??);
        }
        let foes = self.hostile.zip(scripts.first());
        let foes = foes.map(|(foes, s)| hostile::let_loose(foes, address, s.ruleset, &s.scenario, text));
        let begun = Instant::now();
        let end = begun + Duration::from_secs_f64(self.seconds);
        let players: Vec<_> = tables
            .into_iter()
            .enumerate()
            .map(|(i, table)| {
                let (load, scripts) = (self.clone(), Arc::clone(&scripts));
                tokio::spawn(async move { load.play(address, table, &scripts, i, end).await })
            })
            .collect();
        let mut took = Vec::new();
        for player in players {
            took.extend(player.await.map_err(Failure::wrong)??);
        }
        let seconds = begun.elapsed().as_secs_f64();
        let (hostile, hostile_requests) = foes.map_or((0, 0), |(tasks, asked)| {
            tasks.iter().for_each(tokio::task::JoinHandle::abort);
            (tasks.len(), asked.load(Ordering::Relaxed))
        });
        took.sort_unstable();
        let at = |p: f64| -> f64 {
            let i = (took.len().saturating_sub(1) as f64 * p) as usize;
            took.get(i).map_or(0.0, |t| t.as_secs_f64() * 1000.0)
        };
        let idle_game_kib = match &scripts.first() {
            Some(script) if self.idle > 0 => weigh(&server, address, script, self.idle).await?,
            _ => None,
        };
        Ok(Report {
            scenario: self.scenario.clone(),
            games: self.games,
            connections: self.games * seats,
            actions: took.len(),
            seconds,
            actions_per_second: took.len() as f64 / seconds,
            half_ms: at(0.5),
            ninety_ms: at(0.9),
            ninety_nine_ms: at(0.99),
            most_ms: at(1.0),
            hostile,
            hostile_requests,
            idle_game_kib,
        })
    }

    /// Plays battle after battle until `end`; how long each action took to be on disk.
    async fn play(
        &self,
        address: SocketAddr,
        mut table: Table,
        scripts: &[Script],
        i: usize,
        end: Instant,
    ) -> Result<Vec<Duration>, Failure> {
        let mut took = Vec::new();
        let beat = Duration::from_secs_f64(self.games as f64 / self.rate);
        let mut due = Instant::now() + beat.mul_f64(i as f64 / self.games as f64);
        for battle in i.. {
            if battle > i {
                table = Table::lay(i, address, script(scripts, battle)?, &self.views).await?;
            }
            for (n, (seat, action)) in script(scripts, battle)?.actions.iter().enumerate() {
                tokio::time::sleep_until(due.into()).await;
                if Instant::now() >= end {
                    return Ok(took);
                }
                // A beat that was missed is not made up for: players do not hurry because the server was slow.
                due = (due + beat).max(Instant::now());
                took.push(table.act(n, *seat, action).await?);
            }
        }
        Ok(took)
    }
}

/// The script of a battle by its number: they take turns.
fn script(scripts: &[Script], i: usize) -> Result<&Script, Failure> {
    scripts.get(i % scripts.len().max(1)).ok_or_else(|| Failure::wrong("there is nothing to play"))
}

/// A battle fought out beforehand.
struct Script {
    ruleset: &'static str,
    scenario: String,
    seed: u64,
    seats: usize,
    /// The seat and the action as JSON.
    actions: Vec<(usize, String)>,
}

impl Script {
    fn fight(system: &'static dyn AnySystem, scenario: &Source, seed: u64) -> Result<Self, Failure> {
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

    /// A new game of it on the server: its id, and the token of each seat.
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
}

type Socket = WebSocketStream<TcpStream>;

/// A game with a connection for each seat.
struct Table {
    seats: Vec<Socket>,
}

impl Table {
    /// Lays the `i`-th table, whose players come from an address of their own.
    async fn lay(i: usize, address: SocketAddr, script: &Script, views: &str) -> Result<Self, Failure> {
        let from = hostile::address_of(1, i);
        let (game, tokens) = script.new_game(from, address).await?;
        let mut seats = Vec::new();
        for token in tokens {
            let url = format!("ws://{address}/api/games/{game}/live");
            let stream = hostile::connect(from, address).await?;
            let (mut socket, _) =
                tokio_tungstenite::client_async(url, stream).await.map_err(Failure::wrong)?;
            let hello = json!({"hello": {"token": token, "views": views}}).to_string();
            socket.send(Message::text(hello)).await.map_err(Failure::wrong)?;
            hear(&mut socket, "{\"state\":").await?;
            seats.push(socket);
        }
        Ok(Self { seats })
    }

    /// Takes an action; how long until it was on disk. Then everybody hears where the battle stands.
    async fn act(&mut self, n: usize, seat: usize, action: &str) -> Result<Duration, Failure> {
        let sent = Instant::now();
        let socket = self.seats.get_mut(seat).ok_or_else(|| Failure::wrong("a seat too few"))?;
        let text = format!("{{\"id\":{n},\"act\":{{\"n\":{n},\"action\":{action}}}}}");
        socket.send(Message::text(text)).await.map_err(Failure::wrong)?;
        hear(socket, &format!("{{\"id\":{n},\"acted\":")).await?;
        let took = sent.elapsed();
        let state = format!("{{\"state\":{{\"n\":{},", n + 1);
        for socket in &mut self.seats {
            hear(socket, &state).await?;
        }
        Ok(took)
    }
}

/// Hears until a message begins so.
async fn hear(socket: &mut Socket, begins: &str) -> Result<(), Failure> {
    loop {
        match socket.next().await {
            Some(Ok(Message::Text(text))) if text.starts_with(begins) => return Ok(()),
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

/// How much the server grows by for an idle game, in KiB; none where the system does not tell.
///
/// The games come in a few lots, each left before the next is laid, as they would over days: what the server needs for
/// laying tables is needed once, and counted.
async fn weigh(
    server: &Child,
    address: SocketAddr,
    script: &Script,
    games: usize,
) -> Result<Option<f64>, Failure> {
    let Some(process) = server.id() else { return Ok(None) };
    // Longer than the server keeps a quiet battle at hand.
    let settle = QUIET + Duration::from_secs(2);
    tokio::time::sleep(settle).await;
    let before = resident(process);
    let mut tables = Vec::new();
    for lot in 0..LOTS {
        for i in games * lot / LOTS..games * (lot + 1) / LOTS {
            let mut table = Table::lay(i, address, script, "changes").await?;
            table.seats.truncate(1);
            tables.push(table);
        }
        tokio::time::sleep(settle).await;
    }
    let after = resident(process);
    Ok(before.zip(after).map(|(before, after)| after.saturating_sub(before) as f64 / games as f64))
}

/// Memory of a process in KiB, where the system tells.
fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

const READY: &str = "ready at ";

async fn start(database: &str, hostile: bool) -> Result<(Child, SocketAddr), Failure> {
    let mut child = Command::new(std::env::current_exe()?)
        .args(["lab", "load", "--be-the-server", database])
        .args(hostile.then_some("--hostile"))
        .stdout(Stdio::piped())
        .kill_on_drop(true)
        .spawn()?;
    let out = child.stdout.take().ok_or_else(|| Failure::wrong("the server says nothing"))?;
    let mut lines = BufReader::new(out).lines();
    while let Some(line) = lines.next_line().await? {
        if let Some(address) = line.strip_prefix(READY) {
            return Ok((child, address.parse().map_err(Failure::wrong)?));
        }
    }
    Err(Failure::wrong("the server did not start"))
}

async fn be_the_server(database: String, public: bool) -> Outcome {
    let mut config = ServerConfig::local(tricorne_shelf::systems(), database);
    if public {
        config.limits = Limits::public();
    }
    config.limits.idle = QUIET;
    if !public {
        config.limits.connections_per_address = 100_000;
    }
    let server = Server::bind(config).await.map_err(Failure::wrong)?;
    say(&format!("{READY}{}", server.address().map_err(Failure::wrong)?))?;
    server.run(tricorne_server::told_to_stop()).await.map_err(Failure::wrong)
}
