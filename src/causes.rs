//! The search for causes: after lint, links findings of a file to those that they follow from, and adds findings about causes
//! that lint does not see.
//!
//! The findings of lint do not change. Links and amendments are recorded beside them, by the numbers of the findings.

mod alike;
pub(crate) mod blame;
mod body_parameters;
mod by_layer;
mod candidates;
mod const_shapes;
mod constants;
mod counterfactual;
mod crossed;
mod narrowing;
mod port_maps;
mod ports;
mod refusals;
mod shared_bytes;
mod sizes;
mod solve;
mod strays;
mod suspects;
pub(crate) mod wrong_weights;

use crate::diagnostic::Sink;
use crate::ir::Net;
use crate::lint::Checked;
use crate::lint::declared::Declared;
use std::collections::BTreeSet;

/// Links the findings of a file to their causes; `declared` holds the ports that disagree with inference.
pub(crate) fn find(checked: &Checked, net: &Net, declared: &Declared, sink: &mut Sink) {
    if !checked.options.no_infer {
        of_shapes(checked, net, declared, sink);
    }
    alike::find(checked.scope.source, sink);
}

/// Links the findings about shapes. Later steps use the links of earlier ones.
fn of_shapes(checked: &Checked, net: &Net, declared: &Declared, sink: &mut Sink) {
    let mut wrong_edges = BTreeSet::new();
    // The ports declare what follows from the input shapes in the file: with other input shapes, they are no evidence.
    if !checked.options.is_reshaped {
        ports::find(checked, declared, sink);
        crossed::find(checked, declared, sink);
        wrong_edges = strays::find(checked, net, declared, sink);
    }
    wrong_weights::check(checked, &wrong_edges, sink);
    port_maps::find(sink);
    body_parameters::find(checked, sink);
    if !checked.options.is_reshaped {
        suspects::find(checked, net, declared, sink);
    }
    constants::find(checked, sink);
    if !checked.options.is_reshaped {
        const_shapes::find(checked, net, declared, &wrong_edges, sink);
        blame::find(checked, net, declared, &wrong_edges, sink);
        narrowing::find(checked, net, declared, sink);
    }
    sizes::find(checked, declared, sink);
    refusals::find(checked, sink);
}
