//! Weak levels go wrong as people do: by the second best, not by nonsense.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::toy::{Act, Toy};
use tricorne_agents::{Level, Player, Rank};
use tricorne_chance::{Seed, Seeded};
use tricorne_game::{Battle, Choices, Frailty, Judgement, Log, Purpose, Seat, Source, System};
use tricorne_rules_would_be_kings::WouldBeKings;

/// How often each of five answers was taken, of 400: promise falls from 1 by a tenth each, and the last is absurd.
fn taken(level: &str) -> [u32; 5] {
    let battle = Toy {
        pile: 0,
        gambles: vec![2, 3, 4, 5, 6],
        promises: vec![1.0, 0.9, 0.8, 0.7, -9.0],
        ..Toy::stones(0)
    };
    let mut counts = [0; 5];
    for seed in 0..400 {
        let level: Level = level.parse().unwrap();
        match Player::new(level, Seed::from(seed), Seat(0)).choose(&battle) {
            Act::Roll(least) => counts[usize::from(least) - 2] += 1,
            other => panic!("{other:?}"),
        }
    }
    counts
}

#[test]
fn the_weaker_the_level_the_more_often_it_errs() {
    let best: Vec<u32> = ["recruit", "corporal", "sergeant", "subaltern"].map(|level| taken(level)[0]).into();
    assert!(best.windows(2).all(|two| two[0] + 20 < two[1]), "{best:?}");
    assert_eq!(best[3], 400, "a subaltern takes what looks best");
}

#[test]
fn nobody_does_what_is_absurd() {
    for level in ["recruit", "corporal", "sergeant"] {
        let counts = taken(level);
        assert_eq!(counts[4], 0, "{level}: {counts:?}");
        assert!(counts[..3].windows(2).all(|two| two[0] > two[1]), "the better the likelier: {counts:?}");
    }
}

#[test]
fn a_weak_level_plays_the_same_battle_the_same_way() {
    let battle = Toy { gambles: vec![2, 3, 4], ..Toy::stones(20) };
    let fought = |seed: u64| -> Vec<Act> {
        let mut player = Player::new("recruit".parse().unwrap(), Seed::from(seed), Seat(0));
        (0..30).map(|_| player.choose(&battle)).collect()
    };
    assert_eq!(fought(1), fought(1));
    assert_ne!(fought(1), fought(2));
}

#[test]
fn a_player_heeds_weights_of_its_own() {
    let battle = Toy { pile: 0, gambles: vec![2, 3], promises: vec![1.0, 0.5], ..Toy::stones(0) };
    let own = |weight: f64| {
        let weighs = [("last".to_owned(), weight)].into();
        Arc::new(Judgement { weighs, ..Judgement::default() })
    };
    let player = || Player::new(Level::Subaltern, Seed::from(1), Seat(0));
    assert_eq!(player().choose(&battle), Act::Roll(2));
    assert_eq!(player().heeding(&own(2.0)).choose(&battle), Act::Roll(3));
    assert_eq!(player().heeding(&own(0.0)).choose(&battle), Act::Roll(2));
}

#[test]
fn weights_come_from_a_file_by_whoever_started_us() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "[weighs]\nlast = 2.0\n").unwrap();
    let name = format!("subaltern@{}", path.display());
    let level = Level::anybody(&name).unwrap();
    assert!(level.to_string().starts_with("subaltern@mine.toml#"), "{level}");
    let battle = Toy { pile: 0, gambles: vec![2, 3], promises: vec![1.0, 0.5], ..Toy::stones(0) };
    assert_eq!(Player::new(level, Seed::from(1), Seat(0)).choose(&battle), Act::Roll(3));
    assert!(name.parse::<Level>().is_err() && Level::for_guests(&name).is_err(), "strangers read no files");
    assert!(Level::anybody("ensign@mine.toml").unwrap_err().contains("goes by no weights"));
    assert!(Level::anybody("subaltern@nowhere.toml").unwrap_err().contains("nowhere.toml"));
}

/// A battle of a real system, its `judgement.toml` with these lines over the rulebook's.
fn kings(weights: &str) -> Result<<WouldBeKings as System>::Battle, String> {
    let scenario = WouldBeKings.scenarios()[0];
    let mut choices = Choices::default();
    choices.data.insert("judgement.toml".into(), weights.into());
    let file = Source::new(scenario.id, scenario.text);
    let mut battle =
        WouldBeKings.set_up(&file, &choices, Purpose::Scenario).map_err(|fault| fault.to_string())?;
    battle.begin(&mut Seeded::new(7), &mut Log::off());
    Ok(battle)
}

/// What a level does in the first of a battle against itself.
fn fought(level: &str, weights: &str) -> Vec<serde_json::Value> {
    let mut battle = kings(weights).unwrap();
    let level: Level = level.parse().unwrap();
    let mut players = [0, 1].map(|seat| Player::new(level, 7.into(), Seat(seat)));
    let mut dice = Seeded::new(7);
    let mut told = Vec::new();
    while let Some(seat) = battle.seat().filter(|_| told.len() < 120) {
        let answer = players[seat.index()].choose_any(&battle);
        tricorne_game::AnyBattle::apply(&mut battle, &answer, &mut dice, &mut Log::off()).unwrap();
        told.push(answer);
    }
    told
}

#[test]
fn how_weak_a_rank_is_stands_in_the_rulebook() {
    let subaltern = fought("subaltern", "");
    for rank in Frailty::RANKS {
        let lines = |name: &str, number: &str| format!("[frailty.{rank}]\n{name} = {number}\n");
        let none = format!("[frailty.{rank}]\nsecond_best = 0.0\nforgets = 0.0\nmisjudges = 0.0\n");
        assert_eq!(fought(rank, &none), subaltern, "a {rank} without weakness is a subaltern");
        let shipped = fought(rank, "");
        assert_ne!(shipped, subaltern, "{rank}");
        for (name, number) in [("second_best", "0.9"), ("forgets", "0.95"), ("misjudges", "2.5")] {
            assert_ne!(fought(rank, &lines(name, number)), shipped, "{rank}: {name}");
        }
    }
    assert_eq!(fought("subaltern", "[frailty.recruit]\nforgets = 0.9"), subaltern);
}

#[test]
fn a_wrong_weakness_is_refused_with_its_place() {
    let why = kings("[frailty.recruit]\nforgets = 2.0").map(|_| ()).unwrap_err();
    assert!(why.contains("judgement.toml:2") && why.contains("from 0 to 1"), "{why}");
    let why = kings("[frailty.general]\nforgets = 0.1").map(|_| ()).unwrap_err();
    assert!(why.contains("recruit, corporal, sergeant"), "{why}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    std::fs::write(&path, "[frailty.recruit]\nforget = 0.5\n").unwrap();
    let why = Level::anybody(&format!("recruit@{}", path.display())).unwrap_err();
    assert!(why.contains("mine.toml:2") && why.contains("did you mean `forgets`?"), "{why}");
}

#[test]
fn the_ranks_that_have_weaknesses_are_the_weakest() {
    let names: Vec<String> =
        Rank::ALL.map(|rank| Level::officer(rank, tricorne_game::Temper::Even).to_string()).into();
    assert_eq!(names[..3], Frailty::RANKS);
}

/// A server begins a player anew for each decision, with another seed.
#[test]
fn what_is_forgotten_stays_forgotten_in_a_battle_with_a_name() {
    let mut battle = kings("[frailty.recruit]\nsecond_best = 0.0\nforgets = 0.5\nmisjudges = 0.0").unwrap();
    let mut officer = Player::new(Level::Subaltern, 1.into(), Seat(0));
    let mut answer = officer.choose_any(&battle);
    while answer.get("activate").is_none() {
        tricorne_game::AnyBattle::apply(&mut battle, &answer, &mut Seeded::new(7), &mut Log::off()).unwrap();
        answer = officer.choose_any(&battle);
    }
    let seat = battle.seat().unwrap();
    // What a recruit may answer, whatever the decision's own seed.
    let answers = |name: Option<&str>| -> BTreeSet<String> {
        let player = |seed: u64| Player::new("recruit".parse().unwrap(), seed.into(), seat);
        let of_battle = |player: Player| match name {
            Some(name) => player.in_battle(name, seat),
            None => player,
        };
        (0..40).map(|seed| of_battle(player(seed)).choose_any(&battle).to_string()).collect()
    };
    let any = answers(None);
    let named: Vec<_> = (0..8).map(|n| answers(Some(&format!("battle {n}")))).collect();
    let fewer = named.iter().filter(|some| some.len() < any.len()).count();
    assert!(fewer >= 5 && named.windows(2).any(|two| two[0] != two[1]), "{named:?} {any:?}");
}
