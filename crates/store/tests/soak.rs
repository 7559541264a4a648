//! Kills and failed writes on PostgreSQL, and kills on SQLite: whatever was answered with "done" is there.
//!
//! Some of each by default; `TRICORNE_SOAK=1000` for the whole of it.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

#[cfg(feature = "postgres")]
use crate::support::postgres;
use crate::support::rows::{action, game};
use tricorne_store::{Next, Store};

const DATABASE: &str = "TRICORNE_SOAK_DATABASE";
const GAMES: usize = 6;

fn times(few: usize) -> usize {
    std::env::var("TRICORNE_SOAK").ok().and_then(|n| n.parse().ok()).unwrap_or(few)
}

/// Not a test of its own: the writer that `kill_again_and_again` starts and kills is this program again.
#[test]
fn child_writer() {
    let Ok(database) = std::env::var(DATABASE) else { return };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let store = Store::open(&database).await.unwrap();
        for g in 0..GAMES {
            let store = store.clone();
            tokio::spawn(async move {
                let id = format!("g{g}");
                let mut n = store.actions(&id).await.unwrap().len() as i64;
                println!("found {g} {n}");
                while store.act(&id, action(n + 1), Next::Waits(1)).await.is_ok() {
                    n += 1;
                    println!("kept {g} {n}");
                }
                // Nothing fails here; the one that kills sees that it ended too early.
                std::process::exit(3);
            });
        }
        std::future::pending::<()>().await;
    });
}

/// Lets a writer write, kills it after some words of it, and looks whether everything it said holds.
async fn kill_again_and_again(database: &str, kills: usize) {
    let store = Store::open(database).await.unwrap();
    for g in 0..GAMES {
        store.create(game(&format!("g{g}")), Vec::new(), Vec::new()).await.unwrap();
    }
    store.close().await;
    let mut said = [0_i64; GAMES];
    let mut total = 0;
    for kill in 0..kills {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "soak::child_writer", "--nocapture", "--test-threads", "1"])
            .env(DATABASE, database)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // A few words or some dozen: any moment must do, and a thousand kills should not take an hour.
        let mut words = 3 + (kill * 37) % 31;
        for line in BufReader::new(child.stdout.take().unwrap()).lines() {
            let line = line.unwrap_or_default();
            let mut parts = line.split(' ').rev();
            let (n, g) = (
                parts.next().and_then(|n| n.parse::<i64>().ok()),
                parts.next().and_then(|g| g.parse::<usize>().ok()),
            );
            let (Some(n), Some(g), Some(word)) = (n, g, parts.next()) else { continue };
            if word.ends_with("found") {
                assert!(n >= said[g], "game {g}: {} acknowledged, {n} there after {kill} kills", said[g]);
            } else {
                total += 1;
            }
            said[g] = said[g].max(n);
            words -= 1;
            if words == 0 {
                // SIGKILL: nothing is put in order. What it said before is read to the end.
                child.kill().unwrap();
                words = usize::MAX;
            }
        }
        child.wait().unwrap();
    }
    let store = Store::open(database).await.unwrap();
    for (g, said) in said.into_iter().enumerate() {
        let rows = store.actions(&format!("g{g}")).await.unwrap();
        assert!(rows.len() as i64 >= said, "game {g}: {said} acknowledged, {} there", rows.len());
        assert_eq!(rows, (1..=rows.len() as i64).map(action).collect::<Vec<_>>());
    }
    println!("{kills} kills, {total} acknowledged, none lost");
}

#[tokio::test]
async fn killed_on_sqlite() {
    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    kill_again_and_again(&format!("sqlite:{}", folder.path().join("games.db").display()), times(8)).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn killed_on_postgres() {
    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let Some(server) = postgres::Server::start() else {
        eprintln!("skipped: no PostgreSQL here");
        return;
    };
    kill_again_and_again(&server.url(), times(8)).await;
}

/// PostgreSQL's own ways to fail: the disk full at an insert, a failure at the commit itself, a connection cut at any moment.
#[cfg(feature = "postgres")]
#[tokio::test(flavor = "multi_thread")]
async fn failed_writes_on_postgres() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

    use sqlx::Connection;

    if std::env::var(DATABASE).is_ok() {
        return;
    }
    let Some(server) = postgres::Server::start() else {
        eprintln!("skipped: no PostgreSQL here");
        return;
    };
    let failures = times(60) as i64;
    let store = Store::open(&server.url()).await.unwrap();
    for g in 0..GAMES {
        store.create(game(&format!("g{g}")), Vec::new(), Vec::new()).await.unwrap();
    }
    let mut keeper = sqlx::PgConnection::connect(&server.url()).await.unwrap();
    // Every 7th insert finds the disk full, every 11th action fails its transaction at the commit.
    for statement in [
        "CREATE SEQUENCE inserts",
        "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('inserts') % 7 = 0 THEN RAISE EXCEPTION 'no space left' USING ERRCODE = '53100'; END IF;
            RETURN NEW; END $$",
        "CREATE FUNCTION at_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            IF nextval('inserts') % 11 = 0 THEN RAISE EXCEPTION 'can''t flush' USING ERRCODE = '58030'; END IF;
            RETURN NEW; END $$",
        "CREATE TRIGGER full_disk BEFORE INSERT ON actions FOR EACH ROW EXECUTE FUNCTION full_disk()",
        "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON actions DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION at_commit()",
    ] {
        sqlx::query(statement).execute(&mut keeper).await.unwrap();
    }
    let (done, failed, kept) =
        (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)), Arc::new(AtomicI64::new(0)));
    let mut players = Vec::new();
    for g in 0..GAMES {
        let (store, done, failed, kept) =
            (store.clone(), Arc::clone(&done), Arc::clone(&failed), Arc::clone(&kept));
        players.push(tokio::spawn(async move {
            let id = format!("g{g}");
            let mut n = 0;
            while !done.load(Ordering::Relaxed) {
                if store.act(&id, action(n + 1), Next::Waits(1)).await.is_ok() {
                    n += 1;
                    kept.fetch_add(1, Ordering::Relaxed);
                    continue;
                }
                failed.fetch_add(1, Ordering::Relaxed);
                if let Ok(rows) = store.actions(&id).await {
                    assert!(rows.len() as i64 >= n, "{id}: {n} acknowledged, {} there", rows.len());
                    n = rows.len() as i64;
                }
            }
            (id, n)
        }));
    }
    // And now and then every other connection is cut, the pen's among them.
    while failed.load(Ordering::Relaxed) < failures || kept.load(Ordering::Relaxed) < failures / 4 {
        sqlx::query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'")
            .execute(&mut keeper)
            .await
            .unwrap();
        let seen = kept.load(Ordering::Relaxed);
        while kept.load(Ordering::Relaxed) < seen + 5
            && !players.iter().any(tokio::task::JoinHandle::is_finished)
        {
            tokio::task::yield_now().await;
        }
        if players.iter().any(tokio::task::JoinHandle::is_finished) {
            break;
        }
    }
    done.store(true, Ordering::Relaxed);
    for player in players {
        let (id, n) = player.await.unwrap();
        let mut there = Vec::new();
        for row in Store::open(&server.url()).await.unwrap().actions(&id).await.unwrap() {
            there.push(row.n);
        }
        assert_eq!(there, (1..=n).collect::<Vec<_>>(), "{id}");
    }
    let (failed, kept) = (failed.load(Ordering::Relaxed), kept.load(Ordering::Relaxed));
    println!("{failed} writes failed, {kept} acknowledged, none lost");
}
