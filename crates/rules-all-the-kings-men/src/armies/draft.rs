//! What an editor needs to draw our scenario files: `drafting.toml`, with the units and grounds of the rulebook.

use tricorne_drill::drafting::{ground, read, troop};
use tricorne_game::drafting::Drafting;

use super::kind_name;
use super::paper::{arm, usual};
use crate::formations::SHAPES;
use crate::movement::terrain::Outline;
use crate::rulebook::{DRAFTING, Kind, Rulebook, most_privates};

/// What may be put where.
pub(crate) fn drafting() -> Drafting {
    let rules = Rulebook::own();
    let most = Kind::ALL.into_iter().map(most_privates).max().unwrap_or(1);
    let given = [
        ("lists", rules.lists.iter().map(|l| l.name.clone()).collect()),
        ("shapes", SHAPES.iter().map(ToString::to_string).collect()),
        ("privates", vec![most.to_string()]),
    ];
    // Compiled in: one that cannot be read is a fault of the program.
    let mut draft = read(DRAFTING, &given).unwrap_or_else(|e| panic!("{e}"));
    let pieces = rules.ground.kind.iter();
    draft.grounds.extend(pieces.map(|(kind, g)| ground(kind, g.look, g.shape == Outline::Area, "")));
    let units = Kind::ALL.map(|kind| {
        let body = format!("kind = \"{}\"\nshape = \"{}\"\n", kind.name(), usual(kind));
        troop(kind.name(), kind_name(kind), arm(kind), body)
    });
    draft.troops.splice(0..0, units);
    draft
}
