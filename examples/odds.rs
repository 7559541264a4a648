//! Exact odds of an answer, from the very code that rolls it.

use tricorne_chance::Whim;
use tricorne_game::{Choices, Prospect, Umpire};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (action, odds) = first_exchange("crossing-the-veld", 3)?;
    println!("{action}");
    println!("{}", if odds.exact { "every outcome counted:" } else { "from samples:" });
    for unit in &odds.units {
        println!(
            "  {} loses {:.2} on average, and is gone in {:.1} of 100",
            unit.unit,
            unit.mean_loss,
            100.0 * unit.gone
        );
    }
    Ok(())
}

/// Plays at random until an answer may cost somebody men, and asks for its odds instead of rolling it.
fn first_exchange(
    scenario: &str,
    seed: u64,
) -> Result<(serde_json::Value, Prospect), Box<dyn std::error::Error>> {
    let (system, file) = tricorne_shelf::scenario(scenario)?;
    let mut umpire = Umpire::begin(system, &file, &Choices::default(), seed.into())?;
    let mut whim = Whim::new(seed, 0);
    while let Some(seat) = umpire.battle().seat() {
        let action = umpire.battle().sample(&mut whim);
        let odds = umpire.battle().odds(&action, 20_000)?;
        if odds.units.iter().any(|u| u.mean_loss > 0.0) {
            return Ok((action, odds));
        }
        umpire.act(seat, &action)?;
    }
    Err("nobody was ever in danger".into())
}

#[test]
fn the_odds_add_up() {
    let (_, odds) = first_exchange("crossing-the-veld", 3).unwrap();
    let sum: f64 = odds.ways.iter().map(|way| way.chance).sum();
    assert!((sum - 1.0).abs() < 1e-9);
}
