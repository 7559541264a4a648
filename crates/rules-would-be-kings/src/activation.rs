//! Activation: what may be declared, the activation roll, and what each action sets going (WBK-ACT).

use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log};
use tricorne_table::Point;

use crate::action::{Declare, Form, Go};
use crate::attack::Assault;
use crate::battle::WbkBattle;
use crate::layout::Unfit;
use crate::mods::Mods;
use crate::movement::Pace;
use crate::options::{
    ActivationDiscipline, DeclareDetail, DoubleTarget, FailedOrderStatus, FormCloseMove, GtgKeptBy,
    LeaveCloseOrder,
};
use crate::rulebook::{Class, Drill};
use crate::state::{Character, Layout, Order, Places, Spot, Stage};

/// A declaration that was found legal.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Declared {
    pub order: Order,
    pub target: Option<usize>,
    pub assault: Option<Assault>,
    pub open_out: bool,
}

impl WbkBattle {
    /// Whether an action is free for a unit (WBK-ACT-07 to 11, WBK-VOLLEY-02, characters).
    pub(crate) fn is_free(&self, u: usize, order: Order) -> bool {
        let (card, unit) = (self.card(u), self.unit(u));
        let character = self.character(u);
        match order {
            Order::StandTo | Order::Volley => true,
            Order::Fire => card.class == Class::Infantry && card.drill != Drill::Tribal,
            Order::Move => card.class == Class::Infantry && card.drill == Drill::Tribal,
            Order::Attack => {
                (card.class == Class::Cavalry && !unit.close_order) || character == Character::Hothead
            }
            Order::FormCloseOrder => character == Character::Martinet && card.closes,
            Order::LeaveCloseOrder => self.field.options.leave_close_order == LeaveCloseOrder::Free,
            Order::Double | Order::Skirmish | Order::GoToGround => false,
        }
    }

    /// Whether a unit may declare a kind of action at all (WBK-ACT-16).
    pub(crate) fn may_order(&self, u: usize, order: Order) -> Result<(), Illegal> {
        let (card, unit) = (self.card(u), self.unit(u));
        let name = card.called();
        let refuse = |clause: &str, why: String| Err(Illegal::new(clause, why));
        if order == Order::StandTo {
            return Ok(());
        }
        if self.character(u) == Character::Hothead && order != Order::Attack && self.some_attack(u).is_some()
        {
            return refuse("WBK-LEAD-08", format!("the Hothead of {name} may only Attack or Stand To"));
        }
        let garrison = unit.garrison.is_some();
        match order {
            Order::StandTo | Order::Fire | Order::Move => Ok(()),
            Order::Attack => self.may_attack_at_all(u),
            Order::Volley => {
                if !card.closes || !unit.close_order {
                    return refuse("WBK-VOLLEY-01", format!("{name} is not Regular Infantry in Close Order"));
                }
                Ok(())
            }
            Order::Double => {
                if card.is_crewed() {
                    return refuse(
                        "WBK-DBL-02",
                        format!("{name} is a crewed weapon and may not go At the Double"),
                    );
                }
                if unit.close_order {
                    return refuse(
                        "WBK-DBL-03",
                        format!("{name} is in Close Order and may not go At the Double"),
                    );
                }
                if garrison {
                    return refuse(
                        "WBK-MOD-34",
                        format!("{name} holds a building and may not go At the Double"),
                    );
                }
                Ok(())
            }
            Order::Skirmish => {
                if card.is_crewed() {
                    return refuse("WBK-SKIRM-01", format!("{name} is a crewed weapon and may not Skirmish"));
                }
                if unit.close_order {
                    return refuse("WBK-SKIRM-02", format!("{name} is in Close Order and may not Skirmish"));
                }
                if garrison {
                    return refuse("WBK-MOD-34", format!("{name} holds a building and may not Skirmish"));
                }
                Ok(())
            }
            Order::FormCloseOrder => self.may_form(u),
            Order::GoToGround => {
                if !card.ignores_ground() && !card.fieldcraft {
                    let why = format!("{name} is neither Tribal Infantry nor has Fieldcraft");
                    return refuse("WBK-GTG-01", why);
                }
                if unit.close_order {
                    return refuse(
                        "WBK-CLOSE-18",
                        format!("{name} is in Close Order and may not go to ground"),
                    );
                }
                if garrison {
                    return refuse("WBK-ACT-16", format!("{name} holds a building and may not go to ground"));
                }
                if unit.gone_to_ground {
                    return refuse(
                        "WBK-ACT-16",
                        format!("{name} has gone to ground already; Stand To keeps it"),
                    );
                }
                Ok(())
            }
            Order::LeaveCloseOrder => {
                if self.field.options.leave_close_order == LeaveCloseOrder::WithMove {
                    let why = "leaving Close Order is declared with a Move order (`open_out`)".into();
                    return refuse("WBK-CLOSE-14", why);
                }
                if !unit.close_order {
                    return refuse("WBK-CLOSE-14", format!("{name} is not in Close Order"));
                }
                Ok(())
            }
        }
    }

    fn may_form(&self, u: usize) -> Result<(), Illegal> {
        let (card, unit) = (self.card(u), self.unit(u));
        let name = card.called();
        let least = self.field.rulebook.charts.close_order.minimum;
        if !card.closes {
            return Err(Illegal::new("WBK-CLOSE-01", format!("{name} is not Regular Infantry")));
        }
        if unit.close_order {
            return Err(Illegal::new("WBK-ACT-16", format!("{name} is in Close Order already")));
        }
        if unit.models < least {
            let why = format!("{name} has {} models; Close Order needs {least}", unit.models);
            return Err(Illegal::new("WBK-CLOSE-02", why));
        }
        if unit.garrison.is_some() {
            return Err(Illegal::new(
                "WBK-MOD-34",
                format!("{name} holds a building and may not form Close Order"),
            ));
        }
        if self.some_form(u).is_none() {
            return Err(Illegal::new("WBK-ACT-15", format!("there is no room here for {name} to form")));
        }
        Ok(())
    }

    /// Some way to form Close Order here.
    pub(crate) fn some_form(&self, u: usize) -> Option<Form> {
        let facing = self.unit(u).facing;
        for turn in 0..24_u16 {
            let form = Form { facing: (facing + turn * 15) % 360, at: None };
            if self.form(u, &form).is_ok() {
                return Some(form);
            }
        }
        let here = self.unit(u).anchor.point();
        for ring in [0.5, 1.0] {
            for way in 0..12_u16 {
                let at = here + crate::base::forward(way * 30) * ring;
                for turn in 0..12_u16 {
                    let form = Form { facing: turn * 30, at: Some(at.round_to(0.001)) };
                    if self.form(u, &form).is_ok() {
                        return Some(form);
                    }
                }
            }
        }
        None
    }

    /// Judges forming Close Order on a facing and a place (WBK-CLOSE-16).
    pub(crate) fn form(&self, u: usize, form: &Form) -> Result<(Spot, Places), Illegal> {
        let unit = self.unit(u);
        if form.facing >= 360 {
            return Err(Illegal::new("WBK-MOD-02", "a facing is a whole number of degrees from 0 to 359"));
        }
        let here = unit.anchor.point();
        let spot = form.at.map_or(unit.anchor, Spot::of);
        if !spot.point().is_finite() || form.at.is_some_and(|p| !p.is_finite()) {
            return Err(Illegal::new("WBK-MOD-01", "a place needs ordinary numbers"));
        }
        let shift = spot.point().distance(here);
        let most = self.field.rulebook.charts.close_order.shift;
        if self.field.options.form_close_move == FormCloseMove::HalfMove && shift > most {
            // A half move first: judged as a move of a loose unit that ends where the block is to stand.
            let half = f64::from(self.card(u).pace / 2) / 1000.0;
            let go = Go { path: vec![spot.point()], layout: None, facing: None };
            self.walk(u, &go, half, Pace::Skirmish)
                .map_err(|e| Illegal::new("WBK-CLOSE-16", format!("before forming: {}", e.why)))?;
        } else if shift > most + crate::base::TOLERANCE {
            let why = format!("the anchor may shift {most}\" to make room, not {shift:.3}\"");
            return Err(Illegal::new("WBK-CLOSE-16", why));
        }
        let n = usize::from(unit.models);
        let places = self
            .lay_out(u, spot, Layout::Block, form.facing, n, true)
            .and_then(|places| {
                // Room to form does not mean leave to touch an enemy that was not touched before.
                let bases = self.bases_of(u, &places, spot, form.facing);
                let touched = self
                    .enemies(u)
                    .find(|&v| self.gap_from(&bases, v) <= crate::base::CONTACT && !self.in_contact(u, v));
                touched.map_or(Ok(places), |v| Err(Unfit::Enemy(v)))
            })
            .map_err(|unfit| Illegal::new("WBK-CLOSE-16", self.unfit(u, unfit).why))?;
        Ok((spot, places))
    }

    /// Judges a declaration (T2).
    pub(crate) fn judge_declare(&self, u: usize, declare: &Declare) -> Result<Declared, Illegal> {
        let order = declare.action;
        let options = &self.field.options;
        self.may_order(u, order)?;
        let mut declared = Declared { order, target: None, assault: None, open_out: declare.open_out };
        if declare.open_out {
            let allowed = order == Order::Move && self.unit(u).close_order;
            if !allowed || options.leave_close_order != LeaveCloseOrder::WithMove {
                let why = "opening out is declared with the Move of a unit in Close Order";
                return Err(Illegal::new("WBK-CLOSE-14", why));
            }
        }
        let aimed = matches!(order, Order::Attack | Order::Fire | Order::Volley);
        let late = options.declare_detail == DeclareDetail::ActionOnly;
        let early_double = order == Order::Double && options.double_target == DoubleTarget::DeclareFirst;
        if !declare.waypoints.is_empty() && order != Order::Attack {
            return Err(Illegal::new("WBK-ACT-14", "waypoints belong to an Attack"));
        }
        let Some(target) = declare.target else {
            if aimed && late {
                return self.some_target(u, order).map(|_| declared);
            }
            if aimed {
                return Err(Illegal::new("WBK-ACT-14", "name the target with the action"));
            }
            return Ok(declared);
        };
        if (aimed && late) || (!aimed && !early_double) {
            return Err(Illegal::new("WBK-ACT-14", "this action's target is not named with it"));
        }
        let v = self.enemy_named(u, target)?;
        declared.target = Some(v);
        match order {
            Order::Attack => {
                let allowance = f64::from(self.pace(u)) / 1000.0;
                declared.assault = Some(self.assault(u, v, &declare.waypoints, allowance)?);
            }
            Order::Fire | Order::Volley => {
                self.may_fire(u, v, order == Order::Volley)?;
            }
            _ => {
                self.may_double_into(u)?;
                if !self.sees(u, v) {
                    let why = format!("{} does not see {}", self.card(u).called(), self.card(v).called());
                    return Err(Illegal::new("WBK-DBL-09", why));
                }
            }
        }
        Ok(declared)
    }

    /// The number of an enemy on the table.
    pub(crate) fn enemy_named(&self, u: usize, id: tricorne_game::UnitId) -> Result<usize, Illegal> {
        let found =
            self.find(id).filter(|&v| self.unit(v).is_on_table() && self.unit(v).side != self.unit(u).side);
        found.ok_or_else(|| Illegal::new("WBK-ACT-15", format!("there is no enemy unit `{id}` on the table")))
    }

    /// Some legal target of an aimed action (WBK-ACT-15).
    pub(crate) fn some_target(&self, u: usize, order: Order) -> Result<usize, Illegal> {
        let found = match order {
            Order::Attack => self.some_attack(u),
            _ => self.enemies(u).find(|&v| self.may_fire(u, v, order == Order::Volley).is_ok()),
        };
        found.ok_or_else(|| {
            let why = format!("{} has no legal target for that", self.card(u).called());
            Illegal::new("WBK-ACT-15", why)
        })
    }

    /// Who may contact with At the Double (WBK-DBL-04, 05).
    pub(crate) fn may_double_into(&self, u: usize) -> Result<(), Illegal> {
        let card = self.card(u);
        if card.class != Class::Cavalry && card.drill != Drill::Tribal {
            let why = format!("{} may not contact an enemy At the Double", card.called());
            return Err(Illegal::new("WBK-DBL-05", why));
        }
        self.may_attack_at_all(u)
    }

    /// T2 to T4: an action was declared. `idiot` when the enemy declared it.
    pub(crate) fn declare(&mut self, declared: Declared, chance: &mut dyn Chance, log: &mut Log) {
        let u = usize::from(self.state.act.unit);
        let order = declared.order;
        if self.state.act.idiot || self.is_free(u, order) {
            let who = self.id(u);
            log.say(|| Event::new("free_action", "WBK-ACT-07").who(who).with("action", order.name()));
            self.execute(u, declared, chance, log);
            return;
        }
        if self.character(u) == Character::Idiot {
            let die = chance.d6("idiot");
            let who = self.id(u);
            let foolish = die == 1;
            log.say(|| {
                Event::new("idiot", "WBK-LEAD-07")
                    .who(who)
                    .faces(&[die])
                    .needed(2)
                    .made(i32::from(die))
                    .outcome(if foolish { "foolish" } else { "sane" })
            });
            if foolish {
                self.state.act.idiot = true;
                self.state.act.chooser = self.unit(u).side.enemy().0;
                self.state.stage = Stage::Declare;
                return;
            }
        }
        if self.order_succeeds(u, order, chance, log) {
            self.execute(u, declared, chance, log);
        } else {
            if self.field.options.failed_order_status == FailedOrderStatus::LosesGround {
                self.state.units[u].gone_to_ground = false;
            }
            self.end_activation(u, chance, log);
        }
    }

    /// What is added to an activation roll (WBK-ACT-13, WBK-LEAD-07).
    pub(crate) fn order_mods(&self, u: usize, order: Order) -> Mods {
        let mut mods = Mods::default();
        if self.field.options.activation_discipline == ActivationDiscipline::Added {
            mods.add(self.card(u).discipline, "Discipline", "WBK-ACT-13");
        }
        match self.character(u) {
            Character::Hapless => mods.add(-1, "Hapless", "WBK-LEAD-07"),
            Character::OverCautious if matches!(order, Order::Attack | Order::Double) => {
                mods.add(-1, "Over-cautious", "WBK-LEAD-07");
            }
            _ => {}
        }
        mods
    }

    /// T3: the activation roll (WBK-ACT-02, 03, 13).
    fn order_succeeds(&mut self, u: usize, order: Order, chance: &mut dyn Chance, log: &mut Log) -> bool {
        let roll = chance.sum("activation", 2, 6);
        let mods = self.order_mods(u, order);
        let made = roll.total + mods.total();
        let needed = self.leadership(u);
        let passed = made >= needed;
        let who = self.id(u);
        let led = self.unit(u).leader;
        log.say(|| {
            Event::new("activation", if led { "WBK-ACT-02" } else { "WBK-ACT-03" })
                .who(who)
                .faces(&roll.faces)
                .needed(needed)
                .made(made)
                .modifiers(mods.listed())
                .with("action", order.name())
                .outcome(if passed { "passed" } else { "failed" })
        });
        passed
    }

    /// T4: an ordered or free action begins.
    fn execute(&mut self, u: usize, declared: Declared, chance: &mut dyn Chance, log: &mut Log) {
        let order = declared.order;
        let shooting = matches!(order, Order::Fire | Order::Volley);
        let kept = matches!(order, Order::StandTo | Order::GoToGround)
            || (shooting && self.field.options.gtg_kept_by == GtgKeptBy::StandToOrFire);
        if !kept {
            self.state.units[u].gone_to_ground = false; // WBK-GTG-10
        }
        let who = self.id(u);
        match order {
            Order::StandTo => {
                log.say(|| Event::new("stand_to", "WBK-STAND-01").who(who));
                self.end_activation(u, chance, log);
            }
            Order::GoToGround => {
                self.state.units[u].gone_to_ground = true;
                log.say(|| Event::new("go_to_ground", "WBK-GTG-03").who(who));
                self.end_activation(u, chance, log);
            }
            Order::FormCloseOrder => self.state.stage = Stage::Form,
            Order::LeaveCloseOrder => {
                self.open_out(u, "WBK-CLOSE-13", log);
                if self.field.options.leave_close_order == LeaveCloseOrder::Free {
                    self.state.stage = Stage::Declare;
                } else {
                    self.end_activation(u, chance, log);
                }
            }
            Order::Move => {
                if declared.open_out {
                    self.open_out(u, "WBK-CLOSE-13", log);
                }
                self.state.act.allowance = self.pace(u);
                self.state.stage = Stage::Move;
            }
            Order::Double => self.double(u, declared.target, chance, log),
            Order::Skirmish => {
                self.state.act.allowance = self.pace(u) / 2;
                self.state.stage = Stage::Skirmish;
            }
            Order::Fire | Order::Volley => {
                let volley = order == Order::Volley;
                self.state.act.volley = volley;
                match declared.target {
                    Some(v) => {
                        self.shoot(u, v, volley, false, chance, log);
                        self.end_activation(u, chance, log);
                    }
                    None => self.state.stage = Stage::Shoot { skirmish: false, then_move: false },
                }
            }
            Order::Attack => {
                self.state.act.allowance = self.pace(u);
                match declared.assault {
                    Some(assault) => self.charge(u, &assault, chance, log),
                    None => self.state.stage = Stage::Charge,
                }
            }
        }
    }

    /// At the Double: the die, then the decision (WBK-DBL-01, 06).
    fn double(&mut self, u: usize, target: Option<usize>, chance: &mut dyn Chance, log: &mut Log) {
        let dice = if self.character(u) == Character::GreatWalker { 2 } else { 1 };
        let faces = chance.faces("double", dice, 6);
        let die = faces.iter().copied().max().unwrap_or(1);
        self.state.act.allowance = self.pace(u) + i32::from(die) * 1000;
        let who = self.id(u);
        let inches = f64::from(self.state.act.allowance) / 1000.0;
        log.say(|| {
            Event::new("double", "WBK-DBL-01")
                .who(who)
                .faces(&faces)
                .made(i32::from(die))
                .with("allowance", inches)
        });
        let Some(v) = target else {
            self.state.stage = Stage::Double;
            return;
        };
        // WBK-DBL-06, `declare_first`.
        match self.slide(u, v, &[], inches) {
            Ok(assault) => self.charge(u, &assault, chance, log),
            Err(_) => {
                let go = self.straight_at(u, v, inches, Pace::Double, 0.1);
                if let Ok(walk) = self.walk(u, &go, inches, Pace::Double) {
                    self.go(u, &walk, log);
                }
                self.end_activation(u, chance, log);
            }
        }
    }

    /// A move straight at a unit, as far as it can go and no nearer than `short` to it.
    pub(crate) fn straight_at(&self, u: usize, v: usize, inches: f64, pace: Pace, short: f64) -> Go {
        let here = self.unit(u).anchor.point();
        let way = self.unit(v).anchor.point() - here;
        let aim = way.unit().unwrap_or(Point::new(0.0, 1.0));
        let most = inches.min((self.gap(u, v) - short).max(0.0));
        self.straight_along(u, aim, most, inches, pace)
    }

    /// A straight move as far as it can go in a direction, tried in steps of half an inch.
    pub(crate) fn straight_along(&self, u: usize, aim: Point, most: f64, inches: f64, pace: Pace) -> Go {
        let here = self.unit(u).anchor.point();
        let mut far = most;
        while far > 0.25 {
            let go = Go { path: vec![(here + aim * far).round_to(0.001)], layout: None, facing: None };
            if self.walk(u, &go, inches, pace).is_ok() {
                return go;
            }
            far -= 0.5;
        }
        Go::default()
    }

    /// The slide into contact, and the melee.
    pub(crate) fn charge(&mut self, u: usize, assault: &Assault, chance: &mut dyn Chance, log: &mut Log) {
        self.close_with(u, assault);
        let (who, whom) = (self.id(u), self.id(assault.target));
        let at: [f64; 2] = self.unit(u).anchor.point().into();
        let piece = assault.defended.and_then(|p| self.field.land.pieces.get(p)).map(|p| p.id.clone());
        log.say(|| {
            let event = Event::new("attack", "WBK-ATT-04")
                .who(who)
                .whom(whom)
                .with("distance", assault.length)
                .with("to", serde_json::json!(at));
            match piece {
                Some(id) => event.with("defended", id).outcome("defended"),
                None => event.outcome("open"),
            }
        });
        self.melee(u, assault.target, assault.defended, chance, log);
    }
}
