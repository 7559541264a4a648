//! Rows in a file: one a battle, as comma-separated values or as Parquet.
//!
//! A CSV file is written row by row in the order of the battles, so a study that was stopped, or killed, goes on where
//! the file ends, and the whole file is the same as if it had never been stopped.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Stdout, Write};
use std::path::{Path, PathBuf};

use tricorne_game::Side;

use crate::study::{Row, Study, UnitLoss};

/// The columns of a rows file.
pub const COLUMNS: [&str; 15] = [
    "study",
    "battle",
    "seed",
    "player_1",
    "player_2",
    "winner",
    "won_by",
    "grade",
    "clause",
    "reason",
    "score_1",
    "score_2",
    "turns",
    "decisions",
    "units",
];

/// What is wrong with a rows file.
#[derive(Debug)]
pub struct RowsError {
    file: PathBuf,
    line: Option<usize>,
    why: String,
    /// Nobody listens at the other end of the pipe any more.
    pub pipe_closed: bool,
}

impl std::fmt::Display for RowsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.file.display(), self.why),
            None => write!(f, "{}: {}", self.file.display(), self.why),
        }
    }
}

impl std::error::Error for RowsError {}

impl RowsError {
    pub(crate) fn new(file: &Path, line: Option<usize>, why: impl std::fmt::Display) -> Self {
        Self { file: file.into(), line, why: why.to_string(), pipe_closed: false }
    }
}

/// A rows file (CSV) that a study is being written to, or standard output.
#[derive(Debug)]
pub struct Ledger {
    path: PathBuf,
    study: String,
    sink: Sink,
}

#[derive(Debug)]
enum Sink {
    File(File),
    Out(Stdout),
}

impl Ledger {
    /// Begins a new file; one that is there already is not overwritten.
    pub fn begin(path: &Path, study: &Study) -> Result<Self, RowsError> {
        let wrong = |why: String| RowsError::new(path, None, why);
        let file = OpenOptions::new().write(true).create_new(true).open(path).map_err(|e| {
            wrong(match e.kind() {
                std::io::ErrorKind::AlreadyExists => {
                    "is there already; go on with it by --resume, or choose another name".into()
                }
                _ => e.to_string(),
            })
        })?;
        let mut ledger = Self { path: path.into(), study: study.digest(), sink: Sink::File(file) };
        ledger.line(&COLUMNS.map(String::from))?;
        Ok(ledger)
    }

    /// Writes to standard output.
    pub fn standard_output(study: &Study) -> Result<Self, RowsError> {
        let sink = Sink::Out(std::io::stdout());
        let mut ledger = Self { path: "standard output".into(), study: study.digest(), sink };
        ledger.line(&COLUMNS.map(String::from))?;
        Ok(ledger)
    }

    /// Opens a file that a stopped study left, or begins one if there is none. Hands back the rows it has; a last line
    /// that was cut off is dropped.
    pub fn resume(path: &Path, study: &Study) -> Result<(Self, Vec<Row>), RowsError> {
        if !path.exists() {
            return Ok((Self::begin(path, study)?, Vec::new()));
        }
        let wrong = |e: std::io::Error| RowsError::new(path, None, e);
        let mut file = OpenOptions::new().read(true).write(true).open(path).map_err(wrong)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(wrong)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        text.truncate(whole);
        file.set_len(whole as u64).map_err(wrong)?;
        file.seek(SeekFrom::End(0)).map_err(wrong)?;
        let mut ledger = Self { path: path.into(), study: study.digest(), sink: Sink::File(file) };
        if text.is_empty() {
            ledger.line(&COLUMNS.map(String::from))?;
            return Ok((ledger, Vec::new()));
        }
        let rows = ledger.rows(&text, study)?;
        Ok((ledger, rows))
    }

    fn rows(&self, text: &str, study: &Study) -> Result<Vec<Row>, RowsError> {
        let wrong = |line: usize, why: String| RowsError::new(&self.path, Some(line), why);
        let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line));
        match lines.next() {
            Some((_, head)) if cells(head).as_deref() == Some(&COLUMNS.map(String::from)) => {}
            _ => {
                return Err(wrong(
                    1,
                    format!("is no rows file; its first line should be {}", COLUMNS.join(",")),
                ));
            }
        }
        let mut rows = Vec::new();
        for (n, line) in lines {
            let bad =
                || wrong(n, "is no row of this form; cut the file off before this line and resume".into());
            let cells = cells(line).ok_or_else(bad)?;
            let cells: &[String; 15] = cells.as_slice().try_into().map_err(|_| bad())?;
            if cells[0] != self.study {
                return Err(wrong(
                    n,
                    format!(
                        "belongs to another study ({} and not {}): scenario, options, players and seed must be the \
                         same to go on with it",
                        cells[0], self.study
                    ),
                ));
            }
            let row = read(cells).ok_or_else(bad)?;
            if row.battle != rows.len() as u64 || row.seed != study.seed_of(row.battle) {
                return Err(wrong(
                    n,
                    format!("battle {} is out of order; rows are in order from 0", row.battle),
                ));
            }
            rows.push(row);
        }
        Ok(rows)
    }

    /// Adds a row, and sees that it is out of our hands before the next.
    pub fn add(&mut self, row: &Row) -> Result<(), RowsError> {
        self.line(&written(&self.study, row))
    }

    fn line(&mut self, cells: &[String]) -> Result<(), RowsError> {
        let line = line(cells);
        let written = match &mut self.sink {
            Sink::File(file) => file.write_all(line.as_bytes()),
            Sink::Out(out) => out.write_all(line.as_bytes()).and_then(|()| out.flush()),
        };
        written.map_err(|e| RowsError {
            pipe_closed: e.kind() == std::io::ErrorKind::BrokenPipe,
            ..RowsError::new(&self.path, None, e)
        })
    }
}

/// A row's cells.
pub(crate) fn written(study: &str, row: &Row) -> [String; 15] {
    let player = |side: usize| row.players.get(side).cloned().unwrap_or_default();
    let score = |side: usize| row.scores.get(side).map(f64::to_string).unwrap_or_default();
    let units: Vec<(&str, u8, u32, u32, bool, bool)> = row
        .units
        .iter()
        .map(|u| (u.unit.as_str(), u.side.0 + 1, u.strength, u.lost, u.on_table, u.marched_off))
        .collect();
    [
        study.to_owned(),
        row.battle.to_string(),
        row.seed.to_string(),
        player(0),
        player(1),
        row.winner.map(|w| (w.0 + 1).to_string()).unwrap_or_default(),
        row.won_by.map(|p| (p + 1).to_string()).unwrap_or_default(),
        row.grade.clone(),
        row.clause.clone(),
        row.reason.clone(),
        score(0),
        score(1),
        row.turns.to_string(),
        row.decisions.to_string(),
        serde_json::to_string(&units).unwrap_or_default(),
    ]
}

/// What a row says of a unit: id, side, strength, lost, on the table.
type Cell = (String, u8, u32, u32, bool);

/// A row from its cells.
fn read(cells: &[String; 15]) -> Option<Row> {
    let from_one = |text: &str| match text {
        "" => Some(None),
        n => n.parse::<u8>().ok()?.checked_sub(1).map(Some),
    };
    // Rows written before units could march off have five to a unit.
    let units: Vec<(Cell, bool)> =
        match serde_json::from_str::<Vec<(String, u8, u32, u32, bool, bool)>>(&cells[14]) {
            Ok(units) => units.into_iter().map(|(a, b, c, d, e, off)| ((a, b, c, d, e), off)).collect(),
            Err(_) => {
                serde_json::from_str::<Vec<Cell>>(&cells[14]).ok()?.into_iter().map(|c| (c, false)).collect()
            }
        };
    let units = units.into_iter().map(|((unit, side, strength, lost, on_table), marched_off)| {
        Some(UnitLoss { unit, side: Side(side.checked_sub(1)?), strength, lost, on_table, marched_off })
    });
    let scores = [&cells[10], &cells[11]].into_iter().filter(|s| !s.is_empty());
    Some(Row {
        battle: cells[1].parse().ok()?,
        seed: cells[2].parse().ok()?,
        players: vec![cells[3].clone(), cells[4].clone()],
        winner: from_one(&cells[5])?.map(Side),
        won_by: from_one(&cells[6])?.map(usize::from),
        grade: cells[7].clone(),
        clause: cells[8].clone(),
        reason: cells[9].clone(),
        scores: scores.map(|s| s.parse().ok()).collect::<Option<_>>()?,
        turns: cells[12].parse().ok()?,
        decisions: cells[13].parse().ok()?,
        stood_in: [0; 2],
        units: units.collect::<Option<_>>()?,
    })
}

/// A line of comma-separated values (RFC 4180), but never with a line break in a cell.
pub(crate) fn line(cells: &[String]) -> String {
    let cell = |text: &String| {
        let text = text.replace(['\n', '\r'], " ");
        if text.contains([',', '"']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
    };
    let mut line = cells.iter().map(cell).collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}

/// The cells of a line; none if a quotation is not closed.
fn cells(line: &str) -> Option<Vec<String>> {
    let mut cells = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let cell = cells.last_mut()?;
        match letter {
            '"' if quoted && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cell.push(other),
        }
    }
    (!quoted).then_some(cells)
}

/// Rows as a [`Ledger`] writes them, with the line of the columns before them or without.
pub fn rows_csv(study: &Study, rows: &[Row], headed: bool) -> String {
    let mut text = if headed { line(&COLUMNS.map(String::from)) } else { String::new() };
    let digest = study.digest();
    for row in rows {
        text += &line(&written(&digest, row));
    }
    text
}

/// What each unit lost in each battle, a line each: for people who sum up by unit.
pub fn units_csv(study: &Study, rows: &[Row]) -> String {
    let mut text = line(&UNIT_COLUMNS.map(String::from));
    let digest = study.digest();
    for row in rows {
        for u in &row.units {
            text += &line(&[
                digest.clone(),
                row.battle.to_string(),
                u.unit.clone(),
                (u.side.0 + 1).to_string(),
                u.strength.to_string(),
                u.lost.to_string(),
                u.on_table.to_string(),
                u.marched_off.to_string(),
            ]);
        }
    }
    text
}

/// The columns of a units file.
pub const UNIT_COLUMNS: [&str; 8] =
    ["study", "battle", "unit", "side", "strength", "lost", "on_table", "marched_off"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_read_back_as_written() {
        let row = ["a,b", "say \"no\"", "", "plain", "two\nlines"].map(String::from);
        let text = line(&row);
        assert_eq!(text, "\"a,b\",\"say \"\"no\"\"\",,plain,two lines\n");
        let back = cells(text.trim_end()).unwrap();
        assert_eq!(back[..4], row[..4]);
        assert_eq!(cells("a,\"b"), None);
    }
}
