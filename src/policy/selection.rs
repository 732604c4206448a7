//! The selection of rules, with their severities.

use super::fold::{Verdict, sift};
use super::selector::Selector;
use crate::analysis::Options;
use crate::diagnostic::{Diagnostic, Rule, Severity};
use crate::policy::catalogue::RULES;
use crate::text::words;
use serde::Deserialize;

words! {
    /// The rules to start from.
    #[derive(Default, Deserialize)]
    #[non_exhaustive]
    pub enum Profile {
        /// Only findings with which OpenVINO rejects a file, or reads but does not compile it.
        Runtime = "runtime",
        /// Every rule except opt-in rules.
        #[default]
        Default = "default",
        /// Every rule.
        Pedantic = "pedantic",
    }
}

/// The selection of rules, with their severities.
///
/// A rule's own name takes precedence over its group's. At the same level, flags take precedence over the configuration, and
/// off over on.
///
/// ```
/// use ovlint::internal::diagnostic::Severity;
/// use ovlint::internal::policy::Selection;
/// use ovlint::internal::{Model, Options, Weights};
///
/// let selection = Selection {
///     ignore: vec!["declared".parse()?],
///     severity: vec![("no-results".parse()?, Severity::Warning)],
///     ..Selection::default()
/// };
/// // Opt-in rules are checked only on request.
/// let options = selection.options(Options::default());
///
/// let xml = r#"<net name="m" version="11"><layers>
///     <layer id="0" name="x" type="Parameter" version="opset1">
///         <data shape="6" element_type="f32"/>
///         <output><port id="0" precision="FP32"><dim>7</dim></port></output>
///     </layer>
/// </layers><edges/></net>"#;
/// let model = Model::from_bytes("m.xml", xml.into(), Weights::default(), &options)?;
/// let findings = selection.apply(model.findings().to_vec());
/// let shown: Vec<_> = findings.iter().map(|finding| (finding.rule.name, finding.severity)).collect();
/// assert_eq!(shown, [("no-results", Severity::Warning), ("unused-parameter", Severity::Warning)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    /// The rules to start from.
    pub profile: Profile,
    /// If not empty, the rules to start from instead.
    pub select: Vec<Selector>,
    /// Rules to add.
    pub extend_select: Vec<Selector>,
    /// Rules to leave out.
    pub ignore: Vec<Selector>,
    /// Severities for all findings of a rule or group; the last one applies. Naming a rule turns it on; `Off` turns it off.
    pub severity: Vec<(Selector, Severity)>,
    /// Severities from the configuration, likewise.
    pub configured: Vec<(Selector, Severity)>,
}

/// The state of a rule in a selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    on: bool,
    /// Set if the rule is on because its own name is given.
    named: bool,
    severity: Option<Severity>,
}

impl Selection {
    /// Returns the findings that are kept, with their severities.
    ///
    /// Consequences of a finding that is left out become root causes.
    pub fn apply(&self, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if self.keeps(&findings) { findings } else { self.split(findings, |_| false).0 }
    }

    /// Whether it keeps these findings as they are.
    pub(super) fn keeps(&self, findings: &[Diagnostic]) -> bool {
        // The evidence of a rule that is off by default counts for the causes of other findings, so it may be among them.
        self.is_default() && findings.iter().all(|finding| !finding.rule.is_opt_in)
    }

    /// Returns the findings that are kept, and those that are left out, such as those for which `is_allowed` is true.
    pub(super) fn split(
        &self,
        findings: Vec<Diagnostic>,
        mut is_allowed: impl FnMut(&Diagnostic) -> bool,
    ) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
        let outcome = sift(findings, |finding| {
            let choice = self.choice(finding.rule);
            if is_allowed(finding)
                || !choice.on
                || (self.profile == Profile::Runtime && !finding.runtime.fails() && !choice.named)
            {
                return Verdict::Off;
            }
            finding.severity = choice.severity.unwrap_or(finding.severity);
            Verdict::Keep
        });
        (outcome.kept, outcome.removed.into_iter().map(|(_, finding)| finding).collect())
    }

    /// Enables every opt-in rule that is selected.
    #[must_use]
    pub fn options(&self, options: Options) -> Options {
        let enabled = RULES.iter().filter(|rule| rule.is_opt_in && self.has(rule));
        Options { enabled: enabled.copied().collect(), ..options }
    }

    /// Whether nothing differs from the default.
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Whether the rule is selected.
    pub fn has(&self, rule: &Rule) -> bool {
        self.choice(rule).on
    }

    /// Whether findings that the selector matches are reported in general.
    pub(super) fn reports(&self, selector: Selector) -> bool {
        RULES.iter().filter(|rule| selector.covers(rule)).any(|rule| {
            let choice = self.choice(rule);
            choice.on && (self.profile != Profile::Runtime || rule.runtime.fails() || choice.named)
        })
    }

    /// Returns the severity of a rule's findings, unless they set their own.
    pub fn severity_of(&self, rule: &Rule) -> Severity {
        match self.choice(rule) {
            Choice { on: false, .. } => Severity::Off,
            Choice { severity, .. } => severity.unwrap_or(rule.severity),
        }
    }

    fn choice(&self, rule: &Rule) -> Choice {
        let by_name = self.mention(rule, true).or_else(|| self.mention(rule, false));
        let base = self.starts_from_profile() && (!rule.is_opt_in || self.profile == Profile::Pedantic);
        let given = [true, false]
            .map(|own| [last_severity(&self.severity, rule, own), last_severity(&self.configured, rule, own)]);
        let severity = given.into_iter().flatten().flatten().find(|severity| *severity != Severity::Off);
        Choice { on: by_name.unwrap_or(base), named: by_name == Some(true), severity }
    }

    /// Whether the rules of the profile are on, unless something turns them off.
    fn starts_from_profile(&self) -> bool {
        self.select.is_empty() || self.select.contains(&Selector::Default)
    }

    /// Returns whether a rule is turned on or off by its own name (`own`), or else by that of its group; `None` if it is not.
    fn mention(&self, rule: &Rule, own: bool) -> Option<bool> {
        let names = |selectors: &[Selector]| selectors.iter().any(|selector| selector.names(rule, own));
        let is_named = |selector: &Selector| *selector != Selector::Default && selector.names(rule, own);
        let chooses = |selectors: &[Selector]| selectors.iter().any(is_named);
        let (flag, configured) = (last_severity(&self.severity, rule, own), last_severity(&self.configured, rule, own));
        if names(&self.ignore) || flag == Some(Severity::Off) {
            Some(false)
        } else if chooses(&self.select) || chooses(&self.extend_select) || (own && flag.is_some()) {
            Some(true)
        } else {
            match configured? {
                Severity::Off => Some(false),
                _ => (own && self.starts_from_profile()).then_some(true),
            }
        }
    }
}

impl Selector {
    /// Whether the selector matches the rule by the rule's own name (`own`), or by its group's.
    fn names(self, rule: &Rule, own: bool) -> bool {
        self.covers(rule) && matches!(self, Self::Rule(_)) == own
    }
}

/// The last severity for a rule's own name (`own`), or for its group's.
fn last_severity(severities: &[(Selector, Severity)], rule: &Rule, own: bool) -> Option<Severity> {
    severities.iter().rev().find(|(selector, _)| selector.names(rule, own)).map(|(_, severity)| *severity)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::catalogue::find;
    use crate::source::Span;

    fn selectors(names: &str) -> Vec<Selector> {
        names.split_whitespace().map(|name| name.parse().unwrap()).collect()
    }

    fn severities(pairs: &str) -> Vec<(Selector, Severity)> {
        let pairs = pairs.split_whitespace().map(|pair| pair.split_once('=').unwrap());
        pairs.map(|(name, level)| (name.parse().unwrap(), Severity::named(level).unwrap())).collect()
    }

    fn severity_of(selection: &Selection, rule: &str) -> &'static str {
        selection.severity_of(find(rule).unwrap()).name()
    }

    #[test]
    fn a_rule_beats_its_group_and_flags_beat_the_configuration() {
        let base = || Selection { configured: severities("declared=info declared-shape=off"), ..Selection::default() };
        assert_eq!(severity_of(&base(), "declared-shape"), "off");
        assert_eq!(severity_of(&base(), "declared-static"), "info");
        assert_eq!(severity_of(&base(), "axis-range"), "error");
        // A group does not turn on a rule that the configuration turned off by name.
        let group = Selection { severity: severities("declared=warning"), ..base() };
        assert_eq!(severity_of(&group, "declared-shape"), "off");
        assert_eq!(severity_of(&group, "declared-static"), "warning");
        let rule = Selection { severity: severities("declared-shape=warning"), ..base() };
        assert_eq!(severity_of(&rule, "declared-shape"), "warning");
        let group = Selection { select: selectors("declared"), ..base() };
        assert_eq!(severity_of(&group, "declared-shape"), "off");
        assert_eq!(severity_of(&group, "declared-static"), "info");
        assert_eq!(severity_of(&group, "axis-range"), "off");
        let rule = Selection { extend_select: selectors("declared-shape"), ignore: selectors("declared"), ..base() };
        assert_eq!(severity_of(&rule, "declared-shape"), "info");
        assert_eq!(severity_of(&rule, "declared-static"), "off");
    }

    #[test]
    fn ignoring_beats_selecting_at_the_same_level() {
        let both = Selection { select: selectors("shapes"), ignore: selectors("shapes"), ..Selection::default() };
        assert_eq!(severity_of(&both, "axis-range"), "off");
        let both = Selection { select: selectors("axis-range"), ignore: selectors("shapes"), ..Selection::default() };
        assert_eq!(severity_of(&both, "axis-range"), "error");
    }

    #[test]
    fn rules_to_opt_in_are_looked_for_when_they_are_asked_for() {
        let enabled = |selection: &Selection| !selection.options(Options::default()).enabled.is_empty();
        assert!(!enabled(&Selection::default()));
        assert!(enabled(&Selection { profile: Profile::Pedantic, ..Selection::default() }));
        assert!(enabled(&Selection { extend_select: selectors("stray-bits"), ..Selection::default() }));
        assert!(enabled(&Selection { select: selectors("weights"), ..Selection::default() }));
        assert!(enabled(&Selection { configured: severities("stray-bits=error"), ..Selection::default() }));
        assert!(!enabled(&Selection { configured: severities("weights=error"), ..Selection::default() }));
        let others = Selection {
            select: selectors("shapes"),
            configured: severities("stray-bits=error"),
            ..Selection::default()
        };
        assert!(!enabled(&others));
    }

    #[test]
    fn the_runtime_profile_keeps_what_openvino_rejects() {
        let finding = |rule: &str| Diagnostic::new(find(rule).unwrap(), Span::new(0, 1), "");
        let all = || vec![finding("axis-range"), finding("declared-shape"), finding("no-results")];
        let rules = |selection: &Selection| -> Vec<&str> {
            selection.apply(all()).iter().map(|finding| finding.rule.name).collect()
        };
        let runtime = Selection { profile: Profile::Runtime, ..Selection::default() };
        assert_eq!(rules(&runtime), ["axis-range"]);
        let more = Selection { extend_select: selectors("declared"), ..runtime };
        assert_eq!(rules(&more), ["axis-range", "declared-shape"]);
    }
}
