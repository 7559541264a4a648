//! An army on paper.

use tricorne_game::army::{Army, Roster, RosterBase, RosterUnit};
use tricorne_game::view::{Arm, Note};

use super::{Found, check_army, found_units, kept_leader, value_notes};
use crate::field::Card;
use crate::model::base::{FIGURE, GUN};
use crate::state::{Character, IMPERIAL};
use crate::tables::rulebook::{self, Class, Drill, Rulebook};

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

/// The words of a clause.
pub(crate) fn words(id: &str) -> String {
    rulebook::book().clause(id).map(tricorne_game::Clause::statement).unwrap_or_default()
}

/// The clauses a unit needs at hand, by what it is.
fn needs(card: &Card) -> Vec<(&'static str, &'static str)> {
    let mut needs: Vec<(&str, &str)> = Vec::new();
    match (card.class, card.drill) {
        (Class::Infantry, Drill::Tribal) => {
            needs.extend([("Tribal Infantry", "WBK-ACT-09"), ("Tribal Infantry", "WBK-MOVE-08")]);
        }
        (Class::Infantry, _) => needs.push(("Infantry", "WBK-ACT-08")),
        (Class::Cavalry, _) => {
            needs.extend([("Cavalry", "WBK-ACT-10"), ("Cavalry", "WBK-ATT-30"), ("Cavalry", "WBK-ATT-33")]);
        }
        (Class::Crewed, _) => {
            needs.extend([
                ("Crewed weapons", "WBK-ACT-11"),
                ("Crewed weapons", "WBK-ATT-07"),
                ("Crewed weapons", "WBK-FIRE-05"),
            ]);
        }
    }
    if card.closes {
        needs.extend([
            ("Close Order", "WBK-CLOSE-02"),
            ("Close Order", "WBK-CLOSE-03"),
            ("Close Order", "WBK-CLOSE-08"),
            ("Close Order", "WBK-CLOSE-09"),
            ("Close Order", "WBK-CLOSE-10"),
            ("Volley", "WBK-VOLLEY-02"),
            ("Volley", "WBK-VOLLEY-03"),
            ("Volley", "WBK-VOLLEY-04"),
        ]);
    }
    if card.class == Class::Cavalry || card.drill == Drill::Tribal {
        needs.push(("At the Double", "WBK-DBL-04"));
    }
    if card.ignores_ground() || card.fieldcraft {
        needs.extend([("Going to ground", "WBK-GTG-04"), ("Going to ground", "WBK-GTG-07")]);
    }
    if card.weapon.jams {
        needs.extend([("Machine gun", "WBK-FIRE-25"), ("Machine gun", "WBK-FIRE-26")]);
    } else if card.weapon.ignores_cover > 0 {
        needs.extend([("Field gun", "WBK-FIRE-24"), ("Field gun", "WBK-FIRE-28")]);
    }
    needs
}

/// An army on paper; none if it can't be read.
pub(crate) fn roster(book: &Rulebook, army: &Army) -> Option<Roster> {
    let found: Vec<Found> = found_units(book, army, IMPERIAL).into_iter().collect::<Result<_, _>>().ok()?;
    let report = check_army(book, army);
    let list =
        if let Some(force) = book.force(&army.list) { force.name.clone() } else { "free choice".into() };
    let mut rules: Vec<Note> = Vec::new();
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
        for (label, clause) in needs(card) {
            if !rules.iter().any(|r| r.clause.as_deref() == Some(clause)) {
                rules.push(Note::new(label, words(clause), Some(clause)));
            }
        }
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
            arm: match card.class {
                Class::Infantry => Arm::Infantry,
                Class::Cavalry => Arm::Cavalry,
                Class::Crewed => Arm::Artillery,
            },
        });
    }
    for character in characters {
        let effect = book.characters.iter().find(|c| c.name == character).map(|c| c.effect.clone());
        rules.push(Note::new(character.name(), effect.unwrap_or_default(), Some("WBK-LEAD-07")));
    }
    for (label, clause) in [
        ("Pinned", "WBK-PIN-05"),
        ("Pinned", "WBK-PIN-06"),
        ("Rally", "WBK-RALLY-05"),
        ("Rally", "WBK-RALLY-07"),
    ] {
        rules.push(Note::new(label, words(clause), Some(clause)));
    }
    Some(Roster {
        title: army.name.clone(),
        subtitle: format!("{list}, {} of {} points", report.points, report.limit),
        units,
        rules,
    })
}
