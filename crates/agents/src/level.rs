//! How well a program plays, and how it is named: `random`, `subaltern`, `general`, `general:100ms`, `general:400it`;
//! and of the first school, which stays as it was, `ensign` and `brigadier`, `brigadier:100ms`; and `exec:COMMAND` for a program of
//! somebody else's.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use tricorne_game::School;

use crate::outside::Outsider;

/// How well a program plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Any legal answer.
    Random,
    /// The answer that looks best at first sight, by the system's own judgement.
    Subaltern,
    /// Searches ahead.
    General(Budget),
    /// A subaltern of [`School::First`]: the rung that progress is measured from.
    Ensign,
    /// A general of [`School::First`].
    Brigadier(Budget),
    /// A program of somebody else's.
    Outside(Outsider),
}

/// How long a general may think about one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Budget {
    /// By the clock.
    Time(Duration),
    /// So many battles tried out in thought. The same answer on every machine.
    Tries(u32),
}

impl Budget {
    /// What a general takes that nobody has told: half a second, short enough for a person who waits.
    pub const USUAL: Budget = Budget::Time(Duration::from_millis(500));

    /// Longer than this nobody waits.
    const LONGEST: Duration = Duration::from_mins(10);

    /// The longest that a server lets a stranger ask for.
    const FOR_GUESTS: Duration = Duration::from_secs(5);

    /// The most battles tried out for one decision.
    const MOST: u32 = 10_000_000;
}

impl Level {
    /// What its judgement goes by.
    pub fn school(self) -> School {
        match self {
            Level::Ensign | Level::Brigadier(_) => School::First,
            Level::Random | Level::Subaltern | Level::General(_) | Level::Outside(_) => School::Present,
        }
    }

    /// All levels that a player is offered, weakest first. Those of the first school are for measuring.
    pub const ALL: [Level; 3] = [Level::Random, Level::Subaltern, Level::General(Budget::USUAL)];

    /// Reads a level, or `exec:COMMAND`. Only for words of whoever started this process: it starts the command.
    pub fn anybody(text: &str) -> Result<Level, String> {
        match text.strip_prefix("exec:") {
            Some(command) => Ok(Level::Outside(Outsider::new(command)?)),
            None => text.parse(),
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
        match level {
            Level::General(Budget::Tries(_)) | Level::Brigadier(Budget::Tries(_)) => Err(format!(
                "`{text}`: a server's general thinks by the clock; write general:100ms or the like"
            )),
            Level::General(Budget::Time(time)) | Level::Brigadier(Budget::Time(time))
                if time > Budget::FOR_GUESTS =>
            {
                Err(format!(
                    "`{text}`: a server's general thinks for at most {}s a decision",
                    Budget::FOR_GUESTS.as_secs()
                ))
            }
            level => Ok(level),
        }
    }

    /// How levels are written, for help and errors.
    pub const NAMES: &'static str = "random, subaltern, general, general:100ms, general:2s or general:400it; \
                                     of the first school, ensign and brigadier (:100ms)";
}

impl fmt::Display for Budget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Budget::Time(time) if time.as_millis() >= 1000 && time.subsec_millis() == 0 => {
                write!(f, "{}s", time.as_secs())
            }
            Budget::Time(time) => write!(f, "{}ms", time.as_millis()),
            Budget::Tries(tries) => write!(f, "{tries}it"),
        }
    }
}

impl FromStr for Budget {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let (number, unit) = text.split_at(digits);
        let wrong =
            || format!("`{text}` is no budget; write a time (100ms, 2s) or a number of tries (400it)");
        let number: u32 = number.parse().map_err(|_| wrong())?;
        let time = match unit {
            "ms" => Duration::from_millis(u64::from(number)),
            "s" => Duration::from_secs(u64::from(number)),
            "it" if (1..=Budget::MOST).contains(&number) => return Ok(Budget::Tries(number)),
            "it" => return Err(format!("`{text}`: a general tries out from 1 to {} battles", Budget::MOST)),
            _ => return Err(wrong()),
        };
        if time.is_zero() || time > Budget::LONGEST {
            return Err(format!("`{text}`: a general thinks from 1ms to {}s", Budget::LONGEST.as_secs()));
        }
        Ok(Budget::Time(time))
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Level::Random => f.pad("random"),
            Level::Subaltern => f.pad("subaltern"),
            Level::General(Budget::USUAL) => f.pad("general"),
            Level::General(budget) => f.pad(&format!("general:{budget}")),
            Level::Ensign => f.pad("ensign"),
            Level::Brigadier(Budget::USUAL) => f.pad("brigadier"),
            Level::Brigadier(budget) => f.pad(&format!("brigadier:{budget}")),
            Level::Outside(outsider) => f.pad(&outsider.to_string()),
        }
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None => Level::ALL
                .into_iter()
                .chain([Level::Ensign, Level::Brigadier(Budget::USUAL)])
                .find(|l| l.to_string() == text)
                .ok_or_else(|| format!("there is no player `{text}`; there is {}", Level::NAMES)),
            Some(("general", budget)) => Ok(Level::General(budget.parse()?)),
            Some(("brigadier", budget)) => Ok(Level::Brigadier(budget.parse()?)),
            // Levels are read from requests and from what is kept; nothing there may start a process.
            Some(("exec", _)) => Err(format!("`{text}`: a command is not started from here")),
            Some((name, _)) => match name.parse::<Level>() {
                Ok(_) => Err(format!("`{text}`: {name} answers at once and takes no budget; write `{name}`")),
                Err(why) => Err(why),
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
        for text in ["random", "subaltern", "general", "general:100ms", "general:2s", "general:400it"]
            .into_iter()
            .chain(old)
        {
            assert_eq!(text.parse::<Level>().map(|l| l.to_string()), Ok(text.into()));
        }
        assert_eq!("general:500ms".parse(), Ok(Level::General(Budget::USUAL)));
    }

    #[test]
    fn a_wrong_level_says_what_would_be_right() {
        let why = |text: &str| text.parse::<Level>().unwrap_err();
        assert!(why("marshal").contains("there is random, subaltern, general"));
        assert!(why("marshal:1s").contains("there is no player `marshal`"));
        assert!(why("random:1s").contains("takes no budget"));
        for text in ["general:", "general:5", "general:ms", "general:1h", "general:-1ms", "general:é"] {
            assert!(why(text).contains("is no budget"), "{text}: {}", why(text));
        }
        assert!(why("exec:rm").contains("not started from here"));
        assert!(Level::for_guests("exec:rm").is_err(), "strangers start nothing");
        assert_eq!(Level::anybody("exec:rm -i").map(|l| l.to_string()), Ok("exec:rm -i".into()));
        assert!(why("general:0ms").contains("from 1ms to 600s"));
        assert!(why("general:0it").contains("from 1 to"));
        assert!(why("general:99999999999ms").contains("is no budget"));
        for text in ["general:6s", "general:100it", "brigadier:6s", "brigadier:100it"] {
            assert!(Level::for_guests(text).unwrap_err().contains("a server's general"));
        }
        assert!(Level::for_guests("general:5s").is_ok() && Level::for_guests("subaltern").is_ok());
    }
}
