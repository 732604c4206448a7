//! What `info`, `inspect`, `why` and `diff` print as JSON.

use super::{json, models, shows};
use crate::commands::card::everything;
use crate::program::{copy_of, ovlint, root, utf8};
use serde_json::Value;
use std::fs;

/// A model with a layer that cannot be inferred.
const BROKEN: &str = "bad/split-lengths-sum/model.xml";

#[test]
fn pages_follow_their_schema() {
    let blind = json(&["info", "models/split.xml", "--weights", "skip"]);
    let digests = json(&["info", "models/split.xml", "--sha256"]);
    shows("info", &[json(&["info", "models", "bad"]), digests, blind, everything()]);
}

#[test]
fn layers_follow_their_schema() {
    let mut layers = vec![
        json(&["inspect", "bad/input-not-connected/model.xml", "--layer", "add"]),
        json(&["inspect", BROKEN, "vsplit"]),
        json(&["inspect", "models/split.xml", "split_3", "--weights", "skip"]),
    ];
    for model in ["models/control_flow.xml", "models/dynamic.xml"] {
        for layer in json(&["shapes", model])["layers"].as_array().unwrap() {
            layers.push(json(&["inspect", model, "--layer", layer["name"].as_str().unwrap()]));
        }
    }
    shows("inspect", &layers);
}

#[test]
fn reasons_follow_their_schema() {
    let mut reasons = Vec::new();
    for model in models() {
        let outputs = json(&["info", &model])["models"][0]["outputs"].take();
        for output in outputs.as_array().unwrap() {
            reasons.push(json(&["why", &model, output["name"].as_str().unwrap()]));
        }
    }
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(&file, "[op.'extension.CaseFold']\noutputs = ['f32[in0.shape]']").unwrap();
    let rules = file.path().to_str().unwrap();
    reasons.push(json(&["why", "bad/extension-required/model.xml", "casefold", "--extension-ops", rules]));
    reasons.push(json(&["why", BROKEN, "vsplit"]));
    reasons.push(json(&["why", "bad/split-not-divisible/model.xml", "split"]));
    reasons.push(json(&["why", "bad/extension-required/model.xml", "x"]));
    reasons.push(json(&["why", "models/split.xml", "split_3", "--weights", "skip"]));
    reasons.push(json(&["why", "models/attention.xml", "with_input", "--shape", "tokens[1,8,24]"]));
    shows("why", &reasons);
}

#[test]
fn differences_follow_their_schema() {
    let models = models();
    let pairs = models.iter().zip(models.iter().rev()).chain(models.iter().zip(&models));
    let mut all: Vec<Value> = pairs.map(|(old, new)| json(&["diff", old, new, "--level", "bytes"])).collect();
    all.push(json(&["diff", "models", "bad/declared-shape"]));
    all.push(json(&["diff", &models[0], &models[1], "--level", "interface"]));
    // Weights that differ, that differ by their Git LFS pointers, and that are missing.
    let folder = copy_of("models/split.xml");
    fs::copy(folder.path().join("split.xml"), folder.path().join("new.xml")).unwrap();
    let pointer = root().join("bad/git-lfs-pointer/model.bin");
    for bytes in [Some(vec![2; 8]), fs::read(pointer).ok(), None] {
        let path = folder.path().join("new.bin");
        match bytes {
            Some(bytes) => fs::write(path, bytes).unwrap(),
            None => fs::remove_file(path).unwrap(),
        }
        let out = ovlint(folder.path(), ["diff", "split.xml", "new.xml", "--format", "json"]);
        all.push(serde_json::from_str(&utf8(&out.stdout)).unwrap());
    }
    // Metadata that differs.
    for value in ["255", "1"] {
        let text = fs::read_to_string(folder.path().join("split.xml")).unwrap();
        let note = format!("<rt_info><model_info><scale_values value=\"{value}\"/></model_info>");
        fs::write(folder.path().join(value).with_extension("xml"), text.replace("<rt_info>", &note)).unwrap();
    }
    for (old, new) in [("255.xml", "1.xml"), ("split.xml", "1.xml"), ("1.xml", "split.xml")] {
        let out = ovlint(folder.path(), ["diff", old, new, "--level", "interface", "--format", "json"]);
        all.push(serde_json::from_str(&utf8(&out.stdout)).unwrap());
    }
    // And one with another name.
    let folder = copy_of("models/split.xml");
    for (side, name) in [("old", "a"), ("new", "b")] {
        fs::create_dir(folder.path().join(side)).unwrap();
        for ending in ["xml", "bin"] {
            let to = folder.path().join(side).join(name).with_extension(ending);
            fs::copy(folder.path().join("split").with_extension(ending), to).unwrap();
        }
    }
    let out = ovlint(folder.path(), ["diff", "old", "new", "--format", "json"]);
    all.push(serde_json::from_str(&utf8(&out.stdout)).unwrap());
    shows("diff", &all);
}
