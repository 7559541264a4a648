//! T9: a Pinned unit rallies (WBK-RALLY), and whether an Inspiring leader rolls again (WBK-LEAD-07).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, Reasons, Rolled, Test};
use tricorne_game::{Event, Illegal, Seat, UnitId};

use crate::action::Action;
use crate::battle::Fray;
use crate::morale::Shock;
use crate::options::RallyRoutOn;
use crate::state::{Character, Fate, No};

/// Whether a failed Rally is rolled again.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rerolling {
    /// The total that failed.
    pub made: i8,
    /// The dice alone.
    pub natural: i8,
}

impl Question<Fray> for Rerolling {
    type Judged = bool;

    fn kind(&self, _: &Fray) -> &'static str {
        "reroll"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-LEAD-07"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        Seat(fray.state.active.0)
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        format!("Shall the Inspiring leader of {} roll again?", fray.actor())
    }

    fn answers(&self, _: &Fray, out: &mut Answers<Action>) {
        out.list_all([Action::Reroll(true), Action::Reroll(false)]);
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::Reroll(again) => Ok(*again),
            _ => Err(self.other(fray)),
        }
    }

    fn carry_out(self, fray: &mut Fray, again: bool, now: &mut Now<'_>) {
        let u = fray.acting();
        if again {
            let rolled = fray.rally_roll(u, true, now);
            fray.rally_result(u, rolled.made, rolled.natural, rolled.passed, now);
        } else {
            fray.rally_result(u, self.made.into(), self.natural.into(), false, now);
        }
    }

    fn usual(&self, _: &Fray) -> Action {
        Action::Reroll(true)
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        let test = fray.rally_test(fray.acting());
        let routs: f64 = test
            .odds()
            .into_iter()
            .map(|(made, p)| {
                let lost = made < fray.leadership(fray.acting());
                if lost && fray.is_rout(made, made - test.reasons().sum()) { p } else { 0.0 }
            })
            .sum();
        let lost = fray.is_rout(self.made.into(), self.natural.into());
        let leave = if lost { -2.0 } else { 0.0 };
        vec![(test.chance() - 2.0 * routs, Action::Reroll(true)), (leave, Action::Reroll(false))]
    }
}

impl Fray {
    /// T9: a Pinned unit rallies.
    pub(crate) fn rally(&mut self, u: No, now: &mut Now<'_>) {
        let rolled = self.rally_roll(u, false, now);
        if !rolled.passed && self.character(u) == Character::Inspiring {
            self.ask(Rerolling { made: rolled.made.clamp(-100, 100) as i8, natural: rolled.natural as i8 });
            return;
        }
        self.rally_result(u, rolled.made, rolled.natural, rolled.passed, now);
    }

    /// The test of a Rally (WBK-RALLY-01 to 04, WBK-LEAD-07).
    pub(crate) fn rally_test(&self, u: No) -> Test {
        let mut reasons = Reasons::new();
        let pinned = self.unit(u).pinned;
        let markers = if pinned == 1 { "a Pinned marker" } else { "Pinned markers" };
        reasons.add(-i32::from(pinned), markers, "WBK-RALLY-03");
        reasons.add(self.card(u).discipline, "Discipline", "WBK-RALLY-04");
        let chart = &self.field.rulebook.charts.characters;
        match self.character(u) {
            Character::Bully => reasons.line(&chart.bully),
            Character::Martinet if !self.card(u).closes => reasons.line(&chart.martinet),
            _ => {}
        }
        self.test().needing(self.leadership(u)).with(reasons)
    }

    /// The dice of a Rally, thrown `again` under an Inspiring leader.
    fn rally_roll(&mut self, u: No, again: bool, now: &mut Now<'_>) -> Rolled {
        let test = self.rally_test(u);
        let rolled = test.roll("rally", now.chance);
        let routs = !rolled.passed && self.is_rout(rolled.made, rolled.natural);
        let (who, passed) = (self.id(u), rolled.passed);
        now.say(|| {
            let event = test.event("rally", "WBK-RALLY-01", &rolled).who(who).with("again", again);
            match (passed, routs) {
                (true, _) => event.clause("WBK-RALLY-05"),
                (false, false) => event.clause("WBK-RALLY-06"),
                (false, true) => event.clause("WBK-RALLY-07").outcome("routed"),
            }
        });
        rolled
    }

    /// Whether a failed Rally is a rout (WBK-RALLY-07, 09).
    pub(crate) fn is_rout(&self, made: i32, natural: i32) -> bool {
        let total = match self.field.options.rally_rout_on {
            RallyRoutOn::Modified => made,
            RallyRoutOn::Natural => natural,
        };
        total <= self.field.rulebook.charts.tests.rout_at
    }

    /// What a Rally comes to, once its dice are final; ends the activation.
    fn rally_result(&mut self, u: No, made: i32, natural: i32, passed: bool, now: &mut Now<'_>) {
        let who = self.id(u);
        if passed {
            self.state.units[u].pinned = 0;
        } else if self.is_rout(made, natural) {
            let mourners = self.friends_near(u);
            self.remove(u, Fate::Routed);
            now.say(|| Event::new("rout", "WBK-RALLY-07").who(who));
            self.loss_tests(&mourners, u, Shock::Rout, now);
        } else {
            if self.character(u) == Character::Bully {
                now.say(|| {
                    Event::new("losses", "WBK-LEAD-07").who(who).made(1).with("losses", 1).outcome("bully")
                });
                if self.unit(u).models <= 1 {
                    self.destroy(u, now);
                } else {
                    self.lose_models(u, 1);
                }
            }
            if self.unit(u).is_on_table() {
                let enemy = self.nearest_enemy_to_flee(u);
                self.retreat(u, enemy, now);
            }
        }
        self.end_activation(u, now);
    }
}
