//! What an editor needs to know of the scenario files: `drafting.toml`, with the troops of the nations.

use tricorne_drill::drafting::{read, troop};
use tricorne_game::drafting::Drafting;

use super::{figure, market};
use crate::rulebook::{DRAFTING, Rulebook};

/// Grounds, troops and fields of the scenario files; none if the rulebook's files were spoilt.
pub(crate) fn drafting() -> Option<Drafting> {
    let book = Rulebook::own();
    let nations = &market().lists.nations;
    let given = [("nations", nations.iter().map(|n| n.id.clone()).collect())];
    let mut draft = read(DRAFTING, &given).ok()?;
    let mut all = Vec::new();
    for nation in nations {
        for e in &nation.units {
            let p = book.profile(e.kind);
            let name = format!("{}: {}", nation.name, e.name);
            all.push(troop(&e.code, name, figure(p), format!("kind = \"{}\"", e.code)));
        }
    }
    draft.troops.splice(0..0, all);
    Some(draft)
}
