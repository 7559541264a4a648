//! The page of Tricorne as it is built, embedded: what `tricorne serve` and `tricorne play` hand to a browser.
//!
//! ```
//! assert!(tricorne_page::file("index.html").is_some_and(|page| !page.packed));
//! assert!(tricorne_page::file("no-such-file").is_none());
//! ```

/// A file of the page, as it lies in this program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// What it holds.
    pub bytes: &'static [u8],
    /// Whether that is gzip of the file, as browsers take scripts and styles.
    pub packed: bool,
}

// `FILES: &[(&str, File)]`, sorted by name.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// A file of the page by its path.
pub fn file(name: &str) -> Option<File> {
    let i = FILES.binary_search_by_key(&name, |(n, _)| n).ok()?;
    Some(FILES[i].1)
}

/// Whether the page was built into this program.
pub fn is_there() -> bool {
    file("index.html").is_some()
}
