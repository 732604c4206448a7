//! The x coordinates of cells: each near the median of its neighbors, so that links are straight where possible.

use super::{BESIDE, Cell, FIRM, LOOSE, STRAIGHT};

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

/// Returns the x coordinates of the cells; the leftmost edge is at 0, and links attach at the coordinate.
pub(super) fn columns(cells: &[Cell], rows: &[Vec<usize>]) -> Vec<i32> {
    let mut x = vec![0_i64; cells.len()];
    for row in rows {
        let mut end = 0;
        for at in row {
            x[*at] = end + i64::from(cells[*at].left);
            end = x[*at] + i64::from(cells[*at].right + BESIDE);
        }
    }
    for (above, below) in SWEEPS {
        let count = rows.len();
        for step in 0..count {
            let row = &rows[if above { step } else { count - 1 - step }];
            let wish = |at: &usize| {
                let cell = &cells[*at];
                let near = || cell.above.iter().filter(|_| above).chain(cell.below.iter().filter(|_| below));
                // A box follows boxes, so that chains are straight. A link that passes rows follows itself; where it leaves a
                // box it yields. Both follow boxes that yield only if there is nothing else.
                let rank = |other: &usize| match cells[*other].weight {
                    LOOSE => 0,
                    FIRM => 1 + i32::from(cell.weight != STRAIGHT),
                    _ => 1 + i32::from(cell.weight == STRAIGHT),
                };
                let most = near().map(rank).max();
                let mut near: Vec<i64> =
                    near().filter(|other| Some(rank(other)) == most).map(|other| x[*other]).collect();
                near.sort_unstable();
                let weight = if cell.weight == STRAIGHT && most != Some(2) { LOOSE } else { cell.weight };
                let middle = near.len() / 2;
                match near.len() {
                    0 => (x[*at], LOOSE),
                    even if even % 2 == 0 => (i64::midpoint(near[middle - 1], near[middle]), weight),
                    _ => (near[middle], weight),
                }
            };
            let wishes: Vec<(i64, i64)> = row.iter().map(wish).collect();
            resolve_overlaps(cells, row, &wishes, &mut x);
        }
    }
    let left = (0..cells.len()).map(|at| x[at] - i64::from(cells[at].left)).min().unwrap_or(0);
    x.iter().map(|at| i32::try_from(at - left).unwrap_or(i32::MAX)).collect()
}

/// Places the cells of a row as near as possible to their desired positions, in order and without overlap. `wishes` contains
/// each desired position and its weight. This is isotonic regression (pool adjacent violators): cells that would overlap
/// form a block at the weighted mean of their desired positions.
fn resolve_overlaps(cells: &[Cell], row: &[usize], wishes: &[(i64, i64)], x: &mut [i64]) {
    // The position of each cell if all were packed without gaps and the first one were at 0.
    let (mut packed, mut offset, mut before) = (Vec::with_capacity(row.len()), 0, 0);
    for (index, at) in row.iter().enumerate() {
        offset += if index == 0 { 0 } else { before + i64::from(cells[*at].left + BESIDE) };
        before = i64::from(cells[*at].right);
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
