//! The x coordinates of cells: each near the median of its neighbors, so that links are straight where possible.

use super::{BESIDE, Cell, FIRM, LOOSE};

/// The neighbors whose median is the desired position in each sweep: (those above, those below).
const SWEEPS: [(bool, bool); 8] = [
    (true, false),
    (false, true),
    (true, false),
    (false, true),
    (true, false),
    (false, true),
    (true, true),
    (true, false),
];

/// Returns the x coordinates of the cells' centers; the leftmost edge is at 0.
pub(super) fn columns(cells: &[Cell], rows: &[Vec<usize>]) -> Vec<i32> {
    let mut x = vec![0_i64; cells.len()];
    for row in rows {
        let mut end = 0;
        for at in row {
            let width = i64::from(cells[*at].width);
            x[*at] = end + width / 2;
            end += width + i64::from(BESIDE);
        }
    }
    for (above, below) in SWEEPS {
        let count = rows.len();
        for step in 0..count {
            let row = &rows[if above { step } else { count - 1 - step }];
            let wish = |at: &usize| {
                let cell = &cells[*at];
                let near = || cell.above.iter().filter(|_| above).chain(cell.below.iter().filter(|_| below));
                // Ignore neighbors that yield to others ([`LOOSE`]), unless there are no others.
                let most = near().map(|other| cells[*other].weight.min(FIRM)).max();
                let near = near().filter(|other| most.is_some_and(|most| cells[**other].weight >= most));
                let mut near: Vec<i64> = near.map(|other| x[*other]).collect();
                near.sort_unstable();
                let middle = near.len() / 2;
                match near.len() {
                    0 => (x[*at], LOOSE),
                    even if even % 2 == 0 => (i64::midpoint(near[middle - 1], near[middle]), cell.weight),
                    _ => (near[middle], cell.weight),
                }
            };
            let wishes: Vec<(i64, i64)> = row.iter().map(wish).collect();
            resolve_overlaps(cells, row, &wishes, &mut x);
        }
    }
    let left = (0..cells.len()).map(|at| x[at] - i64::from(cells[at].width / 2)).min().unwrap_or(0);
    x.iter().map(|middle| i32::try_from(middle - left).unwrap_or(i32::MAX)).collect()
}

/// Places the cells of a row as near as possible to their desired positions, in order and without overlap. `wishes` contains
/// each desired position and its weight. This is isotonic regression (pool adjacent violators): cells that would overlap
/// form a block at the weighted mean of their desired positions.
fn resolve_overlaps(cells: &[Cell], row: &[usize], wishes: &[(i64, i64)], x: &mut [i64]) {
    // The center of each cell if all were packed without gaps and the first one were at 0.
    let (mut packed, mut offset, mut before) = (Vec::with_capacity(row.len()), 0, 0);
    for (index, at) in row.iter().enumerate() {
        let half = i64::from(cells[*at].width / 2);
        offset += if index == 0 { 0 } else { before + half + i64::from(BESIDE) };
        before = i64::from(cells[*at].width) - half;
        packed.push(offset);
    }
    // Blocks: the weighted sum of the desired positions, the sum of the weights, and the number of cells.
    let mut blocks: Vec<(i64, i64, usize)> = Vec::new();
    for ((wish, weight), offset) in wishes.iter().zip(&packed) {
        let mut block = ((wish - offset) * weight, *weight, 1);
        while let Some(last) = blocks.pop_if(|last| mean(last) >= mean(&block)) {
            block = (block.0 + last.0, block.1 + last.1, block.2 + last.2);
        }
        blocks.push(block);
    }
    let starts = blocks.iter().flat_map(|block| std::iter::repeat_n(mean(block), block.2));
    for ((at, offset), start) in row.iter().zip(packed).zip(starts) {
        x[*at] = start + offset;
    }
}

fn mean((sum, weight, _): &(i64, i64, usize)) -> i64 {
    (2 * sum + weight).div_euclid(2 * weight)
}
