//! Where a measured probe and this tool disagree on purpose: OpenVINO contradicts its specification or is unsound.

/// Operation, a part of the probe's name or inputs, why.
pub(crate) const DOCUMENTED: &[(&str, &str, &str)] = &[
    ("CTCLoss", r#"=dynamic""#, "what is dynamic to us may have a type by the time OpenVINO asks"),
    ("Col2Im", r#"=dynamic""#, "what is dynamic to us may have a type by the time OpenVINO asks"),
    ("GroupConvolutionBackpropData", r#"{"param":"i64","shape":"..."}"#, "OpenVINO drops spatial dimensions"),
    ("GroupConvolutionBackpropData", r#"{"param":"i64","shape":"[2..3]"}"#, "OpenVINO drops spatial dimensions"),
    ("HardSigmoid", "=dynamic", "OpenVINO compares types with ==; here a dynamic type may be one that is not known"),
    ("Interpolate", r#"=dynamic""#, "what is dynamic to us may have a type by the time OpenVINO asks"),
    ("LSTMCell", r#""in6:rank?""#, "OpenVINO reads a dimension of an unknown rank"),
    ("RGBtoNV12", "attr-missing single_plane", "measured with an output too many; OpenVINO loads it"),
    ("Reshape", "type in1=u16", "24 elements become 2: beside copied dimensions OpenVINO does not count"),
    ("Slice", "[..20,..10,..5]", "from -8 to 8 of a dimension of 8 there are 8 elements, OpenVINO says at most 6"),
    ("Slice", "[20..,10..,5..]", "from -8 to 8 of a dimension of 16 there is no element, OpenVINO says at least 6"),
    ("Swish", "=dynamic", "OpenVINO compares types with ==; here a dynamic type may be one that is not known"),
    ("VariadicSplit", "\"in0.d1:0\"", "lengths beside a -1 that exceed the dimension"),
    ("VariadicSplit", "\"in0.d1:1\"", "lengths beside a -1 that exceed the dimension"),
    ("VariadicSplit", "\"in0:rank+1\"", "lengths beside a -1 that exceed the dimension"),
];
