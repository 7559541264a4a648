//! `tricorne play` and `tricorne serve`: the page.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;
use tricorne_agents::{Level, Outsider};
use tricorne_chance::Seed;
use tricorne_game::view::View;
use tricorne_game::ways::Scene;
use tricorne_game::{Choices, Source};
use tricorne_lab::{Study, StudyError, summary};
use tricorne_picture::{Labels, Style, Theme};
use tricorne_server::{Fairness, Light, PageFile, Server, ServerConfig, told_to_stop};

use super::say;
use super::think::keep_thinker;
use crate::failure::{Failure, Outcome};
use crate::{alarm, files, left_out, load};

/// A table on this machine.
#[derive(Args, Default)]
pub struct Play {
    /// A scenario's id to begin with
    scenario: Option<String>,
    /// Where the games are kept; without it, in a file of your own
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Do not open a browser
    #[arg(long)]
    no_open: bool,
    /// The port of this machine to serve on; without it, any free one
    #[arg(long)]
    port: Option<u16>,
    #[command(flatten)]
    bots: BotArgs,
}

/// Programs of the keeper's own.
#[derive(Args, Default)]
struct BotArgs {
    /// A program of your own that may be given a seat, by a name: `--bot fred="python3 fred.py"`. Several may be named;
    /// no other command is ever started
    #[arg(long = "bot", value_name = "NAME=COMMAND")]
    bots: Vec<String>,
    /// How long such a program has for each decision
    #[arg(long, value_name = "TIME", value_parser = super::clock)]
    bot_clock: Option<Duration>,
}

impl BotArgs {
    fn named(&self) -> Result<BTreeMap<String, Outsider>, Failure> {
        let mut named = BTreeMap::new();
        for text in &self.bots {
            let (name, command) = text.split_once('=').ok_or_else(|| {
                Failure::wrong(format!("--bot {text}: write NAME=COMMAND, as in fred=\"python3 fred.py\""))
            })?;
            let fit = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
            if name.is_empty() || name.len() > 24 || !name.chars().all(fit) {
                return Err(Failure::wrong(format!(
                    "--bot {text}: a name is up to 24 small letters, digits and hyphens"
                )));
            }
            let wrong = |why: String| Failure::wrong(format!("--bot {text}: {why}"));
            if command.trim().is_empty() {
                return Err(wrong(
                    "names no command; write NAME=COMMAND, as in fred=\"python3 fred.py\"".into(),
                ));
            }
            let bot = Outsider::new(command).map_err(wrong)?;
            let bot = bot.by_clock(self.bot_clock.unwrap_or(Outsider::USUAL_CLOCK));
            bot.try_out().map_err(|why| Failure::wrong(format!("--bot {name}: {why}")))?;
            if named.insert(name.to_owned(), bot).is_some() {
                return Err(Failure::wrong(format!("--bot {name}: named twice")));
            }
        }
        Ok(named)
    }
}

impl Play {
    /// Serves and opens the page until the program is stopped.
    pub fn run(self) -> Outcome {
        let file = match self.games {
            Some(file) => {
                files::no_dash(&file, "games are kept in a file of SQLite; name it")?;
                file
            }
            None => own_file()?,
        };
        let mut config = ServerConfig::local(tricorne_shelf::systems(), format!("sqlite:{}", file.display()));
        config.bots = self.bots.named()?;
        if let Some(port) = self.port {
            config.listen.set_port(port);
        }
        let at = match &self.scenario {
            Some(name) if files::is_there(Path::new(name)) => {
                return Err(Failure::wrong(format!(
                    "{name}: `play` begins with a scenario that is shipped; a file of your own is chosen on the page, or \
                     watched by `tricorne watch {name}`"
                )));
            }
            Some(name) => {
                let (system, scenario) = load::scenario(name)?;
                format!("/?ruleset={}&scenario={}", system.about().id, scenario.name)
            }
            None => "/".to_owned(),
        };
        let open = !self.no_open;
        run(config, 0, move |address| {
            let url = format!("http://{address}{at}");
            say(&format!("Tricorne is at {url} (Ctrl-C ends it; the games are kept in {})", file.display()))?;
            if open && opener::open_browser(&url).is_err() {
                say("No browser could be opened here; open that address yourself.")?;
            }
            Ok(())
        })
    }
}

/// An address to listen on: `127.0.0.1:8080`.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        format!(
            "`{text}` is no address with a port; write 127.0.0.1:8080 for this machine alone, 0.0.0.0:8080 for all that \
             reach it"
        )
    })
}

/// Serve the page to many people.
#[derive(Args)]
#[allow(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct Serve {
    /// The address to listen on
    #[arg(long, default_value = "127.0.0.1:8080", value_parser = address)]
    listen: SocketAddr,
    /// Where the games are kept: sqlite:FILE or postgres://…
    #[arg(long, value_name = "URL", default_value = "sqlite:tricorne.db")]
    database: String,
    /// The page is reached over HTTPS (through a proxy): cookies are sent only there
    #[arg(long)]
    https: bool,
    /// A proxy in front says in x-forwarded-for whose request it is
    #[arg(long)]
    behind_proxy: bool,
    /// An address for /metrics (Prometheus), /health and /ready, which players need not reach
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    metrics: Option<SocketAddr>,
    /// Where other servers on the same PostgreSQL reach this one; without it, at --listen
    #[arg(long, value_name = "HOST:PORT")]
    reached_at: Option<String>,
    /// Let programs think in a process of their own, at so many places; see `tricorne think` for other machines
    #[arg(long, value_name = "PLACES")]
    thinkers: Option<usize>,
    /// The log as JSON, one object a line
    #[arg(long)]
    log_json: bool,
    /// Tell every request in the log, not only those that failed
    #[arg(long)]
    log_requests: bool,
    #[command(flatten)]
    bots: BotArgs,
}

impl Serve {
    /// Serves until the program is stopped.
    pub fn run(self) -> Outcome {
        let mut config = ServerConfig::public(tricorne_shelf::systems(), self.listen, self.database);
        config.secure_cookies = self.https;
        config.behind_proxy = self.behind_proxy;
        config.instruments = self.metrics;
        config.reached_at = self.reached_at;
        config.log_requests = self.log_requests;
        config.bots = self.bots.named()?;
        if self.log_json {
            tricorne_server::log_json();
        }
        let thinkers = self.thinkers.unwrap_or_default();
        if thinkers > 1024 {
            return Err(Failure::wrong("--thinkers: at most 1024"));
        }
        run(config, thinkers, |address| say(&format!("Tricorne is at http://{address}")))
    }
}

/// A server with its page, its pens and its judge.
pub fn furnished(config: ServerConfig) -> ServerConfig {
    ServerConfig {
        page: |name| tricorne_page::file(name).map(|f| PageFile { bytes: f.bytes, packed: f.packed }),
        picture: Some(draw),
        ground: Some(ground),
        plate: Some(plate),
        film: Some(film),
        judge: Some(judge),
        ..config
    }
}

fn run(config: ServerConfig, thinkers: usize, ready: impl FnOnce(SocketAddr) -> Outcome) -> Outcome {
    let config = furnished(config);
    alarm::games_are_in(&config.database);
    let runtime = tricorne_server::runtime()?;
    runtime.block_on(async {
        let server = Server::bind(config).await.map_err(Failure::wrong)?;
        let address = server.address().map_err(Failure::wrong)?;
        ready(address)?;
        // Dropped with the server, and the process with it.
        let mut beside = tokio::task::JoinSet::new();
        if thinkers > 0 {
            beside.spawn(keep_thinker(address.to_string(), server.key().to_owned(), thinkers));
        }
        server.run(told_to_stop()).await.map_err(Failure::wrong)
    })
}

/// The table alone: the page has its own panels.
fn draw(view: &View, light: Light) -> String {
    tricorne_picture::svg(view, &table(light))
}

/// The ground alone: the page draws the units on it, and writes its names as large as they must be.
fn ground(view: &View, light: Light) -> String {
    tricorne_picture::svg(
        view,
        &Style { pieces: false, labels: Labels::Nothing, ground_names: false, ..table(light) },
    )
}

fn table(light: Light) -> Style {
    let theme = match light {
        Light::Light => Theme::Light,
        Light::Dark => Theme::Dark,
    };
    Style { panel: false, theme, ..Style::wide(1600) }
}

/// The table with its panel, for the card of a link.
fn plate(view: &View) -> Option<Vec<u8>> {
    left_out::png(&tricorne_picture::svg(view, &Style::wide(1200)), 1200).ok()
}

/// A film small enough for a forum.
fn film(scenes: &[Scene]) -> Option<Vec<u8>> {
    left_out::film(scenes, &Style::wide(640), left_out::Pace::default()).ok()
}

/// Where this person's games are kept: the data folder of the desktop, or the home folder. None where neither is
/// known.
pub fn own_place() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|v| !v.is_empty()).map(PathBuf::from);
    let folder = set("XDG_DATA_HOME")
        .or_else(|| set("HOME").map(|h| h.join(".local/share")))
        .or_else(|| set("APPDATA"))?;
    Some(folder.join("tricorne/games.db"))
}

/// The same, with its folder made.
fn own_file() -> Result<PathBuf, Failure> {
    let file = own_place().ok_or_else(|| {
        Failure::wrong("no home folder is known; say where games are kept with --games FILE")
    })?;
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)
            .map_err(|e| Failure::wrong(format!("{}: {e}; use --games FILE", folder.display())))?;
    }
    Ok(file)
}

/// Nobody waits longer than this to hear how fair a scenario is.
const JUDGED_WITHIN: Duration = Duration::from_secs(20);

/// Fights a scenario between two subalterns, as often as it can in the time.
fn judge(ruleset: &str, text: &str, battles: u64) -> Result<Fairness, String> {
    let study = Study {
        ruleset: ruleset.to_owned(),
        scenario: Source::new("this scenario", text),
        muster: None,
        choices: Choices::default(),
        players: [Level::Subaltern, Level::Subaltern],
        battles,
        seed: Seed::from(1),
    };
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let (stop, begun) = (AtomicBool::new(false), Instant::now());
    let mut rows = Vec::new();
    let fought = tricorne_lab::run(&study, 0, threads, &stop, &mut |row| {
        rows.push(row);
        stop.store(begun.elapsed() > JUDGED_WITHIN, Ordering::Relaxed);
        Ok(())
    });
    match fought {
        // Out of time: what there is will do.
        Ok(()) | Err(StudyError::Stopped) => {}
        Err(why) => return Err(why.to_string()),
    }
    let summed = summary(&rows);
    let first = summed.first_side;
    Ok(Fairness {
        battles: summed.battles,
        draws: summed.drawn,
        shares: vec![first.share, 1.0 - first.share],
        interval: (first.low, first.high),
    })
}
