//! What an editor needs to know of the scenario files: `drafting.toml`, with the troops of the nations.

use tricorne_drill::drafting::{read, troop};
use tricorne_game::Choices;
use tricorne_game::drafting::Drafting;

use super::lists::profile;
use super::{figure, market};
use crate::rulebook::{DRAFTING, Rulebook};

/// Grounds, troops and fields of the scenario files; none if the rulebook's files were spoilt.
pub(crate) fn drafting() -> Option<Drafting> {
    let book = Rulebook::of(&Choices::default()).ok()?;
    let nations = &market()?.lists.nations;
    let given = [("nations", nations.iter().map(|n| n.id.clone()).collect())];
    let mut draft = read(DRAFTING, &given).ok()?;
    let mut all = Vec::new();
    for nation in nations {
        for e in &nation.units {
            let (_, p) = profile(&book, &e.kind)?;
            let name = format!("{}: {}", nation.name, e.name);
            all.push(troop(&e.code, name, figure(p), format!("kind = \"{}\"", e.code)));
        }
    }
    draft.troops.splice(0..0, all);
    Some(draft)
}
