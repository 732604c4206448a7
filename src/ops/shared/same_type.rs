//! Inputs that must be of one element type.

use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::TYPE_CONFLICT;
use crate::types::ElementType;

/// The element type that all these inputs can be, or the fault of the first one that differs.
pub(crate) fn same_type(cx: &InferCtx, inputs: impl IntoIterator<Item = usize>) -> Result<ElementType, Fault> {
    let (mut found, mut first) = (ElementType::Dynamic, 0);
    for i in inputs {
        let ty = cx.input(i).ty;
        let Some(merged) = found.merge(ty) else {
            return Err(Fault::at(
                At::Input(i),
                &TYPE_CONFLICT,
                format!("input {i} is {ty}, input {first} is {found}"),
            )
            .primary(ty.to_string())
            .label(At::Input(first), found.to_string())
            .help("a Convert in front of one of them makes them equal"));
        };
        if found == ElementType::Dynamic {
            first = i;
        }
        found = merged;
    }
    Ok(found)
}
