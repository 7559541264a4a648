//! Formation changes (ATKM-FORM-16 to -26): which, when, and where there is room.

use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log};

use crate::field::Engagement;
use crate::formations::{self, Formation};
use crate::options::{FireSlot, RankChange};
use crate::rulebook::Kind;
use crate::state::{Activation, Unit};

impl Engagement {
    /// Whether a formation change may come now, and whether it is only a dressing of ranks.
    pub(crate) fn judge_change_slot(&self, a: &Activation, shape: Formation) -> Result<bool, Illegal> {
        let unit = self.unit(a.unit);
        if unit.is_mob() {
            return refuse("ATKM-MOB-01", "a mob reforms with its whole activation");
        }
        if unit.kind == Kind::Skirmisher {
            return refuse("ATKM-FORM-20", "skirmishers make no formation change");
        }
        self.judge_change_after_fire(a)?;
        if unit.formation.is_like(shape) && self.options().rank_change == RankChange::Free {
            if a.dressed || !a.moved {
                return refuse("ATKM-FORM-21", "ranks are rearranged once, at the end of a move");
            }
            return Ok(true);
        }
        if a.changed {
            return refuse("ATKM-FORM-17", "only one formation change is made in an activation");
        }
        Ok(false)
    }

    /// ATKM-ACT-03: whether fire has not taken the last place.
    pub(super) fn judge_change_after_fire(&self, a: &Activation) -> Result<(), Illegal> {
        if a.fired_last && self.options().fire_slot == FireSlot::FirstOrLast {
            return refuse("ATKM-ACT-03", "the orders are move, change, fire or fire, move, change");
        }
        Ok(())
    }

    /// The one judge of formation changes (ATKM-FORM-16..26).
    pub(crate) fn judge_change(&self, a: &Activation, shape: Formation) -> Result<(Unit, bool), Illegal> {
        let dressing = self.judge_change_slot(a, shape)?;
        let unit = self.unit(a.unit);
        if shape == Formation::Mob {
            return refuse("ATKM-FORM-14", "nobody chooses to be a mob");
        }
        if shape == unit.formation {
            return refuse("ATKM-ACT-10", format!("{} is in that formation already", unit.id));
        }
        self.judge_shape(unit, shape)?;
        let mut changed = *unit;
        changed.formation = shape;
        let footprint = changed.footprint(self.rules());
        self.standable(&footprint).map_err(|i| Illegal::new("ATKM-FORM-22", i.why))?;
        if let Some(met) = self.overlapped(&footprint, |o, _| o == a.unit) {
            return refuse("ATKM-FORM-22", format!("it would stand on {}", self.unit(met).id));
        }
        Ok((changed, dressing))
    }

    /// Whether a unit may stand in a shape at all.
    pub(crate) fn judge_shape(&self, unit: &Unit, shape: Formation) -> Result<(), Illegal> {
        formations::allowed(self.rules(), self.options(), unit.kind, shape, unit.n)
            .map_err(|(clause, why)| Illegal::new(clause, why))?;
        let least = self.rules().advanced.square_least;
        if shape == Formation::Square && unit.n < least {
            return refuse("ATKM-ADV-01", format!("a square takes {least} privates; {} are left", unit.n));
        }
        Ok(())
    }

    pub(crate) fn do_change(&mut self, a: Activation, changed: Unit, dressing: bool, log: &mut Log) {
        log.say(|| {
            Event::new("change", if dressing { "ATKM-FORM-21" } else { "ATKM-FORM-16" })
                .who(changed.id)
                .with("shape", changed.formation.to_string())
                .with("formation", changed.formation.name())
                .with("formed", changed.formation.told())
        });
        *self.unit_mut(a.unit) = changed;
        self.displace_generals(a.unit, log);
        if let Some(a) = &mut self.state.activation {
            if dressing {
                a.dressed = true;
            } else {
                a.changed = true;
            }
        }
    }
}
