//! Steering where a unit is put rather than where it walks: free deployment, forming Close Order, taking over an
//! obstacle.

use tricorne_drill::Question;
use tricorne_drill::steer::nearest_place;
use tricorne_game::{Illegal, InOrder, Side, Steer, Wish};
use tricorne_table::{Point, Pose};

use super::{Found, THERE, whole_degrees};
use crate::action::{Action, Form, Occupy, Place};
use crate::attack::after_melee::AfterMelee;
use crate::battle::Fray;
use crate::model::base::{CONTACT, FIGURE};
use crate::movement::bearing;
use crate::options::FormCloseMove;
use crate::state::{Layout, Spot};

impl Fray {
    /// An answer that puts a unit down, with where it would stand.
    fn post_found(action: Action, at: Spot, facing: u16, wish: Point) -> Found {
        let at = at.point();
        Found { action, end: Pose::new(at, f64::from(facing)), off: at.distance(wish) }
    }

    fn posted(best: Option<Found>, turned: bool, refusal: Option<Illegal>, else_: Illegal) -> Steer<Action> {
        match best {
            Some(best) => {
                let why = if best.off <= THERE && turned { None } else { refusal };
                Steer { action: Some(best.action), end: Some(best.end), why }
            }
            None => Steer::refused(refusal.unwrap_or(else_)),
        }
    }

    /// A unit put into its strip (WBK-SCEN-04), as near to the place as there is room.
    pub(crate) fn steer_place(&self, side: Side, wish: &Wish) -> Steer<Action> {
        let u = match wish.unit {
            Some(id) => match self.find(id).filter(|&u| self.waits_for_place(u, side)) {
                Some(u) => u,
                None => {
                    let why = format!("`{id}` is no unit of yours still to be placed");
                    return Steer::refused(Illegal::new("WBK-SCEN-04", why));
                }
            },
            None => match self.waiting(side).next() {
                Some(u) => u,
                None => {
                    return Steer::refused(Illegal::new("WBK-SCEN-04", "no unit of yours waits for a place"));
                }
            },
        };
        let unit = self.id(u);
        let facing = wish.facing.map(whole_degrees);
        let layouts: &[Option<Layout>] =
            if self.card(u).is_crewed() { &[None] } else { &[None, Some(Layout::Line)] };
        let tried = |at: Point| -> Result<Found, Illegal> {
            let mut refusal = None;
            for &layout in layouts {
                let place = Place { unit, at: at.round_to(0.001), layout, facing };
                match self.judge_place(side, &place) {
                    Ok((_, spot, facing, ..)) => {
                        return Ok(Self::post_found(Action::Place(place), spot, facing, wish.place));
                    }
                    Err(why) => {
                        refusal.get_or_insert(why);
                    }
                }
            }
            Err(refusal.unwrap_or_else(|| Illegal::new("WBK-SCEN-04", "there is no room there")))
        };
        let strip = self.strip(side);
        let margin = if self.card(u).is_crewed() { 1.0 } else { FIGURE };
        let inside = Point::new(
            wish.place.x.clamp(strip.min.x + margin, strip.max.x - margin),
            wish.place.y.clamp(strip.min.y + margin, strip.max.y - margin),
        );
        let (place, refusal) = nearest_place(wish.place, &[inside], &|at| tried(at).map(|_| ()));
        let best = place.and_then(|at| tried(at).ok());
        let none = Illegal::new("WBK-SCEN-04", "there is no room for it in the strip");
        Self::posted(best, true, refusal, none)
    }

    /// Forming Close Order (WBK-CLOSE-16): the way the block faces, and where its anchor shifts to make room.
    pub(crate) fn steer_form(&self, wish: &Wish) -> Steer<Action> {
        let u = self.acting();
        let unit = self.unit(u);
        let here = unit.anchor.point();
        let way = wish.place - here;
        let most = if self.field.options.form_close_move == FormCloseMove::HalfMove {
            f64::from(self.card(u).pace / 2) / 1000.0
        } else {
            self.field.rulebook.charts.close_order.shift
        };
        // Without a facing of its own a wish beyond the shift is a wish to face that way.
        let beyond = way.length() > most + THERE;
        let facing = match wish.facing {
            Some(f) => whole_degrees(f),
            None if beyond => bearing(way),
            None => unit.facing,
        };
        let at = match way.unit() {
            Some(_) if beyond && wish.facing.is_none() => here,
            Some(aim) => here + aim * way.length().min(most - 0.001).max(0.0),
            None => here,
        };
        let mut refusal = None;
        let mut best = None;
        for place in [at, here, here.midpoint(at)] {
            for turn in [0, 5, -5, 15, -15, 30, -30, 60, -60, 90, -90, 180_i32] {
                let facing = (i32::from(facing) + turn).rem_euclid(360) as u16;
                let at = (place.distance(here) > 1e-6).then(|| place.round_to(0.001));
                let form = Form { facing, at };
                match self.form(u, &form) {
                    Ok((spot, _)) => {
                        let found = Self::post_found(Action::Form(form), spot, facing, wish.place);
                        best = Found::nearer(best, Some(found));
                        break;
                    }
                    Err(why) => {
                        refusal.get_or_insert(why);
                    }
                }
            }
            if best.as_ref().is_some_and(|b| b.off <= THERE) {
                break;
            }
        }
        let turned = best.as_ref().is_some_and(|b| whole_degrees(b.end.facing) == facing);
        if refusal.is_none() && beyond {
            let why = format!("the anchor may shift {most}\" to make room");
            refusal = Some(Illegal::new("WBK-CLOSE-16", why));
        }
        let none = Illegal::new("WBK-CLOSE-16", "there is no room to form here");
        let mut steer = Self::posted(best, turned, refusal, none);
        if turned && beyond && wish.facing.is_none() {
            steer.why = None; // the facing was the wish
        }
        steer
    }

    /// Taking over the obstacle or building the loser defended (WBK-ATT-37, 38).
    pub(crate) fn steer_occupation(&self, won: &AfterMelee, wish: &Wish) -> Steer<Action> {
        let u = self.acting();
        let Some((number, piece)) =
            won.defended.map(|p| (usize::from(p), &self.field.land.pieces[usize::from(p)]))
        else {
            let why = "the loser defended no obstacle and no building; follow up or stay";
            return Steer::refused(Illegal::new("WBK-ATT-37", why));
        };
        if piece.building {
            let action = Action::Occupy(Occupy { building: Some(piece.id.clone()), ..Occupy::default() });
            let at = piece.area().map_or(wish.place, tricorne_table::Area::centroid);
            return match won.judge(self, &action) {
                Ok(_) => Steer {
                    action: Some(action),
                    end: Some(Pose::new(at, f64::from(self.unit(u).facing))),
                    why: None,
                },
                Err(why) => Steer::refused(why),
            };
        }
        let Some(line) = piece.line() else {
            return Steer::refused(Illegal::new("WBK-ATT-38", "there is nothing to take over"));
        };
        let asked = wish.facing.map(whole_degrees);
        let tried = |at: Point, facing: u16, layout: Layout| {
            let at = at.round_to(0.001);
            self.may_occupy(u, number, won.ground, Spot::of(at), layout, facing).map(|_| {
                let (layout, at_) = (Some(layout), Some(at));
                let occupy = Occupy { building: None, at: at_, layout, facing: Some(facing) };
                Self::post_found(Action::Occupy(occupy), Spot::of(at), facing, wish.place)
            })
        };
        let usual = asked.unwrap_or(self.unit(u).facing);
        let mut refusal = None;
        for layout in [Layout::Line, Layout::Cluster] {
            match tried(wish.place, usual, layout) {
                Ok(found) => return Self::posted(Some(found), true, None, Illegal::new("WBK-ATT-38", "")),
                Err(why) => {
                    refusal.get_or_insert(why);
                }
            }
        }
        // Along the obstacle on both its sides, nearest to the wish first.
        let reach = if self.card(u).mounted { 1.0 } else { FIGURE + CONTACT };
        let mut places: Vec<(f64, Point, u16)> = Vec::new();
        for segment in line.segments() {
            let Some(along) = segment.way().unit() else { continue };
            let near = segment.nearest(wish.place);
            for side in [1.0, -1.0] {
                let normal = along.quarter_left() * side;
                for slip in [0.0, 1.0, -1.0, 2.0, -2.0, 3.5, -3.5] {
                    let at = near + along * slip + normal * reach;
                    if at.distance(won.ground.point()) <= self.field.rulebook.charts.near.ground_of_the_loser
                    {
                        places.push((at.distance(wish.place), at, bearing(normal * -1.0)));
                    }
                }
            }
        }
        if let Some((at, _, facing)) = self.some_occupation(u, number, won.ground) {
            places.push((at.point().distance(wish.place), at.point(), facing));
        }
        places.put_in_order(|a, b| a.0.total_cmp(&b.0));
        let mut best = None;
        for (_, at, facing) in places {
            for layout in [Layout::Line, Layout::Cluster] {
                let facing = asked.unwrap_or(facing);
                best = Found::nearer(best, tried(at, facing, layout).ok());
            }
            if best.is_some() {
                break;
            }
        }
        Self::posted(best, true, refusal, Illegal::new("WBK-ATT-38", "there is no room at the obstacle"))
    }
}
