//! What an editor needs to know of the scenario files: `drafting.toml`, with the words of the model.

use tricorne_drill::drafting::read;
use tricorne_game::drafting::Drafting;

use crate::model::{Kind, Quality};
use crate::rulebook::DRAFTING;

/// Where things stand in a scenario file, and what may be put there.
///
/// # Panics
/// When the compiled-in file is wrong, which the tests rule out.
pub(crate) fn drafting() -> Drafting {
    let mut formations: Vec<String> = Vec::new();
    for kind in [Kind::Infantry, Kind::Heavy, Kind::Artillery, Kind::Skirmish, Kind::Wagon] {
        for formation in kind.formations() {
            if !formations.iter().any(|f| f == formation.name()) {
                formations.push(formation.name().into());
            }
        }
    }
    let qualities = [Quality::Elite, Quality::Normal, Quality::Poor].map(|q| q.name().to_owned()).to_vec();
    read(DRAFTING, &[("qualities", qualities), ("formations", formations)])
        .unwrap_or_else(|fault| panic!("{fault}"))
}
