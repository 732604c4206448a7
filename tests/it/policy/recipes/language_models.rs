//! Faults of language models.

use super::{DETECTOR, Fault, LLM, U4};

const INITIAL_VALUE: &str = "<input>
				<port id=\"0\" precision=\"FP32\">
					<dim>-1</dim>
					<dim>1</dim>
					<dim>0</dim>
					<dim>4</dim>
				</port>
			</input>";
const MASK_PORT: &str = "<port id=\"3\" precision=\"FP32\">
					<dim>-1</dim>
					<dim>1</dim>
					<dim>1</dim>
					<dim>-1</dim>
				</port>";

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        model: LLM,
        edits: &[("names=\"beam_idx\"", "names=\"beams\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-stateless",
        message: "no input has the tensor name `beam_idx`",
    },
    Fault {
        model: LLM,
        edits: &[(
            "from-layer=\"40\" from-port=\"2\" to-layer=\"60\"",
            "from-layer=\"31\" from-port=\"1\" to-layer=\"60\"",
        )],
        beside: None,
        recipe: "genai",
        rule: "genai-stateless",
        message: "`present_key` (Assign) reads variable `past_key_values.0.keypresent.0.key` past `beam_idx`",
    },
    Fault {
        model: LLM,
        edits: &[(
            "from-layer=\"31\" from-port=\"1\" to-layer=\"33\"",
            "from-layer=\"23\" from-port=\"2\" to-layer=\"33\"",
        )],
        beside: None,
        recipe: "genai",
        rule: "genai-stateless",
        message: "`selected_key` (Gather) selects by `beam_idx` from `hidden` (Add), wanted a ReadValue",
    },
    Fault {
        model: LLM,
        edits: &[("name=\"present_key\" type=\"Assign\"", "name=\"present_key\" type=\"Sink\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-stateless",
        message: "no Assign writes variable `past_key_values.0.keypresent.0.key`",
    },
    Fault {
        model: LLM,
        edits: &[("0.valuepresent.0.value", "0.keypresent.0.key")],
        beside: None,
        recipe: "genai",
        rule: "genai-stateless",
        message: "two layers select from variable `past_key_values.0.keypresent.0.key` by `beam_idx`, wanted one",
    },
    Fault {
        model: LLM,
        edits: &[("type=\"ReadValue\"", "type=\"Cache\""), ("type=\"Assign\"", "type=\"Sink\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-paged-attention",
        message: "the model has no variables, so it does not keep its KV cache",
    },
    Fault {
        model: LLM,
        edits: &[("names=\"input_ids\"", "names=\"ids\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-paged-attention",
        message: "no input has the tensor name `input_ids` or `inputs_embeds`",
    },
    Fault {
        model: LLM,
        edits: &[("type=\"ScaledDotProductAttention\"", "type=\"Attention\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-paged-attention",
        message: "the model has no ScaledDotProductAttention",
    },
    Fault {
        model: LLM,
        edits: &[
            (INITIAL_VALUE, ""),
            ("<edge from-layer=\"13\" from-port=\"2\" to-layer=\"31\" to-port=\"0\" />", ""),
            ("<edge from-layer=\"13\" from-port=\"2\" to-layer=\"14\" to-port=\"0\" />", ""),
        ],
        beside: None,
        recipe: "genai",
        rule: "genai-paged-attention",
        message: "`attention` (ScaledDotProductAttention) needs a key that is a Concat of past (from a variable) and \
              present, but `past_key` (ReadValue) has no initial value",
    },
    Fault {
        model: LLM,
        edits: &[(
            "from-layer=\"33\" from-port=\"3\" to-layer=\"40\"",
            "from-layer=\"31\" from-port=\"1\" to-layer=\"40\"",
        )],
        beside: None,
        recipe: "genai",
        rule: "genai-paged-attention",
        message: "`attention` (ScaledDotProductAttention) needs a key that is a Concat of past (from a variable) and \
              present, but `all_key` (Concat) starts with `past_key` (ReadValue), not with a Gather (opset8) of a ReadValue",
    },
    Fault {
        model: LLM,
        edits: &[(MASK_PORT, ""), ("<edge from-layer=\"53\" from-port=\"2\" to-layer=\"54\" to-port=\"3\" />", "")],
        beside: None,
        recipe: "genai",
        rule: "genai-paged-attention",
        message: "`attention` (ScaledDotProductAttention) has 3 inputs, wanted a mask as the fourth",
    },
    Fault {
        model: LLM,
        edits: &[(
            "from-layer=\"2\" from-port=\"0\" to-layer=\"21\"",
            "from-layer=\"1\" from-port=\"0\" to-layer=\"21\"",
        )],
        beside: None,
        recipe: "genai",
        rule: "genai-paged-attention",
        message: "`Unsqueeze_12` (Unsqueeze) needs `attention_mask` apart from attention",
    },
    Fault {
        model: LLM,
        edits: &[("names=\"attention_mask\"", "names=\"mask\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-input",
        message: "no input has the tensor name `attention_mask`",
    },
    Fault {
        model: LLM,
        edits: &[("names=\"position_ids\"", "names=\"positions\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-input",
        message: "openvino.genai does not set input `positions`",
    },
    Fault {
        model: LLM,
        edits: &[("<data shape=\"?\" element_type=\"i32\" />", "<data shape=\"?\" element_type=\"i64\" />")],
        beside: None,
        recipe: "genai",
        rule: "genai-input",
        message: "input `beam_idx` is i64; openvino.genai sets i32",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: None,
        recipe: "genai",
        rule: "genai-model",
        message: "openvino.genai cannot run this as a language model: it has no variables and no input that `LLMPipeline` sets",
    },
    Fault {
        model: LLM,
        edits: &[("names=\"logits\"", "names=\"scores\"")],
        beside: None,
        recipe: "genai",
        rule: "genai-logits",
        message: "no output has the tensor name `logits`",
    },
    Fault {
        model: LLM,
        edits: &[("past_key_values.0.keypresent.0.key", "layer_0_key")],
        beside: None,
        recipe: "genai",
        rule: "genai-state-name",
        message: "the name of variable `layer_0_key` does not follow the pattern of `past_key_values.0.keypresent.0.key`",
    },
    Fault {
        model: U4,
        edits: &[],
        beside: None,
        recipe: "genai on npu",
        rule: "npu-llm-weights",
        message: "weights are u4 in groups of 2, with zero points; the documentation for the NPU asks for symmetric weights",
    },
    Fault {
        model: U4,
        edits: &[("name=\"key_shifted\" type=\"Subtract\"", "name=\"key_shifted\" type=\"Multiply\"")],
        beside: None,
        recipe: "genai on npu",
        rule: "npu-llm-weights",
        message: "weights are u4 by channel; the documentation for the NPU asks for i4 or nf4",
    },
];
