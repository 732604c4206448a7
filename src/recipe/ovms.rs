//! The recipe for OpenVINO Model Server: folders, `config.json` and `mapping_config.json` against the model.

use super::companion::Companion;
use super::view::View;
use super::{Recipe, Row, doubt};
use crate::diagnostic::{Direction, Rule, Sink};
use crate::ops::Action;
use crate::text::{did_you_mean, nearest};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
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

pub(crate) static OVMS_CONFIG: Rule = doubt(
    "ovms-config",
    "the configuration of OpenVINO Model Server does not fit the model",
    "Checked with `--for ovms` only. `config.json` names shapes and layouts of inputs and outputs by their tensors, in the \
     entry whose `base_path` ends in the folder above that of the version; `mapping_config.json` beside the model gives \
     tensors other names. What they name must be in the model, a shape must have the rank of its input, one \
     without a name is for a model with one input, and a `stateful` model needs variables. `config.json` is looked for in the \
     folders above; `--for ovms=FILE` names another.\n\n\
     Correct the entry.\n\n\
     Documented in `parameters.md` and `models_repository_classic.md` of the model server 0b6604e6, read on 2026-11-23.",
);

const DOCS: &str = "documented: [models_repository_classic.md](https://github.com/openvinotoolkit/model_server/blob/0b6604e62fb1a1f17ed64197be0ebbf066dd1f58/docs/models_repository_classic.md)";

pub(super) static RECIPE: Recipe = Recipe {
    name: "ovms",
    summary: "OpenVINO Model Server",
    date: "2026-11-23",
    reads_file: true,
    settles: &[],
    rows: &[
        Row { rule: &OVMS_LAYOUT, source: DOCS },
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

/// The part of a `config.json` that is held against models.
#[derive(Deserialize)]
struct Server {
    #[serde(default)]
    model_config_list: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    config: Served,
}

/// What is said of one model.
#[derive(Deserialize)]
struct Served {
    #[serde(default)]
    name: String,
    #[serde(default)]
    base_path: String,
    #[serde(default)]
    shape: Value,
    #[serde(default)]
    layout: Value,
    #[serde(default)]
    stateful: bool,
}

/// Names for tensors.
#[derive(Deserialize)]
struct Mapping {
    #[serde(default)]
    inputs: Map<String, Value>,
    #[serde(default)]
    outputs: Map<String, Value>,
}

fn check(view: &View, sink: &mut Sink) {
    let path = std::path::absolute(view.model.source().path()).unwrap_or_default();
    let name = |path: Option<&Path>| path.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    let [version, folder] =
        [path.parent(), path.parent().and_then(Path::parent)].map(|path| name(path).unwrap_or_default());
    let mut check = Check { view, sink };
    let mut is_named = false;
    if let Some((file, server)) = check.read::<Server>(Companion::find(view, &["../..", "..", ""], CONFIG)) {
        for Entry { config } in server.model_config_list {
            let last = Path::new(&config.base_path).file_name();
            let is_file = last.is_some() && last == path.file_name();
            is_named |= is_file;
            if is_file || last.is_some_and(|last| last == folder.as_str()) {
                check.served(&file, &config);
            }
        }
    }
    if let Some((file, mapping)) = check.read::<Mapping>(Companion::beside(view, &[""], MAPPING)) {
        check.known(&file, "inputs", &mapping.inputs, &[Direction::Input]);
        check.known(&file, "outputs", &mapping.outputs, &[Direction::Output]);
    }
    if !is_named && !version.parse::<u64>().is_ok_and(|version| version > 0) {
        let message = format!("the model is in folder `{version}`, wanted a version, which is a number above 0");
        sink.report(view.about_model(&OVMS_LAYOUT, message));
    }
}

struct Check<'a, 'v> {
    view: &'v View<'a>,
    sink: &'v mut Sink,
}

impl Check<'_, '_> {
    fn report(&mut self, message: impl Into<String>) {
        self.sink.report(self.view.about_model(&OVMS_CONFIG, message));
    }

    /// A file that configures the model, with its name, if there is one; reports one that cannot be read.
    fn read<T: DeserializeOwned>(&mut self, found: Result<Option<Companion>, String>) -> Option<(String, T)> {
        let found = match found {
            Ok(found) => found?,
            Err(why) => {
                self.report(why);
                return None;
            }
        };
        match serde_json::from_str(&found.text) {
            Ok(read) => Some((found.name, read)),
            Err(error) => {
                self.report(format!("{}: {error}", found.name));
                None
            }
        }
    }

    fn served(&mut self, file: &str, config: &Served) {
        let entry = format!("{file}, model `{}`", config.name);
        if config.stateful && self.view.states(Action::Reads).is_empty() {
            self.report(format!("{entry}: it is `stateful`, and the model has no variables"));
        }
        match object(&config.shape) {
            Ok(shapes) => {
                self.known(&entry, "shape", &shapes, &[Direction::Input]);
                for (name, shape) in &shapes {
                    self.shape(&entry, Some(name), shape.as_str().unwrap_or_default());
                }
            }
            Err(shape) => self.shape(&entry, None, &shape),
        }
        if let Ok(layouts) = object(&config.layout) {
            self.known(&entry, "layout", &layouts, &[Direction::Input, Direction::Output]);
        }
    }

    /// Reports names that no tensor has.
    fn known(&mut self, file: &str, key: &str, named: &Map<String, Value>, sides: &[Direction]) {
        let view = self.view;
        let names: Vec<&String> =
            sides.iter().flat_map(|side| view.ports(*side)).flat_map(|port| &port.names).collect();
        for name in named.keys().filter(|name| !names.contains(name)) {
            let near = did_you_mean(nearest(name, names.iter().map(|name| name.as_str())));
            self.report(format!("{file}: `{key}` names `{name}`, which the model does not have{near}"));
        }
    }

    /// Compares the rank of a shape such as `(1,3,224,224)`, of an input or of the only one.
    fn shape(&mut self, entry: &str, name: Option<&str>, shape: &str) {
        let Some(lengths) = shape.trim().strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else { return };
        let inputs = &self.view.inputs;
        let input = match name {
            Some(name) => self.view.input(name),
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

/// What is said by name, perhaps as JSON in a string, or else the string.
fn object(value: &Value) -> Result<Map<String, Value>, String> {
    match value {
        Value::Object(named) => Ok(named.clone()),
        Value::String(text) => serde_json::from_str(text).map_err(|_| text.clone()),
        _ => Ok(Map::new()),
    }
}
