//! Sub-phase 1: command dice, attempts, un-commanded groups (SYW-ORDER-05 to -21, SYW-GEN-04 to -13).

use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, InOrder, Log, UnitId};

use crate::generals::counters::{Ability, Addressed, Counter, Psychology, Training};
use crate::model::field::{SevenYearsBattle, name_order};
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Groups, Order, Presence, Units, within};
use crate::morale::tests::Test;
use crate::options::{CincAbilitySource, CincOrders, CincTraining, TrainingPenaltyScope};
use crate::questions::Facing;
use crate::rulebook::{Arm, cm};

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
        let Counter { training, psychology, .. } = general.counter;
        let ability = self.own_ability(i);
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

    /// A general's ability without regard to his troops: his counter's, or by the other reading that of the C-in-C's die
    /// (SYW-GEN-13).
    fn own_ability(&self, i: GeneralIx) -> Ability {
        let general = self.general(i);
        if !general.cinc || self.fixed.options.cinc_ability_source != CincAbilitySource::Table {
            return general.counter.ability;
        }
        match self.s.armies[general.side.index().min(1)].ability {
            0 | 1 => Ability::Incompetent,
            2 | 3 => Ability::Neither,
            _ => Ability::Competent,
        }
    }

    /// Rolls the attempts of the phasing side's generals (C1).
    pub(crate) fn command_dice(&mut self, now: &mut Now<'_>) {
        let side = self.s.phasing;
        let mut generals: SmallVec<[GeneralIx; 8]> =
            GeneralIx::first(self.s.generals.len()).filter(|&i| self.general(i).side == side).collect();
        generals.put_in_order(|&a, &b| name_order(&self.general(a).id, &self.general(b).id));
        for i in generals {
            let general = self.general(i);
            let (id, cinc, present) = (general.id, general.cinc, general.is_present());
            self.general_mut(i).addressed.clear();
            self.general_mut(i).moved = false;
            if !present {
                self.general_mut(i).attempts = 0;
                continue;
            }
            let (_, ability) = self.qualities(i, None);
            let counts = &self.fixed.book.charts.counts;
            let bonus = ability.bonus(counts);
            let fixed = counts.cinc_orders.value + bonus;
            let rolls = !cinc || self.fixed.options.cinc_orders != CincOrders::Fixed;
            let mut faces: SmallVec<[u8; 1]> = SmallVec::new();
            let attempts = if rolls {
                let face = now.chance.faces("command_d4", 1, 4).first().copied().unwrap_or(1);
                faces.push(face);
                let base = i32::from(face) + bonus;
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
            now.say(|| {
                Event::new("command_dice", if cinc { "SYW-GEN-11" } else { "SYW-ORDER-05" })
                    .who(id)
                    .faces(&faces)
                    .made(i32::from(attempts))
                    .with("general", id.as_str())
                    .with("gifted", bonus > 0)
                    .with("lost", bonus < 0)
            });
        }
    }

    /// Whether the phasing side has attempts left at all.
    pub(crate) fn attempts_left(&self) -> bool {
        self.s.generals.iter().any(|g| g.side == self.s.phasing && g.is_present() && g.attempts > 0)
    }

    /// One attempt: the D6 against the distance (SYW-ORDER-09, -10).
    pub(crate) fn attempt(
        &mut self,
        i: GeneralIx,
        whom: Addressee,
        what: &'static str,
        order: Option<Order>,
        now: &mut Now<'_>,
    ) -> bool {
        self.attempt_with(i, whom, what, order, None, now)
    }

    /// The same where somebody else is named in it: the group that is joined, the general who takes over.
    fn attempt_with(
        &mut self,
        i: GeneralIx,
        whom: Addressee,
        what: &'static str,
        order: Option<Order>,
        to: Option<String>,
        now: &mut Now<'_>,
    ) -> bool {
        let (units, name, is_group): (Units, UnitId, bool) = match whom {
            Addressee::Group(g) => (self.members(g), self.group(g).id, true),
            Addressee::Unit(u) => (Units::from_slice(&[u]), self.unit(u).id, false),
        };
        let arm = units.first().map(|&u| self.info(u).arm);
        let (psychology, _) = self.qualities(i, arm);
        let measured = self.general_range(i, &units);
        let doubled = order == Some(Order::Advance) && psychology == Psychology::Cautious;
        // SYW-GEN-09
        let charts = &self.fixed.book.charts;
        let times = f64::from(charts.counts.cautious.value);
        let distance = if doubled { measured * times } else { measured };
        let counting = doubled.then(|| self.general(i).counter.doubling());
        let seen = self.general_sees(i, &units);
        let face = now.chance.d6("order");
        let naturals = self.fixed.book.charts.naturals;
        let step = if seen { self.distances().heard } else { self.distances().heard_unseen };
        let reach = f64::from(face) * cm(step);
        let always = i32::from(face) == naturals.heard.value;
        let never = i32::from(face) == naturals.unheard.value;
        let success = always || (!never && within(distance, reach));
        let general = self.general_mut(i);
        general.attempts -= 1;
        match general.addressed.iter_mut().find(|a| a.whom == name && a.group == is_group) {
            Some(a) => a.times += 1,
            None => general.addressed.push(Addressed { whom: name, group: is_group, times: 1 }),
        }
        let id = general.id;
        now.say(|| {
            let (event, told) = match whom {
                Addressee::Group(g) => (self.measured_event(what, "SYW-ORDER-09", g), self.troops(g)),
                // Whom it is about is told beside who speaks.
                Addressee::Unit(u) => (self.unit_event(what, "SYW-ORDER-09", u), self.info(u).name.clone()),
            };
            let event = match order {
                Some(order) => event.with("order", order.name()).with("called", order.called()),
                None => event,
            };
            let near = within(distance, reach);
            let because = if never && near {
                Some(format!("for a {face} always fails"))
            } else {
                (always && !near).then(|| format!("for a {face} always succeeds"))
            };
            event
                .who(id)
                .faces(&[face])
                .with("because", because)
                .with("unseen", !seen)
                .with("counting", counting)
                .with("counted", doubled.then(|| tricorne_table::round_to(distance, 0.01)))
                .outcome(if success { "success" } else { "failure" })
                .with("general", id.as_str())
                .with(if is_group { "group" } else { "unit" }, name.as_str())
                .with("troops", told)
                .with("takes", what == "transfer" && to.is_none())
                .with("to", to)
                .with("distance", tricorne_table::round_to(measured, 0.01))
                .with("reach", reach)
                .with("seen", seen)
        });
        success
    }

    /// A general changes a group's order.
    pub(crate) fn change_order(&mut self, i: GeneralIx, g: GroupIx, order: Order, now: &mut Now<'_>) {
        if self.attempt(i, Addressee::Group(g), "order", Some(order), now) {
            self.order_by_command(g, order, now.log);
        }
    }

    pub(crate) fn order_by_command(&mut self, g: GroupIx, order: Order, log: &mut Log) {
        self.end_pursuit(g);
        self.set_order(g, order, None, log);
        if order == Order::Advance {
            for u in self.members(g) {
                self.note_unit(u);
            }
        }
        if order == Order::Retreat {
            let gap = self.group_gap_to_enemy(g);
            self.group_mut(g).phase.began_gap = gap;
        }
    }

    /// A general cures a unit's disorder (SYW-DIS-05).
    pub(crate) fn cure(&mut self, i: GeneralIx, u: UnitIx, now: &mut Now<'_>) {
        if self.attempt(i, Addressee::Unit(u), "cure", None, now) {
            self.unit_mut(u).disordered = false;
        }
    }

    /// A general prompts routers (C3).
    pub(crate) fn prompt_rally(&mut self, i: GeneralIx, g: GroupIx, now: &mut Now<'_>) {
        if !self.attempt(i, Addressee::Group(g), "rally_prompt", None, now) {
            return;
        }
        let chart = &self.fixed.book.charts.rally;
        let needed = if self.tests_as_lights(g) { chart.light } else { chart.massed };
        let told = move |_: &Self, score: i32| if score >= needed { "rallied" } else { "rout_goes_on" };
        if self.roll_morale(g, Test::Rally, &[], now, told) >= needed {
            self.rally(g, now.log);
            self.ask(Facing { group: g });
        }
    }

    /// A unit passes to another brigade as a group of its own.
    pub(crate) fn transfer(&mut self, i: GeneralIx, u: UnitIx, to: GeneralIx, now: &mut Now<'_>) {
        // None: he takes it over himself.
        let taker = (i != to).then(|| self.general_name(self.general(to)));
        let order = Some(Order::Reserve);
        if self.attempt_with(i, Addressee::Unit(u), "transfer", order, taker, now) {
            let g = self.split_off(u);
            self.group_mut(g).command = Some(to);
            self.set_order(g, Order::Reserve, None, now.log);
        }
    }

    /// A group joins another.
    pub(crate) fn join(&mut self, i: GeneralIx, g: GroupIx, to: GroupIx, now: &mut Now<'_>) {
        let joined = self.troops(to);
        if !self.attempt_with(i, Addressee::Group(g), "join", None, Some(joined), now) {
            return;
        }
        let units = self.group(g).units.clone();
        for &u in &units {
            self.unit_mut(u).group = to;
        }
        // SYW-MORALE-20: losses go with them.
        let ghosts = self.group(g).ghosts_started;
        let mut all = self.group(to).units.clone();
        all.extend(units);
        self.units_in_order(&mut all);
        let other = self.group_mut(to);
        other.units = all;
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
        if self.s.groups.iter().any(|g| g.phase.moved && g.side == self.s.phasing) {
            return Groups::new();
        }
        self.self_ordering(true)
    }

    pub(crate) fn self_ordering(&self, hidden: bool) -> Groups {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| {
                let group = self.group(g);
                let out_of_sight = group.units.iter().any(|&u| self.unit(u).presence == Presence::Hidden);
                let may = group.command.is_none() && !group.phase.self_tried && group.order != Order::Rout;
                may && out_of_sight == hidden && {
                    let members = self.members(g);
                    self.known_enemies(group.side)
                        .any(|e| members.iter().any(|&u| self.near(u, e, cm(self.distances().self_order))))
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
                    && !self.unit(u).phase.stole
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
                format!(
                    "{group} has tried already, or has no known enemy within {} cm",
                    cm(self.distances().self_order)
                ),
            );
        }
        self.judge_order(g, order)?;
        Ok(g)
    }

    /// An un-commanded group tries to change its order.
    pub(crate) fn self_order(&mut self, g: GroupIx, order: Order, now: &mut Now<'_>) {
        self.group_mut(g).phase.self_tried = true;
        let face = now.chance.d6(self.dice_of(self.is_secret_group(g), "self_order", "hidden_self_order"));
        let needed = self.fixed.book.charts.least.self_order.value;
        let success = i32::from(face) >= needed;
        now.say(|| {
            self.group_event("self_order", "SYW-ORDER-15", g)
                .faces(&[face])
                .needed(needed)
                .outcome(if success { "success" } else { "failure" })
                .with("order", order.name())
                .with("called", order.called())
        });
        if success {
            self.order_by_command(g, order, now.log);
        }
    }

    /// An un-commanded unit tries to cure itself.
    pub(crate) fn self_cure(&mut self, u: UnitIx, now: &mut Now<'_>) {
        let face = now.chance.d6(self.dice_of(self.is_secret(u), "self_cure", "hidden_self_cure"));
        let needed = self.fixed.book.charts.least.self_cure.value;
        let success = i32::from(face) >= needed;
        self.unit_mut(u).phase.stole = true;
        now.say(|| {
            self.unit_event("self_cure", "SYW-ORDER-18", u)
                .faces(&[face])
                .needed(needed)
                .outcome(if success { "success" } else { "failure" })
        });
        if success {
            self.unit_mut(u).disordered = false;
        }
    }
}
