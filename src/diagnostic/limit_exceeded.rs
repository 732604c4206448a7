//! The rule for files that exceed a limit; every stage reports it.

use super::rule::Doubt;
use super::{Group, Rule, Runtime};

pub(crate) static LIMIT_EXCEEDED: Rule = Rule::error(
    Group::File,
    "limit-exceeded",
    "the file exceeds a limit of this tool",
    "Sizes in a file decide how much work it causes: layers, nesting, outputs, elements of computed shapes. Limits \
     keep hostile files from using up memory or time.\n\n\
     If the file is meant to be this large, raise the limit with the flag that the finding names.\n\n\
     If a report is too long, a finding of severity info gives the number of findings that were left out. If very many \
     findings follow \
     from one, only the first few thousand are listed.",
)
.runtime(Runtime::None)
.doubt(Doubt::Everything);
