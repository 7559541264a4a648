//! How long a general may think about one decision.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

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

    /// What a captain takes.
    pub const SHORT: Budget = Budget::Time(Duration::from_millis(40));

    /// Longer than this nobody waits.
    const LONGEST: Duration = Duration::from_mins(10);

    /// The longest that a server lets a stranger ask for.
    pub(crate) const FOR_GUESTS: Duration = Duration::from_secs(5);

    /// The most battles tried out for one decision.
    const MOST: u32 = 10_000_000;
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
