//! A proof-reader: stories are read as a person would, against a list of faults.

use std::collections::BTreeSet;
use std::ops::Range;

use tricorne_chance::Whim;
use tricorne_game::{AnySystem, Choices, Source, Story, Umpire};

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

/// Fights every scenario once for each seed, at random, reads what was told, and panics with the faults found and an
/// example of each.
pub fn stories_read_well(system: &'static dyn AnySystem, seeds: Range<u64>) {
    let mut found: BTreeSet<(String, String)> = BTreeSet::new();
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    for scenario in system.scenarios() {
        for seed in seeds.clone() {
            let source = Source::new(scenario.id, scenario.text);
            let mut umpire = Umpire::begin(system, &source, &Choices::default(), seed.into())
                .unwrap_or_else(|f| panic!("{f}"));
            let mut whim = Whim::new(seed, 4);
            let mut read = |umpire: &Umpire| {
                let view = umpire.battle().view(None);
                let codes: BTreeSet<String> =
                    view.units.iter().filter(|u| !u.name.is_empty()).map(|u| u.id.to_string()).collect();
                let names: BTreeSet<String> = view
                    .units
                    .iter()
                    .filter(|u| !u.kind.contains("eneral") && !u.kind.contains("ommander"))
                    .map(|u| u.name.clone())
                    .collect();
                let story = Story::new(system.stories(), &view);
                let events = umpire.turned().last().map_or(umpire.prologue(), |t| &t.events);
                for line in events.iter().filter_map(|event| story.tell(event)) {
                    for fault in faults(&line, &codes).into_iter().chain(disagreement(&line, &names)) {
                        if kinds.insert(fault.clone()) {
                            found.insert((fault, format!("{} {seed}: {line}", scenario.id)));
                        }
                    }
                }
            };
            read(&umpire);
            while let Some(seat) = umpire.battle().seat() {
                let action = umpire.battle().sample(&mut whim);
                umpire.act(seat, &action).unwrap_or_else(|e| panic!("{} {action}: {e}", scenario.id));
                read(&umpire);
            }
        }
    }
    let list: Vec<String> = found.into_iter().map(|(fault, line)| format!("{fault}\n    {line}")).collect();
    assert!(
        list.is_empty(),
        "{} faults in the stories of {}:\n{}",
        list.len(),
        system.about().id,
        list.join("\n")
    );
}

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
    for pair in words.windows(2) {
        if matches!(pair[0], "1" | "one" | "One" | "a" | "an") && PLURALS.contains(&pair[1]) {
            faults.push(format!("one of many: `{} {}`", pair[0], pair[1]));
        }
    }
    for nothing in [
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
        let at = text.find(nothing);
        let more = |i: usize| {
            text[i + nothing.len()..].starts_with(['.', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
        };
        if at.is_some_and(|i| !more(i)) {
            faults.push(format!("what did not happen: `{nothing}`"));
        }
    }
    faults
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
fn disagreement(text: &str, names: &BTreeSet<String>) -> Option<String> {
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
        assert!(read("— The Imperial turn. [WBK-TURN-01]").is_empty());
        assert!(read("They move 0.5 inches.").is_empty());
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
        ] {
            assert!(!read(line).is_empty(), "nothing found in: {line}");
        }
    }
}
