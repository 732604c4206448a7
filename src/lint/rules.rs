//! Rules about declared ports, weights, operations and opsets, state variables and tensor names.

use crate::diagnostic::{Applicability, Doubt, Group, Rule, Runtime, Severity};

const fn declared_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Declared, name, summary, explain).runtime(Runtime::Accepts).fixed(Applicability::Safe)
}

pub(crate) static DECLARED_SHAPE: Rule = declared_rule(
    "declared-shape",
    "declared dimension disagrees with the inferred shape",
    "Output ports declare their dimensions. OpenVINO infers the shapes again, so it loads a file with wrong \
     dimensions, but other programs that read the file rely on the wrong dimensions.\n\n\
     A port without any `<dim>` is a scalar or a tensor of unknown rank. It counts as a scalar if everything that \
     decides the rank has a static shape.\n\n\
     The number is usually stale: an attribute, a constant or an input was edited after the export. Set it to the \
     inferred value.\n\n\
     A mismatch is only an info if OpenVINO itself may have inferred the declared shape.",
);

pub(crate) static INPUT_PORT_MISMATCH: Rule = declared_rule(
    "input-port-mismatch",
    "an input port disagrees with the output it is connected to",
    "Input ports repeat the type and the dimensions of the output they are connected to. OpenVINO ignores them, but \
     other programs that read the file see two types or shapes for one tensor.\n\n\
     Copy what the producer declares.",
);

pub(crate) static DECLARED_STATIC: Rule = declared_rule(
    "declared-static",
    "a port declares a fixed size for a dynamic dimension",
    "The dimension can also have other sizes, so the declared number is too strict. Usually an input was made \
     dynamic after the export. ovlint does not report a number that is wrong only if an input is empty.\n\n\
     Write -1.",
)
.severity(Severity::Warning);

pub(crate) static DECLARED_DYNAMIC: Rule = declared_rule(
    "declared-dynamic",
    "a port declares -1 for a static dimension",
    "The dimension can only have one size. The tool that wrote the file did not infer that size, or the model was \
     reshaped and not saved again.\n\n\
     Write the inferred size.",
)
.severity(Severity::Info)
.opt_in();

pub(crate) static DECLARED_PRECISION: Rule = declared_rule(
    "declared-precision",
    "an output port declares a different element type than ovlint infers",
    "The operation decides the type, whatever its output ports declare.\n\n\
     Write the inferred type.",
)
.group(Group::Types);

pub(crate) static BODY_SHAPE_MISMATCH: Rule = declared_rule(
    "body-shape-mismatch",
    "a Parameter of a body disagrees with the input that it gets",
    "The Parameters of a body get the shapes of the layer's inputs, or of slices of them if `axis` is set; in a Loop \
     or If they get the element types as well. In a TensorIterator they keep the element type that they declare.\n\n\
     Declare what the Parameter gets, or reconnect the input.",
);

pub(crate) const fn weights_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Weights, name, summary, explain)
}

pub(crate) static WEIGHTS_FILE_MISSING: Rule = weights_rule(
    "weights-file-missing",
    "the weights file is missing",
    "Constants are stored in a `.bin` beside the `.xml`, under the same name.\n\n\
     Copy the file, pass it with `--weights FILE`, or skip weight checks with `--weights skip`.",
)
.runtime(Runtime::Rejects);

pub(crate) static WEIGHTS_OUT_OF_RANGE: Rule = weights_rule(
    "weights-out-of-range",
    "a constant lies outside the weights file",
    "The offset and the size of a Const must lie inside the `.bin`.\n\n\
     Correct the offset or the size, or use the `.bin` that was exported with this `.xml`.",
)
.runtime(Runtime::Rejects);

pub(crate) static WEIGHTS_TRUNCATED: Rule = weights_rule(
    "weights-truncated",
    "the weights file is too short",
    "Constants need more bytes than the `.bin` has; it was cut short, or it belongs to another model. The rule reports \
     once per file, at the first constant that is cut off. If the size would fit another element type exactly, or if \
     bytes of line endings seem to be missing, the message says so.\n\n\
     A `.bin` of the right size may end in zeros, as after an interrupted download. This is reported in two cases. \
     In the first, the zeros begin inside a constant and also fill a whole later one. In the second, at least 4,096 \
     bytes of zeros begin inside a matrix of mostly nonzero floating-point numbers, in the middle of a row or before \
     the last quarter of the matrix.\n\n\
     A `.bin` that contains only zeros is reported if a shape depends on them, or with `--deep`.",
)
.whole();

pub(crate) static GIT_LFS_POINTER: Rule = weights_rule(
    "git-lfs-pointer",
    "the weights are a Git LFS pointer",
    "The repository was cloned without its large files, so a few lines of text stand in for the weights.\n\n\
     Run `git lfs pull`, or skip weight checks with `--weights skip`.",
);

pub(crate) static WEIGHTS_NOT_RAW: Rule = weights_rule(
    "weights-not-raw",
    "the weights file is in another format",
    "A `.bin` is raw bytes without any header. This one starts like a file of another format, often after a failed \
     download, or its bytes were converted to UTF-8 as if they were text. Download it again.",
)
.doubt(Doubt::Everything);

pub(crate) static WEIGHTS_TRAILING_BYTES: Rule = weights_rule(
    "weights-trailing-bytes",
    "bytes at the end of the weights belong to no constant",
    "Many of them usually mean that the `.bin` belongs to another `.xml`.\n\n\
     If the file has one extra byte for each line feed, a tool converted its line endings as if it were text; every byte \
     after the first line feed is shifted. If the size is exactly what the f16 constants \
     would need as f32, the message says so.",
)
.accepted(Severity::Warning);

pub(crate) static CONST_SIZE_MISMATCH: Rule = weights_rule(
    "const-size-mismatch",
    "a constant has fewer bytes than its shape needs",
    "`size` must hold all elements of `shape`; types narrower than a byte are rounded up to whole bytes, u3 and u6 \
     to blocks of three bytes.",
)
.runtime(Runtime::Rejects)
.fixed(Applicability::Unsafe)
.doubt(Doubt::Everything);

pub(crate) static CONST_SIZE_EXCESS: Rule = weights_rule(
    "const-size-excess",
    "a constant has more bytes than its shape needs",
    "Either the shape was edited, or the size.",
)
.accepted(Severity::Warning)
.fixed(Applicability::Unsafe);

pub(crate) static WEIGHTS_PARTIAL_OVERLAP: Rule = weights_rule(
    "weights-partial-overlap",
    "two constants overlap in part",
    "Constants with equal contents may share the same bytes. A partial overlap usually means that an offset is wrong.",
)
.accepted(Severity::Warning);

pub(crate) static STRING_CONST_LAYOUT: Rule = weights_rule(
    "string-const-layout",
    "a string constant has a broken table of offsets",
    "A string constant starts with the number of strings, then the offsets at which each one starts and ends, then the \
     bytes of all strings.",
)
.runtime(Runtime::Rejects);

const fn operation_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Operations, name, summary, explain)
}

pub(crate) static UNKNOWN_OP: Rule = operation_rule(
    "unknown-op",
    "there is no such operation",
    "No opset contains an operation of this type. Case matters only in `Const`, `Result` and `Assign`.\n\n\
     Correct the spelling, or load the extension that provides the operation.",
)
.fixed(Applicability::Unsafe)
.doubt(Doubt::Everything);

pub(crate) static UNKNOWN_OPSET: Rule = operation_rule(
    "unknown-opset",
    "there is no such opset",
    "`version` must name an opset, in lower case; the message names the known ones, or the newest one. Other labels belong \
     to extension \
     libraries, which have types of their own.",
);

pub(crate) static OP_NOT_IN_OPSET: Rule = operation_rule(
    "op-not-in-opset",
    "the opset does not contain this operation",
    "`version` selects a revision of the operation. This opset is older than the operation, or no longer contains \
     it; the newest opset contains only a few operations so far.",
)
.fixed(Applicability::Unsafe);

pub(crate) static INTERNAL_OP: Rule = operation_rule(
    "internal-op",
    "an internal operation of OpenVINO cannot be loaded from a file",
    "Some operations are internal to OpenVINO and in no opset: `RMS` of ie_internal_opset, Convolution of \
     type_relaxed_opset1, PagedAttentionExtension. A file contains them only if the model was saved after it was \
     transformed for a device, or was extracted from a cache of compiled models.\n\n\
     Save the model before it is compiled or prepared for a device.",
);

pub(crate) static EXTENSION_REQUIRED: Rule = operation_rule(
    "extension-required",
    "the model needs an extension library",
    "Layers whose version is `extension`, or another label that does not name an opset, are not part of any opset: a \
     library provides \
     them, such as openvino_tokenizers for models that turn text into tokens. Their outputs are assumed to be what \
     the file declares. State them with `--extension-ops`: then this finding is not reported.\n\n\
     Load the library before the model: `core.add_extension(..)`, or an import that does so.",
)
.group(Group::Portability)
.severity(Severity::Warning);

pub(crate) static EMPTY_TENSOR: Rule = operation_rule(
    "empty-tensor",
    "a tensor is always empty",
    "One of its dimensions is 0. That is legal, but rarely intended: a slice that starts after its end, or a split \
     length of 0.",
)
.group(Group::Hygiene)
.accepted(Severity::Info);

pub(crate) static UNPAIRED_STATE: Rule = operation_rule(
    "unpaired-state",
    "a state variable is written but not read, or read but not written",
    "Assign writes the variable of the ReadValue with the same `variable_id`, which must be in the same graph and \
     lead to a Result; in opset3, Assign must also depend on that ReadValue. OpenVINO's CPU plugin compiles a model \
     that only reads a variable, and every inference fails (\"doesn't have sibling output\").\n\n\
     A warning names two Assign layers that seem to be swapped: each one writes a value computed from the other one's \
     variable, while every other variable is written with a value computed from itself.",
)
.group(Group::Graph);

pub(crate) static DUPLICATE_TENSOR_NAME: Rule = operation_rule(
    "duplicate-tensor-name",
    "two tensors have the same name",
    "Callers refer to inputs and outputs by name, so names should be unique. Of two tensors with the same name, \
     OpenVINO renames one.\n\n\
     In IR version 10, layer names also serve as names of inputs and outputs: the name of a Parameter, and the \
     name of the layer that feeds a Result. OpenVINO rejects a file in which two inputs or outputs share such a name.\n\n\
     Rename one of the layers, or convert the model again.",
)
.group(Group::Hygiene)
.accepted(Severity::Warning);
