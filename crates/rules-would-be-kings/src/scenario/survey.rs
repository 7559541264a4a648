//! The ground, the arrival points, the strips and the aims of a scenario file.

use tricorne_game::{Fault, Source};
use tricorne_table::{Area, Edge, Line, Point};

use crate::field::{Arrival, Exit, Marker, Strips, Victory, Worth};
use crate::model::ground::{Land, Piece, Shape};
use crate::scenario::file::{
    ArrivalFile, DeploymentFile, EdgeName, SetUpFile, TableFile, WorthFile, WorthName,
};
use crate::scenario::setup::{key, nth};
use crate::tables::rulebook::{GroundShape, Rulebook, Sight};

pub(crate) fn read_land(
    source: &Source,
    file: &SetUpFile,
    rulebook: &Rulebook,
    size: &TableFile,
) -> Result<Land, Fault> {
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
        let points: Vec<Point> = piece.at.iter().map(|&p| Point::from(p)).collect();
        let near = |p: &Point| {
            p.is_finite()
                && (-50.0..=size.width + 50.0).contains(&p.x)
                && (-50.0..=size.height + 50.0).contains(&p.y)
        };
        if let Some(bad) = points.iter().position(|p| !near(p)) {
            let place = [nth("terrain", i, "at"), vec![bad.into()]].concat();
            return Err(source.fault(&place, "lies far off the table"));
        }
        let shape = if kind.shape == GroundShape::Area {
            match Area::new(points) {
                Ok(area) => Shape::Area(area),
                Err(e) => return fault("at", e.to_string()),
            }
        } else {
            match Line::new(points) {
                Ok(line) => Shape::Line(line),
                Err(e) => return fault("at", e.to_string()),
            }
        };
        let hill = kind.sight == Sight::Hill;
        let level = if hill { piece.level.unwrap_or(1) } else { piece.level.unwrap_or(0) };
        if hill && !(1..=9).contains(&level) {
            return fault("level", format!("is {level}; a hill has level 1 to 9"));
        }
        if !hill && level > 0 {
            return fault("level", format!("belongs to a hill, not to `{}`", piece.kind));
        }
        if piece.steep && !hill {
            return fault("steep", format!("belongs to a hill, not to `{}`", piece.kind));
        }
        let building = kind.sight == Sight::Building;
        if piece.capacity.is_some() && !building {
            return fault("capacity", format!("belongs to a building, not to `{}`", piece.kind));
        }
        let bounds = match &shape {
            Shape::Area(area) => area.bounds(),
            Shape::Line(line) => line.bounds(),
        };
        pieces.push(Piece {
            id: piece.id.clone(),
            kind: piece.kind.clone(),
            shape,
            bounds,
            look: if piece.steep { tricorne_game::view::Look::SteepHill } else { kind.look },
            difficult: kind.difficult || piece.steep,
            impassable: kind.impassable,
            obstacle: kind.shape == GroundShape::Obstacle,
            building,
            cover: kind.cover,
            sight: kind.sight,
            level,
            capacity: if building { piece.capacity.unwrap_or(12) } else { 0 },
        });
    }
    if pieces.iter().filter(|p| p.obstacle).count() > 64 {
        return Err(source.fault(&key(&["terrain"]), "has more than 64 obstacles"));
    }
    Ok(Land::new(pieces, rulebook.woods_blind))
}

pub(crate) fn on_table(at: [f64; 2], size: &TableFile) -> bool {
    (0.0..=size.width).contains(&at[0]) && (0.0..=size.height).contains(&at[1])
}

pub(crate) fn read_arrivals(
    source: &Source,
    file: &SetUpFile,
    size: &TableFile,
) -> Result<Vec<Arrival>, Fault> {
    let mut arrivals: Vec<Arrival> = Vec::new();
    for (i, arrival) in file.arrival.iter().enumerate() {
        let (id, at) = match arrival {
            ArrivalFile::Named { id, at } => (id.clone().unwrap_or_else(|| format!("P{}", i + 1)), *at),
            ArrivalFile::Bare(at) => (format!("P{}", i + 1), *at),
        };
        if !on_table(at, size) {
            return Err(source.fault(&nth("arrival", i, "at"), "is not on the table"));
        }
        if arrivals.iter().any(|a| a.id == id) {
            return Err(source.fault(&nth("arrival", i, "id"), format!("`{id}` stands twice")));
        }
        arrivals.push(Arrival { id, at: at.into() });
    }
    Ok(arrivals)
}

pub(crate) fn read_strips(
    source: &Source,
    deployment: Option<&DeploymentFile>,
    homes: [Edge; 2],
    rulebook: &Rulebook,
    size: &TableFile,
) -> Result<Option<Strips>, Fault> {
    let Some(deployment) = deployment else { return Ok(None) };
    let depth = deployment.depth.unwrap_or(rulebook.charts.forces.strip);
    if !(2.0..=size.width.min(size.height)).contains(&depth) {
        return Err(
            source.fault(&key(&["deployment", "depth"]), format!("is {depth}; use 2\" to the table's width"))
        );
    }
    let edges = [
        deployment.imperial.map_or(homes[0], EdgeName::edge),
        deployment.native.map_or(homes[1], EdgeName::edge),
    ];
    if edges[0] == edges[1] {
        return Err(
            source.fault(&key(&["deployment"]), "both sides deploy on the same edge; give each its own")
        );
    }
    Ok(Some(Strips { edges, depth }))
}

pub(crate) fn read_victory(
    source: &Source,
    file: &SetUpFile,
    land: &Land,
    size: &TableFile,
) -> Result<Victory, Fault> {
    let v = &file.victory;
    let fault = |list: &str, i: usize, part: &str, why: String| {
        let mut place = key(&["victory"]);
        place.extend(nth(list, i, part));
        Err(source.fault(&place, why))
    };
    let building = |id: &str| land.building(id).ok_or_else(|| format!("there is no building `{id}`"));
    let mut victory = Victory {
        draw_margin: v.draw_margin,
        marker_within: v.markers.within,
        marker_each_round: v.markers.each_round,
        marker_from_round: v.markers.from_round,
        marker_at_end: v.markers.at_end,
        ..Victory::default()
    };
    if v.draw_margin < 0 {
        return Err(source.fault(&key(&["victory", "draw_margin"]), "must be 0 or more"));
    }
    if !(0.0..=100.0).contains(&v.markers.within) {
        return Err(source.fault(&key(&["victory", "markers", "within"]), "use 0 to 100 inches"));
    }
    for (i, exit) in v.exit.iter().enumerate() {
        let edge = exit.edge.edge();
        let length = if matches!(edge, Edge::East | Edge::West) { size.height } else { size.width };
        let (from, to) = (exit.from.unwrap_or(0.0), exit.to.unwrap_or(length));
        if !(from >= 0.0 && to > from && to <= length) {
            return fault(
                "exit",
                i,
                "from",
                format!("`from` {from} to `to` {to} is no stretch of that edge"),
            );
        }
        victory.exits.push(Exit {
            side: exit.side.side(),
            edge,
            from,
            to,
            halved_scores_half: exit.halved_scores_half,
            crewed_bonus: exit.crewed_bonus,
        });
    }
    for lost in &v.lost {
        let worth = match lost.points {
            WorthFile::Number(n) => Worth::Points(n),
            WorthFile::Name(WorthName::Full) => Worth::Full,
            WorthFile::Name(WorthName::Half) => Worth::Half,
        };
        victory.lost.push((lost.side.side(), worth));
    }
    victory.left = v.left.iter().map(|l| (l.side.side(), l.points)).collect();
    victory.annihilations = v.annihilation.iter().map(|a| (a.side.side(), a.points)).collect();
    for (i, marker) in v.marker.iter().enumerate() {
        if !on_table(marker.at, size) {
            return fault("marker", i, "at", "is not on the table".into());
        }
        victory.markers.push(Marker { id: marker.id.clone(), at: marker.at.into() });
    }
    for (i, g) in v.garrison.iter().enumerate() {
        match building(&g.building) {
            Ok(b) => victory.garrisons.push((g.side.side(), b, g.each_round, g.at_end)),
            Err(why) => return fault("garrison", i, "building", why),
        }
    }
    for (i, s) in v.storm.iter().enumerate() {
        match building(&s.building) {
            Ok(b) => victory.storms.push((s.side.side(), b, s.points)),
            Err(why) => return fault("storm", i, "building", why),
        }
    }
    Ok(victory)
}
