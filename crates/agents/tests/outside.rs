//! Programs of somebody else's: those that play are heard, those that don't lose their turn, and nothing waits for them.

use std::path::Path;
use std::time::Duration;

use crate::toy::Toy;
use serde_json::json;
use tricorne_agents::{Level, Player, Thought};
use tricorne_chance::Seed;
use tricorne_game::Seat;

/// Longer than any machine is busy: what must be answered is answered before it.
const LONG: Duration = Duration::from_mins(2);

/// Too short for one that does not answer at all, however idle the machine.
const SHORT: Duration = Duration::from_millis(60);

fn player(command: &str, clock: Duration) -> Player {
    Player::new(Level::anybody(&format!("exec:{command}")).unwrap().by_clock(clock), Seed::from(1), Seat(0))
}

/// A Python program in a file of its own, with `ask` and the question at hand.
fn python(folder: &Path, body: &str) -> String {
    let text = format!(
        "import json, sys\ndef ask(word):\n    print(json.dumps(word), flush=True)\n    return json.loads(sys.stdin.readline())\n\
         for line in sys.stdin:\n    q = json.loads(line)\n{body}\n"
    );
    let file = folder.join("bot.py");
    std::fs::write(&file, text).unwrap();
    format!("python3 '{}'", file.display())
}

fn thought(command: &str, clock: Duration) -> Thought {
    player(command, clock).think_any(&Toy::stones(7))
}

/// A subaltern answered, and it is told why.
fn stood_in(command: &str, clock: Duration, why: &str) {
    let thought = thought(command, clock);
    let told = thought.stood_in.unwrap_or_else(|| panic!("{command} was let pass"));
    assert!(told.contains(why) && told.contains("a subaltern answers"), "{command}: {told}");
    assert_eq!(thought.action, json!({ "take": 1 }), "a subaltern takes the first");
}

#[test]
fn a_program_is_told_what_its_seat_may_know_and_asks_back() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"
    assert q["seat"] == 0 and q["view"]["seat"] == 0 and q["decision"]["kind"] == "act", q
    assert q["listed"] == [{"take": 1}, {"take": 2}, {"take": 3}, {"roll": 3}], q
    assert ask({"candidates": {"n": 2}}) == {"ok": [{"take": 1}, {"take": 2}]}
    assert ask({"check": {"take": 2}}) == {"ok": {"legal": True}}
    refused = ask({"check": {"take": 9}})["error"]
    assert refused["kind"] == "illegal" and refused["clause"] == "TOY-2", refused
    assert ask({"check": {"give": 1}})["error"]["kind"] == "malformed"
    assert "cost" in ask({"preview": {"take": 2}})["ok"]
    assert "rolls" in ask({"odds": {"roll": 3}})["ok"]
    print(json.dumps({"decide": q["decide"], "answer": {"take": 3}}), flush=True)"#;
    let command = python(folder.path(), body);
    let battle = Toy { gambles: vec![3], ..Toy::stones(7) };
    let mut player = player(&command, LONG);
    for _ in 0..3 {
        let thought = player.think_any(&battle);
        assert_eq!((thought.stood_in, thought.action), (None, json!({ "take": 3 })));
    }
    assert_eq!(player.choose(&battle), crate::toy::Act::Take(3), "typed as well");
    assert_eq!(player.stood_in(), 0);
}

#[test]
fn nonsense_loses_the_turn() {
    let say = |line: &str| format!("sh -c 'read q; echo \"{}\"; read q'", line.replace('"', "\\\""));
    stood_in(&say("I attack"), LONG, "which is not JSON");
    stood_in(&say(r#"{"attack": 1}"#), LONG, "not understood");
    stood_in(&say(r#"{"answer": {"take": 9}}"#), LONG, "is refused: not on offer [TOY-2]");
    stood_in(&say(r#"{"answer": "everything"}"#), LONG, "not an action");
    stood_in(&say("[1]"), LONG, "not understood");
}

#[test]
fn a_program_that_is_dead_or_silent_loses_the_turn() {
    stood_in("sh -c 'exit 3'", LONG, "it ended without an answer");
    stood_in("sh -c 'kill -9 $$'", LONG, "it ended without an answer");
    stood_in("sleep 1000", SHORT, "no answer within 60ms");
    stood_in("/nowhere/at/all", LONG, "can't be started");
    // It reads nothing and says nothing: writing to it must not wait either.
    let mut deaf = player("sleep 1000", SHORT);
    let big = Toy { gambles: vec![3; 200_000], ..Toy::stones(3) };
    assert!(deaf.think_any(&big).stood_in.is_some_and(|why| why.contains("no answer")));
}

#[test]
fn what_it_writes_is_bounded() {
    stood_in("sh -c 'head -c 100000000 /dev/zero; sleep 1000'", LONG, "a line of more than a mebibyte");
    stood_in(r#"yes '{"decide": 0, "answer": 1}'"#, SHORT, "no answer within");
    stood_in("sh -c 'printf {; sleep 1000'", SHORT, "no answer within");
    let told = thought(r#"sh -c 'head -c 1000 /dev/urandom | tr "\n" x; echo'"#, LONG).stood_in.unwrap();
    assert!(told.chars().count() < 400 && !told.contains(|c: char| c.is_control()), "{told:?}");
}

#[test]
fn an_answer_without_a_newline_from_one_that_ended_counts() {
    let thought = thought(r#"printf '{"answer": {"take": 2}}'"#, LONG);
    assert_eq!((thought.stood_in, thought.action), (None, json!({ "take": 2 })));
}

#[test]
fn a_program_that_keeps_failing_is_started_no_more() {
    let mut player = player("sh -c 'exit 1'", LONG);
    let told: Vec<String> = (0..7).map(|_| player.think_any(&Toy::stones(7)).stood_in.unwrap()).collect();
    assert!(told[..5].iter().all(|why| why.contains("it ended")), "{told:?}");
    assert!(told[5..].iter().all(|why| why.contains("asked no more")), "{told:?}");
    assert_eq!(player.stood_in(), 7);
}

#[test]
fn a_refused_answer_does_not_end_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"
    n = 9 if q["decide"] == 1 else q["decide"]
    print(json.dumps({"answer": {"take": n}}), flush=True)"#;
    let mut player = player(&python(folder.path(), body), LONG);
    assert!(player.think_any(&Toy::stones(7)).stood_in.is_some());
    assert_eq!(player.think_any(&Toy::stones(7)).action, json!({ "take": 2 }), "the same process counts on");
}

/// What a program started goes with it.
#[test]
#[cfg(target_os = "linux")]
fn nothing_is_left_behind() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("child");
    let command = format!("sh -c 'sleep 1000 & echo $! > {}; read q; echo no; wait'", file.display());
    assert!(thought(&command, LONG).stood_in.is_some());
    let child: u32 = std::fs::read_to_string(&file).unwrap().trim().parse().unwrap();
    // An orphan is buried by whoever inherits it: gone, or dead and waiting for that.
    let alive = || {
        let stat = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        !stat.is_empty() && !stat.contains(") Z ")
    };
    while alive() {
        std::thread::yield_now();
    }
}

#[test]
fn commands_come_from_whoever_started_us_alone() {
    assert!("exec:true".parse::<Level>().is_err());
    assert!(Level::for_guests("exec:true").is_err());
}
