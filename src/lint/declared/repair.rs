//! The edits that make a port declare its fact: numbers if the rank stays, else whole `<dim>` lines.

use super::relation::{Relation, relation};
use crate::diagnostic::{Applicability, Edit, Fix};
use crate::ir::{DimPlace, Graph, Layer, Port, dim_places, find_attribute};
use crate::lint::Checked;
use crate::source::{Source, Span};
use crate::types::{Dim, ElementType, Fact, PartialShape, bare_fact};

/// Makes a port declare its fact; `None` if nothing is to change.
///
/// If the fact depends on declarations, only contradictions are changed.
pub(crate) fn repair(checked: &Checked, layer: &Layer, port: &Port, fact: &Fact) -> Option<Fix> {
    let source = checked.scope.source;
    let mut edits = Vec::new();
    let declared_type = port.precision.filter(|ty| *ty != ElementType::Dynamic && fact.ty != ElementType::Dynamic);
    if declared_type.is_some_and(|ty| ty != fact.ty) {
        let span = find_attribute(source, port.tag, "precision")?.value;
        edits.push(Edit { span, text: fact.ty.port_name().to_owned() });
    }
    let types = edits.len();
    let declared = checked.scope.graph.dims(port);
    let places = dim_places(source, port);
    if places.len() == declared.len() {
        shape(source, layer, port, declared, &places, fact, &mut edits);
    }
    let message = match (types, edits.len()) {
        (_, 0) => return None,
        (1, 1) => format!("declare {}", fact.ty.port_name()),
        (0, _) if Some(declared.len()) == fact.rank() => "change the declared dimension".to_owned(),
        _ => format!("declare {}", bare_fact(fact)),
    };
    Some(Fix { applicability: Applicability::Safe, message: message.into(), edits })
}

/// Returns the edits that make a port declare a shape, its known dimensions and -1 for the others.
pub(crate) fn redeclare(source: &Source, graph: &Graph, layer: &Layer, port: &Port, shape: &PartialShape) -> Vec<Edit> {
    let (declared, places, mut edits) = (graph.dims(port), dim_places(source, port), Vec::new());
    if places.len() == declared.len() {
        let fact = Fact::new(ElementType::Dynamic, shape.clone());
        self::shape(source, layer, port, declared, &places, &fact, &mut edits);
    }
    edits
}

fn shape(
    source: &Source,
    layer: &Layer,
    port: &Port,
    declared: &[i64],
    places: &[DimPlace],
    fact: &Fact,
    edits: &mut Vec<Edit>,
) {
    match fact.shape.dims() {
        Some(dims) if dims.len() == declared.len() => {
            for ((place, declared), inferred) in places.iter().zip(declared).zip(dims) {
                let relation = relation(*declared, *inferred);
                if relation == Relation::Contradicts || relation != Relation::Agrees && !fact.assumed {
                    edits.push(length(source, *place, *inferred));
                }
            }
        }
        // A port without dimensions may have any rank.
        Some(_) if declared.is_empty() && fact.assumed => {}
        Some(dims) if declared.is_empty() => edits.extend(first_dims(source, layer, port, dims)),
        Some(dims) => rank(source, declared, places, dims, edits),
        None if fact.assumed => {}
        None => edits.extend(places.iter().map(|place| removal(source, *place))),
    }
}

/// Replaces the text of a `<dim>`.
pub(super) fn length(source: &Source, place: DimPlace, dim: Dim) -> Edit {
    if source.slice(place.text).first() == Some(&b'<') {
        return Edit { span: place.element, text: element(dim) };
    }
    Edit { span: place.text, text: digits(dim) }
}

fn digits(dim: Dim) -> String {
    dim.length().map_or("-1".to_owned(), |length| length.to_string())
}

fn element(dim: Dim) -> String {
    format!("<dim>{}</dim>", digits(dim))
}

/// Removes or inserts lines where the lists begin to differ; the other lines get their new numbers.
fn rank(source: &Source, declared: &[i64], places: &[DimPlace], dims: &[Dim], edits: &mut Vec<Edit>) {
    let agrees = |(declared, dim): &(&i64, &Dim)| relation(**declared, **dim) == Relation::Agrees;
    let same = declared.iter().zip(dims).take_while(agrees).count();
    let more = dims.len().saturating_sub(declared.len());
    let less = declared.len().saturating_sub(dims.len());
    if let (1.., Some(inserted)) = (more, dims.get(same..same + more)) {
        edits.extend(insertion(source, places, same, inserted));
    }
    edits.extend(places.iter().skip(same).take(less).map(|place| removal(source, *place)));
    let rest = places.iter().zip(declared).skip(same + less).zip(dims.iter().skip(same + more));
    edits.extend(
        rest.filter(|((_, declared), dim)| relation(**declared, **dim) != Relation::Agrees)
            .map(|((place, _), dim)| length(source, *place, *dim)),
    );
}

/// The lines of dimensions, each after a line break and indentation.
fn lines(line: &str, dims: &[Dim]) -> String {
    dims.iter().flat_map(|dim| [line.to_owned(), element(*dim)]).collect()
}

/// Inserts lines before the `<dim>` at index `at`.
fn insertion(source: &Source, places: &[DimPlace], at: usize, dims: &[Dim]) -> Option<Edit> {
    let after = at.checked_sub(1).and_then(|last| places.get(last));
    let sibling = after.or(places.first())?.element;
    let line = line_break(source, sibling.start);
    let at = match after {
        Some(_) => sibling.end,
        None => sibling.start - u32::try_from(line.len()).ok()?,
    };
    let text = lines(line, dims);
    Some(Edit { span: Span { start: at, end: at }, text })
}

/// Removes a `<dim>` with the line break and indentation before it.
fn removal(source: &Source, place: DimPlace) -> Edit {
    let blanks = u32::try_from(line_break(source, place.element.start).len()).unwrap_or(0);
    Edit { span: Span { start: place.element.start - blanks, end: place.element.end }, text: String::new() }
}

/// Inserts dimensions into a port without any, indented like its layer.
fn first_dims(source: &Source, layer: &Layer, port: &Port, dims: &[Dim]) -> Option<Edit> {
    if dims.is_empty() {
        return None;
    }
    let outer = line_break(source, port.tag.start);
    let inner = indentation_below(outer, line_break(source, layer.tag.start));
    let lines = lines(&inner, dims);
    let tag = source.slice(port.tag);
    if let Some(open) = tag.strip_suffix(b"/>") {
        let open = u32::try_from(open.trim_ascii_end().len()).ok()?;
        let span = Span { start: port.tag.start + open, end: port.tag.end };
        return Some(Edit { span, text: format!(">{lines}{outer}</port>") });
    }
    let closes_at_once = source.slice(Span { start: port.tag.end, end: port.end }).starts_with(b"</");
    let last = if closes_at_once { outer } else { "" };
    let at = Span { start: port.tag.end, end: port.tag.end };
    Some(Edit { span: at, text: format!("{lines}{last}") })
}

/// The indentation one level below `outer`, two below that of the layer; empty if all is in one line.
fn indentation_below(outer: &str, layer: &str) -> String {
    if !outer.contains('\n') {
        return String::new();
    }
    let added = outer.strip_prefix(layer).unwrap_or_default();
    let unit = added.get(..added.len() / 2).filter(|unit| !unit.is_empty());
    format!("{outer}{}", unit.unwrap_or(if outer.ends_with('\t') { "\t" } else { "    " }))
}

/// The blanks before a byte, from the last line break on if they contain one.
fn line_break(source: &Source, at: u32) -> &str {
    let before = source.bytes().get(..at as usize).unwrap_or_default();
    let blanks = before.len() - before.trim_ascii_end().len();
    let blanks = before.get(before.len() - blanks..).unwrap_or_default();
    let start = memchr::memrchr(b'\n', blanks).unwrap_or(0);
    let start = if blanks.get(..start).is_some_and(|head| head.ends_with(b"\r")) { start - 1 } else { start };
    std::str::from_utf8(blanks.get(start..).unwrap_or_default()).unwrap_or_default()
}
