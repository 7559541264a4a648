//! Tells the program which commit it is built from, and has it linked as small as the linker here can.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    commit();
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|said| said == value);
    if is("PROFILE", "release") && is("CARGO_CFG_TARGET_OS", "linux") {
        small();
    }
}

/// What makes a program smaller without changing what it does: functions that came out the same kept once, and addresses
/// that are put right at the start told in a few bits each (which wants a C library of 2022 or younger).
const SMALLER: [&str; 2] = ["-Wl,--icf=all", "-Wl,-z,pack-relative-relocs"];

/// Not every linker knows them, and not every machine starts what comes of them: each is tried on a program that does
/// nothing, and taken if that runs. A program for another machine can't be tried, so it is linked as ever.
fn small() {
    if env::var_os("TARGET") != env::var_os("HOST") {
        return;
    }
    let (Some(rustc), Some(out)) = (env::var_os("RUSTC"), env::var_os("OUT_DIR").map(PathBuf::from)) else {
        return;
    };
    let (source, program) = (out.join("nothing.rs"), out.join("nothing"));
    let runs = |args: &[&str]| {
        let mut link = Command::new(&rustc);
        link.args(["--crate-type", "bin", "-o"]).arg(&program).arg(&source);
        if let Some(linker) = env::var_os("RUSTC_LINKER") {
            link.arg("-C").arg(format!("linker={}", linker.display()));
        }
        link.args(
            env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().split('\x1f').filter(|f| !f.is_empty()),
        );
        link.args(args.iter().map(|arg| format!("-Clink-arg={arg}")));
        let linked = link.output().is_ok_and(|run| run.status.success());
        linked && Command::new(&program).output().is_ok_and(|run| run.status.success())
    };
    if fs::write(&source, "fn main() {}").is_err() {
        return;
    }
    let mut taken = Vec::new();
    for arg in SMALLER {
        taken.push(arg);
        if !runs(&taken) {
            taken.pop();
        }
    }
    for arg in taken {
        println!("cargo:rustc-link-arg-bins={arg}");
    }
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
