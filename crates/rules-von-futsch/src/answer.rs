//! Decisions: what is asked, what is legal, what an answer does (ledger 5).

use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log, Side, UnitId};
use tricorne_table::Point;

use crate::action::{Action, ActionKind, Flight, Then};
use crate::deployment::Placing;
use crate::events::Chosen;
use crate::field::{Field, bit, bits, no};
use crate::manoeuvre::Reshaped;
use crate::march::Marched;
use crate::measure::{Decimal, Place, exact};
use crate::model::{Cr, Formation, Nr};
use crate::options::{JackController, JackUse};
use crate::question::{is_question, kind_of, prompt_of};
use crate::state::{ChargePath, RED, Response, Slide, Step};

/// An answer that has been judged, with everything worked out that carrying it out needs.
#[derive(Clone, Debug)]
pub(crate) enum Order {
    Begin,
    Concede(Side),
    Deploy(Placing),
    Release(u32),
    Decline,
    Play,
    UseNow,
    HoldKing,
    Group(u64),
    Commander(Cr),
    Own,
    Restore(Nr),
    Draw,
    Event(Chosen),
    NoEvent,
    Ride(Point),
    Attach(Nr),
    RegimentalSquare(Nr, Place, bool),
    Next(Nr),
    End,
    Act(ActionKind),
    March(Marched),
    Target(Nr),
    HoldFire,
    NoTarget,
    Slide(Slide),
    SlideTo(Place),
    Shape(Reshaped),
    Unlimber(Reshaped),
    ChargeAt { target: Nr, path: ChargePath, fire_first: bool },
    Face(Place),
    Reform(Then, Decimal),
    FallTo(Place),
    ReturnFire(u8),
    ChargeOn,
    StayPut,
    Respond(Response),
    Evade(Flight),
    Follow(bool),
    Occupy,
    FollowUp,
    FallBack(Decimal),
    Escape(Point),
}

impl Field {
    /// The unit of that id, or a refusal.
    pub(crate) fn named(&self, id: UnitId) -> Result<Nr, Illegal> {
        match self.b.unit_named(id) {
            Some(u) => Ok(u),
            None => no("VF-TURN-25", format!("there is no unit {id} in this battle")),
        }
    }

    /// The question that waits for an answer.
    pub(crate) fn question(&self) -> Option<Step> {
        if self.s.over.is_some() { None } else { self.s.stack.last().copied() }
    }

    /// Who answers it.
    pub(crate) fn answerer(&self, ask: Step) -> Side {
        let controller = self.s.group.as_ref().map_or(RED, |g| g.controller);
        match ask {
            Step::AskBegin => RED,
            Step::AskDeploy(side)
            | Step::AskRelease(side)
            | Step::AskKing { side, .. }
            | Step::AskActivate(side)
            | Step::AskJack(side)
            | Step::AskQueen(side)
            | Step::AskKingNow(side)
            | Step::AskAce(side)
            | Step::AskEvent { side, .. } => side,
            Step::AskCommanderMove { commander, .. }
            | Step::AskAttach { commander, .. }
            | Step::AskEscape { commander, .. } => self.chief(commander).side,
            Step::AskReturn { unit, .. } => self.side(unit),
            Step::AskResponse | Step::AskEvade { .. } => self.s.charge.map_or(RED, |c| self.side(c.target)),
            Step::AskContinue | Step::AskFollow => {
                self.s.charge.map_or(controller, |c| self.decider(c.charger))
            }
            Step::AskAfter { winner, .. } => self.decider(winner),
            Step::AskFallBack { .. } => self.s.melee.map_or(controller, |m| self.decider(m.attacker)),
            _ => controller,
        }
    }

    /// Who decides for a unit: its owner, or whoever commands the group it acts in.
    fn decider(&self, u: Nr) -> Side {
        match &self.s.group {
            Some(g) if g.all & bit(u) != 0 => g.controller,
            _ => self.side(u),
        }
    }

    /// Judges an answer to the pending question.
    pub(crate) fn resolve(&self, action: &Action) -> Result<Order, Illegal> {
        let Some(ask) = self.question() else { return no("VF-ARMYMORALE-05", "the battle is over") };
        if *action == Action::Concede {
            return Ok(Order::Concede(self.answerer(ask)));
        }
        match (ask, action) {
            (Step::AskBegin, Action::Begin) => Ok(Order::Begin),
            (Step::AskDeploy(side), Action::Deploy { piece, units, commander }) => {
                self.judge_deploy(side, piece, units, *commander).map(Order::Deploy)
            }
            (Step::AskRelease(side), Action::Release(ids)) => self.judge_release(side, ids),
            (Step::AskRelease(_), Action::Pass) => Ok(Order::Release(0)),
            (
                Step::AskKing { .. }
                | Step::AskActivate(_)
                | Step::AskJack(_)
                | Step::AskQueen(_)
                | Step::AskAce(_)
                | Step::AskAttach { .. }
                | Step::AskSquare
                | Step::AskReturn { .. }
                | Step::AskEscape { .. },
                Action::Pass,
            ) => Ok(Order::Decline),
            (Step::AskKing { .. }, Action::Play) => Ok(Order::Play),
            (Step::AskKingNow(_), Action::Hold) => Ok(Order::HoldKing),
            (Step::AskKingNow(side), Action::UseNow) => {
                if self.can_activate(side) {
                    Ok(Order::UseNow)
                } else {
                    no("VF-TURN-09", "there is nothing left to activate; hold the King")
                }
            }
            (Step::AskActivate(side), Action::Activate(id)) => self.judge_activate(side, *id),
            (Step::AskJack(side), Action::Own) => {
                self.judge_jack(true)?;
                if self.can_activate(side) {
                    Ok(Order::Own)
                } else {
                    no("VF-TURN-06", "there is nothing left to activate")
                }
            }
            (Step::AskJack(side), Action::Force(id)) => {
                let u = self.named(*id)?;
                let group = self.judge_group(side.enemy(), u, "VF-TURN-17")?;
                Ok(Order::Group(group))
            }
            (Step::AskQueen(side), Action::Restore(id)) => {
                let u = self.named(*id)?;
                self.judge_restore(side, u).map(|()| Order::Restore(u))
            }
            (Step::AskAce(_), Action::Draw) => Ok(Order::Draw),
            (Step::AskEvent { side, card }, Action::Choose { unit, commander, facing }) => {
                self.judge_event(side, card, *unit, *commander, *facing).map(Order::Event)
            }
            (Step::AskEvent { side, card }, Action::Pass) => {
                if self.event_choices(side, card).is_empty() {
                    Ok(Order::NoEvent)
                } else {
                    no("VF-TURN-19", "a drawn event must be carried out")
                }
            }
            (Step::AskCommanderMove { commander, allowance }, Action::Path(legs)) => {
                self.judge_ride(commander, allowance, legs).map(|(at, _)| Order::Ride(at))
            }
            (Step::AskAttach { commander, group }, Action::Attach(id)) => {
                let u = self.named(*id)?;
                self.judge_attach(commander, group, u).map(|()| Order::Attach(u))
            }
            (Step::AskSquare, Action::RegimentalSquare { anchor, facing, open_rear }) => {
                let u = self.named(*anchor)?;
                let place = self.judge_regimental_square(u, *facing)?;
                Ok(Order::RegimentalSquare(u, place, *open_rear))
            }
            (Step::AskNext, Action::Next(id)) => {
                let u = self.named(*id)?;
                self.judge_next(u).map(|()| Order::Next(u))
            }
            (Step::AskNext, Action::End) => self.judge_end().map(|()| Order::End),
            (Step::AskAction(u), action) if action.kind().is_some() => {
                let kind = action.kind().unwrap_or(ActionKind::Stand);
                self.judge_action(u, kind).map(|()| Order::Act(kind))
            }
            (Step::AskPath(u), Action::Path(legs)) => self.judge_path(u, legs).map(Order::March),
            (Step::AskTarget { unit, face, .. }, Action::Target(id)) => {
                let Ok(target) = self.named(*id) else {
                    if self.b.commander_named(*id).is_some() {
                        return no("VF-FIRE-30", format!("{id} is a commander and no target of fire"));
                    }
                    return no("VF-FIRE-21", format!("there is no unit {id} in this battle"));
                };
                self.judge_target(unit, face, target).map(|_| Order::Target(target))
            }
            (Step::AskTarget { unit, optional: true, .. }, Action::Hold)
                if self.unit(unit).formation != Formation::Square =>
            {
                Ok(Order::HoldFire)
            }
            (Step::AskTarget { unit, optional: true, .. }, Action::Pass)
                if self.unit(unit).formation == Formation::Square =>
            {
                Ok(Order::NoTarget)
            }
            (Step::AskManoeuvre(u), Action::Slide(way)) => {
                self.judge_slide(u, *way).map(|()| Order::Slide(*way))
            }
            (Step::AskManoeuvre(u), Action::Shape { pivot, facing, formation, other }) => {
                self.judge_shape(u, *pivot, *facing, *formation, *other).map(Order::Shape)
            }
            (Step::AskManoeuvre(u), Action::Limber(facing)) => {
                self.judge_limber(u, true, *facing).map(Order::Shape)
            }
            (Step::AskManoeuvre(u), Action::Unlimber(facing)) => {
                self.judge_limber(u, false, *facing).map(Order::Shape)
            }
            (Step::AskDistance { unit, way }, Action::Distance(d)) => {
                self.judge_distance(unit, way, *d).map(Order::SlideTo)
            }
            (Step::AskUnlimber(u), Action::Unlimber(facing)) => {
                self.judge_limber(u, false, *facing).map(Order::Unlimber)
            }
            (Step::AskCharge(u), Action::ChargeAt { target, fire_first }) => {
                let target = self.named(*target)?;
                let path = self.judge_charge(u, target)?;
                if *fire_first {
                    self.judge_fire_first(u, target)?;
                }
                Ok(Order::ChargeAt { target, path, fire_first: *fire_first })
            }
            (Step::AskFace(u), Action::Face(facing)) => self.judge_face(u, *facing).map(Order::Face),
            (Step::AskReform(u), Action::Reform { then, facing }) => {
                self.judge_reform(u, *then, *facing).map(|()| Order::Reform(*then, *facing))
            }
            (Step::AskBearing { unit, facing }, Action::Bearing { bearing, distance }) => {
                self.judge_bearing(unit, facing, *bearing, *distance).map(Order::FallTo)
            }
            (Step::AskReturn { unit, shooter }, Action::ReturnFire) => {
                self.judge_return(unit, shooter).map(Order::ReturnFire)
            }
            (Step::AskContinue, Action::ChargeOn) => Ok(Order::ChargeOn),
            (Step::AskContinue | Step::AskAfter { .. }, Action::Stay) => Ok(Order::StayPut),
            (Step::AskResponse, Action::Respond(r)) => self.judge_response(*r).map(|()| Order::Respond(*r)),
            (Step::AskEvade { .. }, Action::Evade(how_far)) => Ok(Order::Evade(*how_far)),
            (Step::AskFollow, Action::Stop) => Ok(Order::Follow(false)),
            (Step::AskFollow, Action::Follow) => Ok(Order::Follow(true)),
            (Step::AskAfter { winner, .. }, Action::Occupy) => {
                self.judge_occupy(winner).map(|()| Order::Occupy)
            }
            (Step::AskAfter { winner, loser }, Action::FollowUp) => {
                self.judge_follow_up(winner, loser).map(|()| Order::FollowUp)
            }
            (Step::AskFallBack { allowance }, Action::FallBack(d)) => {
                Self::judge_fall_back(allowance, *d).map(|()| Order::FallBack(*d))
            }
            (Step::AskEscape { commander, allowance }, Action::Path(legs)) => {
                self.judge_escape(commander, allowance, legs).map(Order::Escape)
            }
            (ask, _) => no("VF-TURN-25", format!("the question is `{}`: {}", kind_of(ask), prompt_of(ask))),
        }
    }

    fn judge_release(&self, side: Side, ids: &[UnitId]) -> Result<Order, Illegal> {
        let mut set = 0;
        for id in ids {
            match self.b.commander_named(*id).filter(|&c| self.attached(side).any(|a| a == c)) {
                Some(c) => set |= 1 << c.0,
                None => return no("VF-TURN-24", format!("{id} is no attached commander of yours")),
            }
        }
        Ok(Order::Release(set))
    }

    fn judge_activate(&self, side: Side, id: UnitId) -> Result<Order, Illegal> {
        if let Some(c) = self.b.commander_named(id) {
            return self.judge_commander(side, c).map(|()| Order::Commander(c));
        }
        let u = self.named(id)?;
        self.judge_group(side, u, "VF-TURN-04").map(Order::Group)
    }

    /// The answer, where there is but one (ledger 5: taken without asking).
    pub(crate) fn only_answer(&self, ask: Step) -> Option<Action> {
        match ask {
            Step::AskRelease(side) => self.attached(side).next().is_none().then(|| Action::Release(vec![])),
            Step::AskActivate(side) => (!self.can_activate(side)).then_some(Action::Pass),
            Step::AskJack(side) => {
                let own = self.o().jack_use != JackUse::SpecialOnly && self.can_activate(side);
                let force = self.present_of(side.enemy()).any(|u| !self.unit(u).activated);
                (!own && !force).then_some(Action::Pass)
            }
            Step::AskQueen(side) => {
                (!self.present_of(side).any(|u| self.judge_restore(side, u).is_ok())).then_some(Action::Pass)
            }
            Step::AskKingNow(side) => (!self.can_activate(side)).then_some(Action::Hold),
            Step::AskEvent { side, card } => {
                if !Self::event_chooses(card) {
                    return Some(Action::Pass);
                }
                let mut choices = self.event_choices(side, card);
                match choices.len() {
                    0 => Some(Action::Pass),
                    1 if card != crate::events::EventCard::DrummerBoy => choices.pop(),
                    _ => None,
                }
            }
            Step::AskAttach { commander, group } => (!self
                .present_of(self.chief(commander).side)
                .any(|u| self.judge_attach(commander, group, u).is_ok()))
            .then_some(Action::Pass),
            Step::AskSquare => (self.square_members() == 0).then_some(Action::Pass),
            Step::AskNext => {
                let left = self.s.group.as_ref().map_or(0, |g| g.left);
                (left.is_power_of_two() && self.judge_end().is_err())
                    .then(|| bits(left).next().map(|u| Action::Next(self.spec(u).id)))
                    .flatten()
            }
            Step::AskAction(u) => {
                // Whoever may march has a choice; only for the rest is the table gone through.
                let stands = self.judge_action(u, ActionKind::March).is_err()
                    && ActionKind::ALL[1..].iter().all(|&k| self.judge_action(u, k).is_err());
                stands.then_some(Action::Stand)
            }
            Step::AskTarget { unit, face, optional } => {
                let mut targets = self
                    .present_of(self.side(unit).enemy())
                    .filter(|&e| self.judge_target(unit, face, e).is_ok());
                let first = targets.next();
                match (first, optional) {
                    (None, true) if self.unit(unit).formation == Formation::Square => Some(Action::Pass),
                    (None, true) => Some(Action::Hold),
                    (Some(e), false) if targets.next().is_none() => Some(Action::Target(self.spec(e).id)),
                    _ => None,
                }
            }
            Step::AskManoeuvre(u) => {
                // Within 6 there is nothing but straight back.
                (self.near_enemy(self.side(u), &self.unit(u).body)).then_some(Action::Slide(Slide::Back))
            }
            Step::AskCharge(u) => {
                let mut targets =
                    self.present_of(self.side(u).enemy()).filter(|&e| self.judge_charge(u, e).is_ok());
                let first = targets.next()?;
                (targets.next().is_none() && self.judge_fire_first(u, first).is_err())
                    .then(|| Action::ChargeAt { target: self.spec(first).id, fire_first: false })
            }
            Step::AskResponse => {
                let all = [Response::Fire, Response::Countercharge, Response::Square, Response::Evade];
                all.iter()
                    .all(|&r| self.judge_response(r).is_err())
                    .then_some(Action::Respond(Response::Stand))
            }
            Step::AskAfter { winner, loser } => (self.judge_occupy(winner).is_err()
                && self.judge_follow_up(winner, loser).is_err())
            .then_some(Action::Stay),
            Step::AskFallBack { allowance } => (allowance == 0).then_some(Action::FallBack(Decimal(0))),
            _ => None,
        }
    }

    /// Goes on until somebody must decide or it is over.
    pub(crate) fn run(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        while self.s.over.is_none() {
            let escaping = matches!(self.s.stack.last(), Some(Step::AskEscape { .. }));
            if !escaping && self.look_for_captures(chance, log) {
                continue;
            }
            let Some(&step) = self.s.stack.last() else {
                self.push(Step::Check);
                continue;
            };
            if is_question(step) {
                let Some(action) = self.only_answer(step) else { return };
                let Ok(order) = self.resolve(&action) else { return };
                self.carry_out(step, order, chance, log);
                continue;
            }
            self.s.stack.pop();
            self.take(step, chance, log);
        }
    }

    /// What the umpire does by himself.
    fn take(&mut self, step: Step, chance: &mut dyn Chance, log: &mut Log) {
        match step {
            Step::DeployNext => self.deploy_next(),
            Step::TurnStart => self.turn_start(log),
            Step::KingWindow(window) => self.king_window(window),
            Step::Draw => self.draw(chance, log),
            Step::Check => self.check_turn(),
            Step::EndTurn => self.end_turn(log),
            Step::GroupAttach(from) => self.group_attach(from),
            Step::GroupCheck => self.group_check(chance, log),
            Step::GroupSquare => self.push(Step::AskSquare),
            Step::GroupNext => self.group_next(),
            Step::GroupTests => self.group_tests(chance, log),
            Step::SquareFace { unit, face } => self.square_face(unit, face),
            Step::Shoot { shooter, face, target, returned } => {
                self.shoot_step((shooter, face, target, returned), chance, log);
            }
            Step::AfterChargeFire => self.after_charge_fire(log),
            Step::MeleeRound => self.melee_round(chance, log),
            Step::MeleeEnd => self.melee_end(log),
            _ => {}
        }
    }

    /// Carries out a judged answer.
    pub(crate) fn carry_out(&mut self, ask: Step, order: Order, chance: &mut dyn Chance, log: &mut Log) {
        self.s.stack.pop();
        match (ask, order) {
            (_, Order::Concede(side)) => {
                let why = format!("{} gives the battle up.", self.b.names[side.index()]);
                self.over(Some(side.enemy()), "victory", "VF-SCEN-09", why, log);
            }
            (_, Order::Deploy(placing)) => self.deploy(placing, log),
            (_, Order::Release(set)) => {
                for i in 0..self.s.commanders.len() {
                    if set & (1 << i) != 0 {
                        self.release(Cr(i as u8), log);
                    }
                }
            }
            (Step::AskKing { side, .. }, Order::Play) => self.play_king(side, log),
            (Step::AskKing { window, .. }, Order::Decline) => self.push(Step::KingWindow(window + 1)),
            (Step::AskKingNow(side), Order::HoldKing) => self.hold_king(side, log),
            (Step::AskKingNow(side) | Step::AskJack(side), Order::UseNow | Order::Own) => {
                self.push(Step::AskActivate(side));
            }
            (Step::AskJack(side), Order::Group(group)) => {
                if self.o().jack_use == JackUse::Both {
                    self.push(Step::AskActivate(side));
                }
                let controller = match self.o().jack_controller {
                    JackController::Owner => side.enemy(),
                    JackController::JackPlayer => side,
                };
                self.start_group(group, true, controller, log);
            }
            (Step::AskJack(side), Order::Decline) if self.o().jack_use == JackUse::Both => {
                self.push(Step::AskActivate(side));
            }
            (Step::AskActivate(side), Order::Group(group)) => self.start_group(group, false, side, log),
            (_, Order::Commander(c)) => self.start_ride(c, chance, log),
            (_, Order::Restore(u)) => self.restore(u, "VF-TURN-14", chance, log),
            (Step::AskAce(side), Order::Draw) => self.draw_event(side, chance, log),
            (Step::AskEvent { card, .. }, Order::Event(chosen)) => self.event_on(card, chosen, chance, log),
            (Step::AskEvent { side, card }, Order::NoEvent) => self.event_at_large(side, card, log),
            (Step::AskCommanderMove { commander, .. }, Order::Ride(at))
            | (Step::AskEscape { commander, .. }, Order::Escape(at)) => self.rode(commander, at, log),
            (Step::AskEscape { commander, .. }, Order::Decline) => self.no_escape(commander, log),
            (Step::AskAttach { commander, .. }, Order::Attach(u)) => self.attach(commander, u, log),
            (_, Order::RegimentalSquare(anchor, place, open)) => {
                self.form_regimental_square((anchor, place, open), chance, log);
            }
            (_, Order::Next(u)) => {
                self.name_next(u);
                if self.s.group.as_ref().is_some_and(|g| g.firing) {
                    self.act(u, ActionKind::Fire, 0);
                    self.ask_target(u, true);
                } else if self.unit(u).shaken {
                    self.rally(u, chance, log);
                } else if self.unit(u).disordered {
                    self.push(Step::AskReform(u));
                } else {
                    self.push(Step::AskAction(u));
                }
            }
            (_, Order::End) => self.end_group(log),
            (Step::AskAction(u), Order::Act(kind)) => self.name_action(u, kind, chance, log),
            (Step::AskPath(u), Order::March(to)) => self.marched(u, to, log),
            (Step::AskTarget { unit, face, .. }, Order::Target(target)) => {
                self.face_has_fired();
                self.push(Step::Shoot { shooter: unit, face, target, returned: false });
            }
            (Step::AskTarget { unit, .. }, Order::HoldFire) => self.hold(unit),
            (Step::AskManoeuvre(u), Order::Slide(way)) => self.start_slide(u, way, chance, log),
            (Step::AskManoeuvre(u), Order::Shape(to)) => {
                self.reshape(u, to, log);
                self.manoeuvred(u);
            }
            (Step::AskDistance { unit, .. }, Order::SlideTo(place)) => {
                self.put(unit, place);
                let id = self.spec(unit).id;
                log.say(|| {
                    Event::new("slides", "VF-MOVE-13")
                        .who(id)
                        .with("x", exact(place.x))
                        .with("y", exact(place.y))
                });
                self.manoeuvred(unit);
            }
            (Step::AskUnlimber(u), Order::Unlimber(to)) => {
                self.reshape(u, to, log);
                self.fire_or_wait(u, true);
            }
            (Step::AskCharge(u), Order::ChargeAt { target, path, fire_first }) => {
                self.declare(u, target, path, fire_first, log);
            }
            (Step::AskFace(u), Order::Face(place)) => {
                self.put(u, place);
                let id = self.spec(u).id;
                log.say(|| Event::new("turns", "VF-SHAKEN-10").who(id).with("facing", exact(place.t)));
            }
            (Step::AskReform(u), Order::Reform(then, facing)) => self.reform(u, then, facing, chance, log),
            (Step::AskBearing { unit, .. }, Order::FallTo(place)) => {
                self.put(unit, place);
                let id = self.spec(unit).id;
                log.say(|| {
                    Event::new("falls_back", "VF-MORALE-23")
                        .who(id)
                        .with("x", exact(place.x))
                        .with("y", exact(place.y))
                        .with("facing", exact(place.t))
                });
            }
            (Step::AskReturn { unit, shooter }, Order::ReturnFire(face)) => {
                self.spend_fire(unit);
                if let Some(charge) = &mut self.s.charge {
                    charge.answered |= charge.target == unit;
                }
                self.push(Step::Shoot { shooter: unit, face, target: shooter, returned: true });
            }
            (_, Order::ChargeOn) => self.charge_on(),
            (Step::AskContinue, Order::StayPut) => self.end_charge(log),
            (_, Order::Respond(r)) => self.respond(r, chance, log),
            (Step::AskEvade { allowance }, Order::Evade(how_far)) => self.evade(how_far, allowance, log),
            (_, Order::Follow(follows)) => self.follow(follows, log),
            (Step::AskAfter { winner, .. }, Order::Occupy) => self.occupy(winner, log),
            (Step::AskAfter { winner, loser }, Order::FollowUp) => self.follow_up(winner, loser, chance, log),
            (_, Order::FallBack(d)) => self.fall_back(d, log),
            _ => {}
        }
    }

    fn rode(&mut self, c: Cr, at: Point, log: &mut Log) {
        let commander = self.commander_mut(c);
        commander.x = crate::measure::mils(at.x);
        commander.y = crate::measure::mils(at.y);
        let id = self.chief(c).id;
        log.say(|| Event::new("rides", "VF-CMD-22").who(id).with("x", at.x).with("y", at.y));
    }
}
