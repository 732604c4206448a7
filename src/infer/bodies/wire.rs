//! Resolution of port maps and back edges to the Parameters and Results of bodies, when a graph is planned. Reports all faults
//! in them that do not depend on shapes, and missing bodies.

use super::ends::Ends;
use super::kinds;
use super::rules::{BAD_BACK_EDGE, BAD_PORT_MAP, MISSING_BODY, NESTED_TENSOR_ITERATOR};
use super::wiring::{BodyInput, BodyOutput, BodyWiring, may_skip_a_branch, written};
use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, Direction, Refusal, Rule, Runtime, Severity, Sink};
use crate::infer::scope::{Scope, body_path};
use crate::ir::{Body, BodyKind, Layer, LayerId, PortMapEntry, Role, unescape};
use crate::limits::DEEPEST_BODIES;
use crate::ops::WithBodies;
use crate::source::Span;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// The resolver for the port maps and back edges of one layer.
pub(in crate::infer) struct Wirer<'a, 's> {
    pub scope: &'a Scope<'a>,
    pub layer: &'a Layer,
    pub op: Option<WithBodies>,
    /// False once a fault is found that keeps OpenVINO from connecting the bodies.
    pub is_wired: bool,
    pub sink: &'s mut Sink,
}

impl<'a> Wirer<'a, '_> {
    /// Reports bodies that the operation needs and the layer lacks.
    pub(in crate::infer) fn report_missing_bodies(&mut self) {
        let (Some(op), subgraph) = (self.op, self.layer.subgraph.as_ref()) else { return };
        let has = |kind: BodyKind| subgraph.is_some_and(|subgraph| subgraph.body(kind).is_some());
        let missing: Vec<String> =
            kinds(op).iter().filter(|kind| !has(**kind)).map(|kind| format!("<{}>", kind.name())).collect();
        self.is_wired = missing.is_empty();
        // The reader drops bodies that are nested too deeply and reports that.
        if !self.is_wired && self.scope.body.len() < self.scope.limits.bodies.min(DEEPEST_BODIES) {
            let name = self.scope.graph.kind(self.layer).spec().map(|spec| spec.name).unwrap_or_default();
            let message = format!("{name} `{}` has no {}", self.name(), missing.join(" and no "));
            self.report(Diagnostic::new(&MISSING_BODY, self.layer.tag, message).refused(Refusal::NoBody));
        }
    }

    /// Reports a TensorIterator nested directly in the body of this one.
    pub(in crate::infer) fn report_nested(&mut self, inner: &Scope, layer: &Layer) {
        let name = inner.graph.name(inner.source, layer);
        let message =
            format!("TensorIterator `{name}` is directly inside the body of TensorIterator `{}`", self.name());
        let finding = Diagnostic::new(&NESTED_TENSOR_ITERATOR, layer.tag, message).refused(Refusal::Nested);
        self.report(inner.about(layer, finding.help("a Loop may contain any layer")));
    }

    /// Resolves the port map and the back edges of a body.
    pub(in crate::infer) fn wire(&mut self, body: &Body) -> BodyWiring {
        let Some(op) = self.op else { return BodyWiring::default() };
        let ends = Ends::of(body);
        let mut wiring = BodyWiring::default();
        self.inputs(op, &ends, &mut wiring);
        self.outputs(op, &ends, &mut wiring);
        if op != WithBodies::If {
            self.report_unmapped_inputs(op, &wiring);
            self.report_unused_back_edges(&ends, &wiring);
        }
        self.report_unfed_parameters(&ends, &wiring);
        wiring
    }

    /// Returns the port map entries of a body, the first of each port number. OpenVINO ignores further ones, which are
    /// reported.
    fn entries<K: Ord>(
        &mut self,
        ends: &Ends,
        direction: Direction,
        key: fn(i64) -> K,
    ) -> impl Iterator<Item = (i64, &'a PortMapEntry)> + use<'a, K> {
        let mut by_port: BTreeMap<K, (i64, &PortMapEntry)> = BTreeMap::new();
        for entry in self.layer.subgraph.iter().flat_map(|subgraph| &subgraph.port_map) {
            if entry.body != ends.body.kind || entry.direction != direction {
                continue;
            }
            let Some(port) = entry.external_port else {
                self.is_wired = false; // The reader reported it.
                continue;
            };
            match by_port.entry(key(port)) {
                Entry::Vacant(vacant) => {
                    vacant.insert((port, entry));
                }
                Entry::Occupied(first) => self.report_mapped_twice(port, entry, first.get().1.tag),
            }
        }
        by_port.into_values()
    }

    fn inputs(&mut self, op: WithBodies, ends: &Ends, wiring: &mut BodyWiring) {
        let inputs = self.scope.graph.inputs(self.layer).len();
        let back_edges = self.first_back_edges();
        // OpenVINO sorts the entries by their ports as unsigned numbers, so that -1 comes last.
        for (port, entry) in self.entries(ends, Direction::Input, i64::cast_unsigned) {
            let counts = op == WithBodies::Loop && self.purpose(entry) == "current_iteration";
            let edge = entry.internal_layer.and_then(|id| back_edges.get(&id)).filter(|_| entry.slice.is_none());
            let edge = edge.filter(|_| op != WithBodies::If);
            if port < 0 && entry.slice.is_none() && edge.is_none() && !counts {
                self.report_ignored(entry);
                continue;
            }
            let parameter = self.resolve_end(entry, ends, Role::Parameter);
            if counts {
                wiring.iteration = parameter;
                if port < 0 && edge.is_none() && entry.slice.is_none() {
                    continue;
                }
            }
            let back = edge.and_then(|(from, tag)| self.back_edge(*from, *tag, ends));
            match (usize::try_from(port).ok().filter(|port| *port < inputs), parameter) {
                (None, Some(parameter)) if counts && port == -1 && edge.is_some() => {
                    self.report_counter_with_back_edge(entry, edge.map(|(_, tag)| *tag), ends, parameter);
                }
                (None, _) => self.report_no_such_input(entry, port, inputs),
                (Some(external), Some(parameter)) => {
                    if counts {
                        self.report_counter_with_input(entry, port);
                    }
                    if let Some(other) = wiring.inputs.iter().find(|other| other.parameter == parameter) {
                        self.report_fed_twice(entry, other.tag, ends, parameter);
                    }
                    wiring.inputs.push(BodyInput { tag: entry.tag, external, parameter, slice: entry.slice, back });
                }
                (Some(_), None) => {}
            }
        }
    }

    fn outputs(&mut self, op: WithBodies, ends: &Ends, wiring: &mut BodyWiring) {
        let ports = self.scope.graph.outputs(self.layer);
        let ports: BTreeSet<i64> = ports.iter().filter_map(|port| i64::try_from(port.id?.get()).ok()).into_set();
        let mut ignored = None;
        for (port, entry) in self.entries(ends, Direction::Output, |port| port) {
            let decides = op == WithBodies::Loop && self.purpose(entry) == "execution_condition";
            if port < 0 && !decides {
                ignored = Some(entry);
                continue;
            }
            let result = self.resolve_end(entry, ends, Role::Result);
            if decides {
                wiring.condition = result;
            }
            if port < 0 {
                continue;
            }
            wiring.outputs.extend(result.map(|result| BodyOutput { tag: entry.tag, result, slice: entry.slice }));
            if result.is_some() && !ports.contains(&port) {
                let message = format!("`external_port_id` {port} is not an output port of `{}`", self.name());
                let finding = self.at(&BAD_PORT_MAP, entry.tag, "external_port_id", message).runtime(Runtime::Accepts);
                self.report(finding.note("outputs are told apart by the order of these numbers, not by the port ids"));
            }
        }
        let lacks_condition = op == WithBodies::Loop && wiring.condition.is_none() && self.is_wired;
        match ignored {
            _ if lacks_condition => self.report_no_condition(ignored),
            Some(entry) => self.report_ignored(entry),
            None => {}
        }
    }

    fn report_mapped_twice(&mut self, port: i64, entry: &PortMapEntry, first: Span) {
        let message = format!("`external_port_id` {port} is mapped twice; OpenVINO takes the first");
        let mut finding =
            self.at(&BAD_PORT_MAP, entry.tag, "external_port_id", message).label(first, "this one is taken");
        if port < 0 {
            finding = finding.severity(Severity::Warning);
        }
        self.report(finding.runtime(Runtime::Accepts));
    }

    /// Finds the Parameter or Result that an entry names.
    fn resolve_end(&mut self, entry: &PortMapEntry, ends: &Ends, role: Role) -> Option<LayerId> {
        let Some(id) = entry.internal_layer else {
            self.is_wired = false; // The reader reported it.
            return None;
        };
        let index = ends.find(id, role);
        if index.is_none() {
            let message = format!("`internal_layer_id` {id} is not a {role:?} of the <{}>", ends.body.kind.name());
            let finding = self.at(&BAD_PORT_MAP, entry.tag, "internal_layer_id", message);
            self.report(ends.explain(finding, id, role));
        }
        index
    }

    fn report_no_such_input(&mut self, entry: &PortMapEntry, port: i64, inputs: usize) {
        let wanted = match inputs {
            0 => "which has no inputs".to_owned(),
            _ => format!("wanted 0..{}", inputs - 1),
        };
        let message = format!("`external_port_id` {port} is not an input of `{}`, {wanted}", self.name());
        let finding = self.at(&BAD_PORT_MAP, entry.tag, "external_port_id", message);
        let may_skip = self.op == Some(WithBodies::If) && may_skip_a_branch(self.scope.graph, self.layer);
        let runtime = if may_skip { Runtime::Unknown } else { Runtime::Rejects };
        self.report(
            finding
                .runtime(runtime)
                .note("inputs are counted from 0 in the order of their ports, whatever the ids of the ports are"),
        );
    }

    /// Reports a back edge to the Parameter that counts the iterations, at the end that is likelier to be wrong.
    fn report_counter_with_back_edge(
        &mut self,
        entry: &PortMapEntry,
        edge: Option<Span>,
        ends: &Ends,
        counter: LayerId,
    ) {
        let (Some(edge), Some(parameter)) = (edge, ends.body.graph.layer(counter)) else { return };
        let name = ends.body.graph.name(self.scope.source, parameter);
        let mut entries = self.layer.subgraph.iter().flat_map(|subgraph| &subgraph.port_map);
        let is_fed = entries.any(|other| {
            (other.body, other.direction) == (entry.body, entry.direction)
                && other.internal_layer == entry.internal_layer
                && other.tag != entry.tag
        });
        let message = format!("`{name}` counts the iterations, so no back edge may lead to it");
        self.report(if is_fed {
            self.at(&BAD_PORT_MAP, entry.tag, "internal_layer_id", message).label(edge, "the back edge")
        } else {
            self.at(&BAD_BACK_EDGE, edge, "to-layer", message).label(entry.tag, "this makes it count")
        });
    }

    /// Reports a second input for a Parameter.
    fn report_fed_twice(&mut self, entry: &PortMapEntry, first: Span, ends: &Ends, parameter: LayerId) {
        let Some(parameter) = ends.body.graph.layer(parameter) else { return };
        let name = ends.body.graph.name(self.scope.source, parameter);
        let message = format!("two inputs lead to Parameter `{name}` of the <{}>, wanted one", ends.body.kind.name());
        let finding = self.at(&BAD_PORT_MAP, entry.tag, "internal_layer_id", message);
        let finding = finding.severity(Severity::Warning).runtime(Runtime::Accepts);
        self.report(finding.label(first, "the other input"));
    }

    /// Reports a counter of iterations that an input of the layer feeds, too. OpenVINO reads it and compiles few of them.
    fn report_counter_with_input(&mut self, entry: &PortMapEntry, port: i64) {
        let message = format!("the counter of iterations takes no input, `external_port_id` is {port}, wanted -1");
        let finding = self.at(&BAD_PORT_MAP, entry.tag, "external_port_id", message);
        self.report(finding.runtime(Runtime::Unknown));
    }

    /// Reports an entry without a port or a known purpose.
    fn report_ignored(&mut self, entry: &PortMapEntry) {
        let purpose = self.purpose(entry);
        let finding = if purpose.is_empty() {
            let message = "an entry without a port of the layer is ignored".to_owned();
            self.at(&BAD_PORT_MAP, entry.tag, "external_port_id", message).severity(Severity::Warning)
        } else {
            let message = format!("`purpose=\"{purpose}\"` means nothing here, so the entry is ignored");
            let known = match entry.direction {
                Direction::Input => "current_iteration",
                Direction::Output => "execution_condition",
            };
            self.at(&BAD_PORT_MAP, entry.tag, "purpose", message).help(format!("a Loop knows `{known}`"))
        };
        self.report(finding.runtime(Runtime::Accepts));
    }

    /// Reports a Loop without a condition, for which OpenVINO creates only the first output.
    fn report_no_condition(&mut self, entry: Option<&PortMapEntry>) {
        let graph = self.scope.graph;
        let leads_on = |index: LayerId| graph.dag.edges(index.node()).any(|edge| edge.weight().output > 0);
        let is_rejected = graph.layer_at(self.layer.tag.start).is_some_and(leads_on);
        let message = "no output of the body is the execution condition of the Loop";
        let finding = match entry {
            Some(entry) => self.at(&BAD_PORT_MAP, entry.tag, "purpose", message.to_owned()),
            None => Diagnostic::new(&BAD_PORT_MAP, self.layer.tag, message),
        };
        let finding = finding.runtime(if is_rejected { Runtime::Rejects } else { Runtime::NotCompiled });
        self.report(finding.help("map a Result with `external_port_id=\"-1\" purpose=\"execution_condition\"`"));
    }

    fn report_unmapped_inputs(&mut self, op: WithBodies, wiring: &BodyWiring) {
        if !self.is_wired {
            return;
        }
        let first = if op == WithBodies::Loop { 2 } else { 0 };
        let mapped: BTreeSet<usize> = wiring.inputs.iter().map(|inlet| inlet.external).into_set();
        // OpenVINO counts only connected inputs, so the verdict is certain only if all are connected.
        let is_counted = self.scope.graph.inputs(self.layer).iter().all(|port| port.source().is_some());
        let runtime = if is_counted { Runtime::Rejects } else { Runtime::Unknown };
        for (i, port) in self.scope.graph.inputs(self.layer).iter().enumerate().skip(first) {
            if !mapped.contains(&i) {
                let message = format!("input {i} of `{}` is in no <input> of the port map", self.name());
                let reference = self.scope.graph.port_ref(self.scope.source, self.layer, Direction::Input, i);
                self.report(Diagnostic::new(&BAD_PORT_MAP, port.tag, message).port(reference).runtime(runtime));
            }
        }
    }

    fn report_unfed_parameters(&mut self, ends: &Ends, wiring: &BodyWiring) {
        if !self.is_wired {
            return;
        }
        let fed: BTreeSet<LayerId> =
            wiring.inputs.iter().map(|inlet| inlet.parameter).chain(wiring.iteration).into_set();
        let entries = self.layer.subgraph.iter().flat_map(|subgraph| &subgraph.port_map);
        let inputs = entries.filter(|entry| entry.body == ends.body.kind && entry.direction == Direction::Input);
        let named: BTreeSet<u64> = inputs.filter_map(|entry| entry.internal_layer).into_set();
        for index in ends.of_role(Role::Parameter).filter(|index| !fed.contains(index)) {
            let Some(parameter) = ends.body.graph.layer(index) else { continue };
            // The entry that names it is reported.
            if parameter.id.is_some_and(|id| named.contains(&id.get())) {
                continue;
            }
            let name = ends.body.graph.name(self.scope.source, parameter);
            let message =
                format!("Parameter `{name}` of the <{}> is in no <input> of the port map", ends.body.kind.name());
            let mut finding = Diagnostic::new(&BAD_PORT_MAP, parameter.tag, message).severity(Severity::Warning);
            finding = finding.layer(ends.body.graph.layer_ref(self.scope.source, parameter));
            finding.body = body_path(self.scope, self.layer, ends.body.kind);
            self.report(finding.runtime(Runtime::Accepts).note("it keeps the shape that it declares"));
        }
    }

    fn name(&self) -> String {
        self.scope.graph.name(self.scope.source, self.layer).into_owned()
    }

    fn purpose(&self, entry: &PortMapEntry) -> String {
        unescape(self.scope.source.slice(entry.purpose)).into_owned()
    }

    /// Creates a finding at an attribute of a port map tag.
    pub(super) fn at(&self, rule: &'static Rule, tag: Span, attribute: &str, message: String) -> Diagnostic {
        Diagnostic::new(rule, written(self.scope, tag, attribute), message)
    }

    pub(super) fn report(&mut self, finding: Diagnostic) {
        let is_own = finding.body.is_empty();
        let mut finding = if is_own { self.scope.about(self.layer, finding) } else { finding };
        if finding.primary.span != self.layer.tag {
            let ty = &self.scope.graph.kind(self.layer).ty;
            finding = finding.label(self.layer.tag, format!("in this {ty} layer"));
        }
        if finding.severity == Severity::Error && !finding.runtime.reads() {
            self.is_wired = false;
        }
        self.sink.report(finding);
    }
}
