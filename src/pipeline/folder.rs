//! The folders among the files to check that may hold a pipeline, and the names of files by which loaders find its models.

use crate::remote::{Listings, is_remote};
use crate::source::Span;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A folder that may hold a pipeline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Folder {
    /// The path.
    pub path: PathBuf,
    /// The models in it: the path from the folder without `.xml`, such as `unet/openvino_model`, and the index of the file.
    pub members: Vec<(String, usize)>,
    /// The files on servers.
    pub listings: Arc<Listings>,
    /// The links between the models, if a configuration makes them a pipeline.
    pub configured: Option<Arc<Configured>>,
}

/// The links of a configuration, each from an output to an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configured {
    /// The path of the configuration.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// The ends of each link.
    pub links: Vec<[End; 2]>,
}

/// A tensor name, and the models that must have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The models, as indices among the members of the folder.
    pub members: Vec<usize>,
    /// The tensor name.
    pub tensor: String,
    /// The place in the configuration.
    pub span: Span,
}

/// The names of the models that loaders look for, without `.xml`.
pub(super) const MODELS: [&str; 14] = [
    "openvino_model",
    "openvino_language_model",
    "openvino_text_embeddings_model",
    "openvino_text_embeddings_per_layer_model",
    "openvino_vision_embeddings_model",
    "openvino_vision_embeddings_merger_model",
    "openvino_vision_embeddings_pos_model",
    "openvino_vision_projection_model",
    "openvino_vision_resampler_model",
    "openvino_multi_modal_projector_model",
    "openvino_resampler_model",
    "openvino_encoder_model",
    "openvino_decoder_model",
    "openvino_decoder_with_past_model",
];
pub(super) const TOKENIZER: &str = "openvino_tokenizer";
pub(super) const DETOKENIZER: &str = "openvino_detokenizer";

/// The file that names the parts of a diffusion pipeline.
pub(super) const INDEX: &str = "model_index.json";
pub(super) const CONFIG: &str = "config.json";

/// Returns the folders below `given` that may hold a pipeline: those with two models by the names that loaders look for, or one
/// beside a configuration or beside weights whose model is missing. On servers, only folders that were listed are considered.
pub fn folders(files: &[&Path], given: &[PathBuf], listings: Listings) -> Vec<Folder> {
    let given: Vec<&Path> = given.iter().map(|path| path.strip_prefix(".").unwrap_or(path)).collect();
    let listings = Arc::new(listings);
    let mut roots: BTreeMap<&Path, PathBuf> = BTreeMap::new();
    let mut found: BTreeMap<PathBuf, Vec<(String, usize)>> = BTreeMap::new();
    for (index, file) in files.iter().enumerate() {
        let (Some(parent), Some(stem)) = (file.parent(), file.file_stem().and_then(|stem| stem.to_str())) else {
            continue;
        };
        let is_member = MODELS.contains(&stem) || [TOKENIZER, DETOKENIZER].contains(&stem);
        let is_xml = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("xml"));
        if !is_member || !is_xml || is_remote(file) && !listings.has(file) {
            continue;
        }
        let root = roots.entry(parent).or_insert_with(|| root_of(parent, &given, &listings)).clone();
        let part = parent.strip_prefix(&root).ok().and_then(Path::to_str).filter(|part| !part.is_empty());
        let name = part.map_or_else(|| stem.to_owned(), |part| format!("{part}/{stem}"));
        found.entry(root).or_default().push((name, index));
    }
    let folder = |(path, members)| Folder { path, members, listings: Arc::clone(&listings), configured: None };
    let folders = found.into_iter().map(folder);
    folders.filter(Folder::may_be_pipeline).collect()
}

/// Returns the folder of the pipeline that a folder with a model may be a part of, or the folder itself.
fn root_of(parent: &Path, given: &[&Path], listings: &Listings) -> PathBuf {
    // A server lists only files below those that are given.
    let is_below = |above: &Path| {
        given.is_empty()
            || is_remote(above)
            || given.iter().any(|given| above.strip_prefix(".").unwrap_or(above).starts_with(given))
    };
    let above = parent.parent().filter(|above| is_below(above));
    above.filter(|above| has(above, INDEX, listings)).unwrap_or(parent).to_owned()
}

/// Returns the path of a file of a folder.
fn file(folder: &Path, name: &str) -> PathBuf {
    if is_remote(folder) { format!("{}/{name}", folder.display()).into() } else { folder.join(name) }
}

/// Whether a folder has a file.
fn has(folder: &Path, name: &str, listings: &Listings) -> bool {
    let file = file(folder, name);
    if is_remote(&file) { listings.has(&file) } else { file.is_file() }
}

impl Folder {
    /// Returns the path of a file.
    pub(super) fn file(&self, name: &str) -> PathBuf {
        file(&self.path, name)
    }

    /// Whether a file is there.
    pub(super) fn has(&self, name: &str) -> bool {
        has(&self.path, name, &self.listings)
    }

    fn may_be_pipeline(&self) -> bool {
        self.members.len() > 1 || [CONFIG, INDEX].iter().any(|name| self.has(name)) || self.has_orphan()
    }

    /// Whether there are weights of a model that is missing.
    fn has_orphan(&self) -> bool {
        MODELS.iter().any(|name| self.is_orphan(name))
    }

    /// Whether the weights of a model are there and the model is not.
    pub(super) fn is_orphan(&self, name: &str) -> bool {
        self.has(&format!("{name}.bin")) && !self.has(&format!("{name}.xml"))
    }

    /// Returns the advice to convert a missing tokenizer or detokenizer; `None` for other files.
    pub(super) fn conversion(&self, file: &str) -> Option<String> {
        let (part, name) = file.rsplit_once('/').unwrap_or((".", file));
        if ![TOKENIZER, DETOKENIZER].contains(&name.strip_suffix(".xml")?) {
            return None;
        }
        let has_source = ["tokenizer.json", "tokenizer.model"].iter().any(|name| self.has(&format!("{part}/{name}")));
        let (from, which) = if has_source { (part, "") } else { ("CHECKPOINT", ", with the checkpoint of the model") };
        Some(format!("in this folder, run `convert_tokenizer {from} --with-detokenizer -o {part}`{which}"))
    }
}
