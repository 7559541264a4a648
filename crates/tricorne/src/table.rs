//! Plain tables on a terminal.

/// Prints rows in columns that line up; the first row is the heading.
pub fn columns(rows: &[Vec<String>]) -> String {
    let wide = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..wide)
        .map(|c| rows.iter().filter_map(|r| r.get(c)).map(|t| t.chars().count()).max().unwrap_or(0))
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.extend(std::iter::repeat_n(' ', width - cell.chars().count() + 2));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
