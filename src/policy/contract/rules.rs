//! Rules about contracts.

use crate::diagnostic::{Group, Rule, Runtime};

const fn contract_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule { runtime: Runtime::None, ..Rule::error(Group::Contract, name, summary, explain) }
}

pub(crate) static CONTRACT_PORT: Rule = contract_rule(
    "contract-port",
    "the model has other inputs or outputs than its contract",
    "A `[[contract]]` in the configuration names all inputs, all outputs, or both, as the application asks for them: by \
     tensor name, or by the name of the Parameter, of the Result or of the layer that feeds it. A name that is missing or \
     a port that is not named breaks the application only once it runs.\n\n\
     Name the tensors in the export, or change the contract along with the application.",
);

pub(crate) static CONTRACT_SHAPE: Rule = contract_rule(
    "contract-shape",
    "an input or output has another shape than its contract",
    "The shape that is inferred must lie within the one that the `[[contract]]` gives: `?` takes any length, `1..8` those \
     lengths, `[...]` any shape. A dimension that is dynamic does not keep a contract for one length.\n\n\
     Export with the shape that is wanted, or change the contract along with the application.",
);

pub(crate) static CONTRACT_TYPE: Rule = contract_rule(
    "contract-type",
    "an input or output has another element type than its contract",
    "The element type that is inferred must be the one that the `[[contract]]` gives. Preprocessing that moved into the \
     model, or compression of the weights, often changes it from f32 to u8 or f16.\n\n\
     Export with the type that is wanted, or change the contract along with the application.",
);

pub(crate) static CONTRACT_FORBIDDEN_OP: Rule = contract_rule(
    "contract-forbidden-op",
    "the model has an operation that its contract forbids",
    "`forbid-ops` of a `[[contract]]` names operations that the application or its device cannot use: by type, as in \
     `Loop` or `RNN*`, or by version and type, as in `opset14:*`. `extension:*` means whatever is in no opset of OpenVINO \
     and so needs a library. Bodies count as well; each type is reported once.\n\n\
     Export without the operation, or change the contract along with the application.",
);

pub(crate) static CONTRACT_SIZE: Rule = contract_rule(
    "contract-size",
    "the model is larger than its contract allows",
    "`max-layers`, `max-bin-size` and `max-xml-size` of a `[[contract]]` bound what is shipped: weights that were not \
     compressed and preprocessing that was exported twice show here first.\n\n\
     Find out what grew, or raise the limit.",
);
