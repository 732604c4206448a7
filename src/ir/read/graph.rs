//! Reading of a `<net>` or a body: layers, edges, and metadata of other tools.

use super::super::edges::findings;
use super::super::edges::resolve::{Resolver, WrittenEdge};
use super::super::rules::{INVALID_ATTRIBUTE, MISSING_ELEMENT};
use super::super::xml::broken::Broken;
use super::super::xml::cursor::{Tag, Token};
use super::Reader;
use crate::diagnostic::{Diagnostic, Runtime};
use crate::ir::{Graph, Role};
use crate::ops::rules::MISSING_ATTRIBUTE;
use crate::source::Span;

/// Child elements of a net or a body that are not reported as ignored, whether they are read or not.
const NET_ELEMENTS: &[&[u8]] =
    &[b"rt_info", b"meta_data", b"quantization_parameters", b"pre-process", b"statistics", b"cli_parameters"];

impl<'a> Reader<'a, '_> {
    pub(super) fn empty_graph(&mut self, tag: Tag<'a>) -> Graph {
        let name = String::from_utf8_lossy(tag.name).into_owned();
        self.report(&MISSING_ELEMENT, tag.span, format!("<layers> is missing in <{name}>"));
        Graph { tag: tag.span, ..Graph::default() }
    }

    /// Reads the content of a `<net>` or a body.
    pub(super) fn graph(&mut self, tag: Tag<'a>, level: usize) -> Result<Graph, Broken> {
        let mut graph = Graph { tag: tag.span, ..Graph::default() };
        // Edges can be resolved once all layers are read; writers put them last.
        let (mut early, mut resolver): (Vec<WrittenEdge>, Option<Resolver>) = (Vec::new(), None);
        let (mut has_edges, mut edges) = (false, 0_usize);
        let (mut has_layers, mut has_rt_info) = (false, false);
        let mut faults = Vec::new();
        while let Some(child) = self.child(tag)? {
            match child.name {
                b"layers" if !has_layers => {
                    has_layers = true;
                    self.layers(child, &mut graph, level)?;
                }
                b"edges" if !has_edges => {
                    has_edges = true;
                    if has_layers {
                        resolver = Some(Resolver::new(&mut graph));
                    }
                    self.edges(child, |edge| {
                        edges += 1;
                        match &mut resolver {
                            Some(resolver) => resolver.edge(&mut graph, edge),
                            None => early.push(edge),
                        }
                    })?;
                }
                b"layers" | b"edges" => {
                    self.report_second(child, tag);
                    self.cursor.skip_content(child, self.limits.depth)?;
                }
                b"pre-process" if level == 0 && self.pre_process.is_none() => {
                    self.pre_process = Some(self.pre_process(child)?);
                }
                b"pre-process" if level == 0 => {
                    self.report_second(child, tag);
                    self.cursor.skip_content(child, self.limits.depth)?;
                }
                b"meta_data" if level == 0 => {
                    self.meta_data(child, &mut faults)?;
                    self.notes.push(Span { end: self.end(), ..child.span });
                }
                _ => {
                    has_rt_info |= child.name == b"rt_info";
                    self.skip(child, tag, NET_ELEMENTS)?;
                    if child.name == b"rt_info" && level == 0 {
                        self.notes.push(Span { end: self.end(), ..child.span });
                    }
                }
            }
        }
        // OpenVINO reads <meta_data> only if there is no <rt_info>.
        for fault in faults.into_iter().filter(|_| !has_rt_info) {
            self.sink.report(fault);
        }
        let name = || String::from_utf8_lossy(tag.name).into_owned();
        let fault = match has_edges {
            _ if !has_layers => Some("<layers> is missing"),
            false if graph.has_inputs() => Some("<edges> is missing"),
            true if edges == 0 && graph.has_inputs() => Some("<edges> is empty"),
            _ => None,
        };
        if let Some(fault) = fault {
            let finding = Diagnostic::new(&MISSING_ELEMENT, tag.span, format!("{fault} in <{}>", name()));
            // Without a Result, OpenVINO may build no layer that needs an edge.
            let builds = graph.layers.iter().any(|layer| graph.kind(layer).role == Role::Result);
            let runtime = if builds { Runtime::Rejects } else { Runtime::Unknown };
            self.sink.report(if has_layers { finding.runtime(runtime) } else { finding });
        }
        let mut resolver = resolver.unwrap_or_else(|| Resolver::new(&mut graph));
        for edge in early {
            resolver.edge(&mut graph, edge);
        }
        findings::report(&mut graph, resolver, self.source, self.sink);
        if fault.is_some() {
            graph.loose.add_everything();
        }
        Ok(graph)
    }

    /// Collects the faults in the metadata of older converters: OpenVINO needs a value in each element but the command line.
    fn meta_data(&mut self, parent: Tag<'a>, faults: &mut Vec<Diagnostic>) -> Result<(), Broken> {
        if parent.closes {
            return Ok(());
        }
        loop {
            let tag = match self.cursor.next()? {
                Token::Start(tag) => tag,
                Token::Close(_) => return Ok(()),
                Token::Text(span) => {
                    let message = "OpenVINO refuses text in <meta_data>";
                    faults.push(Diagnostic::new(&INVALID_ATTRIBUTE, span, message));
                    continue;
                }
                Token::End => return Err(self.cursor.cut_short(parent)),
                Token::Doctype(_) | Token::Declaration(_) => continue,
            };
            let mut has_value = tag.name == b"cli_parameters";
            self.attributes(tag, |name, _| has_value |= name == b"value");
            if !has_value {
                let message = format!("<{}> in <meta_data> has no `value`", String::from_utf8_lossy(tag.name));
                faults.push(Diagnostic::new(&MISSING_ATTRIBUTE, tag.span, message));
            }
            self.cursor.skip_content(tag, self.limits.depth)?;
        }
    }
}
