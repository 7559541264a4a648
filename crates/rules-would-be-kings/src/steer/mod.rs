//! Dragging: the legal answer that ends nearest to where a player points, and why it does not end there.
//!
//! Every answer offered has been through `judge`; nothing here says what is legal.

mod aim;
mod post;
mod route;

use std::cell::Cell;

use tricorne_drill::steer::{furthest, length, ordinary};
use tricorne_drill::{Asks, Question, Rules};
use tricorne_game::{Illegal, Steer, Wish};
use tricorne_table::{Point, Pose, angle};

use crate::action::{Action, Go};
use crate::battle::Fray;
use crate::movement::march::Marching;
use crate::movement::{Hindrance, Walk};
use crate::state::{Layout, No};
use crate::tables::rulebook::Class;

pub(crate) use route::prefix;

/// As near as this counts as there.
const THERE: f64 = 0.01;
/// How often a way is shortened before a legal end is looked for between two lengths.
const CUTS: u32 = 8;
/// How often that stretch is halved.
const HALVINGS: u32 = 6;
/// Walks judged for one wish at most: a drag asks at every frame.
const TRIES: u32 = 48;

/// A wish being followed up, and how many walks may still be judged for it.
struct Drag<'a> {
    wish: &'a Wish,
    march: Marching,
    left: Cell<u32>,
}

/// A legal answer, where it ends, and how far that is from the wish.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) action: Action,
    pub(crate) end: Pose,
    pub(crate) off: f64,
}

impl From<Found> for Steer<Action> {
    fn from(found: Found) -> Self {
        Steer { action: Some(found.action), end: Some(found.end), why: None }
    }
}

impl Found {
    /// The one that ends nearer; the first of equals.
    fn nearer(best: Option<Self>, other: Option<Self>) -> Option<Self> {
        match (best, other) {
            (Some(a), Some(b)) => Some(if b.off < a.off - 1e-6 { b } else { a }),
            (a, b) => a.or(b),
        }
    }
}

/// A whole-degree facing.
pub(crate) fn whole_degrees(facing: f64) -> u16 {
    (angle::normalise(facing).round() as u16) % 360
}

/// A facing so much of the way from one to another, by the shorter turn.
pub(crate) fn part_of_turn(from: u16, to: u16, part: f64) -> u16 {
    let turn = angle::turn(f64::from(from), f64::from(to));
    whole_degrees(f64::from(from) + turn * part)
}

impl Fray {
    /// Follows a wish up, if it is about the pending decision at all and names one of the answers that can be steered.
    pub(crate) fn steered(
        &self,
        wish: &Wish,
        offered: &[&str],
        follow: impl FnOnce() -> Steer<Action>,
    ) -> Steer<Action> {
        if !ordinary(wish) {
            return Steer::refused(Illegal::new("WBK-MOD-01", "a wish needs ordinary numbers on the table"));
        }
        let Some(question) = self.state.asked else {
            return Steer::refused(Illegal::new(Self::OVER, "the battle is over"));
        };
        let refused = |why: String| Steer::refused(Illegal::new(question.clause(self), why));
        if let (Some(named), Some(unit)) = (wish.unit, question.unit(self))
            && named != unit
        {
            return refused(format!("the decision is about {}; answer that first", self.actor()));
        }
        match wish.action.as_deref() {
            Some(asked) if !offered.contains(&asked) => refused(format!(
                "`{asked}` can't be steered in this decision; it takes {}",
                offered.join(", ")
            )),
            _ => follow(),
        }
    }

    /// The door of a building pointed into. An error holds why it is not the door's turn, if it was meant.
    pub(crate) fn steer_door(&self, wish: &Wish) -> Result<Steer<Action>, Option<Illegal>> {
        let (u, land) = (self.acting(), &self.field.land);
        let meant = wish.action.as_deref() == Some("enter");
        let door = land.buildings.iter().map(|&b| (b, &land.pieces[b])).find(|&(b, piece)| {
            piece.area().is_some_and(|area| area.contains(wish.place))
                && self.unit(u).garrison.map(usize::from) != Some(b)
        });
        let Some((_, piece)) = door else {
            let why = "there is no building there; point into one";
            return if meant { Ok(Steer::refused(Illegal::new("WBK-MOD-33", why))) } else { Err(None) };
        };
        match self.may_enter(u, &piece.id) {
            Ok(_) => {
                let at = piece.area().map_or(wish.place, tricorne_table::Area::centroid);
                let end = Some(Pose::new(at, f64::from(self.unit(u).facing)));
                Ok(Steer { action: Some(Action::Enter(piece.id.clone())), end, why: None })
            }
            Err(refusal) if meant => Ok(Steer::refused(refusal)),
            Err(refusal) => Err(Some(refusal)),
        }
    }

    /// A walk with the anchor as near to the place as it can end.
    pub(crate) fn steer_walk(&self, march: Marching, wish: &Wish) -> Steer<Action> {
        let u = self.acting();
        let facing = wish.facing.map(whole_degrees);
        let mut whole: Vec<Point> = wish.by.clone();
        whole.push(wish.place);
        let here = self.unit(u).anchor.point();
        if wish.by.is_empty() && here.distance(wish.place) <= THERE && self.unit(u).garrison.is_none() {
            whole.clear(); // a turn on the spot
        }
        let drag = &Drag { wish, march, left: Cell::new(TRIES) };
        let straight = self.try_walk(drag, &self.part_way(u, &whole, facing, 1.0));
        let (mut best, refusal) = match straight {
            Ok((found, walk)) => match self.short_of(wish, &found, &walk) {
                Some(why) => (Some(found), Some(why)),
                None => return Steer { action: Some(found.action), end: Some(found.end), why: None },
            },
            Err(why) => (self.shortened(drag, u, &whole, facing), Some(why)),
        };
        let enough = |best: &Option<Found>| best.as_ref().is_some_and(|b| b.off <= 0.25);
        let spent = best.as_ref().is_some_and(|b| {
            let used = b.end.at.distance(self.path_start(u, whole.first().copied()));
            used >= self.inches() * 0.97
        });
        if wish.by.is_empty() && !whole.is_empty() && !enough(&best) && !spent {
            for way in self.ways(u, wish.place, None).take(6) {
                best = Found::nearer(best, self.shortened(drag, u, &way, facing));
                if enough(&best) {
                    break;
                }
            }
        }
        if !whole.is_empty() && !enough(&best) && !spent {
            best = Found::nearer(best, self.beside(drag, u, &whole, facing));
        }
        let reached =
            best.as_ref().is_some_and(|b| b.off <= THERE && self.faces_as_wished(u, wish, b.end.facing));
        match best {
            Some(best) => Steer {
                action: Some(best.action),
                end: Some(best.end),
                why: if reached { None } else { refusal },
            },
            None => Steer::refused(refusal.unwrap_or_else(|| {
                Illegal::new(march.clause(self), "there is no legal way from here; stay put")
            })),
        }
    }

    /// A move along so much of a way, turned so much of the wished turn. Horse come to a facing by their last
    /// leg (WBK-MOD-22), so the way gets one more inch along it.
    fn part_way(&self, u: No, way: &[Point], facing: Option<u16>, part: f64) -> Go {
        let unit = self.unit(u);
        let start = self.path_start(u, way.first().copied());
        let mut path = prefix(start, way, part);
        let mut turned = facing;
        if self.card(u).class == Class::Cavalry {
            if let Some(facing) = facing {
                let end = path.last().copied().unwrap_or(start);
                let run_up = end - crate::model::base::forward(facing);
                path.pop();
                path.push(run_up.round_to(0.001));
                path.push(end.round_to(0.001));
            }
            turned = None;
        } else if unit.layout == Layout::Block {
            turned = facing.map(|f| part_of_turn(unit.facing, f, part));
        }
        Go { path, layout: None, facing: turned }
    }

    /// Judges a move, in the layout it has or in the other loose one.
    fn try_walk(&self, drag: &Drag, go: &Go) -> Result<(Found, Walk), Illegal> {
        let (wish, unit) = (drag.wish, self.unit(self.acting()));
        let mut refusal = None;
        let loose = matches!(unit.layout, Layout::Cluster | Layout::Line | Layout::Garrison);
        for layout in [None, Some(Layout::Cluster), Some(Layout::Line)] {
            if drag.left.get() == 0 {
                break;
            }
            drag.left.set(drag.left.get() - 1);
            let go = Go { layout, ..go.clone() };
            match self.try_to_walk(self.acting(), &go, self.inches(), drag.march.pace) {
                Ok(walk) => {
                    let at = match walk.exit {
                        Some(_) => walk.track.last().copied().unwrap_or_default(),
                        None => walk.anchor.point(),
                    };
                    let off = at.distance(wish.place);
                    let end = Pose::new(at, f64::from(walk.facing));
                    return Ok((Found { action: Action::Go(go), end, off }, walk));
                }
                // Only want of room is mended by standing otherwise.
                Err(hindrance) => {
                    let room = matches!(hindrance, Hindrance::Room(_));
                    refusal.get_or_insert(hindrance.into());
                    if !loose || !room {
                        break;
                    }
                }
            }
        }
        Err(refusal.unwrap_or_else(|| Illegal::new(drag.march.clause(self), "this is no move")))
    }

    /// The longest part of a way that is legal.
    fn shortened(&self, drag: &Drag, u: No, way: &[Point], facing: Option<u16>) -> Option<Found> {
        let start = self.path_start(u, way.first().copied());
        let length = length(start, way);
        // No way is longer than the allowance, so the parts beyond it need no judging.
        let most = if length > self.inches() { (self.inches() / length).min(1.0) } else { 1.0 };
        let tried =
            |part: f64| self.try_walk(drag, &self.part_way(u, way, facing, part)).ok().map(|(f, _)| f);
        let parts = (0..=CUTS).map(|cut| most * f64::from(CUTS - cut) / f64::from(CUTS));
        let worth = |part: &f64| *part >= most || part * length >= 0.05 || facing.is_some();
        furthest(parts.take_while(worth), None, (HALVINGS, 0.0), &tried)
    }

    /// A place beside the wish, when the wish itself is taken.
    fn beside(&self, drag: &Drag, u: No, way: &[Point], facing: Option<u16>) -> Option<Found> {
        let mut best: Option<Found> = None;
        for ring in [1.0, 2.0] {
            for turn in 0..8_u16 {
                let place = drag.wish.place + crate::model::base::forward(turn * 45) * ring;
                let mut other = way.to_vec();
                other.pop();
                other.push(place.round_to(0.001));
                let found = self.try_walk(drag, &self.part_way(u, &other, facing, 1.0)).ok().map(|(f, _)| f);
                best = Found::nearer(best, found);
            }
            if best.is_some() {
                break;
            }
        }
        best
    }

    fn faces_as_wished(&self, u: No, wish: &Wish, facing: f64) -> bool {
        let unit = self.unit(u);
        let faces = self.card(u).mounted || matches!(unit.layout, Layout::Line | Layout::Block | Layout::Gun);
        !faces || wish.facing.is_none_or(|f| angle::turn(f, facing).abs() <= 1.0)
    }

    /// Why a legal walk does not end as wished; none when it does.
    fn short_of(&self, wish: &Wish, found: &Found, walk: &Walk) -> Option<Illegal> {
        if walk.exit.is_some() {
            return None; // gone by its edge, which is as far as anybody can point
        }
        if let Some(piece) = walk.halted.and_then(|p| self.field.land.pieces.get(p)) {
            let why = format!("{} ({}) halts the move; it is crossed next time", piece.id, piece.kind);
            return Some(Illegal::new("WBK-MOVE-09", why));
        }
        let turned = self.faces_as_wished(self.acting(), wish, found.end.facing);
        if found.off <= THERE && turned {
            return None;
        }
        Some(Illegal::new("WBK-MOD-02", "it ends as near to that as whole thousandths and degrees allow"))
    }
}
