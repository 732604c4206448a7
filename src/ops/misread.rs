//! 4-bit constants: OpenVINO packs two elements per byte but reads one byte per element during shape inference.

use super::context::InferCtx;
use super::fault::{At, Fault};
use super::rules::INDEX_TYPE;
use crate::types::{Bounds, ElementType, Fact, from_front};
use smallvec::SmallVec;

/// Whether OpenVINO reads wrong numbers from a constant: for a 4-bit type it reads one byte per element.
pub(crate) fn is_misread(fact: &Fact) -> bool {
    let Some(value) = fact.value.as_deref().filter(|value| value.is_stored()) else { return false };
    // A single non-negative element fills its byte with zeros, so it is read as written.
    let is_read_correctly = |all: &[Bounds<i64>]| all.iter().all(|one| one.lower >= 0);
    match fact.ty {
        ElementType::Nf4 => true,
        ElementType::I4 | ElementType::U4 => value.len() > 1 || !value.as_integers().is_some_and(is_read_correctly),
        _ => false,
    }
}

/// The bytes that OpenVINO takes for the first elements of a misread constant, one per pair of elements. Unknown: a half-filled
/// last byte, bytes past the constant, and nf4, which operations read differently.
fn misread_bytes(fact: &Fact) -> Option<SmallVec<[u8; 4]>> {
    let all = fact.value.as_deref().filter(|_| is_misread(fact))?.as_integers()?;
    let codes: SmallVec<[u8; 4]> = all.iter().map(|one| u8::try_from(one.value()? & 15).ok()).collect::<Option<_>>()?;
    Some(codes.chunks_exact(2).map(|pair| pair[0] | pair[1] << 4).collect())
}

impl InferCtx<'_> {
    /// Returns a fault if OpenVINO misreads the constant at input `i` and `refuses` gives a reason to reject the bytes it
    /// reads.
    pub(crate) fn check_misread(&self, i: usize, refuses: impl Fn(&[u8]) -> Option<String>) -> Result<(), Fault> {
        let Some(why) = misread_bytes(self.input(i)).and_then(|bytes| refuses(&bytes)) else { return Ok(()) };
        let (name, ty) = (self.input_name(i), self.input(i).ty);
        let how = "of which OpenVINO reads whole bytes";
        let message = format!("`{name}` of {} holds constants of type {ty}, {how}: {why}", self.spec.name);
        Err(Fault::at(At::Input(i), &INDEX_TYPE, message).primary(ty.to_string()).help("store the constant as i64"))
    }

    /// Returns a fault if OpenVINO misreads the axes at input `i` and a byte is not an axis of a tensor of `rank` dimensions.
    pub(crate) fn misread_axes(&self, i: usize, rank: usize) -> Result<(), Fault> {
        // Some operations read the byte as signed, others as unsigned; either axis may be valid.
        let axes = |byte: u8| [i64::from(byte), i64::from(byte.cast_signed())];
        let is_axis = |byte: &u8| axes(*byte).into_iter().any(|axis| from_front(axis, rank).is_some());
        self.check_misread(i, |bytes| Some(format!("{} is not an axis", bytes.iter().find(|byte| !is_axis(byte))?)))
    }
}
