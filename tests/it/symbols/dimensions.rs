//! Dimensions expressed by those of inputs and states.

use crate::program::{copy_of, ovlint, root, utf8};
use serde_json::Value;
use std::fs;

fn symbolic(model: &str) -> Value {
    let out = ovlint(&root(), ["shapes", model, "--symbolic", "--format", "json"]);
    serde_json::from_str(&utf8(&out.stdout)).unwrap()
}

/// What the dimensions of an output equal.
fn dims(shapes: &Value, layer: &str, output: usize) -> Vec<String> {
    let layers = shapes["layers"].as_array().unwrap();
    let layer = layers.iter().find(|one| one["name"] == layer).unwrap();
    let dims = layer["outputs"][output]["symbolic"].as_array().unwrap();
    dims.iter().map(|dim| dim.as_str().unwrap().to_owned()).collect()
}

#[test]
fn states_and_inputs_have_names() {
    let shapes = symbolic("models/kv_cache.xml");
    let symbols = shapes["symbols"].as_array().unwrap();
    let names: Vec<_> = symbols.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["batch", "d2", "beam_idx_batch", "past_key_batch", "past"]);
    let layers: Vec<_> =
        symbols.iter().map(|one| (one["input"].as_str().unwrap(), one["dim"].as_u64().unwrap())).collect();
    assert_eq!(layers, [("new_key", 0), ("new_key", 2), ("beam_idx", 0), ("past_key", 0), ("past_key", 2)]);
    assert_eq!(dims(&shapes, "reordered", 0), ["beam_idx_batch", "2", "past", "8"]);
    assert_eq!(dims(&shapes, "cache", 0), ["batch", "2", "d2 + past", "8"]);
    assert_eq!(dims(&shapes, "heads", 1), ["batch", "1", "d2 + past", "8"]);
}

#[test]
fn dimensions_are_named_after_the_tensor_that_callers_know() {
    let folder = copy_of("models/kv_cache.xml");
    let path = folder.path().join("kv_cache.xml");
    let text = fs::read_to_string(&path).unwrap();
    let renamed = text.replace("name=\"beam_idx\" type=", "name=\"Parameter_7\" type=");
    assert_ne!(renamed, text);
    fs::write(path, renamed).unwrap();
    let out = ovlint(folder.path(), ["shapes", "kv_cache.xml", "--symbolic", "--format", "json"]);
    let shapes: Value = serde_json::from_str(&utf8(&out.stdout)).unwrap();
    assert_eq!(
        (&shapes["symbols"][2]["input"], &shapes["symbols"][2]["name"]),
        (&"beam_idx".into(), &"beam_idx_batch".into())
    );
}

#[test]
fn parts_of_splits_are_expressed() {
    let shapes = symbolic("models/dynamic.xml");
    assert_eq!(dims(&shapes, "split_bounded", 1), ["ragged_batch", "max(seq - 5, 0)"]);
    assert_eq!(dims(&shapes, "split_interval", 0), ["batch", "d1//2", "12", "d3"]);
}

#[test]
fn demands_of_layers_are_the_domain() {
    let domain = &symbolic("models/kv_cache.xml")["domain"];
    let constraints = domain["constraints"].as_array().unwrap();
    let found: Vec<_> =
        constraints.iter().map(|one| (one["expr"].as_str().unwrap(), one["layer"]["name"].as_str().unwrap())).collect();
    assert_eq!(found, [("batch == beam_idx_batch", "cache")]);
    assert_eq!((&domain["complete"], &domain["open"]), (&Value::from(true), &serde_json::json!([])));
    let domain = &symbolic("models/dynamic.xml")["domain"];
    let constraints = domain["constraints"].as_array().unwrap();
    let found: Vec<_> =
        constraints.iter().map(|one| (one["expr"].as_str().unwrap(), one["rule"].as_str().unwrap())).collect();
    let sum = "split-lengths-sum";
    assert_eq!(found, [("d1 % 2 == 0", "split-not-divisible"), ("d3 >= 5", sum), ("seq >= 5", sum)]);
}

#[test]
fn static_models_have_no_symbols() {
    let shapes = symbolic("models/split.xml");
    assert_eq!(shapes["symbols"], serde_json::json!([]));
    assert!(shapes["layers"].as_array().unwrap().iter().all(|layer| layer["outputs"][0].get("symbolic").is_none()));
    let plain = ovlint(&root(), ["shapes", "models/kv_cache.xml", "--format", "json"]);
    assert!(!utf8(&plain.stdout).contains("symbol"));
}
