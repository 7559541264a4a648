//! The tables, and how an older file is brought up to date.

/// Each step brings the tables one version on. The types are those that SQLite and PostgreSQL share: whole numbers and
/// text, so there is one text for both. A step that was ever released is never changed; a new one is added.
pub(crate) const STEPS: &[&[&str]] = &[
    &[
        "CREATE TABLE games (
        id TEXT NOT NULL PRIMARY KEY,
        created BIGINT NOT NULL,
        ruleset TEXT NOT NULL,
        scenario TEXT NOT NULL,
        title TEXT NOT NULL,
        header TEXT NOT NULL,
        seed TEXT NOT NULL,
        commitment TEXT NOT NULL,
        status TEXT NOT NULL,
        public BIGINT NOT NULL,
        watch BIGINT NOT NULL,
        lobby TEXT NOT NULL,
        ending TEXT,
        waiting BIGINT,
        take_backs BIGINT NOT NULL
    )",
        "CREATE INDEX games_by_age ON games (public, status, created)",
        "CREATE TABLE seats (
        game TEXT NOT NULL REFERENCES games (id),
        seat BIGINT NOT NULL,
        side BIGINT NOT NULL,
        seat_name TEXT NOT NULL,
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        token_hash TEXT,
        owner TEXT,
        PRIMARY KEY (game, seat)
    )",
        "CREATE INDEX seats_by_owner ON seats (owner)",
        "CREATE TABLE actions (
        game TEXT NOT NULL REFERENCES games (id),
        n BIGINT NOT NULL,
        seat BIGINT NOT NULL,
        action TEXT NOT NULL,
        hash TEXT NOT NULL,
        moment BIGINT NOT NULL,
        PRIMARY KEY (game, n)
    )",
        "CREATE TABLE chat (
        game TEXT NOT NULL REFERENCES games (id),
        k BIGINT NOT NULL,
        moment BIGINT NOT NULL,
        seat BIGINT NOT NULL,
        name TEXT NOT NULL,
        line TEXT NOT NULL,
        PRIMARY KEY (game, k)
    )",
        "CREATE TABLE users (
        name_key TEXT NOT NULL PRIMARY KEY,
        name TEXT NOT NULL,
        password TEXT NOT NULL,
        created BIGINT NOT NULL
    )",
        "CREATE TABLE sessions (
        token_hash TEXT NOT NULL PRIMARY KEY,
        name_key TEXT NOT NULL REFERENCES users (name_key),
        expires BIGINT NOT NULL
    )",
    ],
    // Who made a game, as a hash: to be counted.
    &["ALTER TABLE games ADD COLUMN maker TEXT", "CREATE INDEX games_by_maker ON games (maker, status)"],
    // What a name looks like, so that no other can be taken for it; who was banned; when a session began.
    &[
        "ALTER TABLE users ADD COLUMN looks TEXT",
        "CREATE UNIQUE INDEX users_by_looks ON users (looks)",
        "ALTER TABLE users ADD COLUMN banned BIGINT NOT NULL DEFAULT 0",
        "ALTER TABLE sessions ADD COLUMN created BIGINT",
        "CREATE INDEX sessions_by_name ON sessions (name_key)",
    ],
    // How many actions of a game that is being played nobody but their own seat knows of.
    &["ALTER TABLE games ADD COLUMN untold BIGINT NOT NULL DEFAULT 0"],
    // What came of an action, as a digest: so that a later release can see whether its rules bring the same. And who would
    // leave a battle at that.
    &[
        "ALTER TABLE actions ADD COLUMN events TEXT NOT NULL DEFAULT ''",
        "CREATE TABLE agreed (
        game TEXT NOT NULL REFERENCES games (id),
        seat BIGINT NOT NULL,
        PRIMARY KEY (game, seat)
    )",
    ],
    // Servers on one database, and which of them leads which game.
    &[
        "CREATE TABLE servers (
        id TEXT NOT NULL PRIMARY KEY,
        address TEXT NOT NULL,
        seen BIGINT NOT NULL
    )",
        "CREATE TABLE leads (
        game TEXT NOT NULL PRIMARY KEY,
        server TEXT NOT NULL
    )",
        "CREATE INDEX leads_by_server ON leads (server)",
    ],
    // Club evenings with their players and rounds, and the seasons they may belong to.
    &[
        "CREATE TABLE seasons (
        id TEXT NOT NULL PRIMARY KEY,
        ruleset TEXT NOT NULL,
        title TEXT NOT NULL,
        begins BIGINT NOT NULL,
        ends BIGINT NOT NULL
    )",
        "CREATE TABLE evenings (
        id TEXT NOT NULL PRIMARY KEY,
        keeper TEXT,
        title TEXT NOT NULL,
        season TEXT REFERENCES seasons (id),
        created BIGINT NOT NULL,
        over BIGINT NOT NULL,
        players BIGINT NOT NULL,
        rounds BIGINT NOT NULL,
        version BIGINT NOT NULL,
        pairings TEXT NOT NULL
    )",
        "CREATE INDEX evenings_by_age ON evenings (created)",
        "CREATE INDEX evenings_by_keeper ON evenings (keeper, over)",
        "CREATE INDEX evenings_by_season ON evenings (season)",
    ],
    // Tries at passwords, counted by all servers together: when the last of somebody's, or of those at a name, is forgiven.
    &["CREATE TABLE tries (whose TEXT NOT NULL PRIMARY KEY, forgiven BIGINT NOT NULL)"],
];

#[cfg(test)]
mod tests {
    use sqlx::{ConnectOptions, Connection};

    use super::STEPS;
    use crate::Store;

    /// A file of every release there was: what is in it is there afterwards, under tables of today.
    #[tokio::test]
    async fn an_older_file_is_brought_up_to_date() {
        let folder = tempfile::tempdir().unwrap();
        for version in 1..=STEPS.len() {
            let file = folder.path().join(format!("{version}.db"));
            let mut c = sqlx::sqlite::SqliteConnectOptions::new()
                .filename(&file)
                .create_if_missing(true)
                .connect()
                .await
                .unwrap();
            sqlx::query("CREATE TABLE tricorne_schema (version BIGINT NOT NULL)")
                .execute(&mut c)
                .await
                .unwrap();
            for (k, step) in STEPS[..version].iter().enumerate() {
                for statement in *step {
                    sqlx::query(*statement).execute(&mut c).await.unwrap();
                }
                sqlx::query("INSERT INTO tricorne_schema (version) VALUES ($1)")
                    .bind(k as i64 + 1)
                    .execute(&mut c)
                    .await
                    .unwrap();
            }
            for statement in [
                "INSERT INTO games (id, created, ruleset, scenario, title, header, seed, commitment, status, public, watch, \
                 lobby, take_backs) VALUES ('old', 1, 'toy', 'hill', 'Old', '{}', '1', 'c', 'playing', 1, 1, '{}', 0)",
                "INSERT INTO actions (game, n, seat, action, hash, moment) VALUES ('old', 1, 0, '{}', 'h', 2)",
                "INSERT INTO users (name_key, name, password, created) VALUES ('anna', 'Anna', 'argon', 1)",
            ] {
                sqlx::query(statement).execute(&mut c).await.unwrap();
            }
            c.close().await.unwrap();
            let store = Store::open(&format!("sqlite:{}", file.display())).await.unwrap();
            let game = store.game("old").await.unwrap().unwrap();
            assert_eq!(
                (game.title.as_str(), game.actions, game.untold),
                ("Old", 1, 0),
                "of version {version}"
            );
            assert_eq!(store.user("anna").await.unwrap().unwrap().name, "Anna");
            assert_eq!(store.evenings(5).await.unwrap(), []);
            store.probe().await.unwrap();
            store.close().await;
        }
    }
}
