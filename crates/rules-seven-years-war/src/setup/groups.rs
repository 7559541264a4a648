//! The groups of a set-up file: made by their units, and what it says of them beyond these.

use tricorne_game::{Place, Side, UnitId};
use tricorne_table::{Edge, Point};

use super::{Found, Reader};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GroupIx;
use crate::model::state::{Aim, Group, GroupPhase, Left, Order, UnitInfo, Units};
use crate::setup::file::{File, UnitFile};

impl Reader<'_> {
    /// The group a unit is of, made when it is first named.
    pub(super) fn group_for(
        &self,
        i: usize,
        u: &UnitFile,
        f: &File,
        battle: &mut SevenYearsBattle,
        side: Side,
        info: &UnitInfo,
    ) -> Found<GroupIx> {
        let at = |key: &str| [Place::from("unit"), i.into(), key.into()];
        let name = u.own.group.as_deref().unwrap_or(u.id.as_str());
        let id: UnitId = name.parse().map_err(|why: String| self.fault(&at("group"), why))?;
        let row = f.own.group.iter().find(|g| g.id == name);
        if let Some(g) = battle.find_group(id) {
            let group = battle.group(g);
            if group.side != side {
                return Err(self.fault(&at("group"), format!("`{name}` belongs to the other side")));
            }
            if group.arm != info.arm {
                return Err(self.fault(
                    &at("group"),
                    format!("`{name}` mixes arms; a group is all foot, all horse or all guns [SYW-GROUP-03]"),
                ));
            }
            let named = u.own.command.as_deref().filter(|&name| name != "none");
            if let Some(general) = named
                && group.command.is_none_or(|c| battle.s.generals[usize::from(c)].id.as_str() != general)
            {
                return Err(self.fault(
                    &at("command"),
                    format!("`{name}` is not under `{general}`; a group takes orders from one general [SYW-ARMY-22]"),
                ));
            }
            if let Some(order) = u.own.order {
                battle.group_mut(g).order = order;
            }
            return Ok(g);
        }
        let command = u.own.command.as_deref().or(row.and_then(|r| r.command.as_deref()));
        let command = match command {
            None | Some("none") => None,
            Some(name) => {
                let found = name.parse().ok().and_then(|id| battle.find_general(id)).filter(|&c| {
                    let general = &battle.s.generals[usize::from(c)];
                    general.side == side && (!general.cinc || battle.fixed.options.wing_commanders > 0)
                });
                Some(found.ok_or_else(|| {
                    self.fault(&at("command"), format!("there is no sub-general `{name}` on that side"))
                })?)
            }
        };
        let march = row.is_some_and(|r| r.flank_march);
        let off = row.and_then(|r| r.off.clone());
        let edge = row.and_then(|r| r.edge);
        let left = if march {
            Some(Left {
                at: Point::ORIGIN,
                edge: edge.unwrap_or(Edge::East),
                followed: false,
                routed: false,
                tries: 0,
                march: true,
                either: edge.is_none(),
                fresh: true,
                ready: false,
                tried: false,
            })
        } else {
            off.map(|o| {
                let p = Point::new(o.at[0], o.at[1]);
                Left {
                    at: p,
                    edge: battle.fixed.table.nearest_edge(p),
                    followed: o.followed,
                    routed: o.routed,
                    tries: o.tries,
                    march: false,
                    either: false,
                    fresh: false,
                    ready: false,
                    tried: false,
                }
            })
        };
        let order = u.own.order.or(row.and_then(|r| r.order)).unwrap_or(if left.is_some() {
            Order::Reserve
        } else {
            Order::Stand
        });
        if !self.position() {
            let fair = if command.is_some() {
                order == Order::Stand
            } else {
                !matches!(order, Order::Retreat | Order::Rout)
            };
            if !fair {
                return Err(self.fault(
                    &at("order"),
                    "commanded groups start on Stand, others on Advance, Reserve or Stand [SYW-ORDER-01, -02]",
                ));
            }
        }
        battle.s.groups.push(Group {
            id,
            side,
            arm: info.arm,
            order,
            command,
            units: Units::new(),
            gave_way_before: None,
            pursuing: None,
            pursued: false,
            off: left,
            deferred: None,
            met_pursuers: false,
            ghosts_started: 0,
            near: None,
            phase: GroupPhase::default(),
        });
        Ok(GroupIx::of(battle.s.groups.len() - 1))
    }

    /// What the file says of groups beyond their units.
    pub(super) fn group_facts(&self, f: &File, battle: &mut SevenYearsBattle) -> Found<()> {
        for u in battle.unit_ids() {
            battle.refresh(u);
        }
        for (i, row) in f.own.group.iter().enumerate() {
            let at = |key: &str| [Place::from("group"), i.into(), key.into()];
            let found = row.id.parse().ok().and_then(|id| battle.find_group(id));
            let Some(g) = found else {
                return Err(self.fault(&at("id"), format!("no unit is of group `{}`", row.id)));
            };
            if let Some(name) = &row.pursuing {
                let prey = name.parse().ok().and_then(|id| battle.find_group(id));
                let Some(prey) = prey else {
                    return Err(self.fault(&at("pursuing"), format!("there is no group `{name}`")));
                };
                battle.group_mut(g).pursuing = Some(prey);
            }
            let speed = battle.members(g).iter().map(|&u| battle.info(u).speed).fold(f64::MAX, f64::min);
            let group = battle.group_mut(g);
            if let Some(order) = row.order {
                group.order = order;
            }
            group.phase.moved = row.moved;
            group.phase.charging = row.charging;
            group.phase.tested_charge = row.charging;
            group.phase.fell_back = row.fell_back;
            group.phase.evaded = row.evaded;
            if let Some(left) = row.left {
                group.phase.used = (speed - left).max(0.0);
            }
            for (k, [u, t]) in row.aims.iter().enumerate() {
                let place = [Place::from("group"), i.into(), "aims".into(), k.into()];
                let find = |name: &str| name.parse().ok().and_then(|id| battle.find_unit(id));
                let (Some(u), Some(t)) = (find(u), find(t)) else {
                    return Err(self.fault(&place, "names a unit that does not exist"));
                };
                let from = battle.charge_direction(u, t);
                let gap = battle.gap(u, t);
                battle.group_mut(g).phase.aims.push(Aim { gap, ..Aim::met(u, t, from) });
                battle.unit_mut(t).phase.charged = true;
            }
        }
        Ok(())
    }
}
