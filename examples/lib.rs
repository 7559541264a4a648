//! Tricorne as a library, in four short programs:
//!
//! ```sh
//! cargo run -p tricorne-examples --example fight
//! cargo run -p tricorne-examples --example bot
//! cargo run -p tricorne-examples --example odds
//! cargo run -p tricorne-examples --example picture
//! ```
//!
//! A fifth, a rulebook of one's own, is `cargo run -p tricorne-drill --example outposts`.
