//! The command line as people meet it: what it prints, and the exit code when something is wrong.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn tricorne(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("tricorne").expect("the binary is built").args(args).assert()
}

fn stdout(args: &[&str]) -> String {
    String::from_utf8(tricorne(args).success().get_output().stdout.clone()).expect("UTF-8")
}

/// Runs and wants this exit code and these words on stderr.
fn wrong(args: &[&str], code: i32, words: &[&str]) {
    let assert = tricorne(args).code(code);
    let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
        + &String::from_utf8_lossy(&assert.get_output().stdout);
    for word in words {
        assert!(said.contains(word), "{args:?} should say `{word}`, said: {said}");
    }
    assert!(!said.contains("panicked"), "{args:?}: {said}");
}

fn file(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("a temporary file");
    path.display().to_string()
}

fn veld() -> String {
    stdout(&["scenarios", "--show", "crossing-the-veld"])
}

#[test]
fn listings_are_json_arrays_with_ids() {
    for args in [["rulesets", "--json"], ["scenarios", "--json"]] {
        let list: Vec<Value> = serde_json::from_str(&stdout(&args)).expect("JSON and nothing else");
        assert!(!list.is_empty() && list.iter().all(|item| item["id"].is_string()));
    }
    let clauses: Vec<Value> =
        serde_json::from_str(&stdout(&["rules", "would-be-kings", "WBK-FIRE-06", "--json"])).expect("JSON");
    assert_eq!(clauses[0]["id"], "WBK-FIRE-06");
}

#[test]
fn house_rules_are_marked_in_the_rule_help() {
    assert!(stdout(&["rules", "would-be-kings", "WBK-MOD-01"]).contains("(house rule)"));
    let reading = stdout(&["rules", "would-be-kings", "wbk-fire-17"]);
    assert!(reading.contains("(reading)") && reading.contains("option range_boundary"), "{reading}");
}

#[test]
fn two_processes_agree_and_the_journal_verifies() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("a.jsonl").display().to_string();
    let args = ["battle", "crossing-the-veld", "--seed", "11", "--players", "random,random", "--json"];
    let first: Value =
        serde_json::from_str(&stdout(&[&args[..], &["--journal", &journal]].concat())).expect("JSON");
    let second: Value = serde_json::from_str(&stdout(&args)).expect("JSON");
    assert_eq!(first["hash"], second["hash"]);
    assert!(stdout(&["replay", &journal]).contains(first["hash"].as_str().expect("a hash")));

    let bytes = std::fs::read(&journal).expect("the journal");
    std::fs::write(&journal, &bytes[..bytes.len() * 2 / 3]).expect("cut");
    wrong(&["replay", &journal], 2, &["cut off after", "--salvage"]);
    assert!(stdout(&["replay", &journal, "--salvage"]).contains("not whole: the journal is cut off after"));
    // What holds is kept as a whole journal.
    let kept = folder.path().join("kept.jsonl").display().to_string();
    let told = stdout(&["replay", &journal, "--salvage", "--output", &kept, "--json"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert!(told["lost"].as_str().is_some_and(|why| why.contains("cut off")), "{told}");
    let whole = stdout(&["replay", &kept]);
    assert!(whole.contains(&format!("verified: {} actions", told["actions"])), "{whole}");
    // Mailed: other ends of lines, a mark before the first letter.
    let mailed = format!("\u{feff}{}", String::from_utf8(bytes.clone()).expect("text").replace('\n', "\r\n"));
    std::fs::write(&journal, mailed).expect("mailed");
    assert!(stdout(&["replay", &journal]).contains("verified"));
    let second = [&bytes[..=bytes.iter().position(|&b| b == b'\n').expect("a line")], &bytes[..]].concat();
    std::fs::write(&journal, second).expect("write");
    tricorne(&["replay", &journal]).failure();
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 4;
    std::fs::write(&journal, &flipped).expect("flip");
    wrong(&["replay", &journal], 1, &["does not verify", "--salvage"]);
    let told = stdout(&["replay", &journal, "--salvage", "--json"]);
    let told: Value = serde_json::from_str(&told).expect("JSON");
    assert!(told["actions"].as_u64().is_some_and(|n| n > 10) && told["lost"].is_string(), "{told}");
    std::fs::write(&journal, "hello\n").expect("write");
    wrong(&["replay", &journal], 2, &["not a journal"]);
}

#[test]
fn bad_scenarios_name_the_place_and_the_remedy() {
    let folder = tempfile::tempdir().expect("a folder");
    let unknown = veld().replacen("kind = \"RI\"", "kind = \"XX\"", 1);
    wrong(&["battle", &file(folder.path(), "unknown.toml", &unknown)], 2, &["unknown.toml:", "XX", "RI"]);
    let overlap = veld().replacen("at = [5, 24]", "at = [5, 31]", 1);
    assert_ne!(overlap, veld());
    wrong(&["battle", &file(folder.path(), "overlap.toml", &overlap)], 2, &["overlap.toml:", "I1", "I2"]);
    let off = veld().replacen("at = [5, 24]", "at = [-5, 24]", 1);
    wrong(&["battle", &file(folder.path(), "off.toml", &off)], 2, &["off.toml:", "table"]);
    let bells = veld().replacen("title = \"", "title = \"\\u0007", 1);
    wrong(
        &["battle", &file(folder.path(), "bells.toml", &bells)],
        2,
        &["bells.toml:", "title", "no screen shows"],
    );
    let endless = veld().replacen("title = \"", &format!("title = \"{}", "x".repeat(300)), 1);
    wrong(
        &["battle", &file(folder.path(), "endless.toml", &endless)],
        2,
        &["endless.toml:", "200 are allowed"],
    );
    wrong(&["battle", &file(folder.path(), "syntax.toml", "ruleset = \n")], 2, &["syntax.toml:1"]);
    wrong(&["battle", &file(folder.path(), "none.toml", "format = 1\n")], 2, &["ruleset"]);
    wrong(&["battle", "no-such-scenario"], 2, &["no-such-scenario", "tricorne scenarios"]);
}

#[test]
fn wrong_options_say_what_there_is() {
    wrong(
        &["battle", "crossing-the-veld", "--option", "mg_jam=maybe"],
        2,
        &["mg_jam", "shot_lost", "WBK-FIRE-27"],
    );
    wrong(&["battle", "crossing-the-veld", "--option", "mg_jams=shot_lost"], 2, &["did you mean `mg_jam`"]);
    wrong(&["battle", "crossing-the-veld", "--option", "mg_jam"], 2, &["NAME=VALUE"]);
    wrong(&["battle", "crossing-the-veld", "--seed", "x"], 2, &["not a seed"]);
    wrong(&["battle", "crossing-the-veld", "--players", "random,random,random"], 2, &["2 seats"]);
    wrong(&["rules", "chess"], 2, &["would-be-kings"]);
    wrong(&["rules", "would-be-kings", "WBK-NO-99"], 2, &["WBK-NO-99"]);
}

const CASE: &str = r#"
format = 1
ruleset = "would-be-kings"
title = "a volley"
clauses = ["WBK-FIRE-18"]
dice = DICE
[[position.unit]]
id = "A"
side = "imperial"
kind = "RI"
at = [10, 24]
[[position.unit]]
id = "B"
side = "native"
kind = "TI"
at = [27, 24]
[[step]]
do = [{ activate = "A" }, { declare = { action = "fire", target = "B" } }]
[step.expect]
units.B.models = MODELS
"#;

fn case(dice: &str, models: &str) -> String {
    CASE.replace("DICE", dice).replace("MODELS", models)
}

#[test]
fn cases_pass_fail_and_break() {
    let folder = tempfile::tempdir().expect("a folder");
    let miss = r#"["fire: 1 1 1 1 1 1 1 1 1 1 1 1"]"#;
    let good = file(folder.path(), "good.toml", &case(miss, "16"));
    assert!(stdout(&["case", &good]).ends_with("1 passed, 0 failed\n"));
    let bad = file(folder.path(), "bad.toml", &case(miss, "15"));
    wrong(
        &["case", &bad],
        1,
        &["units.B.models: expected 15, came 16", "the story so far", "0 passed, 1 failed"],
    );
    let short = file(folder.path(), "short.toml", &case(r#"["fire: 1 1"]"#, "16"));
    wrong(&["case", &short], 2, &["ask for 12 for `fire`"]);
    let none = file(folder.path(), "empty.toml", &case("[]", "16"));
    wrong(&["case", &none], 2, &["the script is too short"]);
    let left = file(folder.path(), "left.toml", &case(r#"["fire: 1 1 1 1 1 1 1 1 1 1 1 1", "3 3"]"#, "16"));
    wrong(&["case", &left], 1, &["dice left over"]);
    let clause = file(folder.path(), "clause.toml", &case(miss, "16").replace("WBK-FIRE-18", "WBK-FIRE-99"));
    wrong(&["case", &clause], 2, &["there is no clause WBK-FIRE-99"]);
    let unit = file(folder.path(), "unit.toml", &case(miss, "16").replace("\"TI\"", "\"ZZ\""));
    wrong(&["case", &unit], 2, &["unit.toml:15", "ZZ"]);
    let text = case(miss, "16");
    let looked = file(folder.path(), "looked.toml", &text[..text.find("[[step]]").expect("a step")]);
    wrong(&["case", &looked], 2, &["it shows nothing"]);
    wrong(&["case", "/no/such/place"], 2, &["no such file"]);
}

#[test]
fn the_engine_plays_a_whole_battle_and_survives_nonsense() {
    let mut requests = String::from(
        "{\"id\":1,\"cmd\":\"pending\"}\nnot json\n{\"id\":2,\"cmd\":\"dance\"}\n\
         {\"id\":3,\"cmd\":\"new\",\"scenario\":\"crossing-the-veld\",\"seed\":3}\n\
         {\"id\":4,\"cmd\":\"apply\",\"action\":{\"activate\":\"nobody\"}}\n\
         {\"id\":5,\"cmd\":\"apply\",\"seat\":1,\"action\":\"end_turn\"}\n\
         {\"id\":6,\"cmd\":\"apply\",\"action\":{\"fly\":1}}\n",
    );
    for n in 0..32 {
        requests.push_str(&format!("{{\"id\":\"end{n}\",\"cmd\":\"apply\",\"action\":\"end_turn\"}}\n"));
    }
    requests.push_str("{\"id\":\"last\",\"cmd\":\"pending\"}\n{\"id\":\"journal\",\"cmd\":\"journal\"}\n{\"cmd\":\"quit\"}\n");
    let assert =
        Command::cargo_bin("tricorne").expect("built").arg("engine").write_stdin(requests).assert().success();
    let answers: Vec<Value> = String::from_utf8_lossy(&assert.get_output().stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON line"))
        .collect();
    let kinds: Vec<&str> = answers[..7].iter().map(|a| a["error"]["kind"].as_str().unwrap_or("ok")).collect();
    assert_eq!(kinds, ["no_battle", "bad_request", "bad_request", "ok", "illegal", "not_yours", "malformed"]);
    assert!(answers[4]["error"]["clause"].is_string());
    let last = answers.iter().find(|a| a["id"] == "last").expect("an answer");
    assert!(last["ok"]["pending"]["over"]["reason"].is_string(), "{last}");
    let journal = answers.iter().find(|a| a["id"] == "journal").expect("a journal");
    assert!(journal["ok"].as_str().is_some_and(|text| text.contains("{\"end\":")));
}

#[test]
fn a_battle_can_be_watched_to_the_end() {
    let assert = Command::cargo_bin("tricorne")
        .expect("built")
        .args(["watch", "crossing-the-veld", "--seed", "2"])
        .write_stdin("h\nt\n1\nu\nw\n")
        .assert()
        .success();
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    assert!(said.contains("take back") && said.contains("WBK-"), "{said}");
}

#[test]
fn a_picture_shows_what_an_action_would_come_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("wheel.svg").display().to_string();
    let case = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks/von-futsch/cases/ex-18-a-wheel.toml");
    // The case's own march: the arc of the outer corner (VF-MODEL-40) and the whole cost are written beside it.
    tricorne(&["picture", case, "-o", &out]).success();
    let drawn = std::fs::read_to_string(&out).expect("a picture");
    for words in
        ["data-kind=\"outer path\"", "data-kind=\"path\"", "data-kind=\"ghost\"", "2.618", "9&quot; of 9"]
    {
        assert!(drawn.contains(words), "the picture should hold {words}");
    }
    // Another action at the same moment; the position alone; refusals and nonsense.
    tricorne(&["picture", case, "--at", "1", "--do", r#"{"path":[{"forward":2}]}"#, "-o", &out]).success();
    let drawn = std::fs::read_to_string(&out).expect("a picture");
    assert!(drawn.contains("2&quot; of 9") && !drawn.contains("outer path"));
    let bad = r#"{"path":[{"forward":20}]}"#;
    wrong(&["picture", case, "--at", "1", "--do", bad, "-o", &out], 2, &["VF-MOVE-06"]);
    wrong(&["picture", case, "--do", "march", "-o", &out], 2, &["--do", "JSON"]);
    wrong(&["picture", case, "--at", "99", "-o", &out], 2, &["actions, not 99"]);
}
