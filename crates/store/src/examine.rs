//! A database looked at and not touched.

use std::path::Path;

use sqlx::Row;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};

use crate::{StoreError, schema};

/// What is found in a file of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examined {
    /// Games that are kept.
    pub games: i64,
    /// The version of its tables, and the newest that this program knows.
    pub version: (i64, i64),
    /// What SQLite finds wrong with the file; empty if it is sound.
    pub faults: Vec<String>,
}

impl Examined {
    /// Looks into an SQLite file. Nothing is written, made or brought up to date.
    pub async fn of(file: &Path) -> Result<Self, StoreError> {
        // A log beside the file means that somebody has it open, or was killed: then the log is read too. Without one
        // the file is all there is, and reading it needs no files beside it.
        let log = file.with_file_name(format!(
            "{}-wal",
            file.file_name().map(|n| n.to_string_lossy()).unwrap_or_default()
        ));
        let options = SqliteConnectOptions::new()
            .filename(file)
            .create_if_missing(false)
            .read_only(true)
            .immutable(!log.exists());
        let pool = SqlitePoolOptions::new().max_connections(1).connect_with(options).await?;
        let checked = sqlx::query("PRAGMA integrity_check").fetch_all(&pool).await?;
        let faults = checked
            .iter()
            .filter_map(|row| row.try_get::<String, _>(0).ok())
            .filter(|line| line != "ok")
            .collect();
        let version: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM tricorne_schema")
            .fetch_one(&pool)
            .await?;
        let games: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM games").fetch_one(&pool).await?;
        pool.close().await;
        Ok(Self { games, version: (version, schema::STEPS.len() as i64), faults })
    }
}
