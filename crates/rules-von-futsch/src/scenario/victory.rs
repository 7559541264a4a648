//! Army morale, objectives, the turn limit (ledger 4.12, 4.14).

use tricorne_game::{Ending, Event, Log, Side};

use crate::brief::Objective;
use crate::field::Field;
use crate::model::Kind;
use crate::model::measure::mils;
use crate::state::{BLACK, Fate, Over, RED, Step};

impl Field {
    /// The end of a turn (S-END): army morale, objective, limit, or the next turn.
    pub(crate) fn end_turn(&mut self, log: &mut Log) {
        let turn = self.s.turn;
        let because = self.why_turn_ends();
        log.say(|| Event::new("turn_over", "VF-TURN-23").with("turn", turn).with("because", because));
        self.s.group = None;
        self.s.acting = None;
        let broken = [RED, BLACK].map(|side| self.army_morale(side) <= 0);
        match broken {
            [true, true] => {
                // Where there is something to fight for, that is a draw (VF-SCEN-10).
                let (grade, clause) = match self.b.objective {
                    Objective::Morale => ("mutual defeat", "VF-ARMYMORALE-05"),
                    _ => ("draw", "VF-SCEN-10"),
                };
                return self.over(None, grade, clause, "both armies had enough and broke".into(), log);
            }
            [true, false] | [false, true] => {
                let loser = if broken[0] { RED } else { BLACK };
                let why = "the enemy's army had enough and broke";
                return self.won(loser.enemy(), "VF-ARMYMORALE-05", why, log);
            }
            [false, false] => {}
        }
        if let Objective::Convoy { attacker, wagon, .. } = self.b.objective {
            match self.unit(wagon).gone {
                Some(Fate::Exited) => {
                    return self.won(attacker, "VF-SCEN-13", "the convoy was through", log);
                }
                Some(_) => {
                    return self.won(attacker.enemy(), "VF-SCEN-13", "the convoy was lost", log);
                }
                None => {}
            }
        }
        if self.s.turn >= self.b.limit {
            self.at_the_limit(log);
            return;
        }
        self.s.turn += 1;
        self.push(Step::TurnStart);
    }

    fn at_the_limit(&mut self, log: &mut Log) {
        match self.b.objective {
            Objective::Morale => self.by_share(log),
            Objective::Hold { at, within } => {
                let near = |side: Side, counts: &dyn Fn(Kind, bool) -> bool| {
                    self.present_of(side).any(|u| {
                        let unit = self.unit(u);
                        let gap = unit
                            .body
                            .parts()
                            .iter()
                            .map(|p| mils(tricorne_table::Shape::Rect(*p).distance_to(at)))
                            .min();
                        counts(self.kind(u), !unit.disordered && !unit.shaken)
                            && gap.is_some_and(|g| self.o().within(g, within))
                    })
                };
                let holder = [RED, BLACK].into_iter().find(|&side| {
                    near(side, &|kind, ordered| ordered && (kind == Kind::Infantry || kind.is_cavalry()))
                        && !near(side.enemy(), &|_, _| true)
                });
                match holder {
                    Some(side) => {
                        let why = format!("at the end nobody disputed {} with them", self.b.objective_name);
                        self.won(side, "VF-SCEN-11", &why, log);
                    }
                    None => self.by_share(log),
                }
            }
            Objective::Storm { attacker, piece, units, beyond } => {
                let ordered = || {
                    self.present_of(attacker).filter(|&u| !self.unit(u).disordered && !self.unit(u).shaken)
                };
                let inside = ordered().any(|u| {
                    self.kind(u) == Kind::Infantry
                        && self
                            .b
                            .terrain
                            .get(piece)
                            .is_some_and(|p| p.area.contains(self.unit(u).body.centroid()))
                });
                let through = ordered()
                    .filter(|&u| {
                        let y = mils(self.unit(u).body.centroid().y);
                        if attacker == RED { y > beyond } else { y < beyond }
                    })
                    .count();
                let (winner, why) = if inside {
                    (attacker, format!("{} was stormed", self.b.objective_name))
                } else if through >= units {
                    (attacker, "the line was broken through".to_owned())
                } else {
                    (attacker.enemy(), "the line held to the end".to_owned())
                };
                self.won(winner, "VF-SCEN-12", &why, log);
            }
            Objective::Convoy { attacker, .. } => {
                self.won(attacker.enemy(), "VF-SCEN-13", "the convoy did not get through in time", log);
            }
        }
    }

    /// Trophies in a side's hands.
    pub(crate) fn trophies(&self, side: Side) -> u32 {
        (0..self.s.units.len())
            .filter(|&i| self.b.units[i].side == side)
            .map(|i| u32::from(self.s.units[i].trophies))
            .sum()
    }

    /// The larger share of army morale wins; then trophies (VF-SCEN-08).
    fn by_share(&mut self, log: &mut Log) {
        let left = [RED, BLACK].map(|s| i64::from(self.army_morale(s)));
        let point = [RED, BLACK].map(|s| i64::from(self.b.break_point[s.index()].max(1)));
        // left / point compared by cross-multiplication.
        let (red, black) = (left[0] * point[1], left[1] * point[0]);
        let trophies = [RED, BLACK].map(|s| self.trophies(s));
        let better = |one: bool| if one { RED } else { BLACK };
        if red != black {
            let why = "with the light gone, the larger part of their army was still in hand";
            self.won(better(red > black), "VF-SCEN-08", why, log);
        } else if trophies[0] != trophies[1] {
            let why = "the armies were even, but they had taken more trophies";
            self.won(better(trophies[0] > trophies[1]), "VF-SCEN-08", why, log);
        } else {
            let why = "the light went, and neither side had the better of it".to_owned();
            self.over(None, "draw", "VF-SCEN-08", why, log);
        }
    }

    /// A side has won, and why.
    pub(crate) fn won(&mut self, winner: Side, clause: &'static str, why: &str, log: &mut Log) {
        self.over(Some(winner), "victory", clause, why.to_owned(), log);
    }

    pub(crate) fn over(
        &mut self,
        winner: Option<Side>,
        grade: &'static str,
        clause: &'static str,
        reason: String,
        log: &mut Log,
    ) {
        log.say(|| {
            let event = Event::new("over", clause).outcome(grade).with("reason", reason.as_str());
            match winner {
                Some(side) => event.with("side", self.b.names[side.index()].as_str()),
                None => event,
            }
        });
        self.s.stack.clear();
        self.s.over = Some(Over { winner, grade, clause, reason });
    }

    pub(crate) fn ending_now(&self) -> Option<Ending> {
        self.s.over.as_ref().map(|over| Ending {
            winner: over.winner,
            grade: over.grade.to_owned(),
            reason: over.reason.clone(),
            scores: [RED, BLACK].map(|s| f64::from(self.army_morale(s))).to_vec(),
            clause: over.clause.to_owned(),
        })
    }
}
