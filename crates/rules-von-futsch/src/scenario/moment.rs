//! Where a position begins: with an activation, a melee, a card or the end of a turn.

use tricorne_game::{Fault, Place as Spot, Purpose};

use super::file::{AspectName, MeleeFile, Moment, SideName};
use super::setup::Reader;
use crate::action::ActionKind;
use crate::charge::contact::Contact;
use crate::field::{Field, bit};
use crate::model::Nr;
use crate::model::formation::Zone;
use crate::questions::{Act, Activate, Begin, Next, Reform};
use crate::state::{Group, Initiative, Melee, RED, Step};

impl Reader<'_> {
    /// What is asked first.
    pub(super) fn moment(&self, field: &mut Field) -> Result<(), Fault> {
        if self.purpose == Purpose::Scenario {
            field.push(if self.file.own.points_game { Step::DeployNext } else { Step::TurnStart });
            return Ok(());
        }
        let side = self.file.own.active.map_or(RED, SideName::side);
        if let Some(m) = &self.file.own.melee {
            return self.melee_moment(field, m);
        }
        if let Some(acting) = &self.file.own.acting {
            let u = self.named_in(field, &["acting".into()], acting)?;
            let owner = field.side(u);
            let all = field.group_of(u);
            let left = field.fresh(all) & !bit(u);
            field.s.group = Some(Group {
                owner,
                controller: owner,
                all,
                left,
                initiative: self.file.own.initiative.unwrap_or(Initiative::Free),
                forced: false,
                held_back: field.in_bad_order(all),
                begun: true,
                same: None,
                dice: None,
                forced_march: field.unit(u).turn.forced_march,
                to_fire: 0,
                bound: 0,
                firing: false,
            });
            rest(field);
            field.push(Step::GroupNext);
            field.unit_mut(u).turn.activated = true;
            field.act(u, ActionKind::Stand, 0);
            if field.unit(u).shaken {
                // The test is rolled when the unit is named.
                field.unit_mut(u).turn.activated = false;
                if let Some(group) = &mut field.s.group {
                    group.left |= bit(u);
                }
                field.ask(Next);
            } else if field.unit(u).disordered {
                field.ask(Reform { unit: u });
            } else {
                field.ask(Act { unit: u });
            }
            return Ok(());
        }
        match self.file.own.moment.unwrap_or(Moment::Activate) {
            Moment::Activate => {
                rest(field);
                field.ask(Activate { side });
            }
            Moment::Draw => field.push(Step::KingWindow(0)),
            Moment::Turn => field.push(Step::TurnStart),
            Moment::End => field.push(Step::EndTurn),
        }
        if self.file.own.moment.is_some_and(|m| m != Moment::Activate) {
            field.ask(Begin);
        }
        Ok(())
    }

    fn named_in(&self, field: &Field, place: &[Spot], text: &str) -> Result<Nr, Fault> {
        let found = field.present().find(|&u| field.spec(u).id.as_str() == text);
        found.map_or_else(|| self.fault(place, format!("there is no unit `{text}` on the table")), Ok)
    }

    fn melee_moment(&self, field: &mut Field, m: &MeleeFile) -> Result<(), Fault> {
        let spot = |f: &str| -> Vec<Spot> { vec!["melee".into(), f.into()] };
        let attacker = self.named_in(field, &spot("attacker"), &m.attacker)?;
        let defender = self.named_in(field, &spot("defender"), &m.defender)?;
        if field.side(attacker) == field.side(defender) {
            return self.fault(&spot("defender"), "is on the attacker's own side");
        }
        let rounds = field.p().melee.rounds;
        if !(1..=rounds).contains(&m.round) {
            return self.fault(&spot("round"), format!("must be 1 to {rounds}"));
        }
        let aspect = match m.aspect {
            Some(AspectName::Front) => Zone::Front,
            Some(AspectName::Left) => Zone::Left,
            Some(AspectName::Right) => Zone::Right,
            Some(AspectName::Rear) => Zone::Rear,
            None => field.aspect(defender, field.unit(attacker).body.reference()),
        };
        rest(field);
        let from = field.unit(attacker).body;
        let contact = Contact { at: field.unit(attacker).place.pose(), aspect, cover: m.cover, from };
        field.start_melee(attacker, defender, contact, m.countercharged, &mut tricorne_game::Log::off());
        if let Some(melee) = &mut field.s.melee {
            let charging = m.charging.unwrap_or(m.round == 1);
            *melee = Melee {
                round: m.round,
                attacker_charges: charging,
                defender_charges: m.countercharged && m.round == 1,
                ..*melee
            };
        }
        field.ask(Begin);
        Ok(())
    }
}

/// When the moment of a position is over it waits for `begin` before the next card is drawn, so that a case can
/// look at what came of it.
fn rest(field: &mut Field) {
    field.push(Step::Check);
    field.ask(Begin);
}
