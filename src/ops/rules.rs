//! Rules that several operations share.

use crate::diagnostic::{Applicability, Doubt, Group, Rule, Runtime, Severity};

const fn shape_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Shapes, name, summary, explain)
}

pub(crate) static AXIS_RANGE: Rule = shape_rule(
    "axis-range",
    "an axis is out of range for its tensor",
    "An axis must lie in -rank..rank-1 of the tensor it indexes; a scalar has none.\n\n\
     The constant behind the axis is shown with its bytes: an axis that makes no sense at all usually means that the \
     .bin belongs to another .xml.\n\n\
     Fix the constant or the attribute, or reconnect the input that lost a dimension.",
)
.fixed(Applicability::Unsafe);

pub(crate) static INDEX_TYPE: Rule = shape_rule(
    "index-type",
    "an index input must be of an integer type",
    "Axes, lengths, target shapes and other inputs that are used as counts or indices must hold integers. Computed \
     booleans are reported as a warning if OpenVINO accepts them.\n\n\
     Insert a Convert before the input, or store the constant as i64.",
)
.doubt(Doubt::Numbers);

pub(crate) static FLOAT_INDEX: Rule = shape_rule(
    "float-index",
    "an index input holds floating-point numbers",
    "The specification requires integers here. OpenVINO truncates the values, so 3.7 becomes 3.\n\n\
     Store the constant as i64.",
)
.accepted(Severity::Warning);

pub(crate) static INDEX_RANGE: Rule = shape_rule(
    "index-range",
    "an index lies outside the data",
    "Along an axis of length n, Gather, GatherElements and GatherND accept indices from -n to n - 1.\n\n\
     Correct the index, or the shape of the data: often a dimension was dropped upstream of a Gather that reads the result \
     of a ShapeOf.",
)
.accepted(Severity::Warning)
.doubt(Doubt::Indices);

pub(crate) static NEEDS_CONSTANT: Rule = shape_rule(
    "needs-constant",
    "an input must be a constant here",
    "This input must come from a Const layer or a subgraph of constants.\n\n\
     Store the value in the file instead of computing it from the model's inputs.",
);

pub(crate) static NEEDS_TYPE: Rule = shape_rule(
    "needs-type",
    "the element type of an input must be known here",
    "The element type of this input must be known while the file is read; `dynamic` is not enough, even if the type \
     would turn out right.\n\n\
     Give the Parameter behind the input an element type, or put a Convert in front.",
)
.group(Group::Types);

pub(crate) static INPUT_RANK: Rule = shape_rule(
    "input-rank",
    "an input has the wrong number of dimensions",
    "The operation accepts this input only with certain ranks: the axis of a Split is a scalar, split lengths are a \
     list.\n\n\
     Squeeze or reshape the input, or store the constant with the right shape.",
)
.named();

pub(crate) static INPUT_VALUE: Rule = shape_rule(
    "input-value",
    "an input holds values that the operation does not accept",
    "The values of this input determine the output shape, and these values are not valid, such as two -1 in a list of \
     lengths, a permutation that repeats an axis, or a step of 0.\n\n\
     The constant is shown with its bytes. Values that make no sense at all usually mean that the .bin belongs to \
     another .xml.",
)
.doubt(Doubt::Numbers);

pub(crate) static SHAPE_CONFLICT: Rule = shape_rule(
    "shape-conflict",
    "input shapes do not fit each other",
    "The operation needs its inputs to agree in some dimensions, and no size of the dynamic ones makes them agree.\n\n\
     OpenVINO calls the layer by its operation and a number. Both shapes are shown with their producers; one of them is \
     wrong.",
)
.fixed(Applicability::Unsafe)
.named();

pub(crate) static SPLIT_NOT_DIVISIBLE: Rule = shape_rule(
    "split-not-divisible",
    "the dimension does not divide into equal parts",
    "Split cuts a dimension into `num_splits` equal parts, so the dimension must be a multiple of it.\n\n\
     Use VariadicSplit for parts of different lengths, or correct `num_splits`.",
)
.fixed(Applicability::Unsafe)
.named();

pub(crate) static SPLIT_LENGTHS_SUM: Rule = shape_rule(
    "split-lengths-sum",
    "split lengths do not add up to the dimension",
    "The lengths of a VariadicSplit must add up to the dimension they cut, unless one of them is -1.\n\n\
     If the declared outputs still add up, the constant is what is wrong, and the .bin may belong to another .xml.",
)
.named();

pub(crate) static SPLIT_LENGTHS_OVERRUN: Rule = shape_rule(
    "split-lengths-overrun",
    "split lengths add up to more than the dimension, not counting a -1",
    "If one length is -1, the others must not add up to more than the dimension.\n\n\
     Correct the lengths.",
)
.runtime(Runtime::Accepts);

pub(crate) static STATE_INIT: Rule = shape_rule(
    "state-init",
    "a state variable does not accept its initial value",
    "The type and shape of the variable of a ReadValue must cover every type and shape that the initial value can have.\n\n\
     It is not enough that a partly unknown initial value might fit: a variable of shape 2,4 does not accept a value \
     of shape 2,?. Widen `variable_shape`, or narrow what leads to the initial value.",
);

pub(crate) static INPUT_TYPE: Rule = shape_rule(
    "input-type",
    "the operation does not accept this element type",
    "Each input of an operation accepts only certain element types.\n\n\
     Put a Convert in front of the input; weight compression often drops such a Convert.",
)
.group(Group::Types);

pub(crate) static TYPE_CONFLICT: Rule = shape_rule(
    "type-conflict",
    "inputs have different element types",
    "These inputs of the operation must have the same element type.\n\n\
     Put a Convert in front of one of them; weight compression often drops such a Convert.",
)
.group(Group::Types)
.named();

const fn operation_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    shape_rule(name, summary, explain).group(Group::Operations)
}

pub(crate) static MISSING_ATTRIBUTE: Rule = shape_rule(
    "missing-attribute",
    "an element lacks an attribute that it needs",
    "Some attributes have no default: the id, name, type and version of a layer, the offset and size of a Const, \
     `num_splits` of a Split.\n\n\
     Add the attribute, or export the model again.",
)
.group(Group::File);

pub(crate) static ATTRIBUTE_VALUE: Rule = operation_rule(
    "attribute-value",
    "an attribute has a value that the operation does not accept",
    "The text of this attribute is not what the operation needs: not a number, not one of the allowed words, or out of \
     range.\n\n\
     In IR version 10, the shape of an input may be too large, because OpenVINO allocates memory for the input when it \
     reads the file.",
);

pub(crate) static LENIENT_NUMBER: Rule = operation_rule(
    "lenient-number",
    "OpenVINO reads a number differently from how it is written",
    "OpenVINO reads a number up to the first character that does not belong to it, so `3x` counts as 3 and `3.7` as \
     3. A flag is true, false, 1 or 0.\n\n\
     Write the intended value.",
)
.accepted(Severity::Warning)
.fixed(Applicability::Unsafe);

pub(crate) static UNKNOWN_OP_ATTRIBUTE: Rule = operation_rule(
    "unknown-op-attribute",
    "the operation has no such attribute",
    "OpenVINO ignores attributes that it does not know, so a misspelled one keeps its default.\n\n\
     Correct the name or delete the attribute. The axis of a Split is its second input, not an attribute.\n\n\
     Attributes that older versions of Model Optimizer are known to leave behind, such as `output_padding` of a \
     Convolution, are reported as a single info per file.",
)
.accepted(Severity::Warning)
.fixed(Applicability::Unsafe);

const fn port_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    shape_rule(name, summary, explain).group(Group::Ports)
}

pub(crate) static WRONG_INPUT_COUNT: Rule = port_rule(
    "wrong-input-count",
    "the layer has the wrong number of inputs",
    "Each operation has a fixed number of inputs, or a minimum.\n\n\
     Connect the missing input, or remove the extra port.",
);

pub(crate) static WRONG_OUTPUT_COUNT: Rule = port_rule(
    "wrong-output-count",
    "the layer declares the wrong number of outputs",
    "The number of outputs follows from the operation: `num_splits` of a Split, the number of lengths of a \
         VariadicSplit.\n\n\
         Too few declared ports are harmless as long as no edge needs one that is missing.",
)
.fixed(Applicability::Unsafe);
