//! Whatever a player may point at is answered, within a counted amount of work: exactly where every way the dice can fall
//! can be walked, from samples otherwise. One answer that is too deep does not silence the others.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim, enumerate};
use tricorne_game::{AnyBattle, Choices, Effort, Forecast, Log, Seat, Umpire, UnitId, forecast};

/// As on the page, but by counted work alone: what is answered must not hang on how busy the machine is.
const COUNTED: Effort = Effort { paths: 400, samples: 60, within: None };

/// Everything a player may point at now: what is listed, and some of the ways over the table.
fn answers(battle: &dyn AnyBattle, whim: &mut Whim) -> Vec<serde_json::Value> {
    battle.candidates(battle.legal().listed.len() + 4, whim)
}

fn sound(forecast: &Forecast, what: &str) {
    assert!(forecast.runs <= COUNTED.paths + COUNTED.samples as usize, "{what}: {} runs", forecast.runs);
    for roll in &forecast.rolls {
        let sum: f64 = roll.ways.iter().map(|w| w.chance).sum();
        assert!(sum > 0.0 && sum < 1.0 + 1e-9, "{what}: {roll:?}");
        // What comes before anybody is asked may be counted where the rest is not.
        let (exact, sampled) =
            (roll.ways.iter().all(|w| w.give == 0.0), roll.ways.iter().all(|w| w.give > 0.0));
        assert!(exact || (sampled && forecast.samples.is_some()), "{what}: {roll:?}");
        assert!(sampled || forecast.samples.is_none() || forecast.supposed, "{what}: {roll:?}");
    }
}

/// A battle that the seat can't tell from this one has the same odds: what is hidden shows in nothing.
fn unseen(
    battle: &dyn AnyBattle,
    seat: Seat,
    action: &serde_json::Value,
    told: &Forecast,
    whim: &mut Whim,
    what: &str,
) {
    let known: Vec<UnitId> = battle.view(Some(seat)).units.iter().map(|u| u.id).collect();
    let named = told.rolls.iter().flat_map(|r| [r.who, r.whom]).flatten();
    named.for_each(|unit| assert!(known.contains(&unit), "{what}: {unit} is not known to the seat"));
    if hides(battle, seat) {
        let other = battle.imagined(seat, whim);
        if let Ok(same) = forecast(&*other, seat, action, COUNTED) {
            assert_eq!(same.rolls, told.rolls, "{what}: another hiding place has other odds");
        }
    }
}

/// Whether anybody knows of units that this seat does not.
fn hides(battle: &dyn AnyBattle, seat: Seat) -> bool {
    let known = |seat: Seat| -> Vec<UnitId> { battle.view(Some(seat)).units.iter().map(|u| u.id).collect() };
    let mine = known(seat);
    battle.seats().iter().any(|other| known(other.seat).iter().any(|unit| !mine.contains(unit)))
}

/// The deepest of what was pointed at.
#[derive(Default)]
struct Deepest {
    asked: usize,
    walked: usize,
    sampled: usize,
    supposed: usize,
    runs: usize,
    what: String,
}

/// Positions made one on the way change no odds: the same as along every path.
fn as_walked(battle: &dyn AnyBattle, seat: Seat, action: &serde_json::Value, told: &Forecast, what: &str) {
    let seen = battle.as_seen(seat);
    let known: Vec<UnitId> = battle.view(Some(seat)).units.iter().map(|u| u.id).collect();
    let odds = enumerate(3_000, |chance| {
        let mut log = Log::on();
        let _ = seen.after(action, chance, &mut log);
        let mut first: BTreeMap<(String, String), (Option<String>, Option<i32>)> = BTreeMap::new();
        for event in log.take().into_iter().filter(|e| e.known_to(Some(seat))) {
            if [event.who, event.whom].into_iter().flatten().all(|u| known.contains(&u)) {
                let sort = (event.what.clone(), format!("{:?} {:?}", event.who, event.whom));
                first.entry(sort).or_insert((event.outcome, event.made));
            }
        }
        first
    });
    let Some(odds) = odds else { return };
    for roll in &told.rolls {
        let sort = (roll.what.clone(), format!("{:?} {:?}", roll.who, roll.whom));
        for way in &roll.ways {
            let came = (way.outcome.clone(), way.made);
            let walked = odds.chance_of(|first| first.get(&sort) == Some(&came));
            assert!(
                (walked - way.chance).abs() < 1e-9,
                "{what}: {sort:?} {came:?}: {walked} or {}",
                way.chance
            );
        }
    }
}

#[test]
fn every_hover_of_every_system_is_answered() {
    for system in tricorne_shelf::systems() {
        let mut deepest = Deepest::default();
        for scenario in system.scenarios().iter().take(3) {
            let (_, file) = tricorne_shelf::scenario(scenario.id).unwrap();
            let umpire = Umpire::begin(*system, &file, &Choices::default(), 3.into()).unwrap();
            let mut battle = umpire.battle().boxed_clone();
            let (mut chance, mut whim) = (Seeded::new(3), Whim::new(3, 0));
            for n in 0..240 {
                let Some(seat) = battle.seat() else { break };
                if n % 12 == 0 {
                    for action in answers(&*battle, &mut whim).iter().take(24) {
                        let what = format!("{} at {n}: {action}", scenario.id);
                        let told = forecast(&*battle, seat, action, COUNTED)
                            .unwrap_or_else(|e| panic!("{what}: {e}"));
                        sound(&told, &what);
                        unseen(&*battle, seat, action, &told, &mut whim, &what);
                        if told.samples.is_none() && told.runs > 8 && deepest.asked % 5 == 0 {
                            as_walked(&*battle, seat, action, &told, &what);
                            deepest.walked += 1;
                        }
                        deepest.asked += 1;
                        deepest.sampled += usize::from(told.samples.is_some());
                        deepest.supposed += usize::from(told.supposed);
                        if told.runs > deepest.runs {
                            deepest = Deepest { runs: told.runs, what, ..deepest };
                        }
                    }
                }
                let proposals = battle.proposals(12, &mut whim);
                let best = proposals.iter().max_by(|a, b| a.promise.total_cmp(&b.promise)).unwrap();
                battle.apply(&best.action, &mut chance, &mut Log::off()).unwrap();
            }
        }
        println!(
            "{}: {} asked, {} from samples, {} with answers supposed; deepest {} runs: {}",
            system.about().id,
            deepest.asked,
            deepest.sampled,
            deepest.supposed,
            deepest.runs,
            deepest.what
        );
        assert!(deepest.asked > 100, "{}: only {} answers were looked at", system.about().id, deepest.asked);
    }
}
