//! Rules about entries of the policy that match nothing: ignores and globs.

use crate::diagnostic::{Applicability, Group, Rule, Runtime, Severity};

pub(crate) static UNUSED_IGNORE: Rule = Rule::error(
    Group::Hygiene,
    "unused-ignore",
    "an ignore matches no finding",
    "A comment `<!-- ovlint: ignore[rule] reason -->`, an `[[ignore]]` in the configuration or an entry of \
     the baseline matches no finding: the model was fixed, the layer was renamed, or the rule is misspelled. \
     If it stays, it hides the next finding that happens to match.\n\n\
     Comments and baselines are compared with the files that are checked. An `[[ignore]]` is reported only if \
     the folder of its configuration is checked, because other files may need it.\n\n\
     Remove it, or regenerate the baseline with `--write-baseline FILE`.",
)
.severity(Severity::Warning)
.runtime(Runtime::None)
.fixed(Applicability::Safe);

pub(crate) static UNMATCHED_GLOB: Rule = Rule::error(
    Group::Hygiene,
    "unmatched-glob",
    "a glob of the configuration matches no file",
    "`include`, `[[per-file]]`, `[[contract]]` or `[[link]]` names files, but no file matches it below the folder of the \
     configuration: it was moved or renamed, or the glob is misspelled. What the entry asks for is not checked.\n\n\
     Globs are relative to the folder of the configuration; one without a slash matches at any depth. They are compared \
     only if that folder is checked; files that .gitignore excludes do not count.\n\n\
     Correct the glob, or remove the entry.",
)
.severity(Severity::Warning)
.runtime(Runtime::None);
