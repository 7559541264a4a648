//! The end of a battle (END): scores, objectives, the limit.

use tricorne_game::{Ending, Event, Log, Side, in_words};
use tricorne_table::{Area, Shape, within};

use crate::field::{ARMIES, Engagement, Objective, army_name};
use crate::movement::terrain::OVERLAP;
use crate::options::ArmyStrength;
use crate::state::{Cause, Grade, Outcome, Quality, Stage, Unit, UnitNo};

impl Engagement {
    /// T1, and what quality costs (ATKM-ADV-05).
    pub(crate) fn worth(&self, unit: &Unit) -> i32 {
        let quality = match unit.quality {
            _ if !self.options().adv_quality => 0,
            Quality::Line => 0,
            Quality::Elite => self.rules().advanced.elite_points,
            Quality::Militia => self.rules().advanced.militia_points,
        };
        self.rules().profile(unit.kind).points + quality
    }

    /// Remembers what each army began with.
    pub(crate) fn reckon_start(&mut self) {
        for army in ARMIES {
            let own: Vec<&Unit> =
                self.state.units.iter().filter(|u| u.army == army && u.parent.is_none()).collect();
            let (units, privates) = (own.len() as u16, own.iter().map(|u| u16::from(u.n0)).sum());
            let points = own.iter().map(|u| self.worth(u)).sum();
            self.state.began[army.index()] = units;
            self.state.began_privates[army.index()] = privates;
            self.state.began_points[army.index()] = points;
        }
    }

    /// Points an army has lost (ATKM-END-08).
    pub(crate) fn points_lost(&self, army: Side) -> i32 {
        let rules = &self.rules().score;
        // A unit to come has lost nothing (ATKM-SETUP-15).
        let counted = |u: &Unit| u.army == army && u.parent.is_none() && !u.is_to_come();
        let own = self.state.units.iter().enumerate().filter(|(_, u)| counted(u));
        own.map(|(no, u)| {
            let n = self.men_of(UnitNo::at(no));
            if n == 0 {
                self.worth(u)
            } else if f64::from(n) <= f64::from(u.n0) * rules.worn + 1e-9 {
                (f64::from(self.worth(u)) * rules.worn_worth + 1e-9).floor() as i32
            } else {
                0
            }
        })
        .sum()
    }

    /// An army's score (ATKM-END-08).
    pub(crate) fn score(&self, army: Side) -> i32 {
        let enemy = army.enemy();
        let began = self.state.began_points[enemy.index()].max(1);
        100 * self.points_lost(enemy) / began + self.state.scored[army.index()]
    }

    /// Whether an army has a formed unit with a private inside an area.
    fn holds_area(&self, army: Side, area: &Area) -> bool {
        self.of_army(army).any(|(_, u)| {
            !u.is_mob()
                && u.privates(self.rules()).iter().any(|r| area.overlap_area(&Shape::Rect(*r)) > OVERLAP)
        })
    }

    /// The only army for which something holds.
    fn alone(holds: impl Fn(Side) -> bool) -> Option<Side> {
        match ARMIES.map(holds) {
            [true, false] => Some(ARMIES[0]),
            [false, true] => Some(ARMIES[1]),
            _ => None,
        }
    }

    fn gain(&mut self, army: Side, score: i32, log: &mut Log) {
        self.state.scored[army.index()] += score;
        log.say(|| {
            Event::new("objective", "ATKM-END-08")
                .with("army", army_name(army))
                .with("side", self.called(army))
                .with("score", score)
        });
    }

    /// 21: scenario scores, the limit, stalemate.
    pub(crate) fn reckon(&mut self, log: &mut Log) {
        let field = std::sync::Arc::clone(&self.field);
        let turn = self.state.turn;
        for objective in &field.objectives {
            if let Objective::Occupy { area, from, score } = objective
                && turn >= *from
                && let Some(army) = Self::alone(|a| self.holds_area(a, area))
            {
                self.gain(army, *score, log);
            }
        }
        // The approach march does not count: turns are quiet only after first blood (ATKM-END-06).
        let bloodied =
            ARMIES.into_iter().any(|a| self.privates_left(a) < self.state.began_privates[a.index()]);
        let quiet = bloodied && !self.state.blood;
        self.state.quiet = if quiet { self.state.quiet.saturating_add(1) } else { 0 };
        let limit = self.options().turn_limit;
        if limit > 0 {
            if u32::from(turn) >= limit {
                self.decide(Cause::Scores, &field.objectives, log);
                return;
            }
        } else if self.state.quiet >= self.rules().score.quiet_turns {
            self.decide(Cause::Quiet, &field.objectives, log);
            return;
        } else if !bloodied && turn >= self.rules().score.bloodless_turns {
            self.finish(Outcome { winner: None, grade: Grade::Draw, cause: Cause::Bloodless }, log);
            return;
        }
        self.state.stage = Stage::TurnStart;
    }

    /// ATKM-END-07..09 and the scenario's own word.
    fn decide(&mut self, cause: Cause, objectives: &[Objective], log: &mut Log) {
        for objective in objectives {
            match objective {
                Objective::Hold { at, radius, score } => {
                    let near = |army: Side| {
                        self.of_army(army).any(|(_, u)| {
                            !u.is_mob() && within(u.command_distance(self.rules(), *at), *radius)
                        })
                    };
                    if let Some(army) = Self::alone(near) {
                        self.gain(army, *score, log);
                    }
                }
                Objective::Seize { area } => {
                    if let Some(army) = Self::alone(|a| self.holds_area(a, area)) {
                        let outcome =
                            Outcome { winner: Some(army), grade: Grade::Victory, cause: Cause::Objective };
                        self.finish(outcome, log);
                        return;
                    }
                }
                Objective::Occupy { .. } => {}
            }
        }
        let [red, black] = ARMIES.map(|a| self.score(a));
        let rules = &self.rules().score;
        let grade = match (red - black).abs() {
            d if d >= rules.victory => Grade::Victory,
            d if d >= rules.marginal => Grade::Marginal,
            _ => Grade::Draw,
        };
        let winner = match grade {
            Grade::Draw => None,
            _ if red > black => Some(ARMIES[0]),
            _ => Some(ARMIES[1]),
        };
        self.finish(Outcome { winner, grade, cause }, log);
    }

    /// What an army's strength is counted by, and how much of it is left (ATKM-ROUT-04, -05).
    fn left_in_words(&self, army: Side) -> String {
        let (left, began, what) = match self.options().army_strength {
            ArmyStrength::Units => (self.units_left(army), self.state.began[army.index()], "units"),
            ArmyStrength::Privates => {
                (self.privates_left(army), self.state.began_privates[army.index()], "privates")
            }
        };
        format!("{} of its {} {what}", in_words(usize::from(left)), in_words(usize::from(began)))
    }

    /// The ending in words.
    pub(crate) fn ending_of(&self, outcome: Outcome) -> Ending {
        let scores = ARMIES.map(|a| self.score(a));
        let grade = match outcome.grade {
            Grade::Decisive => "decisive victory",
            Grade::Victory => "victory",
            Grade::Marginal => "marginal victory",
            Grade::Draw => "draw",
        };
        let winner = outcome.winner.map_or_else(String::new, |w| self.called(w));
        let loser = outcome.winner.map_or_else(String::new, |w| self.called(w.enemy()));
        let (reason, clause) = match outcome.cause {
            Cause::Rout => {
                let left = outcome.winner.map_or_else(String::new, |w| self.left_in_words(w.enemy()));
                (format!("the army of {loser} was routed, with {left} left"), "ATKM-END-01")
            }
            Cause::MutualRout => ("both armies were routed at once".into(), "ATKM-END-02"),
            Cause::Conceded => (format!("{loser} gave the battle up"), "ATKM-END-04"),
            Cause::Scores => {
                (format!("time was up, with the score at {} to {}", scores[0], scores[1]), "ATKM-END-09")
            }
            Cause::Objective => {
                // Without a limit it ends for want of blood.
                let clause = if self.options().turn_limit > 0 { "ATKM-END-07" } else { "ATKM-END-06" };
                (format!("in the end {winner} alone held the objective"), clause)
            }
            Cause::Quiet => (
                format!("the fighting had died down, with the score at {} to {}", scores[0], scores[1]),
                "ATKM-END-06",
            ),
            Cause::Bloodless => (format!("nobody had fallen in {} turns", self.state.turn), "ATKM-END-10"),
        };
        Ending {
            winner: outcome.winner,
            grade: grade.into(),
            reason,
            scores: scores.map(f64::from).to_vec(),
            clause: clause.into(),
        }
    }
}
