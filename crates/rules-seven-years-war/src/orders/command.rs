//! Sub-phase 1: command dice, attempts, un-commanded groups (SYW-ORDER-05 to -21, SYW-GEN-04 to -13).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log, UnitId};

use crate::generals::counters::{Ability, Addressed, Counter, Psychology, Training};
use crate::model::field::{SevenYearsBattle, name_order};
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Groups, Order, Presence, Units, within};
use crate::morale::tests::Test;
use crate::options::{
    CincAbilitySource, CincOrders, CincTraining, ColumnLeavesReserve, TrainingPenaltyScope, UncommandedRally,
};
use crate::questions::Facing;
use crate::rulebook::Arm;

/// Whom an attempt is made on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Addressee {
    Group(GroupIx),
    Unit(UnitIx),
}

impl SevenYearsBattle {
    /// A general's psychology and ability as they count now, towards an arm if he addresses one (SYW-GEN-04 to -06).
    pub(crate) fn qualities(&self, i: GeneralIx, arm: Option<Arm>) -> (Psychology, Ability) {
        let general = self.general(i);
        let Counter { training, psychology, ability } = general.counter;
        let wrong = match training {
            Training::Average => None,
            Training::Cavalry => Some(Arm::Infantry),
            Training::Infantry => Some(Arm::Cavalry),
        };
        let Some(wrong) = wrong else { return (psychology, ability) };
        if general.cinc {
            return match self.fixed.options.cinc_training {
                CincTraining::Ignored => (psychology, ability),
                CincTraining::PerOrder if arm == Some(wrong) => (Psychology::Cautious, ability),
                CincTraining::PerOrder => (psychology, ability),
                CincTraining::WholeArmy => {
                    let any = self.present(general.side).any(|u| self.info(u).arm == wrong);
                    if any { (Psychology::Cautious, Ability::Incompetent) } else { (psychology, ability) }
                }
            };
        }
        let penalised = match self.fixed.options.training_penalty_scope {
            TrainingPenaltyScope::WholeBrigade => self.s.groups.iter().any(|g| {
                g.command == Some(i) && g.arm == wrong && g.units.iter().any(|&u| self.unit(u).is_present())
            }),
            TrainingPenaltyScope::PerOrder => arm == Some(wrong),
        };
        if penalised { (Psychology::Cautious, Ability::Incompetent) } else { (psychology, ability) }
    }

    /// Rolls the attempts of the phasing side's generals (C1).
    pub(crate) fn command_dice(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let side = self.s.phasing;
        let mut generals: SmallVec<[GeneralIx; 8]> =
            GeneralIx::first(self.s.generals.len()).filter(|&i| self.general(i).side == side).collect();
        generals.sort_by(|&a, &b| name_order(&self.general(a).id, &self.general(b).id));
        for i in generals {
            let general = self.general(i);
            let (id, cinc, present) = (general.id, general.cinc, general.is_present());
            self.general_mut(i).addressed.clear();
            self.general_mut(i).moved = false;
            if !present {
                self.general_mut(i).attempts = 0;
                continue;
            }
            let (_, mut ability) = self.qualities(i, None);
            if cinc && self.fixed.options.cinc_ability_source == CincAbilitySource::Table {
                ability = match self.s.armies[side.index().min(1)].ability {
                    0 | 1 => Ability::Incompetent,
                    2 | 3 => Ability::Neither,
                    _ => Ability::Competent,
                };
            }
            let fixed = 1 + ability.bonus();
            let rolls = !cinc || self.fixed.options.cinc_orders != CincOrders::Fixed;
            let mut faces: SmallVec<[u8; 1]> = SmallVec::new();
            let attempts = if rolls {
                let face = chance.faces("command_d4", 1, 4).first().copied().unwrap_or(1);
                faces.push(face);
                let base = i32::from(face) + ability.bonus();
                if cinc && self.fixed.options.cinc_orders == CincOrders::FixedPlusD4 {
                    fixed + i32::from(face)
                } else {
                    base
                }
            } else {
                fixed // SYW-GEN-11
            };
            let attempts = attempts.max(0) as u8; // SYW-GEN-10
            self.general_mut(i).attempts = attempts;
            log.say(|| {
                Event::new("command_dice", if cinc { "SYW-GEN-11" } else { "SYW-ORDER-05" })
                    .who(id)
                    .faces(&faces)
                    .made(i32::from(attempts))
                    .with("general", id.as_str())
            });
        }
    }

    /// Whether the phasing side has attempts left at all.
    pub(crate) fn attempts_left(&self) -> bool {
        self.s.generals.iter().any(|g| g.side == self.s.phasing && g.is_present() && g.attempts > 0)
    }

    fn judge_general(&self, id: UnitId) -> Result<GeneralIx, Illegal> {
        let Some(i) = self.find_general(id) else {
            return refuse("SYW-ORDER-04", format!("there is no general {id}"));
        };
        let general = self.general(i);
        if general.side != self.s.phasing {
            return refuse("SYW-ORDER-05", format!("{id} is not of the phasing side"));
        }
        if general.off_with.is_some() {
            return refuse("SYW-OFF-13", format!("{id} is off the table and gives no orders"));
        }
        if !general.is_present() {
            return refuse("SYW-GEN-23", format!("{id} is lost"));
        }
        if general.attempts == 0 {
            return refuse("SYW-ORDER-05", format!("{id} has no attempts left"));
        }
        Ok(i)
    }

    /// Whether a general may address a group or a unit at all (SYW-ORDER-07, -08, -16, SYW-GEN-18).
    fn judge_address(&self, i: GeneralIx, whom: Addressee) -> Result<(), Illegal> {
        let general = self.general(i);
        let (g, name, is_group) = match whom {
            Addressee::Group(g) => (g, self.group(g).id, true),
            Addressee::Unit(u) => (self.unit(u).group, self.unit(u).id, false),
        };
        let group = self.group(g);
        if group.side != general.side {
            return refuse("SYW-ORDER-04", format!("{name} is not of {}'s army", general.id));
        }
        if group.off.is_some() || self.members(g).is_empty() {
            return refuse("SYW-OFF-04", format!("{name} is not on the table"));
        }
        if self.members(g).iter().any(|&u| self.unit(u).surrendered) {
            return refuse("SYW-ROUT-23", format!("{name} has surrendered"));
        }
        if !general.cinc && group.command.is_none() {
            return refuse("SYW-ORDER-16", format!("{name} is un-commanded and takes no orders"));
        }
        if general.cinc && self.fixed.options.wing_commanders > 0 && !self.of_wing(g, i) {
            return refuse("SYW-ARMY-20", format!("{name} is not of {}'s wing", general.id));
        }
        if !general.cinc && group.command != Some(i) {
            return refuse("SYW-GEN-18", format!("{name} is not of {}'s brigade", general.id));
        }
        let times =
            general.addressed.iter().find(|a| a.whom == name && a.group == is_group).map_or(0, |a| a.times);
        if times >= 2 {
            let clause = if general.cinc { "SYW-ORDER-08" } else { "SYW-ORDER-07" };
            return refuse(clause, format!("{} has addressed {name} twice in this phase", general.id));
        }
        Ok(())
    }

    /// Whether a group serves in a wing commander's wing (SYW-ARMY-20); un-commanded ones serve in none and any.
    pub(crate) fn of_wing(&self, g: GroupIx, wing: GeneralIx) -> bool {
        match self.group(g).command {
            None => true,
            Some(c) => c == wing || self.general(c).wing.is_none_or(|w| w == wing) && !self.general(c).cinc,
        }
    }

    fn named_group(&self, id: UnitId) -> Result<GroupIx, Illegal> {
        self.known_group(id).map_or_else(|| refuse("SYW-GROUP-01", format!("there is no group {id}")), Ok)
    }

    fn named_unit(&self, id: UnitId) -> Result<UnitIx, Illegal> {
        self.known_unit(id)
            .filter(|&u| self.unit(u).is_present() && self.unit(u).side == self.s.phasing)
            .map_or_else(
                || refuse("SYW-GROUP-01", format!("there is no unit {id} of yours on the table")),
                Ok,
            )
    }

    /// Whether a group may be put on an order (SYW-ORDER-11 to -13).
    fn judge_order(&self, g: GroupIx, order: Order) -> Result<(), Illegal> {
        let group = self.group(g);
        if order == Order::Rout {
            return refuse("SYW-ORDER-11", "no group is ordered to rout");
        }
        if group.order == Order::Rout {
            return refuse("SYW-ROUT-16", format!("{} is in rout; prompt it to rally", group.id));
        }
        if group.order == order {
            return refuse("SYW-ORDER-06", format!("{} is on {} already", group.id, order.name()));
        }
        let members = self.members(g);
        if order == Order::Advance {
            if let Some(&u) = members.iter().find(|&&u| !self.unit(u).formation.is_line()) {
                return refuse(
                    "SYW-ORDER-12",
                    format!("{} is not in line; Advance needs line", self.unit(u).id),
                );
            }
            if members.iter().any(|&u| self.unit(u).presence == Presence::Hidden) {
                return refuse(
                    "SYW-HIDE-09",
                    format!("{} is hidden and on Stand; reveal it first", group.id),
                );
            }
        }
        if self.fixed.options.disorder_blocks_orders && members.iter().any(|&u| self.unit(u).disordered) {
            return refuse("SYW-ORDER-13", format!("cure the disorder of {}'s units first", group.id));
        }
        if self.fixed.options.column_leaves_reserve == ColumnLeavesReserve::RefuseOrder
            && group.order == Order::Reserve
            && members.iter().any(|&u| self.unit(u).formation.is_column())
        {
            return refuse("SYW-ORDER-22", format!("{} has units in column; form line first", group.id));
        }
        Ok(())
    }

    /// Judges `change`.
    pub(crate) fn judge_change(
        &self,
        general: UnitId,
        group: UnitId,
        order: Order,
    ) -> Result<(GeneralIx, GroupIx), Illegal> {
        let i = self.judge_general(general)?;
        let g = self.named_group(group)?;
        self.judge_address(i, Addressee::Group(g))?;
        let commanded = self.group(g).command.is_some();
        if !commanded {
            // SYW-ORDER-16
            if self.group(g).order != Order::Retreat {
                return refuse("SYW-ORDER-16", format!("{group} is un-commanded and takes no orders"));
            }
            if !matches!(order, Order::Stand | Order::Reserve) {
                return refuse("SYW-ORDER-16", format!("{group} may be brought to Stand or Reserve only"));
            }
        }
        self.judge_order(g, order)?;
        Ok((i, g))
    }

    /// Judges `cure`.
    pub(crate) fn judge_cure(&self, general: UnitId, unit: UnitId) -> Result<(GeneralIx, UnitIx), Illegal> {
        let i = self.judge_general(general)?;
        let u = self.named_unit(unit)?;
        self.judge_address(i, Addressee::Unit(u))?;
        if self.group_of(u).command.is_none() {
            return refuse(
                "SYW-ORDER-18",
                format!("{unit} is un-commanded; its disorder is not cured by order"),
            );
        }
        if self.order_of(u) == Order::Rout {
            return refuse("SYW-DIS-02", format!("{unit} is in rout and stays disordered"));
        }
        if !self.unit(u).disordered {
            return refuse("SYW-ORDER-14", format!("{unit} has no disorder that an order cures"));
        }
        Ok((i, u))
    }

    /// Judges `rally`.
    pub(crate) fn judge_rally(
        &self,
        general: UnitId,
        group: UnitId,
    ) -> Result<(GeneralIx, GroupIx), Illegal> {
        let i = self.judge_general(general)?;
        let g = self.named_group(group)?;
        self.judge_address(i, Addressee::Group(g))?;
        if self.group(g).order != Order::Rout {
            return refuse("SYW-ROUT-16", format!("{group} is not in rout"));
        }
        if self.group(g).command.is_none()
            && self.fixed.options.uncommanded_rally == UncommandedRally::RetreatOnly
        {
            return refuse("SYW-ORDER-17", format!("{group} is un-commanded and cannot be rallied"));
        }
        let side = self.group(g).side;
        let close = self
            .known_enemies(side)
            .any(|e| self.members(g).iter().any(|&u| self.near(u, e, 10.0) && self.unit_sees(u, e)));
        if close {
            return refuse("SYW-ROUT-16", format!("{group} sees an enemy within 10 cm and does not rally"));
        }
        Ok((i, g))
    }

    /// Judges `transfer` (SYW-ORDER-19).
    pub(crate) fn judge_transfer(
        &self,
        general: UnitId,
        unit: UnitId,
        to: UnitId,
    ) -> Result<(GeneralIx, UnitIx, GeneralIx), Illegal> {
        let i = self.judge_general(general)?;
        let u = self.named_unit(unit)?;
        let Some(t) = self.find_general(to).filter(|&t| {
            let other = self.general(t);
            other.side == self.s.phasing && !other.cinc && !other.lost
        }) else {
            return refuse("SYW-ORDER-19", format!("{to} is no sub-general of yours"));
        };
        let g = self.unit(u).group;
        let Some(from) = self.group(g).command else {
            return refuse("SYW-ORDER-16", format!("{unit} is un-commanded and takes no orders"));
        };
        if from == t {
            return refuse("SYW-ORDER-19", format!("{unit} is of {to}'s brigade already"));
        }
        let cinc = self.general(i).cinc;
        if !(cinc || i == from || i == t) {
            return refuse("SYW-ORDER-19", format!("{general} commands neither brigade"));
        }
        let times =
            self.general(i).addressed.iter().find(|a| a.whom == unit && !a.group).map_or(0, |a| a.times);
        if times >= 2 {
            return refuse("SYW-ORDER-07", format!("{general} has addressed {unit} twice in this phase"));
        }
        if matches!(self.group(g).order, Order::Rout)
            || self.in_melee(u)
            || self.unit(u).presence == Presence::Hidden
        {
            return refuse(
                "SYW-ORDER-19",
                format!("{unit} cannot be transferred while it runs, fights or hides"),
            );
        }
        if !within(self.general_gap(i, &[u]), 5.0) {
            return refuse("SYW-ORDER-19", format!("{general} must be within 5 cm of {unit}"));
        }
        Ok((i, u, t))
    }

    /// Judges `join` (SYW-ORDER-20).
    pub(crate) fn judge_join(
        &self,
        general: UnitId,
        group: UnitId,
        to: UnitId,
    ) -> Result<(GeneralIx, GroupIx, GroupIx), Illegal> {
        let i = self.judge_general(general)?;
        let g = self.named_group(group)?;
        let t = self.named_group(to)?;
        self.judge_address(i, Addressee::Group(g))?;
        let (a, b) = (self.group(g), self.group(t));
        if g == t || b.side != a.side || self.members(t).is_empty() || b.off.is_some() {
            return refuse("SYW-ORDER-20", format!("{to} is no other group of yours on the table"));
        }
        if a.command.is_none() || a.command != b.command {
            return refuse("SYW-ORDER-20", format!("{group} and {to} are not of one brigade"));
        }
        if a.order != Order::Reserve || b.order != Order::Reserve {
            return refuse("SYW-ORDER-20", format!("{group} and {to} must both be on Reserve"));
        }
        if a.arm != b.arm {
            return refuse("SYW-ORDER-20", "a group holds one arm only");
        }
        let tag = |g: GroupIx| self.members(g).first().map(|&u| self.info(u).tag.clone());
        if tag(g) != tag(t) {
            return refuse("SYW-ORDER-20", format!("{group} and {to} do not serve together"));
        }
        let mixed = self
            .members(g)
            .iter()
            .chain(self.members(t).iter())
            .map(|&u| self.is_massed(u))
            .collect::<SmallVec<[bool; 8]>>();
        if self.fixed.options.mixed_group_class == crate::options::MixedGroupClass::ForbidMixing
            && mixed.iter().any(|&m| m)
            && mixed.iter().any(|&m| !m)
        {
            return refuse(
                "SYW-GROUP-05",
                "massed and light units may not share a group under these options",
            );
        }
        if self.groups_gap(g, t, 1.02).is_none() {
            return refuse("SYW-ORDER-20", format!("{group} and {to} must stand within 1 cm"));
        }
        if self.group_in_melee(g) || self.group_in_melee(t) {
            return refuse("SYW-ORDER-20", "groups in melee do not join");
        }
        Ok((i, g, t))
    }

    /// One attempt: the D6 against the distance (SYW-ORDER-09, -10).
    pub(crate) fn attempt(
        &mut self,
        i: GeneralIx,
        whom: Addressee,
        what: &'static str,
        order: Option<Order>,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) -> bool {
        let (units, name, is_group): (Units, UnitId, bool) = match whom {
            Addressee::Group(g) => (self.members(g), self.group(g).id, true),
            Addressee::Unit(u) => (Units::from_slice(&[u]), self.unit(u).id, false),
        };
        let arm = units.first().map(|&u| self.info(u).arm);
        let (psychology, _) = self.qualities(i, arm);
        let mut distance = self.general_range(i, &units);
        if order == Some(Order::Advance) && psychology == Psychology::Cautious {
            distance *= 2.0; // SYW-GEN-09
        }
        let seen = self.general_sees(i, &units);
        let face = chance.d6("order");
        let reach = f64::from(face) * if seen { 10.0 } else { 5.0 };
        let success = face == 6 || (face != 1 && within(distance, reach));
        let general = self.general_mut(i);
        general.attempts -= 1;
        match general.addressed.iter_mut().find(|a| a.whom == name && a.group == is_group) {
            Some(a) => a.times += 1,
            None => general.addressed.push(Addressed { whom: name, group: is_group, times: 1 }),
        }
        let id = general.id;
        log.say(|| {
            let told = match whom {
                Addressee::Group(g) => self.troops(g),
                Addressee::Unit(u) => self.info(u).name.clone(),
            };
            let event = Event::new(what, "SYW-ORDER-09");
            let event = match order {
                Some(order) => event.with("order", order.name()),
                None => event,
            };
            event
                .who(id)
                .faces(&[face])
                .outcome(if success { "success" } else { "failure" })
                .with("general", id.as_str())
                .with(if is_group { "group" } else { "unit" }, name.as_str())
                .with("troops", told)
                .with("distance", tricorne_table::round_to(distance, 0.01))
                .with("reach", reach)
                .with("seen", seen)
        });
        success
    }

    /// A general changes a group's order.
    pub(crate) fn change_order(
        &mut self,
        i: GeneralIx,
        g: GroupIx,
        order: Order,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        if self.attempt(i, Addressee::Group(g), "order", Some(order), chance, log) {
            self.order_by_command(g, order, log);
        }
    }

    fn order_by_command(&mut self, g: GroupIx, order: Order, log: &mut Log) {
        self.end_pursuit(g);
        self.set_order(g, order, log);
        if order == Order::Advance {
            for u in self.members(g) {
                self.note_unit(u);
            }
        }
        if order == Order::Retreat {
            let gap = self.group_gap_to_enemy(g);
            self.group_mut(g).began_gap = gap;
        }
    }

    /// A general cures a unit's disorder (SYW-DIS-05).
    pub(crate) fn cure(&mut self, i: GeneralIx, u: UnitIx, chance: &mut dyn Chance, log: &mut Log) {
        if self.attempt(i, Addressee::Unit(u), "cure", None, chance, log) {
            self.unit_mut(u).disordered = false;
        }
    }

    /// A general prompts routers (C3).
    pub(crate) fn prompt_rally(&mut self, i: GeneralIx, g: GroupIx, chance: &mut dyn Chance, log: &mut Log) {
        if !self.attempt(i, Addressee::Group(g), "rally_prompt", None, chance, log) {
            return;
        }
        let chart = &self.fixed.book.charts.rally;
        let needed = if self.tests_as_lights(g) { chart.light } else { chart.massed };
        let told = move |_: &Self, score: i32| if score >= needed { "rallied" } else { "rout_goes_on" };
        if self.roll_morale(g, Test::Rally, &[], chance, log, told) >= needed {
            self.rally(g, log);
            self.ask(Facing { group: g });
        }
    }

    /// A unit passes to another brigade as a group of its own.
    pub(crate) fn transfer(
        &mut self,
        i: GeneralIx,
        u: UnitIx,
        to: GeneralIx,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        if self.attempt(i, Addressee::Unit(u), "transfer", Some(Order::Reserve), chance, log) {
            let g = self.split_off(u);
            self.group_mut(g).command = Some(to);
            self.set_order(g, Order::Reserve, log);
        }
    }

    /// A group joins another.
    pub(crate) fn join(
        &mut self,
        i: GeneralIx,
        g: GroupIx,
        to: GroupIx,
        chance: &mut dyn Chance,
        log: &mut Log,
    ) {
        if !self.attempt(i, Addressee::Group(g), "join", None, chance, log) {
            return;
        }
        let units = self.group(g).units.clone();
        for &u in &units {
            self.unit_mut(u).group = to;
        }
        // SYW-MORALE-20: losses go with them.
        let ghosts = self.group(g).ghosts_started;
        let other = self.group_mut(to);
        other.units.extend(units);
        other.ghosts_started += ghosts;
        let old = self.group_mut(g);
        old.units.clear();
        old.ghosts_started = 0;
    }

    /// Un-commanded groups that may try to change their order (SYW-ORDER-15).
    pub(crate) fn may_order_themselves(&self) -> Groups {
        self.self_ordering(false)
    }

    /// The same for hidden groups. They are asked nothing of their own, for the question would betray them: their owner
    /// tries when he is asked for his moves anyway.
    pub(crate) fn hidden_may_order_themselves(&self) -> Groups {
        if self.s.groups.iter().any(|g| g.moved && g.side == self.s.phasing) {
            return Groups::new();
        }
        self.self_ordering(true)
    }

    fn self_ordering(&self, hidden: bool) -> Groups {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| {
                let group = self.group(g);
                let out_of_sight = group.units.iter().any(|&u| self.unit(u).presence == Presence::Hidden);
                let may = group.command.is_none() && !group.self_tried && group.order != Order::Rout;
                may && out_of_sight == hidden && {
                    let members = self.members(g);
                    self.known_enemies(group.side).any(|e| members.iter().any(|&u| self.near(u, e, 20.0)))
                }
            })
            .collect();
        self.in_order(&mut groups);
        groups
    }

    /// Un-commanded units that may cure themselves (option `uncommanded_self_cure`).
    pub(crate) fn may_cure_themselves(&self) -> Units {
        if !self.fixed.options.uncommanded_self_cure {
            return Units::new();
        }
        self.present(self.s.phasing)
            .filter(|&u| {
                let group = self.group_of(u);
                group.command.is_none()
                    && group.order != Order::Rout
                    && self.unit(u).is_known()
                    && self.unit(u).disordered
                    && !self.unit(u).stole
            })
            .collect()
    }

    /// Judges an order that one of some groups would give itself.
    pub(crate) fn judge_self_order(
        &self,
        group: UnitId,
        order: Order,
        may: &Groups,
    ) -> Result<GroupIx, Illegal> {
        let g = self.named_group(group)?;
        if self.group(g).command.is_some() || self.group(g).side != self.s.phasing {
            return refuse("SYW-ORDER-15", format!("{group} is no un-commanded group of yours"));
        }
        if !may.contains(&g) {
            return refuse(
                "SYW-ORDER-15",
                format!("{group} has tried already, or has no known enemy within 20 cm"),
            );
        }
        self.judge_order(g, order)?;
        Ok(g)
    }

    /// An un-commanded group tries to change its order.
    pub(crate) fn self_order(&mut self, g: GroupIx, order: Order, chance: &mut dyn Chance, log: &mut Log) {
        self.group_mut(g).self_tried = true;
        let face = chance.d6("self_order");
        let success = face >= 4;
        log.say(|| {
            self.group_event("self_order", "SYW-ORDER-15", g)
                .faces(&[face])
                .needed(4)
                .outcome(if success { "success" } else { "failure" })
                .with("order", order.name())
        });
        if success {
            self.order_by_command(g, order, log);
        }
    }

    /// An un-commanded unit tries to cure itself.
    pub(crate) fn self_cure(&mut self, u: UnitIx, chance: &mut dyn Chance, log: &mut Log) {
        let face = chance.d6("self_cure");
        let success = face >= 4;
        let id = self.unit(u).id;
        self.unit_mut(u).stole = true;
        log.say(|| {
            Event::new("self_cure", "SYW-ORDER-18").who(id).faces(&[face]).needed(4).outcome(if success {
                "success"
            } else {
                "failure"
            })
        });
        if success {
            self.unit_mut(u).disordered = false;
        }
    }
}
