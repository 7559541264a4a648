//! `tricorne lab load`: a server of its own, battles over WebSocket, figures at the end.

use assert_cmd::Command;
use serde_json::Value;

fn load(args: &[&str]) -> std::process::Output {
    let mut command = Command::cargo_bin("tricorne").unwrap();
    command.args(["lab", "load"]).args(args).output().unwrap()
}

#[test]
fn battles_are_played_and_measured() {
    let out = load(&[
        "crossing-the-veld",
        "--games",
        "4",
        "--rate",
        "60",
        "--seconds",
        "1.5",
        "--idle",
        "0",
        "--json",
    ]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert!(report["actions"].as_u64().unwrap() > 5, "{report}");
    assert_eq!((&report["games"], &report["connections"]), (&4.into(), &8.into()));
    assert!(report["half_ms"].as_f64().unwrap() <= report["ninety_nine_ms"].as_f64().unwrap());
}

#[test]
fn wrong_figures_are_told() {
    for (args, word) in [(["--games", "0"], "--games"), (["--views", "all"], "changes")] {
        let out = load(&args);
        assert_eq!(out.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&out.stderr).contains(word));
    }
}

#[test]
fn battles_go_on_beside_clients_that_do_their_worst() {
    let out = load(&[
        "crossing-the-veld",
        "--games",
        "2",
        "--rate",
        "10",
        "--seconds",
        "2",
        "--idle",
        "0",
        "--hostile",
        "10",
        "--json",
    ]);
    assert!(out.status.success(), "{}", String::from_utf8_lossy(&out.stderr));
    let report: Value = serde_json::from_slice(&out.stdout).unwrap();
    assert!(report["actions"].as_u64().unwrap() > 0, "{report}");
    assert_eq!(report["hostile"], 10);
    assert!(report["hostile_requests"].as_u64().unwrap() > 0, "{report}");
}
