//! Servers that share one PostgreSQL: which of them are there, which leads which game, and what they tell each other.
//!
//! A server says every second that it is there, by the database's own clock, so that no two of theirs need agree. A game is
//! led by one of them at a time; one that has not been heard of for some seconds leads nothing any more. Should one wake up
//! and not know that yet, nothing is lost: an action that does not follow the last one kept is refused by the database.

use sqlx::Row;
use sqlx::postgres::{PgListener, PgPool};

use crate::{Pool, Store, StoreError};

/// A server that was not heard of for so long (milliseconds) leads nothing.
const GONE: i64 = 3_000;

/// And one that was not heard of for so long is forgotten.
const FORGOTTEN: i64 = 60_000;

/// Where what they tell each other goes.
const CHANNEL: &str = "tricorne";

/// The database's clock, in milliseconds.
macro_rules! clock {
    () => {
        "(extract(epoch from clock_timestamp()) * 1000)::bigint"
    };
}

/// Servers on one database, as one of them sees them. Clones share it.
#[derive(Clone)]
pub struct Fellows {
    pool: PgPool,
    /// Who we are: other than anybody else, and a secret between servers.
    me: String,
    address: String,
}

/// Who leads a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Leader {
    /// We do.
    Me,
    /// Another server.
    Other {
        /// Where it is reached.
        address: String,
        /// What it knows its fellows by.
        secret: String,
    },
}

/// Hears what other servers tell.
pub struct Hearing(PgListener);

impl Hearing {
    /// The next thing told, ours included. After the database was away, what was told meanwhile is missed.
    pub async fn next(&mut self) -> Result<String, StoreError> {
        Ok(self.0.recv().await?.payload().to_owned())
    }
}

impl Store {
    /// Joins the servers on this database; none on SQLite, whose file has one server.
    pub fn fellows(&self, me: &str, address: &str) -> Option<Fellows> {
        match &self.pool {
            Pool::Sqlite(_) => None,
            Pool::Postgres(pool) => {
                Some(Fellows { pool: pool.clone(), me: me.into(), address: address.into() })
            }
        }
    }
}

impl Fellows {
    /// Who we are.
    pub fn me(&self) -> &str {
        &self.me
    }

    /// What the database's clock says, in milliseconds since 1970: the one clock that all servers have in common.
    pub async fn clock(&self) -> Result<i64, StoreError> {
        Ok(sqlx::query_scalar(concat!("SELECT ", clock!())).fetch_one(&self.pool).await?)
    }

    /// Says that we are there.
    pub async fn beat(&self) -> Result<(), StoreError> {
        sqlx::query(concat!(
            "INSERT INTO servers (id, address, seen) VALUES ($1, $2, ",
            clock!(),
            ") ON CONFLICT (id) DO UPDATE SET address = $2, seen = ",
            clock!()
        ))
        .bind(&self.me)
        .bind(&self.address)
        .execute(&self.pool)
        .await?;
        Ok(())
    }

    /// Forgets what nobody needs to know any more: servers that were killed and said no farewell, tries that are forgiven.
    pub async fn sweep(&self) -> Result<(), StoreError> {
        sqlx::query(concat!("DELETE FROM servers WHERE seen < ", clock!(), " - $1"))
            .bind(FORGOTTEN)
            .execute(&self.pool)
            .await?;
        sqlx::query(concat!("DELETE FROM tries WHERE forgiven < ", clock!())).execute(&self.pool).await?;
        Ok(())
    }

    /// Counts a try at something, whichever server it was tried at; false if there were too many. Each is forgiven after
    /// `each` milliseconds, one after the other, and at most `most` may wait to be forgiven.
    pub async fn count_try(&self, whose: &str, each: i64, most: i64) -> Result<bool, StoreError> {
        let counted = sqlx::query(concat!(
            "INSERT INTO tries AS t (whose, forgiven) VALUES ($1, ",
            clock!(),
            " + $2) ON CONFLICT (whose) DO UPDATE SET forgiven = greatest(t.forgiven, ",
            clock!(),
            ") + $2 WHERE greatest(t.forgiven, ",
            clock!(),
            ") + $2 <= ",
            clock!(),
            " + $2 * $3"
        ))
        .bind(whose)
        .bind(each)
        .bind(most)
        .execute(&self.pool)
        .await?;
        Ok(counted.rows_affected() == 1)
    }

    /// A try that was right after all is not counted.
    pub async fn forgive_try(&self, whose: &str, each: i64) -> Result<(), StoreError> {
        sqlx::query("UPDATE tries SET forgiven = forgiven - $2 WHERE whose = $1")
            .bind(whose)
            .bind(each)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// Takes the lead of a game if nobody has it who is there; who has it then.
    pub async fn lead(&self, game: &str) -> Result<Leader, StoreError> {
        // Whoever else takes it at the same moment is not seen by the same question; then it is asked again.
        for _ in 0..20 {
            if let Some(leader) = self.try_lead(game).await? {
                return Ok(leader);
            }
        }
        Err(StoreError::Database("nobody can be found who leads the game".into()))
    }

    async fn try_lead(&self, game: &str) -> Result<Option<Leader>, StoreError> {
        let row = sqlx::query(concat!(
            "WITH taken AS (INSERT INTO leads AS l (game, server) VALUES ($1, $2) \
             ON CONFLICT (game) DO UPDATE SET server = $2 WHERE l.server = $2 OR NOT EXISTS \
             (SELECT 1 FROM servers s WHERE s.id = l.server AND s.seen > ",
            clock!(),
            " - $3) RETURNING server) \
             SELECT COALESCE((SELECT server FROM taken), (SELECT server FROM leads WHERE game = $1)) AS server, \
             COALESCE((SELECT s.address FROM leads l JOIN servers s ON s.id = l.server WHERE l.game = $1), '') AS address"
        ))
        .bind(game)
        .bind(&self.me)
        .bind(GONE)
        .fetch_one(&self.pool)
        .await?;
        let leader: Option<String> = row.try_get("server")?;
        Ok(match leader {
            Some(me) if me == self.me => Some(Leader::Me),
            Some(secret) => Some(Leader::Other { address: row.try_get("address")?, secret }),
            None => None,
        })
    }

    /// Gives the lead of a game up.
    pub async fn leave(&self, game: &str) -> Result<(), StoreError> {
        sqlx::query("DELETE FROM leads WHERE game = $1 AND server = $2")
            .bind(game)
            .bind(&self.me)
            .execute(&self.pool)
            .await?;
        Ok(())
    }

    /// The games we lead.
    pub async fn led(&self) -> Result<Vec<String>, StoreError> {
        let rows =
            sqlx::query("SELECT game FROM leads WHERE server = $1").bind(&self.me).fetch_all(&self.pool);
        let games: Result<Vec<String>, sqlx::Error> =
            rows.await?.iter().map(|row| row.try_get("game")).collect();
        Ok(games?)
    }

    /// Games whose leader is gone, some of them.
    pub async fn orphans(&self) -> Result<Vec<String>, StoreError> {
        let rows = sqlx::query(concat!(
            "SELECT l.game AS game FROM leads l WHERE NOT EXISTS \
             (SELECT 1 FROM servers s WHERE s.id = l.server AND s.seen > ",
            clock!(),
            " - $1) ORDER BY l.game LIMIT 200"
        ))
        .bind(GONE)
        .fetch_all(&self.pool);
        let games: Result<Vec<String>, sqlx::Error> =
            rows.await?.iter().map(|row| row.try_get("game")).collect();
        Ok(games?)
    }

    /// Goes: our games are anybody's at once.
    pub async fn go(&self) -> Result<(), StoreError> {
        for statement in ["DELETE FROM leads WHERE server = $1", "DELETE FROM servers WHERE id = $1"] {
            sqlx::query(statement).bind(&self.me).execute(&self.pool).await?;
        }
        Ok(())
    }

    /// Tells every server something.
    pub async fn tell(&self, news: &str) -> Result<(), StoreError> {
        sqlx::query("SELECT pg_notify($1, $2)").bind(CHANNEL).bind(news).execute(&self.pool).await?;
        Ok(())
    }

    /// Hears what every server tells from now on.
    pub async fn hear(&self) -> Result<Hearing, StoreError> {
        let mut listener = PgListener::connect_with(&self.pool).await?;
        listener.listen(CHANNEL).await?;
        Ok(Hearing(listener))
    }
}
