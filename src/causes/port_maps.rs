//! Links of port-map and back-edge faults to their causes: a duplicate layer id in the body, or a faulty port of the layer that
//! owns the body (the host). A wrong number of outputs is linked to a faulty port map.

use crate::arrange::Fill;
use crate::diagnostic::{Diagnostic, FindingId, Severity, Sink};
use crate::infer::bodies::rules::{BAD_BACK_EDGE, BAD_PORT_MAP};
use crate::ir::rules::{DUPLICATE_LAYER_ID, DUPLICATE_PORT_ID, EDGE_UNKNOWN_PORT, INPUT_NOT_CONNECTED};
use crate::ops::rules::WRONG_OUTPUT_COUNT;
use crate::source::Span;
use std::collections::BTreeMap;

/// Links faults of port maps to those of the layers and ports that they name, and wrong numbers of outputs to faults of port
/// maps.
pub(super) fn find(sink: &mut Sink) {
    let is_of_map = |finding: &Diagnostic| [&BAD_PORT_MAP, &BAD_BACK_EDGE].contains(&finding.rule);
    if !sink.findings().iter().any(is_of_map) {
        return;
    }
    let uncaused = || {
        sink.numbered().filter(|(id, finding)| {
            sink.cause(*id).is_none() && finding.severity >= Severity::Warning && finding.layer.is_some()
        })
    };
    let port_rules = [&DUPLICATE_PORT_ID, &EDGE_UNKNOWN_PORT, &INPUT_NOT_CONNECTED];
    // Both maps: start tag of the host -> its first fault, and the first fault in its body.
    let (mut hosts, mut bodies) = (BTreeMap::new(), BTreeMap::new());
    for (id, finding) in uncaused().filter(|(_, finding)| finding.severity == Severity::Error) {
        let Some(layer) = finding.layer.as_ref().filter(|_| port_rules.contains(&finding.rule)) else { continue };
        hosts.entry(layer.span).or_insert(id);
    }
    for (id, finding) in uncaused().filter(|(_, finding)| finding.rule == &DUPLICATE_LAYER_ID) {
        let Some(body) = finding.body.last() else { continue };
        bodies.entry(body.tag).or_insert(id);
    }
    let mut follows: Vec<(FindingId, FindingId)> = Vec::new();
    for (map_fault, finding) in uncaused().filter(|(_, finding)| is_of_map(finding)) {
        let Some(host) = &finding.layer else { continue };
        let inside = || bodies.get(&host.span);
        follows.extend(hosts.get(&host.span).or_else(inside).map(|root| (map_fault, *root)));
    }
    let wrong_maps: BTreeMap<Span, FindingId> = uncaused()
        .filter(|(_, finding)| finding.rule == &BAD_PORT_MAP && finding.severity == Severity::Error)
        .filter_map(|(id, finding)| Some((finding.layer.as_ref()?.span, id)))
        .into_map();
    for (count_fault, finding) in uncaused().filter(|(_, finding)| finding.rule == &WRONG_OUTPUT_COUNT) {
        let map = finding.layer.as_ref().and_then(|layer| wrong_maps.get(&layer.span));
        follows.extend(map.map(|map| (count_fault, *map)));
    }
    for (finding, cause) in follows {
        sink.follow(finding, cause);
    }
}
