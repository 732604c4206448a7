//! Inputs and outputs, compared with a contract.

use super::Wanted;
use super::ends::End;
use super::rules::{CONTRACT_PORT, CONTRACT_SHAPE, CONTRACT_TYPE};
use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Rule, Sink};
use crate::infer::{Scope, chain, chain_names};
use crate::ir::Net;
use crate::source::Span;
use crate::text::nearest;
use crate::types::{ElementType, bare_fact};
use std::collections::BTreeMap;

/// How many names a finding lists.
const SHOWN: usize = 12;

pub(super) struct Check<'a, 's> {
    pub model: &'a Model,
    pub net: &'a Net,
    pub sink: &'s mut Sink,
}

impl Check<'_, '_> {
    /// Compares the inputs or the outputs with those that the contract lists, by name.
    pub(super) fn check(&mut self, wanted: &BTreeMap<String, Wanted>, side: &str, ends: &[End]) {
        let mut left: Vec<usize> = (0..ends.len()).collect();
        let mut missing = Vec::new();
        for (name, wanted) in wanted {
            match find(name, ends) {
                Some(place) => {
                    left.retain(|other| *other != place);
                    self.compare(name, wanted, side, &ends[place]);
                }
                None => missing.push((name, wanted)),
            }
        }
        let renamed = renamed(&missing, &left, ends);
        for (name, place) in &renamed {
            self.renamed(name, side, &ends[*place]);
            self.compare(name, &wanted[*name], side, &ends[*place]);
        }
        for (name, _) in missing.iter().filter(|(name, _)| !renamed.contains_key(name)) {
            self.missing(name, side, ends);
        }
        for place in left.into_iter().filter(|place| renamed.values().all(|other| other != place)) {
            let end = &ends[place];
            let message = format!("contract: unexpected {side} `{}`", end.name());
            let names: Vec<&String> = wanted.keys().collect();
            let finding = self.finding(&CONTRACT_PORT, end.called, message, end);
            self.sink.report(finding.note(format!("the contract has the {side}s {}", list(&names))));
        }
    }

    /// Reports a missing name and an unlisted port as one mistake.
    fn renamed(&mut self, name: &str, side: &str, end: &End) {
        let message = format!("contract: the {side} is called `{}`, wanted `{name}`", end.name());
        let finding = self.finding(&CONTRACT_PORT, end.called, message, end);
        self.sink.report(finding);
    }

    fn missing(&mut self, name: &str, side: &str, ends: &[End]) {
        let names: Vec<&str> = ends.iter().map(End::name).collect();
        let finding = Diagnostic::new(&CONTRACT_PORT, self.net.graph.tag, format!("contract: no {side} `{name}`"));
        let note = if names.is_empty() {
            format!("the model has no {side}s")
        } else {
            format!("the {side}s are {}", list(&names))
        };
        self.sink.report(finding.note(note));
    }

    fn compare(&mut self, name: &str, wanted: &Wanted, side: &str, end: &End) {
        let Some(fact) = end.fact else { return };
        let got = bare_fact(fact);
        let message = format!("contract: {side} `{name}` must be {wanted}, is {got}");
        let type_differs = wanted.ty != ElementType::Dynamic && wanted.ty != fact.ty;
        let shape_differs = !wanted.shape.contains(&fact.shape);
        for (differs, rule, attribute) in
            [(type_differs, &CONTRACT_TYPE, "element_type"), (shape_differs, &CONTRACT_SHAPE, "shape")]
        {
            if differs {
                let mut finding = self.finding(rule, end.place(self.model, attribute), message.clone(), end);
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
                    finding.notes.push(format!("{name} <- {}", chain(&scope, facts, from)));
                    finding.chain = chain_names(&scope, from);
                }
                self.sink.report(finding);
            }
        }
    }

    fn finding(&self, rule: &'static Rule, span: Span, message: String, end: &End) -> Diagnostic {
        Diagnostic::new(rule, span, message).layer(self.net.graph.layer_ref(self.model.source(), end.layer))
    }
}

/// The end with a name; names of tensors take precedence over names of layers.
fn find(name: &str, ends: &[End]) -> Option<usize> {
    let by_tensor = ends.iter().position(|end| end.names.iter().take(end.tensors).any(|own| own == name));
    by_tensor.or_else(|| ends.iter().position(|end| end.names.iter().any(|own| own == name)))
}

/// Which of the remaining ports correspond to the missing names, as far as that is clear: those with similar names, and
/// the only port for the only name.
fn renamed<'a>(missing: &[(&'a String, &Wanted)], left: &[usize], ends: &[End]) -> BTreeMap<&'a String, usize> {
    let mut left = left.to_vec();
    let mut renamed = BTreeMap::new();
    for (name, _) in missing {
        let names = left.iter().flat_map(|place| ends[*place].names.iter().map(String::as_str));
        let Some(near) = nearest(name, names) else { continue };
        let of_name = |place: &usize| ends[*place].names.iter().any(|own| own == near);
        if let Some(at) = left.iter().position(of_name) {
            renamed.insert(*name, left.remove(at));
        }
    }
    let mut others = missing.iter().filter(|(name, _)| !renamed.contains_key(name));
    if let (Some((name, _)), None, [place]) = (others.next(), others.next(), left.as_slice()) {
        renamed.insert(*name, *place);
    }
    renamed
}

fn list(names: &[impl std::fmt::Display]) -> String {
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let more = names.len().saturating_sub(SHOWN);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
