//! D-AFTER: the winner of a melee stays, occupies the ground or follows up (VF-MELEE-18 to -20).

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};
use tricorne_table::Pose;

use crate::action::Action;
use crate::field::Field;
use crate::model::measure::{exact, mils};
use crate::model::{Formation, Nr};
use crate::questions::{asks, seat};
use crate::state::Step;

/// Stay, occupy the ground, or follow up?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct After {
    /// Who won.
    pub winner: Nr,
    /// Who lost.
    pub loser: Nr,
}

/// What the winner does.
#[derive(Clone, Copy, Debug)]
pub enum Won {
    /// It stays.
    Stays,
    /// It takes the ground.
    Occupies,
    /// It pursues.
    FollowsUp,
}

impl Question<Field> for After {
    type Judged = Won;

    asks!("after", "melee", "Stay, occupy the ground, or follow up?");

    fn seat(&self, field: &Field) -> Seat {
        seat(field.decider(self.winner))
    }

    fn unit(&self, field: &Field) -> Option<UnitId> {
        Some(field.spec(self.winner).id)
    }

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::Stay, Action::Occupy, Action::FollowUp]);
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Won, Illegal> {
        match answer {
            Action::Stay => Ok(Won::Stays),
            Action::Occupy => field.judge_occupy(self.winner).map(|()| Won::Occupies),
            Action::FollowUp => field.judge_follow_up(self.winner, self.loser).map(|()| Won::FollowsUp),
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, won: Won, now: &mut Now<'_>) {
        match won {
            Won::Stays => {}
            Won::Occupies => field.occupy(self.winner, now.log),
            Won::FollowsUp => field.follow_up(self.winner, self.loser, now.chance, now.log),
        }
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Stay
    }

    fn only(&self, field: &Field) -> Option<Action> {
        let stays = field.judge_occupy(self.winner).is_err()
            && field.judge_follow_up(self.winner, self.loser).is_err();
        stays.then_some(Action::Stay)
    }

    fn end(&self, field: &Field, won: &Won) -> Option<Pose> {
        match won {
            Won::Stays => field.stands(self.winner),
            Won::Occupies => self.after_occupying(field).stands(self.winner),
            Won::FollowsUp => None,
        }
    }

    fn preview(&self, field: &Field, won: &Won) -> Preview {
        match won {
            Won::Occupies => field.preview_outcome(self.winner, &self.after_occupying(field)),
            _ => Preview::default(),
        }
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        [Action::Stay, Action::Occupy, Action::FollowUp][whim.below(3)].clone()
    }
}

impl After {
    fn after_occupying(self, field: &Field) -> Field {
        let mut after = field.clone();
        after.occupy(self.winner, &mut Log::off());
        after
    }
}

impl Field {
    /// Whether a winner may occupy the ground (VF-MELEE-20).
    pub(crate) fn judge_occupy(&self, winner: Nr) -> Result<(), Illegal> {
        if self.unit(winner).formation == Formation::Square {
            return refuse("VF-MELEE-20", "a square does not occupy the position");
        }
        if self.cannot_move(winner) {
            return refuse("VF-MELEE-20", format!("{} cannot move", self.name(winner)));
        }
        Ok(())
    }

    /// Whether a winner may follow up (VF-MELEE-18, -19).
    pub(crate) fn judge_follow_up(&self, winner: Nr, loser: Nr) -> Result<(), Illegal> {
        let Some(m) = self.s.melee else { return refuse("VF-MELEE-18", "there is no melee") };
        if !self.unit(loser).here() {
            return refuse("VF-MELEE-18", format!("{} is gone; there is nobody to follow", self.name(loser)));
        }
        if !self.kind(winner).is_cavalry() {
            return refuse("VF-MELEE-18", "only cavalry follows up");
        }
        if winner != m.attacker && !self.o().countercharger_pursuit {
            return refuse("VF-MELEE-19", "only the charger may follow up");
        }
        if winner != m.attacker && !m.countercharged {
            return refuse("VF-MELEE-19", format!("{} did not countercharge", self.name(winner)));
        }
        Ok(())
    }

    pub(crate) fn occupy(&mut self, winner: Nr, log: &mut Log) {
        let Some(m) = self.s.melee else { return };
        let depth = if winner == m.attacker { m.defender_depth } else { m.attacker_depth };
        let id = self.spec(winner).id;
        let bearing = exact(self.unit(winner).place.t);
        // The distance is the loser's depth whatever the ground costs.
        let body = self.unit(winner).body;
        let way = tricorne_table::angle::forward(bearing);
        let spend = mils(self.straight_cost(self.mover(winner), &body, way, exact(depth), None));
        self.ride(winner, bearing, spend, None);
        log.say(|| Event::new("occupies", "VF-MELEE-20").who(id));
    }

    /// Pursues a beaten enemy (VF-MELEE-18).
    pub(crate) fn follow_up(&mut self, winner: Nr, loser: Nr, chance: &mut dyn Chance, log: &mut Log) {
        let from = self.unit(winner).body.centroid();
        let bearing = exact(mils(tricorne_table::angle::bearing(from, self.unit(loser).body.centroid())));
        let roll = self.roll_move(winner, "pursuit_move", false, chance);
        let (who, whom) = (self.spec(winner).id, self.spec(loser).id);
        log.say(|| {
            Event::new("follows_up", "VF-MELEE-18")
                .who(who)
                .whom(whom)
                .faces(&roll.faces)
                .with("inches", exact(roll.allowance))
        });
        if let Some((at, aspect)) = self.ride(winner, bearing, roll.allowance, Some(loser)) {
            // A new melee takes the place of this one; its end serves for both.
            self.s.stack.retain(|step| *step != Step::MeleeEnd);
            self.contact(winner, loser, at, aspect, false, log);
            if !self.o().pursuit_charges
                && let Some(m) = &mut self.s.melee
            {
                m.attacker_charges = false;
            }
        }
    }
}
