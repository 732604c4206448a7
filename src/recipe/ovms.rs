//! The recipe for OpenVINO Model Server: folders, `config.json` and `mapping_config.json`, compared with the model.

mod schema;

use super::companion::Companion;
use super::view::{Port, View};
use super::{Recipe, Row, doubt, recipe_rule};
use crate::diagnostic::{Direction, Rule, Severity, Sink, Text};
use crate::text::{Hints, did_you_mean, nearest};
use schema::Refusal;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;

pub(crate) static OVMS_LAYOUT: Rule = doubt(
    "ovms-layout",
    "OpenVINO Model Server does not find the model where it is",
    "Checked with `--for ovms` only. The model server looks below its path for folders whose names are versions: positive \
     integers. Each has one model; the names of the files do not matter. Newer servers also accept the path of the \
     `.xml` file itself.\n\n\
     Move the model to a folder such as `detector/1`.\n\n\
     Documented in `models_repository_classic.md` of the model server 0b6604e6, read on 2026-11-23.",
);

pub(crate) static OVMS_SCHEMA: Rule = recipe_rule(
    "ovms-schema",
    "OpenVINO Model Server refuses its configuration",
    "Checked with `--for ovms` only. The model server holds `config.json` against a schema, and does not start if a key is \
     unknown, a value is of another kind, or a model has no `name`. Some options exist on the command line only, such as \
     `mean` and `precision`. `stateful` and the keys that go with it are gone since 2026.3, so they are warnings.\n\n\
     Remove the key, or spell it as the schema does.\n\n\
     Read in `schema.cpp` and `modelmanager.cpp` of the model server 7e4df0c7 of 2026-08-21. What is in pipelines, loaders and \
     policies is not checked.",
);

pub(crate) static OVMS_CONFIG: Rule = doubt(
    "ovms-config",
    "the configuration of OpenVINO Model Server does not fit the model",
    "Checked with `--for ovms` only. `config.json` names shapes and layouts of inputs and outputs by their tensors, in the \
     entry whose `base_path` ends in the folder above that of the version; `mapping_config.json` beside the model gives \
     tensors other names. What they name must be in the model, a shape must have the rank of its input, and one \
     without a name is for a model with one input. `config.json` is looked for in the folders above; `--for ovms=FILE` \
     names another.\n\n\
     Correct the entry.\n\n\
     Documented in `parameters.md` and `models_repository_classic.md` of the model server 0b6604e6, read on 2026-11-23.",
);

const DOCS: &str = "documented: [models_repository_classic.md](https://github.com/openvinotoolkit/model_server/blob/0b6604e62fb1a1f17ed64197be0ebbf066dd1f58/docs/models_repository_classic.md)";

pub(super) static RECIPE: Recipe = Recipe {
    name: "ovms",
    device: None,
    summary: "OpenVINO Model Server",
    date: "2026-11-23",
    reads_file: true,
    settles: &[],
    rows: &[
        Row { rule: &OVMS_LAYOUT, source: DOCS },
        Row {
            rule: &OVMS_SCHEMA,
            source: "[schema.cpp](https://github.com/openvinotoolkit/model_server/blob/7e4df0c7ae340972bad15020ad777bbba3ee321d/src/schema.cpp), 2026-08-21",
        },
        Row {
            rule: &OVMS_CONFIG,
            source: "documented: [parameters.md](https://github.com/openvinotoolkit/model_server/blob/0027767a2907da451ca81b37cd1ee2e95e9a265b/docs/parameters.md) and models_repository_classic.md as above",
        },
    ],
    check,
};

/// The files that configure a model.
const CONFIG: &str = "config.json";
const MAPPING: &str = "mapping_config.json";

fn check(view: &View, sink: &mut Sink) {
    let path = std::path::absolute(view.model.source().path()).unwrap_or_default();
    let name = |path: Option<&Path>| path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let [version, folder] =
        [path.parent(), path.parent().and_then(Path::parent)].map(|path| name(path).unwrap_or_default());
    let (inputs, outputs) = (view.named(Direction::Input), view.named(Direction::Output));
    let mut check = Check { view, sink, inputs, outputs, hints: Hints::default() };
    let mut is_named = false;
    let is_meant =
        |config: &Value| view.chosen.is_some_and(|chosen| chosen.file.is_some()) || schema::is_configuration(config);
    let config = check.read(&OVMS_SCHEMA, Companion::find(view, &["../..", "..", ""], CONFIG));
    if let Some((file, config)) = config.filter(|(_, config)| is_meant(config)) {
        for model in check.models(&file, &config) {
            let last = Path::new(text(model, "base_path")).file_name();
            let is_file = last.is_some() && last == path.file_name();
            is_named |= is_file;
            if is_file || last.is_some_and(|last| last == folder.as_str()) {
                check.served(&format!("{file}, model `{}`", text(model, "name")), model);
            }
        }
    }
    if let Some((file, mapping)) = check.read(&OVMS_CONFIG, Companion::beside(view, &[""], MAPPING)) {
        for (key, side) in [("inputs", Direction::Input), ("outputs", Direction::Output)] {
            check.known(&file, key, mapping.get(key), &[side]);
        }
    }
    if !is_named && !version.parse::<u64>().is_ok_and(|version| version > 0) {
        let message = format!("the model is in folder `{version}`, wanted a version, which is a number above 0");
        sink.report(view.about_model(&OVMS_LAYOUT, message));
    }
}

/// Returns the string value of a key; empty if there is none.
fn text<'a>(model: &'a Map<String, Value>, key: &str) -> &'a str {
    model.get(key).and_then(Value::as_str).unwrap_or_default()
}

struct Check<'a, 'v> {
    view: &'v View<'a>,
    sink: &'v mut Sink,
    /// The ports by tensor name.
    inputs: HashMap<&'v str, &'v Port<'a>>,
    outputs: HashMap<&'v str, &'v Port<'a>>,
    hints: Hints,
}

impl Check<'_, '_> {
    fn report(&mut self, message: impl Into<Text>) {
        self.sink.report(self.view.about_model(&OVMS_CONFIG, message));
    }

    /// Parses the file that configures the model, if there is one; reports an unreadable file.
    fn read(&mut self, rule: &'static Rule, found: Result<Option<Companion>, String>) -> Option<(String, Value)> {
        let read = found.and_then(|found| {
            let parse = |file: Companion| match serde_json::from_str(&file.text) {
                Ok(value) => Ok((file.name, value)),
                Err(error) => Err(format!("{}: {error}", file.name)),
            };
            found.map(parse).transpose()
        });
        read.unwrap_or_else(|why| {
            self.sink.report(self.view.about_model(rule, why));
            None
        })
    }

    /// Returns the models of a configuration; reports what the server rejects.
    fn models<'c>(&mut self, file: &str, config: &'c Value) -> Vec<&'c Map<String, Value>> {
        let mut refusals = Vec::new();
        let models = schema::models(file, config, &mut refusals);
        for Refusal { message, is_new } in refusals {
            let finding = self.view.about_model(&OVMS_SCHEMA, message);
            self.sink.report(if is_new { finding.severity(Severity::Warning) } else { finding });
        }
        models
    }

    fn served(&mut self, entry: &str, model: &Map<String, Value>) {
        let shape = model.get("shape").map(unpacked);
        match &shape {
            Some(Value::String(shape)) => self.shape(entry, None, shape),
            shape => {
                self.known(entry, "shape", shape.as_ref(), &[Direction::Input]);
                for (name, shape) in shape.iter().filter_map(Value::as_object).flatten() {
                    self.shape(entry, Some(name), shape.as_str().unwrap_or_default());
                }
            }
        }
        let layout = model.get("layout").map(unpacked);
        self.known(entry, "layout", layout.as_ref(), &[Direction::Input, Direction::Output]);
    }

    /// Reports names in the configuration that no tensor on these sides of the model has.
    fn known(&mut self, file: &str, key: &str, named: Option<&Value>, sides: &[Direction]) {
        let Some(named) = named.and_then(Value::as_object) else { return };
        let view = self.view;
        let names = || sides.iter().flat_map(|side| view.ports(*side)).flat_map(|port| &port.names);
        for name in named.keys().map(String::as_str) {
            let has = |side| if side == Direction::Input { &self.inputs } else { &self.outputs }.contains_key(name);
            if sides.iter().any(|side| has(*side)) {
                continue;
            }
            let near = did_you_mean(self.hints.give(|| nearest(name, names().map(String::as_str))));
            self.report(format!("{file}: `{key}` names `{name}`, which the model does not have{near}"));
        }
    }

    /// Compares the rank of a shape such as `(1,3,224,224)` with that of the named input, or of the only one.
    fn shape(&mut self, entry: &str, name: Option<&str>, shape: &str) {
        let Some(lengths) = shape.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return };
        let inputs = &self.view.inputs;
        let input = match name {
            Some(name) => self.inputs.get(name).copied(),
            None if inputs.len() > 1 => {
                let count = inputs.len();
                self.report(format!("{entry}: `shape` is for one input, the model has {count}"));
                return;
            }
            None => inputs.first(),
        };
        let Some((input, fact)) = input.and_then(|input| Some((input, input.fact.as_ref()?))) else { return };
        let asked = lengths.split(',').filter(|length| !length.trim().is_empty()).count();
        if fact.rank().is_some_and(|rank| rank != asked) {
            let called = input.names.first().map_or("", String::as_str);
            self.report(format!(
                "{entry}: `shape` {} has {asked} lengths, input `{called}` is {}",
                shape.trim(),
                fact.shape
            ));
        }
    }
}

/// Returns a value, or the JSON object that it contains as a string.
fn unpacked(value: &Value) -> Value {
    let object = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    object.filter(Value::is_object).unwrap_or_else(|| value.clone())
}
