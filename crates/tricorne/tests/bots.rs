//! Programs of somebody else's at the command line: the example plays, a bad one is told of in the log and the journal.

use std::path::Path;

use assert_cmd::Command;

fn tricorne(args: &[&str]) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut command = Command::cargo_bin("tricorne").expect("the binary is built");
    let done = command.current_dir(root).args(args).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).expect("UTF-8")
}

/// The example, by a clock that no busy machine reaches: every answer of it counts, in every system.
#[test]
fn the_example_plays_every_system() {
    let scenarios: Vec<serde_json::Value> =
        serde_json::from_str(&tricorne(&["rulesets", "--json"])).expect("JSON");
    assert_eq!(scenarios.len(), 4);
    for scenario in ["crossing-the-veld", "the-parade-ground", "the-two-millers", "manoeuvres-at-spandau"] {
        let players = "exec:python3 examples/bot.py,random";
        let said = tricorne(&["battle", scenario, "--players", players, "--clock", "300s"]);
        assert!(said.contains("final hash"), "{said}");
        assert!(!said.contains("a subaltern answers"), "{scenario}: {said}");
    }
}

#[test]
fn a_bad_program_is_in_the_log_and_in_the_journal() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("a.jsonl").display().to_string();
    let players = "exec:echo nonsense,random";
    let args =
        ["battle", "crossing-the-veld", "--players", players, "--journal", &journal, "--clock", "300s"];
    let said = tricorne(&args);
    assert!(said.contains("which is not JSON; a subaltern answers in its place"), "{said}");
    assert_eq!(said.matches("asked no more in this battle").count(), 1, "told once: {said}");
    assert!(said.contains("The program exec:echo nonsense: it wrote"), "{said}");
    let kept = std::fs::read_to_string(&journal).expect("a journal");
    assert!(kept.contains("\"note\":\"exec:echo nonsense: it wrote `nonsense`"), "{kept}");
    let again = tricorne(&["replay", &journal, "--log", "story"]);
    assert!(again.contains("a subaltern answers in its place") && again.contains("verified"), "{again}");
}

#[test]
fn a_subaltern_in_its_place_is_told_with_the_result() {
    let args = ["battle", "the-bordj", "--players", "exec:false,random", "--clock", "300s"];
    let said = tricorne(&[&args[..], &["--log", "none"]].concat());
    assert!(said.contains("a subaltern answered in the place of exec:false "), "{said}");
    let result: serde_json::Value =
        serde_json::from_str(&tricorne(&[&args[..], &["--json"]].concat())).expect("JSON");
    let times = |seat: usize| result["stood_in"][seat].as_u64().expect("a number");
    assert!(times(0) > 0 && times(1) == 0, "{result}");
}

#[test]
fn what_can_t_be_started_is_said_before_the_battle() {
    let mut command = Command::cargo_bin("tricorne").expect("the binary is built");
    let done = command
        .args(["lab", "run", "crossing-the-veld", "--players", "exec:/nowhere/bot,random"])
        .assert()
        .code(2);
    let said = String::from_utf8_lossy(&done.get_output().stderr).into_owned();
    assert!(said.contains("/nowhere/bot") && said.contains("can't be started"), "{said}");
}
