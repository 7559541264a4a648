//! `tricorne lab load`: many battles at once over WebSocket, against servers in processes of their own, on a real database.
//!
//! Each game has a connection for every seat, and acts at its own beat. The actions are those of random battles that were
//! fought out beforehand with the same seeds, so that what is measured is the server and not the choosing. The time from
//! sending an action to hearing that it is on disk is what counts; where servers are killed, the coming again is in it.

mod servers;
mod tables;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use serde::Serialize;
use tricorne_server::{Fate, Office};

use self::servers::{QUIET, Servers, be_the_server};
use self::tables::{Addresses, Script, Table, script};
use super::hostile::{self, Foes};
use crate::commands::{json as print_json, say};
use crate::failure::{Failure, Outcome};
use crate::load;

/// In how many lots the idle games come.
const LOTS: usize = 5;

/// Battles fought out beforehand; games share them.
const SCRIPTS: u64 = 16;

/// Tables laid at the same time.
const LAID_AT_ONCE: usize = 100;

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
    /// Servers on that database; more than one share a PostgreSQL
    #[arg(long, default_value_t = 1)]
    servers: usize,
    /// Kill a server every so many seconds and start another; afterwards every game is played again and looked over
    #[arg(long, value_name = "SECONDS")]
    kill_every: Option<f64>,
    /// Games that programs play by themselves meanwhile
    #[arg(long, default_value_t = 0)]
    programs: usize,
    /// Which programs
    #[arg(long, value_name = "LEVEL", default_value = "subaltern")]
    level: String,
    /// Places in a process of its own for their thinking; with 0 they think in the servers
    #[arg(long, default_value_t = 0)]
    thinkers: usize,
    /// With so many clients beside them that do their worst (20 if no number is given), under the limits of a public server
    #[arg(long, value_name = "CLIENTS", num_args = 0..=1, default_missing_value = "20")]
    hostile: Option<usize>,
    /// As JSON
    #[arg(long)]
    json: bool,
    /// Be the server, on this database
    #[arg(long, hide = true, value_name = "URL")]
    be_the_server: Option<String>,
    /// Be the clients that do their worst, to this server
    #[arg(long, hide = true, value_name = "ADDRESS")]
    be_hostile_to: Option<SocketAddr>,
}

/// What was measured.
#[derive(Serialize)]
struct Report {
    scenario: String,
    servers: usize,
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
    /// The same for what a player asks meanwhile and changes nothing by.
    asked: usize,
    asked_ninety_nine_ms: f64,
    /// MiB of the servers while everybody played, if the system tells.
    servers_mib: Option<f64>,
    /// Games of programs beside them, and places elsewhere at which they thought.
    programs: usize,
    thinkers: usize,
    /// Servers that were killed, and games that were played again afterwards, every hash as it was.
    kills: usize,
    verified: usize,
    /// The longest that a player wanted to act and the game did not go on: what was sent to a server that died, coming again
    /// and sending it anew.
    longest_silence_ms: f64,
    /// Clients that did their worst meanwhile, and what they asked for.
    hostile: usize,
    hostile_requests: u64,
    /// KiB the servers grew by for each idle game with a player connected, if the system tells.
    idle_game_kib: Option<f64>,
}

/// What one table has to tell.
#[derive(Default)]
struct Played {
    took: Vec<Duration>,
    asked: Vec<Duration>,
    /// The games it played, and how much of each was acknowledged.
    games: Vec<(String, usize)>,
    longest_silence: Duration,
}

impl Load {
    /// Starts the servers, plays, and reports.
    pub fn run(self) -> Outcome {
        let runtime = tricorne_server::runtime()?;
        if let Some(database) = self.be_the_server {
            return runtime.block_on(be_the_server(database, self.hostile.is_some()));
        }
        self.looked_over()?;
        let (system, scenario) = load::scenario(&self.scenario)?;
        if let Some(server) = self.be_hostile_to {
            let clients = self.hostile.unwrap_or_default();
            return runtime.block_on(hostile::be_hostile(clients, server, system.about().id, &scenario));
        }
        let scripts: Result<Vec<Script>, Failure> =
            (1..=SCRIPTS.min(self.games as u64)).map(|seed| Script::fight(system, &scenario, seed)).collect();
        let folder = std::env::temp_dir().join(format!("tricorne-load-{}", std::process::id()));
        std::fs::create_dir_all(&folder)?;
        let database =
            self.database.clone().unwrap_or_else(|| format!("sqlite:{}", folder.join("games.db").display()));
        let measured = runtime.block_on(self.measure(&database, Arc::new(scripts?)));
        std::fs::remove_dir_all(&folder)?;
        let report = measured?;
        if self.json { print_json(&report) } else { tell(&report) }
    }

    fn looked_over(&self) -> Outcome {
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
        let shared = self.database.as_ref().is_some_and(|url| url.starts_with("postgres"));
        if self.servers == 0 || self.servers > 1 && !shared {
            return Err(Failure::wrong(
                "--servers: one, or several on a PostgreSQL (--database postgres://…)",
            ));
        }
        if self.kill_every.is_some_and(|every| !every.is_finite() || every < 1.0) {
            return Err(Failure::wrong("--kill-every: a second or more"));
        }
        Ok(())
    }

    async fn measure(&self, database: &str, scripts: Arc<Vec<Script>>) -> Result<Report, Failure> {
        let mut servers =
            Servers::start(database, self.servers, self.hostile.is_some(), self.thinkers).await?;
        let seats = scripts.first().map_or(2, |s| s.seats);
        let tables = self.lay(&servers.at, &scripts).await?;
        for i in 0..self.programs {
            script(&scripts, i)?.leave_to_programs(i, &servers.at, &self.level).await?;
        }
        let foes = match self.hostile {
            Some(clients) => Some(Foes::let_loose(clients, servers.at.one(0)?, &self.scenario)?),
            None => None,
        };
        let begun = Instant::now();
        let end = begun + Duration::from_secs_f64(self.seconds);
        let players: Vec<_> = tables
            .into_iter()
            .enumerate()
            .map(|(i, table)| {
                let (load, at, scripts) = (self.clone(), servers.at.clone(), Arc::clone(&scripts));
                tokio::spawn(async move { load.play(&at, table, &scripts, i, end).await })
            })
            .collect();
        if let Some(every) = self.kill_every.map(Duration::from_secs_f64) {
            let mut next = begun + every;
            // The last has time to be got over.
            while next + every.min(Duration::from_secs(5)) < end {
                tokio::time::sleep_until(next.into()).await;
                servers.kill_one().await?;
                next += every;
            }
        }
        let mut all = Played::default();
        let resident = servers.resident();
        for player in players {
            let played = player.await.map_err(Failure::wrong)??;
            all.took.extend(played.took);
            all.asked.extend(played.asked);
            all.games.extend(played.games);
            all.longest_silence = all.longest_silence.max(played.longest_silence);
        }
        let seconds = begun.elapsed().as_secs_f64();
        let (hostile, hostile_requests) = match foes {
            Some(foes) => (foes.clients, foes.stop().await?),
            None => (0, 0),
        };
        all.took.sort_unstable();
        all.asked.sort_unstable();
        let at = |list: &[Duration], p: f64| -> f64 {
            let i = (list.len().saturating_sub(1) as f64 * p) as usize;
            list.get(i).map_or(0.0, |t| t.as_secs_f64() * 1000.0)
        };
        let idle_game_kib = match &scripts.first() {
            Some(script) if self.idle > 0 => weigh(&servers, script, self.idle).await?,
            _ => None,
        };
        let kills = servers.kills;
        servers.stop().await?;
        let verified = if kills > 0 { verify(database, &all.games).await? } else { 0 };
        Ok(Report {
            scenario: self.scenario.clone(),
            servers: self.servers,
            games: self.games,
            connections: self.games * seats,
            actions: all.took.len(),
            seconds,
            actions_per_second: all.took.len() as f64 / seconds,
            half_ms: at(&all.took, 0.5),
            ninety_ms: at(&all.took, 0.9),
            ninety_nine_ms: at(&all.took, 0.99),
            most_ms: at(&all.took, 1.0),
            asked: all.asked.len(),
            asked_ninety_nine_ms: at(&all.asked, 0.99),
            servers_mib: resident.map(|kib| kib as f64 / 1024.0),
            programs: self.programs,
            thinkers: self.thinkers,
            kills,
            verified,
            longest_silence_ms: all.longest_silence.as_secs_f64() * 1000.0,
            hostile,
            hostile_requests,
            idle_game_kib,
        })
    }

    /// All tables are laid before the clock starts.
    async fn lay(&self, at: &Addresses, scripts: &Arc<Vec<Script>>) -> Result<Vec<Table>, Failure> {
        let mut tables = Vec::new();
        for lot in (0..self.games).collect::<Vec<_>>().chunks(LAID_AT_ONCE) {
            let laying: Vec<_> = lot
                .iter()
                .map(|&i| {
                    let (views, scripts, at) = (self.views.clone(), Arc::clone(scripts), at.clone());
                    tokio::spawn(async move { Table::lay(i, &at, script(&scripts, i)?, &views).await })
                })
                .collect();
            for table in laying {
                tables.push(table.await.map_err(Failure::wrong)??);
            }
        }
        Ok(tables)
    }

    /// Plays battle after battle until `end`.
    async fn play(
        &self,
        at: &Addresses,
        mut table: Table,
        scripts: &[Script],
        i: usize,
        end: Instant,
    ) -> Result<Played, Failure> {
        let mut played = Played::default();
        let beat = Duration::from_secs_f64(self.games as f64 / self.rate);
        let mut due = Instant::now() + beat.mul_f64(i as f64 / self.games as f64);
        for battle in i.. {
            let script = script(scripts, battle)?;
            if battle > i {
                table = if self.kill_every.is_some() {
                    Table::lay_anyhow(i, at, script, &self.views).await?
                } else {
                    Table::lay(i, at, script, &self.views).await?
                };
            }
            let (mut n, mut wanted) = (0, None);
            while let Some((seat, action)) = script.actions.get(n) {
                tokio::time::sleep_until(due.into()).await;
                if Instant::now() >= end {
                    played.games.push((table.game, table.acknowledged));
                    return Ok(played);
                }
                // A beat that was missed is not made up for: players do not hurry because the server was slow.
                due = (due + beat).max(Instant::now());
                let begun = Instant::now();
                let since = *wanted.get_or_insert(begun);
                let before = n;
                match table.act(n, *seat, action).await {
                    Ok(took) => {
                        played.took.push(took);
                        n += 1;
                    }
                    Err(_) if self.kill_every.is_some() => {
                        // The server has gone. What was on its way may have been kept or not; what was acknowledged is. Who
                        // has to send it again does so at once.
                        n = table.come_again(at).await?;
                        played.took.push(begun.elapsed());
                        due = Instant::now();
                    }
                    Err(e) => return Err(e),
                }
                if n > before {
                    played.longest_silence = played.longest_silence.max(since.elapsed());
                    wanted = None;
                }
                if self.hostile.is_some() {
                    played.asked.push(table.ask(*seat, ASKS[n % ASKS.len()]).await?);
                }
            }
            played.games.push((table.game.clone(), table.acknowledged));
        }
        Ok(played)
    }
}

/// What a player asks while others do their worst.
const ASKS: [&str; 3] = ["\"legal\":{}", "\"ping\":{}", "\"sight\":{\"from\":\"R1\",\"to\":\"B1\"}"];

fn tell(report: &Report) -> Outcome {
    say(&format!(
        "{}: {} battles, {} connections, {} servers, {} actions in {:.1} s: {:.0} a second on disk\n\
         answered within {:.1} ms (half), {:.1} ms (90 %), {:.1} ms (99 %), {:.1} ms (all)",
        report.scenario,
        report.games,
        report.connections,
        report.servers,
        report.actions,
        report.seconds,
        report.actions_per_second,
        report.half_ms,
        report.ninety_ms,
        report.ninety_nine_ms,
        report.most_ms
    ))?;
    if let Some(mib) = report.servers_mib {
        say(&format!("the servers had {mib:.0} MiB"))?;
    }
    if report.programs > 0 {
        say(&format!(
            "meanwhile programs played {} games, thinking at {} places elsewhere",
            report.programs, report.thinkers
        ))?;
    }
    if report.kills > 0 {
        say(&format!(
            "{} servers were killed; nothing acknowledged was lost, and {} games come out the same again; no game was \
             silent for longer than {:.1} s",
            report.kills,
            report.verified,
            report.longest_silence_ms / 1000.0
        ))?;
    }
    if report.hostile > 0 {
        say(&format!(
            "meanwhile {} clients did their worst and asked for {} things; {} questions of players were answered within \
             {:.1} ms (99 %)",
            report.hostile, report.hostile_requests, report.asked, report.asked_ninety_nine_ms
        ))?;
    }
    match report.idle_game_kib {
        Some(kib) => say(&format!("an idle game with a player connected: {kib:.1} KiB")),
        None => Ok(()),
    }
}

/// Plays every game again: nothing that was acknowledged is missing, and each comes out as it was.
async fn verify(database: &str, games: &[(String, usize)]) -> Result<usize, Failure> {
    let office = Office::open(database).await.map_err(Failure::wrong)?;
    let checked = office.verify_games(tricorne_shelf::systems()).await.map_err(Failure::wrong)?;
    office.close().await;
    let there: BTreeMap<&str, _> = checked.iter().map(|game| (game.id.as_str(), game)).collect();
    for (id, acknowledged) in games {
        let Some(game) = there.get(id.as_str()) else {
            return Err(Failure::No(format!("game {id} is gone")));
        };
        if (game.actions as usize) < *acknowledged {
            return Err(Failure::No(format!(
                "game {id}: {acknowledged} acknowledged, {} there",
                game.actions
            )));
        }
    }
    match checked.iter().find(|game| game.fate != Fate::GoesOn) {
        Some(bad) => Err(Failure::No(format!("game {}: {}", bad.id, bad.why.clone().unwrap_or_default()))),
        None => Ok(checked.len()),
    }
}

/// How much the servers grow by for an idle game, in KiB; none where the system does not tell.
///
/// The games come in a few lots, each left before the next is laid, as they would over days: what the server needs for
/// laying tables is needed once, and counted.
async fn weigh(servers: &Servers, script: &Script, games: usize) -> Result<Option<f64>, Failure> {
    // Longer than the server keeps a quiet battle at hand.
    let settle = QUIET + Duration::from_secs(2);
    tokio::time::sleep(settle).await;
    let before = servers.resident();
    let mut tables = Vec::new();
    for lot in 0..LOTS {
        for i in games * lot / LOTS..games * (lot + 1) / LOTS {
            let mut table = Table::lay(i, &servers.at, script, "changes").await?;
            table.keep_one();
            tables.push(table);
        }
        tokio::time::sleep(settle).await;
    }
    let after = servers.resident();
    Ok(before.zip(after).map(|(before, after)| after.saturating_sub(before) as f64 / games as f64))
}
