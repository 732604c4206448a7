//! Names that OpenVINO changes, or that other readers cannot read.

use super::NAMES;
use crate::diagnostic::{Diagnostic, Sink};
use crate::ir::{Layer, broken_reference, find_attribute};
use crate::lint::Checked;
use crate::source::Span;

pub(super) fn check_graph(checked: &Checked, sink: &mut Sink) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    for layer in &graph.layers {
        let mut report = |span: Span, message: String| {
            let finding = checked.about(layer, Diagnostic::new(&NAMES, span, message));
            sink.report(finding);
        };
        match find_attribute(source, layer.tag, "name") {
            Some(name) if name.value.is_empty() => {
                let message = "the name of the layer is empty, so OpenVINO makes one up";
                report(name.whole(), message.to_owned());
            }
            Some(name) => report_oddity(checked, name.value, "name", &mut report),
            None => {}
        }
        if let Some(spec) = graph.kind(layer).spec().filter(|spec| is_other_case(&graph.kind(layer).ty, spec.name)) {
            let span = find_attribute(source, layer.tag, "type").map_or(layer.tag, |ty| ty.value);
            let found = &graph.kind(layer).ty;
            report(
                span,
                format!(
                    "`type` is `{found}` instead of `{}`; OpenVINO ignores the case, but other readers do not",
                    spec.name
                ),
            );
        }
        check_lists(checked, layer, &mut report);
    }
}

fn is_other_case(found: &str, wanted: &str) -> bool {
    found != wanted && found.eq_ignore_ascii_case(wanted)
}

/// Checks the name lists of a layer.
fn check_lists(checked: &Checked, layer: &Layer, report: &mut dyn FnMut(Span, String)) {
    let (graph, source) = (checked.scope.graph, checked.scope.source);
    let ports = graph.outputs(layer).iter().map(|port| (port.tag, "names"));
    for (tag, attribute) in ports.chain([(layer.tag, "output_names")]) {
        let Some(list) = find_attribute(source, tag, attribute) else { continue };
        let text = source.slice(list.value);
        // A comma after a backslash is part of a name.
        let is_split = |at: &usize| text.get(*at) == Some(&b',') && (*at == 0 || text.get(at - 1) != Some(&b'\\'));
        let mut start = 0;
        let has_empty = (0..text.len()).filter(is_split).chain([text.len()]).any(|end| {
            let is_empty = end == start;
            start = end + 1;
            is_empty
        });
        if has_empty {
            let message = format!("`{attribute}` has an empty name, which OpenVINO drops");
            report(list.whole(), message);
        } else {
            report_oddity(checked, list.value, attribute, report);
        }
    }
}

/// Reports the first character of an attribute that OpenVINO changes or that other readers reject.
fn report_oddity(checked: &Checked, value: Span, attribute: &str, report: &mut dyn FnMut(Span, String)) {
    let text = checked.scope.source.slice(value);
    let is_odd = |byte: &u8| *byte < b' ' || matches!(byte, b'&' | b'<');
    let odd = text.iter().enumerate().filter(|(_, byte)| is_odd(byte));
    let found = odd.into_iter().find_map(|(at, byte)| {
        let rest = text.get(at..).unwrap_or_default();
        let (length, what) = match byte {
            b'\n' | b'\t' | b'\r' => (1, "a line break or a tab, which XML reads as a space".to_owned()),
            b'<' => (1, "a bare `<` instead of `&lt;`; other readers reject the file".to_owned()),
            b'&' => broken_reference(rest)?,
            control => (1, format!("the control character {control:#04x}; other readers reject the file")),
        };
        Some((at, length, what))
    });
    let Some((at, length, what)) = found else { return };
    let start = value.start as usize + at;
    report(Span::new(start, start + length), format!("`{attribute}` holds {what}"));
}
