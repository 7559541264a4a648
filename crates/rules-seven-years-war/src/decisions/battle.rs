//! The protocol: what is asked, what is legal, what an answer does.

use tricorne_chance::{Chance, Whim};
use tricorne_game::view::View;
use tricorne_game::{
    Battle, Ending, Event, Illegal, Legal, Log, Pending, Preview, Proposal, School, Seat, Side, Space, Steer,
    UnitId, Wish,
};
use tricorne_table::{Point, Pose};

use crate::charges::charge::Approach;
use crate::decisions::action::{
    Action, After, Along, FlankAnswer, Guns, LightsAnswer, Oblique, PassedOrder, Resolve,
};
use crate::judgement::first::First;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Aim, Order, State, Unit};
use crate::movement::groups::Plan;
use crate::sequence::turn::Task;
use crate::shooting::shots::Shot;

/// An answer judged, with what it needs to be carried out.
pub(crate) enum Judged {
    Plain,
    General(GeneralIx, Point),
    Order(GeneralIx, GroupIx),
    Cure(GeneralIx, UnitIx),
    Transfer(GeneralIx, UnitIx, GeneralIx),
    Join(GeneralIx, GroupIx, GroupIx),
    Group(GroupIx),
    Brigade(GeneralIx),
    Unit(UnitIx),
    Move(Box<Plan>),
    Retreat(Box<Plan>),
    Charge(GroupIx, smallvec::SmallVec<[Aim; 4]>),
    Shot(Box<Shot>),
    Place(Box<crate::off_table::Arrivals>),
    Pose(Pose),
    Point(Point),
    Layout(UnitIx, Box<Unit>),
    Ranks(UnitIx, Box<Unit>),
    Reveal(UnitIx, Box<Unit>, bool),
    Steal(UnitIx, usize, Pose),
    Hide(UnitIx, Box<Unit>, usize),
    Fight(UnitIx, UnitIx),
    Units(crate::model::state::Units),
    Work(Box<crate::deployment::muster::Laid>),
}

impl SevenYearsBattle {
    /// The side that must answer.
    pub(crate) fn asked(&self) -> Side {
        let p = self.s.phasing;
        let of_unit = |u: UnitIx| self.unit(u).side;
        let of_group = |g: GroupIx| self.group(g).side;
        match self.s.tasks.last() {
            Some(Task::KeepCounter { side, .. } | Task::Deploy { side, .. } | Task::Enlist { side }) => *side,
            Some(Task::Ground | Task::Rotation { .. }) => self.defender(),
            Some(Task::TableSide | Task::KeepBack) => self.first_to_deploy(),
            Some(
                Task::Facing { group }
                | Task::Return { group }
                | Task::Halt { group }
                | Task::Passed { group }
                | Task::Lights { group, .. }
                | Task::MoraleChoice { group }
                | Task::AfterMelee { group, .. }
                | Task::Guns { group, .. },
            ) => of_group(*group),
            Some(
                Task::MakeRoom { unit, .. }
                | Task::Flank { unit, .. }
                | Task::Remove { unit, .. }
                | Task::Oblique { unit, .. },
            ) => of_unit(*unit),
            Some(Task::Ambush { hidden, .. }) => of_unit(*hidden),
            Some(Task::NewGeneral { general } | Task::Along { general, .. }) => {
                self.s.generals[usize::from(*general)].side
            }
            Some(Task::Shooting) => self.shooting_side(),
            _ => p,
        }
    }

    /// The kind of decision, its unit and a sentence.
    pub(crate) fn question(&self) -> (&'static str, Option<UnitId>, String) {
        let group = |g: &GroupIx| self.group(*g).id;
        let unit = |u: &UnitIx| self.unit(*u).id;
        match self.s.tasks.last() {
            Some(Task::KeepCounter { general, .. }) => {
                let id = self.s.generals[usize::from(*general)].id;
                ("cinc_counter", None, format!("Which counter does {id} keep?"))
            }
            Some(Task::Enlist { .. }) => {
                ("army", None, format!("Which army do you buy for {} points?", self.purse()))
            }
            Some(Task::Ground) => ("ground", None, "Do you give up troops for ground?".into()),
            Some(Task::Rotation { bought }) => (
                "rotation",
                None,
                format!("The rotation die shows {}: leave it, or change it by 1?", bought.turn),
            ),
            Some(Task::TableSide) => ("table_side", None, "Which side of the table is yours?".into()),
            Some(Task::KeepBack) => ("keep_back", None, "Which brigade is placed last?".into()),
            Some(Task::Deploy { .. }) => ("deploy", None, "Place your troops.".into()),
            Some(Task::Command) => ("command", None, "Which order does a general try to give?".into()),
            Some(Task::Facing { group: g }) => {
                ("rally_facing", None, format!("{} has rallied: which way does it face?", group(g)))
            }
            Some(Task::Uncommanded) => {
                ("uncommanded", None, "Does an un-commanded group change its order?".into())
            }
            Some(Task::Return { group: g }) => {
                ("return", None, format!("Where does {} come back to the table?", group(g)))
            }
            Some(Task::MakeRoom { unit: u, .. }) => {
                ("make_room", Some(unit(u)), format!("Where does {} make room?", unit(u)))
            }
            Some(Task::Pursuits) => ("pursuits", None, "Which group pursues next?".into()),
            Some(Task::Guns { battery, .. }) => {
                ("guns", Some(unit(battery)), "Fight the guns or ride through them?".into())
            }
            Some(Task::Retreats) => ("retreats", None, "How do groups on Retreat move?".into()),
            Some(Task::Movement) => ("movement", None, "Which group or general moves?".into()),
            Some(Task::Halt { group: g }) => {
                ("halt", None, format!("{} must halt: Stand, or test to charge?", group(g)))
            }
            Some(Task::Ambush { hidden, .. }) => {
                ("ambush", Some(unit(hidden)), format!("{}: shoot from hiding, or hold?", unit(hidden)))
            }
            Some(Task::Passed { group: g }) => {
                ("passed", None, format!("{} was passed through: Stand or Reserve?", group(g)))
            }
            Some(Task::Along { general, group: g, .. }) => {
                let id = self.s.generals[usize::from(*general)].id;
                ("along", None, format!("Does {id} go with {}, or stay?", group(g)))
            }
            Some(Task::Flank { unit: u, from, .. }) => (
                "flank_answer",
                Some(unit(u)),
                format!("{} is charged in the {}: how does it meet it?", unit(u), from.name()),
            ),
            Some(Task::Lights { group: g, .. }) => {
                ("lights_answer", None, format!("{} is charged: evade or stand?", group(g)))
            }
            Some(Task::MoraleChoice { group: g }) => {
                ("morale", None, format!("{}: keep the order or go to Advance?", group(g)))
            }
            Some(Task::Shooting) => {
                let kind =
                    if self.s.step == crate::model::state::SubPhase::Reply { "reply" } else { "shooting" };
                (kind, None, "Who shoots at whom?".into())
            }
            Some(Task::Remove { unit: u, kills, .. }) => {
                ("casualties", Some(unit(u)), format!("Which {kills} stands does {} lose?", unit(u)))
            }
            Some(Task::NewGeneral { general }) => {
                let id = self.s.generals[usize::from(*general)].id;
                ("new_general", None, format!("Where does the new {id} take over?"))
            }
            Some(Task::Charges) => ("charges", None, "Which charge goes home next?".into()),
            Some(Task::Oblique { unit: u, .. }) => {
                ("oblique", Some(unit(u)), format!("{} cannot align: halt or partial contact?", unit(u)))
            }
            Some(Task::Combat) => ("combat", None, "Which melee is fought next?".into()),
            Some(Task::AfterMelee { group: g, .. }) => {
                ("after_melee", None, format!("{}: pursue, move into the ground won, or stay?", group(g)))
            }
            _ => ("begin", None, "Go on.".into()),
        }
    }

    /// Carries a judged answer out.
    pub(crate) fn carry_out(
        &mut self,
        action: &Action,
        judged: Judged,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        if *action == Action::Concede {
            let side = self.asked();
            self.s.armies[side.index().min(1)].conceded = true;
            let name = self.fixed.sides[side.index().min(1)].name.clone();
            self.finish(Some(side.enemy()), format!("{name} gives up"), "SYW-WIN-07");
            log.say(|| Event::new("over", "SYW-WIN-07").outcome("conceded"));
            return;
        }
        let Some(task) = self.s.tasks.last().cloned() else { return };
        if !self.s.waiting {
            return; // `begin`: only go on.
        }
        match (task, judged) {
            (Task::KeepCounter { side, general, drawn }, _) => {
                self.s.tasks.pop();
                if let Action::KeepCounter { counter } = action {
                    self.keep_counter(side, general, *counter, &drawn, log);
                }
            }
            (Task::Enlist { side }, _) => {
                self.s.tasks.pop();
                let army = match action {
                    Action::Enlist(army) => (**army).clone(),
                    _ => self.usual_army(side),
                };
                self.enlist(side, army, log);
            }
            (Task::Ground, Judged::Units(units)) => {
                if let Action::BuyGround { ground, half, sector, .. } = action {
                    self.buy_ground(*ground, *half, *sector, &units, chance, log);
                }
            }
            (Task::Ground, _) => {
                self.s.tasks.pop();
            }
            (Task::Rotation { bought }, _) => {
                self.s.tasks.pop();
                if let Action::Rotation(by) = action {
                    self.turn_ground(bought, *by, log);
                }
            }
            (Task::TableSide, _) => {
                self.s.tasks.pop();
                if let Action::Side(edge) = action {
                    self.choose_side(*edge, log);
                }
            }
            (Task::KeepBack, Judged::Brigade(general)) => {
                self.s.tasks.pop();
                let side = self.first_to_deploy();
                self.s.armies[side.index()].kept_back = Some(general);
            }
            (Task::Deploy { side, lot }, judged) => match (action, judged) {
                (Action::Deploy { order, .. }, Judged::Layout(u, new)) => {
                    self.place_unit(u, *new, *order, log);
                }
                (_, Judged::Ranks(u, new)) => self.set_rear_rank(u, *new, log),
                (_, Judged::Work(laid)) => self.lay_work(*laid, log),
                (_, Judged::General(i, at)) => self.set_general(i, at, log),
                (_, Judged::Hide(u, new, piece)) => self.mark_hidden(u, *new, piece, log),
                (Action::FlankMarch { edge, .. }, Judged::Group(g)) => self.send_marching(g, *edge, log),
                _ => {
                    self.s.tasks.pop();
                    self.deploy_the_rest(side, lot, log);
                    self.wait_off_table(side, lot, log);
                }
            },
            (Task::Command, judged) => self.command(action, judged, chance, log),
            (Task::Facing { group }, _) => {
                self.s.tasks.pop();
                if let Action::Face { facing } = action {
                    self.reform(group, Some(tricorne_table::angle::normalise(*facing)));
                    self.sync_contacts();
                }
            }
            (Task::Uncommanded, judged) => match (action, judged) {
                (Action::SelfOrder { order, .. }, Judged::Group(g)) => {
                    self.self_order(g, *order, chance, log);
                }
                (_, Judged::Unit(u)) => self.self_cure(u, chance, log),
                _ => {
                    self.s.tasks.pop();
                }
            },
            (Task::Return { group }, judged) => {
                self.s.tasks.pop();
                if let Judged::Place(placed) = judged {
                    self.set_down(group, *placed);
                }
            }
            (Task::MakeRoom { unit, group }, judged) => {
                self.s.tasks.pop();
                let pose = match judged {
                    Judged::Pose(pose) => Some(pose),
                    _ => self.default_room(unit, group),
                };
                if let Some(pose) = pose {
                    self.make_room(unit, pose, log);
                }
            }
            (Task::Pursuits, Judged::Group(g)) => self.later_pursuit(g, chance, log),
            (Task::Guns { group, prey, battery, left }, _) => {
                self.s.tasks.pop();
                if *action == Action::Guns(Guns::Pass) {
                    self.ride_through(group, prey, battery, left, chance, log);
                } else {
                    self.meet_fresh(group, battery, chance, log);
                }
            }
            (Task::Retreats, judged) => {
                if let Judged::Retreat(plan) = judged {
                    self.make_retreat(*plan, chance, log);
                } else {
                    self.retreat_the_rest(chance, log);
                }
            }
            (Task::Movement, judged) => self.movement(action, judged, chance, log),
            (Task::Halt { group }, judged) => {
                self.s.tasks.pop();
                match judged {
                    Judged::Charge(g, aims) => self.declare(g, aims, chance, log),
                    _ => {
                        let id = self.group(group).id;
                        log.say(|| {
                            Event::new("halt", "SYW-ORDER-32")
                                .with("group", id.as_str())
                                .with("troops", self.troops(group))
                        });
                        self.set_order(group, Order::Stand, log);
                    }
                }
            }
            (Task::Ambush { hidden, mover }, _) => {
                self.s.tasks.pop();
                if *action == Action::Ambush(crate::decisions::action::Ambush::Shoot) {
                    self.spring(hidden, mover, log);
                } else {
                    self.hold_fire(hidden, mover, log);
                }
            }
            (Task::Passed { group }, _) => {
                self.s.tasks.pop();
                if let Action::Passed(order) = action {
                    let order = match order {
                        PassedOrder::Stand => Order::Stand,
                        PassedOrder::Reserve => Order::Reserve,
                    };
                    self.set_order(group, order, log);
                }
            }
            (Task::Along { general, group, way }, _) => {
                self.s.tasks.pop();
                if *action == Action::Along(Along::Go) {
                    self.go_along(general, group, way, log);
                }
            }
            (Task::Flank { unit, from, by }, _) => {
                self.s.tasks.pop();
                if let Action::Answer(answer) = action {
                    self.meet_flank(unit, from, by, *answer, chance, log);
                }
            }
            (Task::Lights { group, by }, _) => {
                self.s.tasks.pop();
                if *action == Action::Lights(LightsAnswer::Evade) {
                    self.evade(group, by, chance, log);
                }
            }
            (Task::MoraleChoice { group }, _) => {
                self.s.tasks.pop();
                if *action == Action::Morale(Resolve::Advance) {
                    self.set_order(group, Order::Advance, log);
                    // SYW-CHARGE-20: it only gains the order.
                    for u in self.members(group) {
                        self.note_unit(u);
                    }
                }
            }
            (Task::Shooting, judged) => {
                if let Judged::Shot(shot) = judged {
                    self.shoot(&shot, chance, log);
                } else {
                    self.s.tasks.pop();
                }
            }
            (Task::Remove { unit, kills, melee }, _) => {
                self.s.tasks.pop();
                match action {
                    Action::Remove { stands } => self.remove_stands(unit, stands, melee, log),
                    _ => {
                        let lost = self.default_losses(unit, kills);
                        self.remove_stands(unit, &lost, melee, log);
                    }
                }
            }
            (Task::NewGeneral { general }, judged) => {
                self.s.tasks.pop();
                let at = match judged {
                    Judged::Point(at) => Some(at),
                    _ => self.successor_place(general),
                };
                if let Some(at) = at {
                    self.place_general(general, at);
                }
            }
            (Task::Charges, Judged::Group(g)) => self.carry_home(g, chance, log),
            (Task::Oblique { unit, target, left, swing }, _) => {
                self.s.tasks.pop();
                let partial = *action == Action::Oblique(Oblique::Partial);
                self.oblique(unit, target, left, swing, partial, log);
            }
            (Task::Combat, Judged::Fight(a, b)) => self.fight(a, b, chance, log),
            (Task::AfterMelee { group, prey, depth }, _) => {
                self.s.tasks.pop();
                match action {
                    Action::After(After::Pursue) => self.first_pursuit(group, prey, chance, log),
                    Action::After(After::Occupy) => self.occupy(group, depth, log),
                    _ => {}
                }
            }
            _ => {}
        }
    }

    pub(crate) fn command(
        &mut self,
        action: &Action,
        judged: Judged,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        match (action, judged) {
            (Action::Change { order, .. }, Judged::Order(i, g)) => {
                self.change_order(i, g, *order, chance, log);
            }
            (Action::Rally { .. }, Judged::Order(i, g)) => self.prompt_rally(i, g, chance, log),
            (_, Judged::Cure(i, u)) => self.cure(i, u, chance, log),
            (_, Judged::Transfer(i, u, to)) => self.transfer(i, u, to, chance, log),
            (_, Judged::Join(i, g, to)) => self.join(i, g, to, chance, log),
            _ => {
                self.s.tasks.pop();
            }
        }
    }

    pub(crate) fn movement(
        &mut self,
        action: &Action,
        judged: Judged,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        match judged {
            Judged::Move(plan) => {
                let real = match action {
                    Action::Move { legs, units, stand, .. } => {
                        self.real_plan(plan.group, legs, units, *stand, chance)
                    }
                    _ => None,
                };
                let plan = real.unwrap_or(*plan);
                self.make_move(plan, chance, log);
            }
            Judged::Retreat(plan) => self.make_retreat(*plan, chance, log),
            Judged::Group(g) if matches!(action, Action::SelfOrder { .. }) => {
                if let Action::SelfOrder { order, .. } = action {
                    self.self_order(g, *order, chance, log);
                }
            }
            Judged::Group(g) => {
                let id = self.group(g).id;
                log.say(|| {
                    Event::new("halt", "SYW-ORDER-31")
                        .with("group", id.as_str())
                        .with("troops", self.troops(g))
                });
                self.set_order(g, Order::Stand, log);
                self.group_mut(g).moved = true;
            }
            Judged::Charge(g, aims) => self.declare(g, aims, chance, log),
            Judged::General(i, at) => self.ride(i, at, log),
            Judged::Reveal(u, new, elsewhere) => self.set_down_hidden(u, *new, elsewhere, log),
            Judged::Steal(u, piece, pose) => self.steal(u, piece, pose, log),
            Judged::Layout(u, new) => {
                let mut new = *new;
                new.moved = true;
                let id = new.id;
                log.say(|| Event::new("rearranged", "SYW-MOVE-16").who(id));
                self.put_as(u, new);
                self.sync_contacts();
            }
            Judged::Ranks(u, new) => self.set_rear_rank(u, *new, log),
            Judged::Fight(u, target) => self.complete(u, target, log),
            _ => {
                self.s.tasks.pop();
                if self.fixed.options.movement_order == crate::options::MovementOrder::RetreatsFree {
                    self.retreat_the_rest(chance, log);
                }
            }
        }
    }

    /// Groups on Retreat that were not moved go straight back by half their speed (M4).
    pub(crate) fn retreat_the_rest(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        for g in self.retreaters() {
            match self.some_retreat(g, false) {
                Some(plan) => self.make_retreat(plan, chance, log),
                None => self.cannot_retreat(g, log),
            }
        }
    }

    /// How a unit would reach a target, for previews.
    pub(crate) fn preview_charge(&self, aim: &Aim) -> Option<Approach> {
        self.approach(aim.unit, aim.target, self.charge_left(aim.unit), Some(aim.wheel), true)
    }
}

impl Battle for SevenYearsBattle {
    type Action = Action;
    type State = State;

    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        if self.s.tasks.is_empty() && self.s.turn == 0 {
            self.prepare();
        }
        self.keep_watch();
        let from = log.events().len();
        self.run(chance, log);
        self.keep_secret(from, log);
    }

    fn pending(&self) -> Pending {
        if let Some(ending) = &self.s.ending {
            return Pending::Over(ending.clone());
        }
        let (kind, unit, prompt) = self.question();
        Pending::Decision { seat: Seat(self.asked().0), kind: kind.into(), unit, prompt }
    }

    fn seat(&self) -> Option<Seat> {
        if self.s.ending.is_some() { None } else { Some(Seat(self.asked().0)) }
    }

    fn whose_turn(&self) -> Option<Side> {
        (self.s.turn > 0).then_some(self.s.phasing)
    }

    fn ending(&self) -> Option<Ending> {
        self.s.ending.clone()
    }

    fn legal(&self) -> Legal<Action> {
        let listed = self.listed();
        let spaces = self.spaces();
        Legal { listed, spaces }
    }

    fn check(&self, action: &Action) -> Result<(), Illegal> {
        self.judge(action).map(|_| ())
    }

    fn preview(&self, action: &Action) -> Result<Preview, Illegal> {
        self.previewed(action)
    }

    fn steer(&self, wish: &Wish) -> Steer<Action> {
        self.steered(wish)
    }

    fn sample(&self, whim: &mut Whim) -> Action {
        self.sampled(whim)
    }

    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Action> {
        self.suggested(n, whim)
    }

    fn heed(&mut self, school: &School) {
        self.school = school.clone();
    }

    fn standing(&self, seat: Seat) -> f64 {
        match self.school {
            School::Present => self.standing_of(Side(seat.0.min(1))),
            School::First => First(self).standing_of(Side(seat.0.min(1))),
        }
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        match self.school {
            School::Present => self.weighed_proposals(most, whim),
            School::First => First(self).weighed_proposals(most, whim),
        }
    }

    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Self {
        self.imagined_by(Side(seat.0.min(1)), whim)
    }

    fn apply(&mut self, action: &Action, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Illegal> {
        let judged = self.judge(action)?;
        let from = log.events().len();
        self.carry_out(action, judged, chance, log);
        self.run(chance, log);
        self.keep_secret(from, log);
        Ok(())
    }

    fn view(&self, seat: Option<Seat>) -> View {
        self.seen_from(seat)
    }

    fn courses(&self, unit: tricorne_game::UnitId) -> Vec<(String, Action)> {
        self.courses_of(unit)
    }

    fn sight(
        &self,
        from: tricorne_game::UnitId,
        to: tricorne_game::UnitId,
        eye: Option<Seat>,
    ) -> Option<tricorne_game::Sight> {
        self.sight_between(from, to, eye)
    }

    fn state(&self) -> &State {
        &self.s
    }

    fn facts(&self) -> serde_json::Value {
        self.all_facts()
    }

    fn broken_invariants(&self) -> Vec<String> {
        self.broken()
    }
}

impl SevenYearsBattle {
    /// Everything that must hold between two actions.
    pub(crate) fn broken(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if unit.strength() > usize::from(unit.started) {
                broken.push(format!("{} has more stands than it started with", unit.id));
            }
            if !unit.is_known() {
                continue;
            }
            let rects = self.rects(u);
            let bounds = crate::model::field::join_bounds(&rects);
            let table = self.fixed.table.bounds().grown(0.05);
            if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                broken.push(format!("{} stands off the table", unit.id));
            }
            if self.on_impassable(&rects, u) {
                broken.push(format!("{} stands on ground closed to it", unit.id));
            }
            for v in self.unit_ids().skip(usize::from(u) + 1) {
                if self.unit(v).is_known() && Self::any_overlap(&rects, &self.rects(v)) {
                    broken.push(format!("{} and {} overlap", unit.id, self.unit(v).id));
                }
            }
        }
        for g in self.group_ids() {
            for &u in &self.group(g).units {
                if self.unit(u).group != g {
                    broken.push(format!(
                        "{} is listed in {} but is not of it",
                        self.unit(u).id,
                        self.group(g).id
                    ));
                }
            }
        }
        for i in GeneralIx::first(self.s.generals.len()) {
            if let Some(u) = self.general_overlaps(i) {
                broken.push(format!("{} stands on enemy {u}", self.s.generals[usize::from(i)].id));
            }
        }
        broken
    }

    pub(crate) fn space(
        &self,
        action: &str,
        unit: Option<UnitId>,
        allowance: Option<f64>,
        shape: &str,
    ) -> Space {
        Space { action: action.into(), unit, allowance, shape: shape.into() }
    }

    /// Every flank answer there is.
    pub(crate) const FLANK_ANSWERS: [FlankAnswer; 3] =
        [FlankAnswer::Turn, FlankAnswer::Square, FlankAnswer::None];
}
