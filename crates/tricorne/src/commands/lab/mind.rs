//! Weights of judgement as the command line names them.

use std::path::Path;
use std::sync::Arc;

use tricorne_agents::Level;
use tricorne_game::{AnySystem, Judgement, Source};

use crate::failure::{Failure, Outcome};
use crate::files;

/// The weights of the rulebook.
pub fn standard(system: &dyn AnySystem) -> Result<Judgement, Failure> {
    let id = system.about().id;
    system.judgement().ok_or_else(|| Failure::wrong(format!("{id} has no weights of its judgement as data")))
}

/// Weights from a file, over those of the rulebook.
pub fn weights(system: &dyn AnySystem, path: &Path) -> Result<Arc<Judgement>, Failure> {
    let file = Source::new(files::name(path), files::read_text(path)?);
    Ok(Arc::new(Judgement::read(&file, &standard(system)?)?))
}

/// Whether all that players with weights of their own weigh is weighed in this system.
pub fn fits(system: &dyn AnySystem, players: &[Level]) -> Outcome {
    for player in players {
        if let Level::Taught(_, _, taught) = player {
            Judgement::read(taught.file(), &standard(system)?)?;
        }
    }
    Ok(())
}
