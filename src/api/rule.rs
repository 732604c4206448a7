//! Rules, in the public API.

use crate::diagnostic::{self, Applicability, Group, Runtime, Severity};
use crate::policy::catalogue::{self, RULES};
use std::fmt;
use std::hash::{Hash, Hasher};

/// A kind of problem that models are checked for.
///
/// ```
/// use ovlint::{Rule, Severity};
///
/// let rule = Rule::find("declared-shape").ok_or("no such rule")?;
/// assert_eq!(rule.severity(), Severity::Error);
/// assert_eq!(rule.summary(), "declared dimension disagrees with the inferred shape");
/// assert!(Rule::all().any(|other| other == rule));
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy)]
pub struct Rule(pub(super) &'static diagnostic::Rule);

impl Rule {
    /// Returns all rules, in the order of the catalogue.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        RULES.iter().copied().map(Self)
    }

    /// Finds the rule of this name.
    pub fn find(name: &str) -> Option<Self> {
        catalogue::find(name).map(Self)
    }

    /// Returns the stable name in kebab case, such as `declared-shape`.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Returns the group of the rule.
    pub fn group(self) -> Group {
        self.0.group
    }

    /// Returns the usual severity; a finding may have another one.
    pub fn severity(self) -> Severity {
        self.0.severity
    }

    /// Returns the usual reaction of OpenVINO.
    pub fn runtime(self) -> Runtime {
        self.0.runtime
    }

    /// Returns the kind of fix that findings may have; `None` if there is none.
    pub fn fix(self) -> Option<Applicability> {
        self.0.fix
    }

    /// Whether the rule is off unless a profile, a configuration or [`Options::enable`](crate::Options::enable) turns it on.
    pub fn is_opt_in(self) -> bool {
        self.0.is_opt_in
    }

    /// Returns the problem in one line.
    pub fn summary(self) -> &'static str {
        self.0.summary
    }

    /// Returns the effect, the reason and the remedy in Markdown, as `ovlint explain` prints it.
    pub fn explanation(self) -> String {
        catalogue::explained(self.0)
    }
}

impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Rule {}

impl Hash for Rule {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name().hash(state);
    }
}

impl fmt::Debug for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Rule").field(&self.name()).finish()
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
