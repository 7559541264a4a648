//! Dragging: the legal answer that ends nearest to where a player points, and why it does not end there.
//!
//! Every answer offered has been through `judge`; nothing here says what is legal.

mod aim;
mod post;
mod route;

use std::cell::Cell;

use tricorne_game::{Illegal, Steer, Wish};
use tricorne_table::{Point, Pose, angle};

use crate::action::{Action, Go};
use crate::battle::{Deed, WbkBattle};
use crate::movement::Walk;
use crate::rulebook::Class;
use crate::state::{Layout, Stage};

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
    left: Cell<u32>,
}

/// A legal answer, where it ends, and how far that is from the wish.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) action: Action,
    pub(crate) end: Pose,
    pub(crate) off: f64,
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

impl WbkBattle {
    /// See [`tricorne_game::Battle::steer`].
    pub(crate) fn steered(&self, wish: &Wish) -> Steer<Action> {
        let whole = wish.place.is_finite() && wish.by.iter().all(|p| p.is_finite());
        if !whole || wish.facing.is_some_and(|f| !f.is_finite()) {
            return Steer::refused(Illegal::new("WBK-MOD-01", "a wish needs ordinary numbers on the table"));
        }
        if let Err(refusal) = self.wish_fits(wish) {
            return Steer::refused(refusal);
        }
        let asked = wish.action.as_deref();
        match self.state.stage {
            Stage::Move | Stage::Double | Stage::SkirmishMove { .. } => self.steer_move(wish),
            Stage::Declare | Stage::Charge => self.steer_attack(wish),
            Stage::AfterMelee if asked != Some("occupy") && self.pointed_at(wish.place).is_some() => {
                self.steer_pursuit(wish)
            }
            Stage::AfterMelee => self.steer_occupation(wish),
            Stage::Form => self.steer_form(wish),
            Stage::Deploy(side) => self.steer_place(side, wish),
            _ => Steer::refused(Illegal::new(
                self.stage_clause(),
                format!("nothing is moved by hand now; the pending decision is `{}`", self.kind()),
            )),
        }
    }

    /// Whether the wish is about the pending decision at all.
    fn wish_fits(&self, wish: &Wish) -> Result<(), Illegal> {
        if let (Some(named), Some(u)) = (wish.unit, self.asked_about())
            && named != self.id(u)
        {
            let why = format!("the decision is about {}; answer that first", self.card(u).called());
            return Err(Illegal::new(self.stage_clause(), why));
        }
        let offered: &[&str] = match self.state.stage {
            Stage::Move => &["go", "enter"],
            Stage::SkirmishMove { .. } => &["go"],
            Stage::Double => &["go", "charge"],
            Stage::Declare => &["declare"],
            Stage::Charge => &["charge"],
            Stage::Form => &["form"],
            Stage::Deploy(_) => &["place"],
            Stage::AfterMelee => &["occupy", "follow_up", "strike"],
            _ => &[],
        };
        match wish.action.as_deref() {
            Some(asked) if !offered.contains(&asked) => {
                let may = if offered.is_empty() { "nothing".to_owned() } else { offered.join(", ") };
                let why = format!("`{asked}` can't be steered in this decision; it takes {may}");
                Err(Illegal::new(self.stage_clause(), why))
            }
            _ => Ok(()),
        }
    }

    /// A move, the door of a building, or an enemy to run into At the Double.
    fn steer_move(&self, wish: &Wish) -> Steer<Action> {
        let asked = wish.action.as_deref();
        if self.state.stage == Stage::Double && asked != Some("go") {
            let pointed = self.pointed_at(wish.place).is_some();
            if asked == Some("charge") || pointed {
                let charge = self.steer_attack(wish);
                if charge.action.is_some() || asked == Some("charge") {
                    return charge;
                }
                // The enemy is out of reach: as near as a walk comes, and why it is no attack.
                let mut walk = self.steer_walk(wish);
                walk.why = charge.why.or(walk.why);
                return walk;
            }
        }
        if self.state.stage == Stage::Move && asked != Some("go") {
            let land = &self.field.land;
            let door = land.buildings.iter().copied().find(|&b| {
                land.pieces[b].area().is_some_and(|area| area.contains(wish.place))
                    && self.unit(self.acting()).garrison.map(usize::from) != Some(b)
            });
            if let Some(b) = door {
                let action = Action::Enter(land.pieces[b].id.clone());
                match self.judge(&action) {
                    Ok(_) => {
                        let at = land.pieces[b].area().map_or(wish.place, tricorne_table::Area::centroid);
                        let facing = f64::from(self.unit(self.acting()).facing);
                        return Steer { action: Some(action), end: Some(Pose::new(at, facing)), why: None };
                    }
                    Err(refusal) if asked == Some("enter") => return Steer::refused(refusal),
                    Err(refusal) => {
                        let mut walk = self.steer_walk(wish);
                        walk.why = Some(refusal);
                        return walk;
                    }
                }
            }
            if asked == Some("enter") {
                let why = "there is no building there; point into one";
                return Steer::refused(Illegal::new("WBK-MOD-33", why));
            }
        }
        self.steer_walk(wish)
    }

    /// A walk with the anchor as near to the place as it can end.
    fn steer_walk(&self, wish: &Wish) -> Steer<Action> {
        let u = self.acting();
        let facing = wish.facing.map(whole_degrees);
        let mut whole: Vec<Point> = wish.by.clone();
        whole.push(wish.place);
        let here = self.unit(u).anchor.point();
        if wish.by.is_empty() && here.distance(wish.place) <= THERE && self.unit(u).garrison.is_none() {
            whole.clear(); // a turn on the spot
        }
        let drag = &Drag { wish, left: Cell::new(TRIES) };
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
                Illegal::new(self.stage_clause(), "there is no legal way from here; stay put")
            })),
        }
    }

    fn inches(&self) -> f64 {
        f64::from(self.state.act.allowance) / 1000.0
    }

    /// A move along so much of a way, turned so much of the wished turn. Horse come to a facing by their last
    /// leg (WBK-MOD-22), so the way gets one more inch along it.
    fn part_way(&self, u: usize, way: &[Point], facing: Option<u16>, part: f64) -> Go {
        let unit = self.unit(u);
        let start = self.path_start(u, way.first().copied());
        let mut path = prefix(start, way, part);
        let mut turned = facing;
        if self.card(u).class == Class::Cavalry {
            if let Some(facing) = facing {
                let end = path.last().copied().unwrap_or(start);
                let run_up = end - crate::base::forward(facing);
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
        let other = if unit.layout == Layout::Line { Layout::Cluster } else { Layout::Line };
        for layout in [None, Some(other)] {
            if drag.left.get() == 0 {
                break;
            }
            drag.left.set(drag.left.get() - 1);
            let action = Action::Go(Go { layout, ..go.clone() });
            match self.judge(&action) {
                Ok(Deed::Go(walk)) => {
                    let at = match walk.exit {
                        Some(_) => walk.track.last().copied().unwrap_or_default(),
                        None => walk.anchor.point(),
                    };
                    let off = at.distance(wish.place);
                    let end = Pose::new(at, f64::from(walk.facing));
                    return Ok((Found { action, end, off }, walk));
                }
                Ok(_) => {}
                Err(why) => {
                    // Only want of room is mended by standing otherwise.
                    let room = matches!(
                        why.clause.as_str(),
                        "WBK-MOD-14" | "WBK-MOVE-01" | "WBK-MOVE-04" | "WBK-MOVE-11" | "WBK-MOVE-13"
                    );
                    refusal.get_or_insert(why);
                    if !loose || !room {
                        break;
                    }
                }
            }
        }
        Err(refusal.unwrap_or_else(|| Illegal::new(self.stage_clause(), "this is no move")))
    }

    /// The longest part of a way that is legal.
    fn shortened(&self, drag: &Drag, u: usize, way: &[Point], facing: Option<u16>) -> Option<Found> {
        let start = self.path_start(u, way.first().copied());
        let mut length = 0.0;
        let mut at = start;
        for &p in way {
            length += at.distance(p);
            at = p;
        }
        // No way is longer than the allowance, so the parts beyond it need no judging.
        let most = if length > self.inches() { (self.inches() / length).min(1.0) } else { 1.0 };
        let tried =
            |part: f64| self.try_walk(drag, &self.part_way(u, way, facing, part)).ok().map(|(f, _)| f);
        let mut low = most;
        let mut found = tried(most);
        if found.is_none() {
            for cut in 1..=CUTS {
                let part = most * f64::from(CUTS - cut) / f64::from(CUTS);
                if part * length < 0.05 && facing.is_none() {
                    break;
                }
                if let Some(shorter) = tried(part) {
                    (found, low) = (Some(shorter), part);
                    break;
                }
            }
            let mut high = (low + most / f64::from(CUTS)).min(most);
            if found.is_some() {
                for _ in 0..HALVINGS {
                    let middle = (low + high) * 0.5;
                    match tried(middle) {
                        Some(longer) => (found, low) = (Some(longer), middle),
                        None => high = middle,
                    }
                }
            }
        }
        found
    }

    /// A place beside the wish, when the wish itself is taken.
    fn beside(&self, drag: &Drag, u: usize, way: &[Point], facing: Option<u16>) -> Option<Found> {
        let mut best: Option<Found> = None;
        for ring in [1.0, 2.0] {
            for turn in 0..8_u16 {
                let place = drag.wish.place + crate::base::forward(turn * 45) * ring;
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

    fn faces_as_wished(&self, u: usize, wish: &Wish, facing: f64) -> bool {
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
