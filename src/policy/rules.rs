//! Rules about what is ignored.

use crate::diagnostic::{Applicability, Group, Rule, Runtime, Severity};

pub(crate) static UNUSED_IGNORE: Rule = Rule {
    name: "unused-ignore",
    group: Group::Hygiene,
    severity: Severity::Warning,
    runtime: Runtime::None,
    fix: Some(Applicability::Safe),
    is_opt_in: false,
    summary: "something is ignored that is not found",
    explain: "A comment `<!-- ovlint: ignore[rule] reason -->`, an `[[ignore]]` in the configuration or an entry of the \
              baseline matches no finding: the model was cured, the layer has another name now, or the rule is misspelled. \
              Left in place, it hides the next finding that happens to fit.\n\n\
              Comments and baselines are held against the files that are checked; an `[[ignore]]` only when a folder is \
              checked that holds its configuration, as other files may need it.\n\n\
              Remove it; `--write-baseline` writes a baseline anew.",
};
