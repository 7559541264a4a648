//! A bot of one's own: it looks one answer ahead and takes what leaves its side best off on average.
//!
//! It sees what its seat may know (`imagined`), never the umpire's dice.

use tricorne_agents::{Level, Player};
use tricorne_chance::{Seeded, Whim};
use tricorne_game::{AnyBattle, Choices, Log, Seat, Side, Umpire};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let wins = (0..10).map(won).collect::<Result<Vec<_>, _>>()?.into_iter().filter(|&won| won).count();
    println!("the bot beat chance in {wins} of 10 battles");
    Ok(())
}

/// One battle of the bot against chance.
fn won(seed: u64) -> Result<bool, Box<dyn std::error::Error>> {
    let (system, file) = tricorne_shelf::scenario("the-disputed-valley")?;
    let mut umpire = Umpire::begin(system, &file, &Choices::default(), seed.into())?;
    let mut chance = Player::new(Level::Random, seed.into(), Seat(1));
    let mut whim = Whim::new(seed, 9);
    while let Some(seat) = umpire.battle().seat() {
        let action = match seat {
            Seat(0) => look_ahead(umpire.battle(), seat, &mut whim),
            _ => chance.choose_any(umpire.battle()),
        };
        umpire.act(seat, &action)?;
    }
    Ok(umpire.battle().ending().and_then(|ending| ending.winner) == Some(Side(0)))
}

fn look_ahead(battle: &dyn AnyBattle, seat: Seat, whim: &mut Whim) -> serde_json::Value {
    let imagined = battle.imagined(seat, whim);
    let worth = |action: &serde_json::Value| -> f64 {
        let tries = (0..4).map(|n| {
            let mut dice = Seeded::new(n);
            let after = imagined.after(action, &mut dice, &mut Log::off());
            after.map_or(-2.0, |after| after.standing(seat))
        });
        tries.sum()
    };
    let answers = battle.candidates(6, whim);
    answers.into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap_or_else(|| battle.sample(whim))
}

#[test]
fn the_bot_plays_a_battle_to_its_end() {
    won(1).unwrap();
}
