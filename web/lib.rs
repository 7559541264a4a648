//! The page of Tricorne as it is built, embedded: what `tricorne serve` and `tricorne play` hand to a browser.
//!
//! ```
//! assert!(tricorne_page::file("index.html").is_some());
//! assert!(tricorne_page::file("no-such-file").is_none());
//! ```

use std::borrow::Cow;

// `FILES: &[(&str, &[u8])]`, sorted by name.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// A file of the page by its path.
pub fn file(name: &str) -> Option<Cow<'static, [u8]>> {
    let i = FILES.binary_search_by_key(&name, |(n, _)| n).ok()?;
    Some(Cow::Borrowed(FILES[i].1))
}

/// Whether the page was built into this program.
pub fn is_there() -> bool {
    file("index.html").is_some()
}
