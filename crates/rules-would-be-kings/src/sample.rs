//! Answers: all that can be listed, one at random, some worth considering. Every one goes through `judge`.

use arrayvec::ArrayVec;
use tricorne_chance::Whim;
use tricorne_game::{Legal, Space};
use tricorne_table::Point;

use crate::action::{Action, Charge, Declare, Form, Go, Half, Occupy};
use crate::battle::WbkBattle;
use crate::options::{DeclareDetail, DoubleTarget, LeaveCloseOrder};
use crate::state::{Layout, MAX_UNITS, Order, Spot, Stage};

type Units = ArrayVec<usize, MAX_UNITS>;

impl WbkBattle {
    /// The unit whose activation is under way.
    pub(crate) fn acting(&self) -> usize {
        usize::from(self.state.act.unit)
    }

    fn space(&self, action: &str, allowance: Option<f64>, shape: &str) -> Space {
        Space {
            action: action.into(),
            unit: self.asked_about().map(|u| self.id(u)),
            allowance,
            shape: shape.into(),
        }
    }

    /// Every answer that can be listed, and the spaces of the others.
    pub(crate) fn all_legal(&self) -> Legal<Action> {
        let u = self.acting();
        let inches = Some(f64::from(self.state.act.allowance) / 1000.0);
        let go = "a path of up to 8 legs for the anchor, with a layout and a facing at its end";
        let mut listed = self.listed();
        listed.retain(|a| self.judge(a).is_ok());
        let mut spaces = Vec::new();
        match self.state.stage {
            Stage::Declare
                if self.field.options.declare_detail == DeclareDetail::ActionAndTarget
                    && self.may_attack_at_all(u).is_ok() =>
            {
                let reach = Some(f64::from(self.pace(u)) / 1000.0);
                spaces.push(self.space("declare", reach, "an Attack by up to 3 waypoints"));
            }
            Stage::Move | Stage::SkirmishMove { .. } => spaces.push(self.space("go", inches, go)),
            Stage::Double => {
                spaces.push(self.space("go", inches, go));
                if self.may_double_into(u).is_ok() {
                    spaces.push(self.space("charge", inches, "an attack by up to 3 waypoints"));
                }
            }
            Stage::Charge => spaces.push(self.space("charge", inches, "an Attack by up to 3 waypoints")),
            Stage::Form => {
                spaces.push(self.space("form", None, "a facing, and a place up to 1\" from the anchor"));
            }
            Stage::Deploy(_) => spaces.push(self.space("place", None, "a unit and a place in your strip")),
            Stage::AfterMelee if self.state.act.won.defended.is_some() => {
                spaces.push(self.space(
                    "occupy",
                    None,
                    "an anchor within 1\" of the obstacle, with a layout and a facing",
                ));
            }
            _ => {}
        }
        Legal { listed, spaces }
    }

    /// The answers without a place in them, legal or not.
    fn listed(&self) -> Vec<Action> {
        let u = self.acting();
        match self.state.stage {
            Stage::Pick => (0..self.state.units.len())
                .filter(|&v| self.may_act(v))
                .map(|v| Action::Activate(self.id(v)))
                .chain([Action::EndTurn])
                .collect(),
            Stage::Declare => self.declarations(u),
            Stage::Move => {
                let doors = self.field.land.buildings.iter();
                std::iter::once(Action::NoMove)
                    .chain(doors.map(|&b| Action::Enter(self.field.land.pieces[b].id.clone())))
                    .collect()
            }
            Stage::Double => std::iter::once(Action::NoMove)
                .chain(
                    self.enemies(u)
                        .map(|v| Action::Charge(Charge { target: self.id(v), waypoints: Vec::new() })),
                )
                .collect(),
            Stage::Charge => self
                .enemies(u)
                .map(|v| Action::Charge(Charge { target: self.id(v), waypoints: Vec::new() }))
                .collect(),
            Stage::Skirmish => [Half::Move, Half::Fire, Half::Skip].map(Action::Skirmish).to_vec(),
            Stage::SkirmishMove { .. } => vec![Action::NoMove],
            Stage::Shoot { .. } => {
                self.enemies(u).map(|v| Action::Shoot(self.id(v))).chain([Action::HoldFire]).collect()
            }
            Stage::Form => (0..24).map(|turn| Action::Form(Form { facing: turn * 15, at: None })).collect(),
            Stage::AfterMelee => {
                let won = self.state.act.won;
                let mut all = vec![Action::FollowUp];
                all.extend(self.enemies(u).map(|v| Action::Strike(self.id(v))));
                if let Some(piece) = won.defended.map(usize::from) {
                    let ground = &self.field.land.pieces[piece];
                    if ground.building {
                        all.push(Action::Occupy(Occupy {
                            building: Some(ground.id.clone()),
                            ..Occupy::default()
                        }));
                    } else {
                        all.extend(self.occupation(u, piece));
                    }
                }
                all.push(Action::Stay);
                all
            }
            Stage::Reroll => vec![Action::Reroll(true), Action::Reroll(false)],
            Stage::Commander(side) => (0..self.state.units.len())
                .filter(|&u| self.unit(u).side == side)
                .map(|u| Action::Command(self.id(u)))
                .collect(),
            Stage::Deploy(_) | Stage::Muster | Stage::Over => Vec::new(),
        }
    }

    fn occupation(&self, u: usize, piece: usize) -> Option<Action> {
        let (at, layout, facing) = self.some_occupation(u, piece, self.state.act.won.ground)?;
        Some(Action::Occupy(Occupy {
            building: None,
            at: Some(at.point()),
            layout: Some(layout),
            facing: Some(facing),
        }))
    }

    fn declarations(&self, u: usize) -> Vec<Action> {
        let late = self.field.options.declare_detail == DeclareDetail::ActionOnly;
        let named_double = self.field.options.double_target == DoubleTarget::DeclareFirst;
        let mut all = Vec::new();
        for order in Order::ALL {
            let aimed = matches!(order, Order::Attack | Order::Fire | Order::Volley) && !late;
            if order == Order::StandTo || self.may_order(u, order).is_ok() {
                if aimed || (order == Order::Double && named_double) {
                    all.extend(self.enemies(u).map(|v| Action::Declare(Declare::at(order, self.id(v)))));
                }
                if !aimed {
                    all.push(Action::Declare(Declare::plain(order)));
                }
                if order == Order::Move
                    && self.unit(u).close_order
                    && self.field.options.leave_close_order == LeaveCloseOrder::WithMove
                {
                    all.push(Action::Declare(Declare { open_out: true, ..Declare::plain(Order::Move) }));
                }
            }
        }
        all
    }

    /// A legal answer at random: cheap tries first, the plainest answer if none of them fits.
    pub(crate) fn any_answer(&self, whim: &mut Whim) -> Action {
        let u = self.acting();
        match self.state.stage {
            Stage::Pick => self.any_pick(whim),
            Stage::Declare => {
                for _ in 0..4 {
                    let action = self.any_declaration(u, whim);
                    if self.judge(&action).is_ok() {
                        return action;
                    }
                }
                self.plainest()
            }
            Stage::Move | Stage::SkirmishMove { .. } | Stage::Double => {
                for _ in 0..4 {
                    let action = self.any_move(u, whim);
                    if self.judge(&action).is_ok() {
                        return action;
                    }
                }
                self.plainest()
            }
            Stage::Skirmish => {
                Action::Skirmish([Half::Move, Half::Fire, Half::Move, Half::Fire, Half::Skip][whim.below(5)])
            }
            Stage::Shoot { .. } | Stage::Charge => {
                for _ in 0..3 {
                    if let Some(v) = self.any_enemy(u, whim) {
                        let action = if self.state.stage == Stage::Charge {
                            Action::Charge(Charge { target: self.id(v), waypoints: Vec::new() })
                        } else {
                            Action::Shoot(self.id(v))
                        };
                        if self.judge(&action).is_ok() {
                            return action;
                        }
                    }
                }
                self.plainest()
            }
            Stage::Form => {
                for _ in 0..4 {
                    let action = Action::Form(Form { facing: whim.below(360) as u16, at: None });
                    if self.judge(&action).is_ok() {
                        return action;
                    }
                }
                self.plainest()
            }
            Stage::Deploy(side) => {
                let waiting: Units =
                    (0..self.state.units.len()).filter(|&u| self.waits_for_place(u, side)).collect();
                let found = whim.one_of(&waiting).and_then(|&u| self.random_place(u, whim));
                found.map_or_else(|| self.plainest(), Action::Place)
            }
            _ => {
                let mut all = self.listed();
                while !all.is_empty() {
                    let action = all.swap_remove(whim.below(all.len()));
                    if self.judge(&action).is_ok() {
                        return action;
                    }
                }
                self.plainest()
            }
        }
    }

    fn any_pick(&self, whim: &mut Whim) -> Action {
        let mut ready: Units = (0..self.state.units.len()).filter(|&v| self.may_act(v)).collect();
        if whim.chance(0.02) {
            return Action::EndTurn;
        }
        while !ready.is_empty() {
            let i = whim.below(ready.len());
            let action = Action::Activate(self.id(ready.swap_remove(i)));
            if self.judge(&action).is_ok() {
                return action;
            }
        }
        Action::EndTurn
    }

    fn any_enemy(&self, u: usize, whim: &mut Whim) -> Option<usize> {
        let enemies: Units = self.enemies(u).collect();
        whim.one_of(&enemies).copied()
    }

    /// An enemy at random, the nearer ones more often.
    fn likely_enemy(&self, u: usize, whim: &mut Whim) -> Option<usize> {
        let here = self.unit(u).anchor.point();
        let far = |v: usize| self.unit(v).anchor.point().distance_squared(here);
        let (a, b) = (self.any_enemy(u, whim)?, self.any_enemy(u, whim)?);
        Some(if far(a) <= far(b) { a } else { b })
    }

    fn any_declaration(&self, u: usize, whim: &mut Whim) -> Action {
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
        let late = self.field.options.declare_detail == DeclareDetail::ActionOnly;
        let mut order = WISHES[whim.below(WISHES.len())];
        let unit = self.unit(u);
        if unit.close_order && order == Order::Fire {
            order = Order::Volley;
        }
        if self.field.options.leave_close_order != LeaveCloseOrder::WithMove
            && unit.close_order
            && whim.chance(0.2)
        {
            order = Order::LeaveCloseOrder;
        }
        match order {
            Order::Attack | Order::Fire | Order::Volley if !late => match self.likely_enemy(u, whim) {
                Some(v) => {
                    let mut declare = Declare::at(order, self.id(v));
                    if order == Order::Attack && whim.chance(0.2) {
                        // Round by the flank, now and then.
                        let (here, there) = (self.unit(u).anchor.point(), self.unit(v).anchor.point());
                        let aside = (there - here).quarter_left() * whim.between(-0.3, 0.3);
                        declare.waypoints.push((here.midpoint(there) + aside).round_to(0.001));
                    }
                    Action::Declare(declare)
                }
                None => self.plainest(),
            },
            Order::Double
                if self.field.options.double_target == DoubleTarget::DeclareFirst && whim.chance(0.5) =>
            {
                match self.likely_enemy(u, whim) {
                    Some(v) => Action::Declare(Declare::at(order, self.id(v))),
                    None => self.plainest(),
                }
            }
            Order::Move if unit.close_order => {
                let open_out =
                    self.field.options.leave_close_order == LeaveCloseOrder::WithMove && whim.chance(0.3);
                Action::Declare(Declare { open_out, ..Declare::plain(order) })
            }
            _ => Action::Declare(Declare::plain(order)),
        }
    }

    fn any_move(&self, u: usize, whim: &mut Whim) -> Action {
        let unit = self.unit(u);
        let inches = f64::from(self.state.act.allowance) / 1000.0;
        if self.state.stage == Stage::Double
            && whim.chance(0.5)
            && let Some(v) = self.likely_enemy(u, whim)
        {
            return Action::Charge(Charge { target: self.id(v), waypoints: Vec::new() });
        }
        if self.state.stage == Stage::Move && !self.field.land.buildings.is_empty() && whim.chance(0.1) {
            let building = self.field.land.buildings[whim.below(self.field.land.buildings.len())];
            return Action::Enter(self.field.land.pieces[building].id.clone());
        }
        let here = unit.anchor.point();
        let aim = match self.likely_enemy(u, whim) {
            Some(v) if whim.chance(0.4) => (self.unit(v).anchor.point() - here).unit(),
            _ => None,
        };
        let aim = aim.unwrap_or_else(|| crate::base::forward(whim.below(360) as u16));
        let far = if whim.chance(0.5) { inches } else { whim.between(0.0, inches) };
        let from = match self.outline(u) {
            Some(outline) => outline.nearest_boundary(here + aim * 20.0),
            None => here,
        };
        let mut path = vec![(from + aim * far).round_to(0.001)];
        if whim.chance(0.15) {
            let middle = from + aim * (far * 0.5);
            let turn = whim.between(-60.0, 60.0);
            path = vec![middle.round_to(0.001), (middle + aim.turned(turn) * (far * 0.45)).round_to(0.001)];
        }
        let loose = matches!(unit.layout, Layout::Cluster | Layout::Line | Layout::Garrison);
        let layout = (loose && whim.chance(0.2))
            .then(|| if whim.chance(0.5) { Layout::Line } else { Layout::Cluster });
        let turns = !self.card(u).mounted && whim.chance(0.3);
        let facing = turns.then(|| whim.below(360) as u16);
        Action::Go(Go { path, layout, facing })
    }

    /// Up to `n` different legal answers worth considering.
    pub(crate) fn some_answers(&self, n: usize, whim: &mut Whim) -> Vec<Action> {
        let mut found: Vec<Action> = self.listed();
        found.retain(|a| self.judge(a).is_ok());
        found.truncate(n.max(1));
        let mut add = |action: Action| {
            if found.len() < n && !found.contains(&action) && self.judge(&action).is_ok() {
                found.push(action);
            }
        };
        let u = self.acting();
        match self.state.stage {
            Stage::Declare | Stage::Charge => {
                for action in self.likely_flank_attacks(u) {
                    add(action);
                }
            }
            Stage::Move | Stage::Double | Stage::SkirmishMove { .. } => {
                if self.state.stage == Stage::Double {
                    for action in self.likely_flank_attacks(u) {
                        add(action);
                    }
                }
                for action in self.likely_moves(u) {
                    add(action);
                }
                for _ in 0..n * 2 {
                    add(self.any_move(u, whim));
                }
            }
            Stage::Form | Stage::Deploy(_) => {
                for _ in 0..n {
                    add(self.any_answer(whim));
                }
            }
            _ => {}
        }
        if found.is_empty() {
            found.push(self.plainest());
        }
        found
    }

    /// One answer of each kind that a player might think of for a unit, legal or not, with its name.
    pub(crate) fn courses_of(&self, u: usize) -> Vec<(String, Action)> {
        let named = |name: &str, action: Action| (name.to_owned(), action);
        match self.state.stage {
            Stage::Pick => return vec![named("activate", Action::Activate(self.id(u)))],
            Stage::Commander(_) => return vec![named("command", Action::Command(self.id(u)))],
            Stage::Deploy(_) => {
                let place = self.some_place(u).map(Action::Place);
                return place.map(|p| named("place", p)).into_iter().collect();
            }
            _ if self.asked_about() != Some(u) => return Vec::new(),
            _ => {}
        }
        let here = self.unit(u).anchor.point();
        let far = |v: &usize| self.unit(*v).anchor.point().distance_squared(here);
        let nearest = self.enemies(u).min_by(|a, b| far(a).total_cmp(&far(b)));
        let options = &self.field.options;
        match self.state.stage {
            Stage::Declare => Order::ALL
                .into_iter()
                .map(|order| {
                    let aimed = match order {
                        Order::Attack | Order::Fire | Order::Volley => {
                            options.declare_detail == DeclareDetail::ActionAndTarget
                        }
                        Order::Double => options.double_target == DoubleTarget::DeclareFirst,
                        _ => false,
                    };
                    let legal =
                        |v: &usize| self.judge(&Action::Declare(Declare::at(order, self.id(*v)))).is_ok();
                    let target = if aimed { self.enemies(u).find(legal).or(nearest) } else { None };
                    let declare = match target {
                        Some(v) => Declare::at(order, self.id(v)),
                        None => Declare::plain(order),
                    };
                    named(&order.name().replace('_', " "), Action::Declare(declare))
                })
                .collect(),
            _ => {
                let mut all: Vec<(String, Action)> = Vec::new();
                for action in self.listed() {
                    let name = match &action {
                        Action::NoMove => "stay put",
                        Action::Enter(_) => "enter",
                        Action::Charge(_) => "attack",
                        Action::Skirmish(Half::Move) => "move first",
                        Action::Skirmish(Half::Fire) => "fire first",
                        Action::Skirmish(Half::Skip) => "neither",
                        Action::Shoot(_) => "fire",
                        Action::HoldFire => "hold fire",
                        Action::Form(_) => "form close order",
                        Action::FollowUp => "follow up",
                        Action::Strike(_) => "strike",
                        Action::Occupy(_) => "take over",
                        Action::Stay => "stay",
                        Action::Reroll(true) => "roll again",
                        Action::Reroll(false) => "let it stand",
                        _ => continue,
                    };
                    // The first of a kind stands for it, a legal one before others.
                    match all.iter_mut().find(|(n, _)| n == name) {
                        None => all.push(named(name, action)),
                        Some((_, kept)) if self.judge(kept).is_err() && self.judge(&action).is_ok() => {
                            *kept = action;
                        }
                        Some(_) => {}
                    }
                }
                all
            }
        }
    }

    /// Attacks by waypoints a player would think of: round what bars the straight way, and by the flanks.
    fn likely_flank_attacks(&self, u: usize) -> Vec<Action> {
        let options = &self.field.options;
        let named = match self.state.stage {
            Stage::Declare => options.declare_detail == DeclareDetail::ActionAndTarget,
            Stage::Double => options.double_target == DoubleTarget::ChooseAfterDie,
            _ => true,
        };
        if !named || self.may_attack_at_all(u).is_err() {
            return Vec::new();
        }
        let reach = match self.state.stage {
            Stage::Declare => f64::from(self.pace(u)) / 1000.0,
            _ => f64::from(self.state.act.allowance) / 1000.0,
        };
        self.enemies(u)
            .filter(|&v| self.within(u, v, reach))
            .flat_map(|v| self.attack_ways(u, v).into_iter().map(move |by| self.attack_on(v, by)))
            .collect()
    }

    /// Moves a player would think of: at each enemy, round the compass, to the markers, the exits and the cover.
    fn likely_moves(&self, u: usize) -> Vec<Action> {
        let inches = f64::from(self.state.act.allowance) / 1000.0;
        let here = self.unit(u).anchor.point();
        if self.unit(u).garrison.is_some() {
            return Vec::new();
        }
        let mut aims: Vec<(Point, f64)> = Vec::new();
        for v in self.enemies(u) {
            if let Some(aim) = (self.unit(v).anchor.point() - here).unit() {
                aims.push((aim, inches.min((self.gap(u, v) - 0.1).max(0.0))));
                aims.push((aim * -1.0, inches));
            }
        }
        let mut places: Vec<Point> = self.field.victory.markers.iter().map(|m| m.at).collect();
        for exit in self.field.victory.exits.iter().filter(|e| e.side == self.unit(u).side) {
            let along = (
                (exit.from + exit.to) * 0.5,
                here.x.clamp(exit.from, exit.to),
                here.y.clamp(exit.from, exit.to),
            );
            places.push(match exit.edge {
                tricorne_table::Edge::East => Point::new(self.field.width, along.2),
                tricorne_table::Edge::West => Point::new(0.0, along.2),
                tricorne_table::Edge::North => Point::new(along.1, self.field.height),
                tricorne_table::Edge::South => Point::new(along.1, 0.0),
            });
        }
        places.extend(
            self.field
                .land
                .covering
                .iter()
                .filter_map(|&i| self.field.land.pieces[i].area().map(tricorne_table::Area::centroid)),
        );
        for place in places {
            if let Some(aim) = (place - here).unit() {
                aims.push((aim, inches.min(place.distance(here) + 3.0)));
            }
        }
        aims.extend((0..8).map(|i| (crate::base::forward(i * 45), inches)));
        let point = |(aim, far): (Point, f64)| Spot::of(here + aim * far).point();
        aims.into_iter()
            .map(|aim| Action::Go(Go { path: vec![point(aim)], layout: None, facing: None }))
            .collect()
    }
}
