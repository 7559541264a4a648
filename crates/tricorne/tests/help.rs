//! The help: grouped by what people want, and every example in it run.

use crate::lines::{Folder, Line};

fn help(words: &[&str]) -> String {
    let mut command = assert_cmd::Command::cargo_bin("tricorne").expect("built");
    let assert = command.arg("help").args(words).assert().success();
    String::from_utf8_lossy(&assert.get_output().stdout).into_owned()
}

#[test]
fn commands_are_grouped_by_what_people_want() {
    let said = help(&[]);
    let mut last = 0;
    for heading in ["Sit down and play", "Know the rules", "Prepare a battle", "Ask a thousand battles"] {
        let at = said.find(heading).unwrap_or_else(|| panic!("{heading}: {said}"));
        assert!(at > last);
        last = at;
    }
    assert!(said.contains("Exit codes") && said.contains("--version"), "{said}");
    assert!(said.lines().all(|line| line.chars().count() <= 130), "{said}");
}

/// Every command that the help knows, those of a command of several too.
fn named() -> Vec<String> {
    let of = |words: &[&str]| -> Vec<String> {
        let said = help(words);
        // A command stands two columns in, and what it is for after it.
        let command = |line: &str| {
            let name =
                line.strip_prefix("  ").filter(|rest| rest.starts_with(|c: char| c.is_ascii_lowercase()))?;
            let (name, about) = name.split_once("  ").unwrap_or((name, ""));
            let fit = name.chars().all(|c| c.is_ascii_lowercase() || c == '-');
            (fit && !about.is_empty() && name != "help").then(|| name.to_owned())
        };
        said.lines().filter_map(command).collect()
    };
    let mut all = of(&[]);
    for several in ["army", "lab", "admin"] {
        all.extend(of(&[several]).into_iter().map(|name| format!("{several} {name}")));
    }
    assert!(all.len() > 40, "{all:?}");
    all
}

/// What serves until it is stopped, and what takes minutes whatever is asked of it. `tests/keeping.rs` and `tests/load.rs`
/// try these.
const LEFT_OUT: [&str; 5] = ["play", "serve", "think", "lab tune", "lab load"];

/// Every command's examples, in the order of the help, in one folder.
#[test]
fn every_example_runs() {
    let commands = [
        "watch",
        "battle",
        "replay",
        "picture",
        "rulesets",
        "rules",
        "odds",
        "sheet",
        "case",
        "scenarios",
        "terrain",
        "armies",
        "army",
        "army new",
        "army check",
        "army print",
        "army pitch",
        "lab",
        "lab run",
        "lab sweep",
        "lab compare",
        "lab ladder",
        "lab balance",
        "lab conduct",
        "lab regret",
        "lab learn",
        "lab calibrate",
        "lab bench",
        "backup",
        "check-games",
        "restore",
        "admin",
        "admin close",
        "admin ban",
        "admin unban",
        "admin reset-password",
        "admin season",
        "admin drop-season",
        "admin export",
        "admin delete",
        "engine",
        "doctor",
        "completions",
        "man",
    ];
    for name in named() {
        assert!(
            commands.contains(&&*name) || LEFT_OUT.contains(&&*name),
            "the examples of {name} are not run"
        );
    }
    let folder = Folder::of_a_club();
    let mut count = 0;
    for words in commands {
        let said = help(&words.split(' ').collect::<Vec<_>>());
        let examples = said.split("Examples:\n").nth(1).unwrap_or_else(|| panic!("{words} has no examples"));
        // A long line is broken to the width of the screen; what goes on does not begin with a command.
        let mut lines: Vec<String> = Vec::new();
        for line in examples.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   ")).map(str::trim) {
            match lines.last_mut() {
                Some(begun) if !line.starts_with(char::is_alphabetic) => *begun += &format!(" {line}"),
                _ => lines.push(line.into()),
            }
        }
        for line in lines {
            folder.run(&Line::new(&line, &format!("help {words}")));
            count += 1;
        }
    }
    assert!(count > 70, "{count}");
}
