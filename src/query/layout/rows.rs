//! The row of each box, below all its producers.

use super::{ABREAST, End, Size};

/// Returns the row of each box by the longest path, inputs first and outputs last; no row is empty.
pub(super) fn rows(boxes: &[Size], links: &[(usize, usize)]) -> Vec<usize> {
    let count = boxes.len();
    let at_end = |end: End| (0..count).filter(move |at| boxes[*at].end == Some(end));
    let (mut sources, mut targets) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (from, to) in links.iter().filter(|(from, to)| from < to) {
        sources[*to].push(*from);
        targets[*from].push(*to);
    }
    let first = at_end(End::Top).count().saturating_sub(1) / ABREAST;
    let mut rows = vec![first; count];
    at_end(End::Top).enumerate().for_each(|(number, at)| rows[at] = number / ABREAST);
    // A box is loose if it leads to a single box and all its producers are loose, as for weights. It moves down to the row
    // above its consumer.
    let mut is_loose = vec![false; count];
    for at in 0..count {
        rows[at] = sources[at].iter().map(|from: &usize| rows[*from].max(first) + 1).max().unwrap_or(rows[at]);
        let is_end = boxes[at].end.is_some();
        is_loose[at] = !is_end && targets[at].len() == 1 && sources[at].iter().all(|from| is_loose[*from]);
    }
    for at in (0..count).rev().filter(|at| is_loose[*at]) {
        let first = targets[at].iter().map(|to: &usize| rows[*to]).min();
        rows[at] = first.map_or(rows[at], |first| first.saturating_sub(1));
    }
    let is_alone = |at: &usize| sources[*at].is_empty() && targets[*at].is_empty() && boxes[*at].end.is_none();
    let mut end = |all: &mut dyn Iterator<Item = usize>| {
        let end = rows.iter().max().map_or(0, |last| last + 1);
        all.enumerate().for_each(|(number, at)| rows[at] = end + number / ABREAST);
    };
    end(&mut (0..count).filter(is_alone));
    end(&mut at_end(End::Bottom));
    let mut used = rows.clone();
    used.sort_unstable();
    used.dedup();
    rows.iter().map(|row| used.partition_point(|one| one < row)).collect()
}
