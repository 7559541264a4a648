//! Over the edge and back (SYW-OFF), and flank marches (SYW-DEPLOY-16 to -18).

use smallvec::SmallVec;
use tricorne_chance::{Chance, Scripted};
use tricorne_drill::{Now, Rules, refuse};
use tricorne_game::{Illegal, Log, Side};
use tricorne_table::{Edge, Point, Pose, Rect};

use crate::action::Place;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{gap_between, join_bounds, overlapping};
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Formation, Groups, Left, Order, Presence, SLACK, Unit, Units, within};
use crate::movement::walk::Mover;
use crate::questions::{ComeBack, MakeRoom};
use crate::rulebook::{cm, count};
use crate::sequence::turn::Task;

pub(crate) mod come_back;
pub(crate) mod make_room;

/// Units that come back, as they will stand.
pub type Arrivals = SmallVec<[(UnitIx, Unit); 4]>;

impl SevenYearsBattle {
    /// A group goes over the edge (SYW-OFF-02, -03) by the way its walk took.
    pub(crate) fn leave_by(&mut self, g: GroupIx, movers: &[Mover], log: &mut Log) {
        let rects: Vec<Rect> = movers.iter().flat_map(|m| self.rects_at(&m.new, m.new.pose())).collect();
        self.leave_from(g, &rects, log);
    }

    /// The same for one that lies at the edge already.
    pub(crate) fn leave_table(&mut self, g: GroupIx, log: &mut Log) {
        let rects: Vec<Rect> = self.members(g).iter().flat_map(|&u| self.rects(u)).collect();
        self.leave_from(g, &rects, log);
    }

    /// Over which edge some footprints go, or nearly go, and where (SYW-OFF-05).
    pub(crate) fn way_out(&self, rects: &[Rect]) -> (Edge, Point) {
        let table = self.fixed.table.bounds();
        let bounds = join_bounds(rects);
        let beyond = [
            (Edge::North, bounds.max.y - table.max.y),
            (Edge::East, bounds.max.x - table.max.x),
            (Edge::South, table.min.y - bounds.min.y),
            (Edge::West, table.min.x - bounds.min.x),
        ];
        let (edge, _) = beyond.into_iter().fold(beyond[0], |a, b| if b.1 > a.1 + 1e-9 { b } else { a });
        let sum = rects.iter().fold(Point::ORIGIN, |sum, r| sum + r.centre());
        let centre = sum * (1.0 / rects.len().max(1) as f64);
        (edge, self.fixed.table.edge(edge).nearest(centre))
    }

    fn leave_from(&mut self, g: GroupIx, rects: &[Rect], log: &mut Log) {
        let members = self.members(g);
        let (edge, at) = self.way_out(rects);
        let routed = self.group(g).order == Order::Rout;
        let followed =
            self.group_ids().any(|p| self.group(p).pursuing == Some(g) && self.group(p).off.is_none());
        let group = self.group(g);
        let because = if routed {
            "in rout"
        } else if group.order == Order::Retreat {
            "in retreat"
        } else if group.pursuing.is_some() {
            "in pursuit"
        } else if group.phase.evaded || group.phase.fell_back > 0.0 {
            "before the enemy"
        } else if members.iter().any(|&u| self.unit(u).phase.charging) {
            "carried on by the charge"
        } else {
            "on the march"
        };
        log.say(|| {
            let clause = if routed { "SYW-OFF-03" } else { "SYW-OFF-02" };
            self.group_event("left_table", clause, g).with("because", because)
        });
        for &u in &members {
            let unit = self.unit_mut(u);
            if unit.presence == Presence::Hidden {
                // Where it lay was its owner's to know, and stays so (SYW-HIDE-01).
                (unit.at, unit.facing) = (Point::ORIGIN, 0.0);
                unit.reframe();
            }
            unit.presence = Presence::Off;
        }
        let group = self.group_mut(g);
        group.off = Some(Left {
            at,
            edge,
            followed,
            routed,
            tries: 0,
            march: false,
            either: false,
            fresh: false,
            ready: false,
            tried: true,
        });
        group.pursuing = None;
        group.phase.charging = false;
        group.phase.moved = true;
        if !routed {
            // SYW-OFF-04
            group.order = Order::Reserve;
        }
        self.sync_contacts();
    }

    /// Groups of a side that may try to come back now (SYW-OFF-05 to -07).
    pub(crate) fn may_return(&self, side: Side) -> Groups {
        let marches = count(self.fixed.book.charts.counts.march_turn);
        let mut groups: Groups = self
            .group_ids()
            .filter(|&g| {
                let group = self.group(g);
                group.side == side
                    && group.units.iter().any(|&u| self.unit(u).presence == Presence::Off)
                    && group.off.is_some_and(|o| !o.tried && (!o.march || self.s.turn as usize >= marches))
            })
            .collect();
        self.in_order(&mut groups);
        groups
    }

    /// Rolls for a group off the table.
    pub(crate) fn try_return(&mut self, g: GroupIx, now: &mut Now<'_>) {
        let Some(mut off) = self.group(g).off else { return };
        off.tried = true;
        if !off.ready {
            let least = &self.fixed.book.charts.least;
            let followed = !off.march && off.tries == 0 && (off.followed || off.routed);
            let needed = if followed { least.comes_back_followed } else { least.comes_back }.value;
            let face = now.chance.d6(self.dice_of(self.is_secret_group(g), "return", "hidden_return"));
            off.tries = off.tries.saturating_add(1);
            let came = i32::from(face) >= needed;
            now.say(|| {
                // Who has yet to be on the table does not come back to it.
                let told = match (came, off.fresh, off.march) {
                    (true, false, _) => "were on their way back",
                    (true, true, true) => "had come round the flank",
                    (true, true, false) => "found room at last",
                    (false, false, _) => "stayed away",
                    (false, true, true) => "were still on the march",
                    (false, true, false) => "waited on",
                };
                self.group_event("returned", "SYW-OFF-05", g)
                    .faces(&[face])
                    .needed(needed)
                    .outcome(if came { "returns" } else { "stays_off" })
                    .with("told", told)
            });
            if !came {
                self.group_mut(g).off = Some(off);
                if off.routed {
                    // SYW-OFF-06: routers have one try only. They are told by name while there are any.
                    now.say(|| self.group_event("lost_for_good", "SYW-OFF-06", g));
                    for u in self.group(g).units.clone() {
                        if self.unit(u).presence == Presence::Off {
                            self.unit_mut(u).presence = Presence::Gone;
                            self.unit_mut(u).stands.clear();
                        }
                    }
                    self.generals_return(g, off.at, now.log);
                    self.judge_at_once(now.log);
                }
                return;
            }
        }
        off.ready = true;
        self.group_mut(g).off = Some(off);
        self.ask(ComeBack { group: g });
    }

    /// What comes next if nobody arrives of whom only his own side knows; none where dice must fall first.
    pub(crate) fn without_arrivals(&self) -> Option<Self> {
        let mut other = self.clone();
        other.s.tasks.pop();
        for g in self.group_ids().filter(|&g| self.is_secret_group(g)) {
            if let Some(off) = &mut other.group_mut(g).off {
                off.tried = true;
            }
        }
        let mut no_dice = Scripted::new([]);
        other.proceed(&mut Now { chance: &mut no_dice, log: &mut Log::off() });
        no_dice.fault().is_none().then_some(other)
    }

    /// The facing inwards from an edge.
    pub(crate) fn inwards(edge: Edge) -> f64 {
        match edge {
            Edge::North => 180.0,
            Edge::East => 270.0,
            Edge::South => 0.0,
            Edge::West => 90.0,
        }
    }

    /// Where the units of a group that comes back would stand (SYW-OFF-09).
    pub(crate) fn judge_place(
        &self,
        g: GroupIx,
        at: Place,
        formation: Formation,
        edge: Option<Edge>,
    ) -> Result<Arrivals, Illegal> {
        let Some(off) = self.group(g).off else {
            return refuse("SYW-OFF-09", format!("{} is on the table", self.group(g).id));
        };
        let at = Point::new(at[0], at[1]);
        if !at.is_finite() {
            return refuse("SYW-OFF-09", "the place needs two ordinary numbers");
        }
        let edge = edge.filter(|_| off.either).unwrap_or(off.edge);
        let facing = Self::inwards(edge);
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        if off.march {
            // SYW-DEPLOY-18: the part of a short side beside the opponent's deployment area.
            let enemy = self.s.armies[1 - self.group(g).side.index().min(1)].edge;
            let strip = depth * 0.5 - self.off_centre(self.group(g).side.enemy());
            let fits = match enemy {
                Edge::South => within(at.y, strip),
                _ => within(depth - strip, at.y),
            };
            if !fits || !matches!(edge, Edge::East | Edge::West) {
                return refuse(
                    "SYW-DEPLOY-18",
                    "a flank march comes in on a short side, beside the enemy's deployment area",
                );
            }
        } else if !within(at.distance(off.at), cm(self.distances().comes_back) + 12.0)
            || !self.near_exit(at, off, edge)
        {
            return refuse(
                "SYW-OFF-05",
                format!("it comes back within {} cm of where it left", cm(self.distances().comes_back)),
            );
        }
        if !(formation.is_line() || formation.is_column()) {
            return refuse("SYW-OFF-09", "it comes back in line or in column");
        }
        // Units side by side along the edge, touching it with their rear.
        let units: Units =
            self.group(g).units.iter().copied().filter(|&u| self.unit(u).presence == Presence::Off).collect();
        let mut widths: SmallVec<[(UnitIx, Unit, f64, f64); 4]> = SmallVec::new();
        for &u in &units {
            let info = self.info(u);
            let form = if info.arm == crate::rulebook::Arm::Artillery { Formation::Line } else { formation };
            if form == Formation::DeepLine {
                self.may_form(u, form)?; // SYW-MODEL-07
            }
            let mut new = stands::formed(self.unit(u), form, info);
            stands::recentre(&mut new, info.depth);
            let e = new.extent(info.depth);
            widths.push((u, new, e.width(), e.depth()));
        }
        let total: f64 =
            widths.iter().map(|w| w.2).sum::<f64>() + 0.5 * (widths.len().saturating_sub(1)) as f64;
        let right = tricorne_table::angle::right(facing);
        let inward = tricorne_table::angle::forward(facing);
        let base = match edge {
            Edge::North => Point::new(at.x, depth),
            Edge::South => Point::new(at.x, 0.0),
            Edge::East => Point::new(width, at.y),
            Edge::West => Point::new(0.0, at.y),
        };
        let mut offset = -total * 0.5;
        let mut placed = SmallVec::new();
        for (u, mut new, w, d) in widths {
            new.at = base + right * (offset + w * 0.5) + inward * d;
            new.facing = facing;
            offset += w + 0.5;
            let rects = self.rects_at(&new, crate::model::state::grain(new.pose()));
            let bounds = join_bounds(&rects);
            let table = self.fixed.table.bounds().grown(SLACK);
            if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                return refuse("SYW-OFF-11", "there is no room on the edge for the whole group there");
            }
            if self.on_impassable(&rects, u) {
                return refuse("SYW-OFF-11", "it cannot be set down on ground it may not enter");
            }
            placed.push((u, new));
        }
        // Everybody nearer than 10 must be able to make room.
        for v in self.too_near(&placed) {
            if self.room_for(v, &placed).is_none() {
                return refuse("SYW-OFF-11", format!("{} has nowhere to make room", self.unit(v).id));
            }
        }
        Ok(placed)
    }

    fn near_exit(&self, at: Point, off: Left, edge: Edge) -> bool {
        let along = |p: Point| match edge {
            Edge::North | Edge::South => p.x,
            Edge::East | Edge::West => p.y,
        };
        within((along(at) - along(off.at)).abs(), cm(self.distances().comes_back))
    }

    /// Troops closer than 10 to a group that comes back (SYW-OFF-10).
    fn too_near(&self, placed: &[(UnitIx, Unit)]) -> Units {
        let rects: SmallVec<[Rect; 16]> =
            placed.iter().flat_map(|(_, n)| self.rects_at(n, n.pose())).collect();
        let mut near: Units = self
            .unit_ids()
            .filter(|&v| self.unit(v).is_known())
            .filter(|&v| self.rects_gap(&rects, v, cm(self.distances().makes_room) - 2.0 * SLACK).is_some())
            .collect();
        self.units_in_order(&mut near);
        near
    }

    /// A free place 10 from those who come back, the nearest found (SYW-OFF-10).
    pub(crate) fn room_for(&self, v: UnitIx, placed: &[(UnitIx, Unit)]) -> Option<Pose> {
        let rects: SmallVec<[Rect; 16]> =
            placed.iter().flat_map(|(_, n)| self.rects_at(n, n.pose())).collect();
        let unit = self.unit(v);
        let away = unit.at - join_bounds(&rects).centre();
        let away = away.unit().unwrap_or(Point::new(0.0, 1.0));
        for step in 0..40 {
            let off = f64::from(step);
            for turn in [0.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 120.0, -120.0] {
                let pose = crate::model::state::grain(unit.pose().slid(away.turned(turn) * off));
                let mine = self.rects_at(unit, pose);
                if self.is_free(&mine, v) && self.has_made_room(&mine, &rects) {
                    return Some(pose);
                }
                if step == 0 {
                    break;
                }
            }
        }
        None
    }

    /// Whether some footprints are as far from those who come as making room asks.
    fn has_made_room(&self, mine: &[Rect], others: &[Rect]) -> bool {
        gap_between(mine, others) >= cm(self.distances().makes_room) - SLACK
    }

    /// Marks where a returning group will stand; those in its way make room first (SYW-OFF-10).
    pub(crate) fn set_down(&mut self, g: GroupIx, placed: Arrivals) {
        let near = self.too_near(&placed);
        for (u, new) in placed {
            self.put_as(u, new);
        }
        self.s.tasks.push(Task::Land { group: g });
        for v in near.into_iter().rev() {
            self.ask(MakeRoom { unit: v, group: g });
        }
    }

    /// Whether a unit stands in the way of a group that comes back.
    pub(crate) fn crowds(&self, unit: UnitIx, group: GroupIx) -> bool {
        self.arriving(group)
            .iter()
            .any(|&u| self.gap_below(u, unit, cm(self.distances().makes_room) - 2.0 * SLACK).is_some())
    }

    /// Units of a group that are about to come back, where they will stand.
    pub(crate) fn arriving(&self, g: GroupIx) -> Units {
        self.group(g).units.iter().copied().filter(|&u| self.unit(u).presence == Presence::Off).collect()
    }

    /// The group stands on the table again (SYW-OFF-09).
    pub(crate) fn land(&mut self, g: GroupIx, log: &mut Log) {
        let routed = self.group(g).off.is_some_and(|o| o.routed);
        let again = self.group(g).off.is_none_or(|o| !o.fresh);
        let units = self.arriving(g);
        for &u in &units {
            let mut new = self.unit(u).clone();
            new.presence = Presence::OnTable;
            new.turned = None;
            new.disordered |= routed;
            if self.is_free(&self.rects_at(&new, new.pose()), u) {
                self.put_as(u, new);
            } else {
                self.settle(u, new);
            }
        }
        {
            let group = self.group_mut(g);
            group.off = None;
            group.order = Order::Reserve;
            group.phase.moved = false;
            group.phase.halted = false;
            group.phase.used = 0.0;
            group.phase.fled = false;
        }
        log.say(|| self.group_event("set_down", "SYW-OFF-09", g).with("again", again));
        let near = self.front_middle(&units);
        for u in units {
            self.push_generals(u, log);
        }
        self.generals_return(g, near, log);
        self.sync_contacts();
        self.reveal_by_sight(log);
    }

    /// Judges where troops make room (SYW-OFF-10).
    pub(crate) fn judge_room(&self, v: UnitIx, g: GroupIx, at: Place, facing: f64) -> Result<Pose, Illegal> {
        let pose = Pose::new(Point::new(at[0], at[1]), facing);
        if !pose.is_finite() || !facing.is_finite() {
            return refuse("SYW-OFF-10", "the place needs ordinary numbers");
        }
        let pose = crate::model::state::grain(pose);
        let unit = self.unit(v);
        let mine = self.rects_at(unit, pose);
        if !self.is_free(&mine, v) {
            return refuse("SYW-OFF-10", format!("{} would stand on somebody or off the table", unit.id));
        }
        let mut nearest = f64::MAX;
        for u in self.arriving(g) {
            nearest = nearest.min(gap_between(&mine, &self.rects(u)));
        }
        if nearest < cm(self.distances().makes_room) - SLACK {
            return refuse(
                "SYW-OFF-10",
                format!(
                    "{} must be put {} cm from the group that comes back",
                    unit.id,
                    cm(self.distances().makes_room)
                ),
            );
        }
        if nearest > cm(self.distances().makes_room) + 1.5 {
            return refuse(
                "SYW-OFF-10",
                format!(
                    "{} is put {} cm from the group, no farther",
                    unit.id,
                    cm(self.distances().makes_room)
                ),
            );
        }
        Ok(pose)
    }

    /// A place that makes room, for those who do not choose.
    pub(crate) fn default_room(&self, v: UnitIx, g: GroupIx) -> Option<Pose> {
        let placed: Arrivals = self.arriving(g).iter().map(|&u| (u, self.unit(u).clone())).collect();
        let found = self.room_for(v, &placed)?;
        // Slide back towards the group until it is just 10 off.
        let rects: SmallVec<[Rect; 16]> =
            placed.iter().flat_map(|(_, n)| self.rects_at(n, n.pose())).collect();
        let unit = self.unit(v);
        let way = join_bounds(&rects).centre() - found.at;
        let Some(way) = way.unit() else { return Some(found) };
        let mut best = found;
        for step in 1..60 {
            let pose = crate::model::state::grain(found.slid(way * (f64::from(step) * 0.25)));
            let mine = self.rects_at(unit, pose);
            if !self.is_free(&mine, v) || !self.has_made_room(&mine, &rects) {
                break;
            }
            best = pose;
        }
        Some(best)
    }

    /// Puts a unit that made room.
    pub(crate) fn make_room(&mut self, v: UnitIx, pose: Pose, log: &mut Log) {
        self.put(v, pose);
        self.unit_mut(v).phase.moved = true;
        let g = self.unit(v).group;
        log.say(|| self.unit_event("made_room", "SYW-OFF-10", v));
        // Routers rally in no other way than by SYW-ROUT-16.
        if self.group(g).order != Order::Rout {
            self.set_order(g, Order::Stand, Some("after making room"), log);
        }
        self.sync_contacts();
    }

    /// Whether some footprints overlap at all.
    pub(crate) fn any_overlap(a: &[Rect], b: &[Rect]) -> bool {
        a.iter().any(|x| b.iter().any(|y| overlapping(x, y)))
    }

    /// The table edge a side's routers run to: its base edge and the side edges of its own half (SYW-ROUT-08).
    pub(crate) fn home_distance(&self, side: Side, at: Point) -> f64 {
        let table = &self.fixed.table;
        let base = self.s.armies[side.index().min(1)].edge;
        let home = table.distance_to_edge(base, at);
        let half = table.depth() * 0.5;
        // To a side edge of its own half, by way of the half if need be.
        let into_half = match base {
            Edge::South => (at.y - half).max(0.0),
            _ => (half - at.y).max(0.0),
        };
        let aside = table.distance_to_edge(Edge::West, at).min(table.distance_to_edge(Edge::East, at));
        let side_way = Point::new(aside, into_half).length();
        home.min(side_way)
    }

    /// Whether a place is in a side's own half.
    pub(crate) fn in_own_half(&self, side: Side, at: Point) -> bool {
        let half = self.fixed.table.depth() * 0.5;
        match self.s.armies[side.index().min(1)].edge {
            Edge::South => at.y <= half,
            _ => at.y >= half,
        }
    }
}
