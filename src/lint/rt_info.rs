//! The `<rt_info>` of layers and ports: entries that OpenVINO rejects or ignores.

mod layout;

use super::{Checked, for_every_graph};
use crate::diagnostic::{Diagnostic, Group, Rule, Severity, Sink};
use crate::ir::{RtAttribute, RtKind, find_attribute, is_list_of_names, unescape};
use crate::source::Span;
use crate::types::{ElementType, release};
use std::borrow::Cow;

pub(crate) static BAD_RT_INFO: Rule = Rule::error(
    Group::File,
    "bad-rt-info",
    "OpenVINO cannot read an entry of `<rt_info>`",
    "Layers and ports carry entries in `<rt_info>`, each an `<attribute>` with a name. Most may hold anything. \
     OpenVINO rejects a file with an entry that appears twice in one `<rt_info>`, an invalid `layout` such as `N,C`, an \
     `old_api_map_order` that is not a list of axes, an `old_api_map_element_type` that is not a \
     type, or `fused_names` with a missing name. It also rejects a file with `DisableConstantFolding`, \
     `nms_selected_indices` or `strides_propagation`.\n\n\
     In files of IR version 10, OpenVINO ignores `<rt_info>`.\n\n\
     Delete or correct the entry.",
);

pub(crate) static IGNORED_RT_INFO: Rule = Rule::error(
    Group::File,
    "ignored-rt-info",
    "OpenVINO ignores an entry of `<rt_info>` because of its version",
    "An entry has a name and a version. An entry without a version, or with a version other than 0, has no effect: \
     OpenVINO does not read it.\n\n\
     Write `version=\"0\"`.",
)
.accepted(Severity::Warning)
.opt_in();

pub(crate) static WEIGHTLESS_CACHE_RANGE: Rule = Rule::error(
    Group::Weights,
    "weightless-cache-range",
    "an entry for weightless caching points outside the weights",
    "`WeightlessCacheAttribute` records where in the `.bin` a constant was before the model was compiled, so that a \
     cache needs no copy of it. Readers that trust the entry use the wrong bytes.\n\n\
     Delete the entry, or export the model again.",
)
.accepted(Severity::Warning);

pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    if checked.version < 11 {
        return; // OpenVINO does not read it there.
    }
    for_every_graph(checked, &mut |checked| {
        for list in checked.scope.graph.rt_info.chunk_by(|a, b| a.list == b.list) {
            check_list(checked, list, sink);
        }
    });
}

/// Checks one `<rt_info>`.
fn check_list(checked: &Checked, list: &[RtAttribute], sink: &mut Sink) {
    let mut seen: Vec<(RtKind, Span)> = Vec::new();
    for attribute in list {
        let note = Note { checked, attribute };
        let Some((name, _)) = note.text("name") else { continue };
        let Some(kind) = RtKind::of(name.as_bytes()) else { continue };
        if kind == RtKind::Weightless {
            note.weightless(sink);
            continue;
        }
        let version = note.text("version");
        if version.as_ref().is_none_or(|(text, _)| text != "0") {
            if checked.options.enables(&IGNORED_RT_INFO) {
                let found = version.map_or("no version".to_owned(), |(text, _)| format!("version `{text}`"));
                let message = format!("`{name}` has {found} but needs version 0, so OpenVINO ignores it");
                sink.report(note.finding(&IGNORED_RT_INFO, attribute.tag, message));
            }
            continue;
        }
        if let Some((_, first)) = seen.iter().find(|(other, _)| *other == kind) {
            let finding = note.finding(&BAD_RT_INFO, attribute.tag, format!("`{name}` appears twice in one <rt_info>"));
            sink.report(finding.label(*first, "the first one"));
            return; // OpenVINO stops reading here.
        }
        if let Some((span, message)) = note.fault(&name, kind) {
            let finding = note.finding(&BAD_RT_INFO, span, message);
            // Earlier releases read any text as axes.
            sink.report(if kind == RtKind::Order { finding.since(release(2026, 2)) } else { finding });
        }
        // Each rejected entry is a finding of its own.
        if kind != RtKind::Refused {
            seen.push((kind, attribute.tag));
        }
    }
}

/// One attribute of an `<rt_info>`.
#[derive(Clone, Copy)]
struct Note<'a> {
    checked: &'a Checked<'a>,
    attribute: &'a RtAttribute,
}

impl<'a> Note<'a> {
    /// Returns the value of an XML attribute and its span.
    fn text(&self, key: &str) -> Option<(Cow<'a, str>, Span)> {
        let source = self.checked.scope.source;
        let span = find_attribute(source, self.attribute.tag, key)?.value;
        Some((unescape(source.slice(span)), span))
    }

    /// Returns the reason why OpenVINO rejects the attribute, if it does.
    fn fault(&self, name: &str, kind: RtKind) -> Option<(Span, String)> {
        match kind {
            RtKind::Free(_) | RtKind::Weightless => None,
            RtKind::Refused => {
                Some((self.attribute.tag, format!("`{name}` is internal to OpenVINO's passes and rejected in a file")))
            }
            RtKind::Names => {
                let (text, span) = self.text("value")?;
                let message = || format!("`{name}` is `{text}`, where a name between two commas is missing");
                (!is_list_of_names(text.as_bytes())).then(|| (span, message()))
            }
            RtKind::Order => {
                let (text, span) = self.text("value")?;
                let bad = bad_axis(&text)?;
                Some((span, format!("`{name}` is `{text}`, where `{bad}` is not an axis")))
            }
            RtKind::Type => {
                let (text, span) = self.text("value")?;
                let message = || format!("`{name}` is `{text}`, which is not an element type such as f32");
                ElementType::from_data_text(&text).is_none().then(|| (span, message()))
            }
            RtKind::Layout => {
                let (text, span) = self.text("layout")?;
                let why = layout::fault(&text)?;
                Some((span, format!("`{name}` is `{text}`: {why}")))
            }
        }
    }

    /// Reports a byte range outside the weights.
    fn weightless(&self, sink: &mut Sink) {
        let weights = self.checked.scope.weights;
        let number = |key| self.text(key).and_then(|(text, span)| Some((text.parse::<u64>().ok()?, span)));
        let (Some((offset, span)), Some((size, _))) = (number("offset"), number("size")) else { return };
        let end = offset.saturating_add(size);
        if weights.is_available() && end > weights.size() {
            let message = format!(
                "the entry refers to bytes {offset}..{end}, but the weights have only {} bytes",
                weights.size()
            );
            sink.report(self.finding(&WEIGHTLESS_CACHE_RANGE, span, message));
        }
    }

    fn finding(&self, rule: &'static Rule, span: Span, message: String) -> Diagnostic {
        let (scope, finding) = (&self.checked.scope, Diagnostic::new(rule, span, message));
        match scope.graph.layer(self.attribute.layer) {
            Some(layer) => scope.about_part(layer, finding),
            None => finding,
        }
    }
}

/// The first item of a list of axes that OpenVINO cannot read: it skips blanks, reads digits and ignores the rest.
fn bad_axis(text: &str) -> Option<&str> {
    let items = text.strip_suffix(',').unwrap_or(text);
    let is_axis = |item: &&str| {
        let digits = item.trim_ascii_start();
        let length = digits.bytes().take_while(u8::is_ascii_digit).count();
        digits.get(..length).is_some_and(|digits| digits.parse::<u64>().is_ok())
    };
    items.split(',').find(|item| !is_axis(item)).filter(|_| !text.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    // Expected values: OpenVINO 2026.4.1.
    #[test]
    fn axes_are_digits() {
        for text in ["", "0", "0,1", "0, 1", "0 ,1", "1,0,", "1;0", "1.5,2", "1x", "0x1", " 1", "18446744073709551615"]
        {
            assert_eq!(bad_axis(text), None, "{text}");
        }
        for (text, item) in [
            ("1,0,,", ""),
            (",1", ""),
            ("x", "x"),
            ("0,-1", "-1"),
            ("+1", "+1"),
            (" ", " "),
            (",", ""),
            ("18446744073709551616", "18446744073709551616"),
        ] {
            assert_eq!(bad_axis(text), Some(item), "{text}");
        }
    }

    #[test]
    fn names_are_between_commas() {
        for text in ["", "a", "a, b", "a,b,"] {
            assert!(is_list_of_names(text.as_bytes()), "{text}");
        }
        for text in [",", "a,,b", "a, ,b", " ,a", " "] {
            assert!(!is_list_of_names(text.as_bytes()), "{text}");
        }
    }
}
