//! Graphs of OpenVINO Model Server, `graph.pbtxt`: the nodes that load models, and what each of them demands.

use super::places::{Fault, Root, Spot, broken, wrong};
use crate::diagnostic::Severity;
use crate::recipe::text_format::{Field, Value, parse};
use crate::source::Span;
use serde_json::Map;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The contents of a folder that a node loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Known from the names of the files.
    Diffusion,
    Vision,
    EncoderDecoder,
    Single,
    /// Known from the inputs and outputs of the model.
    Generation,
    Embedding,
    Classification,
}
use Contents::{Classification, Diffusion, Embedding, EncoderDecoder, Generation, Single, Vision};

impl Contents {
    /// Recognises a folder by its files.
    fn of(folder: &Path) -> Option<Self> {
        let has = |name: &str| folder.join(name).is_file();
        match () {
            () if has("model_index.json") => Some(Diffusion),
            () if has("openvino_language_model.xml") => Some(Vision),
            () if has("openvino_encoder_model.xml") && has("openvino_decoder_model.xml") => Some(EncoderDecoder),
            () if has(MODEL) => Some(Single),
            () => None,
        }
    }

    fn called(self) -> &'static str {
        match self {
            Diffusion => "a diffusion pipeline",
            Vision => "a vision-language model",
            EncoderDecoder => "an encoder and a decoder",
            Single => "a single model",
            Generation => "a language model",
            Embedding => "a text embedding model",
            Classification => "a text classifier or reranker",
        }
    }
}

/// A calculator that loads models.
struct Calculator {
    /// The end of its name; with `Options` behind, the type of its options.
    name: &'static str,
    /// The severity of a `plugin_config` that cannot be parsed: some calculators only log it.
    plugin_config: Severity,
    /// The contents that it does not load, and those that it loads but cannot serve.
    refuses: &'static [Contents],
    misuses: &'static [Contents],
}

const fn calculator(
    name: &'static str,
    plugin_config: Severity,
    refuses: &'static [Contents],
    misuses: &'static [Contents],
) -> Calculator {
    Calculator { name, plugin_config, refuses, misuses }
}

const EMBEDDINGS: &str = "EmbeddingsCalculatorOV";
const RERANK: &str = "RerankCalculatorOV";
const NO_DIFFUSION: &[Contents] = &[Vision, EncoderDecoder, Single, Generation, Embedding, Classification];

const CALCULATORS: [Calculator; 6] = [
    calculator("LLMCalculator", Severity::Error, &[Diffusion, EncoderDecoder, Embedding, Classification], &[]),
    calculator(EMBEDDINGS, Severity::Warning, &[Diffusion, Vision, EncoderDecoder], &[Classification]),
    calculator(RERANK, Severity::Warning, &[Diffusion, Vision, EncoderDecoder], &[Embedding]),
    calculator("ImageGenCalculator", Severity::Error, NO_DIFFUSION, &[]),
    calculator("S2tCalculator", Severity::Error, &[Diffusion, Generation, Embedding, Classification], &[]),
    calculator("T2sCalculator", Severity::Warning, &[Diffusion, Vision, Generation, Embedding, Classification], &[]),
];

const MODEL: &str = "openvino_model.xml";

/// Options of a draft model, which the server refuses without the path of one.
const DRAFT: [&str; 6] = [
    "draft_block_size",
    "draft_cache_size",
    "draft_device",
    "draft_dynamic_split_fuse",
    "draft_max_num_batched_tokens",
    "draft_max_num_seqs",
];

/// Whether a text looks like a graph of the server; TensorFlow writes graphs of its own to files of this name.
pub(super) fn is_graph(text: &str) -> bool {
    ["calculator:", "type.googleapis.com", "mediapipe."].iter().all(|part| text.contains(part))
}

/// The findings about a graph, and the folders of its models.
#[derive(Default)]
pub(super) struct Checked {
    pub faults: Vec<Fault>,
    pub models: Vec<PathBuf>,
}

/// Checks a graph. `base` is the folder that its paths start from; `known` are a folder and what its models show that it holds.
pub(super) fn check(text: &str, base: &Path, root: &Root, known: Option<(&Path, Contents)>) -> Checked {
    let mut checked = Checked::default();
    let fields = match parse(text) {
        Ok(fields) => fields,
        Err(why) => {
            let start = text.split_inclusive('\n').take(why.line.saturating_sub(1)).map(str::len).sum();
            checked.faults.push(broken(Span::new(start, start), &why.what));
            return checked;
        }
    };
    let mut names = BTreeSet::new();
    for field in fields.iter().filter(|field| field.name == "node") {
        let Value::Message(node) = &field.value else { continue };
        let Some(calculator) = text_of(node, "calculator").and_then(|(name, _)| Calculator::of(name)) else { continue };
        let mut check = Check { calculator, base, root, known, checked: &mut checked };
        match text_of(node, "name") {
            Some((name, _)) if !name.is_empty() => {
                if !names.insert((calculator.name, name)) {
                    check.refuse(field, format!("another node is called `{name}`, too"));
                }
            }
            _ => check.refuse(field, format!("a node of the calculator `{}` has no name", calculator.name)),
        }
        match node.iter().find(|inner| inner.name == "node_options") {
            Some(options) => check.options(options),
            None => {
                check.refuse(field, format!("a node of the calculator `{}` has no `node_options`", calculator.name));
            }
        }
    }
    checked
}

impl Calculator {
    fn of(name: &str) -> Option<&'static Self> {
        CALCULATORS.iter().find(|calculator| name.ends_with(calculator.name))
    }
}

/// Returns the text of a field, with the field. The last one counts, as in the server.
fn text_of<'f>(fields: &'f [Field], name: &str) -> Option<(&'f str, &'f Field)> {
    let field = fields.iter().rev().find(|field| field.name == name)?;
    if let Value::Text(text) = &field.value { Some((text, field)) } else { None }
}

/// The check of a node.
struct Check<'a> {
    calculator: &'static Calculator,
    base: &'a Path,
    root: &'a Root,
    known: Option<(&'a Path, Contents)>,
    checked: &'a mut Checked,
}

impl Check<'_> {
    fn report(&mut self, severity: Severity, field: &Field, message: String) {
        let end = field.at + field.name.len();
        self.checked.faults.push(Fault { severity, ..wrong(Span::new(field.at, end), message) });
    }

    fn refuse(&mut self, field: &Field, message: String) {
        self.report(Severity::Error, field, message);
    }

    fn options(&mut self, outer: &Field) {
        let Value::Message(inner) = &outer.value else { return };
        // Only one type of options can be given in this form.
        let Some(typed) = inner.iter().find(|field| field.name.starts_with('[')) else { return };
        let Value::Message(options) = &typed.value else { return };
        let (calculator, wanted) = (self.calculator, format!("{}Options", self.calculator.name));
        let given = typed.name.rsplit(['/', '.']).next().unwrap_or_default().trim_end_matches(']');
        if given != wanted {
            self.refuse(
                typed,
                format!("`{}` takes the options `mediapipe.{wanted}`, found `{given}`", calculator.name),
            );
            return;
        }
        if let Some((config, field)) = text_of(options, "plugin_config")
            && !config.is_empty()
            && let Err(why) = serde_json::from_str::<Map<String, serde_json::Value>>(config)
        {
            self.report(calculator.plugin_config, field, format!("`plugin_config` is not a JSON object: {why}"));
        }
        match text_of(options, "models_path") {
            Some((path, field)) => self.models(path, field, options),
            None => self.refuse(typed, "the options have no `models_path`".to_owned()),
        }
        match text_of(options, "draft_models_path").filter(|(path, _)| !path.is_empty()) {
            Some((path, field)) => self.draft(path, field),
            None => {
                let lonely = options.iter().find(|option| DRAFT.contains(&option.name.as_str()));
                if let Some(option) = lonely {
                    self.refuse(option, format!("`{}` needs `draft_models_path`, which is not given", option.name));
                }
            }
        }
    }

    /// Returns the folder that an option names, if it lies where ovlint looks; reports one that leads out of there.
    fn folder(&mut self, path: &str, field: &Field) -> Option<PathBuf> {
        match self.root.spot(self.base, path) {
            Spot::Inside(folder) => return Some(folder),
            Spot::Elsewhere => {}
            Spot::Outside => {
                let message = format!("`{}` `{path}` leads out of the repository, and is not looked at", field.name);
                self.report(Severity::Info, field, message);
            }
        }
        None
    }

    fn models(&mut self, path: &str, field: &Field, options: &[Field]) {
        let Some(folder) = self.folder(path, field) else { return };
        if !folder.is_dir() {
            let is_gguf = folder.extension().is_some_and(|ending| ending == "gguf");
            match folder.exists() {
                false => self.refuse(field, format!("`models_path`: there is no folder `{path}`")),
                true if !is_gguf => self.refuse(field, format!("`models_path`: `{path}` is no folder")),
                true => {}
            }
            return;
        }
        let by_graph = self.known.filter(|(known, _)| *known == folder).map(|(_, contents)| contents);
        let contents = by_graph.or_else(|| Contents::of(&folder));
        let (name, refuses, misuses) = (self.calculator.name, self.calculator.refuses, self.calculator.misuses);
        let mismatch = contents.filter(|contents| refuses.contains(contents) || misuses.contains(contents));
        if let Some(contents) = mismatch {
            let severity = if refuses.contains(&contents) { Severity::Error } else { Severity::Warning };
            let message = format!("`{path}` holds {}, which is not for `{name}`", contents.called());
            self.report(severity, field, message);
        } else if contents.is_none() && [EMBEDDINGS, RERANK].contains(&name) {
            self.refuse(field, format!("`{path}` holds no `{MODEL}`, which `{name}` reads"));
        }
        self.pipeline_type(&folder, options);
        self.checked.models.push(folder);
    }

    /// Compares the kind of pipeline that the options name with the files, as the server does.
    fn pipeline_type(&mut self, folder: &Path, options: &[Field]) {
        let given = options.iter().rev().find(|field| field.name == "pipeline_type");
        let Some((field, Value::Word(given))) = given.map(|field| (field, &field.value)) else { return };
        let has = |name: &str| folder.join(name).exists();
        if has("openvino_talker_model.xml") {
            return;
        }
        let sees = has("openvino_text_embeddings_model.xml") && has("openvino_vision_embeddings_model.bin");
        let message = match given.as_str() {
            "LM" | "LM_CB" if sees => "is not for a vision-language model, which the folder holds",
            "VLM" | "VLM_CB" if !sees => "is for a vision-language model, which the folder does not hold",
            _ => return,
        };
        self.refuse(field, format!("`pipeline_type` {given} {message}"));
    }

    fn draft(&mut self, path: &str, field: &Field) {
        let Some(folder) = self.folder(path, field) else { return };
        if folder.is_dir() && !folder.join(MODEL).is_file() {
            self.refuse(field, format!("`draft_models_path`: there is no `{MODEL}` in `{path}`"));
        } else if !folder.exists() {
            self.refuse(field, format!("`draft_models_path`: there is no folder `{path}`"));
        }
        self.checked.models.push(folder);
    }
}
