//! What is found in repositories of OpenVINO Model Server: each fault is planted in one that the server loads.

use crate::program::{copy_folder, findings};
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// A graph of the server for a language model, one option in a line.
const GRAPH: &str = r#"input_stream: "HTTP_REQUEST_PAYLOAD:input"
output_stream: "HTTP_RESPONSE_PAYLOAD:output"
node: {
  name: "Executor"
  calculator: "HttpLLMCalculator"
  input_side_packet: "LLM_NODE_RESOURCES:llm"
  node_options: {
    [type.googleapis.com / mediapipe.LLMCalculatorOptions]: {
      models_path: "./",
      plugin_config: '{"KV_CACHE_PRECISION": "u8"}',
      cache_size: 0
    }
  }
}
"#;

/// The graph for another calculator.
fn graph_of(calculator: &str) -> String {
    let options = calculator.trim_start_matches("Http");
    GRAPH.replace("LLMCalculatorOptions", &format!("{options}Options")).replace("HttpLLMCalculator", calculator)
}

/// A configuration with two models and a pipeline of both, and one with a graph.
const CONFIG: &str = r#"{
  "model_config_list": [
    { "config": { "name": "first", "base_path": "/models/first" } },
    { "config": { "name": "second", "base_path": "second" } }
  ],
  "pipeline_config_list": [
    {
      "name": "both",
      "inputs": ["picture"],
      "nodes": [
        {
          "name": "a",
          "type": "DL model",
          "model_name": "first",
          "inputs": [{ "images": { "node_name": "request", "data_item": "picture" } }],
          "outputs": [{ "data_item": "scores", "alias": "kept" }]
        },
        {
          "name": "b",
          "type": "DL model",
          "model_name": "second",
          "inputs": [{ "images": { "node_name": "a", "data_item": "kept" } }],
          "outputs": [{ "data_item": "scores", "alias": "result" }]
        }
      ],
      "outputs": [{ "scores": { "node_name": "b", "data_item": "result" } }]
    }
  ]
}
"#;

const LISTED: &str = r#"{
  "model_config_list": [],
  "mediapipe_config_list": [
    { "name": "llm" }
  ]
}
"#;

type Edits = &'static [(&'static str, &'static str)];

fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    edits.iter().fold(text.to_owned(), |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

fn data(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A repository with a sample pipeline in `llm`, with a graph.
fn generative(sample: &str, graph: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("llm")).unwrap();
    copy_folder(&data("ir-samples/pipelines").join(sample), &folder.path().join("llm"));
    fs::write(folder.path().join("llm/graph.pbtxt"), graph).unwrap();
    folder
}

/// A repository with two detectors and a pipeline of both; `edits` are of the second model.
fn classic(config: &str, edits: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(data("tests/data/detector/detector.xml")).unwrap();
    for (name, text) in [("first", text.clone()), ("second", edited(&text, edits))] {
        fs::create_dir_all(folder.path().join(name).join("1")).unwrap();
        fs::write(folder.path().join(name).join("1/model.xml"), text).unwrap();
    }
    fs::write(folder.path().join("config.json"), config).unwrap();
    folder
}

/// A finding: severity, rule, line in its file, and message.
type Found = (String, String, u64, String);

/// The findings about files of the server in what `arguments` name.
fn found(folder: &TempDir, arguments: &[&str]) -> Vec<Found> {
    let all = findings(folder.path(), ["check"].iter().chain(arguments).chain(&["--for", "ovms"]).copied());
    let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
    let line = |one: &serde_json::Value| one["range"]["start"]["line"].as_u64().unwrap_or_default();
    all.iter().map(|one| (text(one, "severity"), text(one, "rule"), line(one), text(one, "message"))).collect()
}

/// A fault of a graph: the sample, the calculator, the edits, and the finding with its line and the start of its message.
struct Fault(&'static str, &'static str, Edits, &'static str, u64, &'static str);

const LLM: &str = "HttpLLMCalculator";
const EMBEDDINGS: &str = "EmbeddingsCalculatorOV";
const RERANK: &str = "RerankCalculatorOV";
const IMAGES: &str = "ImageGenCalculator";
const SPEECH: &str = "S2tCalculator";
const MODELS: &str = "      models_path: \"./\",\n";
const PLUGIN: &str = "'{\"KV_CACHE_PRECISION\": \"u8\"}'";

#[rustfmt::skip]
const FAULTS: &[Fault] = &[
    Fault("llm", LLM, &[("  name: \"Executor\"\n", "")], "error", 3, "a node of the calculator `LLMCalculator` has no name"),
    Fault("llm", LLM, &[("\"Executor\"", "\"\"")], "error", 3, "a node of the calculator `LLMCalculator` has no name"),
    Fault("llm", LLM, &[("node: {\n  name", "node { name: \"Executor\" calculator: \"LLMCalculator\" node_options { [x/mediapipe.LLMCalculatorOptions] { models_path: \"\" } } }\nnode: {\n  name")], "error", 4, "another node is called `Executor`, too"),
    Fault("llm", LLM, &[("node: {\n  name", "# type.googleapis.com\nnode { name: \"b\" calculator: \"HttpLLMCalculator\" }\nnode: {\n  name")], "error", 4, "a node of the calculator `LLMCalculator` has no `node_options`"),
    Fault("llm", LLM, &[(MODELS, "")], "error", 8, "the options have no `models_path`"),
    Fault("llm", LLM, &[("\"./\"", "\"./model\"")], "error", 9, "`models_path`: there is no folder `./model`"),
    Fault("llm", LLM, &[("\"./\"", "\"openvino_model.xml\"")], "error", 9, "`models_path`: `openvino_model.xml` is no folder"),
    Fault("llm", LLM, &[("\"./\"", "\"../../..\"")], "info", 9, "`models_path` `../../..` leads out of the repository"),
    Fault("llm", LLM, &[(PLUGIN, "'{\"KV_CACHE_PRECISION\": u8}'")], "error", 10, "`plugin_config` is not a JSON object: "),
    Fault("llm", LLM, &[(PLUGIN, "'[]'")], "error", 10, "`plugin_config` is not a JSON object: "),
    Fault("llm", LLM, &[("cache_size: 0", "draft_models_path: \"draft\"")], "error", 11, "`draft_models_path`: there is no folder `draft`"),
    Fault("llm", LLM, &[("cache_size: 0", "draft_device: \"GPU\"")], "error", 11, "`draft_device` needs `draft_models_path`, which is not given"),
    Fault("llm", LLM, &[("cache_size: 0", "pipeline_type: VLM_CB")], "error", 11, "`pipeline_type` VLM_CB is for a vision-language model"),
    Fault("llm", LLM, &[("LLMCalculatorOptions", "RerankCalculatorOVOptions")], "error", 8, "`LLMCalculator` takes the options `mediapipe.LLMCalculatorOptions`"),
    Fault("llm", LLM, &[("cache_size: 0", "cache_size 0")], "error", 11, "the graph cannot be read: found `0`, wanted `:` or `{`"),
    Fault("llm", IMAGES, &[], "error", 9, "`./` holds a language model, which is not for `ImageGenCalculator`"),
    Fault("llm", SPEECH, &[], "error", 9, "`./` holds a language model, which is not for `S2tCalculator`"),
    Fault("vision", LLM, &[("cache_size: 0", "pipeline_type: LM_CB")], "error", 11, "`pipeline_type` LM_CB is not for a vision-language model"),
    Fault("vision", EMBEDDINGS, &[], "error", 9, "`./` holds a vision-language model, which is not for `EmbeddingsCalculatorOV`"),
    Fault("whisper", LLM, &[], "error", 9, "`./` holds an encoder and a decoder, which is not for `LLMCalculator`"),
    Fault("embedding", LLM, &[], "error", 9, "`./` holds a text embedding model, which is not for `LLMCalculator`"),
    Fault("embedding", RERANK, &[], "warning", 9, "`./` holds a text embedding model"),
    Fault("embedding", EMBEDDINGS, &[(PLUGIN, "'u8'")], "warning", 10, "`plugin_config` is not a JSON object: "),
    Fault("reranker", EMBEDDINGS, &[], "warning", 9, "`./` holds a text classifier or reranker"),
    Fault("reranker", RERANK, &[("  name: \"Executor\"\n", "")], "error", 3, "a node of the calculator `RerankCalculatorOV` has no name"),
];

#[test]
fn faults_of_graphs_are_found() {
    for Fault(sample, calculator, edits, severity, line, message) in FAULTS {
        let folder = generative(sample, &edited(&graph_of(calculator), edits));
        let all = found(&folder, &["."]);
        let of_graphs: Vec<_> = all.iter().filter(|(_, rule, ..)| rule == "ovms-graph").collect();
        let [(found_severity, _, found_line, text)] = of_graphs[..] else { panic!("{message}: {all:#?}") };
        assert!(text.starts_with(message), "{message}: {text}");
        assert_eq!((found_severity.as_str(), *found_line), (*severity, *line), "{message}");
        // A file alone has the same finding, with the place in its text.
        let alone = found(&folder, &["llm/openvino_tokenizer.xml"]);
        let start = format!("graph.pbtxt:{line}:");
        assert!(
            alone.iter().any(|(_, _, _, text)| text.starts_with(&start)) || message.contains("holds"),
            "{message}: {alone:#?}"
        );
    }
}

/// The faults of `config.json`: the edits of it and of the second model, and the finding.
#[rustfmt::skip]
const OF_CONFIGURATIONS: &[(Edits, Edits, &str, &str)] = &[
    (&[("\"name\": \"b\"", "\"name\": \"a\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `a`: another node has this name, too"),
    (&[("\"name\": \"b\"", "\"name\": \"request\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `request`: another node has this name, too"),
    (&[("\"model_name\": \"second\"", "\"model_name\": \"third\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `b`: `model_config_list` has no model `third`"),
    (&[("\"node_name\": \"a\"", "\"node_name\": \"c\"")], &[], "ovms-graph", "config.json:22:22: pipeline `both`: input `images` of node `b` takes an output of `c`, and no node has that name"),
    (&[("\"node_name\": \"a\"", "\"node_name\": \"response\"")], &[], "ovms-graph", "config.json:22:22: pipeline `both`: input `images` of node `b` takes the response, which gives nothing"),
    (&[("\"data_item\": \"kept\"", "\"data_item\": \"scores\"")], &[], "ovms-graph", "config.json:22:22: pipeline `both`: input `images` of node `b` takes `scores` of node `a`, which has no such output"),
    (&[("\"data_item\": \"picture\"", "\"data_item\": \"pictures\"")], &[], "ovms-graph", "config.json:15:22: pipeline `both`: input `images` of node `a` takes `pictures` of the request, which is not among the inputs of the pipeline"),
    (&[("\"data_item\": \"result\"", "\"data_item\": \"none\"")], &[], "ovms-graph", "config.json:26:19: pipeline `both`: output `scores` takes `none` of node `b`, which has no such output"),
    (&[("\"node_name\": \"request\", \"data_item\": \"picture\"", "\"node_name\": \"b\", \"data_item\": \"result\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `b`: the nodes `b`, `a` form a cycle"),
    (&[("\"node_name\": \"b\", \"data_item\": \"result\"", "\"node_name\": \"a\", \"data_item\": \"kept\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `b`: no output of the pipeline depends on it"),
    (&[("[{ \"images\": { \"node_name\": \"a\", \"data_item\": \"kept\" } }]", "[{ \"images\": { \"node_name\": \"a\", \"data_item\": \"kept\" } }, { \"images\": { \"node_name\": \"a\", \"data_item\": \"kept\" } }]")], &[], "ovms-graph", "config.json:22:79: pipeline `both`: input `images` of node `b` is given twice"),
    (&[("\"name\": \"both\"", "\"name\": \"first\"")], &[], "ovms-graph", "config.json:7:5: pipeline `first`: a model has this name, too"),
    (&[("[{ \"images\": { \"node_name\": \"a\"", "[{ \"image\": { \"node_name\": \"a\"")], &[], "ovms-graph", "config.json:22:22: pipeline `both`: input `image` of node `b` is not an input of the model"),
    (&[("[{ \"images\": { \"node_name\": \"a\"", "[{ \"image\": { \"node_name\": \"a\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `b`: input `images` of the model is not connected"),
    (&[("\"data_item\": \"scores\", \"alias\": \"kept\"", "\"data_item\": \"score\", \"alias\": \"kept\"")], &[], "ovms-graph", "config.json:22:22: pipeline `both`: input `images` of node `b` takes `score` of model `first`, which has no such output"),
    (&[], &[("shape=\"?,3,8,8\"", "shape=\"?,4,8,8\""), ("<dim>3<", "<dim>4<")], "ovms-graph", "config.json:22:22: pipeline `both`: input `images` of node `b` is f32[?,4,8,8], and `scores` of node `a` is f32[?,3,8,8]"),
    (&[], &[("element_type=\"f32\"", "element_type=\"f16\""), ("FP32", "FP16")], "ovms-graph", "config.json:22:22: pipeline `both`: input `images` of node `b` is f16[?,3,8,8], and `scores` of node `a` is f32[?,3,8,8]"),
    (&[("\"base_path\": \"second\"", "\"base_path\": \"second\", \"shape\": \"auto\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `b`: model `second` has a batch or shape `auto`, which a pipeline cannot use"),
    (&[("\"DL model\",\n          \"model_name\": \"second\"", "\"custom\",\n          \"library_name\": \"lib\"")], &[], "ovms-graph", "config.json:18:9: pipeline `both`, node `b`: `custom_node_library_config_list` has no library `lib`"),
    (&[("\"DL model\",\n          \"model_name\": \"second\"", "\"DL\",\n          \"model_name\": \"second\"")], &[], "ovms-schema", "config.json, pipeline `both`, node `b`: `type` is \"DL\", wanted `DL model` or `custom`"),
    (&[("\"DL model\",\n          \"model_name\": \"second\"", "\"custom\",\n          \"model_name\": \"second\"")], &[], "ovms-schema", "config.json, pipeline `both`, node `b`: there is no `library_name`"),
    (&[("\"alias\": \"kept\"", "\"name\": \"kept\"")], &[], "ovms-schema", "config.json, pipeline `both`, node `a`: `outputs` is a list, wanted a list of objects with `data_item` and `alias`"),
    (&[("\"inputs\": [\"picture\"]", "\"input\": [\"picture\"]")], &[], "ovms-schema", "config.json, pipeline `both`: the model server does not know the key `input`; did you mean `inputs`?"),
    (&[("\"name\": \"both\",", "")], &[], "ovms-schema", "config.json, entry 0 of `pipeline_config_list`: there is no `name`"),
    (&[("\"pipeline_config_list\"", "\"mediapipe_config_list\": [{ \"name\": \"x\", \"base\": \"y\" }], \"pipeline_config_list\"")], &[], "ovms-schema", "config.json, entry 0 of `mediapipe_config_list`: the model server does not know the key `base`"),
    (&[("\"pipeline_config_list\"", "\"mediapipe_config_list\": [{ \"name\": \"x\" }], \"pipeline_config_list\"")], &[], "ovms-graph", "config.json:6:29: there is no graph `x/graph.pbtxt`, which `x` names"),
    (&[("\"pipeline_config_list\"", "\"mediapipe_config_list\": [{ \"name\": \"x\", \"base_path\": \"../..\" }], \"pipeline_config_list\"")], &[], "ovms-graph", "config.json:6:29: the graph of `x` lies outside of the repository, and is not looked at"),
];

#[test]
fn faults_of_configurations_are_found() {
    for (of_config, of_model, rule, message) in OF_CONFIGURATIONS {
        let folder = classic(&edited(CONFIG, of_config), of_model);
        let all = found(&folder, &["."]);
        let is_found = all.iter().any(|(_, own, _, text)| own == rule && text.starts_with(message));
        assert!(is_found, "{message}: {all:#?}");
    }
}

#[test]
fn faults_of_an_entry_are_found_from_a_pipeline() {
    for (edits, rule, message) in [
        (
            &[("\"name\": \"llm\"", "\"name\": \"lm\"")] as Edits,
            "ovms-graph",
            "there is no graph `lm/graph.pbtxt`, which `lm` names",
        ),
        (
            &[("\"name\": \"llm\"", "\"name\": \"llm\", \"graph_path\": \"g.pbtxt\"")],
            "ovms-graph",
            "there is no graph `llm/g.pbtxt`",
        ),
        (
            &[("\"name\": \"llm\"", "\"nam\": \"llm\"")],
            "ovms-schema",
            "the configuration, entry 0 of `mediapipe_config_list`: there is no `name`",
        ),
    ] {
        let folder = generative("llm", GRAPH);
        fs::write(folder.path().join("config.json"), edited(LISTED, edits)).unwrap();
        let all = found(&folder, &["."]);
        let is_found = all.iter().any(|(_, own, _, text)| own == rule && text.starts_with(message));
        assert!(is_found, "{message}: {all:#?}");
    }
}

/// The layouts that the documentation of the server shows, and files that only look like them.
#[test]
fn right_layouts_are_silent() {
    const FILES: [&str; 3] = ["openvino_model.xml", "openvino_tokenizer.xml", "openvino_language_model.xml"];
    let tensorflow = "node {\n  name: \"image_tensor\"\n  op: \"Placeholder\"\n}\n";
    let speculative = GRAPH.replace("cache_size: 0", "draft_models_path: \"./\"\n draft_device: \"CPU\"");
    let container = GRAPH.replace("\"./\"", "\"/models/llm\"");
    for (sample, graph) in [
        ("llm", GRAPH.to_owned()),
        ("llm", format!("{GRAPH}# OVMS_GRAPH_QUEUE_MAX_SIZE: AUTO\n")),
        ("llm", GRAPH.replace("\"./\"", "\"\"").replace(PLUGIN, "\"\"")),
        ("llm", speculative),
        ("vision", GRAPH.replace("cache_size: 0", "pipeline_type: VLM_CB")),
        ("vision", GRAPH.to_owned()),
        ("embedding", graph_of(EMBEDDINGS)),
        ("reranker", graph_of(RERANK)),
        ("whisper", graph_of(SPEECH)),
        ("diffusion", graph_of(IMAGES)),
    ] {
        let folder = generative(sample, &graph);
        assert_eq!(messages(&found(&folder, &["."])), [] as [&str; 0], "{sample}");
        for file in FILES.map(|file| format!("llm/{file}")) {
            if folder.path().join(&file).exists() {
                assert_eq!(messages(&found(&folder, &[&file])), [] as [&str; 0], "{sample}");
            }
        }
        fs::write(folder.path().join("config.json"), LISTED).unwrap();
        assert_eq!(messages(&found(&folder, &["."])), [] as [&str; 0], "{sample}");
    }
    // Of these nothing is known but that the graph is of something else, or of another system.
    for graph in [tensorflow.to_owned(), container, String::new()] {
        assert_eq!(messages(&found(&generative("llm", &graph), &["."])), [] as [&str; 0]);
    }
    let split = [
        ("\"model_name\": \"first\"", "\"model_name\": \"first\", \"demultiply_count\": 3"),
        ("\"model_name\": \"second\"", "\"model_name\": \"second\", \"gather_from_node\": \"a\""),
    ];
    let library = "\"custom_node_library_config_list\": [{ \"name\": \"lib\", \"base_path\": \"/lib.so\" }], \"pipeline_config_list\"";
    let custom = [
        (
            "\"DL model\",\n          \"model_name\": \"first\"",
            "\"custom\",\n          \"library_name\": \"lib\", \"params\": {\"x\": \"1\"}",
        ),
        ("\"pipeline_config_list\"", library),
    ];
    let reshaped = [("\"base_path\": \"second\"", "\"base_path\": \"second\", \"shape\": \"(1,3,8,8)\"")];
    for (edits, of_model) in [
        (&[] as &[(&str, &str)], &[] as &[(&str, &str)]),
        (&split, &[]),
        (&custom, &[]),
        (&reshaped, &[("shape=\"?,3,8,8\"", "shape=\"?,4,8,8\""), ("<dim>3<", "<dim>4<")]),
    ] {
        let folder = classic(&edited(CONFIG, edits), of_model);
        assert_eq!(messages(&found(&folder, &["."])), [] as [&str; 0], "{edits:?}");
    }
}

/// The findings of the rules of the server.
fn about_server(all: &[Found]) -> Vec<&Found> {
    all.iter().filter(|(_, rule, ..)| rule.starts_with("ovms-")).collect()
}

/// The messages of those.
fn messages(all: &[Found]) -> Vec<&str> {
    about_server(all).iter().map(|(_, _, _, message)| message.as_str()).collect()
}

/// OpenVINO gives an input another rank where the layers take it, so one number is a right shape for some models.
#[test]
fn shapes_of_another_rank_are_right_if_the_model_takes_them() {
    for shape in ["(1)", "(-1)", "(8:16)", "(1,3,8,8)", "(1, 8, 8)"] {
        let config =
            CONFIG.replace("\"base_path\": \"second\"", &format!("\"base_path\": \"second\", \"shape\": \"{shape}\""));
        assert_eq!(messages(&found(&classic(&config, &[]), &["second/1/model.xml"])), [] as [&str; 0], "{shape}");
    }
}

/// Files that are hostile have a finding each, and nothing outside of the repository is opened.
#[test]
fn hostile_graphs_are_findings() {
    let deep = format!("{GRAPH}{}", "a {".repeat(100_000));
    let long = format!("{GRAPH}#{}", "x".repeat(5 << 20));
    for (text, message) in [
        (deep.into_bytes(), "the graph cannot be read: messages are nested more than 32 deep"),
        (long.into_bytes(), "the graph cannot be read: "),
        ([GRAPH.as_bytes(), b"\xff\xfe"].concat(), "the graph cannot be read: "),
    ] {
        let folder = generative("llm", "");
        fs::write(folder.path().join("llm/graph.pbtxt"), text).unwrap();
        let all = found(&folder, &["."]);
        let [(severity, rule, _, text)] = all.as_slice() else { panic!("{message}: {all:?}") };
        assert!((severity.as_str(), rule.as_str()) == ("error", "ovms-graph") && text.starts_with(message), "{text}");
    }
    let many = "{ \"name\": \"x\" },".repeat(20_000);
    let folder = classic(
        &CONFIG.replace(
            "\"pipeline_config_list\"",
            &format!("\"mediapipe_config_list\": [{}], \"pipeline_config_list\"", many.trim_end_matches(',')),
        ),
        &[],
    );
    assert_eq!(messages(&found(&folder, &["second/1/model.xml", "--max-findings", "0"])).len(), 100);
}

#[cfg(unix)]
#[test]
fn graphs_outside_of_the_repository_are_not_read() {
    let outside = tempfile::tempdir().unwrap();
    let secret = outside.path().join("secret.pbtxt");
    fs::write(&secret, GRAPH.replace("\"./\"", "\"secret\"")).unwrap();
    let folder = generative("llm", "");
    fs::remove_file(folder.path().join("llm/graph.pbtxt")).unwrap();
    std::os::unix::fs::symlink(&secret, folder.path().join("llm/graph.pbtxt")).unwrap();
    assert_eq!(messages(&found(&folder, &["."])), [] as [&str; 0]);
    fs::write(folder.path().join("config.json"), LISTED).unwrap();
    let all = found(&folder, &["."]);
    let [(severity, _, _, text)] = about_server(&all)[..] else { panic!("{all:?}") };
    assert!(severity == "info" && text.contains("lies outside of the repository"), "{text}");
}
