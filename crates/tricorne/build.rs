//! Tells the program which commit it is built from.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    commit();
}

/// Tells the program which commit it is built from: what `TRICORNE_COMMIT` says, or Git where this is a clone.
fn commit() {
    println!("cargo:rerun-if-env-changed=TRICORNE_COMMIT");
    let git = |args: &[&str]| {
        let run = Command::new("git").args(args).current_dir(env!("CARGO_MANIFEST_DIR")).output().ok()?;
        run.status.success().then(|| String::from_utf8_lossy(&run.stdout).trim().to_owned())
    };
    // Every commit is noted there, in a worktree too.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        let log = Path::new(env!("CARGO_MANIFEST_DIR")).join(log);
        if log.is_file() {
            println!("cargo:rerun-if-changed={}", log.display());
        }
    }
    let said = env::var("TRICORNE_COMMIT").ok().filter(|c| !c.is_empty());
    if let Some(commit) = said.or_else(|| git(&["rev-parse", "--short=10", "HEAD"])) {
        println!("cargo:rustc-env=TRICORNE_COMMIT={commit}");
    }
}
