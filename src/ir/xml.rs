//! XML as in IR files: tokens, attributes and numbers, each with its span.

pub(super) mod attributes;
pub(super) mod broken;
pub(super) mod cursor;
pub(super) mod doctype;
pub(super) mod number;
pub(super) mod odd_bytes;
pub(super) mod tags;
