//! Whatever a player may point at is answered, within a counted amount of work: exactly where every way the dice can fall
//! can be walked, from samples otherwise. One answer that is too deep does not silence the others.

use std::collections::BTreeMap;

use tricorne_chance::{Seeded, Whim, enumerate};
use tricorne_game::case::Case;
use tricorne_game::{
    AnyBattle, Choices, Effort, Forecast, Log, Purpose, Seat, Source, Umpire, UnitId, forecast,
};

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
        // What comes first may be counted where the rest is not.
        let (exact, sampled) =
            (roll.ways.iter().all(|w| w.give == 0.0), roll.ways.iter().all(|w| w.give > 0.0));
        assert!(exact || (sampled && forecast.samples.is_some()), "{what}: {roll:?}");
        let certain = forecast.samples.is_none() || forecast.supposed || sum > 1.0 - 1e-9;
        assert!(sampled || certain, "{what}: {roll:?}");
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

/// A charge in von Futsch: nothing is thrown before the battery has said how it meets it.
const CHARGED: &str = r#"
format = 1
ruleset = "von-futsch"
title = "A battery is charged"
clauses = ["VF-CHARGE-09"]

[position]
acting = "R1"

[[position.unit]]
id = "R1"
kind = "infantry"
formation = "line"
at = [30, 20]
facing = 0

[[position.unit]]
id = "B6"
kind = "artillery"
formation = "unlimbered"
at = [30, 28]
facing = 180

[[position.unit]]
id = "B9"
kind = "infantry"
formation = "line"
at = [60, 45]
"#;

#[test]
fn how_others_meet_it_is_supposed() {
    let case = Case::read(&Source::new("charged", CHARGED)).unwrap();
    let system = *tricorne_shelf::systems().iter().find(|s| s.about().id == case.ruleset).unwrap();
    let position = Source::new("charged", case.position_text());
    let mut battle = system.set_up(&position, &Choices::default(), Purpose::Position).unwrap();
    let (seat, mut chance) = (battle.seat().unwrap(), Seeded::new(1));
    battle.apply(&"charge".into(), &mut chance, &mut Log::off()).unwrap();
    let charge = serde_json::json!({ "charge_at": { "target": "B6" } });
    let effort = Effort { paths: 400, samples: 400, within: None };
    let told = forecast(&*battle, seat, &charge, effort).unwrap();
    assert!(told.supposed && told.samples == Some(400));
    let find = |what: &str| told.rolls.iter().find(|roll| roll.what == what);
    let volley = find("fire").unwrap_or_else(|| panic!("no fire in {:?}", told.rolls));
    assert_eq!(volley.who.map(|u| u.to_string()).as_deref(), Some("B6"));
    // Four dice at best: every number of hits may come, and none is certain.
    assert!(volley.ways.len() > 2 && volley.ways.iter().all(|way| way.give > 0.0), "{volley:?}");
    assert!(find("melee").is_some(), "it is not followed to the fight: {:?}", told.rolls);

    // What the battery says is open: its own odds are counted, from the same position.
    battle.apply(&charge, &mut chance, &mut Log::off()).unwrap();
    let other = battle.seat().unwrap();
    assert_ne!(other, seat);
    let fire = forecast(&*battle, other, &serde_json::json!({ "respond": "fire" }), effort).unwrap();
    let answered = fire.rolls.iter().find(|roll| roll.what == "fire").unwrap();
    for way in &answered.ways {
        let same = volley.ways.iter().find(|w| (&w.outcome, w.made) == (&way.outcome, way.made));
        let (chance, give) = same.map_or((0.0, 0.05), |w| (w.chance, w.give.max(0.02)));
        assert!((chance - way.chance).abs() < 2.0 * give, "{way:?} was foretold as {chance} ±{give}");
    }
}
