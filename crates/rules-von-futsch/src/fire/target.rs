//! D-TARGET: at whom a unit fires (VF-FIRE-05, -07 to -12, -21).

use crate::model::Kind;
use crate::model::measure::{Mils, exact};
use crate::model::sight::Aim;
use crate::options::SquareFire;
use crate::rulebook::inch;
use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, Refusal, Unread, deny, refuse};
use tricorne_game::{Event, Illegal, Preview};

use crate::action::Action;
use crate::field::Field;
use crate::model::{Formation, Nr};
use crate::questions::asks;
use crate::state::Step;

/// At whom does it fire?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Target {
    /// Who fires.
    pub unit: Nr,
    /// With which front.
    pub face: u8,
    /// It need not.
    pub optional: bool,
}

/// What comes of it.
#[derive(Clone, Copy, Debug)]
pub enum Aimed {
    /// It fires at this one.
    At(Nr),
    /// It keeps its fire.
    Holds,
    /// This base of a square has nothing to fire at.
    Nobody,
}

impl Question<Field> for Target {
    type Judged = Aimed;

    asks!("target", "fire", "At whom does it fire?");

    crate::questions::of_group!();

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list_all(field.ids(field.side(self.unit).enemy()).map(Action::Target));
        if self.optional {
            out.list_all([Action::Hold, Action::Pass]);
        }
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Aimed, Illegal> {
        let square = field.unit(self.unit).formation == Formation::Square;
        match answer {
            Action::Target(id) => {
                let Some(target) = field.b.unit_named(*id) else {
                    return if field.b.commander_named(*id).is_some() {
                        refuse("VF-FIRE-30", format!("{id} is a commander and no target of fire"))
                    } else {
                        refuse("VF-FIRE-21", format!("there is no unit {id} in this battle"))
                    };
                };
                field.judge_target(self.unit, self.face, target).map(|_| Aimed::At(target))
            }
            Action::Hold if self.optional && !square => Ok(Aimed::Holds),
            Action::Pass if self.optional && square => Ok(Aimed::Nobody),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, aimed: Aimed, now: &mut Now<'_>) {
        match aimed {
            Aimed::At(target) => {
                field.face_has_fired();
                field.push(Step::Shoot { shooter: self.unit, face: self.face, target, returned: false });
            }
            Aimed::Holds => {
                let id = field.spec(self.unit).id;
                let why = if self.targets(field).next().is_some() { "chosen" } else { "nobody" };
                field.hold(self.unit);
                if field.unit(self.unit).turn.held_fire {
                    now.say(|| Event::new("holds_fire", "VF-FIRE-24").who(id).outcome(why));
                }
            }
            Aimed::Nobody => {}
        }
    }

    fn usual(&self, field: &Field) -> Action {
        if self.optional {
            return self.none(field);
        }
        self.targets(field).next().map_or(Action::Hold, |e| Action::Target(field.spec(e).id))
    }

    fn only(&self, field: &Field) -> Option<Action> {
        let mut targets = self.targets(field);
        match (targets.next(), self.optional) {
            (None, true) => Some(self.none(field)),
            (Some(e), false) if targets.next().is_none() => Some(Action::Target(field.spec(e).id)),
            _ => None,
        }
    }

    fn preview(&self, field: &Field, aimed: &Aimed) -> Preview {
        match aimed {
            Aimed::At(target) => field.preview_volley(self.unit, self.face, *target),
            _ => Preview::default(),
        }
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        if self.optional && whim.chance(0.1) {
            return self.none(field);
        }
        let enemies: Vec<Nr> = field.present_of(field.side(self.unit).enemy()).collect();
        let (later, first) = enemies.split_at(whim.below(enemies.len()).min(enemies.len()));
        let mut all = first.iter().chain(later);
        let found = all.find(|&&e| field.aim_at(self.unit, self.face, e).is_some());
        found.map_or(Action::Hold, |&e| Action::Target(field.spec(e).id))
    }
}

impl Target {
    /// The answer that fires at nobody.
    fn none(self, field: &Field) -> Action {
        if field.unit(self.unit).formation == Formation::Square { Action::Pass } else { Action::Hold }
    }

    fn targets<'a>(&'a self, field: &'a Field) -> impl Iterator<Item = Nr> + 'a {
        field
            .present_of(field.side(self.unit).enemy())
            .filter(|&e| field.aim_at(self.unit, self.face, e).is_some())
    }
}

impl Field {
    /// Asks at whom a unit fires, unless the whole group moves first (VF-CMD-14).
    pub(crate) fn fire_or_wait(&mut self, u: Nr, optional: bool) {
        if !self.fires_later(u, optional) {
            self.ask_target(u, optional);
        }
    }

    /// Asks at whom a unit fires; a square is asked for each base.
    pub(crate) fn ask_target(&mut self, u: Nr, optional: bool) {
        if self.unit(u).formation == Formation::Square {
            self.push(Step::SquareFace { unit: u, face: 0 });
        } else {
            self.ask(Target { unit: u, face: 0, optional });
        }
    }

    /// A unit keeps its fire, if it has any.
    pub(crate) fn hold(&mut self, u: Nr) {
        let holds = self.can_fire(u).is_ok();
        self.unit_mut(u).turn.held_fire |= holds;
    }

    /// Asks a square's base for its target, A first (VF-FIRE-05).
    pub(crate) fn square_face(&mut self, u: Nr, face: u8) {
        if face > 1
            || !self.unit(u).here()
            || self.can_fire(u).is_err()
            || self.unit(u).formation != Formation::Square
        {
            return;
        }
        self.push(Step::SquareFace { unit: u, face: face + 1 });
        self.ask(Target { unit: u, face, optional: true });
    }

    /// After one base has fired, the other does only if the option lets it.
    pub(crate) fn face_has_fired(&mut self) {
        if self.o().square_fire == SquareFire::OneFace
            && matches!(self.s.stack.last(), Some(Step::SquareFace { .. }))
        {
            self.s.stack.pop();
        }
    }
}

impl Field {
    /// Whether a firing front of a unit has a legal target there (VF-FIRE-07 to -12).
    pub(crate) fn judge_target(&self, u: Nr, face: u8, target: Nr) -> Result<Aim, Illegal> {
        self.judge_aim(u, face, target)
    }

    /// The same, for those who do not ask why not.
    pub(crate) fn aim_at(&self, u: Nr, face: u8, target: Nr) -> Option<Aim> {
        self.judge_aim::<Unread>(u, face, target).ok()
    }

    fn judge_aim<E: Refusal>(&self, u: Nr, face: u8, target: Nr) -> Result<Aim, E> {
        self.ready_to_fire::<E>(u)?;
        if self.side(target) == self.side(u) || !self.unit(target).here() {
            return deny("VF-FIRE-21", || format!("{} is no enemy unit on the table", self.name(target)));
        }
        let far =
            if self.kind(u) == Kind::Artillery { self.p().fire.artillery.far } else { self.p().fire.long };
        let body = &self.unit(target).body;
        if !self.unit(u).body.may_reach(body, f64::from(far)) {
            return self.out_of_range(u, target, None);
        }
        let Some(range) = self.range(u, face, body) else {
            return deny("VF-FIRE-07", || {
                format!("{} is not in the arc of {}", self.name(target), self.name(u))
            });
        };
        if self.needed(u, range).is_none() {
            return self.out_of_range(u, target, Some(range));
        }
        if !self.sees(u, face, target) {
            return deny("VF-FIRE-08", || format!("{} does not see {}", self.name(u), self.name(target)));
        }
        Ok(Aim { range })
    }

    fn out_of_range<T, E: Refusal>(&self, u: Nr, target: Nr, range: Option<Mils>) -> Result<T, E> {
        let (clause, far) = match self.kind(u) {
            Kind::Artillery => ("VF-FIRE-12", self.p().fire.artillery.far),
            _ => ("VF-FIRE-11", self.p().fire.long),
        };
        let rained = self.s.spell.cloudburst && range.is_some_and(|r| self.o().within(r, inch(far)));
        if rained {
            return deny("VF-EVENT-15", || {
                "in the cloudburst formed infantry hits nothing beyond short range".into()
            });
        }
        deny(clause, || {
            let how_far = range.map_or_else(|| "further".to_owned(), |r| format!("{:.3}", exact(r)));
            format!("{} is {how_far} off; {} fires up to {far}", self.name(target), self.name(u))
        })
    }

    /// Whether a unit has any legal target at all with a front.
    pub(crate) fn has_target(&self, u: Nr, face: u8) -> bool {
        self.present_of(self.side(u).enemy()).any(|e| self.aim_at(u, face, e).is_some())
    }
}
