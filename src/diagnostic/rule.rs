//! Rules: the kinds of problems, and the properties of each.

use crate::text::words;
use serde::{Deserialize, Serialize};

words! {
    /// The importance of a finding.
    #[derive(PartialOrd, Ord, Hash, Deserialize)]
    pub enum Severity {
        /// Never shown.
        Off = "off",
        /// Worth knowing.
        Info = "info",
        /// Probably a mistake.
        Warning = "warning",
        /// The file is wrong.
        Error = "error",
    }
}

words! {
    /// The reaction of OpenVINO 2026.4.1 to a file with the finding.
    #[derive(Hash)]
    #[non_exhaustive]
    pub enum Runtime {
        /// Rejects the file.
        Rejects = "rejects",
        /// Rejects the file, fails later or does not fail: that depends on facts that ovlint does not know.
        Unknown = "unknown",
        /// Reads the file, but compiles it for no device.
        NotCompiled = "not-compiled",
        /// Reads the file; whether it compiles it depends on facts that ovlint does not know.
        MayNotCompile = "may-not-compile",
        /// Loads the file without warning.
        Accepts = "accepts",
        /// Does not encounter the problem.
        None = "none",
    }
}

impl Runtime {
    /// Whether OpenVINO fails to read, to compile or to run the file.
    pub fn fails(self) -> bool {
        !matches!(self, Self::Accepts | Self::None)
    }

    /// Whether OpenVINO reads the file and continues after the problem.
    pub fn reads(self) -> bool {
        matches!(self, Self::NotCompiled | Self::MayNotCompile | Self::Accepts)
    }
}

words! {
    /// The groups of rules, in the order of the catalogue. `--select` and the configuration accept them like names of rules.
    #[derive(PartialOrd, Ord, Hash)]
    #[allow(missing_docs, reason = "the variants are the groups' own names")]
    #[non_exhaustive]
    pub enum Group {
        File = "file",
        Graph = "graph",
        Ports = "ports",
        Weights = "weights",
        Operations = "operations",
        Shapes = "shapes",
        Declared = "declared",
        Types = "types",
        Portability = "portability",
        Hygiene = "hygiene",
        Contract = "contract",
        Recipe = "recipe",
        Pipeline = "pipeline",
    }
}

/// The effect that a fix may have on the results of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Applicability {
    /// Changes only port declarations, which affect no shape and no type.
    Safe,
    /// May change results, or hide a fault.
    Unsafe,
}

/// The messages of OpenVINO that become uncertain if a file has a finding of the rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// None.
    None,
    /// Messages of operations, as OpenVINO reads numbers in its own way.
    Numbers,
    /// Messages of operations, as OpenVINO reads 0 for an index outside the data.
    Indices,
    /// All messages, as the operation does not exist, the length of a constant wraps around, the weights are
    /// not read, or a limit is exceeded.
    Everything,
}

/// One kind of problem. Declared as a static beside the code that reports it, and listed in `policy::catalogue::RULES`.
#[derive(Debug)]
#[must_use]
pub struct Rule {
    /// The stable name, in kebab case; reads well after "allow".
    pub name: &'static str,
    /// The group.
    pub group: Group,
    /// The usual severity; a finding may lower it.
    pub severity: Severity,
    /// The usual reaction of OpenVINO; a finding may differ.
    pub runtime: Runtime,
    /// The applicability of fixes that findings may have.
    pub fix: Option<Applicability>,
    /// Set if the rule is checked only on request.
    pub is_opt_in: bool,
    /// Set if a finding is about a whole graph or file, and shown at one of several layers.
    pub is_whole: bool,
    /// Set if OpenVINO's message names the layer, for every operation.
    pub names_layer: bool,
    /// The messages of OpenVINO that a finding makes uncertain, if OpenVINO accepts the file with this finding alone.
    pub doubt: Doubt,
    /// The problem in one line, shown as the title of a finding.
    pub summary: &'static str,
    /// The effect, the reason and the remedy, in Markdown paragraphs.
    pub explain: &'static str,
}

impl Rule {
    /// Creates an error that is always checked and never fixed; OpenVINO rejects the file.
    pub(crate) const fn error(group: Group, name: &'static str, summary: &'static str, explain: &'static str) -> Self {
        let (severity, runtime) = (Severity::Error, Runtime::Rejects);
        let (fix, is_opt_in, is_whole, names_layer, doubt) = (None, false, false, false, Doubt::None);
        Self { name, group, severity, runtime, fix, is_opt_in, is_whole, names_layer, doubt, summary, explain }
    }

    /// Sets the group.
    pub(crate) const fn group(self, group: Group) -> Self {
        Self { group, ..self }
    }

    /// Sets the severity.
    pub(crate) const fn severity(self, severity: Severity) -> Self {
        Self { severity, ..self }
    }

    /// Sets the reaction of OpenVINO.
    pub(crate) const fn runtime(self, runtime: Runtime) -> Self {
        Self { runtime, ..self }
    }

    /// Sets the severity; OpenVINO accepts the file.
    pub(crate) const fn accepted(self, severity: Severity) -> Self {
        self.severity(severity).runtime(Runtime::Accepts)
    }

    /// Allows fixes.
    pub(crate) const fn fixed(self, fix: Applicability) -> Self {
        Self { fix: Some(fix), ..self }
    }

    /// Declares that findings are about a whole graph or file.
    pub(crate) const fn whole(self) -> Self {
        Self { is_whole: true, ..self }
    }

    /// Declares that OpenVINO's message names the layer.
    pub(crate) const fn named(self) -> Self {
        Self { names_layer: true, ..self }
    }

    /// Sets the messages of OpenVINO that a finding of the rule makes uncertain.
    pub(crate) const fn doubt(self, doubt: Doubt) -> Self {
        Self { doubt, ..self }
    }

    /// Makes the rule opt-in.
    pub(crate) const fn opt_in(self) -> Self {
        Self { is_opt_in: true, ..self }
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}
