//! A drawing as SVG, with the layout of `ovlint report`.

use super::Drawing;
use crate::analysis::Model;
use crate::ir::{LayerId, Role};
use crate::query::groups::Item;
use crate::query::layout::{PORT, Place, Size};
use crate::query::picture::{CONSTANTS, LINE, OUTPUTS, Picture};
use crate::report::findings::xml;
use crate::text::escape::line as clean;
use crate::types::bare_fact;
use std::fmt::Write;

/// The margin around the drawing in pixels.
const MARGIN: i32 = 16;

/// The width of a character in pixels.
const CHARACTER: i32 = 7;

/// The maximum number of characters of a line in a box.
const CHARACTERS: usize = 27;

/// The style, for light and dark backgrounds.
const STYLE: &str = include_str!("svg.css");

/// Formats the drawing as SVG.
pub fn svg(drawing: &Drawing, model: &Model) -> String {
    let picture = Picture::flat(drawing.graph, drawing.facts, drawing.layers.iter().copied().collect());
    let Some(drawn) = picture.drawn.first() else { return String::new() };
    let (legend, layout) = (drawing.legend(model), &drawn.layout);
    let head = LINE * i32::try_from(legend.len()).unwrap_or_default();
    let longest = legend.iter().map(|line| line.chars().count()).max().unwrap_or_default();
    let longest = CHARACTER * i32::try_from(longest).unwrap_or_default();
    let (width, height) = (layout.width.max(longest) + 2 * MARGIN, layout.height + head + 2 * MARGIN);
    let name = clean(model.net().map(|net| net.name.as_str()).unwrap_or_default(), 80);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n\
         <marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
         markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1 8 4 0 7z\"/></marker>\n\
         <rect class=\"page\" width=\"{width}\" height=\"{height}\"/>\n",
        xml::text(&name),
    );
    let mut y = MARGIN;
    for line in &legend {
        write_line(&mut text, "fact", MARGIN, y, line);
        y += LINE;
    }
    let _ = writeln!(text, "<g transform=\"translate({MARGIN},{})\">", MARGIN + head);
    for (link, route) in drawn.links.iter().zip(&layout.routes) {
        let port = |at: usize, y: i32| Place { x: layout.places[at].x + PORT, y };
        let start = port(link.from, layout.places[link.from].y + drawn.sizes[link.from].height);
        let end = port(link.to, layout.places[link.to].y);
        let is_assumed = drawing.facts.output(link.tensor).is_some_and(|fact| fact.assumed);
        let class = if is_assumed { "edge assumed" } else { "edge" };
        let _ = writeln!(text, "<path class=\"{class}\" d=\"{}\"/>", path(start, end, route.as_deref()));
    }
    for ((item, place), size) in drawn.items.iter().zip(&layout.places).zip(&drawn.sizes) {
        if let Item::Box(at) = *item {
            write_layer(drawing, model, picture.layers[at], *place, *size, &mut text);
        }
    }
    text.push_str("</g>\n</svg>\n");
    text
}

/// Returns the SVG path from a box to another, bent between rows. A link that jumps has no route: it is one curve, which may
/// cross other boxes.
fn path(start: Place, end: Place, route: Option<&[Place]>) -> String {
    let mut path = format!("M{} {}", start.x, start.y);
    for pair in route.unwrap_or(&[start, end]).chunks_exact(2) {
        let (from, to) = (pair[0], pair[1]);
        let middle = i32::midpoint(from.y, to.y);
        let _ = write!(path, "L{} {}C{} {middle} {} {middle} {} {}", from.x, from.y, from.x, to.x, to.x, to.y);
    }
    let _ = write!(path, "L{} {}", end.x, end.y);
    path
}

/// Writes a box with type, name and constants, and its outputs below.
fn write_layer(drawing: &Drawing, model: &Model, id: LayerId, place: Place, size: Size, text: &mut String) {
    let (Some((name, ty, role)), Some(layer)) = (drawing.node(model, id), drawing.graph.layer(id)) else { return };
    let classes = [
        (" end", matches!(role, Role::Parameter | Role::Result)),
        (" assumed", drawing.facts.is_assumed(id)),
        (" center", drawing.center == Some(id)),
    ];
    let class: String = classes.into_iter().filter(|(_, is)| *is).map(|(class, _)| class).collect();
    let (Place { x, y }, Size { width, height, .. }) = (place, size);
    let _ = writeln!(
        text,
        "<rect class=\"box{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
    );
    write_line(text, "type", x + 10, y + 16, &shortened(&ty, CHARACTERS - 5));
    write_line(text, "name", x + 10, y + 30, &shortened(&name, CHARACTERS));
    let spec = drawing.graph.kind(layer).spec();
    let constants = drawing.graph.inputs(layer).iter().enumerate().filter_map(|(at, port)| {
        let from = port.source().filter(|from| !drawing.layers.contains(&from.layer))?;
        let is_const = drawing.graph.layer(from.layer).is_some_and(|from| drawing.graph.kind(from).role == Role::Const);
        let name = spec.and_then(|spec| spec.input(at)).map_or_else(|| at.to_string(), |input| input.name.to_owned());
        is_const.then(|| format!("{name} {}", drawing.facts.output(from).map(bare_fact).unwrap_or_default()))
    });
    write_lines(text, "constant", x + 10, y + 46, CONSTANTS, &constants.collect::<Vec<_>>());
    let facts = drawing.facts.outputs(id);
    let number = |at: usize| if facts.len() > 1 { format!("{at}: ") } else { String::new() };
    let facts: Vec<String> = facts.iter().enumerate().map(|(at, fact)| number(at) + &bare_fact(fact)).collect();
    write_lines(text, "fact", x + PORT + 8, y + height + 11, OUTPUTS, &facts);
}

/// Writes at most `most` lines; the last one counts the omitted ones.
fn write_lines(text: &mut String, class: &str, x: i32, mut y: i32, most: usize, all: &[String]) {
    let shown = if all.len() > most { most - 1 } else { all.len() };
    let more = (all.len() > shown).then(|| format!("and {} more", all.len() - shown));
    for line in all.iter().take(shown).chain(&more) {
        write_line(text, class, x, y, &shortened(line, CHARACTERS - 2));
        y += LINE;
    }
}

fn write_line(text: &mut String, class: &str, x: i32, y: i32, line: &str) {
    let _ = writeln!(text, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", xml::text(line));
}

/// Truncates a text in the middle, because the end of a name says more.
pub(in crate::report::views) fn shortened(text: &str, most: usize) -> String {
    let count = text.chars().count();
    if count <= most {
        return text.to_owned();
    }
    let end = (most - 1) * 3 / 5;
    text.chars().take(most - 1 - end).chain(['…']).chain(text.chars().skip(count - end)).collect()
}
