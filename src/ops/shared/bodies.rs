//! What operations with bodies have in common.

use crate::ops::spec::{Action, Eval, OpSpec, Outputs, WithBodies};
use crate::types::Fact;

/// An operation whose outputs follow from its bodies, which only the driver sees; on its own it knows nothing of them.
pub(in crate::ops) const fn of_bodies(what: WithBodies) -> OpSpec {
    OpSpec {
        name: "",
        opset: 1,
        inputs: &[],
        attrs: &[],
        outputs: Outputs::FromBodies(what),
        action: Action::Other,
        infer: |cx| Ok(vec![Fact::unknown(); cx.declared_outputs().unwrap_or_default()]),
        eval: Eval::None,
    }
}
