//! Generals on the table: their rides, their risks, their successors (SYW-GEN-15 to -25).

use smallvec::SmallVec;
use tricorne_chance::Chance;
use tricorne_drill::{Now, refuse};
use tricorne_game::{Event, Illegal, InOrder, Log, UnitId};
use tricorne_table::{Edge, Point, Rect, Shape, brink};

use crate::action::Place;
use crate::generals::counters::Counter;
use crate::model::field::SevenYearsBattle;
use crate::model::footprints::{bounds_of, overlapping};
use crate::model::ids::{GeneralIx, UnitIx};
use crate::model::state::{Order, within};
use crate::options::ReplacementCincDraw;
use crate::questions::{KeepCounter, Successor};
use crate::rulebook::{cm, count};
use crate::terrain::ground::Piece;

/// On how many bearings, and how far off, a place for a successor is looked for.
const BEARINGS: u32 = 64;
const FARTHEST: f64 = 120.0;

impl SevenYearsBattle {
    /// Judges a general's ride (SYW-GEN-15).
    pub(crate) fn judge_ride(&self, id: UnitId, to: Place) -> Result<(GeneralIx, Point), Illegal> {
        let Some(i) = self.find_general(id) else {
            return refuse("SYW-GEN-15", format!("there is no general {id}"));
        };
        let general = self.general(i);
        if general.side != self.s.phasing || !general.is_present() {
            return refuse("SYW-GEN-15", format!("{id} is no general of the phasing side on the table"));
        }
        if general.moved {
            return refuse("SYW-GEN-15", format!("{id} has ridden in this phase"));
        }
        let to = Point::new(to[0], to[1]).round_to(0.01);
        if !to.is_finite() {
            return refuse("SYW-GEN-15", "the place needs two ordinary numbers");
        }
        let most = self.fixed.book.general.speed;
        if !within(general.at.distance(to), most) {
            return refuse("SYW-GEN-15", format!("{id} rides {most:.0} cm at most"));
        }
        let rect = general.rect_at(to);
        self.judge_stand_of_general(i, &rect)?;
        Ok((i, to))
    }

    /// Whether a general may stand there (SYW-GEN-15, SYW-MODEL-33).
    pub(crate) fn judge_stand_of_general(&self, i: GeneralIx, rect: &Rect) -> Result<(), Illegal> {
        let general = self.general(i);
        let id = general.id;
        if !self.fixed.table.holds_bounds(&bounds_of(rect)) {
            return refuse("SYW-GEN-15", format!("{id} would leave the table"));
        }
        let shut = |p: &Piece| self.fixed.shut(p) && !self.crossing_over(p, &[*rect]);
        if self.fixed.pieces.iter().any(|p| p.holds_part_of(rect) && shut(p)) {
            return refuse("SYW-GEN-15", format!("{id} may not end in impassable ground"));
        }
        let bounds = bounds_of(rect);
        if let Some(u) = self.unit_ids().find(|&u| {
            self.unit(u).is_known()
                && self.unit(u).frame.bounds.meets(&bounds)
                && self.rects(u).iter().any(|r| overlapping(r, rect))
        }) {
            return refuse("SYW-MODEL-33", format!("{id} would stand on {}", self.unit(u).id));
        }
        let other = self
            .s
            .generals
            .iter()
            .enumerate()
            .find(|(k, g)| *k != usize::from(i) && g.is_present() && overlapping(&g.rect(), rect));
        if let Some((_, g)) = other {
            return refuse("SYW-MODEL-33", format!("{id} would stand on {}", g.id));
        }
        Ok(())
    }

    pub(crate) fn ride(&mut self, i: GeneralIx, to: Point, log: &mut Log) {
        let general = self.general_mut(i);
        let distance = general.at.distance(to);
        general.at = to;
        general.moved = true;
        let id = general.id;
        log.say(|| {
            let event = Event::new("general_rides", "SYW-GEN-15").who(id).with("distance", distance);
            event.with("x", to.x).with("y", to.y)
        });
    }

    /// A unit that comes to rest on a general: a friend sets him beside itself, an enemy drives him off, and so does one whose
    /// move has gone over him (SYW-GEN-16, -25).
    pub(crate) fn push_generals(&mut self, u: UnitIx, log: &mut Log) {
        let overrun = std::mem::take(&mut self.unit_mut(u).phase.overrun);
        if !self.unit(u).is_known() {
            return;
        }
        for i in GeneralIx::first(self.s.generals.len()) {
            let general = self.general(i);
            if !general.is_present() {
                continue;
            }
            let rect = general.rect();
            let under = bounds_of(&rect).meets(&self.unit(u).frame.bounds)
                && self.rects(u).iter().any(|r| overlapping(r, &rect));
            if !under && !overrun.contains(&i) {
                continue;
            }
            if general.side == self.unit(u).side {
                if let Some(at) = self.free_place_for(i, general.at, 30.0) {
                    self.general_mut(i).at = at;
                }
                continue;
            }
            self.drive_off(i, log);
        }
    }

    /// No general is left under a unit, whatever moved it.
    pub(crate) fn clear_generals(&mut self, log: &mut Log) {
        for i in GeneralIx::first(self.s.generals.len()) {
            let general = self.general(i);
            if !general.is_present() {
                continue;
            }
            let bounds = bounds_of(&general.rect());
            let over = self.unit_ids().find(|&u| {
                self.unit(u).side != general.side
                    && self.unit(u).is_known()
                    && self.unit(u).frame.bounds.meets(&bounds)
                    && self.rects(u).iter().any(|r| overlapping(r, &general.rect()))
            });
            if over.is_some() {
                self.drive_off(i, log);
            }
        }
    }

    fn drive_off(&mut self, i: GeneralIx, log: &mut Log) {
        let general = self.general(i);
        let side = general.side;
        let mut best: Option<(f64, UnitIx)> = None;
        for v in self.present(side) {
            let gap = self.general_gap(i, &[v]);
            if within(gap, cm(self.distances().driven_off))
                && self.unit(v).is_known()
                && best.is_none_or(|b| gap < b.0)
            {
                best = Some((gap, v));
            }
        }
        if let Some((_, v)) = best {
            let near = self.unit(v).pose().back(self.info(v).depth * 2.0 + 3.0).at;
            if let Some(place) = self.free_place_for(i, near, 30.0) {
                self.general_mut(i).at = place;
                let id = self.general(i).id;
                // Driven from one place and then from the next, he has ridden once.
                if !self.s.driven_off.contains(&i) {
                    self.s.driven_off.push(i);
                    log.say(|| Event::new("general_driven_off", "SYW-GEN-25").who(id));
                }
                return;
            }
        }
        self.mark_lost(i, true, log);
    }

    /// The free place for a general's stand nearest to a point, looked for in rings.
    pub(crate) fn free_place_for(&self, i: GeneralIx, near: Point, most: f64) -> Option<Point> {
        let general = self.general(i);
        let mut ring = 0.0;
        while ring <= most {
            let steps = if ring == 0.0 { 1 } else { 16 };
            for k in 0..steps {
                let way = tricorne_table::angle::forward(f64::from(k) * 22.5);
                let at = (near + way * ring).round_to(0.01);
                let rect = general.rect_at(at);
                if self.judge_stand_of_general(i, &rect).is_ok() {
                    return Some(at);
                }
            }
            ring += 1.0;
        }
        None
    }

    /// Whether a die of the enemy's endangers the generals beside his target (SYW-GEN-20).
    pub(crate) fn endangers_generals(&self, face: u8) -> bool {
        i32::from(face) == self.fixed.book.charts.naturals.general_hit.value
    }

    /// Whether a die of his own side's then loses him (SYW-GEN-20).
    pub(crate) fn loses_general(&self, face: u8) -> bool {
        i32::from(face) == self.fixed.book.charts.naturals.general_lost.value
    }

    /// In danger, the owner rolls for the general (SYW-GEN-20).
    pub(crate) fn risk_general(&mut self, i: GeneralIx, now: &mut Now<'_>) {
        let face = now.chance.d6("general_risk");
        let lost = self.loses_general(face);
        let id = self.general(i).id;
        now.say(|| {
            Event::new("general_risk", "SYW-GEN-20")
                .who(id)
                .faces(&[face])
                .outcome(if lost { "lost" } else { "safe" })
                .with("general", id.as_str())
        });
        if lost {
            self.lose_general(i, now);
        }
    }

    /// A general is lost (SYW-GEN-20, -22).
    pub(crate) fn lose_general(&mut self, i: GeneralIx, now: &mut Now<'_>) {
        self.mark_lost(i, false, now.log);
        if self.fixed.options.campaign {
            let face = now.chance.d6("campaign");
            let killed = i32::from(face) >= self.fixed.book.charts.least.killed.value;
            let id = self.general(i).id;
            now.say(|| {
                Event::new("campaign", "SYW-GEN-22").who(id).faces(&[face]).outcome(if killed {
                    "killed"
                } else {
                    "wounded"
                })
            });
        }
    }

    fn mark_lost(&mut self, i: GeneralIx, overrun: bool, log: &mut Log) {
        let general = self.general_mut(i);
        if general.lost {
            return;
        }
        general.lost = true;
        general.attempts = 0;
        let (id, side, cinc, number) = (general.id, general.side, general.cinc, general.number);
        if overrun {
            // SYW-GEN-25: his successor starts at his own table edge.
            let x = general.at.x;
            let y = match self.s.armies[side.index().min(1)].edge {
                Edge::South => 4.0,
                _ => self.fixed.table.depth() - 4.0,
            };
            self.general_mut(i).at = Point::new(x, y);
        }
        let army = &mut self.s.armies[side.index().min(1)];
        if number > 0 {
            army.spent.push(number);
        }
        if cinc {
            army.cincs_lost = army.cincs_lost.saturating_add(1);
        } else {
            army.generals_lost = army.generals_lost.saturating_add(1);
        }
        log.say(|| {
            Event::new("general_lost", if overrun { "SYW-GEN-25" } else { "SYW-GEN-20" })
                .who(id)
                .with("general", id.as_str())
        });
    }

    /// Lost generals are replaced at the end of a sub-phase (SYW-GEN-23, -24).
    pub(crate) fn replace_generals(&mut self, now: &mut Now<'_>) {
        let mut lost: SmallVec<[usize; 4]> =
            (0..self.s.generals.len()).filter(|&i| self.s.generals[i].lost).collect();
        lost.put_in_order_of(|&i| self.s.generals[i].side != self.s.phasing); // SYW-SEQ-07
        for i in lost {
            let side = self.s.generals[i].side;
            let draws = if self.s.generals[i].cinc
                && self.fixed.options.replacement_cinc_draw == ReplacementCincDraw::Three
            {
                count(self.fixed.book.charts.counts.counters)
            } else {
                1
            };
            let mut drawn: SmallVec<[u8; 3]> = SmallVec::new();
            for _ in 0..draws {
                if let Some(n) = self.draw_counter(side.index().min(1), now.chance) {
                    drawn.push(n);
                }
            }
            let kept = self.best_counter(side.index().min(1), &drawn);
            let chooses = drawn.len() > 1;
            let counter = self.counter(side.index().min(1), kept);
            let general = &mut self.s.generals[i];
            general.lost = false;
            general.number = kept;
            general.counter = counter;
            general.addressed.clear();
            let id = general.id;
            now.say(|| {
                Event::new("general_replaced", "SYW-GEN-23")
                    .who(id)
                    .with("general", id.as_str())
                    .with("counter", counter.code())
                    .with("manner", counter.manner())
            });
            self.ask(Successor { general: GeneralIx::of(i) });
            if chooses {
                // SYW-GEN-24, option `three`
                self.ask(KeepCounter { side, general: GeneralIx::of(i), drawn });
            }
        }
    }

    /// The counter of a number in a side's mix.
    pub(crate) fn counter(&self, side: usize, number: u8) -> Counter {
        let nation = &self.fixed.book.nations()[self.fixed.sides[side].nation];
        let code = self.fixed.book.counters(nation).get(usize::from(number).wrapping_sub(1));
        code.and_then(|c| Counter::parse(c)).unwrap_or(Counter::PLAIN)
    }

    /// Draws one counter not in use; those of lost generals go back first when none is left (SYW-GEN-23).
    pub(crate) fn draw_counter(&mut self, side: usize, chance: &mut dyn Chance) -> Option<u8> {
        if self.s.armies[side].counters.is_empty() {
            let army = &mut self.s.armies[side];
            army.counters.extend(army.spent.drain(..));
        }
        let numbers = self.s.armies[side].counters.clone();
        let label = |k: usize| format!("{}:{}", numbers[k], self.counter(side, numbers[k]).code());
        let k = chance.pick("counter", numbers.len(), &label)?;
        Some(self.s.armies[side].counters.remove(k))
    }

    /// The counter kept when nobody chooses: the first competent one, else the first.
    pub(crate) fn best_counter(&self, side: usize, drawn: &[u8]) -> u8 {
        drawn
            .iter()
            .copied()
            .find(|&n| self.counter(side, n).ability == crate::generals::counters::Ability::Competent)
            .or_else(|| drawn.first().copied())
            .unwrap_or(0)
    }

    /// Judges where a successor takes over (SYW-GEN-23).
    pub(crate) fn judge_new_general(&self, i: GeneralIx, at: Place) -> Result<Point, Illegal> {
        let general = self.general(i);
        let at = Point::new(at[0], at[1]).round_to(0.01);
        if !at.is_finite() {
            return refuse("SYW-GEN-23", "the place needs two ordinary numbers");
        }
        if !within(at.distance(general.at), cm(self.distances().successor)) && !self.enemy_near_spot(i) {
            return refuse(
                "SYW-GEN-23",
                format!(
                    "{} takes over within {} cm of the old spot",
                    general.id,
                    cm(self.distances().successor)
                ),
            );
        }
        if self.enemy_near_spot(i) {
            // The nearest free place, whoever chooses.
            let free = self.successor_place(i);
            if free.is_none_or(|f| !f.near(at)) {
                return refuse(
                    "SYW-GEN-23",
                    format!(
                        "with enemy within {} cm of the old spot he takes the nearest free place",
                        cm(self.distances().successor)
                    ),
                );
            }
        }
        let rect = general.rect_at(at);
        self.judge_stand_of_general(i, &rect)?;
        Ok(at)
    }

    fn enemy_near_spot(&self, i: GeneralIx) -> bool {
        let general = self.general(i);
        let rect = Shape::Rect(general.rect());
        self.known_enemies(general.side).any(|e| {
            self.rects(e).iter().any(|r| within(rect.gap(&Shape::Rect(*r)), cm(self.distances().successor)))
        })
    }

    /// Where a successor stands when nobody chooses.
    pub(crate) fn successor_place(&self, i: GeneralIx) -> Option<Point> {
        let general = self.general(i);
        if self.enemy_near_spot(i) {
            return self.nearest_free_place(i);
        }
        self.free_place_for(i, general.at, cm(self.distances().successor))
    }

    /// The place nearest to the old spot where a general has room and no enemy is near, to the hundredth (SYW-GEN-23).
    fn nearest_free_place(&self, i: GeneralIx) -> Option<Point> {
        let general = self.general(i);
        let near = cm(self.distances().successor);
        let free = |at: Point| {
            let rect = general.rect_at(at);
            self.judge_stand_of_general(i, &rect).is_ok()
                && !self.known_enemies(general.side).any(|e| self.rects_near(&[rect], e, near))
        };
        let mut best: Option<(f64, Point)> = None;
        for k in 0..BEARINGS {
            let way = tricorne_table::angle::forward(f64::from(k) * 360.0 / f64::from(BEARINGS));
            let at = |off: f64| (general.at + way * off).round_to(0.01);
            let most = best.map_or(FARTHEST, |b| b.0);
            let mut rings = (0..).map(|ring| f64::from(ring) * 0.5).take_while(|&off| off < most);
            let Some(far) = rings.find(|&off| free(at(off))) else { continue };
            let [_, off] = brink([(far - 0.5).max(0.0), far], 16, 0.005, &mut |off| free(at(off)));
            if off < most - 1e-6 {
                best = Some((off, at(off)));
            }
        }
        best.map(|b| b.1)
    }

    pub(crate) fn place_general(&mut self, i: GeneralIx, at: Point) {
        self.general_mut(i).at = at;
    }

    /// Whether a general stands beside somebody he should not; for invariants.
    pub(crate) fn general_overlaps(&self, i: GeneralIx) -> Option<UnitId> {
        let general = self.general(i);
        if !general.is_present() {
            return None;
        }
        let rect = general.rect();
        self.unit_ids()
            .find(|&u| {
                self.unit(u).is_known()
                    && self.unit(u).side != general.side
                    && self.order_of(u) != Order::Rout
                    && self.rects(u).iter().any(|r| overlapping(r, &rect))
            })
            .map(|u| self.unit(u).id)
    }
}
