//! What is found in folders that hold a pipeline: each fault is planted in one that works.

use crate::program::{code, copy_folder, findings, ovlint, utf8};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A change of a folder.
enum Edit {
    /// Replaces a text in a file, everywhere.
    Text(&'static str, &'static str, &'static str),
    /// Removes a file, or all files whose names begin like this.
    Remove(&'static str),
    /// Writes a file.
    Write(&'static str, &'static str),
    /// Adds an input `extra` to a model, which is added to the one of this name.
    Input(&'static str, &'static str),
    /// Adds an output to a model: its first input.
    Output(&'static str),
}
use Edit::{Input, Output, Remove, Text, Write};

/// A fault: the rows of the list of checks that it is for, the pipeline, what is changed, and the findings that it must have by
/// loader, each as severity, rule and the start of the message; none for a loader that does not mind.
struct Fault {
    rows: &'static str,
    folder: &'static str,
    edits: &'static [Edit],
    /// By no loader, openvino.genai and optimum-intel.
    found: [Option<(&'static str, &'static str)>; 3],
    message: &'static str,
}

const LOADERS: [&str; 3] = ["", "genai", "optimum"];
const FILE: &str = "pipeline-file";
const TENSOR: &str = "pipeline-tensor";
const LINK: &str = "pipeline-link";
const CONFIG: &str = "pipeline-config";
const TOKEN: &str = "pipeline-token";

/// The same finding whoever loads the folder.
const fn all(severity: &'static str, rule: &'static str) -> [Option<(&'static str, &'static str)>; 3] {
    [Some((severity, rule)); 3]
}

/// A finding that only openvino.genai has.
const fn genai(severity: &'static str, rule: &'static str) -> [Option<(&'static str, &'static str)>; 3] {
    [None, Some((severity, rule)), None]
}

/// A finding that each loader has, if it is named.
const fn named(rule: &'static str) -> [Option<(&'static str, &'static str)>; 3] {
    [None, Some(("error", rule)), Some(("error", rule))]
}

/// A finding about JSON that does not parse or is of another kind.
const UNREADABLE: [Option<(&str, &str)>; 3] =
    [Some(("warning", CONFIG)), Some(("error", CONFIG)), Some(("warning", CONFIG))];

/// A file that does not parse, by which optimum-intel chooses what to load.
const NO_CONFIG: [Option<(&str, &str)>; 3] =
    [Some(("warning", CONFIG)), Some(("error", CONFIG)), Some(("error", CONFIG))];

const MODEL: &str = "openvino_model.xml";
const TOKENIZER: &str = "openvino_tokenizer.xml";
const DETOKENIZER: &str = "openvino_detokenizer.xml";
const ENCODER: &str = "openvino_encoder_model.xml";
const DECODER: &str = "openvino_decoder_model.xml";
const LANGUAGE: &str = "openvino_language_model.xml";
const VISION: &str = "openvino_vision_embeddings_model.xml";
const GENERATION: &str = "generation_config.json";
const PREPROCESSOR: &str = "preprocessor_config.json";
const UNET: &str = "unet/openvino_model.xml";

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    Fault { rows: "2", folder: "llm", edits: &[Remove(MODEL)], found: all("error", FILE), message: "the folder has no `openvino_model.xml`: `openvino_model.bin` is there" },
    Fault { rows: "2", folder: "vision", edits: &[Remove(LANGUAGE)], found: all("error", FILE), message: "the folder has no `openvino_language_model.xml`" },
    Fault { rows: "2b", folder: "whisper", edits: &[Remove("openvino_decoder_model")], found: named(FILE), message: "the folder has no `openvino_decoder_model.xml`" },
    Fault { rows: "2b", folder: "diffusion", edits: &[Remove("unet/openvino_model")], found: named(FILE), message: "the folder has no `unet/openvino_model.xml`: `model_index.json` names the part `unet`" },
    Fault { rows: "3", folder: "llm", edits: &[Remove("openvino_detokenizer")], found: genai("error", FILE), message: "the folder has no `openvino_detokenizer.xml`: tokens cannot be decoded without it" },
    Fault { rows: "4", folder: "embedding", edits: &[Remove("openvino_tokenizer")], found: genai("error", FILE), message: "the folder has no `openvino_tokenizer.xml`: text cannot be encoded without it" },
    Fault { rows: "4b", folder: "llm", edits: &[Remove("openvino_tokenizer")], found: genai("warning", FILE), message: "the folder has no `openvino_tokenizer.xml`" },
    Fault { rows: "5", folder: "llm", edits: &[Text(TOKENIZER, "\"attention_mask\"", "\"mask\"")], found: genai("error", TENSOR), message: "no output of `tokenizer` has the tensor name `attention_mask`" },
    Fault { rows: "6", folder: "diffusion", edits: &[Text("text_encoder/openvino_model.xml", "element_type=\"i64\" />\n\t\t\t<output>\n\t\t\t\t<port id=\"0\" precision=\"I64\" names=\"input_ids\"", "element_type=\"i32\" />\n\t\t\t<output>\n\t\t\t\t<port id=\"0\" precision=\"I32\" names=\"input_ids\"")], found: genai("error", TENSOR), message: "text_encoder takes i32, and tokenizer in tokenizer gives i64" },
    Fault { rows: "7", folder: "llm", edits: &[Text(DETOKENIZER, "element_type=\"i64\" />\n\t\t\t<output>", "element_type=\"i32\" />\n\t\t\t<output>")], found: genai("error", TENSOR), message: "input `Parameter" },
    Fault { rows: "8", folder: "llm", edits: &[Write(GENERATION, "{}"), Text("config.json", "\"eos_token_id\": 32,", "")], found: genai("error", CONFIG), message: "no file of the folder names an `eos_token_id` of at least 0" },
    Fault { rows: "9", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": [1, -7]}")], found: genai("error", CONFIG), message: "`eos_token_id` lists -7, wanted ids of at least 0" },
    Fault { rows: "10", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 5000}")], found: all("warning", TOKEN), message: "`eos_token_id` is 5000, but the model outputs logits for 33 tokens only" },
    Fault { rows: "11", folder: "llm", edits: &[Write("config.json", "{")], found: NO_CONFIG, message: "the file is not valid JSON: EOF while parsing an object at line 1 column 1" },
    Fault { rows: "11", folder: "diffusion", edits: &[Write("model_index.json", "{")], found: NO_CONFIG, message: "the file is not valid JSON" },
    Fault { rows: "22", folder: "llm", edits: &[Text("config.json", "\"model_type\"", "\"kind\"")], found: [None, None, Some(("error", CONFIG))], message: "the file has no `model_type`, wanted a type such as `llama`" },
    Fault { rows: "22", folder: "vision", edits: &[Text("config.json", "\"model_type\"", "\"kind\"")], found: named(CONFIG), message: "the file has no `model_type`, wanted one of llava, llava_next, gemma3" },
    Fault { rows: "22", folder: "vision", edits: &[Text("config.json", "\"llava\"", "\"lava\"")], found: genai("error", CONFIG), message: "openvino.genai 2026.4 does not know vision-language models of the type `lava`; did you mean `llava`?" },
    Fault { rows: "13", folder: "whisper", edits: &[Text(GENERATION, "\"decoder_start_token_id\": 32", "\"decoder_start_token_id\": 9000")], found: all("warning", TOKEN), message: "`decoder_start_token_id` has token 9000, the embedding of the decoder has only 40 rows" },
    Fault { rows: "13", folder: "whisper", edits: &[Text(GENERATION, "\"transcribe\": 35", "\"transcribe\": 40")], found: all("warning", TOKEN), message: "`task_to_id` has token 40, the embedding of the decoder has only 40 rows" },
    Fault { rows: "35", folder: "diffusion", edits: &[Text("vae_decoder/config.json", "[\n    8,\n    8\n  ]", "[8, 8, 8, 8]")], found: all("warning", LINK), message: "`block_out_channels` has 4 elements, so the sides of latents are multiplied by 8, but vae_decoder multiplies them by 2" },
    Fault { rows: "11", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": \"</s>\"}")], found: UNREADABLE, message: "`eos_token_id` is the string \"</s>\", wanted a number or a list of numbers" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"do_sample\": true, \"temperature\": 0.0}")], found: genai("error", CONFIG), message: "`temperature` is 0 with `do_sample`, wanted more than 0" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"do_sample\": true, \"top_p\": 2.0}")], found: genai("error", CONFIG), message: "`top_p` is 2 with `do_sample`" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_beams\": 2, \"repetition_penalty\": 1.2}")], found: genai("error", CONFIG), message: "`repetition_penalty` is 1.2 with 2 beams, wanted 1" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_return_sequences\": 3}")], found: genai("error", CONFIG), message: "`num_return_sequences` is 3 with neither `do_sample` nor beams, wanted 1" },
    Fault { rows: "17", folder: "llm", edits: &[Text(MODEL, "\"logits\"", "\"scores\"")], found: named(TENSOR), message: "no output of `model` has the tensor name `logits`" },
    Fault { rows: "19", folder: "llm", edits: &[Text(MODEL, "names=\"input_ids\"", "names=\"inputs_embeds\"")], found: genai("error", TENSOR), message: "no input of `model` has the tensor name `input_ids`" },
    Fault { rows: "18", folder: "llm", edits: &[Text(MODEL, "names=\"attention_mask\"", "names=\"mask\"")], found: [None, Some(("warning", "genai-input")), Some(("error", TENSOR))], message: "no input" },
    Fault { rows: "22", folder: "vision", edits: &[Remove("config.json")], found: genai("error", FILE), message: "the folder has no `config.json`: openvino.genai learns the kind of the model from its `model_type`" },
    Fault { rows: "22", folder: "vision", edits: &[Text("config.json", "\"llava\"", "\"mpt\"")], found: genai("error", CONFIG), message: "openvino.genai 2026.4 does not know vision-language models of the type `mpt`" },
    Fault { rows: "23", folder: "vision", edits: &[Text("config.json", "\"llava\"", "\"qwen2_vl\"")], found: genai("error", FILE), message: "the folder has no `openvino_vision_embeddings_merger_model.xml`" },
    Fault { rows: "24", folder: "vision", edits: &[Text(LANGUAGE, "shape=\"?,?,16\"", "shape=\"?,?,24\"")], found: all("error", LINK), message: "`inputs_embeds` of language has size 24 in dimension 2, but text embeddings outputs size 16" },
    Fault { rows: "25", folder: "vision", edits: &[Text(LANGUAGE, "shape=\"?,?,16\"", "shape=\"?,?,24\"")], found: all("error", LINK), message: "`inputs_embeds` of language has size 24 in dimension 2, but vision embeddings outputs size 16" },
    Fault { rows: "26", folder: "vision", edits: &[Text(VISION, "\"pixel_values\"", "\"pixels\"")], found: genai("error", TENSOR), message: "no input of `vision embeddings` has the tensor name `pixel_values`" },
    Fault { rows: "27", folder: "vision", edits: &[Remove(PREPROCESSOR)], found: genai("error", FILE), message: "the folder has no `preprocessor_config.json`" },
    Fault { rows: "27", folder: "vision", edits: &[Text(PREPROCESSOR, "32", "48")], found: genai("error", LINK), message: "pictures are cut to 48 x 48, which vision embeddings does not take" },
    Fault { rows: "28", folder: "whisper", edits: &[Text(PREPROCESSOR, "\"feature_size\": 80", "\"feature_size\": 128")], found: [Some(("error", LINK)), Some(("error", LINK)), Some(("warning", LINK))], message: "`feature_size` is 128, but the encoder takes 80 mel bands" },
    Fault { rows: "29", folder: "whisper", edits: &[Text(PREPROCESSOR, "3000", "1500")], found: [Some(("error", LINK)), Some(("error", LINK)), Some(("warning", LINK))], message: "`nb_max_frames` is 1500, but the encoder takes 3000 frames" },
    Fault { rows: "30", folder: "whisper", edits: &[Text(DECODER, "shape=\"?,?,8\"", "shape=\"?,?,16\"")], found: all("error", LINK), message: "`encoder_hidden_states` of decoder has size 16 in dimension 2, but encoder outputs size 8" },
    Fault { rows: "31", folder: "whisper", edits: &[Remove(GENERATION)], found: genai("error", CONFIG), message: "the folder has no `generation_config.json`" },
    Fault { rows: "31", folder: "whisper", edits: &[Text(GENERATION, "\"lang_to_id\"", "\"languages\"")], found: genai("error", CONFIG), message: "the model is multilingual, and `lang_to_id` names no language" },
    Fault { rows: "32", folder: "whisper", edits: &[Text(GENERATION, "\"no_timestamps_token_id\": 38", "\"no_timestamps_token_id\": 9000")], found: [Some(("warning", TOKEN)), Some(("error", TOKEN)), None], message: "`no_timestamps_token_id` has token 9000, the decoder gives logits of 40 tokens" },
    Fault { rows: "33", folder: "whisper", edits: &[Text(DECODER, "names=\"beam_idx\"", "names=\"order\"")], found: genai("error", TENSOR), message: "no input of `decoder` has the tensor name `beam_idx`" },
    Fault { rows: "34", folder: "diffusion", edits: &[Text(UNET, "shape=\"?,77,16\"", "shape=\"?,77,24\"")], found: all("error", LINK), message: "`encoder_hidden_states` of unet has size 24 in dimension 2, but text_encoder outputs size 16" },
    Fault { rows: "35", folder: "diffusion", edits: &[Text("unet/config.json", "\"in_channels\": 4", "\"in_channels\": 9")], found: all("error", LINK), message: "`in_channels` is 9, and unet takes 4 channels" },
    Fault { rows: "35", folder: "diffusion", edits: &[Text("vae_decoder/config.json", "\"latent_channels\": 4", "\"latent_channels\": 16")], found: all("error", LINK), message: "`latent_channels` is 16, and vae_decoder takes 4 channels" },
    Fault { rows: "36", folder: "diffusion", edits: &[Text("scheduler/scheduler_config.json", "DDIMScheduler", "DPMSolverMultistepScheduler")], found: genai("error", CONFIG), message: "openvino.genai 2026.4 does not know the class `DPMSolverMultistepScheduler`" },
    Fault { rows: "36", folder: "diffusion", edits: &[Text("model_index.json", "StableDiffusionPipeline", "FooPipeline")], found: genai("error", CONFIG), message: "openvino.genai 2026.4 does not know the class `FooPipeline`" },
    Fault { rows: "36", folder: "diffusion", edits: &[Remove("unet/config.json")], found: genai("error", FILE), message: "the folder has no `unet/config.json`: openvino.genai reads it" },
    Fault { rows: "37", folder: "diffusion", edits: &[Remove("tokenizer/openvino_tokenizer")], found: genai("error", FILE), message: "the folder has no `tokenizer/openvino_tokenizer.xml`" },
    Fault { rows: "35", folder: "diffusion", edits: &[Text("vae_decoder/config.json", "block_out_channels", "blocks")], found: genai("warning", LINK), message: "the file has no `block_out_channels`, so openvino.genai does not multiply the sides of latents, but vae_decoder multiplies them by 2" },
    Fault { rows: "35", folder: "diffusion", edits: &[Text("vae_decoder/config.json", "[\n    8,\n    8\n  ]", "[]")], found: genai("error", CONFIG), message: "`block_out_channels` is empty, wanted an element for each block" },
    Fault { rows: "38", folder: "diffusion", edits: &[Text("vae_decoder/config.json", "scaling_factor", "scale")], found: genai("info", CONFIG), message: "the file has no `scaling_factor`" },
    Fault { rows: "39", folder: "embedding", edits: &[Text(MODEL, "\"last_hidden_state\"", "\"hidden\"")], found: genai("error", TENSOR), message: "no output of `model` has the tensor name `last_hidden_state`" },
    Fault { rows: "39", folder: "reranker", edits: &[Text(MODEL, "\"logits\"", "\"scores\"")], found: genai("error", TENSOR), message: "no output of `model` has the tensor name `logits`" },
    Fault { rows: "39", folder: "reranker", edits: &[Text(MODEL, "\"token_type_ids\"", "\"segments\"")], found: genai("error", TENSOR), message: "the tokenizer gives `token_type_ids`, and no input of the model has this name" },
    Fault { rows: "41", folder: "diffusion", edits: &[Text(UNET, "\"timestep\"", "\"t\"")], found: genai("error", TENSOR), message: "no input of `unet` has the tensor name `timestep`" },
    Fault { rows: "41", folder: "whisper", edits: &[Text(ENCODER, "\"last_hidden_state\"", "\"hidden\"")], found: genai("error", TENSOR), message: "no output of `encoder` has the tensor name `last_hidden_state`" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_return_sequences\": 0}")], found: genai("error", CONFIG), message: "`num_return_sequences` is 0, wanted at least 1" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_beams\": 2, \"num_return_sequences\": 3}")], found: genai("error", CONFIG), message: "`num_return_sequences` is 3 with 2 beams, wanted no more than beams" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"presence_penalty\": 3.0}")], found: genai("error", CONFIG), message: "`presence_penalty` is 3, wanted -2 to 2" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_beams\": 2, \"frequency_penalty\": 0.5}")], found: genai("error", CONFIG), message: "`frequency_penalty` is 0.5 with 2 beams, wanted 0" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"max_ngram_size\": 3}")], found: genai("error", CONFIG), message: "`max_ngram_size` is 3 without `num_assistant_tokens`, wanted 0" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_beams\": 4, \"num_beam_groups\": 2}")], found: genai("error", CONFIG), message: "`diversity_penalty` is 0 with groups of beams" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_beams\": 2, \"no_repeat_ngram_size\": 0}")], found: genai("error", CONFIG), message: "`no_repeat_ngram_size` is 0 with 2 beams" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"do_sample\": true, \"min_p\": 1.0}")], found: genai("error", CONFIG), message: "`min_p` is 1 with `do_sample`" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"num_beams\": 2, \"num_assistant_tokens\": 3}")], found: genai("error", CONFIG), message: "`num_assistant_tokens` is 3 with 2 beams" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"tree_depth\": 5, \"num_assistant_tokens\": 3}")], found: genai("error", CONFIG), message: "`tree_depth` is 5, wanted at most `num_assistant_tokens`" },
    Fault { rows: "12", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": -2}")], found: genai("error", CONFIG), message: "`eos_token_id` is -2, wanted an id of at least 0" },
    Fault { rows: "12", folder: "whisper", edits: &[Text(GENERATION, "\"max_length\": 60", "\"num_assistant_tokens\": 5")], found: genai("error", CONFIG), message: "`num_assistant_tokens` is 5 for Whisper, wanted 0" },
    Fault { rows: "11", folder: "llm", edits: &[Write("tokenizer_config.json", "{")], found: UNREADABLE, message: "the file is not valid JSON" },
    Fault { rows: "11", folder: "embedding", edits: &[Write("special_tokens_map.json", "{")], found: UNREADABLE, message: "the file is not valid JSON" },
    Fault { rows: "11", folder: "whisper", edits: &[Write("chat_template.json", "")], found: UNREADABLE, message: "the file is not valid JSON" },
    Fault { rows: "11", folder: "diffusion", edits: &[Write("tokenizer/processor_config.json", "{")], found: UNREADABLE, message: "the file is not valid JSON" },
    Fault { rows: "11", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": true}")], found: UNREADABLE, message: "`eos_token_id` is true, wanted a number or a list of numbers" },
    Fault { rows: "11", folder: "llm", edits: &[Write(GENERATION, "{\"eos_token_id\": 32, \"stop_strings\": [7]}")], found: UNREADABLE, message: "`stop_strings` contains 7, wanted a list of strings" },
    Fault { rows: "11", folder: "embedding", edits: &[Text("config.json", "\"pad_token_id\": 0", "\"pad_token_id\": \"x\"")], found: UNREADABLE, message: "`pad_token_id` is the string \"x\", wanted a number" },
    Fault { rows: "11", folder: "whisper", edits: &[Text(GENERATION, "\"<|en|>\": 33", "\"<|en|>\": \"x\"")], found: UNREADABLE, message: "`lang_to_id` contains the string \"x\", wanted an object of numbers" },
    Fault { rows: "11", folder: "whisper", edits: &[Text(GENERATION, "\"transcribe\": 35", "\"transcribe\": \"x\"")], found: UNREADABLE, message: "`task_to_id.transcribe` is the string \"x\", wanted a number" },
    Fault { rows: "11", folder: "whisper", edits: &[Text(GENERATION, "\"decoder_start_token_id\": 32", "\"decoder_start_token_id\": \"x\"")], found: UNREADABLE, message: "`decoder_start_token_id` is the string \"x\", wanted a number" },
    Fault { rows: "11", folder: "diffusion", edits: &[Text("text_encoder/config.json", "\"num_hidden_layers\": 1", "\"num_hidden_layers\": \"1\"")], found: UNREADABLE, message: "`num_hidden_layers` is the string \"1\", wanted a number" },
    Fault { rows: "11", folder: "vision", edits: &[Text("config.json", "\"image_token_index\"", "\"hidden_size\": \"x\", \"image_token_index\"")], found: genai("error", CONFIG), message: "`hidden_size` is the string \"x\", wanted a number" },
    Fault { rows: "11", folder: "llm", edits: &[Write("tokenizer_config.json", "{\"eos_token\": {\"content\": \"</s>\"}}")], found: genai("error", CONFIG), message: "`eos_token` is an object, wanted a string, unless special_tokens_map.json has an object with its `content`" },
    Fault { rows: "11", folder: "llm", edits: &[Write("special_tokens_map.json", "{\"eos_token\": {\"content\": 7}}")], found: genai("error", CONFIG), message: "`content` of `eos_token` is a number, wanted a string" },
    Fault { rows: "11", folder: "embedding", edits: &[Write("tokenizer_config.json", "{\"eos_token\": \"</s>\", \"added_tokens_decoder\": {\"x\": {\"content\": \"</s>\"}}}")], found: genai("error", CONFIG), message: "`added_tokens_decoder` has the key \"x\", wanted the id of a token" },
    Fault { rows: "11", folder: "llm", edits: &[Text(TOKENIZER, "<rt_info>", "<rt_info><pad_token_id value=\"x\" />")], found: genai("error", TOKEN), message: "`pad_token_id` of the tokenizer is no number" },
    Fault { rows: "2b", folder: "llm", edits: &[Remove("openvino_model")], found: genai("error", FILE), message: "the folder has no `openvino_model.xml`: openvino.genai loads it" },
    Fault { rows: "2b", folder: "llm", edits: &[Remove("openvino_model"), Remove("openvino_tokenizer")], found: genai("error", FILE), message: "the folder has no `openvino_model.xml`: openvino.genai loads it" },
    Fault { rows: "3", folder: "whisper", edits: &[Remove("openvino_tokenizer"), Remove("openvino_detokenizer")], found: genai("error", FILE), message: "the folder has no `openvino_detokenizer.xml`: tokens cannot be decoded without it" },
    Fault { rows: "7", folder: "llm", edits: &[Output(DETOKENIZER)], found: genai("error", TENSOR), message: "the detokenizer has 2 outputs, wanted 1" },
    Fault { rows: "5", folder: "diffusion", edits: &[Text("tokenizer/openvino_tokenizer.xml", "\"attention_mask\"", "\"mask\"")], found: genai("error", TENSOR), message: "no output of `tokenizer in tokenizer` has the tensor name `attention_mask`" },
    Fault { rows: "8", folder: "llm", edits: &[Write(GENERATION, "{}"), Text("config.json", "\"eos_token_id\": 32", "\"eos_token_id\": [32]")], found: genai("error", CONFIG), message: "no file of the folder names an `eos_token_id` of at least 0" },
    Fault { rows: "8", folder: "whisper", edits: &[Text(GENERATION, "\"eos_token_id\": 39", "\"end\": 39"), Text("config.json", "\"eos_token_id\": 39", "\"end\": 39")], found: genai("error", CONFIG), message: "no file of the folder names an `eos_token_id` of at least 0" },
    Fault { rows: "16", folder: "llm", edits: &[Input(MODEL, "position_ids")], found: genai("error", TENSOR), message: "input `extra` of model is one too many: openvino.genai does not set it" },
    Fault { rows: "18", folder: "llm", edits: &[Text(MODEL, "element_type=\"i64\" />\n\t\t\t<output>\n\t\t\t\t<port id=\"0\" precision=\"I64\" names=\"position_ids\"", "element_type=\"i32\" />\n\t\t\t<output>\n\t\t\t\t<port id=\"0\" precision=\"I32\" names=\"position_ids\"")], found: genai("error", TENSOR), message: "input `position_ids` of model is i32[?,?], wanted i64[?,?]" },
    Fault { rows: "39", folder: "embedding", edits: &[Input(MODEL, "input_ids")], found: genai("error", TENSOR), message: "input `extra` of model is one too many" },
    Fault { rows: "39", folder: "reranker", edits: &[Input(MODEL, "input_ids")], found: genai("error", TENSOR), message: "input `extra` of model is one too many" },
    Fault { rows: "41", folder: "whisper", edits: &[Input(ENCODER, "input_features")], found: genai("error", TENSOR), message: "input `extra` of encoder is one too many" },
    Fault { rows: "41", folder: "whisper", edits: &[Input(DECODER, "input_ids")], found: genai("error", TENSOR), message: "input `extra` of decoder is one too many" },
    Fault { rows: "41", folder: "diffusion", edits: &[Input("text_encoder/openvino_model.xml", "input_ids")], found: genai("error", TENSOR), message: "the text_encoder has 2 inputs, wanted 1" },
    Fault { rows: "41", folder: "diffusion", edits: &[Input(UNET, "sample")], found: genai("error", TENSOR), message: "input `extra` of unet is one too many" },
    Fault { rows: "26", folder: "vision", edits: &[Input(VISION, "pixel_values")], found: genai("error", TENSOR), message: "input `extra` of vision embeddings is one too many" },
    Fault { rows: "19", folder: "vision", edits: &[Input(LANGUAGE, "inputs_embeds")], found: genai("error", TENSOR), message: "input `extra` of language is one too many" },
    Fault { rows: "41", folder: "diffusion", edits: &[Output(UNET)], found: genai("error", TENSOR), message: "the unet has 2 outputs, wanted 1" },
    Fault { rows: "41", folder: "diffusion", edits: &[Output("vae_decoder/openvino_model.xml")], found: genai("error", TENSOR), message: "the vae_decoder has 2 outputs, wanted 1" },
    Fault { rows: "26", folder: "vision", edits: &[Output(VISION)], found: genai("error", TENSOR), message: "the vision embeddings has 2 outputs, wanted 1" },
    Fault { rows: "24", folder: "vision", edits: &[Output("openvino_text_embeddings_model.xml")], found: genai("error", TENSOR), message: "the text embeddings has 2 outputs, wanted 1" },
    Fault { rows: "39", folder: "reranker", edits: &[Text(TOKENIZER, "processed_post_processor_template", "template")], found: genai("error", TOKEN), message: "`processed_post_processor_template` of the tokenizer is missing" },
    Fault { rows: "36", folder: "diffusion", edits: &[Text("model_index.json", "\"CLIPTextModel\"", "\"CLIPTextModelWithProjection\"")], found: genai("error", CONFIG), message: "`text_encoder` is of the class `CLIPTextModelWithProjection`, and `StableDiffusionPipeline` takes `CLIPTextModel`" },
    Fault { rows: "36", folder: "diffusion", edits: &[Text("model_index.json", "StableDiffusionPipeline", "FluxPipeline")], found: genai("error", CONFIG), message: "`transformer` names no class, and `FluxPipeline` takes `FluxTransformer2DModel`" },
    Fault { rows: "36", folder: "diffusion", edits: &[Text("scheduler/scheduler_config.json", "\"clip_sample\": false", "\"clip_sample\": true")], found: genai("error", CONFIG), message: "`clip_sample` is true, openvino.genai 2026.4 takes `DDIMScheduler` with false alone" },
    Fault { rows: "36", folder: "diffusion", edits: &[Text("scheduler/scheduler_config.json", "DDIMScheduler", "PNDMScheduler")], found: genai("error", CONFIG), message: "`skip_prk_steps` is missing, and then false, openvino.genai 2026.4 takes `PNDMScheduler` with true alone" },
    Fault { rows: "41", folder: "diffusion", edits: &[Text("unet/config.json", "\"time_cond_proj_dim\": null", "\"time_cond_proj_dim\": 32")], found: genai("error", TENSOR), message: "no input of `unet` has the tensor name `timestep_cond`" },
    Fault { rows: "22", folder: "vision", edits: &[Remove("chat_template.jinja")], found: genai("error", FILE), message: "the folder has no `chat_template.jinja`: openvino.genai writes the prompt by it" },
    Fault { rows: "13", folder: "reranker", edits: &[Text(TOKENIZER, "[-1, 32]", "[-1, 5000]")], found: all("warning", TOKEN), message: "the tokenizer adds token 5000 to every text, but the embedding of the model has only " },
    Fault { rows: "36", folder: "diffusion", edits: &[Text("scheduler/scheduler_config.json", "DDIMScheduler", "FlowMatchEulerDiscreteScheduler")], found: genai("error", CONFIG), message: "openvino.genai 2026.4 takes `FlowMatchEulerDiscreteScheduler` with a transformer, and the folder has a unet" },
    Fault { rows: "11", folder: "diffusion", edits: &[Text("scheduler/scheduler_config.json", "\"clip_sample\": false", "\"clip_sample\": \"no\"")], found: UNREADABLE, message: "`clip_sample` is the string \"no\", wanted a boolean" },
];

/// A copy of a pipeline of the samples, changed.
fn planted(folder: &str, edits: &[Edit]) -> TempDir {
    let copy = tempfile::tempdir().unwrap();
    let good = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/pipelines").join(folder);
    copy_folder(&good, copy.path());
    for edit in edits {
        match edit {
            Text(file, from, to) => {
                let path = copy.path().join(file);
                let text = fs::read_to_string(&path).unwrap();
                assert!(text.contains(from), "{file}: {from}");
                fs::write(path, text.replace(from, to)).unwrap();
            }
            Write(file, text) => fs::write(copy.path().join(file), text).unwrap(),
            Input(file, name) => {
                let names = format!("names=\"{name}\"");
                rewritten(&copy.path().join(file), &|text| with_input(text, &names));
            }
            Output(file) => rewritten(&copy.path().join(file), &with_output),
            Remove(start) => {
                let path = copy.path().join(start);
                let all = fs::read_dir(path.parent().unwrap()).unwrap().map(|entry| entry.unwrap().path());
                let start = path.to_str().unwrap();
                let found: Vec<_> = all.filter(|path| path.to_str().unwrap().starts_with(start)).collect();
                assert!(!found.is_empty(), "{start}");
                for path in found {
                    fs::remove_file(path).unwrap();
                }
            }
        }
    }
    copy
}

fn rewritten(path: &Path, edit: &dyn Fn(&str) -> String) {
    fs::write(path, edit(&fs::read_to_string(path).unwrap())).unwrap();
}

/// The layer around a text, its id, its precision and the dimensions of its output.
fn layer<'t>(text: &'t str, around: &str) -> (&'t str, &'t str, &'t str, &'t str) {
    let at = text.find(around).unwrap();
    let start = text[..at].rfind("<layer ").unwrap();
    let layer = &text[start..at + text[at..].find("</layer>").unwrap() + "</layer>".len()];
    let after = |start: &str| layer.split(start).nth(1).unwrap().split('"').next().unwrap();
    let dims = &layer[layer.find("<dim>").unwrap()..layer.find("</port>").unwrap()];
    (layer, after("id=\""), after("precision=\""), dims)
}

/// A model with a further input.
fn with_input(text: &str, names: &str) -> String {
    let (layer, id, precision, dims) = layer(text, names);
    let more = layer.replacen(&format!("id=\"{id}\""), "id=\"9001\"", 1).replace(names, "names=\"extra\"");
    let port = |at: u8| format!("<port id=\"{at}\" precision=\"{precision}\">{dims}</port>");
    let sum = format!(
        "<layer id=\"9002\" name=\"sum\" type=\"Add\" version=\"opset1\"><data auto_broadcast=\"numpy\" />\
         <input>{}{}</input><output>{}</output></layer>",
        port(0),
        port(1),
        port(2)
    );
    let edge = |from: &str, to: u8| {
        format!("<edge from-layer=\"{from}\" from-port=\"0\" to-layer=\"9002\" to-port=\"{to}\" />")
    };
    let taken = text.replace(&format!("from-layer=\"{id}\" from-port=\"0\""), "from-layer=\"9002\" from-port=\"2\"");
    taken
        .replace("</layers>", &format!("{more}{sum}</layers>"))
        .replace("</edges>", &format!("{}{}</edges>", edge(id, 0), edge("9001", 1)))
}

/// A model with a further output.
fn with_output(text: &str) -> String {
    let (_, id, precision, dims) = layer(text, "type=\"Parameter\"");
    let more = format!(
        "<layer id=\"9003\" name=\"extra\" type=\"Result\" version=\"opset1\"><input>\
         <port id=\"0\" precision=\"{precision}\">{dims}</port></input></layer>"
    );
    let edge = format!("<edge from-layer=\"{id}\" from-port=\"0\" to-layer=\"9003\" to-port=\"0\" />");
    text.replace("</layers>", &format!("{more}</layers>")).replace("</edges>", &format!("{edge}</edges>"))
}

/// The severity, rule and message of each finding about a folder.
fn found(folder: &TempDir, loader: &str, more: &[&str]) -> Vec<(String, String, String)> {
    let loader = if loader.is_empty() { vec![] } else { vec!["--for", loader] };
    let all = findings(folder.path(), ["check", "."].into_iter().chain(loader).chain(more.iter().copied()));
    let field = |finding: &serde_json::Value, name: &str| finding[name].as_str().unwrap().to_owned();
    all.iter().map(|one| (field(one, "severity"), field(one, "rule"), field(one, "message"))).collect()
}

#[test]
fn planted_faults_are_found_by_those_who_mind() {
    for fault in FAULTS {
        let folder = planted(fault.folder, fault.edits);
        for (loader, wanted) in LOADERS.into_iter().zip(fault.found) {
            let found = found(&folder, loader, &[]);
            let about = |severity: &str, rule: &str| {
                found.iter().any(|(s, r, message)| {
                    (s == severity, r == rule) == (true, true) && message.starts_with(fault.message)
                })
            };
            match wanted {
                Some((severity, rule)) => assert!(
                    about(severity, rule),
                    "row {} in {} for `{loader}`: no {severity}[{rule}] {}\n{found:#?}",
                    fault.rows,
                    fault.folder,
                    fault.message
                ),
                None => {
                    let is_said = found.iter().any(|(_, _, message)| message.starts_with(fault.message));
                    assert!(!is_said, "row {} in {} for `{loader}`: {}", fault.rows, fault.folder, fault.message);
                }
            }
        }
    }
}

const FOLDERS: [&str; 6] = ["llm", "embedding", "reranker", "whisper", "diffusion", "vision"];

#[test]
fn folders_that_work_have_no_findings() {
    for name in FOLDERS {
        for loader in ["", "genai", "optimum", "ovms"] {
            assert_eq!(found(&planted(name, &[]), loader, &[]), [], "{name} for `{loader}`");
        }
    }
}

/// Usual folders, which are no reason for an alarm: a pipeline, what is changed, and the loaders that must be silent.
#[rustfmt::skip]
const USUAL: &[(&str, &[Edit], &[&str])] = &[
    ("llm", &[Remove("config.json")], &["", "genai"]),
    ("embedding", &[Remove("config.json")], &["", "genai"]),
    ("reranker", &[Remove("config.json")], &["", "genai"]),
    ("llm", &[Remove(GENERATION)], &["", "genai", "optimum"]),
    ("llm", &[Text("config.json", "\"vocab_size\": 33", "\"vocab_size\": 9")], &["", "genai", "optimum"]),
    ("llm", &[Text("config.json", "\"vocab_size\": 33", "\"vocab_size\": 512")], &["", "genai", "optimum"]),
    ("llm", &[Text("config.json", "\"eos_token_id\": 32", "\"pad_token_id\": -1, \"bos_token_id\": 50256, \"eos_token_id\": 32")], &["", "genai", "optimum"]),
    ("llm", &[Write(GENERATION, "{\"eos_token_id\": -1}")], &["", "genai", "optimum"]),
    ("llm", &[Text(MODEL, "names=\"beam_idx\"", "names=\"order\"")], &["", "optimum"]),
    ("embedding", &[Remove("openvino_detokenizer")], &["", "genai", "optimum", "ovms"]),
    ("diffusion", &[Remove("tokenizer/openvino_detokenizer")], &["", "genai", "optimum"]),
    ("diffusion", &[Remove("vae_encoder/openvino_model")], &["", "genai", "optimum"]),
    ("whisper", &[Remove(PREPROCESSOR)], &["", "genai", "optimum"]),
    ("whisper", &[Remove("openvino_tokenizer")], &["", "genai", "optimum"]),
    ("llm", &[Remove("openvino_model"), Remove("config.json"), Remove(GENERATION)], &["", "genai"]),
    ("llm", &[Write("graph.pbtxt", "node { name: \"image_tensor\" op: \"Placeholder\" }")], &["", "genai", "optimum"]),
    ("embedding", &[Text("config.json", "\"max_position_embeddings\": 64", "\"max_position_embeddings\": [64]")], &["", "genai", "optimum"]),
    ("llm", &[Write(GENERATION, "{\"eos_token_id\": 32, \"temperature\": [1], \"stop_strings\": \"x\"}")], &["", "genai", "optimum"]),
    ("llm", &[Write(GENERATION, "{\"eos_token_id\": [32], \"presence_penalty\": 2.0, \"num_assistant_tokens\": 5, \"max_ngram_size\": 3, \"top_p\": 2.0, \"early_stopping\": 7}")], &["", "genai"]),
    ("llm", &[Write("tokenizer_config.json", "{\"eos_token\": {\"content\": \"</s>\"}}"), Write("special_tokens_map.json", "{\"eos_token\": {\"content\": \"</s>\"}}")], &["", "genai", "optimum"]),
    ("llm", &[Write("tokenizer_config.json", "{\"eos_token\": {\"content\": \"</s>\"}}")], &["", "optimum"]),
    ("embedding", &[Write("tokenizer_config.json", "{\"added_tokens_decoder\": {\"x\": {\"content\": \"</s>\"}}, \"bos_token\": [\"a\"], \"chat_template\": 7}")], &["", "genai", "optimum"]),
    ("diffusion", &[Text("scheduler/scheduler_config.json", "\"beta_schedule\": \"scaled_linear\"", "\"beta_schedule\": 7, \"use_karras_sigmas\": true")], &["", "genai", "optimum"]),
    ("whisper", &[Output(ENCODER), Output(DECODER)], &["", "genai", "optimum"]),
    ("embedding", &[Output(DETOKENIZER)], &["", "genai", "optimum"]),
    ("diffusion", &[Text("unet/config.json", "\"in_channels\": 4", "\"cross_attention_dim\": 768, \"in_channels\": 4")], &["", "genai", "optimum"]),
    ("vision", &[Text("config.json", "\"image_token_index\": 32", "\"image_token_index\": 9000")], &["", "genai", "optimum"]),
    ("whisper", &[Text("config.json", "\"vocab_size\": 40", "\"vocab_size\": 51865")], &["", "genai", "optimum"]),
    ("llm", &[Write("config.json", "\u{feff}{\"eos_token_id\": 32}")], &["", "genai"]),
    ("diffusion", &[Text("model_index.json", "StableDiffusionPipeline", "ZImagePipeline"), Input("text_encoder/openvino_model.xml", "input_ids")], &["", "genai", "optimum"]),
    ("diffusion", &[Text("model_index.json", "StableDiffusionPipeline", "QwenImagePipeline")], &["", "genai", "optimum"]),
];

/// A pipeline, what is changed, and the help of the only finding for openvino.genai.
#[rustfmt::skip]
const HELP: &[(&str, &[Edit], &str)] = &[
    ("llm", &[Remove("openvino_detokenizer")], "in this folder, run `convert_tokenizer CHECKPOINT --with-detokenizer -o .`, with the checkpoint of the model"),
    ("llm", &[Remove("openvino_detokenizer"), Write("tokenizer.json", "{}")], "in this folder, run `convert_tokenizer . --with-detokenizer -o .`"),
    ("embedding", &[Remove("openvino_tokenizer"), Write("tokenizer.json", "{}")], "in this folder, run `convert_tokenizer . --with-detokenizer -o .`"),
    ("diffusion", &[Remove("tokenizer/openvino_tokenizer"), Write("tokenizer/tokenizer.json", "{}")], "in this folder, run `convert_tokenizer tokenizer --with-detokenizer -o tokenizer`"),
    ("llm", &[Write(GENERATION, "{\"eos_token_id\": \"2\"}")], "write `2` without quotes"),
    ("llm", &[Write(GENERATION, "{\"eos_token_id\": [2, \"3\"]}")], "write `[2,3]` without quotes"),
    ("llm", &[Write(GENERATION, "{\"eos_token_id\": 32, \"do_sample\": \"true\"}")], "write `true` without quotes"),
    ("llm", &[Write(GENERATION, "{\"eos_token_id\": \"</s>\"}")], "write `32`, as config.json does"),
    ("llm", &[Text("config.json", "\"eos_token_id\": 32", "\"eos_token_id\": \"</s>\"")], "write `32`, as generation_config.json does"),
    ("llm", &[Text("config.json", "\"eos_token_id\": 32,", ""), Write(GENERATION, "{\"eos_token_id\": \"</s>\"}"), Write("tokenizer_config.json", "{\"added_tokens_decoder\": {\"7\": {\"content\": \"</s>\"}}}")], "write `7`, the id of this token in tokenizer_config.json"),
    ("whisper", &[Text(PREPROCESSOR, "\"sampling_rate\": 16000", "\"sampling_rate\": \"16000\"")], "write `16000` without quotes"),
];

#[test]
fn findings_say_what_to_do() {
    for (name, edits, help) in HELP {
        let found = findings(planted(name, edits).path(), ["check", ".", "--for", "genai"]);
        let all: Vec<_> = found.iter().map(|one| one["help"].as_str().unwrap_or_default()).collect();
        assert_eq!(all, [*help], "{name}: {found:#?}");
    }
}

/// No other value is given for a value of which it is not known.
#[test]
fn nothing_is_made_up_for_a_value() {
    for (file, text) in [(PREPROCESSOR, "\"sampling_rate\": \"16 kHz\""), (PREPROCESSOR, "\"sampling_rate\": \"8000\"")]
    {
        let folder = planted("whisper", &[Text(file, "\"sampling_rate\": 16000", text)]);
        let found = findings(folder.path(), ["check", ".", "--for", "genai"]);
        assert!(found.len() == 1 && found[0]["help"].is_null(), "{found:#?}");
    }
}

#[test]
fn tokenizers_are_not_compiled_for_the_npu() {
    let folder = planted("llm", &[]);
    let rules = |loader| {
        let found = found(&folder, loader, &["--device", "npu"]);
        found.into_iter().map(|(_, rule, _)| rule).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(!rules("genai").contains("device-operation"), "{:?}", rules("genai"));
    assert!(rules("optimum").contains("device-operation"), "{:?}", rules("optimum"));
}

#[test]
fn what_is_usual_is_no_alarm() {
    for (name, edits, loaders) in USUAL {
        let folder = planted(name, edits);
        for loader in *loaders {
            assert_eq!(found(&folder, loader, &[]), [], "{name} for `{loader}`");
        }
    }
}

/// JSON that is hostile has a finding each, and nothing fails.
#[test]
fn hostile_json_is_a_finding() {
    let deep = "[".repeat(100_000);
    for text in [deep.as_str(), "{\"eos_token_id\": 1e999}", "\0\0\0", "{\"a\": \"\\ud800\"}"] {
        let folder = planted("llm", &[]);
        fs::write(folder.path().join("config.json"), text).unwrap();
        let found = found(&folder, "genai", &[]);
        assert!(found.iter().any(|(severity, rule, _)| severity == "error" && rule == CONFIG), "{found:?}");
    }
}

/// Of a file that is broken or has a value of another kind, nothing else is said.
#[test]
fn broken_json_has_one_finding() {
    for (name, file, text) in [
        ("whisper", GENERATION, "{"),
        ("whisper", PREPROCESSOR, "{"),
        ("diffusion", "scheduler/scheduler_config.json", "{"),
        ("diffusion", "vae_decoder/config.json", "{"),
        ("vision", "config.json", "{"),
        ("vision", "config.json", "{\"model_type\": 7}"),
        ("llm", GENERATION, "{"),
        ("llm", GENERATION, "{\"eos_token_id\": 1180591620717411303424}"),
    ] {
        let folder = planted(name, &[]);
        fs::write(folder.path().join(file), text).unwrap();
        let found = found(&folder, "genai", &[]);
        assert_eq!(found.len(), 1, "{name}, {file}: {found:#?}");
        assert!(!found[0].2.contains("9223372036854775807"), "{found:?}");
    }
}

/// A link that leads out of the folder is not read.
#[cfg(unix)]
#[test]
fn json_outside_of_the_folder_is_not_read() {
    let (folder, outside) = (planted("llm", &[]), tempfile::tempdir().unwrap());
    let secret = outside.path().join("secret.json");
    fs::write(&secret, "{ secret").unwrap();
    fs::remove_file(folder.path().join("config.json")).unwrap();
    std::os::unix::fs::symlink(&secret, folder.path().join("config.json")).unwrap();
    let found = found(&folder, "genai", &[]);
    let [(_, rule, message)] = found.as_slice() else { panic!("{found:?}") };
    assert!(rule == CONFIG && message.starts_with("cannot read the file") && !message.contains("secret"), "{message}");
}

/// A draft is compared with the model that it drafts for.
#[test]
fn drafts_fit_their_models() {
    let both = tempfile::tempdir().unwrap();
    for name in ["main", "draft"] {
        let folder = planted("llm", &[]);
        copy_folder(folder.path(), &{
            let path = both.path().join(name);
            fs::create_dir(&path).unwrap();
            path
        });
    }
    let check = |wanted: &[&str]| {
        let all = findings(both.path(), ["check", "main", "--draft", "draft", "--for", "genai"]);
        let messages: Vec<_> = all.iter().map(|one| one["message"].as_str().unwrap().to_owned()).collect();
        assert_eq!(messages, wanted);
    };
    check(&[]);
    let config = both.path().join("draft/config.json");
    let text = fs::read_to_string(&config).unwrap();
    fs::write(&config, text.replace("\"eos_token_id\": 32", "\"eos_token_id\": 31")).unwrap();
    check(&["`eos_token_id` of the draft is 31, that of the main model 32"]);
    fs::write(&config, text).unwrap();
    for name in ["openvino_tokenizer.xml", "openvino_tokenizer.bin"] {
        fs::remove_file(both.path().join("draft").join(name)).unwrap();
    }
    let all = findings(both.path(), ["check", "main", "--draft", "draft"]);
    let messages: Vec<_> = all.iter().map(|one| one["message"].as_str().unwrap()).collect();
    assert_eq!(
        messages,
        ["the folder has no `openvino_tokenizer.xml`: openvino.genai compares it with that of the main model"]
    );
}

/// A folder that is to be loaded and holds nothing but JSON.
#[test]
fn folders_without_models_are_named() {
    let both = tempfile::tempdir().unwrap();
    let (bare, whole) = (both.path().join("bare"), both.path().join("whole"));
    copy_folder(planted("llm", &[Remove("openvino_")]).path(), &bare);
    copy_folder(planted("llm", &[]).path(), &whole);
    let said =
        "ovlint: bare has a config.json, but no OpenVINO IR: export the model with `optimum-cli export openvino`\n";
    let run = |arguments: &[&str]| {
        let out = ovlint(both.path(), arguments.iter().copied());
        (code(&out), utf8(&out.stderr))
    };
    assert_eq!(run(&["check", "bare", "whole", "--for", "genai"]), (3, said.to_owned()));
    let nothing = "ovlint: no OpenVINO IR found in the given paths\n";
    assert_eq!(run(&["check", "bare"]), (3, format!("{said}{nothing}")));
    // Only a loader wants every folder.
    assert_eq!(run(&["check", "bare", "whole"]), (0, String::new()));
}

/// A baseline holds findings about JSON files and folders by the key or the missing file, and no others.
#[test]
fn baselines_hold_findings_about_files_that_are_no_models() {
    let text = |value: &str| format!("{{\"eos_token_id\": 32, {value}}}");
    let folder = planted("llm", &[Remove("openvino_detokenizer")]);
    let write = |value: &str| fs::write(folder.path().join(GENERATION), text(value)).unwrap();
    let run = |arguments: &[&str]| {
        let out = ovlint(folder.path(), ["check", ".", "--for", "genai"].iter().chain(arguments).copied());
        (code(&out), utf8(&out.stdout), utf8(&out.stderr))
    };
    write("\"top_k\": \"x\"");
    let (_, _, err) = run(&["--write-baseline", "known.json"]);
    assert!(err.starts_with("ovlint: wrote known.json: 2 findings in 2 files"), "{err}");
    let (code, out, _) = run(&["--baseline", "known.json"]);
    assert!(code == 0 && out.contains("no new problems (2 in the baseline)"), "{out}");
    write("\"top_k\": \"y\"");
    assert_eq!(run(&["--baseline", "known.json"]).0, 0);
    write("\"num_beams\": \"x\"");
    let (code, out, _) = run(&["--baseline", "known.json"]);
    assert!(code == 1 && out.contains("`num_beams` is the string") && !out.contains("detokenizer.xml"), "{out}");
    assert_eq!(run(&["--baseline", "known.json", "--no-suppressions", "--format", "concise"]).1.lines().count(), 2);
}

/// The architecture of the configuration of a folder.
fn of_architecture(folder: &TempDir, name: &str) {
    fs::write(folder.path().join("config.json"), format!("{{\"model_type\": \"x\", \"architectures\": [\"{name}\"]}}"))
        .unwrap();
}

/// openvino.genai has no pipeline for many models that optimum-intel loads.
#[test]
fn models_without_a_pipeline_of_openvino_genai_are_named() {
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/bad/genai-model");
    let alone = || {
        let folder = tempfile::tempdir().unwrap();
        for end in ["xml", "bin"] {
            let from = picture.join(format!("model.{end}"));
            if from.exists() {
                fs::copy(from, folder.path().join(format!("openvino_model.{end}"))).unwrap();
            }
        }
        folder
    };
    let other = || planted("embedding", &[Text(MODEL, "\"last_hidden_state\"", "\"hidden\"")]);
    for (folder, name) in [(alone(), "ViTForImageClassification"), (other(), "DebertaV2ForTokenClassification")] {
        of_architecture(&folder, name);
        let message = format!("openvino.genai has no pipeline for the architecture `{name}`");
        assert_eq!(found(&folder, "genai", &[]), [("error".to_owned(), "genai-model".to_owned(), message)]);
        for loader in ["", "optimum"] {
            assert_eq!(found(&folder, loader, &[]), [], "{name} for `{loader}`");
        }
    }
    // A model that compares pictures with texts embeds no texts.
    let folder = other();
    rewritten(&folder.path().join(MODEL), &|text| {
        with_input(text, "names=\"attention_mask\"").replace("names=\"extra\"", "names=\"pixel_values\"")
    });
    of_architecture(&folder, "CLIPModel");
    let [(_, _, message)] = &found(&folder, "genai", &[])[..] else { panic!() };
    assert_eq!(message, "openvino.genai has no pipeline for the architecture `CLIPModel`");
    // Nothing says which kind of model this is.
    let [(_, _, message)] = &found(&alone(), "genai", &[])[..] else { panic!() };
    assert!(message.starts_with("openvino.genai cannot run this as a language model"), "{message}");
}

/// Models of speech have pipelines of their own.
#[test]
fn models_of_speech_are_not_held_against_demands_of_other_kinds() {
    for name in ["SpeechT5ForTextToSpeech", "KokoroModel"] {
        for sample in ["whisper", "embedding"] {
            let folder = planted(sample, &[]);
            of_architecture(&folder, name);
            assert_eq!(found(&folder, "genai", &[]), [], "{name} as {sample}");
        }
    }
}

/// The file of the finding about a link, its related places and its help.
fn link(folder: &Path, message: &str) -> (String, Vec<String>, String) {
    let all = findings(folder, ["check", "."]);
    let is_it = |one: &&serde_json::Value| one["rule"] == LINK && one["message"].as_str().unwrap().starts_with(message);
    let found = all.iter().find(is_it).unwrap_or_else(|| panic!("{message}: {all:#?}"));
    let text = |value: &serde_json::Value| value.as_str().unwrap().trim_start_matches("./").to_owned();
    let related = found["related"].as_array().unwrap().iter();
    let related = related.map(|one| format!("{}: {}", text(&one["file"]), text(&one["message"]))).collect();
    (text(&found["file"]), related, text(&found["help"]))
}

/// A diffusion pipeline with a second text encoder, which outputs size 24 and whose configuration says something else or not.
fn with_second_encoder(states: &str) -> TempDir {
    let folder = planted("diffusion", &[]);
    let wide = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/bad/pipeline-link/diffusion/text_encoder");
    copy_folder(&wide, &folder.path().join("text_encoder_2"));
    rewritten(&folder.path().join("text_encoder_2/config.json"), &|text| {
        text.replace("\"hidden_size\": 24", &format!("\"hidden_size\": {states}"))
    });
    folder
}

/// Of models that do not fit, the one is to be changed that is not what its configuration says.
#[test]
fn models_are_held_against_their_own_configuration() {
    const SECOND: &str = "text_encoder_2/openvino_model.xml";
    let message = "`encoder_hidden_states` of unet has size 16 in its last dimension, but text_encoder and text_encoder_2 output sizes 16 and 24";
    let wide = "`last_hidden_state` is f32[?,77,24]";
    let (file, related, help) = link(with_second_encoder("24").path(), message);
    assert_eq!((file.as_str(), help.as_str()), (UNET, "export all three from the same checkpoint"));
    let first = "text_encoder/openvino_model.xml: `last_hidden_state` is f32[?,77,16]";
    assert_eq!(related, [first.to_owned(), format!("{SECOND}: {wide}")]);
    let (file, related, help) = link(with_second_encoder("40").path(), message);
    assert_eq!(file, SECOND);
    assert_eq!(related[2], "text_encoder_2/config.json: `hidden_size` is 40");
    assert_eq!(
        help,
        "`text_encoder_2/openvino_model.xml` is not the model that `text_encoder_2/config.json` describes: export it again"
    );
}

#[test]
fn the_only_text_encoder_is_held_against_its_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("ir-samples/bad/pipeline-link/diffusion");
    copy_folder(&sample, folder.path());
    let message = "`encoder_hidden_states` of unet has size 16 in dimension 2, but text_encoder outputs size 24";
    assert_eq!(link(folder.path(), message).0, UNET);
    let config = folder.path().join("text_encoder/config.json");
    rewritten(&config, &|text| text.replace("\"hidden_size\": 24", "\"hidden_size\": 16"));
    let (file, related, _) = link(folder.path(), message);
    assert_eq!(file, "text_encoder/openvino_model.xml");
    assert_eq!(
        related,
        [
            "unet/openvino_model.xml: `encoder_hidden_states` is f32[?,77,16]",
            "text_encoder/config.json: `hidden_size` is 16"
        ]
    );
}

/// Whisper and vision-language models have one configuration for all members.
#[test]
fn members_are_held_against_the_configuration_of_the_pipeline() {
    const TEXTS: &str = "openvino_text_embeddings_model.xml";
    for (sample, taker, shape, states, message, files) in [
        (
            "whisper",
            DECODER,
            ["shape=\"?,?,8\"", "shape=\"?,?,16\""],
            ["\"d_model\": 8", "\"d_model\": 16"],
            "`encoder_hidden_states` of decoder has size 16 in dimension 2, but encoder outputs size 8",
            [DECODER, ENCODER],
        ),
        (
            "vision",
            LANGUAGE,
            ["shape=\"?,?,16\"", "shape=\"?,?,24\""],
            ["\"hidden_size\": 16", "\"hidden_size\": 24"],
            "`inputs_embeds` of language has size 24 in dimension 2, but text embeddings outputs size 16",
            [LANGUAGE, TEXTS],
        ),
    ] {
        let folder = planted(sample, &[Text(taker, shape[0], shape[1])]);
        for (file, states) in files.into_iter().zip(states) {
            let config = folder.path().join("config.json");
            let text = fs::read_to_string(&config).unwrap();
            let key = states.split(':').next().unwrap();
            let start = text.find(key).unwrap();
            let end = start + text[start..].find([',', '\n']).unwrap();
            fs::write(&config, format!("{}{states}{}", &text[..start], &text[end..])).unwrap();
            let (found, related, _) = link(folder.path(), message);
            assert_eq!(found, file, "{states}");
            assert!(related.iter().any(|one| one.starts_with("config.json: `")), "{related:?}");
        }
    }
}

/// A tokenizer that no loader would find is held to no demand of language models.
#[test]
fn tokenizers_by_another_name_have_one_finding() {
    let folder = planted("llm", &[]);
    for end in ["xml", "bin"] {
        let from = folder.path().join(format!("openvino_tokenizer.{end}"));
        fs::rename(from, folder.path().join(format!("other.{end}"))).unwrap();
    }
    let found = found(&folder, "genai", &[]);
    let of_recipe: Vec<_> = found.iter().filter(|(_, rule, _)| rule.starts_with("genai-")).collect();
    let [(_, rule, message)] = of_recipe.as_slice() else { panic!("{found:#?}") };
    assert_eq!(rule, "genai-model");
    assert_eq!(message, "openvino.genai cannot run this as a language model: it takes texts, as a tokenizer does");
}

/// Of a text encoder that is missing, it is not said that it does not fit; openvino.genai takes the first output of the second
/// one for the projected text.
#[test]
fn a_second_text_encoder_is_there_and_projects() {
    let index = "\"text_encoder_2\": [\"transformers\", \"CLIPTextModelWithProjection\"], \"unet\"";
    let edits = [Text("model_index.json", "\"unet\"", index), Text(UNET, "shape=\"?,77,16\"", "shape=\"?,77,40\"")];
    let all = found(&planted("diffusion", &edits), "", &[]);
    assert!(!all.iter().any(|(_, rule, _)| rule == LINK), "{all:#?}");
    let folder = with_second_encoder("24");
    let names = "names=\"encoder_hidden_states\"";
    rewritten(&folder.path().join(UNET), &|text| {
        with_input(text, names).replace("names=\"extra\"", "names=\"text_embeds\"")
    });
    let wanted = "output `last_hidden_state` of text_encoder_2 is f32[?,77,24], wanted f32[?,?]";
    let all = found(&folder, "genai", &[]);
    assert!(all.iter().any(|(_, rule, message)| rule == TENSOR && message == wanted), "{all:#?}");
}

/// The second text encoder also gives what its projection makes of a text.
#[test]
fn projected_texts_fit_the_unet() {
    let folder = with_second_encoder("24");
    let at = |name: &str| folder.path().join(name);
    rewritten(&at("text_encoder_2/openvino_model.xml"), &|text| {
        text.replace("\"last_hidden_state\"", "\"last_hidden_state,text_embeds\"")
    });
    let names = "names=\"encoder_hidden_states\"";
    rewritten(&at(UNET), &|text| with_input(text, names).replace("names=\"extra\"", "names=\"text_embeds\""));
    let (file, ..) =
        link(folder.path(), "`text_embeds` of unet has size 16 in dimension 2, but text_encoder_2 outputs size 24");
    assert_eq!(file, UNET);
}
