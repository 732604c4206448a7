//! The row of each box, below all its producers.

/// The number of boxes per row among those without links.
const ABREAST: usize = 6;

/// Returns the row of each box by the longest path; no row is empty.
pub(super) fn rows(count: usize, links: &[(usize, usize)]) -> Vec<usize> {
    let (mut sources, mut targets) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (from, to) in links.iter().filter(|(from, to)| from < to) {
        sources[*to].push(*from);
        targets[*from].push(*to);
    }
    let mut rows = vec![0_usize; count];
    // A box is loose if it leads to a single box and all its producers are loose, as for weights. It moves down to the row
    // above its consumer.
    let mut is_loose = vec![false; count];
    for at in 0..count {
        rows[at] = sources[at].iter().map(|from: &usize| rows[*from] + 1).max().unwrap_or(0);
        is_loose[at] = targets[at].len() == 1 && sources[at].iter().all(|from| is_loose[*from]);
    }
    for at in (0..count).rev().filter(|at| is_loose[*at]) {
        let first = targets[at].iter().map(|to: &usize| rows[*to]).min();
        rows[at] = first.map_or(rows[at], |first| first.saturating_sub(1));
    }
    let end = rows.iter().max().map_or(0, |last| last + 1);
    let alone = (0..count).filter(|at| sources[*at].is_empty() && targets[*at].is_empty());
    for (number, at) in alone.enumerate() {
        rows[at] = end + number / ABREAST;
    }
    let mut used = rows.clone();
    used.sort_unstable();
    used.dedup();
    rows.iter().map(|row| used.partition_point(|one| one < row)).collect()
}
