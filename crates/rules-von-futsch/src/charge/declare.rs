//! D-CHARGE: whom a unit charges, and whether it fires first (VF-CHARGE-01 to -06).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, Refusal, Unread, deny, refuse};
use tricorne_game::{Event, Illegal, Log, Preview};

use crate::action::Action;
use crate::field::Field;
use crate::model::measure::{Mils, exact};
use crate::model::{Formation, Kind, Nr};
use crate::options::FireThenCharge;
use crate::questions::asks;
use crate::state::{Charge, ChargePath, Initiative, Step};

/// Whom does it charge?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Declare {
    /// Who charges.
    pub unit: Nr,
}

/// A charge that may be declared.
#[derive(Clone, Copy, Debug)]
pub struct Declared {
    /// Whom.
    pub target: Nr,
    /// By which way.
    pub path: ChargePath,
    /// With fire first.
    pub fire_first: bool,
}

impl Question<Field> for Declare {
    type Judged = Declared;

    asks!("charge", "charge", "Whom does it charge?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        for target in field.ids(field.side(self.unit).enemy()) {
            out.list_all([false, true].map(|fire_first| Action::ChargeAt { target, fire_first }));
        }
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Declared, Illegal> {
        let Action::ChargeAt { target, fire_first } = answer else { return Err(self.other(field)) };
        let target = field.named(*target)?;
        let path = field.judge_charge(self.unit, target)?;
        if *fire_first {
            field.judge_fire_first(self.unit, target)?;
        }
        Ok(Declared { target, path, fire_first: *fire_first })
    }

    fn carry_out(self, field: &mut Field, declared: Declared, now: &mut Now<'_>) {
        let Declared { target, path, fire_first } = declared;
        field.declare(self.unit, target, path, fire_first, now.log);
    }

    fn usual(&self, field: &Field) -> Action {
        self.targets(field).next().map_or(Action::Stand, |e| Self::at(field, e, false))
    }

    fn only(&self, field: &Field) -> Option<Action> {
        let mut targets = self.targets(field);
        let first = targets.next()?;
        (targets.next().is_none() && field.judge_fire_first(self.unit, first).is_err())
            .then(|| Self::at(field, first, false))
    }

    fn preview(&self, field: &Field, declared: &Declared) -> Preview {
        field.preview_charge(self.unit, declared.target, &declared.path)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        let enemies: Vec<Nr> = self.targets(field).collect();
        let fire_first = whim.chance(0.3);
        whim.one_of(&enemies).map_or(Action::Stand, |&e| Self::at(field, e, fire_first))
    }
}

impl Declare {
    fn targets<'a>(&'a self, field: &'a Field) -> impl Iterator<Item = Nr> + 'a {
        field.present_of(field.side(self.unit).enemy()).filter(|&e| field.may_charge(self.unit, e))
    }

    fn at(field: &Field, target: Nr, fire_first: bool) -> Action {
        Action::ChargeAt { target: field.spec(target).id, fire_first }
    }
}

impl Field {
    /// Whether a unit may charge at all (VF-CHARGE-01, VF-CMD-12).
    pub(crate) fn can_charge(&self, u: Nr) -> Result<(), Illegal> {
        self.ready_to_charge(u)
    }

    fn ready_to_charge<E: Refusal>(&self, u: Nr) -> Result<(), E> {
        let unit = self.unit(u);
        if matches!(self.kind(u), Kind::Artillery | Kind::Wagon) || unit.formation == Formation::Square {
            return deny("VF-CHARGE-01", || {
                format!("{} is of a kind or in a formation that never charges", self.name(u))
            });
        }
        if unit.disordered || unit.shaken {
            return deny("VF-MORALE-21", || format!("{} is disordered; it must reform first", self.name(u)));
        }
        if self.initiative() == Initiative::RetreatOnly {
            return deny("VF-CMD-12", || format!("{} may retreat only, so it may not charge", self.name(u)));
        }
        Ok(())
    }

    /// Whether a unit may charge another, and how (VF-CHARGE-01 to -03).
    pub(crate) fn judge_charge(&self, u: Nr, target: Nr) -> Result<ChargePath, Illegal> {
        let far = self.chargeable(u, target)?;
        match self.charge_path(u, target) {
            Some(path) if path.cost <= far => Ok(path),
            Some(_) => self.too_far(u, target, far),
            None => refuse(
                "VF-CHARGE-05",
                format!("there is no clear way for {} to {}", self.name(u), self.name(target)),
            ),
        }
    }

    /// The way of a charge that may be declared, for those who do not ask why it may not.
    pub(crate) fn charge_at(&self, u: Nr, target: Nr) -> Option<ChargePath> {
        let far = self.chargeable::<Unread>(u, target).ok()?;
        self.charge_path_within(u, target, far, false)
    }

    /// Whether a unit may charge another, whichever way.
    pub(crate) fn may_charge(&self, u: Nr, target: Nr) -> bool {
        self.chargeable::<Unread>(u, target)
            .is_ok_and(|far| self.charge_path_within(u, target, far, true).is_some())
    }

    /// What a charge may cost if there is a way: all but the way itself is judged here (VF-CHARGE-01 to -03).
    fn chargeable<E: Refusal>(&self, u: Nr, target: Nr) -> Result<Mils, E> {
        self.ready_to_charge::<E>(u)?;
        if self.side(target) == self.side(u) || !self.unit(target).here() {
            return deny("VF-CHARGE-01", || format!("{} is no enemy unit on the table", self.name(target)));
        }
        if self.kind(target).is_cavalry() && !self.kind(u).is_cavalry() {
            return deny("VF-CHARGE-02", || format!("only cavalry may charge {}", self.name(target)));
        }
        let far = self.greatest_move(u);
        let body = &self.unit(target).body;
        if !self.unit(u).body.may_reach(body, exact(far)) {
            return self.too_far(u, target, far);
        }
        if self.range(u, 0, body).is_none() {
            return deny("VF-CHARGE-01", || {
                format!("{} is not in front of {}", self.name(target), self.name(u))
            });
        }
        if !self.sees(u, 0, target) {
            return deny("VF-CHARGE-01", || format!("{} does not see {}", self.name(u), self.name(target)));
        }
        Ok(far)
    }

    fn too_far<T, E: Refusal>(&self, u: Nr, target: Nr, far: Mils) -> Result<T, E> {
        deny("VF-CHARGE-03", || {
            let (whom, who) = (self.name(target), self.name(u));
            format!("{whom} is beyond the {:.3} that {who} could roll", exact(far))
        })
    }

    /// Whether the charger may fire before it charges (VF-CHARGE-06).
    pub(crate) fn judge_fire_first(&self, u: Nr, target: Nr) -> Result<(), Illegal> {
        if self.o().fire_then_charge == FireThenCharge::NotAllowed {
            return refuse("VF-CHARGE-06", "by the option chosen a charger does not fire first");
        }
        self.judge_target(u, 0, target).map(drop)
    }

    /// A charge as it is declared: from which side, and against what cover (VF-MODEL-46, VF-MELEE-32).
    pub(crate) fn charge_of(&self, u: Nr, target: Nr, path: ChargePath) -> Charge {
        let from = &self.unit(u).body;
        Charge {
            charger: u,
            target,
            aspect: self.aspect(target, from.reference()),
            cover: self.in_hard_cover(target, from),
            from: self.unit(u).place,
            answered: false,
            failed: false,
            fled: false,
            allowance: 0,
            path: Some(path),
        }
    }

    /// Declares a charge (S-CHARGE).
    pub(crate) fn declare(&mut self, u: Nr, target: Nr, path: ChargePath, fire_first: bool, log: &mut Log) {
        self.s.charge = Some(self.charge_of(u, target, path));
        let (who, whom) = (self.spec(u).id, self.spec(target).id);
        log.say(|| {
            Event::new("charge_declared", "VF-CHARGE-01")
                .who(who)
                .whom(whom)
                .outcome(if fire_first { "fire_first" } else { "cold_steel" })
                .with("gap", exact(path.cost))
        });
        self.push(Step::AfterChargeFire);
        if fire_first {
            self.push(Step::Shoot { shooter: u, face: 0, target, returned: false });
        }
    }
}
