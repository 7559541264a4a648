//! The laboratory at the command line.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

fn lab(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tricorne"));
    command.arg("lab").args(args).current_dir(folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

const VELD: &str = "would-be-kings/crossing-the-veld";
/// Files in the best form this build can write.
const UNITS: &str = if cfg!(feature = "parquet") { "u.parquet" } else { "u.csv" };
const SWEEP: &str = if cfg!(feature = "png") { "s.png" } else { "s.svg" };

#[test]
fn a_run_sums_up_and_leaves_rows_units_and_a_plot() {
    let folder = tempfile::tempdir().unwrap();
    let run = lab(
        &[
            "run",
            VELD,
            "--players",
            "random",
            "--battles",
            "4",
            "--json",
            "--rows",
            "r.csv",
            "--units",
            UNITS,
            "--plot",
            "p.svg",
        ],
        folder.path(),
    );
    assert_eq!(run.status.code(), Some(0), "{}", text(&run.stderr));
    let json: serde_json::Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(json["summary"]["battles"], 4);
    assert_eq!(json["players"], serde_json::json!(["random", "random"]));
    let low = json["summary"]["first_side"]["low"].as_f64().unwrap();
    assert!((0.0..0.5).contains(&low));
    let rows = std::fs::read_to_string(folder.path().join("r.csv")).unwrap();
    assert_eq!(rows.lines().count(), 5);
    assert!(rows.starts_with("study,battle,seed,player_1,player_2,winner,"));
    let plot = std::fs::read_to_string(folder.path().join("p.svg")).unwrap();
    assert!(plot.starts_with("<svg") && plot.contains("Losses by unit"));
    let units = std::fs::read(folder.path().join(UNITS)).unwrap();
    assert!(units.starts_with(if cfg!(feature = "parquet") { b"PAR1" } else { b"stud" }));
    // The row's seed fights the same battle again.
    let seed = rows.lines().nth(3).unwrap().split(',').nth(2).unwrap().to_owned();
    let again = Command::new(env!("CARGO_BIN_EXE_tricorne"))
        .args(["battle", VELD, "--players", "random", "--seed", &seed, "--json"])
        .output()
        .unwrap();
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).unwrap();
    assert!(rows.lines().nth(3).unwrap().contains(again["ending"]["reason"].as_str().unwrap()));
}

#[test]
fn wrong_usage_is_told_before_the_first_battle() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("r.csv"), "").unwrap();
    for (args, why) in [
        (vec!["run", "nowhere"], "there is no scenario `nowhere`"),
        (vec!["run", VELD, "--players", "random,random,random"], "--players names 3 players"),
        (vec!["run", VELD, "--players", "general:5"], "is no budget"),
        (vec!["run", VELD, "--rows", "r.txt"], "its name should end in .csv or .parquet"),
        (vec!["run", VELD, "--rows", "r.csv"], "is there already"),
        (
            vec!["run", VELD, "--rows", "r.parquet", "--resume"],
            if cfg!(feature = "parquet") { "only a .csv file" } else { "built without Parquet" },
        ),
        (vec!["run", VELD, "--plot", "p.jpg"], "its name should end in .svg or .png"),
        (vec!["run", VELD, "--battles", "0"], "at least one"),
        (vec!["run", VELD, "--threads", "0"], "at least one"),
        (vec!["run", VELD, "--threads", "99999999"], "at most 1024"),
        (vec!["sweep", VELD, "--vary", "scenario:turns=5,5"], "names 5 twice"),
        (vec!["compare", VELD, "kettle-brook"], "of one rulebook"),
        (vec!["sweep", VELD, "--vary", "rounds"], "write NAME=V1,V2"),
        (vec!["sweep", VELD, "--vary", "nothing=1,2"], "there is no option `nothing`"),
        (vec!["sweep", VELD, "--vary", "scenario:turns=3,-1"], "turns"),
        (vec!["sweep", VELD, "--vary", "profiles.toml:XX.cost=3"], "XX"),
        (vec!["ladder", VELD, "--players", "random"], "two players or more"),
        (vec!["ladder", VELD, "--players", "random,random"], "names random twice"),
        (vec!["balance", "--ruleset", "chess"], "there is no ruleset `chess`"),
    ] {
        let done = lab(&args, folder.path());
        assert_eq!(done.status.code(), Some(2), "{args:?}: {}", text(&done.stderr));
        assert!(text(&done.stderr).contains(why), "{args:?}: {}", text(&done.stderr));
        assert!(done.stdout.is_empty());
    }
}

#[test]
fn a_sweep_a_ladder_and_a_balance_have_their_tables() {
    let folder = tempfile::tempdir().unwrap();
    let sweep = lab(
        &[
            "sweep",
            VELD,
            "--vary",
            "scenario:turns=2,4",
            "--players",
            "random",
            "--battles",
            "6",
            "--json",
            "--plot",
            SWEEP,
        ],
        folder.path(),
    );
    let json: serde_json::Value = serde_json::from_slice(&sweep.stdout).unwrap();
    let turns = |n: usize| json["values"][n]["turns"]["mean"].as_f64().unwrap();
    assert!(turns(0) == 2.0 && turns(1) > 2.0, "{json}");
    assert_eq!(json["values"][0]["change"]["mean"], 0.0);
    let plot = std::fs::read(folder.path().join(SWEEP)).unwrap();
    assert!(plot.starts_with(if cfg!(feature = "png") { b"\x89PNG" } else { b"<svg" }));
    let ladder = lab(
        &["ladder", VELD, "--players", "random,general:1it", "--battles", "4", "--markdown", "l.md"],
        folder.path(),
    );
    assert_eq!(ladder.status.code(), Some(0), "{}", text(&ladder.stderr));
    let table = std::fs::read_to_string(folder.path().join("l.md")).unwrap();
    assert!(table.contains("| player | Elo |") && table.contains("| general:1it | "), "{table}");
    let balance = lab(&["balance", VELD, "--player", "random", "--battles", "4"], folder.path());
    assert!(text(&balance.stdout).contains("| 4 | "), "{}", text(&balance.stdout));
}

#[test]
fn a_study_with_more_battles_than_asked_for_is_summed_up() {
    let folder = tempfile::tempdir().unwrap();
    let run = |battles: &str| {
        lab(
            &["run", VELD, "--players", "random", "--battles", battles, "--rows", "r.csv", "--resume"],
            folder.path(),
        )
    };
    assert_eq!(run("4").status.code(), Some(0));
    let fewer = run("2");
    assert_eq!(fewer.status.code(), Some(0), "{}", text(&fewer.stderr));
    assert!(text(&fewer.stdout).contains("2 battles") && !text(&fewer.stdout).contains("battles a second"));
    // Nobody reads the rows: no fault, as everywhere.
    let (_, out) = std::io::pipe().unwrap();
    let mut unread = Command::new(env!("CARGO_BIN_EXE_tricorne"));
    unread.args(["lab", "run", VELD, "--players", "random", "--battles", "2", "--rows", "-"]);
    assert_eq!(unread.stdout(out).stderr(Stdio::null()).status().unwrap().code(), Some(0));
    // A share can't change by more than all of it.
    let sweep =
        ["sweep", VELD, "--vary", "scenario:turns=2,16", "--players", "random", "--battles", "2", "--json"];
    let sweep: serde_json::Value = serde_json::from_slice(&lab(&sweep, folder.path()).stdout).unwrap();
    for value in sweep["values"].as_array().unwrap() {
        let end = |name: &str| value["change"][name].as_f64().unwrap();
        assert!(end("low") >= -1.0 && end("high") <= 1.0, "{value}");
    }
}

#[test]
fn killed_at_any_moment_a_run_can_be_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    let args = |rows: &'static str| {
        ["lab", "run", VELD, "--players", "random", "--battles", "120", "--resume", "--rows", rows]
    };
    let mut kills = 0;
    for wait in [150, 230, 310, 400] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tricorne"))
            .args(args("broken.csv"))
            .current_dir(folder.path())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        kills += i32::from(child.try_wait().unwrap().is_none());
        let _ = child.kill();
        let _ = child.wait();
    }
    for rows in ["broken.csv", "through.csv"] {
        let done = Command::new(env!("CARGO_BIN_EXE_tricorne"))
            .args(args(rows))
            .current_dir(folder.path())
            .output()
            .unwrap();
        assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    }
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert!(kills > 0, "it was too quick to be killed");
    assert!(read("broken.csv") == read("through.csv"), "the rows differ");
}
