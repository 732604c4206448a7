//! The order of the cells in every row, so that few links cross.

use super::Cell;

/// Times that all rows are ordered, downwards and upwards in turn.
const SWEEPS: usize = 8;

/// The parts of a place that a barycentre may lie between.
const FINE: usize = 1 << 10;

/// The cells of every row, from left to right.
pub(super) fn order(cells: &[Cell]) -> Vec<Vec<usize>> {
    let count = cells.iter().map(|cell| cell.row + 1).max().unwrap_or(0);
    let mut rows = vec![Vec::new(); count];
    for (at, cell) in cells.iter().enumerate() {
        rows[cell.row].push(at);
    }
    let mut place = vec![0; cells.len()];
    for row in &rows {
        number(row, &mut place);
    }
    let mut best = (crossings(cells, &rows, &place), rows.clone());
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        for step in 0..count {
            let row = &mut rows[if is_down { step } else { count - 1 - step }];
            let centre = |at: &usize| {
                let near = if is_down { &cells[*at].above } else { &cells[*at].below };
                let sum: usize = near.iter().map(|other| place[*other]).sum();
                (sum * FINE).checked_div(near.len()).unwrap_or(place[*at] * FINE)
            };
            row.sort_by_cached_key(centre);
            number(row, &mut place);
        }
        let found = crossings(cells, &rows, &place);
        if found < best.0 {
            best = (found, rows.clone());
        }
    }
    best.1
}

fn number(row: &[usize], place: &mut [usize]) {
    for (number, at) in row.iter().enumerate() {
        place[*at] = number;
    }
}

/// How many pairs of links cross.
fn crossings(cells: &[Cell], rows: &[Vec<usize>], place: &[usize]) -> usize {
    let mut crossings = 0;
    for row in rows {
        // The ends of the links so far, sorted: a link crosses those that end further right.
        let mut ends: Vec<usize> = Vec::new();
        for at in row {
            let mut own: Vec<usize> = cells[*at].below.iter().map(|below| place[*below]).collect();
            own.sort_unstable();
            let left = own.iter().map(|end| ends.partition_point(|other| other <= end));
            crossings += left.map(|left| ends.len() - left).sum::<usize>();
            for end in own {
                ends.insert(ends.partition_point(|other| *other <= end), end);
            }
        }
    }
    crossings
}
