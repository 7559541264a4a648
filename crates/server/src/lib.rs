//! The table served.
