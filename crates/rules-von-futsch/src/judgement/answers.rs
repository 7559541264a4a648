//! The proposals for each decision.

use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Asks, Question, Rules};
use tricorne_game::{InOrder, Proposal, Side, Wish};
use tricorne_table::{Point, angle};

use super::promise;
use super::survey::{Survey, charges};
use crate::action::{Action, Flight, Then};
use crate::field::{Field, bits};
use crate::model::formation::Zone;
use crate::model::measure::{Decimal, Mils, exact};
use crate::model::{Formation, Kind, Level, Nr};
use crate::questions::{
    Act, Activate, After, Attach, Bearing, Choose, Declare, Deploy, Distance, Escape, Face, FallBack, Jack,
    King, KingNow, Manoeuvre, Path, Queen, Questions, Reform, Release, ReturnFire, Ride, Target, Unlimber,
};
use crate::state::Response;

/// A wish for a place, facing free.
pub(crate) fn wish_for(place: Point) -> Wish {
    Wish { action: None, unit: None, place, facing: None, by: vec![] }
}

pub(crate) fn say(action: Action, promise: f64) -> Proposal<Action> {
    Proposal::new(action, promise)
}

impl Field {
    /// Answers a sensible officer would weigh, the best-looking first.
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return vec![] };
        self.best_of(question, self.weighed(question, most), most, whim)
    }

    /// The first of them; the others are not judged.
    pub(crate) fn foremost_of(&self, most: usize, whim: &mut Whim) -> Option<Action> {
        let question = self.question()?;
        let first = self.legal_of(question, self.weighed(question, most)).next();
        Some(first.map_or_else(|| question.any(self, whim), |proposal| proposal.action))
    }

    /// Those that are legal of what either school has weighed, the best-looking first; any answer where none is.
    pub(crate) fn best_of(
        &self,
        question: Questions,
        weighed: Vec<Proposal<Action>>,
        most: usize,
        whim: &mut Whim,
    ) -> Vec<Proposal<Action>> {
        let mut legal: Vec<Proposal<Action>> = self.legal_of(question, weighed).take(most.max(1)).collect();
        if legal.is_empty() {
            legal.push(say(question.any(self, whim), 0.5));
        }
        legal
    }

    /// Legality is said by the check alone; what is proposed has to pass it.
    fn legal_of(
        &self,
        question: Questions,
        mut weighed: Vec<Proposal<Action>>,
    ) -> impl Iterator<Item = Proposal<Action>> + '_ {
        weighed.retain(|p| p.promise.is_finite());
        weighed.put_in_order(|a, b| b.promise.total_cmp(&a.promise));
        weighed.into_iter().filter(move |proposal| question.check(self, &proposal.action).is_ok())
    }

    fn weighed(&self, question: Questions, most: usize) -> Vec<Proposal<Action>> {
        match question {
            Questions::Deploy(Deploy { side }) => self.propose_deployment(side),
            Questions::Release(Release { side }) => self.propose_release(side),
            Questions::King(King { side, .. }) => self.propose_king(side, Action::Play, Action::Pass),
            Questions::KingNow(KingNow { side }) => self.propose_king(side, Action::UseNow, Action::Hold),
            Questions::Activate(Activate { side }) => self.propose_activations(side),
            Questions::Jack(Jack { side }) => self.propose_jack(side),
            Questions::Queen(Queen { side }) => self.propose_queen(side),
            Questions::Ace(_) => vec![say(Action::Draw, 0.6), say(Action::Pass, 0.4)],
            Questions::Choose(Choose { side, card }) => self.propose_event(side, card),
            Questions::Ride(Ride { commander, .. }) => self.propose_rides(commander, false),
            Questions::Escape(Escape { commander, .. }) => self.propose_rides(commander, true),
            Questions::Attach(Attach { commander, group }) => self.propose_attachments(commander, group),
            Questions::FormSquare(_) => self.propose_square(),
            Questions::Next(_) => self.propose_next(),
            Questions::Act(Act { unit }) => self
                .weigh_actions(unit)
                .into_iter()
                .map(|(action, worth)| say(action, promise(worth)))
                .collect(),
            Questions::Path(Path { unit }) => self.propose_marches(unit, most),
            Questions::Target(Target { unit, face, optional }) => self.propose_targets(unit, face, optional),
            Questions::Manoeuvre(Manoeuvre { unit }) => self.propose_manoeuvres(unit),
            Questions::Distance(Distance { unit, way }) => self.propose_slides(unit, way),
            Questions::Unlimber(Unlimber { unit }) => self.propose_aims(unit, Action::Unlimber),
            Questions::Declare(Declare { unit }) => self.propose_charges(unit),
            Questions::Face(Face { unit }) => self.propose_facings(&self.survey(unit), false, Action::Face),
            Questions::Reform(Reform { unit }) => self.propose_reform(unit),
            Questions::Bearing(Bearing { unit, .. }) => self.propose_bearings(unit),
            Questions::ReturnFire(ReturnFire { unit, shooter }) => {
                let worth = self.any_face(unit, shooter).map_or(0.0, |(_, aim)| {
                    self.volley_loss(shooter, &self.volley(unit, shooter, aim.range)).0
                });
                // A fresh unit pays with its activation: a long shot is not worth that.
                let held = self.unit(unit).turn.held_fire;
                let price = if held { 0.0 } else { self.weighs().answer_price };
                vec![say(Action::ReturnFire, promise(worth - price)), say(Action::Pass, promise(0.0))]
            }
            Questions::GoOn(_) => {
                let on = self.s.charge.and_then(|c| {
                    let path = self.charge_at(c.charger, c.target)?;
                    Some(self.charge_worth(c.charger, c.target, &path))
                });
                vec![say(Action::ChargeOn, promise(on.unwrap_or(-1.0))), say(Action::Stay, promise(0.0))]
            }
            Questions::Respond(_) => self.propose_responses(),
            Questions::Evade(_) => {
                // Far enough is enough, but not onto the enemy's next charge: a full move from cavalry.
                let horse = self.s.charge.is_some_and(|c| self.kind(c.charger).is_cavalry());
                let full = if horse { 0.6 } else { 0.45 };
                vec![say(Action::Evade(Flight::Full), full), say(Action::Evade(Flight::OutOfReach), 0.5)]
            }
            Questions::Follow(_) => self.propose_follow(),
            Questions::After(After { winner, loser }) => self.propose_after(winner, loser),
            Questions::FallBack(FallBack { allowance }) => self.propose_fall_back(allowance),
            Questions::Begin(_) => vec![say(question.usual(self), 0.5)],
        }
    }

    fn propose_square(&self) -> Vec<Proposal<Action>> {
        let mut all = vec![say(Action::Pass, promise(0.0))];
        let members = self.square_members();
        let Some(first) = bits(members).next() else { return all };
        let side = self.side(first);
        // Horse that can ride at them at once, and no foot or guns that would shoot the square to pieces: it neither moves
        // nor turns a ball (VF-FIRE-17, VF-MOVE-23).
        let (mut horse, mut shot) = (0.0, 0.0);
        for e in self.present_of(side.enemy()).filter(|&e| !self.unit(e).shaken) {
            let gap = bits(members)
                .map(|u| self.unit(u).body.gap(&self.unit(e).body))
                .fold(f64::INFINITY, f64::min);
            if self.kind(e).is_cavalry() {
                let ready = !self.unit(e).disordered && !self.unit(e).turn.activated;
                horse += if ready { charges(self.kind(e), gap) * self.left_of(e) } else { 0.0 };
            } else {
                let reach = if self.kind(e) == Kind::Artillery { 36.0 } else { 18.0 };
                shot += if gap < reach { self.left_of(e) } else { 0.0 };
            }
        }
        let facing = Decimal(self.unit(first).place.t);
        let anchor = self.spec(first).id;
        let w = self.weighs();
        let worth = w.square * horse - w.square_shot * shot - w.square_least;
        all.push(say(Action::RegimentalSquare { anchor, facing, open_rear: false }, promise(worth)));
        all
    }

    fn propose_next(&self) -> Vec<Proposal<Action>> {
        let mut all = vec![say(Action::End, 0.02)];
        for u in self.waiting() {
            let unit = self.unit(u);
            // Who shoots goes before who charges what is shot at; who must mend goes last.
            let order = match self.kind(u) {
                _ if unit.shaken || unit.disordered => 0.2,
                Kind::Artillery => 0.8,
                Kind::Skirmish => 0.75,
                Kind::Infantry => 0.7,
                _ => 0.5,
            };
            let gap = self.nearest_enemy(self.side(u), &unit.body).map_or(60.0, |(_, g)| exact(g));
            all.push(say(Action::Next(self.spec(u).id), order + 0.1 / (1.0 + gap)));
        }
        all
    }

    fn propose_targets(&self, u: Nr, face: u8, optional: bool) -> Vec<Proposal<Action>> {
        let mut all = Vec::new();
        for e in self.present_of(self.side(u).enemy()) {
            if let Some(worth) = self.shot_worth(u, face, e) {
                all.push(say(Action::Target(self.spec(e).id), promise(worth)));
            }
        }
        if optional {
            all.push(say(Action::Hold, promise(self.weighs().hold)));
            all.push(say(Action::Pass, promise(0.0)));
        }
        all
    }

    fn propose_manoeuvres(&self, u: Nr) -> Vec<Proposal<Action>> {
        let unit = self.unit(u);
        if self.kind(u) == Kind::Artillery {
            return if unit.formation == Formation::Limbered {
                self.propose_aims(u, Action::Unlimber)
            } else {
                self.propose_aims(u, Action::Limber)
            };
        }
        let survey = self.survey(u);
        let mut all: Vec<Proposal<Action>> = self
            .weigh_shapes(u, &survey)
            .into_iter()
            .map(|(action, worth)| say(action, promise(worth)))
            .collect();
        let here = survey.outlook(self, unit.place.pose(), unit.formation).worth(self.fires_at_all(u));
        let slides = self.slides(u, &survey);
        all.extend(slides.map(|(way, worth)| say(Action::Slide(way), promise(worth))));
        all.push(say(Manoeuvre { unit: u }.usual(self), promise(here - 1.0)));
        all
    }

    /// Facings of a gun: at its best target, at the enemy, as it is.
    fn propose_aims(&self, u: Nr, answer: impl Fn(Decimal) -> Action) -> Vec<Proposal<Action>> {
        let mut all = vec![say(answer(Decimal(self.unit(u).place.t)), 0.4)];
        all.push(say(answer(Decimal::of(self.facing_the_enemy(u))), 0.5));
        if let Some((facing, worth)) = self.best_aim(u) {
            all.push(say(answer(Decimal::of(facing)), promise(worth + 1.0)));
        }
        all
    }

    fn propose_charges(&self, u: Nr) -> Vec<Proposal<Action>> {
        let mut all = Vec::new();
        for e in self.present_of(self.side(u).enemy()) {
            let Some(path) = self.charge_at(u, e) else { continue };
            let worth = self.charge_worth(u, e, &path);
            let target = self.spec(e).id;
            all.push(say(Action::ChargeAt { target, fire_first: false }, promise(worth)));
            if self.judge_fire_first(u, e).is_ok()
                && let Some(worth) = self.volley_and_charge_worth(u, e, &path)
            {
                all.push(say(Action::ChargeAt { target, fire_first: true }, promise(worth)));
            }
        }
        all
    }

    /// The bearing of the nearest enemy that matters, or of the far edge.
    pub(crate) fn facing_the_enemy(&self, u: Nr) -> f64 {
        let here = self.unit(u).body.centroid();
        let side = self.side(u);
        match self.nearest_enemy(side, &self.unit(u).body) {
            Some((e, gap)) if gap < 36_000 => angle::bearing(here, self.unit(e).body.centroid()),
            _ => angle::normalise(Self::home_bearing(side) + 180.0),
        }
    }

    fn propose_facings(
        &self,
        survey: &Survey,
        kept: bool,
        answer: impl Fn(Decimal) -> Action,
    ) -> Vec<Proposal<Action>> {
        let u = survey.unit;
        let unit = self.unit(u);
        let mut facings: SmallVec<[f64; 4]> = SmallVec::new();
        facings.push(self.facing_the_enemy(u));
        facings.push(angle::normalise(Self::home_bearing(self.side(u)) + 180.0));
        facings.push(exact(unit.place.t));
        let mut all = Vec::new();
        for facing in facings {
            let facing = Decimal::of(facing);
            if let Ok(place) = self.judge_face(u, facing) {
                let worth = survey.outlook(self, place.pose(), unit.formation).worth(kept);
                all.push(say(answer(facing), promise(worth + if kept { 0.1 } else { 0.0 })));
            }
        }
        all
    }

    fn propose_reform(&self, u: Nr) -> Vec<Proposal<Action>> {
        let survey = self.survey(u);
        let unit = self.unit(u);
        let mut all =
            self.propose_facings(&survey, true, |facing| Action::Reform { then: Then::Hold, facing });
        all.extend(
            self.propose_facings(&survey, false, |facing| Action::Reform { then: Then::Stay, facing }),
        );
        // Back out of reach first, if standing is worse.
        let home = angle::forward(Self::home_bearing(self.side(u)));
        let facing = self.facing_the_enemy(u);
        let back = crate::model::formation::turned(
            &unit.body.slid(home * (exact(self.usual_move(u)) * 0.5)),
            facing,
        );
        if back.at.x > 0.0 && back.at.y > 0.0 && back.at.x < self.b.width && back.at.y < self.b.height {
            let worth = survey.outlook(self, back, unit.formation).worth(false) - self.weighs().stir;
            let action = Action::Reform { then: Then::Retreat, facing: Decimal::of(facing) };
            all.push(say(action, promise(worth)));
        }
        all
    }

    fn propose_bearings(&self, u: Nr) -> Vec<Proposal<Action>> {
        let survey = self.survey(u);
        let formation = self.unit(u).formation;
        let half = self.s.acting.map_or(0, |a| a.allowance / 2);
        let home = Self::home_bearing(self.side(u));
        let mut all = Vec::new();
        for turn in [0.0, -35.0, 35.0] {
            for share in [1.0, 0.5] {
                let bearing = Decimal::of(angle::normalise(home + turn));
                let distance = Decimal((f64::from(half) * share) as Mils);
                let action = Action::Bearing { bearing, distance };
                if let Ok(Some(pose)) = self.end_pose(&action) {
                    all.push(say(action, promise(survey.outlook(self, pose, formation).worth(false))));
                }
            }
        }
        let stay = Action::Bearing { bearing: Decimal(0), distance: Decimal(0) };
        if let Ok(Some(pose)) = self.end_pose(&stay) {
            all.push(say(stay, promise(survey.outlook(self, pose, formation).worth(false))));
        }
        all
    }

    /// The answer to a charge that leaves the charger least.
    fn propose_responses(&self) -> Vec<Proposal<Action>> {
        let Some(charge) = &self.s.charge else { return vec![] };
        let may = Response::ALL.into_iter().filter(|&r| self.judge_response(charge, r).is_ok());
        may.map(|r| say(Action::Respond(r), promise(-self.response_worth(charge, r)))).collect()
    }

    /// Follow an evader if that catches him and the fight is good.
    fn propose_follow(&self) -> Vec<Proposal<Action>> {
        let worth = self.s.charge.map_or(0.0, |c| {
            let left = c.allowance - c.path.map_or(0, |p| p.cost);
            let gap =
                self.unit(c.charger).body.gap_mils(&self.unit(c.target).body) - c.path.map_or(0, |p| p.cost);
            if gap <= left {
                self.fight(&self.melee_of(c.charger, c.target, Zone::Rear, false)).worth
            } else {
                -1.0
            }
        });
        vec![say(Action::Follow, promise(worth)), say(Action::Stop, promise(0.0))]
    }

    fn propose_after(&self, winner: Nr, loser: Nr) -> Vec<Proposal<Action>> {
        let survey = self.survey(winner);
        let unit = self.unit(winner);
        let here = survey.outlook(self, unit.place.pose(), unit.formation).worth(false);
        let mut all = vec![say(Action::Stay, promise(here))];
        if let Ok(Some(pose)) = self.end_pose(&Action::Occupy) {
            let worth = survey.outlook(self, pose, unit.formation).worth(false);
            all.push(say(Action::Occupy, promise(worth - 0.2)));
        }
        if self.judge_follow_up(winner, loser).is_ok() {
            let gap = unit.body.gap_mils(&self.unit(loser).body);
            let mut m = self.melee_of(winner, loser, self.aspect(loser, unit.body.reference()), false);
            m.attacker_charges = self.o().pursuit_charges;
            let worth = self.chance_to_roll(winner, gap) * self.fight(&m).worth - 0.5;
            all.push(say(Action::FollowUp, promise(here + worth)));
        }
        all
    }

    fn propose_fall_back(&self, allowance: Mils) -> Vec<Proposal<Action>> {
        let Some(m) = self.s.melee else { return vec![] };
        let survey = self.survey(m.attacker);
        let formation = self.unit(m.attacker).formation;
        let half = allowance - allowance / 2;
        let mut all = Vec::new();
        for distance in [half, i32::midpoint(half, allowance), allowance] {
            let action = Action::FallBack(Decimal(distance));
            let worth = match self.end_pose(&action) {
                Ok(Some(pose)) => survey.outlook(self, pose, formation).worth(false),
                // Off the table: lost.
                _ => -60.0,
            };
            all.push(say(action, promise(worth)));
        }
        all
    }

    /// A plain order of battle: foot in the middle, horse on the wings, guns before the gaps, commanders behind.
    pub(super) fn propose_deployment(&self, side: Side) -> Vec<Proposal<Action>> {
        let mut all = Vec::new();
        let placed = self.present_of(side).count() as f64;
        let (width, depth) = (self.b.width, f64::from(self.p().table.deployment));
        for lot in self.lots(side) {
            let (members, chief) = self.lot_members(lot);
            let kind = members.first().map(|&u| self.kind(u));
            let number = self.lot_number(side, lot);
            let swing = |n: usize, step: f64| {
                step * (n.div_ceil(2) as f64) * if n.is_multiple_of(2) { 1.0 } else { -1.0 }
            };
            // Heavy lots first: the army commander goes down when he sees his line.
            let (x, back, order) = match kind {
                Some(Kind::Infantry) => (width * 0.5 + swing(number, 13.0), 0.6, 0.9),
                Some(Kind::Heavy | Kind::Light) => {
                    (if number.is_multiple_of(2) { width * 0.16 } else { width * 0.84 }, 3.0, 0.7)
                }
                Some(Kind::Artillery) => (width * 0.5 + swing(number, 9.0), 0.3, 0.8),
                Some(Kind::Skirmish) => (width * 0.5 + swing(number, 18.0), 0.2, 0.6),
                Some(Kind::Wagon) => (width * 0.5, 8.0, 0.3),
                None => {
                    let army = chief.is_some_and(|c| self.chief(c).level == Level::Army);
                    (width * 0.5, 6.0, if army { 0.2 } else { 0.25 })
                }
            };
            // As Red would have it; Black's place is half a turn away (VF-SCEN-14).
            let at = self.half_turn(side, Point::new(x.clamp(4.0, width - 4.0), depth - back));
            let unit = members.first().map(|&u| self.spec(u).id).or(chief.map(|c| self.chief(c).id));
            let wish = Wish { action: None, unit, place: at, facing: None, by: vec![] };
            if let Ok(steer) = self.steer_deploy(side, &wish, None)
                && let Some(action) = steer.action
            {
                all.push(say(action, order + 0.001 * placed.min(9.0)));
                if all.len() >= 2 {
                    break;
                }
            }
        }
        all
    }
}
