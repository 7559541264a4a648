//! What is fought is kept, what is written is written whole or not at all, and where nobody listens nothing aborts.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn tricorne(args: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tricorne"));
    command.args(args).current_dir(folder).stdin(Stdio::null());
    command
}

fn run(args: &[&str], folder: &Path) -> Output {
    tricorne(args, folder).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The end of a pipe that nobody reads.
fn nobody() -> Stdio {
    std::io::pipe().unwrap().1.into()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn where_nobody_listens_the_exit_code_is_as_ever() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.toml"), "ruleset = \n").unwrap();
    let picture = ["picture", "the-bordj", "-o", "t.svg"];
    let rows = ["lab", "run", "the-bordj", "--players", "random", "--battles", "2", "--rows", "r.csv"];
    let journal = ["battle", "the-bordj", "--log", "none", "--journal", "q.jsonl"];
    for (args, code) in [
        (&["battle", "nope"][..], 2),
        (&["battle", "the-bordj", "--no-such-option"], 2),
        (&["army", "check", "a.toml"], 2),
        (&["rules", "--search", "zzzz"], 1),
        (&["man", "-o", "man1"], 0),
        (&picture, 0),
        (&rows, 0),
        (&journal, 0),
    ] {
        let done = tricorne(args, folder.path()).stderr(nobody()).stdout(Stdio::null()).status().unwrap();
        assert_eq!(done.code(), Some(code), "{args:?}: {done}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn what_can_t_be_told_is_no_success() {
    let folder = tempfile::tempdir().unwrap();
    let full = || fs::File::create("/dev/full").unwrap();
    for args in [&["help"][..], &["--version"], &["help", "battle"], &["rulesets"]] {
        let done = tricorne(args, folder.path()).stdout(full()).stderr(Stdio::null()).status().unwrap();
        assert_eq!(done.code(), Some(2), "{args:?}: {done}");
    }
    let done = tricorne(&["rulesets"], folder.path()).stdout(full()).output().unwrap();
    assert!(text(&done.stderr).contains("standard output: "), "{}", text(&done.stderr));
    let done = tricorne(&["battle", "nope"], folder.path()).stderr(full()).status().unwrap();
    assert_eq!(done.code(), Some(2), "{done}");
}

/// The disk that is full is a limit on how long a file may be.
#[cfg(unix)]
#[test]
fn a_write_that_fails_leaves_what_was_there() {
    let folder = tempfile::tempdir().unwrap();
    let table = folder.path().join("table.svg");
    fs::write(&table, "my own drawing").unwrap();
    let line = format!(
        "trap '' XFSZ; ulimit -f 4; exec {} picture the-bordj -o table.svg",
        env!("CARGO_BIN_EXE_tricorne")
    );
    let done = Command::new("sh").args(["-c", &line]).current_dir(folder.path()).output().unwrap();
    assert_eq!(done.status.code(), Some(2), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("table.svg: "), "{}", text(&done.stderr));
    assert_eq!(fs::read_to_string(&table).unwrap(), "my own drawing");
    assert_eq!(names(folder.path()), ["table.svg"], "nothing is left beside it");
}

#[cfg(unix)]
#[test]
fn a_file_written_anew_keeps_its_permissions_and_a_link_stays_one() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real.svg"), folder.path().join("link.svg"));
    fs::write(&real, "").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.svg", &link).unwrap();
    assert!(run(&["picture", "the-bordj", "-o", "link.svg"], folder.path()).status.success());
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&real).unwrap().starts_with("<svg"));
    assert_eq!(fs::metadata(&real).unwrap().permissions().mode() & 0o777, 0o640);
    assert_eq!(names(folder.path()), ["link.svg", "real.svg"]);
    // What is no file is written to as it is.
    let done = run(&["picture", "the-bordj", "-o", "/dev/stdout", "--format", "svg"], folder.path());
    assert!(text(&done.stdout).starts_with("<svg"), "{}", text(&done.stderr));
}

#[test]
fn a_journal_takes_no_other_file_s_place() {
    let folder = tempfile::tempdir().unwrap();
    let mine = folder.path().join("mine.toml");
    let scenario = run(&["scenarios", "--show", "the-bordj"], folder.path()).stdout;
    fs::write(&mine, &scenario).unwrap();
    let done = run(&["battle", "mine.toml", "--journal", "mine.toml"], folder.path());
    assert_eq!(done.status.code(), Some(2));
    assert!(text(&done.stderr).contains("is no journal") && done.stdout.is_empty(), "{}", text(&done.stderr));
    let mut watch = assert_cmd::Command::cargo_bin("tricorne").unwrap();
    let watched = watch.args(["watch", "the-bordj"]).current_dir(folder.path());
    let said = watched.write_stdin("j mine.toml\nj a.jsonl\nj a.jsonl\nq\n").assert().success();
    assert!(text(&said.get_output().stdout).contains("is no journal"));
    assert_eq!(fs::read(&mine).unwrap(), scenario);
    // A journal may take the place of a journal.
    assert!(
        run(&["battle", "the-bordj", "--log", "none", "--journal", "a.jsonl"], folder.path())
            .status
            .success()
    );
}

#[test]
fn a_battle_that_is_to_be_kept_is_kept_whoever_listens() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["battle", "the-bordj", "--journal", "heard.jsonl"];
    assert!(run(&args, folder.path()).status.success());
    let args = ["battle", "the-bordj", "--journal", "unheard.jsonl"];
    let done = tricorne(&args, folder.path()).stdout(nobody()).output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{}", text(&done.stderr));
    let read = |name: &str| fs::read(folder.path().join(name)).unwrap();
    assert!(read("heard.jsonl") == read("unheard.jsonl"));
}

#[cfg(unix)]
#[test]
fn a_battle_that_is_stopped_is_kept_as_far_as_it_came() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["battle", "the-bordj", "--players", "general:200ms", "--journal", "a.jsonl"];
    let mut child =
        tricorne(&args, folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut first = [0];
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut first).unwrap();
    // It has begun to tell, so it is there to hear this; a whole battle takes many times as long.
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    let done = child.wait_with_output().unwrap();
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("stopped after"), "{}", text(&done.stderr));
    let again = run(&["replay", "a.jsonl"], folder.path());
    assert!(text(&again.stdout).contains("verified"), "{}", text(&again.stderr));
}

#[test]
fn what_can_t_be_written_is_said_before_the_battle() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("there")).unwrap();
    for args in [
        &["battle", "the-bordj", "--journal", "nodir/a.jsonl"][..],
        &["battle", "the-bordj", "--journal", "there"],
        &["lab", "run", "the-bordj", "--plot", "nodir/p.svg"],
        &["lab", "run", "the-bordj", "--units", "nodir/u.csv"],
        &["lab", "run", "the-bordj", "--units", "a.csv", "--rows", "a.csv"],
        &["lab", "ladder", "the-bordj", "--markdown", "nodir/m.md"],
        &["army", "new", "--ruleset", "von-futsch", "-o", "nodir/a.toml"],
    ] {
        let done = run(args, folder.path());
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{args:?}: {said}");
        assert!(done.stdout.is_empty() && said.contains("name"), "{args:?}: {said}");
    }
    assert_eq!(names(folder.path()), ["there"], "looking leaves nothing behind");
}

#[test]
fn what_is_no_text_doesn_t_end_a_battle_at_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let mut watch = assert_cmd::Command::cargo_bin("tricorne").unwrap();
    let watched = watch.args(["watch", "the-bordj"]).current_dir(folder.path());
    let done = watched.write_stdin(&b"1\n\xff\n99\nj a.jsonl\n"[..]).assert().success();
    let said = text(&done.get_output().stdout);
    assert!(said.contains("activate I1 (Legion)"), "units by their names: {said}");
    assert!(
        said.contains("nothing here is called that") && said.contains("99: there are answers from 1"),
        "{said}"
    );
    assert!(folder.path().join("a.jsonl").is_file());
}

#[test]
fn what_is_left_of_a_journal_can_be_kept() {
    let folder = tempfile::tempdir().unwrap();
    assert!(
        run(&["battle", "the-bordj", "--log", "none", "--journal", "a.jsonl"], folder.path())
            .status
            .success()
    );
    let whole = fs::read(folder.path().join("a.jsonl")).unwrap();
    fs::write(folder.path().join("cut.jsonl"), &whole[..whole.len() / 2]).unwrap();
    let done = run(&["replay", "cut.jsonl", "--salvage", "-o", "kept.jsonl"], folder.path());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let said = text(&done.stdout);
    assert!(said.contains("verified") && said.contains("not whole: "), "{said}");
    let kept = run(&["replay", "kept.jsonl", "--json"], folder.path());
    let kept: serde_json::Value = serde_json::from_slice(&kept.stdout).unwrap();
    assert!(kept["verified"] == true && kept["lost"].is_null(), "{kept}");
    let cut = run(&["replay", "cut.jsonl", "--salvage", "--json"], folder.path());
    let cut: serde_json::Value = serde_json::from_slice(&cut.stdout).unwrap();
    assert!(cut["lost"].is_string() && cut["hash"] == kept["hash"], "{cut}");
}

/// What never ends, and what leads round in a circle.
#[cfg(unix)]
#[test]
fn nothing_is_read_for_ever() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let cases = folder.path().join("cases");
    fs::create_dir_all(cases.join("sub")).unwrap();
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/von-futsch/cases/ex-18-a-wheel.toml");
    fs::copy(case, cases.join("a.toml")).unwrap();
    symlink(".", cases.join("self")).unwrap();
    symlink("..", cases.join("sub/up")).unwrap();
    let done = run(&["case", "cases"], folder.path());
    assert_eq!(text(&done.stdout), "1 passed, 0 failed\n", "{}", text(&done.stderr));
    symlink("two", folder.path().join("one")).unwrap();
    symlink("one", folder.path().join("two")).unwrap();
    for (args, why) in [
        (["battle", "/dev/zero"].to_vec(), "longer than"),
        (["battle", "the-bordj", "--players", "subaltern@/dev/zero"].to_vec(), "longer than"),
        (["battle", "cases"].to_vec(), "cases: is a folder"),
        (["battle", "one"].to_vec(), "one: "),
    ] {
        let done = run(&args, folder.path());
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(2) && said.contains(why), "{args:?}: {said}");
        assert!(!said.contains("there is no scenario"), "{args:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_a_file_like_any_other() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = run(&["scenarios", "--show", "the-bordj"], folder.path()).stdout;
    for args in [&["battle", "/dev/stdin", "--log", "none"][..], &["picture", "/dev/stdin", "-o", "-"]] {
        let mut piped = assert_cmd::Command::cargo_bin("tricorne").unwrap();
        piped.args(args).current_dir(folder.path()).write_stdin(scenario.clone()).assert().success();
    }
}
