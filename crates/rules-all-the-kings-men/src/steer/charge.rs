//! Charges led by the hand: at the enemy pointed at, from where he is pointed at.

use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_drill::steer::Nearest;
use tricorne_game::{Illegal, Steer, Wish};
use tricorne_table::{Point, angle};

use super::{amiss, neat, neat_facing, offer, pose};
use crate::action::Action;
use crate::combat::melee::Charge;
use crate::field::Engagement;
use crate::state::{Activation, Unit, UnitNo, nearest};

/// A charge that was judged.
pub(crate) struct Lunge {
    pub target: UnitNo,
    pub path: SmallVec<[Point; 4]>,
    pub facing: Option<f64>,
    pub charge: Charge,
}

impl Lunge {
    /// As an answer.
    pub(crate) fn action(&self, battle: &Engagement) -> Action {
        let target = battle.unit(self.target).id;
        Action::Charge { target, path: self.path.to_vec(), facing: self.facing }
    }
}

impl Engagement {
    /// The enemy that a place points at.
    pub(super) fn charged_by(&self, unit: &Unit, place: Point, within: f64) -> Option<UnitNo> {
        let mut best = Nearest::within(0.0);
        for (no, enemy) in self.of_army(unit.army.enemy()) {
            let far = nearest(&enemy.solids(self.rules()), place);
            if far <= within {
                best.keep(far, no);
            }
        }
        best.found()
    }

    pub(super) fn steer_charge(&self, a: &Activation, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        Self::judge_charge_slot(a)?;
        let unit = self.unit(a.unit);
        Self::judge_charger(unit)?;
        let Some(target) = self.charged_by(unit, wish.place, f64::INFINITY) else {
            return refuse("ATKM-MELEE-12", "there is no enemy to charge");
        };
        let (lunge, why) = self.lunge(a, target, wish.place, wish.facing, &wish.by);
        match (lunge, why) {
            (Some(lunge), why) => Ok(offer(lunge.action(self), pose(&lunge.charge.unit), wish, why)),
            (None, Some(why)) => Err(why),
            (None, None) => refuse("ATKM-MELEE-12", "no way leads into contact"),
        }
    }

    /// The legal charge at a target that ends nearest to a place, and why the way asked for is not legal.
    pub(crate) fn lunge(
        &self,
        a: &Activation,
        target: UnitNo,
        place: Point,
        facing: Option<f64>,
        by: &[Point],
    ) -> (Option<Lunge>, Option<Illegal>) {
        let unit = self.unit(a.unit);
        let them = self.unit(target);
        let middle = them.middle(self.rules());
        let stride = self.stride(unit).unwrap_or(0.0) * self.rules().march.road_factor;
        let start: SmallVec<[Point; 4]> = by.iter().map(|&p| neat(p)).collect();
        let attempt = |start: &[Point], aim: Point, facing: Option<f64>| -> Result<Lunge, Illegal> {
            let from = start.last().copied().unwrap_or(unit.at);
            let Some(way) = (aim - from).unit() else {
                return refuse("ATKM-MELEE-12", "the last leg of a charge needs a length");
            };
            // The last leg runs on through the enemy; contact ends it (M21).
            let last = neat(from + way * (from.distance(aim) + 1.5));
            let mut path: SmallVec<[Point; 4]> = start.into();
            path.push(last);
            let charge = self.judge_charge(a.unit, a.benefit, target, &path, facing)?;
            Ok(Lunge { target, path, facing, charge })
        };
        let why = match attempt(&start, place, self.front_at(unit, &start, place, facing)) {
            Ok(lunge) => return (Some(lunge), None),
            Err(why) => why,
        };
        // Out of reach whatever the way: nothing else is worth a measure.
        if nearest(&them.solids(self.rules()), unit.at) > stride + unit.extent(self.rules()).0 {
            return (None, Some(why));
        }
        let mut best = Nearest::within(0.0);
        let mut keep = |lunge: Result<Lunge, Illegal>| {
            if let Ok(lunge) = lunge {
                best.keep(amiss(&lunge.charge.unit, place, facing), lunge);
            }
            best.off().is_finite()
        };
        let mut found = false;
        let square_on = [0.0, 90.0, 180.0, 270.0].map(|turn| neat_facing(them.facing + turn));
        let aims = [place, middle, middle.midpoint(place)];
        for aim in aims {
            let ahead = self.front_at(unit, &start, aim, None);
            found |= keep(attempt(&start, aim, ahead)) | keep(attempt(&start, aim, None));
            if !unit.is_skirmish_line() {
                let toward = angle::bearing(start.last().copied().unwrap_or(unit.at), aim);
                for f in square_on {
                    if angle::turn(toward, f).abs() <= 60.0 {
                        found |= keep(attempt(&start, aim, Some(f)));
                    }
                }
            }
        }
        if !found && by.is_empty() {
            for via in self.ways_round(a.unit, unit, middle) {
                let start = [neat(via)];
                keep(attempt(&start, middle, self.front_at(unit, &start, middle, facing)));
            }
        }
        (best.found(), Some(why))
    }

    /// The wished facing, or else the way the last leg goes as far as a charger may turn (ATKM-MELEE-11).
    fn front_at(&self, unit: &Unit, start: &[Point], aim: Point, wished: Option<f64>) -> Option<f64> {
        if let Some(f) = wished {
            return Some(neat_facing(f));
        }
        if unit.is_skirmish_line() {
            return None;
        }
        let from = start.last().copied().unwrap_or(unit.at);
        let most = self.rules().march.turn;
        let turn = angle::turn(unit.facing, angle::bearing(from, aim)).clamp(-most, most);
        Some(neat_facing(unit.facing + turn))
    }
}
