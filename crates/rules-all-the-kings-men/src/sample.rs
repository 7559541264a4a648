//! Answers found quickly: cheap guesses that the one judge accepts, with a sure one to fall back on.

use tricorne_chance::Whim;
use tricorne_game::Battle;
use tricorne_table::{Point, angle};

use crate::action::{Action, Gift};
use crate::field::Engagement;
use crate::formations::{Formation, SHAPES, Spread};
use crate::rulebook::Kind;
use crate::state::{Activation, Benefit, SeatNo, Stage, Unit, UnitNo};
use crate::steer::neat;

fn pick(items: impl Iterator<Item = UnitNo>, whim: &mut Whim) -> Option<UnitNo> {
    let all: smallvec::SmallVec<[UnitNo; 32]> = items.collect();
    whim.one_of(&all).copied()
}

impl Engagement {
    pub(crate) fn sampled(&self, whim: &mut Whim) -> Action {
        let Some((seat, kind)) = self.asked() else { return Action::Concede };
        let id = |no: UnitNo| self.unit(no).id;
        let beside = |no: Option<UnitNo>| no.map(|no| Action::SetGeneral { beside: id(no) });
        let found = match kind {
            "overrun" => beside(pick(self.refuges(seat), whim)),
            "deploy" => self.sample_deploy(seat, whim),
            "place_general" => self.sample_general_place(seat, whim),
            "replace_general" => beside(pick(self.joinable(seat), whim)),
            "give" => Some(self.sample_gifts(seat, whim)),
            "disorder" => match self.state.stage {
                Stage::Disorder(army) => {
                    pick(self.disorderable(army), whim).map(|no| Action::Disorder { unit: id(no) })
                }
                _ => None,
            },
            "benefit" | "next" => self.state.play.as_ref().and_then(|p| whim.one_of(&p.queue)).map(|&seat| {
                if kind == "benefit" { Action::Benefit { seat } } else { Action::Next { seat } }
            }),
            "choose" => Some(self.sample_choice(seat, whim)),
            "act" => self.state.activation.and_then(|a| self.sample_part(&a, whim)),
            "pursue" => Some(if whim.chance(0.5) { Action::Pursue } else { Action::Decline }),
            "ride" => Some(self.sample_ride(seat, whim).unwrap_or(Action::Stay)),
            _ => None,
        };
        found.unwrap_or(Action::Concede)
    }

    fn sample_deploy(&self, seat: SeatNo, whim: &mut Whim) -> Option<Action> {
        let army = self.army_of(seat);
        let zone = self.zone_of(army);
        let waiting: Vec<&Unit> = self
            .state
            .units
            .iter()
            .filter(|u| u.owner == seat && u.presence == crate::state::Presence::Waiting)
            .collect();
        for _ in 0..24 {
            let unit = whim.one_of(&waiting)?;
            let at =
                neat(Point::new(whim.between(zone.min.x, zone.max.x), whim.between(zone.min.y, zone.max.y)));
            let shape = *whim.one_of(&SHAPES)?;
            let toward = if army.0 == 0 { 0.0 } else { 180.0 };
            let action = Action::Deploy { unit: unit.id, at, facing: toward, shape, spread: None };
            if self.check(&action).is_ok() {
                return Some(action);
            }
        }
        self.some_place(seat)
    }

    fn sample_general_place(&self, seat: SeatNo, whim: &mut Whim) -> Option<Action> {
        let zone = self.zone_of(self.army_of(seat));
        for _ in 0..24 {
            let at =
                neat(Point::new(whim.between(zone.min.x, zone.max.x), whim.between(zone.min.y, zone.max.y)));
            let action = Action::PlaceGeneral { at };
            if self.check(&action).is_ok() {
                return Some(action);
            }
        }
        let table = self.land().table;
        self.some_general_place(seat)
            .or_else(|| {
                // The zone is full: anywhere on the table.
                let (mut y, mut found) = (1.0, None);
                while found.is_none() && y < table.depth() {
                    let mut x = 1.0;
                    while found.is_none() && x < table.width() {
                        let at = Point::new(x, y);
                        if self.judge_place_general(seat, at).is_ok() {
                            found = Some(at);
                        }
                        x += 1.0;
                    }
                    y += 1.0;
                }
                found
            })
            .map(|at| Action::PlaceGeneral { at })
    }

    fn sample_gifts(&self, seat: SeatNo, whim: &mut Whim) -> Action {
        let army = self.army_of(seat);
        let mut purse = self.state.generals[usize::from(seat)].points;
        let most = self.rules().general.most_points;
        let mut gifts = Vec::new();
        for to in self.seats_of(army).filter(|&s| s != seat) {
            let room = most.saturating_sub(self.state.generals[usize::from(to)].points);
            let points = whim.below(usize::from(purse.min(room)) + 1) as u8;
            if points > 0 {
                purse -= points;
                gifts.push(Gift { to, points });
            }
        }
        Action::Give(gifts)
    }

    fn sample_choice(&self, seat: SeatNo, whim: &mut Whim) -> Action {
        if self.benefit() == Benefit::King
            && whim.chance(0.3)
            && let Some(ride) = self.sample_ride(seat, whim)
        {
            return ride;
        }
        if whim.chance(0.03) && self.judge_pass().is_ok() {
            return Action::Pass;
        }
        let army = self.army_of(seat);
        let start = whim.below(self.state.units.len());
        let count = self.state.units.len();
        for i in 0..count {
            let no = (start + i) % count;
            let unit = &self.state.units[no];
            if unit.present() && unit.army == army && self.judge_activate(seat, unit.id).is_ok() {
                return Action::Activate { unit: unit.id };
            }
        }
        Action::Pass
    }

    fn sample_ride(&self, seat: SeatNo, whim: &mut Whim) -> Option<Action> {
        let general = self.state.generals[usize::from(seat)];
        for _ in 0..3 {
            let far = whim.between(0.0, self.rules().general.ride);
            let to = neat(general.at + angle::forward(whim.below(72) as f64 * 5.0) * far);
            if self.judge_ride(seat, to).is_ok() {
                return Some(Action::MoveGeneral { to });
            }
        }
        None
    }

    fn sample_part(&self, a: &Activation, whim: &mut Whim) -> Option<Action> {
        let unit = self.unit(a.unit);
        if unit.is_mob() && !a.begun() {
            return self.sample_reform(a.unit, whim).or_else(|| self.some_part(a.unit, a.benefit));
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
            if found.is_some() {
                return found;
            }
            if a.begun() {
                return Some(Action::End);
            }
        }
        if a.begun() {
            Some(Action::End)
        } else {
            self.some_part(a.unit, a.benefit).or(Some(Action::Withdraw))
        }
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
            (them.present() && them.army == enemy && self.judge_fire(a.unit, no as UnitNo).is_ok())
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
