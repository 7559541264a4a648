//! A server's games copied and put back, and a keeper's commands, through the binary.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn tricorne(args: &[&str]) -> (Option<i32>, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_tricorne")).args(args).output().unwrap();
    let said = format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr));
    (out.status.code(), said)
}

#[test]
fn what_is_not_there_is_not_made_and_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let run = |args: &[&str]| {
        let out = Command::new(env!("CARGO_BIN_EXE_tricorne"))
            .args(args)
            .current_dir(folder.path())
            .output()
            .unwrap();
        (out.status.code(), String::from_utf8_lossy(&out.stderr).into_owned())
    };
    std::fs::write(folder.path().join("there.db"), "").unwrap();
    for (args, why) in [
        (&["admin", "--database", "sqlite:nope.db", "ban", "bob"][..], "nope.db: there is no such file"),
        (&["admin", "ban", "bob"], "tricorne.db: there is no such file"),
        (&["check-games"], "tricorne.db: there is no such file"),
        (&["think"], "tricorne.db: there is no such file"),
        (&["backup", "-o", "b.db"], "tricorne.db: there is no such file"),
        (&["backup", "-o", "-"], "`-` won't do here"),
        (&["backup", "--database", "sqlite:there.db", "-o", "there.db"], "there.db: is there already"),
        (&["restore", "-"], "`-` won't do here"),
        (&["restore", "nope.db"], "nope.db: there is no such file"),
        (&["restore", "there.db", "--database", "sqlite:nodir/new.db"], "there is no folder nodir"),
        (&["restore", "there.db", "--database", "sqlite:there.db"], "there.db: is there already"),
        (&["serve", "--bot", "x="], "--bot x=: names no command"),
        (&["serve", "--listen", ":8080"], "write 127.0.0.1:8080"),
        (&["play", "--games", "-"], "`-` won't do here"),
    ] {
        let (code, said) = run(args);
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(said.contains(why) && !said.contains("the database failed"), "{args:?}: {said}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_copy_is_made_beside_a_server_and_put_back() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).display().to_string();
    let url = |name: &str| format!("sqlite:{}", file(name));
    let serve = |name: &str| {
        Command::new(env!("CARGO_BIN_EXE_tricorne"))
            .args(["serve", "--listen", "127.0.0.1:0", "--database", &url(name)])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    };
    let mut server = serve("club.db");
    let mut line = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("http://127.0.0.1:"), "{line}");

    // A second server of the same file is refused, and a copy is made beside the first.
    let second = serve("club.db").wait_with_output().unwrap();
    assert_eq!(second.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&second.stderr).contains("another Tricorne serves this file"));
    let (code, said) = tricorne(&["backup", "--database", &url("club.db"), "-o", &file("copy.db")]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("0 games"), "{said}");
    let (code, said) = tricorne(&["backup", "--database", &url("club.db"), "-o", &file("copy.db")]);
    assert_eq!(code, Some(2), "{said}");
    server.kill().unwrap();
    server.wait().unwrap();

    let (code, said) = tricorne(&["restore", &file("copy.db"), "--database", &url("new.db")]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = tricorne(&["restore", &file("copy.db"), "--database", &url("new.db")]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("already"), "{said}");

    // Whoever is not there is said to be so; the answer is no.
    for what in [["ban", "Anna"], ["close", "nothing"], ["export", "Anna"], ["delete", "Anna"]] {
        let (code, said) = tricorne(&["admin", "--database", &url("new.db"), what[0], what[1]]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(what[1]), "{said}");
    }
}
