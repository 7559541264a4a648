//! Answers that are a place: generals, deployment, hidden units, groups that come back.

use tricorne_drill::steer::{Nearest, nearest_place, ordinary, slide_into};
use tricorne_game::{Illegal, InOrder, Steer, Wish};
use tricorne_table::{Edge, Point, Pose};

use crate::action::{Action, Place};
use crate::deployment::placing::Lot;
use crate::model::field::SevenYearsBattle;
use crate::model::ids::{GeneralIx, GroupIx, UnitIx};
use crate::model::state::{Formation, Presence, grain};
use crate::rulebook::cm;
use crate::steer::march::REACHED;

fn pair(p: Point) -> Place {
    let p = p.round_to(0.01);
    [p.x, p.y]
}

impl SevenYearsBattle {
    fn steered_place(
        &self,
        wished: Point,
        facing: f64,
        found: (Option<Point>, Option<Illegal>),
        action: impl Fn(Place) -> Action,
    ) -> Steer<Action> {
        let (place, why) = found;
        match place {
            Some(p) => {
                let end = grain(Pose { at: p, facing });
                let why = why.filter(|_| end.at.distance(wished) > REACHED);
                Steer { action: Some(action(pair(p))), end: Some(end), why }
            }
            None => Steer::refused(
                why.unwrap_or_else(|| Illegal::new("SYW-MODEL-33", "there is no room near it")),
            ),
        }
    }

    /// A general rides (SYW-GEN-15).
    pub(crate) fn steer_ride(&self, i: GeneralIx, wish: &Wish) -> Steer<Action> {
        let general = self.general(i);
        let most = self.fixed.book.general.speed;
        let way = wish.place - general.at;
        let reach = way.unit().map_or(general.at, |w| general.at + w * (most - 0.01).min(way.length()));
        let legal = |p: Point| self.judge_ride(general.id, pair(p)).map(|_| ());
        let found = if way.length() > most {
            let why = Illegal::new(
                "SYW-GEN-15",
                format!("{} rides {most:.0} cm at most and {:.1} were asked for", general.id, way.length()),
            );
            let (place, _) = nearest_place(reach, &[], &legal);
            (place, Some(why))
        } else {
            nearest_place(wish.place, &[reach], &legal)
        };
        let id = general.id;
        self.steered_place(wish.place, general.facing, found, |to| Action::General { general: id, to })
    }

    /// A new general takes over (SYW-GEN-23).
    pub(crate) fn steer_successor(&self, i: GeneralIx, wish: &Wish) -> Steer<Action> {
        let general = self.general(i);
        let way = wish.place - general.at;
        let edge = way.unit().map_or(general.at, |w| {
            general.at + w * (cm(self.distances().successor) - 0.01).min(way.length())
        });
        let mut starts = vec![edge];
        starts.extend(self.successor_place(i));
        let legal = |p: Point| self.judge_new_general(i, pair(p)).map(|_| ());
        let found = nearest_place(wish.place, &starts, &legal);
        self.steered_place(wish.place, general.facing, found, |at| Action::NewGeneral { at })
    }

    /// A unit is placed, or marked on the private map (SYW-DEPLOY, SYW-HIDE-01).
    pub(crate) fn steer_deploy(&self, u: UnitIx, lot: Lot, wish: &Wish) -> Steer<Action> {
        let unit = self.unit(u);
        let side = unit.side;
        let edge = self.s.armies[side.index().min(1)].edge;
        let facing = wish.facing.unwrap_or_else(|| Self::inwards(edge));
        if !ordinary(wish) {
            return Steer::refused(Illegal::new("SYW-DEPLOY-19", "the place needs ordinary numbers"));
        }
        let id = unit.id;
        if wish.action.as_deref() == Some("hide") {
            return self.steer_hide(u, lot, wish, facing);
        }
        let legal = |p: Point| {
            self.judge_deploy(side, lot, id, pair(p), facing, Formation::Line, None, false).map(|_| ())
        };
        let mut starts = vec![self.within_area(u, wish.place, facing)];
        // Beside those of its group who are down already (SYW-GROUP-07).
        let mine =
            crate::model::stands::formed(unit, Formation::Line, self.info(u)).extent(self.info(u).depth);
        for &v in &self.group_of(u).units {
            let mate = self.unit(v);
            if v != u && mate.is_present() {
                let e = mate.extent(self.info(v).depth);
                for across in [e.left - 0.5 - mine.width() * 0.5, e.right + 0.5 + mine.width() * 0.5] {
                    starts.push(mate.pose().to_world(Point::new(across, 0.0)));
                }
            }
        }
        let found = nearest_place(wish.place, &starts, &legal);
        self.steered_place(wish.place, facing, found, |at| Action::Deploy {
            unit: id,
            at,
            facing,
            formation: Formation::Line,
            order: None,
        })
    }

    fn steer_hide(&self, u: UnitIx, lot: Lot, wish: &Wish, facing: f64) -> Steer<Action> {
        let (id, side) = (self.unit(u).id, self.unit(u).side);
        let mut lairs: Vec<_> = self.fixed.pieces.iter().filter(|p| p.conceals).collect();
        lairs.put_in_order(|a, b| {
            let far = |p: &crate::terrain::ground::Piece| {
                let inside = p.area().is_some_and(|a| a.contains(wish.place));
                if inside { 0.0 } else { p.middle.distance(wish.place) }
            };
            far(a).total_cmp(&far(b))
        });
        let mut refused = Illegal::new("SYW-VIS-02", "there is no ground on this table that conceals");
        for lair in lairs.iter().take(2) {
            let legal = |p: Point| {
                self.judge_hide(side, lot, id, &lair.id, pair(p), facing, Formation::Line).map(|_| ())
            };
            let found = nearest_place(wish.place, &[lair.middle], &legal);
            if found.0.is_some() {
                return self.steered_place(wish.place, facing, found, |at| Action::Hide {
                    unit: id,
                    terrain: lair.id.clone(),
                    at,
                    facing,
                    formation: Formation::Line,
                });
            }
            if let Some(why) = found.1 {
                refused = why;
            }
        }
        Steer::refused(refused)
    }

    /// The place in its own deployment area nearest to a wished one, for a unit in line.
    fn within_area(&self, u: UnitIx, place: Point, facing: f64) -> Point {
        let unit = crate::model::stands::formed(self.unit(u), Formation::Line, self.info(u));
        let pose = Pose { at: place, facing };
        let b = crate::model::footprints::join_bounds(&self.rects_at(&unit, pose));
        let area = self.deployment_bounds(unit.side);
        place + slide_into(&area, &b)
    }

    /// A general is placed (SYW-DEPLOY-20).
    pub(crate) fn steer_deploy_general(&self, i: GeneralIx, lot: Lot, wish: &Wish) -> Steer<Action> {
        let general = self.general(i);
        let (id, side) = (general.id, general.side);
        let area = self.deployment_bounds(side);
        let inside = Point::new(
            wish.place.x.clamp(area.min.x + 2.0, (area.max.x - 2.0).max(area.min.x + 2.0)),
            wish.place
                .y
                .clamp(area.min.y + general.depth, (area.max.y - general.depth).max(area.min.y + 3.0)),
        );
        let legal = |p: Point| self.judge_deploy_general(side, lot, id, pair(p)).map(|_| ());
        let found = nearest_place(wish.place, &[inside], &legal);
        let facing = Self::inwards(self.s.armies[side.index().min(1)].edge);
        self.steered_place(wish.place, facing, found, |at| Action::DeployGeneral { general: id, at })
    }

    /// A hidden unit is set down, or steals away (SYW-HIDE-05, -06).
    pub(crate) fn steer_hidden(&self, u: UnitIx, wish: &Wish) -> Steer<Action> {
        let unit = self.unit(u);
        let id = unit.id;
        let lair = unit.lair.and_then(|l| self.fixed.pieces.get(usize::from(l)));
        let inside = |p: &crate::terrain::ground::Piece| p.area().is_some_and(|a| a.contains(wish.place));
        let elsewhere =
            self.fixed.pieces.iter().find(|p| p.conceals && inside(p) && lair.is_none_or(|l| l.id != p.id));
        if wish.action.as_deref() == Some("steal") || (wish.action.is_none() && elsewhere.is_some()) {
            let Some(piece) = elsewhere else {
                return Steer::refused(Illegal::new(
                    "SYW-HIDE-06",
                    "point at another piece of ground that conceals",
                ));
            };
            let legal = |p: Point| self.judge_steal(id, &piece.id, pair(p)).map(|_| ());
            let found = nearest_place(wish.place, &[], &legal);
            return self.steered_place(wish.place, unit.facing, found, |at| Action::Steal {
                unit: id,
                terrain: piece.id.clone(),
                at,
            });
        }
        let legal = |p: Point| self.judge_reveal(id, Some(pair(p)), wish.facing, None).map(|_| ());
        let found = nearest_place(wish.place, &[unit.at], &legal);
        let facing = wish.facing.unwrap_or(unit.facing);
        self.steered_place(wish.place, facing, found, |at| Action::Reveal {
            unit: id,
            at: Some(at),
            facing: wish.facing,
            formation: None,
        })
    }

    /// A group comes back to the table (SYW-OFF-09). The steered place is that of its first unit.
    pub(crate) fn steer_return(&self, g: GroupIx, wish: &Wish) -> Steer<Action> {
        let Some(off) = self.group(g).off else {
            return Steer::refused(Illegal::new(
                "SYW-OFF-09",
                format!("{} is on the table", self.group(g).id),
            ));
        };
        let (width, depth) = (self.fixed.table.width(), self.fixed.table.depth());
        let edge = if off.either {
            if wish.place.x < width * 0.5 { Edge::West } else { Edge::East }
        } else {
            off.edge
        };
        let on_edge = |p: Point| match edge {
            Edge::North => Point::new(p.x, depth),
            Edge::South => Point::new(p.x, 0.0),
            Edge::East => Point::new(width, p.y),
            Edge::West => Point::new(0.0, p.y),
        };
        let named = Some(edge).filter(|_| off.either);
        let (mut refused, mut best) = (None, Nearest::within(0.01));
        for formation in [Formation::Line, Formation::Column1, Formation::Column2] {
            let place = |p: Point| self.judge_place(g, pair(on_edge(p)), formation, named);
            let middle = if off.march { self.middle_of_strip(g) } else { off.at };
            let legal = |p: Point| place(p).map(|_| ());
            let (found, why) = nearest_place(on_edge(wish.place), &[on_edge(middle)], &legal);
            refused = refused.or(why);
            // The place named is the middle of the group; the wish is about its first unit.
            let beside = found.and_then(|p| {
                let placed = place(p).ok()?;
                Some(p + (wish.place - placed.first()?.1.at))
            });
            for p in found.into_iter().chain(beside) {
                let Ok(placed) = place(p) else { continue };
                let Some(end) = placed.first().map(|(_, new)| grain(new.pose())) else { continue };
                let action = Action::Place { at: pair(on_edge(p)), formation, edge: named };
                best.keep(end.at.distance(wish.place), (action, end));
            }
        }
        let far = best.off();
        let Some((action, end)) = best.found() else {
            let none = || Illegal::new("SYW-OFF-11", "there is no room on the edge");
            return Steer::refused(refused.unwrap_or_else(none));
        };
        let edge = || Illegal::new("SYW-OFF-09", "it is set down with its rear on the edge");
        let why = (far > REACHED).then(|| refused.unwrap_or_else(edge));
        Steer { action: Some(action), end: Some(end), why }
    }

    /// The middle of the part of a side edge by which a flank march comes (SYW-DEPLOY-18).
    pub(crate) fn middle_of_strip(&self, g: GroupIx) -> Point {
        let enemy = self.group(g).side.enemy();
        Point::new(0.0, self.deployment_bounds(enemy).centre().y)
    }

    /// Troops make room (SYW-OFF-10).
    pub(crate) fn steer_room(&self, u: UnitIx, g: GroupIx, wish: &Wish) -> Steer<Action> {
        let facing = wish.facing.unwrap_or(self.unit(u).facing);
        if !ordinary(wish) {
            return Steer::refused(Illegal::new("SYW-OFF-10", "the place needs ordinary numbers"));
        }
        let starts: Vec<Point> = self.default_room(u, g).map(|p| p.at).into_iter().collect();
        let legal = |p: Point| self.judge_room(u, g, pair(p), facing).map(|_| ());
        let found = nearest_place(wish.place, &starts, &legal);
        self.steered_place(wish.place, facing, found, |at| Action::MakeRoom { at, facing })
    }

    /// Cavalry or lights in melee: the free stand that can stand nearest to the place (SYW-MOVE-16).
    pub(crate) fn steer_stand(&self, u: UnitIx, wish: &Wish) -> Steer<Action> {
        let unit = self.unit(u);
        let to = unit.pose().to_local(wish.place);
        let mut refused = Illegal::new("SYW-MOVE-16", format!("{} has no stand to rearrange", unit.id));
        let mut best: Option<(f64, Action)> = None;
        for stand in 0..unit.strength() as u8 {
            // Touching another stand along an edge leaves few places: those beside and behind each other stand.
            let depth = self.info(u).depth;
            for other in 0..unit.strength() {
                let s = unit.stands[other];
                let beside = [(-4.0, 0.0), (4.0, 0.0), (0.0, -depth), (0.0, depth)];
                for (du, dv) in beside {
                    let place = Point::new(s.u + du, s.v + dv);
                    let off = place.distance(to);
                    if usize::from(stand) == other || best.as_ref().is_some_and(|b| off >= b.0) {
                        continue;
                    }
                    match self.judge_rearrange(unit.id, stand, [place.x, place.y]) {
                        Ok(_) => {
                            let to = [place.x, place.y];
                            best = Some((off, Action::Rearrange { unit: unit.id, stand, to }));
                        }
                        Err(why) => refused = why,
                    }
                }
            }
        }
        match best {
            Some((off, action)) => Steer {
                action: Some(action),
                end: Some(unit.pose()),
                why: (off > REACHED).then(|| {
                    Illegal::new("SYW-GROUP-11", "a stand must touch another of its unit along an edge")
                }),
            },
            None => Steer::refused(refused),
        }
    }

    /// Whether a unit still waits to be placed.
    pub(crate) fn is_waiting(&self, u: UnitIx) -> bool {
        self.unit(u).presence == Presence::Waiting
    }
}
