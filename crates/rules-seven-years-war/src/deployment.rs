//! Set-up: counters, ability, initiative, table sides and deployment (SYW-DEPLOY, SYW-GEN-01, -02).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log, Seat, Side, UnitId};
use tricorne_table::{Bounds, Point, Pose, Rect};

use crate::action::Place;
use crate::field::{SevenYearsBattle, bounds_of, join_bounds, no};
use crate::options::{AttackerIs, CincAbilitySource, InitiativeLc, OttomanFlankRoll, UncommandedStart};
use crate::rulebook::Kind;
use crate::stands;
use crate::state::{
    EdgeName, Formation, GeneralIx, GroupIx, Left, Order, Presence, SLACK, SubPhase, Unit, UnitIx, Units,
};
use crate::turn::Task;

/// What is placed when (SYW-DEPLOY-08 to -11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Lot {
    /// All but the brigade kept back.
    First,
    /// Everything.
    Whole,
    /// The brigade kept back.
    Last,
}

/// Depth kept free either side of the centre line, and the strips along the side edges (SYW-DEPLOY-08).
const FROM_CENTRE: f64 = 30.0;
const STRIP: f64 = 45.0;

impl SevenYearsBattle {
    /// Lays the set-up on the stack (U4 to U10).
    pub(crate) fn prepare(&mut self) {
        self.s.step = SubPhase::SetUp;
        let tasks = &mut self.s.tasks;
        tasks.push(Task::StartTurn);
        if self.fixed.free {
            tasks.push(Task::TableSide);
            if self.fixed.muster.is_some() {
                tasks.push(Task::Ground);
            }
            tasks.push(Task::Initiative);
        } else if self.fixed.options.cinc_ability_source == CincAbilitySource::Table {
            tasks.push(Task::Initiative);
        }
        if !self.fixed.counters_given {
            tasks.push(Task::SubCounters { side: Side(1) });
            tasks.push(Task::SubCounters { side: Side(0) });
            tasks.push(Task::DrawCounters { side: Side(1) });
            tasks.push(Task::DrawCounters { side: Side(0) });
        }
        if let Some(muster) = &self.fixed.muster {
            tasks.push(Task::Survey);
            if muster.points.is_some() {
                tasks.push(Task::Enlist { side: Side(1) });
                tasks.push(Task::Enlist { side: Side(0) });
            }
        }
    }

    fn cincs(&self, side: Side) -> SmallVec<[GeneralIx; 4]> {
        (0..self.s.generals.len() as GeneralIx)
            .filter(|&i| self.s.generals[usize::from(i)].side == side && self.s.generals[usize::from(i)].cinc)
            .collect()
    }

    /// The C-in-C draws three (SYW-GEN-02).
    pub(crate) fn draw_cinc_counters(&mut self, side: Side, chance: &mut dyn Chance) {
        let k = side.index().min(1);
        let fresh: SmallVec<[GeneralIx; 4]> =
            self.cincs(side).into_iter().filter(|&i| self.s.generals[usize::from(i)].number == 0).collect();
        let Some(&general) = fresh.first() else { return };
        if fresh.len() > 1 {
            self.s.tasks.push(Task::DrawCounters { side });
        }
        let mut drawn = SmallVec::new();
        for _ in 0..3 {
            if let Some(n) = self.draw_counter(k, chance) {
                drawn.push(n);
            }
        }
        self.s.tasks.push(Task::KeepCounter { side, general, drawn });
    }

    /// Keeps one, the others go back.
    pub(crate) fn keep_counter(
        &mut self,
        side: Side,
        general: GeneralIx,
        kept: u8,
        drawn: &[u8],
        log: &mut Log,
    ) {
        let k = side.index().min(1);
        for &n in drawn.iter().filter(|&&n| n != kept) {
            self.s.armies[k].counters.push(n);
        }
        self.s.armies[k].counters.sort_unstable();
        self.give_counter(general, kept, log);
    }

    fn give_counter(&mut self, general: GeneralIx, number: u8, log: &mut Log) {
        let side = self.s.generals[usize::from(general)].side.index().min(1);
        let counter = self.counter(side, number);
        let g = &mut self.s.generals[usize::from(general)];
        g.number = number;
        g.counter = counter;
        let id = g.id;
        log.say(|| Event::new("counter", "SYW-GEN-01").who(id).with("counter", counter.code()));
    }

    /// One counter for each sub-general (SYW-GEN-01).
    pub(crate) fn draw_sub_counters(&mut self, side: Side, chance: &mut dyn Chance, log: &mut Log) {
        let subs: SmallVec<[GeneralIx; 8]> = (0..self.s.generals.len() as GeneralIx)
            .filter(|&i| {
                let g = &self.s.generals[usize::from(i)];
                g.side == side && !g.cinc && g.number == 0
            })
            .collect();
        for i in subs {
            if let Some(n) = self.draw_counter(side.index().min(1), chance) {
                self.give_counter(i, n, log);
            }
        }
    }

    fn light_cavalry(&self, side: Side) -> u32 {
        self.s
            .units
            .iter()
            .filter(|u| u.side == side)
            .filter(|u| match self.fixed.options.initiative_lc {
                InitiativeLc::BothKinds => self.info_of(u).kind.is_light_cavalry(),
                InitiativeLc::LcOnly => self.info_of(u).kind == Kind::LC,
            })
            .map(|u| u32::from(u.started))
            .sum()
    }

    /// Ability and initiative (U5, U6; SYW-DEPLOY-02 to -06).
    pub(crate) fn roll_initiative(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        for k in 0..2 {
            let face = chance.d6("ability");
            let nation = &self.fixed.book.nations[self.fixed.sides[k].nation];
            let chart = &self.fixed.book.charts.ability;
            let row = chart.get(&nation.ability).or_else(|| chart.get("others"));
            let ability = row.map_or(1, |r| r[usize::from(face.clamp(1, 6)) - 1]);
            self.s.armies[k].ability = ability;
            let name = self.fixed.sides[k].name.clone();
            log.say(|| {
                Event::new("ability", "SYW-DEPLOY-02")
                    .faces(&[face])
                    .made(i32::from(ability))
                    .with("side", name)
            });
        }
        if !self.fixed.free {
            return;
        }
        let horse = [self.light_cavalry(Side(0)), self.light_cavalry(Side(1))];
        let bonus = |k: usize| u8::from(horse[k] > 0 && horse[k] >= 2 * horse[1 - k]);
        loop {
            for k in 0..2 {
                let face = chance.faces("initiative", 1, 4).first().copied().unwrap_or(1);
                let army = &mut self.s.armies[k];
                army.die = face + bonus(k);
                army.initiative = army.ability + army.die;
                let (made, name) = (i32::from(army.initiative), self.fixed.sides[k].name.clone());
                log.say(|| {
                    Event::new("initiative", "SYW-DEPLOY-03").faces(&[face]).made(made).with("side", name)
                });
            }
            let (a, b) = (&self.s.armies[0], &self.s.armies[1]);
            let key = |x: &crate::state::Army| (x.initiative, x.ability);
            if key(a) != key(b) {
                break;
            }
        }
        let winner = {
            let (a, b) = (&self.s.armies[0], &self.s.armies[1]);
            if (a.initiative, a.ability) > (b.initiative, b.ability) { Side(0) } else { Side(1) }
        };
        let (w, l) = (winner.index(), winner.enemy().index());
        let lead = self.s.armies[w].initiative.saturating_sub(self.s.armies[l].initiative);
        self.s.armies[w].strips = match lead {
            0 | 1 => 0,
            2 => 1,
            _ => 2,
        };
        for k in 0..2 {
            let nation = &self.fixed.book.nations[self.fixed.sides[k].nation];
            if nation.flank_marches {
                // SYW-DEPLOY-15, -16
                let (mine, theirs) = match self.fixed.options.ottoman_flank_roll {
                    OttomanFlankRoll::D4AgainstD4 => (self.s.armies[k].die, self.s.armies[1 - k].die),
                    OttomanFlankRoll::Totals => {
                        (self.s.armies[k].initiative, self.s.armies[1 - k].initiative)
                    }
                };
                self.s.armies[k].strips = 2;
                self.s.armies[k].may_march = mine > theirs;
            }
        }
        self.s.attacker = match self.fixed.options.attacker_is {
            AttackerIs::InitiativeWinner => winner,
            AttackerIs::SeparateRoll => loop {
                let (a, b) = (chance.d6("attacker"), chance.d6("attacker"));
                if a != b {
                    break if a > b { Side(0) } else { Side(1) };
                }
            },
        };
        self.s.phasing = winner; // Remembered until deployment is over.
        self.s.initiative = winner;
    }

    /// The side without the initiative places first.
    pub(crate) fn first_to_deploy(&self) -> Side {
        self.s.initiative.enemy()
    }

    /// The choice of table side (U8).
    pub(crate) fn judge_side(&self, edge: EdgeName) -> Result<(), Illegal> {
        if matches!(edge, EdgeName::North | EdgeName::South) {
            Ok(())
        } else {
            no("SYW-DEPLOY-07", "choose the north or the south side")
        }
    }

    pub(crate) fn choose_side(&mut self, edge: EdgeName, log: &mut Log) {
        let first = self.first_to_deploy();
        self.s.armies[first.index()].edge = edge;
        self.s.armies[first.enemy().index()].edge =
            if edge == EdgeName::North { EdgeName::South } else { EdgeName::North };
        let name = self.fixed.sides[first.index()].name.clone();
        log.say(|| {
            Event::new("table_side", "SYW-DEPLOY-07")
                .with("side", name)
                .with("edge", format!("{edge:?}").to_lowercase())
        });
        self.s.tasks.push(Task::Deploy { side: first, lot: Lot::Last });
        self.s.tasks.push(Task::Deploy { side: first.enemy(), lot: Lot::Whole });
        self.s.tasks.push(Task::Deploy { side: first, lot: Lot::First });
        self.s.tasks.push(Task::KeepBack);
    }

    /// Sub-generals of a side.
    pub(crate) fn brigades(&self, side: Side) -> SmallVec<[GeneralIx; 8]> {
        (0..self.s.generals.len() as GeneralIx)
            .filter(|&i| {
                let g = &self.s.generals[usize::from(i)];
                g.side == side && !g.cinc && self.s.groups.iter().any(|x| x.command == Some(i))
            })
            .collect()
    }

    /// Whether a unit belongs to a lot.
    fn in_lot(&self, u: UnitIx, lot: Lot) -> bool {
        let kept = self.s.armies[self.unit(u).side.index().min(1)].kept_back;
        let held = kept.is_some() && self.group_of(u).command == kept;
        match lot {
            Lot::First => !held,
            Lot::Whole => true,
            Lot::Last => held,
        }
    }

    fn general_in_lot(&self, i: GeneralIx, lot: Lot) -> bool {
        let side = self.s.generals[usize::from(i)].side;
        let held = self.s.armies[side.index().min(1)].kept_back == Some(i);
        match lot {
            Lot::First => !held,
            Lot::Whole => true,
            Lot::Last => held,
        }
    }

    pub(crate) fn units_to_deploy(&self, side: Side, lot: Lot) -> Units {
        self.unit_ids()
            .filter(|&u| {
                self.unit(u).side == side && self.unit(u).presence == Presence::Waiting && self.in_lot(u, lot)
            })
            .collect()
    }

    pub(crate) fn generals_to_deploy(&self, side: Side, lot: Lot) -> SmallVec<[GeneralIx; 8]> {
        (0..self.s.generals.len() as GeneralIx)
            .filter(|&i| {
                let g = &self.s.generals[usize::from(i)];
                g.side == side && !g.placed && self.general_in_lot(i, lot)
            })
            .collect()
    }

    pub(crate) fn left_to_deploy(&self, side: Side, lot: Lot) -> bool {
        !self.units_to_deploy(side, lot).is_empty() || !self.generals_to_deploy(side, lot).is_empty()
    }

    /// The deployment area of a side, without the strips along the side edges unless they are open to it.
    pub(crate) fn deployment_bounds(&self, side: Side) -> tricorne_table::Bounds {
        let army = &self.s.armies[side.index().min(1)];
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let strip = depth * 0.5 - FROM_CENTRE;
        let (low, high) = if army.edge == EdgeName::South { (0.0, strip) } else { (depth - strip, depth) };
        let (west, east) = if army.strips == 0 { (STRIP, width - STRIP) } else { (0.0, width) };
        tricorne_table::Bounds { min: Point::new(west, low), max: Point::new(east, high) }
    }

    /// Whether footprints lie in a side's deployment area (SYW-DEPLOY-08, -11 to -13, -15).
    pub(crate) fn judge_area(&self, side: Side, rects: &[Rect]) -> Result<(), Illegal> {
        self.judge_ground_of(side, &join_bounds(rects))
    }

    /// The same for anything that covers some bounds.
    pub(crate) fn judge_ground_of(&self, side: Side, b: &Bounds) -> Result<(), Illegal> {
        let army = &self.s.armies[side.index().min(1)];
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let strip = depth * 0.5 - FROM_CENTRE;
        let (low, high) = if army.edge == EdgeName::South { (0.0, strip) } else { (depth - strip, depth) };
        if b.min.y < low - SLACK || b.max.y > high + SLACK || b.min.x < -SLACK || b.max.x > width + SLACK {
            let clause = if side == self.s.initiative { "SYW-DEPLOY-11" } else { "SYW-DEPLOY-08" };
            return no(clause, format!("that is outside the deployment area, y {low:.0} to {high:.0}"));
        }
        self.judge_strips(side, b)
    }

    /// The strips along the side edges (SYW-DEPLOY-12, -15).
    pub(crate) fn judge_strips(&self, side: Side, b: &Bounds) -> Result<(), Illegal> {
        let army = &self.s.armies[side.index().min(1)];
        let width = self.fixed.table.width();
        let west = b.min.x < STRIP - SLACK;
        let east = b.max.x > width - STRIP + SLACK;
        if !west && !east {
            return Ok(());
        }
        match army.strips {
            0 => no(
                if side == self.s.initiative { "SYW-DEPLOY-12" } else { "SYW-DEPLOY-08" },
                format!("the strips of {STRIP:.0} cm along the side edges are closed to this army"),
            ),
            1 => {
                let other = self.unit_ids().any(|u| {
                    let unit = self.unit(u);
                    unit.side == side
                        && unit.is_present()
                        && ((west && unit.frame.bounds.max.x > width - STRIP + SLACK)
                            || (east && unit.frame.bounds.min.x < STRIP - SLACK))
                });
                if other || (west && east) {
                    no("SYW-DEPLOY-12", "only one of the two side strips may be used")
                } else {
                    Ok(())
                }
            }
            _ => Ok(()),
        }
    }

    /// Judges the placing of a unit.
    pub(crate) fn judge_deploy(
        &self,
        side: Side,
        lot: Lot,
        id: UnitId,
        at: Place,
        facing: f64,
        formation: Formation,
        order: Option<Order>,
        hidden: bool,
    ) -> Result<(UnitIx, Unit), Illegal> {
        let Some(u) = self.known_unit(id).filter(|u| self.units_to_deploy(side, lot).contains(u)) else {
            return no("SYW-DEPLOY-09", format!("{id} is not among those to be placed now"));
        };
        let group = self.group_of(u);
        if let Some(order) = order {
            if group.command.is_some() {
                return no("SYW-ORDER-01", format!("{id} is commanded and starts on Stand"));
            }
            let free = self.fixed.options.uncommanded_start == UncommandedStart::Choice;
            if order != Order::Stand && !(free && matches!(order, Order::Advance | Order::Reserve)) {
                return no("SYW-ORDER-02", format!("{id} cannot start on {}", order.name()));
            }
        }
        let starts = order.unwrap_or(group.order);
        match formation {
            Formation::Line => {}
            Formation::DeepLine => self.may_form(u, formation)?,
            Formation::Column1 | Formation::Column2 if starts == Order::Reserve => {}
            _ => return no("SYW-DEPLOY-19", format!("{id} deploys in line, or in column on Reserve")),
        }
        let pose = crate::state::grain(Pose::new(Point::new(at[0], at[1]), facing));
        if !pose.is_finite() || !facing.is_finite() {
            return no("SYW-DEPLOY-19", "the place needs ordinary numbers");
        }
        let mut new = stands::formed(self.unit(u), formation, self.info(u));
        new.at = pose.at;
        new.facing = pose.facing;
        let rects = self.rects_at(&new, pose);
        self.judge_area(side, &rects)?;
        if !self.fits(u, &rects) {
            return no("SYW-MODEL-33", format!("{id} would stand on somebody or on ground it may not enter"));
        }
        // Together with those of its group who are down already.
        let down: SmallVec<[Unit; 4]> = group
            .units
            .iter()
            .filter(|&&v| v != u && self.unit(v).is_present())
            .map(|&v| self.unit(v).clone())
            .collect();
        if !down.is_empty() && !hidden {
            let mut all: SmallVec<[&Unit; 4]> = down.iter().collect();
            all.push(&new);
            if !self.chained(&all) {
                return no("SYW-GROUP-07", format!("{id} must stand within 1 cm of its group"));
            }
            if starts != Order::Reserve && !all.iter().all(|x| self.aligned(&[&down[0], x])) {
                return no("SYW-GROUP-09", format!("{id} must stand in line with its group"));
            }
        }
        Ok((u, new))
    }

    /// Free of those on the table as this side knows it; its own hidden units count, the enemy's do not show.
    pub(crate) fn fits(&self, u: UnitIx, rects: &[Rect]) -> bool {
        let side = self.unit(u).side;
        let bounds = join_bounds(rects);
        !self.on_impassable(rects, u)
            && !self.unit_ids().any(|v| {
                v != u
                    && (self.unit(v).is_known() || (self.unit(v).is_present() && self.unit(v).side == side))
                    && self.unit(v).frame.bounds.meets(&bounds)
                    && self.rects(v).iter().any(|r| rects.iter().any(|m| crate::field::overlapping(m, r)))
            })
    }

    pub(crate) fn place_unit(&mut self, u: UnitIx, mut new: Unit, order: Option<Order>, log: &mut Log) {
        new.presence = Presence::OnTable;
        self.put_as(u, new);
        if let Some(order) = order {
            let g = self.unit(u).group;
            self.group_mut(g).order = order;
        }
        let id = self.unit(u).id;
        log.say(|| Event::new("deployed", "SYW-DEPLOY-19").who(id));
    }

    /// Judges a mark on the private map (SYW-HIDE-01, -02, -07).
    pub(crate) fn judge_hide(
        &self,
        side: Side,
        lot: Lot,
        id: UnitId,
        terrain: &str,
        at: Place,
        facing: f64,
        formation: Formation,
    ) -> Result<(UnitIx, Unit, usize), Illegal> {
        let (u, new) = self.judge_deploy(side, lot, id, at, facing, formation, None, true)?;
        let Some(p) = self.fixed.pieces.iter().position(|p| p.id == terrain && p.conceals) else {
            return no("SYW-VIS-02", format!("{terrain} is no ground that conceals"));
        };
        let rects = self.rects_at(&new, new.pose());
        let piece = &self.fixed.pieces[p];
        let hill = piece.kind == crate::ground::PieceKind::Hill;
        if !hill && !rects.iter().all(|r| piece.area().is_some_and(|a| a.contains(r.centre()))) {
            return no("SYW-HIDE-05", format!("{id} is not in {terrain} there"));
        }
        if !self.hidden_from_edge(u, &new) {
            return no("SYW-HIDE-02", format!("the enemy's table edge can see {id} there"));
        }
        Ok((u, new, p))
    }

    pub(crate) fn mark_hidden(&mut self, u: UnitIx, mut new: Unit, piece: usize, log: &mut Log) {
        new.presence = Presence::Hidden;
        new.lair = Some(piece as u8);
        new.first_lair = new.lair;
        self.put_as(u, new);
        let id = self.unit(u).id;
        let seat = Seat(self.unit(u).side.0);
        log.say(|| Event::new("hidden", "SYW-HIDE-01").who(id).only(&[seat]));
    }

    /// Judges the placing of a general (SYW-DEPLOY-20).
    pub(crate) fn judge_deploy_general(
        &self,
        side: Side,
        lot: Lot,
        id: UnitId,
        at: Place,
    ) -> Result<(GeneralIx, Point), Illegal> {
        let Some(i) = self.find_general(id).filter(|i| self.generals_to_deploy(side, lot).contains(i)) else {
            return no("SYW-DEPLOY-20", format!("{id} is not among those to be placed now"));
        };
        let at = Point::new(at[0], at[1]).round_to(0.01);
        if !at.is_finite() {
            return no("SYW-DEPLOY-20", "the place needs two ordinary numbers");
        }
        let general = &self.s.generals[usize::from(i)];
        let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
        let rect = Rect::fronted(Pose { at, facing }, 4.0, general.depth);
        self.judge_area(side, &[rect])?;
        let bounds = bounds_of(&rect);
        let busy = self.unit_ids().any(|v| {
            (self.unit(v).is_known() || (self.unit(v).is_present() && self.unit(v).side == side))
                && self.unit(v).frame.bounds.meets(&bounds)
                && self.rects(v).iter().any(|r| crate::field::overlapping(r, &rect))
        });
        if busy {
            return no("SYW-MODEL-33", format!("{id} would stand on somebody"));
        }
        Ok((i, at))
    }

    pub(crate) fn set_general(&mut self, i: GeneralIx, at: Point, log: &mut Log) {
        let side = self.s.generals[usize::from(i)].side;
        let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
        let general = &mut self.s.generals[usize::from(i)];
        general.at = at;
        general.facing = facing;
        general.placed = true;
        let id = general.id;
        log.say(|| Event::new("deployed", "SYW-DEPLOY-20").who(id));
    }

    /// Judges a flank march (SYW-DEPLOY-16 to -18).
    pub(crate) fn judge_march(
        &self,
        side: Side,
        lot: Lot,
        id: UnitId,
        edge: EdgeName,
    ) -> Result<GroupIx, Illegal> {
        let Some(g) = self.known_group(id).filter(|&g| self.group(g).side == side) else {
            return no("SYW-DEPLOY-16", format!("{id} is no group of yours"));
        };
        if !self.s.armies[side.index().min(1)].may_march {
            return no("SYW-DEPLOY-16", "this army has not won a flank march");
        }
        if !matches!(edge, EdgeName::East | EdgeName::West) {
            return no("SYW-DEPLOY-18", "a flank march comes in on the east or the west side");
        }
        let waiting = self.units_to_deploy(side, lot);
        if self.group(g).units.is_empty() || !self.group(g).units.iter().all(|u| waiting.contains(u)) {
            return no("SYW-DEPLOY-16", format!("{id} has units on the table already"));
        }
        Ok(g)
    }

    pub(crate) fn send_marching(&mut self, g: GroupIx, edge: EdgeName, log: &mut Log) {
        for u in self.group(g).units.clone() {
            self.unit_mut(u).presence = Presence::Off;
        }
        let group = self.group_mut(g);
        group.order = Order::Reserve;
        group.off = Some(Left {
            at: Point::ORIGIN,
            edge,
            followed: false,
            routed: false,
            tries: 0,
            march: true,
            either: false,
            ready: false,
            tried: false,
        });
        let (id, seat) = (group.id, Seat(group.side.0));
        log.say(|| Event::new("flank_march", "SYW-DEPLOY-16").with("group", id.as_str()).only(&[seat]));
    }

    /// Lays out whatever is left of a lot, group by group, row by row (the default of U9).
    pub(crate) fn deploy_the_rest(&mut self, side: Side, lot: Lot, log: &mut Log) {
        let mut groups: SmallVec<[GroupIx; 16]> =
            self.units_to_deploy(side, lot).iter().map(|&u| self.unit(u).group).collect();
        groups.dedup();
        let mut seen: SmallVec<[GroupIx; 16]> = SmallVec::new();
        for g in groups {
            if seen.contains(&g) {
                continue;
            }
            seen.push(g);
            self.lay_out(g, side, lot, log);
        }
        for i in self.generals_to_deploy(side, lot) {
            if let Some(at) = self.room_for_general(i, side) {
                self.set_general(i, at, log);
            }
        }
    }

    fn lay_out(&mut self, g: GroupIx, side: Side, lot: Lot, log: &mut Log) {
        let units: Units =
            self.units_to_deploy(side, lot).into_iter().filter(|&u| self.unit(u).group == g).collect();
        if let Some(placed) = self.room_for_group(g, &units, side) {
            for (u, new) in placed {
                self.place_unit(u, new, None, log);
            }
            return;
        }
        if self.group(g).units.len() > units.len() {
            // Some stand already and these find no room beside them: each is a group of its own (SYW-GROUP-07).
            for u in units {
                let own = self.split_off(u);
                if let Some(placed) = self.room_for_group(own, &[u], side) {
                    for (u, new) in placed {
                        self.place_unit(u, new, None, log);
                    }
                }
            }
        }
    }

    /// Room for a group in legal formation, together with those of it who stand already (SYW-DEPLOY-19).
    fn room_for_group(
        &self,
        g: GroupIx,
        units: &[UnitIx],
        side: Side,
    ) -> Option<SmallVec<[(UnitIx, Unit); 4]>> {
        let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let south = facing == 0.0;
        let group = self.group(g);
        let down: SmallVec<[Unit; 4]> = group
            .units
            .iter()
            .filter(|u| !units.contains(u))
            .map(|&u| self.unit(u).clone())
            .filter(Unit::is_known)
            .collect();
        for row in 0..40 {
            let back = f64::from(row) * 0.75;
            let y = if south { depth * 0.5 - FROM_CENTRE - back } else { depth * 0.5 + FROM_CENTRE + back };
            for column in 0..240 {
                // From the middle outwards.
                let off = f64::from((column + 1) / 2) * if column % 2 == 0 { 0.75 } else { -0.75 };
                let x = width * 0.5 + off;
                let Some(placed) = self.block(units, side, Point::new(x, y), facing) else { continue };
                let together = down.is_empty() || {
                    let mut all: SmallVec<[&Unit; 4]> = down.iter().collect();
                    all.extend(placed.iter().map(|(_, new)| new));
                    self.chained(&all) && self.aligned(&all)
                };
                if together {
                    return Some(placed);
                }
            }
        }
        None
    }

    /// The units of a group side by side from a point, if there is room.
    fn block(
        &self,
        units: &[UnitIx],
        side: Side,
        at: Point,
        facing: f64,
    ) -> Option<SmallVec<[(UnitIx, Unit); 4]>> {
        let right = tricorne_table::angle::right(facing);
        let mut offset = 0.0;
        let mut placed: SmallVec<[(UnitIx, Unit); 4]> = SmallVec::new();
        for &u in units {
            let info = self.info(u);
            let mut new = stands::formed(self.unit(u), Formation::Line, info);
            let w = new.extent(info.depth).width();
            let pose = crate::state::grain(Pose::new(at + right * (offset + w * 0.5), facing));
            new.at = pose.at;
            new.facing = pose.facing;
            let rects = self.rects_at(&new, pose);
            if self.judge_area(side, &rects).is_err() || !self.fits(u, &rects) {
                return None;
            }
            offset += w + 0.5;
            placed.push((u, new));
        }
        Some(placed)
    }

    fn room_for_general(&self, i: GeneralIx, side: Side) -> Option<Point> {
        let id = self.s.generals[usize::from(i)].id;
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let lot =
            if self.s.armies[side.index().min(1)].kept_back == Some(i) { Lot::Last } else { Lot::Whole };
        for row in 0..30 {
            for column in 0..120 {
                let off = f64::from((column + 1) / 2) * if column % 2 == 0 { 1.5 } else { -1.5 };
                let back = f64::from(row);
                let y = if self.s.armies[side.index().min(1)].edge == EdgeName::South {
                    depth * 0.5 - FROM_CENTRE - 8.0 - back
                } else {
                    depth * 0.5 + FROM_CENTRE + 8.0 + back
                };
                let at = [width * 0.5 + off, y];
                if self.judge_deploy_general(side, lot, id, at).is_ok() {
                    return Some(Point::new(at[0], at[1]).round_to(0.01));
                }
            }
        }
        None
    }

    /// Groups still without a place when a lot ends wait behind their own table edge and dice to come on as troops that
    /// left it without pursuers do (SYW-OFF-05).
    pub(crate) fn wait_off_table(&mut self, side: Side, lot: Lot, log: &mut Log) {
        let edge = self.s.armies[side.index().min(1)].edge;
        let middle = self.fixed.table.edge(edge.edge()).midpoint();
        for u in self.units_to_deploy(side, lot) {
            if self.unit(u).presence != Presence::Waiting {
                continue; // Gone off with the rest of its group.
            }
            let g = self.unit(u).group;
            for &v in &self.group(g).units.clone() {
                self.unit_mut(v).presence = Presence::Off;
            }
            let group = self.group_mut(g);
            group.order = Order::Reserve;
            group.off = Some(Left {
                at: middle,
                edge,
                followed: false,
                routed: false,
                tries: 0,
                march: false,
                either: false,
                ready: false,
                tried: false,
            });
            let id = group.id;
            log.say(|| Event::new("no_room", "SYW-DEPLOY-19").with("group", id.as_str()));
        }
        for i in self.generals_to_deploy(side, lot) {
            self.s.generals[usize::from(i)].placed = true;
            let x = self.fixed.table.width() * 0.5;
            let y = if self.s.armies[side.index().min(1)].edge == EdgeName::South {
                4.0
            } else {
                self.fixed.table.depth() - 4.0
            };
            self.s.generals[usize::from(i)].at = Point::new(x, y);
        }
    }
}
