//! `ShapeOf`: the lengths of a tensor as a list.
//!
//! - Spec: `shape/shape-of-1`, `shape/shape-of-3`
//! - Shape: one element per dimension; its elements are the dimensions, with their bounds.
//! - Errors: `attribute-value` unless `output_type` is i32 or i64.
//! - Revisions: opset3 adds `output_type`; OpenVINO refuses a layer without it, although the specification has a default.

use crate::ops::prelude::*;

pub(super) static SHAPE_OF_1: OpSpec =
    OpSpec { inputs: &[Input::any("data")], eval: Eval::Shape(lengths), ..OpSpec::new("ShapeOf", 1, infer) };

pub(super) static SHAPE_OF_3: OpSpec =
    OpSpec { opset: 3, attrs: &[Attr::required("output_type", Kind::Type)], ..SHAPE_OF_1 };

fn infer(cx: &InferCtx) -> Inferred {
    let ty = if cx.writes("output_type") { cx.ty("output_type") } else { ElementType::I64 };
    if !matches!(ty, ElementType::I32 | ElementType::I64) {
        let message = format!("`output_type=\"{ty}\"` of ShapeOf must be i32 or i64");
        return Err(Fault::at(At::Attr("output_type"), &ATTRIBUTE_VALUE, message));
    }
    Ok(vec![Fact::new(ty, PartialShape::of([cx.input(0).shape.rank_dim()]))])
}

fn lengths(cx: &InferCtx, outputs: &[Fact]) -> Option<Vec<Value>> {
    let [output] = outputs else { return None };
    let (_, most) = output.ty.integer_range()?;
    let bounds = |dim: &Dim| {
        let bounds = Bounds::from(*dim);
        Bounds { upper: if dim.is_exact() { bounds.upper } else { bounds.upper.min(most).max(bounds.lower) }, ..bounds }
    };
    Some(vec![Value::integers(&output.shape, cx.input(0).shape.dims()?.iter().map(bounds))?])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("ShapeOf", 1, ["f32[2,3]"]).gives(["i64[2] = 2,3"]);
        op("ShapeOf", 2, ["string[?,..8,3..]"]).gives(["i64[3] = 0..,0..8,3.."]);
        op("ShapeOf", 1, ["f32[]"]).gives(["i64[0] = "]);
        op("ShapeOf", 1, ["f32[...]"]).gives(["i64[?]"]);
        let typed = |data, ty: &str| op("ShapeOf", 3, [data]).attr("output_type", ty);
        typed("f32[2,3..]", "i32").gives(["i32[2] = 2,3..2147483647"]);
        typed("f32[3000000000]", "i32").yields(["i32[1] = -2147483648..2147483647"]);
        typed("u1[2]", "I64").gives(["i64[1] = 2"]);
    }

    #[test]
    fn errors() {
        op("ShapeOf", 3, ["f32[2]"]).fails("missing-attribute", "ShapeOf has no `output_type`");
        op("ShapeOf", 3, ["f32[2]"])
            .attr("output_type", "f32")
            .fails("attribute-value", "`output_type=\"f32\"` of ShapeOf must be i32 or i64");
        op("ShapeOf", 1, ["f32[2]", "i64[]"]).fails("wrong-input-count", "ShapeOf takes 1 input, this layer has 2");
    }
}
