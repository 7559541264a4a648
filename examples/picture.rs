//! A table drawn as SVG: `cargo run -p tricorne-examples --example picture > table.svg`.

use tricorne_game::{Choices, Umpire};
use tricorne_picture::{Style, svg};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("{}", drawn("the-two-millers")?);
    Ok(())
}

fn drawn(scenario: &str) -> Result<String, Box<dyn std::error::Error>> {
    let (system, file) = tricorne_shelf::scenario(scenario)?;
    let umpire = Umpire::begin(system, &file, &Choices::default(), 1.into())?;
    // A view is what a seat may know; none is a spectator.
    Ok(svg(&umpire.battle().view(None), &Style::wide(1400)))
}

#[test]
fn the_table_is_drawn() {
    assert!(drawn("the-two-millers").unwrap().starts_with("<svg"));
}
