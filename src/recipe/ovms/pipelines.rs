//! Pipelines of OpenVINO Model Server, `pipeline_config_list`: nodes whose inputs are the outputs of others, and the faults
//! that the configuration alone shows.

use super::places::{Config, Fault, MANY, Step, elements, locate, wrong};
use super::text;
use crate::arrange::Fill;
use crate::diagnostic::Severity;
use crate::source::Span;
use crate::text::counted;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The nodes that stand for the request and the response.
const REQUEST: &str = "request";
pub(super) const RESPONSE: &str = "response";

/// An input of a node and the output that it takes.
pub(super) struct Link<'a> {
    pub input: &'a str,
    pub node: &'a str,
    pub item: &'a str,
    pub at: usize,
}

/// A node of a pipeline.
pub(super) struct Node<'a> {
    pub name: &'a str,
    pub keys: &'a Map<String, Value>,
    /// The entry of its model in the configuration.
    pub model: Option<&'a Map<String, Value>>,
    pub links: Vec<Link<'a>>,
    /// The outputs of the model, by the names that other nodes use.
    pub outputs: BTreeMap<&'a str, &'a str>,
    /// Whether the library that it names is in the configuration.
    has_library: bool,
    /// The index in the configuration.
    at: usize,
}

impl Node<'_> {
    /// Whether the node splits a tensor or joins parts again, which changes shapes.
    pub(super) fn splits(&self) -> bool {
        ["demultiply_count", "gather_from_node"].iter().any(|key| self.keys.contains_key(*key))
    }
}

/// A pipeline that the schema admits.
pub(super) struct Pipeline<'a> {
    pub name: &'a str,
    pub nodes: Vec<Node<'a>>,
    pub outputs: Vec<Link<'a>>,
    inputs: Vec<&'a str>,
    splits: bool,
    /// Set if a model has the name of the pipeline.
    is_taken: bool,
    place: Span,
}

/// Returns the elements of a list.
fn list<'a>(of: &'a Map<String, Value>, key: &str) -> &'a [Value] {
    of.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn links<'a>(of: &'a Map<String, Value>, key: &str) -> Vec<Link<'a>> {
    let link = |(at, link): (usize, &'a Value)| {
        let (input, source) = link.as_object()?.iter().next()?;
        let source = source.as_object()?;
        Some(Link { input, node: text(source, "node_name"), item: text(source, "data_item"), at })
    };
    list(of, key).iter().enumerate().filter_map(link).collect()
}

/// Returns the pipelines of a configuration.
pub(super) fn of(config: &Config) -> Vec<Pipeline<'_>> {
    of_json(&config.json, &elements(&config.text, LIST))
}

fn of_json<'a>(config: &'a Value, places: &[Span]) -> Vec<Pipeline<'a>> {
    let all = |list: &str| config.get(list).and_then(Value::as_array).into_iter().flatten();
    let entries = all("model_config_list").filter_map(|entry| entry.get("config").and_then(Value::as_object));
    let models: BTreeMap<&str, &Map<String, Value>> = entries.map(|entry| (text(entry, "name"), entry)).into_map();
    let libraries = all("custom_node_library_config_list").filter_map(|library| library.get("name")?.as_str());
    let libraries: BTreeSet<&str> = libraries.into_set();
    let node = |(at, node): (usize, &'a Value)| {
        let keys = node.as_object()?;
        let alias = |alias: &'a Value| Some((text(alias.as_object()?, "alias"), text(alias.as_object()?, "data_item")));
        let outputs = list(keys, "outputs").iter().filter_map(alias).into_map();
        Some(Node {
            name: text(keys, "name"),
            keys,
            model: models.get(text(keys, "model_name")).copied(),
            links: links(keys, "inputs"),
            outputs,
            has_library: libraries.contains(text(keys, "library_name")),
            at,
        })
    };
    let pipeline = |(at, pipeline): (usize, &'a Value)| {
        let keys = pipeline.as_object()?;
        Some(Pipeline {
            name: text(keys, "name"),
            nodes: list(keys, "nodes").iter().enumerate().filter_map(&node).collect(),
            outputs: links(keys, "outputs"),
            inputs: list(keys, "inputs").iter().filter_map(Value::as_str).collect(),
            splits: keys.contains_key("demultiply_count"),
            is_taken: models.contains_key(text(keys, "name")),
            place: places.get(at).copied().unwrap_or_default(),
        })
    };
    all(LIST).enumerate().filter_map(pipeline).collect()
}

const LIST: &str = "pipeline_config_list";

/// The maximum number of nodes of a pipeline that is checked.
const NODES: usize = 1_000;

impl<'a> Pipeline<'a> {
    /// Creates a finding about an input of a node, or about an output of the pipeline.
    pub(super) fn about_link(&self, config: &Config, node: Option<&Node>, link: &Link, what: &str) -> Fault {
        let (way, whose) = match node {
            Some(node) => {
                let way = vec![Step::Key("nodes"), Step::At(node.at), Step::Key("inputs"), Step::At(link.at)];
                (way, format!("input `{}` of node `{}`", link.input, node.name))
            }
            None => (vec![Step::Key("outputs"), Step::At(link.at)], format!("output `{}`", link.input)),
        };
        let span = locate(&config.text, self.place, &way);
        wrong(span, format!("pipeline `{}`: {whose} {what}", self.name))
    }

    /// Creates a finding about a node, or about the pipeline as a whole.
    pub(super) fn about(&self, config: &Config, node: Option<&Node>, what: &str) -> Fault {
        let mut way = Vec::new();
        let mut whose = format!("pipeline `{}`", self.name);
        if let Some(node) = node {
            way.extend([Step::Key("nodes"), Step::At(node.at)]);
            whose = format!("{whose}, node `{}`", node.name);
        }
        wrong(locate(&config.text, self.place, &way), format!("{whose}: {what}"))
    }

    /// Checks what the configuration alone shows.
    pub(super) fn check(&self, config: &Config) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.nodes.len() > NODES {
            let what =
                format!("it has {}, and ovlint checks pipelines of at most {NODES}", counted(self.nodes.len(), "node"));
            faults.push(Fault { severity: Severity::Warning, ..self.about(config, None, &what) });
            return faults;
        }
        if self.is_taken {
            faults.push(self.about(config, None, "a model has this name, too"));
        }
        let mut names = BTreeMap::from([(REQUEST, None), (RESPONSE, None)]);
        for node in &self.nodes {
            if faults.len() >= MANY {
                return faults;
            }
            if names.insert(node.name, Some(node)).is_some() {
                faults.push(self.about(config, Some(node), "another node has this name, too"));
            }
            faults.extend(self.served(config, node));
        }
        for (node, link) in self.links() {
            let what = match names.get(link.node) {
                _ if faults.len() >= MANY => break,
                _ if link.node == RESPONSE => "takes the response, which gives nothing".to_owned(),
                None => format!("takes an output of `{}`, and no node has that name", link.node),
                Some(None) if !self.inputs.contains(&link.item) => {
                    format!("takes `{}` of the request, which is not among the inputs of the pipeline", link.item)
                }
                Some(Some(source)) if !source.outputs.contains_key(link.item) => {
                    format!("takes `{}` of node `{}`, which has no such output", link.item, link.node)
                }
                _ => continue,
            };
            faults.push(self.about_link(config, node, link, &what));
        }
        for node in &self.nodes {
            let mut seen = BTreeSet::new();
            let again = node.links.iter().find(|link| !seen.insert(link.input));
            faults.extend(again.map(|link| self.about_link(config, Some(node), link, "is given twice")));
        }
        if faults.is_empty() {
            faults.extend(self.order(config));
        }
        faults.truncate(MANY);
        faults
    }

    /// Returns all links, each with its node; those of the response have none.
    fn links(&self) -> impl Iterator<Item = (Option<&Node<'a>>, &Link<'a>)> {
        let of_nodes = self.nodes.iter().flat_map(|node| node.links.iter().map(move |link| (Some(node), link)));
        of_nodes.chain(self.outputs.iter().map(|link| (None, link)))
    }

    /// Checks that what a node runs is there, and where it gathers from.
    fn served(&self, config: &Config, node: &Node) -> Vec<Fault> {
        let (name, library, entry) = (text(node.keys, "model_name"), text(node.keys, "library_name"), node.model);
        let mut faults = Vec::new();
        let mut wrong = |what: String| faults.push(self.about(config, Some(node), &what));
        // Graphs may bring models of their own.
        let is_complete = config.json.get("mediapipe_config_list").is_none();
        if !name.is_empty() && entry.is_none() && is_complete {
            wrong(format!("`model_config_list` has no model `{name}`"));
        }
        if entry.is_some_and(|entry| ["shape", "batch_size"].iter().any(|key| text(entry, key) == "auto")) {
            wrong(format!("model `{name}` has a batch or shape `auto`, which a pipeline cannot use"));
        }
        if !library.is_empty() && !node.has_library {
            wrong(format!("`custom_node_library_config_list` has no library `{library}`"));
        }
        let from = text(node.keys, "gather_from_node");
        let splits = |other: &Node| other.name == from && other.keys.contains_key("demultiply_count");
        let is_split = from == REQUEST && self.splits || self.nodes.iter().any(splits);
        if !from.is_empty() && !is_split {
            wrong(format!("`gather_from_node` is `{from}`, which is no node with `demultiply_count`"));
        }
        faults
    }

    /// Checks that the nodes lead from the request to the response without a circle, going backwards from the response.
    fn order(&self, config: &Config) -> Option<Fault> {
        let nodes: BTreeMap<&str, &Node> = self.nodes.iter().map(|node| (node.name, node)).into_map();
        let sources = |name: &str| nodes.get(name).map_or(&self.outputs, |node| &node.links);
        let (mut way, mut done) = (vec![(RESPONSE, 0)], BTreeSet::from([REQUEST]));
        let mut on_way = BTreeSet::from([RESPONSE]);
        while let Some((name, next)) = way.last_mut() {
            let Some(link) = sources(name).get(*next) else {
                on_way.remove(name);
                done.insert(*name);
                way.pop();
                continue;
            };
            *next += 1;
            if on_way.contains(link.node) {
                let circle: Vec<&str> =
                    way.iter().map(|(name, _)| *name).skip_while(|name| *name != link.node).collect();
                let what = format!("the nodes `{}` form a cycle", circle.join("`, `"));
                return Some(self.about(config, nodes.get(link.node).copied(), &what));
            }
            if !done.contains(link.node) {
                on_way.insert(link.node);
                way.push((link.node, 0));
            }
        }
        let lost = self.nodes.iter().find(|node| !done.contains(node.name));
        lost.map(|lost| self.about(config, Some(lost), "no output of the pipeline depends on it"))
    }
}

/// Reports the pipelines whose name an earlier one has.
pub(super) fn twice(config: &Config, pipelines: &[Pipeline]) -> Vec<Fault> {
    let mut names = BTreeSet::new();
    let again = pipelines.iter().filter(|pipeline| !names.insert(pipeline.name)).take(MANY);
    let fault = |pipeline: &Pipeline| {
        let fault = pipeline.about(config, None, "another pipeline has this name, too; the server loads the first one");
        Fault { severity: Severity::Warning, ..fault }
    };
    again.map(fault).collect()
}
