//! The umpire of a battle: which decision is pending, what answers it, what it sets going (part 5).

use std::sync::Arc;

use serde_json::Value;
use tricorne_chance::{Chance, Whim};
use tricorne_game::view::View;
use tricorne_game::{Battle, Ending, Event, Illegal, Legal, Log, Pending, Preview, Seat, Side};

use crate::action::{Action, Declare, Half, Occupy};
use crate::activation::Declared;
use crate::attack::Assault;
use crate::field::Field;
use crate::movement::{Pace, Walk};
use crate::options::{ActivationSequence, DoubleTarget, FollowUpReach, Switch};
use crate::rulebook::Class;
use crate::state::{IMPERIAL, Layout, NATIVE, Order, Places, Spot, Stage, State};
use crate::turn::side_name;

/// A battle of The Men Who Would Be Kings.
#[derive(Clone, Debug)]
pub struct WbkBattle {
    pub(crate) field: Arc<Field>,
    pub(crate) state: State,
}

/// A legal answer, with all that judging it has worked out.
pub(crate) enum Deed {
    Activate(usize),
    EndTurn,
    Declare(Declared),
    Go(Walk),
    Enter(usize),
    NoMove,
    Charge(Assault),
    Skirmish(Half),
    Shoot(usize),
    HoldFire,
    Form(Spot, u16, Places),
    FollowUp(Assault),
    OccupyBuilding(usize),
    OccupyObstacle(Spot, u16, Layout, Places),
    Stay,
    Reroll(bool),
    Place(usize, Spot, u16, Layout, Places),
    Command(usize),
}

impl WbkBattle {
    /// The side that must decide.
    pub(crate) fn decider(&self) -> Option<Side> {
        match self.state.stage {
            Stage::Muster | Stage::Over => None,
            Stage::Commander(side) | Stage::Deploy(side) => Some(side),
            Stage::Pick | Stage::Reroll => Some(self.state.active),
            _ => Some(Side(self.state.act.chooser)),
        }
    }

    /// The short name of the pending decision.
    pub(crate) fn kind(&self) -> &'static str {
        match self.state.stage {
            Stage::Muster => "muster",
            Stage::Commander(_) => "commander",
            Stage::Deploy(_) => "place",
            Stage::Pick => "pick_unit",
            Stage::Declare => "declare",
            Stage::Move => "move",
            Stage::Double => "double",
            Stage::Skirmish => "skirmish",
            Stage::SkirmishMove { .. } => "skirmish_move",
            Stage::Shoot { .. } => "shoot",
            Stage::Charge => "charge",
            Stage::Form => "form",
            Stage::AfterMelee => "after_melee",
            Stage::Reroll => "reroll",
            Stage::Over => "over",
        }
    }

    /// The answer that is always legal and does least (the notes of part 5).
    pub(crate) fn plainest(&self) -> Action {
        let u = usize::from(self.state.act.unit);
        match self.state.stage {
            Stage::Declare => Action::Declare(Declare::plain(Order::StandTo)),
            Stage::Move | Stage::Double | Stage::SkirmishMove { .. } => Action::NoMove,
            Stage::Skirmish => Action::Skirmish(Half::Skip),
            Stage::Shoot { skirmish: true, .. } => Action::HoldFire,
            Stage::Shoot { .. } => {
                let order = if self.state.act.volley { Order::Volley } else { Order::Fire };
                self.some_target(u, order).map_or(Action::HoldFire, |v| Action::Shoot(self.id(v)))
            }
            Stage::Charge => match self.some_target(u, Order::Attack) {
                Ok(v) => Action::Charge(crate::action::Charge { target: self.id(v), waypoints: Vec::new() }),
                Err(_) => Action::NoMove,
            },
            Stage::Form => self.some_form(u).map_or(Action::NoMove, Action::Form),
            Stage::AfterMelee => Action::Stay,
            Stage::Reroll => Action::Reroll(true),
            Stage::Deploy(side) => (0..self.state.units.len())
                .filter(|&u| self.waits_for_place(u, side))
                .find_map(|u| self.some_place(u))
                .map_or(Action::EndTurn, Action::Place),
            Stage::Commander(side) => (0..self.state.units.len())
                .find(|&u| self.unit(u).side == side)
                .map_or(Action::EndTurn, |u| Action::Command(self.id(u))),
            Stage::Muster | Stage::Pick | Stage::Over => Action::EndTurn,
        }
    }

    /// Judges an answer to the pending decision: the one place where legality is said.
    pub(crate) fn judge(&self, action: &Action) -> Result<Deed, Illegal> {
        let u = usize::from(self.state.act.unit);
        let inches = f64::from(self.state.act.allowance) / 1000.0;
        match (self.state.stage, action) {
            (Stage::Pick, Action::EndTurn) => Ok(Deed::EndTurn),
            (Stage::Pick, Action::Activate(id)) => self.judge_activate(*id),
            (Stage::Declare, Action::Declare(declare)) => self.judge_declare(u, declare).map(Deed::Declare),
            (Stage::Move | Stage::Double | Stage::SkirmishMove { .. }, Action::NoMove) => Ok(Deed::NoMove),
            (Stage::Move, Action::Go(go)) => self.walk(u, go, inches, Pace::Move).map(Deed::Go),
            (Stage::Move, Action::Enter(id)) => self.may_enter(u, id).map(Deed::Enter),
            (Stage::Double, Action::Go(go)) => self.walk(u, go, inches, Pace::Double).map(Deed::Go),
            (Stage::Double, Action::Charge(charge)) => {
                if self.field.options.double_target == DoubleTarget::DeclareFirst {
                    let why = "an attack At the Double is named with the order";
                    return Err(Illegal::new("WBK-DBL-06", why));
                }
                self.may_double_into(u)?;
                let v = self.enemy_named(u, charge.target)?;
                let assault = self.assault(u, v, &charge.waypoints, inches).map_err(|e| {
                    if e.clause == "WBK-ATT-01" { Illegal::new("WBK-DBL-09", e.why) } else { e }
                });
                assault.map(Deed::Charge)
            }
            (Stage::Skirmish, Action::Skirmish(half)) => Ok(Deed::Skirmish(*half)),
            (Stage::SkirmishMove { .. }, Action::Go(go)) => {
                self.walk(u, go, inches, Pace::Skirmish).map(Deed::Go)
            }
            (Stage::SkirmishMove { .. } | Stage::Double, Action::Enter(_)) => {
                Err(Illegal::new("WBK-MOD-33", "a building is entered with a Move"))
            }
            (Stage::Shoot { .. }, Action::Shoot(id)) => {
                let v = self.enemy_named(u, *id)?;
                self.may_fire(u, v, self.state.act.volley).map(|_| Deed::Shoot(v))
            }
            (Stage::Shoot { skirmish: true, .. }, Action::HoldFire) => Ok(Deed::HoldFire),
            (Stage::Charge, Action::Charge(charge)) => {
                let v = self.enemy_named(u, charge.target)?;
                self.assault(u, v, &charge.waypoints, inches).map(Deed::Charge)
            }
            (Stage::Form, Action::Form(form)) => {
                self.form(u, form).map(|(spot, places)| Deed::Form(spot, form.facing, places))
            }
            (Stage::AfterMelee, Action::Stay) => Ok(Deed::Stay),
            (Stage::AfterMelee, Action::FollowUp) => self.judge_follow_up(u).map(Deed::FollowUp),
            (Stage::AfterMelee, Action::Strike(id)) => {
                let v = self.enemy_named(u, *id)?;
                self.judge_strike(u, v).map(Deed::FollowUp)
            }
            (Stage::AfterMelee, Action::Occupy(occupy)) => self.judge_occupy(u, occupy),
            (Stage::Reroll, Action::Reroll(yes)) => Ok(Deed::Reroll(*yes)),
            (Stage::Deploy(side), Action::Place(place)) => self
                .judge_place(side, place)
                .map(|(u, spot, facing, layout, places)| Deed::Place(u, spot, facing, layout, places)),
            (Stage::Commander(side), Action::Command(id)) => {
                let found = self.find(*id).filter(|&u| self.unit(u).side == side);
                found.map(Deed::Command).ok_or_else(|| {
                    Illegal::new("WBK-LEAD-09", format!("`{id}` is no unit of the {} side", side_name(side)))
                })
            }
            (Stage::Over, _) => Err(Illegal::new("WBK-TURN-09", "the battle is over")),
            _ => {
                let why = format!("the pending decision is `{}`; answer that", self.kind());
                Err(Illegal::new(self.stage_clause(), why))
            }
        }
    }

    /// The clause that asks the pending question.
    pub(crate) fn stage_clause(&self) -> &'static str {
        match self.state.stage {
            Stage::Muster | Stage::Commander(_) => "WBK-LEAD-09",
            Stage::Deploy(_) => "WBK-SCEN-04",
            Stage::Pick => "WBK-TURN-03",
            Stage::Declare => "WBK-ACT-01",
            Stage::Move => "WBK-MOVE-12",
            Stage::Double => "WBK-DBL-06",
            Stage::Skirmish | Stage::SkirmishMove { .. } => "WBK-SKIRM-04",
            Stage::Shoot { .. } => "WBK-FIRE-01",
            Stage::Charge => "WBK-ACT-14",
            Stage::Form => "WBK-CLOSE-16",
            Stage::AfterMelee => "WBK-ATT-30",
            Stage::Reroll => "WBK-LEAD-07",
            Stage::Over => "WBK-TURN-09",
        }
    }

    fn judge_activate(&self, id: tricorne_game::UnitId) -> Result<Deed, Illegal> {
        let side = side_name(self.state.active);
        let Some(u) = self.find(id) else {
            return Err(Illegal::new("WBK-TURN-03", format!("there is no unit `{id}`")));
        };
        let unit = self.unit(u);
        if unit.side != self.state.active {
            return Err(Illegal::new(
                "WBK-TURN-01",
                format!("it is the {side} side's turn and `{id}` is not its"),
            ));
        }
        if !unit.is_on_table() {
            return Err(Illegal::new("WBK-TURN-03", format!("`{id}` is not on the table")));
        }
        if unit.activated {
            return Err(Illegal::new("WBK-TURN-02", format!("`{id}` has acted this turn")));
        }
        if self.field.options.activation_sequence == ActivationSequence::RallyFirst && !unit.is_pinned() {
            let pinned = (0..self.state.units.len()).find(|&v| self.may_act(v) && self.unit(v).is_pinned());
            if let Some(v) = pinned {
                let why = format!("Pinned units act first: activate {}", self.card(v).called());
                return Err(Illegal::new("WBK-TURN-03", why));
            }
        }
        Ok(Deed::Activate(u))
    }

    /// WBK-ATT-30 to 35.
    fn judge_follow_up(&self, u: usize) -> Result<Assault, Illegal> {
        let loser = usize::from(self.state.act.won.loser);
        self.may_follow(u)?;
        if !self.unit(loser).is_on_table() {
            let why = format!("{} is gone; strike another enemy instead", self.card(loser).called());
            return Err(Illegal::new("WBK-ATT-33", why));
        }
        let pace = f64::from(self.pace(u)) / 1000.0;
        let reach = match self.field.options.follow_up_reach {
            FollowUpReach::BasicMove => pace,
            FollowUpReach::HalfMove => f64::from(self.pace(u) / 2) / 1000.0,
            FollowUpReach::Unlimited => 1000.0,
        };
        self.slide(u, loser, &[], reach)
            .map_err(|e| if e.clause == "WBK-ATT-03" { Illegal::new("WBK-ATT-35", e.why) } else { e })
    }

    fn may_follow(&self, u: usize) -> Result<(), Illegal> {
        if self.card(u).class != Class::Cavalry {
            return Err(Illegal::new("WBK-ATT-36", format!("{} is not cavalry", self.card(u).called())));
        }
        if self.state.act.melees > 1 {
            return Err(Illegal::new("WBK-ATT-32", "there is one follow-up in an activation"));
        }
        Ok(())
    }

    fn judge_strike(&self, u: usize, v: usize) -> Result<Assault, Illegal> {
        self.may_follow(u)?;
        let loser = usize::from(self.state.act.won.loser);
        if self.unit(loser).is_on_table() {
            let why =
                format!("{} is still on the table: only it may be followed up", self.card(loser).called());
            return Err(Illegal::new("WBK-ATT-33", why));
        }
        let half = f64::from(self.pace(u) / 2) / 1000.0;
        self.assault(u, v, &[], half).map_err(|e| Illegal::new("WBK-ATT-35", e.why))
    }

    /// WBK-ATT-37, 38.
    fn judge_occupy(&self, u: usize, occupy: &Occupy) -> Result<Deed, Illegal> {
        let won = self.state.act.won;
        let Some(piece) = won.defended.map(usize::from) else {
            return Err(Illegal::new("WBK-ATT-37", "the loser defended no obstacle and no building"));
        };
        let ground = &self.field.land.pieces[piece];
        if ground.building {
            if occupy.building.as_deref() != Some(ground.id.as_str()) {
                return Err(Illegal::new(
                    "WBK-ATT-38",
                    format!("the loser held {}; name that building", ground.id),
                ));
            }
            return match self.may_hold(u, piece) {
                Ok(()) => Ok(Deed::OccupyBuilding(piece)),
                Err(e) => Err(Illegal::new("WBK-ATT-38", e.why)),
            };
        }
        let (Some(at), None) = (occupy.at, &occupy.building) else {
            let why = format!("{} is an obstacle; name an anchor beside it", ground.id);
            return Err(Illegal::new("WBK-ATT-38", why));
        };
        if !at.is_finite() || occupy.facing.is_some_and(|f| f >= 360) {
            return Err(Illegal::new(
                "WBK-ATT-38",
                "a place needs ordinary numbers, and a facing of 0 to 359",
            ));
        }
        let facing = occupy.facing.unwrap_or(self.unit(u).facing);
        let layout = occupy.layout.unwrap_or(Layout::Cluster);
        let spot = Spot::of(at);
        let places = self.may_occupy(u, piece, won.ground, spot, layout, facing)?;
        Ok(Deed::OccupyObstacle(spot, facing, layout, places))
    }

    /// Whether the winner of a melee has anything to decide (T6b).
    pub(crate) fn may_do_more(&self, u: usize) -> bool {
        let won = self.state.act.won;
        if won.cavalry && self.state.act.melees <= 1 {
            let loser = usize::from(won.loser);
            if self.unit(loser).is_on_table() {
                if self.judge_follow_up(u).is_ok() {
                    return true;
                }
            } else if self.enemies(u).any(|v| self.judge_strike(u, v).is_ok()) {
                return true;
            }
        }
        won.defended.map(usize::from).is_some_and(|piece| {
            let building = self.field.land.pieces.get(piece).is_some_and(|p| p.building);
            if building {
                self.may_hold(u, piece).is_ok()
            } else {
                self.some_occupation(u, piece, won.ground).is_some()
            }
        })
    }

    /// Carries a legal answer out, up to the next decision of the same activation.
    pub(crate) fn perform(&mut self, deed: Deed, chance: &mut dyn Chance, log: &mut Log) {
        let u = usize::from(self.state.act.unit);
        let who = self.field.cards.get(u).map(|c| c.id);
        let say = |log: &mut Log, what: &str, clause: &str| {
            log.say(|| {
                let event = Event::new(what, clause);
                match who {
                    Some(id) => event.who(id),
                    None => event,
                }
            });
        };
        match deed {
            Deed::Activate(u) => self.activate(u, chance, log),
            Deed::EndTurn => {
                let side = side_name(self.state.active);
                log.say(|| Event::new("end_turn", "WBK-TURN-05").with("side", side));
                self.state.ending_turn = true;
            }
            Deed::Declare(declared) => self.declare(declared, chance, log),
            Deed::Go(walk) => {
                self.go(u, &walk, log);
                self.after_walk(u, chance, log);
            }
            Deed::NoMove => self.after_walk(u, chance, log),
            Deed::Enter(building) => {
                self.garrison(u, building);
                let id = self.field.land.pieces[building].id.clone();
                log.say(|| Event::new("enter", "WBK-MOD-33").who(self.id(u)).with("building", id));
                self.end_activation(u, chance, log);
            }
            Deed::Charge(assault) => self.charge(u, &assault, chance, log),
            Deed::Skirmish(half) => match half {
                Half::Move => self.state.stage = Stage::SkirmishMove { then_fire: true },
                Half::Fire => self.ask_to_shoot(u, true, chance, log),
                Half::Skip => self.end_activation(u, chance, log),
            },
            Deed::Shoot(v) => {
                let Stage::Shoot { skirmish, then_move } = self.state.stage else { return };
                self.shoot(u, v, self.state.act.volley, skirmish, chance, log);
                self.after_shot(u, then_move, chance, log);
            }
            Deed::HoldFire => {
                let Stage::Shoot { then_move, .. } = self.state.stage else { return };
                self.after_shot(u, then_move, chance, log);
            }
            Deed::Form(spot, facing, places) => {
                let gone = spot.point().distance(self.unit(u).anchor.point());
                self.state.act.moved += (gone * 1000.0) as i32;
                self.put(u, spot, facing, Layout::Block, places);
                self.state.units[u].close_order = true;
                say(log, "form_close_order", "WBK-CLOSE-16");
                self.end_activation(u, chance, log);
            }
            Deed::FollowUp(assault) => {
                let whom = self.id(assault.target);
                log.say(|| Event::new("follow_up", "WBK-ATT-31").who(self.id(u)).whom(whom));
                self.charge(u, &assault, chance, log);
            }
            Deed::OccupyBuilding(piece) => {
                self.garrison(u, piece);
                let id = self.field.land.pieces[piece].id.clone();
                log.say(|| Event::new("occupy", "WBK-ATT-37").who(self.id(u)).with("place", id));
                self.end_activation(u, chance, log);
            }
            Deed::OccupyObstacle(spot, facing, layout, places) => {
                self.put(u, spot, facing, layout, places);
                let piece = usize::from(self.state.act.won.defended.unwrap_or_default());
                let id = self.field.land.pieces[piece].id.clone();
                log.say(|| Event::new("occupy", "WBK-ATT-37").who(self.id(u)).with("place", id));
                self.end_activation(u, chance, log);
            }
            Deed::Stay => {
                say(log, "stay", "WBK-ATT-24");
                self.end_activation(u, chance, log);
            }
            Deed::Reroll(yes) => {
                let (made, natural) =
                    (i32::from(self.state.act.rally), i32::from(self.state.act.rally_natural));
                if yes {
                    let (made, natural, passed) = self.rally_roll(u, chance, log);
                    self.rally_result(u, made, natural, passed, chance, log);
                } else {
                    self.rally_result(u, made, natural, false, chance, log);
                }
            }
            Deed::Place(u, spot, facing, layout, places) => {
                self.state.units[u].fate = crate::state::Fate::OnTable;
                self.put(u, spot, facing, layout, places);
                let at: [f64; 2] = spot.point().into();
                log.say(|| {
                    Event::new("deploy", "WBK-SCEN-04")
                        .who(self.id(u))
                        .outcome("placed")
                        .with("to", serde_json::json!(at))
                });
                let next = self.unit(u).side.enemy();
                self.ask_to_place(next, chance, log);
            }
            Deed::Command(u) => {
                self.state.units[u].commander = true;
                log.say(|| Event::new("commander", "WBK-LEAD-09").who(self.id(u)));
                let side = self.unit(u).side;
                if side == IMPERIAL && self.field.present[1] {
                    self.state.stage = Stage::Commander(NATIVE);
                    return;
                }
                let commanders: arrayvec::ArrayVec<usize, 4> =
                    (0..self.state.units.len()).filter(|&u| self.unit(u).commander).take(4).collect();
                for side in [IMPERIAL, NATIVE] {
                    for &u in &commanders {
                        if self.card(u).side == side {
                            self.roll_leader(u, chance, log);
                        }
                    }
                }
                self.deploy(chance, log);
            }
        }
    }

    /// After the move of a Move, a Double or a Skirmish.
    fn after_walk(&mut self, u: usize, chance: &mut dyn Chance, log: &mut Log) {
        if self.state.stage == (Stage::SkirmishMove { then_fire: true }) && self.unit(u).is_on_table() {
            self.ask_to_shoot(u, false, chance, log);
        } else {
            self.end_activation(u, chance, log);
        }
    }

    /// The fire of a Skirmish; forgone when no target is legal (WBK-SKIRM-06).
    fn ask_to_shoot(&mut self, u: usize, then_move: bool, chance: &mut dyn Chance, log: &mut Log) {
        if self.enemies(u).any(|v| self.may_fire(u, v, false).is_ok()) {
            self.state.stage = Stage::Shoot { skirmish: true, then_move };
        } else {
            self.after_shot(u, then_move, chance, log);
        }
    }

    fn after_shot(&mut self, u: usize, then_move: bool, chance: &mut dyn Chance, log: &mut Log) {
        if then_move {
            self.state.stage = Stage::SkirmishMove { then_fire: false };
        } else {
            self.end_activation(u, chance, log);
        }
    }

    fn prompt(&self) -> String {
        let unit = || {
            self.field
                .cards
                .get(usize::from(self.state.act.unit))
                .map(crate::field::Card::called)
                .unwrap_or_default()
        };
        let inches = f64::from(self.state.act.allowance) / 1000.0;
        match self.state.stage {
            Stage::Commander(_) => "Which unit is the commander in?".into(),
            Stage::Deploy(_) => "Place a unit in your strip.".into(),
            Stage::Pick => "Activate a unit, or end the turn.".into(),
            Stage::Declare if self.state.act.idiot => format!("What shall the Idiot's {} do?", unit()),
            Stage::Declare => format!("What shall {} do?", unit()),
            Stage::Move => format!("{} moves up to {inches}\".", unit()),
            Stage::Double => format!("{} goes up to {inches}\" at the double.", unit()),
            Stage::Skirmish => format!("{} skirmishes: move or fire first?", unit()),
            Stage::SkirmishMove { .. } => format!("{} moves up to {inches}\" in its skirmish.", unit()),
            Stage::Shoot { .. } => format!("At whom does {} fire?", unit()),
            Stage::Charge => format!("Whom does {} attack?", unit()),
            Stage::Form => format!("Which way does {} form?", unit()),
            Stage::AfterMelee => format!("{} has won: follow up, occupy or stay?", unit()),
            Stage::Reroll => format!("Shall the Inspiring leader of {} roll again?", unit()),
            Stage::Muster | Stage::Over => String::new(),
        }
    }

    /// The unit the pending decision is about.
    pub(crate) fn asked_about(&self) -> Option<usize> {
        match self.state.stage {
            Stage::Muster | Stage::Over | Stage::Pick | Stage::Deploy(_) | Stage::Commander(_) => None,
            _ => Some(usize::from(self.state.act.unit)),
        }
    }

    /// Whether each side has one commander only.
    pub(crate) fn has_commanders(&self) -> bool {
        self.field.options.one_leader_only == Switch::On
    }
}

impl Battle for WbkBattle {
    type Action = Action;
    type State = State;

    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        self.muster(chance, log);
        self.proceed(chance, log);
    }

    fn pending(&self) -> Pending {
        match (self.how_it_ended(), self.decider()) {
            (Some(ending), _) => Pending::Over(ending),
            (None, Some(side)) => Pending::Decision {
                seat: Seat(side.0),
                kind: self.kind().into(),
                unit: self.asked_about().map(|u| self.id(u)),
                prompt: self.prompt(),
            },
            (None, None) => Pending::Decision {
                seat: Seat(self.state.active.0),
                kind: self.kind().into(),
                unit: None,
                prompt: "The battle has not begun.".into(),
            },
        }
    }

    fn seat(&self) -> Option<Seat> {
        if self.state.finish.is_some() {
            return None;
        }
        Some(Seat(self.decider().unwrap_or(self.state.active).0))
    }

    fn whose_turn(&self) -> Option<Side> {
        let fighting = !matches!(self.state.stage, Stage::Muster | Stage::Commander(_) | Stage::Deploy(_));
        fighting.then_some(self.state.active)
    }

    fn ending(&self) -> Option<Ending> {
        self.how_it_ended()
    }

    fn legal(&self) -> Legal<Action> {
        self.all_legal()
    }

    fn check(&self, action: &Action) -> Result<(), Illegal> {
        self.judge(action).map(|_| ())
    }

    fn preview(&self, action: &Action) -> Result<Preview, Illegal> {
        self.judge(action).map(|deed| self.preview_of(&deed))
    }

    fn sample(&self, whim: &mut Whim) -> Action {
        self.any_answer(whim)
    }

    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Action> {
        self.some_answers(n, whim)
    }

    fn apply(&mut self, action: &Action, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Illegal> {
        let deed = self.judge(action)?;
        self.perform(deed, chance, log);
        self.proceed(chance, log);
        Ok(())
    }

    fn view(&self, seat: Option<Seat>) -> View {
        self.look(seat)
    }

    fn state(&self) -> &State {
        &self.state
    }

    fn facts(&self) -> Value {
        self.all_facts()
    }

    fn standing(&self, seat: Seat) -> f64 {
        self.stands_for(seat)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<tricorne_game::Proposal<Action>> {
        self.proposed(most, whim)
    }

    /// There are no secrets in this game (see the `judgement` room), so nothing is drawn anew.
    fn imagined(&self, _seat: Seat, _whim: &mut Whim) -> Self {
        self.clone()
    }

    fn sight(
        &self,
        from: tricorne_game::UnitId,
        to: tricorne_game::UnitId,
        _eye: Option<Seat>,
    ) -> Option<tricorne_game::Sight> {
        self.sight_between(self.find(from)?, self.find(to)?)
    }

    fn courses(&self, unit: tricorne_game::UnitId) -> Vec<(String, Action)> {
        self.find(unit).map(|u| self.courses_of(u)).unwrap_or_default()
    }

    fn steer(&self, wish: &tricorne_game::Wish) -> tricorne_game::Steer<Action> {
        self.steered(wish)
    }

    fn broken_invariants(&self) -> Vec<String> {
        self.what_is_broken()
    }
}
