//! Reading of `<layer>` elements with their ports, attributes and bodies, by the fast path where the text allows it.

use super::super::body::{Body, BodyKind};
use super::super::constant::read_constant;
use super::super::xml::broken::Broken;
use super::super::xml::cursor::Tag;
use super::fast;
use super::fast::Caches;
use super::kinds::{Kinds, kind_of};
use super::{Reader, range};
use crate::diagnostic::{Diagnostic, Direction, LIMIT_EXCEEDED, Refusal, Runtime};
use crate::ir::{Graph, Id, Layer, Role, body_ref};
use crate::limits::DEEPEST_BODIES;
use crate::ops::rules::MISSING_ATTRIBUTE;
use crate::source::Span;
use crate::stack::descend;
use crate::types::release;

/// Child elements of a layer of which OpenVINO reads only the first.
pub(super) const ONCE: [&[u8]; 10] = [
    b"input",
    b"output",
    b"data",
    b"body",
    b"then_body",
    b"else_body",
    b"port_map",
    b"then_port_map",
    b"else_port_map",
    b"back_edges",
];

/// The indices of `input` and `output` in `ONCE`.
const INPUT: usize = 0;
const OUTPUT: usize = 1;

impl<'a> Reader<'a, '_> {
    pub(super) fn layers(&mut self, parent: Tag<'a>, graph: &mut Graph, level: usize) -> Result<(), Broken> {
        let mut caches = Caches::default();
        if level == 0 {
            // An estimate by the file size. Unused capacity is never touched, so it costs no memory.
            let size = self.source.bytes().len();
            graph.layers.reserve(size / 480);
            graph.ports.reserve(size / 160);
            graph.dims.reserve(size / 96);
            graph.constants.reserve(size / 1024);
        }
        if parent.closes {
            return Ok(());
        }
        loop {
            while let Some(layer) = self.plain_layer(graph, &mut caches) {
                self.push(layer, graph);
            }
            let Some(tag) = self.child(parent)? else { return Ok(()) };
            if tag.name != b"layer" {
                self.report_ignored(tag, parent, &[]);
                self.cursor.skip_content(tag, self.limits.depth)?;
                continue;
            }
            if self.layers >= self.limits.layers {
                let reason = format!("the file has more than {} layers", self.limits.layers);
                return Err(Broken::limit(tag.span, reason, "--max-layers"));
            }
            self.layers += 1;
            let mut layer = self.layer_tag(tag, graph, &mut caches.kinds);
            if !tag.closes {
                self.layer_content(tag, &mut layer, graph, &mut caches, level)?;
            }
            self.push(layer, graph);
        }
    }

    pub(super) fn push(&mut self, mut layer: Layer, graph: &mut Graph) {
        match graph.kind(&layer).role {
            Role::Const if layer.constant == u32::MAX => read_constant(graph, &mut layer, self.source, self.sink),
            Role::Parameter if layer.data.is_empty() => {
                let finding = Diagnostic::new(&MISSING_ATTRIBUTE, layer.tag, "Parameter has no `<data>`");
                // Releases before read it if no layer reads the Parameter.
                let finding = finding.layer(graph.layer_ref(self.source, &layer)).since(release(2025, 1));
                // If there is an edge into the Parameter, OpenVINO rejects that first. It may not build one without outputs.
                self.sink.report(if layer.outputs.0 == layer.outputs.1 {
                    finding.runtime(Runtime::Unknown)
                } else if layer.inputs.0 == layer.inputs.1 {
                    finding.refused(Refusal::NoData)
                } else {
                    finding
                });
            }
            _ => {}
        }
        graph.layers.push(layer);
    }

    /// Reads the next layer, if it is in the plain form and within the limits.
    pub(super) fn plain_layer(&mut self, graph: &mut Graph, caches: &mut Caches<'a>) -> Option<Layer> {
        let limits = self.limits;
        if self.layers >= limits.layers {
            return None;
        }
        let mut found = None;
        self.cursor.skip_plain(|bytes, at| {
            found = fast::layer(bytes, at, graph, caches, limits);
            found.as_ref().map_or(at, |layer| layer.end as usize)
        });
        self.layers += usize::from(found.is_some());
        found
    }

    pub(super) fn layer_tag(&mut self, tag: Tag<'a>, graph: &mut Graph, kinds: &mut Kinds<'a>) -> Layer {
        let (mut id, mut name, mut ty, mut version) = (None, None, None, None);
        self.attributes(tag, |key, attribute| match key {
            b"id" => id = Some(attribute.value),
            b"name" => name = Some(attribute.value),
            b"type" => ty = Some(attribute.value),
            b"version" => version = Some(attribute.value),
            _ => {}
        });
        for (key, value) in [("id", id), ("name", name), ("type", ty), ("version", version)] {
            if value.is_none() {
                let finding = Diagnostic::new(&MISSING_ATTRIBUTE, tag.span, format!("<layer> has no `{key}`"));
                self.sink.report(finding.refused(Refusal::NoAttribute("layer", key)));
            }
        }
        let number = id.and_then(|span| self.unsigned("id", span)).and_then(Id::new);
        let raw = |span: Option<Span>| span.map(|span| self.source.slice(span)).unwrap_or_default();
        let kind = kind_of(raw(ty), raw(version), graph, kinds);
        Layer {
            tag: tag.span,
            end: tag.span.end,
            id: number,
            name: name.unwrap_or_default(),
            kind,
            data: Span::default(),
            data_like: 0,
            attrs: (0, 0),
            inputs: (0, 0),
            outputs: (0, 0),
            subgraph: None,
            constant: u32::MAX,
        }
    }

    pub(super) fn layer_content(
        &mut self,
        tag: Tag<'a>,
        layer: &mut Layer,
        graph: &mut Graph,
        caches: &mut Caches<'a>,
        level: usize,
    ) -> Result<(), Broken> {
        let mut seen = [false; ONCE.len()];
        let mut has_notes = false;
        loop {
            seen[INPUT] =
                seen[INPUT] || self.plain_section(Direction::Input, &mut layer.inputs, graph, &mut caches.dims);
            seen[OUTPUT] =
                seen[OUTPUT] || self.plain_section(Direction::Output, &mut layer.outputs, graph, &mut caches.dims);
            let Some(child) = self.child(tag)? else {
                layer.end = self.end();
                return Ok(());
            };
            let once = ONCE.iter().position(|name| *name == child.name);
            if once.is_some_and(|i| std::mem::replace(&mut seen[i], true)) {
                self.report_second(child, tag);
                self.cursor.skip_content(child, self.limits.depth)?;
                continue;
            }
            match child.name {
                name if !graph.kind(layer).may_have(name) => self.skip(child, tag, &[])?,
                b"data" => {
                    layer.data = child.span;
                    layer.data_like = child.span.start;
                    let start = graph.attrs.len();
                    self.attributes(child, |_, attribute| graph.attrs.push(attribute));
                    layer.attrs = range(start, graph.attrs.len());
                    self.cursor.skip_content(child, self.limits.depth)?;
                }
                b"input" => layer.inputs = self.ports(child, Direction::Input, graph)?,
                b"output" => layer.outputs = self.ports(child, Direction::Output, graph)?,
                b"body" | b"then_body" | b"else_body" => self.body(child, layer, level)?,
                b"port_map" | b"then_port_map" | b"else_port_map" => {
                    self.port_map(child, layer.subgraph.get_or_insert_default())?;
                }
                b"back_edges" => self.back_edges(child, layer.subgraph.get_or_insert_default())?,
                b"rt_info" if !std::mem::replace(&mut has_notes, true) => {
                    self.rt_info(child, graph.layers.len(), &mut graph.rt_info)?;
                }
                _ => self.skip(child, tag, &[b"rt_info"])?,
            }
        }
    }

    pub(super) fn body(&mut self, tag: Tag<'a>, layer: &mut Layer, level: usize) -> Result<(), Broken> {
        let kind = match tag.name {
            b"body" => BodyKind::Body,
            b"then_body" => BodyKind::Then,
            _ => BodyKind::Else,
        };
        let deepest = self.limits.bodies.min(DEEPEST_BODIES);
        if level >= deepest {
            if !std::mem::replace(&mut self.has_deeper, true) {
                let message = format!("bodies are nested more than {deepest} deep; those inside are not read");
                let can_be_raised = deepest < DEEPEST_BODIES;
                let help =
                    if can_be_raised { "raise the limit with --max-bodies" } else { "no flag raises this limit" };
                self.sink.report(Diagnostic::new(&LIMIT_EXCEEDED, tag.span, message).help(help));
            }
            return self.cursor.skip_content(tag, usize::MAX);
        }
        let inner = self.sink.nested_in(body_ref(self.source, layer, kind));
        let outer = std::mem::replace(self.sink, inner);
        let graph = if tag.closes { Ok(self.empty_graph(tag)) } else { descend(level, || self.graph(tag, level + 1)) };
        let inner = std::mem::replace(self.sink, outer);
        self.sink.absorb(inner);
        layer.subgraph.get_or_insert_default().bodies.push(Body { kind, graph: graph? });
        Ok(())
    }
}
