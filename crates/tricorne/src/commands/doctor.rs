//! `tricorne doctor`: what this program finds on this machine, and what is missing.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;
use tricorne_store::Examined;

use super::serve::own_place;
use super::{json, say};
use crate::failure::{Failure, Outcome};
use crate::version;

/// What this program finds on this machine, and what is missing. It only looks: nothing is made or changed.
#[derive(Args)]
pub struct Doctor {
    /// Look at this file of games instead of your own
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// One thing looked at.
#[derive(Serialize)]
struct Finding {
    what: &'static str,
    found: String,
    /// Whether something must be done.
    ill: bool,
    /// What to do, or what does without it.
    remedy: Option<String>,
}

impl Finding {
    fn well(what: &'static str, found: impl Into<String>) -> Self {
        Self { what, found: found.into(), ill: false, remedy: None }
    }

    fn without(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what, found: found.into(), ill: false, remedy: Some(remedy.into()) }
    }

    fn ill(what: &'static str, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { what, found: found.into(), ill: true, remedy: Some(remedy.into()) }
    }
}

impl Doctor {
    /// Looks, and tells. The answer is no where something must be done.
    pub fn run(self) -> Outcome {
        let mut all = vec![
            Finding::well("program", version::short()),
            Finding::well("rulebooks", version::rulebooks()),
            Finding::well(
                "cores",
                std::thread::available_parallelism().map_or(1, std::num::NonZero::get).to_string(),
            ),
            the_page(),
            the_browser(),
        ];
        all.extend(self.games()?);
        let ill = all.iter().filter(|f| f.ill).count();
        if self.json {
            json(&all)?;
        } else {
            for finding in &all {
                say(&format!("{:<10} {}", finding.what, finding.found))?;
                if let Some(remedy) = &finding.remedy {
                    say(&format!("{:<10} → {remedy}", ""))?;
                }
            }
            say(if ill == 0 { "All is well." } else { "" })?;
        }
        match ill {
            0 => Ok(()),
            1 => Err(Failure::No("one thing is wrong".into())),
            n => Err(Failure::No(format!("{n} things are wrong"))),
        }
    }

    fn games(&self) -> Result<Vec<Finding>, Failure> {
        let Some(file) = self.games.clone().or_else(own_place) else {
            let found = "no home folder is known (neither XDG_DATA_HOME nor HOME nor APPDATA is set)";
            return Ok(vec![Finding::ill("games", found, "say where with `tricorne play --games FILE`")]);
        };
        if !file.exists() {
            if self.games.is_some() {
                return Err(Failure::wrong(format!("{}: there is no such file", file.display())));
            }
            let mut all = vec![Finding::well(
                "games",
                format!("will be kept in {}; there are none yet", file.display()),
            )];
            all.extend(unwritable(&file));
            return Ok(all);
        }
        let mut all = vec![Finding::well("games", format!("kept in {}", file.display()))];
        all.extend(unwritable(&file));
        let runtime = tricorne_server::runtime()?;
        all.push(match runtime.block_on(Examined::of(&file)) {
            Ok(examined) => told(&file, &examined),
            Err(why) => Finding::ill("database", format!("can't be read: {why}"), remedy(&file)),
        });
        Ok(all)
    }
}

fn told(file: &Path, examined: &Examined) -> Finding {
    let (version, known) = examined.version;
    let games = match examined.games {
        1 => "1 game".to_owned(),
        n => format!("{n} games"),
    };
    if let Some(first) = examined.faults.first() {
        let more = match examined.faults.len() {
            1 => String::new(),
            n => format!(" (and {} more)", n - 1),
        };
        return Finding::ill("database", format!("is damaged: {first}{more}"), remedy(file));
    }
    match version {
        v if v > known => Finding::ill(
            "database",
            format!("sound, {games}, but of version {v}; this program knows up to {known}"),
            "use the newer Tricorne that wrote it",
        ),
        v if v < known => Finding::without(
            "database",
            format!("sound, {games}, of version {v}"),
            format!("it is brought to version {known} when it is next opened"),
        ),
        v => Finding::well("database", format!("sound, {games}, version {v}")),
    }
}

fn remedy(file: &Path) -> String {
    format!(
        "put {} aside and begin a new one; `sqlite3 FILE .recover` saves what can be saved of a damaged file",
        file.display()
    )
}

/// Where nothing can be written no games are kept. The folder may be one that is still to be made.
fn unwritable(file: &Path) -> Option<Finding> {
    let ill = |found: String| {
        Some(Finding::ill("folder", found, "allow writing there, or use `tricorne play --games FILE`"))
    };
    // The nearest thing on the way that is there; what can't even be looked at is passed over, to what hides it.
    let there = file.ancestors().skip(1).find(|p| p.symlink_metadata().is_ok()).unwrap_or(Path::new("."));
    if !there.is_dir() {
        return ill(format!("{} is no folder, so none can be made in it", there.display()));
    }
    if !may_write(there, true) || (file.exists() && !may_write(file, false)) {
        return ill(format!("{} can only be read", there.display()));
    }
    None
}

/// Whether this person may write there, found out without writing.
#[cfg(unix)]
fn may_write(path: &Path, folder: bool) -> bool {
    use rustix::fs::{Access, access};
    access(path, if folder { Access::WRITE_OK | Access::EXEC_OK } else { Access::WRITE_OK }).is_ok()
}

/// Whether this person may write there, as far as it is marked.
#[cfg(not(unix))]
fn may_write(path: &Path, _folder: bool) -> bool {
    !std::fs::metadata(path).is_ok_and(|m| m.permissions().readonly())
}

fn the_page() -> Finding {
    if tricorne_page::is_there() {
        Finding::well("page", "built in")
    } else {
        let remedy =
            "build the program again with the page (README.md); everything at the terminal works without it";
        Finding::ill("page", "not built in", remedy)
    }
}

/// Programs that open a page, as a Linux desktop has them.
const OPENERS: [&str; 11] = [
    "xdg-open",
    "wslview",
    "gio",
    "firefox",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "brave-browser",
    "microsoft-edge",
    "epiphany",
    "konqueror",
];

/// Which browser `tricorne play` would open. On macOS and Windows the system knows.
fn the_browser() -> Finding {
    if cfg!(any(windows, target_os = "macos")) {
        return Finding::well("browser", "the one this system opens pages with");
    }
    let chosen = std::env::var("BROWSER").ok().filter(|b| !b.is_empty());
    if let Some(browser) = chosen {
        let program = browser.split([':', ' ']).next().unwrap_or(&browser);
        return if (program.contains('/') && Path::new(program).is_file()) || on_path(program).is_some() {
            Finding::well("browser", format!("{browser} (from BROWSER)"))
        } else {
            let found = format!("BROWSER is {browser}, which is not there");
            Finding::without("browser", found, "open the address that `tricorne play` prints yourself")
        };
    }
    match OPENERS.iter().find_map(|name| on_path(name)) {
        Some(program) => Finding::well("browser", program.display().to_string()),
        None => Finding::without(
            "browser",
            "none found",
            "open the address that `tricorne play` prints yourself, here or from another machine by `tricorne serve`",
        ),
    }
}

fn on_path(name: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?).map(|folder| folder.join(name)).find(|p| p.is_file())
}
