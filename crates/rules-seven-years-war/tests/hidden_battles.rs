//! A thousand random battles, each fought twice: with troops hidden in the woods and without them. Until they show
//! themselves the other side's view, the log it may read and the refusals it gets are the same to the byte
//! (SYW-HIDE-01, SYW-HIDE-03, SYW-HIDE-09, SYW-LOS-09, SYW-SHOOT-58).

use std::fmt::Write as _;
use std::thread;

use tricorne_chance::{Bins, Chance, Faces, Purpose as Why, Seeded, Sum, Tally, Whim};
use tricorne_game::{Battle as _, Choices, Log, Pending, Purpose, Seat, Source, System};
use tricorne_rules_seven_years_war::{Action, Battle, SevenYearsWar};

const BATTLES: u64 = 1_000;
/// Answers given in each battle at most.
const LENGTH: u64 = 36;

/// Dice that count how often they were asked.
struct Counted(Seeded, u32);

impl Chance for Counted {
    fn faces(&mut self, purpose: Why, count: usize, sides: u8) -> Faces {
        self.1 += u32::from(!purpose.starts_with("hidden_"));
        self.0.faces(purpose, count, sides)
    }
    fn sum(&mut self, purpose: Why, count: usize, sides: u8) -> Sum {
        self.1 += u32::from(!purpose.starts_with("hidden_"));
        self.0.sum(purpose, count, sides)
    }
    fn pool(&mut self, purpose: Why, count: usize, bins: &Bins) -> Tally {
        self.1 += u32::from(!purpose.starts_with("hidden_"));
        self.0.pool(purpose, count, bins)
    }
    fn pick(&mut self, purpose: Why, count: usize, label: &dyn Fn(usize) -> String) -> Option<usize> {
        self.1 += u32::from(!purpose.starts_with("hidden_"));
        self.0.pick(purpose, count, label)
    }
}

/// A small field: woods and a town in the north, some troops on both sides, and those in hiding.
fn field(seed: u64, hidden: bool) -> Battle {
    let mut whim = Whim::new(seed, 1);
    let side = if whim.chance(0.5) { "a" } else { "b" };
    let step = ["command", "movement", "shooting"][whim.below(3)];
    let town = if whim.chance(0.3) { "town" } else { "wood" };
    let mut text = format!(
        "now = {{ turn = 2, side = \"{side}\", step = \"{step}\" }}\nterrain = [\n  \
         {{ id = \"W1\", kind = \"wood\", rect = [60, 56, 92, 84] }},\n  \
         {{ id = \"W2\", kind = \"{town}\", rect = [92, 60, 112, 84] }},\n  \
         {{ id = \"H1\", kind = \"hill\", level = 0, rect = [120, 50, 150, 70] }},\n]\n\
         generals = [\n  {{ id = \"GA\", side = \"a\", at = [90, 20], counter = \"An+\" }},\n  \
         {{ id = \"GB\", side = \"b\", at = [50, 110], facing = 180, counter = \"An+\" }},\n]\nunits = [\n"
    );
    let orders = ["advance", "advance", "reserve", "stand"];
    for k in 0..4 {
        let kind = ["MI", "MC", "LI", "LC", "MA", "HI"][whim.below(6)];
        let order = orders[whim.below(4)];
        let (x, y) = (50.0 + 24.0 * f64::from(k), whim.between(28.0, 44.0).round());
        let facing = whim.between(-15.0, 15.0).round().rem_euclid(360.0);
        let _ = writeln!(
            text,
            "  {{ id = \"a{k}\", side = \"a\", kind = \"{kind}\", at = [{x}, {y}], facing = {facing}, order = \"{order}\", command = \"GA\" }},"
        );
    }
    for k in 0..2 {
        let kind = ["MI", "MC", "LC"][whim.below(3)];
        let x = 25.0 + 110.0 * f64::from(k);
        let command = if whim.chance(0.5) { "GB" } else { "none" };
        let _ = writeln!(
            text,
            "  {{ id = \"b{k}\", side = \"b\", kind = \"{kind}\", at = [{x}, 92], facing = 180, order = \"{}\", command = \"{command}\" }},",
            orders[whim.below(4)]
        );
    }
    let kinds = [["LI", "MI", "HI"][whim.below(3)], ["LI", "MI", "MIL"][whim.below(3)]];
    let places = [whim.between(68.0, 84.0).round(), whim.between(68.0, 78.0).round()];
    let command = if whim.chance(0.5) { "GB" } else { "none" };
    if hidden {
        let _ = writeln!(
            text,
            "  {{ id = \"h1\", side = \"b\", kind = \"{}\", stands = 4, at = [{}, 69], facing = 180, hidden = true, terrain = \"W1\", command = \"{command}\" }},",
            kinds[0], places[0]
        );
        let _ = writeln!(
            text,
            "  {{ id = \"h2\", side = \"b\", kind = \"{}\", stands = 2, started = 4, at = [102, {}], facing = 180, hidden = true, terrain = \"W2\", command = \"{command}\" }},",
            kinds[1], places[1]
        );
    }
    text.push_str("]\n");
    SevenYearsWar
        .set_up(&Source::new("field.toml", text), &Choices::default(), Purpose::Position)
        .unwrap_or_else(|fault| panic!("seed {seed}: {fault}"))
}

/// All of them hidden, and none about to be found: whoever comes within 5 is stopped there, and their owner shoots or
/// shows himself (SYW-VIS-04, -06).
fn in_hiding(battle: &Battle) -> bool {
    if matches!(battle.pending(), Pending::Decision { kind, .. } if kind == "ambush") {
        return false;
    }
    let hidden = |id: &str| {
        let unit = battle.state().units.iter().find(|u| u.id.as_str() == id);
        unit.is_some_and(|u| format!("{:?}", u.presence) == "Hidden")
    };
    hidden("h1") && hidden("h2")
}

fn shown(battle: &Battle, seat: Option<Seat>) -> Vec<u8> {
    serde_json::to_vec(&battle.view(seat)).unwrap_or_default()
}

fn told(log: &Log, seat: Option<Seat>) -> Vec<u8> {
    let known: Vec<_> = log.events().iter().filter(|e| e.known_to(seat)).collect();
    serde_json::to_vec(&known).unwrap_or_default()
}

/// The first place where two texts differ, with what stands about it.
fn apart(a: &[u8], b: &[u8]) -> String {
    let at = a.iter().zip(b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
    let about = |t: &[u8]| {
        let (from, to) = (at.saturating_sub(160).min(t.len()), (at + 160).min(t.len()));
        String::from_utf8_lossy(&t[from..to]).into_owned()
    };
    format!("with:    …{}…\nwithout: …{}…", about(a), about(b))
}

/// Answers of the other side that name the hidden troops, or would run into them.
fn probes(whim: &mut Whim) -> Vec<Action> {
    let forward = whim.between(1.0, 40.0).round();
    let unit = format!("a{}", whim.below(4));
    [
        format!(r#"{{"shoot":{{"unit":"{unit}","target":"h1"}}}}"#),
        format!(r#"{{"charge":{{"group":"{unit}","targets":[{{"unit":"{unit}","target":"h2"}}]}}}}"#),
        format!(r#"{{"move":{{"group":"{unit}","legs":[{{"forward":{forward}}}]}}}}"#),
        r#"{"move":{"group":"h1","legs":[{"forward":5}]}}"#.to_owned(),
        r#"{"change":{"general":"GA","group":"h1","order":"advance"}}"#.to_owned(),
        r#"{"cure":{"general":"GA","unit":"h2"}}"#.to_owned(),
        r#"{"retreat":{"group":"h1"}}"#.to_owned(),
        r#"{"reveal":{"unit":"h1"}}"#.to_owned(),
        format!(r#"{{"fight":{{"unit":"{unit}","enemy":"h1"}}}}"#),
        format!(r#"{{"general":{{"general":"GA","to":[{},{}]}}}}"#, 80.0 + forward, 66.0),
    ]
    .iter()
    .map(|text| serde_json::from_str(text).unwrap_or_else(|e| panic!("{text}: {e}")))
    .collect()
}

/// What a battle had to show for itself.
#[derive(Default)]
struct Watched {
    answers: u32,
    probes: u32,
    secret: u32,
    revealed: u32,
    /// The hidden troops threw dice of their own, so that the two battles went apart by luck.
    apart: u32,
}

fn watch(seed: u64, total: &mut Watched) {
    let (mut with, mut without) = (field(seed, true), field(seed, false));
    let (mut log_with, mut log_without) = (Log::on(), Log::on());
    let mut whim = Whim::new(seed, 2);
    let (enemy, owner) = (Seat(0), Seat(1));
    with.begin(&mut Seeded::new(seed), &mut log_with);
    without.begin(&mut Seeded::new(seed), &mut log_without);
    for n in 0..LENGTH {
        if !in_hiding(&with) {
            total.revealed += 1;
            return;
        }
        // Once it is over the points are told, also for those who have lost stands and lie hidden still (SYW-WIN-05).
        if with.ending().is_some() || without.ending().is_some() {
            return;
        }
        for seat in [Some(enemy), None].into_iter().take(if n % 4 == 0 { 2 } else { 1 }) {
            let (a, b) = (shown(&with, seat), shown(&without, seat));
            assert!(a == b, "seed {seed}, answer {n}: the view of {seat:?} betrays them:\n{}", apart(&a, &b));
            let (a, b) = (told(&log_with, seat), told(&log_without, seat));
            assert!(a == b, "seed {seed}, answer {n}: the log of {seat:?} betrays them:\n{}", apart(&a, &b));
        }
        log_with.take();
        log_without.take();
        assert_eq!(with.seat(), without.seat(), "seed {seed}, answer {n}: another seat is asked");
        if with.seat() == Some(enemy) && n % 3 == 0 {
            for action in probes(&mut whim) {
                assert_eq!(
                    with.check(&action).err(),
                    without.check(&action).err(),
                    "seed {seed}, answer {n}: {action:?}"
                );
                total.probes += 1;
            }
            if n % 4 == 0 {
                assert_eq!(
                    with.legal().listed,
                    without.legal().listed,
                    "seed {seed}, answer {n}: what is offered betrays them"
                );
            }
        }
        if with.seat() == Some(owner) && whim.chance(0.3) {
            // Their owner does something with them that nobody else may notice.
            let at = [whim.between(62.0, 90.0).round(), whim.between(64.0, 80.0).round()];
            let unit = if whim.chance(0.5) { "h1" } else { "h2" };
            let text =
                format!(r#"{{"steal":{{"unit":"{unit}","terrain":"W1","at":[{},{}]}}}}"#, at[0], at[1]);
            let secret: Action = serde_json::from_str(&text).unwrap_or(Action::Done);
            if secret != Action::Done && with.check(&secret).is_ok() {
                let _ = with.apply(&secret, &mut Seeded::new(n), &mut log_with);
                total.secret += 1;
                continue;
            }
        }
        let mut action = without.sample(&mut whim);
        if with.seat() == Some(owner) && with.check(&action).is_err() {
            // His own hidden troops are in the way of what he would do without them.
            action = Action::Done;
            if with.check(&action).is_err() || without.check(&action).is_err() {
                return;
            }
        }
        let mut dice = [Counted(Seeded::new(seed * 1_000 + n), 0), Counted(Seeded::new(seed * 1_000 + n), 0)];
        let a = with.apply(&action, &mut dice[0], &mut log_with);
        let b = without.apply(&action, &mut dice[1], &mut log_without);
        assert_eq!(a, b, "seed {seed}, answer {n}: {action:?}");
        total.answers += 1;
        if in_hiding(&with) && dice[0].1 != dice[1].1 {
            total.apart += 1;
            return;
        }
    }
}

#[test]
fn a_thousand_battles_give_no_sign() {
    let threads = thread::available_parallelism().map_or(2, |n| n.get() as u64).clamp(1, 8);
    let parts: Vec<Watched> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|t| {
                scope.spawn(move || {
                    let mut total = Watched::default();
                    for seed in (t..BATTLES).step_by(threads as usize) {
                        watch(seed, &mut total);
                    }
                    total
                })
            })
            .collect();
        workers.into_iter().map(|w| w.join().unwrap_or_else(|why| std::panic::resume_unwind(why))).collect()
    });
    let sum = |of: fn(&Watched) -> u32| parts.iter().map(of).sum::<u32>();
    let (answers, probes) = (sum(|w| w.answers), sum(|w| w.probes));
    let (secret, revealed, apart) = (sum(|w| w.secret), sum(|w| w.revealed), sum(|w| w.apart));
    println!(
        "{answers} answers, {probes} probes, {secret} secret moves, {revealed} revealed, {apart} went apart"
    );
    // The test has teeth only if much happened while they were hidden.
    assert!(answers > 15_000 && probes > 30_000 && secret > 300, "{answers} {probes} {secret}");
    assert!(revealed > 100, "some of them are found or shoot: {revealed}");
    assert!(apart < 100, "{apart} battles went apart by the dice of hidden troops");
}
