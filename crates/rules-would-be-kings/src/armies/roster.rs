//! An army on paper.

use tricorne_game::army::{Army, Roster, RosterBase, RosterUnit};
use tricorne_game::view::Note;

use super::reference::needs;
use super::{Found, arm, check_army, found_units, kept_leader, value_notes};
use crate::field::Card;
use crate::model::base::{FIGURE, GUN};
use crate::state::{Character, IMPERIAL};
use crate::tables::rulebook::{Class, Drill, Rulebook};

/// The bases of a unit (WBK-MOD-05).
fn bases(card: &Card) -> Vec<RosterBase> {
    let deep = if card.mounted { FIGURE * 4.0 } else { FIGURE * 2.0 };
    let figure = (FIGURE * 2.0, deep);
    let mut bases = vec![
        RosterBase::new("Leader", 1_u32, figure),
        RosterBase::new("", card.start.saturating_sub(1), figure),
    ];
    if card.is_crewed() {
        bases.push(RosterBase::new("Gun", 1_u32, (GUN * 2.0, GUN * 2.0)));
    }
    bases
}

/// What the rules that a roster reminds of ask about a unit.
fn is(card: &Card, what: &str) -> bool {
    let tribal = card.drill == Drill::Tribal;
    match what {
        "tribal foot" => card.class == Class::Infantry && tribal,
        "drilled foot" => card.class == Class::Infantry && !tribal,
        "cavalry" => card.class == Class::Cavalry,
        "crewed" => card.is_crewed(),
        "close order" => card.closes,
        "tribal" => tribal,
        "goes to ground" => card.ignores_ground() || card.fieldcraft,
        "jams" => card.weapon.jams,
        "field gun" => !card.weapon.jams && card.weapon.ignores_cover > 0,
        _ => false,
    }
}

/// An army on paper; none if it can't be read.
pub(crate) fn roster(book: &Rulebook, army: &Army) -> Option<Roster> {
    let found: Vec<Found> = found_units(book, army, IMPERIAL).into_iter().collect::<Result<_, _>>().ok()?;
    let report = check_army(book, army);
    let list =
        if let Some(force) = book.force(&army.list) { force.name.clone() } else { "free choice".into() };
    let mut units = Vec::new();
    let mut characters: Vec<Character> = Vec::new();
    for (unit, found) in army.units.iter().zip(&found) {
        let card = &found.card;
        let mut values = Vec::new();
        let leader = kept_leader(unit).ok().flatten();
        let led = leader.map_or_else(|| "to be rolled".to_owned(), |(l, _)| format!("{l}+"));
        values.push(Note::new("Leadership", led, Some("WBK-ACT-02")));
        if let Some((_, character)) = leader.filter(|l| l.1 != Character::Unremarkable) {
            values.push(Note::new("Leader", character.name(), Some("WBK-LEAD-07")));
            if !characters.contains(&character) {
                characters.push(character);
            }
        }
        values.extend(value_notes(card));
        units.push(RosterUnit {
            name: if card.name.is_empty() { card.kind_name.clone() } else { card.name.clone() },
            kind: card.kind_name.clone(),
            points: f64::from(card.points),
            boxes: vec![(
                if card.is_crewed() { "Crew".into() } else { "Models".into() },
                u32::from(card.start),
            )],
            values,
            bases: bases(card),
            arm: arm(card.class),
        });
    }
    let mut rules = needs(book, &|what| found.iter().any(|f| is(&f.card, what)))?;
    for character in characters {
        let effect = book.characters.iter().find(|c| c.name == character).map(|c| c.effect.clone());
        rules.push(Note::new(character.name(), effect.unwrap_or_default(), Some("WBK-LEAD-07")));
    }
    Some(Roster {
        title: army.name.clone(),
        subtitle: format!("{list}, {} of {} points", report.points, report.limit),
        units,
        rules,
    })
}
