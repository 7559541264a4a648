//! D5, D6: a Joker or a Two takes a unit's turn away (ATKM-CARD-12, ATKM-CARD-13, ATKM-CARD-16).

use serde::Serialize;
use tricorne_chance::{Playing, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Seat, Side, UnitId};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::{Engagement, army_name};
use crate::options::DisorderChoice;
use crate::state::{Stage, UnitNo};

/// Which unit of an army gets the marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Disorder {
    pub(crate) army: Side,
    /// One that may be picked: without one nobody is asked (ATKM-CARD-16).
    first: UnitNo,
}

impl Disorder {
    pub(crate) fn of(battle: &Engagement, army: Side) -> Option<Self> {
        battle.disorderable(army).next().map(|first| Self { army, first })
    }
}

impl Question<Engagement> for Disorder {
    type Judged = UnitNo;

    fn kind(&self, _: &Engagement) -> &'static str {
        "disorder"
    }

    fn clause(&self, battle: &Engagement) -> &'static str {
        battle.detriment_clause()
    }

    fn seat(&self, battle: &Engagement) -> Seat {
        battle.card_commander()
    }

    fn prompt(&self, battle: &Engagement) -> String {
        format!("{}: which unit loses its turn?", battle.called(self.army))
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        let picks = battle.disorderable(self.army);
        out.list_all(picks.map(|no| Action::Disorder { unit: battle.unit(no).id }));
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<UnitNo, Illegal> {
        match answer {
            Action::Disorder { unit } => battle.judge_disorder(self.army, *unit),
            // Nobody acts on such a card, and it cannot be let go.
            Action::Activate { .. } => refuse(self.clause(battle), "nobody is activated on this card"),
            Action::Pass => refuse("ATKM-CARD-17", "a unit must be picked; this card is not passed"),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, no: UnitNo, now: &mut Now<'_>) {
        battle.do_disorder(no, now.log);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        Action::Disorder { unit: battle.unit(self.first).id }
    }

    fn courses(&self, _: &Engagement, unit: UnitId) -> Vec<(String, Action)> {
        vec![("lose its turn".into(), Action::Disorder { unit })]
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_disorder(self.seat(battle), self.army)
    }
}

impl Engagement {
    /// The clause of the card that takes a turn away.
    fn detriment_clause(&self) -> &'static str {
        match self.state.play.as_ref().map(|p| p.card) {
            Some(Playing::Joker(_)) => "ATKM-CARD-12",
            _ => "ATKM-CARD-13",
        }
    }

    /// ATKM-CARD-16: whether a unit may be picked.
    pub(crate) fn judge_disorder(&self, army: Side, id: UnitId) -> Result<UnitNo, Illegal> {
        let no = self.named(id, "ATKM-CARD-16")?;
        let unit = self.unit(no);
        if unit.army != army {
            return refuse(self.detriment_clause(), format!("pick a unit of {}", self.called(army)));
        }
        if unit.disorder && self.options().disorder_choice == DisorderChoice::UnmarkedFirst {
            return refuse("ATKM-CARD-16", format!("{id} has its marker already; pick a unit without"));
        }
        Ok(no)
    }

    /// Units that may be picked.
    pub(crate) fn disorderable(&self, army: Side) -> impl Iterator<Item = UnitNo> + '_ {
        let any = self.options().disorder_choice == DisorderChoice::Any;
        self.of_army(army).filter(move |(_, u)| any || !u.disorder).map(|(no, _)| no)
    }

    pub(crate) fn step_disorder(&mut self, army: Side, log: &mut Log) -> bool {
        let mut options = self.disorderable(army);
        match (options.next(), options.next()) {
            (Some(only), None) => {
                drop(options);
                self.do_disorder(only, log);
                true
            }
            (None, _) => {
                drop(options);
                log.say(|| {
                    Event::new("card_wasted", "ATKM-CARD-16")
                        .with("army", army_name(army))
                        .with("side", self.called(army))
                });
                self.state.stage = Stage::Draw;
                true
            }
            _ => false,
        }
    }

    /// ATKM-CARD-12, ATKM-CARD-13: the unit keeps its colour and gets a marker.
    pub(crate) fn do_disorder(&mut self, no: UnitNo, log: &mut Log) {
        let unit = self.unit_mut(no);
        unit.disorder = true;
        let id = unit.id;
        let clause = self.detriment_clause();
        log.say(|| Event::new("disordered", clause).who(id).outcome("by_card"));
        self.state.stage = Stage::Draw;
    }
}
