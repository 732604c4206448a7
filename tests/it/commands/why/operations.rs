//! Where dimensions come from, operation by operation.

use crate::ir_builder::{Ir, Output};
use ovlint::internal::ir::{LayerId, OutputRef};
use ovlint::internal::query::names::Tensor;
use ovlint::internal::query::why::{How, Reason};
use ovlint::internal::{Model, Options, Weights};

/// The reasons for every dimension and the type of a layer's output, a line each.
pub(super) fn reasons(ir: Ir, of: Output) -> Vec<String> {
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let layer = &model.net().unwrap().graph.layers[of.0];
    let name = model.net().unwrap().graph.full_name(model.source(), layer).into_owned();
    let tensor = Tensor::find(&model, &format!("{name}:{}", of.1)).unwrap();
    let why = ovlint::internal::why(&model, &tensor, 6).unwrap();
    assert!(why.is_complete);
    why.reasons.iter().map(line).collect()
}

/// `4 = num_splits=3, Parameter_0 dim 1 12` for what is computed, `6 <- Parameter_0 dim 0` for what is passed on.
fn line(reason: &Reason) -> String {
    let subject = |reason: &Reason| format!("{} {}", reason.tensor, reason.aspect).replace(" [", "[");
    if !reason.through.is_empty() && reason.from.is_empty() {
        return format!("{} <- {}", reason.value, subject(reason));
    }
    let attributes = reason.attributes.iter().map(|(name, value)| format!("{name}={value}"));
    let parts = reason.from.iter().map(|next| format!("{} {}", subject(next), next.value));
    let sign = if reason.how == How::Agreed { "==" } else { "=" };
    format!("{} {sign} {}", reason.value, attributes.chain(parts).collect::<Vec<_>>().join(", "))
}

pub(super) fn ints(ir: &mut Ir, numbers: &[i64]) -> Output {
    #[allow(clippy::cast_precision_loss, reason = "small numbers")]
    let numbers: Vec<f64> = numbers.iter().map(|n| *n as f64).collect();
    ir.constant("i64", &[numbers.len()], &numbers)
}

pub(super) fn scalar(ir: &mut Ir, number: f64) -> Output {
    ir.constant("i64", &[], &[number])
}

/// The calculations of the dimensions of a layer's output.
fn calculations(ir: Ir, of: Output) -> Vec<String> {
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let tensor = Tensor { path: Vec::new(), output: output_ref(of) };
    let why = ovlint::internal::why(&model, &tensor, 6).unwrap();
    why.reasons.iter().filter_map(|reason| reason.arithmetic.clone()).collect()
}

#[test]
fn numbers_are_calculated() {
    type Build = fn(&mut Ir) -> Output;
    let cases: &[(&[&str], Build)] = &[
        (&["1 + 256 = 257"], |ir| {
            let (a, b) = (ir.parameter("f32", "1,4"), ir.parameter("f32", "256,4"));
            ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[a, b], 1)
        }),
        (&["12 / 3 = 4"], |ir| {
            let (data, axis) = (ir.parameter("f32", "6,12"), scalar(ir, 1.0));
            ir.layer("Split", "opset1", "<data num_splits=\"3\"/>", &[data, axis], 3)
        }),
        (&["2 + 1 + 3 = 6"], |ir| {
            let data = ir.parameter("f32", "2,5");
            let (begin, end, value) = (ints(ir, &[1, 0]), ints(ir, &[3, 0]), ir.constant("f32", &[], &[0.0]));
            ir.layer("Pad", "opset1", "<data pad_mode=\"constant\"/>", &[data, begin, end, value], 1)
        }),
        (&["(224 + 3 + 3 - 7) // 2 + 1 = 112", "64 + 1 - 5 + 1 = 61"], |ir| {
            let (data, kernel) = (ir.parameter("f32", "1,3,224,64"), ir.parameter("f32", "8,3,7,3"));
            let data_of = "<data strides=\"2,1\" pads_begin=\"3,0\" pads_end=\"3,1\" dilations=\"1,2\"/>";
            ir.layer("Convolution", "opset1", data_of, &[data, kernel], 1)
        }),
        (&["(10 - 3) // 3 + 1 = 3"], |ir| {
            let data = ir.parameter("f32", "1,3,10");
            let data_of = "<data strides=\"3\" pads_begin=\"0\" pads_end=\"0\" kernel=\"3\"/>";
            ir.layer("MaxPool", "opset1", data_of, &[data], 1)
        }),
        (&["(10 - 1) * 2 + 4 - 1 - 1 = 20"], |ir| {
            let (data, kernel) = (ir.parameter("f32", "1,3,10"), ir.parameter("f32", "3,8,4"));
            let data_of = "<data strides=\"2\" pads_begin=\"1\" pads_end=\"1\" dilations=\"1\"/>";
            ir.layer("ConvolutionBackpropData", "opset1", data_of, &[data, kernel], 1)
        }),
        (&["2 * 9 * 32 / 64 = 9"], |ir| {
            let (data, pattern) = (ir.parameter("f32", "2,9,32"), ints(ir, &[-1, 64]));
            ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, pattern], 1)
        }),
        (&["9 - 2 = 7"], |ir| {
            let data = ir.parameter("f32", "40");
            let ends = [ints(ir, &[2]), ints(ir, &[9]), ints(ir, &[1])];
            ir.layer("Slice", "opset8", "", &[data, ends[0], ends[1], ends[2]], 1)
        }),
        (&["5 * 3 = 15"], |ir| {
            let (data, repeats) = (ir.parameter("f32", "5"), ints(ir, &[3]));
            ir.layer("Tile", "opset1", "", &[data, repeats], 1)
        }),
    ];
    for (wanted, build) in cases {
        let mut ir = Ir::default();
        let of = build(&mut ir);
        assert_eq!(calculations(ir, of), *wanted);
    }
}

#[test]
fn split_divides_the_axis() {
    let mut ir = Ir::default();
    let (data, axis) = (ir.parameter("f32", "6,12"), scalar(&mut ir, 1.0));
    let split = ir.layer("Split", "opset1", "<data num_splits=\"3\"/>", &[data, axis], 3);
    let wanted = ["6 <- Parameter_0 dim 0", "4 = num_splits=3, Parameter_0 dim 1 12", "f32 <- Parameter_0 type"];
    assert_eq!(reasons(ir, Output(split.0, 2)), wanted);
}

#[test]
fn variadic_split_with_a_rest() {
    let build = |part: usize| {
        let mut ir = Ir::default();
        let (data, axis) = (ir.parameter("f32", "6,12"), scalar(&mut ir, 0.0));
        let lengths = ints(&mut ir, &[1, -1, 3]);
        let split = ir.layer("VariadicSplit", "opset1", "", &[data, axis, lengths], 3);
        reasons(ir, Output(split.0, part))
    };
    assert_eq!(build(0)[0], "1 <- Const_2[0]");
    assert_eq!(build(1)[0], "2 = Parameter_0 dim 0 6, Const_2[0] 1, Const_2[1] -1, Const_2[2] 3");
    assert_eq!(build(2)[..2], ["3 <- Const_2[2]", "12 <- Parameter_0 dim 1"]);
}

#[test]
fn concat_adds_along_the_axis() {
    let mut ir = Ir::default();
    let (a, b) = (ir.parameter("f32", "2,4"), ir.parameter("f32", "3,4"));
    let concat = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[a, b], 1);
    let wanted = [
        "5 = axis=0, Parameter_0 dim 0 2, Parameter_1 dim 0 3",
        "4 == Parameter_0 dim 1 4, Parameter_1 dim 1 4",
        "f32 <- Parameter_0 type",
    ];
    assert_eq!(reasons(ir, concat), wanted);
}

#[test]
fn reshape_with_a_rest() {
    let mut ir = Ir::default();
    let (data, shape) = (ir.parameter("f32", "2,3,4"), ints(&mut ir, &[0, -1]));
    let reshape = ir.layer("Reshape", "opset1", "<data special_zero=\"true\"/>", &[data, shape], 1);
    let wanted = [
        "2 <- Parameter_0 dim 0",
        "12 = Parameter_0 dim 1 3, Parameter_0 dim 2 4, Const_1[0] 0",
        "f32 <- Parameter_0 type",
    ];
    assert_eq!(reasons(ir, reshape), wanted);
}

#[test]
fn reshape_to_a_number() {
    let mut ir = Ir::default();
    let (data, shape) = (ir.parameter("f32", "2,640,2"), ints(&mut ir, &[-1, 1280]));
    let reshape = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, shape], 1);
    assert_eq!(reasons(ir, reshape)[1], "1280 <- Const_1[1]");
}

#[test]
fn addition_that_broadcasts() {
    let mut ir = Ir::default();
    let (a, b) = (ir.parameter("f32", "6,1,4,?"), ir.parameter("f32", "5,4,?"));
    let add = ir.layer("Add", "opset1", "<data auto_broadcast=\"numpy\"/>", &[a, b], 1);
    let wanted = [
        "6 <- Parameter_0 dim 0",
        "5 <- Parameter_1 dim 0",
        "4 == Parameter_0 dim 2 4, Parameter_1 dim 1 4",
        "? == Parameter_0 dim 3 ?, Parameter_1 dim 2 ?",
        "f32 <- Parameter_0 type",
    ];
    assert_eq!(reasons(ir, add), wanted);
}

#[test]
fn matmul_takes_rows_and_columns() {
    let mut ir = Ir::default();
    let (a, b) = (ir.parameter("f32", "7,2,3"), ir.parameter("f32", "5,3"));
    let data = "<data transpose_a=\"false\" transpose_b=\"true\"/>";
    let product = ir.layer("MatMul", "opset1", data, &[a, b], 1);
    let wanted =
        ["7 <- Parameter_0 dim 0", "2 <- Parameter_0 dim 1", "5 <- Parameter_1 dim 0", "f32 <- Parameter_0 type"];
    assert_eq!(reasons(ir, product), wanted);
}

#[test]
fn convolution_follows_kernel_and_strides() {
    let data =
        "<data strides=\"2, 1\" pads_begin=\"1, 0\" pads_end=\"1, 0\" dilations=\"1, 1\" auto_pad=\"explicit\"/>";
    let mut ir = Ir::default();
    let (image, filters) = (ir.parameter("f32", "1,3,32,32"), ir.parameter("f32", "8,3,3,1"));
    let convolution = ir.layer("Convolution", "opset1", data, &[image, filters], 1);
    let wanted = [
        "1 <- Parameter_0 dim 0",
        "8 <- Parameter_1 dim 0",
        "16 = strides=2,1, pads_begin=1,0, pads_end=1,0, auto_pad=explicit, \
         Parameter_0 dim 2 32, Parameter_1 dim 2 3",
    ];
    assert_eq!(reasons(ir, convolution)[..3], wanted);
}

#[test]
fn slices_follow_their_bounds() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "10,20");
    let lists = [&[2][..], &[8], &[3], &[1]].map(|list| ints(&mut ir, list));
    let slice = ir.layer("Slice", "opset8", "", &[data, lists[0], lists[1], lists[2], lists[3]], 1);
    let wanted = ["10 <- Parameter_0 dim 0", "2 = Parameter_0 dim 1 20, Const_1[0] 2, Const_2[0] 8, Const_3[0] 3"];
    assert_eq!(reasons(ir, slice)[..2], wanted);
}

#[test]
fn gather_follows_its_indices() {
    let mut ir = Ir::default();
    let (data, indices, axis) = (ir.parameter("f16", "10,20"), ir.parameter("i64", "3,?"), scalar(&mut ir, 1.0));
    let gather = ir.layer("Gather", "opset8", "<data batch_dims=\"0\"/>", &[data, indices, axis], 1);
    let wanted =
        ["10 <- Parameter_0 dim 0", "3 <- Parameter_1 dim 0", "? <- Parameter_1 dim 1", "f16 <- Parameter_0 type"];
    assert_eq!(reasons(ir, gather), wanted);
}

#[test]
fn transpose_follows_its_order() {
    let mut ir = Ir::default();
    let (data, order) = (ir.parameter("f32", "2,3,?"), ints(&mut ir, &[2, 0, 1]));
    let transpose = ir.layer("Transpose", "opset1", "", &[data, order], 1);
    assert_eq!(
        reasons(ir, transpose)[..3],
        ["? <- Parameter_0 dim 2", "2 <- Parameter_0 dim 0", "3 <- Parameter_0 dim 1"]
    );
}

#[test]
fn shape_arithmetic_is_followed_to_the_input() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2,12,5");
    let shape = ir.layer("ShapeOf", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
    let (two, axis, rest) = (ints(&mut ir, &[2]), scalar(&mut ir, 0.0), ints(&mut ir, &[-1]));
    let last = ir.layer("Gather", "opset8", "<data batch_dims=\"0\"/>", &[shape, two, axis], 1);
    let target = ir.layer("Concat", "opset1", "<data axis=\"0\"/>", &[last, rest], 1);
    let reshape = ir.layer("Reshape", "opset1", "<data special_zero=\"false\"/>", &[data, target], 1);
    assert_eq!(reasons(ir, reshape)[0], "5 <- Parameter_0 dim 2");
}

#[test]
fn types_are_shown_where_they_change() {
    let mut ir = Ir::default();
    let data = ir.parameter("u8", "2");
    let convert = ir.layer("Convert", "opset1", "<data destination_type=\"f16\"/>", &[data], 1);
    let relu = ir.layer("ReLU", "opset1", "", &[convert], 1);
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let why = ovlint::internal::why(&model, &Tensor::find(&model, "ReLU_2").unwrap(), 6).unwrap();
    let ty = why.reasons.last().unwrap();
    assert_eq!((ty.tensor.as_str(), ty.value.as_str(), relu.0), ("Convert_1", "f16", 2));
    assert_eq!(ty.attributes, [("destination_type".to_owned(), "f16".to_owned())]);
}

#[test]
fn what_a_run_decides_is_shown() {
    let mut ir = Ir::default();
    let data = ir.parameter("f32", "2,3");
    let places = ir.layer("NonZero", "opset3", "<data output_type=\"i64\"/>", &[data], 1);
    let (xml, weights) = ir.finish();
    let model = Model::from_bytes("m.xml", xml, Weights::in_memory(weights), &Options::default()).unwrap();
    let why = ovlint::internal::why(&model, &Tensor { path: Vec::new(), output: output_ref(places) }, 6).unwrap();
    let [rank, count, _] = why.reasons.as_slice() else { panic!("{why:?}") };
    assert_eq!((rank.value.as_str(), rank.how), ("2", How::Computed));
    assert_eq!((count.value.as_str(), count.how), ("..6", How::Computed));
}

fn output_ref(output: Output) -> OutputRef {
    OutputRef { layer: LayerId::new(output.0), output: u32::try_from(output.1).unwrap() }
}
