//! Harmless leftovers of older writers, mostly of Model Optimizer, which OpenVINO ignores.

use crate::types::ElementType;

const ATTRIBUTES: &[(&str, &str)] = &[
    ("BinaryConvolution", CONVOLUTION),
    ("Convolution", CONVOLUTION),
    ("DeformableConvolution", CONVOLUTION),
    ("DeformablePSROIPooling", "no_trans pooled_height pooled_width"),
    (
        "DetectionOutput",
        "eta height height_scale interp_mode label_map_file name_size_file num_classes num_test_image output_directory \
         output_format output_name_prefix pad_mode pad_value prob resize_mode save_file visualize visualize_threshold width \
         width_scale",
    ),
    ("GroupConvolution", CONVOLUTION),
    ("Pad", "pad_value pads_begin pads_end"),
    ("Proposal", "for_deformable"),
    ("PriorBox", "img_h img_size img_w step_h step_w"),
    ("PriorBoxClustered", "flip img_h img_size img_w"),
    ("ShapeOf", "output_type"),
];

const CONVOLUTION: &str = "group kernel output output_padding";

/// Whether older writers wrote this attribute, which the operation does not have.
pub(super) fn is_attribute(operation: &str, attribute: &str) -> bool {
    ATTRIBUTES
        .iter()
        .any(|(name, attributes)| *name == operation && attributes.split(' ').any(|known| known == attribute))
}

/// Whether an attribute of a later revision has the value with which that does the same as this one.
pub(super) fn is_neutral(operation: &str, attribute: &str, text: &str) -> bool {
    (operation, attribute) == ("MaxPool", "dilations") && text.split(',').all(|dilation| dilation.trim() == "1")
}

/// Whether older writers declared this output with a wrong type: Model Optimizer for the boxes of models in FP16 or FP32,
/// other tools for indices without a consumer.
pub(crate) fn is_type(
    operation: &str,
    output: u32,
    declared: ElementType,
    inferred: ElementType,
    is_read: impl Fn() -> bool,
) -> bool {
    let is_float = |ty| matches!(ty, ElementType::F16 | ElementType::F32);
    match (operation, output) {
        ("DetectionOutput", 0) => is_float(declared) && is_float(inferred),
        ("MaxPool", 1) => !is_read(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::find;
    use ElementType::{F16, F32, I64};

    #[test]
    fn operations_exist_and_lack_some_of_these_attributes() {
        for (name, attributes) in ATTRIBUTES {
            let spec = [1, 8].iter().find_map(|opset| find(name, *opset)).unwrap();
            let is_unknown = |attribute: &str| spec.attrs.iter().all(|known| known.name != attribute);
            assert!(attributes.split(' ').any(is_unknown), "{name}");
        }
    }

    #[test]
    fn only_known_types_are_left_over() {
        let unread = || false;
        assert!(is_type("DetectionOutput", 0, F32, F16, || true) && is_type("DetectionOutput", 0, F16, F32, || true));
        assert!(!is_type("DetectionOutput", 0, I64, F16, unread) && !is_type("Softmax", 0, F32, F16, unread));
        assert!(is_type("MaxPool", 1, F32, I64, unread) && !is_type("MaxPool", 1, F32, I64, || true));
        assert!(!is_type("MaxPool", 0, F32, F16, unread));
    }
}
