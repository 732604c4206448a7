//! The recipe for OpenVINO Model Server: its folders, `config.json`, `mapping_config.json`, graphs and pipelines, compared
//! with the model.

mod compare;
mod graph;
mod pipelines;
mod places;
mod repository;
mod schema;

use super::companion::Companion;
use super::view::{Port, View};
use super::{Recipe, Row, doubt, recipe_rule};
use crate::analysis::InputShapes;
use crate::diagnostic::{Direction, Rule, Severity, Sink, Text};
use crate::input::Bounds;
use crate::query::what_if::Obstacles;
use crate::source::Source;
use crate::text::{Hints, counted, did_you_mean, nearest};
use crate::types::{Dim, PartialShape};
use compare::Compared;
pub(crate) use graph::Contents;
use pipelines::Pipeline;
use places::{Config, Fault as Found, MANY};
pub(crate) use repository::{Examined, of_pipeline};
use schema::Refusal;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;

pub(crate) static OVMS_LAYOUT: Rule = doubt(
    "ovms-layout",
    "OpenVINO Model Server does not find the model in this folder",
    "Checked with `--for ovms` only. The model server looks below its path for folders whose names are versions: positive \
     integers. Each has one model; the names of the files do not matter. Newer servers also accept the path of the \
     `.xml` file itself. The models of a `graph.pbtxt` stay in the folder that its `models_path` names.\n\n\
     Move the model to a folder such as `detector/1`.\n\n\
     Documented in `models_repository_classic.md` of the model server 0b6604e6, read on 2026-11-23.",
);

pub(crate) static OVMS_SCHEMA: Rule = recipe_rule(
    "ovms-schema",
    "OpenVINO Model Server rejects its configuration",
    "Checked with `--for ovms` only. The model server validates `config.json` against a schema and does not start if a key is \
     unknown, a value is of another kind, or a model has no `name`. Some options exist on the command line only, such as \
     `mean` and `precision`. `stateful` and the keys that go with it were removed in 2026.3, so they are reported as \
     warnings.\n\n\
     Remove the key, or spell it as the schema does.\n\n\
     Source: `schema.cpp` and `modelmanager.cpp` of the model server 7e4df0c7 of 2026-08-21. What is in loaders and \
     policies is not checked.",
);

pub(crate) static OVMS_GRAPH: Rule = recipe_rule(
    "ovms-graph",
    "OpenVINO Model Server does not load a graph or a pipeline",
    "Checked with `--for ovms` only, in any `graph.pbtxt` in the folders above the model and in `config.json`.\n\n\
     A graph of `mediapipe_config_list` must be a file: `graph_path` below `base_path`. By default, `graph_path` is \
     `graph.pbtxt` and `base_path` is the name of the entry. A node that loads a model, such as `HttpLLMCalculator`, needs \
     a name of its own and options of \
     its type. `models_path` starts from the folder of the graph and must be a folder or a `.gguf` file, with a model \
     of the kind that the calculator supports; `draft_models_path` needs an `openvino_model.xml`, and the other options of \
     the draft model need `draft_models_path`. `plugin_config` must be a JSON object; the nodes for embeddings and \
     rerankers only log a message if it is not. Paths of another system, such as those in a container, are not followed, \
     and neither are \
     those that lead out of the repository.\n\n\
     In `pipeline_config_list`, nodes need names of their own and models or libraries that the configuration has; an input takes \
     an output of a node or of the `request`; there must be no cycle, and some output must depend on every node. Where both \
     models are \
     in the repository and the configuration does not change them, what a node gives must have the type of what the next one \
     takes, and a shape that fits.\n\n\
     Correct the entry or the node.\n\n\
     Source: the model server 7e4df0c7 of 2026-08-21: `mediapipegraphconfig.cpp`, line 77, `llm_node_initializer.cpp`, line 37, \
     `servable_initializer.cpp`, line 425, `continuous_batching/servable_initializer.cpp`, line 200, `sidepacket_servable.cpp`, \
     line 104, `pipelinedefinition.cpp`, lines 295 to 575, 745 and 880.",
);

pub(crate) static OVMS_CONFIG: Rule = doubt(
    "ovms-config",
    "the configuration of OpenVINO Model Server does not fit the model",
    "Checked with `--for ovms` only. `config.json` gives the shapes and layouts of inputs and outputs by tensor name, in \
     the entry whose `base_path` ends in the parent of the version folder; `mapping_config.json` beside the model gives \
     tensors other names. Everything that they name must exist in the model. If a shape has a different rank than the \
     input, the model must accept that. A shape without a name is only for a model with one input. ovlint looks for \
     `config.json` in the folders above; `--for \
     ovms=FILE` names another file.\n\n\
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
            rule: &OVMS_GRAPH,
            source: "[servable_initializer.cpp](https://github.com/openvinotoolkit/model_server/blob/7e4df0c7ae340972bad15020ad777bbba3ee321d/src/llm/servable_initializer.cpp#L425), [pipelinedefinition.cpp](https://github.com/openvinotoolkit/model_server/blob/7e4df0c7ae340972bad15020ad777bbba3ee321d/src/dags/pipelinedefinition.cpp#L880) and others, 2026-08-21",
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
    let (mut is_named, mut served) = (false, Vec::new());
    let is_meant =
        |config: &Value| view.chosen.is_some_and(|chosen| chosen.file.is_some()) || schema::is_configuration(config);
    let config = check.read(&OVMS_SCHEMA, Companion::find(view, &["../..", "..", ""], CONFIG));
    let config = config.filter(|(_, config)| is_meant(&config.json));
    if let Some((file, config)) = &config {
        for model in check.models(file, &config.json) {
            let last = Path::new(text(model, "base_path")).file_name();
            let is_file = last.is_some() && last == path.file_name();
            is_named |= is_file;
            if is_file || last.is_some_and(|last| last == folder.as_str()) {
                check.served(&format!("{file}, model `{}`", text(model, "name")), model);
                served.push(text(model, "name"));
            }
        }
    }
    if let Some((file, mapping)) = check.read(&OVMS_CONFIG, Companion::beside(view, &[""], MAPPING)) {
        for (key, side) in [("inputs", Direction::Input), ("outputs", Direction::Output)] {
            check.known(&file, key, mapping.json.get(key), &[side]);
        }
    }
    let config = config.as_ref().map(|(_, config)| config);
    is_named |= check.graphs(config);
    if let Some(config) = config {
        check.pipelines(config, &served);
    }
    if !is_named && !version.parse::<u64>().is_ok_and(|version| version > 0) {
        let message = format!(
            "the model is in folder `{version}`, but the name of the folder must be its version, a number above 0"
        );
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
    fn read(&mut self, rule: &'static Rule, found: Result<Option<Companion>, String>) -> Option<(String, Config)> {
        let read = found.and_then(|found| {
            let parse = |file: Companion| match serde_json::from_str(&file.text) {
                Ok(json) => Ok((file.name, Config { path: file.path, text: file.text, json })),
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

    /// Checks the graphs around the model; returns whether one of them loads it.
    fn graphs(&mut self, config: Option<&Config>) -> bool {
        let folder = self.view.model.source().path().parent().unwrap_or(Path::new(""));
        let (all, serves) = repository::graphs(folder, self.bounds(), config, None);
        for Examined { path, text, faults } in all {
            self.found(&Source::new(path, text.into_bytes()), faults);
        }
        serves
    }

    /// Checks the pipelines that use one of the models by which the file is served, or none that is there.
    fn pipelines(&mut self, config: &Config, served: &[&str]) {
        let all = pipelines::of(config);
        let is_about = |pipeline: &&Pipeline| {
            let mut nodes = pipeline.nodes.iter();
            nodes.clone().any(|node| served.contains(&text(node.keys, "model_name")))
                || nodes.all(|node| node.model.is_none())
        };
        let mut faults = pipelines::twice(config, &all);
        let compared = Compared { view: self.view, config, bounds: self.bounds(), served };
        for pipeline in all.iter().filter(is_about) {
            if faults.len() >= MANY {
                break;
            }
            let own = pipeline.check(config);
            let is_sound = own.is_empty() && !self.view.model.has_errors();
            faults.extend(own);
            faults.extend(if is_sound { compared.check(pipeline) } else { Vec::new() });
        }
        self.found(&Source::new(&config.path, config.text.clone().into_bytes()), faults);
    }

    fn bounds(&self) -> Option<&Bounds> {
        self.view.chosen.and_then(|chosen| chosen.bounds.as_ref())
    }

    /// Reports findings about another file, with the place in that.
    fn found(&mut self, file: &Source, faults: Vec<Found>) {
        let name = file.path().file_name().unwrap_or_default().to_string_lossy().into_owned();
        for Found { rule, severity, span, message } in faults {
            let place = file.position(span.start);
            let message = format!("{name}:{}:{}: {message}", place.line, place.column);
            self.sink.report(self.view.about_model(rule, message).severity(severity));
        }
    }

    fn served(&mut self, entry: &str, model: &Map<String, Value>) {
        let shape = model.get("shape").map(unpacked);
        let mut shapes = Vec::new();
        match &shape {
            Some(Value::String(shape)) => shapes.extend(self.shape(entry, None, shape)),
            shape => {
                self.known(entry, "shape", shape.as_ref(), &[Direction::Input]);
                for (name, shape) in shape.iter().filter_map(Value::as_object).flatten() {
                    shapes.extend(self.shape(entry, Some(name), shape.as_str().unwrap_or_default()));
                }
            }
        }
        // OpenVINO gives inputs another rank if the layers take it.
        if shapes.iter().any(|shape| shape.clash.is_some()) && !self.takes(&shapes) {
            shapes.into_iter().filter_map(|shape| shape.clash).for_each(|message| self.report(message));
        }
        let layout = model.get("layout").map(unpacked);
        self.known(entry, "layout", layout.as_ref(), &[Direction::Input, Direction::Output]);
    }

    /// Whether the model takes these shapes, as far as it is checked.
    fn takes(&self, shapes: &[Asked]) -> bool {
        let model = self.view.model;
        let asked = shapes.iter().map(|shape| (shape.layer.clone(), shape.shape.clone()));
        let reshaped = Some(model).filter(|model| !model.has_errors());
        let reshaped = reshaped.and_then(|model| model.reshaped(InputShapes::of(asked)).ok());
        reshaped.is_some_and(|reshaped| Obstacles::beside(&reshaped, model.findings()).is_empty())
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

    /// Parses a shape such as `(1,3,224,224)` for the named input, or for the only one, and compares the rank.
    fn shape(&mut self, entry: &str, name: Option<&str>, text: &str) -> Option<Asked> {
        let lengths = text.trim().strip_prefix('(')?.strip_suffix(')')?;
        let inputs = &self.view.inputs;
        let input = match name {
            Some(name) => self.inputs.get(name).copied(),
            None if inputs.len() > 1 => {
                let count = inputs.len();
                self.report(format!("{entry}: `shape` is for one input, the model has {count}"));
                return None;
            }
            None => inputs.first(),
        }?;
        let lengths: Vec<&str> = lengths.split(',').map(str::trim).filter(|length| !length.is_empty()).collect();
        let fact = input.fact.as_ref()?;
        let differs = fact.rank().is_some_and(|rank| rank != lengths.len());
        let called = input.names.first().map_or("", String::as_str);
        let clash = differs.then(|| {
            let count = counted(lengths.len(), "length");
            format!("{entry}: `shape` {} has {count}, input `{called}` is {}", text.trim(), fact.shape)
        });
        let dim = |length: &&str| match length.split_once(':') {
            Some((lower, upper)) => Dim::between(lower.trim().parse().ok()?, upper.trim().parse().ok()?),
            None if *length == "-1" => Some(Dim::ANY),
            None => length.parse().ok().filter(|length| *length >= 0).map(Dim::exact),
        };
        let shape = lengths.iter().map(dim).collect::<Option<Vec<_>>>().map(PartialShape::of)?;
        let layer = self.view.graph().name(self.view.model.source(), input.layer).into_owned();
        Some(Asked { layer, shape, clash })
    }
}

/// A shape that the configuration gives an input.
struct Asked {
    layer: String,
    shape: PartialShape,
    /// The finding if the rank is not that of the input.
    clash: Option<String>,
}

/// Returns a value, or the JSON object that it contains as a string.
fn unpacked(value: &Value) -> Value {
    let object = value.as_str().and_then(|text| serde_json::from_str(text).ok());
    object.filter(Value::is_object).unwrap_or_else(|| value.clone())
}
