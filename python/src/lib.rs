//! Tricorne for Python: the same battles, observations that a network can take, the same studies.
//!
//! This crate is the bridge and holds no rules: what Python asks is asked of `tricorne-game`, `-agents` and `-lab`, and
//! what comes back is handed over as Python's own things. The package around it is in `tricorne/`.

mod answer;
mod battle;
mod code;
mod engagement;
mod field;
mod plain;
mod refused;
mod rows;
mod rulebooks;
mod study;
mod tuning;

use pyo3::pymodule;

/// What the package `tricorne` is built on.
#[pymodule]
mod _tricorne {
    #[pymodule_export]
    use crate::battle::Battle;
    #[pymodule_export]
    use crate::field::Field;
    #[pymodule_export]
    use crate::rulebooks::{rules, rulesets, scenario_text, schema};
    #[pymodule_export]
    use crate::study::{Ledger, Rows, Study, elo, share};
    #[pymodule_export]
    use crate::tuning::Tuning;
}
