//! Operations on images: resizing, sampling, patches and colour formats.

mod col2_im;
mod extract_image_patches;
mod grid_sample;
mod interpolate;
mod to_nv12;
mod yuv_to_rgb;

use super::spec::OpSpec;

pub(super) static OPS: &[&OpSpec] = &[
    &col2_im::COL2_IM_15,
    &extract_image_patches::EXTRACT_IMAGE_PATCHES_3,
    &grid_sample::GRID_SAMPLE_9,
    &interpolate::INTERPOLATE_1,
    &interpolate::INTERPOLATE_4,
    &interpolate::INTERPOLATE_11,
    &to_nv12::RGB_TO_NV12_17,
    &to_nv12::BGR_TO_NV12_17,
    &yuv_to_rgb::NV12_TO_RGB_8,
    &yuv_to_rgb::NV12_TO_BGR_8,
    &yuv_to_rgb::I420_TO_RGB_8,
    &yuv_to_rgb::I420_TO_BGR_8,
];
