//! The formats of findings, one per file.

pub(super) mod checkstyle;
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
