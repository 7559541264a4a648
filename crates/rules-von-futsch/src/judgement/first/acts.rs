//! What a sub-unit does when it is named: stand, fire, march, charge, manoeuvre, each by what it is worth.

use super::First;
use smallvec::SmallVec;
use tricorne_game::InOrder;
use tricorne_game::Proposal;
use tricorne_table::{Pose, angle};

use super::place::Survey;
use super::promise;
use crate::action::{Action, ActionKind, Base, OtherBase};
use crate::model::measure::{Decimal, exact, mils};
use crate::model::{Formation, Kind, Nr};
use crate::state::Initiative;

/// Answers with what they are worth in points.
pub(crate) type Weighed = SmallVec<[(Action, f64); 16]>;

impl First<'_> {
    /// The best shot of a unit as it stands; none if it has no target.
    pub(crate) fn best_shot(&self, u: Nr) -> Option<(Nr, f64)> {
        if self.can_fire(u).is_err() {
            return None;
        }
        let faces = if self.unit(u).formation == Formation::Square { 2 } else { 1 };
        let shots = self
            .present_of(self.side(u).enemy())
            .flat_map(|e| (0..faces).filter_map(move |f| Some((e, self.shot_worth(u, f, e)?))));
        shots.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// The best charge of a unit as it stands.
    pub(crate) fn best_charge(&self, u: Nr) -> Option<(Nr, f64)> {
        if self.can_charge(u).is_err() {
            return None;
        }
        let charges = self.present_of(self.side(u).enemy()).filter_map(|e| {
            let path = self.judge_charge(u, e).ok()?;
            Some((e, self.charge_worth(u, e, &path)))
        });
        charges.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Where marches of a length would end, by the shape of the way alone.
    fn rough_ends(&self, survey: &Survey, length: f64) -> SmallVec<[Pose; 10]> {
        let near = self.near_enemy(self.side(survey.unit), &self.unit(survey.unit).body);
        let wishes = survey.destinations(self).into_iter();
        wishes.filter_map(|wish| self.rough_end(survey.unit, wish, near, length)).collect()
    }

    /// The actions a sub-unit can name, with what each is worth.
    pub(crate) fn weigh_actions(&self, u: Nr) -> Weighed {
        let unit = self.unit(u);
        let mut all = Weighed::new();
        if unit.shaken || unit.disordered {
            return all;
        }
        let survey = self.survey(u);
        let here = survey.outlook(self, unit.place.pose(), unit.formation);
        let legal = |kind: ActionKind| self.judge_action(u, kind).is_ok();
        let limit = self.initiative();
        // Kept fire answers whoever comes near.
        let kept = if self.can_fire(u).is_ok() { 0.2 * survey.threat(&unit.body) } else { 0.0 };
        all.push((Action::Stand, here + kept));
        if let Some((_, worth)) = self.best_shot(u)
            && legal(ActionKind::Fire)
        {
            all.push((Action::Fire, here + worth + 0.3));
        }
        if let Some((_, worth)) = self.best_charge(u)
            && legal(ActionKind::Charge)
        {
            all.push((Action::Charge, 0.5 * here + worth));
        }
        if legal(ActionKind::March) {
            let usual = exact(self.usual_move(u));
            let fits = |pose: &Pose| self.might_stand(u, pose);
            let best = |length: f64| -> Option<f64> {
                let ends = self.rough_ends(&survey, length).into_iter().filter(fits);
                let worths = ends.map(|pose| survey.outlook(self, pose, unit.formation));
                worths.max_by(f64::total_cmp)
            };
            if let Some(worth) = best(usual) {
                all.push((Action::March, worth.max(here - 0.3)));
            }
            let fires = self.can_fire(u).is_ok();
            if fires && legal(ActionKind::MarchAndFire) && survey.within(&unit.body, usual * 0.5 + 12.5) {
                let mut most: Option<f64> = None;
                for pose in self.rough_ends(&survey, usual * 0.5).into_iter().filter(fits) {
                    let there = self.standing_at(u, pose, unit.formation);
                    let shot = First(&there).best_shot(u).map_or(0.0, |(_, worth)| worth.max(0.0));
                    let worth = survey.outlook(self, pose, unit.formation) + 0.9 * shot;
                    most = Some(most.map_or(worth, |m: f64| m.max(worth)));
                }
                if let Some(worth) = most {
                    all.push((Action::MarchAndFire, worth));
                }
            }
            if fires
                && legal(ActionKind::MarchAndHold)
                && kept > 0.4
                && let Some(worth) = best(usual * 0.5)
            {
                all.push((Action::MarchAndHold, worth + 0.8 * kept));
            }
        }
        self.weigh_manoeuvres(u, &survey, here, &mut all);
        if limit == Initiative::RetreatOnly {
            all.retain(|(action, _)| *action != Action::Charge);
        }
        all
    }

    fn weigh_manoeuvres(&self, u: Nr, survey: &Survey, here: f64, all: &mut Weighed) {
        let unit = self.unit(u);
        let legal = |kind: ActionKind| self.judge_action(u, kind).is_ok();
        if self.kind(u) == Kind::Artillery {
            if unit.formation == Formation::Limbered {
                let facing = self.best_aim(u);
                let shot = facing.map_or(0.0, |(_, worth)| worth);
                if legal(ActionKind::UnlimberAndFire) && shot > 0.0 {
                    all.push((Action::UnlimberAndFire, here + 1.0 + shot));
                }
                if shot <= 0.0 && legal(ActionKind::MarchUnlimberAndFire) && survey.within(&unit.body, 38.0) {
                    all.push((Action::MarchUnlimberAndFire, here + 0.6));
                }
            } else if self.best_shot(u).is_none() && legal(ActionKind::ManoeuvreAndHold) {
                // Nothing to shoot at: on the limber, or round to where there is.
                all.push((
                    Action::ManoeuvreAndHold,
                    here + if self.best_aim(u).is_some() { 3.0 } else { 0.4 },
                ));
            }
            return;
        }
        let kind =
            if self.kind(u) == Kind::Infantry { ActionKind::ManoeuvreAndHold } else { ActionKind::Manoeuvre };
        if matches!(self.kind(u), Kind::Infantry | Kind::Heavy | Kind::Light) && legal(kind) {
            let best = self.weigh_shapes(u, survey).into_iter().map(|(_, w)| w).max_by(f64::total_cmp);
            if let Some(worth) = best {
                all.push((Action::naming(kind), worth - 0.6));
            }
        }
    }

    /// Changes of facing and formation with what they are worth.
    pub(crate) fn weigh_shapes(&self, u: Nr, survey: &Survey) -> Weighed {
        let unit = self.unit(u);
        let mut all = Weighed::new();
        if !matches!(self.kind(u), Kind::Infantry | Kind::Heavy | Kind::Light) {
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
                    all.push((action, survey.outlook(self, to.place.pose(), to.formation)));
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
            if let Some(worth) = First(&there).shot_worth(u, 0, e)
                && best.is_none_or(|(_, most)| worth > most)
            {
                best = Some((facing, worth));
            }
        }
        best
    }

    /// Proposals for a march: ways to what the unit wants, and staying. Where only a few answers are asked for, ways are
    /// looked for only to the wishes that look best by the shape of the way alone.
    pub(crate) fn propose_marches(&self, u: Nr, most: usize) -> Vec<Proposal<Action>> {
        let unit = self.unit(u);
        let survey = self.survey(u);
        let fires = self.s.acting.is_some_and(|a| matches!(a.kind, ActionKind::MarchAndFire));
        let gun = self.s.acting.is_some_and(|a| a.kind == ActionKind::MarchUnlimberAndFire);
        let mut all: Vec<Proposal<Action>> = Vec::new();
        let mut weigh = |action: Action, pose: Pose| {
            let mut worth = survey.outlook(self, pose, unit.formation);
            if fires {
                let there = self.standing_at(u, pose, unit.formation);
                worth += First(&there).best_shot(u).map_or(0.0, |(_, shot)| shot.max(0.0));
            } else if gun {
                let there = self.standing_at(u, pose, unit.formation);
                worth += First(&there).best_aim(u).map_or(0.0, |(_, shot)| shot.max(0.0));
            }
            if !all.iter().any(|p| p.action == action) {
                all.push(Proposal::new(action, promise(worth)));
            }
        };
        weigh(Action::Path(vec![]), unit.place.pose());
        let mut wishes = survey.destinations(self);
        let few = most.div_ceil(3).max(1);
        if wishes.len() > few {
            let near = self.near_enemy(self.side(u), &unit.body);
            let limit = self.march_limit();
            let looks = |wish| {
                let end = self.rough_end(u, wish, near, limit).filter(|end| self.might_stand(u, end));
                end.map_or(f64::NEG_INFINITY, |end| survey.outlook(self, end, unit.formation))
            };
            let mut ranked: SmallVec<[_; 8]> = wishes.iter().map(|&wish| (looks(wish), wish)).collect();
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

    /// Proposals for what a slide comes to.
    pub(crate) fn propose_slides(&self, u: Nr) -> Vec<Proposal<Action>> {
        let survey = self.survey(u);
        let half = self.s.acting.map_or(0, |a| a.allowance / 2);
        let formation = self.unit(u).formation;
        let mut all = Vec::new();
        for share in [0.0, 0.5, 1.0] {
            let action = Action::Distance(Decimal(mils(exact(half) * share)));
            if let Ok(Some(pose)) = self.end_pose(&action) {
                all.push(Proposal::new(action, promise(survey.outlook(self, pose, formation))));
            }
        }
        all
    }
}
