//! Operations that sort, or search in sorted data.

mod search_sorted;
mod top_k;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] =
    &[&search_sorted::SEARCH_SORTED_15, &top_k::TOP_K_1, &top_k::TOP_K_3, &top_k::TOP_K_11];
