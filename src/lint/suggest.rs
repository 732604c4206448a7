//! Unsafe fixes, for findings without a fix of their own.
//!
//! Such a fix guesses the intention. It is tried before it is written: it must remove the finding and must not cause others.

use super::rules::{CONST_SIZE_EXCESS, CONST_SIZE_MISMATCH};
use super::{Checked, for_every_graph};
use crate::arrange::Arrange;
use crate::diagnostic::{Amendment, Applicability, Diagnostic, Edit, FindingId, Fix, Hint, Severity, Sink, Text};
use crate::ir::rules::{
    INPUT_CONNECTED_TWICE, RESULT_HAS_OUTPUT, UNREACHABLE_LAYER, XML_DOCTYPE, XML_DUPLICATE_ATTRIBUTE,
    XML_TRAILING_CONTENT,
};
use crate::ir::{LayerId, Role, find_attribute};
use crate::limits::EDITS;
use crate::ops::apply::meant;
use crate::ops::rules::{UNKNOWN_OP_ATTRIBUTE, WRONG_OUTPUT_COUNT};
use crate::source::{Source, Span};
use petgraph::Direction::{Incoming, Outgoing};
use petgraph::graph::NodeIndex;
use std::collections::BTreeSet;

/// Adds fixes to findings whose rule allows an unsafe one.
pub(super) fn suggest(checked: &Checked, sink: &mut Sink) {
    let open = |finding: &Diagnostic| finding.fix.is_none() && finding.rule.fix == Some(Applicability::Unsafe);
    if !sink.findings().iter().any(open) {
        return;
    }
    let source = checked.scope.source;
    let mut fixes: Vec<(FindingId, Fix)> = Vec::new();
    let findings = || sink.numbered().filter(|(_, finding)| open(finding));
    fixes.extend(findings().filter_map(|(id, finding)| Some((id, of_text(checked, finding)?))));
    let mut about: Vec<(u32, FindingId)> =
        findings().filter_map(|(id, finding)| Some((finding.layer.as_ref()?.span.start, id))).collect();
    about.sort_unstable();
    for_every_graph(checked, &mut |checked| {
        let layers = &checked.scope.graph.layers;
        let (Some(first), Some(last)) = (layers.first(), layers.last()) else { return };
        let start = about.partition_point(|(at, _)| *at < first.tag.start);
        for (at, id) in about.iter().skip(start).take_while(|(at, _)| *at <= last.tag.start) {
            let fix = checked.scope.graph.layer_at(*at).zip(sink.get(*id));
            let fix = fix.and_then(|(index, finding)| of_layer(checked, index, finding));
            fixes.extend(fix.map(|fix| (*id, fix)));
        }
    });
    for (id, mut fix) in fixes {
        fix.edits.arrange_by_key(|edit| edit.span);
        fix.edits.retain(|edit| source.slice(edit.span) != edit.text.as_bytes());
        sink.amend(id, Amendment::Fix(fix));
    }
}

fn fix(message: impl Into<Text>, edits: Vec<Edit>) -> Fix {
    Fix { applicability: Applicability::Unsafe, message: message.into(), edits }
}

fn removal(span: Span) -> Edit {
    Edit { span, text: String::new() }
}

/// Returns a fix that is derived from the text alone.
fn of_text(checked: &Checked, finding: &Diagnostic) -> Option<Fix> {
    let (source, span) = (checked.scope.source, finding.primary.span);
    let rule = finding.rule;
    if rule == &XML_DUPLICATE_ATTRIBUTE {
        return Some(fix("delete the second one", vec![removal(with_blanks(source, span, 1))]));
    }
    if rule == &UNKNOWN_OP_ATTRIBUTE && !is_of_other(finding) {
        let end = value_after(source, span)?;
        let whole = with_blanks(source, Span { end, ..span }, 1);
        return Some(fix("delete the attribute", vec![removal(whole)]));
    }
    if rule == &XML_DOCTYPE {
        let line = source.bytes().get(span.end as usize..).unwrap_or_default();
        let line_break = if line.starts_with(b"\r\n") { 2 } else { u32::from(line.starts_with(b"\n")) };
        return Some(fix("delete it", vec![removal(Span { end: span.end + line_break, ..span })]));
    }
    if rule == &XML_TRAILING_CONTENT {
        let before = span.start < checked.scope.graph.tag.start;
        let end = if before { span.end as usize } else { source.bytes().len() };
        return Some(fix("delete it", vec![removal(Span::new(span.start as usize, end))]));
    }
    if rule == &INPUT_CONNECTED_TWICE {
        let ends = |tag: Span| {
            ["from-layer", "from-port"].map(|name| Some(source.text(find_attribute(source, tag, name)?.value)))
        };
        let first = finding.labels.first()?.span;
        let same = ends(first) == ends(span);
        return same.then(|| fix("delete the second one", vec![removal(with_blanks(source, span, 0))]));
    }
    None
}

/// Whether an attribute or an output of another operation shows that the type or the version may be wrong.
fn is_of_other(finding: &Diagnostic) -> bool {
    finding.help.iter().any(|hint| matches!(hint, Hint::OtherOperation(_)))
}

/// Returns a fix that is derived from the layer.
fn of_layer(checked: &Checked, index: LayerId, finding: &Diagnostic) -> Option<Fix> {
    let (source, graph) = (checked.scope.source, checked.scope.graph);
    let layer = graph.layer(index)?;
    let rule = finding.rule;
    if rule == &UNKNOWN_OP_ATTRIBUTE && finding.severity > Severity::Info {
        let span = finding.primary.span;
        let is_written = |known: &str| find_attribute(source, layer.data, known).is_some();
        let meant = meant(graph.kind(layer).spec()?, &source.text(span), is_written)?;
        return Some(Fix::replace(span, meant, format!("rename it to `{meant}`")));
    }
    if rule == &CONST_SIZE_EXCESS || rule == &CONST_SIZE_MISMATCH {
        let need = graph.constant(layer)?.bytes_needed().filter(|_| finding.help.is_empty())?;
        let span = find_attribute(source, layer.data, "size")?.value;
        return Some(Fix::replace(span, need.to_string(), format!("set `size` to {need}")));
    }
    if (rule == &WRONG_OUTPUT_COUNT || rule == &RESULT_HAS_OUTPUT) && !is_of_other(finding) {
        let first = finding.port.as_ref().map_or(0, |port| port.index);
        let surplus = graph.outputs(layer).get(first..)?;
        let is_taken = graph.dag.edges(index.node()).any(|edge| edge.weight().output as usize >= first);
        if surplus.is_empty() || is_taken || (rule == &WRONG_OUTPUT_COUNT && finding.port.is_none()) {
            return None;
        }
        let whole = |port: &crate::ir::Port| Span { start: port.tag.start, end: port.end };
        let edits = surplus.iter().map(|port| removal(with_blanks(source, whole(port), 0)));
        return Some(fix("delete the extra ports", edits.collect()));
    }
    if rule == &UNREACHABLE_LAYER {
        let dead = dead_end(checked, index.index());
        let layers = dead.iter().filter_map(|index| graph.layers.get(*index));
        let mut edits: Vec<Edit> = layers
            .map(|layer| removal(with_blanks(source, Span { start: layer.tag.start, end: layer.end }, 0)))
            .collect();
        for index in &dead {
            let edges = graph.dag.edges_directed(NodeIndex::new(*index), Incoming);
            edits.extend(edges.map(|edge| removal(with_blanks(source, element(source, edge.weight().tag), 0))));
        }
        let message = match dead.len() {
            1 => "delete the layer".to_owned(),
            count => format!("delete the layer and {} more that only feed it", count - 1),
        };
        return (edits.len() <= EDITS).then(|| fix(message, edits));
    }
    None
}

/// The layer at a dead end, and all layers that lead only to it.
fn dead_end(checked: &Checked, end: usize) -> BTreeSet<usize> {
    let graph = checked.scope.graph;
    let mut dead = BTreeSet::from([end]);
    let mut open = vec![end];
    while let Some(index) = open.pop().filter(|_| dead.len() <= EDITS) {
        for producer in graph.dag.neighbors_directed(NodeIndex::new(index), Incoming) {
            let is_input =
                graph.layers.get(producer.index()).is_none_or(|layer| graph.kind(layer).role == Role::Parameter);
            let leads_here = graph.dag.neighbors_directed(producer, Outgoing).all(|to| dead.contains(&to.index()));
            if !is_input && leads_here && dead.insert(producer.index()) {
                open.push(producer.index());
            }
        }
    }
    dead
}

/// The span of an element whose content is blank, or of its tag.
fn element(source: &Source, tag: Span) -> Span {
    if source.slice(tag).ends_with(b"/>") {
        return tag;
    }
    let rest = source.bytes().get(tag.end as usize..).unwrap_or_default();
    let close = memchr::memchr(b'>', rest).map_or(0, |at| at + 1);
    Span::new(tag.start as usize, tag.end as usize + close)
}

/// A span with the blanks before it and `more` bytes after it, such as the quote that ends an attribute.
fn with_blanks(source: &Source, span: Span, more: u32) -> Span {
    let before = source.bytes().get(..span.start as usize).unwrap_or_default();
    Span::new(before.trim_ascii_end().len(), (span.end + more) as usize)
}

/// The end of the value of the attribute with this name, without its quote.
fn value_after(source: &Source, name: Span) -> Option<u32> {
    let rest = source.bytes().get(name.end as usize..)?;
    let quote = rest.iter().position(|byte| matches!(byte, b'"' | b'\''))?;
    let blank = rest.get(..quote)?.iter().all(|byte| *byte == b'=' || byte.is_ascii_whitespace());
    let length = memchr::memchr(*rest.get(quote)?, rest.get(quote + 1..)?)?;
    blank.then(|| name.end.checked_add(u32::try_from(quote + 1 + length).ok()?)).flatten()
}
