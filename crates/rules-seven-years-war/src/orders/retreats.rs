//! How do groups on Retreat move (SYW-ORDER-46 to -49)?

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Preview, Steer, UnitId, Wish};
use tricorne_table::Point;

use crate::action::{Action, Legs};
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx};
use crate::model::state::{Groups, Order};
use crate::movement::groups::Plan;
use crate::questions::asks;

/// How do groups on Retreat move?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Retreats;

/// One move of theirs, or of a general: those ride at any point of the sub-phase (SYW-SEQ-04).
pub enum Back {
    /// The rest go straight back.
    Rest,
    Group(Box<Plan>),
    Ride(GeneralIx, Point),
}

impl Question<SevenYearsBattle> for Retreats {
    type Judged = Back;

    asks!("retreats", phasing);

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "How do groups on Retreat move?".into()
    }

    fn open(&self, b: &SevenYearsBattle) -> bool {
        !b.retreaters().is_empty()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        b.offer_retreats(out);
        b.offer_rides(out);
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Back, Illegal> {
        match answer {
            Action::Done => Ok(Back::Rest),
            Action::Retreat { group, distance, about, legs } => {
                b.judge_retreat(*group, *distance, *about, legs).map(|plan| Back::Group(Box::new(plan)))
            }
            Action::General { general, to } => b.judge_ride(*general, *to).map(|(i, at)| Back::Ride(i, at)),
            _ => Err(self.other(b)),
        }
    }

    fn carry_out(self, b: &mut SevenYearsBattle, back: Back, now: &mut Now<'_>) {
        b.ask(self);
        match back {
            Back::Group(plan) => b.make_retreat(*plan, now),
            Back::Ride(i, at) => b.ride(i, at, now.log),
            Back::Rest => b.retreat_the_rest(now),
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn preview(&self, b: &SevenYearsBattle, back: &Back) -> Preview {
        match back {
            Back::Group(plan) => b.preview_retreat(plan),
            Back::Ride(i, at) => b.preview_ride(*i, *at),
            Back::Rest => Preview::default(),
        }
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        whim.one_of(&b.retreaters()).map_or(Action::Done, |&g| b.open_retreat(g, whim.chance(0.3)))
    }

    fn steer(&self, b: &SevenYearsBattle, wish: &Wish) -> Steer<Action> {
        if let Some(i) = wish.unit.and_then(|id| b.find_general(id)) {
            return b.steer_ride(i, wish);
        }
        match b.wished_group(wish) {
            Ok((g, u)) => b.steer_march(g, u, wish),
            Err(why) => Steer::refused(why),
        }
    }

    fn courses(&self, b: &SevenYearsBattle, unit: UnitId) -> Vec<(String, Action)> {
        let Some(u) = b.find_unit(unit) else { return Vec::new() };
        let (group, legs) = (b.group_of(u).id, SmallVec::new());
        vec![("retreat".to_owned(), Action::Retreat { group, distance: None, about: false, legs })]
    }
}

impl SevenYearsBattle {
    /// Groups of the phasing side that must still retreat.
    pub(crate) fn retreaters(&self) -> Groups {
        let mut groups: Groups = self
            .groups_of(self.s.phasing)
            .into_iter()
            .filter(|&g| {
                let group = self.group(g);
                group.order == Order::Retreat && !group.phase.fled && !self.shown(g).is_empty()
            })
            .collect();
        self.in_order(&mut groups);
        groups
    }

    /// The ways back of those who must still retreat.
    pub(crate) fn offer_retreats(&self, out: &mut Answers<Action>) {
        let retreaters = self.retreaters();
        for &g in &retreaters {
            out.list_all([false, true].map(|about| self.open_retreat(g, about)));
        }
        if !retreaters.is_empty() {
            out.space("retreat", None, None, "a distance, or legs, and the end facing");
        }
    }

    /// Straight back, or some other way that is open (SYW-ORDER-49).
    fn open_retreat(&self, g: GroupIx, about: bool) -> Action {
        let group = self.group(g).id;
        let straight = self.plan_retreat(g, None, &[], about).is_ok();
        let other = if straight { None } else { self.other_retreat(g, about) };
        Action::Retreat { group, distance: None, about, legs: other.map_or_else(Legs::new, |plan| plan.path) }
    }

    pub(crate) fn judge_retreat(
        &self,
        group: UnitId,
        distance: Option<f64>,
        about: bool,
        legs: &Legs,
    ) -> Result<Plan, Illegal> {
        match self.known_group(group) {
            Some(g) => self.plan_retreat(g, distance, legs, about),
            None => refuse("SYW-ORDER-46", format!("there is no group {group}")),
        }
    }

    /// Groups on Retreat that were not moved go straight back by half their speed (M4).
    pub(crate) fn retreat_the_rest(&mut self, now: &mut Now<'_>) {
        for g in self.retreaters() {
            match self.some_retreat(g, false) {
                Some(plan) => self.make_retreat(plan, now),
                None => self.cannot_retreat(g, now.log),
            }
        }
    }
}
