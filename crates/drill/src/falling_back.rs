//! Falling back: of the ways that are tried one after another, which is taken.
//!
//! Every rulebook of the period sends the beaten straight away and, where that is barred, aside by so many degrees more and
//! more ([`fan`](tricorne_table::angle::fan)). How far a way leads and what is lost on it is the rulebook's own.
//!
//! ```
//! use tricorne_drill::{Way, fall_back};
//! use tricorne_table::angle;
//!
//! // A pond lies behind them: straight away they get 2 inches, 15 degrees to the left all of 6.
//! let far = |turn: f64| match turn {
//!     -15.0 => Way::Open(6.0),
//!     _ => Way::Cut(2.0),
//! };
//! assert_eq!(fall_back(angle::fan(15.0, 45.0), far, |a, b| a > b), Some(6.0));
//! ```

/// How one way turned out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way<T> {
    /// As far as they must: nobody looks for another.
    Open(T),
    /// Cut short.
    Cut(T),
    /// It leads nowhere.
    Shut,
}

/// The first way that is open; if none is, the best of those that are cut short, and of equals the first.
pub fn fall_back<T>(
    turns: impl IntoIterator<Item = f64>,
    mut tried: impl FnMut(f64) -> Way<T>,
    better: impl Fn(&T, &T) -> bool,
) -> Option<T> {
    let mut best: Option<T> = None;
    for turn in turns {
        match tried(turn) {
            Way::Open(way) => return Some(way),
            Way::Cut(way) if best.as_ref().is_none_or(|best| better(&way, best)) => best = Some(way),
            Way::Cut(_) | Way::Shut => {}
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equals_the_first_is_taken() {
        let tried = |turn: f64| if turn == 0.0 { Way::Shut } else { Way::Cut((3, turn)) };
        assert_eq!(fall_back([0.0, 15.0, -15.0], tried, |a, b| a.0 > b.0), Some((3, 15.0)));
    }

    #[test]
    fn nothing_is_tried_after_an_open_way() {
        let mut asked = 0;
        let found = fall_back(
            [0.0, 15.0, -15.0],
            |turn| {
                asked += 1;
                if asked == 2 { Way::Open(turn) } else { Way::Cut(turn) }
            },
            |_, _| true,
        );
        assert_eq!((found, asked), (Some(15.0), 2));
    }

    #[test]
    fn with_every_way_shut_they_stay() {
        assert_eq!(fall_back([0.0, 15.0], |_| Way::<f64>::Shut, |a, b| a > b), None);
    }
}
