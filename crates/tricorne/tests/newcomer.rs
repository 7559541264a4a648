//! The command line as a newcomer tried it: each test is something that went wrong for somebody who had never seen the
//! program before.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn tricorne(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("tricorne").expect("the binary is built");
    command.args(args);
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Stdout of a command that must succeed.
fn stdout(args: &[&str]) -> String {
    text(&tricorne(args).assert().success().get_output().stdout)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(args)).expect("JSON and nothing else")
}

/// Runs and wants this exit code and these words on stderr or stdout, which come back.
fn wrong(args: &[&str], code: i32, words: &[&str]) -> String {
    let assert = tricorne(args).assert().code(code);
    let said = text(&assert.get_output().stderr) + &text(&assert.get_output().stdout);
    for word in words {
        assert!(said.contains(word), "{args:?} should say `{word}`, said: {said}");
    }
    said
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path.display().to_string()
}

fn show(scenario: &str) -> String {
    stdout(&["scenarios", "--show", scenario])
}

/// The umpire's own facts of a battle just begun.
fn facts(scenario: &str, options: &Value) -> Value {
    let new = serde_json::json!({ "cmd": "new", "scenario": scenario, "options": options });
    let asked = format!("{new}\n{{\"cmd\":\"facts\"}}\n");
    let assert = tricorne(&["engine"]).write_stdin(asked).assert().success();
    let said = text(&assert.get_output().stdout);
    let last = said.lines().nth(1).unwrap_or_else(|| panic!("no facts: {said}"));
    serde_json::from_str::<Value>(last).expect("JSON")["ok"].clone()
}

#[test]
fn an_option_goes_over_the_scenario_file_or_is_refused() {
    // The file says 40 and 10 turns or so; both were played whatever was chosen.
    let usual = facts("kettle-brook", &serde_json::json!({}));
    assert_eq!(usual["break_percent"], 40);
    let chosen = facts("kettle-brook", &serde_json::json!({ "army_break_percent": "30", "turn_limit": "7" }));
    assert_eq!(chosen["break_percent"], 30);
    assert_eq!(chosen["turns"], 7);
    assert_ne!(usual["turns"], 7);
    // A value that is the option's own default must be heard too: Rossbach breaks at 30.
    assert_eq!(facts("rossbach", &serde_json::json!({}))["break_percent"], 30);
    assert_eq!(facts("rossbach", &serde_json::json!({ "army_break_percent": "40" }))["break_percent"], 40);
    // What the file leaves no room for is refused, with the line.
    let args = ["battle", "kettle-brook", "--option", "table_size=150x100"];
    wrong(&args, 2, &["kettle-brook:", "table", "table_size", "no say"]);
    let zoned = show("kessel-crossroads")
        .replace("id = \"red\"\n", "id = \"red\"\nzone = [{ rect = [0, 0, 72, 12] }]\n");
    let folder = tempfile::tempdir().expect("a folder");
    let zoned = file(folder.path(), "zoned.toml", &zoned);
    wrong(&["battle", &zoned, "--option", "deploy_depth=9"], 2, &["zoned.toml:", "deploy_depth"]);
    // Both in one file is a contradiction.
    let twice = show("kettle-brook") + "\n[options]\narmy_break_percent = 30\n";
    let twice = file(folder.path(), "twice.toml", &twice);
    wrong(&["battle", &twice], 2, &["twice.toml:", "break_percent", "keep one of them"]);
}

#[test]
fn a_battle_with_an_option_is_written_down_as_it_was_fought() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("a.jsonl").display().to_string();
    let args = ["battle", "kettle-brook", "--option", "turn_limit=6", "--log", "none", "--journal", &journal];
    stdout(&args);
    let written = std::fs::read_to_string(&journal).expect("a journal");
    assert!(!written.contains("\\nturns = "), "the key that was overridden must not come back in a replay");
    assert!(stdout(&["replay", &journal]).contains("verified"));
}

#[test]
fn a_sweep_in_which_no_battle_changed_says_so() {
    let sweep = |more: &[&str]| {
        let vary = ["lab", "sweep", "crossing-the-veld", "--vary", "scenario:unit.I1.leadership=4,9"];
        stdout(&[&vary[..], &["--players", "random", "--battles", "6"], more].concat())
    };
    let said = sweep(&[]);
    assert!(said.contains("No battle changed") && said.contains("--search leadership"), "{said}");
    let said = sweep(&["--option", "leadership_source=fixed"]);
    assert!(!said.contains("No battle changed"), "{said}");
    let values: Value = serde_json::from_str(&sweep(&["--json"])).expect("JSON");
    assert_eq!(values["values"][1]["changed"], 0);
}

#[test]
fn units_that_marched_off_are_not_gone_and_rows_have_the_order_of_the_file() {
    let file = show("crossing-the-veld");
    let in_file: Vec<&str> = file
        .split("[[unit]]")
        .skip(1)
        .filter_map(|unit| unit.split("id = \"").nth(1)?.split('"').next())
        .collect();
    assert!(in_file.len() > 6, "{in_file:?}");
    let run =
        json(&["lab", "run", "crossing-the-veld", "--players", "subaltern", "--battles", "8", "--json"]);
    let rows = run["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 8);
    let mut off = 0;
    for row in rows {
        let units = row["units"].as_array().expect("units");
        let ids: Vec<&str> = units.iter().filter_map(|u| u["unit"].as_str()).collect();
        assert_eq!(ids, in_file, "in the order of the file");
        assert!(row["seed"].is_string() || row["seed"].is_number());
        off += units.iter().filter(|u| u["marched_off"] == true).count();
        assert!(units.iter().all(|u| u["on_table"] == false || u["marched_off"] == false));
    }
    assert!(off > 0, "both sides want to cross the table, and subalterns do");
    let losses = run["summary"]["losses"].as_array().expect("losses");
    let share = |u: &Value, what: &str| u[what]["share"].as_f64().expect("a share");
    for unit in losses {
        let id = unit["unit"].as_str().expect("an id");
        let fates = |f: &dyn Fn(&Value) -> bool| {
            let all = rows.iter().flat_map(|r| r["units"].as_array().expect("units"));
            all.filter(|u| u["unit"] == id && f(u)).count() as f64 / 8.0
        };
        assert_eq!(share(unit, "gone"), fates(&|u| u["on_table"] == false && u["marched_off"] == false));
        assert_eq!(share(unit, "marched_off"), fates(&|u| u["marched_off"] == true));
    }
    let table = stdout(&["lab", "run", "crossing-the-veld", "--players", "subaltern", "--battles", "8"]);
    assert!(table.contains("gone at the end") && table.contains("marched off"), "{table}");
}

#[test]
fn an_objective_off_the_table_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    for (scenario, here, there) in [
        ("wells-of-tamai", "name = \"wells\"\nat = [36, 24]", "name = \"wells\"\nat = [96, 24]"),
        ("kessel-crossroads", "at = [36, 24]\nwithin", "at = [36, -24]\nwithin"),
        ("the-ford", "at = [30, 20]", "at = [96, 24]"),
    ] {
        let moved = show(scenario).replacen(here, there, 1);
        assert_ne!(moved, show(scenario));
        let moved = file(folder.path(), "moved.toml", &moved);
        let said = wrong(&["battle", &moved], 2, &["moved.toml:", "the table"]);
        let line = std::fs::read_to_string(&moved).expect("text");
        let line = line.lines().position(|l| l.contains("[96, 24]") || l.contains("[36, -24]"));
        assert!(said.contains(&format!("moved.toml:{}", line.expect("the line") + 1)), "{said}");
        wrong(&["lab", "run", &moved], 2, &["the table"]);
    }
}

const CASE: &str = r#"
format = 1
ruleset = "would-be-kings"
title = "a volley and another"
clauses = ["WBK-FIRE-18"]
dice = DICE
[position]
unit = [
  { id = "A", side = "imperial", kind = "RI", at = [10, 24] },
  { id = "B", side = "native", kind = "TI", at = [27, 24] },
]
[[step]]
do = [{ activate = "A" }, { declare = { action = "fire", target = "B" } }]
[step.expect]
units.B.models = 16
"#;

#[test]
fn a_case_that_runs_out_of_dice_stops_there() {
    let folder = tempfile::tempdir().expect("a folder");
    // Dice for the volley; it kills, and nothing is left for the tests that follow.
    let case = CASE.replace("DICE", r#"["fire: 6 6 6 6 6 6 6 6 6 6 6 6"]"#);
    let case = file(folder.path(), "short.toml", &case);
    let said = wrong(&["case", &case], 2, &["the script is too short", "leader_check"]);
    // The dice of the tests were made up by nobody and are told by nobody.
    assert!(!said.contains("WBK-PIN") && !said.contains("leader roll"), "{said}");
    let shown: Vec<Value> =
        serde_json::from_slice(&tricorne(&["case", &case, "--json"]).assert().code(2).get_output().stdout)
            .expect("JSON");
    let story = shown[0]["story"].to_string();
    assert!(!story.contains("6 6 6"), "the action was never carried out: {story}");
}

/// Looks at every interval of a report.
fn look(path: &str, value: &Value, seen: &mut u32) {
    if let (Some(low), Some(high)) = (value["low"].as_f64(), value["high"].as_f64()) {
        *seen += 1;
        assert!(low < high, "{path}: from {low} to {high}");
    }
    match value {
        Value::Object(map) => map.iter().for_each(|(k, v)| look(&format!("{path}.{k}"), v, seen)),
        Value::Array(list) => {
            list.iter().enumerate().for_each(|(n, v)| look(&format!("{path}.{n}"), v, seen));
        }
        _ => {}
    }
}

#[test]
fn an_interval_is_never_of_no_width() {
    let run = json(&["lab", "run", "crossing-the-veld", "--players", "random", "--battles", "2", "--json"]);
    let mut seen = 0;
    look("", &run, &mut seen);
    let ladder =
        ["lab", "ladder", "crossing-the-veld", "--players", "random,subaltern", "--battles", "2", "--json"];
    look("", &json(&ladder), &mut seen);
    assert!(seen > 20, "{seen}");
}

#[test]
fn an_empty_folder_of_cases_is_no_success() {
    let folder = tempfile::tempdir().expect("a folder");
    let name = folder.path().display().to_string();
    wrong(&["case", &name], 2, &["no rule cases", &name]);
    file(folder.path(), "not-enforced.toml", "");
    wrong(&["case", &name], 2, &["no rule cases"]);
}

#[test]
fn complaints_are_in_words_of_the_table() {
    let folder = tempfile::tempdir().expect("a folder");
    let bad = show("crossing-the-veld").replacen("at = [5, 24]", "at = [\"five\", 24]", 1);
    let said = wrong(&["battle", &file(folder.path(), "bad.toml", &bad)], 2, &["expected a number"]);
    assert!(!said.contains("f64"), "{said}");
    let bad = show("crossing-the-veld").replacen("turns = 16", "turns = \"many\"", 1);
    let said = wrong(&["battle", &file(folder.path(), "bad.toml", &bad)], 2, &["expected a whole number"]);
    assert!(!said.contains("u8"), "{said}");
    let case = "rulebooks/would-be-kings/cases/ex-01-free-fire.toml";
    let case = format!("{}/../../{case}", env!("CARGO_MANIFEST_DIR"));
    let said = wrong(&["odds", &case, "--do", r#"{"activate":5}"#], 1, &["not an action"]);
    assert!(!said.contains("u32") && !said.contains("f64"), "{said}");
}

#[test]
fn a_dash_is_standard_input_and_output() {
    let folder = tempfile::tempdir().expect("a folder");
    let veld = show("crossing-the-veld");
    let piped = |args: &[&str], input: &str| {
        let assert =
            tricorne(args).write_stdin(input.to_owned()).current_dir(folder.path()).assert().success();
        (text(&assert.get_output().stdout), text(&assert.get_output().stderr))
    };
    // A journal on standard output and nothing else there; and back in.
    let (journal, story) = piped(&["battle", "-", "--journal", "-"], &veld);
    assert!(journal.starts_with("{\"tricorne\"") && journal.lines().all(|l| l.starts_with('{')), "{journal}");
    assert!(story.contains("Crossing the Veld") && story.contains("final hash"), "{story}");
    assert!(piped(&["replay", "-"], &journal).0.contains("verified"));
    let (drawn, said) = piped(&["picture", "-", "--at", "3", "-o", "-"], &journal);
    assert!(drawn.starts_with("<svg") && said.is_empty(), "{said}");
    assert!(piped(&["picture", "-", "-o", "-"], &veld).0.starts_with("<svg"));
    assert!(piped(&["sheet", "von-futsch", "-o", "-"], "").0.contains("<html"));
    // Armies.
    let (army, _) = piped(&["army", "new", "--ruleset", "von-futsch", "-o", "-"], "");
    assert!(army.contains("ruleset = \"von-futsch\""), "{army}");
    assert!(piped(&["army", "check", "-"], &army).0.contains("legal"));
    assert!(piped(&["army", "print", "-", "-o", "-"], &army).0.contains("<html"));
    assert!(piped(&["army", "pitch", "-", "-"], &army).0.contains("ruleset"));
    // Cases, odds, data, rows.
    let case = CASE.replace("DICE", r#"["fire: 1 1 1 1 1 1 1 1 1 1 1 1"]"#);
    assert!(piped(&["case", "-"], &case).0.ends_with("1 passed, 0 failed\n"));
    assert!(piped(&["odds", "-", "--do", r#"{"activate":"A"}"#], &case).0.contains("exact"));
    let lab = ["lab", "run", "-", "--players", "random", "--battles", "3", "--rows", "-"];
    let (rows, told) = piped(&lab, &veld);
    assert_eq!(rows.lines().count(), 4, "{rows}");
    assert!(rows.starts_with("study,battle,seed") && told.contains("what decided it"), "{told}");
    let profiles = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/would-be-kings/profiles.toml");
    let profiles = std::fs::read_to_string(profiles).expect("profiles");
    let data = ["battle", "crossing-the-veld", "--data", "profiles.toml=-", "--log", "none"];
    assert!(piped(&data, &profiles).0.contains("final hash"));
    // Two things can't share it.
    wrong(&["battle", "crossing-the-veld", "--journal", "-", "--json"], 2, &["standard output"]);
    let both = ["lab", "run", "crossing-the-veld", "--rows", "-", "--plot", "-"];
    wrong(&both, 2, &["only one thing"]);
    wrong(&["watch", "-"], 2, &["standard input"]);
}

#[test]
fn the_nearest_name_is_offered() {
    for (args, meant) in [
        (vec!["battle", "kettel-brook"], "did you mean `kettle-brook`?"),
        (vec!["battle", "would-be-kings/crossing-the-feld"], "did you mean `crossing-the-veld`?"),
        (vec!["battle", "bordj"], "`the-bordj`"),
        (vec!["rules", "von-futch"], "did you mean `von-futsch`?"),
        (vec!["scenarios", "--ruleset", "would-be-king"], "did you mean `would-be-kings`?"),
        (
            vec!["battle", "kettle-brook", "--option", "army_break_precent=30"],
            "did you mean `army_break_percent`?",
        ),
        (
            vec!["lab", "sweep", "kettle-brook", "--vary", "break_percent=30,40"],
            "did you mean `army_break_percent`?",
        ),
        (vec!["battle", "crossing-the-veld", "--data", "profile.toml"], "did you mean `profiles.toml`?"),
    ] {
        wrong(&args, 2, &[meant]);
    }
    // Nothing is near: the list, or where to find it.
    wrong(&["battle", "waterloo"], 2, &["there is no scenario `waterloo`", "`tricorne scenarios`"]);
    wrong(&["rules", "chess"], 2, &["would-be-kings, all-the-kings-men"]);
}

#[test]
fn a_word_is_searched_in_the_rules() {
    let said = stdout(&["rules", "seven-years-war", "--search", "break", "percent"]);
    assert!(said.contains("SYW-WIN-02") && said.contains("army_break_percent = 40"), "{said}");
    assert!(!said.contains("SYW-DICE-01"), "{said}");
    let all = stdout(&["rules", "--search", "JOKER"]);
    assert!(all.contains("ATKM-CARD-12") && all.contains("VF-TURN-08"), "{all}");
    wrong(&["rules", "von-futsch", "--search", "submarine"], 1, &["speaks of `submarine`"]);
    let found = json(&["rules", "--search", "joker", "--json"]);
    assert_eq!(found[0]["ruleset"], "all-the-kings-men");
    wrong(&["rules", "von-futsch", "joker"], 2, &["--search joker"]);
}

#[test]
fn two_scenario_files_meet_the_same_seeds() {
    let folder = tempfile::tempdir().expect("a folder");
    let veld = show("crossing-the-veld");
    let same = file(folder.path(), "same.toml", &veld);
    let short = file(folder.path(), "short.toml", &veld.replacen("turns = 16", "turns = 3", 1));
    let args =
        ["lab", "compare", "crossing-the-veld", &same, &short, "--players", "random", "--battles", "6"];
    let compared = json(&[&args[..], &["--json"]].concat());
    let value = |n: usize| &compared["values"][n];
    assert_eq!(value(0)["value"], "crossing-the-veld");
    assert_eq!(value(1)["changed"], 0, "the same text is the same battle");
    assert_eq!(value(2)["changed"], 6, "none lasts three rounds by itself");
    let said = stdout(&args);
    assert!(said.contains("No battle changed with") && said.contains("same.toml"), "{said}");
    wrong(&["lab", "compare", "crossing-the-veld"], 2, &["SCENARIO"]);
}

#[test]
fn what_was_written_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    for (args, name) in [
        (vec!["battle", "crossing-the-veld", "--json", "--journal", "a.jsonl"], "a.jsonl"),
        (vec!["picture", "crossing-the-veld", "-o", "t.svg"], "t.svg"),
        (vec!["sheet", "von-futsch", "-o", "s.html"], "s.html"),
        (vec!["terrain", "--ruleset", "seven-years-war", "-o", "g.svg"], "g.svg"),
        (vec!["army", "new", "--ruleset", "von-futsch", "-o", "m.toml"], "m.toml"),
        (vec!["army", "print", "m.toml", "-o", "r.html"], "r.html"),
        (vec!["army", "pitch", "m.toml", "m.toml", "-o", "p.toml"], "p.toml"),
        (
            vec![
                "lab",
                "run",
                "crossing-the-veld",
                "--players",
                "random",
                "--battles",
                "2",
                "--rows",
                "r.csv",
            ],
            "r.csv",
        ),
        (
            vec![
                "lab",
                "balance",
                "crossing-the-veld",
                "--player",
                "random",
                "--battles",
                "2",
                "--markdown",
                "b.md",
            ],
            "b.md",
        ),
    ] {
        let assert = tricorne(&args).current_dir(folder.path()).assert().success();
        let said = text(&assert.get_output().stderr);
        let size = std::fs::metadata(folder.path().join(name)).expect("it is there").len();
        assert!(size > 0 && said.contains(&format!("wrote {name} (")), "{args:?}: {said}");
    }
}

#[test]
fn the_version_names_the_rulebooks() {
    let said = stdout(&["--version"]);
    assert!(said.starts_with("tricorne 0.") && said.contains("von-futsch "), "{said}");
    assert_eq!(stdout(&["-V"]).lines().count(), 1);
}

#[test]
fn shells_and_manuals_know_the_commands() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let said = stdout(&["completions", shell]);
        assert!(said.contains("tricorne") && said.contains("scenarios"), "{shell}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let man = folder.path().join("man1").display().to_string();
    tricorne(&["man", "-o", &man]).assert().success();
    let page = std::fs::read_to_string(folder.path().join("man1/tricorne-battle.1")).expect("a page");
    assert!(page.starts_with(".ie") || page.contains(".TH"), "{page}");
    assert!(page.contains("Examples:") && folder.path().join("man1/tricorne-lab-sweep.1").is_file());
}

#[test]
fn the_doctor_looks_and_touches_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("data");
    let doctor = |more: &[&str]| {
        let mut command = tricorne(&["doctor"]);
        command.args(more).env("XDG_DATA_HOME", &data).env_remove("BROWSER").assert()
    };
    let healthy = doctor(&[]);
    let said = text(&healthy.get_output().stdout);
    for word in ["program", "rulebooks", "page", "browser", "there are none yet", "games.db"] {
        assert!(said.contains(word), "{word}: {said}");
    }
    assert!(!data.exists(), "it made a folder");
    // A file of games, made by the program itself; then the same with its inside scratched.
    std::fs::create_dir_all(data.join("tricorne")).expect("a folder");
    let games = data.join("tricorne/games.db");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    runtime.block_on(async {
        drop(tricorne_store::Store::open(&format!("sqlite:{}", games.display())).await.expect("a store"));
    });
    let before = std::fs::read(&games).expect("the file");
    let said = text(&doctor(&[]).get_output().stdout);
    assert!(said.contains("sound, 0 games"), "{said}");
    assert_eq!(std::fs::read(&games).expect("the file"), before, "it only reads");
    let name = games.display().to_string();
    let mut hurt = before.clone();
    // The head of every page but the first.
    for page in hurt.chunks_mut(4096).skip(1) {
        page.iter_mut().take(8).for_each(|byte| *byte = 0xa5);
    }
    let scratched = folder.path().join("hurt.db");
    std::fs::write(&scratched, &hurt).expect("a file");
    let ill = doctor(&["--games", &scratched.display().to_string()]).code(1);
    let said = text(&ill.get_output().stdout);
    assert!(said.contains("damaged") || said.contains("can't be read"), "{said}");
    assert!(said.contains("put "), "{said}");
    std::fs::write(&scratched, "no database at all").expect("a file");
    doctor(&["--games", &scratched.display().to_string()]).code(1);
    doctor(&["--games", &format!("{name}.not-there")]).code(2);
}

#[test]
fn what_is_asked_for_is_obeyed_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("a.jsonl").display().to_string();
    stdout(&["battle", "the-bordj", "--log", "none", "--journal", &journal]);
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/von-futsch/cases/ex-18-a-wheel.toml");
    let drawn = folder.path().join("w.svg").display().to_string();
    let film = folder.path().join("w.gif").display().to_string();
    let profiles = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/would-be-kings/profiles.toml");
    let end = "\"end_turn\"";
    for (args, why) in [
        (&["picture", &journal, "-o", &drawn, "--option", "a=b"][..], "--option a=b: a journal has its own"),
        (&["picture", &journal, "-o", &drawn, "--seed", "3"], "--seed 3: a journal has its own"),
        (&["picture", &journal, "-o", &drawn, "--from", "3"], "--from"),
        (&["picture", &journal, "-o", &film, "--do", end], "--do"),
        (&["picture", "the-bordj", "-o", &drawn, "--from", "3"], "--from"),
        (&["picture", case, "-o", &drawn, "--seed", "3"], "--seed 3: a rule case has its own"),
        (&["odds", "the-bordj", "--at", "3", "--do", end], "--at 3: needs a journal"),
        (&["odds", &journal, "--at", "9999", "--do", end], "--at 9999: the journal has"),
        (&["odds", &journal, "--at", "0", "--option", "a=b", "--do", end], "--option a=b: a journal"),
        (&["odds", &journal, "--at", "0", "--seed", "4", "--do", end], "--seed 4"),
        (&["scenarios", "--show", "the-bordj", "--json"], "--json"),
        (
            &["scenarios", "--show", "the-bordj", "--ruleset", "von-futsch"],
            "is of would-be-kings, not of von-futsch",
        ),
        (&["rules", "would-be-kings", "WBK-FIRE-06", "--options"], "--options"),
        (&["battle", "the-bordj", "--json", "--log", "events"], "--log"),
        (&["replay", &journal, "--json", "--log", "story"], "--log"),
        (&["battle", "the-bordj", "--data", profiles, "--data", profiles], "profiles.toml is named twice"),
        (
            &["battle", "the-bordj", "--option", "mg_jam=shot_lost", "--option", "mg_jam=shot_lost"],
            "mg_jam is named twice",
        ),
        (&["man", "-o", "-"], "`-` won't do here"),
    ] {
        wrong(args, 2, &[why]);
    }
    // What says the same twice is no contradiction.
    json(&["battle", "the-bordj", "--json", "--log", "none"]);
    assert!(stdout(&["odds", &journal, "--at", "0", "--do", end]).contains("nothing changes for any unit"));
}

#[test]
fn a_number_that_is_none_is_told_as_such() {
    for (args, why) in [
        (&["battle", "the-bordj", "--seed", "-1"][..], "`-1` is not a seed"),
        (&["battle", "the-bordj", "--clock", "-5s"], "`-5s` is no time"),
        (&["lab", "run", "the-bordj", "--battles", "-3"], "`-3` is no whole number from 0 up"),
        (&["lab", "run", "the-bordj", "--battles", "999999999999999999999"], "is too large a number"),
        (&["picture", "the-bordj", "-o", "w.svg", "--width", "x"], "`x` is no whole number"),
        (&["picture", "the-bordj", "-o", "w.svg", "--width", "-5"], "200..=6000"),
        (&["army", "new", "--ruleset", "von-futsch", "--points", "many"], "`many` is no number"),
        (&["terrain", "--ruleset", "von-futsch", "--table", "-3x4"], "`-3x4` is no table"),
        (&["terrain", "--ruleset", "von-futsch", "--table", "1e300x1e300"], "no table is wider or deeper"),
    ] {
        let said = wrong(args, 2, &[why]);
        assert!(!said.contains("use '-- ") && !said.contains("invalid digit"), "{args:?}: {said}");
    }
}

#[test]
fn a_fault_names_the_file_that_was_given() {
    let folder = tempfile::tempdir().expect("a folder");
    let mine = file(folder.path(), "mine.toml", "x = [\n");
    let data = format!("profiles.toml={mine}");
    let place = format!("{mine}:1");
    wrong(&["battle", "the-bordj", "--data", &data], 2, &[&place]);
    let page = folder.path().join("x.html").display().to_string();
    let said = wrong(&["sheet", "would-be-kings", "-o", &page, "--data", &data], 2, &[&place]);
    assert!(!said.contains("no quick reference"), "{said}");
    wrong(
        &["battle", "the-bordj", "--data", "profils.toml=x"],
        2,
        &["no file `profils.toml`;", "did you mean"],
    );
    wrong(&["battle", "the-bordj", "--data", "profiles.toml="], 2, &["name a file"]);
    wrong(&["battle", "the-bordj", "--option", "zzzz=1"], 2, &["`tricorne rules would-be-kings --options`"]);
    wrong(&["battle", "the-bordj", "--players", "genral"], 2, &["did you mean `general`?"]);
    wrong(&["battle", "the-bordj", "--players", "subaltern@"], 2, &["names no file of weights"]);
}

#[test]
fn the_doctor_sees_where_no_game_can_be_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = file(folder.path(), "data", "a file, where a folder should be");
    let ill = tricorne(&["doctor"]).env("XDG_DATA_HOME", &data).assert().code(1);
    let said = text(&ill.get_output().stdout);
    assert!(said.contains("is no folder") && !said.contains("All is well"), "{said}");
}

#[test]
fn the_engine_knows_its_seats() {
    let asked = "{\"cmd\":\"new\",\"scenario\":\"the-bordj\"}\n{\"cmd\":\"view\",\"seat\":99}\n\
                 {\"cmd\":\"events\",\"seat\":99}\n{\"cmd\":\"candidates\",\"n\":0}\n\
                 {\"cmd\":\"new\",\"scenario\":\"the-bordj\",\"text\":\"x = 1\"}\n{\"cmd\":\"view\",\"seat\":1}\n";
    let done = tricorne(&["engine"]).write_stdin(asked).assert().success();
    let answers: Vec<Value> = text(&done.get_output().stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    let kinds: Vec<&str> = answers.iter().map(|a| a["error"]["kind"].as_str().unwrap_or("ok")).collect();
    assert_eq!(kinds, ["ok", "bad_request", "bad_request", "bad_request", "bad_request", "ok"]);
    assert!(answers[1]["error"]["why"].as_str().is_some_and(|why| why.contains("there is no seat 99")));
}
