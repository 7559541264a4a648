//! Shot at: does the company stand to be tested, or give ground? (OUT-NERVE)

use serde::Serialize;
use tricorne_drill::{Answers, Now, Question, Reasons, Test};
use tricorne_game::{Event, Illegal, Preview, Seat, UnitId};

use super::battle::{Action, Skirmish};

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reaction {
    pub unit: usize,
    pub from: usize,
    pub lost: u8,
}

impl Reaction {
    /// OUT-NERVE-03.
    fn nerve(&self, b: &Skirmish) -> Test {
        let mut reasons = Reasons::new();
        let before = b.s.units[self.unit].men + self.lost;
        reasons.line_if(4 * self.lost >= before, &b.field.charts.heavy_loss);
        Test::of(2, 6).needing(b.field.charts.nerve.value).with(reasons)
    }

    /// OUT-NERVE-02: as far as there is room, a quarter inch at a time.
    fn give_ground(&self, b: &mut Skirmish, now: &mut Now<'_>) {
        let (me, from) = (b.s.units[self.unit].place(), b.s.units[self.from].place());
        let Some(away) = (me - from).unit() else { return };
        let quarters = 4 * b.field.charts.gives_ground.value;
        let who = b.s.units[self.unit].id;
        let mut went = 0.0;
        for quarter in 1..=quarters {
            let to = me + away * (0.25 * f64::from(quarter));
            if !b.on_table(to) {
                b.s.units[self.unit].men = 0;
                return now.say(|| Event::new("over_the_edge", "OUT-NERVE-02").who(who));
            }
            if b.room(self.unit, to) {
                went = 0.25 * f64::from(quarter);
            } else {
                break;
            }
        }
        b.s.units[self.unit].at = (me + away * went).into();
        if went > 0.0 {
            now.say(|| Event::new("gives_ground", "OUT-NERVE-02").who(who).with("distance", went));
        }
    }
}

impl Question<Skirmish> for Reaction {
    /// Whether it stands.
    type Judged = bool;

    fn kind(&self, _: &Skirmish) -> &'static str {
        "reaction"
    }

    fn clause(&self, _: &Skirmish) -> &'static str {
        "OUT-NERVE-01"
    }

    fn seat(&self, b: &Skirmish) -> Seat {
        Seat(b.s.units[self.unit].side)
    }

    fn unit(&self, b: &Skirmish) -> Option<UnitId> {
        Some(b.s.units[self.unit].id)
    }

    fn prompt(&self, b: &Skirmish) -> String {
        format!("{} is shot at: stand, or give ground?", b.field.names[self.unit])
    }

    fn answers(&self, _: &Skirmish, out: &mut Answers<Action>) {
        out.list_all([Action::Stand, Action::GiveGround]);
    }

    fn judge(&self, b: &Skirmish, answer: &Action) -> Result<bool, Illegal> {
        match answer {
            Action::Stand => Ok(true),
            Action::GiveGround => Ok(false),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut Skirmish, stands: bool, now: &mut Now<'_>) {
        b.s.asked = None;
        if !stands {
            return self.give_ground(b, now);
        }
        let test = self.nerve(b);
        let rolled = test.roll("nerve", now.chance);
        let who = b.s.units[self.unit].id;
        now.say(|| test.event("nerve", "OUT-NERVE-03", &rolled).who(who));
        if !rolled.passed {
            b.s.units[self.unit].men = 0;
        }
    }

    fn usual(&self, _: &Skirmish) -> Action {
        Action::Stand
    }

    fn preview(&self, b: &Skirmish, stands: &bool) -> Preview {
        let mut preview = Preview::default();
        if *stands {
            preview.notes.push(format!("stands in {:.0} of 100", 100.0 * self.nerve(b).chance()));
        }
        preview
    }
}
