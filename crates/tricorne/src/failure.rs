//! How a command ends: 0 done, 1 the answer is no, 2 wrong usage or a bad file.

use std::fmt;
use std::process::ExitCode;

use tricorne_game::Fault;
use tricorne_game::journal::JournalError;
use tricorne_shelf::NotFound;

use crate::{files, load};

/// What a command comes to.
pub type Outcome = Result<(), Failure>;

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The answer is no: a case failed, a journal does not verify. Exit code 1.
    No(String),
    /// Wrong usage or a bad file. Exit code 2.
    Wrong(String),
    /// Wrong usage that has been told already. Exit code 2.
    Usage,
    /// Nobody listens at the other end of the pipe any more. Exit code 0.
    PipeClosed,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Failure::No(why) | Failure::Wrong(why) => why,
            Failure::Usage => "wrong usage",
            Failure::PipeClosed => "nobody listens any more",
        })
    }
}

impl Failure {
    /// A bad file or argument.
    pub fn wrong(why: impl fmt::Display) -> Self {
        Failure::Wrong(why.to_string())
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        Failure::wrong(load::as_given(fault))
    }
}

impl From<NotFound> for Failure {
    fn from(why: NotFound) -> Self {
        Failure::wrong(why)
    }
}

impl From<std::io::Error> for Failure {
    fn from(e: std::io::Error) -> Self {
        if e.kind() == std::io::ErrorKind::BrokenPipe { Failure::PipeClosed } else { Failure::wrong(e) }
    }
}

impl From<JournalError> for Failure {
    fn from(e: JournalError) -> Self {
        match e {
            JournalError::Truncated { .. } | JournalError::Unreadable(_) => Failure::wrong(e),
            JournalError::Altered(_) | JournalError::Differs { .. } => Failure::No(e.to_string()),
        }
    }
}

/// Says what went wrong on stderr and gives the exit code.
pub fn exit(outcome: Outcome) -> ExitCode {
    match outcome {
        Ok(()) | Err(Failure::PipeClosed) => ExitCode::SUCCESS,
        Err(Failure::No(why)) => {
            files::remark(&format!("tricorne: {why}"));
            ExitCode::from(1)
        }
        Err(Failure::Usage) => ExitCode::from(2),
        Err(Failure::Wrong(why)) => {
            files::remark(&format!("tricorne: {why}"));
            ExitCode::from(2)
        }
    }
}
