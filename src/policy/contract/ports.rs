//! Inputs and outputs, compared with a contract.

use super::ends::End;
use super::rules::{CONTRACT_PORT, CONTRACT_SHAPE, CONTRACT_TYPE};
use super::{Contract, Wanted};
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Rule, Sink};
use crate::infer::{Scope, chain, chain_names};
use crate::ir::Net;
use crate::source::Span;
use crate::text::{Hints, nearest};
use crate::types::{ElementType, bare_fact};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The maximum number of names that a finding lists.
const SHOWN: usize = 12;

pub(super) struct Check<'a, 's> {
    pub model: &'a Model,
    pub net: &'a Net,
    pub contract: &'a Contract,
    pub sink: &'s mut Sink,
}

impl Check<'_, '_> {
    /// Compares the inputs or the outputs with those of the contract, by name.
    pub(super) fn check(&mut self, wanted: &BTreeMap<String, Wanted>, side: &str, ends: &[End]) {
        let indices = by_name(ends);
        let mut left: BTreeSet<usize> = (0..ends.len()).into_set();
        let mut missing = Vec::new();
        for (name, wanted) in wanted {
            match indices.get(name.as_str()).copied() {
                Some(index) => {
                    left.remove(&index);
                    self.compare(name, wanted, side, &ends[index]);
                }
                None => missing.push((name, wanted)),
            }
        }
        let renamed = renamed(&missing, &mut left, ends);
        for (name, index) in &renamed {
            self.renamed(name, &wanted[*name], side, &ends[*index]);
            self.compare(name, &wanted[*name], side, &ends[*index]);
        }
        let there = match ends {
            [] => format!("the model has no {side}s"),
            ends => format!("the {side}s are {}", list(ends.iter().map(End::name))),
        };
        for (name, wanted) in missing.iter().filter(|(name, _)| !renamed.contains_key(name)) {
            let message = format!("contract: no {side} `{name}`");
            let finding = Diagnostic::new(&CONTRACT_PORT, self.net.graph.tag, message).note(&*there);
            self.sink.report(finding.note(self.contract.asked_for(Some(wanted))));
        }
        let listed = format!("the contract has the {side}s {}", list(wanted.keys().map(String::as_str)));
        for end in left.into_iter().filter_map(|index| ends.get(index)) {
            let message = format!("contract: unexpected {side} `{}`", end.name());
            let finding = self.finding(&CONTRACT_PORT, end.called, message, end);
            self.sink.report(finding.note(&*listed).note(self.contract.asked_for(None)));
        }
    }

    /// Reports a missing name and an unlisted port as one mistake.
    fn renamed(&mut self, name: &str, wanted: &Wanted, side: &str, end: &End) {
        let message = format!("contract: the {side} is called `{}`, but should be called `{name}`", end.name());
        let finding = self.finding(&CONTRACT_PORT, end.called, message, end);
        self.sink.report(finding.note(self.contract.asked_for(Some(wanted))));
    }

    fn compare(&mut self, name: &str, wanted: &Wanted, side: &str, end: &End) {
        let Some(fact) = end.fact else { return };
        let got = bare_fact(fact);
        let message = format!("contract: {side} `{name}` must be {wanted}, but is {got}");
        let type_differs = wanted.ty != ElementType::Dynamic && wanted.ty != fact.ty;
        let shape_differs = !wanted.shape.contains(&fact.shape);
        for (differs, rule, attribute) in
            [(type_differs, &CONTRACT_TYPE, "element_type"), (shape_differs, &CONTRACT_SHAPE, "shape")]
        {
            if differs {
                let mut finding = self.finding(rule, end.span_of(self.model, attribute), message.clone(), end);
                finding.inferred = Some(got.clone());
                finding.assumed = fact.assumed;
                if let (Some(from), Some(facts)) = (end.from, self.model.facts()) {
                    let (net, model) = (self.net, self.model);
                    let scope = Scope {
                        source: model.source(),
                        graph: &net.graph,
                        weights: model.weights(),
                        limits: model.limits(),
                        body: &[],
                    };
                    finding.notes.push(format!("{name} <- {}", chain(&scope, facts, from)).into());
                    finding.chain = chain_names(&scope, facts, from);
                }
                self.sink.report(finding.note(self.contract.asked_for(Some(wanted))));
            }
        }
    }

    fn finding(&self, rule: &'static Rule, span: Span, message: String, end: &End) -> Diagnostic {
        Diagnostic::new(rule, span, message).layer(self.net.graph.layer_ref(self.model.source(), end.layer))
    }
}

/// Maps names to indices of ends. Tensor names take precedence over layer names; of equal names, the first is used.
fn by_name<'e>(ends: &'e [End]) -> HashMap<&'e str, usize> {
    let tensors =
        ends.iter().enumerate().flat_map(|(at, end)| end.names.iter().take(end.tensors).map(move |name| (at, name)));
    let layers =
        ends.iter().enumerate().flat_map(|(at, end)| end.names.iter().skip(end.tensors).map(move |name| (at, name)));
    let mut indices = HashMap::new();
    tensors.chain(layers).for_each(|(at, name)| _ = indices.entry(name.as_str()).or_insert(at));
    indices
}

/// Pairs missing names with unlisted ports where the match is clear: similar names, or the only port for the only name.
fn renamed<'a>(
    missing: &[(&'a String, &Wanted)],
    left: &mut BTreeSet<usize>,
    ends: &[End],
) -> BTreeMap<&'a String, usize> {
    let (mut renamed, mut hints) = (BTreeMap::new(), Hints::default());
    for (name, _) in missing {
        let names = left.iter().flat_map(|index| ends[*index].names.iter().map(String::as_str));
        let Some(near) = hints.give(|| nearest(name, names)) else { continue };
        let of_name = |index: &&usize| ends[**index].names.iter().any(|own| own == near);
        if let Some(index) = left.iter().find(of_name).copied() {
            left.remove(&index);
            renamed.insert(*name, index);
        }
    }
    let mut others = missing.iter().filter(|(name, _)| !renamed.contains_key(name));
    if let (Some((name, _)), None, 1, Some(index)) = (others.next(), others.next(), left.len(), left.first().copied()) {
        left.remove(&index);
        renamed.insert(*name, index);
    }
    renamed
}

fn list<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let shown: Vec<String> = names.take(SHOWN).map(|name| format!("`{name}`")).collect();
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
