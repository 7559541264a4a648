//! D4: the Commanding General hands out command points (ATKM-CMD-04 to -07).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Seat, Side};

use crate::action::{Action, Gift};
use crate::battle::out_of_place;
use crate::field::{Engagement, army_name};

/// How many points which Lieutenant General gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Gifts {
    pub(crate) army: Side,
}

impl Question<Engagement> for Gifts {
    type Judged = Vec<Gift>;

    fn kind(&self, _: &Engagement) -> &'static str {
        "give"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-CMD-04"
    }

    fn seat(&self, battle: &Engagement) -> Seat {
        battle.commander(self.army)
    }

    fn prompt(&self, _: &Engagement) -> String {
        "Hand out command points to your Lieutenants, or keep them".into()
    }

    fn answers(&self, _: &Engagement, out: &mut Answers<Action>) {
        out.list(Action::Give(Vec::new()));
        out.space("give", None, None, "a list of {to, points} for Lieutenant Generals");
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<Vec<Gift>, Illegal> {
        match answer {
            Action::Give(gifts) => battle.judge_gifts(self.army, gifts).map(|()| gifts.clone()),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, gifts: Vec<Gift>, now: &mut Now<'_>) {
        battle.do_give(self.army, &gifts, now.log);
        battle.after_gifts(self.army);
    }

    fn usual(&self, _: &Engagement) -> Action {
        Action::Give(Vec::new())
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        let seat = self.seat(battle);
        let mut purse = battle.state.generals[seat.index()].points;
        let most = battle.rules().general.most_points;
        let mut gifts = Vec::new();
        for to in battle.seats_of(self.army).filter(|&s| s != seat) {
            let room = most.saturating_sub(battle.state.generals[to.index()].points);
            let points = whim.below(usize::from(purse.min(room)) + 1) as u8;
            if points > 0 {
                purse -= points;
                gifts.push(Gift { to, points });
            }
        }
        Action::Give(gifts)
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..most).map(|_| self.wander(battle, whim)));
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_gifts(self.seat(battle))
    }
}

impl Engagement {
    /// Whether an army's Commanding General has anything to hand out, and anybody to give it to.
    pub(crate) fn has_gifts(&self, army: Side) -> bool {
        let commander = self.commander(army);
        let most = self.rules().general.most_points;
        self.state.generals[commander.index()].points > 0
            && self.seats_of(army).any(|s| s != commander && self.state.generals[s.index()].points < most)
    }

    /// ATKM-CMD-04, ATKM-CMD-05, ATKM-CMD-07.
    pub(crate) fn judge_gifts(&self, army: Side, gifts: &[Gift]) -> Result<(), Illegal> {
        let commander = self.commander(army);
        let purse = u32::from(self.state.generals[commander.index()].points);
        let mut given = 0;
        for (i, gift) in gifts.iter().enumerate() {
            let lieutenant = self.state.generals.get(gift.to.index());
            let Some(lieutenant) = lieutenant.filter(|g| g.army == army && gift.to != commander) else {
                return refuse(
                    "ATKM-CMD-07",
                    format!("seat {} is no Lieutenant General of this army", gift.to.0),
                );
            };
            if gifts[..i].iter().any(|g| g.to == gift.to) {
                return refuse("ATKM-CMD-04", format!("seat {} stands twice in the list", gift.to.0));
            }
            let most = self.rules().general.most_points;
            if u32::from(lieutenant.points) + u32::from(gift.points) > u32::from(most) {
                return refuse(
                    "ATKM-CMD-05",
                    format!(
                        "seat {} holds {} and may hold {most} at most; give {} or less",
                        gift.to.0,
                        lieutenant.points,
                        most.saturating_sub(lieutenant.points)
                    ),
                );
            }
            given += u32::from(gift.points);
        }
        if given > purse {
            return refuse("ATKM-CMD-04", format!("{given} points are more than the {purse} rolled"));
        }
        Ok(())
    }

    pub(crate) fn do_give(&mut self, army: Side, gifts: &[Gift], log: &mut Log) {
        let commander = self.commander(army);
        for gift in gifts.iter().filter(|g| g.points > 0) {
            self.state.generals[commander.index()].points -= gift.points;
            self.state.generals[gift.to.index()].points += gift.points;
            log.say(|| {
                Event::new("gift", "ATKM-CMD-04")
                    .with("army", army_name(army))
                    .with("side", self.called(army))
                    .with("seat", gift.to.0)
                    .with("general", self.field.seats[gift.to.index()].name.clone())
                    .with("points", gift.points)
            });
        }
    }
}
