//! `Assign`: writes a state variable.
//!
//! - Spec: `infrastructure/assign-3`, `-6` (requires `variable_id`)
//! - Shape: that of the input, with its elements. Only a comparison with the `ReadValue` shows whether it fits the variable.
//! - Errors: `missing-attribute` (-6).

use crate::ops::prelude::*;

/// The type as layers write it.
pub(crate) const NAME: &str = "Assign";

pub(super) static ASSIGN_3: OpSpec = OpSpec {
    inputs: &[Input::any("new_value")],
    attrs: &[Attr::optional("variable_id", Kind::Text, "")],
    action: Action::Writes,
    eval: Eval::Copy(Bounding::Constants),
    ..OpSpec::new(NAME, 3, |cx| Ok(vec![Fact::new(cx.input(0).ty, cx.input(0).shape.clone())]))
};

pub(super) static ASSIGN_6: OpSpec =
    OpSpec { opset: 6, attrs: &[Attr::required("variable_id", Kind::Text)], ..ASSIGN_3 };

#[cfg(test)]
mod tests {
    use crate::ops::testing::op;

    #[test]
    fn shapes() {
        op("Assign", 3, ["f32[2,?]"]).gives(["f32[2,?]"]);
        op("Assign", 6, ["i64[1] = 4..5"]).attr("variable_id", "v").gives(["i64[1] = 4..5"]);
    }

    #[test]
    fn errors() {
        op("Assign", 6, ["f32[2]"]).fails("missing-attribute", "Assign has no `variable_id`");
    }
}
