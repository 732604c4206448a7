//! The rules of the recipe for Triton.

use crate::diagnostic::Rule;
use crate::recipe::{doubt, recipe_rule};

pub(crate) static TRITON_CONFIG: Rule = recipe_rule(
    "triton-config",
    "`config.pbtxt` cannot be read",
    "Checked with `--for triton` only. The configuration of a model is in `config.pbtxt` in the folder above that of the \
     version, or beside the model; `--for triton=FILE` names another. It is a `ModelConfig` in the text format of \
     protocol buffers, and Triton rejects the whole file if it contains an unknown field, or a `preferred_batch_size` \
     above `max_batch_size`. Without such a file, the backend takes inputs and outputs from the model.\n\n\
     Correct the line.\n\n\
     The fields were read in `model_config.proto` of Triton 83adf7cf of 2026-07-23; those of nested messages other than \
     inputs and outputs are not checked. The sizes of batches were read in `model_config_utils.cc` of Triton's core 6370c433 \
     on 2026-11-29.",
);

pub(crate) static TRITON_PORT: Rule = recipe_rule(
    "triton-port",
    "the inputs or outputs in `config.pbtxt` differ from those of the model",
    "Checked with `--for triton` only. If `config.pbtxt` lists inputs, it must list all of them, and only them; outputs \
     that it lists must exist. They are matched by tensor name, so each tensor needs a name; if it has several, the \
     first one in alphabetical order is used.\n\n\
     Correct the names, or leave out `input` and `output` to have them taken from the model.\n\n\
     Source: `openvino.cc` of the OpenVINO backend db193042 of 2026-08-21, which refuses to load such a model.",
);

pub(crate) static TRITON_SHAPE: Rule = recipe_rule(
    "triton-shape",
    "the shapes in `config.pbtxt` differ from those of the model",
    "Checked with `--for triton` only. With `max_batch_size` above 0, `dims` leaves out the batch, which comes first: an \
     input of 4 dimensions has 3 `dims`. With 0, `dims` has all dimensions. A size must equal that of the model, \
     unless the dimension is dynamic there. In an input, -1 stands for any size only if requests are batched. Outputs are \
     compared after the batch size has been set in the model. If there is a `reshape`, it replaces `dims`.\n\n\
     Correct `dims` or `max_batch_size`, or have inputs reshaped with the parameter `RESHAPE_IO_LAYERS`.\n\n\
     Source: `openvino_utils.cc` of the OpenVINO backend db193042 of 2026-08-21, which refuses to load such a model.",
);

pub(crate) static TRITON_BATCH: Rule = recipe_rule(
    "triton-batch",
    "the model does not accept the batch size of `config.pbtxt`",
    "Checked with `--for triton` only. With `max_batch_size` above 0, the backend gives the first dimension of every input \
     that length, also where the model declares another, and has all shapes computed again. A constant that holds the \
     batch of the export, such as the shape of a Reshape, then makes OpenVINO reject the model, and so do inputs with \
     different first dimensions.\n\n\
     Export the model with a dynamic batch, write -1 or 0 for the batch into the constant, or set `max_batch_size` to 0 and \
     write the batch into `dims`.\n\n\
     Source: `openvino.cc` of the OpenVINO backend db193042 of 2026-08-21, and measured with `set_batch` of OpenVINO \
     2026.4.1 on 2026-11-23.",
);

pub(crate) static TRITON_TYPE: Rule = recipe_rule(
    "triton-type",
    "an element type in `config.pbtxt` differs from that of the model",
    "Checked with `--for triton` only. The backend knows TYPE_BOOL, TYPE_UINT8 to TYPE_UINT64, TYPE_INT8 to TYPE_INT64, \
     TYPE_FP16 and TYPE_FP32, and refuses to load a model with any other type. If a known type differs from that of the \
     model, the backend converts the data, so the severity of the finding is only info.\n\n\
     Write the type of the model.\n\n\
     Source: `openvino_utils.cc` of the OpenVINO backend db193042 of 2026-08-21.",
);

pub(crate) static TRITON_LAYOUT: Rule = doubt(
    "triton-layout",
    "Triton does not find the model in this folder",
    "Checked with `--for triton` only. Triton looks for `NAME/VERSION/model.xml`, where VERSION is a number, and for \
     `NAME/config.pbtxt`. The file may have the name that `default_model_filename` gives; a `name` in the configuration \
     must be that of the folder.\n\n\
     Rename the file or the folder.\n\n\
     Documented in `model_repository.md` of Triton 008fdc5a, and read in `openvino.cc` of the OpenVINO backend db193042 of \
     2026-08-21.",
);
