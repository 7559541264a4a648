//! Counting out (WBK-TURN-10): a side has nobody left; what the other could still have done is counted, without dice.

use tricorne_drill::Now;
use tricorne_game::{Event, Side};
use tricorne_table::{Edge, Point, Segment};

use crate::battle::Fray;
use crate::field::Exit;
use crate::model::base::{TOLERANCE, how_near};
use crate::state::{Fate, No};

impl Fray {
    /// How many turns a side has still to begin.
    pub(super) fn turns_to_begin(&self, side: Side) -> u32 {
        let rounds = u32::from(self.field.rounds.saturating_sub(self.state.round));
        let this_round = self.state.turn == 0 && self.state.active != side;
        rounds + u32::from(this_round)
    }

    /// How many turns a unit has left.
    fn turns_left(&self, u: No) -> u32 {
        let unit = self.unit(u);
        let under_way = self.state.active == unit.side && !unit.activated;
        let turns = self.turns_to_begin(unit.side) + u32::from(under_way);
        turns.saturating_sub(u32::from(unit.is_pinned()))
    }

    /// How far a unit's nearest base, or its building, is from a stretch.
    fn way_to(&self, u: No, stretch: &Segment) -> f64 {
        match self.outline(u) {
            Some(outline) => outline.edges().map(|e| e.gap(stretch)).fold(f64::INFINITY, f64::min),
            None => self.bases(u).iter().map(|b| b.gap_to_segment(stretch)).fold(f64::INFINITY, f64::min),
        }
        .max(0.0)
    }

    fn stretch(&self, exit: &Exit) -> Segment {
        let (w, h) = (self.field.width, self.field.height);
        let at = |along: f64| match exit.edge {
            Edge::West => Point::new(0.0, along),
            Edge::East => Point::new(w, along),
            Edge::South => Point::new(along, 0.0),
            Edge::North => Point::new(along, h),
        };
        Segment::new(at(exit.from), at(exit.to))
    }

    /// What a side could still have done with nobody left to hinder it. Units that could leave have left; returns the
    /// points for what the others hold.
    pub(super) fn count_out(&mut self, side: Side, now: &mut Now<'_>) -> i32 {
        let rounds = |from: u8| i32::from((self.field.rounds + 1).saturating_sub(self.state.round.max(from)));
        let (every_round, marked_rounds) = (rounds(0), rounds(self.field.victory.marker_from_round));
        let mut taken = vec![false; self.field.victory.markers.len()];
        let mut points = 0;
        for u in self.state.units.numbers() {
            let unit = self.unit(u);
            if unit.side != side || !unit.is_on_table() {
                continue;
            }
            let turns = self.turns_left(u);
            let reach = f64::from(turns) * f64::from(self.card(u).pace) / 1000.0 + TOLERANCE;
            let able = turns > 0 || !unit.is_pinned();
            if able && self.leaves(u, reach, now) {
                continue;
            }
            let marker = self.marker_in_reach(u, reach, &taken).filter(|_| able);
            if let Some(i) = marker {
                taken[i] = true;
                let victory = &self.field.victory;
                let there = self.stands_by_marker(u, victory.markers[i].at);
                points +=
                    victory.marker_at_end + if there { victory.marker_each_round * marked_rounds } else { 0 };
                continue;
            }
            for &(holder, building, each, at_end) in &self.field.victory.garrisons {
                if holder == side && self.unit(u).garrison.map(usize::from) == Some(building) {
                    points += each * every_round + at_end;
                }
            }
        }
        points
    }

    /// A unit leaves by the nearest exit of its side, if that is in reach.
    fn leaves(&mut self, u: No, reach: f64, now: &mut Now<'_>) -> bool {
        let side = self.unit(u).side;
        let exits = self.field.victory.exits.iter().enumerate().filter(|(_, e)| e.side == side);
        let nearest = exits
            .map(|(i, exit)| (i, self.way_to(u, &self.stretch(exit))))
            .filter(|&(_, way)| way <= reach)
            .min_by_key(|&(_, way)| how_near(way));
        let Some((exit, way)) = nearest else { return false };
        let unit = &mut self.state.units[u];
        unit.exit_models = unit.models;
        unit.exit_by = exit as u8;
        self.remove(u, Fate::Exited);
        let (who, points) = (self.id(u), self.exit_points(u));
        now.say(|| {
            Event::new("exit", "WBK-TURN-10")
                .who(who)
                .outcome("counted out")
                .with("points", points)
                .with("distance", way)
        });
        true
    }

    /// The nearest marker whose inches are in reach and that no comrade has taken.
    fn marker_in_reach(&self, u: No, reach: f64, taken: &[bool]) -> Option<usize> {
        let victory = &self.field.victory;
        victory
            .markers
            .iter()
            .enumerate()
            .filter(|&(i, _)| !taken[i])
            .map(|(i, marker)| (i, self.way_to(u, &Segment::new(marker.at, marker.at))))
            .filter(|&(_, way)| way - victory.marker_within <= reach)
            .min_by_key(|&(_, way)| how_near(way))
            .map(|(i, _)| i)
    }
}
