//! `PriorBox`: boxes of several sizes and shapes around every cell of a grid.
//!
//! - Spec: `detection/prior-box-1`, `-8`
//! - Shape: `[2, 4 * height * width * priors]`; height and width are the values of `output_size`, the priors of a cell
//!   follow from the lists among the attributes.
//! - Errors: `index-type`; `input-rank`; `shape-conflict` if `output_size` has not two elements; `input-value` if one is
//!   negative.
//! - Differs from OpenVINO: a negative size is reported, OpenVINO reads -1 as unknown and less as 0.
//! - Revisions: 8 adds `min_max_aspect_ratios_order`, which does not change how many there are.

use crate::ops::prelude::*;
use crate::types::cut;

pub(super) static PRIOR_BOX_1: OpSpec = OpSpec {
    inputs: INPUTS,
    attrs: ATTRS.split_at(12).0,
    reads_as_one: true,
    waits: &[&INPUT_RANK],
    ..OpSpec::new("PriorBox", 1, infer)
};

pub(super) static PRIOR_BOX_8: OpSpec = OpSpec { opset: 8, attrs: ATTRS, ..PRIOR_BOX_1 };

pub(super) const INPUTS: &[Input] = &[Input::index("output_size").lengths().ranks(&[1]), IMAGE_SIZE];
const IMAGE_SIZE: Input = Input { reads_value: false, ..Input::index("image_size").unread().ranks(&[1]) };
/// The attributes of opset8; opset1 lacks the last one.
const ATTRS: &[Attr] = &[
    Attr::optional("min_size", Kind::Floats, ""),
    Attr::optional("max_size", Kind::Floats, ""),
    Attr::optional("aspect_ratio", Kind::Floats, ""),
    Attr::optional("density", Kind::Floats, ""),
    Attr::optional("fixed_ratio", Kind::Floats, ""),
    Attr::optional("fixed_size", Kind::Floats, ""),
    Attr::optional("clip", Kind::Flag, "false"),
    Attr::optional("flip", Kind::Flag, "false"),
    Attr::optional("step", Kind::Float, "0"),
    Attr::optional("offset", Kind::Float, "0"),
    Attr::optional("variance", Kind::Floats, ""),
    Attr::optional("scale_all_sizes", Kind::Flag, "true"),
    Attr::optional("min_max_aspect_ratios_order", Kind::Flag, "true"),
];

fn infer(cx: &InferCtx) -> Inferred {
    let count = cx.floats("variance").len();
    if ![0, 1, 4].contains(&count) {
        let fault = wrong_attr("variance", format!("`variance` has {count} numbers, wanted 1 or 4"));
        cx.pass(fault.runtime(Runtime::NotCompiled))?;
    }
    Ok(vec![boxes(cx, priors(cx))?])
}

/// The output of coordinates and variances for `priors` boxes in every cell; an impossible number counts as unknown.
pub(super) fn boxes(cx: &InferCtx, priors: i64) -> Result<Fact, Fault> {
    // OpenVINO counts the lengths that it knows.
    let unread = |fault: Fault| fault.decided_if(cx.bounds(0).is_some());
    let cells = lengths(cx, 0, 2, Runtime::Accepts).map_err(unread)?.into_iter().fold(Dim::exact(4), Dim::times);
    let all = if priors < 0 { Dim::ANY } else { cells.times(Dim::exact(priors)) };
    Ok(Fact::new(ElementType::F32, PartialShape::of([Dim::exact(2), all])))
}

/// The number of boxes around a cell.
fn priors(cx: &InferCtx) -> i64 {
    let count = |name: &str| i64::try_from(cx.floats(name).len()).unwrap_or(i64::MAX);
    let ratios = ratios(cx);
    let mut priors = match (count("fixed_size"), cx.flag("scale_all_sizes")) {
        (0, true) => ratios.saturating_mul(count("min_size")).saturating_add(count("max_size")),
        (0, false) => ratios.saturating_add(count("min_size")).saturating_sub(1),
        (sizes, _) => ratios.saturating_mul(sizes),
    };
    let dense = if count("fixed_ratio") > 0 { count("fixed_ratio") } else { ratios };
    for density in cx.floats("density") {
        let density = cut(*density);
        priors = priors.wrapping_add(dense.wrapping_mul(density.wrapping_mul(density).wrapping_sub(1)));
    }
    priors
}

/// The number of distinct aspect ratios, including 1, compared to six decimal places.
///
/// In OpenVINO, a NaN equals every ratio before it; as the first ratio, it equals every later one.
fn ratios(cx: &InferCtx) -> i64 {
    let rounded = |ratio: f32| single((f64::from(ratio) * 1e6).round() / 1e6).to_bits();
    let mut known = vec![rounded(1.0)];
    let listed = cx.floats("aspect_ratio");
    if listed.first().is_some_and(|ratio| ratio.is_nan()) {
        return 1;
    }
    for ratio in listed.iter().filter(|ratio| !ratio.is_nan()) {
        let ratio = single(*ratio);
        known.push(rounded(ratio));
        if cx.flag("flip") {
            known.push(rounded(1.0 / ratio));
        }
    }
    known.sort_unstable();
    known.dedup();
    i64::try_from(known.len()).unwrap_or(i64::MAX)
}

#[allow(clippy::cast_possible_truncation, reason = "OpenVINO stores these attributes in single precision")]
fn single(number: f64) -> f32 {
    number as f32
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let prior = |size| op("PriorBox", 1, [size, "i64[2]"]).attr("min_size", "16.0");
        prior("i64[2] = 24,42")
            .attr("max_size", "38.0")
            .attr("aspect_ratio", "2.0")
            .attr("flip", true)
            .gives(["f32[2,16128]"]);
        prior("i64[2] = 2..3,4").gives(["f32[2,32..48]"]);
        prior("i32[2] = 2,?").gives(["f32[2,?]"]);
        prior("i64[...]").gives(["f32[2,?]"]);
        let ratios = |list: &'static str| prior("i64[2] = 1,1").attr("aspect_ratio", list).attr("flip", true);
        ratios("0.3333333,3").gives(["f32[2,12]"]);
        ratios("0.33333,3").gives(["f32[2,20]"]);
        ratios("1,1.0000001").gives(["f32[2,4]"]);
        let cell = || op("PriorBox", 8, ["i64[2] = 1,1", "i64[2]"]);
        cell().attr("fixed_size", "1,2,3").attr("aspect_ratio", "2,3").attr("density", "1,2.7,3").gives(["f32[2,168]"]);
        cell().attr("fixed_size", "1,2").attr("fixed_ratio", "1,2").attr("density", 2).gives(["f32[2,32]"]);
        cell().attr("min_size", "1,2,3").attr("scale_all_sizes", false).gives(["f32[2,12]"]);
        cell().gives(["f32[2,0]"]);
        ratios("nan,2,3").gives(["f32[2,4]"]);
        ratios("2,nan,2").gives(["f32[2,12]"]);
        prior("i64[2] = 1,1").attr("density", "nan").gives(["f32[2,0]"]);
        prior("i64[2] = 1,1").attr("density", "1e10").gives(["f32[2,?]"]);
    }

    #[test]
    fn errors() {
        let prior = |size| op("PriorBox", 1, [size, "i64[2]"]).attr("min_size", "16.0");
        prior("i64[3] = 1,2,3").fails("shape-conflict", "`output_size` has 3 elements for 2 spatial dimensions");
        prior("i64[2] = 1,-2").fails("input-value", "`output_size` requests a length of -2, wanted 0 or more");
        prior("f32[2]").fails("index-type", "`output_size` must be of an integer type, but is f32");
        prior("i64[1,2]").fails("input-rank", "`output_size` of PriorBox must be a list (rank 1), but is i64[1,2]");
    }
}
