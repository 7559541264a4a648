//! T2: what a unit shall do (WBK-ACT-01, 14 to 16).

use serde::Serialize;
use tricorne_chance::Whim;
use tricorne_drill::words::signed;
use tricorne_drill::{Answers, Now, Question};
use tricorne_game::{Illegal, Preview, Seat, Steer, UnitId, Wish, in_words};

use crate::action::{Action, Declare};
use crate::attack::{Assault, Reach};
use crate::battle::Fray;
use crate::options::{DeclareDetail, DoubleTarget, LeaveCloseOrder};
use crate::state::{No, Order};

/// What the activated unit shall do.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Declaring;

/// A declaration that was found legal.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)]
pub struct Declared {
    pub order: Order,
    pub target: Option<No>,
    pub assault: Option<Assault>,
    pub open_out: bool,
}

impl Declaring {
    /// Whether an order names its target with it.
    pub(crate) fn is_aimed(fray: &Fray, order: Order) -> bool {
        let options = &fray.field.options;
        match order {
            Order::Attack | Order::Fire | Order::Volley => {
                options.declare_detail == DeclareDetail::ActionAndTarget
            }
            Order::Double => options.double_target == DoubleTarget::DeclareFirst,
            _ => false,
        }
    }

    fn may_open_out(fray: &Fray, u: No) -> bool {
        fray.unit(u).close_order && fray.field.options.leave_close_order == LeaveCloseOrder::WithMove
    }
}

impl Question<Fray> for Declaring {
    type Judged = Declared;

    fn kind(&self, _: &Fray) -> &'static str {
        "declare"
    }

    fn clause(&self, _: &Fray) -> &'static str {
        "WBK-ACT-01"
    }

    fn seat(&self, fray: &Fray) -> Seat {
        fray.chooser()
    }

    fn unit(&self, fray: &Fray) -> Option<UnitId> {
        Some(fray.acting_id())
    }

    fn prompt(&self, fray: &Fray) -> String {
        let idiot = if fray.state.act.idiot { "the Idiot's " } else { "" };
        format!("What shall {idiot}{} do?", fray.actor())
    }

    fn answers(&self, fray: &Fray, out: &mut Answers<Action>) {
        let u = fray.acting();
        for order in Order::ALL {
            if fray.may_order(u, order).is_err() {
                continue;
            }
            let aimed = Self::is_aimed(fray, order);
            if aimed {
                out.list_all(fray.enemies(u).map(|v| Action::Declare(Declare::at(order, fray.id(v)))));
            }
            if !aimed || order == Order::Double {
                out.list(Action::Declare(Declare::plain(order)));
            }
            if order == Order::Move && Self::may_open_out(fray, u) {
                out.list(Action::Declare(Declare { open_out: true, ..Declare::plain(order) }));
            }
        }
        if Self::is_aimed(fray, Order::Attack) && fray.may_attack_at_all(u).is_ok() {
            let reach = Some(f64::from(fray.pace(u)) / 1000.0);
            out.space("declare", Some(fray.acting_id()), reach, "an Attack by up to 3 waypoints");
        }
    }

    fn judge(&self, fray: &Fray, answer: &Action) -> Result<Declared, Illegal> {
        match answer {
            Action::Declare(declare) => fray.judge_declare(fray.acting(), declare),
            _ => Err(self.other(fray)),
        }
    }

    fn carry_out(self, fray: &mut Fray, declared: Declared, now: &mut Now<'_>) {
        fray.declare(declared, now);
    }

    fn usual(&self, _: &Fray) -> Action {
        Action::Declare(Declare::plain(Order::StandTo))
    }

    fn preview(&self, fray: &Fray, declared: &Declared) -> Preview {
        let u = fray.acting();
        let mut preview = Preview::default();
        if let Some(assault) = &declared.assault {
            preview = fray.preview_assault(u, assault, Some(f64::from(fray.pace(u)) / 1000.0));
        } else if let (Order::Fire | Order::Volley, Some(v)) = (declared.order, declared.target) {
            fray.note_fire(u, v, declared.order == Order::Volley, false, &mut preview);
        }
        let free = fray.state.act.idiot || fray.is_free(u, declared.order);
        preview.notes.push(if free {
            "free: no activation roll".into()
        } else {
            let dice = in_words(fray.field.rulebook.charts.tests.dice);
            let test = fray.order_test(u, declared.order);
            let with = test.reasons().iter().map(|r| format!(", {} {}", signed(r.value.into()), r.reason));
            format!("an order: needs {}+ on {dice} dice{}", fray.leadership(u), with.collect::<String>())
        });
        preview
    }

    fn wander(&self, fray: &Fray, whim: &mut Whim) -> Action {
        // Weighted towards what a battle is made of.
        const WISHES: [Order; 12] = [
            Order::Attack,
            Order::Attack,
            Order::Fire,
            Order::Fire,
            Order::Volley,
            Order::Move,
            Order::Move,
            Order::Double,
            Order::Skirmish,
            Order::FormCloseOrder,
            Order::GoToGround,
            Order::StandTo,
        ];
        let u = fray.acting();
        let mut order = WISHES[whim.below(WISHES.len())];
        let block = fray.unit(u).close_order;
        if block && order == Order::Fire {
            order = Order::Volley;
        }
        if block && !Self::may_open_out(fray, u) && whim.chance(0.2) {
            order = Order::LeaveCloseOrder;
        }
        let mut declare = Declare::plain(order);
        if Self::is_aimed(fray, order) && (order != Order::Double || whim.chance(0.5)) {
            let Some(v) = fray.likely_enemy(u, whim) else { return self.usual(fray) };
            declare = Declare::at(order, fray.id(v));
            if order == Order::Attack && whim.chance(0.2) {
                // Round by the flank, now and then.
                let (here, there) = (fray.unit(u).anchor.point(), fray.unit(v).anchor.point());
                let aside = (there - here).quarter_left() * whim.between(-0.3, 0.3);
                declare.waypoints.push((here.midpoint(there) + aside).round_to(0.001));
            }
        }
        declare.open_out = order == Order::Move && Self::may_open_out(fray, u) && whim.chance(0.3);
        Action::Declare(declare)
    }

    fn ways(&self, fray: &Fray, _most: usize, _whim: &mut Whim, out: &mut Vec<Action>) {
        let u = fray.acting();
        if Self::is_aimed(fray, Order::Attack) {
            let ways = fray.likely_flank_attacks(u, f64::from(fray.pace(u)) / 1000.0);
            out.extend(ways.map(|(v, waypoints)| {
                Action::Declare(Declare { waypoints, ..Declare::at(Order::Attack, fray.id(v)) })
            }));
        }
    }

    fn steer(&self, fray: &Fray, wish: &Wish) -> Steer<Action> {
        fray.steered(wish, &["declare"], || {
            if !Self::is_aimed(fray, Order::Attack) {
                let why = "the target is named after the roll; declare the Attack alone";
                return Steer::refused(Illegal::new("WBK-ACT-14", why));
            }
            fray.steer_attack(wish, |v, waypoints| {
                let declare = Declare { waypoints, ..Declare::at(Order::Attack, fray.id(v)) };
                match fray.judge_declare(fray.acting(), &declare)?.assault {
                    Some(assault) => Ok((Action::Declare(declare), assault)),
                    None => Err(Illegal::new("WBK-ACT-14", "this is no Attack")),
                }
            })
        })
    }

    fn courses(&self, fray: &Fray, unit: UnitId) -> Vec<(String, Action)> {
        if fray.acting_id() != unit {
            return Vec::new();
        }
        let u = fray.acting();
        let here = fray.unit(u).anchor.point();
        let far = |v: &No| fray.unit(*v).anchor.point().distance_squared(here);
        let nearest = fray.enemies(u).min_by(|a, b| far(a).total_cmp(&far(b)));
        let course = |order: Order| {
            let legal = |v: &No| fray.judge_declare(u, &Declare::at(order, fray.id(*v))).is_ok();
            let aimed = Self::is_aimed(fray, order);
            let target = if aimed { fray.enemies(u).find(legal).or(nearest) } else { None };
            let declare = target.map_or(Declare::plain(order), |v| Declare::at(order, fray.id(v)));
            (order.name().replace('_', " "), Action::Declare(declare))
        };
        Order::ALL.into_iter().map(course).collect()
    }

    fn weigh(&self, fray: &Fray, _most: usize, _whim: &mut Whim) -> Vec<(f64, Action)> {
        fray.with_officer(|officer| fray.order_values(officer))
    }
}

impl Fray {
    /// Judges a declaration (T2).
    fn judge_declare(&self, u: No, declare: &Declare) -> Result<Declared, Illegal> {
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
                declared.assault = Some(self.assault(u, v, &declare.waypoints, Reach::attack(allowance))?);
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
}
