//! Who shoots at whom (SYW-SHOOT-02)?

use serde::Serialize;
use smallvec::SmallVec;
use tricorne_chance::Whim;
use tricorne_drill::{Answers, Now, Question, refuse};
use tricorne_game::{Illegal, Preview, Seat, UnitId};

use crate::action::Action;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::GeneralIx;
use crate::model::state::{Presence, SubPhase};
use crate::shooting::shots::{Mark, Shot};

/// Who shoots at whom?
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shooting;

impl Question<SevenYearsBattle> for Shooting {
    /// None: no more shots.
    type Judged = Option<Box<Shot>>;

    fn kind(&self, b: &SevenYearsBattle) -> &'static str {
        if b.s.step == SubPhase::Reply { "reply" } else { "shooting" }
    }

    fn clause(&self, _: &SevenYearsBattle) -> &'static str {
        "SYW-SEQ-02"
    }

    fn seat(&self, b: &SevenYearsBattle) -> Seat {
        Seat(b.shooting_side().0)
    }

    fn prompt(&self, _: &SevenYearsBattle) -> String {
        "Who shoots at whom?".into()
    }

    fn answers(&self, b: &SevenYearsBattle, out: &mut Answers<Action>) {
        out.list(Action::Done);
        let side = b.shooting_side();
        for u in b.present(side) {
            if b.unit(u).presence == Presence::Hidden || !b.can_shoot(u) {
                continue;
            }
            let units = b.known_enemies(side).map(|e| b.unit(e).id);
            let generals = b.s.generals.iter().filter(|g| g.side != side && g.is_present()).map(|g| g.id);
            out.list_all(units.chain(generals).map(|target| shot_at(b.unit(u).id, target)));
        }
        out.space("shoot", None, None, "a unit, a target, and which stands");
    }

    fn judge(&self, b: &SevenYearsBattle, answer: &Action) -> Result<Self::Judged, Illegal> {
        let (unit, target, stands) = match answer {
            Action::Done => return Ok(None),
            Action::Shoot { unit, target, stands } => (*unit, *target, stands),
            _ => return Err(self.other(b)),
        };
        let Some(u) = b.known_unit(unit).filter(|&u| b.unit(u).side == b.shooting_side()) else {
            return refuse("SYW-SEQ-02", format!("{unit} is no unit of the side that shoots now"));
        };
        let mark = match (b.known_unit(target), b.find_general(target)) {
            // A hidden enemy is no target, and is refused as one that does not exist (SYW-SHOOT-58).
            (Some(t), _) if b.unit(t).side != b.unit(u).side => Mark::Unit(t),
            (_, Some(i)) => Mark::General(i),
            (Some(_), None) => return refuse("SYW-SHOOT-28", format!("{target} is a friend")),
            (None, None) => return refuse("SYW-SHOOT-58", "there is no such enemy to be seen"),
        };
        b.judge_shot(u, mark, stands).map(|shot| Some(Box::new(shot)))
    }

    fn carry_out(self, b: &mut SevenYearsBattle, shot: Self::Judged, now: &mut Now<'_>) {
        if let Some(shot) = shot {
            b.ask(self);
            b.shoot(&shot, now);
        }
    }

    fn usual(&self, _: &SevenYearsBattle) -> Action {
        Action::Done
    }

    fn preview(&self, b: &SevenYearsBattle, shot: &Self::Judged) -> Preview {
        shot.as_ref().map_or_else(Preview::default, |shot| b.preview_shot(shot))
    }

    fn wander(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Action {
        b.some_shot(whim).map_or(Action::Done, |shot| b.told_as_answer(&shot))
    }

    fn chance_upon(&self, b: &SevenYearsBattle, whim: &mut Whim) -> Option<(Action, Self::Judged)> {
        let Some(shot) = b.some_shot(whim) else { return Some((Action::Done, None)) };
        Some((b.told_as_answer(&shot), Some(Box::new(shot))))
    }

    fn courses(&self, b: &SevenYearsBattle, unit: UnitId) -> Vec<(String, Action)> {
        let Some(u) = b.find_unit(unit) else { return Vec::new() };
        b.nearest_known(u).into_iter().map(|target| ("shoot".to_owned(), shot_at(unit, target))).collect()
    }
}

/// A shot with all stands that can.
fn shot_at(unit: UnitId, target: UnitId) -> Action {
    Action::Shoot { unit, target, stands: SmallVec::new() }
}

impl SevenYearsBattle {
    /// Some shot that the side has; now and then none though there are.
    fn some_shot(&self, whim: &mut Whim) -> Option<Shot> {
        let n = self.s.units.len().max(1);
        if whim.chance(0.02) {
            return None;
        }
        self.find_shot(whim.below(n), whim.below(n)).or_else(|| self.find_general_shot())
    }

    /// A shot with all stands that can, as it is answered.
    fn told_as_answer(&self, shot: &Shot) -> Action {
        shot_at(self.unit(shot.unit).id, self.mark_name(shot.mark))
    }

    /// A shot at an enemy general, if there is one (SYW-GEN-21).
    fn find_general_shot(&self) -> Option<Shot> {
        let side = self.shooting_side();
        for i in GeneralIx::first(self.s.generals.len()) {
            let general = self.general(i);
            if general.side == side || !general.is_present() {
                continue;
            }
            for u in self.present(side) {
                let reach = self.fixed.book.ranges(self.info(u).weapon).greatest() + 5.0;
                let unit = self.unit(u);
                if reach > 5.0
                    && unit.presence != Presence::Hidden
                    && unit.frame.bounds.distance_squared(general.at) <= reach * reach
                    && let Some(shot) = self.shot_at(u, Mark::General(i))
                {
                    return Some(shot);
                }
            }
        }
        None
    }
}
