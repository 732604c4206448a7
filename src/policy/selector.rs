//! Names that select rules: their own, or their group's.

use crate::diagnostic::{Group, Rule};
use crate::policy::catalogue::{RULES, find};
use crate::text::{did_you_mean, nearest};
use std::fmt;
use std::str::FromStr;

/// One rule, or all rules of a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Selector {
    /// A rule.
    Rule(&'static Rule),
    /// Every rule of a group.
    Group(Group),
    /// Every rule that is on by default.
    Default,
}

/// Former rules, each with its fate.
const RENAMED: [(&str, &str); 8] = [
    ("duplicate-inner-tensor-name", "is gone"),
    ("duplicate-layer-name", "is now `names`"),
    ("hard-coded-batch", "is gone: `ovlint inputs` shows for which batches a model works"),
    ("no-op-layer", "is gone"),
    ("odd-name", "is now `names`"),
    ("unbounded-dynamic-dim", "is gone: `ovlint inputs` shows the dimensions that are not fixed"),
    ("unnamed-port", "is now `names`"),
    ("weights-misaligned", "is gone"),
];

/// The name of the rules that are on by default.
const DEFAULT: &str = "default";

impl Selector {
    /// Whether the selector matches the rule.
    pub fn covers(self, rule: &Rule) -> bool {
        match self {
            Self::Rule(own) => own == rule,
            Self::Group(group) => group == rule.group,
            Self::Default => !rule.is_opt_in,
        }
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Rule(rule) => rule.name,
            Self::Group(group) => group.name(),
            Self::Default => DEFAULT,
        })
    }
}

impl FromStr for Selector {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        if let Some(rule) = find(name) {
            return Ok(Self::Rule(rule));
        }
        let groups = || Group::ALL.into_iter().map(Group::name);
        if let Some(group) = Group::named(name) {
            return Ok(Self::Group(group));
        }
        if name == DEFAULT {
            return Ok(Self::Default);
        }
        if let Some((_, now)) = RENAMED.iter().find(|(old, _)| *old == name) {
            return Err(format!("the rule `{name}` {now}"));
        }
        let near = nearest(name, RULES.iter().map(|rule| rule.name).chain(groups()));
        let hint = near.map_or("; `ovlint explain` lists all".to_owned(), |near| did_you_mean(Some(near)));
        Err(format!("there is no rule or group `{name}`{hint}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_and_group_has_its_name() {
        for rule in RULES {
            assert_eq!(rule.name.parse(), Ok(Selector::Rule(rule)));
            assert!(Group::ALL.iter().all(|group| group.name() != rule.name), "{}", rule.name);
            assert!(Group::ALL.contains(&rule.group));
        }
        for group in Group::ALL {
            assert_eq!(group.name().parse(), Ok(Selector::Group(group)));
        }
    }

    #[test]
    fn unknown_names_are_guessed() {
        let message = |name: &str| name.parse::<Selector>().unwrap_err();
        assert_eq!(
            message("declared_shape"),
            "there is no rule or group `declared_shape`; did you mean `declared-shape`?"
        );
        assert_eq!(message("shape"), "there is no rule or group `shape`; did you mean `shapes`?");
        assert_eq!(message("E501"), "there is no rule or group `E501`; `ovlint explain` lists all");
    }
}
