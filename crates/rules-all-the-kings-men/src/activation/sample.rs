//! Parts of an activation found quickly: cheap guesses that the one judge accepts, with a sure one to fall back on.

use tricorne_chance::Whim;
use tricorne_table::{Point, angle};

use crate::action::Action;
use crate::field::Engagement;
use crate::formations::{Formation, SHAPES, Spread};
use crate::rulebook::Kind;
use crate::state::{Activation, Unit, UnitNo};
use crate::steer::neat;

impl Engagement {
    /// A part at random; the smallest there is where nothing better is found.
    pub(crate) fn sample_part(&self, a: &Activation, whim: &mut Whim) -> Action {
        let unit = self.unit(a.unit);
        if unit.is_mob() && !a.begun() {
            return self
                .sample_reform(a.unit, whim)
                .or_else(|| self.some_part(a.unit, a.benefit))
                .unwrap_or(Action::Withdraw);
        }
        let order = whim.below(10);
        let tries: [u8; 4] = match order {
            0..=3 => [0, 1, 2, 3],
            4..=6 => [1, 0, 3, 2],
            7..=8 => [2, 1, 0, 3],
            _ => [3, 1, 0, 2],
        };
        for part in tries {
            let found = match part {
                0 => self.sample_move(a, whim),
                1 => self.sample_fire(a, whim),
                2 => self.sample_charge(a, whim),
                _ => self.sample_change(a, whim),
            };
            if let Some(found) = found {
                return found;
            }
            if a.begun() {
                return Action::End;
            }
        }
        if a.begun() { Action::End } else { self.some_part(a.unit, a.benefit).unwrap_or(Action::Withdraw) }
    }

    fn sample_reform(&self, no: UnitNo, whim: &mut Whim) -> Option<Action> {
        for _ in 0..4 {
            let shape = *whim.one_of(&SHAPES)?;
            let facing = whim.below(24) as f64 * 15.0;
            if self.judge_reform(no, shape, facing).is_ok() {
                return Some(Action::Reform { shape, facing: Some(facing) });
            }
        }
        None
    }

    fn sample_fire(&self, a: &Activation, whim: &mut Whim) -> Option<Action> {
        self.judge_fire_slot(a).ok()?;
        self.judge_firer(self.unit(a.unit)).ok()?;
        let enemy = self.unit(a.unit).army.enemy();
        let count = self.state.units.len();
        let start = whim.below(count);
        (0..count).map(|i| (start + i) % count).find_map(|no| {
            let them = &self.state.units[no];
            (them.present() && them.army == enemy && self.judge_fire(a.unit, UnitNo::at(no)).is_ok())
                .then_some(Action::Fire { target: them.id })
        })
    }

    fn sample_change(&self, a: &Activation, whim: &mut Whim) -> Option<Action> {
        if self.unit(a.unit).kind == Kind::Skirmisher {
            return None;
        }
        let start = whim.below(SHAPES.len());
        (0..SHAPES.len())
            .map(|i| SHAPES[(start + i) % SHAPES.len()])
            .find(|&shape| self.judge_change(a, shape).is_ok())
            .map(|shape| Action::Change { shape })
    }

    fn sample_move(&self, a: &Activation, whim: &mut Whim) -> Option<Action> {
        self.judge_move_slot(a).ok()?;
        let unit = self.unit(a.unit);
        let stride = self.stride(unit)?;
        let toward = self.nearest_enemy(unit).map_or(unit.facing, |(_, at)| angle::bearing(unit.at, at));
        for attempt in 0..4 {
            // Mostly towards the enemy, shorter with each refusal.
            let wide = if whim.chance(0.7) { 45.0 } else { 180.0 };
            let bearing = toward + whim.between(-wide, wide);
            let far = stride * whim.between(0.2, 1.0) / f64::from(1 << attempt);
            let to = neat(unit.at + angle::forward(bearing) * far);
            let facing = match whim.below(3) {
                0 => Some((angle::turn(0.0, toward) + 360.0).rem_euclid(360.0).round() % 360.0),
                _ => None,
            };
            let spread = (unit.is_skirmish_line() && whim.chance(0.3))
                .then(|| if whim.chance(0.5) { Spread::Line } else { Spread::Cloud });
            if self.judge_move(a.unit, a.benefit, &[to], facing, spread.as_ref()).is_ok() {
                return Some(Action::Move { path: vec![to], facing, spread });
            }
        }
        None
    }

    fn nearest_enemy(&self, unit: &Unit) -> Option<(UnitNo, Point)> {
        let mut best: Option<(f64, UnitNo, Point)> = None;
        for (no, u) in self.of_army(unit.army.enemy()) {
            let far = u.at.distance_squared(unit.at);
            if best.is_none_or(|(least, _, _)| far < least) {
                best = Some((far, no, u.at));
            }
        }
        best.map(|(_, no, at)| (no, at))
    }

    fn sample_charge(&self, a: &Activation, whim: &mut Whim) -> Option<Action> {
        let unit = self.unit(a.unit);
        Self::judge_charge_slot(a).ok()?;
        Self::judge_charger(unit).ok()?;
        let stride = self.stride(unit)?;
        let (target, _) = self.nearest_enemy(unit)?;
        let them = self.unit(target);
        let aim = them.middle(self.rules());
        if unit.at.distance(aim) > stride + 12.0 {
            return None;
        }
        for _ in 0..2 {
            let jitter = Point::new(whim.between(-1.0, 1.0), whim.between(-1.0, 1.0));
            let to = neat(aim + jitter);
            let toward = angle::bearing(unit.at, to).round() % 360.0;
            let facing = (unit.formation != Formation::Loose).then_some(toward);
            if self.judge_charge(a.unit, a.benefit, target, &[to], facing).is_ok() {
                return Some(Action::Charge { target: them.id, path: vec![to], facing });
            }
        }
        None
    }
}
