//! Which judgement a battle's programs go by.

/// A school of judgement: what [`crate::Battle::standing`] and [`crate::Battle::proposals`] go by.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum School {
    /// The best there is, by the weights of the rulebook.
    #[default]
    Present,
    /// The first judgement of each system as it was in November 2026, frozen: the rung that progress is measured from.
    First,
}
