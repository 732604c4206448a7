//! The names that most operations import.

pub(super) use super::shared::prelude::*;
pub(super) use super::shared::{agreement::*, index::*, known_type::*, single::*, targets::*};
