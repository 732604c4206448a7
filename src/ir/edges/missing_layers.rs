//! Findings about edges from or to missing layers: one for each missing layer, regardless of the number of its edges.

use crate::diagnostic::{Diagnostic, Label, Runtime, Sink};
use std::collections::BTreeMap;

/// The maximum number of edges in a finding.
const SHOWN_EDGES: usize = 6;

/// By missing id: the finding, and the number of further edges that name the id.
#[derive(Default)]
pub(in crate::ir) struct DanglingEdges(BTreeMap<u64, (Diagnostic, usize)>);

impl DanglingEdges {
    /// Adds the finding of one edge; `verb` says whether it "starts" or "ends" at layer `id`.
    pub(in crate::ir) fn add(&mut self, id: u64, verb: &str, finding: Diagnostic) {
        let Some((first, more)) = self.0.get_mut(&id) else {
            self.0.insert(id, (finding, 0));
            return;
        };
        *more += 1;
        if finding.runtime != Runtime::Accepts && first.runtime == Runtime::Accepts {
            first.runtime = finding.runtime;
            first.notes.clear(); // They say that OpenVINO ignores the edge, but it does not ignore this one.
        }
        first.builds.extend(finding.builds);
        if *more < SHOWN_EDGES {
            first.labels.push(Label::new(finding.primary.span, format!("this edge {verb} at that layer, too")));
        }
        if finding.fix.is_some() {
            first.help = finding.help;
            first.fix = finding.fix;
            first.labels.extend(finding.labels);
        }
    }

    pub(in crate::ir) fn report(self, sink: &mut Sink) {
        for (id, (mut finding, more)) in self.0 {
            if more >= SHOWN_EDGES {
                finding.notes.push(format!("{} edges name layer {id}", more + 1).into());
            }
            sink.report(finding);
        }
    }
}
