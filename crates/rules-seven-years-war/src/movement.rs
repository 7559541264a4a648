//! Sub-phase 2: what each order lets a group do, and carrying it out (SYW-ORDER-24 to -50, SYW-MOVE).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_game::{Event, Illegal, Log, UnitId};
use tricorne_table::Point;

use crate::action::{Leg, Turn, UnitMove};
use crate::field::{SevenYearsBattle, name_order, no};
use crate::options::{ArtilleryReserve, SquareLights, SquareUndo};
use crate::rulebook::{Arm, ChangeAndMove, Class, Drill};
use crate::stands;
use crate::state::{Formation, GroupIx, Groups, Order, Presence, SLACK, Unit, UnitIx, Units, grain, within};
use crate::turn::Task;
use crate::walk::{Dice, Heed, Mover, Movers, Stop, Walked};

/// A move judged and ready to be made.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    pub group: GroupIx,
    /// Each unit that moves, as it will be.
    pub movers: Movers,
    /// Why the walk ended before its legs did.
    pub stop: Option<Stop>,
    pub passed: SmallVec<[(UnitIx, UnitIx); 4]>,
    pub left_table: bool,
    pub changed: bool,
    /// The group moved as one line.
    pub as_one: bool,
    /// It halts by choice where the move ends.
    pub stand: bool,
    /// Dice that ground asked for.
    pub rolled: SmallVec<[(UnitIx, &'static str, i32); 2]>,
    /// The legs of a retreat that was judged.
    pub path: SmallVec<[Leg; 3]>,
}

/// A Stand unit may shift this far (SYW-ORDER-42).
const SHIFT: f64 = 5.0;
/// Reserve keeps this far from enemies (SYW-ORDER-38).
const RESERVE_KEEPS: f64 = 20.0;

impl SevenYearsBattle {
    /// Whether walks may ask for dice here: type 4 ground and abatis.
    pub(crate) fn ground_rolls(&self) -> bool {
        self.fixed.pieces.iter().any(|p| {
            p.lump_dice.is_some()
                || p.level >= 4
                || (p.kind == crate::ground::PieceKind::Crossing
                    && self.fixed.options.minus_6d4_line == crate::options::Minus6d4Line::RiverCrossing)
        })
    }

    /// Judges a group's move; with dice, ground rolls what it asks for.
    pub(crate) fn plan_move(
        &self,
        g: GroupIx,
        legs: &[Leg],
        units: &[UnitMove],
        stand: bool,
        dice: &mut Dice,
        blind: bool,
    ) -> Result<Plan, Illegal> {
        let group = self.group(g);
        let members = self.members(g);
        if group.side != self.s.phasing {
            return no("SYW-SEQ-02", format!("{} is not of the phasing side", group.id));
        }
        if members.is_empty() {
            return no("SYW-GROUP-01", format!("{} has nobody on the table", group.id));
        }
        if group.moved || group.halted {
            return no("SYW-MOVE-12", format!("{} has made its move of this phase", group.id));
        }
        if matches!(group.order, Order::Retreat | Order::Rout) || group.pursuing.is_some() {
            return no("SYW-SEQ-04", format!("{} moves before the others, not now", group.id));
        }
        if self.group_in_melee(g) {
            return no(
                "SYW-MOVE-20",
                format!("{} has units in melee and does not move; rearrange or complete instead", group.id),
            );
        }
        if let Some(&u) = members.iter().find(|&&u| self.unit(u).presence == Presence::Hidden) {
            return no("SYW-HIDE-04", format!("{} is hidden; reveal it first", self.unit(u).id));
        }
        if members.iter().any(|&u| self.unit(u).surrendered) {
            return no("SYW-ROUT-12", format!("{} has surrendered and stays where it is", group.id));
        }
        if legs.is_empty() && units.is_empty() {
            return no("SYW-ORDER-25", "a move needs legs, for the group or for each unit");
        }
        if !legs.is_empty() && !units.is_empty() {
            return no("SYW-MOVE-07", "give legs to the whole group or to its units, not both");
        }
        let heed = Heed {
            halts: group.order == Order::Advance,
            yielding: self.yielding_to(g),
            blind,
            ..Heed::default()
        };
        let mut plan = Plan { group: g, as_one: units.is_empty(), stand, ..Plan::default() };
        if stand && group.order != Order::Advance {
            return no("SYW-ORDER-31", format!("{} is not on Advance", group.id));
        }
        if units.is_empty() {
            if members.len() > 1
                && legs
                    .iter()
                    .any(|l| matches!(l, Leg::Turn(_) | Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_)))
            {
                // On the spot each unit for itself; the rest of the path is walked together.
                for &u in &members {
                    self.legs_allowed(u, legs)?;
                }
            } else {
                self.legs_allowed(members[0], legs)?;
                for &u in &members[1..] {
                    self.legs_allowed(u, legs)?;
                }
            }
            let mut movers: Movers = members.iter().map(|&u| self.mover(u)).collect();
            let walked = self.walk(&mut movers, legs, &heed, dice)?;
            self.take_in(&mut plan, movers, &walked);
        } else {
            let mut seen = Units::new();
            for m in units {
                let Some(u) = self.find_unit(m.unit).filter(|u| members.contains(u)) else {
                    return no("SYW-GROUP-12", format!("{} is no unit of {}", m.unit, group.id));
                };
                if seen.contains(&u) {
                    return no("SYW-MOVE-07", format!("{} is given legs twice", m.unit));
                }
                seen.push(u);
                self.legs_allowed(u, &m.legs)?;
                let mut movers = Movers::new();
                movers.push(self.mover(u));
                let walked = self.walk(&mut movers, &m.legs, &heed, dice)?;
                self.take_in(&mut plan, movers, &walked);
            }
        }
        plan.changed = legs
            .iter()
            .chain(units.iter().flat_map(|m| m.legs.iter()))
            .any(|l| matches!(l, Leg::Turn(_) | Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_)));
        plan.rolled.append(&mut dice.rolled);
        // Legality is judged without dice and blind to hidden enemies, who must not show before they are met.
        if blind {
            self.fair_end(&plan)?;
        }
        Ok(plan)
    }

    /// A unit about to walk, gathered first if it was split (SYW-INTER-10).
    fn mover(&self, u: UnitIx) -> Mover {
        let used = self.group_of(u).used;
        let mut m = Mover::new(self, u, (self.speed(u) - used).max(0.0));
        if m.new.split.is_some() {
            m.new = self.gathered(u);
        }
        m
    }

    /// A split unit drawn together on its foremost stand (SYW-INTER-10).
    pub(crate) fn gathered(&self, u: UnitIx) -> Unit {
        let unit = self.unit(u);
        let info = self.info_of(unit);
        let mut new = unit.clone();
        new.split = None;
        let Some(first) = unit.stands.iter().copied().max_by(|a, b| a.v.total_cmp(&b.v)) else { return new };
        new.stands = stands::layout(unit.formation, unit.strength(), info);
        // The front-rank stand that keeps the most of the unit where its origin was.
        let nearest = new
            .stands
            .iter()
            .filter(|s| s.rank == 0)
            .copied()
            .min_by(|a, b| (a.u - first.u).abs().total_cmp(&(b.u - first.u).abs()));
        if let Some(place) = nearest {
            new.at = unit.pose().to_world(Point::new(first.u - place.u, first.v - place.v));
        }
        new.reframe();
        new
    }

    fn take_in(&self, plan: &mut Plan, movers: Movers, walked: &Walked) {
        for &f in &walked.passed {
            for m in &movers {
                if !self.group(plan.group).units.contains(&f) {
                    plan.passed.push((m.u, f));
                    break;
                }
            }
        }
        if let Some(stop) = walked.stop {
            // A halt counts for the whole group; of two reasons the weightier stays.
            let weighs = |s: &Stop| match s {
                Stop::Ambush(..) => 3,
                Stop::Halt(_) | Stop::Friends => 2,
                _ => 1,
            };
            if plan.stop.as_ref().is_none_or(|old| weighs(&stop) > weighs(old)) {
                plan.stop = Some(stop);
            }
        }
        plan.left_table |= walked.left_table;
        plan.movers.extend(movers);
    }

    /// Which legs an order and a unit's drill allow.
    fn legs_allowed(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        match self.order_of(u) {
            Order::Advance => self.advance_legs(u, legs),
            Order::Reserve => self.reserve_legs(u, legs),
            Order::Stand => self.stand_legs(u, legs),
            Order::Retreat | Order::Rout => no("SYW-SEQ-04", "it moves before the others, not now"),
        }
    }

    fn advance_legs(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        let id = self.unit(u).id;
        for leg in legs {
            match leg {
                Leg::Forward(_) | Leg::Wheel { .. } | Leg::Incline { .. } => {}
                Leg::Turn(_) => return no("SYW-ORDER-40", format!("{id} may turn on Reserve only")),
                Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_) => {
                    return no("SYW-ORDER-24", format!("{id} is on Advance and stays in line"));
                }
                Leg::Back(_) => {
                    return no("SYW-ORDER-26", format!("{id} is on Advance and does not go back"));
                }
                Leg::Shift(_) => return no("SYW-ORDER-42", format!("{id} may shift on Stand only")),
            }
        }
        Ok(())
    }

    fn reserve_legs(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let (id, info) = (unit.id, self.info_of(unit));
        let mut moves = 0;
        let mut changes: SmallVec<[&Leg; 2]> = SmallVec::new();
        let mut back = false;
        let mut forth = false;
        for leg in legs {
            match leg {
                Leg::Forward(_) | Leg::Wheel { .. } | Leg::Incline { .. } => {
                    moves += 1;
                    forth = true;
                }
                Leg::Back(_) => {
                    moves += 1;
                    back = true;
                }
                Leg::Turn(_) | Leg::Form(_) | Leg::FormOn { .. } | Leg::Pivot(_) => changes.push(leg),
                Leg::Shift(_) => return no("SYW-ORDER-42", format!("{id} may shift on Stand only")),
            }
        }
        if back && forth {
            return no("SYW-ORDER-37", format!("{id} goes forward or backward in a move, not both"));
        }
        if unit.formation == Formation::Square
            && moves > 0
            && !changes.iter().any(|c| matches!(c, Leg::Form(_) | Leg::FormOn { .. }))
        {
            return no("SYW-MOVE-10", format!("{id} is in square, which does not march; form line first"));
        }
        if info.arm == Arm::Artillery {
            if changes.iter().any(|c| !matches!(c, Leg::Pivot(_))) {
                return no("SYW-ORDER-41", format!("{id} is a battery; its only change is a pivot"));
            }
            return match self.fixed.options.artillery_reserve {
                ArtilleryReserve::MoveOrPivot if moves > 0 && !changes.is_empty() => {
                    no("SYW-ORDER-41", format!("{id} may move or pivot, not both"))
                }
                ArtilleryReserve::PivotOnly if moves > 0 => {
                    no("SYW-ORDER-41", format!("{id} may only pivot on Reserve"))
                }
                _ => Ok(()),
            };
        }
        if changes.iter().any(|c| matches!(c, Leg::Pivot(_))) {
            return no("SYW-ORDER-41", format!("{id} is no battery; it turns or wheels"));
        }
        if changes.len() + usize::from(unit.changed) > 1 {
            return no("SYW-ORDER-39", format!("{id} may change its formation once in a phase"));
        }
        for change in &changes {
            if let Leg::Form(f) | Leg::FormOn { formation: f, .. } = change {
                self.may_form(u, *f)?;
            }
        }
        if changes.is_empty() {
            return Ok(());
        }
        let row = self.drill_row(u);
        let to_flank = |leg: &Leg| {
            matches!(leg, Leg::Turn(Turn::Left | Turn::Right))
                && (unit.formation.is_line() || unit.formation.is_column())
        };
        if moves == 0 && !row.change_without_move {
            return no("SYW-ORDER-39", format!("{id} is not drilled to change its formation"));
        }
        match row.change_and_move {
            ChangeAndMove::Any => Ok(()),
            ChangeAndMove::FlankColumn if moves == 0 || changes.iter().all(|c| to_flank(c)) => Ok(()),
            ChangeAndMove::None if moves == 0 => Ok(()),
            _ => no(
                "SYW-ORDER-39",
                format!("{id} is not drilled well enough to make this change and move; do one of them"),
            ),
        }
    }

    /// Whether a unit may take a formation at all, and on its order.
    pub(crate) fn may_form(&self, u: UnitIx, formation: Formation) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let (id, info) = (unit.id, self.info_of(unit));
        if info.arm == Arm::Artillery && formation != Formation::Line {
            return no("SYW-MOVE-08", format!("{id} is artillery, which has neither column nor square"));
        }
        match formation {
            Formation::Line => Ok(()),
            Formation::DeepLine => {
                if stands::two_ranks(info) {
                    no("SYW-MODEL-07", format!("{id} is massed infantry; its line is two deep as it is"))
                } else if self.fixed.options.cav_deep_line {
                    Ok(())
                } else {
                    no("SYW-MODEL-07", format!("{id} may not choose two ranks under these options"))
                }
            }
            Formation::Column1 | Formation::Column2 => {
                if self.order_of(u) == Order::Reserve {
                    Ok(())
                } else {
                    no("SYW-MOVE-09", format!("{id} may be in column on Reserve only"))
                }
            }
            Formation::Square => {
                let lights = self.fixed.options.square_lights == SquareLights::LightInfantryToo
                    && info.kind.is_light_infantry();
                if !(stands::two_ranks(info) || lights) {
                    return no("SYW-MOVE-11", format!("{id} is no massed infantry and has no square"));
                }
                if unit.strength() < 3 {
                    return no("SYW-MODEL-11", format!("{id} needs at least 3 stands for a square"));
                }
                if matches!(self.order_of(u), Order::Stand | Order::Reserve) {
                    Ok(())
                } else {
                    no("SYW-MOVE-09", format!("{id} may form square on Stand or Reserve only"))
                }
            }
            Formation::Turned | Formation::Routed => {
                no("SYW-FLANK-03", format!("{id} takes that formation only when a rule makes it"))
            }
        }
    }

    fn stand_legs(&self, u: UnitIx, legs: &[Leg]) -> Result<(), Illegal> {
        let unit = self.unit(u);
        let id = unit.id;
        let (mut shifts, mut abouts, mut squares) = (0, 0, 0);
        for leg in legs {
            match leg {
                Leg::Shift([x, y]) => {
                    shifts += 1;
                    let length = Point::new(*x, *y).length();
                    if !within(length, SHIFT) || !length.is_finite() {
                        return no("SYW-ORDER-42", format!("{id} may shift by 5 cm at most"));
                    }
                }
                Leg::Turn(Turn::About) => abouts += 1,
                Leg::Turn(_) => {
                    return no("SYW-ORDER-40", format!("{id} may turn to a flank on Reserve only"));
                }
                Leg::Form(Formation::Square) | Leg::FormOn { formation: Formation::Square, .. } => {
                    squares += 1;
                    self.may_form(u, Formation::Square)?;
                }
                Leg::Form(Formation::Line) if unit.formation == Formation::Square => {
                    if self.fixed.options.square_undo != SquareUndo::StandToo {
                        return no("SYW-ORDER-44", format!("{id} may leave its square on Reserve only"));
                    }
                    squares += 1;
                }
                Leg::Form(f) => {
                    self.may_form(u, *f)?;
                    return no("SYW-ORDER-42", format!("{id} is on Stand and may form square only"));
                }
                _ => {
                    return no(
                        "SYW-ORDER-42",
                        format!("{id} is on Stand: it may shift 5 cm, face about and form square"),
                    );
                }
            }
        }
        if shifts > 1 || abouts > 1 || squares > 1 {
            return no("SYW-ORDER-42", format!("{id} may shift, face about and form square once each"));
        }
        Ok(())
    }

    /// What must hold where a chosen move ends.
    fn fair_end(&self, plan: &Plan) -> Result<(), Illegal> {
        let g = plan.group;
        let group = self.group(g);
        if plan.left_table {
            return Ok(()); // SYW-OFF-02
        }
        let ambushed = matches!(plan.stop, Some(Stop::Ambush(..)));
        for &(u, f) in &plan.passed {
            if !self.may_pass(u, f) {
                return no(
                    "SYW-INTER-06",
                    format!(
                        "{} may not pass through {}: massed troops pass massed troops only to pass artillery on Stand",
                        self.unit(u).id,
                        self.unit(f).id
                    ),
                );
            }
        }
        if let Some((u, v)) = self.resting_on(&plan.movers, group.side)
            && !ambushed
        {
            let beside = self.unit(v).side == group.side
                && self.may_pass(u, v)
                && plan.passed.iter().any(|&(_, f)| f == v)
                && self.split_all(&plan.movers).is_some();
            if !beside {
                return no(
                    if plan.changed { "SYW-MODEL-31" } else { "SYW-MODEL-33" },
                    format!("{} would come to rest on {}", self.unit(u).id, self.unit(v).id),
                );
            }
        }
        for (k, a) in plan.movers.iter().enumerate() {
            let rects = self.rects_at(&a.new, grain(a.new.pose()));
            for b in &plan.movers[k + 1..] {
                if Self::any_overlap(&rects, &self.rects_at(&b.new, grain(b.new.pose()))) && !ambushed {
                    return no(
                        if plan.changed { "SYW-MODEL-31" } else { "SYW-MODEL-33" },
                        format!("{} and {} would stand on each other", a.new.id, b.new.id),
                    );
                }
            }
        }
        for m in &plan.movers {
            let rects = self.rects_at(&m.new, grain(m.new.pose()));
            if m.new.formation != self.unit(m.u).formation && self.on_impassable(&rects, m.u) {
                return no("SYW-MODEL-31", format!("{} would stand on impassable ground", m.new.id));
            }
            let bounds = crate::field::join_bounds(&rects);
            let table = self.fixed.table.bounds().grown(SLACK);
            if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                return no("SYW-OFF-02", format!("{} would stand partly off the table", m.new.id));
            }
        }
        self.cohesion(plan)?;
        match group.order {
            Order::Advance => self.advance_duty(plan),
            Order::Reserve => self.reserve_keeps_off(plan),
            Order::Stand => self.shift_makes_no_contact(plan),
            Order::Retreat | Order::Rout => Ok(()),
        }
    }

    /// Units of a group keep together (SYW-GROUP-07, -09, -10).
    fn cohesion(&self, plan: &Plan) -> Result<(), Illegal> {
        let members = self.members(plan.group);
        if members.len() < 2 || matches!(plan.stop, Some(Stop::Ambush(..))) {
            return Ok(());
        }
        let after: SmallVec<[&Unit; 4]> = members
            .iter()
            .map(|&u| plan.movers.iter().find(|m| m.u == u).map_or_else(|| self.unit(u), |m| &m.new))
            .collect();
        let before: SmallVec<[&Unit; 4]> = members.iter().map(|&u| self.unit(u)).collect();
        let moved_as_one = plan.as_one;
        if self.chained(&before) && !self.chained(&after) {
            return no(
                "SYW-GROUP-07",
                format!(
                    "units of {} would end more than 1 cm from each other; keep the group together",
                    self.group(plan.group).id
                ),
            );
        }
        let reserve = self.group(plan.group).order == Order::Reserve;
        if !reserve && !moved_as_one && self.aligned(&before) && !self.aligned(&after) {
            return no(
                "SYW-GROUP-09",
                "units of a group stand side by side, facing within 10 degrees and echeloned by 3 cm at most",
            );
        }
        Ok(())
    }

    /// One connected chain with gaps of 1.0 at most (SYW-GROUP-07).
    pub(crate) fn chained(&self, units: &[&Unit]) -> bool {
        if units.len() < 2 {
            return true;
        }
        let rects: SmallVec<[crate::field::Rects; 4]> =
            units.iter().map(|u| self.rects_at(u, u.pose())).collect();
        let mut reached: SmallVec<[bool; 8]> = SmallVec::from_elem(false, units.len());
        reached[0] = true;
        loop {
            let mut grew = false;
            for i in 0..units.len() {
                if reached[i] {
                    continue;
                }
                let near = (0..units.len()).any(|j| {
                    reached[j]
                        && rects[i].iter().any(|a| {
                            rects[j].iter().any(|b| {
                                crate::field::bounds_of(a).gap_squared(&crate::field::bounds_of(b)) < 1.1
                                    && within(crate::field::gap_of(a, b), 1.0)
                            })
                        })
                });
                if near {
                    reached[i] = true;
                    grew = true;
                }
            }
            if !grew {
                return reached.iter().all(|&r| r);
            }
        }
    }

    /// Side by side or slightly echeloned (SYW-GROUP-09).
    pub(crate) fn aligned(&self, units: &[&Unit]) -> bool {
        units.windows(2).all(|pair| {
            let turn = tricorne_table::angle::turn(pair[0].facing, pair[1].facing).abs();
            let offset = pair[0].pose().to_local(pair[1].at).y.abs();
            turn <= 10.05 && within(offset, 3.0)
        })
    }

    /// The duties of Advance (SYW-ORDER-25, -26).
    fn advance_duty(&self, plan: &Plan) -> Result<(), Illegal> {
        let group = self.group(plan.group);
        let excused =
            matches!(plan.stop, Some(Stop::Halt(_) | Stop::Friends | Stop::Ambush(..) | Stop::Enemy(_)));
        if plan.stand && !excused {
            self.may_halt_there(plan)?;
        } else if !excused {
            let enough = plan.movers.iter().any(|m| within(self.info(m.u).speed * 0.5, m.spent + group.used));
            if !enough {
                return no(
                    "SYW-ORDER-25",
                    format!("at least one unit of {} must move half its speed on Advance", group.id),
                );
            }
        }
        for m in &plan.movers {
            self.no_farther(m)?;
        }
        Ok(())
    }

    /// A halt by choice where a move ends (SYW-ORDER-27, -31).
    fn may_halt_there(&self, plan: &Plan) -> Result<(), Illegal> {
        let group = self.group(plan.group);
        let guns = group.arm == Arm::Artillery;
        if guns && group.began_on_stand {
            return no(
                "SYW-ORDER-27",
                format!("{} began this phase on Stand and may not go back to it yet", group.id),
            );
        }
        let near = plan.movers.iter().any(|m| {
            let ranges = self.fixed.book.ranges(self.info(m.u).weapon);
            let reach = if guns { ranges.greatest() } else { ranges.long.unwrap_or(0.0) };
            let rects = self.rects_at(&m.new, m.new.pose());
            reach > 0.0
                && self.known_enemies(group.side).any(|e| self.rects_gap(&rects, e, reach + SLACK).is_some())
        });
        if near {
            Ok(())
        } else {
            let clause = if guns { "SYW-ORDER-27" } else { "SYW-ORDER-31" };
            no(clause, format!("{} has no known enemy within range there", group.id))
        }
    }

    /// No stand ends farther from the nearest known massed enemy than it began (SYW-ORDER-26).
    fn no_farther(&self, m: &Mover) -> Result<(), Illegal> {
        let began = &self.unit(m.u).began;
        if began.is_empty() || began[0] > 1e5 {
            return Ok(());
        }
        let rects = self.rects_at(&m.new, grain(m.new.pose()));
        for (i, rect) in rects.iter().enumerate() {
            let Some(&limit) = began.get(i) else { continue };
            if limit < 1e5 && !self.massed_enemy_within(m.new.side, rect, limit + 0.02) {
                return no(
                    "SYW-ORDER-26",
                    format!("a stand of {} would end farther from the nearest massed enemy", m.new.id),
                );
            }
        }
        Ok(())
    }

    fn massed_enemy_within(
        &self,
        side: tricorne_game::Side,
        rect: &tricorne_table::Rect,
        limit: f64,
    ) -> bool {
        let bounds = crate::field::bounds_of(rect);
        self.known_enemies(side).any(|e| {
            self.is_massed(e)
                && self.unit(e).frame.bounds.gap_squared(&bounds) <= limit * limit
                && (0..self.unit(e).strength()).any(|j| crate::field::gap_of(rect, &self.rect(e, j)) <= limit)
        })
    }

    /// Reserve does not come closer to enemies within 20 (SYW-ORDER-38).
    fn reserve_keeps_off(&self, plan: &Plan) -> Result<(), Illegal> {
        let side = self.group(plan.group).side;
        for m in &plan.movers {
            let rects = self.rects_at(&m.new, grain(m.new.pose()));
            for e in self.known_enemies(side) {
                let Some(now) = self.rects_gap(&rects, e, RESERVE_KEEPS + SLACK) else { continue };
                let before = self.gap(m.u, e);
                if now >= before - SLACK || self.in_melee(e) {
                    continue;
                }
                if self.friends_between(&rects, e, side, plan) {
                    continue;
                }
                return no(
                    "SYW-ORDER-38",
                    format!(
                        "{} would end {:.1} cm from {}, closer than before; Reserve keeps 20 off",
                        m.new.id,
                        now,
                        self.unit(e).id
                    ),
                );
            }
        }
        Ok(())
    }

    /// Whether the shortest line to an enemy crosses a friendly stand (SYW-ORDER-38).
    fn friends_between(
        &self,
        rects: &[tricorne_table::Rect],
        enemy: UnitIx,
        side: tricorne_game::Side,
        plan: &Plan,
    ) -> bool {
        let mut best: Option<(f64, Point, Point)> = None;
        for a in rects {
            for b in &self.rects(enemy) {
                let near = tricorne_table::Shape::Rect(*a).nearest(&tricorne_table::Shape::Rect(*b));
                let d = near.own.distance(near.other);
                if best.is_none_or(|(l, _, _)| d < l) {
                    best = Some((d, near.own, near.other));
                }
            }
        }
        let Some((_, p, q)) = best else { return false };
        self.present(side).any(|f| {
            !plan.movers.iter().any(|m| m.u == f)
                && (0..self.unit(f).strength())
                    .any(|i| tricorne_table::Shape::Rect(self.rect(f, i)).meets_segment(p, q))
        })
    }

    /// A shift on Stand makes no contact (SYW-ORDER-43).
    fn shift_makes_no_contact(&self, plan: &Plan) -> Result<(), Illegal> {
        for m in &plan.movers {
            let rects = self.rects_at(&m.new, grain(m.new.pose()));
            for e in self.known_enemies(m.new.side) {
                if self.rects_gap(&rects, e, 0.1).is_some() {
                    return no("SYW-ORDER-43", format!("{} may not shift into contact", m.new.id));
                }
            }
        }
        Ok(())
    }

    /// All movers with the stands that would rest on friends set beside them (SYW-INTER-09).
    fn split_all(&self, movers: &[Mover]) -> Option<SmallVec<[Unit; 4]>> {
        let mut done: SmallVec<[Unit; 4]> = SmallVec::new();
        for k in 0..movers.len() {
            let mut others: SmallVec<[tricorne_table::Rect; 16]> = SmallVec::new();
            for unit in &done {
                others.extend(self.rects_at(unit, unit.pose()));
            }
            for later in &movers[k + 1..] {
                others.extend(self.rects_at(&later.new, grain(later.new.pose())));
            }
            done.push(self.split_beside(&movers[k], movers, &others)?);
        }
        Some(done)
    }

    /// Stands that would rest on a friend set beside it by the least move, if that can be done (SYW-INTER-09).
    fn split_beside(&self, m: &Mover, all: &[Mover], others: &[tricorne_table::Rect]) -> Option<Unit> {
        let pose = grain(m.new.pose());
        let mut new = m.new.clone();
        new.at = pose.at;
        new.facing = pose.facing;
        let frame = pose.frame();
        let depth = self.info(m.u).depth;
        for i in 0..new.stands.len() {
            let clear = |unit: &Unit, i: usize| {
                let rect = unit.rect_in(&frame, pose.facing, i, depth);
                let bounds = crate::field::bounds_of(&rect);
                self.fixed.table.holds_bounds(&bounds)
                    && !others.iter().any(|o| crate::field::overlapping(&rect, o))
                    && !self
                        .unit_ids()
                        .any(|v| !all.iter().any(|o| o.u == v) && self.overlaps_unit(&[rect], &bounds, v))
                    && (0..unit.stands.len()).all(|j| {
                        j == i
                            || !crate::field::overlapping(&rect, &unit.rect_in(&frame, pose.facing, j, depth))
                    })
            };
            if clear(&new, i) {
                continue;
            }
            let home = new.stands[i];
            let mut best: Option<(f64, f64, f64)> = None;
            for step in 1..=48 {
                let off = f64::from(step) * 0.25;
                for (du, dv) in [(off, 0.0), (-off, 0.0), (0.0, -off), (0.0, off)] {
                    let mut tried = new.clone();
                    tried.stands[i].u = home.u + du;
                    tried.stands[i].v = home.v + dv;
                    if clear(&tried, i) {
                        best = Some((off, du, dv));
                        break;
                    }
                }
                if best.is_some() {
                    break;
                }
            }
            let (_, du, dv) = best?;
            new.stands[i].u += du;
            new.stands[i].v += dv;
        }
        Some(new)
    }

    /// Makes a judged move.
    pub(crate) fn make_move(&mut self, plan: Plan, chance: &mut dyn Chance, log: &mut Log) {
        let g = plan.group;
        self.group_mut(g).moved = true;
        for &(u, purpose, total) in &plan.rolled {
            let id = self.unit(u).id;
            log.say(|| Event::new(purpose, "SYW-TERR-05").who(id).made(total));
        }
        // Units split around one that moves are gathered first (SYW-INTER-10).
        let split: Units = self
            .unit_ids()
            .filter(|&u| self.unit(u).split.is_some_and(|f| plan.movers.iter().any(|m| m.u == f)))
            .collect();
        for u in split {
            let new = self.gathered(u);
            self.settle(u, new);
        }
        if plan.left_table {
            self.leave_table(g, log);
            return;
        }
        let before = self.before_fall_back(g);
        let friends_halt = plan.stop == Some(Stop::Friends);
        if let Some(Stop::Ambush(hidden, mover)) = plan.stop {
            self.group_mut(g).moved = false;
            // The owner of the hidden unit is asked before it shows itself (SYW-VIS-04).
            self.s.tasks.push(Task::Ambush { hidden, mover });
            self.place_movers(&plan, log);
            self.passages(&plan.passed, log);
            return;
        }
        self.place_movers(&plan, log);
        match plan.stop {
            Some(Stop::Halt(_)) => {
                self.group_mut(g).halted = true;
                self.s.tasks.push(Task::Halt { group: g });
            }
            Some(Stop::Friends) => {
                self.group_mut(g).halted = true;
            }
            Some(Stop::Edge) => self.set_order(g, Order::Reserve, log), // SYW-OFF-01
            _ if plan.stand => {
                let id = self.group(g).id;
                log.say(|| Event::new("halt", "SYW-ORDER-31").with("group", id.as_str()));
                self.set_order(g, Order::Stand, log);
            }
            _ => {}
        }
        self.passages(&plan.passed, log);
        if friends_halt && self.group(g).order == Order::Advance {
            self.set_order(g, Order::Stand, log); // SYW-ORDER-35
        }
        self.fall_back_before(g, before, chance, log);
    }

    fn place_movers(&mut self, plan: &Plan, log: &mut Log) {
        let g = plan.group;
        let side = self.group(g).side;
        let rests_on_friend = self.resting_on(&plan.movers, side).is_some();
        let beside = if rests_on_friend { self.split_all(&plan.movers) } else { None };
        let mut used = 0.0_f64;
        for (k, m) in plan.movers.iter().enumerate() {
            used = used.max(m.spent);
            let old = self.unit(m.u);
            let (was_at, was_facing, was_formation) = (old.at, old.facing, old.formation);
            let mut new = m.new.clone();
            if let Some(split) = beside.as_ref().and_then(|b| b.get(k))
                && split.stands != new.stands
            {
                new = split.clone();
                new.split = plan.passed.iter().find(|p| p.0 == m.u || plan.movers.len() > 1).map(|p| p.1);
            }
            let pose = grain(new.pose());
            let moved = !pose.at.near(was_at)
                || (pose.facing - was_facing).abs() > 0.05
                || new.formation != was_formation;
            new.moved |= moved;
            new.changed |= new.formation != was_formation || plan.changed;
            let (id, gone, at) = (new.id, m.gone, pose.at);
            self.put_as(m.u, new);
            if moved {
                self.push_generals(m.u, log);
                log.say(|| {
                    Event::new("moved", "SYW-MOVE-01")
                        .who(id)
                        .with("distance", tricorne_table::round_to(gone, 0.01))
                        .with("x", at.x)
                        .with("y", at.y)
                });
            }
        }
        self.group_mut(g).used += used;
        self.reveal_by_sight(log);
    }

    /// The default move of an Advance group that was not moved: straight ahead by half its speed (M5).
    pub(crate) fn default_advance(&mut self, g: GroupIx, chance: &mut dyn Chance, log: &mut Log) {
        let members = self.members(g);
        let half = members.iter().map(|&u| self.info(u).speed * 0.5).fold(0.0, f64::max) - self.group(g).used;
        let half = half.max(0.0);
        let legs = [Leg::Forward(half)];
        let mut plan = self.plan_move(g, &legs, &[], false, &mut Dice::none(), true);
        if let Ok(p) = &plan
            && p.left_table
        {
            // SYW-OFF-01: a group that is made to move halts at the edge.
            plan = self.plan_to_edge(g, half);
        }
        match plan {
            Ok(plan) => {
                let plan = if plan.left_table || plan.stop == Some(Stop::Edge) {
                    plan
                } else {
                    self.real_plan(g, &legs, &[], false, chance).unwrap_or(plan)
                };
                self.make_move(plan, chance, log);
            }
            Err(_) => {
                // SYW-ORDER-36
                self.group_mut(g).moved = true;
                let id = self.group(g).id;
                log.say(|| Event::new("halt", "SYW-ORDER-36").with("group", id.as_str()));
                self.set_order(g, Order::Stand, log);
            }
        }
    }

    /// A move that was judged legal, walked again with the dice its ground asks for and the hidden enemies it meets.
    pub(crate) fn real_plan(
        &self,
        g: GroupIx,
        legs: &[Leg],
        units: &[UnitMove],
        stand: bool,
        chance: &mut dyn Chance,
    ) -> Option<Plan> {
        let enemy = self.group(g).side.enemy();
        if !self.ground_rolls() && self.hidden_units(enemy).is_empty() {
            return None;
        }
        let mut dice = Dice { chance: Some(chance), rolled: SmallVec::new() };
        self.plan_move(g, legs, units, stand, &mut dice, false).ok()
    }

    fn plan_to_edge(&self, g: GroupIx, half: f64) -> Result<Plan, Illegal> {
        let heed = Heed { halts: true, yielding: self.yielding_to(g), halt_at_edge: true, ..Heed::default() };
        let mut movers: Movers = self.members(g).iter().map(|&u| self.mover(u)).collect();
        let walked = self.walk(&mut movers, &[Leg::Forward(half)], &heed, &mut Dice::none())?;
        let mut plan = Plan { group: g, ..Plan::default() };
        self.take_in(&mut plan, movers, &walked);
        if self.resting_on(&plan.movers, self.group(g).side).is_some() {
            return no("SYW-MODEL-33", "it would come to rest on somebody");
        }
        Ok(plan)
    }

    /// Judges a halt by choice (SYW-ORDER-27, -31), or the answer to one that must be made.
    pub(crate) fn judge_stand(&self, g: GroupIx) -> Result<(), Illegal> {
        let group = self.group(g);
        if let Some(Task::Halt { group: asked }) = self.s.tasks.last() {
            return if *asked == g {
                Ok(())
            } else {
                no("SYW-ORDER-32", format!("{} must answer for its halt first", self.group(*asked).id))
            };
        }
        if group.side != self.s.phasing || group.order != Order::Advance {
            return no("SYW-ORDER-31", format!("{} is not on Advance", group.id));
        }
        if group.charging {
            return no("SYW-CHARGE-07", format!("{} has passed its test and charges", group.id));
        }
        if self.group_in_melee(g) {
            return no("SYW-MOVE-20", format!("{} is in melee", group.id));
        }
        let members = self.members(g);
        if group.arm == Arm::Artillery {
            if group.began_on_stand {
                return no(
                    "SYW-ORDER-27",
                    format!("{} began this phase on Stand and may not go back to it yet", group.id),
                );
            }
            let reach = |u: UnitIx| self.fixed.book.ranges(self.info(u).weapon).greatest();
            let near =
                members.iter().any(|&u| self.known_enemies(group.side).any(|e| self.near(u, e, reach(u))));
            return if near {
                Ok(())
            } else {
                no("SYW-ORDER-27", format!("{} has no enemy within its greatest range", group.id))
            };
        }
        let missile = |u: UnitIx| self.fixed.book.ranges(self.info(u).weapon).long.unwrap_or(0.0);
        if members.iter().all(|&u| missile(u) <= 0.0) {
            return no("SYW-ORDER-31", format!("{} has no missiles and may not halt by choice", group.id));
        }
        let near =
            members.iter().any(|&u| self.known_enemies(group.side).any(|e| self.near(u, e, missile(u))));
        if near {
            Ok(())
        } else {
            no("SYW-ORDER-31", format!("{} has no known enemy within long range", group.id))
        }
    }

    /// Groups of the phasing side on Advance that have not moved and must (SYW-ORDER-25).
    pub(crate) fn unmoved_advance(&self) -> Option<GroupIx> {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| {
                let group = self.group(g);
                group.order == Order::Advance
                    && !group.moved
                    && !group.halted
                    && !group.charging
                    && group.pursuing.is_none()
                    && !self.group_in_melee(g)
                    && self.members(g).iter().all(|&u| self.unit(u).presence == Presence::OnTable)
            })
            .collect();
        groups.sort_by(|&a, &b| name_order(&self.group(a).id, &self.group(b).id));
        groups.first().copied()
    }

    /// Notes places and distances when a phase begins (P0).
    pub(crate) fn note_distances(&mut self) {
        let side = self.s.phasing;
        for u in self.unit_ids() {
            if self.unit(u).side != side || !self.unit(u).is_present() {
                continue;
            }
            if self.order_of(u) == Order::Advance {
                self.note_unit(u);
            } else {
                self.unit_mut(u).began.clear();
            }
        }
        for g in self.groups_of(side) {
            if self.group(g).order == Order::Retreat {
                let gap = self.group_gap_to_enemy(g);
                self.group_mut(g).began_gap = gap;
            }
        }
    }

    /// Distances of each stand from known massed enemies (SYW-ORDER-26).
    pub(crate) fn note_unit(&mut self, u: UnitIx) {
        let side = self.unit(u).side;
        let massed: Units = self.known_enemies(side).filter(|&e| self.is_massed(e)).collect();
        let mut began = arrayvec::ArrayVec::new();
        for i in 0..self.unit(u).strength() {
            let rect = self.rect(u, i);
            let mut best = f64::MAX;
            for &e in &massed {
                if let Some(gap) = self.rects_gap(&[rect], e, best.min(1e6)) {
                    best = best.min(gap);
                }
            }
            began.push(if best > 1e5 { 1e6 } else { best });
        }
        self.unit_mut(u).began = began;
    }

    /// Judges a retreat move (SYW-ORDER-46 to -48); returns where everybody ends.
    pub(crate) fn plan_retreat(
        &self,
        g: GroupIx,
        distance: Option<f64>,
        legs: &[Leg],
        about: bool,
    ) -> Result<Plan, Illegal> {
        let group = self.group(g);
        if group.order != Order::Retreat || group.side != self.s.phasing {
            return no("SYW-ORDER-46", format!("{} is not on Retreat", group.id));
        }
        if group.fled {
            return no("SYW-MOVE-12", format!("{} has made its move of this phase", group.id));
        }
        let members = self.members(g);
        if members.is_empty() {
            return no("SYW-GROUP-01", format!("{} has nobody on the table", group.id));
        }
        let badly = members.iter().any(|&u| self.info(u).drill == Drill::Badly);
        let slowest = members.iter().map(|&u| self.info(u).speed).fold(f64::MAX, f64::min);
        let greatest = members.iter().map(|&u| self.info(u).speed).fold(0.0, f64::max);
        let length = distance.unwrap_or(greatest * 0.5).min(1e6);
        if !length.is_finite() || length < 0.0 {
            return no("SYW-ORDER-46", "a retreat needs an ordinary distance");
        }
        if !within(length, slowest) {
            return no("SYW-MOVE-01", format!("{} moves {slowest:.0} cm at most", group.id));
        }
        if !within(greatest * 0.5, length) && legs.is_empty() {
            return no("SYW-ORDER-46", format!("{} must move at least half its speed on Retreat", group.id));
        }
        let heed = Heed { back: 1.0, stop_at_enemies: true, blind: true, ..Heed::default() };
        let began = if group.began_gap > 0.0 { group.began_gap } else { self.group_gap_to_enemy(g) };
        let mut why = Illegal::new("SYW-ORDER-46", "it must end farther from the nearest known enemy");
        let given: [&[Leg]; 1] = [legs];
        let straight = [[Leg::Back(length)], [Leg::Forward(length)]];
        let tries: SmallVec<[&[Leg]; 2]> = if legs.is_empty() {
            straight.iter().map(<[Leg; 1]>::as_slice).collect()
        } else {
            given.into_iter().collect()
        };
        for path in tries {
            for leg in path {
                if !matches!(leg, Leg::Back(_) | Leg::Forward(_) | Leg::Wheel { .. } | Leg::Incline { .. }) {
                    return no("SYW-ORDER-47", "a retreat goes by marching, wheeling and inclining only");
                }
            }
            let mut movers: Movers = members.iter().map(|&u| self.mover(u)).collect();
            let walked = match self.walk(&mut movers, path, &heed, &mut Dice::none()) {
                Ok(walked) => walked,
                Err(e) => {
                    why = e;
                    continue;
                }
            };
            let mut plan = Plan { group: g, path: SmallVec::from_slice(path), ..Plan::default() };
            self.take_in(&mut plan, movers, &walked);
            if plan.left_table {
                return Ok(plan); // SYW-OFF-03
            }
            let enough = plan.movers.iter().any(|m| within(self.info(m.u).speed * 0.5, m.spent));
            let gap = self.planned_gap(&plan);
            if !enough {
                why = Illegal::new(
                    "SYW-ORDER-46",
                    format!("{} is stopped before it has moved half its speed that way", group.id),
                );
                continue;
            }
            if gap.is_some_and(|gap| gap <= began + SLACK) {
                continue;
            }
            if let Some((u, v)) = self.resting_on(&plan.movers, group.side) {
                why = Illegal::new(
                    "SYW-MODEL-33",
                    format!("{} would come to rest on {}", self.unit(u).id, self.unit(v).id),
                );
                continue;
            }
            if about || badly {
                // SYW-ORDER-47
                for m in &mut plan.movers {
                    let info = self.info(m.u);
                    m.new = stands::turned_about(&m.new, info);
                    m.new.reframe();
                }
                plan.changed = true;
            }
            return Ok(plan);
        }
        Err(why)
    }

    /// A judged retreat walked again: hidden enemies on its way stop it (SYW-VIS-04).
    pub(crate) fn real_retreat(&self, plan: Plan, path: &[Leg]) -> Plan {
        let enemy = self.group(plan.group).side.enemy();
        if self.hidden_units(enemy).is_empty() || plan.left_table {
            return plan;
        }
        let mut movers: Movers = plan.movers.iter().map(|m| self.mover(m.u)).collect();
        let heed = Heed { back: 1.0, stop_at_enemies: true, ..Heed::default() };
        match self.walk(&mut movers, path, &heed, &mut Dice::none()) {
            Ok(walked) if matches!(walked.stop, Some(Stop::Ambush(..))) => {
                let mut met = Plan { group: plan.group, ..Plan::default() };
                self.take_in(&mut met, movers, &walked);
                met
            }
            _ => plan,
        }
    }

    /// Distance to the nearest known enemy where a plan ends; none without known enemies.
    fn planned_gap(&self, plan: &Plan) -> Option<f64> {
        let side = self.group(plan.group).side;
        let mut best: Option<f64> = None;
        for m in &plan.movers {
            let rects = self.rects_at(&m.new, m.new.pose());
            for e in self.known_enemies(side) {
                if let Some(gap) = self.rects_gap(&rects, e, best.unwrap_or(1e6)) {
                    best = Some(best.map_or(gap, |b| b.min(gap)));
                }
            }
        }
        best
    }

    /// Makes a retreat move.
    pub(crate) fn make_retreat(&mut self, plan: Plan, log: &mut Log) {
        let path = plan.path.clone();
        let plan = self.real_retreat(plan, &path);
        let g = plan.group;
        self.group_mut(g).fled = true;
        self.group_mut(g).moved = true;
        if plan.left_table {
            self.leave_table(g, log);
            return;
        }
        if let Some(Stop::Ambush(hidden, mover)) = plan.stop {
            self.s.tasks.push(Task::Ambush { hidden, mover });
        }
        self.place_movers(&plan, log);
        self.passages(&plan.passed, log);
        self.sync_contacts();
    }

    /// A group on Retreat with no legal move stays and is disordered (SYW-ORDER-49).
    pub(crate) fn cannot_retreat(&mut self, g: GroupIx, log: &mut Log) {
        self.group_mut(g).fled = true;
        self.group_mut(g).moved = true;
        for u in self.members(g) {
            self.disorder(u, "SYW-ORDER-49", log);
        }
    }

    /// Judges a rearrangement of stands in melee (SYW-MOVE-16).
    pub(crate) fn judge_rearrange(
        &self,
        id: UnitId,
        stand: u8,
        to: [f64; 2],
    ) -> Result<(UnitIx, Unit), Illegal> {
        let Some(u) = self.find_unit(id).filter(|&u| self.unit(u).side == self.s.phasing) else {
            return no("SYW-MOVE-16", format!("{id} is no unit of the phasing side"));
        };
        let unit = self.unit(u);
        let info = self.info_of(unit);
        if !self.in_melee(u) {
            return no("SYW-MOVE-16", format!("{id} is not in melee"));
        }
        if !(info.arm == Arm::Cavalry || info.class == Class::Light) {
            return no(
                "SYW-MOVE-14",
                format!("{id} is neither cavalry nor light; its stands do not move in melee"),
            );
        }
        let i = usize::from(stand);
        if i >= unit.strength() {
            return no("SYW-MOVE-16", format!("{id} has no stand {stand}"));
        }
        if self.engaged(u).contains(&stand) {
            return no("SYW-MOVE-14", format!("stand {stand} of {id} is engaged and does not move"));
        }
        if !(to[0].is_finite() && to[1].is_finite()) || to[0].abs() > 60.0 || to[1].abs() > 30.0 {
            return no("SYW-MOVE-16", "the new place needs ordinary numbers near the unit");
        }
        let mut new = unit.clone();
        new.stands[i].u = tricorne_table::round_to(to[0], 0.01);
        new.stands[i].v = tricorne_table::round_to(to[1], 0.01);
        new.stands[i].turn = 0.0;
        new.stands[i].rank = u8::from(new.stands[i].v < -info.depth);
        let rects = self.rects_at(&new, new.pose());
        let mine = rects[i];
        if (0..rects.len()).any(|j| j != i && crate::field::overlapping(&mine, &rects[j])) {
            return no("SYW-MODEL-33", format!("stand {stand} would overlap another of {id}"));
        }
        // SYW-GROUP-11: it touches another stand of its unit along an edge.
        if !(0..rects.len()).any(|j| j != i && crate::field::touching(&mine, &rects[j])) {
            return no(
                "SYW-GROUP-11",
                format!("stand {stand} must touch another stand of {id} along an edge"),
            );
        }
        let bounds = crate::field::bounds_of(&mine);
        if !self.fixed.table.holds_bounds(&bounds)
            || self.unit_ids().any(|v| v != u && self.overlaps_unit(&[mine], &bounds, v))
        {
            return no("SYW-MODEL-33", format!("stand {stand} would come to rest on somebody"));
        }
        if self.known_enemies(unit.side).any(|e| {
            self.contact_rects(e).iter().any(|r| crate::field::touching(&mine, r))
                && !self.opponents(u).contains(&e)
        }) {
            return no("SYW-MOVE-16", "stands may not open a new contact by rearranging");
        }
        Ok((u, new))
    }
}
