//! The state of the check of a folder whose models work together: the models (its members), the JSON files beside them (its
//! companions) that were read so far, and the findings.

use super::companion::{Companion, read};
use super::folder::{CONFIG, Folder, INDEX, MODELS};
use super::loader::{Levels, Loader};
use super::overview::Met;
use super::rules::{PIPELINE_CONFIG, PIPELINE_FILE};
use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Direction, Elsewhere, Hint, Severity, Text};
use crate::input::Bounds;
use crate::ir::values;
use crate::ops::Action;
use crate::recipe::{Port, View};
use crate::source::Span;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// The file that a finding is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A model, by its index among the members.
    Member(usize),
    /// A JSON file, by its path from the folder.
    Companion(String),
    /// The folder.
    Folder,
}

/// A model of the folder.
pub(super) struct Member<'a> {
    /// The path from the folder without `.xml`.
    pub name: &'a str,
    pub index: usize,
    pub view: View<'a>,
}

impl Member<'_> {
    /// Returns a value of the `rt_info` of the model.
    pub(super) fn note(&self, key: &str) -> Option<String> {
        let model = self.view.model;
        let mut all = model.net()?.notes.iter().flat_map(|note| values(model.source(), *note));
        all.find_map(|(name, value)| (name == key).then_some(value))
    }
}

/// What the demands of a pipeline read, and the list to which they add findings.
pub(super) struct Check<'a> {
    pub folder: &'a Folder,
    pub loaders: &'a [Loader],
    /// The models that could be read.
    pub members: Vec<Member<'a>>,
    pub companions: BTreeMap<String, Option<Companion>>,
    pub found: Vec<(Place, Diagnostic)>,
    /// The pairs of an output and the input of another model that takes it, whether they fit or not.
    pub met: Vec<Met>,
    /// The files that some loader wants and the folder lacks.
    pub lacking: BTreeSet<String>,
    pub bounds: Option<&'a Bounds>,
}

/// A JSON file that does not parse, or a value of the wrong kind.
pub(super) const UNREADABLE: Levels =
    Levels { any: Severity::Warning, genai: Severity::Error, optimum: Severity::Warning, ovms: Severity::Error };

impl<'a> Check<'a> {
    pub(super) fn new(
        folder: &'a Folder,
        models: &[Option<&'a Model>],
        loaders: &'a [Loader],
        bounds: Option<&'a Bounds>,
    ) -> Self {
        let views = folder.members.iter().zip(models.iter().copied()).enumerate();
        let member = |(index, ((name, _), model)): (usize, (&'a (String, usize), Option<&'a Model>))| {
            let view = View::of(model?, None)?;
            Some(Member { name, index, view })
        };
        let members = views.filter_map(member).collect();
        let (companions, lacking) = (BTreeMap::new(), BTreeSet::new());
        Self { folder, loaders, members, companions, found: Vec::new(), met: Vec::new(), lacking, bounds }
    }

    /// The severity of a finding with these levels: the highest among the loaders, or that of a check without loaders. `Off`
    /// if none of the loaders minds.
    pub(super) fn severity(&self, levels: Levels) -> Severity {
        let of_loaders = self.loaders.iter().map(|loader| levels.of(*loader)).max();
        of_loaders.unwrap_or(levels.any)
    }

    /// The names of the loaders that mind, or `every loader` in a check without loaders.
    pub(super) fn minding(&self, levels: Levels) -> String {
        let minds = self.loaders.iter().filter(|loader| levels.of(**loader) != Severity::Off);
        let names: Vec<&str> = minds.map(|loader| loader.name()).collect();
        if names.is_empty() { "every loader".to_owned() } else { names.join(" and ") }
    }

    /// Reports a finding with the severity of its levels.
    pub(super) fn report(&mut self, levels: Levels, place: Place, finding: Diagnostic) {
        let severity = self.severity(levels);
        let finding = finding.severity(severity);
        if severity != Severity::Off && !self.found.contains(&(place.clone(), finding.clone())) {
            self.found.push((place, finding));
        }
    }

    /// Whether a model is among the files, readable or not.
    pub(super) fn has(&self, name: &str) -> bool {
        self.folder.members.iter().any(|(own, _)| own == name)
    }

    /// Returns the view of a model; `None` if it is missing or cannot be read.
    pub(super) fn member(&self, name: &str) -> Option<&Member<'a>> {
        self.members.iter().find(|member| member.name == name)
    }

    /// Whether a model is known to keep nothing between two runs.
    pub(super) fn is_stateless(&self, name: &str) -> bool {
        self.member(name).is_some_and(|member| member.view.states(Action::Reads).is_empty())
    }

    /// Returns the port of a model that has a tensor name.
    pub(super) fn port(&self, member: &str, side: Direction, name: &str) -> Option<&Port<'a>> {
        self.member(member)?.view.ports(side).iter().find(|port| port.is(name))
    }

    /// Returns a JSON file; `None` if it is missing or, which is reported, cannot be read as JSON.
    pub(super) fn companion(&mut self, name: &str) -> Option<&Companion> {
        if !self.companions.contains_key(name) {
            let (companion, wrong) = read(self.folder, name, self.bounds);
            let is_too_long = companion.as_ref().is_some_and(|file| file.is_too_long);
            self.companions.insert(name.to_owned(), companion);
            if let Some((span, why)) = wrong {
                let finding = Diagnostic::new(&PIPELINE_CONFIG, span, why);
                // From these, optimum-intel learns what to load.
                let optimum = if [CONFIG, INDEX].contains(&name) { Severity::Error } else { UNREADABLE.optimum };
                // Loaders read a long file.
                let levels = if is_too_long { Levels::all(Severity::Info) } else { Levels { optimum, ..UNREADABLE } };
                self.report(levels, Place::Companion(name.to_owned()), finding);
            }
        }
        self.companions.get(name)?.as_ref()
    }

    /// Returns the path of a JSON file, and its text if it was read.
    pub(super) fn file(&self, name: &str) -> (PathBuf, Option<String>) {
        match self.companions.get(name).and_then(Option::as_ref) {
            Some(companion) => (companion.path.clone(), Some(companion.text.clone())),
            None => (self.folder.file(name), None),
        }
    }

    /// Returns a copy of the value of a key in a JSON file.
    pub(super) fn value(&mut self, name: &str, key: &str) -> Option<Value> {
        self.companion(name)?.get(key).cloned()
    }

    /// Reports something about the value of a key in a JSON file.
    pub(super) fn about_value(&mut self, levels: Levels, name: &str, key: &str, message: String) {
        let Some(companion) = self.companion(name) else { return };
        let finding = companion.about(&PIPELINE_CONFIG, key, message);
        self.report(levels, Place::Companion(name.to_owned()), finding);
    }

    /// Reports a file that is missing.
    pub(super) fn missing(&mut self, levels: Levels, file: &str, why: &str) {
        self.lacking.insert(file.to_owned());
        let message = format!("the folder has no `{file}`: {why}");
        let mut finding = Diagnostic::new(&PIPELINE_FILE, Span::default(), message);
        finding.kind = Some(file.into());
        finding.help.extend(self.folder.conversion(file).map(Hint::from));
        self.report(levels, Place::Folder, finding);
    }

    /// Reports weights without their model.
    pub(super) fn missing_models(&mut self) {
        let orphans: Vec<&str> = MODELS.into_iter().filter(|name| self.folder.is_orphan(name)).collect();
        for name in orphans {
            self.missing(Levels::all(Severity::Error), &format!("{name}.xml"), &format!("`{name}.bin` is there"));
        }
    }

    /// Reports that a model is missing that this kind of pipeline needs, unless it was reported as weights without a model.
    pub(super) fn needs(&mut self, levels: Levels, name: &str, why: &str) {
        let is_said = MODELS.contains(&name) && self.folder.is_orphan(name);
        if !self.has(name) && !is_said {
            self.missing(levels, &format!("{name}.xml"), why);
        }
    }

    /// Returns a key of `config.json`.
    pub(super) fn config(&mut self, key: &str) -> Option<Value> {
        self.value(CONFIG, key)
    }
}

/// Creates the note about a port of another member.
pub(super) fn elsewhere(member: &Member, span: Span, message: impl Into<Text>) -> Elsewhere {
    let source = member.view.model.source();
    let place = (span, source.position(span.start), source.position(span.end));
    Elsewhere { path: source.path().to_owned(), place: Some(place), message: message.into() }
}

/// The name of a member in messages: `openvino_text_embeddings_model` is the text embeddings, `unet/openvino_model` the unet.
pub(super) fn called(name: &str) -> String {
    match name.rsplit_once('/') {
        Some((part, "openvino_model")) => part.to_owned(),
        Some((part, last)) => format!("{} in {part}", called(last)),
        None => {
            let short = name.trim_start_matches("openvino_");
            let short = short.strip_suffix("_model").unwrap_or(short);
            short.replace('_', " ")
        }
    }
}

/// Adds a place in another file to a finding.
pub(super) fn with(mut finding: Diagnostic, elsewhere: Elsewhere) -> Diagnostic {
    finding.elsewhere.push(elsewhere);
    finding
}
