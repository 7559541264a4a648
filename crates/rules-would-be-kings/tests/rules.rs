//! Rules that a case file can't show.
