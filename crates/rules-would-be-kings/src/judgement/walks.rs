//! Where a unit would best go: places are judged first, and only the best few are walked to.

use tricorne_game::InOrder;
use tricorne_table::Point;

use super::footing::Footing;
use super::ideas::Idea;
use super::place::{Officer, Verdict};
use super::spots::Spotted;
use crate::action::{Action, Go};
use crate::battle::Fray;
use crate::movement::march::Marching;
use crate::movement::{Pace, Walk, bearing};
use crate::state::{Layout, No};
use crate::steer::{part_of_turn, prefix};

/// How many of the best places are walked to.
const WALKED: usize = 4;

/// How many degrees aside ways over the edge are looked for.
const ASIDE: [f64; 5] = [0.0, -25.0, 25.0, -45.0, 45.0];

/// A walk worth proposing.
pub(crate) struct Stroll {
    pub(crate) go: Go,
    pub(crate) verdict: Verdict,
    /// What it costs beside its end.
    pub(crate) trouble: f64,
}

impl Stroll {
    fn value(&self) -> f64 {
        self.verdict.sum() - self.trouble
    }
}

impl Officer<'_> {
    /// The facing a gun or a block ends with: at the enemy it could do most to.
    fn facing_from(&self, p: Point) -> Option<u16> {
        let unit = self.battle.unit(self.u);
        if !matches!(unit.layout, Layout::Gun | Layout::Block) {
            return None;
        }
        let best = self.prey.iter().max_by(|a, b| {
            let weight =
                |e: &super::place::Prey| (e.short + e.maul(false)) * super::stakes::ease(self.gap(p, e), 8.0);
            weight(a).total_cmp(&weight(b))
        })?;
        Some(bearing(best.at - p))
    }

    /// Judges one way in; what it would come to.
    fn stroll(&self, go: Go, tried: &impl Fn(&Go) -> Option<Walk>) -> Option<Stroll> {
        let walk = tried(&go)?;
        let b = self.battle;
        if walk.exit.is_some() {
            let exit = self.weighs.exit * self.stakes.scale * b.exit_worth(self.u);
            return Some(Stroll { go, verdict: Verdict { exit, ..Verdict::default() }, trouble: 0.0 });
        }
        let verdict = self.judge(&b.footing_of(walk.anchor.point(), &walk.places));
        // Guns are not dragged about for a trifle.
        let dragged = walk.length > 0.0 && b.card(self.u).is_crewed();
        Some(Stroll { go, verdict, trouble: if dragged { self.weighs.drag } else { 0.0 } })
    }

    /// A walk towards a place: straight, round what is in the way, or part of it.
    fn towards(&self, spot: &Spotted, reach: f64, tried: &impl Fn(&Go) -> Option<Walk>) -> Option<Stroll> {
        let b = self.battle;
        let to = spot.at;
        let start = b.path_start(self.u, Some(to));
        let facing = spot.lined.or_else(|| self.facing_from(to));
        let layout = spot.lined.map(|_| Layout::Line);
        let go = |way: &[Point], part: f64| {
            let turned = match b.unit(self.u).layout {
                Layout::Block => facing.map(|f| part_of_turn(b.unit(self.u).facing, f, 0.3)),
                _ => facing,
            };
            Go { path: prefix(start, way, part), layout, facing: turned }
        };
        if let Some(found) = self.stroll(go(&[to], 1.0), tried) {
            return Some(found);
        }
        if layout.is_some() {
            // Not yet in line: as they are, towards the wall.
            let loose = Go { path: prefix(start, &[to], 1.0), layout: None, facing: None };
            if let Some(found) = self.stroll(loose, tried) {
                return Some(found);
            }
        }
        for way in b.ways(self.u, to, None).take(2) {
            let part = (reach / length_of(start, &way).max(0.1)).min(1.0);
            if let Some(mut found) = self.stroll(go(&way, part), tried) {
                // A detour leads to the place in the end, though it may not look nearer yet.
                let short = spot.value - (1.0 - part) * 0.6 - 0.1 - found.value();
                found.trouble -= short.max(0.0);
                return Some(found);
            }
        }
        self.stroll(go(&[to], 0.6), tried).or_else(|| self.stroll(go(&[to], 0.3), tried))
    }

    /// The best walks within some inches, the best first.
    pub(crate) fn strolls(
        &self,
        reach: f64,
        most: usize,
        tried: impl Fn(&Go) -> Option<Walk>,
    ) -> Vec<Stroll> {
        let b = self.battle;
        let mut found: Vec<Stroll> = Vec::new();
        // Straight over the edge, or past whoever stands before it.
        let mut off = ASIDE.iter().filter_map(|&by| b.way_off(self.u, self.stands(), reach, by));
        found.extend(off.find_map(|go| self.stroll(go, &tried)));
        let mut turns = b.turns_to(self.u, self.facing_from(self.stands()));
        found.extend(turns.find_map(|go| self.stroll(go, &tried)));
        for (asked, spot) in self.spots(reach).iter().enumerate() {
            if asked >= most.min(WALKED) + 2 || found.len() >= most {
                break;
            }
            found.extend(self.towards(spot, reach, &tried));
        }
        found.put_in_order(|a, b| b.value().total_cmp(&a.value()));
        found
    }

    /// The best walk of a kind before it is ordered.
    pub(crate) fn best_walk(&self, reach: f64, pace: Pace, most: usize) -> Option<(Verdict, f64)> {
        let b = self.battle;
        let best = self.strolls(reach, most, |go| b.walk(self.u, go, reach, pace).ok());
        let best = best.into_iter().next().map(|s| (s.verdict, s.trouble));
        let door = if pace == Pace::Move { self.door().map(|d| (d.1, 0.0)) } else { None };
        match (best, door) {
            (Some(walk), Some(door)) if door.0.sum() > walk.0.sum() - walk.1 => Some(door),
            (walk, door) => walk.or(door),
        }
    }

    /// The best building to go into from here, and what being in it is worth.
    pub(crate) fn door(&self) -> Option<(usize, Verdict)> {
        let doors = self.battle.doors(self.u).map(|(i, at)| (i, self.judge(&Footing::housed(at))));
        doors.max_by(|a, b| a.1.sum().total_cmp(&b.1.sum()))
    }
}

/// How long a way is.
pub(super) fn length_of(start: Point, way: &[Point]) -> f64 {
    let (mut length, mut at) = (0.0, start);
    for &p in way {
        length += at.distance(p);
        at = p;
    }
    length
}

impl Fray {
    /// A walk over the edge and away, so many degrees aside, where a unit may leave near by.
    pub(super) fn way_off(&self, u: No, from: Point, reach: f64, aside: f64) -> Option<Go> {
        let (_, at) = self.exit_distance(self.unit(u).side, from).filter(|(far, _)| *far <= reach + 4.0)?;
        let out = (at - from).unit().unwrap_or(Point::new(0.0, 1.0)).turned(aside);
        Some(Go { path: vec![(from + out * reach).round_to(0.001)], layout: None, facing: None })
    }

    /// A unit turned where it stands: all the way to a facing, and half of it.
    pub(super) fn turns_to(&self, u: No, facing: Option<u16>) -> impl Iterator<Item = Go> {
        let now = self.unit(u).facing;
        let to = facing.filter(|&facing| facing != now).into_iter();
        to.flat_map(move |to| [1.0, 0.5].map(|part| part_of_turn(now, to, part))).map(|facing| Go {
            path: Vec::new(),
            layout: None,
            facing: Some(facing),
        })
    }

    /// Buildings that a unit may go into from where it stands, and where that is.
    pub(super) fn doors(&self, u: No) -> impl Iterator<Item = (usize, Point)> + '_ {
        let land = &self.field.land;
        let open = land.buildings.iter().copied();
        open.filter(move |&i| self.may_enter(u, &land.pieces[i].id).is_ok())
            .filter_map(move |i| Some((i, land.pieces[i].area()?.centroid())))
    }

    /// The moves of the pending decision worth weighing, with what each gains over staying.
    pub(crate) fn move_ideas(&self, officer: &Officer, march: Marching, most: usize) -> Vec<Idea> {
        let here = officer.here();
        let mut all = vec![Idea::of(Action::NoMove)];
        for stroll in officer.strolls(self.inches(), most, |go| march.walk(self, go).ok()) {
            let idea = Idea::of(Action::Go(stroll.go)).with("the trouble of it", -stroll.trouble);
            all.push(idea.going(&here, &stroll.verdict, 1.0));
        }
        if march.pace == Pace::Move
            && let Some((door, verdict)) = officer.door()
        {
            let enter = Action::Enter(self.field.land.pieces[door].id.clone());
            all.push(Idea::of(enter).going(&here, &verdict, 1.0));
        }
        all
    }
}
