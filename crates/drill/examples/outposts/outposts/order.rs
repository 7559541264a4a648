//! What does the company do? It marches (OUT-MARCH), fires (OUT-FIRE) or waits.

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Pool, Question, Reasons, refuse};
use tricorne_game::{Event, Illegal, Preview, Seat, UnitId};
use tricorne_table::{Point, angle};

use super::battle::{Action, Skirmish};
use super::reaction::Reaction;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Order {
    pub unit: usize,
}

#[allow(clippy::large_enum_variant, reason = "it lives for one answer")]
pub enum Judged {
    March(Point, f64),
    Volley(usize, Pool, f64),
    Wait,
}

impl Order {
    /// The dice of a volley (OUT-FIRE-02, -03).
    fn volley(&self, b: &Skirmish, target: usize) -> Pool {
        let charts = &b.field.charts;
        let mut dice = Reasons::new();
        dice.add(i32::from(b.s.units[self.unit].men.div_ceil(2)), "half the men", "OUT-FIRE-02");
        dice.line_if(b.gap(self.unit, target) <= f64::from(charts.close.value), &charts.close_fire);
        Pool::of(dice, charts.hits_on.value - i32::from(b.field.options.sharp_eyes))
    }

    fn judge_march(&self, b: &Skirmish, to: Point) -> Result<Judged, Illegal> {
        let charts = &b.field.charts;
        if !to.is_finite() || !b.on_table(to) {
            return refuse("OUT-MARCH-02", "that is not on the table");
        }
        let distance = b.s.units[self.unit].place().distance(to);
        if distance > f64::from(charts.march.value) {
            return refuse(
                "OUT-MARCH-01",
                format!("a march goes {} inches, not {distance:.1}", charts.march.value),
            );
        }
        if !b.room(self.unit, to) {
            return refuse("OUT-MARCH-02", "that is upon another company; leave an inch");
        }
        Ok(Judged::March(to, distance))
    }

    fn judge_fire(&self, b: &Skirmish, at: UnitId) -> Result<Judged, Illegal> {
        let target = b.find(at, "OUT-FIRE-01")?;
        if b.s.units[target].side == b.s.units[self.unit].side {
            return refuse("OUT-FIRE-01", format!("{at} is a friend"));
        }
        let (gap, range) = (b.gap(self.unit, target), b.field.charts.range.value);
        if gap > f64::from(range) {
            return refuse("OUT-FIRE-01", format!("{at} is {gap:.1} inches away; muskets reach {range}"));
        }
        Ok(Judged::Volley(target, self.volley(b, target), gap))
    }

    /// Somewhere this company could march to, as far as the whim takes it.
    fn somewhere(&self, b: &Skirmish, whim: &mut Whim) -> Action {
        let way = angle::forward(whim.between(0.0, 360.0))
            * whim.between(1.0, f64::from(b.field.charts.march.value));
        Action::March((b.s.units[self.unit].place() + way).round_to(0.01))
    }
}

impl Question<Skirmish> for Order {
    type Judged = Judged;

    fn kind(&self, _: &Skirmish) -> &'static str {
        "order"
    }

    fn clause(&self, _: &Skirmish) -> &'static str {
        "OUT-TURN-02"
    }

    fn seat(&self, b: &Skirmish) -> Seat {
        Seat(b.s.active)
    }

    fn unit(&self, b: &Skirmish) -> Option<UnitId> {
        Some(b.s.units[self.unit].id)
    }

    fn prompt(&self, b: &Skirmish) -> String {
        format!("What does {} do?", b.field.names[self.unit])
    }

    fn answers(&self, b: &Skirmish, out: &mut Answers<Action>) {
        out.list(Action::Wait);
        out.list_all(b.standing_of(b.s.active ^ 1).map(|u| Action::Fire(b.s.units[u].id)));
        out.space("march", self.unit(b), Some(f64::from(b.field.charts.march.value)), "a place to march to");
    }

    fn judge(&self, b: &Skirmish, answer: &Action) -> Result<Judged, Illegal> {
        match answer {
            Action::March(to) => self.judge_march(b, *to),
            Action::Fire(at) => self.judge_fire(b, *at),
            Action::Wait => Ok(Judged::Wait),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut Skirmish, judged: Judged, now: &mut Now<'_>) {
        b.s.asked = None;
        b.s.units[self.unit].done = true;
        let who = b.s.units[self.unit].id;
        match judged {
            Judged::Wait => {}
            Judged::March(to, distance) => {
                b.s.units[self.unit].at = to.into();
                now.say(|| Event::new("march", "OUT-MARCH-01").who(who).with("distance", distance));
            }
            Judged::Volley(target, pool, distance) => {
                let struck = pool.roll("volley", now.chance);
                let whom = &mut b.s.units[target];
                let lost = whom.men.min(struck.hits() as u8);
                whom.men -= lost;
                let whom_id = whom.id;
                now.say(|| {
                    let event = pool.event("volley", "OUT-FIRE-03", &struck).who(who).whom(whom_id);
                    event.with("distance", distance).with("losses", lost)
                });
                if lost > 0 && b.s.units[target].men > 0 {
                    b.s.asked = Some(Reaction { unit: target, from: self.unit, lost }.into());
                }
            }
        }
    }

    fn usual(&self, _: &Skirmish) -> Action {
        Action::Wait
    }

    fn preview(&self, b: &Skirmish, judged: &Judged) -> Preview {
        match judged {
            Judged::March(_, distance) => {
                let allowance = Some(f64::from(b.field.charts.march.value));
                Preview { cost: Some(*distance), allowance, ..Preview::default() }
            }
            Judged::Volley(_, pool, _) => {
                let mut preview = Preview::default();
                preview.notes.push(format!("{:.1} hits expected", pool.expected()));
                preview
            }
            Judged::Wait => Preview::default(),
        }
    }

    fn wander(&self, b: &Skirmish, whim: &mut Whim) -> Action {
        let targets: Vec<usize> = b.standing_of(b.s.active ^ 1).collect();
        match whim.one_of(&targets) {
            Some(&u) if whim.chance(0.5) => Action::Fire(b.s.units[u].id),
            _ => self.somewhere(b, whim),
        }
    }

    fn ways(&self, b: &Skirmish, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        // Straight at each enemy, then anywhere.
        let (me, march) = (b.s.units[self.unit].place(), f64::from(b.field.charts.march.value));
        for u in b.standing_of(b.s.active ^ 1) {
            let gap = b.gap(self.unit, u);
            let share = ((gap - 4.0).clamp(0.0, march) / gap.max(0.1)).min(1.0);
            out.push(Action::March(me.lerp(b.s.units[u].place(), share).round_to(0.01)));
        }
        out.extend((0..most).map(|_| self.somewhere(b, whim)));
    }
}
