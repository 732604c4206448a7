//! Findings about port ids that are duplicate or out of order.

use super::resolve::sorted_ids;
use crate::diagnostic::{Applicability, Diagnostic, Direction, Edit, Fix, Runtime, Sink};
use crate::ir::rules::{DUPLICATE_PORT_ID, PORT_ORDER};
use crate::ir::xml::attributes::find_attribute;
use crate::ir::{Graph, LayerId, Port};
use crate::source::{Source, Span};
use std::collections::BTreeMap;

/// By layer and side: if ports there share an id, a missing port that an edge names, and the layers that need it.
pub(super) type MissingPorts = BTreeMap<(LayerId, Direction), Option<(u64, Vec<Span>)>>;

/// Reports ports that share an id or are out of order.
pub(in crate::ir) fn report(graph: &Graph, source: &Source, missing: &MissingPorts, sink: &mut Sink) {
    for (i, layer) in graph.entries() {
        for direction in [Direction::Input, Direction::Output] {
            let ports = graph.ports(layer, direction);
            if ports.is_sorted_by(|a, b| a.id < b.id) {
                continue;
            }
            let name = graph.name(source, layer);
            let about = |index| graph.port_ref(source, layer, direction, index);
            let finding = if let Some((first, second, id)) = first_duplicate(ports) {
                let message = format!("port id {id} appears twice in `{name}`");
                let finding = Diagnostic::new(&DUPLICATE_PORT_ID, ports[second].tag, message)
                    .label(ports[first].tag, "all edges connect to this port")
                    .port(about(second));
                match missing.get(&(i, direction)) {
                    Some(Some((missing, builds))) => {
                        let meant = &ports[if *missing < id { first } else { second }];
                        let mut finding = finding
                            .runtime(Runtime::Rejects)
                            .note(format!("an edge refers to port {missing}, which does not exist"));
                        finding.builds.clone_from(builds);
                        finding.fix = find_attribute(source, meant.tag, "id").map(|id| Fix {
                            applicability: Applicability::Unsafe,
                            message: format!("change the id to {missing}").into(),
                            edits: vec![Edit { span: id.value, text: missing.to_string() }],
                        });
                        finding
                    }
                    _ => finding,
                }
            } else if ports.iter().all(|port| port.id.is_some()) {
                let index = ports.windows(2).position(|pair| pair[0].id > pair[1].id).unwrap_or(0);
                Diagnostic::new(&PORT_ORDER, ports[index + 1].tag, format!("port ids of `{name}` are not ascending"))
                    .label(ports[index].tag, "this port comes before it")
                    .note("OpenVINO goes by the position of ports, not by their ids")
                    .port(about(index + 1))
            } else {
                continue;
            };
            sink.report(finding.layer(graph.layer_ref(source, layer)));
        }
    }
}

/// Finds the first port with the id of an earlier port: the indices of both, and the id.
pub(in crate::ir) fn first_duplicate(ports: &[Port]) -> Option<(usize, usize, u64)> {
    let order = sorted_ids(ports);
    let equal = order.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    equal.map(|pair| (pair[0].1 as usize, pair[1].1 as usize, pair[0].0)).min_by_key(|(_, second, _)| *second)
}
