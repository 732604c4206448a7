//! The drawings of `ovlint graph`: the choice of layers, and their graph for Graphviz and Mermaid. The one as SVG is in
//! `svg`.

mod svg;

pub(in crate::report::views) use svg::shortened;
pub use svg::svg;

use super::stops::{self, MEANING, mark};
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::infer::Facts;
use crate::ir::{Graph, LayerId, Port, Role};
use crate::query::names::Place;
use crate::query::stops::Stops;
use crate::text::escape::line as clean;
use crate::text::grouped;
use crate::types::{Basis, bare_fact};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The part of a graph to draw.
#[derive(Debug, Clone)]
pub struct Drawing<'a> {
    graph: &'a Graph,
    facts: &'a Facts,
    /// The layers to draw, in file order.
    layers: BTreeSet<LayerId>,
    /// The layer in the centre.
    center: Option<LayerId>,
}

impl<'a> Drawing<'a> {
    /// Selects the whole main graph, with or without constants; `None` if the model was not read.
    pub fn whole(model: &'a Model, consts: bool) -> Option<Self> {
        let (graph, facts) = (&model.net()?.graph, model.facts()?);
        let drawn = |index: &LayerId| consts || role(graph, *index) != Some(Role::Const);
        let layers = graph.entries().map(|(id, _)| id).filter(drawn).into_set();
        Some(Self { graph, facts, layers, center: None })
    }

    /// Selects the layers within `hops` edges of a layer, in either direction. Paths do not lead through constants.
    pub fn around(place: &Place<'a>, hops: usize, consts: bool) -> Self {
        let Place { graph, facts, index, .. } = *place;
        let mut layers = BTreeSet::from([index]);
        let mut edge = vec![index];
        for _ in 0..hops {
            let mut next = Vec::new();
            for at in edge {
                if role(graph, at) == Some(Role::Const) && at != index {
                    continue;
                }
                for near in graph.dag.neighbors_undirected(at.node()) {
                    let near = LayerId::from(near);
                    let drawn = consts || role(graph, near) != Some(Role::Const);
                    if drawn && layers.insert(near) {
                        next.push(near);
                    }
                }
            }
            edge = next;
        }
        Self { graph, facts, layers, center: Some(index) }
    }

    /// Returns the drawing, or an error if it has more than `most` layers.
    pub fn within(self, most: usize) -> Result<Self, String> {
        let found = self.layers.len();
        if found <= most {
            return Ok(self);
        }
        let (found, most) = (grouped(found), grouped(most));
        Err(format!("the drawing would have {found} layers, more than the limit of {most}"))
    }

    /// Returns the edges between drawn layers: from, to, and label.
    fn edges(&self) -> impl Iterator<Item = (LayerId, LayerId, String)> + '_ {
        self.layers.iter().copied().flat_map(move |to| {
            let inputs = self.graph.layer(to).map(|layer| self.graph.inputs(layer)).unwrap_or_default();
            inputs.iter().filter_map(move |port| self.edge(to, port))
        })
    }

    fn edge(&self, to: LayerId, port: &Port) -> Option<(LayerId, LayerId, String)> {
        let output = port.source().filter(|output| self.layers.contains(&output.layer))?;
        let several = self.graph.layer(output.layer).is_some_and(|layer| self.graph.outputs(layer).len() > 1);
        let number = if several { format!(":{} ", output.output) } else { String::new() };
        let fact = self.facts.output(output);
        let mark = fact.map_or("", |fact| mark(fact.basis()));
        let fact = fact.map(bare_fact).unwrap_or_default();
        Some((output.layer, to, format!("{number}{fact}{mark}")))
    }

    /// Returns the explanation of marks on edges; empty if there are none.
    fn legend(&self, model: &Model) -> Vec<String> {
        if !self.edges().any(|(.., label)| label.ends_with(mark(Basis::Declared))) {
            return Vec::new();
        }
        std::iter::once(MEANING.to_owned()).chain(stops::lines(&Stops::of(model))).collect()
    }

    /// Returns the name, type and role of a layer.
    fn node(&self, model: &Model, index: LayerId) -> Option<(String, String, Role)> {
        let layer = self.graph.layer(index)?;
        let kind = self.graph.kind(layer);
        Some((clean(&self.graph.name(model.source(), layer), 80), clean(&kind.ty, 80), kind.role))
    }
}

fn role(graph: &Graph, index: LayerId) -> Option<Role> {
    graph.layer(index).map(|layer| graph.kind(layer).role)
}

/// Formats the drawing for Graphviz.
pub fn dot(drawing: &Drawing, model: &Model) -> String {
    let quoted = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let name = model.net().map(|net| clean(&net.name, 80)).unwrap_or_default();
    let mut text = format!("digraph \"{}\" {{\n  node [shape=box];\n", quoted(&name));
    for index in &drawing.layers {
        let Some((name, ty, role)) = drawing.node(model, *index) else { continue };
        let shape = match role {
            Role::Parameter | Role::Result => ", shape=oval",
            Role::Const => ", shape=plaintext",
            _ => "",
        };
        let bold = if drawing.center == Some(*index) { ", penwidth=3" } else { "" };
        let stop = if drawing.facts.is_assumed(*index) { ", style=dashed" } else { "" };
        let _ = writeln!(text, "  n{index} [label=\"{}\\n{}\"{shape}{bold}{stop}];", quoted(&name), quoted(&ty));
    }
    let legend: Vec<String> = drawing.legend(model).iter().map(|line| quoted(line)).collect();
    if !legend.is_empty() {
        let _ = writeln!(text, "  labelloc=t; labeljust=l; label=\"{}\\l\";", legend.join("\\l"));
    }
    for (from, to, label) in drawing.edges() {
        let _ = writeln!(text, "  n{from} -> n{to} [label=\"{}\"];", quoted(&label));
    }
    text.push_str("}\n");
    text
}

/// Formats the drawing for Mermaid.
pub fn mermaid(drawing: &Drawing, model: &Model) -> String {
    let mut text = String::from("flowchart TD\n");
    for index in &drawing.layers {
        let Some((name, ty, role)) = drawing.node(model, *index) else { continue };
        let (open, close) = match role {
            Role::Parameter | Role::Result => ("([", "])"),
            _ => ("[", "]"),
        };
        let _ = writeln!(text, "  n{index}{open}\"{}<br/>{}\"{close}", entities(&name), entities(&ty));
    }
    for (from, to, label) in drawing.edges() {
        let _ = writeln!(text, "  n{from} -->|\"{}\"| n{to}", entities(&label));
    }
    if let Some(center) = drawing.center {
        let _ = writeln!(text, "  style n{center} stroke-width:4px");
    }
    for index in drawing.layers.iter().filter(|index| drawing.facts.is_assumed(**index)) {
        let _ = writeln!(text, "  style n{index} stroke-dasharray:5");
    }
    let legend: Vec<String> = drawing.legend(model).iter().map(|line| entities(line)).collect();
    if !legend.is_empty() {
        let _ = writeln!(text, "  legend[/\"{}\"/]", legend.join("<br/>"));
    }
    text
}

/// Escapes text for Mermaid and for the HTML that it produces.
fn entities(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars() {
        match character {
            'a'..='z' | 'A'..='Z' | '0'..='9' | ' ' | '.' | ',' | '_' | '-' | '/' | ':' | '[' | ']' | '?' => {
                out.push(character);
            }
            other if other.is_ascii() => {
                let _ = write!(out, "#{};", u32::from(other));
            }
            other => out.push(other),
        }
    }
    out
}
