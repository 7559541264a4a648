//! D3: beside which unit a killed general's successor stands (ATKM-GEN-12).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, UnitId};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::state::{General, Stage, UnitNo};

/// Where a new general takes over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Successor {
    pub(crate) seat: Seat,
}

impl Question<Engagement> for Successor {
    type Judged = UnitNo;

    fn kind(&self, _: &Engagement) -> &'static str {
        "replace_general"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-GEN-12"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    fn prompt(&self, _: &Engagement) -> String {
        "Beside which unit does the new general stand?".into()
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        out.list_all(battle.joinable(self.seat).map(|no| Action::SetGeneral { beside: battle.unit(no).id }));
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<UnitNo, Illegal> {
        let Action::SetGeneral { beside } = answer else {
            return out_of_place(answer, self.kind(battle));
        };
        let no = battle.named(*beside, "ATKM-GEN-12")?;
        if battle.joinable(self.seat).any(|u| u == no) {
            Ok(no)
        } else {
            refuse("ATKM-GEN-12", "the new general stands beside a unit of his own command")
        }
    }

    fn carry_out(self, battle: &mut Engagement, beside: UnitNo, now: &mut Now<'_>) {
        battle.do_replace(self.seat, beside, now.log);
    }

    fn usual(&self, battle: &Engagement) -> Action {
        let first = battle.joinable(self.seat).next();
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
        battle.propose_beside(self.seat, battle.joinable(self.seat).collect())
    }
}

impl Engagement {
    /// Units a new general may join (ATKM-GEN-12): his own command, or his army if that is gone.
    pub(crate) fn joinable(&self, seat: Seat) -> impl Iterator<Item = UnitNo> + '_ {
        let army = self.army_of(seat);
        let own = self.of_army(army).any(|(_, u)| u.owner == seat);
        self.of_army(army).filter(move |(_, u)| !own || u.owner == seat).map(|(no, _)| no)
    }

    /// The next seat whose killed general must be replaced; one whose army has nobody on the table waits.
    pub(crate) fn next_vacancy(&self) -> Option<Seat> {
        let vacant = |(i, g): (usize, &General)| {
            let seat = Seat(i as u8);
            (g.killed && self.joinable(seat).next().is_some()).then_some(seat)
        };
        self.state.generals.iter().enumerate().find_map(vacant)
    }

    /// ATKM-GEN-12.
    pub(crate) fn do_replace(&mut self, seat: Seat, beside: UnitNo, log: &mut Log) {
        let at = self.beside(seat, beside);
        let rating = self.rules().general.replacement_rating;
        let g = &mut self.state.generals[seat.index()];
        g.killed = false;
        g.placed = true;
        g.rating = rating;
        g.at = at;
        let unit = self.unit(beside).id;
        log.say(|| {
            Event::new("new_general", "ATKM-GEN-12")
                .whom(unit)
                .with("seat", seat.0)
                .with("rating", rating)
                .with("general", self.field.seats[seat.index()].name.clone())
        });
    }

    /// Goes on without a question where there is only one unit to stand beside, or none.
    pub(crate) fn step_replace(&mut self, log: &mut Log) -> bool {
        let Some(seat) = self.next_vacancy() else {
            self.state.stage = Stage::Arrive(None);
            return true;
        };
        let mut options = self.joinable(seat);
        match (options.next(), options.next()) {
            (Some(only), None) => {
                drop(options);
                self.do_replace(seat, only, log);
                true
            }
            _ => false,
        }
    }
}
