//! Element types that must be known while a file is read.

use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::NEEDS_TYPE;
use crate::types::ElementType;

/// The fault of input `i` being of an unknown type, unless that rests on what the file declares.
pub(crate) fn known_type(cx: &InferCtx, i: usize) -> Result<(), Fault> {
    let input = cx.input(i);
    if input.ty != ElementType::Dynamic || input.assumed {
        return Ok(());
    }
    let types = cx.spec.input(i).map(|input| input.types.iter().filter(|ty| *ty != ElementType::Dynamic));
    let names: Vec<&str> = types.into_iter().flatten().map(ElementType::name).collect();
    let wanted = if names.len() > 6 { String::new() } else { format!(", wanted {}", names.join(" or ")) };
    let message = format!("the element type of `{}` of {} is not known{wanted}", cx.input_name(i), cx.spec.name);
    Err(Fault::at(At::Input(i), &NEEDS_TYPE, message))
}
