//! Moves straight back or to a side, the front to the enemy (VF-MOVE-13): how far they could go, and what that is worth.

use smallvec::SmallVec;
use tricorne_game::Proposal;
use tricorne_table::Pose;

use super::promise;
use super::survey::Survey;
use crate::action::Action;
use crate::field::Field;
use crate::model::measure::{Decimal, exact};
use crate::model::{Kind, Nr};
use crate::movement::{Minding, first_within};
use crate::options::ProximityCheck;
use crate::state::Slide;

/// How far a slide must get for it to be one.
const STEP: f64 = 0.7;

impl Field {
    /// How far a slide could go for so much: as far as no friend, closed ground or edge bars the way, and to a side no
    /// further than where the enemy is near (VF-MOVE-02).
    fn slide_reach(&self, u: Nr, way: Slide, spend: f64) -> f64 {
        let body = &self.unit(u).body;
        let (side, mover, along) = (self.side(u), self.mover(u), way.along(&self.unit(u).place.pose()));
        let most = self.distance_for(mover, body, along, spend);
        let (mut reach, _) = self.free_run(side, mover, body, along, most, Minding::all(u));
        if way != Slide::Back && self.o().proximity_check == ProximityCheck::Continuous {
            let near = f64::from(self.p().distance.near_enemy);
            for e in self.present_of(side.enemy()) {
                let enemy = &self.unit(e).body;
                if body.may_reach(enemy, near + reach) {
                    reach = first_within(body, along, reach, enemy, near).map_or(reach, |at| at.min(reach));
                }
            }
        }
        (reach * 1000.0).floor() / 1000.0
    }

    /// Where a slide for so much would end at the furthest; none if it would come to nothing.
    fn slide_end(&self, u: Nr, way: Slide, spend: f64) -> Option<Pose> {
        let pose = self.unit(u).place.pose();
        let reach = self.slide_reach(u, way, spend);
        let end = pose.slid(way.along(&pose) * reach);
        (reach >= STEP && self.might_end(u, &end)).then_some(end)
    }

    /// Half a move straight back or to a side, as far as there is room, and what each is worth.
    pub(crate) fn slides(&self, u: Nr, survey: &Survey) -> impl Iterator<Item = (Slide, f64)> {
        let spend = exact(self.usual_move(u)) * 0.5;
        [Slide::Back, Slide::Left, Slide::Right].into_iter().filter_map(move |way| {
            self.judge_slide(u, way).ok()?;
            let end = self.slide_end(u, way, spend)?;
            let kept = self.kind(u) == Kind::Infantry;
            Some((way, survey.outlook(self, end, self.unit(u).formation).worth(kept)))
        })
    }

    /// Proposals for what a slide comes to: none of what there is room for, half of it, all.
    pub(crate) fn propose_slides(&self, u: Nr, way: Slide) -> Vec<Proposal<Action>> {
        let survey = self.survey(u);
        let formation = self.unit(u).formation;
        let reach = self.slide_reach(u, way, self.half_a_move().unwrap_or(0.0));
        let mut lengths: SmallVec<[Decimal; 3]> = SmallVec::new();
        for share in [0.0, 0.5, 1.0] {
            let length = Decimal((reach * share * 1000.0) as i32);
            if !lengths.contains(&length) {
                lengths.push(length);
            }
        }
        let weighed = lengths.into_iter().filter_map(|length| {
            let action = Action::Distance(length);
            let pose = self.end_pose(&action).ok()??;
            let worth = survey.outlook(self, pose, formation).worth(self.fires_at_all(u));
            Some(Proposal::new(action, promise(worth)))
        });
        weighed.collect()
    }
}
