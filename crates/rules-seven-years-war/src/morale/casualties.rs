//! Stands lost, gaps filled, units gone (SYW-CAS, SYW-GROUP-08, -11).

use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, InOrder, Log};
use tricorne_table::{Point, Rect, angle};

use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GroupIx, UnitIx};
use crate::model::stands::{self, WIDTH};
use crate::model::state::{Formation, Presence, Stand, Unit, Units, within};
use crate::morale::disorder::Disorder;
use crate::questions::{Losses, Questions};
use crate::rulebook::{Arm, Class, cm, degrees};
use crate::sequence::turn::Task;

/// Numbers of stands.
pub type Removed = SmallVec<[u8; 8]>;

impl SevenYearsBattle {
    /// A result takes effect (SYW-SEQ-08): disorder at once, stands by their owner's choice.
    pub(crate) fn hit(&mut self, t: UnitIx, kills: u8, disorders: bool, why: Disorder, log: &mut Log) {
        if !self.unit(t).is_present() {
            return;
        }
        if disorders {
            self.disorder(t, why, log);
        }
        if kills > 0 {
            let g = self.unit(t).group;
            let melee = why == Disorder::InTheFight;
            self.note_generals(g);
            if !melee {
                self.group_mut(g).phase.shot_losses = true;
            }
            self.ask_in_turn(Losses { unit: t, kills, melee });
        }
    }

    /// Of those who lose stands at one time the first is asked first: the phasing side before the other (SYW-SEQ-07), the
    /// target before those the ball goes on into.
    fn ask_in_turn(&mut self, losses: Losses) {
        let waits = |task: &Task| matches!(task, Task::Ask(Questions::Losses(_)));
        let at = self.s.tasks.iter().rposition(|task| !waits(task)).map_or(0, |k| k + 1);
        self.s.tasks.insert(at, Task::ask(losses));
    }

    /// Stands lost when the owner does not choose: the farthest from contact, then the rightmost (SYW-CAS-02).
    pub(crate) fn default_losses(&self, u: UnitIx, kills: u8) -> Removed {
        let unit = self.unit(u);
        let engaged = self.engaged(u);
        let mut left: SmallVec<[(u8, Stand); 10]> =
            unit.stands.iter().enumerate().map(|(i, s)| (i as u8, *s)).collect();
        let mut removed = Removed::new();
        for _ in 0..kills {
            if left.is_empty() {
                break;
            }
            let rank = left.iter().map(|s| s.1.rank).max().unwrap_or(0);
            let distance = |s: &Stand| {
                engaged
                    .iter()
                    .map(|&e| {
                        let other = unit.stands[usize::from(e)];
                        let (du, dv) = (s.u - other.u, s.v - other.v);
                        du * du + dv * dv
                    })
                    .fold(f64::MAX, f64::min)
            };
            let mut best: Option<(usize, f64, f64, u8)> = None;
            for (k, (i, s)) in left.iter().enumerate() {
                if s.rank != rank {
                    continue;
                }
                let far = if engaged.is_empty() { 0.0 } else { distance(s) };
                let better = match best {
                    None => true,
                    Some((_, f, u0, _)) => far > f + 1e-9 || ((far - f).abs() <= 1e-9 && s.u > u0),
                };
                if better {
                    best = Some((k, far, s.u, *i));
                }
            }
            let Some((k, _, _, i)) = best else { break };
            removed.push(i);
            left.remove(k);
        }
        removed.sort_unstable();
        removed
    }

    /// Judges which stands an owner gives up (SYW-CAS-01, -02).
    pub(crate) fn judge_losses(&self, u: UnitIx, kills: u8, stands: &[u8]) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let wanted = usize::from(kills).min(unit.strength());
        if stands.len() != wanted {
            return refuse("SYW-CAS-02", format!("{} loses {wanted} stands; name as many", unit.id));
        }
        let mut left: SmallVec<[(u8, u8); 10]> =
            unit.stands.iter().enumerate().map(|(i, s)| (i as u8, s.rank)).collect();
        // From the rear: each must be of the last rank that is left when its turn comes.
        let mut given: SmallVec<[u8; 8]> = SmallVec::from_slice(stands);
        given.put_in_order_of(|&i| std::cmp::Reverse(unit.stands.get(usize::from(i)).map_or(0, |s| s.rank)));
        for i in given {
            let Some(k) = left.iter().position(|l| l.0 == i) else {
                return refuse("SYW-CAS-02", format!("{} has no stand {i} to lose", unit.id));
            };
            let rank = left.iter().map(|l| l.1).max().unwrap_or(0);
            if left[k].1 != rank {
                return refuse(
                    "SYW-CAS-01",
                    format!("casualties of {} come from its rear rank first", unit.id),
                );
            }
            left.remove(k);
        }
        Ok(())
    }

    /// Whether the owner has a choice that matters.
    pub(crate) fn has_choice_of_losses(&self, u: UnitIx, kills: u8) -> bool {
        let unit = self.unit(u);
        let n = usize::from(kills);
        if n >= unit.strength() {
            return false;
        }
        let mut left: SmallVec<[u8; 10]> = unit.stands.iter().map(|s| s.rank).collect();
        let mut kills = n;
        while kills > 0 {
            let last = left.iter().copied().max().unwrap_or(0);
            let in_rank = left.iter().map(|&r| usize::from(r == last)).sum::<usize>();
            if in_rank > kills {
                return true;
            }
            left.retain(|r| *r != last);
            kills -= in_rank;
        }
        false
    }

    /// Takes stands away.
    pub(crate) fn remove_stands(&mut self, u: UnitIx, stands: &[u8], melee: bool, log: &mut Log) {
        let n = stands.len();
        log.say(|| self.unit_event("casualties", "SYW-CAS-01", u).with("kills", n));
        let was: SmallVec<[UnitIx; 1]> = SmallVec::from_slice(&[u]);
        let wiped = n >= self.unit(u).strength();
        if wiped && self.info(u).arm == Arm::Infantry && self.is_massed(u) {
            let g = self.unit(u).group;
            self.note_places(g, &was);
        }
        let mut sorted: SmallVec<[u8; 8]> = SmallVec::from_slice(stands);
        sorted.sort_unstable();
        for &i in sorted.iter().rev() {
            let unit = self.unit_mut(u);
            if usize::from(i) < unit.stands.len() {
                unit.stands.remove(usize::from(i));
                let below = unit.phase.shot & ((1 << i) - 1);
                unit.phase.shot = below | ((unit.phase.shot >> 1) & !((1 << i) - 1));
                if usize::from(i) < unit.began.len() {
                    unit.began.remove(usize::from(i));
                }
            }
        }
        if melee {
            self.keep_pairs_to_fight(u);
            let g = self.unit(u).group;
            let group = self.group_mut(g);
            group.phase.melee_lost = group.phase.melee_lost.saturating_add(n as u8);
        }
        if self.unit(u).stands.is_empty() {
            self.wiped_out(u, "SYW-CAS-07", log);
        } else {
            let depth = self.info(u).depth;
            stands::recentre(self.unit_mut(u), depth);
            let exact = self.unit(u).pose();
            let pose = crate::model::state::grain(exact);
            if self.in_melee(u) || self.unit(u).split.is_some() {
                // The others stay where they are, to the last hundredth: rounding moves the origin only.
                let off = pose.to_local(exact.at);
                for s in &mut self.unit_mut(u).stands {
                    (s.u, s.v) = (s.u + off.x, s.v + off.y);
                }
            }
            self.put(u, pose);
            if !self.in_melee(u) {
                self.fill_gaps(u);
            }
        }
        self.sync_contacts();
        if !melee {
            // SYW-GROUP-08
            let g = self.unit(u).group;
            self.close_group(g, log);
        }
    }

    /// A unit is gone (SYW-CAS-07).
    fn wiped_out(&mut self, u: UnitIx, clause: &'static str, log: &mut Log) {
        log.say(|| self.unit_event("wiped_out", clause, u));
        self.unit_mut(u).presence = Presence::Gone;
        self.unit_mut(u).surrendered = false;
        for g in self.group_ids() {
            self.group_mut(g).phase.aims.retain(|a| a.unit != u && a.target != u);
        }
        self.end_dead_pursuits(log);
        self.judge_at_once(log);
    }

    /// A pursuit ends when all the routers are gone (SYW-PURSUE-07).
    pub(crate) fn end_dead_pursuits(&mut self, log: &mut Log) {
        for p in self.group_ids() {
            if let Some(prey) = self.group(p).pursuing {
                let gone = self.group(prey).off.is_none() && self.members(prey).is_empty();
                if gone {
                    self.end_pursuit(p);
                    let order = crate::model::state::Order::Stand;
                    self.set_order(p, order, Some("for there was nobody left to pursue"), log);
                }
            }
        }
    }

    /// All of a unit is killed at once.
    pub(crate) fn destroy(&mut self, u: UnitIx, clause: &'static str, log: &mut Log) {
        if self.unit(u).presence == Presence::Gone {
            return;
        }
        if self.info(u).arm == Arm::Infantry && self.is_massed(u) && self.unit(u).is_present() {
            let g = self.unit(u).group;
            self.note_places(g, &[u]);
        }
        let unit = self.unit_mut(u);
        unit.stands.clear();
        unit.began.clear();
        self.wiped_out(u, clause, log);
    }

    /// Closes gaps inside a unit (SYW-CAS-03 to -06, SYW-MOVE-15): from the rear rank, from the same rank for cavalry
    /// and lights, or by closing the rank inwards; engaged stands of the front stay where they are.
    pub(crate) fn fill_gaps(&mut self, u: UnitIx) {
        let unit = self.unit(u);
        if !unit.is_known() || !unit.formation.is_line() || unit.strength() < 2 || unit.split.is_some() {
            return;
        }
        let info = self.info_of(unit);
        let (cavalry_or_light, depth) = (info.arm == Arm::Cavalry || info.class == Class::Light, info.depth);
        let engaged = self.engaged(u);
        let mut new = unit.clone();
        let in_melee = self.in_melee(u);
        // Front rank from left to right; holes between neighbours.
        loop {
            let mut front: SmallVec<[usize; 10]> =
                (0..new.stands.len()).filter(|&i| new.stands[i].rank == 0).collect();
            front.put_in_order(|&a, &b| new.stands[a].u.total_cmp(&new.stands[b].u));
            let hole = front
                .windows(2)
                .find(|w| new.stands[w[1]].u - new.stands[w[0]].u > WIDTH + 0.05)
                .map(|w| (w[0], w[1]));
            let Some((a, b)) = hole else { break };
            let place = new.stands[a].u + WIDTH;
            // SYW-CAS-03: a rear-rank stand from anywhere in the unit first.
            let rear = (0..new.stands.len())
                .filter(|&i| new.stands[i].rank > 0)
                .min_by(|&x, &y| (new.stands[x].u - place).abs().total_cmp(&(new.stands[y].u - place).abs()));
            if let Some(r) = rear {
                let v = new.stands[a].v;
                new.stands[r] = Stand { u: place, v, turn: 0.0, rank: 0 };
                continue;
            }
            let free = |i: usize| !engaged.contains(&(i as u8));
            let gap = (new.stands[b].u - place).max(0.0);
            // The side whose stands may all move closes up.
            let left_free = front.iter().take_while(|&&i| i != b).all(|&i| free(i));
            let right_free = front.iter().rev().take_while(|&&i| i != a).all(|&i| free(i));
            if right_free {
                for &i in front.iter().skip_while(|&&i| i != b) {
                    new.stands[i].u -= gap;
                }
            } else if left_free {
                for &i in front.iter().take_while(|&&i| i != b) {
                    new.stands[i].u += gap;
                }
            } else if cavalry_or_light {
                // An unengaged end stand steps into the hole.
                let ends = [front[0], front[front.len() - 1]];
                let Some(&end) = ends.iter().find(|&&i| free(i)) else { break };
                new.stands[end].u = place;
            } else {
                break; // SYW-CAS-06
            }
        }
        // The rear rank closes up behind the front, from where it stands towards the middle.
        let mut rear: SmallVec<[usize; 10]> =
            (0..new.stands.len()).filter(|&i| new.stands[i].rank > 0).collect();
        rear.put_in_order(|&a, &b| new.stands[a].u.total_cmp(&new.stands[b].u));
        for w in 1..rear.len() {
            let (a, b) = (rear[w - 1], rear[w]);
            if new.stands[b].u - new.stands[a].u > WIDTH + 0.05 {
                new.stands[b].u = new.stands[a].u + WIDTH;
            }
        }
        if new.stands == unit.stands {
            return;
        }
        stands::recentre(&mut new, depth);
        if self.is_free(&self.rects_at(&new, crate::model::state::grain(new.pose())), u) || !in_melee {
            let moved = self.unit(u).phase.moved;
            if self.is_free(&self.rects_at(&new, crate::model::state::grain(new.pose())), u) {
                self.put_as(u, new);
                self.unit_mut(u).phase.moved = moved;
            }
        }
    }

    /// Units of a group slide together when losses tear it apart (SYW-GROUP-08).
    pub(crate) fn close_group(&mut self, g: GroupIx, log: &mut Log) {
        let members = self.members(g);
        if members.len() < 2 || members.iter().any(|&u| !self.unit(u).is_known()) {
            return;
        }
        if matches!(self.group(g).order, crate::model::state::Order::Rout) {
            return;
        }
        let facing = self.group_facing(g);
        let same_way = degrees(self.fixed.book.charts.degrees.group);
        let most = cm(self.distances().group_gap);
        if members.iter().any(|&u| angle::turn(self.unit(u).facing, facing).abs() > same_way) {
            return;
        }
        // One chain, in whatever order its units stand, has no gap.
        if self.chained(&members.iter().map(|&u| self.unit(u)).collect::<SmallVec<[&Unit; 4]>>()) {
            return;
        }
        // A gap wider than all who have fallen stood, and the room to either side of them, no casualties have opened.
        let (started, left) = self.group_strength(g);
        let widest = WIDTH * f64::from(started - left.min(started)) + most;
        let right = angle::right(facing);
        let mut order: SmallVec<[(f64, UnitIx); 4]> =
            members.iter().map(|&u| (self.centre_of(&[u]).dot(right), u)).collect();
        order.put_in_order(|a, b| a.0.total_cmp(&b.0));
        let mut closed = Units::new();
        for k in 1..order.len() {
            let (a, b) = (order[k - 1].1, order[k].1);
            let gap = self.gap(a, b);
            if within(gap, most) {
                continue;
            }
            let mover = if self.in_melee(b) { a } else { b };
            // Who has closed up on one side does not come away from it again for the other.
            if self.in_melee(mover) || closed.contains(&mover) {
                continue;
            }
            let way = if mover == b { -right } else { right };
            let Some(slide) = self.slide_that_closes(a, b, gap, facing).filter(|&s| within(s, widest)) else {
                continue;
            };
            let old = self.unit(mover).pose();
            let pose = crate::model::state::grain(old.slid(way * slide));
            let rects = self.rects_at(self.unit(mover), pose);
            if self.is_free(&rects, mover) {
                let moved = self.unit(mover).phase.moved;
                self.put(mover, pose);
                closed.push(mover);
                self.unit_mut(mover).phase.moved = moved;
                let id = self.unit(mover).id;
                // A step that no ruler shows is not told.
                if slide >= 0.05 {
                    log.say(|| {
                        Event::new("closed_up", "SYW-GROUP-08")
                            .who(id)
                            .with("distance", tricorne_table::round_to(slide, 0.01))
                    });
                }
            }
        }
    }

    /// The least slide sideways that closes the gap between two neighbours (SYW-GROUP-08). There is none for those who stand too
    /// far before or behind each other: that gap no casualties have opened.
    fn slide_that_closes(&self, left: UnitIx, right: UnitIx, gap: f64, facing: f64) -> Option<f64> {
        let most = cm(self.distances().group_gap);
        let (forward, aside) = (angle::forward(facing), angle::right(facing));
        let extent = |u: UnitIx, way: Point| {
            let rects = self.rects(u);
            let along = rects.iter().flat_map(Rect::corners).map(|c| c.dot(way));
            along.fold((f64::MAX, f64::MIN), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((back_l, front_l), (back_r, front_r)) = (extent(left, forward), extent(right, forward));
        let depth = (back_l - front_r).max(back_r - front_l);
        if depth <= 0.0 {
            return Some(gap - most);
        }
        let across = extent(right, aside).0 - extent(left, aside).1;
        let kept = (most * most - depth * depth).max(0.0).sqrt();
        (within(depth, most) && across > kept).then_some(across - kept)
    }

    /// Gap filling at the end of a sub-phase (F7, SYW-CAS-05).
    pub(crate) fn tidy_ranks(&mut self, log: &mut Log) {
        for u in self.unit_ids() {
            if self.unit(u).is_known() && self.unit(u).formation != Formation::Routed {
                self.fill_gaps(u);
            }
        }
        for g in self.group_ids() {
            self.close_group(g, log);
        }
        self.sync_contacts();
    }
}
