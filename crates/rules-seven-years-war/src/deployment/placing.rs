//! Placing troops before the battle (SYW-DEPLOY-08 to -19).

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_drill::refuse;
use tricorne_game::{Event, Illegal, Log, Seat, Side, UnitId};
use tricorne_table::{Bounds, Edge, Point, Pose, Rect};

use crate::action::Place;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{bounds_of, join_bounds, overlapping};
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::stands;
use crate::model::state::{Formation, Group, Left, Order, Presence, Unit, Units, within};
use crate::options::UncommandedStart;
use crate::rulebook::cm;

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

impl SevenYearsBattle {
    /// Sub-generals of a side who have troops.
    pub(crate) fn brigades(&self, side: Side) -> SmallVec<[GeneralIx; 8]> {
        GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let g = self.general(i);
                let leads = |x: &Group| x.command == Some(i) && !x.units.is_empty();
                g.side == side && !g.cinc && self.s.groups.iter().any(leads)
            })
            .collect()
    }

    /// Whether a unit belongs to a lot.
    pub(crate) fn in_lot(&self, u: UnitIx, lot: Lot) -> bool {
        let kept = self.s.armies[self.unit(u).side.index().min(1)].kept_back;
        let held = kept.is_some() && self.group_of(u).command == kept;
        match lot {
            Lot::First => !held,
            Lot::Whole => true,
            Lot::Last => held,
        }
    }

    fn general_in_lot(&self, i: GeneralIx, lot: Lot) -> bool {
        let side = self.general(i).side;
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
        GeneralIx::first(self.s.generals.len())
            .filter(|&i| {
                let g = self.general(i);
                g.side == side && !g.placed && self.general_in_lot(i, lot)
            })
            .collect()
    }

    pub(crate) fn left_to_deploy(&self, side: Side, lot: Lot) -> bool {
        !self.units_to_deploy(side, lot).is_empty()
            || !self.generals_to_deploy(side, lot).is_empty()
            || (lot != Lot::Last && self.can_lay_works(side))
    }

    /// How wide the strips along the side edges are (SYW-DEPLOY-08).
    pub(crate) fn side_strip(&self) -> f64 {
        cm(self.distances().from_side_edges)
    }

    /// How far from the centre line a side stays: as far as it must (SYW-DEPLOY-08), or, with the initiative, so as to be far
    /// enough from the enemy's area, and on its own half (SYW-DEPLOY-11, -13).
    pub(crate) fn off_centre(&self, side: Side) -> f64 {
        let theirs = cm(self.distances().from_centre);
        if side == self.s.initiative {
            (cm(self.distances().from_enemy_area) - theirs).max(0.0)
        } else {
            theirs
        }
    }

    /// The deployment area of a side, without the strips along the side edges unless they are open to it.
    pub(crate) fn deployment_bounds(&self, side: Side) -> tricorne_table::Bounds {
        let army = &self.s.armies[side.index().min(1)];
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let strip = depth * 0.5 - self.off_centre(side);
        let (low, high) = if army.edge == Edge::South { (0.0, strip) } else { (depth - strip, depth) };
        let (west, east) =
            if army.strips == 0 { (self.side_strip(), width - self.side_strip()) } else { (0.0, width) };
        tricorne_table::Bounds { min: Point::new(west, low), max: Point::new(east, high) }
    }

    /// What of it is still open: where one strip may be used and is, the other is closed (SYW-DEPLOY-12).
    pub(crate) fn deployment_open(&self, side: Side) -> Bounds {
        let mut open = self.deployment_bounds(side);
        if self.s.armies[side.index().min(1)].strips == 1 {
            let [west, east] = self.strips_taken(side);
            if west {
                open.max.x -= self.side_strip();
            } else if east {
                open.min.x += self.side_strip();
            }
        }
        open
    }

    /// Whether some bounds reach into the strips along the western and the eastern edge.
    fn in_strips(&self, b: &Bounds) -> [bool; 2] {
        let strip = self.side_strip();
        [!within(strip, b.min.x), !within(b.max.x, self.fixed.table.width() - strip)]
    }

    /// In which of the two a side has troops or generals.
    fn strips_taken(&self, side: Side) -> [bool; 2] {
        let units = self.unit_ids().map(|u| self.unit(u)).filter(|u| u.side == side && u.is_present());
        let generals = self.s.generals.iter().filter(|g| g.side == side && g.placed);
        let bounds = units.map(|u| u.frame.bounds).chain(generals.map(|g| bounds_of(&g.rect())));
        bounds.map(|b| self.in_strips(&b)).fold([false; 2], |a, b| [a[0] || b[0], a[1] || b[1]])
    }

    /// Whether footprints lie in a side's deployment area (SYW-DEPLOY-08, -11 to -13, -15).
    pub(crate) fn judge_area(&self, side: Side, rects: &[Rect]) -> Result<(), Illegal> {
        self.judge_ground_of(side, &join_bounds(rects))
    }

    /// The same for anything that covers some bounds.
    pub(crate) fn judge_ground_of(&self, side: Side, b: &Bounds) -> Result<(), Illegal> {
        let army = &self.s.armies[side.index().min(1)];
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let strip = depth * 0.5 - self.off_centre(side);
        let (low, high) = if army.edge == Edge::South { (0.0, strip) } else { (depth - strip, depth) };
        let in_depth = within(low, b.min.y) && within(b.max.y, high);
        if !(in_depth && within(0.0, b.min.x) && within(b.max.x, width)) {
            let clause = if side == self.s.initiative { "SYW-DEPLOY-11" } else { "SYW-DEPLOY-08" };
            return refuse(clause, format!("that is outside the deployment area, y {low:.0} to {high:.0}"));
        }
        self.judge_strips(side, b)
    }

    /// The strips along the side edges (SYW-DEPLOY-12, -15).
    pub(crate) fn judge_strips(&self, side: Side, b: &Bounds) -> Result<(), Illegal> {
        let army = &self.s.armies[side.index().min(1)];
        let [west, east] = self.in_strips(b);
        if !west && !east {
            return Ok(());
        }
        match army.strips {
            0 => refuse(
                if side == self.s.initiative { "SYW-DEPLOY-12" } else { "SYW-DEPLOY-08" },
                format!(
                    "the strips of {:.0} cm along the side edges are closed to this army",
                    self.side_strip()
                ),
            ),
            1 => {
                let taken = self.strips_taken(side);
                let other = (west && taken[1]) || (east && taken[0]);
                if other || (west && east) {
                    refuse("SYW-DEPLOY-12", "only one of the two side strips may be used")
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
            return refuse("SYW-DEPLOY-09", format!("{id} is not among those to be placed now"));
        };
        let group = self.group_of(u);
        if let Some(order) = order {
            if group.command.is_some() {
                return refuse("SYW-ORDER-01", format!("{id} is commanded and starts on Stand"));
            }
            let free = self.fixed.options.uncommanded_start == UncommandedStart::Choice;
            if order != Order::Stand && !(free && matches!(order, Order::Advance | Order::Reserve)) {
                return refuse("SYW-ORDER-02", format!("{id} cannot start on {}", order.name()));
            }
        }
        let starts = order.unwrap_or(group.order);
        match formation {
            Formation::Line => {}
            Formation::DeepLine => self.may_form(u, formation)?,
            Formation::Column1 | Formation::Column2 if starts == Order::Reserve => {}
            _ => return refuse("SYW-DEPLOY-19", format!("{id} deploys in line, or in column on Reserve")),
        }
        let in_hiding = |&v: &UnitIx| self.unit(v).presence == Presence::Hidden;
        if starts == Order::Advance && (hidden || group.units.iter().any(in_hiding)) {
            return refuse("SYW-HIDE-09", format!("hidden troops of {} do not begin on Advance", group.id));
        }
        let pose = crate::model::state::grain(Pose::new(Point::new(at[0], at[1]), facing));
        if !pose.is_finite() || !facing.is_finite() {
            return refuse("SYW-DEPLOY-19", "the place needs ordinary numbers");
        }
        let mut new = stands::formed(self.unit(u), formation, self.info(u));
        new.at = pose.at;
        new.facing = pose.facing;
        let rects = self.rects_at(&new, pose);
        self.judge_area(side, &rects)?;
        if !self.fits(u, &rects) {
            return refuse(
                "SYW-MODEL-33",
                format!("{id} would stand on somebody or on ground it may not enter"),
            );
        }
        // Together with those of its group who are down already.
        let down: SmallVec<[Unit; 4]> = group
            .units
            .iter()
            .filter(|&&v| v != u && self.unit(v).is_present())
            .map(|&v| self.unit(v).clone())
            .collect();
        if starts != Order::Reserve && down.iter().any(|unit| unit.formation.is_column()) {
            return refuse(
                "SYW-DEPLOY-19",
                format!("{} has troops in column, and begins on Reserve", group.id),
            );
        }
        if !hidden {
            self.judge_beside_group(id, &new, &down, starts)?;
        }
        Ok((u, new))
    }

    /// A unit is placed together with those of its group who are down already; those in hiding lie where they lie
    /// (SYW-DEPLOY-19).
    fn judge_beside_group(
        &self,
        id: UnitId,
        new: &Unit,
        down: &[Unit],
        starts: Order,
    ) -> Result<(), Illegal> {
        let mut all: SmallVec<[&Unit; 4]> = down.iter().filter(|unit| unit.is_known()).collect();
        all.push(new);
        if !self.chained(&all) {
            return refuse(
                "SYW-GROUP-07",
                format!("{id} must stand within {} cm of its group", cm(self.distances().group_gap)),
            );
        }
        if starts != Order::Reserve && !self.aligned(&all) {
            return refuse("SYW-GROUP-09", format!("{id} must stand in line with its group"));
        }
        Ok(())
    }

    /// Free of those on the table as this side knows it; its own hidden units count, the enemy's do not show.
    pub(crate) fn fits(&self, u: UnitIx, rects: &[Rect]) -> bool {
        !self.on_impassable(rects, u) && !self.is_taken(self.unit(u).side, Some(u), rects, true)
    }

    /// Whether footprints lie on somebody of those everybody sees or, with `marks`, on one of this side's own hidden units.
    pub(crate) fn is_taken(&self, side: Side, own: Option<UnitIx>, rects: &[Rect], marks: bool) -> bool {
        let bounds = join_bounds(rects);
        self.unit_ids().any(|v| {
            let unit = self.unit(v);
            Some(v) != own
                && (unit.is_known() || (marks && unit.is_present() && unit.side == side))
                && unit.frame.bounds.meets(&bounds)
                && self.rects(v).iter().any(|r| rects.iter().any(|m| overlapping(m, r)))
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
        log.say(|| Event::new("deployed", "SYW-DEPLOY-19").who(id).outcome("unit"));
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
            return refuse("SYW-VIS-02", format!("{terrain} is no ground that conceals"));
        };
        let rects = self.rects_at(&new, new.pose());
        if !self.lies_in(&self.fixed.pieces[p], &rects, side) {
            return refuse("SYW-HIDE-05", format!("{id} is neither in {terrain} there nor behind it"));
        }
        if !self.hidden_from_edge(u, &new) {
            return refuse("SYW-HIDE-02", format!("the enemy's table edge can see {id} there"));
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
            return refuse("SYW-DEPLOY-20", format!("{id} is not among those to be placed now"));
        };
        let at = Point::new(at[0], at[1]).round_to(0.01);
        if !at.is_finite() {
            return refuse("SYW-DEPLOY-20", "the place needs two ordinary numbers");
        }
        let rect = self.general_rect(i, at);
        self.judge_area(side, &[rect])?;
        self.judge_stand_of_general(i, &rect)?;
        if self.is_taken(side, None, &[rect], true) {
            return refuse("SYW-MODEL-33", format!("{id} would stand on somebody"));
        }
        Ok((i, at))
    }

    /// What a general covers who is placed somewhere.
    pub(crate) fn general_rect(&self, i: GeneralIx, at: Point) -> Rect {
        let general = self.general(i);
        let facing = Self::inwards(self.s.armies[general.side.index().min(1)].edge);
        Rect::fronted(Pose { at, facing }, crate::model::stands::WIDTH, general.depth)
    }

    pub(crate) fn set_general(&mut self, i: GeneralIx, at: Point, log: &mut Log) {
        let side = self.general(i).side;
        let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
        let general = self.general_mut(i);
        general.at = at;
        general.facing = facing;
        general.placed = true;
        let id = general.id;
        log.say(|| Event::new("deployed", "SYW-DEPLOY-20").who(id).outcome("general"));
    }

    /// Judges a flank march (SYW-DEPLOY-16 to -18).
    pub(crate) fn judge_march(
        &self,
        side: Side,
        lot: Lot,
        id: UnitId,
        edge: Edge,
    ) -> Result<GroupIx, Illegal> {
        let Some(g) = self.known_group(id).filter(|&g| self.group(g).side == side) else {
            return refuse("SYW-DEPLOY-16", format!("{id} is no group of yours"));
        };
        if !self.s.armies[side.index().min(1)].may_march {
            return refuse("SYW-DEPLOY-16", "this army has not won a flank march");
        }
        if !matches!(edge, Edge::East | Edge::West) {
            return refuse("SYW-DEPLOY-18", "a flank march comes in on the east or the west side");
        }
        let waiting = self.units_to_deploy(side, lot);
        if self.group(g).units.is_empty() || !self.group(g).units.iter().all(|u| waiting.contains(u)) {
            return refuse("SYW-DEPLOY-16", format!("{id} has units on the table already"));
        }
        Ok(g)
    }

    pub(crate) fn send_marching(&mut self, g: GroupIx, edge: Edge, log: &mut Log) {
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
            fresh: true,
            ready: false,
            tried: false,
        });
        let seat = Seat(group.side.0);
        log.say(|| self.group_event("flank_march", "SYW-DEPLOY-16", g).only(&[seat]));
    }
}
