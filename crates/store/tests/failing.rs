//! Writes that fail: whatever was answered with "done" is on disk, whichever write failed and however, and the store
//! writes on when the disk is well again.
//!
//! The disk that fails is `support/failing.c`, built here and loaded before the system's library, so this is for Linux
//! with a C compiler. The first 40 writes fail in turn by default; `TRICORNE_FAILURES=200` for the whole of it.

#![allow(clippy::doc_markdown, reason = "SQLite, PostgreSQL, WebSocket and OpenAPI are names, not code")]

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;

use crate::support::rows::{action, game};
use tricorne_store::{Next, Store};

const DISK: &str = "TRICORNE_FAILING_DISK";
const GAMES: usize = 3;
const ACTIONS: i64 = 10;

/// Tells the disk what to fail.
struct Disk(File);

impl Disk {
    fn tell(&self, numbers: [i64; 5]) {
        let bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_ne_bytes()).collect();
        self.0.write_all_at(&bytes, 0).unwrap();
    }

    fn failed(&self) -> i64 {
        let mut bytes = [0; 8];
        self.0.read_exact_at(&mut bytes, 32).unwrap();
        i64::from_ne_bytes(bytes)
    }
}

/// Plays one game against a disk that may fail; how many actions were acknowledged, or told to be there afterwards.
async fn play(store: Store, id: String) -> (String, i64) {
    let mut kept = 0;
    while kept < ACTIONS {
        if store.act(&id, action(kept + 1), Next::Waits(1)).await.is_ok() {
            kept += 1;
            continue;
        }
        // As a table does it: what is there is read again, and an acknowledged action is.
        if let Ok(rows) = store.actions(&id).await {
            let there = rows.len() as i64;
            assert!(there >= kept, "{id}: {kept} acknowledged, {there} there");
            kept = there;
        }
        tokio::task::yield_now().await;
    }
    (id, kept)
}

/// One disk that fails from its `at`-th write on, `count` times in a row; how often it did.
async fn fail(disk: &Disk, folder: &Path, at: i64, count: i64, how: i64) -> i64 {
    let file = folder.join(format!("{at}-{count}-{how}.db"));
    let store = Store::open(&format!("sqlite:{}", file.display())).await.unwrap();
    for g in 0..GAMES {
        store.create(game(&format!("g{g}")), Vec::new(), Vec::new()).await.unwrap();
    }
    disk.tell([at, count, how, 0, 0]);
    let players: Vec<_> = (0..GAMES).map(|g| tokio::spawn(play(store.clone(), format!("g{g}")))).collect();
    let mut acknowledged = Vec::new();
    for player in players {
        acknowledged.push(player.await.unwrap());
    }
    let failed = disk.failed();
    disk.tell([0; 5]);
    // What a killed server leaves behind is the file and its log as they are now.
    let (left, wal) = (folder.join("left.db"), |f: &Path| format!("{}-wal", f.display()));
    std::fs::copy(&file, &left).unwrap();
    let _ = std::fs::remove_file(wal(&left));
    if Path::new(&wal(&file)).exists() {
        std::fs::copy(wal(&file), wal(&left)).unwrap();
    }
    let again = Store::open(&format!("sqlite:{}", left.display())).await.unwrap();
    for (id, kept) in acknowledged {
        let there = again.actions(&id).await.unwrap();
        let expected: Vec<_> = (1..=kept).map(action).collect();
        assert_eq!(there, expected, "write {at} failed {count} times, in way {how}");
    }
    again.close().await;
    // And after a clean stop the one file is enough.
    store.close().await;
    assert!(!Path::new(&wal(&file)).exists(), "a log is left after a clean stop");
    std::fs::remove_file(&file).unwrap();
    failed
}

/// Not a test of its own: `nothing_acknowledged_is_lost` starts this program again with the failing disk in front of it.
#[test]
fn on_a_failing_disk() {
    let Some(told) = std::env::var_os(DISK) else { return };
    let disk = Disk(File::options().read(true).write(true).open(told).unwrap());
    let most: i64 = std::env::var("TRICORNE_FAILURES").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    // In memory where there is such a folder: what counts is what was written, not how long the disk takes for it.
    let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut failed = 0;
    for at in 1..=most {
        for (how, count) in [(0, 1), (0, 2), (1, 3 + at % 20), (2, 1 + at % 3), (3, 1 + at % 3)] {
            failed += runtime.block_on(fail(&disk, folder.path(), at, count, how));
        }
    }
    println!("{failed} writes failed, nothing acknowledged was lost");
    assert!(failed > most, "only {failed} writes failed: the disk is not in front");
}

#[test]
fn nothing_acknowledged_is_lost() {
    if std::env::var_os(DISK).is_some() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (library, told) = (folder.path().join("failing.so"), folder.path().join("told"));
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/failing.c");
    let built = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status();
    let Ok(built) = built else {
        eprintln!("skipped: no C compiler here to build a failing disk with");
        return;
    };
    assert!(built.success(), "the failing disk can't be built");
    std::fs::write(&told, [0; 48]).unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "failing::on_a_failing_disk", "--nocapture", "--test-threads", "1"])
        .env(DISK, &told)
        .env("LD_PRELOAD", &library)
        .output()
        .unwrap();
    let said =
        format!("{}{}", String::from_utf8_lossy(&child.stdout), String::from_utf8_lossy(&child.stderr));
    println!("{said}");
    assert!(child.status.success(), "{said}");
}
