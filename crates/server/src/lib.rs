//! The table served: HTTP for the lobby, the rules and finished battles, a WebSocket for live play.
//!
//! The server is the only umpire and knows no rule system by name: whoever starts it brings the systems, the page and
//! the pen that draws pictures.
//!
//! ```no_run
//! # async fn start(systems: tricorne_server::Systems) -> Result<(), tricorne_server::ServeError> {
//! use tricorne_server::{ServerConfig, serve};
//! serve(ServerConfig::local(systems, "sqlite:games.db")).await
//! # }
//! ```

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

mod accounts;
mod advice;
mod again;
mod bounds;
mod changes;
mod clock;
#[cfg(feature = "schemas")]
mod description;
#[cfg(not(feature = "schemas"))]
#[path = "undescribed.rs"]
mod description;
mod door;
mod error;
mod evenings;
mod facts;
mod fellows;
mod gate;
mod hall;
mod headers;
mod keeper;
mod keepsake;
mod light;
mod live;
mod lobby;
mod log;
mod messages;
mod metrics;
mod moments;
mod names;
mod notice;
mod notices;
mod odds;
mod office;
mod openapi;
mod page;
mod pairings;
mod passing;
mod patience;
mod picture;
mod posted;
mod ratings;
mod render;
mod replay;
mod request_line;
mod routes;
mod rulebooks;
mod secret;
mod sessions;
mod shares;
mod sitting;
mod telling;
mod thinker;
mod thinking;
mod tries;
mod turn;
#[cfg(test)]
mod twins;
#[cfg(feature = "schemas")]
mod typescript;
mod untaken;
mod workroom;
mod workshop;

#[cfg(feature = "schemas")]
use schemars::JsonSchema;
#[cfg(not(feature = "schemas"))]
use tricorne_undescribed::JsonSchema;

use std::collections::BTreeMap;
use std::future::Future;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::net::TcpListener;
use tokio::sync::{OnceCell, Semaphore};
use tricorne_agents::{Level, Outsider};
use tricorne_game::{AnySystem, Effort};
use tricorne_store::{Store, StoreError};

use shares::Shares;

pub use again::{CheckedGame, Fate};
pub use changes::Changes;
pub use facts::{
    ClockRule, ForkGame, ForkedFrom, GameFacts, MadeGame, MadeSeat, NewGame, SeatFacts, SeatWish,
};
pub use keepsake::{Film, Plate};
pub use log::log_json;
pub use messages::{
    Ask, ChatLine, ClockState, Counselled, Happened, Hello, OddsLine, OddsWay, Present, Refused, Request,
    Say, Saying, State, Told, Views,
};
pub use notices::{Held, LobbyAsk, LobbySay, News};
pub use office::{Office, OfficeError};
pub use page::{Page, PageFile, no_page};
pub use picture::{Light, Picture};
pub use thinker::{ThinkerConfig, Whom, think};
#[cfg(feature = "schemas")]
pub use typescript::typescript;
pub use workshop::{Fairness, Judge};

/// The rule systems a server plays.
pub type Systems = &'static [&'static dyn AnySystem];

/// The runtime a server runs on. Rules are asked on threads of their own, what takes long has others (the workroom), and
/// passwords are counted: with a few threads for each core nobody waits. More of them would only take turns on the same
/// cores, each with a heap to keep.
pub fn runtime() -> std::io::Result<tokio::runtime::Runtime> {
    let cores = std::thread::available_parallelism().map_or(2, usize::from);
    tokio::runtime::Builder::new_multi_thread().max_blocking_threads(8 + 4 * cores).enable_all().build()
}

/// The biggest message a client may send.
pub const MESSAGE_SIZE: usize = 64 * 1024;

/// Pieces of long work that may wait for one address. A club's evening sits behind one: a dozen pages that open at once ask
/// for some pictures each.
const LONG_QUEUE: usize = 64;

/// How much a client may ask.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Messages a second on one connection, in the long run.
    pub messages_per_second: u32,
    /// And at once.
    pub messages_burst: u32,
    /// Requests a second of one address, in the long run.
    pub requests_per_second: u32,
    /// And at once.
    pub requests_burst: u32,
    /// Requests a second of one address that make or change something, in the long run.
    pub changes_per_second: u32,
    /// And at once.
    pub changes_burst: u32,
    /// Tries at a password at once from one address; one more comes each second. And wrong ones at once for one name, from
    /// wherever they come; one more comes every ten seconds.
    pub passwords_burst: u32,
    /// Connections for live play from one address.
    pub connections_per_address: u32,
    /// Lines said at tables by one address, a second, in the long run.
    pub lines_per_second: u32,
    /// And at once.
    pub lines_burst: u32,
    /// Games of one person, or of one address, that are not over.
    pub games: i64,
    /// Games and journals that one person, or one address, makes or brings in a day.
    pub games_a_day: i64,
    /// Bytes that may stand in memory because those who asked for them do not read them: answers, messages.
    pub untaken: usize,
    /// How long a request may take to arrive, its head and then its body.
    pub request: Duration,
    /// How long a connection may wait with its hello.
    pub hello: Duration,
    /// How often a quiet connection is asked whether it is there.
    pub ping: Duration,
    /// After how long a quiet battle is put away, to be played again when somebody asks.
    pub idle: Duration,
    /// How long a table stays laid when everybody has left.
    pub linger: Duration,
    /// How much work the odds of one answer may be.
    pub odds: Effort,
}

impl Limits {
    /// For a server that strangers reach.
    pub fn public() -> Self {
        Self {
            // A drag asks for a preview with each frame.
            messages_per_second: 100,
            messages_burst: 300,
            requests_per_second: 40,
            requests_burst: 400,
            changes_per_second: 2,
            changes_burst: 60,
            passwords_burst: 10,
            connections_per_address: 100,
            lines_per_second: 1,
            lines_burst: 30,
            games: 200,
            games_a_day: 500,
            untaken: 256 << 20,
            request: Duration::from_secs(20),
            hello: Duration::from_secs(10),
            ping: Duration::from_secs(30),
            idle: Duration::from_mins(1),
            linger: Duration::from_secs(10),
            odds: Effort::HOVER,
        }
    }

    /// For one's own machine.
    pub fn local() -> Self {
        Self {
            messages_per_second: 1_000,
            messages_burst: 2_000,
            requests_per_second: 1_000,
            requests_burst: 5_000,
            changes_per_second: 200,
            changes_burst: 2_000,
            passwords_burst: 100,
            connections_per_address: 5_000,
            lines_per_second: 1_000,
            lines_burst: 50_000,
            games: 100_000,
            games_a_day: 1_000_000,
            ..Self::public()
        }
    }
}

/// How a server is started.
#[derive(Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of its own on the command line")]
pub struct ServerConfig {
    /// The rule systems.
    pub systems: Systems,
    /// Where to listen; port 0 takes any free one.
    pub listen: SocketAddr,
    /// Where games are kept: `sqlite:FILE` or `postgres://…`.
    pub database: String,
    /// The files of the page.
    pub page: Page,
    /// Draws a view as SVG; without it there are no pictures.
    pub picture: Option<Picture>,
    /// Draws the ground of a view, without units and markers, for pages that draw those themselves; without it, they get all of it.
    pub ground: Option<Picture>,
    /// Draws a view as PNG, for the cards of links; without it they have no picture.
    pub plate: Option<Plate>,
    /// Films a battle; without it there are no films.
    pub film: Option<Film>,
    /// Fights battles of a scenario to see how fair it is; without it nobody is told.
    pub judge: Option<Judge>,
    /// Whether a new game may name its seed, and a general's budget in tries: battles that come out the same again.
    pub chosen_seeds: bool,
    /// Programs of the keeper's own that may be given a seat, by name: `bot:NAME`. Nothing else starts a process here.
    pub bots: BTreeMap<String, Outsider>,
    /// Whether the session cookie is for HTTPS only.
    pub secure_cookies: bool,
    /// Whether only requests addressed to this machine are answered (a page of another site can then not pretend to be ours).
    pub only_local_names: bool,
    /// Whether a proxy in front of the server says in `x-forwarded-for` whose request it is.
    pub behind_proxy: bool,
    /// Where a keeper's instruments ask (`/metrics`, `/health`, `/ready`), if anywhere.
    pub instruments: Option<SocketAddr>,
    /// Whether every request is told in the log, and not only those that failed.
    pub log_requests: bool,
    /// Where other servers on the same PostgreSQL reach this one, `HOST:PORT`; without it, where it listens.
    pub reached_at: Option<String>,
    /// How much a client may ask.
    pub limits: Limits,
}

impl ServerConfig {
    /// Who draws the table, or the ground of it alone.
    pub(crate) fn drawing(&self, ground: bool) -> Option<Picture> {
        self.ground.filter(|_| ground).or(self.picture)
    }

    /// A table on one's own machine, on any free port.
    pub fn local(systems: Systems, database: impl Into<String>) -> Self {
        Self {
            systems,
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            database: database.into(),
            page: no_page,
            picture: None,
            ground: None,
            plate: None,
            film: None,
            judge: None,
            chosen_seeds: true,
            bots: BTreeMap::new(),
            secure_cookies: false,
            only_local_names: true,
            behind_proxy: false,
            instruments: None,
            log_requests: false,
            reached_at: None,
            limits: Limits::local(),
        }
    }

    /// Who plays under this name, as a seat's kind or a wish has it. Strangers name only what the keeper has named.
    pub(crate) fn program(&self, name: &str) -> Option<Level> {
        match name.strip_prefix(BOT) {
            Some(bot) => self.bots.get(bot).copied().map(Level::Outside),
            None => name.parse().ok(),
        }
    }

    /// A server for many.
    pub fn public(systems: Systems, listen: SocketAddr, database: impl Into<String>) -> Self {
        Self {
            listen,
            chosen_seeds: false,
            only_local_names: false,
            limits: Limits::public(),
            ..Self::local(systems, database)
        }
    }
}

/// What the name of a program of the keeper's own begins with.
pub(crate) const BOT: &str = "bot:";

/// Why a server did not start, or stopped.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The place to listen can't be had.
    #[error("can't listen on {address}: {why}; choose another with --listen")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What is wrong.
        why: std::io::Error,
    },
    /// The database can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// Something else of this machine failed.
    #[error("{0}")]
    Machine(String),
}

/// What every request can reach.
pub(crate) struct App {
    pub(crate) config: ServerConfig,
    pub(crate) store: Store,
    pub(crate) hall: hall::Hall,
    /// Other servers on the same database.
    pub(crate) others: fellows::Others,
    pub(crate) gate: gate::Gate,
    pub(crate) untaken: untaken::Untaken,
    /// Connections of any kind; the gate counts those for live play.
    pub(crate) door: gate::Gate,
    pub(crate) metrics: metrics::Metrics,
    /// What tables ask of the rules while somebody waits: a few milliseconds each.
    pub(crate) short: Arc<Shares<IpAddr>>,
    /// What takes longer and somebody waits for with a hand on the table: odds, the ground, long answers packed.
    pub(crate) soon: Arc<Shares<IpAddr>>,
    /// What takes long: files looked over, films, battles played again.
    pub(crate) long: Arc<Shares<IpAddr>>,
    /// Where that is done.
    pub(crate) workroom: Arc<workroom::Workroom>,
    pub(crate) bell: notices::Bell,
    pub(crate) at_hand: replay::AtHand,
    pub(crate) ratings: ratings::Reckoned,
    pub(crate) scenarios: OnceCell<Vec<rulebooks::Scenario>>,
    /// Programs that think at the same time: all the machine bears but one, which is for the people; or as many as others
    /// think about for us. Fair between games.
    pub(crate) thinking: thinking::Thinking,
    /// What those who think for us, and our fellows, know us by.
    pub(crate) key: String,
    /// Passwords that are hashed at the same time: each takes time and 19 MiB, on purpose.
    pub(crate) passwords: Semaphore,
    pub(crate) nobody: String,
}

impl App {
    pub(crate) fn system(&self, id: &str) -> Option<&'static dyn AnySystem> {
        self.config.systems.iter().copied().find(|s| s.about().id == id)
    }

    /// Whether somebody knows our key. Compared by what is kept of keys, so that no time tells how much of a guess was right.
    pub(crate) fn is_ours(&self, key: &str) -> bool {
        secret::hash(key) == secret::hash(&self.key)
    }

    pub(crate) fn known_system(&self, id: &str) -> Result<&'static dyn AnySystem, error::ApiError> {
        self.system(id).ok_or_else(|| {
            error::ApiError::not_found(format!("there are no rules `{id}` here; /api/rulesets lists them"))
        })
    }
}

/// A server that has its place to listen and its database, and is about to answer.
pub struct Server {
    listener: TcpListener,
    instruments: Option<TcpListener>,
    app: Arc<App>,
}

impl Server {
    /// Opens the database and takes the place to listen.
    pub async fn bind(config: ServerConfig) -> Result<Self, ServeError> {
        let store = Store::serve(&config.database).await?;
        let bind = async |address: SocketAddr| {
            TcpListener::bind(address).await.map_err(|why| ServeError::Listen { address, why })
        };
        let listener = bind(config.listen).await?;
        let instruments = match config.instruments {
            Some(address) => Some(bind(address).await?),
            None => None,
        };
        let reached_at = match &config.reached_at {
            Some(address) => address.clone(),
            None => listener.local_addr().map_err(|e| ServeError::Machine(e.to_string()))?.to_string(),
        };
        let key = secret::token().map_err(|e| ServeError::Machine(e.why))?;
        let others = others(&store, &key, &reached_at).await?;
        if !others.any() {
            store.alone_at(&key, &reached_at, now()).await?;
        }
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let (long, thinking) = ((cores / 2).max(1), cores.saturating_sub(1).max(1));
        // Thoughts may be many, and long work must not wait behind them: each has threads of its own.
        let room = |threads: usize| {
            let room = workroom::Workroom::new(threads).map_err(|e| ServeError::Machine(e.to_string()));
            room.map(Arc::new)
        };
        let app = App {
            untaken: untaken::Untaken::new(config.limits.untaken),
            config,
            store,
            hall: hall::Hall::default(),
            others,
            gate: gate::Gate::default(),
            bell: notices::Bell::default(),
            at_hand: replay::AtHand::default(),
            ratings: ratings::Reckoned::default(),
            scenarios: OnceCell::new(),
            door: gate::Gate::default(),
            metrics: metrics::Metrics::default(),
            short: Shares::new(cores.max(2), usize::MAX),
            soon: Shares::new(cores.max(2), LONG_QUEUE),
            long: Shares::new(long, LONG_QUEUE),
            thinking: thinking::Thinking::new(thinking, room(thinking)?),
            workroom: room(long)?,
            key,
            passwords: Semaphore::new(2),
            nobody: accounts::nobody().map_err(|e| ServeError::Machine(e.why))?,
        };
        Ok(Self { listener, instruments, app: Arc::new(app) })
    }

    /// Where its instruments are read.
    pub fn instruments(&self) -> Option<SocketAddr> {
        self.instruments.as_ref().and_then(|listener| listener.local_addr().ok())
    }

    /// What whoever thinks for it is let in by.
    pub fn key(&self) -> &str {
        &self.app.key
    }

    /// Where it listens.
    pub fn address(&self) -> Result<SocketAddr, ServeError> {
        self.listener.local_addr().map_err(|e| ServeError::Machine(e.to_string()))
    }

    /// Answers until `stop` is done. What was acknowledged is on disk at any time; after a stop in order an SQLite file has
    /// it all by itself, with no log beside it.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), ServeError> {
        // Names of before it was looked at what they look like.
        for name in self.app.store.names_never_looked_at().await? {
            match self.app.store.set_looks(&name, &names::looks(&name)).await {
                Ok(()) | Err(StoreError::Conflict) => {}
                Err(e) => return Err(e.into()),
            }
        }
        // Clocks ran on while nobody served them.
        for game in self.app.store.games_with_clock().await? {
            hall::Hall::tell(&self.app, &game, sitting::Note::Reseated).await;
        }
        // And programs that had to decide when it stopped decide now, one game after the other.
        let (app, left) = (Arc::clone(&self.app), self.app.store.games_with_program_to_move().await?);
        tokio::spawn(async move {
            for game in left {
                hall::Hall::tell(&app, &game, sitting::Note::Reseated).await;
            }
        });
        let (store, app) = (self.app.store.clone(), Arc::clone(&self.app));
        let router = routes::router(self.app.config.systems)
            .layer(axum::middleware::from_fn_with_state(Arc::clone(&self.app), light::lighten))
            .layer(axum::middleware::from_fn_with_state(Arc::clone(&self.app), headers::guard))
            .with_state(self.app);
        let instruments = async {
            match self.instruments {
                Some(listener) => {
                    let _ = axum::serve(listener, keeper::router(Arc::clone(&app))).await;
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = door::keep(self.listener, Arc::clone(&app), router) => {}
            () = instruments => {}
            () = fellows::keep_company(Arc::clone(&app)) => {}
            () = stop => {}
        }
        fellows::go(&app).await;
        store.close().await;
        Ok(())
    }
}

/// Joins the servers on the same database, where there can be any.
#[cfg(feature = "postgres")]
async fn others(store: &Store, key: &str, reached_at: &str) -> Result<fellows::Others, ServeError> {
    let fellows = store.fellows(key, reached_at);
    if let Some(fellows) = &fellows {
        fellows.beat().await?;
        time_is(fellows.clock().await?);
    }
    Ok(fellows::Others::of(fellows))
}

#[cfg(not(feature = "postgres"))]
#[allow(clippy::unused_async, reason = "where there can be others it takes a while")]
async fn others(_: &Store, _: &str, _: &str) -> Result<fellows::Others, ServeError> {
    Ok(fellows::Others::none())
}

/// Starts a server and answers until the program is told to stop (Ctrl-C, or SIGTERM).
pub async fn serve(config: ServerConfig) -> Result<(), ServeError> {
    let done = Server::bind(config).await?.run(told_to_stop()).await;
    // A program in the middle of a thought would outlive us.
    tricorne_agents::send_outsiders_away();
    done
}

/// Done when the program is told to stop: Ctrl-C, or SIGTERM.
pub async fn told_to_stop() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending::<()>().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}

/// What is published of requests and messages as the types have it, by the name of the file that is held to each.
#[cfg(feature = "schemas")]
pub fn described() -> [(&'static str, serde_json::Value); 2] {
    [("messages.json", description::messages()), ("openapi.json", routes::description().text())]
}

/// When time began here: milliseconds since 1970, and the clock that only counts on.
static BEGAN: OnceLock<(i64, Instant)> = OnceLock::new();

/// Milliseconds since 1970. The wall clock is read once; from there on time goes on evenly, so that a clock somebody sets
/// takes no player's time and nobody's seat.
pub(crate) fn now() -> i64 {
    let (wall, began) = BEGAN.get_or_init(|| {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        (i64::try_from(since.as_millis()).unwrap_or(i64::MAX), Instant::now())
    });
    wall.saturating_add(i64::try_from(began.elapsed().as_millis()).unwrap_or(i64::MAX))
}

/// Servers that share a database take its clock in place of their own: a game goes from one to the other.
#[cfg(feature = "postgres")]
fn time_is(wall: i64) {
    BEGAN.get_or_init(|| (wall, Instant::now()));
}
