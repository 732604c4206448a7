//! The value that an `Assign` writes, compared with the variable that a `ReadValue` reads.

use crate::diagnostic::{Diagnostic, Direction, Rule, Runtime, Severity};
use crate::ir::{Layer, LayerId, Port, Step, find_attribute, unescape};
use crate::lint::Checked;
use crate::ops::rules::{SHAPE_CONFLICT, TYPE_CONFLICT};
use crate::types::{ElementType, Fact, bare_fact};

/// The facts that the readers of a variable require.
pub(super) struct Variable<'a> {
    checked: &'a Checked<'a>,
    is_old: bool,
    /// One reader per distinct fact; empty if some reader accepts anything.
    kinds: Vec<(LayerId, &'a Fact)>,
}

/// The maximum number of distinct facts; variables with more are not checked.
const KINDS: usize = 64;

impl<'a> Variable<'a> {
    /// Collects the requirements of the given readers.
    ///
    /// A reader of opset6 accepts any fact that could have its type and shape. A reader of opset3 has the type and shape of
    /// its initial value.
    pub(super) fn of(checked: &'a Checked<'a>, is_old: bool, reads: &[LayerId]) -> Self {
        let mut kinds: Vec<(LayerId, &Fact)> = Vec::new();
        for read in reads {
            let reader = checked.scope.graph.layer(*read).filter(|reader| says_what_it_is(checked, reader, is_old));
            let fact = reader.and_then(|_| checked.facts.outputs(*read).first());
            match fact {
                Some(fact) if kinds.iter().any(|(_, known)| is_same(known, fact)) => {}
                Some(fact) if kinds.len() < KINDS => kinds.push((*read, fact)),
                _ => return Self { checked, is_old, kinds: Vec::new() },
            }
        }
        Self { checked, is_old, kinds }
    }

    /// Returns the rule that the fact violates at the first reader, with this reader and its fact; `None` if any reader accepts
    /// the fact. OpenVINO compares shapes of opset3 only if both are static.
    fn refusal(&self, given: &Fact) -> Option<(&'static Rule, LayerId, &'a Fact)> {
        let refuse = |variable: &Fact| {
            if given.ty.merge(variable.ty).is_none() {
                return Some(&TYPE_CONFLICT);
            }
            let is_compared = !self.is_old || are_static(given, variable);
            (is_compared && given.shape.merge(&variable.shape).is_none()).then_some(&SHAPE_CONFLICT)
        };
        let all: Option<Vec<_>> = self.kinds.iter().map(|(read, fact)| Some((refuse(fact)?, *read, *fact))).collect();
        all?.first().copied()
    }

    /// The finding that the variable cannot hold the value written at `write`. OpenVINO is certain to check this on reading only
    /// if the layer `depends` on a reader, and to infer what ovlint infers unless it lacks values somewhere upstream.
    pub(super) fn finding(&self, write: LayerId, depends: impl FnOnce() -> bool) -> Option<Diagnostic> {
        let (checked, graph) = (self.checked, self.checked.scope.graph);
        let layer = graph.layer(write)?;
        let port = graph.inputs(layer).first()?;
        let given = checked.facts.of_port(port)?;
        let (rule, read, variable) = self.refusal(given)?;
        let reader = graph.layer(read)?;
        let source = checked.scope.source;
        let (name, id) = (graph.name(source, layer), find_attribute(source, layer.data, "variable_id"));
        let id = id.map(|id| unescape(source.slice(id.value)).into_owned()).unwrap_or_default();
        let [given_text, variable_text] = [given, variable].map(bare_fact);
        let message = format!("`{name}` writes {given_text} to variable `{id}`, which is {variable_text}");
        let mut finding = checked
            .about(layer, Diagnostic::new(rule, port.tag, message))
            .primary(given_text)
            .label(reader.tag, format!("reads {variable_text}"))
            .port(graph.port_ref(source, layer, Direction::Input, 0));
        let is_static = |port: &Port| checked.facts.of_port(port).is_some_and(|fact| fact.shape.is_static());
        let is_inferred = |layer: &Layer| {
            let reads_values =
                graph.kind(layer).spec().is_none_or(|spec| spec.inputs.iter().any(|one| one.reads_value));
            !reads_values || graph.inputs(layer).iter().all(is_static)
        };
        let step = |layer: &Layer| is_inferred(layer).then_some(Step::Follow);
        let is_known = || port.source().is_some_and(|source| graph.walk_upstream(source, step).is_some());
        if !self.is_old && !depends() || rule == &SHAPE_CONFLICT && !is_known() {
            finding = finding.runtime(Runtime::Unknown);
        }
        if given.assumed || variable.assumed {
            finding = finding.severity(Severity::Warning);
        }
        finding.assumed = given.assumed || variable.assumed;
        Some(finding)
    }
}

/// Whether the output of a reader defines the variable: not in opset6 if it has neither a type nor a shape of its own.
fn says_what_it_is(checked: &Checked, reader: &Layer, is_old: bool) -> bool {
    let source = checked.scope.source;
    let says = |name: &str, nothing: ElementType| {
        find_attribute(source, reader.data, name).is_some_and(|attribute| {
            let text = unescape(source.slice(attribute.value));
            text.trim() != "..." && ElementType::from_data_text(&text) != Some(nothing)
        })
    };
    is_old || says("variable_type", ElementType::Dynamic) || says("variable_shape", ElementType::Dynamic)
}

/// Whether two facts describe the same variable.
fn is_same(a: &Fact, b: &Fact) -> bool {
    (a.ty, &a.shape, a.assumed) == (b.ty, &b.shape, b.assumed)
}

fn are_static(a: &Fact, b: &Fact) -> bool {
    a.shape.is_static() && b.shape.is_static()
}
