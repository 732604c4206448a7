//! The model of every operation, one file each in the folder of its category, and the operation that a layer's type and
//! version stand for.

mod activation;
pub mod advisories;
pub mod apply;
mod arithmetic;
pub mod attribute;
mod bitwise;
mod comparison;
mod condition;
mod context;
mod convolution;
mod detection;
pub(crate) mod devices;
mod examples;
pub mod extension;
mod fault;
mod foreign;
mod generation;
mod image;
mod infrastructure;
mod internal;
pub(crate) mod leftovers;
mod logical;
mod matrix;
mod misread;
mod movement;
mod normalization;
mod pages;
mod pooling;
mod prelude;
mod quantization;
mod reduction;
pub mod releases;
pub mod revisions;
mod role;
pub mod rules;
mod sequence;
mod shape;
mod shared;
mod signals;
mod sort;
mod sparse;
mod spec;
mod string;
mod summaries;
#[cfg(test)]
pub(crate) mod testing;
mod r#type;

use crate::text::nearest;
pub use context::{BoundsDependent, InferCtx, Needs};
pub use examples::Example;
pub use fault::{At, Fault};
pub(crate) use infrastructure::{CONST, RESULT};
pub(crate) use internal::first_tokenizers;
pub use revisions::find;
use revisions::revisions_of;
pub use role::Role;
pub(crate) use shared::strides::position;
pub use spec::{
    Action, Attr, Bounding, Checked, Dated, Eval, Inferred, Input, Kind, LateCheck, Macs, Missing, Mover, NOWHERE,
    OpSpec, Outputs, Reading, Recent, Untyped, WithBodies, ZERO,
};

/// One category of operations: a folder of OpenVINO's operation specifications.
#[derive(Debug, Clone, Copy)]
pub struct Category {
    /// The name of the folder.
    pub name: &'static str,
    /// The modelled revisions, by name and opset.
    pub operations: &'static [&'static OpSpec],
}

/// Every category.
pub static CATEGORIES: &[Category] = &[
    Category { name: "activation", operations: activation::OPS },
    Category { name: "arithmetic", operations: arithmetic::OPS },
    Category { name: "bitwise", operations: bitwise::OPS },
    Category { name: "comparison", operations: comparison::OPS },
    Category { name: "condition", operations: condition::OPS },
    Category { name: "convolution", operations: convolution::OPS },
    Category { name: "detection", operations: detection::OPS },
    Category { name: "generation", operations: generation::OPS },
    Category { name: "image", operations: image::OPS },
    Category { name: "infrastructure", operations: infrastructure::OPS },
    Category { name: "logical", operations: logical::OPS },
    Category { name: "matrix", operations: matrix::OPS },
    Category { name: "movement", operations: movement::OPS },
    Category { name: "normalization", operations: normalization::OPS },
    Category { name: "pooling", operations: pooling::OPS },
    Category { name: "quantization", operations: quantization::OPS },
    Category { name: "reduction", operations: reduction::OPS },
    Category { name: "sequence", operations: sequence::OPS },
    Category { name: "shape", operations: shape::OPS },
    Category { name: "signals", operations: signals::OPS },
    Category { name: "sort", operations: sort::OPS },
    Category { name: "sparse", operations: sparse::OPS },
    Category { name: "string", operations: string::OPS },
    Category { name: "type", operations: r#type::OPS },
];

/// Every modelled revision.
pub fn operations() -> impl DoubleEndedIterator<Item = &'static OpSpec> {
    CATEGORIES.iter().flat_map(|category| category.operations.iter().copied())
}

/// The meaning of the `type` and `version` of a layer.
#[derive(Debug, Clone, Copy)]
pub enum Meaning {
    /// An operation with a model here.
    Modelled(&'static OpSpec),
    /// An operation that only later or earlier opsets hold.
    NotInOpset {
        /// The first opset that holds it.
        first: u8,
        /// The last opset that holds it.
        last: u8,
    },
    /// An operation that no opset holds.
    UnknownOp,
    /// An internal operation of OpenVINO, which it does not read from files.
    Internal,
    /// An operation of an extension library.
    Extension {
        /// The library, if known.
        library: Option<&'static str>,
    },
    /// An opset that does not exist.
    UnknownOpset,
}

/// The meaning of type `name` and `version` to the reader of OpenVINO.
pub fn meaning(name: &str, version: &str) -> Meaning {
    let Some(opset) = opset_of(name, version) else { return internal::meaning(name, version) };
    if name.eq_ignore_ascii_case(CONST) && name != CONST {
        return Meaning::UnknownOp; // The only type whose case matters.
    }
    if let Some(spec) = find(name, opset) {
        return Meaning::Modelled(spec);
    }
    let mut revisions = revisions_of(name);
    let Some(first) = revisions.next() else { return Meaning::UnknownOp };
    Meaning::NotInOpset { first: first.opset, last: revisions.next_back().unwrap_or(first).last() }
}

/// The opset of `version` for this type.
fn opset_of(name: &str, version: &str) -> Option<u8> {
    let is = |names: &[&str]| names.contains(&name);
    match version {
        "opset1" if is(&["MVN", "ROIPooling", "ReorgYolo"]) => Some(2),
        "experimental" | "extension"
            if is(&["GRUCell", "RNNCell", "Proposal"]) || name.starts_with("ExperimentalDetectron") =>
        {
            Some(6)
        }
        _ => {
            let digits = version.strip_prefix("opset").filter(|digits| !digits.starts_with(['0', '+']))?;
            digits.parse().ok().filter(|opset| (1..=revisions::NEWEST).contains(opset))
        }
    }
}

/// The operation that is probably meant by `name`; `None` if there is none.
pub fn similar_name(name: &str) -> Option<&'static str> {
    let foreign = foreign::operation(&name.to_ascii_lowercase()).filter(|meant| !meant.is_empty());
    foreign.or_else(|| nearest(name, operations().map(|spec| spec.name)))
}

/// The type that is probably meant by `name`: the one of an operation that other frameworks call so, or else the type with
/// the most similar name that takes as many inputs; `None` if there is none.
pub fn nearest_name(name: &str, inputs: usize) -> Option<&'static str> {
    if name.len() > 64 {
        return None; // No type has such a long name, and the comparison is slow.
    }
    let name = name.to_ascii_lowercase();
    if let Some(meant) = foreign::operation(&name) {
        return Some(meant).filter(|meant| !meant.is_empty());
    }
    let takes = |spec: &&OpSpec| {
        let needed = spec.inputs.iter().filter(|input| !input.optional && !input.variadic).count();
        needed <= inputs && (inputs == 0 || spec.input(inputs - 1).is_some())
    };
    let near = operations().filter(takes).map(|spec| {
        let other = spec.name.to_ascii_lowercase();
        (strsim::jaro_winkler(&name, &other), other, spec.name)
    });
    let near = near.filter(|(likeness, ..)| *likeness > 0.85);
    near.max_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1))).map(|(.., name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_takes_as_many_inputs() {
        let near = |name, inputs| nearest_name(name, inputs);
        assert_eq!([near("Relv", 1), near("Spilt", 2), near("Spilt", 5)], [Some("ReLU"), Some("Split"), None]);
        assert_eq!([near("SiLU", 1), near("Max", 2), near("Rsqrt", 1)], [Some("Swish"), Some("Maximum"), None]);
    }

    #[test]
    fn labels_select_the_revision_that_the_opset_holds() {
        assert!(matches!(meaning("split", "opset13"), Meaning::Modelled(spec) if spec.opset == 1));
        assert!(matches!(meaning("Split", "opset17"), Meaning::NotInOpset { first: 1, last: 16 }));
        assert!(matches!(meaning("Spilt", "opset1"), Meaning::UnknownOp));
        let next = format!("opset{}", revisions::NEWEST + 1);
        for version in ["opset0", &next, "OPSET1", "opset01", "opset", "1", "", "opset1 "] {
            assert!(matches!(meaning("Split", version), Meaning::UnknownOpset), "{version}");
        }
    }
}
