//! Where a measurement and this tool disagree on purpose: OpenVINO contradicts its specification or is unsound, or it
//! accepts what no input can satisfy. One list for all measurements.

use super::measurement::Measurement;
use super::{chains, corners, dimension_arithmetic, operations, splits};
use crate::docs::assert_written;
use crate::infer::bodies;
use Answer::{Exactly as E, Outputs, Refused};
use std::fmt::Write;

/// One difference.
pub(crate) struct Difference {
    /// The type of the layer.
    pub(crate) operation: &'static str,
    /// A part of what the measurement says of the situation.
    pub(crate) situation: &'static str,
    /// What OpenVINO gives.
    pub(crate) openvino: Answer,
    /// What this tool gives.
    pub(crate) ovlint: Answer,
    /// The reason.
    pub(crate) why: &'static str,
}

/// An answer, for one situation or for several that are alike.
#[derive(Clone, Copy)]
pub(crate) enum Answer {
    /// These outputs, or `error` with these rules.
    Exactly(&'static str),
    /// Outputs, whichever they are.
    Outputs,
    /// An error.
    Refused,
}

impl Answer {
    fn admits(self, answer: &str) -> bool {
        match self {
            Self::Exactly(text) => text == answer,
            Self::Outputs => !answer.starts_with("error"),
            Self::Refused => answer.starts_with("error"),
        }
    }
}

impl Difference {
    /// Whether `measurement` shows this difference.
    pub(crate) fn is_in(&self, measurement: &Measurement) -> bool {
        measurement.operation == self.operation
            && measurement.situation.contains(self.situation)
            && self.openvino.admits(&measurement.openvino)
            && self.ovlint.admits(&measurement.ovlint)
    }
}

const fn row(
    operation: &'static str,
    situation: &'static str,
    openvino: Answer,
    ovlint: Answer,
    why: &'static str,
) -> Difference {
    Difference { operation, situation, openvino, ovlint, why }
}

const RANK: &str = "OpenVINO [reads a dimension of an unknown rank](openvino-defects.md#multiclass-nms-unknown-rank)";
const SHORT: &str = "the window is larger than every possible length of the dimension; OpenVINO infers a length of 1";
const COUNT: &str = "the numbers of elements differ; OpenVINO does not count them here";
const NEVER: &str = "no length of the dimension fits";
const NEGATIVE: &str =
    "[a length that could be below 0 is refused](openvino-defects.md#scatter-sum-bounds); here it is one that is not";
const FLOOR_MOD: &str =
    "OpenVINO [takes the remainders of the bounds as bounds of the remainders](openvino-defects.md#floor-mod-bounds)";
const UPPER: &str = "OpenVINO uses the upper bounds of scores as lengths";
const SIZES: &str = "if sizes are unknown, [OpenVINO loses the last axis](openvino-defects.md#irdft-sizes) and gives the others the lengths of the data";
const SPATIAL: &str = "OpenVINO [drops the spatial dimensions](openvino-defects.md#group-convolution-rank) if it does not know the number of lengths";
const ENDS: &str = "OpenVINO [evaluates only the two bounds](openvino-defects.md#abs-bounds), although values in between give results outside of theirs";
const ROUNDED: &str = "a lower bound is rounded up to the next multiple";
const SINGLE: &str = "OpenVINO [divides in single precision](openvino-defects.md#split-single-precision)";
const OVERRUN: &str = "lengths beside a -1 exceed the dimension";
const EMPTY: &str = "an interval without any length";
const MINUS_ONE: &str = "the bounds admit -1, which stands for a length that they do not determine";
const END: &str = "in a longer dimension, an index counted from the end lies behind the stop";
const UPPER_COUNT: &str =
    "OpenVINO [uses the upper bound of the number of lengths as their number](openvino-defects.md#random-uniform-rank)";
const ASSIGN: &str = "OpenVINO reads a value that does not fit its variable, but does not compile it";
const UNTYPED: &str = "OpenVINO reads a tensor without an element type, but does not compile it";
const NONE: &str = "for zero iterations, OpenVINO infers a length of 0 for dynamic dimensions";
const ONCE: &str = "OpenVINO infers one iteration, but a state that the body returns larger keeps growing";
const START: &str = "after zero iterations, a state is still its initial value";
const PORTS: &str = "OpenVINO accepts fewer declared outputs than there are";

/// Every difference, by operation.
#[rustfmt::skip]
pub(crate) const DIFFERENCES: &[Difference] = &[
    row("(dimensions)", r#"D("5..2")"#, E("?"), E("error"), EMPTY),
    row("(dimensions)", r#"PartialShape("8..1")"#, E("[?]"), E("error"), EMPTY),
    row("(dimensions)", "D(M)+D(1)", E("?"), E("1.."), "a sum is at least each of its terms"),
    row("(dimensions)", "D(7,-1)/3", E("3..3074457345618258432"), E("3.."), "an unbounded dimension stays unbounded when it is divided"),
    row("Abs", "distances of what may be below 0", E("f32[3..5]"), E("f32[..5]"), ENDS),
    row("AvgPool", "kernel > ..2", E("f32[1,3,1,3]"), E("error shape-conflict"), SHORT),
    row("Broadcast", "[2..5,1] -> [1, 4] numpy", E("f32[1,4]"), E("error shape-conflict"), NEVER),
    row("Broadcast", "[2..5,1] -> [7, 4] numpy", E("f32[7,4]"), E("error shape-conflict"), NEVER),
    row("Broadcast", "FloorMod 4 of [2..5,?,7]", E("f32[1..2,?,3]"), E("f32[..3,..3,3]"), FLOOR_MOD),
    row("Broadcast", "FloorMod 4 of [..8,3..,7]", E("f32[0,?,3]"), E("f32[..3,..3,3]"), FLOOR_MOD),
    row("Broadcast", "ScatterElementsUpdate12 sum of [2..5,?,7]", Refused, E("f32[2..5,9..,7]"), NEGATIVE),
    row("Broadcast", "ScatterElementsUpdate12 sum of [..8,3..,7]", Refused, E("f32[..8,12..,7]"), NEGATIVE),
    row("Const", "string garbage", E("string[1]"), E("error string-const-layout"), "OpenVINO accepts a table of strings that does not fit the shape"),
    row("Convert", "convert type missing", E("dynamic[2]"), E("error missing-attribute"), UNTYPED),
    row("Convert", "convert dynamic", E("dynamic[2]"), E("error attribute-value"), UNTYPED),
    row("Convert", "real numbers that a byte does not hold", E("f32[..44]"), E("f32[..127]"), ENDS),
    row("Convert", "lengths that go through f64", E("f32[0,0]"), E("f32[1,1]"), "OpenVINO [does not compute in f64](openvino-defects.md#convert-f64), and takes 0 for the results"),
    row("Convert", "lengths that f16 does not hold", E("f32[..5]"), E("f32[?]"), ENDS),
    row("Convolution", "..2 data k3", E("f32[1,16,1,6]"), E("error shape-conflict"), SHORT),
    row("Convolution", "'-2,2'", E("f32[1,16,1,3]"), E("error attribute-value"), "OpenVINO reads -2 as 18446744073709551614"),
    row("ConvolutionBackpropData", "a shape of 2 or 3 lengths", E("f32[3..6,..2]"), E("f32[...]"), SPATIAL),
    row("Einsum", "a length of 1 beside an unknown rank", E("f32[1]"), E("f32[?]"), "the length of 1 broadcasts to whatever the other tensor has"),
    row("Gather", "an index outside the data", E("f32[2,0]"), E("f32[2,?]"), "OpenVINO infers as if it were 0"),
    row("GroupConvolution", "a kernel larger than an open dimension", E("f32[1,3,1,6]"), E("error shape-conflict"), SHORT),
    row("GroupConvolutionBackpropData", "i64[...]", E("f32[1,6]"), E("f32[...]"), SPATIAL),
    row("GroupConvolutionBackpropData", "i64[2..3]", E("f32[1,6]"), E("f32[...]"), SPATIAL),
    row("GroupConvolutionBackpropData", "i64[...]", E("f32[?,?]"), E("f32[...]"), SPATIAL),
    row("IDFT", "a size that may be -1", E("f32[..2,2]"), E("f32[?,2]"), MINUS_ONE),
    row("IRDFT", "bounded sizes of two axes", E("f32[5,?,3,6]"), E("f32[5,6,3,4..6]"), SIZES),
    row("IRDFT", "bounded sizes of all axes", E("f32[5,?]"), E("f32[5..10,..3]"), SIZES),
    row("IRDFT", "in2:", E("f32[2,8,?]"), E("f32[2,?,?]"), SIZES),
    row("LSTMCell", "in6:rank?", Refused, Outputs, RANK),
    row("Loop", "trips ? runs ? [2..4,7] kept", E("f32[2..4,7]; f32[2..4,14]; f32[2..4,?]"), E("f32[2..4,7]; f32[..4,14]; f32[..4,?]"), NONE),
    row("Loop", "trips 0 runs 1 [2,7] doubled", E("f32[4,7]; f32[2,14]; f32[2,0]"), E("f32[2..4,7]; f32[2,14]; f32[2,0]"), START),
    row("Loop", "trips 3 runs 0 [2,7] kept", E("f32[0,7]; f32[0,14]; f32[0]"), E("f32[..2,7]; f32[0,14]; f32[0]"), START),
    row("Loop", "trips ? runs 1 [2..4,7] kept inside", E("f32[2..4,14]; f32[2..4,?]"), E("f32[..4,14]; f32[..4,?]"), NONE),
    row("MVN", "mvn axes oob", E("f32[2,3]"), E("error axis-range"), "OpenVINO does not look at the axes before it computes"),
    row("MatMul", "K 1..2 vs 3", E("f32[2,5]"), E("error shape-conflict"), "the inner dimensions of matrices do not broadcast"),
    row("MaxPool", "a kernel larger than an open dimension", E("f32[1,3,1,3]"), E("error shape-conflict"), SHORT),
    row("Mod", "remainders of what is below 0", E("f32[4..5]"), E("f32[3..4]"), FLOOR_MOD),
    row("MulticlassNms", "in1:rank?", Refused, Outputs, RANK),
    row("NonMaxSuppression", "in1.d0:itv", Outputs, Outputs, UPPER),
    row("NonMaxSuppression", "in1.d1:itv", Outputs, Outputs, UPPER),
    row("NonMaxSuppression", "in1:..d", Outputs, Outputs, UPPER),
    row("NonMaxSuppression", "in1:rank?", Outputs, Outputs, "OpenVINO counts one class where the number of classes is unknown"),
    row("Pad", "an open pad from -1 on", E("f32[5..]"), E("f32[4..]"), "OpenVINO [takes pads that are open upwards for pads from 0 on](openvino-defects.md#pad-open-bounds)"),
    row("Pad", "more to reflect than there is", E("f32[?,?]"), E("error shape-conflict"), NEVER),
    row("Pad", "neg too big", E("f32[?,8]"), E("error shape-conflict"), "the pads take away more than there is"),
    row("Parameter", "'8..1'", E("f32[?]"), E("error attribute-value"), EMPTY),
    row("PriorBox", "variance len 3 error", E("f32[2,4]"), E("error attribute-value"), "OpenVINO reads any number of variances, but compiles only 1 or 4"),
    row("RDFT", "in2:", E("f32[2,8,?,2]"), E("f32[2,?,?,2]"), SIZES),
    row("RandomUniform", "a shape of up to 4 lengths", E("f32[?,?,?,?]"), E("f32[...]"), UPPER_COUNT),
    row("Range", "output_type missing", E("dynamic[4]"), E("error missing-attribute"), UNTYPED),
    row("Range", "more than 2^32 numbers", E("i64[5]"), E("i64[4294967301]"), "OpenVINO [counts the numbers in 32 bits](openvino-defects.md#range-count)"),
    row("ReLU", "all lies", E("f32[2,3]"), E("error declared-precision"), "OpenVINO ignores what ports declare"),
    row("ReadValue", "assign incompatible shape [5,3]", E("f32[2,?]"), E("error shape-conflict"), ASSIGN),
    row("ReadValue", "assign incompatible type", E("f32[2,?]"), E("error type-conflict"), ASSIGN),
    row("ReduceProd", "products of what may be below 0", E("f32[1..49]"), E("f32[..49]"), ENDS),
    row("RegionYolo", "end_axis<axis", E("f32[2,255,13,13]"), E("f32[2,255,1,13,13]"), "a last axis just before the first makes a dimension of 1 here"),
    row("Reshape", "[2,3,4] pattern [0, 13] special_zero=True", E("f32[2,13]"), E("error shape-conflict"), COUNT),
    row("Reshape", "[...] pattern [2, -1] special_zero=False", E("f32[2,1..]"), E("f32[2,?]"), "a tensor of unknown rank may be empty"),
    row("Reshape", "[2..5,3] pattern [100, 3] special_zero=False", E("f32[100,3]"), E("error shape-conflict"), COUNT),
    row("Reshape", "the largest number as a length", E("f32[?]"), E("error input-value"), "no tensor is as long; OpenVINO takes it for a dimension that is not known"),
    row("Reshape", "[2,3] pattern [0, 0, 2] special_zero=True", E("f32[2,3,2]"), E("error shape-conflict"), COUNT),
    row("Reshape", "[2,3,4] pattern [0, 0, 5] special_zero=True", E("f32[2,3,5]"), E("error shape-conflict"), COUNT),
    row("Reshape", "a length that may be -1", E("f32[2,..2]"), E("f32[2,?]"), MINUS_ONE),
    row("Reshape", "a length that may be 0, which copies one", E("f32[..2]"), E("f32[?]"), "[a length of 0 takes that of the data](openvino-defects.md#reshape-copied-length), whatever it is"),
    row("Reshape", "special_zero=true: x[?,3,4] idx[0] tail[5, -1]", E("f32[?,5,?]"), E("error contradictory-dimensions"), "12 elements of each image do not divide by 5, however many images there are; OpenVINO finds that when it compiles the model"),
    row("Reshape", "type in1=u16", E("f32[2,1]"), E("error shape-conflict"), COUNT),
    row("Slice", "[..20,..10,..5]", E("f32[..5,..6,..5]"), E("f32[..5,..8,..5]"), "from -8 to 8 of a dimension of 8 [there are 8 elements](openvino-defects.md#slice-start)"),
    row("Slice", "[20..,10..,5..]", E("f32[5,6..8,5..]"), E("f32[5,..6,5..]"), "from -8 to 8 of a dimension of 16 there is no element"),
    row("Slice", "from the last element of an open length", E("f32[1..3]"), E("f32[..1]"), END),
    row("Slice", "up to as many elements as another tensor has", E("f32[2]"), E("f32[1..2]"), "OpenVINO [takes two lengths for the same where they have the same bounds](openvino-defects.md#slice-stop)"),
    row("SpaceToBatch", "in0:rank-1", E("f32[18,4,3]"), E("error shape-conflict"), "OpenVINO ignores the block of a dimension that is not there"),
    row("SparseFillEmptyRows", "allP:rank?", Refused, Outputs, RANK),
    row("SparseFillEmptyRows", "in0:rank?", Refused, Outputs, RANK),
    row("Split", "[] along i64 param [], num_splits=3", E("f32[] x3"), E("error split-not-divisible"), "a scalar has no axis"),
    row("Split", "[6,7..13] along", E("f32[6,2..4] x3"), E("f32[6,3..4] x3"), ROUNDED),
    row("Split", "[6,1..8] along", E("f32[6,..2] x3"), E("f32[6,1..2] x3"), ROUNDED),
    row("Split", "[6,2..] along", E("f32[6,?] x3"), E("f32[6,1..] x3"), ROUNDED),
    row("Split", "[6,7..] along", E("f32[6,2..] x3"), E("f32[6,3..] x3"), ROUNDED),
    row("Split", "[6,7..8] along", E("f32[6,2] x3"), E("error split-not-divisible"), "neither 7 nor 8 divides by 3"),
    row("Split", "[6,1..3] along", E("f32[6,..1] x3"), E("f32[6,1] x3"), ROUNDED),
    row("Split", "[6,..41] along", E("f32[6,0] x41"), E("f32[6,..1] x41"), SINGLE),
    row("Split", "[6,41..82] along", E("f32[6,..1] x41"), E("f32[6,1..2] x41"), SINGLE),
    row("Split", "[6,..47] along", E("f32[6,0] x47"), E("f32[6,..1] x47"), SINGLE),
    row("Split", "[6,..16777217] along", E("f32[6,..16777216]"), E("f32[6,..16777217]"), SINGLE),
    row("Split", "[6,..2147483647] along", E("f32[6,..2147483648]"), E("f32[6,..2147483647]"), SINGLE),
    row("Split", "num_splits=3x, 1 output", E("f32[6,4]"), E("error wrong-output-count"), PORTS),
    row("Split", "num_splits=3, 2 outputs", E("f32[6,4]; f32[6,4]"), E("error wrong-output-count"), PORTS),
    row("Squeeze", "an axis of nf4", E("f32[1,1,1]"), E("error index-type"), "OpenVINO reads the bytes of nf4 as whole numbers"),
    row("StridedSlice", "a new axis behind an ellipsis, from an unknown begin", E("f32[2,5,1,3]"), E("f32[2,5,3,1]"), "OpenVINO puts the new axis in front of the last dimension unless it knows `begin`, and the CPU plugin then fails when it runs"),
    row("StridedSlice", "backwards from an element that may not be there", E("f32[0]"), E("f32[..1]"), "of a single element, OpenVINO gives that one when it knows the length"),
    row("StridedSlice", "a masked begin of one element", E("f32[4]"), E("f32[?]"), "OpenVINO's reader ignores the mask of a begin for a shrunk axis, its devices do not"),
    row("StridedSlice", "from the last elements of an open length", E("f32[4..10]"), E("f32[..10]"), END),
    row("TensorIterator", "[1..2,7] doubled", E("f32[2..4,7]; f32[3,4]"), E("f32[2..,7]; f32[3,4]"), ONCE),
    row("TensorIterator", "[?,2] shortened", E("f32[?,1]; f32[3,4]"), E("f32[?,..1]; f32[3,4]"), "OpenVINO infers one iteration; the CPU plugin runs three and gives f32[5,0] for a state of f32[5,2]"),
    row("TopK", "k > dim", E("f32[2,30]; i32[2,30]"), E("error input-value"), "OpenVINO lets `k` exceed the dimension; compile_model fails"),
    row("Transpose", "rank dyn, empty perm", E("f32[]"), E("f32[...]"), "OpenVINO treats a tensor of unknown rank as a scalar"),
    row("Unique", "[..2,..3]", Outputs, Outputs, "a dimension of length 0 has no slices, OpenVINO says at least 1"),
    row("Unique", "an axis that is computed", E("f32[2]; i64[2]; i64[4]; i64[2]"), E("f32[2,2]; i64[2]; i64[2]; i64[2]"), "OpenVINO infers as if there were no axis, but uses the axis at run time"),
    row("VariadicSplit", "along i64 param [], split_lengths=i64 const [100, 9]", E("f32[?,?]; f32[?,?]"), E("error split-lengths-sum"), "whichever the axis is, no dimension has 109 elements"),
    row("VariadicSplit", "in0.d1:0", E("f32[2,3]; f32[2,0]; f32[2,5]"), E("error split-lengths-overrun"), OVERRUN),
    row("VariadicSplit", "in0.d1:1", E("f32[2,3]; f32[2,0]; f32[2,5]"), E("error split-lengths-overrun"), OVERRUN),
    row("VariadicSplit", "in0:rank+1", E("f32[1,3,12]; f32[1,0,12]; f32[1,5,12]"), E("error split-lengths-overrun"), OVERRUN),
    row("VariadicSplit", "[5, 8, -1]", E("f32[6,5]; f32[6,8]; f32[6,?]"), E("error split-lengths-overrun"), OVERRUN),
    row("VariadicSplit", "[6, 8, -1]", E("f32[6,6]; f32[6,8]; f32[6,0]"), E("error split-lengths-overrun"), OVERRUN),
    row("VariadicSplit", "[12, 100, -1]", E("f32[6,12]; f32[6,100]; f32[6,0]"), E("error split-lengths-overrun"), OVERRUN),
    row("VariadicSplit", "[6,5..9] along", E("f32[6,3]; f32[6,?]"), E("f32[6,3]; f32[6,2..6]"), "OpenVINO drops the bounds of the length for -1"),
    row("VariadicSplit", "split_lengths=ShapeOf([3,?])", E("f32[6,?]; f32[6,?]"), E("f32[6,3]; f32[6,..12]"), "OpenVINO drops the known lengths beside an unknown one"),
    row("VariadicSplit", "[30, 40]", E("f32[6,30]; f32[6,40]"), E("error split-lengths-sum"), NEVER),
    row("VariadicSplit", "[1, 1]", E("f32[6,1]; f32[6,1]"), E("error split-lengths-sum"), NEVER),
    row("VariadicSplit", "[-5, -1, -1]", E("f32[...] x3"), E("error input-value"), "no input has these lengths"),
    row("VariadicSplit", "[3, 4, 5] shape[3], 2 outputs", E("f32[6,3]; f32[6,4]"), E("error wrong-output-count"), PORTS),
];

fn measurements() -> Vec<Measurement> {
    let measured = [
        operations::measurements,
        splits::measurements,
        chains::measurements,
        dimension_arithmetic::measurements,
        corners::measurements,
        bodies::measurements,
    ];
    measured.into_iter().flat_map(|measurements| measurements()).filter(Measurement::differs).collect()
}

#[test]
fn every_difference_is_measured() {
    let all = measurements();
    let missing: Vec<String> = DIFFERENCES
        .iter()
        .filter(|difference| !all.iter().any(|one| difference.is_in(one)))
        .map(|difference| format!("{} `{}`: {}", difference.operation, difference.situation, difference.why))
        .collect();
    assert!(missing.is_empty(), "no measurement shows\n{}", missing.join("\n"));
}

#[test]
fn differences_are_listed_by_operation() {
    assert!(DIFFERENCES.is_sorted_by_key(|difference| difference.operation));
}

#[test]
fn the_table_of_differences_is_up_to_date() {
    assert_written("docs/differences.md", &table());
}

fn table() -> String {
    let all = measurements();
    let mut text = "# Differences from OpenVINO\n\n\
        This page lists where ovlint deliberately disagrees with OpenVINO 2026.4.1, because OpenVINO contradicts its\n\
        specification, is unsound, or accepts what no input can satisfy. Each row shows one measured case, although there may be\n\
        several of the same kind; a link leads to the [defect of OpenVINO](openvino-defects.md) behind it, with a model that you\n\
        can report.\n\n\
        | operation | case | OpenVINO | ovlint | why |\n|---|---|---|---|---|\n"
        .to_owned();
    for difference in DIFFERENCES {
        let Some(one) = all.iter().find(|one| difference.is_in(one)) else { continue };
        let case = one.model.as_ref().unwrap_or(&one.situation);
        let Difference { operation, why, .. } = difference;
        let _ = writeln!(text, "| {operation} | `{case}` | `{}` | `{}` | {why} |", one.openvino, one.ovlint);
    }
    text
}
