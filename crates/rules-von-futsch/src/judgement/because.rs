//! Why an answer is proposed: the strongest of the terms that its worth is made of.

use tricorne_drill::Rules;
use tricorne_game::{Because, Term, UnitId};

use super::place::Outlook;
use super::survey::{MET, UNMET};
use crate::action::{Action, Leg};
use crate::field::Field;
use crate::model::Nr;
use crate::questions::{Act, Declare, Path, Questions, Target};

/// What is weighed, in words, and how much.
type Terms = Vec<Term>;

/// What one place has over another, term by term.
fn gained(here: &Outlook, there: &Outlook, kept: bool) -> Terms {
    let danger = |o: &Outlook| o.danger[if kept { MET } else { UNMET }];
    // Said so that it can stand after *for it* where it speaks for it, and after *against it* where not.
    let word = |better, worse, gain: f64| Term::new(if gain > 0.0 { better } else { worse }, gain);
    vec![
        word(
            "what it can do to the enemy from there",
            "what it can do where it stands",
            there.hope - here.hope,
        ),
        word("it is safer there", "what the enemy can do to it there", danger(here) - danger(there)),
        word("the ground there", "the ground it leaves", there.ground - here.ground),
        word("a commander within reach", "no commander within reach", here.unled - there.unled)
            .by("VF-CMD-07"),
        word("its formation on the way", "its formation on the way", there.column - here.column),
        word("nearer to where it is wanted", "farther from where it is wanted", here.way - there.way),
    ]
}

impl Field {
    /// See [`tricorne_game::Battle::because`].
    pub(crate) fn reasons_for(&self, action: &Action) -> Vec<Because> {
        let Some(question) = self.question() else { return vec![] };
        let terms = match (question, action) {
            (Questions::Act(Act { unit }), action) => self.why_act(unit, action),
            (Questions::Path(Path { unit }), Action::Path(legs)) => self.why_march(unit, legs),
            (Questions::Target(Target { unit, face, .. }), &Action::Target(target)) => {
                let worth = self.foe_called(unit, target).and_then(|e| self.shot_worth(unit, face, e));
                worth.map(|worth| Term::new("what the volley should do", worth)).into_iter().collect()
            }
            (Questions::Declare(Declare { unit }), &Action::ChargeAt { target, fire_first }) => {
                let foe = self.foe_called(unit, target);
                foe.map(|e| self.why_charge(unit, e, fire_first)).unwrap_or_default()
            }
            _ => Terms::new(),
        };
        Because::strongest(terms)
    }

    fn foe_called(&self, u: Nr, id: UnitId) -> Option<Nr> {
        self.present_of(self.side(u).enemy()).find(|&e| self.spec(e).id == id)
    }

    fn why_march(&self, u: Nr, legs: &[Leg]) -> Terms {
        let Ok(marched) = self.judge_path(u, legs) else { return Terms::new() };
        let (unit, survey) = (self.unit(u), self.survey(u));
        let here = survey.outlook(self, unit.place.pose(), unit.formation);
        gained(&here, &survey.outlook(self, marched.place.pose(), unit.formation), false)
    }

    fn why_act(&self, u: Nr, action: &Action) -> Terms {
        let (unit, w) = (self.unit(u), self.weighs());
        let survey = self.survey(u);
        let here = survey.outlook(self, unit.place.pose(), unit.formation);
        match action {
            Action::Fire => {
                let Some(shot) = self.best_shot(u) else { return Terms::new() };
                vec![
                    Term::new("what the volley should do", w.shot * shot.worth),
                    Term::new("it may drive off whom it has most to fear", w.shot * here.relieved_by(shot)),
                    Term::new("its fire is gone when others come", here.danger[MET] - here.danger[UNMET]),
                ]
            }
            Action::Charge => self
                .best_charge(u)
                .map(|(_, worth)| Term::new("the fight it would be", worth))
                .into_iter()
                .collect(),
            Action::Stand => {
                let fires = self.fires_at_all(u) && self.can_fire(u).is_ok();
                let kept = if fires { w.kept * survey.threat(&unit.body) } else { 0.0 };
                vec![
                    Term::new("its fire is kept for whoever comes near", kept).by("VF-FIRE-24"),
                    Term::new("what it can do to the enemy from here", here.hope),
                    Term::new(
                        "what the enemy can do to it here",
                        -here.danger[if fires { MET } else { UNMET }],
                    ),
                ]
            }
            _ => Terms::new(),
        }
    }

    fn why_charge(&self, u: Nr, e: Nr, fire_first: bool) -> Terms {
        let Ok(path) = self.judge_charge(u, e) else { return Terms::new() };
        let fight = self.charge_worth(u, e, &path);
        let mut terms = vec![Term::new("the fight it would be", fight)];
        if let Some(both) = self.volley_and_charge_worth(u, e, &path).filter(|_| fire_first) {
            terms.push(Term::new("the volley before it", both - fight));
        }
        terms
    }
}
