//! `ReadValue`: reads a state variable, which its input initializes.
//!
//! - Spec: `infrastructure/read-value-3`, `-6` (type and shape of the variable; the input may be omitted)
//! - Shape: -3 that of the input; -6 `variable_shape`, unless neither it nor `variable_type` is known.
//! - Errors: `missing-attribute` (-6); `state-init` if the variable does not allow every tensor that the input may be, even if
//!   that is not fully known.

use crate::ops::Recent;
use crate::ops::prelude::*;

pub(super) static READ_VALUE_3: OpSpec = OpSpec {
    inputs: &[Input::any("init_value")],
    attrs: &[Attr::optional("variable_id", Kind::Text, "")],
    action: Action::Reads,
    ..OpSpec::new("ReadValue", 3, |cx| Ok(vec![Fact::new(cx.input(0).ty, cx.input(0).shape.clone())]))
};

pub(super) static READ_VALUE_6: OpSpec = OpSpec {
    opset: 6,
    inputs: &[Input::any("init_value").optional()],
    attrs: &[
        Attr::required("variable_id", Kind::Text),
        Attr::optional("variable_type", Kind::Type, "dynamic").strict_since(release(2023, 3)),
        Attr::optional("variable_shape", Kind::Shape, "..."),
    ],
    infer,
    recent: &[Recent {
        what: "a missing initial value",
        first: release(2023, 3),
        attr: "",
        is_used: |inputs, _| inputs.is_empty(),
    }],
    ..READ_VALUE_3
};

fn infer(cx: &InferCtx) -> Inferred {
    let variable = Fact::new(cx.ty("variable_type"), cx.shape("variable_shape"));
    let init = cx.input(0);
    if !cx.has_input(0) {
        return Ok(vec![variable]);
    }
    if variable.ty == ElementType::Dynamic && variable.rank().is_none() {
        return Ok(vec![Fact::new(init.ty, init.shape.clone())]);
    }
    let excluded = variable.ty.merge(init.ty).is_none() || variable.shape.merge(&init.shape).is_none();
    let taken = variable.contains(&Fact::new(init.ty, init.shape.clone()));
    if excluded || !(taken || init.assumed) {
        let message = format!("the variable is {variable}, but its initial value is {}{}", init.ty, init.shape);
        let help = format!(
            "`variable_type=\"{}\"` and `variable_shape` {} would accept the initial value",
            init.ty, init.shape
        );
        // OpenVINO may know the rank.
        let is_certain = excluded || init.rank().is_some();
        return Err(Fault::at(At::Layer, &STATE_INIT, message)
            .runtime(if is_certain { Runtime::Rejects } else { Runtime::Unknown })
            .since(release(2023, 3))
            .label(At::Input(0), format!("{}{}", init.ty, init.shape))
            .help(help));
    }
    Ok(vec![variable])
}

#[cfg(test)]
mod tests {
    use crate::ops::testing::{OpTest, op};

    fn read<const N: usize>(inputs: [&str; N], ty: &str, shape: &str) -> OpTest {
        op("ReadValue", 6, inputs).attr("variable_id", "v").attr("variable_type", ty).attr("variable_shape", shape)
    }

    #[test]
    fn shapes() {
        op("ReadValue", 3, ["f32[2,?]"]).gives(["f32[2,?]"]);
        op("ReadValue", 3, ["i64[1] = 3"]).gives(["i64[1]"]);
        read(["f32[2,3]"], "f32", "2,?").gives(["f32[2,?]"]);
        read(["f32[2,3]"], "dynamic", "2,?").gives(["dynamic[2,?]"]);
        read(["f32[2,3..4]"], "dynamic", "...").gives(["f32[2,3..4]"]);
        read([], "f16", "2,?").gives(["f16[2,?]"]);
        op("ReadValue", 6, []).attr("variable_id", "v").gives(["dynamic[...]"]);
        op("ReadValue", 6, ["f32[2]"]).attr("variable_id", "v").gives(["f32[2]"]);
    }

    #[test]
    fn errors() {
        read(["f32[2,3]"], "f32", "2,4")
            .fails("state-init", "the variable is f32[2,4], but its initial value is f32[2,3]");
        read(["f32[2,?]"], "f32", "2,4")
            .fails("state-init", "the variable is f32[2,4], but its initial value is f32[2,?]");
        read(["f16[2,3]"], "f32", "...")
            .fails("state-init", "the variable is f32[...], but its initial value is f16[2,3]");
        op("ReadValue", 6, ["f32[2]"]).fails("missing-attribute", "ReadValue has no `variable_id`");
    }
}
