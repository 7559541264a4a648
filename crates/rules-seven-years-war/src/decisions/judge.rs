//! What is a legal answer: the one place where it is said.

use crate::decisions::action::Action;
use crate::decisions::battle::Judged;
use crate::model::field::SevenYearsBattle;
use crate::movement::walk::Dice;
use crate::sequence::turn::Task;
use crate::shooting::shots::Mark;
use tricorne_drill::refuse;
use tricorne_game::{Illegal, Side, UnitId};

impl SevenYearsBattle {
    /// Judges an answer to what is asked: the one place where legality is said.
    pub(crate) fn judge(&self, action: &Action) -> Result<Judged, Illegal> {
        if self.s.ending.is_some() {
            return refuse("SYW-WIN-03", "the battle is over");
        }
        if *action == Action::Concede {
            return Ok(Judged::Plain);
        }
        let Some(task) = self.s.tasks.last() else {
            return if *action == Action::Done { Ok(Judged::Plain) } else { self.not_asked() };
        };
        if !self.s.waiting {
            return if *action == Action::Done { Ok(Judged::Plain) } else { self.not_asked() };
        }
        match (task, action) {
            (Task::KeepCounter { drawn, .. }, Action::KeepCounter { counter }) => {
                if drawn.contains(counter) {
                    Ok(Judged::Plain)
                } else {
                    refuse("SYW-GEN-02", format!("counter {counter} was not drawn"))
                }
            }
            (Task::Enlist { side }, Action::Enlist(army)) => {
                self.judge_army(*side, army).map(|()| Judged::Plain)
            }
            (Task::Enlist { .. } | Task::Ground, Action::Done) => Ok(Judged::Plain),
            (Task::Ground, Action::BuyGround { ground, half, sector, give_up }) => {
                self.judge_ground(*ground, *half, *sector, give_up).map(Judged::Units)
            }
            (Task::Rotation { bought }, Action::Rotation(by)) => {
                self.judge_rotation(*bought, *by).map(|()| Judged::Plain)
            }
            (Task::TableSide, Action::Side(edge)) => self.judge_side(*edge).map(|()| Judged::Plain),
            (Task::KeepBack, Action::KeepBack { general }) => {
                match self
                    .find_general(*general)
                    .filter(|g| self.brigades(self.first_to_deploy()).contains(g))
                {
                    Some(g) => Ok(Judged::Brigade(g)),
                    None => refuse("SYW-DEPLOY-08", format!("{general} has no brigade of yours")),
                }
            }
            (Task::Deploy { side, lot }, _) => self.judge_deployment(*side, *lot, action),
            (Task::Command, _) => self.judge_command(action),
            (Task::Facing { .. }, Action::Face { facing }) => {
                if facing.is_finite() {
                    Ok(Judged::Plain)
                } else {
                    refuse("SYW-ROUT-17", "a facing is an ordinary number of degrees")
                }
            }
            (Task::Uncommanded, Action::Done) => Ok(Judged::Plain),
            (Task::Uncommanded, Action::SelfOrder { group, order }) => {
                self.judge_self_order(*group, *order).map(Judged::Group)
            }
            (Task::Uncommanded, Action::SelfCure { unit }) => {
                match self.known_unit(*unit).filter(|u| self.may_cure_themselves().contains(u)) {
                    Some(u) => Ok(Judged::Unit(u)),
                    None => refuse("SYW-ORDER-18", format!("{unit} may not cure its disorder by itself")),
                }
            }
            (Task::Return { .. }, Action::Done) => Ok(Judged::Plain),
            (Task::Return { group }, Action::Place { at, formation, edge }) => {
                self.judge_place(*group, *at, *formation, *edge).map(|placed| Judged::Place(Box::new(placed)))
            }
            (Task::MakeRoom { unit, group }, Action::MakeRoom { at, facing }) => {
                self.judge_room(*unit, *group, *at, *facing).map(Judged::Pose)
            }
            (Task::MakeRoom { .. }, Action::Done) => Ok(Judged::Plain),
            (Task::Pursuits, Action::Pursue { group }) => {
                let Some(g) = self.known_group(*group) else {
                    return refuse("SYW-PURSUE-05", format!("there is no group {group}"));
                };
                self.judge_pursue(g).map(|()| Judged::Group(g))
            }
            (Task::Guns { .. }, Action::Guns(_))
            | (Task::Ambush { .. }, Action::Ambush(_))
            | (Task::Passed { .. }, Action::Passed(_))
            | (Task::Along { .. }, Action::Along(_))
            | (Task::Lights { .. }, Action::Lights(_))
            | (Task::MoraleChoice { .. }, Action::Morale(_))
            | (Task::Oblique { .. }, Action::Oblique(_))
            | (Task::Remove { .. } | Task::Shooting | Task::Movement, Action::Done) => Ok(Judged::Plain),
            (Task::Retreats, Action::Retreat { group, distance, about, legs }) => {
                self.judge_retreat(*group, *distance, *about, legs)
            }
            (Task::Retreats, Action::Done) => Ok(Judged::Plain),
            (Task::Movement, Action::Retreat { group, distance, about, legs })
                if self.fixed.options.movement_order == crate::options::MovementOrder::RetreatsFree =>
            {
                self.judge_retreat(*group, *distance, *about, legs)
            }
            (Task::Movement, _) => self.judge_movement(action),
            (Task::Halt { group }, Action::Stand { group: named }) => {
                let Some(g) = self.known_group(*named).filter(|g| g == group) else {
                    return refuse(
                        "SYW-ORDER-32",
                        format!("{} must answer for its halt", self.group(*group).id),
                    );
                };
                Ok(Judged::Group(g))
            }
            (Task::Halt { group }, Action::Charge { group: named, targets }) => {
                let Some(g) = self.known_group(*named).filter(|g| g == group) else {
                    return refuse(
                        "SYW-ORDER-32",
                        format!("{} must answer for its halt", self.group(*group).id),
                    );
                };
                self.judge_charge(g, targets).map(|aims| Judged::Charge(g, aims))
            }
            (Task::Flank { unit, .. }, Action::Answer(answer)) => {
                self.judge_flank(*unit, *answer).map(|()| Judged::Plain)
            }
            (Task::Shooting, Action::Shoot { unit, target, stands }) => {
                self.judge_shoot(*unit, *target, stands)
            }
            (Task::Remove { unit, kills, .. }, Action::Remove { stands }) => {
                self.judge_losses(*unit, *kills, stands).map(|()| Judged::Plain)
            }
            (Task::NewGeneral { general }, Action::NewGeneral { at }) => {
                self.judge_new_general(*general, *at).map(Judged::Point)
            }
            (Task::NewGeneral { .. }, Action::Done) => Ok(Judged::Plain),
            (Task::Charges, Action::Carry { group }) => {
                match self.known_group(*group).filter(|g| self.charges_left().contains(g)) {
                    Some(g) => Ok(Judged::Group(g)),
                    None => refuse("SYW-CHARGE-10", format!("{group} has no charge to carry home")),
                }
            }
            (Task::Combat, Action::Fight { unit, enemy }) => {
                let pair = self.known_unit(*unit).zip(self.known_unit(*enemy));
                let found = pair.filter(|&(a, b)| {
                    self.melees_left()
                        .any(|c| (c.attacker == a && c.defender == b) || (c.attacker == b && c.defender == a))
                });
                match found {
                    Some((a, b)) => Ok(Judged::Fight(a, b)),
                    None => refuse("SYW-MELEE-01", format!("{unit} and {enemy} have no melee left to fight")),
                }
            }
            (Task::AfterMelee { .. }, Action::After(_)) => Ok(Judged::Plain),
            _ => self.not_asked(),
        }
    }

    pub(crate) fn not_asked<T>(&self) -> Result<T, Illegal> {
        let (kind, _, prompt) = self.question();
        refuse("SYW-SEQ-02", format!("that is no answer to `{kind}`: {prompt}"))
    }

    pub(crate) fn judge_retreat(
        &self,
        group: UnitId,
        distance: Option<f64>,
        about: bool,
        legs: &[crate::decisions::action::Leg],
    ) -> Result<Judged, Illegal> {
        let Some(g) = self.known_group(group) else {
            return refuse("SYW-ORDER-46", format!("there is no group {group}"));
        };
        self.plan_retreat(g, distance, legs, about).map(|p| Judged::Retreat(Box::new(p)))
    }

    pub(crate) fn judge_deployment(
        &self,
        side: Side,
        lot: crate::deployment::placing::Lot,
        action: &Action,
    ) -> Result<Judged, Illegal> {
        match action {
            Action::Done => Ok(Judged::Plain),
            Action::Deploy { unit, at, facing, formation, order } => self
                .judge_deploy(side, lot, *unit, *at, *facing, *formation, *order, false)
                .map(|(u, new)| Judged::Layout(u, Box::new(new))),
            Action::DeployGeneral { general, at } => {
                self.judge_deploy_general(side, lot, *general, *at).map(|(g, at)| Judged::General(g, at))
            }
            Action::Hide { unit, terrain, at, facing, formation } => self
                .judge_hide(side, lot, *unit, terrain, *at, *facing, *formation)
                .map(|(u, new, p)| Judged::Hide(u, Box::new(new), p)),
            Action::Entrench { work, from, to } => {
                self.judge_work(side, *work, *from, *to).map(|laid| Judged::Work(Box::new(laid)))
            }
            Action::RearRank { unit, behind } => {
                self.judge_rear_rank(side, *unit, behind).map(|(u, new)| Judged::Ranks(u, Box::new(new)))
            }
            Action::FlankMarch { group, edge } => {
                self.judge_march(side, lot, *group, *edge).map(Judged::Group)
            }
            _ => self.not_asked(),
        }
    }

    pub(crate) fn judge_command(&self, action: &Action) -> Result<Judged, Illegal> {
        match action {
            Action::Done => Ok(Judged::Plain),
            Action::Change { general, group, order } => {
                self.judge_change(*general, *group, *order).map(|(i, g)| Judged::Order(i, g))
            }
            Action::Cure { general, unit } => {
                self.judge_cure(*general, *unit).map(|(i, u)| Judged::Cure(i, u))
            }
            Action::Rally { general, group } => {
                self.judge_rally(*general, *group).map(|(i, g)| Judged::Order(i, g))
            }
            Action::Transfer { general, unit, to } => {
                self.judge_transfer(*general, *unit, *to).map(|(i, u, t)| Judged::Transfer(i, u, t))
            }
            Action::Join { general, group, to } => {
                self.judge_join(*general, *group, *to).map(|(i, g, t)| Judged::Join(i, g, t))
            }
            _ => self.not_asked(),
        }
    }

    pub(crate) fn judge_movement(&self, action: &Action) -> Result<Judged, Illegal> {
        let group = |id: &UnitId| {
            self.known_group(*id)
                .map_or_else(|| refuse("SYW-GROUP-01", format!("there is no group {id}")), Ok)
        };
        match action {
            Action::Move { group: id, legs, units, stand } => {
                let g = group(id)?;
                self.plan_move(g, legs, units, *stand, &mut Dice::none(), true, &[])
                    .map(|p| Judged::Move(Box::new(p)))
            }
            Action::SelfOrder { group, order } => self.judge_self_order(*group, *order).map(Judged::Group),
            Action::Stand { group: id } => {
                let g = group(id)?;
                self.judge_stand(g).map(|()| Judged::Group(g))
            }
            Action::Charge { group: id, targets } => {
                let g = group(id)?;
                self.judge_charge(g, targets).map(|aims| Judged::Charge(g, aims))
            }
            Action::General { general, to } => {
                self.judge_ride(*general, *to).map(|(i, at)| Judged::General(i, at))
            }
            Action::Reveal { unit, at, facing, formation } => self
                .judge_reveal(*unit, *at, *facing, *formation)
                .map(|(u, new, elsewhere)| Judged::Reveal(u, Box::new(new), elsewhere)),
            Action::Steal { unit, terrain, at } => {
                self.judge_steal(*unit, terrain, *at).map(|(u, p, pose)| Judged::Steal(u, p, pose))
            }
            Action::Rearrange { unit, stand, to } => {
                self.judge_rearrange(*unit, *stand, *to).map(|(u, new)| Judged::Layout(u, Box::new(new)))
            }
            Action::RearRank { unit, behind } => self
                .judge_rear_rank(self.s.phasing, *unit, behind)
                .map(|(u, new)| Judged::Ranks(u, Box::new(new))),
            Action::Complete { unit } => {
                let Some(u) = self.known_unit(*unit).filter(|&u| self.unit(u).is_known()) else {
                    return refuse("SYW-CHARGE-17", format!("there is no unit {unit} on the table"));
                };
                self.judge_complete(u).map(|e| Judged::Fight(u, e))
            }
            _ => self.not_asked(),
        }
    }

    pub(crate) fn judge_shoot(&self, unit: UnitId, target: UnitId, stands: &[u8]) -> Result<Judged, Illegal> {
        let Some(u) = self.known_unit(unit).filter(|&u| self.unit(u).side == self.shooting_side()) else {
            return refuse("SYW-SEQ-02", format!("{unit} is no unit of the side that shoots now"));
        };
        let mark = match (self.known_unit(target), self.find_general(target)) {
            // A hidden enemy is no target, and is refused as one that does not exist (SYW-SHOOT-58).
            (Some(t), _) if self.unit(t).side != self.unit(u).side => Mark::Unit(t),
            (_, Some(g)) => Mark::General(g),
            (Some(_), None) => return refuse("SYW-SHOOT-28", format!("{target} is a friend")),
            (None, None) => return refuse("SYW-SHOOT-58", "there is no such enemy to be seen"),
        };
        self.judge_shot(u, mark, stands).map(|shot| Judged::Shot(Box::new(shot)))
    }
}
