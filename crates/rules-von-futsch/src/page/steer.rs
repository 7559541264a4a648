//! The legal answer nearest to where a player points: drags, and turns by the handle.

use tricorne_drill::steer::{Nearest, furthest, length, ordinary, part};
use tricorne_drill::{Answers, Asks, Rules, refuse};
use tricorne_game::{Illegal, InOrder, Steer, Wish};
use tricorne_table::{Point, Pose, angle, brink};

use crate::action::{Action, Base, Leg, OtherBase, Then};
use crate::events::EventCard;
use crate::field::{Field, bit};
use crate::model::formation::turned;
use crate::model::measure::{Decimal, Mils, Place, exact};
use crate::model::{Cr, Formation, Kind, Nr};
use crate::questions::{
    Act, Bearing, Choose, Declare, Deploy, Distance, Escape, Face, FallBack, Manoeuvre, Path, Questions,
    Reform, Ride, Unlimber,
};
use crate::state::Slide;

/// An end so near to the wish is the wish (inches, degrees).
const NEAR: (f64, f64) = (0.02, 0.5);

impl Field {
    /// The answer nearest to a wish.
    pub(crate) fn steered(&self, wish: &Wish) -> Steer<Action> {
        match self.steering(wish) {
            Ok(steer) => steer,
            Err(why) => Steer::refused(why),
        }
    }

    fn steering(&self, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        let Some(question) = self.question() else { return refuse("VF-ARMYMORALE-05", "the battle is over") };
        if !ordinary(wish) {
            return refuse("VF-MODEL-05", "a place needs ordinary numbers");
        }
        if let Some(action) = &wish.action
            && *action != question.kind(self)
            && !self.has_space(question, action)
        {
            let why = format!("the question is `{}`: {}", question.kind(self), question.prompt(self));
            return refuse("VF-TURN-25", why);
        }
        if let (Some(asked), Some(unit)) = (wish.unit, question.unit(self))
            && asked != unit
        {
            return refuse("VF-CMD-14", format!("it is {unit}'s turn to act, not {asked}'s"));
        }
        let facing = wish.facing.map(angle::normalise);
        match question {
            Questions::Path(Path { unit }) => self.steer_march(unit, wish, facing),
            Questions::Ride(Ride { commander, .. }) | Questions::Escape(Escape { commander, .. }) => {
                self.steer_ride(commander, wish)
            }
            Questions::Distance(Distance { unit, way }) => self.steer_slide(unit, way, wish),
            Questions::Bearing(Bearing { unit, facing }) => self.steer_bearing(unit, facing, wish),
            Questions::Manoeuvre(Manoeuvre { unit }) => self.steer_shape(unit, wish, facing),
            Questions::Unlimber(Unlimber { unit }) => self.steer_turn(unit, wish, facing, Action::Unlimber),
            Questions::Face(Face { unit }) => self.steer_turn(unit, wish, facing, Action::Face),
            Questions::Reform(Reform { unit: u }) => {
                let now = Decimal(self.unit(u).place.t);
                let holds = self.judge_reform(u, Then::Hold, now).is_ok();
                let then = if holds { Then::Hold } else { Then::Stay };
                self.steer_turn(u, wish, facing, |facing| Action::Reform { then, facing })
            }
            Questions::Choose(Choose { side, card: EventCard::DrummerBoy }) => {
                let u = match wish.unit {
                    Some(id) => self.named(id)?,
                    None => self.nearest_to(wish.place, |u| {
                        self.event_fits(side, EventCard::DrummerBoy, u).is_ok()
                    })?,
                };
                let unit = self.spec(u).id;
                self.steer_turn(u, wish, facing, |facing| Action::Choose {
                    unit,
                    commander: None,
                    facing: Some(facing),
                })
            }
            Questions::Declare(Declare { unit: u }) => {
                let side = self.side(u);
                let target =
                    self.nearest_to(wish.place, |e| self.side(e) != side && self.judge_charge(u, e).is_ok())?;
                let action = Action::ChargeAt { target: self.spec(target).id, fire_first: false };
                let path = self.judge_charge(u, target)?;
                let touch = self.along(u, &path, path.cost);
                let goal = self.unit(target).body;
                let aspect = self.aspect(target, self.unit(u).body.reference());
                let place =
                    self.conform_to(u, target, &goal, touch, aspect).unwrap_or_else(|| Place::of(touch));
                let why = self.nearest_to(wish.place, |e| self.side(e) != side).ok().filter(|&e| e != target);
                let why = why.and_then(|e| self.judge_charge(u, e).err());
                Ok(Steer { action: Some(action), end: Some(place.pose()), why })
            }
            Questions::Evade(_) => {
                let all = [crate::action::Flight::Full, crate::action::Flight::OutOfReach];
                self.nearest_outcome(wish, all.into_iter().map(Action::Evade))
            }
            Questions::FallBack(back) => self.steer_fall_back(back, wish),
            Questions::After(_) => self.nearest_outcome(wish, [Action::Stay, Action::Occupy].into_iter()),
            Questions::FormSquare(_) => {
                let u = match wish.unit {
                    Some(id) => self.named(id)?,
                    None => self.nearest_to(wish.place, |u| self.square_members() & bit(u) != 0)?,
                };
                let (anchor, now) = (self.spec(u).id, self.unit(u).place.t);
                let facing = facing.map_or(Decimal(now), Decimal::of);
                let action = Action::RegimentalSquare { anchor, facing, open_rear: false };
                self.settled(wish, action, None)
            }
            Questions::Deploy(Deploy { side }) => self.steer_deploy(side, wish, facing),
            Questions::Act(Act { unit: u }) => refuse(
                "VF-CMD-21",
                format!("name what {} does first: march, manoeuvre, charge", self.name(u)),
            ),
            Questions::Next(_) | Questions::Activate(_) => {
                refuse("VF-CMD-14", "name the unit first; it is moved when it has said what it does")
            }
            _ => refuse("VF-TURN-25", format!("nothing moves now: {}", question.prompt(self))),
        }
    }

    /// The unit nearest to a place of those that will do.
    fn nearest_to(&self, place: Point, fit: impl Fn(Nr) -> bool) -> Result<Nr, Illegal> {
        let far = |u: &Nr| self.unit(*u).body.centroid().distance(place);
        let near = self.present().filter(|&u| fit(u)).min_by(|a, b| far(a).total_cmp(&far(b)));
        near.map_or_else(|| refuse("VF-TURN-25", "there is no unit that this could be done with"), Ok)
    }

    /// An answer with where it ends, and why it is not the wish if it is not.
    fn settled(&self, wish: &Wish, action: Action, why: Option<Illegal>) -> Result<Steer<Action>, Illegal> {
        let end = self.end_pose(&action)?;
        let near = end.is_none_or(|pose| {
            pose.at.distance(wish.place) <= NEAR.0
                && wish.facing.is_none_or(|f| angle::turn(pose.facing, f).abs() <= NEAR.1)
        });
        let why = if near { None } else { why };
        Ok(Steer { action: Some(action), end, why })
    }

    /// Where the unit that an answer is about would stand; refused if the answer is.
    pub(crate) fn end_pose(&self, action: &Action) -> Result<Option<Pose>, Illegal> {
        match self.question() {
            Some(question) => question.end(self, action),
            None => refuse("VF-ARMYMORALE-05", "the battle is over"),
        }
    }

    /// Whether a question has a space of answers of that name.
    fn has_space(&self, question: Questions, action: &str) -> bool {
        let mut answers = Answers::default();
        question.answers(self, &mut answers);
        answers.spaces().iter().any(|space| space.action == action)
    }

    /// Of a few answers the one that ends nearest to the wish.
    fn nearest_outcome(
        &self,
        wish: &Wish,
        answers: impl Iterator<Item = Action>,
    ) -> Result<Steer<Action>, Illegal> {
        let mut best = Nearest::within(0.0);
        for action in answers {
            let Ok(end) = self.end_pose(&action) else { continue };
            let far = end.map_or(f64::MAX, |pose| pose.at.distance(wish.place));
            let why = (far > NEAR.0)
                .then(|| Illegal::new("VF-CHARGE-18", "it can only go as far as the rule says"));
            best.keep(far, Steer { action: Some(action), end, why });
        }
        best.found().map_or_else(|| refuse("VF-TURN-25", "nothing can be moved now"), Ok)
    }

    fn steer_march(&self, u: Nr, wish: &Wish, facing: Option<f64>) -> Result<Steer<Action>, Illegal> {
        let Some(found) = self.find_march(u, wish.place, facing, &wish.by) else {
            return refuse("VF-MOVE-05", "there is no way there");
        };
        let why = self.why_cut(u, &found).or_else(|| {
            Some(Illegal::new(
                "VF-MOVE-05",
                "a march goes straight ahead and wheels; that is as near as it gets so",
            ))
        });
        let action = Action::Path(found.route.to_vec());
        if self.by_the_handle(u, wish.place, facing, &wish.by) {
            let end = self.end_pose(&action)?;
            let turned = |p: &Pose| facing.is_some_and(|f| angle::turn(p.facing, f).abs() <= NEAR.1);
            let why = why.filter(|_| !end.as_ref().is_some_and(turned));
            return Ok(Steer { action: Some(action), end, why });
        }
        self.settled(wish, action, why)
    }

    pub(crate) fn steer_ride(&self, c: Cr, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        let start = self.commander(c).at();
        let mut way = wish.by.clone();
        way.push(wish.place);
        let whole = length(start, &way);
        let ride = |far: f64| {
            let places = if far > 0.0 { part(start, &way, far) } else { Vec::new() };
            Action::Path(places.iter().map(|p| Leg::To(Decimal::of(p.x), Decimal::of(p.y))).collect())
        };
        let full = ride(f64::INFINITY);
        let Err(why) = self.check(&full) else { return self.settled(wish, full, None) };
        // The furthest share of the way that is allowed; an escape may have its near part forbidden.
        let shares = (0..20_u32).rev().map(|step| f64::from(step) / 20.0);
        let tried = |share: f64| Some(ride(whole * share)).filter(|action| self.check(action).is_ok());
        match furthest(shares, Some(1.0), (7, 0.0), &tried) {
            Some(action) => self.settled(wish, action, Some(why)),
            None if self.check(&Action::Pass).is_ok() => {
                Ok(Steer { action: Some(Action::Pass), end: Some(Pose::new(start, 0.0)), why: Some(why) })
            }
            None => Err(why),
        }
    }

    /// The longest distance up to `most` that makes a legal answer.
    fn longest(&self, most: f64, answer: impl Fn(Decimal) -> Action) -> (Action, Option<Illegal>) {
        let whole = answer(Decimal::of(most.max(0.0)));
        let Err(why) = self.check(&whole) else { return (whole, None) };
        let legal = |length: f64| self.check(&answer(Decimal((length * 1000.0) as i32))).is_ok();
        let [far, _] = brink([0.0, most.max(0.0)], 14, 0.0, &mut |length| !legal(length));
        (answer(Decimal((far * 1000.0) as i32)), Some(why))
    }

    fn steer_slide(&self, u: Nr, way: Slide, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        let pose = self.unit(u).place.pose();
        let length = (wish.place - pose.at).dot(way.along(&pose));
        let (action, why) = self.longest(length, Action::Distance);
        let why = why
            .or_else(|| Some(Illegal::new("VF-MOVE-13", "it goes straight to the side, or straight back")));
        self.settled(wish, action, why)
    }

    /// The retreat of a reform: the middle goes straight, then the unit turns about it.
    fn steer_bearing(&self, u: Nr, facing: Mils, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        let unit = self.unit(u);
        let facing = exact(crate::model::measure::turn(facing));
        let middle = wish.place - angle::forward(facing) * (unit.body.rect.depth() * 0.5);
        let step = middle - unit.body.centroid();
        let towards = if step.length() < 0.001 { 0.0 } else { angle::bearing_of(step) };
        let mut best = Nearest::within(0.01);
        // Towards the enemy is refused: the nearest bearing that is not.
        for by in angle::fan(15.0, 90.0) {
            let bearing = Decimal::of(angle::normalise(towards + by));
            let length = step.length() * angle::cos(by).max(0.0);
            let (action, why) = self.longest(length, |distance| Action::Bearing { bearing, distance });
            let why = why.or_else(|| Some(Illegal::new("VF-MORALE-23", "it ends no nearer to the enemy")));
            let Ok(steer) = self.settled(wish, action, why) else { continue };
            let far = steer.end.map_or(f64::MAX, |pose| pose.at.distance(wish.place));
            best.keep(far, steer);
            if far < 0.5 {
                break;
            }
        }
        best.found().map_or_else(|| refuse("VF-MORALE-23", "there is no way back"), Ok)
    }

    fn steer_fall_back(&self, back: FallBack, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        let Some(m) = self.s.melee else { return refuse("VF-MELEE-22", "there is no melee") };
        let body = &self.unit(m.attacker).body;
        let bearing = self.way_back(m.attacker, Some(m.defender));
        let end = wish.place - turned(body, bearing).at;
        let wished = end.dot(angle::forward(bearing));
        let distance = Decimal(Decimal::of(wished).0.clamp(back.least(self), back.allowance));
        let why = Illegal::new("VF-MELEE-22", back.limits(self));
        self.settled(wish, Action::FallBack(distance), Some(why))
    }

    /// A turn on the spot: the wished facing, or the nearest there is room for. Without a facing it looks at the place.
    fn steer_turn(
        &self,
        u: Nr,
        wish: &Wish,
        facing: Option<f64>,
        answer: impl Fn(Decimal) -> Action,
    ) -> Result<Steer<Action>, Illegal> {
        let unit = self.unit(u);
        let step = wish.place - unit.body.centroid();
        let wished = facing.unwrap_or_else(|| {
            if step.length() < 1.0 { exact(unit.place.t) } else { angle::bearing_of(step) }
        });
        let mut why = None;
        for by in angle::fan(5.0, 90.0) {
            let action = answer(Decimal::of(angle::normalise(wished + by)));
            match self.check(&action) {
                Ok(()) => {
                    let end = self.end_pose(&action)?;
                    let why =
                        why.filter(|_| end.is_some_and(|p| angle::turn(p.facing, wished).abs() > NEAR.1));
                    return Ok(Steer { action: Some(action), end, why });
                }
                Err(refused) => why = why.or(Some(refused)),
            }
        }
        let stay = answer(Decimal(unit.place.t));
        match (self.check(&stay), why) {
            (Ok(()), why) => Ok(Steer { end: self.end_pose(&stay)?, action: Some(stay), why }),
            (Err(refused), why) => Err(why.unwrap_or(refused)),
        }
    }

    /// A change of facing or formation that ends nearest to the wish.
    fn steer_shape(&self, u: Nr, wish: &Wish, facing: Option<f64>) -> Result<Steer<Action>, Illegal> {
        let unit = self.unit(u);
        if self.kind(u) == Kind::Artillery {
            let limbers = unit.formation == Formation::Unlimbered;
            return self.steer_turn(u, wish, facing, |f| {
                if limbers { Action::Limber(f) } else { Action::Unlimber(f) }
            });
        }
        let facing = Decimal::of(facing.unwrap_or_else(|| exact(unit.place.t)));
        let mut best = Nearest::within(0.01);
        let mut why = None;
        // Its own formation first: among equals a turn is more likely meant than a change.
        let mut formations: Vec<Formation> = self.kind(u).formations().to_vec();
        formations.put_in_order_of(|&f| f != unit.formation);
        for formation in formations {
            let others: &[OtherBase] = match formation {
                Formation::Line => &[OtherBase::Left, OtherBase::Right],
                Formation::Column => &[OtherBase::Behind, OtherBase::Front],
                _ => &[OtherBase::Behind],
            };
            for pivot in [Base::A, Base::B] {
                for &other in others {
                    let action = Action::Shape { pivot, facing, formation, other };
                    match self.end_pose(&action) {
                        Ok(end) => {
                            let far = end.map_or(f64::MAX, |pose| pose.at.distance(wish.place));
                            best.keep(far, Steer { action: Some(action), end, why: None });
                        }
                        Err(refused) => why = why.or(Some(refused)),
                    }
                }
            }
        }
        let far = best.off();
        match (best.found(), why) {
            (Some(mut steer), why) => {
                steer.why = why.filter(|_| far > 0.5).or_else(|| {
                    (far > 0.5).then(|| {
                        Illegal::new("VF-MODEL-42", "one base stays where it is; the other is set beside it")
                    })
                });
                Ok(steer)
            }
            (None, Some(why)) => Err(why),
            (None, None) => refuse("VF-MOVE-18", format!("{} has no formation to change", self.name(u))),
        }
    }
}
