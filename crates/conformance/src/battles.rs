//! Random battles: they end, and at every decision the protocol keeps its promises.

use std::ops::Range;

use tricorne_chance::{Seeded, Whim, Witness};
use tricorne_game::{
    Battle, Choices, Event, Legal, Log, Pending, Purpose, ScenarioText, Source, StateHash, System,
};

/// No battle of any system needs more decisions than this.
const LIMIT: usize = 200_000;

/// A battle fought to its end.
pub struct Fought<B> {
    /// As it stands at the end.
    pub battle: B,
    /// Decisions taken.
    pub decisions: usize,
    /// The state after the last one.
    pub hash: StateHash,
}

/// Fights one random battle of a scenario, calling `watch` before each action with the battle and the action.
pub fn fight<S: System>(
    system: S,
    scenario: &ScenarioText,
    choices: &Choices,
    seed: u64,
    mut watch: impl FnMut(&S::Battle, &<S::Battle as Battle>::Action, usize),
) -> Fought<S::Battle> {
    let source = Source::new(scenario.id, scenario.text);
    let mut battle = system.set_up(&source, choices, Purpose::Scenario).unwrap_or_else(|f| panic!("{f}"));
    let mut chance = Seeded::new(seed);
    let mut whim = Whim::new(seed, 0);
    let mut log = Log::off();
    battle.begin(&mut chance, &mut log);
    let mut decisions = 0;
    while battle.ending().is_none() {
        let action = battle.sample(&mut whim);
        watch(&battle, &action, decisions);
        if let Err(illegal) = battle.apply(&action, &mut chance, &mut log) {
            panic!(
                "{} seed {seed}, decision {decisions}: sampled {action:?} is refused: {illegal}",
                scenario.id
            );
        }
        decisions += 1;
        assert!(decisions < LIMIT, "{} seed {seed} does not end", scenario.id);
    }
    let hash = battle.hash();
    Fought { battle, decisions, hash }
}

/// Fights every scenario for each seed, at random, and calls `watch` after each action: where that was, the battle before
/// it, what it brought about, and the battle after it. What is rolled before the first decision counts as an action.
pub fn actions<S: System>(
    system: S,
    seeds: Range<u64>,
    mut watch: impl FnMut(&str, &S::Battle, &[Event], &S::Battle),
) {
    for scenario in system.scenarios() {
        for seed in seeds.clone() {
            let source = Source::new(scenario.id, scenario.text);
            let set_up = system.set_up(&source, &Choices::default(), Purpose::Scenario);
            let mut battle = set_up.unwrap_or_else(|f| panic!("{f}"));
            let (mut chance, mut whim) = (Seeded::new(seed), Whim::new(seed, 0));
            let mut before = battle.clone();
            let mut log = Log::on();
            battle.begin(&mut chance, &mut log);
            for n in 0..LIMIT {
                let at = format!("{} seed {seed}, decision {n} ({})", scenario.id, before.pending().kind());
                watch(&at, &before, log.events(), &battle);
                if battle.ending().is_some() {
                    break;
                }
                let action = battle.sample(&mut whim);
                before = battle.clone();
                log = Log::on();
                battle
                    .apply(&action, &mut chance, &mut log)
                    .unwrap_or_else(|e| panic!("{at}: {action:?}: {e}"));
            }
        }
    }
}

/// Fights every scenario for each seed and holds the system to the protocol: `legal`, `sample`, `candidates`,
/// `check` and `apply` agree; refused actions change nothing and draw nothing; invariants hold after every action;
/// the same seed gives the same hash.
pub fn battles<S: System>(system: S, seeds: Range<u64>) {
    for scenario in system.scenarios() {
        for seed in seeds.clone() {
            let fought = watched(system, scenario, seed);
            let again = fight(system, scenario, &Choices::default(), seed, |_, _, _| {});
            assert_eq!(fought.hash, again.hash, "{} seed {seed}: two runs differ", scenario.id);
            let Pending::Over(ending) = fought.battle.pending() else {
                panic!("{} seed {seed}: ended but not over", scenario.id);
            };
            assert!(!ending.reason.is_empty() && !ending.clause.is_empty(), "an ending says why");
        }
    }
}

/// One battle with every promise checked; the dear checks only now and then.
fn watched<S: System>(system: S, scenario: &ScenarioText, seed: u64) -> Fought<S::Battle> {
    let mut whim = Whim::new(seed, 1);
    let mut stale: Vec<<S::Battle as Battle>::Action> = Vec::new();
    fight(system, scenario, &Choices::default(), seed, |battle, action, n| {
        let at = || format!("{} seed {seed}, decision {n} ({})", scenario.id, battle.pending().kind());
        let broken = battle.broken_invariants();
        assert!(broken.is_empty(), "{}: {broken:?}", at());
        assert!(battle.check(action).is_ok(), "{}: sampled {action:?} does not pass check", at());
        if n % 7 == 0 {
            agree(battle, action, &mut whim, &at());
        }
        // Answers to other questions: mostly illegal now, and then they must change nothing.
        if let Some(old) = whim.one_of(&stale) {
            judged_alike(battle, old, &at());
        }
        if whim.chance(0.05) {
            stale.push(action.clone());
        }
    })
}

/// Listed, sampled and suggested answers all pass the check, and a listed decision lists what is sampled.
fn agree<B: Battle>(battle: &B, sampled: &B::Action, whim: &mut Whim, at: &str) {
    let Legal { listed, spaces } = battle.legal();
    assert!(!listed.is_empty() || !spaces.is_empty(), "{at}: nothing is legal");
    for action in &listed {
        assert!(
            battle.check(action).is_ok(),
            "{at}: listed {action:?} is refused: {:?}",
            battle.check(action)
        );
    }
    if spaces.is_empty() {
        assert!(listed.contains(sampled), "{at}: sampled {sampled:?} is not listed");
    }
    let candidates = battle.candidates(12, whim);
    assert!(!candidates.is_empty(), "{at}: no candidates");
    for action in candidates.iter().chain(listed.iter().take(4)) {
        judged_alike(battle, action, at);
        assert!(
            battle.check(action).is_ok(),
            "{at}: candidate {action:?} is refused: {:?}",
            battle.check(action)
        );
        assert!(battle.preview(action).is_ok(), "{at}: no preview of {action:?}");
        let json = serde_json::to_value(action).expect("actions are JSON");
        let back: B::Action =
            serde_json::from_value(json.clone()).unwrap_or_else(|e| panic!("{at}: {json}: {e}"));
        assert_eq!(&back, action, "{at}: an action changes on its way through JSON");
    }
}

/// `check` and `apply` judge alike; a refused action changes nothing and draws nothing.
fn judged_alike<B: Battle>(battle: &B, action: &B::Action, at: &str) {
    let checked = battle.check(action);
    let mut after = battle.clone();
    let mut seeded = Seeded::new(0);
    let mut chance = Witness::new(&mut seeded);
    let mut log = Log::on();
    let applied = after.apply(action, &mut chance, &mut log);
    assert_eq!(checked.as_ref().err(), applied.as_ref().err(), "{at}: check and apply differ on {action:?}");
    if let Err(illegal) = applied {
        assert!(!illegal.clause.is_empty() && !illegal.why.is_empty(), "{at}: a refusal says why");
        assert_eq!(after.hash(), battle.hash(), "{at}: refused {action:?} changed the battle");
        assert!(log.events().is_empty(), "{at}: refused {action:?} was logged");
        assert!(chance.draws.is_empty(), "{at}: refused {action:?} drew {:?}", chance.draws);
    }
}
