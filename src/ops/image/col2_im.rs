//! `Col2Im`: sums columns of patches into an image, the inverse of extracting patches.
//!
//! - Spec: `movement/col2im-15`
//! - Shape: `data` is `[N, C*kernel, patches]` or `[C*kernel, patches]`; the output is `[N, C, ..output_size]` or
//!   `[C, ..output_size]`. C is unknown while `kernel_size` is.
//! - Errors: `type-conflict`; `needs-type`; `input-rank`; `missing-attribute`; `input-value` if a size is negative; `needs-constant` if a
//!   size has unknown length; `shape-conflict` if channels or patches do not go with the sizes.
//! - Differs from OpenVINO: patches are compared by their bounds; OpenVINO reads lists of any length.

use crate::ops::apply::missing;
use crate::ops::prelude::*;
use crate::ops::shared::window::Windows;

pub(super) static COL2_IM_15: OpSpec = OpSpec {
    inputs: &[
        Input::any("data").ranks(&[2, 3]),
        Input::index("output_size").lengths().types(TypeSet::I32_OR_I64).ranks(&[1]).typed().if_ranked(),
        Input::index("kernel_size").types(TypeSet::I32_OR_I64).ranks(&[1]).typed(),
    ],
    attrs: &[
        Attr::optional("strides", Kind::Ints(1, i64::MAX), "").unsigned().checked(Checked::Static),
        Attr::optional("dilations", Kind::Ints(1, i64::MAX), "").unsigned().checked(Checked::Static),
        Attr::optional("pads_begin", Kind::COUNTS, "").unsigned(),
        Attr::optional("pads_end", Kind::COUNTS, "").unsigned(),
    ],
    defers: Some(&SHAPE_CONFLICT),
    ..OpSpec::new("Col2Im", 15, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    agreed_type(cx, &[1, 2])?;
    for i in [1, 2] {
        if cx.input(i).rank().is_some() && !cx.dim(i, 0).is_exact() {
            let message = format!("`{}` must have a known number of elements", cx.input_name(i));
            return Err(Fault::at(At::Input(i), &NEEDS_CONSTANT, message));
        }
    }
    let data = cx.input(0);
    // OpenVINO divides only a length that it knows by those of the kernel.
    let is_divided = data.rank().is_some_and(|rank| cx.dim(0, rank.saturating_sub(2)).is_exact());
    let kernel = lengths(cx, 2, 2, Runtime::Rejects).map_err(|fault| fault.decided_if(is_divided))?;
    let patches = data.rank().map_or(Dim::ANY, |rank| cx.dim(0, rank.saturating_sub(1)));
    // OpenVINO counts the patches of a length below -1 once it knows all other lengths.
    let is_counted = patches.is_exact() && kernel.iter().all(|length| length.is_exact());
    let is_below = cx.constant(1).is_some_and(|lengths| lengths.iter().any(|length| *length < -1));
    let negatives = if is_counted && is_below { Runtime::Rejects } else { Runtime::Accepts };
    let image = lengths(cx, 1, 2, negatives)?;
    let Some(rank) = data.rank() else { return unranked(data.ty) };
    let (batch, columns) = (rank.saturating_sub(3), rank.saturating_sub(2));
    let whole = cx.dim(0, columns);
    let each = kernel.iter().fold(Dim::exact(1), |all, length| all.times(*length));
    if kernel.iter().try_fold(1_i64, |count, length| count.checked_mul(length.lower())).is_none() {
        return Err(conflict(cx, 2, "the kernel has more elements than 64 bits count".to_owned()));
    }
    whole.demand_multiple(each);
    let channels = quotient(whole, each).ok_or_else(|| {
        conflict(cx, 0, format!("dimension {columns} of `data` is {whole}, not a multiple of the {each} in the kernel"))
    })?;
    if check_lists(cx, &image, &kernel, patches)? && !is_below {
        check_patches(cx, &image, &kernel, patches)?;
    }
    let mut dims = vec![channels];
    if columns > batch {
        dims.insert(0, cx.dim(0, 0));
    }
    dims.extend(image);
    Ok(vec![Fact::new(data.ty, PartialShape::of(dims))])
}

/// Checks that every list has an entry per axis. OpenVINO counts the patches by lists of any length once it knows all
/// dimensions, and may reject the file for the result.
fn check_lists(cx: &InferCtx, image: &[Dim], kernel: &[Dim], patches: Dim) -> Result<bool, Fault> {
    for attr in cx.spec.attrs {
        let count = cx.ints(attr.name).len();
        if count == 2 {
            continue;
        }
        let fault = if cx.writes(attr.name) {
            let plural = if count == 1 { "y" } else { "ies" };
            wrong_attr(attr.name, format!("`{}` has {count} entr{plural} for 2 spatial dimensions", attr.name))
        } else {
            missing(cx.spec, attr.name)
        };
        let is_read = image.iter().chain(kernel).chain([&patches]).all(|length| length.is_exact());
        cx.pass(fault.runtime(if is_read { Runtime::Unknown } else { Runtime::Accepts }))?;
        return Ok(false);
    }
    Ok(true)
}

/// Reports a number of patches that no kernel size gives for the image.
fn check_patches(cx: &InferCtx, image: &[Dim], kernel: &[Dim], patches: Dim) -> Result<(), Fault> {
    let windows = Windows::read(cx, 2)?;
    let mut wanted = Dim::exact(1);
    for (axis, (image, kernel)) in image.iter().zip(kernel).enumerate() {
        wanted = wanted.times(windows.blocks(cx, axis, *image, *kernel)?);
    }
    match wanted.agree(patches) {
        Some(_) => Ok(()),
        None => Err(conflict(cx, 0, format!("`data` has {patches} patches, an image of this size has {wanted}"))),
    }
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn col2im(data: &str, image: &str, kernel: &str) -> OpTest {
        op("Col2Im", 15, [data, image, kernel])
            .attr("strides", "1,1")
            .attr("dilations", "1,1")
            .attr("pads_begin", "0,0")
            .attr("pads_end", "0,0")
    }

    #[test]
    fn shapes() {
        col2im("f32[1,12,16]", "i64[2] = 5,5", "i64[2] = 2,2").gives(["f32[1,3,5,5]"]);
        col2im("f32[12,16]", "i32[2] = 5,5", "i32[2] = 2,2").gives(["f32[3,5,5]"]);
        col2im("f32[?,11..13,?]", "i64[2] = 5,4..6", "i64[2] = 2,2").gives(["f32[?,3,5,4..6]"]);
        col2im("f32[1,12,16]", "i64[2]", "i64[...]").gives(["f32[1,1..12,?,?]"]);
        col2im("f32[?,4,0]", "i64[2] = 1..5,5", "i64[2] = 2,2").gives(["f32[?,1,1..5,5]"]);
        col2im("f32[...]", "i64[2] = 5,5", "i64[2] = 2,2").gives(["f32[...]"]);
    }

    #[test]
    fn errors() {
        let small = |data| col2im(data, "i64[2] = 5,5", "i64[2] = 2,2");
        small("f32[1,13,16]")
            .fails("shape-conflict", "dimension 1 of `data` is 13, not a multiple of the 4 in the kernel");
        small("f32[1,12,17]").fails("shape-conflict", "`data` has 17 patches, an image of this size has 16");
        let by_steps = |strides: &str, image: &str| {
            let layer = op("Col2Im", 15, ["f32[1,25,0]", image, "i64[2] = 5,5"]).attr("strides", strides);
            layer.attr("dilations", "1,1").attr("pads_begin", "0,0").attr("pads_end", "0,0")
        };
        by_steps("1,1", "i64[2] = 4,5").gives(["f32[1,1,4,5]"]);
        let short = |image| format!("the kernel spans 5 elements, dimension 0 of the image has {image}");
        by_steps("1,1", "i64[2] = 3,5").fails("shape-conflict", &short("3"));
        by_steps("2,1", "i64[2] = 4,5").fails("shape-conflict", &short("4"));
        by_steps("2,1", "i64[2] = 1..4,5").fails("shape-conflict", &short("1..4"));
        by_steps("2,1", "i64[2] = 4..9,5")
            .fails("shape-conflict", "`data` has 0 patches, an image of this size has 1..3");
        small("f32[12]").fails("input-rank", "`data` of Col2Im must be of rank 2 or 3, but is f32[12]");
        col2im("f32[1,12,16]", "i64[2] = 5,5", "i64[2] = 9,2")
            .fails("shape-conflict", "dimension 1 of `data` is 12, not a multiple of the 18 in the kernel");
        col2im("f32[1,18,16]", "i64[2] = 5,5", "i64[2] = 9,2")
            .fails("shape-conflict", "the kernel spans 9 elements, dimension 0 of the image has 5");
        col2im("f32[1,12,16]", "i64[2] = 5,5", "i64[?]")
            .fails("needs-constant", "`kernel_size` must have a known number of elements");
        col2im("f32[1,12,16]", "i64[2] = 5,-5", "i64[2] = 2,2")
            .fails("input-value", "`output_size` requests a length of -5, wanted 0 or more");
        col2im("f32[1,12,?]", "i64[2] = 5,-5", "i64[2] = 2,2").passes(["f32[1,3,5,0]"]);
        col2im("f32[1,12,16]", "i64[2] = 5,-1", "i64[2] = 2,2").passes(["f32[1,3,5,?]"]);
        let strides = |data, text: &str| {
            let layer = op("Col2Im", 15, [data, "i64[2] = 5,5", "i64[2] = 2,2"]).attr("strides", text);
            layer.attr("dilations", "1,1").attr("pads_begin", "0,0").attr("pads_end", "0,0")
        };
        let message = "`strides` has 1 entry for 2 spatial dimensions";
        strides("f32[1,12,16]", "1").fails("attribute-value", message);
        strides("f32[1,12,?]", "1").passes(["f32[1,3,5,5]"]);
        strides("f32[1,12,16]", "1,1,1").fails("attribute-value", "`strides` has 3 entries for 2 spatial dimensions");
        strides("f32[1,12,?]", "1,1,1").passes(["f32[1,3,5,5]"]);
        op("Col2Im", 15, ["f32[1,12,16]", "i64[2] = 5,5", "i64[2] = 2,2"])
            .fails("missing-attribute", "Col2Im has no `strides`");
        col2im("f32[1,12,16]", "i64[2] = 5,5", "i32[2] = 2,2")
            .fails("type-conflict", "`kernel_size` is i32, `output_size` is i64");
    }
}
