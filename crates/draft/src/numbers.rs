//! Numbers and points as people write them in a file.

use toml_edit::{Array, Item, Value};
use tricorne_table::Point;

/// Lengths are kept to hundredths: finer than any hand can place a toy.
fn hundredths(number: f64) -> f64 {
    let rounded = (number * 100.0).round() / 100.0;
    // A file has no use for a zero with a sign.
    if rounded == 0.0 { 0.0 } else { rounded }
}

/// A number, whole where it is whole.
pub(crate) fn number(value: f64) -> Value {
    let value = hundredths(value);
    if value.fract() == 0.0 && value.abs() < 1e9 { Value::from(value as i64) } else { Value::from(value) }
}

/// `[x, y]`.
pub(crate) fn point(point: Point) -> Value {
    Value::Array([point.x, point.y].into_iter().map(number).collect::<Array>())
}

/// `[[x, y], [x, y]]`.
pub(crate) fn points(points: &[Point]) -> Value {
    Value::Array(points.iter().map(|p| self::point(*p)).collect::<Array>())
}

/// Reads a number, whole or not.
pub(crate) fn read(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64))
}

/// Reads `[x, y]`.
pub(crate) fn read_point(value: &Value) -> Option<Point> {
    let pair = value.as_array()?;
    (pair.len() == 2).then_some(())?;
    Some(Point { x: read(pair.get(0)?)?, y: read(pair.get(1)?)? })
}

/// Reads `[[x, y], …]`.
pub(crate) fn read_points(item: &Item) -> Option<Vec<Point>> {
    item.as_array()?.iter().map(read_point).collect()
}

/// Reads the corners of `[left, bottom, right, top]`.
pub(crate) fn read_rect(item: &Item) -> Option<[f64; 4]> {
    let four = item.as_array()?;
    (four.len() == 4).then_some(())?;
    let mut corners = [0.0; 4];
    for (corner, value) in corners.iter_mut().zip(four.iter()) {
        *corner = read(value)?;
    }
    Some(corners)
}
