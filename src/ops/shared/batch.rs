//! The name under which operations of the category `sequence` ask how leading dimensions broadcast.

pub(crate) use super::broadcast::dims as broadcast;
