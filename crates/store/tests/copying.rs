//! A copy is complete, goes back whole, and is refused where it would not fit.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use std::path::Path;

#[cfg(feature = "postgres")]
use crate::support::postgres;
use crate::support::rows::{action, game, seat};
use tricorne_store::{ChatRow, Copied, Next, Store, backup, restore};

async fn fill(store: &Store) {
    for g in 0..3 {
        let id = format!("g{g}");
        store.create(game(&id), vec![seat(0, "person"), seat(1, "open")], Vec::new()).await.unwrap();
        // More than are carried at once.
        for n in 1..=250 {
            store.act(&id, action(n), Next::Waits(1)).await.unwrap();
        }
    }
    store.add_user("Ännchen", "annchen", "argon", 1).await.unwrap();
    store.add_session("s", "Ännchen", 100, 0).await.unwrap();
    let row =
        ChatRow { moment: 1, seat: 0, name: "Anna".into(), line: "'; DROP TABLE games; -- \u{1f3b2}".into() };
    store.chat("g1", row).await.unwrap();
}

async fn told(store: &Store) -> String {
    let mut text = String::new();
    for id in store.ids().await.unwrap() {
        text += &format!(
            "{:?} {:?} {:?} {:?}\n",
            store.game(&id).await.unwrap(),
            store.seats(&id).await.unwrap(),
            store.actions(&id).await.unwrap(),
            store.chats(&id, 100).await.unwrap()
        );
    }
    text + &format!("{:?} {:?}", store.user("ännchen").await.unwrap(), store.session("s", 1).await.unwrap())
}

fn sqlite(file: &Path) -> String {
    format!("sqlite:{}", file.display())
}

/// From one database into a file, from there into another: the same.
async fn goes_round(from: &str, folder: &Path, to: &str) {
    let store = Store::open(from).await.unwrap();
    fill(&store).await;
    let before = told(&store).await;
    let file = folder.join("copy.db");
    // While it is open and written to: the newest are in its log, not in its file.
    let copied = backup(from, &file).await.unwrap();
    assert_eq!(copied, Copied { games: 3, actions: 750, users: 1 });
    assert!(backup(from, &file).await.unwrap_err().to_string().contains("is there already"));
    store.close().await;

    assert_eq!(restore(&file, to).await.unwrap(), copied);
    // Before any server has opened it, as one does before an upgrade.
    assert_eq!(backup(to, &folder.join("at-once.db")).await.unwrap(), copied);
    let again = Store::open(to).await.unwrap();
    assert_eq!(told(&again).await, before);
    again.act("g1", action(251), Next::Waits(1)).await.unwrap();
    again.close().await;
    // A copy of a copy is one too, and so is one of what was just put back: neither has a log yet.
    let second = folder.join("copy-of-the-copy.db");
    assert_eq!(backup(&sqlite(&file), &second).await.unwrap(), copied);
    // What is there is never written over.
    assert!(restore(&file, to).await.unwrap_err().to_string().contains("already"));
    let left: Vec<_> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("part")), "{left:?}");
}

#[tokio::test]
async fn sqlite_to_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let (from, to) = (folder.path().join("a.db"), folder.path().join("b.db"));
    goes_round(&sqlite(&from), folder.path(), &sqlite(&to)).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn sqlite_to_postgres_and_back() {
    let (Some(server), folder) = (postgres::Server::start(), tempfile::tempdir().unwrap()) else {
        eprintln!("skipped: no PostgreSQL here");
        return;
    };
    goes_round(&sqlite(&folder.path().join("a.db")), folder.path(), &server.url()).await;
    let (copy, to) = (folder.path().join("second.db"), folder.path().join("b.db"));
    let copied = backup(&server.url(), &copy).await.unwrap();
    assert_eq!(copied.actions, 751);
    restore(&copy, &sqlite(&to)).await.unwrap();
    let (there, here) = (Store::open(&server.url()).await.unwrap(), Store::open(&sqlite(&to)).await.unwrap());
    assert_eq!(told(&there).await, told(&here).await);
}

#[tokio::test]
async fn what_is_no_copy_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let to = sqlite(&file("to.db"));
    assert!(backup(&sqlite(&file("missing.db")), &file("x.db")).await.is_err());
    for lost in
        [backup(&sqlite(&file("missing.db")), &file("x.db")).await, restore(&file("missing.db"), &to).await]
    {
        let why = lost.unwrap_err().to_string();
        assert!(why.contains("there is no file") && why.contains("missing.db"), "{why}");
    }
    std::fs::write(file("text.db"), "no database").unwrap();
    assert!(restore(&file("text.db"), &to).await.unwrap_err().to_string().contains("no copy of ours"));

    let store = Store::open(&sqlite(&file("a.db"))).await.unwrap();
    fill(&store).await;
    store.close().await;
    backup(&sqlite(&file("a.db")), &file("whole.db")).await.unwrap();
    // Half of it, and a page of it torn.
    let whole = std::fs::read(file("whole.db")).unwrap();
    std::fs::write(file("half.db"), &whole[..whole.len() / 2]).unwrap();
    assert!(restore(&file("half.db"), &to).await.is_err());
    let mut torn = whole.clone();
    for byte in &mut torn[4096 * 5..4096 * 5 + 2048] {
        *byte = 0;
    }
    std::fs::write(file("torn.db"), torn).unwrap();
    assert!(restore(&file("torn.db"), &to).await.unwrap_err().to_string().contains("damaged"));
    assert!(!file("to.db").exists());
    restore(&file("whole.db"), &to).await.unwrap();
}
