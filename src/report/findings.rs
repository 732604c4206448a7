//! The formats of findings, one per file.

pub mod concise;
pub(super) mod entry;
pub(super) mod github;
pub(super) mod gitlab;
pub mod json;
pub(super) mod junit;
pub(super) mod markdown;
pub(super) mod ndjson;
pub(super) mod sarif;
pub mod text;
pub(super) mod xml;

use crate::diagnostic::{Applicability, Diagnostic};

/// The risk of an unsafe fix, in words.
fn risk(finding: &Diagnostic) -> &'static str {
    if finding.rule.fix == Some(Applicability::Safe) {
        " (unsafe: what is declared may be right)"
    } else {
        " (unsafe: it may change what runs)"
    }
}
