//! D-AFTER: the winner of a melee stays, occupies the ground or follows up (VF-MELEE-18 to -20).

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};
use tricorne_table::Pose;

use crate::action::Action;
use crate::charge::contact::Course;
use crate::field::{Field, bit, bits};
use crate::model::measure::{Place, exact, mils};
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
    /// It pursues this one.
    FollowsUp(Nr),
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

    fn answers(&self, field: &Field, out: &mut Answers<Action>) {
        out.list_all([Action::Stay, Action::Occupy, Action::FollowUp]);
        // Which of several it follows, it names (VF-MELEE-38).
        let others = self.losers(field).filter(|&u| u != self.loser);
        out.list_all(others.map(|u| Action::Pursue(field.spec(u).id)));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<Won, Illegal> {
        match answer {
            Action::Stay => Ok(Won::Stays),
            Action::Occupy => field.judge_occupy(self.winner).map(|()| Won::Occupies),
            Action::FollowUp => {
                field.judge_follow_up(self.winner, self.loser).map(|()| Won::FollowsUp(self.loser))
            }
            Action::Pursue(id) => {
                let loser = field.named(*id)?;
                if !self.losers(field).any(|u| u == loser) {
                    return refuse("VF-MELEE-38", format!("{id} did not retreat before it"));
                }
                field.judge_follow_up(self.winner, loser).map(|()| Won::FollowsUp(loser))
            }
            _ => Err(self.other(field)),
        }
    }

    fn carry_out(self, field: &mut Field, won: Won, now: &mut Now<'_>) {
        match won {
            Won::Stays => {}
            Won::Occupies => field.occupy(self.winner, now.log),
            Won::FollowsUp(loser) => field.follow_up(self.winner, loser, now.chance, now.log),
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
            Won::Occupies => field.occupation(self.winner).map(Place::pose),
            Won::FollowsUp(_) => None,
        }
    }

    fn preview(&self, field: &Field, won: &Won) -> Preview {
        match won {
            Won::Occupies => field
                .occupation(self.winner)
                .map_or_else(Preview::default, |end| field.preview_occupation(self.winner, end)),
            _ => Preview::default(),
        }
    }

    fn wander(&self, _: &Field, whim: &mut Whim) -> Action {
        [Action::Stay, Action::Occupy, Action::FollowUp][whim.below(3)].clone()
    }
}

impl After {
    /// Whom the winner has beaten.
    fn losers<'a>(&'a self, field: &'a Field) -> impl Iterator<Item = Nr> + 'a {
        let melee = field.s.melee.as_ref().filter(|m| m.attacker == self.winner);
        let several = melee.into_iter().flat_map(|m| field.beaten(m));
        several.chain(std::iter::once(self.loser).filter(move |_| melee.is_none()))
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
        // Of several defenders it is the target that rode out, if any did (VF-MELEE-34).
        if winner != m.attacker && !(winner == m.defender && m.countercharged) {
            return refuse("VF-MELEE-19", format!("{} did not countercharge", self.name(winner)));
        }
        Ok(())
    }

    /// Where a winner that takes the ground comes to stand: straight ahead by the loser's depth along that line, whatever
    /// the ground costs, or as far as is free (VF-MELEE-20). Skirmishers, who fight any way without turning, go to where
    /// the loser stood when they met, wherever it has gone since.
    pub(crate) fn occupation(&self, winner: Nr) -> Option<Place> {
        let m = self.s.melee?;
        let stood = m.stood[usize::from(winner == m.attacker)];
        let unit = self.unit(winner);
        let bearing = if unit.formation == Formation::Cloud {
            exact(mils(tricorne_table::angle::bearing(unit.body.centroid(), stood.middle())))
        } else {
            exact(unit.place.t)
        };
        let way = tricorne_table::angle::forward(bearing);
        let depth = exact(mils(stood.depth_along(way)));
        let spend = mils(self.straight_cost(self.mover(winner), &unit.body, way, depth, None));
        match self.course(winner, bearing, spend, None) {
            Course::Ends(place) if unit.formation == Formation::Cloud => {
                // It goes without turning.
                let gone = unit.body_at(place.pose()).centroid() - unit.body.centroid();
                Some(Place::of(unit.place.pose().slid(gone)))
            }
            Course::Ends(place) => Some(place),
            Course::Touches(_) => None,
        }
    }

    pub(crate) fn occupy(&mut self, winner: Nr, log: &mut Log) {
        let Some(place) = self.occupation(winner) else { return };
        let id = self.spec(winner).id;
        let goes = place != self.unit(winner).place;
        self.put(winner, place);
        self.set_clouds_back(winner);
        log.say(|| {
            let event = Event::new("occupies", "VF-MELEE-20").who(id);
            if goes { event } else { event.outcome("stays") }
        });
    }

    /// Pursues a beaten enemy (VF-MELEE-18).
    pub(crate) fn follow_up(&mut self, winner: Nr, loser: Nr, chance: &mut dyn Chance, log: &mut Log) {
        let from = self.unit(winner).body.centroid();
        let bearing = exact(mils(tricorne_table::angle::bearing(from, self.unit(loser).body.centroid())));
        let roll = self.roll_move(winner, "pursuit_move", false, chance);
        let (who, whom) = (self.spec(winner).id, self.spec(loser).id);
        log.say(|| {
            let event = Event::new("follows_up", "VF-MELEE-18").who(who).whom(whom);
            self.tell_move(event, winner, &roll)
        });
        if let Some(contact) = self.ride(winner, bearing, roll.allowance, Some(loser)) {
            // A new melee takes the place of this one, which is over for all others (VF-MELEE-23).
            for u in bits(self.s.melee.map_or(0, |m| m.fought & !bit(winner))) {
                self.has_fought(u);
            }
            self.s.stack.retain(|step| *step != Step::MeleeEnd);
            self.contact(winner, loser, contact, log);
            if !self.o().pursuit_charges
                && let Some(m) = &mut self.s.melee
            {
                m.attacker_charges = false;
            }
        } else {
            log.say(|| Event::new("not_caught", "VF-MELEE-19").who(who).whom(whom));
        }
    }
}
