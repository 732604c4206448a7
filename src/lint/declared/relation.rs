//! How what a port declares relates to what is inferred.

use crate::ir::{Port, UNREADABLE_DIM};
use crate::types::{Dim, ElementType, Fact};

/// How a declared shape relates to the inferred one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Relation {
    /// They agree, as far as a port can say.
    Agrees,
    /// A dimension is declared dynamic that has one length.
    Loose,
    /// A dimension is declared static that is dynamic.
    Narrow,
    /// No tensor satisfies both.
    Contradicts,
}

/// Compares the dimensions of a port with a fact; the places that differ most are returned with the relation.
pub(super) fn compare(dims: &[i64], fact: &Fact) -> (Relation, Vec<usize>) {
    let Some(inferred) = fact.shape.dims() else {
        let relation = if dims.is_empty() { Relation::Agrees } else { Relation::Narrow };
        return (relation, Vec::new());
    };
    if dims.is_empty() {
        // A port without dimensions is a scalar or of unknown rank.
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

/// The type that an output declares although it has another.
pub(super) fn other_type(port: &Port, fact: &Fact) -> Option<ElementType> {
    let declared = port.precision.filter(|ty| *ty != ElementType::Dynamic);
    declared.filter(|ty| fact.ty != ElementType::Dynamic && *ty != fact.ty)
}
