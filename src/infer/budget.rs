//! The budget of one inference in dimensions, elements and layers of bodies. A small file can ask for arbitrarily many; what
//! does not fit stays unknown and is reported.

use crate::diagnostic::{Diagnostic, LIMIT_EXCEEDED, Severity};
use crate::ir::Graph;
use crate::limits::{Limits, ROUNDS};
use crate::source::Span;
use crate::types::Fact;

/// The remaining budget of one inference.
#[derive(Debug)]
pub(super) struct Budget {
    kept: usize,
    work: usize,
    is_reported: bool,
    full: bool,
    /// The number of layers that may still be inferred inside bodies; `None` once a body did not fit.
    body_layers: Option<usize>,
    /// The part of `body_layers` reserved for mandatory runs of bodies; optional runs must not use it.
    reserve: usize,
}

/// The part of a layer's outputs that fits the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Everything,
    /// Shapes without elements.
    Shapes,
    /// Neither shapes nor elements.
    Nothing,
}

/// The fixed cost of a fact, in cells: a cell is the cost of one dimension or one element.
const FACT: usize = 6;

/// Returns the cost of one output in cells: its dimensions and elements, and the fixed cost.
fn cells(fact: &Fact) -> usize {
    FACT + fact.rank().unwrap_or(0) + elements(fact)
}

fn elements(fact: &Fact) -> usize {
    fact.value.as_deref().map_or(0, crate::types::Value::len)
}

impl Budget {
    /// Creates the budget for a file with `layers` layers.
    pub(super) fn new(limits: &Limits, layers: usize) -> Self {
        let body_layers = limits.body_layers.max(layers.saturating_mul(ROUNDS));
        let (kept, work, reserve) = (limits.inferred, limits.work, body_layers / 2);
        Self { kept, work, is_reported: false, full: false, body_layers: Some(body_layers), reserve }
    }

    /// Charges the layers of a body; false if too few are left.
    pub(super) fn charge_body(&mut self, body: &Graph) -> bool {
        self.body_layers = self.body_layers.and_then(|left| left.checked_sub(body.layers.len() + 1));
        self.body_layers.is_some()
    }

    /// Whether enough is left for an optional run of a body.
    pub(super) fn affords(&self, body: &Graph) -> bool {
        self.body_layers.is_some_and(|left| left > self.reserve.saturating_add(body.layers.len()))
    }

    /// Returns the finding for a body that did not fit.
    pub(super) fn unsettled(body: &Graph) -> Diagnostic {
        let message = "the shapes in loops inside loops do not settle soon enough; they stay unknown";
        Diagnostic::new(&LIMIT_EXCEEDED, body.tag, message).help("raise the limit with --max-body-layers")
    }

    /// Whether a body did not fit.
    pub(super) fn is_spent(&self) -> bool {
        self.body_layers.is_none()
    }

    /// Returns the cells that may still be kept.
    pub(super) fn remaining(&self) -> usize {
        self.kept
    }

    /// Returns the cells of dropped facts to the budget.
    pub(super) fn refund(&mut self, cells: usize) {
        self.kept = self.kept.saturating_add(cells);
    }

    /// Whether elements are still evaluated.
    pub(super) fn has_values(&self) -> bool {
        self.work > 0
    }

    /// Charges the elements of a layer's inputs; false for the call that exhausts the work budget.
    pub(super) fn charge_reads<'f>(&mut self, inputs: impl Iterator<Item = &'f Fact>) -> bool {
        let had_work = self.work > 0;
        self.work = inputs.map(elements).fold(self.work, usize::saturating_sub);
        self.work > 0 || !had_work
    }

    /// Charges the outputs of a layer, and first removes from them what does not fit.
    pub(super) fn charge_outputs(&mut self, outputs: &mut [Fact]) -> Kept {
        let made: usize = outputs.iter().map(elements).sum();
        self.work = self.work.saturating_sub(made);
        let size: usize = outputs.iter().map(cells).sum();
        if size <= self.kept {
            self.kept -= size;
            return Kept::Everything;
        }
        for output in &mut *outputs {
            output.value = None;
        }
        let size: usize = outputs.iter().map(cells).sum();
        if size <= self.kept {
            self.kept -= size;
            return Kept::Shapes;
        }
        outputs.fill(Fact { assumed: true, ..Fact::unknown() });
        self.full = true;
        Kept::Nothing
    }

    /// Whether shapes no longer fit, so that layers with a variable number of outputs are not worth inferring.
    pub(super) fn is_full(&self) -> bool {
        self.full
    }

    /// Returns the finding for an exceeded budget, once.
    pub(super) fn exceeded(&mut self, at: Span, limits: &Limits) -> Option<Diagnostic> {
        if std::mem::replace(&mut self.is_reported, true) {
            return None;
        }
        let (what, limit, flag) = if self.work == 0 {
            ("elements that inference looks at", limits.work, "--max-work")
        } else {
            ("dimensions and elements that inference keeps", limits.inferred, "--max-inferred")
        };
        let message = format!("{what} exceed the limit of {limit}; from here on some stay unknown");
        let finding = Diagnostic::new(&LIMIT_EXCEEDED, at, message).help(format!("raise the limit with {flag}"));
        Some(finding.severity(Severity::Warning))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::PartialShape;

    fn facts(text: &[&str]) -> Vec<Fact> {
        text.iter().map(|text| text.parse().unwrap()).collect()
    }

    #[test]
    fn values_go_first_and_shapes_next() {
        let limits = Limits { inferred: 20, work: 20, ..Limits::default() };
        let mut budget = Budget::new(&limits, 1);
        let mut all = facts(&["i64[3] = 1,2,3"]);
        assert_eq!(budget.charge_outputs(&mut all), Kept::Everything);
        assert_eq!(all, facts(&["i64[3] = 1,2,3"]));
        let mut all = facts(&["i64[14] = 1,2,3,4,5,6,7,8,9,10,11,12,13,14"]);
        assert_eq!(budget.charge_outputs(&mut all), Kept::Shapes);
        assert_eq!(all, facts(&["i64[14]"]));
        let mut all = facts(&["f32[2,3]", "f32[2,3]"]);
        assert_eq!(budget.charge_outputs(&mut all), Kept::Nothing);
        assert_eq!((&all[0].shape, all[0].assumed), (&PartialShape::UNKNOWN, true));
    }

    #[test]
    fn work_ends_once_and_is_reported_once() {
        let limits = Limits { work: 4, ..Limits::default() };
        let mut budget = Budget::new(&limits, 1);
        let inputs = facts(&["i64[3] = 1,2,3"]);
        assert!(budget.charge_reads(inputs.iter()));
        assert!(!budget.charge_reads(inputs.iter()) && !budget.has_values());
        assert!(budget.charge_reads(inputs.iter()), "values are gone by then");
        assert!(budget.exceeded(Span::default(), &limits).is_some());
        assert!(budget.exceeded(Span::default(), &limits).is_none());
    }
}
