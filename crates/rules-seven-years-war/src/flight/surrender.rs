//! Routers who lay down their arms, and who guards them (SYW-ROUT-10 to -15, -23).

use tricorne_game::Log;
use tricorne_table::{Point, Pose, Rect, Shape, angle};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::state::{Guard, Order, SLACK, Units, within};
use crate::options::SurrenderTrigger;
use crate::rulebook::{Arm, cm};

/// Why routers lay down their arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surrender {
    /// No way to their own half is open (SYW-ROUT-10).
    NoWayHome,
    /// Pursuers are upon them, and no slower (SYW-ROUT-11).
    RunDown,
}

impl SevenYearsBattle {
    /// Whether pursuers are upon routers that cannot outpace them (SYW-ROUT-11).
    pub(crate) fn must_surrender(&self, g: GroupIx, length: f64) -> bool {
        if self.fixed.options.surrender_trigger == SurrenderTrigger::NoRouteOnly {
            return false;
        }
        self.members(g).iter().any(|&u| {
            self.opponents(u).iter().any(|&e| {
                self.group_of(e).pursuing == Some(g)
                    && (self.fixed.options.surrender_trigger == SurrenderTrigger::CaughtAtOnce
                        || within(length, self.info(e).speed))
            })
        })
    }

    /// Whether a way to their own half is open: a straight corridor (SYW-ROUT-10).
    pub(crate) fn way_home_open(&self, g: GroupIx) -> bool {
        let side = self.group(g).side;
        let centre = self.centre_of(&self.members(g));
        if self.in_own_half(side, centre) {
            return true;
        }
        let half = self.fixed.table.depth() * 0.5;
        let width = self.fixed.table.width();
        // Who only touches its side does not bar it (SYW-MODEL-02).
        let wide = cm(self.distances().way_home) - 2.0 * SLACK;
        let enemies: Units = self.known_enemies(side).filter(|&e| self.bars_routers(e)).collect();
        let open = |heading: f64| {
            let way = angle::forward(heading);
            let dy = half - centre.y;
            if way.y * dy <= 0.001 {
                return false;
            }
            let length = dy / way.y;
            let end = centre + way * length;
            if end.x < 0.0 || end.x > width {
                return false;
            }
            let pose = Pose::new(centre.midpoint(end), heading);
            let corridor = Shape::Rect(Rect::centred(pose, wide, length.abs().max(0.1)));
            !enemies.iter().any(|&e| {
                self.unit(e).frame.bounds.meets(&corridor.bounds())
                    && self.rects(e).iter().any(|r| corridor.overlaps(&Shape::Rect(*r)))
            })
        };
        // Every degree; and, as a way may be narrower than that, just past the corners of all who stand about.
        let corners = enemies.iter().flat_map(|&e| self.rects(e)).flat_map(|r| r.corners());
        let beside = cm(self.distances().way_home) * 0.5;
        let past = corners.filter(|c| c.distance(centre) > beside).flat_map(|c| {
            let far = c.distance(centre);
            let aside = angle::bearing_of(Point::new(beside, (far * far - beside * beside).sqrt()));
            let bearing = angle::bearing(centre, c);
            [bearing - aside, bearing + aside]
        });
        (0..360).map(f64::from).chain(past).any(open)
    }

    /// A routing group gives itself up (SYW-ROUT-10 to -13).
    pub(crate) fn surrender(&mut self, g: GroupIx, why: Surrender, log: &mut Log) {
        let (clause, because) = match why {
            Surrender::NoWayHome => ("SYW-ROUT-10", "for no way to their own half was open"),
            Surrender::RunDown => ("SYW-ROUT-11", "for they could not outpace the enemy upon them"),
        };
        log.say(|| self.group_event("surrender", clause, g).with("because", because));
        for u in self.members(g) {
            self.unit_mut(u).surrendered = true;
            self.unit_mut(u).waited = false;
            self.note_guards(u);
        }
        // SYW-PURSUE-07
        for p in self.group_ids() {
            if self.group(p).pursuing == Some(g) {
                self.end_pursuit(p);
                self.set_order(p, Order::Stand, Some("for there was nobody left to pursue"), log);
                self.group_mut(p).phase.moved = true;
            }
        }
        self.sync_contacts();
    }

    /// Notes how those who touch a surrendered unit stand: its guards. Who has done more than stand and shoot is one no
    /// longer, for as long as he stays.
    pub(crate) fn note_guards(&mut self, u: UnitIx) {
        let before = &self.unit(u).guards;
        let relieved = |e: UnitIx| before.iter().any(|g| g.unit == e && !g.watches);
        let guards = self
            .guards(u)
            .iter()
            .map(|&e| {
                let unit = self.unit(e);
                Guard { unit: e, pose: unit.pose(), stands: unit.strength() as u8, watches: !relieved(e) }
            })
            .collect();
        self.unit_mut(u).guards = guards;
    }

    /// Enemies in touch with a surrendered unit (they are in no melee).
    pub(crate) fn guards(&self, u: UnitIx) -> Units {
        let side = self.unit(u).side;
        self.known_enemies(side).filter(|&e| !self.unit(e).surrendered && self.near(u, e, 0.1)).collect()
    }

    /// A guard that moves or turns is one no longer; who comes up becomes one. Prisoners whose last guard has gone take
    /// up their arms again at once (SYW-ROUT-14).
    pub(crate) fn watch_prisoners(&mut self, log: &mut Log) {
        if !self.s.units.iter().any(|u| u.surrendered) {
            return;
        }
        for g in self.group_ids() {
            let held: Units = self
                .members(g)
                .into_iter()
                .filter(|&u| self.unit(u).surrendered && self.unit(u).is_known())
                .collect();
            if held.is_empty() {
                continue;
            }
            // One that was killed has not done more than stand.
            let (mut gone, mut stays) = (false, false);
            for &u in &held {
                let now = self.guards(u);
                for k in 0..self.unit(u).guards.len() {
                    let guard = self.unit(u).guards[k];
                    if !guard.watches {
                        continue;
                    }
                    let unit = self.unit(guard.unit);
                    // Closing up after losses is not moving.
                    let still = unit.strength() != usize::from(guard.stands)
                        || (unit.at.near(guard.pose.at)
                            && angle::turn(unit.facing, guard.pose.facing).abs() < 0.05);
                    if still && now.contains(&guard.unit) {
                        stays = true;
                    } else if !unit.stands.is_empty() {
                        gone = true;
                        self.unit_mut(u).guards[k].watches = false;
                    }
                }
            }
            if gone && !stays {
                self.rally_surrendered(g, log);
                continue;
            }
            for &u in &held {
                self.note_guards(u);
            }
        }
    }

    /// A guard that fights has done more than stand and shoot (SYW-ROUT-14).
    pub(crate) fn leaves_guard(&mut self, e: UnitIx, log: &mut Log) {
        for g in self.group_ids() {
            let held = self.members(g);
            if !held.iter().any(|&u| self.unit(u).surrendered) {
                continue;
            }
            let mut left = false;
            for &u in &held {
                for guard in self.unit_mut(u).guards.iter_mut().filter(|g| g.unit == e && g.watches) {
                    guard.watches = false;
                    left = true;
                }
            }
            if left && !held.iter().any(|&u| self.unit(u).guards.iter().any(|g| g.watches)) {
                self.rally_surrendered(g, log);
            }
        }
    }

    /// At the end of the enemy's own close combat prisoners are taken, if anybody touches them or they have waited since
    /// the one before (SYW-ROUT-12, -15).
    pub(crate) fn settle_surrendered(&mut self, log: &mut Log) {
        for g in self.group_ids() {
            if self.group(g).side == self.s.phasing {
                continue;
            }
            let held: Units = self.members(g).into_iter().filter(|&u| self.unit(u).surrendered).collect();
            // They laid down their arms as a group, and whoever touches one of them leads off all (SYW-PURSUE-14).
            if held.iter().all(|&u| self.guards(u).is_empty() && !self.unit(u).waited) {
                for u in held {
                    self.unit_mut(u).waited = true;
                }
                continue;
            }
            for u in held {
                if self.info(u).arm == Arm::Infantry && self.is_massed(u) {
                    self.note_places(g, &[u]);
                }
                self.destroy(u, "SYW-ROUT-12", log);
            }
        }
    }

    fn rally_surrendered(&mut self, g: GroupIx, log: &mut Log) {
        for u in self.members(g) {
            let unit = self.unit_mut(u);
            unit.surrendered = false;
            unit.waited = false;
            unit.guards.clear();
            unit.disordered = true;
        }
        log.say(|| self.group_event("escaped", "SYW-ROUT-14", g));
        self.group_mut(g).order = Order::Reserve;
        let here = self.centre_of(&self.members(g));
        let facing = self.nearest_enemy(g).map(|(e, _)| angle::bearing(here, self.centre_of(&[e])));
        self.reform(g, facing);
        self.sync_contacts();
    }
}
