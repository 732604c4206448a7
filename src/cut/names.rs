//! New names of a model and of its layers, tensors and variables, types with numbers, for `reduce --anonymize`. The
//! `<rt_info>` of layers, which may hold names as well, is removed.

use super::original::Original;
use crate::diagnostic::Edit;
use crate::ir::walk::{Visit, layers};
use crate::ir::{Graph, Layer, find_attribute};
use crate::source::Span;
use memchr::memmem;
use std::collections::BTreeMap;

/// The new name of each old one. Equal names stay equal, so duplicate names and shared variables survive.
#[derive(Debug, Default)]
pub(crate) struct Names {
    known: BTreeMap<(&'static str, String), String>,
}

const RT_INFO: &str = "<rt_info";
const RT_INFO_END: &str = "</rt_info>";

impl Names {
    /// Returns the new name of a layer with type `ty`.
    pub(crate) fn layer(&mut self, name: &str, ty: &str) -> String {
        self.other("layer", name, ty)
    }

    fn other(&mut self, kind: &'static str, name: &str, word: &str) -> String {
        let number = self.known.len();
        self.known.entry((kind, name.to_owned())).or_insert_with(|| format!("{word}_{number}")).clone()
    }

    pub(crate) fn of_model(original: &Original, edits: &mut Vec<Edit>) {
        let name = find_attribute(original.source, original.graph.tag, "name");
        edits.extend(name.map(|name| Edit { span: name.value, text: "model".to_owned() }));
    }

    /// Adds edits that rename a layer, its tensors and all layers of its bodies, and that remove its `<rt_info>`.
    pub(crate) fn edit(&mut self, original: &Original, layer: &Layer, edits: &mut Vec<Edit>) {
        self.rename(original, original.graph, layer, edits);
        for Visit { place, layer, .. } in layer.bodies().flat_map(|body| layers(&body.graph, ())) {
            self.rename(original, place.graph, layer, edits);
        }
        let whole = Span { start: layer.tag.start, end: layer.end };
        let mut text = original.source.slice(whole);
        let mut at = whole.start as usize;
        while let Some(start) = memmem::find(text, RT_INFO.as_bytes()) {
            let rest = text.get(start..).unwrap_or_default();
            let tag = memchr::memchr(b'>', rest).unwrap_or(rest.len());
            let closes = rest.get(..tag).is_some_and(|tag| tag.ends_with(b"/"));
            let end = if closes {
                Some(tag + 1)
            } else {
                memmem::find(rest, RT_INFO_END.as_bytes()).map(|end| end + RT_INFO_END.len())
            };
            let Some(end) = end else { break };
            let blanks = text.get(..start).map_or(0, |before| before.len() - before.trim_ascii_end().len());
            edits.push(Edit { span: Span::new(at + start - blanks, at + start + end), text: String::new() });
            text = rest.get(end..).unwrap_or_default();
            at += start + end;
        }
    }

    fn rename(&mut self, original: &Original, graph: &Graph, layer: &Layer, edits: &mut Vec<Edit>) {
        let source = original.source;
        let ty = &graph.kind(layer).ty;
        let mut set = |span: Span, text: String| edits.push(Edit { span, text });
        if !layer.name.is_empty() {
            set(layer.name, self.layer(&source.text(layer.name), ty));
        }
        if let Some(id) = find_attribute(source, layer.data, "variable_id") {
            set(id.value, self.other("variable", &source.text(id.value), "variable"));
        }
        let ports = graph.outputs(layer).iter().filter_map(|port| find_attribute(source, port.tag, "names"));
        for tensors in ports.chain(find_attribute(source, layer.tag, "output_names")) {
            let text = source.text(tensors.value).into_owned();
            let names = text.split(',').map(|name| self.other("tensor", name, "tensor"));
            set(tensors.value, names.collect::<Vec<_>>().join(","));
        }
    }
}
