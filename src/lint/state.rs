//! Checks of state variables: each `Assign` needs its `ReadValue`, should write what fits it, and should be the only one of
//! its variable.

pub(crate) mod beams;
mod exchanged;
mod written;

use super::rules::UNPAIRED_STATE;
use super::{Checked, for_every_graph};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Group, Hint, Rule, Runtime, Severity, Sink};
use crate::ir::{Graph, Kind, Layer, LayerId, Port, Role, find_attribute, unescape};
use crate::ops::{Action, Meaning};
use crate::source::Span;
use crate::text::nearest;
use std::collections::{BTreeMap, BTreeSet};
use written::Variable;

pub(crate) static AMBIGUOUS_STATE: Rule = Rule::error(
    Group::Graph,
    "ambiguous-state",
    "it is unclear which variable a layer uses, or which value the variable has",
    "Several Assign layers write one variable, and the file does not decide which of them runs last. Or a \
     `variable_id` is empty, which is a name like any other, so that unrelated variables become one.\n\n\
     Give each variable an identifier of its own, and one Assign.",
)
.accepted(Severity::Warning)
.opt_in();

/// A layer that reads or writes a variable.
struct Access {
    index: LayerId,
    id: String,
    /// Set for opset3, where reader and writer must be connected.
    is_old: bool,
}

/// The layers of one graph that read and write variables.
#[derive(Default)]
struct State {
    reads: Vec<Access>,
    /// Readers that lead to no Result, which OpenVINO does not build.
    dead: Vec<Access>,
    writes: Vec<Access>,
    /// Readers without an identifier, and whether they are of opset3.
    nameless: Vec<(LayerId, bool)>,
}

/// Reports writers without readers, and variables that nothing writes.
pub(super) fn check(checked: &Checked, sink: &mut Sink) {
    let mut graph_names: BTreeMap<String, String> = BTreeMap::new();
    let (mut states, mut is_empty) = (Vec::new(), true);
    for_every_graph(checked, &mut |checked| {
        let state = State::of(checked);
        is_empty &= state.writes.is_empty() && state.reads.is_empty();
        let graph_name = checked.scope.body.last().map_or("the net".to_owned(), |body| format!("the body `{body}`"));
        for access in &state.reads {
            graph_names.entry(access.id.clone()).or_insert_with(|| graph_name.clone());
        }
        states.push(state);
    });
    if is_empty {
        return;
    }
    // The first one is that of the net.
    if let Some(finding) = states.first().and_then(|state| beams::left(checked, state)) {
        sink.report(finding);
    }
    if checked.options.enables(&AMBIGUOUS_STATE) {
        let mut states = states.iter();
        for_every_graph(checked, &mut |checked| {
            if let Some(state) = states.next() {
                ambiguous(checked, state, sink);
            }
        });
    }
    let mut states = states.into_iter();
    for_every_graph(checked, &mut |checked| {
        if let Some(state) = states.next() {
            check_graph(checked, &state, &graph_names, sink);
        }
    });
}

/// Reports variables with an empty identifier, and those that several layers of a graph write.
fn ambiguous(checked: &Checked, state: &State, sink: &mut Sink) {
    let mut writers: BTreeMap<&str, Span> = BTreeMap::new();
    for (access, is_write) in
        state.reads.iter().map(|read| (read, false)).chain(state.writes.iter().map(|write| (write, true)))
    {
        let Some(layer) = checked.scope.graph.layer(access.index) else { continue };
        let finding = |message: String| Diagnostic { rule: &AMBIGUOUS_STATE, ..about(checked, layer, message) };
        let usual = |finding: Diagnostic| finding.severity(AMBIGUOUS_STATE.severity).runtime(AMBIGUOUS_STATE.runtime);
        let ty = &checked.scope.graph.kind(layer).ty;
        if access.id.is_empty() {
            sink.report(usual(finding(format!("this {ty} has an empty `variable_id`"))));
        }
        if !is_write {
            continue;
        }
        match writers.get(access.id.as_str()) {
            Some(first) => {
                let message = format!("two layers write variable `{}`; the one that runs last wins", access.id);
                sink.report(usual(finding(message).label(*first, "the other one")));
            }
            None => _ = writers.insert(&access.id, layer.tag),
        }
    }
}

fn check_graph(checked: &Checked, state: &State, graph_names: &BTreeMap<String, String>, sink: &mut Sink) {
    let graph = checked.scope.graph;
    // Readers by identifier; those of opset3 also under `true`, because an Assign of opset3 needs one of these.
    let mut readers: BTreeMap<(&str, bool), Vec<LayerId>> = BTreeMap::new();
    for access in &state.reads {
        for is_old in [false, true].into_iter().take(1 + usize::from(access.is_old)) {
            readers.entry((&access.id, is_old)).or_default().push(access.index);
        }
    }
    let mut variables: BTreeMap<(&str, bool), Variable> = BTreeMap::new();
    let mut search = Search { graph, steps: graph.layers.len().saturating_mul(SEARCHES) };
    let mut nameless = state.nameless.iter();
    let dead: BTreeSet<&str> = state.dead.iter().map(|read| read.id.as_str()).into_set();
    let written: BTreeSet<&str> = state.writes.iter().map(|write| write.id.as_str()).into_set();
    let mut unwritten: Vec<&Access> = state.reads.iter().filter(|read| !written.contains(read.id.as_str())).collect();
    for write in &state.writes {
        let Some(layer) = graph.layer(write.index) else { continue };
        let id = write.id.as_str();
        let reads = readers.get(&(id, write.is_old)).map(Vec::as_slice).unwrap_or_default();
        if !reads.is_empty() && (!write.is_old || search.finds(write.index, reads)) {
            let variable = variables.entry((id, write.is_old));
            let variable = variable.or_insert_with(|| Variable::of(checked, write.is_old, reads));
            if let Some(finding) = variable.finding(write.index, || search.finds(write.index, reads)) {
                sink.report(finding);
            }
            continue;
        }
        // A missing edge or a reader without an identifier is reported elsewhere.
        let is_cut_off = write.is_old && graph.inputs(layer).iter().all(|input| input.source().is_none());
        let reader = nameless.next();
        if is_cut_off || !write.is_old && reader.is_some_and(|(_, is_old)| !is_old) {
            continue;
        }
        let name = graph.name(checked.scope.source, layer);
        let message = format!("Assign `{name}` writes variable `{id}`, which no ReadValue {} reads", {
            match write.is_old {
                true => "of opset3 before it",
                false if dead.contains(id) => "that leads to a Result",
                false => "of this graph",
            }
        });
        let mut finding = about(checked, layer, message);
        finding = match graph_names.get(id) {
            Some(graph_name) => finding.note(format!("a ReadValue in {graph_name} reads it")),
            None => finding,
        };
        if let Some(reader) = reader.and_then(|(reader, _)| graph.layer(*reader)) {
            finding = finding.label(reader.tag, "this ReadValue has no `variable_id`");
        }
        // The reader that nothing writes is meant, if there is one, or one of several with a similar identifier.
        let near = match unwritten.as_slice() {
            [only] => Some(only.id.clone()),
            several => nearest(id, several.iter().take(SHOWN).map(|read| read.id.as_str())).map(str::to_owned),
        };
        let meant = near.and_then(|near| unwritten.iter().position(|read| read.id == near && !write.is_old));
        if let Some(meant) = meant.map(|at| unwritten.remove(at)) {
            let label = format!("nothing writes `{}`, which this ReadValue reads", meant.id);
            finding = graph.layer(meant.index).map_or(finding.clone(), |read| finding.label(read.tag, label));
            sink.report(finding.help(Hint::DidYouMean(meant.id.clone())));
            continue;
        }
        let known = readers.keys().filter(|(_, is_old)| !is_old).take(SHOWN);
        let known: Vec<String> = known.map(|(id, _)| format!("`{id}`")).collect();
        let help = if known.is_empty() {
            Some("no ReadValue of this graph leads to a Result".to_owned())
        } else if !readers.contains_key(&(id, false)) {
            Some(format!("variables that are read here: {}", known.join(", ")))
        } else {
            let is_newer = !readers.contains_key(&(id, true));
            is_newer.then(|| "a ReadValue of opset6 reads it: should this be an Assign of opset6?".to_owned())
        };
        finding.help.extend(help.map(Hint::from));
        sink.report(finding);
    }
    if let Some(finding) = exchanged::exchanged(checked, state) {
        sink.report(finding);
    }
    for read in unwritten {
        let Some(layer) = graph.layer(read.index) else { continue };
        let message = format!("variable `{}` is read, and no Assign of this graph writes it", read.id);
        let finding = about(checked, layer, message).severity(Severity::Warning).runtime(Runtime::Accepts);
        sink.report(finding.note(NEVER_WRITTEN));
    }
}

/// The note about a variable that is never written.
const NEVER_WRITTEN: &str = "OpenVINO's CPU plugin compiles a model with such a variable, and every inference fails \
     (\"doesn't have sibling output\")";

/// The maximum number of identifiers that a message lists.
const SHOWN: usize = 8;

/// The maximum number of steps of all searches for readers, per layer of the graph.
const SEARCHES: usize = 64;

impl State {
    /// Collects the readers that OpenVINO builds, and the writers. In opset3, a missing identifier is treated as an empty one.
    fn of(checked: &Checked) -> Self {
        let graph = checked.scope.graph;
        let mut state = Self::default();
        let has_state = |kind: &Kind| matches!(kind.action(), Action::Reads | Action::Writes);
        let kinds: Vec<bool> = graph.kinds.iter().map(has_state).collect();
        if !kinds.contains(&true) {
            return state;
        }
        for (index, layer) in graph.entries() {
            if !kinds[layer.kind as usize] {
                continue;
            }
            let kind = graph.kind(layer);
            let Meaning::Modelled(spec) = kind.meaning else { continue };
            let is_old = spec.opset == 3;
            let all = match spec.action {
                Action::Reads if checked.facts.is_reachable(index) => &mut state.reads,
                Action::Reads => &mut state.dead,
                Action::Writes if kind.role == Role::Assign => &mut state.writes,
                _ => continue,
            };
            let attrs = graph.attrs(layer).iter();
            let id = attrs.map(|a| (checked.scope.source.slice(a.name), checked.scope.source.slice(a.value)));
            let id =
                id.filter(|(name, _)| *name == b"variable_id").map(|(_, value)| unescape(value).into_owned()).next();
            if id.is_none() && spec.action == Action::Reads && checked.facts.is_reachable(index) {
                state.nameless.push((index, is_old));
            }
            // A newer revision without an identifier lacks an attribute, which another finding reports.
            if let Some(id) = id.or(is_old.then(String::new)) {
                all.push(Access { index, id, is_old });
            }
        }
        state
    }
}

/// A search for readers among the producers of a layer, with a limited number of steps.
struct Search<'a> {
    graph: &'a Graph,
    steps: usize,
}

impl Search<'_> {
    /// Whether one of the readers, which are sorted, leads to the layer; true as well once the steps are used up.
    fn finds(&mut self, from: LayerId, readers: &[LayerId]) -> bool {
        let mut seen = BTreeSet::from([from]);
        let mut open = vec![from];
        while let Some(index) = open.pop() {
            let Some(left) = self.steps.checked_sub(1) else { return true };
            self.steps = left;
            if readers.binary_search(&index).is_ok() {
                return true;
            }
            let Some(layer) = self.graph.layer(index) else { continue };
            let sources = self.graph.inputs(layer).iter().filter_map(Port::source);
            open.extend(sources.map(|source| source.layer).filter(|source| seen.insert(*source)));
        }
        false
    }
}

fn about(checked: &Checked, layer: &Layer, message: String) -> Diagnostic {
    match find_attribute(checked.scope.source, layer.data, "variable_id") {
        Some(id) => checked.scope.about_part(layer, Diagnostic::new(&UNPAIRED_STATE, id.whole(), message)),
        None => checked.about(layer, Diagnostic::new(&UNPAIRED_STATE, layer.tag, message)),
    }
}
