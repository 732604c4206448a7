//! The compression that NNCF records in a file, compared with the graph.

use super::Checked;
use super::forms::{Form, Scale, weighted};
use super::settings::{Entry, Section};
use crate::diagnostic::{Diagnostic, Group, Rule, Severity, Sink};
use crate::infer::Facts;
use crate::ir::walk::{Visit, layers};
use crate::ir::{Net, find_attribute};
use crate::ops::Action;
use crate::source::Source;
use crate::types::ElementType;

pub(crate) static COMPRESSION_MISMATCH: Rule = Rule::error(
    Group::File,
    "compression-mismatch",
    "the weights are not compressed as NNCF recorded in the file",
    "NNCF records in the `<rt_info>` of a model how it compressed the weights or quantized the model. Here, the graph shows \
     something else: no constant has the element type of the recorded `mode`, no weight has groups of the recorded \
     `group_size`, or a model that was quantized has neither FakeQuantize layers nor weights of 8 bits. Tools that read the \
     record are wrong about the model.\n\n\
     Compress the original model again, or delete the record.",
)
.accepted(Severity::Warning);

/// A statement that the graph contradicts.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Claim {
    /// The type of the weights.
    Mode(ElementType),
    /// The size of the groups of weights of a type, -1 for whole channels; with the sizes in the graph.
    GroupSize { ty: ElementType, found: Vec<i64> },
}

/// The maximum number of group sizes that are listed.
const SIZES: usize = 4;

/// Returns the element type of the weights in a mode of NNCF; `None` if it is not known.
pub(crate) fn type_of(mode: &str) -> Option<ElementType> {
    Some(match mode {
        "int4_asym" => ElementType::U4,
        "int4_sym" => ElementType::I4,
        "int8_asym" => ElementType::U8,
        "int8_sym" => ElementType::I8,
        "nf4" => ElementType::Nf4,
        "fp4" | "mxfp4" | "nvfp4" => ElementType::F4e2m1,
        "fp8_e4m3" | "mxfp8_e4m3" => ElementType::F8e4m3,
        _ => return None,
    })
}

/// Returns the type that symmetric weights of a type have with a zero point in the middle.
pub(crate) fn unsigned(ty: ElementType) -> Option<ElementType> {
    match ty {
        ElementType::I4 => Some(ElementType::U4),
        ElementType::I8 => Some(ElementType::U8),
        _ => None,
    }
}

/// Returns the statement about the compression of weights that the graph contradicts.
pub(crate) fn contradicted<'e, 'a, L: Iterator<Item = Visit<'a, &'a Facts>>>(
    value: impl Fn(&str) -> Option<&'e str>,
    all: impl Fn() -> L,
    source: &'a Source,
) -> Option<Claim> {
    let ty = type_of(value("mode")?)?;
    // Other formats keep the weights as floats.
    if value("compression_format").is_some_and(|format| format != "dequantize") {
        return None;
    }
    let has = |ty: ElementType| has_constant(all(), ty);
    if !has(ty) {
        // With a ratio below 1, all layers may have the form of the backup, as have convolutions and the last layer.
        let is_part = || value("ratio").is_some_and(|ratio| ratio.parse().is_ok_and(|ratio: f64| ratio < 1.0));
        let may_be_backup =
            ty.bits() < 8 && (is_part() || all().filter(|visit| is_product(visit, source)).nth(1).is_none());
        let is_backup = || value("backup_mode") == Some("none") || has(ElementType::I8) || has(ElementType::U8);
        let is_right = unsigned(ty).is_some_and(has) || may_be_backup && is_backup();
        return (!is_right).then_some(Claim::Mode(ty));
    }
    let size = value("group_size")?.parse::<i64>().ok()?;
    // NNCF may take smaller groups where this size does not divide the channels.
    if value("advanced_parameters").is_some_and(|text| text.to_ascii_lowercase().contains("adjust")) {
        return None;
    }
    let mut found = Vec::new();
    let forms = all().filter_map(|visit| weighted(&visit, source, None)).flat_map(|one| one.forms);
    for form in forms.filter(|form| form.ty == ty) {
        let group = group(&form);
        if group.is_none_or(|group| group == size || group < 0 && size < 0) {
            return None;
        }
        found.extend(group.filter(|group| found.len() < SIZES && !found.contains(group)));
    }
    (!found.is_empty()).then_some(Claim::GroupSize { ty, found })
}

/// Whether a layer multiplies weights without sliding over its data.
fn is_product<'a>(visit: &Visit<'a, &'a Facts>, source: &'a Source) -> bool {
    let slides = visit.kind().spec().is_some_and(|spec| spec.attrs.iter().any(|attr| attr.name == "strides"));
    !slides && weighted(visit, source, None).is_some_and(|one| one.multiplies)
}

/// The size of the groups of a form, -1 for whole channels; `None` if it says nothing.
fn group(form: &Form) -> Option<i64> {
    match form.scale? {
        Scale::Group => form.group,
        Scale::Channel => Some(-1),
        Scale::Tensor => None,
    }
}

/// Whether a model has nothing that quantization leaves: neither quantized activations nor weights of 8 bits.
pub(crate) fn lacks_quantization<'a>(mut all: impl Iterator<Item = Visit<'a, &'a Facts>>, source: &Source) -> bool {
    let is_float_8 = |visit: &Visit<&Facts>| {
        let to = find_attribute(source, visit.layer.data, "destination_type");
        to.is_some_and(|to| source.slice(to.value).starts_with(b"f8"))
    };
    let is_constant = |visit: &Visit<&Facts>| {
        let constant = visit.place.graph.constant(visit.layer);
        constant.is_some_and(|constant| [ElementType::I8, ElementType::U8].contains(&constant.ty))
    };
    !all.any(|visit| visit.kind().action() == Action::Quantizes || is_float_8(&visit) || is_constant(&visit))
}

fn has_constant<'a>(mut all: impl Iterator<Item = Visit<'a, &'a Facts>>, ty: ElementType) -> bool {
    all.any(|visit| visit.place.graph.constant(visit.layer).is_some_and(|constant| constant.ty == ty))
}

/// Compares what NNCF records with the graph.
pub(super) fn check(checked: &Checked, net: &Net, sink: &mut Sink) {
    let source = checked.scope.source;
    let all = || layers(&net.graph, checked.facts);
    let mut report = |section: &Section, key: &str, message: String| {
        let span = section.get(key).or(section.entries().first()).map(Entry::span);
        sink.report(Diagnostic::new(&COMPRESSION_MISMATCH, span.unwrap_or_default(), message));
    };
    if let Some(section) = Section::read(net, source, &["nncf", "weight_compression"]) {
        let value = |key: &str| section.value(key);
        match contradicted(value, all, source) {
            Some(Claim::Mode(ty)) => {
                let mode = value("mode").unwrap_or_default();
                report(&section, "mode", format!("`mode` is {mode}, but no constant is {ty}"));
            }
            Some(Claim::GroupSize { ty, found }) => {
                let of = |size: &i64| {
                    if *size < 0 { "a scale for each channel".to_owned() } else { format!("groups of {size}") }
                };
                let found: Vec<String> = found.iter().map(of).collect();
                let size = value("group_size").unwrap_or_default();
                let message = format!("`group_size` is {size}, but the {ty} weights have {}", found.join(", "));
                report(&section, "group_size", message);
            }
            None => {}
        }
    }
    if let Some(section) = Section::read(net, source, &["nncf", "quantization"])
        && lacks_quantization(all(), source)
    {
        let message = "NNCF quantized the model, but it has no FakeQuantize and no weights of 8 bits".to_owned();
        report(&section, "preset", message);
    }
}
