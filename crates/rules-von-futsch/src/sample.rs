//! Legal answers at random, without listing them all: a few cheap tries, then an answer that is always allowed.

use tricorne_chance::Whim;
use tricorne_table::{Point, angle};

use crate::action::{Action, ActionKind, Base, Flight, Leg, OtherBase, Then};
use crate::field::{Field, bits};
use crate::measure::{Decimal, exact};
use crate::model::{Formation, Kind, Nr};
use crate::state::{Response, Slide, Step};

impl Field {
    /// A legal answer at random.
    pub(crate) fn any_answer(&self, whim: &mut Whim) -> Action {
        let Some(ask) = self.question() else { return Action::Pass };
        for _ in 0..5 {
            let action = self.guess(ask, whim);
            if self.resolve(&action).is_ok() {
                return action;
            }
        }
        self.sure(ask)
    }

    /// A guess at an answer.
    fn guess(&self, ask: Step, whim: &mut Whim) -> Action {
        match ask {
            Step::AskDeploy(side) => {
                let lots = self.lots(side);
                match whim.one_of(&lots) {
                    Some(&lot) => {
                        let formations = [None, Some(Formation::Column), Some(Formation::Line)];
                        let formation = formations[whim.below(3)];
                        let x = (whim.unit() * self.b.width * 4.0).floor() * 0.25;
                        let back = (whim.unit() * 8.0).floor() * 0.5;
                        self.placing_at(side, lot, x, back, formation)
                    }
                    None => Action::Pass,
                }
            }
            Step::AskRelease(side) => {
                let some = self.attached(side).filter(|_| whim.chance(0.3)).map(|c| self.chief(c).id);
                Action::Release(some.collect())
            }
            Step::AskKing { .. } => {
                if whim.chance(0.4) {
                    Action::Play
                } else {
                    Action::Pass
                }
            }
            Step::AskActivate(side) => {
                if whim.chance(0.05) {
                    return Action::Pass;
                }
                let count = self.s.units.len() + self.s.commanders.len();
                let start = whim.below(count);
                let all = (start..count).chain(0..start);
                for i in all {
                    if let Some(unit) = self.s.units.get(i) {
                        if unit.here() && !unit.activated && self.b.units[i].side == side {
                            return Action::Activate(self.group_name(Nr(i as u8)));
                        }
                    } else if let Some(c) = self.s.commanders.get(i - self.s.units.len()) {
                        let chief = &self.b.commanders[i - self.s.units.len()];
                        if c.gone.is_none()
                            && c.host.is_none()
                            && !c.activated
                            && chief.side == side
                            && whim.chance(0.3)
                        {
                            return Action::Activate(chief.id);
                        }
                    }
                }
                Action::Pass
            }
            Step::AskJack(side) => {
                let enemies = self.present_of(side.enemy()).filter(|&u| !self.unit(u).activated).count();
                match whim.below(3) {
                    0 => Action::Own,
                    1 if enemies > 0 => {
                        let n = whim.below(enemies);
                        let mut fresh = self.present_of(side.enemy()).filter(|&u| !self.unit(u).activated);
                        fresh.nth(n).map_or(Action::Pass, |u| Action::Force(self.group_name(u)))
                    }
                    _ => Action::Pass,
                }
            }
            Step::AskQueen(side) => {
                let hurt: Vec<Nr> = self.present_of(side).filter(|&u| self.lost(u) > 0).collect();
                whim.one_of(&hurt).map_or(Action::Pass, |&u| Action::Restore(self.spec(u).id))
            }
            Step::AskKingNow(_) => {
                if whim.chance(0.5) {
                    Action::UseNow
                } else {
                    Action::Hold
                }
            }
            Step::AskAce(_) => {
                if whim.chance(0.8) {
                    Action::Draw
                } else {
                    Action::Pass
                }
            }
            Step::AskEvent { side, card } => {
                let choices = self.event_choices(side, card);
                whim.one_of(&choices).cloned().unwrap_or(Action::Pass)
            }
            Step::AskCommanderMove { allowance, .. } | Step::AskEscape { allowance, .. } => {
                let bearing = (whim.unit() * 72.0).floor() * 5.0;
                let far = (whim.unit() * exact(allowance) * 4.0).floor() * 0.25;
                Action::Path(vec![Self::go(bearing, far)])
            }
            Step::AskAttach { commander, group } => {
                if whim.chance(0.5) {
                    return Action::Pass;
                }
                let side = self.chief(commander).side;
                let hosts: Vec<Nr> = self
                    .present_of(side)
                    .filter(|&u| self.judge_attach(commander, group, u).is_ok())
                    .collect();
                whim.one_of(&hosts).map_or(Action::Pass, |&u| Action::Attach(self.spec(u).id))
            }
            Step::AskSquare => {
                if whim.chance(0.93) {
                    return Action::Pass;
                }
                let members: Vec<Nr> = bits(self.square_members()).collect();
                whim.one_of(&members).map_or(Action::Pass, |&u| Action::RegimentalSquare {
                    anchor: self.spec(u).id,
                    facing: Decimal(self.unit(u).place.t),
                    open_rear: whim.chance(0.5),
                })
            }
            Step::AskNext => {
                let left = self.s.group.as_ref().map_or(0, |g| g.left);
                if whim.chance(0.06) {
                    return Action::End;
                }
                let n = whim.below(left.count_ones() as usize);
                bits(left).nth(n).map_or(Action::End, |u| Action::Next(self.spec(u).id))
            }
            Step::AskAction(u) => Action::naming(self.guess_kind(u, whim)),
            Step::AskPath(u) => Action::Path(self.guess_path(u, whim)),
            Step::AskTarget { unit, optional, .. } => {
                if optional && whim.chance(0.1) {
                    return if self.unit(unit).formation == Formation::Square {
                        Action::Pass
                    } else {
                        Action::Hold
                    };
                }
                let enemies: Vec<Nr> = self.present_of(self.side(unit).enemy()).collect();
                let start = whim.below(enemies.len());
                let Step::AskTarget { face, .. } = ask else { return Action::Hold };
                let found = enemies[start.min(enemies.len())..]
                    .iter()
                    .chain(&enemies[..start.min(enemies.len())])
                    .find(|&&e| self.judge_target(unit, face, e).is_ok());
                found.map_or(Action::Hold, |&e| Action::Target(self.spec(e).id))
            }
            Step::AskManoeuvre(u) => self.guess_manoeuvre(u, whim),
            Step::AskDistance { .. } => {
                let half = self.s.acting.map_or(0, |a| a.allowance / 2);
                Action::Distance(Decimal((whim.unit() * f64::from(half)) as i32))
            }
            Step::AskUnlimber(u) => Action::Unlimber(self.guess_facing(u, whim)),
            Step::AskCharge(u) => {
                let enemies: Vec<Nr> = self
                    .present_of(self.side(u).enemy())
                    .filter(|&e| self.judge_charge(u, e).is_ok())
                    .collect();
                let fire_first = whim.chance(0.3);
                whim.one_of(&enemies)
                    .map_or(Action::Stand, |&e| Action::ChargeAt { target: self.spec(e).id, fire_first })
            }
            Step::AskFace(u) => Action::Face(self.guess_facing(u, whim)),
            Step::AskReform(u) => {
                let then = [Then::Stay, Then::Hold, Then::Retreat][whim.below(3)];
                Action::Reform { then, facing: self.guess_facing(u, whim) }
            }
            Step::AskBearing { unit, .. } => {
                let home = Self::home_bearing(self.side(unit));
                let half = self.s.acting.map_or(0, |a| a.allowance / 2);
                Action::Bearing {
                    bearing: Decimal::of(angle::normalise(home + (whim.unit() * 5.0).floor() * 30.0 - 60.0)),
                    distance: Decimal((whim.unit() * f64::from(half)) as i32),
                }
            }
            Step::AskReturn { .. } => {
                if whim.chance(0.7) {
                    Action::ReturnFire
                } else {
                    Action::Pass
                }
            }
            Step::AskContinue => {
                if whim.chance(0.6) {
                    Action::ChargeOn
                } else {
                    Action::Stay
                }
            }
            Step::AskResponse => {
                let all = [
                    Response::Stand,
                    Response::Fire,
                    Response::Countercharge,
                    Response::Square,
                    Response::Evade,
                ];
                Action::Respond(all[whim.below(5)])
            }
            Step::AskEvade { .. } => Action::Evade([Flight::Full, Flight::OutOfReach][whim.below(2)]),
            Step::AskFollow => {
                if whim.chance(0.5) {
                    Action::Follow
                } else {
                    Action::Stop
                }
            }
            Step::AskAfter { .. } => [Action::Stay, Action::Occupy, Action::FollowUp][whim.below(3)].clone(),
            Step::AskFallBack { allowance } => {
                let half = allowance - allowance / 2;
                Action::FallBack(Decimal(half + (whim.unit() * f64::from(allowance / 2)) as i32))
            }
            _ => Action::Begin,
        }
    }

    /// The name a group is listed by: its first sub-unit that can still act.
    fn group_name(&self, u: Nr) -> tricorne_game::UnitId {
        let first = bits(self.fresh(self.group_of(u))).next().unwrap_or(u);
        self.spec(first).id
    }

    fn guess_kind(&self, u: Nr, whim: &mut Whim) -> ActionKind {
        use ActionKind::{
            Charge, Fire, Manoeuvre, ManoeuvreAndHold, March, MarchAndFire, MarchAndHold,
            MarchUnlimberAndFire, Stand, UnlimberAndFire,
        };
        let one = |whim: &mut Whim, kinds: &[ActionKind]| whim.one_of(kinds).copied().unwrap_or(Stand);
        match (self.kind(u), self.unit(u).formation) {
            (Kind::Infantry, Formation::Square) => {
                one(whim, &[Stand, Fire, Fire, Manoeuvre, ManoeuvreAndHold])
            }
            (Kind::Infantry, _) => one(
                whim,
                &[
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
            ),
            (Kind::Heavy | Kind::Light, _) => one(whim, &[March, March, Charge, Charge, Manoeuvre, Stand]),
            (Kind::Skirmish, _) => {
                one(whim, &[March, MarchAndFire, MarchAndFire, Fire, Fire, Charge, MarchAndHold])
            }
            (Kind::Artillery, Formation::Limbered) => {
                one(whim, &[March, UnlimberAndFire, MarchUnlimberAndFire, Manoeuvre, ManoeuvreAndHold])
            }
            (Kind::Artillery, _) => one(whim, &[Fire, Fire, Fire, Stand, March, MarchAndFire, Manoeuvre]),
            (Kind::Wagon, _) => one(whim, &[March, March, March, Manoeuvre, Stand]),
        }
    }

    fn guess_facing(&self, u: Nr, whim: &mut Whim) -> Decimal {
        match whim.below(3) {
            0 => Decimal(self.unit(u).place.t),
            1 => {
                let home = Self::home_bearing(self.side(u));
                Decimal::of(angle::normalise(home + 180.0))
            }
            _ => Decimal::of((whim.unit() * 24.0).floor() * 15.0),
        }
    }

    fn guess_path(&self, u: Nr, whim: &mut Whim) -> Vec<Leg> {
        let Some(acting) = self.s.acting else { return vec![] };
        let limit = if acting.kind == ActionKind::March { acting.allowance } else { acting.allowance / 2 };
        let most = exact(limit);
        if self.kind(u) == Kind::Skirmish {
            let forward = Self::home_bearing(self.side(u)) + 180.0;
            let bearing = angle::normalise(forward + (whim.unit() * 13.0).floor() * 15.0 - 90.0);
            return vec![Self::go(bearing, most * whim.unit())];
        }
        let width = self.unit(u).body.rect.width();
        if whim.chance(0.35) {
            let degrees = whim.between(1.0, 40.0).floor();
            let cost = width * angle::radians(degrees);
            if cost < most {
                let wheel = Decimal::of(degrees);
                let wheel = if whim.chance(0.5) { Leg::WheelLeft(wheel) } else { Leg::WheelRight(wheel) };
                return vec![wheel, Leg::Forward(Decimal::of((most - cost) * whim.unit()))];
            }
        }
        // Short of the enemy and the edge rather than refused.
        let forward = self.unit(u).body.rect.frame().forward;
        let minding = crate::movement::Minding::all(u);
        let (run, _) = self.free_run(self.side(u), self.mover(u), &self.unit(u).body, forward, most, minding);
        vec![Leg::Forward(Decimal((f64::from((run * 1000.0) as i32) * whim.unit()) as i32))]
    }

    fn guess_manoeuvre(&self, u: Nr, whim: &mut Whim) -> Action {
        if self.kind(u) == Kind::Artillery && whim.chance(0.8) {
            let facing = self.guess_facing(u, whim);
            return if self.unit(u).formation == Formation::Limbered {
                Action::Unlimber(facing)
            } else {
                Action::Limber(facing)
            };
        }
        if whim.chance(0.4) {
            return Action::Slide([Slide::Left, Slide::Right, Slide::Back][whim.below(3)]);
        }
        let formations = self.kind(u).formations();
        let formation = formations[whim.below(formations.len())];
        let front = whim.chance(0.5);
        let other = match (formation, front) {
            (Formation::Line, true) => OtherBase::Right,
            (Formation::Line, false) => OtherBase::Left,
            (Formation::Column, true) => OtherBase::Front,
            _ => OtherBase::Behind,
        };
        let pivot = if whim.chance(0.5) { Base::A } else { Base::B };
        Action::Shape { pivot, facing: self.guess_facing(u, whim), formation, other }
    }

    /// An answer that is always allowed.
    pub(crate) fn sure(&self, ask: Step) -> Action {
        match ask {
            Step::AskBegin => Action::Begin,
            Step::AskDeploy(side) => self
                .lots(side)
                .into_iter()
                .find_map(|lot| self.first_placing(side, lot))
                .unwrap_or(Action::Concede),
            Step::AskRelease(_) => Action::Release(vec![]),
            Step::AskKingNow(_) => Action::Hold,
            Step::AskEvent { side, card } => {
                self.event_choices(side, card).into_iter().next().unwrap_or(Action::Pass)
            }
            Step::AskCommanderMove { .. } | Step::AskPath(_) => Action::Path(vec![]),
            Step::AskNext => {
                let left = self.s.group.as_ref().map_or(0, |g| g.left);
                bits(left).next().map_or(Action::End, |u| Action::Next(self.spec(u).id))
            }
            Step::AskAction(_) => Action::Stand,
            Step::AskTarget { unit, face, optional } => {
                if optional {
                    return if self.unit(unit).formation == Formation::Square {
                        Action::Pass
                    } else {
                        Action::Hold
                    };
                }
                self.present_of(self.side(unit).enemy())
                    .find(|&e| self.judge_target(unit, face, e).is_ok())
                    .map_or(Action::Hold, |e| Action::Target(self.spec(e).id))
            }
            Step::AskManoeuvre(u) => self.sure_manoeuvre(u),
            Step::AskDistance { .. } => Action::Distance(Decimal(0)),
            Step::AskUnlimber(u) => Action::Unlimber(Decimal(self.unit(u).place.t)),
            Step::AskCharge(u) => self
                .present_of(self.side(u).enemy())
                .find(|&e| self.judge_charge(u, e).is_ok())
                .map_or(Action::Stand, |e| Action::ChargeAt { target: self.spec(e).id, fire_first: false }),
            Step::AskFace(u) => Action::Face(Decimal(self.unit(u).place.t)),
            Step::AskReform(u) => Action::Reform { then: Then::Stay, facing: Decimal(self.unit(u).place.t) },
            Step::AskBearing { .. } => Action::Bearing { bearing: Decimal(0), distance: Decimal(0) },
            Step::AskContinue | Step::AskAfter { .. } => Action::Stay,
            Step::AskResponse => Action::Respond(Response::Stand),
            Step::AskEvade { .. } => Action::Evade(Flight::Full),
            Step::AskFollow => Action::Stop,
            Step::AskFallBack { allowance } => Action::FallBack(Decimal(allowance)),
            _ => Action::Pass,
        }
    }

    fn sure_manoeuvre(&self, u: Nr) -> Action {
        let unit = self.unit(u);
        let facing = Decimal(unit.place.t);
        match unit.formation {
            Formation::Line => {
                Action::Shape { pivot: Base::A, facing, formation: Formation::Line, other: OtherBase::Left }
            }
            Formation::Column | Formation::Square => Action::Shape {
                pivot: Base::A,
                facing,
                formation: Formation::Column,
                other: OtherBase::Behind,
            },
            Formation::Limbered => Action::Unlimber(facing),
            Formation::Unlimbered => Action::Limber(facing),
            _ => Action::Slide(Slide::Left),
        }
    }

    /// Different answers worth considering: all listed ones, then places and paths.
    pub(crate) fn some_answers(&self, n: usize, whim: &mut Whim) -> Vec<Action> {
        let mut list = self.listed();
        list.truncate(n.max(1));
        let Some(ask) = self.question() else { return list };
        if let Step::AskPath(u) = ask {
            list.extend(self.straight_paths(u).into_iter().filter(|a| self.resolve(a).is_ok()));
        }
        for _ in 0..n * 2 {
            if list.len() >= n {
                break;
            }
            let action = self.any_answer(whim);
            if !list.contains(&action) {
                list.push(action);
            }
        }
        if list.is_empty() {
            list.push(self.sure(ask));
        }
        list.truncate(n.max(1));
        list
    }

    /// The plain ways to march: stay, all the way, half the way; a cloud towards its nearest enemy.
    fn straight_paths(&self, u: Nr) -> Vec<Action> {
        let Some(acting) = self.s.acting else { return vec![] };
        let limit = if acting.kind == ActionKind::March { acting.allowance } else { acting.allowance / 2 };
        let body = &self.unit(u).body;
        let way: Point = match acting.nearest {
            Some((e, _)) if body.cloud > 0 => {
                (self.unit(e).body.centroid() - body.centroid()).unit().unwrap_or(body.rect.frame().forward)
            }
            _ => body.rect.frame().forward,
        };
        let minding = crate::movement::Minding::all(u);
        let (run, _) = self.free_run(self.side(u), self.mover(u), body, way, exact(limit), minding);
        let far = (run * 1000.0) as i32;
        let leg = |d: i32| {
            if body.cloud > 0 {
                Leg::Go(Decimal::of(angle::bearing_of(way)), Decimal(d))
            } else {
                Leg::Forward(Decimal(d))
            }
        };
        vec![Action::Path(vec![leg(far)]), Action::Path(vec![leg(far / 2)]), Action::Path(vec![])]
    }
}
