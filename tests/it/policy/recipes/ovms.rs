//! Faults of models for OpenVINO Model Server and of its configuration.

use super::{CLASSIFIER, DETECTOR, Fault, SERVER};

pub(super) const FAULTS: &[Fault] = &[
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"images\"", "\"image\"")])),
        recipe: "ovms",
        rule: "ovms-config",
        message: "config.json, model `detector`: `shape` names `image`, which the model does not have; did you mean `images`?",
    },
    Fault {
        model: CLASSIFIER,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("(1,3,8,8)", "(1)")])),
        recipe: "ovms",
        rule: "ovms-config",
        message: "config.json, model `detector`: `shape` (1) has 1 length, input `images` is [1,3,8,8]",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"shape\"", "\"shapes\"")])),
        recipe: "ovms",
        rule: "ovms-schema",
        message: "config.json, model `detector`: the model server does not know the key `shapes`; did you mean `shape`?",
    },
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((SERVER.0, SERVER.1, &[("\"shape\"", "\"stateful\": true, \"shape\"")])),
        recipe: "ovms",
        rule: "ovms-schema",
        message: "config.json, model `detector`: the model server does not know the key `stateful` since 2026.3",
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
    Fault {
        model: DETECTOR,
        edits: &[],
        beside: Some((
            "config.json",
            "{\"model_config_list\": [], \"mediapipe_config_list\": [{\"name\": \"llm\"}]}",
            &[],
        )),
        recipe: "ovms",
        rule: "ovms-graph",
        message: "config.json:1:53: there is no graph `llm/graph.pbtxt`, which `llm` names",
    },
];
