//! The proposals for each decision.

use super::First;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Asks, Question, Rules};
use tricorne_game::{Proposal, Side};
use tricorne_table::angle;

use super::promise;
use crate::action::{Action, Flight, Then};
use crate::events::EventCard;
use crate::field::{Field, bits};
use crate::judgement::answers::say;
use crate::model::formation::Zone;
use crate::model::measure::{Decimal, Mils, exact};
use crate::model::{Formation, Kind, Nr, Quality};
use crate::questions::{
    Act, Activate, After, Attach, Bearing, Choose, Declare, Deploy, Distance, Escape, Face, FallBack, Jack,
    Manoeuvre, Path, Queen, Questions, Reform, ReturnFire, Ride, Target, Unlimber,
};
use crate::state::{Response, Slide};

impl First<'_> {
    /// Answers a sensible officer would weigh, the best-looking first.
    pub(crate) fn proposed(&self, most: usize, whim: &mut Whim) -> Vec<Proposal<Action>> {
        let Some(question) = self.question() else { return vec![] };
        self.best_of(question, self.weighed(question, most), most, whim)
    }

    fn weighed(&self, question: Questions, most: usize) -> Vec<Proposal<Action>> {
        match question {
            Questions::Deploy(Deploy { side }) => self.propose_deployment(side),
            Questions::King(_) => vec![say(Action::Play, 0.6), say(Action::Pass, 0.3)],
            // A King kept is lost with the next Joker (VF-TURN-12).
            Questions::KingNow(_) => vec![say(Action::UseNow, 0.6), say(Action::Hold, 0.35)],
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
            Questions::Distance(Distance { unit, .. }) => self.propose_slides(unit),
            Questions::Unlimber(Unlimber { unit }) => self.propose_aims(unit, Action::Unlimber),
            Questions::Declare(Declare { unit }) => self.propose_charges(unit),
            Questions::Face(Face { unit }) => self.propose_facings(unit, 0.0, Action::Face),
            Questions::Reform(Reform { unit }) => self.propose_reform(unit),
            Questions::Bearing(Bearing { unit, .. }) => self.propose_bearings(unit),
            Questions::ReturnFire(ReturnFire { unit, shooter }) => {
                let worth = self.any_face(unit, shooter).map_or(0.0, |(_, aim)| {
                    self.volley_loss(shooter, &self.volley(unit, shooter, aim.range)).0
                });
                // A fresh unit pays with its activation: a long shot is not worth that.
                let price = if self.unit(unit).turn.held_fire { 0.0 } else { 2.0 };
                vec![say(Action::ReturnFire, promise(worth - price)), say(Action::Pass, promise(0.0))]
            }
            Questions::GoOn(_) => {
                let on = self.s.charge.and_then(|c| {
                    let path = self.judge_charge(c.charger, c.target).ok()?;
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
            _ => vec![say(question.usual(self), 0.5)],
        }
    }

    fn propose_jack(&self, side: Side) -> Vec<Proposal<Action>> {
        let mut all = vec![say(Action::Own, 0.6), say(Action::Pass, 0.3)];
        // A group that is far from doing harm wastes its turn when it is forced out of command.
        for group in self.open_groups(side.enemy()) {
            let Some(first) = bits(self.fresh(group)).next() else { continue };
            let near = bits(group).any(|u| self.enemy_within(side.enemy(), &self.unit(u).body, 14_000));
            let value: f64 = bits(group).map(|u| self.left_of(u)).sum();
            let worth = if near { 0.15 } else { 0.33 + 0.1 * value / (value + 100.0) };
            all.push(say(Action::Force(self.spec(first).id), worth));
        }
        all
    }

    fn propose_queen(&self, side: Side) -> Vec<Proposal<Action>> {
        let mut all = vec![say(Action::Pass, 0.1)];
        for u in self.present_of(side).filter(|&u| self.judge_restore(side, u).is_ok()) {
            let lost = f64::from(self.lost(u).min(2));
            let figure = self.price(u) / f64::from(self.spec(u).start.max(1));
            let saved = self.past_threshold(u, self.lost(u))
                && !self.past_threshold(u, self.lost(u).saturating_sub(2));
            all.push(say(
                Action::Restore(self.spec(u).id),
                promise(lost * figure + if saved { 3.0 } else { 0.0 }),
            ));
        }
        all
    }

    fn propose_event(&self, side: Side, card: EventCard) -> Vec<Proposal<Action>> {
        let mut all = Vec::new();
        for action in self.event_choices(side, card) {
            let Action::Choose { unit, .. } = &action else { continue };
            let Ok(u) = self.named(*unit) else { continue };
            let value = self.left_of(u);
            let near = self.enemy_within(self.side(u), &self.unit(u).body, 14_000);
            let worth = match card {
                // A test falls hardest on those that are near breaking.
                EventCard::CryOfTreason => {
                    let nerve = self.nerve(u, self.lost(u), false);
                    value * (0.3 * nerve.wavers + 1.5 * nerve.routs)
                }
                EventCard::Deserters => {
                    let figures = if self.spec(u).quality == Quality::Poor { 2 } else { 1 };
                    self.loss(u, figures, false).0
                }
                EventCard::Stragglers => {
                    f64::from(self.lost(u).min(2)) * self.price(u) / f64::from(self.spec(u).start.max(1))
                }
                EventCard::SecondWind | EventCard::PowderCart | EventCard::DrummerBoy => {
                    value * if near { 0.3 } else { 0.12 }
                }
                EventCard::LostGalloper | EventCard::BurstGun => value * if near { 0.25 } else { 0.1 },
                EventCard::DinnerHour | EventCard::ForcedMarch => {
                    bits(self.group_of(u)).map(|o| self.left_of(o)).sum::<f64>() * 0.1
                }
                _ => value * 0.1,
            };
            if card == EventCard::DrummerBoy {
                let facing = self.facing_the_enemy(u);
                let turned =
                    Action::Choose { unit: *unit, commander: None, facing: Some(Decimal::of(facing)) };
                all.push(say(turned, promise(worth + 0.5)));
            }
            all.push(say(action, promise(worth)));
        }
        all.push(say(Action::Pass, 0.05));
        all
    }

    fn propose_square(&self) -> Vec<Proposal<Action>> {
        let mut all = vec![say(Action::Pass, 0.5)];
        let members = self.square_members();
        let Some(first) = bits(members).next() else { return all };
        let side = self.side(first);
        // Horse that can reach them and no foot or guns that would shoot the square to pieces.
        let (mut horse, mut shot) = (0.0, 0.0);
        for e in self.present_of(side.enemy()).filter(|&e| !self.unit(e).shaken) {
            let gap = bits(members)
                .map(|u| self.unit(u).body.gap(&self.unit(e).body))
                .fold(f64::INFINITY, f64::min);
            if self.kind(e).is_cavalry() && gap < 18.0 {
                horse += self.left_of(e);
            } else if gap < 14.0 {
                shot += self.left_of(e);
            }
        }
        let facing = Decimal(self.unit(first).place.t);
        let anchor = self.spec(first).id;
        all.push(say(
            Action::RegimentalSquare { anchor, facing, open_rear: false },
            promise(0.15 * horse - 0.4 * shot - 6.0),
        ));
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
            all.push(say(Action::Hold, promise(0.3)));
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
        let here = survey.outlook(self, unit.place.pose(), unit.formation);
        if self.judge_slide(u, Slide::Back).is_ok() {
            let back = unit.place.pose().back(exact(self.usual_move(u)) * 0.5);
            let worth = survey.outlook(self, back, unit.formation) - 0.5;
            all.push(say(Action::Slide(Slide::Back), promise(worth.min(here + 3.0))));
        }
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
            let Ok(path) = self.judge_charge(u, e) else { continue };
            let worth = self.charge_worth(u, e, &path);
            let target = self.spec(e).id;
            all.push(say(Action::ChargeAt { target, fire_first: false }, promise(worth)));
            if self.judge_fire_first(u, e).is_ok()
                && let Some(shot) = self.shot_worth(u, 0, e)
            {
                all.push(say(Action::ChargeAt { target, fire_first: true }, promise(0.6 * worth + shot)));
            }
        }
        all
    }

    fn propose_facings(&self, u: Nr, more: f64, answer: impl Fn(Decimal) -> Action) -> Vec<Proposal<Action>> {
        let survey = self.survey(u);
        let unit = self.unit(u);
        let mut facings: SmallVec<[f64; 4]> = SmallVec::new();
        facings.push(self.facing_the_enemy(u));
        facings.push(angle::normalise(Field::home_bearing(self.side(u)) + 180.0));
        facings.push(exact(unit.place.t));
        let mut all = Vec::new();
        for facing in facings {
            let facing = Decimal::of(facing);
            if let Ok(place) = self.judge_face(u, facing) {
                let worth = survey.outlook(self, place.pose(), unit.formation);
                all.push(say(answer(facing), promise(worth + more)));
            }
        }
        all
    }

    fn propose_reform(&self, u: Nr) -> Vec<Proposal<Action>> {
        let survey = self.survey(u);
        let unit = self.unit(u);
        let kept = 0.25 * survey.threat(&unit.body);
        let mut all = self.propose_facings(u, kept, |facing| Action::Reform { then: Then::Hold, facing });
        all.extend(self.propose_facings(u, 0.0, |facing| Action::Reform { then: Then::Stay, facing }));
        // Back out of reach first, if standing is worse.
        let home = angle::forward(Field::home_bearing(self.side(u)));
        let facing = self.facing_the_enemy(u);
        let back = crate::model::formation::turned(
            &unit.body.slid(home * (exact(self.usual_move(u)) * 0.5)),
            facing,
        );
        if back.at.x > 0.0 && back.at.y > 0.0 && back.at.x < self.b.width && back.at.y < self.b.height {
            let worth = survey.outlook(self, back, unit.formation) - 1.0;
            let action = Action::Reform { then: Then::Retreat, facing: Decimal::of(facing) };
            all.push(say(action, promise(worth)));
        }
        all
    }

    fn propose_bearings(&self, u: Nr) -> Vec<Proposal<Action>> {
        let survey = self.survey(u);
        let formation = self.unit(u).formation;
        let half = self.s.acting.map_or(0, |a| a.allowance / 2);
        let home = Field::home_bearing(self.side(u));
        let mut all = Vec::new();
        for turn in [0.0, -35.0, 35.0] {
            for share in [1.0, 0.5] {
                let bearing = Decimal::of(angle::normalise(home + turn));
                let distance = Decimal((f64::from(half) * share) as Mils);
                let action = Action::Bearing { bearing, distance };
                if let Ok(Some(pose)) = self.end_pose(&action) {
                    all.push(say(action, promise(survey.outlook(self, pose, formation))));
                }
            }
        }
        let stay = Action::Bearing { bearing: Decimal(0), distance: Decimal(0) };
        if let Ok(Some(pose)) = self.end_pose(&stay) {
            all.push(say(stay, promise(survey.outlook(self, pose, formation))));
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
        let here = survey.outlook(self, unit.place.pose(), unit.formation);
        let mut all = vec![say(Action::Stay, promise(here))];
        if let Ok(Some(pose)) = self.end_pose(&Action::Occupy) {
            all.push(say(Action::Occupy, promise(survey.outlook(self, pose, unit.formation) - 0.2)));
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
                Ok(Some(pose)) => survey.outlook(self, pose, formation),
                // Off the table: lost.
                _ => -60.0,
            };
            all.push(say(action, promise(worth)));
        }
        all
    }
}
