//! Hidden deployment stays hidden.
