//! What went wrong, as the package's own exceptions (`tricorne/errors.py`), each with the clause or the place in it.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use tricorne_game::journal::JournalError;
use tricorne_game::{Fault, Refusal};
use tricorne_lab::StudyError;
use tricorne_shelf::NotFound;

fn raised<'py>(py: Python<'py>, name: &str, args: impl PyCallArgs<'py>) -> PyErr {
    let class = py.import("tricorne.errors").and_then(|errors| errors.getattr(name));
    match class.and_then(|class| class.call1(args)) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// Why an answer was not carried out.
pub fn refused(py: Python<'_>, refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Illegal(illegal) => raised(py, "Illegal", (illegal.why, illegal.clause)),
        Refusal::Malformed(why) => raised(py, "Malformed", (why,)),
        Refusal::NotYours { asked, pending } => raised(py, "NotYours", (asked.0, pending.0)),
        Refusal::Over => over(py),
        Refusal::Chance(why) => wrong(py, why),
    }
}

/// Nothing is left to decide.
pub fn over(py: Python<'_>) -> PyErr {
    raised(py, "Over", ("the battle is over",))
}

/// A file that can't be used: where, and what would be right.
pub fn fault(py: Python<'_>, fault: &Fault) -> PyErr {
    let (line, column) = fault.at.unzip();
    raised(
        py,
        "BadScenario",
        (fault.to_string(), fault.file.clone(), line, column, fault.place(), fault.problem.clone()),
    )
}

/// No such scenario.
pub fn not_found(py: Python<'_>, why: NotFound) -> PyErr {
    match why {
        NotFound::Ruleset(wrong) => fault(py, &wrong),
        other => raised(
            py,
            "BadScenario",
            (other.to_string(), None::<String>, None::<usize>, None::<usize>, "", other.to_string()),
        ),
    }
}

/// A journal that does not verify.
pub fn journal(py: Python<'_>, why: &JournalError) -> PyErr {
    raised(py, "BadJournal", (why.to_string(),))
}

/// A study that came to nothing.
pub fn study(py: Python<'_>, why: StudyError) -> PyErr {
    match why {
        StudyError::Scenario(wrong) => fault(py, &wrong),
        other => raised(py, "StudyFailed", (other.to_string(),)),
    }
}

/// Anything else that was asked for and can't be.
pub fn wrong(py: Python<'_>, why: impl ToString) -> PyErr {
    raised(py, "BadRequest", (why.to_string(),))
}
