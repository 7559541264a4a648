//! Scoring and the end (WBK-SCEN-05 to 10, WBK-TURN-09, part 3.9).

use tricorne_drill::Now;
use tricorne_game::{Ending, Event, Side};
use tricorne_table::Point;

use crate::battle::Fray;
use crate::field::Worth;
use crate::model::base::TOLERANCE;
use crate::state::{Fate, Finish, IMPERIAL, NATIVE, No};
use crate::tables::rulebook::Drill;
use crate::turn::gains::{Deed, Gains};
use crate::turn::{proper_name, side_name};

impl Fray {
    /// What a unit scored by leaving over its exit edge.
    pub(crate) fn exit_points(&self, u: No) -> i32 {
        let unit = self.unit(u);
        let card = self.card(u);
        let Some(exit) = self.field.victory.exits.get(usize::from(unit.exit_by)) else { return 0 };
        if unit.fate != Fate::Exited {
            return 0;
        }
        let halved = exit.halved_scores_half && u32::from(unit.exit_models) * 2 <= u32::from(card.start);
        let points = if halved { card.points / 2 } else { card.points };
        points + if card.is_crewed() { exit.crewed_bonus } else { 0 }
    }

    /// The side that holds a marker (WBK-SCEN-09).
    pub(crate) fn holder(&self, marker: usize) -> Option<Side> {
        let at = self.field.victory.markers.get(marker)?.at;
        let holds = |side: Side| {
            let stands = |u: No| !self.unit(u).is_pinned() && self.stands_by_marker(u, at);
            self.on_table().any(|u| self.unit(u).side == side && stands(u))
        };
        match (holds(IMPERIAL), holds(NATIVE)) {
            (true, false) => Some(IMPERIAL),
            (false, true) => Some(NATIVE),
            _ => None,
        }
    }

    /// Whether a unit has a model near enough to a marker to hold it. A gun is none; its crew are.
    pub(super) fn stands_by_marker(&self, u: No, at: Point) -> bool {
        let within = self.field.victory.marker_within + TOLERANCE;
        let unit = self.unit(u);
        match self.outline(u) {
            Some(area) => area.distance_to(at) <= within,
            None => {
                unit.places.iter().any(|s| self.base_at(u, s.point(), unit.facing).gap_to_point(at) <= within)
            }
        }
    }

    fn garrisoned_by(&self, side: Side, building: usize) -> bool {
        self.on_table().any(|u| {
            self.unit(u).side == side && self.unit(u).garrison.is_some_and(|b| usize::from(b) == building)
        })
    }

    /// A side's score as it stands.
    pub(crate) fn score(&self, side: Side) -> i32 {
        let victory = &self.field.victory;
        let mut score = i32::from(self.state.gained[side.index()]);
        for u in self.state.units.numbers() {
            let (unit, card) = (self.unit(u), self.card(u));
            if unit.side == side {
                score += self.exit_points(u);
                continue;
            }
            for (_, worth) in victory.lost.iter().filter(|(s, _)| *s == side) {
                let each = match worth {
                    Worth::Full => card.points,
                    Worth::Half => card.points / 2,
                    Worth::Points(n) => *n,
                };
                score += each * i32::from(unit.times_lost);
            }
        }
        score
    }

    /// The end of a full round: what was held scores.
    pub(crate) fn end_round(&mut self, now: &mut Now<'_>) {
        let victory = &self.field.victory;
        let mut gains = Gains::default();
        if victory.marker_each_round != 0 && self.state.round >= victory.marker_from_round {
            for i in 0..victory.markers.len() {
                if let Some(side) = self.holder(i) {
                    gains.add(side, victory.marker_each_round, Deed::Marker);
                }
            }
        }
        for &(side, building, each, _) in &victory.garrisons {
            if self.garrisoned_by(side, building) {
                gains.add(side, each, Deed::Held(building));
            }
        }
        self.gain(&gains, now);
    }

    /// Endings that come at once (WBK-TURN-09, the scenario's own, WBK-SOLO-15).
    pub(crate) fn check_end(&mut self, now: &mut Now<'_>) {
        if self.state.finish.is_some() {
            return;
        }
        for i in 0..self.field.victory.storms.len() {
            let (side, building, points) = self.field.victory.storms[i];
            if self.garrisoned_by(side, building) {
                let mut gains = Gains::default();
                gains.add(side, points, Deed::Taken(building));
                self.gain(&gains, now);
                self.finish(Finish::Stormed(side), now);
                return;
            }
        }
        // The last of both sides may fall together: then each has wiped the other out.
        let mut gains = Gains::default();
        let mut finish = None;
        for side in [IMPERIAL, NATIVE] {
            if !self.field.present[side.index()] || self.has_units(side) {
                continue;
            }
            let all_lost = !self.state.units.iter().any(|u| u.side == side && u.fate == Fate::Exited);
            let held = self.count_out(side.enemy(), now);
            let points =
                self.field.victory.annihilations.iter().find(|(s, _)| *s == side.enemy()).map(|a| a.1);
            let points = points.filter(|_| all_lost);
            gains.add(side.enemy(), held, Deed::Unhindered);
            gains.add(side.enemy(), points.unwrap_or(0), Deed::Annihilation);
            let program = self.field.program() == Some(side);
            finish = finish.or(Some(match points {
                Some(_) => Finish::Annihilated(side.enemy()),
                None if program => Finish::ProgramSpent,
                None => Finish::NobodyLeft(side),
            }));
        }
        if let Some(finish) = finish {
            self.gain(&gains, now);
            self.finish(finish, now);
        }
    }

    /// Whether a side has a unit on the table or one to come. The lost come back as a turn of theirs begins, or never.
    fn has_units(&self, side: Side) -> bool {
        let again = self.turns_to_begin(side) > 0;
        let program = again && self.field.program() == Some(side);
        let returns = again && self.field.returns(side) && !program;
        self.state.units.numbers().any(|u| {
            let unit = self.unit(u);
            unit.side == side
                && match unit.fate {
                    Fate::OnTable | Fate::ToCome => true,
                    Fate::Destroyed | Fate::Routed | Fate::OffTable => {
                        (program && unit.return_due)
                            || (returns && !unit.returned && self.card(u).drill == Drill::Tribal)
                    }
                    Fate::Exited | Fate::LeftOut => false,
                }
        })
    }

    /// Whether every unit of a side is lost, with none to come and none gone by an exit.
    fn is_gone(&self, side: Side) -> bool {
        self.field.present[side.index()]
            && !self.has_units(side)
            && !self.state.units.iter().any(|u| u.side == side && u.fate == Fate::Exited)
    }

    /// Whether a side has a unit on the table or gone by an exit.
    fn is_seen(&self, side: Side) -> bool {
        self.state.units.iter().any(|u| u.side == side && matches!(u.fate, Fate::OnTable | Fate::Exited))
    }

    /// The last scoring, and the end.
    pub(crate) fn finish(&mut self, finish: Finish, now: &mut Now<'_>) {
        let victory = &self.field.victory;
        let mut gains = Gains::of_the_end();
        // With a side gone, what is held has been counted out (WBK-TURN-10).
        if matches!(finish, Finish::Rounds | Finish::Stormed(_)) {
            for i in 0..victory.markers.len() {
                if let Some(side) = self.holder(i) {
                    gains.add(side, victory.marker_at_end, Deed::Marker);
                }
            }
        }
        if finish == Finish::Rounds {
            for &(side, building, _, at_end) in &victory.garrisons {
                if self.garrisoned_by(side, building) {
                    gains.add(side, at_end, Deed::Held(building));
                }
            }
        }
        // Whoever gives up has lost; nothing more is counted.
        let counted = !matches!(finish, Finish::Conceded(_));
        for &(side, each) in victory.left.iter().filter(|_| counted) {
            let left = self.on_table().filter(|&u| self.unit(u).side != side).count();
            gains.add(side, each * left as i32, Deed::LeftOver);
        }
        self.gain(&gains, now);
        self.state.finish = Some(finish);
        self.state.asked = None;
        if let Some(ending) = self.how_it_ended() {
            now.say(|| {
                let event = Event::new("end", &ending.clause)
                    .with("reason", ending.reason.as_str())
                    .with("grade", ending.grade.as_str())
                    .with("imperial", ending.scores.first().copied().unwrap_or_default())
                    .with("native", ending.scores.get(1).copied().unwrap_or_default());
                match ending.winner {
                    Some(side) => event.outcome(side_name(side)),
                    None => event.outcome("draw"),
                }
            });
        }
    }

    /// The ending, once there is one.
    pub(crate) fn how_it_ended(&self) -> Option<Ending> {
        let finish = self.state.finish?;
        let scores = [self.score(IMPERIAL), self.score(NATIVE)];
        let lead = scores[0] - scores[1];
        let margin = self.field.victory.draw_margin;
        let winner = if lead.abs() <= margin {
            None
        } else if lead > 0 {
            Some(IMPERIAL)
        } else {
            Some(NATIVE)
        };
        // WBK-TURN-11: who has nobody left cannot win, as long as the other side has.
        let void = winner.filter(|&side| self.is_gone(side) && self.is_seen(side.enemy()));
        let (winner, void) = match finish {
            Finish::Conceded(side) => (Some(side.enemy()), None),
            _ => (winner.filter(|_| void.is_none()), void),
        };
        let both_gone = [IMPERIAL, NATIVE].into_iter().all(|side| self.is_gone(side));
        let (why, clause) = match finish {
            Finish::NobodyLeft(_) if both_gone => ("both sides were wiped out".into(), "WBK-TURN-09"),
            Finish::Annihilated(_) if both_gone => ("both sides were wiped out".into(), "WBK-SCEN-01"),
            Finish::Rounds => (format!("{} rounds had been fought", self.field.rounds), "WBK-TURN-09"),
            Finish::NobodyLeft(side) => {
                (format!("the {} side had nobody left on the table", proper_name(side)), "WBK-TURN-09")
            }
            Finish::Stormed(side) => {
                let stormed = self.field.victory.storms.iter().find(|s| s.0 == side);
                let place = stormed.map_or("goal", |s| self.field.land.pieces[s.1].called());
                (format!("the {} side held the {place}", proper_name(side)), "WBK-SCEN-01")
            }
            Finish::Annihilated(side) => {
                (format!("the {} side was wiped out", proper_name(side.enemy())), "WBK-SCEN-01")
            }
            Finish::ProgramSpent => ("the program had no unit left and none to come".into(), "WBK-SOLO-15"),
            Finish::Conceded(side) => {
                (format!("the {} side gave the battle up", proper_name(side)), "WBK-TURN-09")
            }
        };
        let (more, less) = (scores[0].max(scores[1]), scores[0].min(scores[1]));
        let ahead = proper_name(if lead >= 0 { IMPERIAL } else { NATIVE });
        let reason = match (winner, void) {
            (_, Some(side)) => {
                let side = proper_name(side);
                format!(
                    "{why}, and the {side} side, ahead by {more} to {less}, had lost every unit and could not win"
                )
            }
            (None, _) if lead != 0 => {
                format!(
                    "{why}, and the {ahead} side led by {more} to {less}, where a lead of more than {margin} was wanted"
                )
            }
            (None, _) => format!("{why}, and the points stood level at {more}"),
            (Some(side), _) => {
                let (own, other) = (scores[side.index()], scores[side.enemy().index()]);
                format!("{why}, and it stood at {own} to {other}")
            }
        };
        let grade = if winner.is_some() { "victory" } else { "draw" };
        Some(Ending {
            winner,
            grade: grade.into(),
            reason,
            scores: scores.iter().map(|&s| f64::from(s)).collect(),
            clause: clause.into(),
        })
    }
}
