//! A battle under the kit: what goes on between questions, and what must always hold.

use serde_json::Value;
use tricorne_chance::Whim;
use tricorne_drill::{Asks, Now, Rules, two_schools};
use tricorne_game::view::{Detail, View};
use tricorne_game::{Ending, Event, Illegal, Seat, Side, Sight, Steer, UnitId, Wish};
use tricorne_table::{Rect, Shape};

use crate::action::Action;
use crate::judgement::first::First;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::model::state::State;
use crate::questions::{Begin, Questions};
use crate::sequence::turn::Task;

impl Rules for SevenYearsBattle {
    type Action = Action;
    type State = State;
    type Questions = Questions;

    const OVER: &'static str = "SYW-WIN-03";

    fn begin(&mut self, _: &mut Now<'_>) {
        if self.s.tasks.is_empty() && self.s.turn == 0 {
            self.prepare();
        }
        if matches!(self.asking(), Some(Questions::Begin(_))) {
            self.s.tasks.pop();
        }
        self.keep_watch();
    }

    fn question(&self) -> Option<Questions> {
        if self.s.ending.is_some() {
            return None;
        }
        Some(self.asking().cloned().unwrap_or(Begin.into()))
    }

    fn answered(&mut self) {
        self.s.driven_off.clear();
        if self.asking().is_some() {
            self.s.tasks.pop();
        }
    }

    fn step(&mut self, now: &mut Now<'_>) -> bool {
        self.watch_prisoners(now.log);
        self.gather_the_left_behind(now.log);
        while self.s.ending.is_none() {
            match self.s.tasks.last() {
                None => {
                    self.s.tasks.push(Task::StartTurn);
                    continue;
                }
                Some(Task::Ask(question)) => {
                    let question = question.clone();
                    if question.open(self) {
                        self.is_asked(&question);
                        self.clear_generals(now.log);
                        return false;
                    }
                    self.s.tasks.pop();
                    question.lapse(self, now);
                }
                Some(_) => {
                    if let Some(task) = self.s.tasks.pop() {
                        self.perform(task, now);
                    }
                }
            }
            self.watch_prisoners(now.log);
            self.gather_the_left_behind(now.log);
        }
        false
    }

    fn ending(&self) -> Option<Ending> {
        let mut ending = self.s.ending.clone()?;
        // The state keeps the words it was written with, so that battles fought before keep their hashes.
        if let Some(army) = self.s.armies.iter().position(|a| a.conceded) {
            ending.reason = format!("the {} side gave the battle up", self.fixed.sides[army.min(1)].name);
        }
        // Its reason is read by itself, too.
        if let Some(winner) = ending.winner {
            let army = format!(", and the {} army led by ", self.fixed.sides[winner.index().min(1)].name);
            ending.reason = ending.reason.replacen(", and it led by ", &army, 1);
        }
        Some(ending)
    }

    fn gives_up(action: &Action) -> bool {
        *action == Action::Concede
    }

    fn concede(&mut self, seat: Seat, now: &mut Now<'_>) {
        let side = Side(seat.0);
        self.s.armies[side.index().min(1)].conceded = true;
        let name = self.fixed.sides[side.index().min(1)].name.clone();
        self.finish(Some(side.enemy()), format!("{name} gives up"), "SYW-WIN-07");
        now.say(|| {
            let name = self.fixed.sides[side.index().min(1)].name.as_str();
            Event::new("over", "SYW-WIN-07").outcome("conceded").with("side", name)
        });
    }

    fn whose_turn(&self) -> Option<Side> {
        (self.s.turn > 0).then_some(self.s.phasing)
    }

    fn seen(&self, seat: Option<Seat>, detail: Detail) -> View {
        self.seen_from(seat, detail)
    }

    fn state(&self) -> &State {
        &self.s
    }

    fn facts(&self) -> Value {
        self.all_facts()
    }

    two_schools!(First, foremost_of);

    fn about(action: &Action) -> Option<UnitId> {
        action.about()
    }

    fn imagined(&self, seat: Seat, whim: &mut Whim) -> Self {
        self.imagined_by(Side(seat.0.min(1)), whim)
    }

    fn as_seen(&self, seat: Seat) -> Self {
        self.seen_by(Side(seat.0.min(1)))
    }

    fn steer(&self, wish: &Wish) -> Steer<Action> {
        let finite = wish.place.is_finite()
            && wish.facing.is_none_or(f64::is_finite)
            && wish.by.iter().all(|p| p.is_finite());
        match self.question() {
            None => Steer::refused(Illegal::new(Self::OVER, "the battle is over")),
            Some(_) if !finite => {
                Steer::refused(Illegal::new("SYW-MODEL-02", "a wish needs ordinary numbers"))
            }
            Some(question) => question.steer(self, wish),
        }
    }

    fn sight(&self, from: UnitId, to: UnitId, eye: Option<Seat>) -> Option<Sight> {
        self.sight_between(from, to, eye)
    }

    fn broken_invariants(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for u in self.unit_ids() {
            let unit = self.unit(u);
            if unit.strength() > usize::from(unit.started) {
                broken.push(format!("{} has more stands than it started with", unit.id));
            }
            if !unit.is_known() {
                continue;
            }
            let rects = self.rects(u);
            let bounds = crate::model::footprints::join_bounds(&rects);
            let table = self.fixed.table.bounds().grown(0.05);
            if !(table.contains(bounds.min) && table.contains(bounds.max)) {
                broken.push(format!("{} stands off the table", unit.id));
            }
            if self.on_impassable(&rects, u) {
                broken.push(format!("{} stands on ground closed to it", unit.id));
            }
            for v in self.unit_ids().skip(usize::from(u) + 1) {
                let others = self.rects(v);
                if self.unit(v).is_known() && Self::any_overlap(&rects, &others) {
                    let deep = |a: &Rect| {
                        others
                            .iter()
                            .map(|b| Shape::Rect(*a).penetration(&Shape::Rect(*b)))
                            .fold(0.0, f64::max)
                    };
                    let by = rects.iter().map(deep).fold(0.0, f64::max);
                    broken.push(format!("{} and {} overlap by {by:.4}", unit.id, self.unit(v).id));
                }
            }
        }
        for g in self.group_ids() {
            for &u in &self.group(g).units {
                if self.unit(u).group != g {
                    broken.push(format!(
                        "{} is listed in {} but is not of it",
                        self.unit(u).id,
                        self.group(g).id
                    ));
                }
            }
        }
        for i in GeneralIx::first(self.s.generals.len()) {
            if let Some(u) = self.general_overlaps(i) {
                broken.push(format!("{} stands on enemy {u}", self.general(i).id));
            }
        }
        broken
    }
}
