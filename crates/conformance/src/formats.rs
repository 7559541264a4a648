//! Scenario files of format 1 are read as they always were, and can be written anew.

use std::fs;
use std::path::Path;

use tricorne_game::{Battle, Choices, Purpose, ScenarioText, Source, System};

use crate::battles::fight;

/// Every file of a folder of the scenarios once shipped in format 1, read as it is, written anew, and as it was shipped in
/// format 2 (the folder `format-2` beside it): the same opening, and the same battle for each of these seeds. Scenarios may
/// have been set up anew since; these files stay. What is wrong with the old file is told by its own lines. Panics with the
/// file and what differs; `folder` is under the system's crate.
pub fn old_files_go_the_same_way<S: System + Copy>(system: S, folder: &Path, seeds: std::ops::Range<u64>) {
    let files = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    let mut paths: Vec<_> = files.flatten().map(|f| f.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "toml"));
    paths.sort();
    assert!(paths.len() >= 3, "{} holds the old files", folder.display());
    for path in &paths {
        let id = path.file_stem().and_then(|s| s.to_str()).unwrap_or_default();
        let old = fs::read_to_string(path).unwrap_or_else(|e| panic!("{id}: {e}"));
        assert!(old.contains("format = 1"), "{id} is of format 1");
        let anew = upgraded(system, id, &old).unwrap_or_else(|| panic!("{id} is not written anew"));
        assert_eq!(upgraded(system, id, &anew), None, "{id}: there is nothing left to write anew:\n{anew}");
        for comment in old.lines().filter(|line| line.trim_start().starts_with('#')) {
            assert!(anew.contains(comment.trim()), "{id}: `{comment}` is lost:\n{anew}");
        }
        let shipped = folder.with_file_name("format-2").join(format!("{id}.toml"));
        let shipped = fs::read_to_string(&shipped).unwrap_or_else(|e| panic!("{}: {e}", shipped.display()));
        let read = |text: &str| {
            let source = Source::new(id, text);
            let battle = system.set_up(&source, &Choices::default(), Purpose::Scenario);
            battle.unwrap_or_else(|f| panic!("{f}\n{text}"))
        };
        let (before, after, now) = (read(&old), read(&anew), read(&shipped));
        assert_eq!(before.hash(), after.hash(), "{id}: written anew, it opens otherwise");
        assert_eq!(before.hash(), now.hash(), "{id}: as shipped in format 2, it opens otherwise");
        assert_eq!(before.view(None), after.view(None), "{id}: written anew, it looks otherwise");
        assert_eq!(before.view(None), now.view(None), "{id}: as shipped in format 2, it looks otherwise");
        for seed in seeds.clone() {
            let fought = |text: &str| {
                // A scenario's text lives as long as the program; so does a test's.
                let [name, text]: [&'static str; 2] =
                    [id, text].map(|text| &*Box::leak(text.to_owned().into_boxed_str()));
                let fought =
                    fight(system, &ScenarioText::new(name, text), &Choices::default(), seed, |_, _, _| {});
                (fought.decisions, fought.hash)
            };
            let went = fought(&old);
            assert_eq!(went, fought(&anew), "{id}, seed {seed}: written anew, it goes otherwise");
            assert_eq!(
                went,
                fought(&shipped),
                "{id}, seed {seed}: as shipped in format 2, it goes otherwise"
            );
        }
        faults_are_told_by_the_old_lines(system, id, &old);
    }
}

fn upgraded<S: System>(system: S, id: &str, text: &str) -> Option<String> {
    system.upgraded(&Source::new(id, text)).unwrap_or_else(|f| panic!("{f}"))
}

/// Each place of the file in turn is put far off the table: the fault names that very line.
fn faults_are_told_by_the_old_lines<S: System>(system: S, id: &str, old: &str) {
    let is_place = |line: &str| {
        let value = line.strip_prefix("at = [").or_else(|| line.strip_prefix("general = ["));
        value.is_some_and(|value| value.starts_with(|c: char| c.is_ascii_digit()))
    };
    for (n, line) in old.lines().enumerate().filter(|(_, line)| is_place(line)) {
        let key = line.split(' ').next().unwrap_or_default();
        let mut lines: Vec<String> = old.lines().map(str::to_owned).collect();
        lines[n] = format!("{key} = [90000, 90000]");
        let source = Source::new(id, lines.join("\n"));
        let Err(fault) = system.set_up(&source, &Choices::default(), Purpose::Scenario) else {
            panic!("{id}:{}: anything may stand far off the table", n + 1)
        };
        assert_eq!(fault.at.map(|(line, _)| line), Some(n + 1), "{fault}");
        assert!(fault.place().ends_with(key), "{fault}");
    }
}
