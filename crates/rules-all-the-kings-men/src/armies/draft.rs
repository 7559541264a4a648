//! What an editor needs to draw our scenario files: `drafting.toml`, with the units and grounds of the rulebook.

use tricorne_drill::drafting::{ground, read, troop};
use tricorne_game::drafting::Drafting;

use super::paper::{arm, usual};
use super::{books, kind_name};
use crate::formations::SHAPES;
use crate::movement::terrain::Outline;
use crate::rulebook::{DRAFTING, Kind, most_privates};

/// What may be put where.
pub(crate) fn drafting() -> Option<Drafting> {
    let (rules, _) = books()?;
    let most = Kind::ALL.into_iter().map(|k| most_privates(k.name())).max().unwrap_or(1);
    let given = [
        ("lists", rules.lists.iter().map(|l| l.name.clone()).collect()),
        ("shapes", SHAPES.iter().map(ToString::to_string).collect()),
        ("privates", vec![most.to_string()]),
    ];
    let mut draft = read(DRAFTING, &given).ok()?;
    let pieces = rules.ground.kind.iter();
    draft.grounds.extend(pieces.map(|(kind, g)| ground(kind, g.look, g.shape == Outline::Area, "")));
    let units = Kind::ALL.map(|kind| {
        let body = format!("kind = \"{}\"\nshape = \"{}\"\n", kind.name(), usual(kind));
        troop(kind.name(), kind_name(kind), arm(kind), body)
    });
    draft.troops.splice(0..0, units);
    Some(draft)
}
