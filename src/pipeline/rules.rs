//! The rules about pipelines.

use crate::diagnostic::{Group, Rule, Runtime};

/// Creates a rule about the files of a pipeline. OpenVINO reads each file alone.
const fn pipeline_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Pipeline, name, summary, explain).runtime(Runtime::Accepts).whole()
}

pub(crate) static PIPELINE_FILE: Rule = pipeline_rule(
    "pipeline-file",
    "a file of a pipeline is missing",
    "Checked in folders that hold a pipeline. If the weights of a model exist without the model, that is an error for every \
     loader. With \
     `--for`, the rule reports missing files that the loader opens: a detokenizer beside a tokenizer if text is \
     generated, a tokenizer where \
     texts are read, the encoder or decoder of Whisper, a part that `model_index.json` names and its `config.json`, a part \
     that the `model_type` of a vision-language model needs, `preprocessor_config.json` for pictures, a chat template, \
     which formats prompts with images; and the model itself, if the JSON files and the tokenizer of a pipeline are there.\n\n\
     openvino.genai generates text without a tokenizer if it gets tokens, so that is a warning.\n\n\
     Export the whole folder again, for instance with `optimum-cli export openvino`, or copy the file. The finding gives the \
     command that writes a missing tokenizer or detokenizer.\n\n\
     Source: openvino.genai da1db864 of 2026-08-21: `utils.cpp`, line 483, `tokenizer_impl.cpp`, lines 339 and 740, \
     `clip_text_model.cpp`, line 17, `vlm_config.cpp`, line 16; in optimum-intel e1de5bee of 2026-08-20: `utils.py`, line 41. \
     Measured with openvino.genai 2026.4.1.",
);

pub(crate) static PIPELINE_TENSOR: Rule = pipeline_rule(
    "pipeline-tensor",
    "a loader needs a tensor that the model does not have",
    "Checked in folders that hold a pipeline, with `--for`. A loader sets inputs and reads outputs by the names of their \
     tensors, and expects a certain type and rank. If no tensor has the name, or it has another type or rank, the first \
     call fails. \
     The batch and length dimensions must be dynamic, because texts differ. An input that no loader sets stays empty, so it \
     is reported if an output \
     depends on it; an extra output is reported for detokenizers and for models of which the loader reads just one output.\n\n\
     A language model with paged attention gets neither `attention_mask` nor `beam_idx`, so faults in these inputs are \
     warnings, or errors if attention cannot be paged.\n\n\
     Name the tensors in the export as the finding says, and export without fixed shapes.\n\n\
     Source: openvino.genai da1db864 of 2026-08-21: `pipeline_stateful.cpp`, line 412, `text_embedding_utils.cpp`, line 147, \
     `text_rerank_pipeline.cpp`, line 61, `whisper.cpp`, line 278, `statefull_decoder.cpp`, line 60, `embedding_model.cpp`, \
     line 77, \
     `stable_diffusion_pipeline.hpp`, line 200. Measured with openvino.genai 2026.4.1.",
);

pub(crate) static PIPELINE_LINK: Rule = pipeline_rule(
    "pipeline-link",
    "the output of one model does not fit the input of the next",
    "Checked in folders that hold a pipeline. The output of one model is the input of another: of the encoder and the decoder of \
     Whisper, of a text encoder and the unet, of embeddings and the language model. If both sizes are known and \
     differ, the first call fails with every loader, or the result is wrong. The same holds for sizes in a JSON file: \
     mel bands, frames, latent channels, tokens. The number of `block_out_channels` says how many times smaller latents are \
     than a \
     picture; if the decoder enlarges them otherwise, pictures have another size than was asked for, which is a warning. Without \
     the key, openvino.genai takes one block.\n\n\
     The models usually come from two checkpoints. Export both from the same one. If a model has another size than its own \
     `config.json` states, the finding points to this model.\n\n\
     Measured with openvino.genai 2026.4.1: all of these fail at the first call, except a vision model whose embeddings are \
     wider than the text embeddings: it gives a different answer than it should.\n\n\
     A `[[link]]` of the configuration connects models of a pipeline that ovlint does not know. Element type, rank and every \
     size must fit, and the models must have the tensors.",
);

pub(crate) static PIPELINE_CONFIG: Rule = pipeline_rule(
    "pipeline-config",
    "a loader refuses a JSON file of the folder",
    "Checked in folders that hold a pipeline. A JSON file does not parse, or a value is not of the kind that its reader \
     expects; this is a warning without `--for`, and an error for openvino.genai and OpenVINO Model Server. optimum-intel does \
     not load the folder if `config.json` or `model_index.json` does not parse, or if `config.json` has no `model_type`; with \
     `--for optimum`, these are errors. With `--for genai`, the rule also reports what openvino.genai refuses later: \
     settings in `generation_config.json` that exclude each other or are out of range, a list of stop tokens with a negative \
     one, no `eos_token_id` in any file (a list in `config.json` is skipped), a class of pipeline, part or scheduler that \
     they do \
     not have, switches of schedulers that they do not have, a vision-language model of a `model_type` that they do not \
     know, a multilingual Whisper \
     without languages, an empty `block_out_channels`.\n\n\
     openvino.genai reads `tokenizer_config.json`, `special_tokens_map.json`, `chat_template.json` and `processor_config.json` \
     with every tokenizer. A special token must be a string there, unless `special_tokens_map.json` has an object with its \
     `content`. A list in the place of one value is skipped, and so is one value in the place of a list.\n\n\
     Correct the value as the finding says.\n\n\
     Source: openvino.genai da1db864 of 2026-08-21: `json_utils.hpp`, line 47, `generation_config.cpp`, line 292, \
     `scheduler.cpp`, line 20, `text2image_pipeline.cpp`, line 25, `tokenizer_impl.cpp`, line 522, `ddim.cpp`, line 177. \
     Measured with openvino.genai 2026.4.1 and transformers 4.57.6, which then looks \
     for a type in the path of the folder.",
);

pub(crate) static PIPELINE_TOKEN: Rule = pipeline_rule(
    "pipeline-token",
    "token ids or vocabulary sizes do not fit the model",
    "Checked in folders that hold a pipeline. The token that ends a text is not among the logits of the model, so the text never \
     ends; a vocabulary is larger than the logits by more than 1 %, or tokenizer and detokenizer have vocabularies of \
     different sizes, \
     so texts are garbled; a token that the tokenizer adds to every text, or by which Whisper starts one, has no row in the \
     embedding. Tokens that Whisper \
     suppresses must be among the logits, too: openvino.genai uses these ids as indices when it writes to memory. Ids in \
     the `<rt_info>` of a tokenizer must be numbers, and the `<rt_info>` of the tokenizer of a reranker needs the template \
     by which a \
     query and a document are encoded together.\n\n\
     The tokenizer usually comes from another checkpoint than the model. Export both from the same one.\n\n\
     It is normal for a vocabulary to be smaller than the logits and than `vocab_size`, because models pad these, and for padding \
     tokens to lie outside of the logits.\n\n\
     Source: openvino.genai da1db864 of 2026-08-21: `logit_transformers.hpp`, line 452, `logit_processor.cpp`, line 12. Measured \
     with openvino.genai 2026.4.1.",
);
