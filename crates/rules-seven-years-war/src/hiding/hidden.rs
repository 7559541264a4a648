//! Hidden units and ambush (SYW-VIS, SYW-HIDE).

use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, Log, Seat, Side, UnitId};
use tricorne_table::{Edge, Point, Pose, Rect};

use crate::action::Place;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::Rects;
use crate::model::ids::UnitIx;
use crate::model::stands;
use crate::model::state::{Formation, Order, Presence, SLACK, Unit, Units, within};
use crate::questions::{Lurk, Questions};
use crate::rulebook::{cm, count};
use crate::sequence::turn::Task;
use crate::shooting::shots::Mark;
use crate::terrain::ground::{Ends, Piece, PieceKind};

impl SevenYearsBattle {
    /// Dice of troops that nobody knows of are thrown apart, so that they shift no others (SYW-HIDE-01).
    #[allow(clippy::unused_self, reason = "it reads as a rule of the battle")]
    pub(crate) fn dice_of(&self, secret: bool, open: &'static str, hidden: &'static str) -> &'static str {
        if secret { hidden } else { open }
    }

    /// Sets a hidden unit on the table for all to see.
    pub(crate) fn reveal(&mut self, u: UnitIx, clause: &'static str, log: &mut Log) {
        if self.unit(u).presence != Presence::Hidden {
            return;
        }
        self.unit_mut(u).presence = Presence::OnTable;
        let id = self.unit(u).id;
        log.say(|| Event::new("revealed", clause).who(id));
        self.clear_spot(u);
        self.push_generals(u, log);
    }

    /// Somebody may stand on the marked spot; the unit is set down as near as it can be.
    fn clear_spot(&mut self, u: UnitIx) {
        let rects = self.rects(u);
        if !self.is_free(&rects, u) {
            let new = self.unit(u).clone();
            self.settle(u, new);
        }
        self.sync_contacts();
    }

    /// Hidden units that are in plain sight or have an enemy within 5 are revealed (SYW-HIDE-03).
    pub(crate) fn reveal_by_sight(&mut self, log: &mut Log) {
        if !self.s.units.iter().any(|u| u.presence == Presence::Hidden) {
            return;
        }
        self.keep_watch();
        for u in self.unit_ids() {
            if self.unit(u).presence != Presence::Hidden {
                continue;
            }
            let side = self.unit(u).side;
            let close = self.known_enemies(side).any(|e| self.near(u, e, cm(self.distances().found)));
            if close {
                // An ambush in the making is the owner's to spring first (SYW-VIS-04).
                let sprung =
                    self.s.tasks.iter().any(|t| matches!(t, Task::Ask(Questions::Lurk(q)) if q.hidden == u));
                if !sprung {
                    self.reveal(u, "SYW-HIDE-03", log);
                }
                continue;
            }
            if !self.concealed(u) || self.seen_by_enemy(u) {
                self.reveal(u, "SYW-HIDE-03", log);
            }
        }
    }

    /// Whether any enemy unit sees a hidden one in plain view. In a wood or a town it is invisible to whoever is outside
    /// and more than 5 away, as long as it keeps still (SYW-VIS-01); behind a ridge only while the ridge is between.
    fn seen_by_enemy(&self, u: UnitIx) -> bool {
        let unit = self.unit(u);
        let lair = unit.lair.and_then(|l| self.fixed.pieces.get(usize::from(l)));
        let cover = lair.filter(|p| p.kind != PieceKind::Hill && !unit.phase.fired);
        self.known_enemies(unit.side).any(|e| {
            (0..self.unit(e).strength())
                .filter(|&i| cover.is_none_or(|piece| piece.holds_part_of(&self.rect(e, i))))
                .any(|i| (0..unit.strength()).any(|j| self.stand_sees(e, i, u, j)))
        })
    }

    /// In or behind something that conceals (SYW-VIS-02).
    pub(crate) fn concealed(&self, u: UnitIx) -> bool {
        let (rects, side) = (self.rects(u), self.unit(u).side);
        match self.unit(u).lair.and_then(|l| self.fixed.pieces.get(usize::from(l))) {
            Some(piece) => self.lies_in(piece, &rects, side),
            None => self.fixed.pieces.iter().any(|piece| piece.conceals && self.lies_in(piece, &rects, side)),
        }
    }

    /// Where the enemy's table edge runs, as a y.
    fn enemy_edge(&self, side: Side) -> f64 {
        match self.s.armies[1 - side.index().min(1)].edge {
            Edge::South => 0.0,
            _ => self.fixed.table.depth(),
        }
    }

    /// Whether footprints lie in a piece of ground; of a hill, on it or behind it: with it between them and the enemy's table
    /// edge, straight ahead (SYW-VIS-02, SYW-HIDE-05).
    pub(crate) fn lies_in(&self, piece: &Piece, rects: &[Rect], side: Side) -> bool {
        let Some(area) = piece.area() else { return false };
        let hill = piece.kind == PieceKind::Hill;
        rects.iter().map(Rect::centre).all(|at| {
            let ahead = Point::new(at.x, self.enemy_edge(side));
            area.contains(at) || (hill && area.length_inside(at, ahead) > SLACK)
        })
    }

    /// Whether a place is hidden from the enemy's whole table edge (SYW-HIDE-02).
    pub(crate) fn hidden_from_edge(&self, u: UnitIx, unit: &Unit) -> bool {
        let (width, y) = (self.fixed.table.width(), self.enemy_edge(self.unit(u).side));
        let rects = self.rects_at(unit, unit.pose());
        let mut x = 0.0;
        while x <= width {
            let from = Point::new(x, y);
            for r in &rects {
                let corners = r.corners();
                let aims = [r.centre(), corners[0], corners[1], corners[2], corners[3]];
                if aims.iter().any(|&a| self.fixed.clear(from, a, Ends::default())) {
                    return false;
                }
            }
            x += 5.0;
        }
        true
    }

    /// Whether no known enemy on the table sees some footprints.
    pub(crate) fn unseen(&self, side: Side, rects: &[Rect]) -> bool {
        !self.known_enemies(side).any(|e| {
            (0..self.unit(e).strength()).any(|i| {
                let front = self.rect(e, i).front_edge();
                [front.a, front.midpoint(), front.b].iter().any(|&p| {
                    rects.iter().any(|r| {
                        let c = r.corners();
                        [r.centre(), c[0], c[1], c[2], c[3]]
                            .iter()
                            .any(|&q| self.fixed.clear(p, q, Ends::default()))
                    })
                })
            })
        })
    }

    /// Judges setting a hidden unit down (SYW-HIDE-04, -05).
    pub(crate) fn judge_reveal(
        &self,
        id: UnitId,
        at: Option<Place>,
        facing: Option<f64>,
        formation: Option<Formation>,
    ) -> Result<(UnitIx, Unit, bool), Illegal> {
        let found = self
            .known_unit(id)
            .filter(|&u| self.unit(u).side == self.s.phasing && self.unit(u).presence == Presence::Hidden);
        let Some(u) = found else {
            return refuse("SYW-HIDE-04", format!("{id} is no hidden unit of yours"));
        };
        let unit = self.unit(u);
        let mut new = unit.clone();
        if let Some(f) = formation {
            if !matches!(
                f,
                Formation::Line
                    | Formation::DeepLine
                    | Formation::Column1
                    | Formation::Column2
                    | Formation::Square
            ) {
                return refuse("SYW-HIDE-05", "it is set down in line, column or square");
            }
            self.may_form(u, f)?;
            new = stands::formed(unit, f, self.info(u));
        }
        if let Some(p) = at {
            new.at = Point::new(p[0], p[1]);
        }
        if let Some(f) = facing {
            new.facing = f;
        }
        if !new.pose().is_finite() {
            return refuse("SYW-HIDE-05", "the place needs ordinary numbers");
        }
        let pose = crate::model::state::grain(Pose::new(new.at, new.facing));
        new.at = pose.at;
        new.facing = pose.facing;
        let elsewhere = !new.at.near(unit.at)
            || (new.facing - unit.facing).abs() > 0.05
            || new.formation != unit.formation;
        if elsewhere {
            let rects = self.rects_at(&new, pose);
            let piece = unit.lair.and_then(|l| self.fixed.pieces.get(usize::from(l)));
            if !piece.is_some_and(|piece| self.lies_in(piece, &rects, unit.side)) {
                return refuse(
                    "SYW-HIDE-05",
                    format!("{id} is set down in the piece of ground it was marked in"),
                );
            }
            // Free of those everybody knows of; hidden enemies betray nothing.
            if !self.is_free(&rects, u) {
                return refuse("SYW-HIDE-05", format!("{id} would stand on somebody or off the table"));
            }
            let since = unit.lair.is_some_and(|l| self.was_seen(unit.side, usize::from(l), &rects));
            if since || !self.hidden_from_edge(u, &new) || !self.unseen(unit.side, &rects) {
                return refuse("SYW-HIDE-05", format!("the enemy could have seen {id} there"));
            }
        }
        Ok((u, new, elsewhere))
    }

    pub(crate) fn set_down_hidden(&mut self, u: UnitIx, mut new: Unit, elsewhere: bool, log: &mut Log) {
        new.presence = Presence::Hidden;
        new.phase.moved |= elsewhere; // SYW-HIDE-08
        new.phase.set_down |= elsewhere;
        self.put_as(u, new);
        self.reveal(u, "SYW-HIDE-04", log);
    }

    /// Judges a hidden change of ground (SYW-HIDE-06, -07).
    pub(crate) fn judge_steal(
        &self,
        id: UnitId,
        terrain: &str,
        at: Place,
    ) -> Result<(UnitIx, usize, Pose), Illegal> {
        let found = self
            .known_unit(id)
            .filter(|&u| self.unit(u).side == self.s.phasing && self.unit(u).presence == Presence::Hidden);
        let Some(u) = found else {
            return refuse("SYW-HIDE-06", format!("{id} is no hidden unit of yours"));
        };
        let from = count(self.fixed.book.charts.counts.changes_ground);
        if (self.s.turn as usize) < from {
            return refuse("SYW-HIDE-06", format!("hidden units change their ground from turn {from} on"));
        }
        if self.unit(u).phase.stole || self.unit(u).phase.moved {
            return refuse("SYW-HIDE-06", format!("{id} has moved in this phase"));
        }
        let Some(p) = self.fixed.pieces.iter().position(|p| p.id == terrain && p.conceals) else {
            return refuse("SYW-HIDE-06", format!("{terrain} is no ground that conceals"));
        };
        let to = Point::new(at[0], at[1]).round_to(0.01);
        if !to.is_finite() {
            return refuse("SYW-HIDE-06", "the place needs two ordinary numbers");
        }
        let unit = self.unit(u);
        if !within(unit.at.distance(to), self.speed(u)) {
            return refuse("SYW-HIDE-06", format!("{id} goes straight and no farther than its move"));
        }
        let pose = Pose { at: to, facing: unit.facing };
        let rects = self.rects_at(unit, pose);
        if !self.lies_in(&self.fixed.pieces[p], &rects, unit.side) {
            return refuse("SYW-HIDE-06", format!("{id} would be neither in {terrain} nor behind it"));
        }
        // Its owner knows where his other marks are.
        if !self.is_free(&rects, u) || self.is_taken(unit.side, Some(u), &rects, true) {
            return refuse("SYW-HIDE-06", format!("{id} would be on somebody or off the table"));
        }
        // SYW-HIDE-06: a neighbouring piece has no other hiding place between it and the one it leaves.
        let between = self.fixed.pieces.iter().enumerate().find(|(k, other)| {
            other.conceals
                && *k != p
                && unit.lair != Some(*k as u8)
                && other.area().is_some_and(|a| a.length_inside(unit.at, to) > SLACK)
        });
        if let Some((_, other)) = between {
            return refuse(
                "SYW-HIDE-06",
                format!("{} lies between: {terrain} is no neighbour of where {id} is hidden", other.id),
            );
        }
        // SYW-HIDE-07: the flank zones only in the piece that hid it at deployment.
        if unit.first_lair != Some(p as u8)
            && self.judge_strips(unit.side, &crate::model::footprints::join_bounds(&rects)).is_err()
        {
            return refuse(
                "SYW-HIDE-07",
                format!(
                    "in the flank zones {id} may hide only in the piece of ground that hid it at deployment"
                ),
            );
        }
        let mut t = 0.0;
        let length = unit.at.distance(to);
        while t <= length {
            let share = if length > 0.0 { t / length } else { 0.0 };
            let here = Pose { at: unit.at.lerp(to, share), facing: unit.facing };
            if !self.unseen(unit.side, &self.rects_at(unit, here)) {
                return refuse("SYW-HIDE-06", format!("the enemy could see {id} on the way"));
            }
            t += 1.0;
        }
        Ok((u, p, pose))
    }

    pub(crate) fn steal(&mut self, u: UnitIx, piece: usize, pose: Pose, log: &mut Log) {
        self.put(u, pose);
        let seat = Seat(self.unit(u).side.0);
        let unit = self.unit_mut(u);
        unit.lair = Some(piece as u8);
        unit.phase.stole = true;
        unit.phase.set_down = true;
        unit.phase.moved = true;
        let id = unit.id;
        log.say(|| Event::new("stole_away", "SYW-HIDE-06").who(id).only(&[seat]));
    }

    /// A mover has come near a hidden unit: whoever lies within 5 of its group there is asked, by name (SYW-VIS-04, -07).
    pub(crate) fn ambushed(&mut self, hidden: UnitIx, mover: UnitIx) {
        let members = self.members(self.unit(mover).group);
        let there: SmallVec<[(UnitIx, Rects); 4]> = members.into_iter().map(|u| (u, self.rects(u))).collect();
        self.ambushed_at(hidden, mover, &there);
    }

    /// The same for a group whose units are about to be set down.
    pub(crate) fn ambushed_at(&mut self, hidden: UnitIx, mover: UnitIx, there: &[(UnitIx, Rects)]) {
        let (side, near) = (self.unit(mover).side, cm(self.distances().ambush));
        let mut lurking = self.hidden_units(side.enemy());
        self.units_in_order(&mut lurking);
        let asked: SmallVec<[Lurk; 4]> = lurking
            .into_iter()
            .filter_map(|h| {
                let first = there.iter().find(|(_, rects)| self.rects_near(rects, h, near)).map(|t| t.0);
                let mover = if h == hidden { Some(mover) } else { first };
                mover.map(|mover| Lurk { hidden: h, mover })
            })
            .collect();
        for lurk in asked.into_iter().rev() {
            self.ask(lurk);
        }
    }

    /// Whether a hidden unit could shoot at a mover that has come near (SYW-VIS-04).
    pub(crate) fn ambush_shot(&self, hidden: UnitIx, mover: UnitIx) -> Option<crate::shooting::shots::Shot> {
        self.shot_of(self.unit(hidden).side, hidden, Mark::Unit(mover))
    }

    /// The hidden unit shoots; its target halts for the phase (SYW-VIS-04).
    pub(crate) fn spring(&mut self, hidden: UnitIx, mover: UnitIx, log: &mut Log) {
        let g = self.unit(mover).group;
        self.reveal(hidden, "SYW-VIS-04", log);
        let group = self.group_mut(g);
        group.phase.halted = true;
        group.phase.moved = true;
        self.goes_no_farther(g);
        self.s.tasks.push(Task::Volley { hidden, mover });
    }

    /// All the shooting of an ambush, a shot at a time with its losses taken after it; then the unit has shot for the
    /// phase (SYW-VIS-05).
    pub(crate) fn volley_from_hiding(&mut self, hidden: UnitIx, mover: UnitIx, now: &mut Now<'_>) {
        let more = self.unit(hidden).phase.shots == 0 || self.is_light_shooter(hidden);
        let shot = if more { self.ambush_shot(hidden, mover) } else { None };
        let Some(shot) = shot else {
            let unit = self.unit_mut(hidden);
            unit.phase.shot = u16::MAX;
            unit.phase.shots = u8::MAX;
            self.reveal_comrades(mover, now.log);
            return;
        };
        self.s.tasks.push(Task::Volley { hidden, mover });
        // It is no shooting by a moving unit.
        let unit = self.unit_mut(hidden);
        let moved = (std::mem::take(&mut unit.phase.moved), std::mem::take(&mut unit.moved_own));
        self.shoot(&shot, now);
        let unit = self.unit_mut(hidden);
        (unit.phase.moved, unit.moved_own) = moved;
    }

    /// The first of several ambushers has shot: the others are revealed, and may still shoot in turn (SYW-VIS-07).
    fn reveal_comrades(&mut self, mover: UnitIx, log: &mut Log) {
        let mut waiting: Units = self
            .s
            .tasks
            .iter()
            .filter_map(|t| match t {
                Task::Ask(Questions::Lurk(q)) if self.unit(q.mover).group == self.unit(mover).group => {
                    Some(q.hidden)
                }
                _ => None,
            })
            .collect();
        self.units_in_order(&mut waiting);
        for u in waiting {
            self.reveal(u, "SYW-VIS-07", log);
        }
    }

    /// The hidden unit holds its fire and is revealed; the mover may go on (SYW-VIS-06).
    pub(crate) fn hold_fire(&mut self, hidden: UnitIx, mover: UnitIx, log: &mut Log) {
        self.reveal(hidden, "SYW-VIS-06", log);
        let g = self.unit(mover).group;
        if !self.group(g).phase.halted && !self.group(g).phase.charging && !self.will_go_on(g) {
            let group = self.group_mut(g);
            group.phase.moved = false;
            group.phase.fled &= group.order != Order::Retreat;
        }
    }

    /// Hidden units of a side; only its own seat may hear of them.
    pub(crate) fn hidden_units(&self, side: Side) -> Units {
        self.unit_ids()
            .filter(|&u| self.unit(u).side == side && self.unit(u).presence == Presence::Hidden)
            .collect()
    }
}
