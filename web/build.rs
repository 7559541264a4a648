//! Embeds the page. The built page is in the repository (`web/dist`), so nothing but Rust is needed. Whoever changes the
//! page's source gets the changed page: where Node is there it is built anew for this binary, where it is not a warning
//! says that the page is an older one. `scripts/page` puts the new page into `web/dist`.
//!
//! What a browser takes packed lies packed in the program: it is smaller, and a server packs nothing anew.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use flate2::Compression;
use flate2::write::GzEncoder;

/// What the page is made of, seen from `web`; the same list is in `web/vite.config.ts`.
const SOURCES: [&str; 8] = [
    "src",
    "public",
    "index.html",
    "package-lock.json",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
    // The page brings each system's own words for its answers, its briefings and its first battle.
    "../rulebooks",
];

fn main() -> io::Result<()> {
    let web = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for part in SOURCES {
        gather(web, part, &mut sources)?;
    }
    sources.retain(|name| !name.starts_with("../rulebooks") || of_a_rulebook(name));
    sources.sort();
    for part in SOURCES.iter().filter(|part| **part != "../rulebooks") {
        println!("cargo:rerun-if-changed={}", web.join(part).display());
    }
    for answers in sources.iter().filter(|name| name.starts_with("../rulebooks")) {
        println!("cargo:rerun-if-changed={}", web.join(answers).display());
    }
    println!("cargo:rerun-if-changed={}", web.join("dist").display());

    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let kept = web.join("dist");
    let made_of = fs::read_to_string(kept.join("source.txt")).unwrap_or_default();
    let mut page = kept;
    // A package on its own has no source: its page is as it came.
    if web.join("src").is_dir() && made_of.trim() != digest(web, &sources)? {
        let fresh = out.join("page");
        match build(web, &fresh) {
            Ok(()) => page = fresh,
            Err(why) => println!(
                "cargo:warning=the page in web/dist is older than its source and could not be built anew ({why}); it is embedded as it is"
            ),
        }
    }
    let mut files = Vec::new();
    gather(&page, "", &mut files)?;
    files.retain(|name| name != "source.txt");
    files.sort();
    let mut list = String::from("static FILES: &[(&str, File)] = &[\n");
    for (i, name) in files.iter().enumerate() {
        let mut from = page.join(name);
        let packed = is_packed(name);
        if packed {
            let mut packer = GzEncoder::new(Vec::new(), Compression::best());
            packer.write_all(&fs::read(&from)?)?;
            from = out.join(format!("{i}.gz"));
            fs::write(&from, packer.finish()?)?;
        }
        let from = from.display().to_string();
        let _ =
            writeln!(list, "    ({name:?}, File {{ bytes: include_bytes!({from:?}), packed: {packed} }}),");
    }
    list.push_str("];\n");
    fs::write(out.join("page.rs"), list)
}

/// Scripts and styles are packed. Letters and pictures are small already, and a server writes into the head of a page.
fn is_packed(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "js" || ending == "css")
}

/// What of the rulebooks the page brings along: the words for answers, and what is told of each battle before it.
fn of_a_rulebook(name: &str) -> bool {
    name.ends_with("/answers.json")
        || name.ends_with("/briefings.json")
        || name.ends_with("/guided.json")
        || name.ends_with("/guided.toml")
        || (name.contains("/fights/") && Path::new(name).extension().is_some_and(|e| e == "md"))
}

/// Names and contents of the files in one number (FNV-1a, 32 bits), line ends as Git keeps them.
fn digest(web: &Path, names: &[String]) -> io::Result<String> {
    let mut sum = 0x811c_9dc5_u32;
    let mut add = |byte: u8| sum = (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    for name in names {
        name.bytes().for_each(&mut add);
        fs::read(web.join(name))?.into_iter().filter(|byte| *byte != b'\r').for_each(&mut add);
    }
    Ok(format!("{sum:08x}"))
}

/// `npm install` where nothing is installed yet, then the build, straight into cargo's own folder.
fn build(web: &Path, dist: &Path) -> Result<(), String> {
    let npm = |args: &[&str]| -> Result<(), String> {
        let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
        let run =
            Command::new(program).args(args).current_dir(web).output().map_err(|e| format!("npm: {e}"))?;
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

/// The names of all files under a part of a folder, seen from that folder. A part that is not there has none.
fn gather(root: &Path, part: &str, files: &mut Vec<String>) -> io::Result<()> {
    let path = root.join(part);
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let name = entry?.file_name().to_string_lossy().into_owned();
            gather(root, &if part.is_empty() { name } else { format!("{part}/{name}") }, files)?;
        }
    } else if path.is_file() {
        files.push(part.to_owned());
    }
    Ok(())
}
