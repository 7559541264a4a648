//! Weak levels go wrong as people do: by the second best, not by nonsense.

use std::sync::Arc;

use crate::toy::{Act, Toy};
use tricorne_agents::{Level, Player};
use tricorne_chance::Seed;
use tricorne_game::{Judgement, Seat};

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
