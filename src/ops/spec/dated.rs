//! Dates of an operation: its uses that a release was the first to read, and its checks that a release was the first to make.

use crate::diagnostic::Rule;
use crate::types::{Fact, Release};

/// A use of an operation that a release was the first to read.
#[derive(Debug, Clone, Copy)]
pub struct Recent {
    /// The use.
    pub what: &'static str,
    /// The release.
    pub first: Release,
    /// The attribute on which that depends; empty for none.
    pub attr: &'static str,
    /// Whether a layer with these inputs and this text of the attribute is such a use.
    pub is_used: fn(&[Option<&Fact>], Option<&str>) -> bool,
}

/// Checks of inputs that a release was the first to make.
#[derive(Debug, Clone, Copy)]
pub struct LateCheck {
    /// The release.
    pub first: Release,
    /// Whether a fault of this rule, in a layer with these inputs, is found by such a check.
    pub finds: fn(&Rule, &[Option<&Fact>]) -> bool,
}
