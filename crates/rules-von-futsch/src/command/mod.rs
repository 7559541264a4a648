//! Groups, command, initiative, attached commanders (ledger 4.3).

pub(crate) mod act;
mod aside;
pub(crate) mod attach;
pub(crate) mod next;
pub(crate) mod ride;
use tricorne_chance::Chance;
use tricorne_drill::{Reasons, Test, Unread, refuse};
use tricorne_game::{Event, Illegal, Log, Side};

use crate::field::{Field, bit, bits};
use crate::model::measure::mils;
use crate::model::{Cr, Kind, Level, Nr, Quality};
use crate::options::{Cohesion, CommandLink};
use crate::questions::{Attach, Next};
use crate::rulebook::inch;
use crate::state::{Group, Initiative, Step};

impl Field {
    /// The sub-units of a regiment that are on the table.
    fn regiment_members(&self, regiment: u8, side: Side) -> u64 {
        self.present_of(side).filter(|&u| self.spec(u).regiment == Some(regiment)).map(bit).sum()
    }

    /// Those of `set` that are linked to `u`, itself included (VF-CMD-01).
    fn links(&self, u: Nr, set: u64) -> u64 {
        let reach = inch(self.p().distance.cohesion);
        let body = &self.unit(u).body;
        bits(set)
            .filter(|&o| {
                o == u || {
                    let other = &self.unit(o).body;
                    body.may_reach(other, f64::from(reach) / 1000.0)
                        && self.o().within(body.gap_mils(other), reach)
                }
            })
            .map(bit)
            .sum()
    }

    /// The chain of sub-units that hangs together with `u`.
    fn chain(&self, u: Nr, set: u64) -> u64 {
        let (mut chain, mut fresh) = (bit(u), bit(u));
        while fresh != 0 {
            let next: u64 = bits(fresh).fold(0, |all, o| all | self.links(o, set));
            fresh = next & !chain;
            chain |= next;
        }
        chain
    }

    /// The main body of a regiment; everything outside it is detached (VF-CMD-03).
    fn main_body(&self, regiment: u8, side: Side) -> u64 {
        let all = self.regiment_members(regiment, side);
        if self.o().cohesion == Cohesion::Neighbour {
            let linked: u64 = bits(all).filter(|&u| self.links(u, all).count_ones() > 1).map(bit).sum();
            return if linked == 0 { all & all.wrapping_neg() } else { linked };
        }
        let chief = self.chiefs().find(|&c| {
            let chief = self.chief(c);
            chief.side == side && chief.level == Level::Regimental && chief.body == Some(regiment)
        });
        let (mut best, mut rest) = (0_u64, all);
        while let Some(u) = bits(rest).next() {
            let chain = self.chain(u, all);
            rest &= !chain;
            let (n, m) = (chain.count_ones(), best.count_ones());
            // Chains come up by their lowest number, so that a tie leaves the first.
            let nearer =
                n == m && chief.is_some_and(|c| self.commander_gap(c, chain) < self.commander_gap(c, best));
            if n > m || nearer {
                best = chain;
            }
        }
        best
    }

    /// How far a commander is from the nearest of some units.
    fn commander_gap(&self, c: Cr, set: u64) -> i32 {
        let body = self.commander_body(c);
        bits(set).map(|u| mils(body.gap(&self.unit(u).body))).min().unwrap_or(i32::MAX)
    }

    /// The group a unit belongs to at this moment (VF-CMD-05).
    pub(crate) fn group_of(&self, u: Nr) -> u64 {
        let Some(regiment) = self.spec(u).regiment else { return bit(u) };
        let main = self.main_body(regiment, self.side(u));
        if main & bit(u) != 0 { main } else { bit(u) }
    }

    /// The sub-units of a group that have not been activated.
    pub(crate) fn fresh(&self, group: u64) -> u64 {
        bits(group).filter(|&u| !self.unit(u).turn.activated).map(bit).sum()
    }

    /// Whether a side has anything left to activate (VF-TURN-07).
    pub(crate) fn can_activate(&self, side: Side) -> bool {
        self.present_of(side).any(|u| !self.unit(u).turn.activated)
            || self.loose_chiefs(side).any(|c| !self.commander(c).turn.activated)
    }

    /// The groups of a side that can still be activated, each once.
    pub(crate) fn open_groups(&self, side: Side) -> Vec<u64> {
        let mut groups: Vec<u64> = Vec::new();
        for u in self.present_of(side) {
            if groups.iter().any(|g| g & bit(u) != 0) {
                continue;
            }
            let group = self.group_of(u);
            if self.fresh(group) != 0 {
                groups.push(group);
            }
        }
        groups
    }

    /// The group that naming a unit wakes.
    pub(crate) fn judge_group(&self, side: Side, u: Nr, clause: &str) -> Result<u64, Illegal> {
        if self.side(u) != side {
            let whose = &self.b.names[side.index()];
            return refuse(clause, format!("{} is not of {whose}", self.name(u)));
        }
        if !self.unit(u).here() {
            return refuse("VF-TURN-07", format!("{} is no longer on the table", self.name(u)));
        }
        let group = self.group_of(u);
        if self.fresh(group) == 0 {
            return refuse(
                "VF-TURN-07",
                format!("{} has been activated this turn; name another", self.name(u)),
            );
        }
        Ok(group)
    }

    /// How far a commander is heard (VF-CMD-07, VF-EVENT-23).
    pub(crate) fn command_reach(&self, c: Cr) -> u8 {
        if self.commander(c).turn.gout { self.p().events.gout } else { self.p().distance.command }
    }

    /// Whether a commander is in reach and sight of a group (VF-CMD-07, -08).
    fn commands(&self, c: Cr, group: u64) -> bool {
        let commander = self.commander(c);
        if commander.turn.dazed {
            return false;
        }
        if let Some(host) = commander.host {
            return group & bit(host) != 0;
        }
        let reach = inch(self.command_reach(c));
        let gap = self.commander_gap(c, group);
        self.o().within(gap, reach)
            && bits(group).any(|u| {
                self.commander_body(c).gap_mils(&self.unit(u).body) == gap && self.commander_sees(c, u)
            })
    }

    /// Whether a group is in command (VF-CMD-07).
    pub(crate) fn in_command(&self, group: u64) -> bool {
        let Some(first) = bits(group).next() else { return false };
        if bits(group).any(|u| self.unit(u).turn.lost_galloper) {
            return false;
        }
        let over = |c: &Cr| self.chief(*c).is_over(self.spec(first));
        match self.o().command_link {
            CommandLink::AnyCommander => self.chiefs().filter(over).any(|c| self.commands(c, group)),
            CommandLink::RegimentalAndArmy => {
                let level = |level: Level| {
                    self.chiefs()
                        .filter(over)
                        .any(|c| self.chief(c).level == level && self.commands(c, group))
                };
                level(Level::Army) && (self.spec(first).regiment.is_none() || level(Level::Regimental))
            }
        }
    }

    /// Wakes a group (S-GROUP).
    pub(crate) fn start_group(&mut self, group: u64, forced: bool, controller: Side, log: &mut Log) {
        let Some(first) = bits(group).next() else { return };
        let owner = self.side(first);
        let left = self.fresh(group);
        let forced_march = bits(group).any(|u| self.unit(u).turn.forced_march);
        self.s.group = Some(Group {
            owner,
            controller,
            all: group,
            left,
            initiative: Initiative::Free,
            forced,
            held_back: self.in_bad_order(group),
            begun: false,
            same: None,
            dice: None,
            forced_march,
            to_fire: 0,
            bound: 0,
            firing: false,
        });
        let id = self.spec(first).id;
        let clause = if forced { "VF-TURN-17" } else { "VF-CMD-06" };
        log.say(|| {
            let names = bits(left).map(|u| self.name(u)).collect::<Vec<_>>().join(", ");
            let called = self.told_together(left);
            Event::new("activates", clause)
                .who(id)
                .outcome(if forced { "forced" } else { "own" })
                .with("units", names)
                .with("called", called)
                .with("count", left.count_ones())
        });
        self.push(Step::GroupNext);
        self.push(Step::GroupSquare);
        self.push(Step::GroupCheck);
        if controller == owner {
            self.push(Step::GroupAttach(0));
        }
    }

    /// Asks for each unattached commander near the group whether he joins it (VF-CMD-24).
    pub(crate) fn group_attach(&mut self, from: u8) {
        let Some(group) = &self.s.group else { return };
        let (all, owner) = (group.all, group.owner);
        for i in from..self.s.commanders.len() as u8 {
            let c = Cr(i);
            if self.commander(c).gone.is_some()
                || self.chief(c).side != owner
                || self.commander(c).host.is_some()
            {
                continue;
            }
            if bits(all).any(|u| self.may_attach::<Unread>(c, u).is_ok()) {
                self.push(Step::GroupAttach(i + 1));
                self.ask(Attach { commander: c, group: true });
                return;
            }
        }
    }

    /// The initiative check of a group that needs one (VF-CMD-09, -10).
    pub(crate) fn group_check(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        let Some(group) = self.s.group.clone() else { return };
        let in_command = self.in_command(group.all);
        for u in bits(group.all) {
            let unit = self.unit_mut(u);
            unit.turn.lost_galloper = false;
            unit.turn.forced_march = false;
        }
        if in_command && !group.forced {
            return;
        }
        let Some(first) = bits(group.all).next() else { return };
        let p = self.p().initiative;
        let mut reasons = Reasons::new();
        match self.spec(first).quality {
            Quality::Elite => reasons.line(&p.elite),
            Quality::Poor => reasons.line(&p.poor),
            Quality::Normal => {}
        }
        let test = Test::of(1, 6).with(reasons);
        let rolled = test.roll("initiative", chance);
        let initiative = if rolled.made >= p.advance {
            Initiative::AdvanceOnly
        } else if rolled.made >= p.free {
            Initiative::Free
        } else {
            Initiative::RetreatOnly
        };
        if let Some(group) = &mut self.s.group {
            group.initiative = initiative;
        }
        let id = self.spec(first).id;
        log.say(|| {
            let event = test.event("initiative", "VF-CMD-09", &rolled).clause("VF-CMD-10").who(id);
            // One throw for all of them (VF-CMD-13).
            event.with("called", self.told_together(group.all)).outcome(match initiative {
                Initiative::Free => "free",
                Initiative::AdvanceOnly => "advance_only",
                Initiative::RetreatOnly => "retreat_only",
            })
        });
    }

    /// The result of the check that binds a unit just now.
    pub(crate) fn initiative(&self) -> Initiative {
        self.s.group.as_ref().map_or(Initiative::Free, |g| g.initiative)
    }

    /// The group's next sub-unit, or its end (D-NEXT).
    pub(crate) fn group_next(&mut self) {
        let gone: u64 = match &self.s.group {
            Some(g) if g.firing => bits(g.left).filter(|&u| !self.has_a_shot(u)).map(bit).sum(),
            Some(g) => bits(g.left).filter(|&u| !self.unit(u).here()).map(bit).sum(),
            None => return,
        };
        let Some(group) = &mut self.s.group else { return };
        group.left &= !gone;
        if group.left == 0 {
            if self.begin_volleys() {
                return;
            }
            if !self.s.salvos.is_empty() {
                self.push(Step::GroupNext);
                self.push(Step::GroupTests);
                return;
            }
            self.s.group = None;
            self.s.acting = None;
            return;
        }
        self.push(Step::GroupNext);
        self.ask(Next);
    }

    /// All have moved: those that named a shot fire now, in the order their owner likes (`move_then_fire`).
    fn begin_volleys(&mut self) -> bool {
        let to_fire = self.s.group.as_ref().map_or(0, |g| g.to_fire);
        let ready: u64 = bits(to_fire).filter(|&u| self.has_a_shot(u)).map(bit).sum();
        let Some(group) = &mut self.s.group else { return false };
        group.to_fire = 0;
        if ready == 0 {
            return false;
        }
        group.firing = true;
        group.left = ready;
        self.push(Step::GroupNext);
        self.ask(Next);
        true
    }

    /// Whether one that named a shot may still fire it when all have moved. Who named Fire needs somebody to fire at.
    fn has_a_shot(&self, u: Nr) -> bool {
        self.unit(u).here()
            && self.can_fire(u).is_ok()
            && (!self.is_bound_to_fire(u) || self.has_target(u, 0) || self.has_target(u, 1))
    }

    /// Whether a unit of the group named Fire and nothing else: it may not keep its fire when its turn comes (VF-CMD-21).
    pub(crate) fn is_bound_to_fire(&self, u: Nr) -> bool {
        self.s.group.as_ref().is_some_and(|g| g.bound & bit(u) != 0)
    }

    /// Whether a shot just named waits until the whole group has moved; notes it if so (VF-CMD-14).
    pub(crate) fn fires_later(&mut self, u: Nr, optional: bool) -> bool {
        let later = self.o().regiment_sequence == crate::options::RegimentSequence::MoveThenFire;
        match &mut self.s.group {
            Some(group)
                if later && !group.firing && group.all.count_ones() > 1 && group.all & bit(u) != 0 =>
            {
                group.to_fire |= bit(u);
                if !optional {
                    group.bound |= bit(u);
                }
                true
            }
            _ => false,
        }
    }

    /// A unit stands: it keeps its fire if it has any (VF-CMD-18, VF-FIRE-24).
    pub(crate) fn stand(&mut self, u: Nr, log: &mut Log) {
        let holds = self.can_fire(u).is_ok();
        self.unit_mut(u).turn.held_fire |= holds;
        let id = self.spec(u).id;
        log.say(|| {
            Event::new("stands", "VF-CMD-18").who(id).outcome(if holds { "holds_fire" } else { "stands" })
        });
    }

    /// Whether one in disorder holds a regiment back that is woken so (`good_order = all_ordered`, VF-CMD-02).
    pub(crate) fn in_bad_order(&self, group: u64) -> bool {
        self.o().good_order == crate::options::GoodOrder::AllOrdered
            && group.count_ones() > 1
            && bits(group).any(|u| self.unit(u).disordered)
    }

    /// Whether the group that acts was held back when it was woken.
    pub(crate) fn held_back(&self) -> bool {
        self.s.group.as_ref().is_some_and(|g| g.held_back)
    }

    /// Whether a commander may be activated by a card of his own (VF-CMD-22).
    pub(crate) fn judge_commander(&self, side: Side, c: Cr) -> Result<(), Illegal> {
        let commander = self.commander(c);
        let id = self.chief(c).id;
        if self.chief(c).side != side || commander.gone.is_some() {
            return refuse("VF-CMD-22", format!("{id} is not a commander of yours in play"));
        }
        if commander.host.is_some() {
            return refuse("VF-CMD-22", format!("{id} is attached and has no activation of his own"));
        }
        if commander.turn.activated {
            return refuse("VF-TURN-07", format!("{id} has been activated this turn"));
        }
        Ok(())
    }

    /// Units that count for the end of the turn (VF-ARMY-06, VF-TURN-20).
    pub(crate) fn everybody_has_acted(&self) -> bool {
        let wait = self.o().turn_end_counts == crate::options::TurnEnd::UnitsWagonsCommanders;
        self.present().all(|u| self.unit(u).turn.activated || (!wait && self.kind(u) == Kind::Wagon))
            && (!wait
                || self
                    .chiefs()
                    .all(|c| self.commander(c).turn.activated || self.commander(c).host.is_some()))
    }
}
