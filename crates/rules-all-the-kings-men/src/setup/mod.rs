//! From a file to a battle: scenarios and positions, with faults that name the place.

pub(crate) mod arrive;
pub(crate) mod deploy;
pub(crate) mod forces;
mod ground;
pub(crate) mod place_general;
mod position;
mod room;
pub(crate) mod scenario;
mod troops;
mod upgrade;
pub(crate) mod zone;

use std::collections::BTreeMap;
use std::sync::Arc;

use arrayvec::ArrayVec;
use tricorne_chance::Suit;
use tricorne_drill::readings;
use tricorne_drill::scenario::Scenario;
use tricorne_drill::words::capital;
use tricorne_game::case::Scalar;
use tricorne_game::{Choices, Fault, Place, Purpose, Side, Source};

use crate::field::{ARMIES, Engagement, Field, RandomForces, army_name};
use crate::judgement::terms;
use crate::options::Options;
use crate::rulebook::{self, Rulebook};
use crate::setup::forces::Muster;
use crate::setup::scenario::{BattleFile, Phase, Words};
use crate::state::{Stage, State};
use crate::turn::cards;

/// Reads a file and the rulebook for it.
pub(crate) struct Clerk<'a> {
    pub(crate) file: &'a Source,
    rules: Arc<Rulebook>,
    purpose: Purpose,
}

/// Sets up a battle from a file of either format.
pub(crate) fn set_up(file: &Source, choices: &Choices, purpose: Purpose) -> Result<Engagement, Fault> {
    Scenario::<Words>::open(file, choices, purpose, |file, read| build(file, &read, choices, purpose))
}

fn build(
    file: &Source,
    written: &BattleFile,
    choices: &Choices,
    purpose: Purpose,
) -> Result<Engagement, Fault> {
    let rules = Rulebook::with(choices)?;
    let clerk = Clerk { file, rules, purpose };
    clerk.no_position(written)?;
    let options = clerk.options(written, choices)?;
    let table = clerk.table(written)?;
    let land = clerk.land(written, table)?;
    let (seats, generals) = clerk.seats(written, &land)?;
    let units = clerk.units(written, &options, &generals)?;
    let mut names = BTreeMap::new();
    for unit in written.units.iter().filter(|unit| !unit.name.is_empty()) {
        names.insert(unit.id, unit.name.clone());
    }
    let suits = clerk.suits(written)?;
    let objectives = clerk.objectives(written)?;
    let zones = clerk.zones(written, table, &options)?;
    let arrivals = clerk.arrivals(written, table, &options)?;
    let army = |army: Side| {
        let side = &written.sides[army.index()];
        if side.name == side.id { capital(army_name(army)) } else { side.name.clone() }
    };
    let rolls =
        ARMIES.map(|army| written.sides[army.index()].own.rolls.map_or(0, |r| r.number(&clerk.rules)));
    let field = Field {
        options,
        land,
        title: written.title.clone(),
        army_names: ARMIES.map(army),
        seats,
        names,
        objectives,
        zones,
        arrivals,
        forces: RandomForces { rolls },
        suits,
        rules: Arc::clone(&clerk.rules),
    };
    let state = State {
        turn: 0,
        stage: Stage::Muster,
        units,
        generals,
        deck: cards::deck(suits),
        play: None,
        activation: None,
        overrun: ArrayVec::new(),
        rotation: [0, 0],
        began: [0, 0],
        began_privates: [0, 0],
        began_points: [0, 0],
        scored: [0, 0],
        quiet: 0,
        blood: false,
        loss: false,
        grown: [0, 0],
        placing: Side(0),
        opening: None,
        outcome: None,
    };
    let mut battle = Engagement { field: Arc::new(field), state, mind: terms::mind(choices)? };
    clerk.check_armies(written, &battle)?;
    clerk.place_units(written, &mut battle)?;
    if purpose == Purpose::Position {
        Clerk::clear_corners(written, &mut battle);
    }
    clerk.check_generals(&battle)?;
    if purpose == Purpose::Position {
        clerk.position(written, &mut battle)?;
    }
    Ok(battle)
}

/// An option that older files may still name: the rulebook leaves nothing to choose there any more (ATKM-UNIT-07).
fn is_withdrawn(name: &str, value: &str) -> Result<bool, String> {
    match (name, value) {
        ("skirmisher_is_infantry", "no") => Ok(true),
        ("skirmisher_is_infantry", _) => {
            Err("is withdrawn: skirmishers are never meant by infantry [ATKM-UNIT-07]; leave it out".into())
        }
        _ => Ok(false),
    }
}

impl Clerk<'_> {
    pub(crate) fn fault<T>(&self, place: &[Place], why: impl Into<String>) -> Result<T, Fault> {
        Err(self.file.fault(place, why))
    }

    /// A scenario starts at the start: what only a position says is a mistake in it.
    fn no_position(&self, written: &BattleFile) -> Result<(), Fault> {
        if self.purpose == Purpose::Position {
            return Ok(());
        }
        let said = [
            ("turn", written.own.turn.is_some()),
            ("phase", written.own.phase.is_some()),
            ("card", written.own.card.is_some()),
            ("deck", written.own.deck.is_some()),
            ("drawn", !written.own.drawn.is_empty()),
            ("acting", written.own.acting.is_some()),
            ("beneficiary", written.own.beneficiary.is_some()),
            ("left", written.own.left.is_some()),
            ("active", written.own.active.is_some()),
            ("began", written.own.began.is_some()),
        ];
        match said.into_iter().find(|(_, there)| *there) {
            Some((key, _)) => {
                self.fault(&[key.into()], "belongs to the position of a rule case, not to a scenario")
            }
            None => Ok(()),
        }
    }

    fn options(&self, written: &BattleFile, choices: &Choices) -> Result<Options, Fault> {
        let (mut said, mut choices) = (written.options.clone(), choices.clone());
        for (name, value) in &written.options {
            if is_withdrawn(name, &value.to_string())
                .map_err(|why| self.file.fault(&["options".into(), name.as_str().into()], why))?
            {
                said.remove(name);
            }
        }
        for (name, value) in choices.options.clone() {
            if is_withdrawn(&name, &value).map_err(|why| self.file.fault(&["options".into()], why))? {
                choices.options.remove(&name);
            }
        }
        // How long the battle lasts is a reading too (ATKM-END-05).
        if let Some(turns) = written.turns {
            said.entry("turn_limit".into()).or_insert(Scalar::Whole(turns.into()));
        }
        readings(rulebook::options(), self.file, &said, &choices)
    }

    fn suits(&self, written: &BattleFile) -> Result<[Suit; 2], Fault> {
        let red: Suit = written.sides[0].own.suit.map_or(Suit::Hearts, Into::into);
        let black: Suit = written.sides[1].own.suit.map_or(Suit::Clubs, Into::into);
        if red.colour() != tricorne_chance::Colour::Red {
            return self.fault(
                &["side".into(), 0.into(), "suit".into()],
                "the red army takes hearts or diamonds [ATKM-SETUP-06]",
            );
        }
        if black.colour() != tricorne_chance::Colour::Black {
            return self.fault(
                &["side".into(), 1.into(), "suit".into()],
                "the black army takes clubs or spades [ATKM-SETUP-06]",
            );
        }
        Ok([red, black])
    }

    /// ATKM-FORCE-07..09.
    fn check_armies(&self, written: &BattleFile, battle: &Engagement) -> Result<(), Fault> {
        for army in ARMIES {
            let (file, key) = (&written.sides[army.index()].own, army_name(army));
            let mut muster = Muster::default();
            for unit in battle.state.units.iter().filter(|u| u.army == army) {
                muster.units[unit.kind as usize] += 1;
                muster.extra += battle.worth(unit) - self.rules.profile(unit.kind).points;
            }
            muster.ratings =
                battle.state.generals.iter().filter(|g| g.army == army).map(|g| g.rating).collect();
            let list = match &file.list {
                None => None,
                Some(name) => match self.rules.list(name) {
                    Some(list) => Some(list),
                    None => {
                        let all: Vec<&str> = self.rules.lists.iter().map(|l| l.name.as_str()).collect();
                        return self.fault(
                            &["side".into(), army.index().into(), "list".into()],
                            format!("there is no list `{name}`; there is {}", all.join(", ")),
                        );
                    }
                },
            };
            let rolled = file.rolls.map_or(0, |r| r.number(&self.rules));
            let budget = file.budget.map(|b| b.points(&self.rules));
            if rolled > 40 {
                return self.fault(&["side".into(), army.index().into(), "rolls".into()], "is more than 40");
            }
            let mustering = written.own.phase == Some(Phase::Muster);
            if rolled > 0 && self.purpose == Purpose::Position && !mustering {
                return self.fault(
                    &["side".into(), army.index().into(), "rolls".into()],
                    "forces are rolled with phase = \"muster\" and begin = true",
                );
            }
            if self.purpose == Purpose::Position && list.is_none() && budget.is_none() {
                continue;
            }
            let counted = if rolled > 0 { Muster { units: [rolled, 0, 0, 0, 0], ..muster } } else { muster };
            let faults = if rolled > 0 {
                counted.faults(&self.rules, None, None)
            } else {
                counted.faults(&self.rules, list, budget)
            };
            if let Some(first) = faults.first() {
                return self.fault(&["side".into(), army.index().into()], format!("the {key} army {first}"));
            }
        }
        Ok(())
    }
}
