//! Command lines out of the help and the book, run as a reader would: by a shell, in a folder of their own where the
//! repository's rulebooks can be seen.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tricorne_chance::Seed;
use tricorne_game::{Choices, Umpire};
use tricorne_store::{Game, Status, Store};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// A line somebody types, and where it stands.
pub struct Line {
    text: String,
    place: String,
    /// It must be refused.
    fails: bool,
}

impl Line {
    /// A line that must succeed.
    pub fn new(text: &str, place: &str) -> Self {
        Self { text: text.to_owned(), place: place.to_owned(), fails: false }
    }

    /// A line that must be refused.
    #[allow(dead_code, reason = "only the book has such lines")]
    pub fn refused(text: &str, place: &str) -> Self {
        Self { fails: true, ..Self::new(text, place) }
    }

    /// Two battles stand for hundreds, two tries for a tenth of a second, and in a study random play for the usual one;
    /// everything else is as it is written.
    fn quick(&self) -> String {
        let mut words: Vec<String> = self.text.split(' ').map(str::to_owned).collect();
        for n in 1..words.len() {
            let (before, word) = (words[n - 1].clone(), &mut words[n]);
            match before.as_str() {
                // A study that is gone on with must have more battles than before.
                "--battles" if self.text.contains("--resume") => *word = "3".into(),
                "--battles" | "--handicap" => *word = "2".into(),
                "--seconds" => *word = "0.05".into(),
                "--players" | "--player" => {
                    let quick = |p: &str| match p {
                        "subaltern" if self.text.contains("lab run") => "random".to_owned(),
                        p if p.starts_with("general") => "general:2it".to_owned(),
                        p => p.to_owned(),
                    };
                    *word = word.split(',').map(quick).collect::<Vec<_>>().join(",");
                }
                _ => {}
            }
        }
        let mut text = words.join(" ");
        if ["lab run", "lab sweep", "lab compare"].iter().any(|job| text.contains(job)) {
            for (option, least) in [("--battles", "2"), ("--players", "random")] {
                if !text.contains(option) {
                    text = format!("{text} {option} {least}");
                }
            }
        }
        if text.contains("lab balance") { format!("{text} --player random") } else { text }
    }

    /// What this build was made without, it can only refuse, and says so.
    fn left_out(&self, said: &str) -> bool {
        let forms = [".png", ".gif", ".pdf", ".parquet"];
        forms.iter().any(|end| self.text.contains(end)) && said.contains("built without")
    }
}

/// A folder to run lines in.
pub struct Folder(tempfile::TempDir);

impl Folder {
    /// A fresh one.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["rulebooks", "examples"] {
            std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).expect("a link");
        }
        // Where shells look for completions, in the home folder.
        for there in [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"] {
            std::fs::create_dir_all(folder.path().join(there)).expect("a folder");
        }
        Self(folder)
    }

    /// A fresh one where a club keeps its games in `club.db`: a battle being played, and a person called Anna.
    pub fn of_a_club() -> Self {
        let folder = Self::new();
        let database = format!("sqlite:{}", folder.0.path().join("club.db").display());
        let (system, scenario) = tricorne_shelf::scenario("crossing-the-veld").expect("a shipped scenario");
        let umpire = Umpire::begin(system, &scenario, &Choices::default(), Seed::from(7)).expect("a battle");
        let header = umpire.journal().header;
        let game = Game {
            id: "k7m2".into(),
            created: 1,
            ruleset: header.ruleset.clone(),
            scenario: scenario.name,
            title: "Thursday".into(),
            header: serde_json::to_string(&header).expect("a header"),
            seed: header.seed.to_string(),
            commitment: String::new(),
            status: Status::Playing,
            public: true,
            watch: true,
            lobby: "{}".into(),
            ending: None,
            waiting: Some(0),
            take_backs: 0,
            untold: 0,
            actions: 0,
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let store = Store::open(&database).await.expect("a store");
            store.add_user("anna", "anna", "no hash", 1).await.expect("a person");
            store.create(game, Vec::new(), Vec::new()).await.expect("a game");
            store.close().await;
        });
        folder
    }

    /// Runs a line and wants it to succeed, or to be refused where it says so.
    pub fn run(&self, line: &Line) {
        if line.text.starts_with("man ") && Command::new("man").arg("--version").output().is_err() {
            eprintln!("{}: there is no `man` here to read pages with", line.place);
            return;
        }
        let binary = Path::new(env!("CARGO_BIN_EXE_tricorne")).parent().expect("a folder");
        let path = std::env::var("PATH").unwrap_or_default();
        let done = Command::new("sh")
            .args(["-c", &line.quick()])
            .current_dir(self.0.path())
            .env("PATH", format!("{}:{path}", binary.display()))
            // Games of whoever runs the tests are nobody's business.
            .env("HOME", self.0.path())
            .env("XDG_DATA_HOME", self.0.path().join("data"))
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let said =
            format!("{}{}", String::from_utf8_lossy(&done.stderr), String::from_utf8_lossy(&done.stdout));
        let code = done.status.code().unwrap_or(-1);
        if line.left_out(&said) {
            assert!(code == 2, "{}: {}: {code}: {said}", line.place, line.text);
        } else if line.fails {
            assert!(code == 1 || code == 2, "{}: {} should be refused: {said}", line.place, line.text);
        } else {
            assert!(code == 0, "{}: {}: exit code {code}: {said}", line.place, line.text);
        }
    }
}
