//! Games kept.
