//! Recipes: what a file must be for one use of it, as a dated list of rules with the source of each.

mod genai;
mod npu;
mod pattern;
mod view;

pub(crate) use genai::{GENAI_INPUT, GENAI_LOGITS, GENAI_PAGED_ATTENTION, GENAI_STATE_NAME, GENAI_STATELESS};

pub(crate) use npu::NPU_LLM_WEIGHTS;

use crate::analysis::Model;
use crate::diagnostic::{Diagnostic, Group, Rule, Runtime, Severity, Sink};
use crate::text::{did_you_mean, nearest};
use std::fmt;
use std::str::FromStr;
use view::View;

/// What a file must be for one use of it.
#[derive(Debug)]
pub struct Recipe {
    /// The name on the command line.
    pub name: &'static str,
    /// What the file is for.
    pub summary: &'static str,
    /// The day when it was last compared with its sources.
    pub date: &'static str,
    /// Rules that have nothing to say of a model that follows it: what they doubt is fine for this use.
    pub settles: &'static [&'static Rule],
    /// Its rules.
    pub rows: &'static [Row],
}

/// A rule of a recipe.
#[derive(Debug)]
pub struct Row {
    /// The rule.
    pub rule: &'static Rule,
    /// Where what it demands is written, or how it was measured.
    pub source: &'static str,
    check: fn(&View, &mut Sink),
}

/// Every recipe.
pub static RECIPES: [&Recipe; 2] = [&genai::RECIPE, &npu::RECIPE];

impl PartialEq for Recipe {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The recipe of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chosen(pub &'static Recipe);

impl FromStr for Chosen {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || RECIPES.into_iter().map(|recipe| recipe.name);
        RECIPES.into_iter().find(|recipe| recipe.name == name).map(Self).ok_or_else(|| match nearest(name, names()) {
            Some(near) => format!("there is no recipe `{name}`{}", did_you_mean(Some(near))),
            None => format!("there is no recipe `{name}`; there are {}", names().collect::<Vec<_>>().join(", ")),
        })
    }
}

/// Reports where a model does not follow the recipes; a rule that several of them share is checked once.
pub(crate) fn check(recipes: &[Chosen], model: &Model, sink: &mut Sink) {
    let Some(view) = View::of(model) else { return };
    let mut checked: Vec<&Rule> = Vec::new();
    for row in recipes.iter().flat_map(|chosen| chosen.0.rows) {
        if !checked.contains(&row.rule) {
            checked.push(row.rule);
            (row.check)(&view, sink);
        }
    }
}

/// Whether a recipe answers what a finding doubts: the model is what it is for.
pub(crate) fn settle(recipes: &[Chosen], found: &Sink, finding: &Diagnostic) -> bool {
    let is_followed =
        |recipe: &Recipe| !recipe.rows.iter().any(|row| row.rule.severity == Severity::Error && found.has(row.rule));
    recipes.iter().any(|chosen| chosen.0.settles.contains(&finding.rule) && is_followed(chosen.0))
}

/// Whether findings of a rule were looked for: those of recipes only by these.
pub(crate) fn looks_for(recipes: &[Chosen], rule: &str) -> bool {
    let has = |recipe: &Recipe| recipe.rows.iter().any(|row| row.rule.name == rule);
    recipes.iter().any(|chosen| has(chosen.0)) || !RECIPES.into_iter().any(has)
}

/// A rule of a recipe. OpenVINO reads the files that break it.
const fn recipe_rule(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    Rule::error(Group::Recipe, name, summary, explain).runtime(Runtime::Accepts)
}

/// The same about something that works in part, or that may work.
const fn doubt(name: &'static str, summary: &'static str, explain: &'static str) -> Rule {
    recipe_rule(name, summary, explain).severity(Severity::Warning)
}
