//! What shakes a unit, and what loosens its ranks: each with its clause and its words.

/// Why a unit tests for Pinning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shock {
    /// It was shot at.
    Fire,
    /// It lost a melee.
    Melee,
    /// A friend was destroyed.
    Loss,
    /// A friend broke and ran.
    Rout,
    /// A friend was driven off the table.
    Flight,
    /// The commander fell.
    Commander,
}

impl Shock {
    pub(crate) fn clause(self) -> &'static str {
        match self {
            Shock::Fire => "WBK-PIN-01",
            Shock::Melee => "WBK-PIN-02",
            Shock::Loss => "WBK-PIN-03",
            Shock::Rout => "WBK-PIN-04",
            Shock::Flight => "WBK-PIN-14",
            Shock::Commander => "WBK-LEAD-09",
        }
    }

    /// In words; those of a friend's loss go on with his name.
    pub(crate) fn because(self) -> &'static str {
        match self {
            Shock::Fire => "after the fire",
            Shock::Melee => "after the melee",
            Shock::Loss => "after the loss of",
            Shock::Rout | Shock::Flight => "after the flight of",
            Shock::Commander => "after the commander fell with",
        }
    }
}

/// Why a unit leaves Close Order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Loosened {
    /// It is Pinned.
    Pinned,
    /// It was told to.
    Ordered,
    /// It has too few men left.
    TooFew,
}

impl Loosened {
    pub(crate) fn clause(self) -> &'static str {
        match self {
            Loosened::Pinned => "WBK-CLOSE-12",
            Loosened::Ordered => "WBK-CLOSE-13",
            Loosened::TooFew => "WBK-CLOSE-15",
        }
    }

    pub(crate) fn because(self) -> &'static str {
        match self {
            Loosened::Pinned => "as Pinned troops do",
            Loosened::Ordered => "as ordered",
            Loosened::TooFew => "for want of men",
        }
    }
}
