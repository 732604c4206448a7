//! What operations with bodies have in common.

use crate::ops::spec::{Eval, OpSpec, Outputs};
use crate::types::Fact;

/// An operation whose outputs follow from its bodies, which only the driver sees; on its own it knows nothing of them.
pub(in crate::ops) const OF_BODIES: OpSpec = OpSpec {
    name: "",
    opset: 1,
    inputs: &[],
    attrs: &[],
    outputs: Outputs::FromBodies,
    infer: |cx| Ok(vec![Fact::unknown(); cx.declared_outputs().unwrap_or_default()]),
    eval: Eval::None,
};
