//! Pipelines: folders whose models, tokenizers and JSON files one loader reads together.
//!
//! A folder is recognised by the names of its files, and its [`Kind`] by the inputs and outputs of its models, or else by its
//! JSON files. A kind demands tensors of each member, and links those that feed one another: what one gives must fit what the
//! other takes. For `unet/openvino_model.xml` with `encoder_hidden_states` f32[?,?,1024], a `text_encoder` that gives
//! f32[?,77,768] is a finding.

mod check;
mod companion;
mod configured;
mod demand;
mod diffusion;
mod draft;
mod embedding;
mod folder;
mod generation;
mod kind;
mod language;
mod latents;
mod loader;
mod overview;
mod rules;
mod schedulers;
mod served;
mod special;
mod stated;
mod text;
mod tokenizers;
mod values;
mod visual;
mod whisper;

pub use folder::{Configured, End, Folder, folders};
pub use kind::Kind;
pub use loader::Loader;
pub use overview::{Met, Overview, Overviews, Part};
pub(crate) use rules::{PIPELINE_CONFIG, PIPELINE_FILE, PIPELINE_LINK, PIPELINE_TENSOR, PIPELINE_TOKEN};

use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Rule, Severity};
use crate::input::Bounds;
use crate::lint::device_operations::DEVICE_OPERATION;
use crate::lint::rules::{EXTENSION_REQUIRED, UNKNOWN_OPSET};
use crate::lint::shapes::DYNAMIC_INPUT_FOR_DEVICE;
use crate::ops::first_tokenizers;
use crate::recipe::GENAI_MODEL;
use crate::remote::is_remote;
use crate::source::Span;
use check::{Check, Place, called};
use folder::CONFIG;
use loader::Levels;
use std::path::PathBuf;

/// A checked pipeline.
#[derive(Debug)]
pub struct Checked {
    /// The members and links; `None` if the files belong to no known pipeline.
    pub overview: Option<Overview>,
    /// The role of each model and the findings about it, in the order of the folder's members.
    pub members: Vec<InPipeline>,
    /// The findings about other files, by file.
    pub others: Vec<Aside>,
    /// The numbers of JSON files and of bytes that were fetched from a server.
    pub fetched: (usize, usize),
}

/// The role of a model in a pipeline, for the report about that model.
#[derive(Clone, Debug, Default)]
pub struct InPipeline {
    /// The findings of the pipeline that are about this model.
    pub(crate) findings: Vec<Diagnostic>,
    /// Set if the recipes of loaders were applied to it in its role, so that they are not applied again.
    pub(crate) follows_role: bool,
    /// Set if its operations come from the library of tokenizers.
    pub(crate) is_tokenizer: bool,
    /// Rules whose warnings are dropped, as the loader sees to it.
    pub(crate) settles: Vec<&'static Rule>,
}

impl InPipeline {
    /// Adds the role of the same model in another pipeline.
    pub fn join(&mut self, other: Self) {
        self.findings.extend(other.findings);
        self.follows_role |= other.follows_role;
        self.is_tokenizer |= other.is_tokenizer;
        self.settles.extend(other.settles);
    }

    /// Whether a finding only says that the model has an operation of the library of tokenizers.
    pub(crate) fn explains(&self, finding: &Diagnostic) -> bool {
        let is_about_library = self.is_tokenizer && [&EXTENSION_REQUIRED, &UNKNOWN_OPSET].contains(&finding.rule);
        is_about_library && finding.layer.as_ref().is_some_and(|layer| first_tokenizers(&layer.ty).is_some())
    }
}

/// The findings about a file that is no model.
#[derive(Debug)]
pub struct Aside {
    /// The file, or the folder.
    pub path: PathBuf,
    /// The text of the file.
    pub text: Option<String>,
    /// The findings.
    pub findings: Vec<Diagnostic>,
}

/// A folder and its models, in the order of the folder's members; `None` stands for a file that could not be read.
#[derive(Clone, Copy, Debug)]
pub struct Opened<'a> {
    /// The folder.
    pub folder: &'a Folder,
    /// The models.
    pub models: &'a [Option<&'a Model>],
}

/// Checks the members of a folder against each other and against what the loaders demand of them; if `main` is given, also as
/// the draft of that folder.
pub fn check(opened: Opened, loaders: &[Loader], bounds: Option<&Bounds>, main: Option<Opened>) -> Checked {
    let Opened { folder, models } = opened;
    let mut check = Check::new(folder, models, loaders, bounds);
    if let Some(links) = &folder.configured {
        configured::check(&mut check, links);
        let overview = Some(overview_of(&check, &kind::CONFIGURED));
        return checked(check, overview, vec![InPipeline::default(); folder.members.len()]);
    }
    let kind = Kind::of(&mut check);
    if let Some(kind) = kind {
        check.missing_models();
        if kind != &kind::DIFFUSION && check.companion(CONFIG).is_none() {
            let levels = Levels { genai: Severity::Off, ovms: Severity::Off, ..Levels::loaders(Severity::Error) };
            check.missing(levels, CONFIG, "optimum-intel learns the kind of the model from it");
        }
        kind::model_type(&mut check, kind);
        if [&kind::GENERATION, &kind::EMBEDDING, &kind::CLASSIFICATION].contains(&kind) {
            check.needs(Levels::genai(Severity::Error), kind::MODEL, "openvino.genai loads it");
        }
        (kind.check)(&mut check);
        tokenizers::check(&mut check, kind);
        served::check(&mut check, kind);
    }
    let is_unknown = is_unknown_to_loaders(&mut check, kind);
    if let Some(main) = main {
        draft::check(&mut check, &mut Check::new(main.folder, main.models, loaders, bounds));
    }
    let overview = kind.map(|kind| overview_of(&check, kind));
    let has_role = is_unknown || kind.is_some() && !loaders.is_empty();
    let members = folder.members.iter().map(|(name, _)| in_role(name, has_role, loaders)).collect();
    checked(check, overview, members)
}

/// Returns the findings by file; `members` have none yet.
fn checked(mut check: Check, overview: Option<Overview>, mut members: Vec<InPipeline>) -> Checked {
    let mut others: Vec<Aside> = Vec::new();
    for (place, finding) in std::mem::take(&mut check.found) {
        let (path, text) = match place {
            Place::Member(index) => {
                members.get_mut(index).into_iter().for_each(|member| member.findings.push(finding.clone()));
                continue;
            }
            Place::Companion(name) => check.file(&name),
            Place::Folder => (check.folder.path.clone(), None),
        };
        match others.iter_mut().find(|aside| aside.path == path) {
            Some(aside) => aside.findings.push(finding),
            None => others.push(Aside { path, text, findings: vec![finding] }),
        }
    }
    let read = check.companions.values().flatten().filter(|file| is_remote(&file.path) && !file.text.is_empty());
    let fetched = read.fold((0, 0), |(files, bytes), file| (files + 1, bytes + file.text.len()));
    Checked { overview, members, others, fetched }
}

/// The members, links and missing files of a pipeline.
fn overview_of(check: &Check, kind: &Kind) -> Overview {
    let role = |name: &str| if kind == &kind::CONFIGURED { name.to_owned() } else { called(name) };
    let part = |(name, model): &(String, usize)| Part { role: role(name), file: format!("{name}.xml"), model: *model };
    let is_read = |(name, companion): (&String, &Option<_>)| companion.is_some().then(|| name.clone());
    let path = &check.folder.path;
    Overview {
        path: if path.as_os_str().is_empty() { PathBuf::from(".") } else { path.clone() },
        kind: kind.name,
        members: check.folder.members.iter().map(part).collect(),
        files: check.companions.iter().filter_map(is_read).collect(),
        links: check.met.clone(),
        missing: check.lacking.iter().cloned().collect(),
    }
}

/// Reports models that openvino.genai has no pipeline for: those of another kind, or else of an architecture that is known.
fn is_unknown_to_loaders(check: &mut Check, kind: Option<&Kind>) -> bool {
    let genai = [Loader::Genai, Loader::GenaiNpu];
    let mut wanted = check.loaders.iter().filter(|loader| genai.contains(loader));
    // Other loaders check models without a kind alone.
    let is_only = kind.is_some() || check.loaders.iter().all(|loader| genai.contains(loader));
    if !is_only || !wanted.any(|loader| kind.is_none_or(|kind| !kind.loaders.contains(loader))) {
        return false;
    }
    let architecture = kind::architecture(check);
    let what = match (architecture, kind) {
        (Some(name), kind) if kind.is_some() || check.is_stateless(kind::MODEL) => format!("the architecture `{name}`"),
        (_, Some(kind)) if kind == &kind::OTHER => "models of this kind".to_owned(),
        (_, Some(kind)) => format!("{} models", kind.name),
        (_, None) => return false,
    };
    let finding = Diagnostic::new(&GENAI_MODEL, Span::default(), format!("openvino.genai has no pipeline for {what}"));
    check.report(Levels::genai(Severity::Error), Place::Folder, finding.help("optimum-intel loads it"));
    true
}

/// The role of a member, by its name.
fn in_role(name: &str, has_role: bool, loaders: &[Loader]) -> InPipeline {
    let is_tokenizer = tokenizers::is_pair(name);
    let follows_role = is_tokenizer || has_role;
    // openvino.genai runs tokenizers on the CPU.
    let settles = match loaders.contains(&Loader::GenaiNpu) {
        true if is_tokenizer => vec![&DYNAMIC_INPUT_FOR_DEVICE, &DEVICE_OPERATION],
        true if follows_role => vec![&DYNAMIC_INPUT_FOR_DEVICE],
        _ => Vec::new(),
    };
    InPipeline { findings: Vec::new(), follows_role, is_tokenizer, settles }
}
