//! Tensors that a run makes from inferred values or other tensors, and the memory that they take.

use crate::exec::generate::of_bits;
use crate::exec::tensor::{Tensor, elements, storage};
use crate::types::codec::{Element, codes};
use crate::types::{ElementType, Fact, Value};

/// Returns the approximate memory of a tensor in bytes; 0 if the tensor cannot be created anyway.
pub(super) fn room(ty: ElementType, lengths: &[usize]) -> usize {
    match ty {
        ElementType::String => elements(lengths).unwrap_or(0).saturating_mul(32),
        _ => storage(ty, lengths).unwrap_or(0),
    }
}

pub(super) fn reshaped(data: &Tensor, fact: &Fact) -> Result<Tensor, String> {
    let lengths = fact.shape.sizes().ok_or("its shape is not known")?;
    Tensor::new(fact.ty, &lengths, data.bytes().clone())
}

/// Converts integers to another integer type by keeping the low bits; to booleans, which are true for all but 0.
pub(super) fn converted(data: &Tensor, fact: &Fact) -> Result<Tensor, String> {
    let lengths = fact.shape.sizes().ok_or("its shape is not known")?;
    let mut codes = Vec::with_capacity(data.elements());
    for i in 0..data.elements() {
        let Some(Element::Integer(number)) = data.element(i) else {
            return Err(format!("not evaluated: Convert from {}", data.ty()));
        };
        let [low, _] = [number, number >> 64].map(|half| u64::try_from(half & i128::from(u64::MAX)).unwrap_or(0));
        codes.push(if fact.ty == ElementType::Boolean { u64::from(number != 0) } else { low });
    }
    of_bits(fact.ty, &lengths, &codes)
}

/// Creates the tensor of an exactly known value.
pub(super) fn of_value(fact: &Fact, value: &Value) -> Option<Tensor> {
    let lengths = fact.shape.sizes()?;
    of_bits(fact.ty, &lengths, &codes(fact.ty, value)?).ok()
}
