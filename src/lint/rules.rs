//! Rules about the graph as a whole, the weights and what ports declare.

use crate::diagnostic::{Applicability, Group, Rule, Runtime, Severity};

const fn declared_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule {
        runtime: Runtime::Accepts,
        fix: Some(Applicability::Safe),
        ..Rule::error(Group::Declared, name, summary, explain)
    }
}

pub(crate) static DECLARED_SHAPE: Rule = declared_rule(
    "declared-shape",
    "declared dimension disagrees with the inferred shape",
    "Output ports declare their dimensions. OpenVINO checks that they are numbers and then ignores them, so a \
     file that lies loads without a word; Netron, converters and people trust the numbers.\n\n\
     A port without any `<dim>` stands for a scalar, or for a tensor of unknown rank. Where all that decides the \
     rank has a static shape, it is taken for a scalar.\n\n\
     The number is usually stale: an attribute, a constant or an input was edited after the export. Set it to \
     what is inferred.\n\n\
     A mismatch is only an info where OpenVINO may have inferred what is declared: it works out fewer values than ovlint \
     while it reads a file, and gets some of them wrong.",
);

pub(crate) static INPUT_PORT_MISMATCH: Rule = declared_rule(
    "input-port-mismatch",
    "an input port declares something else than its producer gives",
    "Input ports repeat the type and the dimensions of what arrives. OpenVINO ignores them; Netron shows both ends of an \
     edge and reports a conflict.\n\nCopy what the producer gives.",
);

pub(crate) static DECLARED_STATIC: Rule = Rule {
    severity: Severity::Warning,
    ..declared_rule(
        "declared-static",
        "a port declares a length for a dimension that is dynamic",
        "The dimension can have other lengths as well, so the number promises too much. Usually an input was made dynamic \
         after the export.\n\nWrite -1.",
    )
};

pub(crate) static DECLARED_DYNAMIC: Rule = Rule {
    severity: Severity::Info,
    ..declared_rule(
        "declared-dynamic",
        "a port declares -1 for a dimension that has one length",
        "The dimension is known to have just one length. The version of OpenVINO that wrote the file could not tell, or the \
         model was reshaped without being saved anew.\n\nWrite the length.",
    )
};

pub(crate) static DECLARED_PRECISION: Rule = Rule {
    group: Group::Types,
    ..declared_rule(
        "declared-precision",
        "an output port declares another element type than is inferred",
        "OpenVINO reads the precision of output ports and then ignores it; the type follows from the operation.\n\n\
         Write the type that is inferred.",
    )
};

pub(crate) static BODY_SHAPE_MISMATCH: Rule = declared_rule(
    "body-shape-mismatch",
    "a Parameter of a body declares something else than it gets from outside",
    "The Parameters of a body get the shapes of the layer's inputs, slices in the case of `axis`, and those of a Loop or If \
     the element types as well. OpenVINO overwrites what they declare without a word, unless the body is wrong by itself. \
     A TensorIterator keeps the declared element type, whatever comes in.\n\n\
     Declare what arrives, or reconnect the input.",
);

pub(crate) const fn weights_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule { group: Group::Weights, runtime: Runtime::Misleads, fix: None, ..declared_rule(name, summary, explain) }
}

pub(crate) static WEIGHTS_FILE_MISSING: Rule = Rule {
    runtime: Runtime::Rejects,
    ..weights_rule(
        "weights-file-missing",
        "the weights file is missing",
        "Constants live in a `.bin` beside the `.xml`, under the same name. OpenVINO needs it as soon as one constant is \
         used.\n\nCopy the file, name it by `--weights FILE`, or check the structure only by `--weights skip`.",
    )
};

pub(crate) static WEIGHTS_OUT_OF_RANGE: Rule = Rule {
    runtime: Runtime::Rejects,
    ..weights_rule(
        "weights-out-of-range",
        "a constant lies outside the weights file",
        "The offset and the size of a Const must lie inside the `.bin`. OpenVINO says \"Incorrect weights in bin \
         file!\", and not for which constant.\n\n\
         Correct the offset or the size, or put the `.bin` here that belongs to this `.xml`.",
    )
};

pub(crate) static WEIGHTS_TRUNCATED: Rule = weights_rule(
    "weights-truncated",
    "the weights file is too short",
    "Constants need more bytes than the `.bin` has; it was cut short, or it belongs to another model. Reported once per \
     file, with the first constant that is cut off.",
);

pub(crate) static GIT_LFS_POINTER: Rule = weights_rule(
    "git-lfs-pointer",
    "the weights are a Git LFS pointer",
    "The repository was cloned without its large files, so a few lines of text stand in for the weights. A model that \
     needs no more bytes than these loads, and computes with them.\n\n\
     Run `git lfs pull`, or check the structure only by `--weights skip`.",
);

pub(crate) static WEIGHTS_NOT_RAW: Rule = weights_rule(
    "weights-not-raw",
    "the weights file holds something else",
    "A `.bin` is raw bytes without any header. This one starts like another kind of file, as a failed download leaves \
     it. Get it anew.",
);

pub(crate) static WEIGHTS_TRAILING_BYTES: Rule = Rule {
    severity: Severity::Warning,
    runtime: Runtime::Accepts,
    ..weights_rule(
        "weights-trailing-bytes",
        "bytes at the end of the weights belong to no constant",
        "OpenVINO ignores them. Many of them usually mean that the `.bin` belongs to another `.xml`.",
    )
};

pub(crate) static CONST_SIZE_MISMATCH: Rule = Rule {
    runtime: Runtime::Rejects,
    fix: Some(Applicability::Unsafe),
    ..weights_rule(
        "const-size-mismatch",
        "a constant has fewer bytes than its shape needs",
        "`size` must hold all elements of `shape`; types narrower than a byte are rounded up to whole bytes, u3 and u6 to \
         blocks of three.\n\nOpenVINO rejects the file, or reads past the constant where only the block is short.",
    )
};

pub(crate) static CONST_SIZE_EXCESS: Rule = Rule {
    severity: Severity::Warning,
    runtime: Runtime::Accepts,
    fix: Some(Applicability::Unsafe),
    ..weights_rule(
        "const-size-excess",
        "a constant has more bytes than its shape needs",
        "OpenVINO ignores the rest. Either the shape was edited, or the size.",
    )
};

pub(crate) static WEIGHTS_PARTIAL_OVERLAP: Rule = Rule {
    severity: Severity::Warning,
    runtime: Runtime::Accepts,
    ..weights_rule(
        "weights-partial-overlap",
        "two constants overlap in part",
        "Constants with equal bytes share them, and that is fine. A partial overlap usually means that an offset is wrong.",
    )
};

pub(crate) static STRING_CONST_LAYOUT: Rule = Rule {
    runtime: Runtime::Rejects,
    ..weights_rule(
        "string-const-layout",
        "a string constant has a broken table of offsets",
        "A string constant starts with the number of strings, then where each starts and ends, then the bytes. OpenVINO \
         rejects a table that leaves the constant, and crashes later on one with too few strings.",
    )
};

const fn operation_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule { group: Group::Operations, runtime: Runtime::Rejects, fix: None, ..declared_rule(name, summary, explain) }
}

pub(crate) static UNKNOWN_OP: Rule = Rule {
    fix: Some(Applicability::Unsafe),
    ..operation_rule(
        "unknown-op",
        "there is no such operation",
        "No opset holds an operation of this type. Upper and lower case count in `Const`, `Result` and `Assign` only.\n\n\
         Correct the spelling, or load the extension that brings the operation.",
    )
};

pub(crate) static UNKNOWN_OPSET: Rule = operation_rule(
    "unknown-opset",
    "there is no such opset",
    "`version` must be opset1 to opset17, in lower case. Other labels belong to extensions or to OpenVINO's internals, \
     which a plain read does not know.",
);

pub(crate) static OP_NOT_IN_OPSET: Rule = Rule {
    fix: Some(Applicability::Unsafe),
    ..operation_rule(
        "op-not-in-opset",
        "the opset does not hold this operation",
        "`version` selects the revision that an opset holds. This opset is older than the operation, or it dropped it; \
         opset17 holds only a handful so far.",
    )
};

pub(crate) static INTERNAL_OP: Rule = operation_rule(
    "internal-op",
    "an internal operation of OpenVINO is loaded from no file",
    "OpenVINO's passes, plugins and frontends replace operations by some of their own: `RMS` of ie_internal_opset, \
     Convolution of type_relaxed_opset1, PagedAttentionExtension. They are written only if a model is saved \
     afterwards, or taken from a cache of compiled models.\n\n\
     Save the model before it is compiled or prepared for a device.",
);

pub(crate) static EXTENSION_REQUIRED: Rule = Rule {
    group: Group::Portability,
    severity: Severity::Warning,
    ..operation_rule(
        "extension-required",
        "the model needs an extension library",
        "Layers of version `extension` are not OpenVINO's: a library brings them, such as openvino_tokenizers for models \
         that turn text into tokens. Their outputs are taken from what the file declares, unless `--extension-ops` states \
         them, which is an answer to this finding as well.\n\n\
         OpenVINO rejects the file unless the library is loaded first: `core.add_extension(..)`, or an import that does \
         so.",
    )
};

pub(crate) static EMPTY_TENSOR: Rule = Rule {
    group: Group::Hygiene,
    severity: Severity::Info,
    runtime: Runtime::Accepts,
    ..operation_rule(
        "empty-tensor",
        "a tensor never has an element",
        "One of its dimensions is 0. That is legal, and usually not what was meant: a slice that starts behind its end, a \
         split length of 0.",
    )
};

pub(crate) static UNPAIRED_STATE: Rule = Rule {
    group: Group::Graph,
    ..operation_rule(
        "unpaired-state",
        "a state variable is written but not read, or read but not written",
        "Assign writes the variable of the ReadValue with the same `variable_id`, which must stand in the same graph and lead to \
         a Result; for opset3, Assign must also rest on what that ReadValue reads.\n\n\
         OpenVINO rejects an Assign without its ReadValue (\"map::at\", or \"Can't find variable\"). A ReadValue alone \
         loads; its variable keeps its initial value.",
    )
};

pub(crate) static DUPLICATE_TENSOR_NAME: Rule = Rule {
    group: Group::Hygiene,
    severity: Severity::Warning,
    runtime: Runtime::Accepts,
    ..operation_rule(
        "duplicate-tensor-name",
        "two tensors have the same name",
        "Inputs and outputs of a model are asked for by their names, so these should be unique. OpenVINO gives the later of \
         two tensors with the same name another one, such as `x_1`, and callers that ask for `x` get the first.\n\n\
         In IR version 10 layers name the inputs and outputs as well: the name of a Parameter, and the name of the layer that \
         feeds a Result. OpenVINO rejects a file where such a name is that of another input or output, with \"Model operation \
         names have collisions with tensor names\".\n\nRename one of the layers, or convert the model again.",
    )
};
