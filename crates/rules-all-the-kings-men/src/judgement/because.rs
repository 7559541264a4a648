//! Why an answer is proposed: the strongest of the terms that its worth is made of.

use tricorne_drill::Rules;
use tricorne_game::{Because, Seat, Term, UnitId};

use super::memory::clash_of;
use super::reckoning::Variant;
use super::survey::{Brief, Survey, brief};
use crate::action::Action;
use crate::activation::act::Act;
use crate::activation::choose::Choose;
use crate::battle::Questions;
use crate::combat::exchange::Exchange;
use crate::field::Engagement;
use crate::state::{Activation, Unit};

/// What is weighed, in words, and how much.
type Terms = Vec<Term>;

/// Said so that it can stand after *for it* where it speaks for it, and after *against it* where not.
fn word(better: &'static str, worse: &'static str, gain: f64) -> Term {
    Term::new(if gain > 0.0 { better } else { worse }, gain)
}

impl Engagement {
    /// See [`tricorne_game::Battle::because`].
    pub(crate) fn reasons_for(&self, action: &Action) -> Vec<Because> {
        let terms = match (self.question(), action) {
            (Some(Questions::Choose(Choose { seat })), action) => self.why_choose(seat, action),
            (Some(Questions::Act(Act(a))), action) => {
                Survey::take(self, self.unit(a.unit).army).why_part(&a, action)
            }
            _ => Terms::new(),
        };
        Because::strongest(terms)
    }

    /// A unit is chosen for the best it can do.
    fn why_choose(&self, seat: Seat, action: &Action) -> Terms {
        let survey = Survey::take(self, self.army_of(seat));
        match action {
            &Action::Activate { unit } => {
                let Ok((no, price)) = self.judge_activate(seat, unit) else { return Terms::new() };
                let a = Activation { seat, ..self.fresh(no, self.benefit()) };
                let best = survey.parts(&a).into_iter().max_by(|x, y| x.1.total_cmp(&y.1));
                let mut terms = best.map(|(part, _)| survey.why_part(&a, &part)).unwrap_or_default();
                let point = Term::new("the command point it costs", -survey.weighs.point * f64::from(price));
                terms.push(point.by("ATKM-CMD-10"));
                terms
            }
            Action::MoveGeneral { .. } => {
                let ride = self.rides(seat, survey.weighs.kings_ride).into_iter();
                let ride = ride.filter(|(_, ride)| ride == action);
                ride.map(|(gain, _)| Term::new("more units within his reach", gain).by("ATKM-CARD-06"))
                    .collect()
            }
            _ => Terms::new(),
        }
    }
}

impl Survey<'_> {
    /// What speaks for a part of an activation, and against it.
    fn why_part(&self, a: &Activation, action: &Action) -> Terms {
        let Some(i) = self.place(a.unit) else { return Terms::new() };
        let us = &self.own[i];
        let worn = Self::spent(&us.tinged(a.began), a.benefit);
        let tired = self.variant(true, i, Some(worn));
        let mut terms = match action {
            &Action::Fire { target } => self.why_fire(us, &tired, target),
            &Action::Charge { target, ref path, facing } => {
                let Some(j) = self.enemy_called(target) else { return Terms::new() };
                let b = self.battle;
                let Ok(charge) = b.judge_charge(a.unit, a.benefit, self.enemy[j].no, path, facing) else {
                    return Terms::new();
                };
                let Exchange { attack, defence } = Exchange::of(b.rules(), &charge.pools);
                let clash = clash_of(attack, defence, us.men(), self.enemy[j].men());
                let fight = self.prize_of(&clash, us, &self.enemy[j]);
                let after = self.after_charge(i, us, &charge.unit, j, &clash) - self.base;
                return vec![
                    Term::new("the fight it would be", fight),
                    Term::new("how both stand after it", after - fight),
                ];
            }
            Action::Move { path, facing, spread } => {
                let marched = self.battle.judge_move(a.unit, a.benefit, path, *facing, spread.as_ref());
                let Ok(marched) = marched else { return Terms::new() };
                self.why_so(i, a, &worn, &marched.unit, &tired)
            }
            &Action::Change { shape } => {
                let changed = Unit { formation: shape, ..us.unit };
                self.why_so(i, a, &worn, &changed, &tired)
            }
            Action::Reform { .. } => {
                vec![Term::new("a mob in ranks again", us.worth * self.weighs.as_mob).by("ATKM-MOB-01")]
            }
            _ => return Terms::new(),
        };
        if !a.begun() {
            let effort = self.value(Some(&tired), None) - self.base;
            terms.push(word("it tires nobody", "it tires them", effort).by("ATKM-RES-02"));
        }
        terms
    }

    fn enemy_called(&self, id: UnitId) -> Option<usize> {
        self.enemy.iter().position(|e| e.unit.id == id)
    }

    fn why_fire(&self, us: &Brief, tired: &Variant, target: UnitId) -> Terms {
        let Some(j) = self.enemy_called(target) else { return Terms::new() };
        let them = &self.enemy[j];
        let Ok(shot) = self.battle.judge_fire(us.no, them.no) else { return Terms::new() };
        let volley = self.volley(&shot, them);
        let still = self.value(Some(tired), None);
        let taken = volley.fallen * them.man + volley.routs * them.colours;
        let general = volley.any * self.general_near(them);
        let ground = self.contested(them, volley.fallen * them.man);
        let rest = self.after_shot(tired, still, j, &volley) - still - taken - general - ground;
        vec![
            Term::new("what the volley should do", taken),
            Term::new("their general stands near", general).by("ATKM-GEN-09"),
            Term::new("they stand on what is fought over", ground),
            word("what is left of them can do less", "what they can do afterwards", rest),
        ]
    }

    /// A unit as it would then be, elsewhere or in another shape, against staying as it is.
    fn why_so(&self, i: usize, a: &Activation, worn: &Brief, end: &Unit, tired: &Variant) -> Terms {
        let us = &self.own[i];
        let mut then = brief(self.battle, us.no, end);
        (then.unit.colour, then.unit.disorder) = (worn.unit.colour, worn.unit.disorder);
        let variant = self.variant(true, i, Some(then));
        let (before, after) = (self.look(Some(tired), None), self.look(Some(&variant), None));
        let opened = self.ends(i, a, end, worn, after.sum());
        vec![
            word("what it can do to them then", "what it can do as it stands", after.ours - before.ours),
            word("it is safer so", "what they can do to it then", after.theirs - before.theirs),
            word(
                "nearer to what is fought over",
                "farther from what is fought over",
                after.ground - before.ground,
            ),
            Term::new("the fire it opens", opened),
        ]
    }
}
