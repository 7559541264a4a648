//! How a battle ends (SYW-WIN).

use tricorne_game::{Ending, Event, Log, Side};
use tricorne_table::{Pose, Rect, Shape, angle};

use crate::model::field::SevenYearsBattle;
use crate::model::footprints::join_bounds;
use crate::model::ids::UnitIx;
use crate::model::state::{ObjectiveKind, Order, Presence, SubPhase, Unit, within};
use crate::questions::Questions;
use crate::sequence::turn::Task;
use crate::terrain::ground::{Lie, Piece};

/// A way is looked along by strides of this length.
const STAGE: f64 = 0.5;

impl SevenYearsBattle {
    /// Stands a side has lost for good, those in rout right now included (SYW-WIN-02).
    pub(crate) fn lost_stands(&self, side: Side) -> u32 {
        let mut lost = 0;
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if unit.side != side || unit.parent.is_some() {
                continue;
            }
            let here = unit.strength() as u32 + self.detached_strength(u);
            lost += u32::from(unit.started).saturating_sub(here);
            let running = self.group(unit.group).order == Order::Rout && unit.presence == Presence::OnTable;
            // SYW-ROUT-23: a surrender counts from its moment.
            if unit.presence == Presence::Gone || running || unit.surrendered {
                lost += here;
            }
        }
        lost
    }

    /// Stands detached from a unit and still about.
    pub(crate) fn detached_strength(&self, u: UnitIx) -> u32 {
        self.s
            .units
            .iter()
            .filter(|d| d.parent == Some(u) && d.presence != Presence::Gone)
            .map(|d| d.strength() as u32)
            .sum()
    }

    /// Victory points of a side (SYW-WIN-05).
    pub(crate) fn victory_points(&self, side: Side) -> f64 {
        let enemy = side.enemy();
        let mut points = 0.0;
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if unit.side != enemy || unit.parent.is_some() {
                continue;
            }
            let about = matches!(unit.presence, Presence::OnTable | Presence::Hidden);
            let here = if about && !unit.surrendered {
                unit.strength() as u32 + self.detached_strength(u)
            } else {
                0
            };
            points += self.info(u).price * f64::from(u32::from(unit.started).saturating_sub(here));
        }
        let prices = &self.fixed.book.market.prices.victory;
        let army = &self.s.armies[enemy.index().min(1)];
        points += f64::from(prices.sub_general) * f64::from(army.generals_lost);
        points += f64::from(prices.commander_in_chief) * f64::from(army.cincs_lost);
        for (k, objective) in self.fixed.objectives.iter().enumerate() {
            if self.objective_holder(k) == Some(side) {
                points += objective.points;
            }
        }
        points
    }

    /// The side that holds an objective now.
    pub(crate) fn objective_holder(&self, k: usize) -> Option<Side> {
        let objective = self.fixed.objectives.get(k)?;
        if objective.kind == ObjectiveKind::LastWithin {
            return self.s.held.get(k).copied().flatten();
        }
        let piece = self.fixed.pieces.get(objective.piece)?;
        let mut counts = [0u32; 2];
        for u in self.unit_ids() {
            let unit = self.unit(u);
            // SYW-ROUT-23: a surrender is a loss.
            if !unit.is_known() || unit.surrendered {
                continue;
            }
            if objective.kind == ObjectiveKind::MassedOn && !self.is_massed(u) {
                continue;
            }
            let inside =
                self.rects(u).iter().filter(|r| piece.area().is_some_and(|a| a.contains(r.centre()))).count();
            counts[unit.side.index().min(1)] += inside as u32;
        }
        match counts[0].cmp(&counts[1]) {
            std::cmp::Ordering::Greater => Some(Side(0)),
            std::cmp::Ordering::Less => Some(Side(1)),
            std::cmp::Ordering::Equal => None,
        }
    }

    /// Notes who was last near each objective that asks for it, after each sub-phase; of two who both are, the phasing side
    /// when its phase ends.
    pub(crate) fn note_objectives(&mut self, phase_ends: bool) {
        for k in 0..self.fixed.objectives.len() {
            let objective = &self.fixed.objectives[k];
            if objective.kind != ObjectiveKind::LastWithin {
                continue;
            }
            let Some(piece) = self.fixed.pieces.get(objective.piece) else { continue };
            // Nobody whose box is farther off than that is within it.
            let about = piece.bounds.grown(objective.distance + 1.0);
            let mut near = [false; 2];
            for u in self.unit_ids() {
                let unit = self.unit(u);
                if near[unit.side.index().min(1)]
                    || !unit.frame.bounds.meets(&about)
                    || !unit.is_known()
                    || self.order_of(u) == Order::Rout
                {
                    continue;
                }
                if is_near(piece, &self.rects(u), objective.distance) {
                    near[unit.side.index().min(1)] = true;
                }
            }
            let p = self.s.phasing;
            let before = self.s.held.get(k).copied().flatten();
            let holder = match (near[p.index().min(1)], near[p.enemy().index()]) {
                (true, true) if phase_ends => Some(p),
                (true, false) => Some(p),
                (false, true) => Some(p.enemy()),
                _ => before,
            };
            if let Some(slot) = self.s.held.get_mut(k) {
                *slot = holder;
            }
        }
    }

    /// Notes who comes near an objective that asks for it in passing: the way from where a unit stands to where it is about
    /// to stand is looked along (SYW-WIN-05).
    pub(crate) fn note_passing(&mut self, u: UnitIx, new: &Unit) {
        if self.s.step == SubPhase::SetUp || !self.unit(u).is_known() || self.order_of(u) == Order::Rout {
            return;
        }
        for k in 0..self.fixed.objectives.len().min(self.s.held.len()) {
            let (objective, old) = (&self.fixed.objectives[k], self.unit(u));
            let Some(piece) = self.fixed.pieces.get(objective.piece) else { continue };
            if objective.kind != ObjectiveKind::LastWithin {
                continue;
            }
            let swept = old.frame.bounds.join(&join_bounds(&self.rects_at(new, new.pose())));
            if !swept.grown(objective.distance).meets(&piece.bounds) {
                continue;
            }
            let (way, turn) = (new.at - old.at, angle::turn(old.facing, new.facing));
            let stages = (way.length() / STAGE).ceil().max(1.0);
            let passes = (0..=stages as u32).any(|stage| {
                let share = f64::from(stage) / stages;
                let pose = Pose::new(old.at + way * share, old.facing + turn * share);
                is_near(piece, &self.rects_at(new, pose), objective.distance)
            });
            if passes {
                self.s.held[k] = Some(old.side);
            }
        }
    }

    /// An army with nobody on the table and nobody to come loses at once (SYW-WIN-04).
    pub(crate) fn judge_at_once(&mut self, log: &mut Log) {
        // Both sides of a melee lose at the same time (SYW-MELEE-04).
        let owed = |task: &Task| matches!(task, Task::Ask(Questions::Losses(losses)) if losses.melee);
        if self.s.ending.is_some() || self.s.tasks.iter().any(owed) {
            return;
        }
        let gone =
            |side: Side| {
                self.s.armies[side.index().min(1)].started > 0
                    && !self.s.units.iter().any(|u| {
                        u.side == side && !u.stands.is_empty() && !matches!(u.presence, Presence::Gone)
                    })
            };
        let winner = match (gone(Side(0)), gone(Side(1))) {
            (false, false) => return,
            (true, true) => None,
            (true, false) => Some(Side(1)),
            (false, true) => Some(Side(0)),
        };
        let reason = match winner {
            Some(side) => {
                format!("the {} side had no army left", self.fixed.sides[side.enemy().index()].name)
            }
            None => "neither army was left".into(),
        };
        self.finish(winner, reason, "SYW-WIN-04");
        self.tell_ending(log);
    }

    /// An ending is one sentence.
    fn tell_ending(&self, log: &mut Log) {
        let Some(ending) = &self.s.ending else { return };
        let winner =
            ending.winner.map_or_else(String::new, |w| self.fixed.sides[w.index().min(1)].name.clone());
        log.say(|| {
            Event::new("over", &ending.clause)
                .outcome(&ending.grade)
                .with("winner", winner)
                .with("reason", ending.reason.as_str())
        });
    }

    /// The end of a turn (T2).
    pub(crate) fn judge_turn(&mut self, log: &mut Log) {
        if self.s.ending.is_some() {
            return;
        }
        let share = |side: Side| {
            let started = f64::from(self.s.armies[side.index().min(1)].started).max(1.0);
            100.0 * f64::from(self.lost_stands(side)) / started
        };
        let shares = [share(Side(0)), share(Side(1))];
        let limit = f64::from(self.fixed.break_percent);
        let broken = [shares[0] >= limit - 1e-9, shares[1] >= limit - 1e-9];
        for side in [Side(0), Side(1)] {
            if broken[side.index()] {
                let name = self.fixed.sides[side.index()].name.clone();
                let lost = shares[side.index()];
                log.say(|| {
                    Event::new("army_broken", "SYW-WIN-02").with("side", name).with("percent", lost.round())
                });
            }
        }
        match broken {
            [true, true] => {
                let apart = f64::from(self.fixed.book.charts.shares.broken_apart.value);
                if (shares[0] - shares[1]).abs() >= apart - 1e-9 {
                    let w = if shares[0] < shares[1] { Side(0) } else { Side(1) };
                    let worse = &self.fixed.sides[w.enemy().index()].name;
                    let reason = format!("both armies were broken, the {worse} army the worse of the two");
                    self.finish(Some(w), reason, "SYW-WIN-03");
                } else {
                    self.judge_points("both armies were broken alike", "SYW-WIN-03");
                }
            }
            [true, false] => {
                let reason = format!("the {} army was broken", self.fixed.sides[0].name);
                self.finish(Some(Side(1)), reason, "SYW-WIN-03");
            }
            [false, true] => {
                let reason = format!("the {} army was broken", self.fixed.sides[1].name);
                self.finish(Some(Side(0)), reason, "SYW-WIN-03");
            }
            [false, false] => {
                if self.s.turn >= self.fixed.turns {
                    self.judge_points(
                        &format!("after {} turns nobody was broken", self.s.turn),
                        "SYW-WIN-06",
                    );
                }
            }
        }
        self.tell_ending(log);
    }

    /// The lead in points that wins (SYW-WIN-06).
    pub(crate) fn winning_lead(&self) -> f64 {
        let smaller = self.s.armies[0].points.min(self.s.armies[1].points);
        smaller * f64::from(self.fixed.options.victory_lead_percent) / 100.0
    }

    /// Victory points decide: at the turn limit, or between two broken armies (SYW-WIN-03, -05, -06).
    fn judge_points(&mut self, when: &str, clause: &str) {
        let points = [self.victory_points(Side(0)), self.victory_points(Side(1))];
        let needed = self.winning_lead();
        let lead = (points[0] - points[1]).abs();
        let winner = if lead >= needed - 1e-9 && lead > 0.0 {
            Some(if points[0] > points[1] { Side(0) } else { Side(1) })
        } else {
            None
        };
        let (more, less) = (points[0].max(points[1]), points[0].min(points[1]));
        let stood = match winner {
            Some(_) => format!(
                "it led by {} to {} in points, where a lead of {} was enough",
                quarters(more),
                quarters(less),
                quarters(needed)
            ),
            None if lead > 0.0 => {
                let ahead = &self.fixed.sides[usize::from(points[1] > points[0])].name;
                let (more, less) = (quarters(more), quarters(less));
                format!(
                    "the {ahead} army led by {more} to {less} in points, where a lead of {} was needed",
                    quarters(needed)
                )
            }
            None => format!("the points stood level at {}", quarters(more)),
        };
        let reason = format!("{when}, and {stood}");
        self.finish(winner, reason, clause);
    }

    pub(crate) fn finish(&mut self, winner: Option<Side>, reason: String, clause: &str) {
        self.s.ending = Some(Ending {
            winner,
            grade: if winner.is_some() { "victory".into() } else { "draw".into() },
            reason,
            scores: vec![self.victory_points(Side(0)), self.victory_points(Side(1))],
            clause: clause.into(),
        });
        self.s.tasks.clear();
    }
}

/// Whether a stand is within a distance of a piece.
fn is_near(piece: &Piece, stands: &[Rect], distance: f64) -> bool {
    stands.iter().map(|r| Shape::Rect(*r)).any(|stand| match &piece.lie {
        Lie::Line(line) => within(line.gap(&stand), distance),
        Lie::Area(area) => within(area.gap(&stand), distance),
    })
}

/// Points as people write them: quarters where there are quarters.
pub(crate) fn quarters(points: f64) -> String {
    let text = format!("{points:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
