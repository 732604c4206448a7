//! `Interpolate`: resizes dimensions to sizes or by factors.
//!
//! - Spec: `image/interpolate-1`, `-4`, `-11`
//! - Shape: `data`, padded since 4, with the dimensions at the axes replaced by the sizes, or multiplied by the scales in
//!   single precision and rounded down. Unknown axes keep only the rank.
//! - Errors: `axis-range` (axes do not count from the end here); `input-type`; `needs-type`; `input-value` if a size is negative;
//!   `shape-conflict` if there are fewer sizes or scales than axes.
//! - Differs from OpenVINO: bounds of scales are used; a negative size is reported, OpenVINO reads -1 as unknown; in 1
//!   OpenVINO accepts too few sizes.
//! - Revisions: 1 takes axes as a sorted attribute; 4 takes sizes, scales and axes; 11 takes either sizes or scales.

use crate::ops::prelude::*;
use crate::types::interval::floor_div;
use crate::types::{ElementType as T, Elements, truncate};

pub(super) static INTERPOLATE_1: OpSpec = OpSpec {
    inputs: &[Input::any("data"), Input::index("target_spatial_shape").followed().lengths().if_ranked()],
    attrs: &[
        Attr::compiled("axes", Kind::COUNTS, "").checked(Checked::Static),
        Attr::compiled("mode", Kind::Word(&["nearest", "linear", "cubic", "area"]), ""),
        Attr::optional("align_corners", Kind::Flag, "true"),
        ANTIALIAS,
        PADS_BEGIN,
        PADS_END,
    ],
    action: Action::Resizes,
    ..OpSpec::new("Interpolate", 1, infer_1)
};

pub(super) static INTERPOLATE_4: OpSpec = OpSpec {
    inputs: &[
        Input::of("data", DATA),
        Input::index("sizes").followed().types(SIZES).typed(),
        Input::of("scales", SCALES).reads_value().followed().typed(),
        Input::index("axes").types(SIZES).ranks(&[1]).typed().optional(),
    ],
    attrs: &attrs(&["nearest", "linear", "linear_onnx", "cubic"]),
    defers: Some(&SHAPE_CONFLICT),
    action: Action::Resizes,
    ..OpSpec::new("Interpolate", 4, infer_4)
};

pub(super) static INTERPOLATE_11: OpSpec = OpSpec {
    opset: 11,
    inputs: &[
        Input::of("data", DATA),
        Input::of("scales_or_sizes", SIZES.with(&[T::F32, T::F16, T::Bf16])).reads_value().followed().typed(),
        Input::index("axes").types(SIZES).ranks(&[1]).typed().optional(),
    ],
    attrs: &attrs(MODES_11),
    infer: infer_11,
    ..INTERPOLATE_4
};

const DATA: TypeSet = TypeSet::of(&[T::Bf16, T::F16, T::F32, T::F64, T::I8, T::I32, T::I64, T::U8]);
const SIZES: TypeSet = TypeSet::of(&[T::I32, T::I64, T::U32, T::U64]);
const SCALES: TypeSet = TypeSet::of(&[T::F32, T::F16, T::Bf16]);
const MODES_11: &[&str] = &["nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"];

/// The attributes from opset4 on, with `modes` for `mode`.
const fn attrs(modes: &'static [&'static str]) -> [Attr; 8] {
    let mode = Attr::optional("mode", Kind::Choice(modes), "nearest");
    [mode, BY, COORDINATES, NEAREST, ANTIALIAS, PADS_BEGIN, PADS_END, CUBE_COEFF]
}
const ANTIALIAS: Attr = Attr::optional("antialias", Kind::Flag, "false");
const PADS_BEGIN: Attr = Attr::optional("pads_begin", Kind::Unsigned, "");
const PADS_END: Attr = Attr::optional("pads_end", Kind::Unsigned, "");
const CUBE_COEFF: Attr = Attr::optional("cube_coeff", Kind::Float, "-0.75");
const BY: Attr = Attr::optional("shape_calculation_mode", Kind::Choice(&["sizes", "scales"]), "sizes");
const COORDINATES: Attr = Attr::optional(
    "coordinate_transformation_mode",
    Kind::Choice(&["half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"]),
    "half_pixel",
);
const NEAREST: Attr = Attr::optional(
    "nearest_mode",
    Kind::Choice(&["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"]),
    "round_prefer_floor",
);

fn infer_1(cx: &InferCtx) -> Inferred {
    let mut axes = cx.ints("axes").to_vec();
    axes.sort_unstable();
    axes.dedup();
    if axes.is_empty() && cx.writes("axes") {
        cx.pass(wrong_attr("axes", "`axes` holds no axis").runtime(Runtime::NotCompiled))?;
    }
    resized(cx, cx.input(0).shape.clone(), &axes, At::Attr("axes"), 1, false)
}

fn infer_4(cx: &InferCtx) -> Inferred {
    let by_scales = cx.choice("shape_calculation_mode") == "scales";
    infer_from(cx, if by_scales { 2 } else { 1 }, 3, by_scales)
}

fn infer_11(cx: &InferCtx) -> Inferred {
    let by_scales = cx.choice("shape_calculation_mode") == "scales";
    let (ty, wanted) = (cx.input(1).ty, if by_scales { SCALES } else { SIZES });
    if ty != T::Dynamic && !wanted.has(ty) {
        let mode = cx.choice("shape_calculation_mode");
        let message = format!("`scales_or_sizes` is {ty}, which cannot hold the {mode} that the layer needs");
        return Err(Fault::at(At::Input(1), &INPUT_TYPE, message).primary(ty.to_string()));
    }
    infer_from(cx, 1, 2, by_scales)
}

/// Infers the padded data resized by input `targets` along the axes in input `axes`.
fn infer_from(cx: &InferCtx, targets: usize, axes: usize, by_scales: bool) -> Inferred {
    let data = cx.input(0);
    let rank_of_targets = cx.input(targets).rank();
    if rank_of_targets.is_some_and(|rank| rank != 1) {
        return Err(wrong_rank(cx, targets, "a list (rank 1)"));
    }
    let Some(dims) = data.shape.dims() else { return unranked(data.ty) };
    let all: Vec<i64> = (0..).take(dims.len()).collect();
    let chosen = if cx.has_input(axes) { cx.constant(axes).map(|axes| axes.to_vec()) } else { Some(all) };
    let Some(chosen) = chosen else { return Ok(vec![Fact::new(data.ty, data.shape.forget_dims())]) };
    let pad = |name: &str, axis: usize| cx.ints(name).get(axis).copied().unwrap_or(0);
    let padded = dims
        .iter()
        .enumerate()
        .map(|(axis, dim)| dim.plus(Dim::exact(pad("pads_begin", axis).saturating_add(pad("pads_end", axis)))));
    if !by_scales {
        cx.check_length_bounds(targets);
    }
    resized(cx, PartialShape::of(padded), &chosen, At::Input(axes), targets, by_scales)
}

/// `shape` with the dimensions at `axes` resized by input `targets`.
fn resized(
    cx: &InferCtx,
    mut shape: PartialShape,
    axes: &[i64],
    place: At,
    targets: usize,
    by_scales: bool,
) -> Inferred {
    let ty = cx.input(0).ty;
    let Some(rank) = shape.rank() else { return unranked(ty) };
    let count = cx.input(targets).shape.elements();
    count.demand_at_least(Dim::of_count(axes.len()));
    if count.upper().is_some_and(|count| usize::try_from(count).is_ok_and(|count| count < axes.len())) {
        let name = cx.input_name(targets);
        let message = format!("`{name}` has {count} element{} for {} axes", plural(count), axes.len());
        // OpenVINO checks the number of elements of lists only, and never in revision 1.
        let is_counted = cx.input(targets).rank() != Some(0) && !matches!(place, At::Attr(_));
        let runtime = if is_counted { Runtime::Rejects } else { Runtime::Unknown };
        return Err(conflict(cx, targets, message).runtime(runtime));
    }
    for (n, axis) in axes.iter().enumerate() {
        let Some(index) = usize::try_from(*axis).ok().filter(|index| *index < rank) else {
            let message = format!("axis {axis} is outside 0..{}", rank.saturating_sub(1));
            return Err(Fault::at(place, &AXIS_RANGE, message).label(At::Input(0), cx.input(0).to_string()));
        };
        let dim = if by_scales { scaled(cx, targets, n, shape.dim(index)) } else { length(cx, targets, n)? };
        shape = shape.with(index, dim);
    }
    Ok(vec![Fact::new(ty, shape)])
}

/// `dim` times element `n` of input `i`.
fn scaled(cx: &InferCtx, i: usize, n: usize, dim: Dim) -> Dim {
    let Some(Elements::Floats(scales)) = cx.value(i).map(Value::elements) else { return Dim::ANY };
    let Some(scale) = scales.get(n).copied() else { return Dim::ANY };
    if scale == Bounds::exact(1.0) {
        return dim;
    }
    let lower = times(dim.lower(), scale.lower);
    let upper = match dim.upper() {
        Some(length) if scale.value().is_some() || scale.upper.is_finite() => times(length, scale.upper),
        _ => i64::MAX,
    };
    Dim::between(lower, upper.max(lower)).unwrap_or(Dim::ANY).equal(|| simple(dim, scale.value()?))
}

/// The product as an expression, if the scale or its inverse is a small whole number. It holds up to [`LONGEST`] elements,
/// beyond which single precision rounds.
fn simple(dim: Dim, scale: f64) -> Option<Interval> {
    if dim.upper().is_some_and(|length| length > LONGEST) {
        return None;
    }
    let (length, inverse) = (Interval::from(dim), (1e6 / scale).round() / 1e6);
    let whole = |number: f64| Interval::exact(truncate(number).into());
    match (scale.fract() == 0.0, inverse.fract() == 0.0) {
        (true, _) if (1.0..=64.0).contains(&scale) => Some(length.times(whole(scale))),
        (_, true) if (1.0..=4.0).contains(&inverse) => Some(length.divided(whole(inverse), floor_div)),
        _ => None,
    }
}

/// A length beyond the sides of any image.
const LONGEST: i64 = 1 << 17;

/// A length times a scale as in OpenVINO: in single precision, with a slightly enlarged scale.
#[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation, reason = "OpenVINO rounds in the same way")]
fn times(length: i64, scale: f64) -> i64 {
    let product = length as f32 * (scale as f32 + 1e-6_f32);
    if product.is_finite() { (product as i64).max(0) } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let first = |data, target| op("Interpolate", 1, [data, target]).attr("axes", "3,2").attr("mode", "linear");
        first("f32[1,3,10,10]", "i64[2] = 20,30").gives(["f32[1,3,20,30]"]);
        first("f32[1,?,10,10]", "i64[2] = 20..30,?").gives(["f32[1,?,20..30,?]"]);
        first("f32[1,3,10,10]", "i64[?]").gives(["f32[1,3,?,?]"]);
        first("f32[...]", "i64[2] = 20,30").gives(["f32[...]"]);
        let fourth = |data, sizes, scales, axes| op("Interpolate", 4, [data, sizes, scales, axes]);
        fourth("f32[1,3,9,8]", "i64[2] = 4,3", "f32[2] = 9,9", "i64[2] = 2,3").gives(["f32[1,3,4,3]"]);
        fourth("f32[1,3,9,8]", "i64[2] = 4,3", "f32[2] = 9,9", "i64[2]").gives(["f32[?,?,?,?]"]);
        let scaled =
            |data, scales| fourth(data, "i64[2]", scales, "i64[2] = 2,3").attr("shape_calculation_mode", "scales");
        scaled("f32[1,3,9,8]", "f32[2] = 2.5,0.3").gives(["f32[1,3,22,2]"]);
        scaled("f32[1,3,2..9,?]", "f32[2] = 2.5,1").gives(["f32[1,3,5..22,?]"]);
        scaled("f32[1,3,2..9,8]", "f32[2] = 1..2,?").gives(["f32[1,3,2..18,?]"]);
        scaled("f32[1,3,9,8]", "f32[2] = 2,1")
            .attr("pads_begin", "1,2,3,4,5")
            .attr("pads_end", "0,0,1")
            .gives(["f32[2,5,26,12]"]);
        let eleventh = |data, targets| op("Interpolate", 11, [data, targets]);
        eleventh("f32[3,9]", "i64[2] = 4,5").gives(["f32[4,5]"]);
        eleventh("f32[3,9]", "f16[2] = 2,0.5").attr("shape_calculation_mode", "scales").gives(["f32[6,4]"]);
    }

    #[test]
    fn errors() {
        op("Interpolate", 1, ["f32[1,3,9,8]", "i64[2] = 4,3"])
            .attr("axes", "2,4")
            .attr("mode", "nearest")
            .fails("axis-range", "axis 4 is outside 0..3");
        op("Interpolate", 1, ["f32[1,3,9,8]", "i64[1] = 4"])
            .attr("axes", "2,3")
            .attr("mode", "nearest")
            .fails("shape-conflict", "`target_spatial_shape` has 1 element for 2 axes");
        op("Interpolate", 1, ["f32[1,3,9,8]", "i64[2] = 4,3"])
            .attr("axes", "2,3")
            .attr("mode", "Nearest")
            .fails("attribute-value", "`mode=\"Nearest\"` of Interpolate must be one of nearest, linear, cubic, area")
            .passes(["f32[1,3,4,3]"]);
        op("Interpolate", 1, ["f32[1,3,9,8]", "i64[2] = 4,3"])
            .attr("axes", "2,3")
            .fails("missing-attribute", "Interpolate has no `mode`")
            .passes(["f32[1,3,4,3]"]);
        op("Interpolate", 1, ["f32[1,3,9,8]", "i64[2] = 4,-1"])
            .attr("axes", "2,3")
            .attr("mode", "nearest")
            .fails("input-value", "`target_spatial_shape` requests a length of -1, wanted 0 or more");
        let fourth = |sizes, axes| op("Interpolate", 4, ["f32[1,3,9,8]", sizes, "f32[2] = 2,2", axes]);
        fourth("i64[2] = 4,3", "i64[2] = 2,-1").fails("axis-range", "axis -1 is outside 0..3");
        fourth("i64[1] = 4", "i64[2] = 2,3").fails("shape-conflict", "`sizes` has 1 element for 2 axes");
        fourth("i64[1,2]", "i64[2] = 2,3")
            .fails("input-rank", "`sizes` of Interpolate must be a list (rank 1), but is i64[1,2]");
        fourth("f32[2]", "i64[2] = 2,3").fails("index-type", "`sizes` must be of an integer type, but is f32");
        op("Interpolate", 4, ["f32[3,9]", "i64[2]", "f32[2]"]).attr("pads_end", "0,-0").fails(
            "attribute-value",
            "`pads_end=\"0,-0\"` of Interpolate must be a comma-separated list of integers without a sign",
        );
        op("Interpolate", 4, ["f32[3,9]", "i64[2]", "dynamic[2]"])
            .fails("needs-type", "the element type of `scales` of Interpolate is not known, wanted bf16, f16 or f32");
        op("Interpolate", 11, ["f32[3,9]", "i64[2] = 4,5"])
            .attr("shape_calculation_mode", "scales")
            .fails("input-type", "`scales_or_sizes` is i64, which cannot hold the scales that the layer needs");
        op("Interpolate", 4, ["f32[3,9]", "i64[2]", "f32[2]"]).attr("mode", "bilinear_pillow").fails(
            "attribute-value",
            "`mode=\"bilinear_pillow\"` of Interpolate must be one of nearest, linear, linear_onnx, cubic",
        );
    }
}
