//! The table of a file: its ground, what is fought over, where armies and late arrivals are set up.

use tricorne_drill::scenario::Plot;
use tricorne_game::{Fault, Place, Purpose};
use tricorne_table::{Edge, Ground, Line, Point, Segment, Table, within};

use crate::field::Objective;
use crate::movement::terrain::{Feature, Land, Moving, Outline, Sight};
use crate::options::Options;
use crate::setup::Clerk;
use crate::setup::arrive::Arrival;
use crate::setup::scenario::BattleFile;
use crate::setup::zone::{self, Zone};

impl Clerk<'_> {
    pub(super) fn table(&self, written: &BattleFile) -> Result<Table, Fault> {
        let (w, d) = (written.table.width(), written.table.depth());
        if !(24.0..=240.0).contains(&w) || !(24.0..=240.0).contains(&d) {
            return self
                .fault(&["table".into()], format!("is {w} by {d}; expected 24 to 240 inches each way"));
        }
        Ok(written.table)
    }

    pub(super) fn land(&self, written: &BattleFile, table: Table) -> Result<Land, Fault> {
        let mut features = Vec::new();
        for (i, t) in written.terrain.iter().enumerate() {
            let own = &t.own;
            let place = |field: &str| [Place::from("terrain"), i.into(), field.into()];
            let Some(kind) = self.rules.ground.kind.get(&t.kind) else {
                let all: Vec<&str> = self.rules.ground.kind.keys().map(String::as_str).collect();
                return self.fault(
                    &place("kind"),
                    format!("`{}` is no kind of ground; expected one of {}", t.kind, all.join(", ")),
                );
            };
            let ground = match (kind.shape, &t.area) {
                (Outline::Area, Some(area)) => Ground::Area(area.clone()),
                (Outline::Line, None) => Line::new(straightened(&t.line))
                    .map(Ground::Line)
                    .map_err(|e| self.file.fault(&place("line"), format!("{e}; give the points in order")))?,
                (Outline::Area, None) => {
                    let why = format!("`{}` covers ground; give its corners as `outline`", t.kind);
                    return self.fault(&place("line"), why);
                }
                (Outline::Line, Some(_)) => {
                    let why = format!("`{}` is a line; give its points as `line`", t.kind);
                    return self.fault(&place("outline"), why);
                }
            };
            let moving = own.moving.unwrap_or(kind.moving);
            let peak = match (&ground, own.peak) {
                (_, Some(p)) if !p.is_finite() => {
                    return self.fault(&place("peak"), "has a number that is none");
                }
                (_, Some(p)) => Some(p),
                (Ground::Area(area), None) if [moving, kind.moving].contains(&Moving::Uphill) => {
                    Some(area.centroid())
                }
                _ => None,
            };
            if let (Ground::Area(area), Moving::Road) = (&ground, moving)
                && !area.is_convex()
            {
                return self.fault(
                    &place("outline"),
                    "a piece of road must have no corner pointing inwards; lay a bent road in several pieces",
                );
            }
            features.push(Feature {
                id: t.id.clone(),
                kind: t.kind.clone(),
                bounds: ground.bounds(),
                ground,
                moving,
                sight: if own.opaque { Sight::Blocks } else { own.sight.unwrap_or(kind.sight) },
                cover: own.cover.unwrap_or(kind.cover),
                melee_cover: own.melee_cover.unwrap_or(kind.melee_cover),
                look: kind.look,
                peak,
            });
        }
        Ok(Land {
            table,
            features,
            woods_depth: self.rules.ground.woods_depth,
            cover_reach: self.rules.cover.reach,
        })
    }

    pub(super) fn objectives(&self, written: &BattleFile) -> Result<Vec<Objective>, Fault> {
        let mut out = Vec::new();
        for (i, o) in written.objectives.iter().enumerate() {
            let fault =
                |key: &str, why: &str| self.file.fault(&["objective".into(), i.into(), key.into()], why);
            let score = || match o.points {
                Some(n) if n.fract() == 0.0 && n.abs() <= 10_000.0 => Ok(n as i32),
                _ => Err(fault("points", "is missing or no whole number; say what it scores")),
            };
            let area = || match o.zone.as_slice() {
                [plot] => Ok(plot.area.clone()),
                _ => Err(fault("zone", "is one piece of ground: [{ polygon = [[0, 0], [9, 0], [5, 7]] }]")),
            };
            let spare = [
                ("at", o.at.is_some(), o.kind == "hold"),
                ("within", o.within.is_some(), o.kind == "hold"),
                ("zone", !o.zone.is_empty(), o.kind != "hold"),
                ("points", o.points.is_some(), o.kind != "seize"),
                ("from", o.own.from.is_some(), o.kind == "occupy"),
            ];
            out.push(match o.kind.as_str() {
                "hold" => Objective::Hold {
                    at: o.at.ok_or_else(|| fault("at", "is missing; say where"))?,
                    radius: o.within.ok_or_else(|| fault("within", "is missing; say how near"))?,
                    score: score()?,
                },
                "seize" => Objective::Seize { area: area()? },
                "occupy" => Objective::Occupy {
                    area: area()?,
                    from: o.own.from.ok_or_else(|| fault("from", "is missing; say from which turn"))?,
                    score: score()?,
                },
                other => return Err(fault("kind", &format!("`{other}` is none of hold, seize, occupy"))),
            });
            if let Some((key, ..)) = spare.iter().find(|(_, said, fits)| *said && !fits) {
                return Err(fault(key, &format!("does nothing for `{}`; leave it out", o.kind)));
            }
        }
        Ok(out)
    }

    pub(super) fn zones(
        &self,
        written: &BattleFile,
        table: Table,
        options: &Options,
    ) -> Result<[Zone; 2], Fault> {
        let own = |n: usize, edge: Edge| {
            let file = &written.sides[n];
            if file.zone.is_empty() {
                let edge = file.home.unwrap_or(edge);
                let area = zone::Ground::along(edge, f64::from(options.deploy_depth), &table);
                return Ok(Zone { areas: vec![area], clause: "ATKM-SETUP-03" });
            }
            // One rectangle is the plain way to lay a zone down; edges, polygons and lists are those of ATKM-SETUP-14.
            let plain = file.zone.len() == 1 && file.zone.iter().all(|plot| plot.zone.rect.is_some());
            let clause = if plain { "ATKM-SETUP-03" } else { "ATKM-SETUP-14" };
            self.zone(&file.zone, clause, &["side".into(), n.into(), "zone".into()], table, options)
        };
        Ok([own(0, Edge::South)?, own(1, Edge::North)?])
    }

    /// ATKM-SETUP-14.
    pub(super) fn zone(
        &self,
        plots: &[Plot],
        clause: &'static str,
        place: &[Place],
        table: Table,
        options: &Options,
    ) -> Result<Zone, Fault> {
        if plots.is_empty() {
            return self.fault(place, "is empty; name an edge, a rectangle or a polygon");
        }
        let mut areas = Vec::new();
        for (i, plot) in plots.iter().enumerate() {
            let depth = plot.zone.depth.unwrap_or(f64::from(options.deploy_depth));
            areas.push(match (plot.zone.edge, plot.zone.rect) {
                (Some(edge), _) if plot.zone.from.is_none() && plot.zone.to.is_none() => {
                    zone::Ground::along(edge, depth, &table)
                }
                (Some(edge), _) => {
                    let deep = tricorne_drill::scenario::Zone { depth: Some(depth), ..plot.zone.clone() };
                    let area = deep.area(&table).map_err(|why| {
                        let path: Vec<Place> = place.iter().cloned().chain([i.into()]).collect();
                        self.file.fault(&path, why)
                    })?;
                    zone::Ground::Edge(edge, area.bounds())
                }
                (None, Some(_)) => zone::Ground::Rect(plot.area.bounds()),
                (None, None) => zone::Ground::Polygon(plot.area.clone()),
            });
        }
        Ok(Zone { areas, clause })
    }

    /// ATKM-SETUP-15: who is held back, until when, and by which areas he comes.
    pub(super) fn arrivals(
        &self,
        written: &BattleFile,
        table: Table,
        options: &Options,
    ) -> Result<Vec<Option<Arrival>>, Fault> {
        let mut out = Vec::new();
        for (i, unit) in written.units.iter().enumerate() {
            let Some(file) = &unit.arrives else {
                out.push(None);
                continue;
            };
            let place = |field: &str| [Place::from("unit"), i.into(), "arrives".into(), field.into()];
            if unit.at.is_some() && self.purpose == Purpose::Scenario {
                return self.fault(
                    &[Place::from("unit"), i.into(), "at".into()],
                    "stands on the table already; leave out `at` or `arrives` [ATKM-SETUP-15]",
                );
            }
            if file.turn == 0 {
                return self.fault(&place("turn"), "is 0; the first turn is 1");
            }
            let zone = self.zone(&file.zone, "ATKM-SETUP-15", &place("zone"), table, options)?;
            let turn = u16::try_from(file.turn)
                .map_err(|_| self.file.fault(&place("turn"), "no battle lasts so long"))?;
            out.push(Some(Arrival { turn, zone }));
        }
        Ok(out)
    }
}

/// The points of a line without those on a straight way between others: each straight piece is one (ATKM-TERR-19).
fn straightened(points: &[Point]) -> Vec<Point> {
    let mut bends: Vec<Point> = points.first().copied().into_iter().collect();
    let mut last = 0;
    for (i, &point) in points.iter().enumerate() {
        let piece = Segment::new(points[last], point);
        if !points[last..i].iter().all(|&p| within(piece.distance(p), 0.0)) {
            last = i - 1;
            bends.push(points[last]);
        }
    }
    bends.extend(points.last());
    bends
}
