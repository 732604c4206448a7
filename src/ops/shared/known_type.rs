//! Element types that must be known while a file is read, and those that attributes name for indices.

use crate::ops::context::InferCtx;
use crate::ops::fault::{At, Fault};
use crate::ops::rules::{ATTRIBUTE_VALUE, NEEDS_TYPE};
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

/// The type of indices that attribute `name` gives: i32 or i64.
pub(crate) fn index_type(cx: &InferCtx, name: &'static str) -> Result<ElementType, Fault> {
    match cx.ty(name) {
        ty @ (ElementType::I32 | ElementType::I64) => Ok(ty),
        ty => Err(Fault::at(
            At::Attr(name),
            &ATTRIBUTE_VALUE,
            format!("`{name}=\"{ty}\"` of {} must be i32 or i64", cx.spec.name),
        )),
    }
}
