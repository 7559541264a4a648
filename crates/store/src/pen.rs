//! The pen: every change of every game goes through one, many to a transaction.
//!
//! A change is answered after the transaction it is in is on disk and not before. While one transaction is being put on
//! disk the next changes gather, so the busier the server, the more changes share one flush.
//!
//! When anything of a transaction fails, its connection is closed and never written with again: what a database holds
//! half open after a failed write is not known, and a commit on top of it might be acknowledged and be in nothing that is
//! ever kept. Everybody in the transaction is refused, and the next one begins on a connection of its own.

use std::future::Future;
use std::sync::Arc;

#[cfg(feature = "postgres")]
use sqlx::PgConnection;
#[cfg(feature = "postgres")]
use sqlx::postgres::PgConnectOptions;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use tokio::sync::{Notify, mpsc, oneshot, watch};

use crate::StoreError;
use crate::write::{self, Write};

/// Most changes in one transaction: enough to share a flush, few enough that the first does not wait for the last.
const BATCH: usize = 256;

type Answer = Result<(), StoreError>;

struct Job {
    write: Write,
    done: oneshot::Sender<Answer>,
}

/// Where changes are handed in.
pub(crate) struct Pen {
    jobs: mpsc::Sender<Job>,
    stop: Arc<Notify>,
    down: watch::Receiver<bool>,
}

impl Pen {
    /// Takes the pen up; fails if the database can't be written.
    pub(crate) async fn take_up<I: Ink>(ink: I) -> Result<Self, sqlx::Error> {
        let connection = ink.open().await?;
        let (jobs, waiting) = mpsc::channel(1024);
        let (put_down, down) = watch::channel(false);
        let stop = Arc::new(Notify::new());
        tokio::spawn(hold(ink, connection, waiting, Arc::clone(&stop), put_down));
        Ok(Self { jobs, stop, down })
    }

    /// Carries a change out; when this is answered it is on disk.
    pub(crate) async fn write(&self, write: Write) -> Answer {
        if write.has_nul() {
            return Err(StoreError::Unfit("a text has a NUL character in it".into()));
        }
        let gone = || StoreError::Database("the store is closed".into());
        let (done, answer) = oneshot::channel();
        self.jobs.send(Job { write, done }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// Writes what was handed in already, then puts the pen down; what comes later is refused.
    pub(crate) async fn put_down(&self) {
        self.stop.notify_one();
        // An error means that it is down already.
        let _ = self.down.clone().wait_for(|down| *down).await;
    }
}

/// A database to write into.
pub(crate) trait Ink: Send + Sync + 'static {
    type Connection: Connection + Send;
    const BEGIN: &'static str;

    fn open(&self) -> impl Future<Output = Result<Self::Connection, sqlx::Error>> + Send;
    fn run(
        c: &mut Self::Connection,
        sql: &'static str,
    ) -> impl Future<Output = Result<(), sqlx::Error>> + Send;
    fn carry_out(
        c: &mut Self::Connection,
        write: &Write,
    ) -> impl Future<Output = Result<bool, sqlx::Error>> + Send;
    /// Whether the database refused what one change says, and would take others.
    fn unfit(code: &str) -> bool;
}

impl Ink for SqliteConnectOptions {
    type Connection = SqliteConnection;
    // A writer from the start: a commit can then not fail because somebody else became one meanwhile.
    const BEGIN: &'static str = "BEGIN IMMEDIATE";

    async fn open(&self) -> Result<SqliteConnection, sqlx::Error> {
        let mut connection = self.connect().await?;
        // A log of which a flush ever failed may be whole in the system's memory and not on disk, and nothing would flush
        // it again: so its pages are written into the file, the file is flushed, and a new log is begun.
        sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").fetch_all(&mut connection).await?;
        Ok(connection)
    }

    async fn run(c: &mut SqliteConnection, sql: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(sql).execute(c).await.map(drop)
    }

    async fn carry_out(c: &mut SqliteConnection, write: &Write) -> Result<bool, sqlx::Error> {
        write::sqlite(c, write).await
    }

    fn unfit(code: &str) -> bool {
        const TOO_BIG: i32 = 18;
        const CONSTRAINT: i32 = 19;
        const MISMATCH: i32 = 20;
        code.parse().is_ok_and(|code: i32| matches!(code & 0xff, TOO_BIG | CONSTRAINT | MISMATCH))
    }
}

#[cfg(feature = "postgres")]
impl Ink for PgConnectOptions {
    type Connection = PgConnection;
    const BEGIN: &'static str = "BEGIN";

    async fn open(&self) -> Result<PgConnection, sqlx::Error> {
        let mut connection = self.connect().await?;
        // A database may be set up to answer before it has written; it must not for us.
        sqlx::query(
            "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'",
        )
        .fetch_all(&mut connection)
        .await?;
        Ok(connection)
    }

    async fn run(c: &mut PgConnection, sql: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(sql).execute(c).await.map(drop)
    }

    async fn carry_out(c: &mut PgConnection, write: &Write) -> Result<bool, sqlx::Error> {
        write::postgres(c, write).await
    }

    fn unfit(code: &str) -> bool {
        // Data that is none, constraints, and limits of the program.
        ["22", "23", "54"].iter().any(|class| code.starts_with(class))
    }
}

/// Writes until nobody is left to ask, or until told to stop.
async fn hold<I: Ink>(
    ink: I,
    connection: I::Connection,
    mut jobs: mpsc::Receiver<Job>,
    stop: Arc<Notify>,
    put_down: watch::Sender<bool>,
) {
    let mut open = Some(connection);
    let mut batch = Vec::with_capacity(BATCH);
    loop {
        let some = tokio::select! {
            some = jobs.recv_many(&mut batch, BATCH) => some,
            () = stop.notified() => {
                jobs.close();
                continue;
            }
        };
        if some == 0 {
            break;
        }
        let answers = write_down(&ink, &mut open, &batch).await;
        for (job, answer) in batch.drain(..).zip(answers) {
            // Whoever asked may have gone; the change is kept all the same.
            let _ = job.done.send(answer);
        }
    }
    if let Some(connection) = open {
        let _ = connection.close().await;
    }
    put_down.send_replace(true);
}

/// Why a transaction came to nothing.
enum Stopped {
    /// One of its changes can't be kept; the others can.
    Unfit,
    /// The database failed: nothing is known of what it holds half done.
    Failed(sqlx::Error),
}

impl From<sqlx::Error> for Stopped {
    fn from(e: sqlx::Error) -> Self {
        Stopped::Failed(e)
    }
}

/// Writes changes down in one transaction; the answers, in their order.
async fn write_down<I: Ink>(ink: &I, open: &mut Option<I::Connection>, batch: &[Job]) -> Vec<Answer> {
    let written = async {
        if open.is_none() {
            *open = Some(ink.open().await?);
        }
        let Some(connection) = open.as_mut() else { return Err(sqlx::Error::PoolClosed) };
        // One change in a thousand batches can't be kept; only then is each fenced off from the others.
        for fenced in [false, true] {
            match together::<I>(connection, batch, fenced).await {
                Ok(answers) => return Ok(answers),
                Err(Stopped::Unfit) => {}
                Err(Stopped::Failed(e)) => return Err(e),
            }
        }
        Err(sqlx::Error::WorkerCrashed)
    };
    match written.await {
        Ok(answers) => answers,
        Err(e) => {
            if let Some(connection) = open.take() {
                // Closed and gone before the next is opened; whatever it says to that.
                let _ = connection.close().await;
            }
            batch.iter().map(|_| Err(StoreError::Database(e.to_string()))).collect()
        }
    }
}

async fn together<I: Ink>(
    c: &mut I::Connection,
    batch: &[Job],
    fenced: bool,
) -> Result<Vec<Answer>, Stopped> {
    let mut answers = Vec::with_capacity(batch.len());
    I::run(c, I::BEGIN).await?;
    for job in batch {
        if fenced {
            I::run(c, "SAVEPOINT change").await?;
        }
        let answer = match I::carry_out(c, &job.write).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(StoreError::Conflict),
            Err(e) => {
                let unfit = match &e {
                    sqlx::Error::Database(e) => e.code().is_some_and(|code| I::unfit(&code)),
                    sqlx::Error::Encode(_) => true,
                    _ => false,
                };
                if !unfit {
                    return Err(Stopped::Failed(e));
                }
                if !fenced {
                    I::run(c, "ROLLBACK").await?;
                    return Err(Stopped::Unfit);
                }
                I::run(c, "ROLLBACK TO change").await?;
                Err(StoreError::Unfit(e.to_string()))
            }
        };
        answers.push(answer);
        if fenced {
            I::run(c, "RELEASE change").await?;
        }
    }
    I::run(c, "COMMIT").await?;
    Ok(answers)
}
