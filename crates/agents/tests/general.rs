//! A general finds what a subaltern can't see, keeps to its budget, and knows no more than its seat.

use std::time::Duration;

use crate::toy::{Act, Toy};
use tricorne_agents::{Level, Player};
use tricorne_chance::Seed;
use tricorne_game::{AnyBattle, Seat};

fn general(level: &str, seed: u64, seat: u8) -> Player {
    Player::new(level.parse::<Level>().unwrap(), Seed::from(seed), Seat(seat))
}

#[test]
fn a_general_looks_several_decisions_ahead() {
    for (pile, right) in [(3, 3), (5, 1), (6, 2), (7, 3), (9, 1), (10, 2)] {
        let took = general("general:3000it", 1, 0).choose(&Toy::stones(pile));
        assert_eq!(took, Act::Take(right), "of {pile} stones");
    }
    let took = Player::new(Level::Subaltern, Seed::from(1), Seat(0)).choose(&Toy::stones(7));
    assert_eq!(took, Act::Take(1), "a subaltern can't see that, or the test shows nothing");
}

#[test]
fn a_general_weighs_the_dice() {
    let battle = Toy { pile: 0, gambles: vec![5, 6, 3, 4], ..Toy::stones(0) };
    for seed in 0..8 {
        assert_eq!(general("general:400it", seed, 0).choose(&battle), Act::Roll(3), "seed {seed}");
    }
    let thought = general("general:400it", 1, 0).think_any(&battle);
    let best = &thought.candidates[0];
    // Won on 3 to 6: two to one, so a third between lost and won.
    assert!((best.value.unwrap() - 1.0 / 3.0).abs() < 0.15, "{best:?}");
    assert!(thought.candidates.iter().map(|c| c.visits).sum::<u32>() == thought.tries);
}

#[test]
fn a_general_knows_only_what_its_seat_knows() {
    let doors = |mined, seat| Toy { pile: 0, mined: Some(mined), seat, ..Toy::stones(0) };
    for seed in 0..6 {
        let chosen: Vec<Act> =
            (0..3).map(|mined| general("general:200it", seed, 0).choose(&doors(mined, 0))).collect();
        assert!(chosen.iter().all(|c| *c == chosen[0]), "the secret shows in {chosen:?}");
        // Whoever laid the mine knows better than to walk into it.
        for mined in 0..3 {
            let chosen = general("general:200it", seed, 1).choose(&doors(mined, 1));
            assert_ne!(chosen, Act::Door(mined));
        }
    }
}

#[test]
fn a_team_wants_the_same() {
    // Seat 0 leaves 1 to 3 stones to seat 1, an enemy, or 4; after seat 1 comes seat 2, a friend. With 5 stones and
    // seats 0 (us), 1 (them), 2 (us), 3 (them) the right answer is the same as for two players.
    let battle = Toy { seats: 4, ..Toy::stones(5) };
    assert_eq!(general("general:3000it", 1, 0).choose(&battle), Act::Take(1));
}

#[test]
fn the_same_tries_give_the_same_answer_typed_or_not() {
    for seed in 0..10 {
        let battle = Toy { gambles: vec![3, 4], ..Toy::stones(11) };
        let typed = general("general:150it", seed, 0).choose(&battle);
        let any: &dyn AnyBattle = &battle;
        let thought = general("general:150it", seed, 0).think_any(any);
        assert_eq!(thought.action, serde_json::to_value(&typed).unwrap());
        assert_eq!(thought, general("general:150it", seed, 0).think_any(any));
    }
}

#[test]
fn one_answer_needs_no_thought() {
    let battle = Toy { pause: Duration::from_hours(1), ..Toy::stones(1) };
    let thought = general("general:10s", 1, 0).think_any(&battle);
    assert_eq!((thought.action, thought.tries), (serde_json::json!({ "take": 1 }), 0));
}

#[test]
fn a_general_looks_at_the_clock_between_any_two_steps() {
    // Each step takes 2 ms at least, so more than 20 of them can't begin within 40 ms; one may be under way.
    let battle = Toy { pause: Duration::from_millis(2), ..Toy::stones(60) };
    // Every core thinks.
    let lanes = std::thread::available_parallelism().map_or(1, |n| n.get().min(8)) as u64;
    let thought = general("general:40ms", 1, 0).think_any(&battle);
    assert!(thought.decisions <= 21 * lanes, "{} steps in 40 ms of 2 ms each", thought.decisions);
    // Even with no time for one whole try there is an answer.
    let battle = Toy { pause: Duration::from_millis(50), ..Toy::stones(60) };
    let thought = general("general:20ms", 1, 0).think_any(&battle);
    assert_eq!((thought.candidates.len(), thought.tries), (3, 0));
}

#[test]
fn a_temper_shows_where_a_certain_thing_stands_against_a_gamble() {
    // The pile is as good as even; the gamble wins a little less often than it loses.
    let verdict = |level: &str| {
        let thought = general(level, 1, 0).think_any(&Toy { standing: Some(0.0), ..Toy::stones(60) });
        thought.candidates[0].value.unwrap()
    };
    let (bold, even, cautious) =
        (verdict("bold-general:64it"), verdict("general:64it"), verdict("cautious-general:64it"));
    assert!(bold > even && even > cautious, "{bold} {even} {cautious}");
}

#[test]
fn a_brigadier_thinks_with_a_search_of_its_own() {
    let battle = Toy { gambles: vec![3, 4], ..Toy::stones(11) };
    let thought = general("brigadier:150it", 4, 0).think_any(&battle);
    assert_eq!(thought.tries, 150);
    assert_eq!(thought, general("brigadier:150it", 4, 0).think_any(&battle));
}
