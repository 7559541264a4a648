//! Who may give which order to whom (SYW-ORDER-05 to -20, SYW-ROUT-16): all that is judged before a die is thrown.

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Order, Presence, within};
use crate::options::{ColumnLeavesReserve, UncommandedRally};
use crate::orders::command::Addressee;
use crate::rulebook::{cm, count};
use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Illegal, UnitId};

impl SevenYearsBattle {
    pub(crate) fn judge_general(&self, id: UnitId) -> Result<GeneralIx, Illegal> {
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
    pub(crate) fn judge_address(&self, i: GeneralIx, whom: Addressee) -> Result<(), Illegal> {
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
        if times >= self.most_addresses() {
            let clause = if general.cinc { "SYW-ORDER-08" } else { "SYW-ORDER-07" };
            let why = format!("{} has addressed {name} {} in this phase", general.id, self.so_often());
            return refuse(clause, why);
        }
        Ok(())
    }

    /// How often a general may address one group or unit in a phase (SYW-ORDER-07, -08).
    fn most_addresses(&self) -> u8 {
        count(self.fixed.book.charts.counts.addresses) as u8
    }

    fn so_often(&self) -> String {
        match self.most_addresses() {
            1 => "once".into(),
            2 => "twice".into(),
            n => format!("{n} times"),
        }
    }

    /// Whether a group serves in a wing commander's wing (SYW-ARMY-20); un-commanded ones serve in none and any.
    pub(crate) fn of_wing(&self, g: GroupIx, wing: GeneralIx) -> bool {
        match self.group(g).command {
            None => true,
            Some(c) => c == wing || self.general(c).wing.is_none_or(|w| w == wing) && !self.general(c).cinc,
        }
    }

    pub(crate) fn named_group(&self, id: UnitId) -> Result<GroupIx, Illegal> {
        self.known_group(id).map_or_else(|| refuse("SYW-GROUP-01", format!("there is no group {id}")), Ok)
    }

    pub(crate) fn named_unit(&self, id: UnitId) -> Result<UnitIx, Illegal> {
        self.known_unit(id)
            .filter(|&u| self.unit(u).is_present() && self.unit(u).side == self.s.phasing)
            .map_or_else(
                || refuse("SYW-GROUP-01", format!("there is no unit {id} of yours on the table")),
                Ok,
            )
    }

    /// Whether a group may be put on an order (SYW-ORDER-11 to -13).
    pub(crate) fn judge_order(&self, g: GroupIx, order: Order) -> Result<(), Illegal> {
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
        // One of them may be near the enemy and another see him: they rally as a group (SYW-PURSUE-14).
        let members = self.members(g);
        let close = self.known_enemies(side).any(|e| {
            members.iter().any(|&u| self.near(u, e, cm(self.distances().no_rally)))
                && members.iter().any(|&u| self.unit_sees(u, e))
        });
        if close {
            return refuse(
                "SYW-ROUT-16",
                format!(
                    "{group} sees an enemy within {} cm and does not rally",
                    cm(self.distances().no_rally)
                ),
            );
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
        if self.unit(u).surrendered {
            return refuse("SYW-ROUT-23", format!("{unit} has surrendered"));
        }
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
        if cinc && self.fixed.options.wing_commanders > 0 && !self.of_wing(g, i) {
            return refuse("SYW-ARMY-20", format!("{unit} is not of {general}'s wing"));
        }
        if times >= self.most_addresses() {
            return refuse(
                if cinc { "SYW-ORDER-08" } else { "SYW-ORDER-07" },
                format!("{general} has addressed {unit} {} in this phase", self.so_often()),
            );
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
        if !within(self.general_gap(i, &[u]), cm(self.distances().transfer)) {
            return refuse(
                "SYW-ORDER-19",
                format!("{general} must be within {} cm of {unit}", cm(self.distances().transfer)),
            );
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
        let near = cm(self.distances().joins);
        if !self.groups_near(g, t, near) {
            return refuse("SYW-ORDER-20", format!("{group} and {to} must stand within {near} cm"));
        }
        if self.group_in_melee(g) || self.group_in_melee(t) {
            return refuse("SYW-ORDER-20", "groups in melee do not join");
        }
        Ok((i, g, t))
    }
}
