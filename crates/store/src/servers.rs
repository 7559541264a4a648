//! Where the servers of a database are reached, for those who think for them.

#[cfg(feature = "postgres")]
use sqlx::ConnectOptions;
use sqlx::{Connection, Row};

#[cfg(feature = "postgres")]
use crate::address;
use crate::{Place, StoreError, place, to_read};

/// The address and the key of every server that is there; on an SQLite file the one that served it last.
pub async fn servers(url: &str) -> Result<Vec<(String, String)>, StoreError> {
    match place(url)? {
        Place::Sqlite(options) => {
            let mut c = to_read(url, &options).await?;
            let rows = sqlx::query("SELECT address, id FROM servers").fetch_all(&mut c).await?;
            c.close().await?;
            let read = |row: &sqlx::sqlite::SqliteRow| Ok((row.try_get("address")?, row.try_get("id")?));
            Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
        }
        #[cfg(feature = "postgres")]
        Place::Postgres(options) => {
            let mut c = options.connect().await.map_err(|e| address(url, &e))?;
            let rows = sqlx::query(
                "SELECT address, id FROM servers \
                 WHERE seen > (extract(epoch from clock_timestamp()) * 1000)::bigint - 10000 ORDER BY id",
            )
            .fetch_all(&mut c)
            .await?;
            c.close().await?;
            let read = |row: &sqlx::postgres::PgRow| Ok((row.try_get("address")?, row.try_get("id")?));
            Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
        }
    }
}
