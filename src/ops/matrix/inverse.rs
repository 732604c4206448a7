//! `Inverse`: inverts square matrices.
//!
//! - Spec: `matrix/inverse-14`
//! - Shape: that of the input, whose last two dimensions are one length.
//! - Errors: `input-type`; `input-rank`; `shape-conflict` unless the matrices are square.
//! - Differs from OpenVINO: each side narrows the other.

use crate::ops::prelude::*;

pub(super) static INVERSE_14: OpSpec = OpSpec {
    inputs: &[Input::of("data", TypeSet::REAL)],
    attrs: &[Attr::optional("adjoint", Kind::Flag, "false")],
    ..OpSpec::new("Inverse", 14, infer)
};

fn infer(cx: &InferCtx) -> Inferred {
    let data = cx.input(0);
    let shape = match data.shape.dims() {
        None => PartialShape::UNKNOWN,
        Some([batch @ .., rows, columns]) => {
            let side = rows.agree(*columns).ok_or_else(|| {
                let message =
                    format!("the matrices have {rows} row{s} and {columns} columns, wanted as many", s = plural(rows));
                Fault::at(At::Input(0), &SHAPE_CONFLICT, message).primary(format!("shape {}", data.shape))
            })?;
            PartialShape::of(batch.iter().copied().chain([side, side]))
        }
        Some(_) => return Err(few_dims(cx, 0, 2)),
    };
    Ok(vec![Fact::new(data.ty, shape)])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        let inverse = |data| op("Inverse", 14, [data]);
        inverse("f32[5,3,3]").gives(["f32[5,3,3]"]);
        inverse("f16[?,?,3]").gives(["f16[?,3,3]"]);
        inverse("f32[2..4,3..6]").gives(["f32[3..4,3..4]"]);
        inverse("f64[...]").gives(["f64[...]"]);
    }

    #[test]
    fn errors() {
        let inverse = |data| op("Inverse", 14, [data]);
        inverse("f32[3,4]").fails("shape-conflict", "the matrices have 3 rows and 4 columns, wanted as many");
        inverse("f32[3]").fails("input-rank", "`data` of Inverse must have at least 2 dimensions, but is f32[3]");
        inverse("i32[3,3]").fails("input-type", "Inverse does not accept i32 at input 0 `data`");
    }
}
