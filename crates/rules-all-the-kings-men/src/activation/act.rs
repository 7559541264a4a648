//! D10: what the activated unit does, part by part (ATKM-ACT-01 to -10).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log, Preview, Seat, Steer, UnitId, Wish};
use tricorne_table::Point;

use crate::action::Action;
use crate::battle::out_of_place;
use crate::combat::fire::Shot;
use crate::combat::melee::Charge;
use crate::field::Engagement;
use crate::formations::SHAPES;
use crate::movement::Marched;
use crate::options::MobMove;
use crate::state::{Activation, Benefit, Stage, Unit, UnitNo};

/// What a unit does now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Act(pub(crate) Activation);

/// The ends of some legs.
pub(crate) type Legs = SmallVec<[Point; 8]>;

/// A part of an activation that was judged.
// Deeds live for the length of one answer; boxing the larger ones would cost more than it saves.
#[allow(clippy::large_enum_variant)]
pub enum Deed {
    /// A move, along these legs.
    Move(Marched, Legs),
    /// A formation change, or only a dressing of ranks.
    Change(Unit, bool),
    /// Light infantry as its parts will stand.
    Split(Vec<Unit>),
    /// Light infantry as it will stand, and the parts it is made of.
    Gather(Unit, Vec<UnitNo>),
    /// A volley.
    Fire(UnitNo, Shot),
    /// A charge, along these legs.
    Charge(UnitNo, Box<Charge>, Legs),
    /// A mob as it will stand.
    Reform(Unit),
    /// Nothing more.
    End,
    /// The choice of unit is taken back.
    Withdraw,
}

impl Question<Engagement> for Act {
    type Judged = Deed;

    fn kind(&self, _: &Engagement) -> &'static str {
        "act"
    }

    fn clause(&self, _: &Engagement) -> &'static str {
        "ATKM-ACT-01"
    }

    fn seat(&self, _: &Engagement) -> Seat {
        self.0.seat
    }

    fn unit(&self, battle: &Engagement) -> Option<UnitId> {
        Some(battle.unit(self.0.unit).id)
    }

    fn prompt(&self, battle: &Engagement) -> String {
        format!("What does {} do?", battle.unit(self.0.unit).id)
    }

    fn answers(&self, battle: &Engagement, out: &mut Answers<Action>) {
        let a = &self.0;
        let unit = battle.unit(a.unit);
        let (id, stride) = (Some(unit.id), battle.stride(unit));
        if battle.judge_fire_slot(a).is_ok() {
            out.list_all(battle.targets(a.unit).map(|t| Action::Fire { target: battle.unit(t).id }));
        }
        out.list_all(SHAPES.map(|shape| Action::Change { shape }));
        out.list(if a.begun() { Action::End } else { Action::Withdraw });
        if unit.is_mob() && !a.begun() {
            out.space("reform", id, None, "shape and facing");
        }
        if battle.judge_move_slot(a).is_ok() {
            let places = match battle.most_legs() {
                1 => "one place".to_owned(),
                most => format!("path of up to {most} places"),
            };
            out.space("move", id, stride, &format!("{places}, facing, spread of skirmishers"));
        }
        if Engagement::judge_charge_slot(a).is_ok() && Engagement::judge_charger(unit).is_ok() {
            out.space("charge", id, stride, "target, path, facing");
        }
        if battle.may_split_or_gather(a) {
            if unit.parent.is_some() {
                out.space("gather", id, None, "the other parts, and line or column");
            } else {
                out.space("split", id, None, "parts with privates and places");
            }
        }
    }

    fn judge(&self, battle: &Engagement, answer: &Action) -> Result<Deed, Illegal> {
        let a = &self.0;
        let no = a.unit;
        match answer {
            Action::Move { path, facing, spread } => {
                battle.judge_move_slot(a)?;
                let marched = battle.judge_move(no, a.benefit, path, *facing, spread.as_ref())?;
                Ok(Deed::Move(marched, path.as_slice().into()))
            }
            Action::Change { shape } => {
                battle.judge_change(a, *shape).map(|(unit, dressing)| Deed::Change(unit, dressing))
            }
            Action::Split { parts } => battle.judge_split(a, parts).map(Deed::Split),
            Action::Gather { with, shape } => {
                battle.judge_gather(a, with, *shape).map(|(whole, parts)| Deed::Gather(whole, parts))
            }
            Action::Fire { target } => {
                battle.judge_fire_slot(a)?;
                let target = battle.named(*target, "ATKM-FIRE-20")?;
                battle.judge_fire(no, target).map(|shot| Deed::Fire(target, shot))
            }
            Action::Charge { target, path, facing } => {
                Engagement::judge_charge_slot(a)?;
                let target = battle.named(*target, "ATKM-MELEE-12")?;
                let charge = battle.judge_charge(no, a.benefit, target, path, *facing)?;
                Ok(Deed::Charge(target, Box::new(charge), path.as_slice().into()))
            }
            Action::Reform { shape, facing } => {
                if a.begun() {
                    return refuse("ATKM-MOB-01", "reforming takes the whole activation");
                }
                let facing = facing.unwrap_or(battle.unit(no).facing);
                battle.judge_reform(no, *shape, facing).map(Deed::Reform)
            }
            Action::End if a.begun() => Ok(Deed::End),
            Action::End => refuse("ATKM-ACT-10", "nothing has been done yet; withdraw and pass instead"),
            Action::Withdraw if a.begun() => {
                refuse("ATKM-ACT-09", "a part has been carried out; end the activation")
            }
            Action::Withdraw => Ok(Deed::Withdraw),
            _ if battle.unit(no).is_mob() => refuse("ATKM-MOB-01", "a mob reforms with its whole activation"),
            other => out_of_place(other, self.kind(battle)),
        }
    }

    fn carry_out(self, battle: &mut Engagement, deed: Deed, now: &mut Now<'_>) {
        let a = self.0;
        match deed {
            Deed::Move(marched, _) => battle.do_move(a, marched, now.log),
            Deed::Change(unit, dressing) => battle.do_change(a, unit, dressing, now.log),
            Deed::Split(parts) => battle.do_split(a, parts, now.log),
            Deed::Gather(whole, parts) => battle.do_gather(whole, &parts, now.log),
            Deed::Fire(target, shot) => {
                battle.do_fire(a.unit, target, &shot, now.chance, now.log);
                if let Some(a) = &mut battle.state.activation {
                    a.fired_last = a.moved || a.changed || a.dressed;
                }
            }
            Deed::Charge(target, charge, _) => {
                battle.state.stage = Stage::Finish;
                battle.do_charge(a, target, &charge, now.chance, now.log);
            }
            Deed::Reform(unit) => battle.do_reform(a, unit, now.log),
            Deed::End => battle.state.stage = Stage::Finish,
            Deed::Withdraw => battle.do_withdraw(now.log),
        }
    }

    fn usual(&self, _: &Engagement) -> Action {
        if self.0.begun() { Action::End } else { Action::Withdraw }
    }

    fn preview(&self, battle: &Engagement, deed: &Deed) -> Preview {
        let no = self.0.unit;
        let mut preview = Preview::default();
        match deed {
            Deed::Move(marched, legs) => battle.preview_move(&mut preview, legs, no, marched),
            Deed::Charge(target, charge, legs) => {
                battle.preview_charge(&mut preview, legs, no, *target, charge);
            }
            Deed::Fire(target, shot) => battle.preview_fire(&mut preview, no, *target, shot),
            Deed::Change(unit, _) | Deed::Reform(unit) => {
                preview.overlays.push(battle.ghost(unit));
                battle.note_fire(&mut preview, no, unit);
            }
            Deed::Gather(unit, _) => preview.overlays.push(battle.ghost(unit)),
            Deed::Split(parts) => preview.overlays.extend(parts.iter().map(|p| battle.ghost(p))),
            Deed::End | Deed::Withdraw => {}
        }
        preview
    }

    fn wander(&self, battle: &Engagement, whim: &mut Whim) -> Action {
        battle.sample_part(&self.0, whim)
    }

    fn ways(&self, battle: &Engagement, most: usize, whim: &mut Whim, out: &mut Vec<Action>) {
        out.extend((0..2 * most).map(|_| self.wander(battle, whim)));
    }

    fn steer(&self, battle: &Engagement, wish: &Wish) -> Steer<Action> {
        battle.steer_part(&self.0, wish).unwrap_or_else(Steer::refused)
    }

    fn courses(&self, battle: &Engagement, unit: UnitId) -> Vec<(String, Action)> {
        if self.unit(battle) == Some(unit) { battle.courses_of(&self.0) } else { Vec::new() }
    }

    fn weigh(&self, battle: &Engagement, _: usize, _: &mut Whim) -> Vec<(f64, Action)> {
        battle.propose_part(&self.0)
    }
}

impl Engagement {
    /// ATKM-ACT-09: the point comes back.
    pub(crate) fn do_withdraw(&mut self, log: &mut Log) {
        if let Some(a) = self.state.activation.take() {
            self.state.generals[a.seat.index()].points += a.paid;
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

    /// Some part that a unit could play now, if there is any: a small turn, a step, a shot, a change, a charge, going apart.
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
        if let Some(march) = self.some_march(no, benefit) {
            return Some(march);
        }
        if let Some(target) = self.targets(no).next() {
            return Some(Action::Fire { target: self.unit(target).id });
        }
        let a = self.fresh(no, benefit);
        let change = SHAPES.into_iter().find(|&s| self.judge_change(&a, s).is_ok());
        let change = change.map(|shape| Action::Change { shape }).or_else(|| self.some_charge(no, benefit));
        change.or_else(|| self.some_split_or_gather(&a))
    }

    /// A charge straight ahead or straight at somebody.
    fn some_charge(&self, no: UnitNo, benefit: Benefit) -> Option<crate::Action> {
        use tricorne_table::angle::{bearing, forward};
        let unit = self.unit(no);
        Self::judge_charger(unit).ok()?;
        self.of_army(unit.army.enemy()).find_map(|(target, them)| {
            let aim = them.middle(self.rules());
            let ahead = unit.at + forward(unit.facing) * unit.at.distance(aim);
            [(ahead, None), (aim, None), (aim, Some(bearing(unit.at, aim)))].into_iter().find_map(
                |(to, facing)| {
                    let path = vec![to.round_to(0.001)];
                    let facing = facing.map(|f| f.round().rem_euclid(360.0));
                    let charge = self.judge_charge(no, benefit, target, &path, facing);
                    charge.is_ok().then_some(crate::Action::Charge { target: them.id, path, facing })
                },
            )
        })
    }

    /// A small turn or a step.
    fn some_march(&self, no: UnitNo, benefit: Benefit) -> Option<crate::Action> {
        let turns = [1.0, -1.0, 15.0, -15.0, 90.0, -90.0, 180.0].into_iter();
        let mut faced = turns.map(|turn| (self.unit(no).facing + turn).rem_euclid(360.0));
        let turn = faced.find(|&facing| self.judge_move(no, benefit, &[], Some(facing), None).is_ok());
        let turn = turn.map(|to| crate::Action::Move { path: Vec::new(), facing: Some(to), spread: None });
        turn.or_else(|| self.some_step(no, benefit))
    }

    /// A step in some direction: of an inch, or of less where there is no room for it.
    fn some_step(&self, no: UnitNo, benefit: Benefit) -> Option<crate::Action> {
        let unit = self.unit(no);
        let inches = (0..12).map(|k| (30.0 * f64::from(k), 1.0));
        let short = [0.5, 0.1].into_iter().flat_map(|far| {
            (0..12).flat_map(move |k| [0.0, unit.facing].map(|from| (from + 30.0 * f64::from(k), far)))
        });
        inches.chain(short).find_map(|(bearing, far)| {
            let to = (unit.at + tricorne_table::angle::forward(bearing) * far).round_to(0.001);
            self.judge_move(no, benefit, &[to], None, None).is_ok().then(|| crate::Action::Move {
                path: vec![to],
                facing: None,
                spread: None,
            })
        })
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
        if self.judge_move_slot(a).is_ok() && self.some_march(a.unit, a.benefit).is_some() {
            return true;
        }
        if SHAPES.into_iter().any(|s| self.judge_change(a, s).is_ok())
            || self.some_split_or_gather(a).is_some()
        {
            return true;
        }
        self.judge_fire_slot(a).is_ok() && self.targets(a.unit).next().is_some()
    }
}
