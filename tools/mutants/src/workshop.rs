//! A copy of the tree with all mutants in it, built and run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

use serde_json::Value;

use crate::places::{Mutant, mutate};

/// What a system stands on, besides its own crate and its rulebook.
const KIT: [&str; 6] = ["chance", "conformance", "drill", "game", "table", "undescribed"];

/// Where no rule is: what programs weigh, what people are shown, what is read from files.
const NO_RULES: [&str; 18] = [
    "armies",
    "brief.rs",
    "charts.rs",
    "facts.rs",
    "ideas.rs",
    "judgement",
    "lib.rs",
    "options.rs",
    "page",
    "preview.rs",
    "rulebook",
    "rulebook.rs",
    "showing",
    "shown",
    "steer",
    "tables",
    "view.rs",
    "questions.rs",
];

/// How often the rules are written anew without what did not compile.
const TRIES: usize = 40;

/// What came of a mutant.
pub enum Fate {
    /// A case or a test went red: which.
    Told(String),
    /// Nothing did, though so many cases come by its place.
    Lived {
        /// How many.
        cases: usize,
    },
}

/// Where a system's mutants are made.
pub struct Workshop {
    root: PathBuf,
    tree: PathBuf,
    system: String,
    name: String,
}

impl Workshop {
    /// The workshop of a system, by its name in the rulebooks' folder.
    pub fn of(system: &str) -> Result<Workshop, String> {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let root = here.ancestors().nth(2).unwrap_or(here).to_owned();
        let source = root.join("crates").join(format!("rules-{system}")).join("src/lib.rs");
        let text = fs::read_to_string(&source)
            .map_err(|_| format!("no rules of `{system}` in {}", root.join("crates").display()))?;
        let (_, after) = text.split_once("    pub struct ").ok_or("lib.rs names no system")?;
        let name = after.split(' ').next().unwrap_or_default().to_owned();
        let tree = root.join("target/mutants").join(system);
        Ok(Workshop { root, tree, system: system.to_owned(), name })
    }

    fn rules(&self) -> String {
        format!("crates/rules-{}", self.system)
    }

    /// A mutant's number, where it is, what is done there, and the line as it stands.
    pub fn place(&self, mutant: &Mutant) -> String {
        let path = self.root.join(self.rules()).join("src").join(&mutant.file);
        let text = fs::read_to_string(path).unwrap_or_default();
        let line = text.lines().nth(mutant.lines.0 - 1).unwrap_or_default().trim();
        let Mutant { number, file, lines, function, what } = mutant;
        format!("{number}\t{file}:{} {function}: {what}\t{line}\t", lines.0)
    }

    /// Writes the tree with its mutants, leaves out what does not compile, builds it and lists what is in it.
    pub fn build(&self) -> Result<Vec<Mutant>, String> {
        self.copy()?;
        let mut without = BTreeSet::new();
        for attempt in 0..TRIES {
            let mutants = self.write(&without)?;
            eprintln!("mutants: {} written, {} do not compile", mutants.len(), without.len());
            // Looking is quicker than building, and tells the same faults.
            let faults = self.cargo(&["check", "-p", &format!("tricorne-rules-{}", self.system)])?;
            if faults.is_empty() {
                let faults = self.cargo(&["build", "-p", &format!("trial-{}", self.system)])?;
                return if faults.is_empty() { Ok(mutants) } else { Err(told(&faults)) };
            }
            let before = without.len();
            for fault in &faults {
                without.extend(
                    mutants.iter().filter(|mutant| fault.touches(mutant)).map(|mutant| mutant.number),
                );
            }
            if without.len() == before || attempt + 1 == TRIES {
                return Err(format!("what does not compile is not due to a mutant:\n{}", told(&faults)));
            }
        }
        unreachable!("the last attempt returns")
    }

    fn copy(&self) -> Result<(), String> {
        let workspace = read(&self.root.join("Cargo.toml"))?;
        let members =
            workspace.lines().find(|line| line.starts_with("members")).ok_or("no members in Cargo.toml")?;
        let ours = workspace.replace(members, r#"members = ["crates/*", "rulebooks/*", "trial"]"#);
        let ours: Vec<&str> = ours.lines().filter(|line| !line.starts_with("default-members")).collect();
        put(&self.tree.join("Cargo.toml"), &ours.join("\n"))?;
        put(&self.tree.join("Cargo.lock"), &read(&self.root.join("Cargo.lock"))?)?;
        for part in KIT {
            self.copy_folder(&format!("crates/{part}"))?;
        }
        self.copy_folder(&self.rules())?;
        self.copy_folder(&format!("rulebooks/{}", self.system))?;
        let manifest = format!(
            "[package]\nname = \"trial-{0}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
             the_rules = {{ package = \"tricorne-rules-{0}\", path = \"../crates/rules-{0}\" }}\ntricorne-conformance.workspace = true\ntricorne-game.workspace = true\n",
            self.system
        );
        put(&self.tree.join("trial/Cargo.toml"), &manifest)?;
        put(&self.tree.join("trial/src/main.rs"), include_str!("../trial/main.rs"))?;
        put(&self.tree.join(self.rules()).join("src/mutant.rs"), include_str!("../trial/mutant.rs"))
    }

    fn copy_folder(&self, folder: &str) -> Result<(), String> {
        let from = self.root.join(folder);
        for path in files_in(&from) {
            let inside = path.strip_prefix(&self.root).map_err(|why| why.to_string())?;
            let bytes = fs::read(&path).map_err(|why| format!("{}: {why}", path.display()))?;
            // The rules are written with their mutants in them.
            if !(inside.starts_with(self.rules()) && inside.extension().is_some_and(|kind| kind == "rs")) {
                put_bytes(&self.tree.join(inside), &bytes)?;
            }
        }
        Ok(())
    }

    fn write(&self, without: &BTreeSet<u32>) -> Result<Vec<Mutant>, String> {
        let source = self.root.join(self.rules());
        let mut all = Vec::new();
        let mut next = 1;
        for path in
            files_in(&source).into_iter().filter(|path| path.extension().is_some_and(|kind| kind == "rs"))
        {
            let inside = path.strip_prefix(&source).map_err(|why| why.to_string())?;
            let mut text = read(&path)?;
            let room = inside.strip_prefix("src").ok().and_then(|room| room.iter().next());
            if room.is_some_and(|room| !NO_RULES.iter().any(|other| room == *other)) {
                let file = inside.strip_prefix("src").unwrap_or(inside).display().to_string();
                let (written, found) =
                    mutate(&file, &text, &mut next, without).map_err(|why| format!("{file}: {why}"))?;
                text = written;
                all.extend(found);
            }
            if inside == Path::new("src/lib.rs") {
                text += &format!(
                    "\n/// Switches.\npub mod mutant;\n/// The system.\npub use self::{} as SYSTEM;\n",
                    self.name
                );
            }
            put(&self.tree.join(self.rules()).join(inside), &text)?;
        }
        Ok(all)
    }

    /// Runs cargo in the tree; what the compiler says against it.
    fn cargo(&self, arguments: &[&str]) -> Result<Vec<FaultAt>, String> {
        let output = self
            .command(arguments)
            .stderr(Stdio::inherit())
            .output()
            .map_err(|why| format!("cargo could not be run: {why}"))?;
        let mut faults = Vec::new();
        for line in output.stdout.lines().map_while(Result::ok) {
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            let message = &message["message"];
            if message["level"] == "error" {
                faults.extend(FaultAt::read(message, &format!("{}/src/", self.rules())));
            }
        }
        if faults.is_empty() && !output.status.success() {
            return Err(format!("`cargo {}` failed in {}", arguments.join(" "), self.tree.display()));
        }
        Ok(faults)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command
            .args(arguments)
            .args(["--message-format", "json", "--quiet"])
            .current_dir(&self.tree)
            .env("CARGO_TARGET_DIR", self.root.join("target/mutants/build"))
            .env("RUSTFLAGS", "--cap-lints=allow")
            // Nearly all of it changes each time, and what was cut short is not gone on with.
            .env("CARGO_INCREMENTAL", "0");
        command
    }

    /// Runs the cases that come by each mutant until one goes red.
    pub fn hold_to_cases<'a>(&self, chosen: &[&'a Mutant]) -> Result<Vec<(&'a Mutant, Fate)>, String> {
        let mut left: BTreeMap<u32, &Mutant> = chosen.iter().map(|mutant| (mutant.number, *mutant)).collect();
        let mut fates = Vec::new();
        while !left.is_empty() {
            let before = left.len();
            let ended = self.run_cases(&mut left, &mut fates)?;
            if left.len() == before {
                return Err(format!("{before} mutants were not tried: the cases broke off ({ended})"));
            }
        }
        fates.sort_by_key(|(mutant, _)| mutant.number);
        Ok(fates)
    }

    /// Runs the cases until they are through or break off.
    fn run_cases<'a>(
        &self,
        left: &mut BTreeMap<u32, &'a Mutant>,
        fates: &mut Vec<(&'a Mutant, Fate)>,
    ) -> Result<ExitStatus, String> {
        let mut child =
            Command::new(self.root.join("target/mutants/build/debug").join(format!("trial-{}", self.system)))
                .arg(self.root.join("rulebooks").join(&self.system).join("cases"))
                .args(left.keys().map(u32::to_string))
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|why| format!("the cases could not be run: {why}"))?;
        let output = child.stdout.take().ok_or("the cases say nothing")?;
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            let parts: Vec<&str> = line.split('\t').collect();
            let [number, word, more] = parts[..] else {
                eprintln!("mutants: {line}");
                continue;
            };
            let Some(mutant) = number.parse().ok().and_then(|number: u32| left.remove(&number)) else {
                continue;
            };
            let fate = if word == "told" {
                Fate::Told(more.to_owned())
            } else {
                Fate::Lived { cases: more.parse().unwrap_or(0) }
            };
            fates.push((mutant, fate));
        }
        child.wait().map_err(|why| why.to_string())
    }
}

/// Where the compiler found fault.
struct FaultAt {
    file: String,
    lines: (usize, usize),
    words: String,
}

impl FaultAt {
    fn read(message: &Value, rules: &str) -> Vec<FaultAt> {
        let spans = message["spans"].as_array().into_iter().flatten();
        let line = |span: &Value, name: &str| span[name].as_u64().unwrap_or(0) as usize;
        spans
            .filter(|span| span["is_primary"] == true)
            .filter_map(|span| {
                Some(FaultAt {
                    file: span["file_name"].as_str()?.strip_prefix(rules)?.to_owned(),
                    lines: (line(span, "line_start"), line(span, "line_end")),
                    words: message["rendered"].as_str().unwrap_or_default().to_owned(),
                })
            })
            .collect()
    }

    fn touches(&self, mutant: &Mutant) -> bool {
        mutant.file == self.file && mutant.lines.0 <= self.lines.1 && self.lines.0 <= mutant.lines.1
    }
}

fn told(faults: &[FaultAt]) -> String {
    faults.iter().map(|fault| fault.words.as_str()).collect::<Vec<_>>().join("\n")
}

fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            found.extend(files_in(&path));
        } else {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))
}

fn put(path: &Path, text: &str) -> Result<(), String> {
    put_bytes(path, text.as_bytes())
}

/// Written only where it differs, so that what is built already stays built.
fn put_bytes(path: &Path, bytes: &[u8]) -> Result<(), String> {
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return Ok(());
    }
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, bytes))
        .map_err(|why| format!("{}: {why}", path.display()))
}
