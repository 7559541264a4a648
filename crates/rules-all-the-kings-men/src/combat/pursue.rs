//! D12: cavalry may ride after the mob it has made (ATKM-ADV-08).

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Pool, Question, Reasons};
use tricorne_game::{Event, Illegal, Log, Seat, UnitId};

use crate::action::Action;
use crate::battle::out_of_place;
use crate::field::Engagement;
use crate::rulebook::Kind;
use crate::state::{Stage, UnitNo};

/// Whether a mob is pursued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Pursue {
    pub(crate) seat: Seat,
    pub(crate) unit: UnitNo,
    pub(crate) mob: UnitNo,
}

impl Question<Engagement> for Pursue {
    /// Whether it is.
    type Judged = bool;

    fn kind(&self, _: &Engagement) -> &'static str {
        "pursue"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-ADV-08"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.seat
    }

    fn unit(&self, battle: &Engagement) -> Option<UnitId> {
        Some(battle.unit(self.unit).id)
    }

    fn prompt(&self, _: &Engagement) -> String {
        "Ride after the mob, or let it go?".into()
    }

    fn answers(&self, _: &Engagement, out: &mut Answers<Action>) {
        out.list_all([Action::Pursue, Action::Decline]);
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::Pursue => Ok(true),
            Action::Decline => Ok(false),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, pursued: bool, now: &mut Now<'_>) {
        if pursued {
            battle.do_pursue(self.unit, self.mob, now.chance, now.log);
        }
        battle.state.stage = Stage::Finish;
    }

    fn usual(&self, _: &Engagement) -> Action {
        Action::Decline
    }

    fn courses(&self, _: &Engagement, _: UnitId) -> Vec<(String, Action)> {
        vec![("pursue".into(), Action::Pursue), ("let them go".into(), Action::Decline)]
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_pursuit(self.unit, self.mob)
    }
}

impl Engagement {
    /// ATKM-ADV-08.
    pub(crate) fn offer_pursuit(&mut self, charger: UnitNo, mob: UnitNo) {
        let (us, them) = (self.unit(charger), self.unit(mob));
        if self.options().adv_pursuit
            && us.kind == Kind::Cavalry
            && us.present()
            && them.present()
            && them.is_mob()
        {
            self.state.stage = Stage::Pursue(mob);
        }
    }

    /// ATKM-ADV-08: one die for each trooper left, each six a man of the mob.
    pub(crate) fn do_pursue(&mut self, charger: UnitNo, mob: UnitNo, chance: &mut dyn Chance, log: &mut Log) {
        let (us, them) = (*self.unit(charger), *self.unit(mob));
        let mut troopers = Reasons::new();
        troopers.note(i32::from(us.n), "troopers left", "ATKM-ADV-08");
        let pool = Pool::of(troopers, self.rules().dice.pursuit);
        let roll = pool.roll("pursuit", chance);
        let men = roll.hits().min(usize::from(them.n)) as u8;
        log.say(|| {
            pool.event("pursuit", "ATKM-ADV-08", &roll)
                .who(us.id)
                .whom(them.id)
                .made(i32::from(men))
                .outcome(if men > 0 { "caught" } else { "nobody" })
        });
        self.lose(mob, men);
        self.rout_if_broken(mob, log);
        self.unit_mut(charger).disorder = true;
        log.say(|| Event::new("disordered", "ATKM-ADV-08").who(us.id).outcome("pursued"));
    }
}
