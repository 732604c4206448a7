//! The order of the cells in each row, by the barycenter heuristic, so that few links cross.

use super::Cell;

/// The number of sweeps over all rows, alternating down and up.
const SWEEPS: usize = 8;

/// The factor of barycenters, which are fixed-point numbers.
const FINE: usize = 1 << 10;

/// Returns the cells of each row, from left to right.
pub(super) fn order(cells: &[Cell]) -> Vec<Vec<usize>> {
    let count = cells.iter().map(|cell| cell.row + 1).max().unwrap_or(0);
    let mut rows = vec![Vec::new(); count];
    for (at, cell) in cells.iter().enumerate() {
        rows[cell.row].push(at);
    }
    let mut position = vec![0; cells.len()];
    for row in &rows {
        number(row, &mut position);
    }
    let mut best = (crossings(cells, &rows, &position), rows.clone());
    for sweep in 0..SWEEPS {
        let is_down = sweep % 2 == 0;
        for step in 0..count {
            let row = &mut rows[if is_down { step } else { count - 1 - step }];
            let centre = |at: &usize| {
                let near = if is_down { &cells[*at].above } else { &cells[*at].below };
                let sum: usize = near.iter().map(|other| position[*other]).sum();
                (sum * FINE).checked_div(near.len()).unwrap_or(position[*at] * FINE)
            };
            row.sort_by_cached_key(centre);
            number(row, &mut position);
        }
        let found = crossings(cells, &rows, &position);
        if found < best.0 {
            best = (found, rows.clone());
        }
    }
    best.1
}

fn number(row: &[usize], position: &mut [usize]) {
    for (number, at) in row.iter().enumerate() {
        position[*at] = number;
    }
}

/// Counts the pairs of links that cross.
fn crossings(cells: &[Cell], rows: &[Vec<usize>], position: &[usize]) -> usize {
    let mut crossings = 0;
    let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
    for row in rows {
        // A link crosses those before it that end further right. `all` is the number of links before it.
        let (mut ends, mut all) = (Ends(Vec::new()), 0);
        for at in row {
            let own: Vec<usize> = cells[*at].below.iter().map(|below| position[*below]).collect();
            crossings += own.iter().map(|end| all - ends.up_to(*end)).sum::<usize>();
            all += own.len();
            for end in own {
                ends.add(end, longest);
            }
        }
    }
    crossings
}

/// The number of link ends up to each position, as a Fenwick tree: node `n` counts the last `n & -n` positions up to `n`.
struct Ends(Vec<usize>);

impl Ends {
    fn add(&mut self, position: usize, positions: usize) {
        if self.0.is_empty() {
            self.0 = vec![0; positions + 1];
        }
        let mut part = position + 1;
        while part <= positions {
            self.0[part] += 1;
            part += part & part.wrapping_neg();
        }
    }

    /// Returns the number of ends up to a position.
    fn up_to(&self, position: usize) -> usize {
        let (mut part, mut ends) = (position + 1, 0);
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
            let position: Vec<usize> = (0..7).chain(0..9).collect();
            let cell = |at: usize| {
                let below = links.iter().filter(|link| link.0 == at).map(|link| 7 + link.1).collect();
                Cell { left: 0, right: 0, weight: 0, row: usize::from(at > 6), above: Vec::new(), below }
            };
            let cells: Vec<Cell> = (0..16).map(cell).collect();
            let cross = |a: &(usize, usize), b: &(usize, usize)| a.0 < b.0 && a.1 > b.1;
            let wanted = links.iter().map(|a| links.iter().filter(|b| cross(a, b)).count()).sum::<usize>();
            prop_assert_eq!(crossings(&cells, &rows, &position), wanted);
        }
    }
}
