//! What a step costs and where ground and lines stop it (SYW-MODEL-32, SYW-TERR).

use crate::action::Leg;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::Rects;
use crate::model::ids::UnitIx;
use crate::model::state::{Formation, SLACK, within};
use crate::movement::course::Course;
use crate::movement::steps::{Lane, Near};
use crate::movement::walk::{Dice, Heed, Lump, Mover, Movers, Rolls, Stop, Walked};
use crate::options::{TerrainCost, WheelCost};
use crate::rulebook::{Arm, Drill, DrillRow, Kind};
use crate::terrain::ground::{Going, PieceKind};
use smallvec::SmallVec;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Illegal, Log};
use tricorne_table::{Pose, Shape, angle};

impl SevenYearsBattle {
    /// The row of T4 a unit goes by.
    pub(crate) fn drill_row(&self, u: UnitIx) -> &DrillRow {
        let info = self.info(u);
        let drill = &self.fixed.book.drill;
        if info.arm == Arm::Artillery {
            return &drill.artillery;
        }
        if info.kind == Kind::Mil && !info.upgraded_drill && info.drill == Drill::Badly {
            return &drill.militia;
        }
        match info.drill {
            Drill::Well => &drill.well,
            Drill::Normal => &drill.normal,
            Drill::Badly => &drill.badly,
        }
    }

    /// The greatest speed of a unit as it is drawn up and ordered (SYW-MOVE-01, -02).
    pub(crate) fn speed(&self, u: UnitIx) -> f64 {
        self.speed_as(u, self.unit(u).formation)
    }

    pub(crate) fn speed_as(&self, u: UnitIx, formation: Formation) -> f64 {
        let info = self.info(u);
        if formation.is_column() { info.march } else { info.speed }
    }

    /// What a wheel costs (SYW-MODEL-28, SYW-MOVE-05).
    pub(crate) fn wheel_price(&self, width: f64, degrees: f64) -> f64 {
        match self.fixed.options.wheel_cost {
            WheelCost::OuterArc => angle::radians(degrees.abs()) * width,
            WheelCost::Chord => 2.0 * width * angle::sin(degrees.abs() * 0.5),
            WheelCost::FreeTo45 => angle::radians((degrees.abs() - 45.0).max(0.0)) * width,
        }
    }

    /// What a centimetre backwards costs (SYW-MODEL-27).
    pub(crate) fn backwards(&self) -> f64 {
        f64::from(self.fixed.book.charts.counts.backwards.value)
    }

    pub(crate) fn incline_price(&self, u: UnitIx) -> Result<f64, Illegal> {
        match self.drill_row(u).incline {
            Some(price) => Ok(price),
            None => refuse(
                "SYW-MOVE-06",
                format!("{} is too badly drilled to incline; wheel instead", self.unit(u).id),
            ),
        }
    }

    /// How far a straight leg goes before ground that bars it; wheels find out step by step.
    pub(crate) fn bars_on(
        &self,
        movers: &[Mover],
        course: &Course,
        near: &Near,
        limit: &mut f64,
        halt: &mut Option<Stop>,
    ) {
        let Course::Straight(way) = course else { return };
        for &p in &near.pieces {
            let piece = &self.fixed.pieces[usize::from(p)];
            let Some(area) = piece.area() else { continue };
            // A river may be crossed where there is a crossing: that is looked at step by step.
            let crossed = piece.impassable
                && self
                    .fixed
                    .pieces
                    .iter()
                    .any(|c| c.kind == PieceKind::Crossing && c.bounds.meets(&piece.bounds));
            if crossed {
                continue;
            }
            for m in movers {
                if self.fixed.going(piece, self.info(m.u)) != Going::Barred {
                    continue;
                }
                for rect in &self.rects_at(&m.new, m.new.pose()) {
                    if piece.holds_part_of(rect) {
                        continue;
                    }
                    let touch = tricorne_table::sweep::touch_area(&Shape::Rect(*rect), *way * *limit, area);
                    if let Some(touch) = touch.filter(|t| t.travel < *limit) {
                        *limit = touch.travel;
                        *halt = Some(Stop::Barred);
                    }
                }
            }
        }
    }

    pub(crate) fn pay(&self, movers: &mut Movers, prices: &[f64], factors: &[f64], step: f64) {
        let cost = self.fixed.options.terrain_cost;
        for (k, m) in movers.iter_mut().enumerate() {
            m.spent = m.spent_after(step, prices[k], factors[k], cost);
            m.bare += step * prices[k];
            if cost == TerrainCost::WholeMove {
                m.worst = m.worst.max(factors[k]);
            }
        }
    }

    /// Lines and lump ground the movers already straddle when the leg begins: no lump for those lines.
    pub(crate) fn straddled(&self, movers: &[Mover], near: &Near) -> SmallVec<[(UnitIx, u8); 4]> {
        let mut found = SmallVec::new();
        if near.pieces.is_empty() {
            return found;
        }
        for m in movers {
            let rects = self.rects_at(&m.new, m.new.pose());
            for &p in &near.pieces {
                if let Some(line) = self.fixed.pieces[usize::from(p)].obstacle()
                    && rects.iter().any(|r| line.crossed_by(&Shape::Rect(*r)))
                {
                    found.push((m.u, p));
                }
            }
        }
        found
    }

    /// The factor of the worst ground a mover is in or about to enter, lumps paid on the way, and whether it is barred.
    pub(crate) fn going_at(
        &self,
        m: &mut Mover,
        [pose, ahead]: [Pose; 2],
        lane: &Lane,
        started_in: &[(UnitIx, u8)],
        dice: &mut Dice,
    ) -> (f64, bool) {
        let info = self.info(m.u);
        let mut factor = 1.0_f64;
        if lane.pieces.is_empty() {
            return (factor, false);
        }
        let here = lane.bounds_at(&m.new, pose).join(&lane.bounds_at(&m.new, ahead));
        let mut rects: Option<(Rects, Rects)> = None;
        for &p in &lane.pieces {
            let piece = &self.fixed.pieces[usize::from(p)];
            if !piece.bounds.grown(0.05).meets(&here) {
                continue;
            }
            let (now, soon) =
                rects.get_or_insert_with(|| (self.rects_at(&m.new, pose), self.rects_at(&m.new, ahead)));
            match piece.obstacle() {
                Some(line) => {
                    if m.paid.contains(&p) || started_in.contains(&(m.u, p)) {
                        continue;
                    }
                    if !soon.iter().any(|r| line.crossed_by(&Shape::Rect(*r))) {
                        continue;
                    }
                    if piece.infantry_only && info.arm != Arm::Infantry {
                        return (factor, true); // SYW-TERR-11
                    }
                    let lump = if let Some(dice_of) = piece.lump_dice {
                        dice.lump(m.u, Lump::Abatis, dice_of)
                    } else {
                        self.line_lump(piece.level, m.u, m.new.formation)
                    };
                    if lump > 0.0 && !within(lump, m.left()) && m.spent > SLACK {
                        // SYW-TERR-07: it stops in front, and may pay from a full allowance next time.
                        return (factor, true);
                    }
                    m.paid.push(p);
                    m.spent += lump;
                    if self.fixed.options.terrain_cost == TerrainCost::WholeMove {
                        m.bare += lump;
                    }
                }
                None => {
                    let inside = now.iter().chain(soon.iter()).any(|r| piece.holds_part_of(r));
                    if !inside {
                        continue;
                    }
                    match self.fixed.going(piece, info) {
                        Going::Barred => {
                            // Who was put there may still leave; who is on a crossing leaves the river at its end.
                            let there =
                                now.iter().any(|r| piece.holds_part_of(r)) && !self.crossing_over(piece, now);
                            if !there && !self.crossing_over(piece, soon) {
                                return (factor, true);
                            }
                        }
                        Going::Factor(f) => {
                            factor = factor.max(f);
                            // SYW-TERR-05: once a move, however many such pieces it comes through.
                            let diced = |q: &u8| {
                                self.fixed.area_lump(&self.fixed.pieces[usize::from(*q)], info).is_some()
                            };
                            if let Some(lump) = self.fixed.area_lump(piece, info)
                                && !m.paid.iter().any(diced)
                            {
                                m.paid.push(p);
                                m.spent += dice.lump(m.u, Lump::Ground, lump);
                            }
                        }
                    }
                }
            }
        }
        (factor, false)
    }

    /// Walks with the dice that ground asks for, whoever made the troops move (SYW-TERR-05, -11).
    pub(crate) fn walk_rolling(
        &self,
        movers: &mut Movers,
        legs: &[Leg],
        heed: &Heed,
        now: &mut Now<'_>,
    ) -> Result<Walked, Illegal> {
        if !self.ground_rolls() {
            return self.walk(movers, legs, heed, &mut Dice::none());
        }
        let mut dice = Dice::from(now.chance);
        let walked = self.walk(movers, legs, heed, &mut dice)?;
        self.tell_rolls(&dice.rolled, now.log);
        Ok(walked)
    }

    /// What ground took off somebody's move.
    pub(crate) fn tell_rolls(&self, rolled: &Rolls, log: &mut Log) {
        for (u, lump, faces, total) in rolled {
            log.say(|| self.told_of(lump.event(), *u).faces(faces).made(*total));
        }
    }

    /// What a linear obstacle takes off the move when it is crossed (SYW-TERR-07, -08).
    pub(crate) fn line_lump(&self, level: u8, u: UnitIx, formation: Formation) -> f64 {
        let info = self.info(u);
        let felt = self.fixed.felt(level, info);
        if felt == crate::model::state::OPEN {
            return 0.0;
        }
        let row = self.fixed.book.ground_type(felt);
        let share = if info.arm == Arm::Artillery { row.artillery_lump } else { row.lump };
        share.map_or(0.0, |[n, d]| self.speed_as(u, formation) * n / d)
    }
}
