//! Units, groups and generals by their number: three things that cannot be taken for one another.

use serde::Serialize;

macro_rules! numbers {
    ($($(#[$said:meta])* $Ix:ident),+ $(,)?) => {$(
        $(#[$said])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
        #[serde(transparent)]
        pub struct $Ix(u8);

        impl $Ix {
            /// The one with that number.
            pub fn of(i: usize) -> Self {
                Self(u8::try_from(i).unwrap_or(u8::MAX))
            }

            /// The first so many.
            pub fn first(n: usize) -> impl DoubleEndedIterator<Item = Self> + Clone + use<> {
                (0..Self::of(n).0).map(Self)
            }
        }

        impl From<$Ix> for usize {
            fn from(ix: $Ix) -> usize {
                usize::from(ix.0)
            }
        }
    )+};
}

numbers! {
    /// A unit in [`State::units`](crate::model::state::State::units).
    UnitIx,
    /// A group in [`State::groups`](crate::model::state::State::groups).
    GroupIx,
    /// A general in [`State::generals`](crate::model::state::State::generals).
    GeneralIx,
}
