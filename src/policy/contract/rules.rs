//! Rules about contracts.

use crate::diagnostic::{Group, Rule, Runtime};

const fn contract_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Contract, name, summary, explain).runtime(Runtime::None)
}

pub(crate) static CONTRACT_PORT: Rule = contract_rule(
    "contract-port",
    "the model has different inputs or outputs than its contract",
    "A `[[contract]]` in the configuration lists all inputs, all outputs, or both, by the names that the application \
     uses: tensor names, or the names of the Parameter, of the Result or of the layer that feeds it. A missing name or \
     an unlisted port breaks the application only when it runs.\n\n\
     Name the tensors in the export, or change the contract along with the application.",
);

pub(crate) static CONTRACT_SHAPE: Rule = contract_rule(
    "contract-shape",
    "an input or output has a different shape than its contract",
    "The inferred shape must lie within the one in the `[[contract]]`: `?` allows any size, `1..8` those sizes, \
     `[...]` any shape. A dynamic dimension does not satisfy a contract for one size.\n\n\
     Export the model with the required shape, or change the contract along with the application.",
);

pub(crate) static CONTRACT_TYPE: Rule = contract_rule(
    "contract-type",
    "an input or output has a different element type than its contract",
    "The inferred element type must be the one in the `[[contract]]`. Preprocessing that moved into the model, or \
     compression of the weights, often changes it from f32 to u8 or f16.\n\n\
     Export the model with the required type, or change the contract along with the application.",
);

pub(crate) static CONTRACT_FORBIDDEN_OP: Rule = contract_rule(
    "contract-forbidden-op",
    "the model has an operation that its contract forbids",
    "`forbid-ops` of a `[[contract]]` lists operations that the application or its device cannot use: by type, as in \
     `Loop` or `RNN*`, or by version and type, as in `opset14:*`. `extension:*` stands for every operation that is \
     in no opset and so needs a library. Bodies count as well; each type is reported once.\n\n\
     Export without the operation, or change the contract along with the application.",
);

pub(crate) static CONTRACT_SIZE: Rule = contract_rule(
    "contract-size",
    "the model is larger than its contract allows",
    "`max-layers`, `max-bin-size` and `max-xml-size` of a `[[contract]]` limit what is shipped: weights that were not \
     compressed and preprocessing that was exported twice show here first.\n\n\
     Find out what grew, or raise the limit.",
);
