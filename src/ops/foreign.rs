//! Names that operations of OpenVINO have in ONNX, `PyTorch` and `TensorFlow`, to suggest the operation for a layer of such a
//! type.

/// Returns the type of OpenVINO for a foreign name in lower case. It is empty if several operations take its place, or one
/// with further attributes, and `None` if the name is not known.
pub(super) fn operation(name: &str) -> Option<&'static str> {
    Some(match name {
        "and" => "LogicalAnd",
        "averagepool" => "AvgPool",
        "cast" => "Convert",
        "ceil" => "Ceiling",
        "conv" | "conv2d" => "Convolution",
        "convtranspose" => "ConvolutionBackpropData",
        "div" => "Divide",
        "expand" => "Broadcast",
        "max" => "Maximum",
        "min" => "Minimum",
        "mul" => "Multiply",
        "neg" => "Negative",
        "not" => "LogicalNot",
        "or" => "LogicalOr",
        "pow" => "Power",
        "resize" | "upsample" => "Interpolate",
        "silu" => "Swish",
        "sub" => "Subtract",
        "where" => "Select",
        "clip" | "gemm" | "layernormalization" | "linear" | "reciprocal" | "relu6" | "rsqrt" => "",
        _ => return None,
    })
}
