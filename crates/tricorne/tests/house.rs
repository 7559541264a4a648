//! What holds for every crate of the house.

use std::fs;
use std::path::{Path, PathBuf};

use crate::lines::root;

/// The files with this ending in a folder.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).map(|all| all.flatten().map(|e| e.path()).collect()).unwrap_or_default();
    let files: Vec<PathBuf> = entries;
    files.into_iter().filter(|p| p.extension().is_some_and(|e| e == ending)).collect()
}

/// A crate's tests are one program, `tests/all.rs`; what it does not name would never be run.
#[test]
fn every_file_of_tests_is_run() {
    let mut seen = 0;
    for entry in fs::read_dir(root().join("crates")).unwrap().flatten() {
        let tests = entry.path().join("tests");
        let Ok(all) = fs::read_to_string(tests.join("all.rs")) else {
            assert!(files(&tests, "rs").len() <= 1, "{}: several programs of tests", tests.display());
            continue;
        };
        for file in files(&tests, "rs") {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let named = all.lines().any(|line| line == format!("mod {name};"));
            assert!(name == "all" || named, "{} is not named in all.rs", file.display());
            seen += 1;
        }
    }
    assert!(seen > 50, "only {seen} files of tests were found");
}
