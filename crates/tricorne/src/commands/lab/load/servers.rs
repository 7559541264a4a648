//! The servers that `lab load` plays against, each a process of its own; some of them are killed now and then.

use std::net::SocketAddr;
use std::process::Stdio;
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tricorne_server::{Limits, Server, ServerConfig};

use super::tables::Addresses;
use crate::commands::say;
use crate::commands::serve::furnished;
use crate::failure::{Failure, Outcome};

/// How long the server under load keeps a quiet battle at hand.
pub const QUIET: Duration = Duration::from_secs(2);

const READY: &str = "ready at ";

/// Servers on one database.
pub struct Servers {
    database: String,
    hostile: bool,
    running: Vec<(Child, SocketAddr)>,
    thinker: Option<Child>,
    /// Where they are.
    pub at: Addresses,
    /// How many were killed.
    pub kills: usize,
}

impl Servers {
    /// Starts so many, and one who thinks for them at so many places, if at any.
    pub async fn start(
        database: &str,
        servers: usize,
        hostile: bool,
        thinkers: usize,
    ) -> Result<Self, Failure> {
        let mut running = Vec::new();
        for _ in 0..servers {
            running.push(start(database, hostile).await?);
        }
        let thinker = match thinkers {
            0 => None,
            places => Some(
                Command::new(std::env::current_exe()?)
                    .args(["think", "--database", database, "--places", &places.to_string()])
                    .stdout(Stdio::null())
                    .kill_on_drop(true)
                    .spawn()?,
            ),
        };
        let at = Addresses::default();
        let servers = Self { database: database.into(), hostile, running, thinker, at, kills: 0 };
        servers.tell();
        Ok(servers)
    }

    fn tell(&self) {
        self.at.set(self.running.iter().map(|(_, address)| *address).collect());
    }

    /// Kills one, by SIGKILL, and starts another in its place.
    pub async fn kill_one(&mut self) -> Result<(), Failure> {
        let k = self.kills % self.running.len().max(1);
        let Some((child, _)) = self.running.get_mut(k) else { return Ok(()) };
        child.kill().await?;
        self.kills += 1;
        let dead = self.running.remove(k);
        drop(dead);
        self.tell();
        self.running.insert(k, start(&self.database, self.hostile).await?);
        self.tell();
        Ok(())
    }

    /// Memory of all of them in KiB, where the system tells.
    pub fn resident(&self) -> Option<u64> {
        self.running.iter().map(|(child, _)| child.id().and_then(resident)).sum()
    }

    /// Stops them all at once.
    pub async fn stop(mut self) -> Result<(), Failure> {
        for child in self.running.iter_mut().map(|(child, _)| child).chain(&mut self.thinker) {
            child.kill().await?;
        }
        Ok(())
    }
}

/// Memory of a process in KiB, where the system tells.
fn resident(process: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = text.lines().find(|l| l.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

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

/// Serves until it is stopped.
pub async fn be_the_server(database: String, public: bool) -> Outcome {
    let mut config = furnished(ServerConfig::local(tricorne_shelf::systems(), database));
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
