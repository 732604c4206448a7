//! Rules about bodies and how they are connected.

use crate::diagnostic::{Group, Rule};

const fn body_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Graph, name, summary, explain)
}

pub(crate) static BAD_PORT_MAP: Rule = body_rule(
    "bad-port-map",
    "a port map does not connect a body to its layer",
    "An `<input>` of a port map leads from an input of the layer, counted from 0, to a Parameter of the body; an \
     `<output>` from a Result of the body to an output port of the layer. `start`, `end`, `stride` and `part_size` \
     say how a tensor is cut along `axis`.\n\n\
     Ids must exist, slices must lie inside the tensor, and outputs must be in order. All entries of a TensorIterator \
     must cut their tensors into the same number of slices, and a Loop needs one slice for each iteration.",
);

pub(crate) static BAD_BACK_EDGE: Rule = body_rule(
    "bad-back-edge",
    "a back edge does not lead from a Result to a Parameter of the same type and shape",
    "A back edge passes the value of a Result of the body to a Parameter in the next iteration. It refers to both by id.\n\n\
     The two must have the same type, and shapes that agree.",
);

pub(crate) static MISSING_BODY: Rule = body_rule(
    "missing-body",
    "a layer lacks its body",
    "TensorIterator and Loop need a `<body>`, If a `<then_body>` and an `<else_body>`.",
);

pub(crate) static NESTED_TENSOR_ITERATOR: Rule = body_rule(
    "nested-tensor-iterator",
    "a TensorIterator is directly inside the body of another one",
    "A TensorIterator must not be directly inside the body of another TensorIterator. It may be inside an If or a Loop.",
);
