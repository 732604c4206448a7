//! Boxes in rows, so that links lead down: the layout of one group of a picture.
//!
//! Every step takes time that grows with the boxes and their links: rows by the longest path, an order within rows by
//! barycentres, columns by medians. Links that lead up or over many rows are not drawn but jump, which bounds the bends.

mod columns;
mod order;
mod rows;
#[cfg(test)]
mod tests;

use columns::columns;
use order::order;
use rows::rows;

/// Rows that a link may pass; one that passes more jumps.
const PASSED: usize = 12;

/// Room between boxes that stand side by side.
const BESIDE: i32 = 24;

/// Room between rows, besides what boxes ask for.
const BETWEEN: i32 = 28;

/// Room that a link takes in a row that it passes.
const LINE: i32 = 8;

/// How much the place of a box counts that follows others.
const LOOSE: i64 = 1;

/// The same of other boxes.
const FIRM: i64 = 1_000;

/// The same of a point that a link passes: a long link that bends is worse than a box out of line.
const STRAIGHT: i64 = 4_000;

/// A box to place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
    /// Room that is kept free above it.
    pub above: i32,
    /// Room that is kept free below it.
    pub below: i32,
    /// Whether it stands where there is room, as weights do beside what is computed.
    pub follows: bool,
}

/// The top left corner of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

/// Where the boxes of a group stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The places of the boxes, none of which overlap.
    pub places: Vec<Place>,
    /// For every link the points between its boxes, from the foot of a row to the head of the next and so on; `None` if it
    /// jumps.
    pub routes: Vec<Option<Vec<Place>>>,
    /// Of all boxes together.
    pub width: i32,
    /// Of all boxes together.
    pub height: i32,
}

/// A box, or a point at which a link passes a row.
struct Cell {
    width: i32,
    /// How much its place counts where cells are in each other's way.
    weight: i64,
    row: usize,
    /// What it is linked to in the row above.
    above: Vec<usize>,
    /// What it is linked to in the row below.
    below: Vec<usize>,
}

/// Places boxes. They come in an order in which most links lead from an earlier one to a later one.
pub fn layout(boxes: &[Size], links: &[(usize, usize)]) -> Layout {
    let row_of = rows(boxes.len(), links);
    let cell = |at: usize| {
        let weight = if boxes[at].follows { LOOSE } else { FIRM };
        Cell { width: boxes[at].width, weight, row: row_of[at], above: Vec::new(), below: Vec::new() }
    };
    let mut cells: Vec<Cell> = (0..boxes.len()).map(cell).collect();
    let paths = paths(&mut cells, links);
    let rows = order(&cells);
    let x = columns(&cells, &rows);
    let heads = heads(boxes, &row_of, rows.len());
    let foot = |row: usize| heads[row].0 + heads[row].1;
    let places = (0..boxes.len()).map(|at| Place { x: x[at] - boxes[at].width / 2, y: heads[row_of[at]].0 }).collect();
    let route = |path: Vec<usize>| {
        let inner = path.get(1..path.len() - 1).unwrap_or_default();
        let (first, last) = (path[0], path[path.len() - 1]);
        let mut points = vec![Place { x: x[first], y: foot(cells[first].row) }];
        for cell in inner {
            let row = cells[*cell].row;
            points.extend([Place { x: x[*cell], y: heads[row].0 }, Place { x: x[*cell], y: foot(row) }]);
        }
        points.push(Place { x: x[last], y: heads[cells[last].row].0 });
        points
    };
    let width = (0..cells.len()).map(|at| x[at] + cells[at].width / 2).max().unwrap_or_default();
    let height = heads.len().checked_sub(1).map_or(0, |last| {
        let below = boxes.iter().zip(&row_of).filter(|(_, row)| **row == last).map(|(size, _)| size.below);
        foot(last) + below.max().unwrap_or_default()
    });
    Layout { places, routes: paths.into_iter().map(|path| path.map(route)).collect(), width, height }
}

/// The cells that every link passes, its ends included; links of one box share cells. `None` for a link that jumps.
fn paths(cells: &mut Vec<Cell>, links: &[(usize, usize)]) -> Vec<Option<Vec<usize>>> {
    let mut passing: Vec<Vec<usize>> = vec![Vec::new(); cells.len()];
    links
        .iter()
        .map(|(from, to)| {
            let passed = cells[*to].row.checked_sub(cells[*from].row + 1).filter(|passed| *passed <= PASSED)?;
            let line = &mut passing[*from];
            while line.len() < passed {
                let above = line.last().copied().unwrap_or(*from);
                let row = cells[above].row + 1;
                let own = cells.len();
                line.push(own);
                cells[above].below.push(own);
                cells.push(Cell { width: LINE, weight: STRAIGHT, row, above: vec![above], below: Vec::new() });
            }
            let path: Vec<usize> = [*from].into_iter().chain(line.iter().copied().take(passed)).chain([*to]).collect();
            let last = path[path.len() - 2];
            if !cells[last].below.contains(to) {
                cells[last].below.push(*to);
                cells[*to].above.push(last);
            }
            Some(path)
        })
        .collect()
}

/// Where every row starts, and its height.
fn heads(boxes: &[Size], row_of: &[usize], rows: usize) -> Vec<(i32, i32)> {
    let mut room = vec![(0, 0, 0); rows];
    for (size, row) in boxes.iter().zip(row_of) {
        let (above, height, below) = &mut room[*row];
        (*above, *height, *below) = ((*above).max(size.above), (*height).max(size.height), (*below).max(size.below));
    }
    let mut y = 0;
    let head = |(row, (above, height, below)): (usize, (i32, i32, i32))| {
        let head = y + above + if row == 0 { 0 } else { BETWEEN };
        y = head + height + below;
        (head, height)
    };
    room.into_iter().enumerate().map(head).collect()
}
