//! When something panics, which is a fault of ours: what to do, and where the battle is.

use std::fmt::Write;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::OnceLock;

use tricorne_game::Umpire;

use crate::files::remark;

/// Where the server of this process keeps its games.
static KEPT: OnceLock<String> = OnceLock::new();

/// From now on a panic is told in these words, on stderr, before anything else happens. A hook that panics in its turn
/// would end the process at once, so where stderr can't be written nothing is told.
pub fn set() {
    std::panic::set_hook(Box::new(|panic| {
        let _ = std::io::stderr().lock().write_all(words(panic).as_bytes());
    }));
}

/// Says where games are kept, for the words of a panic in the server. A password in it is not told.
pub fn games_are_in(database: &str) {
    let place = database.strip_prefix("sqlite:").map_or("the database given by --database", |file| file);
    let _ = KEPT.set(place.to_owned());
}

fn words(panic: &PanicHookInfo<'_>) -> String {
    let what = panic.payload_as_str().unwrap_or("no reason was given");
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let args: Vec<String> = std::env::args_os().skip(1).map(|arg| shown(&arg.to_string_lossy())).collect();
    let mut text = told(what, &place, &args.join(" "), KEPT.get().map(String::as_str));
    if std::env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0") {
        let _ = writeln!(text, "{}", std::backtrace::Backtrace::force_capture());
    }
    text
}

/// An argument without what may be a password in it: the address of a database is told no further than what it is.
fn shown(arg: &str) -> String {
    match arg.find("postgres") {
        Some(at) if arg[at..].contains(':') => format!("{}postgres://…", &arg[..at]),
        _ => arg.to_owned(),
    }
}

fn told(what: &str, place: &str, args: &str, kept: Option<&str>) -> String {
    let mut text = format!(
        "tricorne: this is a fault of the program, not of yours: {what} ({place})\n  version {}, command: tricorne {args}\n",
        crate::version::short()
    );
    text.push_str(&match kept {
        Some(kept) => format!(
            "  Nothing that was answered is lost: the games are in {kept}. Open the table again; if it stops at the same\n  \
             place, its journal (/api/games/ID/journal once it is over, else a copy of that file) shows us where.\n"
        ),
        None => "  The same command with the same seed comes to the same place.\n".to_owned(),
    });
    text.push_str(
        "  What to do: run it once more with RUST_BACKTRACE=1 set, and report what it says together with the journal.\n",
    );
    text
}

/// Fights at a table; if that panics, what was fought so far is written to a file first, and said.
pub fn rescued<T, O>(table: &mut T, umpire: fn(&T) -> &Umpire, fight: impl FnOnce(&mut T) -> O) -> O {
    // Of a battle that panicked only the journal is looked at, which holds what was done before.
    match catch_unwind(AssertUnwindSafe(|| fight(table))) {
        Ok(done) => done,
        Err(panic) => {
            let file = rescue_file();
            match std::fs::write(&file, umpire(table).journal().to_text()) {
                Ok(()) => remark(&format!("  The journal up to here is in {}", file.display())),
                Err(why) => {
                    remark(&format!("  The journal could not be written to {}: {why}", file.display()));
                }
            }
            resume_unwind(panic)
        }
    }
}

fn rescue_file() -> PathBuf {
    std::env::temp_dir().join(format!("tricorne-rescued-{}.jsonl", std::process::id()))
}

#[cfg(test)]
mod tests {
    use tricorne_chance::Seed;
    use tricorne_game::Choices;
    use tricorne_game::journal::Journal;

    use super::*;
    use crate::load;

    #[test]
    fn a_panic_says_what_to_do_and_where_the_games_are() {
        let text = told("no such regiment", "charge.rs:7", "serve", Some("club.db"));
        for wanted in ["no such regiment", "charge.rs:7", "tricorne serve", "club.db", "RUST_BACKTRACE=1"] {
            assert!(text.contains(wanted), "{wanted}: {text}");
        }
        assert!(told("", "", "battle", None).contains("same seed"));
    }

    #[test]
    fn a_password_is_not_told() {
        games_are_in("postgres://anna:secret@host/club");
        assert_eq!(KEPT.get().map(String::as_str), Some("the database given by --database"));
        for arg in ["postgres://anna:secret@host/club", "--database=postgresql://host/club?password=secret"] {
            assert!(!shown(arg).contains("secret"), "{}", shown(arg));
        }
        assert_eq!(shown("--database=sqlite:club.db"), "--database=sqlite:club.db");
    }

    #[test]
    fn a_battle_that_panics_leaves_its_journal() {
        let (system, file) = load::scenario("the-bordj").unwrap_or_else(|_| panic!("a shipped scenario"));
        let mut umpire = Umpire::begin(system, &file, &Choices::default(), Seed::from(1)).unwrap();
        let gone = catch_unwind(AssertUnwindSafe(|| {
            rescued(
                &mut umpire,
                |umpire| umpire,
                |umpire| {
                    let seat = umpire.battle().seat().unwrap();
                    let mut player =
                        tricorne_agents::Player::new(tricorne_agents::Level::Random, Seed::from(1), seat);
                    let action = player.think_any(umpire.battle()).action;
                    umpire.act(seat, &action).unwrap();
                    panic!("in the middle of it");
                },
            );
        }));
        assert!(gone.is_err(), "it is still a panic");
        let text = std::fs::read(rescue_file()).unwrap();
        std::fs::remove_file(rescue_file()).unwrap();
        let journal = Journal::read(&text).unwrap();
        assert_eq!(journal.entries.len(), 1);
        journal.replay(system, None).unwrap();
    }
}
