//! Activations (ACT) and resolve (RES): choosing a unit, the parts it may play, and what they cost it.

use tricorne_game::{Event, Illegal, Log, UnitId};
use tricorne_table::Point;

use crate::field::{Engagement, refuse};
use crate::formations::{self, Formation, SHAPES};
use crate::options::{FireSlot, MeleeThenMarker, MobMove, Passing, RankChange, SameUnitSameCard};
use crate::rulebook::{Colour, Kind};
use crate::state::{Activation, Benefit, SeatNo, Stage, Unit, UnitNo};

impl Engagement {
    /// The seat that acts on the card.
    pub(crate) fn acting(&self) -> SeatNo {
        self.state.play.as_ref().and_then(|p| p.queue.first().copied()).unwrap_or(0)
    }

    /// D8: whether a seat may activate a unit.
    pub(crate) fn judge_activate(&self, seat: SeatNo, id: UnitId) -> Result<(UnitNo, u8), Illegal> {
        let no = self.named(id, "ATKM-TEAM-07")?;
        let price = self.judge_choice(seat, no)?;
        if self.some_part(no, self.benefit()).is_none() {
            let clause = if self.unit(no).is_mob() { "ATKM-MOB-05" } else { "ATKM-ACT-10" };
            return refuse(clause, format!("{id} has no room to do anything"));
        }
        Ok((no, price))
    }

    /// All but whether the unit can do anything.
    pub(crate) fn judge_choice(&self, seat: SeatNo, no: UnitNo) -> Result<u8, Illegal> {
        let unit = self.unit(no);
        if unit.army != self.army_of(seat) {
            return refuse("ATKM-TEAM-07", format!("{} is an enemy", unit.id));
        }
        if unit.disorder {
            return refuse("ATKM-ACT-06", format!("{} has a disorder marker this turn", unit.id));
        }
        let used = |p: &crate::state::Play| p.used.iter().any(|&(unit, by)| unit == no && by != seat);
        if self.options().same_unit_same_card == SameUnitSameCard::Forbidden
            && self.state.play.as_ref().is_some_and(used)
        {
            return refuse("ATKM-TEAM-13", format!("{} has been activated on this card", unit.id));
        }
        self.judge_price(seat, no)
    }

    /// Whether anything at all can be chosen besides passing.
    pub(crate) fn has_choice(&self) -> bool {
        let seat = self.acting();
        let king = self.benefit() == Benefit::King && self.state.generals[usize::from(seat)].present();
        king || self.has_unit_to_activate()
    }

    fn has_unit_to_activate(&self) -> bool {
        let seat = self.acting();
        self.of_army(self.army_of(seat))
            .any(|(no, u)| self.judge_activate(seat, u.id).is_ok_and(|(n, _)| n == no))
    }

    /// ATKM-TURN-10, ATKM-CARD-10.
    pub(crate) fn judge_pass(&self) -> Result<(), Illegal> {
        let ace = self.benefit() == Benefit::Ace;
        if self.options().passing == Passing::Forced && !ace && self.has_unit_to_activate() {
            return refuse("ATKM-TURN-10", "here a player who can activate a unit must");
        }
        Ok(())
    }

    pub(crate) fn step_choose(&mut self, log: &mut Log) -> bool {
        if self.has_choice() {
            return false;
        }
        self.do_pass(log);
        true
    }

    pub(crate) fn do_pass(&mut self, log: &mut Log) {
        let seat = self.acting();
        log.say(|| {
            Event::new("pass", "ATKM-TURN-11")
                .with("seat", seat)
                .with("general", self.field.seats[usize::from(seat)].name.clone())
        });
        self.spend_activation();
    }

    /// A6: the point is paid and the colour remembered.
    pub(crate) fn do_activate(&mut self, seat: SeatNo, no: UnitNo, price: u8, log: &mut Log) {
        let benefit = self.benefit();
        let unit = *self.unit(no);
        self.state.generals[usize::from(seat)].points -= price;
        self.state.activation = Some(Activation {
            seat,
            unit: no,
            began: unit.colour,
            paid: price,
            benefit,
            fired: false,
            moved: false,
            changed: false,
            dressed: false,
            fought: false,
            fired_last: false,
            split: false,
        });
        self.state.stage = Stage::Act;
        log.say(|| {
            let event = Event::new("activate", "ATKM-TEAM-07")
                .who(unit.id)
                .with("seat", seat)
                .with("paid", price)
                .with("colour", unit.colour.name());
            if unit.owner == seat { event } else { event.clause("ATKM-TEAM-09") }
        });
    }

    /// ATKM-ACT-09: the point comes back.
    pub(crate) fn do_withdraw(&mut self, log: &mut Log) {
        if let Some(a) = self.state.activation.take() {
            self.state.generals[usize::from(a.seat)].points += a.paid;
            let id = self.unit(a.unit).id;
            log.say(|| Event::new("withdraw", "ATKM-ACT-09").who(id));
        }
        self.state.stage = Stage::Choose;
    }

    /// Whether a move may come now.
    pub(crate) fn judge_move_slot(&self, a: &Activation) -> Result<(), Illegal> {
        let mob = self.unit(a.unit).is_mob();
        if mob && self.options().mob_move == MobMove::None {
            return refuse("ATKM-MOVE-21", "a mob does not move; reform it");
        }
        if a.moved {
            return refuse("ATKM-ACT-02", "it has moved already; a move is made in one go");
        }
        if a.changed || a.dressed {
            return refuse("ATKM-FORM-16", "a formation change comes at the end of the movement");
        }
        if a.fired_last {
            return refuse("ATKM-ACT-03", "after moving or changing and firing nothing more is left; end");
        }
        Ok(())
    }

    /// Whether a formation change may come now, and whether it is only a dressing of ranks.
    pub(crate) fn judge_change_slot(&self, a: &Activation, shape: Formation) -> Result<bool, Illegal> {
        let unit = self.unit(a.unit);
        if unit.is_mob() {
            return refuse("ATKM-MOB-01", "a mob reforms with its whole activation");
        }
        if unit.kind == Kind::Skirmisher {
            return refuse("ATKM-FORM-20", "skirmishers make no formation change");
        }
        if a.fired_last && self.options().fire_slot == FireSlot::FirstOrLast {
            return refuse("ATKM-ACT-03", "the orders are move, change, fire or fire, move, change");
        }
        let same_family = unit.formation.name() == shape.name();
        if same_family && self.options().rank_change == RankChange::Free {
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

    /// Whether fire may come now.
    pub(crate) fn judge_fire_slot(&self, a: &Activation) -> Result<(), Illegal> {
        if a.fired {
            return refuse("ATKM-ACT-02", "it has fired already");
        }
        if a.moved && self.unit(a.unit).is_mob() {
            return refuse("ATKM-FIRE-03", "a mob does not fire");
        }
        Ok(())
    }

    pub(crate) fn judge_charge_slot(a: &Activation) -> Result<(), Illegal> {
        if a.begun() {
            return refuse("ATKM-ACT-04", "a charge is a whole activation: no fire and no change with it");
        }
        Ok(())
    }

    /// The one judge of reforming (ATKM-MOB-01..05).
    pub(crate) fn judge_reform(&self, no: UnitNo, shape: Formation, facing: f64) -> Result<Unit, Illegal> {
        let unit = self.unit(no);
        if !unit.is_mob() {
            return refuse("ATKM-MOB-01", format!("{} is no mob", unit.id));
        }
        if !facing.is_finite() {
            return refuse("ATKM-MOB-04", "a facing is a number of degrees clockwise from north");
        }
        let fitting = match (unit.kind, shape) {
            (Kind::Infantry | Kind::Cavalry, Formation::Line(_) | Formation::Column(_))
            | (Kind::FootArtillery | Kind::HorseArtillery, Formation::Column(_))
            | (Kind::Skirmisher, Formation::Loose) => true,
            (Kind::FootArtillery | Kind::HorseArtillery, Formation::Loose) => {
                self.options().mob_reform_shapes == crate::options::MobReformShapes::ByType
            }
            _ => false,
        };
        if !fitting {
            let clause = if matches!(unit.kind, Kind::Infantry | Kind::Cavalry) {
                "ATKM-MOB-02"
            } else {
                "ATKM-MOB-03"
            };
            return refuse(
                clause,
                format!("a mob of {} does not reform into {shape}", unit.kind.name().replace('_', " ")),
            );
        }
        self.judge_shape(unit, shape)?;
        let mut reformed = *unit;
        reformed.formation = shape;
        reformed.set_pose(unit.at, facing);
        // The centre stays where the mob's was, or goes to the nearest place that fits (ATKM-MOB-04).
        let middle = formations::middle(self.rules(), unit.kind, shape, unit.n);
        let offset = reformed.frame().to_world_way(middle);
        let place = |centre: Point| {
            let mut stands = reformed;
            stands.at = centre - offset;
            if stands.is_skirmish_line() {
                return self
                    .spread_out(no, &mut stands, Some(&formations::Spread::Line))
                    .is_ok()
                    .then_some(stands);
            }
            let footprint = stands.footprint(self.rules());
            (self.standable(&footprint).is_ok() && self.overlapped(&footprint, |o, _| o == no).is_none())
                .then_some(stands)
        };
        let found = crate::field::ring_search(unit.at, 0.0, 3.0, |centre| place(centre).is_some());
        match found.and_then(place) {
            Some(stands) => Ok(stands),
            None => refuse(
                "ATKM-MOB-04",
                format!("there is no room for {shape} there; try another shape or facing"),
            ),
        }
    }

    pub(crate) fn do_reform(&mut self, a: Activation, reformed: Unit, log: &mut Log) {
        log.say(|| {
            Event::new("reform", "ATKM-MOB-01")
                .who(reformed.id)
                .with("shape", reformed.formation.to_string())
                .with("facing", crate::movement::round(reformed.facing))
        });
        self.settle(a.unit, reformed, log);
        self.state.stage = Stage::Finish;
        if let Some(a) = &mut self.state.activation {
            a.changed = true;
        }
    }

    /// Some way to reform, if there is one.
    pub(crate) fn some_reform(&self, no: UnitNo) -> Option<(Formation, f64)> {
        let toward = if self.unit(no).army.0 == 0 { 0.0 } else { 180.0 };
        SHAPES.into_iter().find_map(|shape| {
            [0.0, 90.0, 45.0, 135.0, 180.0, 270.0]
                .into_iter()
                .map(|turn| toward + turn)
                .find(|&facing| self.judge_reform(no, shape, facing).is_ok())
                .map(|facing| (shape, facing))
        })
    }

    /// Some part that a unit could play now, if there is any: a small turn, a step, a change, a shot.
    pub(crate) fn some_part(&self, no: UnitNo, benefit: Benefit) -> Option<crate::Action> {
        use crate::Action;
        let unit = self.unit(no);
        if unit.is_mob() {
            let reform = self
                .some_reform(no)
                .map(|(shape, facing)| Action::Reform { shape, facing: Some(facing % 360.0) });
            return reform.or_else(|| {
                (self.options().mob_move == MobMove::Half).then(|| self.some_step(no, benefit)).flatten()
            });
        }
        for turn in [1.0, -1.0, 15.0, -15.0, 90.0, -90.0, 180.0] {
            let facing = Some((unit.facing + turn).rem_euclid(360.0));
            if self.judge_move(no, benefit, &[], facing, None).is_ok() {
                return Some(Action::Move { path: Vec::new(), facing, spread: None });
            }
        }
        if let Some(step) = self.some_step(no, benefit) {
            return Some(step);
        }
        if let Some(target) = self.targets(no).next() {
            return Some(Action::Fire { target: self.unit(target).id });
        }
        let a = self.fresh(no, benefit);
        SHAPES.into_iter().find(|&s| self.judge_change(&a, s).is_ok()).map(|shape| Action::Change { shape })
    }

    fn some_step(&self, no: UnitNo, benefit: Benefit) -> Option<crate::Action> {
        let unit = self.unit(no);
        (0..12).find_map(|k| {
            let way = tricorne_table::angle::forward(30.0 * f64::from(k));
            let to = (unit.at + way).round_to(0.001);
            self.judge_move(no, benefit, &[to], None, None).is_ok().then(|| crate::Action::Move {
                path: vec![to],
                facing: None,
                spread: None,
            })
        })
    }

    /// An activation with nothing done yet.
    pub(crate) fn fresh(&self, no: UnitNo, benefit: Benefit) -> Activation {
        Activation {
            seat: self.unit(no).owner,
            unit: no,
            began: self.unit(no).colour,
            paid: 0,
            benefit,
            fired: false,
            moved: false,
            changed: false,
            dressed: false,
            fought: false,
            fired_last: false,
            split: false,
        }
    }

    /// D10 when only the end is left is no decision.
    pub(crate) fn step_act(&mut self) -> bool {
        let Some(a) = self.state.activation else {
            self.state.stage = Stage::Draw;
            return true;
        };
        // ATKM-ACT-11: a routed unit's activation ends at once.
        if !self.unit(a.unit).present() || (a.begun() && !self.more_to_do(&a)) {
            self.state.stage = Stage::Finish;
            return true;
        }
        false
    }

    /// Whether a begun activation has another part to offer.
    fn more_to_do(&self, a: &Activation) -> bool {
        if a.fought || self.unit(a.unit).is_mob() {
            return false;
        }
        if self.judge_move_slot(a).is_ok() {
            return true;
        }
        if SHAPES.into_iter().any(|s| self.judge_change(a, s).is_ok()) || self.may_split_or_gather(a) {
            return true;
        }
        self.judge_fire_slot(a).is_ok() && self.targets(a.unit).next().is_some()
    }

    /// 16: resolve at the end of an activation (ATKM-RES-02, 07, 08; ATKM-CARD-05).
    pub(crate) fn finish_activation(&mut self, log: &mut Log) {
        let Some(a) = self.state.activation.take() else {
            self.spend_activation();
            return;
        };
        if let Some(play) = &mut self.state.play
            && !play.used.contains(&(a.unit, a.seat))
        {
            let _ = play.used.try_push((a.unit, a.seat));
        }
        let units: smallvec::SmallVec<[UnitNo; 4]> = if a.split {
            let parent = self.unit(a.unit).parent;
            self.present().filter(|(_, u)| u.parent == parent).map(|(no, _)| no).collect()
        } else {
            smallvec::smallvec![a.unit]
        };
        for no in units {
            self.tire(no, &a, log);
        }
        if !self.test_armies(false, log) {
            self.spend_activation();
        }
    }

    fn tire(&mut self, no: UnitNo, a: &Activation, log: &mut Log) {
        let marks_fresh = self.options().melee_then_marker == MeleeThenMarker::Marker;
        let unit = self.unit_mut(no);
        if !unit.present() {
            return;
        }
        let id = unit.id;
        if a.benefit == Benefit::Queen {
            log.say(|| Event::new("excused", "ATKM-CARD-05").who(id));
        } else if a.began == Colour::Red {
            unit.disorder = true;
            log.say(|| Event::new("disordered", "ATKM-RES-07").who(id));
        } else if a.fought {
            if marks_fresh && unit.colour == Colour::Red {
                unit.disorder = true;
                log.say(|| Event::new("disordered", "ATKM-RES-08").who(id));
            }
        } else {
            unit.colour = unit.colour.worse(1);
            let colour = unit.colour;
            log.say(|| Event::new("worsened", "ATKM-RES-02").who(id).with("colour", colour.name()));
        }
    }
}
