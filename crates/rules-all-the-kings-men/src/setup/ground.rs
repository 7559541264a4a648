//! The table of a file: its ground, what is fought over, where armies and late arrivals are set up.

use tricorne_game::{Fault, Place, Purpose};
use tricorne_table::{Area, Bounds, Edge, Ground, Line, Point, Table};

use crate::field::Objective;
use crate::movement::terrain::{Feature, Land, Moving, Outline, Sight};
use crate::options::Options;
use crate::setup::Clerk;
use crate::setup::arrive::Arrival;
use crate::setup::scenario::{ArmyFile, BattleFile, ObjectiveFile, ZoneFile};
use crate::setup::zone::{self, Zone};

impl Clerk<'_> {
    pub(super) fn table(&self, written: &BattleFile) -> Result<Table, Fault> {
        let [w, d] = written.table.unwrap_or([72.0, 48.0]);
        if !(24.0..=240.0).contains(&w) || !(24.0..=240.0).contains(&d) {
            return self
                .fault(&["table".into()], format!("is {w} by {d}; expected 24 to 240 inches each way"));
        }
        Table::new(w, d).map_err(|e| self.file.fault(&["table".into()], e.to_string()))
    }

    pub(super) fn land(&self, written: &BattleFile, table: Table) -> Result<Land, Fault> {
        let mut features = Vec::new();
        for (i, t) in written.terrain.iter().enumerate() {
            let place = |field: &str| [Place::from("terrain"), i.into(), field.into()];
            let Some(kind) = self.rules.ground.kind.get(&t.kind) else {
                let all: Vec<&str> = self.rules.ground.kind.keys().map(String::as_str).collect();
                return self.fault(
                    &place("kind"),
                    format!("`{}` is no kind of ground; expected one of {}", t.kind, all.join(", ")),
                );
            };
            if t.points.iter().any(|p| !p.is_finite()) {
                return self.fault(&place("points"), "has a number that is none");
            }
            let ground = match kind.shape {
                Outline::Area => Area::new(t.points.clone()).map(Ground::Area).map_err(|e| {
                    self.file.fault(&place("points"), format!("{e}; give the corners in order"))
                })?,
                Outline::Line => Line::new(t.points.clone()).map(Ground::Line).map_err(|e| {
                    self.file.fault(&place("points"), format!("{e}; give the points in order"))
                })?,
            };
            let moving = t.moving.unwrap_or(kind.moving);
            let peak = match (&ground, t.peak) {
                (_, Some(p)) if !p.is_finite() => {
                    return self.fault(&place("peak"), "has a number that is none");
                }
                (_, Some(p)) => Some(p),
                (Ground::Area(area), None) if moving == Moving::Uphill => Some(area.centroid()),
                _ => None,
            };
            if let (Ground::Area(area), Moving::Road) = (&ground, moving)
                && !area.is_convex()
            {
                return self.fault(
                    &place("points"),
                    "a piece of road must have no corner pointing inwards; lay a bent road in several pieces",
                );
            }
            features.push(Feature {
                id: t.id.clone().unwrap_or_else(|| format!("{}-{}", t.kind, i + 1)),
                kind: t.kind.clone(),
                bounds: ground.bounds(),
                ground,
                moving,
                sight: if t.opaque { Sight::Blocks } else { t.sight.unwrap_or(kind.sight) },
                cover: t.cover.unwrap_or(kind.cover),
                melee_cover: t.melee_cover.unwrap_or(kind.melee_cover),
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
        for (i, o) in written.objective.iter().enumerate() {
            let area = |corners: &Vec<Point>| {
                Area::new(corners.clone())
                    .map_err(|e| self.file.fault(&["objective".into(), i.into()], format!("area: {e}")))
            };
            out.push(match o {
                ObjectiveFile::Hold { at, radius, score } => {
                    if !at.is_finite() || !radius.is_finite() || *radius < 0.0 {
                        return self.fault(&["objective".into(), i.into()], "needs a place and a radius");
                    }
                    Objective::Hold { at: *at, radius: *radius, score: *score }
                }
                ObjectiveFile::Seize { area: a } => Objective::Seize { area: area(a)? },
                ObjectiveFile::Occupy { area: a, from, score } => {
                    Objective::Occupy { area: area(a)?, from: *from, score: *score }
                }
            });
        }
        Ok(out)
    }

    pub(super) fn zones(
        &self,
        written: &BattleFile,
        table: Table,
        options: &Options,
    ) -> Result<[Zone; 2], Fault> {
        let own = |file: &ArmyFile, key: &str, edge: Edge| match &file.zone {
            Some(zone) => {
                let place = ["armies".into(), key.into(), "zone".into()];
                let clause =
                    if matches!(zone, ZoneFile::Areas(_)) { "ATKM-SETUP-14" } else { "ATKM-SETUP-03" };
                self.zone(zone, clause, &place, table, options)
            }
            None => {
                let edge = file.edge.unwrap_or(edge);
                let area = zone::Ground::along(edge, f64::from(options.deploy_depth), &table);
                Ok(Zone { areas: vec![area], clause: "ATKM-SETUP-03" })
            }
        };
        let armies = &written.armies;
        Ok([own(&armies.red, "red", Edge::South)?, own(&armies.black, "black", Edge::North)?])
    }

    /// ATKM-SETUP-14.
    pub(super) fn zone(
        &self,
        file: &ZoneFile,
        clause: &'static str,
        place: &[Place],
        table: Table,
        options: &Options,
    ) -> Result<Zone, Fault> {
        let rect = |place: &[Place], [a, b]: [Point; 2]| {
            if a.is_finite() && b.is_finite() {
                Ok(zone::Ground::Rect(Bounds::of_pair(a, b)))
            } else {
                self.fault(place, "expected two corners of ordinary numbers")
            }
        };
        let areas = match file {
            ZoneFile::Corners(corners) => vec![rect(place, *corners)?],
            ZoneFile::Areas(files) if files.is_empty() => {
                return self.fault(place, "is empty; name an edge, a rectangle or a polygon");
            }
            ZoneFile::Areas(files) => {
                let mut areas = Vec::new();
                for (i, file) in files.iter().enumerate() {
                    let mut place = place.to_vec();
                    place.push(i.into());
                    areas.push(match (file.edge, file.rect, &file.polygon) {
                        (Some(edge), None, None) => {
                            let depth = file.depth.unwrap_or(f64::from(options.deploy_depth));
                            if !(depth.is_finite() && depth > 0.0) {
                                return self.fault(&place, format!("is {depth} deep; expected more than 0"));
                            }
                            zone::Ground::along(edge, depth, &table)
                        }
                        (None, Some(corners), None) if file.depth.is_none() => rect(&place, corners)?,
                        (None, None, Some(corners)) if file.depth.is_none() => Area::new(corners.clone())
                            .map(zone::Ground::Polygon)
                            .map_err(|e| self.file.fault(&place, format!("polygon: {e}")))?,
                        _ => {
                            return self.fault(
                                &place,
                                "expected one of `edge` (with a `depth` of its own, if it has one), `rect` or `polygon`",
                            );
                        }
                    });
                }
                areas
            }
        };
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
        for (i, unit) in written.unit.iter().enumerate() {
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
            out.push(Some(Arrival { turn: file.turn, zone }));
        }
        Ok(out)
    }
}
