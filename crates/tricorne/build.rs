//! Builds the page with npm and embeds its files. Without Node the program is built all the same and says at run time
//! how to get the page.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for part in ["src", "public", "index.html", "package-lock.json", "vite.config.ts"] {
        println!("cargo:rerun-if-changed={}", web.join(part).display());
    }
    // The page brings the picture's type, and each system's own words for its answers.
    println!("cargo:rerun-if-changed={}", web.join("../crates/picture/fonts").display());
    for system in fs::read_dir(web.join("../rulebooks"))? {
        let answers = system?.path().join("answers.json");
        if answers.is_file() {
            println!("cargo:rerun-if-changed={}", answers.display());
        }
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let dist = out.join("page");
    if let Err(why) = build(&web, &dist) {
        println!("cargo:warning=the page was not built ({why}); `tricorne play` will say how to build it");
        let _ = fs::remove_dir_all(&dist);
    }
    let mut files = Vec::new();
    if dist.is_dir() {
        gather(&dist, &dist, &mut files)?;
    }
    files.sort();
    let mut list = String::from("static FILES: &[(&str, &[u8])] = &[\n");
    for (name, path) in files {
        let _ = writeln!(list, "    ({name:?}, include_bytes!({path:?})),");
    }
    list.push_str("];\n");
    fs::write(out.join("page.rs"), list)
}

/// `npm install` where nothing is installed yet, then the build, straight into cargo's own folder.
fn build(web: &Path, dist: &Path) -> Result<(), String> {
    let npm = |args: &[&str]| -> Result<(), String> {
        let run =
            Command::new("npm").args(args).current_dir(web).output().map_err(|e| format!("npm: {e}"))?;
        if run.status.success() {
            return Ok(());
        }
        let said = String::from_utf8_lossy(&run.stderr);
        Err(format!("npm {}: {}", args.join(" "), said.lines().last().unwrap_or_default()))
    };
    if !web.join("node_modules/.package-lock.json").is_file() {
        // Not `npm ci`: registries that leave out other platforms' binaries make it refuse the lock file.
        npm(&["install", "--no-save", "--no-fund", "--no-audit"])?;
    }
    npm(&["run", "build", "--", "--emptyOutDir", "--outDir", &dist.display().to_string()])
}

fn gather(root: &Path, folder: &Path, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(root, &path, files)?;
        } else if let Ok(name) = path.strip_prefix(root) {
            files.push((name.to_string_lossy().replace('\\', "/"), path.display().to_string()));
        }
    }
    Ok(())
}
