//! The parameters of an inference besides the file: other input shapes, facts to assume, the extent of values, the start of
//! symbols, and the order of layers.

use super::order::By;
use super::plan::Plan;
use super::supposed::Supposed;
use crate::ir::LayerId;
use crate::ops::apply::Extent;
use crate::ops::extension::ExtensionOps;
use crate::types::PartialShape;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The parameters of an inference, in addition to the file.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Terms<'s> {
    /// Shapes of Parameters that replace the declared ones.
    pub shapes: Option<&'s BTreeMap<LayerId, PartialShape>>,
    /// Output shapes that the user states for extension operations, which ovlint cannot infer.
    pub extension_ops: Option<&'s ExtensionOps>,
    /// The plan of the file, if there is one already.
    pub plan: Option<&'s Arc<Plan>>,
    /// The extent of value propagation: full, or only as far as OpenVINO propagates values.
    pub extent: Extent,
    /// Whether OpenVINO is taken to know only what the ports declare of outputs that depend on unknown values.
    pub is_doubtful: bool,
    /// Facts to assume in place of those in the file.
    pub supposed: Option<&'s Supposed>,
    /// The point at which symbolic recording starts.
    pub symbolic: Symbolic,
    /// The order of layers, unless there is a plan.
    pub by: By,
}

/// The point at which symbolic recording starts. It expresses dimensions in terms of the dimensions of the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Symbolic {
    #[default]
    Never,
    /// From the first input or state with a dynamic dimension on. The facts are the same as with `Never`.
    IfDynamic,
    /// From the start. Dimensions that depend on data get symbols as well.
    Always,
}
