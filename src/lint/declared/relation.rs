//! The relation of a declared shape to the inferred one.

use crate::ir::{Port, UNREADABLE_DIM};
use crate::types::{Dim, ElementType, Fact};

/// The relation of a declared shape to the inferred one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// The shapes agree, as far as a port can express them.
    Agrees,
    /// A declared dimension is dynamic, the inferred one is static.
    Loose,
    /// A declared dimension is static, the inferred one is dynamic.
    Narrow,
    /// No tensor satisfies both.
    Contradicts,
}

/// Compares the dimensions of a port with a fact; returns the worst relation and the indices of the dimensions with it.
pub(super) fn compare(dims: &[i64], fact: &Fact) -> (Relation, Vec<usize>) {
    let Some(inferred) = fact.shape.dims() else {
        let relation = if dims.is_empty() { Relation::Agrees } else { Relation::Narrow };
        return (relation, Vec::new());
    };
    if dims.is_empty() {
        // A port without dimensions may stand for a scalar or an unknown rank.
        return (if inferred.is_empty() { Relation::Agrees } else { Relation::Loose }, Vec::new());
    }
    if dims.len() != inferred.len() {
        return (Relation::Contradicts, Vec::new());
    }
    let relations = || dims.iter().zip(inferred).map(|(declared, inferred)| relation(*declared, *inferred));
    let worst = relations().max().unwrap_or(Relation::Agrees);
    if worst == Relation::Agrees {
        return (worst, Vec::new());
    }
    (worst, relations().enumerate().filter(|(_, relation)| *relation == worst).map(|(i, _)| i).collect())
}

pub(super) fn relation(declared: i64, inferred: Dim) -> Relation {
    match (declared, inferred.length()) {
        (-1, None) | (UNREADABLE_DIM, _) => Relation::Agrees,
        (-1, Some(_)) => Relation::Loose,
        (declared, Some(length)) if declared == length => Relation::Agrees,
        (declared, None) if inferred.admits(declared) => Relation::Narrow,
        _ => Relation::Contradicts,
    }
}

/// The declared type of a port, if it differs from the inferred one.
pub(super) fn other_type(port: &Port, fact: &Fact) -> Option<ElementType> {
    let declared = port.precision.filter(|ty| *ty != ElementType::Dynamic);
    declared.filter(|ty| fact.ty != ElementType::Dynamic && *ty != fact.ty)
}
