//! Generals who go with troops that give way, or stay behind (SYW-GEN-17, SYW-OFF-13).

use smallvec::SmallVec;
use tricorne_game::{Event, Log};
use tricorne_table::Point;

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx};
use crate::model::state::within;
use crate::questions::{GoAlong, Questions};
use crate::rulebook::cm;

/// Generals beside a group, and where it stood.
pub type Beside = (SmallVec<[GeneralIx; 2]>, Point);

impl SevenYearsBattle {
    /// Generals within 1.0 of a group, whosever it is, who may go with it if it gives way, and where it stands.
    pub(crate) fn generals_beside(&self, g: GroupIx) -> Beside {
        let members = self.members(g);
        let side = self.group(g).side;
        let beside = GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let general = self.general(i);
                general.side == side
                    && general.is_present()
                    && within(self.general_gap(i, &members), cm(self.distances().goes_along))
            })
            .collect();
        (beside, self.centre_of(&members))
    }

    /// Their owner is asked whether they go along.
    pub(crate) fn ask_along(&mut self, g: GroupIx, beside: &Beside) {
        let way = if self.group(g).off.is_some() {
            Point::ORIGIN
        } else {
            let members = self.members(g);
            if members.is_empty() {
                return;
            }
            self.centre_of(&members) - beside.1
        };
        if self.group(g).off.is_none() && way.length() < 0.01 {
            return;
        }
        let group = self.group(g);
        let (off, command) = (group.off.is_some(), group.command);
        for &general in beside.0.iter().rev() {
            // Over the edge only its own general, or the C-in-C, goes with it (SYW-OFF-13).
            if !off || self.general(general).cinc || command == Some(general) {
                self.ask(GoAlong { general, group: g, way });
            }
        }
    }

    /// Those who have been left behind answer before anybody follows up.
    pub(crate) fn along_first(&mut self) {
        self.ask_first(|q| matches!(q, Questions::GoAlong(_)));
    }

    /// Whether there is still something to ask: he is here, and has somewhere to go.
    pub(crate) fn can_go_along(&self, i: GeneralIx, g: GroupIx, way: Point) -> bool {
        let general = self.general(i);
        general.is_present() && (self.group(g).off.is_some() || self.place_along(i, way).is_some())
    }

    fn place_along(&self, i: GeneralIx, way: Point) -> Option<Point> {
        self.free_place_for(i, (self.general(i).at + way).round_to(0.01), 30.0)
    }

    /// He keeps his place beside them, free of his own move; over the edge he is off the table with them.
    pub(crate) fn go_along(&mut self, i: GeneralIx, g: GroupIx, way: Point, log: &mut Log) {
        let id = self.general(i).id;
        if self.group(g).off.is_some() {
            let general = self.general_mut(i);
            general.off_with = Some(g);
            general.attempts = 0;
            log.say(|| self.group_event("general_left", "SYW-OFF-13", g).who(id));
        } else if let Some(at) = self.place_along(i, way) {
            self.general_mut(i).at = at;
            log.say(|| {
                let event = Event::new("general_rides", "SYW-GEN-17").who(id).outcome("along");
                event.with("troops", self.troops(g)).with("x", at.x).with("y", at.y)
            });
        }
    }

    /// Generals who left with a group are on the table again, beside it or where it went over the edge.
    pub(crate) fn generals_return(&mut self, g: GroupIx, near: Point, log: &mut Log) {
        for i in GeneralIx::first(self.s.generals.len()) {
            if self.general(i).off_with != Some(g) {
                continue;
            }
            if let Some(at) = self.free_place_for(i, near.round_to(0.01), 200.0) {
                let general = self.general_mut(i);
                general.off_with = None;
                general.at = at;
                let id = general.id;
                log.say(|| {
                    let event = Event::new("general_rides", "SYW-OFF-13").who(id).outcome("back");
                    event.with("x", at.x).with("y", at.y)
                });
            }
        }
    }
}
