//! The extraction of `ovlint extract`: a part of a model, around a layer or between tensors, or the model with further
//! outputs.

use super::around::Around;
use super::choice::{Choice, Treatment};
use super::draft::Cut;
use super::original::Original;
use crate::analysis::Model;
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Edit, Severity};
use crate::edit::{Bytes, Change, Declarations, Edited, Part, Refusal, Text, applied, new_finding};
use crate::ir::{LayerId, OutputRef, Role, Weights};
use crate::lint::state::beams::STATE_WITHOUT_BEAMS;
use petgraph::Direction::{Incoming, Outgoing};
use std::collections::BTreeSet;

/// The part of a model to extract. Names stand for layers and tensors, and may be globs.
#[derive(Debug, Clone, Default)]
pub struct Extraction {
    /// Layers that are kept, with those up to `hops` edges away.
    pub around: Vec<String>,
    /// The number of edges around these layers.
    pub hops: usize,
    /// Tensors that become inputs.
    pub from: Vec<String>,
    /// Tensors that become outputs.
    pub to: Vec<String>,
    /// Tensors that become outputs of the whole model.
    pub add_output: Vec<String>,
    /// Set if constants stay at their offsets in the weights file.
    pub keeps_weights: bool,
}

/// Extracts a part of a model. The layers that stay are as they were, and no file is written.
///
/// Cut tensors become Parameters of the inferred type and shape, or constants where all elements are known; those that are
/// asked for become Parameters in any case. Ports of layers that stay change only where the cut changes what is inferred.
pub fn extract(model: &Model, wanted: &Extraction) -> Result<Edited, Refusal> {
    let original = Original::of(model, "cut")?;
    let choice = choice(&original, wanted)?;
    let cut = Cut::of(&original, &choice);
    let source = model.source();
    let is_change = |edit: &Edit| source.slice(edit.span) != edit.text.as_bytes();
    let edits: Vec<_> = cut.edits.into_iter().filter(is_change).collect();
    let weights = || match &cut.weights {
        Bytes::Original(_) => None,
        Bytes::New(bytes) => {
            let mut weights = Weights::in_memory(bytes.clone());
            weights.path.clone_from(&model.weights().path);
            Some(weights)
        }
    };
    let read = |xml: Vec<u8>| model.rewritten(xml, weights()).map_err(|error| error.to_string());
    let mut after = read(applied(source.bytes(), &edits))?;
    let mut changes: Vec<Change> = Vec::new();
    let gone = original.graph.entries().filter(|(id, _)| !cut.stays.get(id.index()).is_some_and(|stays| *stays));
    changes.extend(gone.map(|(_, layer)| Change {
        layer: original.graph.full_name(source, layer).into_owned(),
        part: Part::Layer,
        before: original.graph.kind(layer).ty.clone(),
        after: String::new(),
    }));
    changes.extend(cut.new.iter().map(|(name, role, fact)| Change {
        layer: name.clone(),
        part: Part::Layer,
        before: String::new(),
        after: format!("{} {}{}", role.type_name(), fact.ty, fact.shape),
    }));
    let mut all = edits;
    // A part need not work in a beam search, as the whole model does.
    let is_tolerated =
        |finding: &Diagnostic| finding.severity == Severity::Info || finding.rule == &STATE_WITHOUT_BEAMS;
    if new_finding(model, &after, is_tolerated).is_some() {
        // Where values are lost, less is known of the shapes that follow.
        let declared =
            Declarations::of_model(&after, None).ok_or(Refusal::Unproved("the part could not be inferred"))?;
        let mut text = Text::new(source.bytes().len());
        text.apply(&all);
        text.apply(&declared.edits);
        all = text.edits(source.bytes().len());
        after = read(text.bytes(source.bytes()))?;
        changes.extend(declared.changes);
    }
    if after.net().is_none() {
        return Err(Refusal::Unproved("the file could not be read afterwards"));
    }
    if let Some(finding) = new_finding(model, &after, is_tolerated) {
        return Err(Refusal::Finding(Box::new(finding.clone())));
    }
    Ok(Edited { model: after, edits: all, changes, weights: cut.weights })
}

/// Returns the layers that stay.
fn choice(original: &Original, wanted: &Extraction) -> Result<Choice, Refusal> {
    let all = Choice::all(original);
    let outputs = |names: &[String]| {
        let found: Result<Vec<_>, String> = names.iter().map(|name| original.outputs(name)).collect();
        found.map(|found| found.into_iter().flatten().into_set())
    };
    let is_missing = !original.model.weights().is_available() && original.graph.weights_end() > 0;
    let weights = if wanted.keeps_weights || is_missing { Treatment::Whole } else { Treatment::Packed };
    let base = Choice { every_output: false, keeps_names: true, weights, ..all };
    if !wanted.add_output.is_empty() {
        let results = outputs(&wanted.add_output)?;
        return Ok(Choice { results, weights: Treatment::Whole, ..base });
    }
    if !wanted.around.is_empty() {
        let seeds: Result<Vec<_>, String> = wanted.around.iter().map(|name| original.layers(name)).collect();
        let seeds: Vec<LayerId> = seeds?.into_iter().flatten().collect();
        let around = Around::of(original, &seeds, &[Incoming, Outgoing]);
        let chosen: Vec<LayerId> = around.within(wanted.hops).collect();
        return Ok(Choice { every_output: true, ..base.with(original, chosen) });
    }
    let (cut, mut results) = (outputs(&wanted.from)?, outputs(&wanted.to)?);
    let mut ends: Vec<LayerId> = Vec::new();
    if results.is_empty() {
        for layer in behind(original, &cut) {
            match original.role(layer) {
                Role::Result => results.extend(original.inputs(layer).map(|(_, from)| from)),
                Role::Assign => ends.push(layer),
                _ => {}
            }
        }
    }
    if let Some(both) = results.intersection(&cut).next() {
        return Err(format!("`{}` would be an input and an output", original.name(*both)).into());
    }
    ends.extend(results.iter().map(|output| output.layer));
    let (chosen, reached) = before(original, ends, &cut);
    if let Some(lost) = cut.difference(&reached).next() {
        return Err(format!(
            "no output that is kept depends on `{}`, so --from cannot start there",
            original.name(*lost)
        )
        .into());
    }
    Ok(Choice { cut, results, ..base.with(original, chosen) })
}

/// Returns the layers that depend on some outputs.
fn behind(original: &Original, outputs: &BTreeSet<OutputRef>) -> BTreeSet<LayerId> {
    let mut found = BTreeSet::new();
    let of = |output: &OutputRef| original.consumers(output.layer).remove(&output.output).unwrap_or_default();
    let mut open: Vec<LayerId> = outputs.iter().flat_map(of).collect();
    while let Some(layer) = open.pop() {
        if found.insert(layer) {
            open.extend(original.consumers(layer).into_values().flatten());
        }
    }
    found
}

/// Returns the layers that some depend on, up to the cut outputs, with all layers of their variables; and the cut outputs that
/// were reached.
fn before(
    original: &Original,
    mut open: Vec<LayerId>,
    cut: &BTreeSet<OutputRef>,
) -> (BTreeSet<LayerId>, BTreeSet<OutputRef>) {
    let (mut found, mut reached) = (BTreeSet::new(), BTreeSet::new());
    while let Some(layer) = open.pop() {
        if !found.insert(layer) {
            continue;
        }
        open.extend(original.variables.iter().filter(|variable| variable.contains(&layer)).flatten());
        for (_, from) in original.inputs(layer) {
            if cut.contains(&from) {
                reached.insert(from);
            } else {
                open.push(from.layer);
            }
        }
    }
    (found, reached)
}
