//! The protocol: what is pending, what is legal, what an action does.

use serde_json::Value;
use tricorne_chance::{Chance, Whim};
use tricorne_game::view::View;
use tricorne_game::{
    Battle, Ending, Illegal, Legal, Log, Pending, Preview, Proposal, Seat, Space, Steer, Wish,
};

use crate::action::Action;
use crate::events::EventCard;
use crate::field::Field;
use crate::formation::Body;
use crate::measure::exact;
use crate::question::{is_question, kind_of, prompt_of};
use crate::state::{State, Step};

impl Battle for Field {
    type Action = Action;
    type State = State;

    fn begin(&mut self, chance: &mut dyn Chance, log: &mut Log) {
        if self.s.stack.last() == Some(&Step::AskBegin) {
            self.s.stack.pop();
        }
        if self.b.points_game && self.s.deployment.is_none() {
            self.s.stack.clear();
            self.set_up_points_game(chance, log);
        }
        self.run(chance, log);
    }

    fn pending(&self) -> Pending {
        if let Some(ending) = self.ending_now() {
            return Pending::Over(ending);
        }
        let ask = self.question().unwrap_or(Step::AskBegin);
        let ask = if is_question(ask) { ask } else { Step::AskBegin };
        Pending::Decision {
            seat: Seat(self.answerer(ask).0),
            kind: kind_of(ask).to_owned(),
            unit: self.about(ask),
            prompt: prompt_of(ask).to_owned(),
        }
    }

    fn seat(&self) -> Option<Seat> {
        self.question().map(|ask| Seat(self.answerer(ask).0))
    }

    fn ending(&self) -> Option<Ending> {
        self.ending_now()
    }

    fn legal(&self) -> Legal<Action> {
        Legal { listed: self.listed(), spaces: self.spaces() }
    }

    fn check(&self, action: &Action) -> Result<(), Illegal> {
        self.resolve(action).map(drop)
    }

    fn preview(&self, action: &Action) -> Result<Preview, Illegal> {
        Ok(self.preview_of(action, self.resolve(action)?))
    }

    fn sample(&self, whim: &mut Whim) -> Action {
        self.any_answer(whim)
    }

    fn candidates(&self, n: usize, whim: &mut Whim) -> Vec<Action> {
        self.some_answers(n, whim)
    }

    fn apply(&mut self, action: &Action, chance: &mut dyn Chance, log: &mut Log) -> Result<(), Illegal> {
        let order = self.resolve(action)?;
        if let Some(ask) = self.question() {
            self.carry_out(ask, order, chance, log);
            self.run(chance, log);
        }
        Ok(())
    }

    fn view(&self, seat: Option<Seat>) -> View {
        self.seen_by(seat)
    }

    fn courses(&self, unit: tricorne_game::UnitId) -> Vec<(String, Action)> {
        self.courses_of(unit)
    }

    fn sight(
        &self,
        from: tricorne_game::UnitId,
        to: tricorne_game::UnitId,
        _: Option<Seat>,
    ) -> Option<tricorne_game::Sight> {
        self.sight_between(from, to)
    }

    fn state(&self) -> &State {
        &self.s
    }

    fn facts(&self) -> Value {
        self.all_facts()
    }

    fn standing(&self, seat: Seat) -> f64 {
        self.standing_of(seat)
    }

    fn proposals(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        self.weighed_answers(most, whim)
    }

    fn steer(&self, wish: &Wish) -> Steer<Action> {
        self.steered(wish)
    }

    fn broken_invariants(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for u in self.present() {
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
            if unit.held_fire && unit.disordered {
                broken.push(format!("{name} holds fire in disorder"));
            }
            if unit.body != Body::new(unit.place.pose(), unit.formation, unit.strength) {
                broken.push(format!("{name} is not where it stands"));
            }
            for o in self.present().filter(|&o| o > u) {
                // Figures given back to a cloud may crowd a neighbour until one of the two moves.
                let cloud = unit.body.cloud > 0 || self.unit(o).body.cloud > 0;
                if !cloud && unit.body.overlaps(&self.unit(o).body) {
                    broken.push(format!("{name} and {} overlap", self.name(o)));
                }
            }
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
    /// The unit a question is about.
    pub(crate) fn about(&self, ask: Step) -> Option<tricorne_game::UnitId> {
        let u = match ask {
            Step::AskAction(u)
            | Step::AskPath(u)
            | Step::AskManoeuvre(u)
            | Step::AskUnlimber(u)
            | Step::AskCharge(u)
            | Step::AskFace(u)
            | Step::AskReform(u)
            | Step::AskTarget { unit: u, .. }
            | Step::AskDistance { unit: u, .. }
            | Step::AskBearing { unit: u, .. }
            | Step::AskReturn { unit: u, .. }
            | Step::AskAfter { winner: u, .. } => u,
            Step::AskResponse | Step::AskEvade { .. } => self.s.charge?.target,
            Step::AskContinue | Step::AskFollow => self.s.charge?.charger,
            Step::AskFallBack { .. } => self.s.melee?.attacker,
            Step::AskCommanderMove { commander, .. }
            | Step::AskAttach { commander, .. }
            | Step::AskEscape { commander, .. } => return Some(self.chief(commander).id),
            _ => return None,
        };
        Some(self.spec(u).id)
    }

    /// The families of answers that have a place or an angle in them.
    pub(crate) fn spaces(&self) -> Vec<Space> {
        let Some(ask) = self.question() else { return vec![] };
        let acting = self.s.acting.map(|a| exact(a.allowance));
        let (action, allowance, shape) = match ask {
            Step::AskDeploy(_) => ("deploy", None, "units: id, at, facing, formation; commander: [x, y]"),
            Step::AskCommanderMove { allowance, .. } | Step::AskEscape { allowance, .. } => {
                ("path", Some(exact(allowance)), "legs: go [bearing, inches] or to [x, y]")
            }
            Step::AskPath(_) => {
                ("path", acting, "legs: forward, wheel_left, wheel_right; a cloud: go, to, face")
            }
            Step::AskManoeuvre(_) => {
                ("shape", None, "pivot, facing, formation, other; or limber, unlimber with a facing")
            }
            Step::AskDistance { .. } => ("distance", acting.map(|a| a * 0.5), "inches"),
            Step::AskUnlimber(_) => ("unlimber", None, "a facing"),
            Step::AskFace(_) => ("face", None, "a facing"),
            Step::AskReform(_) => ("reform", None, "then stay, retreat or hold; and a facing"),
            Step::AskBearing { .. } => ("bearing", acting.map(|a| a * 0.5), "a bearing and a distance"),
            Step::AskFallBack { allowance } => ("fall_back", Some(exact(allowance)), "inches, at least half"),
            Step::AskSquare => ("regimental_square", None, "anchor, facing, open_rear"),
            Step::AskEvent { card: EventCard::DrummerBoy, .. } => ("choose", None, "a unit and a facing"),
            _ => return vec![],
        };
        vec![Space { action: action.into(), unit: self.about(ask), allowance, shape: shape.into() }]
    }
}
