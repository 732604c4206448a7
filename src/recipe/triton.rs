//! The recipe for the OpenVINO backend of Triton: `config.pbtxt`, compared with the model.

mod batch;
mod config;
mod ports;
mod rules;

pub(crate) use rules::{TRITON_BATCH, TRITON_CONFIG, TRITON_LAYOUT, TRITON_PORT, TRITON_SHAPE, TRITON_TYPE};

use super::companion::Companion;
use super::view::View;
use super::{Recipe, Row};
use crate::diagnostic::Sink;
use config::Config;
use std::path::Path;

const BACKEND: &str = "[openvino.cc](https://github.com/triton-inference-server/openvino_backend/blob/db19304291d4b8e52965801cb86b10e536b90450/src/openvino.cc#L500), 2026-08-21";
const COMPARISON: &str = "[openvino_utils.cc](https://github.com/triton-inference-server/openvino_backend/blob/db19304291d4b8e52965801cb86b10e536b90450/src/openvino_utils.cc), 2026-08-21";

pub(super) static RECIPE: Recipe = Recipe {
    name: "triton",
    device: None,
    summary: "the OpenVINO backend of Triton Inference Server",
    date: "2026-11-23",
    reads_file: true,
    settles: &[],
    rows: &[
        Row {
            rule: &TRITON_CONFIG,
            source: "[model_config.proto](https://github.com/triton-inference-server/common/blob/83adf7cf88a2f343005974dff3728be746de2d66/protobuf/model_config.proto), 2026-07-23",
        },
        Row { rule: &TRITON_PORT, source: BACKEND },
        Row { rule: &TRITON_SHAPE, source: COMPARISON },
        Row { rule: &TRITON_BATCH, source: BACKEND },
        Row { rule: &TRITON_TYPE, source: COMPARISON },
        Row {
            rule: &TRITON_LAYOUT,
            source: "documented: [model_repository.md](https://github.com/triton-inference-server/server/blob/008fdc5a8a2b184fd9c78d9c637a632d2cf0ba20/docs/user_guide/model_repository.md)",
        },
    ],
    check,
};

const FILE: &str = "config.pbtxt";

fn check(view: &View, sink: &mut Sink) {
    let file = match Companion::find(view, &["..", ""], FILE) {
        Ok(file) => file,
        Err(why) => {
            sink.report(view.about_model(&TRITON_CONFIG, why));
            return;
        }
    };
    let Some(file) = file else {
        layout(view, FILE, &Config::default(), sink);
        return;
    };
    let config = match Config::read(&file.text) {
        Ok(config) => config,
        Err(broken) => {
            let message = format!("{} line {}: {}", file.name, broken.line, broken.what);
            sink.report(view.about_model(&TRITON_CONFIG, message));
            return;
        }
    };
    layout(view, &file.name, &config, sink);
    ports::check(view, &file.name, &config, sink);
}

/// Checks the path at which the server looks for the model.
fn layout(view: &View, file: &str, config: &Config, sink: &mut Sink) {
    let Ok(path) = std::path::absolute(view.model.source().path()) else { return };
    let name = |path: Option<&Path>| path?.file_name()?.to_str().map(str::to_owned);
    let version = path.parent();
    let mut report = |message: String| sink.report(view.about_model(&TRITON_LAYOUT, message));
    let wanted = config.file.as_deref().unwrap_or("model.xml");
    if let Some(own) = name(Some(&path)).filter(|own| own != wanted) {
        report(format!("the file is called `{own}`, but must be called `{wanted}`"));
    }
    if let Some(folder) = name(version).filter(|folder| folder.parse::<u64>().is_err()) {
        report(format!("the model is in folder `{folder}`, but the name of the folder must be its version, a number"));
    } else if let (Some(folder), Some(own)) = (name(version.and_then(Path::parent)), &config.name)
        && folder != *own
    {
        report(format!("{file} names the model `{own}`, its folder is `{folder}`"));
    }
}
