//! The common specification of operations with bodies.

use super::prelude::*;
use crate::ops::WithBodies;

/// An operation whose outputs follow from its bodies, which only the inference pass sees; on its own it infers nothing.
pub(in crate::ops) const fn of_bodies(what: WithBodies) -> OpSpec {
    OpSpec {
        outputs: Outputs::FromBodies(what),
        ..OpSpec::new("", 1, |cx| Ok(vec![Fact::unknown(); cx.declared_outputs().unwrap_or_default()]))
    }
}
