//! What a player might think of for a unit, whether the rules allow it now or not.

use smallvec::SmallVec;
use tricorne_game::UnitId;

use crate::decisions::action::{Action, Hand, Leg, Target, Turn};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::UnitIx;
use crate::model::state::{Formation, Order};
use crate::sequence::turn::Task;

/// Enemies that are weighed as targets, the nearest first.
const TARGETS: usize = 6;

/// How far a move that stands for all goes: a group on Advance must make half its speed, one hemmed in can't.
const PACES: [f64; 6] = [10.0, 5.0, 1.0, 15.0, 20.0, 30.0];

impl SevenYearsBattle {
    /// One answer or several of each kind for a unit in the pending decision, with their names. Whether one is allowed, the judge says.
    /// Only enemies that everybody sees are among the targets (SYW-LOS-09).
    pub(crate) fn courses_of(&self, id: UnitId) -> Vec<(String, Action)> {
        let Some(u) = self.find_unit(id) else { return Vec::new() };
        let group = self.group_of(u).id;
        let named = |name: &str, action: Action| (name.to_owned(), action);
        match self.s.tasks.last() {
            Some(Task::Command) => {
                let general = self.group_of(u).command.map(|g| self.s.generals[usize::from(g)].id);
                let Some(general) = general else { return Vec::new() };
                let mut all: Vec<_> = [Order::Advance, Order::Reserve, Order::Stand, Order::Retreat]
                    .into_iter()
                    .map(|order| {
                        (format!("order: {}", order.name()), Action::Change { general, group, order })
                    })
                    .collect();
                all.push(named("rally", Action::Rally { general, group }));
                all.push(named("put in order", Action::Cure { general, unit: id }));
                all
            }
            Some(Task::Uncommanded) => {
                let mut all: Vec<_> = [Order::Advance, Order::Reserve, Order::Stand, Order::Retreat]
                    .into_iter()
                    .map(|order| (format!("order: {}", order.name()), Action::SelfOrder { group, order }))
                    .collect();
                all.push(named("put itself in order", Action::SelfCure { unit: id }));
                all
            }
            Some(Task::Pursuits) => vec![named("pursue", Action::Pursue { group })],
            Some(Task::Retreats) => {
                let legs = SmallVec::new();
                vec![named("retreat", Action::Retreat { group, distance: None, about: false, legs })]
            }
            Some(Task::Movement) => {
                let go = |legs: &[Leg]| {
                    let legs = legs.iter().copied().collect();
                    Action::Move { group, legs, units: Vec::new(), stand: false }
                };
                let mut all = Vec::new();
                for far in PACES {
                    all.push(named("move", go(&[Leg::Forward(far)])));
                    for side in [Hand::Left, Hand::Right] {
                        let wheel = Leg::Wheel { side, degrees: 10.0 };
                        all.push(named("wheel", go(&[wheel, Leg::Forward(far)])));
                    }
                }
                all.push(named("go back", go(&[Leg::Back(1.0)])));
                all.push(named("turn about", go(&[Leg::Turn(Turn::About)])));
                for (name, formation) in [
                    ("form line", Formation::Line),
                    ("form deep line", Formation::DeepLine),
                    ("form column", Formation::Column1),
                    ("form double column", Formation::Column2),
                    ("form square", Formation::Square),
                ] {
                    if self.unit(u).formation != formation {
                        all.push(named(name, go(&[Leg::Form(formation)])));
                    }
                }
                for target in self.nearest_known(u) {
                    let aim = Target { unit: id, target, wheel: None, ride_on: None };
                    all.push(named("charge", Action::Charge { group, targets: vec![aim] }));
                }
                all.push(named("stand", Action::Stand { group }));
                all
            }
            Some(Task::Shooting) => self
                .nearest_known(u)
                .into_iter()
                .map(|target| named("shoot", Action::Shoot { unit: id, target, stands: SmallVec::new() }))
                .collect(),
            _ => Vec::new(),
        }
    }

    fn nearest_known(&self, u: UnitIx) -> Vec<UnitId> {
        let here = self.unit(u).at;
        let mut enemies: Vec<UnitIx> = self
            .unit_ids()
            .filter(|&v| self.unit(v).side != self.unit(u).side && self.unit(v).is_known())
            .collect();
        let far = |v: &UnitIx| self.unit(*v).at.distance(here);
        enemies.sort_by(|a, b| far(a).total_cmp(&far(b)));
        enemies.into_iter().take(TARGETS).map(|v| self.unit(v).id).collect()
    }
}
