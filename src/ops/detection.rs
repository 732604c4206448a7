//! Object detection: proposals, priors, regions of interest and the selection of boxes.

mod deformable_psroi_pooling;
mod detection_output;
mod experimental_detectron_detection_output;
mod experimental_detectron_generate_proposals_single_image;
mod experimental_detectron_prior_grid_generator;
mod experimental_detectron_roi_feature_extractor;
mod experimental_detectron_top_k_rois;
mod generate_proposals;
mod matrix_nms;
mod multiclass_nms;
mod nms_rotated;
mod non_max_suppression;
mod prior_box;
mod prior_box_clustered;
mod proposal;
mod psroi_pooling;
mod region_yolo;
mod reorg_yolo;
mod roi_align;
mod roi_align_rotated;
mod roi_pooling;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &deformable_psroi_pooling::DEFORMABLE_PSROI_POOLING_1,
    &detection_output::DETECTION_OUTPUT_1,
    &detection_output::DETECTION_OUTPUT_8,
    &experimental_detectron_detection_output::EXPERIMENTAL_DETECTRON_DETECTION_OUTPUT_6,
    &experimental_detectron_generate_proposals_single_image::EXPERIMENTAL_DETECTRON_GENERATE_PROPOSALS_SINGLE_IMAGE_6,
    &experimental_detectron_prior_grid_generator::EXPERIMENTAL_DETECTRON_PRIOR_GRID_GENERATOR_6,
    &experimental_detectron_roi_feature_extractor::EXPERIMENTAL_DETECTRON_ROI_FEATURE_EXTRACTOR_6,
    &experimental_detectron_top_k_rois::EXPERIMENTAL_DETECTRON_TOP_K_ROIS_6,
    &generate_proposals::GENERATE_PROPOSALS_9,
    &matrix_nms::MATRIX_NMS_8,
    &multiclass_nms::MULTICLASS_NMS_8,
    &multiclass_nms::MULTICLASS_NMS_9,
    &nms_rotated::NMS_ROTATED_13,
    &non_max_suppression::NON_MAX_SUPPRESSION_1,
    &non_max_suppression::NON_MAX_SUPPRESSION_3,
    &non_max_suppression::NON_MAX_SUPPRESSION_4,
    &non_max_suppression::NON_MAX_SUPPRESSION_5,
    &non_max_suppression::NON_MAX_SUPPRESSION_9,
    &prior_box::PRIOR_BOX_1,
    &prior_box::PRIOR_BOX_8,
    &prior_box_clustered::PRIOR_BOX_CLUSTERED_1,
    &proposal::PROPOSAL_1,
    &proposal::PROPOSAL_4,
    &psroi_pooling::PSROI_POOLING_1,
    &region_yolo::REGION_YOLO_1,
    &reorg_yolo::REORG_YOLO_2,
    &roi_align::ROI_ALIGN_3,
    &roi_align::ROI_ALIGN_9,
    &roi_align_rotated::ROI_ALIGN_ROTATED_15,
    &roi_pooling::ROI_POOLING_2,
];
