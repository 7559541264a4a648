//! How well a program plays, and how it is named.
//!
//! For people: `recruit`, `corporal`, `sergeant`, `subaltern`, `captain`, `general`, each with a temper if one likes
//! (`bold-sergeant`, `cautious-general`). A general may have a budget (`general:100ms`, `general:400it`). For measuring:
//! `random`; of the first school, which stays as it was, `ensign` and `brigadier` (`brigadier:100ms`); and `exec:COMMAND`
//! for a program of somebody else's.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use tricorne_game::{Frailty, School, Temper, did_you_mean};

use crate::outside::Outsider;
use crate::taught::Taught;

pub use crate::budget::Budget;

/// How well a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Any legal answer.
    Random,
    /// The answer that looks best at first sight, by the system's own judgement.
    Subaltern,
    /// Searches ahead.
    General(Budget),
    /// An officer of another rank, or of a temper.
    Officer(Rank, Temper),
    /// A subaltern of [`School::First`]: the rung that progress is measured from.
    Ensign,
    /// A general of [`School::First`], with the search of those days.
    Brigadier(Budget),
    /// An officer by weights of one's own.
    Taught(Rank, Temper, Taught),
    /// A program of somebody else's.
    Outside(Outsider),
}

/// The ranks that people play against, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rank {
    /// Has been told the rules today: a child can beat it.
    Recruit,
    /// Knows what to do, and often does something else.
    Corporal,
    /// Makes a mistake now and then.
    Sergeant,
    /// Quick judgement, by the system's own.
    Subaltern,
    /// Thinks ahead, but not for long.
    Captain,
    /// Thinks ahead.
    General(Budget),
}

impl Rank {
    /// All of them, weakest first.
    pub const ALL: [Rank; 6] = [
        Rank::Recruit,
        Rank::Corporal,
        Rank::Sergeant,
        Rank::Subaltern,
        Rank::Captain,
        Rank::General(Budget::USUAL),
    ];

    /// How long it thinks ahead; none if it answers at once.
    pub fn budget(self) -> Option<Budget> {
        match self {
            Rank::Captain => Some(Budget::SHORT),
            Rank::General(budget) => Some(budget),
            Rank::Recruit | Rank::Corporal | Rank::Sergeant | Rank::Subaltern => None,
        }
    }

    /// Whether something keeps it from the best that it can see. How much stands in the rulebook.
    pub(crate) fn is_frail(self) -> bool {
        Frailty::RANKS.contains(&self.name())
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Rank::Recruit => "recruit",
            Rank::Corporal => "corporal",
            Rank::Sergeant => "sergeant",
            Rank::Subaltern => "subaltern",
            Rank::Captain => "captain",
            Rank::General(_) => "general",
        }
    }
}

/// Every name that a level may have, tempers and budgets left out.
const KNOWN: [&str; 9] =
    ["recruit", "corporal", "sergeant", "subaltern", "captain", "general", "random", "ensign", "brigadier"];

/// Tempers and how they are written before a rank.
const TEMPERS: [(Temper, &str); 2] = [(Temper::Bold, "bold-"), (Temper::Cautious, "cautious-")];

impl Level {
    /// What its judgement goes by, its temper left out.
    pub fn school(self) -> School {
        match self {
            Level::Ensign | Level::Brigadier(_) => School::First,
            Level::Random | Level::Subaltern | Level::General(_) | Level::Officer(..) | Level::Outside(_) => {
                School::Present
            }
            Level::Taught(_, _, taught) => School::Own(Arc::clone(taught.weights())),
        }
    }

    /// An officer of a rank and a temper.
    pub fn officer(rank: Rank, temper: Temper) -> Self {
        match (rank, temper) {
            (Rank::Subaltern, Temper::Even) => Level::Subaltern,
            (Rank::General(budget), Temper::Even) => Level::General(budget),
            (rank, temper) => Level::Officer(rank, temper),
        }
    }

    /// Its rank, if it is one of those that people play against.
    pub fn rank(self) -> Option<Rank> {
        match self {
            Level::Subaltern => Some(Rank::Subaltern),
            Level::General(budget) => Some(Rank::General(budget)),
            Level::Officer(rank, _) | Level::Taught(rank, ..) => Some(rank),
            Level::Random | Level::Ensign | Level::Brigadier(_) | Level::Outside(_) => None,
        }
    }

    /// Its temper.
    pub fn temper(self) -> Temper {
        match self {
            Level::Officer(_, temper) | Level::Taught(_, temper, _) => temper,
            _ => Temper::Even,
        }
    }

    /// How long it thinks ahead about one decision; none if it answers at once.
    pub fn budget(self) -> Option<Budget> {
        match self {
            Level::Brigadier(budget) => Some(budget),
            level => level.rank().and_then(Rank::budget),
        }
    }

    /// All levels that a player is offered, weakest first: any answer at all, and the ranks. Each rank may have a temper;
    /// those of the first school are for measuring.
    pub const ALL: [Level; 7] = [
        Level::Random,
        Level::Officer(Rank::Recruit, Temper::Even),
        Level::Officer(Rank::Corporal, Temper::Even),
        Level::Officer(Rank::Sergeant, Temper::Even),
        Level::Subaltern,
        Level::Officer(Rank::Captain, Temper::Even),
        Level::General(Budget::USUAL),
    ];

    /// Reads a level, or `exec:COMMAND`, or a rank with a file of weights (`subaltern@mine.toml`). Only for words of whoever
    /// started this process: it starts the command and reads the file.
    pub fn anybody(text: &str) -> Result<Level, String> {
        if let Some(command) = text.strip_prefix("exec:") {
            return Ok(Level::Outside(Outsider::new(command)?));
        }
        let (level, file) = match text.split_once('@') {
            Some((level, file)) => (level, Some(file)),
            None => (text, None),
        };
        let level: Level = level.parse().map_err(|why: String| match why.strip_suffix(Level::NAMES) {
            Some(_) => format!("{why}; of your own, subaltern@FILE or exec:COMMAND"),
            None => why,
        })?;
        let Some(file) = file else { return Ok(level) };
        match level.rank() {
            Some(_) if file.is_empty() => {
                Err(format!("`{text}`: names no file of weights; write {level}@mine.toml"))
            }
            Some(rank) => Ok(Level::Taught(rank, level.temper(), Taught::read(file)?)),
            None => Err(format!(
                "`{text}`: {level} goes by no weights; write subaltern@FILE or general:100ms@FILE"
            )),
        }
    }

    /// The same level; if it is a program of somebody else's, by this clock.
    #[must_use]
    pub fn by_clock(self, clock: Duration) -> Self {
        match self {
            Level::Outside(outsider) => Level::Outside(outsider.by_clock(clock)),
            ours => ours,
        }
    }

    /// Reads a level that strangers may ask a server for: none that holds one of its threads for long.
    pub fn for_guests(text: &str) -> Result<Level, String> {
        let level: Level = text.parse()?;
        match level.budget() {
            Some(Budget::Tries(_)) => Err(format!(
                "`{text}`: a server's general thinks by the clock; write general:100ms or the like"
            )),
            Some(Budget::Time(time)) if time > Budget::FOR_GUESTS => Err(format!(
                "`{text}`: a server's general thinks for at most {}s a decision",
                Budget::FOR_GUESTS.as_secs()
            )),
            _ => Ok(level),
        }
    }

    /// How levels are written, for help and errors.
    pub const NAMES: &'static str = "recruit, corporal, sergeant, subaltern, captain, general, general:100ms, \
                                     general:2s or general:400it, each with bold- or cautious- before it if you like; \
                                     random; of the first school, ensign and brigadier (:100ms)";
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranked = |name: &str, budget: Option<Budget>| match budget {
            None | Some(Budget::USUAL) => name.to_owned(),
            Some(budget) => format!("{name}:{budget}"),
        };
        let text = match self {
            Level::Random => "random".to_owned(),
            Level::Ensign => "ensign".to_owned(),
            Level::Brigadier(budget) => ranked("brigadier", Some(*budget)),
            Level::Outside(outsider) => outsider.to_string(),
            Level::Taught(rank, temper, taught) => format!("{}@{taught}", Level::officer(*rank, *temper)),
            Level::Subaltern | Level::General(_) | Level::Officer(..) => {
                let before = TEMPERS.iter().find(|(t, _)| *t == self.temper()).map_or("", |(_, name)| *name);
                let rank = self.rank().map_or_else(String::new, |rank| match rank {
                    Rank::General(budget) => ranked("general", Some(budget)),
                    other => other.name().to_owned(),
                });
                format!("{before}{rank}")
            }
        };
        f.pad(&text)
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, budget) = match text.split_once(':') {
            Some((name, budget)) => (name, Some(budget)),
            None => (text, None),
        };
        // Levels are read from requests and from what is kept; nothing there may start a process.
        if name == "exec" {
            return Err(format!("`{text}`: a command is not started from here"));
        }
        let (temper, rank) = TEMPERS
            .iter()
            .find_map(|(temper, before)| Some((*temper, name.strip_prefix(before)?)))
            .unwrap_or((Temper::Even, name));
        let level = match rank {
            "random" if temper == Temper::Even => Level::Random,
            "ensign" if temper == Temper::Even => Level::Ensign,
            "brigadier" if temper == Temper::Even => Level::Brigadier(Budget::USUAL),
            _ => Rank::ALL
                .into_iter()
                .find(|r| r.name() == rank)
                .map(|r| Level::officer(r, temper))
                .ok_or_else(|| {
                    let hint = did_you_mean(name, KNOWN, format!("there is {}", Level::NAMES));
                    format!("there is no player `{name}`; {hint}")
                })?,
        };
        match (level, budget) {
            (level, None) => Ok(level),
            (Level::Brigadier(_), Some(budget)) => Ok(Level::Brigadier(budget.parse()?)),
            (level, Some(budget)) => match level.rank() {
                Some(Rank::General(_)) => Ok(Level::officer(Rank::General(budget.parse()?), temper)),
                Some(Rank::Captain) => Err(format!(
                    "`{text}`: a captain has a budget of his own; write general:{budget} for another"
                )),
                _ => Err(format!("`{text}`: {name} answers at once and takes no budget; write `{name}`")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_read_back_as_written() {
        let old = ["ensign", "brigadier", "brigadier:100ms"];
        let tempers =
            ["bold-recruit", "cautious-subaltern", "bold-general", "cautious-general:2s", "bold-captain"];
        for text in ["random", "subaltern", "general", "general:100ms", "general:2s", "general:400it"]
            .into_iter()
            .chain(old)
            .chain(tempers)
        {
            assert_eq!(text.parse::<Level>().map(|l| l.to_string()), Ok(text.into()));
        }
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        assert_eq!("general:500ms".parse(), Ok(Level::General(Budget::USUAL)));
        assert_eq!(format!("{:>11}", Level::Subaltern), "  subaltern");
    }

    #[test]
    fn people_are_offered_every_rank_weakest_first() {
        let ranks: Vec<Rank> = Level::ALL.into_iter().filter_map(Level::rank).collect();
        assert_eq!(ranks, Rank::ALL);
        for level in Level::ALL {
            assert!(Level::for_guests(&level.to_string()).is_ok(), "{level}");
        }
    }

    #[test]
    fn a_wrong_level_says_what_would_be_right() {
        let why = |text: &str| text.parse::<Level>().unwrap_err();
        assert!(why("marshal").contains("there is recruit, corporal"));
        assert!(why("genral:1s").contains("did you mean `general`?"), "{}", why("genral:1s"));
        assert!(why("Subaltern").contains("did you mean `subaltern`?"));
        assert!(Level::anybody("marshal").unwrap_err().contains("subaltern@FILE or exec:COMMAND"));
        assert!(Level::anybody("general@").unwrap_err().contains("write general@mine.toml"));
        assert!(why("marshal:1s").contains("there is no player `marshal`"));
        assert!(why("bold-ensign").contains("there is no player `bold-ensign`"));
        assert!(why("random:1s").contains("takes no budget"));
        assert!(why("captain:1s").contains("write general:1s"));
        for text in ["general:", "general:5", "general:ms", "general:1h", "general:-1ms", "general:é"] {
            assert!(why(text).contains("is no budget"), "{text}: {}", why(text));
        }
        assert!(why("exec:rm").contains("not started from here"));
        assert!(Level::for_guests("exec:rm").is_err(), "strangers start nothing");
        assert_eq!(Level::anybody("exec:rm -i").map(|l| l.to_string()), Ok("exec:rm -i".into()));
        assert!(why("general:0ms").contains("from 1ms to 600s"));
        assert!(why("general:0it").contains("from 1 to"));
        assert!(why("general:99999999999ms").contains("is no budget"));
        for text in ["general:6s", "general:100it", "brigadier:6s", "brigadier:100it", "bold-general:6s"] {
            assert!(Level::for_guests(text).unwrap_err().contains("a server's general"));
        }
        assert!(Level::for_guests("general:5s").is_ok() && Level::for_guests("subaltern").is_ok());
    }
}
