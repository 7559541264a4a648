//! Copies: everything that is kept, in one SQLite file, whichever database it is kept in.
//!
//! A copy of a PostgreSQL is an SQLite file too, and either goes back into either: so a club can also move from the one
//! to the other.

use std::fs::File;
use std::path::{Path, PathBuf};

use sqlx::sqlite::SqliteConnectOptions;
#[cfg(feature = "postgres")]
use sqlx::{AssertSqlSafe, PgConnection, QueryBuilder, Row};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

#[cfg(feature = "postgres")]
use crate::update_postgres;
use crate::{Place, StoreError, place, schema, to_read, update_sqlite};

/// What a copy holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Copied {
    /// Games, those that are over and those brought as journals included.
    pub games: i64,
    /// Their actions.
    pub actions: i64,
    /// People with a name and a password.
    pub users: i64,
}

/// Rows that are carried at once.
#[cfg(feature = "postgres")]
const ROWS: usize = 200;

/// Copies everything that is kept at `url` into a new file, as it is at one moment; a server may go on serving meanwhile.
pub async fn backup(url: &str, to: &Path) -> Result<Copied, StoreError> {
    absent(to)?;
    let part = Part::beside(to)?;
    match place(url)? {
        Place::Sqlite(options) => {
            let mut from = to_read(url, &options).await?;
            version(&mut from).await?;
            sqlx::query("VACUUM INTO $1").bind(part.text()?).execute(&mut from).await?;
            from.close().await?;
        }
        #[cfg(feature = "postgres")]
        Place::Postgres(options) => {
            let mut from = options.connect().await.map_err(|e| crate::address(url, &e))?;
            // One moment for all tables.
            sqlx::query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").execute(&mut from).await?;
            let tables: i64 = sqlx::query_scalar(
                "SELECT COUNT(*) FROM information_schema.tables WHERE table_name = 'tricorne_schema' \
                 AND table_schema = current_schema()",
            )
            .fetch_one(&mut from)
            .await?;
            if tables == 0 {
                return Err(StoreError::File("no games were ever kept there".into()));
            }
            let version: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM tricorne_schema")
                .fetch_one(&mut from)
                .await?;
            let mut into = single(&part.0).create_if_missing(true).connect().await?;
            tables_up_to(&mut into, version).await?;
            sqlx::query("BEGIN").execute(&mut into).await?;
            for table in tables_of(&mut into).await? {
                carry_to_sqlite(&mut from, &mut into, &table).await?;
            }
            sqlx::query("COMMIT").execute(&mut into).await?;
            into.close().await?;
            from.close().await?;
        }
    }
    without_keys(&part.0).await?;
    let copied = examine(&part.0).await?;
    part.finish(to)?;
    Ok(copied)
}

/// Which servers were there is nobody's business elsewhere: their keys let others in. Nor who has tried which password.
async fn without_keys(file: &Path) -> Result<(), StoreError> {
    let mut c = single(file).connect().await?;
    for (table, empty) in
        [("servers", "DELETE FROM servers"), ("leads", "DELETE FROM leads"), ("tries", "DELETE FROM tries")]
    {
        let there: i64 = sqlx::query_scalar("SELECT COUNT(*) FROM sqlite_master WHERE name = $1")
            .bind(table)
            .fetch_one(&mut c)
            .await?;
        if there == 1 {
            sqlx::query(empty).execute(&mut c).await?;
        }
    }
    Ok(c.close().await?)
}

/// Puts a copy into a database that is empty: an SQLite file that is not there yet, or a PostgreSQL without games and
/// names. All of it or nothing.
pub async fn restore(from: &Path, url: &str) -> Result<Copied, StoreError> {
    let copied = examine(from).await?;
    match place(url)? {
        Place::Sqlite(options) => {
            let to = options.get_filename();
            absent(to)?;
            let part = Part::beside(to)?;
            copy_and_update(from, &part).await?;
            part.finish(to)?;
        }
        #[cfg(feature = "postgres")]
        Place::Postgres(options) => {
            // An older copy is brought up to date first, beside itself.
            let part = Part::beside(from)?;
            copy_and_update(from, &part).await?;
            let mut source = single(&part.0).read_only(true).connect().await?;
            let mut into = options.connect().await.map_err(|e| crate::address(url, &e))?;
            update_postgres(&mut into).await?;
            sqlx::query("BEGIN").execute(&mut into).await?;
            // Nobody may begin a game between looking and filling.
            sqlx::query("LOCK TABLE games, users IN ACCESS EXCLUSIVE MODE").execute(&mut into).await?;
            let there: i64 =
                sqlx::query_scalar("SELECT (SELECT COUNT(*) FROM games) + (SELECT COUNT(*) FROM users)")
                    .fetch_one(&mut into)
                    .await?;
            if there > 0 {
                return Err(StoreError::File(
                    "there are games or names in it already; a copy goes back into an empty database".into(),
                ));
            }
            for table in tables_of(&mut source).await? {
                carry_to_postgres(&mut source, &mut into, &table).await?;
            }
            sqlx::query("COMMIT").execute(&mut into).await?;
            source.close().await?;
            into.close().await?;
        }
    }
    Ok(copied)
}

async fn copy_and_update(from: &Path, part: &Part) -> Result<(), StoreError> {
    let mut source = File::open(from).map_err(|e| on_disk(from, &e))?;
    // Whichever of the two it is that fails now: the copy has been read through just before.
    let mut made = File::create(&part.0).map_err(|e| on_disk(&part.0, &e))?;
    std::io::copy(&mut source, &mut made).map_err(|e| on_disk(&part.0, &e))?;
    drop(made);
    let mut made = single(&part.0).connect().await?;
    update_sqlite(&mut made).await?;
    Ok(made.close().await?)
}

fn on_disk(file: &Path, e: &std::io::Error) -> StoreError {
    StoreError::File(format!("{}: {e}", file.display()))
}

fn absent(file: &Path) -> Result<(), StoreError> {
    if file.exists() {
        let why = format!("{} is there already; choose another name, or move it away", file.display());
        return Err(StoreError::File(why));
    }
    Ok(())
}

/// A file in the making: it gets its name when it is whole and on disk, and goes if that never comes.
struct Part(PathBuf);

impl Part {
    fn beside(file: &Path) -> Result<Self, StoreError> {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".{}.part", std::process::id()));
        let part = Self(name.into());
        absent(&part.0)?;
        Ok(part)
    }

    fn text(&self) -> Result<&str, StoreError> {
        self.0.to_str().ok_or_else(|| StoreError::File("the file's name is not Unicode".into()))
    }

    fn finish(self, name: &Path) -> Result<(), StoreError> {
        let failed = |e| on_disk(name, &e);
        File::open(&self.0).and_then(|f| f.sync_all()).map_err(failed)?;
        std::fs::rename(&self.0, name).map_err(failed)?;
        // The name itself is on disk when its folder is.
        let folder = name.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if cfg!(unix) {
            File::open(folder).and_then(|f| f.sync_all()).map_err(failed)?;
        }
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        for end in ["", "-wal", "-shm", "-journal"] {
            let mut name = self.0.as_os_str().to_owned();
            name.push(end);
            let _ = std::fs::remove_file(name);
        }
    }
}

/// A file by itself, without a log.
fn single(file: &Path) -> SqliteConnectOptions {
    SqliteConnectOptions::new().filename(file).foreign_keys(true)
}

/// Looks a copy over: whole, ours, and not of a later release.
async fn examine(file: &Path) -> Result<Copied, StoreError> {
    let unreadable = |e: sqlx::Error| StoreError::File(format!("{} is no copy of ours: {e}", file.display()));
    if !file.is_file() {
        return Err(StoreError::File(format!("there is no file {}", file.display())));
    }
    let mut c = single(file).read_only(true).connect().await.map_err(unreadable)?;
    let whole: String =
        sqlx::query_scalar("PRAGMA integrity_check").fetch_one(&mut c).await.map_err(unreadable)?;
    if whole != "ok" {
        return Err(StoreError::File(format!("{} is damaged: {whole}", file.display())));
    }
    let bad: Vec<_> = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut c).await.map_err(unreadable)?;
    if !bad.is_empty() {
        return Err(StoreError::File(format!("{} is damaged: parts of games are missing", file.display())));
    }
    version(&mut c).await.map_err(|e| match e {
        StoreError::Database(why) | StoreError::File(why) => {
            StoreError::File(format!("{}: {why}", file.display()))
        }
        other => other,
    })?;
    let (games, actions, users): (i64, i64, i64) = sqlx::query_as(
        "SELECT (SELECT COUNT(*) FROM games), (SELECT COUNT(*) FROM actions), (SELECT COUNT(*) FROM users)",
    )
    .fetch_one(&mut c)
    .await?;
    c.close().await?;
    Ok(Copied { games, actions, users })
}

async fn version(c: &mut SqliteConnection) -> Result<i64, StoreError> {
    let version: i64 = sqlx::query_scalar("SELECT COALESCE(MAX(version), 0) FROM tricorne_schema")
        .fetch_one(c)
        .await
        .map_err(|e| StoreError::File(format!("no games were ever kept there: {e}")))?;
    let known = schema::STEPS.len() as i64;
    if version > known {
        return Err(crate::too_new(version as usize));
    }
    Ok(version)
}

#[cfg(feature = "postgres")]
async fn tables_up_to(c: &mut SqliteConnection, version: i64) -> Result<(), StoreError> {
    let version = usize::try_from(version).unwrap_or_default();
    let steps = schema::STEPS.get(..version).ok_or_else(|| crate::too_new(version))?;
    sqlx::query("CREATE TABLE tricorne_schema (version BIGINT NOT NULL)").execute(&mut *c).await?;
    for statement in steps.iter().copied().flatten() {
        sqlx::query(*statement).execute(&mut *c).await?;
    }
    Ok(())
}

#[cfg(feature = "postgres")]
/// A table and its columns, with whether each holds text (the others hold whole numbers).
struct Table {
    name: String,
    columns: Vec<(String, bool)>,
}

#[cfg(feature = "postgres")]
impl Table {
    fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(feature = "postgres")]
/// The tables in the order they were made, so that what a row refers to is there before it.
async fn tables_of(c: &mut SqliteConnection) -> Result<Vec<Table>, StoreError> {
    let names: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .fetch_all(&mut *c)
    .await?;
    let mut tables = Vec::new();
    for name in names {
        let columns: Vec<(String, String)> = sqlx::query_as("SELECT name, type FROM pragma_table_info($1)")
            .bind(&name)
            .fetch_all(&mut *c)
            .await?;
        let columns = columns.into_iter().map(|(name, kind)| (name, kind == "TEXT")).collect();
        tables.push(Table { name, columns });
    }
    Ok(tables)
}

#[cfg(feature = "postgres")]
enum Cell {
    Whole(Option<i64>),
    Text(Option<String>),
}

#[cfg(feature = "postgres")]
macro_rules! cells {
    ($rows:expr, $table:expr) => {{
        let mut all = Vec::with_capacity($rows.len());
        for row in &$rows {
            let mut cells = Vec::with_capacity($table.columns.len());
            for (i, (_, text)) in $table.columns.iter().enumerate() {
                cells.push(if *text { Cell::Text(row.try_get(i)?) } else { Cell::Whole(row.try_get(i)?) });
            }
            all.push(cells);
        }
        all
    }};
}

#[cfg(feature = "postgres")]
macro_rules! insert {
    ($db:ty, $into:expr, $table:expr, $cells:expr) => {{
        let mut query =
            QueryBuilder::<$db>::new(format!("INSERT INTO {} ({}) ", $table.name, $table.names()));
        query.push_values($cells, |mut values, row| {
            for cell in row {
                match cell {
                    Cell::Whole(n) => values.push_bind(n),
                    Cell::Text(text) => values.push_bind(text),
                };
            }
        });
        query.build().execute(&mut *$into).await?;
    }};
}

#[cfg(feature = "postgres")]
async fn carry_to_sqlite(
    from: &mut PgConnection,
    into: &mut SqliteConnection,
    table: &Table,
) -> Result<(), StoreError> {
    // Each cursor has a name of its own: what is known of the rows of one is not true of the next.
    let name = &table.name;
    let declare = format!("DECLARE reading_{name} NO SCROLL CURSOR FOR SELECT {} FROM {name}", table.names());
    sqlx::query(AssertSqlSafe(declare)).execute(&mut *from).await?;
    let fetch = format!("FETCH {ROWS} FROM reading_{name}");
    loop {
        let rows = sqlx::query(AssertSqlSafe(fetch.clone())).fetch_all(&mut *from).await?;
        if rows.is_empty() {
            return Ok(());
        }
        insert!(sqlx::Sqlite, into, table, cells!(rows, table));
    }
}

#[cfg(feature = "postgres")]
async fn carry_to_postgres(
    from: &mut SqliteConnection,
    into: &mut PgConnection,
    table: &Table,
) -> Result<(), StoreError> {
    // Which steps its tables have had, it knows itself.
    if table.name == "tricorne_schema" {
        return Ok(());
    }
    let page = format!(
        "SELECT {}, rowid FROM {} WHERE rowid > $1 ORDER BY rowid LIMIT {ROWS}",
        table.names(),
        table.name
    );
    let mut last = i64::MIN;
    loop {
        let rows = sqlx::query(AssertSqlSafe(page.clone())).bind(last).fetch_all(&mut *from).await?;
        let Some(row) = rows.last() else { return Ok(()) };
        last = row.try_get(table.columns.len())?;
        insert!(sqlx::Postgres, into, table, cells!(rows, table));
    }
}
