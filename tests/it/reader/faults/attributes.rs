//! The attributes of `<data>`: missing, unknown, and numbers, flags and words as OpenVINO reads them.

use super::valid_models::NET;
use super::{Fault, accepted, check, rejected};

macro_rules! attr {
    ($verdict:ident $name:literal, $from:literal, $to:literal, [$($says:literal),*]) => {
        $verdict($name, &[($from, $to)], &[$($says),*])
    };
}

const SPLIT: &[Fault] = &[
    attr!(accepted "fraction", r#"num_splits="3""#, r#"num_splits="3.0""#, [r#"W lenient-number: num_splits="3.0""#]),
    attr!(accepted "cut-fraction", r#"num_splits="3""#, r#"num_splits="3.7""#, [r#"W lenient-number: num_splits="3.7""#]),
    attr!(accepted "blanks", r#"num_splits="3""#, r#"num_splits=" 3 ""#, []),
    attr!(accepted "letters-behind", r#"num_splits="3""#, r#"num_splits="3abc""#, [r#"W lenient-number: num_splits="3abc""#]),
    attr!(accepted "reference", r#"num_splits="3""#, r#"num_splits="&#51;""#, []),
    attr!(accepted "tab-and-newline", r#"num_splits="3""#, "num_splits=\"\t3\n\"", []),
    attr!(rejected "missing", r#"<data num_splits="3"/>"#, "<data/>", [r#"E missing-attribute: <layer id="4" name="split" type="Split" version="opset1">"#]),
    attr!(rejected "no-data", r#"<data num_splits="3"/>"#, "", [r#"E missing-attribute: <layer id="4" name="split" type="Split" version="opset1">"#]),
    attr!(rejected "other-case", r#"num_splits="3""#, r#"Num_splits="3""#, ["E unknown-op-attribute: Num_splits"]),
    attr!(rejected "as-children", r#"<data num_splits="3"/>"#, "<data><num_splits>3</num_splits></data>", [r#"E missing-attribute: <layer id="4" name="split" type="Split" version="opset1">"#]),
    attr!(rejected "second-data", r#"<data num_splits="3"/>"#, r#"<data/><data num_splits="3"/>"#, [r#"E missing-attribute: <layer id="4" name="split" type="Split" version="opset1">"#, r#"W unknown-element: <data num_splits="3"/>"#]),
    attr!(rejected "zero", r#"num_splits="3""#, r#"num_splits="0""#, [r#"E attribute-value: num_splits="0""#]),
    attr!(rejected "hexadecimal", r#"num_splits="3""#, r#"num_splits="0x3""#, [r#"E attribute-value: num_splits="0x3""#]),
    attr!(rejected "one", r#"num_splits="3""#, r#"num_splits="1""#, [r#"E wrong-output-count: num_splits="1""#]),
    attr!(rejected "negative", r#"num_splits="3""#, r#"num_splits="-1""#, [r#"E attribute-value: num_splits="-1""#]),
    attr!(rejected "not-dividing", r#"num_splits="3""#, r#"num_splits="5""#, [r#"E split-not-divisible: num_splits="5""#]),
    attr!(rejected "word", r#"num_splits="3""#, r#"num_splits="abc""#, [r#"E attribute-value: num_splits="abc""#]),
    attr!(rejected "empty", r#"num_splits="3""#, r#"num_splits="""#, [r#"E attribute-value: num_splits="""#]),
    attr!(rejected "plus", r#"num_splits="3""#, r#"num_splits="+3""#, [r#"E attribute-value: num_splits="+3""#]),
    attr!(rejected "twenty-digits", r#"num_splits="3""#, r#"num_splits="99999999999999999999""#, [r#"E attribute-value: num_splits="99999999999999999999""#]),
    attr!(rejected "wraps-in-32-bits", r#"num_splits="3""#, r#"num_splits="4294967299""#, [r#"E split-not-divisible: num_splits="4294967299""#]),
    attr!(rejected "two-billion", r#"num_splits="3""#, r#"num_splits="2000000000""#, [r#"E split-not-divisible: num_splits="2000000000""#]),
    attr!(rejected "largest-unsigned", r#"num_splits="3""#, r#"num_splits="18446744073709551615""#, [r#"E attribute-value: num_splits="18446744073709551615""#]),
    attr!(accepted "twice", r#"num_splits="3""#, r#"num_splits="3" num_splits="5""#, [r#"E xml-duplicate-attribute: num_splits="5"#]),
    attr!(rejected "twice-first-wrong", r#"num_splits="3""#, r#"num_splits="5" num_splits="3""#, [r#"E split-not-divisible: num_splits="5""#, r#"E xml-duplicate-attribute: num_splits="3"#]),
    attr!(accepted "unknown", r#"num_splits="3""#, r#"num_splits="3" axis="1""#, ["W unknown-op-attribute: axis"]),
];

const CONVOLUTION: &[Fault] = &[
    attr!(accepted "strides-missing", r#"<data strides="1, 1" "#, "<data ", []),
    attr!(accepted "dilations-missing", r#" dilations="1, 1""#, "", []),
    attr!(accepted "pads-missing", r#" pads_begin="0, 0" pads_end="0, 0""#, "", []),
    attr!(accepted "strides-with-blanks", r#"strides="1, 1""#, r#"strides=" 1 , 1 ""#, []),
    attr!(accepted "strides-with-fractions", r#"strides="1, 1""#, r#"strides="1.5,1.5""#, [r#"W lenient-number: strides="1.5,1.5""#]),
    attr!(accepted "strides-with-letters", r#"strides="1, 1""#, r#"strides="1x,1""#, [r#"W lenient-number: strides="1x,1""#]),
    attr!(accepted "strides-empty", r#"strides="1, 1""#, r#"strides="""#, []),
    attr!(accepted "strides-with-a-comma-behind", r#"strides="1, 1""#, r#"strides="1,1,""#, [r#"W lenient-number: strides="1,1,""#]),
    attr!(rejected "strides-of-three", r#"strides="1, 1""#, r#"strides="1,1,1""#, [r#"E attribute-value: strides="1,1,1""#]),
    attr!(rejected "strides-of-one", r#"strides="1, 1""#, r#"strides="1""#, [r#"E attribute-value: strides="1""#]),
    attr!(rejected "strides-by-semicolon", r#"strides="1, 1""#, r#"strides="1;1""#, [r#"E lenient-number: strides="1;1""#]),
    attr!(rejected "strides-by-blank", r#"strides="1, 1""#, r#"strides="1 1""#, [r#"E lenient-number: strides="1 1""#]),
    attr!(rejected "strides-zero", r#"strides="1, 1""#, r#"strides="0,0""#, [r#"E attribute-value: strides="0,0""#]),
    attr!(accepted "strides-negative", r#"strides="1, 1""#, r#"strides="-1,-1""#, [r#"E attribute-value: strides="-1,-1""#]),
    attr!(rejected "strides-in-brackets", r#"strides="1, 1""#, r#"strides="[1,1]""#, [r#"E attribute-value: strides="[1,1]""#]),
    attr!(rejected "strides-with-a-gap", r#"strides="1, 1""#, r#"strides="1,,1""#, [r#"E attribute-value: strides="1,,1""#]),
    attr!(rejected "strides-of-letters", r#"strides="1, 1""#, r#"strides="a,b""#, [r#"E attribute-value: strides="a,b""#]),
    attr!(rejected "strides-of-twenty-digits", r#"strides="1, 1""#, r#"strides="99999999999999999999,1""#, [r#"E attribute-value: strides="99999999999999999999,1""#]),
    attr!(rejected "pads-of-one", r#"pads_begin="0, 0""#, r#"pads_begin="1""#, [r#"E attribute-value: pads_begin="1""#]),
    attr!(rejected "pads-of-four", r#"pads_begin="0, 0""#, r#"pads_begin="0,0,0,0""#, [r#"E attribute-value: pads_begin="0,0,0,0""#]),
    attr!(accepted "pads-huge", r#"pads_begin="0, 0""#, r#"pads_begin="1000000000000,0""#, ["E declared-shape: 14"]),
    attr!(accepted "pads-largest", r#"pads_begin="0, 0""#, r#"pads_begin="9223372036854775807,0""#, ["E declared-shape: 14"]),
    attr!(rejected "dilations-zero", r#"dilations="1, 1""#, r#"dilations="0,0""#, [r#"E attribute-value: dilations="0,0""#]),
    attr!(rejected "dilations-too-big", r#"dilations="1, 1""#, r#"dilations="100,1""#, [r#"E shape-conflict: <port id="0" precision="FP32">"#]),
    attr!(accepted "auto-pad-upper-case", r#"auto_pad="explicit""#, r#"auto_pad="EXPLICIT""#, []),
    attr!(accepted "auto-pad-other", r#"auto_pad="explicit""#, r#"auto_pad="VALID""#, []),
    attr!(accepted "auto-pad-changes-shapes", r#"auto_pad="explicit""#, r#"auto_pad="Same_Upper""#, ["E contradicted-value: Same_Upper"]),
    attr!(rejected "auto-pad-unknown", r#"auto_pad="explicit""#, r#"auto_pad="foo""#, [r#"E attribute-value: auto_pad="foo""#]),
    attr!(rejected "auto-pad-blank-behind", r#"auto_pad="explicit""#, r#"auto_pad="same_upper ""#, [r#"E attribute-value: auto_pad="same_upper ""#]),
    attr!(rejected "auto-pad-empty", r#"auto_pad="explicit""#, r#"auto_pad="""#, [r#"E attribute-value: auto_pad="""#]),
    attr!(rejected "auto-pad-number", r#"auto_pad="explicit""#, r#"auto_pad="1""#, [r#"E attribute-value: auto_pad="1""#]),
    attr!(rejected "auto-pad-notset", r#"auto_pad="explicit""#, r#"auto_pad="notset""#, [r#"E attribute-value: auto_pad="notset""#]),
];

const OTHERS: &[Fault] = &[
    attr!(accepted "flags-missing", r#"<data transpose_a="false" transpose_b="false"/>"#, "<data/>", []),
    attr!(accepted "flag-yes", r#"transpose_b="false""#, r#"transpose_b="yes""#, [r#"W lenient-number: transpose_b="yes""#]),
    attr!(accepted "flag-two", r#"transpose_b="false""#, r#"transpose_b="2""#, [r#"W lenient-number: transpose_b="2""#]),
    attr!(accepted "flag-with-a-blank", r#"transpose_b="false""#, r#"transpose_b=" true""#, [r#"W lenient-number: transpose_b=" true""#]),
    attr!(accepted "flag-empty", r#"transpose_b="false""#, r#"transpose_b="""#, [r#"W lenient-number: transpose_b="""#]),
    attr!(accepted "flag-letter", r#"transpose_b="false""#, r#"transpose_b="t""#, [r#"W lenient-number: transpose_b="t""#]),
    attr!(accepted "flag-zero", r#"transpose_b="false""#, r#"transpose_b="0""#, []),
    attr!(rejected "flag-title-case", r#"transpose_b="false""#, r#"transpose_b="True""#, [r#"E shape-conflict: <port id="1" precision="FP32">"#]),
    attr!(rejected "flag-upper-case", r#"transpose_b="false""#, r#"transpose_b="TRUE""#, [r#"E shape-conflict: <port id="1" precision="FP32">"#]),
    attr!(rejected "flag-one", r#"transpose_b="false""#, r#"transpose_b="1""#, [r#"E shape-conflict: <port id="1" precision="FP32">"#]),
    attr!(accepted "special-zero-garbage", r#"special_zero="false""#, r#"special_zero="maybe""#, [r#"W lenient-number: special_zero="maybe""#]),
    attr!(accepted "special-zero-missing", r#"<data special_zero="false"/>"#, "", []),
    attr!(rejected "axis-high", r#"axis="1""#, r#"axis="9""#, [r#"E axis-range: axis="9""#]),
    attr!(rejected "axis-low", r#"axis="1""#, r#"axis="-5""#, [r#"E axis-range: axis="-5""#]),
    attr!(rejected "axis-word", r#"axis="1""#, r#"axis="x""#, [r#"E attribute-value: axis="x""#]),
    attr!(rejected "axis-empty", r#"axis="1""#, r#"axis="""#, [r#"E attribute-value: axis="""#]),
    attr!(rejected "axis-too-large", r#"axis="1""#, r#"axis="9223372036854775808""#, [r#"E attribute-value: axis="9223372036854775808""#]),
    attr!(accepted "axis-smallest-that-fits", r#"axis="1""#, r#"axis="-3""#, []),
    attr!(rejected "axis-smallest", r#"axis="1""#, r#"axis="-9223372036854775808""#, [r#"E axis-range: axis="-9223372036854775808""#]),
];

#[test]
fn numbers_are_read_as_openvino_reads_them() {
    check("split", &NET, SPLIT);
}

#[test]
fn lists_and_words_are_read_as_openvino_reads_them() {
    check("convolution", &NET, CONVOLUTION);
}

#[test]
fn flags_and_axes_are_read_as_openvino_reads_them() {
    check("others", &NET, OTHERS);
}
