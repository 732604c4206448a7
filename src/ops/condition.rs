//! Conditional operations: branches, selection, and searches for indices or buckets.

mod bucketize;
mod r#if;
mod non_zero;
mod select;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[&bucketize::BUCKETIZE_3, &r#if::IF_8, &non_zero::NON_ZERO_3, &select::SELECT_1];
