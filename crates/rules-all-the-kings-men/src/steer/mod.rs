//! The legal answer nearest to where a player points: moves, charges, deployment, rides, reforming, splitting. Whatever
//! is offered here has passed the one judge.

mod charge;
mod march;

pub(crate) use march::{Led, Trouble};

use tricorne_drill::steer::{self, Nearest, in_rings, slide_into};
use tricorne_drill::{Question, refuse};
use tricorne_game::{Illegal, Seat, Steer, Wish};
use tricorne_table::{Bounds, Point, Pose, Shape, angle};

use crate::action::{Action, Part};
use crate::activation::act::{Act, Deed};
use crate::field::Engagement;
use crate::formations::{Formation, SHAPES};
use crate::rulebook::Kind;
use crate::setup::deploy::Spot;
use crate::state::{Activation, Unit, UnitNo, base_at};

/// As near as a player can point.
const NEAR: f64 = 0.05;

/// Places in actions are thousandths of an inch, so that they read back the same from text.
pub(crate) fn neat(p: Point) -> Point {
    p.round_to(0.001)
}

/// Facings in actions are hundredths of a degree.
pub(crate) fn neat_facing(degrees: f64) -> f64 {
    angle::normalise((degrees * 100.0).round() / 100.0)
}

fn pose(unit: &Unit) -> Pose {
    Pose { at: unit.at, facing: unit.facing }
}

/// How far an end is from what was wished: inches, and fifty degrees of facing for one of them.
fn amiss(end: &Unit, place: Point, facing: Option<f64>) -> f64 {
    end.at.distance(place) + facing.map_or(0.0, |f| 0.02 * angle::turn(end.facing, f).abs())
}

/// What is offered, with the refusal of the wish itself unless it was met.
fn offer(action: Action, end: Pose, wish: &Wish, why: Option<Illegal>) -> Steer<Action> {
    steer::offer(action, end, wish, (NEAR, 0.5), why)
}

impl Engagement {
    /// D1, D14: the nearest place where a unit that is set up fits.
    pub(crate) fn steer_placing(&self, no: UnitNo, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        ordinary(wish)?;
        let unit = self.unit(no);
        let facing = neat_facing(wish.facing.unwrap_or(unit.facing));
        let judged = |at: Point, shape: Formation| {
            self.judge_placing(no, Spot { at, facing, shape }.into()).map(|_| ())
        };
        let offered = |at: Point, shape: Formation, why: Option<Illegal>| {
            offer(self.placed(no, Spot { at, facing, shape }), Pose { at, facing }, wish, why)
        };
        let wanted = neat(wish.place);
        let Err(why) = judged(wanted, unit.formation) else {
            return Ok(offered(wanted, unit.formation, None));
        };
        let (zone, by) = self.room_of(no);
        let boxes = zone.boxes(by);
        let near = |shape: Formation| {
            self.judge_shape(unit, shape).ok()?;
            let mut stands = *unit;
            stands.formation = shape;
            stands.set_pose(wanted, facing);
            if stands.is_skirmish_line() {
                stands.spots = self.wanted_spots(&stands, Some(&crate::formations::Spread::Line)).ok()?;
            }
            let mut covered = Bounds::NOTHING;
            for r in stands.footprint(self.rules()) {
                covered = covered.join(&Shape::Rect(r).bounds());
            }
            // Into whichever area lies nearest.
            let slides = boxes.iter().map(|zone| slide_into(zone, &covered));
            let slide = slides.min_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or(Point::ORIGIN);
            nearest_in_rings(wanted + slide, wanted, 24, |at| judged(at, shape).is_ok())
        };
        // Its own shape if that comes near; else one that fits at the very place; else the first with any room.
        let own = near(unit.formation);
        if let Some(at) = own.filter(|at| at.distance(wanted) <= 0.5) {
            return Ok(offered(at, unit.formation, Some(why)));
        }
        if let Some(shape) = SHAPES.into_iter().find(|&s| judged(wanted, s).is_ok()) {
            return Ok(offered(wanted, shape, Some(why)));
        }
        let others = || SHAPES.into_iter().find_map(|s| near(s).map(|at| (at, s)));
        match own.map(|at| (at, unit.formation)).or_else(others) {
            Some((at, shape)) => Ok(offered(at, shape, Some(why))),
            None => Err(why),
        }
    }

    /// D2.
    pub(crate) fn steer_place_general(&self, seat: Seat, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        ordinary(wish)?;
        let wanted = neat(wish.place);
        let offered = |at: Point, why| {
            offer(Action::PlaceGeneral { at }, Pose { at, facing: 0.0 }, &without_facing(wish), why)
        };
        let why = match self.judge_place_general(seat, wanted) {
            Ok(()) => return Ok(offered(wanted, None)),
            Err(why) => why,
        };
        let base = Shape::Rect(base_at(self.rules(), wanted)).bounds();
        let zones = self.zone_boxes(self.army_of(seat));
        let slides = zones.iter().map(|zone| slide_into(zone, &base));
        let start = wanted + slides.min_by(|a, b| a.length().total_cmp(&b.length())).unwrap_or(Point::ORIGIN);
        let fits = |at: Point| self.judge_place_general(seat, at).is_ok();
        match nearest_in_rings(start, wanted, 24, fits).or_else(|| self.some_general_place(seat)) {
            Some(at) => Ok(offered(at, Some(why))),
            None => Err(why),
        }
    }

    /// D9, D13: a general rides as far as he may towards the place.
    pub(crate) fn steer_ride(&self, seat: Seat, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        ordinary(wish)?;
        let wanted = neat(wish.place);
        let judged = |to: Point| self.judge_ride(seat, to);
        let offered = |to: Point, why| {
            offer(Action::MoveGeneral { to }, Pose { at: to, facing: 0.0 }, &without_facing(wish), why)
        };
        let Err(why) = judged(wanted) else { return Ok(offered(wanted, None)) };
        if let Some(to) = self.ride_towards(seat, wanted)
            && judged(to).is_ok()
        {
            return Ok(offered(to, Some(why)));
        }
        Err(why)
    }

    /// The place nearest to a wish where a general may ride to now.
    pub(crate) fn ride_towards(&self, seat: Seat, wanted: Point) -> Option<Point> {
        let general = self.state.generals.get(seat.index()).filter(|g| g.present())?;
        let ride = self.rules().general.ride;
        let way = wanted - general.at;
        let start = if way.length() > ride { neat(general.at + way * (ride / way.length())) } else { wanted };
        let start = {
            let base = Shape::Rect(base_at(self.rules(), start)).bounds();
            neat(start + slide_into(&self.land().table.bounds(), &base))
        };
        let fits = |to: Point| self.judge_ride(seat, to).is_ok();
        nearest_in_rings(start, wanted, 16, fits).or_else(|| {
            // Nothing near there: come as far along the line as may be.
            (1..16).rev().map(|k| neat(general.at.lerp(start, f64::from(k) / 16.0))).find(|&to| fits(to))
        })
    }

    /// D10.
    pub(crate) fn steer_part(&self, a: &Activation, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        ordinary(wish)?;
        let unit = self.unit(a.unit);
        if let Some(id) = wish.unit.filter(|&id| id != unit.id) {
            return refuse("ATKM-ACT-01", format!("{} is being activated, not {id}", unit.id));
        }
        match wish.action.as_deref() {
            Some("move") => self.steer_move(a, wish),
            Some("charge") => self.steer_charge(a, wish),
            Some("reform") => self.steer_reform(a, wish),
            Some("split") => self.steer_split(a, wish),
            Some(other) => refuse(
                "ATKM-ACT-01",
                format!("`{other}` has no place to drag to; drag a move, charge, reform or split"),
            ),
            None if unit.is_mob() && !a.begun() => self.steer_reform(a, wish),
            None => {
                // Pointing at an enemy means to charge him; if that is not to be, to come near.
                let able = Self::judge_charge_slot(a).is_ok() && Self::judge_charger(unit).is_ok();
                if able && self.charged_by(unit, wish.place, 0.6).is_some() {
                    return match self.steer_charge(a, wish) {
                        Ok(charge) => Ok(charge),
                        Err(why) => {
                            let moved = self.steer_move(a, wish).map_err(|_| why.clone())?;
                            Ok(Steer { why: Some(why), ..moved })
                        }
                    };
                }
                let moved = self.steer_move(a, wish);
                // A long line touches with a wing while its middle is still clear of the enemy.
                let short = |s: &Steer<Action>| s.end.is_none_or(|e| e.at.distance(wish.place) > 0.5);
                let wing = unit.extent(self.rules()).0 / 2.0 + 0.6;
                if able
                    && moved.as_ref().map_or(true, short)
                    && self.charged_by(unit, wish.place, wing).is_some()
                    && let Ok(charge) = self.steer_charge(a, wish)
                    && !short(&charge)
                {
                    return Ok(charge);
                }
                moved
            }
        }
    }

    /// A mob falls in facing as wished, in the shape that ends nearest to the place.
    fn steer_reform(&self, a: &Activation, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        let unit = self.unit(a.unit);
        let on_the_spot = wish.place.distance(unit.at) <= NEAR;
        let facing = neat_facing(match wish.facing {
            Some(f) => f,
            None if on_the_spot => unit.facing,
            None => angle::bearing(unit.at, wish.place),
        });
        let usual = match unit.kind {
            Kind::Infantry => Formation::Line(2),
            Kind::Cavalry => Formation::Line(1),
            _ => Formation::Loose,
        };
        let judged = |shape: Formation, facing: f64| {
            let action = Action::Reform { shape, facing: Some(facing) };
            match Act(*a).judge(self, &action) {
                Ok(Deed::Reform(end)) => Ok((action, end)),
                Ok(_) => refuse("ATKM-MOB-01", "only a mob reforms"),
                Err(why) => Err(why),
            }
        };
        let stays = Illegal::new("ATKM-MOB-04", "a mob falls in about the place where it stands");
        let why = match judged(usual, facing) {
            Ok((action, end)) if on_the_spot || wish.facing.is_none() => {
                return Ok(offer(action, pose(&end), wish, Some(stays)));
            }
            Ok(_) => stays,
            Err(why) => why,
        };
        let mut best = Nearest::within(1e-9);
        for turn in [0.0, 15.0, -15.0, 30.0, -30.0, 60.0, -60.0, 90.0, -90.0, 180.0] {
            for shape in std::iter::once(usual).chain(SHAPES.into_iter().filter(|&s| s != usual)) {
                if let Ok((action, end)) = judged(shape, neat_facing(facing + turn)) {
                    best.keep(amiss(&end, wish.place, Some(facing)), (action, end));
                }
            }
            if best.off().is_finite() {
                break;
            }
        }
        match best.found() {
            Some((action, end)) => Ok(offer(action, pose(&end), wish, Some(why))),
            None => Err(why),
        }
    }

    /// ATKM-ADV-02: the parts stand side by side about the place.
    fn steer_split(&self, a: &Activation, wish: &Wish) -> Result<Steer<Action>, Illegal> {
        let unit = self.unit(a.unit);
        let [least, most] = self.rules().advanced.light_part;
        let count = unit.n.div_ceil(most.max(1)).max(2);
        let middle = unit.middle(self.rules());
        let reach = self.rules().advanced.light_apart;
        let right = angle::right(unit.facing);
        let parts = |centre: Point, apart: f64| -> Vec<Part> {
            (0..count)
                .map(|i| {
                    let n = unit.n / count + u8::from(i < unit.n % count);
                    let off = (f64::from(i) - (f64::from(count) - 1.0) / 2.0) * apart;
                    Part { n, at: neat(centre + right * off) }
                })
                .collect()
        };
        let mut why = None;
        let start = {
            let way = wish.place - middle;
            if way.length() > reach { middle + way * (reach / way.length()) } else { wish.place }
        };
        for share in [1.0, 0.75, 0.5, 0.25, 0.0] {
            for apart in [2.0 * f64::from(most), 8.0, 6.0, f64::from(least)] {
                let centre = middle.lerp(start, share);
                let parts = parts(centre, apart);
                match self.judge_split(a, &parts) {
                    Ok(_) => {
                        let action = Action::Split { parts };
                        let end = Pose { at: neat(centre), facing: unit.facing };
                        let moved =
                            Illegal::new("ATKM-ADV-02", format!("parts stand within {reach} of the unit"));
                        return Ok(offer(action, end, &without_facing(wish), why.or(Some(moved))));
                    }
                    Err(refused) => why = why.or(Some(refused)),
                }
            }
        }
        Err(why.unwrap_or_else(|| Illegal::new("ATKM-ADV-02", "it does not go apart now")))
    }
}

/// Numbers that are none point nowhere.
fn ordinary(wish: &Wish) -> Result<(), Illegal> {
    if steer::ordinary(wish) {
        return Ok(());
    }
    refuse(
        "ATKM-MOVE-22",
        "a place needs two ordinary numbers, x and y in inches, and a facing is in degrees",
    )
}

/// Generals look where they like.
fn without_facing(wish: &Wish) -> Wish {
    Wish { facing: None, ..wish.clone() }
}

/// The fitting place nearest to a wish in rings of half inches round a start.
fn nearest_in_rings(start: Point, wanted: Point, rings: u32, fits: impl Fn(Point) -> bool) -> Option<Point> {
    in_rings(neat(start), wanted, (0.5, rings), &|at| fits(neat(at))).map(neat)
}
