//! Recipes: the requirements that one use of a model puts on its file, as a dated list of rules with the source of each.

mod companion;
mod genai;
mod npu;
mod optimum;
mod ovms;
mod pattern;
mod text_format;
mod triton;
mod view;

pub(crate) use genai::{
    GENAI_INPUT, GENAI_LOGITS, GENAI_MODEL, GENAI_PAGED_ATTENTION, GENAI_STATE_NAME, GENAI_STATELESS, is_attention,
};
pub(crate) use npu::NPU_LLM_WEIGHTS;
pub(crate) use ovms::{Contents, Examined, OVMS_CONFIG, OVMS_GRAPH, OVMS_LAYOUT, OVMS_SCHEMA, of_pipeline};
pub(crate) use triton::{TRITON_BATCH, TRITON_CONFIG, TRITON_LAYOUT, TRITON_PORT, TRITON_SHAPE, TRITON_TYPE};

use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::input::Bounds;
use crate::ops::devices::Device;
use crate::text::{did_you_mean, nearest};
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
pub(crate) use view::{Port, View};

/// The requirements that one use of a model puts on its file.
#[derive(Debug)]
pub struct Recipe {
    /// The name on the command line.
    pub name: &'static str,
    /// The device, if the recipe is a variant for one.
    pub device: Option<Device>,
    /// The use of the file.
    pub summary: &'static str,
    /// The date of the last comparison with the sources.
    pub date: &'static str,
    /// Set if the recipe reads a file beside the model.
    pub reads_file: bool,
    /// Rules whose warnings are dropped if the model follows the recipe.
    pub settles: &'static [&'static Rule],
    /// The rules.
    pub rows: &'static [Row],
    check: fn(&View, &mut Sink),
}

/// A rule of a recipe.
#[derive(Debug)]
pub struct Row {
    /// The rule.
    pub rule: &'static Rule,
    /// The document that states the requirement, or the way it was measured.
    pub source: &'static str,
}

/// All recipes.
pub static RECIPES: [&Recipe; 5] = [&genai::RECIPE, &npu::RECIPE, &optimum::RECIPE, &ovms::RECIPE, &triton::RECIPE];

impl PartialEq for Recipe {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.device) == (other.name, other.device)
    }
}

impl Recipe {
    /// Returns the variant of this recipe for a device, or the recipe itself.
    pub(crate) fn on(&'static self, device: Option<Device>) -> &'static Self {
        let is_for = |recipe: &&Self| recipe.name == self.name && recipe.device == device;
        RECIPES.into_iter().find(is_for).unwrap_or(self)
    }
}

/// A recipe that a model must follow, as `NAME` or `NAME=FILE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Chosen {
    /// The recipe.
    pub recipe: &'static Recipe,
    /// The configuration file that the recipe reads, if it is not the usual one beside the model.
    pub file: Option<PathBuf>,
    /// The bounds that the files read by the recipe must not leave; `None` if the user named the recipe.
    pub bounds: Option<Bounds>,
    /// The configuration that asks for the recipe, with the line; `None` if the user named the recipe.
    pub asked_in: Option<(String, u32)>,
}

impl Chosen {
    /// Replaces the recipe by its variant for a device.
    pub(crate) fn on(self, device: Option<Device>) -> Self {
        Self { recipe: self.recipe.on(device), ..self }
    }

    /// Resolves the file relative to a folder.
    #[must_use]
    pub fn within(self, folder: &Path) -> Self {
        Self { file: self.file.map(|file| folder.join(file)), ..self }
    }
}

impl FromStr for Chosen {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, file) = text.split_once('=').map_or((text, None), |(name, file)| (name, Some(PathBuf::from(file))));
        let names = || RECIPES.into_iter().filter(|recipe| recipe.device.is_none()).map(|recipe| recipe.name);
        let Some(recipe) = RECIPES.into_iter().find(|recipe| recipe.name == name) else {
            if name == "genai-npu" {
                return Err("recipe `genai-npu` is now `genai` with the device `npu`".to_owned());
            }
            let near = nearest(name, names());
            let known = || format!("; there are {}", names().collect::<Vec<_>>().join(", "));
            let more = near.map_or_else(known, |near| did_you_mean(Some(near)));
            return Err(format!("there is no recipe `{name}`{more}"));
        };
        if file.is_some() && !recipe.reads_file {
            return Err(format!("recipe `{name}` reads no file beside the model"));
        }
        Ok(Self { recipe, file, bounds: None, asked_in: None })
    }
}

impl fmt::Display for Chosen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.recipe.name)?;
        self.file.iter().try_for_each(|file| write!(f, "={}", file.display()))
    }
}

/// Reports violations of the recipes, with the configuration that asks for the recipe. A finding that several recipes report
/// appears once.
pub(crate) fn check(recipes: &[Chosen], model: &Model, sink: &mut Sink) {
    let mut all: Vec<(Diagnostic, &Chosen)> = Vec::new();
    for chosen in recipes {
        let Some(view) = View::of(model, Some(chosen)) else { return };
        let mut found = Sink::new(model.limits().findings);
        (chosen.recipe.check)(&view, &mut found);
        let mut found = found.into_sorted();
        found.dedup();
        found.retain(|finding| !all.iter().any(|(known, _)| known == finding));
        all.extend(found.into_iter().map(|finding| (finding, chosen)));
    }
    for (mut finding, chosen) in all {
        let asked = chosen.asked_in.as_ref();
        finding.notes.extend(asked.map(|(file, line)| format!("required by {file}:{line}").into()));
        sink.report(finding);
    }
}

/// Returns what openvino.genai demands of a language model, wherever it lies.
pub(crate) fn of_language_model(model: &Model, is_npu: bool) -> Vec<Diagnostic> {
    let recipe = genai::RECIPE.on(is_npu.then_some(Device::Npu));
    let (mut found, view) = (Sink::new(model.limits().findings), View::of(model, None));
    if let Some(view) = view {
        (recipe.check)(&view, &mut found);
    }
    found.into_sorted()
}

/// Returns the rules whose warnings are dropped because the model follows a recipe.
pub(crate) fn settled(recipes: &[Chosen], found: &Sink) -> Vec<&'static Rule> {
    let is_followed =
        |recipe: &Recipe| !recipe.rows.iter().any(|row| row.rule.severity == Severity::Error && found.has(row.rule));
    let followed = recipes.iter().filter(|chosen| is_followed(chosen.recipe));
    followed.flat_map(|chosen| chosen.recipe.settles).copied().collect()
}

/// Whether a rule was checked: the rules of a recipe are checked only if it is among `recipes`.
pub(crate) fn looks_for(recipes: &[Chosen], rule: &str) -> bool {
    let has = |recipe: &Recipe| recipe.rows.iter().any(|row| row.rule.name == rule);
    recipes.iter().any(|chosen| has(chosen.recipe)) || !RECIPES.into_iter().any(has)
}

/// Creates a rule of a recipe. OpenVINO reads files that break it.
const fn recipe_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Recipe, name, summary, explain).runtime(Runtime::Accepts)
}

/// Creates a rule with severity `warning`, about a model that works only in part or may not work.
const fn doubt(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    recipe_rule(name, summary, explain).severity(Severity::Warning)
}
