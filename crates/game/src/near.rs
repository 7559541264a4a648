//! The name somebody meant who wrote another.

use crate::InOrder;

/// The names nearest to a mistyped one, nearest first: those a few slips of the pen away, or that one of the two
/// begins or ends with. At most three; none where nothing is like it.
pub fn nearest<'a>(written: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', ' ', '/'], "-");
    let meant = plain(written);
    // A slip for every three letters is as far as a guess is worth making.
    let most = (meant.chars().count() / 3).clamp(1, 4);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for name in names {
        let known = plain(name);
        let part = meant.len() >= 4
            && (known.starts_with(&meant)
                || known.ends_with(&meant)
                || meant.starts_with(&known)
                || meant.ends_with(&known));
        // Whoever forgets a word of several (`farm` for `the-walled-farm`) is near too, though not as near as a slip.
        let word = meant.len() >= 4 && known.split('-').any(|w| slips(w, &meant) <= 1);
        match slips(&known, &meant) {
            n if n <= most => found.push((n, name)),
            _ if part => found.push((most + 1, name)),
            _ if word => found.push((most + 2, name)),
            _ => {}
        }
    }
    found.put_in_order_of(|(n, _)| *n);
    found.into_iter().map(|(_, name)| name).take(3).collect()
}

/// `did you mean `a` or `b`?`, if there is a name like it; otherwise what is said instead.
pub fn did_you_mean<'a>(
    written: &str,
    names: impl IntoIterator<Item = &'a str>,
    otherwise: impl Into<String>,
) -> String {
    let near: Vec<String> = nearest(written, names).into_iter().map(|n| format!("`{n}`")).collect();
    if near.is_empty() { otherwise.into() } else { format!("did you mean {}?", near.join(" or ")) }
}

/// Letters to put in, leave out, change or swap with their neighbour to make one word of the other.
fn slips(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let change = rows[i][j] + usize::from(x != y);
            let mut least = change.min(rows[i][j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i - 1] == *y && *x == b[j - 1] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 5] =
        ["kettle-brook", "kessel-crossroads", "the-walled-farm", "crossing-the-veld", "minden"];

    #[test]
    fn slips_are_counted() {
        for (a, b, n) in
            [("minden", "minden", 0), ("mniden", "minden", 1), ("miden", "minden", 1), ("", "abc", 3)]
        {
            assert_eq!(slips(a, b), n, "{a} {b}");
        }
    }

    #[test]
    fn the_name_that_was_meant() {
        assert_eq!(nearest("kettel-brook", NAMES), ["kettle-brook"]);
        assert_eq!(nearest("Kettle_Brook", NAMES), ["kettle-brook"]);
        assert_eq!(nearest("crossing", NAMES), ["crossing-the-veld"]);
        assert_eq!(nearest("farm", NAMES), ["the-walled-farm"]);
        assert!(nearest("waterloo", NAMES).is_empty());
        assert_eq!(did_you_mean("mindne", NAMES, "no"), "did you mean `minden`?");
        assert_eq!(did_you_mean("x", NAMES, "no"), "no");
    }
}
