//! Where tensors go in and out of the bodies of one layer, for those who follow them.

use super::Wiring;
use crate::diagnostic::Sink;
use crate::infer::explain::Scope;
use crate::infer::plan::Plan;
use crate::ir::{BodyKind, Slice};

/// One body of a layer and how it is connected.
#[derive(Debug)]
pub(crate) struct Doors {
    /// Which body.
    pub kind: BodyKind,
    /// What leads in.
    pub inputs: Vec<Entrance>,
    /// For each output of the layer the place of a Result in the body, and how iterations are put together.
    pub outputs: Vec<(u32, Option<Slice>)>,
}

/// An input of the layer and the Parameter of the body that takes it.
#[derive(Debug)]
pub(crate) struct Entrance {
    /// The position of the input.
    pub external: usize,
    /// The place of the Parameter.
    pub parameter: u32,
    /// How the input is cut.
    pub slice: Option<Slice>,
}

/// The bodies of every layer of a graph that has some, by the place of the layer.
pub(crate) fn doors(scope: &Scope) -> Vec<(u32, Vec<Doors>)> {
    let mut ignored = Sink::new(0);
    let plan = Plan::of(scope, &[], true, &mut ignored);
    let bodies = plan.bodies.into_iter();
    bodies.map(|(place, bodies)| (place, bodies.all.into_iter().map(|b| of(b.kind, b.wiring)).collect())).collect()
}

fn of(kind: BodyKind, wiring: Wiring) -> Doors {
    let entrance =
        |inlet: super::Inlet| Entrance { external: inlet.external, parameter: inlet.parameter, slice: inlet.slice };
    let outputs = wiring.outputs.into_iter().map(|outlet| (outlet.result, outlet.slice)).collect();
    Doors { kind, inputs: wiring.inputs.into_iter().map(entrance).collect(), outputs }
}
