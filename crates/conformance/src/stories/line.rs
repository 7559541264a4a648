//! What a reader stumbles over in one line.

use std::collections::BTreeSet;

use tricorne_game::{Event, total};

/// Words for things of which there can be one, in the plural: `1 men` and `one men` are faults.
const PLURALS: [&str; 22] = [
    "men",
    "hits",
    "dice",
    "points",
    "inches",
    "figures",
    "stands",
    "units",
    "casualties",
    "cards",
    "turns",
    "ranks",
    "models",
    "losses",
    "kills",
    "successes",
    "groups",
    "brigades",
    "privates",
    "centimetres",
    "times",
    "markers",
];

/// What befalls troops or is done with a card, and is not told without its reason.
const WANT_A_REASON: [&str; 15] = [
    "halted",
    "to Stand",
    "came to a stand",
    "let it pass",
    "let the chance go",
    "had no effect",
    "could not get away",
    "set aside",
    "tested morale",
    "held steady",
    "went down Pinned",
    "Close Order was lost",
    "surrendered",
    "no room to fall back",
    "at a cost of",
];

/// Words that a reason begins with.
const REASONS: [&str; 13] = [
    " because ",
    " since ",
    " for ",
    " as ",
    " after ",
    " before ",
    " when ",
    " where ",
    " rather than ",
    " over ",
    " at the sight of ",
    " to rally",
    " chose ",
];

/// Offices that are not said without their article unless a sentence begins with them.
const OFFICES: [&str; 3] = ["colonel of ", "commander of ", "general of "];

/// Words of the rules where the reader wants to know what he would see.
const RULES_WORDS: [&str; 4] = ["was vulnerable", "a difficult target", " d3 ", "Nothing fitted"];

/// What nobody would say.
const UNHEARD: [(&str, &str); 5] = [
    (" on 6+", "there is nothing above a six"),
    (" 1 of a die", "a whole die is no share of one"),
    ("general of ", "a general has a name"),
    ("What befell", "it has a name, what befell them"),
    ("no men", "who did not fall is nobody"),
];

/// Sentences that end a battle: all of it is over.
const ENDINGS: [&str; 6] = [
    "The day went to",
    "Nobody won:",
    "The battle was",
    "A decisive victory",
    "Victory for",
    "A narrow victory",
];

/// What a reason counts, in the plural: `+1 melees won` is one melee.
const COUNTED: [&str; 5] = ["melees", "stands", "extra stands", "Pinned markers", "casualties"];

/// What a reader would stumble over in a line.
pub fn faults(line: &str, codes: &BTreeSet<String>) -> Vec<String> {
    let mut faults = Vec::new();
    let text = without_clauses(line);
    if text.contains(['{', '}']) {
        faults.push("a placeholder that nothing filled".into());
    }
    let first = text.chars().next().unwrap_or(' ');
    if !(first.is_uppercase() || first.is_numeric() || "—=".contains(first)) {
        faults.push("a sentence that does not begin like one".into());
    }
    if !text.ends_with(['.', '!', '?', ')', '=']) && !text.starts_with(['—', '=']) {
        faults.push("a sentence that does not end".into());
    }
    for (wrong, fault) in [
        ("  ", "two spaces"),
        (" .", "a space before a full stop"),
        (" ,", "a space before a comma"),
        ("..", "two full stops"),
        (",,", "two commas"),
        ("()", "empty brackets"),
        ("[", "bare coordinates or a list"),
        (" degrees", "an angle nobody measures at the table"),
        ("null", "a raw value"),
        ("the the ", "a word twice"),
        (" a a ", "a word twice"),
        ("The the ", "a word twice"),
    ] {
        if text.contains(wrong) {
            faults.push(format!("{fault}: `{wrong}`"));
        }
    }
    if text.split('(').skip(1).any(is_coordinates) {
        faults.push("bare coordinates".into());
    }
    let after_stop = |i: usize| text[i + 2..].chars().next().is_some_and(char::is_lowercase);
    if text.match_indices(". ").any(|(i, _)| after_stop(i) && !name_begins(&text[i + 2..])) {
        faults.push("a sentence that begins small".into());
    }
    let words: Vec<&str> = text
        .split(|c: char| c.is_whitespace() || "()“”\"".contains(c))
        .map(|w| w.trim_matches([',', '.', ';', ':']))
        .collect();
    for word in &words {
        if word.contains('_') {
            faults.push(format!("a name from the code: `{word}`"));
        }
        if codes.contains(*word) {
            faults.push(format!("a unit's code instead of its name: `{word}`"));
        }
        if word.split_once('.').is_some_and(|(_, after)| after.len() > 2 && after.parse::<u32>().is_ok()) {
            faults.push("a number with too many places".into());
        }
    }
    let hyphen = |w: &&str| w.strip_prefix('-').is_some_and(|rest| rest.parse::<f64>().is_ok());
    if words.iter().any(hyphen) {
        faults.push("a hyphen for a minus".into());
    }
    for office in OFFICES {
        let bare = |i: usize| !["", "the ", "The ", "his ", "their "].iter().any(|a| ends_so(&text[..i], a));
        if text.match_indices(office).any(|(i, _)| bare(i)) {
            faults.push(format!("an office without its article: `{}`", office.trim_end()));
        }
    }
    for (heard, fault) in UNHEARD {
        if text.contains(heard) {
            faults.push(format!("{fault}: `{}`", heard.trim()));
        }
    }
    if let Some((_, again)) = text.split_once(" rolled again: ") {
        let dice = again.split([';', ',', '.']).next().unwrap_or_default().split(' ').count();
        if text.contains("misses were") != (dice > 1) {
            faults.push("as many misses as were rolled again".into());
        }
    }
    if let Some(word) = RULES_WORDS.iter().find(|word| text.contains(**word)) {
        faults.push(format!("a word of the rules for a reason: `{word}`"));
    }
    if ENDINGS.iter().any(|begins| text.starts_with(begins))
        && [" is ", " are ", " has ", " goes ", " holds ", " concedes"].iter().any(|verb| text.contains(verb))
    {
        faults.push("an ending that is not over".into());
    }
    for pair in words.windows(2) {
        if matches!(pair[0], "1" | "one" | "One" | "a" | "an") && PLURALS.contains(&pair[1]) {
            faults.push(format!("one of many: `{} {}`", pair[0], pair[1]));
        }
    }
    for (i, _) in text.match_indices(['+', '−']) {
        let reason = text[i..].trim_start_matches(['+', '−']);
        let (number, reason) = reason.split_once(' ').unwrap_or(("", ""));
        if number == "1" && COUNTED.iter().any(|many| reason.starts_with(many)) {
            faults.push(format!("one of many: `1 {}`", reason.split([',', ':']).next().unwrap_or_default()));
        }
        // Whose it is depends on whether the name is of one or of many, and a reason does not know.
        if number.parse::<u32>().is_ok() && ["its ", "their "].iter().any(|whose| reason.starts_with(whose)) {
            faults.push("a reason that guesses at number".into());
        }
    }
    if text.match_indices(" The ").any(|(i, _)| !text[..i].ends_with(['.', '!', '?', '—'])) {
        faults.push("a capital article in mid-sentence".into());
    }
    if let Some(what) = WANT_A_REASON.iter().find(|what| text.contains(**what))
        && !REASONS.iter().any(|because| text.contains(because))
    {
        faults.push(format!("told without its reason: `{what}`"));
    }
    for nothing in [
        " no inches",
        " no inch",
        " 0 inches",
        " 0 cm",
        "moved 0",
        "marched 0",
        "rode 0",
        "moves 0",
        "over 0",
        " 0 dice",
        "no dice",
        "lost no ",
        "lost 0",
        "by 0 ",
    ] {
        let digit = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        let goes_on = |rest: &str| digit(rest) || rest.strip_prefix('.').is_some_and(digit);
        if text.match_indices(nothing).any(|(i, _)| !goes_on(&text[i + nothing.len()..])) {
            faults.push(format!("what did not happen: `{nothing}`"));
        }
    }
    faults
}

/// A die that came out against what it reached, with no word why.
pub(super) fn against_measure(event: &Event, line: &str) -> Option<String> {
    let number = |key: &str| event.data.get(key).and_then(serde_json::Value::as_f64);
    // What a cautious man counts twice, he measures once.
    let (reach, distance) = (number("reach")?, number("counted").or_else(|| number("distance"))?);
    let wanted = if reach >= distance { "success" } else { "failure" };
    let came = event.outcome.as_deref()?;
    // Rulebooks allow a hair beyond what is reached, up to a hundredth.
    let by_a_hair = (0.0..0.011).contains(&(distance - reach)) && came == "success";
    let explained = REASONS.iter().any(|because| line.contains(because));
    (came != wanted && !by_a_hair && !explained)
        .then(|| "a die against its own measure, without a reason".into())
}

/// Half of a die that is not what it came to, with no word why.
pub(super) fn against_half(event: &Event, line: &str) -> Option<String> {
    let (&[die], made) = (event.faces.as_slice(), event.made?) else { return None };
    let told = line.contains("half of the die") && made != i32::from(die.div_ceil(2));
    (told && !line.contains(", but ") && !line.contains("left"))
        .then(|| "half of a die that is not half".into())
}

/// A side that has an article, or a regiment with a number, without one.
pub(super) fn without_article(text: &str, sides: &[String], units: &BTreeSet<String>) -> Option<String> {
    let sides = sides.iter().filter(|name| tricorne_game::side_in_words(name) != **name);
    let sides = sides.map(|name| (name, [",", ".", ":", ";"].as_slice()));
    let numbered = units.iter().filter(|name| name.starts_with(|c: char| c.is_ascii_digit()));
    let numbered = numbered.map(|name| (name, [" ", ",", ".", ":", ";"].as_slice()));
    sides.chain(numbered).find_map(|(name, after)| {
        let bare = |i: usize| {
            let before = &text[..i];
            let said = ["the ", "The ", ", ", " and "].iter().any(|word| before.ends_with(word));
            // A longer name that ends so brings its own.
            let whole = before.is_empty() || before.ends_with(' ');
            whole && !said && after.iter().any(|next| text[i + name.len()..].starts_with(next))
        };
        text.match_indices(name.as_str()).any(|(i, _)| bare(i)).then(|| format!("no article: `{name}`"))
    })
}

/// Dice told with reasons of which some come to their number and others are left over: those are no dice.
pub(super) fn against_count(event: &Event, line: &str) -> Option<String> {
    let dice = event.data.get("dice").and_then(serde_json::Value::as_i64);
    let dice = dice.unwrap_or(event.faces.len() as i64);
    let told = line.contains(" dice (") || line.contains(" die (");
    let enough = |n: usize| i64::from(total(&event.modifiers[..n])) == dice;
    let left_over = (1..event.modifiers.len()).any(enough) && !enough(event.modifiers.len());
    // Dice begin with some that there are.
    let taken_away = line.contains(" dice (−") || line.contains(" die (−");
    ((told && left_over) || taken_away).then(|| "reasons among the dice that are no dice".into())
}

/// Whether a text is nothing before a word, or ends with another before it.
fn ends_so(text: &str, before: &str) -> bool {
    if before.is_empty() { text.is_empty() } else { text.ends_with(before) }
}

/// Somebody on foot who rides.
pub(super) fn rides_on_foot(text: &str, foot: &BTreeSet<String>) -> Option<String> {
    foot.iter().find_map(|name| {
        let rest = text.strip_prefix(name.as_str())?.strip_prefix(' ')?;
        let rides = ["rode ", "drew rein", "spurred "].iter().find(|verb| rest.starts_with(**verb))?;
        Some(format!("on foot and yet: `{}`", rides.trim_end()))
    })
}

/// Whether `36, 11.4)` or the like follows a bracket: dice have no comma between them.
fn is_coordinates(text: &str) -> bool {
    let inside = text.split(')').next().unwrap_or_default();
    let numbers: Vec<&str> = inside.split(", ").collect();
    numbers.len() == 2 && numbers.iter().all(|n| n.parse::<f64>().is_ok())
}

/// Names of some peoples begin small and go on large: uThulwana, iNdlondlo.
fn name_begins(text: &str) -> bool {
    text.chars().nth(1).is_some_and(char::is_uppercase)
}

/// A verb of one after a name of many.
pub(super) fn disagreement(text: &str, names: &BTreeSet<String>) -> Option<String> {
    const OF_ONE: [&str; 12] = [
        "is", "was", "has", "goes", "moves", "fires", "tests", "loses", "takes", "falls", "stands", "charges",
    ];
    names.iter().filter(|name| name.ends_with('s') || name.ends_with("men")).find_map(|name| {
        let next = text.strip_prefix(name.as_str())?.strip_prefix(' ')?.split([' ', '.', ',', ':']).next()?;
        OF_ONE.contains(&next).then(|| format!("many that are one: `{name} {next}`"))
    })
}

/// The line without the clauses in square brackets, which are for those who want to look them up.
fn without_clauses(line: &str) -> String {
    let mut text = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('[') {
        match after.split_once(']') {
            Some((inside, tail)) if inside.split(", ").all(is_clause) => {
                text.push_str(before.trim_end());
                rest = tail;
            }
            _ => {
                text.push_str(before);
                text.push('[');
                rest = after;
            }
        }
    }
    text.push_str(rest);
    text
}

fn is_clause(word: &str) -> bool {
    let mut parts = word.split('-');
    let upper =
        |p: Option<&str>| p.is_some_and(|p| !p.is_empty() && p.chars().all(|c| c.is_ascii_uppercase()));
    upper(parts.next()) && upper(parts.next()) && parts.next().is_some_and(|n| n.parse::<u32>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<String> {
        faults(line, &BTreeSet::from(["R1".to_owned()]))
    }

    #[test]
    fn good_sentences_pass() {
        assert!(
            read("The Guards fire at the hussars: five dice, two hits. [WBK-FIRE-02, WBK-FIRE-05]")
                .is_empty()
        );
        assert!(read("The Imperial turn. [WBK-TURN-01]").is_empty());
        assert!(read("They move 0.5 inches.").is_empty());
        assert!(read("They move 10 cm. The Guards halted because the enemy was near.").is_empty());
    }

    #[test]
    fn who_is_on_foot_does_not_ride() {
        let foot = BTreeSet::from(["Croats".to_owned()]);
        assert!(rides_on_foot("Croats rode on after them.", &foot).is_some());
        assert!(rides_on_foot("Croats went on after them.", &foot).is_none());
    }

    #[test]
    fn a_die_against_its_measure_wants_a_reason() {
        let order = |outcome| Event::default().outcome(outcome).with("reach", 10).with("distance", 7.5);
        assert!(against_measure(&order("success"), "They obeyed.").is_none());
        assert!(against_measure(&order("failure"), "It was lost.").is_some());
        assert!(against_measure(&order("failure"), "It was lost, for a 1 always fails.").is_none());
        assert!(against_measure(&order("failure").with("counted", 15), "It was lost.").is_none());
    }

    #[test]
    fn reasons_come_to_the_dice() {
        let why = |value| tricorne_game::Modifier::new(value, "men", "TOY-01");
        let event = |values: &[i32]| {
            Event::default().with("dice", 4).modifiers(values.iter().map(|v| why(*v)).collect())
        };
        let line = "Four dice (+4 men [TOY-FIRE-01], +1 colour worse [TOY-FIRE-02]), hitting on 5+.";
        assert!(against_count(&event(&[3, 1]), line).is_none());
        assert!(against_count(&event(&[4, 1]), line).is_some());
        let volley = "Twelve dice (−1 volley [TOY-FIRE-02]), hitting on 4+.";
        assert!(against_count(&event(&[-1]), volley).is_some());
    }

    #[test]
    fn half_of_a_die_is_half_of_it() {
        let event = |made| Event::default().faces(&[5]).made(made);
        assert!(against_half(&event(3), "They got three men back (half of the die 5).").is_none());
        assert!(against_half(&event(1), "They got one man back (half of the die 5).").is_some());
        let why = "They got one man back (half of the die 5 came to 3, but no more were missing).";
        assert!(against_half(&event(1), why).is_none());
    }

    #[test]
    fn sides_and_numbered_regiments_have_articles() {
        let (sides, units) =
            (["Coalition".to_owned(), "Prussia".to_owned()], BTreeSet::from(["7th Foot".into()]));
        let read = |line: &str| without_article(line, &sides, &units);
        assert!(read("The Queen was turned, for Coalition.").is_some());
        assert!(read("The Queen was turned, for the Coalition.").is_none());
        assert!(read("The Queen was turned, for Prussia.").is_none());
        assert!(read("7th Foot moved.").is_some());
        assert!(read("The 7th Foot moved.").is_none());
    }

    #[test]
    fn each_fault_is_found() {
        for line in [
            "R1 fires.",
            "the Guards fire.",
            "The Guards fire",
            "The Guards lose 1 men.",
            "The Guards move to [3.5,4].",
            "The Guards after_melee.",
            "The Guards go 4.798 inches.",
            "The Guards go {distance}.",
            "The guard moves 0 inches.",
            "The guard rode to (36, 11.4).",
            "The guard turned to face 180 degrees.",
            "The guard fired: 2 5. one hit.",
            "The Guards  fire.",
            "The guard fell back no inches.",
            "The guard fell back 0 cm.",
            "It was aimed at The Guards.",
            "Called on: The Guards, green.",
            "The Guards halted.",
            "The Guards went from Advance to Stand.",
            "The Red side let it pass.",
            "The Guards held steady: 6+5 = 11 against 8.",
            "It cost the French a point of army morale: -1 left.",
            "The enemy was upon colonel of Picardie.",
            "Two hits, halved for a difficult target.",
            "The day went to the French: the line holds to the end.",
            "The Guards tested morale after the fight: 3+4 = 7, +1 melees won [TOY-01-01]: 8.",
            "The Buffs rallied: 3+4 = 7, −1 its Pinned marker [TOY-RALLY-03]: 6 against 6.",
            "The Guards moved five inches, at a cost of 8.",
            "The Guards surrendered.",
            "They fired: four dice, hitting on 4+: 5 4 6 1; the misses were rolled again: 4; four hits.",
            "They fired: four dice, hitting on 6+: 6 1 1 2, one hit.",
            "They fired: four dice (+4 for the privates, 4 with 1 of a die each), hitting on 4+: 5, one hit.",
            "There fell four men of the charged and no men of the chargers.",
            "Nobody acted, and the general of Union picked the unit.",
            "The card had no effect.",
        ] {
            assert!(!read(line).is_empty(), "nothing found in: {line}");
        }
    }
}
