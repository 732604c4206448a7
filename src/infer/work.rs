//! What inference found so far, and how much of it a file may still ask for.

use crate::diagnostic::Diagnostic;
use crate::ir::Graph;
use crate::limits::{LIMIT_EXCEEDED, Limits};

/// The findings of an inference and what is left of its allowance.
pub(super) struct Work {
    pub(super) findings: Vec<Diagnostic>,
    /// The layers that may still be inferred inside bodies; `None` once that was too few.
    left: Option<usize>,
}

impl Work {
    /// The allowance for a graph: `Limits::body_layers`, or more where it has many layers.
    pub(super) fn of(graph: &Graph, limits: &Limits) -> Self {
        let usual = graph.layer_count().saturating_mul(limits.rounds);
        Self { findings: Vec::new(), left: Some(usual.max(limits.body_layers)) }
    }

    /// Takes the layers of a body from what is left; whether there was enough.
    pub(super) fn spend(&mut self, body: &Graph) -> bool {
        let Some(left) = self.left else { return false };
        self.left = left.checked_sub(body.layers.len() + 1);
        if self.left.is_none() {
            let message = "bodies are inferred too often: loops in loops do not settle";
            let finding = Diagnostic::new(&LIMIT_EXCEEDED, body.tag, message);
            self.findings.push(finding.help("raise the limit with --max-body-layers"));
        }
        self.left.is_some()
    }

    /// Whether the allowance was too small.
    pub(super) fn is_spent(&self) -> bool {
        self.left.is_none()
    }
}
