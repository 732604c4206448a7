//! The comparison of the models of a pipeline of OpenVINO Model Server where the output of one is the input of the next.

use super::pipelines::{Node, Pipeline};
use super::places::{Config, Fault, Root, Spot, plain};
use super::text;
use crate::analysis::{Model, Options};
use crate::diagnostic::Direction;
use crate::input::Bounds;
use crate::recipe::view::{Port, View};
use crate::types::{Dim, ElementType, Fact};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The maximum number of other models that are opened.
const OPENED: usize = 16;

/// The options of a model and the file beside it that give it other shapes or names than its own.
const CHANGES: [&str; 4] = ["batch_size", "custom_loader_options", "layout", "shape"];
const MAPPING: &str = "mapping_config.json";

/// The check of the nodes that run one model.
pub(super) struct Compared<'a, 'v> {
    pub view: &'v View<'a>,
    pub config: &'v Config,
    pub bounds: Option<&'v Bounds>,
    /// The names by which the configuration may serve the model.
    pub served: &'v [&'v str],
}

impl Compared<'_, '_> {
    /// Compares the inputs of the nodes that run this model with the outputs that they take.
    pub(super) fn check(&self, pipeline: &Pipeline) -> Vec<Fault> {
        let this = plain(self.view.model.source().path());
        let (mut faults, mut others) = (Vec::new(), BTreeMap::new());
        let inputs = self.view.named(Direction::Input);
        let is_this = |node: &&Node| {
            self.served.contains(&text(node.keys, "model_name")) && self.file(node).is_some_and(|file| file == this)
        };
        for node in pipeline.nodes.iter().filter(is_this) {
            for link in &node.links {
                let mut wrong = |what: &str| faults.push(pipeline.about_link(self.config, Some(node), link, what));
                let Some(input) = inputs.get(link.input) else {
                    if are_named(&self.view.inputs) {
                        wrong("is not an input of the model");
                    }
                    continue;
                };
                let Some(source) = pipeline.nodes.iter().find(|source| source.name == link.node) else { continue };
                let (Some(item), Some(file)) = (source.outputs.get(link.item), self.file(source)) else { continue };
                if !others.contains_key(&file) && others.len() < OPENED {
                    others.insert(file.clone(), self.open(&file));
                }
                let Some(view) = others.get(&file).and_then(Option::as_ref).and_then(|other| View::of(other, None))
                else {
                    continue;
                };
                match view.named(Direction::Output).get(item) {
                    None if are_named(&view.outputs) => {
                        wrong(&format!(
                            "takes `{item}` of model `{}`, which has no such output",
                            text(source.keys, "model_name")
                        ));
                    }
                    None => {}
                    Some(output) => {
                        let facts = input.fact.as_ref().zip(output.fact.as_ref());
                        let is_whole = !node.splits() && !source.splits();
                        if let Some((taken, given)) = facts.filter(|(taken, given)| !fits(taken, given, is_whole)) {
                            wrong(&format!("is {taken}, and `{item}` of node `{}` is {given}", source.name));
                        }
                    }
                }
            }
            let is_given = |input: &&Port| node.links.iter().any(|link| input.is(link.input));
            if let Some(open) =
                self.view.inputs.iter().filter(|_| are_named(&self.view.inputs)).find(|input| !is_given(input))
            {
                let what = format!("input {} of the model is not connected", self.view.name(open));
                faults.push(pipeline.about(self.config, Some(node), &what));
            }
        }
        faults
    }

    /// Returns the file that a node runs, if the server takes it as it is.
    fn file(&self, node: &Node) -> Option<PathBuf> {
        let entry = node.model?;
        let version = node.keys.get("version").and_then(Value::as_u64);
        let file = file_of(self.config, self.bounds, entry, version)?;
        let changes = CHANGES.iter().any(|key| entry.contains_key(*key)) || file.with_file_name(MAPPING).exists();
        (!changes).then_some(file)
    }

    fn open(&self, file: &Path) -> Option<Model> {
        let options = Options { bounds: self.bounds.cloned(), limits: *self.view.model.limits(), ..Options::default() };
        Model::open(file, &options).ok().filter(|model| !model.has_errors())
    }
}

/// Whether all ports have tensor names, by which the server finds them.
fn are_named(ports: &[Port]) -> bool {
    ports.iter().all(|port| !port.names.is_empty())
}

/// Whether what an input takes may be what an output gives. Only the types are compared of a tensor that is split on the way.
fn fits(taken: &Fact, given: &Fact, is_whole: bool) -> bool {
    let is_known = |fact: &Fact| !fact.assumed && fact.ty != ElementType::Dynamic;
    if !is_known(taken) || !is_known(given) {
        return true;
    }
    let meet = |(one, other): (&Dim, &Dim)| one.merge(*other).is_some();
    let shapes = taken.shape.dims().zip(given.shape.dims()).filter(|_| is_whole);
    let is_apart = shapes.is_some_and(|(one, other)| one.len() != other.len() || !one.iter().zip(other).all(meet));
    taken.ty == given.ty && taken.ty != ElementType::String && !is_apart
}

/// Returns the file of the model of an entry: of a version, or of the newest one.
fn file_of(
    config: &Config,
    bounds: Option<&Bounds>,
    entry: &Map<String, Value>,
    version: Option<u64>,
) -> Option<PathBuf> {
    /// The maximum number of files in a folder that are looked at.
    const FILES: usize = 1_000;
    let folder = config.path.parent()?;
    let (root, base) = (Root::new(folder, bounds), text(entry, "base_path"));
    let base = match root.spot(folder, base) {
        Spot::Inside(base) => base,
        // In a container, the repository has another path.
        Spot::Elsewhere => match root.spot(folder, Path::new(base).file_name()?.to_str()?) {
            Spot::Inside(base) => base,
            _ => return None,
        },
        Spot::Outside => return None,
    };
    if base.is_file() {
        return Some(base);
    }
    let names = |folder: &Path| {
        let entries = folder.read_dir().into_iter().flatten().take(FILES).flatten();
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect::<Vec<_>>()
    };
    let newest = || names(&base).iter().filter_map(|name| name.parse::<u64>().ok()).max();
    let policy = entry.contains_key("model_version_policy");
    let version = version.or_else(|| newest().filter(|_| !policy))?;
    let folder = base.join(version.to_string());
    let mut models =
        names(&folder).into_iter().filter(|name| Path::new(name).extension().is_some_and(|ending| ending == "xml"));
    let file = folder.join(models.next()?);
    models.next().is_none().then_some(file)
}
