//! The ground, the strips and the aims of a scenario file.

use tricorne_game::{Fault, Source};
use tricorne_table::{Edge, Line, Point};

use crate::field::{Exit, Marker, Strips, Victory, Worth};
use crate::model::ground::{Land, Piece, Shape};
use crate::scenario::setup::{key, nth};
use crate::scenario::words::{File, Share};
use crate::tables::rulebook::{GroundShape, Rulebook, Sight};

pub(crate) fn read_land(source: &Source, file: &File, rulebook: &Rulebook) -> Result<Land, Fault> {
    let mut pieces: Vec<Piece> = Vec::new();
    if file.terrain.len() > 200 {
        return Err(source.fault(&key(&["terrain"]), "has more than 200 pieces"));
    }
    for (i, piece) in file.terrain.iter().enumerate() {
        let fault = |part: &str, why: String| Err(source.fault(&nth("terrain", i, part), why));
        let Some(kind) = rulebook.ground.get(&piece.kind) else {
            let all: Vec<&str> = rulebook.ground.keys().map(String::as_str).collect();
            return fault(
                "kind",
                format!("there is no ground `{}`; there is {}", piece.kind, all.join(", ")),
            );
        };
        if piece.id.is_empty() || pieces.iter().any(|p| p.id == piece.id) {
            return fault("id", format!("`{}` is empty or stands twice; give each piece its own", piece.id));
        }
        let shape = match (&piece.area, kind.shape) {
            (Some(area), GroundShape::Area) => Shape::Area(area.clone()),
            (None, GroundShape::Obstacle | GroundShape::Road) => match Line::new(piece.line.clone()) {
                Ok(line) => Shape::Line(line),
                Err(e) => return fault("line", e.to_string()),
            },
            (None, GroundShape::Area) => {
                return fault(
                    "line",
                    format!("`{}` covers ground; give its corners as `outline`", piece.kind),
                );
            }
            (Some(_), _) => {
                return fault("outline", format!("`{}` is a line; give its points as `line`", piece.kind));
            }
        };
        let bounds = match &shape {
            Shape::Area(area) => area.bounds(),
            Shape::Line(line) => line.bounds(),
        };
        let (width, height) = (file.table.width(), file.table.depth());
        let near = |p: Point| (-50.0..=width + 50.0).contains(&p.x) && (-50.0..=height + 50.0).contains(&p.y);
        if !near(bounds.min) || !near(bounds.max) {
            let part = if piece.area.is_some() { "outline" } else { "line" };
            return fault(part, "lies far off the table".into());
        }
        let hill = kind.sight == Sight::Hill;
        let level = piece.level.unwrap_or(u8::from(hill));
        if hill && !(1..=9).contains(&level) {
            return fault("level", format!("is {level}; a hill has level 1 to 9"));
        }
        if !hill && level > 0 {
            return fault("level", format!("belongs to a hill, not to `{}`", piece.kind));
        }
        if piece.own.steep && !hill {
            return fault("steep", format!("belongs to a hill, not to `{}`", piece.kind));
        }
        let building = kind.sight == Sight::Building;
        if piece.own.capacity.is_some() && !building {
            return fault("capacity", format!("belongs to a building, not to `{}`", piece.kind));
        }
        pieces.push(Piece {
            id: piece.id.clone(),
            name: piece.own.name.clone(),
            kind: piece.kind.clone(),
            shape,
            bounds,
            look: if piece.own.steep { tricorne_game::view::Look::SteepHill } else { kind.look },
            difficult: kind.difficult || piece.own.steep,
            impassable: kind.impassable,
            obstacle: kind.shape == GroundShape::Obstacle,
            building,
            cover: kind.cover,
            sight: kind.sight,
            level,
            capacity: if building { piece.own.capacity.unwrap_or(12) } else { 0 },
        });
    }
    if pieces.iter().filter(|p| p.obstacle).count() > 64 {
        return Err(source.fault(&key(&["terrain"]), "has more than 64 obstacles"));
    }
    Ok(Land::new(pieces, rulebook.woods_blind))
}

/// Where the sides come from if that is not said: the short edges of a table of that size (WBK-SCEN-04), west and east of
/// any other.
pub(super) fn usual_edges(size: Option<[f64; 2]>) -> [Edge; 2] {
    match size {
        Some([width, depth]) if depth > width => [Edge::South, Edge::North],
        _ => [Edge::West, Edge::East],
    }
}

/// Where the sides come from, and their strips where players place their units (WBK-SCEN-04).
pub(crate) fn read_strips(
    source: &Source,
    file: &File,
    rulebook: &Rulebook,
) -> Result<([Edge; 2], Option<Strips>), Fault> {
    let free = file.sides.iter().any(|side| !side.zone.is_empty() || side.own.force.is_some());
    let widest = file.table.width().min(file.table.depth());
    let named = file.sides.iter().any(|side| side.home.is_some() || !side.zone.is_empty());
    let usual = usual_edges((free && !named).then(|| [file.table.width(), file.table.depth()]));
    let (mut homes, mut edges) = (usual, usual);
    let mut depth = [rulebook.charts.forces.strip; 2];
    for (n, side) in file.sides.iter().enumerate() {
        let zone = match side.zone.as_slice() {
            [] => None,
            [plot] if plot.zone.edge.is_some() && plot.zone.from.is_none() && plot.zone.to.is_none() => {
                Some(&plot.zone)
            }
            _ => {
                let why = "is one strip along a whole edge in these rules: [{ edge = \"west\", depth = 6 }] [WBK-SCEN-04]";
                return Err(source.fault(&nth("side", n, "zone"), why));
            }
        };
        let strip = zone.and_then(|zone| zone.edge);
        homes[n] = side.home.or(strip).unwrap_or(homes[n]);
        edges[n] = strip.unwrap_or(homes[n]);
        depth[n] = zone.and_then(|zone| zone.depth).unwrap_or(depth[n]);
        if free && !(2.0..=widest).contains(&depth[n]) {
            let why = format!("is {} deep; use 2\" to the table's width", depth[n]);
            return Err(source.fault(&nth("side", n, "zone"), why));
        }
    }
    if free && edges[0] == edges[1] {
        return Err(
            source.fault(&nth("side", 1, "zone"), "both sides deploy on the same edge; give each its own")
        );
    }
    Ok((homes, free.then_some(Strips { edges, depth })))
}

pub(crate) fn read_victory(source: &Source, file: &File, land: &Land) -> Result<Victory, Fault> {
    let markers = &file.own.markers;
    let mut victory = Victory {
        draw_margin: file.own.draw_margin,
        marker_within: markers.within,
        marker_each_round: markers.each_round,
        marker_from_round: markers.from_round,
        marker_at_end: markers.at_end,
        ..Victory::default()
    };
    if victory.draw_margin < 0 {
        return Err(source.fault(&key(&["draw_margin"]), "must be 0 or more"));
    }
    if !(0.0..=100.0).contains(&markers.within) {
        return Err(source.fault(&key(&["markers", "within"]), "use 0 to 100 inches"));
    }
    for (i, o) in file.objectives.iter().enumerate() {
        let fault = |part: &str, why: &str| source.fault(&nth("objective", i, part), why);
        let side = || o.side.ok_or_else(|| fault("side", "is missing; say which side scores"));
        let points = || match o.points {
            None => Ok(0),
            Some(points) if points.fract() == 0.0 && points.abs() <= 1_000.0 => Ok(points as i32),
            Some(_) => Err(fault("points", "is a whole number, 1000 at most")),
        };
        let needed = || match o.points {
            None => Err(fault("points", "is missing; say what it is worth")),
            Some(_) => points(),
        };
        let building = || {
            let piece = o.terrain.ok_or_else(|| fault("terrain", "is missing; name a building"))?;
            let id = &file.terrain[piece].id;
            land.building(id).ok_or_else(|| fault("terrain", &format!("there is no building `{id}`")))
        };
        // Each kind has words of its own; one that does nothing for it is a slip.
        let spare = [
            ("zone", !o.zone.is_empty(), o.kind == "exit"),
            ("halved_scores_half", o.own.halved_scores_half, o.kind == "exit"),
            ("crewed_bonus", o.own.crewed_bonus != 0, o.kind == "exit"),
            ("share", o.own.share.is_some(), o.kind == "lost"),
            ("each_round", o.own.each_round != 0, o.kind == "garrison"),
            ("at", o.at.is_some(), o.kind == "marker"),
            ("within", o.within.is_some(), false),
            ("terrain", o.terrain.is_some(), matches!(o.kind.as_str(), "garrison" | "storm")),
            ("side", o.side.is_some(), o.kind != "marker"),
            ("points", o.points.is_some(), !matches!(o.kind.as_str(), "marker" | "exit")),
        ];
        match o.kind.as_str() {
            "exit" => victory.exits.push(read_exit(source, file, i, side()?)?),
            "lost" => {
                let worth = match (o.own.share, o.points) {
                    (Some(Share::Full), None) => Worth::Full,
                    (Some(Share::Half), None) => Worth::Half,
                    (None, Some(_)) => Worth::Points(points()?),
                    _ => return Err(fault("points", "give `points`, or a `share`: \"full\" or \"half\"")),
                };
                victory.lost.push((side()?, worth));
            }
            "left" => victory.left.push((side()?, needed()?)),
            "annihilation" => victory.annihilations.push((side()?, needed()?)),
            "marker" => {
                let at = o.at.ok_or_else(|| fault("at", "is missing; say where the marker lies"))?;
                if o.name.is_empty() {
                    return Err(fault("name", "is missing; a marker is known by it"));
                }
                if victory.markers.iter().any(|m| m.id == o.name) {
                    return Err(fault(
                        "name",
                        &format!("`{}` stands twice; give each marker its own", o.name),
                    ));
                }
                victory.markers.push(Marker { id: o.name.clone(), at });
            }
            "garrison" => {
                victory.garrisons.push((side()?, building()?, o.own.each_round, points()?));
            }
            "storm" => victory.storms.push((side()?, building()?, needed()?)),
            other => {
                let why =
                    format!("`{other}` is none of exit, lost, left, marker, garrison, storm, annihilation");
                return Err(fault("kind", &why));
            }
        }
        if let Some((word, ..)) = spare.iter().find(|(_, said, fits)| *said && !fits) {
            let why = match *word {
                "within" => "is said once for all markers, under [markers]".to_owned(),
                _ => format!("does nothing for `{}`; leave it out", o.kind),
            };
            return Err(fault(word, &why));
        }
    }
    Ok(victory)
}

/// A stretch of an edge that units leave over (WBK-SCEN-07).
fn read_exit(source: &Source, file: &File, i: usize, side: tricorne_game::Side) -> Result<Exit, Fault> {
    let o = &file.objectives[i];
    let [plot] = o.zone.as_slice() else {
        return Err(
            source.fault(&nth("objective", i, "zone"), "is one stretch of an edge: [{ edge = \"east\" }]")
        );
    };
    let (Some(edge), None) = (plot.zone.edge, plot.zone.depth) else {
        return Err(
            source.fault(&nth("objective", i, "zone"), "is a stretch of an edge: [{ edge = \"east\" }]")
        );
    };
    let length =
        if matches!(edge, Edge::East | Edge::West) { file.table.depth() } else { file.table.width() };
    Ok(Exit {
        side,
        edge,
        from: plot.zone.from.unwrap_or(0.0),
        to: plot.zone.to.unwrap_or(length),
        halved_scores_half: o.own.halved_scores_half,
        crewed_bonus: o.own.crewed_bonus,
    })
}
