//! Quick judgement: how the position stands, and which answers a sensible officer would weigh.
//!
//! Nothing here is a rule. Odds are summed from the very charts the rules roll on, places are judged by what could
//! be done from them and to them, and the aims are read from the scenario. Every answer proposed has been judged.
//!
//! This game keeps no secrets from a seat: units, leaders and the program's pool lie open, dice are rolled and cards
//! drawn when they are needed. An imagined battle is therefore the battle itself.

mod because;
mod features;
pub(crate) mod first;
mod footing;
mod ideas;
pub(crate) mod mind;
mod odds;
mod orders;
mod place;
mod spots;
mod stakes;
mod walks;

use tricorne_chance::Whim;
use tricorne_drill::Asks;
use tricorne_drill::judgement::decided;
use tricorne_game::{InOrder, Proposal, Seat, Side, Term};
use tricorne_table::Point;

use crate::action::{Action, Charge, Declare, Form, Place};
use crate::attack::after_melee::AfterMelee;
use crate::attack::charge::charge_at;
use crate::battle::{Asked, Fray};
use crate::movement::bearing;
use crate::movement::march::Marching;
use crate::state::{IMPERIAL, Layout, NATIVE, No, Order};
use footing::Footing;
use ideas::{Idea, valued};
pub(crate) use place::Officer;
use stakes::Stakes;

/// The most answers of one decision that are judged: enough for a search, few enough for speed.
const WEIGHED: usize = 8;

/// The value of a place that is only any place at all.
pub(crate) const LAST_RESORT: f64 = -100.0;

/// A value in points as a promise: a half for nothing gained, 1 for the world.
fn promise(value: f64) -> f64 {
    0.5 + 0.5 * value / (1.0 + value.abs())
}

/// Who acts first, by what they can do, and for each inch from the enemy less.
struct Eager {
    shoots: f64,
    strikes: f64,
    others: f64,
    pinned: f64,
    near: f64,
}

impl Fray {
    /// See [`tricorne_game::Battle::standing`].
    pub(crate) fn stands_for(&self, seat: Seat) -> f64 {
        let side = if seat.0 == IMPERIAL.0 { IMPERIAL } else { NATIVE };
        if let Some(ending) = self.how_it_ended() {
            return decided(ending.winner, side);
        }
        self.mind.standing(&self.features_of(seat))
    }

    /// See [`tricorne_game::Battle::proposals`].
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let weighed = most.clamp(1, WEIGHED);
        let Some(question) = self.state.asked else { return Vec::new() };
        let all = question.weigh(self, weighed, whim);
        self.best_of(question, all, weighed, |action| match (question, &action) {
            (Asked::Marching(_), Action::Go(_)) => Some(action), // walked to when it was weighed
            _ => self.or_round(question, action),
        })
    }

    /// What either school has weighed, the best first; `sound` makes a legal answer of each or drops it.
    fn best_of(
        &self,
        question: Asked,
        mut all: Vec<(f64, Action)>,
        most: usize,
        sound: impl Fn(Action) -> Option<Action>,
    ) -> Vec<Proposal<Action>> {
        let about = question.unit(self).and_then(|id| self.find(id));
        let against = about.is_some_and(|u| Some(self.unit(u).side) != self.decider());
        if against {
            // An enemy's Idiot is in our hands (WBK-EX-39): what is worst for him is best for us.
            for (value, _) in &mut all {
                *value = -*value;
            }
        }
        all.put_in_order(|a, b| b.0.total_cmp(&a.0));
        let mut found: Vec<Proposal<Action>> = Vec::new();
        for (value, action) in all {
            if found.len() >= most {
                break;
            }
            if let Some(action) = sound(action)
                && !found.iter().any(|p| p.action == action)
            {
                found.push(Proposal::new(action, promise(value)));
            }
        }
        if found.is_empty() {
            found.push(Proposal::new(question.usual(self), promise(0.0)));
        }
        found
    }

    /// An answer if it is legal; an attack whose straight way is barred, by a way round.
    fn or_round(&self, question: Asked, action: Action) -> Option<Action> {
        if question.check(self, &action).is_ok() {
            return Some(action);
        }
        let (target, reach) = match &action {
            Action::Declare(Declare { action: Order::Attack, target: Some(target), .. }) => {
                (*target, f64::from(self.pace(self.acting())) / 1000.0)
            }
            Action::Charge(Charge { target, .. }) => (*target, self.inches()),
            _ => return None,
        };
        let (u, v) = (self.acting(), self.find(target)?);
        if !self.within(u, v, reach) || !self.sees(u, v) {
            return None;
        }
        let round = |waypoints: Vec<Point>| match &action {
            Action::Declare(declare) => Action::Declare(Declare { waypoints, ..declare.clone() }),
            _ => charge_at(target, waypoints),
        };
        let ways = self.attack_ways(u, v).into_iter().take(6);
        ways.map(round).find(|round| question.check(self, round).is_ok())
    }

    /// What the acting unit's officer makes of something.
    pub(crate) fn with_officer<T>(&self, judge: impl FnOnce(&Officer) -> T) -> T {
        let u = self.acting();
        let stakes = self.stakes(self.unit(u).side);
        judge(&Officer::new(self, &stakes, u))
    }

    /// Who acts first: those who shoot, so that others charge what is left; then those in reach of a charge, those in
    /// front before those behind them. Pinned units last: a rout among them would unsettle the others.
    pub(crate) fn weigh_picks(&self, whim: &mut Whim) -> Vec<(f64, Action)> {
        let w = self.weighs();
        let eager = Eager {
            shoots: w.first_shoots,
            strikes: w.first_strikes,
            others: w.first_others,
            pinned: w.first_pinned,
            near: w.first_near,
        };
        self.picks(&eager, whim)
    }

    fn picks(&self, how: &Eager, whim: &mut Whim) -> Vec<(f64, Action)> {
        let mut all = vec![(-10.0, Action::EndTurn)];
        for u in self.ready() {
            let card = self.card(u);
            let bounds = self.bounds(u);
            let near =
                self.enemies(u).map(|v| bounds.gap_squared(&self.bounds(v))).fold(f64::INFINITY, f64::min);
            let near = near.min(1e6).sqrt();
            let far = card.weapon.long.unwrap_or(card.weapon.short);
            let eager = if self.unit(u).is_pinned() {
                how.pinned
            } else if near <= far && (card.weapon.long.is_some() || card.is_crewed()) {
                how.shoots
            } else if near <= f64::from(card.pace) / 1000.0 + 6.0 {
                how.strikes
            } else {
                how.others
            };
            all.push((eager - near * how.near + whim.unit() * 0.01, Action::Activate(self.id(u))));
        }
        all
    }

    /// The orders worth weighing.
    pub(crate) fn order_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        valued(self.order_ideas(officer))
    }

    /// The moves worth weighing.
    pub(crate) fn move_values(&self, officer: &Officer, march: Marching, most: usize) -> Vec<(f64, Action)> {
        valued(self.move_ideas(officer, march, most))
    }

    pub(crate) fn charge_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        valued(self.charge_ideas(officer))
    }

    fn charge_ideas(&self, officer: &Officer) -> Vec<Idea> {
        let reach = self.inches();
        officer
            .prey
            .iter()
            .filter(|e| e.attack.is_finite() && self.within(officer.u, e.v, reach))
            .map(|e| {
                let action = Action::Charge(Charge { target: self.id(e.v), waypoints: Vec::new() });
                Self::attack_idea(officer, e, Idea::of(action), 1.0)
            })
            .collect()
    }

    pub(crate) fn shot_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        valued(self.shot_ideas(officer))
    }

    fn shot_ideas(&self, officer: &Officer) -> Vec<Idea> {
        let weapon = &self.card(officer.u).weapon;
        let mut all: Vec<Idea> = officer
            .prey
            .iter()
            .map(|e| {
                let gap = officer.gap(officer.stands(), e);
                let value = if gap <= weapon.short { e.short } else { e.long };
                Idea::of(Action::Shoot(self.id(e.v))).with("what the fire should do", value.max(0.01))
            })
            .collect();
        all.push(Idea::of(Action::HoldFire));
        all
    }

    pub(crate) fn form_values(&self, officer: &Officer) -> Vec<(f64, Action)> {
        let here = officer.stands();
        let mut facings: Vec<u16> = officer.prey.iter().map(|e| bearing(e.at - here)).collect();
        facings.push(self.unit(officer.u).facing);
        facings.extend((0..24).map(|turn| turn * 15));
        facings
            .into_iter()
            .map(|facing| (Self::facing_value(officer, facing), Action::Form(Form { facing, at: None })))
            .collect()
    }

    /// After a won melee: follow up, strike, take over, or stay.
    pub(crate) fn victor_values(&self, officer: &Officer, won: &AfterMelee) -> Vec<(f64, Action)> {
        valued(self.victor_ideas(officer, won))
    }

    fn victor_ideas(&self, officer: &Officer, won: &AfterMelee) -> Vec<Idea> {
        let mut all = vec![Idea::of(Action::Stay)];
        for e in &officer.prey {
            let action = if e.v == won.loser { Action::FollowUp } else { Action::Strike(self.id(e.v)) };
            if e.attack.is_finite() {
                all.push(Idea::of(action).with("the fight it would be", e.attack));
            }
        }
        // A building is shelter, and may be what the battle is about.
        let defended = won.defended.map(|p| &self.field.land.pieces[usize::from(p)]);
        let here = officer.here();
        if let Some(action) = won.occupation(self, officer.u) {
            let idea =
                Idea::of(action).and(Term::new("what they defended", officer.weighs.occupy).by("WBK-ATT-13"));
            all.push(match defended.and_then(|p| p.area()) {
                Some(area) => idea.going(&here, &officer.judge(&Footing::housed(area.centroid())), 1.0),
                None => idea,
            });
        }
        all
    }

    /// Free deployment: a unit and a place in the strip, spread out, near the aims and where its weapon tells.
    pub(crate) fn weigh_places(&self, side: Side, whim: &mut Whim) -> Vec<(f64, Action)> {
        let Some(u) = self.waiting(side).next() else {
            return Vec::new();
        };
        let stakes: Stakes = self.stakes(side);
        let officer = Officer::new(self, &stakes, u);
        self.places_for(u, whim, |at| officer.value(at, Layout::Cluster))
    }

    /// Places for a unit to be put down at, by what either school gives for them: spread out, horse on the wings.
    fn places_for(&self, u: No, whim: &mut Whim, worth: impl Fn(Point) -> f64) -> Vec<(f64, Action)> {
        let side = self.unit(u).side;
        let strip = self.strip(side);
        let middle = Point::new(self.field.width * 0.5, self.field.height * 0.5);
        let mut all: Vec<(f64, Action)> = Vec::new();
        for i in 0..9_i32 {
            for depth in [0.35, 0.65] {
                let along = 0.08 + 0.105 * f64::from(i);
                let wide = strip.width() >= strip.depth();
                let at = if wide {
                    Point::new(strip.min.x + strip.width() * along, strip.min.y + strip.depth() * depth)
                } else {
                    Point::new(strip.min.x + strip.width() * depth, strip.min.y + strip.depth() * along)
                };
                let mut value = worth(at) - at.distance(middle) * 0.02;
                for v in self.on_table().filter(|&v| self.unit(v).side == side) {
                    let apart = at.distance(self.unit(v).anchor.point());
                    value -= (9.0 - apart).max(0.0) * 0.25;
                }
                if self.card(u).mounted {
                    value += at.distance(middle) * 0.03; // horse on the wings
                }
                let place = Place { unit: self.id(u), at: at.round_to(0.001), layout: None, facing: None };
                all.push((value + whim.unit() * 0.05, Action::Place(place)));
            }
        }
        if let Some(place) = self.some_place(u) {
            all.push((LAST_RESORT, Action::Place(place)));
        }
        all
    }
}
