//! The configuration and the graphs of OpenVINO Model Server around a folder of models: where they lie, and the findings
//! about them.

use super::graph::{self, Contents, is_graph};
use super::places::{Config, Fault, MANY, Root, Spot, broken, elements, plain, wrong};
use super::schema::{self, Refusal};
use super::{CONFIG, OVMS_SCHEMA, text};
use crate::diagnostic::Severity;
use crate::input::{self, Bounds, InputFile};
use crate::limits::{GRAPH_FILE, TEXT_FILE};
use crate::source::Span;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// A file of a repository, with the findings about it.
#[derive(Debug)]
pub(crate) struct Examined {
    pub path: PathBuf,
    pub text: String,
    pub faults: Vec<Fault>,
}

/// Returns the folder above one, as the user would write it.
fn above(folder: &Path) -> PathBuf {
    let has_name = folder.file_name().is_some();
    folder.parent().filter(|_| has_name).map_or_else(|| folder.join(".."), Path::to_owned)
}

/// Reads the configuration in the folders above one with models.
fn found(folder: &Path, bounds: Option<&Bounds>) -> Option<Config> {
    [above(&above(folder)), above(folder)].into_iter().find_map(|folder| {
        let (path, root) = (folder.join(CONFIG), Root::new(&folder, bounds));
        let text = input::read_text(&path, TEXT_FILE).ok().filter(|_| root.holds(&path))?;
        let json = serde_json::from_str(&text).ok().filter(schema::is_configuration)?;
        Some(Config { path, text, json })
    })
}

/// Checks the repository that a folder with the models of a pipeline belongs to.
pub(crate) fn of_pipeline(folder: &Path, bounds: Option<&Bounds>, contents: Option<Contents>) -> Vec<Examined> {
    let config = found(folder, bounds);
    let mut all = graphs(folder, bounds, config.as_ref(), contents).0;
    if let Some(config) = config {
        let mut refusals = Vec::new();
        schema::models("the configuration", &config.json, &mut refusals);
        let fault = |Refusal { message, is_new }| {
            let severity = if is_new { Severity::Warning } else { Severity::Error };
            Fault { rule: &OVMS_SCHEMA, severity, span: Span::default(), message }
        };
        let faults: Vec<Fault> = refusals.into_iter().map(fault).collect();
        all.push(Examined { path: config.path, text: config.text, faults });
    }
    all.retain(|examined| !examined.faults.is_empty());
    all
}

/// Checks the graphs that load the models of a folder. The second value is set if one of them does.
pub(super) fn graphs(
    folder: &Path,
    bounds: Option<&Bounds>,
    config: Option<&Config>,
    contents: Option<Contents>,
) -> (Vec<Examined>, bool) {
    let models = plain(folder);
    let (mut all, mut named) = (Vec::new(), Vec::new());
    if let Some(config) = config {
        let faults = entries(config, bounds, &models, &mut named);
        all.push(Examined { path: config.path.clone(), text: config.text.clone(), faults });
    }
    let near = [folder.to_owned(), above(folder), above(&above(folder))];
    let near = near.into_iter().map(|folder| (folder.join(GRAPH), folder, false));
    let mut serves = false;
    for (path, base, is_named) in named.into_iter().chain(near) {
        let root_folder = config.and_then(|config| config.path.parent()).unwrap_or(&base);
        let root = Root::new(root_folder, bounds);
        let Some(read) = read(&path, &root, is_named) else { continue };
        let text = read.as_ref().map(String::as_str).unwrap_or_default();
        let known = contents.map(|contents| (models.as_path(), contents));
        let mut checked = graph::check(text, &base, &root, known);
        if let Err(why) = &read {
            checked.faults = vec![broken(Span::default(), why)];
        }
        serves |= checked.models.iter().any(|served| models.starts_with(served));
        all.push(Examined { path, text: text.to_owned(), faults: checked.faults });
        break;
    }
    (all, serves)
}

/// The file of a graph, unless its configuration names another.
const GRAPH: &str = "graph.pbtxt";

/// Reads a graph; `None` if there is none, or if it is the graph of something else.
fn read(path: &Path, root: &Root, is_named: bool) -> Option<Result<String, String>> {
    const HEAD: u64 = 1 << 16;
    if !root.holds(path) {
        return is_named.then(|| Err("it is a link out of the repository".to_owned()));
    }
    let file = InputFile::open(path).ok()?;
    let head = file.read_at(0, usize::try_from(file.length().min(HEAD)).ok()?).ok()?;
    let is_meant = is_named || is_graph(&String::from_utf8_lossy(&head));
    is_meant.then(|| input::read_text(path, GRAPH_FILE).map_err(|error| error.to_string()))
}

/// Checks the entries of `mediapipe_config_list`; appends the graphs for the models of a folder, with their folders.
fn entries(
    config: &Config,
    bounds: Option<&Bounds>,
    models: &Path,
    graphs: &mut Vec<(PathBuf, PathBuf, bool)>,
) -> Vec<Fault> {
    let mut faults = Vec::new();
    let folder = config.path.parent().unwrap_or(Path::new(""));
    let root = Root::new(folder, bounds);
    let list = config.json.get(LIST).and_then(Value::as_array);
    let places = elements(&config.text, LIST);
    for (at, entry) in list.into_iter().flatten().enumerate() {
        let Some(entry) = entry.as_object().filter(|entry| !text(entry, "name").is_empty()) else { continue };
        let name = text(entry, "name");
        let place = || places.get(at).copied().unwrap_or_default();
        if faults.len() == MANY {
            break;
        }
        let base = Some(text(entry, "base_path")).filter(|base| !base.is_empty()).unwrap_or(name);
        let graph = entry.get("graph_path").and_then(Value::as_str).unwrap_or(GRAPH);
        let base = root.spot(folder, base);
        let spot = match &base {
            Spot::Inside(base) => root.spot(base, graph),
            Spot::Elsewhere if !Path::new(graph).is_absolute() => Spot::Elsewhere,
            _ => root.spot(folder, graph),
        };
        match (base, spot) {
            (Spot::Outside, _) | (_, Spot::Outside) => {
                let message = format!("the graph of `{name}` lies outside of the repository, and is not looked at");
                faults.push(Fault { severity: Severity::Info, ..wrong(place(), message) });
            }
            (_, Spot::Inside(path)) if !path.is_file() => {
                let shown = path.strip_prefix(plain(folder)).unwrap_or(&path).display().to_string();
                faults.push(wrong(place(), format!("there is no graph `{shown}`, which `{name}` names")));
            }
            (Spot::Inside(base), Spot::Inside(path)) if models.starts_with(&base) => {
                let near = |path: &Path| path.strip_prefix(plain(folder)).map(|path| folder.join(path));
                graphs.push((near(&path).unwrap_or(path), base, true));
            }
            _ => {}
        }
    }
    faults
}

const LIST: &str = "mediapipe_config_list";
