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
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in rows {
        // A link crosses those before it that end further right.
        let (mut ends, mut all) = (Ends(Vec::new()), 0);
        for at in row {
            let own: Vec<usize> = cells[*at].below.iter().map(|below| place[*below]).collect();
            crossings += own.iter().map(|end| all - ends.up_to(*end)).sum::<usize>();
            all += own.len();
            for end in own {
                ends.add(end, longest);
            }
        }
    }
    crossings
}

/// The number of ends at every place, as a Fenwick tree: part `n` has those of as many places as its lowest bit says.
struct Ends(Vec<usize>);

impl Ends {
    fn add(&mut self, place: usize, places: usize) {
        if self.0.is_empty() {
            self.0 = vec![0; places + 1];
        }
        let mut part = place + 1;
        while part <= places {
            self.0[part] += 1;
            part += part & part.wrapping_neg();
        }
    }

    /// The number of ends up to a place.
    fn up_to(&self, place: usize) -> usize {
        let (mut part, mut ends) = (place + 1, 0);
        while part > 0 && !self.0.is_empty() {
            ends += self.0[part];
            part -= part & part.wrapping_neg();
        }
        ends
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_pair_of_links_that_cross_counts(links in prop::collection::vec((0..7_usize, 0..9_usize), 0..40)) {
            let rows = [(0..7).collect(), (7..16).collect()];
            let place: Vec<usize> = (0..7).chain(0..9).collect();
            let cell = |at: usize| {
                let below = links.iter().filter(|link| link.0 == at).map(|link| 7 + link.1).collect();
                Cell { width: 0, weight: 0, row: usize::from(at > 6), above: Vec::new(), below }
            };
            let cells: Vec<Cell> = (0..16).map(cell).collect();
            let cross = |a: &(usize, usize), b: &(usize, usize)| a.0 < b.0 && a.1 > b.1;
            let wanted = links.iter().map(|a| links.iter().filter(|b| cross(a, b)).count()).sum::<usize>();
            prop_assert_eq!(crossings(&cells, &rows, &place), wanted);
        }
    }
}
