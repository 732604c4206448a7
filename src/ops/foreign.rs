//! Names that operations of OpenVINO have in ONNX, PyTorch and TensorFlow.

/// Returns the type of OpenVINO for a foreign name in lower case; `Some(None)` if several operations take its place, and
/// `None` if the name is not known.
pub(super) fn operation(name: &str) -> Option<Option<&'static str>> {
    Some(Some(match name {
        "and" => "LogicalAnd",
        "averagepool" => "AvgPool",
        "batchnormalization" => "BatchNormInference",
        "cast" => "Convert",
        "ceil" => "Ceiling",
        "clip" | "relu6" => "Clamp",
        "conv" | "conv2d" => "Convolution",
        "convtranspose" => "ConvolutionBackpropData",
        "div" => "Divide",
        "expand" => "Broadcast",
        "flatten" => "Reshape",
        "instancenormalization" => "MVN",
        "leakyrelu" => "PRelu",
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
        "gemm" | "layernormalization" | "linear" | "reciprocal" | "rsqrt" => return Some(None),
        _ => return None,
    }))
}
