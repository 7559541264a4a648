//! A battle between two programs, told as it goes, and its journal at the end.

use tricorne_agents::{Level, Player};
use tricorne_game::{Choices, Seat, Story, Umpire};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for line in fight("crossing-the-veld", 7)? {
        println!("{line}");
    }
    Ok(())
}

/// Fights a shipped scenario to its end and returns the story.
fn fight(scenario: &str, seed: u64) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let (system, file) = tricorne_shelf::scenario(scenario)?;
    let mut umpire = Umpire::begin(system, &file, &Choices::default(), seed.into())?;
    let mut players = [0, 1].map(|seat| Player::new(Level::Subaltern, seed.into(), Seat(seat)));
    let mut told = Vec::new();
    while let Some(seat) = umpire.battle().seat() {
        let action = players[usize::from(seat.0)].choose_any(umpire.battle());
        umpire.act(seat, &action)?;
        let view = umpire.battle().view(None);
        let story = Story::new(system.stories(), &view);
        told.extend(umpire.turned().last().into_iter().flat_map(|t| &t.events).filter_map(|e| story.tell(e)));
    }
    // Every die comes from the seed: the journal is the scenario, the seed and the actions, and replays anywhere.
    let journal = umpire.journal();
    journal.replay(system, None)?;
    told.extend(umpire.battle().ending().map(|ending| ending.reason));
    Ok(told)
}

#[test]
fn the_battle_is_told() {
    let told = fight("crossing-the-veld", 7).unwrap();
    assert!(told.len() > 50 && told == fight("crossing-the-veld", 7).unwrap());
}
