//! D-ACTION: what a sub-unit does when it is named (VF-CMD-17 to -21).

use serde::Serialize;
use tricorne_chance::{Chance, Whim};
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Event, Illegal, Log};

use crate::action::{Action, ActionKind, Leg};
use crate::field::Field;
use crate::model::measure::{Decimal, Mils, exact};
use crate::model::{Formation, Kind, Nr};
use crate::movement::Minding;
use crate::options::{InitiativeLimits, RegimentAction};
use crate::questions::{Declare, Manoeuvre, Path, Unlimber, asks};
use crate::rulebook::{Share, inch};
use crate::state::{Acting, Initiative, Slide};

/// What does it do?
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Act {
    /// Which sub-unit.
    pub unit: Nr,
}

impl Question<Field> for Act {
    type Judged = ActionKind;

    asks!("action", "activation", "What does it do?");

    crate::questions::of_group!();

    fn answers(&self, _: &Field, out: &mut Answers<Action>) {
        out.list_all(ActionKind::ALL.map(Action::naming));
    }

    fn judge(&self, field: &Field, answer: &Action) -> Result<ActionKind, Illegal> {
        let Some(kind) = answer.kind() else { return Err(self.other(field)) };
        field.judge_action(self.unit, kind).map(|()| kind)
    }

    fn carry_out(self, field: &mut Field, kind: ActionKind, now: &mut Now<'_>) {
        field.name_action(self.unit, kind, now.chance, now.log);
    }

    fn usual(&self, _: &Field) -> Action {
        Action::Stand
    }

    fn only(&self, field: &Field) -> Option<Action> {
        // Whoever may march has a choice; only for the rest is the table gone through.
        let stands = field.judge_action(self.unit, ActionKind::March).is_err()
            && ActionKind::ALL[1..].iter().all(|&k| field.judge_action(self.unit, k).is_err());
        stands.then_some(Action::Stand)
    }

    fn wander(&self, field: &Field, whim: &mut Whim) -> Action {
        use ActionKind::{
            Charge, Fire, Manoeuvre, ManoeuvreAndHold, March, MarchAndFire, MarchAndHold,
            MarchUnlimberAndFire, Stand, UnlimberAndFire,
        };
        let kinds: &[ActionKind] = match (field.kind(self.unit), field.unit(self.unit).formation) {
            (Kind::Infantry, Formation::Square) => &[Stand, Fire, Fire, Manoeuvre, ManoeuvreAndHold],
            (Kind::Infantry, _) => &[
                March,
                March,
                March,
                Fire,
                Fire,
                Charge,
                MarchAndFire,
                MarchAndHold,
                Manoeuvre,
                ManoeuvreAndHold,
                Stand,
            ],
            (Kind::Heavy | Kind::Light, _) => &[March, March, Charge, Charge, Manoeuvre, Stand],
            (Kind::Skirmish, _) => &[March, MarchAndFire, MarchAndFire, Fire, Fire, Charge, MarchAndHold],
            (Kind::Artillery, Formation::Limbered) => {
                &[March, UnlimberAndFire, MarchUnlimberAndFire, Manoeuvre, ManoeuvreAndHold]
            }
            (Kind::Artillery, _) => &[Fire, Fire, Fire, Stand, March, MarchAndFire, Manoeuvre],
            (Kind::Wagon, _) => &[March, March, March, Manoeuvre, Stand],
        };
        Action::naming(whim.one_of(kinds).copied().unwrap_or(Stand))
    }
}

/// A gun that might drive clear of the enemy is tried every so many thousandths of its way.
const STEP: Mils = 250;

impl Field {
    /// Whether a sub-unit may name an action (D-ACTION).
    pub(crate) fn judge_action(&self, u: Nr, kind: ActionKind) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let id = || self.name(u);
        if kind == ActionKind::Stand {
            return Ok(());
        }
        if self.held_back() {
            return refuse(
                "VF-CMD-02",
                "the regiment was called upon with a sub-unit in disorder; it may only reform",
            );
        }
        if self.o().regiment_action == RegimentAction::SameForAll
            && let Some(same) = self.s.group.as_ref().and_then(|g| g.same)
            && same != kind
        {
            return refuse(
                "VF-CMD-15",
                format!("the regiment has named {}; take that or stand", same.name()),
            );
        }
        let square = unit.formation == Formation::Square;
        let limbered = unit.formation == Formation::Limbered;
        let near = || self.near_enemy(self.side(u), &unit.body);
        if kind.is_march() {
            self.judge_movable(u)?;
        }
        match kind {
            ActionKind::Stand | ActionKind::March => Ok(()),
            ActionKind::Fire => {
                self.can_fire(u)?;
                self.fire_limits()?;
                let any = self.has_target(u, 0) || (square && self.has_target(u, 1));
                if any {
                    Ok(())
                } else {
                    refuse("VF-FIRE-07", format!("{} has no target in arc, range and sight", id()))
                }
            }
            ActionKind::MarchAndFire => {
                self.can_fire(u)?;
                self.fire_limits()
            }
            ActionKind::MarchAndHold => self.can_fire(u),
            ActionKind::Manoeuvre | ActionKind::ManoeuvreAndHold => self.judge_manoeuvre_at_all(u, kind),
            ActionKind::UnlimberAndFire => {
                if !limbered {
                    return refuse("VF-CMD-20", format!("{} is no limbered gun", id()));
                }
                self.fire_limits()?;
                if near() {
                    return refuse("VF-MOVE-01", format!("{}; it may not unlimber there", self.too_near(u)));
                }
                Ok(())
            }
            ActionKind::MarchUnlimberAndFire => {
                if !limbered {
                    return refuse("VF-MOVE-25", format!("{} is no limbered gun", id()));
                }
                self.fire_limits()?;
                if near() && !self.can_get_clear(u) {
                    return refuse("VF-MOVE-01", format!("{}, and cannot end further off", self.too_near(u)));
                }
                Ok(())
            }
            ActionKind::Charge => {
                self.can_charge(u)?;
                let any = self.present_of(self.side(u).enemy()).any(|e| self.may_charge(u, e));
                if any { Ok(()) } else { refuse("VF-CHARGE-01", format!("{} has nobody to charge", id())) }
            }
        }
    }

    /// Whether the initiative check lets the group fire (VF-CMD-12).
    pub(crate) fn fire_limits(&self) -> Result<(), Illegal> {
        if self.o().initiative_limits == InitiativeLimits::NoFireOnRetreat
            && self.initiative() == Initiative::RetreatOnly
        {
            return refuse("VF-CMD-12", "under retreat only there is no fire");
        }
        Ok(())
    }

    fn judge_manoeuvre_at_all(&self, u: Nr, kind: ActionKind) -> Result<(), Illegal> {
        let unit = self.unit(u);
        if unit.formation == Formation::Cloud {
            return refuse("VF-MOVE-16", format!("{} are skirmishers and never manoeuvre", self.name(u)));
        }
        if kind == ActionKind::ManoeuvreAndHold && !matches!(self.kind(u), Kind::Infantry | Kind::Artillery) {
            return refuse("VF-FIRE-01", format!("{} has no fire to hold", self.name(u)));
        }
        if self.near_enemy(self.side(u), &unit.body) {
            if unit.formation == Formation::Square {
                return refuse("VF-MOVE-01", self.too_near(u));
            }
            self.judge_slide(u, Slide::Back)?;
        } else if unit.formation == Formation::Wagon {
            self.judge_movable(u)?;
        }
        Ok(())
    }

    /// Whether going straight ahead by up to half a move can bring a gun clear of the enemy.
    fn can_get_clear(&self, u: Nr) -> bool {
        let (side, mover, unit) = (self.side(u), self.mover(u), self.unit(u));
        let way = unit.body.rect.frame().forward;
        let moves = &self.p().moves;
        let acting = Acting {
            unit: u,
            kind: ActionKind::MarchUnlimberAndFire,
            allowance: self.greatest_move(u),
            nearest: self.nearest_enemy(side, &unit.body),
        };
        let clear = |ahead: Mils| {
            let to = self.judge_march(acting, &[Leg::Forward(Decimal(ahead))]);
            to.is_ok_and(|to| !self.near_enemy(side, &unit.body_at(to.place.pose())))
        };
        // As far as it can go, with a road under it or without; and on the way there.
        [0, inch(moves.road)].into_iter().any(|road| {
            let half = exact(moves.short.most(acting.allowance + road));
            let far = self.distance_for(mover, &unit.body, way, half);
            let (run, _) = self.free_run(side, mover, &unit.body, way, far, Minding::all(u));
            let run = (run * 1000.0) as Mils;
            [run, run - 1].into_iter().chain((1..run / STEP).map(|step| run - step * STEP)).any(clear)
        })
    }

    /// Notes who acts, and how far the nearest enemy is (VF-CMD-11, -21).
    pub(crate) fn act(&mut self, u: Nr, kind: ActionKind, allowance: Mils) {
        let nearest = self.nearest_enemy(self.side(u), &self.unit(u).body);
        self.s.acting = Some(Acting { unit: u, kind, allowance, nearest });
    }

    /// Names an action (D-ACTION); dice for a march come at once.
    pub(crate) fn name_action(&mut self, u: Nr, kind: ActionKind, chance: &mut dyn Chance, log: &mut Log) {
        if let Some(group) = &mut self.s.group
            && group.same.is_none()
            && kind != ActionKind::Stand
        {
            group.same = Some(kind);
        }
        let id = self.spec(u).id;
        if kind != ActionKind::Stand {
            log.say(|| Event::new("action", "VF-CMD-17").who(id).outcome(kind.name()));
        }
        self.act(u, kind, 0);
        match kind {
            ActionKind::Stand => self.stand(u, log),
            ActionKind::Fire => {
                self.fire_or_wait(u, false);
            }
            ActionKind::Manoeuvre | ActionKind::ManoeuvreAndHold => self.ask(Manoeuvre { unit: u }),
            ActionKind::UnlimberAndFire => self.ask(Unlimber { unit: u }),
            ActionKind::Charge => self.ask(Declare { unit: u }),
            _ => {
                self.roll_for(u, kind, chance, log);
                self.ask(Path { unit: u });
            }
        }
    }

    /// Rolls how far it may move, and notes it.
    pub(crate) fn roll_for(&mut self, u: Nr, kind: ActionKind, chance: &mut dyn Chance, log: &mut Log) {
        let roll = self.roll_move(u, "move", false, chance);
        self.act(u, kind, roll.allowance);
        let id = self.spec(u).id;
        log.say(|| {
            let event = self.tell_move(Event::new("move_roll", "VF-MOVE-06").who(id), u, &roll);
            if kind == ActionKind::March { event } else { event.outcome("half") }
        });
    }
}
