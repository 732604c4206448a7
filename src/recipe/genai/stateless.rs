//! Obstacles to the conversion of a language model's variables back into inputs and outputs, which some devices and
//! pipelines need.

use super::names::{is_lfm2, missing};
use crate::arrange::Fill;
use crate::diagnostic::{Rule, Sink};
use crate::ir::{Layer, LayerId};
use crate::ops::Action;
use crate::recipe::recipe_rule;
use crate::recipe::view::{State, View};
use std::collections::{BTreeMap, BTreeSet, HashMap};

pub(crate) static GENAI_STATELESS: Rule = recipe_rule(
    "genai-stateless",
    "the variables of the KV cache cannot be turned into inputs and outputs",
    "Checked with `--for genai` only. For some devices and pipelines, the variables of a \
     language model are turned into inputs and outputs. The transformation, `StatefulToStateless`, needs an input \
     whose tensor is called `beam_idx`; only Gather layers may use it, each to select from what one ReadValue reads; \
     each such variable has one Assign, and nothing else reads it. Otherwise it fails.\n\n\
     Export the model with `optimum-cli export openvino --task text-generation-with-past`, and keep it stateful.\n\n\
     The finding is an error if and only if `stateful_to_stateless_transformation` of OpenVINO 2026.4.1 fails, as measured on \
     2026-11-23.",
);

const RULE: &Rule = &GENAI_STATELESS;

pub(super) fn check(view: &View, sink: &mut Sink) {
    let Some(beam) = view.input("beam_idx").map(|input| input.index) else {
        let finding = missing(view, RULE, "`beam_idx`");
        sink.report(
            finding.help("export a stateful model: `optimum-cli export openvino --task text-generation-with-past`"),
        );
        return;
    };
    let (reads, writes) = (view.states(Action::Reads), view.states(Action::Writes));
    let mut selected = Selected { view, beam, by: BTreeMap::new() };
    for (index, layer) in view.layers() {
        if view.producers(layer).any(|from| from == beam) {
            selected.add(index, layer, sink);
        }
    }
    for read in &reads {
        if !selected.by.contains_key(&read.variable) && is_lfm2(&read.variable) {
            selected.by.insert(read.variable.clone(), read.index);
        }
    }
    selected.writers(&writes, &reads, sink);
    selected.other_readers(&reads, sink);
}

/// The variables that become inputs in the conversion.
struct Selected<'a, 'v> {
    view: &'v View<'a>,
    /// The Parameter `beam_idx`.
    beam: LayerId,
    /// The layer that the new input replaces, by variable: a Gather with `beam_idx`, or for some variables the `ReadValue`.
    by: BTreeMap<String, LayerId>,
}

impl Selected<'_, '_> {
    /// Adds a layer that reads `beam_idx`.
    fn add(&mut self, index: LayerId, layer: &Layer, sink: &mut Sink) {
        let (view, called) = (self.view, self.view.called(layer));
        if !view.has_action(layer, Action::Gathers) {
            let message = format!("{called} takes `beam_idx`, which only a Gather of a ReadValue may take");
            sink.report(view.about(RULE, layer, layer.tag, message));
            return;
        }
        let Some((_, data)) = view.producer(layer, 0) else { return };
        if !view.has_action(data, Action::Reads) {
            let message = format!("{called} selects by `beam_idx` from {}, wanted a ReadValue", view.called(data));
            sink.report(view.about_input(RULE, layer, 0, message).label(data.tag, "this is not a ReadValue"));
            return;
        }
        let variable = view.variable(data);
        match self.by.get(&variable).and_then(|first| view.graph().layer(*first)) {
            Some(first) => {
                let message = format!("two layers select from variable `{variable}` by `beam_idx`, wanted one");
                sink.report(view.about(RULE, layer, layer.tag, message).label(first.tag, "the other one"));
            }
            None => _ = self.by.insert(variable, index),
        }
    }

    /// Reports variables without exactly one writer.
    fn writers(&self, writes: &[State], reads: &[State], sink: &mut Sink) {
        let mut writers: HashMap<&str, Vec<&State>> = HashMap::new();
        for write in writes {
            writers.entry(&write.variable).or_default().push(write);
        }
        let readers: HashMap<&str, &State> = reads.iter().rev().map(|read| (read.variable.as_str(), read)).collect();
        for variable in self.by.keys().map(String::as_str) {
            match writers.get(variable).map(Vec::as_slice).unwrap_or_default() {
                [first, second, ..] => {
                    let message = format!("two Assigns write variable `{variable}`, wanted one");
                    let finding = self.view.about(RULE, second.layer, second.layer.tag, message);
                    sink.report(finding.label(first.layer.tag, "the other one"));
                }
                [_] => {}
                [] => {
                    let Some(read) = readers.get(variable) else { continue };
                    let message = format!("no Assign writes variable `{variable}`");
                    let finding = self.view.about(RULE, read.layer, read.layer.tag, message);
                    sink.report(finding);
                }
            }
        }
    }

    /// Reports layers that read a variable directly, not through the layer that an input replaces.
    fn other_readers(&self, reads: &[State], sink: &mut Sink) {
        let view = self.view;
        let replaced: BTreeSet<LayerId> = self.by.values().copied().into_set();
        let read: BTreeMap<LayerId, &str> = reads
            .iter()
            .filter(|read| self.by.contains_key(&read.variable) && !replaced.contains(&read.index))
            .map(|read| (read.index, read.variable.as_str()))
            .into_map();
        for (_, layer) in view.layers().filter(|(index, _)| !replaced.contains(index)) {
            let variable = view.producers(layer).find_map(|from| read.get(&from));
            // Consumers of `beam_idx` were checked before.
            if let Some(variable) = variable.filter(|_| view.producers(layer).all(|from| from != self.beam)) {
                let message = format!("{} reads variable `{variable}` past `beam_idx`", view.called(layer));
                sink.report(view.about(RULE, layer, layer.tag, message));
            }
        }
    }
}
