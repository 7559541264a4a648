//! The ground of a set-up file, and what wins points on it.

use tricorne_game::{Place, written};
use tricorne_table::{Area, Crest, Line, Point, Table};

use super::{Found, Reader};
use crate::model::state::Objective;
use crate::setup::file::File;
use crate::terrain::ground::{Lie, Piece, PieceKind};

impl Reader<'_> {
    pub(super) fn pieces(&self, f: &File, table: &Table) -> Found<Vec<Piece>> {
        let mut pieces: Vec<Piece> = Vec::new();
        for (i, p) in f.terrain.iter().enumerate() {
            let at = |key: &str| [Place::from("terrain"), i.into(), key.into()];
            if p.id.is_empty() || pieces.iter().any(|o| o.id == p.id) {
                return Err(self.fault(&at("id"), "must be a name of its own"));
            }
            let Some(&(_, kind, named_level)) = PieceKind::NAMES.iter().find(|n| n.0 == p.kind) else {
                let all: Vec<&str> = PieceKind::NAMES.iter().map(|n| n.0).collect();
                return Err(self.fault(
                    &at("kind"),
                    format!("`{}` is no kind of ground; there is {}", p.kind, all.join(", ")),
                ));
            };
            let linear = kind.is_linear();
            let rows = if linear { &self.book.line_kinds } else { &self.book.ground_kinds };
            let row = rows.get(kind.key());
            let level = p.level.or(named_level).or(row.and_then(|r| r.level)).unwrap_or(0);
            if level > 4 {
                return Err(self.fault(&at("level"), format!("is {level}; ground has types 0 to 4")));
            }
            let lies = if linear { "line" } else { "outline" };
            if linear == p.area.is_some() {
                let (there, why) = if linear {
                    ("outline", "is a line; give its points as `line`")
                } else {
                    ("line", "covers ground; give its corners as `outline`")
                };
                return Err(self.fault(&at(there), format!("`{}` {why}", p.kind)));
            }
            let points = p.area.as_ref().map_or(p.line.as_slice(), Area::corners);
            if let Some(q) = points.iter().find(|q| !table.contains(**q)) {
                return Err(self.fault(&at(lies), format!("({}, {}) lies off the table", q.x, q.y)));
            }
            let lie = match &p.area {
                Some(area) if kind == PieceKind::Hill && !area.is_convex() => {
                    return Err(self.fault(&at(lies), "a hill must be convex [SYW-MODEL-26]"));
                }
                Some(area) => Lie::Area(area.clone()),
                None => Lie::Line(
                    Line::new(p.line.clone())
                        .map_err(|e| self.fault(&at(lies), format!("is no line: {e}")))?,
                ),
            };
            let crest = if p.own.ridge.is_empty() {
                None
            } else {
                if kind != PieceKind::Hill {
                    return Err(self.fault(&at("ridge"), "only hills have ridges"));
                }
                let ridge: Vec<Point> = p.own.ridge.iter().map(|&[x, y]| Point::new(x, y)).collect();
                let line =
                    Line::new(ridge).map_err(|e| self.fault(&at("ridge"), format!("is no line: {e}")))?;
                Some(Crest::Ridge(line))
            };
            let edge = match &lie {
                Lie::Area(area) if matches!(kind, PieceKind::Earthwork | PieceKind::Town) => {
                    let mut round = area.corners().to_vec();
                    round.extend(round.first().copied());
                    Line::new(round).ok()
                }
                _ => None,
            };
            let (bounds, middle) = match &lie {
                Lie::Area(a) => (a.bounds(), a.centroid()),
                Lie::Line(l) => (l.bounds(), l.bounds().centre()),
            };
            pieces.push(Piece {
                id: p.id.clone(),
                kind,
                level,
                cover: p.own.cover.or(row.map(|r| r.cover)).unwrap_or_default(),
                conceals: row.is_some_and(|r| r.conceals),
                defences: row.is_some_and(|r| r.defences),
                infantry_only: row.is_some_and(|r| r.infantry_only),
                impassable: row.is_some_and(|r| r.impassable),
                lump_dice: row.and_then(|r| r.lump_dice),
                lie,
                edge,
                crest,
                bounds,
                middle,
            });
        }
        Ok(pieces)
    }

    pub(super) fn objectives(&self, f: &File) -> Found<Vec<Objective>> {
        f.objectives
            .iter()
            .enumerate()
            .map(|(i, o)| {
                let fault =
                    |key: &str, why: &str| self.fault(&["objective".into(), i.into(), key.into()], why);
                Ok(Objective {
                    kind: written(&o.kind.as_str().into()).map_err(|e| fault("kind", &e.problem))?,
                    piece: o.terrain.ok_or_else(|| fault("terrain", "is missing; name a piece of ground"))?,
                    points: o.points.ok_or_else(|| fault("points", "is missing; say what it is worth"))?,
                    distance: o.within.unwrap_or(0.0),
                })
            })
            .collect()
    }
}
