//! Normalizations.

mod axes;
mod batch_norm_inference;
mod grn;
mod group_normalization;
mod lrn;
mod mvn;
mod normalize_l2;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &batch_norm_inference::BATCH_NORM_INFERENCE_1,
    &batch_norm_inference::BATCH_NORM_INFERENCE_5,
    &grn::GRN_1,
    &group_normalization::GROUP_NORMALIZATION_12,
    &lrn::LRN_1,
    &mvn::MVN_2,
    &mvn::MVN_6,
    &normalize_l2::NORMALIZE_L2_1,
];
