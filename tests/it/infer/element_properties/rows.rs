//! Every operation that works elements out, with inputs and types to try it on.

use ovlint::internal::ops::operations;

/// An operation and inputs for it.
///
/// `T[2,3]` is a tensor of random elements, of one of the types; `i64[3] in -2..1` one of random elements between these;
/// everything else is a fact as it is written.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) opset: u8,
    pub(super) types: &'static [&'static str],
    pub(super) inputs: &'static [&'static str],
    pub(super) attrs: &'static [(&'static str, &'static str)],
}

const fn row(
    name: &'static str,
    opset: u8,
    types: &'static [&'static str],
    inputs: &'static [&'static str],
    attrs: &'static [(&'static str, &'static str)],
) -> Row {
    Row { name, opset, types, inputs, attrs }
}

const FLOATS: &[&str] = &["f32", "f16", "bf16", "f64"];
const WHOLE: &[&str] = &["i64", "i32", "u8", "i8", "u16", "u32", "u64"];
const NUMBERS: &[&str] = &["i64", "f32", "i32", "u8", "i8", "f16", "f64", "bf16", "u32"];
const EVERY: &[&str] = &["i64", "f32", "i32", "boolean", "u8", "f16"];
const FLAGS: &[&str] = &["boolean"];
const PAIR: &[&str] = &["T[2,3]", "T[3]"];
const ONE: &[&str] = &["T[2,3]"];

/// Functions whose last digit depends on the library or on the order of the steps, and which are therefore known between
/// bounds only.
#[rustfmt::skip]
pub(super) const ROUGH: &[&str] = &[
    "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Erf", "Exp", "HSigmoid", "HSwish", "Log", "MatMul",
    "Mish", "Power", "ReduceL1", "ReduceL2", "ReduceMean", "ReduceProd", "ReduceSum", "Sigmoid", "Sin", "Sinh", "SoftPlus",
    "SoftSign", "Sqrt", "Tan", "Tanh",
];

/// Operations on one tensor, or on two that are broadcast, and the types they take.
const ELEMENTWISE: &[(&[&str], &[&str], &[&str])] = &[
    (&["Abs", "Ceiling", "Floor", "Negative", "Sign"], NUMBERS, ONE),
    (&["Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Cos", "Cosh", "Exp", "Log", "Sin", "Sinh"], NUMBERS, ONE),
    (&["Sqrt", "Tan", "Tanh", "ReLU", "Identity", "NonZero", "ShapeOf"], NUMBERS, ONE),
    (&["Erf", "HSigmoid", "HSwish", "Sigmoid"], NUMBERS, ONE),
    (&["Round", "IsFinite", "IsInf", "IsNaN", "Mish", "SoftPlus", "SoftSign"], FLOATS, ONE),
    (&["BitwiseNot"], &["i64", "i32", "u8", "i8", "u16", "u32"], ONE),
    (&["LogicalNot"], FLAGS, ONE),
    (&["Add", "Subtract", "Multiply", "Divide", "Maximum", "Minimum"], NUMBERS, PAIR),
    (&["FloorMod", "Mod", "Power", "SquaredDifference"], NUMBERS, PAIR),
    (&["Equal", "NotEqual", "Greater", "GreaterEqual", "Less", "LessEqual"], NUMBERS, PAIR),
    (&["BitwiseAnd", "BitwiseOr", "BitwiseXor"], WHOLE, PAIR),
    (&["BitwiseLeftShift", "BitwiseRightShift"], WHOLE, &["T[2,3]", "T[3]"]),
    (&["LogicalAnd", "LogicalOr", "LogicalXor", "Xor"], FLAGS, PAIR),
];

/// Reductions and the types they take.
const REDUCTIONS: &[(&[&str], &[&str])] = &[
    (&["ReduceL1", "ReduceL2", "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum"], NUMBERS),
    (&["ReduceLogicalAnd", "ReduceLogicalOr"], FLAGS),
];

#[rustfmt::skip]
const ROWS: &[Row] = &[
    row("Assign", 3, EVERY, ONE, &[]),
    row("Assign", 6, EVERY, ONE, &[("variable_id", "v")]),
    row("BatchToSpace", 2, EVERY, &["T[4,2,2]", "i64[3] = 1,2,2", "i64[3] = 0,0,1", "i64[3] = 0,1,0"], &[]),
    row("Broadcast", 1, EVERY, &["T[3,1]", "i64[3] = 2,3,2"], &[]),
    row("Broadcast", 3, EVERY, &["T[3,1]", "i64[2] = 1,2"], &[("mode", "bidirectional")]),
    row("Broadcast", 3, EVERY, &["T[3]", "i64[2] = 3,2", "i64[1] = 0"], &[("mode", "explicit")]),
    row("Clamp", 1, NUMBERS, ONE, &[("min", "-1.5"), ("max", "4")]),
    row("Concat", 1, EVERY, &["T[2,3]", "T[2,1]", "T[2,2]"], &[("axis", "1")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "i64")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "u8")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "f16")]),
    row("Convert", 1, NUMBERS, ONE, &[("destination_type", "boolean")]),
    row("ConvertLike", 1, NUMBERS, &["T[2,3]", "i32[1]"], &[]),
    row("ConvertPromoteTypes", 14, NUMBERS, &["T[3]", "f32[2] = 1,-2"], &[("promote_unsafe", "true")]),
    row("DepthToSpace", 1, EVERY, &["T[1,4,2,1]"], &[("block_size", "2"), ("mode", "depth_first")]),
    row("Eye", 9, EVERY, &["i64[] in 0..3", "i64[] in 0..3", "i64[] in -2..2"], &[("output_type", "i64")]),
    row("FakeQuantize", 1, FLOATS, &["T[2,3]", "T[3]", "T[]", "T[1,3]", "T[]"], &[("levels", "7")]),
    row("FakeQuantize", 1, FLOATS, &["T[4]", "f32[] = -2", "f32[] = 5", "f32[] = 0.1", "f32[] = 3"], &[("levels", "16")]),
    row("Gather", 1, EVERY, &["T[2,4]", "i64[3] in 0..3", "i64[] = 1"], &[]),
    row("Gather", 7, EVERY, &["T[2,4]", "i64[2,3] in 0..3", "i64[] = 1"], &[("batch_dims", "1")]),
    row("Gather", 8, EVERY, &["T[2,4]", "i64[3] in -5..4", "i64[] = -1"], &[]),
    row("GatherElements", 6, EVERY, &["T[2,4]", "i64[2,3] in -4..3"], &[("axis", "1")]),
    row("GatherND", 5, EVERY, &["T[2,4]", "i64[2,1] in 0..3"], &[("batch_dims", "1")]),
    row("GatherND", 8, EVERY, &["T[2,2,3]", "i64[2,2] in 0..1"], &[]),
    row("MatMul", 1, NUMBERS, &["T[2,3]", "T[3,2]"], &[]),
    row("MatMul", 1, NUMBERS, &["T[3]", "T[2,2,3]"], &[("transpose_b", "true")]),
    row("OneHot", 1, EVERY, &["i64[3] in -1..5", "i64[] = 4", "T[]", "T[]"], &[("axis", "-1")]),
    row("OneHot", 16, EVERY, &["i64[3] in -5..5", "i64[] = 4", "T[]", "T[]"], &[("negative_indices_mode", "normalize")]),
    row("Pad", 1, EVERY, &["T[3,2]", "i64[2] in 0..2", "i64[2] in 0..2", "T[]"], &[]),
    row("Pad", 12, EVERY, &["T[3,4]", "i64[2] in -1..2", "i64[2] in -1..2"], &[("pad_mode", "reflect")]),
    row("Pad", 12, EVERY, &["T[3,4]", "i64[2] in -1..2", "i64[2] in -1..2"], &[("pad_mode", "symmetric")]),
    row("Pad", 12, EVERY, &["T[3,4]", "i64[2] in -1..2", "i64[2] in -1..2"], &[("pad_mode", "edge")]),
    row("Range", 1, &["i64", "i32"], &["T[] in -3..3", "T[] in -3..9", "T[] in 1..3"], &[]),
    row("Range", 4, FLOATS, &["T[] in -3..3", "T[] in -3..9", "T[] in 1..3"], &[("output_type", "f32")]),
    row("Reshape", 1, EVERY, &["T[2,6]", "i64[2] = 3,-1"], &[("special_zero", "true")]),
    row("Reverse", 1, EVERY, &["T[2,3]", "i64[1] = -1"], &[("mode", "index")]),
    row("ReverseSequence", 1, EVERY, &["T[3,2]", "i64[2] in 1..3"], &[("batch_axis", "1"), ("seq_axis", "0")]),
    row("Roll", 7, EVERY, &["T[2,3]", "i64[2] in -4..4", "i64[2] = 0,-1"], &[]),
    row("ScatterElementsUpdate", 3, EVERY, &["T[2,3]", "i64[2,2] in -3..2", "T[2,2]", "i64[] = 1"], &[]),
    row("ScatterElementsUpdate", 12, NUMBERS, &["T[2,3]", "i64[2,2] in -3..2", "T[2,2]", "i64[] = 1"], &[("reduction", "sum")]),
    row("ScatterElementsUpdate", 12, NUMBERS, &["T[2,3]", "i64[2,2] in -3..2", "T[2,2]", "i64[] = 1"], &[("reduction", "max"), ("use_init_val", "false")]),
    row("ScatterNDUpdate", 4, EVERY, &["T[2,3]", "i64[2,1] in -2..1", "T[2,3]"], &[]),
    row("ScatterNDUpdate", 15, NUMBERS, &["T[4]", "i64[3,1] in -4..3", "T[3]"], &[("reduction", "prod")]),
    row("ScatterNDUpdate", 15, NUMBERS, &["T[4]", "i64[3,1] in -4..3", "T[3]"], &[("reduction", "sub")]),
    row("ScatterUpdate", 3, EVERY, &["T[4,2]", "i64[2] in 0..3", "T[2,2]", "i64[] = 0"], &[]),
    row("Select", 1, EVERY, &["boolean[2,3] in 0..1", "T[3]", "T[2,1]"], &[]),
    row("ShuffleChannels", 1, EVERY, &["T[2,6]"], &[("axis", "1"), ("group", "3")]),
    row("Slice", 8, EVERY, &["T[5,2]", "i64[1] in -6..6", "i64[1] in -6..6", "i64[1] in 1..2", "i64[1] = 0"], &[]),
    row("Slice", 8, EVERY, &["T[5,2]", "i64[1] in -6..6", "i64[1] in -6..6", "i64[1] in -2..-1", "i64[1] = 0"], &[]),
    row("SliceScatter", 15, EVERY, &["T[5,2]", "T[2,2]", "i64[1] = 1", "i64[1] = 5", "i64[1] = 2", "i64[1] = 0"], &[]),
    row("SpaceToBatch", 2, EVERY, &["T[1,2,3]", "i64[3] = 1,2,2", "i64[3] = 0,1,0", "i64[3] = 0,1,1"], &[]),
    row("SpaceToDepth", 1, EVERY, &["T[1,1,2,4]"], &[("block_size", "2"), ("mode", "blocks_first")]),
    row("Split", 1, EVERY, &["T[2,6]", "i64[] = 1"], &[("num_splits", "3")]),
    row("Squeeze", 1, EVERY, &["T[1,3,1]", "i64[1] = 0"], &[]),
    row("Squeeze", 15, EVERY, &["T[1,3,1]"], &[]),
    row("StridedSlice", 1, EVERY, &["T[5,3]", "i64[2] in -6..6", "i64[2] in -6..6", "i64[2] = 2,1"], &[("begin_mask", "0,1"), ("end_mask", "0,1"), ("shrink_axis_mask", "0,0")]),
    row("StridedSlice", 1, EVERY, &["T[5,3]", "i64[1] in -5..4", "i64[1] in -5..5", "i64[1] = -1"], &[("begin_mask", "0"), ("end_mask", "0"), ("shrink_axis_mask", "1")]),
    row("Tile", 1, EVERY, &["T[2,1]", "i64[3] in 0..2"], &[]),
    row("TopK", 1, NUMBERS, &["T[2,4]", "i64[] = 2"], &[("axis", "1"), ("mode", "max"), ("sort", "value")]),
    row("TopK", 3, NUMBERS, &["T[4,2]", "i64[] = 3"], &[("axis", "0"), ("mode", "min"), ("sort", "index")]),
    row("TopK", 11, NUMBERS, &["T[5]", "i64[] in 0..5"], &[("axis", "0"), ("mode", "min"), ("sort", "value"), ("stable", "true")]),
    row("Transpose", 1, EVERY, &["T[2,3,2]", "i64[3] = 2,0,1"], &[]),
    row("Unsqueeze", 1, EVERY, &["T[2,3]", "i64[2] = 0,-1"], &[]),
    row("VariadicSplit", 1, EVERY, &["T[6,2]", "i64[] = 0", "i64[3] = 2,-1,1"], &[]),
];

/// Every row, the families written out.
pub(super) fn rows() -> Vec<Row> {
    let newest = |name: &str| operations().filter(|spec| spec.name == name).map(|spec| spec.opset).collect::<Vec<_>>();
    let mut rows: Vec<Row> = Vec::new();
    for (names, types, inputs) in ELEMENTWISE {
        for name in *names {
            let attrs: &[(&str, &str)] = if *name == "ShapeOf" { &[("output_type", "i64")] } else { &[] };
            rows.extend(newest(name).into_iter().map(|opset| row(name, opset, types, inputs, attrs)));
        }
    }
    for (names, types) in REDUCTIONS {
        for name in *names {
            for opset in newest(name) {
                rows.push(row(name, opset, types, &["T[2,3]", "i64[1] = -1"], &[]));
                rows.push(row(name, opset, types, &["T[2,2,2]", "i64[2] = 0,2"], &[("keep_dims", "true")]));
            }
        }
    }
    rows.extend(ROWS.iter().map(|r| row(r.name, r.opset, r.types, r.inputs, r.attrs)));
    rows
}
