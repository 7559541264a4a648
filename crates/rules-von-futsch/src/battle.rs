//! A battle under the kit: what goes on between questions, and what must always hold.

use serde_json::Value;
use tricorne_drill::{Asks, Now, Rules, two_schools};
use tricorne_game::view::{Detail, View};
use tricorne_game::{Ending, Illegal, Seat, Sight, Steer, UnitId, Wish};

use crate::action::Action;
use crate::field::Field;
use crate::judgement::first::First;
use crate::model::Nr;
use crate::questions::{Begin, FormSquare, Questions};
use crate::state::{State, Step};

impl Rules for Field {
    type Action = Action;
    type State = State;
    type Questions = Questions;

    const OVER: &'static str = "VF-ARMYMORALE-05";

    fn begin(&mut self, now: &mut Now<'_>) {
        if self.s.stack.last() == Some(&Step::Ask(Begin.into())) {
            self.s.stack.pop();
        }
        if self.b.points_game && self.s.deployment.is_none() {
            self.s.stack.clear();
            self.set_up_points_game(now.chance, now.log);
        }
    }

    fn question(&self) -> Option<Questions> {
        match self.s.stack.last() {
            Some(Step::Ask(question)) if self.s.over.is_none() => Some(*question),
            _ => None,
        }
    }

    fn answered(&mut self) {
        self.s.stack.pop();
    }

    fn step(&mut self, now: &mut Now<'_>) -> bool {
        if self.s.over.is_some() {
            return false;
        }
        let escaping = matches!(self.s.stack.last(), Some(Step::Ask(Questions::Escape(_))));
        if !escaping && self.look_for_captures(now.chance, now.log) {
            return true;
        }
        match self.s.stack.last().copied() {
            None => self.push(Step::Check),
            Some(Step::Ask(question)) => {
                // Where there is but one answer it is taken without asking (ledger 5).
                let Some(action) = question.only(self) else { return false };
                return question.answer(self, &action, now).is_ok();
            }
            Some(step) => {
                self.s.stack.pop();
                self.take(step, now);
            }
        }
        true
    }

    fn ending(&self) -> Option<Ending> {
        self.ending_now()
    }

    fn gives_up(action: &Action) -> bool {
        *action == Action::Concede
    }

    fn concede(&mut self, seat: Seat, now: &mut Now<'_>) {
        let side = tricorne_game::Side(seat.0);
        self.won(side.enemy(), "VF-SCEN-09", "the enemy gives the battle up", now.log);
    }

    fn seen(&self, seat: Option<Seat>, detail: Detail) -> View {
        self.seen_by(seat, detail)
    }

    fn courses(&self, unit: UnitId) -> Vec<(String, Action)> {
        self.courses_of(unit)
    }

    fn sight(&self, from: UnitId, to: UnitId, _: Option<Seat>) -> Option<Sight> {
        self.sight_between(from, to)
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

    fn steer(&self, wish: &Wish) -> Steer<Action> {
        self.steered(wish)
    }

    fn broken_invariants(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for u in self.present() {
            self.broken_by(u, &mut broken);
        }
        let kings: usize = self.s.kings.iter().map(arrayvec::ArrayVec::len).sum();
        let cards =
            self.s.deck.left().len() + self.s.deck.spent().len() + kings + usize::from(self.s.card.is_some());
        if cards != 52 + usize::from(self.o().jokers_in_deck) {
            broken.push(format!("there are {cards} cards"));
        }
        broken
    }
}

impl Field {
    /// The unit of that id, or a refusal.
    pub(crate) fn named(&self, id: UnitId) -> Result<Nr, Illegal> {
        let why = || Illegal::new("VF-TURN-25", format!("there is no unit {id} in this battle"));
        self.b.unit_named(id).ok_or_else(why)
    }

    /// What the umpire does by himself.
    fn take(&mut self, step: Step, now: &mut Now<'_>) {
        match step {
            Step::DeployNext => self.deploy_next(),
            Step::TurnStart => self.turn_start(now.log),
            Step::KingWindow(window) => self.king_window(window),
            Step::Draw => self.draw(now.chance, now.log),
            Step::Check => self.check_turn(),
            Step::EndTurn => self.end_turn(now.log),
            Step::GroupAttach(from) => self.group_attach(from),
            Step::GroupCheck => self.group_check(now.chance, now.log),
            Step::GroupSquare => {
                self.bring_back_bases(self.left_to_act());
                self.ask(FormSquare);
            }
            Step::GroupNext => self.group_next(),
            Step::GroupTests => self.group_tests(now.chance, now.log),
            Step::SquareFace { unit, face } => self.square_face(unit, face),
            Step::Shoot { shooter, face, target, returned } => {
                self.shoot_step((shooter, face, target, returned), now.chance, now.log);
            }
            Step::AfterChargeFire => self.after_charge_fire(now.log),
            Step::MeleeRound => self.melee_round(now.chance, now.log),
            Step::MeleeEnd => self.melee_end(now.log),
            Step::Ask(_) => {}
        }
    }

    /// What must hold for a unit between any two answers and does not.
    fn broken_by(&self, u: Nr, broken: &mut Vec<String>) {
        let unit = self.unit(u);
        let name = self.name(u);
        if unit.strength == 0 || unit.strength > self.spec(u).start {
            broken.push(format!("{name} has {} figures of {}", unit.strength, self.spec(u).start));
        }
        if !unit.body.on_table(self.b.width, self.b.height) {
            broken.push(format!("{name} is off the table"));
        }
        if !self.kind(u).formations().contains(&unit.formation) {
            broken.push(format!("{name} stands in {}", unit.formation.name()));
        }
        if unit.turn.held_fire && unit.disordered {
            broken.push(format!("{name} holds fire in disorder"));
        }
        if unit.body != unit.body_at(unit.place.pose()) {
            broken.push(format!("{name} is not where it stands"));
        }
        // Men given back to a cloud may stand over the bank; and a position of a case may begin so.
        if self.b.scenario && unit.body.cloud == 0 && self.closed_under(&unit.body, self.mover(u)) {
            broken.push(format!("{name} stands on ground closed to it"));
        }
        for o in self.present().filter(|&o| o > u) {
            // Figures given back to a cloud may crowd a neighbour until one of the two moves.
            let cloud = unit.body.cloud > 0 || self.unit(o).body.cloud > 0;
            if !cloud && unit.body.overlaps(&self.unit(o).body) {
                broken.push(format!("{name} and {} overlap", self.name(o)));
            }
        }
    }
}
