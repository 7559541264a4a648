//! Places in a scenario: strips along an edge, rectangles, polygons, and lists of them.

use serde::{Deserialize, Serialize};
use tricorne_table::{Area, Edge, Point, Table};

use crate::JsonSchema;

/// The most corners an outline may have.
pub const MOST_CORNERS: usize = 200;

/// One piece of a zone, or the outline of a piece of ground: `{ edge = "south", depth = 8 }`, `{ rect = [0, 0, 10, 6] }` or
/// `{ polygon = [[0, 0], [4, 0], [2, 3]] }`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Zone {
    /// A strip along this edge of the table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edge: Option<Edge>,
    /// How deep the strip is, from the edge inwards; left out, it is the edge itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<f64>,
    /// Where along the edge the strip begins, from its western or southern end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Where along the edge the strip ends.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// West, south, east and north.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rect: Option<[f64; 4]>,
    /// Corners, in order round it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub polygon: Option<Vec<Point>>,
}

/// The outline of a piece of ground: its corners in order, or a zone.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "expected corners in order, [[0, 0], [4, 0], [2, 3]], or { rect = [west, south, east, north] }"
)]
pub enum Outline {
    /// Corners, in order round it.
    Corners(Vec<Point>),
    /// A rectangle, a strip or a polygon.
    Zone(Zone),
}

impl Outline {
    /// The ground it covers on a table; what is wrong with it otherwise.
    pub fn area(&self, table: &Table) -> Result<Area, String> {
        match self {
            Outline::Corners(corners) => {
                Zone { polygon: Some(corners.clone()), ..Zone::default() }.area(table)
            }
            Outline::Zone(zone) => zone.area(table),
        }
    }
}

/// A piece of a zone with the ground it covers.
#[derive(Clone, Debug, PartialEq)]
pub struct Plot {
    /// As the file says it.
    pub zone: Zone,
    /// The ground.
    pub area: Area,
}

impl Zone {
    /// The ground it covers on a table; what is wrong with it otherwise.
    pub fn area(&self, table: &Table) -> Result<Area, String> {
        if self.edge.is_none() && (self.depth.is_some() || self.from.is_some() || self.to.is_some()) {
            return Err(
                "has a `depth`, `from` or `to` and no `edge`; expected one of `edge`, `rect` and `polygon`"
                    .into(),
            );
        }
        match (self.edge, self.rect, &self.polygon) {
            (Some(edge), None, None) => self.strip(edge, table),
            (None, Some([west, south, east, north]), None) => {
                let corners = (Point::new(west, south), Point::new(east, north));
                Area::rectangle(corners.0, corners.1)
                    .map_err(|e| format!("is no rectangle (west, south, east, north): {e}"))
            }
            (None, None, Some(corners)) if corners.len() > MOST_CORNERS => {
                Err(format!("has {} corners; {MOST_CORNERS} are allowed", corners.len()))
            }
            (None, None, Some(corners)) => {
                Area::new(corners.clone()).map_err(|e| format!("is no outline: {e}"))
            }
            _ => Err("expected one of `edge`, `rect` and `polygon`".into()),
        }
    }

    fn strip(&self, edge: Edge, table: &Table) -> Result<Area, String> {
        let (width, height) = (table.width(), table.depth());
        let along = if matches!(edge, Edge::North | Edge::South) { width } else { height };
        let (from, to) = (self.from.unwrap_or(0.0), self.to.unwrap_or(along));
        if !(0.0 <= from && from < to && to <= along) {
            return Err(format!("runs from {from} to {to}; this edge goes from 0 to {along}"));
        }
        if self.depth.is_some_and(|depth| !(depth > 0.0 && depth.is_finite())) {
            return Err(format!("is {} deep; expected more than 0", self.depth.unwrap_or_default()));
        }
        // The edge itself is a strip too thin to stand in.
        let depth = self.depth.unwrap_or(0.001);
        let (a, b) = match edge {
            Edge::South => (Point::new(from, 0.0), Point::new(to, depth)),
            Edge::North => (Point::new(from, height - depth), Point::new(to, height)),
            Edge::West => (Point::new(0.0, from), Point::new(depth, to)),
            Edge::East => (Point::new(width - depth, from), Point::new(width, to)),
        };
        Area::rectangle(a, b).map_err(|e| format!("is no strip: {e}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(zone: &str) -> Result<Area, String> {
        let zone: std::collections::BTreeMap<String, Zone> =
            toml::from_str(&format!("zone = {zone}")).unwrap();
        zone["zone"].area(&Table::new(72.0, 48.0).unwrap())
    }

    #[test]
    fn a_strip_lies_along_its_edge() {
        let north = area("{ edge = 'north', depth = 8, from = 10, to = 30 }").unwrap();
        assert!(north.contains(Point::new(20.0, 44.0)) && !north.contains(Point::new(35.0, 44.0)));
        assert!(!north.contains(Point::new(20.0, 39.0)));
        let west = area("{ edge = 'west', depth = 6 }").unwrap();
        assert!(west.contains(Point::new(3.0, 47.0)) && !west.contains(Point::new(7.0, 3.0)));
    }

    #[test]
    fn what_is_no_place_is_said() {
        assert!(area("{ edge = 'south', from = 30, to = 80 }").unwrap_err().contains("0 to 72"));
        assert!(area("{ rect = [3, 3, 3, 9] }").is_err());
        assert!(area("{ rect = [0, 0, 3, 9], edge = 'west' }").unwrap_err().contains("one of"));
        assert!(area("{ depth = 3 }").unwrap_err().contains("no `edge`"));
        assert!(area("{ polygon = [[0, 0], [4, 4], [4, 0], [0, 4]] }").is_err());
        let many: Vec<String> = (0..300).map(|i| format!("[{i}, 0]")).collect();
        assert!(area(&format!("{{ polygon = [{}] }}", many.join(", "))).unwrap_err().contains("200"));
    }
}
