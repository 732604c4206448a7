//! Rules about the file and the wiring of its layers.

use crate::diagnostic::{Applicability, Group, Rule, Runtime, Severity};

const fn file_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::File, name, summary, explain)
}

pub(crate) static UNREADABLE_FILE: Rule = file_rule(
    "unreadable-file",
    "the file cannot be read",
    "The operating system refuses to read the file or its weights, something other than a file is in its place, or the \
     file changed while ovlint read it. ovlint reports nothing about a model that it could read only in part.\n\n\
     Check the path and the permissions, and that no export is still writing. The exit code is 2.",
)
.runtime(Runtime::Rejects);

pub(crate) static NOT_OPENVINO_IR: Rule = file_rule(
    "not-openvino-ir",
    "the file is not an OpenVINO IR",
    "An IR is an XML file whose root element is `<net>`. This file is something else: an HTML page that was downloaded \
     instead of the model, a Git LFS pointer, the weights, a model of another format.",
);

pub(crate) static XML_MALFORMED: Rule = file_rule(
    "xml-malformed",
    "the XML is not well formed",
    "The XML breaks off or its tags do not match, so nothing after this place can be read.\n\n\
     A file that ends inside an element is usually a download that was cut short.",
);

pub(crate) static XML_DUPLICATE_ATTRIBUTE: Rule = file_rule(
    "xml-duplicate-attribute",
    "an attribute appears twice in one tag",
    "OpenVINO uses the first one; strict XML parsers reject the file.\n\n\
     Delete the wrong one.",
)
.runtime(Runtime::Accepts)
.fixed(Applicability::Unsafe);

pub(crate) static XML_TRAILING_CONTENT: Rule = file_rule(
    "xml-trailing-content",
    "there is text or an element outside the root element",
    "Strict XML parsers reject text or a second root element before or after `<net>`. Often it is left over from a \
     merge, or two files were concatenated.",
)
.runtime(Runtime::Accepts)
.fixed(Applicability::Unsafe);

pub(crate) static XML_ENCODING: Rule = file_rule(
    "xml-encoding",
    "the file is not encoded as UTF-8, or declares another encoding",
    "An IR must be encoded as UTF-8 or, for newer releases only, as UTF-16. Readers handle other bytes differently.\n\n\
     Save the file as UTF-8.",
)
.accepted(Severity::Warning);

pub(crate) static XML_DOCTYPE: Rule = file_rule(
    "xml-doctype",
    "the file has a document type declaration",
    "An IR never needs one. A reader that expands its entities can run out of memory or read other files.\n\n\
     Delete it.",
)
.accepted(Severity::Warning)
.fixed(Applicability::Unsafe);

pub(crate) static CONFLICT_MARKER: Rule = file_rule(
    "conflict-marker",
    "a merge conflict was left in the file",
    "Git marks conflicts with lines of `<<<<<<<`, `=======` and `>>>>>>>`. Generated files should not be merged by hand: \
     take one side, or export the model again.",
);

pub(crate) static MISSING_ELEMENT: Rule =
    file_rule("missing-element", "an element is missing", "A net needs `<layers>` and, unless it is empty, `<edges>`.")
        .runtime(Runtime::Accepts);

pub(crate) static INVALID_ATTRIBUTE: Rule = file_rule(
    "invalid-attribute",
    "an attribute has a value that cannot be read",
    "Ids, ports, offsets and sizes are unsigned integers without anything after them.",
)
.runtime(Runtime::Rejects);

pub(crate) static UNKNOWN_ELEMENT: Rule = file_rule(
    "unknown-element",
    "an element is not part of the format and is ignored",
    "The element is not part of the IR format, or it appears a second time where only one is allowed. Element names are \
     case-sensitive: `<Port>` is not `<port>`.\n\n\
     Correct the name, or delete the element.",
)
.accepted(Severity::Warning);

pub(crate) static UNSUPPORTED_IR_VERSION: Rule = file_rule(
    "unsupported-ir-version",
    "this version of the IR cannot be read",
    "OpenVINO reads IR versions 10 and 11. Version 7 and older have other operations.\n\n\
     Convert the original model again.",
)
.group(Group::Portability);

const fn graph_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    file_rule(name, summary, explain).group(Group::Graph)
}

pub(crate) static DUPLICATE_LAYER_ID: Rule = graph_rule(
    "duplicate-layer-id",
    "two layers have the same id",
    "Edges name layers by id. OpenVINO keeps the later layer, so layers that read from the earlier one now read from \
     the later one.\n\n\
     Give each layer an id of its own.",
)
.runtime(Runtime::Accepts)
.fixed(Applicability::Unsafe);

pub(crate) static CYCLE: Rule = graph_rule(
    "cycle",
    "layers form a cycle",
    "A graph must be acyclic; loops are written as Loop or TensorIterator.\n\n\
     One of the edges shown is wrong.",
);

pub(crate) static NO_RESULTS: Rule = graph_rule(
    "no-results",
    "the model has no Result",
    "Such a model computes nothing. The type is written `Result`: OpenVINO drops a `result` in lower case.",
)
.runtime(Runtime::Accepts);

pub(crate) static UNREACHABLE_LAYER: Rule = graph_rule(
    "unreachable-layer",
    "a layer reaches no Result",
    "OpenVINO reads the ids, types, versions and ports of all layers. It builds only the Parameters, Results and \
     Assigns, and the layers that lead to them. So it checks nothing else in the other layers, and their weights are \
     never used.\n\n\
     Delete these layers, or connect them to what should read them.",
)
.accepted(Severity::Warning)
.fixed(Applicability::Unsafe);

pub(crate) static UNUSED_PARAMETER: Rule = graph_rule(
    "unused-parameter",
    "no layer uses an input of the model",
    "It is still an input of the model, and callers must provide it.\n\nConnect it to the layer that needs it, or delete it.",
)
.accepted(Severity::Warning);

pub(crate) static EMPTY_MODEL: Rule =
    graph_rule("empty-model", "the model has no layers", "The export was probably cut short.")
        .runtime(Runtime::Accepts);

const fn port_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    file_rule(name, summary, explain).group(Group::Ports)
}

pub(crate) static EDGE_UNKNOWN_LAYER: Rule = port_rule(
    "edge-unknown-layer",
    "an edge names a layer that does not exist",
    "An edge needs the ids of two layers of the same graph.",
)
.fixed(Applicability::Unsafe);

pub(crate) static EDGE_UNKNOWN_PORT: Rule = port_rule(
    "edge-unknown-port",
    "an edge names a port that does not exist",
    "An edge names an output port and an input port by their ids. The layer that it names has no such port on \
     that side.",
)
.runtime(Runtime::Rejects)
.fixed(Applicability::Unsafe);

pub(crate) static INPUT_NOT_CONNECTED: Rule = port_rule(
    "input-not-connected",
    "an input port has no incoming edge",
    "Every input port that a layer declares needs one edge.",
);

pub(crate) static INPUT_CONNECTED_TWICE: Rule = port_rule(
    "input-connected-twice",
    "an input port has several incoming edges",
    "Every input takes one tensor. Delete the wrong edge.",
)
.fixed(Applicability::Unsafe);

pub(crate) static DUPLICATE_PORT_ID: Rule = port_rule(
    "duplicate-port-id",
    "a layer has two ports with the same id",
    "Edges name ports by id and reach the first one only, so the second is disconnected.\n\n\
     Give each port an id of its own.",
)
.runtime(Runtime::Accepts)
.fixed(Applicability::Unsafe);

pub(crate) static PORT_ORDER: Rule = port_rule(
    "port-order",
    "port ids are not in ascending order",
    "The position of a port in its list decides which operand or output it is; the id is only a label for edges. \
     Ports that changed places silently swap operands or outputs.\n\n\
     Put the ports in the order of the operation's specification, and number them in that order.",
)
.accepted(Severity::Warning);

pub(crate) static RESULT_HAS_OUTPUT: Rule = port_rule(
    "result-has-output",
    "a Result declares an output port",
    "A Result is an end of the graph, so nothing can use its output.",
)
.accepted(Severity::Warning)
.fixed(Applicability::Unsafe);

pub(crate) static UNKNOWN_PRECISION: Rule = file_rule(
    "unknown-precision",
    "a port has a precision that does not exist",
    "Output ports need a precision such as FP32 or I64, in upper case. OpenVINO rejects other values; on input ports, \
     it does not read the precision at all.",
)
.group(Group::Types)
.fixed(Applicability::Unsafe);

pub(crate) static INVALID_DIM: Rule = file_rule(
    "invalid-dim",
    "a `<dim>` is not an integer >= -1",
    "Ports declare each dimension as a length, or as -1 where it is dynamic; intervals and `?` belong in the `shape` \
     of a Parameter only.",
)
.group(Group::Declared)
.runtime(Runtime::Rejects)
.fixed(Applicability::Safe);
