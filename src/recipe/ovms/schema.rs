//! The schema of `config.json` of OpenVINO Model Server, its keys and their types, and the check of a file against it.

use crate::text::{did_you_mean, nearest};
use serde_json::{Map, Value};

/// The type of a value: its name, and the test of a value.
type Kind = (&'static str, fn(&Value) -> bool);

const TEXT: Kind = ("a string", Value::is_string);
const COUNT: Kind = ("an integer >= 0", Value::is_u64);
const FLAG: Kind = ("true or false", Value::is_boolean);
const LIST: Kind = ("a list", Value::is_array);
const OBJECT: Kind = ("an object", Value::is_object);
const TEXTS: Kind =
    ("an object of strings", |value| value.as_object().is_some_and(|named| named.values().all(Value::is_string)));
const NAMES: Kind =
    ("a list of strings", |value| value.as_array().is_some_and(|names| names.iter().all(Value::is_string)));
const VERSION: Kind = ("an integer > 0", |value| value.as_u64().is_some_and(|version| version > 0));
const SPLIT: Kind =
    ("an integer from -1 to 10000", |value| value.as_i64().is_some_and(|count| (-1..=10_000).contains(&count)));
const TYPE: Kind = ("`DL model` or `custom`", |value| value == "DL model" || value == "custom");
const ALIASES: Kind = ("a list of objects with `data_item` and `alias`", |value| {
    value.as_array().is_some_and(|all| all.iter().all(|alias| is_pair(alias, ["data_item", "alias"])))
});
const LINKS: Kind = ("a list of objects with a name, under which stand `node_name` and `data_item`", |value| {
    let is_link = |link: &Value| {
        let mut sources = link.as_object().filter(|link| link.len() == 1).into_iter().flat_map(Map::values);
        sources.next().is_some_and(|source| is_pair(source, ["node_name", "data_item"]))
    };
    value.as_array().is_some_and(|all| all.iter().all(is_link))
});

/// Whether a value is an object with strings under these two keys, and no others.
fn is_pair(value: &Value, keys: [&str; 2]) -> bool {
    let has = |pair: &Map<String, Value>| {
        pair.len() == 2 && keys.iter().all(|key| pair.get(*key).is_some_and(Value::is_string))
    };
    value.as_object().is_some_and(has)
}

/// The keys of a JSON object.
struct Keys {
    all: &'static [(&'static str, &'static [Kind])],
    /// The required keys, with spaces between.
    required: &'static str,
}

const FILE: Keys = Keys {
    all: &[
        ("custom_loader_config_list", &[LIST]),
        ("custom_node_library_config_list", &[LIST]),
        ("mediapipe_config_list", &[LIST]),
        ("model_config_list", &[LIST]),
        ("monitoring", &[OBJECT]),
        ("pipeline_config_list", &[LIST]),
    ],
    required: "model_config_list",
};

/// The keys of an entry of `model_config_list`.
const ENTRY: Keys = Keys { all: &[("config", &[OBJECT])], required: "config" };

const MODEL: Keys = Keys {
    all: &[
        ("allow_cache", &[FLAG]),
        ("base_path", &[TEXT]),
        ("batch_size", &[COUNT, TEXT]),
        ("custom_loader_options", &[OBJECT]),
        ("graph_path", &[TEXT]),
        ("layout", &[TEXT, TEXTS]),
        ("model_version_policy", &[OBJECT]),
        ("name", &[TEXT]),
        ("nireq", &[COUNT]),
        ("plugin_config", &[OBJECT]),
        ("shape", &[TEXT, TEXTS]),
        ("subconfig", &[TEXT]),
        ("target_device", &[TEXT]),
    ],
    required: "name",
};

/// The keys of an entry of `mediapipe_config_list`.
const GRAPH: Keys = Keys {
    all: &[("base_path", &[TEXT]), ("graph_path", &[TEXT]), ("name", &[TEXT]), ("subconfig", &[TEXT])],
    required: "name",
};

/// The keys of an entry of `pipeline_config_list`, and those of its nodes.
const PIPELINE: Keys = Keys {
    all: &[
        ("demultiply_count", &[SPLIT]),
        ("inputs", &[NAMES]),
        ("name", &[TEXT]),
        ("nodes", &[LIST]),
        ("outputs", &[LINKS]),
    ],
    required: "name nodes inputs outputs",
};

const NODE: Keys = Keys {
    all: &[
        ("demultiply_count", &[SPLIT]),
        ("gather_from_node", &[TEXT]),
        ("inputs", &[LINKS]),
        ("library_name", &[TEXT]),
        ("model_name", &[TEXT]),
        ("name", &[TEXT]),
        ("outputs", &[ALIASES]),
        ("params", &[TEXTS]),
        ("type", &[TYPE]),
        ("version", &[VERSION]),
    ],
    required: "name type inputs outputs",
};

/// Keys of a model that release 2026.3 removed.
const REMOVED: [&str; 4] = ["idle_sequence_cleanup", "low_latency_transformation", "max_sequence_number", "stateful"];

/// The reason why the server rejects a file.
pub(super) struct Refusal {
    pub message: String,
    /// Set if only newer servers reject it.
    pub is_new: bool,
}

/// Whether a file is a configuration of the model server; exports of language models contain another `config.json`.
pub(super) fn is_configuration(file: &Value) -> bool {
    FILE.all.iter().any(|(key, _)| file.get(key).is_some())
}

/// Returns the models of a configuration; appends everything that the server rejects in it.
pub(super) fn models<'a>(file: &str, config: &'a Value, refusals: &mut Vec<Refusal>) -> Vec<&'a Map<String, Value>> {
    let mut models = Vec::new();
    let list = FILE.of(file, config, refusals).and_then(|config| config.get("model_config_list")?.as_array());
    for (at, entry) in list.into_iter().flatten().enumerate() {
        let place = format!("{file}, entry {at} of `model_config_list`");
        let Some(model) = ENTRY.of(&place, entry, refusals).and_then(|entry| entry.get("config")) else { continue };
        let name = model.get("name").and_then(Value::as_str);
        let place = name.map_or(place, |name| format!("{file}, model `{name}`"));
        models.extend(MODEL.of(&place, model, refusals));
    }
    for (at, entry) in listed(config, "mediapipe_config_list") {
        GRAPH.of(&format!("{file}, entry {at} of `mediapipe_config_list`"), entry, refusals);
    }
    for (at, entry) in listed(config, "pipeline_config_list") {
        let name = entry.get("name").and_then(Value::as_str);
        let of =
            name.map_or_else(|| format!("entry {at} of `pipeline_config_list`"), |name| format!("pipeline `{name}`"));
        let place = format!("{file}, {of}");
        PIPELINE.of(&place, entry, refusals);
        for (at, node) in listed(entry, "nodes") {
            let name = node.get("name").and_then(Value::as_str);
            let place = name.map_or_else(|| format!("{place}, node {at}"), |name| format!("{place}, node `{name}`"));
            let Some(keys) = NODE.of(&place, node, refusals) else { continue };
            let (wanted, other) = match node.get("type").and_then(Value::as_str) {
                Some("DL model") => ("model_name", "library_name"),
                Some("custom") => ("library_name", "model_name"),
                _ => continue,
            };
            let mut refuse = |what| refusals.push(Refusal { message: format!("{place}: {what}"), is_new: false });
            if !keys.contains_key(wanted) {
                refuse(format!("there is no `{wanted}`"));
            }
            if keys.contains_key(other) {
                refuse(format!("`{other}` is for nodes of the other type"));
            }
        }
    }
    models
}

/// Returns the elements of a list, with their indices; none if the value has no such list.
fn listed<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    value.get(key).and_then(Value::as_array).into_iter().flatten().enumerate()
}

impl Keys {
    /// Returns the object if the value is one; appends its violations of these keys.
    fn of<'a>(&self, place: &str, value: &'a Value, refusals: &mut Vec<Refusal>) -> Option<&'a Map<String, Value>> {
        let mut refuse = |what: String, is_new| refusals.push(Refusal { message: format!("{place}: {what}"), is_new });
        let Some(object) = value.as_object() else {
            refuse(format!("found {}, wanted an object", shown(value)), false);
            return None;
        };
        for key in self.required.split(' ').filter(|key| !object.contains_key(*key)) {
            refuse(format!("there is no `{key}`"), false);
        }
        for (key, value) in object {
            match self.all.iter().find(|(name, _)| name == key) {
                Some((_, kinds)) if kinds.iter().any(|(_, admits)| admits(value)) => {}
                Some((_, kinds)) => {
                    let wanted: Vec<&str> = kinds.iter().map(|(name, _)| *name).collect();
                    refuse(format!("`{key}` is {}, wanted {}", shown(value), wanted.join(" or ")), false);
                }
                None if REMOVED.contains(&key.as_str()) => {
                    refuse(format!("the model server does not know the key `{key}` since 2026.3"), true);
                }
                None => {
                    let near = did_you_mean(nearest(key, self.all.iter().map(|(name, _)| *name)));
                    refuse(format!("the model server does not know the key `{key}`{near}"), false);
                }
            }
        }
        Some(object)
    }
}

fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        value => value.to_string(),
    }
}
