//! Which program this is: its version, the commit it was built from, the revision of each rulebook.

use std::sync::LazyLock;

/// The commit that this was built from, if the build knew it.
const COMMIT: Option<&str> = option_env!("TRICORNE_COMMIT");

static SHORT: LazyLock<String> = LazyLock::new(|| match COMMIT {
    Some(commit) if !commit.is_empty() => format!("{} (commit {commit})", env!("CARGO_PKG_VERSION")),
    _ => env!("CARGO_PKG_VERSION").to_owned(),
});

static RULEBOOKS: LazyLock<String> = LazyLock::new(|| {
    let all = tricorne_shelf::systems().iter().map(|s| {
        let about = s.about();
        format!("{} {}", about.id, about.revision)
    });
    all.collect::<Vec<_>>().join(", ")
});

static LONG: LazyLock<String> =
    LazyLock::new(|| format!("{}\nrulebooks, each with its revision: {}", short(), rulebooks()));

/// `0.1.0 (commit 51c5a58)`.
pub fn short() -> &'static str {
    &SHORT
}

/// Each rulebook with its revision: `would-be-kings 3, von-futsch 2`.
pub fn rulebooks() -> &'static str {
    &RULEBOOKS
}

/// Both, a line each.
pub fn long() -> &'static str {
    &LONG
}
