//! Errors for unknown and ambiguous names, with suggestions.

use super::Wanted;
use super::find::{Finder, Named};
use crate::ir::walk::graphs;
use crate::ir::{Graph, Id, Layer, Port, Role, name_list};
use crate::source::Source;
use crate::text::{alternatives, did_you_mean, likeness, plural};

/// The maximum number of names in a message.
const SHOWN: usize = 5;

/// Builds the errors of name lookup.
pub(super) struct Suggester<'a> {
    pub(super) source: &'a Source,
    pub(super) wanted: Wanted,
}

impl Suggester<'_> {
    /// Returns the error for an unknown name.
    pub(super) fn unknown(&self, graph: &Graph, name: &str) -> String {
        if let Some(error) = self.wrong_kind(graph, name) {
            return error;
        }
        let mut near = Vec::new();
        if self.wanted != Wanted::Input {
            let finder = Finder { source: self.source, wanted: self.wanted };
            let inside = graphs(graph, ()).skip(1).flat_map(|body| {
                let found = finder.candidates(body.graph, name).into_iter();
                found.map(move |named| Named { path: [body.path(), named.path].concat(), ..named })
            });
            near.extend(inside.take(SHOWN).map(|named| self.spell(graph, &named)));
        }
        if near.is_empty() {
            near.extend(self.most_similar(graph, name));
        }
        let hint = match self.wanted {
            Wanted::Input if near.is_empty() => self.inputs(graph),
            _ if near.is_empty() => "; `ovlint shapes --consts` lists all".to_owned(),
            _ => did_you_mean(near.iter().map(String::as_str)),
        };
        super::unknown(self.wanted, name) + &hint
    }

    /// Lists the inputs of the model as a hint.
    fn inputs(&self, graph: &Graph) -> String {
        let all = graph.layers.iter().filter(|layer| self.wanted.admits(graph, layer));
        let all: Vec<String> = all.map(|layer| format!("`{}`", graph.full_name(self.source, layer))).collect();
        let more = if all.len() > SHOWN { format!(" and {} more", all.len() - SHOWN) } else { String::new() };
        match all.len() {
            0 => "; it has no inputs".to_owned(),
            count => {
                let verb = if count == 1 { "is" } else { "are" };
                format!("; its input{} {verb} {}{more}", plural(count), all[..count.min(SHOWN)].join(", "))
            }
        }
    }

    /// Returns the error for a name of another kind of layer, or of a layer without such an output.
    fn wrong_kind(&self, graph: &Graph, name: &str) -> Option<String> {
        let layers = Finder { source: self.source, wanted: Wanted::Layer };
        let numbered = name.rsplit_once(':').and_then(|(layer, port)| Some((layer, Some(port.parse::<u64>().ok()?))));
        let named = |(name, output)| Some((layers.candidates(graph, name).into_iter().next()?, name, output));
        let (found, name, output) = [Some((name, None)), numbered].into_iter().flatten().find_map(named)?;
        let graph = graph_of(graph, &found)?;
        let layer = graph.layer(found.index)?;
        let kind = graph.kind(layer);
        if !self.wanted.admits(graph, layer) || !found.path.is_empty() && self.wanted == Wanted::Input {
            return Some(format!("no {} is called `{name}`; that is a layer of type {}", self.wanted.noun(), kind.ty));
        }
        let is_fed = || graph.inputs(layer).first().and_then(Port::source).is_some();
        let outputs = if kind.role == Role::Result { 1 } else { graph.outputs(layer).len() };
        Some(match output {
            _ if kind.role == Role::Result && !is_fed() => format!("nothing arrives at the Result `{name}`"),
            Some(output) if outputs == 1 => format!("`{name}` has no output {output}, only output 0"),
            Some(output) if outputs > 1 => {
                format!("`{name}` has no output {output}, only outputs 0 to {}", outputs - 1)
            }
            _ => format!("`{name}` has no outputs"),
        })
    }

    /// Finds the most similar name of layers and tensors; of equally similar ones, that in the outer graph.
    fn most_similar(&self, graph: &Graph, name: &str) -> Option<String> {
        let mut best: Option<(f64, String)> = None;
        let depth = if self.wanted == Wanted::Input { 1 } else { usize::MAX };
        for place in graphs(graph, ()).take(depth) {
            let prefix = place.prefix(|graph, layer| graph.full_name(self.source, layer));
            let mut take = |known: &str| {
                let spelled = format!("{prefix}{known}");
                let like =
                    [known, &spelled].into_iter().filter_map(|known| likeness(name, known)).max_by(f64::total_cmp);
                if let Some(like) = like.filter(|like| best.as_ref().is_none_or(|best| *like > best.0)) {
                    best = Some((like, spelled));
                }
            };
            for layer in place.graph.layers.iter().filter(|layer| self.wanted.admits(place.graph, layer)) {
                take(&place.graph.full_name(self.source, layer));
                for port in place.graph.outputs(layer) {
                    for tensor in name_list(self.source, port.tag, "names") {
                        take(&tensor);
                    }
                }
            }
        }
        Some(best?.1)
    }

    /// Returns the error for an ambiguous name.
    pub(super) fn ambiguous(&self, graph: &Graph, name: &str, all: &[Named]) -> String {
        let candidate = |named: &Named| {
            let inner = graph_of(graph, named)?;
            let layer = inner.layer(named.index)?;
            let line = self.source.position(layer.tag.start).line;
            Some(format!("`{}` ({}, line {line})", self.spell(graph, named), inner.kind(layer).ty))
        };
        let candidates: Vec<String> = all.iter().take(SHOWN).filter_map(candidate).collect();
        let those = match (all.len() - candidates.len(), candidates.as_slice()) {
            (0, all) => alternatives(all),
            (more, all) => format!("{} or one of {more} more", all.join(", ")),
        };
        format!("`{name}` is ambiguous: it may be {those}")
    }

    /// Spells an unambiguous name.
    fn spell(&self, graph: &Graph, named: &Named) -> String {
        let (mut graph, mut text) = (graph, String::new());
        for (index, kind) in &named.path {
            let Some(layer) = graph.layer(*index) else { break };
            text = format!("{text}{}/{}/", self.name_or_id(graph, layer), kind.name());
            graph = layer.subgraph.as_ref().and_then(|all| all.body(*kind)).unwrap_or(graph);
        }
        let Some(layer) = graph.layer(named.index) else { return text };
        let called = self.name_or_id(graph, layer);
        // A number alone may be the name of a tensor.
        let is_id = called != graph.full_name(self.source, layer);
        text.push_str(&called);
        if self.wanted == Wanted::Tensor && (is_id || graph.outputs(layer).len() > 1) {
            text = format!("{text}:{}", named.output);
        }
        text
    }

    /// Returns the name of a layer, or its id if the name is not unique.
    fn name_or_id(&self, graph: &Graph, layer: &Layer) -> String {
        let name = graph.full_name(self.source, layer);
        let namesakes = graph.layers.iter().filter(|other| graph.full_name(self.source, other) == name).take(2);
        match layer.id.map(Id::get) {
            Some(id) if namesakes.count() > 1 => id.to_string(),
            _ => name.into_owned(),
        }
    }
}

/// Returns the graph that contains a match.
fn graph_of<'a>(graph: &'a Graph, named: &Named) -> Option<&'a Graph> {
    named.path.iter().try_fold(graph, |graph, (index, kind)| graph.layer(*index)?.subgraph.as_ref()?.body(*kind))
}
