//! The layered (Sugiyama) layout of one group of a picture: boxes in rows, links downwards.
//!
//! The phases: rows by the longest path, the order within rows by barycenters, x coordinates by medians. Each takes near
//! linear time in boxes and links. Links that lead up or across many rows get no route but jump, which bounds the number of
//! bends.

mod columns;
mod order;
mod rows;
#[cfg(test)]
mod tests;

use columns::columns;
use order::order;
use rows::rows;

/// The maximum number of rows that a link passes between its ends; a longer link jumps.
const PASSED: usize = 12;

/// The horizontal gap between neighbors in a row, in pixels.
const BESIDE: i32 = 24;

/// The vertical gap between rows in pixels, in addition to the margins of boxes.
const BETWEEN: i32 = 36;

/// The length in pixels of the straight end of a link, beside which the name of a distant producer may stand.
const TIP: i32 = 16;

/// The width in pixels that a link takes in a row that it passes.
const LINE: i32 = 8;

/// The distance in pixels from the left edge of a box to the point where links enter and leave it. Text beside a link stands right
/// of it.
pub const PORT: i32 = 12;

/// The number of inputs, or of outputs, in a row.
const ABREAST: usize = 6;

/// The weight of the desired position of a box that yields to others ([`Size::follows`]).
const LOOSE: i64 = 1;

/// The weight of the desired position of any other box.
const FIRM: i64 = 1_000;

/// The weight of the desired position of a link in a row that it passes: a bent long link is worse than a displaced box.
const STRAIGHT: i64 = 4_000;

/// The size of a box to place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Its width.
    pub width: i32,
    /// Its height.
    pub height: i32,
    /// The margin above it.
    pub above: i32,
    /// The margin below it.
    pub below: i32,
    /// Set if it yields to other boxes, as weights do to computed layers.
    pub follows: bool,
    /// The end of the graph at which it stands, if it is an input or an output.
    pub end: Option<End>,
}

/// An end of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The rows of inputs, above all other boxes.
    Top,
    /// The rows of outputs, below all other boxes.
    Bottom,
}

/// A point, such as the top left corner of a box.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// From the left.
    pub x: i32,
    /// From the top.
    pub y: i32,
}

/// The positions of the boxes and links of a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// The corners of the boxes, which do not overlap.
    pub places: Vec<Place>,
    /// The polyline of each link, alternating between the bottom of a row, below its margin, and the top of the next; `None` if the link jumps.
    pub routes: Vec<Option<Vec<Place>>>,
    /// The width of the group.
    pub width: i32,
    /// The height of the group.
    pub height: i32,
}

/// A node of the layered graph: a box, or a dummy at which a link passes a row.
struct Cell {
    /// The distance from the point where links enter and leave it to its left edge.
    left: i32,
    /// The distance to its right edge.
    right: i32,
    /// The weight of its desired position where cells would overlap.
    weight: i64,
    row: usize,
    /// Its neighbors in the row above.
    above: Vec<usize>,
    /// Its neighbors in the row below.
    below: Vec<usize>,
}

/// Lays out boxes. They must be in an order in which most links lead from an earlier box to a later one.
pub fn layout(boxes: &[Size], links: &[(usize, usize)]) -> Layout {
    let row_of = rows(boxes, links);
    let cell = |at: usize| {
        let weight = if boxes[at].follows { LOOSE } else { FIRM };
        let right = boxes[at].width - PORT;
        Cell { left: PORT, right, weight, row: row_of[at], above: Vec::new(), below: Vec::new() }
    };
    let mut cells: Vec<Cell> = (0..boxes.len()).map(cell).collect();
    let paths = paths(&mut cells, links);
    let rows = order(&cells);
    let x = columns(&cells, &rows);
    let tops = row_tops(boxes, &row_of, rows.len());
    // Links bend between the margins of rows, where no text stands.
    let head = |row: usize| tops[row].head - tops[row].above.max(TIP);
    let foot = |row: usize| tops[row].head + tops[row].height + tops[row].below;
    let places = (0..boxes.len()).map(|at| Place { x: x[at] - PORT, y: tops[row_of[at]].head }).collect();
    let route = |path: Vec<usize>| {
        let inner = path.get(1..path.len() - 1).unwrap_or_default();
        let (first, last) = (path[0], path[path.len() - 1]);
        let mut points = vec![Place { x: x[first], y: foot(cells[first].row) }];
        for cell in inner {
            let row = cells[*cell].row;
            points.extend([Place { x: x[*cell], y: head(row) }, Place { x: x[*cell], y: foot(row) }]);
        }
        points.push(Place { x: x[last], y: head(cells[last].row) });
        points
    };
    let width = (0..cells.len()).map(|at| x[at] + cells[at].right).max().unwrap_or_default();
    let height = tops.len().checked_sub(1).map_or(0, foot);
    Layout { places, routes: paths.into_iter().map(|path| path.map(route)).collect(), width, height }
}

/// Returns the cells of each link from end to end, `None` for a link that jumps. Adds a dummy cell for each row that a link
/// passes; links from one box share dummies.
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
                cells.push(Cell {
                    left: LINE / 2,
                    right: LINE / 2,
                    weight: STRAIGHT,
                    row,
                    above: vec![above],
                    below: Vec::new(),
                });
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

/// The vertical position of a row: the top of its boxes, their height, and the margins above and below.
struct Row {
    head: i32,
    height: i32,
    above: i32,
    below: i32,
}

fn row_tops(boxes: &[Size], row_of: &[usize], rows: usize) -> Vec<Row> {
    let mut room = vec![(0, 0, 0); rows];
    for (size, row) in boxes.iter().zip(row_of) {
        let (above, height, below) = &mut room[*row];
        (*above, *height, *below) = ((*above).max(size.above), (*height).max(size.height), (*below).max(size.below));
    }
    let mut y = 0;
    let head = |(row, (above, height, below)): (usize, (i32, i32, i32))| {
        let head = y + above + if row == 0 { 0 } else { BETWEEN };
        y = head + height + below;
        Row { head, height, above, below }
    };
    room.into_iter().enumerate().map(head).collect()
}
