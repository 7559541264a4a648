//! The help: commands grouped by what people want, and examples for each of them.

use std::error::Error;
use std::io::Write;
use std::num::{IntErrorKind, ParseFloatError, ParseIntError};

use clap::error::ContextKind;
use clap::{Arg, Command, CommandFactory};

use crate::failure::{Failure, Outcome};
use crate::{Cli, files, version};

/// What people want, and the commands that do it.
const GROUPS: [(&str, &[&str]); 7] = [
    ("Sit down and play", &["play", "watch", "serve"]),
    ("Let programs fight, and see it again", &["battle", "replay", "picture"]),
    ("Know the rules", &["rulesets", "rules", "odds", "sheet", "case"]),
    ("Prepare a battle", &["scenarios", "terrain", "armies", "army"]),
    ("Ask a thousand battles", &["lab"]),
    ("Keep a club's games", &["think", "backup", "restore", "check-games", "admin"]),
    ("Programs, shells and this machine", &["engine", "doctor", "completions", "man", "help"]),
];

/// A command by its words (`lab run`), and its examples: a line to type and what it does.
type Examples = (&'static str, &'static [(&'static str, &'static str)]);

/// Every example is run by `tests/help.rs`, in this order in one folder, so that one may use what another wrote. Those
/// that serve, and those that take minutes whatever is asked of them, are not.
const EXAMPLES: [Examples; 47] = [
    (
        "play",
        &[
            ("tricorne", "the table in your browser; so does `tricorne play`"),
            ("tricorne play crossing-the-veld", "straight to a battle"),
            ("tricorne play --no-open --port 8123", "serve it and open nothing"),
        ],
    ),
    (
        "watch",
        &[
            ("tricorne watch crossing-the-veld", "Enter lets a program decide, h tells what else you can do"),
            (
                "tricorne watch the-high-road --seats 0",
                "you decide for the first seat, programs for the others",
            ),
        ],
    ),
    (
        "serve",
        &[
            (
                "tricorne serve --listen 0.0.0.0:8080 --database sqlite:club.db",
                "a club's table, games kept in one file",
            ),
            ("tricorne serve --https --behind-proxy", "behind a proxy that speaks HTTPS"),
        ],
    ),
    (
        "think",
        &[(
            "tricorne think --database sqlite:club.db --places 2",
            "beside a server on the same file; with postgres://… from any machine",
        )],
    ),
    (
        "battle",
        &[
            (
                "tricorne battle crossing-the-veld --players subaltern",
                "two programs fight; every die is told with its clause",
            ),
            (
                "tricorne battle crossing-the-veld --seed 7 --journal a.jsonl",
                "the same battle every time, and written down",
            ),
            (
                "tricorne battle kettle-brook --option army_break_percent=30 --log none",
                "with a house rule, and only the result",
            ),
            (
                "tricorne scenarios --show the-bordj | tricorne battle - --log none",
                "a scenario from standard input",
            ),
            (
                "tricorne battle crossing-the-veld --players general:20it,subaltern --explain --log none",
                "what the programs weighed",
            ),
        ],
    ),
    (
        "replay",
        &[
            ("tricorne replay a.jsonl", "played again; every state must be what it was"),
            ("tricorne replay a.jsonl --log story --at 12", "told, as far as the twelfth action"),
        ],
    ),
    (
        "picture",
        &[
            ("tricorne picture crossing-the-veld -o table.svg", "the table before the battle"),
            ("tricorne picture a.jsonl --at 12 -o moment.png", "a moment of a battle"),
            ("tricorne picture a.jsonl -o battle.gif", "a whole battle, moving"),
            (
                "tricorne picture rulebooks/von-futsch/cases/ex-18-a-wheel.toml -o wheel.svg",
                "a rule case, and what its first action would come to",
            ),
            ("tricorne picture kettle-brook --dark -o - > night.svg", "to standard output"),
        ],
    ),
    ("rulesets", &[("tricorne rulesets", "the four rulebooks")]),
    (
        "rules",
        &[
            ("tricorne rules would-be-kings WBK-FIRE-06", "one clause; WBK-FIRE shows all of a chapter"),
            (
                "tricorne rules seven-years-war --search square",
                "every clause and option that speaks of squares",
            ),
            ("tricorne rules --search pursuit cavalry", "in all rulebooks, those that have both words"),
            ("tricorne rules von-futsch --options", "the house rules to choose"),
        ],
    ),
    (
        "odds",
        &[(
            "tricorne odds rulebooks/would-be-kings/cases/ex-01-free-fire.toml --do '{\"activate\":\"A\"}' --do '{\"declare\":{\"action\":\"fire\",\"target\":\"B\"}}'",
            "what a volley may come to, exactly",
        )],
    ),
    (
        "sheet",
        &[
            ("tricorne sheet seven-years-war -o charts.pdf", "the charts on one leaf"),
            (
                "tricorne sheet all-the-kings-men --option turn_limit=8 --paper letter -o charts.html",
                "as you play them",
            ),
        ],
    ),
    (
        "case",
        &[
            ("tricorne case rulebooks/would-be-kings/cases", "every case of a rulebook"),
            ("tricorne case rulebooks/would-be-kings/cases/ex-01-free-fire.toml --story", "one case, told"),
        ],
    ),
    (
        "scenarios",
        &[
            ("tricorne scenarios", "what can be fought"),
            ("tricorne scenarios --show crossing-the-veld > mine.toml", "a file to start your own from"),
            (
                "tricorne scenarios --ruleset von-futsch --schema > scenario.schema.json",
                "what your editor needs to help you",
            ),
            (
                "tricorne scenarios --show kettle-brook | tricorne scenarios --upgrade -",
                "a file in the words of today, were it of format 1; comments kept",
            ),
        ],
    ),
    (
        "terrain",
        &[
            (
                "tricorne terrain --ruleset seven-years-war --seed 3",
                "ground diced for, as a scenario file has it",
            ),
            ("tricorne terrain --ruleset seven-years-war --seed 3 -o ground.svg", "and drawn"),
        ],
    ),
    (
        "armies",
        &[
            ("tricorne armies --ruleset von-futsch", "the lists"),
            ("tricorne armies --json", "all of them, with everything in them"),
        ],
    ),
    (
        "army",
        &[
            ("tricorne army new --ruleset von-futsch --seed 3 -o mine-army.toml", "an army by chance"),
            (
                "tricorne army check mine-army.toml",
                "changed in an editor: what it costs now, and whether it is legal",
            ),
            (
                "tricorne army pitch mine-army.toml mine-army.toml -o at-home.toml",
                "a scenario: it against its like",
            ),
            ("tricorne battle at-home.toml --players subaltern --log none", "and who wins"),
        ],
    ),
    (
        "army new",
        &[
            ("tricorne army new --ruleset von-futsch --seed 3 -o red.toml", "a legal army by chance"),
            ("tricorne army new --ruleset von-futsch --seed 4 -o black.toml", "and another"),
        ],
    ),
    ("army check", &[("tricorne army check red.toml", "what it costs, and whether it is legal")]),
    (
        "army print",
        &[
            ("tricorne army print red.toml -o roster.pdf", "a roster"),
            ("tricorne army print red.toml --counters -o counters.html", "counters to cut out, true to size"),
        ],
    ),
    (
        "army pitch",
        &[(
            "tricorne army pitch red.toml black.toml --terrain 5 -o pitched.toml",
            "a scenario of the two on random ground",
        )],
    ),
    (
        "lab",
        &[
            ("tricorne lab run crossing-the-veld --battles 400", "who wins, and what decides it"),
            (
                "tricorne lab sweep kettle-brook --vary turn_limit=8,10,12 --battles 100",
                "what one number does to that, on the same seeds",
            ),
            (
                "tricorne lab ladder crossing-the-veld --players recruit,subaltern --battles 100",
                "how much better one plays than the other",
            ),
        ],
    ),
    (
        "lab run",
        &[
            (
                "tricorne lab run crossing-the-veld --players subaltern,random --battles 400",
                "who wins, how, and at what cost",
            ),
            (
                "tricorne lab run crossing-the-veld --battles 400 --rows veld.csv --plot veld.svg",
                "a row for each battle, and a plate",
            ),
            ("tricorne lab run crossing-the-veld --battles 800 --rows veld.csv --resume", "go on with it"),
            ("tricorne lab run crossing-the-veld --battles 20 --json", "summary and rows for programs"),
        ],
    ),
    (
        "lab sweep",
        &[
            ("tricorne lab sweep kettle-brook --vary army_break_percent=30,40,50", "what an option does"),
            (
                "tricorne lab sweep crossing-the-veld --vary scenario:turns=6,8,10",
                "what a number of the scenario does",
            ),
            (
                "tricorne lab sweep crossing-the-veld --vary profiles.toml:RI.firing=4,5,6",
                "what a number of the rulebook does",
            ),
        ],
    ),
    (
        "lab compare",
        &[(
            "tricorne lab compare crossing-the-veld mine.toml --battles 200",
            "your copy beside the original, battle by battle",
        )],
    ),
    (
        "lab ladder",
        &[(
            "tricorne lab ladder crossing-the-veld --players random,subaltern,general:100ms --battles 100",
            "who plays best",
        )],
    ),
    (
        "lab balance",
        &[("tricorne lab balance crossing-the-veld kettle-brook --battles 400", "whom a scenario favours")],
    ),
    (
        "lab conduct",
        &[(
            "tricorne lab conduct crossing-the-veld --players subaltern,random --battles 40",
            "what programs do, not only who wins",
        )],
    ),
    (
        "lab regret",
        &[(
            "tricorne lab regret crossing-the-veld --battles 2 --decisions 3 --tries 4 --turns 1",
            "which answers cost it most",
        )],
    ),
    (
        "lab learn",
        &[(
            "tricorne lab learn would-be-kings --battles 400 -o weights.toml",
            "what a position is worth, learnt from battles",
        )],
    ),
    (
        "lab calibrate",
        &[(
            "tricorne lab calibrate would-be-kings --battles 200 --plot calibration.svg",
            "how often what programs expect comes true",
        )],
    ),
    (
        "lab tune",
        &[
            (
                "tricorne lab tune would-be-kings --state tuning.json -o weights.toml",
                "weights that win more battles; a stopped run goes on",
            ),
            (
                "tricorne lab tune all-the-kings-men --answers 400 --steps 3 --state answers.json -o weights.toml",
                "the same by what came of answers",
            ),
        ],
    ),
    ("lab bench", &[("tricorne lab bench --ruleset would-be-kings --seconds 3", "how fast it plays here")]),
    (
        "lab load",
        &[("tricorne lab load --games 200 --rate 2500 --seconds 10", "what a server on this machine bears")],
    ),
    (
        "backup",
        &[("tricorne backup --database sqlite:club.db -o club-copy.db", "a copy, while the server serves")],
    ),
    (
        "check-games",
        &[("tricorne check-games --database sqlite:club.db", "before an upgrade, with the new release")],
    ),
    ("restore", &[("tricorne restore club-copy.db --database sqlite:new.db", "into an empty database")]),
    (
        "admin",
        &[
            ("tricorne admin --database sqlite:club.db ban anna", "a person is logged out and can't log in"),
            ("tricorne admin --database sqlite:club.db unban anna", "and may come again"),
        ],
    ),
    (
        "admin close",
        &[(
            "tricorne admin --database sqlite:club.db close k7m2",
            "the table at /game/k7m2: nothing more is played at it",
        )],
    ),
    ("admin ban", &[("tricorne admin --database sqlite:club.db ban anna", "logged out, and can't log in")]),
    ("admin unban", &[("tricorne admin --database sqlite:club.db unban anna", "may log in again")]),
    (
        "admin reset-password",
        &[("tricorne admin --database sqlite:club.db reset-password anna", "a new password, printed once")],
    ),
    (
        "admin season",
        &[(
            "tricorne admin --database sqlite:club.db season \"Autumn 2026\" --ruleset would-be-kings --from 2026-09-01 --to 2026-12-20",
            "its battles and club evenings are looked at together",
        )],
    ),
    (
        "admin drop-season",
        &[(
            "tricorne admin --database sqlite:club.db drop-season autumn-2026",
            "the time is forgotten, its evenings stay",
        )],
    ),
    (
        "admin export",
        &[(
            "tricorne admin --database sqlite:club.db export anna -o anna.json",
            "all that is kept about a person",
        )],
    ),
    (
        "admin delete",
        &[(
            "tricorne admin --database sqlite:club.db delete anna",
            "name, password and words; battles stay, with nobody's name",
        )],
    ),
    (
        "engine",
        &[(
            "echo '{\"cmd\":\"rulesets\"}' | tricorne engine",
            "one request, one answer; docs/engine.md has them all",
        )],
    ),
    (
        "doctor",
        &[("tricorne doctor", "the page, the browser, where games are kept and whether the file is sound")],
    ),
];

/// The shells' own folders differ; these are the usual ones.
const COMPLETIONS: &str = "Examples:
  tricorne completions bash > ~/.local/share/bash-completion/completions/tricorne
  tricorne completions zsh > ~/.zfunc/_tricorne
  tricorne completions fish > ~/.config/fish/completions/tricorne.fish
";

const MAN: &str = "Examples:
  tricorne man -o man1
      a page for each command
  man -l man1/tricorne-battle.1
";

/// The whole command line, with its help.
pub fn command() -> Command {
    let mut command = Cli::command().version(version::short()).long_version(version::long());
    let template = template(&command);
    command = command.help_template(template);
    for (path, examples) in EXAMPLES {
        let words: Vec<&str> = path.split(' ').collect();
        // Clap would make a command that is not there.
        if words.iter().try_fold(&command, |c, word| c.find_subcommand(word)).is_none() {
            continue;
        }
        command = at(command, &words, &|c| c.after_help(told(examples)));
    }
    with_numbers(command)
        .mut_subcommand("completions", |c| c.after_help(COMPLETIONS))
        .mut_subcommand("man", |c| c.after_help(MAN))
}

/// Numbers below zero are taken for what they are, so that whoever reads them can say what is wrong with them.
fn with_numbers(command: Command) -> Command {
    /// Options whose values begin with a number and go on with letters: `-5s`.
    const MEASURES: [&str; 3] = ["clock", "bot_clock", "table"];
    let number = |arg: Arg| {
        let named = !arg.is_positional() && arg.get_action().takes_values();
        let measure = MEASURES.contains(&arg.get_id().as_str());
        if named { arg.allow_negative_numbers(!measure).allow_hyphen_values(measure) } else { arg }
    };
    command.mut_args(number).mut_subcommands(with_numbers)
}

/// What is answered where the command line asks for help, or can't be understood.
pub fn answer(e: &clap::Error) -> Outcome {
    if !e.use_stderr() {
        return e.print().and_then(|()| std::io::stdout().flush()).map_err(files::unsaid);
    }
    let what = |kind| e.get(kind).map(ToString::to_string).unwrap_or_default();
    let cause = e.source();
    let whole = cause.and_then(|why| why.downcast_ref::<ParseIntError>());
    let why = match whole.map(ParseIntError::kind) {
        Some(IntErrorKind::PosOverflow) => "is too large a number",
        Some(_) => "is no whole number from 0 up",
        None if cause.is_some_and(<dyn std::error::Error + 'static>::is::<ParseFloatError>) => "is no number",
        None => {
            let _ = e.print();
            return Err(Failure::Usage);
        }
    };
    let (arg, value) = (what(ContextKind::InvalidArg), what(ContextKind::InvalidValue));
    Err(Failure::wrong(format!("{arg}: `{value}` {why}")))
}

/// Does something to a command that is named by its words.
fn at(command: Command, words: &[&str], change: &dyn Fn(Command) -> Command) -> Command {
    match words.split_first() {
        None => change(command),
        Some((first, rest)) => command.mut_subcommand(*first, |inner| at(inner, rest, change)),
    }
}

fn told(examples: &[(&str, &str)]) -> String {
    let lines = examples.iter().map(|(line, about)| format!("  {line}\n      {about}\n"));
    format!("Examples:\n{}", lines.collect::<String>())
}

/// Clap lists commands in one heap; this lists them by what they are for.
fn template(command: &Command) -> String {
    let mut text = String::from("{about}\n\n{usage-heading} {usage}\n");
    for (heading, names) in GROUPS {
        let lines: Vec<String> = names
            .iter()
            .filter_map(|name| {
                let about = match command.find_subcommand(name).and_then(Command::get_about) {
                    Some(about) => about.to_string(),
                    // Clap adds this one when the help is asked for.
                    None if *name == "help" => "This help, or that of a command".to_owned(),
                    None => return None,
                };
                Some(format!("  {name:<12} {about}\n"))
            })
            .collect();
        if !lines.is_empty() {
            text += &format!("\n{heading}\n{}", lines.concat());
        }
    }
    text + "\n{options}\n\nWithout a command: `tricorne play`. `tricorne help COMMAND` has examples; docs/ is a small book.\n\
            Listings and results take --json. `-` stands for standard input or output wherever a file is named.\n\
            Exit codes: 0 done, 1 the answer is no, 2 wrong usage or a bad file.\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command that does something, by its words.
    fn leaves(command: &Command, path: &str, all: &mut Vec<String>) {
        for inner in command.get_subcommands().filter(|c| c.get_name() != "help") {
            let path = format!("{path} {}", inner.get_name()).trim().to_owned();
            all.push(path.clone());
            leaves(inner, &path, all);
        }
    }

    #[test]
    fn every_command_is_in_one_group_and_has_examples() {
        let command = command();
        command.clone().debug_assert();
        let grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for inner in command.get_subcommands() {
            let name = inner.get_name();
            assert_eq!(grouped.iter().filter(|g| **g == name).count(), 1, "{name}");
        }
        let mut all = Vec::new();
        leaves(&command, "", &mut all);
        assert!(all.len() > 25, "{all:?}");
        for path in &all {
            let found = path.split(' ').try_fold(&command, |c, word| c.find_subcommand(word)).unwrap();
            let help = found.get_after_help().map(ToString::to_string).unwrap_or_default();
            assert!(help.starts_with("Examples:\n  "), "`{path}` has no examples");
        }
    }
}
