//! Tables for a terminal, as of `ovlint shapes` and `ovlint info`: rows in columns, continued on further lines if they are
//! too wide.

use crate::report::wrap::{NARROW, columns, wrapped};

/// The indentation of the further lines of a row that is wider than the terminal.
const BELOW: usize = 10;

/// The width down to which the main column may shrink.
const NAME: usize = 12;

/// Formats rows as lines. `most` gives the maximum width of each column, and `main` is the index of the column that shrinks
/// if there is no room. Cells beyond the last column follow it, or go on further lines.
pub(super) fn aligned(rows: &[Vec<String>], most: &[usize], main: usize, width: usize) -> String {
    let widths = |column: usize| rows.iter().filter_map(move |row| row.get(column)).map(|cell| columns(cell));
    let widest = |(column, most): (usize, &usize)| widths(column).max().unwrap_or_default().min(*most);
    let mut lengths: Vec<usize> = most.iter().enumerate().map(widest).collect();
    let mut names: Vec<usize> = widths(main).collect();
    names.sort_unstable();
    // Nine tenths of the names determine the width, so that a few long ones do not shift the other columns.
    let usual = names.get(names.len().saturating_sub(1) - names.len() / 10).copied().unwrap_or_default();
    if let Some(length) = lengths.get_mut(main) {
        *length = usual.min(*length);
    }
    let beyond = (lengths.iter().sum::<usize>() + 2 * most.len().saturating_sub(1)).saturating_sub(width);
    if let Some(length) = lengths.get_mut(main) {
        *length = length.saturating_sub(beyond).max(NAME.min(*length));
    }
    rows.iter().map(|row| placed(row, &lengths, main, width) + "\n").collect()
}

/// Formats a row: cells below their titles, or on further lines if there is no room.
fn placed(cells: &[String], lengths: &[usize], main: usize, width: usize) -> String {
    let mut whole = String::new();
    for (i, cell) in cells.iter().enumerate() {
        whole.push_str(cell);
        let length = lengths.get(i).map_or(0, |length| length + 2);
        whole.extend(std::iter::repeat_n(' ', length.saturating_sub(columns(cell)).max(2)));
    }
    let whole = whole.trim_end();
    if columns(whole) <= width {
        return whole.to_owned();
    }
    let mut out = String::new();
    let (mut at, mut start, mut is_below) = (0, 0, false);
    for (i, cell) in cells.iter().enumerate() {
        let column_of_cell = start;
        start += lengths.get(i).map_or(0, |length| length + 2);
        if cell.is_empty() {
            continue;
        }
        let size = columns(cell);
        let needed = if i < lengths.len() { size } else { size.min(NARROW) };
        let fits = i <= main || (i <= lengths.len() && column_of_cell + needed <= width);
        let column = if fits && (at == 0 || at + 2 <= column_of_cell) {
            column_of_cell
        } else if is_below && at + 2 + size <= width {
            at + 2
        } else {
            if at > 0 {
                out.push('\n');
                at = 0;
            }
            is_below |= !fits;
            if fits { column_of_cell } else { BELOW }
        };
        out.extend(std::iter::repeat_n(' ', column - at));
        out.push_str(&wrapped(cell, width, column));
        at = column + size;
    }
    out
}
