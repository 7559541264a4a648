//! Events about units and groups, by the names of their troops, and kept from those who may not know (SYW-HIDE-01).

use tricorne_game::{Event, Seat, Side};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Presence, Units};

impl SevenYearsBattle {
    /// A group by the names of its units: those on the table, failing that those that may come, the dead only of a group
    /// that has no others.
    pub(crate) fn troops(&self, g: GroupIx) -> String {
        let units = &self.group(g).units;
        let here: Units = units.iter().copied().filter(|&u| self.unit(u).is_known()).collect();
        let alive = || units.iter().copied().filter(|&u| self.unit(u).presence != Presence::Gone);
        let left: Units = if here.is_empty() { alive().collect() } else { here };
        let told = if left.is_empty() { units.clone() } else { left };
        let names: Vec<&str> = told.iter().map(|&u| self.info(u).name.as_str()).collect();
        match names.as_slice() {
            [] => self.group(g).id.to_string(),
            [one] => (*one).to_owned(),
            [first @ .., last] => format!("{} and {last}", first.join(", ")),
        }
    }

    /// An event about a group, named by its troops; for its owner alone while nobody else may know of them.
    pub(crate) fn group_event(&self, kind: &'static str, clause: &'static str, g: GroupIx) -> Event {
        let (id, side) = (self.group(g).id, self.group(g).side);
        let event = Event::new(kind, clause).with("group", id.as_str()).with("troops", self.troops(g));
        kept_to(event, side, self.is_secret_group(g))
    }

    /// The same with a length in it. How far a group goes, or how far it is to it, tells where the hidden ones of it are, though
    /// others of it are seen (SYW-HIDE-01).
    pub(crate) fn measured_event(&self, kind: &'static str, clause: &'static str, g: GroupIx) -> Event {
        let hidden = self.members(g).iter().any(|&u| self.is_secret(u));
        kept_to(self.group_event(kind, clause, g), self.group(g).side, hidden)
    }

    /// An event about a unit; for its owner alone while nobody else may know of it (SYW-HIDE-01, SYW-DEPLOY-18).
    pub(crate) fn unit_event(&self, kind: &'static str, clause: &'static str, u: UnitIx) -> Event {
        self.told_of(Event::new(kind, clause), u)
    }

    /// An event made one about a unit.
    pub(crate) fn told_of(&self, event: Event, u: UnitIx) -> Event {
        let unit = self.unit(u);
        kept_to(event.who(unit.id), unit.side, self.is_secret(u))
    }
}

/// What is a secret is told to its owner alone.
fn kept_to(event: Event, owner: Side, secret: bool) -> Event {
    if secret { event.only(&[Seat(owner.0)]) } else { event }
}
