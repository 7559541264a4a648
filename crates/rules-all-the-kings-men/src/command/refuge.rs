//! D11: an overrun general flees to a unit of his army (ATKM-GEN-10).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};
use tricorne_table::within;

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::{Engagement, army_name};
use crate::state::{Stage, UnitNo};

/// To whom a general flees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Refuge {
    pub(crate) seat: Seat,
}

impl Question<Engagement> for Refuge {
    type Judged = UnitNo;

    fn kind(&self, _: &Engagement) -> &'static str {
        "overrun"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-GEN-10"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    /// The unit that rides him down, while it acts.
    fn unit(&self, battle: &Engagement) -> Option<UnitId> {
        let acts = matches!(battle.state.stage, Stage::Act | Stage::Pursue(_));
        battle.state.activation.filter(|_| acts).map(|a| battle.unit(a.unit).id)
    }

    fn prompt(&self, _: &Engagement) -> String {
        "Your general is overrun: to which unit does he flee?".into()
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.list_all(battle.refuges(self.seat).map(|no| Action::SetGeneral { beside: battle.unit(no).id }));
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<UnitNo, Illegal> {
        let Action::SetGeneral { beside } = answer else {
            return out_of_place(answer, self.kind(battle));
        };
        let no = battle.named(*beside, "ATKM-GEN-10")?;
        if battle.refuges(self.seat).any(|u| u == no) {
            Ok(no)
        } else {
            refuse("ATKM-GEN-10", format!("{beside} is no unit of his army within 20 of the general"))
        }
    }

    fn carry_out(self, battle: &mut Engagement, beside: UnitNo, now: &mut Now<'_>) {
        battle.do_refuge(self.seat, beside, now.log);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        let first = battle.refuges(self.seat).next();
        first.map_or(Action::Concede, |no| Action::SetGeneral { beside: battle.unit(no).id })
    }

    fn preview(&self, battle: &Engagement, beside: &UnitNo) -> Preview {
        let mut preview = Preview::default();
        battle.preview_general(&mut preview, self.seat, battle.beside(self.seat, *beside));
        preview
    }

    fn courses(&self, _: &Engagement, unit: UnitId) -> Vec<(String, Action)> {
        vec![("take the general".into(), Action::SetGeneral { beside: unit })]
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_beside(self.seat, battle.refuges(self.seat).collect())
    }
}

impl Engagement {
    /// Units an overrun general may flee to (ATKM-GEN-10).
    pub(crate) fn refuges(&self, seat: Seat) -> impl Iterator<Item = UnitNo> + '_ {
        let g = self.state.generals[seat.index()];
        let ride = self.rules().general.ride;
        self.of_army(g.army)
            .filter(move |(_, u)| within(u.command_distance(self.rules(), g.at), ride))
            .map(|(no, _)| no)
    }

    /// Goes on without a question where there is only one refuge, or none.
    pub(crate) fn step_overrun(&mut self, seat: Seat, log: &mut Log) -> bool {
        let general = self.state.generals[seat.index()];
        let mut options = self.refuges(seat);
        match (options.next(), options.next()) {
            _ if !general.present() => {
                drop(options);
                self.state.overrun.remove(0);
                true
            }
            (None, _) => {
                drop(options);
                self.state.overrun.remove(0);
                self.state.generals[seat.index()].killed = true;
                log.say(|| {
                    Event::new("captured", "ATKM-GEN-10")
                        .with("seat", seat.0)
                        .with("army", army_name(general.army))
                        .with("general", self.field.seats[seat.index()].name.clone())
                });
                true
            }
            (Some(only), None) => {
                drop(options);
                self.do_refuge(seat, only, log);
                true
            }
            _ => false,
        }
    }

    /// An overrun general is set beside a unit of his army.
    pub(crate) fn do_refuge(&mut self, seat: Seat, beside: UnitNo, log: &mut Log) {
        self.state.overrun.retain(|s| *s != seat);
        let at = self.beside(seat, beside);
        let refuge = self.unit(beside).id;
        self.ride_because(seat, at, "ATKM-GEN-10", Some(("flees", refuge)), log);
    }
}
