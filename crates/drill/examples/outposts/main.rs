//! A rulebook of one's own: *Outposts*, a page of rules, whole. `docs/a-rulebook-of-your-own.md` walks through it.
//!
//!     cargo run -p tricorne-drill --example outposts [SEED]

mod outposts;

use outposts::Outposts;
use tricorne_chance::Whim;
use tricorne_game::{Choices, Source, Story, System, Umpire};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let seed: u64 = std::env::args().nth(1).map_or(Ok(1), |text| text.parse())?;
    let scenario = Outposts.scenarios()[0];
    let mut umpire =
        Umpire::begin(&Outposts, &Source::new(scenario.id, scenario.text), &Choices::default(), seed.into())?;
    let mut whim = Whim::new(seed, 0);
    while let Some(seat) = umpire.battle().seat() {
        let best = umpire.battle().proposals(4, &mut whim);
        let Some(best) = best.first() else { break };
        umpire.act(seat, &best.action.clone())?;
        let view = umpire.battle().view(None);
        let story = Story::new(Outposts.stories(), &view);
        for event in umpire.turned().last().into_iter().flat_map(|t| &t.events) {
            println!("{}", story.tell(event).unwrap_or_default());
        }
    }
    println!("{:?}", umpire.battle().pending());
    Ok(())
}
