//! Games kept: in an SQLite file by default, in PostgreSQL when asked.
//!
//! A battle is kept as its header, its seed and its actions; everything else is played again from them. What
//! [`Store`] has answered is on disk.
//!
//! ```
//! use tricorne_store::Store;
//!
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! let folder = tempfile::tempdir().unwrap();
//! let store = Store::open(&format!("sqlite:{}", folder.path().join("games.db").display())).await.unwrap();
//! store.probe().await.unwrap(); // a change would be kept
//! store.close().await; // and now the one file is enough
//! # });
//! ```

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

mod copy;
mod evenings;
mod examine;
#[cfg(feature = "postgres")]
mod fellows;
mod kept;
mod pen;
mod read;
mod schema;
mod servers;
mod write;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

#[cfg(feature = "postgres")]
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection, SqlitePool};
#[cfg(feature = "postgres")]
use sqlx::{PgConnection, PgPool};

pub use copy::{Copied, backup, restore};
pub use examine::Examined;
#[cfg(feature = "postgres")]
pub use fellows::{Fellows, Hearing, Leader};
pub use kept::{
    ActionRow, ChatRow, EveningRow, FoughtRow, Game, Next, SeasonRow, SeatRow, SessionRow, Status, User,
};
use pen::Pen;
pub use servers::servers;
use write::Write;

/// Why something was not kept or not found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// It does not fit what is there: the action was taken already, the seat or the name is taken.
    #[error("it does not fit what is kept already")]
    Conflict,
    /// It can't be kept as it is; what others asked for at the same time was kept.
    #[error("that can't be kept: {0}")]
    Unfit(String),
    /// The address of the database can't be used.
    #[error(
        "`{url}` is no database to keep games in: {why}; use sqlite:FILE or postgres://USER:PASSWORD@HOST/NAME"
    )]
    Address {
        /// The address, without a password.
        url: String,
        /// What is wrong.
        why: String,
    },
    /// PostgreSQL is not in this build.
    #[error(
        "`{url}`: this Tricorne was built without PostgreSQL; build it with `--features full`, or keep games in sqlite:FILE"
    )]
    LeftOut {
        /// The address, without a password.
        url: String,
    },
    /// The database failed.
    #[error("the database failed: {0}")]
    Database(String),
    /// A file can't be used for what was asked.
    #[error("{0}")]
    File(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(e: sqlx::Error) -> Self {
        StoreError::Database(e.to_string())
    }
}

#[derive(Clone)]
enum Pool {
    Sqlite(SqlitePool),
    #[cfg(feature = "postgres")]
    Postgres(PgPool),
}

/// Where games are kept. Clones share it.
#[derive(Clone)]
pub struct Store {
    pool: Pool,
    pen: Arc<Pen>,
    /// Held as long as this store is the only one that may serve its file.
    alone: Arc<Mutex<Option<std::fs::File>>>,
}

impl Store {
    /// Opens a database, makes or updates its tables. `sqlite:games.db` (the file is made if it is missing), or
    /// `postgres://user:password@host/name`.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        Self::begin(url, None).await
    }

    /// Opens a database to serve games from. Any number of servers share a PostgreSQL; an SQLite file has one, and a second
    /// is refused as long as the first runs.
    pub async fn serve(url: &str) -> Result<Self, StoreError> {
        let alone = match place(url)? {
            Place::Sqlite(options) => Some(alone(url, options.get_filename())?),
            #[cfg(feature = "postgres")]
            Place::Postgres(_) => None,
        };
        Self::begin(url, alone).await
    }

    async fn begin(url: &str, alone: Option<std::fs::File>) -> Result<Self, StoreError> {
        let (pool, pen) = match place(url)? {
            #[cfg(feature = "postgres")]
            Place::Postgres(options) => {
                let mut connection = options.connect().await.map_err(|e| address(url, &e))?;
                update_postgres(&mut connection).await?;
                connection.close().await?;
                let pen = Pen::take_up((*options).clone()).await?;
                let readers =
                    PgPoolOptions::new().max_connections(8).acquire_timeout(Duration::from_secs(30));
                (Pool::Postgres(readers.connect_with(*options).await?), pen)
            }
            Place::Sqlite(options) => {
                let writer = to_write(&options);
                let mut connection = writer.connect().await.map_err(|e| address(url, &e))?;
                update_sqlite(&mut connection).await?;
                let pen = Pen::take_up(writer).await?;
                connection.close().await?;
                let readers = SqlitePoolOptions::new().max_connections(4);
                (Pool::Sqlite(readers.connect_with(options.read_only(true)).await?), pen)
            }
        };
        Ok(Self { pool, pen: Arc::new(pen), alone: Arc::new(Mutex::new(alone)) })
    }

    /// Writes what was handed in and closes the database; what comes later is refused. An SQLite file is then complete by
    /// itself, with no log beside it.
    pub async fn close(&self) {
        // Readers first: the last to leave works the log into the file, and they may not.
        match &self.pool {
            Pool::Sqlite(pool) => pool.close().await,
            #[cfg(feature = "postgres")]
            Pool::Postgres(pool) => pool.close().await,
        }
        self.pen.put_down().await;
        // Another may serve the file now.
        self.alone.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    async fn write(&self, write: Write) -> Result<(), StoreError> {
        self.pen.write(write).await
    }

    /// Whether a change would be kept now, found out by writing.
    pub async fn probe(&self) -> Result<(), StoreError> {
        self.write(Write::Probe).await
    }

    /// Keeps where the one server of an SQLite file is reached, and by what key, for [`servers`].
    pub async fn alone_at(&self, key: &str, address: &str, now: i64) -> Result<(), StoreError> {
        self.write(Write::Alone { server: key.into(), address: address.into(), now }).await
    }

    /// Keeps a new game with its seats, and the actions it starts with if it goes on from another.
    pub async fn create(
        &self,
        game: Game,
        seats: Vec<SeatRow>,
        actions: Vec<ActionRow>,
    ) -> Result<(), StoreError> {
        self.write(Write::Create { maker: None, game: Box::new(game), seats, actions }).await
    }

    /// The same, and who made it, for [`Store::games_going`].
    pub async fn create_by(
        &self,
        maker: &str,
        game: Game,
        seats: Vec<SeatRow>,
        actions: Vec<ActionRow>,
    ) -> Result<(), StoreError> {
        let maker = Some(maker.into());
        self.write(Write::Create { maker, game: Box::new(game), seats, actions }).await
    }

    /// Keeps the next action and what comes after it. An action that is not the next is a conflict.
    pub async fn act(&self, game: &str, action: ActionRow, next: Next) -> Result<(), StoreError> {
        self.write(Write::Act { game: game.into(), action, next, untold: false }).await
    }

    /// The same for an action that nobody but its own seat knows of.
    pub async fn act_in_secret(&self, game: &str, action: ActionRow, next: Next) -> Result<(), StoreError> {
        self.write(Write::Act { game: game.into(), action, next, untold: true }).await
    }

    /// Takes the last action back, which must be number `n`; then `waiting` must decide again.
    pub async fn take_back(&self, game: &str, n: i64, waiting: u8) -> Result<(), StoreError> {
        self.write(Write::TakeBack { game: game.into(), n, waiting, untold: false }).await
    }

    /// The same for an action that nobody but its own seat knew of.
    pub async fn take_back_in_secret(&self, game: &str, n: i64, waiting: u8) -> Result<(), StoreError> {
        self.write(Write::TakeBack { game: game.into(), n, waiting, untold: true }).await
    }

    /// Gives a seat of kind `from` to somebody else; a conflict if it is of another kind by now.
    pub async fn sit(&self, game: &str, from: &str, row: SeatRow) -> Result<(), StoreError> {
        self.write(Write::Sit { game: game.into(), seat: row.seat, from: from.into(), row }).await
    }

    /// Puts the seats of a token under a user's name; a conflict if the token has none, or only seats of somebody else's.
    pub async fn own(&self, game: &str, token_hash: &str, owner: &str) -> Result<(), StoreError> {
        self.write(Write::Own { game: game.into(), token_hash: token_hash.into(), owner: key(owner) }).await
    }

    /// Seats would leave a battle at that. When everybody who has one would, it is closed.
    pub async fn agree(&self, game: &str, seats: &[u8]) -> Result<(), StoreError> {
        self.write(Write::Agree { game: game.into(), seats: seats.into() }).await
    }

    /// The players have ended a battle between two actions, and how: as JSON. A conflict if it is over.
    pub async fn conclude(&self, game: &str, ending: &str) -> Result<(), StoreError> {
        self.write(Write::Conclude { game: game.into(), ending: ending.into() }).await
    }

    /// A game that newer rules bring to the same events has their hashes from now on, and a header of their revision: as many
    /// hashes as it has actions, or nothing is changed.
    pub async fn rehash(&self, game: &str, header: &str, hashes: Vec<String>) -> Result<(), StoreError> {
        self.write(Write::Rehash { game: game.into(), header: header.into(), hashes }).await
    }

    /// Keeps something said.
    pub async fn chat(&self, game: &str, row: ChatRow) -> Result<(), StoreError> {
        self.write(Write::Chat { game: game.into(), row }).await
    }

    /// Keeps a new user; a conflict if the name is taken, in whatever case it is written, or another looks the same.
    pub async fn add_user(
        &self,
        name: &str,
        looks: &str,
        password: &str,
        now: i64,
    ) -> Result<(), StoreError> {
        self.write(Write::AddUser {
            key: key(name),
            name: name.into(),
            looks: looks.into(),
            password: password.into(),
            created: now,
        })
        .await
    }

    /// Keeps a session of a user.
    pub async fn add_session(
        &self,
        token_hash: &str,
        name: &str,
        expires: i64,
        now: i64,
    ) -> Result<(), StoreError> {
        self.write(Write::AddSession { token_hash: token_hash.into(), key: key(name), expires, now }).await
    }

    /// Keeps what a name looks like, once; a conflict if another looks the same.
    pub async fn set_looks(&self, name: &str, looks: &str) -> Result<(), StoreError> {
        self.write(Write::SetLooks { key: key(name), looks: looks.into() }).await
    }

    /// Keeps a new password, and ends every session but one; a conflict if there is no such user.
    pub async fn set_password(
        &self,
        name: &str,
        password: &str,
        but: Option<&str>,
    ) -> Result<(), StoreError> {
        let but = but.unwrap_or_default().into();
        self.write(Write::SetPassword { key: key(name), password: password.into(), but }).await
    }

    /// Bans a user and ends their sessions, or lets them in again.
    pub async fn ban(&self, name: &str, banned: bool) -> Result<(), StoreError> {
        self.write(Write::Ban { key: key(name), banned }).await
    }

    /// Deletes a user with what they said and their name at every seat; the games they made are nobody's.
    pub async fn delete_user(&self, name: &str, maker: &str) -> Result<(), StoreError> {
        self.write(Write::DeleteUser { key: key(name), maker: maker.into() }).await
    }

    /// Ends a session of a user by the start of its token's hash.
    pub async fn end_session(&self, name: &str, id: &str) -> Result<(), StoreError> {
        self.write(Write::EndSession { key: key(name), id: id.into() }).await
    }

    /// Ends every session of a user but one.
    pub async fn end_sessions(&self, name: &str, but: Option<&str>) -> Result<(), StoreError> {
        self.write(Write::EndSessions { key: key(name), but: but.unwrap_or_default().into() }).await
    }

    /// Closes a game that is being played; a conflict if there is none.
    pub async fn close_game(&self, game: &str) -> Result<(), StoreError> {
        self.write(Write::Close { game: game.into() }).await
    }

    /// Forgets a session.
    pub async fn drop_session(&self, token_hash: &str) -> Result<(), StoreError> {
        self.write(Write::DropSession { token_hash: token_hash.into() }).await
    }
}

/// What a name is kept under: names are the same in whatever case they are written.
pub fn key(name: &str) -> String {
    name.to_lowercase()
}

/// Where a database is.
enum Place {
    Sqlite(Box<SqliteConnectOptions>),
    #[cfg(feature = "postgres")]
    Postgres(Box<PgConnectOptions>),
}

fn place(url: &str) -> Result<Place, StoreError> {
    if url.starts_with("postgres:") || url.starts_with("postgresql:") {
        #[cfg(feature = "postgres")]
        return Ok(Place::Postgres(Box::new(PgConnectOptions::from_str(url).map_err(|e| address(url, &e))?)));
        #[cfg(not(feature = "postgres"))]
        Err(StoreError::LeftOut { url: without_password(url) })
    } else if url.starts_with("sqlite:") {
        let options = SqliteConnectOptions::from_str(url)
            .map_err(|e| address(url, &e))?
            .create_if_missing(true)
            .busy_timeout(Duration::from_secs(10))
            .foreign_keys(true);
        Ok(Place::Sqlite(Box::new(options)))
    } else {
        Err(StoreError::Address {
            url: without_password(url),
            why: "it starts with neither `sqlite:` nor `postgres:`".into(),
        })
    }
}

/// A file that is written to has a log. Who only reads takes it as it is: a copy has none, and he may not give it one.
fn to_write(options: &SqliteConnectOptions) -> SqliteConnectOptions {
    let options = options.clone();
    options
        .journal_mode(SqliteJournalMode::Wal)
        // With the write-ahead log, FULL is what makes a commit outlive a power cut.
        .synchronous(SqliteSynchronous::Full)
        // The log is worked into the file when it has grown to this many pages (32 MiB). Writers wait for that,
        // and a page that was written again and again meanwhile is written once: with the usual 1000 pages a busy
        // server kept one action in a hundred waiting three times as long.
        .pragma("wal_autocheckpoint", "8000")
}

/// A connection to a file that is there, to read only.
async fn to_read(url: &str, options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    let file = options.get_filename();
    if !file.exists() {
        let why = format!("there is no file {}", file.display());
        return Err(StoreError::Address { url: url.into(), why });
    }
    let options = options.clone().create_if_missing(false).read_only(true);
    options.connect().await.map_err(|e| address(url, &e))
}

/// Takes the lock that one server has on its file. The lock is a file beside it, which stays: SQLite has locks of its own
/// on the file itself, and the system drops those of the whole process when any handle of it is closed.
fn alone(url: &str, file: &Path) -> Result<std::fs::File, StoreError> {
    let wrong = |why: String| StoreError::Address { url: url.into(), why };
    let mut lock = PathBuf::from(file).into_os_string();
    lock.push(".lock");
    let held = std::fs::File::create(&lock).map_err(|e| wrong(format!("{}: {e}", lock.display())))?;
    match held.try_lock() {
        Ok(()) => Ok(held),
        Err(std::fs::TryLockError::WouldBlock) => Err(wrong(
            "another Tricorne serves this file; stop that one first, or give this one a file of its own"
                .into(),
        )),
        Err(std::fs::TryLockError::Error(e)) => Err(wrong(format!("{}: {e}", lock.display()))),
    }
}

fn address(url: &str, e: &sqlx::Error) -> StoreError {
    StoreError::Address { url: without_password(url), why: e.to_string() }
}

/// The address with what stands between `:` and `@` left out, for messages.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("//") else { return url.into() };
    match rest.rsplit_once('@') {
        Some((who, place)) => {
            let user = who.split(':').next().unwrap_or_default();
            format!("{scheme}//{user}:…@{place}")
        }
        None => url.into(),
    }
}

fn too_new(version: usize) -> StoreError {
    let known = schema::STEPS.len();
    StoreError::Database(format!(
        "its tables are of version {version}, this program knows up to {known}; use a newer Tricorne"
    ))
}

macro_rules! update {
    ($name:ident, $connection:ty, $lock:expr) => {
        /// Brings the tables up to date, all steps or none.
        async fn $name(connection: &mut $connection) -> Result<(), StoreError> {
            let mut transaction = connection.begin().await?;
            if let Some(lock) = $lock {
                sqlx::query(lock).execute(&mut *transaction).await?;
            }
            sqlx::query("CREATE TABLE IF NOT EXISTS tricorne_schema (version BIGINT NOT NULL)")
                .execute(&mut *transaction)
                .await?;
            let version: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM tricorne_schema")
                .fetch_one(&mut *transaction)
                .await?;
            let version = usize::try_from(version).unwrap_or_default();
            if version > schema::STEPS.len() {
                return Err(too_new(version));
            }
            for (i, step) in schema::STEPS.iter().enumerate().skip(version) {
                for statement in *step {
                    sqlx::query(*statement).execute(&mut *transaction).await?;
                }
                sqlx::query("INSERT INTO tricorne_schema (version) VALUES ($1)")
                    .bind(i as i64 + 1)
                    .execute(&mut *transaction)
                    .await?;
            }
            Ok(transaction.commit().await?)
        }
    };
}

update!(update_sqlite, SqliteConnection, None::<&'static str>);
#[cfg(feature = "postgres")]
// Two servers that start at once on one empty database wait for each other.
update!(update_postgres, PgConnection, Some("SELECT pg_advisory_xact_lock(7419041)"));
