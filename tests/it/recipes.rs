//! What recipes find: each fault is planted in a model that has none.

use crate::docs::assert_written;
use crate::program::{code, findings, ovlint, utf8};
use crate::reported_faults;
use ovlint::internal::diagnostic::Severity;
use ovlint::internal::ops::advisories::{ADVISORIES, Advisory};
use ovlint::internal::recipe::RECIPES;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

type Edits = &'static [(&'static str, &'static str)];

/// A fault planted in a model that has none.
struct Fault {
    /// The model, in `tests/data`.
    model: &'static str,
    /// What is replaced in its text.
    edits: Edits,
    /// A file beside it, its text, and what is replaced in that.
    beside: Option<(&'static str, &'static str, Edits)>,
    recipe: &'static str,
    rule: &'static str,
    /// The whole message.
    message: &'static str,
}

const LLM: &str = "llm";
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

const U4: &str = "llm-u4";
const DETECTOR: &str = "detector";

/// The configuration of Triton that fits the detector.
const PBTXT: (&str, &str) = ("detector/config.pbtxt", include_str!("../data/detector/config.pbtxt"));

/// A model whose Reshape keeps the batch, with two other targets behind that in its weights, which do not.
const CLASSIFIER: &str = "classifier";
const CLASSES: &str = include_str!("../data/classifier/config.pbtxt");

/// The configuration of OpenVINO Model Server that fits it.
const SERVER: (&str, &str) = ("config.json", include_str!("../data/detector/config.json"));

/// Where the model is, for the sake of servers.
const MODEL: &str = "detector/1/model.xml";

const FAULTS: &[Fault] = &[
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
        message: "the model has no variables: it does not keep its past",
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
        message: "`attention` (ScaledDotProductAttention) takes a key that is not the past of a variable and the \
              present: `past_key` (ReadValue) has no initial value",
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
        message: "`attention` (ScaledDotProductAttention) takes a key that is not the past of a variable and the \
              present: `all_key` (Concat) starts with `past_key` (ReadValue), wanted a Gather (opset8) of a ReadValue",
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
        message: "this is not a language model: it has none of the inputs of one, and no variables",
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
        message: "variable `layer_0_key` is not named like `past_key_values.0.keypresent.0.key`",
    },
    Fault {
        model: U4,
        edits: &[],
        beside: None,
        recipe: "genai-npu",
        rule: "npu-llm-weights",
        message: "weights are u4 in groups of 2, with zero points; documented for the NPU: symmetric weights",
    },
    Fault {
        model: U4,
        edits: &[("name=\"key_shifted\" type=\"Subtract\"", "name=\"key_shifted\" type=\"Multiply\"")],
        beside: None,
        recipe: "genai-npu",
        rule: "npu-llm-weights",
        message: "weights are u4 by channel; documented for the NPU: i4 or nf4",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("\"images\"", "\"image\"")])),
        recipe: "triton",
        rule: "triton-port",
        message: "config.pbtxt line 4: the model has no input `image`; did you mean `images`?",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("input [", "input [ { name: \"mask\" dims: 1 },")])),
        recipe: "triton",
        rule: "triton-port",
        message: "config.pbtxt line 3: the model has no input `mask`",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("\"scores\"", "\"boxes\"")])),
        recipe: "triton",
        rule: "triton-port",
        message: "config.pbtxt line 11: the model has no output `boxes`",
    },
    Fault {
        model: DETECTOR,
        edits: &[(" names=\"scores\"", "")],
        beside: Some((PBTXT.0, PBTXT.1, &[])),
        recipe: "triton",
        rule: "triton-port",
        message: "the tensor of output `result` (Result) has no name",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("max_batch_size: 8", "max_batch_size: 0")])),
        recipe: "triton",
        rule: "triton-shape",
        message: "input `images` is [?,3,8,8], config.pbtxt wants [3,8,8]",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("dims: [ 3, 8, 8 ]", "dims: [ 8, 8, 3 ]")])),
        recipe: "triton",
        rule: "triton-shape",
        message: "output `scores` is [8,3,8,8] with a batch of 8, config.pbtxt wants [8,8,8,3]",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("dims: [ 3, 8, 8 ]", "dims: [ 3, 8, -1 ]")])),
        recipe: "triton",
        rule: "triton-shape",
        message: "output `scores` is [8,3,8,8] with a batch of 8, config.pbtxt wants [8,3,8,?]",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("dims: [ 3, 8, 8 ]", "dims: [ 192 ] reshape { shape: [ 3, 64 ] }")])),
        recipe: "triton",
        rule: "triton-shape",
        message: "input `images` is [?,3,8,8], config.pbtxt wants [8,3,64]",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("TYPE_FP32", "TYPE_STRING")])),
        recipe: "triton",
        rule: "triton-type",
        message: "input `images` has the type TYPE_STRING, which the backend does not know",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("data_type: TYPE_FP32\n", "")])),
        recipe: "triton",
        rule: "triton-type",
        message: "input `images` has no `data_type`",
    },
    Fault {
        model: DETECTOR,
        edits: &[("names=\"images\"", "names=\"images,data\"")],
        beside: Some((PBTXT.0, PBTXT.1, &[])),
        recipe: "triton",
        rule: "triton-port",
        message: "config.pbtxt line 4: input `images` goes by its other name `data`",
    },
    Fault {
        model: CLASSIFIER,
        edits: &[(
            "<layer id=\"1\" name=\"lengths\" type=\"Const\" version=\"opset1\">
			<data element_type=\"i64\" shape=\"2\" offset=\"0\" size=\"16\" />",
            "<layer id=\"1\" name=\"lengths\" type=\"Parameter\" version=\"opset1\">
			<data element_type=\"i64\" shape=\"2\" />",
        )],
        beside: Some((PBTXT.0, CLASSES, &[])),
        recipe: "triton",
        rule: "triton-batch",
        message: "the inputs have different batches: `images` is [1,3,8,8], `lengths` (without a tensor name) is [2]",
    },
    Fault {
        model: CLASSIFIER,
        edits: &[("offset=\"0\"", "offset=\"16\"")],
        beside: Some((PBTXT.0, CLASSES, &[])),
        recipe: "triton",
        rule: "triton-batch",
        message: "the model does not take a batch of 8: 1536 elements do not fit the shape [1,192], which has 192",
    },
    Fault {
        model: CLASSIFIER,
        edits: &[("offset=\"0\"", "offset=\"32\"")],
        beside: Some((PBTXT.0, CLASSES, &[])),
        recipe: "triton",
        rule: "triton-shape",
        message: "output `scores` is [1,1536] with a batch of 8, config.pbtxt wants [8,192]",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("TYPE_FP32", "TYPE_UINT8")])),
        recipe: "triton",
        rule: "triton-type",
        message: "input `images` is f32, wanted TYPE_UINT8: the backend converts it",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("[ 3, 8, 8 ]", "[ 3, 8 8 ]")])),
        recipe: "triton",
        rule: "triton-config",
        message: "config.pbtxt line 7: found `8`, wanted `,` or `]`",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("max_batch_size: 8", "max_batch_size: many")])),
        recipe: "triton",
        rule: "triton-config",
        message: "config.pbtxt line 2: `max_batch_size` is not an integer",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("max_batch_size", "max_batchsize")])),
        recipe: "triton",
        rule: "triton-config",
        message: "config.pbtxt line 2: Triton has no field `max_batchsize`; did you mean `max_batch_size`?",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("dims", "shape")])),
        recipe: "triton",
        rule: "triton-config",
        message: "config.pbtxt line 7: Triton has no field `shape`; did you mean `reshape`?",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("backend:", "name: \"segmenter\" backend:")])),
        recipe: "triton",
        rule: "triton-layout",
        message: "config.pbtxt names the model `segmenter`, its folder is `detector`",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((PBTXT.0, PBTXT.1, &[("backend:", "default_model_filename: \"net.xml\" backend:")])),
        recipe: "triton",
        rule: "triton-layout",
        message: "the file is called `model.xml`, wanted `net.xml`",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"images\"", "\"image\"")])),
        recipe: "ovms",
        rule: "ovms-config",
        message: "config.json, model `detector`: `shape` names `image`, which the model does not have; did you mean `images`?",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("(1,3,8,8)", "(1,8,8)")])),
        recipe: "ovms",
        rule: "ovms-config",
        message: "config.json, model `detector`: `shape` (1,8,8) has 3 lengths, input `images` is [?,3,8,8]",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"shape\"", "\"shapes\"")])),
        recipe: "ovms",
        rule: "ovms-schema",
        message: "config.json, model `detector`: the model server has no key `shapes`; did you mean `shape`?",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"shape\"", "\"stateful\": true, \"shape\"")])),
        recipe: "ovms",
        rule: "ovms-schema",
        message: "config.json, model `detector`: the model server has no key `stateful` since 2026.3",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"(1,3,8,8)\"", "[1, 3, 8, 8]")])),
        recipe: "ovms",
        rule: "ovms-schema",
        message: "config.json, model `detector`: `shape` is an object, wanted a string or an object of strings",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"name\": \"detector\", ", "")])),
        recipe: "ovms",
        rule: "ovms-schema",
        message: "config.json, entry 0 of `model_config_list`: there is no `name`",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("]", "], }")])),
        recipe: "ovms",
        rule: "ovms-schema",
        message: "config.json: trailing comma at line 4 column 6",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((
            SERVER.0,
            SERVER.1,
            &[("\"shape\"", "\"layout\": \"{\\\"image\\\": \\\"NHWC:NCHW\\\"}\", \"shape\"")],
        )),
        recipe: "ovms",
        rule: "ovms-config",
        message: "config.json, model `detector`: `layout` names `image`, which the model does not have; did you mean `images`?",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some(("detector/1/mapping_config.json", "{\"inputs\": {\"image\": \"x\"}}", &[])),
        recipe: "ovms",
        rule: "ovms-config",
        message: "mapping_config.json: `inputs` names `image`, which the model does not have; did you mean `images`?",
    },
];

/// A folder with a model of `tests/data` with these edits, and its weights if it has some.
fn planted(model: &str, edits: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(model).join(model);
    let text = edited(&fs::read_to_string(path.with_extension("xml")).unwrap(), edits);
    let planted = folder.path().join(MODEL);
    fs::create_dir_all(planted.parent().unwrap()).unwrap();
    fs::write(&planted, text).unwrap();
    if path.with_extension("bin").exists() {
        fs::copy(path.with_extension("bin"), planted.with_extension("bin")).unwrap();
    }
    folder
}

fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

/// A folder with the model of a fault and what is beside it.
fn faulty(fault: &Fault) -> TempDir {
    let folder = planted(fault.model, fault.edits);
    if let Some((path, text, edits)) = fault.beside {
        fs::write(folder.path().join(path), edited(text, edits)).unwrap();
    }
    folder
}

/// The rules and messages of what a recipe finds in a folder.
fn found(folder: &TempDir, recipe: &str) -> Vec<(String, String)> {
    let all = findings(folder.path(), ["check", MODEL, "--for", recipe, "--select", "recipe"]);
    let text = |finding: &serde_json::Value, field: &str| finding[field].as_str().unwrap().to_owned();
    all.iter().map(|finding| (text(finding, "rule"), text(finding, "message"))).collect()
}

#[test]
fn planted_faults_are_found() {
    for fault in FAULTS {
        let found = found(&faulty(fault), fault.recipe);
        let is_found = found.iter().any(|(rule, message)| rule == fault.rule && message == fault.message);
        assert!(is_found, "{}: {}\n{found:#?}", fault.rule, fault.message);
    }
}

#[test]
fn working_models_follow_their_recipes() {
    let beside: [&[(&str, &str)]; 3] = [&[], &[PBTXT, SERVER], &[(PBTXT.0, CLASSES)]];
    let models = [(LLM, ["genai", "genai-npu"]), (DETECTOR, ["ovms", "triton"]), (CLASSIFIER, ["ovms", "triton"])];
    for ((model, recipes), beside) in models.into_iter().zip(beside) {
        let folder = planted(model, &[]);
        for (path, text) in beside {
            fs::write(folder.path().join(path), text).unwrap();
        }
        for recipe in recipes {
            assert_eq!(found(&folder, recipe), [], "{recipe}");
        }
    }
}

/// The `config.json` of a language model is not for the server.
#[test]
fn configurations_of_something_else_are_left_alone() {
    let folder = planted(DETECTOR, &[]);
    fs::write(folder.path().join("detector/1/config.json"), r#"{"architectures": ["LlamaForCausalLM"]}"#).unwrap();
    assert_eq!(found(&folder, "ovms"), []);
    let message = "config.json: there is no `model_config_list`";
    assert_eq!(found(&folder, "ovms=detector/1/config.json")[1], ("ovms-schema".to_owned(), message.to_owned()));
}

#[test]
fn what_constants_decide_is_not_guessed() {
    let folder = planted(LLM, &[]);
    for flags in [["--weights", "skip"], ["--shape", "input_ids[1,4],position_ids[1,4]"]] {
        let arguments = ["check", MODEL, "--for", "genai", "--select", "recipe"];
        assert_eq!(findings(folder.path(), arguments.into_iter().chain(flags)).len(), 0, "{flags:?}");
    }
}

/// What only `compile_model` rejects is fine for a pipeline.
#[test]
fn dynamic_inputs_are_fine_for_a_pipeline_on_the_npu() {
    let count = |edits: &[(&str, &str)], arguments: &[&str]| {
        let folder = planted(LLM, edits);
        let all = findings(folder.path(), ["check", MODEL, "--device", "npu"].iter().chain(arguments).copied());
        all.iter().filter(|finding| finding["rule"] == "dynamic-input-for-device").count()
    };
    assert_eq!(count(&[], &[]), 1);
    assert_eq!(count(&[], &["--for", "genai"]), 1);
    assert_eq!(count(&[], &["--for", "genai-npu"]), 0);
    // No pipeline runs this one.
    assert_eq!(count(&[("names=\"beam_idx\"", "names=\"beams\"")], &["--for", "genai-npu"]), 4);
}

/// The one thing that is wrong, not all that follows from it.
#[test]
fn a_model_of_another_kind_is_one_finding() {
    for recipe in ["genai", "genai-npu"] {
        assert_eq!(found(&planted(DETECTOR, &[]), recipe).len(), 1, "{recipe}");
    }
}

#[test]
fn every_rule_finds_a_planted_fault() {
    let rows = || RECIPES.iter().flat_map(|recipe| recipe.rows.iter().map(move |row| (recipe.name, row.rule.name)));
    // The place of a model is not in its text.
    for (recipe, rule) in rows().filter(|(_, rule)| *rule != "ovms-layout") {
        let mut faults = FAULTS.iter();
        assert!(faults.any(|fault| fault.rule == rule), "{recipe}: {rule}");
    }
    for fault in FAULTS {
        assert!(rows().any(|row| row == (fault.recipe, fault.rule)), "{}: {}", fault.recipe, fault.rule);
    }
}

#[test]
fn recipes_are_asked_for() {
    let folder = planted(LLM, &[("names=\"beam_idx\"", "names=\"beams\"")]);
    let check = |arguments: &[&str]| {
        let out = ovlint(folder.path(), ["check", MODEL, "--format", "concise"].iter().chain(arguments).copied());
        (utf8(&out.stdout).lines().filter(|line| line.contains("[genai-stateless]")).count(), code(&out))
    };
    assert_eq!(check(&[]), (0, 0));
    assert_eq!(check(&["--for", "genai"]), (1, 1));
    assert_eq!(check(&["--for", "genai,genai"]), (1, 1));
    assert_eq!(check(&["--for", "genai", "--ignore", "recipe"]), (0, 0));
    assert_eq!(check(&["--for", "genai", "--severity", "genai-stateless=warning"]), (1, 0));
    let configure = |text: &str| fs::write(folder.path().join("ovlint.toml"), text).unwrap();
    configure("for = ['genai']");
    assert_eq!(check(&[]), (1, 1));
    configure("[[per-file]]\nfiles = 'm*.xml'\nfor = ['genai']");
    assert_eq!(check(&[]), (1, 1));
    configure("[[per-file]]\nfiles = 'other.xml'\nfor = ['genai']");
    assert_eq!(check(&[]), (0, 0));
    let unknown = ovlint(folder.path(), ["check", MODEL, "--for", "genia"]);
    assert!(utf8(&unknown.stderr).contains("there is no recipe `genia`; did you mean `genai`?"), "{unknown:?}");
}

#[test]
fn files_of_servers_may_be_elsewhere() {
    let folder = planted(DETECTOR, &[]);
    let check = |arguments: &[&str]| findings(folder.path(), ["check", MODEL].iter().chain(arguments).copied()).len();
    assert_eq!(check(&["--for", "triton"]), 0);
    fs::write(folder.path().join("other.pbtxt"), PBTXT.1.replace("images", "image")).unwrap();
    assert_eq!(check(&["--for", "triton"]), 0);
    assert_eq!(check(&["--for", "triton=other.pbtxt"]), 1);
    fs::write(folder.path().join("ovlint.toml"), "for = ['triton=other.pbtxt']").unwrap();
    assert_eq!(check(&[]), 1);
    let missing = findings(folder.path(), ["check", MODEL, "--for", "triton=missing.pbtxt"]);
    assert!(missing[0]["message"].as_str().unwrap().starts_with("cannot read missing.pbtxt: "), "{missing:#?}");
    let refused = ovlint(folder.path(), ["check", MODEL, "--for", "genai=x"]);
    assert!(utf8(&refused.stderr).contains("recipe `genai` reads no file beside the model"), "{refused:?}");
}

#[test]
fn servers_want_versions() {
    let folder = planted(DETECTOR, &[]);
    fs::rename(folder.path().join("detector/1"), folder.path().join("detector/latest")).unwrap();
    for (recipe, message) in [
        ("triton", "the model is in folder `latest`, wanted a version, which is a number"),
        ("ovms", "the model is in folder `latest`, wanted a version, which is a number above 0"),
    ] {
        let found = findings(folder.path(), ["check", "detector/latest/model.xml", "--for", recipe]);
        assert_eq!(found.iter().map(|finding| finding["message"].as_str().unwrap()).collect::<Vec<_>>(), [message]);
    }
}

/// What nobody looked for is not gone.
#[test]
fn a_baseline_keeps_what_recipes_found() {
    let folder = planted(LLM, &[("names=\"beam_idx\"", "names=\"beams\"")]);
    let check = |arguments: &[&str]| ovlint(folder.path(), ["check", MODEL].iter().chain(arguments).copied());
    check(&["--for", "genai", "--write-baseline", "known"]);
    let out = utf8(&check(&["--baseline", "known", "--format", "concise"]).stdout);
    assert_eq!(out, "");
    let out = utf8(&check(&["--baseline", "known", "--format", "concise", "--for", "genai"]).stdout);
    assert_eq!(out, "");
}

/// The advisories, as a table.
fn reported_defects() -> String {
    let mut text = "\n## Reported defects of devices\n\n`--device` reports the layers that a defect of OpenVINO fits, as \
                    [`reported-defect`](rules/reported-defect.md). Read on 2026-11-23.\n\n| device | layer | releases |\n|---|---|---|\n"
        .to_owned();
    for advisory in &ADVISORIES {
        let Advisory { device, operation, what, thread, .. } = advisory;
        let (number, releases) = (thread.rsplit('/').next().unwrap(), advisory.releases());
        let _ = writeln!(text, "| {device} | {operation} {what} | {releases}: [openvino {number}]({thread}) |");
    }
    text
}

#[test]
fn the_page_lists_rules_sources_and_reports() {
    let mut text = "## Rules\n".to_owned();
    for recipe in RECIPES {
        let _ = write!(
            text,
            "\n### {}\n\nFor {}. Compared with its sources on {}.\n\n| rule | severity | source |\n|---|---|---|\n",
            recipe.name, recipe.summary, recipe.date
        );
        for row in recipe.rows {
            let severity = if row.rule.severity == Severity::Error { "error" } else { "warning" };
            let _ = writeln!(text, "| [`{0}`](rules/{0}.md) | {severity} | {1} |", row.rule.name, row.source);
        }
    }
    text.push_str(&reported_defects());
    text.push_str(&reported_faults::table());
    let page = fs::read_to_string("docs/recipes.md").unwrap();
    let (by_hand, _) = page.split_once("## Rules\n").unwrap();
    assert_written("docs/recipes.md", &format!("{by_hand}{text}"));
}
