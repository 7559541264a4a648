//! What a sub-unit does when it is named: stand, fire, march, charge, manoeuvre, each by what it is worth.

use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_game::Proposal;
use tricorne_table::{Point, Pose, angle};

use super::promise;
use super::survey::Survey;
use super::worth::Shot;
use crate::action::{Action, ActionKind, Base, OtherBase};
use crate::field::Field;
use crate::model::measure::{Decimal, exact};
use crate::model::{Formation, Kind, Nr};
use crate::page::route::{end_of, first_part, length_of, ways};
use crate::state::Initiative;

/// What a unit must be able to go for a way to be open to it.
const FIRST_STEPS: f64 = 1.5;

/// How far a march must get for it to be one.
const STEP: f64 = 0.7;

/// Answers with what they are worth in points.
pub(crate) type Weighed = SmallVec<[(Action, f64); 16]>;

impl Field {
    /// The best shot of a unit as it stands; none if it has no target.
    pub(crate) fn best_shot(&self, u: Nr) -> Option<Shot> {
        if !self.fires_at_all(u) || self.can_fire(u).is_err() {
            return None;
        }
        let faces = if self.unit(u).formation == Formation::Square { 2 } else { 1 };
        let far =
            if self.kind(u) == Kind::Artillery { self.p().fire.artillery.far } else { self.p().fire.long };
        let body = &self.unit(u).body;
        let shots = self
            .present_of(self.side(u).enemy())
            .filter(|&e| body.may_reach(&self.unit(e).body, f64::from(far)))
            .flat_map(|e| (0..faces).filter_map(move |f| self.shot(u, f, e)));
        shots.max_by(|a, b| a.worth.total_cmp(&b.worth))
    }

    /// The best charge of a unit as it stands, with a volley before it or without.
    pub(crate) fn best_charge(&self, u: Nr) -> Option<(Nr, f64)> {
        if self.can_charge(u).is_err() {
            return None;
        }
        let far = exact(self.greatest_move(u));
        let body = &self.unit(u).body;
        let charges = self
            .present_of(self.side(u).enemy())
            .filter(|&e| body.may_reach(&self.unit(e).body, far))
            .filter_map(|e| {
                let path = self.charge_at(u, e)?;
                let plain = self.charge_worth(u, e, &path);
                let with_fire = (self.fires_at_all(u) && self.judge_fire_first(u, e).is_ok())
                    .then(|| self.volley_and_charge_worth(u, e, &path))
                    .flatten();
                Some((e, with_fire.map_or(plain, |worth| worth.max(plain))))
            });
        charges.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Wishes that a unit can take the first steps towards: who can't goes nowhere, whatever is at the end of the way.
    fn open_wishes(&self, survey: &Survey) -> SmallVec<[(Point, Option<f64>); 12]> {
        let u = survey.unit;
        let near = self.near_enemy(self.side(u), &self.unit(u).body);
        let starts = |wish: &(Point, Option<f64>)| {
            let step = self.rough_end(u, *wish, near, FIRST_STEPS);
            step.is_some_and(|pose| {
                pose.at.distance(self.unit(u).place.at()) > 0.25 && self.might_end(u, &pose)
            })
        };
        survey.destinations(self).into_iter().filter(starts).collect()
    }

    /// Where marches of a length would end, by the shape of the way alone.
    fn rough_ends(
        &self,
        survey: &Survey,
        wishes: &[(Point, Option<f64>)],
        length: f64,
    ) -> SmallVec<[Pose; 12]> {
        let u = survey.unit;
        let unit = self.unit(u);
        let near = self.near_enemy(self.side(u), &unit.body);
        let start = unit.place.pose();
        let ends = wishes.iter().filter_map(|&wish| self.rough_end(u, wish, near, length));
        ends.filter(|end| end.at.distance(start.at) > STEP && self.might_end(u, end)).collect()
    }

    /// The same for one wish: a place and perhaps a facing; `near` says that the enemy is too near to wheel.
    pub(super) fn rough_end(
        &self,
        u: Nr,
        (to, facing): (Point, Option<f64>),
        near: bool,
        length: f64,
    ) -> Option<Pose> {
        let unit = self.unit(u);
        let start = unit.place.pose();
        if unit.formation == Formation::Cloud {
            let step = to - start.at;
            let far = step.length().min(length);
            let way = step.unit().unwrap_or(start.forward());
            return Some(Pose::new(start.at + way * far, facing.unwrap_or(start.facing)));
        }
        if near {
            let ahead = (to - start.at).dot(start.forward()).clamp(0.0, length);
            return Some(start.ahead(ahead));
        }
        let width = unit.body.rect.width();
        let route = ways(&start, width, to, facing)
            .into_iter()
            .min_by(|a, b| length_of(width, a).total_cmp(&length_of(width, b)))?;
        let whole = length_of(width, &route);
        let share = if whole > length { length / whole } else { 1.0 };
        Some(end_of(&start, width, &first_part(width, &route, share)))
    }

    /// The actions a sub-unit can name, with what each is worth.
    pub(crate) fn weigh_actions(&self, u: Nr) -> Weighed {
        let unit = self.unit(u);
        let mut all = Weighed::new();
        if unit.shaken || unit.disordered {
            return all;
        }
        let w = self.weighs();
        let survey = self.survey(u);
        let here = survey.outlook(self, unit.place.pose(), unit.formation);
        let legal = |kind: ActionKind| self.judge_action(u, kind).is_ok();
        let fires = self.fires_at_all(u) && self.can_fire(u).is_ok();
        // Kept fire answers whoever comes near.
        let kept = if fires { w.kept * survey.threat(&unit.body) } else { 0.0 };
        all.push((Action::Stand, here.worth(fires) + kept));
        if let Some(shot) = self.best_shot(u) {
            all.push((Action::Fire, here.worth(false) + w.shot * (shot.worth + here.relieved_by(shot))));
        }
        if let Some((_, worth)) = self.best_charge(u) {
            all.push((Action::Charge, w.after_charge * here.worth(false) + worth));
        }
        if legal(ActionKind::March) {
            let usual = exact(self.usual_move(u));
            let wishes = self.open_wishes(&survey);
            let ends = self.rough_ends(&survey, &wishes, usual).into_iter();
            let worths = ends.map(|pose| survey.outlook(self, pose, unit.formation).worth(false));
            if let Some(worth) = worths.max_by(f64::total_cmp) {
                all.push((Action::March, worth - w.stir));
            }
            let near = fires && survey.within(&unit.body, usual * 0.5 + 12.5);
            if near && unit.formation != Formation::Square {
                let (mut strike, mut hold): (Option<f64>, Option<f64>) = (None, None);
                for pose in self.rough_ends(&survey, &wishes, usual * 0.5) {
                    let there = survey.outlook(self, pose, unit.formation);
                    let shot = self.standing_at(u, pose, unit.formation).best_shot(u);
                    if let Some(shot) = shot {
                        let worth =
                            there.worth(false) + w.march_shot * (shot.worth + there.relieved_by(shot));
                        strike = Some(strike.map_or(worth, |m| m.max(worth)));
                    }
                    let worth = there.worth(true) + w.march_kept * kept;
                    hold = Some(hold.map_or(worth, |m| m.max(worth)));
                }
                if let Some(worth) = strike.filter(|_| legal(ActionKind::MarchAndFire)) {
                    all.push((Action::MarchAndFire, worth - w.strike_stir * w.stir));
                }
                if let Some(worth) = hold.filter(|_| legal(ActionKind::MarchAndHold)) {
                    all.push((Action::MarchAndHold, worth - w.stir));
                }
            }
        }
        self.weigh_manoeuvres(u, &survey, here.worth(fires), &mut all);
        if self.initiative() == Initiative::RetreatOnly {
            all.retain(|(action, _)| *action != Action::Charge);
        }
        all
    }

    fn weigh_manoeuvres(&self, u: Nr, survey: &Survey, here: f64, all: &mut Weighed) {
        let unit = self.unit(u);
        let w = self.weighs();
        let legal = |kind: ActionKind| self.judge_action(u, kind).is_ok();
        if self.kind(u) == Kind::Artillery {
            if unit.formation == Formation::Limbered {
                let facing = self.best_aim(u);
                let shot = facing.map_or(0.0, |(_, worth)| worth);
                if legal(ActionKind::UnlimberAndFire) && shot > 0.0 {
                    all.push((Action::UnlimberAndFire, here + w.unlimber + shot));
                }
                if shot <= 0.0 && legal(ActionKind::MarchUnlimberAndFire) && survey.within(&unit.body, 38.0) {
                    all.push((Action::MarchUnlimberAndFire, here + w.gun_forward));
                }
            } else if self.best_shot(u).is_none() && legal(ActionKind::ManoeuvreAndHold) {
                // Nothing to shoot at: on the limber, or round to where there is.
                all.push((
                    Action::ManoeuvreAndHold,
                    here + if self.best_aim(u).is_some() { w.gun_turn } else { w.gun_limber },
                ));
            }
            return;
        }
        let kind =
            if self.kind(u) == Kind::Infantry { ActionKind::ManoeuvreAndHold } else { ActionKind::Manoeuvre };
        if matches!(self.kind(u), Kind::Infantry | Kind::Heavy | Kind::Light) && legal(kind) {
            let shapes = self.weigh_shapes(u, survey).into_iter().map(|(_, worth)| worth);
            let best = shapes.chain(self.slides(u, survey).map(|(_, worth)| worth)).max_by(f64::total_cmp);
            if let Some(worth) = best {
                all.push((Action::naming(kind), worth - w.shape));
            }
        }
    }

    /// Changes of facing and formation with what they are worth.
    pub(crate) fn weigh_shapes(&self, u: Nr, survey: &Survey) -> Weighed {
        let unit = self.unit(u);
        let mut all = Weighed::new();
        let kind = self.kind(u);
        if !matches!(kind, Kind::Infantry | Kind::Heavy | Kind::Light) {
            return all;
        }
        let here = unit.body.centroid();
        let mut facings: SmallVec<[f64; 4]> = survey
            .prey(here)
            .iter()
            .take(2)
            .map(|f| angle::bearing(here, self.unit(f.nr).body.centroid()))
            .collect();
        if survey.goal.distance(here) > 3.0 {
            facings.push(angle::bearing(here, survey.goal));
        }
        facings.push(exact(unit.place.t));
        let far = survey.goal.distance(here) > 20.0;
        for facing in facings {
            let facing = Decimal::of(angle::normalise(facing));
            for (formation, other) in [
                (Formation::Line, OtherBase::Left),
                (Formation::Line, OtherBase::Right),
                (Formation::Column, OtherBase::Behind),
            ] {
                if formation == Formation::Column && !far {
                    continue;
                }
                let pivot = if other == OtherBase::Right { Base::B } else { Base::A };
                if let Ok(to) = self.judge_shape(u, pivot, facing, formation, other) {
                    let action = Action::Shape { pivot, facing, formation, other };
                    let kept = kind == Kind::Infantry;
                    all.push((action, survey.outlook(self, to.place.pose(), to.formation).worth(kept)));
                }
            }
        }
        all
    }

    /// The facing from which a gun has the best shot where it stands, and what that is worth.
    pub(crate) fn best_aim(&self, u: Nr) -> Option<(f64, f64)> {
        let unit = self.unit(u);
        let here = unit.body.centroid();
        let far = f64::from(self.p().fire.artillery.far);
        let mut best: Option<(f64, f64)> = None;
        for e in self.present_of(self.side(u).enemy()) {
            if !unit.body.may_reach(&self.unit(e).body, far) {
                continue;
            }
            let facing = angle::bearing(here, self.unit(e).body.centroid());
            let pose = crate::model::formation::turned(&unit.body, facing);
            let there = self.standing_at(u, pose, Formation::Unlimbered);
            if let Some(worth) = there.shot_worth(u, 0, e)
                && best.is_none_or(|(_, most)| worth > most)
            {
                best = Some((facing, worth));
            }
        }
        best
    }

    /// Whether a unit could stand there at all: on the table, on nobody, clear of the enemy.
    pub(super) fn might_stand(&self, u: Nr, pose: &Pose) -> bool {
        let unit = self.unit(u);
        let body = unit.body_at(*pose);
        self.room_for(&body, Some(u), self.mover(u))
            && !self
                .present_of(self.side(u).enemy())
                .any(|e| body.may_reach(&self.unit(e).body, 1.0) && body.gap(&self.unit(e).body) < 1.0)
    }

    /// Whether a unit could stand there, and its initiative lets it go so far or so near (VF-CMD-10).
    pub(super) fn might_end(&self, u: Nr, pose: &Pose) -> bool {
        let allowed = || {
            let body = &self.unit(u).body;
            let nearest = self.nearest_enemy(self.side(u), body);
            self.judge_initiative(u, body, &self.unit(u).body_at(*pose), nearest).is_ok()
        };
        self.might_stand(u, pose) && (self.initiative() == Initiative::Free || allowed())
    }

    /// Proposals for a march: ways to what the unit wants, and staying. Where only a few answers are asked for, ways are
    /// looked for only to the wishes that look best by the shape of the way alone.
    pub(crate) fn propose_marches(&self, u: Nr, most: usize) -> Vec<Proposal<Action>> {
        let unit = self.unit(u);
        let survey = self.survey(u);
        let fires = self.s.acting.is_some_and(|a| matches!(a.kind, ActionKind::MarchAndFire));
        let gun = self.s.acting.is_some_and(|a| a.kind == ActionKind::MarchUnlimberAndFire);
        let mut all: Vec<Proposal<Action>> = Vec::new();
        let holds = self.s.acting.is_some_and(|a| matches!(a.kind, ActionKind::MarchAndHold));
        let mut weigh = |action: Action, pose: Pose| {
            if all.iter().any(|p| p.action == action) {
                return;
            }
            let outlook = survey.outlook(self, pose, unit.formation);
            let mut worth = outlook.worth(holds);
            if fires {
                // With nothing worth shooting at it keeps its fire.
                let shot = self.standing_at(u, pose, unit.formation).best_shot(u);
                let struck = shot.map_or(0.0, |shot| shot.worth + outlook.relieved_by(shot));
                worth = (worth + self.weighs().march_shot * struck).max(outlook.worth(true));
            } else if gun {
                let there = self.standing_at(u, pose, unit.formation);
                worth += there.best_aim(u).map_or(0.0, |(_, shot)| shot.max(0.0));
            }
            // To stay is what it might have had for standing, its fire kept.
            if action == Action::Path(vec![]) {
                worth -= self.weighs().stir;
            }
            all.push(Proposal::new(action, promise(worth)));
        };
        weigh(Action::Path(vec![]), unit.place.pose());
        let mut wishes = survey.destinations(self);
        let few = most.div_ceil(3).max(1);
        if wishes.len() > few {
            let near = self.near_enemy(self.side(u), &unit.body);
            let limit = self.march_limit();
            let looks = |wish| {
                let end = self.rough_end(u, wish, near, limit).filter(|end| self.might_stand(u, end));
                end.map_or(f64::NEG_INFINITY, |end| survey.outlook(self, end, unit.formation).worth(holds))
            };
            let mut ranked: SmallVec<[_; 12]> = wishes.iter().map(|&wish| (looks(wish), wish)).collect();
            ranked.put_in_order(|a, b| b.0.total_cmp(&a.0));
            wishes = ranked.into_iter().take(few).map(|(_, wish)| wish).collect();
        }
        for (to, facing) in wishes {
            if let Some(found) = self.find_march(u, to, facing, &[]) {
                weigh(Action::Path(found.route.to_vec()), found.end);
            }
        }
        all
    }
}
