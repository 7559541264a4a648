//! Activation: what may be declared, the activation roll, and what each action sets going (WBK-ACT).

pub mod declare;

use tricorne_drill::{Now, Reasons, Test, steer};
use tricorne_game::{Event, Illegal};
use tricorne_table::{Point, angle};

use self::declare::{Declared, Declaring};
use crate::action::Go;
use crate::attack::charge::Charging;
use crate::attack::{Assault, Reach};
use crate::battle::Fray;
use crate::close_order::Forming;
use crate::fire::shoot::Shooting;
use crate::morale::Loosened;
use crate::movement::Pace;
use crate::movement::march::Marching;
use crate::movement::skirmish::Skirmishing;
use crate::options::{ActivationDiscipline, FailedOrderStatus, GtgKeptBy, LeaveCloseOrder};
use crate::state::{Character, No, Order};
use crate::tables::rulebook::{Class, Drill};

impl Fray {
    /// Whether an action is free for a unit (WBK-ACT-07 to 11, WBK-VOLLEY-02, characters).
    pub(crate) fn is_free(&self, u: No, order: Order) -> bool {
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
    pub(crate) fn may_order(&self, u: No, order: Order) -> Result<(), Illegal> {
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

    /// The number of an enemy on the table.
    pub(crate) fn enemy_named(&self, u: No, id: tricorne_game::UnitId) -> Result<No, Illegal> {
        let found =
            self.find(id).filter(|&v| self.unit(v).is_on_table() && self.unit(v).side != self.unit(u).side);
        found.ok_or_else(|| Illegal::new("WBK-ACT-15", format!("there is no enemy unit `{id}` on the table")))
    }

    /// Some legal target of an aimed action (WBK-ACT-15).
    pub(crate) fn some_target(&self, u: No, order: Order) -> Result<No, Illegal> {
        let found = match order {
            Order::Attack => self.some_attack(u).map(|(v, _)| v),
            _ => self.enemies(u).find(|&v| self.may_fire(u, v, order == Order::Volley).is_ok()),
        };
        found.ok_or_else(|| {
            let why = format!("{} has no legal target for that", self.card(u).called());
            Illegal::new("WBK-ACT-15", why)
        })
    }

    /// Who may contact with At the Double (WBK-DBL-04, 05).
    pub(crate) fn may_double_into(&self, u: No) -> Result<(), Illegal> {
        let card = self.card(u);
        if card.class != Class::Cavalry && card.drill != Drill::Tribal {
            let why = format!("{} may not contact an enemy At the Double", card.called());
            return Err(Illegal::new("WBK-DBL-05", why));
        }
        self.may_attack_at_all(u)
    }

    /// T2 to T4: an action was declared. `idiot` when the enemy declared it.
    pub(crate) fn declare(&mut self, declared: Declared, now: &mut Now<'_>) {
        let u = self.state.act.unit;
        let order = declared.order;
        if self.state.act.idiot || self.is_free(u, order) {
            let who = self.id(u);
            now.say(|| Event::new("free_action", "WBK-ACT-07").who(who).with("action", order.name()));
            self.execute(u, declared, now);
            return;
        }
        if self.character(u) == Character::Idiot {
            let needed = self.field.rulebook.charts.characters.idiot_on + 1;
            if !self.dice_for(u, ("idiot", "WBK-LEAD-07"), needed, ["sane", "foolish"], now) {
                self.state.act.idiot = true;
                self.state.act.chooser = self.unit(u).side.enemy().0;
                self.ask(Declaring);
                return;
            }
        }
        if self.order_succeeds(u, order, now) {
            self.execute(u, declared, now);
        } else {
            if self.field.options.failed_order_status == FailedOrderStatus::LosesGround {
                self.state.units[u].gone_to_ground = false;
            }
            self.end_activation(u, now);
        }
    }

    /// The test of an order (WBK-ACT-02, 03, 13, WBK-LEAD-07).
    pub(crate) fn order_test(&self, u: No, order: Order) -> Test {
        let mut reasons = Reasons::new();
        if self.field.options.activation_discipline == ActivationDiscipline::Added {
            reasons.add(self.card(u).discipline, "Discipline", "WBK-ACT-13");
        }
        let chart = &self.field.rulebook.charts.characters;
        match self.character(u) {
            Character::Hapless => reasons.line(&chart.hapless),
            Character::OverCautious if matches!(order, Order::Attack | Order::Double) => {
                reasons.line(&chart.over_cautious);
            }
            _ => {}
        }
        self.test().needing(self.leadership(u)).with(reasons)
    }

    /// T3: the activation roll.
    fn order_succeeds(&mut self, u: No, order: Order, now: &mut Now<'_>) -> bool {
        let test = self.order_test(u, order);
        let rolled = test.roll("activation", now.chance);
        let clause = match (self.lacks_the_commander(u), self.unit(u).leader) {
            (true, _) => "WBK-LEAD-09",
            (false, true) => "WBK-ACT-02",
            (false, false) => "WBK-ACT-03",
        };
        now.say(|| {
            test.event("activation", clause, &rolled)
                .who(self.id(u))
                .with("action", order.name())
                .with("order", order.words())
        });
        rolled.passed
    }

    /// T4: an ordered or free action begins.
    fn execute(&mut self, u: No, declared: Declared, now: &mut Now<'_>) {
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
                now.say(|| Event::new("stand_to", "WBK-STAND-01").who(who));
                self.end_activation(u, now);
            }
            Order::GoToGround => {
                self.state.units[u].gone_to_ground = true;
                now.say(|| Event::new("go_to_ground", "WBK-GTG-03").who(who));
                self.end_activation(u, now);
            }
            Order::FormCloseOrder => self.ask(Forming),
            Order::LeaveCloseOrder => {
                self.open_out(u, Loosened::Ordered, now);
                if self.field.options.leave_close_order == LeaveCloseOrder::Free {
                    self.ask(Declaring);
                } else {
                    self.end_activation(u, now);
                }
            }
            Order::Move => {
                if declared.open_out {
                    self.open_out(u, Loosened::Ordered, now);
                }
                self.state.act.allowance = self.pace(u);
                self.ask(Marching { pace: Pace::Move, then_fire: false });
            }
            Order::Double => self.double(u, declared.target, now),
            Order::Skirmish => {
                self.state.act.allowance = self.pace(u) / 2;
                self.ask(Skirmishing);
            }
            Order::Fire | Order::Volley => {
                let volley = order == Order::Volley;
                match declared.target {
                    Some(v) => {
                        self.shoot(u, v, volley, false, now);
                        self.end_activation(u, now);
                    }
                    None => self.ask(Shooting { volley, skirmish: false, then_move: false }),
                }
            }
            Order::Attack => {
                self.state.act.allowance = self.pace(u);
                match declared.assault {
                    Some(assault) => self.charge(u, &assault, now),
                    None => self.ask(Charging),
                }
            }
        }
    }

    /// At the Double: the die, then the decision (WBK-DBL-01, 06).
    fn double(&mut self, u: No, target: Option<No>, now: &mut Now<'_>) {
        let charts = &self.field.rulebook.charts;
        let walker = self.character(u) == Character::GreatWalker;
        let dice = if walker { charts.characters.great_walker_dice } else { charts.movement.double_dice };
        let faces = now.chance.faces("double", dice, 6);
        let die = faces.iter().copied().max().unwrap_or(1);
        self.state.act.allowance = self.pace(u) + i32::from(die) * 1000;
        let who = self.id(u);
        let inches = f64::from(self.state.act.allowance) / 1000.0;
        now.say(|| {
            Event::new("double", "WBK-DBL-01")
                .who(who)
                .faces(&faces)
                .made(i32::from(die))
                .with("kept", if faces.len() > 1 { i32::from(die) } else { 0 })
                .with("allowance", inches)
        });
        let Some(v) = target else {
            self.ask(Marching { pace: Pace::Double, then_fire: false });
            return;
        };
        // WBK-DBL-06, `declare_first`.
        match self.slide(u, v, &[], Reach::attack(inches)) {
            Ok(assault) => self.charge(u, &assault, now),
            Err(_) => {
                let line = self.charge_line(u, v);
                let go = self.straight_along(u, v, line, inches, Pace::Double, 0.1);
                if let Ok(walk) = self.walk(u, &go, inches, Pace::Double) {
                    self.go(u, &walk, now);
                }
                self.end_activation(u, now);
            }
        }
    }

    /// A move straight at a unit, as far as it can go and no nearer than `short` to it; a gun is measured from itself.
    pub(crate) fn straight_at(&self, u: No, v: No, inches: f64, pace: Pace, short: f64) -> Go {
        let way = self.unit(v).anchor.point() - self.unit(u).anchor.point();
        self.straight_along(u, v, way, inches, pace, short)
    }

    /// The same along a line that is given.
    fn straight_along(&self, u: No, v: No, line: Point, inches: f64, pace: Pace, short: f64) -> Go {
        let here = self.unit(u).anchor.point();
        let aim = line.unit().unwrap_or(Point::new(0.0, 1.0));
        // A garrison goes from its wall (WBK-MOD-33).
        let wall = self.outline(u).and_then(|outline| outline.exit(here, angle::bearing_of(aim)));
        let here = wall.unwrap_or(here);
        let most = inches.min((self.firing_gap(u, v) - short).max(0.0));
        let go = |far: f64| {
            let go = Go { path: vec![(here + aim * far).round_to(0.001)], layout: None, facing: None };
            self.walk(u, &go, inches, pace).is_ok().then_some(go)
        };
        // The longest by half inches that can be gone, and on from there to the thousandth.
        let halves = (0..).map(|n| most - 0.5 * f64::from(n)).take_while(|far| *far > 0.0);
        steer::furthest(halves, None, (12, 0.0005), &go).unwrap_or_default()
    }

    /// The slide into contact, and the melee.
    pub(crate) fn charge(&mut self, u: No, assault: &Assault, now: &mut Now<'_>) {
        self.close_with(u, assault);
        let (who, whom) = (self.id(u), self.id(assault.target));
        let at: [f64; 2] = self.unit(u).anchor.point().into();
        let piece = assault.defended.and_then(|p| self.field.land.pieces.get(p));
        now.say(|| {
            let event = Event::new("attack", "WBK-ATT-04")
                .who(who)
                .whom(whom)
                .with("distance", assault.length)
                .with("from", (assault.length * 10.0).round() / 10.0)
                .with("to", serde_json::json!(at));
            match piece {
                Some(piece) => event
                    .with("defended", piece.id.as_str())
                    .with("kind", piece.kind.as_str())
                    .with("called", piece.called())
                    .outcome("defended"),
                None => event.outcome("open"),
            }
        });
        self.melee(u, assault.target, assault.defended, now);
    }
}
