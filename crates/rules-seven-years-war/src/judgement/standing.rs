//! How a battle stands for a side: what there is of each thing that tells, and what it is worth by the mind.

use tricorne_drill::judgement::decided;
use tricorne_game::{Seat, Side};

use crate::judgement::first::First;
use crate::judgement::mind::Worth;
use crate::judgement::survey::Survey;
use crate::model::field::SevenYearsBattle;
use crate::model::state::{Order, Presence};
use crate::rulebook::{Arm, Class};

/// What one side has.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    foot: f64,
    horse: f64,
    guns: f64,
    lights: f64,
    lost: f64,
    disorder: f64,
    flight: f64,
    worn: f64,
    flanks: f64,
    command: f64,
}

impl Tally {
    fn all(&self) -> f64 {
        self.foot + self.horse + self.guns + self.lights
    }
}

impl SevenYearsBattle {
    /// From -1 (as good as lost) to 1 (as good as won).
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let side = Side(seat.0.min(1));
        if let Some(ending) = &self.s.ending {
            return decided(ending.winner, side);
        }
        self.mind.standing(&self.features_of(seat))
    }

    /// What the position has of each thing that tells, for a seat's side.
    pub(crate) fn features_of(&self, seat: Seat) -> Worth {
        let side = Side(seat.0.min(1));
        let enemy = side.enemy();
        let (ours, theirs) = (self.survey(side), self.survey(enemy));
        let (a, b) = (self.muster_of(&ours), self.muster_of(&theirs));
        let total = (a.all() + b.all()).max(1.0);
        let done = f64::from(self.s.turn) / f64::from(self.fixed.turns.max(1));
        let ahead = (self.lead(side) / self.lead_needed()).clamp(-4.0, 4.0);
        let points = libm::tanh(ahead * 0.7);
        let (mut ground, mut hold) = (0.0, 0.0);
        for (k, prize) in ours.prizes.iter().enumerate() {
            let leads = self.leads(prize) * 0.5;
            ground += match prize.holder {
                Some(s) if s == side => leads,
                Some(_) => -leads,
                None => 0.0,
            };
            hold += leads * (self.grip(&ours, k) - self.grip(&theirs, k));
        }
        let power = |x: f64| x * x * x * x;
        let first = First(self).stands_for(seat);
        Worth {
            first: 2.0 * libm::atanh((first / 0.97).clamp(-0.999, 0.999)),
            foot: (a.foot - b.foot) / total,
            horse: (a.horse - b.horse) / total,
            guns: (a.guns - b.guns) / total,
            lights: (a.lights - b.lights) / total,
            losses: b.lost - a.lost,
            brink: power(b.lost.min(1.2)) - power(a.lost.min(1.2)),
            points,
            points_late: points * done * done,
            ground,
            ground_late: ground * done * done,
            hold,
            disorder: (b.disorder - a.disorder) / total * 4.0,
            flight: (b.flight - a.flight) / total * 4.0,
            flanks: (b.flanks - a.flanks) / total * 8.0,
            command: a.command - b.command,
            tempo: if self.s.phasing == side { 0.5 } else { -0.5 },
            worn: (b.worn - a.worn) / total * 4.0,
        }
    }

    fn muster_of(&self, survey: &Survey) -> Tally {
        let side = survey.side;
        let mut t = Tally::default();
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if unit.side != side || unit.stands.is_empty() || unit.presence == Presence::Gone {
                continue;
            }
            let off = if unit.presence == Presence::Off { 0.6 } else { 1.0 };
            let worth = self.worth(u) * off;
            let info = self.info(u);
            match (info.arm, info.class) {
                (Arm::Artillery, _) => t.guns += worth,
                (_, Class::Light) => t.lights += worth,
                (Arm::Cavalry, _) => t.horse += worth,
                (Arm::Infantry, _) => t.foot += worth,
            }
            if unit.is_known() && self.is_disordered(u) {
                t.disorder += worth;
            }
            if matches!(self.order_of(u), Order::Rout | Order::Retreat) {
                t.flight += self.info(u).price * unit.strength() as f64;
            }
        }
        let started = f64::from(self.s.armies[side.index().min(1)].started).max(1.0);
        let limit = f64::from(self.fixed.break_percent).max(1.0) / 100.0;
        t.lost = f64::from(self.lost_stands(side)) / started / limit;
        let mut heard = 0.0;
        let mut listening = 0.0;
        for f in &survey.friends {
            let (begun, left) = self.group_strength(f.g);
            if left * 2 <= begun {
                t.worn += f.worth;
            }
            if f.order != Order::Rout {
                t.flanks += self.flank_cost(survey, f, &self.as_they_stand(f));
            }
            if let Some(i) = self.group(f.g).command
                && self.general(i).is_present()
            {
                let far = self.general(i).at.distance(f.at);
                heard += f.worth * (1.0 - far / 60.0).clamp(0.0, 1.0);
            }
            listening += f.worth;
        }
        t.command = if listening > 0.0 { heard / listening } else { 0.0 };
        t
    }

    /// How firmly a side has hold of a piece of ground: stands on it, and those who could be in time.
    fn grip(&self, survey: &Survey, k: usize) -> f64 {
        let prize = &survey.prizes[k];
        let mut sum = 0.0;
        for f in &survey.friends {
            if f.arm == Arm::Artillery
                || (prize.massed_only && f.light)
                || matches!(f.order, Order::Rout | Order::Retreat)
            {
                continue;
            }
            let far = f.bounds.distance_squared(prize.at).sqrt();
            let reach = f.speed * (survey.turns_left * 0.6).max(0.8);
            sum += f64::from(f.stands) * (1.0 - far / (reach + 8.0)).clamp(0.0, 1.0);
        }
        libm::tanh(sum / 16.0)
    }
}
