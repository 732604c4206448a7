//! Why a name does not say what is meant.

use super::Wanted;
use crate::text::did_you_mean;
use crate::text::plural;
use std::fmt;

/// Candidates and names that a message lists.
pub(super) const SHOWN: usize = 5;

/// Why a name does not refer to what is wanted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The file is not an IR.
    #[error("the file could not be read as an IR; run `ovlint check` to see why")]
    NoModel,
    /// Nothing has the name.
    #[error("the model has no {noun} `{name}`{}", hint(noun, near, known.as_deref()))]
    Unknown {
        /// What was wanted.
        noun: &'static str,
        /// The name given.
        name: String,
        /// What may be meant.
        near: Vec<String>,
        /// All names, if they are listed where none is close.
        known: Option<Vec<String>>,
    },
    /// What is called so is something else.
    #[error("`{name}` is no {noun}, but a layer of type {ty}")]
    Other {
        /// What was wanted.
        noun: &'static str,
        /// The name given.
        name: String,
        /// The type of the layer.
        ty: String,
    },
    /// A layer without that output.
    #[error("{}", no_output(name, *output, *outputs))]
    NoOutput {
        /// The layer.
        name: String,
        /// The output; `None` for any.
        output: Option<u64>,
        /// How many outputs it has; `None` for a Result that takes nothing.
        outputs: Option<usize>,
    },
    /// It fits several.
    #[error("`{name}` may mean {}", one_of(candidates, *more))]
    Ambiguous {
        /// The name given.
        name: String,
        /// The first of what it fits.
        candidates: Vec<Candidate>,
        /// How many more there are.
        more: usize,
    },
}

impl NameError {
    pub(crate) fn unknown(wanted: Wanted, name: &str) -> Self {
        Self::Unknown { noun: wanted.noun(), name: name.to_owned(), near: Vec::new(), known: None }
    }
}

/// One of several that a name may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// A name that means no other.
    pub name: String,
    /// The type of the layer.
    pub ty: String,
    /// Its line, counted from 1.
    pub line: u32,
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` ({}, line {})", self.name, self.ty, self.line)
    }
}

fn hint(noun: &str, near: &[String], known: Option<&[String]>) -> String {
    match known.filter(|_| near.is_empty()) {
        None => did_you_mean(near.iter().map(String::as_str)),
        Some([]) => format!("; it has no {noun}s"),
        Some(known) => {
            let names: Vec<String> = known.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = known.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("; its {noun}{} {} {}{more}", plural(known.len()), are(known.len()), names.join(", "))
        }
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

fn no_output(name: &str, output: Option<u64>, outputs: Option<usize>) -> String {
    match (output, outputs) {
        (_, None) => format!("nothing arrives at the Result `{name}`"),
        (None, _) | (_, Some(0)) => format!("`{name}` has no outputs"),
        (Some(output), Some(1)) => format!("`{name}` has no output {output}, only output 0"),
        (Some(output), Some(count)) => format!("`{name}` has no output {output}, only outputs 0 to {}", count - 1),
    }
}

fn one_of(candidates: &[Candidate], more: usize) -> String {
    let all: Vec<String> = candidates.iter().map(Candidate::to_string).collect();
    match (more, all.as_slice()) {
        (0, [first @ .., last]) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        (0, all) => all.join(", "),
        (more, all) => format!("{} or one of {more} more", all.join(", ")),
    }
}
