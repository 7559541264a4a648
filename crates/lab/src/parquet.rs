//! Rows as Parquet, for pandas, Polars and the like.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::column::writer::ColumnWriter;
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use crate::rows::RowsError;
use crate::study::{Row, Study};

/// A column and its values; none is a cell left empty.
enum Column {
    Text(Vec<Option<String>>),
    Whole(Vec<Option<i64>>),
    Real(Vec<Option<f64>>),
    Switch(Vec<Option<bool>>),
}

impl Column {
    fn kind(&self) -> &'static str {
        match self {
            Column::Text(_) => "BYTE_ARRAY",
            Column::Whole(_) => "INT64",
            Column::Real(_) => "DOUBLE",
            Column::Switch(_) => "BOOLEAN",
        }
    }

    fn text(cells: impl Iterator<Item = String>) -> Self {
        Column::Text(cells.map(Some).collect())
    }

    fn whole(cells: impl Iterator<Item = u64>) -> Self {
        Column::Whole(cells.map(|n| i64::try_from(n).ok()).collect())
    }
}

/// Writes a row for each battle. The columns are those of the CSV but for `units`, which have a file of their own.
pub fn rows_parquet(path: &Path, study: &Study, rows: &[Row]) -> Result<(), RowsError> {
    let digest = study.digest();
    let player = |side: usize| {
        Column::text(rows.iter().map(move |r| r.players.get(side).cloned().unwrap_or_default()))
    };
    let score = |side: usize| Column::Real(rows.iter().map(|r| r.scores.get(side).copied()).collect());
    let one_up = |n: Option<i64>| n.map(|n| n + 1);
    write(
        path,
        vec![
            ("study", Column::text(rows.iter().map(|_| digest.clone()))),
            ("battle", Column::whole(rows.iter().map(|r| r.battle))),
            ("seed", Column::text(rows.iter().map(|r| r.seed.to_string()))),
            ("player_1", player(0)),
            ("player_2", player(1)),
            (
                "winner",
                Column::Whole(rows.iter().map(|r| one_up(r.winner.map(|w| i64::from(w.0)))).collect()),
            ),
            ("won_by", Column::Whole(rows.iter().map(|r| one_up(r.won_by.map(|p| p as i64))).collect())),
            ("grade", Column::text(rows.iter().map(|r| r.grade.clone()))),
            ("clause", Column::text(rows.iter().map(|r| r.clause.clone()))),
            ("reason", Column::text(rows.iter().map(|r| r.reason.clone()))),
            ("score_1", score(0)),
            ("score_2", score(1)),
            ("turns", Column::whole(rows.iter().map(|r| u64::from(r.turns)))),
            ("decisions", Column::whole(rows.iter().map(|r| r.decisions))),
        ],
    )
}

/// Writes a row for each unit of each battle.
pub fn units_parquet(path: &Path, study: &Study, rows: &[Row]) -> Result<(), RowsError> {
    let digest = study.digest();
    let each = || rows.iter().flat_map(|r| r.units.iter().map(move |u| (r, u)));
    write(
        path,
        vec![
            ("study", Column::text(each().map(|_| digest.clone()))),
            ("battle", Column::whole(each().map(|(r, _)| r.battle))),
            ("unit", Column::text(each().map(|(_, u)| u.unit.clone()))),
            ("side", Column::whole(each().map(|(_, u)| u64::from(u.side.0) + 1))),
            ("strength", Column::whole(each().map(|(_, u)| u64::from(u.strength)))),
            ("lost", Column::whole(each().map(|(_, u)| u64::from(u.lost)))),
            ("on_table", Column::Switch(each().map(|(_, u)| Some(u.on_table)).collect())),
            ("marched_off", Column::Switch(each().map(|(_, u)| Some(u.marched_off)).collect())),
        ],
    )
}

fn write(path: &Path, columns: Vec<(&str, Column)>) -> Result<(), RowsError> {
    let file = File::create(path).map_err(|e| RowsError::new(path, None, e))?;
    write_to(file, columns).map_err(|e| RowsError::new(path, None, e))
}

fn write_to(file: File, columns: Vec<(&str, Column)>) -> Result<(), ParquetError> {
    let fields = columns.iter().map(|(name, column)| {
        let text = if matches!(column, Column::Text(_)) { " (UTF8)" } else { "" };
        format!("OPTIONAL {} {name}{text};", column.kind())
    });
    let schema = format!("message rows {{ {} }}", fields.collect::<Vec<_>>().join(" "));
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer =
        SerializedFileWriter::new(file, Arc::new(parse_message_type(&schema)?), Arc::new(properties))?;
    let mut group = writer.next_row_group()?;
    for (_, column) in columns {
        let Some(mut open) = group.next_column()? else { break };
        match (open.untyped(), column) {
            (ColumnWriter::ByteArrayColumnWriter(w), Column::Text(cells)) => {
                let (values, levels) = split(cells, |t| ByteArray::from(t.as_str()));
                w.write_batch(&values, Some(&levels), None)?;
            }
            (ColumnWriter::Int64ColumnWriter(w), Column::Whole(cells)) => {
                let (values, levels) = split(cells, |n| *n);
                w.write_batch(&values, Some(&levels), None)?;
            }
            (ColumnWriter::DoubleColumnWriter(w), Column::Real(cells)) => {
                let (values, levels) = split(cells, |x| *x);
                w.write_batch(&values, Some(&levels), None)?;
            }
            (ColumnWriter::BoolColumnWriter(w), Column::Switch(cells)) => {
                let (values, levels) = split(cells, |yes| *yes);
                w.write_batch(&values, Some(&levels), None)?;
            }
            _ => return Err(ParquetError::General("a column of another kind than the schema says".into())),
        }
        open.close()?;
    }
    group.close()?;
    writer.close()?;
    Ok(())
}

/// Cells as Parquet wants them: the values there are, and for each cell whether it has one.
fn split<T, V>(cells: Vec<Option<T>>, value: impl Fn(&T) -> V) -> (Vec<V>, Vec<i16>) {
    let levels = cells.iter().map(|c| i16::from(c.is_some())).collect();
    (cells.iter().flatten().map(value).collect(), levels)
}
