//! The words of a sentence: articles, capitals, numbers, bearings, and what goes when clauses and faces are not told.

/// Whether a name brings its own article or owner along: `the Buffs`, `Lawton's rifles`.
pub(super) fn is_definite(name: &str) -> bool {
    let first = name.split(' ').next().unwrap_or_default();
    first.eq_ignore_ascii_case("the") || ["'s", "’s", "s'", "s’"].iter().any(|owner| first.ends_with(owner))
}

/// Whether what follows `text` begins a sentence: the article of a name is large there, and only there.
pub(super) fn begins_sentence(text: &str) -> bool {
    let before = text.trim_end();
    before.is_empty() || before.ends_with(['.', '!', '?'])
}

/// Takes back the article that a sentence has put before such a name.
pub(super) fn drop_article(text: &mut String) {
    for article in ["the ", "The "] {
        if text.strip_suffix(article).is_some_and(|before| before.is_empty() || before.ends_with(' ')) {
            text.truncate(text.len() - article.len());
        }
    }
}

/// Where a sentence goes on without the faces of its dice, which are shown beside it: up to where it is kept, and what
/// follows. `(dice 3 4)` goes with its brackets, `: 3 4, one hit` keeps the hits, `: 3 4.` goes with its colon.
pub(super) fn faceless<'t>(before: &str, after: &'t str) -> Option<(usize, &'t str)> {
    let opened = [" (", " (die ", " (dice "].iter().find_map(|opened| before.strip_suffix(opened));
    if let (Some(kept), Some(rest)) = (opened, after.strip_prefix(')')) {
        return Some((kept.len(), rest));
    }
    let kept = before.strip_suffix(": ")?;
    let result = after.strip_prefix("; ").or_else(|| after.strip_prefix(", "));
    result.map(|rest| (before.len(), rest)).or_else(|| after.starts_with('.').then_some((kept.len(), after)))
}

/// A text without the clauses that stand in it in brackets.
pub(super) fn unclaused(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(" [") {
        out.push_str(before);
        match after.split_once(']') {
            Some((inside, after)) if inside.split(", ").all(is_clause) => rest = after,
            _ => {
                out.push_str(" [");
                rest = after;
            }
        }
    }
    out + rest
}

/// Whether it is the name of a clause: `WBK-FIRE-06`.
fn is_clause(text: &str) -> bool {
    let mut parts = text.split('-');
    let large = |part: Option<&str>| {
        part.is_some_and(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit()))
    };
    large(parts.next())
        && large(parts.next())
        && parts.next().is_some_and(|n| n.parse::<u32>().is_ok())
        && parts.next().is_none()
}

/// `no men`, `one man`, `five men`, `14 men`.
pub(super) fn counted(n: f64, one: &str, many: &str) -> String {
    let shown = number(n);
    let how_many = shown.parse().map_or(shown.clone(), in_words);
    format!("{how_many} {}", if shown == "1" { one } else { many })
}

/// A number of things as a sentence has it: in letters up to twelve, `no` for none.
pub fn in_words(n: usize) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(n).map_or_else(|| n.to_string(), |&word| word.to_owned())
}

/// A side in the middle of a sentence. A people or a union has an article, a country or a colour none: the French, the
/// Coalition, Prussia, Red.
pub fn side_in_words(name: &str) -> String {
    if let Some(rest) = name.strip_prefix("The ") {
        return format!("the {rest}");
    }
    let has_one = ["s", "sh", "ch", "ion", "acy", "Crown", "Empire", "League"];
    if !name.starts_with("the ") && has_one.iter().any(|ending| name.ends_with(ending)) {
        return format!("the {name}");
    }
    name.to_owned()
}

/// A sentence begins with a capital letter, unless with a name that has its own further in (`uThulwana`).
pub fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(_) if letters.clone().next().is_some_and(char::is_uppercase) => text.to_owned(),
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => String::new(),
    }
}

/// The nearest of the eight points of the compass.
pub fn compass(degrees: f64) -> &'static str {
    const POINTS: [&str; 8] =
        ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
    POINTS[((degrees / 45.0).round() as i64).rem_euclid(8) as usize]
}

/// A measure as people say it: to a tenth, and what is not nothing never as nothing.
pub(super) fn number(n: f64) -> String {
    let n = if n != 0.0 && n.abs() < 0.05 { 0.1_f64.copysign(n) } else { n };
    let text = format!("{n:.1}").replace('-', "−");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peoples_and_unions_have_articles() {
        let sides = ["French", "Coalition", "Confederacy", "Imperials", "The Legion", "Prussia", "Red"];
        let told = sides.map(side_in_words);
        let (first, last) = told.split_at(5);
        assert_eq!(first, ["the French", "the Coalition", "the Confederacy", "the Imperials", "the Legion"]);
        assert_eq!(last, ["Prussia", "Red"]);
    }

    #[test]
    fn measures_are_told_to_a_tenth() {
        let said = [4.798, 12.0, 100.0, 0.04, 0.0, 2.25].map(number);
        assert_eq!(said, ["4.8", "12", "100", "0.1", "0", "2.2"]);
    }
}
